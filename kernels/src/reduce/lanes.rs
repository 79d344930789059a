//! Sums in lanes: sequential within each, pairwise across them.

use super::pairwise::pairwise;
use crate::Status;
use crate::format::Format;

/// A number of lanes: 2, 4, 8, 16, 32 or 64.
///
/// ```
/// use bitexact::reduce::Lanes;
/// const WARP: Lanes = Lanes::new(32).unwrap();
/// assert_eq!(WARP.count(), 32);
/// assert_eq!(Lanes::new(12), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lanes(u8);

impl Lanes {
    /// The largest number.
    pub const MAX: usize = 64;

    /// All of them, in increasing order.
    pub const ALL: [Self; 6] = [Self(2), Self(4), Self(8), Self(16), Self(32), Self(64)];

    /// `None` unless `count` is a power of two from 2 to 64.
    #[must_use]
    pub const fn new(count: usize) -> Option<Self> {
        match count {
            2..=Self::MAX if count.is_power_of_two() => Some(Self(count as u8)),
            _ => None,
        }
    }

    /// How many.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0 as usize
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Lanes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

/// An error for any other number.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Lanes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let count = u8::deserialize(deserializer)?;
        Self::new(count.into())
            .ok_or_else(|| serde::de::Error::custom("lanes are a power of two from 2 to 64"))
    }
}

/// A sum of terms in lanes: `first` begins a lane, `step` adds a term to one, `add` joins two.
///
/// Out of line, so that the sums in other orders do not have its array in their stack frame.
#[inline(never)]
pub(super) fn in_lanes<T, A: Format>(
    terms: impl Iterator<Item = T>,
    lanes: Lanes,
    first: impl Fn(T) -> (A, Status),
    step: impl Fn(A, T) -> (A, Status),
    add: impl Fn(A, A) -> (A, Status),
) -> (A, Status) {
    let mut sums = [A::from_bits(0); Lanes::MAX];
    let mut union = Status::NONE;
    // The lanes that have a term, and the next term's lane.
    let (mut filled, mut lane) = (0, 0);
    for term in terms {
        let Some(sum) = sums.get_mut(lane) else {
            break; // never: a lane is below `Lanes::MAX`
        };
        let (next, status) = if lane < filled {
            step(*sum, term)
        } else {
            filled = lane + 1;
            first(term)
        };
        *sum = next;
        union |= status;
        lane = (lane + 1) & (lanes.count() - 1);
    }
    let sums = sums.into_iter().take(filled);
    let (total, status) = pairwise(sums, |sum| (sum, Status::NONE), add);
    (total, union | status)
}
