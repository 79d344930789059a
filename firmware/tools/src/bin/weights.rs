//! `weights FILE.safetensors FORMAT rust|c [BLOCK]`: the tensors of a trained model as constant
//! arrays of Rust or C, on the standard output.
//!
//! FORMAT is that of the weights, which are the tensors of two dims and more: `f32`, `f16`, `bf16`,
//! `e4m3fn`, `int8` (each row with one f32 scale, symmetric), or `mxfp8` (E4M3FN in blocks of BLOCK
//! elements along the rows, 32 unless given, each with an E8M0 scale by the rule that clamps
//! nothing, `torchao-rceil`). Tensors of one dim (biases) are f32 beside f32 and int8, f16 beside
//! f16, otherwise bf16. Everything is rounded once, ties to even, beyond the largest number to
//! that. In C the types are those of `bitexact.h`, as the layers there take them, and tensors of one dim
//! are floats of the values that they have in Rust.

use anyhow::{Context, bail};
use bitexact::format::{E4M3FN, Format};
use bitexact::scale::{Dialect, E8M0, quantise};
use bitexact::{Mode, bf16, convert, f16};
use safetensors::{Dtype, SafeTensors};
use std::io::Write;

const MODE: Mode = Mode::TIES_TO_EVEN.saturating();
const USAGE: &str = "usage: weights FILE.safetensors f32|f16|bf16|e4m3fn|mxfp8|int8 rust|c [BLOCK]";

/// An array to write: its name, what it is, its type and its codes.
struct Array {
    name: String,
    doc: String,
    ty: &'static str,
    codes: Vec<u64>,
    is_bias: bool,
}

fn codes<F: Format>(values: &[f32]) -> Vec<u64> {
    let code = |&x: &f32| convert::convert::<f32, F>(x, MODE).to_bits();
    values.iter().map(code).collect()
}

fn arrays(
    name: &str,
    shape: &[usize],
    values: &[f32],
    format: &str,
    block: usize,
) -> anyhow::Result<Vec<Array>> {
    let sizes = shape
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(" by ");
    let is_bias = shape.len() < 2;
    let array = |suffix: &str, what: &str, ty, codes| Array {
        name: format!("{name}{suffix}").replace(['.', '-', '/'], "_"),
        doc: format!("`{name}`{what}: {sizes}."),
        ty,
        codes,
        is_bias,
    };
    let row = shape.iter().skip(1).product::<usize>();
    let format = match format {
        "f32" | "int8" if is_bias => "f32",
        "f16" => "f16",
        _ if is_bias => "bf16",
        other => other,
    };
    Ok(match format {
        "f32" => vec![array("", "", "f32", codes::<f32>(values))],
        "f16" => vec![array("", "", "f16", codes::<f16>(values))],
        "bf16" => vec![array("", "", "bf16", codes::<bf16>(values))],
        "e4m3fn" => vec![array("", "", "E4M3FN", codes::<E4M3FN>(values))],
        "mxfp8" => {
            let (mut elements, mut scales) = (Vec::new(), Vec::new());
            for row in values.chunks(row.max(1)) {
                let mut codes = vec![E4M3FN::from_bits(0); row.len()];
                let mut own = vec![E8M0::ONE; row.len().div_ceil(block.max(1))];
                quantise(row, block, &Dialect::TORCHAO_RCEIL, &mut codes, &mut own)?;
                elements.extend(codes.iter().map(|x| u64::from(x.to_bits())));
                scales.extend(own.iter().map(|x| u64::from(x.to_bits())));
            }
            let what = format!(", the scales of blocks of {block} in each row");
            vec![
                array("", "", "E4M3FN", elements),
                array("_scales", &what, "E8M0", scales),
            ]
        }
        "int8" => {
            let (mut elements, mut scales) = (Vec::new(), Vec::new());
            for row in values.chunks(row.max(1)) {
                let scale = row.iter().fold(0f32, |most, x| most.max(x.abs())) / 127.0;
                let scale = if scale == 0.0 { 1.0 } else { scale };
                elements.extend(
                    row.iter()
                        .map(|x| (x / scale).round_ties_even() as i8 as u8 as u64),
                );
                scales.push(u64::from(scale.to_bits()));
            }
            vec![
                array("", "", "i8", elements),
                array("_scales", ", the scales of the rows", "f32", scales),
            ]
        }
        other => bail!("{other} is no format of weights\n{USAGE}"),
    })
}

/// A code of a type in Rust: a number of `i8`, otherwise of `u8`, `u16` or `u32`.
fn rust(ty: &str, code: u64) -> String {
    match ty {
        "i8" => format!("{}", code as u8 as i8),
        "f32" => format!("{code:#010X}"),
        "f16" | "bf16" => format!("{code:#06X}"),
        _ => format!("{code:#04X}"),
    }
}

/// A type in C, and a code of it in an initialiser. A bias is a float of the same value.
fn c(ty: &str, code: u64, is_bias: bool) -> (String, String) {
    let float = |x: f32| ("float".to_owned(), format!("{x:?}f"));
    match ty {
        "i8" => ("int8_t".to_owned(), format!("{}", code as u8 as i8)),
        "f32" => float(f32::from_bits(code as u32)),
        "f16" if is_bias => float(f16::from_bits(code as u16).to_f32()),
        "bf16" if is_bias => float(bf16::from_bits(code as u16).to_f32()),
        _ => {
            let name = ty.to_lowercase();
            let constant = name.to_uppercase();
            let code = rust(ty, code);
            (
                format!("bitexact_{name}"),
                format!("BITEXACT_{constant}_BITS({code})"),
            )
        }
    }
}

/// A constant function of Rust that makes an array of a type from its codes.
fn of_codes(ty: &str) -> String {
    let code = match ty {
        "f32" => "u32",
        "f16" | "bf16" => "u16",
        _ => "u8",
    };
    format!(
        "
#[allow(clippy::indexing_slicing, reason = \"in constants alone\")]
const fn {}_of<const N: usize>(codes: [{code}; N]) -> [{ty}; N] {{
    let (mut all, mut i) = ([{ty}::from_bits(0); N], 0);
    while i < N {{
        all[i] = {ty}::from_bits(codes[i]);
        i += 1;
    }}
    all
}}
",
        ty.to_lowercase()
    )
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (file, format, language, block) = match &arguments[..] {
        [file, format, language] => (file, format, language, 32),
        [file, format, language, block] => (file, format, language, block.parse().context(USAGE)?),
        _ => bail!("{USAGE}"),
    };
    if !["rust", "c"].contains(&&language[..]) || block == 0 {
        bail!("{USAGE}");
    }
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
    let tensors =
        SafeTensors::deserialize(&bytes).with_context(|| format!("{file} is not safetensors"))?;
    let mut names = tensors.names();
    names.sort();
    let mut all = Vec::new();
    for name in names {
        let tensor = tensors.tensor(name)?;
        if tensor.dtype() != Dtype::F32 {
            bail!("{name} is of {:?}, expected F32", tensor.dtype());
        }
        let (words, _) = tensor.data().as_chunks::<4>();
        let values: Vec<f32> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
        if let Some(x) = values.iter().find(|x| !x.is_finite()) {
            bail!("{name} has {x}");
        }
        all.extend(arrays(name, tensor.shape(), &values, format, block)?);
    }
    let mut out = String::new();
    if language == "c" {
        out += "#include <bitexact.h>\n";
        for array in &all {
            let text = |&code: &u64| c(array.ty, code, array.is_bias);
            let texts: Vec<_> = array.codes.iter().map(text).collect();
            let ty = texts.first().map_or("uint8_t", |(ty, _)| ty);
            out += &format!("\n/* {} In {}. */\n", array.doc, array.ty);
            out += &format!("static const {ty} {}[{}] = {{\n", array.name, texts.len());
            for line in texts.chunks(4) {
                let line: Vec<_> = line.iter().map(|(_, text)| text.as_str()).collect();
                out += &format!("    {},\n", line.join(", "));
            }
            out += "};\n";
        }
    } else {
        let used = |ty: &str| all.iter().any(|array| array.ty == ty);
        for (ty, path) in [
            ("E4M3FN", "bitexact::format::E4M3FN"),
            ("E8M0", "bitexact::scale::E8M0"),
            ("bf16", "bitexact::bf16"),
            ("f16", "bitexact::f16"),
        ] {
            if used(ty) {
                out += &format!("use {path};\n");
            }
        }
        for ty in ["E4M3FN", "E8M0", "bf16", "f16", "f32"] {
            if used(ty) {
                out += &of_codes(ty);
            }
        }
        for array in &all {
            let name = array.name.to_uppercase();
            let (ty, count) = (array.ty, array.codes.len());
            let (before, after, width) = match ty {
                "i8" => ("[".to_owned(), "]", 16),
                "f32" => (format!("{ty}_of(["), "])", 8),
                "f16" | "bf16" => (format!("{ty}_of(["), "])", 12),
                _ => (format!("{}_of([", ty.to_lowercase()), "])", 16),
            };
            out += &format!("\n/// {}\n", array.doc);
            out += &format!("pub static {name}: [{ty}; {count}] = {before}\n");
            for line in array.codes.chunks(width) {
                let line: Vec<_> = line.iter().map(|&code| rust(ty, code)).collect();
                out += &format!("    {},\n", line.join(", "));
            }
            out += &format!("{after};\n");
        }
    }
    std::io::stdout().write_all(out.as_bytes())?;
    Ok(())
}
