//! The catalog in a browser: one request as text, one answer as text, through one buffer.
//!
//! A request is a line of fields between single blanks; the answer is lines of text, or `error` and
//! a reason:
//!
//! | request | answer |
//! |---|---|
//! | `rows` | a line for each row: name, operation, operands, results, what it takes, parameters, text; tabs between them |
//! | `eval ROW ROUNDING OVERFLOW PARAMETERS OPERAND...` | as `sweep eval`: operands, results, flags |
//! | `digest ROW ROUNDING OVERFLOW PARAMETERS` | the domain, the number of inputs, the digest, as in the golden files |
//! | `parse FORMAT ROUNDING OVERFLOW TEXT` | the bits of a decimal or hexadecimal text, and the flags |
//! | `text FORMAT BITS` | the exact decimal text, the shortest one, the hexadecimal one |
//! | `dialects` | the names of the dialects of MX |
//! | `block DIALECT ELEMENT VALUE...` | of these values in f32's bits: the scale, the flags, the elements |
//!
//! ROUNDING is a name, or `stochastic:XXXX` with 16 random bits. PARAMETERS are as in the golden
//! files; `-` is none.

mod block;
mod buffer;
mod numbers;
mod rows;

/// The answer to a request.
fn answer(request: &str) -> Result<String, String> {
    let (command, rest) = request.split_once(' ').unwrap_or((request, ""));
    match command {
        "rows" => Ok(rows::list()),
        "eval" => rows::eval(rest),
        "digest" => rows::digest(rest),
        "parse" => numbers::parse(rest),
        "text" => numbers::text(rest),
        "dialects" => Ok(block::dialects()),
        "block" => block::block(rest),
        _ => Err(format!("`{command}` is no request")),
    }
}
