//! In place of `avx512.rs` on processors that never have it, and under Miri, which lacks its
//! instructions.

use crate::element::{Columns, Outputs};
use crate::level::Level;
use bitexact::Mode;

pub(super) trait Operation<const N: usize> {}
impl<O, const N: usize> Operation<N> for O {}

pub(super) struct Integer;

pub(super) const fn has(_: Level, _: Mode) -> bool {
    false
}

pub(super) fn or_even(mode: Mode) -> bool {
    mode == Mode::TIES_TO_EVEN
}

pub(super) fn write<const N: usize, O: Operation<N>, C: Columns, U: Outputs>(
    _: Level,
    _: Mode,
    _: C,
    _: &mut U,
) -> bool {
    false
}

pub(super) fn narrow<C: Columns, U: Outputs>(_: Level, _: Mode, _: C, _: &mut U) -> bool {
    false
}

pub(super) fn fma<C: Columns, U: Outputs>(_: Level, _: Mode, _: C, _: &mut U) -> bool {
    false
}
