//! One C function for each row of the catalog: `bitexact_add_f16`, `bitexact_convert_f32_bf16`, and
//! `..._stochastic` beside those that have it. `bitexact.h` declares and explains them.
//!
//! An argument that C can give and Rust cannot (a rounding that is none, bounds out of order) gives
//! 0 (for the result's type: +0, false, the first class) and the flag [`WRONG_ARGUMENT`] alone.
//!
//! Built for `nvptx64-nvidia-cuda` the same functions are device functions, for CUDA C++ to link:
//! `bitexact.cuh` of the GPU crate declares them.
#![no_std]

use kernels::activation::{self, Bounds, NanGradient};
use kernels::arith::{self, Class};
use kernels::catalog::Refused;
use kernels::convert;
use kernels::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use kernels::math;
use kernels::scale::{self, E8M0, MxInt8, PRESETS, ScalePolicy};
use kernels::{Mode, Overflow, Rounding, Status, bf16, f16};

/// The flag of an argument that is no value of its type.
pub const WRONG_ARGUMENT: u8 = 0x80;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        // Nobody defines it: ci/firmware.sh links, so that a panic that is left fails the link.
        fn bitexact_a_panic_survived() -> !;
    }
    // SAFETY: never linked.
    unsafe { bitexact_a_panic_survived() }
}

/// A type as C passes it.
trait C: Sized {
    type C: Default;
    fn of(c: Self::C) -> Self;
    fn to(self) -> Self::C;
}

macro_rules! by_bits {
    ($($ty:ident $c:ty;)*) => {
        $(impl C for $ty {
            type C = $c;
            fn of(c: $c) -> Self {
                Self::from_bits(c)
            }
            fn to(self) -> $c {
                self.to_bits()
            }
        })*
    };
}
by_bits! {
    f16 u16; bf16 u16; E8M0 u8; E5M2 u8; E4M3FN u8; E5M2FNUZ u8; E4M3FNUZ u8; E2M3 u8; E3M2 u8;
    E2M1 u8; MxInt8 u8;
}

macro_rules! as_is {
    ($($ty:ident)*) => {
        $(impl C for $ty {
            type C = $ty;
            fn of(c: $ty) -> Self {
                c
            }
            fn to(self) -> $ty {
                self
            }
        })*
    };
}
#[cfg(not(target_arch = "nvptx64"))]
as_is! { f32 f64 }
// C's floats lie where words of their size do. Were they Rust's own, LLVM would make float
// instructions of a masked sign, which may change a NaN.
#[cfg(target_arch = "nvptx64")]
use kernels::format::{Binary32 as f32, Binary64 as f64};
#[cfg(target_arch = "nvptx64")]
by_bits! { f32 u32; f64 u64; }

as_is! { i8 i16 i32 i64 u8 u16 u32 u64 bool }

impl C for Class {
    type C = u8;
    fn of(_: u8) -> Self {
        Self::SignalingNan
    }
    fn to(self) -> u8 {
        self as u8
    }
}

/// Adds flags to the caller's, who may not want any.
///
/// # Safety
///
/// `flags` is null or points to a byte.
unsafe fn raise(flags: *mut u8, raised: u8) {
    // SAFETY: the caller's.
    if let Some(flags) = unsafe { flags.as_mut() } {
        *flags |= raised;
    }
}

fn rounding(number: u32) -> Option<Rounding> {
    Rounding::ALL.get(number as usize).copied()
}

fn overflow(number: u32) -> Option<Overflow> {
    Overflow::ALL.get(number as usize).copied()
}

fn mode(rounding: u32, overflow: u32) -> Option<Mode> {
    Some(Mode::new(
        self::rounding(rounding)?,
        self::overflow(overflow)?,
    ))
}

fn policy(number: u32) -> Option<&'static ScalePolicy> {
    PRESETS.get(number as usize).map(|(_, policy)| policy)
}

fn nan(number: u32) -> Option<NanGradient> {
    let rules = [NanGradient::Pass, NanGradient::Zero, NanGradient::Propagate];
    rules.get(number as usize).copied()
}

/// A bound as C passes it.
type Float = <f32 as C>::C;

fn bounds(min: Float, max: Float) -> Option<Bounds<f32>> {
    Bounds::new(f32::of(min), f32::of(max)).ok()
}

/// A function of C's: its operands, its further arguments, and what it does with them.
macro_rules! define {
    ([$($name:tt)*] ($($n:ident: $t:ident),*) $r:ident, ($($m:ident: $mt:ty),* $(,)?) $call:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("bitexact", $("_", stringify!($name)),*))]
            extern "C" fn function($($n: <$t as C>::C,)* $($m: $mt,)* flags: *mut u8) -> <$r as C>::C {
                $(let $n = <$t as C>::of($n);)*
                let answer: Option<($r, Status)> = (|| $call)();
                // SAFETY: the header says what `flags` is.
                unsafe {
                    match answer {
                        Some((result, status)) => {
                            raise(flags, status.bits());
                            result.to()
                        }
                        None => {
                            raise(flags, WRONG_ARGUMENT);
                            Default::default()
                        }
                    }
                }
            }
        };
    };
}

macro_rules! export {
    ($name:tt ($a:ident) $($rest:tt)*) => {
        export! { @ $name (a: $a) (a) $($rest)* }
    };
    ($name:tt ($a:ident, $b:ident) $($rest:tt)*) => {
        export! { @ $name (a: $a, b: $b) (a, b) $($rest)* }
    };
    ($name:tt ($a:ident, $b:ident, $c:ident) $($rest:tt)*) => {
        export! { @ $name (a: $a, b: $b, c: $c) (a, b, c) $($rest)* }
    };
    (@ [$($name:tt)*] ($($n:ident: $t:ident),*) $args:tt $r:ident silent $path:path) => {
        const _: () = {
            #[unsafe(export_name = concat!("bitexact", $("_", stringify!($name)),*))]
            extern "C" fn function($($n: <$t as C>::C),*) -> <$r as C>::C {
                $path($(<$t as C>::of($n)),*).to()
            }
        };
    };
    (@ [$($name:tt)*] ($($n:ident: $t:ident),*) $args:tt ($p:ident, $q:ident) exact $path:path) => {
        const _: () = {
            #[unsafe(export_name = concat!("bitexact", $("_", stringify!($name)),*))]
            extern "C" fn function(
                $($n: <$t as C>::C,)* second: *mut <$q as C>::C, flags: *mut u8,
            ) -> <$p as C>::C {
                let ((first, other), status) = $path($(<$t as C>::of($n)),*);
                // SAFETY: the header says what the pointers are.
                unsafe {
                    if let Some(second) = second.as_mut() {
                        *second = other.to();
                    }
                    raise(flags, status.bits());
                }
                first.to()
            }
        };
    };
    (@ [$($name:tt)*] ($($n:ident: $t:ident),*) $args:tt ($p:ident, $q:ident) mode $path:path) => {
        const _: () = {
            #[unsafe(export_name = concat!("bitexact", $("_", stringify!($name)),*))]
            extern "C" fn function(
                $($n: <$t as C>::C,)* second: *mut <$q as C>::C, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> <$p as C>::C {
                let Some(mode) = mode(rounding, overflow) else {
                    // SAFETY: the header says what the pointer is.
                    unsafe { raise(flags, WRONG_ARGUMENT) };
                    return Default::default();
                };
                let ((first, other), status) = $path($(<$t as C>::of($n),)* mode);
                // SAFETY: the header says what the pointers are.
                unsafe {
                    if let Some(second) = second.as_mut() {
                        *second = other.to();
                    }
                    raise(flags, status.bits());
                }
                first.to()
            }
        };
    };
    (@ $name:tt $operands:tt ($($n:ident),*) $r:ident exact $path:path) => {
        define! { $name $operands $r, () Some($path($($n),*)) }
    };
    (@ $name:tt $operands:tt ($($n:ident),*) $r:ident mode $path:path) => {
        define! { $name $operands $r, (rounding: u32, overflow: u32)
            Some($path($($n,)* mode(rounding, overflow)?)) }
    };
    (@ [$($name:tt)*] $operands:tt ($($n:ident),*) $r:ident stochastic $path:path, $stochastic:path) => {
        define! { [$($name)*] $operands $r, (rounding: u32, overflow: u32)
            Some($path($($n,)* mode(rounding, overflow)?)) }
        define! { [$($name)* stochastic] $operands $r, (random: u16, rule: u32)
            Some($stochastic($($n,)* random, overflow(rule)?)) }
    };
    (@ $name:tt $operands:tt ($($n:ident),*) $r:ident policy $path:path) => {
        define! { $name $operands $r, (number: u32) Some($path($($n,)* policy(number)?)) }
    };
    (@ $name:tt $operands:tt ($($n:ident),*) $r:ident bounds $path:path) => {
        define! { $name $operands $r, (min: Float, max: Float, rounding: u32, overflow: u32)
            Some($path($($n,)* bounds(min, max)?, mode(rounding, overflow)?)) }
    };
    (@ $name:tt $operands:tt ($($n:ident),*) $r:ident bounds_nan $path:path) => {
        define! { $name $operands $r, (min: Float, max: Float, rule: u32)
            Some($path($($n,)* bounds(min, max)?, nan(rule)?)) }
    };
    (@ $name:tt $operands:tt ($($n:ident),*) $r:ident nan $path:path) => {
        define! { $name $operands $r, (rule: u32) Some($path($($n,)* nan(rule)?)) }
    };
    (@ $name:tt $operands:tt ($($n:ident),*) $r:ident nan_mode $path:path) => {
        define! { $name $operands $r, (rule: u32, rounding: u32, overflow: u32)
            Some($path($($n,)* nan(rule)?, mode(rounding, overflow)?)) }
    };
    // With parameters: what else the kind takes and how, then the whole.
    (
        @ $name:tt $operands:tt $args:tt $r:ident with ($p:tt $checks:tt $values:tt exact) $path:path
    ) => {
        export! { @with $name $operands $args $r $p $checks $values () () $path }
    };
    (
        @ $name:tt $operands:tt $args:tt $r:ident with ($p:tt $checks:tt $values:tt mode) $path:path
    ) => {
        export! {
            @with $name $operands $args $r $p $checks $values (rounding: u32, overflow: u32)
            (mode(rounding, overflow)?) $path
        }
    };
    (
        @ $name:tt $operands:tt $args:tt $r:ident with ($p:tt $checks:tt $values:tt nan) $path:path
    ) => {
        export! { @with $name $operands $args $r $p $checks $values (rule: u32) (nan(rule)?) $path }
    };
    (
        @ $name:tt $operands:tt $args:tt $r:ident
        with ($p:tt $checks:tt $values:tt nan_mode) $path:path
    ) => {
        export! {
            @with $name $operands $args $r $p $checks $values
            (rule: u32, rounding: u32, overflow: u32) (nan(rule)?, mode(rounding, overflow)?) $path
        }
    };
    (
        @with $name:tt $operands:tt ($($n:ident),*) $r:ident [$($p:ident)*] {$($check:tt)*}
        ($($value:ident)*) ($($m:ident: $mt:ty),*) ($($more:expr),*) $path:path
    ) => {
        define! { $name $operands $r, ($($p: Float,)* $($m: $mt),*) {
            $(let $p = f32::of($p);)*
            let values = || {
                $($check)*
                Ok::<_, Refused>(($($value,)*))
            };
            let ($($value,)*) = values().ok()?;
            Some($path($($n,)* $($value,)* $($more),*))
        } }
    };
}

macro_rules! row {
    (
        $kernel:ident [$($suffix:ident)*] $operands:tt -> $result:tt;
        $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal
    ) => {
        export! {
            [$kernel $($suffix)*] $operands $result $kind $(($($with)*))? $path $(, $stochastic)?
        }
    };
}
kernels::for_each_kernel!(row);
