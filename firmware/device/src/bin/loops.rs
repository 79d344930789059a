//! Instructions for an element in loops over slices (QEMU's `-icount shift=6`):
//! `firmware/helium.sh` compares a Cortex-M55 with Helium and without. A line for each loop: its
//! name, instructions for 256 elements, a checksum of its results.
#![no_std]
#![no_main]

use bitexact::format::E4M3FN;
use bitexact::tensor::{accumulate, map, map_in_place, multiply, scale};
use bitexact::{Mode, activation, arith, bf16, convert, f16, math};
use core::hint::black_box;
use device::board;
use device::timer::Counter;

#[cortex_m_rt::entry]
fn main() -> ! {
    match board::end(loops()) {}
}

const LENGTH: usize = 256;
const MODE: Mode = Mode::TIES_TO_EVEN;

/// Numbers of both signs with exponents about 0.
fn operand(k: usize) -> f32 {
    let bits = (k as u32).wrapping_mul(0x9E37_79B1) >> 4;
    f32::from_bits(0x3C00_0000 + bits % 0x0500_0000 | (k as u32 & 1) << 31)
}

/// A checksum that depends on the order of the words.
fn checksum(words: impl Iterator<Item = u32>) -> u32 {
    words.fold(0, |sum, word| {
        sum.rotate_left(5).wrapping_mul(0x9E37_79B1) ^ word
    })
}

/// Loops of a type's elements: each a function of its own, `loop_NAME`, in which
/// `firmware/helium.sh` counts vector instructions.
macro_rules! loops {
    ($counter:ident; $($name:ident ($x:ident: $t:ty, $out:ident: $r:ty) $body:expr;)*) => {
        $({
            #[unsafe(export_name = concat!("loop_", stringify!($name)))]
            #[inline(never)]
            fn run($x: &[$t; LENGTH], $out: &mut [$r; LENGTH]) {
                let _ = $body;
            }
            let x: [$t; LENGTH] = core::array::from_fn(|k| <$t as Element>::of(operand(k)));
            let mut out: [$r; LENGTH] = core::array::from_fn(|k| <$r as Element>::of(operand(k + 99)));
            let (instructions, ()) = $counter.count(|| run(black_box(&x), black_box(&mut out)));
            defmt::info!(
                "{=str} {=u32} {=u32:08X}",
                stringify!($name),
                instructions,
                checksum(out.iter().map(|x| x.word()))
            );
        })*
    };
}

trait Element: Copy {
    fn of(x: f32) -> Self;
    fn word(self) -> u32;
}
macro_rules! elements {
    ($($t:ident)*) => {
        $(impl Element for $t {
            fn of(x: f32) -> Self {
                convert::convert(x, MODE)
            }
            fn word(self) -> u32 {
                self.to_bits().into()
            }
        })*
    };
}
elements!(f16 bf16 f32 E4M3FN);
impl Element for i16 {
    fn of(x: f32) -> Self {
        convert::to_fixed(x, 15, MODE)
    }
    fn word(self) -> u32 {
        self as u32
    }
}

fn loops() -> Result<bool, &'static str> {
    let counter = Counter::new()?;
    loops! { counter;
        negate_bf16(x: bf16, out: bf16) map(x, arith::negate, out);
        abs_f16(x: f16, out: f16) map(x, arith::abs, out);
        relu_bf16(x: bf16, out: bf16) { out.copy_from_slice(x); map_in_place(out, activation::relu) };
        widen_bf16(x: bf16, out: f32) map(x, |x| convert::convert(x, MODE), out);
        narrow_bf16(x: f32, out: bf16) map(x, |x| convert::convert(x, MODE), out);
        narrow_f16(x: f32, out: f16) map(x, |x| convert::convert(x, MODE), out);
        narrow_e4m3fn(x: f32, out: E4M3FN) map(x, |x| convert::convert(x, MODE), out);
        to_q15_bf16(x: bf16, out: i16) map(x, |x| convert::to_fixed(x, 15, MODE), out);
        from_q15_bf16(x: i16, out: bf16) map(x, |x| convert::from_fixed(x, 15, MODE), out);
        multiply_bf16(x: bf16, out: bf16) multiply(out, x, MODE);
        scale_bf16(x: bf16, out: bf16) { out.copy_from_slice(x); scale(out, 0.5f32, MODE) };
        accumulate_bf16(x: bf16, out: bf16) accumulate(out, x, bf16::ONE, MODE);
        exp_bf16(x: bf16, out: bf16) map(x, |x| math::exp(x, MODE), out);
    }
    Ok(true)
}
