//! What the constraint algorithm found, as it is reported.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};

use super::classes::{ChainMultiplier, Classes};
use super::rounds::ChainConstraint;
use super::surface::Surface;
use crate::{StateConstraint, Symbols};

/// A singular Lagrangian on its phase space (q, p).
#[derive(Debug, Clone)]
pub struct ConstraintChain {
    /// The symbols of the coordinates q of the Lagrangian.
    pub coordinates: Symbols,
    /// L(q, q', t).
    pub lagrangian: ExprId,
    /// H(q, p, t), where the primary constraints hold.
    pub hamiltonian: ExprId,
    /// The constraints, in the order in which they were found.
    pub constraints: Vec<ChainConstraint>,
    /// How many rounds found something.
    pub rounds: usize,
    /// First and second class, and the Dirac bracket.
    pub classes: Classes,
    /// The multipliers of the primary constraints.
    pub multipliers: Vec<ChainMultiplier>,
    /// Fields on the phase space that span the gauge directions where the constraints hold.
    pub gauge: Vec<Vec<ExprId>>,
    /// Dimension of the phase space.
    pub phase: usize,
    /// Dimension of the final manifold.
    pub last: usize,
    /// None of these vanishes: the ranks are those of a general point.
    pub conditions: Vec<ExprId>,
    /// Is every "does not vanish" proved?
    pub decided: bool,
    /// Do the constraints last, by differentiating them along the equations?
    pub lasting: Zero,
    /// The factors by which this branch differs from others.
    pub chosen: Vec<ExprId>,
    /// The other branches.
    pub branches: Vec<OtherBranch>,
    /// Were all branches followed?
    pub complete: bool,
    /// The motion in the gauge that was chosen.
    pub fixed: Option<GaugeFixed>,
    /// The constraints that the motion keeps, those of the gauge among them.
    pub kept: Vec<StateConstraint>,
    /// Their partial derivatives.
    pub jacobian: isotrope_algebra::calculus::SparseRows,
    /// Multipliers that stay free: velocities of these coordinates are arbitrary functions of time.
    pub free: Vec<ExprId>,
    /// Are there forces?
    pub forced: bool,
    /// Where all these constraints hold.
    pub(super) surface: Surface,
}

/// A branch that was not taken.
#[derive(Debug, Clone)]
pub struct OtherBranch {
    /// The factors that vanish there.
    pub chosen: Vec<ExprId>,
    /// All its constraints.
    pub constraints: Vec<ExprId>,
    /// How it ends.
    pub end: BranchEnd,
}

/// How a branch ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchEnd {
    /// With a final manifold of this dimension.
    Lasting(usize),
    /// This would have to vanish.
    Contradiction(ExprId),
    /// It was not followed to its end.
    Open,
}

/// A gauge that was chosen.
#[derive(Debug, Clone)]
pub struct GaugeFixed {
    /// The conditions, and what follows from them.
    pub conditions: Vec<ChainConstraint>,
    /// Gauge directions that change them.
    pub rank: usize,
    /// The multipliers in this gauge.
    pub multipliers: Vec<ChainMultiplier>,
    /// The dimension of what is left of the final manifold.
    pub dimension: usize,
}

impl ConstraintChain {
    /// Dimension of the final manifold divided by the gauge directions.
    #[must_use]
    pub fn reduced(&self) -> usize {
        self.last.saturating_sub(self.gauge.len())
    }

    /// Does an expression vanish where all constraints hold that the motion keeps?
    pub fn on_constraints(&self, pool: &mut Pool, expression: ExprId, budget: &mut Budget) -> Zero {
        let answer = self.surface.vanishes(pool, expression, budget);
        answer.unwrap_or(Zero::Unknown { points: 0 })
    }

    /// Does every first-class constraint generate a gauge motion? That is the conjecture of Dirac, which not all systems
    /// satisfy.
    #[must_use]
    pub fn first_class_generate_gauge(&self) -> bool {
        self.gauge.len() == self.classes.first.len()
    }
}
