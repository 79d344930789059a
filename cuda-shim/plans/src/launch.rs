/// A launch of an entry with blocks of one dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    pub entry: String,
    /// The parameters; one that is narrower takes the low bits.
    pub words: Vec<u64>,
    pub blocks: usize,
    /// Threads of a block, and bytes of memory that they share.
    pub threads: usize,
    pub memory: usize,
}
