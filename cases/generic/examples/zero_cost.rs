//! Functions, and with `--cfg operators` the operators of `Rounded` in their place:
//! `ci/zero-cost.sh` compares their instructions.
//!
//! Each has its own build, since in one LLVM would inline into the last caller what it calls from
//! the first.

#![allow(unexpected_cfgs)]

use bitexact::format::{E4M3FN, bf16, f16};
use bitexact::rounded::{ModeType, Rounded, Saturating, TiesToEven, TowardNegative};
#[cfg(not(operators))]
use bitexact::{arith, convert, math};
#[cfg(operators)]
use num_traits::{Float, FromPrimitive, MulAdd};

macro_rules! pairs {
    ($($f:ident $m:ty: $name:ident;)*) => { $(
        pub mod $name {
            use super::*;

            #[allow(dead_code)]
            type Number = Rounded<$f, $m>;
            #[allow(dead_code)]
            const MODE: bitexact::Mode = <$m as ModeType>::MODE;

            pairs! { @ $name $f
                add($f $f) -> $f => |x, y| arith::add(x, y, MODE), |x, y| x + y;
                sub($f $f) -> $f => |x, y| arith::sub(x, y, MODE), |x, y| x - y;
                mul($f $f) -> $f => |x, y| arith::mul(x, y, MODE), |x, y| x * y;
                div($f $f) -> $f => |x, y| arith::div(x, y, MODE), |x, y| x / y;
                rem($f $f) -> $f => |x, y| arith::fmod(x, y), |x, y| x % y;
                fma($f $f $f) -> $f => |x, y, z| arith::fma(x, y, z, MODE), |x, y, z| MulAdd::mul_add(x, y, z);
                neg($f) -> $f => |x| arith::negate(x), |x| -x;
                sqrt($f) -> $f => |x| arith::sqrt(x, MODE), |x| Float::sqrt(x);
                exp($f) -> $f => |x| math::exp(x, MODE), |x| Float::exp(x);
                from_f64(f64) -> $f => |x| convert::convert(x, MODE), |x| match Number::from_f64(x) { Some(x) => x, None => Number::new($f::from_bits(0)) };
                less($f $f) -> bool => |x, y| arith::compare(x, y) == Some(core::cmp::Ordering::Less), |x, y| x < y;
            }
        }
    )* };
    (
        @ $name:ident $f:ident
        $($operation:ident($($operand:ident)*) -> $result:ident =>
            |$($x:ident),*| $function:expr, |$($y:ident),*| $operator:expr;)*
    ) => {
        $(
            #[cfg(not(operators))]
            #[unsafe(export_name = concat!("compared_", stringify!($operation), "_", stringify!($name)))]
            pub extern "C" fn $operation($($x: $operand),*) -> $result {
                $function
            }

            #[cfg(operators)]
            #[unsafe(export_name = concat!("compared_", stringify!($operation), "_", stringify!($name)))]
            pub extern "C" fn $operation($($y: pairs!(@@ $operand)),*) -> pairs!(@@ $result) {
                $operator
            }
        )*
    };
    (@@ bool) => { bool };
    (@@ f64) => { f64 };
    (@@ $f:ident) => { Number };
}
pairs! {
    f16 TiesToEven: f16_ties_to_even;
    bf16 TiesToEven: bf16_ties_to_even;
    bf16 TowardNegative: bf16_toward_negative;
    E4M3FN Saturating<TiesToEven>: e4m3fn_saturating;
}

fn main() {}
