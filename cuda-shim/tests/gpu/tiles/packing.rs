//! Packing of elements narrower than a byte.

use super::{Data, numbers, reduced, report, same};
use crate::{module, words};
use bitexact::format::{E2M1, E2M3, E3M2, Format};
use bitexact::scale;
use cuda_shim::{Element, Module, Type};

/// Elements of any codes packed and unpacked, from places that are aligned and others, with what
/// lies about the results.
fn check_packing<E: Element + Format + scale::Packed>(module: &Module) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let mut lengths = vec![0, 1, 4095, 4096, 4097, 4099, 8192, 5 * 4096 + 2047];
    if !reduced(module) {
        lengths.extend([1 << 22, (1 << 24) + 3]);
    }
    for (k, n) in lengths.into_iter().enumerate() {
        for (turn, [from, to]) in [[0, 0], [16, 32], [8, 0], [0, 8], [3, 5]]
            .into_iter()
            .enumerate()
        {
            let elements = numbers::<E>(Data::Any, from + n, 5 * k as u64 + turn as u64);
            let packed = E::packed_len(n);
            let mut due = vec![0; packed];
            scale::pack(&elements[from..], &mut due).unwrap();
            let elements_there = gpu.upload(&elements).unwrap();
            let elements_there = elements_there.slice(from..from + n).unwrap();
            let before: Vec<u64> = words(to + packed + 16).map(|word| word & 0xFF).collect();
            let mut around = before.clone();
            for (word, due) in around[to..].iter_mut().zip(&due) {
                *word = (*due).into();
            }
            let best = module.composites();
            for on in [best, best.in_blocks(2), best.in_blocks(1)] {
                let mut bytes = gpu.upload_bits(Type::U8, &before).unwrap();
                let mut part = bytes.slice_mut(to..to + packed).unwrap();
                on.pack(&elements_there, &mut part).unwrap();
                let name = E::TYPE.name();
                same(&gpu.download_bits(&bytes.view()).unwrap(), &around, || {
                    format!("{name} {n} packed from {from} to {to}")
                });
                count += packed;
            }
            // And back, from there to here.
            let bytes = gpu.upload_bits(Type::U8, &around).unwrap();
            let mask = (1 << <E as Format>::BITS) - 1;
            let before: Vec<u64> = words(from + n + 16).map(|word| word & mask).collect();
            let mut around = before.clone();
            for (word, due) in around[from..].iter_mut().zip(&elements[from..]) {
                *word = Format::to_bits(*due);
            }
            for on in [best, best.in_blocks(2), best.in_blocks(1)] {
                let mut back = gpu.upload_bits(E::TYPE, &before).unwrap();
                let mut part = back.slice_mut(from..from + n).unwrap();
                on.unpack(&bytes.slice(to..to + packed).unwrap(), &mut part)
                    .unwrap();
                let name = E::TYPE.name();
                same(&gpu.download_bits(&back.view()).unwrap(), &around, || {
                    format!("{name} {n} unpacked from {to} to {from}")
                });
                count += n;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn packing_by_16_bytes() {
    let module = module();
    let count = check_packing::<E2M1>(module)
        + check_packing::<E2M3>(module)
        + check_packing::<E3M2>(module);
    report(module, "bytes and elements of packing by 16 bytes", count);
    // Whole tiles are made there: what has no blocks is refused.
    let gpu = module.gpu();
    let (n, on) = (4096, module.composites().in_blocks(0));
    let mut elements = gpu.zeros_of(Type::E2m3, n).unwrap();
    let mut bytes = gpu.zeros_of(Type::U8, n / 4 * 3).unwrap();
    let refused = [
        on.pack(&elements.view(), &mut bytes.view_mut()),
        on.unpack(&bytes.view(), &mut elements.view_mut()),
    ];
    assert!(refused.iter().all(Result::is_err), "not by 16 bytes");
}
