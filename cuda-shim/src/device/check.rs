//! Kernels checked on the device, over spans of all their inputs: against the simple reference, and
//! fma in ties-to-even also against the device's own instruction.
//!
//! The first operand is in the high bits of an input's number. A thread processes runs of [`RUN`]
//! consecutive inputs, in which only the last operand changes.

use super::grid::for_each_own;
use crate::abi::{Report, decode_mode};
use crate::reference::{self, Op};
use crate::self_checked_rows::for_each_check;
use bitexact::arith::{add_status, div_status, fma_status, mul_status, sub_status};
use bitexact::catalog::Element;
use bitexact::convert::convert_status;
use bitexact::format::Binary32 as f32;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{MxInt8, mxint8_encode_status, mxint8_encode_symmetric_status};
use bitexact::{Mode, Status, bf16, f16};
use core::arch::asm;
use core::sync::atomic::{AtomicU64, Ordering};

/// Inputs of a run; a sole operand has 32 bits, two or three have 16 each.
const RUN: u64 = 1 << 8;

/// Checks the inputs `start..start + n` and adds to the report. `both` returns the expected and the
/// kernel's output for operands, each with flags.
///
/// # Safety
///
/// `report` is a report that only atomics touch meanwhile; the inputs' numbers fit 64 bits.
#[inline(always)]
unsafe fn check(
    start: u64,
    n: u64,
    operands: usize,
    report: *mut Report,
    both: impl Fn([u64; 3]) -> [(u64, u8); 2],
) {
    let end = start + n;
    let (mut seen, mut wrong, mut first) = (0u64, 0u64, u64::MAX);
    let head = start / RUN;
    let runs = end.div_ceil(RUN).saturating_sub(head);
    for_each_own(runs as usize, |k| {
        let run = (head + k as u64) * RUN;
        let from = start.max(run) - run;
        let to = end.min(run + RUN) - run;
        // Nothing here depends on the last operand.
        let (low, high) = (run & 0xFFFF, run >> 16);
        for more in from..to {
            let last = low | more;
            let inputs = match operands {
                1 => [run | more, 0, 0],
                2 => [high, last, 0],
                _ => [high >> 16, high & 0xFFFF, last],
            };
            let [expected, got] = both(inputs);
            seen += 1;
            if expected != got {
                wrong += 1;
                first = first.min(run | more);
                if n == 1 {
                    // The thread that has the only input. SAFETY: the caller's.
                    unsafe {
                        (*report).expected = [expected.0, expected.1 as u64];
                        (*report).got = [got.0, got.1 as u64];
                    }
                }
            }
        }
    });
    if seen == 0 {
        return;
    }
    // SAFETY: the caller's.
    unsafe {
        AtomicU64::from_ptr(&raw mut (*report).seen).fetch_add(seen, Ordering::Relaxed);
        if wrong > 0 {
            AtomicU64::from_ptr(&raw mut (*report).wrong).fetch_add(wrong, Ordering::Relaxed);
            AtomicU64::from_ptr(&raw mut (*report).first).fetch_min(first, Ordering::Relaxed);
        }
    }
}

macro_rules! kernel {
    ($function:ident $n:tt $ty:ident $result:ident, $x:ident, $mode:expr) => {{
        let [a, b, c] = $x.map(|bits| <$ty as Element>::from_word(bits as _));
        let (result, status): ($result, Status) = kernel!(@call $function $n, a, b, c, $mode);
        (Element::to_word(result) as u64, status.bits())
    }};
    (@call $function:ident 1, $a:ident, $b:ident, $c:ident, $mode:expr) => {{
        let _ = ($b, $c);
        $function($a, $mode)
    }};
    (@call $function:ident 2, $a:ident, $b:ident, $c:ident, $mode:expr) => {{
        let _ = $c;
        $function($a, $b, $mode)
    }};
    (@call $function:ident 3, $a:ident, $b:ident, $c:ident, $mode:expr) => {
        $function($a, $b, $c, $mode)
    };
}

macro_rules! entries {
    ($(
        $entry:ident $row:literal $op:ident $function:ident $n:tt
        $ty:ident $operand:ident $result:ident $layout:ident;
    )*) => {
        $(
            /// The kernel in `mode`, the reference in `expected_mode`, which is the same except in
            /// the test of the check itself.
            ///
            /// # Safety
            ///
            /// As [`check`].
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $entry(
                start: u64,
                n: u64,
                mode: u32,
                expected_mode: u32,
                report: *mut Report,
            ) {
                let (mode, expected_mode) = (decode_mode(mode), decode_mode(expected_mode));
                // SAFETY: the caller's.
                unsafe {
                    check(start, n, $n, report, |x| [
                        reference::answer(Op::$op, reference::$operand, reference::$layout, x, expected_mode),
                        kernel!($function $n $ty $result, x, mode),
                    ]);
                }
            }
        )*
    };
}

for_each_check!(entries);

/// `instruction a, b, c` instead of the reference, in ties-to-even. It has no flags, and its NaN
/// differs: the kernel's must be the canonical one.
macro_rules! hardware {
    ($entry:ident $ty:ident $instruction:literal $infinity:literal $nan:literal) => {
        /// # Safety
        ///
        /// As [`check`].
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $entry(
            start: u64,
            n: u64,
            _mode: u32,
            _expected_mode: u32,
            report: *mut Report,
        ) {
            // SAFETY: the caller's; the instruction only reads and writes registers.
            unsafe {
                check(start, n, 3, report, |x| {
                    let [a, b, c] = x.map(|bits| bits as u16);
                    let mut due: u16;
                    asm!(
                        concat!($instruction, " {d}, {a}, {b}, {c};"),
                        d = out(reg16) due, a = in(reg16) a, b = in(reg16) b, c = in(reg16) c,
                        options(pure, nomem, nostack)
                    );
                    if due & 0x7FFF > $infinity {
                        due = $nan;
                    }
                    let (got, _) = kernel!(fma_status 3 $ty $ty, x, Mode::TIES_TO_EVEN);
                    [(due as u64, 0), (got, 0)]
                });
            }
        }
    };
}

hardware!(check_fma_f16_hw f16 "fma.rn.f16" 0x7C00 0x7E00);
// Earlier devices have no such instruction.
#[cfg(target_feature = "sm_80")]
hardware!(check_fma_bf16_hw bf16 "fma.rn.bf16" 0x7F80 0x7FC0);
