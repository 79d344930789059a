//! Every entry that the host side may launch, with its parameters' sizes in bytes: what `ci/ptx.sh`
//! holds the PTX against.

use cuda_shim::{Kind, Row, bodies, check_entries, has_hardware, has_vector, rows};

/// Operands, results, flags, n.
fn slices(row: &Row) -> Vec<usize> {
    vec![8; row.operands.len() + row.results.len() + 2]
}

fn print(name: &str, ending: &str, sizes: &[usize], more: &[usize]) {
    let sizes: Vec<_> = sizes.iter().chain(more).map(usize::to_string).collect();
    println!("{name}{ending} {}", sizes.join(" "));
}

fn main() {
    for row in rows() {
        let name = row.entry;
        let (parameters, kind) = match row.kind {
            Kind::With(count, kind) => (vec![4; count], *kind),
            kind => (vec![], kind),
        };
        let plain = [slices(row), parameters].concat();
        let bounded = |more: usize| {
            let formats = [("f32", 4), ("f64", 8), ("f16", 2), ("bf16", 2)];
            for (format, size) in formats {
                print(
                    name,
                    &format!("_bound_{format}"),
                    &plain,
                    &[size, size, more],
                );
            }
        };
        match kind {
            Kind::None => print(name, "", &plain, &[]),
            Kind::Mode | Kind::Nan => print(name, "", &plain, &[4]),
            Kind::Stochastic => {
                print(name, "", &plain, &[4]);
                print(name, "_stochastic", &plain, &[8, 4]);
            }
            Kind::Policy => print(name, "", &plain, &[8]),
            Kind::Bounds | Kind::BoundsNan => bounded(4),
            Kind::NanMode => print(name, "", &plain, &[4, 4]),
            Kind::With(..) => unreachable!("parameters after parameters"),
        }
        if has_vector(row) {
            let more = if row.kind == Kind::Policy { 8 } else { 4 };
            print(name, "_vector", &[8, 8, 8], &[more]);
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
    for sum in ["f16_f16", "f16_f32", "bf16_bf16", "bf16_f32", "f32_f32"] {
        print(&format!("sum_{sum}"), "", &[8, 8, 8, 8, 8, 4, 4], &[]);
    }
    for bits in [8, 16, 32, 64] {
        print(&format!("slice_scatter_{bits}"), "", &[8; 5], &[]);
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
