//! The (q, v, p) problem of a mechanical model.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::{Budget, ExprId};

use super::{Draft, Group, Parameter, Problem, ProblemError, StructureFunction, StructureKind};
use isotrope_derive::{LagrangianMechanics, System, Written};
use isotrope_methods::trees::Family;

/// What the parameters of a model stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameters {
    /// All values at once: conditions hold whatever the parameters are.
    Symbols,
    /// Their values, where these are rational.
    Values,
}

impl Problem {
    /// q' = v, v' = f(q, v), p' = g(q, v) with the multipliers eliminated, on the manifold
    /// φ(q) = 0, A(q) v = 0, p = ∂L/∂v: parts `phi_q`, `phi_v` and `psi` of the structure.
    ///
    /// The family of trees is [`Family::qvp`], whatever the degrees of f and g, so that
    /// conditions are written in the same trees as those of a class.
    pub fn of_model(
        system: &System,
        parameters: Parameters,
        budget: &mut Budget,
    ) -> Result<Self, ProblemError> {
        let Some(LagrangianMechanics { dynamics, rows, eliminated, .. }) =
            system.mechanics.lagrangian()
        else {
            return Err(ProblemError::NotMechanical);
        };
        let names = &system.symbols.names;
        let named = |prefix: &str| names.iter().map(|name| format!("{prefix}{name}")).collect();
        let group =
            |name: &str, prefix: &str| Group { name: name.to_owned(), variables: named(prefix) };
        let mut draft = Draft {
            name: system.model.name.clone(),
            description: system.model.description.clone(),
            pool: system.model.pool.clone(),
            groups: vec![group("q", ""), group("v", "v_"), group("p", "p_")],
            symbols: vec![
                system.symbols.position.clone(),
                system.symbols.velocity.clone(),
                system.symbols.momentum.clone(),
            ],
            rates: vec![
                system.symbols.velocity.clone(),
                eliminated.acceleration.clone(),
                eliminated.momentum_rate.clone(),
            ],
            family: Some(Family::qvp()),
            ..Draft::default()
        };
        let mut legendre = Vec::with_capacity(names.len());
        for (momentum, value) in system.symbols.momentum.iter().zip(&dynamics.momenta) {
            legendre.push(draft.pool.sub(*momentum, *value));
        }
        let mut add = |name: String, part: &str, expression: ExprId| {
            let (part, kind) = (part.to_owned(), StructureKind::Manifold);
            draft.structure.push(StructureFunction { name, part, kind, expression });
        };
        for (row, name) in rows.names.iter().enumerate() {
            if rows.written[row] == Written::Position {
                add(name.clone(), "phi_q", rows.expressions[row]);
            }
            add(format!("{name}'"), "phi_v", rows.velocity_level[row]);
        }
        for (name, expression) in names.iter().zip(legendre) {
            add(format!("p_{name}"), "psi", expression);
        }
        specialise(system, parameters, &mut draft, budget)?;
        let mut all: Vec<ExprId> = draft.rates.iter().flatten().copied().collect();
        all.extend(draft.structure.iter().map(|function| function.expression));
        if all.iter().any(|id| draft.pool.depends_on(*id, &[system.symbols.time])) {
            return Err(ProblemError::Time);
        }
        draft.finish(budget)
    }
}

/// Replaces parameters by their values, where that is wanted and they are rational.
fn specialise(
    system: &System,
    parameters: Parameters,
    draft: &mut Draft,
    budget: &mut Budget,
) -> Result<(), ProblemError> {
    let mut map = Substitution::default();
    for parameter in &system.model.parameters {
        let value = draft.pool.as_number(parameter.exact).cloned();
        let value = value.filter(|_| parameters == Parameters::Values);
        if value.is_some() {
            map.insert(parameter.symbol, parameter.exact);
        }
        draft.parameters.push(Parameter { name: parameter.name.clone(), value });
    }
    for rates in &mut draft.rates {
        *rates = substitute(&mut draft.pool, rates, &map, budget)?;
    }
    for function in &mut draft.structure {
        let replaced = substitute(&mut draft.pool, &[function.expression], &map, budget)?;
        function.expression = replaced.first().copied().unwrap_or(function.expression);
    }
    Ok(())
}
