//! The modified equations of a method: those that its steps solve.

mod error;

pub use error::ModifiedProblem;

use crate::run::problem_sizes;
use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_certify::modified::{
    ConstraintRate, ElementaryHamiltonian, ModifiedDefect, ModifiedEquation, ModifiedField,
    NoHamiltonian, Numbers, constraint_rates, elementary_hamiltonians, energy_rate, exact_table,
    modified_coefficients, modified_defect, modified_hamiltonian,
};
use isotrope_certify::{LocalMethod, kept_exactly};
use isotrope_derive::System;
use isotrope_methods::table::Table;
use isotrope_methods::trees::{Family, Trees};
use isotrope_scheme::{Method, Steps};

/// Modified equations are written through this power of h, and one less.
pub const LARGEST_ORDER: usize = 8;

/// Operations for coefficients and for the equations of a model.
const BUDGET: u64 = 400_000_000;

/// A slope this far below the expected one does not count.
const TOLERANCE: f64 = 0.25;

/// What is known of a method by backward error analysis.
#[derive(Debug)]
pub struct Modified {
    /// The name of the method.
    pub method: String,
    /// The modified equations are those through h^(order - 1).
    pub order: usize,
    /// The trees: of one colour for one table, else of q and v. One order more than is printed.
    pub trees: Trees,
    /// The coefficients of all trees.
    pub beta: Vec<FieldElement>,
    /// Is the method symplectic for constant mass matrices and potentials?
    pub symplectic: bool,
    /// The modified Hamiltonian by trees, if the method is symplectic.
    pub hamiltonian: Option<Vec<ElementaryHamiltonian>>,
    /// The first power of h that may be missing.
    pub remainder: usize,
    /// How numbers of the method are written.
    pub numbers: Numbers,
    /// What it is for a model.
    pub model: Option<ModifiedModel>,
}

/// The modified equations of a model.
#[derive(Debug)]
pub struct ModifiedModel {
    /// The system; its pool has the expressions.
    pub system: System,
    /// The equations.
    pub equations: Vec<ModifiedEquation>,
    /// The modified Hamiltonian by powers of h, or why there is none.
    pub hamiltonian: Result<Vec<ExprId>, NoHamiltonian>,
    /// dE/dt along the modified equations by powers of h, on the constraints.
    pub energy_rate: Vec<ExprId>,
    /// The rates of the constraints along the modified equations.
    pub constraint_rates: Vec<ConstraintRate>,
    /// Steps against the flow of the equations, or why they could not be compared.
    pub defect: Result<ModifiedDefect, String>,
}

impl Modified {
    /// Analyses a method, for a model if one is given.
    pub fn new(
        method: &Method,
        order: usize,
        system: Option<System>,
    ) -> Result<Self, ModifiedProblem> {
        if order == 0 || order > LARGEST_ORDER {
            return Err(ModifiedProblem::Order { order });
        }
        let budget = &mut Budget::new(BUDGET);
        let table = table(method, budget)?;
        let one_table = table.is_one_table();
        let family = if one_table { Family::runge_kutta() } else { Family::nystrom() };
        let trees = Trees::up_to(&family, order + 1, budget)?;
        let beta = modified_coefficients(&table, &trees, budget)?;
        let exact = kept_exactly(&table, budget)?;
        let symplectic = exact.legendre && exact.symplectic_form;
        // Trees of one colour are about all Hamiltonian systems, those of q and v about H = T + U.
        let by_trees = if one_table { exact.bilinear_velocity } else { symplectic };
        let hamiltonian = match by_trees {
            true => Some(elementary_hamiltonians(&table, &trees, &beta, order, budget)?),
            false => None,
        };
        let next = trees.of_order(order + 1).any(|tree| !beta[tree.index()].is_zero());
        let remainder = if next { order } else { order + 1 };
        let nothing = Pool::new();
        let numbers =
            Numbers::new(&table, system.as_ref().map_or(&nothing, |system| &system.model.pool));
        let model = match system {
            Some(system) => {
                Some(of_model(method, &table, order, system, symplectic, &numbers, budget)?)
            }
            None => None,
        };
        Ok(Self {
            method: method.name().to_owned(),
            order,
            trees,
            beta,
            symplectic,
            hamiltonian,
            remainder,
            numbers,
            model,
        })
    }

    /// Does the measured slope contradict the equations?
    pub fn is_contradicted(&self) -> bool {
        let slope = self.model.as_ref().and_then(|model| model.defect.as_ref().ok()?.slope);
        slope.is_some_and(|slope| slope < (self.remainder + 1) as f64 - TOLERANCE)
    }
}

impl ModifiedModel {
    /// What the rates of constraints are rates of: `rod` for φ and `rod'` for its rate; a constraint
    /// on velocities has its name alone.
    pub fn constraint_names(&self) -> Vec<String> {
        let on_positions = |name: &str| {
            self.constraint_rates.iter().any(|rate| rate.on_positions && rate.name == name)
        };
        let name = |rate: &ConstraintRate| match !rate.on_positions && on_positions(&rate.name) {
            true => format!("{}'", rate.name),
            false => rate.name.clone(),
        };
        self.constraint_rates.iter().map(name).collect()
    }
}

/// The exact table of a method.
fn table(method: &Method, budget: &mut Budget) -> Result<Table, ModifiedProblem> {
    match method.steps() {
        Steps::Table(table) => Ok(table.as_ref().clone()),
        Steps::Composition(composed) => exact_table(composed, budget)?
            .ok_or_else(|| ModifiedProblem::Composition { name: composed.name.clone() }),
        Steps::Adaptive => Err(ModifiedProblem::OwnSteps),
        Steps::Equations(scheme) => Err(ModifiedProblem::Equations {
            name: scheme.name().to_owned(),
            family: scheme.family(),
        }),
    }
}

/// Is the model given by H, without constraints, and p = L_v depends on positions or time? Then (q, v) and
/// (q, p) are different methods, and runs take the second.
fn steps_in_momenta(system: &System) -> bool {
    let Some((dynamics, _)) = system.mechanics.dynamics() else { return false };
    let (model, symbols) = (&system.model, &system.symbols);
    let moving = [&symbols.position[..], &[symbols.time]].concat();
    model.system.hamiltonian().is_some()
        && model.constraints.is_empty()
        && dynamics.momenta.iter().any(|&p| model.pool.depends_on(p, &moving))
}

fn of_model(
    method: &Method,
    table: &Table,
    order: usize,
    mut system: System,
    symplectic: bool,
    numbers: &Numbers,
    budget: &mut Budget,
) -> Result<ModifiedModel, ModifiedProblem> {
    if steps_in_momenta(&system) {
        return Err(ModifiedProblem::InMomenta);
    }
    let trees = Trees::up_to(&Family::nystrom(), order, budget)?;
    let beta = modified_coefficients(table, &trees, budget)?;
    let mut field = ModifiedField::new(&mut system, &trees, order, &beta, numbers, budget)?;
    let hamiltonian = match symplectic {
        true => modified_hamiltonian(&mut system, &mut field, order, budget)?,
        false => Err(NoHamiltonian::NotSymplectic),
    };
    let equations = field.equations;
    let energy_rate = energy_rate(&mut system, &equations, budget)?;
    let constraint_rates = constraint_rates(&mut system, &equations, budget)?;
    let letter =
        numbers.generator().map(|(letter, number)| (system.model.pool.symbol(letter), number));
    // Of a composition the steps are taken one by one: another road than its table.
    let steps = match method.steps() {
        Steps::Composition(composed) => LocalMethod::Composition(composed),
        _ => LocalMethod::Table(table),
    };
    let sizes = problem_sizes(&system);
    let defect = modified_defect(&system, steps, &equations, letter, &sizes, budget);
    let defect = defect.map_err(|error| error.to_string());
    Ok(ModifiedModel { system, equations, hamiltonian, energy_rate, constraint_rates, defect })
}
