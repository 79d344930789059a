//! The same functions, returning vectors.
//!
//! ```
//! use bitexact_slices::{LengthError, Mode, bf16, vec};
//!
//! let x: Vec<bf16> = vec::convert(&[0.5f32, 1.0, 2.0], Mode::TIES_TO_EVEN);
//! let y = vec::exp(&x, Mode::TOWARD_ZERO);
//! assert_eq!(vec::abs(&y), y);
//! // More than one operand: their lengths may differ.
//! let z: Result<Vec<bf16>, LengthError> = vec::mul(&x, &y[..2], Mode::TIES_TO_EVEN);
//! assert!(z.is_err());
//! ```

use crate::args::Args;
use crate::element::{Columns, LengthError, Outputs, Value};
use crate::rows::Kernel;
use crate::run;

/// Vectors of results: one, or two side by side.
pub(crate) trait Vectors: Default {
    /// The results of one call.
    type Row;
    /// Vectors of this length.
    fn blank(length: usize) -> Self;
    /// The slices of results.
    fn slices(&mut self) -> impl Outputs<Row = Self::Row>;
}

impl<R: Value> Vectors for Vec<R> {
    type Row = R;
    fn blank(length: usize) -> Self {
        vec![R::BLANK; length]
    }
    fn slices(&mut self) -> impl Outputs<Row = R> {
        self.as_mut_slice()
    }
}

impl<R: Value, S: Value> Vectors for (Vec<R>, Vec<S>) {
    type Row = (R, S);
    fn blank(length: usize) -> Self {
        (Vec::blank(length), Vec::blank(length))
    }
    fn slices(&mut self) -> impl Outputs<Row = (R, S)> {
        (self.0.as_mut_slice(), self.1.as_mut_slice())
    }
}

pub(crate) fn results<K, C, V, A>(columns: C, args: A) -> Result<V, LengthError>
where
    C: Columns,
    V: Vectors,
    A: Args,
    K: Kernel<C::Row, V::Row, A>,
{
    let mut out = V::blank(columns.count());
    run::results::<K, _, _, _>(columns, out.slices(), args)?;
    Ok(out)
}

macro_rules! function {
    ($($fields:tt)*) => {
        crate::forms::vec_form! { $($fields)* }
    };
}
bitexact::for_each_function!(function);

/// Stochastic rounding with the random bits of a generator:
/// [`fill_bits`](bitexact::random::fill_bits) makes them, 16 for each element.
///
/// ```
/// use bitexact_slices::{Overflow, bf16, vec};
/// use rand::SeedableRng;
/// let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
/// let x = [f32::from_bits(0x3F80_4000); 4096]; // a quarter of the way from 1 to the next bf16
/// let y: Vec<bf16> = vec::stochastic::convert(&x, &mut rng, Overflow::Ieee)?;
/// let up = y.iter().filter(|y| **y > bf16::ONE).count();
/// assert!((900..1150).contains(&up));
/// # Ok::<(), bitexact_slices::LengthError>(())
/// ```
#[cfg(feature = "rand")]
pub mod stochastic {
    macro_rules! function {
        ($($fields:tt)*) => {
            crate::forms::vec_stochastic_form! { $($fields)* }
        };
    }
    bitexact::for_each_function!(function);
}

#[cfg(feature = "rand")]
pub(crate) fn drawn<K, C, R, G>(
    columns: C,
    rng: &mut G,
    overflow: crate::Overflow,
) -> Result<Vec<R>, LengthError>
where
    C: Columns,
    R: Value,
    G: rand::Rng + ?Sized,
    K: Kernel<C::Row, R, (u16, crate::Overflow)>,
{
    columns.check()?;
    let mut random = vec![0; columns.count()];
    bitexact::random::fill_bits(rng, &mut random);
    let mut out = Vec::blank(columns.count());
    run::stochastic::<K, _, _>(columns, &mut out, &random, overflow)?;
    Ok(out)
}
