//! The fast comparator: the host's f64, used only where each step is provably exact.
//!
//! Every exact value here is `head + tail` for an f64 `head` and a real `tail`, where `head` is the
//! exact value rounded to f64 (ties to even), by one IEEE operation of the host. Rounding is
//! monotone, so for a rounding boundary `d` that is an f64, `head < d` means that the value is
//! below `d`, and `head > d` that it is above. Only for `head == d` is the tail needed, and only
//! its sign. The tail comes from an error-free transformation, whose result is exact because no
//! exponent here is near the limits of f64: see the bit counts in [`ops`].
//!
//! Special cases (NaN, infinities, signs of zeros) are those of the host's own IEEE arithmetic, so
//! this comparator does not even share the rules for these with the reference.

pub mod columns;
mod encoder;
mod integers;
mod locate;
mod ops;
mod values;

use super::Oracle;
use super::shape::Shape;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    ops::for_shape(shape)
        .or_else(|| integers::for_shape(shape))
        .or_else(|| encoder::for_shape(shape))
}
