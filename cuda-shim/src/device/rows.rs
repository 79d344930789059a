//! One entry for each row of the catalog, and a second one for stochastic rounding.
//!
//! An entry is named as its row, with underscores for dots. Its parameters: the operands, the
//! results, `flags` (a byte an element in TestFloat's bits; null if nobody asks), `n`, then what
//! its kind takes, as numbers of [`abi`](crate::abi):
//!
//! | kind | further parameters |
//! |---|---|
//! | `exact`, `silent` | none |
//! | `mode` | `mode` |
//! | `stochastic` | `mode`; in the entry `.._stochastic` 16 random bits an element, `overflow` |
//! | `policy` | `policy` |
//! | `bounds` | in the entries `.._bound_f32` and so on `min`, `max`, `mode` |
//! | `bounds_nan` | in the entries `.._bound_f32` and so on `min`, `max`, `nan` |
//! | `nan` | `nan` |
//! | `nan_mode` | `nan`, `mode` |
//! | `with` | the bits of its f32 parameters, then those of its other kind |
//!
//! Entries `.._vector` are the same kernels, 16 bytes at a time, where a table cannot be: one
//! operand of another width than 16 bits, no flags, the IEEE overflow rule. Their parameters: the
//! operand, the result, `n`, then `rounding`, or for the encoder `policy`.

use super::grid::for_each_own;
use super::vector;
use super::word::{Element, Results, f32, f64};
use crate::abi::{decode_mode, decode_nan, decode_overflow, decode_policy, lanes};
use bitexact::activation::{self, Bounds};
use bitexact::arith::{self, Class};
use bitexact::catalog::Refused;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{self, E8M0, MxInt8};
use bitexact::{Mode, Rounding, Status, bf16, convert, f16, math};

/// Writes an element's results and flags.
///
/// # Safety
///
/// The slices have more than `i` elements; `flags` may be null, and `second` where there is none.
#[inline(always)]
unsafe fn write<R: Results>(
    first: *mut R::First,
    second: *mut R::Second,
    flags: *mut u8,
    i: usize,
    (results, status): (R, Status),
) {
    let (one, two) = results.put();
    // SAFETY: the caller's.
    unsafe {
        *first.add(i) = one;
        *second.add(i) = two;
        if !flags.is_null() {
            *flags.add(i) = status.bits();
        }
    }
}

macro_rules! entry {
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; silent $path:path; $doc:literal) => {
        entry! { @name $kernel $suffix "" $operands $result [] {} |i| () silent $path }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; exact $path:path; $doc:literal) => {
        entry! { @name $kernel $suffix "" $operands $result [] {} |i| () status $path }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; mode $path:path; $doc:literal) => {
        entry! {
            @name $kernel $suffix "" $operands $result [mode: u32]
            { let mode = decode_mode(mode); } |i| (mode) status $path
        }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        stochastic $path:path, $stochastic:path; $doc:literal
    ) => {
        entry! {
            @name $kernel $suffix "" $operands $result [mode: u32]
            { let mode = decode_mode(mode); } |i| (mode) status $path
        }
        entry! {
            @name $kernel $suffix "_stochastic" $operands $result
            [random: *const u16, overflow: u32]
            { let overflow = decode_overflow(overflow); } |i| (*random.add(i), overflow)
            status $stochastic
        }
        entry! { @vector $kernel $suffix $operands $result $path }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; policy $path:path; $doc:literal) => {
        entry! {
            @name $kernel $suffix "" $operands $result [policy: u64]
            { let policy = decode_policy(policy); } |i| (&policy) status $path
        }
        entry! { @vector $kernel $suffix $operands $result $path }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; bounds $path:path; $doc:literal) => {
        entry! {
            @bounds
            {
                $kernel $suffix $operands $result [mode: u32]
                { let mode = decode_mode(mode); } (mode) $path
            }
            f32 "_bound_f32" f64 "_bound_f64" f16 "_bound_f16" bf16 "_bound_bf16"
        }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; bounds_nan $path:path; $doc:literal) => {
        entry! {
            @bounds
            {
                $kernel $suffix $operands $result [nan: u32]
                { let nan = decode_nan(nan); } (nan) $path
            }
            f32 "_bound_f32" f64 "_bound_f64" f16 "_bound_f16" bf16 "_bound_bf16"
        }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; nan $path:path; $doc:literal) => {
        entry! {
            @name $kernel $suffix "" $operands $result [nan: u32]
            { let nan = decode_nan(nan); } |i| (nan) status $path
        }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; nan_mode $path:path; $doc:literal) => {
        entry! {
            @name $kernel $suffix "" $operands $result [nan: u32, mode: u32]
            { let (nan, mode) = (decode_nan(nan), decode_mode(mode)); } |i| (nan, mode)
            status $path
        }
    };

    // Parameters that the kernel refuses write nothing; the host side refuses them too.
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        with ($p:tt $checks:tt $arguments:tt exact) $path:path; $doc:literal
    ) => {
        entry! { @with $kernel $suffix $operands $result $p $checks $arguments [] {} () $path }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        with ($p:tt $checks:tt $arguments:tt mode) $path:path; $doc:literal
    ) => {
        entry! {
            @with $kernel $suffix $operands $result $p $checks $arguments [mode: u32]
            { let mode = decode_mode(mode); } (mode) $path
        }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        with ($p:tt $checks:tt $arguments:tt nan) $path:path; $doc:literal
    ) => {
        entry! {
            @with $kernel $suffix $operands $result $p $checks $arguments [nan: u32]
            { let nan = decode_nan(nan); } (nan) $path
        }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        with ($p:tt $checks:tt $arguments:tt nan_mode) $path:path; $doc:literal
    ) => {
        entry! {
            @with $kernel $suffix $operands $result $p $checks $arguments [nan: u32, mode: u32]
            { let (nan, mode) = (decode_nan(nan), decode_mode(mode)); } (nan, mode) $path
        }
    };
    (
        @with $kernel:ident $suffix:tt $operands:tt $result:tt
        [$($p:ident)*] {$($check:tt)*} ($($argument:ident)*)
        [$($more:ident: $ty:ty),*] {$($decode:tt)*} ($($last:ident),*) $path:path
    ) => {
        entry! {
            @name $kernel $suffix "" $operands $result [$($p: u32,)* $($more: $ty),*]
            {
                let arguments = || {
                    $(let $p = <f32 as Element>::get($p);)*
                    $($check)*
                    Ok::<_, Refused>(($($argument,)*))
                };
                let Ok(($($argument,)*)) = arguments() else { return };
                $($decode)*
            }
            |i| ($($argument,)* $($last),*) status $path
        }
    };

    // Bounds that are none write nothing; the host side refuses them.
    (@bounds $row:tt $($bound:ident $ending:literal)*) => {
        $(entry! { @bound $bound $ending $row })*
    };
    (
        @bound $bound:ident $ending:literal
        {
            $kernel:ident $suffix:tt $operands:tt $result:tt [$more:ident: u32]
            {$($decode:tt)*} ($argument:ident) $path:path
        }
    ) => {
        entry! {
            @name $kernel $suffix $ending $operands $result
            [
                min: <$bound as Element>::Word,
                max: <$bound as Element>::Word,
                $more: u32
            ]
            {
                let (min, max) = (<$bound as Element>::get(min), <$bound as Element>::get(max));
                let Ok(bounds) = Bounds::new(min, max) else { return };
                $($decode)*
            }
            |i| (bounds, $argument) status $path
        }
    };

    // A name, and names for the operands.
    (@name $kernel:ident [$($suffix:ident)*] $ending:literal $($rest:tt)*) => {
        entry! {
            @operands
            (concat!(stringify!($kernel) $(, "_", stringify!($suffix))*, $ending)) $($rest)*
        }
    };
    (@operands $name:tt ($a:ident) $($rest:tt)*) => {
        entry! { @results $name (a: $a) $($rest)* }
    };
    (@operands $name:tt ($a:ident, $b:ident) $($rest:tt)*) => {
        entry! { @results $name (a: $a, b: $b) $($rest)* }
    };
    (@operands $name:tt ($a:ident, $b:ident, $c:ident) $($rest:tt)*) => {
        entry! { @results $name (a: $a, b: $b, c: $c) $($rest)* }
    };
    (@results $name:tt $operands:tt ($first:ident, $second:ident) $($rest:tt)*) => {
        entry! {
            @emit $name $operands (first: $first, second: $second)
            {} (first, second): ($first, $second) $($rest)*
        }
    };
    (@results $name:tt $operands:tt $first:ident $($rest:tt)*) => {
        entry! {
            @emit $name $operands (first: $first)
            { let second = core::ptr::null_mut::<()>(); } (first, second): $first $($rest)*
        }
    };
    (
        @emit ($name:expr) ($($x:ident: $ty:ident),+) ($($out:ident: $result:ident),+)
        {$($before:tt)*} ($first:ident, $second:ident): $both:tt
        [$($p:ident: $p_ty:ty),* $(,)?] {$($decode:tt)*} |$i:ident| ($($more:expr),* $(,)?)
        $kind:ident $path:path
    ) => {
        const _: () = {
            /// # Safety
            ///
            /// Every pointer is valid for `n` elements (`flags` may be null), and nothing else
            /// uses the results and flags meanwhile.
            #[unsafe(export_name = $name)]
            pub unsafe extern "ptx-kernel" fn entry(
                $($x: *const <$ty as Element>::Word,)+
                $($out: *mut <$result as Element>::Word,)+
                flags: *mut u8,
                n: usize,
                $($p: $p_ty,)*
            ) {
                $($before)*
                $($decode)*
                for_each_own(n, |$i| {
                    // SAFETY: i < n, and the caller vouches for the pointers.
                    unsafe {
                        let done = entry!(
                            @$kind $path($(<$ty as Element>::get(*$x.add($i)),)+ $($more),*)
                        );
                        write::<$both>($first, $second, flags, $i, done);
                    }
                });
            }
        };
    };
    (@status $call:expr) => { $call };
    (@silent $call:expr) => { ($call, Status::NONE) };

    // Vector entries: of operands that are not 16 bits wide.
    (@vector $kernel:ident $suffix:tt (f16) $($rest:tt)*) => {};
    (@vector $kernel:ident $suffix:tt (bf16) $($rest:tt)*) => {};
    (@vector e8m0_encode $suffix:tt $operands:tt $result:ident $path:path) => {
        entry! {
            @name_vector e8m0_encode $suffix $operands $result [policy: u64]
            { let policy = decode_policy(policy); } (()) [() => &policy;] $path
        }
    };
    (@vector convert $($row:tt)*) => { entry! { @vector_mode convert $($row)* } };
    (@vector sqrt $($row:tt)*) => { entry! { @vector_mode sqrt $($row)* } };
    (@vector e8m0_decode $($row:tt)*) => { entry! { @vector_mode e8m0_decode $($row)* } };
    (@vector $($other:tt)*) => {};
    // A loop for each rounding: known beforehand, it costs half.
    (@vector_mode $kernel:ident $suffix:tt $operands:tt $result:ident $path:path) => {
        entry! {
            @name_vector $kernel $suffix $operands $result [mode: u32] {}
            (decode_mode(mode).rounding)
            [
                Rounding::TiesToEven => Mode::TIES_TO_EVEN;
                Rounding::TiesToAway => Mode::ieee(Rounding::TiesToAway);
                Rounding::TowardZero => Mode::ieee(Rounding::TowardZero);
                Rounding::TowardPositive => Mode::ieee(Rounding::TowardPositive);
                Rounding::TowardNegative => Mode::ieee(Rounding::TowardNegative);
                Rounding::ToOdd => Mode::ieee(Rounding::ToOdd);
            ]
            $path
        }
    };
    (
        @name_vector $kernel:ident [$($suffix:ident)*] ($operand:ident) $result:ident
        [$p:ident: $p_ty:ty] {$($decode:tt)*} ($which:expr) [$($case:pat => $more:expr;)*]
        $path:path
    ) => {
        const _: () = {
            /// # Safety
            ///
            /// Both pointers are valid for `n` elements, and nothing else uses the result
            /// meanwhile.
            #[unsafe(export_name = concat!(
                stringify!($kernel) $(, "_", stringify!($suffix))*, "_vector"
            ))]
            pub unsafe extern "ptx-kernel" fn entry(
                a: *const <$operand as Element>::Word,
                first: *mut <$result as Element>::Word,
                n: usize,
                $p: $p_ty,
            ) {
                const LANES: usize = lanes(
                    size_of::<<$operand as Element>::Word>(),
                    size_of::<<$result as Element>::Word>(),
                );
                $($decode)*
                // SAFETY: the caller's.
                unsafe {
                    match $which {
                        $($case => vector::map::<_, _, LANES, 1>(a, first, n, |a| {
                            let (result, _): ($result, Status) =
                                $path(<$operand as Element>::get(a), $more);
                            Element::put(result)
                        }),)*
                    }
                }
            }
        };
    };
}

bitexact::for_each_kernel!(entry);
