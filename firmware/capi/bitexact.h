/* bitexact: narrow-float kernels specified to the bit, for C.
 *
 * Written by firmware/capi/header.sh from the catalog's rows: not to be edited. Every kernel's own
 * documentation is the Rust crate's; here is what C adds to it.
 *
 * - bitexact_f16 and bitexact_bf16 are the bits of an IEEE binary16 and of a bfloat16; the 8-bit to 4-bit types
 *   are codes in the low bits of a byte. float and double are passed as they are and never computed with.
 * - flags may be NULL. Else the exceptions that the call raises are added to what *flags holds.
 * - A function of two results returns the first and writes the second to *second, which may be NULL too.
 * - An argument that is no value of its type (a rounding above BITEXACT_TO_ODD, bounds that are NaN or out of order, a
 *   negative lambd) gives 0 and adds BITEXACT_WRONG_ARGUMENT alone.
 * - Nothing here allocates, keeps state, or depends on the floating-point environment. Any function may be
 *   called from an interrupt.
 */
#ifndef BITEXACT_H
#define BITEXACT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint16_t bitexact_f16;
typedef uint16_t bitexact_bf16;
typedef uint8_t bitexact_e8m0;
typedef uint8_t bitexact_e5m2;
typedef uint8_t bitexact_e4m3fn;
typedef uint8_t bitexact_e5m2fnuz;
typedef uint8_t bitexact_e4m3fnuz;
typedef uint8_t bitexact_e2m3;
typedef uint8_t bitexact_e3m2;
typedef uint8_t bitexact_e2m1;
typedef uint8_t bitexact_mxint8;
/* IEEE 754-2019 clause 5.7.2, 0 signalingNaN to 9 positiveInfinity. */
typedef uint8_t bitexact_class;

/* Each is passed as 32 bits, whatever the compiler's enums are. */
typedef uint32_t bitexact_rounding;
typedef uint32_t bitexact_overflow;
typedef uint32_t bitexact_nan;
typedef uint32_t bitexact_policy;

/* bitexact_rounding */
enum {
    BITEXACT_TIES_TO_EVEN = 0,
    BITEXACT_TIES_TO_AWAY = 1,
    BITEXACT_TOWARD_ZERO = 2,
    BITEXACT_TOWARD_POSITIVE = 3,
    BITEXACT_TOWARD_NEGATIVE = 4,
    BITEXACT_TO_ODD = 5,
};

/* bitexact_overflow */
enum {
    BITEXACT_OVERFLOW_IEEE = 0,
    BITEXACT_OVERFLOW_SATURATE_FINITE = 1,
    BITEXACT_OVERFLOW_SATURATE_ALL = 2,
};

/* bitexact_nan: what a NaN operand gives */
enum {
    BITEXACT_NAN_PASS = 0,
    BITEXACT_NAN_ZERO = 1,
    BITEXACT_NAN_PROPAGATE = 2,
};

/* bitexact_policy: how a scale is made */
enum {
    BITEXACT_POLICY_FLOOR = 0,
    BITEXACT_POLICY_CEIL = 1,
    BITEXACT_POLICY_NEAREST_TIES_UP = 2,
    BITEXACT_POLICY_NEAREST_EVEN_CODE = 3,
    BITEXACT_POLICY_CUDA_RZ_SAT = 4,
    BITEXACT_POLICY_CUDA_RZ_NOSAT = 5,
    BITEXACT_POLICY_CUDA_RP_SAT = 6,
    BITEXACT_POLICY_CUDA_RP_NOSAT = 7,
    BITEXACT_POLICY_TORCH2_15 = 8,
    BITEXACT_POLICY_ML_DTYPES0_6 = 9,
    BITEXACT_POLICY_ONNXREF_UP_SAT = 10,
    BITEXACT_POLICY_ONNXREF_UP_NOSAT = 11,
    BITEXACT_POLICY_ONNXREF_DOWN_SAT = 12,
    BITEXACT_POLICY_ONNXREF_DOWN_NOSAT = 13,
    BITEXACT_POLICY_ONNXREF_NEAREST_SAT = 14,
    BITEXACT_POLICY_ONNXREF_NEAREST_NOSAT = 15,
    BITEXACT_POLICY_ORT1_31_UP_SAT = 16,
    BITEXACT_POLICY_ORT1_31_UP_NOSAT = 17,
    BITEXACT_POLICY_ORT1_31_DOWN_SAT = 18,
    BITEXACT_POLICY_ORT1_31_DOWN_NOSAT = 19,
    BITEXACT_POLICY_ORT1_31_NEAREST_SAT = 20,
    BITEXACT_POLICY_ORT1_31_NEAREST_NOSAT = 21,
    BITEXACT_POLICY_ONEDNN = 22,
    BITEXACT_POLICY_MLIR_ARITH_EXPAND = 23,
    BITEXACT_POLICY_CUTLASS_HOST = 24,
    BITEXACT_POLICY_TE_HOST = 25,
    BITEXACT_POLICY_TRITON_KERNELS_UP = 26,
    BITEXACT_POLICY_TRITON_KERNELS_DOWN = 27,
    BITEXACT_POLICY_TORCHAO_RCEIL_FALLBACK = 28,
    BITEXACT_POLICY_INDUCTOR_BITPATTERN_CLAMP255 = 29,
    BITEXACT_POLICY_INDUCTOR_PRIM_CLAMP254 = 30,
};

/* flags */
enum {
    BITEXACT_INEXACT = 0x01,
    BITEXACT_UNDERFLOW = 0x02,
    BITEXACT_OVERFLOW = 0x04,
    BITEXACT_DIVIDE_BY_ZERO = 0x08,
    BITEXACT_INVALID = 0x10,
    BITEXACT_WRONG_ARGUMENT = 0x80,
};

/* convert: x in another format */
float bitexact_convert_f64_f32(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_f64_f32_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_f64_f16(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_f64_f16_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_f64_bf16(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_f64_bf16_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_convert_f32_f64(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_convert_f32_f64_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_f32_f16(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_f32_f16_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_f32_bf16(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_f32_bf16_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_convert_f16_f64(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_convert_f16_f64_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_f16_f32(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_f16_f32_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_f16_bf16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_f16_bf16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_convert_bf16_f64(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_convert_bf16_f64_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_bf16_f32(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_bf16_f32_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_bf16_f16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_bf16_f16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_convert_f32_e5m2(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_convert_f32_e5m2_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_convert_f16_e5m2(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_convert_f16_e5m2_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_convert_bf16_e5m2(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_convert_bf16_e5m2_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e5m2_f32(bitexact_e5m2 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e5m2_f32_stochastic(bitexact_e5m2 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e5m2_f16(bitexact_e5m2 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e5m2_f16_stochastic(bitexact_e5m2 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e5m2_bf16(bitexact_e5m2 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e5m2_bf16_stochastic(bitexact_e5m2 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_convert_f32_e4m3fn(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_convert_f32_e4m3fn_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_convert_f16_e4m3fn(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_convert_f16_e4m3fn_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_convert_bf16_e4m3fn(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_convert_bf16_e4m3fn_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e4m3fn_f32(bitexact_e4m3fn a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e4m3fn_f32_stochastic(bitexact_e4m3fn a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e4m3fn_f16(bitexact_e4m3fn a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e4m3fn_f16_stochastic(bitexact_e4m3fn a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e4m3fn_bf16(bitexact_e4m3fn a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e4m3fn_bf16_stochastic(bitexact_e4m3fn a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_convert_f32_e5m2fnuz(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_convert_f32_e5m2fnuz_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_convert_f16_e5m2fnuz(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_convert_f16_e5m2fnuz_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_convert_bf16_e5m2fnuz(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_convert_bf16_e5m2fnuz_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e5m2fnuz_f32(bitexact_e5m2fnuz a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e5m2fnuz_f32_stochastic(bitexact_e5m2fnuz a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e5m2fnuz_f16(bitexact_e5m2fnuz a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e5m2fnuz_f16_stochastic(bitexact_e5m2fnuz a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e5m2fnuz_bf16(bitexact_e5m2fnuz a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e5m2fnuz_bf16_stochastic(bitexact_e5m2fnuz a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_convert_f32_e4m3fnuz(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_convert_f32_e4m3fnuz_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_convert_f16_e4m3fnuz(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_convert_f16_e4m3fnuz_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_convert_bf16_e4m3fnuz(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_convert_bf16_e4m3fnuz_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e4m3fnuz_f32(bitexact_e4m3fnuz a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e4m3fnuz_f32_stochastic(bitexact_e4m3fnuz a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e4m3fnuz_f16(bitexact_e4m3fnuz a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e4m3fnuz_f16_stochastic(bitexact_e4m3fnuz a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e4m3fnuz_bf16(bitexact_e4m3fnuz a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e4m3fnuz_bf16_stochastic(bitexact_e4m3fnuz a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_convert_f32_e2m3(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_convert_f32_e2m3_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_convert_f16_e2m3(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_convert_f16_e2m3_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_convert_bf16_e2m3(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_convert_bf16_e2m3_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e2m3_f32(bitexact_e2m3 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e2m3_f32_stochastic(bitexact_e2m3 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e2m3_f16(bitexact_e2m3 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e2m3_f16_stochastic(bitexact_e2m3 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e2m3_bf16(bitexact_e2m3 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e2m3_bf16_stochastic(bitexact_e2m3 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_convert_f32_e3m2(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_convert_f32_e3m2_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_convert_f16_e3m2(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_convert_f16_e3m2_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_convert_bf16_e3m2(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_convert_bf16_e3m2_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e3m2_f32(bitexact_e3m2 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e3m2_f32_stochastic(bitexact_e3m2 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e3m2_f16(bitexact_e3m2 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e3m2_f16_stochastic(bitexact_e3m2 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e3m2_bf16(bitexact_e3m2 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e3m2_bf16_stochastic(bitexact_e3m2 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_convert_f32_e2m1(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_convert_f32_e2m1_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_convert_f16_e2m1(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_convert_f16_e2m1_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_convert_bf16_e2m1(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_convert_bf16_e2m1_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e2m1_f32(bitexact_e2m1 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_convert_e2m1_f32_stochastic(bitexact_e2m1 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e2m1_f16(bitexact_e2m1 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_convert_e2m1_f16_stochastic(bitexact_e2m1 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e2m1_bf16(bitexact_e2m1 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_convert_e2m1_bf16_stochastic(bitexact_e2m1 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* from_int: the integer n as a float */
double bitexact_from_int_i8_f64(int8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_i8_f64_stochastic(int8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i8_f32(int8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i8_f32_stochastic(int8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i8_f16(int8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i8_f16_stochastic(int8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i8_bf16(int8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i8_bf16_stochastic(int8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_i16_f64(int16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_i16_f64_stochastic(int16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i16_f32(int16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i16_f32_stochastic(int16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i16_f16(int16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i16_f16_stochastic(int16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i16_bf16(int16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i16_bf16_stochastic(int16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_i32_f64(int32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_i32_f64_stochastic(int32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i32_f32(int32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i32_f32_stochastic(int32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i32_f16(int32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i32_f16_stochastic(int32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i32_bf16(int32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i32_bf16_stochastic(int32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_i64_f64(int64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_i64_f64_stochastic(int64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i64_f32(int64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_i64_f32_stochastic(int64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i64_f16(int64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_i64_f16_stochastic(int64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i64_bf16(int64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_i64_bf16_stochastic(int64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u8_f64(uint8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u8_f64_stochastic(uint8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u8_f32(uint8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u8_f32_stochastic(uint8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u8_f16(uint8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u8_f16_stochastic(uint8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u8_bf16(uint8_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u8_bf16_stochastic(uint8_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u16_f64(uint16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u16_f64_stochastic(uint16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u16_f32(uint16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u16_f32_stochastic(uint16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u16_f16(uint16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u16_f16_stochastic(uint16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u16_bf16(uint16_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u16_bf16_stochastic(uint16_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u32_f64(uint32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u32_f64_stochastic(uint32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u32_f32(uint32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u32_f32_stochastic(uint32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u32_f16(uint32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u32_f16_stochastic(uint32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u32_bf16(uint32_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u32_bf16_stochastic(uint32_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u64_f64(uint64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
double bitexact_from_int_u64_f64_stochastic(uint64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u64_f32(uint64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_from_int_u64_f32_stochastic(uint64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u64_f16(uint64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_from_int_u64_f16_stochastic(uint64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u64_bf16(uint64_t a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_from_int_u64_bf16_stochastic(uint64_t a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* to_int: x rounded to an integer type */
int8_t bitexact_to_int_f64_i8(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int8_t bitexact_to_int_f64_i8_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_f64_i16(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_f64_i16_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_f64_i32(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_f64_i32_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_f64_i64(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_f64_i64_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_f64_u8(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_f64_u8_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_f64_u16(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_f64_u16_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_f64_u32(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_f64_u32_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_f64_u64(double a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_f64_u64_stochastic(double a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int8_t bitexact_to_int_f32_i8(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int8_t bitexact_to_int_f32_i8_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_f32_i16(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_f32_i16_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_f32_i32(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_f32_i32_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_f32_i64(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_f32_i64_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_f32_u8(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_f32_u8_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_f32_u16(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_f32_u16_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_f32_u32(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_f32_u32_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_f32_u64(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_f32_u64_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int8_t bitexact_to_int_f16_i8(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int8_t bitexact_to_int_f16_i8_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_f16_i16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_f16_i16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_f16_i32(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_f16_i32_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_f16_i64(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_f16_i64_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_f16_u8(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_f16_u8_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_f16_u16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_f16_u16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_f16_u32(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_f16_u32_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_f16_u64(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_f16_u64_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int8_t bitexact_to_int_bf16_i8(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int8_t bitexact_to_int_bf16_i8_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_bf16_i16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int16_t bitexact_to_int_bf16_i16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_bf16_i32(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int32_t bitexact_to_int_bf16_i32_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_bf16_i64(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
int64_t bitexact_to_int_bf16_i64_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_bf16_u8(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint8_t bitexact_to_int_bf16_u8_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_bf16_u16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint16_t bitexact_to_int_bf16_u16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_bf16_u32(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint32_t bitexact_to_int_bf16_u32_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_bf16_u64(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
uint64_t bitexact_to_int_bf16_u64_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* add: a + b */
bitexact_f16 bitexact_add_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_bf16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f32(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f32_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_add_e5m2(bitexact_e5m2 a, bitexact_e5m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_add_e5m2_stochastic(bitexact_e5m2 a, bitexact_e5m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_add_e4m3fn(bitexact_e4m3fn a, bitexact_e4m3fn b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_add_e4m3fn_stochastic(bitexact_e4m3fn a, bitexact_e4m3fn b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_add_e5m2fnuz(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_add_e5m2fnuz_stochastic(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_add_e4m3fnuz(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_add_e4m3fnuz_stochastic(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_add_e2m3(bitexact_e2m3 a, bitexact_e2m3 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_add_e2m3_stochastic(bitexact_e2m3 a, bitexact_e2m3 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_add_e3m2(bitexact_e3m2 a, bitexact_e3m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_add_e3m2_stochastic(bitexact_e3m2 a, bitexact_e3m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_add_e2m1(bitexact_e2m1 a, bitexact_e2m1 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_add_e2m1_stochastic(bitexact_e2m1 a, bitexact_e2m1 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f16_f16_bf16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f16_f16_bf16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f16_f16_f32(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f16_f16_f32_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f16_bf16_f16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f16_bf16_f16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f16_bf16_bf16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f16_bf16_bf16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f16_bf16_f32(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f16_bf16_f32_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f16_f32_f16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f16_f32_f16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f16_f32_bf16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f16_f32_bf16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f16_f32_f32(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f16_f32_f32_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_bf16_f16_f16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_bf16_f16_f16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_bf16_f16_bf16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_bf16_f16_bf16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_bf16_f16_f32(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_bf16_f16_f32_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_bf16_bf16_f16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_bf16_bf16_f16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_bf16_bf16_f32(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_bf16_bf16_f32_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_bf16_f32_f16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_bf16_f32_f16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_bf16_f32_bf16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_bf16_f32_bf16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_bf16_f32_f32(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_bf16_f32_f32_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f32_f16_f16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f32_f16_f16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f32_f16_bf16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f32_f16_bf16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f32_f16_f32(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f32_f16_f32_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f32_bf16_f16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f32_bf16_f16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f32_bf16_bf16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f32_bf16_bf16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f32_bf16_f32(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_add_f32_bf16_f32_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f32_f32_f16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_add_f32_f32_f16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f32_f32_bf16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_add_f32_f32_bf16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* sub: a - b */
bitexact_f16 bitexact_sub_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_bf16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f32(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f32_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_sub_e5m2(bitexact_e5m2 a, bitexact_e5m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_sub_e5m2_stochastic(bitexact_e5m2 a, bitexact_e5m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_sub_e4m3fn(bitexact_e4m3fn a, bitexact_e4m3fn b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_sub_e4m3fn_stochastic(bitexact_e4m3fn a, bitexact_e4m3fn b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_sub_e5m2fnuz(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_sub_e5m2fnuz_stochastic(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_sub_e4m3fnuz(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_sub_e4m3fnuz_stochastic(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_sub_e2m3(bitexact_e2m3 a, bitexact_e2m3 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_sub_e2m3_stochastic(bitexact_e2m3 a, bitexact_e2m3 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_sub_e3m2(bitexact_e3m2 a, bitexact_e3m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_sub_e3m2_stochastic(bitexact_e3m2 a, bitexact_e3m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_sub_e2m1(bitexact_e2m1 a, bitexact_e2m1 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_sub_e2m1_stochastic(bitexact_e2m1 a, bitexact_e2m1 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f16_f16_bf16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f16_f16_bf16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f16_f16_f32(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f16_f16_f32_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f16_bf16_f16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f16_bf16_f16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f16_bf16_bf16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f16_bf16_bf16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f16_bf16_f32(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f16_bf16_f32_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f16_f32_f16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f16_f32_f16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f16_f32_bf16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f16_f32_bf16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f16_f32_f32(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f16_f32_f32_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_bf16_f16_f16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_bf16_f16_f16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_bf16_f16_bf16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_bf16_f16_bf16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_bf16_f16_f32(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_bf16_f16_f32_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_bf16_bf16_f16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_bf16_bf16_f16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_bf16_bf16_f32(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_bf16_bf16_f32_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_bf16_f32_f16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_bf16_f32_f16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_bf16_f32_bf16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_bf16_f32_bf16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_bf16_f32_f32(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_bf16_f32_f32_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f32_f16_f16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f32_f16_f16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f32_f16_bf16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f32_f16_bf16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f32_f16_f32(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f32_f16_f32_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f32_bf16_f16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f32_bf16_f16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f32_bf16_bf16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f32_bf16_bf16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f32_bf16_f32(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sub_f32_bf16_f32_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f32_f32_f16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sub_f32_f32_f16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f32_f32_bf16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sub_f32_f32_bf16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* mul: a * b */
bitexact_f16 bitexact_mul_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_bf16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f32(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f32_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_mul_e5m2(bitexact_e5m2 a, bitexact_e5m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_mul_e5m2_stochastic(bitexact_e5m2 a, bitexact_e5m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_mul_e4m3fn(bitexact_e4m3fn a, bitexact_e4m3fn b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_mul_e4m3fn_stochastic(bitexact_e4m3fn a, bitexact_e4m3fn b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_mul_e5m2fnuz(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_mul_e5m2fnuz_stochastic(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_mul_e4m3fnuz(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_mul_e4m3fnuz_stochastic(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_mul_e2m3(bitexact_e2m3 a, bitexact_e2m3 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_mul_e2m3_stochastic(bitexact_e2m3 a, bitexact_e2m3 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_mul_e3m2(bitexact_e3m2 a, bitexact_e3m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_mul_e3m2_stochastic(bitexact_e3m2 a, bitexact_e3m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_mul_e2m1(bitexact_e2m1 a, bitexact_e2m1 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_mul_e2m1_stochastic(bitexact_e2m1 a, bitexact_e2m1 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f16_f16_bf16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f16_f16_bf16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f16_f16_f32(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f16_f16_f32_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f16_bf16_f16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f16_bf16_f16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f16_bf16_bf16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f16_bf16_bf16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f16_bf16_f32(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f16_bf16_f32_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f16_f32_f16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f16_f32_f16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f16_f32_bf16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f16_f32_bf16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f16_f32_f32(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f16_f32_f32_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_bf16_f16_f16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_bf16_f16_f16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_bf16_f16_bf16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_bf16_f16_bf16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_bf16_f16_f32(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_bf16_f16_f32_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_bf16_bf16_f16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_bf16_bf16_f16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_bf16_bf16_f32(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_bf16_bf16_f32_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_bf16_f32_f16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_bf16_f32_f16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_bf16_f32_bf16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_bf16_f32_bf16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_bf16_f32_f32(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_bf16_f32_f32_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f32_f16_f16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f32_f16_f16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f32_f16_bf16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f32_f16_bf16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f32_f16_f32(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f32_f16_f32_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f32_bf16_f16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f32_bf16_f16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f32_bf16_bf16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f32_bf16_bf16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f32_bf16_f32(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mul_f32_bf16_f32_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f32_f32_f16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mul_f32_f32_f16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f32_f32_bf16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mul_f32_f32_bf16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* div: a / b */
bitexact_f16 bitexact_div_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_bf16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f32(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f32_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_div_e5m2(bitexact_e5m2 a, bitexact_e5m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2 bitexact_div_e5m2_stochastic(bitexact_e5m2 a, bitexact_e5m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_div_e4m3fn(bitexact_e4m3fn a, bitexact_e4m3fn b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fn bitexact_div_e4m3fn_stochastic(bitexact_e4m3fn a, bitexact_e4m3fn b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_div_e5m2fnuz(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e5m2fnuz bitexact_div_e5m2fnuz_stochastic(bitexact_e5m2fnuz a, bitexact_e5m2fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_div_e4m3fnuz(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e4m3fnuz bitexact_div_e4m3fnuz_stochastic(bitexact_e4m3fnuz a, bitexact_e4m3fnuz b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_div_e2m3(bitexact_e2m3 a, bitexact_e2m3 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m3 bitexact_div_e2m3_stochastic(bitexact_e2m3 a, bitexact_e2m3 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_div_e3m2(bitexact_e3m2 a, bitexact_e3m2 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e3m2 bitexact_div_e3m2_stochastic(bitexact_e3m2 a, bitexact_e3m2 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_div_e2m1(bitexact_e2m1 a, bitexact_e2m1 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_e2m1 bitexact_div_e2m1_stochastic(bitexact_e2m1 a, bitexact_e2m1 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f16_f16_bf16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f16_f16_bf16_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f16_f16_f32(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f16_f16_f32_stochastic(bitexact_f16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f16_bf16_f16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f16_bf16_f16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f16_bf16_bf16(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f16_bf16_bf16_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f16_bf16_f32(bitexact_f16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f16_bf16_f32_stochastic(bitexact_f16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f16_f32_f16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f16_f32_f16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f16_f32_bf16(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f16_f32_bf16_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f16_f32_f32(bitexact_f16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f16_f32_f32_stochastic(bitexact_f16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_bf16_f16_f16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_bf16_f16_f16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_bf16_f16_bf16(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_bf16_f16_bf16_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_bf16_f16_f32(bitexact_bf16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_bf16_f16_f32_stochastic(bitexact_bf16 a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_bf16_bf16_f16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_bf16_bf16_f16_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_bf16_bf16_f32(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_bf16_bf16_f32_stochastic(bitexact_bf16 a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_bf16_f32_f16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_bf16_f32_f16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_bf16_f32_bf16(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_bf16_f32_bf16_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_bf16_f32_f32(bitexact_bf16 a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_bf16_f32_f32_stochastic(bitexact_bf16 a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f32_f16_f16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f32_f16_f16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f32_f16_bf16(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f32_f16_bf16_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f32_f16_f32(float a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f32_f16_f32_stochastic(float a, bitexact_f16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f32_bf16_f16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f32_bf16_f16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f32_bf16_bf16(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f32_bf16_bf16_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f32_bf16_f32(float a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_div_f32_bf16_f32_stochastic(float a, bitexact_bf16 b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f32_f32_f16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_div_f32_f32_f16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f32_f32_bf16(float a, float b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_div_f32_f32_bf16_stochastic(float a, float b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* sqrt: square root of x */
bitexact_f16 bitexact_sqrt_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sqrt_f16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sqrt_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sqrt_bf16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sqrt_f32(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sqrt_f32_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sqrt_f16_bf16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sqrt_f16_bf16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sqrt_f16_f32(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sqrt_f16_f32_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sqrt_bf16_f16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sqrt_bf16_f16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sqrt_bf16_f32(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_sqrt_bf16_f32_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sqrt_f32_f16(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_sqrt_f32_f16_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sqrt_f32_bf16(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sqrt_f32_bf16_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* fma: a * b + c */
bitexact_f16 bitexact_fma_f16(bitexact_f16 a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_stochastic(bitexact_f16 a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_stochastic(bitexact_bf16 a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32(float a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_stochastic(float a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f16_f16_bf16(bitexact_f16 a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f16_f16_bf16_stochastic(bitexact_f16 a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f16_f16_f32(bitexact_f16 a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f16_f16_f32_stochastic(bitexact_f16 a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f16_bf16_f16(bitexact_f16 a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f16_bf16_f16_stochastic(bitexact_f16 a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f16_bf16_bf16(bitexact_f16 a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f16_bf16_bf16_stochastic(bitexact_f16 a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f16_bf16_f32(bitexact_f16 a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f16_bf16_f32_stochastic(bitexact_f16 a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f16_f32_f16(bitexact_f16 a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f16_f32_f16_stochastic(bitexact_f16 a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f16_f32_bf16(bitexact_f16 a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f16_f32_bf16_stochastic(bitexact_f16 a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f16_f32_f32(bitexact_f16 a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f16_f32_f32_stochastic(bitexact_f16 a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_bf16_f16_f16(bitexact_f16 a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_bf16_f16_f16_stochastic(bitexact_f16 a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_bf16_f16_bf16(bitexact_f16 a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_bf16_f16_bf16_stochastic(bitexact_f16 a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_bf16_f16_f32(bitexact_f16 a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_bf16_f16_f32_stochastic(bitexact_f16 a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_bf16_bf16_f16(bitexact_f16 a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_bf16_bf16_f16_stochastic(bitexact_f16 a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_bf16_bf16_bf16(bitexact_f16 a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_bf16_bf16_bf16_stochastic(bitexact_f16 a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_bf16_bf16_f32(bitexact_f16 a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_bf16_bf16_f32_stochastic(bitexact_f16 a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_bf16_f32_f16(bitexact_f16 a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_bf16_f32_f16_stochastic(bitexact_f16 a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_bf16_f32_bf16(bitexact_f16 a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_bf16_f32_bf16_stochastic(bitexact_f16 a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_bf16_f32_f32(bitexact_f16 a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_bf16_f32_f32_stochastic(bitexact_f16 a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f32_f16_f16(bitexact_f16 a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f32_f16_f16_stochastic(bitexact_f16 a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f32_f16_bf16(bitexact_f16 a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f32_f16_bf16_stochastic(bitexact_f16 a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f32_f16_f32(bitexact_f16 a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f32_f16_f32_stochastic(bitexact_f16 a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f32_bf16_f16(bitexact_f16 a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f32_bf16_f16_stochastic(bitexact_f16 a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f32_bf16_bf16(bitexact_f16 a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f32_bf16_bf16_stochastic(bitexact_f16 a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f32_bf16_f32(bitexact_f16 a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f32_bf16_f32_stochastic(bitexact_f16 a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f32_f32_f16(bitexact_f16 a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f16_f32_f32_f16_stochastic(bitexact_f16 a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f32_f32_bf16(bitexact_f16 a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f16_f32_f32_bf16_stochastic(bitexact_f16 a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f32_f32_f32(bitexact_f16 a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f16_f32_f32_f32_stochastic(bitexact_f16 a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f16_f16_f16(bitexact_bf16 a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f16_f16_f16_stochastic(bitexact_bf16 a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f16_f16_bf16(bitexact_bf16 a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f16_f16_bf16_stochastic(bitexact_bf16 a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f16_f16_f32(bitexact_bf16 a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f16_f16_f32_stochastic(bitexact_bf16 a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f16_bf16_f16(bitexact_bf16 a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f16_bf16_f16_stochastic(bitexact_bf16 a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f16_bf16_bf16(bitexact_bf16 a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f16_bf16_bf16_stochastic(bitexact_bf16 a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f16_bf16_f32(bitexact_bf16 a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f16_bf16_f32_stochastic(bitexact_bf16 a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f16_f32_f16(bitexact_bf16 a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f16_f32_f16_stochastic(bitexact_bf16 a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f16_f32_bf16(bitexact_bf16 a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f16_f32_bf16_stochastic(bitexact_bf16 a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f16_f32_f32(bitexact_bf16 a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f16_f32_f32_stochastic(bitexact_bf16 a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_bf16_f16_f16(bitexact_bf16 a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_bf16_f16_f16_stochastic(bitexact_bf16 a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_bf16_f16_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_bf16_f16_bf16_stochastic(bitexact_bf16 a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_bf16_f16_f32(bitexact_bf16 a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_bf16_f16_f32_stochastic(bitexact_bf16 a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_bf16_bf16_f16(bitexact_bf16 a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_bf16_bf16_f16_stochastic(bitexact_bf16 a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_bf16_bf16_f32(bitexact_bf16 a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_bf16_bf16_f32_stochastic(bitexact_bf16 a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_bf16_f32_f16(bitexact_bf16 a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_bf16_f32_f16_stochastic(bitexact_bf16 a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_bf16_f32_bf16(bitexact_bf16 a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_bf16_f32_bf16_stochastic(bitexact_bf16 a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_bf16_f32_f32(bitexact_bf16 a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_bf16_f32_f32_stochastic(bitexact_bf16 a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f32_f16_f16(bitexact_bf16 a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f32_f16_f16_stochastic(bitexact_bf16 a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f32_f16_bf16(bitexact_bf16 a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f32_f16_bf16_stochastic(bitexact_bf16 a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f32_f16_f32(bitexact_bf16 a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f32_f16_f32_stochastic(bitexact_bf16 a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f32_bf16_f16(bitexact_bf16 a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f32_bf16_f16_stochastic(bitexact_bf16 a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f32_bf16_bf16(bitexact_bf16 a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f32_bf16_bf16_stochastic(bitexact_bf16 a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f32_bf16_f32(bitexact_bf16 a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f32_bf16_f32_stochastic(bitexact_bf16 a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f32_f32_f16(bitexact_bf16 a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_bf16_f32_f32_f16_stochastic(bitexact_bf16 a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f32_f32_bf16(bitexact_bf16 a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_bf16_f32_f32_bf16_stochastic(bitexact_bf16 a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f32_f32_f32(bitexact_bf16 a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_bf16_f32_f32_f32_stochastic(bitexact_bf16 a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f16_f16_f16(float a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f16_f16_f16_stochastic(float a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f16_f16_bf16(float a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f16_f16_bf16_stochastic(float a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f16_f16_f32(float a, bitexact_f16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f16_f16_f32_stochastic(float a, bitexact_f16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f16_bf16_f16(float a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f16_bf16_f16_stochastic(float a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f16_bf16_bf16(float a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f16_bf16_bf16_stochastic(float a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f16_bf16_f32(float a, bitexact_f16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f16_bf16_f32_stochastic(float a, bitexact_f16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f16_f32_f16(float a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f16_f32_f16_stochastic(float a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f16_f32_bf16(float a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f16_f32_bf16_stochastic(float a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f16_f32_f32(float a, bitexact_f16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f16_f32_f32_stochastic(float a, bitexact_f16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_bf16_f16_f16(float a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_bf16_f16_f16_stochastic(float a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_bf16_f16_bf16(float a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_bf16_f16_bf16_stochastic(float a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_bf16_f16_f32(float a, bitexact_bf16 b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_bf16_f16_f32_stochastic(float a, bitexact_bf16 b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_bf16_bf16_f16(float a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_bf16_bf16_f16_stochastic(float a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_bf16_bf16_bf16(float a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_bf16_bf16_bf16_stochastic(float a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_bf16_bf16_f32(float a, bitexact_bf16 b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_bf16_bf16_f32_stochastic(float a, bitexact_bf16 b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_bf16_f32_f16(float a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_bf16_f32_f16_stochastic(float a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_bf16_f32_bf16(float a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_bf16_f32_bf16_stochastic(float a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_bf16_f32_f32(float a, bitexact_bf16 b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_bf16_f32_f32_stochastic(float a, bitexact_bf16 b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f32_f16_f16(float a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f32_f16_f16_stochastic(float a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f32_f16_bf16(float a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f32_f16_bf16_stochastic(float a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f32_f16_f32(float a, float b, bitexact_f16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f32_f16_f32_stochastic(float a, float b, bitexact_f16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f32_bf16_f16(float a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f32_bf16_f16_stochastic(float a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f32_bf16_bf16(float a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f32_bf16_bf16_stochastic(float a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f32_bf16_f32(float a, float b, bitexact_bf16 c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_fma_f32_f32_bf16_f32_stochastic(float a, float b, bitexact_bf16 c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f32_f32_f16(float a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_fma_f32_f32_f32_f16_stochastic(float a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f32_f32_bf16(float a, float b, float c, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_fma_f32_f32_f32_bf16_stochastic(float a, float b, float c, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* round_to_integral: x rounded to an integral value */
bitexact_f16 bitexact_round_to_integral_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_round_to_integral_f16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_round_to_integral_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_round_to_integral_bf16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_round_to_integral_f32(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_round_to_integral_f32_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* scalbn: x * 2^n */
bitexact_f16 bitexact_scalbn_f16(bitexact_f16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_scalbn_f16_stochastic(bitexact_f16 a, int32_t b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_scalbn_bf16(bitexact_bf16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_scalbn_bf16_stochastic(bitexact_bf16 a, int32_t b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_scalbn_f32(float a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_scalbn_f32_stochastic(float a, int32_t b, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* remainder: IEEE remainder of x / y */
bitexact_f16 bitexact_remainder_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_remainder_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_remainder_f32(float a, float b, uint8_t *flags);

/* fmod: remainder of the truncated x / y */
bitexact_f16 bitexact_fmod_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_fmod_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_fmod_f32(float a, float b, uint8_t *flags);

/* remquo: IEEE remainder and low quotient digits */
bitexact_f16 bitexact_remquo_f16(bitexact_f16 a, bitexact_f16 b, int32_t *second, uint8_t *flags);
bitexact_bf16 bitexact_remquo_bf16(bitexact_bf16 a, bitexact_bf16 b, int32_t *second, uint8_t *flags);
float bitexact_remquo_f32(float a, float b, int32_t *second, uint8_t *flags);

/* minimum: lesser operand, NaN if either is */
bitexact_f16 bitexact_minimum_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_minimum_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_minimum_f32(float a, float b, uint8_t *flags);

/* maximum: greater operand, NaN if either is */
bitexact_f16 bitexact_maximum_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_maximum_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_maximum_f32(float a, float b, uint8_t *flags);

/* minimum_number: lesser operand, the number if one is NaN */
bitexact_f16 bitexact_minimum_number_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_minimum_number_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_minimum_number_f32(float a, float b, uint8_t *flags);

/* maximum_number: greater operand, the number if one is NaN */
bitexact_f16 bitexact_maximum_number_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_maximum_number_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_maximum_number_f32(float a, float b, uint8_t *flags);

/* minimum_magnitude: operand of lesser magnitude, NaN if either is */
bitexact_f16 bitexact_minimum_magnitude_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_minimum_magnitude_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_minimum_magnitude_f32(float a, float b, uint8_t *flags);

/* maximum_magnitude: operand of greater magnitude, NaN if either is */
bitexact_f16 bitexact_maximum_magnitude_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_maximum_magnitude_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_maximum_magnitude_f32(float a, float b, uint8_t *flags);

/* minimum_magnitude_number: operand of lesser magnitude, the number if one is NaN */
bitexact_f16 bitexact_minimum_magnitude_number_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_minimum_magnitude_number_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_minimum_magnitude_number_f32(float a, float b, uint8_t *flags);

/* maximum_magnitude_number: operand of greater magnitude, the number if one is NaN */
bitexact_f16 bitexact_maximum_magnitude_number_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_maximum_magnitude_number_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_maximum_magnitude_number_f32(float a, float b, uint8_t *flags);

/* copy_sign: x with the sign of y */
bitexact_f16 bitexact_copy_sign_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bitexact_bf16 bitexact_copy_sign_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
float bitexact_copy_sign_f32(float a, float b, uint8_t *flags);

/* negate: -x */
bitexact_f16 bitexact_negate_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_negate_bf16(bitexact_bf16 a, uint8_t *flags);
float bitexact_negate_f32(float a, uint8_t *flags);

/* abs: |x| */
bitexact_f16 bitexact_abs_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_abs_bf16(bitexact_bf16 a, uint8_t *flags);
float bitexact_abs_f32(float a, uint8_t *flags);

/* canonicalize: x, NaN made canonical */
bitexact_f16 bitexact_canonicalize_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_canonicalize_bf16(bitexact_bf16 a, uint8_t *flags);
float bitexact_canonicalize_f32(float a, uint8_t *flags);

/* next_up: least value above x */
bitexact_f16 bitexact_next_up_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_next_up_bf16(bitexact_bf16 a, uint8_t *flags);
float bitexact_next_up_f32(float a, uint8_t *flags);

/* next_down: greatest value below x */
bitexact_f16 bitexact_next_down_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_next_down_bf16(bitexact_bf16 a, uint8_t *flags);
float bitexact_next_down_f32(float a, uint8_t *flags);

/* logb: exponent of x as a float */
bitexact_f16 bitexact_logb_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_logb_bf16(bitexact_bf16 a, uint8_t *flags);
float bitexact_logb_f32(float a, uint8_t *flags);

/* ilogb: exponent of x as an integer */
int32_t bitexact_ilogb_f16(bitexact_f16 a, uint8_t *flags);
int32_t bitexact_ilogb_bf16(bitexact_bf16 a, uint8_t *flags);
int32_t bitexact_ilogb_f32(float a, uint8_t *flags);

/* floor_log2: floor(log2 x) */
int32_t bitexact_floor_log2_f16(bitexact_f16 a, uint8_t *flags);
int32_t bitexact_floor_log2_bf16(bitexact_bf16 a, uint8_t *flags);
int32_t bitexact_floor_log2_f32(float a, uint8_t *flags);

/* ceil_log2: ceil(log2 x) */
int32_t bitexact_ceil_log2_f16(bitexact_f16 a, uint8_t *flags);
int32_t bitexact_ceil_log2_bf16(bitexact_bf16 a, uint8_t *flags);
int32_t bitexact_ceil_log2_f32(float a, uint8_t *flags);

/* frexp: fraction and exponent of x */
bitexact_f16 bitexact_frexp_f16(bitexact_f16 a, int32_t *second, uint8_t *flags);
bitexact_bf16 bitexact_frexp_bf16(bitexact_bf16 a, int32_t *second, uint8_t *flags);
float bitexact_frexp_f32(float a, int32_t *second, uint8_t *flags);

/* modf: fractional and integral part of x */
bitexact_f16 bitexact_modf_f16(bitexact_f16 a, bitexact_f16 *second, uint8_t *flags);
bitexact_bf16 bitexact_modf_bf16(bitexact_bf16 a, bitexact_bf16 *second, uint8_t *flags);
float bitexact_modf_f32(float a, float *second, uint8_t *flags);

/* compare_quiet_equal: x = y */
bool bitexact_compare_quiet_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_equal_f32(float a, float b, uint8_t *flags);

/* compare_quiet_not_equal: not x = y */
bool bitexact_compare_quiet_not_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_not_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_not_equal_f32(float a, float b, uint8_t *flags);

/* compare_quiet_greater: x > y */
bool bitexact_compare_quiet_greater_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_greater_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_greater_f32(float a, float b, uint8_t *flags);

/* compare_quiet_greater_equal: x >= y */
bool bitexact_compare_quiet_greater_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_greater_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_greater_equal_f32(float a, float b, uint8_t *flags);

/* compare_quiet_less: x < y */
bool bitexact_compare_quiet_less_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_less_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_less_f32(float a, float b, uint8_t *flags);

/* compare_quiet_less_equal: x <= y */
bool bitexact_compare_quiet_less_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_less_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_less_equal_f32(float a, float b, uint8_t *flags);

/* compare_quiet_unordered: x or y is NaN */
bool bitexact_compare_quiet_unordered_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_unordered_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_unordered_f32(float a, float b, uint8_t *flags);

/* compare_quiet_not_greater: not x > y */
bool bitexact_compare_quiet_not_greater_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_not_greater_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_not_greater_f32(float a, float b, uint8_t *flags);

/* compare_quiet_less_unordered: x < y, or NaN */
bool bitexact_compare_quiet_less_unordered_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_less_unordered_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_less_unordered_f32(float a, float b, uint8_t *flags);

/* compare_quiet_not_less: not x < y */
bool bitexact_compare_quiet_not_less_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_not_less_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_not_less_f32(float a, float b, uint8_t *flags);

/* compare_quiet_greater_unordered: x > y, or NaN */
bool bitexact_compare_quiet_greater_unordered_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_greater_unordered_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_greater_unordered_f32(float a, float b, uint8_t *flags);

/* compare_quiet_ordered: neither is NaN */
bool bitexact_compare_quiet_ordered_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_quiet_ordered_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_quiet_ordered_f32(float a, float b, uint8_t *flags);

/* compare_signaling_equal: x = y; NaN is invalid */
bool bitexact_compare_signaling_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_equal_f32(float a, float b, uint8_t *flags);

/* compare_signaling_not_equal: not x = y; NaN is invalid */
bool bitexact_compare_signaling_not_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_not_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_not_equal_f32(float a, float b, uint8_t *flags);

/* compare_signaling_greater: x > y; NaN is invalid */
bool bitexact_compare_signaling_greater_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_greater_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_greater_f32(float a, float b, uint8_t *flags);

/* compare_signaling_greater_equal: x >= y; NaN is invalid */
bool bitexact_compare_signaling_greater_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_greater_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_greater_equal_f32(float a, float b, uint8_t *flags);

/* compare_signaling_less: x < y; NaN is invalid */
bool bitexact_compare_signaling_less_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_less_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_less_f32(float a, float b, uint8_t *flags);

/* compare_signaling_less_equal: x <= y; NaN is invalid */
bool bitexact_compare_signaling_less_equal_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_less_equal_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_less_equal_f32(float a, float b, uint8_t *flags);

/* compare_signaling_not_greater: not x > y; NaN is invalid */
bool bitexact_compare_signaling_not_greater_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_not_greater_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_not_greater_f32(float a, float b, uint8_t *flags);

/* compare_signaling_less_unordered: x < y, or NaN; NaN is invalid */
bool bitexact_compare_signaling_less_unordered_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_less_unordered_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_less_unordered_f32(float a, float b, uint8_t *flags);

/* compare_signaling_not_less: not x < y; NaN is invalid */
bool bitexact_compare_signaling_not_less_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_not_less_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_not_less_f32(float a, float b, uint8_t *flags);

/* compare_signaling_greater_unordered: x > y, or NaN; NaN is invalid */
bool bitexact_compare_signaling_greater_unordered_f16(bitexact_f16 a, bitexact_f16 b, uint8_t *flags);
bool bitexact_compare_signaling_greater_unordered_bf16(bitexact_bf16 a, bitexact_bf16 b, uint8_t *flags);
bool bitexact_compare_signaling_greater_unordered_f32(float a, float b, uint8_t *flags);

/* total_order: x at or before y in the total order */
bool bitexact_total_order_f16(bitexact_f16 a, bitexact_f16 b);
bool bitexact_total_order_bf16(bitexact_bf16 a, bitexact_bf16 b);
bool bitexact_total_order_f32(float a, float b);

/* total_order_magnitude: total order of the magnitudes */
bool bitexact_total_order_magnitude_f16(bitexact_f16 a, bitexact_f16 b);
bool bitexact_total_order_magnitude_bf16(bitexact_bf16 a, bitexact_bf16 b);
bool bitexact_total_order_magnitude_f32(float a, float b);

/* classify: class of x */
bitexact_class bitexact_classify_f16(bitexact_f16 a);
bitexact_class bitexact_classify_bf16(bitexact_bf16 a);
bitexact_class bitexact_classify_f32(float a);

/* is_sign_minus: the sign bit is set */
bool bitexact_is_sign_minus_f16(bitexact_f16 a);
bool bitexact_is_sign_minus_bf16(bitexact_bf16 a);
bool bitexact_is_sign_minus_f32(float a);

/* is_normal: x is normal */
bool bitexact_is_normal_f16(bitexact_f16 a);
bool bitexact_is_normal_bf16(bitexact_bf16 a);
bool bitexact_is_normal_f32(float a);

/* is_finite: x is finite */
bool bitexact_is_finite_f16(bitexact_f16 a);
bool bitexact_is_finite_bf16(bitexact_bf16 a);
bool bitexact_is_finite_f32(float a);

/* is_zero: x is +0 or -0 */
bool bitexact_is_zero_f16(bitexact_f16 a);
bool bitexact_is_zero_bf16(bitexact_bf16 a);
bool bitexact_is_zero_f32(float a);

/* is_subnormal: x is subnormal */
bool bitexact_is_subnormal_f16(bitexact_f16 a);
bool bitexact_is_subnormal_bf16(bitexact_bf16 a);
bool bitexact_is_subnormal_f32(float a);

/* is_infinite: x is infinite */
bool bitexact_is_infinite_f16(bitexact_f16 a);
bool bitexact_is_infinite_bf16(bitexact_bf16 a);
bool bitexact_is_infinite_f32(float a);

/* is_nan: x is NaN */
bool bitexact_is_nan_f16(bitexact_f16 a);
bool bitexact_is_nan_bf16(bitexact_bf16 a);
bool bitexact_is_nan_f32(float a);

/* is_signaling: x is a signalling NaN */
bool bitexact_is_signaling_f16(bitexact_f16 a);
bool bitexact_is_signaling_bf16(bitexact_bf16 a);
bool bitexact_is_signaling_f32(float a);

/* is_canonical: the code is canonical */
bool bitexact_is_canonical_f16(bitexact_f16 a);
bool bitexact_is_canonical_bf16(bitexact_bf16 a);
bool bitexact_is_canonical_f32(float a);

/* exp: e^x */
bitexact_f16 bitexact_exp_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_exp_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* exp2: 2^x */
bitexact_f16 bitexact_exp2_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_exp2_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* exp10: 10^x */
bitexact_f16 bitexact_exp10_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_exp10_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* expm1: e^x - 1 */
bitexact_f16 bitexact_expm1_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_expm1_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* exp2m1: 2^x - 1 */
bitexact_f16 bitexact_exp2m1_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_exp2m1_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* exp10m1: 10^x - 1 */
bitexact_f16 bitexact_exp10m1_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_exp10m1_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* sinh: hyperbolic sine of x */
bitexact_f16 bitexact_sinh_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sinh_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* cosh: hyperbolic cosine of x */
bitexact_f16 bitexact_cosh_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_cosh_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* tanh: hyperbolic tangent of x */
bitexact_f16 bitexact_tanh_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_tanh_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* e8m0_encode: E8M0 scale of x under a policy */
bitexact_e8m0 bitexact_e8m0_encode_f16(bitexact_f16 a, bitexact_policy policy, uint8_t *flags);
bitexact_e8m0 bitexact_e8m0_encode_bf16(bitexact_bf16 a, bitexact_policy policy, uint8_t *flags);
bitexact_e8m0 bitexact_e8m0_encode_f32(float a, bitexact_policy policy, uint8_t *flags);

/* e8m0_decode: value of an E8M0 scale */
bitexact_f16 bitexact_e8m0_decode_f16(bitexact_e8m0 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_e8m0_decode_f16_stochastic(bitexact_e8m0 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_e8m0_decode_bf16(bitexact_e8m0 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_e8m0_decode_bf16_stochastic(bitexact_e8m0 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_e8m0_decode_f32(bitexact_e8m0 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_e8m0_decode_f32_stochastic(bitexact_e8m0 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* e8m0_reciprocal: reciprocal of an E8M0 scale */
bitexact_e8m0 bitexact_e8m0_reciprocal(bitexact_e8m0 a);

/* mxint8_encode: x as an MXINT8 element, -2 to 127/64 */
bitexact_mxint8 bitexact_mxint8_encode_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_f16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_bf16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_f32(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_f32_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* mxint8_encode_symmetric: x as an MXINT8 element, -127/64 to 127/64 */
bitexact_mxint8 bitexact_mxint8_encode_symmetric_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_symmetric_f16_stochastic(bitexact_f16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_symmetric_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_symmetric_bf16_stochastic(bitexact_bf16 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_symmetric_f32(float a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_mxint8 bitexact_mxint8_encode_symmetric_f32_stochastic(float a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* mxint8_decode: value of an MXINT8 element */
bitexact_f16 bitexact_mxint8_decode_f16(bitexact_mxint8 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_f16 bitexact_mxint8_decode_f16_stochastic(bitexact_mxint8 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mxint8_decode_bf16(bitexact_mxint8 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mxint8_decode_bf16_stochastic(bitexact_mxint8 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mxint8_decode_f32(bitexact_mxint8 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_mxint8_decode_f32_stochastic(bitexact_mxint8 a, uint16_t random, bitexact_overflow overflow, uint8_t *flags);

/* cbrt: cube root of x */
bitexact_f16 bitexact_cbrt_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_cbrt_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* erf: error function of x */
bitexact_f16 bitexact_erf_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_erf_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* erfc: 1 - erf(x) */
bitexact_f16 bitexact_erfc_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_erfc_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* hypot: sqrt(x^2 + y^2) */
bitexact_f16 bitexact_hypot_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_hypot_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* lgamma: ln |gamma(x)| */
bitexact_f16 bitexact_lgamma_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_lgamma_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* reciprocal: 1 / x */
bitexact_f16 bitexact_reciprocal_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_reciprocal_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* rsqrt: 1 / sqrt(x) */
bitexact_f16 bitexact_rsqrt_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_rsqrt_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* tgamma: gamma function of x */
bitexact_f16 bitexact_tgamma_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_tgamma_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* gelu: x * (1 + erf(x / sqrt 2)) / 2 */
bitexact_f16 bitexact_gelu_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_gelu_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* relu: x where x > 0, else 0 */
bitexact_f16 bitexact_relu_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_relu_bf16(bitexact_bf16 a, uint8_t *flags);

/* relu_backward: gradient of relu */
bitexact_f16 bitexact_relu_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_nan nan, uint8_t *flags);
bitexact_bf16 bitexact_relu_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_nan nan, uint8_t *flags);

/* softsign: x / (1 + |x|) */
bitexact_f16 bitexact_softsign_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_softsign_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* softsign_backward: gradient of softsign */
bitexact_f16 bitexact_softsign_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_softsign_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* hardtanh: x between two bounds */
bitexact_f16 bitexact_hardtanh_f16(bitexact_f16 a, float min, float max, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_hardtanh_bf16(bitexact_bf16 a, float min, float max, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
float bitexact_hardtanh_f32(float a, float min, float max, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* hardtanh_backward: gradient of hardtanh */
bitexact_f16 bitexact_hardtanh_backward_f16(bitexact_f16 a, bitexact_f16 b, float min, float max, bitexact_nan nan, uint8_t *flags);
bitexact_bf16 bitexact_hardtanh_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float min, float max, bitexact_nan nan, uint8_t *flags);
float bitexact_hardtanh_backward_f32(float a, float b, float min, float max, bitexact_nan nan, uint8_t *flags);

/* relu6: x between 0 and 6 */
bitexact_f16 bitexact_relu6_f16(bitexact_f16 a, uint8_t *flags);
bitexact_bf16 bitexact_relu6_bf16(bitexact_bf16 a, uint8_t *flags);
float bitexact_relu6_f32(float a, uint8_t *flags);

/* relu6_backward: gradient of relu6 */
bitexact_f16 bitexact_relu6_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_nan nan, uint8_t *flags);
bitexact_bf16 bitexact_relu6_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_nan nan, uint8_t *flags);
float bitexact_relu6_backward_f32(float a, float b, bitexact_nan nan, uint8_t *flags);

/* hardsigmoid: (x + 3) / 6 between 0 and 1 */
bitexact_f16 bitexact_hardsigmoid_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_hardsigmoid_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* hardsigmoid_backward: gradient of hardsigmoid */
bitexact_f16 bitexact_hardsigmoid_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_nan nan, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_hardsigmoid_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_nan nan, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* hardswish: x * hardsigmoid(x) */
bitexact_f16 bitexact_hardswish_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_hardswish_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* hardswish_backward: gradient of hardswish */
bitexact_f16 bitexact_hardswish_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_nan nan, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_hardswish_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_nan nan, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* sin: sine of x radians */
bitexact_f16 bitexact_sin_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sin_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* cos: cosine of x radians */
bitexact_f16 bitexact_cos_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_cos_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* tan: tangent of x radians */
bitexact_f16 bitexact_tan_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_tan_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* sincos: sine and cosine of x radians */
bitexact_f16 bitexact_sincos_f16(bitexact_f16 a, bitexact_f16 *second, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sincos_bf16(bitexact_bf16 a, bitexact_bf16 *second, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* sinpi: sin(pi x) */
bitexact_f16 bitexact_sinpi_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sinpi_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* cospi: cos(pi x) */
bitexact_f16 bitexact_cospi_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_cospi_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* tanpi: tan(pi x) */
bitexact_f16 bitexact_tanpi_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_tanpi_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* asin: arc sine of x in radians */
bitexact_f16 bitexact_asin_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_asin_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* acos: arc cosine of x in radians */
bitexact_f16 bitexact_acos_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_acos_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* atan: arc tangent of x in radians */
bitexact_f16 bitexact_atan_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_atan_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* asinpi: asin(x) / pi */
bitexact_f16 bitexact_asinpi_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_asinpi_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* acospi: acos(x) / pi */
bitexact_f16 bitexact_acospi_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_acospi_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* atanpi: atan(x) / pi */
bitexact_f16 bitexact_atanpi_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_atanpi_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* atan2: angle of the point (y, x) in radians */
bitexact_f16 bitexact_atan2_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_atan2_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* atan2pi: atan2(x, y) / pi */
bitexact_f16 bitexact_atan2pi_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_atan2pi_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* sigmoid: 1 / (1 + e^-x) */
bitexact_f16 bitexact_sigmoid_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sigmoid_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* sigmoid_backward: gradient of sigmoid */
bitexact_f16 bitexact_sigmoid_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_sigmoid_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* silu: x * sigmoid(x) */
bitexact_f16 bitexact_silu_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_silu_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* silu_backward: gradient of silu */
bitexact_f16 bitexact_silu_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_silu_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* logsigmoid: ln(sigmoid(x)) */
bitexact_f16 bitexact_logsigmoid_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_logsigmoid_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* mish: x * tanh(ln(1 + e^x)) */
bitexact_f16 bitexact_mish_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mish_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* selu: scale * (x if x > 0, else alpha * (e^x - 1)) */
bitexact_f16 bitexact_selu_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_selu_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* tanhshrink: x - tanh(x) */
bitexact_f16 bitexact_tanhshrink_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_tanhshrink_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* gelu_tanh: x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) */
bitexact_f16 bitexact_gelu_tanh_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_gelu_tanh_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* gelu_backward: gradient of gelu */
bitexact_f16 bitexact_gelu_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_gelu_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* gelu_tanh_backward: gradient of gelu_tanh */
bitexact_f16 bitexact_gelu_tanh_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_gelu_tanh_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* logsigmoid_backward: gradient of logsigmoid */
bitexact_f16 bitexact_logsigmoid_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_logsigmoid_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* mish_backward: gradient of mish */
bitexact_f16 bitexact_mish_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_mish_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* selu_backward: gradient of selu */
bitexact_f16 bitexact_selu_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_selu_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* tanh_backward: gradient of tanh */
bitexact_f16 bitexact_tanh_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_tanh_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* tanhshrink_backward: gradient of tanhshrink */
bitexact_f16 bitexact_tanhshrink_backward_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_tanhshrink_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* elu: x if x > 0, else alpha * (e^x - 1) */
bitexact_f16 bitexact_elu_f16(bitexact_f16 a, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_elu_bf16(bitexact_bf16 a, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* elu_backward: gradient of elu */
bitexact_f16 bitexact_elu_backward_f16(bitexact_f16 a, bitexact_f16 b, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_elu_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* celu: x if x > 0, else alpha * (e^(x / alpha) - 1) */
bitexact_f16 bitexact_celu_f16(bitexact_f16 a, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_celu_bf16(bitexact_bf16 a, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* celu_backward: gradient of celu */
bitexact_f16 bitexact_celu_backward_f16(bitexact_f16 a, bitexact_f16 b, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_celu_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float alpha, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* softplus: ln(1 + e^(beta x)) / beta, x if beta x > threshold */
bitexact_f16 bitexact_softplus_f16(bitexact_f16 a, float beta, float threshold, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_softplus_bf16(bitexact_bf16 a, float beta, float threshold, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* softplus_backward: gradient of softplus */
bitexact_f16 bitexact_softplus_backward_f16(bitexact_f16 a, bitexact_f16 b, float beta, float threshold, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_softplus_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float beta, float threshold, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* leaky_relu: x if x >= 0, else negative_slope * x */
bitexact_f16 bitexact_leaky_relu_f16(bitexact_f16 a, float negative_slope, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_leaky_relu_bf16(bitexact_bf16 a, float negative_slope, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* leaky_relu_backward: gradient of leaky_relu */
bitexact_f16 bitexact_leaky_relu_backward_f16(bitexact_f16 a, bitexact_f16 b, float negative_slope, bitexact_nan nan, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_leaky_relu_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float negative_slope, bitexact_nan nan, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* hardshrink: x outside of lambd around 0, else 0 */
bitexact_f16 bitexact_hardshrink_f16(bitexact_f16 a, float lambd, uint8_t *flags);
bitexact_bf16 bitexact_hardshrink_bf16(bitexact_bf16 a, float lambd, uint8_t *flags);

/* hardshrink_backward: gradient of hardshrink */
bitexact_f16 bitexact_hardshrink_backward_f16(bitexact_f16 a, bitexact_f16 b, float lambd, bitexact_nan nan, uint8_t *flags);
bitexact_bf16 bitexact_hardshrink_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float lambd, bitexact_nan nan, uint8_t *flags);

/* softshrink: x moved towards 0 by lambd */
bitexact_f16 bitexact_softshrink_f16(bitexact_f16 a, float lambd, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_softshrink_bf16(bitexact_bf16 a, float lambd, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* softshrink_backward: gradient of softshrink */
bitexact_f16 bitexact_softshrink_backward_f16(bitexact_f16 a, bitexact_f16 b, float lambd, bitexact_nan nan, uint8_t *flags);
bitexact_bf16 bitexact_softshrink_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float lambd, bitexact_nan nan, uint8_t *flags);

/* threshold: x if x > threshold, else value */
bitexact_f16 bitexact_threshold_f16(bitexact_f16 a, float threshold, float value, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_threshold_bf16(bitexact_bf16 a, float threshold, float value, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* threshold_backward: gradient of threshold */
bitexact_f16 bitexact_threshold_backward_f16(bitexact_f16 a, bitexact_f16 b, float threshold, float value, bitexact_nan nan, uint8_t *flags);
bitexact_bf16 bitexact_threshold_backward_bf16(bitexact_bf16 a, bitexact_bf16 b, float threshold, float value, bitexact_nan nan, uint8_t *flags);

/* log: natural logarithm of x */
bitexact_f16 bitexact_log_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_log_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* log2: logarithm of x to base 2 */
bitexact_f16 bitexact_log2_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_log2_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* log10: logarithm of x to base 10 */
bitexact_f16 bitexact_log10_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_log10_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* log1p: natural logarithm of 1 + x */
bitexact_f16 bitexact_log1p_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_log1p_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* log2p1: logarithm of 1 + x to base 2 */
bitexact_f16 bitexact_log2p1_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_log2p1_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* log10p1: logarithm of 1 + x to base 10 */
bitexact_f16 bitexact_log10p1_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_log10p1_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* asinh: inverse hyperbolic sine of x */
bitexact_f16 bitexact_asinh_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_asinh_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* acosh: inverse hyperbolic cosine of x */
bitexact_f16 bitexact_acosh_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_acosh_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* atanh: inverse hyperbolic tangent of x */
bitexact_f16 bitexact_atanh_f16(bitexact_f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_atanh_bf16(bitexact_bf16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* pow: x^y */
bitexact_f16 bitexact_pow_f16(bitexact_f16 a, bitexact_f16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_pow_bf16(bitexact_bf16 a, bitexact_bf16 b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* pown: x^n */
bitexact_f16 bitexact_pown_f16(bitexact_f16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_pown_bf16(bitexact_bf16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* rootn: n-th root of x */
bitexact_f16 bitexact_rootn_f16(bitexact_f16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_rootn_bf16(bitexact_bf16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

/* compound: (1 + x)^n */
bitexact_f16 bitexact_compound_f16(bitexact_f16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);
bitexact_bf16 bitexact_compound_bf16(bitexact_bf16 a, int32_t b, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t *flags);

#ifdef __cplusplus
}
#endif

#endif
