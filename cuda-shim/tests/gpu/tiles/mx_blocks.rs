//! MX blocks, quantised and dequantised in spans.

use super::{Data, kinds, numbers, reduced, report};
use crate::{module, words};
use bitexact::format::Format;
use bitexact::scale::{DIALECTS, Dialect};
use bitexact::{Mode, bf16, f16};
use cuda_shim::{Composites, Element, Module, Type};

/// Slices as MX blocks by fast entries and by the definition's, and back.
fn check_blocks<T: Element + Format>(module: &Module, element: Type) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let dialects: Vec<Dialect> = DIALECTS.iter().map(|(_, dialect)| *dialect).collect();
    let longest = if reduced(module) {
        9 * 1024 + 40
    } else {
        (1 << 22) + 40
    };
    for (k, (data, n)) in kinds()
        .flat_map(|data| [1024, 3100, longest].map(|n| (data, n)))
        .enumerate()
    {
        let mut x = numbers::<T>(data, n, 5);
        // Magnitudes of blocks over the whole range, a block of zeros, and one of subnormal
        // numbers.
        if matches!(data, Data::Normal | Data::Nans | Data::Infinities) {
            for (b, block) in x.chunks_mut(32).enumerate() {
                let shift = |code: u64, by: u64| {
                    let field = (code & (T::SIGN - 1)) >> (T::PRECISION - 1);
                    let most = T::MAX_FINITE >> (T::PRECISION - 1);
                    let to = (field + by) % (most + 1);
                    code & (T::SIGN | ((1 << (T::PRECISION - 1)) - 1)) | to << (T::PRECISION - 1)
                };
                for x in block {
                    if x.to_bits() & (T::SIGN - 1) <= T::MAX_FINITE {
                        *x = T::from_bits(if b % 37 == 5 {
                            0
                        } else {
                            shift(x.to_bits(), 11 * b as u64)
                        });
                    }
                }
            }
        }
        let x_there = gpu.upload(&x).unwrap();
        let blocks = n.div_ceil(32);
        // Codes and scales of all kinds.
        let codes: Vec<u64> = words(n + 9)
            .skip(9)
            .map(|word| {
                word >> 3
                    & match element {
                        Type::E2m1 => 0xF,
                        Type::E2m3 | Type::E3m2 => 0x3F,
                        _ => 0xFF,
                    }
            })
            .collect();
        let scales: Vec<u64> = words(blocks + 3)
            .skip(3)
            .map(|word| word >> 5 & 0xFF)
            .collect();
        let elements_there = gpu.upload_bits(element, &codes).unwrap();
        let scales_there = gpu.upload_bits(Type::E8m0, &scales).unwrap();
        // All random bits, and those at the ends.
        let random: Vec<u64> = words(n + 5)
            .skip(5)
            .map(|word| [word >> 9 & 0xFFFF, 0, 0xFFFF, word >> 9 & 0xFFFF][word as usize % 4])
            .collect();
        let random_there = gpu.upload_bits(Type::U16, &random).unwrap();
        let all = |on: Composites<'_>, dialect: &Dialect| -> [Vec<u64>; 5] {
            let [mut up, mut drawn] = [(element, n), (Type::E8m0, blocks)]
                .map(|(ty, n)| gpu.upload_bits(ty, &vec![0x55; n]).unwrap());
            let (elements, codes) = (&mut up.view_mut(), &mut drawn.view_mut());
            let from = [&x_there.view(), &random_there.view()];
            on.quantise_stochastic(from, 32, dialect, elements, codes, None)
                .unwrap();
            let mut to = gpu.upload_bits(element, &vec![0x55; n]).unwrap();
            let mut scales = gpu.upload_bits(Type::E8m0, &vec![0x55; blocks]).unwrap();
            let (elements, codes) = (&mut to.view_mut(), &mut scales.view_mut());
            on.quantise(&x_there.view(), 32, dialect, elements, codes, None)
                .unwrap();
            let mut back = gpu.upload_bits(T::TYPE, &vec![0x5555_5555; n]).unwrap();
            let (from, by) = (elements_there.view(), scales_there.view());
            on.dequantise(
                &from,
                &by,
                32,
                Mode::TIES_TO_EVEN,
                &mut back.view_mut(),
                None,
            )
            .unwrap();
            [to, scales, back, up, drawn].map(|buffer| gpu.download_bits(&buffer.view()).unwrap())
        };
        for dialect in [
            dialects[k % dialects.len()],
            dialects[(k + 3) % dialects.len()],
        ] {
            let (fast, due) = (
                all(module.composites(), &dialect),
                all(module.composites().by_definition(), &dialect),
            );
            for (fast, due) in fast.iter().zip(&due) {
                let first = fast.iter().zip(due).position(|(a, b)| a != b);
                assert_eq!(
                    first,
                    None,
                    "{} {element:?} {data:?} {n} {dialect:?}: {:?}",
                    T::TYPE.name(),
                    first.map(|at| (
                        fast[at],
                        due[at],
                        x.get(at).map(|x| x.to_bits()),
                        x.get(at / 32 * 32..at / 32 * 32 + 32)
                            .map(|b| b.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
                    ))
                );
                count += fast.len();
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn mx_blocks_in_spans() {
    let module = module();
    let mut count = 0;
    for element in [
        Type::E5m2,
        Type::E4m3fn,
        Type::E5m2fnuz,
        Type::E4m3fnuz,
        Type::E3m2,
        Type::E2m3,
        Type::E2m1,
        Type::Mxint8,
    ] {
        count += check_blocks::<f32>(module, element);
        count += check_blocks::<f16>(module, element);
        count += check_blocks::<bf16>(module, element);
    }
    report(
        module,
        "elements, scales and values of MX blocks in spans",
        count,
    );
}
