//! Products with epilogues against the sequence that defines them: the product by the definition's
//! entries, then the kernels for the bias, the cast, the function and the MX blocks on this
//! machine, one after the other. Whole memory is compared.

use super::tiles::{DATA, Data, Layout, kinds, numbers, reduced, report, same};
use super::{module, open, words};
use bitexact::catalog::Form;
use bitexact::format::{
    Arithmetic, Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format,
};
use bitexact::reduce::Order;
use bitexact::scale::{self, BlockError, BlockSpecials, DIALECTS, Dialect, E8M0, MxInt8};
use bitexact::tensor::Accumulation;
use bitexact::{Mode, Overflow, Rounding, activation, arith, bf16, convert, f16};
use cuda_shim::{
    Arguments, Composites, Element, Epilogue, Error, Fast, Module, Tensor, TensorMut, Type,
    ViewMut, rows,
};

const EVEN: Mode = Mode::TIES_TO_EVEN;
const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);

/// A function with its operand's and its result's formats: prepared, and here.
struct Function<'a> {
    of: Type,
    to: Type,
    fast: Fast<'a>,
    here: Box<dyn Fn(u64) -> u64>,
}

fn function(
    of: Type,
    to: Type,
    fast: Result<Fast<'static>, Error>,
    here: impl Fn(u64) -> u64 + 'static,
) -> Function<'static> {
    Function {
        of,
        to,
        fast: fast.unwrap(),
        here: Box::new(here),
    }
}

/// Functions that are looked up in tables where the sums are made.
fn functions(module: &Module) -> Vec<Function<'_>> {
    let up = Mode::ieee(Rounding::TowardPositive);
    let of_16 = |of, to, fast, here: fn(u16, Mode) -> u16, mode| {
        function(of, to, fast, move |x| here(x as u16, mode).into())
    };
    let bf16_gelu = |x, mode| activation::gelu(bf16::from_bits(x), mode).to_bits();
    let f16_gelu = |x, mode| activation::gelu(f16::from_bits(x), mode).to_bits();
    let bf16_relu = |x, _| activation::relu(bf16::from_bits(x)).to_bits();
    let narrow = |x, mode| {
        let narrow: E4M3FN = convert::convert(bf16::from_bits(x), mode);
        narrow.to_bits().into()
    };
    let (b, h) = (Type::Bf16, Type::F16);
    let narrowed = module.fast("convert.bf16.e4m3fn", up);
    vec![
        of_16(b, b, module.fast("gelu.bf16", EVEN), bf16_gelu, EVEN),
        of_16(b, b, module.fast("relu.bf16", ()), bf16_relu, EVEN),
        of_16(h, h, module.fast("gelu.f16", up), f16_gelu, up),
        // A table of bytes.
        of_16(b, Type::E4m3fn, narrowed, narrow, up),
    ]
}

/// Functions of f32, which are computed, to each number of bytes; of 8 bits, and of 16 bits to
/// more, in tables.
fn functions_of_others(module: &Module) -> Vec<Function<'_>> {
    fn convert<X: Format, R: Format>(mode: Mode) -> impl Fn(u64) -> u64 {
        move |x| {
            let result: R = convert::convert(X::from_bits(x), mode);
            result.to_bits()
        }
    }
    let single = |x: u64| Binary32::from_bits(x as u32);
    let mode = Mode::new(Rounding::TowardZero, Overflow::SaturateFinite);
    let f = Type::F32;
    let prepare = |name: &str, mode: Mode| module.function(name, mode);
    let mut all = vec![
        function(f, f, module.function("relu6.f32", ()), move |x| {
            activation::relu6(single(x)).to_bits().into()
        }),
        function(
            f,
            Type::F16,
            prepare("convert.f32.f16", mode),
            convert::<Binary32, f16>(mode),
        ),
        function(
            f,
            Type::F64,
            prepare("convert.f32.f64", mode),
            convert::<Binary32, f64>(mode),
        ),
        function(
            f,
            Type::E5m2,
            prepare("convert.f32.e5m2", EVEN),
            convert::<Binary32, E5M2>(EVEN),
        ),
        function(
            Type::E4m3fn,
            Type::Bf16,
            prepare("convert.e4m3fn.bf16", mode),
            convert::<E4M3FN, bf16>(mode),
        ),
        function(
            Type::E5m2,
            f,
            prepare("convert.e5m2.f32", EVEN),
            convert::<E5M2, Binary32>(EVEN),
        ),
        function(
            Type::Bf16,
            f,
            prepare("convert.bf16.f32", mode),
            convert::<bf16, Binary32>(mode),
        ),
        function(
            Type::F16,
            Type::F64,
            prepare("convert.f16.f64", EVEN),
            convert::<f16, f64>(EVEN),
        ),
    ];
    if !reduced(module) {
        // With paths over slices that have to be verified, which epilogues do not use.
        all.extend([
            function(
                Type::F16,
                f,
                module.fast("convert.f16.f32", EVEN),
                convert::<f16, Binary32>(EVEN),
            ),
            function(Type::Bf16, f, module.fast("sqrt.bf16.f32", EVEN), |x| {
                arith::sqrt::<bf16, Binary32>(bf16::from_bits(x as u16), EVEN)
                    .to_bits()
                    .into()
            }),
            function(
                f,
                Type::E5m2,
                module.fast("convert.f32.e5m2", EVEN),
                convert::<Binary32, E5M2>(EVEN),
            ),
            function(
                f,
                Type::Bf16,
                module.fast("convert.f32.bf16", EVEN),
                convert::<Binary32, bf16>(EVEN),
            ),
        ]);
    }
    all
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
            Some(function) => (function.here)(code),
            None => code,
        }
    }

    /// The format of what it becomes.
    fn ended(&self) -> Type {
        let ended = self.function.map(|function| function.to);
        ended.or(self.cast.map(|(ty, _)| ty)).unwrap_or(Type::F32)
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

/// The sums by the definition's entries, in row-major order.
fn sums(module: &Module, case: Case<'_>, x: &Tensor<2>, y: &Tensor<2>) -> Vec<u64> {
    let (gpu, [m, _], [_, n]) = (module.gpu(), x.shape(), y.shape());
    let mut sums = gpu.zeros::<f32>(m * n).unwrap();
    let mut to = TensorMut::contiguous(sums.view_mut(), [m, n]).unwrap();
    let definition = module.composites().by_definition();
    definition
        .gemm(x, y, case.how, case.mode, &mut to, None)
        .unwrap();
    gpu.download_bits(&sums.view()).unwrap()
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

    let sums = sums(module, case, &x, &y);

    let ty = case.ended();
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
    same(&got, &due, || {
        let (format, case) = (T::TYPE.name(), case.name());
        format!("{format} {data:?} {a:?} {b:?} {out:?} {case}")
    });
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
    for data in kinds() {
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
    // Functions of other formats, into rows and into gaps.
    for (turn, function) in functions_of_others(module).iter().enumerate() {
        let cast = (function.of != Type::F32).then_some((function.of, EVEN));
        let function = Some(function);
        let case = Case {
            function,
            ..Case::plain(cast)
        };
        for (k, data) in DATA.into_iter().enumerate() {
            let case = Case {
                bias: k % 3 != 0,
                ..case
            };
            let out = [
                Layout::rows,
                Layout::gaps,
                Layout::backwards,
                Layout::columns,
            ][(k + turn) % 4];
            let layouts = [Layout::rows(9, 5), Layout::rows(5, 33), out(9, 33)];
            count += check::<T>(module, [best, definition][k % 2], case, data, layouts);
        }
        count += check::<T>(module, best, case, Data::Normal, plain(0, 5, 3));
        count += check::<T>(module, best, case, Data::Normal, plain(3, 5, 0));
        let layouts = plain(200, 150, 17);
        count += check::<T>(module, best.in_blocks(1), case, Data::Any, layouts);
        // Sums of -0 stay without a bias.
        let case = Case {
            bias: false,
            ..case
        };
        count += check::<T>(module, best, case, Data::Zeros, plain(9, 33, 1));
        if !reduced(module) {
            count += check::<T>(module, best, case, Data::Normal, plain(1000, 1016, 513));
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
        for data in kinds() {
            count += check::<T>(module, best, gelu, data, plain(1000, 1016, 513));
        }
        count += check::<T>(module, best, gelu, Data::Normal, plain(2048, 2048, 2048));
    }
    count
}

/// How MX blocks are made.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    element: Type,
    block: usize,
    dialect: Dialect,
}

impl Blocks {
    /// The codes of the elements and of the scales of rows of `n` values of this format, by the
    /// kernels on this machine.
    fn of(&self, ty: Type, values: &[u64], n: usize) -> [Vec<u64>; 2] {
        fn of<F: Arithmetic, E: scale::Element + Element>(
            by: &Blocks,
            values: &[u64],
            n: usize,
        ) -> [Vec<u64>; 2] {
            let (mut codes, mut scales) = (Vec::new(), Vec::new());
            for row in values.chunks(n.max(1)) {
                let row: Vec<F> = row.iter().map(|bits| F::from_bits(*bits)).collect();
                let mut elements = vec![E::ZERO; n];
                let mut own = vec![E8M0::ONE; n.div_ceil(by.block)];
                scale::quantise(&row, by.block, &by.dialect, &mut elements, &mut own).unwrap();
                codes.extend(elements.into_iter().map(|element| element.bits()));
                scales.extend(own.into_iter().map(|scale| u64::from(scale.to_bits())));
            }
            [codes, scales]
        }
        fn from<E: scale::Element + Element>(
            by: &Blocks,
            ty: Type,
            values: &[u64],
            n: usize,
        ) -> [Vec<u64>; 2] {
            match ty {
                Type::F16 => of::<f16, E>(by, values, n),
                Type::Bf16 => of::<bf16, E>(by, values, n),
                _ => of::<Binary32, E>(by, values, n),
            }
        }
        let of = match self.element {
            Type::E5m2 => from::<E5M2>,
            Type::E4m3fn => from::<E4M3FN>,
            Type::E5m2fnuz => from::<E5M2FNUZ>,
            Type::E4m3fnuz => from::<E4M3FNUZ>,
            Type::E3m2 => from::<E3M2>,
            Type::E2m3 => from::<E2M3>,
            Type::E2m1 => from::<E2M1>,
            _ => from::<MxInt8>,
        };
        of(self, ty, values, n)
    }
}

const ELEMENTS: [Type; 8] = [
    Type::E5m2,
    Type::E4m3fn,
    Type::E5m2fnuz,
    Type::E4m3fnuz,
    Type::E3m2,
    Type::E2m3,
    Type::E2m1,
    Type::Mxint8,
];

/// The MX blocks of a product with an epilogue, from the codes' place `skip` on: how many codes
/// were compared.
fn check_blocks<T: Element + Format>(
    module: &Module,
    on: Composites<'_>,
    case: Case<'_>,
    by: Blocks,
    (data, bias): (Data, &[f32]),
    [m, n, k]: [usize; 3],
    skip: usize,
) -> usize {
    let gpu = module.gpu();
    let x = gpu.upload(&numbers::<T>(data, m * k, 1)).unwrap();
    let y = gpu.upload(&numbers::<T>(data, k * n, 2)).unwrap();
    let x = Tensor::contiguous(x.view(), [m, k]).unwrap();
    let y = Tensor::contiguous(y.view(), [k, n]).unwrap();
    let on_device = gpu.upload(bias).unwrap();
    let values: Vec<u64> = sums(module, case, &x, &y)
        .into_iter()
        .enumerate()
        .map(|(at, sum)| case.of(sum, Binary32::from_bits(bias[at % n].to_bits())))
        .collect();
    let made = by.of(case.ended(), &values, n);
    // All memory, with what lies about it.
    let before = |codes: &[u64]| vec![0x15; codes.len() + skip + 3];
    let due = [&made[0], &made[1]].map(|codes| {
        let mut due = before(codes);
        due[skip..skip + codes.len()].copy_from_slice(codes);
        due
    });
    let types = [by.element, Type::E8m0];
    let [mut elements, mut scales] =
        [0, 1].map(|side| gpu.upload_bits(types[side], &before(&made[side])).unwrap());
    let epilogue = Epilogue {
        bias: case.bias.then(|| on_device.view()),
        cast: case.cast,
        function: case.function.map(|function| &function.fast),
    };
    on.gemm_quantise(
        &x,
        &y,
        case.how,
        case.mode,
        &epilogue,
        by.block,
        &by.dialect,
        &mut elements.slice_mut(skip..skip + made[0].len()).unwrap(),
        &mut scales.slice_mut(skip..skip + made[1].len()).unwrap(),
    )
    .unwrap();
    let got = [elements, scales].map(|codes| gpu.download_bits(&codes.view()).unwrap());
    for side in [0, 1] {
        let first = (0..due[side].len()).find(|at| got[side][*at] != due[side][*at]);
        assert_eq!(
            first,
            None,
            "{} {} {by:?} {data:?} {m} {n} {k} {skip}: code {side} {:#x?} for {:#x?} of {:#x?}",
            T::TYPE.name(),
            case.name(),
            first.map(|at| got[side][at]),
            first.map(|at| due[side][at]),
            first.and_then(|at| values.get(at - skip)),
        );
    }
    made[0].len() + made[1].len()
}

fn check_all_blocks<T: Element + Format>(module: &Module) -> usize {
    let (best, mut count) = (module.composites(), 0);
    let definition = best.by_definition();
    let (functions, others) = (functions(module), functions_of_others(module));
    let of_16: Vec<_> = functions
        .iter()
        .filter(|function| function.to.bytes() == 2)
        .collect();
    let dialect = |turn: usize| DIALECTS[turn % DIALECTS.len()].1;
    let bias = |data, n| numbers::<f32>(data, n, 3);
    let plain = Case::plain(None);
    let by = |element, turn| Blocks {
        element,
        block: 32,
        dialect: dialect(turn),
    };
    let mut turn = 0;
    for element in ELEMENTS {
        // Data of all kinds: as sums, and as the bias alone. Each time another dialect, what
        // becomes of the sums, and where codes lie; the last block of a row is shorter, or not.
        for data in kinds() {
            turn += 1;
            let by = by(element, turn);
            let function = of_16[turn % of_16.len()];
            let case = match turn % 5 {
                0 => Case {
                    bias: false,
                    ..plain
                },
                1 => Case::plain(Some((Type::F16, modes().nth(turn % 18).unwrap_or(EVEN)))),
                2 => Case::plain(Some((Type::Bf16, modes().nth(turn % 18).unwrap_or(EVEN)))),
                3 => Case {
                    function: Some(function),
                    ..Case::plain(Some((function.of, EVEN)))
                },
                _ => plain,
            };
            let n = [70, 96, 131, 32, 33, 5, 160][turn % 7];
            let of = bias(data, n);
            count += check_blocks::<T>(module, best, case, by, (data, &of), [9, n, 3], turn % 4);
            let zeros = (Data::Zeros, &*of);
            count += check_blocks::<T>(module, best, plain, by, zeros, [3, n, 1], 0);
            count += check_blocks::<T>(module, definition, case, by, (data, &of), [3, n, 2], 1);
        }
        // Blocks of all exponents, with midpoints of elements and what is next to them.
        let n = 32 * 64;
        let exponents: Vec<f32> = words(n)
            .enumerate()
            .map(|(at, word)| {
                let down = (word >> 40) % 12;
                let field = (4 * (at as u64 / 32) + turn as u64 % 4)
                    .saturating_sub(down)
                    .min(254);
                let fraction = (word & 15) << 19 | [0, 0, 1, 0x7F_FFFF][(word >> 8) as usize % 4];
                let bits = word >> 63 << 31 | field << 23 | fraction & 0x7F_FFFF;
                f32::from_bits(bits as u32)
            })
            .collect();
        let case = [plain, Case::plain(Some((Type::Bf16, EVEN)))][turn % 2];
        let zeros = (Data::Zeros, &*exponents);
        count += check_blocks::<T>(module, best, case, by(element, turn), zeros, [1, n, 1], 0);
    }
    // Tiles beyond one, slabs and a rest, any grid; sizes that fill nothing, and no terms.
    for (turn, [m, n, k]) in [
        [130, 136, 40],
        [65, 131, 18],
        [129, 257, 7],
        [1, 1, 0],
        [5, 40, 0],
        [0, 5, 2],
        [5, 0, 2],
    ]
    .into_iter()
    .enumerate()
    {
        let of = bias(Data::Normal, n);
        let case = [plain, Case::plain(Some((Type::Bf16, EVEN)))][turn % 2];
        for on in [best, best.in_blocks(1)] {
            let by = by(ELEMENTS[turn % 8], turn);
            count += check_blocks::<T>(module, on, case, by, (Data::Nans, &of), [m, n, k], 0);
        }
    }
    // Functions of other formats.
    let values = [Type::F32, Type::F16, Type::Bf16];
    let mut made = others
        .iter()
        .filter(|function| values.contains(&function.to))
        .cycle();
    for (turn, data) in kinds().enumerate() {
        let Some(function) = made.next() else { break };
        let cast = (function.of != Type::F32).then_some((function.of, EVEN));
        let case = Case {
            function: Some(function),
            ..Case::plain(cast)
        };
        let [m, n, k] = [[9, 70, 3], [130, 136, 17], [65, 33, 40]][turn % 3];
        let of = bias(data, n);
        for on in [best, best.in_blocks(1), definition] {
            let by = by(ELEMENTS[turn % 8], turn);
            count += check_blocks::<T>(module, on, case, by, (data, &of), [m, n, k], turn % 4);
        }
    }
    // What is not done in one pass: other blocks, dialects and sums.
    let of = bias(Data::Spread, 70);
    let mut turn = 0;
    let mut other = |case: Case<'_>, block: usize, change: &dyn Fn(&mut Dialect)| {
        turn += 1;
        let mut by = by(ELEMENTS[turn % 8], turn);
        by.block = block;
        change(&mut by.dialect);
        let data = DATA[turn % DATA.len()];
        count += check_blocks::<T>(module, best, case, by, (data, &of), [9, 70, 5], turn % 4);
        count += check_blocks::<T>(module, best, case, by, (data, &of[..64]), [9, 64, 5], 0);
    };
    for block in [1, 7, 16, 64, 70, 1000, usize::MAX] {
        other(plain, block, &|_| ());
    }
    for mode in modes() {
        other(plain, 32, &|dialect| dialect.mode = mode);
    }
    other(plain, 32, &|dialect| {
        dialect.specials = BlockSpecials::Element
    });
    for (how, mode) in [
        (Accumulation::Exact, EVEN),
        (Accumulation::Declared(Order::Pairwise), EVEN),
        (SEQUENTIAL, Mode::ieee(Rounding::TowardNegative)),
    ] {
        other(Case { how, mode, ..plain }, 32, &|_| ());
    }
    if !reduced(module) {
        let of = bias(Data::Normal, 2048);
        for (turn, data) in DATA.into_iter().enumerate() {
            let by = by(ELEMENTS[turn % 8], turn);
            count += check_blocks::<T>(
                module,
                best,
                plain,
                by,
                (data, &of[..1016]),
                [1000, 1016, 513],
                0,
            );
        }
        for element in ELEMENTS {
            let normal = (Data::Normal, &*of);
            count += check_blocks::<T>(module, best, plain, by(element, 0), normal, [2048; 3], 0);
        }
    }
    count
}

/// The arguments of a form: every choice, with one pair of parameters.
fn arguments_of(form: &Form) -> Vec<Arguments<'static>> {
    let mut all = vec![Vec::new()];
    for (place, number) in form.numbers.iter().enumerate() {
        let choices: Vec<u64> = match (number.name, number.ty) {
            ("rounding" | "overflow" | "nan" | "policy", _) => (0..64).collect(),
            (_, Type::F32) => {
                vec![[(-1.5f32).to_bits(), 40f32.to_bits()][place % 2].into()]
            }
            (_, Type::F64) => vec![[(-1.5f64).to_bits(), 40f64.to_bits()][place % 2]],
            (_, Type::F16) => vec![[0xBE00, 0x5100][place % 2]],
            (_, Type::Bf16) => vec![[0xBFC0, 0x4220][place % 2]],
            (name, ty) => panic!("{name}: {ty:?}"),
        };
        let more = |numbers: &Vec<u64>| {
            let numbers = numbers.clone();
            let longer = move |choice: &u64| [&numbers[..], &[*choice]].concat();
            choices.iter().map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(more).collect();
    }
    // No list has as many choices.
    let valid = |numbers: Vec<u64>| Arguments::of_numbers(form, &numbers).ok();
    let valid: Vec<_> = all.into_iter().filter_map(valid).collect();
    assert!(!valid.is_empty(), "{form:?}");
    valid
}

/// Every row of one f32 with one result, with every choice: in the product's pass, after it, and
/// before MX blocks, against a launch of the row over the sums.
#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn every_function_of_f32_in_tiles() {
    let module = module();
    let (gpu, best) = (module.gpu(), module.composites());
    let (most, n, k) = (131, 130, 3);
    let random = gpu
        .upload(&words(most * n).map(|word| word as u16).collect::<Vec<_>>())
        .unwrap();
    let (mut data, mut count, mut functions) = (DATA.into_iter().cycle(), 0, 0);
    for row in rows().iter().filter(|row| row.operands == [Type::F32]) {
        let &[result] = row.results else { continue };
        let all = row.forms.iter().flat_map(arguments_of);
        let mut all: Vec<_> = all.map(|arguments| (5, arguments)).collect();
        if row.stochastic.is_some() {
            // More rows than a tile has.
            let random = |rule| (most, Arguments::stochastic(random.view(), rule));
            all.extend(Overflow::ALL.map(random));
        }
        functions += all.len();
        // Of a row with few choices, each over data of several kinds.
        let turns = all.len().max(DATA.len());
        for (m, arguments) in all.into_iter().cycle().take(turns) {
            let data = data.next().unwrap_or(Data::Any);
            let x = gpu.upload(&numbers::<bf16>(data, m * k, 1)).unwrap();
            let y = gpu.upload(&numbers::<bf16>(data, k * n, 2)).unwrap();
            let bias = numbers::<f32>(data, n, 3);
            let on_device = gpu.upload(&bias).unwrap();
            let x = Tensor::contiguous(x.view(), [m, k]).unwrap();
            let y = Tensor::contiguous(y.view(), [k, n]).unwrap();
            let own = sums(module, Case::plain(None), &x, &y);
            let own: Vec<u64> = own
                .into_iter()
                .enumerate()
                .map(|(at, sum)| {
                    let start = Binary32::from_bits(bias[at % n].to_bits());
                    arith::add::<_, _, Binary32>(Binary32::from_bits(sum as u32), start, EVEN)
                        .to_bits()
                        .into()
                })
                .collect();
            let own = gpu.upload_bits(Type::F32, &own).unwrap();
            let mut due = gpu.zeros_of(result, m * n).unwrap();
            let results = &mut [due.view_mut()];
            module
                .launch(row.name, &[own.view()], results, None, arguments)
                .unwrap();

            let function = module.function(row.name, arguments).unwrap();
            let epilogue = Epilogue {
                bias: Some(on_device.view()),
                cast: None,
                function: Some(&function),
            };
            let expected = gpu.download_bits(&due.view()).unwrap();
            for on in [best, best.by_definition()] {
                let mut out = gpu.zeros_of(result, m * n).unwrap();
                let mut to = TensorMut::contiguous(out.view_mut(), [m, n]).unwrap();
                on.gemm_epilogue(&x, &y, SEQUENTIAL, EVEN, &epilogue, &mut to)
                    .unwrap();
                let got = gpu.download_bits(&out.view()).unwrap();
                same(&got, &expected, || {
                    format!("{} {arguments:?} {data:?}", row.name)
                });
                count += m * n;
            }
            if ![Type::F32, Type::F16, Type::Bf16].contains(&result) {
                continue;
            }
            let dialect = &Dialect::OCP_FLOOR;
            // A row of 130 results has four blocks and one of two.
            let blocks = |on: &dyn Fn(&mut ViewMut, &mut ViewMut)| {
                let mut elements = gpu.zeros::<E4M3FN>(m * n).unwrap();
                let mut scales = gpu.zeros::<E8M0>(5 * m).unwrap();
                on(&mut elements.view_mut(), &mut scales.view_mut());
                [elements, scales].map(|codes| gpu.download_bits(&codes.view()).unwrap())
            };
            let made = blocks(&|elements, scales| {
                best.gemm_quantise(
                    &x, &y, SEQUENTIAL, EVEN, &epilogue, 32, dialect, elements, scales,
                )
                .unwrap();
            });
            let by = Blocks {
                element: Type::E4m3fn,
                block: 32,
                dialect: *dialect,
            };
            assert_eq!(
                made,
                by.of(result, &expected, n),
                "{} {arguments:?}",
                row.name
            );
            count += made[0].len() + made[1].len();
        }
    }
    assert!(functions > 300, "{functions}");
    report(module, "results of functions of f32 in epilogues", count);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn blocks_of_products_in_tiles() {
    let module = module();
    let count = check_all_blocks::<bf16>(module)
        + check_all_blocks::<f16>(module)
        + check_all_blocks::<f32>(module)
        + check_all_blocks::<E4M3FN>(module)
        + check_all_blocks::<E5M2>(module);
    report(
        module,
        "elements and scales of products as MX blocks",
        count,
    );
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
    let of_f32 = module.fast("relu6.f32", ()).unwrap();
    // Of another module of the same device: it may only be run there.
    let other = open().unwrap();
    let theirs = ["gelu.bf16", "relu6.f32"].map(|name| match name {
        "gelu.bf16" => other.fast(name, EVEN).unwrap(),
        _ => other.fast(name, ()).unwrap(),
    });
    for (theirs, ty) in theirs.iter().zip([Type::Bf16, Type::F32]) {
        let (x, mut y) = (gpu.zeros_of(ty, 8).unwrap(), gpu.zeros_of(ty, 8).unwrap());
        let refused = module.run_fast(theirs, &x.view(), &mut y.view_mut());
        assert!(matches!(refused, Err(Error::Mismatch { .. })));
        assert_eq!(other.run_fast(theirs, &x.view(), &mut y.view_mut()), Ok(()));
    }
    let [theirs, theirs_of_f32] = theirs.each_ref().map(Some);
    let after = Epilogue {
        function: Some(&of_f32),
        ..none
    };
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
                cast: cast(Type::Bf16),
                function: theirs,
                ..none
            },
            Type::Bf16,
            "gelu.bf16",
        ),
        (
            Epilogue {
                function: theirs_of_f32,
                ..none
            },
            Type::F32,
            "relu6.f32",
        ),
        (after, Type::F32, ""),
        (after, Type::Bf16, "out"),
        (
            Epilogue {
                cast: cast(Type::Bf16),
                ..after
            },
            Type::F32,
            "function",
        ),
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
    // Random bits: 16 words, or as many bytes, or fewer words.
    for (ty, count, due) in [
        (Type::U16, 16, ""),
        (Type::U8, 16, "random"),
        (Type::U16, 15, "random"),
    ] {
        let bits = gpu.zeros_of(ty, count).unwrap();
        let random = Arguments::stochastic(bits.view(), Overflow::Ieee);
        let function = module.function("convert.f32.f16", random).unwrap();
        let epilogue = Epilogue {
            function: Some(&function),
            ..none
        };
        assert_eq!(run(&epilogue, Type::F16), due, "{epilogue:?}");
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn wrong_blocks_of_products_in_tiles_are_errors() {
    let module = module();
    let gpu = module.gpu();
    let x = gpu.zeros::<bf16>(120).unwrap();
    let run = |epilogue: &Epilogue, block, elements: (Type, usize), scales: (Type, usize)| {
        let [mut to, mut codes] =
            [elements, scales].map(|(ty, n)| gpu.upload_bits(ty, &vec![0x5A; n]).unwrap());
        let result = module.composites().gemm_quantise(
            &Tensor::contiguous(x.slice(0..12).unwrap(), [4, 3]).unwrap(),
            &Tensor::contiguous(x.view(), [3, 40]).unwrap(),
            SEQUENTIAL,
            EVEN,
            epilogue,
            block,
            &Dialect::OCP_FLOOR,
            &mut to.view_mut(),
            &mut codes.view_mut(),
        );
        for codes in [to, codes] {
            let codes = gpu.download_bits(&codes.view()).unwrap();
            assert_eq!(codes.iter().all(|code| *code == 0x5A), result.is_err());
        }
        match result {
            Err(Error::Mismatch { what, .. }) => what,
            Err(Error::Block(BlockError::LengthMismatch { which, .. })) => which.into(),
            Err(Error::Block(error)) => error.to_string(),
            Err(other) => panic!("{other}"),
            Ok(()) => String::new(),
        }
    };
    let none = Epilogue::default();
    let narrow = Epilogue {
        cast: Some((Type::E5m2, EVEN)),
        ..none
    };
    let (elements, scales) = ((Type::E4m3fn, 160), (Type::E8m0, 8));
    let zero = BlockError::BlockSizeZero.to_string();
    for (epilogue, block, elements, scales, due) in [
        (none, 32, elements, scales, ""),
        (narrow, 32, elements, scales, "epilogue's result"),
        (none, 0, elements, scales, &*zero),
        (none, 16, elements, scales, "scales"),
        (none, 32, (Type::E4m3fn, 159), scales, "elements"),
        (none, 32, elements, (Type::E8m0, 5), "scales"),
        (none, 32, (Type::U8, 160), scales, "elements"),
        (none, 32, elements, (Type::E4m3fn, 8), "scales"),
    ] {
        assert_eq!(
            run(&epilogue, block, elements, scales),
            due,
            "{epilogue:?} {block}"
        );
    }
}
