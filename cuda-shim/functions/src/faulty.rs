//! Sigmoid with an approximation that is off by more than its bound: its verification must refuse
//! it.

use enclosures::enclosure::{Format, Function, Machine, Sigmoid, Sign};

pub struct Faulty;

impl Function for Faulty {
    const SIGN: Sign = Sigmoid::SIGN;
    const ULPS: [u32; 2] = Sigmoid::ULPS;

    #[inline(always)]
    fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
        Sigmoid::near::<F, M>(m, x) * (1.0 + 1.0 / 32768.0)
    }
}
