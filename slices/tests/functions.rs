//! `FUNCTIONS.md` lists every function of the crate's root, which macros make of the catalog:
//! `BLESS=1 cargo test -p bitexact-slices --test functions` writes it.

#![allow(clippy::panic)]

use std::path::Path;

/// Arguments as a signature has them, of the tokens of a macro.
fn arguments(tokens: &str) -> String {
    let tokens: String = tokens.split_whitespace().collect();
    let argument = |argument: &str| {
        let (name, ty) = argument.split_once(':')?;
        let (and, ty) = ty.strip_prefix('&').map_or(("", ty), |ty| ("&", ty));
        let last = ty.rsplit("::").next()?;
        Some(format!(", {name}: {and}{last}"))
    };
    tokens.split(',').filter_map(argument).collect()
}

fn list() -> String {
    let mut text = String::from(
        "# The functions of the crate's root\n\n\
         `status` has the same functions, which return a `Status`; `par` and `par::status` (feature \
         `rayon`) have them on several threads. A function with a star is in `stochastic` and \
         `par::stochastic` too, with `random: &[u16], overflow: Overflow` for the mode. `vec` has them without \
         `out` and `second`, which they return as vectors, and `vec::stochastic` (feature `rand`) takes a generator for \
         `random`. Written by \
         `BLESS=1 cargo test -p bitexact-slices --test functions`.\n\n```text\n",
    );
    macro_rules! function {
        (
            kernel: $kernel:ident, generics: $generics:tt, operands: ($($x:ident: $f:ty),*),
            results: $results:tt, forms: $forms:tt, stochastic: [$($stochastic:tt)?],
            generic: {
                generics: $b:tt, arguments: $of:ty, take: {$($take:tt)*}, $($generic:tt)*
            },
            call: $call:path, call_stochastic: $call_stochastic:tt, flags: $flags:tt, doc: $doc:literal
        ) => {
            let operands = [$(stringify!($x)),*].into_iter().zip(["x: &[X], ", "y: &[Y], ", "z: &[Z], "]);
            let operands: String = operands.map(|(_, slice)| slice).collect();
            let results = match stringify!($results).starts_with('(') {
                true => "out: &mut [R], second: &mut [S]",
                false => "out: &mut [R]",
            };
            let star = match stringify!($($stochastic)?) {
                "" => "",
                _ => " *",
            };
            let more = arguments(stringify!($($take)*));
            let name = stringify!($kernel);
            text += &format!("fn {name}({operands}{results}{more}){star} // {}\n", $doc);
        };
    }
    bitexact::for_each_function!(function);
    text + "```\n"
}

#[test]
fn functions_are_those_of_the_catalog() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("FUNCTIONS.md");
    let list = list();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &list).expect("a file that can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == list,
        "{} is not the catalog's: BLESS=1 writes it",
        path.display()
    );
    assert!(list.contains("\nfn exp(x: &[X], out: &mut [R], mode: Mode) // e^x\n"));
}
