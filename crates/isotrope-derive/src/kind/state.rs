//! Systems in state space.

use isotrope_algebra::{Ball, Budget, ExprId};
use isotrope_model::Model;

use super::{Kind, OnStates, Solved};
use crate::check::{Point, Report, Undefined, on_states};
use crate::first_integrals::states::of_states;
use crate::{
    Conservation, ConstraintChain, DistributionReport, Integrals, StateSpace, Symbols, System,
    state,
};

impl Kind for StateSpace {
    fn in_coordinates(&self) -> Option<Solved<'_>> {
        let Self { dynamics, rows, eliminated, .. } = self;
        Some(Solved { dynamics, rows, eliminated })
    }

    fn first_order(&self) -> Option<&[ExprId]> {
        Some(&self.rate)
    }

    fn state(&self) -> Option<&StateSpace> {
        Some(self)
    }

    fn on_states(&self) -> Option<OnStates<'_>> {
        match (&self.descriptor, &self.chain) {
            (Some(all), _) => Some((&all.constraints, &all.jacobian)),
            (None, Some(all)) => Some((&all.kept, &all.jacobian)),
            (None, None) => None,
        }
    }

    fn chain(&self) -> Option<&ConstraintChain> {
        self.chain.as_deref()
    }

    fn has_momenta(&self) -> bool {
        false
    }

    fn has_energy(&self) -> bool {
        self.energy.is_some()
    }

    fn ingredients(&self) -> Vec<ExprId> {
        self.rate.clone()
    }

    fn on_positions(&self) -> Vec<ExprId> {
        let constraints = self.on_states().into_iter().flat_map(|(list, _)| list);
        constraints.map(|constraint| constraint.driven).collect()
    }

    fn enter(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        _rate: Vec<Ball>,
        point: &mut Point,
    ) -> Result<(), Undefined> {
        let rates = point.evaluate(&model.pool, &self.rate, || "a rate".into())?;
        point.set_velocities(&symbols.velocity, rates);
        Ok(())
    }

    /// That the rates have values is known from the point.
    fn check(&self, system: &System, point: &Point, report: &mut Report) {
        if let Some(constraints) = self.on_states() {
            on_states(system, constraints, point, report);
        }
        if let Some(energy) = self.energy {
            let pool = &system.model.pool;
            report.enter_energy(point.evaluate_one(pool, energy, || "the energy".into()));
        }
    }

    fn conserve(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        _report: &DistributionReport,
        asked: Integrals,
        budget: &mut Budget,
    ) -> Conservation {
        let pool = &mut model.pool;
        let mut found = state::conservation(pool, symbols, self, asked, budget);
        let more = of_states(pool, symbols, self, &found.conserved, asked, budget);
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
        let asked = Integrals::default();
        Some(state::conservation(&mut model.pool, symbols, self, asked, budget))
    }
}
