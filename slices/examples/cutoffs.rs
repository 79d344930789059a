//! What the cut-offs of the crate rest on: how long a first call takes, which fills the pages of a
//! table that it needs, beside a complete table and the kernel; and from which length on two and
//! more pieces on rayon's threads are faster than one thread.
//! `cargo run --release -p bitexact-slices --features rayon --example cutoffs`.

use bitexact::{Mode, bf16, convert, f16};
use bitexact_slices::way::{Columns, Cost, Outputs, Way, by, cost, spread};
use bitexact_slices::{Args, Element, Kernel, clear_tables, kernel};
use enclosures::enclosure::{for_each_enclosed, for_each_on_hosts_only};
use std::hint::black_box;
use std::time::Instant;

const EVEN: Mode = Mode::TIES_TO_EVEN;

/// Approximately normal: the sum of 12 uniform numbers.
fn normal(count: usize) -> Vec<f32> {
    let mut state = 1u64;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f32 / 16_777_216.0
    };
    (0..count)
        .map(|_| (0..12).map(|_| uniform()).sum::<f32>() - 6.0)
        .collect()
}

/// Microseconds of the fastest of some runs.
fn best(runs: usize, mut run: impl FnMut()) -> f64 {
    let one = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..runs).map(one).fold(f64::MAX, f64::min)
}

/// Whole tables of a function of one operand, beside as many calls of its kernel.
fn tables<K: Kernel<(F,), F, A>, F: Element, A: Args>(name: &str, args: fn(Mode) -> A) {
    let x: Vec<F> = (0..1 << 16).map(F::of_code).collect();
    let mut out = x.clone();
    for (direction, mode) in [("to nearest", EVEN), ("up", Mode::TOWARD_POSITIVE)] {
        let mut time = |way, count: usize| {
            best(9, || {
                by::<K, _, _, _>(
                    way,
                    (black_box(&x[..count]),),
                    &mut out[..count],
                    args(mode),
                )
                .expect("one length");
            })
        };
        let [table, kernel] = [time(Way::Table, 1), time(Way::Kernel, x.len())];
        println!("{name:15} {direction:10}: table {table:6.0} us, kernel {kernel:6.0}");
    }
}

macro_rules! args {
    ([]) => { |mode| mode };
    ([$($bits:literal)+]) => { |mode| (($(f32::from_bits($bits),)+), mode) };
}

macro_rules! all {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        $(
            tables::<kernel::$kernel, f16, _>(concat!(stringify!($kernel), " f16"), args!($parameters));
            tables::<kernel::$kernel, bf16, _>(concat!(stringify!($kernel), " bf16"), args!($parameters));
        )*
    };
}

/// First calls of a function of one operand.
fn first<K: Kernel<(F,), F, Mode>, F: Element>(name: &str, x: &[F]) {
    for length in [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 17, 1 << 18] {
        let x = &x[..length];
        let mut out = vec![F::of_code(0); length];
        let mut time = |way, clear| {
            best(9, || {
                if clear {
                    clear_tables();
                }
                by::<K, _, _, _>(way, (black_box(x),), black_box(&mut out[..]), EVEN)
                    .expect("one length");
            })
        };
        let [first, complete, kernel] = [
            time(Way::Auto, true),
            time(Way::Table, false),
            time(Way::Kernel, false),
        ];
        time(Way::Auto, false);
        let again = time(Way::Auto, false);
        println!(
            "{name:10} {length:7} elements: first call {first:8.1} us, complete table {complete:8.1}, kernel {kernel:8.1}, again {again:7.1}"
        );
    }
}

/// The median of microseconds of calls, at least 5 and about 30 ms of them, a pause in microseconds
/// before each.
fn median(pause: f64, mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut all = Vec::new();
    while all.len() < 5 || (all.len() < 100 && begin.elapsed().as_millis() < 30) {
        let until = Instant::now();
        while until.elapsed().as_secs_f64() * 1e6 < pause {
            core::hint::spin_loop();
        }
        all.push(best(1, &mut run));
    }
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Halves on rayon's threads, down to pieces; the calling thread waits for them.
fn joined<C: Columns, U: Outputs>(columns: C, out: U, piece: usize, each: &(impl Fn(C, U) + Sync)) {
    let length = columns.count();
    if length < 2 * piece {
        return each(columns, out);
    }
    let middle = (length / 2).next_multiple_of(64);
    let (first, last) = columns.split(middle);
    let (first_out, last_out) = out.split(middle);
    rayon::join(
        || joined(first, first_out, piece, each),
        || joined(last, last_out, piece, each),
    );
}

/// A call before and after an element.
fn cut<C: Columns, U: Outputs>((columns, out): (C, U), at: usize) -> ((C, U), (C, U)) {
    let ((first, last), (first_out, last_out)) = (columns.split(at), out.split(at));
    ((first, first_out), (last, last_out))
}

/// One thread beside several, by length and number of pieces.
fn threads<K: Kernel<C::Row, R, A>, R: Element, A: Args, C: Columns>(
    name: &str,
    columns: C,
    way: Way,
    args: A,
) {
    for shift in 12..=22 {
        let length = 1usize << shift;
        let (columns, _) = columns.split(length);
        let piece = cost::<K, C::Row, R, A>(length, args).piece(
            Cost::ASLEEP,
            length,
            rayon::current_num_threads,
        );
        println!(
            "{name:14} 2^{shift:<2} by default {} pieces",
            length.div_ceil(piece)
        );
        let mut out = vec![R::of_code(0); length];
        let each =
            |columns, out: &mut [R]| by::<K, _, _, _>(way, columns, out, args).expect("one length");
        for (kind, pause) in [("at once", 0.0), ("after 1 ms", 1000.0)] {
            let one = median(pause, || each(black_box(columns), black_box(&mut out[..])));
            print!("{name:14} 2^{shift:<2} {kind:10} one thread {one:8.1} us; joined");
            for halvings in 1..=6 {
                let time = median(pause, || {
                    let (columns, out) = (black_box(columns), black_box(&mut out[..]));
                    joined(columns, out, length >> halvings, &each);
                });
                print!(" {time:8.1}");
            }
            print!("; spawned");
            for halvings in 1..=6 {
                let time = median(pause, || {
                    let (columns, out) = (black_box(columns), black_box(&mut out[..]));
                    let (piece, each) = (length >> halvings, |(columns, out)| each(columns, out));
                    rayon::in_place_scope(|scope| {
                        spread(scope, (columns, out), length, piece, cut, &each);
                    });
                });
                print!(" {time:8.1}");
            }
            println!();
        }
    }
}

fn main() {
    let wide = normal(1 << 22);
    let halves: Vec<f16> = wide.iter().map(|x| convert::convert(*x, EVEN)).collect();
    let brains: Vec<bf16> = wide.iter().map(|x| convert::convert(*x, EVEN)).collect();
    for_each_enclosed!(all);
    for_each_on_hosts_only!(all);
    first::<kernel::exp, bf16>("exp bf16", &brains);
    first::<kernel::exp, f16>("exp f16", &halves);
    first::<kernel::tanh, bf16>("tanh bf16", &brains);
    first::<kernel::gelu, bf16>("gelu bf16", &brains);
    first::<kernel::rsqrt, bf16>("rsqrt bf16", &brains);
    println!(
        "{} threads; 2, 4, 8, 16, 32, 64 pieces",
        rayon::current_num_threads()
    );
    threads::<kernel::abs, bf16, _, _>("abs bf16", (&brains[..],), Way::Auto, ());
    threads::<kernel::add, f32, _, _>("add f32", (&wide[..], &wide[..]), Way::Auto, EVEN);
    threads::<kernel::convert, bf16, _, _>("f32 to bf16", (&wide[..],), Way::Auto, EVEN);
    threads::<kernel::add, f32, _, _>(
        "add f32, zero",
        (&wide[..], &wide[..]),
        Way::Auto,
        Mode::TOWARD_ZERO,
    );
    threads::<kernel::exp, bf16, _, _>("exp bf16 table", (&brains[..],), Way::Auto, EVEN);
    threads::<kernel::exp, bf16, _, _>("exp bf16", (&brains[..],), Way::Kernel, EVEN);
    threads::<kernel::abs, bf16, _, _>("abs bf16", (&brains[..],), Way::Kernel, ());
}
