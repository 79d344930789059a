//! `cargo xtask release`: checks, the version, the CHANGELOG, a commit and a tag. It pushes and
//! publishes nothing.

use crate::{Result, whole};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a release must pass, at its own version. None of them may be skipped.
const CHECKS: &[(&str, &str)] = &[
    ("every crate is formatted", "bash ci/fmt.sh"),
    (
        "the public items are those of ci/api, and the version is high enough for their changes",
        "bash ci/api.sh",
    ),
    (
        "licences, bans, sources and advisories of dependencies",
        "bash ci/deny.sh",
    ),
    ("no link in the Markdown is dead", "bash ci/book.sh"),
    ("the crates can be published", "WHOLE=1 bash ci/publish.sh"),
];

const URL: &str = "https://github.com/bitexact/bitexact";

/// Makes the release in `root`, or with `rehearse` in a clone of it below `target`, where a check
/// that fails is noted and the others still run.
pub fn release(root: &Path, version: &str, rehearse: bool) -> Result<bool> {
    let new = parsed(version)?;
    let clone = root.join("target/release-rehearsal");
    let root = if rehearse {
        if clone.exists() {
            fs::remove_dir_all(&clone).map_err(|why| format!("{}: {why}", clone.display()))?;
        }
        say("a rehearsal, in a clone of what is committed");
        bash(root, "git clone --quiet . target/release-rehearsal")?;
        clone.as_path()
    } else {
        root
    };
    if !bash(root, "git status --porcelain")?.trim().is_empty() {
        return Err("there are changes that are not committed".into());
    }
    let old = current(&read(root, "Cargo.toml")?)?;
    let changelog = read(root, "CHANGELOG.md")?;
    let unreleased = unreleased(&changelog)?;
    // The first release is of the version that is there.
    if parsed(&old)? != new || !bash(root, "git tag --list 'v*'")?.trim().is_empty() {
        higher(
            &old,
            new,
            unreleased.trim_start().starts_with("A breaking release"),
        )?;
    }
    let tag = format!("v{version}");
    if !bash(root, &format!("git tag --list {tag}"))?
        .trim()
        .is_empty()
    {
        return Err(format!("the tag {tag} exists"));
    }

    say(&format!("the version, from {old} to {version}"));
    let date = bash(root, "date --utc +%F")?;
    for file in bash(
        root,
        "git ls-files '*Cargo.toml' '*Cargo.lock' '*__init__.py' '*pyproject.toml' CITATION.cff",
    )?
    .lines()
    {
        let text = read(root, file)?;
        let changed = if file.ends_with("Cargo.lock") {
            locked(&text, &old, version)
        } else {
            declared(&text, &old, version)
        };
        if changed != text {
            println!("{file}");
            write(root, file, &changed)?;
        }
    }
    let tagged = !bash(root, &format!("git tag --list v{old}"))?
        .trim()
        .is_empty();
    let text = released(
        &changelog,
        version,
        date.trim(),
        tagged.then_some(old.as_str()),
    )?;
    write(root, "CHANGELOG.md", &text)?;
    println!("CHANGELOG.md");

    let mut failed = Vec::new();
    say("no whole run is due");
    if !whole::due(root)? {
        failed.push("a whole run is due: cargo xtask whole");
    }
    for (what, command) in CHECKS {
        say(what);
        if !shown(root, command)? {
            failed.push(what);
        }
    }
    for what in &failed {
        println!("\nNOT PASSED: {what}");
    }
    if !failed.is_empty() && !rehearse {
        return Err("nothing is committed; `git checkout .` takes the changes back".into());
    }

    say("a commit and a tag");
    bash(
        root,
        &format!("git commit --quiet --all --message 'Release {version}'"),
    )?;
    bash(
        root,
        &format!("git tag --annotate {tag} --message 'bitexact {version}'"),
    )?;
    print!(
        "{}",
        bash(root, "git log --oneline --decorate --max-count 1")?
    );
    if rehearse {
        say("with the tag, the next version must be high enough for what has changed since");
        shown(root, "bash ci/api.sh")?;
        say("a public item is taken away: the same version may not");
        bash(
            root,
            "sed -i 's/    pub const ALL: \\[Self; 6\\]/    pub(crate) const ALL: [Self; 6]/' kernels/src/round/mode.rs",
        )?;
        let refused = !shown(root, "BLESS=1 bash ci/api.sh")?;
        println!(
            "{}",
            if refused {
                "refused, as it must be"
            } else {
                "NOT REFUSED"
            }
        );
        if !refused {
            failed.push("a removed item was not noticed");
        }
        println!("\nThe clone stays in target/release-rehearsal.");
    } else {
        println!(
            "\nThen, by hand:\n  git push --follow-tags\n  cargo publish -p bitexact -p bitexact-enclosures -p bitexact-slices"
        );
    }
    Ok(failed.is_empty())
}

fn say(what: &str) {
    println!("\n== {what}");
}

fn read(root: &Path, file: &str) -> Result<String> {
    fs::read_to_string(root.join(file)).map_err(|why| format!("{file}: {why}"))
}

fn write(root: &Path, file: &str, text: &str) -> Result<()> {
    fs::write(root.join(file), text).map_err(|why| format!("{file}: {why}"))
}

/// The output of a line of bash that must pass.
fn bash(root: &Path, command: &str) -> Result<String> {
    let output = Command::new("bash")
        .args(["-c", command])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|why| format!("bash: {why}"))?;
    if !output.status.success() {
        return Err(format!("`{command}` failed"));
    }
    String::from_utf8(output.stdout).map_err(|why| format!("{command}: {why}"))
}

/// Whether a line of bash passes; its output goes to the console. A skipped check has not passed.
fn shown(root: &Path, command: &str) -> Result<bool> {
    let status = Command::new("bash")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(root)
        .stdin(Stdio::null())
        .status()
        .map_err(|why| format!("bash: {why}"))?;
    Ok(status.success())
}

type Version = [u64; 3];

fn parsed(version: &str) -> Result<Version> {
    let parts: Vec<u64> = version
        .split('.')
        .map(|part| {
            part.parse()
                .map_err(|_| format!("`{version}` is no version such as 1.2.3"))
        })
        .collect::<Result<_>>()?;
    parts
        .try_into()
        .map_err(|_| format!("`{version}` does not have three numbers"))
}

/// The version of the workspace.
fn current(manifest: &str) -> Result<String> {
    manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(Into::into)
        .ok_or_else(|| "Cargo.toml has no version".into())
}

/// An error unless the version is above the old one, by a breaking step if it must be.
fn higher(old: &str, new: Version, breaking: bool) -> Result<()> {
    let before = parsed(old)?;
    if new <= before {
        return Err(format!("the version is {old} already"));
    }
    // Up to the first number that is not 0.
    let part = before.iter().position(|part| *part != 0).unwrap_or(2);
    if breaking && new[..=part] == before[..=part] {
        return Err(format!(
            "CHANGELOG.md says that this is a breaking release: {old} must change in its number {}",
            part + 1
        ));
    }
    Ok(())
}

/// What the CHANGELOG has under its first heading, which must be `[Unreleased]`, not empty and
/// without a heading twice.
fn unreleased(changelog: &str) -> Result<&str> {
    let (_, after) = changelog
        .split_once("## [Unreleased]\n")
        .ok_or("CHANGELOG.md has no `## [Unreleased]`")?;
    let part = after.split("\n## ").next().unwrap_or(after);
    if !part.lines().any(|line| line.starts_with("- ")) {
        return Err("CHANGELOG.md has no change under `[Unreleased]`".into());
    }
    let mut headings: Vec<&str> = part
        .lines()
        .filter(|line| line.starts_with("### "))
        .collect();
    headings.sort_unstable();
    if let Some(twice) = headings.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!(
            "CHANGELOG.md has `{}` twice under `[Unreleased]`",
            twice[0]
        ));
    }
    Ok(part)
}

/// The CHANGELOG with the unreleased changes under the version, and the links.
fn released(changelog: &str, version: &str, date: &str, before: Option<&str>) -> Result<String> {
    let heading = format!("## [Unreleased]\n\n## [{version}] - {date}\n");
    let text = changelog.replacen("## [Unreleased]\n", &heading, 1);
    let old = text
        .lines()
        .find(|line| line.starts_with("[Unreleased]: "))
        .ok_or("CHANGELOG.md has no link `[Unreleased]`")?;
    let changes = before.map_or_else(
        || format!("{URL}/releases/tag/v{version}"),
        |before| format!("{URL}/compare/v{before}...v{version}"),
    );
    let links = format!("[Unreleased]: {URL}/compare/v{version}...HEAD\n[{version}]: {changes}");
    Ok(text.replacen(old, &links, 1))
}

/// A manifest, or a Python module, of the new version.
fn declared(text: &str, old: &str, new: &str) -> String {
    let line = |line: &str| {
        let own =
            line == format!("version = \"{old}\"") || line == format!("__version__ = \"{old}\"");
        let ours = line.starts_with("bitexact") && line.contains("path = ");
        if own || ours {
            line.replace(&format!("\"{old}\""), &format!("\"{new}\""))
        } else if line.starts_with("cuda = ") {
            line.replace(
                &format!("bitexact-kernels-cuda=={old}\""),
                &format!("bitexact-kernels-cuda=={new}\""),
            )
        } else if line == format!("version: {old}") {
            format!("version: {new}")
        } else {
            line.into()
        }
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// A lock file in which the packages of this repository, which have no source, have the new
/// version.
fn locked(text: &str, old: &str, new: &str) -> String {
    let before = format!("version = \"{old}\"");
    let packages = text.split("\n[[package]]").map(|package| {
        if package.contains("\nsource = ") {
            package.into()
        } else {
            package.replacen(&before, &format!("version = \"{new}\""), 1)
        }
    });
    packages.collect::<Vec<String>>().join("\n[[package]]")
}

#[cfg(test)]
mod tests {
    use super::{declared, higher, locked, released, unreleased};

    #[test]
    fn a_version_is_above_the_last() {
        assert!(higher("0.1.0", [0, 1, 0], false).is_err());
        assert!(higher("0.1.0", [0, 0, 9], false).is_err());
        assert!(higher("0.1.0", [0, 1, 1], false).is_ok());
        assert!(higher("0.1.0", [0, 1, 1], true).is_err());
        assert!(higher("0.1.9", [0, 2, 0], true).is_ok());
        assert!(higher("1.1.9", [1, 2, 0], true).is_err());
        assert!(higher("1.1.9", [2, 0, 0], true).is_ok());
        assert!(higher("0.0.3", [0, 0, 4], true).is_ok());
    }

    #[test]
    fn the_changelog_gets_a_heading_and_links() {
        let before = "# C\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - D\n\n- B.\n\n[Unreleased]: X\n[0.1.0]: Y\n";
        assert_eq!(unreleased(before).unwrap().trim(), "### Added\n\n- A.");
        let after = released(before, "0.2.0", "2026-01-02", Some("0.1.0")).unwrap();
        assert!(
            after.starts_with("# C\n\n## [Unreleased]\n\n## [0.2.0] - 2026-01-02\n\n### Added\n")
        );
        assert!(after.ends_with("/compare/v0.2.0...HEAD\n[0.2.0]: https://github.com/bitexact/bitexact/compare/v0.1.0...v0.2.0\n[0.1.0]: Y\n"));
        assert!(unreleased(&after).is_err());
        assert!(unreleased("## [Unreleased]\n### Added\n- A\n### Added\n- B\n").is_err());
    }

    #[test]
    fn only_our_own_versions_change() {
        let manifest = "version = \"0.1.0\"\nbitexact = { path = \"kernels\", version = \"0.1.0\" }\nother = { version = \"0.1.0\" }\n";
        assert_eq!(
            declared(manifest, "0.1.0", "0.2.0"),
            "version = \"0.2.0\"\nbitexact = { path = \"kernels\", version = \"0.2.0\" }\nother = { version = \"0.1.0\" }\n"
        );
        assert_eq!(
            declared("cff-version: 0.1.0\nversion: 0.1.0\n", "0.1.0", "0.2.0"),
            "cff-version: 0.1.0\nversion: 0.2.0\n"
        );
        let extras = "torch = [\"torch==0.1.0\"]\ncuda = [\"bitexact-kernels-cuda==0.1.0\", \"torch==0.1.0\"]\n";
        assert_eq!(
            declared(extras, "0.1.0", "0.2.0"),
            "torch = [\"torch==0.1.0\"]\ncuda = [\"bitexact-kernels-cuda==0.2.0\", \"torch==0.1.0\"]\n"
        );
        let lock = "x\n\n[[package]]\nname = \"a\"\nversion = \"0.1.0\"\nsource = \"r\"\n\n[[package]]\nname = \"b\"\nversion = \"0.1.0\"\n";
        let expected = "x\n\n[[package]]\nname = \"a\"\nversion = \"0.1.0\"\nsource = \"r\"\n\n[[package]]\nname = \"b\"\nversion = \"0.2.0\"\n";
        assert_eq!(locked(lock, "0.1.0", "0.2.0"), expected);
    }
}
