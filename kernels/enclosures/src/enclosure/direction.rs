//! Rounding directions: how the ends of an interval are rounded, and when they decide.
//!
//! Toward zero both ends are cut off. Away from zero (up, if positive; down, if negative) the
//! result is the number after the one that is cut off, if the value is not that number itself: the
//! end near zero must not be one. What is cut off to 0 is left open, since functions approximate
//! the result of an infinity, 0, by that of a large number.

use super::Format;
use bitexact::{Mode, Rounding};

/// A rounding direction, with infinities or the greatest finite numbers on overflow as IEEE 754 has
/// them.
pub trait Direction {
    const ROUNDING: Rounding;
    /// Its number among the directions here.
    const NUMBER: u32;
    /// The mode of the kernel that decides what an approximation does not.
    const MODE: Mode = Mode::ieee(Self::ROUNDING);
}

macro_rules! directions {
    ($($(#[$doc:meta])* $name:ident $number:literal $rounding:ident;)*) => {
        $(
            $(#[$doc])*
            pub struct $name;
            impl Direction for $name {
                const ROUNDING: Rounding = Rounding::$rounding;
                const NUMBER: u32 = $number;
            }
        )*
    };
}

directions! {
    /// To nearest, ties to even.
    Nearest 0 TiesToEven;
    /// Toward zero.
    TowardZero 1 TowardZero;
    /// Toward positive infinity.
    Upward 2 TowardPositive;
    /// Toward negative infinity.
    Downward 3 TowardNegative;
}

/// Two numbers, to nearest or toward zero.
#[inline(always)]
pub(crate) fn toward<F: Format, D: Direction>(pair: [f32; 2]) -> u32 {
    if matches!(D::ROUNDING, Rounding::TiesToEven) {
        F::narrow(pair)
    } else {
        F::truncate(pair)
    }
}

/// The results, and a word that is not 0 in a half that is not decided: of the ends near zero, both
/// ends after [`toward`], and the signs that these lack.
#[inline(always)]
pub(super) fn decide<F: Format, D: Direction>(
    near_zero: [f32; 2],
    low: u32,
    high: u32,
    signs: u32,
) -> [u32; 2] {
    let (result, open) = (low | signs, low ^ high);
    let away = match D::ROUNDING {
        Rounding::TowardPositive => !result,
        Rounding::TowardNegative => result,
        _ => return [result, open],
    };
    let away = away >> 15 & 0x0001_0001;
    let exact = |half: usize, magnitude| {
        u32::from(near_zero[half].to_bits() & F::CUT == 0 || low & magnitude == 0)
    };
    let exact = exact(0, 0x7FFF) | exact(1, 0x7FFF_0000) << 16;
    // No carry from a NaN in the low half.
    let next = (result & 0x7FFF_7FFF).wrapping_add(away) ^ (result & 0x8000_8000);
    [next, open | away & exact]
}

#[cfg(test)]
mod tests {
    use super::{Downward, Upward, decide, toward};
    use crate::enclosure::{Bfloat, Format, Half};

    /// The value may be the end near zero: if that is a number of the format, nothing tells whether
    /// the result is the next one. No function here is off by exactly its bound at such a value, so
    /// the other tests do not see it.
    #[test]
    fn an_end_that_is_a_number_of_the_format_is_open() {
        fn check<F: Format>() {
            for (number, code) in F::widen(0x3F80_3F81).into_iter().zip([0x3F81, 0x3F80]) {
                let beyond = f32::from_bits(number.to_bits() + 1);
                for ends in [[number, beyond], [beyond, number]] {
                    let low = toward::<F, Upward>(ends);
                    assert_eq!(low, code << 16 | code);
                    let open = ends.map(|end| u32::from(end.to_bits() == number.to_bits()));
                    let next = low + 0x0001_0001;
                    assert_eq!(
                        decide::<F, Upward>(ends, low, low, 0),
                        [next, open[0] | open[1] << 16]
                    );
                    let down = decide::<F, Downward>(ends, low, low, 0x8000_8000);
                    assert_eq!(down, [next | 0x8000_8000, open[0] | open[1] << 16]);
                    assert_eq!(decide::<F, Downward>(ends, low, low, 0), [low, 0]);
                }
            }
        }
        check::<Half>();
        check::<Bfloat>();
    }

    /// A NaN of the machine's beside a number: 0x7FFF_FFFF on NVIDIA's, which is 0x7FFF in both
    /// formats.
    #[test]
    fn a_nan_changes_nothing_beside_it() {
        let ends = [f32::from_bits(0x7FFF_FFF5), 0.52];
        let [made, open] = decide::<Bfloat, Downward>(ends, 0x3F05_7FFF, 0x3F05_8000, 0x8000);
        assert_eq!([made >> 16, open >> 16], [0x3F05, 0]);
        assert_ne!(open as u16, 0);
        let [made, open] = decide::<Half, Upward>(ends, 0x3764_7FFF, 0x3764_8000, 0x8000_0000);
        assert_eq!([made >> 16, open >> 16], [0xB764, 0]);
        assert_ne!(open as u16, 0);
    }
}
