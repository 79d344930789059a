#!/usr/bin/env bash
# Checks that the branch-free loops of bitexact-slices are vectorised: in the machine code of the example `loops`, every
# loop at every level has packed integer instructions of the level's width. Skipped on targets other than x86-64.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if [ "$(uname -m)" != x86_64 ]; then
    not_run "it checks x86-64 instructions only"
fi
command -v objdump >/dev/null || apt_install binutils

# Symbols that name their types.
RUSTFLAGS="-C symbol-mangling-version=v0" CARGO_TARGET_DIR=$TARGET_DIR/vectorised \
    cargo build --quiet --locked --release -p bitexact-slices --features _every_row --example loops
program=$TARGET_DIR/vectorised/release/examples/loops
code=$(mktemp)
trap 'rm -f "$code"' EXIT
objdump --disassemble --demangle --no-show-raw-insn "$program" >"$code"

# packed LEVEL REGISTER LANE: the number of packed integer instructions with that register in a lane's loop at a level.
packed() {
    local lane=simd::$3
    case $3 in fill::*) lane=$3 ;; esac
    awk -v wanted="$3" -v level="level::$1::<" -v register="%$2" -v lane="$lane" '
        # The loops of a function of many lanes are named after it, and by no lane that they fall back to.
        /^[0-9a-f]+ <.*>:$/ { here = index($0, level) && index($0, lane) && (index($0, "Loop") || index(lane, "fill::") || index($0, "simd::blocks::") || index($0, "simd::hardware::") || index($0, "<bitexact_slices::simd::" wanted)) && !index($0, "simd::status::") == !index(lane, "simd::status::"); if (here) found = 1 }
        here && $2 ~ /^v?(p[a-z]|cvtdq2ps)/ && index($0, register) { count++ }
        END { print found ? count + 0 : -1 }
    ' "$code"
}

# Lanes and the least number of such instructions in their loop: about half of the count when this was written. `directed::Pairs` has
# an integer loop beside its own, so that nearly all are asked for. `status::Check` finds the exceptions of a lane's results. (from_f64 has no such loop at the baseline: SSE2 has
# too little for 64 bits.)
expected='convert::Narrow<half::binary16::f16> 27
convert::Narrow<half::bfloat::bf16> 16
convert::Narrow<half::bfloat::bf16, true> 10
convert::Narrow<bitexact::format::narrow::E4M3FN> 25
convert::Narrow<bitexact::format::narrow::E2M1, true> 20
convert::Widen<half::binary16::f16> 10
convert::Widen<half::bfloat::bf16> 12
convert::Widen<half::bfloat::bf16, true> 6
scale::Encode 35
scale::Decode<f32> 5
add::Add<half::binary16::f16 115
add::Add<half::bfloat::bf16 100
add::Add<f32 45
mul::Mul<half::binary16::f16 95
mul::Mul<half::bfloat::bf16 80
mul::Mul<f32 50
div::Div<half::binary16::f16 115
div::Div<half::bfloat::bf16 100
fma::Fma<half::bfloat::bf16 200
fma::Rows< 6
codes::Fill<bitexact_slices::simd::bit_ops::Relate<f32 11
codes::Fill<bitexact_slices::simd::bit_ops::Relate<half::bfloat::bf16 10
codes::Fill<bitexact_slices::simd::bit_ops::Order<f32 8
codes::Fill<bitexact_slices::simd::bit_ops::Choose<f32, false 16
codes::Fill<bitexact_slices::simd::bit_ops::Choose<f32, true 20
codes::Fill<bitexact_slices::simd::bit_ops::Choose<half::bfloat::bf16, false 14
codes::Fill<bitexact_slices::simd::bit_ops::Neighbour<f32 8
codes::Fill<bitexact_slices::simd::bit_ops::Range<half::bfloat::bf16 8
codes::Any<f32 20
hardware::Pairs<half::bfloat::bf16, bitexact_slices::simd::operation::Sum> 12
hardware::Pairs<half::bfloat::bf16, bitexact_slices::simd::operation::Product> 12
hardware::Pairs<half::bfloat::bf16, bitexact_slices::simd::operation::Quotient> 12
hardware::Pairs<half::bfloat::bf16, bitexact_slices::simd::operation::Root> 12
directed::Pairs<half::bfloat::bf16, bitexact_slices::simd::operation::Sum 290
directed::Pairs<half::bfloat::bf16, bitexact_slices::simd::operation::Product 178
directed::Pairs<half::bfloat::bf16, bitexact_slices::simd::operation::Quotient 320
directed::Pairs<half::binary16::f16, bitexact_slices::simd::operation::Sum 163
directed::Pairs<half::binary16::f16, bitexact_slices::simd::operation::Quotient 190
status::Check<bitexact_slices::simd::add::Add<half::binary16::f16 28
status::Check<bitexact_slices::simd::add::Add<half::bfloat::bf16 14
status::Check<bitexact_slices::simd::add::Add<f32 12
status::Check<bitexact_slices::simd::mul::Mul<half::binary16::f16 28
status::Check<bitexact_slices::simd::mul::Mul<half::bfloat::bf16 14
status::Check<bitexact_slices::simd::mul::Mul<f32 13
status::Check<bitexact_slices::simd::div::Div<half::binary16::f16 29
status::Check<bitexact_slices::simd::div::Div<half::bfloat::bf16 14
status::Check<bitexact_slices::simd::hardware::DivF32 13
status::Check<bitexact_slices::simd::sqrt::Sqrt<half::binary16::f16> 15
status::Check<bitexact_slices::simd::sqrt::Sqrt<half::bfloat::bf16> 5
status::Check<bitexact_slices::simd::fma::Fma<half::bfloat::bf16 34
status::Check<bitexact_slices::simd::convert::Narrow<half::binary16::f16 10
status::Check<bitexact_slices::simd::convert::Narrow<half::bfloat::bf16 7
status::Check<bitexact_slices::simd::convert::Narrow<bitexact::format::narrow::E4M3FN 10
status::Check<bitexact_slices::simd::convert::Widen<half::binary16::f16 15
blocks::Quantise<f32, bitexact::format::narrow::E4M3FN, ()> 45
blocks::Quantise<half::bfloat::bf16, bitexact::format::narrow::E2M1, ()> 40
blocks::Quantise<f32, bitexact::format::mx_int8::MxInt8, ()> 45
blocks::Quantise<f32, bitexact::format::narrow::E4M3FN, u16> 45
blocks::Quantise<half::bfloat::bf16, bitexact::format::narrow::E2M1, u16> 40
blocks::Quantise<f32, bitexact::format::mx_int8::MxInt8, u16> 45
blocks::Dequantise<bitexact::format::narrow::E4M3FN, f32> 35
blocks::Dequantise<bitexact::format::narrow::E2M1, half::bfloat::bf16> 70
blocks::Dequantise<bitexact::format::mx_int8::MxInt8, f32> 30
fill::Intervals<enclosures::enclosure::exp::Exp, half::binary16::f16 25
fill::Intervals<enclosures::enclosure::activation::Gelu, half::bfloat::bf16 22
fill::Intervals<enclosures::enclosure::sin::Sin, half::bfloat::bf16 20'
failed=0
while read -r line; do
    lane=${line% *} least=${line##* }
    for level in baseline/xmm avx2/ymm avx512/zmm; do
        # At the baseline, the kernel finds most exceptions and fills tables.
        case $lane/$level in status::*/baseline/* | fill::*/baseline/*) continue ;; esac
        count=$(packed "${level%/*}" "${level#*/}" "$lane")
        result=ok
        [ "$count" -ge "$least" ] || { result=FAIL failed=1; }
        printf '%-70s %-9s %4d packed instructions of %s, at least %3d: %s\n' "$lane" "${level%/*}" "$count" "${level#*/}" "$least" "$result"
    done
done <<<"$expected"
[ "$failed" = 0 ] || die "a loop is not vectorised"
"$program"
