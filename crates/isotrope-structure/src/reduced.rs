//! The final manifold of a singular Lagrangian as a model file: a Lagrangian of first order, or equations.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::print::to_text;
use isotrope_algebra::syntax::is_name;
use isotrope_algebra::{Budget, ExprId, OutOfBudget};
use isotrope_derive::{NotReduced, ReducedMotion, System};
use isotrope_model::files::quoted;

use crate::connect::section;

/// The text of the file; `source` is what its comment calls the model.
pub fn reduced_model(
    system: &mut System,
    source: &str,
    budget: &mut Budget,
) -> Result<Result<String, NotReduced>, OutOfBudget> {
    let found = match system.reduced_chain(budget)? {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let names = system.symbols.names.clone();
    let mechanical = matches!(found.motion, ReducedMotion::FirstOrder { .. });
    let model = &mut system.model;
    // Beside a coordinate x of a Lagrangian, p_x is its momentum.
    let mut taken: Vec<String> = names.to_vec();
    taken.extend(model.parameters.iter().map(|parameter| parameter.name.clone()));
    taken.push("t".to_owned());
    let mut own = Vec::with_capacity(found.coordinates.len());
    let mut renamed = Substitution::default();
    for &k in &found.coordinates {
        let plain = is_name(&names[k]) && !(mechanical && k >= names.len() / 2);
        let name = match plain {
            true => names[k].clone(),
            false => fresh(&names[k], &mut taken),
        };
        renamed.insert(system.symbols.position[k], model.pool.symbol(&name));
        own.push(name);
    }
    let mut text = |id: ExprId| -> Result<String, OutOfBudget> {
        let id = substitute(&mut model.pool, &[id], &renamed, budget)?[0];
        to_text(&model.pool, id, budget)
    };
    let source: String = source.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut lines =
        vec![format!("# The final manifold of {source}, by `isotrope derive --reduce --save`.")];
    for (name, value) in names.iter().zip(&found.all) {
        let known = own.contains(name);
        lines.extend(match value {
            Some(value) if !known => Some(format!("# {name} = {}", text(*value)?)),
            None => Some(format!("# {name} is gauge.")),
            Some(_) => None,
        });
    }
    lines.push(format!("name = {}", quoted(&format!("{} (reduced)", model.name))));
    let list: Vec<String> = own.iter().map(|name| quoted(name)).collect();
    lines.push(format!("coordinates = [{}]", list.join(", ")));
    let parameters: Vec<(String, ExprId)> =
        model.parameters.iter().map(|p| (p.name.clone(), p.value)).collect();
    let initial: Vec<ExprId> = match model.initial.absent {
        Some(_) => Vec::new(),
        None => found.coordinates.iter().map(|&k| model.initial.position[k]).collect(),
    };
    let run = [("step", model.run.step), ("time", model.run.time)];
    let mut entries = Vec::new();
    for (name, value) in parameters {
        entries.push((name, text(value)?));
    }
    section(&mut lines, "parameters", entries);
    match &found.motion {
        ReducedMotion::FirstOrder { form, hamiltonian } => {
            let mut terms = Vec::new();
            for (name, &theta) in own.iter().zip(form).filter(|(_, theta)| !theta.is_zero()) {
                terms.push(format!("({})*{name}'", text(theta)?));
            }
            let lagrangian = format!("{} - ({})", terms.join(" + "), text(*hamiltonian)?);
            section(&mut lines, "lagrangian", vec![("L".to_owned(), lagrangian)]);
        }
        ReducedMotion::Equations(rates) => {
            let mut entries = Vec::new();
            for (name, &rate) in own.iter().zip(rates) {
                entries.push((format!("{name}'"), text(rate)?));
            }
            section(&mut lines, "equations", entries);
        }
    }
    let mut entries = Vec::new();
    for (name, value) in own.iter().zip(initial) {
        entries.push((name.clone(), text(value)?));
    }
    section(&mut lines, "initial.position", entries);
    let mut entries = Vec::new();
    for (key, value) in run {
        if let Some(value) = value {
            entries.push((key.to_owned(), text(value)?));
        }
    }
    section(&mut lines, "run", entries);
    Ok(Ok(lines.join("\n") + "\n"))
}

/// p_x as `momentum_x`, q[1] as `q_1`, with more underscores where that is taken.
fn fresh(name: &str, taken: &mut Vec<String>) -> String {
    let spelled = match name.strip_prefix("p_") {
        Some(of) => format!("momentum_{of}"),
        None => name.to_owned(),
    };
    let letter = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let mut found: String = spelled.chars().map(letter).collect();
    found.truncate(found.trim_end_matches('_').len());
    while taken.contains(&found) {
        found.push('_');
    }
    taken.push(found.clone());
    found
}
