//! Checkpoints and golden files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweep_engine::checkpoint::Checkpoint;
use sweep_engine::golden::Golden;

fuzz_target!(|text: &str| {
    if let Some(read) = Checkpoint::parse(text) {
        assert_eq!(Checkpoint::parse(&read.text()).as_ref(), Some(&read));
    }
    if let Err(why) = Golden::parse(text) {
        assert!(why.starts_with("line "), "{why}");
    }
});
