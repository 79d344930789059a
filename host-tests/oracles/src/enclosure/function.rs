//! The definition of a function of one operand.

use super::big::Float;
use super::number::Real;
use crate::datum::Datum;
use crate::exact::Exact;

/// A function of one operand.
pub(super) trait Function: Copy + Send + Sync + 'static {
    /// The ends of the domain: zeros, infinities, poles, and operands outside of it. NaN does not
    /// occur.
    fn special(self, x: Datum) -> Option<Exact>;

    /// The result where theory gives it without computing. Every operand whose value is a dyadic
    /// rational is here; others may be.
    fn exact(self, _x: &Float) -> Option<Exact> {
        None
    }

    /// The value. An infinity that is not special is given as 2^1000, which has the same position.
    fn value<R: Real>(self, x: &R) -> R;
}

/// `function! { Name; special; exact; |x| value }`
macro_rules! function {
    ($name:ident; $special:expr; $exact:expr; |$x:ident| $value:expr) => {
        #[derive(Clone, Copy)]
        pub(super) struct $name;
        impl $crate::enclosure::function::Function for $name {
            fn special(self, x: $crate::Datum) -> Option<$crate::exact::Exact> {
                #[allow(clippy::redundant_closure_call)]
                ($special)(x)
            }
            fn exact(self, x: &$crate::enclosure::big::Float) -> Option<$crate::exact::Exact> {
                #[allow(clippy::redundant_closure_call)]
                ($exact)(x)
            }
            fn value<R: $crate::enclosure::number::Real>(self, $x: &R) -> R {
                $value
            }
        }
    };
}
pub(super) use function;

/// No exact cases except the special ones.
pub(super) fn none(_: &Float) -> Option<Exact> {
    None
}
