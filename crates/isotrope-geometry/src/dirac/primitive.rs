//! Horizontal primitives of the basic 2-class: one-forms `beta` with `d beta(v_a, v_b) = omega_ab`.

use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_algebra::linear::{LinearError, Matrix};
use isotrope_algebra::normal::{AngleSplitting, Generators, Zero};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::DiracStructure;
use super::ansatz::{MONOMIALS, monomials, monomials_of_degree, power_product, solutions, spread};
use super::images::relations;
use crate::TwoForm;
use crate::work::{simplified, with_share, zero_test};

/// Homogeneous primitives are searched up to this degree.
const HOMOGENEOUS: u32 = 6;

/// The part of the budget for the primitive of a form on the whole base.
const FORM: u64 = 4;

/// A coordinate of a circle, with its period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circle {
    /// The coordinate.
    pub coordinate: ExprId,
    /// The period, a constant.
    pub period: ExprId,
}

/// The answer to "is there a one-form `beta` with `Q(rho^* beta) = omega_D`?".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HorizontalPrimitive {
    /// This one, by its components. It is periodic in the coordinates of circles.
    Found(Vec<ExprId>),
    /// No polynomial of at most this degree; 0 if there were too many to search.
    None {
        /// The degree.
        degree: u32,
        /// Is there none that is smooth at the origin either? So if vectors and 2-class are
        /// homogeneous: then only one homogeneous part of a Taylor series matters, and it was
        /// searched. There may be others with a singularity: the Poisson structure `-u v d_u ^ d_v`
        /// has `-log(u)/v dv` where u and v are positive.
        conclusive: bool,
    },
}

impl DiracStructure {
    /// A horizontal primitive of `omega_D`: of the graph of a form that is a polynomial in a
    /// coordinate after the other, by integration; otherwise among one-forms with polynomial
    /// coefficients of at most the given degree, rational in the parameters.
    pub fn horizontal_primitive(
        &self,
        pool: &mut Pool,
        degree: u32,
        budget: &mut Budget,
    ) -> Result<HorizontalPrimitive, LinearError> {
        self.horizontal_primitive_over(pool, degree, &[], budget)
    }

    /// The same on a base with coordinates of circles: a primitive has to be periodic in them.
    pub fn horizontal_primitive_over(
        &self,
        pool: &mut Pool,
        degree: u32,
        circles: &[Circle],
        budget: &mut Budget,
    ) -> Result<HorizontalPrimitive, LinearError> {
        if let Some(matrix) = self.form_of_graph() {
            let form = TwoForm { base: self.base.clone(), matrix };
            let found = with_share(budget, FORM, |part| form.integrated(pool, circles, part));
            if let Ok(Some(beta)) = found {
                return Ok(HorizontalPrimitive::Found(beta));
            }
        }
        let omega = self.omega(pool);
        let on_circle = |x: &ExprId| circles.iter().any(|circle| circle.coordinate == *x);
        let free: Vec<usize> =
            (0..self.base.len()).filter(|&i| !on_circle(&self.base[i])).collect();
        let only = match circles {
            [] => self.degree_that_matters(pool, &omega, budget)?,
            _ => None,
        };
        let exact =
            only.and_then(|only| u32::try_from(only).ok()).filter(|only| *only <= HOMOGENEOUS);
        let most = MONOMIALS / self.base.len().max(1);
        let Some((powers, degree)) = (match exact {
            // Constant coefficients change nothing.
            Some(0) => Some((Vec::new(), 0)),
            Some(exact) => monomials_of_degree(free.len(), exact, most).map(|list| (list, exact)),
            None => (1..=degree).rev().find_map(|degree| {
                let list = monomials(free.len(), degree);
                (list.len() <= most).then_some((list, degree))
            }),
        }) else {
            return Ok(HorizontalPrimitive::None { degree: 0, conclusive: false });
        };
        let powers: Vec<Vec<u32>> =
            powers.iter().map(|exponents| spread(&free, exponents, self.base.len())).collect();
        let (found, all) = self.ansatz(pool, &omega, &powers, budget)?;
        if let Some(beta) = found {
            return Ok(HorizontalPrimitive::Found(beta));
        }
        let conclusive = all && only.is_some_and(|only| only <= i64::from(degree));
        Ok(HorizontalPrimitive::None { degree, conclusive })
    }

    /// A primitive among combinations of monomials, and whether one with coefficients that are not
    /// rational in the parameters is excluded as well.
    fn ansatz(
        &self,
        pool: &mut Pool,
        omega: &Matrix,
        powers: &[Vec<u32>],
        budget: &mut Budget,
    ) -> Result<(Option<Vec<ExprId>>, bool), LinearError> {
        let (n, count) = (self.base.len(), self.generators.len());
        // Later components come first among the unknowns, so that of equal primitives the one in the
        // first differentials is taken.
        let mut unknowns = Vec::new();
        for i in (0..n).rev() {
            for exponents in powers {
                unknowns.push((i, power_product(pool, &self.base, exponents)));
            }
        }
        let mut rows = Vec::new();
        for a in 0..count {
            for b in a + 1..count {
                let (v, w) = (&self.generators[a].vector, &self.generators[b].vector);
                let opposite = pool.neg(omega.get(a, b));
                let mut row = vec![opposite];
                for &(i, monomial) in &unknowns {
                    // d(f dx^i)(v, w) = v(f) w^i - w(f) v^i
                    let mut terms = Vec::new();
                    for (k, &x) in self.base.iter().enumerate() {
                        let (forth, back) = (pool.mul(v[k], w[i]), pool.mul(w[k], v[i]));
                        let factor = pool.sub(forth, back);
                        if !factor.is_zero() {
                            let slope = derivative(pool, monomial, x, budget)?;
                            terms.push(pool.mul(factor, slope));
                        }
                    }
                    row.push(pool.sum(&terms));
                }
                rows.push(row);
            }
        }
        let solved = solutions(pool, &self.base, &rows, unknowns.len() + 1, budget)?;
        let found = solved.basis.into_iter().find(|solution| solution.contains_key(&0));
        let Some(solution) = found else { return Ok((None, solved.all)) };
        let mut parts: Vec<Vec<ExprId>> = vec![Vec::new(); n];
        for (index, value) in solution {
            if let Some(&(i, monomial)) = index.checked_sub(1).and_then(|at| unknowns.get(at)) {
                parts[i].push(pool.mul(value, monomial));
            }
        }
        let components = parts.iter().map(|part| pool.sum(part)).collect();
        Ok((Some(components), solved.all))
    }

    /// Is `d beta(v_a, v_b) = omega_ab` for all pairs of generators: is `beta` a horizontal
    /// primitive?
    pub fn is_horizontal_primitive(
        &self,
        pool: &mut Pool,
        beta: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Zero, OutOfBudget> {
        let slope = TwoForm::exact(pool, &self.base, beta, budget)?;
        let omega = self.omega(pool);
        let mut answer = Zero::Yes;
        for (a, first) in self.generators.iter().enumerate() {
            let inner = slope.contract(pool, &first.vector);
            for (b, second) in self.generators.iter().enumerate().skip(a + 1) {
                let pairs = inner.iter().zip(&second.vector);
                let mut terms: Vec<ExprId> = pairs
                    .filter(|(a, v)| !a.is_zero() && !v.is_zero())
                    .map(|(&a, &v)| pool.mul(a, v))
                    .collect();
                terms.push(pool.neg(omega.get(a, b)));
                let difference = pool.sum(&terms);
                answer = answer.and(zero_test(pool, difference, budget));
                if answer == Zero::No {
                    return Ok(answer);
                }
            }
        }
        Ok(answer)
    }

    /// The form of the leaves on two coordinate fields, `omega(d_i, d_j) = a(d_j)` for
    /// `d_i + a` in the structure; `None` if they are not both tangent to the leaves at generic points.
    pub fn form_of_leaves(
        &self,
        pool: &mut Pool,
        [i, j]: [usize; 2],
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, LinearError> {
        if let Some(form) = self.form_of_graph() {
            return Ok(Some(form.get(i, j)));
        }
        let mut covectors = Vec::new();
        for at in [i, j] {
            let mut field = Matrix::zero(self.base.len(), 1);
            field.set(at, 0, ExprId::MINUS_ONE);
            let found = relations(pool, &field, &self.vectors().transposed(), budget)?;
            let Some((factor, combination)) =
                found.into_iter().find(|(factor, _)| factor.iter().any(|f| !f.is_zero()))
            else {
                return Ok(None);
            };
            covectors.push((factor, self.covectors().transposed().apply(pool, &combination)));
        }
        let (factor, covector) = &covectors[0];
        let value = pool.div(covector[j], factor[0]);
        Ok(Some(simplified(pool, value, budget)))
    }

    /// Is the structure the same after a circle? For a Lagrangian one so if what it is there is
    /// orthogonal to what it is here.
    pub fn is_periodic(
        &self,
        pool: &mut Pool,
        circle: Circle,
        budget: &mut Budget,
    ) -> Result<Zero, OutOfBudget> {
        let mut answer = Zero::Yes;
        for generator in &self.generators {
            let vector = shifted(pool, &generator.vector, circle, budget)?;
            let covector = shifted(pool, &generator.covector, circle, budget)?;
            for other in &self.generators {
                let pairs = covector.iter().zip(&other.vector);
                let terms: Vec<ExprId> = pairs
                    .chain(other.covector.iter().zip(&vector))
                    .filter(|(a, v)| !a.is_zero() && !v.is_zero())
                    .map(|(&a, &v)| pool.mul(a, v))
                    .collect();
                let pairing = pool.sum(&terms);
                answer = answer.and(zero_test(pool, pairing, budget));
                if answer == Zero::No {
                    return Ok(answer);
                }
            }
        }
        Ok(answer)
    }

    /// `W` if the vectors are the coordinate fields: it is then the graph of this form.
    fn form_of_graph(&self) -> Option<Matrix> {
        let unit = |i: usize, row: &[ExprId]| {
            let expected = |j| if i == j { ExprId::ONE } else { ExprId::ZERO };
            row.iter().enumerate().all(|(j, &entry)| entry == expected(j))
        };
        let mut generators = self.generators.iter().enumerate();
        (self.generators.len() == self.base.len() && generators.all(|(i, g)| unit(i, &g.vector)))
            .then(|| self.covectors())
    }

    /// If the vectors are homogeneous polynomials of degree r and `omega_D` of degree s, the degree
    /// s + 1 - 2r of the only part of `beta` that matters.
    fn degree_that_matters(
        &self,
        pool: &mut Pool,
        omega: &Matrix,
        budget: &mut Budget,
    ) -> Result<Option<i64>, LinearError> {
        let vectors: Vec<ExprId> =
            self.generators.iter().flat_map(|g| g.vector.iter().copied()).collect();
        let of_vectors = self.homogeneous(pool, &vectors, budget)?;
        let of_omega = self.homogeneous(pool, omega.entries(), budget)?;
        Ok(of_vectors.zip(of_omega).map(|(r, s)| s + 1 - 2 * r))
    }

    /// The common degree in the coordinates of polynomials that are all homogeneous.
    fn homogeneous(
        &self,
        pool: &mut Pool,
        list: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Option<i64>, LinearError> {
        let list: Vec<ExprId> = list.iter().copied().filter(|entry| !entry.is_zero()).collect();
        let mut generators = Generators::new(pool, &list, AngleSplitting::Whole, budget)?;
        let Some(fractions) = generators.fractions(pool, &list, budget)? else { return Ok(None) };
        let coordinate: Vec<Option<i64>> = generators
            .expressions()
            .iter()
            .map(|&x| {
                let own = self.base.contains(&x);
                // A parameter counts nothing; a function of the coordinates has no degree.
                (own || !pool.depends_on(x, &self.base)).then_some(i64::from(own))
            })
            .collect();
        let mut degree = None;
        for fraction in &fractions {
            if !fraction.denominator.is_constant() {
                return Ok(None);
            }
            for (monomial, _) in fraction.numerator.terms() {
                let mut own = 0;
                for variable in monomial.variables() {
                    let Some(weight) = coordinate.get(variable).copied().flatten() else {
                        return Ok(None);
                    };
                    own += weight * i64::from(monomial.exponent(variable));
                }
                if *degree.get_or_insert(own) != own {
                    return Ok(None);
                }
            }
        }
        Ok(degree)
    }
}

/// Expressions after a circle.
pub(crate) fn shifted(
    pool: &mut Pool,
    list: &[ExprId],
    circle: Circle,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let there = pool.add(circle.coordinate, circle.period);
    let map: Substitution = [(circle.coordinate, there)].into_iter().collect();
    substitute(pool, list, &map, budget)
}
