//! The sizes of layers.

use bitexact::nn::Conv2d;

/// The sizes of a [`Conv2d`], in its order.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convolution([u64; 10]);

impl Convolution {
    /// From these sizes.
    #[must_use]
    pub fn new(sizes: &Conv2d) -> Self {
        let [channels, height, width] = sizes.input;
        let ([down, across], [rows, columns]) = (sizes.kernel, sizes.stride);
        let [above, left] = sizes.padding;
        let all = [
            channels,
            height,
            width,
            sizes.channels,
            down,
            across,
            rows,
            columns,
            above,
            left,
        ];
        Self(all.map(|size| size as u64))
    }

    /// The sizes.
    #[must_use]
    pub fn sizes(&self) -> Conv2d {
        let [
            channels,
            height,
            width,
            filters,
            down,
            across,
            rows,
            columns,
            above,
            left,
        ] = self.0.map(|size| size as usize);
        Conv2d {
            input: [channels, height, width],
            channels: filters,
            kernel: [down, across],
            stride: [rows, columns],
            padding: [above, left],
        }
    }

    /// Its layout in memory.
    #[must_use]
    pub const fn words(&self) -> [u64; 10] {
        self.0
    }
}

/// The sizes of a pooling: input, output (both with channels), and windows and their strides, if
/// these are given.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pooling([u64; 10]);

impl Pooling {
    /// From these sizes.
    #[must_use]
    pub fn new(
        [channels, height, width]: [usize; 3],
        [filters, rows, columns]: [usize; 3],
        [taps_down, taps_across]: [usize; 2],
        [down, across]: [usize; 2],
    ) -> Self {
        let all = [
            channels,
            height,
            width,
            filters,
            rows,
            columns,
            taps_down,
            taps_across,
            down,
            across,
        ];
        Self(all.map(|size| size as u64))
    }

    /// Channels, rows and columns of an image.
    #[must_use]
    pub const fn input(&self) -> [usize; 3] {
        let [channels, height, width, ..] = self.0;
        [channels as usize, height as usize, width as usize]
    }

    /// Channels, rows and columns of a result.
    #[must_use]
    pub const fn output(&self) -> [usize; 3] {
        let [_, _, _, channels, rows, columns, ..] = self.0;
        [channels as usize, rows as usize, columns as usize]
    }

    /// Rows and columns of a window.
    #[must_use]
    pub const fn kernel(&self) -> [usize; 2] {
        let [.., down, across, _, _] = self.0;
        [down as usize, across as usize]
    }

    /// The distance from one window to the next.
    #[must_use]
    pub const fn stride(&self) -> [usize; 2] {
        let [.., down, across] = self.0;
        [down as usize, across as usize]
    }

    /// Its layout in memory.
    #[must_use]
    pub const fn words(&self) -> [u64; 10] {
        self.0
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn sizes_come_back() {
        let sizes = Conv2d {
            input: [1, 2, 3],
            channels: 4,
            kernel: [5, 6],
            stride: [7, 8],
            padding: [9, 10],
        };
        assert_eq!(Convolution::new(&sizes).sizes(), sizes);
        let pooling = Pooling::new([1, 2, 3], [4, 5, 6], [7, 8], [9, 10]);
        assert_eq!((pooling.input(), pooling.output()), ([1, 2, 3], [4, 5, 6]));
        assert_eq!((pooling.kernel(), pooling.stride()), ([7, 8], [9, 10]));
    }
}
