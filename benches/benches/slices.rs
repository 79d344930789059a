//! Every function of one 16-bit operand, made from the catalog: one at a time, as a slice, and in
//! parallel, in L1, L2 and memory, on N(0, 1) and on uniform bits; and its peers.
//!
//! Choose with a pattern: `cargo bench -p benches --bench slices -- 'exp.f16/2\^12'`.

mod common;

use bitexact::{Mode, bf16, f16};
use common::{Data, Loop, Narrow, Peer, Unary, peers, unary};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

fn format<F: Narrow>(c: &mut Criterion, kernels: &[Unary<F>], peer_loop: fn(&Peer) -> Loop<F>) {
    let mode = black_box(Mode::TIES_TO_EVEN);
    let all = peers();
    for kernel in kernels {
        let mut group = c.benchmark_group(format!("{}.{}", kernel.name, F::NAME));
        group.warm_up_time(Duration::from_millis(100));
        group
            .measurement_time(Duration::from_millis(300))
            .sample_size(10);
        for count in [1 << 12, 1 << 18, 1 << 24] {
            for data in Data::ALL {
                let x: Vec<F> = data.codes(count);
                let (mut expected, mut out) = (vec![F::of(0); count], vec![F::of(0); count]);
                (kernel.scalar)(&x, &mut expected, mode);
                let of = format!("2^{} {}", count.ilog2(), data.name());
                group.throughput(Throughput::Elements(count as u64));
                let forms = [
                    ("one at a time", kernel.scalar),
                    ("slice", kernel.slice),
                    ("parallel", kernel.parallel),
                ];
                for (name, form) in forms {
                    form(&x, &mut out, mode);
                    assert!(out.iter().zip(&expected).all(|(a, b)| a.code() == b.code()));
                    group.bench_function(BenchmarkId::new(name, &of), |b| {
                        b.iter(|| form(black_box(&x), black_box(&mut out), mode));
                    });
                }
                for peer in all.iter().filter(|peer| peer.op == kernel.name) {
                    let form = peer_loop(peer);
                    group.bench_function(BenchmarkId::new(peer.name, &of), |b| {
                        b.iter(|| form(black_box(&x), black_box(&mut out)));
                    });
                }
            }
        }
        group.finish();
    }
}

fn bench(c: &mut Criterion) {
    let (f16s, bf16s): (Vec<Unary<f16>>, Vec<Unary<bf16>>) = unary();
    format(c, &f16s, |peer| peer.f16);
    format(c, &bf16s, |peer| peer.bf16);
}

criterion_group!(benches, bench);
criterion_main!(benches);
