//! The catalog as rows that run on the target: one adapter for each kind of arguments.

use crate::domain::{Domain, Flavour, Float, Hard, Shape, Target};
use crate::job::{Answer, Job, STOCHASTIC};
use crate::walk::{Output, Walk};
use bitexact::activation::{self, Bounds, NanGradient};
use bitexact::arith::{self, Class};
use bitexact::catalog::Refused;
use bitexact::convert;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::math;
use bitexact::scale::{self, E8M0, MxInt8, PRESETS, ScalePolicy};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};

/// One kernel at one choice of formats.
pub struct Row {
    /// `add.f16`
    pub name: &'static str,
    /// `add`
    pub op: &'static str,
    pub operands: &'static [Shape],
    /// Runs a job; `None` if the job is none of this row's.
    pub run: fn(&Job, &Walk) -> Option<Answer>,
}

impl Row {
    /// Runs a job of this row.
    pub fn job(&self, job: &Job) -> Option<Answer> {
        let shape = |k: usize| self.operands.get(k).copied().unwrap_or(Shape::Absent);
        let shapes = [shape(0), shape(1), shape(2)];
        let domain = if job.hard {
            Domain::Hard(Hard {
                flavour: Flavour::of(self.op, self.operands.len()),
                operands: shapes,
                target: Target {
                    precision: job.precision,
                    emin: job.emin,
                    emax: job.emax,
                },
            })
        } else {
            Domain::All(shapes.map(Shape::bits))
        };
        let span = job.start..job.end;
        if domain.len().is_some_and(|len| job.end > len) {
            return None;
        }
        (self.run)(job, &Walk { domain, span })
    }
}

/// How many rows there may be.
pub const MOST: usize = 1024;
/// All rows, in the catalog's order.
pub type Rows = heapless::Vec<&'static Row, MOST>;

/// A type of operands and results: its shape and its raw bits.
trait Raw: Copy {
    const SHAPE: Shape;
    fn get(bits: u64) -> Self;
    fn put(self) -> u64;
}

macro_rules! raw {
    ($($ty:ident $shape:expr, |$bits:ident| $get:expr, |$value:ident| $put:expr;)*) => {
        $(impl Raw for $ty {
            const SHAPE: Shape = $shape;
            #[inline]
            fn get($bits: u64) -> Self {
                $get
            }
            #[inline]
            fn put(self) -> u64 {
                let $value = self;
                $put
            }
        })*
    };
}

const fn integer(bits: u32, signed: bool) -> Shape {
    Shape::Integer { bits, signed }
}

raw! {
    f16 Shape::Float(Float::F16), |bits| f16::from_bits(bits as u16), |x| x.to_bits().into();
    bf16 Shape::Float(Float::BF16), |bits| bf16::from_bits(bits as u16), |x| x.to_bits().into();
    f32 Shape::Float(Float::F32), |bits| f32::from_bits(bits as u32), |x| x.to_bits().into();
    f64 Shape::Float(Float::F64), |bits| f64::from_bits(bits), |x| x.to_bits();
    E8M0 integer(8, false), |bits| E8M0::from_bits(bits as u8), |x| x.to_bits().into();
    E5M2 Shape::Float(Float::E5M2), |bits| E5M2::from_bits(bits as u8), |x| x.to_bits().into();
    E4M3FN Shape::Float(Float::E4M3FN), |bits| E4M3FN::from_bits(bits as u8), |x| x.to_bits().into();
    E5M2FNUZ Shape::Float(Float::E5M2FNUZ), |bits| E5M2FNUZ::from_bits(bits as u8), |x| x.to_bits().into();
    E4M3FNUZ Shape::Float(Float::E4M3FNUZ), |bits| E4M3FNUZ::from_bits(bits as u8), |x| x.to_bits().into();
    E2M3 Shape::Float(Float::E2M3), |bits| E2M3::from_bits(bits as u8), |x| x.to_bits().into();
    E3M2 Shape::Float(Float::E3M2), |bits| E3M2::from_bits(bits as u8), |x| x.to_bits().into();
    MxInt8 integer(8, false), |bits| MxInt8::from_bits(bits as u8), |x| x.to_bits().into();
    E2M1 Shape::Float(Float::E2M1), |bits| E2M1::from_bits(bits as u8), |x| x.to_bits().into();
    i8 integer(8, true), |bits| bits as i8, |n| (n as u8).into();
    i16 integer(16, true), |bits| bits as i16, |n| (n as u16).into();
    i32 integer(32, true), |bits| bits as i32, |n| (n as u32).into();
    i64 integer(64, true), |bits| bits as i64, |n| n as u64;
    u8 integer(8, false), |bits| bits as u8, |n| n.into();
    u16 integer(16, false), |bits| bits as u16, |n| n.into();
    u32 integer(32, false), |bits| bits as u32, |n| n.into();
    u64 integer(64, false), |bits| bits, |n| n;
    bool integer(1, false), |bits| bits & 1 != 0, |holds| holds.into();
    Class integer(4, false), |_bits| Class::SignalingNan, |class| class as u64;
}

/// One result or two.
trait Results {
    fn put(self) -> [u64; 2];
}

impl<T: Raw> Results for T {
    #[inline]
    fn put(self) -> [u64; 2] {
        [Raw::put(self), 0]
    }
}

impl<T: Raw, U: Raw> Results for (T, U) {
    #[inline]
    fn put(self) -> [u64; 2] {
        [self.0.put(), self.1.put()]
    }
}

#[inline]
fn output<R: Results>((results, status): (R, Status)) -> Output {
    Output {
        results: results.put(),
        flags: status.bits(),
    }
}

fn overflow(job: &Job) -> Option<Overflow> {
    Overflow::ALL.get(job.overflow as usize).copied()
}

fn mode(job: &Job) -> Option<Mode> {
    let rounding = Rounding::ALL.get(job.rounding as usize).copied()?;
    Some(Mode::new(rounding, overflow(job)?))
}

fn nan(job: &Job) -> Option<NanGradient> {
    let rules = [NanGradient::Pass, NanGradient::Zero, NanGradient::Propagate];
    rules.get(job.nan as usize).copied()
}

fn policy(job: &Job) -> Option<&'static ScalePolicy> {
    PRESETS.get(job.choice as usize).map(|(_, policy)| policy)
}

fn bounds<B: Format + Raw>(job: &Job) -> Option<Bounds<B>> {
    let [min, max] = job.numbers;
    Bounds::new(B::get(min), B::get(max)).ok()
}

/// A function's result for a row's operands and what else it takes.
macro_rules! call {
    ($path:path, $o:ident ($a:ident) $($more:expr),*) => {
        $path($a::get($o[0]) $(, $more)*)
    };
    ($path:path, $o:ident ($a:ident, $b:ident) $($more:expr),*) => {
        $path($a::get($o[0]), $b::get($o[1]) $(, $more)*)
    };
    ($path:path, $o:ident ($a:ident, $b:ident, $c:ident) $($more:expr),*) => {
        $path($a::get($o[0]), $b::get($o[1]), $c::get($o[2]) $(, $more)*)
    };
}

/// At each choice of the parameter `bound`, the same body with `$b` the bounds' type.
macro_rules! at_bound {
    ($job:ident, $b:ident => $body:expr) => {
        match $job.choice {
            0 => {
                type $b = f32;
                $body
            }
            1 => {
                type $b = f64;
                $body
            }
            2 => {
                type $b = f16;
                $body
            }
            _ => {
                type $b = bf16;
                $body
            }
        }
    };
}

/// The rest of a job with parameters, by the kind of its other arguments.
macro_rules! with {
    (exact $job:ident, $walk:ident $operands:tt $result:tt $path:path, $($argument:ident),*) => {
        Some($walk.over(&|o| output::<$result>(call!($path, o $operands $($argument),*))))
    };
    (mode $job:ident, $walk:ident $operands:tt $result:tt $path:path, $($argument:ident),*) => {{
        let mode = mode($job)?;
        with!(exact $job, $walk $operands $result $path, $($argument,)* mode)
    }};
    (nan $job:ident, $walk:ident $operands:tt $result:tt $path:path, $($argument:ident),*) => {{
        let nan = nan($job)?;
        with!(exact $job, $walk $operands $result $path, $($argument,)* nan)
    }};
    (nan_mode $job:ident, $walk:ident $operands:tt $result:tt $path:path, $($argument:ident),*) => {{
        let (nan, mode) = (nan($job)?, mode($job)?);
        with!(exact $job, $walk $operands $result $path, $($argument,)* nan, mode)
    }};
}

/// The function that runs a job.
macro_rules! run {
    ($operands:tt $result:tt exact $path:path) => {
        |_, walk| Some(walk.over(&|o| output::<$result>(call!($path, o $operands))))
    };
    ($operands:tt $result:tt silent $path:path) => {
        |_, walk| Some(walk.over(&|o| output::<$result>((call!($path, o $operands), Status::NONE))))
    };
    ($operands:tt $result:tt mode $path:path) => {
        |job, walk| {
            let mode = mode(job)?;
            Some(walk.over(&|o| output::<$result>(call!($path, o $operands mode))))
        }
    };
    ($operands:tt $result:tt stochastic $path:path, $stochastic:path) => {
        |job, walk| {
            if job.rounding == STOCHASTIC {
                let (random, overflow) = (job.random, overflow(job)?);
                return Some(walk.over(&|o| output::<$result>(call!($stochastic, o $operands random, overflow))));
            }
            let mode = mode(job)?;
            Some(walk.over(&|o| output::<$result>(call!($path, o $operands mode))))
        }
    };
    ($operands:tt $result:tt policy $path:path) => {
        |job, walk| {
            let policy = policy(job)?;
            Some(walk.over(&|o| output::<$result>(call!($path, o $operands policy))))
        }
    };
    ($operands:tt $result:tt bounds $path:path) => {
        |job, walk| {
            let mode = mode(job)?;
            at_bound!(job, B => {
                let bounds = bounds::<B>(job)?;
                Some(walk.over(&|o| output::<$result>(call!($path, o $operands bounds, mode))))
            })
        }
    };
    ($operands:tt $result:tt bounds_nan $path:path) => {
        |job, walk| {
            let nan = nan(job)?;
            at_bound!(job, B => {
                let bounds = bounds::<B>(job)?;
                Some(walk.over(&|o| output::<$result>(call!($path, o $operands bounds, nan))))
            })
        }
    };
    ($operands:tt $result:tt nan $path:path) => {
        |job, walk| {
            let nan = nan(job)?;
            Some(walk.over(&|o| output::<$result>(call!($path, o $operands nan))))
        }
    };
    ($operands:tt $result:tt nan_mode $path:path) => {
        |job, walk| {
            let (nan, mode) = (nan(job)?, mode(job)?);
            Some(walk.over(&|o| output::<$result>(call!($path, o $operands nan, mode))))
        }
    };
    (
        $operands:tt $result:tt
        with ([$($p:ident)*] {$($check:tt)*} ($($argument:ident)*) $kind:ident) $path:path
    ) => {
        |job, walk| {
            let arguments = || {
                let [$($p,)* ..] = job.numbers.map(f32::get);
                $($check)*
                Ok::<_, Refused>(($($argument,)*))
            };
            let ($($argument,)*) = arguments().ok()?;
            with!($kind job, walk $operands $result $path, $($argument),*)
        }
    };
}

/// Every row of the catalog, in its order; `None` if there are more than [`MOST`].
pub fn all() -> Option<Rows> {
    let mut rows = Rows::new();
    macro_rules! row {
        (
            $kernel:ident [$($suffix:ident)*] ($($operand:ident),*) -> $result:tt;
            $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal
        ) => {
            const {
                &Row {
                    name: concat!(stringify!($kernel) $(, ".", stringify!($suffix))*),
                    op: stringify!($kernel),
                    operands: &[$(<$operand as Raw>::SHAPE),*],
                    run: run!(
                        ($($operand),*) $result $kind $(($($with)*))? $path $(, $stochastic)?
                    ),
                }
            }
        };
    }
    macro_rules! push {
        ($($row:tt)*) => {
            rows.push(row!($($row)*)).ok()?;
        };
    }
    bitexact::for_each_kernel!(push);
    Some(rows)
}
