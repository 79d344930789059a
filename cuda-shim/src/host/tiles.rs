//! The fast paths of the composites: where they hold, and how they are launched.

use super::blocks::BlockMatrix;
use super::buffer::{View, ViewMut};
use super::composites::{Composites, FAST, accumulation_code, expect_length};
use super::error::Error;
use super::module::{LARGE, SMALL, STATISTICS};
use super::tensor::{Tensor, TensorMut};
use super::types::Type;
use crate::abi;
use crate::tile::mx::{self, Whole};
use crate::tile::mx_results::Pair;
use crate::tile::sums::{self, Products, Values};
use crate::tile::{WARP, chains, gemm, layers, means, packing, packs, row, softmax, squares};
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E5M2};
use bitexact::nn::Conv2d;
use bitexact::reduce::Order;
use bitexact::scale::{BlockSpecials, Dialect, MxInt8, Nvfp4};
use bitexact::tensor::Accumulation;
use bitexact::{Mode, bf16, f16};

impl Composites<'_> {
    /// Whether [`Composites::gemm`] or [`Composites::gemm_batched`] without flags was launched as tiles.
    pub(super) fn fast_gemm(
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
        let Some((kind, sizes)) = self.in_tiles(a, b, how, mode) else {
            return Ok(false);
        };
        let [batch, m, n, _] = sizes;
        let tiles = m.div_ceil(gemm::ROWS) * n.div_ceil(gemm::ROWS);
        let tiles = batch.saturating_mul(tiles);
        if tiles >= 1 << 31 {
            return Ok(false);
        }
        let module = self.module();
        let strides = [a.strides(), b.strides(), out.strides()];
        let words: Vec<u64> = [a.address(module), b.address(module), out.address(module)]
            .into_iter()
            .chain(sizes.map(|size| size as u64))
            .chain(strides.into_iter().flatten().map(|stride| stride as u64))
            .collect();
        let entry = format!("gemm_{kind}_{}_f32_fma", a.view().ty.name());
        self.run_tiles(&entry, &words, tiles, [gemm::THREADS, gemm::MEMORY])?;
        Ok(true)
    }

    /// The kind of entry that makes the products of these in f32 as tiles, if one may be taken; their number, m, n and k.
    fn in_tiles(
        &self,
        a: &Tensor<3>,
        b: &Tensor<3>,
        how: Accumulation,
        mode: Mode,
    ) -> Option<(&'static str, [usize; 4])> {
        let ([batch, m, k], [.., n]) = (a.shape(), b.shape());
        let sizes = [batch, m, n, k];
        let small = sizes.iter().all(|size| *size < 1 << 31);
        let sequential = how == Accumulation::Declared(Order::Sequential);
        if !(self.fast() && small && sequential && mode == Mode::TIES_TO_EVEN) {
            return None;
        }
        let whole = match a.view().ty {
            Type::F16 => whole::<f16>,
            Type::Bf16 => whole::<bf16>,
            Type::F32 => whole::<Binary32>,
            Type::E4m3fn => whole::<E4M3FN>,
            Type::E5m2 => whole::<E5M2>,
            _ => return None,
        };
        let [a_far, a_row, a_column] = a.strides();
        let [b_far, b_row, b_column] = b.strides();
        let (left, right) = (a.address(self.module()), b.address(self.module()));
        let whole =
            whole(left, [a_far, a_row, a_column], m) && whole(right, [b_far, b_column, b_row], n);
        Some((if whole { "tile" } else { "any" }, sizes))
    }

    /// Whether a product whose sums go on was launched as tiles, by the entries of this name, with so many bytes of a block's
    /// memory: these take `to` after the addresses of the operands, and `last` after their strides.
    pub(super) fn fast_gemm_into(
        &self,
        (name, memory): (&str, usize),
        [a, b]: [&Tensor<2>; 2],
        how: Accumulation,
        mode: Mode,
        to: &[u64],
        last: &[u64],
    ) -> Result<bool, Error> {
        let (left, right) = (a.batch_of_one()?, b.batch_of_one()?);
        let Some((kind, [_, m, n, k])) = self.in_tiles(&left, &right, how, mode) else {
            return Ok(false);
        };
        let strides = [a, b].map(Tensor::strides).into_iter().flatten();
        let words: Vec<u64> = [a, b]
            .map(|operand| operand.address(self.module()))
            .into_iter()
            .chain(to.iter().copied())
            .chain([m, n, k].map(|size| size as u64))
            .chain(strides.map(|stride| stride as u64))
            .chain(last.iter().copied())
            .collect();
        let tiles = m.div_ceil(gemm::ROWS) * n.div_ceil(gemm::ROWS);
        let entry = format!("gemm_{kind}_{}_{name}_fma", a.view().ty.name());
        self.run_tiles(&entry, &words, tiles, [gemm::THREADS, memory])?;
        Ok(true)
    }

    /// Whether fast entries may be taken that multiply on the tensor cores.
    pub(super) fn on_tensor_cores(&self) -> bool {
        let module = self.module();
        let architecture = module.gpu().architecture();
        self.fast() && architecture.min(module.target().unwrap_or(u32::MAX)) >= 80
    }

    /// An exact sum or dot product, by one launch.
    pub(super) fn fast_exact(
        &self,
        what: &str,
        [a, b]: [&View; 2],
        mode: Mode,
        out: &mut ViewMut,
        mut flags: Option<ViewMut>,
    ) -> Result<(), Error> {
        self.writable("out", FAST, out)?;
        expect_length("out", 1, out.len())?;
        let flags = self.flags(flags.as_mut(), 1)?;
        let to = FAST.iter().position(|ty| *ty == out.ty).unwrap_or(0) as u64;
        let words = [
            self.module().address(a),
            self.module().address(b),
            a.len() as u64,
            self.module().slots(),
            self.module().address_mut(out),
            to,
            flags,
            abi::encode_mode(mode).into(),
        ];
        let [threads, memory, piece] = match (what, a.ty) {
            ("sum", Type::F16) => shape::<Values<f16>>(),
            ("sum", Type::Bf16) => shape::<Values<bf16>>(),
            ("sum", _) => shape::<Values<Binary32>>(),
            (_, Type::F16) => shape::<Products<f16>>(),
            (_, Type::Bf16) => shape::<Products<bf16>>(),
            _ => shape::<Products<Binary32>>(),
        };
        let pieces = (a.len() * a.ty.bytes()).div_ceil(16 * piece).max(1);
        // As many as have registers and memory on a multiprocessor of today.
        let most = (1024 / threads).min((220 << 10) / memory);
        let most = self.module().gpu().processors() as usize * most;
        let entry = format!("{what}_exact_{}_fma", a.ty.name());
        self.run_tiles(&entry, &words, pieces.min(most), [threads, memory])
    }
}

impl Composites<'_> {
    /// Whether [`Composites::block_gemm`] without flags was launched on the tensor cores.
    pub(super) fn fast_block_gemm(
        &self,
        a: &BlockMatrix,
        b: &BlockMatrix,
        how: Accumulation,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let (module, gpu) = (self.module(), self.module().gpu());
        let ([m, k], [n, _]) = (a.shape, b.shape);
        let sized = [m, k, n].iter().all(|size| (1..1 << 31).contains(size));
        let exact = how == Accumulation::Exact;
        let ordered = how == Accumulation::Declared(Order::Sequential)
            && mode == Mode::TIES_TO_EVEN
            && out.ty == Type::F32;
        let fits = sized && a.block == mx::STEP && (exact || ordered);
        if !(self.on_tensor_cores() && fits) {
            return Ok(false);
        }
        let (Some(left), Some(right)) = (element(a.elements.ty), element(b.elements.ty)) else {
            return Ok(false);
        };
        // The first operand is the one with more digits; of the other product, which is turned, each sum is the same.
        let turned = left < right;
        let (a, b, m, n) = if turned { (b, a, n, m) } else { (a, b, m, n) };
        let digits = if turned { [right, left] } else { [left, right] }.map(|ty| ty.0);
        // The values of E5M2 are multiplied in f32.
        if exact && digits[0] == 5 {
            return Ok(false);
        }
        let Some(pair) = pair(a.elements.ty, b.elements.ty) else {
            return Ok(false);
        };
        // What is found of lines; digits and factors of both operands, and exact sums.
        let steps = k.div_ceil(mx::STEP * mx::STEPS) * mx::STEPS;
        let panels = [(m, mx::ROWS), (n, mx::COLUMNS)]
            .map(|(lines, tile)| lines.div_ceil(tile) * (tile / mx::LINES));
        let tiles = m.div_ceil(mx::ROWS).saturating_mul(n.div_ceil(mx::COLUMNS));
        let pieces = panels.map(|panels| panels.saturating_mul(steps));
        let [lines, along] = if turned { [n, m] } else { [m, n] };
        let rows = lines.saturating_mul(along.div_ceil(mx::THREADS));
        let most = pieces.into_iter().fold(tiles.max(rows), usize::max);
        if most >= 1 << 31 {
            return Ok(false);
        }
        let parts = [
            pieces[0] * mx::PIECE * digits[0],
            pieces[1] * mx::PIECE * digits[1],
            pieces[0] * mx::FACTORS,
            pieces[1] * mx::FACTORS,
            if exact { 8 * m * n } else { 0 },
        ];
        let words = mx::WORDS * (m + n) + 1 + 2 * mx::WORDS;
        let Some(mut small) = module.scratch(SMALL, 4 * words) else {
            return Ok(false);
        };
        let Some(large) = module.scratch(LARGE, parts.iter().sum()) else {
            return Ok(false);
        };
        let Some(found) = small.as_mut() else {
            return Ok(false);
        };
        gpu.clear(&mut found.view_mut())?;
        let a_found = module.address(&found.view());
        let [b_found, beyond] = [m, m + n].map(|lines| a_found + 4 * (mx::WORDS * lines) as u64);
        let founds = [a_found, b_found];
        let mut address = large
            .as_ref()
            .map_or(0, |large| module.address(&large.view()));
        let [a_digits, b_digits, a_factors, b_factors, sums] = parts.map(|bytes| {
            address += bytes as u64;
            address - bytes as u64
        });
        let some = 16 * gpu.processors() as usize;
        let shape = [mx::THREADS, 0];
        let operands = [a, b].map(|x| [&x.elements, &x.scales].map(|view| module.address(view)));
        for (side, lines) in [m, n].into_iter().enumerate() {
            let (to, factors) = ([a_digits, b_digits][side], [a_factors, b_factors][side]);
            let sizes = [lines, k, panels[side], side].map(|size| size as u64);
            let (base, shift) = (mx::base(digits[0]), pair.shifts()[side]);
            let words: Vec<u64> = operands[side]
                .into_iter()
                .chain(sizes)
                .chain([base.into(), exact.into(), shift as u64])
                .chain([to, factors, founds[side]])
                .collect();
            let warps = panels[side] * steps.div_ceil(mx::RUN as usize);
            let blocks = warps.div_ceil(mx::THREADS / WARP).min(1 << 20);
            let name = [a, b][side].elements.ty.name();
            self.run_tiles(&format!("mx_cut_{name}"), &words, blocks, shape)?;
            if exact {
                let words: Vec<u64> = [factors, founds[side]]
                    .into_iter()
                    .chain([lines, panels[side], steps].map(|size| size as u64))
                    .collect();
                let blocks = (pieces[side] * mx::LINES).div_ceil(mx::THREADS);
                self.run_tiles("mx_factors", &words, blocks.min(some), shape)?;
            }
        }
        let all = beyond + 4;
        if !exact {
            let words: Vec<u64> = [m as u64, n as u64]
                .into_iter()
                .chain(founds)
                .chain([all])
                .collect();
            let blocks = m.max(n).div_ceil(mx::THREADS);
            self.run_tiles("mx_survey", &words, blocks.min(some), shape)?;
        }
        let [first, second] = digits;
        let entry = if exact {
            format!("mx_exact_{first}_{second}_mma")
        } else {
            format!("mx_ordered_{first}_{second}_fma_mma")
        };
        let results = module.address_mut(out);
        let made = if exact { sums } else { results };
        let words: Vec<u64> = [m, n, steps]
            .map(|size| size as u64)
            .into_iter()
            .chain([a_digits, b_digits, a_factors, b_factors])
            .chain([turned.into(), made])
            .collect();
        let memory = mx::memory(digits);
        self.run_tiles(&entry, &words, tiles, [mx::THREADS, memory])?;
        let to = FAST.iter().position(|ty| *ty == out.ty).unwrap_or(0) as u64;
        let [[x, x_scales], [y, y_scales]] = operands;
        let sizes = || {
            let sizes = [m, n, k].map(|size| size as u64);
            let sizes = sizes.into_iter().chain([pair.code(), turned.into()]);
            sizes.chain(founds)
        };
        let mode = u64::from(abi::encode_mode(mode));
        let words: Vec<u64> = [x, y]
            .into_iter()
            .chain(sizes())
            .chain([if exact { sums } else { 0 }, results, to, mode, beyond, all])
            .collect();
        self.run_tiles("mx_finish", &words, rows.min(some), shape)?;
        let how = accumulation_code(how)?;
        let words: Vec<u64> = [x, x_scales, y, y_scales]
            .into_iter()
            .chain(sizes())
            .chain([results, to, how, mode, beyond])
            .collect();
        let [x, y] = [a, b].map(|x| defined_as(x.elements.ty).name());
        let entry = format!("mx_define_{x}_{y}");
        self.run_tiles(&entry, &words, rows.min(some), shape)?;
        drop((small, large));
        Ok(true)
    }
}

/// The digits of an element type, and its place among those with as many: the definition of products has one order of types.
fn element(ty: Type) -> Option<(usize, usize)> {
    const fn of<E: Whole>(place: usize) -> Option<(usize, usize)> {
        Some((E::DIGITS, place))
    }
    match ty {
        Type::E5m2 => of::<E5M2>(1),
        Type::E4m3fn => of::<E4M3FN>(1),
        Type::E3m2 => of::<E3M2>(1),
        Type::E2m3 => of::<E2M3>(1),
        Type::E2m1 => of::<E2M1>(1),
        Type::Mxint8 => of::<MxInt8>(0),
        _ => None,
    }
}

/// The type in which a product's definition takes elements.
fn defined_as(ty: Type) -> Type {
    match ty {
        Type::E2m1 | Type::E2m3 | Type::E3m2 => Type::E4m3fn,
        _ => ty,
    }
}

/// What the results need to know of two element types.
fn pair(a: Type, b: Type) -> Option<Pair> {
    fn with<A: Whole>(b: Type) -> Option<Pair> {
        Some(match b {
            Type::E5m2 => Pair::of::<A, E5M2>(),
            Type::E4m3fn => Pair::of::<A, E4M3FN>(),
            Type::E3m2 => Pair::of::<A, E3M2>(),
            Type::E2m3 => Pair::of::<A, E2M3>(),
            Type::E2m1 => Pair::of::<A, E2M1>(),
            Type::Mxint8 => Pair::of::<A, MxInt8>(),
            _ => return None,
        })
    }
    match a {
        Type::E5m2 => with::<E5M2>(b),
        Type::E4m3fn => with::<E4M3FN>(b),
        Type::E3m2 => with::<E3M2>(b),
        Type::E2m3 => with::<E2M3>(b),
        Type::E2m1 => with::<E2M1>(b),
        Type::Mxint8 => with::<MxInt8>(b),
        _ => None,
    }
}

impl Composites<'_> {
    /// Whether an exact product of blocks was launched on the tensor cores as that of their values in f32: these are exact
    /// unless they overflow, to infinities, with which nothing is launched.
    pub(super) fn fast_block_values(
        &self,
        a: &BlockMatrix,
        b: &BlockMatrix,
        how: Accumulation,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let ([m, k], [n, _]) = (a.shape, b.shape);
        let gpu = self.module().gpu();
        // Whole blocks alone, so that none goes from one row into the next.
        let fits = how == Accumulation::Exact && k.is_multiple_of(a.block);
        if !(self.on_tensor_cores() && fits) {
            return Ok(false);
        }
        let [left, right] = [a, b].map(|x| gpu.zeros_of(Type::F32, x.elements.len));
        let (Ok(mut left), Ok(mut right)) = (left, right) else {
            return Ok(false);
        };
        for (x, values) in [(a, &mut left), (b, &mut right)] {
            let values = &mut values.view_mut();
            let even = Mode::TIES_TO_EVEN;
            self.dequantise(&x.elements, &x.scales, x.block, even, values, None)?;
        }
        let left = Tensor::contiguous(left.view(), [1, m, k])?;
        let right = Tensor::new(right.view(), [1, k, n], [0, 1, k as isize], 0)?;
        let out = &mut TensorMut::contiguous(out.reborrow(), [1, m, n])?;
        self.fast_exact_gemm(&left, &right, mode, out, 0..1, false)
    }

    /// Launches the entry that makes whole spans of blocks of a slice, and says how many elements
    /// these have: none if there is no such entry, or the wide and the narrow side are not aligned.
    pub(super) fn fast_blocks(
        &self,
        span: usize,
        n: usize,
        possible: bool,
        [wide, narrow]: [u64; 2],
        entry: impl FnOnce(u64) -> (String, Vec<u64>),
    ) -> Result<usize, Error> {
        let aligned = wide % 16 == 0 && narrow % 8 == 0;
        let spans = n / span;
        if !(self.fast() && possible && aligned && spans > 0) {
            return Ok(0);
        }
        let (entry, words) = entry(spans as u64);
        let warps = packs::THREADS / WARP;
        let function = self.module().entry(&entry)?;
        self.module()
            .run_blocks(&function, &words, spans.div_ceil(warps), packs::THREADS, 0)?;
        Ok(spans * span)
    }

    /// Launches the entry that packs whole tiles of elements, or unpacks them, and says how many elements these have: none
    /// where a side is not aligned.
    pub(super) fn fast_packing(
        &self,
        what: &str,
        ty: Type,
        n: usize,
        [from, to]: [u64; 2],
    ) -> Result<usize, Error> {
        let tiles = n / packing::TILE;
        let aligned = from % 16 == 0 && to % 16 == 0;
        if !(self.fast() && aligned && tiles > 0) {
            return Ok(0);
        }
        let entry = format!("{what}_tiles_{}", ty.name());
        let shape = [packing::THREADS, packing::MEMORY];
        self.run_tiles(&entry, &[from, tiles as u64, to], tiles, shape)?;
        Ok(tiles * packing::TILE)
    }
}

impl Composites<'_> {
    /// Whether [`Composites::softmax_rows`] or that of logarithms was launched with several threads a row.
    pub(super) fn fast_softmax(
        &self,
        what: &str,
        x: &View,
        length: usize,
        rows: usize,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let sized = (1..=row::LONGEST).contains(&length) && rows > 0;
        let fits = mode == Mode::TIES_TO_EVEN && out.ty == Type::F32;
        if !(self.fast() && sized && fits) {
            return Ok(false);
        }
        let (from, to) = (self.module().address(x), self.module().address_mut(out));
        let (place, warps) = place(&[from, to], x.ty, length, row::FEW_ROW);
        let entry = format!("{what}_{place}_{}_f32_fma", x.ty.name());
        let words = [from, length as u64, rows as u64, to];
        let shape = [WARP * warps, row::memory(softmax::BINS, warps)];
        self.run_tiles(&entry, &words, rows, shape)?;
        Ok(true)
    }

    /// Whether [`Composites::mean_rows`] without flags was launched with several threads a row.
    pub(super) fn fast_means(
        &self,
        x: &View,
        length: usize,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let to = FAST.iter().position(|ty| *ty == out.ty).unwrap_or(0) as u64;
        let (rows, out) = (out.len(), self.module().address_mut(out));
        self.row_means(x, length, rows, mode, [out, to])
    }

    /// The same, to an address; the format is given by number.
    fn row_means(
        &self,
        x: &View,
        length: usize,
        rows: usize,
        mode: Mode,
        [out, to]: [u64; 2],
    ) -> Result<bool, Error> {
        if !self.has_rows(x, length, rows) {
            return Ok(false);
        }
        let module = self.module();
        let Some(scratch) = module.scratch(SMALL, 8 * means::RECORD * rows) else {
            return Ok(false);
        };
        let records = scratch
            .as_ref()
            .map_or(0, |scratch| module.address(&scratch.view()));
        self.run_rows("row_sums", x, length, rows, means::BINS, &[records])?;
        let mode = abi::encode_mode(mode).into();
        let words = [records, length as u64, rows as u64, out, to, mode];
        let blocks = rows.div_ceil(means::THREADS);
        self.run_tiles("row_means", &words, blocks, [means::THREADS, 0])?;
        drop(scratch);
        Ok(true)
    }

    /// Whether [`Composites::variance_rows`] without flags was launched with several threads a row.
    pub(super) fn fast_variances(
        &self,
        x: &View,
        length: usize,
        missing: u32,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let fits = mode == Mode::TIES_TO_EVEN && out.ty == Type::F32;
        // The means wait where the variances will be.
        if !(fits && self.fast_means(x, length, mode, out)?) {
            return Ok(false);
        }
        let means = self.module().address_mut(out);
        let divisor = length as u64 - u64::from(missing);
        self.fast_squares(x, length, means, divisor, mode, out)
    }

    /// Whether [`Composites::norm_rows`] without flags, or what is left to do for variances, was launched with several
    /// threads a row. For norms there are no means, and the divisor is 0.
    pub(super) fn fast_squares(
        &self,
        x: &View,
        length: usize,
        means: u64,
        divisor: u64,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let to = FAST.iter().position(|ty| *ty == out.ty).unwrap_or(0) as u64;
        let (rows, out) = (out.len(), self.module().address_mut(out));
        self.row_roots(x, length, rows, [means, divisor], mode, [out, to, 0])
    }

    /// The same, to an address; the format is given by number, and an epsilon's bits.
    fn row_roots(
        &self,
        x: &View,
        length: usize,
        rows: usize,
        [means, divisor]: [u64; 2],
        mode: Mode,
        [out, to, epsilon]: [u64; 3],
    ) -> Result<bool, Error> {
        if !self.has_rows(x, length, rows) {
            return Ok(false);
        }
        let module = self.module();
        let Some(scratch) = module.scratch(SMALL, 8 * squares::RECORD * rows) else {
            return Ok(false);
        };
        let records = scratch
            .as_ref()
            .map_or(0, |scratch| module.address(&scratch.view()));
        self.run_rows("row_squares", x, length, rows, 0, &[means, records])?;
        let sizes = [length as u64, divisor, rows as u64];
        let ending = [out, to, abi::encode_mode(mode).into(), epsilon];
        let words = [&[records][..], &sizes, &ending].concat();
        let blocks = rows.div_ceil(squares::THREADS);
        self.run_tiles("row_roots", &words, blocks, [squares::THREADS, 0])?;
        drop(scratch);
        Ok(true)
    }

    /// Whether [`Composites::layer_norm_rows`], or [`Composites::rms_norm_rows`] if there are no biases, was launched with
    /// several threads a row.
    pub(super) fn fast_layer_norm(
        &self,
        x: &View,
        weight: &View,
        bias: Option<&View>,
        epsilon: f32,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let (module, length) = (self.module(), weight.len());
        let rows = x.len() / length.max(1);
        if !self.has_rows(x, length, rows) {
            return Ok(false);
        }
        let Some(statistics) = module.scratch(STATISTICS, 8 * rows) else {
            return Ok(false);
        };
        let deviations = statistics
            .as_ref()
            .map_or(0, |statistics| module.address(&statistics.view()));
        let means = match bias {
            Some(_) => deviations + 4 * rows as u64,
            None => 0,
        };
        let (even, single) = (Mode::TIES_TO_EVEN, 2);
        if bias.is_some() && !self.row_means(x, length, rows, even, [means, single])? {
            return Ok(false);
        }
        let (sums, epsilon) = ([means, length as u64], epsilon.to_bits().into());
        let to = [deviations, squares::DEVIATION.into(), epsilon];
        if !self.row_roots(x, length, rows, sums, even, to)? {
            return Ok(false);
        }
        let (from, to) = (module.address(x), module.address_mut(out));
        let (wide, to_wide) = (weight.ty == Type::F32, out.ty == Type::F32);
        let bias = bias.map_or(0, |bias| module.address(bias));
        let weight = module.address(weight);
        let (place, warps) = place(&[from, to, weight, bias], x.ty, length, row::FEW_ROW);
        let words = [
            from,
            length as u64,
            rows as u64,
            means,
            deviations,
            weight,
            bias,
            wide.into(),
            to,
            to_wide.into(),
            abi::encode_mode(mode).into(),
        ];
        let entry = format!("normalise_{place}_{}_fma", x.ty.name());
        self.run_tiles(&entry, &words, rows, [WARP * warps, 0])?;
        drop(statistics);
        Ok(true)
    }

    /// Whether there are entries with several threads for rows of this length.
    fn has_rows(&self, x: &View, length: usize, rows: usize) -> bool {
        let sized = (LEAST..=row::LONGEST).contains(&length) && rows > 0;
        self.fast() && sized && FAST.contains(&x.ty)
    }

    /// Launches an entry for rows, with so many bins, and these words after the rows.
    fn run_rows(
        &self,
        what: &str,
        x: &View,
        length: usize,
        rows: usize,
        bins: usize,
        last: &[u64],
    ) -> Result<(), Error> {
        let from = self.module().address(x);
        // Of many rows more are under way at once if each has fewer warps.
        let many = rows >= 2 * self.at_once();
        let few = if many { MANY_ROW } else { row::FEW_ROW };
        let (place, warps) = place(&[from], x.ty, length, few);
        let words = [&[from, length as u64, rows as u64], last].concat();
        let entry = format!("{what}_{place}_{}_fma", x.ty.name());
        let shape = [WARP * warps, row::memory(bins, warps)];
        self.run_tiles(&entry, &words, rows, shape)
    }
}

impl Composites<'_> {
    /// Whether [`Composites::conv2d`] was launched as tiles; `bias` is its address, `batch` images have results of these
    /// rows and columns.
    pub(super) fn fast_conv2d(
        &self,
        x: &View,
        weights: &View,
        bias: u64,
        sizes: &Conv2d,
        [batch, rows, columns]: [usize; 3],
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let [_, height, width] = sizes.input;
        let [tall, wide] = [(height, sizes.padding[0]), (width, sizes.padding[1])]
            .map(|(length, padding)| length.saturating_add(padding.saturating_mul(2)));
        let lengths = [x.len, weights.len, out.len(), tall.saturating_mul(wide)];
        let small = lengths.iter().all(|length| *length < 1 << 31);
        if !(self.fast() && small) || out.is_empty() {
            return Ok(false);
        }
        let module = self.module();
        let (filters, k) = (sizes.channels, weights.len / sizes.channels);
        let pixels = batch * rows * columns;
        let tiles = |down, across| filters.div_ceil(down) * pixels.div_ceil(across);
        let many = tiles(layers::Many::DOWN, layers::Many::ACROSS);
        let few = 2 * many <= self.at_once();
        let (size, tiles, memory) = if few {
            let tiles = tiles(layers::Few::DOWN, layers::Few::ACROSS);
            ("small_", tiles, layers::Few::MEMORY)
        } else {
            ("", many, layers::Many::MEMORY)
        };
        let from = module.address(weights);
        let loads = loads(&[from], k);
        let edge = match sizes.padding {
            [0, 0] => "",
            _ => "padded_",
        };
        let stride = sizes.stride.map(within);
        let sizes = [
            &[batch],
            &sizes.input[..],
            &[filters],
            &sizes.kernel,
            &stride,
            &sizes.padding,
            &[rows, columns],
        ];
        let words = [module.address(x), from, bias, module.address_mut(out)];
        let sizes = sizes.concat().into_iter().map(|size| size as u64);
        let words: Vec<u64> = words.into_iter().chain(sizes).collect();
        let entry = format!("conv2d_{size}{loads}_{edge}rn");
        self.run_tiles(&entry, &words, tiles, [layers::THREADS, memory])?;
        Ok(true)
    }

    /// Whether [`Composites::linear`] was launched as tiles or chains; `bias` is its address.
    pub(super) fn fast_linear(
        &self,
        x: &View,
        weights: &View,
        bias: u64,
        [rows, inputs, outputs]: [usize; 3],
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        let lengths = [x.len, weights.len, out.len()];
        let small = lengths.iter().all(|length| *length < 1 << 31);
        if !(self.fast() && small) || out.is_empty() {
            return Ok(false);
        }
        let module = self.module();
        let tiles = |down, across| rows.div_ceil(down) * outputs.div_ceil(across);
        let many = tiles(layers::Many::DOWN, layers::Many::ACROSS);
        let [from, of] = [x, weights].map(|view| module.address(view));
        let sizes = [rows, inputs, outputs].map(|size| size as u64);
        let words = [&[from, of, bias, module.address_mut(out)][..], &sizes].concat();
        if 2 * many <= self.at_once() {
            let shape = [chains::THREADS, chains::LINEAR_MEMORY];
            let tiles = tiles(chains::ROWS, chains::COLUMNS);
            self.run_tiles("linear_chain_rn", &words, tiles, shape)?;
        } else {
            let shape = [layers::THREADS, layers::Many::MEMORY];
            let entry = format!("linear_{}_rn", loads(&[from, of], inputs));
            self.run_tiles(&entry, &words, many, shape)?;
        }
        Ok(true)
    }

    /// Whether an average pooling was launched as chains: by windows of a size and a stride, or adaptive.
    pub(super) fn fast_pool(
        &self,
        x: &View,
        [_, height, width]: [usize; 3],
        [rows, columns]: [usize; 2],
        windows: Option<[[usize; 2]; 2]>,
        out: &mut ViewMut,
    ) -> Result<bool, Error> {
        // Adaptive windows have so many rows or columns at least, and one or two more at most.
        let (least, most) = match windows {
            Some([[down, across], _]) => {
                let taps = down.saturating_mul(across);
                (taps, taps)
            }
            None => {
                let most = |length: usize, parts: usize| {
                    length / parts + if length.is_multiple_of(parts) { 0 } else { 2 }
                };
                let least = (height / rows).saturating_mul(width / columns);
                (
                    least,
                    most(height, rows).saturating_mul(most(width, columns)),
                )
            }
        };
        let lengths = [
            x.len,
            out.len(),
            most,
            height.saturating_mul(rows),
            width.saturating_mul(columns),
        ];
        let small = lengths.iter().all(|length| *length < 1 << 31);
        if !(self.fast() && small && least >= LEAST) || out.is_empty() {
            return Ok(false);
        }
        let [kernel, stride] = windows.unwrap_or_default().map(|sizes| sizes.map(within));
        let sizes = [[height, width], [rows, columns], kernel, stride];
        let module = self.module();
        let words: Vec<u64> = [module.address(x)]
            .into_iter()
            .chain(sizes.into_iter().flatten().map(|size| size as u64))
            .chain([most as u64, module.address_mut(out), out.len() as u64])
            .collect();
        let tiles = out.len().div_ceil(chains::WINDOWS);
        let shape = [chains::THREADS, chains::POOL_MEMORY];
        self.run_tiles("pool_chain_rn", &words, tiles, shape)?;
        Ok(true)
    }
}

/// A stride in 31 bits: a longer one is that of the only window.
fn within(stride: usize) -> usize {
    stride.min(i32::MAX as usize)
}

/// How lines of `k` elements that begin there can be loaded, as entries are named.
fn loads(from: &[u64], k: usize) -> &'static str {
    let fours = k.is_multiple_of(4) && from.iter().all(|at| at % 16 == 0);
    if fours { "tile" } else { "any" }
}

/// Shorter rows are left to a thread each.
const LEAST: usize = 32;
/// The longest rows of which four warps read many piece by piece: as many values a thread as of the longest ones.
const MANY_ROW: usize = row::LONGEST / row::WARPS * row::FEW;

/// Whose a row of these slices is, as its entry is named, and how many warps that is, rows of up to `few` elements being four
/// warps': every row may begin at a multiple of 16 bytes, and be whole packs.
fn place(slices: &[u64], ty: Type, length: usize, few: usize) -> (&'static str, usize) {
    let bytes = (length * ty.bytes()) as u64;
    let whole = slices.iter().chain([&bytes]).all(|at| at % 16 == 0);
    match (length, whole) {
        (..=row::WARP_ROW, true) => ("warp", 1),
        (..=row::WARP_ROW, false) => ("warp_any", 1),
        (_, true) if length <= few => ("four", row::FEW),
        (_, false) if length <= few => ("four_any", row::FEW),
        (_, true) => ("block", row::WARPS),
        (_, false) => ("block_any", row::WARPS),
    }
}

/// Whether the fast entries make blocks as this dialect has it; of a stochastic one the direction does not matter.
pub(super) fn quantises(dialect: &Dialect, stochastic: bool) -> bool {
    let due = Mode::TIES_TO_EVEN.saturating_all();
    let rounded = dialect.mode == due || stochastic && dialect.mode.overflow == due.overflow;
    rounded && dialect.specials == BlockSpecials::Scale
}

/// Whether they make NVFP4 blocks with this tensor scale, of f32's bits, and this recipe.
pub(super) fn scales(tensor_scale: u64, recipe: Option<&Nvfp4>) -> bool {
    /// NaN.
    const LEAST: u8 = 0x7F;
    // From 2^-80, or 2^-100 when dequantising, to 2^100.
    let least = if recipe.is_some() { 47 } else { 27 };
    (least << 23..=227 << 23).contains(&tensor_scale)
        && recipe.is_none_or(|recipe| recipe.least_scale.to_bits() < LEAST)
}

/// Threads, bytes of memory, and packs of a piece.
fn shape<S: sums::Terms>() -> [usize; 3] {
    [S::THREADS, sums::memory::<S>(), sums::piece::<S>()]
}

fn whole<T: gemm::Operand>(first: u64, [far, row, step]: [isize; 3], rows: usize) -> bool {
    gemm::whole::<T>(first, far as i64, row as i64, step as i64, rows as u32)
}
