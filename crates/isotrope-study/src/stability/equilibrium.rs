//! Equilibria by Newton's method.

use isotrope_algebra::double::linear::DenseMatrix;

use super::error::StabilityError;
use super::linearise::{Linearisation, Values};

/// A point of rest: positions and multipliers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rest {
    pub q: Vec<f64>,
    pub lambda: Vec<f64>,
}

/// Newton's method gives up after this many rounds, and on a round after this many halvings.
const ROUNDS: usize = 100;
const HALVINGS: usize = 40;
/// A pivot below this part of the largest entry makes Newton's matrix singular.
const SINGULAR: f64 = 1e-11;
/// A step this many times longer than where it begins.
const FARTHEST: f64 = 1e3;

/// Solves r(q, λ) = 0, φ(q) = 0 from a guess; multipliers begin with the best for the guess.
pub(super) fn equilibrium(
    equations: &Linearisation,
    guess: &[f64],
    parameter: f64,
) -> Result<Rest, StabilityError> {
    let (n, m) = (equations.position.len(), equations.multiplier.len());
    let lost = |reason: String| StabilityError::NoEquilibrium { reason };
    let mut z: Vec<f64> = guess.to_vec();
    z.resize(n + m, 0.0);
    let values = |z: &[f64]| equations.values(&z[..n], &z[n..], parameter);
    let mut now = values(&z).map_err(lost)?;
    if m > 0 {
        // r is affine in λ: Aᵀλ = r(q, 0) in the sense of least squares.
        let gram = now.rows.times(&now.rows.transposed());
        let right = now.rows.apply(&now.residual);
        let singular = || singular_at(equations, &z);
        let lambda = gram.solve_vector(&right, SINGULAR).ok_or_else(singular)?;
        z.splice(n.., lambda);
        now = values(&z).map_err(lost)?;
    }
    let mut polished = 0;
    for _ in 0..ROUNDS {
        let right: Vec<f64> = now.residual.iter().chain(&now.constraints).map(|x| -x).collect();
        let step = newton_matrix(&now)
            .solve_vector(&right, SINGULAR)
            .ok_or_else(|| singular_at(equations, &z))?;
        let size = |v: &[f64]| v.iter().fold(0.0, |size, x| f64::max(size, x.abs()));
        // One equation has no pivots to compare: a step out of all proportion says the same.
        if size(&step) > FARTHEST * (1.0 + size(&z)) {
            return Err(singular_at(equations, &z));
        }
        let small = size(&step) <= 1e-14 * (1.0 + size(&z));
        let before = defect(&now);
        if small || before == 0.0 {
            return Ok(Rest { q: z[..n].to_vec(), lambda: z[n..].to_vec() });
        }
        let mut factor = 1.0;
        let mut moved = None;
        for _ in 0..HALVINGS {
            let there: Vec<f64> = z.iter().zip(&step).map(|(x, d)| x + factor * d).collect();
            if let Ok(found) = values(&there)
                && defect(&found) < before
            {
                moved = Some((there, found));
                break;
            }
            factor /= 2.0;
        }
        match moved {
            Some((there, found)) => (z, now) = (there, found),
            // Rounding is reached, or nothing helps.
            None if size(&step) <= 1e-9 * (1.0 + size(&z)) => {
                return Ok(Rest { q: z[..n].to_vec(), lambda: z[n..].to_vec() });
            }
            None => return Err(lost("no step makes the forces smaller".to_owned())),
        }
        polished += usize::from(size(&step) <= 1e-9 * (1.0 + size(&z)));
        if polished > 4 {
            return Ok(Rest { q: z[..n].to_vec(), lambda: z[n..].to_vec() });
        }
    }
    Err(lost(format!("it has not converged after {ROUNDS} rounds")))
}

/// The size of what should vanish.
fn defect(values: &Values) -> f64 {
    values.residual.iter().chain(&values.constraints).map(|x| x * x).sum::<f64>().sqrt()
}

/// [r_q −Aᵀ; A 0].
fn newton_matrix(values: &Values) -> DenseMatrix {
    let (n, m) = (values.rows.columns(), values.rows.rows());
    let mut matrix = DenseMatrix::zero(n + m, n + m);
    for i in 0..n {
        for j in 0..n {
            matrix.set(i, j, values.stiffness.get(i, j));
        }
        for k in 0..m {
            matrix.set(i, n + k, -values.rows.get(k, i));
            matrix.set(n + k, i, values.rows.get(k, i));
        }
    }
    matrix
}

fn singular_at(equations: &Linearisation, z: &[f64]) -> StabilityError {
    let names = equations.position.iter().map(|&q| equations.pool.name_of(q).unwrap_or("?"));
    let parts: Vec<String> = names
        .zip(z)
        .take(6)
        .map(|(name, x)| format!("{name} = {}", crate::report::significant(*x, 4)))
        .collect();
    StabilityError::SingularEquilibrium { place: parts.join(", ") }
}
