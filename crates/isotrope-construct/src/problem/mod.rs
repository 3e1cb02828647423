//! Problems x' = F(x) whose variables come in groups, with functions that are to be preserved.
//!
//! Each group has its own table (A, b). What is to be preserved are *structure functions* S:
//! invariants, S(x(h)) = S(x(0)); constraints, which vanish on the manifold where solutions live;
//! and balances dS/dt = s(x), which become the invariant S − z of the system extended by z' = s(x):
//! the supply is integrated by the weights of the group that z is put into.

mod build;
mod chart;
mod dependencies;
mod error;
pub mod file;
mod model;
mod points;

use isotrope_algebra::{ExprId, Pool, Rational};

use isotrope_methods::trees::Family;

pub use build::{Balance, Draft};
pub(crate) use chart::{Chart, NormalForms};
pub use error::ProblemError;
pub use model::Parameters;
pub(crate) use points::Points;

/// One group of variables, treated with one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// How it is called: the colour of its trees.
    pub name: String,
    /// Its variables.
    pub variables: Vec<String>,
}

/// A number in the equations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// How it is called.
    pub name: String,
    /// Its value; `None` if it stays a symbol, for all values at once.
    pub value: Option<Rational>,
}

/// Why a function is constant along solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StructureKind {
    /// It is an invariant: constant along every solution that begins on the manifold.
    Invariant,
    /// What is stored minus what was supplied.
    Balance,
    /// It vanishes on the manifold, and solutions stay there.
    Manifold,
}

/// A function that is to be preserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructureFunction {
    /// How it is called.
    pub name: String,
    /// The part of the structure it belongs to; often its name.
    pub part: String,
    /// Why it is preserved.
    pub kind: StructureKind,
    /// The function.
    pub expression: ExprId,
}

/// An autonomous differential equation with its variables in groups and what it preserves.
///
/// ```
/// use isotrope_algebra::Budget;
/// use isotrope_construct::problem::file::{ProblemText, parse_problem};
/// let file = r#"
///     name = "oscillator"
///     [groups]
///     q = ["x"]
///     p = ["y"]
///     [rates]
///     x = "y"
///     y = "-x"
///     [structure]
///     energy = "(x^2 + y^2)/2"
/// "#;
/// let problem = parse_problem(&ProblemText::new("oscillator.toml", file.as_bytes())).unwrap();
/// assert_eq!(problem.family.rules(), "q=p^1; p=q^1");
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    /// How it is called.
    pub name: String,
    /// What the author says about it.
    pub description: Option<String>,
    /// The trees of the methods with one table for each group.
    pub family: Family,
    /// The groups; [`Family::colours`] in the same order.
    pub groups: Vec<Group>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// What is to be preserved.
    pub structure: Vec<StructureFunction>,
    /// All expressions.
    pub pool: Pool,
    /// By group: the symbols of the variables.
    pub(crate) symbols: Vec<Vec<ExprId>>,
    /// By group: the right sides.
    pub(crate) rates: Vec<Vec<ExprId>>,
    /// Functions that vanish where solutions live.
    pub(crate) manifold: Vec<ExprId>,
}

impl Problem {
    /// The symbols of the variables, by group.
    pub fn symbols(&self) -> &[Vec<ExprId>] {
        &self.symbols
    }

    /// The right sides, by group.
    pub fn rates(&self) -> &[Vec<ExprId>] {
        &self.rates
    }

    /// The functions that vanish where solutions live.
    pub fn manifold(&self) -> &[ExprId] {
        &self.manifold
    }

    /// The parts of the structure, in the order of the functions.
    pub fn parts(&self) -> Vec<&str> {
        let mut parts: Vec<&str> = Vec::new();
        for function in &self.structure {
            if !parts.contains(&function.part.as_str()) {
                parts.push(&function.part);
            }
        }
        parts
    }
}
