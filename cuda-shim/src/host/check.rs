//! Kernels checked on the device, over spans of all inputs.

use super::error::Error;
use super::module::Module;
use super::rows::Row;
use super::types::Type;
use crate::abi::{self, Report};
use crate::self_checked_rows::for_each_check;
use bitexact::Mode;
use gpu_plans::entry::items;
use gpu_plans::{Entry, Work, paths};
use std::ops::Range;

/// What the kernel is checked against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Against {
    /// The [`reference`](mod@crate::reference), in any mode, flags included.
    Reference,
    /// The device's own instruction: fma in ties-to-even, without flags.
    Hardware,
}

/// The outcome of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Inputs that the device generated.
    pub seen: u64,
    /// How many of these are wrong.
    pub wrong: u64,
    /// The wrong input with the lowest number.
    pub first: Option<Difference>,
}

/// One wrong input: result bits and flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The input's number: its operands' bits concatenated, the first operand in the high bits.
    pub index: u64,
    /// The expected output.
    pub expected: (u64, u8),
    /// The kernel's output.
    pub got: (u64, u8),
}

/// The entries that check rows, by rows' names, and those that check them by instructions.
static CHECKS: [&[(&str, Entry)]; 2] = {
    const fn check(name: &'static str) -> Entry {
        Entry {
            name,
            signature: "",
            bytes: &[8, 8, 4, 4, 8],
            shape: items(),
        }
    }
    macro_rules! list {
        ($($entry:ident $row:literal $op:ident $function:ident $n:tt
            $ty:ident $operand:ident $result:ident $layout:ident;)*) => {
            &[$(($row, check(stringify!($entry)))),*]
        };
    }
    const HARDWARE: &[(&str, Entry)] = &[
        ("fma.f16", check("check_fma_f16_hw")),
        ("fma.bf16", check("check_fma_bf16_hw")),
    ];
    [for_each_check!(list), HARDWARE]
};

fn entry(row: &str, against: Against) -> Option<&'static Entry> {
    let [reference, hardware] = CHECKS;
    let entries = match against {
        Against::Reference => reference,
        Against::Hardware => hardware,
    };
    entries
        .iter()
        .find(|check| check.0 == row)
        .map(|check| &check.1)
}

/// The entries that check rows.
pub fn check_entries() -> impl Iterator<Item = &'static Entry> {
    CHECKS.into_iter().flatten().map(|check| &check.1)
}

/// Whether a device can check this row against this reference in this mode.
#[must_use]
pub fn checkable(row: &str, against: Against, mode: Mode) -> bool {
    match against {
        Against::Reference => entry(row, against).is_some(),
        Against::Hardware => matches!(row, "fma.f16" | "fma.bf16") && mode == Mode::TIES_TO_EVEN,
    }
}

/// The number of inputs of a row that a device can check.
#[must_use]
pub fn input_count(row: &str) -> u64 {
    let bytes = |row: &Row| row.operands.iter().map(|ty| ty.bytes()).sum::<usize>();
    super::row(row).map_or(0, |row| 1 << (8 * bytes(row)))
}

/// The reference's output for a row's operands; `None` for a row that it does not cover.
#[must_use]
pub fn reference_answer(row: &str, operands: [u64; 3], mode: Mode) -> Option<(u64, u8)> {
    use crate::reference::{self, Op, answer};
    macro_rules! find {
        ($($entry:ident $row:literal $op:ident $function:ident $n:tt
            $ty:ident $operand:ident $result:ident $layout:ident;)*) => {
            match row {
                $($row => Some(answer(Op::$op, reference::$operand, reference::$layout, operands, mode)),)*
                _ => None,
            }
        };
    }
    for_each_check!(find)
}

impl Module {
    /// Runs a row over the inputs of these numbers and checks each on the device; waits for it.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if the row cannot be checked this way or has no such inputs;
    /// [`Error::NoEntry`] if the device's architecture has no such instruction; or the driver's
    /// error.
    pub fn check_row(
        &self,
        row: &str,
        mode: Mode,
        against: Against,
        span: Range<u64>,
    ) -> Result<Checked, Error> {
        self.check_row_as(row, [mode, mode], against, span)
    }

    /// [`Module::check_row`] with the kernel in the first mode and the reference in the second. The
    /// mismatches can be predicted, which tests the check.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn check_row_as(
        &self,
        row: &str,
        [mode, expected_mode]: [Mode; 2],
        against: Against,
        span: Range<u64>,
    ) -> Result<Checked, Error> {
        let fail = |why: String| Error::Mismatch {
            what: row.into(),
            why,
        };
        let Some(entry) = entry(row, against).filter(|_| checkable(row, against, mode)) else {
            return Err(fail(format!("it cannot be checked against {against:?}")));
        };
        if span.start > span.end || span.end > input_count(row) {
            return Err(fail(format!("it has no inputs {span:?}")));
        }
        let ask = |start: u64, n: u64| {
            let mut report = self.gpu().upload_bits(Type::U64, &Report::EMPTY.words())?;
            let runs = usize::try_from(n.div_ceil(256).saturating_add(1)).unwrap_or(usize::MAX);
            let launch = paths::Check {
                start,
                n,
                mode: abi::encode_mode(mode),
                expected_mode: abi::encode_mode(expected_mode),
                report: self.address_mut(&mut report.view_mut()),
            };
            let work = Work::Items(if n == 0 { 0 } else { runs });
            self.run(launch.launch_as(entry, work))?;
            let words = self.gpu().download_bits(&report.view())?;
            Ok::<_, Error>(Report::of(&words))
        };
        let report = ask(span.start, span.end - span.start)?;
        let first = if report.wrong == 0 {
            None
        } else {
            let one = ask(report.first, 1)?;
            let output = |[bits, flags]: [u64; 2]| (bits, flags as u8);
            Some(Difference {
                index: report.first,
                expected: output(one.expected),
                got: output(one.got),
            })
        };
        Ok(Checked {
            seen: report.seen,
            wrong: report.wrong,
            first,
        })
    }
}
