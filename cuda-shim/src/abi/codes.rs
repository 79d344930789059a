//! Choices as numbers, in addition to those of the catalog; [`gpu_plans::codes`] encodes them.

use bitexact::catalog::{decode_mode, decode_policy};
use bitexact::format::E4M3FN;
use bitexact::reduce::{Lanes, Order};
use bitexact::scale::{BlockSpecials, Dialect, Int8Range, Nvfp4, Quotient, ScaleSource};
use bitexact::tensor::Accumulation;
use gpu_plans::codes::LANES;

/// The order of a code; `None` for any other number.
#[must_use]
pub const fn decode_order(order: u32) -> Option<Order> {
    match order {
        0 => Some(Order::Sequential),
        1 => Some(Order::Pairwise),
        2 => Some(Order::Neumaier),
        _ if order & 0xFF == LANES => match Lanes::new((order >> 8) as usize) {
            Some(lanes) => Some(Order::Lanes(lanes)),
            None => None,
        },
        _ => None,
    }
}

/// The way of a code to add up; any number that is no code, which callers do not pass, is exact.
#[must_use]
pub const fn decode_accumulation(how: u32) -> Accumulation {
    match decode_order(how) {
        Some(order) => Accumulation::Declared(order),
        None => Accumulation::Exact,
    }
}

const fn decode_quotient(quotient: u32) -> Quotient {
    match quotient & 0xF {
        0 => Quotient::Exact,
        1 => Quotient::Divided,
        _ => Quotient::Reciprocal,
    }
}

/// The dialect of two codes, that of its policy and that of the rest.
#[must_use]
pub fn decode_dialect(policy: u64, rest: u32) -> Dialect {
    Dialect {
        source: match rest & 0xF {
            0 => ScaleSource::Exponent,
            1 => ScaleSource::RoundedExponent,
            2 => ScaleSource::Quotient,
            _ => ScaleSource::Reciprocal,
        },
        policy: decode_policy(policy),
        specials: match rest >> 8 & 0xF {
            0 => BlockSpecials::Scale,
            _ => BlockSpecials::Element,
        },
        quotient: decode_quotient(rest >> 4),
        mode: decode_mode(rest >> 16),
        int8: match rest >> 12 & 0xF {
            0 => Int8Range::Full,
            _ => Int8Range::Symmetric,
        },
    }
}

/// The recipe of a code.
#[must_use]
pub const fn decode_recipe(recipe: u32) -> Nvfp4 {
    Nvfp4 {
        least_scale: E4M3FN::from_bits(recipe as u8),
        quotient: decode_quotient(recipe >> 8),
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use bitexact::catalog::encode_policy;
    use bitexact::scale::DIALECTS;
    use gpu_plans::codes::{encode_accumulation, encode_dialect, encode_order, encode_recipe};

    #[test]
    fn what_is_encoded_is_decoded() {
        let element = Dialect {
            specials: BlockSpecials::Element,
            ..Dialect::PTX
        };
        for dialect in DIALECTS
            .iter()
            .map(|(_, dialect)| *dialect)
            .chain([element])
        {
            let words = (encode_policy(&dialect.policy), encode_dialect(&dialect));
            assert_eq!(decode_dialect(words.0, words.1), dialect);
        }
        for recipe in [
            Nvfp4::EXACT,
            Nvfp4::TORCHAO_DIVIDED,
            Nvfp4::TORCHAO_RECIPROCAL,
        ] {
            assert_eq!(decode_recipe(encode_recipe(&recipe)), recipe);
        }
        let declared = [Order::Sequential, Order::Pairwise, Order::Neumaier].into_iter();
        let declared = declared.chain(Lanes::ALL.map(Order::Lanes));
        let ways = declared.map(Accumulation::Declared);
        for how in ways.chain([Accumulation::Exact]) {
            let code = encode_accumulation(how).unwrap();
            assert_eq!(decode_accumulation(code), how);
        }
        for code in [3, 5, 4, 4 | 3 << 8, 4 | 128 << 8, u32::MAX] {
            assert_eq!(decode_order(code), None);
        }
        assert_eq!(
            decode_order(4 | 32 << 8).and_then(encode_order),
            Some(4 | 32 << 8)
        );
    }
}
