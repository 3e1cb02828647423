//! Drawings side by side.

use isotrope_methods::trees::{TreeId, Trees};
use isotrope_study::report::columns;

/// Blanks between two drawings.
const GAP: usize = 3;

/// Rows of drawings that stand on their names, at most `width` columns wide where one drawing
/// alone is not wider.
pub(super) fn rows(trees: &Trees, list: &[TreeId], width: usize) -> String {
    let mut out = String::new();
    let mut row: Vec<Vec<String>> = Vec::new();
    let mut used = 0;
    for &tree in list {
        let cell = cell(trees, tree);
        let room = GAP + cell.first().map_or(0, |line| columns(line));
        if used + room > width && !row.is_empty() {
            write(&mut out, &row);
            row.clear();
            used = 0;
        }
        used += room;
        row.push(cell);
    }
    write(&mut out, &row);
    out
}

/// A drawing above its name, all lines equally wide.
fn cell(trees: &Trees, tree: TreeId) -> Vec<String> {
    let mut lines = trees.drawing(tree);
    lines.push(trees.name(tree));
    let width = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
    let drawing = lines.first().map_or(0, |line| columns(line));
    let left = (width - drawing) / 2;
    let last = lines.len() - 1;
    for (number, line) in lines.iter_mut().enumerate() {
        let indent = if number < last { left } else { 0 };
        *line = format!("{:indent$}{line}", "");
        let missing = width - columns(line);
        line.extend(std::iter::repeat_n(' ', missing));
    }
    lines
}

fn write(out: &mut String, row: &[Vec<String>]) {
    let height = row.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..height {
        let mut line = String::new();
        for cell in row {
            line.push_str(&" ".repeat(GAP - 1));
            match (at + cell.len()).checked_sub(height).and_then(|at| cell.get(at)) {
                Some(part) => line.push_str(part),
                None => {
                    let width = cell.first().map_or(0, |line| columns(line));
                    line.push_str(&" ".repeat(width));
                }
            }
            line.push(' ');
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push('\n');
}
