//! Hamilton's equations without a Lagrangian.

use isotrope_algebra::calculus::{directional_derivative, jacobian};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::Model;

use super::{Kind, Solved};
use crate::check::{Point, Report};
use crate::first_integrals::states::of_hamiltonian;
use crate::{
    Conservation, ConstraintRows, DistributionReport, Dynamics, Eliminated, Integrals, Symbols,
    System, conserved,
};

/// Hamilton's equations alone.
#[derive(Debug, Clone)]
pub struct HamiltonianField {
    /// `H(q, p, t)`.
    pub hamiltonian: ExprId,
    /// `q' = H_p`.
    pub position_rate: Vec<ExprId>,
    /// `p' = -H_q + F`.
    pub momentum_rate: Vec<ExprId>,
    /// `F . H_p + H_t`: the rate of the energy.
    pub power: ExprId,
    dynamics: Dynamics,
    rows: ConstraintRows,
    eliminated: Eliminated,
}

impl HamiltonianField {
    /// The equations of `H(q, p, t)` and forces `F(q, p, t)`.
    pub fn new(
        pool: &mut Pool,
        symbols: &Symbols,
        hamiltonian: ExprId,
        forces: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let n = symbols.dimension();
        let mut variables = symbols.position.clone();
        variables.extend(&symbols.momentum);
        variables.push(symbols.time);
        let row = jacobian(pool, &[hamiltonian], &variables, budget)?.swap_remove(0);
        let mut partial = vec![ExprId::ZERO; variables.len()];
        for (column, value) in row {
            partial[column as usize] = value;
        }
        let by_time = partial[2 * n];
        let position_rate = partial[n..2 * n].to_vec();
        let gradient: Vec<ExprId> = partial[..n].iter().map(|&slope| pool.neg(slope)).collect();
        let momentum_rate: Vec<ExprId> =
            forces.iter().zip(&partial).map(|(&force, &slope)| pool.sub(force, slope)).collect();
        let mut power: Vec<ExprId> =
            forces.iter().zip(&position_rate).map(|(&force, &v)| pool.mul(force, v)).collect();
        power.push(by_time);
        let mut rates: Vec<(ExprId, ExprId)> =
            symbols.position.iter().copied().zip(position_rate.iter().copied()).collect();
        rates.extend(symbols.momentum.iter().copied().zip(momentum_rate.iter().copied()));
        rates.push((symbols.time, ExprId::ONE));
        let acceleration = directional_derivative(pool, &position_rate, &rates, budget)?;
        let dynamics = Dynamics {
            lagrangian: ExprId::ZERO,
            gradient,
            momenta: symbols.momentum.clone(),
            mass: vec![Vec::new(); n],
            energy: hamiltonian,
            forces: forces.to_vec(),
            working: forces.to_vec(),
            impressed: vec![ExprId::ZERO; n],
            explicit_time: pool.neg(by_time),
        };
        let eliminated = Eliminated {
            acceleration,
            multipliers: Vec::new(),
            all_multipliers: Vec::new(),
            momentum_rate: momentum_rate.clone(),
            explicit: true,
            conditions: Vec::new(),
        };
        let power = pool.sum(&power);
        let rows = ConstraintRows::default();
        Ok(Self { hamiltonian, position_rate, momentum_rate, power, dynamics, rows, eliminated })
    }

    /// `H_q`.
    pub fn slopes(&self, pool: &mut Pool) -> Vec<ExprId> {
        self.dynamics.gradient.iter().map(|&minus| pool.neg(minus)).collect()
    }

    /// Energy, forces and accelerations as functions of (q, p, t): there is no Lagrangian, no mass matrix
    /// and no constraint, and the momenta are the symbols themselves.
    #[must_use]
    pub fn in_momenta(&self) -> Solved<'_> {
        let Self { dynamics, rows, eliminated, .. } = self;
        Solved { dynamics, rows, eliminated }
    }
}

impl Kind for HamiltonianField {
    fn hamiltonian_field(&self) -> Option<&HamiltonianField> {
        Some(self)
    }

    fn working_forces(&self) -> &[ExprId] {
        &self.dynamics.working
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
        asked: Integrals,
        budget: &mut Budget,
    ) -> Conservation {
        let mut found = Conservation::default();
        let pool = &mut model.pool;
        conserved::hamiltonian(pool, symbols, self, budget, &mut found);
        let more = of_hamiltonian(pool, symbols, self, &found.conserved, asked, budget);
        found.conserved.extend(more.conserved);
        found.searched.extend(more.searched);
        found
    }

    fn watched(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> Option<Conservation> {
        let mut found = Conservation::default();
        conserved::hamiltonian(&mut model.pool, symbols, self, budget, &mut found);
        Some(found)
    }
}
