//! The host's requests to a target and its answers, as little-endian words of 64 bits.
//!
//! A file of jobs is a head (`MAGIC`, the number of rows, the hash of their names, the number of
//! jobs) and the jobs; a file of answers is `MAGIC` and an answer for every job, in their order.
//! The head ensures that both sides were built from the same catalog.

/// The first word of both files.
pub const MAGIC: u64 = 0x3162_6f6a_7469_6265;
/// Words in the head of a file of jobs.
pub const HEAD: usize = 4;
/// Words of a job.
pub const JOB: usize = 11;
/// Words of an answer.
pub const ANSWER: usize = 5;

/// One row in one mode at one parameter setting, over a span of its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Job {
    /// Its index in the catalog.
    pub row: u32,
    /// The index of its form among the row's forms.
    pub form: u8,
    /// The hard set for results with these bits and exponents; otherwise all inputs.
    pub hard: bool,
    pub precision: u32,
    pub emin: i32,
    pub emax: i32,
    /// The arguments as the form's numbers.
    pub numbers: [u64; 4],
    /// The inputs.
    pub start: u64,
    pub end: u64,
    /// The expected digest.
    pub expected: u64,
}

impl Job {
    #[must_use]
    pub const fn words(&self) -> [u64; JOB] {
        let [first, second, third, fourth] = self.numbers;
        [
            self.row as u64 | (self.form as u64) << 32 | (self.hard as u64) << 40,
            self.precision as u64,
            self.emin as u32 as u64,
            self.emax as u32 as u64,
            first,
            second,
            third,
            fourth,
            self.start,
            self.end,
            self.expected,
        ]
    }

    #[must_use]
    pub const fn of(words: &[u64; JOB]) -> Self {
        let [
            row,
            precision,
            emin,
            emax,
            first,
            second,
            third,
            fourth,
            start,
            end,
            expected,
        ] = *words;
        Self {
            row: row as u32,
            form: (row >> 32) as u8,
            hard: row >> 40 & 1 != 0,
            precision: precision as u32,
            emin: emin as u32 as i32,
            emax: emax as u32 as i32,
            numbers: [first, second, third, fourth],
            start,
            end,
            expected,
        }
    }
}

/// The answer to a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The digest.
    pub sum: u64,
    /// The number of its inputs.
    pub count: u64,
    /// The last input's output.
    pub results: [u64; 2],
    pub flags: u64,
}

impl Answer {
    #[must_use]
    pub const fn words(&self) -> [u64; ANSWER] {
        let [first, second] = self.results;
        [self.sum, self.count, first, second, self.flags]
    }

    #[must_use]
    pub const fn of(words: &[u64; ANSWER]) -> Self {
        let [sum, count, first, second, flags] = *words;
        Self {
            sum,
            count,
            results: [first, second],
            flags,
        }
    }
}

/// A case of the composites or a network, and its expected digest.
///
/// A file of these is [`MAGIC`], the number of available checks, the hash of their names, the
/// number of requested checks, and these; the file of answers is [`MAGIC`] and a digest for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Check {
    /// Its index in the list.
    pub place: u64,
    /// The digest's sum,
    pub sum: u64,
    /// and its count.
    pub count: u64,
}

/// Words of a [`Check`].
pub const CHECK: usize = 3;

impl Check {
    #[must_use]
    pub const fn words(&self) -> [u64; CHECK] {
        [self.place, self.sum, self.count]
    }

    #[must_use]
    pub const fn of(words: &[u64; CHECK]) -> Self {
        let [place, sum, count] = *words;
        Self { place, sum, count }
    }
}

/// Words of the digest that answers a [`Check`].
pub const SEEN: usize = 2;

/// The hash of the rows' names: FNV-1a of each name and a zero byte, in the catalog's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Names(pub u64);

impl Names {
    pub const NONE: Self = Self(0xCBF2_9CE4_8422_2325);

    /// The hash with one more name.
    #[must_use]
    pub fn and(self, name: &str) -> Self {
        let bytes = name.bytes().chain([0]);
        Self(bytes.fold(self.0, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        }))
    }
}
