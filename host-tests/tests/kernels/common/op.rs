//! One operation of the oracle.

use host_tests::oracle::{Oracle, OracleKind, for_row};
use host_tests::row::{Operands, Output, RoundingArg, Ty};
use sweep_inputs::Overflow;
use sweep_inputs::digest::finalise;

/// One operation at a choice of formats: by an oracle on the host's f64 where that covers it, and
/// then one call in 64, picked by a hash of the operands, by an exact one too, as the sweep does it.
pub struct Op {
    first: Box<dyn Oracle>,
    second: Option<Box<dyn Oracle>>,
    name: String,
}

impl Op {
    pub fn new(op: &str, operands: &[Ty], result: Ty) -> Self {
        let of = |kind| for_row(kind, op, operands, &[result], &[]);
        // Functions of f32 are filtered, and the real numbers decide the rest.
        let (fast, slow) = match of(OracleKind::Filter) {
            Some(filter) => (Some(filter), of(OracleKind::Real)),
            None => (of(OracleKind::Eft), of(OracleKind::Rational)),
        };
        let slow = slow.expect("an oracle");
        let (first, second) = match fast {
            Some(fast) => (fast, Some(slow)),
            None => (slow, None),
        };
        Self {
            first,
            second,
            name: format!("{op} {operands:?} {result:?}"),
        }
    }

    pub fn output(&self, x: &[u64], rounding: RoundingArg, overflow: Overflow) -> Output {
        let mut operands: Operands = [0; 3];
        operands[..x.len()].copy_from_slice(x);
        let output = self.first.answer(&operands).output(rounding, overflow);
        if let Some(second) = &self.second {
            let hash = operands.iter().fold(0, |hash, x| finalise(hash ^ x));
            if hash % 64 == 0 {
                let again = second.answer(&operands).output(rounding, overflow);
                assert_eq!(output, again, "{} {operands:X?} {rounding:?}", self.name);
            }
        }
        output
    }
}
