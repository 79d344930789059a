//! Exact sums and dot products of slices, in bins.

use super::{Data, definition, kinds, numbers, reduced, report, watched};
use crate::module;
use bitexact::format::Format;
use bitexact::reduce::Accumulable;
use bitexact::{Mode, Rounding, Status, bf16, f16, reduce};
use cuda_shim::{Composites, Element, Module, Type};

/// Sums and dot products of a part of a slice, with flags, against the kernels' own here.
fn check_sums<T, R>(module: &Module) -> usize
where
    T: Element + Accumulable,
    R: Element + Format,
{
    let (gpu, mut count) = (module.gpu(), 0);
    let modes: Vec<Mode> = Rounding::ALL.map(Mode::ieee).into_iter().collect();
    let longest = if reduced(module) { 70_003 } else { 3_000_001 };
    let lengths = [0usize, 1, 2, 7, 8, 9, 31, 64, 255, 2048, 5000, longest];
    for (k, (data, n)) in kinds()
        .flat_map(|data| lengths.map(|n| (data, n)))
        .enumerate()
    {
        // From a place that is aligned, and others.
        let from = [0, 1, 8, 3, 5][k % 5];
        let (a, b) = (
            numbers::<T>(data, from + n, 3),
            numbers::<T>(data, from + n, 4),
        );
        let (x, y) = (gpu.upload(&a).unwrap(), gpu.upload(&b).unwrap());
        let (x, y) = (
            x.slice(from..from + n).unwrap(),
            y.slice(from..from + n).unwrap(),
        );
        let (a, b) = (&a[from..], &b[from..]);
        for (mode, on) in [
            (modes[k % modes.len()], module.composites()),
            (
                modes[(k + 1) % modes.len()],
                module.composites().in_blocks(1),
            ),
            (Mode::TIES_TO_EVEN, module.composites().in_blocks(3)),
        ] {
            let due: [(R, Status); 2] = [
                reduce::sum_exact_status(a, mode),
                reduce::dot_exact_status(a, b, mode).unwrap(),
            ];
            for (which, (due, status)) in due.into_iter().enumerate() {
                let mut out = gpu.upload_bits(R::TYPE, &[0x5A5A_5A5A]).unwrap();
                let mut flags = gpu.upload_bits(Type::U8, &[0x5A]).unwrap();
                let (to, raised) = (&mut out.view_mut(), Some(flags.view_mut()));
                match which {
                    0 => on.sum_exact(&x, mode, to, raised),
                    _ => on.dot_exact(&x, &y, mode, to, raised),
                }
                .unwrap();
                let got =
                    [out.view(), flags.view()].map(|view| gpu.download_bits(&view).unwrap()[0]);
                let due = [due.to_bits(), status.bits().into()];
                let name = ["sum", "dot"][which];
                assert_eq!(
                    got,
                    due,
                    "{name} {} {data:?} {n} from {from} {mode:?}",
                    T::TYPE.name()
                );
                count += 1;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn exact_sums_in_bins() {
    let module = module();
    let count = check_sums::<f16, f16>(module)
        + check_sums::<f16, f32>(module)
        + check_sums::<bf16, bf16>(module)
        + check_sums::<bf16, f32>(module)
        + check_sums::<f32, f32>(module)
        + check_sums::<f32, f16>(module);
    report(module, "exact sums and dot products in bins", count);
}

/// Against the definition's entries: several flushes. Too long for the emulated device.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn long_exact_sums_in_bins() {
    let module = module();
    let n = if watched() { 1 << 21 } else { 300_000_000 };
    let (gpu, mut count) = (module.gpu(), 0);
    for data in [
        Data::Finite,
        Data::Normal,
        Data::Cancelling,
        Data::Subnormal,
    ] {
        let tile: Vec<u64> = numbers::<f32>(data, 1 << 20, 9)
            .iter()
            .map(|x| x.to_bits().into())
            .collect();
        for ty in [Type::Bf16, Type::F16, Type::F32] {
            let tile: Vec<u64> = tile
                .iter()
                .map(|bits| {
                    if ty == Type::F16 {
                        bits >> 16 & 0xBBFF
                    } else {
                        bits >> (32 - 8 * ty.bytes())
                    }
                })
                .collect();
            let (x, y) = (
                gpu.upload_repeated(ty, &tile, n).unwrap(),
                gpu.upload_repeated(ty, &tile[1..], n).unwrap(),
            );
            let all = |on: Composites<'_>| -> Vec<u64> {
                let mut out = gpu.zeros::<f32>(2).unwrap();
                on.sum_exact(
                    &x.view(),
                    Mode::TIES_TO_EVEN,
                    &mut out.slice_mut(0..1).unwrap(),
                    None,
                )
                .unwrap();
                on.dot_exact(
                    &x.view(),
                    &y.view(),
                    Mode::TIES_TO_EVEN,
                    &mut out.slice_mut(1..2).unwrap(),
                    None,
                )
                .unwrap();
                gpu.download_bits(&out.view()).unwrap()
            };
            let due = all(definition(module, n));
            for on in [
                module.composites(),
                module.composites().in_blocks(40),
                module.composites().in_blocks(1),
            ] {
                assert_eq!(all(on), due, "{ty:?} {data:?}");
                count += 2;
            }
        }
    }
    report(module, "long exact sums", count);
}
