//! The catalog as dynamic rows: one adapter for each kind of arguments.

use std::error::Error;
use std::sync::LazyLock;

use bitexact::activation::{self, Bounds, NanGradient};
use bitexact::arith::{self, Class};
use bitexact::convert;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::math;
use bitexact::scale::{self, E8M0, MxInt8, PRESETS, ScalePolicy};
use bitexact::{Mode, Overflow, Status, bf16, f16};

use crate::row::{Args, Operands, Output, ParamKind, ParamSpec, RoundingArg, Row, Ty, Value};

/// Every row of the catalog, in its order.
pub fn all() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(build);
    &ROWS
}

/// A type of operands and results: its dynamic name and its raw bits.
pub(crate) trait Raw: Copy {
    const TY: Ty;
    fn get(bits: u64) -> Self;
    fn put(self) -> u64;
}

macro_rules! raw {
    ($($ty:ident $name:ident |$bits:ident| $get:expr, |$value:ident| $put:expr;)*) => {
        $(impl Raw for $ty {
            const TY: Ty = Ty::$name;
            fn get($bits: u64) -> Self {
                $get
            }
            fn put(self) -> u64 {
                let $value = self;
                $put
            }
        })*
    };
}

raw! {
    f16 F16 |bits| f16::from_bits(bits as u16), |x| x.to_bits().into();
    bf16 Bf16 |bits| bf16::from_bits(bits as u16), |x| x.to_bits().into();
    f32 F32 |bits| f32::from_bits(bits as u32), |x| x.to_bits().into();
    f64 F64 |bits| f64::from_bits(bits), |x| x.to_bits();
    E8M0 E8m0 |bits| E8M0::from_bits(bits as u8), |x| x.to_bits().into();
    E5M2 E5m2 |bits| E5M2::from_bits(bits as u8), |x| x.to_bits().into();
    E4M3FN E4m3fn |bits| E4M3FN::from_bits(bits as u8), |x| x.to_bits().into();
    E5M2FNUZ E5m2fnuz |bits| E5M2FNUZ::from_bits(bits as u8), |x| x.to_bits().into();
    E4M3FNUZ E4m3fnuz |bits| E4M3FNUZ::from_bits(bits as u8), |x| x.to_bits().into();
    E2M3 E2m3 |bits| E2M3::from_bits(bits as u8), |x| x.to_bits().into();
    E3M2 E3m2 |bits| E3M2::from_bits(bits as u8), |x| x.to_bits().into();
    MxInt8 Mxint8 |bits| MxInt8::from_bits(bits as u8), |x| x.to_bits().into();
    E2M1 E2m1 |bits| E2M1::from_bits(bits as u8), |x| x.to_bits().into();
    i8 I8 |bits| bits as i8, |n| (n as u8).into();
    i16 I16 |bits| bits as i16, |n| (n as u16).into();
    i32 I32 |bits| bits as i32, |n| (n as u32).into();
    i64 I64 |bits| bits as i64, |n| n as u64;
    u8 U8 |bits| bits as u8, |n| n.into();
    u16 U16 |bits| bits as u16, |n| n.into();
    u32 U32 |bits| bits as u32, |n| n.into();
    u64 U64 |bits| bits, |n| n;
    bool Bool |bits| bits & 1 != 0, |holds| holds.into();
    Class Class |bits| class(bits), |class| class as u64;
}

/// A class by its number; any other is the last one.
fn class(bits: u64) -> Class {
    let all = [
        Class::SignalingNan,
        Class::QuietNan,
        Class::NegativeInfinity,
        Class::NegativeNormal,
        Class::NegativeSubnormal,
        Class::NegativeZero,
        Class::PositiveZero,
        Class::PositiveSubnormal,
        Class::PositiveNormal,
        Class::PositiveInfinity,
    ];
    all[(bits as usize).min(all.len() - 1)]
}

/// One result or two.
trait Results {
    const TYS: &'static [Ty];
    fn put(self) -> [u64; 2];
}

impl<T: Raw> Results for T {
    const TYS: &'static [Ty] = &[T::TY];
    fn put(self) -> [u64; 2] {
        [Raw::put(self), 0]
    }
}

impl<T: Raw, U: Raw> Results for (T, U) {
    const TYS: &'static [Ty] = &[T::TY, U::TY];
    fn put(self) -> [u64; 2] {
        [self.0.put(), self.1.put()]
    }
}

/// Runs a kernel over a batch, in the modes that are its: each with its place among an input's
/// outputs.
///
/// The modes go innermost. What a kernel computes before it rounds does not depend on the mode, so
/// the compiler may move it out of that loop, and the processor takes the same branches again.
fn batch<R: Results, M: Copy>(
    modes: &[(usize, M)],
    operands: &[Operands],
    outputs: &mut [Output],
    kernel: impl Fn(&Operands, M) -> (R, Status),
) {
    if operands.is_empty() {
        return;
    }
    let width = outputs.len() / operands.len();
    assert_eq!(operands.len() * width, outputs.len());
    for (operands, outputs) in operands.iter().zip(outputs.chunks_exact_mut(width)) {
        for (at, mode) in modes {
            let (results, status) = kernel(operands, *mode);
            outputs[*at] = Output {
                results: results.put(),
                flags: status.bits(),
            };
        }
    }
}

/// Calls a function with a row's operands, typed, and with what else it takes.
macro_rules! call {
    (|$mode:pat_param| $path:path, ($a:ident) $($more:expr),*) => {
        |o: &Operands, $mode| $path($a::get(o[0]) $(, $more)*)
    };
    (|$mode:pat_param| $path:path, ($a:ident, $b:ident) $($more:expr),*) => {
        |o: &Operands, $mode| $path($a::get(o[0]), $b::get(o[1]) $(, $more)*)
    };
    (|$mode:pat_param| $path:path, ($a:ident, $b:ident, $c:ident) $($more:expr),*) => {
        |o: &Operands, $mode| $path($a::get(o[0]), $b::get(o[1]), $c::get(o[2]) $(, $more)*)
    };
}

/// The places of a row that takes no mode.
fn places(args: &[Args]) -> Vec<(usize, ())> {
    (0..args.len()).map(|at| (at, ())).collect()
}

/// The modes of a row that takes no other.
fn modes(args: &[Args]) -> Vec<(usize, Mode)> {
    let modes = fixed(args);
    assert_eq!(
        modes.len(),
        args.len(),
        "a stochastic rounding for a row that has none"
    );
    modes
}

/// The modes with a fixed rounding.
fn fixed(args: &[Args]) -> Vec<(usize, Mode)> {
    let fixed = args
        .iter()
        .enumerate()
        .filter_map(|(at, args)| match args.rounding {
            RoundingArg::Fixed(rounding) => Some((at, Mode::new(rounding, args.overflow))),
            RoundingArg::Stochastic(_) => None,
        });
    fixed.collect()
}

/// The modes with a stochastic one.
fn stochastic(args: &[Args]) -> Vec<(usize, (u16, Overflow))> {
    let random = args
        .iter()
        .enumerate()
        .filter_map(|(at, args)| match args.rounding {
            RoundingArg::Fixed(_) => None,
            RoundingArg::Stochastic(random) => Some((at, (random, args.overflow))),
        });
    random.collect()
}

pub(crate) fn policy(args: &Args) -> &'static ScalePolicy {
    match args.params[0] {
        Value::Choice(index) => &PRESETS[index].1,
        Value::Bits(..) => panic!("a number for a policy"),
    }
}

pub(crate) fn nan(args: &Args) -> NanGradient {
    match args.params.last() {
        Some(Value::Choice(index)) => {
            [NanGradient::Pass, NanGradient::Zero, NanGradient::Propagate][*index]
        }
        other => panic!("{other:?} for a NaN rule"),
    }
}

pub(crate) fn bounds<B: Format + Raw>(args: &Args) -> Bounds<B> {
    checked_bounds(args).expect("bounds that the check let by")
}

fn checked_bounds<B: Format + Raw>(args: &Args) -> Result<Bounds<B>, Box<dyn Error>> {
    match args.params[1..3] {
        [Value::Bits(_, min), Value::Bits(_, max)] => Ok(Bounds::new(B::get(min), B::get(max))?),
        ref other => panic!("{other:?} for bounds"),
    }
}

/// The first parameters, f32 numbers.
pub(crate) fn singles<const N: usize>(args: &Args) -> [f32; N] {
    std::array::from_fn(|k| match args.params[k] {
        Value::Bits(Ty::F32, bits) => f32::get(bits),
        ref other => panic!("{other:?} for an f32"),
    })
}

/// At each choice of the parameter `bound`, the same body with `$b` the bounds' type.
macro_rules! at_bound {
    ($args:expr, $b:ident => $body:expr) => {
        match $args.params[0] {
            $crate::row::Value::Choice(0) => {
                type $b = f32;
                $body
            }
            $crate::row::Value::Choice(1) => {
                type $b = f64;
                $body
            }
            $crate::row::Value::Choice(2) => {
                type $b = f16;
                $body
            }
            _ => {
                type $b = bf16;
                $body
            }
        }
    };
}
#[cfg(feature = "slices")]
pub(crate) use at_bound;

const BOUND: ParamSpec = ParamSpec {
    name: "bound",
    kind: ParamKind::Choice(&["f32", "f64", "f16", "bf16"]),
    default: "f32",
    doc: "the precision of min and max, at which x meets them",
};
const MIN: ParamSpec = ParamSpec {
    name: "min",
    kind: ParamKind::RealIn("bound"),
    default: "-1",
    doc: "the lower bound",
};
const MAX: ParamSpec = ParamSpec {
    name: "max",
    kind: ParamKind::RealIn("bound"),
    default: "1",
    doc: "the upper bound",
};
const NAN: ParamSpec = ParamSpec {
    name: "nan",
    kind: ParamKind::Choice(&["pass", "zero", "propagate"]),
    default: "pass",
    doc: "what a NaN x gives",
};
/// What an f32 parameter of this name is.
const fn parameter(name: &'static str) -> ParamSpec {
    let (default, doc) = match name.as_bytes() {
        b"alpha" => ("1", "the scale of the negative part"),
        b"beta" => ("1", "the slope's steepness"),
        b"threshold" => ("20", "above it x is kept"),
        b"value" => ("0", "what replaces the rest"),
        b"negative_slope" => ("0.01", "the factor of the negative part"),
        b"lambd" => ("0.5", "half the width of the band around 0"),
        _ => panic!("a parameter that has no description"),
    };
    ParamSpec {
        name,
        kind: ParamKind::Real(Ty::F32),
        default,
        doc,
    }
}

const POLICY: ParamSpec = ParamSpec {
    name: "policy",
    kind: ParamKind::Choice(&POLICY_NAMES),
    default: "",
    doc: "the E8M0 policy or dialect",
};

/// The names of `PRESETS`, in its order.
pub const POLICY_NAMES: [&str; PRESETS.len()] = {
    let mut names = [""; PRESETS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = PRESETS[index].0;
        index += 1;
    }
    names
};

/// What a kind of arguments means for a row: (rounding, overflow rule, stochastic, parameters).
macro_rules! arguments {
    (exact) => {
        (false, false, false, &[])
    };
    (silent) => {
        (false, false, false, &[])
    };
    (mode) => {
        (true, true, false, &[])
    };
    (stochastic) => {
        (true, true, true, &[])
    };
    (policy) => {
        (false, false, false, &[POLICY])
    };
    (bounds) => {
        (true, true, false, &[BOUND, MIN, MAX])
    };
    (bounds_nan) => {
        (false, false, false, &[BOUND, MIN, MAX, NAN])
    };
    (nan) => {
        (false, false, false, &[NAN])
    };
    (nan_mode) => {
        (true, true, false, &[NAN])
    };
    (with ([$($p:ident)*] $checks:tt $arguments:tt exact)) => {
        (false, false, false, const { &[$(parameter(stringify!($p))),*] })
    };
    (with ([$($p:ident)*] $checks:tt $arguments:tt mode)) => {
        (true, true, false, const { &[$(parameter(stringify!($p))),*] })
    };
    (with ([$($p:ident)*] $checks:tt $arguments:tt nan)) => {
        (false, false, false, const { &[$(parameter(stringify!($p)),)* NAN] })
    };
    (with ([$($p:ident)*] $checks:tt $arguments:tt nan_mode)) => {
        (true, true, false, const { &[$(parameter(stringify!($p)),)* NAN] })
    };
}

/// Whether a row's parameters are such as its kernel takes: beside their number and formats.
macro_rules! accepts {
    ($operands:tt $result:tt bounds $($rest:tt)*) => {
        |args| at_bound!(args, B => checked_bounds::<B>(args).map(drop))
    };
    ($operands:tt $result:tt bounds_nan $($rest:tt)*) => {
        |args| at_bound!(args, B => checked_bounds::<B>(args).map(drop))
    };
    (
        $operands:tt $result:tt
        with ([$($p:ident)*] {$($check:tt)*} ($($argument:ident)*) $kind:ident) $path:path
    ) => {
        |args| {
            let [$($p),*] = singles(args);
            $($check)*
            let _ = ($($argument,)*);
            Ok(())
        }
    };
    ($($rest:tt)*) => {
        |_| Ok(())
    };
}

/// The rest of a batch with parameters, by the kind of its other arguments.
macro_rules! with {
    (exact $args:ident, $o:ident, $out:ident $operands:tt $result:tt $path:path, $($more:ident),*) => {
        batch::<$result, _>(&places($args), $o, $out, call!(|()| $path, $operands $($more),*))
    };
    (mode $args:ident, $o:ident, $out:ident $operands:tt $result:tt $path:path, $($more:ident),*) => {
        batch::<$result, _>(&modes($args), $o, $out, call!(|mode| $path, $operands $($more,)* mode))
    };
    (nan $args:ident, $o:ident, $out:ident $operands:tt $result:tt $path:path, $($more:ident),*) => {{
        let nan = nan(&$args[0]);
        with!(exact $args, $o, $out $operands $result $path, $($more,)* nan)
    }};
    (nan_mode $args:ident, $o:ident, $out:ident $operands:tt $result:tt $path:path, $($more:ident),*) => {{
        let nan = nan(&$args[0]);
        with!(mode $args, $o, $out $operands $result $path, $($more,)* nan)
    }};
}

/// The function that runs a batch.
macro_rules! run {
    ($operands:tt $result:tt exact $path:path) => {
        |args, o, out| with!(exact args, o, out $operands $result $path,)
    };
    ($operands:tt $result:tt silent $path:path) => {
        |args, o, out| {
            let kernel = call!(|()| $path, $operands);
            batch::<$result, _>(&places(args), o, out, |o, mode| (kernel(o, mode), Status::NONE))
        }
    };
    ($operands:tt $result:tt mode $path:path) => {
        |args, o, out| with!(mode args, o, out $operands $result $path,)
    };
    ($operands:tt $result:tt stochastic $path:path, $stochastic:path) => {
        |args, o, out| {
            batch::<$result, _>(&fixed(args), o, out, call!(|mode| $path, $operands mode));
            let kernel = call!(|(random, overflow)| $stochastic, $operands random, overflow);
            batch::<$result, _>(&stochastic(args), o, out, kernel)
        }
    };
    ($operands:tt $result:tt policy $path:path) => {
        |args, o, out| {
            let policy = policy(&args[0]);
            with!(exact args, o, out $operands $result $path, policy)
        }
    };
    ($operands:tt $result:tt bounds $path:path) => {
        |args, o, out| {
            at_bound!(args[0], B => {
                let bounds = bounds::<B>(&args[0]);
                with!(mode args, o, out $operands $result $path, bounds)
            })
        }
    };
    ($operands:tt $result:tt bounds_nan $path:path) => {
        |args, o, out| {
            at_bound!(args[0], B => {
                let bounds = bounds::<B>(&args[0]);
                with!(nan args, o, out $operands $result $path, bounds)
            })
        }
    };
    ($operands:tt $result:tt nan $path:path) => {
        |args, o, out| with!(nan args, o, out $operands $result $path,)
    };
    ($operands:tt $result:tt nan_mode $path:path) => {
        |args, o, out| with!(nan_mode args, o, out $operands $result $path,)
    };
    (
        $operands:tt $result:tt
        with ([$($p:ident)*] {$($check:tt)*} ($($argument:ident)*) $kind:ident) $path:path
    ) => {
        |args, o, out| {
            let arguments = || -> Result<_, Box<dyn Error>> {
                let [$($p),*] = singles(&args[0]);
                $($check)*
                Ok(($($argument,)*))
            };
            let ($($argument,)*) = arguments().expect("parameters that the check let by");
            with!($kind args, o, out $operands $result $path, $($argument),*)
        }
    };
}

fn build() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    macro_rules! row {
        (
            $kernel:ident [$($suffix:ident)*] ($($operand:ident),*) -> $result:tt;
            $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal
        ) => {{
            let (takes_rounding, takes_overflow, has_stochastic, params) =
                arguments!($kind $(($($with)*))?);
            rows.push(Row {
                name: concat!(stringify!($kernel) $(, ".", stringify!($suffix))*),
                op: stringify!($kernel),
                operands: &[$(<$operand as Raw>::TY),*],
                results: <$result as Results>::TYS,
                takes_rounding,
                takes_overflow,
                has_stochastic,
                params,
                doc: $doc,
                accepts: accepts!(
                    ($($operand),*) $result $kind $(($($with)*))? $path $(, $stochastic)?
                ),
                run: run!(
                    ($($operand),*) $result $kind $(($($with)*))? $path $(, $stochastic)?
                ),
            });
        }};
    }
    bitexact::for_each_kernel!(row);
    rows
}
