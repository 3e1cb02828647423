//! Hamilton's equations without a Lagrangian.

use isotrope_algebra::{Budget, ExprId};
use isotrope_model::Model;

use super::Kind;
use crate::check::{Point, Report};
use crate::{Conservation, DistributionReport, Symbols, System, conserved};

/// Hamilton's equations alone.
#[derive(Debug, Clone)]
pub struct HamiltonianField {
    /// `H(q, p, t)`.
    pub hamiltonian: ExprId,
    /// `q' = H_p`.
    pub position_rate: Vec<ExprId>,
    /// `p' = -H_q + F`.
    pub momentum_rate: Vec<ExprId>,
}

impl Kind for HamiltonianField {
    fn hamiltonian_field(&self) -> Option<&HamiltonianField> {
        Some(self)
    }

    fn ingredients(&self) -> Vec<ExprId> {
        self.position_rate.iter().chain(&self.momentum_rate).copied().collect()
    }

    fn check(&self, system: &System, point: &Point, report: &mut Report) {
        let pool = &system.model.pool;
        for (k, name) in system.symbols.names.iter().enumerate() {
            let rates = [self.position_rate[k], self.momentum_rate[k]];
            let values = point.evaluate(pool, &rates, || format!("the rate of {name}"));
            report.undefined.extend(values.err());
        }
        report.enter_energy(point.evaluate_one(pool, self.hamiltonian, || "the energy".into()));
    }

    fn conserve(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        _report: &DistributionReport,
        budget: &mut Budget,
    ) -> Conservation {
        let mut found = Conservation::default();
        conserved::hamiltonian(&mut model.pool, symbols, self, budget, &mut found);
        found
    }
}
