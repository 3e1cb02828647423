//! Systems on Lie groups.

use isotrope_algebra::{Ball, Budget, ExprId};
use isotrope_model::Model;

use super::{Kind, Solved};
use crate::check::{Point, Report, Undefined, of_lagrangian};
use crate::{
    Conservation, ConstraintRows, DistributionReport, Dynamics, GroupMechanics, Integrals, Symbols,
    System, group,
};

impl Kind for GroupMechanics {
    fn dynamics(&self) -> Option<(&Dynamics, &ConstraintRows)> {
        Some((&self.dynamics, &self.rows))
    }

    fn solved(&self) -> Option<Solved<'_>> {
        let Self { dynamics, rows, eliminated, .. } = self;
        Some(Solved { dynamics, rows, eliminated })
    }

    fn group(&self) -> Option<&GroupMechanics> {
        Some(self)
    }

    fn constrained(&self) -> Option<(&Dynamics, &ConstraintRows)> {
        self.dynamics()
    }

    fn initial_configuration<'s>(&'s self, _model: &'s Model) -> &'s [ExprId] {
        &self.initial
    }

    fn enter(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        rate: Vec<Ball>,
        point: &mut Point,
    ) -> Result<(), Undefined> {
        let named = self.initial.iter().zip(&self.number_names);
        let values: Vec<Ball> = named
            .map(|(&id, name)| {
                point.evaluate_one(&model.pool, id, || format!("the initial value of {name}"))
            })
            .collect::<Result<_, _>>()?;
        point.set(&self.numbers, values);
        let (entries, written): (Vec<ExprId>, Vec<ExprId>) = self.entries.iter().copied().unzip();
        let values = point.evaluate(&model.pool, &written, || "the initial rotation".into())?;
        point.set(&entries, values);
        point.set_velocities(&symbols.velocity, rate);
        Ok(())
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
        group::classify(self, model, symbols, budget)
    }

    fn conserve(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        _report: &DistributionReport,
        asked: Integrals,
        budget: &mut Budget,
    ) -> Conservation {
        group::conserve(self, model, symbols, asked, budget)
    }

    fn watched(
        &self,
        model: &mut Model,
        symbols: &Symbols,
        budget: &mut Budget,
    ) -> Option<Conservation> {
        Some(group::watched(self, model, symbols, budget))
    }
}
