//! The hard sets: the values, pairs and triples, and their number.
//!
//! | operands | inputs | listed among them |
//! |---|---|---|
//! | one | 2^17 | each of the type's values (`values::count`) |
//! | two | 2^16 | each pair of listed values |
//! | two, of a function in `nearest.rs` | 512 + 2^16 | its nearest pairs, first of all; each pair of listed values |
//! | two, a gradient's (x, g) with 16-bit x | 2^17 | each x, with a random g |
//! | three | 2^16 | each triple of the short list (26^3) |
//!
//! All others are structured random inputs: see `near.rs`.

use super::near;
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
            "remainder" | "fmod" | "remquo" => Self::Remainder,
            "scalbn" => Self::Scaled,
            "atan2" => Self::Nearest(Nearest::Atan2),
            "atan2pi" => Self::Nearest(Nearest::Atan2pi),
            "pow" => Self::Nearest(Nearest::Pow),
            "pown" => Self::Nearest(Nearest::Pown),
            "rootn" => Self::Nearest(Nearest::Rootn),
            "compound" => Self::Nearest(Nearest::Compound),
            _ if op.ends_with("_backward") && operands == 2 => Self::Gradient,
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
            _ => self.nearest().len() as u64 + (1 << 16),
        }
    }

    /// Its name in tables and golden files, with the version, which rises with every change of the input at any index.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.cases {
            HardCases::Nearest(_) => "hard2",
            _ => "hard1",
        }
    }

    /// The number of the first inputs that a run of a part of them has: `first` ones, after all of the nearest pairs.
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

    fn one(&self, rng: &mut SplitMix64, a: Shape, index: u64) -> u64 {
        let listed = u64::from(values::count(a));
        if index < listed {
            return values::listed(a, index as u32);
        }
        match (self.cases, a) {
            (HardCases::SquareRoot, Shape::Float(a)) => near::square(rng, a, self.target),
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
            (HardCases::Sum, Shape::Float(a), Shape::Float(b)) => near::sum(rng, a, b, self.target),
            (HardCases::Product, Shape::Float(a), Shape::Float(b)) => {
                near::product(rng, a, b, self.target)
            }
            (HardCases::Quotient, Shape::Float(a), Shape::Float(b)) => {
                near::quotient(rng, a, b, self.target)
            }
            (HardCases::Remainder, Shape::Float(a), Shape::Float(b)) => near::remainder(rng, a, b),
            (HardCases::Compare | HardCases::Nearest(_), Shape::Float(a), Shape::Float(b)) => {
                near::close(rng, a, b, self.target)
            }
            (HardCases::Scaled, Shape::Float(a), Shape::Integer { bits, .. }) => {
                near::scaled(rng, a, bits, self.target)
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
            return near::fused(rng, [a, b, c], self.target);
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
