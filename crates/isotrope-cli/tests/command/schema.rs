//! What commands answer with `--json` is what their schemas say: no key is missing, none is unknown.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// Runs a command from the root of the repository; any exit code but "could not run".
fn answer(arguments: &[&str]) -> Value {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(arguments)
        .current_dir(root)
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_ne!(output.status.code(), Some(2), "{arguments:?}: {talk}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {talk}"))
}

/// A checker for what `schemars` writes. Stricter than the standard: keys that no part of the
/// schema knows are errors.
struct Checker<'s> {
    root: &'s Value,
}

type Known = BTreeSet<String>;

impl Checker<'_> {
    /// Checks a value; all of its keys must be known.
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let known = self.keys(schema, value, at)?;
        let Value::Object(map) = value else { return Ok(()) };
        match map.keys().find(|key| !known.contains(*key)) {
            Some(key) => Err(format!("{at}: `{key}` is not in the schema")),
            None => Ok(()),
        }
    }

    /// Checks a value and returns its keys that the schema knows.
    fn keys(&self, schema: &Value, value: &Value, at: &str) -> Result<Known, String> {
        let mut known = Known::new();
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let place = reference.strip_prefix('#').unwrap();
            let target =
                if place.is_empty() { self.root } else { self.root.pointer(place).unwrap() };
            known.extend(self.keys(target, value, at)?);
        }
        if let Some(types) = schema.get("type") {
            let one = std::slice::from_ref(types);
            let list = types.as_array().map_or(one, Vec::as_slice);
            if !list.iter().any(|name| is_of_type(value, name.as_str().unwrap())) {
                return Err(format!("{at}: {value} is no {types}"));
            }
        }
        if let Some(constant) = schema.get("const")
            && constant != value
        {
            return Err(format!("{at}: {value} is not {constant}"));
        }
        if let Some(Value::Array(list)) = schema.get("enum")
            && !list.contains(value)
        {
            return Err(format!("{at}: {value} is not one of {list:?}"));
        }
        if let Value::Object(map) = value {
            let required = schema.get("required").and_then(Value::as_array);
            for key in required.into_iter().flatten().filter_map(Value::as_str) {
                if !map.contains_key(key) {
                    return Err(format!("{at}: `{key}` is missing"));
                }
            }
            let properties = schema.get("properties").and_then(Value::as_object);
            for (key, part) in map {
                let place = format!("{at}.{key}");
                if let Some(schema) = properties.and_then(|all| all.get(key)) {
                    self.check(schema, part, &place)?;
                } else if let Some(schema) = schema.get("additionalProperties") {
                    self.check(schema, part, &place)?;
                } else {
                    continue;
                }
                known.insert(key.clone());
            }
        }
        if let Value::Array(list) = value {
            let first = schema.get("prefixItems").and_then(Value::as_array);
            for (i, part) in list.iter().enumerate() {
                let place = format!("{at}[{i}]");
                if let Some(schema) = first.and_then(|all| all.get(i)).or(schema.get("items")) {
                    self.check(schema, part, &place)?;
                }
            }
        }
        for word in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = schema.get(word) else { continue };
            let mut passed = false;
            let mut errors = Vec::new();
            for branch in branches {
                match self.keys(branch, value, at) {
                    Ok(more) => {
                        known.extend(more);
                        passed = true;
                    }
                    Err(error) => errors.push(error),
                }
            }
            if !passed {
                return Err(format!("{at}: no branch fits: {}", errors.join("; ")));
            }
        }
        for branch in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            known.extend(self.keys(branch, value, at)?);
        }
        Ok(known)
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is not known to this test"),
    }
}

/// Holds the answers of commands against a schema.
fn fits(name: &str, commands: &[&str]) {
    let schema = answer(&["schema", name]);
    let checker = Checker { root: &schema };
    for command in commands {
        let mut words: Vec<&str> = command.split_whitespace().collect();
        words.push("--json");
        let found = answer(&words);
        if let Err(error) = checker.check(&schema, &found, "") {
            panic!("isotrope {command}: {error}");
        }
        // The test would be worth nothing if it let everything pass.
        let mut wrong = found.clone();
        wrong["no_such_key"] = Value::Null;
        assert!(checker.check(&schema, &wrong, "").is_err(), "{name}: unknown keys pass");
        for key in schema["required"].as_array().into_iter().flatten() {
            let mut lacking = found.clone();
            lacking.as_object_mut().unwrap().shift_remove(key.as_str().unwrap());
            assert!(checker.check(&schema, &lacking, "").is_err(), "{name}: {key} may be missing");
        }
    }
}

#[test]
fn derivations_of_every_kind_of_system_fit() {
    fits(
        "derive",
        &[
            "derive models/pendulum.toml",
            "derive models/sleigh.toml",
            "derive models/parallelogram.toml",
            "derive models/charged_particle.toml",
            "derive models/heavy_top.toml",
            "derive models/guiding_centre.toml",
            "derive models/henon_heiles.toml",
            "derive models/lotka_volterra.toml",
            "derive models/viv.toml",
            "derive models/port/coil.toml",
            "derive models/chain.toml --set N=40",
        ],
    );
}

#[test]
fn discrete_lagrangians_fit() {
    fits(
        "discrete",
        &[
            "derive models/pendulum.toml --discrete variational-midpoint",
            "derive models/sleigh.toml --discrete dirac-alembert-2",
            "derive models/kepler.toml --discrete galerkin-2-gauss2",
        ],
    );
}

#[test]
fn checks_fit() {
    fits(
        "check",
        &[
            "check models/pendulum.toml",
            "check models/pendulum.toml --initial x=1.1 --project",
            "check models/guiding_centre.toml",
            "check models/lotka_volterra.toml",
        ],
    );
}

#[test]
fn runs_fit() {
    fits(
        "run",
        &[
            "run models/pendulum.toml --method rattle --step 1/100 --time 1",
            "run models/pendulum.toml --method dirac-1 --step 1/100 --time 1",
            "run models/rigid_body.toml --step 1/100 --time 1",
            "run models/lotka_volterra.toml --step 1/100 --time 1",
            "run models/pendulum.toml --method rk4 --step 1/100 --time 1",
            "run models/pendulum.toml --method dop853 --step 1/100 --time 1",
        ],
    );
}

#[test]
fn ensembles_fit() {
    let directory = tempfile::tempdir().unwrap();
    let table = directory.path().join("starts.csv");
    std::fs::write(&table, "g\n1\n9.8\n").unwrap();
    let table = table.to_str().unwrap();
    fits(
        "ensemble",
        &[&format!(
            "run models/pendulum.toml --method rattle --step 1/100 --time 1 --ensemble {table}"
        )],
    );
}

#[test]
fn comparisons_fit() {
    fits(
        "compare",
        &["compare models/pendulum.toml --methods rattle,dirac-1 --time 1 --steps 1/100"],
    );
}

#[test]
fn studies_fit() {
    fits("convergence", &["convergence models/pendulum_angle.toml --methods midpoint"]);
    fits("drift", &["drift models/pendulum.toml --methods rattle --step 1/100 --time 10"]);
    fits("flow", &["flow models/kepler.toml --method midpoint --step 1/100 --time 1"]);
    fits(
        "stability",
        &["stability models/ziegler_angles.toml --vary P=1..3 --methods rk4 --step 0.05"],
    );
}

#[test]
fn trees_conditions_and_constructions_fit() {
    fits("explain", &["explain ISO-RUN-011"]);
    fits("trees", &["trees --family prk --order 4", "trees --family qvp --order 8"]);
    fits("conditions", &["conditions --class sphere --order 3"]);
    fits(
        "construct",
        &[
            "construct --stages 1 --order 2",
            "construct --stages 1 --order 3",
            "construct --stages 2 --order 2",
        ],
    );
    fits(
        "modified",
        &["modified midpoint models/pendulum_angle.toml --order 3", "modified rk4 --order 5"],
    );
}

#[test]
fn methods_and_certificates_fit() {
    fits(
        "methods",
        &[
            "methods",
            "methods rk4",
            "methods ab3",
            "methods dirac-1",
            "methods rattle",
            "methods yoshida-4",
        ],
    );
    fits(
        "recommended",
        &["methods --for models/pendulum.toml", "methods --for models/equations/lorenz.toml"],
    );
    fits(
        "certify",
        &["certify models/tables/bilinear-3-3-5.toml", "certify models/tables/rlc-2-2-4.toml"],
    );
}

#[test]
fn geometry_and_ports_fit() {
    fits(
        "geometry",
        &[
            "geometry models/geometry/rigid_body.toml",
            "geometry models/geometry/courant.toml",
            "geometry models/charged_particle.toml",
            "geometry models/sleigh.toml --methods dirac-1 --step 1/100 --time 1/10 --per-step",
        ],
    );
    fits("port", &["port models/equations/lorenz.toml", "port models/viv.toml --set eps=0"]);
}
