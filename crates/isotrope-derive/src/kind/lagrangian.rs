//! Lagrangians with masses.

use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_geometry::DiracStructure;
use isotrope_model::{Model, SystemKind};

use super::{Kind, Solved};
use crate::check::{Point, Report, of_lagrangian};
use crate::{
    Conservation, ConstraintRows, DistributionReport, Dynamics, Eliminated, Hamiltonian, Integrals,
    Reduction, Symbols, System, conserved, distribution, legendre, reduction,
};

/// The equations of motion of a Lagrangian with masses.
#[derive(Debug, Clone)]
pub struct LagrangianMechanics {
    /// Momenta, mass matrix, energy.
    pub dynamics: Dynamics,
    /// The constraints as rows, those that follow from others set aside.
    pub rows: ConstraintRows,
    /// One symbol `lambda_name` per independent constraint.
    pub multiplier_symbols: Vec<ExprId>,
    /// The Euler-Lagrange residual with multipliers as symbols.
    pub residual: Vec<ExprId>,
    /// Accelerations and multipliers as functions of (q, v, t).
    pub eliminated: Eliminated,
}

impl LagrangianMechanics {
    /// What conservation depends on.
    fn parts<'s>(
        &'s self,
        symbols: &'s Symbols,
        report: &'s DistributionReport,
    ) -> conserved::Parts<'s> {
        conserved::Parts {
            symbols,
            dynamics: &self.dynamics,
            rows: &self.rows,
            report,
            eliminated: &self.eliminated,
            multiplier_symbols: &self.multiplier_symbols,
            first_order: None,
        }
    }
}

impl Kind for LagrangianMechanics {
    fn dynamics(&self) -> Option<(&Dynamics, &ConstraintRows)> {
        Some((&self.dynamics, &self.rows))
    }

    fn in_coordinates(&self) -> Option<Solved<'_>> {
        let Self { dynamics, rows, eliminated, .. } = self;
        Some(Solved { dynamics, rows, eliminated })
    }

    fn lagrangian(&self) -> Option<&LagrangianMechanics> {
        Some(self)
    }

    fn constrained(&self) -> Option<(&Dynamics, &ConstraintRows)> {
        self.dynamics()
    }

    fn check(&self, system: &System, point: &Point, report: &mut Report) {
        of_lagrangian(system, (&self.dynamics, &self.rows), point, report);
    }

    fn classify(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> DistributionReport {
        distribution::classify(&mut model.pool, symbols, &self.rows, budget)
    }

    fn conserve(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        report: &DistributionReport,
        asked: Integrals,
        budget: &mut Budget,
    ) -> Conservation {
        conserved::find(&mut model.pool, self.parts(symbols, report), asked, budget)
    }

    fn watched(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> Option<Conservation> {
        let pool = &mut model.pool;
        let report = match self.rows.is_empty() {
            true => DistributionReport::free(symbols.dimension()),
            false => distribution::frame(pool, symbols, &self.rows, budget),
        };
        Some(conserved::watched(pool, self.parts(symbols, &report), budget))
    }

    fn dirac(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        report: &DistributionReport,
        budget: &mut Budget,
    ) -> Option<DiracStructure> {
        distribution::dirac(pool, symbols, &self.rows, report, budget)
    }

    fn hamiltonian(
        &self,
        pool: &mut Pool,
        given: &SystemKind,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> Option<Hamiltonian> {
        if let Some(hamiltonian) = given.hamiltonian() {
            return Some(Hamiltonian::Explicit(hamiltonian));
        }
        let found = legendre::hamiltonian(pool, symbols, &self.dynamics, budget);
        Some(found.unwrap_or(Hamiltonian::TooLarge))
    }

    fn reduce(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        report: &DistributionReport,
        conservation: &Conservation,
        budget: &mut Budget,
    ) -> Result<Option<Reduction>, OutOfBudget> {
        let Self { dynamics, rows, .. } = self;
        let symmetries = &conservation.symmetries;
        reduction::reduce(pool, symbols, dynamics, rows, report, symmetries, budget)
    }
}
