//! The reference networks on the device: the same codes and logits as on the host, for any batch
//! and grid.

mod device;

use super::module;
use bitexact::scale::E8M0;
use cuda_shim::{Composites, Error, Gpu, Module};
use device::OnDevice;
use networks::{GeluNet, Network, ReluNet, SEED};
use std::io::Write;
use std::ops::Range;
use sweep_inputs::digest::Digest;

const BATCH: usize = 4;

/// Codes and logits of some images, one after the other.
type Results = (Vec<E8M0>, Vec<f32>);

/// The codes and logits of these images.
fn there(
    network: impl OnDevice,
    on: Composites,
    gpu: &Gpu,
    weights: &cuda_shim::Buffer,
    images: &[f32],
) -> Result<Results, Error> {
    let images = gpu.upload(images)?;
    let (codes, logits) = network.launch(on, gpu, weights, &images)?;
    Ok((gpu.download(&codes.view())?, gpu.download(&logits.view())?))
}

fn images(network: impl Network, range: Range<usize>) -> Vec<f32> {
    let size = network.sizes().image;
    let mut images = vec![0.0; range.len() * size];
    for (n, image) in range.zip(images.chunks_exact_mut(size)) {
        networks::fill_image(SEED, n as u64, image);
    }
    images
}

/// On the host, image by image.
fn here(network: impl Network, weights: &[f32]) -> Results {
    let sizes = network.sizes();
    let (mut all_codes, mut all_logits) = (Vec::new(), Vec::new());
    let mut scratch = vec![0.0; sizes.scratch];
    for image in images(network, 0..BATCH).chunks_exact(sizes.image) {
        let mut codes = vec![E8M0::NAN; sizes.codes];
        let mut logits = vec![0.0; sizes.logits];
        network
            .run(weights, image, &mut scratch, &mut codes, &mut logits)
            .unwrap();
        all_codes.extend(codes);
        all_logits.extend(logits);
    }
    (all_codes, all_logits)
}

fn digest(network: impl Network, first: usize, (codes, logits): &Results) -> Digest {
    let sizes = network.sizes();
    let mut digest = Digest::EMPTY;
    let images = codes
        .chunks_exact(sizes.codes)
        .zip(logits.chunks_exact(sizes.logits));
    for (n, (codes, logits)) in images.enumerate() {
        digest.merge(networks::digest(first + n, codes, logits));
    }
    digest
}

/// `stated` is the digest that `cargo run --release -p networks --example digest` prints.
fn check(module: &Module, name: &str, network: impl OnDevice, stated: u64) {
    let mut weights = vec![0.0; network.sizes().weights];
    network.fill_weights(SEED, &mut weights);
    let weights_there = module.gpu().upload(&weights).unwrap();
    let due = here(network, &weights);
    let mut batched = None;
    for grid in [None, Some([3, 96]), Some([500, 128])] {
        let on = match grid {
            None => module.composites(),
            Some([blocks, threads]) => module.composites().in_grid(blocks, threads),
        };
        for size in [BATCH, 1] {
            let mut all = Digest::EMPTY;
            for first in (0..BATCH).step_by(size) {
                let images = images(network, first..first + size);
                let got = there(network, on, module.gpu(), &weights_there, &images).unwrap();
                all.merge(digest(network, first, &got));
                if size == BATCH && grid.is_none() {
                    batched = Some(got);
                }
            }
            assert_eq!(
                all,
                digest(network, 0, &due),
                "{name} {grid:?}, batches of {size}"
            );
            assert_eq!(all.sum, stated, "{name} {grid:?}, batches of {size}");
        }
    }
    let (codes, logits) = batched.unwrap();
    assert_eq!((codes.len(), logits.len()), (due.0.len(), due.1.len()));
    let other = |a: &E8M0, b: &E8M0| a.to_bits() != b.to_bits();
    let wrong = codes
        .iter()
        .zip(&due.0)
        .filter(|(a, b)| other(a, b))
        .count();
    let pairs = logits.iter().zip(&due.1);
    let wrong_logits = pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let _ = writeln!(
        std::io::stderr(),
        "{name}: {wrong} of {} codes and {wrong_logits} of {} logits differ from the host's; digest {stated:016X} in \
         3 grids, as a batch of {BATCH} and as {BATCH} of 1 ({})",
        codes.len(),
        logits.len(),
        module.gpu().name(),
    );
    assert_eq!((wrong, wrong_logits), (0, 0));
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn small_ones() {
    let module = module();
    check(module, "gelu small", GeluNet::SMALL, 0x1323_CBC5_2F4B_5C33);
    check(module, "relu small", ReluNet::SMALL, 0xEF11_242D_2F47_8A8F);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn full_ones() {
    let module = module();
    check(module, "gelu full", GeluNet::FULL, 0xC59B_9198_41E3_94EE);
    check(module, "relu full", ReluNet::FULL, 0x01DB_0B30_CB27_FC09);
}
