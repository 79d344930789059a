//! The rows that a device checks by itself, over all inputs, and against what.

/// Calls `$callback!` with, for each such row: the entry's name, the row's name, the operation,
/// the kernel, the operands' format (it has `2` or `3` of them) and the result's.
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
        }
    };
}
pub(crate) use for_each_check;
