//! Standard input, output and error, and what happens when they fail.

use std::fmt::Arguments;
use std::io::{self, BufReader, ErrorKind, Read, Write};

/// Why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// It cannot be carried out; the text says what and where.
    Usage(String),
    /// The reader of our output has closed it.
    Gone,
}

/// An exit status, or why there is none.
pub type Outcome<T = u8> = Result<T, Failure>;

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::Usage(text)
    }
}

/// The three streams of a command.
pub struct Console<'a> {
    pub stdin: BufReader<&'a mut dyn Read>,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// The output is all that the command is for, so it ends quietly when its reader closes the
    /// pipe. Other commands continue silently: their exit status says what they found.
    pub ends_with_reader: bool,
    gone: bool,
    /// Standard output is used for other data, so text for people goes to standard error.
    pub people_on_stderr: bool,
}

impl<'a> Console<'a> {
    pub fn new(stdin: &'a mut dyn Read, out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        let stdin = BufReader::with_capacity(1 << 16, stdin);
        Self {
            stdin,
            out,
            err,
            ends_with_reader: false,
            gone: false,
            people_on_stderr: false,
        }
    }

    fn check(&mut self, result: io::Result<()>) -> Outcome<()> {
        match result {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.gone = true;
                if self.ends_with_reader {
                    Err(Failure::Gone)
                } else {
                    Ok(())
                }
            }
            Err(error) => Err(Failure::Usage(format!(
                "cannot write to standard output: {error}"
            ))),
        }
    }

    /// Text to standard output.
    pub fn print(&mut self, text: Arguments) -> Outcome<()> {
        if self.gone {
            return Ok(());
        }
        let result = self.out.write_fmt(text);
        self.check(result)
    }

    /// Bytes to standard output.
    pub fn write(&mut self, bytes: &[u8]) -> Outcome<()> {
        if self.gone {
            return Ok(());
        }
        let result = self.out.write_all(bytes);
        self.check(result)
    }

    /// A line for people: to standard output, unless that is used for other data.
    pub fn tell(&mut self, text: Arguments) -> Outcome<()> {
        if self.people_on_stderr {
            self.note(text);
            return Ok(());
        }
        self.print(text)?;
        self.print(format_args!("\n"))
    }

    /// Flushes everything written so far.
    pub fn flush(&mut self) -> Outcome<()> {
        if self.gone {
            return Ok(());
        }
        let result = self.out.flush();
        self.check(result)
    }

    /// A line to standard error, which may be closed.
    pub fn note(&mut self, text: Arguments) {
        let _ = writeln!(self.err, "{text}");
    }

    /// An error message.
    pub fn complain(&mut self, text: Arguments) {
        self.note(text);
    }

    /// The exit status of an outcome, after its message.
    pub fn settle(&mut self, outcome: Outcome) -> u8 {
        let outcome = match (outcome, self.flush()) {
            (Ok(_), Err(failure @ Failure::Usage(_))) => Err(failure),
            (outcome, _) => outcome,
        };
        match outcome {
            Ok(code) => code,
            Err(Failure::Gone) => 0,
            Err(Failure::Usage(text)) => {
                self.complain(format_args!("error: {text}"));
                2
            }
        }
    }
}
