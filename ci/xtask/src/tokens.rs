//! A Rust source without comments and white space.

/// The tokens of a source. Adjacent punctuation is one token, so `& &` is not `&&`.
pub fn tokens(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += block_comment(rest);
            continue;
        } else if first == '"' {
            string(rest)
        } else if first == '\'' {
            quote(rest)
        } else if first.is_ascii_digit() {
            number(rest)
        } else if is_word(first) {
            let word = word(rest);
            raw_string(rest, word).unwrap_or(word)
        } else if "()[]{},;".contains(first) {
            1
        } else {
            punctuation(rest)
        };
        found.push(&rest[..length]);
        at += length;
    }
    found
}

/// Without modules that only a crate's own tests are built with, and the names of those that are in files of their own: `#[cfg(test)] mod
/// a { .. }` and `#[cfg(test)] mod a;`. What is declared otherwise stays, and so does a file that is declared twice.
pub fn without_tests(tokens: Vec<&str>) -> (Vec<&str>, Vec<&str>) {
    const TESTS: [&str; 8] = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let (mut kept, mut files) = (Vec::new(), Vec::new());
    let mut rest = tokens.as_slice();
    while let [first, after @ ..] = rest {
        // After another attribute the module's file may be any.
        let alone = kept.last() != Some(&"]");
        rest = match rest.strip_prefix(&TESTS).filter(|_| alone) {
            Some([name, ";", after @ ..]) => {
                files.push(*name);
                after
            }
            Some([_, "{", after @ ..]) => after_block(after),
            _ => {
                kept.push(*first);
                after
            }
        };
    }
    let elsewhere = |name: &str| kept.windows(3).any(|three| three == ["mod", name, ";"]);
    files.retain(|name| !elsewhere(name));
    (kept, files)
}

/// What follows a block of which the first brace is read.
fn after_block<'a, 'b>(tokens: &'b [&'a str]) -> &'b [&'a str] {
    let mut depth = 1;
    let last = tokens.iter().position(|&token| {
        match token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    last.map_or(&[], |last| &tokens[last + 1..])
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn word(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// A number, with its fraction: `1.5e3` but not the range in `1..5` or the method in `1.max(2)`.
fn number(text: &str) -> usize {
    let whole = word(text);
    match text[whole..].strip_prefix('.') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => whole + 1 + word(rest),
        _ => whole,
    }
}

/// Characters that belong to no other kind of token, up to the start of a comment.
fn punctuation(text: &str) -> usize {
    let ends = |&(at, c): &(usize, char)| {
        is_word(c)
            || c.is_whitespace()
            || "()[]{},;\"'".contains(c)
            || (at > 0 && (text[at..].starts_with("//") || text[at..].starts_with("/*")))
    };
    let end = text.char_indices().find(ends);
    end.map_or(text.len(), |(at, _)| at)
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// From a `"` to the one that ends it.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// From a `'`: a character, or the name of a lifetime or label.
fn quote(text: &str) -> usize {
    let mut inside = text.char_indices().skip(1);
    match (inside.next(), inside.next()) {
        (Some((_, '\\')), Some((escaped, c))) => {
            let rest = escaped + c.len_utf8();
            text[rest..]
                .find('\'')
                .map_or(text.len(), |end| rest + end + 1)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1 + word(&text[1..]),
    }
}

/// `r"..."`, `br#"..."#`, `cr"..."`, where `word` is the length of the prefix; `r#name` is not one.
fn raw_string(text: &str, word: usize) -> Option<usize> {
    if !matches!(&text[..word], "r" | "br" | "cr") {
        return None;
    }
    let hashes = text[word..].bytes().take_while(|&c| c == b'#').count();
    let inside = text[word + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let begin = word + hashes + 1;
    Some(
        inside
            .find(&end)
            .map_or(text.len(), |at| begin + at + end.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::{tokens, without_tests};

    #[track_caller]
    fn same(a: &str, b: &str) {
        assert_eq!(tokens(a), tokens(b));
    }

    #[test]
    fn comments_and_white_space_are_no_tokens() {
        same("fn f() {}", "/// Doc.\nfn  f ( )\n{ } // end");
        same("a /* x /* y */ z */ b", "a b");
        same("a+/* x */b", "a+b");
        same("a = b / c;", "a = b / // d\nc;");
        assert_eq!(tokens("/* never closed"), Vec::<&str>::new());
    }

    #[test]
    fn what_looks_like_a_comment_in_a_literal_is_kept() {
        assert_eq!(
            tokens(r#""a // b" "c\" /* d""#),
            [r#""a // b""#, r#""c\" /* d""#]
        );
        assert_eq!(tokens(r##"r#"" // "#x"##), [r##"r#"" // "#"##, "x"]);
        assert_eq!(tokens(r#"br"\" x"#), [r#"br"\""#, "x"]);
        assert_eq!(tokens("'\"' // x"), ["'\"'"]);
        assert_eq!(tokens("'/' '/'"), ["'/'", "'/'"]);
        assert_eq!(
            tokens(r"'\'' '\\' '\u{1F600}' b'\'' 'é'"),
            [r"'\''", r"'\\'", r"'\u{1F600}'", "b", r"'\''", "'é'"]
        );
    }

    #[test]
    fn lifetimes_are_no_characters() {
        assert_eq!(tokens("&'a str, 'b'"), ["&", "'a", "str", ",", "'b'"]);
        assert_eq!(tokens("'outer: loop"), ["'outer", ":", "loop"]);
        assert_eq!(tokens("<'a,'b>"), ["<", "'a", ",", "'b", ">"]);
        assert_eq!(
            tokens("f::<'_>('_')"),
            ["f", "::<", "'_", ">", "(", "'_'", ")"]
        );
    }

    #[test]
    fn modules_of_tests_are_left_out() {
        let source = "mod a; #[cfg(test)] mod b; #[cfg(test)] mod c { fn f() { \"}\"; } } #[cfg(test)] use d; fn g() {}";
        let (kept, files) = without_tests(tokens(source));
        assert_eq!(kept, tokens("mod a; #[cfg(test)] use d; fn g() {}"));
        assert_eq!(files, ["b"]);
        let both = "#[cfg(test)] mod a; #[cfg(not(test))] mod a;";
        assert!(without_tests(tokens(both)).1.is_empty());
        let other = "#[cfg(not(test))] mod a { } #[cfg(test)] pub mod b; #[path = \"c\"] #[cfg(test)] mod d;";
        assert_eq!(
            without_tests(tokens(other)),
            (tokens(other), Vec::<&str>::new())
        );
    }

    #[test]
    fn words_numbers_and_punctuation() {
        assert_eq!(tokens("r#type r"), ["r", "#", "type", "r"]);
        assert_eq!(
            tokens("1.5e3_f32 0..5 1.max(2)"),
            ["1.5e3_f32", "0", "..", "5", "1", ".", "max", "(", "2", ")"]
        );
        assert_ne!(tokens("a & &b"), tokens("a && b"));
        assert_ne!(tokens("ab"), tokens("a b"));
        assert_ne!(tokens("0x1F"), tokens("0x1E"));
    }
}
