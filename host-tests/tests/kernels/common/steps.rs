//! The steps of the declared orders, as documented, each by the oracle.

use super::op::Op;
use bitexact::reduce::Order;
use bitexact::{Mode, Status};
use host_tests::oracle::{Answer, Format, reduce};
use host_tests::row::Ty;
use host_tests::rows::mode::named;

/// The result of an answer in a mode.
pub fn expected(answer: &Answer, mode: Mode) -> (u64, Status) {
    let (rounding, overflow) = named(mode);
    let output = answer.output(rounding, overflow);
    (output.results[0], Status::from_bits_truncate(output.flags))
}

impl Op {
    /// The result in a mode; what it raises joins `union`.
    pub fn run(&self, x: &[u64], mode: Mode, union: &mut Status) -> u64 {
        let (rounding, overflow) = named(mode);
        let output = self.output(x, rounding, overflow);
        *union |= Status::from_bits_truncate(output.flags);
        output.results[0]
    }
}

/// The steps of the declared orders, as their documentation has them.
pub struct Steps {
    convert: Op,
    product: Op,
    add_element: Op,
    add: Op,
    sub: Op,
    fused: Op,
    sign: u64,
    largest: u64,
}

impl Steps {
    pub fn new(t: Ty, a: Ty) -> Self {
        let format = Format::of(a).unwrap();
        Self {
            convert: Op::new("convert", &[t], a),
            product: Op::new("mul", &[t, t], a),
            add_element: Op::new("add", &[a, t], a),
            add: Op::new("add", &[a, a], a),
            sub: Op::new("sub", &[a, a], a),
            fused: Op::new("fma", &[t, t, a], a),
            sign: format.sign_bit(),
            largest: format.largest,
        }
    }

    fn tree(&self, x: &[u64], mode: Mode, union: &mut Status) -> u64 {
        match x {
            [] => 0,
            [x] => *x,
            x => {
                let (left, right) = x.split_at(x.len().next_power_of_two() / 2);
                let left = self.tree(left, mode, union);
                let right = self.tree(right, mode, union);
                self.add.run(&[left, right], mode, union)
            }
        }
    }

    fn neumaier(&self, x: &[u64], mode: Mode, union: &mut Status) -> u64 {
        let Some((&first, rest)) = x.split_first() else {
            return 0;
        };
        let magnitude = |x: u64| x & (self.sign - 1);
        let (mut s, mut c) = (first, None);
        for &x in rest {
            let t = self.add.run(&[s, x], mode, union);
            if magnitude(t) <= self.largest {
                let (large, small) = if magnitude(s) >= magnitude(x) {
                    (s, x)
                } else {
                    (x, s)
                };
                let d = self.sub.run(&[large, t], mode, union);
                let e = self.add.run(&[d, small], mode, union);
                c = Some(match c {
                    None => e,
                    Some(c) => self.add.run(&[c, e], mode, union),
                });
            }
            s = t;
        }
        match c {
            None => s,
            Some(c) => self.add.run(&[s, c], mode, union),
        }
    }

    /// The elements of each lane that has one: every `count`th, beginning with each of the first.
    fn in_lanes<T: Copy>(x: &[T], count: usize) -> Vec<Vec<T>> {
        let lane = |first| x.iter().skip(first).step_by(count).copied().collect();
        (0..count.min(x.len())).map(lane).collect()
    }

    pub fn sum(&self, x: &[u64], order: Order, mode: Mode) -> (u64, Status) {
        let mut union = Status::NONE;
        let result = match (order, x.split_first()) {
            (Order::Sequential, None) => 0,
            (Order::Sequential, Some((&first, rest))) => {
                let mut sum = self.convert.run(&[first], mode, &mut union);
                for &x in rest {
                    sum = self.add_element.run(&[sum, x], mode, &mut union);
                }
                sum
            }
            (Order::Lanes(lanes), _) => {
                let mut sums = Vec::new();
                for lane in Self::in_lanes(x, lanes.count()) {
                    let (sum, status) = self.sum(&lane, Order::Sequential, mode);
                    union |= status;
                    sums.push(sum);
                }
                self.tree(&sums, mode, &mut union)
            }
            _ => {
                let x: Vec<u64> = x
                    .iter()
                    .map(|&x| self.convert.run(&[x], mode, &mut union))
                    .collect();
                if order == Order::Pairwise {
                    self.tree(&x, mode, &mut union)
                } else {
                    self.neumaier(&x, mode, &mut union)
                }
            }
        };
        (result, union)
    }

    pub fn dot(&self, a: &[u64], b: &[u64], order: Order, mode: Mode) -> (u64, Status) {
        let mut union = Status::NONE;
        let product =
            |(&a, &b): (&u64, &u64), union: &mut Status| self.product.run(&[a, b], mode, union);
        let mut pairs = a.iter().zip(b);
        let result = match order {
            Order::Sequential => match pairs.next() {
                None => 0,
                Some(first) => {
                    let mut sum = product(first, &mut union);
                    for (&a, &b) in pairs {
                        sum = self.fused.run(&[a, b, sum], mode, &mut union);
                    }
                    sum
                }
            },
            Order::Lanes(lanes) => {
                let mut sums = Vec::new();
                let pairs: Vec<_> = pairs.collect();
                for lane in Self::in_lanes(&pairs, lanes.count()) {
                    let (a, b): (Vec<u64>, Vec<u64>) = lane.into_iter().unzip();
                    let (sum, status) = self.dot(&a, &b, Order::Sequential, mode);
                    union |= status;
                    sums.push(sum);
                }
                self.tree(&sums, mode, &mut union)
            }
            _ => {
                let x: Vec<u64> = pairs.map(|pair| product(pair, &mut union)).collect();
                if order == Order::Pairwise {
                    self.tree(&x, mode, &mut union)
                } else {
                    self.neumaier(&x, mode, &mut union)
                }
            }
        };
        (result, union)
    }
}

/// The steps of a layer norm, or of an RMS norm, as their documentation has them; the statistics
/// are rationals rounded once.
pub struct Norm {
    from: &'static Format,
    centred: bool,
    first: Op,
    second: Op,
    scale: Op,
    last: Op,
}

impl Norm {
    pub fn new(centred: bool, from: Ty, weight: Ty, to: Ty) -> Self {
        let single = Ty::F32;
        let (distance, last) = if centred {
            (single, Op::new("fma", &[single, weight, weight], to))
        } else {
            (from, Op::new("mul", &[single, weight], to))
        };
        Self {
            from: Format::of(from).unwrap(),
            centred,
            first: Op::new("sub", &[from, single], single),
            second: Op::new("sub", &[single; 2], single),
            scale: Op::new("mul", &[distance, single], single),
            last,
        }
    }

    pub fn row(
        &self,
        x: &[u64],
        weights: &[u64],
        bias: &[u64],
        epsilon: u32,
        mode: Mode,
    ) -> Vec<u64> {
        let (even, mut none) = (Mode::TIES_TO_EVEN, Status::NONE);
        let single = Format::of(Ty::F32).unwrap();
        let (mean, _) = expected(&reduce::sum(self.from, x, x.len() as u32, single), even);
        let (rest, _) = expected(&reduce::mean_minus(self.from, x, mean, single), even);
        let of = reduce::Spread::ReciprocalRoot { epsilon };
        let root = reduce::spread(self.from, x, self.centred, 0, of, single);
        let (root, _) = expected(&root, even);
        let element = |(i, &x): (usize, &u64)| {
            if !self.centred {
                let quotient = self.scale.run(&[x, root], even, &mut none);
                return self.last.run(&[quotient, weights[i]], mode, &mut none);
            }
            let distance = self.first.run(&[x, mean], even, &mut none);
            let distance = self.second.run(&[distance, rest], even, &mut none);
            let quotient = self.scale.run(&[distance, root], even, &mut none);
            self.last
                .run(&[quotient, weights[i], bias[i]], mode, &mut none)
        };
        x.iter().enumerate().map(element).collect()
    }
}
