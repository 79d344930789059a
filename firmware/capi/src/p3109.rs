//! P3109's format-level queries (4.14). `bitexact_composites.h` declares them (src/bin/header.rs).

use kernels::p3109::FormatSpec;

/// The format of a word of C; none if it is no format of at most 32 bits.
fn format(word: u64) -> Option<FormatSpec> {
    let format = FormatSpec::from_word(u16::try_from(word).ok()?)?;
    (format.bitwidth() <= 32).then_some(format)
}

macro_rules! queries {
    ($($name:literal $query:expr;)*) => { $(
        const _: () = {
            #[unsafe(export_name = concat!("bitexact_p3109_", $name, "_of"))]
            extern "C" fn query(word: u64) -> u32 {
                let query: fn(FormatSpec) -> u32 = $query;
                format(word).map_or(u32::MAX, query)
            }
        };
    )* };
}

// The enumerations as in `Signedness` and `Domain`; codes have at most 32 bits.
queries! {
    "bitwidth" FormatSpec::bitwidth;
    "precision" FormatSpec::precision;
    "exponent_bitwidth" FormatSpec::exponent_bitwidth;
    "trailing_significand_bitwidth" FormatSpec::trailing_significand_bitwidth;
    "exponent_bias" FormatSpec::exponent_bias;
    "signedness" |format| format.signedness() as u32;
    "domain" |format| format.domain() as u32;
    "max_finite" |format| format.max_finite() as u32;
    "min_finite" |format| format.min_finite() as u32;
    "min_positive" |format| format.min_positive() as u32;
    "max_subnormal" |format| format.max_subnormal() as u32;
    "min_normal" |format| format.min_normal() as u32;
}
