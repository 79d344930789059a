//! A block of MX under a dialect.

use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E5M2};
use bitexact::scale::{DIALECTS, Dialect, Element, MxInt8, block_scale, quantise_block};

pub fn dialects() -> String {
    let names: Vec<_> = DIALECTS.iter().map(|(name, _)| *name).collect();
    names.join("\n")
}

pub fn block(rest: &str) -> Result<String, String> {
    let fields: Vec<_> = rest.split(' ').collect();
    let ([dialect, element], values) = fields.split_first_chunk().ok_or("too few fields")?;
    let dialect =
        Dialect::preset(dialect).ok_or_else(|| format!("there is no dialect `{dialect}`"))?;
    let value = |text: &&str| {
        u32::from_str_radix(text, 16)
            .map(f32::from_bits)
            .map_err(|error| error.to_string())
    };
    let values = values.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    match *element {
        "e5m2" => of(&values, &dialect, [E5M2::from_bits(0)], |e| e.to_bits()),
        "e4m3fn" => of(&values, &dialect, [E4M3FN::from_bits(0)], |e| e.to_bits()),
        "e3m2" => of(&values, &dialect, [E3M2::from_bits(0)], |e| e.to_bits()),
        "e2m3" => of(&values, &dialect, [E2M3::from_bits(0)], |e| e.to_bits()),
        "e2m1" => of(&values, &dialect, [E2M1::from_bits(0)], |e| e.to_bits()),
        "mxint8" => of(&values, &dialect, [MxInt8::from_bits(0)], |e| e.to_bits()),
        other => Err(format!("`{other}` is no element of MX")),
    }
}

fn of<E: Element>(
    values: &[f32],
    dialect: &Dialect,
    zero: [E; 1],
    bits: fn(E) -> u8,
) -> Result<String, String> {
    let (scale, status) = block_scale::<f32, E>(values, dialect);
    let mut elements = vec![zero[0]; values.len()];
    let rounded =
        quantise_block(values, scale, dialect, &mut elements).map_err(|error| error.to_string())?;
    let mut text = vec![
        format!("{:02X}", scale.to_bits()),
        format!("{:02X}", (status | rounded).bits()),
    ];
    text.extend(
        elements
            .iter()
            .map(|element| format!("{:02X}", bits(*element))),
    );
    Ok(text.join(" "))
}
