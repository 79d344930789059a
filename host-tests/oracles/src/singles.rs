//! The functions of f32 that the filter has proved bounds for.

/// By the names of their rows, with results in f32.
pub const FUNCTIONS: &[&str] = &[
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log1p",
    "sin",
    "cos",
    "tanh",
    "erf",
    "rsqrt",
    "reciprocal",
    "sigmoid",
    "silu",
    "gelu",
    "gelu_tanh",
    "softplus",
    "sigmoid_derivative",
    "silu_derivative",
    "gelu_derivative",
    "gelu_tanh_derivative",
    "softplus_derivative",
    "tanh_derivative",
];
/// Those whose results are also rounded to f16 and bf16.
pub const NARROW: &[&str] = &["exp", "exp2", "tanh", "sigmoid", "gelu", "silu"];
