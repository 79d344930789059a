//! Text in a caller's buffer, byte by byte, and what decimal and hexadecimal text have in common.

use core::fmt::{self, Formatter};

use crate::format::Format;
use crate::round::{Exact, Kind};

/// The buffer is too short for the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BufferTooSmall {
    /// The text's length in bytes.
    pub needed: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the text needs a buffer of {} bytes", self.needed)
    }
}

impl core::error::Error for BufferTooSmall {}

/// A destination of a text's bytes.
pub(super) type Out<'a> = dyn FnMut(u8) + 'a;

#[inline]
pub(super) fn decode<F: Format>(x: F) -> Exact<u64> {
    if F::BITS > 32 {
        Exact::<u64>::decode::<F>(x.to_bits())
    } else {
        Exact::<u32>::decode::<F>(x.to_bits() as u32).widen()
    }
}

/// The word for an infinity or a NaN.
pub(super) fn special(x: Exact<u64>) -> Option<&'static str> {
    match x.kind() {
        Kind::Nan => Some("NaN"),
        Kind::Infinite => Some("inf"),
        _ => None,
    }
}

/// Writes an integer below 10,000; every exponent is.
pub(super) fn put_integer(n: u32, out: &mut Out<'_>) {
    let mut rest = n;
    for unit in [1000, 100, 10, 1] {
        let mut digit = b'0';
        while rest >= unit {
            rest -= unit;
            digit += 1;
        }
        if n >= unit || unit == 1 {
            out(digit);
        }
    }
}

/// A buffer that collects a text with its sign.
pub(super) fn to_buffer<'a>(
    sign: bool,
    text: &dyn Fn(&mut Out<'_>),
    buffer: &'a mut [u8],
) -> Result<&'a str, BufferTooSmall> {
    let mut needed = 0;
    let mut put = |byte| {
        if let Some(place) = buffer.get_mut(needed) {
            *place = byte;
        }
        needed += 1;
    };
    if sign {
        put(b'-');
    }
    text(&mut put);
    buffer
        .get(..needed)
        .and_then(|text| core::str::from_utf8(text).ok())
        .ok_or(BufferTooSmall { needed })
}
