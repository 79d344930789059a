//! `ln(1 + e^x)`, which softplus and logsigmoid share.
//!
//! Method: with `E = e^-|x|` (`fixed/exp2.rs`), `ln(1 + E)` (`fixed/log/log1p_exp.rs`), plus x
//! where that is positive. Where E is below 2^-5 and x is negative, the error is relative to E.

use crate::fixed::{LN_2, LOG2_OF_E, exp2, log1p, log1p_rest, multiple};
use crate::round::{Exact, Kind};

/// `ln(1 + e^x)` for an operand of at most 16 bits. Inexact except for infinities.
pub(super) const fn log_one_plus_exp(x: Exact<u32>) -> Exact<u32> {
    let (sign, exponent, significand) = (x.sign(), x.exponent(), x.significand());
    match x.kind() {
        Kind::Nan => return x,
        Kind::Infinite if sign => return Exact::<u32>::zero(false),
        Kind::Infinite => return x,
        Kind::Zero => return Exact::<u32>::normalised(false, -1, LN_2 | 1),
        Kind::Finite => {}
    }
    if exponent < -16 {
        // ln 2 + x / 2: there is no rounding boundary of 12 bits within 2^-15 of ln 2.
        return Exact::<u32>::normalised(false, -1, LN_2 | 1);
    }
    if exponent >= 8 {
        return if sign {
            Exact::<u32>::TINY
        } else {
            x.outward()
        };
    }
    let power = exp2(-(multiple(significand, exponent, LOG2_OF_E) as i64));
    let e = power.below_one();
    if !sign {
        let x = if exponent < 0 {
            (significand >> (-1 - exponent)) as u64
        } else {
            (significand as u64) << (exponent + 1)
        };
        Exact::<u32>::inexact(false, x + log1p(e) as u64, -32)
    } else if power.exponent < -5 {
        let significand = power.significand() as u64;
        let rest = log1p_rest(e) as u64;
        Exact::<u32>::inexact(
            false,
            (significand << 32) - significand * rest,
            power.exponent - 63,
        )
    } else {
        Exact::<u32>::inexact(false, log1p(e) as u64, -32)
    }
}
