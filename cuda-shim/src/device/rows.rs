//! Entries of the catalog's rows: each of its own, or one that several rows share.
//!
//! An entry is named as its row, with underscores for dots. Its parameters: the operands, the
//! results, `flags` (a byte per element in TestFloat's bits; null if not requested), `n`, then its
//! other arguments as in [`catalog::Arguments`](bitexact::catalog::Arguments): the bits of
//! parameters, then a word for each choice. For stochastic rounding the random bits are an
//! additional slice. Invalid arguments write nothing; the host side rejects them.
//!
//! Entries `.._vector` are the same kernels, 16 bytes at a time, where a table is not possible (one
//! operand with a width other than 16 bits, no flags, the IEEE overflow rule) and the row is called
//! often. Their parameters: the
//! operand, the result, `n`, then `rounding`, or for the encoder `policy`.

use super::grid::for_each_own;
use super::vector;
use crate::abi::{decode_mode, decode_overflow, decode_policy, lanes};
use bitexact::catalog::{self, Arguments, Element, Kernel, names, types};
use bitexact::{Mode, Rounding};

/// The word of a type, and the type without floats. (With Rust's own floats, LLVM would turn a
/// masked sign into a float instruction, `abs.f32`, which may change a NaN.)
type Word<T> = <T as Element>::Word;
type Device<T> = <T as Element>::Device;
type Results<R> = <R as catalog::Results>::Device;
type Taken<A> = <A as Arguments>::Device;

macro_rules! entry {
    // Rows that share an entry: `composite/mixed.rs`.
    (kernel: from_int, $($row:tt)*) => {};
    (kernel: to_int, $($row:tt)*) => {};
    (kernel: e8m0_decode, $($row:tt)*) => {};
    (kernel: mxint8_decode, $($row:tt)*) => {};
    (kernel: mxint8_encode, $($row:tt)*) => {};
    (kernel: mxint8_encode_symmetric, $($row:tt)*) => {};
    (kernel: $kernel:ident, suffix: [$ty:ident], operands: $operands:tt, results: bool, $($row:tt)*) => {};
    (kernel: $kernel:ident, suffix: [$ty:ident], operands: $operands:tt, results: Class, $($row:tt)*) => {};
    (kernel: $kernel:ident, suffix: [$ty:ident], operands: $operands:tt, results: i32, $($row:tt)*) => {};
    (kernel: negate, $($row:tt)*) => {};
    (kernel: abs, $($row:tt)*) => {};
    (kernel: canonicalize, $($row:tt)*) => {};
    (kernel: next_up, $($row:tt)*) => {};
    (kernel: next_down, $($row:tt)*) => {};
    (kernel: logb, $($row:tt)*) => {};
    (kernel: minimum, $($row:tt)*) => {};
    (kernel: maximum, $($row:tt)*) => {};
    (kernel: minimum_number, $($row:tt)*) => {};
    (kernel: maximum_number, $($row:tt)*) => {};
    (kernel: minimum_magnitude, $($row:tt)*) => {};
    (kernel: maximum_magnitude, $($row:tt)*) => {};
    (kernel: minimum_magnitude_number, $($row:tt)*) => {};
    (kernel: maximum_magnitude_number, $($row:tt)*) => {};
    (kernel: copy_sign, $($row:tt)*) => {};
    (kernel: remainder, $($row:tt)*) => {};
    (kernel: fmod, $($row:tt)*) => {};
    // Rows that GPUs do not compute: `plans/src/catalog.rs`.
    (kernel: nextafter, $($row:tt)*) => {};
    (kernel: floor_divide, $($row:tt)*) => {};
    (kernel: floor_remainder, $($row:tt)*) => {};
    (kernel: erfinv, $($row:tt)*) => {};
    (kernel: logit, $($row:tt)*) => {};
    (kernel: xlogy, $($row:tt)*) => {};
    (kernel: xlog1py, $($row:tt)*) => {};
    (kernel: logaddexp, $($row:tt)*) => {};
    (kernel: logaddexp2, $($row:tt)*) => {};
    // Of these the rows that are called often have their own ones.
    (kernel: add, $($row:tt)*) => { entry! { @alike add $($row)* } };
    (kernel: sub, $($row:tt)*) => { entry! { @alike sub $($row)* } };
    (kernel: mul, $($row:tt)*) => { entry! { @alike mul $($row)* } };
    (kernel: div, $($row:tt)*) => { entry! { @alike div $($row)* } };
    (kernel: fma, $($row:tt)*) => { entry! { @alike fma $($row)* } };
    (kernel: sqrt, $($row:tt)*) => { entry! { @alike sqrt $($row)* } };
    (@alike $kernel:ident suffix: [f16], $($row:tt)*) => { entry! { @plain $kernel [f16] $($row)* } };
    (@alike $kernel:ident suffix: [bf16], $($row:tt)*) => { entry! { @plain $kernel [bf16] $($row)* } };
    (@alike $kernel:ident suffix: [f32], $($row:tt)*) => { entry! { @plain $kernel [f32] $($row)* } };
    (@alike $($other:tt)*) => {};
    (kernel: convert, suffix: [$from:ident $to:ident], $($row:tt)*) => {
        entry! { @from $from [$from $to] $to $($row)* }
    };
    (@from f32 $($row:tt)*) => { entry! { @to $($row)* } };
    (@from f16 $($row:tt)*) => { entry! { @to $($row)* } };
    (@from bf16 $($row:tt)*) => { entry! { @to $($row)* } };
    (@from e4m3fn $($row:tt)*) => { entry! { @to $($row)* } };
    (@from e5m2 $($row:tt)*) => { entry! { @to $($row)* } };
    (@from f64 [f64 f32] f32 $($row:tt)*) => { entry! { @packed convert [f64 f32] $($row)* } };
    (@from $($other:tt)*) => {};
    (@to $suffix:tt f32 $($row:tt)*) => { entry! { @plain convert $suffix $($row)* } };
    (@to $suffix:tt f16 $($row:tt)*) => { entry! { @plain convert $suffix $($row)* } };
    (@to $suffix:tt bf16 $($row:tt)*) => { entry! { @plain convert $suffix $($row)* } };
    (@to $suffix:tt e4m3fn $($row:tt)*) => { entry! { @plain convert $suffix $($row)* } };
    (@to $suffix:tt e5m2 $($row:tt)*) => { entry! { @plain convert $suffix $($row)* } };
    (@to [f32 f64] f64 $($row:tt)*) => { entry! { @packed convert [f32 f64] $($row)* } };
    (@to $($other:tt)*) => {};
    (@packed $kernel:ident $suffix:tt operands: $operands:tt, results: $results:tt, $($fields:tt)*) => {
        entry! { @vector $kernel $suffix $operands $results }
    };
    (
        @plain $kernel:ident $suffix:tt operands: $operands:tt, results: $results:tt,
        forms: [$({ending: $ending:literal, arguments: $of:ty, words: $words:tt, numbers: $numbers:tt})*],
        $($fields:tt)*
    ) => {
        $(entry! { @form $kernel $suffix $operands $results $ending $of, $words })*
        entry! { @vector $kernel $suffix $operands $results }
    };
    (
        kernel: $kernel:ident, suffix: $suffix:tt, operands: $operands:tt, results: $results:tt,
        forms: [$({ending: $ending:literal, arguments: $of:ty, words: $words:tt, numbers: $numbers:tt})*],
        stochastic: $stochastic:tt, $($fields:tt)*
    ) => {
        $(entry! { @form $kernel $suffix $operands $results $ending $of, $words })*
        entry! { @stochastic $kernel $suffix $operands $results $stochastic }
        entry! { @vector $kernel $suffix $operands $results }
    };

    // Bounds in other formats are widened.
    (@form $kernel:ident $suffix:tt $operands:tt $results:tt $ending:literal $of:ty,
        (min: f16, $($word:tt)*)) => {};
    (@form $kernel:ident $suffix:tt $operands:tt $results:tt $ending:literal $of:ty,
        (min: bf16, $($word:tt)*)) => {};
    (@form $kernel:ident $suffix:tt $operands:tt $results:tt $ending:literal $of:ty,
        (min: f32, $($word:tt)*)) => {};
    (@form $kernel:ident $suffix:tt $operands:tt $results:tt $ending:literal $of:ty,
        ($($word:ident: $ty:ident,)*)) => {
        entry! {
            @operands $operands $results $kernel $suffix $ending [$($word: Word<types::$ty>,)*]
            {
                let Ok(arguments) = Taken::<$of>::of_words(&[$($word.into()),*]) else {
                    return;
                };
            }
            |i| arguments
        }
    };
    (@stochastic $kernel:ident $suffix:tt $operands:tt $results:tt []) => {};
    (@stochastic $kernel:ident $suffix:tt $operands:tt $results:tt
        [{ending: $ending:literal, $($form:tt)*}]) => {
        entry! {
            @operands $operands $results $kernel $suffix $ending [random: *const u16, overflow: u32,]
            { let overflow = decode_overflow(overflow); } |i| (*random.add(i), overflow)
        }
    };

    // Names for the operands and the results.
    (@operands ($a:ident) $($rest:tt)*) => { entry! { @results (a: $a) $($rest)* } };
    (@operands ($a:ident, $b:ident) $($rest:tt)*) => {
        entry! { @results (a: $a, b: $b) $($rest)* }
    };
    (@operands ($a:ident, $b:ident, $c:ident) $($rest:tt)*) => {
        entry! { @results (a: $a, b: $b, c: $c) $($rest)* }
    };
    (@results $operands:tt ($first:ident, $second:ident) $($rest:tt)*) => {
        entry! {
            @emit $operands ($first, $second) ((one, two)) (first: $first = one, second: $second = two)
            $($rest)*
        }
    };
    (@results $operands:tt $first:ident $($rest:tt)*) => {
        entry! { @emit $operands $first (one) (first: $first = one) $($rest)* }
    };
    (
        @emit ($($x:ident: $ty:ident),+) $both:tt ($results:pat)
        ($($out:ident: $result:ident = $value:ident),+)
        $kernel:ident [$($suffix:ident)*] $ending:literal
        [$($p:ident: $p_ty:ty,)*] {$($decode:tt)*} |$i:ident| $arguments:expr
    ) => {
        const _: () = {
            /// # Safety
            ///
            /// Every pointer is valid for `n` elements (`flags` may be null), and nothing else
            /// uses the results and flags meanwhile.
            #[unsafe(export_name = concat!(
                stringify!($kernel) $(, "_", stringify!($suffix))*, $ending
            ))]
            pub unsafe extern "ptx-kernel" fn entry(
                $($x: *const Word<types::$ty>,)+
                $($out: *mut Word<types::$result>,)+
                flags: *mut u8,
                n: usize,
                $($p: $p_ty,)*
            ) {
                type R = Results<bitexact::results!($both)>;
                $($decode)*
                for_each_own(n, |$i| {
                    // SAFETY: i < n, and the caller guarantees the pointers.
                    unsafe {
                        let operands = ($(Device::<types::$ty>::from_word(*$x.add($i)),)+);
                        let ($results, status): (R, _) =
                            names::$kernel::call(operands, $arguments);
                        $(*$out.add($i) = $value.to_word();)+
                        if !flags.is_null() {
                            *flags.add($i) = status.bits();
                        }
                    }
                });
            }
        };
    };

    // Vector entries: of operands that are not 16 bits wide.
    (@vector $kernel:ident $suffix:tt (f16) $results:tt) => {};
    (@vector $kernel:ident $suffix:tt (bf16) $results:tt) => {};
    (@vector e8m0_encode $suffix:tt $operands:tt $result:ident) => {
        entry! {
            @name_vector e8m0_encode $suffix $operands $result [policy: u64]
            { let policy = decode_policy(policy); } (()) [() => policy;]
        }
    };
    (@vector convert $($row:tt)*) => { entry! { @vector_mode convert $($row)* } };
    (@vector sqrt $($row:tt)*) => { entry! { @vector_mode sqrt $($row)* } };
    (@vector $($other:tt)*) => {};
    // A loop for each rounding: with a constant rounding it costs half.
    (@vector_mode $kernel:ident $suffix:tt $operands:tt $result:ident) => {
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
        }
    };
    (
        @name_vector $kernel:ident [$($suffix:ident)*] ($operand:ident) $result:ident
        [$p:ident: $p_ty:ty] {$($decode:tt)*} ($which:expr) [$($case:pat => $arguments:expr;)*]
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
                a: *const Word<types::$operand>,
                first: *mut Word<types::$result>,
                n: usize,
                $p: $p_ty,
            ) {
                const LANES: usize = lanes(
                    size_of::<Word<types::$operand>>(),
                    size_of::<Word<types::$result>>(),
                );
                $($decode)*
                // SAFETY: the caller's.
                unsafe {
                    match $which {
                        $($case => vector::map::<_, _, LANES, 1>(a, first, n, |a| {
                            let operands = (Device::<types::$operand>::from_word(a),);
                            let (result, _): (Device<types::$result>, _) =
                                names::$kernel::call(operands, $arguments);
                            result.to_word()
                        }),)*
                    }
                }
            }
        };
    };
}

bitexact::for_each_kernel!(entry);
