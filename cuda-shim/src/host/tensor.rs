//! Tensors on the device: `slice_scatter`, its gradients and sums along a dim, as in
//! [`bitexact::tensor`], with the same layouts, the same checks and the same bits.

use super::buffer::{View, ViewMut};
use super::error::Error;
use super::gpu::Gpu;
use super::module::Module;
use super::scatter_packs::{PACK, Source};
use super::types::Type;
use crate::abi::{self, Lanes, RANK, Scatter};
use crate::composite::scatter::AT_ONCE;
use crate::tile::WARP;
use bitexact::Mode;
use bitexact::reduce::{self, Order};
use bitexact::tensor::{Layout, Slice, TensorError};
use gpu_plans::tensors::definition;
use gpu_plans::{Work, format_number, layers, result_number, rows, sums};

/// A read-only strided view of rank `N`, at most 4, as
/// [`bitexact::tensor::View`](bitexact::tensor::View).
#[derive(Clone, Copy, Debug)]
pub struct Tensor<'a, const N: usize> {
    data: View<'a>,
    layout: Layout<N>,
}

/// A strided view to write to, in which no two coordinates share an element, as
/// [`bitexact::tensor::ViewMut`](bitexact::tensor::ViewMut).
#[derive(Debug)]
pub struct TensorMut<'a, const N: usize> {
    data: ViewMut<'a>,
    layout: Layout<N>,
}

impl<'a, const N: usize> Tensor<'a, N> {
    /// The element at coordinate `c` is element `offset + sum(c[d] * strides[d])` of `data`.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`]: see [`bitexact::tensor::View::new`].
    pub fn new(
        data: View<'a>,
        shape: [usize; N],
        strides: [isize; N],
        offset: usize,
    ) -> Result<Self, Error> {
        let layout = Layout::new(shape, strides, offset, data.len).map_err(Error::Tensor)?;
        Ok(Self { data, layout })
    }

    /// All of `data` in row-major order.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`]: see [`bitexact::tensor::View::contiguous`].
    pub fn contiguous(data: View<'a>, shape: [usize; N]) -> Result<Self, Error> {
        let layout = Layout::contiguous(shape, data.len).map_err(Error::Tensor)?;
        Ok(Self { data, layout })
    }

    /// `dim`, of length 1, repeated by stride 0: see [`bitexact::tensor::View::expand`].
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`].
    pub fn expand(&self, dim: usize, length: usize) -> Result<Self, Error> {
        let layout = self.layout.expand(dim, length).map_err(Error::Tensor)?;
        Ok(Self { layout, ..*self })
    }

    /// The length of every dim.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.layout.shape()
    }
}

impl<'a, const N: usize> TensorMut<'a, N> {
    /// As [`Tensor::new`], and no two coordinates may share an element.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`]: see [`bitexact::tensor::ViewMut::new`].
    pub fn new(
        data: ViewMut<'a>,
        shape: [usize; N],
        strides: [isize; N],
        offset: usize,
    ) -> Result<Self, Error> {
        let layout = Layout::new(shape, strides, offset, data.len).map_err(Error::Tensor)?;
        layout.check_no_alias().map_err(Error::Tensor)?;
        Ok(Self { data, layout })
    }

    /// All of `data` in row-major order.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`]: see [`bitexact::tensor::ViewMut::contiguous`].
    pub fn contiguous(data: ViewMut<'a>, shape: [usize; N]) -> Result<Self, Error> {
        let layout = Layout::contiguous(shape, data.len).map_err(Error::Tensor)?;
        Ok(Self { data, layout })
    }

    /// The length of every dim.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.layout.shape()
    }
}

impl<const N: usize> Tensor<'_, N> {
    pub(super) const fn view(&self) -> &View<'_> {
        &self.data
    }

    pub(super) fn strides(&self) -> [isize; N] {
        self.layout.strides()
    }

    /// The position of the element at coordinate 0.
    pub(super) fn address(&self, module: &Module) -> u64 {
        at(module.address(&self.data), &self.layout, self.data.ty)
    }
}

impl<const N: usize> TensorMut<'_, N> {
    pub(super) const fn view(&self) -> &ViewMut<'_> {
        &self.data
    }

    pub(super) fn strides(&self) -> [isize; N] {
        self.layout.strides()
    }

    /// The position of the element at coordinate 0.
    pub(super) fn address(&mut self, module: &Module) -> u64 {
        at(
            module.address_mut(&mut self.data),
            &self.layout,
            self.data.ty,
        )
    }
}

impl<'a> Tensor<'a, 1> {
    /// The same elements as a column.
    pub(super) fn column(&self) -> Result<Tensor<'a, 2>, Error> {
        let ([n], [stride]) = (self.shape(), self.strides());
        Tensor::new(self.data, [n, 1], [stride, 0], self.layout.offset())
    }
}

impl TensorMut<'_, 1> {
    /// The same elements as a column.
    pub(super) fn column(&mut self) -> Result<TensorMut<'_, 2>, Error> {
        let ([n], [stride]) = (self.shape(), self.strides());
        let offset = self.layout.offset();
        TensorMut::new(self.data.reborrow(), [n, 1], [stride, 0], offset)
    }
}

impl<'a> Tensor<'a, 2> {
    /// A batch of this matrix alone.
    pub(super) fn batch_of_one(&self) -> Result<Tensor<'a, 3>, Error> {
        let ([m, n], [down, across]) = (self.shape(), self.strides());
        Tensor::new(
            self.data,
            [1, m, n],
            [0, down, across],
            self.layout.offset(),
        )
    }
}

impl TensorMut<'_, 2> {
    /// A batch of this matrix alone.
    pub(super) fn batch_of_one(&mut self) -> Result<TensorMut<'_, 3>, Error> {
        let ([m, n], [down, across]) = (self.shape(), self.strides());
        let offset = self.layout.offset();
        TensorMut::new(self.data.reborrow(), [1, m, n], [0, down, across], offset)
    }
}

impl<'a> Tensor<'a, 3> {
    /// The matrix of this number.
    pub(super) fn matrix(&self, number: usize) -> Result<Tensor<'a, 2>, Error> {
        let ([_, m, n], [far, down, across]) = (self.shape(), self.strides());
        let ahead = number.wrapping_mul(far as usize);
        let offset = self.layout.offset().wrapping_add(ahead);
        Tensor::new(self.data, [m, n], [down, across], offset)
    }
}

impl TensorMut<'_, 3> {
    /// The matrix of this number.
    pub(super) fn matrix(&mut self, number: usize) -> Result<TensorMut<'_, 2>, Error> {
        let ([_, m, n], [far, down, across]) = (self.shape(), self.strides());
        let ahead = number.wrapping_mul(far as usize);
        let offset = self.layout.offset().wrapping_add(ahead);
        TensorMut::new(self.data.reborrow(), [m, n], [down, across], offset)
    }
}

/// The address of the element at coordinate 0, from that of the data's first element.
fn at<const N: usize>(address: u64, layout: &Layout<N>, ty: Type) -> u64 {
    address.wrapping_add((layout.offset() as u64).wrapping_mul(ty.bytes() as u64))
}

/// Dims of length 1 are added in front.
fn four<T: Copy, const N: usize>(values: [T; N], one: T) -> Result<[T; RANK], Error> {
    let mut all = [one; RANK];
    let first = RANK.checked_sub(N).ok_or_else(|| Error::Mismatch {
        what: "tensor".into(),
        why: format!("its rank is {N}, at most {RANK} is possible on the device"),
    })?;
    all[first..].copy_from_slice(&values);
    Ok(all)
}

fn shape<const N: usize>(shape: [usize; N]) -> Result<[u64; RANK], Error> {
    four(shape.map(|length| length as u64), 1)
}

fn strides<const N: usize>(strides: [isize; N]) -> Result<[i64; RANK], Error> {
    four(strides.map(|stride| stride as i64), 0)
}

pub(super) fn same_shape<const N: usize>(
    which: &'static str,
    found: [usize; N],
    expected: [usize; N],
) -> Result<(), TensorError> {
    for (dim, (found, expected)) in found.into_iter().zip(expected).enumerate() {
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

/// The elements of a shape; a view's count of them fits a `usize`, as the view was made.
fn count<const N: usize>(shape: [usize; N]) -> usize {
    shape.iter().fold(1, |n, length| n.saturating_mul(*length))
}

impl Module {
    /// `out = x`, then `out[slice along dim] = src`: see [`bitexact::tensor::slice_scatter`].
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`] as there, [`Error::Mismatch`] if types, devices or the rank do not fit, or
    /// the driver's error. Nothing is written then.
    pub fn slice_scatter<const N: usize>(
        &self,
        x: &Tensor<N>,
        src: &Tensor<N>,
        dim: usize,
        slice: Slice,
        out: &mut TensorMut<N>,
    ) -> Result<(), Error> {
        let part = x.layout.slice(dim, slice).map_err(Error::Tensor)?.shape();
        same_shape("src", src.shape(), part).map_err(Error::Tensor)?;
        same_shape("out", out.shape(), x.shape()).map_err(Error::Tensor)?;
        let within = Within {
            dim,
            slice,
            count: part.get(dim).copied().unwrap_or(0),
        };
        self.scatter(x, (src.data, Source::Layout), &src.layout, within, out)
    }

    /// Both gradients of [`Module::slice_scatter`]: see
    /// [`bitexact::tensor::slice_scatter_backward`].
    ///
    /// # Errors
    ///
    /// As there; neither gradient is written then.
    pub fn slice_scatter_backward<const N: usize>(
        &self,
        grad: &Tensor<N>,
        dim: usize,
        slice: Slice,
        grad_x: &mut TensorMut<N>,
        grad_src: &mut TensorMut<N>,
    ) -> Result<(), Error> {
        let part = grad
            .layout
            .slice(dim, slice)
            .map_err(Error::Tensor)?
            .shape();
        same_shape("grad_src", grad_src.shape(), part).map_err(Error::Tensor)?;
        self.fits("grad_src", grad.data.ty, &grad_src.data)?;
        self.slice_scatter_backward_input(grad, dim, slice, grad_x)?;
        self.slice_scatter_backward_src(grad, dim, slice, grad_src)
    }

    /// The gradient for `x`: +0 where the coordinate along `dim` is in the slice, `grad`
    /// elsewhere; see [`bitexact::tensor::slice_scatter_backward_input`].
    ///
    /// # Errors
    ///
    /// As [`Module::slice_scatter`].
    pub fn slice_scatter_backward_input<const N: usize>(
        &self,
        grad: &Tensor<N>,
        dim: usize,
        slice: Slice,
        grad_x: &mut TensorMut<N>,
    ) -> Result<(), Error> {
        let part = grad
            .layout
            .slice(dim, slice)
            .map_err(Error::Tensor)?
            .shape();
        same_shape("grad_x", grad_x.shape(), grad.shape()).map_err(Error::Tensor)?;
        let zero = self
            .gpu()
            .zeros_of(grad.data.ty, PACK / grad.data.ty.bytes())?;
        // One element for all coordinates.
        let everywhere = Layout::new(part, [0; N], 0, 1).map_err(Error::Tensor)?;
        let within = Within {
            dim,
            slice,
            count: part.get(dim).copied().unwrap_or(0),
        };
        let zero = (zero.view(), Source::Constant);
        self.scatter(grad, zero, &everywhere, within, grad_x)
    }

    /// The gradient for `src`: the slice of `grad`; see
    /// [`bitexact::tensor::slice_scatter_backward_src`].
    ///
    /// # Errors
    ///
    /// As [`Module::slice_scatter`].
    pub fn slice_scatter_backward_src<const N: usize>(
        &self,
        grad: &Tensor<N>,
        dim: usize,
        slice: Slice,
        grad_src: &mut TensorMut<N>,
    ) -> Result<(), Error> {
        let layout = grad.layout.slice(dim, slice).map_err(Error::Tensor)?;
        same_shape("grad_src", grad_src.shape(), layout.shape()).map_err(Error::Tensor)?;
        let part = Tensor { layout, ..*grad };
        let nothing = Within {
            dim,
            slice: Slice::new(0, 0),
            count: 0,
        };
        let part_of = (part.data, Source::Layout);
        self.scatter(&part, part_of, &part.layout, nothing, grad_src)
    }

    pub(super) fn fits(&self, what: &str, ty: Type, out: &ViewMut) -> Result<(), Error> {
        let why = if out.ty != ty {
            format!("{} expected, {} given", ty.name(), out.ty.name())
        } else if !self.gpu().owns(out.data) {
            "it is on another device".into()
        } else {
            return Ok(());
        };
        let what = what.into();
        Err(Error::Mismatch { what, why })
    }

    pub(super) fn readable(&self, what: &str, ty: Type, x: &View) -> Result<(), Error> {
        let why = if x.ty != ty {
            format!("{} expected, {} given", ty.name(), x.ty.name())
        } else if !self.gpu().owns(x.data) {
            "it is on another device".into()
        } else {
            return Ok(());
        };
        let what = what.into();
        Err(Error::Mismatch { what, why })
    }

    fn scatter<const N: usize>(
        &self,
        x: &Tensor<N>,
        (src, source): (View, Source),
        src_layout: &Layout<N>,
        within: Within,
        out: &mut TensorMut<N>,
    ) -> Result<(), Error> {
        let ty = x.data.ty;
        self.readable("x", ty, &x.data)?;
        self.readable("src", ty, &src)?;
        self.fits("out", ty, &out.data)?;
        let n = count(out.shape());
        let mut src_strides = src_layout.strides();
        let mut along = [0; N];
        let mut src_step = 0;
        if let (Some(stride), Some(one)) =
            (src_strides.get_mut(within.dim), along.get_mut(within.dim))
        {
            src_step = std::mem::take(stride) as i64;
            *one = 1;
        }
        let walk = Scatter {
            shape: shape(out.shape())?,
            x: strides(x.layout.strides())?,
            src: strides(src_strides)?,
            out: strides(out.layout.strides())?,
            along: four(along, 0)?,
            src_step,
            start: within.slice.start as u64,
            step: within.slice.step as u64,
            count: within.count as u64,
        };
        if n == 0 {
            return Ok(());
        }
        let from = at(self.address(&src), src_layout, ty);
        let (x, out) = (x.address(self), out.address(self));
        let is_aligned = |address: u64| address.is_multiple_of(PACK as u64);
        let aligned = is_aligned(x) && is_aligned(out) && (walk.count == 0 || is_aligned(from));
        let each = PACK / ty.bytes();
        let (walk, n, bytes) = match walk.in_packs(each, source) {
            Some(packs) if aligned => (packs, n / each, PACK),
            _ => (walk, n, ty.bytes()),
        };
        if let (Some(rows), PACK) = (walk.in_rows(source), bytes) {
            #[rustfmt::skip]
            let launch = definition::SliceScatterRows {
                x, src: from, out, n: n as u32, row: rows.row as u32, start: rows.start as u32,
                count: rows.count as u32, x_row: rows.x_row as isize,
                src_row: rows.src_row as isize,
                src_step: rows.src_step as u32,
            };
            let work = Work::Items(n.div_ceil(AT_ONCE));
            return self
                .composites()
                .launch_planned(launch.launch(None, (), work));
        }
        let walk = self.gpu().upload_bits(Type::U64, &walk.words())?;
        let walk = self.address(&walk.view());
        #[rustfmt::skip]
        let launch = definition::SliceScatter {
            bytes: bytes as u32, x, src: from, out, n, walk,
        };
        self.composites()
            .launch_planned(launch.launch(None, (), Work::Items(n)))
    }

    /// `out[c]` = the sum of the lane of `x` along `dim` through `c`, in the order of the
    /// coordinate along `dim` and in the format of `out`; the status of every lane, in row-major
    /// order, into `flags`: see [`bitexact::tensor::sum_dim`]. A sum of a slice is one of rank 1.
    ///
    /// The formats: f16, bf16 or f32 in their own format, f16 and bf16 also in f32.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`] as there, [`Error::Mismatch`] if types, devices, the rank or the number of
    /// flags do not fit, or the driver's error. Nothing is written then.
    pub fn sum_dim<const N: usize>(
        &self,
        x: &Tensor<N>,
        dim: usize,
        order: Order,
        mode: Mode,
        out: &mut TensorMut<N>,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        let fail = |what: &str, why: String| Error::Mismatch {
            what: what.into(),
            why,
        };
        let mut lanes = x.shape();
        let rank = TensorError::DimOutOfRange { dim, rank: N };
        let len = std::mem::replace(lanes.get_mut(dim).ok_or(rank).map_err(Error::Tensor)?, 1);
        same_shape("out", out.shape(), lanes).map_err(Error::Tensor)?;
        let (from, to) = (x.data.ty, out.data.ty);
        let narrow = matches!(from, Type::F16 | Type::Bf16);
        if !(from == to && (narrow || from == Type::F32) || narrow && to == Type::F32) {
            let (from, to) = (from.name(), to.name());
            return Err(fail("sum_dim", format!("{from} is not summed in {to}")));
        }
        let code = abi::encode_order(order)
            .ok_or_else(|| fail("order", format!("{order:?} is not known here")))?;
        self.readable("x", from, &x.data)?;
        self.fits("out", to, &out.data)?;
        let n = count(lanes);
        if let Some(flags) = &flags {
            self.fits("flags", Type::U8, flags)?;
            if flags.len != n {
                return Err(fail("flags", format!("{n} expected, {} given", flags.len)));
            }
        }
        let walk = Lanes {
            shape: shape(lanes)?,
            x: strides(x.layout.strides())?,
            out: strides(out.layout.strides())?,
            len: len as u64,
            step: x.layout.strides().get(dim).map_or(0, |step| *step as i64),
        };
        if n == 0 {
            return Ok(());
        }
        // What lies in row-major order without gaps.
        let (kept, made) = (x.layout.strides(), out.layout.strides());
        let dense = mode == Mode::TIES_TO_EVEN
            && (to, flags.is_none()) == (Type::F32, true)
            && u32::try_from(len).is_ok()
            && is_dense(x.shape(), kept)
            && is_dense(lanes, made);
        // Rows that lie one after the other: a warp a row.
        if dense && order == Order::Lanes(LANES) && dim + 1 == N {
            let launch = rows::LaneSums {
                x: x.address(self),
                length: len as u32,
                rows: n,
                out: out.address(self),
            };
            let work = Work::Blocks(n.div_ceil(rows::THREADS / WARP));
            if let Some(launch) = launch.launch(from, (), work) {
                return self.composites().launch(&launch);
            }
        }
        // Long columns: a lane a column, and a block loads those of a warp.
        let columns = lanes.iter().skip(dim + 1).product::<usize>();
        let row = columns * from.bytes();
        let whole = row.is_multiple_of(PACK) && x.address(self).is_multiple_of(PACK as u64);
        let small = [n, len].iter().all(|size| *size < 1 << 31);
        let long = len >= LONG && columns >= WARP;
        if dense && order == Order::Sequential && whole && small && long {
            #[rustfmt::skip]
            let launch = layers::Columns {
                x: x.address(self), parts: (n / columns) as u32, length: len as u32,
                columns: columns as u32, out: out.address(self),
            };
            let work = Work::Blocks(n / columns * columns.div_ceil(WARP));
            if let Some(launch) = launch.launch(from, (), work) {
                return self.composites().launch(&launch);
            }
        }
        let walk = self.gpu().upload_bits(Type::U64, &walk.words())?;
        #[rustfmt::skip]
        let launch = sums::definition::SumLanes {
            from: format_number(from).unwrap_or(0), to: result_number(to).unwrap_or(0),
            x: x.address(self), out: out.address(self),
            flags: flags.as_mut().map_or(0, |flags| self.address_mut(flags)), n,
            walk: self.address(&walk.view()), order: code, mode: abi::encode_mode(mode),
        };
        self.composites()
            .launch_planned(launch.launch(None, (), Work::Items(n)))
    }
}

/// Shorter columns are left to a thread each.
const LONG: usize = 64;

/// Lanes that warps compute.
const LANES: reduce::Lanes = match reduce::Lanes::new(WARP) {
    Some(lanes) => lanes,
    None => panic!("a warp has 32 threads"),
};

/// Whether the elements lie in row-major order without gaps. The stride of a dim of length 1 has no
/// meaning.
fn is_dense<const N: usize>(shape: [usize; N], strides: [isize; N]) -> bool {
    let mut due = 1usize;
    shape.iter().zip(&strides).rev().all(|(length, stride)| {
        let dense = *length < 2 || isize::try_from(due) == Ok(*stride);
        due = due.saturating_mul(*length);
        dense
    })
}

/// A slice with the number of its coordinates.
#[derive(Clone, Copy)]
struct Within {
    dim: usize,
    slice: Slice,
    count: usize,
}

impl Gpu {
    fn owns(&self, data: &cudarc::driver::CudaSlice<u8>) -> bool {
        data.context() == &self.context
    }
}
