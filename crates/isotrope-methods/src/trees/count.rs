//! How many trees there are, without listing them.

use isotrope_algebra::{Budget, OrInternal, OutOfBudget, Rational};

use super::family::Family;

const DOING: &str = "counting trees";

/// The trees of one order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderCount {
    /// Number of vertices.
    pub order: usize,
    /// For each colour the number of trees with such a root.
    pub by_root: Vec<Rational>,
    /// Their sum.
    pub total: Rational,
}

/// Multisets of trees of one colour, by their total order.
///
/// With T_m trees of order m, H(u, z) = ∏_m (1 - u zᵐ)^(-T_m) counts multisets, u the number
/// of trees and z their order. From z ∂H/∂z = H Σ_jm m T_m uʲ z^(jm) follows
/// n h_k(n) = Σ_jm m T_m h_(k-j)(n - jm), which needs T only up to n.
struct Multisets {
    at_most: Option<usize>,
    /// h_k(n) as `rows[k][n]`; one row with u = 1 if any number is allowed.
    rows: Vec<Vec<Rational>>,
    /// Σ_k h_k(n).
    allowed: Vec<Rational>,
}

impl Multisets {
    fn new(at_most: Option<usize>) -> Self {
        Self { at_most, rows: vec![vec![Rational::ONE]], allowed: vec![Rational::ONE] }
    }

    /// The next coefficient; `trees(m)` is T_m.
    fn extend<'t>(
        &mut self,
        trees: impl Fn(usize) -> &'t Rational,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let n = self.allowed.len();
        let mut column = Vec::new();
        match self.at_most {
            None => column.push(self.coefficient(n, None, &trees, budget)?),
            Some(most) => {
                if self.rows.len() <= most.min(n) {
                    self.rows.push(vec![Rational::ZERO; n]);
                }
                for k in 0..self.rows.len() {
                    column.push(self.coefficient(n, Some(k), &trees, budget)?);
                }
            }
        }
        self.allowed.push(column.iter().fold(Rational::ZERO, |sum, value| &sum + value));
        for (row, value) in self.rows.iter_mut().zip(column) {
            row.push(value);
        }
        Ok(())
    }

    fn coefficient<'t>(
        &self,
        n: usize,
        row: Option<usize>,
        trees: impl Fn(usize) -> &'t Rational,
        budget: &mut Budget,
    ) -> Result<Rational, OutOfBudget> {
        let mut sum = Rational::ZERO;
        for m in 1..=n {
            let copies = row.map_or(n / m, |k| k.min(n / m));
            budget.spend(1 + copies as u64, DOING)?;
            let weight = &integer(m) * trees(m);
            if weight.is_zero() {
                continue;
            }
            for j in 1..=copies {
                let before = &self.rows[row.map_or(0, |k| k - j)][n - j * m];
                sum = &sum + &(&weight * before);
            }
        }
        Ok(quotient(&sum, &integer(n)))
    }
}

pub(super) fn integer(value: usize) -> Rational {
    i64::try_from(value).map_or(Rational::ZERO, Rational::integer)
}

/// A quotient of positive integers that is known to be one.
pub(super) fn quotient(numerator: &Rational, denominator: &Rational) -> Rational {
    numerator.checked_div(denominator).or_noticed("the denominator is positive")
}

/// Counts the trees of a family, one order after the other.
///
/// ```
/// use isotrope_algebra::{Budget, Rational};
/// use isotrope_methods::trees::{Counter, Family};
/// let family = Family::runge_kutta();
/// let counts = Counter::up_to(&family, 30, &mut Budget::new(100_000)).unwrap();
/// assert_eq!(counts[29].total, Rational::integer(354_426_847_597)); // OEIS A000081
/// ```
pub struct Counter<'f> {
    family: &'f Family,
    /// For each colour the multisets of each group it depends on.
    multisets: Vec<Vec<Multisets>>,
    /// For each colour the products of those series, factor by factor.
    products: Vec<Vec<Vec<Rational>>>,
    /// T_m of each colour, from m = 1.
    trees: Vec<Vec<Rational>>,
}

impl std::fmt::Debug for Counter<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Counter").field("trees", &self.trees).finish_non_exhaustive()
    }
}

impl<'f> Counter<'f> {
    /// Nothing is counted yet.
    pub fn new(family: &'f Family) -> Self {
        let multisets: Vec<Vec<Multisets>> = family
            .dependencies
            .iter()
            .map(|list| list.iter().map(|child| Multisets::new(child.at_most)).collect())
            .collect();
        Self {
            family,
            products: multisets.iter().map(|list| vec![Vec::new(); list.len()]).collect(),
            multisets,
            trees: vec![Vec::new(); family.colours.len()],
        }
    }

    /// The counts of all orders up to `order`.
    pub fn up_to(
        family: &'f Family,
        order: usize,
        budget: &mut Budget,
    ) -> Result<Vec<OrderCount>, OutOfBudget> {
        let mut counter = Self::new(family);
        let mut counts = Vec::new();
        for _ in 0..order {
            counts.push(counter.next_order(budget)?);
        }
        Ok(counts)
    }

    /// The counts of the next order, beginning with 1.
    pub fn next_order(&mut self, budget: &mut Budget) -> Result<OrderCount, OutOfBudget> {
        let order = self.trees.first().map_or(0, Vec::len) + 1;
        let n = order - 1;
        let mut by_root = Vec::with_capacity(self.trees.len());
        for (parent, dependencies) in self.family.dependencies.iter().enumerate() {
            // What hangs on the root: the coefficient n of the product of all multisets. The
            // empty product is 1.
            let mut coefficient = if n == 0 { Rational::ONE } else { Rational::ZERO };
            for (number, child) in dependencies.iter().enumerate() {
                if n > 0 {
                    let known = &self.trees[child.colour];
                    self.multisets[parent][number].extend(|m| &known[m - 1], budget)?;
                }
                let factor = &self.multisets[parent][number].allowed;
                let (before, after) = self.products[parent].split_at_mut(number);
                coefficient = match before.last() {
                    None => factor[n].clone(),
                    Some(before) => {
                        budget.spend(order as u64, DOING)?;
                        (0..=n).fold(Rational::ZERO, |sum, k| &sum + &(&before[k] * &factor[n - k]))
                    }
                };
                if let Some(product) = after.first_mut() {
                    product.push(coefficient.clone());
                }
            }
            budget.spend(1, DOING)?;
            by_root.push(coefficient);
        }
        for (known, count) in self.trees.iter_mut().zip(&by_root) {
            known.push(count.clone());
        }
        let total = by_root.iter().fold(Rational::ZERO, |sum, count| &sum + count);
        Ok(OrderCount { order, by_root, total })
    }
}
