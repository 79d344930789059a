//! Every `unsafe` block of this crate, on few elements: made for Miri, which finds undefined
//! behaviour (`ci/miri.sh`). Miri lacks the instructions of `simd/avx512.rs`, which only the
//! processor runs here.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::Arithmetic;
use bitexact::{Mode, arith, bf16, convert, f16, tensor};
use bitexact_slices::tensor::by::{self as products, How};
use bitexact_slices::tensor::{Accumulation, Order, View, ViewMut};
use bitexact_slices::way::{Way, by};
use bitexact_slices::{Element, Kernel, Level, kernel};
use common::Draw;

const EVEN: Mode = Mode::TIES_TO_EVEN;

/// Lengths around a vector's, and unaligned: the first elements are left out.
const PARTS: [(usize, usize); 6] = [(0, 0), (0, 7), (1, 16), (3, 17), (0, 24), (5, 33)];

fn converted<A: Element, B: Element>(kernel: fn(A, Mode) -> B)
where
    kernel::convert: Kernel<(A,), B, Mode>,
{
    let mut draw = Draw::new("conversions", A::WIDTH.into());
    for level in Level::available() {
        for (from, length) in PARTS {
            let x: Vec<A> = draw.many(from + length);
            let mut out = vec![B::of_code(0x15); from + length];
            let (x, out) = (&x[from..], &mut out[from..]);
            by::<kernel::convert, _, _, _>(Way::Level(*level), (x,), &mut *out, EVEN).unwrap();
            for (x, out) in x.iter().zip(&*out) {
                assert_eq!(out.code(), kernel(*x, EVEN).code(), "{level:?}");
            }
        }
    }
}

/// Under Miri the levels are those of the compiler's flags, and ci/miri.sh asks for AVX2.
#[test]
#[cfg(all(miri, target_feature = "avx2"))]
fn miri_has_avx2() {
    assert_eq!(Level::best().name(), "avx2");
}

/// `simd/f16c.rs`, `level.rs`, and `typed.rs`: slices as ones of the type that they have.
#[test]
fn conversions() {
    converted::<f32, f16>(convert::convert);
    converted::<f16, f32>(convert::convert);
    converted::<f32, bf16>(convert::convert);
}

fn pairs<F: Element + Arithmetic>(mode: Mode)
where
    kernel::add: Kernel<(F, F), F, Mode>,
    kernel::mul: Kernel<(F, F), F, Mode>,
{
    let mut draw = Draw::new("pairs", F::WIDTH.into());
    for level in Level::available() {
        // Other modes take blocks of 64.
        let long = [(1, 70)].into_iter().filter(|_| mode != EVEN);
        for (from, length) in PARTS.into_iter().filter(|_| mode == EVEN).chain(long) {
            let x: Vec<F> = draw.many(from + length);
            let y: Vec<F> = draw.beside(&x);
            let mut out = vec![F::of_code(0x15); from + length];
            let (x, y, out) = (&x[from..], &y[from..], &mut out[from..]);
            by::<kernel::add, _, _, _>(Way::Level(*level), (x, y), &mut *out, mode).unwrap();
            for ((x, y), out) in x.iter().zip(y).zip(&*out) {
                assert_eq!(out.code(), arith::add::<F, F, F>(*x, *y, mode).code());
            }
            by::<kernel::mul, _, _, _>(Way::Level(*level), (x, y), &mut *out, mode).unwrap();
            for ((x, y), out) in x.iter().zip(y).zip(&*out) {
                assert_eq!(out.code(), arith::mul::<F, F, F>(*x, *y, mode).code());
            }
        }
    }
}

/// `simd/operation.rs` and `environment.rs`, by the processor's f32.
#[test]
fn arithmetic() {
    pairs::<f16>(EVEN);
    pairs::<bf16>(EVEN);
    pairs::<f32>(EVEN);
    for mode in [Mode::TOWARD_ZERO, Mode::TOWARD_NEGATIVE] {
        pairs::<f16>(mode);
        pairs::<bf16>(mode);
    }
}

/// `tensor/tile.rs`: every height of a tile and a part of one, by every level.
#[test]
fn tiles() {
    let sequential = Accumulation::Declared(Order::Sequential);
    let mut draw = Draw::new("tiles", 0);
    for rows in [1, 2, 3, 8, 9] {
        let (columns, depth) = (33, 3);
        let a: Vec<f32> = draw.many(rows * depth);
        let b: Vec<f32> = draw.many(depth * columns);
        let (a, b) = (
            View::contiguous(&a, [rows, depth]).unwrap(),
            View::contiguous(&b, [depth, columns]).unwrap(),
        );
        let mut due = vec![0f32; rows * columns];
        let mut to = ViewMut::contiguous(&mut due, [rows, columns]).unwrap();
        let _ = tensor::gemm(&a, &b, sequential, EVEN, &mut to).unwrap();
        for level in Level::available() {
            let how = How {
                level: *level,
                threads: false,
            };
            let mut out = vec![0f32; rows * columns];
            let mut to = ViewMut::contiguous(&mut out, [rows, columns]).unwrap();
            products::gemm(how, &a, &b, sequential, EVEN, &mut to).unwrap();
            assert!(
                out.iter()
                    .zip(&due)
                    .all(|(x, y)| x.to_bits() == y.to_bits()),
                "{rows} {level:?}"
            );
        }
    }
}
