//! Data, peers and the catalog's functions of one 16-bit operand, for every bench.
#![allow(dead_code, reason = "not every bench uses all of it")]

pub mod timing;

use bitexact::{Mode, activation, arith, bf16, f16, math};
use sweep_inputs::domain::SplitMix64;

/// Random data.
pub struct Draw(SplitMix64);

impl Draw {
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::seeded(seed))
    }

    pub const fn word(&mut self) -> u64 {
        self.0.next()
    }

    /// N(0, 1), as the sum of twelve uniform numbers minus 6.
    pub fn normal(&mut self) -> f32 {
        let uniform = |word: u64| (word >> 40) as f32 / 16_777_216.0;
        (0..12).map(|_| uniform(self.word())).sum::<f32>() - 6.0
    }
}

/// The distribution of the operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Data {
    Normal,
    Bits,
}

impl Data {
    pub const ALL: [Self; 2] = [Self::Normal, Self::Bits];

    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "N(0,1)",
            Self::Bits => "uniform bits",
        }
    }

    pub fn f32s(self, count: usize) -> Vec<f32> {
        let mut draw = Draw::new(count as u64);
        // Drawing is slow, so a block is repeated; it is longer than any branch predictor
        // remembers.
        let block: Vec<f32> = (0..count.min(1 << 16))
            .map(|_| match self {
                Self::Normal => draw.normal(),
                Self::Bits => f32::from_bits(draw.word() as u32),
            })
            .collect();
        block.iter().copied().cycle().take(count).collect()
    }

    pub fn codes<F: Narrow>(self, count: usize) -> Vec<F> {
        let mut draw = Draw::new(count as u64);
        let block: Vec<F> = (0..count.min(1 << 16))
            .map(|_| match self {
                Self::Normal => F::narrow(draw.normal()),
                Self::Bits => F::of(draw.word() as u16),
            })
            .collect();
        block.iter().copied().cycle().take(count).collect()
    }
}

/// f16 and bf16, with `half`'s conversions around a peer's f32 function.
pub trait Narrow: Copy + 'static {
    const NAME: &'static str;
    fn of(code: u16) -> Self;
    fn code(self) -> u16;
    fn narrow(x: f32) -> Self;
    fn wide(self) -> f32;
}

macro_rules! narrow {
    ($($ty:ident)*) => {
        $(impl Narrow for $ty {
            const NAME: &'static str = stringify!($ty);
            fn of(code: u16) -> Self {
                Self::from_bits(code)
            }
            fn code(self) -> u16 {
                self.to_bits()
            }
            #[inline(always)]
            fn narrow(x: f32) -> Self {
                Self::from_f32(x)
            }
            #[inline(always)]
            fn wide(self) -> f32 {
                self.to_f32()
            }
        })*
    };
}

narrow!(f16 bf16);

/// A loop over slices.
pub type Loop<F> = fn(&[F], &mut [F]);

/// A peer's function: in f32, and with the conversions around it.
pub struct Peer {
    pub op: &'static str,
    pub name: &'static str,
    pub f32: Loop<f32>,
    pub f16: Loop<f16>,
    pub bf16: Loop<bf16>,
}

#[inline(always)]
pub fn each<F: Copy>(x: &[F], out: &mut [F], f: impl Fn(F) -> F) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = f(*x);
    }
}

/// The peers, each loop compiled for its function.
pub fn peers() -> Vec<Peer> {
    macro_rules! peers {
        ($($op:ident { $($name:ident $f32:expr;)* })*) => {
            vec![$($(Peer {
                op: stringify!($op),
                name: stringify!($name),
                f32: |x, out| each(x, out, $f32),
                f16: |x, out| {
                    let f: fn(f32) -> f32 = $f32;
                    each(x, out, |x| Narrow::narrow(f(Narrow::wide(x))));
                },
                bf16: |x, out| {
                    let f: fn(f32) -> f32 = $f32;
                    each(x, out, |x| Narrow::narrow(f(Narrow::wide(x))));
                },
            },)*)*]
        };
    }
    ::peers::for_each_peer!(peers)
}

/// A kernel of one 16-bit operand with a result of the same format.
pub struct Unary<F> {
    pub name: &'static str,
    /// One at a time, in a literal mode: ties to even, as the peers use.
    pub scalar: Loop<F>,
    pub slice: fn(&[F], &mut [F], Mode),
    pub parallel: fn(&[F], &mut [F], Mode),
}

impl<F: Narrow> Unary<F> {
    /// Its results for all operands: a plain table, the limit for any table.
    pub fn plain_table(&self) -> Box<[F; 1 << 16]> {
        let codes: Vec<F> = (0..=u16::MAX).map(F::of).collect();
        let mut results = codes.clone();
        (self.scalar)(&codes, &mut results);
        results.try_into().ok().expect("65,536 results")
    }
}

/// A loop over two slices.
pub type Loop2<F> = fn(&[F], &[F], &mut [F]);

/// A kernel of two 16-bit operands with a result of the same format, in ties to even.
pub struct Binary<F> {
    pub name: &'static str,
    /// One at a time.
    pub scalar: Loop2<F>,
    pub slice: Loop2<F>,
    pub parallel: Loop2<F>,
}

/// All of them, from the catalog.
pub fn binary() -> (Vec<Binary<f16>>, Vec<Binary<bf16>>) {
    const EVEN: Mode = Mode::TIES_TO_EVEN;
    let (mut f16s, mut bf16s) = (Vec::new(), Vec::new());
    macro_rules! add {
        ($to:ident $kernel:ident $path:path) => {
            $to.push(Binary {
                name: stringify!($kernel),
                scalar: |x, y, out| {
                    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                        *out = $path(*x, *y, EVEN).0;
                    }
                },
                slice: |x, y, out| bitexact_slices::$kernel(x, y, out, EVEN).expect("one length"),
                parallel: |x, y, out| {
                    bitexact_slices::par::$kernel(x, y, out, EVEN).expect("one length");
                },
            })
        };
    }
    macro_rules! row {
        (
            kernel: $kernel:ident, suffix: [f16], operands: (f16, f16), results: f16,
            forms: [{ending: "", arguments: $of:ty, words: (mode: u32,), numbers: $numbers:tt}],
            stochastic: $stochastic:tt, generic: $generic:tt, call: $path:path, $($fields:tt)*
        ) => {
            add!(f16s $kernel $path);
        };
        (
            kernel: $kernel:ident, suffix: [bf16], operands: (bf16, bf16), results: bf16,
            forms: [{ending: "", arguments: $of:ty, words: (mode: u32,), numbers: $numbers:tt}],
            stochastic: $stochastic:tt, generic: $generic:tt, call: $path:path, $($fields:tt)*
        ) => {
            add!(bf16s $kernel $path);
        };
        ($($rest:tt)*) => {};
    }
    bitexact::for_each_kernel!(row);
    (f16s, bf16s)
}

/// All of them, from the catalog.
pub fn unary() -> (Vec<Unary<f16>>, Vec<Unary<bf16>>) {
    let (mut f16s, mut bf16s) = (Vec::new(), Vec::new());
    macro_rules! add {
        ($to:ident $kernel:ident $path:path) => {
            $to.push(Unary {
                name: stringify!($kernel),
                scalar: |x, out| each(x, out, |x| $path(x, Mode::TIES_TO_EVEN).0),
                slice: |x, out, mode| bitexact_slices::$kernel(x, out, mode).expect("one length"),
                parallel: |x, out, mode| {
                    bitexact_slices::par::$kernel(x, out, mode).expect("one length");
                },
            })
        };
    }
    macro_rules! row {
        (
            kernel: $kernel:ident, suffix: [f16], operands: (f16), results: f16,
            forms: [{ending: "", arguments: $of:ty, words: (mode: u32,), numbers: $numbers:tt}],
            stochastic: $stochastic:tt, generic: $generic:tt, call: $path:path, $($fields:tt)*
        ) => {
            add!(f16s $kernel $path);
        };
        (
            kernel: $kernel:ident, suffix: [bf16], operands: (bf16), results: bf16,
            forms: [{ending: "", arguments: $of:ty, words: (mode: u32,), numbers: $numbers:tt}],
            stochastic: $stochastic:tt, generic: $generic:tt, call: $path:path, $($fields:tt)*
        ) => {
            add!(bf16s $kernel $path);
        };
        ($($rest:tt)*) => {};
    }
    bitexact::for_each_kernel!(row);
    (f16s, bf16s)
}
