//! The list for a terminal.

use isotrope_methods::trees::{Listing, TreeId, Trees};
use isotrope_study::report::{Align, Table, underlined};

use super::gallery;

/// Writes counts and trees; `draw` adds a drawing of each tree, in rows of this width.
pub fn to_text(listing: &Listing, width: usize, draw: bool) -> String {
    let mut out = String::new();
    let order = listing.counts.len();
    let natural = if listing.natural { ", natural" } else { "" };
    let title =
        format!("Trees of the family {}{natural} up to order {order}", listing.family.name());
    out.push_str(&underlined(&title, '═'));
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

fn counts(out: &mut String, listing: &Listing) {
    let mut table = Table::new([Align::Right]).indented(2);
    let colours = listing.family.colours().iter().map(|colour| colour.name());
    table.heading(["order"].into_iter().chain(colours).chain(["total", "up to here"]));
    for (count, sum) in listing.counts.iter().zip(&listing.cumulative) {
        let mut row = vec![count.order.to_string()];
        row.extend(count.by_root.iter().map(ToString::to_string));
        row.extend([count.total.to_string(), sum.to_string()]);
        table.line(row);
    }
    out.push_str(&table.to_string());
}

fn section(out: &mut String, trees: &Trees, order: usize, width: usize, draw: bool) {
    let list: Vec<TreeId> = trees.of_order(order).collect();
    if list.is_empty() {
        return;
    }
    out.push('\n');
    out.push_str(&underlined(&format!("Order {order}"), '─'));
    if draw {
        out.push_str(&gallery::rows(trees, &list, width));
    }
    let head = ["tree", "γ", "σ", "α", "condition", "differential"];
    let (left, right) = (Align::Left, Align::Right);
    let mut table = Table::new([left, right, right, right, left]).indented(2);
    table.heading(head);
    for tree in list {
        table.line([
            trees.name(tree),
            trees.gamma(tree).to_string(),
            trees.sigma(tree).to_string(),
            trees.alpha(tree).to_string(),
            trees.condition(tree),
            trees.differential(tree),
        ]);
    }
    out.push_str(&table.to_string());
}
