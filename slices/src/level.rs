//! The machine's vector levels, and running a loop compiled for one of them.
//!
//! The loops of this crate are plain Rust without branches; processors differ only in the
//! instructions that LLVM may use. So no vector types are needed, and a few lines of
//! `#[target_feature]` are enough. The crates that choose at run time bring more than is used here
//! (`pulp` and `fearless_simd` have their own vector types), or do not let the caller name the
//! version to run (`multiversion`), which the tests that all levels agree need.
//!
//! Everything below [`Level::run`] is `#[inline(always)]`, so that it is compiled for the level's
//! features and not for the target's.

/// A set of vector instructions that this machine has. It affects the speed, never a bit.
///
/// | level | of | what |
/// |---|---|---|
/// | `baseline` | every target | what the target guarantees: SSE2 on x86-64, NEON on aarch64 |
/// | `avx2` | x86-64 | AVX2, FMA, F16C, BMI (x86-64-v3) |
/// | `avx512` | x86-64 | also AVX-512 F, BW, CD, DQ, VL (x86-64-v4) |
///
/// ```
/// use bitexact_slices::Level;
/// assert!(Level::available().contains(&Level::best()));
/// assert_eq!(Level::available()[0], Level::BASELINE);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(Set);

/// Private in a [`Level`], so that a level that this machine lacks cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Set {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

#[cfg(target_arch = "x86_64")]
const AVAILABLE: &[Level] = &[Level(Set::Baseline), Level(Set::Avx2), Level(Set::Avx512)];
#[cfg(not(target_arch = "x86_64"))]
const AVAILABLE: &[Level] = &[Level(Set::Baseline)];

/// A loop to be compiled for every level.
pub trait Task {
    /// `#[inline(always)]`, like everything that it calls.
    fn run(self);
}

impl Level {
    /// What the target guarantees.
    pub const BASELINE: Self = Self(Set::Baseline);

    /// All levels of this machine, the lowest first.
    #[must_use]
    pub fn available() -> &'static [Self] {
        let best = Self::best();
        let count = AVAILABLE.iter().filter(|level| **level <= best).count();
        AVAILABLE.get(..count).unwrap_or(AVAILABLE)
    }

    /// The best level of this machine.
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            // Each test is a load, since the standard library caches the answer.
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("f16c")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("lzcnt");
            if avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                return Self(Set::Avx512);
            }
            if avx2 {
                return Self(Set::Avx2);
            }
        }
        Self::BASELINE
    }

    /// `baseline`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        }
    }

    /// The level itself, for code that is written for one.
    pub(crate) const fn set(self) -> Set {
        self.0
    }

    /// Whether the level has the instructions that convert f16.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const fn has_f16c(self) -> bool {
        !matches!(self.0, Set::Baseline)
    }

    /// Whether the level has the instruction of a fused multiply-add.
    pub(crate) const fn has_fma(self) -> bool {
        !matches!(self.0, Set::Baseline) || cfg!(target_arch = "aarch64")
    }

    /// Runs a task, compiled for this level.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn run<T: Task>(self, task: T) {
        match self.0 {
            Set::Baseline => baseline(task),
            // SAFETY: outside of this module only `available` and `best` make levels,
            // and only those of which the processor has all features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512(task) },
        }
    }

    /// Runs a task of fused multiply-adds, compiled for the levels that [have](Self::has_fma) them:
    /// at another it would call a function for each, and is not run.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn run_fused<T: Task>(self, task: T) {
        match self.0 {
            #[cfg(not(target_arch = "aarch64"))]
            Set::Baseline => {}
            #[cfg(target_arch = "aarch64")]
            Set::Baseline => baseline(task),
            // SAFETY: as in `run`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2(task) },
            // SAFETY: as in `run`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512(task) },
        }
    }
}

/// Runs a task of a test or bench, compiled for a level.
#[inline]
pub fn at<T: Task>(level: Level, task: T) {
    level.run(task);
}

#[inline(never)]
fn baseline<T: Task>(task: T) {
    task.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt")]
fn avx2<T: Task>(task: T) {
    task.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn avx512<T: Task>(task: T) {
    task.run();
}
