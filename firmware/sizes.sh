#!/usr/bin/env bash
# Prints the bytes of code that composites take on a Cortex-M4, each with all that it calls, in the working tree and at earlier commits:
# firmware/sizes.sh [COMMIT...]. Optimised for size, with link-time optimisation.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/setup-cross.sh"
readonly TARGET=thumbv7em-none-eabi HERE=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A bodies=(
    ["sum_exact bf16"]='f(x: &[bf16], m: Mode) -> f32 { bitexact::reduce::sum_exact(x, m) }'
    ["dot_exact bf16"]='f(x: &[bf16], y: &[bf16], m: Mode) -> f32 { bitexact::reduce::dot_exact(x, y, m).unwrap_or(0.0) }'
    ["sum sequential f32"]='f(x: &[f32], m: Mode) -> f32 { bitexact::reduce::sum(x, Order::Sequential, m) }'
    ["gemm exact bf16 f32"]='f(a: &View<bf16, 2>, b: &View<bf16, 2>, m: Mode, c: &mut ViewMut<f32, 2>) -> bool { bitexact::tensor::gemm(a, b, Accumulation::Exact, m, c).is_ok() }'
    ["gemm sequential bf16 f32"]='f(a: &View<bf16, 2>, b: &View<bf16, 2>, m: Mode, c: &mut ViewMut<f32, 2>) -> bool { bitexact::tensor::gemm(a, b, Accumulation::Declared(Order::Sequential), m, c).is_ok() }'
    ["gemm, order as an argument"]='f(a: &View<bf16, 2>, b: &View<bf16, 2>, o: Accumulation, m: Mode, c: &mut ViewMut<f32, 2>) -> bool { bitexact::tensor::gemm(a, b, o, m, c).is_ok() }'
    ["linear f32"]='f(x: &[Binary32], w: &[Binary32], b: &[Binary32], y: &mut [Binary32]) -> bool { bitexact::nn::linear(x, w, Some(b), y).is_ok() }'
    ["conv2d f32"]='f(x: &[Binary32], w: &[Binary32], b: &[Binary32], s: &bitexact::nn::Conv2d, y: &mut [Binary32]) -> bool { bitexact::nn::conv2d(x, w, Some(b), s, y).is_ok() }'
    ["scale::gemm exact E4M3FN f32"]='f(a: &BlockMatrix<E4M3FN>, b: &BlockMatrix<E4M3FN>, m: Mode, c: &mut [f32]) -> bool { bitexact::scale::gemm(a, b, Accumulation::Exact, m, c).is_ok() }'
)
mapfile -t names < <(printf '%s\n' "${!bodies[@]}" | sort)

# program KERNELS: a crate with a program for each composite.
program() {
    local n=0 name
    rm -rf "$work/crate"
    mkdir -p "$work/crate/src/bin"
    cat >"$work/crate/Cargo.toml" <<TOML
[package]
name = "sizes"
version = "0.0.0"
edition = "2024"
[dependencies]
bitexact = { path = "$1" }
[profile.release]
opt-level = "s"
lto = true
panic = "abort"
codegen-units = 1
[workspace]
TOML
    for name in "${names[@]}"; do
        cat >"$work/crate/src/bin/p$n.rs" <<RUST
#![no_std]
#![no_main]
#![allow(warnings)]
use bitexact::{bf16, Mode, format::{Binary32, E4M3FN}, reduce::Order, scale::BlockMatrix, tensor::{Accumulation, View, ViewMut}};
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
#[unsafe(no_mangle)]
pub fn ${bodies[$name]}
RUST
        n=$((n + 1))
    done
}

# bytes: of each program's code and constants.
bytes() {
    local n
    (cd "$work/crate" && RUSTFLAGS="-C link-arg=-ef -C link-arg=--gc-sections" \
        cross_cargo "$TARGET" build --quiet --release --target-dir "$work/target" >&2) || die "the programs do not compile"
    for n in "${!names[@]}"; do
        env "${CROSS_ENV[@]}" llvm-size -A "$work/target/$TARGET/release/p$n" | awk '$1 ~ /^\.(text|rodata)/ { sum += $2 } END { print sum + 0 }'
    done
}

columns=()
for commit in "$@"; do
    mkdir -p "$work/$commit"
    git archive "$commit" | tar -x -C "$work/$commit"
    program "$work/$commit/kernels"
    columns+=("$(bytes)")
done
program "$HERE/kernels"
columns+=("$(bytes)")
heading="| bytes |"
rule="|---|"
for commit in "$@" "$(git describe --always --dirty)"; do
    heading+=" $commit |"
    rule+="---|"
done
printf '%s\n%s\n' "$heading" "$rule"
paste -d'|' <(printf '%s\n' "${names[@]}") <(printf '%s\n' "${columns[0]}") $(for column in "${columns[@]:1}"; do f=$(mktemp -p "$work") && printf '%s\n' "$column" >"$f" && echo "$f"; done) |
    sed 's/|/ | /g; s/^/| /; s/$/ |/'
