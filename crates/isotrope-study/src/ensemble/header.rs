//! From the names of columns to what they are.

use isotrope_algebra::syntax::nearest;
use rustc_hash::FxHashMap;

use super::EnsembleCode;
use super::error::{EnsembleLabel, Reporter, shorten};
use super::lines::Field;

/// What is given beside the positions of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rates<'a> {
    /// Velocities, of a Lagrangian.
    Velocities,
    /// Momenta, of a Hamiltonian.
    Momenta,
    /// Nothing: a state is all that a motion begins with.
    Nothing,
    /// Velocities that are not those of coordinates, by their names: on a Lie group.
    Named(&'a [&'a str]),
}

/// What a model calls things.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// Parameters, each with whether it is structural: another value would mean another system.
    pub parameters: &'a [(&'a str, bool)],
    /// Coordinates.
    pub coordinates: &'a [&'a str],
    /// What is given beside the positions.
    pub rates: Rates<'a>,
}

/// What a column gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// The parameter of that position in [`Names::parameters`].
    Parameter(usize),
    /// The initial position of that coordinate.
    Position(usize),
    /// The initial velocity of that coordinate.
    Velocity(usize),
    /// The initial momentum of that coordinate.
    Momentum(usize),
}

/// Looks names up. Names of the model come first: a parameter `v_x` is that parameter.
struct Scope<'a> {
    names: &'a Names<'a>,
    known: FxHashMap<&'a str, Column>,
    /// What has a rate.
    moving: FxHashMap<&'a str, usize>,
}

impl<'a> Scope<'a> {
    fn new(names: &'a Names<'a>) -> Self {
        let mut known: FxHashMap<&str, Column> = FxHashMap::default();
        let moving = match names.rates {
            Rates::Named(rates) => {
                known.extend(rates.iter().copied().zip((0..).map(Column::Velocity)));
                rates
            }
            _ => names.coordinates,
        };
        let moving: FxHashMap<&str, usize> = moving.iter().copied().zip(0..).collect();
        for (name, k) in names.coordinates.iter().zip(0..) {
            known.insert(name, Column::Position(k));
        }
        for ((name, _), k) in names.parameters.iter().zip(0..) {
            known.insert(name, Column::Parameter(k));
        }
        Self { names, known, moving }
    }

    fn column(&self, name: &str) -> Option<Column> {
        let rate = |name: Option<&str>| name.and_then(|name| self.moving.get(name.trim()));
        let velocity = || {
            let dot = name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')'));
            rate(name.strip_suffix('\'')).or(rate(name.strip_prefix("v_"))).or(rate(dot))
        };
        let momentum = || rate(name.strip_prefix("p_"));
        self.known
            .get(name)
            .copied()
            .or_else(|| velocity().map(|k| Column::Velocity(*k)))
            .or_else(|| momentum().map(|k| Column::Momentum(*k)))
    }

    /// The way out for an unknown name.
    fn hint(&self, name: &str) -> Option<String> {
        let core = name.strip_suffix('\'').or(name.strip_prefix("v_")).or(name.strip_prefix("p_"));
        let named = match self.names.rates {
            Rates::Named(rates) => rates,
            _ => &[],
        };
        let coordinates = self.names.coordinates.iter().chain(named).copied();
        if let Some(near) = core.and_then(|core| nearest(core, coordinates.clone())) {
            return Some(match self.names.rates {
                Rates::Momenta => format!("did you mean `p_{near}`?"),
                Rates::Nothing | Rates::Named(_) => format!("did you mean `{near}`?"),
                Rates::Velocities if name.ends_with('\'') => {
                    format!("did you mean `{near}'`?")
                }
                Rates::Velocities => format!("did you mean `v_{near}`?"),
            });
        }
        let parameters = self.names.parameters.iter().map(|(name, _)| *name);
        let near = nearest(name, parameters.clone().chain(coordinates.clone()));
        near.map(|near| format!("did you mean `{near}`?")).or_else(|| {
            let some = |what: &str, names: Vec<&str>| match names.as_slice() {
                [] => None,
                names if names.len() <= 8 => Some(format!("{what} {}", names.join(", "))),
                names => Some(format!("{what} {}, …", names[..6].join(", "))),
            };
            let known = [
                some("parameters", parameters.collect()),
                some("coordinates", coordinates.collect()),
            ];
            let known: Vec<String> = known.into_iter().flatten().collect();
            (!known.is_empty()).then(|| format!("the model has the {}", known.join(" and the ")))
        })
    }
}

/// What each field of the header stands for. Columns that are wrong are reported.
pub(super) fn columns(
    fields: &[Field<'_>],
    names: &Names<'_>,
    reporter: &mut Reporter,
) -> Vec<Column> {
    let scope = Scope::new(names);
    let mut first: FxHashMap<Column, Field<'_>> = FxHashMap::default();
    let mut columns = Vec::new();
    for field in fields {
        if reporter.is_full() {
            break;
        }
        let shown = shorten(field.text);
        if field.text.is_empty() {
            reporter.error(EnsembleCode::UnnamedColumn, field.span, "a column without a name");
            continue;
        }
        let Some(column) = scope.column(field.text) else {
            let message = format!("the model has nothing called `{shown}`");
            let error = reporter.error(EnsembleCode::UnknownName, field.span, message);
            if let Some(hint) = scope.hint(field.text) {
                error.hint = hint;
            }
            continue;
        };
        let wrong = match (column, names.rates) {
            (Column::Velocity(k), Rates::Momenta) => {
                Some((k, "a velocity, and the model is a Hamiltonian", "p_"))
            }
            (Column::Momentum(k), Rates::Velocities) => {
                Some((k, "a momentum, and the model is a Lagrangian", "v_"))
            }
            (Column::Momentum(k), Rates::Named(_)) => {
                Some((k, "a momentum, and a motion on a group begins with velocities", ""))
            }
            (Column::Velocity(k) | Column::Momentum(k), Rates::Nothing) => {
                Some((k, "a rate, and the model has a state that it follows from", ""))
            }
            _ => None,
        };
        if let Some((k, reason, prefix)) = wrong {
            let message = format!("`{shown}` is {reason}");
            let error = reporter.error(EnsembleCode::WrongRate, field.span, message);
            let named = match names.rates {
                Rates::Named(rates) => rates,
                _ => names.coordinates,
            };
            if let Some(name) = named.get(k) {
                error.hint = format!("give `{prefix}{name}`");
            }
            continue;
        }
        if let Column::Parameter(k) = column
            && names.parameters.get(k).is_some_and(|(_, structural)| *structural)
        {
            let message = format!("`{shown}` decides what the system is, not how it moves");
            let error = reporter.error(EnsembleCode::StructuralParameter, field.span, message);
            error.hint = format!("run each value by itself: `--set {shown}=…`");
            continue;
        }
        match first.get(&column) {
            Some(before) => {
                let message = format!("`{shown}` is given twice");
                let error = reporter.error(EnsembleCode::DuplicateColumn, field.span, message);
                let message = format!("first here, as `{}`", shorten(before.text));
                error.labels.push(EnsembleLabel { span: before.span, message });
            }
            None => {
                first.insert(column, *field);
                columns.push(column);
            }
        }
    }
    columns
}
