//! One element at a time, compared with `half`. Where both should agree, that is asserted first.

use std::hint::black_box;

use bitexact::scale::{ScalePolicy, encode};
use bitexact::{Mode, arith, bf16, convert, f16};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sweep_inputs::domain::SplitMix64;

const N: usize = 4096;

/// Sums of four SplitMix64 draws: a bell around 0.
fn samples() -> Vec<f32> {
    let mut random = SplitMix64::seeded(0);
    let mut draw = || (random.next() >> 40) as f32 / 8_388_608.0 - 1.0;
    (0..N).map(|_| draw() + draw() + draw() + draw()).collect()
}

fn bench(c: &mut Criterion) {
    let x = samples();
    let mode = Mode::TIES_TO_EVEN;
    let run_time = black_box(mode);
    for x in &x {
        assert_eq!(convert::convert::<f32, bf16>(*x, mode), bf16::from_f32(*x));
        assert_eq!(convert::convert::<f32, f16>(*x, mode), f16::from_f32(*x));
    }
    macro_rules! group {
        ($name:literal, $data:expr, $($case:literal => $f:expr;)*) => {{
            let mut group = c.benchmark_group($name);
            group.throughput(Throughput::Elements(N as u64));
            let data = $data;
            $(group.bench_function($case, |b| {
                b.iter(|| for x in black_box(&data) {
                    #[allow(clippy::redundant_closure_call)]
                    black_box($f(*x));
                });
            });)*
            group.finish();
        }};
    }
    group!("f32 to bf16", x.clone(),
        "bitexact, literal mode" => |x| convert::convert::<f32, bf16>(x, Mode::TIES_TO_EVEN);
        "bitexact, mode and status" => |x| convert::convert_status::<f32, bf16>(x, run_time);
        "half" => bf16::from_f32;
    );
    group!("f32 to f16", x.clone(),
        "bitexact, literal mode" => |x| convert::convert::<f32, f16>(x, Mode::TIES_TO_EVEN);
        "bitexact, mode and status" => |x| convert::convert_status::<f32, f16>(x, run_time);
        "half" => f16::from_f32;
        "half, without hardware" => f16::from_f32_const;
    );
    group!("f32 to E8M0", x.clone(),
        "bitexact, ceil" => |x| encode(x, &ScalePolicy::CEIL);
        "ceil(log2 x), wrong beside powers of two" => |x: f32| (x.abs().log2().ceil() + 127.0) as u8;
    );
    let narrow: Vec<bf16> = x.iter().map(|x| bf16::from_f32(*x)).collect();
    group!("bf16 add", narrow.clone(),
        "bitexact, literal mode" => |x: bf16| arith::add::<bf16, bf16, bf16>(x, bf16::ONE, Mode::TIES_TO_EVEN);
        "half" => |x: bf16| x + bf16::ONE;
    );
    group!("bf16 fma", narrow,
        "bitexact, literal mode" => |x: bf16| arith::fma::<bf16, bf16, bf16, bf16>(x, x, bf16::ONE, Mode::TIES_TO_EVEN);
        "half's product and sum, rounded twice" => |x: bf16| x * x + bf16::ONE;
    );
}

criterion_group!(benches, bench);
criterion_main!(benches);
