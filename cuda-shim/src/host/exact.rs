//! Exact products of matrices on the tensor cores: the plan's launches.

use super::buffer::{View, ViewMut};
use super::composites::{Composites, matrices, mismatch};
use super::error::Error;
use super::module::{LARGE, SMALL};
use super::tensor::{Tensor, TensorMut};
use super::types::Type;
use crate::abi;
use bitexact::Mode;
use core::ops::Range;
use gpu_plans::Launch;
use gpu_plans::exact::Product;

impl Composites<'_> {
    fn exact_plan(
        &self,
        a: &Tensor<3>,
        b: &Tensor<3>,
        mode: Mode,
        out: &mut TensorMut<3>,
    ) -> Product {
        let module = self.module();
        let ([batch, m, k], [.., n]) = (a.shape(), b.shape());
        Product {
            ty: a.view().ty,
            sizes: [batch, m, n, k],
            a: matrices(a.address(module), a.strides()),
            b: matrices(b.address(module), b.strides()),
            out: matrices(out.address(module), out.strides()),
            to: out.view().ty,
            mode: abi::encode_mode(mode),
            processors: module.gpu().processors() as usize,
        }
    }

    /// How many exact products can be launched on the tensor cores at once, if any.
    pub(super) fn exact_at_once(
        &self,
        a: &Tensor<3>,
        b: &Tensor<3>,
        mode: Mode,
        out: &mut TensorMut<3>,
    ) -> Option<usize> {
        let plan = self.exact_plan(a, b, mode, out);
        plan.at_once().filter(|_| self.on_tensor_cores())
    }

    /// Whether the exact products of these numbers,
    /// [as many as can be at once](Self::exact_at_once), were launched on the tensor cores: not if
    /// there are many infinities, or any where none may be.
    pub(super) fn fast_exact_gemm(
        &self,
        a: &Tensor<3>,
        b: &Tensor<3>,
        mode: Mode,
        out: &mut TensorMut<3>,
        numbers: Range<usize>,
        infinities: bool,
    ) -> Result<bool, Error> {
        let (module, gpu) = (self.module(), self.module().gpu());
        if self.exact_at_once(a, b, mode, out).is_none() {
            return Ok(false);
        }
        let plan = self.exact_plan(a, b, mode, out);
        let plan = plan.part(numbers.start, numbers.len());
        let Some(mut small) = module.scratch(SMALL, plan.small()) else {
            return Ok(false);
        };
        let Some(found) = small.as_mut() else {
            return Ok(false);
        };
        gpu.clear(&mut ViewMut {
            len: plan.small(),
            ..found.view_mut()
        })?;
        let first = module.address(&found.view());
        let found = View {
            data: &found.data,
            ty: Type::U32,
            start: 0,
            len: plan.found(),
        };
        self.launch_all(plan.find(first))?;
        let choice = plan.choose(&gpu.download_bits(&found)?);
        let most = if infinities { plan.infinite() } else { 0 };
        let bytes = plan.large(choice);
        let Some(bytes) = bytes.filter(|_| choice.infinite <= most) else {
            return Ok(false);
        };
        let Some(large) = module.scratch(LARGE, bytes) else {
            return Ok(false);
        };
        let second = large
            .as_ref()
            .map_or(0, |large| module.address(&large.view()));
        self.launch_all(plan.multiply(choice, first, second))?;
        drop((small, large));
        Ok(true)
    }

    /// Launches one after the other, which there are: the caller has checked the formats.
    pub(super) fn launch_all(&self, launches: Option<Vec<Launch>>) -> Result<(), Error> {
        let launches = launches.ok_or_else(|| mismatch("formats", "no entry has them".into()))?;
        launches.iter().try_for_each(|launch| self.launch(launch))
    }

    /// The same of one launch.
    pub(super) fn launch_planned(&self, launch: Option<Launch>) -> Result<(), Error> {
        self.launch_all(launch.map(|launch| vec![launch]))
    }
}
