//! Certificates as JSON.

use isotrope_algebra::{Ball, Budget, Precision, Rational};
use isotrope_certify::{Certificate, Certified, LinearTheory, Verdict};
use isotrope_methods::classes::Class;
use isotrope_methods::table::{Entry, FloatTable, Table};
use isotrope_scheme::{Method, Steps, Theory};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::linear::LinearRecord;
use super::summary::MethodRecord;
use crate::json::{Exponent, value};

/// Exact coefficients cost algebra; what is not had within this is `null`.
const EXACT_BUDGET: u64 = 20_000_000;
const FLOAT_BUDGET: u64 = 200_000_000;

/// What `isotrope methods` answers: of all methods, or of one.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum MethodsRecord {
    /// All of them.
    All {
        /// The methods, in the order of the list.
        methods: Vec<MethodRecord>,
    },
    /// One of them.
    One(Box<DetailRecord>),
}

/// A method with its coefficients.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DetailRecord {
    #[serde(flatten)]
    summary: MethodRecord,
    /// Linear stability, embedded weights, dense output; `null` of what is no table of at most 16 stages.
    linear: Option<LinearRecord>,
    #[serde(flatten)]
    formula: FormulaRecord,
}

/// What `isotrope certify` answers: the method, and what its file declares.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CertifyRecord {
    #[serde(flatten)]
    method: DetailRecord,
    /// Is the order certified in exact arithmetic? Sampling stands behind structure orders only.
    exact: bool,
    /// What the file declares, judged.
    declared: Vec<VerdictRecord>,
    /// Does all of it hold?
    declared_holds: bool,
}

/// What `isotrope certify` answers, for a table or for tables of groups.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum CertificationRecord {
    /// Of a table file.
    Table(Box<CertifyRecord>),
    /// Of a file with tables for groups.
    Grouped(Box<super::GroupedRecord>),
}

/// What a step computes. Exact numbers are text that parses back.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum FormulaRecord {
    /// Of a multistep method.
    Multistep {
        /// Coefficients of the positions.
        alpha: Vec<String>,
        /// Coefficients of the rates.
        beta: Vec<String>,
    },
    /// Of a scheme that is expanded.
    Expansion {
        /// Its equations.
        equations: &'static [&'static str],
    },
    /// Of a table.
    Table {
        /// Exact coefficients.
        table: TableRecord,
        /// The doubles nearest to them.
        table_f64: Option<FloatTableRecord>,
    },
    /// Of a composition.
    Composition {
        /// Lengths of the steps, to 30 digits; `null` if no solution could be enclosed.
        gamma: Option<Vec<String>>,
        /// The doubles nearest to them.
        gamma_f64: Option<Vec<Option<f64>>>,
    },
    /// Of a scheme that is written as equations for each system.
    Equations {},
}

/// The exact coefficients of a table; `null` for what costs too much algebra.
#[derive(Debug, JsonSchema, Serialize)]
struct TableRecord {
    /// The number of stages.
    stages: usize,
    /// Of the positions.
    a: Vec<Vec<Option<String>>>,
    /// Weights of the positions.
    b: Vec<Option<String>>,
    /// Of the velocities.
    abar: Vec<Vec<Option<String>>>,
    /// Weights of the velocities.
    bbar: Vec<Option<String>>,
    /// Weights of the momenta.
    btil: Vec<Option<String>>,
}

/// The coefficients of a table in double precision.
#[derive(Debug, JsonSchema, Serialize)]
struct FloatTableRecord {
    /// Of the positions.
    a: Vec<Vec<f64>>,
    /// Weights of the positions.
    b: Vec<f64>,
    /// Of the velocities.
    abar: Vec<Vec<f64>>,
    /// Weights of the velocities.
    bbar: Vec<f64>,
    /// Weights of the momenta.
    btil: Vec<f64>,
}

/// What a file declares, judged.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct VerdictRecord {
    /// `order`, `structure` or `form`.
    what: &'static str,
    /// The class, for structure and form.
    class: Option<&'static str>,
    /// What the file says.
    declared: Exponent,
    /// What was computed.
    computed: Option<Exponent>,
    /// Is the method at least as good as declared? `null`: not decided.
    holds: Option<bool>,
}

/// The object of `methods`.
pub fn list_to_json(methods: &[Certified<Method>]) -> Value {
    let record = |one: &Certified<Method>| MethodRecord::new(one.method(), one.certificate());
    value(&MethodsRecord::All { methods: methods.iter().map(record).collect() })
}

/// One method with its coefficients and, for `certify`, what was declared of it.
pub fn to_json(
    method: &Method,
    certificate: &Certificate,
    theory: Option<&LinearTheory>,
    verdicts: Option<&[Verdict]>,
) -> Value {
    let linear = match (theory, method.steps()) {
        (Some(theory), Steps::Table(table)) => Some(LinearRecord::new(theory, &table.field)),
        _ => None,
    };
    let detail = DetailRecord {
        summary: MethodRecord::new(method, certificate),
        linear,
        formula: FormulaRecord::new(method),
    };
    match verdicts {
        None => value(&MethodsRecord::One(Box::new(detail))),
        Some(verdicts) => value(&CertifyRecord {
            method: detail,
            exact: certificate.order.is_some(),
            declared: verdicts.iter().map(VerdictRecord::new).collect(),
            declared_holds: verdicts.iter().all(|verdict| verdict.holds == Some(true)),
        }),
    }
}

impl VerdictRecord {
    pub(super) fn new(verdict: &Verdict) -> Self {
        let number = |text: &String| match text.parse() {
            Ok(number) => Exponent::Power(number),
            Err(_) => Exponent::Bound(text.clone()),
        };
        Self {
            what: verdict.what,
            class: verdict.class.map(Class::name),
            declared: number(&verdict.claimed.to_string()),
            computed: verdict.computed.as_ref().map(number),
            holds: verdict.holds,
        }
    }
}

impl FormulaRecord {
    fn new(method: &Method) -> Self {
        match (method.theory(), method.steps()) {
            (Theory::Multistep(multistep), _) => {
                let multistep = multistep();
                let list = |x: &[Rational]| x.iter().map(Rational::to_string).collect();
                Self::Multistep { alpha: list(&multistep.alpha), beta: list(&multistep.beta) }
            }
            (Theory::Expansion(scheme), _) => Self::Expansion { equations: scheme.equations() },
            (_, Steps::Table(table)) => {
                let float = table.to_f64(&mut Budget::new(FLOAT_BUDGET)).ok();
                Self::Table {
                    table: TableRecord::new(table),
                    table_f64: float.map(FloatTableRecord::from),
                }
            }
            (_, Steps::Composition(composed)) => {
                let balls = composed.composition.coefficients(Precision::new(128)).ok();
                let decimal = |ball: &Ball| ball.to_decimal(30);
                Self::Composition {
                    gamma: balls.as_ref().map(|list| list.iter().map(decimal).collect()),
                    gamma_f64: balls.map(|list| list.iter().map(Ball::to_f64_certain).collect()),
                }
            }
            (_, Steps::Adaptive | Steps::Equations(_)) => Self::Equations {},
        }
    }
}

impl TableRecord {
    fn new(table: &Table) -> Self {
        let budget = &mut Budget::new(EXACT_BUDGET);
        let mut exact = |entry: Entry| {
            table.exact(entry, budget).ok().flatten().map(|number| number.to_string())
        };
        let stages = table.stages;
        let mut matrix = |place: fn(usize, usize) -> Entry| -> Vec<Vec<Option<String>>> {
            (0..stages).map(|i| (0..stages).map(|j| exact(place(i, j))).collect()).collect()
        };
        // The budget is spent in this order.
        let a = matrix(|row, column| Entry::A { row, column });
        let abar = matrix(|row, column| Entry::Abar { row, column });
        let mut vector = |place: fn(usize) -> Entry| (0..stages).map(|i| exact(place(i))).collect();
        let (b, bbar, btil) = (vector(Entry::B), vector(Entry::Bbar), vector(Entry::Btil));
        Self { stages, a, b, abar, bbar, btil }
    }
}

impl From<FloatTable> for FloatTableRecord {
    fn from(FloatTable { a, b, abar, bbar, btil, .. }: FloatTable) -> Self {
        Self { a, b, abar, bbar, btil }
    }
}
