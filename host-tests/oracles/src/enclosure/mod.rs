//! The comparators for functions whose values are not rational.
//!
//! An operation supplies an **enclosure** of its exact value, an interval that provably contains
//! it. If no rounding boundary of the format is inside, the value's position is known. Otherwise
//! the enclosure is computed again with twice the bits: 64, 128, ... An exact case would never be
//! decided this way. Exact cases are known from theory; each function's file lists them with the
//! theorem.
//!
//! | file | what |
//! |---|---|
//! | `number.rs` | the trait of enclosures, with which definitions compute |
//! | `filter.rs` | enclosures in the host's f64 |
//! | `elementary.rs` | functions of an f64 with proved error bounds, for the filter |
//! | `big/` | enclosures on integers of any length, the reference |
//! | `decide.rs` | from a function to an oracle |
//! | `place.rs` | the position of an enclosure among a format's rounding boundaries |
//! | `special.rs` | the ends of the domains |
//! | `functions/`, `pairs/`, `activation/` | the functions: each once, over either kind of enclosure |
//! | `p3109.rs` | the functions as P3109's exact results |
//!
//! [`OracleKind::Real`] uses only `big/`; [`OracleKind::Filter`] tries the f64 enclosure first,
//! which decides almost every input at a hundredth of the cost. The sweep uses `Filter` for every
//! input and `Real` for one in 64.
//!
//! [`OracleKind::Real`]: super::OracleKind::Real
//! [`OracleKind::Filter`]: super::OracleKind::Filter

mod activation;
mod big;
mod decide;
mod elementary;
mod filter;
mod function;
mod functions;
mod number;
pub mod p3109;
mod pair;
mod pairs;
mod place;
mod special;

use crate::format::Format;
use crate::oracle::Oracle;
use crate::shape::Shape;
use sweep_row::Ty;

pub(super) fn for_shape(shape: &Shape, filter: bool) -> Option<Box<dyn Oracle>> {
    let (from, to) = (shape.operand(0)?, shape.result(0)?);
    let narrow = |format: &Format| matches!(format.ty, Ty::F16 | Ty::Bf16);
    // The filter's rounding boundaries and products are f64s. A function of an f32 may be rounded
    // to a narrower format.
    let wide = from.ty == Ty::F32 && (to.ty == Ty::F32 || narrow(to));
    let same = narrow(from) && from.ty == to.ty;
    if !(wide || same) || shape.results.iter().any(|&ty| ty != to.ty) {
        return None;
    }
    let second = shape.operands.get(1).copied();
    let maker = match (shape.arity(), second) {
        ((1, 1 | 2), _) => functions::maker(shape.op).or_else(|| activation::forward(shape))?,
        // The exact cases of the other functions of two operands are listed for 16 bits.
        ((2, 1), _) if wide && !matches!(shape.op, "pow" | "pown") => return None,
        ((2, 1), Some(Ty::I32)) => pairs::with_integer(shape.op)?,
        ((2, 1), Some(ty)) if ty == from.ty => {
            pairs::maker(shape.op).or_else(|| activation::backward(shape))?
        }
        _ => return None,
    };
    let two_results = shape.op == "sincos";
    (shape.results.len() == 1 + usize::from(two_results)).then(|| maker([from, to], filter))
}
