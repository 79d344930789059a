//! The rows that a name selects: a row's own name, TestFloat's name for it, an operation, a
//! pattern.

use crate::{Row, Ty};

/// TestFloat's name of a row, where it has one (`bf16_mul` for `mul.bf16`).
#[must_use]
pub fn alias(row: &Row) -> Option<String> {
    let formats = row.name.strip_prefix(row.op)?.strip_prefix('.')?;
    let homogeneous = !formats.contains('.');
    let name = |ty: Ty| match ty {
        Ty::U8 => "ui8",
        Ty::U16 => "ui16",
        Ty::U32 => "ui32",
        Ty::U64 => "ui64",
        other => other.name(),
    };
    if matches!(row.op, "convert" | "from_int" | "to_int") {
        return Some(format!(
            "{}_to_{}",
            name(*row.operands.first()?),
            name(*row.results.first()?)
        ));
    }
    let stem = match row.op {
        "add" | "sub" | "mul" | "div" | "sqrt" => row.op,
        "remainder" => "rem",
        "fma" => "mulAdd",
        "round_to_integral" => "roundToInt",
        "compare_quiet_equal" => "eq",
        "compare_signaling_less_equal" => "le",
        "compare_signaling_less" => "lt",
        "compare_signaling_equal" => "eq_signaling",
        "compare_quiet_less_equal" => "le_quiet",
        "compare_quiet_less" => "lt_quiet",
        _ => return None,
    };
    homogeneous.then(|| format!("{formats}_{stem}"))
}

/// The row that a name or an alias selects; an operation with a single row is accepted.
///
/// # Errors
///
/// Names that might have been meant.
pub fn one<'a>(rows: &'a [Row], name: &str) -> Result<&'a Row, String> {
    if let Some(row) = exact(rows, name) {
        return Ok(row);
    }
    let stem: Vec<_> = rows.iter().filter(|row| row.op == name).collect();
    match stem.as_slice() {
        [row] => Ok(row),
        [] => Err(unknown(rows, name)),
        several => {
            let mut names: Vec<_> = several.iter().map(|row| row.name).collect();
            let more = names.len().saturating_sub(12);
            names.truncate(12);
            let tail = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            Err(format!(
                "`{name}` has {} rows, name one: {}{tail}",
                several.len(),
                names.join(", ")
            ))
        }
    }
}

/// Every row that a name, an alias, an operation or a pattern (`*` and `?`) selects.
///
/// # Errors
///
/// Names that might have been meant.
pub fn many<'a>(rows: &'a [Row], pattern: &str) -> Result<Vec<&'a Row>, String> {
    if pattern.is_empty() {
        return Err("an empty name: a comma too many".into());
    }
    if let Some(row) = exact(rows, pattern) {
        return Ok(vec![row]);
    }
    let matching = |row: &&Row| {
        row.op == pattern
            || glob(pattern.as_bytes(), row.name.as_bytes())
            || alias(row).is_some_and(|alias| glob(pattern.as_bytes(), alias.as_bytes()))
    };
    let found: Vec<_> = rows.iter().filter(matching).collect();
    if found.is_empty() {
        return Err(if pattern.contains(['*', '?']) {
            format!("no operation matches `{pattern}`")
        } else {
            unknown(rows, pattern)
        });
    }
    Ok(found)
}

fn exact<'a>(rows: &'a [Row], name: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.name == name).or_else(|| {
        rows.iter()
            .find(|row| alias(row).is_some_and(|alias| alias == name))
    })
}

fn unknown(rows: &[Row], name: &str) -> String {
    let aliases: Vec<_> = rows.iter().filter_map(alias).collect();
    let all = rows.iter().flat_map(|row| [row.name, row.op]);
    let hint = did_you_mean(name, all.chain(aliases.iter().map(String::as_str)));
    format!("unknown operation `{name}`{hint}: `sweep list` shows all")
}

/// ` (did you mean ...?)` with the closest of these names, or nothing if none is close.
pub fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let wanted = name.to_ascii_lowercase();
    let mut near: Vec<(usize, &str)> = known
        .map(|candidate| {
            (
                distance(&wanted, &candidate.to_ascii_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().min(wanted.len()) / 4)
        .collect();
    near.sort_unstable();
    near.dedup();
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<_> = near
        .iter()
        .take(3)
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    format!(" (did you mean {}?)", names.join(" or "))
}

/// How many letters must be inserted, removed or changed (of at most the first 64).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Whether the whole name matches a pattern of letters, `?` and `*`.
#[must_use]
pub fn glob(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == b'?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (pattern, name, fits) in [
            ("add.*", "add.f16", true),
            ("*", "", true),
            ("*.f16", "convert.f32.f16", true),
            ("a*d*6", "add.bf16", true),
            ("add.?16", "add.f16", true),
            ("add.?16", "add.bf16", false),
            ("add", "add.f16", false),
            ("", "x", false),
        ] {
            assert_eq!(
                glob(pattern.as_bytes(), name.as_bytes()),
                fits,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("add.f16", "add.f16"), 0);
    }
}
