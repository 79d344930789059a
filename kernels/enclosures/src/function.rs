//! A function that is always right: where it is verified, its approximation if that decides, else
//! the table that its kernel has filled; where it is not, its kernel.

use crate::enclosure::{Direction, Format, Function, Machine};
use crate::{Results, Switch};

/// A function in a format, with its kernel, its switch and its tables.
pub trait Fused<F: Format>: Function {
    /// The integer kernel.
    fn exactly<D: Direction>(x: u16) -> u16;
    /// Whether the approximation was verified on this device.
    fn switch() -> &'static Switch;
    /// The kernel's results, once it was verified.
    fn results<D: Direction>() -> &'static Results;
}

/// `fused! { kernel Type [parameters] }`: [`Fused`] for a type that approximates this kernel, in
/// both formats.
#[macro_export]
macro_rules! fused {
    ($kernel:ident $function:ty, $parameters:tt) => {
        $crate::fused! { @ $kernel $function, $parameters f16 Half }
        $crate::fused! { @ $kernel $function, $parameters bf16 Bfloat }
    };
    (@ $kernel:ident $function:ty, $parameters:tt $ty:ident $format:ident) => {
        impl $crate::Fused<$crate::enclosure::$format> for $function {
            // In one place: only functions that are off need it.
            #[inline(never)]
            fn exactly<D: $crate::enclosure::Direction>(x: u16) -> u16 {
                $crate::exactly!($kernel $crate::bitexact::$ty, x, $parameters, D::MODE)
            }
            fn switch() -> &'static $crate::Switch {
                static SWITCH: $crate::Switch = $crate::Switch::off();
                &SWITCH
            }
            fn results<D: $crate::enclosure::Direction>() -> &'static $crate::Results {
                // By name, so that a program has those of the directions that it uses.
                static NEAREST: $crate::Results = $crate::Results::none();
                static TOWARD_ZERO: $crate::Results = $crate::Results::none();
                static UPWARD: $crate::Results = $crate::Results::none();
                static DOWNWARD: $crate::Results = $crate::Results::none();
                match D::NUMBER {
                    0 => &NEAREST,
                    1 => &TOWARD_ZERO,
                    2 => &UPWARD,
                    _ => &DOWNWARD,
                }
            }
        }
    };
}

macro_rules! all {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        $(fused! { $kernel crate::enclosure::$function, $parameters })*
    };
}
crate::for_each_enclosed!(all);

/// What leaves every result open: 0 for a verified function, else all ones, so that one branch
/// decides for both reasons.
#[inline(always)]
fn distrust(verified: bool) -> u32 {
    u32::from(verified).wrapping_sub(1)
}

/// The bits of a result, of the bits of an operand. The switch is used last, so that its load takes
/// no time of its own.
///
/// # Safety
///
/// If `verified`, `table` has the results of all operands.
#[inline(always)]
pub unsafe fn one_by<K: Fused<F>, F: Format, D: Direction, M: Machine>(
    m: M,
    (verified, table): (bool, *const u16),
    x: u16,
) -> u16 {
    let [result, open] = crate::enclosure::one::<K, F, D, M>(m, x);
    if u32::from(open) | distrust(verified) == 0 {
        result
    } else if verified {
        // SAFETY: the caller's.
        unsafe { *table.add(usize::from(x)) }
    } else {
        K::exactly::<D>(x)
    }
}

/// The bits of two results, of the bits of two operands, the first in the low half.
///
/// # Safety
///
/// As above.
#[inline(always)]
pub unsafe fn two_by<K: Fused<F>, F: Format, D: Direction, M: Machine>(
    m: M,
    (verified, table): (bool, *const u16),
    x: u32,
) -> u32 {
    let [results, open] = crate::enclosure::pair::<K, F, D, M>(m, x);
    if open | distrust(verified) == 0 {
        return results;
    }
    let halves = [x as u16, (x >> 16) as u16];
    let [low, high] = if verified {
        // Both, since the second one costs less than to find out which is open.
        // SAFETY: the caller's.
        halves.map(|x| unsafe { *table.add(usize::from(x)) })
    } else {
        halves.map(K::exactly::<D>)
    };
    u32::from(low) | u32::from(high) << 16
}

/// Whether a result that the approximation decides, alone or in either half of a pair, is not the
/// one that is due.
#[inline(always)]
pub fn differs<K: Function, F: Format, D: Direction, M: Machine>(m: M, x: u16, due: u16) -> bool {
    let wrong = |[result, open]: [u16; 2]| open == 0 && result != due;
    let word = u32::from(x) | u32::from(!x) << 16;
    let low = crate::enclosure::pair::<K, F, D, M>(m, word).map(|word| word as u16);
    let high = crate::enclosure::pair::<K, F, D, M>(m, word.rotate_left(16));
    wrong(crate::enclosure::one::<K, F, D, M>(m, x))
        || wrong(low)
        || wrong(high.map(|word| (word >> 16) as u16))
}

/// The switch and the table of this device.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn here<K: Fused<F>, F: Format, D: Direction>() -> (bool, *const u16) {
    (K::switch().is_on::<D>(), K::results::<D>().table())
}

/// The bits of a result, of the bits of an operand.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn one<K: Fused<F>, F: Format, D: Direction>(x: u16) -> u16 {
    // SAFETY: `verify` fills the table before it turns the switch on.
    unsafe { one_by::<K, F, D, _>(crate::enclosure::Device, here::<K, F, D>(), x) }
}

/// The bits of two results, of the bits of two operands, the first in the low half.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn two<K: Fused<F>, F: Format, D: Direction>(x: u32) -> u32 {
    // SAFETY: `verify` fills the table before it turns the switch on.
    unsafe { two_by::<K, F, D, _>(crate::enclosure::Device, here::<K, F, D>(), x) }
}

#[cfg(test)]
mod tests {
    use super::{Fused, differs, one_by, two_by};
    use crate::enclosure::{
        Bfloat, Direction, Downward, Format, Function, Half, Machine, Moved, Nearest, Sigmoid,
        Sign, TowardZero, Upward, for_each_enclosed,
    };

    const MACHINE: Moved = Moved([0; 3]);

    /// Sigmoid's kernel with a wrong approximation.
    struct Faulty;
    impl Function for Faulty {
        const SIGN: Sign = Sigmoid::SIGN;
        const ULPS: [u32; 2] = Sigmoid::ULPS;
        fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
            Sigmoid::near::<F, M>(m, x) * (1.0 + 1.0 / 32768.0)
        }
    }
    crate::fused! { sigmoid Faulty, [] }

    fn kernels<K: Fused<F>, F: Format, D: Direction>() -> Vec<u16> {
        (0..=u16::MAX).map(K::exactly::<D>).collect()
    }

    /// Whether every result is the kernel's, alone and in both halves.
    fn is_right<K: Fused<F>, F: Format, D: Direction>(due: &[u16], table: Option<&[u16]>) -> bool {
        assert!(table.is_none_or(|table| table.len() == due.len()));
        let from = (
            table.is_some(),
            table.map_or(std::ptr::null(), <[u16]>::as_ptr),
        );
        // SAFETY: it has as many.
        let two = |x| unsafe { two_by::<K, F, D, _>(MACHINE, from, x) };
        (0..=u16::MAX).all(|x| {
            let due = due[usize::from(x)];
            let word = u32::from(x) | u32::from(!x) << 16;
            // SAFETY: it has as many.
            let one = unsafe { one_by::<K, F, D, _>(MACHINE, from, x) };
            one == due && two(word) as u16 == due && (two(word.rotate_left(16)) >> 16) as u16 == due
        })
    }

    fn differences<K: Function, F: Format, D: Direction>(due: &[u16]) -> usize {
        (0..=u16::MAX)
            .filter(|x| differs::<K, F, D, _>(MACHINE, *x, due[usize::from(*x)]))
            .count()
    }

    fn verified_and_right<K: Fused<F>, F: Format, D: Direction>(name: &str) {
        let due = kernels::<K, F, D>();
        assert_eq!(differences::<K, F, D>(&due), 0, "{name} {:?}", D::ROUNDING);
        assert!(
            is_right::<K, F, D>(&due, Some(&due)),
            "{name} {:?}",
            D::ROUNDING
        );
    }

    fn in_all_directions<K: Fused<F>, F: Format>(name: &str) {
        verified_and_right::<K, F, Nearest>(name);
        verified_and_right::<K, F, TowardZero>(name);
        verified_and_right::<K, F, Upward>(name);
        verified_and_right::<K, F, Downward>(name);
    }

    macro_rules! every_function {
        ($($kernel:ident $function:ident $parameters:tt,)*) => {
            #[test]
            fn every_function_is_verified_and_right() {
                $({
                    use crate::enclosure::$function;
                    in_all_directions::<$function, Half>(stringify!($kernel));
                    in_all_directions::<$function, Bfloat>(stringify!($kernel));
                })*
            }
        };
    }
    for_each_enclosed!(every_function);

    /// A wrong approximation is found; while its switch is off, the results are right.
    #[test]
    fn a_wrong_function_is_refused() {
        fn refused<F: Format, D: Direction>(least: usize)
        where
            Faulty: Fused<F>,
        {
            let due = kernels::<Faulty, F, D>();
            assert!(differences::<Faulty, F, D>(&due) > least);
            assert!(!is_right::<Faulty, F, D>(&due, Some(&due)));
            assert!(is_right::<Faulty, F, D>(&due, None));
        }
        refused::<Half, Nearest>(100);
        refused::<Bfloat, Nearest>(20);
        refused::<Half, Upward>(100);
        refused::<Bfloat, Downward>(20);
    }

    /// What is not decided comes from the table: no other word is read, and a wrong one shows.
    #[test]
    fn undecided_results_are_the_tables() {
        let due = kernels::<Sigmoid, Half, Nearest>();
        let marked: Vec<u16> = due.iter().map(|result| !result).collect();
        let from = (true, marked.as_ptr());
        let mut open = 0;
        for x in 0..=u16::MAX {
            // SAFETY: it has 65,536.
            let made = unsafe { one_by::<Sigmoid, Half, Nearest, _>(MACHINE, from, x) };
            let decided = crate::enclosure::one::<Sigmoid, Half, Nearest, _>(MACHINE, x)[1] == 0;
            let from = if decided { &due } else { &marked };
            assert_eq!(made, from[usize::from(x)], "{x:04x}");
            open += usize::from(!decided);
        }
        // NaNs are among them.
        assert!(open > 2000, "{open}");
    }
}
