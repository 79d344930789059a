//! Every function that the link test holds to be free of panics: the catalog's rows, and the
//! composites by hand.

use bitexact::activation::{self, Bounds, BoundsError, NanGradient};
use bitexact::arith::{self, Class};
use bitexact::catalog::Refused;
use bitexact::format::{E2M1, E4M3FN, E5M2, E5M2FNUZ};
use bitexact::reduce::{self, Order};
use bitexact::scale::{self, E8M0, ScalePolicy};
use bitexact::tensor::{self, Slice, TensorError, View, ViewMut};
use bitexact::{Mode, Overflow, Status, bf16, convert, f16, math};
use core::hint::black_box;

/// Keeps a function in the program, for any argument.
macro_rules! keep {
    (|$($x:ident: $ty:ty),*| -> $result:ty { $body:expr }) => {
        black_box((|$($x: $ty),*| $body) as fn($($ty),*) -> $result)
    };
}

/// A row with its further arguments.
macro_rules! kept {
    ($path:path, ($a:ident) -> $result:ty, $($x:ident: $ty:ty),*) => {
        keep!(|a: $a $(, $x: $ty)*| -> $result { $path(a $(, $x)*) });
    };
    ($path:path, ($a:ident, $b:ident) -> $result:ty, $($x:ident: $ty:ty),*) => {
        keep!(|a: $a, b: $b $(, $x: $ty)*| -> $result { $path(a, b $(, $x)*) });
    };
    ($path:path, ($a:ident, $b:ident, $c:ident) -> $result:ty, $($x:ident: $ty:ty),*) => {
        keep!(|a: $a, b: $b, c: $c $(, $x: $ty)*| -> $result { $path(a, b, c $(, $x)*) });
    };
}

/// A row with parameters.
macro_rules! with {
    (exact $($rest:tt)*) => { with!(@ () $($rest)*) };
    (mode $($rest:tt)*) => { with!(@ (mode: Mode) $($rest)*) };
    (nan $($rest:tt)*) => { with!(@ (nan: NanGradient) $($rest)*) };
    (nan_mode $($rest:tt)*) => { with!(@ (nan: NanGradient, mode: Mode) $($rest)*) };
    (@ $more:tt $path:path, ($a:ident) -> $($rest:tt)*) => {
        with!(@ $more $path, (a: $a) -> $($rest)*)
    };
    (@ $more:tt $path:path, ($a:ident, $b:ident) -> $($rest:tt)*) => {
        with!(@ $more $path, (a: $a, b: $b) -> $($rest)*)
    };
    (
        @ ($($m:ident: $more:ty),*) $path:path, ($($x:ident: $ty:ident),*) -> $result:tt,
        [$($p:ident)*] {$($check:tt)*} ($($argument:ident)*)
    ) => {
        keep!(
            |$($x: $ty,)* parameters: [f32; [$(stringify!($p)),*].len()] $(, $m: $more)*|
             -> Result<($result, Status), Refused> {{
                let [$($p),*] = parameters;
                $($check)*
                Ok($path($($x,)* $($argument,)* $($m),*))
            }}
        );
    };
}

macro_rules! row {
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; silent $path:path; $doc:literal) => {
        kept!($path, $operands -> $result,);
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; exact $path:path; $doc:literal) => {
        kept!($path, $operands -> ($result, Status),);
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; mode $path:path; $doc:literal) => {
        kept!($path, $operands -> ($result, Status), mode: Mode);
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        stochastic $path:path, $stochastic:path; $doc:literal
    ) => {
        kept!($path, $operands -> ($result, Status), mode: Mode);
        kept!($stochastic, $operands -> ($result, Status), random: u16, overflow: Overflow);
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; policy $path:path; $doc:literal) => {
        kept!($path, $operands -> ($result, Status), policy: &ScalePolicy);
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; bounds $path:path; $doc:literal) => {
        kept!($path, $operands -> ($result, Status), bounds: Bounds<f32>, mode: Mode);
        kept!($path, $operands -> ($result, Status), bounds: Bounds<f64>, mode: Mode);
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; bounds_nan $path:path; $doc:literal) => {
        kept!($path, $operands -> ($result, Status), bounds: Bounds<f32>, nan: NanGradient);
        kept!($path, $operands -> ($result, Status), bounds: Bounds<f64>, nan: NanGradient);
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; nan $path:path; $doc:literal) => {
        kept!($path, $operands -> ($result, Status), nan: NanGradient);
    };
    ($kernel:ident $suffix:tt $operands:tt -> $result:tt; nan_mode $path:path; $doc:literal) => {
        kept!($path, $operands -> ($result, Status), nan: NanGradient, mode: Mode);
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:tt;
        with ($parameters:tt $checks:tt $arguments:tt $kind:ident) $path:path; $doc:literal
    ) => {
        with!($kind $path, $operands -> $result, $parameters $checks $arguments);
    };
}

type Sum = (bf16, Status);
type Done = Result<(), TensorError>;
type Made<'a> = Result<View<'a, u16, 3>, TensorError>;

/// Hides from the optimizer what becomes of each function, so that all of them stay.
pub fn keep() {
    bitexact::for_each_kernel!(row);

    keep!(|min: f64, max: f64| -> Result<Bounds<f64>, BoundsError> { Bounds::new(min, max) });
    keep!(|name: &str| -> Option<ScalePolicy> { ScalePolicy::preset(name) });
    keep!(|x: &[f32], order: Order, mode: Mode| -> Sum { reduce::sum_status(x, order, mode) });
    keep!(|x: &[bf16], order: Order, overflow: Overflow| -> Sum {
        reduce::sum_stochastic_status(x, order, || 7, overflow)
    });
    keep!(|x: f32, mode: Mode| -> (f32, Status) {
        tensor::cast_chain_status::<(f32, f16, f32)>(x, mode)
    });
    keep!(|x: View<'_, f32, 4>,
           mode: Mode,
           out: &mut ViewMut<'_, bf16, 4>|
     -> Result<Status, TensorError> {
        tensor::cast_chain_view::<(f32, f16, bf16), 4>(&x, mode, out)
    });
    keep!(|x: View<'_, bf16, 4>,
           dim: usize,
           order: Order,
           mode: Mode,
           out: &mut ViewMut<'_, f32, 4>|
     -> Result<Status, TensorError> { tensor::sum_dim(&x, dim, order, mode, out) });
    keep!(|data: &'static [u16],
           shape: [usize; 3],
           strides: [isize; 3],
           offset: usize|
     -> Made<'static> { View::new(data, shape, strides, offset) });
    keep!(|data: &'static mut [u16],
           shape: [usize; 3],
           strides: [isize; 3],
           offset: usize|
     -> Result<ViewMut<'static, u16, 3>, TensorError> {
        ViewMut::new(data, shape, strides, offset)
    });
    keep!(
        |x: View<'static, u16, 3>, dim: usize, slice: Slice| -> Made<'static> {
            x.slice(dim, slice)
        }
    );
    keep!(|x: View<'static, u16, 3>, dims: [usize; 3]| -> Made<'static> { x.permute(dims) });
    keep!(|x: View<'static, u16, 3>, dim: usize, n: usize| -> Made<'static> { x.expand(dim, n) });
    keep!(|x: View<'_, u16, 3>, at: [usize; 3]| -> Option<u16> { x.get(at) });
    keep!(|x: View<'_, u16, 4>,
           src: View<'_, u16, 4>,
           dim: usize,
           slice: Slice,
           out: &mut ViewMut<'_, u16, 4>|
     -> Done { tensor::slice_scatter(&x, &src, dim, slice, out) });
    keep!(|g: View<'_, u16, 4>,
           dim: usize,
           slice: Slice,
           x: &mut ViewMut<'_, u16, 4>,
           y: &mut ViewMut<'_, u16, 4>|
     -> Done { tensor::slice_scatter_backward(&g, dim, slice, 0, x, y) });

    #[cfg(feature = "canary")]
    keep!(|table: &[u8; 4], index: usize| -> u8 { table[index] });
}
