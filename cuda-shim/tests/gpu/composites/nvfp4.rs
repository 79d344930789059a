//! NVFP4 blocks, and elements packed two to a byte.

use super::*;

/// Values that are an element's rounding boundary times their scales, rounded: there recipes
/// differ. The greatest value of every block makes the scale 1.5 or more.
fn near_cuts<T: Arithmetic>(n: usize, tensor_scale: f32) -> Vec<T> {
    let cuts = [0.25f32, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];
    let value = |i: usize| {
        let scale = 1.5 + (i / 16 % 12) as f32 * 0.125;
        let divisor = scale * tensor_scale;
        match i % 16 {
            0 => 6.0 * divisor,
            k => cuts[(i / 192 + k) % cuts.len()] * divisor,
        }
    };
    (0..n)
        .map(|i| convert::convert(value(i), Mode::TIES_TO_EVEN))
        .collect()
}

fn check_nvfp4<T: Element + Arithmetic>(module: &Module) -> usize {
    let (mut count, gpu) = (0, module.gpu());
    let mut seen = Vec::new();
    let recipes = [
        Nvfp4::EXACT,
        Nvfp4::TORCHAO_DIVIDED,
        Nvfp4::TORCHAO_RECIPROCAL,
    ];
    for (recipe, n) in recipes
        .into_iter()
        .flat_map(|r| [0, 1, 16, 999].map(|n| (r, n)))
    {
        let kinds = [
            (Some(Kind::Any), 1.0),
            (Some(Kind::Finite), 0.37),
            (Some(Kind::Moderate), 3e-3),
            (None, 0.37),
        ];
        for (kind, tensor_scale) in kinds {
            let x = match kind {
                Some(kind) => numbers::<T>(kind, n, 41),
                None => near_cuts(n, tensor_scale),
            };
            let blocks = n.div_ceil(16);
            let mut elements = vec![E2M1::from_bits(0); n];
            let mut scales = vec![E4M3FN::from_bits(0); blocks];
            let mut raised = Vec::new();
            for (k, values) in x.chunks(16).enumerate() {
                let part = &mut elements[16 * k..16 * k + values.len()];
                let scale = &mut scales[k..=k];
                let status =
                    scale::nvfp4_quantise(values, tensor_scale, &recipe, part, scale).unwrap();
                raised.push(u64::from(status.bits()));
            }
            let random = random_words(n, 7);
            let (mut drawn, mut raised_then) = (vec![E2M1::from_bits(0); n], Vec::new());
            let mut next = random.iter().map(|word| *word as u16);
            for (values, part) in x.chunks(16).zip(drawn.chunks_mut(16)) {
                let next = || next.next().unwrap();
                let scale = &mut [E4M3FN::from_bits(0)];
                let status = scale::nvfp4_quantise_stochastic(
                    values,
                    tensor_scale,
                    &recipe,
                    next,
                    part,
                    scale,
                );
                raised_then.push(u64::from(status.unwrap().bits()));
            }
            if kind.is_none() && n == 999 {
                seen.push(bits(&elements));
                assert_ne!(bits(&elements), bits(&drawn));
            }
            let random_there = gpu.upload_bits(Type::U16, &random).unwrap();
            let x_there = gpu.upload(&x).unwrap();
            for (grid, mode) in GRIDS.into_iter().zip(modes()) {
                let on = in_grid(module, grid);
                let name = format!("{} {kind:?} {n} {recipe:?} {grid:?}", T::TYPE.name());
                let mut to = dirty(module, Type::E2m1, n);
                let mut scales_there = dirty(module, Type::E4m3fn, blocks);
                let mut flags = dirty(module, Type::U8, blocks);
                on.nvfp4_quantise(
                    &x_there.view(),
                    tensor_scale,
                    &recipe,
                    &mut to.view_mut(),
                    &mut scales_there.view_mut(),
                    Some(flags.view_mut()),
                )
                .unwrap();
                assert_eq!(there(module, &to), bits(&elements), "{name}");
                assert_eq!(there(module, &scales_there), bits(&scales), "{name}");
                assert_eq!(there(module, &flags), raised, "{name}");

                // Stochastically, with the same scales; without flags too, which is by another
                // entry.
                for flagged in [true, false] {
                    let mut up = dirty(module, Type::E2m1, n);
                    let mut scales_there = dirty(module, Type::E4m3fn, blocks);
                    on.nvfp4_quantise_stochastic(
                        [&x_there.view(), &random_there.view()],
                        tensor_scale,
                        &recipe,
                        &mut up.view_mut(),
                        &mut scales_there.view_mut(),
                        flagged.then(|| flags.view_mut()),
                    )
                    .unwrap();
                    assert_eq!(there(module, &up), bits(&drawn), "stochastic {name}");
                    assert_eq!(there(module, &scales_there), bits(&scales), "{name}");
                    assert_eq!(there(module, &flags), raised_then, "stochastic {name}");
                }

                let mut due = vec![T::from_bits(0); n];
                let union =
                    scale::nvfp4_dequantise(&elements, &scales, tensor_scale, mode, &mut due)
                        .unwrap();
                let mut out = dirty(module, T::TYPE, n);
                on.nvfp4_dequantise(
                    &to.view(),
                    &scales_there.view(),
                    tensor_scale,
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
        }
    }
    // A recipe that was ignored would be detected.
    if T::TYPE == Type::F32 {
        let [exact, divided, reciprocal] = [0, 1, 2].map(|k| &seen[k]);
        assert!(exact != divided && divided != reciprocal && exact != reciprocal);
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn nvfp4_blocks() {
    let module = module();
    let count =
        check_nvfp4::<f32>(module) + check_nvfp4::<f16>(module) + check_nvfp4::<bf16>(module);
    report("NVFP4 blocks there and back", count);
}

fn check_packed<E: Element + Packed + Format>(module: &Module) -> usize {
    let (mut count, gpu) = (0, module.gpu());
    for n in [0, 1, 2, 3, 4, 5, 7, 64, 997] {
        let elements = numbers::<E>(Kind::Any, n, 21);
        let mut due = vec![0u8; E::packed_len(n)];
        scale::pack(&elements, &mut due).unwrap();
        let due: Vec<u64> = due.into_iter().map(u64::from).collect();
        let elements_there = gpu.upload(&elements).unwrap();
        // The unused bits of the last byte are ignored.
        let mut dirtied: Vec<u8> = due.iter().map(|byte| *byte as u8).collect();
        let used = n * <E as Format>::BITS as usize % 8;
        if used > 0 {
            *dirtied.last_mut().unwrap() |= 0xFF << used;
        }
        let bytes_there = gpu.upload(&dirtied).unwrap();
        for grid in GRIDS {
            let on = in_grid(module, grid);
            let mut bytes = dirty(module, Type::U8, due.len());
            on.pack(&elements_there.view(), &mut bytes.view_mut())
                .unwrap();
            assert_eq!(there(module, &bytes), due, "{} {n} {grid:?}", E::NAME);
            let mut back = dirty(module, E::TYPE, n);
            on.unpack(&bytes_there.view(), &mut back.view_mut())
                .unwrap();
            assert_eq!(
                there(module, &back),
                bits(&elements),
                "{} {n} {grid:?}",
                E::NAME
            );
            count += due.len() + n;
        }
    }
    let (x, mut short) = (
        gpu.upload(&numbers::<E>(Kind::Any, 9, 0)).unwrap(),
        dirty(module, Type::U8, E::packed_len(9) - 1),
    );
    let before = there(module, &short);
    assert!(matches!(
        module.composites().pack(&x.view(), &mut short.view_mut()),
        Err(Error::Block(BlockError::LengthMismatch { .. }))
    ));
    assert_eq!(there(module, &short), before);
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn packed_elements() {
    let module = module();
    let count =
        check_packed::<E2M1>(module) + check_packed::<E2M3>(module) + check_packed::<E3M2>(module);
    report("bytes and elements packed and unpacked", count);
}
