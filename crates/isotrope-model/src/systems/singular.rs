//! What a `[lagrangian]` becomes whose Hessian is singular: equations of first order on the phase space, with constraints.

use super::{OF_LAGRANGIAN, SystemTable, lagrangian, state_refuses};
use crate::read::Formalism;

/// A singular Lagrangian. No file has this table: it is what is derived from `[lagrangian]`.
pub static SINGULAR: SystemTable = SystemTable {
    name: "lagrangian",
    title: "singular Lagrangian",
    compared: "rk4,gauss-2,project:rk4,project:gauss-2,dop853",
    method: "project:gauss-2",
    formalism: Formalism::State,
    coordinates: true,
    beside: &OF_LAGRANGIAN,
    refuse: state_refuses,
    read: |_, _, _, _| {},
    complete: None,
    schema: || lagrangian_schema(),
};

fn lagrangian_schema() -> serde_json::Value {
    (lagrangian::TABLE.schema)()
}
