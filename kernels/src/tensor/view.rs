//! Strided views: a slice of elements, and the map from coordinates to positions in it.
//!
//! The element at coordinate `c` lies at `offset + sum(c[d] * strides[d])`. A layout is accepted
//! only if its lowest and highest position lie in the data, so every later sum is taken modulo
//! 2^word (`wrapping_*`: a partial sum may leave the range, the whole one cannot). Reads and writes
//! go through `get`, which does not panic for an index out of range.
//!
//! [`for_each_index`] is the only iteration over coordinates; all of `tensor/` uses it. Rows with
//! stride 1 are copied and filled as slices, which is several times faster and gives the same bits.

use super::TensorError;

/// Half-open range with a step along one dim: `start, start + step, ...` below `end`.
///
/// It must hold `start <= end <= length` and `step >= 1`; anything else is an error. This differs
/// from PyTorch, which clamps and counts negative bounds from the end: here a bound that is out of
/// range is an error.
///
/// ```
/// use bitexact::tensor::Slice;
/// let every_third = Slice::new(5, 12).step_by(3); // 5, 8, 11
/// assert_eq!(every_third, Slice { start: 5, end: 12, step: 3 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slice {
    /// The first coordinate.
    pub start: usize,
    /// One past the last coordinate that may belong to it; `start == end` is the empty slice.
    pub end: usize,
    /// The distance between coordinates, at least 1.
    pub step: usize,
}

impl Slice {
    /// `start..end` with step 1. Nothing is checked before the slice is used.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self {
            start,
            end,
            step: 1,
        }
    }

    /// The same range with this step.
    #[must_use]
    pub const fn step_by(self, step: usize) -> Self {
        Self { step, ..self }
    }

    /// How many coordinates the slice holds in `dim` of this length, once validated.
    fn count(self, dim: usize, length: usize) -> Result<usize, TensorError> {
        let Self { start, end, step } = self;
        if end > length {
            return Err(TensorError::SliceBeyondEnd { dim, end, length });
        }
        let span = end
            .checked_sub(start)
            .ok_or(TensorError::SliceReversed { dim, start, end })?;
        let whole_steps = span
            .saturating_sub(1)
            .checked_div(step)
            .ok_or(TensorError::SliceStepZero { dim })?;
        Ok(if span == 0 {
            0
        } else {
            whole_steps.wrapping_add(1)
        })
    }
}

/// The map from coordinates to positions in some number of elements, without the elements: what a
/// [`View`] checks and does, for elements that lie elsewhere.
///
/// ```
/// use bitexact::tensor::Layout;
/// let rows = Layout::contiguous([2, 3], 6)?;
/// assert_eq!((rows.shape(), rows.strides(), rows.offset()), ([2, 3], [3, 1], 0));
/// assert!(rows.expand(0, 2).is_err());
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Layout<const N: usize> {
    offset: usize,
    shape: [usize; N],
    strides: [isize; N],
}

impl<const N: usize> Layout<N> {
    /// The coordinate `c` is at position `offset + sum(c[d] * strides[d])` of `length` elements:
    /// the extreme positions are checked. Without elements (a dim of length 0) there is no
    /// position, and any strides and offset are valid.
    ///
    /// # Errors
    ///
    /// As [`View::new`].
    pub fn new(
        shape: [usize; N],
        strides: [isize; N],
        offset: usize,
        length: usize,
    ) -> Result<Self, TensorError> {
        let layout = Self {
            offset,
            shape,
            strides,
        };
        if layout.is_empty() {
            return Ok(layout);
        }
        let (mut below, mut above) = (0_usize, 0_usize);
        for (dim, (&n, &stride)) in shape.iter().zip(&strides).enumerate() {
            let side = if stride < 0 { &mut below } else { &mut above };
            *side = n
                .wrapping_sub(1)
                .checked_mul(stride.unsigned_abs())
                .and_then(|reach| side.checked_add(reach))
                .ok_or(TensorError::ExtentOverflow { dim })?;
        }
        if below > offset {
            return Err(TensorError::BeforeStart {
                offset,
                reach: below,
            });
        }
        match offset.checked_add(above) {
            Some(last) if last < length => Ok(layout),
            _ => Err(TensorError::PastEnd {
                offset,
                reach: above,
                length,
            }),
        }
    }

    /// Row-major, the last dim densest, over exactly `length` elements.
    ///
    /// # Errors
    ///
    /// As [`View::contiguous`].
    pub fn contiguous(shape: [usize; N], length: usize) -> Result<Self, TensorError> {
        let empty = shape.contains(&0);
        let mut strides = [0; N];
        let mut count = 1_usize;
        for (dim, (stride, &n)) in strides.iter_mut().zip(&shape).enumerate().rev() {
            *stride = count as isize;
            // Without elements the product is 0, even if the other dims alone would overflow.
            count = match count.checked_mul(n) {
                Some(product) => product,
                None if empty => 0,
                None => return Err(TensorError::ExtentOverflow { dim }),
            };
        }
        if count != length {
            return Err(TensorError::LengthMismatch {
                expected: count,
                found: length,
            });
        }
        Ok(Self {
            offset: 0,
            shape,
            strides,
        })
    }

    /// The length of every dim.
    #[must_use]
    pub const fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// The stride of every dim, in elements.
    #[must_use]
    pub const fn strides(&self) -> [isize; N] {
        self.strides
    }

    /// The position of the coordinate of all zeros.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Whether no two coordinates share a position, by a sufficient test: each dim longer than 1
    /// must stride over the whole extent of the dims with smaller strides (equal ones in order).
    /// The positions of two coordinates then differ by at least the largest stride of a dim in
    /// which they differ, minus that extent, which is positive.
    ///
    /// # Errors
    ///
    /// Which dim is too close, as [`ViewMut::new`].
    pub fn check_no_alias(&self) -> Result<(), TensorError> {
        if self.is_empty() {
            return Ok(());
        }
        for (dim, (&length, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            if length == 1 {
                continue;
            }
            if stride == 0 {
                return Err(TensorError::OutputStrideZero { dim, length });
            }
            let mut extent = 0_usize;
            for (other, (&n, &s)) in self.shape.iter().zip(&self.strides).enumerate() {
                if (s.unsigned_abs(), other) < (stride.unsigned_abs(), dim) {
                    // Within the data's length, as `new` has checked.
                    let reach = n.wrapping_sub(1).wrapping_mul(s.unsigned_abs());
                    extent = extent.wrapping_add(reach);
                }
            }
            if stride.unsigned_abs() <= extent {
                return Err(TensorError::OutputOverlap {
                    dim,
                    stride,
                    extent,
                });
            }
        }
        Ok(())
    }

    /// The first dim along which coordinate `at` lies outside the shape.
    fn check_index(&self, at: [usize; N]) -> Result<(), TensorError> {
        for (dim, (&index, &length)) in at.iter().zip(&self.shape).enumerate() {
            if index >= length {
                return Err(TensorError::IndexOutOfRange { dim, index, length });
            }
        }
        Ok(())
    }

    /// The position of a coordinate inside the shape.
    fn position(&self, at: [usize; N]) -> usize {
        at.iter()
            .zip(&self.strides)
            .fold(self.offset, |position, (&index, &stride)| {
                position.wrapping_add(index.wrapping_mul(stride as usize))
            })
    }

    fn dim(&self, dim: usize) -> Result<(usize, isize), TensorError> {
        match (self.shape.get(dim), self.strides.get(dim)) {
            (Some(&length), Some(&stride)) => Ok((length, stride)),
            _ => Err(TensorError::DimOutOfRange { dim, rank: N }),
        }
    }

    fn with_dim(mut self, dim: usize, length: usize, stride: isize) -> Self {
        if let (Some(n), Some(s)) = (self.shape.get_mut(dim), self.strides.get_mut(dim)) {
            *n = length;
            *s = stride;
        }
        self
    }

    /// As [`View::expand`].
    ///
    /// # Errors
    ///
    /// Its errors.
    pub fn expand(self, dim: usize, length: usize) -> Result<Self, TensorError> {
        match self.dim(dim)? {
            (1, _) => Ok(self.with_dim(dim, length, 0)),
            (length, _) => Err(TensorError::NotExpandable { dim, length }),
        }
    }

    fn permute(self, dims: [usize; N]) -> Result<Self, TensorError> {
        let mut new = self;
        let sizes = new.shape.iter_mut().zip(&mut new.strides);
        for ((done, &dim), (length, stride)) in dims.iter().enumerate().zip(sizes) {
            if dims.iter().take(done).any(|&earlier| earlier == dim) {
                return Err(TensorError::DimRepeated { dim });
            }
            (*length, *stride) = self.dim(dim)?;
        }
        Ok(new)
    }

    fn transpose(self, a: usize, b: usize) -> Result<Self, TensorError> {
        let (length_a, stride_a) = self.dim(a)?;
        let (length_b, stride_b) = self.dim(b)?;
        Ok(self
            .with_dim(a, length_b, stride_b)
            .with_dim(b, length_a, stride_a))
    }

    /// As [`View::slice`].
    ///
    /// # Errors
    ///
    /// Its errors.
    // Its positions are some of `self`'s, so it needs no further check. A wrapped stride or
    // offset is never used: it belongs to a dim of fewer than two coordinates.
    pub fn slice(self, dim: usize, slice: Slice) -> Result<Self, TensorError> {
        let (length, stride) = self.dim(dim)?;
        let count = slice.count(dim, length)?;
        let skipped = slice.start.wrapping_mul(stride as usize);
        let mut new = self.with_dim(dim, count, stride.wrapping_mul(slice.step as isize));
        new.offset = new.offset.wrapping_add(skipped);
        Ok(new)
    }

    /// The stride of the last dim: from one element of a row to the next.
    fn row_stride(&self) -> usize {
        self.strides.last().map_or(0, |&stride| stride as usize)
    }
}

/// Calls `f` with every coordinate inside `shape`, the last dim fastest: an odometer.
///
/// A shape with a 0 in it has no coordinate; the empty shape has one, `[]`.
pub(super) fn for_each_index<const N: usize>(shape: [usize; N], mut f: impl FnMut([usize; N])) {
    if shape.contains(&0) {
        return;
    }
    let mut at = [0_usize; N];
    loop {
        f(at);
        let mut carry = true;
        for (index, &length) in at.iter_mut().zip(&shape).rev() {
            *index = index.wrapping_add(1);
            if *index < length {
                carry = false;
                break;
            }
            *index = 0;
        }
        if carry {
            return;
        }
    }
}

/// Calls `f` with the first coordinate and the length of every row, a lane along the last dim.
fn for_each_row<const N: usize>(shape: [usize; N], mut f: impl FnMut([usize; N], usize)) {
    if shape.contains(&0) {
        return;
    }
    let mut rows = shape;
    let length = rows
        .last_mut()
        .map_or(1, |last| core::mem::replace(last, 1));
    for_each_index(rows, |at| f(at, length));
}

/// A read-only strided view of rank `N`.
///
/// Strides count elements. A stride of 0 repeats one element along a dim (what `expand` makes); a
/// negative one walks backwards. Both are ordinary. A view in which some dim has length 0 has no
/// elements, and any strides and offset are valid for it.
///
/// ```
/// use bitexact::tensor::View;
/// let data = [1, 2, 3, 4, 5, 6];
/// let rows = View::contiguous(&data, [2, 3])?;
/// assert_eq!(rows.get([1, 0]), Some(4));
/// assert_eq!(rows.transpose(0, 1)?.get([0, 1]), Some(4));
/// assert_eq!(rows.get([2, 0]), None);
///
/// // The last row three times, read backwards.
/// let odd = View::new(&data, [3, 3], [0, -1], 5)?;
/// assert_eq!(odd.get([2, 0]), Some(6));
/// assert_eq!(odd.get([2, 2]), Some(4));
/// # Ok::<(), bitexact::tensor::TensorError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct View<'a, T, const N: usize> {
    data: &'a [T],
    layout: Layout<N>,
}

impl<'a, T: Copy, const N: usize> View<'a, T, N> {
    /// A view of `data` with the element at coordinate `c` at `offset + sum(c[d] * strides[d])`.
    ///
    /// # Errors
    /// [`TensorError::BeforeStart`] or [`TensorError::PastEnd`] if the lowest or the highest
    /// position is outside `data`; [`TensorError::ExtentOverflow`] if one does not fit a `usize`.
    pub fn new(
        data: &'a [T],
        shape: [usize; N],
        strides: [isize; N],
        offset: usize,
    ) -> Result<Self, TensorError> {
        let layout = Layout::new(shape, strides, offset, data.len())?;
        Ok(Self { data, layout })
    }

    /// All of `data` in row-major order, the last dim densest.
    ///
    /// # Errors
    /// [`TensorError::LengthMismatch`] unless the shape's product is `data.len()`;
    /// [`TensorError::ExtentOverflow`] if it does not fit a `usize`.
    pub fn contiguous(data: &'a [T], shape: [usize; N]) -> Result<Self, TensorError> {
        let layout = Layout::contiguous(shape, data.len())?;
        Ok(Self { data, layout })
    }

    /// The length of every dim.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// The stride of every dim, in elements. That of a dim shorter than 2 has no meaning.
    #[must_use]
    pub fn strides(&self) -> [isize; N] {
        self.layout.strides
    }

    /// The position in the data of the element at coordinate 0. It has no meaning without elements.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.layout.offset
    }

    /// The slice that it was made of, which has more elements than the view where there are gaps.
    #[must_use]
    pub const fn data(&self) -> &'a [T] {
        self.data
    }

    /// Whether there is no element: some dim has length 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.is_empty()
    }

    /// The element at a coordinate, `None` outside the shape. Its bits are as stored.
    #[must_use]
    pub fn get(&self, at: [usize; N]) -> Option<T> {
        self.layout.check_index(at).ok()?;
        self.data.get(self.layout.position(at)).copied()
    }

    /// The same elements with `dim`, of length 1, repeated `length` times (0 too) by stride 0.
    ///
    /// ```
    /// use bitexact::tensor::View;
    /// let g = View::contiguous(&[1.0, 2.0], [1, 2])?.expand(0, 20)?;
    /// assert_eq!((g.shape(), g.strides()), ([20, 2], [0, 1]));
    /// assert_eq!(g.get([19, 1]), Some(2.0));
    /// # Ok::<(), bitexact::tensor::TensorError>(())
    /// ```
    ///
    /// # Errors
    /// [`TensorError::NotExpandable`] if the dim is not of length 1;
    /// [`TensorError::DimOutOfRange`].
    pub fn expand(&self, dim: usize, length: usize) -> Result<Self, TensorError> {
        let layout = self.layout.expand(dim, length)?;
        Ok(Self { layout, ..*self })
    }

    /// The same elements with dim `d` of the result being dim `dims[d]` of `self`.
    ///
    /// # Errors
    /// [`TensorError::DimRepeated`] or [`TensorError::DimOutOfRange`] if `dims` is not a
    /// permutation.
    pub fn permute(&self, dims: [usize; N]) -> Result<Self, TensorError> {
        let layout = self.layout.permute(dims)?;
        Ok(Self { layout, ..*self })
    }

    /// The same elements with dims `a` and `b` exchanged (they may be equal).
    ///
    /// # Errors
    /// [`TensorError::DimOutOfRange`].
    pub fn transpose(&self, a: usize, b: usize) -> Result<Self, TensorError> {
        let layout = self.layout.transpose(a, b)?;
        Ok(Self { layout, ..*self })
    }

    /// The elements whose coordinate along `dim` is in `slice`.
    ///
    /// # Errors
    /// [`TensorError::DimOutOfRange`], [`TensorError::SliceBeyondEnd`],
    /// [`TensorError::SliceReversed`], [`TensorError::SliceStepZero`]; nothing is clamped.
    pub fn slice(&self, dim: usize, slice: Slice) -> Result<Self, TensorError> {
        let layout = self.layout.slice(dim, slice)?;
        Ok(Self { layout, ..*self })
    }

    /// The elements along `dim` through coordinate `at`, whose own entry for `dim` is ignored.
    ///
    /// ```
    /// use bitexact::tensor::View;
    /// let column = View::contiguous(&[1, 2, 3, 4, 5, 6], [2, 3])?.lane(0, [0, 2])?;
    /// assert_eq!((column.len(), column.get(1), column.get(2)), (2, Some(6), None));
    /// # Ok::<(), bitexact::tensor::TensorError>(())
    /// ```
    ///
    /// # Errors
    /// [`TensorError::DimOutOfRange`]; [`TensorError::IndexOutOfRange`] if another entry of `at`
    /// is outside the shape.
    pub fn lane(&self, dim: usize, mut at: [usize; N]) -> Result<Lane<'a, T>, TensorError> {
        let (len, stride) = self.layout.dim(dim)?;
        if let Some(index) = at.get_mut(dim) {
            *index = 0;
        }
        self.layout.with_dim(dim, 1, 0).check_index(at)?;
        Ok(Lane {
            data: self.data,
            first: self.layout.position(at),
            stride: stride as usize,
            len,
        })
    }
}

/// The elements of a [`View`] along one dim, the operand of a reduction. Made by [`View::lane`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lane<'a, T> {
    data: &'a [T],
    first: usize,
    stride: usize,
    len: usize,
}

impl<T: Copy> Lane<'_, T> {
    /// The number of elements: the length of the dim, also with stride 0.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the dim has length 0.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Element `i` in the order of the dim's coordinate, `None` from `len` on.
    #[must_use]
    #[inline]
    pub fn get(&self, i: usize) -> Option<T> {
        if i >= self.len {
            return None;
        }
        let position = self.first.wrapping_add(i.wrapping_mul(self.stride));
        self.data.get(position).copied()
    }
}

/// A strided view to write to, in which no two coordinates share an element.
///
/// Negative strides and gaps are allowed; elements in the gaps are not written. Stride 0 is allowed
/// only for a dim of length 1 (or in a view without elements).
///
/// Whether strides overlap is decided by a sufficient test: every dim longer than 1 must have a
/// stride that exceeds, in magnitude, the extent of all dims with smaller strides. Every layout
/// made by slicing, reversing and permuting contiguous data passes. A few layouts that interleave
/// without collision, such as shape `[3, 2]` with strides `[2, 3]`, are rejected too.
///
/// ```
/// use bitexact::tensor::{TensorError, ViewMut};
/// let mut data = [0; 6];
/// let mut columns = ViewMut::new(&mut data, [3, 2], [1, 3], 0)?;
/// columns.set([2, 0], 7)?;
/// assert_eq!(data, [0, 0, 7, 0, 0, 0]);
///
/// // One row for all i: the layout that a compiler once gave to the result of `slice_scatter`.
/// let aliased = ViewMut::new(&mut data, [20, 6], [0, 1], 0);
/// assert_eq!(aliased.err(), Some(TensorError::OutputStrideZero { dim: 0, length: 20 }));
/// # Ok::<(), TensorError>(())
/// ```
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ViewMut<'a, T, const N: usize> {
    data: &'a mut [T],
    layout: Layout<N>,
}

impl<'a, T: Copy, const N: usize> ViewMut<'a, T, N> {
    /// A view of `data` with the element at coordinate `c` at `offset + sum(c[d] * strides[d])`.
    ///
    /// # Errors
    /// As [`View::new`]; then [`TensorError::OutputStrideZero`] or
    /// [`TensorError::OutputOverlap`] if two coordinates share, or may share, an element.
    pub fn new(
        data: &'a mut [T],
        shape: [usize; N],
        strides: [isize; N],
        offset: usize,
    ) -> Result<Self, TensorError> {
        let layout = Layout::new(shape, strides, offset, data.len())?;
        layout.check_no_alias()?;
        Ok(Self { data, layout })
    }

    /// All of `data` in row-major order, the last dim densest.
    ///
    /// # Errors
    /// As [`View::contiguous`].
    pub fn contiguous(data: &'a mut [T], shape: [usize; N]) -> Result<Self, TensorError> {
        let layout = Layout::contiguous(shape, data.len())?;
        Ok(Self { data, layout })
    }

    /// The length of every dim.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// The slice that it was made of, which has more elements than the view where there are gaps.
    #[must_use]
    pub const fn data_mut(&mut self) -> &mut [T] {
        self.data
    }

    /// The same elements, read-only.
    #[must_use]
    pub fn as_view(&self) -> View<'_, T, N> {
        View {
            data: self.data,
            layout: self.layout,
        }
    }

    /// Writes one element.
    ///
    /// # Errors
    /// [`TensorError::IndexOutOfRange`].
    pub fn set(&mut self, at: [usize; N], value: T) -> Result<(), TensorError> {
        self.layout.check_index(at)?;
        if let Some(element) = self.data.get_mut(self.layout.position(at)) {
            *element = value;
        }
        Ok(())
    }

    /// The elements whose coordinate along `dim` is in `slice`, to write to.
    ///
    /// # Errors
    /// As [`View::slice`].
    pub fn slice(&mut self, dim: usize, slice: Slice) -> Result<ViewMut<'_, T, N>, TensorError> {
        let layout = self.layout.slice(dim, slice)?;
        Ok(ViewMut {
            data: self.data,
            layout,
        })
    }

    /// Writes `value` to every element.
    pub fn fill(&mut self, value: T) {
        let stride = self.layout.row_stride();
        for_each_row(self.layout.shape, |at, length| {
            let mut to = self.layout.position(at);
            if stride == 1 {
                if let Some(row) = self.data.get_mut(to..to.wrapping_add(length)) {
                    row.fill(value);
                }
                return;
            }
            for _ in 0..length {
                if let Some(element) = self.data.get_mut(to) {
                    *element = value;
                }
                to = to.wrapping_add(stride);
            }
        });
    }

    /// Copies `source`, of the same shape, element by element, by coordinate, for any strides.
    ///
    /// ```
    /// use bitexact::tensor::{View, ViewMut};
    /// let mut rows = [0; 6];
    /// let row = View::contiguous(&[1, 2, 3], [1, 3])?;
    /// ViewMut::contiguous(&mut rows, [2, 3])?.copy_from(&row.expand(0, 2)?)?;
    /// assert_eq!(rows, [1, 2, 3, 1, 2, 3]);
    /// # Ok::<(), bitexact::tensor::TensorError>(())
    /// ```
    ///
    /// # Errors
    /// [`TensorError::ShapeMismatch`] for `source`; nothing is written then.
    pub fn copy_from(&mut self, source: &View<'_, T, N>) -> Result<(), TensorError> {
        check_shape("source", source.shape(), self.shape())?;
        let from_stride = source.layout.row_stride();
        let to_stride = self.layout.row_stride();
        let dense = from_stride == 1 && to_stride == 1;
        for_each_row(self.layout.shape, |at, length| {
            let mut from = source.layout.position(at);
            let mut to = self.layout.position(at);
            if dense {
                let from = source.data.get(from..from.wrapping_add(length));
                let to = self.data.get_mut(to..to.wrapping_add(length));
                if let (Some(from), Some(to)) = (from, to) {
                    for (element, &value) in to.iter_mut().zip(from) {
                        *element = value;
                    }
                }
                return;
            }
            for _ in 0..length {
                if let (Some(&value), Some(element)) =
                    (source.data.get(from), self.data.get_mut(to))
                {
                    *element = value;
                }
                from = from.wrapping_add(from_stride);
                to = to.wrapping_add(to_stride);
            }
        });
        Ok(())
    }
}

/// The first dim along which the operand called `which` does not have the expected length.
pub(super) fn check_shape<const N: usize>(
    which: &'static str,
    found: [usize; N],
    expected: [usize; N],
) -> Result<(), TensorError> {
    for (dim, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
        if found != expected {
            return Err(TensorError::ShapeMismatch {
                which,
                dim,
                expected,
                found,
            });
        }
    }
    Ok(())
}
