//! `[hamiltonian]`: q' = H_p, p' = −H_q + F + Aᵀλ.

use serde_json::json;

use super::{MECHANICAL, SystemTable, mechanical_refuses};
use crate::read::Formalism;

pub(super) static TABLE: SystemTable = SystemTable {
    name: "hamiltonian",
    title: "Hamiltonian",
    compared: "published",
    method: "gauss-2",
    formalism: Formalism::Hamiltonian,
    coordinates: true,
    beside: &MECHANICAL,
    refuse: mechanical_refuses,
    read: |reader, item, place, raw| raw.system = reader.system(item, "H", "hamiltonian", place),
    complete: None,
    schema: || {
        json!({
            "type": "object",
            "description": "q' = H_p, p' = -H_q + F + A^T lambda.",
            "additionalProperties": false,
            "required": ["H"],
            "properties": { "H": { "$ref": "#/$defs/expression", "description": "The Hamiltonian in positions, momenta p_x and the time t." } }
        })
    },
};
