//! Elimination of the multipliers: `v' = f`, `p' = g`, `lambda` by formulas or as a solve.

use isotrope_algebra::calculus::SparseRows;
use isotrope_algebra::linear::{Matrix, solve};
use isotrope_algebra::normal::{Zero, is_zero, simplify, size};
use isotrope_algebra::{Budget, ExprId, Node, Pool, Rational};
use rustc_hash::FxHashMap;

use super::redundant::least_norm;
use super::system::READABLE;
use super::{ConstraintRows, Dynamics};

/// Systems up to this many unknowns are solved by formulas.
const EXPLICIT_UNKNOWNS: usize = 6;
/// Formulas longer than this are replaced by an unevaluated solve.
const EXPLICIT_SIZE: u64 = 6_000;
/// Formulas as long as this together are not written in another way to see whether that is shorter.
const LONG: u64 = 1_500;
/// What one explicit solution may cost.
const EXPLICIT_BUDGET: u64 = 3_000_000;

/// The accelerations and multipliers as functions of (q, v, t).
#[derive(Debug, Clone)]
pub struct Eliminated {
    /// `f`: the accelerations.
    pub acceleration: Vec<ExprId>,
    /// `lambda`, one per independent constraint.
    pub multipliers: Vec<ExprId>,
    /// `lambda` of all constraints, the redundant ones last: those of least norm with the same
    /// reaction. Without redundant ones they are the same.
    pub all_multipliers: Vec<ExprId>,
    /// `g`: the rates of the momenta.
    pub momentum_rate: Vec<ExprId>,
    /// Formulas, or unevaluated linear solves?
    pub explicit: bool,
    /// The formulas hold where none of these vanishes.
    pub conditions: Vec<ExprId>,
}

/// The system `[M -B^T; A 0][a; lambda] = [k; -c]`; `B` is `A` but for schemes that take them at
/// different places.
#[derive(Debug, Clone, Copy)]
pub struct Saddle<'s> {
    /// `M`, rows of nonzero entries.
    pub mass: &'s SparseRows,
    /// `A`, rows of nonzero entries.
    pub constraints: &'s SparseRows,
    /// `B`, rows of nonzero entries.
    pub reactions: &'s SparseRows,
    /// `k`.
    pub impressed: &'s [ExprId],
    /// `c`.
    pub curvature: &'s [ExprId],
}

impl Saddle<'_> {
    /// `(a, lambda)`: formulas where the mass matrix inverts by blocks, solve nodes otherwise.
    pub fn solve(self, pool: &mut Pool) -> (Vec<ExprId>, Vec<ExprId>) {
        let inverse = inverse_mass(pool, self.mass);
        unevaluated(pool, self, inverse.as_ref())
    }
}

/// Accelerations and multipliers of a system.
pub(super) fn eliminate(pool: &mut Pool, dynamics: &Dynamics, rows: &ConstraintRows) -> Eliminated {
    let saddle = Saddle {
        mass: &dynamics.mass,
        constraints: &rows.matrix,
        reactions: &rows.matrix,
        impressed: &dynamics.impressed,
        curvature: &rows.curvature,
    };
    let inverse = inverse_mass(pool, saddle.mass);
    let explicit = match &inverse {
        Some(inverse) if rows.len() <= EXPLICIT_UNKNOWNS => by_schur(pool, saddle, inverse),
        _ if dynamics.mass.len() + rows.len() <= EXPLICIT_UNKNOWNS => by_saddle(pool, saddle),
        _ => None,
    };
    let (acceleration, multipliers, conditions, explicit) = match explicit {
        Some((a, l)) => {
            let formulas: Vec<ExprId> = a.iter().chain(&l).copied().collect();
            let conditions = denominators(pool, &formulas);
            (a, l, conditions, true)
        }
        None => {
            let (a, l) = unevaluated(pool, saddle, inverse.as_ref());
            (a, l, Vec::new(), false)
        }
    };
    let momentum_rate = momentum_rates(pool, dynamics, rows, &multipliers);
    let all_multipliers = all_multipliers(pool, rows, &multipliers);
    Eliminated { acceleration, multipliers, all_multipliers, momentum_rate, explicit, conditions }
}

/// The same without formulas: one linear system, to be solved wherever it is evaluated.
pub(super) fn unsolved(pool: &mut Pool, dynamics: &Dynamics, rows: &ConstraintRows) -> Eliminated {
    let saddle = Saddle {
        mass: &dynamics.mass,
        constraints: &rows.matrix,
        reactions: &rows.matrix,
        impressed: &dynamics.impressed,
        curvature: &rows.curvature,
    };
    let (acceleration, multipliers) = unevaluated(pool, saddle, None);
    let momentum_rate = momentum_rates(pool, dynamics, rows, &multipliers);
    let conditions = Vec::new();
    let all_multipliers = all_multipliers(pool, rows, &multipliers);
    Eliminated {
        acceleration,
        multipliers,
        all_multipliers,
        momentum_rate,
        explicit: false,
        conditions,
    }
}

fn all_multipliers(pool: &mut Pool, rows: &ConstraintRows, multipliers: &[ExprId]) -> Vec<ExprId> {
    least_norm(pool, &rows.redundant, &rows.matrix, &rows.redundant_matrix(), multipliers)
}

/// `(A^T lambda)_i`: the reaction on each coordinate.
pub fn reactions(
    pool: &mut Pool,
    dimension: usize,
    constraints: &SparseRows,
    multipliers: &[ExprId],
) -> Vec<ExprId> {
    let mut terms: Vec<Vec<ExprId>> = vec![Vec::new(); dimension];
    for (row, &multiplier) in constraints.iter().zip(multipliers) {
        for &(column, value) in row {
            terms[column as usize].push(pool.mul(value, multiplier));
        }
    }
    terms.iter().map(|terms| pool.sum(terms)).collect()
}

fn momentum_rates(
    pool: &mut Pool,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    multipliers: &[ExprId],
) -> Vec<ExprId> {
    let reactions = reactions(pool, dynamics.mass.len(), &rows.matrix, multipliers);
    (0..dynamics.mass.len())
        .map(|i| pool.sum(&[dynamics.gradient[i], dynamics.forces[i], reactions[i]]))
        .collect()
}

/// The inverse mass matrix by blocks that do not touch each other.
pub(super) struct InverseMass {
    /// Rows of nonzero entries.
    pub rows: Vec<Vec<(u32, ExprId)>>,
}

impl InverseMass {
    fn times(&self, pool: &mut Pool, vector: &[ExprId]) -> Vec<ExprId> {
        self.rows
            .iter()
            .map(|row| {
                let terms: Vec<_> =
                    row.iter().map(|&(j, m)| pool.mul(m, vector[j as usize])).collect();
                pool.sum(&terms)
            })
            .collect()
    }
}

/// Inverts the mass matrix by formulas if it falls apart into small blocks.
pub(super) fn inverse_mass(pool: &mut Pool, mass: &SparseRows) -> Option<InverseMass> {
    const BLOCK: usize = 4;
    let n = mass.len();
    let mut inverse = InverseMass { rows: vec![Vec::new(); n] };
    let mut seen = vec![false; n];
    for start in 0..n {
        if seen[start] {
            continue;
        }
        let mut block = vec![start];
        seen[start] = true;
        let mut next = 0;
        while next < block.len() {
            for &(j, _) in &mass[block[next]] {
                if !seen[j as usize] {
                    seen[j as usize] = true;
                    block.push(j as usize);
                }
            }
            next += 1;
            if block.len() > BLOCK {
                return None;
            }
        }
        block.sort_unstable();
        invert_block(pool, mass, &block, &mut inverse)?;
    }
    Some(inverse)
}

fn invert_block(
    pool: &mut Pool,
    mass: &SparseRows,
    block: &[usize],
    inverse: &mut InverseMass,
) -> Option<()> {
    if let [i] = *block {
        let entry = mass[i].first()?.1;
        let reciprocal = pool.powi(entry, -1);
        inverse.rows[i].push((i as u32, reciprocal));
        return (reciprocal != ExprId::UNDEFINED).then_some(());
    }
    let mut matrix = Matrix::zero(block.len(), block.len());
    for (a, &i) in block.iter().enumerate() {
        for &(j, value) in &mass[i] {
            let b = block.binary_search(&(j as usize)).ok()?;
            matrix.set(a, b, value);
        }
    }
    let mut budget = Budget::new(EXPLICIT_BUDGET);
    for (b, &j) in block.iter().enumerate() {
        let unit: Vec<_> =
            (0..block.len()).map(|a| if a == b { ExprId::ONE } else { ExprId::ZERO }).collect();
        let solved = solve(pool, &matrix, &unit, &mut budget).ok()?;
        // Both matrices are symmetric.
        for (a, &i) in block.iter().enumerate().skip(b) {
            let value = simplify(pool, solved.solution[a], &mut budget);
            if value.is_zero() {
                continue;
            }
            inverse.rows[i].push((j as u32, value));
            if a > b {
                inverse.rows[j].push((i as u32, value));
            }
        }
    }
    block.iter().for_each(|&i| inverse.rows[i].sort_unstable_by_key(|entry| entry.0));
    Some(())
}

/// Accelerations and multipliers.
type Formulas = (Vec<ExprId>, Vec<ExprId>);

/// `S lambda = -c - A M^-1 k` with `S = A M^-1 A^T`, entries as (row, column, value).
fn schur(
    pool: &mut Pool,
    saddle: Saddle<'_>,
    inverse: &InverseMass,
) -> (Vec<(u32, u32, ExprId)>, Vec<ExprId>) {
    let n = saddle.mass.len();
    // Which constraints touch a coordinate: keeps S sparse for chains.
    let mut touching: Vec<Vec<(u32, ExprId)>> = vec![Vec::new(); n];
    for (a, row) in saddle.reactions.iter().enumerate() {
        for &(i, value) in row {
            touching[i as usize].push((a as u32, value));
        }
    }
    let mut terms: std::collections::BTreeMap<(u32, u32), Vec<ExprId>> = Default::default();
    for (a, row) in saddle.constraints.iter().enumerate() {
        for &(i, left) in row {
            for &(j, m) in &inverse.rows[i as usize] {
                for &(b, right) in &touching[j as usize] {
                    let term = pool.product(&[left, m, right]);
                    terms.entry((a as u32, b)).or_default().push(term);
                }
            }
        }
    }
    let entries = terms.into_iter().map(|((a, b), t)| (a, b, pool.sum(&t))).collect();
    let free = inverse.times(pool, saddle.impressed);
    let right = saddle
        .constraints
        .iter()
        .zip(saddle.curvature)
        .map(|(row, &curvature)| {
            let mut terms: Vec<_> =
                row.iter().map(|&(i, value)| pool.mul(value, free[i as usize])).collect();
            terms.push(curvature);
            let sum = pool.sum(&terms);
            pool.neg(sum)
        })
        .collect();
    (entries, right)
}

fn by_schur(pool: &mut Pool, saddle: Saddle<'_>, inverse: &InverseMass) -> Option<Formulas> {
    let mut short = Shortened::default();
    if saddle.constraints.is_empty() {
        let acceleration = inverse.times(pool, saddle.impressed);
        return finish(pool, &mut short, acceleration, Vec::new());
    }
    let (entries, right) = schur(pool, saddle, inverse);
    let mut matrix = Matrix::zero(saddle.constraints.len(), saddle.constraints.len());
    for (a, b, value) in entries {
        let value = simplify(pool, value, &mut Budget::new(EXPLICIT_BUDGET / 10));
        matrix.set(a as usize, b as usize, value);
    }
    // Two ways to write the solution; the shorter one is kept. What is long in the first is longer multiplied out.
    let mut best: Option<(u64, Formulas)> = None;
    for way in [by_cofactors, by_elimination] {
        if best.as_ref().is_some_and(|(cost, _)| *cost > LONG) {
            break;
        }
        let Some(multipliers) = way(pool, &matrix, &right) else { continue };
        let reactions = reactions(pool, saddle.mass.len(), saddle.reactions, &multipliers);
        let free = inverse.times(pool, saddle.impressed);
        let bound = inverse.times(pool, &reactions);
        let parts = free.into_iter().zip(bound).map(|(f, b)| short.sum(pool, f, b)).collect();
        let Some(formulas) = finish(pool, &mut short, parts, multipliers) else { continue };
        let cost = formulas.0.iter().chain(&formulas.1).map(|&id| size(pool, id)).sum();
        if best.as_ref().is_none_or(|(known, _)| cost < *known) {
            best = Some((cost, formulas));
        }
    }
    best.map(|(_, formulas)| formulas)
}

/// Expressions that were shortened, so that none is shortened twice.
#[derive(Debug, Default)]
struct Shortened(FxHashMap<ExprId, ExprId>);

impl Shortened {
    fn of(&mut self, pool: &mut Pool, id: ExprId) -> ExprId {
        if let Some(&short) = self.0.get(&id) {
            return short;
        }
        let short = simplify(pool, id, &mut Budget::new(EXPLICIT_BUDGET / 10));
        self.0.extend([(id, short), (short, short)]);
        short
    }

    /// The sum of two expressions, shortened apart or together, whichever is shorter.
    fn sum(&mut self, pool: &mut Pool, a: ExprId, b: ExprId) -> ExprId {
        let together = pool.add(a, b);
        let together = self.of(pool, together);
        let (a, b) = (self.of(pool, a), self.of(pool, b));
        let apart = pool.add(a, b);
        if size(pool, apart) < size(pool, together) { apart } else { together }
    }
}

fn by_elimination(pool: &mut Pool, matrix: &Matrix, right: &[ExprId]) -> Option<Vec<ExprId>> {
    let solved = solve(pool, matrix, right, &mut Budget::new(EXPLICIT_BUDGET));
    solved.ok().map(|solved| solved.solution)
}

/// Cramer's rule for up to three unknowns, without multiplying anything out.
fn by_cofactors(pool: &mut Pool, matrix: &Matrix, right: &[ExprId]) -> Option<Vec<ExprId>> {
    let size = matrix.rows();
    let determinant = |pool: &mut Pool, replaced: Option<usize>| -> ExprId {
        let at = |i: usize, j: usize| if replaced == Some(j) { right[i] } else { matrix.get(i, j) };
        let minor = |pool: &mut Pool, (i, j): (usize, usize), (k, l): (usize, usize)| {
            let (p, q) = (pool.mul(at(i, j), at(k, l)), pool.mul(at(i, l), at(k, j)));
            pool.sub(p, q)
        };
        match size {
            1 => at(0, 0),
            2 => minor(pool, (0, 0), (1, 1)),
            _ => {
                let parts = [
                    (at(0, 0), minor(pool, (1, 1), (2, 2))),
                    (at(0, 1), minor(pool, (1, 2), (2, 0))),
                    (at(0, 2), minor(pool, (1, 0), (2, 1))),
                ];
                let terms = parts.map(|(entry, minor)| pool.mul(entry, minor));
                pool.sum(&terms)
            }
        }
    };
    if size > 3 {
        return None;
    }
    let whole = determinant(pool, None);
    let mut budget = Budget::new(EXPLICIT_BUDGET / 10);
    let whole = simplify(pool, whole, &mut budget);
    if is_zero(pool, whole, &mut budget) != Zero::No {
        return None;
    }
    Some(
        (0..size)
            .map(|k| {
                let part = determinant(pool, Some(k));
                pool.div(part, whole)
            })
            .collect(),
    )
}

fn by_saddle(pool: &mut Pool, saddle: Saddle<'_>) -> Option<Formulas> {
    let (n, m) = (saddle.mass.len(), saddle.constraints.len());
    let mut matrix = Matrix::zero(n + m, n + m);
    for (row, column, value) in saddle_entries(pool, saddle) {
        matrix.set(row as usize, column as usize, value);
    }
    let right = saddle_right(pool, saddle);
    let solved = solve(pool, &matrix, &right, &mut Budget::new(EXPLICIT_BUDGET)).ok()?;
    let mut acceleration = solved.solution;
    let multipliers = acceleration.split_off(n);
    finish(pool, &mut Shortened::default(), acceleration, multipliers)
}

/// Shortens the formulas; none if they are too long to be of use. Those of large systems stay as they are: nobody reads
/// them, and common denominators of many bodies would be products of all distances.
fn finish(
    pool: &mut Pool,
    known: &mut Shortened,
    acceleration: Vec<ExprId>,
    multipliers: Vec<ExprId>,
) -> Option<Formulas> {
    let readable = acceleration.len() <= READABLE;
    let mut shorten = |list: Vec<ExprId>| -> Option<Vec<ExprId>> {
        list.into_iter()
            .map(|id| {
                if !readable {
                    return (size(pool, id) <= EXPLICIT_SIZE && id != ExprId::UNDEFINED)
                        .then_some(id);
                }
                let short = known.of(pool, id);
                (size(pool, short) <= EXPLICIT_SIZE && short != ExprId::UNDEFINED).then_some(short)
            })
            .collect()
    };
    Some((shorten(acceleration)?, shorten(multipliers)?))
}

/// The distinct factors of all denominators: the formulas hold where none of them vanishes.
fn denominators(pool: &Pool, formulas: &[ExprId]) -> Vec<ExprId> {
    let mut found: Vec<ExprId> = Vec::new();
    for id in pool.reachable(formulas) {
        if let Node::Product(pairs) = pool.node(id) {
            for (base, exponent) in pairs.iter() {
                let below = pool.as_number(exponent).is_some_and(Rational::is_negative);
                if below && pool.as_number(base).is_none() && !found.contains(&base) {
                    found.push(base);
                }
            }
        }
    }
    found.sort_by_key(|&id| (size(pool, id), id));
    found
}

fn saddle_entries(pool: &mut Pool, saddle: Saddle<'_>) -> Vec<(u32, u32, ExprId)> {
    let n = saddle.mass.len() as u32;
    let mut entries = Vec::new();
    for (i, row) in saddle.mass.iter().enumerate() {
        entries.extend(row.iter().map(|&(j, value)| (i as u32, j, value)));
    }
    for (a, row) in saddle.reactions.iter().enumerate() {
        for &(i, value) in row {
            entries.push((i, n + a as u32, pool.scale(&Rational::integer(-1), value)));
        }
    }
    for (a, row) in saddle.constraints.iter().enumerate() {
        entries.extend(row.iter().map(|&(i, value)| (n + a as u32, i, value)));
    }
    entries
}

fn saddle_right(pool: &mut Pool, saddle: Saddle<'_>) -> Vec<ExprId> {
    let mut right = saddle.impressed.to_vec();
    right.extend(saddle.curvature.iter().map(|&curvature| pool.neg(curvature)));
    right
}

/// Unevaluated solves: the Schur complement where the mass matrix inverts by blocks,
/// otherwise the whole saddle-point system.
fn unevaluated(
    pool: &mut Pool,
    saddle: Saddle<'_>,
    inverse: Option<&InverseMass>,
) -> (Vec<ExprId>, Vec<ExprId>) {
    let n = saddle.mass.len();
    let Some(inverse) = inverse else {
        let entries = saddle_entries(pool, saddle);
        let right = saddle_right(pool, saddle);
        let mut acceleration = pool.solve_node(&entries, &right);
        let multipliers = acceleration.split_off(n);
        return (acceleration, multipliers);
    };
    let (entries, right) = schur(pool, saddle, inverse);
    let multipliers = pool.solve_node(&entries, &right);
    let reactions = reactions(pool, n, saddle.reactions, &multipliers);
    let total: Vec<_> =
        saddle.impressed.iter().zip(reactions).map(|(&k, r)| pool.add(k, r)).collect();
    (inverse.times(pool, &total), multipliers)
}
