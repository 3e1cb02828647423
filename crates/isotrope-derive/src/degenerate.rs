//! Lagrangians that are affine in the velocities: L = ϑ(q, t)·v − H(q, t).
//!
//! Their Euler–Lagrange equations d/dt ϑ_i = ∂_iϑ_j v_j − ∂_iH + F_i are of first order,
//!
//! Ω_ij v_j = ∂_iH + ∂_tϑ_i − F_i,   Ω_ij = ∂_iϑ_j − ∂_jϑ_i,
//!
//! so velocities are functions of positions wherever ω = dϑ is not degenerate, and p = ϑ(q) are
//! constraints on phase space, not definitions of velocities (P. A. M. Dirac, 1950).

use isotrope_algebra::calculus::{Substitution, directional_derivative, jacobian, substitute};
use isotrope_algebra::linear::{LinearError, Matrix, nullspace, solve};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::Place;

use super::polarisation::{NotPolarised, Polarisation, polarise};
use super::{ConstraintRows, DeriveError, Dynamics, Eliminated, Symbols};

/// A system of first order: L = ϑ(q, t)·v − H(q, t) with ω = dϑ invertible.
#[derive(Debug, Clone)]
pub struct Degenerate {
    /// Momenta ϑ, energy H; the mass matrix is zero.
    pub dynamics: Dynamics,
    /// No constraints.
    pub rows: ConstraintRows,
    /// Ω_ij = ∂_iϑ_j − ∂_jϑ_i.
    pub form: Vec<Vec<ExprId>>,
    /// The equations hold where none of these vanishes.
    pub conditions: Vec<ExprId>,
    /// `v = f(q, t)`.
    pub velocity: Vec<ExprId>,
    /// `d/dt L_v - L_q - F` in (q, v, t).
    pub residual: Vec<ExprId>,
    /// What follows by differentiating: `v' = f_q v + f_t`, and `p' = L_q + F`.
    pub eliminated: Eliminated,
    /// Coordinates (x, y) in which ϑ = ϑ_x(x, y)·dx up to a total derivative, if there are such.
    pub polarisation: Result<Polarisation, NotPolarised>,
}

/// Systems up to this many coordinates are solved by formulas.
const EXPLICIT: usize = 6;
/// What formulas may cost.
const FORMULAS: u64 = 3_000_000;
/// What shortening one formula may cost.
const SHORT: u64 = 200_000;

/// Derives a system whose mass matrix vanishes; names what is wrong where that does not determine a
/// motion.
pub(super) fn derive(
    pool: &mut Pool,
    symbols: &Symbols,
    mut dynamics: Dynamics,
    rows: ConstraintRows,
    place: Place,
    budget: &mut Budget,
) -> Result<Result<Degenerate, Vec<DeriveError>>, OutOfBudget> {
    if !rows.is_empty() || dynamics.momenta.iter().all(|momentum| momentum.is_zero()) {
        let constraints = rows.len();
        return Ok(Err(vec![DeriveError::DegenerateLagrangian { constraints, place }]));
    }
    for list in [&mut dynamics.momenta, &mut dynamics.gradient, &mut dynamics.impressed] {
        list.iter_mut().for_each(|id| *id = simplify(pool, *id, &mut Budget::new(SHORT)));
    }
    let potential = dynamics.potential(pool, symbols, budget)?;
    dynamics.energy = simplify(pool, potential, &mut Budget::new(SHORT));
    let form = form(pool, symbols, &dynamics.momenta, budget)?;
    if let Some(kernel) = kernel(pool, symbols, &form, budget)? {
        return Ok(Err(vec![DeriveError::Presymplectic { kernel, place }]));
    }
    // impressed = W v + rest vanishes; W is Ω but for forces that depend on velocities.
    let n = symbols.dimension();
    let rows_of_w = jacobian(pool, &dynamics.impressed, &symbols.velocity, budget)?;
    let mut matrix = Matrix::zero(n, n);
    for (i, row) in rows_of_w.iter().enumerate() {
        for &(j, value) in row {
            let value = simplify(pool, value, &mut Budget::new(SHORT));
            matrix.set(i, j as usize, value);
        }
    }
    let entries: Vec<ExprId> = rows_of_w.iter().flatten().map(|entry| entry.1).collect();
    let below = pool.reachable(&entries);
    if symbols.velocity.iter().any(|v| below.binary_search(v).is_ok()) {
        return Ok(Err(vec![DeriveError::ForceOnFirstOrder { place }]));
    }
    let still: Substitution = symbols.velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
    let rest = substitute(pool, &dynamics.impressed, &still, budget)?;
    let right: Vec<ExprId> = rest.iter().map(|&x| pool.neg(x)).collect();
    let Some((velocity, conditions, explicit)) = solved(pool, &matrix, &right) else {
        return Ok(Err(vec![DeriveError::ForceOnFirstOrder { place }]));
    };
    let acceleration = directional_derivative(pool, &velocity, &symbols.drift(), budget)?;
    let momentum_rate =
        (0..n).map(|i| pool.add(dynamics.gradient[i], dynamics.forces[i])).collect();
    let residual = dynamics.impressed.iter().map(|&x| pool.neg(x)).collect();
    let polarisation = polarise(pool, symbols, &dynamics.momenta, &form, budget)?;
    let eliminated = Eliminated {
        acceleration,
        multipliers: Vec::new(),
        all_multipliers: Vec::new(),
        momentum_rate,
        explicit,
        conditions: conditions.clone(),
    };
    Ok(Ok(Degenerate {
        dynamics,
        rows,
        form,
        conditions,
        velocity,
        residual,
        eliminated,
        polarisation,
    }))
}

/// Ω_ij = ∂_iϑ_j − ∂_jϑ_i.
fn form(
    pool: &mut Pool,
    symbols: &Symbols,
    potential: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<Vec<ExprId>>, OutOfBudget> {
    let n = symbols.dimension();
    let mut partial = vec![vec![ExprId::ZERO; n]; n];
    for (j, row) in jacobian(pool, potential, &symbols.position, budget)?.into_iter().enumerate() {
        for (i, value) in row {
            partial[i as usize][j] = value;
        }
    }
    let mut form = vec![vec![ExprId::ZERO; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            let value = pool.sub(partial[i][j], partial[j][i]);
            let value = simplify(pool, value, &mut Budget::new(SHORT));
            form[i][j] = value;
            form[j][i] = pool.neg(value);
        }
    }
    Ok(form)
}

/// Directions in which ω vanishes, as combinations of ∂/∂q; none if it is invertible.
fn kernel(
    pool: &mut Pool,
    symbols: &Symbols,
    form: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<Option<Vec<String>>, OutOfBudget> {
    let n = symbols.dimension();
    let mut matrix = Matrix::zero(n, n);
    for (i, row) in form.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            matrix.set(i, j, value);
        }
    }
    let found = match nullspace(pool, &matrix, budget) {
        Ok(found) if found.basis.is_empty() => return Ok(None),
        Ok(found) => found.basis,
        Err(LinearError::OutOfBudget(stop)) => return Err(stop),
        // Nothing is known in formulas; the solve will tell.
        Err(_) => return Ok(None),
    };
    let named = found.iter().map(|vector| {
        let terms: Vec<String> = vector
            .iter()
            .zip(&symbols.names)
            .filter(|(value, _)| !value.is_zero())
            .map(|(&value, name)| {
                let text = isotrope_algebra::print::to_text(pool, value, &mut Budget::new(10_000));
                match text.as_deref() {
                    Ok("1") => format!("∂/∂{name}"),
                    Ok("-1") => format!("-∂/∂{name}"),
                    Ok(text) => format!("({text}) ∂/∂{name}"),
                    Err(_) => format!("… ∂/∂{name}"),
                }
            })
            .collect();
        terms.join(" + ").replace(" + -", " - ")
    });
    Ok(Some(named.collect()))
}

/// x with matrix·x = right, where that has an answer: by the Pfaffian for two and four coordinates, by
/// elimination for six, else as one unevaluated solve.
fn solved(
    pool: &mut Pool,
    matrix: &Matrix,
    right: &[ExprId],
) -> Option<(Vec<ExprId>, Vec<ExprId>, bool)> {
    let n = right.len();
    if let Some((x, pfaffian)) = by_pfaffian(pool, matrix, right) {
        return Some((x, vec![pfaffian], true));
    }
    if n <= EXPLICIT {
        match solve(pool, matrix, right, &mut Budget::new(FORMULAS)) {
            Ok(solved) => return Some((solved.solution, solved.conditions, true)),
            Err(LinearError::Singular { .. }) => return None,
            Err(_) => {}
        }
    }
    let mut entries = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let value = matrix.get(i, j);
            if !value.is_zero() {
                entries.push((i as u32, j as u32, value));
            }
        }
    }
    Some((pool.solve_node(&entries, right), Vec::new(), false))
}

/// The inverse of a skew matrix of size two or four is its dual divided by its Pfaffian
/// Ω₀₁Ω₂₃ − Ω₀₂Ω₁₃ + Ω₀₃Ω₁₂: formulas without common factors to look for.
fn by_pfaffian(
    pool: &mut Pool,
    matrix: &Matrix,
    right: &[ExprId],
) -> Option<(Vec<ExprId>, ExprId)> {
    let n = right.len();
    let skew = (0..n).all(|i| {
        (i..n).all(|j| {
            let sum = pool.add(matrix.get(i, j), matrix.get(j, i));
            is_zero(pool, sum, &mut Budget::new(SHORT)) == Zero::Yes
        })
    });
    // Each entry (i, j) of the dual: the entry of the other two coordinates, with a sign.
    let (pfaffian, dual): (ExprId, Vec<(usize, usize, ExprId)>) = match n {
        2 if skew => (matrix.get(0, 1), vec![(0, 1, ExprId::ONE)]),
        4 if skew => {
            let w = |i: usize, j: usize| matrix.get(i, j);
            let first = pool.mul(w(0, 1), w(2, 3));
            let second = pool.mul(w(0, 2), w(1, 3));
            let third = pool.mul(w(0, 3), w(1, 2));
            let second = pool.neg(second);
            let pfaffian = pool.sum(&[first, second, third]);
            let minus = |pool: &mut Pool, x: ExprId| pool.neg(x);
            let dual = vec![
                (0, 1, w(2, 3)),
                (0, 2, minus(pool, w(1, 3))),
                (0, 3, w(1, 2)),
                (1, 2, w(0, 3)),
                (1, 3, minus(pool, w(0, 2))),
                (2, 3, w(0, 1)),
            ];
            (pfaffian, dual)
        }
        _ => return None,
    };
    let pfaffian = simplify(pool, pfaffian, &mut Budget::new(SHORT));
    let mut terms: Vec<Vec<ExprId>> = vec![Vec::new(); n];
    for (i, j, value) in dual {
        // Ω⁻¹_ij = −dual_ij / Pf for i < j.
        let product = pool.mul(value, right[j]);
        terms[i].push(pool.neg(product));
        terms[j].push(pool.mul(value, right[i]));
    }
    let x = terms
        .iter()
        .map(|terms| {
            let sum = pool.sum(terms);
            let quotient = pool.div(sum, pfaffian);
            simplify(pool, quotient, &mut Budget::new(SHORT))
        })
        .collect();
    Some((x, pfaffian))
}
