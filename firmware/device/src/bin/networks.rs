//! Runs the reference networks that fit in memory, against the digests in `checks.bin`: in the
//! integer type `Binary32`, and in the compiler's f32, which uses the FPU where there is one.
#![no_std]
#![no_main]

use bitexact::format::Binary32;
use bitexact::nn::Single;
use bitexact::scale::E8M0;
use device::{board, checks};
use networks::{BATCH, GeluNet, NAMES, Network, ReluNet, SEED};
use sweep_inputs::digest::Digest;

/// The memory of a network: all elements except the codes, and the codes.
fn batch<F: Single, const ELEMENTS: usize, const CODES: usize>(
    network: impl Network,
) -> Option<[u64; 2]> {
    let (mut memory, mut codes) = ([F::from_bits(0); ELEMENTS], [E8M0::NAN; CODES]);
    let sizes = network.sizes();
    let (weights, rest) = memory.split_at_mut_checked(sizes.weights)?;
    let (image, rest) = rest.split_at_mut_checked(sizes.image)?;
    let (scratch, rest) = rest.split_at_mut_checked(sizes.scratch)?;
    let logits = rest.get_mut(..sizes.logits)?;
    let codes = codes.get_mut(..sizes.codes)?;
    network.fill_weights(SEED, weights);
    let mut digest = Digest::EMPTY;
    for n in 0..BATCH {
        networks::fill_image(SEED, n as u64, image);
        network.run(weights, image, scratch, codes, logits).ok()?;
        digest.merge(networks::digest(n, codes, logits));
    }
    Some([digest.sum, digest.count])
}

#[cfg(networks = "small")]
#[inline(never)]
fn small<F: Single>(network: impl Network) -> Option<[u64; 2]> {
    batch::<F, 5_600, 2_048>(network)
}

#[cfg(not(networks = "small"))]
fn small<F: Single>(network: impl Network) -> Option<[u64; 2]> {
    batch::<F, 0, 0>(network)
}

#[cfg(networks = "full")]
#[inline(never)]
fn full<F: Single>(network: impl Network) -> Option<[u64; 2]> {
    batch::<F, 480_000, 131_072>(network)
}

#[cfg(not(networks = "full"))]
fn full<F: Single>(network: impl Network) -> Option<[u64; 2]> {
    batch::<F, 0, 0>(network)
}

/// In the order of [`NAMES`].
fn run(place: usize) -> Option<[u64; 2]> {
    match place {
        0 => small::<Binary32>(GeluNet::SMALL),
        1 => small::<Binary32>(ReluNet::SMALL),
        2 => small::<f32>(GeluNet::SMALL),
        3 => small::<f32>(ReluNet::SMALL),
        4 => full::<Binary32>(GeluNet::FULL),
        5 => full::<Binary32>(ReluNet::FULL),
        6 => full::<f32>(GeluNet::FULL),
        7 => full::<f32>(ReluNet::FULL),
        _ => None,
    }
}

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    match board::end(checks::run(NAMES.iter().copied(), run)) {}
}
