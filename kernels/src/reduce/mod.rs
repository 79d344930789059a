//! Sums in a declared order.

mod sum;

pub use sum::{Order, sum, sum_by, sum_status, sum_stochastic, sum_stochastic_status};
