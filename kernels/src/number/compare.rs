//! `==`, `<` and the unary `-`.

use super::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, E8M0, MxInt8,
    for_floats,
};
use crate::arith::{compare, compare_quiet_equal, negate};
use core::cmp::Ordering;
use core::ops::Neg;

macro_rules! floats {
    ($($ty:ident)*) => { $(
        /// As IEEE 754's `compareQuietEqual`: +0 equals -0, and a NaN equals nothing.
        impl PartialEq for $ty {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                compare_quiet_equal(*self, *other)
            }
        }

        /// As [`compare`]: `None` where either is NaN.
        impl PartialOrd for $ty {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                compare(*self, *other)
            }
        }

        /// As [`negate`]: the sign bit flipped, also for a NaN; the zero and the NaN of an fnuz
        /// format stay.
        impl Neg for $ty {
            type Output = Self;

            #[inline]
            fn neg(self) -> Self {
                negate(self)
            }
        }
    )* };
}
for_floats!(floats);

/// NaN equals nothing.
impl PartialEq for E8M0 {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits() && !self.is_nan()
    }
}

/// `None` where either is NaN.
impl PartialOrd for E8M0 {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (!self.is_nan() && !other.is_nan()).then(|| self.total_cmp(other))
    }
}

impl PartialOrd for MxInt8 {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MxInt8 {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.to_integer().cmp(&other.to_integer())
    }
}
