//! Tables of functions that have an approximation in f32 with an error bound, filled by a vectorised loop.
//!
//! Method: `fused` gives both ends of an interval that holds the function's value. They are rounded by the loops of
//! `convert`. Rounding is monotonic in every mode, so where both ends give the same code, that is the result. The
//! kernel computes the others: values next to a boundary, operands without an approximation, and 0, 1 and infinity, of
//! which results may be exact.
//!
//! A value next to a number of the format is open in directed modes, unless it is known on which side it lies
//! ([`Function::limits`]): the end that is on the other side is replaced by the next f32.
//!
//! Next to 0, or to infinity, many a function is next to its operand, a constant multiple of it, or a constant. There the limits are
//! close enough, and nothing else is computed ([`Function::limits_decide`]). Where limits leave one number, that is the value.
//!
//! Many pages have one result, as those of large operands of sigmoid, and of small ones of exp. Where a function rises, or falls, over a
//! page ([`Function::may_be_flat`]), so do its rounded values: if the kernel has one result of the first operand and of the last, it
//! is that of all. So nothing is computed where results are subnormal, or 0, which takes some processors much longer.
//!
//! Of an even function, the results of negative operands are those of positive ones; of an odd one they have the other sign, if
//! rounding treats both signs alike ([`symmetry`]).
//!
//! The bounds hold in the default floating-point state, and are stated, not proven; the test here compares every result
//! with the kernel's.

use crate::element::Operands;
use crate::environment;
use crate::level::{Level, Task};
use crate::rows::kernel;
use crate::simd::{Float, INFINITY, Lane, Narrow, SIGN, select, widen};
use crate::table::PAGE;
use bitexact::{Mode, Rounding, bf16, catalog::Parameters, f16};
use core::any::{Any, TypeId};
use core::marker::PhantomData;
use fused::enclosure::{self, Bfloat, Function, Half, Sign};

/// The code of 1.
const ONE: u32 = 0x3F80_0000;
/// The code of a NaN.
const NAN: u32 = 0x7FC0_0000;
/// So many operands next to each other have one exponent, if they are of bf16.
const RUN: usize = 1 << 7;

/// A 16-bit format, with its name in `fused`.
trait Short: Float {
    type Format: enclosure::Format;
}
impl Short for f16 {
    type Format = Half;
}
impl Short for bf16 {
    type Format = Bfloat;
}

/// The intervals of a page's operands, as the task that is compiled for each level.
struct Intervals<'a, K, F> {
    page: usize,
    ends: &'a mut [[f32; PAGE]; 2],
    of: PhantomData<(K, F)>,
}

impl<K: Function, F: Short> Task for Intervals<'_, K, F> {
    #[inline(always)]
    fn run(self) {
        let [lows, highs] = self.ends;
        let [lows, highs] = [lows, highs].map(|ends| ends.as_chunks_mut::<RUN>().0);
        for (run, (lows, highs)) in lows.iter_mut().zip(highs).enumerate() {
            let code = (self.page * PAGE + run * RUN) as u32;
            let first = f32::from_bits(widen(F::of_code(code.into())));
            let of_exponent = K::of_exponent::<F::Format>(first);
            let ends = (lows, highs);
            if K::limits_decide(first) {
                each::<K, F>(ends, code, None);
            } else if K::CASES == 1 {
                each::<K, F>(ends, code, Some(of_exponent));
            } else {
                // So that the compiler knows the case.
                match of_exponent[0] {
                    0 => each::<K, F>(ends, code, Some([0, 0, 0])),
                    1 => each::<K, F>(ends, code, Some([1, 0, 0])),
                    2 => each::<K, F>(ends, code, Some([2, 0, 0])),
                    3 => each::<K, F>(ends, code, Some([3, 0, 0])),
                    _ => each::<K, F>(ends, code, Some([4, 0, 0])),
                }
            }
        }
    }
}

/// The ends of the intervals of a run of codes: by the approximation, or by the limits alone.
#[inline(always)]
fn each<K: Function, F: Short>(
    (lows, highs): (&mut [f32; RUN], &mut [f32; RUN]),
    first: u32,
    of_exponent: Option<[u32; 3]>,
) {
    for (code, (low, high)) in (first..).zip(lows.iter_mut().zip(highs)) {
        let x = widen(F::of_code(code.into()));
        let ends = match of_exponent {
            Some(of_exponent) => interval::<K, F>(x, of_exponent),
            None => limited::<K>(x, outermost::<K>(x)),
        };
        [*low, *high] = ends.map(f32::from_bits);
    }
}

/// Any magnitude, with the operand's sign.
#[inline(always)]
fn outermost<K: Function>(x: u32) -> [u32; 3] {
    let sign = if K::SIGN == Sign::Positive {
        0
    } else {
        x & SIGN
    };
    [0, INFINITY, sign]
}

/// The codes of the ends of an operand's interval.
#[inline(always)]
fn interval<K: Function, F: Short>(x: u32, of_exponent: [u32; 3]) -> [u32; 2] {
    let near = K::on_host::<F::Format>(f32::from_bits(x), of_exponent);
    let sign = match K::SIGN {
        Sign::Positive => 0,
        Sign::OfOperand => x,
        Sign::Any => near.to_bits(),
    };
    let [near, far] = enclosure::around::<K, F::Format>(near).map(|end| end.to_bits() & !SIGN);
    limited::<K>(x, [near, far, sign & SIGN])
}

/// The codes of the ends of magnitudes with a sign, within the function's limits.
#[inline(always)]
fn limited<K: Function>(x: u32, [near, far, sign]: [u32; 3]) -> [u32; 2] {
    let (magnitude, value) = (x & !SIGN, f32::from_bits(x));
    let [least, most] = K::limits(value).map(f32::to_bits);
    let [least, most] = [least.wrapping_add(1), most.wrapping_sub(1)];
    let near = select(least == most, least, near.max(least)) | sign;
    let far = select(least == most, most, far.min(most)) | sign;
    // Two NaNs decide, a NaN and 0 do not. Selects of one word each: LLVM makes 64-bit lanes of a choice between pairs.
    let none = magnitude > INFINITY || K::DOMAIN.lacks(value);
    let open = matches!(magnitude, 0 | ONE | INFINITY);
    let high = select(none, NAN, select(open, 0, far));
    [select(none | open, NAN, near), high]
}

/// Fills a page, in a mode, with the kernel of its operands by index; returns which results are not decided.
type Fill<F> = fn(Level, Mode, usize, &mut [F; PAGE], &dyn Fn(usize) -> F) -> [bool; PAGE];

fn fill<K: Function, F: Short>(
    level: Level,
    mode: Mode,
    page: usize,
    values: &mut [F; PAGE],
    kernel: &dyn Fn(usize) -> F,
) -> [bool; PAGE] {
    // A page's operands have one sign, and their magnitudes rise.
    let least = f32::from_bits(widen(F::of_code((page * PAGE) as u64)));
    if K::may_be_flat(least) && !K::limits_decide(least) {
        let [first, last] = [0, PAGE - 1].map(kernel);
        if first.code() == last.code() {
            *values = [first; PAGE];
            return [false; PAGE];
        }
    }
    let mut ends = [[0.0; PAGE]; 2];
    let of = PhantomData::<(K, F)>;
    level.run(Intervals {
        page,
        ends: &mut ends,
        of,
    });
    round(level, mode, &ends, values)
}

/// Where both ends are rounded to the same code, that code.
#[inline(never)]
fn round<F: Short>(
    level: Level,
    mode: Mode,
    [low, high]: &[[f32; PAGE]; 2],
    values: &mut [F; PAGE],
) -> [bool; PAGE] {
    let mut above = [F::BLANK; PAGE];
    let Some(narrow) = Narrow::<F>::new(mode) else {
        return [true; PAGE];
    };
    narrow.over(level, (&low[..],), &mut values[..]);
    narrow.over(level, (&high[..],), &mut above[..]);
    let mut open = [true; PAGE];
    for ((open, low), high) in open.iter_mut().zip(values).zip(above) {
        *open = low.code() != high.code();
    }
    open
}

/// What one of two functions is, the one of f16 and the one of bf16, if that has results of type `R`.
fn either<R: Copy + 'static>(both: [&dyn Any; 2]) -> Option<R> {
    both.into_iter().find_map(|one| one.downcast_ref()).copied()
}

/// A function in both formats.
struct Both(Fill<f16>, Fill<bf16>);

impl Both {
    /// That of results of a type, if this is one of the formats.
    fn of<R: 'static>(&self) -> Option<Fill<R>> {
        either([&self.0, &self.1])
    }
}

/// How a function's value at -x follows from that at x.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symmetry {
    /// It is the same.
    Even,
    /// It has the other sign.
    Odd,
}

macro_rules! is_one_of {
    ($kernel:ident: $($name:ident)*) => {
        [$(TypeId::of::<kernel::$name>()),*].contains(&$kernel)
    };
}

/// That of a kernel's results in a mode, if it has one.
fn symmetry(kernel: TypeId, mode: Mode) -> Option<Symmetry> {
    if is_one_of!(kernel: cos cosh cospi) {
        return Some(Symmetry::Even);
    }
    let odd = is_one_of!(kernel: sin tan asin atan sinh tanh asinh atanh sinpi tanpi asinpi atanpi erf cbrt reciprocal softsign tanhshrink);
    let directed = matches!(
        mode.rounding,
        Rounding::TowardPositive | Rounding::TowardNegative
    );
    (odd && !directed).then_some(Symmetry::Odd)
}

/// The results of a page of negative operands from those of the same magnitudes.
type Mirror<F> = fn(Symmetry, &[F; PAGE], &mut [F; PAGE]);

fn mirror<F: Short>(symmetry: Symmetry, positive: &[F; PAGE], negative: &mut [F; PAGE]) {
    *negative = *positive;
    if symmetry == Symmetry::Odd {
        for result in negative {
            // A NaN has no sign to change: its code is the canonical one.
            let code = result.code();
            let infinity = F::MAX_FINITE as u32 + 1;
            let is_nan = code as u32 & (F::SIGN as u32 - 1) > infinity;
            *result = F::of_code(code ^ u64::from(select(is_nan, 0, F::SIGN as u32)));
        }
    }
}

/// The mode among the arguments of a kernel, if the parameters are these.
macro_rules! mode {
    ($args:ident []) => {
        $args.downcast_ref::<Mode>().copied()
    };
    ($args:ident [$($bits:literal)+]) => {{
        let args = $args.downcast_ref::<(($(mode!(@f32 $bits),)+), Mode)>();
        let same = |parameters| Parameters::bits(parameters).starts_with(&[$($bits),+]);
        args.filter(|(parameters, _)| same(*parameters)).map(|(_, mode)| *mode)
    }};
    (@f32 $bits:literal) => { f32 };
}

macro_rules! find {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        pub(super) fn find(kernel: TypeId, args: &dyn Any) -> Option<(Both, Mode)> {
            $(if kernel == TypeId::of::<kernel::$kernel>() {
                type Of = enclosure::$function;
                return Some((Both(fill::<Of, f16>, fill::<Of, bf16>), mode!(args $parameters)?));
            })*
            None
        }
    };
}
mod on_gpus_too {
    use super::{Any, Both, Mode, Parameters, TypeId, bf16, enclosure, f16, fill, kernel};

    enclosure::for_each_enclosed!(find);
}

mod on_hosts_only {
    use super::{Any, Both, Mode, Parameters, TypeId, bf16, enclosure, f16, fill, kernel};

    enclosure::for_each_on_hosts_only!(find);
}

/// The approximation of a kernel with these arguments, and their mode.
fn find(kernel: TypeId, args: &dyn Any) -> Option<(Both, Mode)> {
    on_gpus_too::find(kernel, args).or_else(|| on_hosts_only::find(kernel, args))
}

/// An approximation of a kernel with its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Near<R> {
    fill: Fill<R>,
    mode: Mode,
    mirror: Mirror<R>,
    symmetry: Option<Symmetry>,
}

impl<R: Copy + 'static> Near<R> {
    /// That of a kernel, where it and this machine have one.
    pub(crate) fn of<K: 'static, O: Operands>(args: &dyn Any) -> Option<Self> {
        // Without its instruction, a fused multiply-add is slower than the kernel.
        if TypeId::of::<O>() != TypeId::of::<(R,)>() || !Level::best().has_fma() {
            return None;
        }
        let kernel = TypeId::of::<K>();
        let (both, mode) = find(kernel, args)?;
        Some(Self {
            fill: both.of()?,
            mode,
            mirror: either([
                &(mirror::<f16> as Mirror<f16>),
                &(mirror::<bf16> as Mirror<bf16>),
            ])?,
            symmetry: symmetry(kernel, mode),
        })
    }

    /// Whether the results of negative operands follow from those of positive ones.
    pub(crate) fn is_symmetric(self) -> bool {
        self.symmetry.is_some()
    }

    /// The page of negative operands, from that of the same magnitudes.
    pub(crate) fn mirror(self, positive: &[R; PAGE], negative: &mut [R; PAGE]) {
        if let Some(symmetry) = self.symmetry {
            (self.mirror)(symmetry, positive, negative);
        }
    }

    /// Whether approximations hold on this thread: its floating-point state is the default one.
    pub(crate) fn holds() -> bool {
        environment::is_default()
    }

    /// Fills a page by this thread, with the kernel of its operands by index; returns which results are not decided.
    pub(crate) fn fill(
        self,
        page: usize,
        values: &mut [R; PAGE],
        kernel: &dyn Fn(usize) -> R,
    ) -> [bool; PAGE] {
        if Self::holds() {
            (self.fill)(Level::best(), self.mode, page, values, kernel)
        } else {
            [true; PAGE]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fill, Function, Short, Symmetry, TypeId, enclosure, fill, find, mirror, symmetry};
    use crate::level::Level;
    use crate::rows::{Kernel, kernel};
    use crate::table::PAGE;
    use bitexact::{Mode, Overflow, Rounding, bf16, f16};
    use enclosure::{Format, Machine, Sigmoid, Sign};

    /// How many of all results are decided and not the kernel's, and how many are open.
    fn judge<F: Short>(level: Level, mode: Mode, fill: Fill<F>, due: &[F]) -> (usize, usize) {
        let (mut wrong, mut open) = (0, 0);
        for (page, due) in due.chunks(PAGE).enumerate() {
            let mut made = [F::BLANK; PAGE];
            let undecided = fill(level, mode, page, &mut made, &|index| {
                due.get(index).copied().expect("a page")
            });
            for ((made, due), undecided) in made.iter().zip(due).zip(undecided) {
                open += usize::from(undecided);
                wrong += usize::from(!undecided && made.code() != due.code());
            }
        }
        (wrong, open)
    }

    fn modes() -> impl Iterator<Item = Mode> {
        let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
        Rounding::ALL.into_iter().flat_map(with)
    }

    fn kernels<K: Kernel<(F,), F, A>, F: Short, A: crate::Args>(args: A) -> Vec<F> {
        (0..1 << 16)
            .map(|code| K::call((F::of_code(code),), args).0)
            .collect()
    }

    /// In a mode at every level of this machine; few are open to nearest.
    fn every_result<K, F, A>(name: &str, args: A, mode: Mode)
    where
        K: Kernel<(F,), F, A>,
        F: Short,
        A: crate::Args,
    {
        let due = kernels::<K, F, A>(args);
        let kernel = TypeId::of::<K>();
        let (both, found) = find(kernel, &args).expect("an approximation");
        assert_eq!(found, mode);
        let pages = |half: &[F]| half.as_chunks().0.to_vec();
        let (positive, negative) = due.split_at(due.len() / 2);
        let mut mirrored = vec![];
        for symmetry in [Symmetry::Even, Symmetry::Odd] {
            let mut made = pages(negative);
            made.iter_mut()
                .zip(pages(positive))
                .for_each(|(made, of)| mirror(symmetry, &of, made));
            if made
                .into_iter()
                .flatten()
                .zip(negative)
                .all(|(made, due)| made.code() == due.code())
            {
                mirrored.push(symmetry);
            }
        }
        // No function is overlooked either.
        assert_eq!(
            mirrored,
            Vec::from_iter(symmetry(kernel, mode)),
            "{name}, {mode:?}"
        );
        let fill: Fill<F> = both.of().expect("a format");
        for level in Level::available() {
            let (wrong, open) = judge(*level, mode, fill, &due);
            assert_eq!(wrong, 0, "{name}, {mode:?}, {level:?}");
            assert!(
                mode != Mode::TIES_TO_EVEN || open < 1 << 15,
                "{name}: {open}"
            );
            if *level == Level::best() {
                println!("{name}, {} bits, {mode:?}: {open} open", F::PRECISION);
            }
        }
    }

    macro_rules! args {
        ($mode:ident []) => { $mode };
        ($mode:ident [$($bits:literal)+]) => { (($(f32::from_bits($bits),)+), $mode) };
    }

    macro_rules! every_function {
        ($($kernel:ident $function:ident $parameters:tt,)*) => {
            #[test]
            fn every_function() {
                for mode in modes() {
                    $(
                        let name = stringify!($kernel);
                        every_result::<kernel::$kernel, f16, _>(name, args!(mode $parameters), mode);
                        every_result::<kernel::$kernel, bf16, _>(name, args!(mode $parameters), mode);
                    )*
                }
            }
        };
    }
    /// All decided results of all functions in all modes are the kernel's.
    mod on_gpus_too {
        use super::{bf16, enclosure, every_result, f16, kernel, modes};

        enclosure::for_each_enclosed!(every_function);
    }

    /// The same of the functions that only hosts have.
    mod on_hosts_only {
        use super::{bf16, enclosure, every_result, f16, kernel, modes};

        enclosure::for_each_on_hosts_only!(every_function);
    }

    /// A wrong approximation is found.
    #[test]
    fn a_wrong_approximation_is_found() {
        struct Faulty;
        impl Function for Faulty {
            const SIGN: Sign = Sigmoid::SIGN;
            const ULPS: [u32; 2] = Sigmoid::ULPS;
            fn near<F: Format, M: Machine>(m: M, x: f32) -> f32 {
                Sigmoid::near::<F, M>(m, x) * (1.0 + 1.0 / 32768.0)
            }
        }
        let mode = Mode::TIES_TO_EVEN;
        let due = kernels::<kernel::sigmoid, f16, _>(mode);
        assert!(judge(Level::best(), mode, fill::<Faulty, f16>, &due).0 > 100);
        let due = kernels::<kernel::sigmoid, bf16, _>(mode);
        assert!(judge(Level::best(), mode, fill::<Faulty, bf16>, &due).0 > 10);
    }
}
