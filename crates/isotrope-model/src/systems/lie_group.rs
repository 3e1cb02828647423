//! `[lie_group]`: the equations of Euler and Poincaré; how it is read is in [`crate::group`].

use serde_json::json;

use super::{MECHANICAL, SystemTable, mechanical_refuses};
use crate::read::Formalism;

pub(super) static TABLE: SystemTable = SystemTable {
    name: "lie_group",
    title: "Lagrangian on a Lie group",
    compared: "lie",
    method: "lie-cayley",
    formalism: Formalism::Lagrangian,
    coordinates: false,
    beside: &MECHANICAL,
    refuse: mechanical_refuses,
    read: |reader, item, place, raw| {
        (raw.group, raw.system) = reader.lie_group(item, place);
        // What a group brings along is not missing because the group was refused.
        raw.coordinates_given |= raw.group.is_none();
    },
    complete: None,
    schema: || {
        json!({
            "type": "object",
            "description": "Bodies that rotate: a left-trivialised Lagrangian L(g, xi) on a product of groups and of the coordinates.",
            "additionalProperties": false,
            "required": ["group"],
            "oneOf": [{ "required": ["L"] }, { "required": ["inertia"] }],
            "properties": {
                "group": {
                    "oneOf": [
                        { "$ref": "#/$defs/group" },
                        { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/group" } }
                    ],
                    "description": "The group, or a list of factors."
                },
                "L": { "$ref": "#/$defs/expression", "description": "L in omega[i], v[i], the entries R[i,j], the translation x[i], and coordinates." },
                "inertia": { "description": "Principal moments [1, 2, 3], or a symmetric matrix by rows, in the frame of the body." },
                "mass": { "$ref": "#/$defs/expression", "description": "The mass of a body that moves (SE(2), SE(3))." },
                "potential": { "$ref": "#/$defs/expression", "description": "V in R[i,j] and x[i]; L is the kinetic energy minus V." }
            }
        })
    },
};
