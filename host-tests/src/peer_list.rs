//! What a user would pick instead, by function: `std` (with `half`'s conversions), `libm`,
//! `micromath`, `pxfm`. For `sweep peers` and, by path, for the benches.

/// Calls `$callback!` with all of them.
macro_rules! for_each_peer {
    ($callback:ident) => {
        $callback! {
            exp { std f32::exp; libm libm::expf; micromath F32Ext::exp; pxfm pxfm::f_expf; }
            exp2 { std f32::exp2; libm libm::exp2f; pxfm pxfm::f_exp2f; }
            exp10 { libm libm::exp10f; pxfm pxfm::f_exp10f; }
            expm1 { std f32::exp_m1; libm libm::expm1f; pxfm pxfm::f_expm1f; }
            exp2m1 { pxfm pxfm::f_exp2m1f; }
            exp10m1 { pxfm pxfm::f_exp10m1f; }
            log { std f32::ln; libm libm::logf; micromath F32Ext::ln; pxfm pxfm::f_logf; }
            log2 { std f32::log2; libm libm::log2f; micromath F32Ext::log2; pxfm pxfm::f_log2f; }
            log10 { std f32::log10; libm libm::log10f; micromath F32Ext::log10; pxfm pxfm::f_log10f; }
            log1p { std f32::ln_1p; libm libm::log1pf; pxfm pxfm::f_log1pf; }
            log2p1 { pxfm pxfm::f_log2p1f; }
            log10p1 { pxfm pxfm::f_log10p1f; }
            sin { std f32::sin; libm libm::sinf; micromath F32Ext::sin; pxfm pxfm::f_sinf; }
            cos { std f32::cos; libm libm::cosf; micromath F32Ext::cos; pxfm pxfm::f_cosf; }
            tan { std f32::tan; libm libm::tanf; micromath F32Ext::tan; pxfm pxfm::f_tanf; }
            sinpi { pxfm pxfm::f_sinpif; }
            cospi { pxfm pxfm::f_cospif; }
            tanpi { pxfm pxfm::f_tanpif; }
            asin { std f32::asin; libm libm::asinf; micromath F32Ext::asin; pxfm pxfm::f_asinf; }
            acos { std f32::acos; libm libm::acosf; micromath F32Ext::acos; pxfm pxfm::f_acosf; }
            atan { std f32::atan; libm libm::atanf; micromath F32Ext::atan; pxfm pxfm::f_atanf; }
            asinpi { pxfm pxfm::f_asinpif; }
            acospi { pxfm pxfm::f_acospif; }
            atanpi { pxfm pxfm::f_atanpif; }
            sinh { std f32::sinh; libm libm::sinhf; pxfm pxfm::f_sinhf; }
            cosh { std f32::cosh; libm libm::coshf; pxfm pxfm::f_coshf; }
            tanh { std f32::tanh; libm libm::tanhf; pxfm pxfm::f_tanhf; }
            asinh { std f32::asinh; libm libm::asinhf; pxfm pxfm::f_asinhf; }
            acosh { std f32::acosh; libm libm::acoshf; pxfm pxfm::f_acoshf; }
            atanh { std f32::atanh; libm libm::atanhf; pxfm pxfm::f_atanhf; }
            sqrt { std f32::sqrt; libm libm::sqrtf; micromath F32Ext::sqrt; }
            rsqrt {
                std |x| 1.0 / x.sqrt();
                libm |x| 1.0 / libm::sqrtf(x);
                micromath F32Ext::invsqrt;
                pxfm pxfm::f_rsqrtf;
            }
            cbrt { std f32::cbrt; libm libm::cbrtf; pxfm pxfm::f_cbrtf; }
            reciprocal { std f32::recip; micromath F32Ext::inv; }
            erf { libm libm::erff; pxfm pxfm::f_erff; }
            erfc { libm libm::erfcf; pxfm pxfm::f_erfcf; }
            tgamma { libm libm::tgammaf; pxfm pxfm::f_tgammaf; }
            lgamma { libm libm::lgammaf; pxfm pxfm::f_lgammaf; }
            sigmoid {
                std |x| 1.0 / (1.0 + (-x).exp());
                libm |x| 1.0 / (1.0 + libm::expf(-x));
                pxfm pxfm::f_logisticf;
            }
            silu {
                std |x| x / (1.0 + (-x).exp());
                libm |x| x / (1.0 + libm::expf(-x));
                pxfm |x| x * pxfm::f_logisticf(x);
            }
            gelu {
                libm |x| 0.5 * x * (1.0 + libm::erff(x * core::f32::consts::FRAC_1_SQRT_2));
                pxfm |x| 0.5 * x * (1.0 + pxfm::f_erff(x * core::f32::consts::FRAC_1_SQRT_2));
            }
            gelu_tanh {
                std |x| 0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044715 * x * x * x)).tanh());
                libm |x| 0.5 * x * (1.0 + libm::tanhf(0.797_884_6 * (x + 0.044715 * x * x * x)));
            }
            logsigmoid {
                std |x| x.min(0.0) - (-x.abs()).exp().ln_1p();
                libm |x| x.min(0.0) - libm::log1pf(libm::expf(-x.abs()));
            }
            mish {
                std |x| x * x.exp().ln_1p().tanh();
                libm |x| x * libm::tanhf(libm::log1pf(libm::expf(x)));
            }
        }
    };
}
