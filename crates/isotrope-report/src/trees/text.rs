//! The list for a terminal.

use isotrope_methods::trees::{TreeId, Trees};

use super::gallery;
use isotrope_methods::trees::Listing;

/// Writes counts and trees; `draw` adds a drawing of each tree, in rows of this width.
pub fn to_text(listing: &Listing, width: usize, draw: bool) -> String {
    let mut out = String::new();
    let order = listing.counts.len();
    let natural = if listing.natural { ", natural" } else { "" };
    let title =
        format!("Trees of the family {}{natural} up to order {order}", listing.family.name());
    heading(&mut out, &title, '═');
    for equation in listing.family.equations() {
        out.push_str(&format!("  {equation}\n"));
    }
    out.push_str(&format!("  rules  {}\n\n", listing.family.rules()));
    counts(&mut out, listing);
    if let Some(trees) = &listing.trees {
        for count in &listing.counts {
            section(&mut out, trees, count.order, width, draw);
        }
    }
    out
}

fn heading(out: &mut String, title: &str, line: char) {
    let underline: String = title.chars().map(|_| line).collect();
    out.push_str(&format!("{title}\n{underline}\n"));
}

fn counts(out: &mut String, listing: &Listing) {
    let mut rows = vec![vec!["order".to_owned()]];
    rows[0].extend(listing.family.colours().iter().map(|colour| colour.name().to_owned()));
    rows[0].extend(["total".to_owned(), "up to here".to_owned()]);
    for (count, sum) in listing.counts.iter().zip(&listing.cumulative) {
        let mut row = vec![count.order.to_string()];
        row.extend(count.by_root.iter().map(ToString::to_string));
        row.extend([count.total.to_string(), sum.to_string()]);
        rows.push(row);
    }
    table(out, &rows, |_| true);
}

fn section(out: &mut String, trees: &Trees, order: usize, width: usize, draw: bool) {
    let list: Vec<TreeId> = trees.of_order(order).collect();
    if list.is_empty() {
        return;
    }
    out.push('\n');
    heading(out, &format!("Order {order}"), '─');
    if draw {
        out.push_str(&gallery::rows(trees, &list, width));
    }
    let head = ["tree", "γ", "σ", "α", "condition", "differential"];
    let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
    for tree in list {
        rows.push(vec![
            trees.name(tree),
            trees.gamma(tree).to_string(),
            trees.sigma(tree).to_string(),
            trees.alpha(tree).to_string(),
            trees.condition(tree),
            trees.differential(tree),
        ]);
    }
    table(out, &rows, |column| (1..=3).contains(&column));
}

/// Columns as wide as they need; numbers stand on the right.
fn table(out: &mut String, rows: &[Vec<String>], right: impl Fn(usize) -> bool) {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            line.push_str("  ");
            let cell =
                if right(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
            line.push_str(&cell);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}
