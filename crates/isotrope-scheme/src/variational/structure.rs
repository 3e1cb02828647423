//! Discrete Dirac structures, (+) and (−), and the discrete form of a scheme in (q, v, p).
//!
//! The (+)-structure relates pairs (q, p), (q⁺, p⁺) to covectors over (q, p⁺), the (−)-structure over
//! (q⁺, p) (M. Leok, T. Ohsawa, *Variational and geometric structures of discrete Dirac mechanics*,
//! Found. Comput. Math. 11, 2011). Its canonical map sends the pair to (p, q⁺), or to (−p⁺, −q). Less
//! the differential of ±q·p, which belongs to the step that goes nowhere, this is Ω♭ of the difference
//! w = (q⁺ − q, p⁺ − p): a discrete Dirac structure is D_Δ at (q, p⁺), or at (q⁺, p), on differences.
//!
//! With a velocity for the point that is not at the base, l₊(q, v) = L_d(q, q + h v)/h and
//! l₋(q⁺, v) = L_d(q⁺ − h v, q⁺)/h, the discrete Dirac differential is h(−l_q, v) over p = l_v, and the
//! scheme is (w, h(−l_q, v)) ∈ D_Δ: the stationary points of Σ h l + p·(q⁺ − q − h v), the principle of
//! Hamilton and Pontryagin, with reactions.

use isotrope_algebra::calculus::{Substitution, directional_derivative, gradient, substitute};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId};
use isotrope_geometry::{DiracStructure, Generator};

use super::symbolic::{DiscreteAction, fresh, marked, shorter};
use crate::DiscretiseError;
use isotrope_derive::System;

/// Where the covectors of a discrete Dirac structure are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Over (q, p⁺).
    Plus,
    /// Over (q⁺, p).
    Minus,
}

/// A discrete Dirac structure with the scheme that a discrete Lagrangian has in it.
#[derive(Debug, Clone)]
pub struct DiscreteDirac {
    /// Which one.
    pub side: Side,
    /// D_Δ over the base: its coordinates are (q, p⁺) or (q⁺, p).
    pub structure: DiracStructure,
    /// l(q, v).
    pub lagrangian: ExprId,
    /// The momentum of the base: l_v, with discrete forces.
    pub momentum: Vec<ExprId>,
    /// w = (q⁺ − q, p⁺ − p).
    pub vector: Vec<ExprId>,
    /// β = h(−l_q, v), with discrete forces.
    pub covector: Vec<ExprId>,
    /// ⟨(w, β), (V, A)⟩ for each generator (V|A): as D_Δ is its own complement, (w, β) is in it if and
    /// only if they vanish.
    pub conditions: Vec<ExprId>,
}

/// How far dq∧dp is from being kept, on two admissible directions at the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormDefect {
    /// Numbers of two fields of the frame.
    pub fields: (usize, usize),
    /// (dq⁺∧dp⁺ − dq∧dp) on them.
    pub value: ExprId,
}

impl DiscreteDirac {
    /// The scheme of an action in the structure of the constraints, which is that of the system.
    pub fn new(
        action: &mut DiscreteAction,
        system: &System,
        structure: &DiracStructure,
        side: Side,
        budget: &mut Budget,
    ) -> Result<Self, DiscretiseError> {
        let symbols = &system.symbols;
        let n = symbols.dimension();
        let pool = &mut action.pool;
        let after: Vec<ExprId> = symbols
            .momentum
            .iter()
            .map(|&p| {
                let name = marked(pool.name_of(p).unwrap_or("p"), "next");
                // The other side has made the same symbol.
                pool.find_symbol(&name).unwrap_or_else(|| fresh(pool, &name))
            })
            .collect();
        let last = action.points.len() - 1;
        let (begin, end) = (action.points[0].clone(), action.points[last].clone());
        let (here, other, momenta) = match side {
            Side::Plus => (&begin, &end, &after),
            Side::Minus => (&end, &begin, &symbols.momentum),
        };
        let mut map = Substitution::default();
        for ((&there, &q), &v) in other.iter().zip(here).zip(&symbols.velocity) {
            let way = pool.mul(action.step, v);
            map.insert(there, if side == Side::Plus { pool.add(q, way) } else { pool.sub(q, way) });
        }
        let mut wanted = vec![action.action];
        for point in [0, last] {
            wanted.extend(&action.forces[point]);
        }
        let moved = substitute(pool, &wanted, &map, budget)?;
        let (first_force, last_force) = moved[1..].split_at(n);
        let lagrangian = pool.div(moved[0], action.step);
        let lagrangian = shorter(pool, lagrangian);
        let slopes = gradient(pool, lagrangian, &symbols.velocity, budget)?;
        let rates = gradient(pool, lagrangian, here, budget)?;
        let mut momentum = Vec::with_capacity(n);
        let (mut vector, mut covector) = (Vec::with_capacity(2 * n), Vec::with_capacity(2 * n));
        for i in 0..n {
            let value = match side {
                Side::Plus => pool.add(slopes[i], last_force[i]),
                Side::Minus => pool.sub(slopes[i], first_force[i]),
            };
            momentum.push(shorter(pool, value));
            let push = pool.mul(action.step, rates[i]);
            let push = pool.sum(&[push, first_force[i], last_force[i]]);
            let falling = pool.neg(push);
            covector.push(shorter(pool, falling));
            vector.push(pool.sub(end[i], begin[i]));
        }
        covector.extend(symbols.velocity.iter().map(|&v| pool.mul(action.step, v)));
        vector.extend(after.iter().zip(&symbols.momentum).map(|(&a, &b)| pool.sub(a, b)));
        let base: Vec<ExprId> = here.iter().chain(momenta).copied().collect();
        let rename: Substitution = structure.base.iter().copied().zip(base.clone()).collect();
        let mut generators = Vec::with_capacity(structure.generators.len());
        for generator in &structure.generators {
            generators.push(Generator {
                vector: substitute(pool, &generator.vector, &rename, budget)?,
                covector: substitute(pool, &generator.covector, &rename, budget)?,
            });
        }
        let pairs = |pool: &mut isotrope_algebra::Pool, a: &[ExprId], b: &[ExprId]| -> ExprId {
            let terms: Vec<ExprId> = a.iter().zip(b).map(|(&a, &b)| pool.mul(a, b)).collect();
            pool.sum(&terms)
        };
        let mut conditions = Vec::with_capacity(generators.len());
        for generator in &generators {
            let one = pairs(pool, &covector, &generator.vector);
            let other = pairs(pool, &generator.covector, &vector);
            let sum = pool.add(one, other);
            conditions.push(shorter(pool, sum));
        }
        let structure = DiracStructure { base, generators };
        Ok(Self { side, structure, lagrangian, momentum, vector, covector, conditions })
    }

    /// The admissible directions at the base.
    pub fn frame(&self) -> Vec<Vec<ExprId>> {
        let n = self.structure.base.len() / 2;
        let parts = self.structure.generators.iter().map(|generator| &generator.vector[..n]);
        let fields = parts.filter(|part| part.iter().any(|entry| !entry.is_zero()));
        fields.map(<[ExprId]>::to_vec).collect()
    }

    /// dq⁺∧dp⁺ − dq∧dp on pairs of admissible directions at the base, the other end being held: what
    /// is not zero. On all other pairs of variations, of the other end and of Λ, it is zero: second
    /// derivatives of L_d are symmetric, and A annihilates the directions.
    pub fn form_defects(
        &self,
        action: &mut DiscreteAction,
        budget: &mut Budget,
    ) -> Result<Vec<FormDefect>, DiscretiseError> {
        let at = if self.side == Side::Plus { 0 } else { action.points.len() - 1 };
        let point = action.points[at].clone();
        // p = −(D₁S + F₀ + AᵀΛ) at the beginning, p⁺ = D₂S + F₁ + AᵀΛ at the end: the same sign in
        // −dq∧dp and in dq⁺∧dp⁺.
        let pool = &mut action.pool;
        let parts = action.derivatives[at].iter().zip(&action.forces[at]);
        let momenta: Vec<ExprId> =
            parts.zip(&action.reactions[at]).map(|((&d, &f), &r)| pool.sum(&[d, f, r])).collect();
        let frame = self.frame();
        let mut changes = Vec::with_capacity(frame.len());
        for field in &frame {
            let way: Vec<_> = point.iter().copied().zip(field.iter().copied()).collect();
            changes.push(directional_derivative(pool, &momenta, &way, budget)?);
        }
        let along = |pool: &mut isotrope_algebra::Pool, i: usize, j: usize| -> ExprId {
            let pairs = frame[i].iter().zip(&changes[j]);
            let terms: Vec<ExprId> = pairs.map(|(&x, &d)| pool.mul(x, d)).collect();
            pool.sum(&terms)
        };
        let mut found = Vec::new();
        for i in 0..frame.len() {
            for j in i + 1..frame.len() {
                let one = along(pool, i, j);
                let other = along(pool, j, i);
                let difference = pool.sub(one, other);
                found.push(FormDefect { fields: (i, j), value: shorter(pool, difference) });
            }
        }
        // What is zero need not be written as zero.
        found.retain(|defect| action.vanishes(defect.value) != Zero::Yes);
        Ok(found)
    }
}
