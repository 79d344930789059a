//! A kernel's own parameters: read from text, checked, and the settings that a sweep goes through.
//!
//! A sweep without `--param` runs every combination of the choices; where a row has the bounds
//! `min` and `max`, each combination with every pair of [`bounds`].

use crate::number;
use crate::oracle::ParamValue;
use crate::row::{ParamKind, ParamSpec, Row, Ty, Value};

/// One value for every parameter of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting(pub Vec<Value>);

impl Setting {
    /// `bound=f32,min=0xBF800000,max=0x3F800000`, or `-` for a row without parameters: each part
    /// is what `--param` takes.
    #[must_use]
    pub fn label(&self, row: &Row) -> String {
        if self.0.is_empty() {
            return "-".into();
        }
        let parts: Vec<_> = self
            .parts(row)
            .map(|(name, text)| format!("{name}={text}"))
            .collect();
        parts.join(",")
    }

    /// Each parameter's name and its value's exact spelling.
    pub fn parts<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'static str, String)> + 'a {
        row.params.iter().zip(&self.0).map(|(spec, value)| {
            let text = match value {
                Value::Choice(index) => choice_name(spec, *index).to_owned(),
                Value::Bits(ty, bits) => format!("0x{}", number::hex(*ty, *bits)),
            };
            (spec.name, text)
        })
    }

    /// The same for the oracle.
    #[must_use]
    pub fn for_oracle(&self, row: &Row) -> Vec<(&'static str, ParamValue<'static>)> {
        let values = row.params.iter().zip(&self.0);
        values
            .map(|(spec, value)| match value {
                Value::Choice(index) => (spec.name, ParamValue::Name(choice_name(spec, *index))),
                Value::Bits(ty, bits) => (spec.name, ParamValue::Bits(*ty, *bits)),
            })
            .collect()
    }
}

fn choices(spec: &ParamSpec) -> &'static [&'static str] {
    match spec.kind {
        ParamKind::Choice(names) => names,
        _ => &[],
    }
}

fn choice_name(spec: &ParamSpec, index: usize) -> &'static str {
    choices(spec).get(index).copied().unwrap_or("?")
}

/// The setting that `given` names, with the defaults for the rest.
///
/// # Errors
///
/// Which name or value is wrong, and what would be right.
pub fn parse(row: &Row, given: &[(String, String)]) -> Result<Setting, String> {
    for (at, (name, _)) in given.iter().enumerate() {
        if !row.params.iter().any(|spec| spec.name == name) {
            let known: Vec<_> = row.params.iter().map(|spec| spec.name).collect();
            return Err(if known.is_empty() {
                format!("{} takes no parameters, so not `{name}`", row.name)
            } else {
                format!(
                    "{} has no parameter `{name}`; it has: {}",
                    row.name,
                    known.join(", ")
                )
            });
        }
        if given[..at].iter().any(|(earlier, _)| earlier == name) {
            return Err(format!("the parameter `{name}` is given twice"));
        }
    }
    let spelled = |spec: &ParamSpec| -> Result<String, String> {
        match given.iter().find(|(name, _)| name == spec.name) {
            Some((_, text)) => Ok(text.clone()),
            None if spec.default.is_empty() => Err(format!(
                "{} needs {}; one of: {}",
                row.name,
                if spec.name == "policy" {
                    "`--policy NAME`".into()
                } else {
                    format!("`--param {}=VALUE`", spec.name)
                },
                choices(spec).join(", ")
            )),
            None => Ok(spec.default.to_owned()),
        }
    };
    let mut values = Vec::new();
    for spec in row.params {
        let text = spelled(spec)?;
        values.push(match spec.kind {
            ParamKind::Choice(names) => match names.iter().position(|name| *name == text) {
                Some(index) => Value::Choice(index),
                None => {
                    return Err(format!(
                        "`{text}` is no `{}` of {}{}; one of: {}",
                        spec.name,
                        row.name,
                        crate::names::did_you_mean(&text, names.iter().copied()),
                        names.join(", ")
                    ));
                }
            },
            ParamKind::Real(ty) => real(spec, &text, ty)?,
            ParamKind::RealIn(by) => {
                let format = row.params.iter().find(|other| other.name == by);
                let name = format.map(spelled).transpose()?.unwrap_or_default();
                let ty = Ty::from_name(&name)
                    .ok_or_else(|| format!("`{name}` is no `{by}` of {}", row.name))?;
                real(spec, &text, ty)?
            }
        });
    }
    let setting = Setting(values);
    check_bounds(row, &setting)?;
    Ok(setting)
}

fn real(spec: &ParamSpec, text: &str, ty: Ty) -> Result<Value, String> {
    number::parse(text, ty)
        .map(|bits| Value::Bits(ty, bits))
        .map_err(|rejected| format!("the parameter `{}`: {}", spec.name, rejected.0))
}

fn bits(row: &Row, setting: &Setting, name: &str) -> Option<(Ty, u64)> {
    let at = row.params.iter().position(|spec| spec.name == name)?;
    match setting.0.get(at)? {
        Value::Bits(ty, bits) => Some((*ty, *bits)),
        Value::Choice(_) => None,
    }
}

/// `min` and `max` must be numbers in order: the kernel's contract has no other case.
fn check_bounds(row: &Row, setting: &Setting) -> Result<(), String> {
    let (Some((ty, min)), Some((_, max))) = (bits(row, setting, "min"), bits(row, setting, "max"))
    else {
        return Ok(());
    };
    for (name, value) in [("min", min), ("max", max)] {
        if number::is_nan(ty, value) {
            return Err(format!(
                "the parameter `{name}` of {} must not be NaN",
                row.name
            ));
        }
    }
    if order(ty, min) > order(ty, max) {
        return Err(format!(
            "the parameter `min` of {} ({}) is above `max` ({})",
            row.name,
            number::value(ty, min),
            number::value(ty, max)
        ));
    }
    Ok(())
}

/// A float's bits as an integer in the order of their values; both zeros are 0.
fn order(ty: Ty, bits: u64) -> i128 {
    let Some(float) = number::float(ty) else {
        return i128::from(bits);
    };
    let magnitude = i128::from(bits & float.magnitude_mask());
    if bits & float.sign_bit() != 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// The bounds that a sweep tries in each format: `[-1, 1]`, `[-0.7, 0.7]`, `[0, 6]`, all numbers,
/// a single point, the smallest subnormals, subnormal to normal, the largest numbers, and half a
/// line.
#[must_use]
pub fn bounds(ty: Ty) -> Vec<(u64, u64)> {
    let Some(float) = number::float(ty) else {
        return Vec::new();
    };
    let sign = float.sign_bit();
    let at = |text: &str| number::parse(text, ty).unwrap_or_default();
    let (one, seven, infinity) = (at("1"), at("0.7"), at("inf"));
    vec![
        (sign | one, one),
        (sign | seven, seven),
        (at("0"), at("6")),
        (sign | infinity, infinity),
        (at("0.5"), at("0.5")),
        (sign | 1, 1),
        (float.min_normal() - 1, float.min_normal()),
        (sign | float.max, float.max),
        (sign | infinity, at("0.1")),
    ]
}

/// Every setting that a sweep goes through.
#[must_use]
pub fn stated(row: &Row) -> Vec<Setting> {
    let mut combinations = vec![Vec::new()];
    for spec in row.params {
        let names = choices(spec);
        if names.is_empty() {
            continue;
        }
        combinations = combinations
            .into_iter()
            .flat_map(|chosen| {
                names.iter().map(move |name| {
                    let mut chosen = chosen.clone();
                    chosen.push((spec.name.to_owned(), (*name).to_owned()));
                    chosen
                })
            })
            .collect();
    }
    combinations
        .into_iter()
        .flat_map(|chosen| with_bounds(row, &chosen))
        .collect()
}

fn with_bounds(row: &Row, chosen: &[(String, String)]) -> Vec<Setting> {
    let Ok(plain) = parse(row, chosen) else {
        return Vec::new();
    };
    let (Some((ty, _)), Some(_)) = (bits(row, &plain, "min"), bits(row, &plain, "max")) else {
        return vec![plain];
    };
    let spelled = |bits: u64| format!("0x{}", number::hex(ty, bits));
    bounds(ty)
        .into_iter()
        .filter_map(|(min, max)| {
            let mut given = chosen.to_vec();
            given.push(("min".into(), spelled(min)));
            given.push(("max".into(), spelled(max)));
            parse(row, &given).ok()
        })
        .collect()
}
