//! `bitexact-fpu` against the integer kernels, in every mode of the FPU. A line for each mode and
//! function: how many operands, and on how many the two differ.
//!
//! | operands | in the default mode | in each other mode |
//! |---|---|---|
//! | one of 16 bits | all 65,536 | all 65,536 |
//! | one of f32 | every f16 number and every midpoint, each with two neighbours on either side; random ones | every 16th, fewer |
//! | pairs | all of a list of edges (extreme exponents and those near 1, extreme significands, NaNs); random ones | fewer |
//! | triples | all of a shorter list; random ones | fewer |
//!
//! Three of four random operands are chosen near the previous one, near its reciprocal or near the
//! product of those before, so that sums cancel and results of bf16 are subnormal.
//!
//! Wrong paths must be found: a fused multiply-add that is rounded twice, in every mode; a sum or a
//! conversion without the test of the mode, in the modes that change results.
#![no_std]
#![no_main]

use bitexact::{Mode, arith, bf16, convert, f16};
use core::arch::{asm, naked_asm};
use device::board;
use heapless::Vec;

#[cortex_m_rt::entry]
fn main() -> ! {
    match board::end(fpu()) {}
}

const EVEN: Mode = Mode::TIES_TO_EVEN;

/// Codes in, code out.
type Function = fn([u32; 3]) -> u32;

#[derive(Clone, Copy)]
enum Operands {
    /// A code of 16 bits.
    Half,
    Single,
    Pair(Layout),
    Triple(Layout),
}

/// A format's fields.
#[derive(Clone, Copy)]
struct Layout {
    /// Bits of the significand's fraction.
    fraction: u32,
    /// The largest exponent field of a number.
    top: u32,
}
const F16: Layout = Layout {
    fraction: 10,
    top: 30,
};
const BF16: Layout = Layout {
    fraction: 7,
    top: 254,
};

/// The modes, as bits of FPSCR, and whether they change results other than NaNs.
const MODES: [(&str, u32, bool); 9] = [
    ("default", 0, false),
    // Only a Cortex-M55 has this bit, and no conversion heeds it.
    ("flush f16 to zero", 1 << 19, false),
    ("default NaN", 1 << 25, false),
    ("alternative half precision", 1 << 26, true),
    ("flush to zero", 1 << 24, true),
    ("towards positive", 0b01 << 22, true),
    ("towards negative", 0b10 << 22, true),
    ("towards zero", 0b11 << 22, true),
    (
        "all of them",
        1 << 24 | 1 << 25 | 1 << 26 | 0b11 << 22,
        true,
    ),
];

/// Sets the mode, and returns whether the FPU has all of its bits.
fn set(mode: u32) -> bool {
    // SAFETY: no code here relies on the FPU's mode but the paths that are wrong on purpose.
    unsafe { asm!("vmsr fpscr, {}", in(reg) mode) };
    has(mode)
}

fn has(mode: u32) -> bool {
    let control: u32;
    // SAFETY: reads a register.
    unsafe { asm!("vmrs {}, fpscr", out(reg) control) };
    let everywhere = 0x1F << 22;
    control & everywhere == mode & everywhere
}

/// How many operands of a kind there are.
struct Extent {
    /// Every so-manieth f16 code for the operands of f32.
    step: usize,
    /// The exponents of the lists of edges, and random operands.
    exponents: [usize; 2],
    random: u32,
}
const WHOLE: Extent = Extent {
    step: 1,
    exponents: [EXPONENTS, 5],
    random: 1 << 20,
};
const SOME: Extent = Extent {
    step: 16,
    exponents: [5, 2],
    random: 1 << 12,
};
const EXPONENTS: usize = 20;

impl Layout {
    const fn one(self) -> u32 {
        (self.top / 2) << self.fraction
    }

    /// Numbers with extreme fractions and these exponents (the first are the most extreme),
    /// infinities and NaNs, of both signs.
    fn edges(self, exponents: usize) -> Vec<u32, { 2 * (8 * EXPONENTS + 4) }> {
        let one = self.top / 2;
        let fields: [u32; EXPONENTS] = [
            0,
            one,
            1,
            self.top,
            one - self.fraction - 1,
            one + 1,
            one - 1,
            2,
            self.top - 1,
            one - self.fraction,
            one - self.fraction - 2,
            one + self.fraction,
            one + self.fraction + 1,
            one / 2,
            one / 2 + 1,
            one + one / 2,
            3,
            one + 2,
            one - 2,
            one + 3,
        ];
        let (half, all) = (1 << (self.fraction - 1), (1 << self.fraction) - 1);
        let numbers = fields.into_iter().take(exponents).flat_map(|field| {
            [0, 1, 2, half - 1, half, half + 1, all - 1, all]
                .map(|bits| field << self.fraction | bits)
        });
        let infinity = (self.top + 1) << self.fraction;
        let others = [infinity, infinity + 1, infinity + half, infinity + all];
        numbers
            .chain(others)
            .flat_map(|code| [code, code | 0x8000])
            .collect()
    }
}

/// The generator xorshift32.
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// A code of 16 bits: near this one, with any sign.
    fn near(&mut self, code: u32) -> u32 {
        let bits = self.next();
        (code.wrapping_add(bits >> 20).wrapping_sub(1 << 11) & 0x7FFF) | (bits & 0x8000)
    }

    fn triple(&mut self, layout: Layout) -> [u32; 3] {
        let (kinds, one) = (self.next() >> 16, layout.one());
        let x = self.next() >> 16;
        let y = match kinds & 3 {
            0 => self.next() >> 16,
            1 => self.near(x),
            2 => self.near(one.wrapping_sub(x)),
            _ => self.near(one.wrapping_add(x)),
        };
        let z = match kinds >> 2 & 3 {
            0 => self.next() >> 16,
            _ => self.near(x.wrapping_add(y).wrapping_sub(one)),
        };
        [x, y, z]
    }
}

/// On how many operands two functions differ, and of how many.
struct Comparison {
    path: Function,
    kernel: Function,
    differ: u32,
    of: u32,
    first: [u32; 3],
}

impl Comparison {
    fn at(&mut self, operands: [u32; 3]) {
        self.of += 1;
        if (self.path)(operands) != (self.kernel)(operands) {
            if self.differ == 0 {
                self.first = operands;
            }
            self.differ += 1;
        }
    }

    #[inline(never)]
    fn over(path: Function, kernel: Function, operands: Operands, extent: &Extent) -> Self {
        let mut seen = Self {
            path,
            kernel,
            differ: 0,
            of: 0,
            first: [0; 3],
        };
        let mut random = Random(0x1234_5678);
        match operands {
            Operands::Half => (0..=0xFFFF).for_each(|code| seen.at([code, 0, 0])),
            Operands::Single => {
                for code in (0..=0xFFFFu16).step_by(extent.step) {
                    for centre in around(code) {
                        (0..5)
                            .for_each(|k| seen.at([centre.wrapping_add(k).wrapping_sub(2), 0, 0]));
                    }
                }
                (0..extent.random).for_each(|_| seen.at([random.next(), 0, 0]));
            }
            Operands::Pair(layout) => {
                let edges = layout.edges(extent.exponents[0]);
                for x in &edges {
                    edges.iter().for_each(|y| seen.at([*x, *y, 0]));
                }
                (0..extent.random).for_each(|_| seen.at(random.triple(layout)));
            }
            Operands::Triple(layout) => {
                let edges = layout.edges(extent.exponents[1]);
                for x in &edges {
                    for y in &edges {
                        edges.iter().for_each(|z| seen.at([*x, *y, *z]));
                    }
                }
                (0..extent.random).for_each(|_| seen.at(random.triple(layout)));
            }
        }
        seen
    }
}

/// An f16 number and the midpoint between it and the next code's, as codes of f32; the next of the
/// largest number is 2^16, which as an f16 would be an infinity.
fn around(code: u16) -> [u32; 2] {
    let wide = |code| -> f32 { convert::convert(f16::from_bits(code), EVEN) };
    let (this, next) = (wide(code), wide(code.wrapping_add(1)));
    let next = if arith::is_infinite(next) {
        arith::copy_sign(65536.0, this)
    } else {
        next
    };
    let sum: f32 = arith::add(this, next, EVEN);
    [this.to_bits(), arith::scalbn(sum, -1, EVEN).to_bits()]
}

/// A name, the path through the FPU, the kernel and the operands.
type Row = (&'static str, Function, Function, Operands);

macro_rules! row {
    ($name:ident $float:ident ($($index:literal)*) $operands:expr) => {
        (
            concat!(stringify!($name), ".", stringify!($float)),
            |x| bitexact_fpu::$name($($float::from_bits(x[$index] as u16)),*).to_bits().into(),
            |x| {
                let value: $float = arith::$name($($float::from_bits(x[$index] as u16),)* EVEN);
                value.to_bits().into()
            },
            $operands,
        )
    };
}
macro_rules! conversion {
    ($from:ident $bits:ident $to:ident $operands:expr) => {
        (
            concat!("convert.", stringify!($from), "_", stringify!($to)),
            |[x, ..]| {
                bitexact_fpu::convert::<$from, $to>($from::from_bits(x as $bits))
                    .to_bits()
                    .into()
            },
            |[x, ..]| {
                convert::convert::<$from, $to>($from::from_bits(x as $bits), EVEN)
                    .to_bits()
                    .into()
            },
            $operands,
        )
    };
}

const ROWS: [Row; 16] = [
    row!(sqrt f16 (0) Operands::Half),
    row!(sqrt bf16 (0) Operands::Half),
    conversion!(f16 u16 f32 Operands::Half),
    conversion!(f16 u16 bf16 Operands::Half),
    conversion!(bf16 u16 f16 Operands::Half),
    conversion!(f32 u32 f16 Operands::Single),
    row!(add f16 (0 1) Operands::Pair(F16)),
    row!(add bf16 (0 1) Operands::Pair(BF16)),
    row!(sub f16 (0 1) Operands::Pair(F16)),
    row!(sub bf16 (0 1) Operands::Pair(BF16)),
    row!(mul f16 (0 1) Operands::Pair(F16)),
    row!(mul bf16 (0 1) Operands::Pair(BF16)),
    row!(div f16 (0 1) Operands::Pair(F16)),
    row!(div bf16 (0 1) Operands::Pair(BF16)),
    row!(fma f16 (0 1 2) Operands::Triple(F16)),
    row!(fma bf16 (0 1 2) Operands::Triple(BF16)),
];

/// `a * b + c` of f16 in f32, where the product is exact, rounded a second time.
fn rounded_twice([a, b, c]: [u32; 3]) -> u32 {
    let [a, b, c] = [a, b, c].map(|x| convert::convert::<f16, f32>(f16::from_bits(x as u16), EVEN));
    convert::convert::<f32, f16>(a * b + c, EVEN)
        .to_bits()
        .into()
}

/// `a + b` of bf16 in f32, in whatever mode the FPU is.
fn sum_untested([a, b, _]: [u32; 3]) -> u32 {
    let sum = f32::from_bits(a << 16) + f32::from_bits(b << 16);
    convert::convert::<f32, bf16>(sum, EVEN).to_bits().into()
}

/// f32 to f16, in whatever mode the FPU is.
fn conversion_untested([x, ..]: [u32; 3]) -> u32 {
    #[unsafe(naked)]
    extern "C" fn narrow(x: u32) -> u32 {
        naked_asm!(
            ".fpu fpv4-sp-d16",
            "vmov s0, r0",
            "vcvtb.f16.f32 s0, s0",
            "vmov r0, s0",
            "uxth r0, r0",
            "bx lr"
        )
    }
    if f32::from_bits(x).is_nan() {
        0x7E00
    } else {
        narrow(x)
    }
}

fn fpu() -> Result<bool, &'static str> {
    let mut good = true;
    for (mode, control, matters) in MODES {
        let extent = if control == 0 { &WHOLE } else { &SOME };
        if !set(control) {
            return Err("the FPU does not take the mode");
        }
        for (name, path, kernel, operands) in ROWS {
            let seen = Comparison::over(path, kernel, operands, extent);
            defmt::info!(
                "{=str}: {=str} {=u32} differ of {=u32}",
                mode,
                name,
                seen.differ,
                seen.of
            );
            if seen.differ > 0 {
                good = false;
                defmt::error!("the first: {:08X}", seen.first);
            }
        }
        let wrong = |path, name| {
            let row = ROWS.iter().find(|row| row.0 == name);
            row.map_or(0, |(_, _, kernel, operands)| {
                Comparison::over(path, *kernel, *operands, extent).differ
            })
        };
        let twice = wrong(rounded_twice, "fma.f16");
        let sum = wrong(sum_untested, "add.bf16");
        let conversion = wrong(conversion_untested, "convert.f32_f16");
        defmt::info!(
            "{=str}: wrong paths differ on {=u32}, {=u32} and {=u32}",
            mode,
            twice,
            sum,
            conversion
        );
        if twice == 0 || (sum + conversion > 0) != matters {
            good = false;
            defmt::error!("a wrong path is not found");
        }
        if !has(control) {
            return Err("the FPU has lost its mode");
        }
    }
    Ok(good)
}
