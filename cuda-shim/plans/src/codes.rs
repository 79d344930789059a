//! Choices as numbers that entries take, in addition to the catalog's: the GPU crate's `abi` decodes
//! them.

/// The code of lanes, in the low eight bits; their number is in the bits above.
pub const LANES: u32 = 4;

#[cfg(not(target_arch = "nvptx64"))]
pub use encode::*;

#[cfg(not(target_arch = "nvptx64"))]
mod encode {
    use super::LANES;
    use bitexact::catalog::encode_mode;
    use bitexact::reduce::Order;
    use bitexact::scale::{BlockSpecials, Dialect, Int8Range, Nvfp4, Quotient, ScaleSource};
    use bitexact::tensor::Accumulation;

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

    /// A way to add up products: an order's code, or 3. `None` as there.
    #[must_use]
    pub const fn encode_accumulation(how: Accumulation) -> Option<u32> {
        match how {
            Accumulation::Exact => Some(3),
            Accumulation::Declared(order) => encode_order(order),
        }
    }

    const fn encode_quotient(quotient: Quotient) -> u32 {
        match quotient {
            Quotient::Exact => 0,
            Quotient::Divided => 1,
            Quotient::Reciprocal => 2,
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

    /// How NVFP4 blocks are made: the least scale's code, and from bit 8 on the quotient.
    #[must_use]
    pub const fn encode_recipe(recipe: &Nvfp4) -> u32 {
        recipe.least_scale.to_bits() as u32 | encode_quotient(recipe.quotient) << 8
    }
}
