//! Sums by a balanced tree, which the orders `Pairwise` and `Lanes` share.

use crate::Status;
use crate::format::Format;

/// One more than the greatest depth of a pairwise tree.
const DEPTH: usize = usize::BITS as usize + 1;

/// The tree by a binary counter: `parts[k]` is the sum of a complete block of 2^k elements, where
/// bit k of the count is set. The last, incomplete blocks are added from the right.
pub(super) fn pairwise<T, A: Format>(
    values: impl Iterator<Item = T>,
    convert: impl Fn(T) -> (A, Status),
    add: impl Fn(A, A) -> (A, Status),
) -> (A, Status) {
    let mut parts: [Option<A>; DEPTH] = [None; DEPTH];
    let mut union = Status::NONE;
    for value in values {
        let (mut block, status) = convert(value);
        union |= status;
        for part in &mut parts {
            match part.take() {
                None => {
                    *part = Some(block);
                    break;
                }
                Some(left) => {
                    let (joined, status) = add(left, block);
                    union |= status;
                    block = joined;
                }
            }
        }
    }
    let mut total: Option<A> = None;
    for left in parts.into_iter().flatten() {
        total = Some(match total {
            None => left,
            Some(right) => {
                let (joined, status) = add(left, right);
                union |= status;
                joined
            }
        });
    }
    (total.unwrap_or(A::from_bits(0)), union)
}
