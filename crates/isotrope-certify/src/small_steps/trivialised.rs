//! What is different where configurations are a Lie group: g' = g ξ, and the canonical form in left
//! trivialisation.

use std::ops::Range;

use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::{Ball, Budget, ExprId, Pool};

use super::SmallStepError;
use super::mechanics::{WRITING, inputs, write};
use super::vectors::{Vector, midpoints, zero};
use isotrope_derive::{GroupMechanics, System};

/// The functions of a group, in balls.
#[derive(Debug, Clone)]
pub(super) struct Trivialised {
    /// g ξ, as rates of the numbers.
    pub kinematics: BallProgram,
    /// Spatial momenta that the flow keeps.
    pub conserved: BallProgram,
    /// Their number.
    pub momenta: usize,
    /// From the numbers of g and a change of them to g⁻¹δg.
    algebra: BallProgram,
    /// From μ, x and y to ⟨μ, [x, y]⟩.
    curvature: BallProgram,
    rotations: Vec<Range<usize>>,
}

impl Trivialised {
    pub(super) fn new(
        system: &System,
        mechanics: &GroupMechanics,
        pool: &mut Pool,
        parameters: &[(ExprId, Ball)],
    ) -> Result<Self, SmallStepError> {
        let (group, numbers) = (&mechanics.group, &mechanics.numbers);
        let given = inputs(system, parameters, numbers);
        let rates = mechanics.kinematics(pool, &system.symbols.velocity);
        let kept = mechanics.kept_in_space(system, pool, &mut Budget::new(WRITING));
        let kept = mechanics.in_numbers(pool, &kept, &mut Budget::new(WRITING))?;
        let fresh = |pool: &mut Pool, name: &str, count: usize| -> Vec<ExprId> {
            (0..count)
                .map(|k| {
                    let mut name = format!("{name}_{k}");
                    while pool.find_symbol(&name).is_some() {
                        name.push('_');
                    }
                    pool.symbol(&name)
                })
                .collect()
        };
        let n = group.dimension();
        let change = fresh(pool, "change", numbers.len());
        let algebra = group.trivialised(pool, numbers, &change);
        let [mu, x, y] = ["mu", "x", "y"].map(|name| fresh(pool, name, n));
        let curvature = group.curvature(pool, &mu, &x, &y);
        Ok(Self {
            kinematics: write(pool, &given, &rates)?,
            conserved: write(pool, &given, &kept)?,
            momenta: kept.len(),
            algebra: write(pool, &[&numbers[..], &change].concat(), &algebra)?,
            curvature: write(pool, &[mu, x, y].concat(), &[curvature])?,
            rotations: mechanics.rotations(),
        })
    }

    /// g⁻¹δg.
    pub(super) fn of_change(&self, q: &[Ball], change: &[Ball]) -> Result<Vector, SmallStepError> {
        Ok(midpoints(&self.algebra.run(&[q, change].concat())?))
    }

    /// ⟨μ, [x, y]⟩.
    pub(super) fn curvature(
        &self,
        mu: &[Ball],
        x: &[Ball],
        y: &[Ball],
    ) -> Result<Ball, SmallStepError> {
        let mut value = self.curvature.run(&[mu, x, y].concat())?;
        Ok(value.pop().unwrap_or_else(zero))
    }

    /// The same with rotations of norm one.
    pub(super) fn normalised(&self, q: &[Ball]) -> Result<Vector, SmallStepError> {
        let mut q = q.to_vec();
        for range in &self.rotations {
            let Some(numbers) = q.get_mut(range.clone()) else { continue };
            let mut square = zero();
            for number in numbers.iter() {
                square = square.add(&number.mul(number)?);
            }
            let norm = square.midpoint().sqrt()?;
            for number in numbers {
                *number = number.div(&norm)?.midpoint();
            }
        }
        Ok(q)
    }
}
