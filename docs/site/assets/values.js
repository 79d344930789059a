// The formats, as far as a page must decode them: fields, order and exact values.
"use strict";
const FORMATS = {
  f64: { bits: 64, exponent: 11, fraction: 52, bias: 1023, infinity: true, nan: "ieee" },
  f32: { bits: 32, exponent: 8, fraction: 23, bias: 127, infinity: true, nan: "ieee" },
  f16: { bits: 16, exponent: 5, fraction: 10, bias: 15, infinity: true, nan: "ieee" },
  bf16: { bits: 16, exponent: 8, fraction: 7, bias: 127, infinity: true, nan: "ieee" },
  e5m2: { bits: 8, exponent: 5, fraction: 2, bias: 15, infinity: true, nan: "ieee" },
  e4m3fn: { bits: 8, exponent: 4, fraction: 3, bias: 7, infinity: false, nan: "ones" },
  e5m2fnuz: { bits: 8, exponent: 5, fraction: 2, bias: 16, infinity: false, nan: "zero" },
  e4m3fnuz: { bits: 8, exponent: 4, fraction: 3, bias: 8, infinity: false, nan: "zero" },
  e2m3: { bits: 6, exponent: 2, fraction: 3, bias: 1, infinity: false, nan: "none" },
  e3m2: { bits: 6, exponent: 3, fraction: 2, bias: 3, infinity: false, nan: "none" },
  e2m1: { bits: 4, exponent: 2, fraction: 1, bias: 1, infinity: false, nan: "none" },
};

const digits = (name) => Math.ceil((FORMATS[name]?.bits ?? 32) / 4);
const hex = (name, code) => code.toString(16).toUpperCase().padStart(digits(name), "0");

// The fields of a code, a BigInt.
function fieldsOf(name, code) {
  const { bits, exponent, fraction } = FORMATS[name];
  const text = code.toString(2).padStart(bits, "0");
  return { sign: text.slice(0, 1), exponent: text.slice(1, 1 + exponent), fraction: text.slice(1 + exponent) };
}

// The value of a code, a BigInt: every format's values are exact in a JavaScript number.
function valueOf(name, code) {
  const { exponent, fraction, bias, infinity, nan } = FORMATS[name];
  const fields = fieldsOf(name, code);
  const e = parseInt(fields.exponent, 2);
  const f = parseInt(fields.fraction, 2);
  const negative = fields.sign === "1";
  const ones = e === 2 ** exponent - 1;
  if (infinity && ones) return f ? NaN : negative ? -Infinity : Infinity;
  if (nan === "ones" && ones && f === 2 ** fraction - 1) return NaN;
  if (nan === "zero" && negative && e === 0 && f === 0) return NaN;
  const significand = e === 0 ? f / 2 ** fraction : 1 + f / 2 ** fraction;
  // In two steps, since the least numbers of binary64 are below 2^-1022.
  const power = Math.max(e, 1) - bias;
  const half = Math.trunc(power / 2);
  return (negative ? -1 : 1) * significand * 2 ** half * 2 ** (power - half);
}

// A number in a few characters.
function brief(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "−inf" : "inf";
  if (Object.is(value, -0)) return "−0";
  const text = Number(value.toPrecision(4)).toString();
  return (text.length > 8 ? value.toExponential(2) : text).replace(/-/g, "−");
}
