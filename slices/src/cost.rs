//! What a call costs, and into how many pieces it is cut for threads.

/// What an element costs in picoseconds: roughly, and rather too few than too many, so that threads
/// are left out where one thread may be as fast.
///
/// Measured by the example `cutoffs` of commit 5e3bafe2 on 16 processors with AVX-512 (an Intel
/// Xeon, 2026-11-25), at the lengths where threads begin to pay; [`AWAKE`](Self::AWAKE), and
/// arithmetic by the processor, by calls from Python (2026-11-27: `python/benches/torch_host.py` prints those of one thread and
/// of all). A processor with narrower registers takes longer for a loop than this says, and uses
/// threads later than it could.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost(u64);

/// When threads pay, in nanoseconds of estimates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// The shortest call that is cut.
    cut: u64,
    /// The time of a piece at least.
    piece: u64,
    /// That of a piece while there are no more pieces than threads.
    short: u64,
}

/// The most pieces for each thread: after a pause, when threads come one after the other, up to
/// four were faster than one.
const SHARE: usize = 4;

impl Cost {
    /// Threads that sleep, as rayon's do a millisecond after a call. They are awake and done with
    /// 16 short pieces after 40 to 75 us, and after 10 to 20 us where they have not fallen asleep.
    pub const ASLEEP: Threads = Threads {
        cut: 80_000,
        piece: 4_000,
        short: 4_000,
    };
    /// Threads that are mostly awake, as OpenMP's are. A call that one thread makes in 10 us takes
    /// them as long.
    pub const AWAKE: Threads = Threads {
        cut: 8_000,
        piece: 4_000,
        short: 500,
    };

    /// A table: 0.27 to 0.29 ns.
    pub(crate) const TABLE: Self = Self(280);
    /// MX and NVFP4 blocks.
    #[cfg(feature = "rayon")]
    pub(crate) const BLOCKS: Self = Self(300);
    /// Quotients and roots by the processor: 0.08 to 0.33 ns.
    pub(crate) const DIVIDED: Self = Self(300);
    /// A loop of many integer operations: 2 ns for fma of f16.
    pub(crate) const INTEGERS: Self = Self(1_000);
    /// The kernel: 13 ns for exp of bf16.
    pub const KERNEL: Self = Self(8_000);

    /// A loop that moves operands and results: 0.08 to 0.24 ns for 4 to 12 bytes that come from the
    /// second cache.
    pub(crate) const fn moved<O, R>() -> Self {
        Self(20 * (size_of::<O>() + size_of::<R>()) as u64)
    }

    /// A loop of arithmetic: the processor's own, 0.07 to 0.2 ns, or with some integer operations,
    /// 0.45 to 1 ns for 16-bit formats and 1.6 for f32.
    pub(crate) const fn arithmetic<O, R>(by_processor: bool) -> Self {
        let Self(moved) = Self::moved::<O, R>();
        Self(if by_processor {
            moved * 5 / 4
        } else {
            5 * moved
        })
    }

    /// Whether it is a table's, of which pages may have to be filled first.
    #[must_use]
    pub fn is_table(self) -> bool {
        self == Self::TABLE
    }

    /// A call of so many elements, in nanoseconds.
    #[must_use]
    pub const fn of(self, elements: usize) -> u64 {
        (elements as u64).saturating_mul(self.0) / 1000
    }

    /// The elements of a piece at most, a multiple of a cache line of every type; as many as the
    /// call has where one thread is as fast as so many. [`Cost::ASLEEP`] or [`Cost::AWAKE`] says
    /// when threads pay.
    #[must_use]
    pub fn piece(self, pays: Threads, elements: usize, threads: impl FnOnce() -> usize) -> usize {
        let time = self.of(elements);
        if time < pays.cut {
            return elements;
        }
        let threads = threads();
        if threads < 2 {
            return elements;
        }
        let of = |least: u64| (time / least) as usize;
        let pieces = of(pays.piece).max(of(pays.short).min(threads));
        let pieces = pieces.min(threads.saturating_mul(SHARE));
        // Halves of halves: each has less than 128 elements more than its share, as it ends with a
        // cache line.
        ((elements >> pieces.ilog2()) + 128).next_multiple_of(64)
    }
}

/// Cuts work of so many elements in halves, recursively, down to pieces of a length at most, and
/// does each: the first on this thread, the others on rayon's. `cut` cuts before an element.
#[cfg(feature = "rayon")]
pub(crate) fn pieces<W: Send>(
    work: W,
    elements: usize,
    piece: usize,
    cut: fn(W, usize) -> (W, W),
    each: &(impl Fn(W) + Sync),
) {
    if elements <= piece {
        return each(work);
    }
    rayon::in_place_scope(|scope| spread(scope, work, elements, piece, cut, each));
}

/// The same in a scope. The length is at least 64.
#[cfg(feature = "rayon")]
pub fn spread<'a, W: Send + 'a>(
    scope: &rayon::Scope<'a>,
    work: W,
    elements: usize,
    piece: usize,
    cut: fn(W, usize) -> (W, W),
    each: &'a (impl Fn(W) + Sync),
) {
    if elements <= piece {
        return each(work);
    }
    // A multiple of a cache line for every type.
    let middle = (elements / 2).next_multiple_of(64);
    let (first, last) = cut(work, middle);
    scope.spawn(move |scope| spread(scope, last, elements - middle, piece, cut, each));
    spread(scope, first, middle, piece, cut, each);
}

#[cfg(test)]
mod tests {
    use super::{Cost, Threads};
    use bitexact::bf16;

    const BOTH: [Threads; 2] = [Cost::ASLEEP, Cost::AWAKE];
    const ALL: [Cost; 4] = [
        Cost::moved::<bf16, bf16>(),
        Cost::moved::<(f32, f32), f32>(),
        Cost::TABLE,
        Cost::KERNEL,
    ];

    #[test]
    fn short_calls_and_one_thread_have_one_piece() {
        for (cost, pays) in ALL
            .into_iter()
            .flat_map(|cost| BOTH.map(|pays| (cost, pays)))
        {
            for log in 0..40 {
                let elements = 1 << log;
                assert_eq!(cost.piece(pays, elements, || 1), elements);
                let whole = cost.piece(pays, elements, || 16) == elements;
                assert_eq!(whole, cost.of(elements) < pays.cut);
            }
        }
    }

    #[test]
    fn pieces_are_long_enough_and_no_more_than_the_threads_have_use_for() {
        for (cost, pays) in ALL
            .into_iter()
            .flat_map(|cost| BOTH.map(|pays| (cost, pays)))
        {
            for elements in (0..40).flat_map(|log| [1 << log, (1 << log) + 1]) {
                let piece = cost.piece(pays, elements, || 16);
                if piece < elements {
                    assert!(cost.of(piece) >= pays.short, "{cost:?} {elements}");
                    assert!((2..=64).contains(&elements.div_ceil(piece)));
                    assert_eq!(piece % 64, 0);
                }
            }
        }
    }

    /// The lengths that halving leaves.
    fn lengths(elements: usize, piece: usize, all: &mut Vec<usize>) {
        if elements <= piece {
            return all.push(elements);
        }
        let middle = (elements / 2).next_multiple_of(64);
        lengths(middle, piece, all);
        lengths(elements - middle, piece, all);
    }

    #[test]
    fn halves_are_no_shorter_than_pieces() {
        for cost in ALL {
            for (elements, threads) in
                [(1_700_001, 16), (2_000_000, 3), (1 << 24, 5), (123_457, 16)]
            {
                let piece = cost.piece(Cost::ASLEEP, elements, || threads);
                let mut all = Vec::new();
                lengths(elements, piece, &mut all);
                assert_eq!(all.iter().sum::<usize>(), elements);
                if piece < elements {
                    let least = all.into_iter().map(|length| cost.of(length + 256)).min();
                    assert!(
                        least >= Some(Cost::ASLEEP.piece),
                        "{cost:?} {elements} {least:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_takes_longer_is_cut_up_sooner() {
        let first =
            |cost: Cost| (0..).find(|log| cost.piece(Cost::ASLEEP, 1 << log, || 16) < 1 << log);
        assert_eq!(ALL.map(first), [Some(20), Some(19), Some(19), Some(14)]);
    }
}
