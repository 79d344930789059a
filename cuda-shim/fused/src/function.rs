//! A function that is always right: its approximation where that is verified and decides, else its kernel.

use crate::Switch;
use crate::enclosure::{Direction, Format, Function, Machine};

/// A function in a format, with its kernel and its switch.
pub trait Fused<F: Format>: Function {
    /// The integer kernel.
    fn exactly<D: Direction>(x: u16) -> u16;
    /// Whether the approximation was verified on this device.
    fn switch() -> &'static Switch;
}

/// `fused! { kernel Type [parameters] }`: [`Fused`] for a type that approximates this kernel, in both formats.
#[macro_export]
macro_rules! fused {
    ($kernel:ident $function:ty, $parameters:tt) => {
        $crate::fused! { @ $kernel $function, $parameters f16 Half }
        $crate::fused! { @ $kernel $function, $parameters bf16 Bfloat }
    };
    (@ $kernel:ident $function:ty, $parameters:tt $ty:ident $format:ident) => {
        impl $crate::Fused<$crate::enclosure::$format> for $function {
            // In one place, since few elements need it.
            #[inline(never)]
            fn exactly<D: $crate::enclosure::Direction>(x: u16) -> u16 {
                $crate::exactly!($kernel $crate::bitexact::$ty, x, $parameters, D::MODE)
            }
            fn switch() -> &'static $crate::Switch {
                static SWITCH: $crate::Switch = $crate::Switch::off();
                &SWITCH
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

/// What leaves every result open: 0 for a verified function, else all ones, so that one branch decides for both reasons.
#[inline(always)]
fn distrust(verified: bool) -> u32 {
    u32::from(verified).wrapping_sub(1)
}

/// The bits of a result, of the bits of an operand. The switch is used last, so that its load takes no time of its own.
#[inline(always)]
pub fn one_by<K: Fused<F>, F: Format, D: Direction, M: Machine>(
    m: M,
    verified: bool,
    x: u16,
) -> u16 {
    let [result, open] = crate::enclosure::one::<K, F, D, M>(m, x);
    if u32::from(open) | distrust(verified) == 0 {
        result
    } else {
        K::exactly::<D>(x)
    }
}

/// The bits of two results, of the bits of two operands, the first in the low half.
#[inline(always)]
pub fn two_by<K: Fused<F>, F: Format, D: Direction, M: Machine>(
    m: M,
    verified: bool,
    x: u32,
) -> u32 {
    let [mut results, open] = crate::enclosure::pair::<K, F, D, M>(m, x);
    let open = open | distrust(verified);
    if open != 0 {
        let mut halves = u32::from(open as u16 != 0) | u32::from(open >> 16 != 0) << 1;
        // Threads of a warp that need the kernel for different halves call it together.
        while halves != 0 {
            let shift = if halves & 1 != 0 { 0 } else { 16 };
            halves &= halves - 1;
            let result = u32::from(K::exactly::<D>((x >> shift) as u16));
            results = results & !(0xFFFF << shift) | result << shift;
        }
    }
    results
}

/// Whether a result that the approximation decides, alone or in either half of a pair, is not the kernel's.
#[inline(always)]
pub fn differs<K: Fused<F>, F: Format, D: Direction, M: Machine>(m: M, x: u16) -> bool {
    let due = K::exactly::<D>(x);
    let wrong = |[result, open]: [u16; 2]| open == 0 && result != due;
    let word = u32::from(x) | u32::from(!x) << 16;
    let low = crate::enclosure::pair::<K, F, D, M>(m, word).map(|word| word as u16);
    let high = crate::enclosure::pair::<K, F, D, M>(m, word.rotate_left(16));
    wrong(crate::enclosure::one::<K, F, D, M>(m, x))
        || wrong(low)
        || wrong(high.map(|word| (word >> 16) as u16))
}

/// [`one_by`] this device, as its switch says.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn one<K: Fused<F>, F: Format, D: Direction>(x: u16) -> u16 {
    one_by::<K, F, D, _>(crate::enclosure::Device, K::switch().is_on::<D>(), x)
}

/// [`two_by`] this device, as its switch says.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn two<K: Fused<F>, F: Format, D: Direction>(x: u32) -> u32 {
    two_by::<K, F, D, _>(crate::enclosure::Device, K::switch().is_on::<D>(), x)
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

    /// Whether every result is the kernel's, alone and in both halves.
    fn is_right<K: Fused<F>, F: Format, D: Direction>(verified: bool) -> bool {
        (0..=u16::MAX).all(|x| {
            let due = K::exactly::<D>(x);
            let word = u32::from(x) | u32::from(!x) << 16;
            one_by::<K, F, D, _>(MACHINE, verified, x) == due
                && two_by::<K, F, D, _>(MACHINE, verified, word) as u16 == due
                && (two_by::<K, F, D, _>(MACHINE, verified, word.rotate_left(16)) >> 16) as u16
                    == due
        })
    }

    fn differences<K: Fused<F>, F: Format, D: Direction>() -> usize {
        (0..=u16::MAX)
            .filter(|x| differs::<K, F, D, _>(MACHINE, *x))
            .count()
    }

    fn verified_and_right<K: Fused<F>, F: Format, D: Direction>(name: &str) {
        assert_eq!(differences::<K, F, D>(), 0, "{name} {:?}", D::ROUNDING);
        assert!(is_right::<K, F, D>(true), "{name} {:?}", D::ROUNDING);
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
        assert!(differences::<Faulty, Half, Nearest>() > 100);
        assert!(differences::<Faulty, Bfloat, Nearest>() > 20);
        assert!(differences::<Faulty, Half, Upward>() > 100);
        assert!(differences::<Faulty, Bfloat, Downward>() > 20);
        assert!(!is_right::<Faulty, Half, Nearest>(true));
        assert!(!<Faulty as Fused<Half>>::switch().is_on::<Nearest>());
        assert!(is_right::<Faulty, Half, Nearest>(false));
        assert!(is_right::<Faulty, Bfloat, Upward>(false));
    }
}
