//! The reference networks: the same codes and logits by their layers and by the documented steps,
//! in any batch, on any number of threads; and contraction by a compiler would be detected.
//! (`ci/networks.sh` compares builds.)

use crate::model::{Arithmetic, ByHost, ByOracle, Contracted, Model};
use bitexact::format::Binary32;
use bitexact::nn::Single;
use bitexact::scale::{E8M0, ScalePolicy, encode};
use networks::{GeluNet, Network, ReluNet, SEED};
use rayon::prelude::*;
use sweep_inputs::digest::Digest;

const BATCH: usize = 4;

/// The weights, or an image, as bits.
fn weights<F: Single>(network: impl Network) -> Vec<F> {
    let mut weights = vec![F::from_bits(0); network.sizes().weights];
    network.fill_weights(SEED, &mut weights);
    weights
}

fn image<F: Single>(network: impl Network, n: usize) -> Vec<F> {
    let mut image = vec![F::from_bits(0); network.sizes().image];
    networks::fill_image(SEED, n as u64, &mut image);
    image
}

fn bits<F: Single>(values: &[F]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits() as u32).collect()
}

/// Codes and logits of some images, by the layers, with one set of buffers.
fn run<F: Single>(
    network: impl Network,
    images: std::ops::Range<usize>,
) -> Vec<(Vec<E8M0>, Vec<F>)> {
    let (sizes, weights) = (network.sizes(), weights::<F>(network));
    let mut scratch = vec![F::from_bits(0x7FC0_0000); sizes.scratch];
    images
        .map(|n| {
            let mut codes = vec![E8M0::NAN; sizes.codes];
            let mut logits = vec![F::from_bits(0); sizes.logits];
            let image = image(network, n);
            network
                .run(&weights, &image, &mut scratch, &mut codes, &mut logits)
                .unwrap();
            (codes, logits)
        })
        .collect()
}

fn digest<F: Single>(first: usize, results: &[(Vec<E8M0>, Vec<F>)]) -> Digest {
    let mut digest = Digest::EMPTY;
    for (i, (codes, logits)) in results.iter().enumerate() {
        digest.merge(networks::digest(first + i, codes, logits));
    }
    digest
}

type Results = (Vec<u8>, Vec<u32>);

/// Codes and logits of image `n` by the documented steps.
trait Documented: Network + std::fmt::Debug {
    fn by<A: Arithmetic>(self, model: &Model<A>, n: usize) -> Results;
}

impl Documented for GeluNet {
    fn by<A: Arithmetic>(self, model: &Model<A>, n: usize) -> Results {
        model.gelu_net(
            self,
            &bits(&weights::<f32>(self)),
            &bits(&image::<f32>(self, n)),
        )
    }
}

impl Documented for ReluNet {
    fn by<A: Arithmetic>(self, model: &Model<A>, n: usize) -> Results {
        model.relu_net(
            self,
            &bits(&weights::<f32>(self)),
            &bits(&image::<f32>(self, n)),
        )
    }
}

fn results<F: Single>((codes, logits): &(Vec<E8M0>, Vec<F>)) -> Results {
    (
        codes.iter().map(|code| code.to_bits()).collect(),
        bits(logits),
    )
}

#[test]
fn small_networks_are_the_oracles_step_by_step() {
    fn check(network: impl Documented) {
        let model = Model::new(ByOracle::new());
        for n in 0..2 {
            let expected = network.by(&model, n);
            assert_eq!(
                results(&run::<f32>(network, n..n + 1)[0]),
                expected,
                "{network:?} in f32"
            );
            assert_eq!(
                results(&run::<Binary32>(network, n..n + 1)[0]),
                expected,
                "{network:?} on integers"
            );
        }
    }
    check(GeluNet::SMALL);
    check(ReluNet::SMALL);
}

#[test]
fn full_networks_are_the_documented_steps() {
    fn check(network: impl Documented, codes: usize) -> Digest {
        let whole = run::<f32>(network, 0..BATCH);
        let model = Model::new(ByHost);
        for (n, got) in whole.iter().enumerate() {
            assert!(
                results(got) == network.by(&model, n),
                "{network:?}, image {n}"
            );
        }
        assert_eq!(
            whole.iter().map(|(codes, _)| codes.len()).sum::<usize>(),
            codes
        );
        // The codes carry information: many differ.
        let mut seen = [false; 256];
        whole
            .iter()
            .flat_map(|(codes, _)| codes)
            .for_each(|code| seen[usize::from(code.to_bits())] = true);
        assert!(seen.iter().filter(|&&seen| seen).count() > 3);
        // They do not depend on the FPU's state.
        let integers = run::<Binary32>(network, 0..1);
        assert_eq!(digest(0, &integers), digest(0, &whole[..1]));
        digest(0, &whole)
    }
    check(GeluNet::FULL, 524_288);
    check(ReluNet::FULL, 16_384);
}

/// A batch of 4 and 4 batches of 1, on one thread and on two.
#[test]
fn neither_batches_nor_threads_are_seen() {
    fn check(network: impl Documented) {
        let whole = digest(0, &run::<f32>(network, 0..BATCH));
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            for size in [1, 2, BATCH] {
                let batches = (0..BATCH).into_par_iter().step_by(size);
                let parts =
                    batches.map(|first| digest(first, &run::<f32>(network, first..first + size)));
                let merged = pool.install(|| {
                    parts.reduce(
                        || Digest::EMPTY,
                        |mut a, b| {
                            a.merge(b);
                            a
                        },
                    )
                });
                assert_eq!(
                    merged, whole,
                    "{network:?}: batches of {size}, {threads} threads"
                );
            }
        }
    }
    check(GeluNet::FULL);
    check(ReluNet::FULL);
}

/// Products fused into the sums, as by a contracting compiler, change the logits of both networks,
/// and codes of the one whose gelu cancels. So the networks amplify differences.
#[test]
fn contracted_products_would_be_seen() {
    fn differ(network: impl Documented) -> [usize; 2] {
        let (plain, fused) = (Model::new(ByHost), Model::new(Contracted));
        let differences = |n| {
            let ((a, x), (b, y)) = (network.by(&plain, n), network.by(&fused, n));
            let codes = a.iter().zip(b).filter(|(a, b)| *a != b).count();
            [codes, x.iter().zip(y).filter(|(x, y)| *x != y).count()]
        };
        (0..BATCH)
            .into_par_iter()
            .map(differences)
            .reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]])
    }
    let (gelu, relu) = (differ(GeluNet::FULL), differ(ReluNet::FULL));
    println!("contraction changes codes and logits: gelu {gelu:?}, relu {relu:?}");
    assert!(
        gelu[0] > 0 && gelu[1] > 0 && relu[1] > 0,
        "{gelu:?} {relu:?}"
    );
}

/// The encoders' dialects are the named ones.
#[test]
fn the_encoders_are_named_presets() {
    let special = [
        0,
        1,
        0x0040_0000,
        0x0040_0001,
        0x007F_FFFF,
        0x0080_0000,
        0x7F00_0001,
        0x7F7F_FFFF,
        0x7F80_0000,
        0x7FC0_0000,
    ];
    let field = ScalePolicy::preset("inductor_bitpattern_clamp255").unwrap();
    for x in special {
        let manipulated = ((x >> 23 & 0xFFu32) + u32::from(x & 0x7F_FFFF != 0)).min(255);
        assert_eq!(
            u32::from(encode(f32::from_bits(x), &field).to_bits()),
            manipulated,
            "{x:08X}"
        );
    }
    assert_eq!(
        networks::CEILING,
        ScalePolicy::preset("cuda_rp_sat").unwrap()
    );
    assert_eq!(networks::FIELD, field);
}
