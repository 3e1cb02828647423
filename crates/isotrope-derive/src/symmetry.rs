//! Point symmetries `xi(q) = B q + c` of the Lagrangian, found by linear algebra.
//!
//! The invariance condition is linear in `(B, c)`; at random points of a prime field it is
//! a linear system with a small solution space, whose rational reconstruction is then
//! verified exactly.

use isotrope_algebra::calculus::{Power, collect, directional_derivative, gradient, jacobian};
use isotrope_algebra::evaluate::{Fidelity, FieldPlan};
use isotrope_algebra::linear::sparse_nullspace;
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

use super::{ConstraintRows, Dynamics, Symbols};

const PRIME: u64 = FieldPlan::PRIME;

/// An affine vector field on the coordinates, with the gauge term of the invariance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointSymmetry {
    /// `c`: the constant part.
    pub translation: Vec<Rational>,
    /// `B`: (row, column, value), zeros left out.
    pub linear: Vec<(usize, usize, Rational)>,
    /// `xi` as expressions.
    pub field: Vec<ExprId>,
    /// `G` with `xi(L) = dG/dt`; zero for strict invariance.
    pub gauge: ExprId,
}

/// What a symmetry has to respect besides the Lagrangian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// Nothing else.
    LagrangianOnly,
    /// `A xi = 0` and `F.xi = 0`: then `p.xi - G` is conserved.
    Horizontal,
}

/// One unknown of the ansatz.
struct Unknown {
    /// (component, factor): component i of the field gains `factor` (1 or a position).
    field: Vec<(usize, Option<usize>)>,
    /// The Euler operator applied to what the unknown adds to `xi(L)`: zero for all i means a
    /// total time derivative. Empty where strict invariance is asked for.
    euler: Vec<ExprId>,
}

/// Full ansatz up to this many coordinates; families of coordinates beyond.
const FULL: usize = 10;
/// Invariance up to a total time derivative is looked for up to this many coordinates.
const GAUGE: usize = 4;

/// All affine point symmetries that meet the demand, verified exactly.
pub(super) fn point_symmetries(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    demand: Demand,
    budget: &mut Budget,
) -> Vec<PointSymmetry> {
    let n = symbols.dimension();
    let mut unknowns = ansatz(symbols);
    let gauge = n <= GAUGE && demand == Demand::Horizontal;
    if gauge && euler_operators(pool, symbols, dynamics, &mut unknowns, budget).is_err() {
        return Vec::new();
    }
    let mut outputs = symbols.position.clone();
    outputs.extend(&symbols.velocity);
    outputs.extend(&dynamics.gradient);
    outputs.extend(&dynamics.momenta);
    outputs.extend(&dynamics.forces);
    outputs.extend(rows.matrix.iter().flatten().map(|entry| entry.1));
    let euler_start = outputs.len();
    outputs.extend(unknowns.iter().flat_map(|unknown| unknown.euler.iter().copied()));
    let Ok(plan) = FieldPlan::new(pool, &outputs, Fidelity::Generic, budget) else {
        return Vec::new();
    };
    let mut random = Random::new(0x0e77);
    let nothing = FxHashMap::default();
    let mut equations: Vec<Vec<(u32, u64)>> = Vec::new();
    for _ in 0..unknowns.len() + 8 {
        if budget.spend((unknowns.len() * unknowns.len()) as u64, "searching symmetries").is_err() {
            return Vec::new();
        }
        let Some(values) = plan.evaluate_somewhere(pool, &mut random, &nothing, 64) else {
            return Vec::new();
        };
        let sample = Sample { values: &values, n };
        if gauge {
            for i in 0..n {
                let value = |k: usize| values[euler_start + k * n + i];
                let row = (0..unknowns.len()).map(|k| (k as u32, value(k)));
                equations.push(row.filter(|entry| entry.1 != 0).collect());
            }
        } else {
            equations.push(equation(&unknowns, |u| sample.invariance(u)));
        }
        if demand == Demand::Horizontal {
            if dynamics.forces.iter().any(|force| !force.is_zero()) {
                equations.push(equation(&unknowns, |u| sample.power(u)));
            }
            let mut start = 5 * n;
            for row in &rows.matrix {
                let entries = &values[start..start + row.len()];
                start += row.len();
                equations.push(equation(&unknowns, |u| sample.crossing(u, row, entries)));
            }
        }
    }
    sparse_nullspace(&equations, unknowns.len(), PRIME)
        .into_iter()
        .filter_map(|vector| {
            let mut symmetry = reconstruct(pool, symbols, &unknowns, &vector)?;
            if gauge {
                symmetry.gauge = gauge_term(pool, symbols, dynamics, &symmetry, budget)?;
            }
            verify(pool, symbols, dynamics, rows, &symmetry, demand, budget).then_some(symmetry)
        })
        .collect()
}

fn equation(unknowns: &[Unknown], value: impl Fn(&Unknown) -> u64) -> Vec<(u32, u64)> {
    unknowns
        .iter()
        .enumerate()
        .map(|(k, unknown)| (k as u32, value(unknown)))
        .filter(|entry| entry.1 != 0)
        .collect()
}

/// Values of (q, v, L_q, L_v, F, A) at one random point.
struct Sample<'v> {
    values: &'v [u64],
    n: usize,
}

impl Sample<'_> {
    fn at(&self, block: usize, k: usize) -> u64 {
        self.values[block * self.n + k]
    }

    fn factor(&self, block: usize, factor: Option<usize>) -> u64 {
        match (block, factor) {
            (_, Some(k)) => self.at(block, k),
            (0, None) => 1,
            (_, None) => 0,
        }
    }

    /// `xi.L_q + xi'.L_v`.
    fn invariance(&self, unknown: &Unknown) -> u64 {
        let mut sum = 0;
        let mut add = |a, b| sum = modular::add(sum, modular::mul(a, b, PRIME), PRIME);
        for &(i, factor) in &unknown.field {
            add(self.factor(0, factor), self.at(2, i));
            add(self.factor(1, factor), self.at(3, i));
        }
        sum
    }

    /// `F.xi`.
    fn power(&self, unknown: &Unknown) -> u64 {
        unknown.field.iter().fold(0, |sum, &(i, factor)| {
            let part = modular::mul(self.factor(0, factor), self.at(4, i), PRIME);
            modular::add(sum, part, PRIME)
        })
    }

    /// One row of `A xi`.
    fn crossing(&self, unknown: &Unknown, row: &[(u32, ExprId)], entries: &[u64]) -> u64 {
        let mut sum = 0;
        for (&(i, _), &entry) in row.iter().zip(entries) {
            // Components are listed in ascending order, at most once each.
            if let Ok(k) = unknown.field.binary_search_by_key(&(i as usize), |part| part.0) {
                let part = modular::mul(self.factor(0, unknown.field[k].1), entry, PRIME);
                sum = modular::add(sum, part, PRIME);
            }
        }
        sum
    }
}

/// Applies the Euler operator to every basis function of the ansatz.
fn euler_operators(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    unknowns: &mut [Unknown],
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    let n = symbols.dimension();
    for unknown in unknowns {
        let mut terms = Vec::new();
        for &(i, factor) in &unknown.field {
            let (q, v) = match factor {
                Some(j) => (symbols.position[j], symbols.velocity[j]),
                None => (ExprId::ONE, ExprId::ZERO),
            };
            terms.push(pool.mul(q, dynamics.gradient[i]));
            terms.push(pool.mul(v, dynamics.momenta[i]));
        }
        let change = pool.sum(&terms);
        let by_velocity = gradient(pool, change, &symbols.velocity, budget)?;
        let by_position = gradient(pool, change, &symbols.position, budget)?;
        let rates = directional_derivative(pool, &by_velocity, &symbols.motion(), budget)?;
        unknown.euler = (0..n).map(|i| pool.sub(rates[i], by_position[i])).collect();
    }
    Ok(())
}

fn ansatz(symbols: &Symbols) -> Vec<Unknown> {
    let n = symbols.dimension();
    let mut unknowns = Vec::new();
    let mut push = |field| unknowns.push(Unknown { field, euler: Vec::new() });
    if n <= FULL {
        // Translations come last: they become the free columns of the elimination.
        for i in 0..n {
            for j in 0..n {
                push(vec![(i, Some(j))]);
            }
        }
        for i in 0..n {
            push(vec![(i, None)]);
        }
        return unknowns;
    }
    // Families: coordinates that differ only in a number, in parallel.
    let families = families(&symbols.names);
    for f in &families {
        for g in families.iter().filter(|g| g.len() == f.len()) {
            push(f.iter().zip(g).map(|(&i, &j)| (i, Some(j))).collect());
        }
    }
    for f in &families {
        push(f.iter().map(|&i| (i, None)).collect());
    }
    unknowns
}

/// Groups coordinates by their name without digits and brackets.
fn families(names: &[String]) -> Vec<Vec<usize>> {
    let mut families: Vec<(String, Vec<usize>)> = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let stem: String =
            name.chars().filter(|c| !c.is_ascii_digit() && *c != '[' && *c != ']').collect();
        match families.iter_mut().find(|family| family.0 == stem) {
            Some(family) => family.1.push(k),
            None => families.push((stem, vec![k])),
        }
    }
    families.into_iter().map(|family| family.1).collect()
}

fn reconstruct(
    pool: &mut Pool,
    symbols: &Symbols,
    unknowns: &[Unknown],
    vector: &[u64],
) -> Option<PointSymmetry> {
    let n = symbols.dimension();
    let mut translation = vec![Rational::ZERO; n];
    let mut linear: Vec<(usize, usize, Rational)> = Vec::new();
    // The common sign and scale: the first nonzero coefficient of the field becomes 1.
    let coefficients: Vec<Option<Rational>> =
        vector.iter().map(|&value| short_number(value)).collect();
    for (unknown, coefficient) in unknowns.iter().zip(coefficients) {
        let coefficient = coefficient?;
        if coefficient.is_zero() {
            continue;
        }
        for &(i, factor) in &unknown.field {
            match factor {
                Some(j) => linear.push((i, j, coefficient.clone())),
                None => translation[i] = &translation[i] + &coefficient,
            }
        }
    }
    affine(pool, symbols, translation, linear)
}

/// The number behind a residue, if it is short: one with many digits is an accident of the field, not a symmetry.
pub(super) fn short_number(value: u64) -> Option<Rational> {
    let (a, b) = modular::rational_reconstruction(value, PRIME)?;
    (a.unsigned_abs() < 1 << 20 && b < 1 << 20).then(|| Rational::new(a, b)).flatten()
}

/// The field `B q + c`; `None` if it is zero.
fn affine(
    pool: &mut Pool,
    symbols: &Symbols,
    translation: Vec<Rational>,
    linear: Vec<(usize, usize, Rational)>,
) -> Option<PointSymmetry> {
    if linear.is_empty() && translation.iter().all(Rational::is_zero) {
        return None;
    }
    Some(PointSymmetry::new(pool, symbols, translation, linear))
}

impl PointSymmetry {
    /// The field `B q + c`, without a gauge term.
    pub(super) fn new(
        pool: &mut Pool,
        symbols: &Symbols,
        translation: Vec<Rational>,
        linear: Vec<(usize, usize, Rational)>,
    ) -> Self {
        let component = |(i, constant): (usize, &Rational)| {
            let mut terms = vec![(constant.clone(), ExprId::ONE)];
            for (row, column, value) in &linear {
                if *row == i {
                    terms.push((value.clone(), symbols.position[*column]));
                }
            }
            pool.linear_combination(&terms)
        };
        let field = translation.iter().enumerate().map(component).collect();
        Self { translation, linear, field, gauge: ExprId::ZERO }
    }
}

/// `xi.L_q + xi'.L_v`.
fn change_of_lagrangian(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    symmetry: &PointSymmetry,
) -> ExprId {
    let mut terms = Vec::new();
    for (i, &xi) in symmetry.field.iter().enumerate() {
        terms.push(pool.mul(xi, dynamics.gradient[i]));
    }
    for (i, j, b) in &symmetry.linear {
        let rate = pool.scale(b, symbols.velocity[*j]);
        terms.push(pool.mul(rate, dynamics.momenta[*i]));
    }
    pool.sum(&terms)
}

/// `G` with `xi(L) = dG/dt`, where `xi(L)` is a polynomial in positions and velocities.
fn gauge_term(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    symmetry: &PointSymmetry,
    budget: &mut Budget,
) -> Option<ExprId> {
    let change = change_of_lagrangian(pool, symbols, dynamics, symmetry);
    if is_zero(pool, change, budget) == Zero::Yes {
        return Some(ExprId::ZERO);
    }
    let n = symbols.dimension();
    let mut variables = symbols.position.clone();
    variables.extend(&symbols.velocity);
    let collected = collect(pool, change, &variables, budget).ok()?;
    let mut terms = Vec::new();
    for (monomial, coefficient) in collected {
        if pool.depends_on(coefficient, &[symbols.time]) {
            return None;
        }
        let (positions, velocities): (Power, Power) =
            monomial.iter().partition(|power| (power.0 as usize) < n);
        let degree: u32 = positions.iter().map(|power| power.1).sum();
        // a(q).v integrates along rays: q^d v_i contributes q^d q_i/(d + 1).
        let last = match velocities[..] {
            [(k, 1)] => symbols.position[k as usize - n],
            [] if degree == 0 => symbols.time,
            _ => return None,
        };
        let mut factors = vec![coefficient, last, pool.ratio(1, i64::from(degree) + 1)];
        for (k, power) in positions {
            factors.push(pool.powi(symbols.position[k as usize], power.into()));
        }
        terms.push(pool.product(&factors));
    }
    Some(pool.sum(&terms))
}

/// The exact check of a reconstructed symmetry.
fn verify(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    symmetry: &PointSymmetry,
    demand: Demand,
    budget: &mut Budget,
) -> bool {
    let n = symbols.dimension();
    let change = change_of_lagrangian(pool, symbols, dynamics, symmetry);
    let Ok(gauge) = directional_derivative(pool, &[symmetry.gauge], &symbols.drift(), budget)
    else {
        return false;
    };
    let mut conditions = vec![pool.sub(change, gauge[0])];
    if demand == Demand::Horizontal {
        let power: Vec<_> =
            (0..n).map(|i| pool.mul(symmetry.field[i], dynamics.forces[i])).collect();
        conditions.push(pool.sum(&power));
        for row in &rows.matrix {
            let terms: Vec<_> =
                row.iter().map(|&(i, a)| pool.mul(a, symmetry.field[i as usize])).collect();
            conditions.push(pool.sum(&terms));
        }
    }
    conditions.into_iter().all(|condition| {
        is_zero(pool, condition, &mut Budget::new(budget.left().min(2_000_000))) == Zero::Yes
    })
}

/// Combinations with constant coefficients along which these changes, one list for each symmetry, add up to zero at
/// random points; what is found is still to be proved.
pub(super) fn combinations(
    pool: &mut Pool,
    symbols: &Symbols,
    symmetries: &[PointSymmetry],
    changes: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Vec<PointSymmetry> {
    let count = symmetries.len();
    let outputs: Vec<ExprId> = changes.iter().flatten().copied().collect();
    let Ok(plan) = FieldPlan::new(pool, &outputs, Fidelity::Generic, budget) else {
        return Vec::new();
    };
    let (mut random, nothing) = (Random::new(0x5e2), FxHashMap::default());
    let mut equations: Vec<Vec<(u32, u64)>> = Vec::new();
    for _ in 0..count + 4 {
        if budget.spend(outputs.len() as u64, "combining symmetries").is_err() {
            return Vec::new();
        }
        let Some(values) = plan.evaluate_somewhere(pool, &mut random, &nothing, 64) else {
            return Vec::new();
        };
        let length = changes.first().map_or(0, Vec::len);
        for k in 0..length {
            let row = (0..count).map(|s| (s as u32, values[s * length + k]));
            equations.push(row.filter(|entry| entry.1 != 0).collect());
        }
    }
    let vectors = sparse_nullspace(&equations, count, PRIME);
    vectors.into_iter().filter_map(|v| combined(pool, symbols, symmetries, &v)).collect()
}

/// One combination of symmetries.
fn combined(
    pool: &mut Pool,
    symbols: &Symbols,
    symmetries: &[PointSymmetry],
    weights: &[u64],
) -> Option<PointSymmetry> {
    let n = symbols.dimension();
    let mut translation = vec![Rational::ZERO; n];
    let mut linear: BTreeMap<(usize, usize), Rational> = BTreeMap::new();
    let mut gauge = Vec::new();
    for (symmetry, &weight) in symmetries.iter().zip(weights) {
        let weight = short_number(weight)?;
        for (sum, part) in translation.iter_mut().zip(&symmetry.translation) {
            *sum = &*sum + &(&weight * part);
        }
        for (i, j, part) in &symmetry.linear {
            let sum = linear.entry((*i, *j)).or_insert(Rational::ZERO);
            *sum = &*sum + &(&weight * part);
        }
        gauge.push((weight, symmetry.gauge));
    }
    let linear = linear.into_iter().filter(|(_, value)| !value.is_zero());
    let linear = linear.map(|((i, j), value)| (i, j, value)).collect();
    let mut symmetry = affine(pool, symbols, translation, linear)?;
    symmetry.gauge = pool.linear_combination(&gauge);
    Some(symmetry)
}

/// How the forces change along a symmetry: `xi(F_i) + F_j B_ji`, zero if they are invariant.
pub(super) fn force_changes(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    symmetry: &PointSymmetry,
    budget: &mut Budget,
) -> Option<Vec<ExprId>> {
    let n = symbols.dimension();
    if dynamics.forces.iter().all(|force| force.is_zero()) {
        return Some(Vec::new());
    }
    let mut variables = symbols.position.clone();
    variables.extend(&symbols.velocity);
    let partials = jacobian(pool, &dynamics.forces, &variables, budget).ok()?;
    let mut changes = Vec::with_capacity(n);
    for (i, row) in partials.iter().enumerate() {
        let mut terms = Vec::new();
        for &(k, value) in row {
            let k = k as usize;
            if k < n {
                terms.push(pool.mul(symmetry.field[k], value));
            } else {
                for (_, c, b) in symmetry.linear.iter().filter(|entry| entry.0 == k - n) {
                    let rate = pool.scale(b, symbols.velocity[*c]);
                    terms.push(pool.mul(rate, value));
                }
            }
        }
        for (r, _, b) in symmetry.linear.iter().filter(|entry| entry.1 == i) {
            terms.push(pool.scale(b, dynamics.forces[*r]));
        }
        changes.push(pool.sum(&terms));
    }
    Some(changes)
}
