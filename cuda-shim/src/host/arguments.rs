//! What a row takes in addition to its operands.

use super::buffer::View;
use crate::abi::{decode_mode, encode_overflow};
use bitexact::catalog::{self, Form, Row, Takes, WrongArgument};
use bitexact::p3109::codes::{FunctionSpecialisation, OperandFormats, Specialisation};
use bitexact::{Mode, Overflow};

/// The arguments of a launch: those of a [`Kernel`](catalog::Kernel), such as `Mode` or
/// `(Bounds<f32>, NanGradient)`, or random bits.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    takes: Takes,
    words: [u64; 4],
    random: Option<View<'a>>,
}

impl<A: catalog::Arguments> From<A> for Arguments<'_> {
    fn from(arguments: A) -> Self {
        Self {
            takes: A::TAKES,
            words: arguments.words(),
            random: None,
        }
    }
}

impl<'a> Arguments<'a> {
    /// Stochastic rounding, by a `u16` of random bits for each element.
    #[must_use]
    pub const fn stochastic(random: View<'a>, overflow: Overflow) -> Self {
        Self {
            takes: <(u16, Overflow) as catalog::Arguments>::TAKES,
            words: [0, encode_overflow(overflow) as u64, 0, 0],
            random: Some(random),
        }
    }

    /// The arguments of a row's form, from their numbers.
    ///
    /// # Errors
    ///
    /// What is wrong with these.
    pub fn of_numbers(form: &Form, numbers: &[u64]) -> Result<Self, WrongArgument> {
        Ok(Self {
            takes: form.takes,
            words: (form.pack)(numbers)?,
            random: None,
        })
    }

    /// The form of a row that takes them.
    pub(super) fn form(&self, row: &'static Row) -> Option<&'static Form> {
        let forms = row.forms.iter().chain(&row.stochastic);
        forms.into_iter().find(|form| form.takes == self.takes)
    }

    /// The same with other random bits, if there are any.
    pub(super) fn with_random<'b>(self, random: View<'b>) -> Arguments<'b> {
        Arguments {
            takes: self.takes,
            words: self.words,
            random: self.random.map(|_| random),
        }
    }

    /// The random bits, if there are any.
    pub(super) const fn random(&self) -> Option<View<'a>> {
        self.random
    }

    /// The mode, if that is the only argument.
    pub(super) fn mode(&self) -> Option<Mode> {
        let [mode, ..] = self.words;
        (self.takes == <Mode as catalog::Arguments>::TAKES).then(|| decode_mode(mode as u32))
    }

    /// An encoder's settings, if these are the only argument.
    pub(super) fn policy(&self) -> Option<u64> {
        let [policy, ..] = self.words;
        let takes = <bitexact::scale::ScalePolicy as catalog::Arguments>::TAKES;
        (self.takes == takes).then_some(policy)
    }

    /// How many low bits of a code the result depends on, if these arguments say it: P3109's
    /// formats do.
    pub(super) fn code_bits(&self) -> Option<u32> {
        fn bits<A: catalog::Arguments>(arguments: &Arguments) -> Option<u32> {
            let same = arguments.takes == A::TAKES;
            same.then(|| A::of_words(&arguments.words).ok())?
                .and_then(A::code_bits)
        }
        bits::<Specialisation>(self)
            .or_else(|| bits::<FunctionSpecialisation>(self))
            .or_else(|| bits::<OperandFormats>(self))
    }

    /// The form's words; the first of stochastic rounding is the address of the random bits.
    pub(super) fn words(&self, address: &dyn Fn(&View) -> u64) -> [u64; 4] {
        let mut words = self.words;
        if let (Some(random), [first, ..]) = (&self.random, &mut words) {
            *first = address(random);
        }
        words
    }
}
