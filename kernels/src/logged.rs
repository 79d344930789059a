//! `half`'s numbers in `defmt` logs (feature `defmt`): they do not implement `defmt::Format`, and a
//! foreign trait cannot be implemented for a foreign type.

use crate::{Mode, bf16, convert::convert, f16};
use defmt::{Format, Formatter, write};

/// A number of `half`'s, or a slice of them, for `defmt`: value and bits, `1.5 (0x3FC0)`.
///
/// The value is the number converted to f32, which is exact; NaNs keep their bits in the log.
///
/// ```
/// use bitexact::{Logged, bf16};
/// fn log(x: bf16, block: &[bf16]) {
///     defmt::debug!("{} of {}", Logged(x), Logged(block));
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Logged<T>(pub T);

macro_rules! logged {
    ($($number:ty)*) => {
        $(
            impl Format for Logged<$number> {
                fn format(&self, f: Formatter) {
                    let value: f32 = convert(self.0, Mode::TIES_TO_EVEN);
                    write!(f, "{=f32} ({=u16:#06X})", value, self.0.to_bits());
                }
            }

            impl Format for Logged<&[$number]> {
                fn format(&self, f: Formatter) {
                    write!(f, "[");
                    for (i, x) in self.0.iter().enumerate() {
                        if i > 0 {
                            write!(f, ", ");
                        }
                        write!(f, "{}", Logged(*x));
                    }
                    write!(f, "]");
                }
            }
        )*
    };
}

logged!(f16 bf16);
