//! One entry for each body of a block: the body, for this thread's block.

use super::thread_block::Here;
use crate::tile::{
    blocks, chains, exact, exact_low, for_each_tile, gemm, lane_sums, layer_norm, layers, means,
    mx, mx_results, nvfp4, packing, scope::*, softmax, squares, sums,
};

macro_rules! entry {
    (
        $name:ident $module:ident $body:ident [$($t:ident $($rest:ident)*)?] ($($first:tt $($more:tt)*)?)
        ($($p:ident: $ty:ty),*)
    ) => {
        const _: () = {
            $(
                #[allow(dead_code, reason = "no parameter may have it")]
                type $t = $first;
            )?
            /// # Safety
            ///
            /// As the body.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name($($p: $ty),*) {
                // SAFETY: the caller's.
                unsafe { $module::$body::<_ $(, $first $(, $more)*)?>(&mut Here, $($p),*) }
            }
        };
    };
}

for_each_tile!(entry);
#[cfg(target_feature = "sm_80")]
crate::tile::for_each_mma_tile!(entry);
