//! The rows that a device checks itself, over all inputs, and their references.

/// Calls `$callback!` with, for each such row: the entry's name, the row's name, the operation, the
/// kernel, the number of operands, their format and the result's. (MXINT8 is not a format: its last
/// column is ignored.)
macro_rules! for_each_check {
    ($callback:ident) => {
        $callback! {
            check_add_f16 "add.f16" Add add_status 2 f16 F16 f16 F16;
            check_add_bf16 "add.bf16" Add add_status 2 bf16 BF16 bf16 BF16;
            check_add_f16_f16_f32 "add.f16.f16.f32" Add add_status 2 f16 F16 f32 F32;
            check_add_bf16_bf16_f32 "add.bf16.bf16.f32" Add add_status 2 bf16 BF16 f32 F32;
            check_sub_f16 "sub.f16" Sub sub_status 2 f16 F16 f16 F16;
            check_sub_bf16 "sub.bf16" Sub sub_status 2 bf16 BF16 bf16 BF16;
            check_sub_f16_f16_f32 "sub.f16.f16.f32" Sub sub_status 2 f16 F16 f32 F32;
            check_sub_bf16_bf16_f32 "sub.bf16.bf16.f32" Sub sub_status 2 bf16 BF16 f32 F32;
            check_mul_f16 "mul.f16" Mul mul_status 2 f16 F16 f16 F16;
            check_mul_bf16 "mul.bf16" Mul mul_status 2 bf16 BF16 bf16 BF16;
            check_mul_f16_f16_f32 "mul.f16.f16.f32" Mul mul_status 2 f16 F16 f32 F32;
            check_mul_bf16_bf16_f32 "mul.bf16.bf16.f32" Mul mul_status 2 bf16 BF16 f32 F32;
            check_div_f16 "div.f16" Div div_status 2 f16 F16 f16 F16;
            check_div_bf16 "div.bf16" Div div_status 2 bf16 BF16 bf16 BF16;
            check_div_f16_f16_f32 "div.f16.f16.f32" Div div_status 2 f16 F16 f32 F32;
            check_div_bf16_bf16_f32 "div.bf16.bf16.f32" Div div_status 2 bf16 BF16 f32 F32;
            check_fma_f16 "fma.f16" Fma fma_status 3 f16 F16 f16 F16;
            check_fma_bf16 "fma.bf16" Fma fma_status 3 bf16 BF16 bf16 BF16;
            check_convert_f32_f16 "convert.f32.f16" Convert convert_status 1 f32 F32 f16 F16;
            check_convert_f32_bf16 "convert.f32.bf16" Convert convert_status 1 f32 F32 bf16 BF16;
            check_convert_f32_e5m2 "convert.f32.e5m2" Convert convert_status 1 f32 F32 E5M2 E5M2;
            check_convert_f32_e4m3fn "convert.f32.e4m3fn" Convert convert_status 1 f32 F32 E4M3FN E4M3FN;
            check_convert_f32_e5m2fnuz "convert.f32.e5m2fnuz" Convert convert_status 1 f32 F32 E5M2FNUZ E5M2FNUZ;
            check_convert_f32_e4m3fnuz "convert.f32.e4m3fnuz" Convert convert_status 1 f32 F32 E4M3FNUZ E4M3FNUZ;
            check_convert_f32_e2m3 "convert.f32.e2m3" Convert convert_status 1 f32 F32 E2M3 E2M3;
            check_convert_f32_e3m2 "convert.f32.e3m2" Convert convert_status 1 f32 F32 E3M2 E3M2;
            check_convert_f32_e2m1 "convert.f32.e2m1" Convert convert_status 1 f32 F32 E2M1 E2M1;
            check_mxint8_encode_f32 "mxint8_encode.f32" MxInt8 mxint8_encode_status 1 f32 F32 MxInt8 F32;
            check_mxint8_encode_symmetric_f32 "mxint8_encode_symmetric.f32" MxInt8Symmetric mxint8_encode_symmetric_status 1 f32 F32 MxInt8 F32;
        }
    };
}
pub(crate) use for_each_check;
