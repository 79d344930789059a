//! The memory that both sides see.

use std::cell::RefCell;

/// Longer than any request; an answer has its own length.
const CAPACITY: usize = 1 << 16;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; CAPACITY]);
}

/// The address of the buffer, for a request of at most 65,536 bytes. An answer may move it.
#[unsafe(no_mangle)]
extern "C" fn buffer() -> *mut u8 {
    BUFFER.with_borrow_mut(Vec::as_mut_ptr)
}

/// Answers the request in the first bytes of the buffer, there, and returns the length of the
/// answer.
#[unsafe(no_mangle)]
extern "C" fn request(length: usize) -> usize {
    BUFFER.with_borrow_mut(|buffer| {
        let request = buffer.get(..length).map(std::str::from_utf8);
        let answer = match request {
            Some(Ok(request)) => super::answer(request),
            _ => Err("the request is no UTF-8 or too long".into()),
        };
        let answer = answer.unwrap_or_else(|why| format!("error {why}"));
        if buffer.len() < answer.len() {
            buffer.resize(answer.len(), 0);
        }
        buffer[..answer.len()].copy_from_slice(answer.as_bytes());
        answer.len()
    })
}
