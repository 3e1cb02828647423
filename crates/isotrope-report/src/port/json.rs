//! The report for programs: names are fixed by the contract, expressions parse back.

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{ExprId, Pool, Rational};
use isotrope_structure::port::{Dissipation, Form, Obstruction, PortKind, Realisation, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{PortReport, condition, names, text};
use crate::json::{Named, value};
use crate::structure::json::{components, triple, zero};

/// What `isotrope port` answers.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PortRecord {
    /// The name of the model.
    name: String,
    /// What its author says about it.
    description: Option<String>,
    /// The states.
    states: Vec<String>,
    /// Their rates.
    rates: Named<String>,
    /// Port-Hamiltonian forms, the best first.
    forms: Vec<FormRecord>,
    /// Why there is none for the Hamiltonian that was asked for.
    obstruction: Option<ObstructionRecord>,
    /// When a positive definite quadratic function is kept.
    definite_invariant: Option<VerdictRecord>,
    /// What the reader should know.
    notes: Vec<String>,
}

/// x' = (J - R) dH/dx + g u.
#[derive(Debug, JsonSchema, Serialize)]
struct FormRecord {
    /// The energy.
    #[serde(rename = "H")]
    hamiltonian: String,
    /// Where it comes from.
    origin: &'static str,
    /// The skew matrix.
    #[serde(rename = "J")]
    j: Vec<Vec<String>>,
    /// The symmetric matrix.
    #[serde(rename = "R")]
    r: Vec<Vec<String>>,
    /// The columns of the ports that are not resistive, by rows.
    g: Vec<Vec<String>>,
    /// Their inputs.
    inputs: Vec<String>,
    /// Their outputs.
    outputs: Vec<String>,
    /// All ports.
    ports: Vec<PortPartRecord>,
    /// States with a resistive port, from 1.
    residual_support: Vec<usize>,
    /// `zero`, `diagonal` or `full`.
    dissipation: &'static str,
    /// `none`, `modulated` or `constant-ports`.
    residual: &'static str,
    /// H' along the motion.
    power: String,
    /// `proved` or `not decided`.
    power_balance: &'static str,
    /// The coordinates of the extended bivector.
    coordinates: Vec<String>,
    /// The extended bivector.
    #[serde(rename = "D")]
    bivector: Vec<Vec<String>>,
    /// The Courant tensor {D, D}/2: `"0"`, or components by coordinates from 1.
    courant: TensorRecord,
    /// {D, D}, likewise.
    schouten: TensorRecord,
    /// Is it a Dirac structure? `null`: not decided.
    dirac: Option<bool>,
    /// The homological field.
    #[serde(rename = "Q")]
    field: Named<String>,
    /// Its square.
    #[serde(rename = "Q_squared")]
    square: Named<String>,
    /// `yes`, `no` or `unknown`.
    #[serde(rename = "Q_squared_zero")]
    square_zero: &'static str,
    /// What must hold for the form.
    side_conditions: Vec<String>,
    /// Directions in which J and R can be changed.
    free_directions: Vec<DirectionRecord>,
    /// How many there are.
    freedom: usize,
    /// What the form is ranked by.
    criteria: CriteriaRecord,
}

/// A port.
#[derive(Debug, JsonSchema, Serialize)]
struct PortPartRecord {
    /// Its coordinate.
    coordinate: String,
    /// Its kind.
    kind: &'static str,
    /// Its column.
    column: Vec<String>,
    /// The input.
    input: String,
    /// The output.
    output: String,
}

/// A tensor.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
enum TensorRecord {
    Zero(&'static str),
    Components(Named<String>),
}

/// A direction in which a form can be changed.
#[derive(Debug, JsonSchema, Serialize)]
struct DirectionRecord {
    /// The change of J.
    #[serde(rename = "J")]
    j: Vec<Vec<String>>,
    /// The change of R.
    #[serde(rename = "R")]
    r: Vec<Vec<String>>,
}

/// What forms are ranked by.
#[derive(Debug, JsonSchema, Serialize)]
struct CriteriaRecord {
    /// Are J and R zero, with all of the rates in ports?
    trivial: bool,
    /// Is R positive semidefinite?
    #[serde(rename = "R_positive_semidefinite")]
    passive: VerdictRecord,
    /// Ports for the residual, and the states that they act on.
    residual_ports: usize,
    /// Is the structure integrable: `yes`, `no` or `unknown`.
    integrable: &'static str,
    /// Is H positive definite?
    #[serde(rename = "H_positive_definite")]
    positive: VerdictRecord,
    /// How many states R acts on.
    dissipated: usize,
    /// The degree of the entries of J and R.
    degree: u32,
    /// How long the form is written.
    size: u64,
}

/// When a statement holds: `yes`, `if`, `no` or `unknown`.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "answer", rename_all = "lowercase")]
enum VerdictRecord {
    /// Always.
    Yes,
    /// Under conditions.
    If {
        /// The conditions.
        conditions: Vec<String>,
        /// Are they necessary?
        necessary: bool,
        /// Do they hold for the parameters of the file?
        at_values: Option<bool>,
    },
    /// Never.
    No {
        /// A point where it fails.
        witness: Named<String>,
        /// Was that shown for the parameters of the file only?
        at_values_only: bool,
    },
    /// Not decided.
    Unknown,
}

/// Why there is no form.
#[derive(Debug, JsonSchema, Serialize)]
struct ObstructionRecord {
    /// The energy that was asked for.
    #[serde(rename = "H")]
    hamiltonian: String,
    /// Rates that are not combinations of its derivatives.
    not_in_ideal: Vec<OutsideRecord>,
    /// A critical point of H where a rate is not zero.
    critical_point: Option<Named<String>>,
    /// H' along the motion.
    power: String,
    /// Is it nowhere positive?
    power_nowhere_positive: VerdictRecord,
    /// Is there a form without ports?
    closed_form_exists: bool,
    /// Is all this decided?
    decided: bool,
}

/// A rate that is not a combination of the derivatives of H.
#[derive(Debug, JsonSchema, Serialize)]
struct OutsideRecord {
    /// The state.
    state: String,
    /// Its rate.
    rate: String,
    /// What is left of it.
    remainder: String,
}

/// The report as JSON.
pub fn to_json(pool: &mut Pool, report: &PortReport<'_>) -> Value {
    let forms = report.recovery.forms.iter().map(|form| form_record(pool, form)).collect();
    let states = names(pool, &report.problem.states);
    let rates = states.iter().zip(&report.problem.rates);
    let found = report.recovery.obstruction.as_ref();
    value(&PortRecord {
        name: report.heading.name.clone(),
        description: report.heading.description.clone(),
        rates: rates.map(|(name, &rate)| (name.clone(), text(pool, rate))).collect(),
        states,
        forms,
        obstruction: found.map(|o| obstruction(pool, report, o)),
        definite_invariant: report.definite_invariant.as_ref().map(|v| verdict(pool, v)),
        notes: report.recovery.notes.clone(),
    })
}

fn texts(pool: &Pool, list: &[ExprId]) -> Vec<String> {
    list.iter().map(|&e| text(pool, e)).collect()
}

fn matrix(pool: &Pool, matrix: &Matrix) -> Vec<Vec<String>> {
    (0..matrix.rows()).map(|i| texts(pool, matrix.row(i))).collect()
}

fn point(pool: &Pool, list: &[(ExprId, ExprId)]) -> Named<String> {
    list.iter().map(|&(x, value)| (text(pool, x), text(pool, value))).collect()
}

fn verdict(pool: &Pool, verdict: &Verdict) -> VerdictRecord {
    match verdict {
        Verdict::Always => VerdictRecord::Yes,
        Verdict::Under { conditions, sharp, at_values } => VerdictRecord::If {
            conditions: conditions.iter().map(|c| condition(pool, c)).collect(),
            necessary: *sharp,
            at_values: *at_values,
        },
        Verdict::Never { witness, at_values } => {
            VerdictRecord::No { witness: point(pool, witness), at_values_only: *at_values }
        }
        Verdict::Unknown => VerdictRecord::Unknown,
    }
}

/// The Courant tensor `T = {D, D}/2`, or `factor` times it.
fn courant(pool: &mut Pool, form: &Form, factor: i64) -> TensorRecord {
    if form.courant.components.is_empty() {
        return TensorRecord::Zero("0");
    }
    let parts = form.courant.components.iter().map(|part| {
        let value = pool.scale(&Rational::integer(factor), part.value);
        (triple(part.indices), text(pool, value))
    });
    TensorRecord::Components(parts.collect())
}

fn form_record(pool: &mut Pool, form: &Form) -> FormRecord {
    let (courant, schouten) = (courant(pool, form, 1), courant(pool, form, 2));
    let pool = &*pool;
    let open: Vec<_> = form.ports.iter().filter(|port| port.kind != PortKind::Resistive).collect();
    let row = |i: usize| open.iter().map(|port| text(pool, port.column[i])).collect();
    let ports = form.ports.iter().map(|port| PortPartRecord {
        coordinate: text(pool, port.coordinate),
        kind: port.kind.name(),
        column: texts(pool, &port.column),
        input: text(pool, port.input),
        output: text(pool, port.output),
    });
    let directions = form
        .directions
        .iter()
        .map(|(j, r)| DirectionRecord { j: matrix(pool, j), r: matrix(pool, r) });
    let criteria = &form.criteria;
    FormRecord {
        hamiltonian: text(pool, form.hamiltonian),
        origin: form.origin.name(),
        j: matrix(pool, &form.j),
        r: matrix(pool, &form.r),
        g: (0..form.j.rows()).map(row).collect(),
        inputs: open.iter().map(|port| text(pool, port.input)).collect(),
        outputs: open.iter().map(|port| text(pool, port.output)).collect(),
        ports: ports.collect(),
        residual_support: form.residual_support.iter().map(|i| i + 1).collect(),
        dissipation: match form.dissipation {
            Dissipation::Zero => "zero",
            Dissipation::Diagonal => "diagonal",
            Dissipation::Full => "full",
        },
        residual: match form.realisation {
            Realisation::Closed => "none",
            Realisation::Modulated => "modulated",
            Realisation::Constant => "constant-ports",
        },
        power: text(pool, form.power),
        power_balance: match form.balance {
            Zero::Yes => "proved",
            _ => "not decided",
        },
        coordinates: names(pool, &form.base),
        bivector: matrix(pool, &form.bivector),
        courant,
        schouten,
        dirac: match criteria.integrable {
            Zero::Yes => Some(true),
            Zero::No => Some(false),
            Zero::Unknown { .. } => None,
        },
        field: components(pool, &form.homological.field),
        square: components(pool, &form.homological.square),
        square_zero: zero(form.homological.square_zero),
        side_conditions: form.conditions.iter().map(|c| condition(pool, c)).collect(),
        free_directions: directions.collect(),
        freedom: form.freedom,
        criteria: CriteriaRecord {
            trivial: criteria.trivial,
            passive: verdict(pool, &criteria.passive),
            residual_ports: criteria.residual_ports,
            integrable: zero(criteria.integrable),
            positive: verdict(pool, &criteria.positive),
            dissipated: criteria.dissipated,
            degree: criteria.degree,
            size: criteria.size,
        },
    }
}

fn obstruction(pool: &Pool, report: &PortReport<'_>, found: &Obstruction) -> ObstructionRecord {
    let outside = found.outside.iter().map(|part| OutsideRecord {
        state: text(pool, report.problem.states[part.state]),
        rate: text(pool, report.problem.drift[part.state]),
        remainder: text(pool, part.remainder),
    });
    ObstructionRecord {
        hamiltonian: text(pool, found.hamiltonian),
        not_in_ideal: outside.collect(),
        critical_point: found.critical.as_ref().map(|list| point(pool, list)),
        power: text(pool, found.power),
        power_nowhere_positive: verdict(pool, &found.loses),
        closed_form_exists: found.closed,
        decided: found.is_decided(),
    }
}
