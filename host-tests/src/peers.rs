//! Other libraries, and how often they are wrong.
//!
//! A peer computes in f32 (by its function, or by the usual formula with it), and its result is
//! rounded once to the 16-bit format: by `half`'s conversion to nearest, by `bitexact`'s in the
//! other modes. The result is wrong where the peer's f32 result has an error, or where f32 lacks
//! the bits that decide the rounding.

use crate::domain::SplitMix64;
use crate::engine::{self, Choice, Filter, Plan, Share};
use crate::oracle::{Oracle, OracleKind, for_row};
use crate::row::{Args, Output, RoundingArg, Row, Ty};
use crate::rows::mode;
use bitexact::convert::convert;
use bitexact::{bf16, f16};
use rayon::prelude::*;
use sweep_inputs::{Overflow, Rounding};

/// A function of a peer.
pub struct Peer {
    pub name: &'static str,
    /// The kernel's name in the catalog.
    pub op: &'static str,
    f32: fn(f32) -> f32,
}

macro_rules! peers {
    ($($op:ident { $($name:ident $f32:expr;)* })*) => {
        /// The peers of each function: `std` (with `half`'s conversions), `libm`, `micromath`,
        /// `pxfm`.
        pub const PEERS: &[Peer] = &[
            $($(Peer { name: stringify!($name), op: stringify!($op), f32: $f32 },)*)*
        ];
    };
}

::peers::for_each_peer!(peers);

/// How often a function is wrong in a mode, out of the row's 65,536 inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Results that differ from the correctly rounded one; all NaNs count as equal.
    pub wrong: u32,
    /// The maximum error of these, in codes of the format (NaNs are not counted).
    pub ulp: u32,
    /// How many of these are NaN on one side only.
    pub nan: u32,
}

/// A peer's counts for a row, in the order of [`Rounding::ALL`].
pub struct Counts {
    pub row: Row,
    pub peer: &'static str,
    pub modes: [Count; 6],
}

/// The counts of every peer of these rows, row by row; a row without a peer has none. `bitexact`'s
/// own counts come first.
///
/// # Errors
///
/// A row that no oracle covers.
pub fn compare(rows: &[Row]) -> Result<Vec<Counts>, String> {
    let mut counts = Vec::new();
    for row in rows.iter().filter(|row| row.params.is_empty()) {
        let peers: Vec<_> = PEERS.iter().filter(|peer| peer.op == row.op).collect();
        let ([operand], [result]) = (row.operands, row.results) else {
            continue;
        };
        if peers.is_empty() || operand != result || !matches!(operand, Ty::F16 | Ty::Bf16) {
            continue;
        }
        let expected = expected(row)?;
        let mut add = |peer, modes| {
            counts.push(Counts {
                row: *row,
                peer,
                modes,
            });
        };
        add("bitexact", tally(row, &expected, None));
        for peer in peers {
            add(peer.name, tally(row, &expected, Some(peer.f32)));
        }
    }
    Ok(counts)
}

/// The correct result of each input in each mode.
fn expected(row: &Row) -> Result<Vec<[u16; 6]>, String> {
    let plan = Plan::new(row, false, &Filter::default(), None);
    let judges = engine::judges(&plan, Choice::Auto, Share { bits: 16 })
        .ok_or_else(|| format!("no oracle covers {}", row.name))?;
    Ok((0..=u16::MAX)
        .into_par_iter()
        .map(|code| {
            let answer = judges[0].first.answer(&[u64::from(code), 0, 0]);
            Rounding::ALL.map(|rounding| {
                answer
                    .output(RoundingArg::Fixed(rounding), Overflow::Ieee)
                    .results[0] as u16
            })
        })
        .collect())
}

fn tally(row: &Row, expected: &[[u16; 6]], peer: Option<fn(f32) -> f32>) -> [Count; 6] {
    let mut counts = [Count::default(); 6];
    for (mode, (rounding, count)) in Rounding::ALL.into_iter().zip(&mut counts).enumerate() {
        for (code, expected) in (0..=u16::MAX).zip(expected) {
            let got = match (peer, row.operands[0]) {
                (None, _) => own(row, code, rounding),
                (Some(f32), Ty::F16) => {
                    let y = f32(f16::from_bits(code).to_f32());
                    match rounding {
                        Rounding::TiesToEven => f16::from_f32(y).to_bits(),
                        _ => convert::<f32, f16>(y, mode::of(rounding, Overflow::Ieee)).to_bits(),
                    }
                }
                (Some(f32), _) => {
                    let y = f32(bf16::from_bits(code).to_f32());
                    match rounding {
                        Rounding::TiesToEven => bf16::from_f32(y).to_bits(),
                        _ => convert::<f32, bf16>(y, mode::of(rounding, Overflow::Ieee)).to_bits(),
                    }
                }
            };
            count.add(row.operands[0], got, expected[mode]);
        }
    }
    counts
}

fn own(row: &Row, code: u16, rounding: Rounding) -> u16 {
    let args = [Args {
        rounding: RoundingArg::Fixed(rounding),
        overflow: Overflow::Ieee,
        params: Vec::new(),
    }];
    let mut output = [Output::default()];
    (row.run)(&args, &[[u64::from(code), 0, 0]], &mut output);
    output[0].results[0] as u16
}

impl Count {
    fn add(&mut self, ty: Ty, got: u16, expected: u16) {
        let infinity = if ty == Ty::F16 { 0x7C00 } else { 0x7F80 };
        let nan = |code: u16| code & 0x7FFF > infinity;
        if got == expected || nan(got) && nan(expected) {
            return;
        }
        self.wrong += 1;
        if nan(got) || nan(expected) {
            self.nan += 1;
            return;
        }
        // Codes in the order of their values; both zeros at 0.
        let place = |code: u16| {
            let magnitude = i32::from(code & 0x7FFF);
            if code >> 15 == 0 {
                magnitude
            } else {
                -magnitude
            }
        };
        self.ulp = self.ulp.max(place(got).abs_diff(place(expected)));
    }
}

/// How often `half`'s own arithmetic is wrong: the operation, the number of inputs, the number of
/// wrong results.
pub struct Half {
    pub what: &'static str,
    pub inputs: u64,
    pub wrong: u64,
}

/// Random triples for `mul_add`.
const TRIPLES: u64 = 5_000_000;

/// `half`'s conversions from f64 one f64 ulp to either side of every tie, and its `mul_add` (f32's,
/// converted) on triples of random bits.
///
/// # Errors
///
/// No oracle for fma.
#[expect(clippy::disallowed_methods, reason = "to show that they misround")]
pub fn half() -> Result<Vec<Half>, String> {
    let f16_fused = |[a, b, c]: [u16; 3]| {
        let [a, b, c] = [a, b, c].map(|code| f16::from_bits(code).to_f32());
        f16::from_f32(a.mul_add(b, c)).to_bits()
    };
    let bf16_fused = |[a, b, c]: [u16; 3]| {
        let [a, b, c] = [a, b, c].map(|code| bf16::from_bits(code).to_f32());
        bf16::from_f32(a.mul_add(b, c)).to_bits()
    };
    Ok(vec![
        beside_ties(
            "f64 -> f16, one f64 ulp from each tie",
            0x7BFF,
            |code| f16::from_bits(code).to_f64(),
            |x| f16::from_f64(x).to_bits(),
        ),
        beside_ties(
            "f64 -> bf16, one f64 ulp from each tie",
            0x7F7F,
            |code| bf16::from_bits(code).to_f64(),
            |x| bf16::from_f64(x).to_bits(),
        ),
        mul_add("f16 mul_add, random bits", Ty::F16, f16_fused)?,
        mul_add("bf16 mul_add, random bits", Ty::Bf16, bf16_fused)?,
    ])
}

/// The nearest code is known without an oracle, since the tie lies between two neighbours.
fn beside_ties(
    what: &'static str,
    largest: u16,
    value: fn(u16) -> f64,
    convert: fn(f64) -> u16,
) -> Half {
    let (mut inputs, mut wrong) = (0, 0);
    for sign in [0, 0x8000] {
        for code in 0..largest {
            let tie = (value(code) + value(code + 1)) / 2.0;
            for (bits, nearest) in [(tie.to_bits() - 1, code), (tie.to_bits() + 1, code + 1)] {
                let x = f64::from_bits(bits | u64::from(sign) << 48);
                inputs += 1;
                wrong += u64::from(convert(x) != nearest | sign);
            }
        }
    }
    Half {
        what,
        inputs,
        wrong,
    }
}

fn mul_add(
    what: &'static str,
    ty: Ty,
    fused: impl Fn([u16; 3]) -> u16 + Sync,
) -> Result<Half, String> {
    let oracle: Box<dyn Oracle> =
        for_row(OracleKind::Rational, "fma", &[ty; 3], &[ty], &[]).ok_or("no oracle covers fma")?;
    let wrong = (0..TRIPLES)
        .into_par_iter()
        .filter(|index| {
            let bits = SplitMix64::at(0x6D61_6464, *index).next();
            let codes = [bits, bits >> 16, bits >> 32].map(|bits| bits as u16);
            let answer = oracle.answer(&codes.map(u64::from));
            let expected = answer
                .output(RoundingArg::Fixed(Rounding::TiesToEven), Overflow::Ieee)
                .results[0] as u16;
            let mut count = Count::default();
            count.add(ty, fused(codes), expected);
            count.wrong > 0
        })
        .count() as u64;
    Ok(Half {
        what,
        inputs: TRIPLES,
        wrong,
    })
}
