//! The policies with which systems encode a scale as E8M0, by name.
//!
//! `e8m0_dialects.json` is a table of measurements: eight settings that reproduce 27 systems byte
//! for byte. Four plain policies are added to them.

use serde_json::Value;
use std::sync::LazyLock;

/// The power of two that a magnitude is rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScaleRounding {
    /// `rz`: the greatest one that is not above.
    Floor,
    /// `rp`: the least one that is not below.
    Ceiling,
    /// `rp_field`: as `Ceiling`, but a nonzero magnitude below 2^-126 goes to 2^-126. (In the f32
    /// encoding: a nonzero fraction adds 1 to the exponent field, in subnormals too.)
    CeilingOfField,
    /// `rn_up`: the nearer one, at the midpoint 1.5 * 2^k the greater.
    NearestUp,
    /// `rn_up_quirk`: as `NearestUp`, but everything between 2^-127 and 2^-126 goes to 2^-126.
    NearestUpQuirk,
    /// The nearer one, at the midpoint the one with the even byte.
    NearestEvenCode,
}

/// When a finite magnitude counts as too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverflowTest {
    /// If it exceeds 2^127 once rounded.
    AfterRounding,
    /// If it exceeds 2^127.
    BeforeRounding,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    pub name: String,
    pub rounding: ScaleRounding,
    /// The byte of a finite magnitude that is too large.
    pub overflow: u8,
    pub overflow_test: OverflowTest,
    pub infinity: u8,
    pub nan: u8,
    /// The byte of both zeros.
    pub zero: u8,
    /// The byte of 0 < |x| < 2^-127, if the rounding does not give it.
    pub under: Option<u8>,
    /// The byte of numbers below zero, if not that of the magnitude. NaN and -0 are not below zero.
    pub negative: Option<u8>,
}

static POLICIES: LazyLock<Vec<Policy>> = LazyLock::new(|| {
    let plain = [
        ("floor", ScaleRounding::Floor),
        ("ceil", ScaleRounding::Ceiling),
        ("nearest-ties-up", ScaleRounding::NearestUp),
        ("nearest-even-code", ScaleRounding::NearestEvenCode),
    ];
    let plain = plain.map(|(name, rounding)| Policy {
        name: name.to_owned(),
        rounding,
        overflow: 0xFF,
        overflow_test: OverflowTest::AfterRounding,
        infinity: 0xFF,
        nan: 0xFF,
        zero: 0x00,
        under: None,
        negative: None,
    });
    let table: Value = serde_json::from_str(include_str!("e8m0_dialects.json")).expect("JSON");
    let measured = table
        .as_object()
        .expect("an object")
        .iter()
        .map(|(name, knobs)| {
            let knob = |key: &str| {
                knobs[key]
                    .as_str()
                    .unwrap_or_else(|| panic!("{name}: no {key}"))
            };
            let byte = |text: &str| u8::from_str_radix(text, 16).expect("a byte");
            let byte_unless = |key: &str, none: &str| Some(knob(key)).filter(|&text| text != none);
            Policy {
                name: name.clone(),
                rounding: match knob("rnd") {
                    "rz" => ScaleRounding::Floor,
                    "rp" => ScaleRounding::Ceiling,
                    "rp_field" => ScaleRounding::CeilingOfField,
                    "rn_up" => ScaleRounding::NearestUp,
                    "rn_up_quirk" => ScaleRounding::NearestUpQuirk,
                    other => panic!("{name}: {other}"),
                },
                overflow: byte(knob("ovf")),
                overflow_test: match knob("ovf_test") {
                    "post" => OverflowTest::AfterRounding,
                    "pre" => OverflowTest::BeforeRounding,
                    other => panic!("{name}: {other}"),
                },
                infinity: byte(knob("inf")),
                nan: byte(knob("nan")),
                zero: byte(knob("zero")),
                under: byte_unless("under", "clamp").map(byte),
                negative: byte_unless("neg", "abs").map(byte),
            }
        });
    plain.into_iter().chain(measured).collect()
});

/// All of them.
#[must_use]
pub fn policies() -> &'static [Policy] {
    &POLICIES
}

/// The policy with this name.
#[must_use]
pub fn policy(name: &str) -> Option<&'static Policy> {
    POLICIES.iter().find(|policy| policy.name == name)
}
