//! The rows of one f32 with one result, by number: what an epilogue may do to a sum.

use bitexact::catalog::{self, Arguments, Element, Kernel, names, types};
use bitexact::format::Binary32;

/// The number of a row's entry: FNV-1a of its name. A test finds no two that share one.
#[must_use]
pub const fn number(entry: &str) -> u32 {
    let (mut hash, mut rest) = (0x811C_9DC5_u32, entry.as_bytes());
    while let [byte, more @ ..] = rest {
        hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
        rest = more;
    }
    hash
}

/// A row with its arguments.
#[derive(Clone, Copy)]
pub struct Function {
    number: u32,
    /// As the row's entry takes them; for stochastic rounding the first is the address of the
    /// random bits.
    words: [u64; 4],
}

impl Function {
    #[inline(always)]
    pub const fn new(number: u32, words: [u64; 4]) -> Self {
        Self { number, words }
    }

    /// The code of its result for the sum of the element of this number, in row-major order.
    ///
    /// # Safety
    ///
    /// Random bits are there for each element.
    #[inline(always)]
    pub unsafe fn code(self, sum: Binary32, element: usize) -> u64 {
        let [first, second, third, fourth] = self.words;
        // SAFETY: the caller's.
        unsafe { result(self.number, first, second, third, fourth, sum, element) }
    }
}

type Device<T> = <T as Element>::Device;
type Results<R> = <R as catalog::Results>::Device;
type Taken<A> = <A as Arguments>::Device;

/// The code of a row's result, of all rows. Not inlined: one function of the device that all
/// entries call. 0 for arguments that the row does not take, and for a number of no row: the host
/// side rejects both.
///
/// # Safety
///
/// [`Function::code`]'s.
#[inline(never)]
unsafe fn result(
    of: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    sum: Binary32,
    element: usize,
) -> u64 {
    let words = [first, second, third, fourth];
    macro_rules! row {
        (kernel: $kernel:ident, suffix: $suffix:tt, operands: (f32), results: ($($two:ident),*), $($rest:tt)*) => {};
        (
            kernel: $kernel:ident, suffix: $suffix:tt, operands: (f32), results: $result:ident,
            forms: [$({ending: $ending:literal, arguments: $of:ty, $($form:tt)*})*],
            stochastic: [$({ending: $random:literal, $($more:tt)*})?], $($rest:tt)*
        ) => {
            $(row! {
                @ $kernel $suffix $result $ending
                match Taken::<$of>::of_words(&words) { Ok(taken) => taken, Err(_) => return 0 }
            })*
            $(row! {
                @ $kernel $suffix $result $random {
                    let [random, overflow, ..] = words;
                    // SAFETY: the caller's.
                    let random = unsafe { *(random as *const u16).add(element) };
                    (random, crate::abi::decode_overflow(overflow as u32))
                }
            })?
        };
        (@ $kernel:ident [$($suffix:ident)*] $result:ident $ending:literal $arguments:expr) => {
            if of == const { number(concat!(stringify!($kernel) $(, "_", stringify!($suffix))*, $ending)) } {
                let operands = (Device::<types::f32>::from_word(sum.to_bits()),);
                let (result, _): (Results<types::$result>, _) =
                    names::$kernel::call(operands, $arguments);
                return result.to_word().into();
            }
        };
        ($($other:tt)*) => {};
    }
    bitexact::for_each_kernel!(row);
    0
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::number;
    use bitexact::catalog::{ROWS, Type};
    use std::collections::BTreeSet;

    #[test]
    fn no_two_entries_have_the_same_number() {
        let mut numbers = BTreeSet::from([0]);
        for row in ROWS.iter().filter(|row| row.operands == [Type::F32]) {
            for form in row.forms.iter().chain(&row.stochastic) {
                assert!(numbers.insert(number(form.entry)), "{}", form.entry);
            }
        }
        // FNV-1a's published value.
        assert_eq!(number("foobar"), 0xBF9C_F968);
    }
}
