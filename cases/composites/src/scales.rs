//! MX and NVFP4 blocks, and narrow elements in whole bytes.

use crate::code::{Code, Typed};
use crate::reductions::in_lanes;
use crate::tensors::accumulation;
use crate::{Done, Item, LENGTH, Outputs};
use bitexact::catalog::Refused;
use bitexact::format::{Arithmetic, E2M1, E4M3FN, Format};
use bitexact::scale::{
    self, BlockMatrix, BlockSpecials, DIALECTS, Dialect, E8M0, Element, Nvfp4, Packed, Quotient,
};

fn dialect(item: &Item) -> Result<Dialect, Refused> {
    let [_, dialect, specials, ..] = item.sizes;
    let (_, dialect) = DIALECTS.get(dialect).ok_or(Refused)?;
    let specials = if specials == 0 {
        dialect.specials
    } else {
        BlockSpecials::Element
    };
    Ok(Dialect {
        specials,
        ..*dialect
    })
}

/// One output for all values together.
pub fn block_scale<F: Arithmetic + Code, E: Element + Code>(
    item: &Item,
    out: &mut Outputs,
) -> Done {
    let (scale, status) = scale::block_scale::<F, E>(item.a.typed().get(), &dialect(item)?);
    out.values(&[scale]);
    out.status(status);
    Ok(())
}

pub fn quantise_block<F: Arithmetic + Code, E: Element + Code>(
    item: &Item,
    out: &mut Outputs,
) -> Done {
    let [_, _, _, scale, ..] = item.sizes;
    let x = item.a.typed::<F>();
    let mut elements = Typed::<E>::zeros(x.length);
    let scale = E8M0::of(scale as u32);
    let status = scale::quantise_block(x.get(), scale, &dialect(item)?, elements.get_mut())?;
    out.values(elements.get());
    out.status(status);
    Ok(())
}

pub fn quantise<F: Arithmetic + Code, E: Element + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [block, ..] = item.sizes;
    let x = item.a.typed::<F>();
    let mut elements = Typed::<E>::zeros(x.length);
    let mut scales = Typed::<E8M0>::zeros(x.length.div_ceil(block.max(1)));
    let (values, dialect) = (x.get(), dialect(item)?);
    let status = scale::quantise(
        values,
        block,
        &dialect,
        elements.get_mut(),
        scales.get_mut(),
    )?;
    out.values(scales.get());
    out.values(elements.get());
    out.status(status);
    Ok(())
}

pub fn dequantise<E: Element + Code, R: Format + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [block, ..] = item.sizes;
    let (elements, scales) = (item.a.typed::<E>(), item.b.typed::<E8M0>());
    let mut values = Typed::<R>::zeros(elements.length);
    let (elements, scales) = (elements.get(), scales.get());
    let status = scale::dequantise(elements, scales, block, item.mode, values.get_mut())?;
    out.values(values.get());
    out.status(status);
    Ok(())
}

pub fn dot<A, B, R>(item: &Item, out: &mut Outputs) -> Done
where
    A: Element + Code,
    B: Element + Code,
    R: Arithmetic + Code,
{
    let [first, second, ..] = item.sizes.map(|scale| E8M0::of(scale as u32));
    let (a, b) = (item.a.typed::<A>(), item.b.typed::<B>());
    let (sum, status) = scale::dot_status::<A, B, R>(a.get(), first, b.get(), second, item.mode)?;
    out.values(&[sum]);
    out.status(status);
    Ok(())
}

/// The scales of `a`, which has this many blocks, and those of `b`.
fn scales(item: &Item, blocks: usize) -> Result<(&[u32], &[u32]), Refused> {
    item.c.get().split_at_checked(blocks).ok_or(Refused)
}

pub fn dot_general<A, B, R>(item: &Item, out: &mut Outputs) -> Done
where
    A: Element + Code,
    B: Element + Code,
    R: Arithmetic + Code,
{
    let [block, how, ..] = item.sizes;
    let (a, b) = (item.a.typed::<A>(), item.b.typed::<B>());
    let (x, y) = scales(item, a.length.div_ceil(block.max(1)))?;
    let (x, y) = (Typed::<E8M0>::of(x), Typed::<E8M0>::of(y));
    let (sum, status) = scale::dot_general_status::<A, B, R>(
        a.get(),
        x.get(),
        b.get(),
        y.get(),
        block,
        accumulation(how),
        item.mode,
    )?;
    out.values(&[sum]);
    out.status(status);
    Ok(())
}

pub fn dot_general_lanes<A, B, R>(item: &Item, out: &mut Outputs) -> Done
where
    A: Element + Code,
    B: Element + Code,
    R: Arithmetic + Code,
{
    dot_general::<A, B, R>(&in_lanes(item, 1, 4), out)
}

pub fn gemm<A, B, R>(item: &Item, out: &mut Outputs) -> Done
where
    A: Element + Code,
    B: Element + Code,
    R: Arithmetic + Code,
{
    let [m, k, n, block, how, ..] = item.sizes;
    let (a, b) = (item.a.typed::<A>(), item.b.typed::<B>());
    let (x, y) = scales(item, m * k.div_ceil(block.max(1)))?;
    let (x, y) = (Typed::<E8M0>::of(x), Typed::<E8M0>::of(y));
    let a = BlockMatrix::new(a.get(), x.get(), [m, k], block)?;
    let b = BlockMatrix::new(b.get(), y.get(), [n, k], block)?;
    let mut product = Typed::<R>::zeros(m * n);
    let status = scale::gemm(&a, &b, accumulation(how), item.mode, product.get_mut())?;
    out.values(product.get());
    out.status(status);
    Ok(())
}

/// One output for every value.
pub fn nvfp4_tensor_scale<F: Code>(item: &Item, out: &mut Outputs) -> Done {
    for amax in item.a.get() {
        out.word(scale::nvfp4_tensor_scale(f32::from_bits(*amax)).to_bits());
    }
    Ok(())
}

fn tensor_scale(item: &Item) -> f32 {
    f32::from_bits(item.c.get().first().copied().unwrap_or(0))
}

pub fn nvfp4_quantise<F: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [quotient, least, ..] = item.sizes;
    let recipe = Nvfp4 {
        least_scale: E4M3FN::from_bits(if least == 0 { 0x00 } else { 0x08 }),
        quotient: match quotient {
            0 => Quotient::Exact,
            1 => Quotient::Divided,
            _ => Quotient::Reciprocal,
        },
    };
    let x = item.a.typed::<F>();
    let mut elements = Typed::<E2M1>::zeros(x.length);
    let mut scales = Typed::<E4M3FN>::zeros(x.length.div_ceil(16));
    let (elements_out, scales_out) = (elements.get_mut(), scales.get_mut());
    let status = scale::nvfp4_quantise(
        x.get(),
        tensor_scale(item),
        &recipe,
        elements_out,
        scales_out,
    )?;
    out.values(scales.get());
    out.values(elements.get());
    out.status(status);
    Ok(())
}

pub fn nvfp4_dequantise<R: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let (elements, scales) = (item.a.typed::<E2M1>(), item.b.typed::<E4M3FN>());
    let mut values = Typed::<R>::zeros(elements.length);
    let (elements, scales) = (elements.get(), scales.get());
    let out_values = values.get_mut();
    let status =
        scale::nvfp4_dequantise(elements, scales, tensor_scale(item), item.mode, out_values)?;
    out.values(values.get());
    out.status(status);
    Ok(())
}

pub fn pack<F: Packed + Code>(item: &Item, out: &mut Outputs) -> Done {
    let elements = item.a.typed::<F>();
    let mut bytes = [0; LENGTH];
    let bytes = bytes
        .get_mut(..F::packed_len(elements.length))
        .ok_or(Refused)?;
    scale::pack(elements.get(), bytes)?;
    bytes.iter().for_each(|byte| out.word((*byte).into()));
    Ok(())
}

pub fn unpack<F: Packed + Code>(item: &Item, out: &mut Outputs) -> Done {
    let [length, ..] = item.sizes;
    let mut bytes = [0; LENGTH];
    for (byte, word) in bytes.iter_mut().zip(item.a.get()) {
        *byte = *word as u8;
    }
    let bytes = bytes.get(..item.a.get().len()).ok_or(Refused)?;
    let mut elements = Typed::<F>::zeros(length);
    scale::unpack(bytes, elements.get_mut())?;
    out.values(elements.get());
    Ok(())
}
