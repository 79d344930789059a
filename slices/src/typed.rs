//! Slices whose type is known to be another one: what is written for one type, in code that is
//! generic.
#![allow(unsafe_code)]

use bitexact::catalog::Element;
use core::any::TypeId;

/// The slice as one of another type, where that is the same type.
#[inline]
pub(crate) fn of_type<T: Element, U: Element>(slice: &[T]) -> Option<&[U]> {
    if TypeId::of::<T>() != TypeId::of::<U>() {
        return None;
    }
    // SAFETY: `T` is `U`.
    Some(unsafe { core::slice::from_raw_parts(slice.as_ptr().cast(), slice.len()) })
}

/// The slice as one of another type, where that is the same type.
#[inline]
pub(crate) fn of_type_mut<T: Element, U: Element>(slice: &mut [T]) -> Option<&mut [U]> {
    if TypeId::of::<T>() != TypeId::of::<U>() {
        return None;
    }
    // SAFETY: `T` is `U`.
    Some(unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) })
}
