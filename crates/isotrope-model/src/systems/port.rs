//! `[port]`: x' = (J − R) ∇H + g u, or E x' = (J − R) z + g u with Eᵀ z = ∇H.

use serde_json::json;

use super::{IN_STATE_SPACE, SystemTable, WITH_ENERGY, state_refuses};
use crate::ModelCode;
use crate::read::Formalism;
use crate::schema::entries;
use crate::state::StateKind;
use crate::state::read::RawState;

const KEYS: [&str; 6] = ["hamiltonian", "J", "R", "g", "E", "effort"];

pub(super) static TABLE: SystemTable = SystemTable {
    name: "port",
    title: "port-Hamiltonian system",
    compared: WITH_ENERGY,
    method: "gauss-2",
    formalism: Formalism::State,
    coordinates: true,
    beside: &IN_STATE_SPACE,
    refuse: state_refuses,
    read: |reader, item, place, raw| {
        let mut state = RawState::new(StateKind::Port, place);
        let mut given = None;
        for (key, item) in reader.table(item, "a table [port]", place) {
            let here = key.whole();
            match key.text.as_ref() {
                "hamiltonian" | "H" => {
                    let value = reader.expression(item, here);
                    reader.take_hamiltonian((here, value), &mut given, &mut state);
                }
                "J" => state.skew = reader.expressions(item, "J", here),
                "R" => state.symmetric = reader.expressions(item, "R", here),
                "g" => {
                    for (input, item) in reader.table(item, "a table of columns", here) {
                        let entries = reader.expressions(item, "of a column of g", input.whole());
                        state.columns.push((input, entries));
                    }
                }
                "E" => state.descriptor = Some((here, reader.expressions(item, "E", here))),
                "effort" => {
                    state.efforts = Some((here, reader.expressions(item, "effort", here)));
                }
                other => reader.unknown_key(other, here, &KEYS, "[port]"),
            }
        }
        if let (Some((here, _)), None) = (&state.efforts, &state.descriptor) {
            reader
                .reporter
                .error(ModelCode::Descriptor, *here, "efforts are given without a matrix E")
                .hint("without E the efforts are the derivatives of H: remove `effort`, or add E");
        }
        reader.require_hamiltonian("port", given, place);
        raw.state = Some(state);
    },
    complete: None,
    schema: || {
        json!({
            "type": "object",
            "description": "x' = (J - R) dH/dx + g u, or E x' = (J - R) z + g u with E^T z = dH/dx.",
            "additionalProperties": false,
            "oneOf": [{ "required": ["hamiltonian"] }, { "required": ["H"] }],
            "properties": {
                "H": { "$ref": "#/$defs/expression", "description": "The same as hamiltonian." },
                "hamiltonian": { "$ref": "#/$defs/expression", "description": "H in the coordinates, which are the state." },
                "J": entries("Entries of the skew matrix J above the diagonal: \"x,y\" = \"1\"."),
                "R": entries("Entries of the symmetric matrix R, on and above the diagonal: \"y,y\" = \"c\"."),
                "g": {
                    "type": "object",
                    "description": "A column for each input: u = { y = \"1\" }.",
                    "additionalProperties": entries("The entries of a column, by coordinate.")
                },
                "E": entries("Entries of the constant matrix E that are not zero, by row and column: \"x,x\" = \"1\". Left out: the identity."),
                "effort": entries("Efforts z by coordinate, where they do not follow from E^T z = dH/dx: lam = \"lam\".")
            }
        })
    },
};
