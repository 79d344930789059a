//! What the host asks of a target and what it answers, as words of 64 bits, little-endian.
//!
//! A file of jobs is a head (`MAGIC`, the number of rows, the hash of their names, the number of
//! jobs) and the jobs; a file of answers is `MAGIC` and an answer for every job, in their order.
//! The head makes sure that both sides were built from the same catalog. Only `core` is used
//! here, and nothing of this crate: the firmware includes this file by path.

/// The first word of both files.
pub const MAGIC: u64 = 0x3162_6f6a_7469_6265;
/// Words in the head of a file of jobs.
pub const HEAD: usize = 4;
/// Words of a job.
pub const JOB: usize = 10;
/// Words of an answer.
pub const ANSWER: usize = 5;
/// [`Job::rounding`] of stochastic rounding.
pub const STOCHASTIC: u8 = 0xFF;

/// One row in one mode at one parameter setting, over a span of its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Job {
    /// Its place in the catalog.
    pub row: u32,
    /// Place in `Rounding::ALL`, or [`STOCHASTIC`].
    pub rounding: u8,
    /// Place in `Overflow::ALL`.
    pub overflow: u8,
    /// Stochastic rounding's random bits.
    pub random: u16,
    /// The policy, or the precision of the bounds: place in the parameter's choices.
    pub choice: u8,
    /// The NaN rule: place in the parameter's choices.
    pub nan: u8,
    /// The hard set, whose results are cut at these digits and exponents; else all inputs.
    pub hard: bool,
    pub precision: u32,
    pub emin: i32,
    pub emax: i32,
    /// The parameters that are numbers, as bits, in their order.
    pub numbers: [u64; 2],
    /// The inputs.
    pub start: u64,
    pub end: u64,
    /// The digest that it must have.
    pub expected: u64,
}

impl Job {
    #[must_use]
    pub const fn words(&self) -> [u64; JOB] {
        let arguments = self.rounding as u64
            | (self.overflow as u64) << 8
            | (self.random as u64) << 16
            | (self.choice as u64) << 32
            | (self.nan as u64) << 40
            | (self.hard as u64) << 48;
        [
            self.row as u64,
            arguments,
            self.precision as u64,
            self.emin as u32 as u64,
            self.emax as u32 as u64,
            self.numbers[0],
            self.numbers[1],
            self.start,
            self.end,
            self.expected,
        ]
    }

    #[must_use]
    pub const fn of(words: &[u64; JOB]) -> Self {
        let [
            row,
            arguments,
            precision,
            emin,
            emax,
            first,
            second,
            start,
            end,
            expected,
        ] = *words;
        Self {
            row: row as u32,
            rounding: arguments as u8,
            overflow: (arguments >> 8) as u8,
            random: (arguments >> 16) as u16,
            choice: (arguments >> 32) as u8,
            nan: (arguments >> 40) as u8,
            hard: arguments >> 48 & 1 != 0,
            precision: precision as u32,
            emin: emin as i32,
            emax: emax as i32,
            numbers: [first, second],
            start,
            end,
            expected,
        }
    }
}

/// What came of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The digest.
    pub sum: u64,
    /// How many inputs it is of.
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

/// A case of the composites or a network, and the digest that it must have.
///
/// A file of these is [`MAGIC`], the number of what there is to choose from, the hash of its names, the
/// number of checks, and the checks; the file of answers is [`MAGIC`] and a digest for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Check {
    /// Its place in the list.
    pub place: u64,
    /// The digest's sum,
    pub sum: u64,
    /// and what it is of.
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

    /// With one more name.
    #[must_use]
    pub fn and(self, name: &str) -> Self {
        let bytes = name.bytes().chain([0]);
        Self(bytes.fold(self.0, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        }))
    }
}
