//! The branch-free loops, each at every level, for `ci/vectorised.sh` to inspect what they are
//! compiled to. Prints how long each takes for 2^12 elements: the results, and the results with the
//! exceptions, each by the loop and by the kernel.

use bitexact::arith::Class;
use bitexact::format::{E2M1, E4M3FN};
use bitexact::scale::{self, BlockError, Dialect, E8M0, MxInt8, Nvfp4, ScalePolicy};
use bitexact::{Mode, bf16, f16};
use bitexact_slices::way::{Way, by, status_by};
use bitexact_slices::{Level, kernel, mx};
use std::hint::black_box;
use std::time::Instant;

const N: usize = 1 << 12;

fn main() {
    let mode = black_box(Mode::TOWARD_ZERO);
    let even = black_box(Mode::TIES_TO_EVEN);
    let policy = black_box(ScalePolicy::CEIL);
    let x: Vec<f32> = (0..N as u32)
        .map(|n| f32::from_bits(n.wrapping_mul(0x9E37_79B9)))
        .collect();
    let doubles: Vec<f64> = x.iter().map(|x| f64::from(*x) * 1.1).collect();
    let f16s: Vec<f16> = (0..N as u16)
        .map(|n| f16::from_bits(n.wrapping_mul(0x9E37)))
        .collect();
    let bf16s: Vec<bf16> = (0..N as u16)
        .map(|n| bf16::from_bits(n.wrapping_mul(0x9E37)))
        .collect();
    let reversed: Vec<f32> = x.iter().rev().copied().collect();
    let reversed_bf16s: Vec<bf16> = bf16s.iter().rev().copied().collect();
    let scales: Vec<E8M0> = (0..N).map(|n| E8M0::from_bits(n as u8)).collect();
    for level in Level::available() {
        macro_rules! run {
            ($what:literal $kernel:ident ($($x:ident),*) $r:ident $args:expr) => {
                let mut out: Vec<$r> = vec![blank(); N];
                let mut best = [u128::MAX; 4];
                let way = Way::Level(*level);
                for _ in 0..200 {
                    let columns = black_box(($(&$x[..],)*));
                    let start = Instant::now();
                    by::<kernel::$kernel, _, _, _>(way, columns, black_box(&mut out[..]), $args)
                        .expect("slices of one length");
                    best[0] = best[0].min(start.elapsed().as_nanos());
                    let start = Instant::now();
                    by::<kernel::$kernel, _, _, _>(Way::Kernel, columns, black_box(&mut out[..]), $args)
                        .expect("slices of one length");
                    best[3] = best[3].min(start.elapsed().as_nanos());
                    for (way, best) in [way, Way::Kernel].into_iter().zip(&mut best[1..]) {
                        let start = Instant::now();
                        let raised = status_by::<kernel::$kernel, _, _, _>(
                            way, columns, black_box(&mut out[..]), $args,
                        );
                        black_box(raised.expect("slices of one length"));
                        *best = (*best).min(start.elapsed().as_nanos());
                    }
                }
                let [results, status, status_by_kernel, by_kernel] = best.map(|best| best as f64 / N as f64);
                println!(
                    "{:9} {:24} {results:7.3} ns per element, by the kernel {by_kernel:7.3}; with status {status:7.3}, by the kernel {status_by_kernel:7.3}",
                    level.name(), $what
                );
            };
        }
        run!("convert f32 f16" convert (x) f16 mode);
        run!("convert f32 f16, even" convert (x) f16 even);
        run!("convert f32 bf16" convert (x) bf16 mode);
        run!("convert f64 f32" convert (doubles) f32 mode);
        run!("convert f64 bf16" convert (doubles) bf16 mode);
        run!("convert f32 e4m3fn" convert (x) E4M3FN mode);
        run!("convert f32 e2m1, even" convert (x) E2M1 even);
        run!("convert f16 f32" convert (f16s) f32 mode.saturating_all());
        run!("convert f16 f32, even" convert (f16s) f32 even);
        run!("convert bf16 f32" convert (bf16s) f32 mode);
        run!("e8m0_encode f32" e8m0_encode (x) E8M0 policy);
        run!("e8m0_decode f32" e8m0_decode (scales) f32 mode);
        run!("add f16" add (f16s, f16s) f16 mode);
        run!("add f16, even" add (f16s, f16s) f16 even);
        run!("add bf16" add (bf16s, bf16s) bf16 mode);
        run!("add bf16, even" add (bf16s, bf16s) bf16 even);
        run!("add f32" add (x, x) f32 mode);
        run!("add f32, even" add (x, x) f32 even);
        run!("mul f16" mul (f16s, f16s) f16 mode);
        run!("mul f16, even" mul (f16s, f16s) f16 even);
        run!("mul bf16" mul (bf16s, bf16s) bf16 mode);
        run!("mul bf16, even" mul (bf16s, bf16s) bf16 even);
        run!("mul f32" mul (x, x) f32 mode);
        run!("mul f32, even" mul (x, x) f32 even);
        run!("div f16" div (f16s, f16s) f16 mode);
        run!("div f16, even" div (f16s, f16s) f16 even);
        run!("div bf16" div (bf16s, bf16s) bf16 mode);
        run!("div bf16, even" div (bf16s, bf16s) bf16 even);
        run!("div f32, even" div (x, x) f32 even);
        run!("sqrt f16, even" sqrt (f16s) f16 even);
        run!("sqrt bf16, even" sqrt (bf16s) bf16 even);
        run!("sqrt f32, even" sqrt (x) f32 even);
        run!("fma bf16" fma (bf16s, bf16s, bf16s) bf16 mode);
        run!("fma bf16 bf16 f32 f32" fma (bf16s, bf16s, x) f32 mode);
        run!("fma bf16 bf16 f32, even" fma (bf16s, bf16s, x) f32 even);
        run!("fma f32, even" fma (x, reversed, x) f32 even);
        run!("less bf16" compare_quiet_less (bf16s, reversed_bf16s) bool ());
        run!("less f32" compare_quiet_less (x, reversed) bool ());
        run!("not equal f32, signaling" compare_signaling_not_equal (x, reversed) bool ());
        run!("total_order f32" total_order (x, reversed) bool ());
        run!("minimum bf16" minimum (bf16s, reversed_bf16s) bf16 ());
        run!("minimum f32" minimum (x, reversed) f32 ());
        run!("maximum_magnitude_n f16" maximum_magnitude_number (f16s, f16s) f16 ());
        run!("maximum_magnitude_n f32" maximum_magnitude_number (x, reversed) f32 ());
        run!("copy_sign f32" copy_sign (x, reversed) f32 ());
        run!("abs bf16" abs (bf16s) bf16 ());
        run!("abs f32" abs (x) f32 ());
        run!("canonicalize f32" canonicalize (x) f32 ());
        run!("next_up bf16" next_up (bf16s) bf16 ());
        run!("next_up f32" next_up (x) f32 ());
        run!("is_normal bf16" is_normal (bf16s) bool ());
        run!("is_normal f32" is_normal (x) bool ());
        run!("classify bf16" classify (bf16s) Class ());
        run!("classify f32" classify (x) Class ());
        blocks::<f32, E4M3FN>(*level, &x, &scales);
        blocks::<bf16, E2M1>(*level, &bf16s, &scales);
        blocks::<f32, MxInt8>(*level, &x, &scales);
        nvfp4::<f32>(*level, &x);
        nvfp4::<bf16>(*level, &bf16s);
    }
}

/// MX blocks of 32, quantised and dequantised.
fn blocks<F: mx::Wide, E: mx::Element>(level: Level, x: &[F], scales: &[E8M0]) {
    let mut elements: Vec<E> = vec![blank(); N];
    let mut made: Vec<E8M0> = scales.iter().copied().take(N / 32).collect();
    let mut out: Vec<F> = vec![blank(); N];
    let random = random();
    let dialect = black_box(&Dialect::OCP_FLOOR);
    let names = (std::any::type_name::<F>(), std::any::type_name::<E>());
    let print = |what: &str, [loops, kernel]: [f64; 2]| {
        println!(
            "{:9} {what} {names:?} {loops:7.3} ns per element, by the kernel {kernel:7.3}",
            level.name()
        );
    };
    let (to, scales_to) = (&mut elements[..], &mut made[..]);
    let best = [
        time(|| mx::quantise_at(level, x, 32, dialect, to, scales_to).map(drop)),
        time(|| scale::quantise(x, 32, dialect, to, scales_to).map(drop)),
    ];
    print("quantise", best);
    let best = [
        time(|| mx::quantise_stochastic_at(level, x, 32, dialect, &random, to, scales_to)),
        time(|| {
            let mut bits = random.iter().copied();
            let next = || bits.next().unwrap_or_default();
            scale::quantise_stochastic(x, 32, dialect, next, to, scales_to).map(drop)
        }),
    ];
    print("quantise stochastically", best);
    let mode = black_box(Mode::TIES_TO_EVEN);
    let best = [
        time(|| mx::dequantise_at(level, &elements, &made, 32, mode, &mut out)),
        time(|| scale::dequantise(&elements, &made, 32, mode, &mut out).map(drop)),
    ];
    print("dequantise", best);
}

/// NVFP4 blocks, to nearest and stochastically.
fn nvfp4<F: mx::Wide>(level: Level, x: &[F]) {
    let mut elements: Vec<E2M1> = vec![blank(); N];
    let mut scales: Vec<E4M3FN> = vec![blank(); N / 16];
    let (to, scales_to) = (&mut elements[..], &mut scales[..]);
    let random = random();
    for recipe in [&Nvfp4::EXACT, &Nvfp4::TORCHAO_DIVIDED] {
        let print = |what: &str, [loops, kernel]: [f64; 2]| {
            println!(
                "{:9} {what} {} {:?} {loops:7.3} ns per element, by the kernel {kernel:7.3}",
                level.name(),
                std::any::type_name::<F>(),
                recipe.quotient
            );
        };
        let best = [
            time(|| mx::nvfp4_quantise_at(level, x, 1.0, recipe, to, scales_to)),
            time(|| scale::nvfp4_quantise(x, 1.0, recipe, to, scales_to).map(drop)),
        ];
        print("nvfp4_quantise", best);
        let quantise = mx::nvfp4_quantise_stochastic_at;
        let best = [
            time(|| quantise(level, x, 1.0, recipe, &random, to, scales_to)),
            time(|| {
                let mut bits = random.iter().copied();
                let next = || bits.next().unwrap_or_default();
                scale::nvfp4_quantise_stochastic(x, 1.0, recipe, next, to, scales_to).map(drop)
            }),
        ];
        print("nvfp4_quantise_stochastic", best);
    }
}

fn random() -> Vec<u16> {
    (0..N as u32)
        .map(|n| (n.wrapping_mul(0x9E37_79B9) >> 16) as u16)
        .collect()
}

/// The least time for an element, in ns.
fn time(mut run: impl FnMut() -> Result<(), BlockError>) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(&mut run)().expect("whole blocks");
        start.elapsed().as_nanos()
    };
    (0..200).map(once).min().unwrap_or_default() as f64 / N as f64
}

/// A buffer to overwrite.
fn blank<T: bitexact_slices::Element>() -> T {
    T::of_code(0)
}
