//! Memory on the device.

use super::types::Type;
use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};
use std::ops::Range;

/// Elements of one type on the device.
#[derive(Debug)]
pub struct Buffer {
    /// Never empty, since the driver cannot allocate 0 bytes.
    pub(super) data: CudaSlice<u8>,
    pub(super) ty: Type,
    pub(super) len: usize,
}

/// Some of a buffer's elements.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) data: &'a CudaSlice<u8>,
    pub(super) ty: Type,
    pub(super) start: usize,
    pub(super) len: usize,
}

/// Some of a buffer's elements, to be written.
#[derive(Debug)]
pub struct ViewMut<'a> {
    pub(super) data: &'a mut CudaSlice<u8>,
    pub(super) ty: Type,
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Buffer {
    /// The number of elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The type of the elements.
    #[must_use]
    pub const fn ty(&self) -> Type {
        self.ty
    }

    /// All elements.
    #[must_use]
    pub const fn view(&self) -> View<'_> {
        View {
            data: &self.data,
            ty: self.ty,
            start: 0,
            len: self.len,
        }
    }

    /// All elements, to be written.
    #[must_use]
    pub const fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut {
            data: &mut self.data,
            ty: self.ty,
            start: 0,
            len: self.len,
        }
    }

    /// The elements of a range; `None` if it is not within the buffer.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Option<View<'_>> {
        let len = range.end.checked_sub(range.start)?;
        (range.end <= self.len).then_some(View {
            data: &self.data,
            ty: self.ty,
            start: range.start,
            len,
        })
    }

    /// The elements of a range, to be written; `None` if it is not within the buffer.
    #[must_use]
    pub fn slice_mut(&mut self, range: Range<usize>) -> Option<ViewMut<'_>> {
        let len = range.end.checked_sub(range.start)?;
        (range.end <= self.len).then_some(ViewMut {
            data: &mut self.data,
            ty: self.ty,
            start: range.start,
            len,
        })
    }
}

impl<'a> View<'a> {
    /// The number of elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes; `start` and `len` are within the buffer.
    pub(super) fn bytes(&self) -> CudaView<'a, u8> {
        let size = self.ty.bytes();
        self.data
            .slice(self.start * size..(self.start + self.len) * size)
    }
}

impl ViewMut<'_> {
    /// The number of elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same elements, for a shorter time.
    #[must_use]
    pub const fn reborrow(&mut self) -> ViewMut<'_> {
        ViewMut {
            data: self.data,
            ty: self.ty,
            start: self.start,
            len: self.len,
        }
    }

    /// The bytes; `start` and `len` are within the buffer.
    pub(super) fn bytes(&mut self) -> CudaViewMut<'_, u8> {
        let size = self.ty.bytes();
        self.data
            .slice_mut(self.start * size..(self.start + self.len) * size)
    }
}
