//! Does the basic 2-class vanish? A primitive `theta` with `Q theta = omega_D` that need not be horizontal.
//!
//! The class is that of `omega_D` in the cohomology of the Lie algebroid `D`. The form may be different from
//! zero, and may have no horizontal primitive, while its class vanishes: a linear Poisson structure is `{D, E}` with
//! Euler's field `E`, so that `E` is a primitive, and no one-form is.

use isotrope_algebra::calculus::derivative;
use isotrope_algebra::linear::LinearError;
use isotrope_algebra::{Budget, ExprId, Pool};

use super::ansatz::{MONOMIALS, monomials, power_product, solutions, spread};
use super::{Circle, DiracStructure};

impl DiracStructure {
    /// A primitive of `omega_D`, by its values on the generators: polynomials of at most the given degree, rational
    /// in the parameters, that do not depend on coordinates of circles. `None` if there is none among them, or
    /// if these are too many to search.
    ///
    /// `structure` has the structure functions of the generators, which are independent.
    pub fn primitive_of_class(
        &self,
        pool: &mut Pool,
        structure: &[Vec<Vec<ExprId>>],
        degree: u32,
        circles: &[Circle],
        budget: &mut Budget,
    ) -> Result<Option<Vec<ExprId>>, LinearError> {
        let omega = self.omega(pool);
        let count = self.generators.len();
        let on_circle = |x: &ExprId| circles.iter().any(|circle| circle.coordinate == *x);
        let free: Vec<usize> =
            (0..self.base.len()).filter(|&i| !on_circle(&self.base[i])).collect();
        let most = MONOMIALS / count.max(1);
        let mut powers = (0..=degree).rev().map(|degree| monomials(free.len(), degree));
        let Some(mut powers) = powers.find(|list| list.len() < most) else {
            return Ok(None);
        };
        powers.insert(0, vec![0; free.len()]);
        let mut unknowns = Vec::new();
        for c in 0..count {
            for exponents in &powers {
                let exponents = spread(&free, exponents, self.base.len());
                unknowns.push((c, power_product(pool, &self.base, &exponents)));
            }
        }
        let mut rows = Vec::new();
        for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
            let mut row = vec![pool.neg(omega.get(a, b))];
            for &(c, monomial) in &unknowns {
                // (Q theta)(e_a, e_b) = v_a(theta_b) - v_b(theta_a) - theta([e_a, e_b])
                let mut terms = Vec::new();
                if c == b {
                    terms.push(self.slope(pool, a, monomial, budget)?);
                }
                if c == a {
                    let slope = self.slope(pool, b, monomial, budget)?;
                    terms.push(pool.neg(slope));
                }
                let part = pool.mul(structure[a][b][c], monomial);
                terms.push(pool.neg(part));
                row.push(pool.sum(&terms));
            }
            rows.push(row);
        }
        let solved = solutions(pool, &self.base, &rows, unknowns.len() + 1, budget)?;
        let found = solved.basis.into_iter().find(|solution| solution.contains_key(&0));
        let Some(solution) = found else { return Ok(None) };
        let mut parts: Vec<Vec<ExprId>> = vec![Vec::new(); count];
        for (index, value) in solution {
            if let Some(&(c, monomial)) = index.checked_sub(1).and_then(|at| unknowns.get(at)) {
                parts[c].push(pool.mul(value, monomial));
            }
        }
        Ok(Some(parts.iter().map(|part| pool.sum(part)).collect()))
    }

    /// The derivative of a function along the vector of a generator.
    fn slope(
        &self,
        pool: &mut Pool,
        generator: usize,
        function: ExprId,
        budget: &mut Budget,
    ) -> Result<ExprId, LinearError> {
        let mut terms = Vec::new();
        for (&component, &x) in self.generators[generator].vector.iter().zip(&self.base) {
            if !component.is_zero() {
                let slope = derivative(pool, function, x, budget)?;
                terms.push(pool.mul(component, slope));
            }
        }
        Ok(pool.sum(&terms))
    }
}
