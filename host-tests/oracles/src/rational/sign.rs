//! The operations on the sign bit, and canonicalisation.

use super::rule::{fixed, nan, plain};
use crate::Oracle;
use crate::shape::Shape;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.homogeneous()?;
    let sign = format.sign_bit();
    match (shape.op, shape.arity()) {
        // The sign is the leading bit of the encoding, read as an integer.
        ("negate", (1, 1)) => fixed(move |x| {
            plain(if x[0] >= sign {
                x[0] - sign
            } else {
                x[0] + sign
            })
        }),
        ("abs", (1, 1)) => fixed(move |x| plain(x[0] % sign)),
        ("copy_sign", (2, 1)) => {
            fixed(move |x| plain(x[0] % sign + if x[1] >= sign { sign } else { 0 }))
        }
        ("canonicalize", (1, 1)) => fixed(move |x| match format.decode(x[0]).nan() {
            Some(signalling) => nan(format, signalling),
            None => plain(x[0]),
        }),
        _ => None,
    }
}
