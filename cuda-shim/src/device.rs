//! The device side.

use bitexact::activation;
use bitexact::arith::{self, Class};
use bitexact::format::{E2M1, E4M3FN, E5M2, E5M2FNUZ};
use bitexact::scale::{self, E8M0};
use bitexact::{Mode, Overflow, Rounding, bf16, convert, f16, math};
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};

/// No kernel panics; the link test of `ci/` proves it.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// The mode of two numbers, the indices of `Rounding::ALL` and `Overflow::ALL`. The host side
/// passes no other ones; were it to, the last of each list is taken.
fn mode(rounding: u32, overflow: u32) -> Mode {
    let rounding = match rounding {
        0 => Rounding::TiesToEven,
        1 => Rounding::TiesToAway,
        2 => Rounding::TowardZero,
        3 => Rounding::TowardPositive,
        4 => Rounding::TowardNegative,
        _ => Rounding::ToOdd,
    };
    let overflow = match overflow {
        0 => Overflow::Ieee,
        1 => Overflow::SaturateFinite,
        _ => Overflow::SaturateAll,
    };
    Mode::new(rounding, overflow)
}

/// Calls `f` with every element index that is this thread's.
#[inline(always)]
fn for_each_own(n: usize, mut f: impl FnMut(usize)) {
    // SAFETY: reading the special registers has no precondition.
    let (thread, stride) = unsafe {
        let block = _block_dim_x() as usize;
        (
            _block_idx_x() as usize * block + _thread_idx_x() as usize,
            _grid_dim_x() as usize * block,
        )
    };
    let mut i = thread;
    while i < n {
        f(i);
        i += stride;
    }
}

macro_rules! entry {
    // Two results, or arguments that an entry cannot take yet.
    ($kernel:ident $suffix:tt $operands:tt -> ($($results:tt)*); $($rest:tt)*) => {};
    ($kernel:ident $suffix:tt $operands:tt -> $result:ident; policy $($rest:tt)*) => {};
    ($kernel:ident $suffix:tt $operands:tt -> $result:ident; bounds $($rest:tt)*) => {};
    ($kernel:ident $suffix:tt $operands:tt -> $result:ident; bounds_nan $($rest:tt)*) => {};
    ($kernel:ident $suffix:tt $operands:tt -> $result:ident; nan $($rest:tt)*) => {};
    ($kernel:ident $suffix:tt $operands:tt -> $result:ident; nan_mode $($rest:tt)*) => {};
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:ident;
        silent $path:path; $doc:literal
    ) => {
        entry! { @named $kernel $suffix $operands $result [] ($path) |r| r }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:ident;
        exact $path:path; $doc:literal
    ) => {
        entry! { @named $kernel $suffix $operands $result [] ($path) |r| r.0 }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:ident;
        mode $path:path; $doc:literal
    ) => {
        entry! { @named $kernel $suffix $operands $result [mode] ($path) |r| r.0 }
    };
    (
        $kernel:ident $suffix:tt $operands:tt -> $result:ident;
        stochastic $path:path, $stochastic:path; $doc:literal
    ) => {
        entry! { @named $kernel $suffix $operands $result [mode] ($path) |r| r.0 }
    };

    (@named $kernel:ident [$($suffix:ident)*] $($rest:tt)*) => {
        entry! { @arity (concat!(stringify!($kernel) $(, "_", stringify!($suffix))*)) $($rest)* }
    };
    (@arity $name:tt ($a:ident) $($rest:tt)*) => {
        entry! { @emit $name (a: $a) $($rest)* }
    };
    (@arity $name:tt ($a:ident, $b:ident) $($rest:tt)*) => {
        entry! { @emit $name (a: $a, b: $b) $($rest)* }
    };
    (@arity $name:tt ($a:ident, $b:ident, $c:ident) $($rest:tt)*) => {
        entry! { @emit $name (a: $a, b: $b, c: $c) $($rest)* }
    };
    (
        @emit ($name:expr) ($($x:ident: $ty:ident),+) $result:ident [$($mode:ident)?]
        ($path:path) |$r:ident| $take:expr
    ) => {
        const _: () = {
            /// # Safety
            ///
            /// Every pointer is valid for `n` elements, and nothing else uses `out` meanwhile.
            #[unsafe(export_name = $name)]
            pub unsafe extern "ptx-kernel" fn entry(
                $($x: *const $ty,)+
                out: *mut $result,
                n: usize,
                $($mode: u32, overflow: u32,)?
            ) {
                $(let $mode = self::mode($mode, overflow);)?
                for_each_own(n, |i| {
                    // SAFETY: i < n, and the caller vouches for the pointers.
                    unsafe {
                        let $r = $path($(*$x.add(i),)+ $($mode)?);
                        *out.add(i) = $take;
                    }
                });
            }
        };
    };
}

bitexact::for_each_kernel!(entry);
