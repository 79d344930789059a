//! The reference comparator: integers of any length, dyadics aligned exactly, quotients by
//! cross-multiplication, square roots by squaring the rounding boundary.

mod activation;
mod arith;
pub mod blocks;
mod classify;
mod compare;
mod convert;
mod integral;
mod minmax;
mod neighbour;
pub mod p3109;
mod parts;
pub mod reduce;
mod remainder;
mod rule;
mod scale;
mod sign;
pub mod unit;

use crate::oracle::Oracle;
use crate::shape::Shape;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    type Family = fn(&Shape) -> Option<Box<dyn Oracle>>;
    const FAMILIES: [Family; 13] = [
        arith::for_shape,
        convert::for_shape,
        integral::for_shape,
        remainder::for_shape,
        minmax::for_shape,
        compare::for_shape,
        classify::for_shape,
        sign::for_shape,
        neighbour::for_shape,
        parts::for_shape,
        scale::for_shape,
        activation::for_shape,
        p3109::for_shape,
    ];
    FAMILIES.iter().find_map(|family| family(shape))
}
