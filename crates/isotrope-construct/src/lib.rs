//! The construction of methods: tables whose entries are unknowns, the polynomials in them that
//! must vanish, and their solutions.
//!
//! A `Problem` (`problem/`) is an equation with its variables in groups and functions to preserve;
//! all of them end as functions that are constant on a manifold. `problem/chart.rs` solves its
//! equations, so everything else works with free variables and a few rules for powers. `symbolic/`
//! expands the functions in trees: expressions of the pool, compared as normal forms and at points.
//! Neither is trusted alone: a normal form that misses a relation gives too many conditions, points
//! can give too few, and only equal numbers are called a proof.
//!
//! Tables with unknown entries (`unknowns.rs`, `pattern.rs`, `weights.rs`) turn conditions into
//! polynomials, level by level (`levels.rs`). `solve.rs` asks what is new, what is left and what
//! contradicts; `parametrise.rs` describes families; `shape.rs` orders the zeros of tables by
//! implicit cost; `points.rs` and `numeric/` find solutions, by bases and by Newton's method with
//! recognition and proof; `construction.rs` is the whole way. The tables of (q, v, p) and those of
//! any other groups are one thing: tables by colour of a family of trees.

mod answer;
mod ask;
pub mod combine;
mod construction;
mod error_constant;
mod grouped;
mod levels;
mod listing;
pub mod numeric;
mod parametrise;
mod pattern;
mod points;
pub mod problem;
mod save;
mod shape;
mod solution;
mod solve;
pub mod symbolic;
#[cfg(test)]
mod tests;
mod theorems;
mod unknowns;
mod weights;

pub use answer::{Answer, Certified, CertifiedMethod, Choice, Claims, answer, answer_within};
pub use ask::{Asked, ConstructError, Restrictions, Source, Wanted, ask, ask_within};
pub use construction::{
    Construction, Engines, Question, Reached, Route, Solution, Step, construct, construct_within,
};
pub use error_constant::{ErrorConstant, error_constant, error_constant_on, error_residuals};
pub use grouped::{grouped_structure, keeps_quadratics};
pub use isotrope_certify::{ClassOfModel, class_of};
pub use levels::{Aim, Equation, Level, StructureLevel, levels, named, occurring};
pub use listing::{ConditionsError, LARGEST_ORDER, Listing, ProblemListing, list, list_problem};
pub use parametrise::SolutionFamily;
pub use pattern::{Pattern, UnknownPattern};
pub use points::{Search, Taste};
pub use save::{exact, is_table, saved, saved_combination};
pub use shape::{Block, Shape};
pub use solution::GroupTables;
pub use solve::{Contradiction, Freedom, LevelReport, contradiction, ideal, polynomials, reports};
pub use unknowns::{CONSTRUCTED_STAGES, Place, Unknowns, UnknownsError, place_name};
pub use weights::{SymbolicTables, tree_weights};
