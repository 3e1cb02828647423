//! The structure conditions of a class or of one problem, power by power.

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;
use isotrope_methods::classes::{
    Class, ClassError, Condition, Conditions, Part, Structure, conditions,
};
use isotrope_model::codes::ConditionsCode;

use crate::problem::{Problem, ProblemError};
use crate::symbolic::{self, SymbolicConditions, SymbolicError};

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

impl std::fmt::Display for ConditionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ConditionsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(error) => Some(error),
            Self::Symbolic(error) => Some(error),
            Self::Problem(error) => Some(error),
            _ => None,
        }
    }
}

impl ConditionsError {
    /// Its stable code.
    pub fn code(&self) -> ConditionsCode {
        match self {
            Self::Class { .. } => ConditionsCode::UnknownClass,
            Self::Part { .. } => ConditionsCode::NoSuchPart,
            Self::Order { .. } => ConditionsCode::Order,
            Self::Given { .. } => ConditionsCode::NothingLeft,
            Self::Failed(_) | Self::Symbolic(_) => ConditionsCode::TooLarge,
            Self::Problem(_) => ConditionsCode::NotAProblem,
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
                "a method of order {given} has no defect through h^{order}: there are no conditions to list"
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
    let usual = if class.is_free() { Part::Form } else { Part::All };
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

/// The conditions of a problem that are printed.
#[derive(Debug, Clone)]
pub struct ProblemListing {
    /// The name of the problem.
    pub name: String,
    /// All conditions.
    pub conditions: SymbolicConditions,
    /// By power of h from 1: the order that is presupposed, and what remains.
    pub powers: Vec<(usize, Vec<Condition>)>,
    /// How many remain for every part of the structure, in the order of the problem, by power of
    /// h from 1.
    pub counts: Vec<(String, Vec<usize>)>,
}

/// Computes the conditions of a problem through h^`order`, for methods of order `given` (or, at
/// each h^j, of order j − 1).
pub fn list_problem(
    problem: &Problem,
    order: usize,
    given: Option<usize>,
) -> Result<ProblemListing, ConditionsError> {
    check_orders(order, given)?;
    let failed = |error: isotrope_algebra::OutOfBudget| ConditionsError::Symbolic(error.into());
    let budget = &mut Budget::new(BUDGET);
    let found = symbolic::conditions(problem, order, budget).map_err(|error| match error {
        SymbolicError::Problem(error) => ConditionsError::Problem(error),
        other => ConditionsError::Symbolic(other),
    })?;
    let known = |power: usize| given.unwrap_or(power - 1);
    let mut powers = Vec::with_capacity(order);
    for power in 1..=order {
        let remaining = found.given(power, known(power), budget).map_err(failed)?;
        powers.push((known(power), remaining));
    }
    let mut counts = Vec::new();
    for part in problem.parts() {
        let mut numbers = Vec::with_capacity(order);
        for power in 1..=order {
            let remaining = found.given_part(part, power, known(power), budget);
            numbers.push(remaining.map_err(failed)?.len());
        }
        counts.push((part.to_owned(), numbers));
    }
    counts.push(("all".to_owned(), powers.iter().map(|(_, list)| list.len()).collect()));
    Ok(ProblemListing { name: problem.name.clone(), conditions: found, powers, counts })
}
