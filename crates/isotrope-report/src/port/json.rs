//! The report for programs: names are fixed by the contract, expressions parse back.

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{ExprId, Pool, Rational};
use isotrope_structure::geometry::{GradedExpression, TextOf as _};
use isotrope_structure::port::{Dissipation, Form, Obstruction, PortKind, Realisation, Verdict};
use serde_json::{Map, Value, json};

use super::{PortReport, condition, names, text};

/// The report as JSON.
pub fn to_json(pool: &mut Pool, report: &PortReport<'_>) -> Value {
    let forms: Vec<Value> =
        report.recovery.forms.iter().map(|form| form_to_json(pool, form)).collect();
    let states = names(pool, &report.problem.states);
    let rates: Map<String, Value> = states
        .iter()
        .zip(&report.problem.rates)
        .map(|(name, &rate)| (name.clone(), json!(text(pool, rate))))
        .collect();
    let found = report.recovery.obstruction.as_ref();
    json!({
        "name": report.heading.name,
        "description": report.heading.description,
        "states": states,
        "rates": rates,
        "forms": forms,
        "obstruction": found.map(|o| obstruction(pool, report, o)),
        "definite_invariant": report.definite_invariant.as_ref().map(|v| verdict(pool, v)),
        "notes": report.recovery.notes,
    })
}

fn matrix(pool: &Pool, matrix: &Matrix) -> Value {
    let row = |i: usize| -> Value { matrix.row(i).iter().map(|&e| json!(text(pool, e))).collect() };
    (0..matrix.rows()).map(row).collect()
}

fn point(pool: &Pool, list: &[(ExprId, ExprId)]) -> Value {
    let parts = list.iter().map(|&(x, value)| (text(pool, x), json!(text(pool, value))));
    Value::Object(parts.collect())
}

fn verdict(pool: &Pool, verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Always => json!({ "answer": "yes" }),
        Verdict::Under { conditions, sharp, at_values } => json!({
            "answer": "if",
            "conditions": conditions.iter().map(|c| condition(pool, c)).collect::<Vec<_>>(),
            "necessary": sharp,
            "at_values": at_values,
        }),
        Verdict::Never { witness, at_values } => json!({
            "answer": "no",
            "witness": point(pool, witness),
            "at_values_only": at_values,
        }),
        Verdict::Unknown => json!({ "answer": "unknown" }),
    }
}

fn zero(zero: Zero) -> &'static str {
    match zero {
        Zero::Yes => "yes",
        Zero::No => "no",
        Zero::Unknown { .. } => "unknown",
    }
}

fn components(pool: &Pool, list: &[(String, GradedExpression)]) -> Value {
    let parts = list.iter().map(|(name, value)| (name.clone(), json!(value.text(pool))));
    Value::Object(parts.collect())
}

/// The Courant tensor `T = {D, D}/2`, or `factor` times it.
fn courant(pool: &mut Pool, form: &Form, factor: i64) -> Value {
    if form.courant.components.is_empty() {
        return json!("0");
    }
    let mut parts = Map::new();
    for part in &form.courant.components {
        let [a, b, c] = part.indices.map(|index| index + 1);
        let value = pool.scale(&Rational::integer(factor), part.value);
        parts.insert(format!("{a},{b},{c}"), json!(text(pool, value)));
    }
    Value::Object(parts)
}

fn form_to_json(pool: &mut Pool, form: &Form) -> Value {
    let (tensor, schouten) = (courant(pool, form, 1), courant(pool, form, 2));
    let pool = &*pool;
    let open: Vec<_> = form.ports.iter().filter(|port| port.kind != PortKind::Resistive).collect();
    let g: Value = (0..form.j.rows())
        .map(|i| -> Value { open.iter().map(|port| json!(text(pool, port.column[i]))).collect() })
        .collect();
    let ports: Value = form
        .ports
        .iter()
        .map(|port| {
            json!({
                "coordinate": text(pool, port.coordinate),
                "kind": port.kind.name(),
                "column": port.column.iter().map(|&e| text(pool, e)).collect::<Vec<_>>(),
                "input": text(pool, port.input),
                "output": text(pool, port.output),
            })
        })
        .collect();
    let directions: Value = form
        .directions
        .iter()
        .map(|(j, r)| json!({ "J": matrix(pool, j), "R": matrix(pool, r) }))
        .collect();
    let criteria = &form.criteria;
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("H", json!(text(pool, form.hamiltonian)));
    put("origin", json!(form.origin.name()));
    put("J", matrix(pool, &form.j));
    put("R", matrix(pool, &form.r));
    put("g", g);
    put("inputs", open.iter().map(|port| json!(text(pool, port.input))).collect());
    put("outputs", open.iter().map(|port| json!(text(pool, port.output))).collect());
    put("ports", ports);
    put("residual_support", form.residual_support.iter().map(|i| json!(i + 1)).collect());
    put(
        "dissipation",
        json!(match form.dissipation {
            Dissipation::Zero => "zero",
            Dissipation::Diagonal => "diagonal",
            Dissipation::Full => "full",
        }),
    );
    put(
        "residual",
        json!(match form.realisation {
            Realisation::Closed => "none",
            Realisation::Modulated => "modulated",
            Realisation::Constant => "constant-ports",
        }),
    );
    put("power", json!(text(pool, form.power)));
    put(
        "power_balance",
        json!(match form.balance {
            Zero::Yes => "proved",
            _ => "not decided",
        }),
    );
    put("coordinates", json!(names(pool, &form.base)));
    put("D", matrix(pool, &form.bivector));
    put("courant", tensor);
    put("schouten", schouten);
    put(
        "dirac",
        json!(match criteria.integrable {
            Zero::Yes => Some(true),
            Zero::No => Some(false),
            Zero::Unknown { .. } => None,
        }),
    );
    put("Q", components(pool, &form.homological.field));
    put("Q_squared", components(pool, &form.homological.square));
    put("Q_squared_zero", json!(zero(form.homological.square_zero)));
    put("side_conditions", form.conditions.iter().map(|c| json!(condition(pool, c))).collect());
    put("free_directions", directions);
    put("freedom", json!(form.freedom));
    put(
        "criteria",
        json!({
            "trivial": criteria.trivial,
            "R_positive_semidefinite": verdict(pool, &criteria.passive),
            "residual_ports": criteria.residual_ports,
            "integrable": zero(criteria.integrable),
            "H_positive_definite": verdict(pool, &criteria.positive),
            "dissipated": criteria.dissipated,
            "degree": criteria.degree,
            "size": criteria.size,
        }),
    );
    Value::Object(out)
}

fn obstruction(pool: &Pool, report: &PortReport<'_>, found: &Obstruction) -> Value {
    let outside: Value = found
        .outside
        .iter()
        .map(|part| {
            json!({
                "state": text(pool, report.problem.states[part.state]),
                "rate": text(pool, report.problem.drift[part.state]),
                "remainder": text(pool, part.remainder),
            })
        })
        .collect();
    json!({
        "H": text(pool, found.hamiltonian),
        "not_in_ideal": outside,
        "critical_point": found.critical.as_ref().map(|list| point(pool, list)),
        "power": text(pool, found.power),
        "power_nowhere_positive": verdict(pool, &found.loses),
        "closed_form_exists": found.closed,
        "decided": found.is_decided(),
    })
}
