//! Elements of 2, 4 and 6 bits to and from whole bytes, in groups that fill these, by loops that
//! LLVM compiles for vectors.

use crate::level::Task;
use bitexact::scale::{self, Packed};

/// How elements of some bits lie in bytes: `N` of them in `BYTES`.
trait Group<const N: usize, const BYTES: usize> {
    fn join(codes: [u8; N]) -> [u8; BYTES];
    /// Bits above a code's may be set.
    fn part(bytes: [u8; BYTES]) -> [u8; N];
}

struct Bits2;
struct Bits4;
struct Bits6;

impl Group<4, 1> for Bits2 {
    #[inline(always)]
    fn join([a, b, c, d]: [u8; 4]) -> [u8; 1] {
        [a | (b << 2) | (c << 4) | (d << 6)]
    }
    #[inline(always)]
    fn part([x]: [u8; 1]) -> [u8; 4] {
        [x, x >> 2, x >> 4, x >> 6]
    }
}

impl Group<2, 1> for Bits4 {
    #[inline(always)]
    fn join([a, b]: [u8; 2]) -> [u8; 1] {
        [a | (b << 4)]
    }
    #[inline(always)]
    fn part([x]: [u8; 1]) -> [u8; 2] {
        [x, x >> 4]
    }
}

impl Group<4, 3> for Bits6 {
    #[inline(always)]
    fn join([a, b, c, d]: [u8; 4]) -> [u8; 3] {
        [a | (b << 6), (b >> 2) | (c << 4), (c >> 4) | (d << 2)]
    }
    #[inline(always)]
    fn part([x, y, z]: [u8; 3]) -> [u8; 4] {
        [x, (x >> 6) | (y << 2), (y >> 4) | (z << 4), z >> 2]
    }
}

/// Elements to be packed, and as many bytes as they fill.
pub struct Pack<'a, F> {
    pub elements: &'a [F],
    pub bytes: &'a mut [u8],
}

impl<F: Packed> Pack<'_, F> {
    #[inline(always)]
    fn groups<const N: usize, const BYTES: usize, G: Group<N, BYTES>>(self) {
        let (groups, rest) = self.elements.as_chunks::<N>();
        let (to, rest_to) = self.bytes.split_at_mut(groups.len() * BYTES);
        for (group, to) in groups.iter().zip(to.as_chunks_mut::<BYTES>().0) {
            *to = G::join(group.map(|element| element.to_bits() as u8));
        }
        let done = scale::pack(rest, rest_to);
        debug_assert!(done.is_ok(), "as many bytes as they fill");
    }
}

impl<F: Packed> Task for Pack<'_, F> {
    #[inline(always)]
    fn run(self) {
        match F::BITS {
            2 => self.groups::<4, 1, Bits2>(),
            4 => self.groups::<2, 1, Bits4>(),
            _ => self.groups::<4, 3, Bits6>(),
        }
    }
}

/// Bytes to be unpacked, which so many elements fill.
pub struct Unpack<'a, F> {
    pub bytes: &'a [u8],
    pub elements: &'a mut [F],
}

impl<F: Packed> Unpack<'_, F> {
    #[inline(always)]
    fn groups<const N: usize, const BYTES: usize, G: Group<N, BYTES>>(self) {
        let (groups, rest) = self.elements.as_chunks_mut::<N>();
        let (from, rest_from) = self.bytes.split_at(groups.len() * BYTES);
        for (group, from) in groups.iter_mut().zip(from.as_chunks::<BYTES>().0) {
            *group = G::part(*from).map(|code| F::from_bits(code.into()));
        }
        let done = scale::unpack(rest_from, rest);
        debug_assert!(done.is_ok(), "as many bytes as they fill");
    }
}

impl<F: Packed> Task for Unpack<'_, F> {
    #[inline(always)]
    fn run(self) {
        match F::BITS {
            2 => self.groups::<4, 1, Bits2>(),
            4 => self.groups::<2, 1, Bits4>(),
            _ => self.groups::<4, 3, Bits6>(),
        }
    }
}
