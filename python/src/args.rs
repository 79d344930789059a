//! Roundings, overflow rules, policies and parameters as the command line spells them.

use crate::p3109;
use bitexact::activation::NanGradient;
use bitexact::catalog::{Form, encode_mode, encode_nan, encode_policy};
use bitexact::convert::convert;
use bitexact::scale::{
    BelowMinimum, E8M0, Negative, OverflowTest, PRESETS, ScalePolicy, ScaleRounding,
};
use bitexact::{Mode, Overflow, Rounding, bf16, f16};
use bitexact_rows::{Held, Row, Ty};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyString, PyTuple};

pub const ROUNDINGS: [(&str, Rounding); 6] = [
    ("ties-to-even", Rounding::TiesToEven),
    ("ties-to-away", Rounding::TiesToAway),
    ("toward-zero", Rounding::TowardZero),
    ("toward-positive", Rounding::TowardPositive),
    ("toward-negative", Rounding::TowardNegative),
    ("to-odd", Rounding::ToOdd),
];
pub const OVERFLOWS: [(&str, Overflow); 3] = [
    ("ieee", Overflow::Ieee),
    ("saturate-finite", Overflow::SaturateFinite),
    ("saturate-all", Overflow::SaturateAll),
];
pub const NANS: [(&str, NanGradient); 3] = [
    ("pass", NanGradient::Pass),
    ("zero", NanGradient::Zero),
    ("propagate", NanGradient::Propagate),
];
const SCALE_ROUNDINGS: [(&str, ScaleRounding); 6] = [
    ("floor", ScaleRounding::Floor),
    ("ceil", ScaleRounding::Ceil),
    ("ceil-field", ScaleRounding::CeilField),
    ("nearest-ties-up", ScaleRounding::NearestTiesUp),
    ("nearest-ties-up-quirk", ScaleRounding::NearestTiesUpQuirk),
    ("nearest-even-code", ScaleRounding::NearestEvenCode),
];
const OVERFLOW_TESTS: [(&str, OverflowTest); 2] = [
    ("after-rounding", OverflowTest::AfterRounding),
    ("before-rounding", OverflowTest::BeforeRounding),
];

/// The value that a name stands for.
pub fn named<T: Copy>(what: &str, value: &Bound<'_, PyAny>, names: &[(&str, T)]) -> PyResult<T> {
    let Ok(text) = value.cast::<PyString>() else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{what} must be a str, not {kind}: {}",
            value.repr()?
        )));
    };
    let text = text.to_str()?;
    let found = names.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        PyValueError::new_err(format!(
            "{what} must be one of {}, not {text:?}",
            known.join(", ")
        ))
    })
}

fn code(what: &str, value: &Bound<'_, PyAny>) -> PyResult<E8M0> {
    let code = value.extract::<u8>();
    code.map(E8M0::from_bits).map_err(|_| {
        PyTypeError::new_err(format!("{what} must be a code from 0 to 255, not {value}"))
    })
}

/// A named policy, or the fields of one.
pub fn policy(value: &Bound<'_, PyAny>) -> PyResult<ScalePolicy> {
    let Ok(fields) = value.cast::<PyTuple>() else {
        return named("policy", value, PRESETS);
    };
    if fields.len() != 8 {
        let count = fields.len();
        return Err(PyTypeError::new_err(format!(
            "policy must be a name or a ScalePolicy, not a tuple of {count}"
        )));
    }
    let field = |at: usize| fields.get_item(at);
    Ok(ScalePolicy {
        rounding: named("policy.rounding", &field(0)?, &SCALE_ROUNDINGS)?,
        overflow: code("policy.overflow", &field(1)?)?,
        overflow_test: named("policy.overflow_test", &field(2)?, &OVERFLOW_TESTS)?,
        infinity: code("policy.infinity", &field(3)?)?,
        nan: code("policy.nan", &field(4)?)?,
        zero: code("policy.zero", &field(5)?)?,
        below_minimum: match field(6)?.extract::<&str>() {
            Ok("clamp") => BelowMinimum::Clamp,
            _ => BelowMinimum::Code(code("policy.below_minimum", &field(6)?)?),
        },
        negative: match field(7)?.extract::<&str>() {
            Ok("magnitude") => Negative::Magnitude,
            _ => Negative::Code(code("policy.negative", &field(7)?)?),
        },
    })
}

/// A number in a format: the nearest to a Python number, or what bytes hold.
fn number(what: &str, value: &Bound<'_, PyAny>, ty: Ty) -> PyResult<u64> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        let mut bits = [0; 8];
        for (to, byte) in bits.iter_mut().zip(bytes.as_bytes()) {
            *to = *byte;
        }
        return Ok(u64::from_le_bytes(bits));
    }
    if !value.is_exact_instance_of::<PyFloat>() && !value.is_exact_instance_of::<PyInt>() {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{what} must be a number, not {kind}: {}",
            value.repr()?
        )));
    }
    let value: f64 = value.extract()?;
    let even = Mode::TIES_TO_EVEN;
    Ok(match ty {
        Ty::F64 => value.to_bits(),
        Ty::F16 => convert::<f64, f16>(value, even).to_bits().into(),
        Ty::Bf16 => convert::<f64, bf16>(value, even).to_bits().into(),
        _ => convert::<f64, f32>(value, even).to_bits().into(),
    })
}

/// What `rounding=` and `overflow=` mean.
pub fn mode(rounding: &Bound<'_, PyAny>, overflow: Option<&Bound<'_, PyAny>>) -> PyResult<Mode> {
    let rounding = named("rounding", rounding, &ROUNDINGS)?;
    Ok(Mode::new(rounding, overflow_rule(overflow)?))
}

/// What `overflow=` means: IEEE 754's rule unless it says another.
pub fn overflow_rule(overflow: Option<&Bound<'_, PyAny>>) -> PyResult<Overflow> {
    match overflow {
        Some(overflow) => named("overflow", overflow, &OVERFLOWS),
        None => Ok(Overflow::Ieee),
    }
}

/// What Python calls the arguments of a row, in their order: `rounding`, `stochastic`, and its
/// parameters, of which `bound` says the format where there are several.
pub fn takes(row: &Row) -> Vec<&'static str> {
    let Some(form) = row.forms.first() else {
        return Vec::new();
    };
    let words = form.words.iter().map(|word| word.name);
    let mut all = Vec::new();
    all.extend(
        words
            .clone()
            .any(|name| name == "mode")
            .then_some("rounding"),
    );
    all.extend(row.stochastic.map(|_| "stochastic"));
    all.extend((row.forms.len() > 1).then_some("bound"));
    all.extend(words.filter(|name| *name != "mode"));
    all
}

/// Which form of a row, and its arguments, from its parameters in the order of [`takes`].
pub fn arguments(
    row: &Row,
    mode: Mode,
    given: Option<&Bound<'_, PyTuple>>,
) -> PyResult<(usize, [u64; 4])> {
    let mut left = given.into_iter().flat_map(|given| given.iter());
    let mut next = |name: &str| {
        left.next()
            .ok_or_else(|| PyTypeError::new_err(format!("{} needs {name}=", row.kernel)))
    };
    let mut form = 0;
    if row.forms.len() > 1 {
        let bounds = |form: &Form| form.words[0].ty.dtype();
        let names: Vec<_> = row.forms.iter().map(bounds).zip(0..).collect();
        form = named("bound", &next("bound")?, &names)?;
    }
    let mut words = [0; 4];
    if row.forms[form]
        .words
        .iter()
        .any(|word| word.name == "formats")
    {
        let text = |value: Bound<'_, PyAny>, what: &str| {
            let kind = value.get_type().name()?;
            let text = value.cast::<PyString>();
            let text = text
                .map_err(|_| PyTypeError::new_err(format!("{what} must be a str, not {kind}")))?;
            Ok::<_, PyErr>(text.to_str()?.to_owned())
        };
        let formats = text(next("formats")?, "formats")?;
        if row.forms[form].words.len() == 1 {
            words[0] = p3109::operand_formats(row.operands.len(), &formats)?.to_word();
            return Ok((form, words));
        }
        let projection = text(next("projection")?, "projection")?;
        let known = p3109::specialisation(row.operands.len(), &formats, &projection)?;
        // Functions do not take all formats.
        words = (row.forms[form].pack)(&known.to_words())
            .map_err(|why| PyValueError::new_err(why.to_string()))?;
        return Ok((form, words));
    }
    for (to, word) in words.iter_mut().zip(row.forms[form].words) {
        *to = match word.name {
            "mode" => encode_mode(mode).into(),
            "nan" => encode_nan(named("nan", &next("nan")?, &NANS)?).into(),
            "policy" => encode_policy(&policy(&next("policy")?)?),
            name => number(name, &next(name)?, word.ty)?,
        };
    }
    Ok((form, words))
}
