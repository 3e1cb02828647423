//! Trees taken apart at an edge, and trees with another vertex as root.

use super::generate::{TreeId, Trees};

/// What an edge holds together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// What stays on the root.
    pub rest: TreeId,
    /// What falls off.
    pub branch: TreeId,
}

/// A tree seen from one of its vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rerooted {
    /// The tree with that vertex as its root; every vertex keeps its colour.
    pub tree: TreeId,
    /// Edges between the old root and the new one.
    pub distance: usize,
}

impl Trees {
    /// The tree cut at each of its edges, one after the other.
    ///
    /// ```
    /// use isotrope_algebra::Budget;
    /// use isotrope_methods::trees::{Family, Trees};
    /// let trees = Trees::up_to(&Family::runge_kutta(), 3, &mut Budget::new(1000)).unwrap();
    /// let cuts = trees.cuts(trees.find("y[y[y]]").unwrap());
    /// let names = cuts.iter().map(|cut| (trees.name(cut.rest), trees.name(cut.branch)));
    /// let names: Vec<_> = names.collect();
    /// assert_eq!(names, [("y".into(), "y[y]".into()), ("y[y]".into(), "y".into())]);
    /// ```
    pub fn cuts(&self, tree: TreeId) -> Vec<Cut> {
        let mut cuts = Vec::with_capacity(self.order(tree).saturating_sub(1));
        // A vertex to go through: its children, and the way down to the root, on which each
        // vertex is given by its colour and its other children.
        let mut open = vec![(self.children(tree).to_vec(), vec![(self.colour(tree), Vec::new())])];
        while let Some((children, way)) = open.pop() {
            for (place, &child) in children.iter().enumerate() {
                let mut others = children.clone();
                others.remove(place);
                let mut way = way.clone();
                if let Some((_, siblings)) = way.last_mut() {
                    siblings.clone_from(&others);
                }
                if let Some(rest) = self.closed(&way) {
                    cuts.push(Cut { rest, branch: child });
                }
                way.push((self.colour(child), Vec::new()));
                open.push((self.children(child).to_vec(), way));
            }
        }
        cuts
    }

    /// The tree whose vertices on one way up from the root have these colours and, beside the
    /// next vertex of the way, these children.
    fn closed(&self, way: &[(usize, Vec<TreeId>)]) -> Option<TreeId> {
        let mut above: Option<TreeId> = None;
        for (colour, siblings) in way.iter().rev() {
            let mut children = siblings.clone();
            children.extend(above);
            children.sort_unstable();
            above = Some(self.planted(*colour, &children)?);
        }
        above
    }

    /// The tree seen from each of its vertices, the root first; without those vertices that the
    /// family does not allow as a root.
    pub fn rerooted(&self, tree: TreeId) -> Vec<Rerooted> {
        let mut found = Vec::with_capacity(self.order(tree));
        // A vertex: its colour, all its neighbours as trees, and how many of them are above it.
        let mut open = vec![(self.colour(tree), self.children(tree).to_vec(), None, 0)];
        while let Some((colour, above, below, distance)) = open.pop() {
            let around = |without: Option<usize>| {
                let kept = above.iter().enumerate().filter(|(place, _)| Some(*place) != without);
                let mut list: Vec<TreeId> = kept.map(|(_, child)| *child).chain(below).collect();
                list.sort_unstable();
                self.planted(colour, &list)
            };
            found.extend(around(None).map(|tree| Rerooted { tree, distance }));
            for (place, &child) in above.iter().enumerate() {
                if let Some(rest) = around(Some(place)) {
                    let children = self.children(child).to_vec();
                    open.push((self.colour(child), children, Some(rest), distance + 1));
                }
            }
        }
        found
    }
}
