//! What a kernel takes in addition to its operands, as the key of a table.

use bitexact::catalog;

/// The arguments of a kernel other than its operands: a mode, parameters, or nothing.
pub trait Args: catalog::Arguments {
    /// Distinct words for distinct arguments.
    #[inline]
    fn key(self) -> [u64; 3] {
        // Of four words the last two are choices of less than 32 bits; P3109's of 64 bits are the
        // first two.
        let [first, second, third, fourth] = self.words();
        [first, second, third | fourth << 32]
    }
}

impl<A: catalog::Arguments> Args for A {}

/// Arguments other than parameters: the rounding, the result for a NaN.
pub trait Choice: Args + catalog::Choice {
    /// Distinct words for distinct arguments.
    #[inline]
    fn word(self) -> u128 {
        let [first, second] = self.pack();
        u128::from(first) | u128::from(second) << 64
    }
}

impl<A: catalog::Choice> Choice for A {}

/// Parameters of a kernel, in their own format.
pub trait Parameters: catalog::Parameters {
    /// Distinct words for distinct parameters.
    #[inline]
    fn words(self) -> [u64; 2] {
        self.bits()
    }
}

impl<P: catalog::Parameters> Parameters for P {}
