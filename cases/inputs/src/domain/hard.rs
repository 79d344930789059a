//! The hard sets: the values, pairs and triples, and their number.
//!
//! | operands | inputs | listed among them |
//! |---|---|---|
//! | one | 2^17 | each of the type's values (`values::count`) |
//! | two | 2^16 | each pair of listed values |
//! | two, of a function in `nearest.rs` | 512 + 2^16 | its nearest pairs, first of all; each pair of listed values |
//! | two, a gradient's (x, g) with 16-bit x | 2^17 | each x, with a random g |
//! | three | 2^16 | each triple of the short list (26^3) |
//! | of P3109 | 2^16 + 2^12 | each code of up to 16 bits, each pair of codes of up to 8, each triple of up to 6, 5 and 5 |
//!
//! P3109's operands are codes in words of 32 bits, of whose formats the inputs do not depend: the
//! 2^12 others are binary32's.
//!
//! All others are structured random inputs: see `near_boundary.rs`.

use super::near_boundary;
use super::nearest::{self, Nearest};
use super::random::SplitMix64;
use super::shape::{Float, Shape, Target};
use super::values::{self, CORE};

/// The kind of operation that the pairs are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HardCases {
    Unary,
    SquareRoot,
    Sum,
    Product,
    Quotient,
    Remainder,
    Compare,
    Scaled,
    Gradient,
    Fused,
    /// An operation of P3109.
    Codes,
    /// The nearest pairs of a function, then those of a comparison.
    Nearest(Nearest),
}

impl HardCases {
    /// The cases of an operation of the catalog, by its name without formats.
    #[must_use]
    pub fn of(op: &str, operands: usize) -> Self {
        match op {
            "sqrt" => Self::SquareRoot,
            "add" | "sub" => Self::Sum,
            "mul" => Self::Product,
            "div" => Self::Quotient,
            "remainder" | "fmod" | "remquo" | "floor_divide" | "floor_remainder" => Self::Remainder,
            "scalbn" => Self::Scaled,
            "atan2" => Self::Nearest(Nearest::Atan2),
            "atan2pi" => Self::Nearest(Nearest::Atan2pi),
            "pow" => Self::Nearest(Nearest::Pow),
            "pown" => Self::Nearest(Nearest::Pown),
            "rootn" => Self::Nearest(Nearest::Rootn),
            "compound" => Self::Nearest(Nearest::Compound),
            _ if op.ends_with("_backward") && operands == 2 => Self::Gradient,
            _ if op.starts_with("p3109_") => Self::Codes,
            _ => match operands {
                1 => Self::Unary,
                2 => Self::Compare,
                _ => Self::Fused,
            },
        }
    }

    /// The random numbers of these cases, which no version of the hard set changes.
    const fn stream(self) -> u64 {
        match self {
            Self::Unary => 0,
            Self::SquareRoot => 1,
            Self::Sum => 2,
            Self::Product => 3,
            Self::Quotient => 4,
            Self::Remainder => 5,
            Self::Compare | Self::Nearest(_) => 6,
            Self::Scaled => 7,
            Self::Gradient => 8,
            Self::Fused => 9,
            Self::Codes => 10,
        }
    }
}

/// The hard set of an operation at its types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hard {
    pub cases: HardCases,
    pub operands: [Shape; 3],
    /// The rounding boundaries of the results.
    pub target: Target,
}

impl Hard {
    /// The number of inputs.
    #[must_use]
    pub const fn len(&self) -> u64 {
        match self.cases {
            HardCases::Unary | HardCases::SquareRoot | HardCases::Gradient => 1 << 17,
            HardCases::Codes => (1 << 16) + (1 << 12),
            _ => self.nearest().len() as u64 + (1 << 16),
        }
    }

    /// Its name in tables and golden files, with the version, which rises with every change of the
    /// input at any index.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.cases {
            HardCases::Nearest(_) => "hard2",
            _ => "hard1",
        }
    }

    /// The number of the first inputs that a run of a part of them has: `first` ones, after all of
    /// the nearest pairs.
    #[must_use]
    pub fn prefix(&self, first: u64) -> u64 {
        let nearest = self.nearest().len() as u64;
        nearest.saturating_add(first).min(self.len())
    }

    /// The nearest pairs, where the function has some: the first inputs.
    const fn nearest(&self) -> &'static [(u16, u32)] {
        match (self.cases, self.operands) {
            (HardCases::Nearest(function), [Shape::Float(format), ..]) => {
                nearest::pairs(function, format)
            }
            _ => &[],
        }
    }

    /// Never true; clippy requires it next to `len`.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The operands at an index below [`len`](Self::len).
    #[must_use]
    pub fn get(&self, index: u64) -> [u64; 3] {
        let nearest = self.nearest();
        if let Some(&(x, y)) = nearest.get(index as usize) {
            return [x.into(), y.into(), 0];
        }
        let index = index - nearest.len() as u64;
        if self.cases == HardCases::Codes {
            return self.codes(index);
        }
        let rng = &mut SplitMix64::at(self.cases.stream(), index);
        let [a, b, c] = self.operands;
        match (a, b, c) {
            (_, Shape::Absent, _) => [self.one(rng, a, index), 0, 0],
            (_, _, Shape::Absent) => {
                let [x, y] = self.two(rng, a, b, index);
                [x, y, 0]
            }
            _ => self.three(rng, index),
        }
    }

    /// One of 17 is of binary32; the others are all codes, in an order in which the first ones
    /// differ in all their bits.
    fn codes(&self, index: u64) -> [u64; 3] {
        // Near the rounding boundaries of Binary8p4sf.
        const TARGET: Target = Target::of(Float::E4M3FNUZ);
        let operands = self.operands.map(|shape| shape != Shape::Absent);
        let (run, place) = (index / 17, index % 17);
        if place == 0 {
            let rng = &mut SplitMix64::at(self.cases.stream(), run);
            let float = Shape::Float(Float::F32);
            return operands.map(|there| {
                if there {
                    values::random(rng, float, TARGET)
                } else {
                    0
                }
            });
        }
        // Odd, so that no code is missing.
        let codes = (16 * run + place - 1).wrapping_mul(0x9E37) & 0xFFFF;
        match operands {
            [_, false, _] => [codes, 0, 0],
            [_, _, false] => [codes >> 8, codes & 0xFF, 0],
            _ => [codes >> 10, codes >> 5 & 0x1F, codes & 0x1F],
        }
    }

    fn one(&self, rng: &mut SplitMix64, a: Shape, index: u64) -> u64 {
        let listed = u64::from(values::count(a));
        if index < listed {
            return values::listed(a, index as u32);
        }
        match (self.cases, a) {
            (HardCases::SquareRoot, Shape::Float(a)) => near_boundary::square(rng, a, self.target),
            _ => values::random(rng, a, self.target),
        }
    }

    fn two(&self, rng: &mut SplitMix64, a: Shape, b: Shape, mut index: u64) -> [u64; 2] {
        if self.cases == HardCases::Gradient && a.bits() == 16 {
            if index < 1 << 16 {
                return [index, values::random(rng, b, self.target)];
            }
            index -= 1 << 16;
        }
        let (count_a, count_b) = (u64::from(values::count(a)), u64::from(values::count(b)));
        if index < count_a * count_b {
            let (i, j) = ((index / count_b) as u32, (index % count_b) as u32);
            return [values::listed(a, i), values::listed(b, j)];
        }
        if rng.one_in(8) {
            return [
                values::random(rng, a, self.target),
                values::random(rng, b, self.target),
            ];
        }
        match (self.cases, a, b) {
            (HardCases::Sum, Shape::Float(a), Shape::Float(b)) => {
                near_boundary::sum(rng, a, b, self.target)
            }
            (HardCases::Product, Shape::Float(a), Shape::Float(b)) => {
                near_boundary::product(rng, a, b, self.target)
            }
            (HardCases::Quotient, Shape::Float(a), Shape::Float(b)) => {
                near_boundary::quotient(rng, a, b, self.target)
            }
            (HardCases::Remainder, Shape::Float(a), Shape::Float(b)) => {
                near_boundary::remainder(rng, a, b)
            }
            (HardCases::Compare | HardCases::Nearest(_), Shape::Float(a), Shape::Float(b)) => {
                near_boundary::close(rng, a, b, self.target)
            }
            (HardCases::Scaled, Shape::Float(a), Shape::Integer { bits, .. }) => {
                near_boundary::scaled(rng, a, bits, self.target)
            }
            _ => [
                values::random(rng, a, self.target),
                values::random(rng, b, self.target),
            ],
        }
    }

    fn three(&self, rng: &mut SplitMix64, index: u64) -> [u64; 3] {
        const TRIPLES: u64 = (CORE * CORE * CORE) as u64;
        let [a, b, c] = self.operands;
        if index < TRIPLES {
            let side = u64::from(CORE);
            let digit = |value: u64| (value % side) as u32;
            return [
                values::core_value(a, digit(index / (side * side))),
                values::core_value(b, digit(index / side)),
                values::core_value(c, digit(index)),
            ];
        }
        if let (Some(a), Some(b), Some(c)) = (float(a), float(b), float(c))
            && !rng.one_in(16)
        {
            return near_boundary::fused(rng, [a, b, c], self.target);
        }
        [a, b, c].map(|shape| values::random(rng, shape, self.target))
    }
}

const fn float(shape: Shape) -> Option<Float> {
    match shape {
        Shape::Float(float) => Some(float),
        _ => None,
    }
}
