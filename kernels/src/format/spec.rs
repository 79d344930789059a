//! Formats of P3109 as values: the layout of a code, without any computation.

use core::fmt;

/// Whether a format has negative values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Signedness {
    /// It has.
    Signed,
    /// It has none.
    Unsigned,
}

/// Whether a format has infinities.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Domain {
    /// It has none.
    Finite,
    /// One in an unsigned format, two in a signed one.
    Extended,
}

/// A format of the report, as a value: `Binary{K, P, signedness, domain}` with K from 3 to 16, or
/// one of the external formats binary16, BFloat16, binary32 and binary64.
///
/// ```
/// use bitexact::p3109::FormatSpec;
/// let format = FormatSpec::from_name("Binary8p4se").unwrap();
/// assert_eq!((format.bitwidth(), format.precision(), format.exponent_bias()), (8, 4, 8));
/// assert_eq!(format.nan(), 0x80);
/// assert_eq!(format.infinity(), Some(0x7F));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FormatSpec {
    bits: u8,
    precision: u8,
    signedness: Signedness,
    layout: Layout,
}

/// Which codes are special. One word with the rest of a format, so that it passes in a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Layout {
    Finite,
    Extended,
    /// IEEE 754's: an exponent's field of infinities and NaNs, two zeros, and a bias less by one.
    External,
}

/// The external formats and their names.
const EXTERNAL: [(&str, FormatSpec); 4] = [
    ("binary16", FormatSpec::BINARY16),
    ("BFloat16", FormatSpec::BFLOAT16),
    ("binary32", FormatSpec::BINARY32),
    ("binary64", FormatSpec::BINARY64),
];

impl FormatSpec {
    /// IEEE 754's binary16.
    pub const BINARY16: Self = Self::external(16, 11);
    /// BFloat16.
    pub const BFLOAT16: Self = Self::external(16, 8);
    /// IEEE 754's binary32.
    pub const BINARY32: Self = Self::external(32, 24);
    /// IEEE 754's binary64.
    pub const BINARY64: Self = Self::external(64, 53);

    const fn external(bits: u8, precision: u8) -> Self {
        Self {
            bits,
            precision,
            signedness: Signedness::Signed,
            layout: Layout::External,
        }
    }

    /// `Binary{K, P, signedness, domain}`, if K is from 3 to 16 and P from 1 to K - 1, or to K in
    /// an unsigned format.
    #[must_use]
    pub const fn binary(k: u32, p: u32, signedness: Signedness, domain: Domain) -> Option<Self> {
        let most = match signedness {
            Signedness::Signed => k.saturating_sub(1),
            Signedness::Unsigned => k,
        };
        if k < 3 || k > 16 || p < 1 || p > most {
            return None;
        }
        Some(Self {
            bits: k as u8,
            precision: p as u8,
            signedness,
            layout: match domain {
                Domain::Finite => Layout::Finite,
                Domain::Extended => Layout::Extended,
            },
        })
    }

    /// The format of this name, as in `Binary8p4se` or `binary32`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(&(_, format)) = EXTERNAL.iter().find(|(known, _)| *known == name) {
            return Some(format);
        }
        let number = |text: &str| {
            let plain = !text.starts_with(['0', '+']);
            plain.then(|| text.parse().ok()).flatten()
        };
        let (k, rest) = name.strip_prefix("Binary")?.split_once('p')?;
        let (rest, domain) = match rest.strip_suffix('e') {
            Some(rest) => (rest, Domain::Extended),
            None => (rest.strip_suffix('f')?, Domain::Finite),
        };
        let (p, signedness) = match rest.strip_suffix('s') {
            Some(p) => (p, Signedness::Signed),
            None => (rest.strip_suffix('u')?, Signedness::Unsigned),
        };
        Self::binary(number(k)?, number(p)?, signedness, domain)
    }

    /// The format as a word: K in the low 7 bits, P in the 6 bits above, then a bit each for
    /// unsigned, finite and external.
    #[must_use]
    pub const fn to_word(self) -> u16 {
        let layout = match self.layout {
            Layout::Extended => 0,
            Layout::Finite => 1,
            Layout::External => 2,
        };
        let shape = self.bits as u16 | (self.precision as u16) << 7;
        shape | (!self.is_signed() as u16) << 13 | layout << 14
    }

    /// The format of such a word, if there is one.
    #[must_use]
    pub const fn from_word(word: u16) -> Option<Self> {
        let (bits, precision) = (word as u32 & 0x7F, word as u32 >> 7 & 0x3F);
        let signedness = if word >> 13 & 1 == 0 {
            Signedness::Signed
        } else {
            Signedness::Unsigned
        };
        match (word >> 14, signedness, bits, precision) {
            (0, ..) => Self::binary(bits, precision, signedness, Domain::Extended),
            (1, ..) => Self::binary(bits, precision, signedness, Domain::Finite),
            (2, Signedness::Signed, 16, 11) => Some(Self::BINARY16),
            (2, Signedness::Signed, 16, 8) => Some(Self::BFLOAT16),
            (2, Signedness::Signed, 32, 24) => Some(Self::BINARY32),
            (2, Signedness::Signed, 64, 53) => Some(Self::BINARY64),
            _ => None,
        }
    }

    /// All formats `Binary{K, ..}` of one K: none unless it is from 3 to 16.
    pub fn all_of(k: u32) -> impl Iterator<Item = Self> + Clone {
        (1..=k).flat_map(move |p| {
            [Signedness::Signed, Signedness::Unsigned]
                .into_iter()
                .flat_map(move |signedness| {
                    [Domain::Extended, Domain::Finite]
                        .into_iter()
                        .filter_map(move |domain| Self::binary(k, p, signedness, domain))
                })
        })
    }

    /// BitwidthOf: K.
    #[inline(always)]
    #[must_use]
    pub const fn bitwidth(self) -> u32 {
        self.bits as u32
    }

    /// PrecisionOf: P.
    #[inline(always)]
    #[must_use]
    pub const fn precision(self) -> u32 {
        self.precision as u32
    }

    /// SignednessOf.
    #[inline(always)]
    #[must_use]
    pub const fn signedness(self) -> Signedness {
        self.signedness
    }

    /// DomainOf.
    #[inline(always)]
    #[must_use]
    pub const fn domain(self) -> Domain {
        match self.layout {
            Layout::Finite => Domain::Finite,
            Layout::Extended | Layout::External => Domain::Extended,
        }
    }

    /// Whether it is binary16, BFloat16, binary32 or binary64.
    #[inline(always)]
    #[must_use]
    pub const fn is_external(self) -> bool {
        matches!(self.layout, Layout::External)
    }

    #[inline(always)]
    pub(crate) const fn is_signed(self) -> bool {
        matches!(self.signedness, Signedness::Signed)
    }

    #[inline(always)]
    pub(crate) const fn is_extended(self) -> bool {
        !matches!(self.layout, Layout::Finite)
    }

    /// ExponentBitwidthOf: K - P, in unsigned formats K - P + 1.
    #[inline(always)]
    #[must_use]
    pub const fn exponent_bitwidth(self) -> u32 {
        (self.bits - self.precision) as u32 + !self.is_signed() as u32
    }

    /// TrailingSignificandBitwidthOf: P - 1.
    #[inline(always)]
    #[must_use]
    pub const fn trailing_significand_bitwidth(self) -> u32 {
        self.precision as u32 - 1
    }

    /// ExponentBiasOf: 2^(K-P-1), in unsigned formats 2^(K-P); one less in external formats.
    #[inline(always)]
    #[must_use]
    pub const fn exponent_bias(self) -> u32 {
        let half = 1u32 << (self.bits - self.precision - self.is_signed() as u8);
        half - self.is_external() as u32
    }

    /// 1 - bias: the exponent of the least normal number.
    #[inline(always)]
    pub(crate) const fn least_exponent(self) -> i32 {
        1 - self.exponent_bias() as i32
    }

    /// The bits of a code.
    #[inline(always)]
    pub(crate) const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits as u32)
    }

    /// The code's sign bit; 0 in an unsigned format.
    #[inline(always)]
    pub(crate) const fn sign(self) -> u64 {
        (self.is_signed() as u64) << (self.bits - 1)
    }

    /// The code of the positive infinity, if the format has one.
    #[inline(always)]
    #[must_use]
    pub const fn infinity(self) -> Option<u64> {
        if self.is_extended() {
            Some(self.max_finite() + 1)
        } else {
            None
        }
    }

    /// The code of NaN; the quiet positive one without payload in external formats.
    #[inline(always)]
    #[must_use]
    pub const fn nan(self) -> u64 {
        if self.is_external() {
            // All of the exponent's bits, and the highest of the significand's.
            (self.mask() >> 1) & !((1 << (self.precision - 2)) - 1)
        } else if self.is_signed() {
            self.sign()
        } else {
            self.mask()
        }
    }

    /// MaxFiniteOf: the code of the largest finite value.
    #[inline(always)]
    #[must_use]
    pub const fn max_finite(self) -> u64 {
        if self.is_external() {
            ((self.mask() >> 1) & !((1 << (self.precision - 1)) - 1)) - 1
        } else if self.is_signed() {
            (self.mask() >> 1) - self.is_extended() as u64
        } else {
            self.mask() - 1 - self.is_extended() as u64
        }
    }

    /// MinFiniteOf: the code of the least finite value, which is zero in an unsigned format.
    #[inline(always)]
    #[must_use]
    pub const fn min_finite(self) -> u64 {
        if self.is_signed() {
            self.sign() | self.max_finite()
        } else {
            0
        }
    }

    /// MinPositiveOf: the code of the least positive value.
    #[inline(always)]
    #[must_use]
    pub const fn min_positive(self) -> u64 {
        1
    }

    /// MinNormalOf: the code of the least positive normal value.
    #[inline(always)]
    #[must_use]
    pub const fn min_normal(self) -> u64 {
        1 << (self.precision - 1)
    }

    /// MaxSubnormalOf: the code of the largest subnormal value; NaN where P is 1.
    #[inline(always)]
    #[must_use]
    pub const fn max_subnormal(self) -> u64 {
        if self.precision == 1 {
            self.nan()
        } else {
            self.min_normal() - 1
        }
    }

    /// The exponent of the largest finite value.
    #[inline(always)]
    pub(crate) const fn largest_exponent(self) -> i32 {
        (self.max_finite() >> self.trailing_significand_bitwidth()) as i32
            - self.exponent_bias() as i32
    }
}

impl fmt::Display for FormatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = EXTERNAL.iter().find(|(_, known)| known == self) {
            return f.write_str(name);
        }
        let signedness = if self.is_signed() { 's' } else { 'u' };
        let domain = if self.is_extended() { 'e' } else { 'f' };
        write!(
            f,
            "Binary{}p{}{signedness}{domain}",
            self.bits, self.precision
        )
    }
}
