//! `[lagrangian]`: d/dt L_v − L_q = F + Aᵀλ.

use serde_json::json;

use super::{OF_LAGRANGIAN, SystemTable, mechanical_refuses};
use crate::read::Formalism;

pub(super) static TABLE: SystemTable = SystemTable {
    name: "lagrangian",
    title: "Lagrangian",
    compared: "published",
    method: "gauss-2",
    formalism: Formalism::Lagrangian,
    coordinates: true,
    beside: &OF_LAGRANGIAN,
    refuse: mechanical_refuses,
    read: |reader, item, place, raw| raw.system = reader.system(item, "L", "lagrangian", place),
    complete: None,
    schema: || {
        json!({
            "type": "object",
            "description": "d/dt L_v - L_q = F + A^T lambda.",
            "additionalProperties": false,
            "required": ["L"],
            "properties": { "L": { "$ref": "#/$defs/expression", "description": "The Lagrangian in positions, velocities and the time t." } }
        })
    },
};
