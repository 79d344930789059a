//! The rows, one for each kernel, and the choices of formats in each set of formats.

/// Calls `$callback!` once for every kernel at every choice of formats; see
/// [`catalog`](crate::catalog) for what it gets. In item or statement position.
///
/// ```
/// use bitexact::for_each_kernel;
/// let mut names: Vec<String> = Vec::new();
/// macro_rules! name {
///     (kernel: $kernel:ident, suffix: [$($suffix:ident)*], $($fields:tt)*) => {
///         names.push([stringify!($kernel) $(, stringify!($suffix))*].join("."));
///     };
/// }
/// for_each_kernel!(name);
/// assert!(names.iter().any(|name| name == "fma.bf16.bf16.f32.f32"));
/// ```
#[macro_export]
macro_rules! for_each_kernel {
    ($callback:ident) => {
        $crate::kernels! { at_formats $callback }
    };
}

/// Calls `$callback!` once for every kernel, generic over its formats; see
/// [`catalog`](crate::catalog) for what it gets. In item or statement position.
#[macro_export]
macro_rules! for_each_function {
    ($callback:ident) => {
        $crate::kernels! { signatures $callback }
    };
}

/// The kernels, passed with their arguments to the macro that has their formats.
#[doc(hidden)]
#[macro_export]
macro_rules! kernels {
    ($view:ident $callback:ident) => {
        $crate::fields_of_each! { $view $callback
            // convert
            convert { formats: between_formats, choices: (mode), call: convert::convert_status,
                stochastic: convert::convert_stochastic_status, doc: "x in another format" }
            from_int { formats: from_integers, choices: (mode), call: convert::from_int_status,
                stochastic: convert::from_int_stochastic_status, doc: "the integer n as a float" }
            to_int { formats: to_integers, choices: (mode), call: convert::to_int_status,
                stochastic: convert::to_int_stochastic_status, doc: "x rounded to an integer type" }
            // arith: formatOf operations
            add { formats: format_of_2, choices: (mode), call: arith::add_status,
                stochastic: arith::add_stochastic_status, doc: "a + b" }
            sub { formats: format_of_2, choices: (mode), call: arith::sub_status,
                stochastic: arith::sub_stochastic_status, doc: "a - b" }
            mul { formats: format_of_2, choices: (mode), call: arith::mul_status,
                stochastic: arith::mul_stochastic_status, doc: "a * b" }
            div { formats: format_of_2, choices: (mode), call: arith::div_status,
                stochastic: arith::div_stochastic_status, doc: "a / b" }
            sqrt { formats: format_of_1, choices: (mode), call: arith::sqrt_status,
                stochastic: arith::sqrt_stochastic_status, doc: "square root of x" }
            fma { formats: format_of_3, choices: (mode), call: arith::fma_status,
                stochastic: arith::fma_stochastic_status, doc: "a * b + c" }
            // arith: homogeneous operations that round
            round_to_integral { formats: unary, choices: (mode),
                call: arith::round_to_integral_status,
                stochastic: arith::round_to_integral_stochastic_status,
                doc: "x rounded to an integral value" }
            scalbn { formats: with_integer, choices: (mode), call: arith::scalbn_status,
                stochastic: arith::scalbn_stochastic_status, doc: "x * 2^n" }
            // arith: exact ones
            remainder { formats: binary, choices: (), call: arith::remainder_status,
                doc: "IEEE remainder of x / y" }
            fmod { formats: binary, choices: (), call: arith::fmod_status,
                doc: "remainder of the truncated x / y" }
            remquo { formats: binary_and_integer, choices: (), call: arith::remquo_status,
                doc: "IEEE remainder and low quotient bits" }
            minimum { formats: binary, choices: (), call: arith::minimum_status,
                doc: "lesser operand, NaN if either is" }
            maximum { formats: binary, choices: (), call: arith::maximum_status,
                doc: "greater operand, NaN if either is" }
            minimum_number { formats: binary, choices: (), call: arith::minimum_number_status,
                doc: "lesser operand, the number if one is NaN" }
            maximum_number { formats: binary, choices: (), call: arith::maximum_number_status,
                doc: "greater operand, the number if one is NaN" }
            minimum_magnitude { formats: binary, choices: (), call: arith::minimum_magnitude_status,
                doc: "operand of lesser magnitude, NaN if either is" }
            maximum_magnitude { formats: binary, choices: (), call: arith::maximum_magnitude_status,
                doc: "operand of greater magnitude, NaN if either is" }
            minimum_magnitude_number { formats: binary, choices: (),
                call: arith::minimum_magnitude_number_status,
                doc: "operand of lesser magnitude, the number if one is NaN" }
            maximum_magnitude_number { formats: binary, choices: (),
                call: arith::maximum_magnitude_number_status,
                doc: "operand of greater magnitude, the number if one is NaN" }
            copy_sign { formats: binary, choices: (), call: arith::copy_sign_status,
                doc: "x with the sign of y" }
            negate { formats: unary, choices: (), call: arith::negate_status, doc: "-x" }
            abs { formats: unary, choices: (), call: arith::abs_status, doc: "|x|" }
            canonicalize { formats: unary, choices: (), call: arith::canonicalize_status,
                doc: "x, NaN made canonical" }
            next_up { formats: unary, choices: (), call: arith::next_up_status, doc: "least value above x" }
            next_down { formats: unary, choices: (), call: arith::next_down_status,
                doc: "greatest value below x" }
            nextafter { formats: narrow_binary, choices: (), call: arith::nextafter_status,
                doc: "value next to x in the direction of y" }
            floor_divide { formats: narrow_binary, choices: (mode), call: arith::floor_divide_status,
                doc: "floor of x / y" }
            floor_remainder { formats: narrow_binary, choices: (mode),
                call: arith::floor_remainder_status, doc: "x - floor(x / y) * y" }
            logb { formats: unary, choices: (), call: arith::logb_status, doc: "exponent of x as a float" }
            ilogb { formats: to_i32, choices: (), call: arith::ilogb_status,
                doc: "exponent of x as an integer" }
            floor_log2 { formats: to_i32, choices: (), call: arith::floor_log2_status, doc: "floor(log2 x)" }
            ceil_log2 { formats: to_i32, choices: (), call: arith::ceil_log2_status, doc: "ceil(log2 x)" }
            frexp { formats: to_pair_i32, choices: (), call: arith::frexp_status,
                doc: "fraction and exponent of x" }
            modf { formats: to_pair, choices: (), call: arith::modf_status,
                doc: "fractional and integral part of x" }
            // arith: comparisons
            compare_quiet_equal { formats: relation, choices: (),
                call: arith::compare_quiet_equal_status, doc: "x = y" }
            compare_quiet_not_equal { formats: relation, choices: (),
                call: arith::compare_quiet_not_equal_status, doc: "not x = y" }
            compare_quiet_greater { formats: relation, choices: (),
                call: arith::compare_quiet_greater_status, doc: "x > y" }
            compare_quiet_greater_equal { formats: relation, choices: (),
                call: arith::compare_quiet_greater_equal_status, doc: "x >= y" }
            compare_quiet_less { formats: relation, choices: (),
                call: arith::compare_quiet_less_status, doc: "x < y" }
            compare_quiet_less_equal { formats: relation, choices: (),
                call: arith::compare_quiet_less_equal_status, doc: "x <= y" }
            compare_quiet_unordered { formats: relation, choices: (),
                call: arith::compare_quiet_unordered_status, doc: "x or y is NaN" }
            compare_quiet_not_greater { formats: relation, choices: (),
                call: arith::compare_quiet_not_greater_status, doc: "not x > y" }
            compare_quiet_less_unordered { formats: relation, choices: (),
                call: arith::compare_quiet_less_unordered_status, doc: "x < y, or NaN" }
            compare_quiet_not_less { formats: relation, choices: (),
                call: arith::compare_quiet_not_less_status, doc: "not x < y" }
            compare_quiet_greater_unordered { formats: relation, choices: (),
                call: arith::compare_quiet_greater_unordered_status, doc: "x > y, or NaN" }
            compare_quiet_ordered { formats: relation, choices: (),
                call: arith::compare_quiet_ordered_status, doc: "neither is NaN" }
            compare_signaling_equal { formats: relation, choices: (),
                call: arith::compare_signaling_equal_status, doc: "x = y; NaN is invalid" }
            compare_signaling_not_equal { formats: relation, choices: (),
                call: arith::compare_signaling_not_equal_status, doc: "not x = y; NaN is invalid" }
            compare_signaling_greater { formats: relation, choices: (),
                call: arith::compare_signaling_greater_status, doc: "x > y; NaN is invalid" }
            compare_signaling_greater_equal { formats: relation, choices: (),
                call: arith::compare_signaling_greater_equal_status, doc: "x >= y; NaN is invalid" }
            compare_signaling_less { formats: relation, choices: (),
                call: arith::compare_signaling_less_status, doc: "x < y; NaN is invalid" }
            compare_signaling_less_equal { formats: relation, choices: (),
                call: arith::compare_signaling_less_equal_status, doc: "x <= y; NaN is invalid" }
            compare_signaling_not_greater { formats: relation, choices: (),
                call: arith::compare_signaling_not_greater_status,
                doc: "not x > y; NaN is invalid" }
            compare_signaling_less_unordered { formats: relation, choices: (),
                call: arith::compare_signaling_less_unordered_status,
                doc: "x < y, or NaN; NaN is invalid" }
            compare_signaling_not_less { formats: relation, choices: (),
                call: arith::compare_signaling_not_less_status, doc: "not x < y; NaN is invalid" }
            compare_signaling_greater_unordered { formats: relation, choices: (),
                call: arith::compare_signaling_greater_unordered_status,
                doc: "x > y, or NaN; NaN is invalid" }
            total_order { formats: relation, choices: (), call: arith::total_order, flags: none,
                doc: "x at or before y in the total order" }
            total_order_magnitude { formats: relation, choices: (),
                call: arith::total_order_magnitude, flags: none,
                doc: "total order of the magnitudes" }
            // arith: classes
            classify { formats: to_class, choices: (), call: arith::classify, flags: none, doc: "class of x" }
            is_sign_minus { formats: predicate, choices: (), call: arith::is_sign_minus,
                flags: none, doc: "the sign bit is set" }
            is_normal { formats: predicate, choices: (), call: arith::is_normal, flags: none,
                doc: "x is normal" }
            is_finite { formats: predicate, choices: (), call: arith::is_finite, flags: none,
                doc: "x is finite" }
            is_zero { formats: predicate, choices: (), call: arith::is_zero, flags: none,
                doc: "x is +0 or -0" }
            is_subnormal { formats: predicate, choices: (), call: arith::is_subnormal, flags: none,
                doc: "x is subnormal" }
            is_infinite { formats: predicate, choices: (), call: arith::is_infinite, flags: none,
                doc: "x is infinite" }
            is_nan { formats: predicate, choices: (), call: arith::is_nan, flags: none, doc: "x is NaN" }
            is_signaling { formats: predicate, choices: (), call: arith::is_signaling, flags: none,
                doc: "x is a signalling NaN" }
            is_canonical { formats: predicate, choices: (), call: arith::is_canonical, flags: none,
                doc: "the code is canonical" }
            // math: exponentials
            exp { formats: unary, choices: (mode), call: math::exp_status, doc: "e^x" }
            exp_to { formats: narrowed, choices: (mode), call: math::exp_to_status,
                doc: "e^x, in a format with fewer bits" }
            exp2 { formats: unary, choices: (mode), call: math::exp2_status, doc: "2^x" }
            exp2_to { formats: narrowed, choices: (mode), call: math::exp2_to_status,
                doc: "2^x, in a format with fewer bits" }
            exp10 { formats: narrow_unary, choices: (mode), call: math::exp10_status, doc: "10^x" }
            expm1 { formats: unary, choices: (mode), call: math::expm1_status, doc: "e^x - 1" }
            exp2m1 { formats: narrow_unary, choices: (mode), call: math::exp2m1_status, doc: "2^x - 1" }
            exp10m1 { formats: narrow_unary, choices: (mode), call: math::exp10m1_status, doc: "10^x - 1" }
            sinh { formats: narrow_unary, choices: (mode), call: math::sinh_status,
                doc: "hyperbolic sine of x" }
            cosh { formats: narrow_unary, choices: (mode), call: math::cosh_status,
                doc: "hyperbolic cosine of x" }
            tanh { formats: unary, choices: (mode), call: math::tanh_status,
                doc: "hyperbolic tangent of x" }
            tanh_to { formats: narrowed, choices: (mode), call: math::tanh_to_status,
                doc: "hyperbolic tangent of x, in a format with fewer bits" }
            // scale
            e8m0_encode { formats: to_scale, choices: (policy), call: scale::encode_status,
                doc: "E8M0 scale of x under a policy" }
            e8m0_decode { formats: from_scale, choices: (mode), call: scale::decode_status,
                stochastic: scale::decode_stochastic_status, doc: "value of an E8M0 scale" }
            e8m0_reciprocal { formats: scale, choices: (), call: scale::E8M0::reciprocal,
                flags: none, doc: "reciprocal of an E8M0 scale" }
            mxint8_encode { formats: to_mxint8, choices: (mode), call: scale::mxint8_encode_status,
                stochastic: scale::mxint8_encode_stochastic_status,
                doc: "x as an MXINT8 element, -2 to 127/64" }
            mxint8_encode_symmetric { formats: to_mxint8, choices: (mode),
                call: scale::mxint8_encode_symmetric_status,
                stochastic: scale::mxint8_encode_symmetric_stochastic_status,
                doc: "x as an MXINT8 element, -127/64 to 127/64" }
            mxint8_decode { formats: from_mxint8, choices: (mode),
                call: scale::mxint8_decode_status,
                stochastic: scale::mxint8_decode_stochastic_status,
                doc: "value of an MXINT8 element" }
            // math
            cbrt { formats: narrow_unary, choices: (mode), call: math::cbrt_status, doc: "cube root of x" }
            erf { formats: unary, choices: (mode), call: math::erf_status, doc: "error function of x" }
            erfc { formats: narrow_unary, choices: (mode), call: math::erfc_status, doc: "1 - erf(x)" }
            erfinv { formats: narrow_unary, choices: (mode), call: math::erfinv_status,
                doc: "inverse of the error function at x" }
            hypot { formats: narrow_binary, choices: (mode), call: math::hypot_status,
                doc: "sqrt(x^2 + y^2)" }
            lgamma { formats: narrow_unary, choices: (mode), call: math::lgamma_status, doc: "ln |gamma(x)|" }
            reciprocal { formats: unary, choices: (mode), call: math::reciprocal_status, doc: "1 / x" }
            rsqrt { formats: unary, choices: (mode), call: math::rsqrt_status, doc: "1 / sqrt(x)" }
            tgamma { formats: narrow_unary, choices: (mode), call: math::tgamma_status,
                doc: "gamma function of x" }
            // activation
            gelu { formats: unary, choices: (mode), call: activation::gelu_status,
                doc: "x * (1 + erf(x / sqrt 2)) / 2" }
            gelu_to { formats: narrowed, choices: (mode), call: activation::gelu_to_status,
                doc: "x * (1 + erf(x / sqrt 2)) / 2, in a format with fewer bits" }
            relu { formats: unary, choices: (), call: activation::relu_status,
                doc: "x where x > 0, else 0" }
            relu_backward { formats: narrow_binary, choices: (nan),
                call: activation::relu_backward_status, doc: "gradient of relu" }
            softsign { formats: narrow_unary, choices: (mode), call: activation::softsign_status,
                doc: "x / (1 + |x|)" }
            softsign_backward { formats: narrow_binary, choices: (mode),
                call: activation::softsign_backward_status, doc: "gradient of softsign" }
            hardtanh { formats: unary, parameters: Bounds(min, max), choices: (mode),
                call: activation::hardtanh_status, doc: "x between two bounds" }
            hardtanh_backward { formats: binary, parameters: Bounds(min, max), choices: (nan),
                call: activation::hardtanh_backward_status, doc: "gradient of hardtanh" }
            relu6 { formats: unary, choices: (), call: activation::relu6_status, doc: "x between 0 and 6" }
            relu6_backward { formats: binary, choices: (nan),
                call: activation::relu6_backward_status, doc: "gradient of relu6" }
            hardsigmoid { formats: narrow_unary, choices: (mode),
                call: activation::hardsigmoid_status, doc: "(x + 3) / 6 between 0 and 1" }
            hardsigmoid_backward { formats: narrow_binary, choices: (nan, mode),
                call: activation::hardsigmoid_backward_status, doc: "gradient of hardsigmoid" }
            hardswish { formats: narrow_unary, choices: (mode), call: activation::hardswish_status,
                doc: "x * hardsigmoid(x)" }
            hardswish_backward { formats: narrow_binary, choices: (nan, mode),
                call: activation::hardswish_backward_status, doc: "gradient of hardswish" }
            // math: circular functions
            sin { formats: unary, choices: (mode), call: math::sin_status, doc: "sine of x radians" }
            cos { formats: unary, choices: (mode), call: math::cos_status, doc: "cosine of x radians" }
            tan { formats: narrow_unary, choices: (mode), call: math::tan_status,
                doc: "tangent of x radians" }
            sincos { formats: narrow_pair, choices: (mode), call: math::sincos_status,
                doc: "sine and cosine of x radians" }
            sinpi { formats: narrow_unary, choices: (mode), call: math::sinpi_status, doc: "sin(pi x)" }
            cospi { formats: narrow_unary, choices: (mode), call: math::cospi_status, doc: "cos(pi x)" }
            tanpi { formats: narrow_unary, choices: (mode), call: math::tanpi_status, doc: "tan(pi x)" }
            asin { formats: narrow_unary, choices: (mode), call: math::asin_status,
                doc: "arc sine of x in radians" }
            acos { formats: narrow_unary, choices: (mode), call: math::acos_status,
                doc: "arc cosine of x in radians" }
            atan { formats: narrow_unary, choices: (mode), call: math::atan_status,
                doc: "arc tangent of x in radians" }
            asinpi { formats: narrow_unary, choices: (mode), call: math::asinpi_status, doc: "asin(x) / pi" }
            acospi { formats: narrow_unary, choices: (mode), call: math::acospi_status, doc: "acos(x) / pi" }
            atanpi { formats: narrow_unary, choices: (mode), call: math::atanpi_status, doc: "atan(x) / pi" }
            atan2 { formats: narrow_binary, choices: (mode), call: math::atan2_status,
                doc: "angle of the point (y, x) in radians" }
            atan2pi { formats: narrow_binary, choices: (mode), call: math::atan2pi_status,
                doc: "atan2(x, y) / pi" }
            sigmoid { formats: unary, choices: (mode), call: activation::sigmoid_status,
                doc: "1 / (1 + e^-x)" }
            sigmoid_to { formats: narrowed, choices: (mode), call: activation::sigmoid_to_status,
                doc: "1 / (1 + e^-x), in a format with fewer bits" }
            sigmoid_derivative { formats: single, choices: (mode),
                call: activation::sigmoid_derivative_status, doc: "derivative of sigmoid" }
            sigmoid_backward { formats: narrow_binary, choices: (mode),
                call: activation::sigmoid_backward_status, doc: "gradient of sigmoid" }
            silu { formats: unary, choices: (mode), call: activation::silu_status,
                doc: "x * sigmoid(x)" }
            silu_to { formats: narrowed, choices: (mode), call: activation::silu_to_status,
                doc: "x * sigmoid(x), in a format with fewer bits" }
            silu_derivative { formats: single, choices: (mode),
                call: activation::silu_derivative_status, doc: "derivative of silu" }
            silu_backward { formats: narrow_binary, choices: (mode),
                call: activation::silu_backward_status, doc: "gradient of silu" }
            logsigmoid { formats: narrow_unary, choices: (mode),
                call: activation::logsigmoid_status, doc: "ln(sigmoid(x))" }
            mish { formats: narrow_unary, choices: (mode), call: activation::mish_status,
                doc: "x * tanh(ln(1 + e^x))" }
            selu { formats: narrow_unary, choices: (mode), call: activation::selu_status,
                doc: "scale * (x if x > 0, else alpha * (e^x - 1))" }
            tanhshrink { formats: narrow_unary, choices: (mode),
                call: activation::tanhshrink_status, doc: "x - tanh(x)" }
            gelu_tanh { formats: unary, choices: (mode), call: activation::gelu_tanh_status,
                doc: "x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))" }
            gelu_derivative { formats: single, choices: (mode),
                call: activation::gelu_derivative_status, doc: "derivative of gelu" }
            gelu_backward { formats: narrow_binary, choices: (mode),
                call: activation::gelu_backward_status, doc: "gradient of gelu" }
            gelu_tanh_derivative { formats: single, choices: (mode),
                call: activation::gelu_tanh_derivative_status, doc: "derivative of gelu_tanh" }
            gelu_tanh_backward { formats: narrow_binary, choices: (mode),
                call: activation::gelu_tanh_backward_status, doc: "gradient of gelu_tanh" }
            logsigmoid_backward { formats: narrow_binary, choices: (mode),
                call: activation::logsigmoid_backward_status, doc: "gradient of logsigmoid" }
            mish_backward { formats: narrow_binary, choices: (mode),
                call: activation::mish_backward_status, doc: "gradient of mish" }
            selu_backward { formats: narrow_binary, choices: (mode),
                call: activation::selu_backward_status, doc: "gradient of selu" }
            tanh_derivative { formats: single, choices: (mode),
                call: activation::tanh_derivative_status, doc: "derivative of tanh" }
            tanh_backward { formats: narrow_binary, choices: (mode),
                call: activation::tanh_backward_status, doc: "gradient of tanh" }
            tanhshrink_backward { formats: narrow_binary, choices: (mode),
                call: activation::tanhshrink_backward_status, doc: "gradient of tanhshrink" }
            // activation: with parameters
            elu { formats: narrow_unary, parameters: Number(alpha), choices: (mode),
                call: activation::elu_status, doc: "x if x > 0, else alpha * (e^x - 1)" }
            elu_backward { formats: narrow_binary, parameters: Number(alpha), choices: (mode),
                call: activation::elu_backward_status, doc: "gradient of elu" }
            celu { formats: narrow_unary, parameters: Number(alpha), choices: (mode),
                call: activation::celu_status, doc: "x if x > 0, else alpha * (e^(x / alpha) - 1)" }
            celu_backward { formats: narrow_binary, parameters: Number(alpha), choices: (mode),
                call: activation::celu_backward_status, doc: "gradient of celu" }
            softplus { formats: unary, parameters: Numbers(beta, threshold), choices: (mode),
                call: activation::softplus_status,
                doc: "ln(1 + e^(beta x)) / beta, x if beta x > threshold" }
            softplus_backward { formats: narrow_binary, parameters: Numbers(beta, threshold),
                choices: (mode), call: activation::softplus_backward_status,
                doc: "gradient of softplus" }
            leaky_relu { formats: narrow_unary, parameters: Number(negative_slope), choices: (mode),
                call: activation::leaky_relu_status, doc: "x if x >= 0, else negative_slope * x" }
            leaky_relu_backward { formats: narrow_binary, parameters: Number(negative_slope),
                choices: (nan, mode), call: activation::leaky_relu_backward_status,
                doc: "gradient of leaky_relu" }
            hardshrink { formats: narrow_unary, parameters: Lambda(lambd), choices: (),
                call: activation::hardshrink_status, doc: "x outside of lambd around 0, else 0" }
            hardshrink_backward { formats: narrow_binary, parameters: Lambda(lambd), choices: (nan),
                call: activation::hardshrink_backward_status, doc: "gradient of hardshrink" }
            softshrink { formats: narrow_unary, parameters: Lambda(lambd), choices: (mode),
                call: activation::softshrink_status, doc: "x moved towards 0 by lambd" }
            softshrink_backward { formats: narrow_binary, parameters: Lambda(lambd), choices: (nan),
                call: activation::softshrink_backward_status, doc: "gradient of softshrink" }
            threshold { formats: narrow_unary, parameters: Threshold(threshold, value),
                choices: (mode), call: activation::threshold_status,
                doc: "x if x > threshold, else value" }
            threshold_backward { formats: narrow_binary, parameters: Threshold(threshold, value),
                choices: (nan), call: activation::threshold_backward_status,
                doc: "gradient of threshold" }
            // math: logarithms and inverse hyperbolic functions
            log { formats: unary, choices: (mode), call: math::log_status,
                doc: "natural logarithm of x" }
            log2 { formats: unary, choices: (mode), call: math::log2_status,
                doc: "logarithm of x to base 2" }
            log10 { formats: narrow_unary, choices: (mode), call: math::log10_status,
                doc: "logarithm of x to base 10" }
            log1p { formats: unary, choices: (mode), call: math::log1p_status,
                doc: "natural logarithm of 1 + x" }
            log2p1 { formats: narrow_unary, choices: (mode), call: math::log2p1_status,
                doc: "logarithm of 1 + x to base 2" }
            log10p1 { formats: narrow_unary, choices: (mode), call: math::log10p1_status,
                doc: "logarithm of 1 + x to base 10" }
            logit { formats: narrow_unary, choices: (mode), call: math::logit_status,
                doc: "ln(x / (1 - x))" }
            xlogy { formats: narrow_binary, choices: (mode), call: math::xlogy_status,
                doc: "x ln(y), 0 where x is 0" }
            xlog1py { formats: narrow_binary, choices: (mode), call: math::xlog1py_status,
                doc: "x ln(1 + y), 0 where x is 0" }
            logaddexp { formats: narrow_binary, choices: (mode), call: math::logaddexp_status,
                doc: "ln(e^x + e^y)" }
            logaddexp2 { formats: narrow_binary, choices: (mode), call: math::logaddexp2_status,
                doc: "log2(2^x + 2^y)" }
            asinh { formats: narrow_unary, choices: (mode), call: math::asinh_status,
                doc: "inverse hyperbolic sine of x" }
            acosh { formats: narrow_unary, choices: (mode), call: math::acosh_status,
                doc: "inverse hyperbolic cosine of x" }
            atanh { formats: narrow_unary, choices: (mode), call: math::atanh_status,
                doc: "inverse hyperbolic tangent of x" }
            // math: powers
            pow { formats: narrow_binary, choices: (mode), call: math::pow_status, doc: "x^y" }
            pown { formats: narrow_with_integer, choices: (mode), call: math::pown_status, doc: "x^n" }
            rootn { formats: narrow_with_integer, choices: (mode), call: math::rootn_status,
                doc: "n-th root of x" }
            compound { formats: narrow_with_integer, choices: (mode), call: math::compound_status,
                doc: "(1 + x)^n" }
            // P3109: formats and projection are arguments
            p3109_convert { formats: codes_1, choices: (p3109), call: p3109::codes::convert,
                flags: none, doc: "x in another format" }
            p3109_abs { formats: codes_1, choices: (p3109), call: p3109::codes::abs,
                flags: none, doc: "|x|" }
            p3109_negate { formats: codes_1, choices: (p3109), call: p3109::codes::negate,
                flags: none, doc: "-x" }
            p3109_add { formats: codes_2, choices: (p3109), call: p3109::codes::add,
                flags: none, doc: "a + b" }
            p3109_subtract { formats: codes_2, choices: (p3109), call: p3109::codes::subtract,
                flags: none, doc: "a - b" }
            p3109_multiply { formats: codes_2, choices: (p3109), call: p3109::codes::multiply,
                flags: none, doc: "a * b" }
            p3109_divide { formats: codes_2, choices: (p3109), call: p3109::codes::divide,
                flags: none, doc: "a / b, NaN where b is zero" }
            p3109_fma { formats: codes_3, choices: (p3109), call: p3109::codes::fma,
                flags: none, doc: "a * b + c, rounded once" }
            p3109_sqrt { formats: codes_1, choices: (p3109), call: p3109::codes::sqrt,
                flags: none, doc: "square root of x" }
            p3109_recip { formats: codes_1, choices: (p3109), call: p3109::codes::recip,
                flags: none, doc: "1 / x, NaN where x is zero" }
            p3109_faa { formats: codes_3, choices: (p3109), call: p3109::codes::faa,
                flags: none, doc: "a + b + c, rounded once" }
            p3109_copy_sign { formats: codes_2, choices: (p3109), call: p3109::codes::copy_sign,
                flags: none, doc: "|a| with the sign of b, which is plus for zero" }
            p3109_minimum { formats: codes_2, choices: (p3109), call: p3109::codes::minimum,
                flags: none, doc: "the smaller of a and b" }
            p3109_maximum { formats: codes_2, choices: (p3109), call: p3109::codes::maximum,
                flags: none, doc: "the greater of a and b" }
            p3109_minimum_number { formats: codes_2, choices: (p3109), call: p3109::codes::minimum_number,
                flags: none, doc: "the smaller of a and b, a number rather than NaN" }
            p3109_maximum_number { formats: codes_2, choices: (p3109), call: p3109::codes::maximum_number,
                flags: none, doc: "the greater of a and b, a number rather than NaN" }
            p3109_minimum_magnitude { formats: codes_2, choices: (p3109), call: p3109::codes::minimum_magnitude,
                flags: none, doc: "the one with the smaller magnitude" }
            p3109_maximum_magnitude { formats: codes_2, choices: (p3109), call: p3109::codes::maximum_magnitude,
                flags: none, doc: "the one with the greater magnitude" }
            p3109_minimum_magnitude_number { formats: codes_2, choices: (p3109), call: p3109::codes::minimum_magnitude_number,
                flags: none, doc: "the one with the smaller magnitude, a number rather than NaN" }
            p3109_maximum_magnitude_number { formats: codes_2, choices: (p3109), call: p3109::codes::maximum_magnitude_number,
                flags: none, doc: "the one with the greater magnitude, a number rather than NaN" }
            p3109_minimum_finite { formats: codes_2, choices: (p3109), call: p3109::codes::minimum_finite,
                flags: none, doc: "the smaller of a and b, a finite one rather than an infinity or NaN" }
            p3109_maximum_finite { formats: codes_2, choices: (p3109), call: p3109::codes::maximum_finite,
                flags: none, doc: "the greater of a and b, a finite one rather than an infinity or NaN" }
            p3109_clamp { formats: codes_3, choices: (p3109), call: p3109::codes::clamp,
                flags: none, doc: "a, at least b and at most c, NaN where b > c" }
            // P3109: functions of formats with K up to 8
            p3109_rsqrt { formats: codes_1, choices: (p3109_function), call: p3109::codes::rsqrt,
                flags: none, doc: "1 / sqrt(x), NaN of 0 and below" }
            p3109_exp { formats: codes_1, choices: (p3109_function), call: p3109::codes::exp,
                flags: none, doc: "e^x" }
            p3109_exp2 { formats: codes_1, choices: (p3109_function), call: p3109::codes::exp2,
                flags: none, doc: "2^x" }
            p3109_log { formats: codes_1, choices: (p3109_function), call: p3109::codes::log,
                flags: none, doc: "natural logarithm of x, -Inf of 0" }
            p3109_log2 { formats: codes_1, choices: (p3109_function), call: p3109::codes::log2,
                flags: none, doc: "base-2 logarithm of x, -Inf of 0" }
            p3109_log_one_plus { formats: codes_1, choices: (p3109_function), call: p3109::codes::log_one_plus,
                flags: none, doc: "ln(1 + x), -Inf of -1" }
            p3109_exp_minus_one { formats: codes_1, choices: (p3109_function), call: p3109::codes::exp_minus_one,
                flags: none, doc: "e^x - 1" }
            p3109_sin { formats: codes_1, choices: (p3109_function), call: p3109::codes::sin,
                flags: none, doc: "sine of x radians" }
            p3109_cos { formats: codes_1, choices: (p3109_function), call: p3109::codes::cos,
                flags: none, doc: "cosine of x radians" }
            p3109_tan { formats: codes_1, choices: (p3109_function), call: p3109::codes::tan,
                flags: none, doc: "tangent of x radians" }
            p3109_arc_sin { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_sin,
                flags: none, doc: "arc sine of x" }
            p3109_arc_cos { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_cos,
                flags: none, doc: "arc cosine of x" }
            p3109_arc_tan { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_tan,
                flags: none, doc: "arc tangent of x" }
            p3109_sinh { formats: codes_1, choices: (p3109_function), call: p3109::codes::sinh,
                flags: none, doc: "hyperbolic sine of x" }
            p3109_cosh { formats: codes_1, choices: (p3109_function), call: p3109::codes::cosh,
                flags: none, doc: "hyperbolic cosine of x" }
            p3109_tanh { formats: codes_1, choices: (p3109_function), call: p3109::codes::tanh,
                flags: none, doc: "hyperbolic tangent of x" }
            p3109_arc_sinh { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_sinh,
                flags: none, doc: "area hyperbolic sine of x" }
            p3109_arc_cosh { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_cosh,
                flags: none, doc: "area hyperbolic cosine of x" }
            p3109_arc_tanh { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_tanh,
                flags: none, doc: "area hyperbolic tangent of x" }
            p3109_sin_pi { formats: codes_1, choices: (p3109_function), call: p3109::codes::sin_pi,
                flags: none, doc: "sin(pi x)" }
            p3109_cos_pi { formats: codes_1, choices: (p3109_function), call: p3109::codes::cos_pi,
                flags: none, doc: "cos(pi x)" }
            p3109_tan_pi { formats: codes_1, choices: (p3109_function), call: p3109::codes::tan_pi,
                flags: none, doc: "tan(pi x), at its poles NaN (2026-07: an infinity)" }
            p3109_arc_sin_pi { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_sin_pi,
                flags: none, doc: "asin(x) / pi" }
            p3109_arc_cos_pi { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_cos_pi,
                flags: none, doc: "acos(x) / pi" }
            p3109_arc_tan_pi { formats: codes_1, choices: (p3109_function), call: p3109::codes::arc_tan_pi,
                flags: none, doc: "atan(x) / pi" }
            p3109_softplus { formats: codes_1, choices: (p3109_function), call: p3109::codes::softplus,
                flags: none, doc: "ln(1 + e^x)" }
            p3109_hypot { formats: codes_2, choices: (p3109_function), call: p3109::codes::hypot,
                flags: none, doc: "sqrt(a^2 + b^2), NaN if an operand is NaN, even beside an infinity" }
            p3109_arc_tan2 { formats: codes_2, choices: (p3109_function), call: p3109::codes::arc_tan2,
                flags: none, doc: "angle of the point with ordinate a and abscissa b: NaN of two zeros or two infinities, pi where b is -Inf (2026-07: -pi if a < 0)" }
            p3109_arc_tan2_pi { formats: codes_2, choices: (p3109_function), call: p3109::codes::arc_tan2_pi,
                flags: none, doc: "angle of the point with ordinate a and abscissa b, over pi: NaN of two zeros or two infinities, 1 where b is -Inf (2026-07: -1 if a < 0)" }
            // P3109: the operands' formats are an argument
            p3109_compare_less { formats: codes_to_bool_2, choices: (p3109_formats), call: p3109::codes::compare_less,
                flags: none, doc: "a < b" }
            p3109_compare_less_equal { formats: codes_to_bool_2, choices: (p3109_formats), call: p3109::codes::compare_less_equal,
                flags: none, doc: "a <= b" }
            p3109_compare_equal { formats: codes_to_bool_2, choices: (p3109_formats), call: p3109::codes::compare_equal,
                flags: none, doc: "a = b" }
            p3109_compare_greater { formats: codes_to_bool_2, choices: (p3109_formats), call: p3109::codes::compare_greater,
                flags: none, doc: "a > b" }
            p3109_compare_greater_equal { formats: codes_to_bool_2, choices: (p3109_formats), call: p3109::codes::compare_greater_equal,
                flags: none, doc: "a >= b" }
            p3109_total_order { formats: codes_to_bool_2, choices: (p3109_formats), call: p3109::codes::total_order,
                flags: none, doc: "a <= b, NaN below everything and equal to itself" }
            p3109_is_zero { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_zero,
                flags: none, doc: "x is 0" }
            p3109_is_one { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_one,
                flags: none, doc: "x is 1" }
            p3109_is_nan { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_nan,
                flags: none, doc: "x is NaN" }
            p3109_is_infinite { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_infinite,
                flags: none, doc: "x is an infinity" }
            p3109_is_finite { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_finite,
                flags: none, doc: "x is neither an infinity nor NaN" }
            p3109_is_sign_minus { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_sign_minus,
                flags: none, doc: "x is below 0" }
            p3109_is_normal { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_normal,
                flags: none, doc: "x is normal" }
            p3109_is_subnormal { formats: codes_to_bool_1, choices: (p3109_formats), call: p3109::codes::is_subnormal,
                flags: none, doc: "x is subnormal" }
            p3109_class { formats: codes_1, choices: (p3109_formats), call: p3109::codes::class,
                flags: none, doc: "class of x: 0 NaN, 1 to 7 from -Inf to Inf" }
            p3109_next_greater_than { formats: codes_1, choices: (p3109_formats), call: p3109::codes::next_greater_than,
                flags: none, doc: "the next value above x, NaN where there is none" }
            p3109_next_less_than { formats: codes_1, choices: (p3109_formats), call: p3109::codes::next_less_than,
                flags: none, doc: "the next value below x, NaN where there is none" }
        }
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
    (row $callback:ident $kernel:ident $suffix:tt $operands:tt $results:tt {$($fields:tt)*}) => {
        $callback! {
            kernel: $kernel, suffix: $suffix, operands: $operands, results: $results, $($fields)*
        }
    };

    // Homogeneous.
    (unary $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { narrow_unary $callback $kernel $rest }
        $crate::at_formats! { single $callback $kernel $rest }
    };
    (single $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest [f32] (f32) f32 }
    };
    (narrow_unary $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f16] (f16) f16
            [bf16] (bf16) bf16
        }
    };
    (narrowed $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest
            [f32 f16] (f32) f16
            [f32 bf16] (f32) bf16
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
    // In three formats, with additional fixed types.
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
    // P3109's codes.
    (codes_1 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest [] (u32) u32 }
    };
    (codes_2 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest [] (u32, u32) u32 }
    };
    (codes_3 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest [] (u32, u32, u32) u32 }
    };
    (codes_to_bool_1 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest [] (u32) bool }
    };
    (codes_to_bool_2 $callback:ident $kernel:ident $rest:tt) => {
        $crate::at_formats! { each $callback $kernel $rest [] (u32, u32) bool }
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
    // The homogeneous ones have separate rows.
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

/// One kernel, generic over the formats in its set of formats.
#[doc(hidden)]
#[macro_export]
macro_rules! signatures {
    (unary $($rest:tt)*) => { $crate::signatures! { @ [F: Arithmetic] (x: F) F, $($rest)* } };
    (single $($rest:tt)*) => { $crate::signatures! { unary $($rest)* } };
    (narrow_unary $($rest:tt)*) => { $crate::signatures! { @ [F: Narrow] (x: F) F, $($rest)* } };
    (narrow_pair $($rest:tt)*) => { $crate::signatures! { @ [F: Narrow] (x: F) (F, F), $($rest)* } };
    (binary $($rest:tt)*) => { $crate::signatures! { @ [F: Arithmetic] (x: F, y: F) F, $($rest)* } };
    (narrow_binary $($rest:tt)*) => {
        $crate::signatures! { @ [F: Narrow] (x: F, y: F) F, $($rest)* }
    };
    (with_integer $($rest:tt)*) => {
        $crate::signatures! { @ [F: Arithmetic] (x: F, n: i32) F, $($rest)* }
    };
    (narrow_with_integer $($rest:tt)*) => {
        $crate::signatures! { @ [F: Narrow] (x: F, n: i32) F, $($rest)* }
    };
    (to_i32 $($rest:tt)*) => { $crate::signatures! { @ [F: Arithmetic] (x: F) i32, $($rest)* } };
    (predicate $($rest:tt)*) => { $crate::signatures! { @ [F: Arithmetic] (x: F) bool, $($rest)* } };
    (to_class $($rest:tt)*) => { $crate::signatures! { @ [F: Arithmetic] (x: F) Class, $($rest)* } };
    (relation $($rest:tt)*) => {
        $crate::signatures! { @ [F: Arithmetic] (x: F, y: F) bool, $($rest)* }
    };
    (to_pair_i32 $($rest:tt)*) => {
        $crate::signatures! { @ [F: Arithmetic] (x: F) (F, i32), $($rest)* }
    };
    (to_pair $($rest:tt)*) => { $crate::signatures! { @ [F: Arithmetic] (x: F) (F, F), $($rest)* } };
    (binary_and_integer $($rest:tt)*) => {
        $crate::signatures! { @ [F: Arithmetic] (x: F, y: F) (F, i32), $($rest)* }
    };
    (to_scale $($rest:tt)*) => { $crate::signatures! { @ [F: Format] (x: F) E8M0, $($rest)* } };
    (from_scale $($rest:tt)*) => { $crate::signatures! { @ [F: Format] (x: E8M0) F, $($rest)* } };
    (scale $($rest:tt)*) => { $crate::signatures! { @ [] (x: E8M0) E8M0, $($rest)* } };
    (codes_1 $($rest:tt)*) => { $crate::signatures! { @ [] (x: u32) u32, $($rest)* } };
    (codes_2 $($rest:tt)*) => { $crate::signatures! { @ [] (x: u32, y: u32) u32, $($rest)* } };
    (codes_to_bool_1 $($rest:tt)*) => { $crate::signatures! { @ [] (x: u32) bool, $($rest)* } };
    (codes_to_bool_2 $($rest:tt)*) => {
        $crate::signatures! { @ [] (x: u32, y: u32) bool, $($rest)* }
    };
    (codes_3 $($rest:tt)*) => {
        $crate::signatures! { @ [] (x: u32, y: u32, z: u32) u32, $($rest)* }
    };
    (between_formats $($rest:tt)*) => {
        $crate::signatures! { @ [F: Format, R: Format] (x: F) R, $($rest)* }
    };
    (to_mxint8 $($rest:tt)*) => { $crate::signatures! { @ [F: Format] (x: F) MxInt8, $($rest)* } };
    (from_mxint8 $($rest:tt)*) => { $crate::signatures! { @ [F: Format] (x: MxInt8) F, $($rest)* } };
    (to_integers $($rest:tt)*) => {
        $crate::signatures! { @ [F: Format, I: Integer] (x: F) I, $($rest)* }
    };
    (from_integers $($rest:tt)*) => {
        $crate::signatures! { @ [I: Integer, F: Format] (n: I) F, $($rest)* }
    };
    (narrowed $($rest:tt)*) => {
        $crate::signatures! { @ [A: Arithmetic, R: Arithmetic] (a: A) R, $($rest)* }
    };
    (format_of_1 $($rest:tt)*) => {
        $crate::signatures! { @ [A: Arithmetic, R: Arithmetic] (a: A) R, $($rest)* }
    };
    (format_of_2 $($rest:tt)*) => {
        $crate::signatures! {
            @ [A: Arithmetic, B: Arithmetic, R: Arithmetic] (a: A, b: B) R, $($rest)*
        }
    };
    (format_of_3 $($rest:tt)*) => {
        $crate::signatures! {
            @ [A: Arithmetic, B: Arithmetic, C: Arithmetic, R: Arithmetic] (a: A, b: B, c: C) R,
            $($rest)*
        }
    };
    (
        @ $generics:tt $operands:tt $results:tt,
        $callback:ident $kernel:ident {$($fields:tt)*}
    ) => {
        $callback! {
            kernel: $kernel, generics: $generics, operands: $operands, results: $results, $($fields)*
        }
    };
}

/// The type of a row's results.
#[doc(hidden)]
#[macro_export]
macro_rules! results {
    (($first:ident, $second:ident)) => {
        (
            $crate::catalog::types::$first,
            $crate::catalog::types::$second,
        )
    };
    ($result:ident) => {
        $crate::catalog::types::$result
    };
}
