//! Lagrangians that are affine in the velocities.

use isotrope_algebra::{Budget, ExprId};
use isotrope_model::Model;

use super::{Kind, Solved};
use crate::check::{Point, Report, first_order};
use crate::{
    Conservation, ConstraintRows, Degenerate, DistributionReport, Dynamics, Integrals, Symbols,
    System, conserved, distribution,
};

impl Kind for Degenerate {
    fn dynamics(&self) -> Option<(&Dynamics, &ConstraintRows)> {
        Some((&self.dynamics, &self.rows))
    }

    fn in_coordinates(&self) -> Option<Solved<'_>> {
        let Self { dynamics, rows, eliminated, .. } = self;
        Some(Solved { dynamics, rows, eliminated })
    }

    fn first_order(&self) -> Option<&[ExprId]> {
        Some(&self.velocity)
    }

    fn degenerate(&self) -> Option<&Degenerate> {
        Some(self)
    }

    fn check(&self, system: &System, point: &Point, report: &mut Report) {
        first_order(system, self, point, report);
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
        let parts = conserved::Parts {
            symbols,
            dynamics: &self.dynamics,
            rows: &self.rows,
            report,
            eliminated: &self.eliminated,
            multiplier_symbols: &[],
            first_order: Some(&self.velocity),
        };
        conserved::find(&mut model.pool, parts, asked, budget)
    }
}
