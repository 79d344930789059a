//! The entries of the catalog's rows.
//!
//! A row has an entry of its own name, for the arguments of each of its forms, where it may be
//! called often. All others share one with the kernel's other rows, `KERNEL_mixed`, or, of kernels
//! with few instructions, with other kernels' rows: a word says which row it is. Few kernels have
//! no entry.

/// The entries that rows of several formats share. Their parameters: operands, the result, flags
/// (null if they are not requested), the number of elements, random bits (null without stochastic
/// rounding), the mode, or the overflow rule with random bits, and the [formats](FORMATS).
#[macro_export]
macro_rules! shared_rows {
    ($to:ident) => {
        $crate::shared_rows! { @ $to [
            convert "convert_mixed" (a: *const u8,)
            from_int "from_int_mixed" (a: *const u8,)
            to_int "to_int_mixed" (a: *const u8,)
            sqrt "sqrt_mixed" (a: *const u8,)
            add "add_mixed" (a: *const u8, b: *const u8,)
            sub "sub_mixed" (a: *const u8, b: *const u8,)
            mul "mul_mixed" (a: *const u8, b: *const u8,)
            div "div_mixed" (a: *const u8, b: *const u8,)
            fma "fma_mixed" (a: *const u8, b: *const u8, c: *const u8,)
            e8m0_decode "e8m0_decode_mixed" (a: *const u8,)
            mxint8_decode "mxint8_decode_mixed" (a: *const u8,)
            mxint8_encode "mxint8_encode_mixed" (a: *const u8,)
            mxint8_encode_symmetric "mxint8_encode_symmetric_mixed" (a: *const u8,)
        ] }
    };
    (@ $to:ident [$($kernel:ident $name:literal ($($operands:tt)*))*]) => {
        $($to! {
            [$name] [] mixed $kernel [] () (
                $($operands)* out: *mut u8, flags: *mut u8, n: usize, random: *const u16, mode: u32,
                formats: u32
            )
        })*
    };
}

/// The entries that rows of several kernels share. Their parameters: operands, the result, flags,
/// the number of elements, and the row: its operand's [format](FORMATS), and from bit 5 on the
/// kernel's place in `row_groups`.
#[macro_export]
macro_rules! grouped_rows {
    ($to:ident) => {
        $crate::grouped_rows! { @ $to [
            relations (a: *const u8, b: *const u8,)
            predicates (a: *const u8,)
            classes (a: *const u8,)
            exponents (a: *const u8,)
            neighbours (a: *const u8,)
            choices (a: *const u8, b: *const u8,)
            remainders (a: *const u8, b: *const u8,)
        ] }
    };
    (@ $to:ident [$($name:ident ($($operands:tt)*))*]) => {
        $($to! {
            [stringify!($name)] [] mixed $name [] () (
                $($operands)* out: *mut u8, flags: *mut u8, n: usize, row: u32
            )
        })*
    };
}

/// Calls `$to!` with the kernels of each of these, in the order of their places.
#[macro_export]
macro_rules! row_groups {
    ($to:ident) => {
        $to! {
            relations: [
                compare_quiet_equal compare_quiet_not_equal compare_quiet_greater
                compare_quiet_greater_equal compare_quiet_less compare_quiet_less_equal
                compare_quiet_unordered compare_quiet_not_greater compare_quiet_less_unordered
                compare_quiet_not_less compare_quiet_greater_unordered compare_quiet_ordered
                compare_signaling_equal compare_signaling_not_equal compare_signaling_greater
                compare_signaling_greater_equal compare_signaling_less
                compare_signaling_less_equal compare_signaling_not_greater
                compare_signaling_less_unordered compare_signaling_not_less
                compare_signaling_greater_unordered total_order total_order_magnitude
            ]
            predicates: [
                is_sign_minus is_normal is_finite is_zero is_subnormal is_infinite is_nan
                is_signaling is_canonical
            ]
            classes: [classify]
            exponents: [ilogb floor_log2 ceil_log2]
            neighbours: [negate abs canonicalize next_up next_down logb]
            choices: [
                minimum maximum minimum_number maximum_number minimum_magnitude maximum_magnitude
                minimum_magnitude_number maximum_magnitude_number copy_sign
            ]
            remainders: [remainder fmod]
        }
    };
}

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::*;

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use crate::entry::items;
    use crate::{Entry, Launch, Work};
    use bitexact::catalog::{Form, ROWS, Row, Type};
    use bitexact::{bf16, f16};
    use std::collections::HashMap;
    use std::sync::LazyLock;

    /// The formats of rows that share an entry, in the order of their numbers, which have five
    /// bits each in a word, operands first.
    pub const FORMATS: &[Type] = &[
        Type::F16,
        Type::Bf16,
        Type::F32,
        Type::E5m2,
        Type::E4m3fn,
        Type::E5m2fnuz,
        Type::E4m3fnuz,
        Type::E3m2,
        Type::E2m3,
        Type::E2m1,
        Type::F64,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::U8,
        Type::U16,
        Type::U32,
        Type::U64,
        Type::E8m0,
        Type::Mxint8,
    ];

    /// Formats that other ones are often converted to and from.
    const OFTEN: [Type; 5] = [Type::F32, Type::F16, Type::Bf16, Type::E4m3fn, Type::E5m2];

    macro_rules! groups {
        ($($name:ident: [$($kernel:ident)*])*) => {
            &[$((stringify!($name), &[$(stringify!($kernel)),*])),*]
        };
    }
    const GROUPS: &[(&str, &[&str])] = row_groups!(groups);

    /// The name of the entry that a kernel's rows share.
    fn shared(kernel: &str) -> &'static str {
        let mut name = "";
        macro_rules! find {
            ([$name:expr] [] mixed $kernel:ident $($rest:tt)*) => {
                if stringify!($kernel) == kernel {
                    name = $name;
                }
            };
        }
        shared_rows!(find);
        name
    }

    /// Kernels of which GPUs compute no row, so that the module stays small.
    const ABSENT: [&str; 9] = [
        "nextafter",
        "floor_divide",
        "floor_remainder",
        "erfinv",
        "logit",
        "xlogy",
        "xlog1py",
        "logaddexp",
        "logaddexp2",
    ];

    /// Whether GPUs compute the row.
    #[must_use]
    pub fn has_entry(row: &Row) -> bool {
        !ABSENT.contains(&row.kernel)
    }

    /// Conversions that have an entry of packs: those of 16-bit operands are looked up in a table.
    const PACKED: [(Type, &[Type]); 4] = [
        (
            Type::F32,
            &[Type::F16, Type::Bf16, Type::F64, Type::E4m3fn, Type::E5m2],
        ),
        (Type::F64, &[Type::F32]),
        (Type::E4m3fn, &[Type::F32, Type::F16, Type::Bf16]),
        (Type::E5m2, &[Type::F32, Type::F16, Type::Bf16]),
    ];

    /// Rows that the hardware computes in a few instructions, or by f64, in any rounding, with the
    /// IEEE overflow rule.
    const HARDWARE_IN_ANY: [&str; 23] = [
        "convert_f32_f16",
        "convert_f32_bf16",
        "exp_f32",
        "exp2_f32",
        "expm1_f32",
        "log_f32",
        "log2_f32",
        "log1p_f32",
        "sin_f32",
        "cos_f32",
        "tanh_f32",
        "erf_f32",
        "rsqrt_f32",
        "reciprocal_f32",
        "sigmoid_f32",
        "silu_f32",
        "gelu_f32",
        "gelu_tanh_f32",
        "sigmoid_derivative_f32",
        "tanh_derivative_f32",
        "silu_derivative_f32",
        "gelu_derivative_f32",
        "gelu_tanh_derivative_f32",
    ];
    /// Rows that it computes to nearest, ties to even, or exactly.
    const HARDWARE: [&str; 8] = [
        "convert_f16_f32",
        "convert_bf16_f32",
        "convert_f16_f64",
        "convert_bf16_f64",
        "convert_f32_f64",
        "sqrt_f16_f32",
        "sqrt_bf16_f32",
        "sqrt_f32",
    ];

    /// Whether the row has an entry `.._vector`: the kernel for packs of 16 bytes.
    fn has_vector(row: &Row) -> bool {
        match (row.kernel, row.operands, row.results) {
            ("convert", [from], [to]) => PACKED
                .iter()
                .any(|(one, all)| one == from && all.contains(to)),
            ("sqrt", [Type::F32], [Type::F32]) => true,
            ("e8m0_encode", [Type::F32], _) => true,
            _ => false,
        }
    }

    /// Entries by the names of rows: of packs, and of the hardware's instructions.
    static PATHS: LazyLock<[HashMap<&'static str, Entry>; 2]> = LazyLock::new(|| {
        let slices = vec![size_of::<u64>(); 3];
        let made = |row: &Row, ending: &str, more: &[usize]| {
            let name = format!("{}{ending}", row.entry).leak();
            let (bytes, shape): (&[usize], _) = ([&slices, more].concat().leak(), items());
            (
                row.entry,
                Entry {
                    name,
                    signature: "",
                    bytes,
                    shape,
                },
            )
        };
        let vector = ROWS.iter().filter(|row| has_vector(row)).map(|row| {
            let words = row.forms[0].words.iter().map(|word| word.ty.bytes());
            made(row, "_vector", &words.collect::<Vec<_>>())
        });
        let hardware = ROWS.iter().filter_map(|row| {
            if HARDWARE_IN_ANY.contains(&row.entry) {
                return Some(made(row, "_hw", &[size_of::<u32>()]));
            }
            HARDWARE.contains(&row.entry).then(|| made(row, "_hw", &[]))
        });
        [vector.collect(), hardware.collect()]
    });

    /// The row's entry of packs, if it has one: [`Vector`](crate::paths::Vector)'s or
    /// [`VectorEncoder`](crate::paths::VectorEncoder)'s.
    #[must_use]
    pub fn vector(row: &Row) -> Option<&'static Entry> {
        PATHS[0].get(row.entry)
    }

    /// The row's entry of the hardware's instruction, if it has one:
    /// [`HardwareRounded`](crate::paths::HardwareRounded)'s if it takes a mode, or
    /// [`Hardware`](crate::paths::Hardware)'s, which is to nearest.
    #[must_use]
    pub fn hardware(row: &Row) -> Option<&'static Entry> {
        PATHS[1].get(row.entry)
    }

    /// Whether the row's entry of the hardware's instruction takes a mode.
    #[must_use]
    pub fn is_rounded(row: &Row) -> bool {
        HARDWARE_IN_ANY.contains(&row.entry)
    }

    /// Which entry a form of a row has.
    enum Place {
        /// That of its own name.
        Own,
        /// That of the kernel's other rows, with the word of formats.
        Shared(u64),
        /// That of other kernels' rows, by its name and the row's word.
        Grouped(&'static str, u64),
        /// That of the form with bounds in f64.
        Bounds(&'static str),
    }

    fn place(row: &Row, form: &Form, stochastic: bool) -> Place {
        let number = |ty| FORMATS.iter().position(|one| one == ty).unwrap_or(0) as u64;
        let all = || row.operands.iter().chain(row.results);
        let often = match row.kernel {
            "add" | "sub" | "mul" | "div" | "fma" | "sqrt" => {
                let wide = [Type::F16, Type::Bf16, Type::F32].contains(&row.results[0]);
                Some(wide && all().all(|ty| *ty == row.results[0]))
            }
            "convert" => Some(all().all(|ty| OFTEN.contains(ty))),
            "from_int"
            | "to_int"
            | "e8m0_decode"
            | "mxint8_decode"
            | "mxint8_encode"
            | "mxint8_encode_symmetric" => Some(false),
            _ => None,
        };
        if often.is_some_and(|often| stochastic || !often) {
            let formats = all().enumerate();
            return Place::Shared(formats.fold(0, |word, (at, ty)| word | number(ty) << (5 * at)));
        }
        for (name, kernels) in GROUPS {
            if let Some(place) = kernels.iter().position(|kernel| *kernel == row.kernel) {
                return Place::Grouped(name, number(&row.operands[0]) | (place as u64) << 5);
            }
        }
        let in_f64 = |form: &Form| matches!(form.numbers, [first, ..] if first.ty == Type::F64);
        match row.forms.iter().find(|form| in_f64(form)) {
            Some(wide) if row.kernel.starts_with("hardtanh") && !in_f64(form) => {
                Place::Bounds(wide.entry)
            }
            _ => Place::Own,
        }
    }

    /// A form of a row: whether it is the one of stochastic rounding.
    fn is_stochastic(row: &Row, form: &Form) -> bool {
        row.stochastic.is_some_and(|own| own.entry == form.entry)
    }

    /// Every entry of rows, by name.
    static ENTRIES: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
        let mut found = HashMap::new();
        let mut add = |name: &'static str, signature: &'static str, bytes: Vec<usize>| {
            let (bytes, shape): (&'static [usize], _) = (bytes.leak(), items());
            found.insert(
                name,
                Entry {
                    name,
                    signature,
                    bytes,
                    shape,
                },
            );
        };
        macro_rules! share {
            ([$name:expr] [] mixed $kernel:ident [] () ($($p:ident: $ty:ty),*)) => {
                add($name, stringify!(($($p: $ty),*)), vec![$(size_of::<$ty>()),*]);
            };
        }
        shared_rows!(share);
        grouped_rows!(share);
        for row in ROWS.iter().filter(|row| has_entry(row)) {
            let slices = vec![size_of::<u64>(); row.operands.len() + row.results.len() + 2];
            for form in row.forms.iter().chain(&row.stochastic) {
                if !matches!(place(row, form, is_stochastic(row, form)), Place::Own) {
                    continue;
                }
                let words = form.words.iter().map(|word| word.ty.bytes());
                let mut bytes = [slices.clone(), words.collect()].concat();
                if is_stochastic(row, form) {
                    // The random bits are an additional slice.
                    bytes[slices.len()] = size_of::<u64>();
                }
                add(form.entry, "", bytes);
            }
        }
        found
    });

    /// Every entry of rows.
    pub fn entries() -> impl Iterator<Item = &'static Entry> {
        ENTRIES
            .values()
            .chain(PATHS.iter().flat_map(HashMap::values))
    }

    /// The entry of a row's form with these words, and what it takes after the number of elements;
    /// `None` if [there is none](has_entry).
    /// The first word of stochastic rounding is the address of the random bits.
    #[must_use]
    pub fn call(row: &Row, form: &Form, words: [u64; 4]) -> Option<(&'static Entry, Vec<u64>)> {
        let stochastic = is_stochastic(row, form);
        let [first, second, ..] = words;
        let own = || words.into_iter().take(form.words.len()).collect();
        let (name, words) = match place(row, form, stochastic) {
            Place::Own => (form.entry, own()),
            Place::Grouped(name, word) => (name, vec![word]),
            Place::Shared(formats) if stochastic => {
                (shared(row.kernel), vec![first, second, formats])
            }
            Place::Shared(formats) => (shared(row.kernel), vec![0, first, formats]),
            Place::Bounds(wide) => {
                let from = form.numbers[0].ty;
                let mut words: Vec<u64> = own();
                for word in words.iter_mut().take(2) {
                    *word = in_f64(from, *word);
                }
                (wide, words)
            }
        };
        Some((ENTRIES.get(name)?, words))
    }

    /// A bound, which is not NaN, in f64.
    fn in_f64(ty: Type, bits: u64) -> u64 {
        let value: f64 = match ty {
            Type::F16 => f16::from_bits(bits as u16).to_f64(),
            Type::Bf16 => bf16::from_bits(bits as u16).to_f64(),
            _ => f32::from_bits(bits as u32).into(),
        };
        value.to_bits()
    }

    /// The launch of a form of a row: the addresses of operands and results, of flags (or 0), the
    /// number of elements, and the form's words, of stochastic rounding first the address of the
    /// random bits. `None` if the row has no entry.
    #[must_use]
    pub fn launch(
        row: &Row,
        form: &Form,
        slices: impl IntoIterator<Item = u64>,
        flags: u64,
        n: usize,
        words: [u64; 4],
    ) -> Option<Launch> {
        let (entry, last) = call(row, form, words)?;
        let slices = slices.into_iter().chain([flags, n as u64]);
        Some(Launch::of(
            entry,
            slices.chain(last).collect(),
            Work::Items(n),
        ))
    }
}
