//! The composites over device buffers: exact sums, products, rows. The same kernels, the same
//! checks and the same bits as on the host, for any launch configuration.

use super::buffer::{Buffer, View, ViewMut};
use super::error::Error;
use super::module::{Module, SMALL};
use super::tensor::{Tensor, TensorMut};
use super::types::Type;
use crate::abi::{self, Product, SLOTS};
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::reduce::{Accumulator, Order, ReduceError};
use bitexact::tensor::Accumulation;
use bitexact::{Mode, bf16, f16};
use gpu_plans::{Launch, Matrices, Work, gemm, rows, sums};

/// The composites of a module: see [`Module::composites`].
#[derive(Clone, Copy, Debug)]
pub struct Composites<'a> {
    module: &'a Module,
    grid: Grid,
}

/// Of what shape grids are, and of which entries.
#[derive(Clone, Copy, Debug)]
enum Grid {
    /// As large as the work and the device, of the fastest entries.
    Best,
    /// The same entries, in so many blocks.
    Blocks(u32),
    /// Of the definition's entries, as large as the work and the device, or of so many blocks of so
    /// many threads.
    Definition(Option<[u32; 2]>),
}

impl Module {
    /// Sums, products, blocks and layers on this module's device.
    #[must_use]
    pub const fn composites(&self) -> Composites<'_> {
        Composites {
            module: self,
            grid: Grid::Best,
        }
    }
}

impl<'a> Composites<'a> {
    /// The same by the definition's entries alone, whose integer arithmetic nothing stands in for.
    #[must_use]
    pub const fn by_definition(self) -> Self {
        let grid = Grid::Definition(None);
        Self { grid, ..self }
    }

    /// The same by the definition's entries in grids of this many blocks and threads, to check that
    /// results do not depend on it. A block has at most 1,024 threads, and fewer where an entry
    /// needs many registers: the driver rejects a block that does not fit. By default a grid is as
    /// large as the work and the device.
    #[must_use]
    pub const fn in_grid(self, blocks: u32, threads: u32) -> Self {
        let grid = Grid::Definition(Some([blocks, threads]));
        Self { grid, ..self }
    }

    /// The same with so many blocks in the grids of the fast entries, whose blocks have their own
    /// numbers of threads.
    #[must_use]
    pub const fn in_blocks(self, blocks: u32) -> Self {
        let grid = Grid::Blocks(blocks);
        Self { grid, ..self }
    }

    /// Whether fast entries may be taken.
    pub(super) const fn fast(&self) -> bool {
        !matches!(self.grid, Grid::Definition(_))
    }

    /// The blocks that run at once, about: results that are too few to fill as many take smaller
    /// ones.
    pub(super) fn at_once(&self) -> usize {
        match self.grid {
            Grid::Blocks(blocks) => blocks as usize,
            _ => self.module.gpu().processors() as usize,
        }
    }

    /// The module.
    #[must_use]
    pub const fn module(&self) -> &'a Module {
        self.module
    }

    /// Launches what a plan says. The callers have checked its addresses, as for [`Module::run`].
    pub(super) fn launch(&self, launch: &Launch) -> Result<(), Error> {
        let function = self.module.entry(launch.entry)?;
        let (mut threads, processors) = (launch.threads(), self.module.gpu().processors());
        let blocks = launch.blocks(processors as usize);
        let blocks = match (launch.work, self.grid) {
            (Work::Blocks(_), Grid::Blocks(0)) => return Err(mismatch("grid", "no blocks".into())),
            (Work::Blocks(_), Grid::Blocks(most)) => blocks.min(most as usize),
            (Work::Items(1..), Grid::Definition(Some(grid))) => {
                let given;
                [given, threads] = Self::grid(grid)?;
                given
            }
            _ => blocks,
        };
        let parameters = launch.parameters();
        self.module
            .run_blocks(&function, parameters, blocks, threads, launch.memory)
    }

    /// Blocks and threads that a caller has asked for.
    fn grid([blocks, threads]: [u32; 2]) -> Result<[usize; 2], Error> {
        if blocks == 0 || !(1..=1024).contains(&threads) {
            let why = format!("{blocks} blocks of {threads} threads");
            return Err(mismatch("grid", why));
        }
        Ok([blocks as usize, threads as usize])
    }

    /// Launches a plan if there is one, and fast entries may be taken; returns whether it did.
    pub(super) fn launch_fast(&self, plan: Option<Launch>) -> Result<bool, Error> {
        match plan.filter(|_| self.fast()) {
            Some(launch) => self.launch(&launch).map(|()| true),
            None => Ok(false),
        }
    }

    pub(super) fn readable(
        &self,
        what: &'static str,
        types: &[Type],
        x: &View,
    ) -> Result<(), Error> {
        expect_type(what, types, x.ty)?;
        self.module.readable(what, x.ty, x)
    }

    pub(super) fn writable(
        &self,
        what: &'static str,
        types: &[Type],
        out: &ViewMut,
    ) -> Result<(), Error> {
        expect_type(what, types, out.ty)?;
        self.module.fits(what, out.ty, out)
    }

    /// The address of flags, of which there must be this many; 0 if none are requested.
    pub(super) fn flags(&self, flags: Option<&mut ViewMut>, due: usize) -> Result<u64, Error> {
        let Some(flags) = flags else { return Ok(0) };
        self.writable("flags", &[Type::U8], flags)?;
        expect_length("flags", due, flags.len())?;
        Ok(self.module.address_mut(flags))
    }

    /// The sum of all elements of any format of up to 32 bits, exact and rounded once to the format
    /// of `out` (f16, bf16 or f32), which has one element; `flags`, one byte, gets its status. See
    /// [`bitexact::reduce::sum_exact`].
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] for types, lengths and devices, and nothing is written then; or the
    /// driver's error.
    pub fn sum_exact(
        &self,
        x: &View,
        mode: Mode,
        out: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.readable("x", sums::SUMMED, x)?;
        self.exact([x, x], false, mode, out, flags)
    }

    /// The dot product of two slices of one format, exact and rounded once. See
    /// [`bitexact::reduce::dot_exact`].
    ///
    /// # Errors
    ///
    /// As [`Composites::sum_exact`]; [`Error::Reduce`] for slices of different lengths.
    pub fn dot_exact(
        &self,
        a: &View,
        b: &View,
        mode: Mode,
        out: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.readable("a", sums::SUMMED, a)?;
        self.readable("b", &[a.ty], b)?;
        if a.len != b.len {
            let (expected, found) = (a.len, b.len);
            return Err(Error::Reduce(ReduceError::LengthMismatch {
                expected,
                found,
            }));
        }
        self.exact([a, b], true, mode, out, flags)
    }

    /// An exact sum, or dot product: by one launch, or as the definition has it.
    fn exact(
        &self,
        [a, b]: [&View; 2],
        products: bool,
        mode: Mode,
        out: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.writable("out", FAST, out)?;
        expect_length("out", 1, out.len())?;
        let [left, right] = [a, b].map(|view| self.module.address(view));
        let mut plan = sums::Exact {
            ty: a.ty,
            a: left,
            b: products.then_some(right),
            n: a.len(),
            slots: self.module.slots(),
            out: self.module.address_mut(out),
            to: out.ty,
            flags: self.flags(flags.as_mut(), 1)?,
            mode: abi::encode_mode(mode),
            processors: self.module.gpu().processors() as usize,
        };
        let alike = left % 16 == right % 16;
        if self.launch_fast(plan.launch().filter(|_| alike))? {
            return Ok(());
        }
        let length = accumulator_words(a.ty);
        let mut slots = self.module.gpu().zeros_of(Type::U64, SLOTS * length)?;
        plan.slots = self.module.address_mut(&mut slots.view_mut());
        self.launch_all(plan.definition())
    }

    /// The product of two matrices in the format of `out`, its sums exact or in a declared order;
    /// each element's status, in row-major order, into `flags`. See [`bitexact::tensor::gemm`].
    ///
    /// The formats: f16, bf16 or f32 in their own format; f16, bf16, E4M3FN and E5M2 also in f32.
    ///
    /// # Errors
    ///
    /// [`Error::Tensor`] as there, [`Error::Mismatch`] for types, devices and flags, and nothing is
    /// written then; or the driver's error.
    pub fn gemm(
        &self,
        a: &Tensor<2>,
        b: &Tensor<2>,
        how: Accumulation,
        mode: Mode,
        out: &mut TensorMut<2>,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        let ([m, k], [_, n]) = (a.shape(), b.shape());
        super::tensor::same_shape("b", b.shape(), [k, n]).map_err(Error::Tensor)?;
        super::tensor::same_shape("out", out.shape(), [m, n]).map_err(Error::Tensor)?;
        let to = self.multiplied_in(a.view(), b.view(), out.view())?;
        let flags = self.flags(flags.as_mut(), m * n)?;
        let (left, right) = (a.batch_of_one()?, b.batch_of_one()?);
        if let Accumulation::Declared(Order::Unit(unit)) = how {
            no_flags(flags != 0)?;
            return self.unit_gemm(&unit, &left, &right, mode, &mut out.batch_of_one()?);
        }
        if flags == 0 {
            let to = &mut out.batch_of_one()?;
            let exact = how == Accumulation::Exact;
            if self.fast_gemm(&left, &right, how, mode, to)?
                || exact && self.fast_exact_gemm(&left, &right, mode, to, 0..1, true)?
            {
                return Ok(());
            }
        }
        let walk = self.walk([a.strides(), b.strides(), out.strides()], [m, k, n])?;
        let walk = self.module.address(&walk.view());
        let out = out.address(self.module);
        let product = self.product(&left, &right, how, mode);
        self.launch_planned(product.define(out, to, flags, walk, accumulation_code(how)?))
    }

    /// The sizes and the strides of both operands and the result of a product, on the device.
    pub(super) fn walk(
        &self,
        strides: [[isize; 2]; 3],
        shape: [usize; 3],
    ) -> Result<Buffer, Error> {
        let [a, b, out] = strides.map(|strides| strides.map(|stride| stride as i64));
        let shape = shape.map(|length| length as u64);
        let walk = Product { shape, a, b, out };
        let gpu = self.module.gpu();
        gpu.upload_bits(Type::U64, &walk.words())
    }

    /// The plan of products with sums in f32.
    pub(super) fn product(
        &self,
        a: &Tensor<3>,
        b: &Tensor<3>,
        how: Accumulation,
        mode: Mode,
    ) -> gemm::Product {
        let ([batch, m, k], [.., n]) = (a.shape(), b.shape());
        gemm::Product {
            ty: a.view().ty,
            sizes: [batch, m, n, k],
            a: matrices(a.address(self.module), a.strides()),
            b: matrices(b.address(self.module), b.strides()),
            how,
            mode,
        }
    }

    /// Launches the tiled entry if there is one for these products, whose flags are not requested;
    /// returns whether it did.
    fn fast_gemm(
        &self,
        a: &Tensor<3>,
        b: &Tensor<3>,
        how: Accumulation,
        mode: Mode,
        out: &mut TensorMut<3>,
    ) -> Result<bool, Error> {
        if out.view().ty != Type::F32 {
            return Ok(false);
        }
        let to = matrices(out.address(self.module), out.strides());
        self.launch_fast(self.product(a, b, how, mode).sequential(to))
    }

    /// The format of a product's results, if there is one in it.
    fn multiplied_in(&self, a: &View, b: &View, out: &ViewMut) -> Result<Type, Error> {
        let (from, to) = (a.ty, out.ty);
        let narrow = [Type::F16, Type::Bf16, Type::E4m3fn, Type::E5m2];
        let own = from == to && [Type::F16, Type::Bf16, Type::F32].contains(&from);
        if !(own || narrow.contains(&from) && to == Type::F32) {
            let (from, to) = (from.name(), to.name());
            return Err(mismatch(
                "gemm",
                format!("{from} is not multiplied in {to}"),
            ));
        }
        self.readable("a", &[from], a)?;
        self.readable("b", &[from], b)?;
        self.writable("out", &[to], out)?;
        Ok(to)
    }

    /// The products of a batch of matrices: [`Composites::gemm`] for each coordinate along the
    /// first dim. An operand that is the same for all has stride 0 there ([`Tensor::expand`]). Each
    /// element's status, in row-major order, goes into `flags`.
    ///
    /// Where `gemm` in sequential order has a fast entry, without flags, one launch makes all
    /// products. Exact ones on tensor cores are made as many at once as take half a GiB of memory,
    /// and the device is waited for once for these. All others are launched one after the other.
    ///
    /// # Errors
    ///
    /// As [`Composites::gemm`], whose shapes are here those of rank 3.
    pub fn gemm_batched(
        &self,
        a: &Tensor<3>,
        b: &Tensor<3>,
        how: Accumulation,
        mode: Mode,
        out: &mut TensorMut<3>,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        let ([batch, m, k], [.., n]) = (a.shape(), b.shape());
        super::tensor::same_shape("b", b.shape(), [batch, k, n]).map_err(Error::Tensor)?;
        super::tensor::same_shape("out", out.shape(), [batch, m, n]).map_err(Error::Tensor)?;
        self.multiplied_in(a.view(), b.view(), out.view())?;
        let each = m.saturating_mul(n);
        let flagged = self.flags(flags.as_mut(), batch.saturating_mul(each))? != 0;
        if let Accumulation::Declared(Order::Unit(unit)) = how {
            no_flags(flagged)?;
            return self.unit_gemm(&unit, a, b, mode, out);
        }
        if each == 0 || !flagged && self.fast_gemm(a, b, how, mode, out)? {
            return Ok(());
        }
        let at_once = match how {
            Accumulation::Exact if !flagged => self.exact_at_once(a, b, mode, out),
            _ => None,
        };
        // The numbers of those that are made alone.
        let mut left = Vec::new();
        match at_once.filter(|at_once| *at_once > 1) {
            Some(at_once) => {
                for first in (0..batch).step_by(at_once) {
                    let numbers = first..batch.min(first + at_once);
                    if !self.fast_exact_gemm(a, b, mode, out, numbers.clone(), true)? {
                        left.extend(numbers);
                    }
                }
            }
            None => left.extend(0..batch),
        }
        for number in left {
            let flags = flags.as_mut().map(|flags| ViewMut {
                start: flags.start + number * each,
                len: each,
                ..flags.reborrow()
            });
            let (a, b) = (a.matrix(number)?, b.matrix(number)?);
            self.gemm(&a, &b, how, mode, &mut out.matrix(number)?, flags)?;
        }
        Ok(())
    }

    /// The product of a matrix and a vector: [`Composites::gemm`] with one column.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn gemv(
        &self,
        a: &Tensor<2>,
        x: &Tensor<1>,
        how: Accumulation,
        mode: Mode,
        out: &mut TensorMut<1>,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.gemm(a, &x.column()?, how, mode, &mut out.column()?, flags)
    }

    /// The mean of each row of `length` elements, exact and rounded once: see
    /// [`bitexact::reduce::mean`]. `out` has one element per row, `flags` one byte per row.
    ///
    /// The formats: f16, bf16 or f32 in their own format, f16 and bf16 also in f32.
    ///
    /// # Errors
    ///
    /// [`Error::Reduce`] as there; [`Error::Mismatch`] for types, lengths and devices, and nothing
    /// is written then; or the driver's error.
    pub fn mean_rows(
        &self,
        x: &View,
        length: usize,
        mode: Mode,
        out: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        check_divisor(length, 0)?;
        self.rows("mean", rows::Function::Mean, x, length, mode, out, flags)
    }

    /// The variance of each row, rounded once: see [`bitexact::reduce::variance`].
    ///
    /// # Errors
    ///
    /// As [`Composites::mean_rows`].
    pub fn variance_rows(
        &self,
        x: &View,
        length: usize,
        missing: u32,
        mode: Mode,
        out: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        check_divisor(length, missing)?;
        let root = false;
        let function = rows::Function::Variance { missing, root };
        self.rows("variance", function, x, length, mode, out, flags)
    }

    /// The standard deviation of each row, rounded once: see
    /// [`bitexact::reduce::standard_deviation`].
    ///
    /// # Errors
    ///
    /// As [`Composites::mean_rows`].
    pub fn standard_deviation_rows(
        &self,
        x: &View,
        length: usize,
        missing: u32,
        mode: Mode,
        out: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        check_divisor(length, missing)?;
        let root = true;
        let function = rows::Function::Variance { missing, root };
        self.rows("standard_deviation", function, x, length, mode, out, flags)
    }

    /// The Euclidean norm of each row: see [`bitexact::reduce::norm`].
    ///
    /// # Errors
    ///
    /// As [`Composites::mean_rows`].
    pub fn norm_rows(
        &self,
        x: &View,
        length: usize,
        mode: Mode,
        out: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.rows("norm", rows::Function::Norm, x, length, mode, out, flags)
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "those of a function of rows, and which"
    )]
    fn rows(
        &self,
        what: &'static str,
        function: rows::Function,
        x: &View,
        length: usize,
        mode: Mode,
        out: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.pair(what, x, out)?;
        let rows = out.len();
        expect_length("x", rows.saturating_mul(length), x.len)?;
        let flags = self.flags(flags.as_mut(), rows)?;
        let plan = self.rows_plan(function, x, [length, rows], mode, out);
        if flags == 0 && self.fast_rows(&plan)? {
            return Ok(());
        }
        self.launch_planned(plan.define(flags))
    }

    /// The plan of a function of rows of so many elements, so many.
    pub(super) fn rows_plan(
        &self,
        function: rows::Function,
        x: &View,
        [length, rows]: [usize; 2],
        mode: Mode,
        out: &mut ViewMut,
    ) -> rows::Plan {
        rows::Plan {
            rows: rows::Rows {
                ty: x.ty,
                address: self.module.address(x),
                length,
                rows,
                at_once: self.at_once(),
            },
            function,
            out: self.module.address_mut(out),
            to: out.ty,
            mode,
        }
    }

    /// Launches the entries that give several threads to a row, if there are any for a
    /// plan; returns whether it did.
    pub(super) fn fast_rows(&self, plan: &rows::Plan) -> Result<bool, Error> {
        let Some(bytes) = plan.memory().filter(|_| self.fast()) else {
            return Ok(false);
        };
        let Some(memory) = self.module.scratch(SMALL, bytes) else {
            return Ok(false);
        };
        let first = memory.as_ref();
        let first = first.map_or(0, |memory| self.module.address(&memory.view()));
        self.launch_all(plan.launches(first))?;
        drop(memory);
        Ok(true)
    }

    /// The softmax of each row of `length` elements, in f32: see [`bitexact::nn::softmax`]. The
    /// formats are those of [`Composites::mean_rows`].
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] for types, lengths and devices, and nothing is written then; or the
    /// driver's error.
    pub fn softmax_rows(
        &self,
        x: &View,
        length: usize,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        self.same_rows("softmax", x, length, mode, out)
    }

    /// The logarithm of the softmax of each row: see [`bitexact::nn::log_softmax`].
    ///
    /// # Errors
    ///
    /// As [`Composites::softmax_rows`].
    pub fn log_softmax_rows(
        &self,
        x: &View,
        length: usize,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        self.same_rows("log_softmax", x, length, mode, out)
    }

    fn same_rows(
        &self,
        what: &'static str,
        x: &View,
        length: usize,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        self.pair(what, x, out)?;
        expect_length("out", x.len, out.len())?;
        let rows = x.len.checked_div(length).unwrap_or(0);
        expect_length("x", rows * length, x.len)?;
        let logarithm = what == "log_softmax";
        let function = rows::Function::Softmax { logarithm };
        let plan = self.rows_plan(function, x, [length, rows], mode, out);
        if self.fast_rows(&plan)? {
            return Ok(());
        }
        self.launch_planned(plan.define(0))
    }

    /// Checks the formats of a function of rows.
    pub(super) fn pair(&self, what: &'static str, x: &View, out: &ViewMut) -> Result<(), Error> {
        self.readable("x", &[Type::F16, Type::Bf16, Type::F32], x)?;
        self.writable("out", &[Type::F16, Type::Bf16, Type::F32], out)?;
        let (from, to) = (x.ty.name(), out.ty.name());
        if from != to && out.ty != Type::F32 {
            return Err(mismatch(what, format!("{from} has none in {to}")));
        }
        Ok(())
    }
}

/// The types that exact sums have fast entries for, and that they are rounded to.
pub(super) const FAST: &[Type] = &[Type::F16, Type::Bf16, Type::F32];

/// The words of an accumulator of a format that is summed.
fn accumulator_words(ty: Type) -> usize {
    macro_rules! words {
        ($($variant:ident $ty:ty;)*) => {
            match ty {
                $(Type::$variant => Accumulator::<$ty>::WORDS,)*
                // No other type is accepted.
                _ => 0,
            }
        };
    }
    words! {
        F16 f16; Bf16 bf16; F32 Binary32; E5m2 E5M2; E4m3fn E4M3FN; E5m2fnuz E5M2FNUZ; E4m3fnuz E4M3FNUZ;
        E3m2 E3M2; E2m3 E2M3; E2m1 E2M1;
    }
}

/// The code of a way to add up products.
pub(super) fn accumulation_code(how: Accumulation) -> Result<u32, Error> {
    let code = abi::encode_accumulation(how);
    code.ok_or_else(|| mismatch("accumulation", format!("{how:?} is not known here")))
}

/// A unit defines no status.
fn no_flags(requested: bool) -> Result<(), Error> {
    if requested {
        return Err(mismatch("flags", "the order of a unit has none".into()));
    }
    Ok(())
}

pub(super) fn mismatch(what: &str, why: String) -> Error {
    let what = what.into();
    Error::Mismatch { what, why }
}

fn expect_type(what: &'static str, types: &[Type], found: Type) -> Result<(), Error> {
    if types.contains(&found) {
        return Ok(());
    }
    let due: Vec<_> = types.iter().map(|ty| ty.name()).collect();
    let (due, found) = (due.join(" or "), found.name());
    Err(mismatch(what, format!("{due} expected, {found} given")))
}

pub(super) fn expect_length(what: &'static str, due: usize, found: usize) -> Result<(), Error> {
    if due == found {
        return Ok(());
    }
    Err(mismatch(
        what,
        format!("{due} elements expected, {found} given"),
    ))
}

/// The kernels' own rule for the divisor of a sum.
fn check_divisor(length: usize, missing: u32) -> Result<(), Error> {
    match u32::try_from(length) {
        Err(_) => Err(Error::Reduce(ReduceError::TooManyTerms {
            terms: length as u64,
        })),
        Ok(found) if found <= missing => Err(Error::Reduce(ReduceError::TooFew {
            needed: missing.saturating_add(1),
            found,
        })),
        Ok(_) => Ok(()),
    }
}

/// A batch of matrices, as plans take it.
pub(super) fn matrices(address: u64, strides: [isize; 3]) -> Matrices {
    Matrices {
        address,
        strides: strides.map(|stride| stride as i64),
    }
}
