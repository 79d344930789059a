//! Prints every entry that the host side may launch, with its parameters' sizes in bytes;
//! `ci/ptx.sh` compares the PTX with it. With an architecture (`sm_90`) it prints the entries whose launches are bounded
//! there, the threads of a block, and how many blocks a multiprocessor holds at least (0: not said).

use cuda_shim::{Row, bodies, check_entries, has_hardware, has_vector, launch_bounds, rows};

/// Operands, results, flags, n.
fn slices(row: &Row) -> Vec<usize> {
    vec![8; row.operands.len() + row.results.len() + 2]
}

fn print(name: &str, ending: &str, sizes: &[usize], more: &[usize]) {
    let sizes: Vec<_> = sizes.iter().chain(more).map(usize::to_string).collect();
    println!("{name}{ending} {}", sizes.join(" "));
}

fn main() {
    if let Some(architecture) = std::env::args().nth(1) {
        for body in bodies() {
            if let Some((threads, blocks)) = launch_bounds(body.name, &architecture) {
                println!("{} {threads} {blocks}", body.name);
            }
        }
        return;
    }
    for row in rows() {
        let (name, plain) = (row.entry, slices(row));
        let sizes = |form: &bitexact::catalog::Form| -> Vec<usize> {
            form.words.iter().map(|word| word.ty.bytes()).collect()
        };
        for form in row.forms {
            print(name, form.ending, &plain, &sizes(form));
        }
        if let Some(form) = row.stochastic {
            // The random bits are an additional slice.
            let more = [vec![8], sizes(&form).split_off(1)].concat();
            print(name, form.ending, &plain, &more);
        }
        if has_vector(row) {
            print(name, "_vector", &[8, 8, 8], &sizes(&row.forms[0]));
        }
        if let Some(more) = has_hardware(row) {
            print(name, "_hw", &[8, 8, 8], more);
        }
    }
    print("e8m0_encode_f32_table", "", &[8, 8], &[]);
    print("e8m0_encode_f32_steps", "", &[8, 8, 8, 8, 8], &[]);
    for bits in [8, 16, 32, 64] {
        print(&format!("lookup_{bits}"), "", &[8, 8, 8, 8], &[]);
    }
    for bits in [8, 16] {
        print(&format!("lookup_{bits}_shared"), "", &[8, 8, 8, 8, 8], &[]);
    }
    for bits in [8, 16, 32] {
        print(&format!("lookup_words_{bits}"), "", &[8, 8, 8, 8, 4], &[]);
        print(
            &format!("lookup_words_{bits}_shared"),
            "",
            &[8, 8, 8, 8, 4, 8],
            &[],
        );
    }
    for bits in [8, 32] {
        print(&format!("lookup_prefix_{bits}"), "", &[8, 8, 8, 8], &[]);
        print(
            &format!("lookup_prefix_{bits}_shared"),
            "",
            &[8, 8, 8, 8, 8],
            &[],
        );
    }
    for sum in ["f16_f16", "f16_f32", "bf16_bf16", "bf16_f32", "f32_f32"] {
        print(&format!("sum_{sum}"), "", &[8, 8, 8, 8, 8, 4, 4], &[]);
    }
    for check in check_entries() {
        print(check, "", &[8, 8, 4, 4, 8], &[]);
    }
    for body in bodies() {
        print(body.name, "", body.sizes, &[]);
    }
    print("copy_16", "", &[8, 8, 8], &[]);
    print("operands", "", &[8, 8, 8, 4, 8, 4, 8, 4], &[]);
    print("digest", "", &[8, 8, 8, 4, 8, 4, 8, 8], &[]);
}
