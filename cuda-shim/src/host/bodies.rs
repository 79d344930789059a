//! The entries of composites, of rows that share one and of enclosed functions by name, with their bodies compiled for this
//! host.

use super::thread_block::HostBlock;
use crate::composite;
use crate::enclosure::{self, Format, Function, Moved, for_each_direct, for_each_enclosed};
use crate::thread_index::Place;
use crate::tile;
use std::ffi::c_void;

/// An entry of a composite or of an enclosed function.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The entry's name.
    pub name: &'static str,
    /// Bytes of each of its parameters.
    pub sizes: &'static [usize],
    /// Does a share of the work on this host.
    pub run: Run,
}

/// Whose share a body does.
///
/// # Safety
///
/// Of each: there is a pointer to each parameter, and the parameters are what the entry asks for.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// One thread's.
    Thread(unsafe fn(Place, *const *const c_void)),
    /// One block's, phase by phase.
    Block(unsafe fn(&mut HostBlock, *const *const c_void)),
}

/// All of them.
#[must_use]
pub fn bodies() -> Vec<Body> {
    let mut bodies = Vec::new();
    macro_rules! body {
        (
            [$($name:tt)*] [] $module:ident $body:ident [] () ($($p:ident: $ty:ty),*)
        ) => {{
            /// # Safety
            ///
            /// [`Run`]'s.
            unsafe fn run(place: Place, parameters: *const *const c_void) {
                let mut next = parameters;
                $(
                    // SAFETY: the caller's.
                    let $p = unsafe { (*next).cast::<$ty>().read_unaligned() };
                    next = next.wrapping_add(1);
                )*
                let _ = next;
                // SAFETY: the caller's.
                unsafe { $module::$body(place, $($p),*) }
            }
            bodies.push(Body {
                name: $($name)*,
                sizes: &[$(size_of::<$ty>()),*],
                run: Run::Thread(run),
            });
        }};
    }
    {
        use composite::{blocks, epilogue, layers, mixed, reduce, rows, scatter, scope::*, unit};
        macro_rules! list {
            ($($families:tt)*) => { gpu_plans::each_entry! { body $($families)* } };
        }
        gpu_plans::for_each_definition_list!(list);
        gpu_plans::shared_rows!(body);
        gpu_plans::grouped_rows!(body);
    }
    macro_rules! tile {
        (
            [$($name:tt)*] [$($t:item)?] $module:ident $body:ident [$($generic:tt)*]
            ($($value:tt)*) ($($p:ident: $ty:ty),*)
        ) => {{
            $(
                #[allow(dead_code, reason = "no parameter may have it")]
                $t
            )?
            /// # Safety
            ///
            /// [`Run`]'s.
            unsafe fn run(block: &mut HostBlock, parameters: *const *const c_void) {
                let mut next = parameters;
                $(
                    // SAFETY: the caller's.
                    let $p = unsafe { (*next).cast::<$ty>().read_unaligned() };
                    next = next.wrapping_add(1);
                )*
                let _ = next;
                // SAFETY: the caller's.
                unsafe { $module::$body::<_, $($generic)* $($value)*>(block, $($p),*) }
            }
            bodies.push(Body {
                name: $($name)*,
                sizes: &[$(size_of::<$ty>()),*],
                run: Run::Block(run),
            });
        }};
    }
    {
        use tile::{
            blocks, exact, exact_low, gemm, lane_sums, layer_norm, layers, mx, mx_results, nvfp4,
            packing, row_mean, row_norm, scope::*, serial_chains, softmax, sums, unit,
        };
        macro_rules! list {
            ($($families:tt)*) => { gpu_plans::each_entry! { tile $($families)* } };
        }
        gpu_plans::for_each_list!(list);
        gpu_plans::for_each_mma_list!(list);
    }
    macro_rules! enclosed {
        ($($kernel:ident $function:ident $parameters:tt,)*) => {
            $(
                enclosed! { @ $kernel $function Half "_f16_hw" }
                enclosed! { @ $kernel $function Bfloat "_bf16_hw" }
            )*
        };
        (@ $kernel:ident $function:ident $format:ident $ending:literal) => {{
            bodies.push(Body {
                name: concat!(stringify!($kernel), $ending),
                sizes: &[8; 4],
                run: Run::Thread(enclosed::<enclosure::$function, enclosure::$format>),
            });
        }};
    }
    for_each_enclosed!(enclosed);
    for_each_direct!(enclosed);
    bodies
}

/// One thread's share of an enclosed function.
///
/// # Safety
///
/// [`Run`]'s.
unsafe fn enclosed<K: Function, F: Format>(place: Place, parameters: *const *const c_void) {
    // SAFETY: the caller's.
    unsafe {
        let slices = (
            (*parameters).cast::<*const u16>().read_unaligned(),
            (*parameters.add(1)).cast::<*mut u16>().read_unaligned(),
            (*parameters.add(2)).cast::<usize>().read_unaligned(),
        );
        let table = (*parameters.add(3)).cast::<*const u16>().read_unaligned();
        enclosure::thread::<K, F, _>(Moved([0; 3]), place.thread, slices, table);
    }
}
