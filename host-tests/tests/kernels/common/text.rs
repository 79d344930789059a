//! Numbers and their texts by integers of any length.

use bitexact::Rounding;
use dashu_int::UBig;
use host_tests::oracle::Dyadic;
use std::cmp::Ordering;

/// A rational number that is not negative.
#[derive(Clone, Debug)]
pub struct Ratio {
    pub over: UBig,
    pub under: UBig,
}

pub fn power(base: u32, exponent: u64) -> UBig {
    UBig::from(base).pow(usize::try_from(exponent).unwrap())
}

impl Ratio {
    /// `integer * base^exponent`.
    pub fn scaled(integer: UBig, base: u32, exponent: i64) -> Self {
        let factor = power(base, exponent.unsigned_abs());
        if exponent >= 0 {
            Self {
                over: integer * factor,
                under: UBig::ONE,
            }
        } else {
            Self {
                over: integer,
                under: factor,
            }
        }
    }

    pub fn of(x: Dyadic) -> Self {
        Self::scaled(UBig::from(x.m), 2, x.e.into())
    }

    pub fn times(&self, other: &Self) -> Self {
        Self {
            over: &self.over * &other.over,
            under: &self.under * &other.under,
        }
    }

    pub fn mean(&self, other: &Self) -> Self {
        Self {
            over: &self.over * &other.under + &other.over * &self.under,
            under: &self.under * &other.under * UBig::from(2u8),
        }
    }

    pub fn order(&self, other: &Self) -> Ordering {
        (&self.over * &other.under).cmp(&(&other.over * &self.under))
    }

    /// The distance of two numbers.
    pub fn distance(&self, other: &Self) -> Self {
        let (a, b) = (&self.over * &other.under, &other.over * &self.under);
        Self {
            over: if a > b { a - b } else { b - a },
            under: &self.under * &other.under,
        }
    }

    /// Rounded to an integer.
    pub fn rounded(&self, negative: bool, rounding: Rounding) -> UBig {
        let floor = &self.over / &self.under;
        let rest = &self.over - &floor * &self.under;
        if rest.is_zero() {
            return floor;
        }
        let odd = &floor % UBig::from(2u8) == UBig::ONE;
        let half = (rest * UBig::from(2u8)).cmp(&self.under);
        let up = match rounding {
            Rounding::TiesToEven => half.is_gt() || half.is_eq() && odd,
            Rounding::TiesToAway => half.is_ge(),
            Rounding::TowardZero => false,
            Rounding::TowardPositive => !negative,
            Rounding::TowardNegative => negative,
            Rounding::ToOdd => !odd,
        };
        floor + UBig::from(u8::from(up))
    }
}

/// A number `m * 2^e` as an integer and a power of ten.
pub fn in_decimal(m: UBig, e: i64) -> (UBig, i64) {
    if e >= 0 {
        (m * power(2, e.unsigned_abs()), 0)
    } else {
        (m * power(5, e.unsigned_abs()), e)
    }
}

/// A digit string with a point this many places from its end.
pub fn positional(integer: &UBig, places: i64) -> String {
    let mut digits = integer.to_string();
    if places <= 0 {
        if !integer.is_zero() {
            digits.push_str(&"0".repeat(places.unsigned_abs() as usize));
        }
        return digits;
    }
    let places = places as usize;
    if digits.len() <= places {
        digits = format!("{}{digits}", "0".repeat(places + 1 - digits.len()));
    }
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{whole}.{fraction}")
}

/// The hexadecimal digits of a number from 1 to below 2, from its bits as characters.
pub fn hex_of(magnitude: Dyadic) -> String {
    if magnitude.is_zero() {
        return "0x0p+0".to_owned();
    }
    let binary = format!("{:b}", magnitude.m);
    let exponent = magnitude.e + binary.len() as i32 - 1;
    let mut fraction = binary[1..].trim_end_matches('0').to_owned();
    while fraction.len() % 4 != 0 {
        fraction.push('0');
    }
    let digits: String = (0..fraction.len() / 4)
        .map(|i| u32::from_str_radix(&fraction[4 * i..4 * i + 4], 2).unwrap())
        .map(|digit| char::from_digit(digit, 16).unwrap())
        .collect();
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x1{point}{digits}p{exponent:+}")
}
