//! The rules for NaN, in one place: the parent module documents them.

use super::exact::{Exact, Kind};

impl<W: Copy> Exact<W> {
    #[inline]
    pub(crate) const fn is_nan(self) -> bool {
        matches!(self.kind(), Kind::Nan)
    }

    #[inline]
    pub(crate) const fn is_signaling(self) -> bool {
        self.is_nan() && self.payload_flag()
    }

    /// Whether the operation is invalid, for two operands of which at least one is NaN.
    #[inline]
    pub(crate) const fn nan_operand(self, other: Self) -> Option<bool> {
        if self.is_nan() || other.is_nan() {
            Some(self.is_signaling() || other.is_signaling())
        } else {
            None
        }
    }
}
