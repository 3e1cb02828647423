//! The rates that `[equations]` give.

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::{Substitution, substitute};

use crate::ModelCode;
use crate::diagnostics::{Place, Reporter};
use crate::state::StateModel;
use crate::state::build::{Placed, Written};
use crate::state::coupled::{Coupled, Unsolved};

impl Written<'_, '_, '_, '_> {
    /// The rates that the equations give: one for each coordinate, those of equations of second order last.
    pub(crate) fn rates(mut self, model: &mut StateModel) -> Option<()> {
        if self.sound {
            self.check(model);
        }
        let coupled = !self.implicit.is_empty() || self.accelerated.contains(&true);
        if coupled && self.sound && self.names.reporter.is_empty() {
            self.decouple(model.place)?;
        }
        for (i, coordinate) in self.names.scope.coordinates.iter().enumerate() {
            let own = self.first[i].map(|rate| rate.0);
            model.rates.push(if self.second[i].is_some() { coordinate.velocity } else { own? });
        }
        model.rates.extend(self.second.iter().flatten().map(|rate| rate.0));
        Some(())
    }

    /// Solves for the rates where equations contain several of them.
    fn decouple(&mut self, table: Place) -> Option<()> {
        let coordinates = &self.names.scope.coordinates;
        let open: Vec<usize> = (0..self.first.len()).filter(|&i| self.first[i].is_none()).collect();
        let is_second = |i: usize| self.second[i].is_some() || self.accelerated[i];
        let unknowns: Vec<ExprId> = open
            .iter()
            .map(|&i| match is_second(i) {
                true => coordinates[i].acceleration,
                false => coordinates[i].velocity,
            })
            .collect();
        let explicit: Vec<Option<Placed>> = open.iter().map(|&i| self.second[i]).collect();
        let parameters = self.names.parameters.list.iter().enumerate().filter_map(|(k, own)| {
            let symbol = self.pool.find_symbol(&own.name)?;
            Some((symbol, self.names.parameters.exact(k)?))
        });
        let parameters = parameters.collect();
        let coupled = Coupled {
            unknowns: &unknowns,
            explicit: &explicit,
            implicit: &self.implicit,
            parameters: &parameters,
        };
        let values = match coupled.solve(self.pool) {
            Ok(values) => values,
            Err(reason) => {
                let name = |k: &usize| {
                    let i = open[*k];
                    let primes = if is_second(i) { "''" } else { "'" };
                    format!("{}{primes}", coordinates[i].name)
                };
                report_unsolved(&reason, name, table, self.names.reporter);
                return None;
            }
        };
        let mut map: Substitution = unknowns.iter().copied().zip(values.iter().copied()).collect();
        let places: Vec<bool> = open.iter().map(|&i| is_second(i)).collect();
        for ((&i, value), second) in open.iter().zip(values).zip(places) {
            let slot = if second { &mut self.second[i] } else { &mut self.first[i] };
            let place = slot.map_or(table, |old| old.1);
            *slot = Some((value, place));
        }
        // Rates of first order may contain accelerations of others.
        map.retain(|symbol, _| coordinates.iter().any(|c| c.acceleration == *symbol));
        for rate in self.first.iter_mut().flatten() {
            let Ok(value) = substitute(self.pool, &[rate.0], &map, &mut self.names.budget) else {
                let message = "the equation is too large with its accelerations written out";
                self.names.reporter.error(ModelCode::TooLarge, rate.1, message);
                return None;
            };
            rate.0 = value[0];
        }
        Some(())
    }

    /// One equation for each coordinate, and no velocities but those of the state.
    fn check(&mut self, model: &StateModel) {
        let Self { first, second, implicit, accelerated, names, pool, .. } = self;
        let scope = names.scope;
        let left: Vec<ExprId> = implicit.iter().map(|residual| residual.value).collect();
        let below = pool.reachable(&left);
        let occurs = |symbol: &ExprId| below.binary_search(symbol).is_ok();
        let rests = |i: usize| {
            let coordinate = &scope.coordinates[i];
            !occurs(&coordinate.velocity) && !occurs(&coordinate.acceleration)
        };
        let missing: Vec<&str> = (0..first.len())
            .filter(|&i| first[i].is_none() && second[i].is_none() && rests(i))
            .map(|i| scope.coordinates[i].name.as_str())
            .take(8)
            .collect();
        if let Some(name) = missing.first() {
            let message = format!("there is no equation for {}", missing.join(", "));
            names
                .reporter
                .error(ModelCode::MissingRate, model.place, message)
                .hint(format!("add \"{name}'\" = \"…\""));
        }
        for (a, b) in first.iter().zip(&*second) {
            if let (Some((_, a)), Some((_, b))) = (a, b) {
                names
                    .reporter
                    .error(ModelCode::DuplicateComponent, *b, "the coordinate has two equations")
                    .hint("keep one of the two")
                    .label(*a, "the other is here");
            }
        }
        let open = first.iter().filter(|rate| rate.is_none()).count();
        let equations = second.iter().flatten().count() + implicit.len();
        if missing.is_empty() && !implicit.is_empty() && open != equations {
            let message = format!("{equations} equations are given for {open} unknown rates");
            names
                .reporter
                .error(ModelCode::MissingRate, model.place, message)
                .hint("give as many equations as there are coordinates");
        }
        for (i, coordinate) in scope.coordinates.iter().enumerate() {
            if let (Some((_, place)), true, None) = (first[i], accelerated[i], second[i]) {
                let message = format!(
                    "`{0}''` is used elsewhere, but the equation of `{0}` is of first order",
                    coordinate.name
                );
                names
                    .reporter
                    .error(ModelCode::Acceleration, place, message)
                    .hint(format!("write out what {}'' equals", coordinate.name));
            }
        }
        // Rates of first order are not part of the state, but may be what equations are solved for.
        let foreign: Vec<usize> =
            (0..first.len()).filter(|&i| second[i].is_none() && !accelerated[i]).collect();
        let settled: Vec<usize> = foreign.iter().copied().filter(|&i| first[i].is_some()).collect();
        let explicit = first.iter().chain(&*second).flatten().copied();
        let explicit = explicit.chain(model.outputs.iter().map(|out| (out.value, out.place)));
        let explicit = explicit.map(|(value, place)| (value, place, &foreign));
        let sides = implicit.iter().map(|residual| (residual.value, residual.place, &settled));
        let values = explicit.chain(sides);
        for (value, place, foreign) in values {
            let below = pool.reachable(&[value]);
            let used = foreign
                .iter()
                .map(|&i| &scope.coordinates[i])
                .find(|coordinate| below.binary_search(&coordinate.velocity).is_ok());
            if let Some(coordinate) = used {
                let message = format!(
                    "`{0}'` is not part of the state: the equation of `{0}` is of first order",
                    coordinate.name
                );
                names
                    .reporter
                    .error(ModelCode::Velocity, place, message)
                    .hint(format!("write out what {}' equals", coordinate.name));
            }
        }
    }
}

fn report_unsolved(
    reason: &Unsolved,
    name: impl Fn(&usize) -> String,
    table: Place,
    reporter: &mut Reporter,
) {
    match reason {
        Unsolved::NotLinear(place) => {
            let message = "the equation is not linear in the highest rates of the coordinates";
            reporter
                .error(ModelCode::Acceleration, *place, message)
                .hint("solve it for its rate, and write that alone on the left-hand side");
        }
        Unsolved::Singular { rank, rates, place } => {
            let shown: Vec<String> = rates.iter().take(8).map(name).collect();
            let more = if rates.len() > shown.len() { ", …" } else { "" };
            let message = format!(
                "the equations do not determine {}{more}: the matrix of their coefficients has rank {rank} of {}",
                shown.join(", "),
                rates.len()
            );
            let hint =
                "an equation follows from the others, or parameters make coefficients cancel";
            reporter.error(ModelCode::Coupled, *place, message).hint(hint);
        }
        Unsolved::OutOfBudget(reason) => {
            let message = format!("the rates cannot be solved for: {reason}");
            reporter
                .error(ModelCode::TooLarge, table, message)
                .hint("solve the equations for their rates by hand");
        }
    }
}
