//! The other libraries that kernels are compared with, by function: `std` (with `half`'s
//! conversions), `libm`, `micromath`, `pxfm`. For `sweep peers` and for the benches.

pub use micromath::F32Ext;
pub use {libm, pxfm};

/// Calls `$callback!` with all peers.
#[macro_export]
macro_rules! for_each_peer {
    ($callback:ident) => {
        $callback! {
            exp { std f32::exp; libm $crate::libm::expf; micromath $crate::F32Ext::exp; pxfm $crate::pxfm::f_expf; }
            exp2 { std f32::exp2; libm $crate::libm::exp2f; pxfm $crate::pxfm::f_exp2f; }
            exp10 { libm $crate::libm::exp10f; pxfm $crate::pxfm::f_exp10f; }
            expm1 { std f32::exp_m1; libm $crate::libm::expm1f; pxfm $crate::pxfm::f_expm1f; }
            exp2m1 { pxfm $crate::pxfm::f_exp2m1f; }
            exp10m1 { pxfm $crate::pxfm::f_exp10m1f; }
            log { std f32::ln; libm $crate::libm::logf; micromath $crate::F32Ext::ln; pxfm $crate::pxfm::f_logf; }
            log2 { std f32::log2; libm $crate::libm::log2f; micromath $crate::F32Ext::log2; pxfm $crate::pxfm::f_log2f; }
            log10 { std f32::log10; libm $crate::libm::log10f; micromath $crate::F32Ext::log10; pxfm $crate::pxfm::f_log10f; }
            log1p { std f32::ln_1p; libm $crate::libm::log1pf; pxfm $crate::pxfm::f_log1pf; }
            log2p1 { pxfm $crate::pxfm::f_log2p1f; }
            log10p1 { pxfm $crate::pxfm::f_log10p1f; }
            sin { std f32::sin; libm $crate::libm::sinf; micromath $crate::F32Ext::sin; pxfm $crate::pxfm::f_sinf; }
            cos { std f32::cos; libm $crate::libm::cosf; micromath $crate::F32Ext::cos; pxfm $crate::pxfm::f_cosf; }
            tan { std f32::tan; libm $crate::libm::tanf; micromath $crate::F32Ext::tan; pxfm $crate::pxfm::f_tanf; }
            sinpi { pxfm $crate::pxfm::f_sinpif; }
            cospi { pxfm $crate::pxfm::f_cospif; }
            tanpi { pxfm $crate::pxfm::f_tanpif; }
            asin { std f32::asin; libm $crate::libm::asinf; micromath $crate::F32Ext::asin; pxfm $crate::pxfm::f_asinf; }
            acos { std f32::acos; libm $crate::libm::acosf; micromath $crate::F32Ext::acos; pxfm $crate::pxfm::f_acosf; }
            atan { std f32::atan; libm $crate::libm::atanf; micromath $crate::F32Ext::atan; pxfm $crate::pxfm::f_atanf; }
            asinpi { pxfm $crate::pxfm::f_asinpif; }
            acospi { pxfm $crate::pxfm::f_acospif; }
            atanpi { pxfm $crate::pxfm::f_atanpif; }
            sinh { std f32::sinh; libm $crate::libm::sinhf; pxfm $crate::pxfm::f_sinhf; }
            cosh { std f32::cosh; libm $crate::libm::coshf; pxfm $crate::pxfm::f_coshf; }
            tanh { std f32::tanh; libm $crate::libm::tanhf; pxfm $crate::pxfm::f_tanhf; }
            asinh { std f32::asinh; libm $crate::libm::asinhf; pxfm $crate::pxfm::f_asinhf; }
            acosh { std f32::acosh; libm $crate::libm::acoshf; pxfm $crate::pxfm::f_acoshf; }
            atanh { std f32::atanh; libm $crate::libm::atanhf; pxfm $crate::pxfm::f_atanhf; }
            sqrt { std f32::sqrt; libm $crate::libm::sqrtf; micromath $crate::F32Ext::sqrt; }
            rsqrt {
                std |x| 1.0 / x.sqrt();
                libm |x| 1.0 / $crate::libm::sqrtf(x);
                micromath $crate::F32Ext::invsqrt;
                pxfm $crate::pxfm::f_rsqrtf;
            }
            cbrt { std f32::cbrt; libm $crate::libm::cbrtf; pxfm $crate::pxfm::f_cbrtf; }
            reciprocal { std f32::recip; micromath $crate::F32Ext::inv; }
            erf { libm $crate::libm::erff; pxfm $crate::pxfm::f_erff; }
            erfc { libm $crate::libm::erfcf; pxfm $crate::pxfm::f_erfcf; }
            tgamma { libm $crate::libm::tgammaf; pxfm $crate::pxfm::f_tgammaf; }
            lgamma { libm $crate::libm::lgammaf; pxfm $crate::pxfm::f_lgammaf; }
            sigmoid {
                std |x| 1.0 / (1.0 + (-x).exp());
                libm |x| 1.0 / (1.0 + $crate::libm::expf(-x));
                pxfm $crate::pxfm::f_logisticf;
            }
            silu {
                std |x| x / (1.0 + (-x).exp());
                libm |x| x / (1.0 + $crate::libm::expf(-x));
                pxfm |x| x * $crate::pxfm::f_logisticf(x);
            }
            gelu {
                libm |x| 0.5 * x * (1.0 + $crate::libm::erff(x * core::f32::consts::FRAC_1_SQRT_2));
                pxfm |x| 0.5 * x * (1.0 + $crate::pxfm::f_erff(x * core::f32::consts::FRAC_1_SQRT_2));
            }
            gelu_tanh {
                std |x| 0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044715 * x * x * x)).tanh());
                libm |x| 0.5 * x * (1.0 + $crate::libm::tanhf(0.797_884_6 * (x + 0.044715 * x * x * x)));
            }
            logsigmoid {
                std |x| x.min(0.0) - (-x.abs()).exp().ln_1p();
                libm |x| x.min(0.0) - $crate::libm::log1pf($crate::libm::expf(-x.abs()));
            }
            mish {
                std |x| x * x.exp().ln_1p().tanh();
                libm |x| x * $crate::libm::tanhf($crate::libm::log1pf($crate::libm::expf(x)));
            }
        }
    };
}
