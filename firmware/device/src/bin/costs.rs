//! Calls each function for QEMU's plugin `firmware/counter.c`, which counts their instructions.
//!
//! Each function is called on a sample of the inputs that reach its core, on draws from N(0, 1)
//! (the sum of twelve uniform ones) and, if it has one operand of 16 bits, on every 32nd of them;
//! on all if a file `exhaustive` exists. The stack is measured here: it is painted before a call,
//! and what the call has overwritten is counted. The file `costs.txt` has a line for each function,
//! in the order of the plugin's.
#![no_std]
#![no_main]

use bitexact::arith::{self, Class};
use bitexact::p3109::{self, Projection};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{Mode, Status, activation, bf16, convert, f16, math, scale};
use core::fmt::Write as _;
use core::hint::black_box;
use device::marks::{self, Kind};
use device::{board, stack};
use heapless::String;
use semihosting::fs::File;
use semihosting::io::Write as _;

/// Samples of each kind.
const SAMPLES: usize = 512;

/// Bits in, bits out: the result below, the status above.
type Function = fn(u32, u32, u32, Mode) -> u64;

#[derive(Clone, Copy)]
struct Entry {
    name: &'static str,
    /// `ne`: literal ties to even without flags; `md`: the mode as an argument, with flags; or a
    /// peer.
    variant: &'static str,
    function: Function,
    /// The operands' types and their number.
    operand: Type,
    operands: usize,
    result: Type,
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    F16,
    Bf16,
    F32,
    Integer,
    Other,
}

trait Bits: Copy {
    const TYPE: Type;
    fn of(bits: u32) -> Self;
    fn bits(self) -> u32;
}

macro_rules! bits {
    ($($ty:ty, $name:ident, $repr:ty;)*) => {
        $(impl Bits for $ty {
            const TYPE: Type = Type::$name;
            #[inline]
            fn of(bits: u32) -> Self {
                Self::from_bits(bits as $repr)
            }
            #[inline]
            fn bits(self) -> u32 {
                self.to_bits().into()
            }
        })*
    };
}
macro_rules! integers {
    ($($ty:ident $repr:ident)*) => {
        $(impl Bits for $ty {
            const TYPE: Type = Type::Integer;
            #[inline]
            fn of(bits: u32) -> Self {
                bits as $ty
            }
            #[inline]
            fn bits(self) -> u32 {
                (self as $repr).into()
            }
        })*
    };
}
integers!(i8 u8 i16 u16 i32 u32);
bits! {
    f16, F16, u16;
    bf16, Bf16, u16;
    f32, F32, u32;
    E8M0, Other, u8;
    MxInt8, Other, u8;
}

/// A number's class by the widest of the three types' classes.
fn class(ty: Type, bits: u32) -> Class {
    match ty {
        Type::F16 => arith::classify(f16::of(bits)),
        Type::Bf16 => arith::classify(bf16::of(bits)),
        Type::F32 => arith::classify(f32::of(bits)),
        Type::Integer | Type::Other => Class::PositiveNormal,
    }
}

fn is_number(ty: Type, bits: u32) -> bool {
    !matches!(
        class(ty, bits),
        Class::SignalingNan
            | Class::QuietNan
            | Class::NegativeInfinity
            | Class::PositiveInfinity
            | Class::NegativeZero
            | Class::PositiveZero
    )
}

#[inline(never)]
fn nothing(x: u32, _: u32, _: u32, _: Mode) -> u64 {
    x.into()
}

/// A call and a return. `nothing` has a frame, which takes as many cycles as a small kernel.
#[unsafe(naked)]
extern "C" fn returns() {
    #[cfg(target_arch = "arm")]
    core::arch::naked_asm!("bx lr");
    #[cfg(target_arch = "riscv32")]
    core::arch::naked_asm!("ret");
}

/// A call that the plugin counts.
#[inline(never)]
fn counted(function: Function, [x, y, z]: [u32; 3]) {
    let function = black_box(function);
    let mode = black_box(Mode::TIES_TO_EVEN);
    marks::begin();
    let result = function(x, y, z, mode);
    marks::end();
    black_box(result);
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

    /// A draw from about N(0, 1), rounded to the type: the sum of twelve uniform ones minus 6.
    fn normal(&mut self, ty: Type) -> u32 {
        let sum: i32 = (0..12).map(|_| (self.next() >> 10) as i32).sum();
        let x: f32 = convert::from_int(sum - (6 << 22), Mode::TIES_TO_EVEN);
        let x = arith::scalbn(x, -22, Mode::TIES_TO_EVEN);
        match ty {
            Type::F16 => convert::convert::<f32, f16>(x, Mode::TIES_TO_EVEN).bits(),
            Type::Bf16 => convert::convert::<f32, bf16>(x, Mode::TIES_TO_EVEN).bits(),
            Type::Integer => self.next(),
            _ => x.bits(),
        }
    }

    /// Any bits of the type; of a function of an f32 a number from 2^-6 to 2^6 with any sign, since
    /// most bits are numbers so large or so small that the function is a constant or a straight line.
    fn any(&mut self, entry: &Entry) -> u32 {
        let bits = self.next();
        match entry.operand {
            Type::F32 if entry.name.ends_with(".f32") => {
                let exponent = (self.next() >> 8) % 12 + 127 - 6;
                bits & 0x807F_FFFF | exponent << 23
            }
            Type::F32 | Type::Integer => bits,
            _ => bits >> 16,
        }
    }
}

/// The bytes of stack that a call takes.
#[inline(never)]
fn stack(function: Function, [x, y, z]: [u32; 3]) -> u32 {
    let function = black_box(function);
    let mode = black_box(Mode::TIES_TO_EVEN);
    let (_, bytes) = stack::used::<512, _>(|| black_box(function(x, y, z, mode)));
    bytes
}

/// Whether operands reach the core, which `twin`, the same kernel with flags, determines: no
/// special operand, an inexact finite result.
fn reach_core(entry: &Entry, twin: Function, operands: [u32; 3]) -> bool {
    let plain = operands[..entry.operands]
        .iter()
        .all(|x| is_number(entry.operand, *x));
    let status = twin(operands[0], operands[1], operands[2], Mode::TIES_TO_EVEN);
    plain && status >> 32 == 1 && is_number(entry.result, status as u32)
}

/// Calls the entry on a sample of the inputs that reach its core; returns the maximum stack.
fn core_inputs(entry: &Entry, twin: Function) -> u32 {
    let (mut calls, mut deepest) = (0, 0);
    let mut random = Random(0x1234_5678);
    marks::kind(Kind::Core);
    for _ in 0..40 * SAMPLES {
        let operands = [(); 3].map(|()| random.any(entry));
        if !reach_core(entry, twin, operands) {
            continue;
        }
        counted(entry.function, operands);
        deepest = deepest.max(stack(entry.function, operands));
        calls += 1;
        if calls == SAMPLES {
            break;
        }
    }
    deepest
}

fn normal_inputs(entry: &Entry) {
    let mut random = Random(0x8765_4321);
    marks::kind(Kind::Normal);
    for _ in 0..SAMPLES {
        counted(
            entry.function,
            [(); 3].map(|()| random.normal(entry.operand)),
        );
    }
}

/// Every so-manieth operand of 16 bits.
fn all_inputs(entry: &Entry, twin: Function, step: usize) {
    for code in (0..=0xFFFFu32).step_by(step) {
        marks::kind(if reach_core(entry, twin, [code; 3]) {
            Kind::AnyCore
        } else {
            Kind::AnyOther
        });
        counted(entry.function, [code; 3]);
    }
}

/// Processes each entry as it is listed.
struct Report {
    /// Which operands of 16 bits: every so-manieth.
    step: usize,
    file: File,
    lines: u32,
    failed: bool,
}

impl Report {
    fn entry(&mut self, entry: Entry, twin: Function) {
        let stack = core_inputs(&entry, twin);
        normal_inputs(&entry);
        if entry.operands == 1 && matches!(entry.operand, Type::F16 | Type::Bf16) {
            all_inputs(&entry, twin, self.step);
        }
        marks::line();
        let mut line: String<128> = String::new();
        self.lines += 1;
        self.failed |= writeln!(
            line,
            "{} {} {} {stack}",
            entry.name, entry.variant, entry.operands
        )
        .is_err()
            || self.file.write_all(line.as_bytes()).is_err();
    }
}

/// A function with a name that the linker keeps, `cost_NAME_VARIANT`.
macro_rules! function {
    ($name:ident . $suffix:ident, $variant:ident, |$x:ident, $y:ident, $z:ident, $mode:ident| $body:expr) => {{
        #[unsafe(export_name = concat!("cost_", stringify!($name), "_", stringify!($suffix), "_", stringify!($variant)))]
        #[inline(never)]
        extern "Rust" fn cost($x: u32, $y: u32, $z: u32, $mode: Mode) -> u64 {
            let _ = ($x, $y, $z, $mode);
            $body
        }
        cost as Function
    }};
}

macro_rules! call {
    ($path:path, ($a:ident), $x:ident $y:ident $z:ident, $mode:expr) => {
        $path($a::of($x), $mode)
    };
    ($path:path, ($a:ident, $b:ident), $x:ident $y:ident $z:ident, $mode:expr) => {
        $path($a::of($x), $b::of($y), $mode)
    };
    ($path:path, ($a:ident, $b:ident, $c:ident), $x:ident $y:ident $z:ident, $mode:expr) => {
        $path($a::of($x), $b::of($y), $c::of($z), $mode)
    };
}

/// A kernel's two variants.
macro_rules! kernel {
    ($report:ident, $name:ident . $suffix:ident, ($a:ident $(, $b:ident)*) -> $result:ident, $path:path) => {{
        let md = function!($name.$suffix, md, |x, y, z, mode| {
            let (value, status): ($result, _) = call!($path, ($a $(, $b)*), x y z, mode);
            u64::from(value.bits()) | u64::from(status.bits()) << 32
        });
        let ne = function!($name.$suffix, ne, |x, y, z, mode| {
            let (value, _): ($result, _) = call!($path, ($a $(, $b)*), x y z, Mode::TIES_TO_EVEN);
            value.bits().into()
        });
        for (variant, function) in [("ne", ne), ("md", md)] {
            let entry = Entry {
                name: concat!(stringify!($name), ".", stringify!($suffix)),
                variant,
                function,
                operand: $a::TYPE,
                operands: [stringify!($a) $(, stringify!($b))*].len(),
                result: $result::TYPE,
            };
            $report.entry(entry, md);
        }
        md
    }};
}

/// `bitexact-fpu`, where the target has an FPU.
macro_rules! fpu {
    ($report:ident, $name:ident . $suffix:ident, ($a:ident $(, $b:ident)*) -> $result:ident, $path:path, $twin:expr) => {
        #[cfg(target_abi = "eabihf")]
        {
            let function = function!($name.$suffix, fpu, |x, y, z, mode| {
                let value: $result = fpu!(@ $path, x y z, $a $($b)*);
                value.bits().into()
            });
            let entry = Entry {
                name: concat!(stringify!($name), ".", stringify!($suffix)),
                variant: "fpu",
                function,
                operand: $a::TYPE,
                operands: [stringify!($a) $(, stringify!($b))*].len(),
                result: $result::TYPE,
            };
            $report.entry(entry, $twin);
        }
    };
    (@ $path:path, $x:ident $y:ident $z:ident, $a:ident) => {
        $path($a::of($x))
    };
    (@ $path:path, $x:ident $y:ident $z:ident, $a:ident $b:ident) => {
        $path($a::of($x), $b::of($y))
    };
    (@ $path:path, $x:ident $y:ident $z:ident, $a:ident $b:ident $c:ident) => {
        $path($a::of($x), $b::of($y), $c::of($z))
    };
}

/// The usual alternative: to f32, a library's function, and back.
macro_rules! peer {
    ($report:ident, $name:ident . $suffix:ident, $a:ident, $peer:ident, $function:expr, $twin:expr) => {{
        let function = function!($name.$suffix, $peer, |x, y, z, mode| {
            let wide = half_to_f32::<$a>($a::of(x));
            let function: fn(f32) -> f32 = $function;
            half_from_f32::<$a>(function(wide)).bits().into()
        });
        let entry = Entry {
            name: concat!(stringify!($name), ".", stringify!($suffix)),
            variant: stringify!($peer),
            function,
            operand: $a::TYPE,
            operands: 1,
            result: $a::TYPE,
        };
        $report.entry(entry, $twin);
    }};
}

/// P3109's Convert of binary32, ties to even and SatNone; what it does to a number, the conversion
/// back determines.
macro_rules! p3109_convert {
    ($report:ident, $suffix:ident, $format:ident) => {{
        let twin: Function = |x, _, _, _| {
            let code = p3109::convert::<f32, p3109::$format>(f32::of(x), Projection::REQUIRED);
            let back = p3109::convert::<_, f32>(code, Projection::REQUIRED).bits();
            u64::from(back) | u64::from(back != x) << 32
        };
        let function = function!(p3109_convert.$suffix, ne, |x, y, z, mode| {
            let x = f32::of(x);
            let code: p3109::$format = p3109::convert(x, Projection::REQUIRED);
            code.to_bits().into()
        });
        let entry = Entry {
            name: concat!("p3109_convert.", stringify!($suffix)),
            variant: "ne",
            function,
            operand: Type::F32,
            operands: 1,
            result: Type::F32,
        };
        $report.entry(entry, twin);
    }};
}

/// To and from fixed point. Every result in range that is not 0 reaches the core, the exact ones
/// too.
macro_rules! fixed {
    ($report:ident, $name:ident . $suffix:ident, $function:ident, ($a:ty: $operand:ident) -> $result:ty, $fraction:literal) => {{
        let md = function!($name.$suffix, md, |x, y, z, mode| {
            let (value, status): ($result, _) = convert::$function(<$a>::of(x), $fraction, mode);
            u64::from(value.bits()) | u64::from(status.bits()) << 32
        });
        let ne = function!($name.$suffix, ne, |x, y, z, mode| {
            let (value, _): ($result, _) =
                convert::$function(<$a>::of(x), $fraction, Mode::TIES_TO_EVEN);
            value.bits().into()
        });
        let twin: Function = |x, _, _, mode| {
            let (value, status): ($result, _) = convert::$function(<$a>::of(x), $fraction, mode);
            u64::from(value.bits() != 0 && Status::INEXACT.contains(status)) << 32
        };
        for (variant, function) in [("ne", ne), ("md", md)] {
            let entry = Entry {
                name: concat!(stringify!($name), ".", stringify!($suffix)),
                variant,
                function,
                operand: Type::$operand,
                operands: 1,
                result: Type::Other,
            };
            $report.entry(entry, twin);
        }
    }};
}

trait Half: Bits {
    fn wide(self) -> f32;
    fn narrow(x: f32) -> Self;
}

impl Half for f16 {
    fn wide(self) -> f32 {
        self.to_f32()
    }
    fn narrow(x: f32) -> Self {
        Self::from_f32(x)
    }
}

/// A peer's own type.
impl Half for f32 {
    fn wide(self) -> f32 {
        self
    }
    fn narrow(x: f32) -> Self {
        x
    }
}

impl Half for bf16 {
    fn wide(self) -> f32 {
        self.to_f32()
    }
    fn narrow(x: f32) -> Self {
        Self::from_f32(x)
    }
}

#[inline]
fn half_to_f32<T: Half>(x: T) -> f32 {
    x.wide()
}

#[inline]
fn half_from_f32<T: Half>(x: f32) -> T {
    T::narrow(x)
}

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    match board::end(costs()) {}
}

fn costs() -> Result<bool, &'static str> {
    let file = File::create(c"costs.txt").map_err(|_| "cannot create costs.txt")?;
    let mut report = Report {
        step: if File::open(c"exhaustive").is_ok() {
            1
        } else {
            32
        },
        file,
        lines: 0,
        failed: false,
    };
    counted(nothing, [0; 3]);
    // SAFETY: it reads no argument, and its result is not looked at.
    let returns = unsafe { core::mem::transmute::<extern "C" fn(), Function>(returns) };
    counted(returns, [0; 3]);

    // The catalog's homogeneous kernels on 16 bits that take a mode, and conversions from f32.
    macro_rules! row {
        // Kernels with an additional integer operand are excluded.
        (kernel: $kernel:ident, suffix: $suffix:tt, operands: ($a:ident, i32), $($fields:tt)*) => {};
        (
            kernel: $kernel:ident, suffix: [f16], operands: $operands:tt, results: f16,
            forms: [{ending: "", arguments: $of:ty, words: (mode: u32,), numbers: $numbers:tt}],
            stochastic: $stochastic:tt, generic: $generic:tt, call: $path:path, $($fields:tt)*
        ) => {
            row!(@ $kernel, f16, $operands, $path);
        };
        (
            kernel: $kernel:ident, suffix: [bf16], operands: $operands:tt, results: bf16,
            forms: [{ending: "", arguments: $of:ty, words: (mode: u32,), numbers: $numbers:tt}],
            stochastic: $stochastic:tt, generic: $generic:tt, call: $path:path, $($fields:tt)*
        ) => {
            row!(@ $kernel, bf16, $operands, $path);
        };
        (@ $kernel:ident, $format:ident, $operands:tt, $path:path) => {
            let _twin = kernel!(report, $kernel.$format, $operands -> $format, $path);
            peers!($kernel, $format, _twin);
        };
        ($($other:tt)*) => {};
    }
    macro_rules! peers {
        (exp, $format:ident, $twin:ident) => {
            peer!(report, exp.$format, $format, libm, libm::expf, $twin);
            peer!(
                report,
                exp.$format,
                $format,
                micromath,
                micromath::F32Ext::exp,
                $twin
            );
        };
        (log, $format:ident, $twin:ident) => {
            peer!(report, log.$format, $format, libm, libm::logf, $twin);
            peer!(
                report,
                log.$format,
                $format,
                micromath,
                micromath::F32Ext::ln,
                $twin
            );
        };
        (tanh, $format:ident, $twin:ident) => {
            peer!(report, tanh.$format, $format, libm, libm::tanhf, $twin);
        };
        (add, $format:ident, $twin:ident) => {
            fpu!(report, add.$format, ($format, $format) -> $format, bitexact_fpu::add, $twin);
        };
        (sub, $format:ident, $twin:ident) => {
            fpu!(report, sub.$format, ($format, $format) -> $format, bitexact_fpu::sub, $twin);
        };
        (mul, $format:ident, $twin:ident) => {
            fpu!(report, mul.$format, ($format, $format) -> $format, bitexact_fpu::mul, $twin);
        };
        (div, $format:ident, $twin:ident) => {
            fpu!(report, div.$format, ($format, $format) -> $format, bitexact_fpu::div, $twin);
        };
        (sqrt, $format:ident, $twin:ident) => {
            fpu!(report, sqrt.$format, ($format) -> $format, bitexact_fpu::sqrt, $twin);
        };
        (fma, $format:ident, $twin:ident) => {
            fpu!(report, fma.$format, ($format, $format, $format) -> $format, bitexact_fpu::fma, $twin);
        };
        (sin, $format:ident, $twin:ident) => {
            peer!(report, sin.$format, $format, libm, libm::sinf, $twin);
            peer!(
                report,
                sin.$format,
                $format,
                micromath,
                micromath::F32Ext::sin,
                $twin
            );
        };
        ($kernel:ident, $format:ident, $twin:ident) => {};
    }
    bitexact::for_each_kernel!(row);
    macro_rules! functions_of_f32 {
        ($($name:ident $path:path, $libm:path;)*) => {$(
            let twin = kernel!(report, $name.f32, (f32) -> f32, $path);
            peer!(report, $name.f32, f32, libm, $libm, twin);
        )*};
    }
    functions_of_f32! {
        exp math::exp_status, libm::expf;
        log math::log_status, libm::logf;
        sin math::sin_status, libm::sinf;
        tanh math::tanh_status, libm::tanhf;
    }
    let _twin = kernel!(report, convert.f32_f16, (f32) -> f16, convert::convert_status);
    fpu!(report, convert.f32_f16, (f32) -> f16, bitexact_fpu::convert, _twin);
    let _twin = kernel!(report, convert.f32_bf16, (f32) -> bf16, convert::convert_status);
    let _twin = kernel!(report, convert.f16_bf16, (f16) -> bf16, convert::convert_status);
    fpu!(report, convert.f16_bf16, (f16) -> bf16, bitexact_fpu::convert, _twin);
    let _twin = kernel!(report, convert.bf16_f16, (bf16) -> f16, convert::convert_status);
    fpu!(report, convert.bf16_f16, (bf16) -> f16, bitexact_fpu::convert, _twin);
    let _twin = kernel!(report, convert.f16_f32, (f16) -> f32, convert::convert_status);
    fpu!(report, convert.f16_f32, (f16) -> f32, bitexact_fpu::convert, _twin);
    macro_rules! fixed_point {
        ($($format:ident $ty:ident $integer:ident $fraction:literal $to:ident $from:ident;)*) => {
            $(fixed!(report, to_fixed.$to, to_fixed_status, ($format: $ty) -> $integer, $fraction);)*
            $(fixed!(report, from_fixed.$from, from_fixed_status, ($integer: Integer) -> $format, $fraction);)*
        };
    }
    fixed_point! {
        f16 F16 i8 7 f16_q7 q7_f16;
        f16 F16 i16 15 f16_q15 q15_f16;
        f16 F16 i32 31 f16_q31 q31_f16;
        bf16 Bf16 i8 7 bf16_q7 q7_bf16;
        bf16 Bf16 i16 15 bf16_q15 q15_bf16;
        bf16 Bf16 i32 31 bf16_q31 q31_bf16;
    }
    p3109_convert!(report, f32_binary8p3se, Binary8p3se);
    p3109_convert!(report, f32_binary8p4se, Binary8p4se);
    p3109_convert!(report, f32_binary8p1uf, Binary8p1uf);

    // So that a truncated file is detected.
    let mut line: String<32> = String::new();
    let _ = writeln!(line, "end {}", report.lines);
    report.failed |= report.file.write_all(line.as_bytes()).is_err();
    Ok(!report.failed)
}
