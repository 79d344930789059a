//! The list of entries, and the source's ways to launch.

#[path = "../examples/entries.rs"]
mod entries;

/// `cargo run -p cuda-shim --example entries >cuda-shim/entries.txt` makes the list new.
#[test]
fn the_list_is_current() {
    let found = include_str!("../entries.txt");
    for (line, due) in found.lines().zip(entries::list().lines()) {
        assert_eq!(line, due, "entries.txt");
    }
    assert!(found == entries::list(), "entries.txt has another end");
}

/// Every declaration has its body, and every body its declaration, with parameters of the same
/// widths.
#[test]
fn declarations_are_those_of_the_bodies() {
    let bodies = cuda_shim::bodies();
    for entry in gpu_plans::composites() {
        let body = bodies.iter().find(|body| body.name == entry.name);
        let body = body.expect(entry.name);
        assert_eq!(body.sizes, entry.bytes, "{}", entry.name);
    }
    let enclosed: Vec<_> = cuda_shim::enclosed_entries().collect();
    for body in bodies {
        let mut entries = gpu_plans::entries().chain(enclosed.iter().copied());
        let entry = entries.find(|entry| body.name == entry.name);
        assert_eq!(body.sizes, entry.expect(body.name).bytes, "{}", body.name);
    }
}
