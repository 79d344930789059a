//! The reference networks by vector code and threads: the codes and logits of the kernels.

#![allow(clippy::unwrap_used)]

#[path = "common/layers.rs"]
mod layers;

use bitexact::scale::E8M0;
use bitexact_slices::Level;
use bitexact_slices::tensor::by::How;
use layers::Slices;
use networks::{BATCH, GeluNet, Network, ReluNet, SEED, fill_image};

fn check<N: Network>(network: N, batch: usize) {
    let sizes = network.sizes();
    let mut weights = vec![0f32; sizes.weights];
    network.fill_weights(SEED, &mut weights);
    for n in 0..batch {
        let mut image = vec![0f32; sizes.image];
        fill_image(SEED, n as u64, &mut image);
        let run = |how: Option<How>| {
            let (mut scratch, mut logits) = (vec![0f32; sizes.scratch], vec![0f32; sizes.logits]);
            let mut codes = vec![E8M0::ONE; sizes.codes];
            match how {
                None => network.run(&weights, &image, &mut scratch, &mut codes, &mut logits),
                Some(how) => network.run_by(
                    &Slices(how),
                    &weights,
                    &image,
                    &mut scratch,
                    &mut codes,
                    &mut logits,
                ),
            }
            .unwrap();
            let logits: Vec<u32> = logits.iter().map(|x| x.to_bits()).collect();
            let codes: Vec<u8> = codes.iter().map(|code| code.to_bits()).collect();
            (codes, logits)
        };
        let due = run(None);
        for level in Level::available() {
            for threads in [false, cfg!(feature = "rayon")] {
                let level = *level;
                assert_eq!(
                    run(Some(How { level, threads })),
                    due,
                    "{level:?} {threads}"
                );
            }
        }
    }
}

#[test]
fn gelu_net() {
    check(GeluNet::SMALL, BATCH);
    check(GeluNet::FULL, BATCH);
}

#[test]
fn relu_net() {
    check(ReluNet::SMALL, BATCH);
    check(ReluNet::FULL, BATCH);
}
