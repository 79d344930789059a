//! Lines of `sweep p3109`: no line ends the program in another way than it says, and what `eval`
//! completes `verify` accepts.
#![no_main]

use host_tests::cli::entry;
use libfuzzer_sys::fuzz_target;
use std::ffi::OsString;

fn sweep(command: &str, later: bool, input: &[u8]) -> (u8, Vec<u8>, Vec<u8>) {
    let mut arguments = vec!["sweep", "p3109", command];
    if later {
        arguments.extend(["--revision", "2026-07"]);
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = arguments.into_iter().map(OsString::from);
    let status = entry(&[], arguments, &mut &*input, &mut out, &mut err);
    (status, out, err)
}

fuzz_target!(|data: (bool, &str)| {
    let (later, text) = data;
    let (status, lines, why) = sweep("eval", later, text.as_bytes());
    assert_eq!(status == 2, !why.is_empty());
    if !lines.is_empty() {
        let (status, said, why) = sweep("verify", later, &lines);
        let (said, why) = (
            String::from_utf8_lossy(&said),
            String::from_utf8_lossy(&why),
        );
        assert_eq!(status, 0, "{said}{why}");
    }
    assert!(sweep("verify", later, text.as_bytes()).0 <= 2);
});
