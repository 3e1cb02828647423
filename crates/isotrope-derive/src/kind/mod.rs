//! What every room asks of equations of motion, one implementation per kind.
//!
//! Rooms ask questions and never which kind it is: only this file distinguishes the variants of [`Mechanics`]. An
//! answer that most kinds share is written here, and a kind that differs overrides it in its own file. Rooms
//! that work with one kind only ask for it by name ([`Kind::lagrangian`], …) and say what they refuse.

mod degenerate;
mod group;
mod hamiltonian;
mod lagrangian;
mod state;

pub use hamiltonian::HamiltonianField;
pub use lagrangian::LagrangianMechanics;

use std::fmt::Debug;
use std::ops::Deref;

use isotrope_algebra::calculus::{SparseRows, Substitution, gradient, substitute};
use isotrope_algebra::{Ball, Budget, ExprId, OutOfBudget, Pool};
use isotrope_geometry::DiracStructure;
use isotrope_model::{Model, SystemKind};

use crate::check::{Point, Report, Undefined};
use crate::{
    Conservation, ConstraintChain, ConstraintRows, Degenerate, Descriptor, DistributionReport,
    Dynamics, Eliminated, GroupMechanics, Hamiltonian, Integrals, Reduction, StateConstraint,
    StateSpace, Symbols, System, Written,
};

/// The equations of motion: one variant a kind, and everything else is asked of the [`Kind`].
#[derive(Debug, Clone)]
pub enum Mechanics {
    /// With a Lagrangian, given or found.
    Lagrangian(Box<LagrangianMechanics>),
    /// A Hamiltonian whose Legendre map has no inverse by formulas.
    Hamiltonian(Box<HamiltonianField>),
    /// A Lagrangian that is affine in the velocities: equations of first order.
    Degenerate(Box<Degenerate>),
    /// On a Lie group.
    Group(Box<GroupMechanics>),
    /// x' = f(x, t) in state space.
    State(Box<StateSpace>),
}

impl Deref for Mechanics {
    type Target = dyn Kind;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Lagrangian(all) => all.as_ref(),
            Self::Hamiltonian(all) => all.as_ref(),
            Self::Degenerate(all) => all.as_ref(),
            Self::Group(all) => all.as_ref(),
            Self::State(all) => all.as_ref(),
        }
    }
}

/// Equations solved for accelerations and multipliers: what schemes and fields are written with. Where there
/// are no momenta, no masses and no constraints, these are zero or empty.
#[derive(Debug, Clone, Copy)]
pub struct Solved<'s> {
    /// Momenta, mass matrix, energy, forces.
    pub dynamics: &'s Dynamics,
    /// The constraints.
    pub rows: &'s ConstraintRows,
    /// Accelerations and multipliers.
    pub eliminated: &'s Eliminated,
}

/// Constraints on states and their partial derivatives.
pub type OnStates<'a> = (&'a [StateConstraint], &'a SparseRows);

/// The questions that rooms ask of equations of motion.
pub trait Kind: Debug {
    /// Momenta, mass matrix and constraints, where there is a Lagrangian.
    fn dynamics(&self) -> Option<(&Dynamics, &ConstraintRows)> {
        None
    }

    /// The solved equations; nothing where there are no accelerations by formulas.
    fn solved(&self) -> Option<Solved<'_>> {
        self.in_coordinates()
    }

    /// The solved equations, where velocities are the rates of coordinates.
    fn in_coordinates(&self) -> Option<Solved<'_>> {
        None
    }

    /// The rates as functions of (q, t), where the equations are of first order.
    fn first_order(&self) -> Option<&[ExprId]> {
        None
    }

    /// The equations of a Lagrangian with masses, if these are such.
    fn lagrangian(&self) -> Option<&LagrangianMechanics> {
        None
    }

    /// Hamilton's equations, if these stand alone.
    fn hamiltonian_field(&self) -> Option<&HamiltonianField> {
        None
    }

    /// The equations of a Lagrangian that is affine in the velocities, if these are such.
    fn degenerate(&self) -> Option<&Degenerate> {
        None
    }

    /// The equations on a Lie group, if these are such.
    fn group(&self) -> Option<&GroupMechanics> {
        None
    }

    /// The system in state space, if it is one.
    fn state(&self) -> Option<&StateSpace> {
        None
    }

    /// E x' in the place of x', if the system is written so.
    fn descriptor(&self) -> Option<&Descriptor> {
        self.state().and_then(|state| state.descriptor.as_ref())
    }

    /// The singular Lagrangian that the system comes from, if it is one.
    fn chain(&self) -> Option<&ConstraintChain> {
        None
    }

    /// What states satisfy, with partial derivatives: of descriptor systems and of singular Lagrangians.
    fn on_states(&self) -> Option<OnStates<'_>> {
        None
    }

    /// Are there momenta?
    fn has_momenta(&self) -> bool {
        true
    }

    /// Is there an energy?
    fn has_energy(&self) -> bool {
        true
    }

    /// Forces that can do work.
    fn working_forces(&self) -> &[ExprId] {
        self.dynamics().map_or(&[], |(dynamics, _)| &dynamics.working)
    }

    /// The expressions that the equations are made of: they are autonomous if none contains the time.
    fn ingredients(&self) -> Vec<ExprId> {
        let Some((dynamics, _)) = self.dynamics() else { return Vec::new() };
        [&dynamics.momenta, &dynamics.gradient, &dynamics.forces]
            .into_iter()
            .flatten()
            .copied()
            .collect()
    }

    /// What vanishes on the positions or states of a motion: constraints on positions, then those that
    /// follow from others.
    fn on_positions(&self) -> Vec<ExprId> {
        let Some(Solved { rows, .. }) = self.in_coordinates() else { return Vec::new() };
        let written = rows.expressions.iter().zip(&rows.written);
        let own = written.filter(|(_, w)| **w == Written::Position).map(|(&phi, _)| phi);
        own.chain(rows.redundant.iter().map(|row| row.expression)).collect()
    }

    /// Mass matrix and constraints, of kinds that take constraints: then initial data can be repaired.
    fn constrained(&self) -> Option<(&Dynamics, &ConstraintRows)> {
        None
    }

    /// The numbers of a configuration at the beginning, as expressions in the parameters.
    fn initial_configuration<'s>(&'s self, model: &'s Model) -> &'s [ExprId] {
        &model.initial.position
    }

    /// The velocities at the beginning, as expressions in the parameters: those of the file, or what
    /// follows from positions or momenta.
    fn initial_velocities(
        &self,
        pool: &mut Pool,
        model: &Model,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let initial = &model.initial;
        let mut start: Substitution =
            symbols.position.iter().copied().zip(initial.position.iter().copied()).collect();
        start.insert(symbols.time, ExprId::ZERO);
        if let Some(rates) = self.first_order() {
            return substitute(pool, rates, &start, budget);
        }
        let Some(hamiltonian) = model.system.hamiltonian() else { return Ok(initial.rate.clone()) };
        let velocities = gradient(pool, hamiltonian, &symbols.momentum, budget)?;
        start.extend(symbols.momentum.iter().copied().zip(initial.rate.iter().copied()));
        substitute(pool, &velocities, &start, budget)
    }

    /// Enters what `check` needs at the initial point beside positions: velocities, and whatever else
    /// occurs in the equations. `rate` are the rates of the file.
    fn enter(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        rate: Vec<Ball>,
        point: &mut Point,
    ) -> Result<(), Undefined> {
        match model.system.hamiltonian() {
            Some(hamiltonian) => point.set_momenta(&mut model.pool, symbols, hamiltonian, rate),
            None => {
                point.set_velocities(&symbols.velocity, rate);
                Ok(())
            }
        }
    }

    /// Examines the equations at a point: residuals of constraints, regularity, energy.
    fn check(&self, system: &System, point: &Point, report: &mut Report);

    /// Kinds of constraints, whether they integrate, growth vectors.
    fn classify(
        &self,
        _model: &mut Model,
        symbols: &Symbols,
        _budget: &mut Budget,
    ) -> DistributionReport {
        DistributionReport::free(symbols.dimension())
    }

    /// What is conserved.
    fn conserve(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        report: &DistributionReport,
        asked: Integrals,
        budget: &mut Budget,
    ) -> Conservation;

    /// The momenta that runs watch, where they are found faster than by [`Kind::conserve`].
    fn watched(
        &self,
        _model: &mut Model,
        _symbols: &Symbols,
        _budget: &mut Budget,
    ) -> Option<Conservation> {
        None
    }

    /// The almost Dirac structure on the cotangent bundle.
    fn dirac(
        &self,
        _pool: &mut Pool,
        _symbols: &Symbols,
        _report: &DistributionReport,
        _budget: &mut Budget,
    ) -> Option<DiracStructure> {
        None
    }

    /// The Hamiltonian of a Lagrangian, where the system is given by `given`.
    fn hamiltonian(
        &self,
        _pool: &mut Pool,
        _given: &SystemKind,
        _symbols: &Symbols,
        _budget: &mut Budget,
    ) -> Option<Hamiltonian> {
        None
    }

    /// Equations reduced by the symmetries that were found; an error if they are too long to compute.
    fn reduce(
        &self,
        _pool: &mut Pool,
        _symbols: &Symbols,
        _report: &DistributionReport,
        _conservation: &Conservation,
        _budget: &mut Budget,
    ) -> Result<Option<Reduction>, OutOfBudget> {
        Ok(None)
    }
}
