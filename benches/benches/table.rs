//! The book's table of ratios: `benches/table.sh`, or
//! `cargo bench -p benches --bench table [-- --write docs/src/speed.md]`.
//!
//! The alternatives run in turn, round after round, on the thread's own clock (a wall clock would
//! include other work on the machine), and medians are taken. Only the ratios within one line are
//! meaningful, not the absolute times. All results are asserted before they are timed.

mod common;

use bitexact::format::{E2M1, E4M3FN, E5M2};
use bitexact::scale::{self, Dialect, E8M0, MxInt8};
use bitexact::{Mode, bf16, f16};
use bitexact_slices::way::{Way, by};
use bitexact_slices::{Element, Level, clear_tables, kernel, mx};
use common::{Data, Loop, Narrow, Peer, Unary, peers, unary};
use half::slice::HalfFloatSliceExt;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 7;
/// How long one thing runs at a time, at least.
const SAMPLE_NS: u64 = 150_000;

/// Nanoseconds for which this thread has run.
fn thread_time() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Medians of nanoseconds per element.
fn time<const K: usize>(elements: usize, mut work: [&mut dyn FnMut(); K]) -> [f64; K] {
    let mut once = |k: usize, times: u64| -> u64 {
        let start = thread_time();
        for _ in 0..times {
            work[k]();
        }
        thread_time() - start
    };
    let times: [u64; K] = std::array::from_fn(|k| {
        once(k, 1);
        (SAMPLE_NS / once(k, 1).max(1)).clamp(1, 10_000)
    });
    let mut rounds = [const { Vec::new() }; K];
    for _ in 0..ROUNDS {
        for k in 0..K {
            rounds[k].push(once(k, times[k]) as f64 / (times[k] * elements as u64) as f64);
        }
    }
    rounds.map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds[ROUNDS / 2]
    })
}

/// `half` keeps NaNs' payloads.
fn same<F: Narrow>(got: &[F], expected: &[F], what: &str) {
    let nan = |x: F| x.wide().is_nan();
    for (got, expected) in got.iter().zip(expected) {
        let equal = got.code() == expected.code() || nan(*got) && nan(*expected);
        assert!(
            equal,
            "{what}: {:04X}, not {:04X}",
            got.code(),
            expected.code()
        );
    }
}

/// A conversion of slices.
type Conversion<'a, A, B> = &'a dyn Fn(&[A], &mut [B]);

/// The time of a conversion by the slice form, at the baseline, by `half`, by `half` without the
/// processor's instruction, and of a copy of as many bytes.
fn conversion<F: Narrow>(
    count: usize,
    data: Data,
    narrow: [Conversion<f32, F>; 4],
    widen: [Conversion<F, f32>; 4],
) -> [[f64; 5]; 2] {
    let x = data.f32s(count);
    let mut out = vec![F::of(0); count];
    let bytes = vec![1u8; count * 3];
    let mut copy = vec![0u8; count * 3];
    let mut expected = vec![F::of(0); count];
    narrow[0](&x, &mut expected);
    for (what, narrow) in ["baseline", "half", "half's constant function"]
        .iter()
        .zip(&narrow[1..])
    {
        out.fill(F::of(0));
        narrow(&x, &mut out);
        same(&out, &expected, what);
    }
    let codes = expected;
    let mut wide = vec![0f32; count];
    let mut expected = vec![0f32; count];
    widen[0](&codes, &mut expected);
    for widen in &widen[1..] {
        wide.fill(0.5);
        widen(&codes, &mut wide);
        let equal = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        assert!(wide.iter().zip(&expected).all(equal));
    }
    // Input and output together move 6 bytes per element: a copy of 3 bytes reads 3 and writes 3.
    let mut memcpy = || black_box(&mut copy[..]).copy_from_slice(black_box(&bytes));
    let x = black_box(&x[..]);
    let out = &mut out[..];
    let cell = std::cell::RefCell::new(out);
    let run = |k: usize| narrow[k](x, black_box(&mut cell.borrow_mut()));
    let narrow = time(
        count,
        [
            &mut || run(0),
            &mut || run(1),
            &mut || run(2),
            &mut || run(3),
            &mut memcpy,
        ],
    );
    let codes = black_box(&codes[..]);
    let cell = std::cell::RefCell::new(&mut wide[..]);
    let run = |k: usize| widen[k](codes, black_box(&mut cell.borrow_mut()));
    let widen = time(
        count,
        [
            &mut || run(0),
            &mut || run(1),
            &mut || run(2),
            &mut || run(3),
            &mut memcpy,
        ],
    );
    [narrow, widen]
}

const EVEN: Mode = Mode::TIES_TO_EVEN;

fn conversions(text: &mut String) {
    let _ = writeln!(
        text,
        "| conversion, data | elements | ns per element | `half` | baseline level | `half`, no F16C | memcpy |\n\
         |---|---|---|---|---|---|---|"
    );
    let base = Way::Level(Level::BASELINE);
    macro_rules! both {
        ($f:ident, $count:ident, $data:ident) => {
            conversion::<$f>(
                $count,
                $data,
                [
                    &|x, out| bitexact_slices::convert(x, out, EVEN).expect("one length"),
                    &|x, out| {
                        by::<kernel::convert, _, _, _>(base, (x,), out, EVEN).expect("one length")
                    },
                    &|x, out| out.convert_from_f32_slice(x),
                    &|x, out| {
                        for (out, x) in out.iter_mut().zip(x) {
                            *out = $f::from_f32_const(*x);
                        }
                    },
                ],
                [
                    &|x, out| bitexact_slices::convert(x, out, EVEN).expect("one length"),
                    &|x, out| {
                        by::<kernel::convert, _, _, _>(base, (x,), out, EVEN).expect("one length")
                    },
                    &|x, out| x.convert_to_f32_slice(out),
                    &|x, out| {
                        for (out, x) in out.iter_mut().zip(x) {
                            *out = x.to_f32_const();
                        }
                    },
                ],
            )
        };
    }
    for (place, count) in [("L1", 1 << 12), ("L2", 1 << 17), ("memory", 1 << 24)] {
        for data in Data::ALL {
            let (f16s, bf16s) = (both!(f16, count, data), both!(bf16, count, data));
            let lines = ["f32 to f16", "f16 to f32", "f32 to bf16", "bf16 to f32"];
            for (what, [ours, baseline, half, software, memcpy]) in
                lines.iter().zip(f16s.into_iter().chain(bf16s))
            {
                let _ = writeln!(
                    text,
                    "| {what}, {} | 2^{} ({place}) | {ours:.3} | {:.2} | {:.2} | {:.2} | {:.2} |",
                    data.name(),
                    count.ilog2(),
                    half / ours,
                    baseline / ours,
                    software / baseline,
                    memcpy / ours
                );
            }
        }
    }
}

/// Elements, and a scale for each block.
type Quantised<E> = (Vec<E>, Vec<E8M0>);
type Quantising<'a, F, E> = &'a dyn Fn(&[F], &mut Quantised<E>);
type Dequantising<'a, F, E> = &'a dyn Fn(&Quantised<E>, &mut [F]);

/// MX blocks of 32 under OCP's rule: the time per element to quantise and to dequantise, by the
/// slice form, at the baseline, and by the kernel.
fn blocks<F: mx::Wide, E: mx::Element>(values: &[F]) -> [[f64; 3]; 2] {
    const OCP: &Dialect = &Dialect::OCP_FLOOR;
    let count = values.len();
    let blank = (vec![E::of_code(0); count], vec![E8M0::ONE; count / 32]);
    let quantise: [Quantising<F, E>; 3] = [
        &|x, out| mx::quantise(x, 32, OCP, &mut out.0, &mut out.1).expect("whole blocks"),
        &|x, out| {
            mx::quantise_at(Level::BASELINE, x, 32, OCP, &mut out.0, &mut out.1)
                .expect("whole blocks");
        },
        &|x, out| {
            scale::quantise(x, 32, OCP, &mut out.0, &mut out.1).expect("whole blocks");
        },
    ];
    let dequantise: [Dequantising<F, E>; 3] = [
        &|x, out| mx::dequantise(&x.0, &x.1, 32, EVEN, out).expect("whole blocks"),
        &|x, out| {
            mx::dequantise_at(Level::BASELINE, &x.0, &x.1, 32, EVEN, out).expect("whole blocks");
        },
        &|x, out| {
            scale::dequantise(&x.0, &x.1, 32, EVEN, out).expect("whole blocks");
        },
    ];
    let quantised = quantise.map(|quantise| {
        let mut out = blank.clone();
        quantise(values, &mut out);
        out
    });
    let codes = |x: &[F]| x.iter().map(|x| Element::code(*x)).collect::<Vec<_>>();
    let values_of = dequantise.map(|dequantise| {
        let mut out = vec![F::of_code(0); count];
        dequantise(&quantised[0], &mut out);
        codes(&out)
    });
    for other in 1..3 {
        let same = |(a, b): (&E, &E)| a.code() == b.code();
        assert!(quantised[other].0.iter().zip(&quantised[0].0).all(same));
        let scales = |k: usize| quantised[k].1.iter().map(|scale: &E8M0| scale.to_bits());
        assert!(scales(other).eq(scales(0)));
        assert!(values_of[other] == values_of[0]);
    }
    let out = std::cell::RefCell::new(blank);
    let run = |k: usize| quantise[k](black_box(values), black_box(&mut out.borrow_mut()));
    let there = time(count, [&mut || run(0), &mut || run(1), &mut || run(2)]);
    let out = std::cell::RefCell::new(vec![F::of_code(0); count]);
    let run = |k: usize| dequantise[k](black_box(&quantised[0]), black_box(&mut out.borrow_mut()));
    let back = time(count, [&mut || run(0), &mut || run(1), &mut || run(2)]);
    [there, back]
}

fn blocks_text(text: &mut String) {
    let _ = writeln!(
        text,
        "\nMX blocks of 32, 2^17 values, N(0,1), OCP's rule. First nanoseconds per element, then how many times \
         as long the alternatives take: this crate's loop compiled for the target's baseline, and the kernel.\n\n\
         | blocks | quantise | baseline level | kernel | dequantise | baseline level | kernel |\n\
         |---|---|---|---|---|---|---|"
    );
    let x = Data::Normal.f32s(1 << 17);
    let bf16s: Vec<bf16> = Data::Normal.codes(1 << 17);
    for (what, [there, back]) in [
        ("f32, E4M3FN", blocks::<f32, E4M3FN>(&x)),
        ("f32, E2M1", blocks::<f32, E2M1>(&x)),
        ("f32, MXINT8", blocks::<f32, MxInt8>(&x)),
        ("bf16, E5M2", blocks::<bf16, E5M2>(&bf16s)),
        ("bf16, E2M1", blocks::<bf16, E2M1>(&bf16s)),
    ] {
        let told = |[ours, baseline, kernel]: [f64; 3]| {
            format!("{ours:.2} | {:.2} | {:.2}", baseline / ours, kernel / ours)
        };
        let _ = writeln!(text, "| {what} | {} | {} |", told(there), told(back));
    }
}

/// Ratios whose geometric mean and minimum are printed at the end.
#[derive(Default)]
struct Ratios(Vec<f64>);

impl Ratios {
    fn add(&mut self, ratio: f64) -> String {
        self.0.push(ratio);
        format!("{ratio:.2}")
    }

    fn told(&self) -> String {
        let mean = self.0.iter().map(|ratio| ratio.ln()).sum::<f64>() / self.0.len() as f64;
        let least = self.0.iter().copied().fold(f64::MAX, f64::min);
        format!("**{:.1}** (least {least:.2})", mean.exp())
    }
}

const LONG: usize = 1 << 20;
const SHORT: usize = 1 << 16;

#[derive(Default)]
struct Summary {
    table: Ratios,
    with_making: Ratios,
    scalar: Ratios,
    plain_lookup: Ratios,
}

fn functions<F: Narrow>(
    kernels: &[Unary<F>],
    peer_loop: fn(&Peer) -> Loop<F>,
    data: Data,
    text: Option<&mut String>,
) -> Summary {
    let mut summary = Summary::default();
    let mut lines = String::new();
    let all = peers();
    let x: Vec<F> = data.codes(LONG);
    let wide: Vec<f32> = x.iter().map(|x| x.wide()).collect();
    let mut wide_out = vec![0f32; SHORT];
    let (mut out, mut expected) = (vec![F::of(0); LONG], vec![F::of(0); LONG]);
    let mode = black_box(EVEN);
    for kernel in kernels {
        let peer = |name: &str| {
            all.iter()
                .find(|peer| peer.op == kernel.name && peer.name == name)
        };
        let Some(libm) = peer("libm") else {
            continue;
        };
        (kernel.scalar)(&x, &mut expected);
        for form in [kernel.slice, kernel.parallel] {
            out.fill(F::of(0x1234));
            form(&x, &mut out, mode);
            assert!(
                out.iter().zip(&expected).all(|(a, b)| a.code() == b.code()),
                "{}",
                kernel.name
            );
        }
        let plain = kernel.plain_table();

        let short = black_box(&x[..SHORT]);
        let wide = black_box(&wide[..SHORT]);
        let around = peer_loop(libm);
        let buffer = std::cell::RefCell::new(&mut out[..]);
        let to = |run: &dyn Fn(&mut [F])| run(black_box(&mut buffer.borrow_mut()[..SHORT]));
        let [ours, lookup, scalar, alone, with_conversions] = time(
            SHORT,
            [
                &mut || to(&|out| (kernel.slice)(short, out, mode)),
                &mut || to(&|out| common::each(short, out, |x| plain[usize::from(x.code())])),
                &mut || to(&|out| (kernel.scalar)(short, out)),
                &mut || (libm.f32)(wide, black_box(&mut wide_out)),
                &mut || to(&|out| around(short, out)),
            ],
        );
        let [making] = time(
            LONG,
            [&mut || {
                clear_tables();
                (kernel.slice)(black_box(&x), black_box(&mut buffer.borrow_mut()), mode);
            }],
        );
        summary.plain_lookup.add(lookup / ours);
        let mut other = |name: &str| match peer(name) {
            Some(peer) => {
                let f = peer.f32;
                let [time] = time(SHORT, [&mut || f(wide, black_box(&mut wide_out))]);
                format!("{:.1}", time / ours)
            }
            None => String::new(),
        };
        if text.is_some() {
            let (std, pxfm, micromath) = (other("std"), other("pxfm"), other("micromath"));
            let _ = writeln!(
                lines,
                "| `{}` | {ours:.2} | {} | {} | {std} | {pxfm} | {micromath} | {} |",
                kernel.name,
                summary.table.add(alone / ours),
                summary.with_making.add(alone / making),
                summary.scalar.add(with_conversions / scalar)
            );
        } else {
            summary.table.add(alone / ours);
            summary.with_making.add(alone / making);
            summary.scalar.add(with_conversions / scalar);
        }
    }
    if let Some(text) = text {
        text.push_str(&lines);
    }
    summary
}

fn functions_text(text: &mut String) {
    let (f16s, bf16s) = unary();
    let _ = writeln!(
        text,
        "\nFunctions of one operand, f16, N(0,1), ties to even. First nanoseconds per element for 2^16 elements \
         by the table (`sqrt`: by its loop), then how many times as long the alternatives take: `libm`'s f32 function on f32 data \
         (also for 2^20 elements, including building the table), `std`'s, `pxfm`'s and `micromath`'s. The \
         last column is for calls one at a time: how many times as long `libm`'s function takes with `half`'s \
         conversions around it.\n\n\
         | function | ns | libm | libm, 2^20 with building | std | pxfm | micromath | one at a time |\n\
         |---|---|---|---|---|---|---|---|"
    );
    let mut lines = String::new();
    let f16_normal = functions(&f16s, |peer| peer.f16, Data::Normal, Some(&mut lines));
    text.push_str(&lines);
    let _ = writeln!(
        text,
        "\n| geometric means | libm | libm, 2^20 with building | one at a time | a plain table |\n\
         |---|---|---|---|---|"
    );
    let mut told = |what: &str, summary: &Summary| {
        let _ = writeln!(
            text,
            "| {what} | {} | {} | {} | {} |",
            summary.table.told(),
            summary.with_making.told(),
            summary.scalar.told(),
            summary.plain_lookup.told()
        );
    };
    told("f16, N(0,1)", &f16_normal);
    told(
        "f16, uniform bits",
        &functions(&f16s, |peer| peer.f16, Data::Bits, None),
    );
    told(
        "bf16, N(0,1)",
        &functions(&bf16s, |peer| peer.bf16, Data::Normal, None),
    );
    told(
        "bf16, uniform bits",
        &functions(&bf16s, |peer| peer.bf16, Data::Bits, None),
    );
}

/// The processor, as the system names it.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let levels: Vec<_> = Level::available()
        .iter()
        .map(|level| level.name())
        .collect();
    format!(
        "{} ({threads} threads; levels {}), {} {}",
        name.unwrap_or("an unnamed processor").trim(),
        levels.join(", "),
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

const BEGIN: &str = "<!-- speed: written by `benches/table.sh` -->\n";
const END: &str = "<!-- end of speed -->\n";

fn main() {
    let start = Instant::now();
    let mut text = format!("{}.\n\n", machine());
    text.push_str(
        "Conversions, ties to even. First nanoseconds per element, then how many times as long the \
         alternatives take: `half`'s slices; this crate's loop compiled for the target's baseline; `half`'s \
         function without hardware, relative to that loop; and a copy of as many bytes.\n\n",
    );
    conversions(&mut text);
    blocks_text(&mut text);
    functions_text(&mut text);
    println!("{text}\n({:.0} s)", start.elapsed().as_secs_f64());
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--write") {
        let path = arguments.get(at + 1).expect("--write FILE");
        let page = std::fs::read_to_string(path).expect("the page");
        let (head, rest) = page.split_once(BEGIN).expect("the section's first marker");
        let (_, tail) = rest.split_once(END).expect("the section's last marker");
        std::fs::write(path, format!("{head}{BEGIN}{text}{END}{tail}")).expect("the page written");
    }
}
