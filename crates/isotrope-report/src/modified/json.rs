//! The modified equations as JSON.

use isotrope_algebra::print::{Format, to_text};
use isotrope_algebra::{Budget, ExprId, Rational};
use isotrope_certify::modified::{ConstraintRate, ElementaryHamiltonian, ModifiedEquation};
use serde_json::{Map, Value, json};

use super::PRINTED;
use isotrope_study::modified::{Modified, ModifiedModel};

/// One object; expressions are text that parses back.
pub fn to_json(modified: &Modified) -> Value {
    let trees = &modified.trees;
    let coefficients: Vec<Value> = (1..=modified.order)
        .flat_map(|order| trees.of_order(order))
        .map(|tree| {
            json!({
                "tree": trees.name(tree),
                "beta": super::number(modified, &modified.beta[tree.index()], Format::Text),
                "sigma": trees.sigma(tree).to_string(),
            })
        })
        .collect();
    let generator = modified.numbers.generator().map(|(letter, number)| {
        json!({ "name": letter, "exact": number.to_string(), "value": number.to_f64() })
    });
    let elementary: Option<Vec<Value>> = modified.hamiltonian.as_ref().map(|terms| {
        let term = |term: &ElementaryHamiltonian| {
            json!({
                "tree": trees.name(term.tree),
                "coefficient": super::number(modified, &term.coefficient, Format::Text),
            })
        };
        terms.iter().map(term).collect()
    });
    let model = modified.model.as_ref();
    let hamiltonian = model.and_then(|model| model.hamiltonian.as_ref().ok().map(|h| (model, h)));
    let defect = model.and_then(|model| model.defect.as_ref().ok());
    json!({
        "method": modified.method,
        "model": model.map(|model| model.system.model.name.clone()),
        "order": modified.order,
        "family": trees.family().name(),
        "coefficients": coefficients,
        "generator": generator,
        "elementary_hamiltonians": elementary,
        "equations": model.map(equations),
        "remainder": modified.remainder,
        "hamiltonian": hamiltonian.map(|(model, powers)| list(model, powers)),
        "hamiltonian_reason": model.and_then(|model| {
            model.hamiltonian.as_ref().err().map(ToString::to_string)
        }),
        "energy_rate": model.map(|model| list(model, &model.energy_rate)),
        "constraint_rates": model.map(constraints),
        "symplectic": modified.symplectic,
        "defect": defect.map(|defect| json!({
            "steps": defect.steps.iter().map(Rational::to_f64).collect::<Vec<_>>(),
            "errors": defect.errors,
            "slope": defect.slope,
            "expected": modified.remainder + 1,
        })),
    })
}

fn equations(model: &ModifiedModel) -> Value {
    let entry = |equation: &ModifiedEquation| {
        let name = model.system.model.pool.name_of(equation.variable).unwrap_or_default();
        (name.to_owned(), list(model, &equation.powers))
    };
    Value::Object(model.equations.iter().map(entry).collect::<Map<_, _>>())
}

fn constraints(model: &ModifiedModel) -> Value {
    let entry = |rate: &ConstraintRate| {
        json!({
            "name": rate.name,
            "level": if rate.on_positions { "position" } else { "velocity" },
            "rate": list(model, &rate.powers),
        })
    };
    Value::Array(model.constraint_rates.iter().map(entry).collect())
}

/// Texts by powers of h; `null` where one is too long.
fn list(model: &ModifiedModel, powers: &[ExprId]) -> Value {
    let pool = &model.system.model.pool;
    let text = |&id: &ExprId| to_text(pool, id, &mut Budget::new(PRINTED)).ok();
    json!(powers.iter().map(text).collect::<Vec<_>>())
}
