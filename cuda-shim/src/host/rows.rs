//! The catalog's rows as the host side knows them.

use super::types::Type;
use bitexact::activation;
use std::sync::LazyLock;

/// What a row takes besides its operands: the catalog's kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing.
    None,
    /// A mode.
    Mode,
    /// A mode, or random bits and an overflow rule.
    Stochastic,
    /// An encoder's policy.
    Policy,
    /// Bounds and a mode.
    Bounds,
    /// Bounds and a NaN rule.
    BoundsNan,
    /// A NaN rule.
    Nan,
    /// A NaN rule and a mode.
    NanMode,
    /// So many f32 parameters, then what that kind takes.
    With(usize, &'static Kind),
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::None => "no arguments",
            Self::Mode => "a mode",
            Self::Stochastic => "a mode, or random bits and an overflow rule",
            Self::Policy => "a policy",
            Self::Bounds => "bounds and a mode",
            Self::BoundsNan => "bounds and a NaN rule",
            Self::Nan => "a NaN rule",
            Self::NanMode => "a NaN rule and a mode",
            Self::With(count, kind) => {
                return write!(f, "{count} parameters and then {kind}");
            }
        })
    }
}

/// What a kernel says of parameters.
pub type Accepts = fn(&[f32]) -> Result<(), Box<dyn std::error::Error>>;

/// One row: a kernel at one choice of formats.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The row's name: `add.f16.f16.f32`.
    pub name: &'static str,
    /// The entry's name: `add_f16_f16_f32`.
    pub entry: &'static str,
    /// The types of its operands.
    pub operands: &'static [Type],
    /// The types of its one or two results.
    pub results: &'static [Type],
    /// What else it takes.
    pub kind: Kind,
    /// Whether it takes these parameters: of their number, and what the kernel says of them.
    pub accepts: Accepts,
}

/// Every row, in the catalog's order.
#[must_use]
pub fn rows() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(build);
    &ROWS
}

/// The row of that name.
#[must_use]
pub fn row(name: &str) -> Option<&'static Row> {
    rows().iter().find(|row| row.name == name)
}

macro_rules! kind {
    (exact) => {
        Kind::None
    };
    (silent) => {
        Kind::None
    };
    (mode) => {
        Kind::Mode
    };
    (stochastic) => {
        Kind::Stochastic
    };
    (policy) => {
        Kind::Policy
    };
    (bounds) => {
        Kind::Bounds
    };
    (bounds_nan) => {
        Kind::BoundsNan
    };
    (nan) => {
        Kind::Nan
    };
    (nan_mode) => {
        Kind::NanMode
    };
    (with ([$($p:ident)*] $checks:tt $arguments:tt $rest:ident)) => {
        Kind::With([$(stringify!($p)),*].len(), &kind!($rest))
    };
}

/// The parameters' check, where there are any.
macro_rules! accepts {
    (with ([$($p:ident)*] {$($check:tt)*} ($($argument:ident)*) $rest:ident)) => {
        |given| {
            let &[$($p),*] = given else {
                return Err("the number of parameters is another".into());
            };
            $($check)*
            let _ = ($($argument,)*);
            Ok(())
        }
    };
    ($kind:ident) => {
        |_| Ok(())
    };
}

macro_rules! element {
    (f16) => {
        Type::F16
    };
    (bf16) => {
        Type::Bf16
    };
    (f32) => {
        Type::F32
    };
    (f64) => {
        Type::F64
    };
    (E8M0) => {
        Type::E8m0
    };
    (E5M2) => {
        Type::E5m2
    };
    (E4M3FN) => {
        Type::E4m3fn
    };
    (E5M2FNUZ) => {
        Type::E5m2fnuz
    };
    (E4M3FNUZ) => {
        Type::E4m3fnuz
    };
    (E2M3) => {
        Type::E2m3
    };
    (E3M2) => {
        Type::E3m2
    };
    (MxInt8) => {
        Type::Mxint8
    };
    (E2M1) => {
        Type::E2m1
    };
    (i8) => {
        Type::I8
    };
    (i16) => {
        Type::I16
    };
    (i32) => {
        Type::I32
    };
    (i64) => {
        Type::I64
    };
    (u8) => {
        Type::U8
    };
    (u16) => {
        Type::U16
    };
    (u32) => {
        Type::U32
    };
    (u64) => {
        Type::U64
    };
    (bool) => {
        Type::Bool
    };
    (Class) => {
        Type::Class
    };
}

fn build() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! add {
        (
            $kernel:ident [$($suffix:ident)*] ($($operand:ident),*) -> ($($result:ident),*);
            $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal
        ) => {
            rows.push(Row {
                name: concat!(stringify!($kernel) $(, ".", stringify!($suffix))*),
                entry: concat!(stringify!($kernel) $(, "_", stringify!($suffix))*),
                operands: &[$(element!($operand)),*],
                results: &[$(element!($result)),*],
                kind: kind!($kind $(($($with)*))?),
                accepts: accepts!($kind $(($($with)*))?),
            });
        };
        (
            $kernel:ident $suffix:tt $operands:tt -> $result:ident; $($rest:tt)*
        ) => {
            add! { $kernel $suffix $operands -> ($result); $($rest)* }
        };
    }
    bitexact::for_each_kernel!(add);
    rows
}
