//! Columns of text.

/// All columns are left-aligned; the last one is not padded.
pub fn left<const N: usize>(lines: &[[String; N]]) -> String {
    render(lines, |_| false)
}

/// The columns that `right` selects are right-aligned.
pub fn render<const N: usize>(lines: &[[String; N]], right: impl Fn(usize) -> bool) -> String {
    let mut widths = [0; N];
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            row.push_str(gap);
            if right(column) {
                row.push_str(&format!("{cell:>width$}"));
            } else {
                row.push_str(&format!("{cell:<width$}"));
            }
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}
