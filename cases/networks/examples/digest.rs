//! Prints the digest of each network at each size over a batch of four images, run as one batch by
//! one thread, image by image with separate buffers, and by two threads. All have to agree.
//!
//! `cargo run --release -p networks --example digest [small]`

use bitexact::nn::Single;
use bitexact::scale::E8M0;
use networks::{GeluNet, Network, ReluNet, SEED};
use sweep_inputs::digest::Digest;

const BATCH: usize = 4;

/// The images of a batch, one after the other, with one set of buffers.
fn batch<F: Single>(
    network: impl Network,
    weights: &[F],
    images: std::ops::Range<usize>,
) -> Digest {
    let sizes = network.sizes();
    let zero = F::from_bits(0);
    let mut image = vec![zero; sizes.image];
    let mut scratch = vec![zero; sizes.scratch];
    let mut codes = vec![E8M0::NAN; sizes.codes];
    let mut logits = vec![zero; sizes.logits];
    let mut digest = Digest::EMPTY;
    for n in images {
        networks::fill_image(SEED, n as u64, &mut image);
        network
            .run(weights, &image, &mut scratch, &mut codes, &mut logits)
            .expect("the buffers have the sizes that the network states");
        digest.merge(networks::digest(n, &codes, &logits));
    }
    digest
}

fn show(name: &str, network: impl Network) {
    let mut weights = vec![0f32; network.sizes().weights];
    network.fill_weights(SEED, &mut weights);
    let whole = batch(network, &weights, 0..BATCH);
    println!(
        "{name} batch of {BATCH}: {:016X} of {}",
        whole.sum, whole.count
    );

    let mut single = Digest::EMPTY;
    for n in 0..BATCH {
        single.merge(batch(network, &weights, n..n + 1));
    }
    assert_eq!(single, whole, "{name}: {BATCH} batches of 1");

    let halves = std::thread::scope(|scope| {
        let weights = &weights;
        [0..BATCH / 2, BATCH / 2..BATCH]
            .map(|images| scope.spawn(move || batch(network, weights, images)))
            .map(|half| half.join().expect("no thread panics"))
    });
    let mut threads = halves[1];
    threads.merge(halves[0]);
    assert_eq!(threads, whole, "{name}: 2 threads");
}

fn main() {
    show("gelu small", GeluNet::SMALL);
    show("relu small", ReluNet::SMALL);
    if std::env::args().nth(1).as_deref() != Some("small") {
        show("gelu full", GeluNet::FULL);
        show("relu full", ReluNet::FULL);
    }
}
