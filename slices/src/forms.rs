//! The public functions, one for each kernel, generic over its formats.
//!
//! The catalog has a row for each choice of formats; a function is made of the first one, which
//! is known by what its name ends in.

/// Hands the first row of a kernel to a macro, without the paths of its functions.
macro_rules! first_row {
    ($then:ident $kernel:ident [f16] $($row:tt)*) => {
        crate::forms::first_row! { @ $then $kernel $($row)* }
    };
    ($then:ident $kernel:ident [f64 f32] $($row:tt)*) => {
        crate::forms::first_row! { @ $then $kernel $($row)* }
    };
    ($then:ident $kernel:ident [i8 f64] $($row:tt)*) => {
        crate::forms::first_row! { @ $then $kernel $($row)* }
    };
    ($then:ident $kernel:ident [f64 i8] $($row:tt)*) => {
        crate::forms::first_row! { @ $then $kernel $($row)* }
    };
    ($then:ident $kernel:ident [] $($row:tt)*) => {
        crate::forms::first_row! { @ $then $kernel $($row)* }
    };
    ($then:ident $kernel:ident $suffix:tt $operands:tt $($row:tt)*) => {};
    (
        @ $then:ident $kernel:ident $operands:tt -> $result:tt;
        $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal
    ) => {
        $then! { $kernel $operands $result {$kind $(($($with)*))?} $doc }
    };
}
pub(crate) use first_row;

/// A function, by `drive` and with the `Outcome` that are in scope where it is made.
macro_rules! form {
    // The operands: generics, parameters, slices, types.
    ($kernel:ident ($a:ident) $($rest:tt)*) => {
        crate::forms::form! { @result $kernel {X} {x: &[X],} {(x,)} {(X,)} $($rest)* }
    };
    ($kernel:ident ($a:ident, $b:ident) $($rest:tt)*) => {
        crate::forms::form! { @result $kernel {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $($rest)* }
    };
    ($kernel:ident ($a:ident, $b:ident, $c:ident) $($rest:tt)*) => {
        crate::forms::form! {
            @result $kernel {X Y Z} {x: &[X], y: &[Y], z: &[Z],} {(x, y, z)} {(X, Y, Z)} $($rest)*
        }
    };
    // The same of the results.
    (@result $kernel:ident $g:tt $p:tt $s:tt $t:tt ($a:ident, $b:ident) $kind:tt $doc:literal) => {
        crate::forms::form! { @kind $kind $kernel $g $p $s $t
            {R S} {out: &mut [R], second: &mut [S],} {(out, second)} {(R, S)} $doc }
    };
    (@result $kernel:ident $g:tt $p:tt $s:tt $t:tt $a:ident $kind:tt $doc:literal) => {
        crate::forms::form! { @kind $kind $kernel $g $p $s $t
            {R} {out: &mut [R],} {out} {R} $doc }
    };
    // And of the other arguments.
    (@kind {exact} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {} {} {()} {()} }
    };
    (@kind {silent} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {} {} {()} {()} }
    };
    (@kind {mode} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {} {mode: Mode,} {mode} {Mode} }
    };
    (@kind {stochastic} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {} {mode: Mode,} {mode} {Mode} }
    };
    (@kind {policy} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {} {policy: &ScalePolicy,} {*policy} {ScalePolicy} }
    };
    (@kind {bounds} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {B: Format} {bounds: Bounds<B>, mode: Mode,} {(bounds, mode)}
            {(Bounds<B>, Mode)} }
    };
    (@kind {bounds_nan} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {B: Format} {bounds: Bounds<B>, nan: NanGradient,}
            {(bounds, nan)} {(Bounds<B>, NanGradient)} }
    };
    (@kind {nan} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {} {nan: NanGradient,} {nan} {NanGradient} }
    };
    (@kind {nan_mode} $($rest:tt)*) => {
        crate::forms::form! { @emit $($rest)* {} {nan: NanGradient, mode: Mode,} {(nan, mode)}
            {(NanGradient, Mode)} }
    };
    // Parameters: as they are passed, as a value, and its type.
    (@kind {with ([$x:ident] {} ($p:ident) $kind:ident)} $($rest:tt)*) => {
        crate::forms::form! { @with $kind {$($rest)*} {B: Arithmetic} {$p: B,} {($p,)} {(B,)} }
    };
    (@kind {with ([$x:ident $y:ident] {} ($p:ident $q:ident) $kind:ident)} $($rest:tt)*) => {
        crate::forms::form! {
            @with $kind {$($rest)*} {B: Arithmetic} {$p: B, $q: B,} {($p, $q)} {(B, B)}
        }
    };
    (@kind {with ([$($x:ident)*] $checks:tt (lambd) $kind:ident)} $($rest:tt)*) => {
        crate::forms::form! {
            @with $kind {$($rest)*} {B: Format} {lambda: Lambda<B>,} {lambda} {Lambda<B>}
        }
    };
    (@kind {with ([$($x:ident)*] $checks:tt (threshold) $kind:ident)} $($rest:tt)*) => {
        crate::forms::form! {
            @with $kind {$($rest)*} {B: Format} {threshold: Threshold<B>,} {threshold} {Threshold<B>}
        }
    };
    (@with exact {$($rest:tt)*} $b:tt {$($p:tt)*} {$value:expr} {$type:ty}) => {
        crate::forms::form! { @emit $($rest)* $b {$($p)*} {($value, ())} {($type, ())} }
    };
    (@with mode {$($rest:tt)*} $b:tt {$($p:tt)*} {$value:expr} {$type:ty}) => {
        crate::forms::form! {
            @emit $($rest)* $b {$($p)* mode: Mode,} {($value, mode)} {($type, Mode)}
        }
    };
    (@with nan {$($rest:tt)*} $b:tt {$($p:tt)*} {$value:expr} {$type:ty}) => {
        crate::forms::form! {
            @emit $($rest)* $b {$($p)* nan: NanGradient,} {($value, nan)} {($type, NanGradient)}
        }
    };
    (@with nan_mode {$($rest:tt)*} $b:tt {$($p:tt)*} {$value:expr} {$type:ty}) => {
        crate::forms::form! {
            @emit $($rest)* $b {$($p)* nan: NanGradient, mode: Mode,} {($value, (nan, mode))}
            {($type, (NanGradient, Mode))}
        }
    };
    (
        @emit $kernel:ident {$($x:ident)*} {$($operands:tt)*} {$columns:expr} {$row:ty}
        {$($r:ident)*} {$($results:tt)*} {$outputs:expr} {$result:ty} $doc:literal
        {$($b:ident: $bound:ident)?} {$($more:tt)*} {$args:expr} {$types:ty}
    ) => {
        #[doc = concat!("`", $doc, "`, of every element.")]
        ///
        #[doc = concat!("Formats: see [`kernel::", stringify!($kernel), "`].")]
        ///
        /// # Errors
        ///
        /// Which slice has not the first one's length; nothing is written then.
        pub fn $kernel<$($x: Element,)* $($r: Value,)* $($b: $bound + Element)?>(
            $($operands)* $($results)* $($more)*
        ) -> Outcome
        where
            kernel::$kernel: Kernel<$row, $result, $types>,
        {
            drive::<kernel::$kernel, _, _, _>($columns, $outputs, $args)
        }
    };
}
pub(crate) use form;

/// The same with random bits for every element, of the kernels that take them.
macro_rules! stochastic_form {
    ($kernel:ident $operands:tt $result:tt {stochastic} $doc:literal) => {
        crate::forms::stochastic_form! { @ $kernel $operands $doc }
    };
    ($kernel:ident $operands:tt $result:tt $kind:tt $doc:literal) => {};
    (@ $kernel:ident ($a:ident) $doc:literal) => {
        crate::forms::stochastic_form! { @emit $kernel {X} {x: &[X],} {(x,)} {(X,)} $doc }
    };
    (@ $kernel:ident ($a:ident, $b:ident) $doc:literal) => {
        crate::forms::stochastic_form! {
            @emit $kernel {X Y} {x: &[X], y: &[Y],} {(x, y)} {(X, Y)} $doc
        }
    };
    (@ $kernel:ident ($a:ident, $b:ident, $c:ident) $doc:literal) => {
        crate::forms::stochastic_form! {
            @emit $kernel {X Y Z} {x: &[X], y: &[Y], z: &[Z],} {(x, y, z)} {(X, Y, Z)} $doc
        }
    };
    (@emit $kernel:ident {$($x:ident)*} {$($operands:tt)*} {$columns:expr} {$row:ty} $doc:literal) => {
        #[doc = concat!("`", $doc, "`, of every element, rounded by its own 16 random bits.")]
        ///
        #[doc = concat!("Formats: see [`kernel::", stringify!($kernel), "`].")]
        ///
        /// # Errors
        ///
        /// Which slice has not the first one's length; nothing is written then.
        pub fn $kernel<$($x: Element,)* R: Value>(
            $($operands)* out: &mut [R], random: &[u16], overflow: Overflow,
        ) -> Outcome
        where
            kernel::$kernel: Kernel<$row, R, (u16, Overflow)>,
        {
            drive::<kernel::$kernel, _, _>($columns, out, random, overflow)
        }
    };
}
pub(crate) use stochastic_form;
