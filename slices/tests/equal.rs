//! Every function of every row gives the kernel's bits and exceptions, made from the catalog.
//! (That every way gives them, at every level, is `sweep run --backend host-simd`'s to say.)

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::activation::{Bounds, Lambda, NanGradient, Threshold};
use bitexact::catalog::{Arguments, Element, Kernel, Results, names, types};
use bitexact::format::{Arithmetic, Format};
use bitexact::p3109::codes::{FunctionSpecialisation, OperandFormats, Specialisation};
use bitexact::p3109::{FormatSpec, Projection, RoundingMode, SaturationMode};
use bitexact::scale::{PRESETS, ScalePolicy};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, convert};
use common::Draw;

/// Odd, so that every loop has a tail, and enough that a limit or a midpoint of each kind is among
/// them.
const N: usize = 4001;

/// Arguments of a type.
trait Choices: Arguments {
    fn all() -> Vec<Self>;
}

impl Choices for () {
    fn all() -> Vec<Self> {
        vec![()]
    }
}

impl Choices for Mode {
    fn all() -> Vec<Self> {
        let with = |rounding| Overflow::ALL.map(|overflow| Self::new(rounding, overflow));
        Rounding::ALL.into_iter().flat_map(with).collect()
    }
}

impl Choices for NanGradient {
    fn all() -> Vec<Self> {
        Self::ALL.to_vec()
    }
}

impl Choices for ScalePolicy {
    fn all() -> Vec<Self> {
        PRESETS.iter().map(|(_, policy)| *policy).collect()
    }
}

impl Choices for Specialisation {
    fn all() -> Vec<Self> {
        let formats = ["Binary8p4se", "Binary8p1uf", "BFloat16", "binary32"];
        let formats = formats.map(|name| FormatSpec::from_name(name).unwrap());
        let [e4, scale, bfloat, single] = formats;
        let stochastic = RoundingMode::StochasticB {
            bits: 8,
            random: 0x55,
        };
        [
            RoundingMode::NearestTiesToEven,
            RoundingMode::ToOdd,
            stochastic,
        ]
        .into_iter()
        .zip([
            ([single; 3], e4),
            ([e4, scale, bfloat], single),
            ([bfloat, e4, e4], scale),
        ])
        .map(|(rounding, (operands, result))| {
            let projection = Projection::new(rounding, SaturationMode::SatNone);
            Self::new(&operands, result, projection).unwrap()
        })
        .collect()
    }
}

impl Choices for FunctionSpecialisation {
    fn all() -> Vec<Self> {
        let formats = ["Binary8p4se", "Binary8p1uf", "BFloat16"];
        let [e4, scale, bfloat] = formats.map(|name| FormatSpec::from_name(name).unwrap());
        [([e4, scale], e4), ([scale, e4], bfloat)]
            .map(|(operands, result)| {
                let all = Specialisation::new(&operands, result, Projection::REQUIRED);
                Self::new(all.unwrap()).unwrap()
            })
            .to_vec()
    }
}

impl Choices for OperandFormats {
    fn all() -> Vec<Self> {
        let formats = ["Binary8p4se", "Binary8p1uf", "BFloat16", "binary32"];
        let [e4, scale, bfloat, single] = formats.map(|name| FormatSpec::from_name(name).unwrap());
        let all = [vec![single], vec![e4, scale], vec![bfloat, e4]];
        all.map(|formats| Self::new(&formats).unwrap()).to_vec()
    }
}

impl Choices for (NanGradient, Mode) {
    fn all() -> Vec<Self> {
        with(&NanGradient::all(), &Mode::all())
    }
}

impl<P: Parameters, C: Choices> Choices for (P, C)
where
    (P, C): Arguments,
{
    fn all() -> Vec<Self> {
        with(&P::all(), &C::all())
    }
}

fn with<A: Copy, B: Copy>(a: &[A], b: &[B]) -> Vec<(A, B)> {
    a.iter().flat_map(|a| b.iter().map(|b| (*a, *b))).collect()
}

/// Parameters of a type.
trait Parameters: Copy {
    fn all() -> Vec<Self>;
}

/// A number in a precision.
fn real<B: Format>(x: f64) -> B {
    convert::convert(x, Mode::TIES_TO_EVEN)
}

impl<B: Format> Parameters for Bounds<B> {
    fn all() -> Vec<Self> {
        let all = [(-0.7, 1e9), (-0.0, 0.0), (f64::NEG_INFINITY, -0.0)];
        all.map(|(min, max)| Self::new(real(min), real(max)).unwrap())
            .to_vec()
    }
}

impl<B: Format> Parameters for Lambda<B> {
    fn all() -> Vec<Self> {
        [0.7, 0.5, 0.0]
            .map(|x| Self::new(real(x)).unwrap())
            .to_vec()
    }
}

impl<B: Format> Parameters for Threshold<B> {
    fn all() -> Vec<Self> {
        let all = [(0.1, 20.0), (-0.0, 1e300), (0.5, f64::NAN)];
        all.map(|(above, value)| Self::new(real(above), real(value)).unwrap())
            .to_vec()
    }
}

impl<B: Arithmetic> Parameters for (B,) {
    fn all() -> Vec<Self> {
        [0.7, -1e-3, f64::INFINITY, 0.0, 0.5]
            .map(|x| (real(x),))
            .to_vec()
    }
}

impl<B: Arithmetic> Parameters for (B, B) {
    fn all() -> Vec<Self> {
        let all = [(0.7, 20.0), (-3.0, 1e-3), (0.0, f64::NAN), (0.5, 1.0)];
        all.map(|(x, y)| (real(x), real(y))).to_vec()
    }
}

/// What came of one call: the results' bits, and the exceptions where they were asked for.
type Got = (Vec<[u64; 2]>, Option<Status>);

/// Results to be overwritten, not all zeros.
fn other<R: Element>() -> Vec<R> {
    vec![R::of(0x5555_5555_5555_5555); N]
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

/// What a kernel gives, row by row.
fn expected<K, O: Copy, R: Results, A: Copy>(rows: &[O], choice: A) -> Vec<([u64; 2], Status)>
where
    K: Kernel<O, R, A>,
{
    let call = |row: &O| {
        let (result, status) = K::call(*row, choice);
        (result.bits(), status)
    };
    rows.iter().map(call).collect()
}

/// A call of a public function, into fresh buffers.
macro_rules! got {
    (($r:ident, $s:ident) $function:path, {$($x:ident)*} [$($more:expr),*]) => {{
        let (mut out, mut second) = (other::<types::$r>(), other::<types::$s>());
        let raised = $function($(&$x,)* &mut out, &mut second $(, $more)*).unwrap();
        let results = out.iter().zip(&second).map(|(r, s)| Results::bits((*r, *s)));
        (results.collect::<Vec<[u64; 2]>>(), raised)
    }};
    ($r:ident $function:path, {$($x:ident)*} [$($more:expr),*]) => {{
        let mut out = other::<types::$r>();
        let raised = $function($(&$x,)* &mut out $(, $more)*).unwrap();
        let results = out.iter().map(|r| Results::bits(*r));
        (results.collect::<Vec<[u64; 2]>>(), raised)
    }};
}

/// Has a macro do something with operands, of which the others are like the first.
macro_rules! operands {
    ($salt:literal $then:ident $kernel:ident ($a:ident) $($rest:tt)*) => {{
        let x: Vec<types::$a> = Draw::new(stringify!($kernel), $salt).many(N);
        $then!($kernel {x} |i| (x[i],), $($rest)*)
    }};
    ($salt:literal $then:ident $kernel:ident ($a:ident, $b:ident) $($rest:tt)*) => {{
        let x: Vec<types::$a> = Draw::new(stringify!($kernel), $salt).many(N);
        let y: Vec<types::$b> = Draw::new(stringify!($kernel), $salt + 1).beside(&x);
        $then!($kernel {x y} |i| (x[i], y[i]), $($rest)*)
    }};
    ($salt:literal $then:ident $kernel:ident ($a:ident, $b:ident, $c:ident) $($rest:tt)*) => {{
        let x: Vec<types::$a> = Draw::new(stringify!($kernel), $salt).many(N);
        let y: Vec<types::$b> = Draw::new(stringify!($kernel), $salt + 1).beside(&x);
        let z: Vec<types::$c> = Draw::new(stringify!($kernel), $salt + 2).beside(&x);
        $then!($kernel {x y z} |i| (x[i], y[i], z[i]), $($rest)*)
    }};
}

/// A row's functions at all arguments of a type.
macro_rules! compare {
    (
        $kernel:ident $x:tt |$i:ident| $row:expr, $r:tt $name:expr, $of:ty, $pattern:pat, $pass:tt
    ) => {{
        let rows: Vec<_> = (0..N).map(|$i| $row).collect();
        for (count, choice) in <$of as Choices>::all().into_iter().enumerate() {
            let expected = expected::<names::$kernel, _, bitexact::results!($r), _>(&rows, choice);
            let $pattern = choice;
            let (results, ()) = got!($r bitexact_slices::$kernel, $x $pass);
            let (with_status, raised) = got!($r bitexact_slices::status::$kernel, $x $pass);
            let all = [
                ("function".to_owned(), (results, None)),
                ("function with status".to_owned(), (with_status, Some(raised))),
            ];
            judge($name, count, &expected, &all);
        }
    }};
}

/// The stochastic form of a row.
macro_rules! stochastic {
    ($kernel:ident {$($x:ident)*} |$i:ident| $row:expr, $r:tt $name:expr) => {{
        let random: Vec<u16> = Draw::new("random", 0).many(N);
        for overflow in Overflow::ALL {
            let expected: Vec<([u64; 2], Status)> = (0..N)
                .map(|$i| {
                    let (result, status): (bitexact::results!($r), _) =
                        names::$kernel::call($row, (random[$i], overflow));
                    (Results::bits(result), status)
                })
                .collect();
            let (results, ()) = got!(
                $r bitexact_slices::stochastic::$kernel, {$($x)*} [&random, overflow]
            );
            judge($name, 0, &expected, &[("stochastic".to_owned(), (results, None))]);
        }
    }};
}

macro_rules! row {
    (
        kernel: $kernel:ident, suffix: [$($suffix:ident)*], operands: $operands:tt,
        results: $results:tt, forms: $forms:tt, stochastic: $stochastic:tt,
        generic: {
            generics: $generics:tt, arguments: $of:ty, take: $take:tt, give: $give:tt,
            pattern: $pattern:pat, pass: [$($pass:expr),* $(,)?]
        },
        $($fields:tt)*
    ) => {{
        let name = concat!(stringify!($kernel) $(, ".", stringify!($suffix))*);
        row!(@in $generics operands!(
            0 compare $kernel $operands $results name, $of, $pattern, [$($pass),*]
        ));
        row!(@random $stochastic operands!(3 stochastic $kernel $operands $results name));
    }};
    (@in [] $compare:expr) => { $compare };
    (@in [$b:ident: Arithmetic] $compare:expr) => {{
        { type $b = f32; $compare }
        { type $b = bf16; $compare }
    }};
    (@in [$b:ident: Format] $compare:expr) => {{
        row!(@in [$b: Arithmetic] $compare);
        { type $b = f64; $compare }
    }};
    (@random [] $compare:expr) => {};
    (@random [$form:tt] $compare:expr) => { $compare };
}

/// Every row; the parts are there so that they run side by side.
fn rows_of(part: usize, parts: usize) {
    let mut rows: Vec<fn()> = Vec::new();
    macro_rules! run {
        ($($row:tt)*) => {
            rows.push(|| row! { $($row)* });
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
