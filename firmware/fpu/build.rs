//! Sets `fpu` for the targets whose FPU converts f16 and fuses multiply-adds: Cortex-M with the ABI
//! of hard floats.

const TARGETS: [&str; 2] = ["thumbv7em-none-eabihf", "thumbv8m.main-none-eabihf"];

fn main() {
    println!("cargo:rustc-check-cfg=cfg(fpu)");
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("TARGET").is_ok_and(|target| TARGETS.contains(&target.as_str())) {
        println!("cargo:rustc-cfg=fpu");
    }
}
