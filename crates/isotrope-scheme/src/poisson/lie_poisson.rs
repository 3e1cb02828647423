//! Steps on the duals of so(3) and se(3), x' = ad*_{∇H} x.
//!
//! A discrete Lagrangian on the group that is invariant gives steps on the dual of its algebra that are
//! Poisson maps (J. E. Marsden, S. Pekarsky, S. Shkoller, Discrete Euler–Poincaré and Lie–Poisson equations,
//! Nonlinearity 12, 1999). With a retraction τ, ξ = ∇H(p) and the transposed inverse of its trivialised
//! derivative (M. Kobilarov, J. E. Marsden, Discrete geometric optimal control on Lie groups, 2011),
//!
//! x = (dτ⁻¹_{hξ})* p,   x⁺ = (dτ⁻¹_{−hξ})* p.
//!
//! Here τ is Cayley's map. On so(3)*, x' = x × ξ:
//!
//! x = p − h/2 p×ξ + h²/4 (ξ·p) ξ,   x⁺ = Rᵀx with R = cay(hξ);
//!
//! on se(3)*, m' = m×ω + g×v, g' = g×ω with ξ = (ω, v) = (H_m, H_g):
//!
//! m = p_m − h/2 (p_m×ω + p_g×v) + h²/4 ((ω·p_m) ω − v×(p_g×ω)),   g = p_g − h/2 p_g×ω,
//! m⁺ = Rᵀm + g⁺×y,   g⁺ = Rᵀg with R = cay(hω),   y + h/2 ω×y = h v.
//!
//! The end of a step is written as a coadjoint action, so that Casimir functions are kept to rounding
//! however well the equation for p is solved.

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use super::{bracket, finish, fractions};
use crate::mechanics::{Point, Writer};
use crate::registry::Written;
use crate::{DiscretiseError, UnknownKind};

/// What one proof may cost.
const PROOF: u64 = 200_000;

/// The dual of an algebra, by the numbers of its coordinates, and a factor of the bracket.
struct Dual {
    /// m of so(3)*, in order.
    spin: [usize; 3],
    /// g of se(3)*.
    vector: Option<[usize; 3]>,
    factor: ExprId,
}

/// Even permutations of (0, 1, 2).
const CYCLES: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];

fn zero(pool: &mut Pool, expression: ExprId) -> bool {
    is_zero(pool, expression, &mut Budget::new(PROOF)) == Zero::Yes
}

/// Is D^{a_i b_j} = −κ ε_ijk c_k?
fn crosses(
    pool: &mut Pool,
    bracket: &[Vec<ExprId>],
    positions: &[ExprId],
    (a, b, c): ([usize; 3], [usize; 3], [usize; 3]),
    factor: ExprId,
) -> bool {
    CYCLES.iter().all(|&[i, j, k]| {
        let value = pool.mul(factor, positions[c[k]]);
        let one = pool.add(bracket[a[i]][b[j]], value);
        let other = pool.sub(bracket[a[j]][b[i]], value);
        zero(pool, one) && zero(pool, other) && (a == b || bracket[a[i]][b[i]].is_zero())
    })
}

/// Recognises so(3)* and se(3)* among three and six coordinates in the order of the model.
fn recognise(pool: &mut Pool, bracket: &[Vec<ExprId>], positions: &[ExprId]) -> Option<Dual> {
    let (first, second) = ([0, 1, 2], [3, 4, 5]);
    let candidates: &[([usize; 3], Option<[usize; 3]>)] = match positions.len() {
        3 => &[(first, None)],
        6 => &[(first, Some(second)), (second, Some(first))],
        _ => return None,
    };
    for &(m, vector) in candidates {
        let quotient = pool.div(bracket[m[0]][m[1]], positions[m[2]]);
        let quotient = pool.neg(quotient);
        let factor = simplify(pool, quotient, &mut Budget::new(PROOF));
        if pool.depends_on(factor, positions) || factor.is_zero() {
            continue;
        }
        if !crosses(pool, bracket, positions, (m, m, m), factor) {
            continue;
        }
        if let Some(g) = vector {
            let flat = g.iter().all(|&i| g.iter().all(|&j| bracket[i][j].is_zero()));
            if !flat || !crosses(pool, bracket, positions, (m, g, g), factor) {
                continue;
            }
        }
        return Some(Dual { spin: m, vector, factor });
    }
    None
}

type Vector = [ExprId; 3];

fn pick(list: &[ExprId], at: [usize; 3]) -> Vector {
    at.map(|i| list[i])
}

fn cross(pool: &mut Pool, a: Vector, b: Vector) -> Vector {
    let mut part = |i: usize, j: usize| {
        let (left, right) = (pool.mul(a[i], b[j]), pool.mul(a[j], b[i]));
        pool.sub(left, right)
    };
    [part(1, 2), part(2, 0), part(0, 1)]
}

fn dot(pool: &mut Pool, a: Vector, b: Vector) -> ExprId {
    let terms: Vec<ExprId> = a.iter().zip(b).map(|(&a, b)| pool.mul(a, b)).collect();
    pool.sum(&terms)
}

fn scaled(pool: &mut Pool, factor: ExprId, a: Vector) -> Vector {
    a.map(|a| pool.mul(factor, a))
}

fn plus(pool: &mut Pool, a: Vector, b: Vector) -> Vector {
    [pool.add(a[0], b[0]), pool.add(a[1], b[1]), pool.add(a[2], b[2])]
}

/// One step, or a composition of steps. The unknowns are k = (p − x)/h.
pub(super) fn write(writer: &mut Writer<'_>, order: usize) -> Written {
    let (bracket, hamiltonian) = bracket(writer)?;
    let positions = writer.symbols.position.clone();
    let Some(dual) = recognise(&mut writer.pool, bracket, &positions) else {
        return Err(DiscretiseError::NotApplicable {
            reason: "the bracket is not that of so(3)* or se(3)*, m_i and then g_i as coordinates; take \
                     splitting-2",
        });
    };
    let slopes = gradient(&mut writer.pool, hamiltonian, &positions, writer.budget)?;
    let fractions = fractions(writer, order)?;
    let mut unknowns: Vec<Vec<ExprId>> = Vec::with_capacity(fractions.len());
    for k in 0..fractions.len() {
        let mut stage = Vec::with_capacity(positions.len());
        for i in 0..positions.len() {
            let half = writer.pool.mul(ExprId::HALF, writer.symbols.velocity[i]);
            let name = format!("{}'_{}", writer.symbols.names[i], k + 1);
            stage.push(writer.unknown(&name, UnknownKind::Velocity(i), half));
        }
        unknowns.push(stage);
    }
    let mut q = positions.clone();
    let mut found = Vec::new();
    for (k, fraction) in fractions.iter().enumerate() {
        let h = writer.pool.scale(fraction, writer.h);
        let (change, end) = step(writer, &dual, &slopes, (&q, h), (&unknowns[k], k + 1))?;
        for (&unknown, &value) in unknowns[k].iter().zip(&change) {
            let difference = writer.pool.sub(unknown, value);
            writer.residual.push(difference);
        }
        found.extend(change);
        q = writer.define(&format!("_{}⁺", k + 1), end);
    }
    writer.evaluations = u32::try_from(fractions.len()).unwrap_or(u32::MAX);
    writer.fixed_point = Some(found);
    finish(writer, q)
}

/// Rᵀx = x + κ (x×ω + h/2 (x×ω)×ω) with R = cay(hω) and κ = h/(1 + h²|ω|²/4).
fn turned(pool: &mut Pool, x: Vector, omega: Vector, (h, kappa): (ExprId, ExprId)) -> Vector {
    let once = cross(pool, x, omega);
    let twice = cross(pool, once, omega);
    let half = pool.mul(ExprId::HALF, h);
    let twice = scaled(pool, half, twice);
    let both = plus(pool, once, twice);
    let both = scaled(pool, kappa, both);
    plus(pool, x, both)
}

/// Where the coadjoint action takes x.
fn coadjoint(pool: &mut Pool, dual: &Dual, q: &[ExprId], h: ExprId, xi: &[ExprId]) -> Vec<ExprId> {
    let omega = pick(xi, dual.spin);
    let size = dot(pool, omega, omega);
    let quarter = Rational::quarter();
    let square = pool.mul(h, h);
    let square = pool.scale(&quarter, square);
    let denominator = pool.mul(square, size);
    let denominator = pool.add(ExprId::ONE, denominator);
    let kappa = pool.div(h, denominator);
    let mut end = q.to_vec();
    let mut m = turned(pool, pick(q, dual.spin), omega, (h, kappa));
    if let Some(at) = dual.vector {
        let (g, v) = (turned(pool, pick(q, at), omega, (h, kappa)), pick(xi, at));
        // y = κ (v + h/2 v×ω + h²/4 (ω·v) ω).
        let bent = cross(pool, v, omega);
        let half = pool.mul(ExprId::HALF, h);
        let bent = scaled(pool, half, bent);
        let along = dot(pool, omega, v);
        let along = pool.mul(square, along);
        let along = scaled(pool, along, omega);
        let y = plus(pool, v, bent);
        let y = plus(pool, y, along);
        let y = scaled(pool, kappa, y);
        let pulled = cross(pool, g, y);
        m = plus(pool, m, pulled);
        for k in 0..3 {
            end[at[k]] = g[k];
        }
    }
    for k in 0..3 {
        end[dual.spin[k]] = m[k];
    }
    end
}

/// The values that the unknowns should have, and x⁺.
fn step(
    writer: &mut Writer<'_>,
    dual: &Dual,
    slopes: &[ExprId],
    (q, h): (&[ExprId], ExprId),
    (unknowns, number): (&[ExprId], usize),
) -> Result<(Vec<ExprId>, Vec<ExprId>), DiscretiseError> {
    let p = writer.drifted(q, h, unknowns);
    let p = writer.define(&format!("_{number}"), p);
    let place = Point { q: p.clone(), v: writer.symbols.velocity.clone(), t: writer.symbols.time };
    let slopes = writer.at(&place, slopes)?;
    let slopes = slopes.into_iter().map(|slope| writer.pool.mul(dual.factor, slope)).collect();
    let slopes = writer.define(&format!("_ξ{number}"), slopes);
    let pool = &mut writer.pool;
    let quarter = Rational::quarter();
    let quarter = pool.scale(&quarter, h);
    let mut change = vec![ExprId::ZERO; q.len()];
    let (m, omega) = (pick(&p, dual.spin), pick(&slopes, dual.spin));
    let mut turning = cross(pool, m, omega);
    let along = dot(pool, omega, m);
    let mut second = scaled(pool, along, omega);
    if let Some(at) = dual.vector {
        let (g, v) = (pick(&p, at), pick(&slopes, at));
        let falling = cross(pool, g, omega);
        let pulled = cross(pool, g, v);
        turning = plus(pool, turning, pulled);
        let bent = cross(pool, falling, v);
        second = plus(pool, second, bent);
        let half = scaled(pool, ExprId::HALF, falling);
        for k in 0..3 {
            change[at[k]] = half[k];
        }
    }
    let half = scaled(pool, ExprId::HALF, turning);
    let second = scaled(pool, quarter, second);
    for k in 0..3 {
        let at = dual.spin[k];
        change[at] = pool.sub(half[k], second[k]);
    }
    let end = coadjoint(pool, dual, q, h, &slopes);
    Ok((change, end))
}
