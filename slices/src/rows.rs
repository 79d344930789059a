//! The catalog's rows as types: one adapter for each kind of arguments.

use crate::args::Args;
use crate::element::{Element, Operands};
use crate::lanes::{self, Lane};
use bitexact::activation::{self, Bounds, Lambda, NanGradient, Threshold};
use bitexact::arith::{self, Class};
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::scale::{self, E8M0, MxInt8, ScalePolicy};
use bitexact::{Mode, Overflow, Status, bf16, convert, f16, math};

/// A kernel of the catalog at operands `O`, results `R` and other arguments `A`.
///
/// Implemented for the types of [`kernel`](crate::kernel), at every choice of formats that the
/// catalog has; each type's page lists them.
pub trait Kernel<O: Operands, R, A: Args>: 'static {
    /// The branch-free form, where there is one.
    #[doc(hidden)]
    type Lane: Lane<O, R, A>;
    /// The kernel, of one element.
    fn call(operands: O, args: A) -> (R, Status);
}

/// Rows that go through a kernel at a time.
pub(crate) const BLOCK: usize = 64;

/// The kernel of a block of rows; the exceptions of any. The only place where a kernel is compiled,
/// once for each row of the catalog: loops, tables and threads all call this.
#[inline(never)]
pub(crate) fn batch<K: Kernel<O, R, A>, O: Operands, R, A: Args>(
    operands: &[O],
    results: &mut [R],
    args: A,
) -> Status {
    let mut all = Status::NONE;
    for (operands, result) in operands.iter().zip(results) {
        let (value, status) = K::call(*operands, args);
        *result = value;
        all |= status;
    }
    all
}

/// What computes a row branch-free.
macro_rules! lane {
    (convert (f32) f64) => { lanes::NoLane };
    (convert (f32) f32) => { lanes::NoLane };
    (convert (f32) $r:ident) => { lanes::Narrow<$r> };
    (convert (f16) f32) => { lanes::Widen<f16> };
    (convert (bf16) f32) => { lanes::Widen<bf16> };
    (e8m0_encode (f32) E8M0) => { lanes::Encode };
    (e8m0_decode (E8M0) f32) => { lanes::Decode<f32> };
    (e8m0_decode (E8M0) bf16) => { lanes::Decode<bf16> };
    // Two codes of 8 bits have a table.
    ($kernel:ident ($a:ident, $b:ident) E5M2) => { lanes::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E4M3FN) => { lanes::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E5M2FNUZ) => { lanes::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E4M3FNUZ) => { lanes::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E2M3) => { lanes::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E3M2) => { lanes::NoLane };
    ($kernel:ident ($a:ident, $b:ident) E2M1) => { lanes::NoLane };
    (add ($a:ident, $b:ident) $r:ident) => { lanes::Add<$a, $b, $r, false> };
    (sub ($a:ident, $b:ident) $r:ident) => { lanes::Add<$a, $b, $r, true> };
    (mul ($a:ident, $b:ident) $r:ident) => { lanes::Mul<$a, $b, $r> };
    (div (f32, $b:ident) $r:ident) => { lanes::NoLane };
    (div ($a:ident, f32) $r:ident) => { lanes::NoLane };
    (div ($a:ident, $b:ident) f32) => { lanes::NoLane };
    (div ($a:ident, $b:ident) $r:ident) => { lanes::Div<$a, $b, $r> };
    (fma (f32, $b:ident, $c:ident) $r:ident) => { lanes::NoLane };
    (fma ($a:ident, f32, $c:ident) $r:ident) => { lanes::NoLane };
    (fma ($a:ident, $b:ident, $c:ident) $r:ident) => { lanes::Fma<$a, $b, $c, $r> };
    ($kernel:ident $operands:tt $result:tt) => { lanes::NoLane };
}

/// Calls a function with operands from a tuple and with what else it takes.
macro_rules! call {
    ($path:path, $o:ident ($a:ident) $($more:expr),*) => { $path($o.0 $(, $more)*) };
    ($path:path, $o:ident ($a:ident, $b:ident) $($more:expr),*) => { $path($o.0, $o.1 $(, $more)*) };
    ($path:path, $o:ident ($a:ident, $b:ident, $c:ident) $($more:expr),*) => {
        $path($o.0, $o.1, $o.2 $(, $more)*)
    };
}

/// One implementation: the generics, the arguments, the lane, the call.
macro_rules! implement {
    (
        $kernel:ident ($($operand:ident),*) $result:tt [$($b:ident: $bound:ident)?] $args:ty, $lane:ty,
        |$o:ident, $a:pat_param| $call:expr
    ) => {
        impl$(<$b: $bound + Element>)? Kernel<($($operand,)*), $result, $args> for kernel::$kernel {
            type Lane = $lane;
            #[inline(always)]
            fn call($o: ($($operand,)*), $a: $args) -> ($result, Status) {
                $call
            }
        }
    };
}

macro_rules! row {
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; exact $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [] (), lane!($kernel $operands $result),
        |o, ()| call!($path, o $operands) }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; silent $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [] (), lane!($kernel $operands $result),
        |o, ()| (call!($path, o $operands), Status::NONE) }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; mode $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [] Mode, lane!($kernel $operands $result),
        |o, mode| call!($path, o $operands mode) }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        stochastic $path:path, $stochastic:path; $doc:literal
    ) => {
        implement! { $kernel $operands $result [] Mode, lane!($kernel $operands $result),
        |o, mode| call!($path, o $operands mode) }
        implement! { $kernel $operands $result [] (u16, Overflow), lanes::NoLane,
        |o, (random, overflow)| call!($stochastic, o $operands random, overflow) }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; policy $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [] ScalePolicy, lane!($kernel $operands $result),
        |o, policy| call!($path, o $operands &policy) }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; bounds $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [B: Format] (Bounds<B>, Mode), lanes::NoLane,
        |o, (bounds, mode)| call!($path, o $operands bounds, mode) }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; bounds_nan $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [B: Format] (Bounds<B>, NanGradient), lanes::NoLane,
        |o, (bounds, nan)| call!($path, o $operands bounds, nan) }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; nan $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [] NanGradient, lane!($kernel $operands $result),
        |o, nan| call!($path, o $operands nan) }
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; nan_mode $path:path; $doc:literal) => {
        implement! { $kernel $operands $result [] (NanGradient, Mode), lane!($kernel $operands $result),
        |o, (nan, mode)| call!($path, o $operands nan, mode) }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        with ([$($p:ident)*] $checks:tt $arguments:tt $kind:ident) $path:path; $doc:literal
    ) => {
        with! { @parameters $checks $arguments $kind $kernel $operands $result $path }
    };
}

/// A row with parameters: these, then the other arguments.
macro_rules! with {
    (@parameters {} ($p:ident) $kind:ident $($row:tt)*) => {
        with! { $kind $($row)*, [B: Arithmetic] (B,), ($p,), $p }
    };
    (@parameters {} ($p:ident $q:ident) $kind:ident $($row:tt)*) => {
        with! { $kind $($row)*, [B: Arithmetic] (B, B), ($p, $q), $p, $q }
    };
    (@parameters $checks:tt (lambd) $kind:ident $($row:tt)*) => {
        with! { $kind $($row)*, [B: Format] Lambda<B>, lambda, lambda }
    };
    (@parameters $checks:tt (threshold) $kind:ident $($row:tt)*) => {
        with! { $kind $($row)*, [B: Format] Threshold<B>, threshold, threshold }
    };
    (
        exact $kernel:ident $operands:tt $result:tt $path:path,
        $bound:tt $type:ty, $pattern:pat_param, $($p:ident),*
    ) => {
        implement! { $kernel $operands $result $bound ($type, ()), lanes::NoLane,
        |o, ($pattern, ())| call!($path, o $operands $($p),*) }
    };
    (
        mode $kernel:ident $operands:tt $result:tt $path:path,
        $bound:tt $type:ty, $pattern:pat_param, $($p:ident),*
    ) => {
        implement! { $kernel $operands $result $bound ($type, Mode), lanes::NoLane,
        |o, ($pattern, mode)| call!($path, o $operands $($p,)* mode) }
    };
    (
        nan $kernel:ident $operands:tt $result:tt $path:path,
        $bound:tt $type:ty, $pattern:pat_param, $($p:ident),*
    ) => {
        implement! { $kernel $operands $result $bound ($type, NanGradient), lanes::NoLane,
        |o, ($pattern, nan)| call!($path, o $operands $($p,)* nan) }
    };
    (
        nan_mode $kernel:ident $operands:tt $result:tt $path:path,
        $bound:tt $type:ty, $pattern:pat_param, $($p:ident),*
    ) => {
        implement! { $kernel $operands $result $bound ($type, (NanGradient, Mode)), lanes::NoLane,
        |o, ($pattern, (nan, mode))| call!($path, o $operands $($p,)* nan, mode) }
    };
}

bitexact::for_each_kernel!(row);

/// The catalog's kernels as types, which have no values: names for [`Kernel`].
#[allow(non_camel_case_types)]
pub mod kernel {
    macro_rules! name {
        ($kernel:ident $operands:tt $result:tt $kind:tt $doc:literal) => {
            #[doc = $doc]
            #[derive(Debug)]
            pub enum $kernel {}
        };
    }
    macro_rules! row {
        ($($row:tt)*) => {
            crate::forms::first_row! { name $($row)* }
        };
    }
    bitexact::for_each_kernel!(row);
}
