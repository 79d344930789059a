//! A function over a run of operands next to each other, as the polynomial through eight of its
//! values.
//!
//! Most functions are so smooth that this takes the place of hundreds of approximations: the error
//! of interpolation falls by the same factor with each further value, which is 5.8 if the nearest
//! pole or kink is as far from the run as the run is long. The polynomial's last coefficients show
//! it: where they are not small beside the least magnitude, there is no polynomial. There is none
//! either where values are 0, below 2^-90, 2^126 or more in the middle of the run, infinite or NaN,
//! where they differ in sign, or by more than a factor of two.

/// Values that the polynomial goes through.
pub(crate) const COUNT: usize = 8;

/// Where the values are in runs of one length, and what of each goes into the coefficients.
pub(crate) struct Points {
    length: usize,
    /// Next to Chebyshev's points, which are dense at both ends.
    pub(crate) at: [usize; COUNT],
    /// The coefficients, the constant one first, of the polynomials that are 1 at one of the points
    /// and 0 at the others (Lagrange's).
    basis: [[f64; COUNT]; COUNT],
}

impl Points {
    #[allow(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
    pub(crate) const fn of(length: usize) -> Self {
        /// Cosines of the odd multiples of a sixteenth of a half turn.
        const COSINES: [f64; COUNT / 2] = [
            0.980_785_280_403_230_4,
            0.831_469_612_302_545_2,
            0.555_570_233_019_602_2,
            0.195_090_322_016_128_3,
        ];
        let half = length as f64 / 2.0;
        let (mut at, mut one) = ([0; COUNT], 0);
        while one < COUNT / 2 {
            at[one] = (half - half * COSINES[one]) as usize;
            at[COUNT - 1 - one] = (half + half * COSINES[one]) as usize;
            one += 1;
        }
        let (mut basis, mut one) = ([[0.0; COUNT]; COUNT], 0);
        while one < COUNT {
            let here = at[one] as f64 / half - 1.0;
            basis[one][0] = 1.0;
            let mut other = 0;
            while other < COUNT {
                if other != one {
                    // Times (t - there) / (here - there).
                    let there = at[other] as f64 / half - 1.0;
                    let mut power = COUNT;
                    while power > 0 {
                        power -= 1;
                        let lower = if power > 0 {
                            basis[one][power - 1]
                        } else {
                            0.0
                        };
                        basis[one][power] = (lower - basis[one][power] * there) / (here - there);
                    }
                }
                other += 1;
            }
            one += 1;
        }
        Self { length, at, basis }
    }
}

/// A polynomial, with a bound of the errors of interpolation and of its evaluation, in ulps of f32.
/// The errors of the values come to that: at worst about twice the greatest one.
pub(crate) struct Polynomial {
    /// By a variable that goes from -1 to 1.
    coefficients: [f32; COUNT],
    step: f32,
    pub(crate) ulps: u32,
}

impl Polynomial {
    /// That through the values at these points, if interpolation adds no more than so many ulps.
    #[inline(always)]
    pub(crate) fn through(points: &Points, values: [f32; COUNT], most: u32) -> Option<Self> {
        /// Of the least magnitude: so that hardly anything that is computed is subnormal, which
        /// some processors take long for.
        const LEAST: f64 = 1.0 / (1u128 << 90) as f64;
        /// Of the constant, so that no value is infinite.
        const MOST: f64 = (1u128 << 126) as f64;
        /// Of a coefficient beside the least magnitude: without those that are smaller, less than
        /// half of an ulp is lost.
        const NOTHING: f64 = 1.0 / (1u64 << 28) as f64;
        /// The least ratio of an ulp to its number.
        const ULP: f64 = 1.0 / (1u64 << 24) as f64;
        let mut sums = [0.0; COUNT];
        for (value, basis) in values.into_iter().zip(points.basis) {
            for (sum, basis) in sums.iter_mut().zip(basis) {
                *sum = f64::from(value).mul_add(basis, *sum);
            }
        }
        let [c0, c1, c2, c3, c4, c5, c6, c7] = sums.map(f64::abs);
        let least = c0 - (((c1 + c2) + (c3 + c4)) + ((c5 + c6) + c7));
        // The last two as multiples of Chebyshev's polynomials, whose leading coefficients are 64
        // and 32. What follows the last is less; an eighth of the one before stands for it where it
        // happens to be 0.
        let error = (c7 / 64.0).max(c6 / 32.0 / 8.0);
        let smooth = error < f64::from(most) * ULP * least;
        if !(smooth && least > LEAST && c0 <= 2.0 * least && c0 < MOST) {
            return None;
        }
        let nothing = least * NOTHING;
        Some(Self {
            step: 2.0 / points.length as f32,
            coefficients: sums.map(|sum| {
                // A mask, so that there is no branch.
                let kept = u32::from(sum.abs() >= nothing).wrapping_neg();
                f32::from_bits((sum as f32).to_bits() & kept)
            }),
            // The sum is rounded by half an ulp of the greatest value, and the constant by as much.
            ulps: 2 + ((error + c0 * ULP) / (least * ULP)) as u32,
        })
    }

    /// Its value at an operand of the run.
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> f32 {
        let [c0, c1, c2, c3, c4, c5, c6, c7] = self.coefficients;
        let t = (index as i32 as f32).mul_add(self.step, -1.0);
        let sum = c7.mul_add(t, c6).mul_add(t, c5).mul_add(t, c4);
        sum.mul_add(t, c3)
            .mul_add(t, c2)
            .mul_add(t, c1)
            .mul_add(t, c0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Points, Polynomial};

    /// The greatest error of the polynomial of a function over the length of a run, and its bound,
    /// in ulps.
    fn of(length: usize, function: impl Fn(f64) -> f64) -> Option<(f64, u32)> {
        let value = |at: usize| function(at as f64 / length as f64);
        let points = Points::of(length);
        let values = points.at.map(|at| value(at) as f32);
        let polynomial = Polynomial::through(&points, values, 64)?;
        let run: Vec<f32> = (0..length).map(|index| polynomial.at(index)).collect();
        let error = |(at, made): (usize, &f32)| {
            let due = value(at);
            let ulp = f64::from((due as f32).next_up()) - f64::from(due as f32);
            (f64::from(*made) - due).abs() / ulp
        };
        let errors = run.iter().enumerate().map(error);
        Some((errors.fold(0.0, f64::max), polynomial.ulps))
    }

    #[test]
    fn smooth_functions_have_a_polynomial_with_its_bound() {
        let all: [fn(f64) -> f64; 6] = [
            |_| 3.0,
            |x| 5.0 - x,
            |x| (x - 19.0).powi(7),
            |x| (0.5 * x).exp(),
            |x| (1.0 + x).ln() + 1.0,
            |x| -(2.0 + x).recip(),
        ];
        for (index, function) in all.into_iter().enumerate() {
            for length in [128, 256] {
                let (error, bound) = of(length, function).expect("smooth");
                // The values are rounded too.
                assert!(error < f64::from(bound) + 1.0, "{index}: {error}, {bound}");
            }
        }
    }

    #[test]
    fn others_have_none() {
        let all: [fn(f64) -> f64; 7] = [
            |x| 1.005_92 * (1.001_99 - x),
            |x| (x - 0.3).abs() + 1.0,
            |x| x - 0.5,
            |x| (x - 0.2).recip(),
            |x| (x * 40.0).sin() + 2.0,
            |_| f64::INFINITY,
            |x| 1e-40 + x * 1e-42,
        ];
        for (index, function) in all.into_iter().enumerate() {
            for length in [128, 256] {
                assert_eq!(of(length, function), None, "{index}");
            }
        }
    }
}
