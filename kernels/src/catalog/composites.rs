//! The kernels on slices, blocks, tensors and texts.

/// A kernel without rows, on more than single elements, and where it is tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Composite {
    /// Its path below the crate's root.
    pub name: &'static str,
    /// What it computes.
    pub doc: &'static str,
    /// The integration test of `host-tests` that runs it.
    pub test: &'static str,
}

/// The composites.
#[rustfmt::skip]
pub const COMPOSITES: &[Composite] = &[
    Composite { name: "arith::compare", doc: "order of two numbers; none for NaN", test: "compare" },
    Composite { name: "convert::to_fixed", doc: "fixed point: Q7, Q15, Q31, any `QN.M`, rounded once", test: "fixed_point" },
    Composite { name: "convert::from_fixed", doc: "fixed point to a format, rounded once", test: "fixed_point" },
    Composite { name: "convert::parse_decimal", doc: "parses a decimal string", test: "text" },
    Composite { name: "convert::parse_hex", doc: "parses a hexadecimal string", test: "text" },
    Composite { name: "convert::format_decimal", doc: "decimal text of a number: shortest, exact or rounded", test: "text" },
    Composite { name: "convert::format_hex", doc: "hexadecimal text of a number", test: "text" },
    Composite { name: "convert::format_hex_rounded", doc: "hexadecimal text of a number, rounded to a number of digits", test: "text" },
    Composite { name: "reduce::sum", doc: "sum of a slice in a declared order", test: "casts_and_sums" },
    Composite { name: "reduce::sum_by", doc: "sum of an iterator's elements in a declared order", test: "casts_and_sums" },
    Composite { name: "reduce::dot", doc: "dot product in a declared order", test: "reductions" },
    Composite { name: "reduce::dot_by", doc: "dot product of an iterator's pairs in a declared order", test: "reductions" },
    Composite { name: "reduce::sum_exact", doc: "sum of a slice, rounded once", test: "reductions" },
    Composite { name: "reduce::dot_exact", doc: "dot product, rounded once", test: "reductions" },
    Composite { name: "reduce::mean", doc: "mean of a slice, rounded once", test: "reductions" },
    Composite { name: "reduce::variance", doc: "variance of a slice, rounded once", test: "reductions" },
    Composite { name: "reduce::standard_deviation", doc: "standard deviation of a slice, rounded once", test: "reductions" },
    Composite { name: "reduce::norm", doc: "Euclidean norm of a slice, rounded once", test: "reductions" },
    Composite { name: "tensor::gemm", doc: "product of matrices, exact or in a declared order", test: "reductions" },
    Composite { name: "tensor::gemv", doc: "product of a matrix and a vector", test: "reductions" },
    Composite { name: "nn::softmax", doc: "softmax of a slice, a stated sequence", test: "layers" },
    Composite { name: "nn::log_softmax", doc: "log_softmax of a slice, a stated sequence", test: "layers" },
    Composite { name: "nn::conv2d", doc: "convolution of an image in a declared order", test: "layers" },
    Composite { name: "nn::batch_norm", doc: "batch normalisation at inference, a stated sequence", test: "layers" },
    Composite { name: "nn::linear", doc: "fully connected layer in a declared order", test: "layers" },
    Composite { name: "nn::avg_pool2d", doc: "average pooling in a declared order", test: "layers" },
    Composite { name: "nn::adaptive_avg_pool2d", doc: "average pooling to a given size", test: "layers" },
    Composite { name: "nn::dense", doc: "fully connected layer with weights in a narrow format or MX blocks, exact or in a declared order", test: "narrow_layers" },
    Composite { name: "nn::convolve", doc: "convolution in one or two dims, in groups or depthwise, with such weights", test: "narrow_layers" },
    Composite { name: "nn::max_pool2d", doc: "greatest elements of windows", test: "narrow_layers" },
    Composite { name: "nn::mean_pool2d", doc: "exact means of windows, rounded once", test: "narrow_layers" },
    Composite { name: "nn::layer_norm", doc: "layer norm by exact sums, a stated sequence", test: "narrow_layers" },
    Composite { name: "nn::rms_norm", doc: "RMS norm by an exact sum, a stated sequence", test: "narrow_layers" },
    Composite { name: "nn::argmax", doc: "index of the greatest element", test: "narrow_layers" },
    Composite { name: "scale::block_scale", doc: "E8M0 scale of an MX block under a dialect", test: "blocks" },
    Composite { name: "scale::quantise_block", doc: "elements of an MX block under a given scale", test: "blocks" },
    Composite { name: "scale::quantise", doc: "a slice as MX blocks", test: "blocks" },
    Composite { name: "scale::dequantise", doc: "the values of MX blocks", test: "blocks" },
    Composite { name: "scale::dot", doc: "dot product of two MX blocks, rounded once", test: "mx_dot" },
    Composite { name: "scale::dot_general", doc: "dot product of slices of MX blocks, exact or in a declared order", test: "mx_gemm" },
    Composite { name: "scale::gemm", doc: "product of matrices in MX blocks, exact or in a declared order", test: "mx_gemm" },
    Composite { name: "scale::gemv", doc: "product of a matrix and a vector in MX blocks", test: "mx_gemm" },
    Composite { name: "scale::nvfp4_tensor_scale", doc: "f32 scale of a tensor for NVFP4", test: "nvfp4" },
    Composite { name: "scale::nvfp4_quantise", doc: "a slice as NVFP4 blocks", test: "nvfp4" },
    Composite { name: "scale::nvfp4_dequantise", doc: "the values of NVFP4 blocks", test: "nvfp4" },
    Composite { name: "scale::pack", doc: "FP4 or FP6 elements in whole bytes", test: "blocks" },
    Composite { name: "scale::unpack", doc: "FP4 or FP6 elements out of whole bytes", test: "blocks" },
    Composite { name: "tensor::sum_dim", doc: "sums along a dim in a declared order", test: "casts_and_sums" },
    Composite { name: "tensor::reduce_dim", doc: "a function of every lane along a dim", test: "slice_scatter" },
    Composite { name: "tensor::cast_chain", doc: "an element through a chain of formats, rounded at each", test: "casts_and_sums" },
    Composite { name: "tensor::cast_chain_view", doc: "the same of every element of a view", test: "casts_and_sums" },
    Composite { name: "tensor::slice_scatter", doc: "x with a slice along a dim replaced", test: "slice_scatter" },
    Composite { name: "tensor::slice_scatter_backward", doc: "both gradients of slice_scatter", test: "slice_scatter" },
    Composite { name: "tensor::slice_scatter_backward_input", doc: "gradient of slice_scatter's x", test: "slice_scatter" },
    Composite { name: "tensor::slice_scatter_backward_src", doc: "gradient of slice_scatter's source", test: "slice_scatter" },
    Composite { name: "tensor::map", doc: "a function of every element", test: "narrow_layers" },
    Composite { name: "tensor::map_in_place", doc: "the same in place", test: "narrow_layers" },
    Composite { name: "tensor::multiply", doc: "elements times a window's, in place", test: "narrow_layers" },
    Composite { name: "tensor::scale", doc: "elements times a factor, in place", test: "narrow_layers" },
    Composite { name: "tensor::accumulate", doc: "adds a multiple of a slice to another", test: "narrow_layers" },
];
