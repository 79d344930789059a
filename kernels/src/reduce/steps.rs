//! The steps of sums in declared orders.
//!
//! An order has a step in several places. On GPUs, where one module has the code of all formats and
//! orders, a step is a function that is called; elsewhere it is inlined in each place.

use crate::arith::{add_status, fma_status, mul_status};
use crate::format::Arithmetic;
use crate::{Mode, Status};

/// `sum + x`, rounded once.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub(super) fn plus<A: Arithmetic, T: Arithmetic>(sum: A, x: T, mode: Mode) -> (A, Status) {
    add_status(sum, x, mode)
}

/// `a * b`, rounded once.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub(super) fn times<T: Arithmetic, A: Arithmetic>(a: T, b: T, mode: Mode) -> (A, Status) {
    mul_status(a, b, mode)
}

/// `sum + a * b`, rounded once.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub(super) fn plus_product<A: Arithmetic, T: Arithmetic>(
    sum: A,
    a: T,
    b: T,
    mode: Mode,
) -> (A, Status) {
    fma_status(a, b, sum, mode)
}
