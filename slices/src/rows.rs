//! The catalog's rows as types: one adapter for each kind of arguments.

use crate::args::Args;
use crate::element::{Element, Operands};
use crate::simd::bit_ops::{
    self, END, EQUAL, GREATER, INFINITE, LESS, MINUS, NORMAL, QUIET, SIGNALLING, SUBNORMAL,
    UNORDERED, ZERO,
};
use crate::simd::{self, Lane};
use bitexact::Status;
use bitexact::catalog::{self, names, types};
use enclosures::double;

/// A kernel of the catalog at operands `O`, results `R` and other arguments `A`.
///
/// Implemented for the types of [`kernel`](crate::kernel), at every choice of formats that the
/// catalog has; each type's page lists them.
pub trait Kernel<O: Operands, R, A: Args>: 'static {
    /// The branch-free form, if there is one.
    #[doc(hidden)]
    type Lane: Lane<O, R, A>;
    /// The kernel on one element.
    fn call(operands: O, args: A) -> (R, Status);
}

/// The kernel on a block of rows; returns the exceptions that any raised. This is the only place
/// where a kernel is compiled, once for each row of the catalog: loops, tables and threads all call
/// it.
#[inline(never)]
pub(crate) fn batch<K: Kernel<O, R, A>, O: Operands, R, A: Args>(
    operands: &[O],
    results: &mut [R],
    args: A,
) -> Status {
    let mut all = Status::NONE;
    for (operands, result) in operands.iter().zip(results) {
        let (value, status) = K::call(*operands, args);
        *result = value;
        all |= status;
    }
    all
}

/// The branch-free lane of a row.
macro_rules! lane {
    (convert (f32) f64) => { simd::NoLane };
    (convert (f32) f32) => { simd::NoLane };
    (convert (f32) $r:ident) => { simd::Narrow<types::$r> };
    (convert (f64) f64) => { simd::NoLane };
    (convert (f64) $r:ident) => { simd::FromF64<types::$r> };
    (convert (f16) f32) => { simd::Widen<types::f16> };
    (convert (bf16) f32) => { simd::Widen<types::bf16> };
    (e8m0_encode (f32) E8M0) => { simd::Encode };
    (e8m0_decode (E8M0) f32) => { simd::Decode<types::f32> };
    (e8m0_decode (E8M0) bf16) => { simd::Decode<types::bf16> };
    // Two codes of 8 bits have a table.
    ($kernel:ident ($a:ident, $b:ident) E5M2) => { simd::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E4M3FN) => { simd::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E5M2FNUZ) => { simd::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E4M3FNUZ) => { simd::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E2M3) => { simd::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E3M2) => { simd::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E2M1) => { simd::NoLane };
    (add ($a:ident, $b:ident) $r:ident) => { simd::Add<types::$a, types::$b, types::$r, false> };
    (sub ($a:ident, $b:ident) $r:ident) => { simd::Add<types::$a, types::$b, types::$r, true> };
    (mul ($a:ident, $b:ident) $r:ident) => { simd::Mul<types::$a, types::$b, types::$r> };
    (div (f32, f32) f32) => { simd::DivF32 };
    (sqrt (f16) f16) => { simd::Sqrt<types::f16> };
    (sqrt (bf16) bf16) => { simd::Sqrt<types::bf16> };
    (sqrt (f32) f32) => { simd::Sqrt<types::f32> };
    (round_to_integral (f16) f16) => { simd::Integral<types::f16> };
    (round_to_integral (bf16) bf16) => { simd::Integral<types::bf16> };
    (round_to_integral (f32) f32) => { simd::Integral<types::f32> };
    (exp (f32) f32) => { simd::ByF64<double::Exp> };
    (exp2 (f32) f32) => { simd::ByF64<double::Exp2> };
    (expm1 (f32) f32) => { simd::ByF64<double::Expm1> };
    (log (f32) f32) => { simd::ByF64<double::Log> };
    (log2 (f32) f32) => { simd::ByF64<double::Log2> };
    (log1p (f32) f32) => { simd::ByF64<double::Log1p> };
    (sin (f32) f32) => { simd::ByF64<double::Sin> };
    (cos (f32) f32) => { simd::ByF64<double::Cos> };
    (tanh (f32) f32) => { simd::ByF64<double::Tanh> };
    (erf (f32) f32) => { simd::ByF64<double::Erf> };
    (rsqrt (f32) f32) => { simd::ByF64<double::Rsqrt> };
    (reciprocal (f32) f32) => { simd::ByF64<double::Reciprocal> };
    (sigmoid (f32) f32) => { simd::ByF64<double::Sigmoid> };
    (silu (f32) f32) => { simd::ByF64<double::Silu> };
    (gelu (f32) f32) => { simd::ByF64<double::Gelu> };
    (gelu_tanh (f32) f32) => { simd::ByF64<double::GeluTanh> };
    (sigmoid_derivative (f32) f32) => { simd::ByF64<double::SigmoidDerivative> };
    (tanh_derivative (f32) f32) => { simd::ByF64<double::TanhDerivative> };
    (silu_derivative (f32) f32) => { simd::ByF64<double::SiluDerivative> };
    (gelu_derivative (f32) f32) => { simd::ByF64<double::GeluDerivative> };
    (gelu_tanh_derivative (f32) f32) => { simd::ByF64<double::GeluTanhDerivative> };
    (div (f32, $b:ident) $r:ident) => { simd::NoLane };
    (div ($a:ident, f32) $r:ident) => { simd::NoLane };
    (div ($a:ident, $b:ident) f32) => { simd::NoLane };
    (div ($a:ident, $b:ident) $r:ident) => { simd::Div<types::$a, types::$b, types::$r> };
    (fma (f32, $b:ident, $c:ident) f32) => { simd::FmaF32<types::f32, types::$b, types::$c> };
    (fma ($a:ident, f32, $c:ident) f32) => { simd::FmaF32<types::$a, types::f32, types::$c> };
    (fma (f32, $b:ident, $c:ident) $r:ident) => { simd::NoLane };
    (fma ($a:ident, f32, $c:ident) $r:ident) => { simd::NoLane };
    (fma ($a:ident, $b:ident, $c:ident) $r:ident) => { simd::Fma<types::$a, types::$b, types::$c, types::$r> };
    (minimum $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<false, false, false>> };
    (maximum $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<true, false, false>> };
    (minimum_number $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<false, false, true>> };
    (maximum_number $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<true, false, true>> };
    (minimum_magnitude $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<false, true, false>> };
    (maximum_magnitude $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<true, true, false>> };
    (minimum_magnitude_number $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<false, true, true>> };
    (maximum_magnitude_number $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Extremum<true, true, true>> };
    (copy_sign $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::CopySign> };
    (negate $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Sign<true>> };
    (abs $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Sign<false>> };
    (canonicalize $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Canonicalise> };
    (relu $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Rectify<false>> };
    (relu6 $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Rectify<true>> };
    (next_up $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Next<false>> };
    (next_down $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Next<true>> };
    (compare_quiet_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ EQUAL }, false>> };
    (compare_quiet_not_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | GREATER | UNORDERED }, false>> };
    (compare_quiet_greater $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER }, false>> };
    (compare_quiet_greater_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER | EQUAL }, false>> };
    (compare_quiet_less $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS }, false>> };
    (compare_quiet_less_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | EQUAL }, false>> };
    (compare_quiet_unordered $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ UNORDERED }, false>> };
    (compare_quiet_not_greater $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | EQUAL | UNORDERED }, false>> };
    (compare_quiet_less_unordered $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | UNORDERED }, false>> };
    (compare_quiet_not_less $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER | EQUAL | UNORDERED }, false>> };
    (compare_quiet_greater_unordered $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER | UNORDERED }, false>> };
    (compare_quiet_ordered $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | EQUAL | GREATER }, false>> };
    (compare_signaling_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ EQUAL }, true>> };
    (compare_signaling_not_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | GREATER | UNORDERED }, true>> };
    (compare_signaling_greater $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER }, true>> };
    (compare_signaling_greater_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER | EQUAL }, true>> };
    (compare_signaling_less $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS }, true>> };
    (compare_signaling_less_equal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | EQUAL }, true>> };
    (compare_signaling_not_greater $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | EQUAL | UNORDERED }, true>> };
    (compare_signaling_less_unordered $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ LESS | UNORDERED }, true>> };
    (compare_signaling_not_less $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER | EQUAL | UNORDERED }, true>> };
    (compare_signaling_greater_unordered $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Compare<{ GREATER | UNORDERED }, true>> };
    (total_order $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Total<false>> };
    (total_order_magnitude $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Total<true>> };
    (classify $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Classify> };
    (is_sign_minus $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<MINUS, END>> };
    (is_normal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<NORMAL, INFINITE>> };
    (is_finite $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<ZERO, INFINITE>> };
    (is_zero $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<ZERO, SUBNORMAL>> };
    (is_subnormal $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<SUBNORMAL, NORMAL>> };
    (is_infinite $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<INFINITE, SIGNALLING>> };
    (is_nan $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<SIGNALLING, MINUS>> };
    (is_signaling $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<SIGNALLING, QUIET>> };
    (is_canonical $operands:tt $result:ident) => { bit_ops::Codes<bit_ops::Is<ZERO, MINUS>> };
    ($kernel:ident $operands:tt $result:tt) => { simd::NoLane };
}

/// One implementation, in one form.
macro_rules! implement {
    (
        $kernel:ident ($($operand:ident),*) $results:tt [$($b:ident: $bound:ident)?] $of:ty, $lane:ty
    ) => {
        impl$(<$b: bitexact::format::$bound + Element>)?
            Kernel<($(types::$operand,)*), bitexact::results!($results), $of> for kernel::$kernel
        {
            type Lane = $lane;
            #[inline(always)]
            fn call(
                operands: ($(types::$operand,)*),
                args: $of,
            ) -> (bitexact::results!($results), Status) {
                <names::$kernel as catalog::Kernel<_, _, _>>::call(operands, args)
            }
        }
    };
}

macro_rules! row {
    (
        kernel: $kernel:ident, suffix: $suffix:tt, operands: $operands:tt, results: $results:tt,
        forms: $forms:tt,
        stochastic: [$({ending: $ending:literal, arguments: $random:ty, $($form:tt)*})?],
        generic: {generics: $generics:tt, arguments: $of:ty, $($generic:tt)*}, $($fields:tt)*
    ) => {
        implement! { $kernel $operands $results $generics $of, lane!($kernel $operands $results) }
        $(implement! { $kernel $operands $results [] $random, simd::NoLane })?
    };
}

bitexact::for_each_kernel!(row);

/// The catalog's kernels as types, which have no values: names for [`Kernel`].
#[allow(non_camel_case_types)]
pub mod kernel {
    macro_rules! name {
        (
            kernel: $kernel:ident, generics: $generics:tt, operands: $operands:tt,
            results: $results:tt, forms: $forms:tt, stochastic: $stochastic:tt, generic: $generic:tt,
            call: $call:path, call_stochastic: $call_stochastic:tt, flags: $flags:tt, doc: $doc:literal
        ) => {
            #[doc = $doc]
            #[derive(Debug)]
            pub enum $kernel {}
        };
    }
    bitexact::for_each_function!(name);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The kernels with branch-free lanes, and how many rows of each have one. A row that loses its
    /// lane still has the right bits: only its speed would tell.
    const LANES: &str = "\
        abs 3, add 27, canonicalize 3, classify 3, compare_quiet_equal 3, compare_quiet_greater \
        3, compare_quiet_greater_equal 3, compare_quiet_greater_unordered 3, compare_quiet_less \
        3, compare_quiet_less_equal 3, compare_quiet_less_unordered 3, compare_quiet_not_equal \
        3, compare_quiet_not_greater 3, compare_quiet_not_less 3, compare_quiet_ordered 3, \
        compare_quiet_unordered 3, compare_signaling_equal 3, compare_signaling_greater 3, \
        compare_signaling_greater_equal 3, compare_signaling_greater_unordered 3, \
        compare_signaling_less 3, compare_signaling_less_equal 3, \
        compare_signaling_less_unordered 3, compare_signaling_not_equal 3, \
        compare_signaling_not_greater 3, compare_signaling_not_less 3, convert 14, copy_sign 3, \
        cos 1, div 9, e8m0_decode 2, e8m0_encode 1, erf 1, exp 1, exp2 1, expm1 1, fma 51, gelu \
        1, gelu_derivative 1, gelu_tanh 1, gelu_tanh_derivative 1, is_canonical 3, is_finite 3, \
        is_infinite 3, is_nan 3, is_normal 3, is_sign_minus 3, is_signaling 3, is_subnormal 3, \
        is_zero 3, log 1, log1p 1, log2 1, maximum 3, maximum_magnitude 3, \
        maximum_magnitude_number 3, maximum_number 3, minimum 3, minimum_magnitude 3, \
        minimum_magnitude_number 3, minimum_number 3, mul 27, negate 3, next_down 3, next_up 3, \
        reciprocal 1, relu 3, relu6 3, round_to_integral 3, rsqrt 1, sigmoid 1, \
        sigmoid_derivative 1, silu 1, silu_derivative 1, sin 1, sqrt 3, sub 27, tanh 1, \
        tanh_derivative 1, total_order 3, total_order_magnitude 3";

    #[test]
    fn no_row_loses_its_lane() {
        let mut lanes = BTreeMap::<&str, u32>::new();
        macro_rules! count {
            (kernel: $kernel:ident, suffix: $suffix:tt, operands: $operands:tt, results: $results:tt, $($fields:tt)*) => {
                if !core::any::type_name::<lane!($kernel $operands $results)>().ends_with("NoLane") {
                    *lanes.entry(stringify!($kernel)).or_default() += 1;
                }
            };
        }
        bitexact::for_each_kernel!(count);
        let found: Vec<String> = lanes
            .iter()
            .map(|(kernel, rows)| format!("{kernel} {rows}"))
            .collect();
        assert_eq!(found.join(", "), LANES);
    }
}
