//! Reduced equations: quasi-velocities along a frame that the symmetries leave invariant.

use isotrope_algebra::calculus::{Substitution, directional_derivative, substitute};
use isotrope_algebra::linear::{LinearError, Matrix, solve};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Node, OutOfBudget, Pool};
use isotrope_geometry::{VectorField, lie_bracket};
use rustc_hash::FxHashSet;

use super::symmetry::{PointSymmetry, combinations, force_changes};
use super::{ConstraintRows, DistributionReport, Dynamics, Symbols};

/// Equations in quasi-velocities `q' = sum_i w_i X_i(q)`, with an invariant frame `X_i`.
#[derive(Debug, Clone)]
pub struct Reduction {
    /// The symmetries divided out.
    pub symmetries: Vec<PointSymmetry>,
    /// The frame.
    pub frame: Vec<VectorField>,
    /// One symbol per quasi-velocity.
    pub quasi_velocities: Vec<ExprId>,
    /// `w_i' = ...`.
    pub rates: Vec<ExprId>,
    /// The positions that still occur in the rates: shape variables.
    pub shape: Vec<ExprId>,
    /// `q' = sum_i w_i X_i`, the reconstruction.
    pub reconstruction: Vec<ExprId>,
}

/// Operations for reduced equations: what takes more fills pages.
const REDUCING: u64 = 5_000_000;

/// Reduces by the symmetries of L, forces and constraints, if some frame is invariant. An error if the equations of every
/// such frame are too long.
pub(super) fn reduce(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    report: &DistributionReport,
    symmetries: &[PointSymmetry],
    budget: &mut Budget,
) -> Result<Option<Reduction>, OutOfBudget> {
    if report.extended || symmetries.is_empty() || symbols.dimension() > 12 {
        return Ok(None);
    }
    let mut found = Ok(None);
    for frame in frames(pool, symbols, rows, report, symmetries) {
        let kept = kept(pool, symbols, dynamics, &frame, symmetries, budget);
        // A reduction worth showing: more than dropping cyclic coordinates of a free system.
        let turns = kept.iter().any(|symmetry| !symmetry.linear.is_empty());
        if kept.is_empty() || (rows.is_empty() && !turns) {
            continue;
        }
        let own = &mut Budget::new(REDUCING.min(budget.left()));
        match equations(pool, symbols, dynamics, rows, frame, kept, own) {
            Ok(Some(reduction)) => return Ok(Some(reduction)),
            Ok(None) => {}
            Err(stop) => found = Err(stop),
        }
        budget.spend(own.spent().min(budget.left()), "reducing the equations")?;
    }
    found
}

/// Frames to try: that of the constraints; polar ones around each rotation.
fn frames(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    report: &DistributionReport,
    symmetries: &[PointSymmetry],
) -> Vec<Vec<VectorField>> {
    let n = symbols.dimension();
    if !rows.is_empty() {
        return report.distribution.iter().map(|d| d.frame.clone()).collect();
    }
    let unit = |k: usize| VectorField {
        components: (0..n).map(|i| if i == k { ExprId::ONE } else { ExprId::ZERO }).collect(),
    };
    let mut frames = vec![(0..n).map(unit).collect::<Vec<_>>()];
    for symmetry in symmetries {
        // One plane turning about the origin: radial and angular fields commute with it.
        let [(i, j, _), (k, l, _)] = &symmetry.linear[..] else { continue };
        if (i, j) != (l, k) || symmetry.translation.iter().any(|c| !c.is_zero()) {
            continue;
        }
        let (a, b) = (*i.min(j), *i.max(j));
        let mut radial = vec![ExprId::ZERO; n];
        let mut angular = vec![ExprId::ZERO; n];
        (radial[a], radial[b]) = (symbols.position[a], symbols.position[b]);
        (angular[a], angular[b]) = (pool.neg(symbols.position[b]), symbols.position[a]);
        let mut frame =
            vec![VectorField { components: radial }, VectorField { components: angular }];
        frame.extend((0..n).filter(|&k| k != a && k != b).map(unit));
        frames.push(frame);
    }
    frames
}

/// The combinations of symmetries of L, with constant coefficients, that leave the forces and the frame as they are: a
/// rotation of the plane and one of a body in it may be symmetries of L each alone, and of the constraints together.
fn kept(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    frame: &[VectorField],
    symmetries: &[PointSymmetry],
    budget: &mut Budget,
) -> Vec<PointSymmetry> {
    let changes = |pool: &mut Pool, symmetry: &PointSymmetry, budget: &mut Budget| {
        let mut changes = force_changes(pool, symbols, dynamics, symmetry, budget)?;
        let xi = VectorField { components: symmetry.field.clone() };
        for field in frame {
            let bracket = lie_bracket(pool, &symbols.position, &xi, field, budget).ok()?;
            changes.extend(bracket.components);
        }
        Some(changes)
    };
    let mut usable = Vec::new();
    let mut columns = Vec::new();
    for symmetry in symmetries {
        if let Some(column) = changes(pool, symmetry, budget) {
            usable.push(symmetry.clone());
            columns.push(column);
        }
    }
    let combined = combinations(pool, symbols, &usable, &columns, budget);
    let holds = |pool: &mut Pool, symmetry: &PointSymmetry, budget: &mut Budget| {
        changes(pool, symmetry, budget)
            .is_some_and(|list| list.iter().all(|&c| is_zero(pool, c, budget) == Zero::Yes))
    };
    combined.into_iter().filter(|symmetry| holds(pool, symmetry, budget)).collect()
}

/// `(X_i M X_j) w_j' = X_i.(k - M sum_j w_j DX_j v)`, `v = sum_j w_j X_j`.
fn equations(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    frame: Vec<VectorField>,
    symmetries: Vec<PointSymmetry>,
    budget: &mut Budget,
) -> Result<Option<Reduction>, OutOfBudget> {
    let n = symbols.dimension();
    let mut roots = vec![dynamics.lagrangian];
    roots.extend(rows.matrix.iter().flatten().map(|entry| entry.1));
    let weights = quasi_velocity_symbols(pool, symbols, &roots, &frame);
    let combine = |pool: &mut Pool, fields: &[Vec<ExprId>]| -> Vec<ExprId> {
        (0..n)
            .map(|i| {
                let terms: Vec<_> =
                    fields.iter().zip(&weights).map(|(field, &w)| pool.mul(w, field[i])).collect();
                pool.sum(&terms)
            })
            .collect()
    };
    let components: Vec<Vec<ExprId>> = frame.iter().map(|field| field.components.clone()).collect();
    let velocity = combine(pool, &components);
    let rates: Vec<_> = symbols.position.iter().copied().zip(velocity.iter().copied()).collect();
    let mut turning = Vec::with_capacity(frame.len());
    for field in &components {
        turning.push(directional_derivative(pool, field, &rates, budget)?);
    }
    let bend = combine(pool, &turning);
    let map: Substitution =
        symbols.velocity.iter().copied().zip(velocity.iter().copied()).collect();
    let impressed = substitute(pool, &dynamics.impressed, &map, budget)?;
    let mut mass = Vec::with_capacity(n);
    for row in &dynamics.mass {
        let values: Vec<_> = row.iter().map(|entry| entry.1).collect();
        let values = substitute(pool, &values, &map, budget)?;
        mass.push(row.iter().zip(values).map(|(entry, v)| (entry.0, v)).collect::<Vec<_>>());
    }
    let times_mass = |pool: &mut Pool, vector: &[ExprId]| -> Vec<ExprId> {
        mass.iter()
            .map(|row| {
                let terms: Vec<_> =
                    row.iter().map(|&(j, m)| pool.mul(m, vector[j as usize])).collect();
                pool.sum(&terms)
            })
            .collect()
    };
    let dot = |pool: &mut Pool, a: &[ExprId], b: &[ExprId]| -> ExprId {
        let terms: Vec<_> = a.iter().zip(b).map(|(&x, &y)| pool.mul(x, y)).collect();
        pool.sum(&terms)
    };
    let inertial = times_mass(pool, &bend);
    let free: Vec<_> = impressed.iter().zip(inertial).map(|(&k, c)| pool.sub(k, c)).collect();
    let size = frame.len();
    let mut matrix = Matrix::zero(size, size);
    let mut right = Vec::with_capacity(size);
    for j in 0..size {
        let column = times_mass(pool, &components[j]);
        for (i, field) in components.iter().enumerate() {
            let entry = dot(pool, field, &column);
            matrix.set(i, j, simplify(pool, entry, budget));
        }
    }
    for field in &components {
        let value = dot(pool, field, &free);
        right.push(simplify(pool, value, budget));
    }
    let solved = match solve(pool, &matrix, &right, budget) {
        Ok(solved) => solved,
        Err(LinearError::OutOfBudget(stop)) => return Err(stop),
        Err(_) => return Ok(None),
    };
    let rates: Vec<_> = solved.solution.iter().map(|&w| simplify(pool, w, budget)).collect();
    let shape: Vec<ExprId> = {
        let below = pool.reachable(&rates);
        symbols.position.iter().copied().filter(|q| below.binary_search(q).is_ok()).collect()
    };
    Ok(Some(Reduction {
        symmetries,
        frame,
        quasi_velocities: weights,
        rates,
        shape,
        reconstruction: velocity,
    }))
}

/// `omega` for the direction of one angle, `u` for the others, numbered where needed.
fn quasi_velocity_symbols(
    pool: &mut Pool,
    symbols: &Symbols,
    roots: &[ExprId],
    frame: &[VectorField],
) -> Vec<ExprId> {
    let is_unit = |pool: &Pool, field: &VectorField| {
        let mut nonzero = field.components.iter().enumerate().filter(|(_, c)| !c.is_zero());
        match (nonzero.next(), nonzero.next()) {
            (Some((k, &ExprId::ONE)), None) => {
                Some(k).filter(|&k| is_angle(pool, roots, symbols.position[k]))
            }
            _ => None,
        }
    };
    let turning: Vec<bool> = frame.iter().map(|field| is_unit(pool, field).is_some()).collect();
    let total = |kind: bool| turning.iter().filter(|t| **t == kind).count();
    let (angles, others) = (total(true), total(false));
    let (mut a, mut o) = (0, 0);
    let mut names = Vec::new();
    for &turns in &turning {
        let (stem, count, all) =
            if turns { ("omega", &mut a, angles) } else { ("u", &mut o, others) };
        *count += 1;
        let mut name = if all == 1 { stem.to_owned() } else { format!("{stem}{count}") };
        while pool.find_symbol(&name).is_some() {
            name.push('_');
        }
        names.push(name);
    }
    names.iter().map(|name| pool.symbol(name)).collect()
}

/// Does the coordinate occur, and only inside sines, cosines and tangents?
fn is_angle(pool: &Pool, roots: &[ExprId], position: ExprId) -> bool {
    let mut bare: FxHashSet<ExprId> = FxHashSet::default();
    let mut inside = false;
    for id in pool.reachable(roots) {
        let mut below = id == position;
        pool.for_each_child(id, |child| below |= bare.contains(&child));
        if !below {
            continue;
        }
        match pool.node(id) {
            Node::Call(function, _) if function.is_circular() => inside = true,
            _ => {
                bare.insert(id);
            }
        }
    }
    inside && !roots.iter().any(|root| bare.contains(root))
}
