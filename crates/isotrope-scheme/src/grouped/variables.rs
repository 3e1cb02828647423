//! The variables that groups share out, and which group depends on which.

use isotrope_algebra::{Budget, ExprId, OutOfBudget};
use isotrope_derive::{Symbols, System};
use isotrope_methods::table::GroupedTable;
use isotrope_methods::trees::{Family, dependencies};

use crate::mechanics::Writer;

/// The variables of a system that groups can share out, and what is known of them.
pub(super) struct Variables {
    pub names: Vec<String>,
    pub symbols: Vec<ExprId>,
    pub rates: Vec<ExprId>,
    pub kinds: Vec<Kind>,
}

/// What an unknown slope of a variable is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// q' of this coordinate.
    Velocity(usize),
    /// q'' of this coordinate; the unknown is how far it moves q' in a step.
    Acceleration(usize),
    /// p' of this coordinate.
    Force(usize),
}

/// The names of the variables of a system that groups have to share out, for a table that names them; none on Lie
/// groups.
#[must_use]
pub fn grouped_variables(system: &System, table: &GroupedTable) -> Option<Vec<String>> {
    let names = &system.symbols.names;
    if system.mechanics.group().is_some() {
        return None;
    }
    if system.mechanics.first_order().is_some() {
        return Some(names.clone());
    }
    let momenta = names.iter().map(|name| format!("p_{name}"));
    if system.model.system.hamiltonian().is_some() && system.model.constraints.is_empty() {
        return Some(names.iter().cloned().chain(momenta).collect());
    }
    let mut all = names.clone();
    all.extend(names.iter().map(|name| format!("{name}'")));
    let named = |name: &String| table.groups.iter().any(|group| group.variables.contains(name));
    if momenta.clone().any(|name| named(&name)) {
        all.extend(momenta);
    }
    Some(all)
}

/// The trees of a method with these tables on a system: which group depends on which, and how.
pub fn grouped_family(
    system: &System,
    table: &GroupedTable,
    budget: &mut Budget,
) -> Result<Option<Family>, OutOfBudget> {
    let phase;
    let mut of = system;
    if system.mechanics.first_order().is_none()
        && let Some(found) = system.in_phase_space(budget)?
    {
        phase = found;
        of = &phase;
    }
    let Some(names) = grouped_variables(system, table) else { return Ok(None) };
    let Ok(groups) = table.partition(&names) else { return Ok(None) };
    let mut pool = of.model.pool.clone();
    let variables = match of.mechanics.first_order() {
        Some(rates) => (of.symbols.position.clone(), rates.to_vec()),
        None => match of.mechanics.solved() {
            Some(solved) => {
                let all = mechanical(
                    &of.symbols,
                    (&solved.eliminated.acceleration, &solved.eliminated.momentum_rate),
                    names.len(),
                );
                (all.symbols, all.rates)
            }
            None => return Ok(None),
        },
    };
    let mut symbols = vec![Vec::new(); table.groups.len()];
    let mut rates = vec![Vec::new(); table.groups.len()];
    for ((&group, symbol), rate) in groups.iter().zip(variables.0).zip(variables.1) {
        symbols[group].push(symbol);
        rates[group].push(rate);
    }
    let mut found = Vec::with_capacity(rates.len());
    for (group, own) in rates.iter().enumerate() {
        // Time moves as the variables of the group do.
        let mut seen = symbols.clone();
        seen[group].push(of.symbols.time);
        found.extend(dependencies(&mut pool, &seen, std::slice::from_ref(own), budget)?);
    }
    let names = table.groups.iter().map(|group| group.name.clone()).collect();
    Ok(Some(Family::declared(names, found)))
}

/// (q, q'), and p where there are names for them.
fn mechanical(
    symbols: &Symbols,
    (acceleration, momentum_rate): (&[ExprId], &[ExprId]),
    count: usize,
) -> Variables {
    let n = symbols.dimension();
    let mut all = Variables {
        names: symbols.names.clone(),
        symbols: symbols.position.clone(),
        rates: symbols.velocity.clone(),
        kinds: (0..n).map(Kind::Velocity).collect(),
    };
    all.names.extend(symbols.names.iter().map(|name| format!("{name}'")));
    all.symbols.extend(&symbols.velocity);
    all.rates.extend(acceleration);
    all.kinds.extend((0..n).map(Kind::Acceleration));
    if count > 2 * n {
        all.names.extend(symbols.names.iter().map(|name| format!("p_{name}")));
        all.symbols.extend(&symbols.momentum);
        all.rates.extend(momentum_rate);
        all.kinds.extend((0..n).map(Kind::Force));
    }
    all
}

impl Variables {
    pub(super) fn of(writer: &Writer<'_>, table: &GroupedTable) -> Self {
        let symbols = writer.symbols;
        let n = symbols.dimension();
        if let Some(rates) = writer.rates {
            return Self {
                names: symbols.names.clone(),
                symbols: symbols.position.clone(),
                rates: rates.to_vec(),
                kinds: (0..n).map(Kind::Velocity).collect(),
            };
        }
        let momenta: Vec<String> = symbols.names.iter().map(|name| format!("p_{name}")).collect();
        let named = table.groups.iter().flat_map(|group| &group.variables);
        let count =
            if named.into_iter().any(|name| momenta.contains(name)) { 3 * n } else { 2 * n };
        let eliminated = writer.eliminated;
        mechanical(symbols, (&eliminated.acceleration, &eliminated.momentum_rate), count)
    }
}
