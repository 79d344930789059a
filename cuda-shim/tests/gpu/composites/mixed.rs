//! Rows that share an entry: sums, products and their like of several formats, conversions,
//! comparisons, classes.

use super::*;
use bitexact::catalog::{Element, Kernel, Operands, names, types};
use cuda_shim::{Arguments, View};

/// Pairs of words that have every kind of number, and random ones.
fn operands(types: &[Type], count: usize) -> Vec<Vec<u64>> {
    let special = |ty: Type| -> Vec<u64> {
        let bits = ty.bits();
        if bits <= 8 {
            return (0..1 << bits).collect();
        }
        let infinity: u64 = match ty {
            Type::F16 => 0x7C00,
            Type::Bf16 => 0x7F80,
            Type::F32 => 0x7F80_0000,
            Type::F64 => 0x7FF0_0000_0000_0000,
            // Of integers it is a number as any other.
            _ => 1 << (bits - 2),
        };
        let magnitudes = [
            0,
            1,
            0x3FF,
            infinity - 1,
            infinity,
            infinity + 1,
            (1 << (bits - 1)) - 1,
        ];
        let signed = magnitudes.iter().flat_map(|x| [*x, x | 1 << (bits - 1)]);
        signed.collect()
    };
    let mask = |ty: &Type| u64::MAX >> (64 - ty.bits());
    let each = types.iter().enumerate().map(|(k, ty)| {
        let some = special(*ty);
        let (first, step) = (some.len().pow(k as u32), some.len());
        let all = (0..step.pow(types.len() as u32)).map(|i| some[i / first % step]);
        let random = words(count).map(|word| word.rotate_right(16 * k as u32) & mask(ty));
        all.chain(random).collect()
    });
    each.collect()
}

/// Runs a row with these arguments over operands of every kind, and compares with the kernel: the
/// results, and the flags.
fn compare<O: Operands, R: Element>(
    module: &Module,
    name: &str,
    arguments: &dyn for<'a> Fn(View<'a>) -> Arguments<'a>,
    due: &dyn Fn(O, u16) -> (R, Status),
) -> usize {
    let gpu = module.gpu();
    let all = operands(O::TYPES, 500);
    let n = all[0].len();
    let random: Vec<u16> = words(n).map(|word| (word >> 48) as u16).collect();
    let random_ = gpu.upload(&random).unwrap();
    let held: Vec<Buffer> = all
        .iter()
        .zip(O::TYPES)
        .map(|(x, ty)| gpu.upload_bits(*ty, x).unwrap())
        .collect();
    let views: Vec<_> = held.iter().map(Buffer::view).collect();
    let mut out = gpu.zeros_of(R::TYPE, n).unwrap();
    let mut flags = gpu.zeros::<u8>(n).unwrap();
    let results = &mut [out.view_mut()];
    let arguments = arguments(random_.view());
    module
        .launch(name, &views, results, Some(flags.view_mut()), arguments)
        .unwrap();
    let results = gpu.download_bits(&out.view()).unwrap();
    let flags = gpu.download::<u8>(&flags.view()).unwrap();
    for i in 0..n {
        let mut bits = [0; 3];
        for (to, x) in bits.iter_mut().zip(&all) {
            *to = x[i];
        }
        let (due, status) = due(O::of(&bits), random[i]);
        let got = (results[i], flags[i]);
        assert_eq!(got, (due.bits(), status.bits()), "{name} {bits:x?}");
    }
    n
}

/// A kernel that rounds: stochastically, and in two modes unless the row has an entry of its own.
fn rounding<K, O, R>(module: &Module, name: &str) -> usize
where
    K: Kernel<O, R, Mode> + Kernel<O, R, (u16, Overflow)>,
    O: Operands,
    R: Element,
{
    let row = cuda_shim::row(name).unwrap();
    let form = &row.forms[0];
    let own = gpu_plans::catalog::call(row, form, [0; 4]).unwrap().0.name == form.entry;
    let modes: &[Mode] = match own {
        true => &[],
        false => &[
            Mode::TIES_TO_EVEN,
            Mode::new(Rounding::ToOdd, Overflow::SaturateFinite),
        ],
    };
    let count = modes
        .iter()
        .map(|mode| compare::<O, R>(module, name, &|_| (*mode).into(), &|x, _| K::call(x, *mode)));
    let overflow = Overflow::SaturateAll;
    let last = compare::<O, R>(
        module,
        name,
        &|random| Arguments::stochastic(random, overflow),
        &|x, random| K::call(x, (random, overflow)),
    );
    count.sum::<usize>() + last
}

/// One without arguments.
fn exact<K: Kernel<O, R, ()>, O: Operands, R: Element>(module: &Module, name: &str) -> usize {
    compare::<O, R>(module, name, &|_| ().into(), &|x, _| K::call(x, ()))
}

/// The kernels of rows that share an entry; of the others there are no rows here.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn several_formats() {
    let (module, mut count) = (module(), 0);
    macro_rules! row {
        (kernel: add, $($rest:tt)*) => { row! { @ rounding add $($rest)* } };
        (kernel: sub, $($rest:tt)*) => { row! { @ rounding sub $($rest)* } };
        (kernel: mul, $($rest:tt)*) => { row! { @ rounding mul $($rest)* } };
        (kernel: div, $($rest:tt)*) => { row! { @ rounding div $($rest)* } };
        (kernel: fma, $($rest:tt)*) => { row! { @ rounding fma $($rest)* } };
        (kernel: sqrt, $($rest:tt)*) => { row! { @ rounding sqrt $($rest)* } };
        (kernel: convert, $($rest:tt)*) => { row! { @ rounding convert $($rest)* } };
        (kernel: from_int, $($rest:tt)*) => { row! { @ rounding from_int $($rest)* } };
        (kernel: to_int, $($rest:tt)*) => { row! { @ rounding to_int $($rest)* } };
        (kernel: e8m0_decode, $($rest:tt)*) => { row! { @ rounding e8m0_decode $($rest)* } };
        (kernel: mxint8_decode, $($rest:tt)*) => { row! { @ rounding mxint8_decode $($rest)* } };
        (kernel: mxint8_encode, $($rest:tt)*) => { row! { @ rounding mxint8_encode $($rest)* } };
        (kernel: mxint8_encode_symmetric, $($rest:tt)*) => { row! { @ rounding mxint8_encode_symmetric $($rest)* } };
        (kernel: $kernel:ident, suffix: [$ty:ident], operands: $x:tt, results: bool, $($rest:tt)*) => {
            row! { @ exact $kernel suffix: [$ty], operands: $x, results: bool, }
        };
        (kernel: $kernel:ident, suffix: [$ty:ident], operands: $x:tt, results: Class, $($rest:tt)*) => {
            row! { @ exact $kernel suffix: [$ty], operands: $x, results: Class, }
        };
        (kernel: $kernel:ident, suffix: [$ty:ident], operands: $x:tt, results: i32, $($rest:tt)*) => {
            row! { @ exact $kernel suffix: [$ty], operands: $x, results: i32, }
        };
        (kernel: negate, $($rest:tt)*) => { row! { @ exact negate $($rest)* } };
        (kernel: abs, $($rest:tt)*) => { row! { @ exact abs $($rest)* } };
        (kernel: canonicalize, $($rest:tt)*) => { row! { @ exact canonicalize $($rest)* } };
        (kernel: next_up, $($rest:tt)*) => { row! { @ exact next_up $($rest)* } };
        (kernel: next_down, $($rest:tt)*) => { row! { @ exact next_down $($rest)* } };
        (kernel: logb, $($rest:tt)*) => { row! { @ exact logb $($rest)* } };
        (kernel: minimum, $($rest:tt)*) => { row! { @ exact minimum $($rest)* } };
        (kernel: maximum, $($rest:tt)*) => { row! { @ exact maximum $($rest)* } };
        (kernel: minimum_number, $($rest:tt)*) => { row! { @ exact minimum_number $($rest)* } };
        (kernel: maximum_number, $($rest:tt)*) => { row! { @ exact maximum_number $($rest)* } };
        (kernel: minimum_magnitude, $($rest:tt)*) => { row! { @ exact minimum_magnitude $($rest)* } };
        (kernel: maximum_magnitude, $($rest:tt)*) => { row! { @ exact maximum_magnitude $($rest)* } };
        (kernel: minimum_magnitude_number, $($rest:tt)*) => { row! { @ exact minimum_magnitude_number $($rest)* } };
        (kernel: maximum_magnitude_number, $($rest:tt)*) => { row! { @ exact maximum_magnitude_number $($rest)* } };
        (kernel: copy_sign, $($rest:tt)*) => { row! { @ exact copy_sign $($rest)* } };
        (kernel: remainder, $($rest:tt)*) => { row! { @ exact remainder $($rest)* } };
        (kernel: fmod, $($rest:tt)*) => { row! { @ exact fmod $($rest)* } };
        (
            @ $check:ident $kernel:ident suffix: [$($suffix:ident)*], operands: ($($x:ident),*),
            results: $to:ident, $($rest:tt)*
        ) => {
            count += $check::<names::$kernel, ($(types::$x,)*), types::$to>(
                module,
                concat!(stringify!($kernel) $(, ".", stringify!($suffix))*),
            );
        };
        ($($other:tt)*) => {};
    }
    bitexact::for_each_kernel!(row);
    report("rows that share an entry", count);
}
