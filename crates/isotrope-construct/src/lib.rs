//! The construction of methods: tables whose entries are unknowns, the polynomials in them that
//! must vanish, and their solutions.

mod answer;
mod ask;
mod class_of;
pub mod combine;
mod construction;
mod error_constant;
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
mod unknowns;
mod weights;

pub use answer::{Answer, Certified, CertifiedMethod, Choice, Claims, answer};
pub use ask::{Asked, ConstructError, Source, Wanted, ask};
pub use class_of::{ClassOfModel, class_of};
pub use construction::{Construction, Engines, Question, Route, Solution, Step, construct};
pub use error_constant::{ErrorConstant, error_constant, error_constant_on, error_residuals};
pub use levels::{Aim, Equation, Level, StructureLevel, levels, named, occurring};
pub use listing::{ConditionsError, LARGEST_ORDER, Listing, ProblemListing, list, list_problem};
pub use parametrise::SolutionFamily;
pub use pattern::{Pattern, UnknownPattern};
pub use points::{Search, Taste};
pub use save::{exact, is_table, saved};
pub use shape::{Block, Shape};
pub use solution::GroupTables;
pub use solve::{Contradiction, Freedom, LevelReport, contradiction, ideal, polynomials, reports};
pub use unknowns::{CONSTRUCTED_STAGES, Place, Unknowns, UnknownsError, place_name};
pub use weights::{SymbolicTables, tree_weights};
