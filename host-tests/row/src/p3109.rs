//! P3109's formats and projections as the rows' numbers and as text: the sweep's own, so that the
//! oracles do not depend on the kernels' types.
//!
//! As text, formats are the operands' and, if it is rounded, the result's, as in
//! `Binary8p4se:Binary8p3se:binary32`; a projection is `NearestTiesToEven:SatNone`, with N/R as a
//! third part in stochastic roundings (R in hexadecimal), and the revision as the last one:
//! `2026-07`, or `4.0`, which holds if there is none. As numbers they are as the kernels'
//! `Specialisation` documents.

use std::fmt;

/// Which codes are special.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    Extended,
    Finite,
    /// IEEE 754's.
    External,
}

/// A format of at most 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    pub bits: u32,
    pub precision: u32,
    pub signed: bool,
    pub layout: Layout,
}

const EXTERNAL: [(&str, u32, u32); 3] = [
    ("binary16", 16, 11),
    ("BFloat16", 16, 8),
    ("binary32", 32, 24),
];

impl Format {
    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if let Some(&(_, bits, precision)) = EXTERNAL.iter().find(|(known, ..)| *known == name) {
            let layout = Layout::External;
            return Some(Self {
                bits,
                precision,
                signed: true,
                layout,
            });
        }
        let (bits, rest) = name.strip_prefix("Binary")?.split_once('p')?;
        let (precision, kind) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let (signed, layout) = match kind {
            "se" => (true, Layout::Extended),
            "sf" => (true, Layout::Finite),
            "ue" => (false, Layout::Extended),
            "uf" => (false, Layout::Finite),
            _ => return None,
        };
        let format = Self {
            bits: bits.parse().ok()?,
            precision: precision.parse().ok()?,
            signed,
            layout,
        };
        // Only the name that it has: no plus sign, no zero in front.
        (format.exists() && format.to_string() == name).then_some(format)
    }

    fn exists(self) -> bool {
        let shape = (self.bits, self.precision);
        match self.layout {
            Layout::External => self.signed && EXTERNAL.iter().any(|&(_, k, p)| (k, p) == shape),
            _ => {
                let most = self.bits - u32::from(self.signed && self.bits > 0);
                (3..=16).contains(&self.bits) && (1..=most).contains(&self.precision)
            }
        }
    }

    fn number(self) -> u64 {
        let layout = match self.layout {
            Layout::Extended => 0,
            Layout::Finite => 1,
            Layout::External => 2,
        };
        u64::from(self.bits | self.precision << 7 | u32::from(!self.signed) << 13 | layout << 14)
    }

    /// The format of a number's low 16 bits.
    fn of_number(number: u64) -> Option<Self> {
        let field = |low: u32, width: u32| (number >> low) as u32 & ((1 << width) - 1);
        let layout = match field(14, 2) {
            0 => Layout::Extended,
            1 => Layout::Finite,
            2 => Layout::External,
            _ => return None,
        };
        let signed = field(13, 1) == 0;
        let format = Self {
            bits: field(0, 7),
            precision: field(7, 6),
            signed,
            layout,
        };
        format.exists().then_some(format)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = (self.bits, self.precision);
        let kind = match (self.layout, self.signed) {
            (Layout::External, _) => {
                let named = EXTERNAL.iter().find(|&&(_, k, p)| (k, p) == shape);
                return f.write_str(named.map_or("?", |(name, ..)| name));
            }
            (Layout::Extended, true) => "se",
            (Layout::Finite, true) => "sf",
            (Layout::Extended, false) => "ue",
            (Layout::Finite, false) => "uf",
        };
        write!(f, "Binary{}p{}{kind}", self.bits, self.precision)
    }
}

/// The formats of an operation with so many operands: the operands', and the result's if it is
/// rounded.
#[must_use]
pub fn formats(number: u64, operands: usize) -> Option<(Vec<Format>, Option<Format>)> {
    let of = |k: usize| Format::of_number(number >> (16 * k));
    let all: Option<Vec<_>> = (0..operands).map(of).collect();
    let result = match number >> 48 {
        0 => None,
        _ => Some(of(3)?),
    };
    Some((all?, result))
}

/// The formats as text.
#[must_use]
pub fn formats_text(number: u64, operands: usize) -> String {
    let Some((mut all, result)) = formats(number, operands) else {
        return format!("{number:#X}");
    };
    all.extend(result);
    let names: Vec<_> = all.iter().map(ToString::to_string).collect();
    names.join(":")
}

/// The number of formats in text: of so many operands, and of the result if it is rounded.
///
/// # Errors
///
/// What is wrong with it.
pub fn parse_formats(text: &str, operands: usize, rounded: bool) -> Result<u64, String> {
    let names: Vec<_> = text.split(':').collect();
    let needed = operands + usize::from(rounded);
    if names.len() != needed {
        return Err(format!(
            "`{text}` names {} {} where {needed} are needed, separated by colons: the operands'{}",
            names.len(),
            if names.len() == 1 {
                "format"
            } else {
                "formats"
            },
            if rounded { " and the result's" } else { "" }
        ));
    }
    let mut number = 0;
    for (k, name) in names.iter().enumerate() {
        let format = Format::named(name).ok_or_else(|| {
            format!("`{name}` is no format with K from 3 to 16, nor binary32, binary16 or BFloat16")
        })?;
        number |= format.number() << (16 * if k == operands { 3 } else { k });
    }
    Ok(number)
}

/// The roundings, by their numbers.
pub const ROUNDINGS: [&str; 9] = [
    "NearestTiesToEven",
    "NearestTiesToAway",
    "TowardPositive",
    "TowardNegative",
    "TowardZero",
    "ToOdd",
    "StochasticA",
    "StochasticB",
    "StochasticC",
];

/// The saturations, by their numbers.
pub const SATURATIONS: [&str; 3] = ["SatFinite", "SatPropagate", "SatNone"];

/// The texts of the standard, by their numbers: Interim Report 4.0, and the formal specification of
/// July 2026.
pub const REVISIONS: [&str; 2] = ["4.0", "2026-07"];

/// A projection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Projection {
    /// Of [`ROUNDINGS`].
    pub rounding: &'static str,
    /// Of [`SATURATIONS`].
    pub saturation: &'static str,
    /// N and R; 0 where the rounding is not stochastic.
    pub random: (u32, u32),
    /// Whether the rules of July 2026 hold.
    pub revised: bool,
}

impl Projection {
    /// The projection of a number.
    #[must_use]
    pub fn of_number(number: u64) -> Option<Self> {
        let [rounding, bits, saturation, revision, ..] = number.to_le_bytes();
        let projection = Self {
            rounding: ROUNDINGS.get(usize::from(rounding))?,
            saturation: SATURATIONS.get(usize::from(saturation))?,
            random: (bits.into(), (number >> 32) as u32),
            revised: revision == 1,
        };
        (revision < 2 && projection.exists()).then_some(projection)
    }

    fn exists(self) -> bool {
        match self.random {
            (bits @ 1..=16, random) => self.is_stochastic() && random >> bits == 0,
            (bits, random) => !self.is_stochastic() && bits == 0 && random == 0,
        }
    }

    fn is_stochastic(self) -> bool {
        self.rounding.starts_with("Stochastic")
    }

    /// Its number.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<u64, String> {
        let mut parts = text.split(':').peekable();
        let (Some(rounding), Some(saturation)) = (parts.next(), parts.next()) else {
            return Err(format!("`{text}` is no ROUNDING:SATURATION"));
        };
        let place = |known: &[&str], what: &str, name: &str| {
            let found = known.iter().position(|known| *known == name);
            found.ok_or_else(|| format!("`{name}` is no {what}; one of: {}", known.join(", ")))
        };
        let stochastic = rounding.starts_with("Stochastic");
        let rounding = place(&ROUNDINGS, "rounding", rounding)?;
        let saturation = place(&SATURATIONS, "saturation", saturation)?;
        let random = parts.next_if(|part| part.contains('/'));
        let revision = parts
            .next()
            .map_or(Ok(0), |name| place(&REVISIONS, "revision", name))?;
        if parts.next().is_some() {
            return Err(format!("`{text}` has too many parts"));
        }
        let (bits, random) = match (stochastic, random) {
            (false, None) => (0, 0),
            (true, Some(random)) => random_bits(random)?,
            (true, None) => {
                return Err(format!(
                    "`{text}`: a stochastic rounding needs N/R, as in `StochasticA:SatNone:4/A`"
                ));
            }
            (false, Some(random)) => {
                return Err(format!(
                    "`{text}`: only a stochastic rounding takes N/R, so not `{random}`"
                ));
            }
        };
        let low = u32::from_le_bytes([rounding as u8, bits, saturation as u8, revision as u8]);
        Ok(u64::from(low) | u64::from(random) << 32)
    }
}

/// N/R: N from 1 to 16 in decimal, and R below 2^N in hexadecimal, without signs.
fn random_bits(text: &str) -> Result<(u8, u32), String> {
    let parsed = text.split_once('/').and_then(|(bits, random)| {
        let plain = !bits.starts_with('+') && !random.starts_with('+');
        let (bits, random) = (bits.parse().ok()?, u32::from_str_radix(random, 16).ok()?);
        (plain && (1..=16).contains(&bits) && random >> bits == 0).then_some((bits, random))
    });
    parsed.ok_or_else(|| {
        format!("`{text}` is not N/R with N from 1 to 16 (decimal) and R below 2^N (hexadecimal)")
    })
}

impl fmt::Display for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.rounding, self.saturation)?;
        if let (bits @ 1.., random) = self.random {
            write!(f, ":{bits}/{random:X}")?;
        }
        f.write_str(if self.revised { ":2026-07" } else { "" })
    }
}

/// The formats of the operands, of which the last one also holds for the others, and of the result,
/// that a sweep runs in all deterministic projections: of the required list, finite, unsigned,
/// wider and external ones.
const FORMATS: [(&str, &str); 8] = [
    ("Binary8p4se", "Binary8p4se"),
    ("Binary8p3se", "binary32"),
    ("Binary4p2sf:Binary8p3se", "Binary8p4sf"),
    ("Binary8p1uf:Binary8p4se", "Binary6p3ue"),
    ("binary32", "Binary8p3se"),
    ("Binary16p8se:BFloat16", "Binary8p1uf"),
    ("Binary8p4se:Binary8p3se", "binary16"),
    ("Binary8p3se:Binary8p4se", "BFloat16"),
];

/// The stochastic projections that it runs in the first two of these formats.
const STOCHASTIC: [&str; 6] = [
    "StochasticA:SatNone:4/A",
    "StochasticA:SatFinite:16/8000",
    "StochasticB:SatNone:8/55",
    "StochasticB:SatPropagate:16/FFFF",
    "StochasticC:SatFinite:1/1",
    "StochasticC:SatNone:16/3A5C",
];

/// What it runs by the rules of July 2026, and by those of Interim Report 4.0 as well.
///
/// The first one has the rules of ArcTan2 and TanPi. In each pair of the others, which are for
/// results beyond the range of a finite and of an unsigned extended format, one has a range so
/// short that every operation that rule applies to passes it.
const REVISED: [(&str, &str, &str); 5] = [
    ("Binary8p4se", "Binary8p4se", "NearestTiesToEven:SatNone"),
    (
        "Binary4p2sf:Binary8p3se",
        "Binary8p4sf",
        "NearestTiesToEven:SatNone",
    ),
    ("Binary8p4se", "Binary3p2sf", "TowardPositive:SatNone"),
    ("Binary8p1uf:Binary8p4se", "Binary6p3ue", "ToOdd:SatNone"),
    ("Binary8p4se", "Binary3p3ue", "ToOdd:SatNone"),
];

/// The formats of so many operands, of which the last one given also holds for the others.
fn repeated(given: &str, operands: usize) -> String {
    let given: Vec<_> = given.split(':').collect();
    let last = given.len() - 1;
    let formats: Vec<_> = (0..operands).map(|at| given[at.min(last)]).collect();
    formats.join(":")
}

/// More formats of operands, which a sweep runs where nothing is rounded: each of the four kinds, P
/// from 1 to K.
const QUERIED: [&str; 6] = [
    "Binary6p3ue:Binary6p3uf",
    "Binary8p1se:Binary8p4sf",
    "Binary5p5ue:Binary5p1uf",
    "Binary3p2sf:Binary16p16uf",
    "BFloat16:binary16",
    "binary16:binary32",
];

/// The formats of so many operands that a sweep runs where nothing is rounded, as texts.
#[must_use]
pub fn stated_formats(operands: usize) -> Vec<String> {
    // The others are the same operands again.
    let rounded = FORMATS[..6].iter().map(|(given, _)| *given);
    let all = rounded.chain(QUERIED);
    all.map(|given| repeated(given, operands)).collect()
}

/// The result's format and the projection of the four of [`stated`] that a default sweep takes of
/// each operation: formats that functions take, all saturations, and roundings to nearest,
/// directed, to odd and stochastic.
const SAMPLE: [(&str, &str); 4] = [
    ("Binary8p4se", "StochasticB:SatNone:8/55"),
    ("Binary8p4sf", "NearestTiesToEven:SatFinite"),
    ("Binary6p3ue", "TowardNegative:SatPropagate"),
    ("binary16", "ToOdd:SatNone"),
];

/// The first operand's format of the four of [`stated_formats`] that it takes.
const SAMPLE_FORMATS: [&str; 4] = ["Binary8p4se", "Binary8p1uf", "Binary6p3ue", "Binary3p2sf"];

/// Whether a default sweep takes these formats, and this projection if the operation rounds.
#[must_use]
pub fn in_sample(formats: &str, projection: Option<&str>) -> bool {
    let mut formats = formats.split(':');
    match projection {
        Some(given) => formats
            .next_back()
            .is_some_and(|result| SAMPLE.contains(&(result, given))),
        None => formats
            .next()
            .is_some_and(|first| SAMPLE_FORMATS.contains(&first)),
    }
}

/// The formats and the projections that a sweep runs for so many operands, as texts: in an order in
/// which the first 18 have all projections and all formats.
#[must_use]
pub fn stated(operands: usize) -> Vec<(String, String)> {
    let formats = FORMATS.map(|(given, result)| repeated(given, operands) + ":" + result);
    let fixed = ROUNDINGS[..6]
        .iter()
        .flat_map(|rounding| SATURATIONS.map(|saturation| format!("{rounding}:{saturation}")));
    let fixed: Vec<_> = fixed.collect();
    let mut all = Vec::new();
    for turn in 0..formats.len() {
        for (at, projection) in fixed.iter().enumerate() {
            all.push((
                formats[(at + turn) % formats.len()].clone(),
                projection.clone(),
            ));
        }
    }
    for formats in &formats[..2] {
        all.extend(STOCHASTIC.map(|projection| (formats.clone(), projection.to_owned())));
    }
    for (given, result, projection) in REVISED {
        let formats = repeated(given, operands) + ":" + result;
        let former = (formats.clone(), projection.to_owned());
        if !all.contains(&former) {
            all.push(former);
        }
        all.push((formats, format!("{projection}:2026-07")));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_their_numbers() {
        for operands in 1..=3 {
            let all = stated(operands);
            assert_eq!(all.len(), 8 * 18 + 2 * 6 + 5 + 2);
            assert_eq!(
                all.iter().collect::<std::collections::BTreeSet<_>>().len(),
                all.len()
            );
            let sampled = all.iter().filter(|(f, p)| in_sample(f, Some(p)));
            assert_eq!(sampled.count(), 4);
            let formats = stated_formats(operands);
            assert_eq!(formats.iter().filter(|f| in_sample(f, None)).count(), 4);
            for (formats, projection) in all {
                let number = parse_formats(&formats, operands, true).unwrap();
                assert_eq!(formats_text(number, operands), formats);
                let number = Projection::parse(&projection).unwrap();
                assert_eq!(
                    Projection::of_number(number).unwrap().to_string(),
                    projection
                );
            }
        }
    }

    #[test]
    fn formats_without_a_result_are_those_of_their_numbers() {
        for operands in 1..=2 {
            let all = stated_formats(operands);
            let distinct: std::collections::BTreeSet<_> = all.iter().collect();
            assert_eq!((all.len(), distinct.len()), (12, 12));
            for text in all {
                let number = parse_formats(&text, operands, false).unwrap();
                assert_eq!(number >> 48, 0);
                assert_eq!(formats_text(number, operands), text);
                assert!(parse_formats(&text, operands, true).is_err());
            }
        }
    }

    #[test]
    fn wrong_texts_are_refused() {
        for text in [
            "Binary8p4se",
            "Binary8p4se:Binary8p8se",
            "Binary08p4se:binary32",
            "a:b",
            "",
        ] {
            assert!(parse_formats(text, 1, true).is_err(), "{text}");
        }
        for (text, why) in [
            ("ToOdd", "no ROUNDING:SATURATION"),
            ("ToOdd:SatAll", "`SatAll` is no saturation"),
            (
                "ToOdd:SatNone:1/0",
                "only a stochastic rounding takes N/R, so not `1/0`",
            ),
            (
                "ToOdd:SatNone:0/0",
                "only a stochastic rounding takes N/R, so not `0/0`",
            ),
            ("ToOdd:SatNone:4.0:0/0", "too many parts"),
            ("StochasticA:SatNone", "needs N/R"),
            ("StochasticA:SatNone:2026-07", "needs N/R"),
            ("StochasticA:SatNone:4/10", "R below 2^N"),
            ("StochasticB:SatNone:17/0", "N from 1 to 16"),
            ("StochasticB:SatNone:256/0", "N from 1 to 16"),
            ("StochasticC:SatNone:0/0", "N from 1 to 16"),
            ("StochasticC:SatNone:+4/0", "not N/R"),
            (
                "ToOdd:SatNone:2026-08",
                "`2026-08` is no revision; one of: 4.0, 2026-07",
            ),
            ("ToOdd:SatNone:", "`` is no revision; one of: 4.0, 2026-07"),
            ("2026-07", "no ROUNDING:SATURATION"),
        ] {
            let said = Projection::parse(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
        let plain = Projection::parse("ToOdd:SatNone");
        assert_eq!(Projection::parse("ToOdd:SatNone:4.0"), plain);
        assert_eq!(
            parse_formats("Binary8p4se", 1, true),
            Err("`Binary8p4se` names 1 format where 2 are needed, separated by colons: the operands' and the result's".into())
        );
    }
}
