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
mod filter;
mod function;
mod functions;
mod number;
pub mod p3109;
mod pair;
mod pairs;
mod place;
mod special;

use crate::oracle::Oracle;
use crate::shape::Shape;
use sweep_row::Ty;

pub(super) fn for_shape(shape: &Shape, filter: bool) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    // The filter's rounding boundaries and products are f64s.
    if !matches!(format.ty, Ty::F16 | Ty::Bf16) {
        return None;
    }
    if shape.results.iter().any(|&ty| ty != format.ty) {
        return None;
    }
    let second = shape.operands.get(1).copied();
    let maker = match (shape.arity(), second) {
        ((1, 1 | 2), _) => functions::maker(shape.op).or_else(|| activation::forward(shape))?,
        ((2, 1), Some(Ty::I32)) => pairs::with_integer(shape.op)?,
        ((2, 1), Some(ty)) if ty == format.ty => {
            pairs::maker(shape.op).or_else(|| activation::backward(shape))?
        }
        _ => return None,
    };
    let two_results = shape.op == "sincos";
    (shape.results.len() == 1 + usize::from(two_results)).then(|| maker(format, filter))
}
