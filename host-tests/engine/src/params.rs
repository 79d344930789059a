//! A kernel's parameters: parsed from text, checked, and the settings that a sweep runs.
//!
//! A sweep without `--param` runs every combination of the choices; if a row also has numbers, each
//! combination with every tuple of `numbers`. P3109's formats and projections are `p3109::stated`.

use oracles::ParamValue;
use sweep_inputs::{Overflow, Rounding};
use sweep_row::number;
use sweep_row::p3109::{self, Projection};
use sweep_row::{Args, ParamKind, ParamSpec, RoundingArg, Row, Ty, Value};

/// One value for every parameter of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting(pub Vec<Value>);

impl Setting {
    /// `bound=f32,min=0xBF800000,max=0x3F800000`, or `-` for a row without parameters: `--param`
    /// takes it, whole or in parts.
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
            let text = match (value, spec.kind) {
                (Value::Choice(index), _) => choice_name(spec, *index).to_owned(),
                (Value::Bits(_, bits), ParamKind::Formats { operands, .. }) => {
                    p3109::formats_text(*bits, operands)
                }
                (Value::Bits(_, bits), ParamKind::Projection) => Projection::of_number(*bits)
                    .map_or_else(|| "?".into(), |known| known.to_string()),
                (Value::Bits(ty, bits), _) => format!("0x{}", number::hex(*ty, *bits)),
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

/// The setting that `given` names, with the defaults for all other parameters.
///
/// # Errors
///
/// The name or value that is wrong, and the valid ones.
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
            None if spec.default.is_empty() => Err(match spec.kind {
                ParamKind::Formats { operands, rounded } => {
                    let example = vec!["Binary8p4se"; operands + usize::from(rounded)].join(":");
                    format!("{} needs `--param formats={example}`, or others", row.name)
                }
                ParamKind::Projection => format!(
                    "{} needs `--param projection=NearestTiesToEven:SatNone`, or another",
                    row.name
                ),
                _ => format!(
                    "{} needs {}; one of: {}",
                    row.name,
                    if spec.name == "policy" {
                        "`--policy NAME`".into()
                    } else {
                        format!("`--param {}=VALUE`", spec.name)
                    },
                    choices(spec).join(", ")
                ),
            }),
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
                        sweep_row::names::did_you_mean(&text, names.iter().copied()),
                        names.join(", ")
                    ));
                }
            },
            ParamKind::Real(ty) => real(spec, &text, ty)?,
            ParamKind::Formats { operands, rounded } => {
                Value::Bits(Ty::U64, p3109::parse_formats(&text, operands, rounded)?)
            }
            ParamKind::Projection => Value::Bits(Ty::U64, Projection::parse(&text)?),
            ParamKind::RealIn(by) => {
                let format = row.params.iter().find(|other| other.name == by);
                let name = format.map(spelled).transpose()?.unwrap_or_default();
                let ty = Ty::from_name(&name)
                    .ok_or_else(|| format!("`{name}` is no `{by}` of {}", row.name))?;
                real(spec, &text, ty)?
            }
        });
    }
    let args = Args {
        rounding: RoundingArg::Fixed(Rounding::TiesToEven),
        overflow: Overflow::Ieee,
        params: values,
    };
    (row.accepts)(&args).map_err(|error| {
        let numbers = row.params.iter().zip(&args.params);
        let spelled = numbers.filter_map(|(spec, value)| match (value, spec.kind) {
            // The error names the format.
            (_, ParamKind::Formats { .. } | ParamKind::Projection) | (Value::Choice(_), _) => None,
            (Value::Bits(ty, bits), _) => {
                Some(format!("`{}` ({})", spec.name, number::value(*ty, *bits)))
            }
        });
        let spelled: Vec<_> = spelled.collect();
        match spelled[..] {
            [] => format!("{} does not take {error}", row.name),
            _ => format!("{} of {}: {error}", spelled.join(" and "), row.name),
        }
    })?;
    Ok(Setting(args.params))
}

/// Whether a projection says how the row rounds.
#[must_use]
pub fn projects(row: &Row) -> bool {
    let projection = |spec: &ParamSpec| spec.kind == ParamKind::Projection;
    row.params.iter().any(projection)
}

/// Whether operands are P3109's codes, of formats that are a parameter.
#[must_use]
pub fn takes_formats(row: &Row) -> bool {
    let formats = |spec: &ParamSpec| matches!(spec.kind, ParamKind::Formats { .. });
    row.params.iter().any(formats)
}

/// The formats of the operands of an operation of P3109.
fn operand_formats(row: &Row, params: &[Value]) -> Vec<p3109::Format> {
    let mut given = row.params.iter().zip(params);
    let found = given.find_map(|(spec, value)| match (spec.kind, value) {
        (ParamKind::Formats { operands, .. }, Value::Bits(_, bits)) => {
            p3109::formats(*bits, operands)
        }
        _ => None,
    });
    found.map_or(Vec::new(), |(operands, _)| operands)
}

/// Checks that operands of P3109 are codes of their formats: the kernels ignore higher bits, a user
/// believes in them.
///
/// # Errors
///
/// The code and the format.
pub fn codes(row: &Row, params: &[Value], operands: &[u64]) -> Result<(), String> {
    for (format, bits) in operand_formats(row, params).into_iter().zip(operands) {
        if bits >> format.bits != 0 {
            return Err(format!(
                "{bits:X} is no code of {format}, whose codes have {} bits",
                format.bits
            ));
        }
    }
    Ok(())
}

fn real(spec: &ParamSpec, text: &str, ty: Ty) -> Result<Value, String> {
    number::parse(text, ty)
        .map(|bits| Value::Bits(ty, bits))
        .map_err(|rejected| format!("the parameter `{}`: {}", spec.name, rejected.0))
}

/// The tuples that a sweep runs for a row's numbers, all in one format: for bounds `[-1, 1]`,
/// `[-0.7, 0.7]`, `[0, 6]`, all numbers, a single point, the smallest subnormals, subnormal to
/// normal, the largest numbers, and half a line; for other parameters ordinary values, each sign
/// and zero, the ends of the subnormals, the normals and the infinities, and NaNs. Tuples that the
/// kernel rejects are omitted.
fn numbers(names: &[&str], ty: Ty) -> Vec<Vec<u64>> {
    let Some(float) = number::float(ty) else {
        return Vec::new();
    };
    let sign = float.sign_bit();
    let at = |text: &str| number::parse(text, ty).unwrap_or_default();
    let infinity = at("inf");
    let quiet = infinity | 1 << (float.precision - 2);
    let signalling = infinity | 1;
    match names {
        ["min", "max"] => {
            let (one, seven) = (at("1"), at("0.7"));
            vec![
                vec![sign | one, one],
                vec![sign | seven, seven],
                vec![at("0"), at("6")],
                vec![sign | infinity, infinity],
                vec![at("0.5"), at("0.5")],
                vec![sign | 1, 1],
                vec![float.min_normal() - 1, float.min_normal()],
                vec![sign | float.max, float.max],
                vec![sign | infinity, at("0.1")],
            ]
        }
        ["beta", "threshold"] => {
            let (one, twenty) = (at("1"), at("20"));
            vec![
                vec![one, twenty],
                vec![at("0.7"), twenty],
                vec![at("3"), at("-5")],
                vec![at("-0.01"), infinity],
                vec![0, twenty],
                vec![sign, sign | 1],
                vec![1, infinity],
                vec![sign | float.max, infinity],
                vec![infinity, infinity],
                vec![sign | infinity, sign | infinity],
                vec![quiet, twenty],
                vec![one, signalling],
            ]
        }
        ["threshold", "value"] => vec![
            vec![at("0.1"), at("20")],
            vec![at("-0.7"), at("-0.3")],
            vec![0, sign],
            vec![sign, 1],
            vec![1, float.max],
            vec![sign | infinity, at("1")],
            vec![infinity, sign | infinity],
            vec![at("1"), quiet],
            vec![at("1"), signalling],
            vec![quiet, 0],
        ],
        [_] => {
            let values = ["1", "0.3", "0.01", "3", "-0.7"].map(at);
            let ends = [1, float.min_normal() - 1, float.max, infinity];
            let signs = [0, sign, sign | 1, sign | infinity, quiet, signalling];
            let all = values.iter().chain(&ends).chain(&signs);
            all.map(|value| vec![*value]).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a default sweep takes a setting: of an operation of P3109 four of them, of another row
/// all.
#[must_use]
pub fn in_sample(row: &Row, setting: &Setting) -> bool {
    let texts: Vec<_> = setting.parts(row).map(|(_, text)| text).collect();
    !takes_formats(row) || p3109::in_sample(&texts[0], texts.get(1).map(String::as_str))
}

/// Every setting that a sweep runs.
#[must_use]
pub fn stated(row: &Row) -> Vec<Setting> {
    let formats = row.params.iter().find_map(|spec| match spec.kind {
        ParamKind::Formats { operands, rounded } => Some((operands, rounded)),
        _ => None,
    });
    if let Some((operands, rounded)) = formats {
        let given: Vec<_> = if rounded {
            let stated = p3109::stated(operands).into_iter();
            stated
                .map(|(formats, projection)| vec![("formats", formats), ("projection", projection)])
                .collect()
        } else {
            let stated = p3109::stated_formats(operands).into_iter();
            stated.map(|formats| vec![("formats", formats)]).collect()
        };
        let named = |given: Vec<(&str, String)>| -> Vec<_> {
            let given = given.into_iter();
            given.map(|(name, text)| (name.to_owned(), text)).collect()
        };
        let parsed = given
            .into_iter()
            .filter_map(|given| parse(row, &named(given)).ok());
        return parsed.collect();
    }
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
        .flat_map(|chosen| with_numbers(row, &chosen))
        .collect()
}

fn with_numbers(row: &Row, chosen: &[(String, String)]) -> Vec<Setting> {
    let Ok(plain) = parse(row, chosen) else {
        return Vec::new();
    };
    let (names, types): (Vec<_>, Vec<_>) = row
        .params
        .iter()
        .zip(&plain.0)
        .filter_map(|(spec, value)| match value {
            Value::Bits(ty, _) => Some((spec.name, *ty)),
            Value::Choice(_) => None,
        })
        .unzip();
    let Some(&ty) = types.first() else {
        return vec![plain];
    };
    numbers(&names, ty)
        .into_iter()
        .filter_map(|values| {
            let spelled = values
                .iter()
                .map(|bits| format!("0x{}", number::hex(ty, *bits)));
            let given = names.iter().map(|name| (*name).to_owned()).zip(spelled);
            parse(row, &[chosen, &given.collect::<Vec<_>>()].concat()).ok()
        })
        .collect()
}
