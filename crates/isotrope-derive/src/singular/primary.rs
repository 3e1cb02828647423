//! The Legendre map of a singular Lagrangian: the Hamiltonian, and the primary constraints.
//!
//! L = v·W v/2 + b·v − V with a matrix W(q, t) of rank r < n. In coordinates P whose block W_PP is invertible,
//! v_P = W_PP⁻¹ (p_P − b_P − W_PN u) with the other velocities u = v_N free, and
//!
//! φ_N = p_N − b_N − W_NP W_PP⁻¹ (p_P − b_P),   H = (p_P − b_P)·W_PP⁻¹ (p_P − b_P)/2 + V.
//!
//! Then q' = H_p + φ_p u and p' = −H_q − φ_q u + F: the multipliers are the velocities v_N. Constraints φ(q, t) = 0 of
//! the model join the primary ones, with multipliers λ.

use isotrope_algebra::calculus::{
    CollectError, Substitution, collect, gradient, jacobian, substitute,
};
use isotrope_algebra::normal::{simplify, size};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::algebraic;
use super::elimination::{determinant_factors, eliminate};
use super::surface::{Lost, Surface};
use crate::{ConstraintRows, Dynamics, Symbols, Written};

/// A primary constraint φ = 0, with a multiplier.
#[derive(Debug, Clone)]
pub(super) struct Primary {
    pub(super) expression: ExprId,
    /// What the multiplier u adds to the rates: φ_p, and −φ_q with the part of the forces.
    pub(super) field: Vec<ExprId>,
    pub(super) multiplier: ExprId,
}

/// What the constraint algorithm works with.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    /// (q, p).
    pub(super) state: Vec<ExprId>,
    pub(super) time: ExprId,
    pub(super) hamiltonian: ExprId,
    /// H_p and −H_q + F, without multipliers.
    pub(super) drift: Vec<ExprId>,
    pub(super) primaries: Vec<Primary>,
    /// Are there forces?
    pub(super) forced: bool,
    /// W_PP is invertible where none of these vanishes.
    pub(super) pivots: Vec<ExprId>,
    /// W.
    pub(super) hessian: Vec<Vec<ExprId>>,
    /// The rank of W.
    pub(super) rank: usize,
}

/// Why there is no Hamiltonian.
#[derive(Debug)]
pub(super) enum NoHamiltonian {
    Lost(Lost),
    /// Constraints on velocities, forces or a Hessian that are not taken.
    Refused,
}

impl From<Lost> for NoHamiltonian {
    fn from(lost: Lost) -> Self {
        Self::Lost(lost)
    }
}

impl From<OutOfBudget> for NoHamiltonian {
    fn from(stop: OutOfBudget) -> Self {
        Self::Lost(Lost::OutOfBudget(stop))
    }
}

/// What shortening one expression may cost.
const SHORT: u64 = 200_000;

pub(super) fn short(pool: &mut Pool, expression: ExprId) -> ExprId {
    simplify(pool, expression, &mut Budget::new(SHORT))
}

impl Setting {
    /// H and the primary constraints, with their fields on the phase space.
    pub(super) fn new(
        pool: &mut Pool,
        symbols: &Symbols,
        dynamics: &Dynamics,
        rows: &ConstraintRows,
        budget: &mut Budget,
    ) -> Result<Self, NoHamiltonian> {
        if rows.written.iter().any(|written| *written != Written::Position) {
            return Err(NoHamiltonian::Refused);
        }
        let n = symbols.dimension();
        let legendre = match dynamics.mass_is_velocity_free(pool, symbols) {
            true => Legendre::new(pool, symbols, dynamics, budget)?,
            false => Legendre::algebraic(pool, symbols, dynamics, budget)?,
        };
        let state: Vec<ExprId> =
            symbols.position.iter().chain(&symbols.momentum).copied().collect();
        let mut drift = hamiltonian_field(pool, &state, legendre.hamiltonian, budget)?;
        let mut primaries = Vec::new();
        for (number, &(k, expression)) in legendre.primaries.iter().enumerate() {
            let field = hamiltonian_field(pool, &state, expression, budget)?;
            let multiplier = match k {
                Some(k) => fresh(pool, &format!("u_{}", symbols.names[k])),
                None => fresh(pool, &format!("u_{}", number + 1)),
            };
            primaries.push(Primary { expression, field, multiplier });
        }
        for (name, &phi) in rows.names.iter().zip(&rows.expressions) {
            let expression = pool.neg(phi);
            let field = hamiltonian_field(pool, &state, expression, budget)?;
            let multiplier = fresh(pool, &format!("lambda_{name}"));
            primaries.push(Primary { expression: phi, field, multiplier });
        }
        let forced = dynamics.forces.iter().any(|force| !force.is_zero());
        if forced {
            let velocity = legendre.velocities(pool, &primaries);
            let map: Substitution = symbols.velocity.iter().copied().zip(velocity).collect();
            let forces = substitute(pool, &dynamics.forces, &map, budget)?;
            let free: Vec<ExprId> = primaries.iter().map(|primary| primary.multiplier).collect();
            for (i, force) in forces.into_iter().enumerate() {
                let collected = match collect(pool, force, &free, budget) {
                    Ok(collected) => collected,
                    Err(CollectError::OutOfBudget(stop)) => return Err(stop.into()),
                    Err(CollectError::NotPolynomial { .. }) => {
                        return Err(NoHamiltonian::Refused);
                    }
                };
                for (monomial, value) in collected {
                    let slot = match monomial[..] {
                        [] => &mut drift[n + i],
                        [(k, 1)] => &mut primaries[k as usize].field[n + i],
                        _ => return Err(NoHamiltonian::Refused),
                    };
                    *slot = pool.add(*slot, value);
                }
            }
        }
        drift.iter_mut().for_each(|rate| *rate = short(pool, *rate));
        Ok(Self {
            state,
            time: symbols.time,
            hamiltonian: legendre.hamiltonian,
            drift,
            primaries,
            forced,
            rank: legendre.rank,
            hessian: legendre.hessian,
            pivots: legendre.pivots,
        })
    }

    /// The rates of functions of (q, p, t): without multipliers, and what each multiplier adds.
    pub(super) fn rates(
        &self,
        pool: &mut Pool,
        functions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Vec<Vec<ExprId>>, OutOfBudget> {
        let mut variables = self.state.clone();
        variables.push(self.time);
        let partials = jacobian(pool, functions, &variables, budget)?;
        let mut rates = Vec::with_capacity(functions.len());
        for row in partials {
            let mut of = Vec::with_capacity(self.primaries.len() + 1);
            for primary in &self.primaries {
                of.push(along(pool, &row, &primary.field));
            }
            let mut drift = self.drift.clone();
            drift.push(ExprId::ONE);
            of.push(along(pool, &row, &drift));
            rates.push(of);
        }
        Ok(rates)
    }

    /// {f, g} = f_q g_p − f_p g_q for all pairs.
    pub(super) fn brackets(
        &self,
        pool: &mut Pool,
        functions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Vec<Vec<ExprId>>, OutOfBudget> {
        let n = self.state.len() / 2;
        let mut slopes = Vec::with_capacity(functions.len());
        for &function in functions {
            slopes.push(gradient(pool, function, &self.state, budget)?);
        }
        let mut table = vec![vec![ExprId::ZERO; functions.len()]; functions.len()];
        for (i, f) in slopes.iter().enumerate() {
            for (j, g) in slopes.iter().enumerate().skip(i + 1) {
                let mut terms = Vec::with_capacity(2 * n);
                for k in 0..n {
                    terms.push(pool.mul(f[k], g[n + k]));
                    let minus = pool.mul(f[n + k], g[k]);
                    terms.push(pool.neg(minus));
                }
                let value = pool.sum(&terms);
                table[i][j] = value;
                table[j][i] = pool.neg(value);
            }
        }
        Ok(table)
    }
}

fn along(pool: &mut Pool, row: &[(u32, ExprId)], field: &[ExprId]) -> ExprId {
    let terms: Vec<ExprId> = row
        .iter()
        .filter_map(|&(column, slope)| {
            field.get(column as usize).map(|&rate| pool.mul(slope, rate))
        })
        .collect();
    pool.sum(&terms)
}

/// (f_p, −f_q).
fn hamiltonian_field(
    pool: &mut Pool,
    state: &[ExprId],
    function: ExprId,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let n = state.len() / 2;
    let slopes = gradient(pool, function, state, budget)?;
    let mut field = slopes[n..].to_vec();
    field.extend(slopes[..n].iter().map(|&slope| pool.neg(slope)));
    Ok(field)
}

/// A symbol that the model does not have.
pub(super) fn fresh(pool: &mut Pool, name: &str) -> ExprId {
    let mut name = name.to_owned();
    while pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    pool.symbol(&name)
}

/// p·W⁻¹p/2 − b·W⁻¹p + b·W⁻¹b/2 − L(q, 0) from v = W⁻¹(p − b), or whatever is shorter.
fn hamiltonian(
    pool: &mut Pool,
    symbols: &Symbols,
    (solved, offset): (&[(usize, ExprId)], &[ExprId]),
    still: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let rest: Substitution = symbols.momentum.iter().map(|&p| (p, ExprId::ZERO)).collect();
    let velocity: Vec<ExprId> = solved.iter().map(|entry| entry.1).collect();
    let without = substitute(pool, &velocity, &rest, budget)?;
    let half = pool.ratio(1, 2);
    let (mut square, mut linear) = (Vec::new(), Vec::new());
    let mut potential = vec![pool.neg(still)];
    for (&(j, v), v_0) in solved.iter().zip(without) {
        let p = symbols.momentum[j];
        let way = pool.sub(v, v_0);
        square.push(pool.product(&[half, p, way]));
        linear.push(pool.mul(p, v_0));
        let part = pool.product(&[half, offset[j], v_0]);
        potential.push(pool.neg(part));
    }
    let mut parts = Vec::new();
    for terms in [&square, &linear, &potential] {
        let sum = pool.sum(terms);
        parts.push(short(pool, sum));
    }
    let sum = pool.sum(&parts);
    let whole = short(pool, sum);
    Ok(if size(pool, whole) < size(pool, sum) { whole } else { sum })
}

/// What the Legendre map gives.
struct Legendre {
    hamiltonian: ExprId,
    /// Coordinates N, and p_N − …; relations of p without coordinates of their own where L is not quadratic.
    primaries: Vec<(Option<usize>, ExprId)>,
    /// Coordinates P with v_P where v_N = 0.
    solved: Vec<(usize, ExprId)>,
    /// −W_PP⁻¹ W_PN.
    mixed: Vec<Vec<ExprId>>,
    pivots: Vec<ExprId>,
    hessian: Vec<Vec<ExprId>>,
    rank: usize,
}

impl Legendre {
    fn new(
        pool: &mut Pool,
        symbols: &Symbols,
        dynamics: &Dynamics,
        budget: &mut Budget,
    ) -> Result<Self, NoHamiltonian> {
        let n = symbols.dimension();
        let mut mass = vec![vec![ExprId::ZERO; n]; n];
        for (row, dense) in dynamics.mass.iter().zip(&mut mass) {
            row.iter().for_each(|&(j, value)| dense[j as usize] = value);
        }
        let plain = Surface::new(&symbols.position, &[]);
        // Columns that are independent: W is symmetric, so their block is invertible.
        let chosen = eliminate(pool, &plain, mass.clone(), n, budget)?;
        let mut basis = chosen.columns.clone();
        basis.sort_unstable();
        let others: Vec<usize> = (0..n).filter(|k| !basis.contains(k)).collect();
        let still: Substitution = symbols.velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
        let offset = substitute(pool, &dynamics.momenta, &still, budget)?;
        // [W_PP | p_P − b_P | W_PN], solved.
        let mut rows = Vec::with_capacity(basis.len());
        for &i in &basis {
            let mut row: Vec<ExprId> = basis.iter().map(|&j| mass[i][j]).collect();
            row.push(pool.sub(symbols.momentum[i], offset[i]));
            row.extend(others.iter().map(|&j| mass[i][j]));
            rows.push(row);
        }
        let echelon = eliminate(pool, &plain, rows, basis.len(), budget)?;
        let mut solved = vec![(0, ExprId::ZERO); basis.len()];
        let mut mixed = vec![Vec::new(); basis.len()];
        for (row, &column) in echelon.rows.iter().zip(&echelon.columns) {
            solved[column] = (basis[column], row[basis.len()]);
            mixed[column] = row[basis.len() + 1..].iter().map(|&w| pool.neg(w)).collect();
        }
        let mut primaries = Vec::with_capacity(others.len());
        for &i in &others {
            let mut terms = vec![symbols.momentum[i], pool.neg(offset[i])];
            for &(j, v) in &solved {
                let product = pool.mul(mass[i][j], v);
                terms.push(pool.neg(product));
            }
            let sum = pool.sum(&terms);
            primaries.push((Some(i), short(pool, sum)));
        }
        let value = substitute(pool, &[dynamics.lagrangian], &still, budget)?[0];
        let hamiltonian = hamiltonian(pool, symbols, (&solved, &offset), value, budget)?;
        let block: Vec<Vec<ExprId>> =
            basis.iter().map(|&i| basis.iter().map(|&j| mass[i][j]).collect()).collect();
        let pivots = determinant_factors(pool, &plain, &block, budget)?;
        let rank = solved.len();
        Ok(Self { hamiltonian, primaries, solved, mixed, pivots, hessian: mass, rank })
    }

    /// By elimination, where the Hessian depends on the velocities; without forces.
    fn algebraic(
        pool: &mut Pool,
        symbols: &Symbols,
        dynamics: &Dynamics,
        budget: &mut Budget,
    ) -> Result<Self, NoHamiltonian> {
        if dynamics.forces.iter().any(|force| !force.is_zero()) {
            return Err(NoHamiltonian::Refused);
        }
        let found = algebraic::legendre(pool, symbols, dynamics, budget)?;
        Ok(Self {
            hamiltonian: found.hamiltonian,
            primaries: found.primaries.into_iter().map(|phi| (None, phi)).collect(),
            solved: Vec::new(),
            mixed: Vec::new(),
            pivots: Vec::new(),
            hessian: Vec::new(),
            rank: found.rank,
        })
    }

    /// v(q, p, u).
    fn velocities(&self, pool: &mut Pool, primaries: &[Primary]) -> Vec<ExprId> {
        let mut velocity = vec![ExprId::ZERO; self.primaries.len() + self.solved.len()];
        for (&(i, _), primary) in self.primaries.iter().zip(primaries) {
            if let Some(i) = i {
                velocity[i] = primary.multiplier;
            }
        }
        for (&(j, v), mixed) in self.solved.iter().zip(&self.mixed) {
            let mut terms = vec![v];
            for (&w, primary) in mixed.iter().zip(primaries) {
                terms.push(pool.mul(w, primary.multiplier));
            }
            velocity[j] = pool.sum(&terms);
        }
        velocity
    }
}
