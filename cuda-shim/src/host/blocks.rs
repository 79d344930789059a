//! MX and NVFP4 blocks over device buffers. Flags, if requested, are per block.

use super::buffer::{Buffer, View, ViewMut};
use super::composites::{Composites, accumulation_code, mismatch};
use super::error::Error;
use super::types::Type;
use crate::abi;
use bitexact::Mode;
use bitexact::format::{E2M1, E2M3, E3M2};
use bitexact::reduce::Accumulation;
use bitexact::scale::{BlockError, Dialect, Nvfp4, Packed};
use gpu_plans::blocks::{self as plans, BLOCK, NVFP4, definition, element_number, wide_number};
use gpu_plans::{Launch, Work};

pub(super) use gpu_plans::blocks::{ELEMENTS, WIDE};

/// The element types of products of matrices.
const MULTIPLIED: &[Type] = &[
    Type::E5m2,
    Type::E4m3fn,
    Type::E3m2,
    Type::E2m3,
    Type::E2m1,
    Type::Mxint8,
];
/// Elements that are packed, several into whole bytes.
const PACKED: &[Type] = &[Type::E2m1, Type::E2m3, Type::E3m2];

/// Checks that a buffer has the length that the others require.
pub(super) fn check(which: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::Block(BlockError::LengthMismatch {
        which,
        expected,
        found,
    }))
}

/// The number of blocks for this many values.
pub(super) fn blocks(n: usize, block: usize) -> Result<usize, Error> {
    if block == 0 {
        return Err(Error::Block(BlockError::BlockSizeZero));
    }
    Ok(n.div_ceil(block))
}

/// The number of groups and of bytes in which this many elements are packed.
fn packed(ty: Type, n: usize) -> (usize, usize) {
    fn of<E: Packed>(n: usize) -> (usize, usize) {
        (n.div_ceil(E::GROUP), E::packed_len(n))
    }
    match ty {
        Type::E2m1 => of::<E2M1>(n),
        Type::E2m3 => of::<E2M3>(n),
        _ => of::<E3M2>(n),
    }
}

/// The bits of a valid tensor scale.
fn tensor_scale(scale: f32) -> Result<u32, Error> {
    let bits = scale.to_bits();
    if scale > 0.0 && scale < f32::INFINITY {
        return Ok(bits);
    }
    Err(Error::Block(BlockError::TensorScale { bits }))
}

/// The formats in which elements of two formats are multiplied: each has the values of its
/// operand's.
fn multiplied_as(a: Type, b: Type) -> [Type; 2] {
    match (a, b) {
        (Type::E2m1, Type::E2m3 | Type::E3m2) => [b; 2],
        (Type::E2m3 | Type::E3m2, Type::E2m1) => [a; 2],
        _ if a == b => [a; 2],
        _ => [a, b].map(|ty| match ty {
            Type::E5m2 | Type::Mxint8 => ty,
            _ => Type::E4m3fn,
        }),
    }
}

/// Values, and their random bits where elements are rounded stochastically.
type Values<'a, 'b> = (&'a View<'b>, Option<&'a View<'b>>);

/// A form of blocks, as it is quantised.
struct Form<'a> {
    /// The types of elements and of scales.
    outputs: [&'a [Type]; 2],
    block: usize,
    form: plans::Form,
    /// Whether the fast entries have it.
    fast: bool,
}

/// A matrix whose rows are MX blocks, on the device: see [`bitexact::scale::BlockMatrix`].
#[derive(Clone, Copy, Debug)]
pub struct BlockMatrix<'a> {
    pub(super) elements: View<'a>,
    pub(super) scales: View<'a>,
    pub(super) shape: [usize; 2],
    pub(super) block: usize,
}

impl<'a> BlockMatrix<'a> {
    /// A matrix of this many rows and columns, in blocks of `block` elements.
    ///
    /// # Errors
    ///
    /// [`Error::Block`]: see [`bitexact::scale::BlockMatrix::new`].
    pub fn new(
        elements: View<'a>,
        scales: View<'a>,
        shape: [usize; 2],
        block: usize,
    ) -> Result<Self, Error> {
        let [rows, columns] = shape;
        let blocks = blocks(columns, block)?;
        check("elements", rows.saturating_mul(columns), elements.len)?;
        check("scales", rows.saturating_mul(blocks), scales.len)?;
        Ok(Self {
            elements,
            scales,
            shape,
            block,
        })
    }

    /// The same with these elements, if any.
    fn with<'b>(&'b self, elements: Option<&'b Buffer>) -> BlockMatrix<'b> {
        BlockMatrix {
            elements: elements.map_or(self.elements, Buffer::view),
            ..*self
        }
    }
}

impl Composites<'_> {
    /// A slice of f32, f16 or bf16 as MX blocks of any element format: see
    /// [`bitexact::scale::quantise`].
    ///
    /// # Errors
    ///
    /// [`Error::Block`] as there, [`Error::Mismatch`] for types, flags and devices, and nothing is
    /// written then; or the driver's error.
    pub fn quantise(
        &self,
        x: &View,
        block: usize,
        dialect: &Dialect,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.quantise_by((x, None), block, dialect, elements, scales, flags)
    }

    /// [`Composites::quantise`] with stochastic rounding of the elements: see
    /// [`bitexact::scale::quantise_stochastic`]. The first two slices are the values and their
    /// random bits, a `u16` for each value. Of `dialect.mode` only the overflow rule counts.
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn quantise_stochastic(
        &self,
        [x, random]: [&View; 2],
        block: usize,
        dialect: &Dialect,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.quantise_by((x, Some(random)), block, dialect, elements, scales, flags)
    }

    fn quantise_by(
        &self,
        values: Values,
        block: usize,
        dialect: &Dialect,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        let stochastic = values.1.is_some();
        let form = Form {
            outputs: [ELEMENTS, &[Type::E8m0]],
            block,
            form: plans::Form::Mx {
                element: elements.ty,
                policy: abi::encode_policy(&dialect.policy),
                dialect: abi::encode_dialect(dialect),
            },
            fast: plans::quantises(block, dialect, stochastic),
        };
        self.make_blocks(&form, values, elements, scales, flags)
    }

    /// Quantises: whole spans by the fast entry where it may, and what remains by the definition's.
    fn make_blocks(
        &self,
        form: &Form,
        (x, random): Values,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        if let Some(random) = random {
            self.readable("random bits", &[Type::U16], random)?;
            check("random bits", x.len, random.len)?;
        }
        self.readable("values", WIDE, x)?;
        self.writable("elements", form.outputs[0], elements)?;
        self.writable("scales", form.outputs[1], scales)?;
        let blocks = blocks(x.len, form.block)?;
        check("scales", blocks, scales.len())?;
        check("elements", x.len, elements.len())?;
        let flags = self.flags(flags.as_mut(), blocks)?;
        let [from, to, codes] = [
            self.module().address(x),
            self.module().address_mut(elements),
            self.module().address_mut(scales),
        ];
        let bits = random.map(|random| self.module().address(random));
        let slice = plans::Slice {
            ty: x.ty,
            n: x.len,
            values: from,
            elements: to,
            scales: codes,
        };
        let plan = slice.quantise(form.form, bits);
        let done = self.fast_part(plan.filter(|_| form.fast && flags == 0))?;
        let rest = slice.after(done, form.block);
        let bits = bits.map(|bits| bits + 2 * done as u64);
        self.launch_rest(rest.define(form.form, bits, form.block, flags))
    }

    /// Launches the definition's entry for what a fast one has left, if anything.
    fn launch_rest(&self, rest: Option<Launch>) -> Result<(), Error> {
        self.launch_all(rest.map(|launch| vec![launch]))
    }

    /// Launches the entry that makes a part of a slice, if there is one, and returns how many
    /// elements that part has.
    fn fast_part(&self, part: plans::Part) -> Result<usize, Error> {
        let (launch, done) = part.unzip();
        Ok(if self.launch_fast(launch)? {
            done.unwrap_or(0)
        } else {
            0
        })
    }

    /// The values of MX blocks in f32, f16 or bf16: see [`bitexact::scale::dequantise`].
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn dequantise(
        &self,
        elements: &View,
        scales: &View,
        block: usize,
        mode: Mode,
        values: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.readable("elements", ELEMENTS, elements)?;
        self.readable("scales", &[Type::E8m0], scales)?;
        self.writable("values", WIDE, values)?;
        let blocks = blocks(elements.len, block)?;
        check("scales", blocks, scales.len())?;
        check("values", elements.len, values.len())?;
        let flags = self.flags(flags.as_mut(), blocks)?;
        let [from, codes, to] = [
            self.module().address(elements),
            self.module().address(scales),
            self.module().address_mut(values),
        ];
        let slice = plans::Slice {
            ty: values.ty,
            n: elements.len,
            values: to,
            elements: from,
            scales: codes,
        };
        let plan = slice.dequantise(elements.ty, mode);
        let done = self.fast_part(plan.filter(|_| flags == 0 && block == BLOCK))?;
        let rest = slice.after(done, block);
        self.launch_rest(rest.define_values(elements.ty, block, flags, abi::encode_mode(mode)))
    }

    /// The dot product of each MX block of `a` with that of `b`, rounded once to f32: see
    /// [`bitexact::scale::dot`]. Both have one element format, or one is E4M3FN and the other E5M2.
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn block_dots(
        &self,
        [a, a_scales]: [&View; 2],
        [b, b_scales]: [&View; 2],
        block: usize,
        mode: Mode,
        out: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.readable("a", ELEMENTS, a)?;
        self.readable("b", ELEMENTS, b)?;
        self.readable("a's scales", &[Type::E8m0], a_scales)?;
        self.readable("b's scales", &[Type::E8m0], b_scales)?;
        self.writable("out", &[Type::F32], out)?;
        let (left, right) = (a.ty.name(), b.ty.name());
        let narrow = [Type::E4m3fn, Type::E5m2];
        if left != right && !(narrow.contains(&a.ty) && narrow.contains(&b.ty)) {
            return Err(mismatch("dot", format!("{left} has none with {right}")));
        }
        let blocks = blocks(a.len, block)?;
        check("b", a.len, b.len)?;
        check("a's scales", blocks, a_scales.len)?;
        check("b's scales", blocks, b_scales.len)?;
        check("out", blocks, out.len())?;
        #[rustfmt::skip]
        let launch = definition::Dot {
            left: element_number(a.ty), right: element_number(b.ty), a: self.module().address(a),
            a_scales: self.module().address(a_scales), b: self.module().address(b),
            b_scales: self.module().address(b_scales), n: a.len, block,
            out: self.module().address_mut(out), flags: self.flags(flags.as_mut(), blocks)?,
            mode: abi::encode_mode(mode),
        };
        self.launch_rest(launch.launch(None, (), Work::Items(blocks)))
    }

    /// The product of two matrices in MX blocks, each of E5M2, E4M3FN, E3M2, E2M3, E2M1 or MXINT8,
    /// in f32 or bf16: see [`bitexact::scale::gemm`]. Each element's status, in row-major order,
    /// goes into `flags`.
    ///
    /// By the definition, FP4 and FP6 that are multiplied with another format are first converted,
    /// exactly, to a format that has their values, by two passes: to the other operand's if that is
    /// one of these and has them, else to E4M3FN. That takes up to 3 bytes of memory for each
    /// element during the call. Exact products that are made of the values in f32, as those with
    /// E5M2 are, take 4 bytes.
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn block_gemm(
        &self,
        a: &BlockMatrix,
        b: &BlockMatrix,
        how: Accumulation,
        mode: Mode,
        out: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        let ([m, k], [n, columns]) = (a.shape, b.shape);
        for (what, expected, found) in [("columns", k, columns), ("block size", a.block, b.block)] {
            if expected != found {
                return Err(Error::Block(BlockError::OperandMismatch {
                    what,
                    expected,
                    found,
                }));
            }
        }
        self.readable("a", MULTIPLIED, &a.elements)?;
        self.readable("b", MULTIPLIED, &b.elements)?;
        self.readable("a's scales", &[Type::E8m0], &a.scales)?;
        self.readable("b's scales", &[Type::E8m0], &b.scales)?;
        self.writable("out", &[Type::F32, Type::Bf16], out)?;
        let elements = m.saturating_mul(n);
        check("out", elements, out.len())?;
        let flagged = self.flags(flags.as_mut(), elements)?;
        let how_code = accumulation_code(how)?;
        if flagged == 0
            && (self.fast_block_gemm(a, b, how, mode, out)?
                || self.fast_block_values(a, b, how, mode, out)?)
        {
            return Ok(());
        }
        let [left, right] = multiplied_as(a.elements.ty, b.elements.ty);
        let (left, right) = (
            self.converted(&a.elements, left)?,
            self.converted(&b.elements, right)?,
        );
        let (a, b) = (&a.with(left.as_ref()), &b.with(right.as_ref()));
        #[rustfmt::skip]
        let launch = definition::Gemm {
            left: element_number(a.elements.ty), right: element_number(b.elements.ty),
            ty: wide_number(out.ty), a: self.module().address(&a.elements),
            a_scales: self.module().address(&a.scales), b: self.module().address(&b.elements),
            b_scales: self.module().address(&b.scales), m, k, n, block: a.block,
            out: self.module().address_mut(out), flags: flagged, how: how_code,
            mode: abi::encode_mode(mode),
        };
        self.launch_rest(launch.launch(None, (), Work::Items(elements)))
    }

    /// The product of a matrix and a vector in MX blocks of the same length: see
    /// [`bitexact::scale::gemv`]. It is [`Composites::block_gemm`] with a `b` of one row.
    ///
    /// # Errors
    ///
    /// As [`Composites::block_gemm`].
    #[allow(
        clippy::too_many_arguments,
        reason = "those of the definition, and the flags"
    )]
    pub fn block_gemv(
        &self,
        a: &BlockMatrix,
        x: View,
        x_scales: View,
        how: Accumulation,
        mode: Mode,
        out: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        let [_, k] = a.shape;
        check("x", k, x.len())?;
        check("x_scales", blocks(k, a.block)?, x_scales.len())?;
        let row = BlockMatrix::new(x, x_scales, [1, k], a.block)?;
        self.block_gemm(a, &row, how, mode, out, flags)
    }

    /// Elements in another format that has all their values; nothing if they are in it.
    fn converted(&self, x: &View, to: Type) -> Result<Option<Buffer>, Error> {
        if x.ty == to {
            return Ok(None);
        }
        let (module, even) = (self.module(), Mode::TIES_TO_EVEN);
        let mut halves = module.gpu().zeros_of(Type::F16, x.len)?;
        let mut converted = module.gpu().zeros_of(to, x.len)?;
        let rows = [(x.ty, Type::F16), (Type::F16, to)];
        let [up, down] = rows.map(|(x, to)| format!("convert.{}.{}", x.name(), to.name()));
        module.launch(&up, &[*x], &mut [halves.view_mut()], None, even)?;
        let results = &mut [converted.view_mut()];
        module.launch(&down, &[halves.view()], results, None, even)?;
        Ok(Some(converted))
    }

    /// A slice of f32, f16 or bf16 as NVFP4 blocks: see [`bitexact::scale::nvfp4_quantise`].
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn nvfp4_quantise(
        &self,
        x: &View,
        scale: f32,
        recipe: &Nvfp4,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.nvfp4_quantise_by((x, None), scale, recipe, elements, scales, flags)
    }

    /// [`Composites::nvfp4_quantise`] with stochastic rounding of the elements: see
    /// [`bitexact::scale::nvfp4_quantise_stochastic`]. The first two slices are the values and
    /// their random bits, a `u16` for each value.
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn nvfp4_quantise_stochastic(
        &self,
        [x, random]: [&View; 2],
        scale: f32,
        recipe: &Nvfp4,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.nvfp4_quantise_by((x, Some(random)), scale, recipe, elements, scales, flags)
    }

    fn nvfp4_quantise_by(
        &self,
        values: Values,
        scale: f32,
        recipe: &Nvfp4,
        elements: &mut ViewMut,
        scales: &mut ViewMut,
        flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        let scale = tensor_scale(scale)?;
        let form = Form {
            outputs: [&[Type::E2m1], &[Type::E4m3fn]],
            block: NVFP4,
            form: plans::Form::Nvfp4 {
                tensor_scale: scale,
                recipe: abi::encode_recipe(recipe),
            },
            fast: plans::scaled(scale, Some(recipe)),
        };
        self.make_blocks(&form, values, elements, scales, flags)
    }

    /// The values of NVFP4 blocks in f32, f16 or bf16: see [`bitexact::scale::nvfp4_dequantise`].
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn nvfp4_dequantise(
        &self,
        elements: &View,
        scales: &View,
        scale: f32,
        mode: Mode,
        values: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.readable("elements", &[Type::E2m1], elements)?;
        self.readable("scales", &[Type::E4m3fn], scales)?;
        self.writable("values", WIDE, values)?;
        let blocks = blocks(elements.len, NVFP4)?;
        let scale = tensor_scale(scale)?;
        check("scales", blocks, scales.len())?;
        check("values", elements.len, values.len())?;
        let flags = self.flags(flags.as_mut(), blocks)?;
        let [from, codes, to] = [
            self.module().address(elements),
            self.module().address(scales),
            self.module().address_mut(values),
        ];
        let slice = plans::Slice {
            ty: values.ty,
            n: elements.len,
            values: to,
            elements: from,
            scales: codes,
        };
        let plan = slice.nvfp4_dequantise(scale, mode);
        let done = self.fast_part(plan.filter(|_| flags == 0))?;
        let rest = slice.after(done, NVFP4);
        self.launch_rest(rest.define_nvfp4_values(scale, flags, abi::encode_mode(mode)))
    }

    /// E2M1, E2M3 or E3M2 packed in bytes: see [`bitexact::scale::pack`].
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn pack(&self, elements: &View, bytes: &mut ViewMut) -> Result<(), Error> {
        self.readable("elements", PACKED, elements)?;
        self.writable("bytes", &[Type::U8], bytes)?;
        let (groups, due) = packed(elements.ty, elements.len);
        check("bytes", due, bytes.len())?;
        let from = self.module().address(elements);
        let to = self.module().address_mut(bytes);
        let done = self.fast_part(plans::pack(elements.ty, elements.len, from, to, false))?;
        let (before, begin) = packed(elements.ty, done);
        let launch = definition::Pack {
            element: element_number(elements.ty),
            elements: from + done as u64,
            n: elements.len - done,
            bytes: to + begin as u64,
        };
        self.launch_rest(launch.launch(None, (), Work::Items(groups - before)))
    }

    /// Unpacks as many elements as `elements` holds: see [`bitexact::scale::unpack`].
    ///
    /// # Errors
    ///
    /// As [`Composites::quantise`].
    pub fn unpack(&self, bytes: &View, elements: &mut ViewMut) -> Result<(), Error> {
        self.readable("bytes", &[Type::U8], bytes)?;
        self.writable("elements", PACKED, elements)?;
        let (groups, due) = packed(elements.ty, elements.len());
        check("bytes", due, bytes.len)?;
        let from = self.module().address(bytes);
        let to = self.module().address_mut(elements);
        let done = self.fast_part(plans::pack(elements.ty, elements.len(), to, from, true))?;
        let (before, begin) = packed(elements.ty, done);
        let launch = definition::Unpack {
            element: element_number(elements.ty),
            bytes: from + begin as u64,
            elements: to + done as u64,
            n: elements.len() - done,
        };
        self.launch_rest(launch.launch(None, (), Work::Items(groups - before)))
    }
}
