//! What `cpp/bitexact_fast.cuh` makes faster functions for CUDA C++ of: for each function in each
//! format the ends of the interval that holds the value (`.._ends`), whose PTX `ci/inline_ptx.py`
//! puts into a header; the integer kernel (`.._exactly`); a word for the directions that are
//! verified (`.._verified`); and the tables that the verification fills (`.._results`).
#![no_std]

#[cfg(target_arch = "nvptx64")]
macro_rules! functions {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        $(
            functions! { @ $kernel $kernel $function $parameters f16 Half }
            functions! { @ $kernel $kernel $function $parameters bf16 Bfloat }
        )*
    };
    (@ $name:ident $kernel:ident $function:ident $parameters:tt $ty:ident $format:ident) => {
        const _: () = {
            use crate::list::$function;
            use enclosures::enclosure::{self, Device, Function, Sign};
            use enclosures::bitexact::{Mode, Rounding};

            /// Of the bits of an operand in f32, those of both ends.
            #[unsafe(export_name = concat!("bitexact_", stringify!($name), "_", stringify!($ty), "_ends"))]
            extern "C" fn ends(x: u32) -> Ends {
                let [near_zero, far] = enclosure::ends::<$function, enclosure::$format, _>(Device, f32::from_bits(x));
                Ends { near_zero: near_zero.to_bits(), far: far.to_bits() }
            }

            /// In the direction with this number in `Rounding::ALL`.
            #[unsafe(export_name = concat!("bitexact_", stringify!($name), "_", stringify!($ty), "_exactly"))]
            extern "C" fn exactly(x: u16, rounding: u32) -> u16 {
                // A literal mode takes less time than others, and most calls are to nearest.
                match Rounding::ALL.get(rounding as usize) {
                    None | Some(Rounding::TiesToEven) => {
                        enclosures::exactly!($kernel enclosures::bitexact::$ty, x, $parameters)
                    }
                    Some(&rounding) => {
                        enclosures::exactly!($kernel enclosures::bitexact::$ty, x, $parameters, Mode::ieee(rounding))
                    }
                }
            }

            /// A bit for each direction that `bitexact_fast.cuh` has turned on: none when the
            /// module is loaded.
            #[unsafe(export_name = concat!("bitexact_", stringify!($name), "_", stringify!($ty), "_verified"))]
            static VERIFIED: enclosures::Switch = enclosures::Switch::off();

            /// The integer kernel's results in each direction, once that is verified.
            #[unsafe(export_name = concat!("bitexact_", stringify!($name), "_", stringify!($ty), "_results"))]
            static RESULTS: [enclosures::Results; 4] = [const { enclosures::Results::none() }; 4];

            /// 1 if the ends are those of the magnitude, and the result has the operand's sign; and
            /// twice the domain's number.
            #[unsafe(export_name = concat!("bitexact_", stringify!($name), "_", stringify!($ty), "_sign"))]
            static SIGN: u32 = ($function::SIGN as u32 == Sign::OfOperand as u32) as u32
                + 2 * $function::DOMAIN as u32;
        };
    };
}

/// For `cpp/bitexact_fast_arithmetic.cuh`: an operation's integer kernel (`.._exactly`), of two
/// operands or of the halves of an f32, and the word for the directions that are verified
/// (`.._verified`).
#[cfg(all(target_arch = "nvptx64", not(feature = "faulty")))]
macro_rules! operations {
    ($($name:ident $operation:ident;)*) => {
        $(
            operations! { @ $name $operation f16 Half }
            operations! { @ $name $operation bf16 Bfloat }
        )*
    };
    (@ $name:ident $operation:ident $ty:ident $format:ident) => {
        const _: () = {
            use enclosures::arithmetic::{$operation, Verified};
            use enclosures::enclosure::{$format, Downward, Nearest, TowardZero, Upward};
            use enclosures::bitexact::Rounding;

            /// In the direction with this number in `Rounding::ALL`.
            #[unsafe(export_name = concat!("bitexact_", stringify!($name), "_", stringify!($ty), "_exactly"))]
            extern "C" fn exactly(x: u16, y: u16, rounding: u32) -> u16 {
                match Rounding::ALL.get(rounding as usize) {
                    Some(Rounding::TowardZero) => <$operation as Verified<$format>>::exactly::<TowardZero>(x, y),
                    Some(Rounding::TowardPositive) => <$operation as Verified<$format>>::exactly::<Upward>(x, y),
                    Some(Rounding::TowardNegative) => <$operation as Verified<$format>>::exactly::<Downward>(x, y),
                    _ => <$operation as Verified<$format>>::exactly::<Nearest>(x, y),
                }
            }

            /// A bit for each direction that `bitexact_fast_arithmetic.cuh` has turned on: none
            /// when the module is loaded.
            #[unsafe(export_name = concat!("bitexact_", stringify!($name), "_", stringify!($ty), "_verified"))]
            static VERIFIED: enclosures::Switch = enclosures::Switch::off();
        };
    };
}

#[cfg(all(target_arch = "nvptx64", not(feature = "faulty")))]
operations! {
    add Sum;
    sub Difference;
    mul Product;
    div Quotient;
    convert_f32 Conversion;
}

/// The bits of both ends in f32.
#[cfg(target_arch = "nvptx64")]
#[repr(C)]
struct Ends {
    near_zero: u32,
    far: u32,
}

#[cfg(all(target_arch = "nvptx64", not(feature = "faulty")))]
use enclosures::enclosure as list;
#[cfg(all(target_arch = "nvptx64", not(feature = "faulty")))]
enclosures::for_each_enclosed!(functions);

#[cfg(all(target_arch = "nvptx64", feature = "faulty"))]
#[path = "faulty.rs"]
mod list;
#[cfg(all(target_arch = "nvptx64", feature = "faulty"))]
functions! { @ faulty_sigmoid sigmoid Faulty [] f16 Half }
#[cfg(all(target_arch = "nvptx64", feature = "faulty"))]
functions! { @ faulty_sigmoid sigmoid Faulty [] bf16 Bfloat }

/// Nothing panics: the gate of `ci/ptx-callers.sh` refuses the undefined function.
#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        fn bitexact_a_panic_survived() -> !;
    }
    // SAFETY: never linked.
    unsafe { bitexact_a_panic_survived() }
}
