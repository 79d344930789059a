//! Elements narrower than a byte, packed: two FP4 in a byte, four FP6 in three; integers of 4 and 2
//! bits.
//!
//! The order of bits: a stream whose bit 0 is the least significant bit of the first byte, with
//! element `i` at bits `BITS * i` and up. So the first FP4 of two is in the low nibble, as in
//! CUDA's `__nv_fp4x2_storage_t`, the int4 arrays of `ml_dtypes`, and torchao (whose older versions
//! began with the high one); the first FP6 of four is in the low six bits of the first byte. OCP MX
//! v1.0 leaves the order to the implementation. (torchao's `pack_uint6` and the operands of some
//! matrix instructions order FP6 otherwise.)

use super::BlockError;
use super::block::check;
use super::{Int2, Int4, UInt4};
use crate::format::{E2M1, E2M3, E3M2, Sealed};

/// A type narrower than a byte: [`E2M1`], [`E2M3`], [`E3M2`], [`Int2`], [`Int4`] and [`UInt4`].
pub trait Packed: Copy + Sealed {
    /// Width of a code in bits.
    const BITS: u32;
    /// How many elements fill whole bytes,
    const GROUP: usize;
    /// and how many bytes these are.
    const BYTES: usize = Self::GROUP * Self::BITS as usize / 8;

    /// The number of bytes for `n` elements; the last group is padded with zero bits to whole
    /// bytes.
    #[must_use]
    fn packed_len(n: usize) -> usize {
        let rest = n % Self::GROUP * Self::BITS as usize;
        // At most n, so nothing can overflow.
        n / Self::GROUP * Self::BYTES + rest.div_ceil(8)
    }

    /// The code, in the low `BITS` bits.
    fn to_bits(self) -> u64;
    /// The value of a code; bits above the low `BITS` are ignored.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! packed {
    ($($ty:ident $bits:literal $group:literal;)*) => { $(
        impl Packed for $ty {
            const BITS: u32 = $bits;
            const GROUP: usize = $group;

            #[inline]
            fn to_bits(self) -> u64 {
                self.to_bits().into()
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                Self::from_bits(bits as u8)
            }
        }
    )* };
}
packed! {
    E2M1 4 2;
    E2M3 6 4;
    E3M2 6 4;
    Int2 2 4;
    Int4 4 2;
    UInt4 4 2;
}

/// Packs elements; the unused bits of the last byte are zero.
///
/// # Errors
///
/// `bytes` does not have [`Packed::packed_len`] elements; nothing is written then.
///
/// ```
/// use bitexact::format::E2M1;
/// use bitexact::scale::{pack, unpack};
/// let x = [0x1, 0x7, 0xA].map(E2M1::from_bits);
/// let mut bytes = [0; 2];
/// pack(&x, &mut bytes)?;
/// assert_eq!(bytes, [0x71, 0x0A]);
/// let mut y = [E2M1::from_bits(0); 3];
/// unpack(&bytes, &mut y)?;
/// assert_eq!(x, y);
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn pack<F: Packed>(elements: &[F], bytes: &mut [u8]) -> Result<(), BlockError> {
    check("bytes", F::packed_len(elements.len()), bytes.len())?;
    let groups = elements.chunks(F::GROUP).zip(bytes.chunks_mut(F::BYTES));
    for (elements, bytes) in groups {
        let mut word = 0u32;
        for (i, element) in elements.iter().enumerate() {
            word |= (element.to_bits() as u32) << (F::BITS * i as u32);
        }
        for byte in bytes {
            *byte = word as u8;
            word >>= 8;
        }
    }
    Ok(())
}

/// Unpacks as many elements as `elements` has; unused bits of the last byte are ignored.
///
/// # Errors
///
/// `bytes` does not have [`Packed::packed_len`] elements; nothing is written then.
pub fn unpack<F: Packed>(bytes: &[u8], elements: &mut [F]) -> Result<(), BlockError> {
    check("bytes", F::packed_len(elements.len()), bytes.len())?;
    let groups = elements.chunks_mut(F::GROUP).zip(bytes.chunks(F::BYTES));
    for (elements, bytes) in groups {
        let mut word = 0u32;
        for byte in bytes.iter().rev() {
            word = (word << 8) | *byte as u32;
        }
        for element in elements {
            *element = F::from_bits(word as u64);
            word >>= F::BITS;
        }
    }
    Ok(())
}
