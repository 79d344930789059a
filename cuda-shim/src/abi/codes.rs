//! Choices as numbers, in addition to those of the catalog.

use bitexact::catalog::{decode_mode, decode_policy, encode_mode};
use bitexact::format::E4M3FN;
use bitexact::reduce::{Lanes, Order};
use bitexact::scale::{BlockSpecials, Dialect, Int8Range, Nvfp4, Quotient, ScaleSource};
use bitexact::tensor::Accumulation;

/// The code of lanes, in the low eight bits; their number is in the bits above.
const LANES: u32 = 4;

/// A declared order: 0 sequential, 1 pairwise, 2 Neumaier's, `4 | lanes << 8`. `None` for one that
/// these programs do not have.
#[must_use]
pub const fn encode_order(order: Order) -> Option<u32> {
    match order {
        Order::Sequential => Some(0),
        Order::Pairwise => Some(1),
        Order::Neumaier => Some(2),
        Order::Lanes(lanes) => Some(LANES | (lanes.count() as u32) << 8),
        _ => None,
    }
}

/// The inverse of [`encode_order`]; `None` for any other number.
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

/// A way to add up products: an order's code, or 3. `None` as there.
#[must_use]
pub const fn encode_accumulation(how: Accumulation) -> Option<u32> {
    match how {
        Accumulation::Exact => Some(3),
        Accumulation::Declared(order) => encode_order(order),
    }
}

/// The inverse of [`encode_accumulation`]; any number that is no code, which callers do not pass,
/// is exact.
#[must_use]
pub const fn decode_accumulation(how: u32) -> Accumulation {
    match decode_order(how) {
        Some(order) => Accumulation::Declared(order),
        None => Accumulation::Exact,
    }
}

const fn encode_quotient(quotient: Quotient) -> u32 {
    match quotient {
        Quotient::Exact => 0,
        Quotient::Divided => 1,
        Quotient::Reciprocal => 2,
    }
}

const fn decode_quotient(quotient: u32) -> Quotient {
    match quotient & 0xF {
        0 => Quotient::Exact,
        1 => Quotient::Divided,
        _ => Quotient::Reciprocal,
    }
}

/// The parts of a dialect other than its policy, from low to high: the scale's source and the
/// quotient, four bits each; specials and MXINT8's range, four each; the mode.
#[must_use]
pub const fn encode_dialect(dialect: &Dialect) -> u32 {
    let source = match dialect.source {
        ScaleSource::Exponent => 0,
        ScaleSource::RoundedExponent => 1,
        ScaleSource::Quotient => 2,
        ScaleSource::Reciprocal => 3,
    };
    let specials = match dialect.specials {
        BlockSpecials::Scale => 0,
        BlockSpecials::Element => 1,
    };
    let range = match dialect.int8 {
        Int8Range::Full => 0,
        Int8Range::Symmetric => 1,
    };
    source
        | encode_quotient(dialect.quotient) << 4
        | specials << 8
        | range << 12
        | encode_mode(dialect.mode) << 16
}

/// The inverse of `encode_policy` and [`encode_dialect`].
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

/// How NVFP4 blocks are made: the least scale's code, and from bit 8 on the quotient.
#[must_use]
pub const fn encode_recipe(recipe: &Nvfp4) -> u32 {
    recipe.least_scale.to_bits() as u32 | encode_quotient(recipe.quotient) << 8
}

/// The inverse of [`encode_recipe`].
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
