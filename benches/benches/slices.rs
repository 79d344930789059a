//! Slices against the usual alternatives and the limits: one at a time, as a slice and in parallel,
//! in L1, L2 and memory, on N(0, 1) and on uniform bits, in ties to even. Functions of one and of
//! two 16-bit operands, from the catalog, are compared with the peers' f32 functions with `half`'s
//! conversions (and `half`'s operators), a plain table and a copy; conversions with `half`'s and
//! with a copy of as many bytes.
//!
//! Results are asserted first: all of our implementations, and `half`'s except for NaN payloads,
//! against the kernel one element at a time. (`sweep peers` counts how often the peers' functions
//! are wrong.)
//!
//! Choose with a pattern: `cargo bench -p benches --bench slices -- 'exp.f16/.*2\^12'`.

mod common;

use bitexact::{Mode, bf16, f16};
use common::{Binary, Data, Loop, Narrow, Peer, Unary, binary, each, peers, unary};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use half::slice::HalfFloatSliceExt;
use std::hint::black_box;
use std::ops::{Add, Div, Mul, Sub};
use std::time::Duration;

const EVEN: Mode = Mode::TIES_TO_EVEN;
const COUNTS: [usize; 3] = [1 << 12, 1 << 17, 1 << 24];

fn group<'a>(c: &'a mut Criterion, name: String) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(100));
    group
        .measurement_time(Duration::from_millis(300))
        .sample_size(10);
    group
}

/// Data of every size.
fn data(
    group: &mut BenchmarkGroup<WallTime>,
    mut each: impl FnMut(&mut BenchmarkGroup<WallTime>, usize, Data, &str),
) {
    for count in COUNTS {
        for data in Data::ALL {
            group.throughput(Throughput::Elements(count as u64));
            each(
                group,
                count,
                data,
                &format!("2^{} {}", count.ilog2(), data.name()),
            );
        }
    }
}

fn run(group: &mut BenchmarkGroup<WallTime>, name: &str, of: &str, mut form: impl FnMut()) {
    group.bench_function(BenchmarkId::new(name, of), |b| b.iter(&mut form));
}

/// NaNs are all equal.
fn same<F: Narrow>(got: &[F], expected: &[F], what: &str) {
    let equal = |(a, b): (&F, &F)| a.code() == b.code() || a.wide().is_nan() && b.wide().is_nan();
    assert!(got.iter().zip(expected).all(equal), "{what}");
}

fn unaries<F: Narrow>(c: &mut Criterion, kernels: &[Unary<F>], peer_loop: fn(&Peer) -> Loop<F>) {
    let all = peers();
    for kernel in kernels {
        let table = kernel.plain_table();
        let mut group = group(c, format!("{}.{}", kernel.name, F::NAME));
        data(&mut group, |group, count, data, of| {
            let x: Vec<F> = data.codes(count);
            let (mut expected, mut out) = (vec![F::of(0); count], vec![F::of(0); count]);
            (kernel.scalar)(&x, &mut expected);
            run(group, "one at a time", of, || {
                (kernel.scalar)(black_box(&x), black_box(&mut out));
            });
            for (name, form) in [("slice", kernel.slice), ("parallel", kernel.parallel)] {
                form(&x, &mut out, EVEN);
                assert!(out.iter().zip(&expected).all(|(a, b)| a.code() == b.code()));
                let mode = black_box(EVEN);
                run(group, name, of, || {
                    form(black_box(&x), black_box(&mut out), mode)
                });
            }
            run(group, "a plain table", of, || {
                each(black_box(&x), black_box(&mut out), |x| {
                    table[usize::from(x.code())]
                });
            });
            run(group, "memcpy", of, || {
                black_box(&mut out).copy_from_slice(black_box(&x))
            });
            for peer in all.iter().filter(|peer| peer.op == kernel.name) {
                let form = peer_loop(peer);
                run(group, peer.name, of, || {
                    form(black_box(&x), black_box(&mut out))
                });
            }
        });
        group.finish();
    }
}

fn binaries<F>(c: &mut Criterion, kernels: &[Binary<F>])
where
    F: Narrow + Add<Output = F> + Sub<Output = F> + Mul<Output = F> + Div<Output = F>,
{
    for kernel in kernels {
        let mut group = group(c, format!("{}.{}", kernel.name, F::NAME));
        data(&mut group, |group, count, data, of| {
            let x: Vec<F> = data.codes(count);
            let y: Vec<F> = x.iter().rev().copied().collect();
            let (mut expected, mut out) = (vec![F::of(0); count], vec![F::of(0); count]);
            (kernel.scalar)(&x, &y, &mut expected);
            let forms = [
                ("one at a time", kernel.scalar),
                ("slice", kernel.slice),
                ("parallel", kernel.parallel),
            ];
            for (name, form) in forms {
                form(&x, &y, &mut out);
                assert!(out.iter().zip(&expected).all(|(a, b)| a.code() == b.code()));
                run(group, name, of, || {
                    form(black_box(&x), black_box(&y), black_box(&mut out))
                });
            }
            // `half` computes in f32 and rounds again. f32 has at least two bits more than twice
            // the precision, so the second rounding does no harm, and results must be equal.
            macro_rules! half {
                ($($name:literal $operator:tt)*) => {
                    match kernel.name {
                        $($name => {
                            let form = |x: &[F], y: &[F], out: &mut [F]| {
                                for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                                    *out = *x $operator *y;
                                }
                            };
                            form(&x, &y, &mut out);
                            same(&out, &expected, kernel.name);
                            run(group, "half", of, || {
                                form(black_box(&x), black_box(&y), black_box(&mut out));
                            });
                        })*
                        _ => {}
                    }
                };
            }
            half!("add" + "sub" - "mul" * "div" /);
        });
        group.finish();
    }
}

/// Conversions of slices, and their names.
type Forms<A, B> = [(&'static str, fn(&[A], &mut [B])); 4];

fn conversions<F: Narrow>(c: &mut Criterion, narrow: Forms<f32, F>, widen: Forms<F, f32>) {
    let mut to = group(c, format!("convert.f32.{}", F::NAME));
    data(&mut to, |group, count, data, of| {
        let x = data.f32s(count);
        let (mut expected, mut out) = (vec![F::of(0); count], vec![F::of(0); count]);
        narrow[0].1(&x, &mut expected);
        for (name, form) in narrow {
            form(&x, &mut out);
            same(&out, &expected, name);
            run(group, name, of, || form(black_box(&x), black_box(&mut out)));
        }
        copy(group, of, count);
    });
    to.finish();
    let mut from = group(c, format!("convert.{}.f32", F::NAME));
    data(&mut from, |group, count, data, of| {
        let x: Vec<F> = data.codes(count);
        let (mut expected, mut out) = (vec![0f32; count], vec![0f32; count]);
        widen[0].1(&x, &mut expected);
        for (name, form) in widen {
            form(&x, &mut out);
            let equal =
                |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(out.iter().zip(&expected).all(equal), "{name}");
            run(group, name, of, || form(black_box(&x), black_box(&mut out)));
        }
        copy(group, of, count);
    });
    from.finish();
}

/// Input and output together move 6 bytes per element: a copy of 3 bytes reads 3 and writes 3.
fn copy(group: &mut BenchmarkGroup<WallTime>, of: &str, count: usize) {
    let (from, mut to) = (vec![1u8; count * 3], vec![0u8; count * 3]);
    run(group, "memcpy", of, || {
        black_box(&mut to[..]).copy_from_slice(black_box(&from))
    });
}

fn bench(c: &mut Criterion) {
    macro_rules! conversion {
        ($ty:ident) => {
            conversions::<$ty>(
                c,
                [
                    ("slice", |x, out| {
                        bitexact_slices::convert(x, out, EVEN).expect("one length")
                    }),
                    ("parallel", |x, out| {
                        bitexact_slices::par::convert(x, out, EVEN).expect("one length");
                    }),
                    ("half", |x, out| out.convert_from_f32_slice(x)),
                    ("half, without hardware", |x, out| {
                        out.iter_mut()
                            .zip(x)
                            .for_each(|(out, x)| *out = $ty::from_f32_const(*x));
                    }),
                ],
                [
                    ("slice", |x, out| {
                        bitexact_slices::convert(x, out, EVEN).expect("one length")
                    }),
                    ("parallel", |x, out| {
                        bitexact_slices::par::convert(x, out, EVEN).expect("one length");
                    }),
                    ("half", |x, out| x.convert_to_f32_slice(out)),
                    ("half, without hardware", |x, out| {
                        out.iter_mut()
                            .zip(x)
                            .for_each(|(out, x)| *out = x.to_f32_const());
                    }),
                ],
            );
        };
    }
    conversion!(f16);
    conversion!(bf16);
    let (f16s, bf16s) = binary();
    binaries(c, &f16s);
    binaries(c, &bf16s);
    let (f16s, bf16s) = unary();
    unaries(c, &f16s, |peer| peer.f16);
    unaries(c, &bf16s, |peer| peer.bf16);
}

criterion_group!(benches, bench);
criterion_main!(benches);
