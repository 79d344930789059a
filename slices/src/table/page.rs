//! The size of a page, which tables and what fills them share.

/// Entries of a page.
pub const PAGE: usize = 1 << 8;
