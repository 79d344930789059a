//! Entries of the PTX module, and typed launches of them.
//!
//! An entry is declared once, in a list of families such as [`gemm_entries!`](crate::gemm_entries).
//! A family is what one body makes for several formats and constants:
//!
//! ```text
//! /// What the entries compute.
//! module::body[T,] as Launch(bool) (x: *const T, n: u32) {
//!     "name_tile_" [f16 bf16] "_fma" (true) blocks(256, 1024).least(2, 1);
//!     "name_any_" [f16 bf16] "_fma" (false) blocks(256, 1024);
//! }
//! ```
//!
//! - The body is `tile::module::body`, of which a block's threads do their shares (or
//!   `composite::module::body` of a thread). Its generic arguments are those in brackets, and then
//!   the line's constants in parentheses; `T` is the line's format.
//! - `Launch` is a struct with a field for each parameter; the type after it is that of the
//!   constants.
//! - A line declares an entry for each format; its name has the format between two parts. `_`
//!   stands for no format, and `any` for one that is an argument. The end of a name says the [class](Entry::class).
//! - The line ends in the [`Shape`] of launches.
//!
//! From a list the GPU crate makes the device's entries and the bodies that a CPU runs, and
//! `launches!` the launches.

use bitexact::catalog::Type;

/// Threads of a block of an entry whose threads work alone, and blocks for each multiprocessor, at
/// most.
const THREADS: usize = 256;
const BLOCKS: usize = 32;

/// What an entry's launches have in common, and what the compiler is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Threads of a block; 0 if threads work alone, in blocks of any size.
    pub threads: usize,
    /// Bytes of shared memory of a block, at most. More than 48 KiB must be asked of the driver.
    pub memory: usize,
    /// Blocks that a multiprocessor holds at least (0: not said), on sm_90, where it was measured,
    /// and on others, where it keeps ptxas from spilling. Without it the compiler is not told the
    /// number of threads either.
    pub least: Option<[usize; 2]>,
    /// Blocks of a cluster; 0 if there are none.
    pub cluster: usize,
    /// The one architecture (`sm_90a`) whose module has the entry; `None` if all that have its
    /// instructions have it.
    pub only: Option<&'static str>,
}

/// Blocks of so many threads, with so many bytes of shared memory.
#[must_use]
pub const fn blocks(threads: usize, memory: usize) -> Shape {
    Shape {
        threads,
        memory,
        least: None,
        cluster: 0,
        only: None,
    }
}

/// Threads that work alone, in blocks of any size.
#[must_use]
pub const fn items() -> Shape {
    blocks(0, 0)
}

impl Shape {
    /// The same with at least so many blocks on a multiprocessor: see [`Shape::least`].
    #[must_use]
    pub const fn least(self, measured: usize, other: usize) -> Self {
        Self {
            least: Some([measured, other]),
            ..self
        }
    }

    /// The same with clusters of so many blocks.
    #[must_use]
    pub const fn cluster(self, cluster: usize) -> Self {
        Self { cluster, ..self }
    }

    /// The same in the module of one architecture alone.
    #[must_use]
    pub const fn only(self, architecture: &'static str) -> Self {
        Self {
            only: Some(architecture),
            ..self
        }
    }
}

/// An entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// The parameters' names and types; `T` is the format in the name.
    pub signature: &'static str,
    /// The parameters' bytes.
    pub bytes: &'static [usize],
    pub shape: Shape,
}

impl Entry {
    /// What float instructions there may be, as the end of a name says: `rn`, `fma`, `hw`, or with
    /// products of integers on tensor cores `fma_mma` and `mma`; `integer` if none.
    #[must_use]
    pub fn class(&self) -> &'static str {
        class(self.name)
    }
}

/// The class of an entry of that name: see [`Entry::class`].
#[must_use]
pub fn class(name: &str) -> &'static str {
    let classes = ["fma_mma", "mma", "fma", "rn", "hw"];
    let ends = |class: &&str| {
        name.strip_suffix(*class)
            .is_some_and(|rest| rest.ends_with('_'))
    };
    classes.into_iter().find(ends).unwrap_or("integer")
}

/// How much a launch does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// So many blocks, of which a smaller grid makes several each.
    Blocks(usize),
    /// So many blocks and no fewer: each makes its own part alone.
    Exactly(usize),
    /// So many items, of which a thread makes several.
    Items(usize),
    /// So many threads, each of which makes its own part alone.
    Threads(usize),
}

/// A launch of an entry, which only a declaration makes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Launch {
    pub entry: &'static Entry,
    /// The parameters, each from a new word on; one that is narrower is the low bytes of its word.
    pub words: Vec<u64>,
    pub work: Work,
    /// Bytes of shared memory of a block.
    pub memory: usize,
}

impl Launch {
    /// A launch of an entry with its parameters.
    pub(crate) const fn of(entry: &'static Entry, words: Vec<u64>, work: Work) -> Self {
        let memory = entry.shape.memory;
        Self {
            entry,
            words,
            work,
            memory,
        }
    }

    /// The same with so many bytes of shared memory of a block.
    #[must_use]
    pub fn with_memory(self, memory: usize) -> Self {
        Self { memory, ..self }
    }

    /// Threads of a block.
    #[must_use]
    pub const fn threads(&self) -> usize {
        match self.work {
            Work::Blocks(_) | Work::Exactly(_) => self.entry.shape.threads,
            Work::Items(_) | Work::Threads(_) => THREADS,
        }
    }

    /// Blocks of the grid on a device with so many multiprocessors.
    #[must_use]
    pub fn blocks(&self, processors: usize) -> usize {
        match self.work {
            Work::Blocks(blocks) | Work::Exactly(blocks) => blocks,
            Work::Items(items) => items.div_ceil(THREADS).min(processors * BLOCKS),
            Work::Threads(threads) => threads.div_ceil(THREADS),
        }
    }

    /// The first word of each parameter.
    pub fn parameters(&self) -> impl Iterator<Item = &u64> {
        let mut at = 0;
        self.entry.bytes.iter().filter_map(move |bytes| {
            let first = self.words.get(at);
            at += bytes.div_ceil(size_of::<u64>());
            first
        })
    }
}

/// A parameter by value.
pub trait Parameter: Copy {
    /// Appends its words.
    fn put(self, words: &mut Vec<u64>);
}

macro_rules! parameter {
    ($($ty:ty)*) => {
        $(impl Parameter for $ty {
            fn put(self, words: &mut Vec<u64>) {
                words.push(self as u64);
            }
        })*
    };
}
parameter! { u32 u64 i64 usize isize }

/// A structure of words, such as a tensor map, which has 16 (128 bytes).
impl<const WORDS: usize> Parameter for [u64; WORDS] {
    fn put(self, words: &mut Vec<u64>) {
        words.extend(self);
    }
}

/// The formats of names, as values.
#[allow(non_upper_case_globals, reason = "as names have them")]
pub mod types {
    use bitexact::catalog::Type;

    pub const f16: Type = Type::F16;
    pub const bf16: Type = Type::Bf16;
    pub const f32: Type = Type::F32;
    pub const e5m2: Type = Type::E5m2;
    pub const e4m3fn: Type = Type::E4m3fn;
    pub const e5m2fnuz: Type = Type::E5m2fnuz;
    pub const e4m3fnuz: Type = Type::E4m3fnuz;
    pub const e3m2: Type = Type::E3m2;
    pub const e2m3: Type = Type::E2m3;
    pub const e2m1: Type = Type::E2m1;
    pub const mxint8: Type = Type::Mxint8;
}

/// The entry of a family for a format and constants.
pub(crate) fn find<K: PartialEq>(
    entries: &'static [(Option<Type>, K, Entry)],
    ty: Option<Type>,
    key: &K,
) -> Option<&'static Entry> {
    let found = entries
        .iter()
        .find(|entry| entry.0 == ty && entry.1 == *key);
    found.map(|entry| &entry.2)
}

/// Makes the launches of a list of families: for each a struct with the parameters, and its
/// entries.
macro_rules! launches {
    ($(
        $(#[$doc:meta])*
        $module:ident::$body:ident $generic:tt as $launch:ident $key:tt $parameters:tt {$(
            $prefix:literal [$($t:tt)*] $ending:literal $value:tt $shape:expr;
        )*}
    )*) => {
        $(
            $crate::entry::launches! { @launch [$(#[$doc])*] $launch $key $parameters }

            #[allow(unused_parens, reason = "of one constant")]
            impl $launch {
                /// The entries, by format and constants.
                pub const ENTRIES: &'static [(Option<bitexact::catalog::Type>, $key, $crate::Entry)] = &[$($(
                    ($crate::entry::launches!(@type $t), $value, $crate::Entry {
                        name: $crate::entry::launches!(@name $prefix $t $ending),
                        signature: stringify!($parameters),
                        bytes: Self::BYTES,
                        shape: $shape,
                    }),
                )*)*];
            }
        )*

        /// All entries.
        pub fn entries() -> impl Iterator<Item = &'static $crate::Entry> {
            std::iter::empty()$(.chain($launch::ENTRIES.iter().map(|entry| &entry.2)))*
        }
    };
    (@launch [$(#[$doc:meta])*] $launch:ident $key:tt (
        $($p:ident: $($scalar:ident)? $(*$access:ident $to:ty)?),* $(,)?
    )) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $launch {$(
            pub $p: $crate::entry::launches!(@field $($scalar)? $($access)?),
        )*}

        #[allow(unused_parens, reason = "of one constant")]
        impl $launch {
            const BYTES: &'static [usize] = &[$(
                size_of::<$crate::entry::launches!(@field $($scalar)? $($access)?)>()
            ),*];

            /// The launch of the entry for a format and constants, if there is one.
            #[must_use]
            pub fn launch(
                self,
                ty: impl Into<Option<bitexact::catalog::Type>>,
                key: $key,
                work: $crate::Work,
            ) -> Option<$crate::Launch> {
                let entry = $crate::entry::find(Self::ENTRIES, ty.into(), &key)?;
                let mut words = Vec::new();
                $($crate::entry::Parameter::put(self.$p, &mut words);)*
                Some($crate::Launch::of(entry, words, work))
            }

            /// The launch of an entry that takes these parameters; `None` for any other.
            #[must_use]
            pub fn launch_as(
                self,
                entry: &'static $crate::Entry,
                work: $crate::Work,
            ) -> Option<$crate::Launch> {
                let mut words = Vec::new();
                $($crate::entry::Parameter::put(self.$p, &mut words);)*
                let fits = entry.bytes == Self::BYTES;
                fits.then(|| $crate::Launch::of(entry, words, work))
            }
        }
    };
    (@field const) => { u64 };
    (@field mut) => { u64 };
    (@field $scalar:ident) => { $scalar };
    (@type _) => { None };
    (@type any) => { None };
    (@type $t:ident) => { Some($crate::entry::types::$t) };
    (@name $prefix:literal _ $ending:literal) => { concat!($prefix, $ending) };
    (@name $prefix:literal $t:ident $ending:literal) => { concat!($prefix, stringify!($t), $ending) };
}
pub(crate) use launches;
