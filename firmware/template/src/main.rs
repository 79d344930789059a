//! A neuron with two weights in flash. `cargo run --release` runs it in QEMU.
#![no_std]
#![no_main]

use bitexact::nn::{Affine, Weights, dense};
use bitexact::reduce::ExactSums;
use bitexact::{Mode, activation, bf16};
use panic_halt as _;

static WEIGHTS: [bf16; 2] = [bf16::from_bits(0x3FC0), bf16::from_bits(0xBF00)]; // 1.5, -0.5
static BIAS: [bf16; 1] = [bf16::from_bits(0x3E80)]; // 0.25

/// The compiler computes what the kernel needs to know of the weights.
const NEURON: Affine<'static, bf16, bf16, ExactSums> = Affine {
    weights: Weights::<bf16>::new(&WEIGHTS),
    bias: Some(&BIAS),
    accumulation: ExactSums,
    mode: Mode::TIES_TO_EVEN,
};

#[cortex_m_rt::entry]
fn main() -> ! {
    let x = core::hint::black_box([bf16::ONE, bf16::ONE]);
    let mut out = [bf16::ZERO; 1];
    let done = dense(
        &x,
        &NEURON,
        |sum: bf16| activation::relu(sum),
        &mut [0; 4],
        &mut out,
    );
    // relu(1.5 - 0.5 + 0.25) is 1.25.
    let right = done.is_ok() && out == [bf16::from_bits(0x3FA0)];
    exit(right)
}

/// Ends QEMU with the status 0 or 1. On a board, replace it by what your product does.
fn exit(right: bool) -> ! {
    let reason = if right { 0x2_0026u32 } else { 0x2_0023 };
    // SAFETY: a semihosting call: SYS_EXIT.
    unsafe { core::arch::asm!("bkpt 0xAB", in("r0") 0x18u32, in("r1") reason) };
    loop {}
}
