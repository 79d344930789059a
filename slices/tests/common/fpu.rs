//! The states of the floating-point unit.
#![allow(dead_code, reason = "not every user has a use for all of it")]

/// MXCSR with all exceptions masked.
#[cfg(target_arch = "x86_64")]
const DEFAULT: u32 = 0x1F80;
/// Where the direction begins, and the directions' names.
#[cfg(target_arch = "x86_64")]
const DIRECTIONS: (u32, [&str; 4]) = (13, ["nearest", "down", "up", "zero"]);
/// What flushes subnormals: as results, and as operands.
#[cfg(target_arch = "x86_64")]
const FLUSHES: [(&str, u32); 2] = [("ftz", 1 << 15), ("daz", 1 << 6)];

/// FPCR.
#[cfg(target_arch = "aarch64")]
const DEFAULT: u32 = 0;
/// The same.
#[cfg(target_arch = "aarch64")]
const DIRECTIONS: (u32, [&str; 4]) = (22, ["nearest", "up", "down", "zero"]);
/// The same: as operands and results of f32 and f64, and of f16.
#[cfg(target_arch = "aarch64")]
const FLUSHES: [(&str, u32); 2] = [("fz", 1 << 24), ("fz16", 1 << 19)];

/// No register that is known.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const DEFAULT: u32 = 0;
/// The default direction.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const DIRECTIONS: (u32, [&str; 1]) = (0, ["nearest"]);
/// None.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const FLUSHES: [(&str, u32); 0] = [];

/// The four directions, with subnormals kept, flushed in one way, in the other, and in both; the
/// default state is the first.
pub fn states() -> impl Iterator<Item = u32> {
    let (shift, directions) = DIRECTIONS;
    (0..directions.len() as u32).flat_map(move |direction| {
        (0..1u32 << FLUSHES.len()).map(move |chosen| {
            let flushes = (0..).zip(FLUSHES).filter(|(at, _)| chosen >> at & 1 == 1);
            flushes.fold(DEFAULT | direction << shift, |state, (_, (_, bit))| {
                state | bit
            })
        })
    })
}

/// A state's name: the direction, and what is flushed, as in `up+ftz+daz`.
pub fn name(state: u32) -> String {
    let (shift, directions) = DIRECTIONS;
    let direction = (state >> shift) as usize % directions.len();
    let flushes = FLUSHES.iter().filter(|(_, bit)| state & bit != 0);
    flushes.fold(directions[direction].to_owned(), |name, (flush, _)| {
        name + "+" + flush
    })
}

/// Runs with this thread's register in a state, which is one of [`states`]; the default one
/// afterwards.
#[allow(unsafe_code)]
pub fn under<T>(state: u32, run: impl FnOnce() -> T) -> T {
    let set = |state: u32| {
        // SAFETY: all exceptions stay masked; the default state is restored below.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            core::arch::asm!("ldmxcsr [{}]", in(reg) &state, options(nostack, readonly));
        }
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        unsafe {
            core::arch::asm!("msr fpcr, {}", in(reg) u64::from(state), options(nostack));
        }
        let _ = state;
    };
    set(state);
    let result = run();
    set(DEFAULT);
    result
}
