//! `sweep --backend cuda` where something is missing: a clear error and exit status 2, with or
//! without a GPU.

use std::process::{Command, Output};

fn sweep(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sweep"))
        .args(args)
        .output()
        .expect("sweep starts")
}

/// Exit status 2, nothing on standard output, and one line that names one of these.
fn refuses(args: &[&str], named: &[&str]) {
    let output = sweep(args);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(err.trim_end().lines().count(), 1, "{args:?}: {err}");
    assert!(
        named.iter().any(|name| err.contains(name)),
        "{args:?} should name one of {named:?}: {err}"
    );
}

const CUDA: &str = "--backend=cuda";

#[test]
fn without_a_gpu_or_its_module_it_says_what_is_missing() {
    // It looks for the driver first, then the device, then the module.
    let missing = ["libcuda", "no CUDA device", "cannot read /nonexistent.ptx"];
    let ptx = "--ptx=/nonexistent.ptx";
    refuses(&["run", CUDA, ptx, "--op", "sqrt.f16"], &missing);
    refuses(
        &["run", CUDA, ptx, "--op", "add.f16", "--exhaustive"],
        &missing,
    );
    refuses(
        &[
            "run",
            CUDA,
            ptx,
            "--op",
            "fma.f16",
            "--exhaustive",
            "--shard",
            "61/256",
        ],
        &missing,
    );
    let dump = ["dump", "sqrt.f16", "--rounding=to-odd", CUDA, ptx];
    refuses(&dump, &missing);
    refuses(
        &["run", CUDA, ptx, "--device", "4096", "--op", "sqrt.f16"],
        &["libcuda", "no CUDA device", "there is no CUDA device 4096"],
    );
    refuses(
        &["run", ptx, "--op", "sqrt.f16"],
        &["`--ptx` is for `--backend cuda`"],
    );
}

#[test]
fn what_only_a_gpu_can_run_is_refused_elsewhere() {
    // 2^48 triples.
    let all = ["run", "--op", "fma.f16", "--exhaustive"];
    refuses(&all, &["with `--backend cuda`"]);
    let device = ["run", "--op", "add.f16", "--exhaustive", "--oracle=device"];
    refuses(&device, &["is for `--backend cuda`"]);
    let device = ["run", "--op", "add.f16", "--oracle=device", CUDA];
    refuses(&device, &["needs `--exhaustive`"]);
    let covers = ["`--oracle device` covers"];
    let device = [
        "run",
        "--op",
        "sqrt.f16",
        "--oracle=device",
        "--exhaustive",
        CUDA,
    ];
    refuses(&device, &covers);
    let stochastic = [
        "run",
        "--op",
        "add.f16",
        "--oracle=device",
        "--exhaustive",
        CUDA,
        "--rounding=stochastic",
    ];
    refuses(&stochastic, &covers);
    // Recorded digests are those of whole rows.
    let part = [
        "run",
        "--op",
        "sqrt.f16",
        "--exhaustive",
        CUDA,
        "--shard=1/2",
    ];
    refuses(&part, &["needs `--out`"]);
}

#[test]
fn devices_are_named_once_each() {
    let with = |device: &str| {
        let device = format!("--device={device}");
        let output = sweep(&["run", CUDA, &device, "--op", "sqrt.f16"]);
        assert_eq!(output.status.code(), Some(2), "{device}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (device, why) in [
        ("0,0", "0 is given twice"),
        ("x", "neither a number nor `all`"),
        ("0,", "neither a number nor `all`"),
        ("", "neither a number nor `all`"),
        ("-1", "neither a number nor `all`"),
        ("0..3", "neither a number nor `all`"),
    ] {
        let err = with(device);
        assert!(err.contains(why), "{device}: {err}");
    }
    for device in ["all", "0,1"] {
        let ptx = ["run", CUDA, "--ptx=/nonexistent.ptx", "--device", device];
        refuses(
            &ptx,
            &[
                "libcuda",
                "no CUDA device",
                "there is no CUDA device",
                "/nonexistent.ptx",
            ],
        );
    }
}
