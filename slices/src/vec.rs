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

/// A function of a kernel that returns vectors: of one operand the vector itself, of more a `Result`.
macro_rules! vec_form {
    // The operands: generics, parameters, slices, types, what is returned.
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty), $($rest:tt)*
    ) => {
        vec_form! { @ $kernel one {X} {x: &[X],} {(x,)} {(X,)} $($rest)* }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty, $b:ident: $g:ty),
        $($rest:tt)*
    ) => {
        vec_form! {
            @ $kernel more {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $($rest)*
        }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt,
        operands: ($a:ident: $f:ty, $b:ident: $g:ty, $c:ident: $h:ty), $($rest:tt)*
    ) => {
        vec_form! {
            @ $kernel more {X Y Z} {x: &[X], y: &[Y], z: &[Z],} {(x, y, z)} {(X, Y, Z)} $($rest)*
        }
    };
    // The same for the results.
    (
        @ $kernel:ident $count:ident $g:tt $p:tt $s:tt $t:tt results: ($f:ty, $h:ty), $($rest:tt)*
    ) => {
        vec_form! {
            @@ $kernel $count $g $p $s $t {R S} {(R, S)} {(Vec<R>, Vec<S>)} $($rest)*
        }
    };
    (@ $kernel:ident $count:ident $g:tt $p:tt $s:tt $t:tt results: $f:ty, $($rest:tt)*) => {
        vec_form! { @@ $kernel $count $g $p $s $t {R} {R} {Vec<R>} $($rest)* }
    };
    (
        @@ $kernel:ident $count:ident {$($x:ident)*} {$($operands:tt)*} {$columns:expr} {$row:ty}
        {$($r:ident)*} {$result:ty} {$vectors:ty}
        forms: $forms:tt, stochastic: $stochastic:tt,
        generic: {
            generics: [$($b:ident: $bound:ident)?], arguments: $of:ty, take: {$($take:tt)*},
            give: {$give:expr}, pattern: $pattern:pat, pass: $pass:tt
        },
        call: $call:path, call_stochastic: $call_stochastic:tt, flags: $flags:tt, doc: $doc:literal
    ) => {
        vec_form! {
            @@@ $count
            {
                #[doc = concat!("`", $doc, "`, of every element.")]
                ///
                #[doc = concat!("Formats: see [`kernel::", stringify!($kernel), "`](crate::kernel::", stringify!($kernel), ").")]
            }
            {
                pub fn $kernel<
                    $($x: $crate::Element,)* $($r: $crate::Value,)*
                    $($b: bitexact::format::$bound + $crate::Element)?
                >($($operands)* $($take)*)
            }
            {$vectors}
            {
                where
                    $crate::kernel::$kernel: $crate::Kernel<$row, $result, $of>,
            }
            {results::<$crate::kernel::$kernel, _, $vectors, _>($columns, $give)}
        }
    };
    // A single slice has no other length.
    (
        @@@ one {$($doc:tt)*} {$($head:tt)*} {$vectors:ty} {$($bounds:tt)*} {$call:expr}
    ) => {
        $($doc)*
        #[must_use]
        $($head)* -> $vectors $($bounds)* {
            $call.unwrap_or_default()
        }
    };
    (
        @@@ more {$($doc:tt)*} {$($head:tt)*} {$vectors:ty} {$($bounds:tt)*} {$call:expr}
    ) => {
        $($doc)*
        ///
        /// # Errors
        ///
        /// The slice whose length differs from the first's.
        $($head)* -> Result<$vectors, $crate::LengthError> $($bounds)* {
            $call
        }
    };
}

/// Stochastic rounding with the random bits of a generator, for the kernels that take them.
#[cfg(feature = "rand")]
macro_rules! vec_stochastic_form {
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: $operands:tt, results: $results:tt,
        forms: $forms:tt, stochastic: [], $($fields:tt)*
    ) => {};
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty), $($rest:tt)*
    ) => {
        vec_stochastic_form! { @ $kernel {X} {x: &[X],} {(x,)} {(X,)} $($rest)* }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty, $b:ident: $g:ty),
        $($rest:tt)*
    ) => {
        vec_stochastic_form! {
            @ $kernel {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $($rest)*
        }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt,
        operands: ($a:ident: $f:ty, $b:ident: $g:ty, $c:ident: $h:ty), $($rest:tt)*
    ) => {
        vec_stochastic_form! {
            @ $kernel {X Y Z} {x: &[X], y: &[Y], z: &[Z],} {(x, y, z)} {(X, Y, Z)} $($rest)*
        }
    };
    (
        @ $kernel:ident {$($x:ident)*} {$($operands:tt)*} {$columns:expr} {$row:ty}
        results: $results:tt, forms: $forms:tt, stochastic: $stochastic:tt, generic: $generic:tt,
        call: $call:path, call_stochastic: $call_stochastic:tt, flags: $flags:tt, doc: $doc:literal
    ) => {
        #[doc = concat!("`", $doc, "`, of every element, rounded by 16 bits of the generator.")]
        ///
        #[doc = concat!("Formats: see [`kernel::", stringify!($kernel), "`](crate::kernel::", stringify!($kernel), ").")]
        ///
        /// # Errors
        ///
        /// The slice whose length differs from the first's; nothing is drawn then.
        pub fn $kernel<$($x: $crate::Element,)* R: $crate::Value, G: rand::Rng + ?Sized>(
            $($operands)* rng: &mut G, overflow: $crate::Overflow,
        ) -> Result<Vec<R>, $crate::LengthError>
        where
            $crate::kernel::$kernel: $crate::Kernel<$row, R, (u16, $crate::Overflow)>,
        {
            super::drawn::<$crate::kernel::$kernel, _, _, _>($columns, rng, overflow)
        }
    };
}

macro_rules! function {
    ($($fields:tt)*) => {
        vec_form! { $($fields)* }
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
            vec_stochastic_form! { $($fields)* }
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
