//! The order in which terms and factors are written, and the sign each expression shows.
//!
//! The pool orders by creation; readers want an order that depends on the mathematics only.
//! Every expression gets a *rank*, compared before anything else, so sorting
//! never descends into subexpressions. Ranks are given layer by layer: an expression's
//! layer is its height, and its rank is decided by the ranks of its parts, all lower.
//!
//! The pool also fixes signs by creation order (`sin(x - y)` may be stored as
//! `-sin(y - x)`). Here every expression is `sign * body` with a body that does not depend
//! on that choice, and the lowest bit of a rank is the sign.

use std::cmp::{Ordering, Reverse};

use rustc_hash::FxHashMap;

use super::name::{NameKey, motion};
use crate::functions::Parity;
use crate::{Budget, ExprId, Function, Node, OrInternal, OutOfBudget, Pool, Rational};

/// What kinds of factors come first in a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Number,
    Pi,
    Symbol,
    Product,
    Call,
    Atan2,
    Sum,
    Scaled,
    Solution,
    System,
    Undefined,
}

/// What decides the place of a term in a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Weight {
    /// Highest order of motion: accelerations 2, velocities and momenta 1.
    motion: u8,
    /// Degree in everything that moves.
    motion_degree: u32,
    /// The first of the symbols that move most (rank), or `u64::MAX`.
    lead: u64,
    /// The degree in that symbol.
    lead_degree: u32,
    /// Degree in all symbols; denominators do not count.
    degree: u32,
}

impl Weight {
    const CONSTANT: Self =
        Self { motion: 0, motion_degree: 0, lead: u64::MAX, lead_degree: 0, degree: 0 };

    /// Sorts what leads first: most motion, then the order of names.
    fn lead_order(self) -> (Reverse<u8>, u64) {
        (Reverse(self.motion), self.lead)
    }

    fn times(self, other: Self) -> Self {
        let (mut first, second) =
            if self.lead_order() <= other.lead_order() { (self, other) } else { (other, self) };
        if first.lead == second.lead && first.lead != u64::MAX {
            first.lead_degree = first.lead_degree.saturating_add(second.lead_degree);
        }
        first.motion_degree = first.motion_degree.saturating_add(second.motion_degree);
        first.degree = first.degree.saturating_add(second.degree);
        first
    }

    fn plus(self, other: Self) -> Self {
        let (mut first, second) =
            if self.lead_order() <= other.lead_order() { (self, other) } else { (other, self) };
        if first.lead == second.lead {
            first.lead_degree = first.lead_degree.max(second.lead_degree);
        }
        first.motion_degree = first.motion_degree.max(second.motion_degree);
        first.degree = first.degree.max(second.degree);
        first
    }

    fn power(mut self, exponent: u32) -> Self {
        self.motion_degree = self.motion_degree.saturating_mul(exponent);
        self.lead_degree = self.lead_degree.saturating_mul(exponent);
        self.degree = self.degree.saturating_mul(exponent);
        self
    }
}

/// The printed order of everything below some expressions.
pub(super) struct Order {
    /// Everything below the roots, children before parents.
    pub(super) ids: Vec<ExprId>,
    slots: FxHashMap<ExprId, u32>,
    heights: Vec<u32>,
    ranks: Vec<u64>,
    weights: Vec<Weight>,
    /// Pairs of sums and products as they are written.
    pairs: Vec<Box<[(ExprId, ExprId)]>>,
}

const DOING: &str = "ordering the terms of an expression";

impl Order {
    /// Orders everything below `roots`.
    pub(super) fn new(
        pool: &Pool,
        roots: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let ids = pool.reachable(roots);
        budget.spend(ids.len() as u64, DOING)?;
        let slots: FxHashMap<ExprId, u32> =
            ids.iter().enumerate().map(|(slot, &id)| (id, slot as u32)).collect();
        let count = ids.len();
        let mut order = Self {
            ids,
            slots,
            heights: Vec::new(),
            ranks: vec![0; count],
            weights: vec![Weight::CONSTANT; count],
            pairs: vec![Box::default(); count],
        };
        order.heights = order.heights(pool, budget)?;
        order.rank_numbers(pool);
        order.rank_symbols(pool);
        // A scaled expression has the height of what it scales and comes after it.
        let scaled = |id: ExprId| matches!(pool.node(id), Node::Sum(pairs) if pairs.len() == 1);
        let mut layers: Vec<(u32, bool, ExprId)> = (order.ids.iter().zip(&order.heights))
            .filter(|(id, _)| !matches!(pool.node(**id), Node::Number(_) | Node::Symbol(_)))
            .map(|(&id, &height)| (height, scaled(id), id))
            .collect();
        layers.sort_unstable();
        for layer in layers.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            order.rank_layer(pool, layer);
        }
        Ok(order)
    }

    /// Position of an expression in [`Order::ids`].
    pub(super) fn slot(&self, id: ExprId) -> usize {
        self.slots.get(&id).copied().or_noticed("every part of a root is ordered") as usize
    }

    /// Its rank; the lowest bit is the sign.
    pub(super) fn rank(&self, id: ExprId) -> u64 {
        self.ranks.get(self.slot(id)).copied().or_noticed("every part has a rank")
    }

    /// Its height: one more than that of its parts.
    pub(super) fn height(&self, id: ExprId) -> u32 {
        self.heights.get(self.slot(id)).copied().unwrap_or_default()
    }

    /// Does it show a minus sign: is it minus its body?
    pub(super) fn is_negative(&self, id: ExprId) -> bool {
        self.rank(id) & 1 == 1
    }

    /// The pairs of a sum or a product as they are written.
    pub(super) fn pairs(&self, id: ExprId) -> &[(ExprId, ExprId)] {
        self.pairs.get(self.slot(id)).map_or(&[], |pairs| pairs)
    }

    /// Rank without the sign.
    fn body(&self, id: ExprId) -> u64 {
        self.rank(id) & !1
    }

    fn weight(&self, id: ExprId) -> Weight {
        self.weights.get(self.slot(id)).copied().unwrap_or(Weight::CONSTANT)
    }

    fn heights(&self, pool: &Pool, budget: &mut Budget) -> Result<Vec<u32>, OutOfBudget> {
        let mut heights = vec![0u32; self.ids.len()];
        for (slot, &id) in self.ids.iter().enumerate() {
            let (mut below, mut edges) = (0, 0);
            pool.for_each_child(id, |child| {
                below = below.max(heights[self.slot(child)]);
                edges += 1;
            });
            budget.spend(edges, DOING)?;
            heights[slot] = match pool.node(id) {
                Node::Number(_) | Node::Pi | Node::Undefined | Node::Symbol(_) => 0,
                Node::Sum(pairs) if pairs.len() == 1 => below,
                _ => below + 1,
            };
        }
        Ok(heights)
    }

    fn rank_numbers(&mut self, pool: &Pool) {
        let mut numbers: Vec<_> = (self.ids.iter().enumerate())
            .filter_map(|(slot, &id)| pool.as_number(id).map(|value| (value.abs(), slot, value)))
            .collect();
        numbers.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (index, same) in numbers.chunk_by(|a, b| a.0 == b.0).enumerate() {
            for (_, slot, value) in same {
                self.ranks[*slot] = rank(Class::Number, 0, index, value.is_negative());
            }
        }
    }

    fn rank_symbols(&mut self, pool: &Pool) {
        let mut symbols: Vec<_> = (self.ids.iter().enumerate())
            .filter_map(|(slot, &id)| pool.name_of(id).map(|name| (NameKey::new(name), slot, name)))
            .collect();
        symbols.sort_unstable();
        for (index, (_, slot, name)) in symbols.iter().enumerate() {
            let rank = rank(Class::Symbol, 0, index, false);
            let motion = motion(name);
            let moving = u32::from(motion > 0);
            self.ranks[*slot] = rank;
            self.weights[*slot] = Weight {
                motion,
                motion_degree: moving,
                lead: if motion > 0 { rank } else { u64::MAX },
                lead_degree: moving,
                degree: 1,
            };
        }
    }

    fn rank_layer(&mut self, pool: &Pool, layer: &[(u32, bool, ExprId)]) {
        let mut keyed = Vec::with_capacity(layer.len());
        for &(height, _, id) in layer {
            let slot = self.slot(id);
            self.arrange(pool, id, slot);
            let (class, negative, key) = self.key(pool, id);
            match pool.node(id) {
                // -sin(u) and sin(u) are one body with two signs.
                Node::Sum(pairs) if pairs.len() == 1 && pairs.get(0).1 == ExprId::MINUS_ONE => {
                    let (term, _) = pairs.get(0);
                    self.ranks[slot] = self.body(term) | u64::from(negative);
                }
                _ => keyed.push((class, key, negative, slot, height)),
            }
        }
        keyed.sort_unstable();
        let bodies = keyed.chunk_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
        for (index, same) in bodies.enumerate() {
            for (class, _, negative, slot, height) in same {
                self.ranks[*slot] = rank(*class, *height, index, *negative);
            }
        }
    }

    /// Sorts the pairs and weighs the expression.
    fn arrange(&mut self, pool: &Pool, id: ExprId, slot: usize) {
        match pool.node(id) {
            Node::Sum(pairs) => {
                let mut sorted: Vec<_> = pairs.iter().collect();
                sorted.sort_unstable_by(|a, b| self.compare_terms(pool, a.0, b.0));
                self.weights[slot] = (sorted.iter())
                    .filter(|(term, _)| *term != ExprId::ONE)
                    .map(|(term, _)| self.weight(*term))
                    .reduce(Weight::plus)
                    .unwrap_or(Weight::CONSTANT);
                self.pairs[slot] = sorted.into();
            }
            Node::Product(pairs) => {
                let mut sorted: Vec<_> = pairs.iter().collect();
                sorted.sort_unstable_by_key(|(base, _)| self.rank(*base));
                self.weights[slot] = (sorted.iter())
                    .filter_map(|&(base, exponent)| {
                        Some(self.weight(base).power(degree(pool, exponent)?))
                    })
                    .reduce(Weight::times)
                    .unwrap_or(Weight::CONSTANT);
                self.pairs[slot] = sorted.into();
            }
            _ => {
                // Inside functions only the motion counts: cos(theta) is like a parameter.
                let mut motion = 0;
                pool.for_each_child(id, |child| motion = motion.max(self.weight(child).motion));
                self.weights[slot] = Weight { motion, ..Weight::CONSTANT };
            }
        }
    }

    /// Class, sign and what distinguishes the body from others of its class and height.
    fn key(&self, pool: &Pool, id: ExprId) -> (Class, bool, Vec<u64>) {
        match pool.node(id) {
            Node::Number(_) => (Class::Number, false, Vec::new()),
            Node::Pi => (Class::Pi, false, Vec::new()),
            Node::Undefined => (Class::Undefined, false, Vec::new()),
            Node::Symbol(_) => (Class::Symbol, false, Vec::new()),
            Node::Sum(pairs) => {
                let negative = self.sum_is_negative(id);
                let class = if pairs.len() == 1 { Class::Scaled } else { Class::Sum };
                let mut key = Vec::with_capacity(3 * pairs.len());
                for &(term, coefficient) in self.pairs(id) {
                    let sign = self.term_is_negative(term, coefficient) != negative;
                    key.extend([self.body(term), self.body(coefficient), u64::from(sign)]);
                }
                (class, negative, key)
            }
            Node::Product(_) => {
                let mut negative = false;
                let mut key = Vec::with_capacity(2 * self.pairs(id).len());
                for &(base, exponent) in self.pairs(id) {
                    let parity = sign_passes(pool, base, exponent);
                    negative ^= parity == Parity::Odd && self.is_negative(base);
                    let base =
                        if parity == Parity::None { self.rank(base) } else { self.body(base) };
                    key.extend([base, self.rank(exponent)]);
                }
                (Class::Product, negative, key)
            }
            Node::Call(function, argument) => {
                let parity = call_parity(pool, function, argument);
                let negative = parity == Parity::Odd && self.is_negative(argument);
                let rank =
                    if parity == Parity::None { self.rank(argument) } else { self.body(argument) };
                (Class::Call, negative, vec![function as u64, rank])
            }
            Node::Atan2(y, x) => (Class::Atan2, false, vec![self.rank(y), self.rank(x)]),
            Node::System(system) => {
                let mut key = vec![system.size() as u64];
                for (row, column, entry) in system.entries() {
                    key.extend([u64::from(row), u64::from(column), self.rank(entry)]);
                }
                key.extend(system.right().map(|value| self.rank(value)));
                (Class::System, false, key)
            }
            Node::Solution { system, index } => {
                (Class::Solution, false, vec![self.rank(system), u64::from(index)])
            }
        }
    }

    /// Does this term of a sum show a minus sign?
    pub(super) fn term_is_negative(&self, term: ExprId, coefficient: ExprId) -> bool {
        self.is_negative(coefficient) != self.is_negative(term)
    }

    /// The body of a sum has more plus than minus signs; if as many, it begins with plus.
    fn sum_is_negative(&self, id: ExprId) -> bool {
        let pairs = self.pairs(id);
        let minus =
            |&(term, coefficient): &(ExprId, ExprId)| self.term_is_negative(term, coefficient);
        let count = pairs.iter().filter(|pair| minus(pair)).count();
        match (2 * count).cmp(&pairs.len()) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => pairs.first().is_some_and(minus),
        }
    }

    /// The order of terms: most motion first, then degree, then the factors one by one;
    /// the constant is last.
    fn compare_terms(&self, pool: &Pool, a: ExprId, b: ExprId) -> Ordering {
        let key = |id: ExprId| {
            let weight = self.weight(id);
            (
                id == ExprId::ONE,
                Reverse(weight.motion),
                Reverse(weight.motion_degree),
                weight.lead,
                Reverse(weight.lead_degree),
                Reverse(weight.degree),
            )
        };
        key(a)
            .cmp(&key(b))
            .then_with(|| self.compare_factors(pool, a, b))
            .then_with(|| self.rank(a).cmp(&self.rank(b)))
    }

    fn compare_factors(&self, pool: &Pool, a: ExprId, b: ExprId) -> Ordering {
        let (alone_a, alone_b) = ([(a, ExprId::ONE)], [(b, ExprId::ONE)]);
        let factors = |id: ExprId, alone| match pool.node(id) {
            Node::Product(_) => self.pairs(id),
            _ => alone,
        };
        let (a, b) = (factors(a, &alone_a[..]), factors(b, &alone_b[..]));
        for (&(base, exponent), &(other, other_exponent)) in a.iter().zip(b) {
            let found = self.body(base).cmp(&self.body(other)).then_with(|| {
                match (pool.as_number(exponent), pool.as_number(other_exponent)) {
                    (Some(n), Some(k)) => k.cmp(n),
                    _ => self.rank(exponent).cmp(&self.rank(other_exponent)),
                }
            });
            if found != Ordering::Equal {
                return found;
            }
        }
        a.len().cmp(&b.len())
    }
}

/// May a sign pass through this function, so that the pool reads it back as the same call?
///
/// Multiples of pi are reduced by the pool in one direction, so arguments with pi stay.
pub(super) fn call_parity(pool: &Pool, function: Function, argument: ExprId) -> Parity {
    let has_pi = matches!(pool.node(argument), Node::Sum(pairs)
        if pairs.iter().any(|(term, _)| term == ExprId::PI));
    if has_pi { Parity::None } else { function.descriptor().parity }
}

/// May a sign pass through this power? Powers of numbers too large to evaluate keep theirs.
pub(super) fn sign_passes(pool: &Pool, base: ExprId, exponent: ExprId) -> Parity {
    let number = matches!(pool.node(base), Node::Number(_));
    match pool.as_number(exponent).filter(|e| e.is_integer() && !number) {
        Some(e) if (e * &Rational::half()).is_integer() => Parity::Even,
        Some(_) => Parity::Odd,
        None => Parity::None,
    }
}

/// The degree that an exponent contributes; none in a denominator.
fn degree(pool: &Pool, exponent: ExprId) -> Option<u32> {
    match pool.as_number(exponent) {
        Some(value) if value.is_negative() => None,
        Some(value) => Some(u32::try_from(value.floor()).unwrap_or(u32::MAX)),
        None => Some(1),
    }
}

fn rank(class: Class, height: u32, index: usize, negative: bool) -> u64 {
    let height = u64::from(height).min((1 << 28) - 1);
    let index = (index as u64).min((1 << 31) - 1);
    (class as u64) << 60 | height << 32 | index << 1 | u64::from(negative)
}
