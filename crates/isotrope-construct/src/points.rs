//! Real points on the set of solutions, simple ones first.

use isotrope_algebra::ideal::{BasisEngine, Ideal, IdealError, ModularIdeal, RealPoint};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OrInternal, Rational};

use super::shape::is_matrix_entry;
use super::solve::within_reach;
use super::unknowns::Unknowns;

/// Bases computed in one search.
const BASES: usize = 120;
/// Values that free entries are given, the simplest first.
const VALUES: [(i64, i64); 14] = [
    (1, 2),
    (1, 3),
    (2, 3),
    (1, 4),
    (3, 4),
    (1, 1),
    (1, 6),
    (0, 1),
    (5, 6),
    (2, 5),
    (3, 5),
    (1, 5),
    (-1, 2),
    (2, 1),
];

/// How free entries are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taste {
    /// As many zeros in the matrices as possible.
    Sparse,
    /// Simple fractions; the number says with which of them to begin.
    Fractions(usize),
}

/// A search for points: bases are counted.
pub struct Search<'a> {
    unknowns: &'a Unknowns,
    engine: &'a dyn BasisEngine,
    left: usize,
}

impl<'a> Search<'a> {
    /// A search among the solutions for these unknowns.
    pub fn new(unknowns: &'a Unknowns, engine: &'a dyn BasisEngine) -> Self {
        Self { unknowns, engine, left: BASES }
    }

    /// Real points of the ideal; of a positive-dimensional one, points with simple free entries.
    pub fn points(
        &mut self,
        ideal: &Ideal,
        taste: Taste,
        budget: &mut Budget,
    ) -> Result<Vec<RealPoint>, IdealError> {
        let mut ideal = ideal.clone();
        if taste == Taste::Sparse {
            ideal = self.with_zeros(ideal, budget)?;
        }
        self.descend(&ideal, taste, budget)
    }

    /// Makes one entry of the matrices after the other zero, as long as there are solutions.
    fn with_zeros(&mut self, ideal: Ideal, budget: &mut Budget) -> Result<Ideal, IdealError> {
        let mut ideal = ideal;
        // Entries far from the diagonal first: what is left is closest to a chain of stages.
        for variable in (0..self.unknowns.len()).filter(|&v| is_matrix_entry(self.unknowns, v)) {
            if ideal.dimension() == Some(0) || self.left == 0 {
                break;
            }
            let entry = Polynomial::variable(variable);
            if ideal.contains(&entry, budget)? {
                continue;
            }
            if let Some(smaller) = self.extended(&ideal, entry, budget)? {
                ideal = smaller;
            }
        }
        Ok(ideal)
    }

    /// Gives values to free entries until finitely many points are left.
    fn descend(
        &mut self,
        ideal: &Ideal,
        taste: Taste,
        budget: &mut Budget,
    ) -> Result<Vec<RealPoint>, IdealError> {
        if ideal.dimension() == Some(0) {
            let points = within_reach(ideal.real_points(self.engine, budget));
            return Ok(match points {
                Ok(points) => points.unwrap_or_default(),
                Err(IdealError::TooManyPoints { .. } | IdealError::Field(_)) => Vec::new(),
                Err(error) => return Err(error),
            });
        }
        let Some(&variable) = ideal.independent_variables().first() else { return Ok(Vec::new()) };
        let start = match taste {
            Taste::Sparse => 0,
            Taste::Fractions(start) => start,
        };
        for attempt in 0..VALUES.len() {
            let (numerator, denominator) = VALUES[(attempt + start) % VALUES.len()];
            let value =
                Rational::new(numerator, denominator).or_noticed("denominators are not zero");
            let equation =
                Polynomial::variable(variable).sub(&Polynomial::constant(value), budget)?;
            if self.left == 0 {
                break;
            }
            if let Some(smaller) = self.extended(ideal, equation, budget)?
                && smaller.dimension() < ideal.dimension()
            {
                let points = self.descend(&smaller, taste, budget)?;
                if !points.is_empty() {
                    return Ok(points);
                }
            }
        }
        Ok(Vec::new())
    }

    /// The ideal with an equation, if it has solutions and is within reach.
    fn extended(
        &mut self,
        ideal: &Ideal,
        equation: Polynomial,
        budget: &mut Budget,
    ) -> Result<Option<Ideal>, IdealError> {
        self.left = self.left.saturating_sub(1);
        let mut system = ideal.basis().to_vec();
        system.push(equation.clone());
        // Modulo a prime first: most attempts end there.
        let modular = within_reach(ModularIdeal::new(&system, ideal.variables(), self.engine))?;
        if !modular.is_some_and(|modular| modular.is_consistent()) {
            return Ok(None);
        }
        let extended = within_reach(ideal.extended([equation], self.engine, budget))?;
        Ok(extended.filter(Ideal::is_consistent))
    }
}
