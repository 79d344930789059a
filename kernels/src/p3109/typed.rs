//! Codes whose format is in their type.

use super::block::ExactResult;
use super::operation::Operation;
use super::short;
use crate::format::{Domain, FormatSpec, Signedness};
use crate::format::{bf16, f16};
use crate::round::Projection;

/// A type of codes of one format of the report.
pub trait Datum: Copy {
    /// The format.
    const FORMAT: FormatSpec;

    /// From a code, of which the bits above the format's are ignored.
    fn from_code(code: u64) -> Self;

    /// The code.
    fn to_code(self) -> u64;
}

/// A code of `Binary{K, P, signedness, domain}`. Other numbers than the report's (K from 3 to 16, P
/// from 1 to K - 1, or to K where unsigned) do not compile.
///
/// `==` compares codes, so that NaN equals itself; [`Comparison`](super::Comparison) has the
/// report's comparisons.
///
/// ```
/// use bitexact::p3109::{self, Binary8p3se, Binary8p4se, Projection};
/// let x = Binary8p4se::from_bits(0x41); // 1.125
/// let y: Binary8p3se = p3109::convert(x, Projection::REQUIRED);
/// assert_eq!(y.to_bits(), 0x40); // 1: the tie goes to the even code
/// let sum: f32 = p3109::fma(x, x, 1.0f32, Projection::REQUIRED);
/// assert_eq!(sum, 2.265625);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Binary<const K: u32, const P: u32, const SIGNED: bool, const EXTENDED: bool>(u16);

impl<const K: u32, const P: u32, const SIGNED: bool, const EXTENDED: bool>
    Binary<K, P, SIGNED, EXTENDED>
{
    const SPEC: FormatSpec = {
        let signedness = if SIGNED {
            Signedness::Signed
        } else {
            Signedness::Unsigned
        };
        let domain = if EXTENDED {
            Domain::Extended
        } else {
            Domain::Finite
        };
        match FormatSpec::binary(K, P, signedness, domain) {
            Some(format) => format,
            None => panic!("no format of the report"),
        }
    };

    /// The code with these bits; those above K are ignored.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::SPEC.mask() as u16)
    }

    /// The code.
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }
}

impl<const K: u32, const P: u32, const SIGNED: bool, const EXTENDED: bool> Datum
    for Binary<K, P, SIGNED, EXTENDED>
{
    const FORMAT: FormatSpec = Self::SPEC;

    #[inline]
    fn from_code(code: u64) -> Self {
        Self::from_bits(code as u16)
    }

    #[inline]
    fn to_code(self) -> u64 {
        self.0.into()
    }
}

macro_rules! external {
    ($($ty:ty, $spec:ident, $bits:ty;)*) => { $(
        impl Datum for $ty {
            const FORMAT: FormatSpec = FormatSpec::$spec;

            #[inline]
    fn from_code(code: u64) -> Self {
                Self::from_bits(code as $bits)
            }

            #[inline]
    fn to_code(self) -> u64 {
                self.to_bits().into()
            }
        }
    )* };
}

external! {
    f16, BINARY16, u16;
    bf16, BFLOAT16, u16;
    f32, BINARY32, u32;
    f64, BINARY64, u64;
}

macro_rules! alias {
    ($($name:ident = $k:literal $p:literal $signed:literal $extended:literal,)*) => { $(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub type $name = Binary<$k, $p, $signed, $extended>;
    )* };
}

alias! {
    Binary3p1se = 3 1 true true,
    Binary3p1sf = 3 1 true false,
    Binary3p1ue = 3 1 false true,
    Binary3p1uf = 3 1 false false,
    Binary3p2se = 3 2 true true,
    Binary3p2sf = 3 2 true false,
    Binary3p2ue = 3 2 false true,
    Binary3p2uf = 3 2 false false,
    Binary3p3ue = 3 3 false true,
    Binary3p3uf = 3 3 false false,
    Binary4p1se = 4 1 true true,
    Binary4p1sf = 4 1 true false,
    Binary4p1ue = 4 1 false true,
    Binary4p1uf = 4 1 false false,
    Binary4p2se = 4 2 true true,
    Binary4p2sf = 4 2 true false,
    Binary4p2ue = 4 2 false true,
    Binary4p2uf = 4 2 false false,
    Binary4p3se = 4 3 true true,
    Binary4p3sf = 4 3 true false,
    Binary4p3ue = 4 3 false true,
    Binary4p3uf = 4 3 false false,
    Binary4p4ue = 4 4 false true,
    Binary4p4uf = 4 4 false false,
    Binary5p1se = 5 1 true true,
    Binary5p1sf = 5 1 true false,
    Binary5p1ue = 5 1 false true,
    Binary5p1uf = 5 1 false false,
    Binary5p2se = 5 2 true true,
    Binary5p2sf = 5 2 true false,
    Binary5p2ue = 5 2 false true,
    Binary5p2uf = 5 2 false false,
    Binary5p3se = 5 3 true true,
    Binary5p3sf = 5 3 true false,
    Binary5p3ue = 5 3 false true,
    Binary5p3uf = 5 3 false false,
    Binary5p4se = 5 4 true true,
    Binary5p4sf = 5 4 true false,
    Binary5p4ue = 5 4 false true,
    Binary5p4uf = 5 4 false false,
    Binary5p5ue = 5 5 false true,
    Binary5p5uf = 5 5 false false,
    Binary6p1se = 6 1 true true,
    Binary6p1sf = 6 1 true false,
    Binary6p1ue = 6 1 false true,
    Binary6p1uf = 6 1 false false,
    Binary6p2se = 6 2 true true,
    Binary6p2sf = 6 2 true false,
    Binary6p2ue = 6 2 false true,
    Binary6p2uf = 6 2 false false,
    Binary6p3se = 6 3 true true,
    Binary6p3sf = 6 3 true false,
    Binary6p3ue = 6 3 false true,
    Binary6p3uf = 6 3 false false,
    Binary6p4se = 6 4 true true,
    Binary6p4sf = 6 4 true false,
    Binary6p4ue = 6 4 false true,
    Binary6p4uf = 6 4 false false,
    Binary6p5se = 6 5 true true,
    Binary6p5sf = 6 5 true false,
    Binary6p5ue = 6 5 false true,
    Binary6p5uf = 6 5 false false,
    Binary6p6ue = 6 6 false true,
    Binary6p6uf = 6 6 false false,
    Binary7p1se = 7 1 true true,
    Binary7p1sf = 7 1 true false,
    Binary7p1ue = 7 1 false true,
    Binary7p1uf = 7 1 false false,
    Binary7p2se = 7 2 true true,
    Binary7p2sf = 7 2 true false,
    Binary7p2ue = 7 2 false true,
    Binary7p2uf = 7 2 false false,
    Binary7p3se = 7 3 true true,
    Binary7p3sf = 7 3 true false,
    Binary7p3ue = 7 3 false true,
    Binary7p3uf = 7 3 false false,
    Binary7p4se = 7 4 true true,
    Binary7p4sf = 7 4 true false,
    Binary7p4ue = 7 4 false true,
    Binary7p4uf = 7 4 false false,
    Binary7p5se = 7 5 true true,
    Binary7p5sf = 7 5 true false,
    Binary7p5ue = 7 5 false true,
    Binary7p5uf = 7 5 false false,
    Binary7p6se = 7 6 true true,
    Binary7p6sf = 7 6 true false,
    Binary7p6ue = 7 6 false true,
    Binary7p6uf = 7 6 false false,
    Binary7p7ue = 7 7 false true,
    Binary7p7uf = 7 7 false false,
    Binary8p1se = 8 1 true true,
    Binary8p1sf = 8 1 true false,
    Binary8p1ue = 8 1 false true,
    Binary8p1uf = 8 1 false false,
    Binary8p2se = 8 2 true true,
    Binary8p2sf = 8 2 true false,
    Binary8p2ue = 8 2 false true,
    Binary8p2uf = 8 2 false false,
    Binary8p3se = 8 3 true true,
    Binary8p3sf = 8 3 true false,
    Binary8p3ue = 8 3 false true,
    Binary8p3uf = 8 3 false false,
    Binary8p4se = 8 4 true true,
    Binary8p4sf = 8 4 true false,
    Binary8p4ue = 8 4 false true,
    Binary8p4uf = 8 4 false false,
    Binary8p5se = 8 5 true true,
    Binary8p5sf = 8 5 true false,
    Binary8p5ue = 8 5 false true,
    Binary8p5uf = 8 5 false false,
    Binary8p6se = 8 6 true true,
    Binary8p6sf = 8 6 true false,
    Binary8p6ue = 8 6 false true,
    Binary8p6uf = 8 6 false false,
    Binary8p7se = 8 7 true true,
    Binary8p7sf = 8 7 true false,
    Binary8p7ue = 8 7 false true,
    Binary8p7uf = 8 7 false false,
    Binary8p8ue = 8 8 false true,
    Binary8p8uf = 8 8 false false,
}

/// The operation on codes that have as many operands as it. For a literal operation little but
/// `short`'s arithmetic remains, or the call of the other.
#[inline(always)]
fn of<R: Datum, const N: usize>(
    operation: Operation,
    operands: [(FormatSpec, u64); N],
    projection: Projection,
) -> R {
    R::from_code(
        match short::evaluate::<false>(operation, &operands, R::FORMAT, projection) {
            Some(code) => code,
            None => wide(operation, &operands, R::FORMAT, projection),
        },
    )
}

fn wide(
    operation: Operation,
    operands: &[(FormatSpec, u64)],
    format: FormatSpec,
    projection: Projection,
) -> u64 {
    match ExactResult::of(operation, operands, projection.revision) {
        Ok(exact) => exact.project(format, projection),
        // Cannot be: the macro gives the operands, and refuses angles when it is compiled.
        Err(_) => format.nan(),
    }
}

macro_rules! functions {
    ($($function:ident $operation:ident $($operand:ident $ty:ident),+;)*) => { $(
        #[doc = concat!("[`Operation::", stringify!($operation), "`] of codes in formats of their own, projected to the result's format.")]
        #[inline]
        #[must_use]
        pub fn $function<$($ty: Datum,)+ R: Datum>($($operand: $ty,)+ projection: Projection) -> R {
            const { assert!(
                $(Operation::$operation.takes($ty::FORMAT))&&+,
                "the operand's format exceeds the operation's range"
            ) };
            of(Operation::$operation, [$(($ty::FORMAT, $operand.to_code())),+], projection)
        }
    )* };
}

functions! {
    convert Convert x A;
    abs Abs x A;
    negate Negate x A;
    copy_sign CopySign x A, y B;
    add Add x A, y B;
    subtract Subtract x A, y B;
    multiply Multiply x A, y B;
    divide Divide x A, y B;
    fma FMA x A, y B, z C;
    faa FAA x A, y B, z C;
    sqrt Sqrt x A;
    recip Recip x A;
    rsqrt RSqrt x A;
    exp Exp x A;
    exp2 Exp2 x A;
    log Log x A;
    log2 Log2 x A;
    log_one_plus LogOnePlus x A;
    exp_minus_one ExpMinusOne x A;
    sin Sin x A;
    cos Cos x A;
    tan Tan x A;
    arc_sin ArcSin x A;
    arc_cos ArcCos x A;
    arc_tan ArcTan x A;
    sinh Sinh x A;
    cosh Cosh x A;
    tanh Tanh x A;
    arc_sinh ArcSinh x A;
    arc_cosh ArcCosh x A;
    arc_tanh ArcTanh x A;
    sin_pi SinPi x A;
    cos_pi CosPi x A;
    tan_pi TanPi x A;
    arc_sin_pi ArcSinPi x A;
    arc_cos_pi ArcCosPi x A;
    arc_tan_pi ArcTanPi x A;
    softplus Softplus x A;
    hypot Hypot x A, y B;
    arc_tan2 ArcTan2 y A, x B;
    arc_tan2_pi ArcTan2Pi y A, x B;
    minimum Minimum x A, y B;
    maximum Maximum x A, y B;
    minimum_number MinimumNumber x A, y B;
    maximum_number MaximumNumber x A, y B;
    minimum_magnitude MinimumMagnitude x A, y B;
    maximum_magnitude MaximumMagnitude x A, y B;
    minimum_magnitude_number MinimumMagnitudeNumber x A, y B;
    maximum_magnitude_number MaximumMagnitudeNumber x A, y B;
    minimum_finite MinimumFinite x A, y B;
    maximum_finite MaximumFinite x A, y B;
    clamp Clamp x A, low B, high C;
}
