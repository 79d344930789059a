//! Every function of every row gives the kernel's bits and exceptions, made from the catalog.
//! (That every way gives them, at every level, is `sweep run --backend host-simd`'s to say.)

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::activation::{self, Bounds, Lambda, NanGradient, Threshold};
use bitexact::arith::{self, Class};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{self, E8M0, MxInt8, PRESETS};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, convert, f16, math};
use bitexact_slices::{LengthError, Value};
use common::{Bits, Draw};

/// Odd, so that every loop has a tail, and more than one vector of any width.
const N: usize = 157;

fn modes() -> Vec<Mode> {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(with).collect()
}

const NANS: [NanGradient; 3] = [NanGradient::Pass, NanGradient::Zero, NanGradient::Propagate];

/// What came of one call: the results' bits, and the exceptions where they were asked for.
type Got = (Vec<[u64; 2]>, Option<Status>);

/// One result or two, and the slices for them.
trait Results: Copy {
    type Buffers;
    fn bits(self) -> [u64; 2];
    fn buffers() -> Self::Buffers;
    fn read(buffers: &Self::Buffers) -> Vec<[u64; 2]>;
}

impl<R: Bits> Results for R {
    type Buffers = Vec<R>;
    fn bits(self) -> [u64; 2] {
        [Bits::bits(self), 0]
    }
    fn buffers() -> Vec<R> {
        vec![R::OTHER; N]
    }
    fn read(out: &Vec<R>) -> Vec<[u64; 2]> {
        out.iter().map(|r| Results::bits(*r)).collect()
    }
}

impl<R: Bits, S: Bits> Results for (R, S) {
    type Buffers = (Vec<R>, Vec<S>);
    fn bits(self) -> [u64; 2] {
        [self.0.bits(), self.1.bits()]
    }
    fn buffers() -> Self::Buffers {
        (vec![R::OTHER; N], vec![S::OTHER; N])
    }
    fn read((out, second): &Self::Buffers) -> Vec<[u64; 2]> {
        out.iter()
            .zip(second)
            .map(|(r, s)| Results::bits((*r, *s)))
            .collect()
    }
}

/// All calls of one row with one choice of arguments against what the kernel gives, element by
/// element.
fn judge(name: &str, choice: usize, expected: &[([u64; 2], Status)], got: &[(String, Got)]) {
    let union = expected
        .iter()
        .fold(Status::NONE, |all, (_, status)| all | *status);
    for (what, (results, status)) in got {
        for (at, (got, (expected, _))) in results.iter().zip(expected).enumerate() {
            assert_eq!(
                got, expected,
                "{name} (arguments {choice}),  {what}: element {at}"
            );
        }
        assert_eq!(results.len(), expected.len());
        assert!(
            status.is_none_or(|status| status == union),
            "{name} (arguments {choice}), {what}: {status:?}"
        );
    }
}

/// One call, into fresh buffers.
macro_rules! got {
    ($r:ident |$out:ident| $call:expr) => {{
        let mut buffers = <$r as Results>::buffers();
        let $out = &mut buffers[..];
        let raised = $call.unwrap();
        (<$r as Results>::read(&buffers), raised)
    }};
    (($r:ident, $s:ident) |$out:ident| $call:expr) => {{
        let mut buffers = <($r, $s) as Results>::buffers();
        let $out = (&mut buffers.0[..], &mut buffers.1[..]);
        let raised = $call.unwrap();
        (<($r, $s) as Results>::read(&buffers), raised)
    }};
}

/// A call of a public function.
macro_rules! public {
    ($r:ident $kernel:path, {$($x:ident)*} ($($more:expr),*)) => {
        got!($r |out| $kernel($(&$x,)* out $(, $more)*))
    };
    (($r:ident, $s:ident) $kernel:path, {$($x:ident)*} ($($more:expr),*)) => {
        got!(($r, $s) |out| $kernel($(&$x,)* out.0, out.1 $(, $more)*))
    };
}

/// One row at one choice of arguments.
macro_rules! compare {
    (@call (silent $path:path) ($($o:expr),*) ($($more:expr),*)) => {
        ($path($($o),* $(, $more)*), Status::NONE)
    };
    (@call ($path:path) ($($o:expr),*) ($($more:expr),*)) => {
        $path($($o),* $(, $more)*)
    };
    ($kernel:ident ($x:ident) $($rest:tt)*) => {{
        let x: Vec<$x> = Draw::new(stringify!($kernel), 0).many(N);
        compare!(@ $kernel {x} (&x[..],) |i| (x[i]) $($rest)*)
    }};
    ($kernel:ident ($x:ident, $y:ident) $($rest:tt)*) => {{
        let x: Vec<$x> = Draw::new(stringify!($kernel), 0).many(N);
        let y: Vec<$y> = Draw::new(stringify!($kernel), 1).beside(&x);
        compare!(@ $kernel {x y} (&x[..], &y[..]) |i| (x[i], y[i]) $($rest)*)
    }};
    ($kernel:ident ($x:ident, $y:ident, $z:ident) $($rest:tt)*) => {{
        let x: Vec<$x> = Draw::new(stringify!($kernel), 0).many(N);
        let y: Vec<$y> = Draw::new(stringify!($kernel), 1).beside(&x);
        let z: Vec<$z> = Draw::new(stringify!($kernel), 2).beside(&x);
        compare!(@ $kernel {x y z} (&x[..], &y[..], &z[..]) |i| (x[i], y[i], z[i]) $($rest)*)
    }};
    (@ $kernel:ident $x:tt $columns:tt |$i:ident| $o:tt $r:tt $call:tt $choices:expr, |$choice:pat_param| $more:tt) => {
        for (count, choice) in $choices.into_iter().enumerate() {
            let $choice = choice;
            let expected: Vec<([u64; 2], Status)> = (0..N)
                .map(|$i| {
                    let (result, status): ($r, Status) = compare!(@call $call $o $more);
                    (Results::bits(result), status)
                })
                .collect();
            let mut all: Vec<(String, Got)> = Vec::new();
            let (results, ()) = public!($r bitexact_slices::$kernel, $x $more);
            all.push(("function".into(), (results, None)));
            let (results, raised) = public!($r bitexact_slices::status::$kernel, $x $more);
            all.push(("function with status".into(), (results, Some(raised))));
            let name = concat!(stringify!($kernel), " ", stringify!($columns), " ", stringify!($r));
            judge(name, count, &expected, &all);
        }
    };
}

fn with<A: Copy, B: Copy>(a: &[A], b: &[B]) -> Vec<(A, B)> {
    a.iter().flat_map(|a| b.iter().map(|b| (*a, *b))).collect()
}

macro_rules! row {
    (exact $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        compare!($kernel $o $r ($path) [()], |()| ())
    };
    (silent $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        compare!($kernel $o $r (silent $path) [()], |()| ())
    };
    (mode $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        compare!($kernel $o $r ($path) modes(), |mode| (mode))
    };
    (stochastic $kernel:ident $o:tt $r:tt $path:path, $stochastic:path; $doc:literal) => {
        compare!($kernel $o $r ($path) modes(), |mode| (mode));
        stochastic!($kernel $o $r $stochastic);
    };
    (policy $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        compare!($kernel $o $r ($path) PRESETS.iter().map(|(_, policy)| policy), |policy| (policy))
    };
    (bounds $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        let bounds = [Bounds::new(-0.7f32, 1e9).unwrap(), Bounds::new(-0.0f32, 0.0).unwrap()];
        compare!($kernel $o $r ($path) with(&bounds, &modes()), |(bounds, mode)| (bounds, mode));
        let bounds = [Bounds::new(bf16::NEG_INFINITY, bf16::NEG_ZERO).unwrap()];
        compare!($kernel $o $r ($path) with(&bounds, &modes()), |(bounds, mode)| (bounds, mode));
    };
    (bounds_nan $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        let bounds = [Bounds::new(-0.7f32, 1e9).unwrap(), Bounds::new(-0.0f32, 0.0).unwrap()];
        compare!($kernel $o $r ($path) with(&bounds, &NANS), |(bounds, nan)| (bounds, nan));
    };
    (nan $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        compare!($kernel $o $r ($path) NANS, |nan| (nan))
    };
    (nan_mode $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        compare!($kernel $o $r ($path) with(&NANS, &modes()), |(nan, mode)| (nan, mode))
    };
    (with ([$($p:ident)*] $checks:tt $arguments:tt $kind:ident) $kernel:ident $o:tt $r:tt $path:path; $doc:literal) => {
        parameters!($checks $arguments $kind $kernel $o $r $path)
    };
}

const HALF: bf16 = bf16::from_f32_const(0.5);

/// A row with parameters, of two formats.
macro_rules! parameters {
    ({} ($p:ident) $($row:tt)*) => {
        parameters!(@ $($row)*, [0.7f32, -1e-3, f32::INFINITY, 0.0], |p| (p));
        parameters!(@ $($row)*, [HALF], |p| (p));
    };
    ({} ($p:ident $q:ident) $($row:tt)*) => {
        parameters!(@ $($row)*, [(0.7f32, 20.0), (-3.0, 1e-3), (0.0, f32::NAN)], |(p, q)| (p, q));
        parameters!(@ $($row)*, [(HALF, bf16::ONE)], |(p, q)| (p, q));
    };
    ($checks:tt (lambd) $($row:tt)*) => {
        parameters!(@ $($row)*, [0.7f64, 0.0].map(|x| Lambda::new(x).unwrap()), |p| (p));
        parameters!(@ $($row)*, [Lambda::new(HALF).unwrap()], |p| (p));
    };
    ($checks:tt (threshold) $($row:tt)*) => {
        parameters!(@ $($row)*, [(0.1f64, 20.0), (-0.0, 1e300)].map(|(t, v)| Threshold::new(t, v).unwrap()), |p| (p));
        parameters!(@ $($row)*, [Threshold::new(HALF, bf16::NAN).unwrap()], |p| (p));
    };
    (@ exact $kernel:ident $o:tt $r:tt $path:path, $all:expr, |$p:pat_param| ($($x:ident),*)) => {
        compare!($kernel $o $r ($path) $all, |$p| ($($x),*))
    };
    (@ mode $kernel:ident $o:tt $r:tt $path:path, $all:expr, |$p:pat_param| ($($x:ident),*)) => {
        compare!($kernel $o $r ($path) with(&$all, &modes()), |($p, mode)| ($($x,)* mode))
    };
    (@ nan $kernel:ident $o:tt $r:tt $path:path, $all:expr, |$p:pat_param| ($($x:ident),*)) => {
        compare!($kernel $o $r ($path) with(&$all, &NANS), |($p, nan)| ($($x,)* nan))
    };
    (@ nan_mode $kernel:ident $o:tt $r:tt $path:path, $all:expr, |$p:pat_param| ($($x:ident),*)) => {
        compare!($kernel $o $r ($path) with(&with(&$all, &NANS), &modes()),
            |(($p, nan), mode)| ($($x,)* nan, mode))
    };
}

/// A stochastic form, its operands given.
type Random<'a, R> = dyn Fn(&mut [R], &[u16], Overflow) -> Result<(), LengthError> + 'a;

/// The stochastic form.
fn random_bits<R: Value + Bits>(
    name: &str,
    kernel: &dyn Fn(usize, u16, Overflow) -> R,
    form: &Random<'_, R>,
) {
    let random: Vec<u16> = Draw::new("random", 0).many(N);
    for overflow in Overflow::ALL {
        let expected: Vec<u64> = (0..N)
            .map(|i| kernel(i, random[i], overflow).bits())
            .collect();
        let mut out = vec![R::OTHER; N];
        form(&mut out, &random, overflow).unwrap();
        let got: Vec<u64> = out.iter().map(|r| r.bits()).collect();
        assert_eq!(got, expected, "{name} stochastic");
    }
}

macro_rules! stochastic {
    ($kernel:ident ($x:ident) $($rest:tt)*) => {{
        let x: Vec<$x> = Draw::new(stringify!($kernel), 3).many(N);
        stochastic!(@ $kernel {x} |i| (x[i]) $($rest)*)
    }};
    ($kernel:ident ($x:ident, $y:ident) $($rest:tt)*) => {{
        let x: Vec<$x> = Draw::new(stringify!($kernel), 3).many(N);
        let y: Vec<$y> = Draw::new(stringify!($kernel), 4).beside(&x);
        stochastic!(@ $kernel {x y} |i| (x[i], y[i]) $($rest)*)
    }};
    ($kernel:ident ($x:ident, $y:ident, $z:ident) $($rest:tt)*) => {{
        let x: Vec<$x> = Draw::new(stringify!($kernel), 3).many(N);
        let y: Vec<$y> = Draw::new(stringify!($kernel), 4).beside(&x);
        let z: Vec<$z> = Draw::new(stringify!($kernel), 5).beside(&x);
        stochastic!(@ $kernel {x y z} |i| (x[i], y[i], z[i]) $($rest)*)
    }};
    (@ $kernel:ident {$($x:ident)*} |$i:ident| ($($o:expr),*) $r:ident $path:path) => {
        random_bits::<$r>(
            stringify!($kernel),
            &|$i, random, overflow| $path($($o,)* random, overflow).0,
            &|out, random, overflow| {
                bitexact_slices::stochastic::$kernel($(&$x,)* out, random, overflow)
            },
        )
    };
}

/// Every row; the parts are there so that they run side by side.
fn rows_of(part: usize, parts: usize) {
    let mut rows: Vec<fn()> = Vec::new();
    macro_rules! run {
        ($kernel:ident [$($suffix:ident)*] $o:tt -> $r:tt;
            $kind:ident $(($($with:tt)*))? $path:path $(, $stochastic:path)?; $doc:literal) => {
            rows.push(|| {
                row! { $kind $(($($with)*))? $kernel $o $r $path $(, $stochastic)?; $doc };
            });
        };
    }
    bitexact::for_each_kernel!(run);
    assert!(rows.len() > 700);
    rows.iter().skip(part).step_by(parts).for_each(|row| row());
}

#[test]
fn all_rows_first_half() {
    rows_of(0, 2);
}

#[test]
fn all_rows_second_half() {
    rows_of(1, 2);
}
