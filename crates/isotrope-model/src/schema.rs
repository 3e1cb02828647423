//! The JSON schema of model files, for completion and checking in editors.

use serde_json::{Value, json};

/// The JSON schema (draft 2020-12) of a model file.
///
/// ```
/// let schema = isotrope_model::schema();
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// ```
pub fn schema() -> Value {
    let mut schema = mechanical();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.extend(in_state_space().into_iter().map(|(key, value)| (key.to_owned(), value)));
        properties.insert("scene".to_owned(), scene());
    }
    schema
}

/// A table of expressions.
fn entries(description: &str) -> Value {
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

/// The tables of systems in state space.
fn in_state_space() -> [(&'static str, Value); 5] {
    let poisson = json!({
        "type": "object",
        "description": "x'^i = D^{ij} dH/dx^j with a bracket D that satisfies the Jacobi identity.",
        "required": ["hamiltonian"],
        "properties": { "hamiltonian": { "$ref": "#/$defs/expression", "description": "H in the coordinates, which are the state." } },
        "additionalProperties": { "$ref": "#/$defs/expression", "description": "An entry of the bracket above the diagonal: \"x,y\" = \"z\"." }
    });
    let equations = entries(
        "x' = f(x, t): one equation for each coordinate, \"x'\" = \"…\", or \"x''\" = \"…\" with x and x' as its state.",
    );
    let port = json!({
        "type": "object",
        "description": "x' = (J - R) dH/dx + g u, or E x' = (J - R) z + g u with E^T z = dH/dx.",
        "additionalProperties": false,
        "required": ["hamiltonian"],
        "properties": {
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
    });
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
    [
        ("poisson", poisson),
        ("equations", equations),
        ("port", port),
        ("inputs", inputs),
        ("outputs", outputs),
    ]
}

fn mechanical() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://isotrope.dev/schema/model-1.json",
        "title": "isotrope model",
        "description": "A mechanical system: coordinates, a Lagrangian or a Hamiltonian, constraints, forces and initial data; or a system in state space.",
        "type": "object",
        "additionalProperties": false,
        "required": ["initial"],
        "oneOf": [
            { "required": ["coordinates", "lagrangian"] },
            { "required": ["coordinates", "hamiltonian"] },
            { "required": ["lie_group"] },
            { "required": ["coordinates", "poisson"] },
            { "required": ["coordinates", "equations"] },
            { "required": ["coordinates", "port"] }
        ],
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
            "lagrangian": {
                "type": "object",
                "description": "d/dt L_v - L_q = F + A^T lambda.",
                "additionalProperties": false,
                "required": ["L"],
                "properties": { "L": { "$ref": "#/$defs/expression", "description": "The Lagrangian in positions, velocities and the time t." } }
            },
            "hamiltonian": {
                "type": "object",
                "description": "q' = H_p, p' = -H_q + F + A^T lambda.",
                "additionalProperties": false,
                "required": ["H"],
                "properties": { "H": { "$ref": "#/$defs/expression", "description": "The Hamiltonian in positions, momenta p_x and the time t." } }
            },
            "lie_group": {
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
            },
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
                    "time": { "$ref": "#/$defs/expression", "description": "The length of the run, a multiple of the step." }
                }
            }
        },
        "$defs": {
            "group": { "enum": ["SO(2)", "SO(3)", "SE(2)", "SE(3)"] },
            "expression": {
                "type": ["string", "number"],
                "description": "A number, or an expression in quotes: + - * / ^, sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs heaviside, pi, sum(i, 1, N, x[i])."
            },
            "equation": {
                "type": "string",
                "description": "left = right, or an expression that shall be zero."
            }
        }
    })
}
