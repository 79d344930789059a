//! Conversions to and from fixed point.

use crate::code::Code;
use crate::{Done, Item, Outputs};
use bitexact::convert;
use bitexact::format::Format;

/// The fraction bits of an item.
fn fraction(item: &Item) -> i32 {
    item.sizes.first().map_or(0, |&size| size as i32 - 64)
}

/// As 8, 16 and 32 bits, with what that raises.
pub fn to_fixed<F: Format + Code>(item: &Item, out: &mut Outputs) -> Done {
    for &x in item.a.typed::<F>().get() {
        let fraction = fraction(item);
        let (byte, first) = convert::to_fixed_status::<F, i8>(x, fraction, item.mode);
        let (half, second) = convert::to_fixed_status::<F, i16>(x, fraction, item.mode);
        let (word, third) = convert::to_fixed_status::<F, i32>(x, fraction, item.mode);
        out.word(u32::from(byte as u8) | u32::from(half as u16) << 16);
        out.word(word as u32);
        out.status(first);
        out.status(second | third);
    }
    Ok(())
}

/// Of 32 bits, and of the lower 16.
pub fn from_fixed<F: Format + Code>(item: &Item, out: &mut Outputs) -> Done {
    for &n in item.b.get() {
        let fraction = fraction(item);
        let (word, first) = convert::from_fixed_status::<i32, F>(n as i32, fraction, item.mode);
        let (half, second) = convert::from_fixed_status::<i16, F>(n as i16, fraction, item.mode);
        out.values(&[word, half]);
        out.status(first);
        out.status(second);
    }
    Ok(())
}
