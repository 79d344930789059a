//! One line: its operation, carried out.

use super::text::{Error, Parsed, Word, Words};
use bitexact::p3109::{
    self, Block, Class, Comparison, Domain, FormatSpec, Operation, Predicate, Revision, Signedness,
    Target, Unsupported,
};

/// A word of a result.
#[derive(Clone, Copy)]
enum Value {
    Code(FormatSpec, u64),
    Integer(u64),
    Truth(bool),
    Name(&'static str),
    Slash,
}

impl Value {
    fn text(self) -> String {
        match self {
            Self::Code(format, code) => {
                let digits = format.bitwidth().div_ceil(4) as usize;
                format!("{code:0digits$X}")
            }
            Self::Integer(number) => format!("{number:X}"),
            Self::Truth(truth) => u8::from(truth).to_string(),
            Self::Name(name) => name.into(),
            Self::Slash => "/".into(),
        }
    }

    /// Whether the word says the same. Any quiet NaN of an external format is its NaN.
    fn is(self, word: Word<'_>) -> Parsed<bool> {
        Ok(match self {
            Self::Code(format, code) => {
                let given = word.code(format)?;
                // The NaN has the exponent's bits and the quiet bit alone.
                let quiet = |code| code & format.nan() == format.nan();
                given == code || (format.is_external() && quiet(given) && quiet(code))
            }
            Self::Integer(number) => word.hex()? == number,
            Self::Truth(truth) => match word.text {
                "0" | "1" => (word.text == "1") == truth,
                _ => return word.fail("neither 0 nor 1"),
            },
            Self::Name(name) => word.text == name,
            Self::Slash if word.text == "/" => true,
            Self::Slash => return word.fail("not `/`"),
        })
    }
}

/// What a line must be.
pub struct Answer<'a> {
    /// Its first two parts.
    pub question: String,
    results: Vec<Value>,
    given: Option<Words<'a>>,
    end: usize,
}

impl Answer<'_> {
    pub fn results(&self) -> String {
        let words: Vec<_> = self.results.iter().map(|value| value.text()).collect();
        words.join(" ")
    }

    /// An error unless the line leaves its results open.
    pub fn must_be_open(&self) -> Parsed<()> {
        let Some(mut given) = self.given.clone() else {
            return Ok(());
        };
        let word = given.next("`?`")?;
        if word.text != "?" {
            return word.fail(
                "not `?`: the third part is `?`, empty or missing, and `verify` checks results",
            );
        }
        given.end("an open result")
    }

    /// Whether the line's third part is the results.
    pub fn matches(&self) -> Parsed<bool> {
        let Some(mut given) = self.given.clone() else {
            return Err(Error {
                column: self.end,
                why: "the results are missing (`eval` completes lines)".into(),
            });
        };
        if let Some(asked) = given.asks() {
            return asked.fail("no result: `eval` completes lines");
        }
        let mut all = true;
        for value in &self.results {
            all &= value.is(given.next("a result")?)?;
        }
        given.end("the results")?;
        Ok(all)
    }
}

/// Carries out the operation of a line.
pub fn answer(line: &str, revision: Revision) -> Parsed<Answer<'_>> {
    let end = line.chars().count() + 1;
    let colons: Vec<usize> = line.match_indices(':').map(|(index, _)| index).collect();
    let (first, second) = match *colons {
        [first] => (first, line.len()),
        [first, second] => (first, second),
        _ => {
            return Err(Error {
                column: end,
                why: format!(
                    "two or three parts between colons are needed, not {}",
                    colons.len() + 1
                ),
            });
        }
    };
    let mut operation = Words::new(line, 0, first, false);
    let mut codes = Words::new(line, first + 1, second, true);
    let given = (colons.len() == 2)
        .then(|| Words::new(line, second + 1, line.len(), true))
        .filter(|words| !words.is_empty());
    let results = results(&mut operation, &mut codes, revision)?;
    operation.end("the operation takes")?;
    codes.end("the operation takes")?;
    let (name, operands) = (line[..first].trim(), line[first + 1..second].trim());
    Ok(Answer {
        question: format!("{name} : {operands}"),
        results,
        given,
        end,
    })
}

fn results(words: &mut Words, codes: &mut Words, revision: Revision) -> Parsed<Vec<Value>> {
    let name = words.next("an operation")?;
    if let Some(comparison) = Comparison::ALL
        .iter()
        .find(|known| known.name() == name.text)
    {
        let (fx, fy) = (words.format()?, words.format()?);
        words.dashes()?;
        let (x, y) = (codes.code(fx)?, codes.code(fy)?);
        return Ok(vec![Value::Truth(comparison.holds((fx, x), (fy, y)))]);
    }
    if let Some(predicate) = Predicate::ALL
        .iter()
        .find(|known| known.name() == name.text)
    {
        let format = words.format()?;
        words.dashes()?;
        let x = codes.code(format)?;
        return Ok(vec![Value::Truth(predicate.holds(format, x))]);
    }
    if let Some(value) = format_query(name.text, words)? {
        return Ok(vec![value]);
    }
    match name.text {
        "Class" => {
            let format = words.format()?;
            words.dashes()?;
            Ok(vec![Value::Name(
                Class::of(format, codes.code(format)?).name(),
            )])
        }
        "NextGreaterThan" | "NextLessThan" => {
            let format = words.format()?;
            words.dashes()?;
            let x = codes.code(format)?;
            let next = match name.text {
                "NextLessThan" => p3109::next_less_than(format, x),
                _ => p3109::next_greater_than(format, x),
            };
            match next {
                Some(code) => Ok(vec![Value::Code(format, code)]),
                None => name.fail("not implemented for external formats"),
            }
        }
        "ConvertFromBlock" => {
            let size = size(words)?;
            let (fs, fx, fr) = (words.format()?, words.format()?, words.format()?);
            let projection = words.projection(revision)?;
            let elements = block_codes(codes, fs, fx, size)?;
            let mut out = vec![0; size];
            let done = p3109::convert_from_block(elements.block(), fr, projection, &mut out);
            finish(name, done, fr, out)
        }
        "ConvertToBlock" => {
            let size = size(words)?;
            let (fx, fs, fr) = (words.format()?, words.format()?, words.format()?);
            let projection = words.projection(revision)?;
            let elements = codes.codes(fx, size)?;
            codes.slash()?;
            let target = Target {
                scale_format: fs,
                scale: codes.code(fs)?,
                format: fr,
                projection,
            };
            let mut out = vec![0; size];
            let done = p3109::convert_to_block((fx, &elements), &target, &mut out);
            finish(name, done, fr, out)
        }
        "ConvertToBlockMaxAbsFinite" => {
            let size = size(words)?;
            let (fx, fs, fr) = (words.format()?, words.format()?, words.format()?);
            let [scale_projection, projection] = words.projections(revision)?;
            let elements = codes.codes(fx, size)?;
            let mut out = vec![0; size];
            let scale = p3109::convert_to_block_max_abs_finite(
                (fx, &elements),
                (fs, scale_projection),
                (fr, projection),
                &mut out,
            );
            match scale {
                Ok(scale) => {
                    let head = [Value::Code(fs, scale), Value::Slash];
                    let elements = out.into_iter().map(|code| Value::Code(fr, code));
                    Ok(head.into_iter().chain(elements).collect())
                }
                Err(why) => refuse(name, why),
            }
        }
        "BlockReduceAdd" | "BlockReduceMultiply" => {
            let size = size(words)?;
            let (fs, fx, fr) = (words.format()?, words.format()?, words.format()?);
            let projection = words.projection(revision)?;
            let elements = block_codes(codes, fs, fx, size)?;
            let result = match name.text {
                "BlockReduceAdd" => p3109::block_reduce_add(elements.block(), fr, projection),
                _ => p3109::block_reduce_multiply(elements.block(), fr, projection),
            };
            Ok(vec![Value::Code(fr, result)])
        }
        "BlockDotProduct" => {
            let size = size(words)?;
            let (fsx, fx) = (words.format()?, words.format()?);
            let (fsy, fy, fr) = (words.format()?, words.format()?, words.format()?);
            let projection = words.projection(revision)?;
            let x = block_codes(codes, fsx, fx, size)?;
            codes.slash()?;
            let y = block_codes(codes, fsy, fy, size)?;
            match p3109::block_dot_product(x.block(), y.block(), fr, projection) {
                Ok(result) => Ok(vec![Value::Code(fr, result)]),
                Err(why) => refuse(name, why),
            }
        }
        text => {
            if let Some(operation) = text.strip_prefix("Block").and_then(Operation::from_name) {
                elementwise(name, operation, words, codes, revision)
            } else if let Some(operation) =
                text.strip_prefix("Scaled").and_then(Operation::from_name)
            {
                scaled(name, operation, words, codes, revision)
            } else if let Some(operation) = Operation::from_name(text) {
                scalar(name, operation, words, codes, revision)
            } else {
                name.fail(
                    "no operation of the report, in its spelling, or one that is not implemented",
                )
            }
        }
    }
}

fn format_query(name: &str, words: &mut Words) -> Parsed<Option<Value>> {
    type Query = fn(FormatSpec) -> Value;
    let query: Query = match name {
        "BitwidthOf" => |f| Value::Integer(f.bitwidth().into()),
        "PrecisionOf" => |f| Value::Integer(f.precision().into()),
        "ExponentBitwidthOf" => |f| Value::Integer(f.exponent_bitwidth().into()),
        "TrailingSignificandBitwidthOf" => {
            |f| Value::Integer(f.trailing_significand_bitwidth().into())
        }
        "ExponentBiasOf" => |f| Value::Integer(f.exponent_bias().into()),
        "SignednessOf" => |f| {
            Value::Name(match f.signedness() {
                Signedness::Signed => "Signed",
                Signedness::Unsigned => "Unsigned",
            })
        },
        "DomainOf" => |f| {
            Value::Name(match f.domain() {
                Domain::Finite => "Finite",
                Domain::Extended => "Extended",
            })
        },
        "MaxFiniteOf" => |f| Value::Code(f, f.max_finite()),
        "MinFiniteOf" => |f| Value::Code(f, f.min_finite()),
        "MinPositiveOf" => |f| Value::Code(f, f.min_positive()),
        "MaxSubnormalOf" => |f| Value::Code(f, f.max_subnormal()),
        "MinNormalOf" => |f| Value::Code(f, f.min_normal()),
        _ => return Ok(None),
    };
    let format = words.format()?;
    words.dashes()?;
    Ok(Some(query(format)))
}

fn scalar(
    name: Word,
    operation: Operation,
    words: &mut Words,
    codes: &mut Words,
    revision: Revision,
) -> Parsed<Vec<Value>> {
    let formats: Vec<_> = (0..operation.arity())
        .map(|_| words.format())
        .collect::<Parsed<_>>()?;
    let fr = words.format()?;
    let projection = words.projection(revision)?;
    let operands: Vec<_> = formats
        .into_iter()
        .map(|format| Ok((format, codes.code(format)?)))
        .collect::<Parsed<_>>()?;
    match p3109::evaluate(operation, &operands, fr, projection) {
        Ok(code) => Ok(vec![Value::Code(fr, code)]),
        Err(why) => refuse(name, why),
    }
}

/// Pairs of formats, of scales and of elements.
fn pairs(operation: Operation, words: &mut Words) -> Parsed<Vec<(FormatSpec, FormatSpec)>> {
    (0..operation.arity())
        .map(|_| Ok((words.format()?, words.format()?)))
        .collect()
}

fn scaled(
    name: Word,
    operation: Operation,
    words: &mut Words,
    codes: &mut Words,
    revision: Revision,
) -> Parsed<Vec<Value>> {
    let formats = pairs(operation, words)?;
    let fr = words.format()?;
    let projection = words.projection(revision)?;
    let operands: Vec<_> = formats
        .into_iter()
        .map(|(fs, fx)| block_codes(codes, fs, fx, 1))
        .collect::<Parsed<_>>()?;
    let blocks: Vec<_> = operands.iter().map(OwnedBlock::block).collect();
    match p3109::scaled(operation, &blocks, fr, projection) {
        Ok(code) => Ok(vec![Value::Code(fr, code)]),
        Err(why) => refuse(name, why),
    }
}

fn elementwise(
    name: Word,
    operation: Operation,
    words: &mut Words,
    codes: &mut Words,
    revision: Revision,
) -> Parsed<Vec<Value>> {
    let size = size(words)?;
    let formats = pairs(operation, words)?;
    let (fs, fr) = (words.format()?, words.format()?);
    let projection = words.projection(revision)?;
    let mut operands = Vec::new();
    for (scale, element) in formats {
        operands.push(block_codes(codes, scale, element, size)?);
        codes.slash()?;
    }
    let target = Target {
        scale_format: fs,
        scale: codes.code(fs)?,
        format: fr,
        projection,
    };
    let blocks: Vec<_> = operands.iter().map(OwnedBlock::block).collect();
    let mut out = vec![0; size];
    let done = p3109::elementwise(operation, &blocks, &target, &mut out);
    finish(name, done, fr, out)
}

struct OwnedBlock {
    scale_format: FormatSpec,
    scale: u64,
    format: FormatSpec,
    elements: Vec<u64>,
}

impl OwnedBlock {
    fn block(&self) -> Block<'_> {
        Block {
            scale_format: self.scale_format,
            scale: self.scale,
            format: self.format,
            elements: &self.elements,
        }
    }
}

fn block_codes(
    codes: &mut Words,
    scale_format: FormatSpec,
    format: FormatSpec,
    size: usize,
) -> Parsed<OwnedBlock> {
    Ok(OwnedBlock {
        scale_format,
        scale: codes.code(scale_format)?,
        format,
        elements: codes.codes(format, size)?,
    })
}

fn size(words: &mut Words) -> Parsed<usize> {
    let word = words.next("a block size")?;
    match word.decimal()? {
        // More do not fit in a line.
        size @ 1..=0x100_0000 => Ok(size),
        _ => word.fail("no block size from 1 to 16777216, the most that fit in a line"),
    }
}

fn finish(
    name: Word,
    done: Result<(), Unsupported>,
    format: FormatSpec,
    codes: Vec<u64>,
) -> Parsed<Vec<Value>> {
    match done {
        Ok(()) => Ok(codes
            .into_iter()
            .map(|code| Value::Code(format, code))
            .collect()),
        Err(why) => refuse(name, why),
    }
}

fn refuse<T>(name: Word, why: Unsupported) -> Parsed<T> {
    name.fail(&format!("not implemented here: {why}"))
}
