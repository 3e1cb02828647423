//! The modified equations as JSON.

use isotrope_algebra::print::{Format, to_text};
use isotrope_algebra::{Budget, ExprId, OrInternal, Rational};
use isotrope_certify::modified::{ConstraintRate, ElementaryHamiltonian, ModifiedEquation};
use isotrope_study::modified::{Modified, ModifiedModel};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::PRINTED;
use crate::json::{Expression, Named, value};

/// What `isotrope modified` answers; expressions are text that parses back.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ModifiedRecord {
    /// The method.
    method: String,
    /// The model.
    model: Option<String>,
    /// The highest order of trees.
    order: usize,
    /// The family of trees.
    family: String,
    /// Coefficients of the elementary differentials.
    coefficients: Vec<CoefficientRecord>,
    /// The algebraic number in which they are written.
    generator: Option<GeneratorRecord>,
    /// Coefficients of the elementary Hamiltonians, of symplectic methods.
    elementary_hamiltonians: Option<Vec<ElementaryRecord>>,
    /// The modified equations by variables and powers of h.
    equations: Option<Named<Vec<Expression>>>,
    /// The power of h of what is left out.
    remainder: usize,
    /// The modified Hamiltonian by powers of h.
    hamiltonian: Option<Vec<Expression>>,
    /// Why there is none.
    hamiltonian_reason: Option<String>,
    /// The rate of the energy by powers of h.
    energy_rate: Option<Vec<Expression>>,
    /// The rates of the constraints.
    constraint_rates: Option<Vec<RateRecord>>,
    /// Is the method symplectic?
    symplectic: bool,
    /// How well the method follows the modified equations, measured.
    defect: Option<DefectRecord>,
}

/// The coefficient of a tree.
#[derive(Debug, JsonSchema, Serialize)]
struct CoefficientRecord {
    /// The tree.
    tree: String,
    /// Its coefficient.
    beta: String,
    /// The number of its symmetries.
    sigma: String,
}

/// An algebraic number.
#[derive(Debug, JsonSchema, Serialize)]
struct GeneratorRecord {
    /// Its letter.
    name: String,
    /// Its definition.
    exact: String,
    /// Its value.
    value: f64,
}

/// The coefficient of an elementary Hamiltonian.
#[derive(Debug, JsonSchema, Serialize)]
struct ElementaryRecord {
    /// The tree.
    tree: String,
    /// Its coefficient.
    coefficient: String,
}

/// The rate of a constraint.
#[derive(Debug, JsonSchema, Serialize)]
struct RateRecord {
    /// The constraint.
    name: String,
    /// `position` or `velocity`.
    level: &'static str,
    /// By powers of h.
    rate: Vec<Expression>,
}

/// Measured distances of steps from the modified flow.
#[derive(Debug, JsonSchema, Serialize)]
struct DefectRecord {
    /// The steps.
    steps: Vec<f64>,
    /// The distances.
    errors: Vec<f64>,
    /// The measured power.
    slope: Option<f64>,
    /// The power that is expected.
    expected: usize,
}

/// The answer as JSON.
pub fn to_json(modified: &Modified) -> Value {
    let trees = &modified.trees;
    let coefficients = (1..=modified.order).flat_map(|order| trees.of_order(order)).map(|tree| {
        CoefficientRecord {
            tree: trees.name(tree),
            beta: super::number(modified, &modified.beta[tree.index()], Format::Text),
            sigma: trees.sigma(tree).to_string(),
        }
    });
    let generator = modified.numbers.generator().map(|(letter, number)| GeneratorRecord {
        name: letter.to_string(),
        exact: number.to_string(),
        value: number.to_f64(),
    });
    let elementary = modified.hamiltonian.as_ref().map(|terms| {
        let term = |term: &ElementaryHamiltonian| ElementaryRecord {
            tree: trees.name(term.tree),
            coefficient: super::number(modified, &term.coefficient, Format::Text),
        };
        terms.iter().map(term).collect()
    });
    let model = modified.model.as_ref();
    let hamiltonian = model.and_then(|model| model.hamiltonian.as_ref().ok().map(|h| (model, h)));
    let defect = model.and_then(|model| model.defect.as_ref().ok());
    value(&ModifiedRecord {
        method: modified.method.clone(),
        model: model.map(|model| model.system.model.name.clone()),
        order: modified.order,
        family: trees.family().name().to_owned(),
        coefficients: coefficients.collect(),
        generator,
        elementary_hamiltonians: elementary,
        equations: model.map(equations),
        remainder: modified.remainder,
        hamiltonian: hamiltonian.map(|(model, powers)| list(model, powers)),
        hamiltonian_reason: model
            .and_then(|model| model.hamiltonian.as_ref().err().map(ToString::to_string)),
        energy_rate: model.map(|model| list(model, &model.energy_rate)),
        constraint_rates: model.map(constraints),
        symplectic: modified.symplectic,
        defect: defect.map(|defect| DefectRecord {
            steps: defect.steps.iter().map(Rational::to_f64).collect(),
            errors: defect.errors.clone(),
            slope: defect.slope,
            expected: modified.remainder + 1,
        }),
    })
}

fn equations(model: &ModifiedModel) -> Named<Vec<Expression>> {
    let entry = |equation: &ModifiedEquation| {
        let name =
            model.system.model.pool.name_of(equation.variable).or_noticed("a variable has a name");
        (name.to_owned(), list(model, &equation.powers))
    };
    model.equations.iter().map(entry).collect()
}

fn constraints(model: &ModifiedModel) -> Vec<RateRecord> {
    let entry = |rate: &ConstraintRate| RateRecord {
        name: rate.name.clone(),
        level: if rate.on_positions { "position" } else { "velocity" },
        rate: list(model, &rate.powers),
    };
    model.constraint_rates.iter().map(entry).collect()
}

/// Texts by powers of h; `null` where one is too long.
fn list(model: &ModifiedModel, powers: &[ExprId]) -> Vec<Expression> {
    let pool = &model.system.model.pool;
    powers.iter().map(|&id| to_text(pool, id, &mut Budget::new(PRINTED)).ok()).collect()
}
