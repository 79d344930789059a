//! The public functions, one for each kernel, generic over its formats.

/// A function, built on the function in brackets, which returns this type.
macro_rules! form {
    // The operands: generics, parameters, slices, types.
    (
        $drive:tt, $outcome:ty,
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty), $($rest:tt)*
    ) => {
        $crate::forms::form! {
            @ $drive, $outcome, $kernel {X} {x: &[X],} {(x,)} {(X,)} $($rest)*
        }
    };
    (
        $drive:tt, $outcome:ty,
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty, $b:ident: $g:ty),
        $($rest:tt)*
    ) => {
        $crate::forms::form! {
            @ $drive, $outcome, $kernel {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $($rest)*
        }
    };
    (
        $drive:tt, $outcome:ty,
        kernel: $kernel:ident, generics: $generics:tt,
        operands: ($a:ident: $f:ty, $b:ident: $g:ty, $c:ident: $h:ty), $($rest:tt)*
    ) => {
        $crate::forms::form! {
            @ $drive, $outcome, $kernel {X Y Z} {x: &[X], y: &[Y], z: &[Z],} {(x, y, z)} {(X, Y, Z)}
            $($rest)*
        }
    };
    // The same for the results.
    (
        @ $drive:tt, $outcome:ty, $kernel:ident $g:tt $p:tt $s:tt $t:tt
        results: ($f:ty, $h:ty), $($rest:tt)*
    ) => {
        $crate::forms::form! {
            @@ $drive, $outcome, $kernel $g $p $s $t
            {R S} {out: &mut [R], second: &mut [S],} {(out, second)} {(R, S)} $($rest)*
        }
    };
    (
        @ $drive:tt, $outcome:ty, $kernel:ident $g:tt $p:tt $s:tt $t:tt
        results: $f:ty, $($rest:tt)*
    ) => {
        $crate::forms::form! {
            @@ $drive, $outcome, $kernel $g $p $s $t {R} {out: &mut [R],} {out} {R} $($rest)*
        }
    };
    (
        @@ [$($drive:tt)*], $outcome:ty, $kernel:ident {$($x:ident)*} {$($operands:tt)*} {$columns:expr}
        {$row:ty} {$($r:ident)*} {$($results:tt)*} {$outputs:expr} {$result:ty}
        forms: $forms:tt, stochastic: $stochastic:tt,
        generic: {
            generics: [$($b:ident: $bound:ident)?], arguments: $of:ty, take: {$($take:tt)*},
            give: {$give:expr}, pattern: $pattern:pat, pass: $pass:tt
        },
        call: $call:path, call_stochastic: $call_stochastic:tt, flags: $flags:tt, doc: $doc:literal
    ) => {
        #[doc = concat!("`", $doc, "`, of every element.")]
        ///
        #[doc = concat!("Formats: see [`kernel::", stringify!($kernel), "`](crate::kernel::", stringify!($kernel), ").")]
        ///
        /// # Errors
        ///
        /// The slice whose length differs from the first's; nothing is written then.
        pub fn $kernel<
            $($x: $crate::Element,)* $($r: $crate::Value,)*
            $($b: bitexact::format::$bound + $crate::Element)?
        >(
            $($operands)* $($results)* $($take)*
        ) -> $outcome
        where
            $crate::kernel::$kernel: $crate::Kernel<$row, $result, $of>,
        {
            $($drive)*::<$crate::kernel::$kernel, _, _, _>($columns, $outputs, $give)
        }
    };
}
pub(crate) use form;

/// The same with random bits for every element, for the kernels that take them.
macro_rules! stochastic_form {
    (
        $drive:tt,
        kernel: $kernel:ident, generics: $generics:tt, operands: $operands:tt, results: $results:tt,
        forms: $forms:tt, stochastic: [], $($fields:tt)*
    ) => {};
    (
        $drive:tt,
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty), $($rest:tt)*
    ) => {
        $crate::forms::stochastic_form! { @ $drive, $kernel {X} {x: &[X],} {(x,)} {(X,)} $($rest)* }
    };
    (
        $drive:tt,
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty, $b:ident: $g:ty),
        $($rest:tt)*
    ) => {
        $crate::forms::stochastic_form! {
            @ $drive, $kernel {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $($rest)*
        }
    };
    (
        $drive:tt,
        kernel: $kernel:ident, generics: $generics:tt,
        operands: ($a:ident: $f:ty, $b:ident: $g:ty, $c:ident: $h:ty), $($rest:tt)*
    ) => {
        $crate::forms::stochastic_form! {
            @ $drive, $kernel {X Y Z} {x: &[X], y: &[Y], z: &[Z],} {(x, y, z)} {(X, Y, Z)} $($rest)*
        }
    };
    (
        @ [$($drive:tt)*], $kernel:ident {$($x:ident)*} {$($operands:tt)*} {$columns:expr} {$row:ty}
        results: $results:tt, forms: $forms:tt, stochastic: $stochastic:tt, generic: $generic:tt,
        call: $call:path, call_stochastic: $call_stochastic:tt, flags: $flags:tt, doc: $doc:literal
    ) => {
        #[doc = concat!("`", $doc, "`, of every element, rounded by its own 16 random bits.")]
        ///
        #[doc = concat!("Formats: see [`kernel::", stringify!($kernel), "`](crate::kernel::", stringify!($kernel), ").")]
        ///
        /// # Errors
        ///
        /// The slice whose length differs from the first's; nothing is written then.
        pub fn $kernel<$($x: $crate::Element,)* R: $crate::Value>(
            $($operands)* out: &mut [R], random: &[u16], overflow: $crate::Overflow,
        ) -> Result<(), $crate::LengthError>
        where
            $crate::kernel::$kernel: $crate::Kernel<$row, R, (u16, $crate::Overflow)>,
        {
            $($drive)*::<$crate::kernel::$kernel, _, _>($columns, out, random, overflow)
        }
    };
}
pub(crate) use stochastic_form;

/// The same, returning vectors: of one operand the vector itself, of more a `Result`.
macro_rules! vec_form {
    // The operands: generics, parameters, slices, types, what is returned.
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty), $($rest:tt)*
    ) => {
        $crate::forms::vec_form! { @ $kernel one {X} {x: &[X],} {(x,)} {(X,)} $($rest)* }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty, $b:ident: $g:ty),
        $($rest:tt)*
    ) => {
        $crate::forms::vec_form! {
            @ $kernel more {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $($rest)*
        }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt,
        operands: ($a:ident: $f:ty, $b:ident: $g:ty, $c:ident: $h:ty), $($rest:tt)*
    ) => {
        $crate::forms::vec_form! {
            @ $kernel more {X Y Z} {x: &[X], y: &[Y], z: &[Z],} {(x, y, z)} {(X, Y, Z)} $($rest)*
        }
    };
    // The same for the results.
    (
        @ $kernel:ident $count:ident $g:tt $p:tt $s:tt $t:tt results: ($f:ty, $h:ty), $($rest:tt)*
    ) => {
        $crate::forms::vec_form! {
            @@ $kernel $count $g $p $s $t {R S} {(R, S)} {(Vec<R>, Vec<S>)} $($rest)*
        }
    };
    (@ $kernel:ident $count:ident $g:tt $p:tt $s:tt $t:tt results: $f:ty, $($rest:tt)*) => {
        $crate::forms::vec_form! { @@ $kernel $count $g $p $s $t {R} {R} {Vec<R>} $($rest)* }
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
        $crate::forms::vec_form! {
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
            {$crate::vec::results::<$crate::kernel::$kernel, _, $vectors, _>($columns, $give)}
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
pub(crate) use vec_form;

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
        $crate::forms::vec_stochastic_form! { @ $kernel {X} {x: &[X],} {(x,)} {(X,)} $($rest)* }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt, operands: ($a:ident: $f:ty, $b:ident: $g:ty),
        $($rest:tt)*
    ) => {
        $crate::forms::vec_stochastic_form! {
            @ $kernel {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $($rest)*
        }
    };
    (
        kernel: $kernel:ident, generics: $generics:tt,
        operands: ($a:ident: $f:ty, $b:ident: $g:ty, $c:ident: $h:ty), $($rest:tt)*
    ) => {
        $crate::forms::vec_stochastic_form! {
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
            $crate::vec::drawn::<$crate::kernel::$kernel, _, _, _>($columns, rng, overflow)
        }
    };
}
#[cfg(feature = "rand")]
pub(crate) use vec_stochastic_form;
