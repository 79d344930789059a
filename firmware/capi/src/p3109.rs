//! P3109's format-level queries (4.14). `bitexact_composites.h` declares them (src/bin/header.rs).

use crate::passed::Code;
use kernels::p3109::FormatSpec;

macro_rules! queries {
    ($result:ty: $($name:literal $query:expr;)*) => { $(
        const _: () = {
            #[unsafe(export_name = concat!("bitexact_p3109_", $name, "_of"))]
            extern "C" fn query(format: Code<u16>) -> $result {
                let query: fn(FormatSpec) -> $result = $query;
                FormatSpec::from_word(format.bits).map_or(<$result>::MAX, query)
            }
        };
    )* };
}

// The enumerations as in `Signedness` and `Domain`.
queries! {
    u32:
    "bitwidth" FormatSpec::bitwidth;
    "precision" FormatSpec::precision;
    "exponent_bitwidth" FormatSpec::exponent_bitwidth;
    "trailing_significand_bitwidth" FormatSpec::trailing_significand_bitwidth;
    "exponent_bias" FormatSpec::exponent_bias;
    "signedness" |format| format.signedness() as u32;
    "domain" |format| format.domain() as u32;
}

// Codes.
queries! {
    u64:
    "max_finite" FormatSpec::max_finite;
    "min_finite" FormatSpec::min_finite;
    "min_positive" FormatSpec::min_positive;
    "max_subnormal" FormatSpec::max_subnormal;
    "min_normal" FormatSpec::min_normal;
}
