//! Other weights for the same stages: those of a lower order beside them (an embedded pair), and those of any place in
//! the step (dense output). With the stages given, order conditions are linear in the weights.

use isotrope_algebra::linear::{Echelon, ExactField};
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::{Budget, OutOfBudget, Rational};
use isotrope_methods::table::{Table, TableProblem};
use isotrope_methods::trees::{Family, TreeId, Trees};

use crate::order::ElementaryWeights;

/// Weights of a lower order for the stages of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// Their order.
    pub order: usize,
    /// The dimension of all weights of this order.
    pub dimension: usize,
    /// Those with the most zeros, then the simplest.
    pub weights: Vec<FieldElement>,
}

/// Weights b(θ) of a continuous solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// Its order everywhere in the step.
    pub order: usize,
    /// For each stage the coefficients of θ, θ², ….
    pub weights: Vec<Vec<FieldElement>>,
}

/// Trees are listed up to this order.
const LISTED: usize = 8;

/// Elementary stage weights φ(t) of the trees up to an order, with 1/γ(t) and the order of t.
struct Conditions {
    rows: Vec<(Vec<FieldElement>, Rational, usize)>,
    stages: usize,
}

impl Conditions {
    fn new(table: &Table, order: usize, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let trees = Trees::up_to(&Family::runge_kutta(), order, budget)?;
        let mut weights = ElementaryWeights::new(table, &trees);
        let all: Vec<TreeId> = (1..=order).flat_map(|n| trees.of_order(n)).collect();
        let rows = all
            .into_iter()
            .map(|tree| (weights.vector(tree), trees.inverse_gamma(tree), trees.order(tree)))
            .collect();
        Ok(Self { rows, stages: table.stages })
    }

    /// Weights w with w·φ(t) = value(t), columns taken in the given order: those without a pivot are zero. `None` if there
    /// are none; else the weights and the dimension of all of them.
    fn solve(
        &self,
        field: &NumberField,
        columns: &[usize],
        value: impl Fn(&Rational, usize) -> Rational,
        budget: &mut Budget,
    ) -> Result<Option<(Vec<FieldElement>, usize)>, OutOfBudget> {
        budget.spend((self.rows.len() * self.stages) as u64, "solving for weights")?;
        let context = &mut Numbers(field);
        let mut echelon = Echelon::new(self.stages + 1);
        for (vector, gamma, order) in &self.rows {
            let mut row: Vec<_> = columns.iter().map(|&j| vector[j].clone()).collect();
            row.push(field.rational(value(gamma, *order)));
            let Ok(_) = echelon.insert(context, row);
        }
        let Ok(reduced) = echelon.reduced(context);
        let mut weights = vec![FieldElement::zero(); self.stages];
        for row in &reduced {
            match row.iter().position(|entry| !entry.is_zero()) {
                Some(pivot) if pivot < self.stages => {
                    weights[columns[pivot]] = row[self.stages].clone();
                }
                _ => return Ok(None),
            }
        }
        Ok(Some((weights, self.stages - reduced.len())))
    }
}

/// Weights of the highest order below that of the table that are not those of the table.
pub(super) fn embedded(
    table: &Table,
    order: usize,
    budget: &mut Budget,
) -> Result<Option<Embedded>, TableProblem> {
    for lower in (1..order.min(LISTED + 1)).rev() {
        let conditions = Conditions::new(table, lower, budget)?;
        let mut found: Option<Embedded> = None;
        for first in 0..table.stages {
            let columns: Vec<usize> =
                (0..table.stages).map(|j| (j + first) % table.stages).collect();
            let solved =
                conditions.solve(&table.field, &columns, |gamma, _| gamma.clone(), budget)?;
            let Some((weights, dimension)) = solved else { break };
            if dimension == 0 {
                break;
            }
            if weights == table.b {
                continue;
            }
            let one = Embedded { order: lower, dimension, weights };
            if found.as_ref().is_none_or(|best| effort(&one.weights) < effort(&best.weights)) {
                found = Some(one);
            }
        }
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Few nonzero numbers, then short ones.
fn effort(weights: &[FieldElement]) -> (usize, u64) {
    let nonzero = weights.iter().filter(|w| !w.is_zero()).count();
    (nonzero, weights.iter().map(FieldElement::bits).sum())
}

/// Weights of a continuous solution of the highest order, b(1) = b, with the lowest degree.
pub(super) fn dense(
    table: &Table,
    order: usize,
    budget: &mut Budget,
) -> Result<Option<Dense>, TableProblem> {
    let columns: Vec<usize> = (0..table.stages).collect();
    let field = &table.field;
    for order in (1..=order.min(LISTED)).rev() {
        let conditions = Conditions::new(table, order, budget)?;
        let mut parts = Vec::with_capacity(order);
        for power in 1..=order {
            let value = |gamma: &Rational, of: usize| {
                if of == power { gamma.clone() } else { Rational::ZERO }
            };
            match conditions.solve(field, &columns, value, budget)? {
                Some((weights, _)) => parts.push(weights),
                None => break,
            }
        }
        if parts.len() < order {
            continue;
        }
        // The first power makes up for b: the weights agree with b on all trees.
        let mut weights = Vec::with_capacity(table.stages);
        for j in 0..table.stages {
            let later =
                parts[1..].iter().fold(FieldElement::zero(), |sum, part| field.add(&sum, &part[j]));
            let mut of_stage = vec![field.sub(&table.b[j], &later)];
            of_stage.extend(parts[1..].iter().map(|part| part[j].clone()));
            weights.push(of_stage);
        }
        return Ok(Some(Dense { order, weights }));
    }
    Ok(None)
}

/// A number field for elimination; systems here are so small that no budget is needed.
struct Numbers<'f>(&'f NumberField);

impl ExactField for Numbers<'_> {
    type Element = FieldElement;
    type Stop = std::convert::Infallible;

    fn zero(&self) -> FieldElement {
        FieldElement::zero()
    }

    fn one(&self) -> FieldElement {
        FieldElement::one()
    }

    fn is_zero(&self, x: &FieldElement) -> bool {
        x.is_zero()
    }

    fn negate(&self, x: &FieldElement) -> FieldElement {
        self.0.neg(x)
    }

    fn inverse(&self, x: &FieldElement) -> Option<FieldElement> {
        self.0.inverse(x).ok()
    }

    fn times(&mut self, x: &FieldElement, y: &FieldElement) -> Result<FieldElement, Self::Stop> {
        Ok(self.0.mul(x, y))
    }

    fn minus_product(
        &mut self,
        x: &FieldElement,
        factor: &FieldElement,
        y: &FieldElement,
    ) -> Result<FieldElement, Self::Stop> {
        Ok(self.0.sub(x, &self.0.mul(factor, y)))
    }

    fn spend(&mut self, _: usize) -> Result<(), Self::Stop> {
        Ok(())
    }
}
