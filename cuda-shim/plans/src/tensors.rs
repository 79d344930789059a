//! Tensors that are moved: the GPU crate's `composite/scatter.rs`.

/// The definition's entries, whose threads work alone.
#[macro_export]
macro_rules! tensor_definitions {
    ($to:ident) => {
        $to! {
            /// A slice of a tensor replaced by another tensor, or copied, in elements of 1, 2, 4, 8
            /// or 16 bytes.
            scatter::slice_scatter[] as SliceScatter() (
                bytes: u32, x: *const u8, src: *const u8, out: *mut u8, n: usize,
                walk: *const Scatter
            ) {
                "slice_scatter" [_] "" () items();
            }
            /// The same in rows, whose elements have 16 bytes.
            scatter::slice_scatter_rows[] as SliceScatterRows() (
                x: *const u128, src: *const u128, out: *mut u128, n: u32, row: u32, start: u32,
                count: u32, x_row: isize, src_row: isize, src_step: u32
            ) {
                "slice_scatter_rows_128" [_] "" () items();
            }
        }
    };
}

/// The launches.
#[cfg(not(target_arch = "nvptx64"))]
pub mod definition {
    use crate::entry::{items, launches};

    tensor_definitions!(launches);
}
