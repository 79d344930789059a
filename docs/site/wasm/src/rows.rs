//! The rows of the catalog: their list, single results, and digests.

use sweep_catalog::row::{
    Args, Operands, Output, ParamKind, ParamSpec, RoundingArg, Row, Ty, Value, domain::domain,
    number, p3109,
};
use sweep_inputs::digest::Digest;
use sweep_inputs::{Overflow, Rounding};

pub fn list() -> String {
    let types = |types: &[Ty]| {
        types
            .iter()
            .map(|ty| ty.name())
            .collect::<Vec<_>>()
            .join(",")
    };
    let line = |row: &Row| {
        let takes = [
            (row.takes_rounding, "rounding"),
            (row.has_stochastic, "stochastic"),
            (row.takes_overflow, "overflow"),
        ];
        let takes: Vec<_> = takes
            .iter()
            .filter(|(takes, _)| *takes)
            .map(|(_, name)| *name)
            .collect();
        let params: Vec<_> = row.params.iter().map(param).collect();
        [
            row.name,
            row.op,
            &types(row.operands),
            &types(row.results),
            &takes.join(","),
            &params.join(";"),
            row.doc,
        ]
        .join("\t")
    };
    sweep_catalog::all()
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// `name=default=choice,choice`, or `name=default=:type`.
fn param(spec: &ParamSpec) -> String {
    let kind = match spec.kind {
        ParamKind::Choice(names) => names.join(","),
        ParamKind::Real(ty) => format!(":{}", ty.name()),
        ParamKind::RealIn(by) => format!("::{by}"),
        ParamKind::Formats { .. } | ParamKind::Projection => ":text".to_owned(),
    };
    format!("{}={}={kind}", spec.name, default(spec))
}

/// P3109's specialisations have no default of their own: the first of those that a sweep runs.
fn default(spec: &ParamSpec) -> String {
    let first = |operands| p3109::stated(operands).swap_remove(0);
    match spec.kind {
        ParamKind::Formats {
            operands,
            rounded: true,
        } => first(operands).0,
        ParamKind::Formats { operands, .. } => p3109::stated_formats(operands).swap_remove(0),
        ParamKind::Projection => first(1).1,
        _ => spec.default.to_owned(),
    }
}

pub fn eval(rest: &str) -> Result<String, String> {
    let fields: Vec<_> = rest.split(' ').collect();
    let ([name, rounding, overflow, params], operands) =
        fields.split_first_chunk().ok_or("too few fields")?;
    let row = find(name)?;
    let args = arguments(row, rounding, overflow, params)?;
    if operands.len() != row.operands.len() {
        return Err(format!("{name} takes {} operands", row.operands.len()));
    }
    let mut input = Operands::default();
    for ((bits, ty), text) in input.iter_mut().zip(row.operands).zip(operands) {
        *bits = number::parse_hex(text, *ty)?;
    }
    let mut output = [Output::default()];
    (row.run)(&[args], &[input], &mut output);
    let [Output { results, flags }] = output;
    let operands = row.operands.iter().zip(&input);
    let results = row.results.iter().zip(&results);
    let mut text: Vec<_> = operands
        .chain(results)
        .map(|(ty, bits)| number::hex(*ty, *bits))
        .collect();
    text.push(format!("{flags:02X}"));
    Ok(text.join(" "))
}

pub fn digest(rest: &str) -> Result<String, String> {
    let fields: Vec<_> = rest.split(' ').collect();
    let [name, rounding, overflow, params] = fields[..] else {
        return Err("four fields were expected".into());
    };
    let row = find(name)?;
    let args = [arguments(row, rounding, overflow, params)?];
    let domain = domain(row, false);
    let inputs = domain.len().ok_or("too many inputs")?;
    let mut digest = Digest::EMPTY;
    let mut output = [Output::default()];
    for index in 0..inputs {
        (row.run)(&args, &[domain.get(index)], &mut output);
        digest.add(index, output[0].results, output[0].flags);
    }
    Ok(format!(
        "{} {} {:016X}",
        domain.name(),
        digest.count,
        digest.sum
    ))
}

fn find(name: &str) -> Result<&'static Row, String> {
    let row = sweep_catalog::all().iter().find(|row| row.name == name);
    row.ok_or_else(|| format!("there is no row `{name}`"))
}

fn arguments(row: &Row, rounding: &str, overflow: &str, params: &str) -> Result<Args, String> {
    let rounding = match rounding.strip_prefix("stochastic:") {
        Some(bits) if row.has_stochastic => RoundingArg::Stochastic(
            u16::from_str_radix(bits, 16).map_err(|error| error.to_string())?,
        ),
        Some(_) => return Err(format!("{} has no stochastic rounding", row.name)),
        None if rounding == "-" => RoundingArg::Fixed(Rounding::TiesToEven),
        None => RoundingArg::Fixed(rounding_of(rounding)?),
    };
    let overflow = match overflow {
        "-" => Overflow::Ieee,
        name => overflow_of(name)?,
    };
    let given: Vec<_> = params
        .split(',')
        .filter_map(|part| part.split_once('='))
        .collect();
    let spelled = |name: &str, default: &'static str| {
        let found = given.iter().find(|(other, _)| *other == name);
        found.map_or(default, |(_, text)| text)
    };
    let value = |spec: &ParamSpec| {
        let text = spelled(spec.name, spec.default);
        let real = |ty| {
            let bits = number::parse(text, ty).map_err(|rejected| rejected.0)?;
            Ok(Value::Bits(ty, bits))
        };
        match spec.kind {
            ParamKind::Choice(names) => {
                let place = names.iter().position(|name| *name == text);
                place
                    .map(Value::Choice)
                    .ok_or_else(|| format!("`{text}` is no {}", spec.name))
            }
            ParamKind::Real(ty) => real(ty),
            ParamKind::Formats { operands, rounded } => {
                let number = p3109::parse_formats(text, operands, rounded)?;
                Ok(Value::Bits(Ty::U64, number))
            }
            ParamKind::Projection => {
                p3109::Projection::parse(text).map(|number| Value::Bits(Ty::U64, number))
            }
            ParamKind::RealIn(by) => {
                let format = row.params.iter().find(|other| other.name == by);
                let name = format.map_or("", |format| spelled(by, format.default));
                real(Ty::from_name(name).ok_or_else(|| format!("`{name}` is no {by}"))?)
            }
        }
    };
    let args = Args {
        rounding,
        overflow,
        params: row
            .params
            .iter()
            .map(value)
            .collect::<Result<_, String>>()?,
    };
    (row.accepts)(&args).map_err(|error| error.to_string())?;
    Ok(args)
}

/// The rounding of that name.
pub fn rounding_of(name: &str) -> Result<Rounding, String> {
    let found = Rounding::ALL
        .into_iter()
        .find(|rounding| rounding.name() == name);
    found.ok_or_else(|| format!("there is no rounding `{name}`"))
}

/// The overflow rule of that name.
pub fn overflow_of(name: &str) -> Result<Overflow, String> {
    let found = Overflow::ALL
        .into_iter()
        .find(|overflow| overflow.name() == name);
    found.ok_or_else(|| format!("there is no overflow rule `{name}`"))
}
