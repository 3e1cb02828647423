//! How far the discrete velocity and the Dirac differential of one step are from the Dirac structure.
//!
//! w = (w_q, w_p) = ((q⁺ − q)/h, (p⁺ − p)/h) and, at a base point (q̄, p̄) of T*Q, the Dirac differential
//! β = (−L_q − F, v̄) with p̄ = L_v(q̄, v̄). The pair belongs to D_Δ(q̄, p̄) exactly if
//!
//! * A(q̄) w_q + b = 0: the distance of w_q from the admissible velocities,
//!   √(cᵀ (A M⁻¹ Aᵀ)⁻¹ c) with c = A w_q + b,
//! * w_q = v̄: √((w_q − v̄)ᵀ M (w_q − v̄)),
//! * w_p − L_q − F ∈ Δ°: the distance from the span of the rows of A, in the metric M⁻¹.
//!
//! M is the mass matrix at (q̄, v̄). The first two are roots of energies, the third a root of an energy per
//! time; none depends on linear coordinates or on how constraints are scaled.

use isotrope_algebra::ExprId;
use isotrope_algebra::double::linear::{DenseMatrix, dot};
use isotrope_derive::{LagrangianMechanics, System};
use isotrope_tape::interpret::Scratch;

use super::StructureError;
use crate::evaluated::{Evaluated, Place};

/// The functions of a model that a defect needs.
#[derive(Debug, Clone)]
pub(crate) struct Structure {
    n: usize,
    m: usize,
    /// L_v, M, L_q + F, A, row by row.
    functions: Evaluated,
    /// A v + b.
    rates: Evaluated,
}

/// A state of a trajectory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    pub t: f64,
    pub q: Vec<f64>,
    pub p: Vec<f64>,
}

/// What is wrong with a step, and what rounding alone may leave of each part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Defect {
    /// The admissible velocities, the velocity, the force.
    pub parts: [f64; 3],
    pub rounding: [f64; 3],
}

impl Defect {
    /// One number in the unit of the first two parts: the root of the sum of squares, the force being
    /// multiplied by the step.
    pub fn whole(parts: [f64; 3], h: f64) -> f64 {
        let [constraint, legendre, force] = parts;
        (constraint * constraint + legendre * legendre + (h * force) * (h * force)).sqrt()
    }
}

/// Rounds of Newton's method for L_v(q̄, v̄) = p̄; one is enough where L is quadratic.
const ROUNDS: usize = 20;
/// Rounding of a difference, relative to its terms.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// More coordinates than this are not examined: every step solves dense systems.
const LARGEST: usize = 60;

impl Structure {
    pub fn new(system: &System) -> Result<Self, StructureError> {
        let Some(LagrangianMechanics { dynamics, rows, .. }) = system.mechanics.lagrangian() else {
            return Err(StructureError::NoMassMatrix);
        };
        let (n, m) = (system.symbols.dimension(), rows.len());
        if n > LARGEST {
            return Err(StructureError::Large { coordinates: n, largest: LARGEST });
        }
        let mut pool = system.model.pool.clone();
        let dense = |list: &[Vec<(u32, ExprId)>]| {
            let mut entries = vec![ExprId::ZERO; n * list.len()];
            for (i, row) in list.iter().enumerate() {
                for &(j, value) in row {
                    entries[i * n + j as usize] = value;
                }
            }
            entries
        };
        let (mass, matrix) = (dense(&dynamics.mass), dense(&rows.matrix));
        let driving = dynamics.gradient.iter().zip(&dynamics.forces);
        let driving: Vec<ExprId> = driving.map(|(&g, &f)| pool.add(g, f)).collect();
        let all: Vec<ExprId> =
            [&dynamics.momenta, &mass, &driving, &matrix].into_iter().flatten().copied().collect();
        let ready = |list: &[ExprId]| {
            Evaluated::new(system, &pool, list)
                .map_err(|error| StructureError::Expression { reason: error.to_string() })
        };
        Ok(Self { n, m, functions: ready(&all)?, rates: ready(&rows.velocity_level)? })
    }

    pub fn has_constraints(&self) -> bool {
        self.m > 0
    }

    /// The defect of a step of length h at a base point with a time; `None` where something has no value or the mass
    /// matrix is not positive.
    pub fn defect(
        &self,
        (from, to, h): (&State, &State, f64),
        base: &State,
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<Defect> {
        let n = self.n;
        let rate = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(from, to)| (to - from) / h).collect()
        };
        let (w_q, w_p) = (rate(&from.q, &to.q), rate(&from.p, &to.p));
        let (v, there) = self.velocity(base, &w_q, parameters, scratch)?;
        let c = self.rates.at((base.t, &base.q, &w_q), parameters, scratch)?;
        let metric = Metric::new(&there, n, self.m)?;
        let driving = &there[n + n * n..2 * n + n * n];
        let off: Vec<f64> = w_q.iter().zip(&v).map(|(w, v)| w - v).collect();
        let push: Vec<f64> = w_p.iter().zip(driving).map(|(w, g)| w - g).collect();
        let parts =
            [metric.constraint(&c)?, metric.of_velocity(&off)?, metric.beside_reactions(&push)?];
        // Differences of numbers of the size of q, p and their rates.
        let steps = h.abs();
        let velocity = metric.of_velocity(&w_q)? + metric.of_velocity(&v)?;
        let kinematic = ROUNDING * (metric.of_velocity(&base.q)? / steps + velocity);
        let momentum = metric.of_momentum(&from.p)?.max(metric.of_momentum(&to.p)?);
        let forces = metric.of_momentum(&w_p)? + metric.of_momentum(driving)?;
        let dynamic = ROUNDING * (momentum / steps + forces);
        Some(Defect { parts, rounding: [kinematic, kinematic, dynamic] })
    }

    /// v̄ with L_v(q̄, v̄) = p̄, and all functions there.
    fn velocity(
        &self,
        base: &State,
        guess: &[f64],
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = self.n;
        let mut v = guess.to_vec();
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let place: Place<'_> = (base.t, &base.q, &v);
            let values = self.functions.at(place, parameters, scratch)?;
            let mass = DenseMatrix::from_rows(n, n, &values[n..n + n * n]);
            let missing: Vec<f64> = base.p.iter().zip(&values[..n]).map(|(p, l)| p - l).collect();
            let change = mass.solve_vector(&missing, 0.0)?;
            let size = change.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            // To rounding: until corrections stop shrinking.
            if size == 0.0 || size >= 0.5 * last {
                return Some((v, values));
            }
            last = size;
            v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
        }
        None
    }
}

/// The metrics M and M⁻¹ with the rows of A.
struct Metric {
    mass: DenseMatrix,
    rows: DenseMatrix,
    /// A M⁻¹ Aᵀ.
    gram: DenseMatrix,
}

impl Metric {
    fn new(there: &[f64], n: usize, m: usize) -> Option<Self> {
        let mass = DenseMatrix::from_rows(n, n, &there[n..n + n * n]);
        let rows = DenseMatrix::from_rows(m, n, &there[2 * n + n * n..]);
        let gram = rows.times(&mass.solve(&rows.transposed(), 0.0)?);
        Some(Self { mass, rows, gram })
    }

    /// √(xᵀ M x).
    fn of_velocity(&self, x: &[f64]) -> Option<f64> {
        root(dot(x, &self.mass.apply(x)))
    }

    /// √(xᵀ M⁻¹ x).
    fn of_momentum(&self, x: &[f64]) -> Option<f64> {
        root(dot(x, &self.mass.solve_vector(x, 0.0)?))
    }

    /// √(cᵀ (A M⁻¹ Aᵀ)⁻¹ c).
    fn constraint(&self, c: &[f64]) -> Option<f64> {
        if c.is_empty() {
            return Some(0.0);
        }
        root(dot(c, &self.gram.solve_vector(c, 0.0)?))
    }

    /// The distance from the span of the rows of A in the metric M⁻¹.
    fn beside_reactions(&self, x: &[f64]) -> Option<f64> {
        let mut rest = x.to_vec();
        if self.rows.rows() > 0 {
            let turned = self.rows.apply(&self.mass.solve_vector(x, 0.0)?);
            let lambda = self.gram.solve_vector(&turned, 0.0)?;
            let reaction = self.rows.transposed().apply(&lambda);
            rest.iter_mut().zip(&reaction).for_each(|(x, r)| *x -= r);
        }
        self.of_momentum(&rest)
    }
}

/// The root of what a metric gives; `None` if it is negative: then the form is not a metric.
fn root(square: f64) -> Option<f64> {
    (square >= 0.0).then(|| square.sqrt())
}
