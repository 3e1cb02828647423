//! Second-order systems `q'' = F(q, q')`: mass matrices, potentials, uncoupled energies.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::linear::{Matrix, determinant};
use isotrope_algebra::normal::Fraction;
use isotrope_algebra::{Budget, ExprId, Monomial, Pool, Rational, RationalFunction};

use super::echelon::{Echelon, Row};
use super::energies::Candidate;
use super::integrals::cleared;
use super::primitive::{along_rays, primitive};
use super::ring::Ring;
use super::{Origin, PortError, Problem};

/// Positions, velocities `c y` for states y, and forces.
pub(super) struct SecondOrder {
    pub positions: Vec<ExprId>,
    pub speeds: Vec<ExprId>,
    factors: Vec<ExprId>,
    /// `q''` as a function of the states.
    pub accelerations: Vec<ExprId>,
    /// `q''` where the velocities vanish.
    at_rest: Vec<ExprId>,
}

/// Pairs the states: `q' = c y` with a constant c, every state in one pair.
pub(super) fn second_order(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Option<SecondOrder>, PortError> {
    let n = problem.states.len();
    let mut partner: Vec<Option<usize>> = vec![None; n];
    let mut pairs = Vec::new();
    for i in 0..n {
        let found = (0..n).find_map(|j| {
            let (x, f) = (problem.states[j], problem.drift[i]);
            let factor = pool.div(f, x);
            let constant = !pool.depends_on(factor, &problem.states) && !factor.is_zero();
            (j != i && constant && partner[i].is_none() && partner[j].is_none())
                .then_some((j, factor))
        });
        if let Some((j, factor)) = found {
            (partner[i], partner[j]) = (Some(j), Some(i));
            pairs.push((i, j, factor));
        }
    }
    if pairs.is_empty() || pairs.len() * 2 != n {
        return Ok(None);
    }
    let positions: Vec<ExprId> = pairs.iter().map(|p| problem.states[p.0]).collect();
    let speeds: Vec<ExprId> = pairs.iter().map(|p| problem.states[p.1]).collect();
    let factors: Vec<ExprId> = pairs.iter().map(|p| p.2).collect();
    let accelerations: Vec<ExprId> =
        pairs.iter().map(|p| pool.mul(p.2, problem.drift[p.1])).collect();
    let rest: Substitution = speeds.iter().map(|&y| (y, ExprId::ZERO)).collect();
    let at_rest = substitute(pool, &accelerations, &rest, budget)?;
    Ok(Some(SecondOrder { positions, speeds, factors, accelerations, at_rest }))
}

impl SecondOrder {
    fn size(&self) -> usize {
        self.positions.len()
    }

    /// `sum W_ab v_a v_b / 2 + V`.
    fn energy(&self, pool: &mut Pool, mass: &Matrix, potential: ExprId) -> ExprId {
        let speeds: Vec<ExprId> =
            self.factors.iter().zip(&self.speeds).map(|(&c, &y)| pool.mul(c, y)).collect();
        let momenta = mass.apply(pool, &speeds);
        let half = Rational::half();
        let mut terms = vec![potential];
        for (&p, &v) in momenta.iter().zip(&speeds) {
            let product = pool.mul(p, v);
            terms.push(pool.scale(&half, product));
        }
        pool.sum(&terms)
    }

    /// `V` with `dV = -W F(q, 0)`.
    fn potential(
        &self,
        pool: &mut Pool,
        mass: &Matrix,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, PortError> {
        let force = mass.apply(pool, &self.at_rest);
        let slopes: Vec<ExprId> = force.into_iter().map(|f| pool.neg(f)).collect();
        primitive(pool, &self.positions, &slopes, budget)
    }

    /// The symmetric matrices `W` for which `W F(q, 0)` is closed: diagonal ones, or all.
    fn masses(
        &self,
        pool: &mut Pool,
        diagonal: bool,
        budget: &mut Budget,
    ) -> Result<Vec<Matrix>, PortError> {
        let m = self.size();
        let places: Vec<(usize, usize)> = (0..m)
            .flat_map(|a| (a..if diagonal { a + 1 } else { m }).map(move |b| (a, b)))
            .collect();
        let mut slopes = Vec::with_capacity(m * m);
        for &force in &self.at_rest {
            slopes.extend(gradient(pool, force, &self.positions, budget)?);
        }
        let (ring, fractions) = Ring::new(pool, &self.positions, &slopes, budget)?;
        let (numerators, _) = Fraction::over_common_denominator(&fractions, budget)?;
        let mut echelon = Echelon::new(vec![0; places.len()]);
        for a in 0..m {
            for c in a + 1..m {
                // d_c (W F)_a = d_a (W F)_c.
                let mut rows: BTreeMap<Monomial, Row> = BTreeMap::new();
                for (row, by, negative) in [(a, c, false), (c, a, true)] {
                    for b in 0..m {
                        let key = (row.min(b), row.max(b));
                        let Some(column) = places.iter().position(|&place| place == key) else {
                            continue;
                        };
                        let p = ring.reduce(&numerators[b * m + by], budget)?;
                        for (monomial, value) in ring.split(&p) {
                            let value = RationalFunction::from(value);
                            let value = if negative { value.negate() } else { value };
                            let entry =
                                rows.entry(monomial).or_default().entry(column).or_default();
                            *entry = entry.add(&value, budget)?;
                        }
                    }
                }
                for mut row in rows.into_values() {
                    row.retain(|_, value| !value.is_zero());
                    echelon.insert(row, budget)?;
                }
            }
        }
        let mut list = Vec::new();
        for direction in echelon.directions() {
            let entries = cleared(&direction, budget)?;
            let mut mass = Matrix::zero(m, m);
            for (&(a, b), p) in places.iter().zip(&entries) {
                let value = ring.expression(pool, p);
                mass.set(a, b, value);
                mass.set(b, a, value);
            }
            list.push(mass);
        }
        Ok(list)
    }
}

/// The same matrix with its first entry positive at the values of the parameters.
fn oriented(pool: &mut Pool, problem: &Problem, mass: &Matrix) -> Matrix {
    let first = mass.entries().iter().copied().find(|entry| !entry.is_zero());
    let negative =
        first.is_some_and(|entry| problem.values.sign(pool, entry) == Some(Ordering::Less));
    if !negative {
        return mass.clone();
    }
    let mut opposite = mass.clone();
    for a in 0..mass.rows() {
        for b in 0..mass.columns() {
            let value = pool.neg(mass.get(a, b));
            opposite.set(a, b, value);
        }
    }
    opposite
}

fn identity(m: usize) -> Matrix {
    let mut matrix = Matrix::zero(m, m);
    (0..m).for_each(|a| matrix.set(a, a, ExprId::ONE));
    matrix
}

/// Energies of the mechanical form: constant W with a potential, the uncoupled energies, and
/// the exact part of the forces at rest along rays.
pub(super) fn mechanical(
    pool: &mut Pool,
    problem: &Problem,
    system: &SecondOrder,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let m = system.size();
    let mut masses = vec![identity(m)];
    let diagonal = system.masses(pool, true, budget)?;
    let mut sum = Matrix::zero(m, m);
    for mass in &diagonal {
        let mass = oriented(pool, problem, mass);
        for a in 0..m {
            let value = pool.add(sum.get(a, a), mass.get(a, a));
            sum.set(a, a, value);
        }
        masses.push(mass);
    }
    masses.push(sum);
    let found = energies(pool, system, &masses, budget)?;
    let mut list: Vec<Candidate> = found
        .into_iter()
        .map(|hamiltonian| Candidate { hamiltonian, origin: Origin::Mechanical })
        .collect();
    if list.is_empty() {
        let full = system.masses(pool, false, budget)?;
        let full: Vec<Matrix> = full.iter().map(|mass| oriented(pool, problem, mass)).collect();
        for hamiltonian in energies(pool, system, &full, budget)? {
            list.push(Candidate { hamiltonian, origin: Origin::Mechanical });
        }
    }
    if let Some(hamiltonian) = uncoupled(pool, system, budget)? {
        list.push(Candidate { hamiltonian, origin: Origin::Uncoupled });
    }
    let slopes: Vec<ExprId> = system.at_rest.iter().map(|&f| pool.neg(f)).collect();
    if let Some(potential) = along_rays(pool, &system.positions, &slopes, budget)? {
        let hamiltonian = system.energy(pool, &identity(m), potential);
        list.push(Candidate { hamiltonian, origin: Origin::Homotopy });
    }
    Ok(list)
}

fn energies(
    pool: &mut Pool,
    system: &SecondOrder,
    masses: &[Matrix],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, PortError> {
    let mut list = Vec::new();
    for mass in masses {
        if determinant(pool, mass, budget)?.is_zero() {
            continue;
        }
        if let Some(potential) = system.potential(pool, mass, budget)? {
            list.push(system.energy(pool, mass, potential));
        }
    }
    Ok(list)
}

/// `sum_a (c y_a^2/2 + V_a(q_a))`, the potentials of the forces with all other states zero.
fn uncoupled(
    pool: &mut Pool,
    system: &SecondOrder,
    budget: &mut Budget,
) -> Result<Option<ExprId>, PortError> {
    let half = Rational::half();
    let mut terms = Vec::new();
    for (a, &q) in system.positions.iter().enumerate() {
        let others: Substitution = system
            .positions
            .iter()
            .filter(|&&other| other != q)
            .map(|&other| (other, ExprId::ZERO))
            .collect();
        let force = pool.div(system.at_rest[a], system.factors[a]);
        let force = substitute(pool, &[force], &others, budget)?[0];
        let slope = pool.neg(force);
        if slope == ExprId::UNDEFINED {
            return Ok(None);
        }
        let Some(potential) = primitive(pool, &[q], &[slope], budget)? else { return Ok(None) };
        terms.push(potential);
        let square = pool.powi(system.speeds[a], 2);
        let kinetic = pool.mul(system.factors[a], square);
        terms.push(pool.scale(&half, kinetic));
    }
    Ok(Some(pool.sum(&terms)))
}
