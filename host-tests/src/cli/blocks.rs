//! `sweep eval` of one block of MX: `quantise.VALUES.ELEMENTS` and `dequantise.ELEMENTS.VALUES`.

use super::args::EvalArgs;
use super::mode;
use crate::number;
use crate::row::Ty;
use crate::rows;
use bitexact::format::{
    Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format, bf16, f16,
};
use bitexact::scale::{self, BlockError, DIALECTS, Dialect, E8M0, MxInt8};
use bitexact::{Mode, Status};
use sweep_inputs::Overflow;

/// What `eval` has beside rows.
pub const OPERATIONS: [&str; 2] = ["quantise", "dequantise"];

/// At each of these formats, the same value with `$t` that format; `None` at others.
macro_rules! at {
    ([$($variant:ident $ty:ty),*] $format:expr, $t:ident => $value:expr) => {
        match $format {
            $(Ty::$variant => {
                type $t = $ty;
                $value
            })*
            _ => None,
        }
    };
}
macro_rules! at_both {
    ($values:expr, $t:ident, $elements:expr, $e:ident => $value:expr) => {
        at!([F16 f16, Bf16 bf16, F32 Binary32] $values, $t => at!([
            E5m2 E5M2, E4m3fn E4M3FN, E5m2fnuz E5M2FNUZ, E4m3fnuz E4M3FNUZ, E2m3 E2M3, E3m2 E3M2,
            E2m1 E2M1, Mxint8 MxInt8
        ] $elements, $e => Some($value)))
    };
}

/// The formats of values and of elements, and whether they are made from elements; `None` if the
/// name is a row's.
fn named(op: &str) -> Option<(Ty, Ty, bool)> {
    let mut parts = op.split('.');
    let back = match parts.next()? {
        "quantise" => false,
        "dequantise" => true,
        _ => return None,
    };
    let mut format = || {
        let name = parts.next()?;
        Ty::ALL.iter().copied().find(|ty| ty.name() == name)
    };
    let (from, to) = (format()?, format()?);
    let (values, elements) = if back { (to, from) } else { (from, to) };
    Some((values, elements, back))
}

/// Results as bits, and their flags.
type Made = Result<(Vec<u64>, Status), BlockError>;

fn quantise(values: Ty, elements: Ty, given: &[u64], dialect: &Dialect) -> Option<Made> {
    at_both!(values, T, elements, E => {
        let x: Vec<T> = given.iter().map(|bits| <T as Format>::from_bits(*bits)).collect();
        let mut made = vec![E::from_bits(0); x.len()];
        let mut scale = [E8M0::from_bits(0)];
        scale::quantise(&x, x.len(), dialect, &mut made, &mut scale).map(|status| {
            let codes = made.iter().map(|code| u64::from(code.to_bits()));
            (Some(u64::from(scale[0].to_bits())).into_iter().chain(codes).collect(), status)
        })
    })
}

fn dequantise(values: Ty, elements: Ty, given: &[u64], mode: Mode) -> Option<Made> {
    let (scale, codes) = given.split_first()?;
    at_both!(values, T, elements, E => {
        let codes: Vec<E> = codes.iter().map(|code| E::from_bits(*code as u8)).collect();
        let mut made = vec![<T as Format>::from_bits(0); codes.len()];
        let scale = [E8M0::from_bits(*scale as u8)];
        scale::dequantise(&codes, &scale, codes.len(), mode, &mut made)
            .map(|status| (made.iter().map(|x| Format::to_bits(*x)).collect(), status))
    })
}

/// The line that answers a call with a block's operands: these, the results, flags. `None` if the
/// operation is a row.
pub fn line(args: &EvalArgs) -> Option<Result<String, String>> {
    let (values, elements, back) = named(&args.op)?;
    Some(answer(args, values, elements, back))
}

fn answer(args: &EvalArgs, values: Ty, elements: Ty, back: bool) -> Result<String, String> {
    let count = args.operands.len();
    if count < 1 + usize::from(back) {
        let operands = if back {
            "a scale and elements"
        } else {
            "values"
        };
        return Err(format!("{} takes {operands}, as arguments", args.op));
    }
    let inputs = if back {
        [vec![Ty::E8m0], vec![elements; count - 1]].concat()
    } else {
        vec![values; count]
    };
    let outputs = if back {
        vec![values; count - 1]
    } else {
        [vec![Ty::E8m0], vec![elements; count]].concat()
    };
    let given = args.operands.iter().zip(&inputs);
    let given: Vec<u64> = given
        .map(|(field, ty)| number::parse_hex(field, *ty))
        .collect::<Result<_, _>>()?;
    let params = &args.mode.params;
    if args.mode.bits.is_some() || params.policy.is_some() || !params.param.is_empty() {
        return Err(format!("{} takes no such option", args.op));
    }
    let made = if back {
        let Some(rounding) = args.mode.rounding.and_then(mode::fixed) else {
            return Err(format!(
                "{} needs a rounding: `--rounding ROUNDING`",
                args.op
            ));
        };
        if args.dialect.is_some() {
            return Err(format!("`--dialect` has no effect on {}", args.op));
        }
        let overflow = args.mode.overflow.map_or(Overflow::Ieee, mode::overflow);
        dequantise(values, elements, &given, rows::mode::of(rounding, overflow))
    } else {
        let Some(dialect) = args.dialect.as_deref().and_then(Dialect::preset) else {
            let names: Vec<_> = DIALECTS.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            return Err(format!("{} needs `--dialect`, one of {names}", args.op));
        };
        if args.mode.rounding.is_some() || args.mode.overflow.is_some() {
            return Err(format!("{} rounds as its dialect says", args.op));
        }
        quantise(values, elements, &given, &dialect)
    };
    let made = made.ok_or_else(|| format!("{}: no blocks of these formats", args.op))?;
    let (results, status) = made.map_err(|error| error.to_string())?;
    let shown = inputs
        .iter()
        .zip(&given)
        .chain(outputs.iter().zip(&results));
    let numbers: Vec<_> = shown.map(|(ty, bits)| number::hex(*ty, *bits)).collect();
    Ok(format!("{} {:02X}", numbers.join(" "), status.bits()))
}
