//! The types of operands and results.

pub use bitexact::catalog::{Element, Type};
