//! The list of all kernels, one row each; everything else is generated from it.
//!
//! [`for_each_kernel!`](crate::for_each_kernel) hands every row, at every choice of formats, to a
//! macro of the caller's: the sweep, its tests, the benches, the GPU entry points, the firmware
//! sweep, the C header and the README's table each have one, with one arm for each kind of
//! arguments. What is no function of single elements is in [`COMPOSITES`].
//!
//! A row as the callback gets it:
//!
//! ```text
//! callback! { add [f16 f16 f32] (f16, f16) -> f32; stochastic arith::add_status,
//!             arith::add_stochastic_status; "a + b" }
//! ```
//!
//! | part | meaning |
//! |---|---|
//! | `add` | the kernel |
//! | `[f16 f16 f32]` | what its name ends in: `add.f16.f16.f32`; `add.f16` where all are equal |
//! | `(f16, f16) -> f32` | the types of its operands and of its result (two in parentheses) |
//! | `stochastic ...;` | its other arguments, and the functions to call, from the crate's root |
//! | `"a + b"` | what it computes |
//!
//! The kinds of arguments, after the operands:
//!
//! | kind | arguments | functions |
//! |---|---|---|
//! | `exact` | none | with status |
//! | `silent` | none | without status: there is nothing to raise |
//! | `mode` | `Mode` | with status |
//! | `stochastic` | `Mode`; or random bits and `Overflow` | with status; stochastic with status |
//! | `policy` | `&ScalePolicy` | with status |
//! | `bounds` | `Bounds<B>`, `Mode` | with status |
//! | `bounds_nan` | `Bounds<B>`, `NanGradient` | with status |
//! | `nan` | `NanGradient` | with status |
//! | `nan_mode` | `NanGradient`, `Mode` | with status |
//! | `with (..)` | f32 parameters, then those of another kind | with status |
//!
//! The parentheses after `with` are `[names] {checks} (arguments) kind`: the parameters' names,
//! statements that make the arguments of them, and the names of these; a statement that finds the
//! parameters wrong leaves with `?`, for which [`Refused`] is an error type. So
//! `with ([lambd] {let lambd = Lambda::new(lambd)?;} (lambd) nan) hardshrink_backward_status` is called
//! with a `Lambda<f32>` and a `NanGradient`.

/// Calls `$callback!` once for every kernel at every choice of formats; see
/// [`catalog`](crate::catalog) for what it gets. In item or statement position.
///
/// ```
/// use bitexact::for_each_kernel;
/// let mut names: Vec<String> = Vec::new();
/// macro_rules! name {
///     ($kernel:ident [$($suffix:ident)*] $($rest:tt)*) => {
///         names.push([stringify!($kernel) $(, stringify!($suffix))*].join("."));
///     };
/// }
/// for_each_kernel!(name);
/// assert!(names.iter().any(|name| name == "fma.bf16.bf16.f32.f32"));
/// ```
#[macro_export]
macro_rules! for_each_kernel {
    ($callback:ident) => {
        $crate::kernels! { $callback
            // convert
            convert: between_formats, stochastic convert::convert_status,
                convert::convert_stochastic_status; "x in another format";
            from_int: from_integers, stochastic convert::from_int_status,
                convert::from_int_stochastic_status; "the integer n as a float";
            to_int: to_integers, stochastic convert::to_int_status,
                convert::to_int_stochastic_status; "x rounded to an integer type";
            // arith: formatOf operations
            add: format_of_2, stochastic arith::add_status,
                arith::add_stochastic_status; "a + b";
            sub: format_of_2, stochastic arith::sub_status,
                arith::sub_stochastic_status; "a - b";
            mul: format_of_2, stochastic arith::mul_status,
                arith::mul_stochastic_status; "a * b";
            div: format_of_2, stochastic arith::div_status,
                arith::div_stochastic_status; "a / b";
            sqrt: format_of_1, stochastic arith::sqrt_status,
                arith::sqrt_stochastic_status; "square root of x";
            fma: format_of_3, stochastic arith::fma_status,
                arith::fma_stochastic_status; "a * b + c";
            // arith: homogeneous operations that round
            round_to_integral: unary, stochastic arith::round_to_integral_status,
                arith::round_to_integral_stochastic_status; "x rounded to an integral value";
            scalbn: with_integer, stochastic arith::scalbn_status,
                arith::scalbn_stochastic_status; "x * 2^n";
            // arith: exact ones
            remainder: binary, exact arith::remainder_status; "IEEE remainder of x / y";
            fmod: binary, exact arith::fmod_status; "remainder of the truncated x / y";
            remquo: binary_and_integer, exact arith::remquo_status;
                "IEEE remainder and low quotient digits";
            minimum: binary, exact arith::minimum_status; "lesser operand, NaN if either is";
            maximum: binary, exact arith::maximum_status; "greater operand, NaN if either is";
            minimum_number: binary, exact arith::minimum_number_status;
                "lesser operand, the number if one is NaN";
            maximum_number: binary, exact arith::maximum_number_status;
                "greater operand, the number if one is NaN";
            minimum_magnitude: binary, exact arith::minimum_magnitude_status;
                "operand of lesser magnitude, NaN if either is";
            maximum_magnitude: binary, exact arith::maximum_magnitude_status;
                "operand of greater magnitude, NaN if either is";
            minimum_magnitude_number: binary, exact arith::minimum_magnitude_number_status;
                "operand of lesser magnitude, the number if one is NaN";
            maximum_magnitude_number: binary, exact arith::maximum_magnitude_number_status;
                "operand of greater magnitude, the number if one is NaN";
            copy_sign: binary, exact arith::copy_sign_status; "x with the sign of y";
            negate: unary, exact arith::negate_status; "-x";
            abs: unary, exact arith::abs_status; "|x|";
            canonicalize: unary, exact arith::canonicalize_status; "x, NaN made canonical";
            next_up: unary, exact arith::next_up_status; "least value above x";
            next_down: unary, exact arith::next_down_status; "greatest value below x";
            logb: unary, exact arith::logb_status; "exponent of x as a float";
            ilogb: to_i32, exact arith::ilogb_status; "exponent of x as an integer";
            floor_log2: to_i32, exact arith::floor_log2_status; "floor(log2 x)";
            ceil_log2: to_i32, exact arith::ceil_log2_status; "ceil(log2 x)";
            frexp: to_pair_i32, exact arith::frexp_status; "fraction and exponent of x";
            modf: to_pair, exact arith::modf_status; "fractional and integral part of x";
            // arith: comparisons
            compare_quiet_equal: relation, exact arith::compare_quiet_equal_status; "x = y";
            compare_quiet_not_equal: relation, exact arith::compare_quiet_not_equal_status;
                "not x = y";
            compare_quiet_greater: relation, exact arith::compare_quiet_greater_status; "x > y";
            compare_quiet_greater_equal: relation,
                exact arith::compare_quiet_greater_equal_status; "x >= y";
            compare_quiet_less: relation, exact arith::compare_quiet_less_status; "x < y";
            compare_quiet_less_equal: relation, exact arith::compare_quiet_less_equal_status;
                "x <= y";
            compare_quiet_unordered: relation, exact arith::compare_quiet_unordered_status;
                "x or y is NaN";
            compare_quiet_not_greater: relation, exact arith::compare_quiet_not_greater_status;
                "not x > y";
            compare_quiet_less_unordered: relation,
                exact arith::compare_quiet_less_unordered_status; "x < y, or NaN";
            compare_quiet_not_less: relation, exact arith::compare_quiet_not_less_status;
                "not x < y";
            compare_quiet_greater_unordered: relation,
                exact arith::compare_quiet_greater_unordered_status; "x > y, or NaN";
            compare_quiet_ordered: relation, exact arith::compare_quiet_ordered_status;
                "neither is NaN";
            compare_signaling_equal: relation, exact arith::compare_signaling_equal_status;
                "x = y; NaN is invalid";
            compare_signaling_not_equal: relation,
                exact arith::compare_signaling_not_equal_status; "not x = y; NaN is invalid";
            compare_signaling_greater: relation, exact arith::compare_signaling_greater_status;
                "x > y; NaN is invalid";
            compare_signaling_greater_equal: relation,
                exact arith::compare_signaling_greater_equal_status; "x >= y; NaN is invalid";
            compare_signaling_less: relation, exact arith::compare_signaling_less_status;
                "x < y; NaN is invalid";
            compare_signaling_less_equal: relation,
                exact arith::compare_signaling_less_equal_status; "x <= y; NaN is invalid";
            compare_signaling_not_greater: relation,
                exact arith::compare_signaling_not_greater_status; "not x > y; NaN is invalid";
            compare_signaling_less_unordered: relation,
                exact arith::compare_signaling_less_unordered_status; "x < y, or NaN; NaN is invalid";
            compare_signaling_not_less: relation,
                exact arith::compare_signaling_not_less_status; "not x < y; NaN is invalid";
            compare_signaling_greater_unordered: relation,
                exact arith::compare_signaling_greater_unordered_status;
                "x > y, or NaN; NaN is invalid";
            total_order: relation, silent arith::total_order; "x at or before y in the total order";
            total_order_magnitude: relation, silent arith::total_order_magnitude;
                "total order of the magnitudes";
            // arith: classes
            classify: to_class, silent arith::classify; "class of x";
            is_sign_minus: predicate, silent arith::is_sign_minus; "the sign bit is set";
            is_normal: predicate, silent arith::is_normal; "x is normal";
            is_finite: predicate, silent arith::is_finite; "x is finite";
            is_zero: predicate, silent arith::is_zero; "x is +0 or -0";
            is_subnormal: predicate, silent arith::is_subnormal; "x is subnormal";
            is_infinite: predicate, silent arith::is_infinite; "x is infinite";
            is_nan: predicate, silent arith::is_nan; "x is NaN";
            is_signaling: predicate, silent arith::is_signaling; "x is a signalling NaN";
            is_canonical: predicate, silent arith::is_canonical; "the code is canonical";
            // math: exponentials
            exp: narrow_unary, mode math::exp_status; "e^x";
            exp2: narrow_unary, mode math::exp2_status; "2^x";
            exp10: narrow_unary, mode math::exp10_status; "10^x";
            expm1: narrow_unary, mode math::expm1_status; "e^x - 1";
            exp2m1: narrow_unary, mode math::exp2m1_status; "2^x - 1";
            exp10m1: narrow_unary, mode math::exp10m1_status; "10^x - 1";
            sinh: narrow_unary, mode math::sinh_status; "hyperbolic sine of x";
            cosh: narrow_unary, mode math::cosh_status; "hyperbolic cosine of x";
            tanh: narrow_unary, mode math::tanh_status; "hyperbolic tangent of x";
            // scale
            e8m0_encode: to_scale, policy scale::encode_status; "E8M0 scale of x under a policy";
            e8m0_decode: from_scale, stochastic scale::decode_status,
                scale::decode_stochastic_status; "value of an E8M0 scale";
            e8m0_reciprocal: scale, silent scale::E8M0::reciprocal; "reciprocal of an E8M0 scale";
            mxint8_encode: to_mxint8, stochastic scale::mxint8_encode_status,
                scale::mxint8_encode_stochastic_status; "x as an MXINT8 element, -2 to 127/64";
            mxint8_encode_symmetric: to_mxint8, stochastic scale::mxint8_encode_symmetric_status,
                scale::mxint8_encode_symmetric_stochastic_status;
                "x as an MXINT8 element, -127/64 to 127/64";
            mxint8_decode: from_mxint8, stochastic scale::mxint8_decode_status,
                scale::mxint8_decode_stochastic_status; "value of an MXINT8 element";
            // math
            cbrt: narrow_unary, mode math::cbrt_status; "cube root of x";
            erf: narrow_unary, mode math::erf_status; "error function of x";
            erfc: narrow_unary, mode math::erfc_status; "1 - erf(x)";
            hypot: narrow_binary, mode math::hypot_status; "sqrt(x^2 + y^2)";
            lgamma: narrow_unary, mode math::lgamma_status; "ln |gamma(x)|";
            reciprocal: narrow_unary, mode math::reciprocal_status; "1 / x";
            rsqrt: narrow_unary, mode math::rsqrt_status; "1 / sqrt(x)";
            tgamma: narrow_unary, mode math::tgamma_status; "gamma function of x";
            // activation
            gelu: narrow_unary, mode activation::gelu_status; "x * (1 + erf(x / sqrt 2)) / 2";
            relu: narrow_unary, exact activation::relu_status; "x where x > 0, else 0";
            relu_backward: narrow_binary, nan activation::relu_backward_status; "gradient of relu";
            softsign: narrow_unary, mode activation::softsign_status; "x / (1 + |x|)";
            softsign_backward: narrow_binary, mode activation::softsign_backward_status;
                "gradient of softsign";
            hardtanh: unary, bounds activation::hardtanh_status; "x between two bounds";
            hardtanh_backward: binary, bounds_nan activation::hardtanh_backward_status;
                "gradient of hardtanh";
            relu6: unary, exact activation::relu6_status; "x between 0 and 6";
            relu6_backward: binary, nan activation::relu6_backward_status; "gradient of relu6";
            hardsigmoid: narrow_unary, mode activation::hardsigmoid_status;
                "(x + 3) / 6 between 0 and 1";
            hardsigmoid_backward: narrow_binary, nan_mode activation::hardsigmoid_backward_status;
                "gradient of hardsigmoid";
            hardswish: narrow_unary, mode activation::hardswish_status; "x * hardsigmoid(x)";
            hardswish_backward: narrow_binary, nan_mode activation::hardswish_backward_status;
                "gradient of hardswish";
            // math: circular functions
            sin: narrow_unary, mode math::sin_status; "sine of x radians";
            cos: narrow_unary, mode math::cos_status; "cosine of x radians";
            tan: narrow_unary, mode math::tan_status; "tangent of x radians";
            sincos: narrow_pair, mode math::sincos_status; "sine and cosine of x radians";
            sinpi: narrow_unary, mode math::sinpi_status; "sin(pi x)";
            cospi: narrow_unary, mode math::cospi_status; "cos(pi x)";
            tanpi: narrow_unary, mode math::tanpi_status; "tan(pi x)";
            asin: narrow_unary, mode math::asin_status; "arc sine of x in radians";
            acos: narrow_unary, mode math::acos_status; "arc cosine of x in radians";
            atan: narrow_unary, mode math::atan_status; "arc tangent of x in radians";
            asinpi: narrow_unary, mode math::asinpi_status; "asin(x) / pi";
            acospi: narrow_unary, mode math::acospi_status; "acos(x) / pi";
            atanpi: narrow_unary, mode math::atanpi_status; "atan(x) / pi";
            atan2: narrow_binary, mode math::atan2_status; "angle of the point (y, x) in radians";
            atan2pi: narrow_binary, mode math::atan2pi_status; "atan2(x, y) / pi";
            sigmoid: narrow_unary, mode activation::sigmoid_status; "1 / (1 + e^-x)";
            sigmoid_backward: narrow_binary, mode activation::sigmoid_backward_status;
                "gradient of sigmoid";
            silu: narrow_unary, mode activation::silu_status; "x * sigmoid(x)";
            silu_backward: narrow_binary, mode activation::silu_backward_status;
                "gradient of silu";
            logsigmoid: narrow_unary, mode activation::logsigmoid_status; "ln(sigmoid(x))";
            mish: narrow_unary, mode activation::mish_status; "x * tanh(ln(1 + e^x))";
            selu: narrow_unary, mode activation::selu_status;
                "scale * (x if x > 0, else alpha * (e^x - 1))";
            tanhshrink: narrow_unary, mode activation::tanhshrink_status; "x - tanh(x)";
            gelu_tanh: narrow_unary, mode activation::gelu_tanh_status;
                "x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))";
            gelu_backward: narrow_binary, mode activation::gelu_backward_status;
                "gradient of gelu";
            gelu_tanh_backward: narrow_binary, mode activation::gelu_tanh_backward_status;
                "gradient of gelu_tanh";
            logsigmoid_backward: narrow_binary, mode activation::logsigmoid_backward_status;
                "gradient of logsigmoid";
            mish_backward: narrow_binary, mode activation::mish_backward_status;
                "gradient of mish";
            selu_backward: narrow_binary, mode activation::selu_backward_status;
                "gradient of selu";
            tanh_backward: narrow_binary, mode activation::tanh_backward_status;
                "gradient of tanh";
            tanhshrink_backward: narrow_binary, mode activation::tanhshrink_backward_status;
                "gradient of tanhshrink";
            // activation: with parameters
            elu: narrow_unary, with ([alpha] {} (alpha) mode) activation::elu_status;
                "x if x > 0, else alpha * (e^x - 1)";
            elu_backward: narrow_binary,
                with ([alpha] {} (alpha) mode) activation::elu_backward_status; "gradient of elu";
            celu: narrow_unary, with ([alpha] {} (alpha) mode) activation::celu_status;
                "x if x > 0, else alpha * (e^(x / alpha) - 1)";
            celu_backward: narrow_binary,
                with ([alpha] {} (alpha) mode) activation::celu_backward_status;
                "gradient of celu";
            softplus: narrow_unary,
                with ([beta threshold] {} (beta threshold) mode) activation::softplus_status;
                "ln(1 + e^(beta x)) / beta, x if beta x > threshold";
            softplus_backward: narrow_binary,
                with ([beta threshold] {} (beta threshold) mode)
                activation::softplus_backward_status; "gradient of softplus";
            leaky_relu: narrow_unary,
                with ([negative_slope] {} (negative_slope) mode) activation::leaky_relu_status;
                "x if x >= 0, else negative_slope * x";
            leaky_relu_backward: narrow_binary,
                with ([negative_slope] {} (negative_slope) nan_mode)
                activation::leaky_relu_backward_status; "gradient of leaky_relu";
            hardshrink: narrow_unary,
                with ([lambd] {let lambd = activation::Lambda::new(lambd)?;} (lambd) exact)
                activation::hardshrink_status; "x outside of lambd around 0, else 0";
            hardshrink_backward: narrow_binary,
                with ([lambd] {let lambd = activation::Lambda::new(lambd)?;} (lambd) nan)
                activation::hardshrink_backward_status; "gradient of hardshrink";
            softshrink: narrow_unary,
                with ([lambd] {let lambd = activation::Lambda::new(lambd)?;} (lambd) mode)
                activation::softshrink_status; "x moved towards 0 by lambd";
            softshrink_backward: narrow_binary,
                with ([lambd] {let lambd = activation::Lambda::new(lambd)?;} (lambd) nan)
                activation::softshrink_backward_status; "gradient of softshrink";
            threshold: narrow_unary,
                with (
                    [threshold value]
                    {let threshold = activation::Threshold::new(threshold, value)?;}
                    (threshold) mode
                ) activation::threshold_status; "x if x > threshold, else value";
            threshold_backward: narrow_binary,
                with (
                    [threshold value]
                    {let threshold = activation::Threshold::new(threshold, value)?;}
                    (threshold) nan
                ) activation::threshold_backward_status; "gradient of threshold";
            // math: logarithms and inverse hyperbolic functions
            log: narrow_unary, mode math::log_status; "natural logarithm of x";
            log2: narrow_unary, mode math::log2_status; "logarithm of x to base 2";
            log10: narrow_unary, mode math::log10_status; "logarithm of x to base 10";
            log1p: narrow_unary, mode math::log1p_status; "natural logarithm of 1 + x";
            log2p1: narrow_unary, mode math::log2p1_status; "logarithm of 1 + x to base 2";
            log10p1: narrow_unary, mode math::log10p1_status; "logarithm of 1 + x to base 10";
            asinh: narrow_unary, mode math::asinh_status; "inverse hyperbolic sine of x";
            acosh: narrow_unary, mode math::acosh_status; "inverse hyperbolic cosine of x";
            atanh: narrow_unary, mode math::atanh_status; "inverse hyperbolic tangent of x";
            // math: powers
            pow: narrow_binary, mode math::pow_status; "x^y";
            pown: narrow_with_integer, mode math::pown_status; "x^n";
            rootn: narrow_with_integer, mode math::rootn_status; "n-th root of x";
            compound: narrow_with_integer, mode math::compound_status; "(1 + x)^n";
        }
    };
}

/// The rows of [`for_each_kernel!`](crate::for_each_kernel) at every choice of formats.
#[doc(hidden)]
#[macro_export]
macro_rules! kernels {
    ($callback:ident $(
        $kernel:ident: $formats:ident,
        $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal;
    )*) => {
        $($crate::at_formats! {
            $formats $callback $kernel
            ($kind $(($($with)*))? $path $(, $stochastic)?; $doc)
        })*
    };
}

/// One kernel at every choice of formats that its set of formats has.
#[doc(hidden)]
#[macro_export]
macro_rules! at_formats {
    // One argument each, so that a product of formats can be written as nested lists.
    (each $callback:ident $kernel:ident $rest:tt $([$($suffix:ident)*] $operands:tt $result:tt)*) => {
        $($crate::at_formats! {
            row $callback $kernel [$($suffix)*] $operands $result $rest
        })*
    };
    (row $callback:ident $kernel:ident $suffix:tt $operands:tt $result:tt ($($rest:tt)*)) => {
        $callback! { $kernel $suffix $operands -> $result; $($rest)* }
    };

    // Homogeneous.
    (unary $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { narrow_unary $callback $kernel $rest }
        $crate::at_formats! { each $callback $kernel $rest [f32] (f32) f32 }
    };
    (narrow_unary $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) f16
            [bf16] (bf16) bf16
        }
    };
    (narrow_pair $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) (f16, f16)
            [bf16] (bf16) (bf16, bf16)
        }
    };
    (binary $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { narrow_binary $callback $kernel $rest }
        $crate::at_formats! { each $callback $kernel $rest [f32] (f32, f32) f32 }
    };
    (narrow_binary $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16, f16) f16
            [bf16] (bf16, bf16) bf16
        }
    };
    // In three formats, and beside them fixed types.
    (with_integer $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { narrow_with_integer $callback $kernel $rest }
        $crate::at_formats! { each $callback $kernel $rest [f32] (f32, i32) f32 }
    };
    (narrow_with_integer $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16, i32) f16
            [bf16] (bf16, i32) bf16
        }
    };
    (to_i32 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) i32
            [bf16] (bf16) i32
            [f32] (f32) i32
        }
    };
    (predicate $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) bool
            [bf16] (bf16) bool
            [f32] (f32) bool
        }
    };
    (to_class $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) Class
            [bf16] (bf16) Class
            [f32] (f32) Class
        }
    };
    (relation $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16, f16) bool
            [bf16] (bf16, bf16) bool
            [f32] (f32, f32) bool
        }
    };
    (to_pair_i32 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) (f16, i32)
            [bf16] (bf16) (bf16, i32)
            [f32] (f32) (f32, i32)
        }
    };
    (to_pair $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) (f16, f16)
            [bf16] (bf16) (bf16, bf16)
            [f32] (f32) (f32, f32)
        }
    };
    (binary_and_integer $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16, f16) (f16, i32)
            [bf16] (bf16, bf16) (bf16, i32)
            [f32] (f32, f32) (f32, i32)
        }
    };
    (to_scale $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) E8M0
            [bf16] (bf16) E8M0
            [f32] (f32) E8M0
        }
    };
    (from_scale $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (E8M0) f16
            [bf16] (E8M0) bf16
            [f32] (E8M0) f32
        }
    };
    (scale $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest [] (E8M0) E8M0 }
    };

    // Conversions.
    (between_formats $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f64 f32] (f64) f32
            [f64 f16] (f64) f16
            [f64 bf16] (f64) bf16
            [f32 f64] (f32) f64
            [f32 f16] (f32) f16
            [f32 bf16] (f32) bf16
            [f16 f64] (f16) f64
            [f16 f32] (f16) f32
            [f16 bf16] (f16) bf16
            [bf16 f64] (bf16) f64
            [bf16 f32] (bf16) f32
            [bf16 f16] (bf16) f16
        }
        $crate::at_formats! { narrow_formats $callback $kernel $rest
            (e5m2 E5M2) (e4m3fn E4M3FN) (e5m2fnuz E5M2FNUZ) (e4m3fnuz E4M3FNUZ)
            (e2m3 E2M3) (e3m2 E3M2) (e2m1 E2M1)
        }
    };
    (narrow_formats $callback:ident $kernel:ident $rest:tt $(($name:ident $ty:ident))*) => {
        $($crate::at_formats! { each $callback $kernel $rest
            [f32 $name] (f32) $ty
            [f16 $name] (f16) $ty
            [bf16 $name] (bf16) $ty
            [$name f32] ($ty) f32
            [$name f16] ($ty) f16
            [$name bf16] ($ty) bf16
        })*
    };
    (to_mxint8 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) MxInt8
            [bf16] (bf16) MxInt8
            [f32] (f32) MxInt8
        }
    };
    (from_mxint8 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (MxInt8) f16
            [bf16] (MxInt8) bf16
            [f32] (MxInt8) f32
        }
    };
    (to_integers $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { to_integers $callback $kernel $rest f64 f32 f16 bf16 }
    };
    (to_integers $callback:ident $kernel:ident $rest:tt $($from:ident)*) => {
        $($crate::at_formats! { each $callback $kernel $rest
            [$from i8] ($from) i8
            [$from i16] ($from) i16
            [$from i32] ($from) i32
            [$from i64] ($from) i64
            [$from u8] ($from) u8
            [$from u16] ($from) u16
            [$from u32] ($from) u32
            [$from u64] ($from) u64
        })*
    };
    (from_integers $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { from_integers $callback $kernel $rest i8 i16 i32 i64 u8 u16 u32 u64 }
    };
    (from_integers $callback:ident $kernel:ident $rest:tt $($from:ident)*) => {
        $($crate::at_formats! { each $callback $kernel $rest
            [$from f64] ($from) f64
            [$from f32] ($from) f32
            [$from f16] ($from) f16
            [$from bf16] ($from) bf16
        })*
    };

    // formatOf operations: every operand and the result in f16, bf16 or f32; the narrower formats
    // with themselves.
    (format_of_1 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { unary $callback $kernel $rest }
        $crate::at_formats! { each $callback $kernel $rest
            [f16 bf16] (f16) bf16
            [f16 f32] (f16) f32
            [bf16 f16] (bf16) f16
            [bf16 f32] (bf16) f32
            [f32 f16] (f32) f16
            [f32 bf16] (f32) bf16
        }
    };
    (format_of_2 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { binary $callback $kernel $rest }
        $crate::at_formats! { each $callback $kernel $rest
            [e5m2] (E5M2, E5M2) E5M2
            [e4m3fn] (E4M3FN, E4M3FN) E4M3FN
            [e5m2fnuz] (E5M2FNUZ, E5M2FNUZ) E5M2FNUZ
            [e4m3fnuz] (E4M3FNUZ, E4M3FNUZ) E4M3FNUZ
            [e2m3] (E2M3, E2M3) E2M3
            [e3m2] (E3M2, E3M2) E3M2
            [e2m1] (E2M1, E2M1) E2M1
        }
        $crate::at_formats! { mixed_2 $callback $kernel $rest
            (f16 f16 bf16) (f16 f16 f32)
            (f16 bf16 f16) (f16 bf16 bf16) (f16 bf16 f32)
            (f16 f32 f16) (f16 f32 bf16) (f16 f32 f32)
            (bf16 f16 f16) (bf16 f16 bf16) (bf16 f16 f32)
            (bf16 bf16 f16) (bf16 bf16 f32)
            (bf16 f32 f16) (bf16 f32 bf16) (bf16 f32 f32)
            (f32 f16 f16) (f32 f16 bf16) (f32 f16 f32)
            (f32 bf16 f16) (f32 bf16 bf16) (f32 bf16 f32)
            (f32 f32 f16) (f32 f32 bf16)
        }
    };
    (mixed_2 $callback:ident $kernel:ident $rest:tt $(($a:ident $b:ident $r:ident))*) => {
        $crate::at_formats! { each $callback $kernel $rest $([$a $b $r] ($a, $b) $r)* }
    };
    (format_of_3 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16, f16, f16) f16
            [bf16] (bf16, bf16, bf16) bf16
            [f32] (f32, f32, f32) f32
        }
        $crate::at_formats! { mixed_3 $callback $kernel $rest
            (f16 f16 f16) (f16 f16 bf16) (f16 f16 f32)
            (f16 bf16 f16) (f16 bf16 bf16) (f16 bf16 f32)
            (f16 f32 f16) (f16 f32 bf16) (f16 f32 f32)
            (bf16 f16 f16) (bf16 f16 bf16) (bf16 f16 f32)
            (bf16 bf16 f16) (bf16 bf16 bf16) (bf16 bf16 f32)
            (bf16 f32 f16) (bf16 f32 bf16) (bf16 f32 f32)
            (f32 f16 f16) (f32 f16 bf16) (f32 f16 f32)
            (f32 bf16 f16) (f32 bf16 bf16) (f32 bf16 f32)
            (f32 f32 f16) (f32 f32 bf16) (f32 f32 f32)
        }
    };
    (mixed_3 $callback:ident $kernel:ident $rest:tt $($operands:tt)*) => {
        $($crate::at_formats! { mixed_3_result $callback $kernel $rest $operands })*
    };
    // The homogeneous ones have rows of their own.
    (mixed_3_result $callback:ident $kernel:ident $rest:tt (f16 f16 f16)) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16 f16 f16 bf16] (f16, f16, f16) bf16
            [f16 f16 f16 f32] (f16, f16, f16) f32
        }
    };
    (mixed_3_result $callback:ident $kernel:ident $rest:tt (bf16 bf16 bf16)) => {
        $crate::at_formats! { each $callback $kernel $rest
            [bf16 bf16 bf16 f16] (bf16, bf16, bf16) f16
            [bf16 bf16 bf16 f32] (bf16, bf16, bf16) f32
        }
    };
    (mixed_3_result $callback:ident $kernel:ident $rest:tt (f32 f32 f32)) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f32 f32 f32 f16] (f32, f32, f32) f16
            [f32 f32 f32 bf16] (f32, f32, f32) bf16
        }
    };
    (mixed_3_result $callback:ident $kernel:ident $rest:tt ($a:ident $b:ident $c:ident)) => {
        $crate::at_formats! { each $callback $kernel $rest
            [$a $b $c f16] ($a, $b, $c) f16
            [$a $b $c bf16] ($a, $b, $c) bf16
            [$a $b $c f32] ($a, $b, $c) f32
        }
    };
}

/// Parameters of a row that its kernel does not take: what a caller without an allocator makes of
/// the kernel's own error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refused;

impl<E: core::error::Error> From<E> for Refused {
    fn from(_: E) -> Self {
        Self
    }
}

/// A kernel without rows, of more than single elements: what it is, and where it is tested.
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
    Composite { name: "arith::compare", doc: "order of two numbers, if they have one", test: "compare" },
    Composite { name: "convert::parse_decimal", doc: "number that a decimal text says", test: "text" },
    Composite { name: "convert::parse_hex", doc: "number that a hexadecimal text says", test: "text" },
    Composite { name: "convert::format_decimal", doc: "decimal text of a number: shortest, exact or rounded", test: "text" },
    Composite { name: "convert::format_hex", doc: "hexadecimal text of a number", test: "text" },
    Composite { name: "convert::format_hex_rounded", doc: "the same rounded to places", test: "text" },
    Composite { name: "reduce::sum", doc: "sum of a slice in a declared order", test: "casts_and_sums" },
    Composite { name: "reduce::sum_by", doc: "sum of an iterator's elements in a declared order", test: "casts_and_sums" },
    Composite { name: "reduce::dot", doc: "dot product in a declared order", test: "reductions" },
    Composite { name: "reduce::dot_by", doc: "dot product of an iterator's pairs in a declared order", test: "reductions" },
    Composite { name: "reduce::sum_exact", doc: "sum of a slice, rounded once", test: "reductions" },
    Composite { name: "reduce::dot_exact", doc: "dot product, rounded once", test: "reductions" },
    Composite { name: "reduce::mean", doc: "mean of a slice, rounded once", test: "reductions" },
    Composite { name: "reduce::variance", doc: "variance of a slice by exact sums", test: "reductions" },
    Composite { name: "reduce::norm", doc: "Euclidean norm of a slice, rounded once", test: "reductions" },
    Composite { name: "tensor::gemm", doc: "product of matrices, exact or in a declared order", test: "reductions" },
    Composite { name: "tensor::gemv", doc: "product of a matrix and a vector", test: "reductions" },
    Composite { name: "nn::exp", doc: "e^x in f32, a stated sequence", test: "layers" },
    Composite { name: "nn::ln", doc: "ln x in f32, a stated sequence", test: "layers" },
    Composite { name: "nn::erf", doc: "error function in f32, a stated sequence", test: "layers" },
    Composite { name: "nn::gelu", doc: "gelu by erf in f32, a stated sequence", test: "layers" },
    Composite { name: "nn::softmax", doc: "softmax of a slice, a stated sequence", test: "layers" },
    Composite { name: "nn::log_softmax", doc: "log_softmax of a slice, a stated sequence", test: "layers" },
    Composite { name: "nn::conv2d", doc: "convolution of an image in a declared order", test: "layers" },
    Composite { name: "nn::batch_norm", doc: "batch normalisation at inference, a stated sequence", test: "layers" },
    Composite { name: "nn::linear", doc: "fully connected layer in a declared order", test: "layers" },
    Composite { name: "nn::avg_pool2d", doc: "average pooling in a declared order", test: "layers" },
    Composite { name: "nn::adaptive_avg_pool2d", doc: "average pooling to a given size", test: "layers" },
    Composite { name: "scale::block_scale", doc: "E8M0 scale of an MX block under a dialect", test: "blocks" },
    Composite { name: "scale::quantise_block", doc: "elements of an MX block under a given scale", test: "blocks" },
    Composite { name: "scale::quantise", doc: "a slice as MX blocks", test: "blocks" },
    Composite { name: "scale::dequantise", doc: "the values of MX blocks", test: "blocks" },
    Composite { name: "scale::dot", doc: "dot product of two MX blocks, rounded once", test: "mx_dot" },
    Composite { name: "scale::dot_general", doc: "dot product of slices of MX blocks, exact or in a declared order", test: "mx_gemm" },
    Composite { name: "scale::gemm", doc: "product of matrices in MX blocks, exact or in a declared order", test: "mx_gemm" },
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
];
