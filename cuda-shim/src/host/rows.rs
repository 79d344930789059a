//! The catalog's rows on the host side.

use bitexact::catalog::ROWS;
pub use bitexact::catalog::Row;

/// Every row, in the catalog's order.
#[must_use]
pub fn rows() -> &'static [Row] {
    ROWS
}

/// Whether GPUs compute the row of that name.
#[must_use]
pub fn has_entry(name: &str) -> bool {
    row(name).is_some_and(gpu_plans::catalog::has_entry)
}

/// The row of that name.
#[must_use]
pub fn row(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}
