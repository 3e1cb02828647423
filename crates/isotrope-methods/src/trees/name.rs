//! Names of trees, and everything else that is composed from the leaves up.

use super::generate::{TreeId, Trees};

/// A subtree with its name and whatever is being composed.
pub(super) struct Part<T> {
    pub colour: usize,
    pub name: String,
    pub value: T,
}

/// Children that are equal are neighbours; each with its multiplicity.
pub(super) fn runs<'p, T>(children: &[&'p Part<T>]) -> Vec<(&'p Part<T>, usize)> {
    let mut runs: Vec<(&Part<T>, usize)> = Vec::new();
    for &child in children {
        match runs.last_mut() {
            Some((last, count)) if last.name == child.name => *count += 1,
            _ => runs.push((child, 1)),
        }
    }
    runs
}

impl Trees {
    /// Composes a value for a tree from those of its children, which come sorted by name.
    ///
    /// Trees can be tall, so this walks through the subtrees by ascending id instead of
    /// calling itself.
    pub(super) fn compose<T>(
        &self,
        tree: TreeId,
        mut value: impl FnMut(usize, &[&Part<T>]) -> T,
    ) -> Part<T> {
        let mut subtrees = vec![tree];
        let mut seen = 0;
        while let Some(&next) = subtrees.get(seen) {
            seen += 1;
            let mut previous = None;
            for &child in self.children(next) {
                if previous != Some(child) {
                    subtrees.push(child);
                }
                previous = Some(child);
            }
        }
        subtrees.sort_unstable();
        subtrees.dedup();
        let mut parts: Vec<Part<T>> = Vec::with_capacity(subtrees.len());
        let last = subtrees.pop().unwrap_or(tree);
        for &subtree in &subtrees {
            let part = self.compose_one(subtree, &subtrees, &parts, &mut value);
            parts.push(part);
        }
        self.compose_one(last, &subtrees, &parts, &mut value)
    }

    fn compose_one<T>(
        &self,
        tree: TreeId,
        subtrees: &[TreeId],
        parts: &[Part<T>],
        value: &mut impl FnMut(usize, &[&Part<T>]) -> T,
    ) -> Part<T> {
        let mut children: Vec<&Part<T>> = self
            .children(tree)
            .iter()
            .filter_map(|child| parts.get(subtrees.binary_search(child).ok()?))
            .collect();
        children.sort_by(|a, b| a.name.cmp(&b.name));
        let colour = self.colour(tree);
        let mut name = self.family.colours[colour].name.clone();
        if !children.is_empty() {
            let names: Vec<&str> = children.iter().map(|child| child.name.as_str()).collect();
            let between = if self.family.has_short_names() { "" } else { "," };
            name.push_str(&format!("[{}]", names.join(between)));
        }
        let value = value(colour, &children);
        Part { colour, name, value }
    }

    /// The name: the colour of the root, then the names of the children in brackets, sorted as
    /// text: `v[q[v]v]`. Commas stand between them if a colour has more than one letter.
    pub fn name(&self, tree: TreeId) -> String {
        self.compose(tree, |_, _| ()).name
    }

    /// The tree of this name, if it is listed. Children may stand in any order, with commas or
    /// blanks between them.
    pub fn find(&self, name: &str) -> Option<TreeId> {
        // Each open bracket with the colour before it and the children so far.
        let mut open: Vec<(usize, Vec<TreeId>)> = Vec::new();
        let mut siblings: Vec<TreeId> = Vec::new();
        let mut rest = name.trim();
        while let Some(first) = rest.chars().next() {
            if first == ']' {
                let (colour, outer) = open.pop()?;
                let mut children = std::mem::replace(&mut siblings, outer);
                children.sort_unstable();
                siblings.push(self.planted(colour, &children)?);
                rest = &rest[1..];
            } else if first == ',' || first.is_whitespace() {
                rest = &rest[first.len_utf8()..];
            } else {
                let (colour, after) = self.colour_at(rest)?;
                rest = after;
                if let Some(inside) = rest.strip_prefix('[') {
                    open.push((colour, std::mem::take(&mut siblings)));
                    rest = inside;
                } else {
                    siblings.push(self.planted(colour, &[])?);
                }
            }
        }
        match siblings.as_slice() {
            [tree] if open.is_empty() => Some(*tree),
            _ => None,
        }
    }

    /// The colour at the beginning of a text, and what follows it.
    fn colour_at<'t>(&self, text: &'t str) -> Option<(usize, &'t str)> {
        let length = if self.family.has_short_names() {
            text.chars().next().map_or(0, char::len_utf8)
        } else {
            text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
        };
        let (name, rest) = text.split_at(length);
        let colour = self.family.colours.iter().position(|colour| colour.name == name)?;
        Some((colour, rest))
    }
}
