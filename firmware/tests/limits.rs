//! The limits that no digest of the application shows.

use bitexact::bf16;
use firmware::network::Activity;
use firmware::sensor::Sensor;

/// Of equal probabilities the first counts; NaN is none.
#[test]
fn the_first_of_equal_probabilities() {
    let [none, some, nan] = [0x0000, 0x3E80, 0x7FC0].map(bf16::from_bits);
    for (probabilities, class) in [
        ([some; 4], Activity::Rest),
        ([none, some, some, none], Activity::Walk),
        ([none, none, some, some], Activity::Run),
        ([nan, none, none, nan], Activity::Walk),
    ] {
        let (likeliest, probability) = Activity::likeliest(&probabilities);
        assert_eq!(likeliest, class);
        assert_eq!(
            probability.to_bits(),
            probabilities[class as usize].to_bits()
        );
    }
}

/// A shock drives the sensor to both ends of its range.
#[test]
fn a_shock_reaches_both_ends() {
    let sensor = Sensor::new(firmware::SEED);
    let shock = sensor.window(4);
    let counts = || shock.iter().flatten().copied();
    assert_eq!(counts().max(), Some(i16::MAX));
    assert_eq!(counts().min(), Some(i16::MIN));
}
