//! The comparison predicates of IEEE 754-2019, 5.11, each as the set of relations for which it is
//! true; and totalOrder (5.10), clause by clause.

use super::rule::{boolean, fixed};
use crate::finish::{flag, output};
use crate::shape::Shape;
use crate::{Datum, Format, Oracle};
use std::cmp::Ordering;
use sweep_row::Ty;

/// The four relations, of which exactly one holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    Equal,
    Greater,
    Unordered,
}

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    let two = shape.operands.len() == 2 && shape.operand(1)? == format;
    (two && shape.results == [Ty::Bool]).then_some(())?;
    match shape.op {
        "total_order" => fixed(move |x| boolean(total_order(format, x[0], x[1]))),
        "total_order_magnitude" => {
            fixed(move |x| boolean(total_order(format, format.code(x[0]), format.code(x[1]))))
        }
        _ => {
            let (signalling, predicate) = shape.op.strip_prefix("compare_")?.split_once('_')?;
            let any_nan = match signalling {
                "signaling" => true,
                "quiet" => false,
                _ => return None,
            };
            let relations = relations(predicate)?;
            fixed(move |x| {
                let (a, b) = (format.decode(x[0]), format.decode(x[1]));
                let invalid = [a, b]
                    .iter()
                    .any(|datum| datum.is_signalling() || any_nan && datum.nan().is_some());
                let holds = relations.contains(&relation(a, b));
                output(holds.into(), if invalid { flag::INVALID } else { 0 })
            })
        }
    }
}

/// The relations for which a predicate of tables 5.1 to 5.3 is true.
fn relations(predicate: &str) -> Option<&'static [Relation]> {
    use Relation::{Equal, Greater, Less, Unordered};
    Some(match predicate {
        "equal" => &[Equal],
        "not_equal" => &[Less, Greater, Unordered],
        "greater" => &[Greater],
        "greater_equal" => &[Greater, Equal],
        "less" => &[Less],
        "less_equal" => &[Less, Equal],
        "not_greater" => &[Equal, Less, Unordered],
        "less_unordered" => &[Less, Unordered],
        "not_less" => &[Equal, Greater, Unordered],
        "greater_unordered" => &[Greater, Unordered],
        "unordered" => &[Unordered],
        "ordered" => &[Less, Equal, Greater],
        _ => return None,
    })
}

fn relation(a: Datum, b: Datum) -> Relation {
    match a.order(b) {
        None => Relation::Unordered,
        Some(Ordering::Less) => Relation::Less,
        Some(Ordering::Equal) => Relation::Equal,
        Some(Ordering::Greater) => Relation::Greater,
    }
}

/// totalOrder(x, y). The letters are those of clause 5.10.
fn total_order(format: &Format, x: u64, y: u64) -> bool {
    let minus = |bits: u64| bits & format.sign_bit() != 0;
    let (a, b) = (format.decode(x), format.decode(y));
    match (a.nan(), b.nan()) {
        (None, None) => match a.order(b).expect("numbers") {
            Ordering::Less => true,     // a
            Ordering::Greater => false, // b
            // c: -0 is below +0; the same datum has one representation here.
            Ordering::Equal => minus(x) || !minus(y),
        },
        // d.1: -NaN is below every number.
        (Some(_), None) => minus(x),
        // d.2: every number is below +NaN.
        (None, Some(_)) => !minus(y),
        // d.3
        (Some(signalling), Some(other)) => match (minus(x), minus(y)) {
            (true, false) => true,
            (false, true) => false,
            (negative, _) => {
                // signalling below quiet, then the lesser payload below, for +NaN; else reversed
                let payload = |bits: u64| format.code(bits) % format.quiet_bit();
                let order = other.cmp(&signalling).then(payload(x).cmp(&payload(y)));
                order == Ordering::Equal || (order == Ordering::Less) != negative
            }
        },
    }
}
