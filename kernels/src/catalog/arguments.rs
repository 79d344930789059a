//! What a kernel takes in addition to its operands: parameters, which are numbers in their own
//! format, and choices. A new kind of either is added only here.
//!
//! Arguments are passed as plain numbers in two ways. As *numbers*, each is a choice's index in its
//! list or a parameter's bits: the command line, the jobs of the firmware and C use these. As
//! *words*, a mode is one word, and a policy is given by its settings instead of an index: a GPU's
//! entries take these. P3109's formats and projections are words in both.

use super::element::{Element, Type};
use crate::activation::{BoundsError, LambdaError, NanGradient, ThresholdError};
use crate::format::Format;
use crate::format::FormatSpec;
use crate::p3109::codes::{FunctionSpecialisation, OperandFormats, Specialisation};
use crate::scale::{
    BelowMinimum, E8M0, Negative, OverflowTest, PRESETS, ScalePolicy, ScaleRounding,
};
use crate::{Mode, Overflow, Rounding};

/// Passes each kernel, with its arguments in all the forms that a callback may need, to `$view!`.
#[doc(hidden)]
#[macro_export]
macro_rules! fields_of_each {
    ($view:ident $callback:ident $(
        $kernel:ident {
            formats: $formats:ident, $(parameters: $parameters:ident $names:tt,)? choices: $choices:tt,
            call: $call:path $(, stochastic: $stochastic:path)? $(, flags: $flags:ident)?,
            doc: $doc:literal
        }
    )*) => {
        $($crate::fields! {
            @choices $choices [$($parameters $names)?]
            [$($stochastic)?] [$($flags)?] {$view $callback $kernel $formats $call, $doc}
        })*
    };
}

/// From the choices and the parameters to all fields of a kernel except its formats.
#[doc(hidden)]
#[macro_export]
macro_rules! fields {
    // Choices: their type, as a pattern, as what is given to a `Kernel`, as a function takes them,
    // as a kernel's own function takes them; words; numbers.
    (@choices () $($rest:tt)*) => {
        $crate::fields! { @parameters {()} {()} {()} {} {} {} {} $($rest)* }
    };
    (@choices (mode) $($rest:tt)*) => {
        $crate::fields! {
            @parameters {$crate::Mode} {mode} {mode} {mode: $crate::Mode,} {mode}
            {mode: u32,} {rounding: u32, overflow: u32,} $($rest)*
        }
    };
    (@choices (nan) $($rest:tt)*) => {
        $crate::fields! {
            @parameters {$crate::activation::NanGradient} {nan} {nan}
            {nan: $crate::activation::NanGradient,} {nan} {nan: u32,} {nan: u32,} $($rest)*
        }
    };
    (@choices (nan, mode) $($rest:tt)*) => {
        $crate::fields! {
            @parameters {($crate::activation::NanGradient, $crate::Mode)} {(nan, mode)} {(nan, mode)}
            {nan: $crate::activation::NanGradient, mode: $crate::Mode,} {nan, mode}
            {nan: u32, mode: u32,} {nan: u32, rounding: u32, overflow: u32,} $($rest)*
        }
    };
    (@choices (policy) $($rest:tt)*) => {
        $crate::fields! {
            @parameters {$crate::scale::ScalePolicy} {policy} {*policy}
            {policy: &$crate::scale::ScalePolicy,} {&policy} {policy: u64,} {policy: u32,} $($rest)*
        }
    };
    (@choices (p3109) $($rest:tt)*) => {
        $crate::fields! {
            @parameters {$crate::p3109::codes::Specialisation} {specialisation} {specialisation}
            {specialisation: $crate::p3109::codes::Specialisation,} {specialisation}
            {formats: u64, projection: u64,} {formats: u64, projection: u64,} $($rest)*
        }
    };
    (@choices (p3109_function) $($rest:tt)*) => {
        $crate::fields! {
            @parameters {$crate::p3109::codes::FunctionSpecialisation} {specialisation} {specialisation}
            {specialisation: $crate::p3109::codes::FunctionSpecialisation,} {specialisation}
            {formats: u64, projection: u64,} {formats: u64, projection: u64,} $($rest)*
        }
    };
    (@choices (p3109_formats) $($rest:tt)*) => {
        $crate::fields! {
            @parameters {$crate::p3109::codes::OperandFormats} {formats} {formats}
            {formats: $crate::p3109::codes::OperandFormats,} {formats}
            {formats: u64,} {formats: u64,} $($rest)*
        }
    };

    // Parameters, before the choices: generic over their precision `B`, and the precisions that are
    // run.
    (
        @parameters {$type:ty} {$pattern:pat} {$give:expr} {$($take:tt)*} {$($pass:tt)*}
        {$($word:tt)*} {$($number:tt)*} [] $($rest:tt)*
    ) => {
        $crate::fields! {
            @emit [{ending: "", arguments: $type, words: ($($word)*), numbers: ($($number)*)}]
            {
                generics: [], arguments: $type, take: {$($take)*}, give: {$give},
                pattern: $pattern, pass: [$($pass)*]
            }
            $($rest)*
        }
    };
    (@parameters $type:tt $pattern:tt $give:tt $take:tt $pass:tt $words:tt $numbers:tt
        [Bounds($min:ident, $max:ident)] $($rest:tt)*
    ) => {
        $crate::fields! {
            @precisions [f32 "_bound_f32", f64 "_bound_f64", f16 "_bound_f16", bf16 "_bound_bf16"]
            [B: Format] Bounds [$crate::activation::Bounds<B>] [bounds] [bounds]
            [bounds: $crate::activation::Bounds<B>,] [bounds] [$min $max]
            $type $pattern $give $take $pass $words $numbers $($rest)*
        }
    };
    (@parameters $type:tt $pattern:tt $give:tt $take:tt $pass:tt $words:tt $numbers:tt
        [Lambda($lambda:ident)] $($rest:tt)*
    ) => {
        $crate::fields! {
            @precisions [f32 ""]
            [B: Format] Lambda [$crate::activation::Lambda<B>] [lambda] [lambda]
            [lambda: $crate::activation::Lambda<B>,] [lambda] [$lambda]
            $type $pattern $give $take $pass $words $numbers $($rest)*
        }
    };
    (@parameters $type:tt $pattern:tt $give:tt $take:tt $pass:tt $words:tt $numbers:tt
        [Threshold($threshold:ident, $value:ident)] $($rest:tt)*
    ) => {
        $crate::fields! {
            @precisions [f32 ""]
            [B: Format] Threshold [$crate::activation::Threshold<B>] [threshold] [threshold]
            [threshold: $crate::activation::Threshold<B>,] [threshold] [$threshold $value]
            $type $pattern $give $take $pass $words $numbers $($rest)*
        }
    };
    (@parameters $type:tt $pattern:tt $give:tt $take:tt $pass:tt $words:tt $numbers:tt
        [Number($a:ident)] $($rest:tt)*
    ) => {
        $crate::fields! {
            @precisions [f32 ""]
            [B: Arithmetic] Number [(B,)] [($a,)] [($a,)] [$a: B,] [$a] [$a]
            $type $pattern $give $take $pass $words $numbers $($rest)*
        }
    };
    (@parameters $type:tt $pattern:tt $give:tt $take:tt $pass:tt $words:tt $numbers:tt
        [Numbers($a:ident, $b:ident)] $($rest:tt)*
    ) => {
        $crate::fields! {
            @precisions [f32 ""]
            [B: Arithmetic] Numbers [(B, B)] [($a, $b)] [($a, $b)] [$a: B, $b: B,] [$a, $b] [$a $b]
            $type $pattern $give $take $pass $words $numbers $($rest)*
        }
    };
    (
        @precisions [$($of:ident $ending:literal),*]
        $generics:tt $parameters:ident [$first:ty] [$bound:pat] [$given:expr] [$($taken:tt)*]
        [$($passed:tt)*] $names:tt
        {$type:ty} {$pattern:pat} {$give:expr} {$($take:tt)*} {$($pass:tt)*} $words:tt $numbers:tt
        $($rest:tt)*
    ) => {
        $crate::fields! {
            @forms [] [$($of $ending)*] $parameters $names {$type} $words $numbers
            {
                generics: $generics, arguments: ($first, $type), take: {$($taken)* $($take)*},
                give: {($given, $give)}, pattern: ($bound, $pattern), pass: [$($passed)*, $($pass)*]
            }
            $($rest)*
        }
    };
    (
        @forms [$($form:tt)*] [$of:ident $ending:literal $($more:tt)*] $parameters:ident
        [$($name:ident)*] {$type:ty} {$($word:tt)*} {$($number:tt)*} $($rest:tt)*
    ) => {
        $crate::fields! {
            @forms
            [
                $($form)*
                {
                    ending: $ending,
                    arguments: (
                        $crate::catalog::parameters::$parameters<$crate::catalog::types::$of>,
                        $type
                    ),
                    words: ($($name: $of,)* $($word)*),
                    numbers: ($($name: $of,)* $($number)*)
                }
            ]
            [$($more)*] $parameters [$($name)*] {$type} {$($word)*} {$($number)*} $($rest)*
        }
    };
    (
        @forms $forms:tt [] $parameters:ident $names:tt $type:tt $words:tt $numbers:tt
        $generic:tt $($rest:tt)*
    ) => {
        $crate::fields! { @emit $forms $generic $($rest)* }
    };

    // Last, whether it rounds stochastically, and whether it raises exceptions.
    (@emit $forms:tt $generic:tt [] [none] {$($row:tt)*}) => {
        $crate::fields! { @view $forms [] $generic [] [] $($row)* }
    };
    (@emit $forms:tt $generic:tt [] [] {$($row:tt)*}) => {
        $crate::fields! { @view $forms [] $generic [] [flags] $($row)* }
    };
    (@emit $forms:tt $generic:tt [$stochastic:path] [] {$($row:tt)*}) => {
        $crate::fields! {
            @view $forms
            [{
                ending: "_stochastic", arguments: (u16, $crate::Overflow),
                words: (random: u16, overflow: u32,), numbers: (random: u16, overflow: u32,)
            }]
            $generic [$stochastic] [flags] $($row)*
        }
    };
    (
        @view $forms:tt $random:tt $generic:tt $stochastic:tt $flags:tt
        $view:ident $callback:ident $kernel:ident $formats:ident $call:path, $doc:literal
    ) => {
        $crate::$view! {
            $formats $callback $kernel
            {
                forms: $forms, stochastic: $random, generic: $generic,
                call: $call, call_stochastic: $stochastic, flags: $flags, doc: $doc
            }
        }
    };
}

/// The parameters' types under the names that the rows give them.
pub mod parameters {
    pub use crate::activation::{Bounds, Lambda, Threshold};
    /// A plain number.
    pub type Number<B> = (B,);
    /// Two plain numbers.
    pub type Numbers<B> = (B, B);
}

/// Why numbers are not valid arguments of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum WrongArgument {
    /// There are fewer numbers than it takes.
    Missing,
    /// No choice has this index.
    NoSuchChoice,
    /// They are not valid bounds.
    Bounds(BoundsError),
    /// It is not a valid half-width.
    Lambda(LambdaError),
    /// They are not a valid threshold and value.
    Threshold(ThresholdError),
    /// They are not the words of a specialisation of P3109.
    Specialisation,
    /// A function of P3109 does not take this format of an operand, or not as its result's.
    FunctionFormat(FormatSpec),
    /// They are not the word of formats of P3109.
    Formats,
}

impl core::fmt::Display for WrongArgument {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Missing => f.write_str("an argument is missing"),
            Self::NoSuchChoice => f.write_str("no such choice"),
            Self::Bounds(error) => error.fmt(f),
            Self::Lambda(error) => error.fmt(f),
            Self::Threshold(error) => error.fmt(f),
            Self::Specialisation => {
                f.write_str("formats need at most 32 bits, and a projection N from 1 to 16")
            }
            Self::FunctionFormat(format) => write!(
                f,
                "`{format}`: functions take operands with K up to 8, and give results with K up to 8, in binary16 or in BFloat16"
            ),
            Self::Formats => f.write_str("formats need at most 32 bits"),
        }
    }
}

impl core::error::Error for WrongArgument {}

/// The kind of a kernel's arguments, at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Takes {
    /// The parameters and their precision, if it has any.
    pub parameters: Option<(&'static str, Type)>,
    /// The choices.
    pub choices: &'static str,
}

impl core::fmt::Display for Takes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some((parameters, precision)) = self.parameters {
            write!(f, "{parameters} in {}, and ", precision.name())?;
        }
        f.write_str(self.choices)
    }
}

/// What a kernel takes in addition to its operands.
pub trait Arguments: Copy + Send + Sync + 'static {
    /// The arguments for GPU code: parameters in types that the compiler does not treat as floats.
    type Device;
    /// The part that may differ from call to call while the others stay: the mode, if there is one.
    type Mode: Copy + Send + Sync;
    /// Their kind.
    const TAKES: Takes;
    /// The number of words.
    const WORDS: usize;

    /// The arguments of these numbers.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    fn of_numbers(numbers: &[u64]) -> Result<Self, WrongArgument>;
    /// The arguments of these words; a word that is not a choice selects the last one of its list.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    fn of_words(words: &[u64]) -> Result<Self, WrongArgument>;
    /// As words, of which the first [`WORDS`](Self::WORDS) are used.
    fn words(self) -> [u64; 4];
    /// The mode.
    fn mode(self) -> Self::Mode;
    /// These arguments with another mode.
    #[must_use]
    fn with(self, mode: Self::Mode) -> Self;
    /// How many low bits of the first operand the result depends on, where the arguments say it.
    #[must_use]
    fn code_bits(self) -> Option<u32> {
        None
    }
}

/// Arguments other than parameters, as the words that a GPU's entries take.
pub trait Choice: Arguments {
    /// The one word or two, and 0.
    fn pack(self) -> [u64; 2];
}

/// Numbers, in their own format.
pub trait Parameters: Copy + Send + Sync + 'static {
    /// The parameters for GPU code, in types that the compiler does not treat as floats.
    type Device;
    /// Their number: one or two.
    const COUNT: usize;
    /// Their kind, and their precision.
    const TAKES: (&'static str, Type);
    /// The parameters of these bits.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    fn of(bits: [u64; 2]) -> Result<Self, WrongArgument>;
    /// Their bits, and 0.
    fn bits(self) -> [u64; 2];
}

macro_rules! parameters {
    ($(
        $type:ident, $count:literal, $takes:literal;
        |$bits:pat_param| $of:expr, |$value:pat_param| $to:expr;
    )*) => {
        $(impl<B: Format + Element> Parameters for parameters::$type<B> {
            type Device = parameters::$type<B::Device>;
            const COUNT: usize = $count;
            const TAKES: (&'static str, Type) = ($takes, B::TYPE);
            #[inline(always)]
            fn of($bits: [u64; 2]) -> Result<Self, WrongArgument> {
                $of
            }
            #[inline(always)]
            fn bits(self) -> [u64; 2] {
                let $value = self;
                $to
            }
        })*
    };
}

parameters! {
    Bounds, 2, "bounds";
    |[min, max]| Self::new(B::of(min), B::of(max)).map_err(WrongArgument::Bounds),
    |bounds| [Element::bits(bounds.min()), Element::bits(bounds.max())];

    Lambda, 1, "half a width";
    |[lambda, _]| Self::new(B::of(lambda)).map_err(WrongArgument::Lambda),
    |lambda| [Element::bits(lambda.get()), 0];

    Threshold, 2, "a threshold and a value";
    |[threshold, value]| {
        Self::new(B::of(threshold), B::of(value)).map_err(WrongArgument::Threshold)
    },
    |pair| [Element::bits(pair.threshold()), Element::bits(pair.value())];

    Number, 1, "a number";
    |[x, _]| Ok((B::of(x),)), |(x,)| [Element::bits(x), 0];

    Numbers, 2, "two numbers";
    |[x, y]| Ok((B::of(x), B::of(y))), |(x, y)| [Element::bits(x), Element::bits(y)];
}

macro_rules! choices {
    ($(
        $type:ty, $count:literal, $takes:literal; mode $mode:ty, |$self:pat_param| $get:expr, |$set:pat_param| $put:expr;
        numbers $numbers:pat => $of_numbers:expr; words $words:pat => $of_words:expr;
        |$value:pat_param| $pack:expr $(, code bits |$code:pat_param| $bits:expr)?;
    )*) => {
        $(impl Choice for $type {
            #[inline(always)]
            fn pack(self) -> [u64; 2] {
                let $value = self;
                $pack
            }
        }

        impl Arguments for $type {
            type Device = Self;
            type Mode = $mode;
            const TAKES: Takes = Takes {
                parameters: None,
                choices: $takes,
            };
            const WORDS: usize = $count;

            #[inline(always)]
            fn of_numbers(numbers: &[u64]) -> Result<Self, WrongArgument> {
                match *numbers {
                    $numbers => Ok($of_numbers),
                    #[allow(unreachable_patterns, reason = "where there are none to miss")]
                    _ => Err(WrongArgument::Missing),
                }
            }
            #[inline(always)]
            fn of_words(words: &[u64]) -> Result<Self, WrongArgument> {
                match *words {
                    $words => Ok($of_words),
                    #[allow(unreachable_patterns, reason = "where there are none to miss")]
                    _ => Err(WrongArgument::Missing),
                }
            }
            #[inline(always)]
            fn words(self) -> [u64; 4] {
                let [first, second] = self.pack();
                [first, second, 0, 0]
            }
            #[inline(always)]
            fn mode(self) -> $mode {
                let $self = self;
                $get
            }
            #[inline(always)]
            fn with(self, mode: $mode) -> Self {
                let $set = (self, mode);
                $put
            }
            $(#[inline(always)]
            fn code_bits(self) -> Option<u32> {
                let $code = self;
                Some($bits)
            })?
        })*
    };
}

choices! {
    (), 0, "nothing"; mode (), |()| (), |_| ();
    numbers [..] => (); words [..] => ();
    |()| [0, 0];

    Mode, 1, "a mode"; mode Self, |mode| mode, |(_, mode)| mode;
    numbers [rounding, overflow, ..] => {
        Self::new(choice(&Rounding::ALL, rounding)?, choice(&Overflow::ALL, overflow)?)
    };
    words [mode, ..] => decode_mode(mode as u32);
    |mode| [encode_mode(mode).into(), 0];

    NanGradient, 1, "a NaN rule"; mode (), |_| (), |(nan, ())| nan;
    numbers [nan, ..] => choice(&Self::ALL, nan)?; words [nan, ..] => decode_nan(nan as u32);
    |nan| [encode_nan(nan).into(), 0];

    (NanGradient, Mode), 2, "a NaN rule and a mode"; mode Mode, |(_, mode)| mode, |((nan, _), mode)| (nan, mode);
    numbers [nan, rounding, overflow, ..] => {
        (choice(&NanGradient::ALL, nan)?, Mode::of_numbers(&[rounding, overflow])?)
    };
    words [nan, mode, ..] => (decode_nan(nan as u32), decode_mode(mode as u32));
    |(nan, mode)| [encode_nan(nan).into(), encode_mode(mode).into()];

    ScalePolicy, 1, "a policy"; mode (), |_| (), |(policy, ())| policy;
    numbers [policy, ..] => choice(PRESETS, policy)?.1; words [knobs, ..] => decode_policy(knobs);
    |policy| [encode_policy(&policy), 0];

    Specialisation, 2, "formats and a projection"; mode (), |_| (), |(specialisation, ())| specialisation;
    numbers [formats, projection, ..] => specialisation(formats, projection)?;
    words [formats, projection, ..] => specialisation(formats, projection)?;
    |specialisation| specialisation.to_words(),
    code bits |specialisation| { let [x, ..] = specialisation.operands(); x.bitwidth() };

    FunctionSpecialisation, 2, "formats with K up to 8, results also in binary16 or BFloat16, and a projection"; mode (), |_| (), |(specialisation, ())| specialisation;
    numbers [formats, projection, ..] => function(formats, projection)?;
    words [formats, projection, ..] => function(formats, projection)?;
    |specialisation| specialisation.get().to_words(),
    code bits |specialisation| { let [x, ..] = specialisation.get().operands(); x.bitwidth() };

    OperandFormats, 1, "formats"; mode (), |_| (), |(formats, ())| formats;
    numbers [formats, ..] => operand_formats(formats)?; words [formats, ..] => operand_formats(formats)?;
    |formats| [formats.to_word(), 0],
    code bits |formats| { let [x, ..] = formats.formats(); x.bitwidth() };

    // For stochastic rounding, where all arguments may differ.
    (u16, Overflow), 2, "random bits and an overflow rule"; mode Self, |all| all, |(_, all)| all;
    numbers [random, overflow, ..] => (random as u16, choice(&Overflow::ALL, overflow)?);
    words [random, overflow, ..] => (random as u16, decode_overflow(overflow as u32));
    |(random, overflow)| [random.into(), encode_overflow(overflow).into()];
}

#[inline]
fn specialisation(formats: u64, projection: u64) -> Result<Specialisation, WrongArgument> {
    Specialisation::from_words([formats, projection]).ok_or(WrongArgument::Specialisation)
}

#[inline]
fn function(formats: u64, projection: u64) -> Result<FunctionSpecialisation, WrongArgument> {
    let specialisation = specialisation(formats, projection)?;
    match FunctionSpecialisation::refused(specialisation) {
        Some(format) => Err(WrongArgument::FunctionFormat(format)),
        None => FunctionSpecialisation::new(specialisation).ok_or(WrongArgument::Specialisation),
    }
}

#[inline]
fn operand_formats(word: u64) -> Result<OperandFormats, WrongArgument> {
    OperandFormats::from_word(word).ok_or(WrongArgument::Formats)
}

/// The choice with this index.
#[inline]
fn choice<T: Copy>(all: &[T], place: u64) -> Result<T, WrongArgument> {
    let place = usize::try_from(place).ok();
    let found = place.and_then(|place| all.get(place));
    found.copied().ok_or(WrongArgument::NoSuchChoice)
}

impl<P: Parameters, C: Choice> Arguments for (P, C) {
    type Device = (P::Device, C::Device);
    type Mode = C::Mode;
    const TAKES: Takes = Takes {
        parameters: Some(P::TAKES),
        choices: C::TAKES.choices,
    };
    const WORDS: usize = P::COUNT + C::WORDS;

    #[inline(always)]
    fn of_numbers(numbers: &[u64]) -> Result<Self, WrongArgument> {
        let (parameters, choices) = first::<P>(numbers)?;
        Ok((parameters, C::of_numbers(choices)?))
    }
    #[inline(always)]
    fn of_words(words: &[u64]) -> Result<Self, WrongArgument> {
        let (parameters, choices) = first::<P>(words)?;
        Ok((parameters, C::of_words(choices)?))
    }
    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let ([first, second], [choice, more]) = (self.0.bits(), self.1.pack());
        match P::COUNT {
            1 => [first, choice, more, 0],
            _ => [first, second, choice, more],
        }
    }
    #[inline(always)]
    fn mode(self) -> C::Mode {
        self.1.mode()
    }
    #[inline(always)]
    fn with(self, mode: C::Mode) -> Self {
        (self.0, self.1.with(mode))
    }
}

/// The parameters, which come first, and the remaining numbers.
#[inline(always)]
fn first<P: Parameters>(numbers: &[u64]) -> Result<(P, &[u64]), WrongArgument> {
    match (P::COUNT, numbers) {
        (1, [x, rest @ ..]) => Ok((P::of([*x, 0])?, rest)),
        (2, [x, y, rest @ ..]) => Ok((P::of([*x, *y])?, rest)),
        _ => Err(WrongArgument::Missing),
    }
}

/// A mode: its index in `Rounding::ALL`, and from bit 8 on its index in `Overflow::ALL`.
#[must_use]
pub const fn encode_mode(mode: Mode) -> u32 {
    let rounding = match mode.rounding {
        Rounding::TiesToEven => 0,
        Rounding::TiesToAway => 1,
        Rounding::TowardZero => 2,
        Rounding::TowardPositive => 3,
        Rounding::TowardNegative => 4,
        Rounding::ToOdd => 5,
    };
    rounding | encode_overflow(mode.overflow) << 8
}

/// The inverse of [`encode_mode`].
#[must_use]
pub const fn decode_mode(mode: u32) -> Mode {
    let rounding = match mode & 0xFF {
        0 => Rounding::TiesToEven,
        1 => Rounding::TiesToAway,
        2 => Rounding::TowardZero,
        3 => Rounding::TowardPositive,
        4 => Rounding::TowardNegative,
        _ => Rounding::ToOdd,
    };
    Mode::new(rounding, decode_overflow(mode >> 8))
}

/// An overflow rule, by its index in `Overflow::ALL`.
#[must_use]
pub const fn encode_overflow(overflow: Overflow) -> u32 {
    match overflow {
        Overflow::Ieee => 0,
        Overflow::SaturateFinite => 1,
        Overflow::SaturateAll => 2,
    }
}

/// The inverse of [`encode_overflow`].
#[must_use]
pub const fn decode_overflow(overflow: u32) -> Overflow {
    match overflow {
        0 => Overflow::Ieee,
        1 => Overflow::SaturateFinite,
        _ => Overflow::SaturateAll,
    }
}

/// A NaN rule.
#[must_use]
pub const fn encode_nan(nan: NanGradient) -> u32 {
    match nan {
        NanGradient::Pass => 0,
        NanGradient::Zero => 1,
        NanGradient::Propagate => 2,
    }
}

/// The inverse of [`encode_nan`].
#[must_use]
pub const fn decode_nan(nan: u32) -> NanGradient {
    match nan {
        0 => NanGradient::Pass,
        1 => NanGradient::Zero,
        _ => NanGradient::Propagate,
    }
}

/// An encoder's settings, one byte each from low to high: rounding, overflow, its test, infinity,
/// NaN, zero, below the minimum, negative. The last two are codes only where bits 4 and 5 of the
/// rounding's byte say so.
#[must_use]
pub fn encode_policy(policy: &ScalePolicy) -> u64 {
    let rounding = match policy.rounding {
        ScaleRounding::Floor => 0,
        ScaleRounding::Ceil => 1,
        ScaleRounding::CeilField => 2,
        ScaleRounding::NearestTiesUp => 3,
        ScaleRounding::NearestTiesUpQuirk => 4,
        ScaleRounding::NearestEvenCode => 5,
    };
    let (below, below_code) = match policy.below_minimum {
        BelowMinimum::Clamp => (0, 0),
        BelowMinimum::Code(code) => (0x10, code.to_bits()),
    };
    let (negative, negative_code) = match policy.negative {
        Negative::Magnitude => (0, 0),
        Negative::Code(code) => (0x20, code.to_bits()),
    };
    let test = match policy.overflow_test {
        OverflowTest::AfterRounding => 0,
        OverflowTest::BeforeRounding => 1,
    };
    u64::from_le_bytes([
        rounding | below | negative,
        policy.overflow.to_bits(),
        test,
        policy.infinity.to_bits(),
        policy.nan.to_bits(),
        policy.zero.to_bits(),
        below_code,
        negative_code,
    ])
}

/// The inverse of [`encode_policy`].
#[must_use]
pub fn decode_policy(knobs: u64) -> ScalePolicy {
    let [first, overflow, test, infinity, nan, zero, below, negative] = knobs.to_le_bytes();
    ScalePolicy {
        rounding: match first & 0x0F {
            0 => ScaleRounding::Floor,
            1 => ScaleRounding::Ceil,
            2 => ScaleRounding::CeilField,
            3 => ScaleRounding::NearestTiesUp,
            4 => ScaleRounding::NearestTiesUpQuirk,
            _ => ScaleRounding::NearestEvenCode,
        },
        overflow: E8M0::from_bits(overflow),
        overflow_test: match test {
            0 => OverflowTest::AfterRounding,
            _ => OverflowTest::BeforeRounding,
        },
        infinity: E8M0::from_bits(infinity),
        nan: E8M0::from_bits(nan),
        zero: E8M0::from_bits(zero),
        below_minimum: match first & 0x10 {
            0 => BelowMinimum::Clamp,
            _ => BelowMinimum::Code(E8M0::from_bits(below)),
        },
        negative: match first & 0x20 {
            0 => Negative::Magnitude,
            _ => Negative::Code(E8M0::from_bits(negative)),
        },
    }
}

/// A number that is part of an argument, for callers without types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// Its name, which [`describe`] explains.
    pub name: &'static str,
    /// The type of a parameter, or of a choice's index.
    pub ty: Type,
}

/// The meaning of a number with a given name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Description {
    /// The choices that it selects from; none for a parameter.
    pub choices: &'static [&'static str],
    /// Its default.
    pub default: &'static str,
    /// A short description.
    pub doc: &'static str,
}

/// The meaning of the number with this name, except those of a mode.
#[must_use]
pub const fn describe(name: &str) -> Option<Description> {
    let (choices, default, doc): (&[_], _, _) = match name.as_bytes() {
        b"nan" => (
            &["pass", "zero", "propagate"],
            "pass",
            "the result for a NaN x",
        ),
        b"policy" => (&POLICIES, "", "the E8M0 policy or dialect"),
        b"min" => (&[], "-1", "the lower bound"),
        b"max" => (&[], "1", "the upper bound"),
        b"alpha" => (&[], "1", "the scale of the negative part"),
        b"beta" => (&[], "1", "the steepness of the slope"),
        b"threshold" => (&[], "20", "x above it is kept"),
        b"value" => (&[], "0", "the replacement for other values"),
        b"negative_slope" => (&[], "0.01", "the factor of the negative part"),
        b"lambd" => (&[], "0.5", "half the width of the band around 0"),
        b"formats" => (
            &[],
            "",
            "P3109's formats: the operands', and the result's if it is rounded",
        ),
        b"projection" => (&[], "", "P3109's rounding and saturation"),
        _ => return None,
    };
    Some(Description {
        choices,
        default,
        doc,
    })
}

/// The names of `PRESETS`, in its order.
const POLICIES: [&str; PRESETS.len()] = {
    let mut names = [""; PRESETS.len()];
    let mut place = 0;
    while place < names.len() {
        #[allow(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
        {
            names[place] = PRESETS[place].0;
        }
        place += 1;
    }
    names
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for rounding in Rounding::ALL {
            for overflow in Overflow::ALL {
                let mode = Mode::new(rounding, overflow);
                assert_eq!(decode_mode(encode_mode(mode)), mode);
            }
        }
        for nan in NanGradient::ALL {
            assert_eq!(decode_nan(encode_nan(nan)), nan);
        }
        let code = E8M0::from_bits(0xA5);
        let negative = ScalePolicy {
            negative: Negative::Code(code),
            ..ScalePolicy::NEAREST_EVEN_CODE
        };
        let below = ScalePolicy {
            below_minimum: BelowMinimum::Code(code),
            ..ScalePolicy::CEIL
        };
        let presets = PRESETS.iter().map(|(_, policy)| *policy);
        for policy in presets.chain([negative, below]) {
            assert_eq!(decode_policy(encode_policy(&policy)), policy);
        }
    }
}
