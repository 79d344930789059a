//! The plan of one row: its inputs, its modes, its parameter settings.

use super::params::{self, Setting};
use crate::runner::Runner;
use core::ops::Range;
use std::sync::Arc;
use sweep_inputs::domain::Domain;
use sweep_inputs::{Overflow, Rounding};
use sweep_row::domain::domain;
use sweep_row::{Args, RoundingArg, Row};

/// The random bits with which stochastic kernels are swept: both ends, the middle, and two random
/// words.
pub const RANDOM_WORDS: [u16; 7] = [0x0000, 0x0001, 0x7FFF, 0x8000, 0xFFFF, 0x3A5C, 0xC1D7];

/// A rounding and an overflow rule.
pub type Mode = (RoundingArg, Overflow);

/// The user's selection; `None` selects everything.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub roundings: Option<Vec<RoundingArg>>,
    pub overflows: Option<Vec<Overflow>>,
}

impl Filter {
    /// The modes of a row: all six directions with all three overflow rules, and [`RANDOM_WORDS`]
    /// with the IEEE rule. A row that takes no mode has one nominal mode.
    #[must_use]
    pub fn modes(&self, row: &Row) -> Vec<Mode> {
        if !row.takes_rounding {
            return vec![(RoundingArg::Fixed(Rounding::TiesToEven), Overflow::Ieee)];
        }
        let all = || {
            let fixed = Rounding::ALL.into_iter().map(RoundingArg::Fixed);
            fixed
                .chain(RANDOM_WORDS.into_iter().map(RoundingArg::Stochastic))
                .collect()
        };
        let roundings: Vec<_> = self.roundings.clone().unwrap_or_else(all);
        let mut modes = Vec::new();
        for rounding in roundings {
            let stochastic = matches!(rounding, RoundingArg::Stochastic(_));
            if stochastic && !row.has_stochastic {
                continue;
            }
            let overflows = match &self.overflows {
                _ if !row.takes_overflow => vec![Overflow::Ieee],
                Some(asked) => asked.clone(),
                None if stochastic => vec![Overflow::Ieee],
                None => Overflow::ALL.to_vec(),
            };
            modes.extend(overflows.into_iter().map(|overflow| (rounding, overflow)));
        }
        modes
    }
}

/// One of n equal parts of the inputs, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    pub index: u64,
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// This shard's part of `len` inputs.
    #[must_use]
    pub fn span(self, len: u64) -> Range<u64> {
        let cut = |k: u64| (u128::from(len) * u128::from(k) / u128::from(self.of)) as u64;
        cut(self.index - 1)..cut(self.index)
    }
}

/// One row, ready to run.
#[derive(Clone)]
pub struct Plan {
    pub row: Row,
    pub domain: Domain,
    pub settings: Vec<Setting>,
    pub modes: Vec<Mode>,
    /// What runs the kernel, if not this process.
    pub runner: Option<Arc<dyn Runner>>,
}

impl Plan {
    /// The row's plan; `settings` of `None` are the stated ones.
    #[must_use]
    pub fn new(row: &Row, exhaustive: bool, filter: &Filter, settings: Option<Setting>) -> Self {
        Self {
            row: *row,
            domain: domain(row, exhaustive),
            settings: settings.map_or_else(|| params::stated(row), |setting| vec![setting]),
            modes: filter.modes(row),
            runner: None,
        }
    }

    /// The number of inputs in the domain.
    #[must_use]
    pub fn inputs(&self) -> u64 {
        self.domain.len().unwrap_or(u64::MAX)
    }

    /// The number of outputs per input.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.settings.len() * self.modes.len()
    }

    /// The magnitude of the first operand, if a span consists of consecutive f32 operands of one
    /// sign for a kernel that is monotone in their magnitude. The oracle may answer such a run at
    /// once. (It has no digest.)
    #[must_use]
    pub fn scan(&self, span: &Range<u64>) -> Option<u64> {
        let monotone = matches!(self.row.op, "convert" | "e8m0_encode");
        let f32_bits = self.domain == Domain::All([32, 0, 0]);
        let sign = |index: u64| index >> 31;
        (monotone && f32_bits && sign(span.start) == sign(span.end - 1))
            .then_some(span.start & 0x7FFF_FFFF)
    }

    /// Whether any mode needs the discarded fractions.
    #[must_use]
    pub fn stochastic(&self) -> bool {
        self.modes
            .iter()
            .any(|(rounding, _)| matches!(rounding, RoundingArg::Stochastic(_)))
    }

    /// The arguments of a setting in a mode.
    #[must_use]
    pub fn args(&self, setting: usize, mode: usize) -> Args {
        let (rounding, overflow) = self.modes[mode];
        Args {
            rounding,
            overflow,
            params: self.settings[setting].0.clone(),
        }
    }

    /// The domain's name in tables and golden files.
    #[must_use]
    pub const fn domain_name(&self) -> &'static str {
        self.domain.name()
    }

    /// `rounding overflow params` of a cell.
    #[must_use]
    pub fn cell_name(&self, setting: usize, mode: usize) -> [String; 3] {
        let (rounding, overflow) = self.modes[mode];
        let label = self.settings[setting].label(&self.row);
        if !self.row.takes_rounding {
            return ["-".into(), "-".into(), label];
        }
        let overflow = if self.row.takes_overflow {
            overflow.name()
        } else {
            "-"
        };
        [super::rounding_name(rounding), overflow.into(), label]
    }
}
