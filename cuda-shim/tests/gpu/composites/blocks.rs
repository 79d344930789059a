//! MX blocks: encoded, decoded, multiplied.

use super::*;

/// Lengths of slices, and of blocks.
const SLICES: [usize; 4] = [0, 1, 33, 1000];
const BLOCKS: [usize; 3] = [32, 16, 7];

fn check_blocks<T, E>(module: &Module, element: impl Fn(u8) -> E, code: impl Fn(E) -> u8) -> usize
where
    T: Element + Arithmetic,
    E: Element + scale::Element,
{
    let (mut count, gpu) = (0, module.gpu());
    let specials = Dialect {
        specials: BlockSpecials::Element,
        ..Dialect::OCP_FLOOR
    };
    let dialects = DIALECTS
        .iter()
        .map(|(_, dialect)| *dialect)
        .chain([specials]);
    let settings = SLICES
        .into_iter()
        .flat_map(|n| BLOCKS.map(|block| (n, block)));
    for (dialect, (n, block)) in dialects.flat_map(|d| settings.clone().map(move |s| (d, s))) {
        let kind = [Kind::Any, Kind::Finite, Kind::Moderate][count % 3];
        let mut x = numbers::<T>(kind, n, 31 + count % 1000);
        // One block of zeros.
        x.iter_mut().take(block).for_each(|x| {
            if count % 4 == 3 {
                *x = T::from_bits(0);
            }
        });
        let blocks = n.div_ceil(block);
        let mut elements = vec![element(0); n];
        let mut scales = vec![E8M0::NAN; blocks];
        let mut raised = Vec::new();
        for (k, values) in x.chunks(block).enumerate() {
            let part = &mut elements[k * block..k * block + values.len()];
            let scale = &mut scales[k..=k];
            let status = scale::quantise(values, block, &dialect, part, scale).unwrap();
            raised.push(u64::from(status.bits()));
        }
        let codes: Vec<u64> = elements.iter().map(|e| code(*e).into()).collect();
        let scale_codes: Vec<u64> = scales.iter().map(|s| s.to_bits().into()).collect();
        let x_there = gpu.upload(&x).unwrap();
        let random = random_words(n, 3);
        let random_there = gpu.upload_bits(Type::U16, &random).unwrap();
        let (mut drawn, mut raised_then) = (vec![element(0); n], Vec::new());
        let mut next = random.iter().map(|word| *word as u16);
        for (values, part) in x.chunks(block).zip(drawn.chunks_mut(block)) {
            let next = || next.next().unwrap();
            let scale = &mut [E8M0::NAN];
            let status =
                scale::quantise_stochastic(values, block, &dialect, next, part, scale).unwrap();
            raised_then.push(u64::from(status.bits()));
        }
        let drawn: Vec<u64> = drawn.iter().map(|e| code(*e).into()).collect();
        for grid in GRIDS {
            let on = in_grid(module, grid);
            let name = format!(
                "{} {} {n} {block} {dialect:?} {grid:?}",
                T::TYPE.name(),
                E::TYPE.name()
            );
            let mut to = dirty(module, E::TYPE, n);
            let mut scales_there = dirty(module, Type::E8m0, blocks);
            let mut flags = dirty(module, Type::U8, blocks);
            on.quantise(
                &x_there.view(),
                block,
                &dialect,
                &mut to.view_mut(),
                &mut scales_there.view_mut(),
                Some(flags.view_mut()),
            )
            .unwrap();
            assert_eq!(there(module, &to), codes, "{name}");
            assert_eq!(there(module, &scales_there), scale_codes, "{name}");
            assert_eq!(there(module, &flags), raised, "{name}");

            // Stochastically, with the same scales; without flags too, which is by another entry.
            for flagged in [true, false] {
                let mut up = dirty(module, E::TYPE, n);
                let mut scales_there = dirty(module, Type::E8m0, blocks);
                on.quantise_stochastic(
                    [&x_there.view(), &random_there.view()],
                    block,
                    &dialect,
                    &mut up.view_mut(),
                    &mut scales_there.view_mut(),
                    flagged.then(|| flags.view_mut()),
                )
                .unwrap();
                assert_eq!(there(module, &up), drawn, "stochastic {name}");
                assert_eq!(there(module, &scales_there), scale_codes, "{name}");
                assert_eq!(there(module, &flags), raised_then, "stochastic {name}");
            }

            // And back, by the dialect's mode.
            let mode = dialect.mode;
            let mut due = vec![T::from_bits(0); n];
            let union = scale::dequantise(&elements, &scales, block, mode, &mut due).unwrap();
            let mut out = dirty(module, T::TYPE, n);
            on.dequantise(
                &to.view(),
                &scales_there.view(),
                block,
                mode,
                &mut out.view_mut(),
                Some(flags.view_mut()),
            )
            .unwrap();
            assert_eq!(there(module, &out), bits(&due), "back {name}");
            let all = there(module, &flags)
                .into_iter()
                .fold(0, |all, one| all | one);
            assert_eq!(all, u64::from(union.bits()), "back {name}");
            count += blocks;
        }
        count += usize::from(n == 0);
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn mx_blocks() {
    let module = module();
    let mut count = 0;
    macro_rules! elements {
        ($($element:ident)*) => {
            $(
                let (of, code) = ($element::from_bits, $element::to_bits);
                count += check_blocks::<f32, $element>(module, of, code);
                count += check_blocks::<f16, $element>(module, of, code);
                count += check_blocks::<bf16, $element>(module, of, code);
            )*
        };
    }
    elements!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E3M2 E2M3 E2M1 MxInt8);
    report("MX blocks there and back", count);
}

fn check_dots<A, B>(
    module: &Module,
    a: impl Fn(u8) -> A,
    b: impl Fn(u8) -> B,
    masks: [u8; 2],
) -> usize
where
    A: Element + scale::Element,
    B: Element + scale::Element,
{
    let (mut count, gpu) = (0, module.gpu());
    let settings = SLICES
        .into_iter()
        .flat_map(|n| BLOCKS.map(|block| (n, block)));
    for ((n, block), mode) in settings.zip(modes().cycle()) {
        let codes: Vec<u64> = words(n + 17).skip(17).collect();
        let left: Vec<A> = codes.iter().map(|word| a(*word as u8 & masks[0])).collect();
        let right: Vec<B> = codes
            .iter()
            .map(|word| b((word >> 8) as u8 & masks[1]))
            .collect();
        let blocks = n.div_ceil(block);
        let scales = |salt: usize| -> Vec<E8M0> {
            let near = |word: u64| {
                E8M0::from_bits(if word.is_multiple_of(9) {
                    word as u8
                } else {
                    127
                })
            };
            words(blocks + salt).skip(salt).map(near).collect()
        };
        let (left_scales, right_scales) = (scales(3), scales(5));
        let (mut due, mut raised) = (Vec::new(), Vec::new());
        for (k, (a, b)) in left.chunks(block).zip(right.chunks(block)).enumerate() {
            let (sum, status): (f32, Status) =
                scale::dot_status(a, left_scales[k], b, right_scales[k], mode).unwrap();
            due.push(u64::from(sum.to_bits()));
            raised.push(u64::from(status.bits()));
        }
        let buffers = (
            gpu.upload(&left).unwrap(),
            gpu.upload(&left_scales).unwrap(),
        );
        let others = (
            gpu.upload(&right).unwrap(),
            gpu.upload(&right_scales).unwrap(),
        );
        for grid in GRIDS {
            let mut out = dirty(module, Type::F32, blocks);
            let mut flags = dirty(module, Type::U8, blocks);
            in_grid(module, grid)
                .block_dots(
                    [&buffers.0.view(), &buffers.1.view()],
                    [&others.0.view(), &others.1.view()],
                    block,
                    mode,
                    &mut out.view_mut(),
                    Some(flags.view_mut()),
                )
                .unwrap();
            let name = format!("{} {} {n} {block} {mode:?}", A::TYPE.name(), B::TYPE.name());
            assert_eq!(there(module, &out), due, "{name}");
            assert_eq!(there(module, &flags), raised, "{name}");
            count += blocks;
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn dot_products_of_blocks() {
    let module = module();
    let mut count = 0;
    macro_rules! pairs {
        ($($a:ident $b:ident $mask:literal),*) => {
            $(count += check_dots::<$a, $b>(module, $a::from_bits, $b::from_bits, [$mask; 2]);)*
        };
    }
    // NaNs and infinities are all over E5M2's; FP6 and FP4 have fewer codes.
    pairs!(
        E5M2 E5M2 0xBF, E4M3FN E4M3FN 0xF7, E5M2 E4M3FN 0xBF, E4M3FN E5M2 0xFF,
        E5M2FNUZ E5M2FNUZ 0xFF, E4M3FNUZ E4M3FNUZ 0x7F, E3M2 E3M2 0x3F, E2M3 E2M3 0x3F,
        E2M1 E2M1 0x0F, MxInt8 MxInt8 0xFF
    );
    report("dot products of MX blocks", count);
}

fn check_block_products<A, B, R>(
    module: &Module,
    left: impl Fn(u8) -> A,
    right: impl Fn(u8) -> B,
    masks: [u8; 2],
) -> usize
where
    A: Element + scale::Element,
    B: Element + scale::Element,
    R: Element + Arithmetic,
{
    let (mut count, gpu) = (0, module.gpu());
    let shapes = [
        ([5, 7], 70, 32),
        ([3, 4], 64, 32),
        ([2, 9], 7, 3),
        ([1, 1], 5, 100),
        ([6, 1], 70, 32),
        ([2, 3], 0, 32),
    ];
    let settings = shapes
        .into_iter()
        .flat_map(|shape| WAYS.map(|how| (shape, how)));
    for ((([m, n], k, block), how), mode) in settings.zip(modes().cycle()) {
        let blocks = usize::div_ceil(k, block);
        // Scales are near 1, and any now and then.
        let codes = |salt: usize, rows: usize| words(rows * k + salt).skip(salt);
        let scales = |salt: usize, rows: usize| -> Vec<E8M0> {
            let near = |word: u64| match word % 16 {
                0 => E8M0::from_bits((word >> 8) as u8),
                _ => E8M0::from_bits(117 + (word >> 8) as u8 % 20),
            };
            words(rows * blocks + salt).skip(salt).map(near).collect()
        };
        let a: Vec<A> = codes(19, m)
            .map(|word| left(word as u8 & masks[0]))
            .collect();
        let b: Vec<B> = codes(23, n)
            .map(|word| right(word as u8 & masks[1]))
            .collect();
        let (x, y) = (scales(3, m), scales(5, n));
        let left = scale::BlockMatrix::new(&a, &x, [m, k], block).unwrap();
        let right = scale::BlockMatrix::new(&b, &y, [n, k], block).unwrap();
        let mut due = vec![R::from_bits(0); m * n];
        let union = scale::gemm(&left, &right, how, mode, &mut due).unwrap();
        let (a_there, x_there) = (gpu.upload(&a).unwrap(), gpu.upload(&x).unwrap());
        let (b_there, y_there) = (gpu.upload(&b).unwrap(), gpu.upload(&y).unwrap());
        let left = BlockMatrix::new(a_there.view(), x_there.view(), [m, k], block).unwrap();
        let right = BlockMatrix::new(b_there.view(), y_there.view(), [n, k], block).unwrap();
        // The entry has so many registers that a block of 512 threads does not fit.
        let grids = GRIDS.map(|grid| grid.map(|[blocks, threads]| [blocks, threads.min(256)]));
        // Without flags by other entries.
        let turns = grids.map(|grid| (grid, true)).into_iter();
        for (grid, flagged) in turns.chain([(None, false)]) {
            let mut out = dirty(module, R::TYPE, m * n);
            let mut flags = dirty(module, Type::U8, m * n);
            let (to, raised) = (&mut out.view_mut(), flagged.then(|| flags.view_mut()));
            in_grid(module, grid)
                .block_gemm(&left, &right, how, mode, to, raised)
                .unwrap();
            let types = [A::TYPE, B::TYPE].map(Type::name);
            let name = format!("{types:?} {m} {k} {n} {block} {how:?} {mode:?}");
            assert_eq!(there(module, &out), bits(&due), "{name}");
            let all = there(module, &flags)
                .into_iter()
                .fold(0, |all, one| all | one);
            if flagged {
                assert_eq!(all, u64::from(union.bits()), "{name}");
            }
            count += m * n;
            if n == 1 {
                let mut vector = dirty(module, R::TYPE, m);
                let (x, scales, to) = (b_there.view(), y_there.view(), &mut vector.view_mut());
                in_grid(module, grid)
                    .block_gemv(&left, x, scales, how, mode, to, None)
                    .unwrap();
                assert_eq!(there(module, &vector), bits(&due), "{name}");
                count += m;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn products_of_matrices_in_blocks() {
    let module = module();
    let mut count = 0;
    macro_rules! elements {
        ($($to:ident: $($a:ident $mask:literal $b:ident $other:literal),*;)*) => {
            $($(
                let (left, right) = ($a::from_bits, $b::from_bits);
                let masks = [$mask, $other];
                count += check_block_products::<$a, $b, $to>(module, left, right, masks);
            )*)*
        };
    }
    // Of two formats, those that have entries, and those that are converted.
    elements! {
        f32: E5M2 0xBF E5M2 0xBF, E4M3FN 0xF7 E4M3FN 0xF7, E3M2 0x3F E3M2 0x3F, E2M3 0x3F E2M3 0x3F,
            E2M1 0x0F E2M1 0x0F, MxInt8 0xFF MxInt8 0xFF, E5M2 0xBF E4M3FN 0xF7, E4M3FN 0xF7 E5M2 0xBF,
            E5M2 0xBF MxInt8 0xFF, MxInt8 0xFF E5M2 0xBF, E4M3FN 0xF7 MxInt8 0xFF, MxInt8 0xFF E4M3FN 0xF7,
            E2M1 0x0F E2M3 0x3F, E3M2 0x3F E2M1 0x0F, E2M3 0x3F E3M2 0x3F, E2M1 0x0F E5M2 0xBF,
            MxInt8 0xFF E2M1 0x0F, E4M3FN 0xF7 E3M2 0x3F, E2M3 0x3F E4M3FN 0xF7;
        bf16: E5M2 0xBF E5M2 0xBF, E4M3FN 0xF7 E4M3FN 0xF7, E3M2 0x3F E3M2 0x3F, E2M3 0x3F E2M3 0x3F,
            E2M1 0x0F E2M1 0x0F, MxInt8 0xFF MxInt8 0xFF, E5M2 0xBF E4M3FN 0xF7, E4M3FN 0xF7 E5M2 0xBF,
            E5M2 0xBF MxInt8 0xFF, MxInt8 0xFF E5M2 0xBF, E4M3FN 0xF7 MxInt8 0xFF, MxInt8 0xFF E4M3FN 0xF7;
    }
    report("elements of products of matrices in MX blocks", count);
}
