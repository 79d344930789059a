//! A span of a row's inputs, one after the other.

use crate::digest::Digest;
use crate::domain::{self, Domain};
use crate::job::Answer;
use core::ops::Range;

/// A kernel's output: up to two results (the unused one is 0) and the status bits.
#[derive(Clone, Copy, Default)]
pub struct Output {
    pub results: [u64; 2],
    pub flags: u8,
}

/// The domain and span of a job.
pub struct Walk {
    pub domain: Domain,
    pub span: Range<u64>,
}

impl Walk {
    /// The digest of a kernel's outputs over the span, and the last output itself.
    ///
    /// Never inlined: every row shares this code.
    #[inline(never)]
    pub fn over(&self, kernel: &dyn Fn(&[u64; 3]) -> Output) -> Answer {
        let mut digest = Digest::EMPTY;
        let mut last = Output::default();
        for index in self.span.clone() {
            let operands = match self.domain {
                Domain::All(widths) if widths[0] + widths[1] + widths[2] <= 16 => {
                    narrow(widths, index as u32)
                }
                Domain::All(widths) => domain::split(widths, index.into()),
                ref hard => hard.get(index),
            };
            last = kernel(&operands);
            digest.add(index, last.results, last.flags);
        }
        Answer {
            sum: digest.sum,
            count: digest.count,
            results: last.results,
            flags: last.flags.into(),
        }
    }
}

/// `domain::split` where 32 bits are enough. It is in the inner loop, where 128 bits would cost
/// more than most kernels.
fn narrow(widths: [u32; 3], index: u32) -> [u64; 3] {
    let field = |shift: u32, width: u32| u64::from((index >> shift) & ((1 << width) - 1));
    [
        field(widths[1] + widths[2], widths[0]),
        field(widths[2], widths[1]),
        field(0, widths[2]),
    ]
}
