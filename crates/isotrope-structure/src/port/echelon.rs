//! Linear equations over the field of the parameters, one after the other.

use std::collections::BTreeMap;

use isotrope_algebra::{Budget, RationalFunction};

use super::PortError;

const DOING: &str = "solving for the coefficients of an ansatz";

/// A row: coefficients by column; the column past the last unknown is the right-hand side.
pub(super) type Row = BTreeMap<usize, RationalFunction>;

/// What an equation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inserted {
    /// It determined an unknown.
    Pivot,
    /// It follows from the others.
    Redundant,
    /// It contradicts them, for generic parameters; it was not kept.
    Contradiction,
}

/// Equations `sum a_k x_k = b` in reduced echelon form.
#[derive(Debug, Clone)]
pub(super) struct Echelon {
    /// Smaller is solved for first; what stays free is set to zero.
    preference: Vec<u32>,
    rows: BTreeMap<usize, Row>,
}

impl Echelon {
    /// No equations yet; unknowns with a smaller number are solved for first.
    pub fn new(preference: Vec<u32>) -> Self {
        Self { preference, rows: BTreeMap::new() }
    }

    fn unknowns(&self) -> usize {
        self.preference.len()
    }

    /// How many equations are independent.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Is an unknown determined by the others?
    pub fn determines(&self, unknown: usize) -> bool {
        self.rows.contains_key(&unknown)
    }

    /// An equation modulo those that are there: without the unknowns that they determine.
    pub fn reduced(&self, mut row: Row, budget: &mut Budget) -> Result<Row, PortError> {
        let known: Vec<usize> =
            row.keys().copied().filter(|column| self.rows.contains_key(column)).collect();
        for column in known {
            let Some(factor) = row.get(&column).cloned() else { continue };
            subtract(&mut row, &self.rows[&column], &factor, budget)?;
        }
        Ok(row)
    }

    /// Adds an equation.
    pub fn insert(&mut self, row: Row, budget: &mut Budget) -> Result<Inserted, PortError> {
        let right = self.unknowns();
        let mut row = self.reduced(row, budget)?;
        let pivot = row
            .iter()
            .filter(|(column, _)| **column < right)
            .min_by_key(|(column, value)| {
                (self.preference[**column], value.as_constant().is_none(), **column)
            })
            .map(|(&column, value)| (column, value.clone()));
        let Some((column, value)) = pivot else {
            let contradiction = row.contains_key(&right);
            return Ok(if contradiction { Inserted::Contradiction } else { Inserted::Redundant });
        };
        if let Some(inverse) = value.recip() {
            for entry in row.values_mut() {
                *entry = entry.mul(&inverse, budget)?;
            }
        }
        for other in self.rows.values_mut() {
            if let Some(factor) = other.get(&column).cloned() {
                subtract(other, &row, &factor, budget)?;
            }
        }
        self.rows.insert(column, row);
        Ok(Inserted::Pivot)
    }

    /// Adds equations; false, without the rest, at the first contradiction.
    pub fn insert_all(
        &mut self,
        rows: impl IntoIterator<Item = Row>,
        budget: &mut Budget,
    ) -> Result<bool, PortError> {
        for row in rows {
            if self.insert(row, budget)? == Inserted::Contradiction {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The solution with all free unknowns zero.
    pub fn solution(&self) -> Vec<RationalFunction> {
        let right = self.unknowns();
        let value = |column| self.rows.get(&column).and_then(|row: &Row| row.get(&right).cloned());
        (0..right).map(|column| value(column).unwrap_or_default()).collect()
    }

    /// Solutions of the homogeneous equations: one for every free unknown.
    pub fn directions(&self) -> Vec<Vec<RationalFunction>> {
        let size = self.unknowns();
        let free = (0..size).filter(|column| !self.rows.contains_key(column));
        free.map(|free| {
            let mut vector = vec![RationalFunction::zero(); size];
            vector[free] = RationalFunction::one();
            for (&column, row) in &self.rows {
                if let Some(value) = row.get(&free) {
                    vector[column] = value.negate();
                }
            }
            vector
        })
        .collect()
    }
}

fn subtract(
    row: &mut Row,
    pivot: &Row,
    factor: &RationalFunction,
    budget: &mut Budget,
) -> Result<(), PortError> {
    budget.spend(pivot.len() as u64, DOING)?;
    for (&column, value) in pivot {
        let change = value.mul(factor, budget)?;
        let place = row.entry(column).or_default();
        *place = place.sub(&change, budget)?;
        if place.is_zero() {
            row.remove(&column);
        }
    }
    Ok(())
}
