//! The composites' entries by name, with the bodies that they are made of, compiled for this host.

use crate::composite::{blocks, for_each_composite, layers, reduce, rows, scope::*};
use crate::place::Place;
use std::ffi::c_void;

/// An entry of a composite.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The entry's name.
    pub name: &'static str,
    /// Bytes of each of its parameters.
    pub sizes: &'static [usize],
    /// Does one thread's share of the work on this host.
    ///
    /// # Safety
    ///
    /// There is a pointer to each parameter, and the parameters are what the entry asks for.
    pub run: unsafe fn(Place, *const *const c_void),
}

/// All of them.
#[must_use]
pub fn bodies() -> Vec<Body> {
    let mut bodies = Vec::new();
    macro_rules! body {
        (
            $name:ident $module:ident $body:ident [$($t:ident)*] ($($actual:ident)*)
            ($($p:ident: $ty:ty),*)
        ) => {{
            $(type $t = $actual;)*
            /// # Safety
            ///
            /// [`Body::run`]'s.
            unsafe fn run(place: Place, parameters: *const *const c_void) {
                let mut next = parameters;
                $(
                    // SAFETY: the caller's.
                    let $p = unsafe { (*next).cast::<$ty>().read_unaligned() };
                    next = next.wrapping_add(1);
                )*
                let _ = next;
                // SAFETY: the caller's.
                unsafe { $module::$body::<$($t),*>(place, $($p),*) }
            }
            bodies.push(Body {
                name: stringify!($name),
                sizes: &[$(size_of::<$ty>()),*],
                run,
            });
        }};
    }
    for_each_composite!(body);
    bodies
}
