//! Tables of functions that have an approximation in f32 with an error bound, filled by a
//! vectorised loop.
//!
//! Method: `enclosures` gives both ends of an interval that holds the function's value. They are
//! rounded by the loops of `convert` (those to bf16 with IEEE 754's overflow by one of their own).
//! Rounding is monotonic in every mode, so where both ends give the same code, that is the result.
//! The kernel computes the others: values next to a boundary, operands without an approximation,
//! and 0, 1 and infinity, of which results may be exact.
//!
//! Where a function is smooth, the polynomial through eight of its approximations takes the place
//! of those of a page ([`interpolation`](crate::interpolation)). Next to 0 many a function is a
//! multiple of its operand ([`Function::SLOPES`]).
//!
//! A value next to a number of the format is open in directed modes, unless it is known on which
//! side it lies ([`Function::limits`]): the end that is on the other side is replaced by the next
//! f32. That is done where many results of a page are open. Next to 0, or to infinity, many a
//! function is next to its operand, a constant multiple of it, or a constant. There the limits are
//! close enough, and nothing else is computed ([`Function::limits_decide`]). If only one f32 lies
//! between the limits, it is the value.
//!
//! Many pages have one result, as those of large operands of sigmoid, and of small ones of exp.
//! Where a function rises, or falls, over a page ([`Function::may_be_flat`]), so do its rounded
//! values: if the kernel has one result of the first operand and of the last, it is that of all. So
//! at most eight approximations are computed where results are 0 or subnormal, other than multiples
//! of the operand, which takes some processors much longer. The kernel is not asked this where a
//! page has a polynomial.
//!
//! Of an even function, the results of negative operands are those of positive ones; of an odd one
//! they have the other sign, if rounding treats both signs alike ([`symmetry`]).
//!
//! The bounds hold in the default floating-point state, and are stated, not proven; the test here
//! compares every result with the kernel's. Every operation is IEEE 754's, so all processors with a
//! fused multiply-add compute the same approximations.

use super::page::PAGE;
use crate::element;
use crate::environment;
use crate::interpolation::{COUNT, Points, Polynomial};
use crate::level::{Level, Task};
use crate::rows::kernel;
use crate::simd::{Float, INFINITY, Lane, Narrow, SIGN, select, widen};
use bitexact::format::Format as _;
use bitexact::{Mode, Overflow, Rounding, bf16, catalog::Parameters, f16};
use core::any::{Any, TypeId};
use core::marker::PhantomData;
use enclosures::enclosure::{self, Bfloat, Function, Half, Sign};

/// The code of a NaN.
const NAN: u32 = 0x7FC0_0000;
/// Of f16 and of bf16: the most ulps that interpolation may add.
const MOST_ULPS: [u32; 2] = [8, 64];
/// Below this magnitude, functions may have [`Function::SLOPES`].
const NEXT_TO_0: f32 = 1.0 / 67_108_864.0;
/// If more of a page's results are open, limits are applied.
const MOST_OPEN: usize = 16;

/// A 16-bit format, with its name in `fused`.
trait Short: Float {
    type Format: enclosure::Format;
    /// So many operands next to each other, of a page, have one exponent.
    const RUN: usize;
    const POINTS: Points = Points::of(Self::RUN);
}
impl Short for f16 {
    type Format = Half;
    const RUN: usize = PAGE;
}
impl Short for bf16 {
    type Format = Bfloat;
    const RUN: usize = PAGE / 2;
}

/// The numbers of a run, which differ by the same step.
#[derive(Clone, Copy)]
struct Run {
    first: f32,
    step: f32,
}

impl Run {
    /// That which begins at a code.
    #[inline(always)]
    fn from<F: Short>(code: usize) -> Self {
        let [first, second] =
            [code, code + 1].map(|code| f32::from_bits(widen(F::of_code(code as u64))));
        let step = second - first;
        Self { first, step }
    }

    #[inline(always)]
    fn at(self, index: usize) -> f32 {
        (index as i32 as f32).mul_add(self.step, self.first)
    }
}

/// Both ends of the intervals of a page's operands.
type Ends = [[f32; PAGE]; 2];

/// The runs of a page, each with its part of both ends.
#[inline(always)]
fn runs<F: Short>(
    page: usize,
    [lows, highs]: &mut Ends,
) -> impl Iterator<Item = (Run, [&mut [f32]; 2])> {
    let ends = lows
        .chunks_exact_mut(F::RUN)
        .zip(highs.chunks_exact_mut(F::RUN));
    ends.enumerate().map(move |(run, (lows, highs))| {
        let run = Run::from::<F>(page * PAGE + run * F::RUN);
        (run, [lows, highs])
    })
}

/// The intervals of a page's operands, as the task that is compiled for each level: by limits where
/// these decide, else by approximations alone.
struct Intervals<'a, K, F> {
    page: usize,
    ends: &'a mut Ends,
    /// Whether all results are the same: asked where each operand would need an approximation. If
    /// so, the ends are not filled.
    is_flat: &'a mut dyn FnMut() -> bool,
    of: PhantomData<(K, F)>,
}

impl<K: Function, F: Short> Task for Intervals<'_, K, F> {
    #[inline(always)]
    fn run(self) {
        for (run, [lows, highs]) in runs::<F>(self.page, self.ends) {
            if !run.first.is_finite() {
                lows.fill(f32::from_bits(NAN));
                highs.fill(f32::from_bits(NAN));
            } else if K::limits_decide(run.first) {
                for (index, (low, high)) in lows.iter_mut().zip(&mut *highs).enumerate() {
                    let x = run.at(index);
                    (*low, *high) = limited::<K>(x, outermost::<K>(x.to_bits()));
                }
            } else if !approximated::<K, F>(run, [lows, highs], self.is_flat) {
                return;
            }
            if let 0.0 | 1.0 | f32::INFINITY = run.first.abs() {
                // A NaN and 0 do not decide.
                if let Some(low) = lows.first_mut() {
                    *low = f32::from_bits(NAN);
                }
                if let Some(high) = highs.first_mut() {
                    *high = 0.0;
                }
            }
        }
    }
}

/// The intervals of a run by approximations. False if each operand would need one and the page is
/// flat.
#[inline(always)]
fn approximated<K: Function, F: Short>(
    run: Run,
    [lows, highs]: [&mut [f32]; 2],
    is_flat: &mut dyn FnMut() -> bool,
) -> bool {
    let of_format = |[half, bfloat]: [u32; 2]| {
        if <F::Format as enclosure::Format>::WIDE {
            bfloat
        } else {
            half
        }
    };
    let ulps = of_format(K::ULPS);
    let of_exponent = K::of_exponent::<F::Format>(run.first);
    let [negative, positive] = K::SLOPES;
    let slope = if run.first.is_sign_negative() {
        negative
    } else {
        positive
    };
    if slope != 0.0 && run.at(F::RUN).abs() <= NEXT_TO_0 {
        for (index, (low, high)) in lows.iter_mut().zip(highs).enumerate() {
            let x = run.at(index);
            (*low, *high) = around::<K>(x, x * slope, ulps);
        }
        return true;
    }
    // Of 128 operands a polynomial takes as long as most approximations.
    if F::RUN == PAGE || K::is_long(of_exponent) {
        let points = const { F::POINTS };
        let mut values = [0.0; COUNT];
        let at = points.at.into_iter().map(|at| run.at(at));
        near::<K, F>(&mut values, at, of_exponent);
        // In memory, so that LLVM computes these eight as a vector.
        let values = core::hint::black_box(values);
        if let Some(polynomial) = Polynomial::through(&points, values, of_format(MOST_ULPS)) {
            let ulps = ulps + polynomial.ulps;
            let sign = sign_of::<K>(run.first, 0);
            for (index, (low, high)) in lows.iter_mut().zip(highs).enumerate() {
                // Neither end goes beyond 0 or infinity: a polynomial's values are far from both.
                let value = polynomial.at(index).to_bits();
                let [near, far] = [value.wrapping_sub(ulps), value.wrapping_add(ulps)];
                (*low, *high) = or_nans::<K>(run.at(index), near | sign, far | sign);
            }
            return true;
        }
    }
    if is_flat() {
        return false;
    }
    near::<K, F>(lows, (0..F::RUN).map(|index| run.at(index)), of_exponent);
    for (index, (low, high)) in lows.iter_mut().zip(highs).enumerate() {
        (*low, *high) = around::<K>(run.at(index), *low, ulps);
    }
    true
}

/// The sign of a result, of an operand and its approximation.
#[inline(always)]
fn sign_of<K: Function>(x: f32, near: u32) -> u32 {
    match K::SIGN {
        Sign::Positive => 0,
        Sign::OfOperand => x.to_bits() & SIGN,
        Sign::Any => near & SIGN,
    }
}

/// The ends of the interval around an approximation, or around its absence.
#[inline(always)]
fn around<K: Function>(x: f32, near: f32, ulps: u32) -> (f32, f32) {
    let sign = sign_of::<K>(x, near.to_bits());
    let magnitude = near.to_bits() & !SIGN;
    // Without an approximation the near end is a NaN that rounding leaves as it is, and the far one
    // is 0.
    let near = magnitude.saturating_sub(ulps).min(NAN);
    let far = (magnitude + ulps).min(INFINITY);
    let far = select(magnitude > INFINITY, 0, far);
    or_nans::<K>(x, near | sign, far | sign)
}

/// The limits of a page's operands, within their intervals.
struct Limits<'a, K, F> {
    page: usize,
    ends: &'a mut Ends,
    of: PhantomData<(K, F)>,
}

impl<K: Function, F: Short> Task for Limits<'_, K, F> {
    #[inline(always)]
    fn run(self) {
        for (run, [lows, highs]) in runs::<F>(self.page, self.ends) {
            if !run.first.is_finite() || K::limits_decide(run.first) {
                continue;
            }
            for (index, (low, high)) in lows.iter_mut().zip(highs).enumerate() {
                let [near, far] = [low.to_bits(), high.to_bits()];
                let is_nan = near & !SIGN > INFINITY;
                let (first, last) =
                    limited::<K>(run.at(index), [near & !SIGN, far & !SIGN, near & SIGN]);
                *low = if is_nan { *low } else { first };
                *high = if is_nan { *high } else { last };
            }
        }
    }
}

/// The approximations of operands with one exponent.
#[inline(always)]
fn near<K: Function, F: Short>(
    out: &mut [f32],
    x: impl Iterator<Item = f32>,
    of_exponent: [u32; 3],
) {
    if K::CASES == 1 {
        return each::<K, F>(out, x, of_exponent);
    }
    // So that the compiler knows the case.
    let [case, ..] = of_exponent;
    match case {
        0 => each::<K, F>(out, x, [0, 0, 0]),
        1 => each::<K, F>(out, x, [1, 0, 0]),
        2 => each::<K, F>(out, x, [2, 0, 0]),
        3 => each::<K, F>(out, x, [3, 0, 0]),
        _ => each::<K, F>(out, x, [4, 0, 0]),
    }
}

#[inline(always)]
fn each<K: Function, F: Short>(
    out: &mut [f32],
    x: impl Iterator<Item = f32>,
    of_exponent: [u32; 3],
) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = K::on_host::<F::Format>(x, of_exponent);
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

/// The ends of magnitudes with a sign, within the function's limits.
#[inline(always)]
fn limited<K: Function>(x: f32, [near, far, sign]: [u32; 3]) -> (f32, f32) {
    let [least, most] = K::limits(x).map(f32::to_bits);
    let [least, most] = [least.wrapping_add(1), most.wrapping_sub(1)];
    let near = select(least == most, least, near.max(least)) | sign;
    let far = select(least == most, most, far.min(most)) | sign;
    or_nans::<K>(x, near, far)
}

/// The numbers with these codes; NaNs, which decide, where the operand has no value.
#[inline(always)]
fn or_nans<K: Function>(x: f32, near: u32, far: u32) -> (f32, f32) {
    // By a mask, since LLVM makes 64-bit lanes of two selects with one condition.
    let none = u32::from(K::DOMAIN.lacks(x)).wrapping_neg();
    let nan = NAN & none;
    (
        f32::from_bits(near & !none | nan),
        f32::from_bits(far & !none | nan),
    )
}

/// The places of a page's intervals, which one page after another uses. Vectors of 64 bytes do not
/// cross cache lines.
#[repr(align(64))]
pub(crate) struct Scratch(Ends);

impl Default for Scratch {
    fn default() -> Self {
        Self([[0.0; PAGE]; 2])
    }
}

/// Fills a page, as a mode rounds, with the kernel of its operands by index.
type Fill<F> = fn(Level, Narrow<F>, usize, &mut Scratch, &mut [F; PAGE], &dyn Fn(usize) -> F);

fn fill<K: Function, F: Short>(
    level: Level,
    narrow: Narrow<F>,
    page: usize,
    Scratch(ends): &mut Scratch,
    values: &mut [F; PAGE],
    kernel: &dyn Fn(usize) -> F,
) {
    // A page's operands have one sign, and their magnitudes rise.
    let least = Run::from::<F>(page * PAGE).first;
    let mut flat = None;
    let mut is_flat = || {
        *flat.get_or_insert_with(|| {
            let [first, last] = [0, PAGE - 1].map(kernel);
            *values = [first; PAGE];
            first.code() == last.code()
        })
    };
    let of = PhantomData::<(K, F)>;
    level.run_fused(Intervals {
        page,
        ends,
        is_flat: &mut || K::may_be_flat(least) && is_flat(),
        of,
    });
    if flat == Some(true) {
        return;
    }
    let mut above = [F::BLANK; PAGE];
    round(level, narrow, ends, [&mut *values, &mut above]);
    let mut open = open(values, &above);
    if open > MOST_OPEN {
        level.run_fused(Limits { page, ends, of });
        round(level, narrow, ends, [&mut *values, &mut above]);
        open = self::open(values, &above);
    }
    decide(values, &above, open, kernel);
}

/// How many results are open: their ends have different codes.
fn open<F: Short>(values: &[F; PAGE], above: &[F; PAGE]) -> usize {
    let differ = |(low, high): (&F, &F)| u16::from(low.code() as u16 != high.code() as u16);
    usize::from(values.iter().zip(above).map(differ).sum::<u16>())
}

/// Rounds both ends.
#[inline(never)]
fn round<F: Short>(level: Level, narrow: Narrow<F>, ends: &Ends, values: [&mut [F; PAGE]; 2]) {
    if F::BIAS == bf16::BIAS && narrow.mode.overflow == Overflow::Ieee {
        return level.run(Rounded {
            narrow,
            ends,
            values,
        });
    }
    for (values, ends) in values.into_iter().zip(ends) {
        narrow.over(level, (&ends[..],), &mut values[..]);
    }
}

/// The kernel's results in place of those that are open; `open` is how many.
#[inline(never)]
fn decide<F: Short>(
    values: &mut [F; PAGE],
    above: &[F; PAGE],
    mut open: usize,
    kernel: &dyn Fn(usize) -> F,
) {
    // Most pages have a few or none, so they are looked for eight at a time.
    let mut eights = values.chunks_mut(8).zip(above.chunks(8)).enumerate();
    while open > 0
        && let Some((eight, (values, above))) = eights.next()
    {
        let differ = |(low, high): (&F, &F)| low.code() as u16 ^ high.code() as u16;
        if values
            .iter()
            .zip(above)
            .map(differ)
            .fold(0, |all, one| all | one)
            != 0
        {
            for (index, (value, above)) in values.iter_mut().zip(above).enumerate() {
                if value.code() != above.code() {
                    *value = kernel(eight * 8 + index);
                    open -= 1;
                }
            }
        }
    }
}

/// Both ends as the mode rounds them: a narrower significand, in which what is too large is
/// infinite, and the canonical NaN.
struct Rounded<'a, F> {
    narrow: Narrow<F>,
    ends: &'a Ends,
    values: [&'a mut [F; PAGE]; 2],
}

impl<F: Short> Task for Rounded<'_, F> {
    #[inline(always)]
    fn run(self) {
        for (values, ends) in self.values.into_iter().zip(self.ends) {
            for (value, end) in values.iter_mut().zip(ends) {
                *value = self.narrow.of_number(end.to_bits());
            }
        }
    }
}

/// What one of two functions is, the one of f16 and the one of bf16, if that has results of type
/// `R`.
fn either<R: Copy + 'static>(both: [&dyn Any; 2]) -> Option<R> {
    both.into_iter().find_map(|one| one.downcast_ref()).copied()
}

/// A function in both formats.
struct Formats(Fill<f16>, Fill<bf16>);

impl Formats {
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
        pub(super) fn find(kernel: TypeId, args: &dyn Any) -> Option<(Formats, Mode)> {
            $(if kernel == TypeId::of::<kernel::$kernel>() {
                type Of = enclosure::$function;
                return Some((Formats(fill::<Of, f16>, fill::<Of, bf16>), mode!(args $parameters)?));
            })*
            None
        }
    };
}
mod on_gpus_too {
    use super::{Any, Formats, Mode, Parameters, TypeId, bf16, enclosure, f16, fill, kernel};

    enclosure::for_each_enclosed!(find);
}

mod on_hosts_only {
    use super::{Any, Formats, Mode, Parameters, TypeId, bf16, enclosure, f16, fill, kernel};

    enclosure::for_each_on_hosts_only!(find);
}

/// The approximation of a kernel with these arguments, and their mode.
fn find(kernel: TypeId, args: &dyn Any) -> Option<(Formats, Mode)> {
    on_gpus_too::find(kernel, args).or_else(|| on_hosts_only::find(kernel, args))
}

/// Rounding to a format, as a mode does.
type AsRounded<F> = fn(Mode) -> Option<Narrow<F>>;

/// An approximation of a kernel with its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Near<R> {
    fill: Fill<R>,
    narrow: Narrow<R>,
    mirror: Mirror<R>,
    symmetry: Option<Symmetry>,
}

impl<R: Copy + 'static> Near<R> {
    /// That of a kernel, where it and this machine have one.
    pub(crate) fn of<K: 'static, O: element::Operands>(args: &dyn Any) -> Option<Self> {
        // Without its instruction, a fused multiply-add is slower than the kernel.
        if TypeId::of::<O>() != TypeId::of::<(R,)>() || !Level::best().has_fma() {
            return None;
        }
        let kernel = TypeId::of::<K>();
        let (both, mode) = find(kernel, args)?;
        let narrow: AsRounded<R> = either([
            &(Narrow::new as AsRounded<f16>),
            &(Narrow::new as AsRounded<bf16>),
        ])?;
        Some(Self {
            fill: both.of()?,
            narrow: narrow(mode)?,
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

    /// Fills a page by this thread, with the kernel of its operands by index.
    pub(crate) fn fill(
        self,
        page: usize,
        scratch: &mut Scratch,
        values: &mut [R; PAGE],
        kernel: &dyn Fn(usize) -> R,
    ) {
        if Self::holds() {
            (self.fill)(Level::best(), self.narrow, page, scratch, values, kernel);
        } else {
            *values = core::array::from_fn(kernel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Fill, Function, Scratch, Short, Symmetry, TypeId, enclosure, fill, find, mirror, symmetry,
    };
    use crate::level::Level;
    use crate::rows::{Kernel, kernel};
    use crate::simd::{Lane as _, Narrow};
    use crate::table::page::PAGE;
    use bitexact::{Mode, Overflow, Rounding, bf16, f16};
    use core::cell::Cell;
    use enclosure::{Format, Machine, Sigmoid, Sign};

    /// How many of all results are not the kernel's, and how many it was asked for.
    fn judge<F: Short>(level: Level, mode: Mode, fill: Fill<F>, due: &[F]) -> (usize, usize) {
        let narrow = Narrow::new(mode).expect("every mode");
        let (mut scratch, mut wrong, mut open) = (Scratch::default(), 0, 0);
        for (page, due) in due.chunks(PAGE).enumerate() {
            let mut made = [F::BLANK; PAGE];
            let undecided = Cell::new(0);
            fill(level, narrow, page, &mut scratch, &mut made, &|index| {
                undecided.set(undecided.get() + 1);
                due.get(index).copied().expect("a page")
            });
            open += undecided.get();
            let differ = |(made, due): (&F, &F)| made.code() != due.code();
            wrong += made.iter().zip(due).filter(|both| differ(*both)).count();
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
        // Elsewhere there are no approximations.
        for level in Level::available().iter().filter(|level| level.has_fma()) {
            let (wrong, open) = judge(*level, mode, fill, &due);
            assert_eq!(wrong, 0, "{name}, {mode:?}, {level:?}");
            assert!(
                mode != Mode::TIES_TO_EVEN || open < 1 << 11,
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
