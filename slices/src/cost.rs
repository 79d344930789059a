//! What a call costs, and into how many pieces it is cut for threads.

use bitexact::Mode;

/// What an element costs in picoseconds: roughly, and rather too few than too many, so that threads are left out where
/// one thread may be as fast.
///
/// Measured by the example `cutoffs` on 16 processors with AVX-512 (an Intel Xeon, 2026-11-25), at the lengths where threads begin
/// to pay. A processor with narrower registers takes longer for a loop than this says, and uses threads later than it
/// could.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost(u64);

/// When calls use threads, and how many pieces of them they have.
struct Cut {
    /// Shorter calls run on the calling thread, in nanoseconds.
    call: u64,
    /// The time of a piece at least.
    piece: u64,
    /// The most pieces for each thread.
    share: usize,
}

impl Cut {
    /// Threads that sleep are awake and done with 16 short pieces after 40 to 75 us. With shorter pieces than these no length became
    /// faster; as the threads come one after the other, up to four pieces for each were faster than one.
    const ASLEEP: Self = Self {
        call: 80_000,
        piece: 4_000,
        share: 4,
    };
    /// Threads that are awake are done with 16 short pieces after 4 to 9 us.
    const AWAKE: Self = Self {
        call: 10_000,
        piece: 1_000,
        share: 1,
    };
}

impl Cost {
    /// A table: 0.27 to 0.29 ns.
    pub(crate) const TABLE: Self = Self(280);
    /// MX and NVFP4 blocks.
    #[cfg(feature = "rayon")]
    pub(crate) const BLOCKS: Self = Self(300);
    /// A loop of many integer operations: 2 ns for fma of f16.
    pub(crate) const INTEGERS: Self = Self(1_000);
    /// The kernel: 13 ns for exp of bf16.
    pub const KERNEL: Self = Self(8_000);

    /// A loop that moves operands and results: 0.08 to 0.24 ns for 4 to 12 bytes that come from the second cache.
    pub(crate) const fn moved<O, R>() -> Self {
        Self(20 * (size_of::<O>() + size_of::<R>()) as u64)
    }

    /// A loop of arithmetic, which is the processor's own in ties to even, and some integer operations in other modes: 0.45 to
    /// 1 ns for 16-bit formats, 1.6 for f32.
    pub(crate) fn arithmetic<O, R>(mode: Mode) -> Self {
        let Self(moved) = Self::moved::<O, R>();
        Self(if mode == Mode::TIES_TO_EVEN {
            moved
        } else {
            5 * moved
        })
    }

    /// A call of so many elements, in nanoseconds.
    #[must_use]
    pub const fn of(self, elements: usize) -> u64 {
        (elements as u64).saturating_mul(self.0) / 1000
    }

    /// The elements of a piece at most, a multiple of a cache line of every type; as many as the call has where one thread is as
    /// fast as so many. `awake` says how many threads look for work. Neither question is asked before it matters.
    #[must_use]
    pub fn piece(
        self,
        elements: usize,
        threads: impl FnOnce() -> usize,
        awake: impl FnOnce() -> usize,
    ) -> usize {
        let time = self.of(elements);
        if time < Cut::AWAKE.call {
            return elements;
        }
        let awake = awake();
        let (cut, most) = if awake > 0 {
            // The calling thread takes a piece too.
            (Cut::AWAKE, awake + 1)
        } else if time < Cut::ASLEEP.call {
            return elements;
        } else {
            (Cut::ASLEEP, usize::MAX)
        };
        let threads = threads();
        if threads < 2 {
            return elements;
        }
        let pieces = ((time / cut.piece) as usize).min(threads.saturating_mul(cut.share).min(most));
        // Halves of halves: each has less than 128 elements more than its share, as it ends with a cache line.
        ((elements >> pieces.ilog2()) + 128).next_multiple_of(64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cost, Cut};
    use bitexact::bf16;

    const ALL: [Cost; 4] = [
        Cost::moved::<bf16, bf16>(),
        Cost::moved::<(f32, f32), f32>(),
        Cost::TABLE,
        Cost::KERNEL,
    ];
    const CUTS: [(usize, Cut); 2] = [(0, Cut::ASLEEP), (15, Cut::AWAKE)];

    #[test]
    fn short_calls_and_one_thread_have_one_piece() {
        for (cost, (awake, cut)) in ALL.into_iter().flat_map(|cost| CUTS.map(|cut| (cost, cut))) {
            for log in 0..40 {
                let elements = 1 << log;
                assert_eq!(cost.piece(elements, || 1, || awake), elements);
                assert_eq!(
                    cost.piece(elements, || 16, || awake) == elements,
                    cost.of(elements) < cut.call
                );
            }
        }
    }

    #[test]
    fn pieces_are_long_enough_and_no_more_than_the_threads_have_use_for() {
        for (cost, (awake, cut)) in ALL.into_iter().flat_map(|cost| CUTS.map(|cut| (cost, cut))) {
            for elements in (0..40).flat_map(|log| [1 << log, (1 << log) + 1]) {
                let piece = cost.piece(elements, || 16, || awake);
                if piece < elements {
                    assert!(cost.of(piece) >= cut.piece, "{cost:?} {elements}");
                    assert!((2..=16 * cut.share).contains(&elements.div_ceil(piece)));
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
        for (cost, (awake, cut)) in ALL.into_iter().flat_map(|cost| CUTS.map(|cut| (cost, cut))) {
            for (elements, threads) in
                [(1_700_001, 16), (2_000_000, 3), (1 << 24, 5), (123_457, 16)]
            {
                let piece = cost.piece(elements, || threads, || awake);
                let mut all = Vec::new();
                lengths(elements, piece, &mut all);
                assert_eq!(all.iter().sum::<usize>(), elements);
                if piece < elements {
                    let least = all.into_iter().map(|length| cost.of(length + 256)).min();
                    assert!(least >= Some(cut.piece), "{cost:?} {elements} {least:?}");
                }
            }
        }
    }

    #[test]
    fn what_takes_longer_is_cut_up_sooner_and_so_are_calls_that_follow_each_other() {
        let first = |awake: usize| {
            ALL.map(|cost| (0..).find(|log| cost.piece(1 << log, || 16, || awake) < 1 << log))
        };
        assert_eq!(first(0), [Some(20), Some(19), Some(19), Some(14)]);
        assert_eq!(first(15), [Some(17), Some(16), Some(16), Some(11)]);
    }
}
