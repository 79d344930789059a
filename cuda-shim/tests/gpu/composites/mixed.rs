//! Sums, products and their like of several formats, of which an operation has one entry.

use super::*;
use bitexact::catalog::{Element, Kernel, Operands, names, types};
use cuda_shim::Arguments;

/// Pairs of words that have every kind of number, and random ones.
fn operands(types: &[Type], count: usize) -> Vec<Vec<u64>> {
    let special = |ty: Type| -> Vec<u64> {
        let bits = ty.bits();
        let infinity: u64 = match ty {
            Type::F16 => 0x7C00,
            Type::Bf16 => 0x7F80,
            _ => 0x7F80_0000,
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
    let each = types.iter().enumerate().map(|(k, ty)| {
        let some = special(*ty);
        let (first, step) = (some.len().pow(k as u32), some.len());
        let all = (0..step.pow(types.len() as u32)).map(|i| some[i / first % step]);
        all.chain(words(count).map(|word| word >> (16 * k)))
            .collect()
    });
    each.collect()
}

fn check<K, O, R>(module: &Module, name: &str) -> usize
where
    K: Kernel<O, R, Mode> + Kernel<O, R, (u16, Overflow)>,
    O: Operands,
    R: Element,
{
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
    let mut count = 0;
    let mut run = |arguments: Arguments, due: &dyn Fn(O, usize) -> (R, Status)| {
        let mut out = gpu.zeros_of(R::TYPE, n).unwrap();
        let mut flags = gpu.zeros::<u8>(n).unwrap();
        let results = &mut [out.view_mut()];
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
            let (due, status) = due(O::of(&bits), i);
            let got = (results[i], flags[i]);
            assert_eq!(got, (due.bits(), status.bits()), "{name} {bits:x?}");
        }
        count += n;
    };
    for mode in [
        Mode::TIES_TO_EVEN,
        Mode::new(Rounding::ToOdd, Overflow::SaturateFinite),
    ] {
        run(mode.into(), &|x, _| K::call(x, mode));
    }
    let overflow = Overflow::SaturateAll;
    let arguments = Arguments::stochastic(random_.view(), overflow);
    run(arguments, &|x, i| K::call(x, (random[i], overflow)));
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn several_formats() {
    let (module, mut count) = (module(), 0);
    macro_rules! row {
        (kernel: add, suffix: [$($ty:ident)*], $($rest:tt)*) => { row! { @ add $($ty)* } };
        (kernel: sub, suffix: [$($ty:ident)*], $($rest:tt)*) => { row! { @ sub $($ty)* } };
        (kernel: mul, suffix: [$($ty:ident)*], $($rest:tt)*) => { row! { @ mul $($ty)* } };
        (kernel: div, suffix: [$($ty:ident)*], $($rest:tt)*) => { row! { @ div $($ty)* } };
        (kernel: fma, suffix: [$($ty:ident)*], $($rest:tt)*) => { row! { @ fma $($ty)* } };
        (@ $kernel:ident $a:ident $b:ident $to:ident) => {
            count += check::<names::$kernel, (types::$a, types::$b), types::$to>(
                module,
                concat!(stringify!($kernel), ".", stringify!($a), ".", stringify!($b), ".", stringify!($to)),
            );
        };
        (@ $kernel:ident $a:ident $b:ident $c:ident $to:ident) => {
            count += check::<names::$kernel, (types::$a, types::$b, types::$c), types::$to>(
                module,
                concat!(
                    stringify!($kernel), ".", stringify!($a), ".", stringify!($b), ".", stringify!($c), ".",
                    stringify!($to)
                ),
            );
        };
        ($($other:tt)*) => {};
    }
    bitexact::for_each_kernel!(row);
    report("operations of several formats", count);
}
