//! One entry for each composite, and for rows that share one: its body, for this thread.

use super::grid::here;
use crate::composite::{blocks, epilogue, layers, mixed, reduce, rows, scatter, scope::*, unit};

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
gpu_plans::shared_rows!(definition);
gpu_plans::grouped_rows!(definition);
