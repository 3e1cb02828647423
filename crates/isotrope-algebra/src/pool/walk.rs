//! Walking the part of the pool below some expressions, in topological order.

use rustc_hash::FxHashSet;

use super::{ExprId, Kind, Node, Pool};

/// Marks reused from walk to walk, so that a walk costs what it visits, not the pool's size.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    stamp: u32,
    stamps: Vec<u32>,
    slots: Vec<u32>,
    stack: Vec<ExprId>,
}

impl Pool {
    /// Everything below `roots` (with them), ascending: children before parents.
    ///
    /// Afterwards [`Pool::slot`] gives the position of each id in that list, until the next walk.
    pub(crate) fn walk(&mut self, roots: &[ExprId]) -> Vec<ExprId> {
        let mut walk = std::mem::take(&mut self.walk);
        walk.stamp = walk.stamp.wrapping_add(1);
        if walk.stamp == 0 {
            walk.stamps.fill(0);
            walk.stamp = 1;
        }
        walk.stamps.resize(self.len().max(walk.stamps.len()), 0);
        walk.slots.resize(self.len().max(walk.slots.len()), 0);
        let mut found = Vec::new();
        let mark = |id: ExprId, walk: &mut Walk, found: &mut Vec<ExprId>| {
            if walk.stamps[id.index()] != walk.stamp {
                walk.stamps[id.index()] = walk.stamp;
                walk.stack.push(id);
                found.push(id);
            }
        };
        for &root in roots {
            mark(root, &mut walk, &mut found);
        }
        while let Some(id) = walk.stack.pop() {
            self.for_each_child(id, |child| mark(child, &mut walk, &mut found));
        }
        found.sort_unstable();
        for (slot, id) in found.iter().enumerate() {
            walk.slots[id.index()] = slot as u32;
        }
        self.walk = walk;
        found
    }

    /// Position of `id` in the last [`Pool::walk`], which must have met it.
    pub(crate) fn slot(&self, id: ExprId) -> usize {
        self.walk.slots[id.index()] as usize
    }

    /// Everything below `roots` (with them), ascending: children before parents.
    pub fn reachable(&self, roots: &[ExprId]) -> Vec<ExprId> {
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut stack: Vec<ExprId> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                found.push(id);
                self.for_each_child(id, |child| {
                    if self.kind(child) != Kind::Number {
                        stack.push(child);
                    } else if seen.insert(child) {
                        found.push(child);
                    }
                });
            }
        }
        found.sort_unstable();
        found
    }

    /// The symbols that occur in `roots`, ascending.
    pub fn symbols_in(&self, roots: &[ExprId]) -> Vec<ExprId> {
        let mut found = self.reachable(roots);
        found.retain(|&id| matches!(self.node(id), Node::Symbol(_)));
        found
    }

    /// Does any of `symbols` occur in `id`?
    pub fn depends_on(&self, id: ExprId, symbols: &[ExprId]) -> bool {
        let below = self.reachable(&[id]);
        symbols.iter().any(|symbol| below.binary_search(symbol).is_ok())
    }
}
