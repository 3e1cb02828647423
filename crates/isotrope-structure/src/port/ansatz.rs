//! The structure matrices of a given energy: `f = (J - R) dH`, with the entries of `J` and `R`
//! polynomials of bounded degree. Linear over the field of the parameters.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::{Fraction, simplify};
use isotrope_algebra::{Budget, ExprId, Monomial, Polynomial, Pool, RationalFunction};

use super::PortError;
use super::echelon::{Echelon, Inserted, Row};
use super::membership::{IdealOverParameters, OverParameters};
use super::ring::Ring;

/// The most unknown coefficients of an ansatz.
const UNKNOWNS: usize = 4000;
/// The most terms of the derivatives of an energy.
const TERMS: usize = 2000;
/// Operations for writing rates and derivatives of an energy as polynomials.
const EXPANSION: u64 = 40_000_000;
/// Supports are excluded beforehand only if that takes fewer products of terms.
const PRODUCTS: usize = 40_000;
/// Free directions beyond this many are counted and not listed.
const DIRECTIONS: usize = 12;

/// Which entries of `R` an ansatz has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dissipation {
    /// None: the flow keeps H.
    Zero,
    /// The diagonal.
    Diagonal,
    /// All.
    Full,
}

/// A direction in the family of structures: `(dJ - dR) dH = 0`.
pub type Direction = (Matrix, Matrix);

/// A structure `f = (J - R) dH + g` with `g` supported on some states.
#[derive(Debug, Clone)]
pub(super) struct Structure {
    pub j: Matrix,
    pub r: Matrix,
    /// The states whose rates are not matched, and what is left there.
    pub residual: Vec<ExprId>,
    pub degree: u32,
    pub directions: Vec<Direction>,
    /// How many directions there are in all.
    pub freedom: usize,
}

/// Rates and derivatives of the energy over common denominators: `f = N/d`, `dH = G/e`. Then
/// `M dH = f` exactly if `M = (e/d) M'` with `M' G = N`.
pub(super) struct GivenEnergy<'a> {
    states: &'a [ExprId],
    rates: &'a [ExprId],
    pub gradient: Vec<ExprId>,
    ring: Ring,
    numerators: Vec<Polynomial>,
    slopes: Vec<Polynomial>,
    scale: ExprId,
    relations: Vec<OverParameters>,
}

#[derive(Debug, Clone)]
struct Unknown {
    symmetric: bool,
    i: usize,
    j: usize,
    monomial: Monomial,
}

impl<'a> GivenEnergy<'a> {
    /// Prepares the search for the structure of one energy.
    pub fn new(
        pool: &mut Pool,
        states: &'a [ExprId],
        rates: &'a [ExprId],
        hamiltonian: ExprId,
        budget: &mut Budget,
    ) -> Result<Self, PortError> {
        let n = states.len();
        let gradient = gradient(pool, hamiltonian, states, budget)?;
        let all: Vec<ExprId> = rates.iter().chain(&gradient).copied().collect();
        let mut part = Budget::new(budget.left().min(EXPANSION));
        let expanded = Ring::new(pool, states, &all, &mut part);
        budget.spend(part.spent().min(budget.left()), "expanding an energy")?;
        let (ring, fractions) = expanded?;
        if fractions[n..].iter().map(|f| f.numerator.len()).sum::<usize>() > TERMS {
            return Err(PortError::TooManyTerms { limit: TERMS });
        }
        let (numerators, d) = Fraction::over_common_denominator(&fractions[..n], budget)?;
        let (slopes, e) = Fraction::over_common_denominator(&fractions[n..], budget)?;
        let (up, down) = (ring.expression(pool, &e), ring.expression(pool, &d));
        let scale = pool.div(up, down);
        let mut relations = Vec::new();
        for relation in ring.relations(budget)? {
            relations.push(ring.over_parameters(&relation, budget)?);
        }
        Ok(Self { states, rates, gradient, ring, numerators, slopes, scale, relations })
    }

    /// The largest degree of a rate: entries of this degree are tried by default.
    pub fn natural_degree(&self) -> u32 {
        let of =
            |p: &Polynomial| self.ring.split(p).keys().map(Monomial::degree).max().unwrap_or(0);
        let rate = self.numerators.iter().map(of).max().unwrap_or(0);
        u32::try_from(rate).unwrap_or(u32::MAX).min(4)
    }

    fn slopes_over(&self, budget: &mut Budget) -> Result<Vec<OverParameters>, PortError> {
        self.slopes.iter().map(|p| self.ring.over_parameters(p, budget)).collect()
    }

    /// The remainders of the rates modulo the ideal of the derivatives of the energy: all zero
    /// exactly if there are matrices J and R at all.
    pub fn remainders(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, PortError> {
        let mut generators = self.slopes_over(budget)?;
        generators.extend(self.relations.iter().cloned());
        let ideal = IdealOverParameters::new(&generators, budget)?;
        let mut list = Vec::with_capacity(self.numerators.len());
        for p in &self.numerators {
            let rest = ideal.remainder(&self.ring.over_parameters(p, budget)?, budget)?;
            let terms: Vec<_> = rest.into_terms().into_iter().map(|(m, c)| (c, m)).collect();
            let value = self.ring.combination(pool, &terms);
            list.push(simplify(pool, value, budget));
        }
        Ok(list)
    }

    /// `e d H'` as a polynomial.
    fn power(&self, budget: &mut Budget) -> Result<Polynomial, PortError> {
        let mut sum = Polynomial::zero();
        for (rate, slope) in self.numerators.iter().zip(&self.slopes) {
            sum = sum.add(&rate.mul(slope, budget)?, budget)?;
        }
        self.ring.reduce(&sum, budget)
    }

    /// Necessary for a residual on `support`: H' lies in the ideal of its derivatives there, and
    /// of the squares of the others if the dissipation is diagonal.
    fn may_have_support(
        &self,
        dissipation: Dissipation,
        support: &[usize],
        budget: &mut Budget,
    ) -> Result<bool, PortError> {
        // Only a shortcut: long energies are left to the equations for the coefficients.
        let longest = self.slopes.iter().map(|p| p.len()).max().unwrap_or(0);
        if longest * longest > PRODUCTS {
            return Ok(true);
        }
        let slopes = self.slopes_over(budget)?;
        let mut generators = self.relations.clone();
        for (i, slope) in slopes.into_iter().enumerate() {
            if support.contains(&i) {
                generators.push(slope);
            } else if dissipation != Dissipation::Zero {
                generators.push(slope.mul(&slope, budget)?);
            }
        }
        let power = self.ring.over_parameters(&self.power(budget)?, budget)?;
        IdealOverParameters::new(&generators, budget)?.contains(&power, budget)
    }

    fn unknowns(&self, dissipation: Dissipation, degree: u32) -> Result<Vec<Unknown>, PortError> {
        let used: Vec<usize> = self
            .ring
            .variables()
            .into_iter()
            .filter(|&v| self.numerators.iter().chain(&self.slopes).any(|p| p.degree_in(v) > 0))
            .collect();
        let monomials = self.ring.monomials(&used, degree)?;
        let n = self.states.len();
        let mut list = Vec::new();
        for monomial in monomials {
            for i in 0..n {
                for j in i + 1..n {
                    list.push(Unknown { symmetric: false, i, j, monomial: monomial.clone() });
                }
            }
            for i in 0..n {
                let last = match dissipation {
                    Dissipation::Zero => i,
                    Dissipation::Diagonal => i + 1,
                    Dissipation::Full => n,
                };
                for j in i..last {
                    list.push(Unknown { symmetric: true, i, j, monomial: monomial.clone() });
                }
            }
            if list.len() > UNKNOWNS {
                return Err(PortError::TooLarge { limit: UNKNOWNS });
            }
        }
        Ok(list)
    }

    /// One equation for every row and every monomial of the variables.
    fn equations(
        &self,
        unknowns: &[Unknown],
        budget: &mut Budget,
    ) -> Result<Vec<BTreeMap<Monomial, Row>>, PortError> {
        let mut rows: Vec<BTreeMap<Monomial, Row>> = vec![BTreeMap::new(); self.states.len()];
        let mut add = |row: usize, column: usize, p: &Polynomial, negative: bool| {
            for (monomial, coefficient) in self.ring.split(p) {
                let value = RationalFunction::from(coefficient);
                let value = if negative { value.negate() } else { value };
                rows[row].entry(monomial).or_default().insert(column, value);
            }
        };
        for (column, unknown) in unknowns.iter().enumerate() {
            let Unknown { symmetric, i, j, monomial } = unknown;
            let term = Polynomial::term(monomial.clone(), isotrope_algebra::Rational::ONE);
            let mut product =
                |slope: &Polynomial| self.ring.reduce(&term.mul(slope, budget)?, budget);
            let first = product(&self.slopes[*j])?;
            add(*i, column, &first, *symmetric);
            if i != j {
                // J_ji = -J_ij and R_ji = R_ij, which enters with a minus.
                let second = product(&self.slopes[*i])?;
                add(*j, column, &second, true);
            }
        }
        for (row, p) in self.numerators.iter().enumerate() {
            add(row, unknowns.len(), &self.ring.reduce(p, budget)?, false);
        }
        Ok(rows)
    }

    /// The structure with a residual on `support`, with entries of exactly this degree bound.
    fn at_degree(
        &self,
        pool: &mut Pool,
        dissipation: Dissipation,
        support: &[usize],
        degree: u32,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, PortError> {
        let unknowns = self.unknowns(dissipation, degree)?;
        let equations = self.equations(&unknowns, budget)?;
        let preference = unknowns
            .iter()
            .map(|u| {
                2 * u32::try_from(u.monomial.degree()).unwrap_or(u32::MAX / 4)
                    + u32::from(u.symmetric)
            })
            .collect();
        let mut echelon = Echelon::new(preference);
        for (row, list) in equations.iter().enumerate() {
            if !support.contains(&row) && !echelon.insert_all(list.values().cloned(), budget)? {
                return Ok(None);
            }
        }
        // Of the rest as much as possible: the residual with the fewest monomials, considering
        // those of high degree first, with and without preference for what vanishes already.
        let right = unknowns.len();
        let mut best: Option<(usize, Echelon)> = None;
        for zeros_first in [false, true] {
            let mut trial = echelon.clone();
            let mut open = 0;
            let mut list: Vec<(bool, &Monomial, &Row)> = support
                .iter()
                .flat_map(|&row| equations[row].iter())
                .map(|(monomial, row)| (row.contains_key(&right) == zeros_first, monomial, row))
                .collect();
            list.sort_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
            for (_, _, row) in list {
                if trial.insert(row.clone(), budget)? == Inserted::Contradiction {
                    open += 1;
                }
            }
            if best.as_ref().is_none_or(|(fewest, _)| open < *fewest) {
                best = Some((open, trial));
            }
        }
        let Some((_, echelon)) = best else { return Ok(None) };
        let (j, r) = self.matrices(pool, &unknowns, &echelon.solution(), budget);
        let vectors = echelon.directions();
        let freedom = vectors.len();
        let directions = vectors
            .iter()
            .take(DIRECTIONS)
            .map(|vector| self.matrices(pool, &unknowns, vector, budget))
            .collect();
        let residual = self.residual(pool, &j, &r, support, budget);
        Ok(Some(Structure { j, r, residual, degree, directions, freedom }))
    }

    /// `f - (J - R) dH` on the support, zero elsewhere.
    pub fn residual(
        &self,
        pool: &mut Pool,
        j: &Matrix,
        r: &Matrix,
        support: &[usize],
        budget: &mut Budget,
    ) -> Vec<ExprId> {
        let forward = j.apply(pool, &self.gradient);
        let lost = r.apply(pool, &self.gradient);
        let mut list = vec![ExprId::ZERO; self.states.len()];
        for &i in support {
            let rest = pool.sub(self.rates[i], forward[i]);
            let rest = pool.add(rest, lost[i]);
            list[i] = simplify(pool, rest, budget);
        }
        list
    }

    fn matrices(
        &self,
        pool: &mut Pool,
        unknowns: &[Unknown],
        values: &[RationalFunction],
        budget: &mut Budget,
    ) -> (Matrix, Matrix) {
        let n = self.states.len();
        let mut terms: BTreeMap<(bool, usize, usize), Vec<(RationalFunction, Monomial)>> =
            BTreeMap::new();
        for (unknown, value) in unknowns.iter().zip(values).filter(|(_, value)| !value.is_zero()) {
            let place = (unknown.symmetric, unknown.i, unknown.j);
            terms.entry(place).or_default().push((value.clone(), unknown.monomial.clone()));
        }
        let (mut j, mut r) = (Matrix::zero(n, n), Matrix::zero(n, n));
        for ((symmetric, a, b), list) in terms {
            let sum = self.ring.combination(pool, &list);
            let value = pool.mul(self.scale, sum);
            let value = simplify(pool, value, budget);
            if symmetric {
                r.set(a, b, value);
                r.set(b, a, value);
            } else {
                j.set(a, b, value);
                let opposite = pool.neg(value);
                j.set(b, a, opposite);
            }
        }
        (j, r)
    }

    /// The structure of lowest degree with a residual on `support` (nothing left if it is empty).
    pub fn structure(
        &self,
        pool: &mut Pool,
        dissipation: Dissipation,
        support: &[usize],
        degree: u32,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, PortError> {
        if support.is_empty() && dissipation == Dissipation::Zero && !self.power(budget)?.is_zero()
        {
            return Ok(None);
        }
        if dissipation != Dissipation::Full
            && support.len() < self.states.len()
            && !self.may_have_support(dissipation, support, budget)?
        {
            return Ok(None);
        }
        for bound in 0..=degree {
            match self.at_degree(pool, dissipation, support, bound, budget) {
                Ok(None) => {}
                Err(PortError::TooLarge { .. }) if bound > 1 => break,
                other => return other,
            }
        }
        Ok(None)
    }

    /// The structures with residuals on as few states as possible, with their supports.
    pub fn sparsest(
        &self,
        pool: &mut Pool,
        dissipation: Dissipation,
        degree: u32,
        budget: &mut Budget,
    ) -> Result<Vec<(Vec<usize>, Structure)>, PortError> {
        let n = self.states.len();
        for size in 0..=n {
            let mut found = Vec::new();
            for support in subsets(n, size) {
                if let Some(structure) =
                    self.structure(pool, dissipation, &support, degree, budget)?
                {
                    found.push((support, structure));
                }
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
}

/// All sets of `size` numbers below `n`, in lexicographic order.
pub(super) fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut list = vec![Vec::new()];
    for _ in 0..size {
        list = list
            .into_iter()
            .flat_map(|set: Vec<usize>| {
                let first = set.last().map_or(0, |last| last + 1);
                (first..n).map(move |next| {
                    let mut longer = set.clone();
                    longer.push(next);
                    longer
                })
            })
            .collect();
    }
    list
}
