//! What all operations share.

use crate::{Entry, blocks, catalog, exact, gemm, layers, mx, paths, rows, sums, tensors, unit};
use bitexact::catalog::Type;

/// Every entry.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    composites()
        .chain(catalog::entries())
        .chain(paths::entries())
}

/// The entries that are not rows' or of other ways to their results: each has a body that a CPU
/// runs too.
pub fn composites() -> impl Iterator<Item = &'static Entry> {
    exact::entries()
        .chain(exact::mma::entries())
        .chain(mx::entries())
        .chain(mx::mma::entries())
        .chain(gemm::entries())
        .chain(sums::entries())
        .chain(rows::entries())
        .chain(blocks::entries())
        .chain(blocks::definition::entries())
        .chain(sums::definition::entries())
        .chain(layers::entries())
        .chain(gemm::definition::entries())
        .chain(rows::definition::entries())
        .chain(layers::definition::entries())
        .chain(tensors::definition::entries())
        .chain(unit::entries())
        .chain(unit::mma::entries())
        .chain(unit::definition::entries())
}

/// A batch of matrices: the address of the element at coordinate 0, and the strides in elements.
#[derive(Clone, Copy, Debug)]
pub struct Matrices {
    pub address: u64,
    pub strides: [i64; 3],
}

impl Matrices {
    /// Without so many of the first ones.
    pub(crate) fn after(self, matrices: usize, bytes: usize) -> Self {
        let far = (self.strides[0] as u64).wrapping_mul((matrices * bytes) as u64);
        Self {
            address: self.address.wrapping_add(far),
            ..self
        }
    }

    /// How many there are for so many products: one that is the same for all is cut up once.
    pub(crate) const fn count(self, products: usize) -> usize {
        match self.strides[0] {
            0 => 1,
            _ => products,
        }
    }
}

/// The number of a format of operands of sums, if it is one.
#[must_use]
pub fn format_number(ty: Type) -> Option<u32> {
    let found = sums::SUMMED.iter().position(|one| *one == ty)?;
    Some(found as u32)
}

/// The number of a format that sums are rounded to, if it is one.
#[must_use]
pub const fn result_number(ty: Type) -> Option<u32> {
    match ty {
        Type::F16 => Some(0),
        Type::Bf16 => Some(1),
        Type::F32 => Some(2),
        _ => None,
    }
}
