//! Products of matrices in the order of a matrix unit: by the device's own tensor cores if they
//! have the unit, else by its definition in integers.

use super::composites::{Composites, matrices, mismatch};
use super::error::Error;
use super::module::LARGE;
use super::tensor::{Tensor, TensorMut};
use super::types::Type;
use bitexact::Mode;
use bitexact::format::{Binary32, E4M3FN, E5M2};
use bitexact::reduce::Unit;
use bitexact::tensor::TensorError;
use bitexact::{bf16, f16};
use gpu_plans::unit::{Probe, Product, encode};

impl Composites<'_> {
    /// Products of a batch of matrices whose shapes and types have been checked. There are no
    /// flags.
    pub(super) fn unit_gemm(
        &self,
        unit: &Unit,
        a: &Tensor<3>,
        b: &Tensor<3>,
        mode: Mode,
        out: &mut TensorMut<3>,
    ) -> Result<(), Error> {
        let (ty, to, module) = (a.view().ty, out.view().ty, self.module());
        takes(unit, ty)?;
        if self.by_tensor_cores(unit, a, b, out)? {
            return Ok(());
        }
        let ([batch, m, k], [.., n]) = (a.shape(), b.shape());
        let strides = [a.strides(), b.strides(), out.strides()];
        let walk = self.walk(strides.map(|[_, row, column]| [row, column]), [m, k, n])?;
        let walk = module.address(&walk.view());
        for number in 0..batch {
            let (a, b) = (a.matrix(number)?, b.matrix(number)?);
            let product = plan(self, unit, &a.batch_of_one()?, &b.batch_of_one()?);
            let out = out.matrix(number)?.address(module);
            self.launch_planned(product.define(out, to, walk, mode))?;
        }
        Ok(())
    }

    /// Whether the products were launched on the tensor cores.
    fn by_tensor_cores(
        &self,
        unit: &Unit,
        a: &Tensor<3>,
        b: &Tensor<3>,
        out: &mut TensorMut<3>,
    ) -> Result<bool, Error> {
        let (module, product) = (self.module(), plan(self, unit, a, b));
        let possible = out.view().ty == Type::F32 && self.on_tensor_cores();
        let Some(bytes) = product.memory().filter(|_| possible) else {
            return Ok(false);
        };
        if !self.has_unit(unit, product.ty)? {
            return Ok(false);
        }
        let Some(memory) = module.scratch(LARGE, bytes) else {
            return Ok(false);
        };
        let address = memory
            .as_ref()
            .map_or(0, |memory| module.address(&memory.view()));
        let to = matrices(out.address(module), out.strides());
        self.launch_all(product.launches(address, to))?;
        drop(memory);
        Ok(true)
    }

    /// Compares so many instructions of this device's tensor cores (sm_80 and later), each of 128
    /// results, with the steps of Hopper's unit for bf16, f16 or f32 (as TF32), from number `first`
    /// on.
    ///
    /// `data` is the kind of operands and accumulators: 0 any bits, 1 about 1, 2 cancelling, 3 zeros
    /// and small numbers beside huge ones, 4 subnormal, 5 near overflow, 6 of any exponents, 7
    /// tiny, so that products are about f32's least numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] for another format, or the driver's error.
    pub fn check_steps(
        &self,
        ty: Type,
        data: u32,
        first: u64,
        count: u64,
    ) -> Result<StepCounts, Error> {
        let (module, gpu) = (self.module(), self.module().gpu());
        let mut found = gpu.zeros_of(Type::U64, 6)?;
        let address = module.address_mut(&mut found.view_mut());
        self.launch_planned(gpu_plans::unit::check(ty, data, first, count, address))?;
        match gpu.download_bits(&found.view())?[..] {
            [different, nan, infinite, zero, subnormal, normal] => Ok(StepCounts {
                different,
                kinds: [nan, infinite, zero, subnormal, normal],
            }),
            _ => Err(mismatch("counts", "six words".into())),
        }
    }

    /// Whether this device's tensor cores have the unit for operands of a format: they give what the
    /// definition gives of operands on which units differ, which is tried at the first call. Only
    /// f16, bf16 and f32 (as TF32), with sums in f32, are tried.
    ///
    /// Products in the order of such a unit run on the tensor cores ([`Composites::gemm`]), all
    /// others by the definition in integers, with the same bits.
    ///
    /// # Errors
    ///
    /// [`Error::Recording`] at the first call, or the driver's error.
    pub fn has_unit(&self, unit: &Unit, ty: Type) -> Result<bool, Error> {
        let (module, gpu) = (self.module(), self.module().gpu());
        let key = format!("unit {} {:?}", ty.name(), encode(unit));
        if let Some(found) = module.proofs().get(&key) {
            return Ok(*found);
        }
        let Some(probe) = Probe::new(ty, unit).filter(|_| self.on_tensor_cores()) else {
            return Ok(false);
        };
        gpu.not_recording("the device's matrix unit is tried")?;
        let [m, n, k] = Probe::SIZES;
        let strides = |columns: usize| [0, columns as isize, 1];
        let x = gpu.upload_bits(ty, &probe.a)?;
        let y = gpu.upload_bits(ty, &probe.b)?;
        let mut result = gpu.zeros_of(Type::F32, m * n)?;
        let a = Tensor::new(x.view(), [1, m, k], strides(k), 0)?;
        let b = Tensor::new(y.view(), [1, k, n], strides(n), 0)?;
        let product = plan(self, unit, &a, &b);
        let Some(bytes) = product.memory() else {
            return Ok(false);
        };
        let scratch = gpu.zeros_of(Type::U8, bytes.max(16))?;
        let address = module.address(&scratch.view());
        let mut out = TensorMut::new(result.view_mut(), [1, m, n], strides(n), 0)?;
        let to = matrices(out.address(module), out.strides());
        self.launch_all(product.launches(address, to))?;
        let made = gpu.download_bits(&result.view())?;
        let equal = made.into_iter().eq(probe.due.into_iter().map(u64::from));
        module.proofs().insert(key, equal);
        Ok(equal)
    }
}

/// What [`Composites::check_steps`] has counted of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepCounts {
    /// Those that are not the unit's.
    pub different: u64,
    /// By kind: NaN, infinite, zero, subnormal, normal.
    pub kinds: [u64; 5],
}

fn plan(on: &Composites<'_>, unit: &Unit, a: &Tensor<3>, b: &Tensor<3>) -> Product {
    let ([batch, m, k], [.., n]) = (a.shape(), b.shape());
    Product {
        ty: a.view().ty,
        sizes: [batch, m, n, k],
        a: matrices(a.address(on.module()), a.strides()),
        b: matrices(b.address(on.module()), b.strides()),
        unit: *unit,
    }
}

/// As the kernels: an error for operands of a format that the unit does not take.
fn takes(unit: &Unit, ty: Type) -> Result<(), Error> {
    let takes = match ty {
        Type::F16 => unit.takes::<f16>(),
        Type::Bf16 => unit.takes::<bf16>(),
        Type::F32 => unit.takes::<Binary32>(),
        Type::E4m3fn => unit.takes::<E4M3FN>(),
        Type::E5m2 => unit.takes::<E5M2>(),
        _ => return Err(mismatch("gemm", format!("no unit takes {}", ty.name()))),
    };
    let format = ty.name();
    takes
        .then_some(())
        .ok_or(Error::Tensor(TensorError::OperandsTooWide { format }))
}
