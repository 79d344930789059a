//! Chains of casts and sums along a dim, including a cast that a compiler dropped.

use bitexact::reduce::{Lanes, Order, sum, sum_by, sum_status};
use bitexact::tensor::{View, ViewMut, cast_chain, cast_chain_status, cast_chain_view, sum_dim};
use bitexact::{Mode, Status, bf16, f16};
use host_tests::domain::SplitMix64;

const ORDERS: [Order; 5] = [
    Order::Sequential,
    Order::Pairwise,
    Order::Neumaier,
    Order::Lanes(Lanes::new(4).unwrap()),
    Order::Lanes(Lanes::new(64).unwrap()),
];

/// `arange(20).reshape(5, 4) / 7` in f32; its transpose is the seed's x.
fn sevenths() -> [f32; 20] {
    core::array::from_fn(|i| i as f32 / 7.0)
}

/// The vectors' rows of hexadecimal words below a key.
fn words(key: &str) -> Vec<u32> {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../vectors/seed003_f16_roundtrip.json")).unwrap();
    fn collect(value: &serde_json::Value, into: &mut Vec<u32>) {
        match value {
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
            other => into.push(u32::from_str_radix(other.as_str().unwrap(), 16).unwrap()),
        }
    }
    let mut all = Vec::new();
    collect(&vectors[key], &mut all);
    all
}

#[test]
fn a_round_trip_through_f16_rounds_and_its_row_sums_are_the_seeds() {
    let data = sevenths();
    let x = View::contiguous(&data, [5, 4])
        .unwrap()
        .transpose(0, 1)
        .unwrap();
    let mut through = [0f32; 20];
    let mut out = ViewMut::contiguous(&mut through, [4, 5]).unwrap();
    let mode = Mode::TIES_TO_EVEN;
    let status = cast_chain_view::<(f32, f16, f32), 2>(&x, mode, &mut out).unwrap();
    assert_eq!(status, Status::INEXACT);
    assert_eq!(through.map(f32::to_bits).to_vec(), words("via_f16"));

    let y = View::contiguous(&through, [4, 5]).unwrap();
    for order in ORDERS {
        let mut sums = [0f32; 4];
        let mut out = ViewMut::contiguous(&mut sums, [4, 1]).unwrap();
        let status = sum_dim(&y, 1, order, mode, &mut out).unwrap();
        // These sums are exact, so they do not depend on the order.
        assert_eq!(status, Status::NONE);
        assert_eq!(sums.map(f32::to_bits).to_vec(), words("sum_dim1_via_f16"));
        let expected = [5.712890625, 6.428466796875, 7.1435546875, 7.857177734375];
        assert_eq!(sums.map(f64::from), expected);
    }

    let narrow: Vec<u32> = words("x_f32")
        .into_iter()
        .map(|x| {
            let y: bf16 = cast_chain::<(f32, bf16)>(f32::from_bits(x), mode);
            let back: f32 = cast_chain::<(f32, bf16, f32)>(f32::from_bits(x), mode);
            assert_eq!(u32::from(y.to_bits()) << 16, back.to_bits());
            back.to_bits()
        })
        .collect();
    assert_eq!(narrow, words("via_bf16"));
}

#[test]
fn every_step_of_a_chain_happens_and_adds_its_status() {
    // Through bf16 and then f16: 2^-133 survives the first and not the second.
    let x = f32::from_bits(0x0001_0000);
    let (y, status) = cast_chain_status::<(f32, bf16, f16, f32)>(x, Mode::TIES_TO_EVEN);
    assert_eq!(
        (y.to_bits(), status),
        (0, Status::UNDERFLOW | Status::INEXACT)
    );
    let (y, status) = cast_chain_status::<(f32, bf16, f16, f32)>(x, Mode::TOWARD_POSITIVE);
    assert_eq!(
        (y.to_bits(), status),
        (0x3380_0000, Status::UNDERFLOW | Status::INEXACT)
    );
    // Rounding twice differs from rounding once: 1 + 2^-8 + 2^-20 to bf16 directly is above the
    // tie.
    let x = 1.0 + f32::powi(2.0, -8) + f32::powi(2.0, -20);
    let once: bf16 = cast_chain::<(f32, bf16)>(x, Mode::TIES_TO_EVEN);
    let twice: bf16 = cast_chain::<(f32, f16, bf16)>(x, Mode::TIES_TO_EVEN);
    assert_eq!((once.to_bits(), twice.to_bits()), (0x3F81, 0x3F80));
    let odd: f16 = cast_chain::<(f32, f16)>(x, Mode::TO_ODD);
    let innocuous: bf16 = cast_chain::<(f16, bf16)>(odd, Mode::TIES_TO_EVEN);
    assert_eq!(innocuous, once);
}

/// The declared trees, in the host's own f32 additions.
fn expected(values: &[f32], order: Order) -> f32 {
    match (values, order) {
        ([], _) => 0.0,
        ([only], _) => *only,
        (values, Order::Sequential) => values.iter().copied().reduce(|a, x| a + x).unwrap(),
        (values, Order::Pairwise) => {
            let mut split = 1;
            while split * 2 < values.len() {
                split *= 2;
            }
            expected(&values[..split], order) + expected(&values[split..], order)
        }
        (values, Order::Neumaier) => {
            let (mut sum, mut correction) = (values[0], None);
            for &x in &values[1..] {
                let total = sum + x;
                let error = if sum.abs() >= x.abs() {
                    (sum - total) + x
                } else {
                    (x - total) + sum
                };
                correction = Some(correction.map_or(error, |correction: f32| correction + error));
                sum = total;
            }
            correction.map_or(sum, |correction| sum + correction)
        }
        (values, Order::Lanes(lanes)) => {
            let lanes = lanes.count().min(values.len());
            let mut sums = values[..lanes].to_vec();
            for (i, x) in values.iter().enumerate().skip(lanes) {
                sums[i % lanes] += x;
            }
            expected(&sums, Order::Pairwise)
        }
        (_, other) => panic!("{other:?}"),
    }
}

#[test]
fn sums_follow_the_declared_tree() {
    let mut random = SplitMix64::at(0xB17E, 1);
    for length in (0..=67).chain([255, 256, 257, 1000]) {
        let values: Vec<f32> = (0..length)
            .map(|_| (random.next() as i32) as f32 * 2f32.powi(-20))
            .collect();
        for order in ORDERS {
            let got: f32 = sum(&values, order, Mode::TIES_TO_EVEN);
            assert_eq!(
                got.to_bits(),
                expected(&values, order).to_bits(),
                "{length} {order:?}"
            );
            let (by_iterator, _): (f32, _) =
                sum_by(values.iter().copied(), order, Mode::TIES_TO_EVEN);
            assert_eq!(by_iterator.to_bits(), got.to_bits());
        }
    }
}

#[test]
fn a_sum_in_narrow_steps_converts_its_first_element() {
    let third = 1.0f32 / 3.0;
    let (one, status): (bf16, _) = sum_status(&[third], Order::Sequential, Mode::TOWARD_POSITIVE);
    assert_eq!((one.to_bits(), status), (0x3EAB, Status::INEXACT));
    let (none, status): (bf16, _) = sum_status::<f32, _>(&[], Order::Pairwise, Mode::TO_ODD);
    assert_eq!((none.to_bits(), status), (0, Status::NONE));
    // A sum of only -0 keeps its sign; toward negative, cancellation gives -0.
    let zero: f32 = sum(&[-0.0f32], Order::Sequential, Mode::TIES_TO_EVEN);
    assert_eq!(zero.to_bits(), 0x8000_0000);
    let zero: f16 = sum(&[1.0f32, -1.0], Order::Sequential, Mode::TOWARD_NEGATIVE);
    assert_eq!(zero.to_bits(), 0x8000);
}
