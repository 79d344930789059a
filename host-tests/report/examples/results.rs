//! Writes every peer's results of all 65,536 inputs, to nearest: `results FOLDER` makes
//! `exp.f16.libm.bin`, ..., each of 16-bit codes in the order of the inputs, little-endian.
//! `docs/site/compare.py` compares them.

use half::{bf16, f16};
use std::path::Path;
use std::{env, fs, io};

type Peer = (&'static str, &'static str, fn(f32) -> f32);

macro_rules! list {
    ($($op:ident { $($name:ident $f32:expr;)* })*) => {
        const PEERS: &[Peer] = &[$($((stringify!($op), stringify!($name), $f32),)*)*];
    };
}
peers::for_each_peer!(list);

fn main() -> io::Result<()> {
    let Some(folder) = env::args_os().nth(1) else {
        return Err(io::Error::other("usage: results FOLDER"));
    };
    for (op, name, function) in PEERS {
        let f16 = |code| f16::from_f32(function(f16::from_bits(code).to_f32())).to_bits();
        let bf16 = |code| bf16::from_f32(function(bf16::from_bits(code).to_f32())).to_bits();
        let write = |format, of: &dyn Fn(u16) -> u16| {
            let bytes: Vec<u8> = (0..=u16::MAX)
                .flat_map(|code| of(code).to_le_bytes())
                .collect();
            fs::write(
                Path::new(&folder).join(format!("{op}.{format}.{name}.bin")),
                bytes,
            )
        };
        write("f16", &f16)?;
        write("bf16", &bf16)?;
    }
    Ok(())
}
