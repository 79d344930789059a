//! Functions of f32 by f64: [`enclosures::double`] in a loop, and the kernel for what that leaves
//! open.

use super::{Lane, Loop};
use crate::cost::Cost;
use crate::element::{Columns, Outputs};
use crate::environment;
use crate::level::{Level, Task};
use bitexact::Mode;
use core::marker::PhantomData;
use enclosures::double::{Approximated, Rounder};

/// Results that are computed before the open ones are mended.
const BLOCK: usize = 64;

/// A function in a mode.
pub struct ByF64<K>(Mode, Rounder, PhantomData<fn(K)>);

impl<K> Clone for ByF64<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for ByF64<K> {}

impl<K: Approximated> Lane<(f32,), f32, Mode> for ByF64<K> {
    /// Where f64's arithmetic is IEEE 754's.
    #[inline]
    fn new(mode: Mode) -> Option<Self> {
        environment::is_default().then(|| Self(mode, Rounder::new(mode), PhantomData))
    }

    #[inline(always)]
    fn call(&self, (x,): (f32,)) -> f32 {
        K::exactly(x, self.0)
    }

    #[inline]
    fn cost(&self) -> Cost {
        Cost::INTEGERS
    }

    #[inline]
    fn over<C: Columns<Row = (f32,)>, U: Outputs<Row = f32>>(
        self,
        level: Level,
        columns: C,
        mut out: U,
    ) {
        if let (Some(x), Some(out)) = (columns.only::<f32>(), out.only_mut::<f32>())
            && environment::is_default()
        {
            if level.has_fma() {
                return level.run_fused(Blocks::<K, true> { lane: self, x, out });
            }
            return level.run(Blocks::<K, false> { lane: self, x, out });
        }
        Level::BASELINE.run(Loop::<_, Mode, _, _>::new(self, columns, out));
    }
}

struct Blocks<'a, K, const FUSED: bool> {
    lane: ByF64<K>,
    x: &'a [f32],
    out: &'a mut [f32],
}

impl<K: Approximated, const FUSED: bool> Task for Blocks<'_, K, FUSED> {
    #[inline(always)]
    fn run(self) {
        if self.lane.1.is_nearest() {
            self.loop_over::<true>();
        } else {
            self.loop_over::<false>();
        }
    }
}

impl<K: Approximated, const FUSED: bool> Blocks<'_, K, FUSED> {
    #[inline(always)]
    fn loop_over<const NEAREST: bool>(self) {
        let ByF64(mode, rounder, _) = self.lane;
        for (x, out) in self.x.chunks(BLOCK).zip(self.out.chunks_mut(BLOCK)) {
            let mut open = [0u32; BLOCK];
            for ((x, out), open) in x.iter().zip(out.iter_mut()).zip(&mut open) {
                let (code, is_open) = rounder.decide_in::<K, FUSED, NEAREST>(*x);
                *out = f32::from_bits(code);
                *open = is_open;
            }
            if open.iter().fold(0, |any, one| any | one) != 0 {
                for ((x, out), open) in x.iter().zip(out.iter_mut()).zip(open) {
                    if open != 0 {
                        *out = K::exactly(*x, mode);
                    }
                }
            }
        }
    }
}
