//! `[poisson]`: x'^i = D^{ij} ∂H/∂x^j.

use serde_json::json;

use super::{SystemTable, WITH_ENERGY, state_refuses};
use crate::read::{Entry, Formalism};
use crate::state::StateKind;
use crate::state::read::RawState;

pub(super) static TABLE: SystemTable = SystemTable {
    name: "poisson",
    title: "Poisson system",
    compared: WITH_ENERGY,
    method: "gauss-2",
    formalism: Formalism::State,
    coordinates: true,
    beside: &["outputs"],
    refuse: |name| match name {
        "inputs" => (
            "a bracket has no inputs".to_owned(),
            "write the system as a [port], or a Hamiltonian that contains t",
        ),
        _ => state_refuses(name),
    },
    read: |reader, item, place, raw| {
        let mut state = RawState::new(StateKind::Poisson, place);
        let mut given = None;
        for (key, item) in reader.table(item, "a table [poisson]", place) {
            let here = key.whole();
            let value = reader.expression(item, here);
            match key.text.as_ref() {
                "hamiltonian" | "H" => {
                    reader.take_hamiltonian((here, value), &mut given, &mut state);
                }
                _ => state.skew.push(Entry { key, value, chetaev: false }),
            }
        }
        reader.require_hamiltonian("poisson", given, place);
        raw.state = Some(state);
    },
    complete: None,
    schema: || {
        json!({
            "type": "object",
            "description": "x'^i = D^{ij} dH/dx^j with a bracket D that satisfies the Jacobi identity.",
            "oneOf": [{ "required": ["hamiltonian"] }, { "required": ["H"] }],
            "properties": {
                "H": { "$ref": "#/$defs/expression", "description": "The same as hamiltonian." },
                "hamiltonian": { "$ref": "#/$defs/expression", "description": "H in the coordinates, which are the state." }
            },
            "additionalProperties": { "$ref": "#/$defs/expression", "description": "An entry of the bracket above the diagonal: \"x,y\" = \"z\"." }
        })
    },
};
