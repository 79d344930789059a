//! Products with epilogues against the sequence that defines them: the product by the definition's
//! entries, then the kernels for the bias, the cast and the function on this machine, one after the
//! other. Whole memory is compared.

use super::tiles::{DATA, Data, Layout, numbers, reduced, report};
use super::{module, words};
use bitexact::format::{Binary32, E4M3FN, E5M2, Format};
use bitexact::reduce::Order;
use bitexact::tensor::Accumulation;
use bitexact::{Mode, Overflow, Rounding, activation, arith, bf16, convert, f16};
use cuda_shim::{Composites, Element, Epilogue, Error, Fast, Module, Tensor, TensorMut, Type};

const EVEN: Mode = Mode::TIES_TO_EVEN;
const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);

/// A function of a 16-bit format with its result's: prepared, and here.
struct Function<'a> {
    of: Type,
    to: Type,
    fast: Fast<'a>,
    here: Box<dyn Fn(u16) -> u16>,
}

fn functions(module: &Module) -> Vec<Function<'_>> {
    let up = Mode::ieee(Rounding::TowardPositive);
    let into = |of: Type, to: Type, fast: Result<Fast<'static>, Error>, here| Function {
        of,
        to,
        fast: fast.unwrap(),
        here,
    };
    let function = |of: Type, fast, here: Box<dyn Fn(u16) -> u16>| into(of, of, fast, here);
    vec![
        function(
            Type::Bf16,
            module.fast("gelu.bf16", EVEN),
            Box::new(|x| activation::gelu(bf16::from_bits(x), EVEN).to_bits()),
        ),
        function(
            Type::Bf16,
            module.fast("relu.bf16", ()),
            Box::new(|x| activation::relu(bf16::from_bits(x)).to_bits()),
        ),
        function(
            Type::F16,
            module.fast("gelu.f16", up),
            Box::new(move |x| activation::gelu(f16::from_bits(x), up).to_bits()),
        ),
        // A table of bytes.
        into(
            Type::Bf16,
            Type::E4m3fn,
            module.fast("convert.bf16.e4m3fn", up),
            Box::new(move |x| {
                let narrow: E4M3FN = convert::convert(bf16::from_bits(x), up);
                narrow.to_bits().into()
            }),
        ),
    ]
}

/// What is done to the sums, and how they are made.
#[derive(Clone, Copy)]
struct Case<'a> {
    how: Accumulation,
    mode: Mode,
    bias: bool,
    cast: Option<(Type, Mode)>,
    function: Option<&'a Function<'a>>,
}

impl Case<'_> {
    const fn plain(cast: Option<(Type, Mode)>) -> Self {
        Self {
            how: SEQUENTIAL,
            mode: EVEN,
            bias: true,
            cast,
            function: None,
        }
    }

    /// What a sum becomes, kernel by kernel.
    fn of(&self, sum: u64, bias: Binary32) -> u64 {
        fn cast<R: Format>(sum: Binary32, mode: Mode) -> u64 {
            let narrow: R = convert::convert(sum, mode);
            narrow.to_bits()
        }
        let mut sum = Binary32::from_bits(sum as u32);
        if self.bias {
            sum = arith::add(sum, bias, self.mode);
        }
        let code = match self.cast {
            None => sum.to_bits().into(),
            Some((Type::F16, mode)) => cast::<f16>(sum, mode),
            Some((Type::Bf16, mode)) => cast::<bf16>(sum, mode),
            Some((Type::E4m3fn, mode)) => cast::<E4M3FN>(sum, mode),
            Some((_, mode)) => cast::<E5M2>(sum, mode),
        };
        match self.function {
            Some(function) => (function.here)(code as u16).into(),
            None => code,
        }
    }

    fn name(&self) -> String {
        let Self {
            how,
            mode,
            bias,
            cast,
            function,
        } = self;
        let function = function.map(|function| &function.fast);
        format!("{how:?} {mode:?} bias {bias} {cast:?} {function:?}")
    }
}

/// The product with an epilogue on this grid, in these layouts: how many elements were compared.
fn check<T: Element + Format>(
    module: &Module,
    on: Composites<'_>,
    case: Case<'_>,
    data: Data,
    [a, b, out]: [Layout; 3],
) -> usize {
    let gpu = module.gpu();
    let [m, n] = out.0;
    let upload = |layout: Layout, salt| {
        let numbers = numbers::<T>(data, layout.3.max(1), salt);
        gpu.upload(&numbers).unwrap()
    };
    let (x, y) = (upload(a, 1), upload(b, 2));
    let (x, y) = (
        Tensor::new(x.view(), a.0, a.1, a.2).unwrap(),
        Tensor::new(y.view(), b.0, b.1, b.2).unwrap(),
    );
    let bias = numbers::<f32>(data, n, 3);
    let on_device = gpu.upload(&bias).unwrap();
    let bias: Vec<Binary32> = bias
        .iter()
        .map(|x| Binary32::from_bits(x.to_bits()))
        .collect();

    let mut sums = gpu.zeros::<f32>(m * n).unwrap();
    let mut to = TensorMut::contiguous(sums.view_mut(), [m, n]).unwrap();
    let definition = module.composites().by_definition();
    definition
        .gemm(&x, &y, case.how, case.mode, &mut to, None)
        .unwrap();
    let sums = gpu.download_bits(&sums.view()).unwrap();

    let ended = case.function.map(|function| function.to);
    let ty = ended.or(case.cast.map(|(ty, _)| ty)).unwrap_or(Type::F32);
    let mask = u64::MAX >> (64 - 8 * ty.bytes());
    let mut due: Vec<u64> = words(out.3.max(1)).map(|word| word & mask).collect();
    let mut got = gpu.upload_bits(ty, &due).unwrap();
    for (at, sum) in sums.into_iter().enumerate() {
        let (i, j) = (at / n, at % n);
        let place = out.2 as isize + i as isize * out.1[0] + j as isize * out.1[1];
        due[place as usize] = case.of(sum, bias[j]);
    }
    let epilogue = Epilogue {
        bias: case.bias.then(|| on_device.view()),
        cast: case.cast,
        function: case.function.map(|function| &function.fast),
    };
    let mut to = TensorMut::new(got.view_mut(), out.0, out.1, out.2).unwrap();
    on.gemm_epilogue(&x, &y, case.how, case.mode, &epilogue, &mut to)
        .unwrap();
    let got = gpu.download_bits(&got.view()).unwrap();
    let first = got.iter().zip(&due).position(|(got, due)| got != due);
    assert_eq!(
        first,
        None,
        "{} {data:?} {a:?} {b:?} {out:?} {}: {:#x?} for {:#x?}",
        T::TYPE.name(),
        case.name(),
        first.map(|at| got[at]),
        first.map(|at| due[at]),
    );
    m * n
}

fn plain(m: usize, n: usize, k: usize) -> [Layout; 3] {
    [Layout::rows(m, k), Layout::rows(k, n), Layout::rows(m, n)]
}

/// Every mode.
fn modes() -> impl Iterator<Item = Mode> {
    let all = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(all)
}

fn check_all<T: Element + Format>(module: &Module) -> usize {
    let (best, mut count) = (module.composites(), 0);
    let definition = best.by_definition();
    let functions = functions(module);
    let casts = [Type::F16, Type::Bf16, Type::E4m3fn, Type::E5m2];
    // Each mode of the cast, over data of each kind in turn; in tiles and by the definition.
    let mut turn = DATA.into_iter().cycle();
    for mode in modes() {
        for ty in casts {
            let case = Case::plain(Some((ty, mode)));
            for on in [best, definition] {
                let data = turn.next().unwrap_or(Data::Any);
                count += check::<T>(module, on, case, data, plain(37, 40, 3));
            }
        }
    }
    // Each kind of data in a tile and a bit, over slabs and a rest: f32, casts, functions.
    for data in DATA {
        for bias in [false, true] {
            let case = Case {
                bias,
                ..Case::plain(None)
            };
            count += check::<T>(module, best, case, data, plain(130, 136, 40));
        }
        for function in &functions {
            let function = Some(function);
            let cast = function.map(|function| (function.of, EVEN));
            let case = Case {
                function,
                ..Case::plain(cast)
            };
            count += check::<T>(module, best, case, data, plain(65, 131, 18));
            count += check::<T>(module, definition, case, data, plain(5, 6, 7));
        }
    }
    // Exact sums, other orders and other modes of the product.
    for (turn, mode) in modes().enumerate() {
        let how = [
            Accumulation::Exact,
            SEQUENTIAL,
            Accumulation::Declared(Order::Pairwise),
        ][turn % 3];
        let cast = Some((casts[turn % 4], mode));
        let case = Case {
            how,
            mode,
            ..Case::plain(cast)
        };
        let data = DATA[turn % DATA.len()];
        count += check::<T>(module, best, case, data, plain(34, 9, 33));
        count += check::<T>(
            module,
            best,
            Case {
                how: Accumulation::Exact,
                ..case
            },
            data,
            plain(3, 70, 33),
        );
    }
    // Sizes that fill nothing, and no terms.
    let gelu = Case {
        function: functions.first(),
        ..Case::plain(Some((Type::Bf16, EVEN)))
    };
    for k in [0, 1, 15, 16, 17, 33] {
        for [m, n] in [[1, 1], [9, 8], [64, 129], [0, 5], [5, 0]] {
            count += check::<T>(module, best, gelu, Data::MinusZero, plain(m, n, k));
            count += check::<T>(
                module,
                best,
                Case::plain(None),
                Data::Spread,
                plain(m, n, k),
            );
            let exact = Case {
                how: Accumulation::Exact,
                ..gelu
            };
            count += check::<T>(module, best, exact, Data::Normal, plain(m, n, k));
        }
    }
    // Layouts, and grids.
    for out in [
        Layout::rows,
        Layout::columns,
        Layout::backwards,
        Layout::gaps,
    ] {
        for cast in [None, Some((Type::Bf16, EVEN)), Some((Type::E5m2, EVEN))] {
            let layouts = [
                Layout::columns(129, 21),
                Layout::backwards(21, 131),
                out(129, 131),
            ];
            count += check::<T>(module, best, Case::plain(cast), Data::Normal, layouts);
        }
    }
    for on in [
        best.in_blocks(1),
        best.in_blocks(5),
        definition.in_grid(3, 64),
    ] {
        count += check::<T>(module, on, gelu, Data::Normal, plain(200, 150, 17));
    }
    if !reduced(module) {
        for data in DATA {
            count += check::<T>(module, best, gelu, data, plain(1000, 1016, 513));
        }
        count += check::<T>(module, best, gelu, Data::Normal, plain(2048, 2048, 2048));
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn epilogues_of_tiles() {
    let module = module();
    let count = check_all::<bf16>(module)
        + check_all::<f16>(module)
        + check_all::<f32>(module)
        + check_all::<E4M3FN>(module)
        + check_all::<E5M2>(module);
    report(module, "elements of products with epilogues", count);
}

/// What is compared above would tell these from the definition: another rounding, another rule for
/// overflow, no bias, a bias that is added after the cast.
#[test]
fn faults_of_epilogues_are_found() {
    let sums = numbers::<f32>(Data::Normal, 4000, 1);
    let bias = numbers::<f32>(Data::Normal, 4000, 3);
    let becomes = |case: &dyn Fn(u64, Binary32) -> u64| -> Vec<u64> {
        let pairs = sums.iter().zip(&bias);
        pairs
            .map(|(sum, bias)| case(sum.to_bits().into(), Binary32::from_bits(bias.to_bits())))
            .collect()
    };
    let cast = |mode| Case::plain(Some((Type::Bf16, mode)));
    let due = becomes(&|sum, bias| cast(EVEN).of(sum, bias));
    for rounding in Rounding::ALL {
        let other = cast(Mode::ieee(rounding));
        let same = becomes(&|sum, bias| other.of(sum, bias)) == due;
        let nearest = [Rounding::TiesToEven, Rounding::TiesToAway].contains(&rounding);
        assert!(!same || nearest, "{rounding:?}");
    }
    let bare = Case {
        bias: false,
        ..cast(EVEN)
    };
    assert_ne!(becomes(&|sum, bias| bare.of(sum, bias)), due);
    let after = |sum: u64, bias: Binary32| {
        let first = bf16::from_bits(bare.of(sum, bias) as u16);
        let bias: bf16 = convert::convert(bias, EVEN);
        let sum: bf16 = arith::add(first, bias, EVEN);
        sum.to_bits().into()
    };
    assert_ne!(becomes(&after), due);
    let large = u64::from(3e38f32.to_bits());
    let finite = Mode {
        overflow: Overflow::SaturateFinite,
        ..EVEN
    };
    let [a, b] = [EVEN, finite].map(|mode| {
        let cast = Case {
            bias: false,
            ..Case::plain(Some((Type::F16, mode)))
        };
        cast.of(large, Binary32::from_bits(0))
    });
    assert_ne!(a, b);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn wrong_epilogues_of_tiles_are_errors() {
    let module = module();
    let gpu = module.gpu();
    let x = gpu.zeros::<bf16>(12).unwrap();
    let (bias, short) = (gpu.zeros::<f32>(4).unwrap(), gpu.zeros::<f32>(3).unwrap());
    let run = |epilogue: &Epilogue, ty: Type| {
        let before = vec![0x5A; 16];
        let mut out = gpu.upload_bits(ty, &before).unwrap();
        let result = module.composites().gemm_epilogue(
            &Tensor::contiguous(x.view(), [4, 3]).unwrap(),
            &Tensor::contiguous(x.view(), [3, 4]).unwrap(),
            SEQUENTIAL,
            EVEN,
            epilogue,
            &mut TensorMut::contiguous(out.view_mut(), [4, 4]).unwrap(),
        );
        let same = gpu.download_bits(&out.view()).unwrap() == before;
        assert_eq!(same, result.is_err());
        match result {
            Err(Error::Mismatch { what, .. }) => what,
            Err(other) => panic!("{other}"),
            Ok(()) => String::new(),
        }
    };
    let none = Epilogue::default();
    let cast = |ty| Some((ty, EVEN));
    let gelu = module.fast("gelu.bf16", EVEN).unwrap();
    let function = Some(&gelu);
    for (epilogue, out, due) in [
        (none, Type::F32, ""),
        (none, Type::Bf16, "out"),
        (
            Epilogue {
                bias: Some(bias.view()),
                ..none
            },
            Type::F32,
            "",
        ),
        (
            Epilogue {
                bias: Some(short.view()),
                ..none
            },
            Type::F32,
            "bias",
        ),
        (
            Epilogue {
                bias: Some(x.slice(0..4).unwrap()),
                ..none
            },
            Type::F32,
            "bias",
        ),
        (
            Epilogue {
                cast: cast(Type::E5m2),
                ..none
            },
            Type::E5m2,
            "",
        ),
        (
            Epilogue {
                cast: cast(Type::E5m2),
                ..none
            },
            Type::E4m3fn,
            "out",
        ),
        (
            Epilogue {
                cast: cast(Type::E2m1),
                ..none
            },
            Type::E2m1,
            "cast",
        ),
        (
            Epilogue {
                cast: cast(Type::F32),
                ..none
            },
            Type::F32,
            "cast",
        ),
        (Epilogue { function, ..none }, Type::F32, "function"),
        (
            Epilogue {
                cast: cast(Type::F16),
                function,
                ..none
            },
            Type::F16,
            "function",
        ),
        (
            Epilogue {
                cast: cast(Type::Bf16),
                function,
                ..none
            },
            Type::Bf16,
            "",
        ),
    ] {
        assert_eq!(run(&epilogue, out), due, "{epilogue:?}");
    }
}
