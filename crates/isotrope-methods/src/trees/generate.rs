//! The generator: all trees of a family, order by order.

use std::ops::Range;

use isotrope_algebra::{Budget, OrInternal, OutOfBudget, Rational};

use super::count::Counter;
use super::family::{Dependency, Family};
use super::quantities::{density, symmetry};

const DOING: &str = "listing trees";

/// A tree of one [`Trees`]; meaningless in any other. Children have smaller ids than their
/// parent, and ids ascend with the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(u32);

impl TreeId {
    /// Place in the list of all trees, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All trees of a family up to some order.
///
/// Trees are listed by order, then by the colour of the root, then lexicographically by their
/// children, which ascend. So the trees of one order and colour are neighbours.
#[derive(Debug, Clone)]
pub struct Trees {
    pub(super) family: Family,
    order: usize,
    /// First tree of each order and colour, and one more.
    blocks: Vec<u32>,
    colours: Vec<u16>,
    orders: Vec<u32>,
    /// Children of all trees, one after the other; tree k has those from `first_child[k]`.
    children: Vec<TreeId>,
    first_child: Vec<usize>,
    gammas: Vec<Rational>,
    sigmas: Vec<Rational>,
}

impl Trees {
    /// Lists the trees with at most `order` vertices.
    ///
    /// They are counted first, so a list that the budget does not allow is refused at once:
    /// every tree costs at least one operation.
    pub fn up_to(family: &Family, order: usize, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let total = affordable(family, order, budget)?;
        let mut trees = Self {
            family: family.clone(),
            order: 0,
            blocks: vec![0],
            colours: Vec::with_capacity(total),
            orders: Vec::with_capacity(total),
            children: Vec::new(),
            first_child: vec![0],
            gammas: Vec::with_capacity(total),
            sigmas: Vec::with_capacity(total),
        };
        for next in 1..=order {
            for colour in 0..family.colours.len() {
                trees.add(next, colour, budget)?;
                trees.blocks.push(trees.colours.len() as u32);
            }
            trees.order = next;
        }
        Ok(trees)
    }

    /// Appends the trees of one order and colour: multisets of smaller trees, written as
    /// ascending sequences of ids, in lexicographic order.
    fn add(&mut self, order: usize, colour: usize, budget: &mut Budget) -> Result<(), OutOfBudget> {
        let dependencies = self.family.dependencies[colour].clone();
        let mut growing = Growing {
            dependencies: &dependencies,
            used: vec![0; dependencies.len()],
            chosen: Vec::new(),
            remaining: order - 1,
        };
        let mut from = 0;
        loop {
            budget.spend(1, DOING)?;
            if growing.remaining == 0 {
                self.push(order, colour, &growing.chosen);
            } else if let Some((id, number)) = self.candidate(&growing, from) {
                growing.used[number] += 1;
                growing.chosen.push(id);
                growing.remaining -= self.order(id);
                from = id.0;
                continue;
            }
            // Back to the last choice, and on to the one after it.
            let Some(id) = growing.chosen.pop() else { break };
            growing.remaining += self.order(id);
            if let Some(number) = growing.number(self.colour(id)) {
                growing.used[number] -= 1;
            }
            from = id.0 + 1;
        }
        Ok(())
    }

    /// The first tree from `from` on that may be the next child, and the number of its colour
    /// among the dependencies.
    fn candidate(&self, growing: &Growing<'_>, from: u32) -> Option<(TreeId, usize)> {
        let remaining = growing.remaining;
        let colours = self.family.colours.len();
        let end = self.blocks[remaining * colours];
        let last = growing.left() == Some(1);
        let mut id = from;
        while id < end {
            let tree = TreeId(id);
            let order = self.order(tree);
            // Orders ascend, so what is left is taken at once or at least in halves.
            if order < remaining && (last || 2 * order > remaining) {
                id = self.blocks[(remaining - 1) * colours];
                continue;
            }
            let colour = self.colour(tree);
            match growing.number(colour) {
                Some(number) if growing.has_room(number) => return Some((tree, number)),
                _ => id = self.blocks[(order - 1) * colours + colour + 1],
            }
        }
        None
    }

    fn push(&mut self, order: usize, colour: usize, children: &[TreeId]) {
        let gamma = density(order, children.iter().map(|&child| self.gamma(child)));
        let sigma = symmetry(children, |child| self.sigma(child));
        self.gammas.push(gamma);
        self.sigmas.push(sigma);
        self.colours.push(colour as u16);
        self.orders.push(order as u32);
        self.children.extend_from_slice(children);
        self.first_child.push(self.children.len());
    }

    /// The family.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The largest order that is listed.
    pub fn max_order(&self) -> usize {
        self.order
    }

    /// Number of trees.
    pub fn len(&self) -> usize {
        self.colours.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.colours.is_empty()
    }

    /// All trees.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TreeId> + ExactSizeIterator + use<> {
        (0..self.colours.len() as u32).map(TreeId)
    }

    /// The trees with `order` vertices.
    pub fn of_order(
        &self,
        order: usize,
    ) -> impl DoubleEndedIterator<Item = TreeId> + ExactSizeIterator + use<> {
        self.block(order, 0, self.family.colours.len()).map(TreeId)
    }

    /// The trees with `order` vertices and a root of this colour.
    pub fn of_order_and_colour(
        &self,
        order: usize,
        colour: usize,
    ) -> impl DoubleEndedIterator<Item = TreeId> + ExactSizeIterator + use<> {
        self.block(order, colour, colour.saturating_add(1)).map(TreeId)
    }

    fn block(&self, order: usize, from: usize, to: usize) -> Range<u32> {
        let colours = self.family.colours.len();
        if order == 0 || order > self.order || to > colours {
            return 0..0;
        }
        let start = (order - 1) * colours;
        self.blocks[start + from]..self.blocks[start + to]
    }

    /// The colour of the root, an index into [`Family::colours`].
    pub fn colour(&self, tree: TreeId) -> usize {
        self.colours[tree.index()].into()
    }

    /// Number of vertices.
    pub fn order(&self, tree: TreeId) -> usize {
        self.orders[tree.index()] as usize
    }

    /// The subtrees on the root, ascending, with repetition.
    pub fn children(&self, tree: TreeId) -> &[TreeId] {
        &self.children[self.first_child[tree.index()]..self.first_child[tree.index() + 1]]
    }

    /// The density γ(t) = |t| ∏ γ(child), an integer.
    pub fn gamma(&self, tree: TreeId) -> &Rational {
        &self.gammas[tree.index()]
    }

    /// The number of symmetries σ(t) = ∏ m! σ(child)ᵐ over distinct children with their
    /// multiplicities m, an integer.
    pub fn sigma(&self, tree: TreeId) -> &Rational {
        &self.sigmas[tree.index()]
    }

    /// 1/γ(t), the weight that the exact solution has.
    pub fn inverse_gamma(&self, tree: TreeId) -> Rational {
        inverse(self.gamma(tree))
    }

    /// 1/σ(t).
    pub fn inverse_sigma(&self, tree: TreeId) -> Rational {
        inverse(self.sigma(tree))
    }

    /// The tree with this root and these children, which ascend.
    pub(super) fn planted(&self, colour: usize, children: &[TreeId]) -> Option<TreeId> {
        let order = 1 + children.iter().map(|&child| self.order(child)).sum::<usize>();
        let Range { mut start, mut end } = self.block(order, colour, colour + 1);
        // Trees of one order and colour are in lexicographic order of their children.
        while start < end {
            let middle = start + (end - start) / 2;
            match self.children(TreeId(middle)).cmp(children) {
                std::cmp::Ordering::Less => start = middle + 1,
                std::cmp::Ordering::Equal => return Some(TreeId(middle)),
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }
}

/// A root whose children are being chosen.
struct Growing<'d> {
    dependencies: &'d [Dependency],
    /// Children of each dependency so far.
    used: Vec<usize>,
    chosen: Vec<TreeId>,
    /// Vertices that are still to come.
    remaining: usize,
}

impl Growing<'_> {
    fn number(&self, colour: usize) -> Option<usize> {
        self.dependencies.binary_search_by_key(&colour, |child| child.colour).ok()
    }

    fn has_room(&self, number: usize) -> bool {
        self.dependencies[number].at_most.is_none_or(|most| self.used[number] < most)
    }

    /// How many more children there may be; `None` if any number.
    fn left(&self) -> Option<usize> {
        let rooms = self.dependencies.iter().zip(&self.used);
        rooms
            .map(|(child, used)| child.at_most.map(|most| most - used))
            .try_fold(0_usize, |sum, room| room.map(|room| sum.saturating_add(room)))
    }
}

/// Number of trees, if the budget allows to list them.
fn affordable(family: &Family, order: usize, budget: &mut Budget) -> Result<usize, OutOfBudget> {
    let mut counter = Counter::new(family);
    let mut total: u64 = 0;
    for _ in 0..order {
        let count = counter.next_order(budget)?.total.as_integer();
        let count = count.and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX);
        total = total.saturating_add(count);
        if total > budget.left() {
            budget.spend(total, DOING)?;
        }
        if total >= u64::from(u32::MAX) {
            // Ids are 32 bits wide, whatever the budget.
            return Err(OutOfBudget::spent(u32::MAX.into(), DOING));
        }
    }
    Ok(total as usize)
}

/// The inverse of a product of positive integers.
fn inverse(product: &Rational) -> Rational {
    product.recip().or_noticed("a product of positive integers is not zero")
}
