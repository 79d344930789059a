//! The functions, of operands with K up to 8.

use super::super::functions;
use super::super::operation::Operation;
use super::{FunctionSpecialisation, SHARED};

#[inline(always)]
fn of_one(operation: Operation, x: u32, specialisation: FunctionSpecialisation) -> u32 {
    of_two(operation, x, x, specialisation)
}

#[inline(always)]
fn of_two(operation: Operation, x: u32, y: u32, specialisation: FunctionSpecialisation) -> u32 {
    let specialisation = specialisation.get();
    let [fx, fy, _] = specialisation.operands();
    let (result, projection) = (specialisation.result(), specialisation.projection());
    functions::evaluate::<SHARED>(operation, (fx, x), (fy, y), result, projection)
}

macro_rules! functions {
    ($($(#[$doc:meta])* $function:ident $operation:ident $of:ident $($operand:ident),+;)*) => { $(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $function($($operand: u32,)+ specialisation: FunctionSpecialisation) -> u32 {
            $of(Operation::$operation, $($operand,)+ specialisation)
        }
    )* };
}

functions! {
    /// 1 / sqrt x. Of zero and below it is NaN.
    rsqrt RSqrt of_one x;
    /// e^x.
    exp Exp of_one x;
    /// 2^x.
    exp2 Exp2 of_one x;
    /// ln x. Of zero it is -Inf, below NaN.
    log Log of_one x;
    /// log2 x. Of zero it is -Inf, below NaN.
    log2 Log2 of_one x;
    /// ln(1 + x). Of -1 it is -Inf, below NaN.
    log_one_plus LogOnePlus of_one x;
    /// e^x - 1.
    exp_minus_one ExpMinusOne of_one x;
    /// The sine of radians. Of infinities it is NaN.
    sin Sin of_one x;
    /// The cosine of radians. Of infinities it is NaN.
    cos Cos of_one x;
    /// The tangent of radians. Of infinities it is NaN.
    tan Tan of_one x;
    /// The arc sine. Beyond 1 it is NaN.
    arc_sin ArcSin of_one x;
    /// The arc cosine. Beyond 1 it is NaN.
    arc_cos ArcCos of_one x;
    /// The arc tangent. Of infinities it is pi/2 or -pi/2.
    arc_tan ArcTan of_one x;
    /// The hyperbolic sine.
    sinh Sinh of_one x;
    /// The hyperbolic cosine.
    cosh Cosh of_one x;
    /// The hyperbolic tangent.
    tanh Tanh of_one x;
    /// The area hyperbolic sine.
    arc_sinh ArcSinh of_one x;
    /// The area hyperbolic cosine. Below 1 it is NaN.
    arc_cosh ArcCosh of_one x;
    /// The area hyperbolic tangent. Of 1 and -1 it is an infinity, beyond NaN.
    arc_tanh ArcTanh of_one x;
    /// sin(pi x). Of infinities it is NaN.
    sin_pi SinPi of_one x;
    /// cos(pi x). Of infinities it is NaN.
    cos_pi CosPi of_one x;
    /// tan(pi x). Of infinities it is NaN. At the poles it is NaN too, in
    /// [`Revision::July2026`](crate::p3109::Revision) an infinity.
    tan_pi TanPi of_one x;
    /// asin(x) / pi. Beyond 1 it is NaN.
    arc_sin_pi ArcSinPi of_one x;
    /// acos(x) / pi. Beyond 1 it is NaN.
    arc_cos_pi ArcCosPi of_one x;
    /// atan(x) / pi. Of infinities it is 1/2 or -1/2.
    arc_tan_pi ArcTanPi of_one x;
    /// ln(1 + e^x).
    softplus Softplus of_one x;
    /// sqrt(x^2 + y^2). NaN if an operand is NaN, even beside an infinity.
    hypot Hypot of_two x, y;
    /// The angle of the point whose ordinate is the first operand. Two zeros and two infinities
    /// give NaN. For x = -Inf it is pi, in [`Revision::July2026`](crate::p3109::Revision) -pi where
    /// y < 0.
    arc_tan2 ArcTan2 of_two y, x;
    /// The angle of `arc_tan2`, over pi: 1 and -1 for x = -Inf.
    arc_tan2_pi ArcTan2Pi of_two y, x;
}
