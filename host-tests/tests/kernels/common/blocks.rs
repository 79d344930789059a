//! A model of MX blocks that uses f64 (all computations in it are exact), the host's f32 where a
//! dialect computes in f32, and the oracle for each rounding.

use super::{Code, power, value};
use bitexact::scale::{BlockSpecials, ScaleSource};
use host_tests::oracle::{Oracle, OracleKind, ParamValue, for_row};
use host_tests::row::{RoundingArg, Ty};
use sweep_inputs::{Overflow, Rounding};

/// A dialect in the model's terms: the oracle's name of its policy, and the other settings.
pub struct Model {
    pub policy: &'static str,
    pub source: ScaleSource,
    pub in_f32: bool,
    pub rounding: Rounding,
    pub symmetric: bool,
    pub specials: BlockSpecials,
}

pub fn model(name: &str) -> Model {
    use Rounding::{TiesToAway, TiesToEven, TowardZero};
    use ScaleSource::{Exponent, Quotient, Reciprocal, RoundedExponent};
    let (policy, source, in_f32, rounding, symmetric) = match name {
        "ocp-floor" => ("floor", Exponent, false, TiesToEven, false),
        "exact-ceil" => ("ceil", Quotient, false, TiesToEven, false),
        "torchao-floor" => ("floor", Exponent, true, TiesToEven, false),
        "torchao-ceil" => ("ceil", Exponent, true, TiesToEven, false),
        "torchao-even" => ("floor", RoundedExponent, true, TiesToEven, false),
        "torchao-rceil" => (
            "torchao_rceil_fallback",
            Reciprocal,
            true,
            TiesToEven,
            false,
        ),
        "microxcaling" => ("floor", Exponent, true, TiesToAway, true),
        "microxcaling-even" => ("floor", Exponent, true, TiesToEven, true),
        "microxcaling-floor" => ("floor", Exponent, true, TowardZero, true),
        "ptx" => ("cuda_rp_sat", Reciprocal, true, TiesToEven, false),
        other => panic!("no model of {other}"),
    };
    Model {
        policy,
        source,
        in_f32,
        rounding,
        symmetric,
        specials: BlockSpecials::Scale,
    }
}

/// A model's oracles at one element type.
pub struct Judge {
    model: Model,
    encode: Box<dyn Oracle>,
    from_f64: Box<dyn Oracle>,
    from_f32: Box<dyn Oracle>,
    to_f32: Box<dyn Oracle>,
}

const INVALID: u8 = 0x10;

fn signals(x: f32) -> bool {
    x.is_nan() && x.to_bits() & 0x0040_0000 == 0
}

/// The same value in f64; a signalling NaN stays signalling.
fn wide(x: f32) -> f64 {
    match x {
        x if signals(x) => f64::from_bits(0x7FF4 << 48),
        x if x.is_nan() => f64::from_bits(0x7FF8 << 48),
        x => x.into(),
    }
}

impl Judge {
    pub fn new<E: Code>(model: Model) -> Self {
        let convert = |from: Ty, to: Ty| {
            let op = match (to, model.symmetric) {
                (Ty::Mxint8, false) => "mxint8_encode",
                (Ty::Mxint8, true) => "mxint8_encode_symmetric",
                _ => "convert",
            };
            for_row(OracleKind::Rational, op, &[from], &[to], &[]).unwrap()
        };
        let policy = [("policy", ParamValue::Name(model.policy))];
        let kind = OracleKind::Rational;
        Self {
            encode: for_row(kind, "e8m0_encode", &[Ty::F64], &[Ty::E8m0], &policy).unwrap(),
            from_f64: convert(Ty::F64, E::TY),
            from_f32: convert(Ty::F32, E::TY),
            to_f32: for_row(kind, "convert", &[Ty::F64], &[Ty::F32], &[]).unwrap(),
            model,
        }
    }

    fn ask(&self, oracle: &dyn Oracle, bits: u64) -> (u64, u8) {
        self.ask_by(oracle, bits, RoundingArg::Fixed(self.model.rounding))
    }

    fn ask_by(&self, oracle: &dyn Oracle, bits: u64, rounding: RoundingArg) -> (u64, u8) {
        let answer = match rounding {
            RoundingArg::Fixed(_) => oracle.answer(&[bits, 0, 0]),
            RoundingArg::Stochastic(_) => oracle.answer_stochastic(&[bits, 0, 0]),
        };
        let output = answer.output(rounding, Overflow::SaturateAll);
        (output.results[0], output.flags)
    }

    /// The value from which the scale is encoded.
    fn source<E: Code>(&self, a: f64) -> f64 {
        if !a.is_finite() || a == 0.0 {
            return a;
        }
        match self.model.source {
            ScaleSource::Exponent => a * power(-E::EMAX),
            ScaleSource::Reciprocal => (a as f32 * (1.0f32 / E::MAX as f32)).into(),
            // The least power of two with which the largest element reaches it.
            ScaleSource::Quotient => {
                let mut k = -300;
                while a > E::MAX * power(k) {
                    k += 1;
                }
                power(k)
            }
            ScaleSource::RoundedExponent => {
                let mut e = -126;
                while power(e + 1) <= a {
                    e += 1;
                }
                let unit = power(e - E::DIGITS);
                let rounded = (a / unit + 0.5).floor() * unit;
                if rounded >= power(128) {
                    return f64::INFINITY;
                }
                let mut p = -127;
                while power(p + 1) <= rounded {
                    p += 1;
                }
                power(p - E::EMAX)
            }
        }
    }

    /// The scale, and whether it is invalid.
    pub fn scale<E: Code>(&self, values: &[f32]) -> (u8, bool) {
        let mut a = 0.0f64;
        let mut invalid = false;
        for &x in values {
            if self.model.specials == BlockSpecials::Element && !x.is_finite() {
                continue;
            }
            invalid |= signals(x);
            a = if a.is_nan() || x.is_nan() {
                f64::NAN
            } else {
                a.max(f64::from(x.abs()))
            };
        }
        let (scale, _) = self.ask(&*self.encode, self.source::<E>(a).to_bits());
        (scale as u8, invalid || scale == 0xFF && !a.is_nan())
    }

    /// One block: scale, elements, flags.
    pub fn block<E: Code>(&self, values: &[f32]) -> (u8, Vec<u8>, u8) {
        let (scale, invalid) = self.scale::<E>(values);
        let mut flags = if invalid { INVALID } else { 0 };
        let elements = values.iter().map(|&x| {
            let (code, raised) = self.element(x, scale);
            flags |= raised;
            code
        });
        (scale, elements.collect(), flags)
    }

    pub fn element(&self, x: f32, scale: u8) -> (u8, u8) {
        self.element_by(x, scale, RoundingArg::Fixed(self.model.rounding))
    }

    /// The same with another last rounding.
    pub fn element_by(&self, x: f32, scale: u8, rounding: RoundingArg) -> (u8, u8) {
        let x64 = wide(x);
        let (code, flags) = if scale == 0xFF {
            let (code, _) = self.ask_by(&*self.from_f64, f64::NAN.to_bits(), rounding);
            (code, if signals(x) { INVALID } else { 0 })
        } else if !x.is_finite() {
            self.ask_by(&*self.from_f64, x64.to_bits(), rounding)
        } else {
            let quotient = x64 / power(i32::from(scale) - 127);
            if self.model.in_f32 {
                let even = RoundingArg::Fixed(Rounding::TiesToEven);
                let answer = self.to_f32.answer(&[quotient.to_bits(), 0, 0]);
                let narrow = answer.output(even, Overflow::Ieee);
                assert_eq!(narrow.results[0], u64::from((quotient as f32).to_bits()));
                let (code, flags) = self.ask_by(&*self.from_f32, narrow.results[0], rounding);
                (code, flags | narrow.flags)
            } else {
                self.ask_by(&*self.from_f64, quotient.to_bits(), rounding)
            }
        };
        (code as u8, flags)
    }
}

/// The value of an element under a scale before it is rounded: a product that an f64 can represent.
pub fn product<E: Code>(code: u8, scale: u8) -> f64 {
    let x = value::<E>(code);
    if scale == 0xFF && !x.is_nan() {
        f64::from_bits(0x7FF8 << 48)
    } else if x.is_finite() {
        x * power(i32::from(scale) - 127)
    } else {
        x
    }
}

/// Narrow codes as a stream of bits from the lowest, by its definition, one bit at a time.
pub fn packed(codes: &[u32], width: usize) -> Vec<u8> {
    let mut bytes = vec![0u8; (codes.len() * width).div_ceil(8)];
    for bit in 0..codes.len() * width {
        bytes[bit / 8] |= ((codes[bit / width] >> (bit % width) & 1) as u8) << (bit % 8);
    }
    bytes
}
