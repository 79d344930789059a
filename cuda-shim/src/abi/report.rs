//! The report of a check.

/// The report of a check on the device.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Inputs that were generated.
    pub seen: u64,
    /// How many of these are wrong.
    pub wrong: u64,
    /// The lowest number of a wrong input.
    pub first: u64,
    /// The expected result and flags, if there was one input.
    pub expected: [u64; 2],
    /// The kernel's result and flags.
    pub got: [u64; 2],
}

impl Report {
    /// Before the first input.
    pub const EMPTY: Self = Self {
        seen: 0,
        wrong: 0,
        first: u64::MAX,
        expected: [0; 2],
        got: [0; 2],
    };

    /// Its layout in memory.
    #[must_use]
    pub const fn words(self) -> [u64; 7] {
        let ([due, due_flags], [got, got_flags]) = (self.expected, self.got);
        [
            self.seen, self.wrong, self.first, due, due_flags, got, got_flags,
        ]
    }

    /// The inverse of [`Report::words`]; a missing word is 0.
    #[must_use]
    pub fn of(words: &[u64]) -> Self {
        let word = |k: usize| words.get(k).copied().unwrap_or(0);
        Self {
            seen: word(0),
            wrong: word(1),
            first: word(2),
            expected: [word(3), word(4)],
            got: [word(5), word(6)],
        }
    }
}
