//! Writes `bitexact.h` to standard output, from the catalog's rows; with `--cuda`, `bitexact.cuh`.

use kernels::{Overflow, Rounding, scale::PRESETS};

const HEAD: &str = "\
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
extern \"C\" {
#endif
";

const CUDA_HEAD: &str = "\
/* bitexact: narrow-float kernels specified to the bit, as device functions for CUDA C++.
 *
 * Written by cuda-shim/cpp/header.sh from the catalog's rows: not to be edited. Every kernel's own
 * documentation is the Rust crate's; here is what CUDA adds to it.
 *
 * - ci/ptx-callers.sh makes bitexact_callers_sm_NN.cubin (and its PTX) from the Rust source. To link it:
 *       nvcc -arch=sm_NN -dc bitexact_callers_sm_NN.cubin -o bitexact.o
 *       nvcc -arch=sm_NN -rdc=true yours.cu bitexact.o -o yours
 *   nvlink holds these declarations against it.
 * - bitexact_f16 and bitexact_bf16 are the bits of an IEEE binary16 and of a bfloat16 (__half_as_ushort and the like
 *   make them); the 8-bit and 4-bit types are codes in the low bits of a byte. float and double are passed as they are
 *   and never computed with: no compiler flag of nvcc's changes a result.
 * - flags may be NULL. Else the exceptions that the call raises are added to what *flags holds.
 * - A function of two results returns the first and writes the second to *second, which may be NULL too.
 * - An argument that is no value of its type (a rounding above BITEXACT_TO_ODD, bounds that are NaN or out of order)
 *   gives 0 and adds BITEXACT_WRONG_ARGUMENT alone.
 * - Nothing here allocates or keeps state.
 */
#ifndef BITEXACT_CUH
#define BITEXACT_CUH

#include <stdint.h>

extern \"C\" {
";

const TYPES: &str = "
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

";

fn main() {
    let cuda = std::env::args()
        .nth(1)
        .is_some_and(|argument| argument == "--cuda");
    let mut text = if cuda { CUDA_HEAD } else { HEAD }.to_owned() + TYPES;
    let place = if cuda { "__device__ " } else { "" };
    let constants = |text: &mut String, names: &[String]| {
        text.push_str("enum {\n");
        for (number, name) in names.iter().enumerate() {
            text.push_str(&format!("    BITEXACT_{name} = {number},\n"));
        }
        text.push_str("};\n\n");
    };
    let shouted = |name: &str| {
        let mut shouted = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() && !shouted.is_empty() {
                shouted.push('_');
            }
            shouted.push(if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            });
        }
        shouted
    };
    text.push_str("/* bitexact_rounding */\n");
    constants(
        &mut text,
        &Rounding::ALL.map(|rounding| shouted(&format!("{rounding:?}"))),
    );
    text.push_str("/* bitexact_overflow */\n");
    constants(
        &mut text,
        &Overflow::ALL.map(|rule| format!("OVERFLOW_{}", shouted(&format!("{rule:?}")))),
    );
    text.push_str("/* bitexact_nan: what a NaN operand gives */\n");
    constants(
        &mut text,
        &["PASS", "ZERO", "PROPAGATE"].map(|name| format!("NAN_{name}")),
    );
    text.push_str("/* bitexact_policy: how a scale is made */\n");
    let policies: Vec<_> = PRESETS
        .iter()
        .map(|(name, _)| format!("POLICY_{}", shouted(name)))
        .collect();
    constants(&mut text, &policies);
    text.push_str(
        "/* flags */\nenum {\n    BITEXACT_INEXACT = 0x01,\n    BITEXACT_UNDERFLOW = 0x02,\n    \
         BITEXACT_OVERFLOW = 0x04,\n    BITEXACT_DIVIDE_BY_ZERO = 0x08,\n    BITEXACT_INVALID = 0x10,\n    \
         BITEXACT_WRONG_ARGUMENT = 0x80,\n};\n",
    );
    let mut last = "";
    let mut row = |name: &[&str],
                   operands: &[&str],
                   results: &[&str],
                   kind: &str,
                   parameters: &[&str],
                   doc: &'static str| {
        if last != name[0] {
            text.push_str(&format!("\n/* {}: {doc} */\n", name[0]));
        }
        last = doc;
        let c = |ty: &str| match ty {
            "f32" => "float".to_owned(),
            "f64" => "double".to_owned(),
            "bool" => "bool".to_owned(),
            "i8" | "i16" | "i32" | "i64" => format!("int{}_t", &ty[1..]),
            "u8" | "u16" | "u32" | "u64" => format!("uint{}_t", &ty[1..]),
            other => format!("bitexact_{}", other.to_lowercase()),
        };
        let more: &[&str] = match kind {
            "silent" | "exact" => &[],
            "mode" | "stochastic" => &["bitexact_rounding rounding", "bitexact_overflow overflow"],
            "policy" => &["bitexact_policy policy"],
            "bounds" => &[
                "float min",
                "float max",
                "bitexact_rounding rounding",
                "bitexact_overflow overflow",
            ],
            "bounds_nan" => &["float min", "float max", "bitexact_nan nan"],
            "nan" => &["bitexact_nan nan"],
            "nan_mode" => &[
                "bitexact_nan nan",
                "bitexact_rounding rounding",
                "bitexact_overflow overflow",
            ],
            other => panic!("a kind of arguments that the header does not know: {other}"),
        };
        let mut declare = |suffix: &str, more: &[&str]| {
            let names = ["a", "b", "c"];
            let mut arguments: Vec<_> = operands
                .iter()
                .zip(names)
                .map(|(ty, name)| format!("{} {name}", c(ty)))
                .collect();
            arguments.extend(results.get(1).map(|ty| format!("{} *second", c(ty))));
            arguments.extend(parameters.iter().map(|name| format!("float {name}")));
            arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
            if kind != "silent" {
                arguments.push("uint8_t *flags".into());
            }
            let (result, name) = (c(results[0]), name.join("_"));
            text.push_str(&format!(
                "{place}{result} bitexact_{name}{suffix}({});\n",
                arguments.join(", ")
            ));
        };
        declare("", more);
        if kind == "stochastic" {
            declare(
                "_stochastic",
                &["uint16_t random", "bitexact_overflow overflow"],
            );
        }
        last = name[0].to_owned().leak();
    };
    macro_rules! result {
        (($p:ident, $q:ident)) => {
            &[stringify!($p), stringify!($q)]
        };
        ($p:ident) => {
            &[stringify!($p)]
        };
    }
    // The kind of the arguments after the parameters, and these.
    macro_rules! kind {
        (with ([$($p:ident)*] $checks:tt $arguments:tt $kind:ident)) => {
            stringify!($kind)
        };
        ($kind:ident) => {
            stringify!($kind)
        };
    }
    macro_rules! parameters {
        (([$($p:ident)*] $checks:tt $arguments:tt $kind:ident)) => {
            &[$(stringify!($p)),*]
        };
        () => {
            &[]
        };
    }
    macro_rules! each {
        (
            $kernel:ident [$($suffix:ident)*] ($($operand:ident),*) -> $result:tt;
            $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal
        ) => {
            row(
                &[stringify!($kernel) $(, stringify!($suffix))*],
                &[$(stringify!($operand)),*],
                result!($result),
                kind!($kind $(($($with)*))?),
                parameters!($(($($with)*))?),
                $doc,
            );
        };
    }
    kernels::for_each_kernel!(each);
    text.push_str(match cuda {
        true => "\n} /* extern \"C\" */\n\n#endif\n",
        false => "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
    });
    print!("{text}");
}
