//! The thin public functions around a kernel's constant core, with one macro per shape.
//!
//! Every kernel that rounds has a `const fn round` on raw bits, which takes a `Rule`; the macro
//! makes the plain function, the one with status, the stochastic pair and the constant one, so that
//! each kernel's file contains only what is specific to it.

/// For a kernel whose result is exact or only selected: `exactly::<generics>(operands..) ->
/// (u64, Status)` in scope, and no mode.
macro_rules! unrounded {
    (
        $(#[$doc:meta])*
        $name:ident, $status:ident, $bits:ident: $core:ident;
        <$($generic:ident: $bound:ident),+>($($x:ident: $ty:ident),+) -> $result:ident
    ) => {
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name<$($generic: $bound),+>($($x: $ty),+) -> $result {
            $result::from_bits($core::<$($generic),+>($($x.to_bits() as u64),+).0)
        }

        #[doc = concat!("[`", stringify!($name), "`] with its status.")]
        #[inline]
        pub fn $status<$($generic: $bound),+>($($x: $ty),+) -> ($result, $crate::Status) {
            let (bits, status) = $core::<$($generic),+>($($x.to_bits() as u64),+);
            ($result::from_bits(bits), status)
        }

        #[doc = concat!(
            "[`", stringify!($status), "`] on codes, in constant code too.\n\nOperands and result are in the low bits."
        )]
        #[inline]
        pub const fn $bits<$($generic: $bound),+>($($x: u64),+) -> (u64, $crate::Status) {
            $core::<$($generic),+>($($x),+)
        }
    };
}

/// For a kernel that rounds, but not stochastically.
///
/// Always inline, down to the choice of the path by which `to_format` rounds, so that a literal
/// mode removes the other paths. The computation itself is a separate function, unless a kernel has
/// a straight path (`straight_path`).
macro_rules! rounded_by_mode {
    (
        $(#[$doc:meta])*
        $name:ident, $status:ident, $bits:ident: $round:ident;
        <$($generic:ident: $bound:ident),+>($($x:ident: $ty:ident),+) -> $result:ident
    ) => {
        $(#[$doc])*
        #[inline(always)]
        #[must_use]
        pub fn $name<$($generic: $bound),+>($($x: $ty,)+ mode: $crate::Mode) -> $result {
            $result::from_bits($round::<$($generic),+>($($x.to_bits() as u64,)+ mode.rule()).0)
        }

        #[doc = concat!("[`", stringify!($name), "`] with its status.")]
        #[inline(always)]
        pub fn $status<$($generic: $bound),+>(
            $($x: $ty,)+
            mode: $crate::Mode,
        ) -> ($result, $crate::Status) {
            let (bits, status) = $round::<$($generic),+>($($x.to_bits() as u64,)+ mode.rule());
            ($result::from_bits(bits), status)
        }

        #[doc = concat!(
            "[`", stringify!($status), "`] on codes, in constant code too.\n\nOperands and result are in the low bits."
        )]
        #[inline]
        pub const fn $bits<$($generic: $bound),+>(
            $($x: u64,)+
            mode: $crate::Mode,
        ) -> (u64, $crate::Status) {
            $round::<$($generic),+>($($x,)+ mode.rule())
        }
    };
}

/// For a kernel that rounds, stochastically too.
macro_rules! rounded {
    (
        $(#[$doc:meta])*
        $name:ident, $status:ident, $stochastic:ident, $stochastic_status:ident, $bits:ident,
        $stochastic_bits:ident: $round:ident;
        <$($generic:ident: $bound:ident),+>($($x:ident: $ty:ident),+) -> $result:ident
    ) => {
        $crate::public_api::rounded_by_mode! {
            $(#[$doc])*
            $name, $status, $bits: $round;
            <$($generic: $bound),+>($($x: $ty),+) -> $result
        }

        #[doc = concat!(
            "[`", stringify!($name), "`] with stochastic rounding by 16 random bits: see \
             [`round`](crate::round#stochastic-rounding)."
        )]
        #[inline]
        #[must_use]
        pub fn $stochastic<$($generic: $bound),+>(
            $($x: $ty,)+
            random: u16,
            overflow: $crate::Overflow,
        ) -> $result {
            $stochastic_status::<$($generic),+>($($x,)+ random, overflow).0
        }

        #[doc = concat!("[`", stringify!($stochastic), "`] with its status.")]
        #[inline]
        pub fn $stochastic_status<$($generic: $bound),+>(
            $($x: $ty,)+
            random: u16,
            overflow: $crate::Overflow,
        ) -> ($result, $crate::Status) {
            let rule = $crate::round::Rule::stochastic(random, overflow);
            let (bits, status) = $round::<$($generic),+>($($x.to_bits() as u64,)+ rule);
            ($result::from_bits(bits), status)
        }

        #[doc = concat!(
            "[`", stringify!($stochastic_status), "`] on codes, in constant code too.\n\nOperands and result are in the low bits."
        )]
        #[inline]
        pub const fn $stochastic_bits<$($generic: $bound),+>(
            $($x: u64,)+
            random: u16,
            overflow: $crate::Overflow,
        ) -> (u64, $crate::Status) {
            $round::<$($generic),+>($($x,)+ $crate::round::Rule::stochastic(random, overflow))
        }
    };
}

/// The `round` of a kernel of one operand with a straight path. `$straight` gets the operands
/// (`any`, or the `positive` ones) whose exponent is in the range, `$other` all the others:
/// specials, and numbers out of the range. Of the former, normal numbers stay in line, subnormal
/// ones go out of line: a range from -149 has those of every narrow format.
///
/// What they give may be a number of the format, but must not be halfway between two of them.
///
/// With `f32 $single`, operands of f32 are taken too, by that core; with `to` after it, `round_to`
/// takes operands of at most 24 bits to any format by it.
macro_rules! straight_path {
    (any $least:literal..=$most:literal => $straight:expr, $other:expr; f32 to $single:expr) => {
        $crate::public_api::straight_path! { true, $least, $most, $straight, $other, $single }
        $crate::public_api::round_to! { $single }
    };
    (any $least:literal..=$most:literal => $straight:expr, $other:expr $(; f32 $single:expr)?) => {
        $crate::public_api::straight_path! { true, $least, $most, $straight, $other $(, $single)? }
    };
    (positive $least:literal..=$most:literal => $straight:expr, $other:expr $(; f32 $single:expr)?) => {
        $crate::public_api::straight_path! { false, $least, $most, $straight, $other $(, $single)? }
    };
    ($negative:literal, $least:literal, $most:literal, $straight:expr, $other:expr $(, $single:expr)?) => {
        /// `$straight` for subnormal numbers: one copy, for all formats.
        #[cold]
        #[inline(never)]
        const fn subnormal(x: $crate::round::Exact<u32>) -> $crate::round::Exact<u32> {
            $straight(x)
        }

        #[cold]
        #[inline(never)]
        const fn out_of_line<F: $crate::format::Arithmetic>(
            x: u32,
            rule: $crate::round::Rule,
        ) -> (u32, $crate::Status) {
            let x = $crate::round::Exact::<u32>::decode::<F>(x);
            let result =
                if F::EMIN > $least && x.is_between($least, $most) && ($negative || !x.sign()) {
                    subnormal(x)
                } else {
                    $other(x)
                };
            let (code, status) = result.untied_to_format::<F>(rule);
            (code as u32, status)
        }

        #[inline(always)]
        const fn round<F: $crate::format::Arithmetic>(
            x: u64,
            rule: $crate::round::Rule,
        ) -> (u64, $crate::Status) {
            $(if F::PRECISION == $crate::single::PRECISION {
                let x = $crate::round::Exact::<u32>::decode::<F>(x as u32);
                return $single(x).to_format::<F>(rule);
            })?
            match $crate::round::Exact::<u32>::decode_between::<F>(
                x as u32, $negative, $least, $most,
            ) {
                Some(x) => $straight(x).untied_to_format::<F>(rule),
                None => {
                    let (code, status) = out_of_line::<F>(x as u32, rule);
                    (code as u64, status)
                }
            }
        }
    };
}

/// `round_to` of a kernel of one operand by the core of f32, which has 64 bits: from a format of at
/// most 24 bits, whose numbers f32 has, to any other.
macro_rules! round_to {
    ($single:expr) => {
        #[inline(always)]
        const fn round_to<F: $crate::format::Arithmetic, R: $crate::format::Arithmetic>(
            x: u64,
            rule: $crate::round::Rule,
        ) -> (u64, $crate::Status) {
            const {
                assert!(
                    F::PRECISION <= $crate::single::PRECISION
                        && R::PRECISION <= $crate::single::PRECISION,
                    "a format of more than 24 bits"
                );
            }
            let x = $crate::round::Exact::<u32>::decode::<F>(x as u32);
            $single(x).to_format::<R>(rule)
        }
    };
}

pub(crate) use {round_to, rounded, rounded_by_mode, straight_path, unrounded};
