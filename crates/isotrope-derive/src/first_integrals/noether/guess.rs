//! A solution of the conditions, read as a symmetry.

use isotrope_algebra::{Pool, Rational};

use super::ansatz::Unknown;
use super::conditions::Conditions;
use crate::first_integrals::linear::Solution;
use crate::symmetry::short_number;
use crate::{PointSymmetry, Symbols};

/// A solution, and the unknowns that occur in it.
#[derive(Debug, Clone)]
pub(super) struct Guess {
    pub solution: Solution,
    unknowns: Vec<Unknown>,
}

impl Guess {
    pub fn new(conditions: &Conditions, solution: Solution) -> Self {
        Self { unknowns: conditions.unknowns(&solution.columns), solution }
    }

    /// What is listed first: no scaling of time, fields with small numbers, no time, few terms.
    pub fn simplicity(&self) -> (bool, bool, u32, usize) {
        let powers = self.unknowns.iter().map(|unknown| match unknown {
            Unknown::Gauge(..) => 0,
            Unknown::Field { power, .. } => *power,
            Unknown::Time(power) => *power,
        });
        let time = self.unknowns.iter().any(|unknown| matches!(unknown, Unknown::Time(_)));
        let in_gauge = |unknown: &Unknown| matches!(unknown, Unknown::Gauge(..));
        let mut moving =
            self.unknowns.iter().zip(&self.solution.values).filter(|pair| !in_gauge(pair.0));
        let symbols = moving.any(|(_, &value)| short_number(value).is_none());
        (time, symbols, powers.max().unwrap_or(0), self.solution.columns.len())
    }

    /// A field on positions with rational coefficients times this power of t, if it is no more than that. Without time
    /// L itself has to be invariant, while a boost may have its G.
    pub fn as_point_symmetry(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        time: u32,
    ) -> Option<PointSymmetry> {
        let mut translation = vec![Rational::ZERO; symbols.dimension()];
        let mut linear = Vec::new();
        for (unknown, &value) in self.unknowns.iter().zip(&self.solution.values) {
            match *unknown {
                Unknown::Gauge(..) if time > 0 => {}
                Unknown::Field { component, factor, power } if power == time => {
                    let value = short_number(value)?;
                    match factor {
                        None => translation[component] = value,
                        Some(j) => linear.push((component, j, value)),
                    }
                }
                _ => return None,
            }
        }
        Some(PointSymmetry::new(pool, symbols, translation, linear))
    }
}
