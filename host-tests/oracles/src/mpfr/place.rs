//! The position of an MPFR value among a format's numbers.

use crate::format::Format;
use crate::located::{Located, Place, Tiny};
use rug::{Float, Integer};
use std::cmp::Ordering;

/// The position of a value whose truncation is `value`.
pub(super) fn place(format: &'static Format, value: &Float, exact: bool) -> Located {
    let negative = value.is_sign_negative();
    let digits = i64::from(format.precision) - 1;
    let emin = i64::from(format.emin);
    let (m, e) = value.to_integer_exp().expect("finite");
    let (m, e) = (m.abs(), i64::from(e));
    let top = i64::from(m.significant_bits()) + e - 1;
    let located = |code, place, tiny| Located {
        format,
        negative,
        code,
        place,
        tiny,
        fractions: None,
    };
    if m == 0 || top < emin - digits - 4 {
        return located(0, Some(Place::Below), Tiny::Yes);
    }
    let largest = Format::magnitude(format, format.largest);
    if top > i64::from(largest.floor_log2()) {
        return located(format.largest, None, Tiny::No);
    }
    // In units of 2^-8 of the gap; the ternary value stands for the bits below.
    let gap = top.max(emin) - digits;
    let low = gap - 8 - e;
    let (units, rest) = if low <= 0 {
        (m << u32::try_from(-low).expect("moderate"), false)
    } else {
        let low = u32::try_from(low).expect("moderate");
        let units = Integer::from(&m >> low);
        let rest = Integer::from(&units << low) != m;
        (units, rest)
    };
    let units = units.to_u64().expect("at most 19 bits");
    let inexact = rest || !exact;
    let (number, part) = (units >> 8, units & 0xFF);
    let code = (u64::try_from(gap - (emin - digits)).expect("not below") << digits) + number;
    let half = |part: u64, middle: u64| match part.cmp(&middle) {
        Ordering::Less => Place::Below,
        Ordering::Equal if !inexact => Place::Middle,
        _ => Place::Above,
    };
    let at = if part == 0 && !inexact {
        Place::Exact
    } else {
        half(part, 128)
    };
    let tiny = if number >> digits != 0 {
        Tiny::No
    } else if number + 1 == 1 << digits && at == Place::Above {
        Tiny::Edge(half(part, 192))
    } else {
        Tiny::Yes
    };
    located(code, Some(at), tiny)
}
