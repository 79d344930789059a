//! The choice of the oracle for a row.
//!
//! By default the sweep uses the fastest exact oracle that covers the row, and also gives a part of
//! the inputs (one in 64, in an exhaustive run one in 65536, selected by a hash of the index) to
//! the reference. The table names both: `eft+rational/64`.

use super::plan::Plan;
use oracles::{Oracle, OracleKind, for_row};
use sweep_inputs::digest;

/// The user's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The fastest, with the reference for a part of the inputs.
    Auto,
    /// This one alone.
    Only(OracleKind),
}

/// One input in 2^`bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    pub bits: u32,
}

impl Share {
    /// Whether the input is in this part. It is selected by a hash, since the hard sets are regular
    /// in the index.
    #[must_use]
    #[inline]
    pub const fn has(self, index: u64) -> bool {
        digest::finalise(index ^ 0x5EED) & ((1 << self.bits) - 1) == 0
    }
}

/// The oracles of one parameter setting.
pub struct Judges {
    pub first: Box<dyn Oracle>,
    pub first_name: &'static str,
    pub second: Option<(Box<dyn Oracle>, &'static str, Share)>,
}

impl Judges {
    /// For the table.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.second {
            None => self.first_name.into(),
            Some((_, name, share)) => {
                format!("{}+{name}/{}", self.first_name, 1u64 << share.bits)
            }
        }
    }
}

/// The oracles to try in turn, and the reference for a part of the inputs.
const FASTEST: [(OracleKind, OracleKind); 3] = [
    (OracleKind::Eft, OracleKind::Rational),
    (OracleKind::Rational, OracleKind::Rational),
    (OracleKind::Filter, OracleKind::Real),
];

/// The oracles of every setting of a plan, or `None` if one has none.
#[must_use]
pub fn judges(plan: &Plan, choice: Choice, share: Share) -> Option<Vec<Judges>> {
    let row = &plan.row;
    plan.settings
        .iter()
        .map(|setting| {
            let params = setting.for_oracle(row);
            let find = |kind| for_row(kind, row.op, row.operands, row.results, &params);
            let only = |kind: OracleKind| {
                let first = find(kind)?;
                Some(Judges {
                    first,
                    first_name: kind.name(),
                    second: None,
                })
            };
            match choice {
                Choice::Only(kind) => only(kind),
                Choice::Auto => FASTEST.into_iter().find_map(|(fast, reference)| {
                    let mut judges = only(fast)?;
                    if reference != fast {
                        judges.second =
                            find(reference).map(|oracle| (oracle, reference.name(), share));
                    }
                    Some(judges)
                }),
            }
        })
        .collect()
}
