//! The units that have a name.

use super::{Addend, SumFormat, Unit, UnitParameters, WideOperands};
use crate::Rounding;

/// What is known of a named [`Unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Evidence {
    /// Compared with the device's own results on hostile data: none differed.
    SeenOnDevice,
    /// By public models, not seen on a device.
    PublicModels,
}

/// A [`Unit`] with its name and version. Another version is another order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct NamedUnit {
    /// The name, a slash and the version: `hopper-bf16/1`.
    pub name: &'static str,
    /// The order.
    pub unit: Unit,
    /// The [formats](crate::format::Format::NAME) of the operands.
    pub operands: &'static [&'static str],
    /// What is known of it.
    pub evidence: Evidence,
    /// The instructions and devices.
    pub about: &'static str,
}

const fn unit(parameters: UnitParameters) -> Unit {
    match Unit::new(parameters) {
        Ok(unit) => unit,
        // Evaluated by the compiler alone.
        #[allow(clippy::panic, reason = "constant code")]
        Err(_) => panic!("numbers in their ranges"),
    }
}

const HOPPER: UnitParameters = UnitParameters::HOPPER;

/// With sums in f16, to nearest.
const fn half(parameters: UnitParameters) -> Unit {
    unit(UnitParameters {
        sum: SumFormat::F16,
        precision: 11,
        rounding: Rounding::TiesToEven,
        nan: 0x7FFF,
        ..parameters
    })
}

/// What public models say nothing of is left out.
const MODELLED: UnitParameters = UnitParameters {
    least_exponent: None,
    ..HOPPER
};
const AMPERE: UnitParameters = UnitParameters {
    terms: 8,
    fraction_bits: 24,
    ..MODELLED
};
const VOLTA: UnitParameters = UnitParameters {
    terms: 4,
    fraction_bits: 23,
    ..MODELLED
};

impl Unit {
    /// Hopper's `mma.sync` and `wgmma` of bf16 with `f32` sums: 16 products, 25 fraction bits, all
    /// toward zero; E is at least -133.
    pub const HOPPER_BF16: Self = unit(HOPPER);
    /// Hopper's `mma.sync` and `wgmma` of f16 with `f32` sums: the order of bf16.
    pub const HOPPER_F16: Self = unit(HOPPER);
    /// Hopper's `mma.sync` of TF32: 8 products; the lower 13 bits of `f32` operands are ignored.
    pub const HOPPER_TF32: Self = unit(UnitParameters {
        terms: 8,
        wide: WideOperands::Tf32Truncated,
        ..HOPPER
    });
    /// [`HOPPER_TF32`](Self::HOPPER_TF32) of `f32` operands that are first rounded to TF32, ties to
    /// even, as libraries do.
    pub const HOPPER_TF32_NEAREST: Self = unit(UnitParameters {
        terms: 8,
        wide: WideOperands::Tf32Nearest,
        ..HOPPER
    });
    /// Hopper's `wgmma` of E4M3 and E5M2 with `f32` sums: 32 products, 13 fraction bits, results of
    /// 14 bits, all toward zero.
    pub const HOPPER_FP8_WGMMA: Self = unit(UnitParameters {
        terms: 32,
        fraction_bits: 13,
        precision: 14,
        ..HOPPER
    });
    /// Hopper's `mma.sync` of E4M3 and E5M2 with `f32` sums: two steps of 16 from zero, over
    /// interleaved k; then one `f32` addition to nearest.
    ///
    /// (The instruction converts the operands to f16, where subnormal E4M3 is normal. No result
    /// shows it: products are multiples of 2^-18, and one with a subnormal operand has an exponent
    /// of at most 2, whose window ends at 2^-23.)
    pub const HOPPER_FP8_MMA: Self = unit(UnitParameters {
        terms: 32,
        addend: Addend::Interleaved,
        ..HOPPER
    });
    /// Hopper's `mma.sync` of f16 with f16 sums: 16 products, 25 fraction bits toward zero; results
    /// to nearest, ties to even.
    pub const HOPPER_F16_F16: Self = half(HOPPER);
    /// Ampere's and Ada's `mma.sync` of bf16 and f16 with `f32` sums: 8 products, 24 fraction bits.
    pub const AMPERE_16: Self = unit(AMPERE);
    /// The same with f16 sums.
    pub const AMPERE_F16_F16: Self = half(AMPERE);
    /// Ada's `mma.sync` of E4M3 and E5M2 with `f32` sums: 16 products, 13 fraction bits, results of
    /// 14 bits.
    pub const ADA_FP8: Self = unit(UnitParameters {
        terms: 16,
        fraction_bits: 13,
        precision: 14,
        ..MODELLED
    });
    /// Turing's `mma.sync` of f16 with `f32` sums: Ampere's order.
    pub const TURING_F16: Self = unit(AMPERE);
    /// The same with f16 sums.
    pub const TURING_F16_F16: Self = half(AMPERE);
    /// Volta's `mma.sync` of f16 with `f32` sums: 4 products, 23 fraction bits.
    pub const VOLTA_F16: Self = unit(VOLTA);
    /// The same with f16 sums.
    pub const VOLTA_F16_F16: Self = half(VOLTA);
    /// Blackwell's `tcgen05` of bf16 and f16 with `f32` sums: Hopper's order, without a least E.
    pub const BLACKWELL_16: Self = unit(MODELLED);
    /// The same with f16 sums.
    pub const BLACKWELL_F16_F16: Self = half(MODELLED);
    /// Blackwell's `tcgen05` of TF32: 8 products; the lower 13 bits of `f32` operands are ignored.
    pub const BLACKWELL_TF32: Self = unit(UnitParameters {
        terms: 8,
        wide: WideOperands::Tf32Truncated,
        ..MODELLED
    });
    /// Blackwell's `tcgen05` of FP8, FP6 and FP4 with `f32` sums: 32 products, 25 fraction bits,
    /// results of 24 bits.
    pub const BLACKWELL_FP8: Self = unit(UnitParameters {
        terms: 32,
        ..MODELLED
    });
    /// AMD CDNA3's MFMA of bf16 and f16: 8 products with 24 fraction bits toward zero; their sum
    /// with 31 and the accumulator with 24 bits, both toward negative; results to nearest, ties to
    /// even. A product of at least 2^128 is an infinity.
    pub const CDNA3_16: Self = unit(UnitParameters {
        rounding: Rounding::TiesToEven,
        nan: 0x7FC0_0000,
        addend: Addend::Later {
            sum_bits: 31,
            addend_bits: 24,
            cut: Rounding::TowardNegative,
        },
        product_overflow: true,
        ..AMPERE
    });

    /// All units with names.
    pub const NAMED: &'static [NamedUnit] = &NAMED;

    /// The unit of a name with its version, such as `hopper-bf16/1`. `:terms=8,fraction_bits=13`
    /// after it changes [parameters](UnitParameters), by the names of their fields:
    ///
    /// - numbers: `terms`, `fraction_bits`, `least_exponent` (or `none`), `precision`, `nan` (a
    ///   code of hexadecimal digits);
    /// - `cut`, `rounding`: `ties-to-even`, `ties-to-away`, `toward-zero`, `toward-positive`,
    ///   `toward-negative`, `to-odd`;
    /// - `sum`: `f32`, or `f16`, whose `precision` and `nan` have to fit;
    /// - `addend`: `aligned`, `interleaved`, or `later/24/24/toward-zero` with both numbers of bits
    ///   and the direction of [`Addend::Later`];
    /// - `wide`: `refused`, `tf32-truncated`, `tf32-nearest`, `whole`;
    /// - `flush_operands`, `flush_sums`, `product_overflow`: `true`, `false`.
    ///
    /// `+promote4` then [promotes](Self::promote) every 4 steps, and `+segments8` after that cuts k
    /// into 8 [parts](Self::segments).
    ///
    /// ```
    /// use bitexact::reduce::Unit;
    /// let mine = Unit::named("hopper-bf16/1:terms=8,rounding=ties-to-even").unwrap();
    /// assert_eq!(mine.parameters().terms, 8);
    /// let unit = Unit::named("hopper-e4m3-wgmma/1+promote4").unwrap();
    /// assert_eq!(Ok(unit), Unit::HOPPER_FP8_WGMMA.promote(4));
    /// assert_eq!(Unit::named("hopper-bf16"), None); // a version is part of the name
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::find(name).map(|(unit, _)| unit)
    }

    /// [`named`](Self::named), with the entry of [`NAMED`](Self::NAMED) that it begins with.
    #[must_use]
    pub fn find(name: &str) -> Option<(Self, &'static NamedUnit)> {
        let mut parts = name.split('+');
        let mut base = parts.next()?.splitn(2, ':');
        let name = base.next()?;
        let entry = Self::NAMED.iter().find(|entry| entry.name == name)?;
        let mut unit = entry.unit;
        if let Some(changes) = base.next() {
            let mut parameters = unit.parameters();
            for change in changes.split(',') {
                let (field, value) = change.split_once('=')?;
                change_one(&mut parameters, field, value)?;
            }
            unit = Self::new(parameters).ok()?;
        }
        let mut next = parts.next();
        if let Some(steps) = next.and_then(|part| part.strip_prefix("promote")) {
            unit = unit.promote(number(steps)?).ok()?;
            next = parts.next();
        }
        if let Some(count) = next.and_then(|part| part.strip_prefix("segments")) {
            unit = unit.segments(number(count)?).ok()?;
            next = parts.next();
        }
        next.is_none().then_some((unit, entry))
    }
}

/// Sets a field from a text; `None` if there is no such field or value.
fn change_one(parameters: &mut UnitParameters, field: &str, value: &str) -> Option<()> {
    let truth = || match value {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    match field {
        "terms" => parameters.terms = number(value)?.try_into().ok()?,
        "fraction_bits" => parameters.fraction_bits = number(value)?.try_into().ok()?,
        "precision" => parameters.precision = number(value)?.try_into().ok()?,
        "least_exponent" if value == "none" => parameters.least_exponent = None,
        "least_exponent" => parameters.least_exponent = Some(value.parse().ok()?),
        "nan" => parameters.nan = u32::from_str_radix(value, 16).ok()?,
        "cut" => parameters.cut = direction(value)?,
        "rounding" => parameters.rounding = direction(value)?,
        "sum" => {
            parameters.sum = match value {
                "f32" => SumFormat::F32,
                "f16" => SumFormat::F16,
                _ => return None,
            }
        }
        "addend" => {
            let mut parts = value.split('/');
            parameters.addend = match parts.next()? {
                "aligned" => Addend::Aligned,
                "interleaved" => Addend::Interleaved,
                "later" => Addend::Later {
                    sum_bits: number(parts.next()?)?.try_into().ok()?,
                    addend_bits: number(parts.next()?)?.try_into().ok()?,
                    cut: direction(parts.next()?)?,
                },
                _ => return None,
            };
            if parts.next().is_some() {
                return None;
            }
        }
        "wide" => {
            parameters.wide = match value {
                "refused" => WideOperands::Refused,
                "tf32-truncated" => WideOperands::Tf32Truncated,
                "tf32-nearest" => WideOperands::Tf32Nearest,
                "whole" => WideOperands::Whole,
                _ => return None,
            }
        }
        "flush_operands" => parameters.flush_operands = truth()?,
        "flush_sums" => parameters.flush_sums = truth()?,
        "product_overflow" => parameters.product_overflow = truth()?,
        _ => return None,
    }
    Some(())
}

fn direction(name: &str) -> Option<Rounding> {
    Some(match name {
        "ties-to-even" => Rounding::TiesToEven,
        "ties-to-away" => Rounding::TiesToAway,
        "toward-zero" => Rounding::TowardZero,
        "toward-positive" => Rounding::TowardPositive,
        "toward-negative" => Rounding::TowardNegative,
        "to-odd" => Rounding::ToOdd,
        _ => return None,
    })
}

/// A number as it is written: without a sign or leading zeros.
fn number(text: &str) -> Option<u16> {
    if text.starts_with(['+', '0']) {
        return None;
    }
    text.parse().ok()
}

const BF16: &[&str] = &["bf16"];
const F16: &[&str] = &["f16"];
const TF32: &[&str] = &["f32", "tf32"];
const E4M3: &[&str] = &["e4m3fn"];
const E5M2: &[&str] = &["e5m2"];
const EIGHT: &[&str] = &["e4m3fn", "e5m2", "e3m2", "e2m3", "e2m1"];

macro_rules! named {
    ($($name:literal $unit:ident $operands:ident $evidence:ident $about:literal)*) => {
        [$(NamedUnit {
            name: $name,
            unit: Unit::$unit,
            operands: $operands,
            evidence: Evidence::$evidence,
            about: $about,
        }),*]
    };
}

static NAMED: [NamedUnit; 30] = named! {
    "hopper-bf16/1" HOPPER_BF16 BF16 SeenOnDevice
        "mma.sync m16n8k16 and wgmma k16, f32 sums; seen on H100 and H200"
    "hopper-f16/1" HOPPER_F16 F16 SeenOnDevice
        "mma.sync m16n8k16 and wgmma k16, f32 sums; seen on H100 and H200"
    "hopper-tf32/1" HOPPER_TF32 TF32 SeenOnDevice
        "mma.sync m16n8k8, f32 sums, lower 13 bits of operands ignored; seen on H100 and H200"
    "hopper-tf32-nearest/1" HOPPER_TF32_NEAREST TF32 SeenOnDevice
        "operands rounded to TF32, ties to even, then hopper-tf32/1; samples seen on an H200"
    "hopper-e4m3-wgmma/1" HOPPER_FP8_WGMMA E4M3 SeenOnDevice
        "wgmma k32, f32 sums; seen on H100 and H200"
    "hopper-e5m2-wgmma/1" HOPPER_FP8_WGMMA E5M2 SeenOnDevice
        "wgmma k32, f32 sums; seen on H100 and H200"
    "hopper-e4m3-mma/1" HOPPER_FP8_MMA E4M3 SeenOnDevice
        "mma.sync m16n8k32, f32 sums; seen on H100 and H200"
    "hopper-e5m2-mma/1" HOPPER_FP8_MMA E5M2 SeenOnDevice
        "mma.sync m16n8k32, f32 sums; seen on H100 and H200"
    "hopper-f16-f16/1" HOPPER_F16_F16 F16 SeenOnDevice
        "mma.sync m16n8k16, f16 sums; seen on H100 and H200"
    "ampere-bf16/1" AMPERE_16 BF16 PublicModels
        "mma.sync m16n8k16 as two steps of 8, f32 sums"
    "ampere-f16/1" AMPERE_16 F16 PublicModels
        "mma.sync m16n8k16 as two steps of 8, f32 sums"
    "ampere-f16-f16/1" AMPERE_F16_F16 F16 PublicModels
        "mma.sync m16n8k16 as two steps of 8, f16 sums"
    "ada-bf16/1" AMPERE_16 BF16 PublicModels
        "mma.sync m16n8k16 as two steps of 8, f32 sums"
    "ada-f16/1" AMPERE_16 F16 PublicModels
        "mma.sync m16n8k16 as two steps of 8, f32 sums"
    "ada-f16-f16/1" AMPERE_F16_F16 F16 PublicModels
        "mma.sync m16n8k16 as two steps of 8, f16 sums"
    "ada-e4m3/1" ADA_FP8 E4M3 PublicModels
        "mma.sync m16n8k32 as two steps of 16, f32 sums"
    "ada-e5m2/1" ADA_FP8 E5M2 PublicModels
        "mma.sync m16n8k32 as two steps of 16, f32 sums"
    "turing-f16/1" TURING_F16 F16 PublicModels
        "mma.sync m16n8k8, f32 sums"
    "turing-f16-f16/1" TURING_F16_F16 F16 PublicModels
        "mma.sync m16n8k8, f16 sums"
    "volta-f16/1" VOLTA_F16 F16 PublicModels
        "mma.sync m8n8k4, f32 sums"
    "volta-f16-f16/1" VOLTA_F16_F16 F16 PublicModels
        "mma.sync m8n8k4, f16 sums"
    "blackwell-bf16/1" BLACKWELL_16 BF16 PublicModels
        "tcgen05 and mma.sync k16, f32 sums"
    "blackwell-f16/1" BLACKWELL_16 F16 PublicModels
        "tcgen05 and mma.sync k16, f32 sums"
    "blackwell-f16-f16/1" BLACKWELL_F16_F16 F16 PublicModels
        "tcgen05 and mma.sync k16, f16 sums"
    "blackwell-tf32/1" BLACKWELL_TF32 TF32 PublicModels
        "tcgen05 and mma.sync k8, f32 sums, lower 13 bits of operands ignored"
    "blackwell-e4m3/1" BLACKWELL_FP8 E4M3 PublicModels
        "tcgen05 and mma.sync k32, f32 sums"
    "blackwell-e5m2/1" BLACKWELL_FP8 E5M2 PublicModels
        "tcgen05 and mma.sync k32, f32 sums"
    "blackwell-f8f6f4/1" BLACKWELL_FP8 EIGHT PublicModels
        "tcgen05 and mma.sync k32 of two formats, f32 sums"
    "cdna3-bf16/1" CDNA3_16 BF16 PublicModels
        "MFMA in steps of 8, f32 sums"
    "cdna3-f16/1" CDNA3_16 F16 PublicModels
        "MFMA in steps of 8, f32 sums"
};
