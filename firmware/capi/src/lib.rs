//! One C function for each row of the catalog: `bitexact_add_f16`, `bitexact_convert_f32_bf16`,
//! with `..._stochastic` and `..._rne` (a literal ties to even, without flags) for those that have
//! it. `bitexact.h` declares and explains them. The functions of arrays and texts are in
//! [`composites`].
//!
//! An argument that C can pass and Rust cannot (an invalid rounding, bounds out of order) gives 0
//! (for the result's type: +0, false, the first class) and only the flag [`WRONG_ARGUMENT`].
//! P3109's functions, which raise no flags, give a word of ones, which is none of their results.
//!
//! Built for `nvptx64-nvidia-cuda` the same functions are device functions, for CUDA C++ to link:
//! `bitexact.cuh` of the GPU crate declares them.
#![no_std]

use kernels::Status;
use kernels::catalog::{Arguments, Kernel, names, types};

/// The flag of an argument that is not a value of its type.
pub const WRONG_ARGUMENT: u8 = 0x80;

/// The flag of data that a layer refuses.
#[cfg(not(target_arch = "nvptx64"))]
const SUMS_TOO_WIDE: u8 = 0x40;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        // It is defined nowhere: ci/firmware.sh links, so a remaining panic fails the link.
        fn bitexact_a_panic_survived() -> !;
    }
    // SAFETY: never linked.
    unsafe { bitexact_a_panic_survived() }
}

#[cfg(not(target_arch = "nvptx64"))]
mod composites;
#[cfg(not(target_arch = "nvptx64"))]
mod p3109;
mod passed;
use passed::{Here, HereArguments, HereResults, Number, Passed};

/// The number of the ABI, which changes when a function's declaration or a type's layout does.
#[cfg(not(target_arch = "nvptx64"))]
#[unsafe(no_mangle)]
pub extern "C" fn bitexact_abi() -> u32 {
    4
}

/// The version of the output bits: [`kernels::BITS`].
#[cfg(not(target_arch = "nvptx64"))]
#[unsafe(no_mangle)]
pub extern "C" fn bitexact_bits() -> u32 {
    kernels::BITS
}

/// A type, as C passes it.
type C<T> = <Here<T> as Passed>::C;

/// The type of the number of this name.
macro_rules! number {
    (formats $of:ident) => { passed::Word };
    (projection $of:ident) => { passed::Word };
    ($name:ident $of:ident) => { Here<types::$of> };
}

/// Adds flags to the caller's, if requested.
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

/// The kernel with arguments of these numbers, if they are valid. Always inline, so that literal
/// numbers remove the other modes.
#[inline(always)]
fn call<K, O, R, A>(operands: O, numbers: &[u64]) -> Option<(R, Status)>
where
    K: Kernel<O, R, A>,
    A: Arguments,
{
    let arguments = A::of_numbers(numbers).ok()?;
    Some(K::call(operands, arguments))
}

/// A C function: its operands, the pointer for its second result, the numbers of its other
/// arguments, the pointer for its flags.
macro_rules! define {
    // A code of P3109 in a word, without flags.
    (@wrong [] u32) => { u32::MAX };
    (@wrong $flags:tt $first:ident) => { Default::default() };
    ($name:tt $kernel:ident ($a:ident) $($rest:tt)*) => {
        define! { @ $name $kernel (a: $a) $($rest)* }
    };
    ($name:tt $kernel:ident ($a:ident, $b:ident) $($rest:tt)*) => {
        define! { @ $name $kernel (a: $a, b: $b) $($rest)* }
    };
    ($name:tt $kernel:ident ($a:ident, $b:ident, $c:ident) $($rest:tt)*) => {
        define! { @ $name $kernel (a: $a, b: $b, c: $c) $($rest)* }
    };
    (@ $name:tt $kernel:ident $operands:tt ($first:ident, $second:ident) $($rest:tt)*) => {
        define! {
            @@ $name $kernel $operands ((first, other) => first) $first [second: $second = other]
            $($rest)*
        }
    };
    (@ $name:tt $kernel:ident $operands:tt $first:ident $($rest:tt)*) => {
        define! { @@ $name $kernel $operands (first => first) $first [] $($rest)* }
    };
    (
        @@ ([$($suffix:ident)*] $ending:literal) $kernel:ident ($($x:ident: $t:ident),*)
        ($results:pat => $result:ident) $first:ident [$($second:ident: $other:ident = $value:ident)?]
        $both:tt $of:ty,
        ($($number:ident: $of_number:ident,)*) [$($literal:literal)*] [$($flags:ident)?]
    ) => {
        const _: () = {
            #[unsafe(export_name = concat!(
                "bitexact_", stringify!($kernel) $(, "_", stringify!($suffix))*, $ending
            ))]
            extern "C" fn function(
                $($x: C<types::$t>,)*
                $($second: *mut C<types::$other>,)?
                $($number: <number!($number $of_number) as Number>::C,)*
                $($flags: *mut u8,)?
            ) -> C<types::$first> {
                let answer = call::<
                    names::$kernel, _, HereResults<kernels::results!($both)>, HereArguments<$of>,
                >(
                    ($(<Here<types::$t> as Passed>::take($x),)*),
                    &[$(<number!($number $of_number) as Number>::bits($number),)* $($literal),*],
                );
                let Some(($results, _status)) = answer else {
                    // SAFETY: the header documents `flags`.
                    $(unsafe { raise($flags, WRONG_ARGUMENT) };)?
                    return define!(@wrong [$($flags)?] $first);
                };
                $(
                    // SAFETY: the header documents `second`.
                    if let Some($second) = unsafe { $second.as_mut() } {
                        *$second = $value.give();
                    }
                )?
                // SAFETY: the header documents `flags`.
                $(unsafe { raise($flags, _status.bits()) };)?
                $result.give()
            }
        };
    };
}

/// The form in ties to even with infinities on overflow, where the last arguments are a rounding
/// and an overflow rule, or a rounding: the numbers of these are literals.
#[cfg(not(target_arch = "nvptx64"))]
macro_rules! rne {
    ([$($taken:tt)*] (rounding: u32, overflow: u32,) $($definition:tt)*) => {
        define! { $($definition)* ($($taken)*) [0 0] [] }
    };
    ([$($taken:tt)*] (rounding: u32,) $($definition:tt)*) => {
        define! { $($definition)* ($($taken)*) [0] [] }
    };
    ([$($taken:tt)*] ($name:ident: $of:ident, $($rest:tt)*) $($definition:tt)*) => {
        rne! { [$($taken)* $name: $of,] ($($rest)*) $($definition)* }
    };
    ($taken:tt () $($definition:tt)*) => {};
}
#[cfg(target_arch = "nvptx64")]
macro_rules! rne {
    ($($definition:tt)*) => {};
}

// Bounds are f32: the first of the forms.
macro_rules! row {
    (
        kernel: $kernel:ident, suffix: $suffix:tt, operands: $operands:tt, results: $results:tt,
        forms: [
            {ending: $ending:literal, arguments: $of:ty, words: $words:tt, numbers: $numbers:tt}
            $($form:tt)*
        ],
        stochastic: [$({
            ending: $random:literal, arguments: $of_random:ty, words: $words_random:tt,
            numbers: $numbers_random:tt
        })?],
        generic: $generic:tt, call: $call:path, call_stochastic: $stochastic:tt, flags: $flags:tt,
        doc: $doc:literal
    ) => {
        define! {
            ($suffix "") $kernel $operands $results $results $of, $numbers [] $flags
        }
        $(define! {
            ($suffix $random) $kernel $operands $results $results $of_random, $numbers_random [] $flags
        })?
        rne! { [] $numbers ($suffix "_rne") $kernel $operands $results $results $of, }
    };
}
kernels::for_each_kernel!(row);
