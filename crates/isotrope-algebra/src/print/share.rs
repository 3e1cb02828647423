//! Which subexpressions are printed once, under a name of their own.

use super::order::Order;
use crate::{ExprId, Node, Pool};

/// When repeated subexpressions get names (`w1`, `w2`, ...) of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sharing {
    /// Everything is written out.
    #[default]
    Never,
    /// When the expressions written out have more nodes than this together.
    Above(u64),
}

/// A repeated subexpression is worth a name from this many nodes on.
const WORTH_A_NAME: u64 = 8;

/// The expressions to define, in the order of their definitions.
pub(super) fn definitions(
    pool: &Pool,
    order: &Order,
    roots: &[ExprId],
    sharing: Sharing,
) -> Vec<ExprId> {
    let Sharing::Above(limit) = sharing else { return Vec::new() };
    let mut sizes = vec![0u64; order.ids.len()];
    let mut uses = vec![0u32; order.ids.len()];
    for (slot, &id) in order.ids.iter().enumerate() {
        let mut size = 1u64;
        pool.for_each_child(id, |child| size = size.saturating_add(sizes[order.slot(child)]));
        sizes[slot] = size;
    }
    let total = roots.iter().fold(0u64, |sum, &root| sum.saturating_add(sizes[order.slot(root)]));
    if total <= limit {
        return Vec::new();
    }
    for &root in roots {
        uses[order.slot(root)] += 1;
    }
    for &id in order.ids.iter().rev() {
        let scaled = is_scaled(pool, id);
        // What a scaled expression is used for, its body is used for: 2 w1 needs no second name.
        let times = if scaled { uses[order.slot(id)].min(2) } else { 1 };
        pool.for_each_child(id, |child| {
            let count = &mut uses[order.slot(child)];
            *count = count.saturating_add(times);
        });
    }
    let mut chosen: Vec<ExprId> = (order.ids.iter().enumerate())
        .filter(|&(slot, _)| uses[slot] >= 2 && sizes[slot] >= WORTH_A_NAME)
        .map(|(_, &id)| id)
        .filter(|&id| match pool.node(id) {
            Node::Sum(_) => !is_scaled(pool, id),
            Node::Product(_) | Node::Call(..) | Node::Atan2(..) | Node::Solution { .. } => true,
            _ => false,
        })
        .collect();
    // Lower first, so that a definition uses only earlier ones; then the printed order.
    chosen.sort_unstable_by_key(|&id| (order.height(id), order.rank(id)));
    chosen
}

fn is_scaled(pool: &Pool, id: ExprId) -> bool {
    matches!(pool.node(id), Node::Sum(pairs) if pairs.len() == 1)
}

/// A prefix such that no symbol below the roots is the prefix followed by a number.
pub(super) fn free_prefix(pool: &Pool, order: &Order) -> String {
    let mut prefix = String::from("w");
    let taken = |prefix: &str| {
        order.ids.iter().filter_map(|&id| pool.name_of(id)).any(|name| {
            name.strip_prefix(prefix)
                .is_some_and(|rest| rest.chars().next().is_some_and(|c| c.is_ascii_digit()))
        })
    };
    while taken(&prefix) {
        prefix.push('w');
    }
    prefix
}
