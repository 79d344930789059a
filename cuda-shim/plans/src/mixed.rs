//! The entries of the catalog's rows: sums, differences, products, quotients and fused
//! multiply-adds of several formats share one.

use bitexact::catalog::{Form, Row, Type};

/// The formats' numbers.
const FORMATS: [Type; 3] = [Type::F16, Type::Bf16, Type::F32];

/// The word that says a row's formats, if its entry is that of all choices of formats.
#[must_use]
pub fn formats(row: &Row) -> Option<u64> {
    let shared = ["add", "sub", "mul", "div", "fma"].contains(&row.kernel);
    let all = row.operands.iter().chain(row.results);
    let one = all.clone().all(|ty| *ty == row.results[0]);
    if !shared || one {
        return None;
    }
    all.enumerate().try_fold(0, |word, (at, ty)| {
        let number = FORMATS.iter().position(|format| format == ty)?;
        Some(word | (number as u64) << (2 * at))
    })
}

/// The entry of a form of a row, and the word that follows the form's, if there is one.
#[must_use]
pub fn entry(row: &Row, form: &Form) -> (String, Option<u64>) {
    match formats(row) {
        Some(word) => (format!("{}_mixed{}", row.kernel, form.ending), Some(word)),
        None => (format!("{}{}", row.entry, form.ending), None),
    }
}
