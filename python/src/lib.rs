//! The extension module of the Python package `bitexact_kernels`: calls from NumPy to the slice
//! forms.
//!
//! | module | what |
//! |---|---|
//! | `args` | roundings, rules, policies and parameters by name |
//! | `call` | calls of operations |
//! | `composites` | what is of more than single elements |
//! | `driver` | the GPU's driver |
//! | `inputs` | the inputs of the sweep, for the tests |
//! | `narrow` | products of blocks, fixed point, layers with weights in narrow formats |
//! | `openmp` | PyTorch's threads |
//! | `p3109` | IEEE P3109 |
//! | `plans` | plans of launches on GPUs |
//! | `prepare` | arguments in words, arrays as memory |
//! | `raw_memory` | rows on memory by its address |
//! | `registry` | operations, rows and dtypes by name |
//! | `threads` | the GIL, threads, forks |
//! | `torch_alloc` | new tensors of PyTorch's |
//! | `torch_call_cache` | PyTorch calls like an earlier one |
//! | `torch_state` | what PyTorch's libraries know of this thread |
//! | `units` | products in the orders of matrix units |
//!
//! The rows of the catalog are in the crate `bitexact-rows`.

mod args;
mod call;
mod composites;
mod driver;
mod inputs;
mod narrow;
mod openmp;
mod p3109;
mod plans;
mod prepare;
mod raw_memory;
mod recipes;
mod registry;
mod threads;
mod torch_alloc;
mod torch_call_cache;
mod torch_state;
mod units;

/// The extension module.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    const BITS: u32 = bitexact::BITS;
    #[pymodule_export]
    use crate::call::{call, run, set_up};
    #[pymodule_export]
    use crate::composites::{
        avg_pool2d, batch_norm, composite_names, conv2d, cumulative, format, gemm, linear,
        mx_dequantise, mx_quantise, norm_statistics, nvfp4_dequantise, nvfp4_quantise,
        nvfp4_tensor_scale, pack, parse, reduce_lanes, softmax,
    };
    #[pymodule_export]
    use crate::driver::{CudaError, Entry, Module};
    #[pymodule_export]
    use crate::inputs::{fill_inputs, input_domain, time_row};
    #[pymodule_export]
    use crate::narrow::{
        convolve, dense, from_fixed, mx_gemm, random_bits, scaled_gemm, to_fixed, to_unlisted,
        widen,
    };
    #[pymodule_export]
    use crate::openmp::share_threads;
    #[pymodule_export]
    use crate::p3109::{p3109_compare, p3109_evaluate, p3109_format, p3109_names, p3109_values};
    #[pymodule_export]
    use crate::plans::{
        BlocksPlan, ExactProduct, RowsPlan, UnitProduct, batch_norm_plan, gemm_definition,
        gemm_plan, mx_gemm_definition, pack_plan, pool_plan, slot_words, sum_plan,
    };
    #[pymodule_export]
    use crate::prepare::{gpu_hardware, gpu_packs, gpu_words, verify};
    #[pymodule_export]
    use crate::raw_memory::{Prepared, accumulator_words, mode_word};
    #[pymodule_export]
    use crate::recipes::{hadamard, recipe_dequantise, recipe_factor, recipe_quantise, recipes};
    #[pymodule_export]
    use crate::registry::{catalog, know_dtype, operations, row};
    #[pymodule_export]
    use crate::threads::{
        after_fork_in_child, after_fork_in_parent, before_fork, set_threads, threads,
    };
    #[pymodule_export]
    use crate::torch_call_cache::{CallCache, Tensors};
    #[pymodule_export]
    use crate::units::{unit_gemm, unit_known, unit_steps, unit_table};

    /// The names of what can be chosen.
    #[pyo3::pyfunction]
    fn names() -> (
        Vec<&'static str>,
        Vec<&'static str>,
        Vec<&'static str>,
        Vec<&'static str>,
    ) {
        use crate::args::{NANS, OVERFLOWS, ROUNDINGS};
        (
            ROUNDINGS.iter().map(|(name, _)| *name).collect(),
            OVERFLOWS.iter().map(|(name, _)| *name).collect(),
            NANS.iter().map(|(name, _)| *name).collect(),
            bitexact::scale::PRESETS
                .iter()
                .map(|(name, _)| *name)
                .collect(),
        )
    }
}
