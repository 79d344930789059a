//! The layers of the reference networks by vector code and threads.

use bitexact::nn::{Conv2d, NnError};
use bitexact_slices::tensor::View;
use bitexact_slices::tensor::by::{self, How};
use networks::Layers;

/// By these instructions, with threads or without.
pub struct Slices(pub How);

impl Layers<f32> for Slices {
    fn conv2d(
        &self,
        x: &[f32],
        weights: &[f32],
        bias: Option<&[f32]>,
        sizes: &Conv2d,
        out: &mut [f32],
    ) -> Result<(), NnError> {
        by::conv2d(self.0, x, weights, bias, sizes, out)
    }

    fn linear(
        &self,
        x: &[f32],
        weights: &[f32],
        bias: Option<&[f32]>,
        out: &mut [f32],
    ) -> Result<(), NnError> {
        let x_view = View::contiguous(x, [1, x.len()]).expect("one row");
        let shape = [out.len(), x.len()];
        let weights = View::contiguous(weights, shape).expect("a row for each output");
        by::linear(self.0, &x_view, &weights, bias, out)
    }
}
