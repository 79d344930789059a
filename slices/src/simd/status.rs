//! The exceptions of all results of a lane together.
//!
//! Every operand and result is an f64, and so is a product of two operands of 24 bits. So two f64
//! are compared to see whether a product is inexact; a quotient or a root is multiplied back. The
//! sum of two f64 is Knuth's two-sum: it is exact if the error is zero. This holds for all finite
//! operands, and where the result is neither next to overflow nor to underflow, nothing but inexact
//! can be raised.
//!
//! Elsewhere a row is in doubt: there is a set of exceptions that it may raise. The kernel decides,
//! for [`BLOCK`] rows at once, and only if some exception in doubt has not been raised yet, either
//! by an earlier row or, certainly, by one of the same [`CHUNK`]. So the kernel runs for few
//! blocks, whatever the operands are, unless many rows are in doubt and do not raise what is in
//! doubt: mainly rows with NaNs or infinities.
//!
//! This is used in the default floating-point state only. In any other state, and where it is not
//! faster, the kernel runs: for f64, whose lane is slow, and for most arithmetic at the baseline
//! level.

use super::{Float, INFINITY, Lane, SIGN, select, widen};
use crate::element::BLOCK;
use crate::element::{Columns, Operands, Outputs};
use crate::environment;
use crate::level::{Level, Task};
use bitexact::Status;
use bitexact::format::Specials;

/// Rows whose results are written at a time.
pub(super) const CHUNK: usize = 16 * BLOCK;

/// A lane that tells from operands and result what a row raises.
pub trait Checked<O, R> {
    /// Whether this is used at the baseline level too: where it is faster than the kernel with
    /// SSE2.
    const AT_BASELINE: bool = false;
    /// `#[inline(always)]`, by [`raised`].
    fn raised(operands: O, result: R) -> Raised;
}

/// The exceptions of a row, or of many: in the low bits those that are raised, and in the high ones
/// those in doubt.
#[derive(Clone, Copy)]
pub struct Raised(u32);

const NONE: Raised = Raised(0);

impl Raised {
    const fn doubt(status: Status) -> u32 {
        (status.bits() as u32) << 8
    }

    /// What is raised for sure.
    fn sure(self) -> Status {
        Status::from_bits_truncate(self.0 as u8)
    }

    /// Whether an exception is in doubt that is not among these.
    fn adds_to(self, all: Status) -> bool {
        !all.contains(Status::from_bits_truncate((self.0 >> 8) as u8))
    }
}

const OVERFLOW: Status = Status::OVERFLOW.union(Status::INEXACT);
const UNDERFLOW: Status = Status::UNDERFLOW.union(Status::INEXACT);

/// What a row raises. `exact` is asked of rows of finite operands only, and false where the result
/// is a NaN.
#[inline(always)]
pub(super) fn raised<R: Float, const N: usize>(
    operands: [f64; N],
    by_zero: bool,
    exact: bool,
    result: R,
) -> Raised {
    let mut finite = true;
    for x in operands {
        finite &= x.is_finite();
    }
    let magnitude = widen(result) & !SIGN;
    let least_normal = ((R::EMIN + 127) as u32) << 23;
    let small = magnitude <= least_normal;
    let large = magnitude >= widen(R::of_code(R::MAX_FINITE));
    let inexact = select(large, Raised::doubt(OVERFLOW), 0);
    let inexact = select(small, Raised::doubt(UNDERFLOW), inexact);
    let inexact = select(inexact == 0, Status::INEXACT.bits().into(), inexact);
    let number = select(exact, 0, inexact);
    // An infinity that saturates overflows, and so does one that the format lacks.
    let kept = matches!(R::SPECIALS, Specials::Ieee) & (magnitude >= INFINITY);
    let invalid = select(kept, 0, Raised::doubt(OVERFLOW)) | Raised::doubt(Status::INVALID);
    let number = select(magnitude > INFINITY, invalid, number);
    let by_zero = select(by_zero, Raised::doubt(Status::DIVIDE_BY_ZERO), 0);
    Raised(select(finite & (by_zero == 0), number, invalid | by_zero))
}

/// The value. It is exact.
#[inline(always)]
pub(super) fn value<F: Float>(x: F) -> f64 {
    f32::from_bits(widen(x)).into()
}

/// Whether `x + y` is this.
#[inline(always)]
pub(super) fn is_sum(x: f64, y: f64, result: f64) -> bool {
    let sum = x + y;
    let virtually_y = sum - x;
    let error = (x - (sum - virtually_y)) + (y - virtually_y);
    (error == 0.0) & (sum == result)
}

/// What a row of a division raises.
#[inline(always)]
pub(super) fn quotient<A: Float, B: Float, R: Float>(a: A, b: B, result: R) -> Raised {
    let (x, y) = (value(a), value(b));
    raised([x, y], y == 0.0, value(result) * y == x, result)
}

/// What a row of square roots in the operand's format raises, with IEEE's overflow. None overflows
/// or underflows, and operands below 0 are invalid.
#[inline(always)]
pub(super) fn root<F: Float>(x: F, result: F) -> Raised {
    let (x, root) = (value(x), value(result));
    let number = select(root * root == x, 0, Status::INEXACT.bits().into());
    let number = select(x < 0.0, Status::INVALID.bits().into(), number);
    Raised(select(x.is_nan(), Raised::doubt(Status::INVALID), number))
}

/// What a row of integral values raises.
#[inline(always)]
pub(super) fn integral<F: Float>(x: F, result: F) -> Raised {
    let (x, integral) = (value(x), value(result));
    let number = select(x == integral, 0, Status::INEXACT.bits().into());
    Raised(select(x.is_nan(), Raised::doubt(Status::INVALID), number))
}

/// What rows raise, as the task that is compiled for each level.
struct Check<'a, L, C, R> {
    columns: C,
    results: &'a [R],
    raised: &'a mut Raised,
    lane: core::marker::PhantomData<L>,
}

impl<C: Columns, R: Float, L: Checked<C::Row, R>> Task for Check<'_, L, C, R> {
    #[inline(always)]
    fn run(self) {
        // No closure: it might be compiled out of line, for the target's baseline.
        let mut all = NONE;
        for (row, result) in self.columns.rows().zip(self.results) {
            all.0 |= L::raised(row, *result).0;
        }
        *self.raised = all;
    }
}

fn check<L: Checked<C::Row, R>, C: Columns, R: Float>(
    level: Level,
    columns: C,
    results: &[R],
) -> Raised {
    let mut raised = NONE;
    level.run(Check::<L, _, _> {
        columns,
        results,
        raised: &mut raised,
        lane: core::marker::PhantomData,
    });
    raised
}

/// Writes the results of a lane and returns what they raised together. None, with nothing written,
/// in other floating-point states than the default one, and at the baseline level for lanes that do
/// not pay there.
#[inline]
pub(super) fn write<L, A, C, U, R>(
    lane: L,
    level: Level,
    mut columns: C,
    out: &mut U,
    kernel: impl Fn(&[C::Row], &mut [R]) -> Status,
) -> Option<Status>
where
    L: Lane<C::Row, R, A> + Checked<C::Row, R>,
    C: Columns,
    U: Outputs,
    R: Float,
{
    let out = out.only_mut::<R>()?;
    if (level == Level::BASELINE && !L::AT_BASELINE) || !environment::is_default() {
        return None;
    }
    let mut all = Status::NONE;
    for results in out.chunks_mut(CHUNK) {
        let (mut head, tail) = columns.split(results.len());
        columns = tail;
        lane.over(level, head, &mut *results);
        let raised = check::<L, _, _>(level, head, results);
        all |= raised.sure();
        if !raised.adds_to(all) {
            continue;
        }
        for results in results.chunks_mut(BLOCK) {
            let (block, rest) = head.split(results.len());
            head = rest;
            if check::<L, _, _>(level, block, results).adds_to(all) {
                let mut rows = [C::Row::of_index(0); BLOCK];
                rows.iter_mut()
                    .zip(block.rows())
                    .for_each(|(to, row)| *to = row);
                all |= kernel(rows.get(..results.len())?, results);
            }
        }
    }
    Some(all)
}

/// The method [`Lane::status`] of a lane that is [`Checked`].
macro_rules! status_of {
    ($row:ty, $result:ty) => {
        #[inline]
        fn status<Rows, To>(
            self,
            level: $crate::level::Level,
            columns: Rows,
            out: &mut To,
            kernel: impl Fn(&[$row], &mut [$result]) -> bitexact::Status,
        ) -> Option<bitexact::Status>
        where
            Rows: $crate::element::Columns<Row = $row>,
            To: $crate::element::Outputs<Row = $result>,
        {
            $crate::simd::status::write::<_, bitexact::Mode, _, _, _>(
                self, level, columns, out, kernel,
            )
        }
    };
}
pub(super) use status_of;

#[cfg(test)]
mod tests {
    //! Row by row: what is raised for sure, is, and all that is raised is sure or in doubt.

    use super::{Checked, Lane, Raised};
    use crate::element::{Element, Operands};
    use crate::rows::{Kernel, kernel};
    use bitexact::format::{E2M1, E2M3, E4M3FN, E4M3FNUZ, E5M2};
    use bitexact::{Mode, Overflow, Rounding, bf16, f16};

    /// Codes: any, with few digits, or next to powers of two, and every other one near the last
    /// one's magnitude.
    struct Draw(u64, u64);

    impl Draw {
        fn word(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        }

        fn element<T: Element>(&mut self) -> T {
            let (a, b, kind) = (self.word(), self.word(), self.word() % 8);
            let mask = u64::MAX >> (64 - T::WIDTH);
            let digits = mask >> (b % u64::from(T::WIDTH));
            // With its leading digit at the top, so that operands of several widths are near one
            // another.
            let code = match kind {
                0..=2 => a & mask,
                3 => a & mask & !digits,
                4 => (a | digits) & mask,
                5 => digits.wrapping_add(a % 4) & mask,
                _ => (self.1 >> (64 - T::WIDTH)) ^ (a & 7) ^ (b & (1 << (T::WIDTH - 1))),
            };
            self.1 = code << (64 - T::WIDTH);
            T::of_code(code)
        }
    }

    /// Checks one row, and says what it raises for sure.
    fn one<K, O, R>(what: &str, operands: O, mode: Mode) -> u32
    where
        K: Kernel<O, R, Mode>,
        O: Operands,
        R: Element,
        K::Lane: Checked<O, R>,
    {
        let (result, status) = K::call(operands, mode);
        let Raised(raised) = <K::Lane as Checked<O, R>>::raised(operands, result);
        let (status, sure, doubt) = (u32::from(status.bits()), raised & 0xFF, raised >> 8);
        assert!(
            sure & !status == 0 && status & !(sure | doubt) == 0,
            "{what}: raised {status:X}, seen {raised:X}, {mode:?}, {:X}",
            result.code()
        );
        sure
    }

    /// A row of the catalog, over random operands in every mode that has a lane.
    fn row<K, O, R>(what: &str, mut operands: impl FnMut(&mut Draw) -> O)
    where
        K: Kernel<O, R, Mode>,
        O: Operands,
        R: Element,
        K::Lane: Checked<O, R>,
    {
        let mut draw = Draw(what.len() as u64, 0);
        let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
        let all = Rounding::ALL.into_iter().flat_map(with);
        for mode in all.filter(|mode| K::Lane::new(*mode).is_some()) {
            let mut surely_inexact = 0;
            for _ in 0..20_000 {
                surely_inexact += one::<K, O, R>(what, operands(&mut draw), mode);
            }
            // A lane that doubts everything would pass.
            assert!(
                surely_inexact > 100 || what.ends_with("exact"),
                "{what}: {surely_inexact}"
            );
        }
    }

    macro_rules! rows {
        ($($kernel:ident $x:ident $y:ident $($z:ident)? => $r:ident;)*) => {$(
            row::<kernel::$kernel, ($x, $y, $($z)?), $r>(
                stringify!($kernel $x $y $($z)? $r),
                |draw| (draw.element::<$x>(), draw.element::<$y>(), $(draw.element::<$z>())?),
            );
        )*};
    }

    #[test]
    fn of_two_and_three_operands() {
        rows! {
            add f16 f16 => f16;
            add bf16 bf16 => bf16;
            add f32 f32 => f32;
            add f32 f32 => bf16;
            sub f16 f16 => f16;
            sub bf16 bf16 => bf16;
            sub f32 f32 => f32;
            mul f16 f16 => f16;
            mul bf16 bf16 => bf16;
            mul f32 f32 => f32;
            mul f32 f32 => f16;
            div f16 f16 => f16;
            div bf16 bf16 => bf16;
            div f32 f32 => f32;
            fma f16 f16 f16 => f16;
            fma bf16 bf16 bf16 => bf16;
            fma bf16 bf16 f32 => f32;
        }
    }

    #[test]
    fn of_one_operand() {
        macro_rules! rows {
            ($($kernel:ident $x:ident $r:ident $what:literal;)*) => {$(
                row::<kernel::$kernel, ($x,), $r>($what, |draw| (draw.element::<$x>(),));
            )*};
        }
        rows! {
            sqrt f16 f16 "sqrt of f16";
            sqrt bf16 bf16 "sqrt of bf16";
            sqrt f32 f32 "sqrt of f32";
            convert f32 f16 "f32 to f16";
            convert f32 bf16 "f32 to bf16";
            convert f32 E5M2 "f32 to e5m2";
            convert f32 E4M3FN "f32 to e4m3fn";
            convert f32 E4M3FNUZ "f32 to e4m3fnuz";
            convert f32 E2M3 "f32 to e2m3";
            convert f32 E2M1 "f32 to e2m1";
            convert f16 f32 "f16 to f32, exact";
            convert bf16 f32 "bf16 to f32, exact";
        }
    }

    /// A row of two operands of 16 bits, over all of them in these modes.
    fn all_pairs<K, F>(what: &str, modes: &[Mode])
    where
        K: Kernel<(F, F), F, Mode>,
        F: Element,
        (F, F): Operands,
        K::Lane: Checked<(F, F), F>,
    {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut count = 0_u64;
        for mode in modes {
            let share = |first: usize| {
                let (mut count, mut sure) = (0_u64, 0);
                for x in (first as u64..1 << 16).step_by(threads) {
                    for y in 0..1 << 16 {
                        sure |= one::<K, _, _>(what, (F::of_code(x), F::of_code(y)), *mode);
                        count += 1;
                    }
                }
                assert_ne!(sure, 0);
                count
            };
            count += std::thread::scope(|scope| {
                let all: Vec<_> = (0..threads)
                    .map(|k| scope.spawn(move || share(k)))
                    .collect();
                all.into_iter()
                    .map(|share| share.join().expect("no row differs"))
                    .sum::<u64>()
            });
        }
        println!(
            "status of {what}: {count} rows, {} modes, each as its kernel says",
            modes.len()
        );
    }

    fn all_pairs_of_all(modes: &[Mode]) {
        all_pairs::<kernel::add, f16>("add.f16", modes);
        all_pairs::<kernel::add, bf16>("add.bf16", modes);
        all_pairs::<kernel::sub, f16>("sub.f16", modes);
        all_pairs::<kernel::sub, bf16>("sub.bf16", modes);
        all_pairs::<kernel::mul, f16>("mul.f16", modes);
        all_pairs::<kernel::mul, bf16>("mul.bf16", modes);
        all_pairs::<kernel::div, f16>("div.f16", modes);
        all_pairs::<kernel::div, bf16>("div.bf16", modes);
    }

    #[test]
    #[ignore = "all pairs: minutes when optimised"]
    fn of_all_pairs_to_nearest() {
        all_pairs_of_all(&[Mode::TIES_TO_EVEN]);
    }

    #[test]
    #[ignore = "all pairs: an hour and a half of two cores when optimised"]
    fn of_all_pairs_in_other_modes() {
        let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
        let all = Rounding::ALL.into_iter().flat_map(with);
        let others: Vec<_> = all.filter(|mode| *mode != Mode::TIES_TO_EVEN).collect();
        all_pairs_of_all(&others);
    }
}
