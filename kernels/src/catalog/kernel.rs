//! A kernel as a type: its operands, its other arguments, its results.

use super::element::{Element, Type};
use crate::Status;

/// A kernel of the catalog at operands `O`, results `R` and other arguments `A`. The types of
/// [`names`] name the kernels.
pub trait Kernel<O, R, A> {
    /// The kernel on one element.
    fn call(operands: O, arguments: A) -> (R, Status);
}

/// The operands of one call: up to three.
pub trait Operands: Copy + Send + Sync + 'static {
    /// Their types.
    const TYPES: &'static [Type];
    /// The operands for GPU code: see [`Element::Device`](super::Element::Device).
    type Device;
    /// The operands of these bits.
    fn of(bits: &[u64; 3]) -> Self;
}

macro_rules! operands {
    ($([$($x:ident)*] [$($rest:tt)*];)*) => {
        $(impl<$($x: Element),*> Operands for ($($x,)*) {
            const TYPES: &'static [Type] = &[$($x::TYPE),*];
            type Device = ($($x::Device,)*);
            #[inline(always)]
            #[allow(non_snake_case, reason = "an operand is named as its type")]
            fn of([$($x,)* $($rest)*]: &[u64; 3]) -> Self {
                ($($x::of(*$x),)*)
            }
        })*
    };
}

operands! {
    [X] [_, _];
    [X Y] [_];
    [X Y Z] [];
}

/// The results of one call: one or two.
pub trait Results: Copy + Send + Sync + 'static {
    /// Their types.
    const TYPES: &'static [Type];
    /// The results for GPU code: see [`Element::Device`](super::Element::Device).
    type Device;
    /// Their bits; 0 for an absent second one.
    fn bits(self) -> [u64; 2];
}

impl<R: Element> Results for R {
    const TYPES: &'static [Type] = &[R::TYPE];
    type Device = R::Device;
    #[inline(always)]
    fn bits(self) -> [u64; 2] {
        [Element::bits(self), 0]
    }
}

impl<R: Element, S: Element> Results for (R, S) {
    const TYPES: &'static [Type] = &[R::TYPE, S::TYPE];
    type Device = (R::Device, S::Device);
    #[inline(always)]
    fn bits(self) -> [u64; 2] {
        [self.0.bits(), self.1.bits()]
    }
}

/// The kernels as types, which have no values.
#[allow(non_camel_case_types)]
pub mod names {
    macro_rules! name {
        (kernel: $kernel:ident, $($fields:tt)*) => {
            #[doc = concat!("`", stringify!($kernel), "`, for [`Kernel`](super::Kernel).")]
            #[derive(Debug)]
            pub enum $kernel {}
        };
    }
    crate::for_each_function!(name);
}

/// Every kernel, by the function that its row names.
mod calls {
    use super::{Kernel, names};
    use crate::arith::Class;
    use crate::format::{Arithmetic, Format, Narrow};
    use crate::round::integer::Integer;
    use crate::scale::{E8M0, MxInt8};
    use crate::{Overflow, Status, activation, arith, convert, math, p3109, scale};

    macro_rules! implement {
        (
            kernel: $kernel:ident, generics: $generics:tt, operands: $operands:tt, results: $results:ty,
            forms: $forms:tt, stochastic: $form:tt,
            generic: {
                generics: $precision:tt, arguments: $arguments:ty, take: $take:tt, give: $give:tt,
                pattern: $pattern:pat, pass: [$($pass:expr),* $(,)?]
            },
            call: $call:path, call_stochastic: [$($stochastic:path)?], flags: $flags:tt,
            doc: $doc:literal
        ) => {
            implement! {
                @ $kernel $generics $precision $operands $results, $arguments, $pattern,
                [$($pass),*] $flags $call
            }
            $(implement! {
                @ $kernel $generics [] $operands $results, (u16, Overflow), (random, overflow),
                [random, overflow] $flags $stochastic
            })?
        };
        (
            @ $kernel:ident [$($generic:ident: $bound:ident),*] [$($b:ident: $limit:ident)?]
            ($($x:ident: $operand:ty),*) $results:ty, $arguments:ty, $pattern:pat,
            [$($pass:expr),*] $flags:tt $call:path
        ) => {
            impl<$($generic: $bound,)* $($b: $limit)?> Kernel<($($operand,)*), $results, $arguments>
                for names::$kernel
            {
                #[inline(always)]
                fn call(($($x,)*): ($($operand,)*), $pattern: $arguments) -> ($results, Status) {
                    implement!(@flags $flags $call($($x,)* $($pass),*))
                }
            }
        };
        (@flags [flags] $call:expr) => { $call };
        (@flags [] $call:expr) => { ($call, Status::NONE) };
    }
    crate::for_each_function!(implement);
}
