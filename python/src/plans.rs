//! Plans of launches on GPUs, which the crate `gpu-plans` makes.

use bitexact::catalog::Type;
use gpu_plans::Launch;
use gpu_plans::exact::{Choice, Matrices, Product};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An entry, its words, and blocks, threads and bytes of memory.
type Launched = (String, Vec<u64>, usize, usize, usize);

fn launched(launches: impl IntoIterator<Item = Launch>) -> Vec<Launched> {
    let each = |launch: Launch| {
        let Launch {
            entry,
            words,
            blocks,
            threads,
            memory,
        } = launch;
        (entry, words, blocks, threads, memory)
    };
    launches.into_iter().map(each).collect()
}

/// The operands' formats; the first ones are the results', in the order of their numbers.
const FORMATS: [Type; 5] = [Type::F16, Type::Bf16, Type::F32, Type::E4m3fn, Type::E5m2];
const RESULTS: usize = 3;

/// Exact products of a batch of matrices on the tensor cores.
#[pyclass(frozen, module = "bitexact_kernels._core")]
pub struct ExactProduct(Product);

#[pymethods]
impl ExactProduct {
    /// `name` is the operands' format and the result's, as in `bf16_f32`; `sizes` are how many products, m, n and k; of
    /// each side the address at coordinate 0, and strides in elements.
    #[new]
    fn new(
        name: &str,
        sizes: [usize; 4],
        a: (u64, [i64; 3]),
        b: (u64, [i64; 3]),
        out: (u64, [i64; 3]),
        mode: u64,
        processors: usize,
    ) -> PyResult<Self> {
        let unknown = || PyValueError::new_err(format!("no exact products {name}"));
        let (from, result) = name.split_once('_').ok_or_else(unknown)?;
        let place = |name| FORMATS.iter().position(|ty| ty.name() == name);
        let from = FORMATS[place(from).ok_or_else(unknown)?];
        let to = place(result).filter(|at| *at < RESULTS);
        let to = to.ok_or_else(unknown)?;
        let side = |(address, strides)| Matrices { address, strides };
        Ok(Self(Product {
            name: from.name(),
            bytes: from.bytes(),
            sizes,
            a: side(a),
            b: side(b),
            out: side(out),
            to: to as u64,
            to_bytes: FORMATS[to].bytes(),
            mode,
            processors,
        }))
    }

    /// How many products can be made at once; none if their sizes are beyond the entries'.
    fn at_once(&self) -> Option<usize> {
        self.0.at_once()
    }

    /// The products from this number on, so many.
    fn part(&self, first: usize, count: usize) -> Self {
        Self(self.0.part(first, count))
    }

    /// Bytes of a first memory, which are zeros, and of what it begins with and [`ExactProduct::needs`] takes.
    fn small(&self) -> (usize, usize) {
        (self.0.small(), 4 * self.0.found())
    }

    /// What is launched first, with a first memory at this address.
    fn find(&self, small: u64) -> Vec<Launched> {
        launched(self.0.find(small))
    }

    /// Bytes of a second memory, for what was found; none if the definition is the better choice.
    fn needs(&self, found: &[u8]) -> Option<usize> {
        let choice = self.choice(found);
        let few = choice.infinite <= self.0.infinite();
        self.0.large(choice).filter(|_| few)
    }

    /// What is launched then, with memories at these addresses.
    fn multiply(&self, found: &[u8], small: u64, large: u64) -> Vec<Launched> {
        launched(self.0.multiply(self.choice(found), small, large))
    }
}

impl ExactProduct {
    fn choice(&self, found: &[u8]) -> Choice {
        let words = found.as_chunks().0.iter();
        let words: Vec<u64> = words.map(|word| u32::from_le_bytes(*word).into()).collect();
        self.0.choose(&words)
    }
}
