//! What `isotrope stability` answers.

use isotrope_algebra::double::linear::Complex;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::report::{Named, Quantities};

/// What happens at a critical value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A pair of eigenvalues leaves or reaches the imaginary axis off zero.
    Flutter,
    /// An eigenvalue is zero.
    Divergence,
    /// The symmetric part of the stiffness is singular: an additional constraint can make the
    /// system diverge from here on.
    SymmetricPartSingular,
}

impl Kind {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Flutter => "flutter",
            Self::Divergence => "divergence",
            Self::SymmetricPartSingular => "symmetric-part-singular",
        }
    }
}

/// An entry of a matrix: exact, in the parameter, or a number.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Entry {
    /// Text that parses back.
    Exact(String),
    /// A number.
    Number(f64),
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(text) => serializer.serialize_str(text),
            Self::Number(number) => finite(*number).serialize(serializer),
        }
    }
}

/// Rows of entries.
pub type Entries = Vec<Vec<Entry>>;

/// The linearisation M y'' + (C + G) y' + K y = 0.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Matrices {
    /// Mass.
    #[serde(rename = "M")]
    pub mass: Entries,
    /// The symmetric part of what multiplies y'.
    #[serde(rename = "C")]
    pub damping: Entries,
    /// Its skew part.
    #[serde(rename = "G")]
    pub gyroscopic: Entries,
    /// Stiffness.
    #[serde(rename = "K")]
    pub stiffness: Entries,
    /// Its symmetric part.
    #[serde(rename = "K_sym")]
    pub symmetric: Entries,
    /// Its skew part.
    #[serde(rename = "K_skew")]
    pub skew: Entries,
}

/// A critical value of the parameter.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Critical {
    /// What happens there.
    pub kind: Kind,
    /// Where.
    pub value: f64,
    /// The same exactly, if it is known.
    pub exact: Option<String>,
    /// How many eigenvalues have a positive real part just below and just above.
    pub unstable: [Option<usize>; 2],
    /// Where the symmetric part is singular: the additional constraint under which the system
    /// diverges there.
    pub constraint: Option<String>,
}

impl Critical {
    pub(super) fn new(kind: Kind, value: f64, exact: Option<String>) -> Self {
        Self { kind, value, exact, unstable: [None; 2], constraint: None }
    }
}

/// How far a system is from being conservative.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Nonconservativity {
    /// Half the rank of the skew part of K.
    pub degree: usize,
    /// How many constraints make the stiffness symmetric.
    pub constraints: Vec<String>,
    /// Their coefficients.
    pub rows: Entries,
}

impl Nonconservativity {
    pub(super) fn new(rows: Entries, names: &[String]) -> Self {
        let constraints = rows.iter().map(|row| constraint(row, names)).collect();
        Self { degree: rows.len(), constraints, rows }
    }
}

/// A constraint on displacements in words: `dx + 2*dy = 0`.
pub(super) fn constraint(row: &[Entry], names: &[String]) -> String {
    let mut text = String::new();
    for (entry, name) in row.iter().zip(names) {
        let coefficient = match entry {
            Entry::Exact(text) => text.clone(),
            Entry::Number(number) => crate::report::significant(*number, 8),
        };
        let (minus, size) = match coefficient.strip_prefix('-') {
            Some(rest) if !rest.contains([' ', '+']) => (true, rest.to_owned()),
            _ => (false, coefficient),
        };
        let factor = match size.as_str() {
            "0" => continue,
            "1" => String::new(),
            other if other.contains([' ', '+']) => format!("({other})*"),
            other => format!("{other}*"),
        };
        let sign = match (text.is_empty(), minus) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(&format!("{sign}{factor}d{name}"));
    }
    format!("{text} = 0")
}

/// Eigenvalues for one value of the parameter.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct CurvePoint {
    /// The value.
    pub value: f64,
    /// Real and imaginary parts.
    #[serde(serialize_with = "as_pairs")]
    #[schemars(with = "Vec<[Option<f64>; 2]>")]
    pub eigenvalues: Vec<Complex>,
}

/// What a method would make of the stability without its parasitic roots.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Principal {
    /// As for all roots.
    pub outcome: &'static str,
    /// From here on the roots that follow the flow amplify.
    pub value: Option<f64>,
    /// How far that is from where the system loses stability.
    pub shift: Option<f64>,
}

/// What a method makes of the stability.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct MethodRow {
    /// The method.
    pub method: String,
    /// Its step.
    pub step: f64,
    /// `stable`, `unstable` (everywhere in the range), `threshold`, or why there is no answer.
    pub outcome: &'static str,
    /// From here on its steps amplify.
    pub value: Option<f64>,
    /// How far that is from where the system loses stability.
    pub shift: Option<f64>,
    /// The rate at which steps grow, per unit of time, at both ends of the range.
    pub growth: [Option<f64>; 2],
    /// The rate for values of the parameter in between.
    pub curve: Vec<[Option<f64>; 2]>,
    /// Where roots that do not follow the flow amplify: the answer of the others.
    pub principal: Option<Principal>,
    /// Why there is no answer.
    pub reason: Option<String>,
}

/// What `isotrope stability` answers.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct StabilityReport {
    /// The name of the model.
    pub model: String,
    /// The parameter that is varied.
    pub parameter: String,
    /// From where to where.
    pub range: [f64; 2],
    /// The value at which what follows was computed, where it depends on the parameter.
    pub at: f64,
    /// Where the system rests.
    pub equilibrium: Quantities,
    /// The same exactly, if it is known and the same for every value of the parameter.
    pub equilibrium_exact: Option<Named<String>>,
    /// Multipliers at rest.
    pub multipliers: Quantities,
    /// The displacements in which the matrices are written.
    pub displacements: Vec<String>,
    /// The linearisation.
    pub matrices: Matrices,
    /// The same in numbers.
    pub values: Matrices,
    /// Its eigenvalues.
    #[serde(serialize_with = "as_pairs")]
    #[schemars(with = "Vec<[Option<f64>; 2]>")]
    pub eigenvalues: Vec<Complex>,
    /// `stable`, `flutter` or `divergence`.
    pub state: &'static str,
    /// Critical values in the range, ascending.
    pub critical: Vec<Critical>,
    /// How far from conservative.
    pub nonconservativity: Nonconservativity,
    /// What methods make of it.
    pub methods: Vec<MethodRow>,
    /// Eigenvalues along the parameter.
    pub curve: Vec<CurvePoint>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

pub(super) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

fn as_pairs<S: Serializer>(list: &[Complex], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(|z| [finite(z.re), finite(z.im)]))
}
