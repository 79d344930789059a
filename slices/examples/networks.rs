//! `networks`: times of the reference networks at their full size on a batch of 4 images, with one
//! thread and with all, a line each: the name, the number of threads, and the seconds of the median
//! run. The codes and logits of the last run with each number must have the recorded digest.
//! `benches/gpu/networks.py` puts PyTorch's times beside them.

use bitexact::scale::E8M0;
use bitexact_slices::Level;
use bitexact_slices::tensor::by::How;
use networks::{BATCH, GeluNet, Network, ReluNet, SEED, digest, fill_image};
use rayon::prelude::*;
use std::time::Instant;

#[path = "../tests/common/layers.rs"]
mod layers;
use layers::Slices;

const RUNS: usize = 15;
/// Networks, how many results their batch has, and the digest of these.
const RECORDED: &str = include_str!("../../host-tests/golden/composites.txt");

/// An image and what a network makes of it.
struct Item {
    image: Vec<f32>,
    scratch: Vec<f32>,
    codes: Vec<E8M0>,
    logits: Vec<f32>,
}

fn network(name: &str, network: impl Network) {
    let sizes = network.sizes();
    let mut weights = vec![0f32; sizes.weights];
    network.fill_weights(SEED, &mut weights);
    let item = |n| {
        let mut image = vec![0f32; sizes.image];
        fill_image(SEED, n as u64, &mut image);
        Item {
            image,
            scratch: vec![0.0; sizes.scratch],
            codes: vec![E8M0::NAN; sizes.codes],
            logits: vec![0.0; sizes.logits],
        }
    };
    for threads in [false, true] {
        // Blank again, so that the other runs' results are not taken for these.
        let mut batch: Vec<Item> = (0..BATCH).map(item).collect();
        let layers = Slices(How {
            level: Level::best(),
            threads,
        });
        let one = |item: &mut Item| {
            network
                .run_by(
                    &layers,
                    &weights,
                    &item.image,
                    &mut item.scratch,
                    &mut item.codes,
                    &mut item.logits,
                )
                .expect("buffers of the network's sizes");
        };
        let mut seconds: Vec<f64> = (0..RUNS + 2)
            .map(|_| {
                let start = Instant::now();
                if threads {
                    batch.par_iter_mut().for_each(one);
                } else {
                    batch.iter_mut().for_each(one);
                }
                start.elapsed().as_secs_f64()
            })
            .skip(2)
            .collect();
        seconds.sort_by(f64::total_cmp);
        let results = batch.iter().enumerate();
        let digests = results.map(|(n, item)| digest(n, &item.codes, &item.logits));
        let all = digests.reduce(|mut all, one| {
            all.merge(one);
            all
        });
        let all = all.expect("a batch");
        let line = format!("{name}_net.full.native {} {:016X}", all.count, all.sum);
        let same = RECORDED.lines().any(|recorded| recorded == line);
        assert!(same, "not as recorded: {line}");
        let count = if threads {
            rayon::current_num_threads()
        } else {
            1
        };
        println!("{name}\t{count}\t{:.9}", seconds[RUNS / 2]);
    }
}

fn main() {
    network("gelu", GeluNet::FULL);
    network("relu", ReluNet::FULL);
}
