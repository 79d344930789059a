//! One entry for each body of a block: the body, for this thread's block.

use super::thread_block::Here;
use crate::tile::{
    blocks, exact, exact_low, gemm, lane_sums, layer_norm, layers, mx, mx_results, nvfp4, packing,
    row_mean, row_norm, scope::*, serial_chains, softmax, sums, unit,
};

macro_rules! entry {
    (
        [$($name:tt)*] [$($t:item)?] $module:ident $body:ident [$($generic:tt)*] ($($value:tt)*)
        ($($p:ident: $ty:ty),*)
    ) => {
        const _: () = {
            $(
                #[allow(dead_code, reason = "no parameter may have it")]
                $t
            )?
            /// # Safety
            ///
            /// As the body.
            #[unsafe(export_name = $($name)*)]
            pub unsafe extern "ptx-kernel" fn entry($($p: $ty),*) {
                // SAFETY: the caller's.
                unsafe { $module::$body::<_, $($generic)* $($value)*>(&mut Here, $($p),*) }
            }
        };
    };
}

macro_rules! list {
    ($($families:tt)*) => { gpu_plans::each_entry! { entry $($families)* } };
}
gpu_plans::for_each_list!(list);
#[cfg(target_feature = "sm_80")]
mod mma {
    use super::*;

    gpu_plans::for_each_mma_list!(list);
}
