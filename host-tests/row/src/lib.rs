//! A catalog row on the host: names, types and one function that runs a batch.
//!
//! Everything on the host side (engine, oracles, command line) works on these dynamic rows and does
//! not depend on the kernels' generic signatures; `sweep-catalog` makes them from the catalog.

pub mod domain;
pub mod names;
pub mod number;
pub mod p3109;

use sweep_inputs::{Overflow, Rounding};

/// The type of an operand or a result, as raw bits in a `u64` (integers sign-extended to their
/// own width only: the upper bits of the `u64` are zero).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Ty {
    F16,
    Bf16,
    F32,
    F64,
    /// An E8M0 scale, one byte.
    E8m0,
    /// Narrow formats, one code in the low bits of a byte.
    E5m2,
    E4m3fn,
    E5m2fnuz,
    E4m3fnuz,
    E2m3,
    E3m2,
    E2m1,
    /// MX's INT8, one byte: a multiple of 2^-6 in two's complement.
    Mxint8,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    /// 0 or 1.
    Bool,
    /// IEEE 754-2019 clause 5.7.2's ten classes, 0 `signalingNaN` to 9 `positiveInfinity`.
    Class,
}

impl Ty {
    pub const ALL: [Self; 23] = [
        Self::F16,
        Self::Bf16,
        Self::F32,
        Self::F64,
        Self::E8m0,
        Self::E5m2,
        Self::E4m3fn,
        Self::E5m2fnuz,
        Self::E4m3fnuz,
        Self::E2m3,
        Self::E3m2,
        Self::E2m1,
        Self::Mxint8,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::Bool,
        Self::Class,
    ];

    /// The name in a row's name and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::E8m0 => "e8m0",
            Self::E5m2 => "e5m2",
            Self::E4m3fn => "e4m3fn",
            Self::E5m2fnuz => "e5m2fnuz",
            Self::E4m3fnuz => "e4m3fnuz",
            Self::E2m3 => "e2m3",
            Self::E3m2 => "e3m2",
            Self::Mxint8 => "mxint8",
            Self::E2m1 => "e2m1",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::Bool => "bool",
            Self::Class => "class",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// The width of the raw bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::E2m1 | Self::Class => 4,
            Self::E2m3 | Self::E3m2 => 6,
            Self::E8m0 | Self::E5m2 | Self::E4m3fn | Self::E5m2fnuz | Self::E4m3fnuz => 8,
            Self::Mxint8 | Self::I8 | Self::U8 => 8,
            Self::F16 | Self::Bf16 | Self::I16 | Self::U16 => 16,
            Self::F32 | Self::I32 | Self::U32 => 32,
            Self::F64 | Self::I64 | Self::U64 => 64,
        }
    }

    /// Hex digits of one value, and bytes of one value in a dump.
    pub const fn hex_digits(self) -> usize {
        self.bits().div_ceil(4) as usize
    }
}

/// How a result is rounded: one of the six directions, or stochastically with 16 random bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RoundingArg {
    Fixed(Rounding),
    Stochastic(u16),
}

/// The value of a kernel's own parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A number as the raw bits of a type.
    Bits(Ty, u64),
    /// The index of a choice in its `ParamKind::Choice` list.
    Choice(usize),
}

/// The kind of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ParamKind {
    /// One of these names.
    Choice(&'static [&'static str]),
    /// A number in the format that the choice parameter of this name selects (its choices are
    /// names of `Ty`).
    RealIn(&'static str),
    /// A number in this type.
    Real(Ty),
    /// The formats of an operation of P3109: of so many operands, and of the result if it is
    /// rounded.
    Formats { operands: usize, rounded: bool },
    /// A projection of P3109.
    Projection,
}

/// A kernel's parameter: its name, its kind, and its default value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParamSpec {
    pub name: &'static str,
    pub kind: ParamKind,
    /// The default, in the spelling of the command line.
    pub default: &'static str,
    pub doc: &'static str,
}

/// Everything except the operands.
#[derive(Clone, Debug)]
pub struct Args {
    pub rounding: RoundingArg,
    pub overflow: Overflow,
    /// One value per `Row::params` entry, in that order.
    pub params: Vec<Value>,
}

/// Raw bits of up to three operands; unused ones are 0.
pub type Operands = [u64; 3];

/// Raw bits of up to two results (the unused one is 0) and the status in TestFloat's bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Output {
    pub results: [u64; 2],
    pub flags: u8,
}

/// One kernel at one choice of formats.
#[derive(Clone, Copy)]
pub struct Row {
    /// `add.f16`, `add.f16.f16.f32`, `convert.f32.bf16`, `frexp.f16`, ...
    pub name: &'static str,
    /// The name without its formats: `add`, `convert`.
    pub op: &'static str,
    pub operands: &'static [Ty],
    pub results: &'static [Ty],
    /// Whether it takes a rounding (and if so, whether it also takes an overflow rule and has a
    /// stochastic form).
    pub takes_rounding: bool,
    pub takes_overflow: bool,
    pub has_stochastic: bool,
    pub params: &'static [ParamSpec],
    /// The first line of the kernel's documentation.
    pub doc: &'static str,
    /// Whether the kernel takes these parameters, each of which is of its kind.
    pub accepts: fn(&Args) -> Result<(), Box<dyn std::error::Error>>,
    /// Runs the kernel on every element of the second slice with each of the first slice's
    /// arguments, which differ only in their modes. The outputs of an element are adjacent in the
    /// third slice, in the order of the arguments.
    pub run: fn(&[Args], &[Operands], &mut [Output]),
}
