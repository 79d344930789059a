//! The results of an activation or its derivative at zeros, at infinities, and so far out that no
//! precision distinguishes it from its asymptote.
//!
//! They follow from C23's rules for the functions in the definitions (F.10: `exp(-inf)` is +0,
//! `expm1(+-0)` is the zero, `tanh(+-inf)` is 1 with the sign, ...) and IEEE 754-2019's for their
//! sums and products.

use super::place::place;
use crate::answer::Answer;
use crate::format::Format;
use rug::Float;

/// The limit of a function on one side.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// The operand: at infinity the operand itself, before that slightly more or less in magnitude.
    Operand { more: bool },
    /// The operand minus 1 in magnitude, and slightly more than that.
    LessOne,
    /// 1: slightly more or less, and 1 at infinity.
    One { more: bool },
    /// This number: slightly less in magnitude, and this number at infinity.
    Below(f32),
    /// A zero of this sign, from that side.
    Zero { negative: bool },
    /// The definition gives it, also at infinity.
    Computed,
}

/// The result at a zero.
#[derive(Clone, Copy)]
pub(super) enum AtZero {
    /// The zero.
    Kept,
    /// The zero, with its sign changed if this is set.
    Signed(bool),
    /// +0.
    Plus,
    /// The value of the definition there.
    Computed,
}

/// How a value is known without its definition.
#[derive(Clone, Copy)]
pub(super) struct Special {
    pub left: End,
    pub right: End,
    pub zero: AtZero,
}

/// A magnitude that is slightly more than this one, or slightly less.
fn near(format: &'static Format, x: &Float, more: bool) -> Answer {
    let mut value = Float::with_val(1024, x);
    if !more {
        // One unit in the last of 1024 bits toward zero.
        if value.is_sign_negative() {
            value.next_up();
        } else {
            value.next_down();
        }
    }
    Answer::Located(place(format, &value, false))
}

fn exactly(format: &'static Format, x: &Float) -> Answer {
    Answer::Located(place(format, x, true))
}

impl End {
    /// At an infinity, unless the definition gives it.
    pub fn at_infinity(self, format: &'static Format, negative: bool) -> Option<Answer> {
        Some(match self {
            Self::Operand { .. } | Self::LessOne => Answer::Infinite {
                format,
                negative,
                by_zero: false,
            },
            Self::One { .. } => exactly(format, &Float::with_val(24, 1)),
            Self::Below(limit) => exactly(format, &Float::with_val(24, limit)),
            Self::Zero { negative } => Answer::Zero { format, negative },
            Self::Computed => return None,
        })
    }

    /// Far out, unless the definition gives it.
    pub fn far(self, format: &'static Format, x: &Float) -> Option<Answer> {
        Some(match self {
            Self::Operand { more } => near(format, x, more),
            Self::LessOne => {
                let one = if x.is_sign_negative() { -1 } else { 1 };
                near(format, &Float::with_val(1024, x - one), true)
            }
            Self::One { more } => near(format, &Float::with_val(24, 1), more),
            Self::Below(limit) => near(format, &Float::with_val(24, limit), false),
            Self::Zero { negative } => {
                let least = Float::with_val(24, if negative { -1 } else { 1 }) >> 1000;
                near(format, &least, false)
            }
            Self::Computed => return None,
        })
    }
}

impl AtZero {
    /// Unless the definition gives it.
    pub fn answer(self, format: &'static Format, negative: bool) -> Option<Answer> {
        let negative = match self {
            Self::Kept => negative,
            Self::Signed(changed) => negative != changed,
            Self::Plus => false,
            Self::Computed => return None,
        };
        Some(Answer::Zero { format, negative })
    }
}
