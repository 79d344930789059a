//! Operands that the sweep's hard sets do not stress: entries of tables, exact cases, arguments next
//! to multiples of pi / 2.

use crate::number;
use crate::row::{Operands, Row, Ty};
use oracles::Oracle;
use sweep_inputs::domain::{Float, SplitMix64};

/// For a division, pairs at the ends of the entries of a divider's table; for a function of one
/// number, the ends of the entries of its table, integers and halves, for sin and cos also numbers
/// next to multiples of pi / 2.
pub fn structured(row: &Row, oracle: &dyn Oracle) -> Vec<Operands> {
    let Some(float) = row.operands.first().and_then(|ty| number::float(*ty)) else {
        return Vec::new();
    };
    let mut rng = SplitMix64::at(0x7AB1E, 0);
    let mut found = Vec::new();
    match row.operands.len() {
        1 => {
            for x in table_entries(&mut rng, float) {
                found.push([x, 0, 0]);
            }
            for n in 0..=512u128 {
                let x = float.pack(n, -1);
                found.extend([[x, 0, 0], [x | float.sign_bit(), 0, 0]]);
            }
            if float.precision == 24 && matches!(row.op, "sin" | "cos") {
                let near = near_quarter_turns(oracle);
                found.extend(near.map(|x| [x, 0, 0]));
            }
        }
        2 if row.op == "div"
            && row
                .operands
                .iter()
                .all(|ty| number::float(*ty) == Some(float)) =>
        {
            let fraction = float.precision - 1;
            for divisor in table_entries(&mut rng, float) {
                // A run of ones at the top.
                let ones = rng.below(fraction + 1);
                let low = (1u64 << (fraction - ones)) - 1;
                let dividend = float.pack(1, 0) | ((1 << fraction) - 1) & !low | rng.next() & low;
                found.push([dividend, divisor, 0]);
            }
        }
        _ => {}
    }
    found
}

/// Both ends of a type's numbers: zeros, the least and the greatest subnormal, normal and finite
/// numbers with their neighbours, infinities and NaNs; of other types the first and the last codes.
pub fn ends(ty: Ty) -> impl Iterator<Item = u64> {
    let all = u64::MAX >> (64 - ty.bits());
    let (sign, places) = match number::float(ty) {
        Some(float) => {
            let infinity = float.max + 1;
            let quiet = infinity | float.min_normal() >> 1;
            (
                float.sign_bit(),
                vec![
                    0,
                    float.min_normal(),
                    float.max,
                    infinity,
                    quiet,
                    float.magnitude_mask(),
                ],
            )
        }
        None => (0, vec![0, all / 2, all]),
    };
    let near = move |place: u64| {
        (place.saturating_sub(2)..=place.saturating_add(2)).filter(move |x| *x <= all)
    };
    let codes = places.into_iter().flat_map(near);
    codes.flat_map(move |code| [code & all, (code ^ sign) & all])
}

/// Numbers in [1/2, 2) with each 7 leading bits of the fraction (or all that there are), followed by
/// zeros, by ones, by ones and then anything, and by anything.
fn table_entries(rng: &mut SplitMix64, float: Float) -> Vec<u64> {
    let fraction = float.precision - 1;
    let lead = fraction.min(7);
    let rest = fraction - lead;
    let mask = (1u64 << rest) - 1;
    let mut found = Vec::new();
    for entry in 0..1u64 << lead {
        for exponent in [-1, 0] {
            let ones = mask & !((1 << rng.below(rest + 1)) - 1);
            for tail in [0, mask, ones | rng.next() & !ones & mask, rng.next() & mask] {
                found.push(float.pack(1, exponent) + (entry << rest) + tail);
            }
        }
    }
    found
}

/// In each binade from 1 to 2^22, of the 2,048 numbers of f32 that are nearest to a multiple of
/// pi / 2 the 64 for which an error of pi shows first: those of the least product of the distance
/// from that multiple and the result's distance from a rounding boundary.
fn near_quarter_turns(oracle: &dyn Oracle) -> impl Iterator<Item = u64> {
    use core::f64::consts::FRAC_PI_2;
    // pi / 2 in two parts: 30 bits, of which products with k are exact, and the rest.
    let high = f64::from_bits(FRAC_PI_2.to_bits() & !0x7F_FFFF);
    let low = FRAC_PI_2 - high;
    let mut binades: Vec<Vec<(f64, u64)>> = vec![Vec::new(); 22];
    for k in 1..1u32 << 22 {
        let k = f64::from(k);
        let x = (k * FRAC_PI_2) as f32;
        let rest = (f64::from(x) - k * high) - k * low;
        let binade = (x.to_bits() >> 23) as usize - 127;
        if let Some(binade) = binades.get_mut(binade) {
            binade.push((rest.abs(), x.to_bits().into()));
        }
    }
    let mut found = Vec::new();
    for mut binade in binades {
        binade.sort_by(|a, b| a.0.total_cmp(&b.0));
        binade.truncate(2048);
        for (rest, x) in &mut binade {
            *rest *= oracle.distance(&[*x, 0, 0]).unwrap_or(1.0).max(1e-9);
        }
        binade.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.extend(binade.into_iter().take(64).map(|(_, x)| x));
    }
    found.into_iter()
}
