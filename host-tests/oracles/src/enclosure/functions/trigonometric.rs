//! Sine, cosine and tangent, of radians and of half-turns.
//!
//! Exact, in radians: at zero. In half-turns: multiples of 1/2, for the tangent of 1/4; by Niven's
//! theorem other rational values are at sixths (which are not dyadic) only.
//!
//! The signs of the zeros and poles are those of IEEE 754-2019 clause 9.2.

use crate::Datum;
use crate::enclosure::big::Float;
use crate::enclosure::function::{function, none};
use crate::enclosure::special::{
    INVALID, PLUS_ZERO, is_infinite, is_zero, keep_zero, pole, value, zero,
};
use crate::exact::Exact;

fn odd_ends(x: Datum) -> Option<Exact> {
    if is_infinite(x) {
        Some(INVALID)
    } else {
        keep_zero(x)
    }
}

fn even_ends(x: Datum) -> Option<Exact> {
    if is_infinite(x) {
        Some(INVALID)
    } else {
        is_zero(x).then(|| value(1, 0))
    }
}

/// `k mod 4` for `x = k / 2^s`.
fn multiple(x: &Float, s: i64) -> Option<u8> {
    let scaled = x.scaled(s);
    scaled.is_integer().then(|| scaled.floor().modulo_4())
}

/// Of multiples of 1/2.
fn sine(x: &Float) -> Option<Exact> {
    Some(match multiple(x, 1)? {
        0 | 2 => zero(x.is_negative()),
        1 => value(1, 0),
        _ => value(-1, 0),
    })
}

fn cosine(x: &Float) -> Option<Exact> {
    Some(match multiple(x, 1)? {
        1 | 3 => PLUS_ZERO,
        0 => value(1, 0),
        _ => value(-1, 0),
    })
}

fn tangent(x: &Float) -> Option<Exact> {
    if let Some(k) = multiple(x, 1) {
        // For x > 0: +0 at even integers, -0 at odd ones; +infinity at 1/2, -infinity at 3/2.
        let negative = k >= 2;
        return Some(if k % 2 == 0 {
            zero(x.is_negative() != (k == 2))
        } else {
            pole(negative)
        });
    }
    multiple(x, 2).map(|k| value(if k == 1 { 1 } else { -1 }, 0))
}

function! { Sin; odd_ends; none; |x| x.sin() }
function! { Cos; even_ends; none; |x| x.cos() }
function! { Tan; odd_ends; none; |x| x.tan() }

function! { SinPi; odd_ends; sine; |x| {
    let (quadrant, r) = x.halves();
    let angle = r * x.pi();
    match quadrant {
        0 => angle.sin(),
        1 => angle.cos(),
        2 => -angle.sin(),
        _ => -angle.cos(),
    }
} }

function! { CosPi; even_ends; cosine; |x| {
    let (quadrant, r) = x.halves();
    let angle = r * x.pi();
    match quadrant {
        0 => angle.cos(),
        1 => -angle.sin(),
        2 => -angle.cos(),
        _ => angle.sin(),
    }
} }

function! { TanPi; odd_ends; tangent; |x| {
    let (quadrant, r) = x.halves();
    let angle = r * x.pi();
    if quadrant % 2 == 0 {
        angle.tan()
    } else {
        -(x.int(1) / angle.tan())
    }
} }
