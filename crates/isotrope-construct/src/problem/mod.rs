//! Problems x' = F(x) whose variables come in groups, with functions that are to be preserved.
//!
//! Each group has its own table (A, b). What is to be preserved are *structure functions* S:
//! invariants, S(x(h)) = S(x(0)); constraints, which vanish on the manifold where solutions live;
//! and balances dS/dt = s(x), which become the invariant S − z of the system extended by z' = s(x):
//! the supply is integrated by the weights of the group that z is put into.

mod build;
mod chart;
mod error;
pub mod file;
mod model;
mod points;

use isotrope_algebra::{Budget, ExprId, Pool, Rational, print};

use isotrope_methods::table::Preserved;
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
    /// Balances, each with the group that integrates its supply.
    pub(crate) balances: Vec<Balance>,
    /// Variables that integrate supplies: no system has them.
    pub(crate) supplies: Vec<String>,
    /// The text of its file, where it comes from one.
    pub text: Option<String>,
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

    /// The variables of a group, without those that integrate supplies.
    #[must_use]
    pub fn variables(&self, group: usize) -> Vec<String> {
        let all = self.groups.get(group).into_iter().flat_map(|group| &group.variables);
        all.filter(|name| !self.supplies.contains(name)).cloned().collect()
    }

    /// What is to be preserved, as text in the names of variables and parameters, with the group of each supply as
    /// its number in `groups`, the names of groups of a table. What cannot be written in reasonable length is left
    /// out.
    #[must_use]
    pub fn preserved(&self, groups: &[String]) -> Vec<Preserved> {
        const LONGEST: u64 = 1_000_000;
        let text = |id| print::to_text(&self.pool, id, &mut Budget::new(LONGEST)).ok();
        let parameters: Vec<(String, Rational)> = self
            .parameters
            .iter()
            .filter_map(|parameter| Some((parameter.name.clone(), parameter.value.clone()?)))
            .collect();
        let one = |function: &StructureFunction| {
            let balance = self.balances.iter().find(|balance| balance.name == function.name);
            let name = function.name.clone();
            let (stored, supply) = match balance.filter(|_| function.kind == StructureKind::Balance)
            {
                None => (text(function.expression)?, None),
                Some(Balance { energy, supply, group, .. }) => {
                    let own = &self.groups.get((*group)?)?.name;
                    let group = groups.iter().position(|name| name == own)?;
                    (text(*energy)?, Some((text(*supply)?, group)))
                }
            };
            let weak = !self.manifold.is_empty();
            Some(Preserved { name, stored, supply, weak, parameters: parameters.clone() })
        };
        self.structure.iter().filter_map(one).collect()
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
