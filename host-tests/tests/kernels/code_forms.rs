//! The `_bits` form of every kernel, on codes, against the form with status on the formats' types,
//! which the sweep compares with oracles: the same operands, modes and parameters in the same
//! places.

use bitexact::activation::{Bounds, Lambda, NanGradient, Threshold};
use bitexact::arith::Class;
use bitexact::format::Format;
use bitexact::scale::{E8M0, MxInt8, PRESETS, ScalePolicy};
use bitexact::{
    Mode, Overflow, Rounding, Status, activation, arith, bf16, convert, f16, math, scale,
};
use core::fmt::Debug;
use host_tests::domain::SplitMix64;
use std::collections::BTreeSet;

/// Draws of operands and arguments for each kernel.
const DRAWS: u64 = 20_000;

/// A type of operands and results.
trait Word: Sized {
    const BITS: u32;
    fn of(code: u64) -> Self;
    fn code(self) -> u64;
    /// Zero, one, the ends of the exponents, NaNs, and those of the other sign.
    const SPECIAL: &'static [u64];
}

macro_rules! words {
    ($($ty:ty: $bits:literal, $of:expr, $code:expr, $special:expr;)*) => {$(
        impl Word for $ty {
            const BITS: u32 = $bits;
            const SPECIAL: &'static [u64] = &$special;
            fn of(code: u64) -> Self {
                $of(code)
            }
            fn code(self) -> u64 {
                $code(self)
            }
        }
    )*};
}

words! {
    f16: 16, Format::from_bits, Format::to_bits,
        [0, 1, 0x3FF, 0x400, 0x3C00, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x8000, 0x8001, 0xBC00, 0xFBFF, 0xFC00, 0xFE01];
    bf16: 16, Format::from_bits, Format::to_bits,
        [0, 1, 0x7F, 0x80, 0x3F80, 0x7F7F, 0x7F80, 0x7F81, 0x7FC0, 0x8000, 0x8001, 0xBF80, 0xFF7F, 0xFF80, 0xFFC1];
    f32: 32, Format::from_bits, Format::to_bits,
        [0, 1, 0x7F_FFFF, 0x80_0000, 0x3F80_0000, 0x7F7F_FFFF, 0x7F80_0000, 0x7F80_0001, 0x7FC0_0000, 0x8000_0000, 0xFF80_0000];
    E8M0: 8, |code| E8M0::from_bits(code as u8), |x: E8M0| x.to_bits().into(), [0, 1, 0x7F, 0xFE, 0xFF];
    MxInt8: 8, |code| MxInt8::from_bits(code as u8), |x: MxInt8| x.to_bits().into(), [0, 1, 0x7F, 0x80, 0x81, 0xFF];
    i16: 16, |code| code as u16 as i16, |n: i16| (n as u16).into(), [0, 1, 0x7FFF, 0x8000, 0xFFFF];
    i32: 32, |code| code as u32 as i32, |n: i32| (n as u32).into(), [0, 1, 2, 3, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];
}

/// What a kernel returns, with codes where it has numbers.
trait Codes {
    type Out: Debug + PartialEq;
    fn codes(self) -> Self::Out;
}

macro_rules! as_code {
    ($($ty:ty)*) => {$(
        impl Codes for $ty {
            type Out = u64;
            fn codes(self) -> u64 {
                Word::code(self)
            }
        }
    )*};
}

macro_rules! as_is {
    ($($ty:ty)*) => {$(
        impl Codes for $ty {
            type Out = Self;
            fn codes(self) -> Self {
                self
            }
        }
    )*};
}

as_code! { f16 bf16 f32 i16 i32 E8M0 MxInt8 }
as_is! { bool Class Status u64 }

impl<A: Codes, B: Codes> Codes for (A, B) {
    type Out = (A::Out, B::Out);
    fn codes(self) -> Self::Out {
        (self.0.codes(), self.1.codes())
    }
}

/// Operands and arguments.
struct Draw {
    words: [u64; 5],
    mode: Mode,
    random: u16,
    overflow: Overflow,
    gradient: NanGradient,
    policy: &'static ScalePolicy,
}

impl Draw {
    fn new(index: u64) -> Self {
        let mut rng = SplitMix64::at(0x0B17_5F02, index);
        let words = [(); 5].map(|()| rng.next());
        let mut below = |n: usize| rng.below(n as u32) as usize;
        let gradients = [NanGradient::Pass, NanGradient::Zero, NanGradient::Propagate];
        let overflow = Overflow::ALL[below(3)];
        Self {
            words,
            mode: Mode::new(Rounding::ALL[below(6)], overflow),
            gradient: gradients[below(3)],
            policy: &PRESETS[below(PRESETS.len())].1,
            overflow,
            random: rng.next() as u16,
        }
    }

    /// The code of the k-th operand: in one of four cases a special one.
    fn code<T: Word>(&self, k: usize) -> u64 {
        let word = self.words[k];
        match (word >> 62, (word >> 32) as usize) {
            (0, pick) => T::SPECIAL[pick % T::SPECIAL.len()],
            _ => word & (u64::MAX >> (64 - T::BITS)),
        }
    }

    fn value<T: Word>(&self, k: usize) -> T {
        T::of(self.code::<T>(k))
    }

    /// A code that is neither negative nor a NaN.
    fn magnitude<T: Word + Format>(&self, k: usize) -> u64 {
        let code = self.code::<T>(k) & (T::SIGN - 1);
        if code > T::MAX_FINITE { 1 } else { code }
    }

    fn lambda<T: Word + Format>(&self, k: usize) -> Lambda<T> {
        Lambda::new(T::of(self.magnitude::<T>(k))).expect("not negative")
    }

    fn threshold<T: Word + Format>(&self, k: usize) -> Threshold<T> {
        let [threshold, value] = [k, k + 1].map(|k| T::of(self.magnitude::<T>(k)));
        Threshold::new(threshold, value).expect("no NaN")
    }

    /// From a number that is not positive to one that is not negative.
    fn bounds<T: Word + Format>(&self, k: usize) -> Bounds<T> {
        let low = T::of(T::SIGN | self.magnitude::<T>(k));
        Bounds::new(low, T::of(self.magnitude::<T>(k + 1))).expect("in order")
    }
}

/// Compares two forms of a kernel.
fn check<L, R>(name: &str, bits: impl Fn(&Draw) -> L, typed: impl Fn(&Draw) -> R)
where
    L: Codes,
    R: Codes<Out = L::Out>,
{
    for index in 0..DRAWS {
        let draw = Draw::new(index);
        let (got, expected) = (bits(&draw).codes(), typed(&draw).codes());
        assert_eq!(got, expected, "{name}, draw {index}");
    }
}

/// `names; [formats]; draw; (arguments of the form on codes); (arguments of the typed form);` and
/// kernels of that shape: module, form on codes, typed form.
macro_rules! same {
    ($names:ident; $types:tt; $d:ident; $codes:tt; $values:tt; $($module:ident $bits:ident $typed:ident,)*) => {
        $(same! { one $names $types $d $codes $values $module $bits $typed })*
    };
    (one $names:ident [$($ty:ty),*] $d:ident ($($code:expr),*) ($($value:expr),*)
        $module:ident $bits:ident $typed:ident) => {
        let name = concat!(stringify!($module), "::", stringify!($bits));
        assert!($names.insert(name), "{name} twice");
        check(
            name,
            |$d| $module::$bits::<$($ty),*>($($code),*),
            |$d| $module::$typed::<$($ty),*>($($value),*),
        );
    };
}

#[test]
#[rustfmt::skip]
fn codes_give_what_types_give() {
    let mut names = BTreeSet::new();
    same! { names; [f16]; d; (d.code::<f16>(0), d.mode); (d.value::<f16>(0), d.mode);
        activation gelu_bits gelu_status,
        activation gelu_derivative_bits gelu_derivative_status,
        activation gelu_tanh_bits gelu_tanh_status,
        activation gelu_tanh_derivative_bits gelu_tanh_derivative_status,
        activation hardsigmoid_bits hardsigmoid_status,
        activation hardswish_bits hardswish_status,
        activation logsigmoid_bits logsigmoid_status,
        activation mish_bits mish_status,
        activation selu_bits selu_status,
        activation sigmoid_bits sigmoid_status,
        activation sigmoid_derivative_bits sigmoid_derivative_status,
        activation silu_bits silu_status,
        activation silu_derivative_bits silu_derivative_status,
        activation tanh_derivative_bits tanh_derivative_status,
        activation softsign_bits softsign_status,
        activation tanh_bits tanh_status,
        activation tanhshrink_bits tanhshrink_status,
        math acos_bits acos_status,
        math acosh_bits acosh_status,
        math acospi_bits acospi_status,
        math asin_bits asin_status,
        math asinh_bits asinh_status,
        math asinpi_bits asinpi_status,
        math atan_bits atan_status,
        math atanh_bits atanh_status,
        math atanpi_bits atanpi_status,
        math cbrt_bits cbrt_status,
        math cos_bits cos_status,
        math cosh_bits cosh_status,
        math cospi_bits cospi_status,
        math erf_bits erf_status,
        math erfc_bits erfc_status,
        math erfinv_bits erfinv_status,
        math exp10_bits exp10_status,
        math exp10m1_bits exp10m1_status,
        math exp2_bits exp2_status,
        math exp2m1_bits exp2m1_status,
        math exp_bits exp_status,
        math expm1_bits expm1_status,
        math lgamma_bits lgamma_status,
        math log10_bits log10_status,
        math log10p1_bits log10p1_status,
        math log1p_bits log1p_status,
        math log2_bits log2_status,
        math log2p1_bits log2p1_status,
        math log_bits log_status,
        math logit_bits logit_status,
        math reciprocal_bits reciprocal_status,
        math rsqrt_bits rsqrt_status,
        math sin_bits sin_status,
        math sinh_bits sinh_status,
        math sinpi_bits sinpi_status,
        math tan_bits tan_status,
        math tanh_bits tanh_status,
        math tanpi_bits tanpi_status,
        math tgamma_bits tgamma_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.code::<bf16>(1)); (d.value::<bf16>(0), d.value::<bf16>(1));
        arith compare_quiet_equal_bits compare_quiet_equal_status,
        arith compare_quiet_greater_bits compare_quiet_greater_status,
        arith compare_quiet_greater_equal_bits compare_quiet_greater_equal_status,
        arith compare_quiet_greater_unordered_bits compare_quiet_greater_unordered_status,
        arith compare_quiet_less_bits compare_quiet_less_status,
        arith compare_quiet_less_equal_bits compare_quiet_less_equal_status,
        arith compare_quiet_less_unordered_bits compare_quiet_less_unordered_status,
        arith compare_quiet_not_equal_bits compare_quiet_not_equal_status,
        arith compare_quiet_not_greater_bits compare_quiet_not_greater_status,
        arith compare_quiet_not_less_bits compare_quiet_not_less_status,
        arith compare_quiet_ordered_bits compare_quiet_ordered_status,
        arith compare_quiet_unordered_bits compare_quiet_unordered_status,
        arith compare_signaling_equal_bits compare_signaling_equal_status,
        arith compare_signaling_greater_bits compare_signaling_greater_status,
        arith compare_signaling_greater_equal_bits compare_signaling_greater_equal_status,
        arith compare_signaling_greater_unordered_bits compare_signaling_greater_unordered_status,
        arith compare_signaling_less_bits compare_signaling_less_status,
        arith compare_signaling_less_equal_bits compare_signaling_less_equal_status,
        arith compare_signaling_less_unordered_bits compare_signaling_less_unordered_status,
        arith compare_signaling_not_equal_bits compare_signaling_not_equal_status,
        arith compare_signaling_not_greater_bits compare_signaling_not_greater_status,
        arith compare_signaling_not_less_bits compare_signaling_not_less_status,
    }
    same! { names; [f16]; d; (d.code::<f16>(0), d.code::<f16>(1), d.mode); (d.value::<f16>(0), d.value::<f16>(1), d.mode);
        activation gelu_backward_bits gelu_backward_status,
        activation gelu_tanh_backward_bits gelu_tanh_backward_status,
        activation logsigmoid_backward_bits logsigmoid_backward_status,
        activation mish_backward_bits mish_backward_status,
        activation selu_backward_bits selu_backward_status,
        activation sigmoid_backward_bits sigmoid_backward_status,
        activation silu_backward_bits silu_backward_status,
        activation softsign_backward_bits softsign_backward_status,
        activation tanh_backward_bits tanh_backward_status,
        activation tanhshrink_backward_bits tanhshrink_backward_status,
        math atan2_bits atan2_status,
        math atan2pi_bits atan2pi_status,
        arith floor_divide_bits floor_divide_status,
        arith floor_remainder_bits floor_remainder_status,
        math hypot_bits hypot_status,
        math logaddexp_bits logaddexp_status,
        math logaddexp2_bits logaddexp2_status,
        math pow_bits pow_status,
        math xlog1py_bits xlog1py_status,
        math xlogy_bits xlogy_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.code::<bf16>(1)); (d.value::<bf16>(0), d.value::<bf16>(1));
        arith copy_sign_bits copy_sign_status,
        arith fmod_bits fmod_status,
        arith maximum_bits maximum_status,
        arith maximum_magnitude_bits maximum_magnitude_status,
        arith maximum_magnitude_number_bits maximum_magnitude_number_status,
        arith maximum_number_bits maximum_number_status,
        arith minimum_bits minimum_status,
        arith minimum_magnitude_bits minimum_magnitude_status,
        arith minimum_magnitude_number_bits minimum_magnitude_number_status,
        arith minimum_number_bits minimum_number_status,
        arith nextafter_bits nextafter_status,
        arith remainder_bits remainder_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0)); (d.value::<bf16>(0));
        arith is_canonical_bits is_canonical,
        arith is_finite_bits is_finite,
        arith is_infinite_bits is_infinite,
        arith is_nan_bits is_nan,
        arith is_normal_bits is_normal,
        arith is_sign_minus_bits is_sign_minus,
        arith is_signaling_bits is_signaling,
        arith is_subnormal_bits is_subnormal,
        arith is_zero_bits is_zero,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0)); (d.value::<bf16>(0));
        activation relu6_bits relu6_status,
        activation relu_bits relu_status,
        arith abs_bits abs_status,
        arith canonicalize_bits canonicalize_status,
        arith logb_bits logb_status,
        arith negate_bits negate_status,
        arith next_down_bits next_down_status,
        arith next_up_bits next_up_status,
    }
    same! { names; [f16, bf16, f32]; d; (d.code::<f16>(0), d.code::<bf16>(1), d.mode); (d.value::<f16>(0), d.value::<bf16>(1), d.mode);
        arith add_bits add_status,
        arith div_bits div_status,
        arith mul_bits mul_status,
        arith sub_bits sub_status,
    }
    same! { names; [f16, bf16, f32]; d; (d.code::<f16>(0), d.code::<bf16>(1), d.random, d.overflow); (d.value::<f16>(0), d.value::<bf16>(1), d.random, d.overflow);
        arith add_stochastic_bits add_stochastic_status,
        arith div_stochastic_bits div_stochastic_status,
        arith mul_stochastic_bits mul_stochastic_status,
        arith sub_stochastic_bits sub_stochastic_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0)); (d.value::<bf16>(0));
        arith ceil_log2_bits ceil_log2_status,
        arith floor_log2_bits floor_log2_status,
        arith ilogb_bits ilogb_status,
    }
    same! { names; [f16]; d; (d.code::<f16>(0), d.code::<i32>(1), d.mode); (d.value::<f16>(0), d.value::<i32>(1), d.mode);
        math compound_bits compound_status,
        math pown_bits pown_status,
        math rootn_bits rootn_status,
    }
    same! { names; [f32]; d; (d.code::<f32>(0), d.mode); (d.value::<f32>(0), d.mode);
        scale mxint8_encode_bits mxint8_encode_status,
        scale mxint8_encode_symmetric_bits mxint8_encode_symmetric_status,
    }
    same! { names; [f32]; d; (d.code::<f32>(0), d.random, d.overflow); (d.value::<f32>(0), d.random, d.overflow);
        scale mxint8_encode_stochastic_bits mxint8_encode_stochastic_status,
        scale mxint8_encode_symmetric_stochastic_bits mxint8_encode_symmetric_stochastic_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.code::<bf16>(1)); (d.value::<bf16>(0), d.value::<bf16>(1));
        arith total_order_bits total_order,
        arith total_order_magnitude_bits total_order_magnitude,
    }
    same! { names; [f16, f32]; d; (d.code::<f16>(0), d.code::<f32>(1), d.mode); (d.value::<f16>(0), d.value::<f32>(1), d.mode);
        activation celu_bits celu_status,
        activation elu_bits elu_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.code::<bf16>(1), d.gradient); (d.value::<bf16>(0), d.value::<bf16>(1), d.gradient);
        activation relu6_backward_bits relu6_backward_status,
        activation relu_backward_bits relu_backward_status,
    }
    same! { names; [f16]; d; (d.code::<f16>(0), d.code::<f16>(1), d.gradient, d.mode); (d.value::<f16>(0), d.value::<f16>(1), d.gradient, d.mode);
        activation hardsigmoid_backward_bits hardsigmoid_backward_status,
        activation hardswish_backward_bits hardswish_backward_status,
    }
    same! { names; [f16, f32]; d; (d.code::<f16>(0), d.code::<f16>(1), d.code::<f32>(2), d.mode); (d.value::<f16>(0), d.value::<f16>(1), d.value::<f32>(2), d.mode);
        activation celu_backward_bits celu_backward_status,
        activation elu_backward_bits elu_backward_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.code::<bf16>(1), d.magnitude::<f32>(2), d.gradient); (d.value::<bf16>(0), d.value::<bf16>(1), d.lambda::<f32>(2), d.gradient);
        activation hardshrink_backward_bits hardshrink_backward_status,
        activation softshrink_backward_bits softshrink_backward_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0)); (d.value::<bf16>(0));
        arith classify_bits classify,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0)); (d.value::<bf16>(0));
        arith frexp_bits frexp_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0)); (d.value::<bf16>(0));
        arith modf_bits modf_status,
    }
    same! { names; [f32]; d; (d.code::<f32>(0), d.policy); (d.value::<f32>(0), d.policy);
        scale encode_bits encode_status,
    }
    same! { names; [f32, f16]; d; (d.code::<f32>(0), d.mode); (d.value::<f32>(0), d.mode);
        arith sqrt_bits sqrt_status,
    }
    same! { names; [f32, bf16]; d; (d.code::<f32>(0), d.mode); (d.value::<f32>(0), d.mode);
        convert convert_bits convert_status,
        activation gelu_to_bits gelu_to_status,
        activation sigmoid_to_bits sigmoid_to_status,
        activation silu_to_bits silu_to_status,
        math exp2_to_bits exp2_to_status,
        math exp_to_bits exp_to_status,
        math tanh_to_bits tanh_to_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.mode); (d.value::<bf16>(0), d.mode);
        arith round_to_integral_bits round_to_integral_status,
    }
    same! { names; [f32]; d; (d.code::<E8M0>(0), d.mode); (d.value::<E8M0>(0), d.mode);
        scale decode_bits decode_status,
    }
    same! { names; [f32]; d; (d.code::<MxInt8>(0), d.mode); (d.value::<MxInt8>(0), d.mode);
        scale mxint8_decode_bits mxint8_decode_status,
    }
    same! { names; [f32, i16]; d; (d.code::<f32>(0), d.mode); (d.value::<f32>(0), d.mode);
        convert to_int_bits to_int_status,
    }
    same! { names; [f16]; d; (d.code::<f16>(0), d.mode); (d.value::<f16>(0), d.mode);
        math sincos_bits sincos_status,
    }
    same! { names; [i32, bf16]; d; (d.code::<i32>(0), d.mode); (d.value::<i32>(0), d.mode);
        convert from_int_bits from_int_status,
    }
    same! { names; [f32, f16]; d; (d.code::<f32>(0), d.random, d.overflow); (d.value::<f32>(0), d.random, d.overflow);
        arith sqrt_stochastic_bits sqrt_stochastic_status,
    }
    same! { names; [f32, bf16]; d; (d.code::<f32>(0), d.random, d.overflow); (d.value::<f32>(0), d.random, d.overflow);
        convert convert_stochastic_bits convert_stochastic_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.random, d.overflow); (d.value::<bf16>(0), d.random, d.overflow);
        arith round_to_integral_stochastic_bits round_to_integral_stochastic_status,
    }
    same! { names; [f32]; d; (d.code::<E8M0>(0), d.random, d.overflow); (d.value::<E8M0>(0), d.random, d.overflow);
        scale decode_stochastic_bits decode_stochastic_status,
    }
    same! { names; [f32]; d; (d.code::<MxInt8>(0), d.random, d.overflow); (d.value::<MxInt8>(0), d.random, d.overflow);
        scale mxint8_decode_stochastic_bits mxint8_decode_stochastic_status,
    }
    same! { names; [f32, i16]; d; (d.code::<f32>(0), d.random, d.overflow); (d.value::<f32>(0), d.random, d.overflow);
        convert to_int_stochastic_bits to_int_stochastic_status,
    }
    same! { names; [i32, bf16]; d; (d.code::<i32>(0), d.random, d.overflow); (d.value::<i32>(0), d.random, d.overflow);
        convert from_int_stochastic_bits from_int_stochastic_status,
    }
    same! { names; [f32, i16]; d; (d.code::<f32>(0), d.code::<i32>(1), d.mode); (d.value::<f32>(0), d.value::<i32>(1), d.mode);
        convert to_fixed_bits to_fixed_status,
    }
    same! { names; [i32, bf16]; d; (d.code::<i32>(0), d.code::<i32>(1), d.mode); (d.value::<i32>(0), d.value::<i32>(1), d.mode);
        convert from_fixed_bits from_fixed_status,
    }
    same! { names; [f32, i16]; d; (d.code::<f32>(0), d.code::<i32>(1), d.random, d.overflow); (d.value::<f32>(0), d.value::<i32>(1), d.random, d.overflow);
        convert to_fixed_stochastic_bits to_fixed_stochastic_status,
    }
    same! { names; [i32, bf16]; d; (d.code::<i32>(0), d.code::<i32>(1), d.random, d.overflow); (d.value::<i32>(0), d.value::<i32>(1), d.random, d.overflow);
        convert from_fixed_stochastic_bits from_fixed_stochastic_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.code::<bf16>(1)); (d.value::<bf16>(0), d.value::<bf16>(1));
        arith remquo_bits remquo_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.magnitude::<f32>(1)); (d.value::<bf16>(0), d.lambda::<f32>(1));
        activation hardshrink_bits hardshrink_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.code::<i32>(1), d.mode); (d.value::<bf16>(0), d.value::<i32>(1), d.mode);
        arith scalbn_bits scalbn_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.magnitude::<f32>(1), d.mode); (d.value::<bf16>(0), d.lambda::<f32>(1), d.mode);
        activation softshrink_bits softshrink_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.code::<f32>(1), d.mode); (d.value::<bf16>(0), d.value::<f32>(1), d.mode);
        activation leaky_relu_bits leaky_relu_status,
    }
    same! { names; [bf16]; d; (d.code::<bf16>(0), d.code::<i32>(1), d.random, d.overflow); (d.value::<bf16>(0), d.value::<i32>(1), d.random, d.overflow);
        arith scalbn_stochastic_bits scalbn_stochastic_status,
    }
    same! { names; [f16, bf16, f32, bf16]; d; (d.code::<f16>(0), d.code::<bf16>(1), d.code::<f32>(2), d.mode); (d.value::<f16>(0), d.value::<bf16>(1), d.value::<f32>(2), d.mode);
        arith fma_bits fma_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), f32::SIGN | d.magnitude::<f32>(1), d.magnitude::<f32>(2), d.mode); (d.value::<bf16>(0), d.bounds::<f32>(1), d.mode);
        activation hardtanh_bits hardtanh_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.magnitude::<f32>(1), d.magnitude::<f32>(2), d.mode); (d.value::<bf16>(0), d.threshold::<f32>(1), d.mode);
        activation threshold_bits threshold_status,
    }
    same! { names; [f16, f32, bf16]; d; (d.code::<f16>(0), d.code::<f32>(1), d.code::<bf16>(2), d.mode); (d.value::<f16>(0), d.value::<f32>(1), d.value::<bf16>(2), d.mode);
        activation softplus_bits softplus_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.code::<bf16>(1), d.magnitude::<f32>(2), d.gradient); (d.value::<bf16>(0), d.value::<bf16>(1), d.threshold::<f32>(2), d.gradient);
        activation threshold_backward_bits threshold_backward_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.code::<bf16>(1), d.code::<f32>(2), d.gradient, d.mode); (d.value::<bf16>(0), d.value::<bf16>(1), d.value::<f32>(2), d.gradient, d.mode);
        activation leaky_relu_backward_bits leaky_relu_backward_status,
    }
    same! { names; [f16, bf16, f32, bf16]; d; (d.code::<f16>(0), d.code::<bf16>(1), d.code::<f32>(2), d.random, d.overflow); (d.value::<f16>(0), d.value::<bf16>(1), d.value::<f32>(2), d.random, d.overflow);
        arith fma_stochastic_bits fma_stochastic_status,
    }
    same! { names; [f16, f32, bf16]; d; (d.code::<f16>(0), d.code::<f16>(1), d.code::<f32>(2), d.code::<bf16>(3), d.mode); (d.value::<f16>(0), d.value::<f16>(1), d.value::<f32>(2), d.value::<bf16>(3), d.mode);
        activation softplus_backward_bits softplus_backward_status,
    }
    same! { names; [bf16, f32]; d; (d.code::<bf16>(0), d.code::<bf16>(1), f32::SIGN | d.magnitude::<f32>(2), d.magnitude::<f32>(3), d.gradient); (d.value::<bf16>(0), d.value::<bf16>(1), d.bounds::<f32>(2), d.gradient);
        activation hardtanh_backward_bits hardtanh_backward_status,
    }
    assert_eq!(names, public());
}

/// The forms on codes in the list of public items (`ci/api.sh` keeps it).
fn public() -> BTreeSet<&'static str> {
    let lines = include_str!("../../../ci/api/bitexact.txt").lines();
    let functions = lines.filter_map(|line| line.strip_prefix("const fn bitexact::"));
    let names = functions.filter_map(|line| line.split(['<', '(']).next());
    // Not methods, which take or give the code of one number, nor the random bits of counters.
    names
        .filter(|name| name.ends_with("_bits") && name.matches("::").count() == 1)
        .filter(|name| !name.starts_with("counter::"))
        .collect()
}
