//! The modified equations of a model.

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, ExprId, Pool};

use super::ModifiedError;
use super::differentials::{Differentials, Group, all_shortened};
use super::exact::Numbers;
use isotrope_derive::{LagrangianMechanics, System};
use isotrope_methods::trees::{TreeId, Trees};

/// Colours of the family of second-order systems.
pub(super) const POSITION: usize = 0;
pub(super) const VELOCITY: usize = 1;

/// The modified rate of one variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModifiedEquation {
    /// The variable: a position or a velocity.
    pub variable: ExprId,
    /// The coefficients of h⁰, h¹, … of its rate.
    pub powers: Vec<ExprId>,
}

/// The modified equations q' = v + …, v' = f(q, v) + … of a model, the multipliers eliminated.
pub struct ModifiedField<'t> {
    /// Positions, then velocities.
    pub equations: Vec<ModifiedEquation>,
    pub(super) trees: &'t Trees,
    pub(super) differentials: Differentials<'t>,
    /// β(t)/σ(t) by tree.
    pub(super) coefficients: Vec<ExprId>,
}

impl std::fmt::Debug for ModifiedField<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ModifiedField").field("equations", &self.equations).finish()
    }
}

impl<'t> ModifiedField<'t> {
    /// Writes out the modified equations through h^(`order` - 1). The trees are those of
    /// [`Family::nystrom`](isotrope_methods::trees::Family::nystrom), and `beta` are their
    /// coefficients.
    ///
    /// A time in the equations is one more position, whose velocity is 1.
    pub fn new(
        system: &mut System,
        trees: &'t Trees,
        order: usize,
        beta: &[FieldElement],
        numbers: &Numbers,
        budget: &mut Budget,
    ) -> Result<Self, ModifiedError> {
        let Some(LagrangianMechanics { eliminated, .. }) = system.mechanics.lagrangian() else {
            return Err(ModifiedError::NoLagrangian);
        };
        let symbols = &system.symbols;
        let n = symbols.dimension();
        let pool = &mut system.model.pool;
        let mut position =
            Group { variables: symbols.position.clone(), rates: symbols.velocity.clone() };
        if pool.symbols_in(&eliminated.acceleration).contains(&symbols.time) {
            position.variables.push(symbols.time);
            position.rates.push(ExprId::ONE);
        }
        let acceleration = all_shortened(pool, &eliminated.acceleration, budget)?;
        let velocity = Group { variables: symbols.velocity.clone(), rates: acceleration };
        let coefficients = trees
            .ids()
            .zip(beta)
            .map(|(tree, beta)| {
                let beta = numbers.expression(pool, beta);
                let sigma = trees.inverse_sigma(tree);
                pool.scale(&sigma, beta)
            })
            .collect();
        let mut field = Self {
            equations: Vec::with_capacity(2 * n),
            trees,
            differentials: Differentials::new(trees, vec![position, velocity]),
            coefficients,
        };
        let variables = [(POSITION, &symbols.position), (VELOCITY, &symbols.velocity)];
        for (colour, variables) in variables {
            let mut powers: Vec<Vec<ExprId>> = vec![Vec::with_capacity(order); n];
            for size in 1..=order {
                let sums = field.sum(pool, size, colour, budget)?;
                for (powers, sum) in powers.iter_mut().zip(sums) {
                    powers.push(sum);
                }
            }
            field.equations.extend(
                variables
                    .iter()
                    .zip(powers)
                    .map(|(&variable, powers)| ModifiedEquation { variable, powers }),
            );
        }
        Ok(field)
    }

    /// Σ β(t)/σ(t) F(t) over the trees with this many vertices and a root of this colour.
    fn sum(
        &mut self,
        pool: &mut Pool,
        size: usize,
        colour: usize,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, ModifiedError> {
        let mut sums: Vec<Vec<ExprId>> = Vec::new();
        let trees: Vec<TreeId> = self.trees.of_order_and_colour(size, colour).collect();
        for tree in trees {
            let coefficient = self.coefficients[tree.index()];
            if coefficient.is_zero() {
                continue;
            }
            let value = self.differentials.value(pool, tree, budget)?;
            sums.resize(value.len(), Vec::new());
            for (sum, part) in sums.iter_mut().zip(value) {
                sum.push(pool.mul(coefficient, part));
            }
        }
        let groups = self.differentials.count(colour);
        sums.resize(groups, Vec::new());
        let sums: Vec<ExprId> = sums.iter().map(|terms| pool.sum(terms)).collect();
        Ok(all_shortened(pool, &sums, budget)?)
    }
}
