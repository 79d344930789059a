//! The operators of `Rounded` next to the functions that they stand for: `ci/zero-cost.sh` compares their instructions.

use bitexact::format::{E4M3FN, bf16, f16};
use bitexact::rounded::{ModeType, Rounded, Saturating, TiesToEven, TowardNegative};
use bitexact::{arith, convert};
use num_traits::{Float, FromPrimitive, MulAdd};

macro_rules! pairs {
    ($($f:ident $m:ty: $name:ident;)*) => { $(
        pub mod $name {
            use super::*;

            type Number = Rounded<$f, $m>;
            const MODE: bitexact::Mode = <$m as ModeType>::MODE;

            pairs! { @ $name $f
                add(x, y) => arith::add(x, y, MODE), |x, y| x + y;
                sub(x, y) => arith::sub(x, y, MODE), |x, y| x - y;
                mul(x, y) => arith::mul(x, y, MODE), |x, y| x * y;
                div(x, y) => arith::div(x, y, MODE), |x, y| x / y;
                rem(x, y) => arith::fmod(x, y), |x, y| x % y;
                fma(x, y, z) => arith::fma(x, y, z, MODE), |x, y, z| MulAdd::mul_add(x, y, z);
                neg(x) => arith::negate(x), |x| -x;
                sqrt(x) => arith::sqrt(x, MODE), |x| Float::sqrt(x);
                exp(x) => bitexact::math::exp(x, MODE), |x| Float::exp(x);
            }

            #[unsafe(export_name = concat!("function_less_", stringify!($name)))]
            pub extern "C" fn less(x: $f, y: $f) -> bool {
                arith::compare(x, y) == Some(core::cmp::Ordering::Less)
            }

            #[unsafe(export_name = concat!("operator_less_", stringify!($name)))]
            pub extern "C" fn operator_less(x: Number, y: Number) -> bool {
                x < y
            }

            #[unsafe(export_name = concat!("function_from_f64_", stringify!($name)))]
            pub extern "C" fn from_f64(x: f64) -> $f {
                convert::convert(x, MODE)
            }

            #[unsafe(export_name = concat!("operator_from_f64_", stringify!($name)))]
            pub extern "C" fn operator_from_f64(x: f64) -> Number {
                Number::from_f64(x).unwrap_or_default()
            }
        }
    )* };
    (@ $name:ident $f:ident $($operation:ident($($x:ident),*) => $function:expr, $operator:expr;)*) => {
        $(
            pub mod $operation {
                use super::*;

                #[unsafe(export_name = concat!("function_", stringify!($operation), "_", stringify!($name)))]
                pub extern "C" fn function($($x: $f),*) -> $f {
                    $function
                }

                #[unsafe(export_name = concat!("operator_", stringify!($operation), "_", stringify!($name)))]
                pub extern "C" fn operator($($x: Number),*) -> Number {
                    let operator: fn($(pairs!(@@ $x)),*) -> Number = $operator;
                    operator($($x),*)
                }
            }
        )*
    };
    (@@ $x:ident) => { Number };
}
pairs! {
    f16 TiesToEven: f16_ties_to_even;
    bf16 TiesToEven: bf16_ties_to_even;
    bf16 TowardNegative: bf16_toward_negative;
    E4M3FN Saturating<TiesToEven>: e4m3fn_saturating;
}

fn main() {}
