//! Codes as keys.

use super::{E8M0, MxInt8};
use crate::format::Format;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

/// A type of which every value is a code.
pub trait Coded: Copy {
    fn code(self) -> u64;
}

impl<F: Format> Coded for F {
    fn code(self) -> u64 {
        self.to_bits()
    }
}
impl Coded for E8M0 {
    fn code(self) -> u64 {
        self.to_bits().into()
    }
}
impl Coded for MxInt8 {
    fn code(self) -> u64 {
        self.to_bits().into()
    }
}

/// A number that is compared, ordered and hashed by its code, for example as the key of a map.
///
/// For any [`Format`], [`E8M0`] or [`MxInt8`]. Two are equal if their codes are, so a NaN equals
/// itself and +0 does not equal -0; their order is that of the codes as unsigned integers.
///
/// ```
/// use bitexact::{bf16, format::Bits};
/// use std::collections::HashMap;
/// let mut counts = HashMap::new();
/// for x in [bf16::NAN, bf16::NAN, bf16::NEG_ZERO] {
///     *counts.entry(Bits(x)).or_insert(0) += 1;
/// }
/// assert_eq!(counts.get(&Bits(bf16::NAN)), Some(&2));
/// assert_eq!(counts.get(&Bits(bf16::ZERO)), None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(transparent)]
pub struct Bits<T>(pub T);

impl<T: Coded> PartialEq for Bits<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.code() == other.0.code()
    }
}

impl<T: Coded> Eq for Bits<T> {}

impl<T: Coded> Hash for Bits<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.code().hash(state);
    }
}

impl<T: Coded> PartialOrd for Bits<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Coded> Ord for Bits<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.code().cmp(&other.0.code())
    }
}

/// For settings that contain numbers: equal if the numbers have equal codes, also for NaN.
macro_rules! compared_by_code {
    ($($ty:ident: |$x:ident| $key:expr;)*) => { $(
        impl $ty {
            fn key(&self) -> impl Eq + core::hash::Hash + use<> {
                let $x = self;
                $key
            }
        }

        impl PartialEq for $ty {
            fn eq(&self, other: &Self) -> bool {
                self.key() == other.key()
            }
        }

        impl Eq for $ty {}

        impl core::hash::Hash for $ty {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.key().hash(state);
            }
        }
    )* };
}
pub(crate) use compared_by_code;
