//! The equations of a model in state space.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId};

use super::{PortError, Problem, Values};
use isotrope_derive::System;

/// The equations of a derived model and the energy that its file has. Parameters named in
/// `fixed` are replaced by their values, the others stay symbols.
pub fn problem_of(
    system: &mut System,
    fixed: &[&str],
    budget: &mut Budget,
) -> Result<(Problem, Option<ExprId>), PortError> {
    let Some(state) = system.mechanics.state() else { return Err(PortError::NotEquations) };
    if state.descriptor.is_some() {
        return Err(PortError::Descriptor);
    }
    let model = &mut system.model;
    let given = model.parameters.iter().filter(|p| fixed.contains(&p.name.as_str()));
    let given: Substitution = given.map(|p| (p.symbol, p.exact)).collect();
    let values = Values::new(model.parameters.iter().map(|p| (p.symbol, p.exact)).collect());
    let pool = &mut model.pool;
    let states: Vec<ExprId> = model.coordinates.iter().map(|c| c.position).collect();
    let rates = substitute(pool, &state.rate_of_inputs, &given, budget)?;
    let inputs = state.inputs.iter().map(|input| input.symbol).collect();
    let outputs: Vec<ExprId> = state.outputs.iter().map(|output| output.1).collect();
    let outputs = substitute(pool, &outputs, &given, budget)?;
    let energy = state.energy.map(|h| substitute(pool, &[h], &given, budget)).transpose()?;
    let problem = Problem::new(pool, states, rates, inputs, outputs, values, budget)?;
    Ok((problem, energy.map(|list| list[0])))
}

/// Reads an energy from outside the file: its symbols must be states or parameters of the model.
/// Parameters named in `fixed` are replaced by their values.
pub fn read_energy(
    system: &mut System,
    text: &str,
    fixed: &[&str],
    budget: &mut Budget,
) -> Result<ExprId, PortError> {
    let model = &mut system.model;
    let pool = &mut model.pool;
    let energy = parse_expression(pool, text)
        .map_err(|error| PortError::Read { reason: error.to_string() })?;
    let coordinates = model.coordinates.iter().map(|c| c.position);
    let known: Vec<ExprId> = coordinates.chain(model.parameters.iter().map(|p| p.symbol)).collect();
    if let Some(symbol) = pool.symbols_in(&[energy]).into_iter().find(|s| !known.contains(s)) {
        let name = pool.label(symbol);
        return Err(PortError::Hamiltonian { name });
    }
    let given = model.parameters.iter().filter(|p| fixed.contains(&p.name.as_str()));
    let given: Substitution = given.map(|p| (p.symbol, p.exact)).collect();
    Ok(substitute(pool, &[energy], &given, budget)?[0])
}
