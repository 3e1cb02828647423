//! Methods from conditions: trees, structure conditions, construction, modified equations.

mod conditions;
mod construct;
mod examples;
mod modified;
mod trees;

pub use conditions::{
    Conditions, ConditionsRequest, StructurePart, conditions_of_class, conditions_of_groups,
    conditions_of_model,
};
pub use construct::{ConstructRequest, Construction, Structured, construct};
pub use modified::{MODIFIED_ORDER, modified};
pub use trees::{TreeFamily, TreesAnswer, TreesRequest, trees};
