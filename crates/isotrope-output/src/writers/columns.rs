//! The names of columns.

use rustc_hash::FxHashSet;

use super::WriteError;

/// The names of the columns of a file: at least one, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns(Vec<String>);

impl Columns {
    /// Checks the names.
    pub fn new(names: &[String]) -> Result<Self, WriteError> {
        let mut seen = FxHashSet::default();
        match names.iter().find(|name| !seen.insert(name.as_str())) {
            _ if names.is_empty() => Err(WriteError::NoColumns),
            Some(name) => Err(WriteError::DuplicateColumn { name: name.clone() }),
            None => Ok(Self(names.to_vec())),
        }
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Checks the length of a row.
    pub(super) fn check(&self, row: &[f64]) -> Result<(), WriteError> {
        check_width(self.count(), row)
    }
}

/// Checks the length of a row.
pub(super) fn check_width(columns: usize, row: &[f64]) -> Result<(), WriteError> {
    if row.len() == columns {
        Ok(())
    } else {
        Err(WriteError::Width { columns, entries: row.len() })
    }
}

/// The columns of a trajectory: `t`, `x`, …, `v_x`, …, `p_x`, …, `lambda_rod`, …, `energy`.
///
/// ```
/// use isotrope_output::writers::trajectory_columns;
/// let columns = trajectory_columns(&["x", "y[2]"], &["rod[1]"]);
/// let expected = ["t", "x", "y[2]", "v_x", "v_y[2]", "p_x", "p_y[2]", "lambda_rod[1]", "energy"];
/// assert_eq!(columns, expected);
/// ```
pub fn trajectory_columns<S: AsRef<str>>(coordinates: &[S], constraints: &[S]) -> Vec<String> {
    let velocities: Vec<String> = coordinates.iter().map(|x| format!("v_{}", x.as_ref())).collect();
    let momenta: Vec<String> = coordinates.iter().map(|x| format!("p_{}", x.as_ref())).collect();
    columns_of([&strings(coordinates), &velocities, &momenta], &strings(constraints))
}

/// The same on a Lie group: the numbers of a configuration, the components of the velocity by their own
/// names, and their momenta.
pub fn group_columns<S: AsRef<str>>(numbers: &[S], rates: &[S], constraints: &[S]) -> Vec<String> {
    let momenta: Vec<String> = rates.iter().map(|x| format!("p_{}", x.as_ref())).collect();
    let velocity = |name: &str| {
        // What is a coordinate as well has its velocity beside it.
        let taken = numbers.iter().any(|number| number.as_ref() == name);
        if taken { format!("v_{name}") } else { name.to_owned() }
    };
    let velocities: Vec<String> = rates.iter().map(|x| velocity(x.as_ref())).collect();
    columns_of([&strings(numbers), &velocities, &momenta], &strings(constraints))
}

fn strings<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}

fn columns_of(parts: [&[String]; 3], constraints: &[String]) -> Vec<String> {
    let mut columns = vec!["t".to_owned()];
    parts.into_iter().for_each(|part| columns.extend_from_slice(part));
    columns.extend(constraints.iter().map(|name| format!("lambda_{name}")));
    columns.push("energy".to_owned());
    columns
}
