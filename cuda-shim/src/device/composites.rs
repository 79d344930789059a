//! One entry for each composite: its body, for this thread.

use super::grid::here;
use crate::composite::{
    blocks, epilogue, for_each_composite, layers, mixed, reduce, rows, scatter, scope::*,
};

macro_rules! entry {
    (
        $name:ident $module:ident $body:ident [$($t:ident)*] ($($actual:ident)*)
        ($($p:ident: $ty:ty),*)
    ) => {
        const _: () = {
            $(type $t = $actual;)*
            /// # Safety
            ///
            /// As the body.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name($($p: $ty),*) {
                // SAFETY: the caller's.
                unsafe { $module::$body::<$($t),*>(here(), $($p),*) }
            }
        };
    };
}

for_each_composite!(entry);

macro_rules! definition {
    (
        [$($name:tt)*] [] $module:ident $body:ident [] () ($($p:ident: $ty:ty),*)
    ) => {
        const _: () = {
            /// # Safety
            ///
            /// As the body.
            #[unsafe(export_name = $($name)*)]
            pub unsafe extern "ptx-kernel" fn entry($($p: $ty),*) {
                // SAFETY: the caller's.
                unsafe { $module::$body(here(), $($p),*) }
            }
        };
    };
}
macro_rules! list {
    ($($families:tt)*) => { gpu_plans::each_entry! { definition $($families)* } };
}
gpu_plans::for_each_definition_list!(list);
