//! From how many elements on a call should look for its table: the constant `SHORT` of
//! `bitexact-slices`. Prints nanoseconds per call by the kernel and by the table, for short slices.

mod common;

use bitexact::{Mode, f16};
use bitexact_slices::kernel;
use bitexact_slices::way::{Way, by};
use common::{Data, Narrow};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let x: Vec<f16> = Data::Normal.codes(1 << 16);
    let mut out = vec![f16::of(0); x.len()];
    let mode = black_box(Mode::TIES_TO_EVEN);
    macro_rules! line {
        ($kernel:ident) => {
            // The table exists from here on.
            bitexact_slices::$kernel(&x, &mut out, mode).expect("one length");
            println!(
                "{}: elements, ns a call by the kernel, by the table",
                stringify!($kernel)
            );
            for length in [1, 2, 3, 4, 6, 8, 12, 16, 32, 64] {
                let mut best = [f64::MAX; 2];
                for _ in 0..9 {
                    for (best, table) in best.iter_mut().zip([false, true]) {
                        let start = Instant::now();
                        for x in x.chunks_exact(length) {
                            let out = &mut out[..length];
                            if table {
                                let way = Way::Cached;
                                by::<kernel::$kernel, _, _, _>(way, (x,), black_box(out), mode)
                            } else {
                                by::<kernel::$kernel, _, _, _>(
                                    Way::Kernel,
                                    (x,),
                                    black_box(out),
                                    mode,
                                )
                            }
                            .expect("one length");
                        }
                        let calls = (x.len() / length) as f64;
                        *best = best.min(start.elapsed().as_nanos() as f64 / calls);
                    }
                }
                println!("{length:4} {:8.1} {:8.1}", best[0], best[1]);
            }
        };
    }
    line!(exp);
    line!(tanh);
    line!(rsqrt);
}
