//! Sums, dot products and functions built on them.

use crate::code::{Code, Typed};
use crate::{Done, Item, Outputs};
use bitexact::format::Arithmetic;
use bitexact::reduce::{self, Accumulable, Lanes, Order};
use core::cmp::Ordering;

/// The order for a choice of three; from 3 on in 2, 4, .. 64 lanes.
pub fn order(choice: usize) -> Order {
    match choice {
        0 => Order::Sequential,
        1 => Order::Pairwise,
        _ => match Lanes::ALL.get(choice.wrapping_sub(3)) {
            Some(lanes) => Order::Lanes(*lanes),
            None => Order::Neumaier,
        },
    }
}

/// The item with another choice at this place of its sizes: in lanes, whose number depends on the
/// item's. `first` is the choice of two lanes.
pub fn in_lanes(item: &Item, place: usize, first: usize) -> Item {
    let mut item = *item;
    if let Some(choice) = item.sizes.get_mut(place) {
        *choice = first + item.index as usize % Lanes::ALL.len();
    }
    item
}

/// For every pair: 0 less, 1 equal, 2 greater, 3 unordered.
pub fn compare<T: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
    let (a, b) = (item.a.typed::<T>(), item.b.typed::<T>());
    for (&a, &b) in a.get().iter().zip(b.get()) {
        out.word(match bitexact::arith::compare(a, b) {
            Some(Ordering::Less) => 0,
            Some(Ordering::Equal) => 1,
            Some(Ordering::Greater) => 2,
            None => 3,
        });
    }
    Ok(())
}

/// A result and its status.
macro_rules! reduction {
    ($name:ident<T: $of:ident, R: $to:ident>, |$item:ident, $a:ident, $b:ident| $result:expr) => {
        pub fn $name<T: $of + Code, R: $to + Code>($item: &Item, out: &mut Outputs) -> Done {
            let ($a, $b) = ($item.a.typed::<T>(), $item.b.typed::<T>());
            let ($a, $b) = ($a.get(), $b.get());
            let _ = $b;
            let (result, status): (R, _) = $result;
            out.values(&[result]);
            out.status(status);
            Ok(())
        }
    };
}

reduction!(sum<T: Arithmetic, R: Arithmetic>, |item, a, b| {
    let [choice, ..] = item.sizes;
    reduce::sum_status(a, order(choice), item.mode)
});
reduction!(sum_by<T: Arithmetic, R: Arithmetic>, |item, a, b| {
    let [choice, ..] = item.sizes;
    reduce::sum_by(a.iter().rev().copied(), order(choice), item.mode)
});
reduction!(dot<T: Arithmetic, R: Arithmetic>, |item, a, b| {
    let [choice, ..] = item.sizes;
    reduce::dot_status(a, b, order(choice), item.mode)?
});
reduction!(dot_by<T: Arithmetic, R: Arithmetic>, |item, a, b| {
    let [choice, ..] = item.sizes;
    let pairs = a.iter().copied().zip(b.iter().copied());
    reduce::dot_by(pairs.rev(), order(choice), item.mode)
});

pub fn sum_lanes<T: Arithmetic + Code, R: Arithmetic + Code>(
    item: &Item,
    out: &mut Outputs,
) -> Done {
    sum::<T, R>(&in_lanes(item, 0, 3), out)
}

pub fn dot_lanes<T: Arithmetic + Code, R: Arithmetic + Code>(
    item: &Item,
    out: &mut Outputs,
) -> Done {
    dot::<T, R>(&in_lanes(item, 0, 3), out)
}

reduction!(sum_exact<T: Accumulable, R: Arithmetic>, |item, a, b| {
    reduce::sum_exact_status(a, item.mode)
});
macro_rules! cumulative {
    ($($name:ident $of:ident)*) => {
        $(pub fn $name<T: $of + Code, R: Arithmetic + Code>(item: &Item, out: &mut Outputs) -> Done {
            let x = item.a.typed::<T>();
            let mut result = Typed::<R>::zeros(x.length);
            reduce::$name(x.get(), item.mode, result.get_mut())?;
            out.values(result.get());
            Ok(())
        })*
    };
}
cumulative!(cumsum_exact Accumulable cumprod Arithmetic);
reduction!(dot_exact<T: Accumulable, R: Arithmetic>, |item, a, b| {
    reduce::dot_exact_status(a, b, item.mode)?
});
reduction!(mean<T: Accumulable, R: Arithmetic>, |item, a, b| {
    reduce::mean_status(a, item.mode)?
});
reduction!(mean_square<T: Accumulable, R: Arithmetic>, |item, a, b| {
    reduce::mean_square_status(a, item.mode)?
});
reduction!(root_mean_square<T: Accumulable, R: Arithmetic>, |item, a, b| {
    reduce::root_mean_square_status(a, item.mode)?
});
reduction!(variance<T: Accumulable, R: Arithmetic>, |item, a, b| {
    let [choice, ..] = item.sizes;
    reduce::variance_status(a, u32::from(choice == 0), item.mode)?
});
reduction!(standard_deviation<T: Accumulable, R: Arithmetic>, |item, a, b| {
    let [choice, ..] = item.sizes;
    reduce::standard_deviation_status(a, u32::from(choice == 0), item.mode)?
});
reduction!(norm<T: Accumulable, R: Arithmetic>, |item, a, b| {
    reduce::norm_status(a, item.mode)
});
