//! The branch-free loops of add, sub, mul and div of 16-bit formats, at every level.

use bitexact::{bf16, f16};
use bitexact_slices::way::{Way, by};
use bitexact_slices::{Level, kernel};
use half::slice::HalfBitsSliceExt;
use sweep_catalog::mode;
use sweep_inputs::{Overflow, Rounding};

/// A row's loop at a level over two slices of operands, in a mode, into results; all of equal
/// length.
pub type Loop = fn(Level, [&[u16]; 2], &mut [u16], Rounding, Overflow);

macro_rules! pairs {
    ($kernel:ident $float:ident) => {
        |level, [x, y], out, rounding, overflow| {
            let operands = (
                x.reinterpret_cast::<$float>(),
                y.reinterpret_cast::<$float>(),
            );
            let out = out.reinterpret_cast_mut::<$float>();
            let mode = mode::of(rounding, overflow);
            by::<kernel::$kernel, _, _, _>(Way::Level(level), operands, out, mode)
                .expect("slices of one length");
        }
    };
}

/// The loop of a row that has one.
#[must_use]
pub fn of(row: &str) -> Option<Loop> {
    Some(match row {
        "add.f16" => pairs!(add f16),
        "sub.f16" => pairs!(sub f16),
        "mul.f16" => pairs!(mul f16),
        "div.f16" => pairs!(div f16),
        "add.bf16" => pairs!(add bf16),
        "sub.bf16" => pairs!(sub bf16),
        "mul.bf16" => pairs!(mul bf16),
        "div.bf16" => pairs!(div bf16),
        _ => return None,
    })
}
