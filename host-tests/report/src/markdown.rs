//! The tables of a Markdown file.

/// A table, and what stands above it.
#[derive(Debug, Default)]
pub struct Table {
    pub heading: String,
    /// The last paragraph before it.
    pub caption: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// All tables of a file's text, in their order.
///
/// # Errors
///
/// The file and the line that has other columns than its table's head.
pub fn tables(file: &str, text: &str) -> Result<Vec<Table>, String> {
    let (mut tables, mut heading, mut caption) = (Vec::new(), String::new(), String::new());
    let mut open: Option<Table> = None;
    let mut above = "";
    for (number, line) in text.lines().enumerate() {
        if let Some(cells) = cells(line) {
            match &mut open {
                Some(table) if table.head.len() != cells.len() => {
                    let (there, due) = (cells.len(), table.head.len());
                    let line = number + 1;
                    return Err(format!(
                        "{file}, line {line}: {there} columns instead of {due}"
                    ));
                }
                Some(table) if !is_rule(line) => table.rows.push(cells),
                None => {
                    open = Some(Table {
                        heading: heading.clone(),
                        caption: plain(&caption),
                        head: cells,
                        rows: Vec::new(),
                    });
                }
                Some(_) => {}
            }
        } else {
            tables.extend(open.take());
            if let Some(title) = line.strip_prefix('#') {
                heading = plain(title.trim_start_matches('#').trim());
                caption.clear();
            } else if !line.is_empty() && !line.starts_with("<!--") {
                if above.is_empty() {
                    caption.clear();
                }
                caption = format!("{caption} {line}").trim().to_owned();
            }
        }
        above = line;
    }
    tables.extend(open);
    Ok(tables)
}

fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.strip_prefix('|')?.trim_end().strip_suffix('|')?;
    Some(
        inner
            .replace("\\|", "\u{0}")
            .split('|')
            .map(|cell| plain(&cell.replace('\u{0}', "|")))
            .collect(),
    )
}

fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// Without code marks and emphasis.
fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "").trim().to_owned()
}

/// The number that a cell begins with.
pub fn number(cell: &str) -> Option<f64> {
    let end = cell
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-')))
        .unwrap_or(cell.len());
    cell[..end].replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_headings_and_captions() {
        let text = "# One\n\nFirst.\n\nOf `these`\ntwo lines:\n\n| a | b |\n|---|---|\n| `x` | **4,052** / 3; 0 |\n\n## Two\n| c |\n|---|\n";
        let found = tables("file", text).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].heading, "One");
        assert_eq!(found[0].caption, "Of these two lines:");
        assert_eq!(found[0].head, ["a", "b"]);
        assert_eq!(found[0].rows, [["x", "4,052 / 3; 0"]]);
        assert_eq!(found[1].heading, "Two");
        assert!(found[1].rows.is_empty());
        assert_eq!(number(&found[0].rows[0][1]), Some(4052.0));
        assert_eq!(number("–"), None);
        let damaged = tables("file", "| a | b |\n|---|---|\n| x |\n");
        assert_eq!(damaged.unwrap_err(), "file, line 3: 1 columns instead of 2");
    }
}
