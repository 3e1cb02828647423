//! The structure conditions of a class or of one problem as text, JSON and LaTeX.

mod json;
mod latex;
mod problem;
mod text;

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;
use isotrope_scheme::construct::problem::ProblemError;
use isotrope_scheme::construct::symbolic::SymbolicError;
use isotrope_scheme::methods::classes::{
    Class, ClassError, Condition, Conditions, Part, Structure, conditions,
};

pub use json::to_json;
pub use latex::to_latex;
pub use problem::{
    ProblemListing, list_problem, problem_to_json, problem_to_latex, problem_to_text,
};
pub use text::to_text;

/// Conditions are computed up to this power of h: minutes for the widest classes.
pub const LARGEST_ORDER: usize = 6;

/// Enough for the largest order of every class, and the same on every machine.
const BUDGET: u64 = 100_000_000_000;

/// The seed of the random problems: the same answer every time.
const SEED: u64 = 1;

/// Why there are no conditions to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionsError {
    /// No class has this name.
    Class {
        /// What was asked for.
        name: String,
    },
    /// The class has no such quantity.
    Part {
        /// The class.
        class: Class,
        /// The quantity.
        part: Part,
    },
    /// A power of h that is zero or too large.
    Order {
        /// The power.
        order: usize,
    },
    /// An order of the method that leaves no conditions.
    Given {
        /// The order of the method.
        given: usize,
        /// The power of h.
        order: usize,
    },
    /// The computation failed.
    Failed(ClassError),
    /// The computation for one problem failed.
    Symbolic(SymbolicError),
    /// The model is not a problem of this kind.
    Problem(ProblemError),
}

impl ConditionsError {
    /// Its stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Class { .. } => "ISO-CONDITIONS-001",
            Self::Part { .. } => "ISO-CONDITIONS-002",
            Self::Order { .. } => "ISO-CONDITIONS-003",
            Self::Given { .. } => "ISO-CONDITIONS-004",
            Self::Failed(_) | Self::Symbolic(_) => "ISO-CONDITIONS-005",
            Self::Problem(_) => "ISO-CONDITIONS-006",
        }
    }

    /// The reason.
    pub fn message(&self) -> String {
        match self {
            Self::Class { name } => format!("there is no class `{name}`"),
            Self::Part { class, part: Part::Form } => {
                format!("the exact flow of the class `{class}` does not preserve the 2-form")
            }
            Self::Part { class, part } => format!("the class `{class}` has no {part}"),
            Self::Order { order: 0 } => "the first power of h is 1".to_owned(),
            Self::Order { order } => format!("order {order} is beyond {LARGEST_ORDER}"),
            Self::Given { given, order } => format!(
                "a method of order {given} has no defect through h^{order}: nothing is left to ask"
            ),
            Self::Failed(error) => error.to_string(),
            Self::Symbolic(error) => error.to_string(),
            Self::Problem(error) => error.to_string(),
        }
    }

    /// The way out.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Class { .. } => {
                let names = Class::ALL.map(Class::name).join(", ");
                Some(format!("the classes are {names}"))
            }
            Self::Part { class, .. } => {
                let parts = Part::ALL.into_iter().filter(|part| class.has(*part));
                let names: Vec<&str> = parts.map(Part::name).collect();
                Some(format!("the class has {}", names.join(", ")))
            }
            Self::Order { .. } => Some(format!("choose an order from 1 to {LARGEST_ORDER}")),
            Self::Given { order, .. } => Some(format!("choose --given below {order}")),
            Self::Failed(_) | Self::Symbolic(_) => Some("choose a smaller order".to_owned()),
            Self::Problem(error) => Some(error.hint().to_owned()),
        }
    }
}

/// The conditions that are printed.
#[derive(Debug, Clone)]
pub struct Listing {
    /// All of them.
    pub conditions: Conditions,
    /// The quantity they are for.
    pub part: Part,
    /// By power of h from 1: the order that is presupposed, and what remains.
    pub powers: Vec<(usize, Vec<Condition>)>,
    /// How many remain for every quantity, by power of h from 1.
    pub counts: Vec<(Part, Vec<usize>)>,
}

/// Computes the conditions of a class through h^`order`, for methods of order `given` (or, at
/// each h^j, of order j − 1).
pub fn list(
    class: &str,
    part: Option<Part>,
    order: usize,
    given: Option<usize>,
) -> Result<Listing, ConditionsError> {
    let class: Class =
        class.parse().map_err(|_| ConditionsError::Class { name: class.to_owned() })?;
    let usual = if class == Class::Symplectic { Part::Form } else { Part::All };
    let part = part.unwrap_or(usual);
    if !class.has(part) {
        return Err(ConditionsError::Part { class, part });
    }
    check_orders(order, given)?;
    let structure = if part == Part::Form { Structure::Form } else { Structure::Submanifold };
    let budget = &mut Budget::new(BUDGET);
    let random = &mut Random::new(SEED);
    let found = conditions(class, structure, order, random, budget, &mut |_| {})
        .map_err(ConditionsError::Failed)?;
    let remaining = |part: Part, power: usize, budget: &mut Budget| {
        let known = given.unwrap_or(power - 1);
        let conditions = found.given(part, power, known, budget);
        conditions.map(|conditions| (known, conditions))
    };
    let failed = |error| ConditionsError::Failed(ClassError::OutOfBudget(error));
    let powers = (1..=order)
        .map(|power| remaining(part, power, budget))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    let counts = found
        .parts()
        .map(|part| {
            let counts = (1..=order)
                .map(|power| remaining(part, power, budget).map(|(_, list)| list.len()))
                .collect::<Result<Vec<usize>, _>>()?;
            Ok((part, counts))
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    Ok(Listing { conditions: found, part, powers, counts })
}

fn check_orders(order: usize, given: Option<usize>) -> Result<(), ConditionsError> {
    if order == 0 || order > LARGEST_ORDER {
        return Err(ConditionsError::Order { order });
    }
    match given.filter(|given| *given >= order) {
        Some(given) => Err(ConditionsError::Given { given, order }),
        None => Ok(()),
    }
}
