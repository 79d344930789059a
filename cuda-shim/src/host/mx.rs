//! Products of matrices in MX blocks on the tensor cores.

use super::blocks::BlockMatrix;
use super::buffer::ViewMut;
use super::composites::{Composites, accumulation_code};
use super::error::Error;
use super::module::{LARGE, SMALL};
use super::tensor::{Tensor, TensorMut};
use super::types::Type;
use crate::abi;
use crate::tile::WARP;
use crate::tile::mx::{Whole, base as mx_base};
use crate::tile::mx_results::Pair;
use bitexact::Mode;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E5M2};
use bitexact::reduce::Order;
use bitexact::scale::MxInt8;
use bitexact::tensor::Accumulation;
use gpu_plans::{Work, mx, result_number};

impl Composites<'_> {
    /// Whether fast entries may be taken that multiply on the tensor cores.
    pub(super) fn on_tensor_cores(&self) -> bool {
        let module = self.module();
        let architecture = module.gpu().architecture();
        self.fast() && architecture.min(module.target().unwrap_or(u32::MAX)) >= 80
    }

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
        // The first operand is the one with more digits; of the other product, which is turned,
        // each sum is the same.
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
        let some = |parts: usize| Work::Blocks(parts.min(16 * gpu.processors() as usize));
        let operands = [a, b].map(|x| [&x.elements, &x.scales].map(|view| module.address(view)));
        let [m32, n32, k32, steps32] = [m, n, k, steps].map(|size| size as u32);
        let mut launches = Vec::new();
        for (side, (operand, lines)) in [(a, m), (b, n)].into_iter().enumerate() {
            let [x, scales] = operands[side];
            let (codes, found) = ([a_factors, b_factors][side], founds[side]);
            let (lines, panels32) = (lines as u32, panels[side] as u32);
            // Both operands have the digits' bits that the first one needs.
            #[rustfmt::skip]
            let launch = mx::Cut {
                x, scales, lines, k: k32, panels: panels32, columns: side as u32,
                base: mx_base(digits[0]), exact: exact.into(), shift: pair.shifts()[side] as u32,
                out: [a_digits, b_digits][side], codes, found,
            };
            let warps = panels[side] * steps.div_ceil(mx::RUN as usize);
            let work = Work::Blocks(warps.div_ceil(mx::THREADS / WARP).min(1 << 20));
            launches.push(launch.launch(operand.elements.ty, (), work));
            if exact {
                #[rustfmt::skip]
                let launch = mx::Factors {
                    codes, found, lines, panels: panels32, steps: steps32,
                };
                let parts = (pieces[side] * mx::LINES).div_ceil(mx::THREADS);
                launches.push(launch.launch(None, (), some(parts)));
            }
        }
        let all = beyond + 4;
        if !exact {
            #[rustfmt::skip]
            let launch = mx::Survey {
                m: m32, n: n32, a_found, b_found, all,
            };
            let parts = m.max(n).div_ceil(mx::THREADS);
            launches.push(launch.launch(None, (), some(parts)));
        }
        let (to, out) = (out.ty, module.address_mut(out));
        let key = (digits[0], digits[1]);
        let turned = turned.into();
        launches.push(if exact {
            #[rustfmt::skip]
            let launch = mx::mma::Exact {
                m: m32, n: n32, steps: steps32, a_digits, b_digits, a_factors, b_factors, turned,
                out: sums,
            };
            launch.launch(None, key, Work::Blocks(tiles))
        } else {
            #[rustfmt::skip]
            let launch = mx::mma::Ordered {
                m: m32, n: n32, steps: steps32, a_digits, b_digits, a_factors, b_factors, turned,
                out,
            };
            launch.launch(None, key, Work::Blocks(tiles))
        });
        let (to, mode) = (result_number(to).unwrap_or(0), abi::encode_mode(mode));
        let [[x, x_scales], [y, y_scales]] = operands;
        #[rustfmt::skip]
        let launch = mx::Finish {
            a: x, b: y, m: m32, n: n32, k: k32, pair: pair.code(), turned, a_found, b_found,
            sums: if exact { sums } else { 0 }, out, to, mode, beyond, all,
        };
        launches.push(launch.launch(None, (), some(rows)));
        #[rustfmt::skip]
        let launch = mx::Define {
            a: x, a_scales: x_scales, b: y, b_scales: y_scales, m: m32, n: n32, k: k32,
            pair: pair.code(), turned, a_found, b_found, out, to,
            how: accumulation_code(how)?, mode, beyond,
        };
        launches.push(launch.launch(None, (), some(rows)));
        self.launch_all(launches.into_iter().collect())?;
        drop((small, large));
        Ok(true)
    }
}

/// The digits of an element type, and its place among those with as many: the definition of
/// products has one order of types.
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
    /// Whether an exact product of blocks was launched on the tensor cores as that of their values
    /// in f32: these are exact unless they overflow, to infinities, with which nothing is launched.
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
}
