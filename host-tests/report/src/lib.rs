//! `sweep report`: the committed evidence as a static site.
//!
//! The pages are templates of `docs/site/templates`, filled with what this crate reads: the records
//! of other libraries (`docs/site/peers`), the tables of the evidence, the golden digests and the
//! catalog. Nothing is measured or compared here, except that special operands are run.

mod formats;
mod functions;
mod markdown;
mod peers;
mod special;
mod speed;
mod verified;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use minijinja::{Environment, UndefinedBehavior, context, path_loader};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use sweep_row::Row;

/// Where the repository's files are read on the web.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main");

/// What was written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    pub pages: usize,
    pub bytes: u64,
    /// The explorer has its kernels.
    pub explorer: bool,
}

/// The pages besides those of functions: the template, its title, its place in the navigation.
const PAGES: [(&str, &str); 5] = [
    ("index", "Who is right"),
    ("speed", "Speed"),
    ("models", "Models"),
    ("formats", "Formats"),
    ("explorer", "Explorer"),
];

/// The file that marks a folder as a site of this program, which may be written again.
const MARK: &str = ".sweep-report";

/// Makes the folder of a site, or finds one that was written before.
fn own(out: &Path) -> Result<(), String> {
    let fail = |error| format!("cannot write {}: {error}", out.display());
    if out.exists() && !out.is_dir() {
        return Err(format!("{} is a file, not a folder", out.display()));
    }
    fs::create_dir_all(out).map_err(fail)?;
    let mark = out.join(MARK);
    let empty = fs::read_dir(out).map_err(fail)?.next().is_none();
    if !empty && !fs::symlink_metadata(&mark).is_ok_and(|mark| mark.is_file()) {
        return Err(format!(
            "{} is neither empty nor a site that `sweep report` wrote: name another folder",
            out.display()
        ));
    }
    Ok(())
}

/// Refuses a file of the site that is reached through a symbolic link in its folder, or is none.
fn inside(out: &Path, name: &str) -> Result<PathBuf, String> {
    let mut path = out.to_path_buf();
    for part in Path::new(name) {
        path.push(part);
        let there = fs::symlink_metadata(&path);
        if there.is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            let why = "is a link, a device or a pipe, and no part of a site: remove it";
            return Err(format!("{} {why}", path.display()));
        }
    }
    Ok(path)
}

/// Writes the site of a repository's evidence into a folder, which is made if there is none.
///
/// # Errors
///
/// The file that cannot be read, understood or written; a folder that has something else in it.
pub fn write(root: &Path, out: &Path, rows: &[Row]) -> Result<Written, String> {
    own(out)?;
    let site = root.join("docs/site");
    let mut environment = Environment::new();
    environment.set_loader(path_loader(site.join("templates")));
    environment.set_debug(false);
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.add_filter("grouped", grouped);
    let peers = peers::read(root)?;
    let verified = verified::read(root, rows)?;
    let functions = functions::all(root, rows, &peers, &verified)?;
    let mut written = Written {
        pages: 0,
        bytes: 0,
        explorer: false,
    };
    let mut put = |name: &str, bytes: &[u8]| {
        let path = inside(out, name)?;
        let fail = |error| format!("cannot write {}: {error}", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        written.pages += usize::from(name.ends_with(".html"));
        written.bytes += bytes.len() as u64;
        fs::write(&path, bytes).map_err(fail)
    };
    put(MARK, b"written by sweep report\n")?;
    let render = |template: &str, page: Value| {
        let template = environment.get_template(template);
        let text = template.and_then(|template| {
            template.render(context! { page, pages => PAGES, repository => REPOSITORY })
        });
        text.map_err(|error| format!("{error}"))
    };
    let mx: Value = serde_json::from_str(&text(&site.join("mx.json"))?)
        .map_err(|error| format!("docs/site/mx.json: {error}"))?;
    let wasm = fs::read(site.join("explorer.wasm.gz")).ok();
    let module = wasm.is_some();
    let mut contents = [
        json!({"mx": mx, "peers": peers.heads(), "rows": peers.table(rows)}),
        speed::page(root)?,
        speed::models(root)?,
        json!({"formats": formats::all()}),
        json!({"module": module}),
    ];
    for ((name, title), content) in PAGES.iter().zip(&mut contents) {
        content["name"] = json!(name);
        content["title"] = json!(title);
        content["root"] = json!("");
        let name = format!("{name}.html");
        put(&name, render(&name, content.clone())?.as_bytes())?;
    }
    for function in functions {
        let name = format!(
            "functions/{}.html",
            function["name"].as_str().unwrap_or_default()
        );
        put(&name, render("function.html", function)?.as_bytes())?;
    }
    for folder in ["assets", "vendor"] {
        for name in names(&site.join(folder))? {
            put(
                &format!("assets/{name}"),
                &read(&site.join(folder).join(&name))?,
            )?;
        }
    }
    // A page that is opened from a disk may load scripts, and nothing else.
    if let Some(wasm) = wasm {
        let text = BASE64_STANDARD.encode(wasm);
        let script = format!("const EXPLORER_WASM = \"{text}\";\n");
        put("assets/explorer-wasm.js", script.as_bytes())?;
    }
    written.explorer = module;
    Ok(written)
}

/// 65536 as 65,536.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    // A pipe would never end.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(format!("{} is not a file", path.display()));
    }
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn text(path: &Path) -> Result<String, String> {
    let text = String::from_utf8(read(path)?);
    text.map_err(|_| format!("{} is not text (UTF-8)", path.display()))
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder);
    let entries = entries.map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<_> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

/// JSON that can stand in a script of a page.
fn script(value: &Value) -> String {
    value.to_string().replace("</", "<\\/")
}
