//! NVFP4 blocks, quantised and dequantised in spans.

use super::means::goes_up_from;
use super::{kinds, numbers, reduced, report};
use crate::{module, words};
use bitexact::format::{E2M1, E4M3FN, Format};
use bitexact::scale::{Nvfp4, Quotient};
use bitexact::{Mode, bf16, convert, f16, scale};
use cuda_shim::{Composites, Element, Module, Type};

/// Slices as NVFP4 blocks by fast entries and by the definition's, and back.
fn check_nvfp4<T: Element + Format>(module: &Module) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let least = |bits| Nvfp4 {
        least_scale: E4M3FN::from_bits(bits),
        ..Nvfp4::EXACT
    };
    let recipes = [
        Nvfp4::EXACT,
        Nvfp4::TORCHAO_DIVIDED,
        Nvfp4::TORCHAO_RECIPROCAL,
        least(0x08),
        Nvfp4 {
            quotient: Quotient::Divided,
            ..Nvfp4::EXACT
        },
        Nvfp4 {
            quotient: Quotient::Reciprocal,
            ..least(0x31)
        },
    ];
    // Powers of two and others, the ends of the domain and beyond.
    let by = [
        1.0f32,
        0.75,
        0.013,
        3e-4,
        6e-5,
        1000.0,
        1.5e-30,
        2f32.powi(100),
        2f32.powi(-80),
        2f32.powi(-100),
        1.1e-38,
        1e35,
    ];
    let longest = if reduced(module) {
        9 * 1024 + 40
    } else {
        (1 << 22) + 40
    };
    for (k, (data, n)) in kinds()
        .flat_map(|data| [512, 1550, longest, longest].map(|n| (data, n)))
        .enumerate()
    {
        let mut x = numbers::<T>(data, n, 5);
        // Multiples of a quarter: quotients at the midpoints of elements; and blocks of all
        // magnitudes.
        if k % 4 == 3 {
            for (x, word) in x.iter_mut().zip(words(n)) {
                let value = ((word >> 20) % 97) as f32 * 0.25 - 12.0;
                *x = convert::convert(value, Mode::TIES_TO_EVEN);
            }
            for block in x.chunks_mut(16).step_by(3) {
                block[7] =
                    convert::convert([6.0f32, 12.0, 3.0, 48.0][k / 4 % 4], Mode::TIES_TO_EVEN);
            }
        }
        let blocks = n.div_ceil(16);
        // Random bits, and those that decide about the midpoints and quarters of the distance
        // between elements.
        let random: Vec<u64> = words(n + 5)
            .skip(5)
            .map(|word| {
                let near = (word >> 30 & 7) * 0x2000 + [0xFFFF, 0, 1][word as usize / 8 % 3];
                [word >> 9, near][word as usize % 2] & 0xFFFF
            })
            .collect();
        let random_there = gpu.upload_bits(Type::U16, &random).unwrap();
        // Where these bits take a quotient up, and next to it, in every other block.
        let near = [0.013f32, 3e-4, 6e-5, 0.75][k / 4 % 4];
        if k % 4 == 2 {
            for (b, block) in x.chunks_mut(16).enumerate().step_by(2) {
                let divisor = (1.0 + (b / 2 % 8) as f32 / 8.0) * near;
                for (i, x) in block.iter_mut().enumerate() {
                    let value = if i == 3 {
                        6.0 * divisor
                    } else {
                        let at = goes_up_from(1 + (i + b / 2) % 7, random[16 * b + i]) * divisor;
                        f32::from_bits(at.to_bits() + [0, 1, 2, 3, 4][(b / 16 + i) % 5] - 2)
                    };
                    *x = convert::convert(value, Mode::TIES_TO_EVEN);
                }
            }
        }
        let there = gpu.upload(&x).unwrap();
        let codes: Vec<u64> = words(n + 9).skip(9).map(|word| word >> 3 & 0xF).collect();
        let scales: Vec<u64> = words(blocks + 3)
            .skip(3)
            .map(|word| word >> 5 & 0xFF)
            .collect();
        let elements_there = gpu.upload_bits(Type::E2m1, &codes).unwrap();
        let scales_there = gpu.upload_bits(Type::E4m3fn, &scales).unwrap();
        let all = |on: Composites<'_>, recipe: &Nvfp4, scale: f32| -> [Vec<u64>; 5] {
            let [mut up, mut drawn] = [(Type::E2m1, n), (Type::E4m3fn, blocks)]
                .map(|(ty, n)| gpu.upload_bits(ty, &vec![0x5; n]).unwrap());
            let (elements, codes) = (&mut up.view_mut(), &mut drawn.view_mut());
            let from = [&there.view(), &random_there.view()];
            on.nvfp4_quantise_stochastic(from, scale, recipe, elements, codes, None)
                .unwrap();
            let mut to = gpu.upload_bits(Type::E2m1, &vec![0x5; n]).unwrap();
            let mut by = gpu.upload_bits(Type::E4m3fn, &vec![0x55; blocks]).unwrap();
            on.nvfp4_quantise(
                &there.view(),
                scale,
                recipe,
                &mut to.view_mut(),
                &mut by.view_mut(),
                None,
            )
            .unwrap();
            let mut back = gpu.upload_bits(T::TYPE, &vec![0x5555_5555; n]).unwrap();
            let (elements, scales) = (elements_there.view(), scales_there.view());
            on.nvfp4_dequantise(
                &elements,
                &scales,
                scale,
                Mode::TIES_TO_EVEN,
                &mut back.view_mut(),
                None,
            )
            .unwrap();
            [to, by, back, up, drawn].map(|buffer| gpu.download_bits(&buffer.view()).unwrap())
        };
        for turn in 0..3 {
            let (recipe, scale) = (recipes[(k + 2 * turn) % 6], by[(3 * k + turn) % by.len()]);
            let (recipe, scale) = match (k % 4, turn) {
                (2, 1) => (Nvfp4::EXACT, near),
                (3, 0) => (recipe, 1.0),
                _ => (recipe, scale),
            };
            let (fast, due) = (
                all(module.composites(), &recipe, scale),
                all(module.composites().by_definition(), &recipe, scale),
            );
            for (which, (fast, due)) in fast.iter().zip(&due).enumerate() {
                let first = fast.iter().zip(due).position(|(a, b)| a != b);
                assert_eq!(
                    first,
                    None,
                    "{which} {} {data:?} {n} {recipe:?} {scale:e}: {:x?}",
                    T::TYPE.name(),
                    first.map(|at| (
                        fast[at],
                        due[at],
                        x.get(at).map(|x| x.to_bits()),
                        codes.get(at),
                        scales.get(at / 16),
                        random.get(at)
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
fn nvfp4_blocks_in_spans() {
    let module = module();
    let count =
        check_nvfp4::<f32>(module) + check_nvfp4::<f16>(module) + check_nvfp4::<bf16>(module);
    report(
        module,
        "elements, scales and values of NVFP4 blocks in spans",
        count,
    );
}

/// What is compared above would tell these from the definition: a quotient rounded to f32 in place
/// of the exact one, to nearest and stochastically, and a value rounded to f32 and then to bf16.
#[test]
fn faults_of_nvfp4_are_found() {
    let mut wrong = [0; 3];
    for tensor_scale in [0.013f32, 3e-4, 0.75] {
        // Right above and below the midpoints of the elements, in a block whose scale is 3.5 or so.
        let x: Vec<f32> = (0..4096u32)
            .map(|i| {
                let middle = [0.25f32, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0][(i % 8) as usize];
                let scale = 1.0 + (i / 16 % 8) as f32 / 8.0;
                f32::from_bits((middle * scale * tensor_scale).to_bits() + i / 128 % 3 - 1)
            })
            .collect();
        let all = |recipe: &Nvfp4| {
            let mut elements = vec![E2M1::from_bits(0); x.len()];
            let mut scales = vec![E4M3FN::from_bits(0); x.len() / 16];
            scale::nvfp4_quantise(&x, tensor_scale, recipe, &mut elements, &mut scales).unwrap();
            (elements, scales)
        };
        let due = all(&Nvfp4::EXACT);
        let other = all(&Nvfp4 {
            quotient: Quotient::Divided,
            ..Nvfp4::EXACT
        });
        wrong[0] += due
            .0
            .iter()
            .zip(&other.0)
            .filter(|(a, b)| a.to_bits() != b.to_bits())
            .count();
        let random: Vec<u16> = words(4096).map(|word| (word >> 7) as u16).collect();
        let x: Vec<f32> = (0..4096)
            .map(|i| {
                let divisor = (1.0 + (i / 16 % 8) as f32 / 8.0) * tensor_scale;
                match i % 16 {
                    0 => 6.0 * divisor,
                    k => goes_up_from(1 + k % 7, random[i].into()) * divisor,
                }
            })
            .collect();
        let all = |recipe: &Nvfp4| {
            let mut elements = vec![E2M1::from_bits(0); x.len()];
            let mut scales = vec![E4M3FN::from_bits(0); x.len() / 16];
            let mut next = random.iter().copied();
            let next = || next.next().unwrap();
            let (to, by) = (&mut elements, &mut scales);
            scale::nvfp4_quantise_stochastic(&x, tensor_scale, recipe, next, to, by).unwrap();
            elements
        };
        let (due, other) = (
            all(&Nvfp4::EXACT),
            all(&Nvfp4 {
                quotient: Quotient::Divided,
                ..Nvfp4::EXACT
            }),
        );
        let pairs = due.iter().zip(&other);
        wrong[2] += pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        for (code, element) in (1..0x7Fu8).flat_map(|code| (1..8u8).map(move |e| (code, e))) {
            let (element, scale) = ([E2M1::from_bits(element)], [E4M3FN::from_bits(code)]);
            let one = |by| -> (bf16, f32) {
                let (mut due, mut single) = ([bf16::from_bits(0)], [0f32]);
                let even = Mode::TIES_TO_EVEN;
                scale::nvfp4_dequantise(&element, &scale, by, even, &mut due).unwrap();
                scale::nvfp4_dequantise(&element, &scale, by, even, &mut single).unwrap();
                (due[0], single[0])
            };
            // A product about midway between two numbers of bf16.
            let middle = f32::from_bits(0x3F80_8000 | u32::from(code) << 16 & 0x7F_0000);
            let (due, single) = one(middle / one(1.0).1);
            let twice: bf16 = convert::convert(single, Mode::TIES_TO_EVEN);
            wrong[1] += usize::from(twice != due);
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}
