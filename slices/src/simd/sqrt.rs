//! Square roots by the processor's f32, of which IEEE 754 defines the square root.
//!
//! In ties to even, that of f16 and bf16 is rounded a second time, with the result of one rounding:
//!
//! - Where an operand is positive and finite, the root is a normal number of f32 and of the
//!   operand's format, also where the operand is subnormal: between 2^-12 and 2^8 for f16, between
//!   2^-67 and 2^64 for bf16. So a boundary b between two results has p + 1 digits, of which the
//!   last is 1, and is an f32.
//! - Let b be an odd integer in
//!   [2^p, 2^(p+1)) and the root in the same interval: a power of 4 as a factor of the operand x makes it so. Then x has p digits, is at least 2^(2p), and is even, while b^2 is odd. So |x - b^2| >= 1, and the root differs from b by at least 1 / (root + b) > 2^-(p+2). f32's numbers are 2^(p-23) apart there. Half of that is at most 2^-(p+2), since 24 >= 2p + 2 for p = 11 and p = 8. So f32's nearest number to the root is not b, and is on the same side of b as the root.
//!
//! This is Figueroa's theorem of square roots (`hardware.rs` cites it).
//!
//! -0 and infinity are their own roots. Other operands below 0 give a NaN, as NaNs do, which
//! becomes the canonical one.
//!
//! There is no integer loop. Where the calling thread's state is not the default one, there is no
//! lane: 16-bit operands have their table, and f32 the kernel. The same holds for 16-bit operands
//! on machines without AVX2 or NEON: with SSE2 a filled table takes 0.24 ns an element, the loop
//! 0.5 for bf16 and 2.6 for f16. Other threads of a call ask for their own state, and run the
//! kernel if it is not the default one.

use super::hardware::ByF32;
use super::operation::Root;
use super::status::{self, Checked, Raised, status_of};
use super::{Lane, Loop, avx512};
use crate::cost::Cost;
use crate::element::{Columns, Outputs};
use crate::environment;
use crate::level::Level;
use bitexact::Mode;
use bitexact::arith::sqrt;
use bitexact::format::Arithmetic;
use core::marker::PhantomData;

/// Square roots in ties to even, and with AVX-512 in the directed modes.
#[derive(Clone, Copy)]
pub struct Sqrt<T>(Mode, PhantomData<T>);

impl<T: ByF32 + Arithmetic> Lane<(T,), T, Mode> for Sqrt<T> {
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        // The levels above x86-64's baseline, and NEON.
        let pays = T::BITS == 32 || Level::best().has_fma();
        let lane = avx512::or_even(mode) && pays && environment::is_default();
        lane.then_some(Self(mode, PhantomData))
    }

    #[inline(always)]
    fn call(&self, (x,): (T,)) -> T {
        sqrt(x, self.0)
    }

    #[inline]
    fn cost(&self) -> Cost {
        Cost::DIVIDED
    }

    #[inline]
    fn over<C: Columns<Row = (T,)>, U: Outputs<Row = T>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        if avx512::write::<1, Root, _, _>(level, self.0, columns, &mut out) {
            return;
        }
        if let (true, Some(x), Some(out)) =
            (self.0 == Mode::TIES_TO_EVEN, columns.only(), out.only_mut())
            && environment::is_default()
        {
            return T::write::<Root>(level, x, x, out);
        }
        Level::BASELINE.run(Loop::<_, Mode, _, _>::new(self, columns, out));
    }

    status_of!((T,), T);
}

impl<T: ByF32> Checked<(T,), T> for Sqrt<T> {
    const AT_BASELINE: bool = true;

    #[inline(always)]
    fn raised((x,): (T,), result: T) -> Raised {
        status::root(x, result)
    }
}
