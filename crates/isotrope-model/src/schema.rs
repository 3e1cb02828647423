//! The JSON schema of model files, for completion and checking in editors.

use isotrope_algebra::syntax::Callee;
use serde_json::{Value, json};

use crate::group::GroupKind;
use crate::read::Formalism;
use crate::systems::TABLES;

/// The JSON schema (draft 2020-12) of a model file.
///
/// ```
/// let schema = isotrope_model::schema();
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// ```
pub fn schema() -> Value {
    let mut schema = common();
    let alternatives = TABLES.iter().map(|table| match table.coordinates {
        true => json!({ "required": ["coordinates", table.name] }),
        false => json!({ "required": [table.name] }),
    });
    schema["oneOf"] = alternatives.collect();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return schema };
    let tables = |in_state_space: bool| {
        let own = TABLES.iter();
        own.filter(move |table| (table.formalism == Formalism::State) == in_state_space)
            .map(|table| (table.name.to_owned(), (table.schema)()))
    };
    // Mechanical systems stand behind what they are written with.
    for (key, value) in std::mem::take(properties) {
        let last = key == "define";
        properties.insert(key, value);
        if last {
            properties.extend(tables(false));
        }
    }
    properties.extend(tables(true));
    properties.extend(signals().map(|(key, value)| (key.to_owned(), value)));
    properties.insert("scene".to_owned(), scene());
    let units =
        "Units of coordinates, parameters and t, for labels: nothing is computed with them.";
    properties.insert(
        "units".to_owned(),
        json!({
            "type": "object",
            "description": units,
            "additionalProperties": { "type": "string", "maxLength": 30 }
        }),
    );
    schema
}

/// A table of expressions.
pub(crate) fn entries(description: &str) -> Value {
    json!({
        "type": "object",
        "description": description,
        "additionalProperties": { "$ref": "#/$defs/expression" }
    })
}

/// What a picture shows.
fn scene() -> Value {
    json!({
        "type": "object",
        "description": "What a picture of the system shows; guessed where it is left out.",
        "additionalProperties": false,
        "properties": {
            "bodies": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["at"],
                    "properties": {
                        "name": { "type": "string", "description": "Its name; \"mass[i=1..N]\" stands for N bodies." },
                        "at": { "type": "array", "minItems": 2, "maxItems": 3, "items": { "$ref": "#/$defs/expression" }, "description": "Where it is, in coordinates, velocities and t." },
                        "radius": { "$ref": "#/$defs/expression", "description": "How large it is drawn." }
                    }
                }
            },
            "links": {
                "description": "Pairs of bodies counted from 1, with 0 for the origin; or \"chain\", from the origin through all bodies.",
                "oneOf": [
                    { "const": "chain" },
                    { "type": "array", "items": { "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": "integer", "minimum": 0 } } }
                ]
            },
            "axes": { "type": "array", "minItems": 2, "maxItems": 3, "items": { "type": "string" }, "description": "The names of the axes." }
        }
    })
}

/// What systems in state space have besides.
fn signals() -> [(&'static str, Value); 2] {
    let inputs = json!({
        "type": "object",
        "description": "Inputs u(t) of [equations], u(x, t) of [port].",
        "additionalProperties": {
            "oneOf": [
                { "$ref": "#/$defs/expression" },
                {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["table"],
                    "properties": {
                        "table": { "type": "array", "minItems": 1, "description": "Rows [t, u] with growing times.", "items": { "type": "array", "minItems": 2, "maxItems": 2, "items": { "$ref": "#/$defs/expression" } } },
                        "between": { "enum": ["linear", "hold"], "default": "linear", "description": "Between rows: a line, or the last value." }
                    }
                }
            ]
        }
    });
    let outputs = entries("Quantities to observe, in states, inputs and t.");
    [("inputs", inputs), ("outputs", outputs)]
}

/// What all models have, and what mechanical systems have besides.
fn common() -> Value {
    let functions = Callee::all().map(Callee::name).collect::<Vec<_>>().join(" ");
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://isotrope.dev/schema/model-1.json",
        "title": "isotrope model",
        "description": "A mechanical system: coordinates, a Lagrangian or a Hamiltonian, constraints, forces and initial data; or a system in state space.",
        "type": "object",
        "additionalProperties": false,
        "required": ["initial"],
        "oneOf": [],
        "properties": {
            "name": { "type": "string", "description": "The name of the system, for reports." },
            "description": { "type": "string", "description": "What the system is and where it comes from." },
            "version": { "const": 1, "description": "The version of this format." },
            "coordinates": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "string",
                    "description": "A name, or a family of coordinates with its range: x, theta, x[1..N]."
                },
                "description": "The coordinates q. Velocities are written x' or dot(x), momenta p_x."
            },
            "parameters": entries("Constants: numbers (decimals are exact) or exact expressions in quotes. --set name=value overrides them."),
            "define": entries("Shared expressions. Keys may be indexed: \"x[0]\", \"X[i=1..N]\". A prime on a defined name is its derivative in time."),
                        "constraints": {
                "type": "object",
                "description": "Named constraints: without velocities holonomic, linear in velocities Pfaffian. Keys may be indexed: \"rod[i=1..N]\".",
                "additionalProperties": {
                    "oneOf": [
                        { "$ref": "#/$defs/equation" },
                        {
                            "type": "object",
                            "additionalProperties": false,
                            "required": ["equation"],
                            "properties": {
                                "equation": { "$ref": "#/$defs/equation" },
                                "chetaev": {
                                    "type": "boolean",
                                    "default": false,
                                    "description": "Accept an equation that is nonlinear in the velocities, with Chetaev reactions."
                                }
                            }
                        }
                    ]
                }
            },
            "forces": entries("Generalised forces that are not conservative, by coordinate. Keys may be indexed: \"x[i]\"."),
            "gauge_fix": entries("Conditions on coordinates whose velocities a singular Lagrangian leaves free, by coordinate: functions of positions, momenta and time."),
            "magnetic": {
                "type": "object",
                "description": "A closed 2-form B on the configurations: p' - L_q = i_q' B. Keys are pairs of coordinates: \"x,y\". A charge e in a field (Bx, By, Bz) has \"x,y\" = \"-e*Bz\".",
                "properties": { "primitive": entries("A one-form theta with d theta = B, by coordinate; where it is left out it is searched.") },
                "additionalProperties": { "$ref": "#/$defs/expression" }
            },
            "discrete": {
                "type": "object",
                "description": "A discrete Lagrangian of one's own, for the method variational-own.",
                "additionalProperties": false,
                "required": ["L"],
                "properties": {
                    "L": { "$ref": "#/$defs/expression", "description": "L_d in positions at the beginning (x) and at the end (x_next) of a step, the step h and the time t at its beginning." }
                }
            },
            "time": {
                "type": "object",
                "description": "A time s in which steps are of equal length, for the methods sundman:….",
                "additionalProperties": false,
                "required": ["rate"],
                "properties": {
                    "rate": { "$ref": "#/$defs/expression", "description": "dt/ds, a positive function of the positions: steps take long where it is large." }
                }
            },
            "initial": {
                "type": "object",
                "description": "The state at time zero.",
                "additionalProperties": false,
                "properties": {
                    "rotation": { "description": "Of a group: { axis = [0, 0, 1], angle = \"pi/6\" }, or a list of them; without it none." },
                    "translation": { "type": "array", "description": "Of SE(2) and SE(3): where the body is; without it at the origin." },
                    "position": entries("The position of every coordinate; constants only. Keys may be indexed: \"x[i]\" = \"i*l\"."),
                    "velocity": entries("The velocity of every coordinate (Lagrangian systems), or of those with equations of second order."),
                    "momentum": entries("The momentum of every coordinate, by the name of the coordinate (Hamiltonian systems).")
                }
            },
            "run": {
                "type": "object",
                "description": "Defaults of run and compare.",
                "additionalProperties": false,
                "properties": {
                    "method": { "type": "string", "description": "The name of a method; `isotrope methods` lists them." },
                    "step": { "$ref": "#/$defs/expression", "description": "The step size." },
                    "time": { "$ref": "#/$defs/expression", "description": "The length of the run, a multiple of the step." },
                    "rtol": { "$ref": "#/$defs/expression", "description": "The relative tolerance of dop853." },
                    "atol": {
                        "description": "The absolute tolerance of dop853: of all components, or of coordinates (x) and velocities (v_x).",
                        "anyOf": [
                            { "$ref": "#/$defs/expression" },
                            { "type": "object", "additionalProperties": { "$ref": "#/$defs/expression" } }
                        ]
                    },
                    "max_step": { "$ref": "#/$defs/expression", "description": "The longest step of dop853." },
                    "first_step": { "$ref": "#/$defs/expression", "description": "The first step of dop853." }
                }
            }
        },
        "$defs": {
            "group": { "enum": GroupKind::names() },
            "expression": {
                "type": ["string", "number"],
                "description": format!("A number, or an expression in quotes: + - * / ^, {functions}, pi, sum(i, 1, N, x[i]).")
            },
            "equation": {
                "type": "string",
                "description": "left = right, or an expression that shall be zero."
            }
        }
    })
}
