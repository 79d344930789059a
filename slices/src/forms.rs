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
