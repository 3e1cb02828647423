//! The order of the rows.

use serde::{Deserialize, Serialize};

use super::{Comparison, Row};

/// What rows are sorted by; those without a value come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortKey {
    /// As they were asked for.
    Given,
    /// The name of the method, then the step.
    Name,
    /// The computed order, highest first.
    Order,
    /// The largest error of the energy.
    Energy,
    /// The larger of both constraint levels.
    Constraint,
    /// The largest distance to the reference.
    #[default]
    Reference,
    /// Time of a step.
    Cost,
}

impl Comparison {
    /// Sorts the rows; equal ones keep their order.
    pub fn sort(&mut self, key: SortKey) {
        let number = |row: &Row| -> f64 {
            let errors = &row.run.errors;
            let completed = row.run.outcome.is_success();
            let value = match key {
                SortKey::Order => return row.order.map_or(f64::INFINITY, |order| -(order as f64)),
                SortKey::Energy => errors.energy_max,
                SortKey::Constraint => {
                    let levels = [errors.constraint_position_max, errors.constraint_velocity_max];
                    levels.into_iter().flatten().reduce(f64::max)
                }
                SortKey::Reference => row.reference_relative_max,
                SortKey::Cost => row.run.cost.ns_per_step,
                SortKey::Given | SortKey::Name => None,
            };
            value.filter(|x| completed && !x.is_nan()).unwrap_or(f64::INFINITY)
        };
        match key {
            SortKey::Given => {}
            SortKey::Name => {
                self.rows.sort_by(|a, b| {
                    a.run.method.cmp(&b.run.method).then(b.run.step.total_cmp(&a.run.step))
                });
            }
            _ => self.rows.sort_by(|a, b| number(a).total_cmp(&number(b))),
        }
    }
}
