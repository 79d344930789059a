//! The functions that are proven, one symbol each: `add_ties_to_even` and so on.
//!
//! A result is the code in the low 32 bits and the exceptions above them.

#![no_std]

use bitexact::format::{E4M3FN, E5M2, Format};
use bitexact::{Mode, Status, arith, bf16, convert, f16};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

fn pair<F: Format>((result, status): (F, Status)) -> u64 {
    result.to_bits() | u64::from(status.bits()) << 32
}

/// `$symbol` for the operation of f32 that the call names.
macro_rules! of_f32 {
    ($($symbol:expr => $function:ident($($x:ident),+ $(; $mode:ident)?);)*) => {
        $(const _: () = {
            #[unsafe(export_name = $symbol)]
            extern "C" fn exported($($x: u32),+) -> u64 {
                pair::<f32>(arith::$function($(f32::from_bits($x)),+ $(, Mode::$mode)?))
            }
        };)*
    };
}

/// `$symbol` for the conversion of an f64.
macro_rules! from_f64 {
    ($($symbol:expr => $to:ident, $mode:ident;)*) => {
        $(const _: () = {
            #[unsafe(export_name = $symbol)]
            extern "C" fn exported(x: u64) -> u64 {
                pair::<$to>(convert::convert_status(f64::from_bits(x), Mode::$mode))
            }
        };)*
    };
}

/// `$symbol` for a predicate of two f32: whether it holds in the low bits.
macro_rules! predicates {
    ($($function:ident)*) => {
        $(const _: () = {
            #[unsafe(export_name = stringify!($function))]
            extern "C" fn exported(a: u32, b: u32) -> u64 {
                let (holds, status) = arith::$function(f32::from_bits(a), f32::from_bits(b));
                u64::from(holds) | u64::from(status.bits()) << 32
            }
        };)*
    };
}

macro_rules! in_mode {
    ($suffix:literal $mode:ident) => {
        of_f32! {
            concat!("add", $suffix) => add_status(a, b; $mode);
            concat!("sub", $suffix) => sub_status(a, b; $mode);
            concat!("mul", $suffix) => mul_status(a, b; $mode);
            concat!("div", $suffix) => div_status(a, b; $mode);
            concat!("sqrt", $suffix) => sqrt_status(a; $mode);
            concat!("fma", $suffix) => fma_status(a, b, c; $mode);
        }
        from_f64! {
            concat!("to_f32", $suffix) => f32, $mode;
            concat!("to_f16", $suffix) => f16, $mode;
            concat!("to_bf16", $suffix) => bf16, $mode;
            concat!("to_e5m2", $suffix) => E5M2, $mode;
            concat!("to_e4m3fn", $suffix) => E4M3FN, $mode;
        }
    };
}

in_mode!("_ties_to_even" TIES_TO_EVEN);
in_mode!("_ties_to_away" TIES_TO_AWAY);
in_mode!("_toward_zero" TOWARD_ZERO);
in_mode!("_toward_positive" TOWARD_POSITIVE);
in_mode!("_toward_negative" TOWARD_NEGATIVE);
in_mode!("_to_odd" TO_ODD);

of_f32! {
    "minimum" => minimum_status(a, b);
    "maximum" => maximum_status(a, b);
    "minimum_number" => minimum_number_status(a, b);
    "maximum_number" => maximum_number_status(a, b);
    "minimum_magnitude" => minimum_magnitude_status(a, b);
    "maximum_magnitude" => maximum_magnitude_status(a, b);
    "minimum_magnitude_number" => minimum_magnitude_number_status(a, b);
    "maximum_magnitude_number" => maximum_magnitude_number_status(a, b);
}

predicates! {
    compare_quiet_equal_status
    compare_quiet_not_equal_status
    compare_quiet_greater_status
    compare_quiet_greater_equal_status
    compare_quiet_less_status
    compare_quiet_less_equal_status
    compare_quiet_unordered_status
    compare_quiet_not_greater_status
    compare_quiet_less_unordered_status
    compare_quiet_not_less_status
    compare_quiet_greater_unordered_status
    compare_quiet_ordered_status
    compare_signaling_equal_status
    compare_signaling_not_equal_status
    compare_signaling_greater_status
    compare_signaling_greater_equal_status
    compare_signaling_less_status
    compare_signaling_less_equal_status
    compare_signaling_not_greater_status
    compare_signaling_less_unordered_status
    compare_signaling_not_less_status
    compare_signaling_greater_unordered_status
}
