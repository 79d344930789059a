//! How a thread finds the elements of tensors and matrices: shapes and strides, with their layout
//! in memory.

/// Dims of a tensor on the device; the host puts dims of length 1 before fewer.
pub const RANK: usize = 4;

/// The traversal of [`slice_scatter`](bitexact::tensor::slice_scatter): strides and positions count
/// elements, and the pointers passed with it are those of the elements at coordinate 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scatter {
    /// Of the output.
    pub shape: [u64; RANK],
    /// Of the tensor that is copied.
    pub x: [i64; RANK],
    /// Of the tensor that replaces the slice; 0 for the sliced dim.
    pub src: [i64; RANK],
    /// Of the output.
    pub out: [i64; RANK],
    /// 1 for the sliced dim, 0 for the others.
    pub along: [i64; RANK],
    /// Along the sliced dim, of the tensor that replaces the slice.
    pub src_step: i64,
    /// The slice's first coordinate.
    pub start: u64,
    /// The distance from one of its coordinates to the next.
    pub step: u64,
    /// The number of its coordinates.
    pub count: u64,
}

/// The traversal of a sum along a dim.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// Of the output: the summed dim has length 1.
    pub shape: [u64; RANK],
    /// Of the tensor that is summed.
    pub x: [i64; RANK],
    /// Of the output.
    pub out: [i64; RANK],
    /// Elements of a lane.
    pub len: u64,
    /// The distance from one to the next.
    pub step: i64,
}

/// The traversal of a product of matrices: strides count elements.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// Rows of the left matrix; its columns, which are the rows of the right one; columns of the
    /// right one.
    pub shape: [u64; 3],
    /// Of the left matrix.
    pub a: [i64; 2],
    /// Of the right matrix.
    pub b: [i64; 2],
    /// Of the product.
    pub out: [i64; 2],
}

#[cfg(not(target_arch = "nvptx64"))]
impl Product {
    /// Its layout in memory.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let strides = [self.a, self.b, self.out].concat();
        let strides = strides.into_iter().map(|stride| stride as u64);
        self.shape.into_iter().chain(strides).collect()
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Scatter {
    /// Its layout in memory.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let last = [self.src_step as u64, self.start, self.step, self.count];
        let strides = [self.x, self.src, self.out, self.along].concat();
        let strides = strides.into_iter().map(|stride| stride as u64);
        self.shape.into_iter().chain(strides).chain(last).collect()
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Lanes {
    /// Its layout in memory.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let strides = [self.x, self.out].concat();
        let strides = strides.into_iter().map(|stride| stride as u64);
        let last = [self.len, self.step as u64];
        self.shape.into_iter().chain(strides).chain(last).collect()
    }
}
