//! What a row takes besides its operands.

use super::buffer::View;
use super::rows::Kind;
use crate::abi;
use bitexact::activation::{Bounds, NanGradient};
use bitexact::format::Format;
use bitexact::scale::ScalePolicy;
use bitexact::{Mode, Overflow};

/// Bounds in any format.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnyBounds {
    pub(super) format: &'static str,
    pub(super) min: u64,
    pub(super) max: u64,
}

impl<B: Format> From<Bounds<B>> for AnyBounds {
    fn from(bounds: Bounds<B>) -> Self {
        Self {
            format: B::NAME,
            min: bounds.min().to_bits(),
            max: bounds.max().to_bits(),
        }
    }
}

/// The arguments of a launch.
#[derive(Clone, Copy, Debug)]
pub enum Arguments<'a> {
    /// For [`Kind::None`].
    None,
    /// For [`Kind::Mode`] and [`Kind::Stochastic`].
    Mode(Mode),
    /// For [`Kind::Stochastic`]: a `u16` of random bits for each element.
    Stochastic(View<'a>, Overflow),
    /// For [`Kind::Policy`].
    Policy(ScalePolicy),
    /// For [`Kind::Bounds`].
    Bounds(AnyBounds, Mode),
    /// For [`Kind::BoundsNan`].
    BoundsNan(AnyBounds, NanGradient),
    /// For [`Kind::Nan`].
    Nan(NanGradient),
    /// For [`Kind::NanMode`].
    NanMode(NanGradient, Mode),
    /// For [`Kind::With`]: the parameters, and what the row takes after them.
    With(&'a [f32], &'a Arguments<'a>),
}

impl Arguments<'_> {
    /// Whether a row of this kind takes them.
    pub(super) fn fit(&self, kind: Kind) -> bool {
        if let (Self::With(_, rest), Kind::With(_, kind)) = (self, kind) {
            return rest.fit(*kind);
        }
        matches!(
            (self, kind),
            (Self::None, Kind::None)
                | (Self::Mode(_), Kind::Mode | Kind::Stochastic)
                | (Self::Stochastic(..), Kind::Stochastic)
                | (Self::Policy(_), Kind::Policy)
                | (Self::Bounds(..), Kind::Bounds)
                | (Self::BoundsNan(..), Kind::BoundsNan)
                | (Self::Nan(_), Kind::Nan)
                | (Self::NanMode(..), Kind::NanMode)
        )
    }

    /// What the entry's name ends in.
    pub(super) fn ending(&self) -> String {
        match self {
            Self::Stochastic(..) => "_stochastic".into(),
            Self::Bounds(bounds, _) | Self::BoundsNan(bounds, _) => {
                format!("_bound_{}", bounds.format)
            }
            _ => String::new(),
        }
    }

    /// The entry's last parameters. Each is read from the low bytes of its word.
    pub(super) fn words(&self, address: &dyn Fn(&View) -> u64) -> Vec<u64> {
        let mode = |mode: Mode| u64::from(abi::encode_mode(mode));
        let nan = |nan: NanGradient| u64::from(abi::encode_nan(nan));
        match self {
            Self::None => vec![],
            Self::Mode(m) => vec![mode(*m)],
            Self::Stochastic(random, overflow) => {
                vec![address(random), u64::from(abi::encode_overflow(*overflow))]
            }
            Self::Policy(policy) => vec![abi::encode_policy(policy)],
            Self::Bounds(bounds, m) => vec![bounds.min, bounds.max, mode(*m)],
            Self::BoundsNan(bounds, n) => vec![bounds.min, bounds.max, nan(*n)],
            Self::Nan(n) => vec![nan(*n)],
            Self::NanMode(n, m) => vec![nan(*n), mode(*m)],
            Self::With(parameters, rest) => {
                let bits = parameters.iter().map(|x| u64::from(x.to_bits()));
                bits.chain(rest.words(address)).collect()
            }
        }
    }
}
