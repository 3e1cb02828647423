//! Equilibria by Newton's method.

use isotrope_algebra::double::linear::{DenseMatrix, norm};

use super::error::StabilityError;
use super::linearise::{Linearisation, Values};
use super::weights::Weights;

/// A point of rest: positions and multipliers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rest {
    pub q: Vec<f64>,
    pub lambda: Vec<f64>,
    /// Where the search began.
    pub guess: Vec<f64>,
}

/// Newton's method gives up after this many rounds, and on a round after this many halvings.
const ROUNDS: usize = 100;
const HALVINGS: usize = 40;
/// A pivot below this part of the largest entry makes Newton's matrix singular.
const SINGULAR: f64 = 1e-11;
/// A step this many times longer than where it begins.
const FARTHEST: f64 = 1e8;
/// Steps that are rounding, and steps after which rounding may begin, relative to what was there.
const ROUNDING: f64 = 1e-14;
const NEAR: f64 = 1e-9;

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
    let found =
        |z: &[f64]| Rest { q: z[..n].to_vec(), lambda: z[n..].to_vec(), guess: guess.to_vec() };
    let values = |z: &[f64]| equations.values(&z[..n], &z[n..], parameter);
    let mut now = values(&z).map_err(lost)?;
    if m > 0 {
        // r is affine in λ: Aᵀλ = r(q, 0) in the sense of least squares.
        let scaled = Scaled::new(&now);
        let lambda = scaled.multipliers(&now).ok_or_else(|| singular_at(equations, &z))?;
        z.splice(n.., lambda);
        now = values(&z).map_err(lost)?;
    }
    let mut polished = 0;
    // How large positions and multipliers were so far.
    let mut size: f64 = 0.0;
    for _ in 0..ROUNDS {
        let scaled = Scaled::new(&now);
        // In phase space rest may be where ∇H vanishes to higher order, as that of p⁴ does.
        if now.mass.size() == 0.0 && scaled.defect(&now) == 0.0 {
            return Ok(found(&z));
        }
        let step = scaled.step(&now).ok_or_else(|| singular_at(equations, &z))?;
        let (here, far) = (scaled.length(&z), scaled.length(&step));
        // One equation has no pivots to compare: a step out of all proportion says the same.
        if here > 0.0 && far > FARTHEST * here.max(size) {
            return Err(singular_at(equations, &z));
        }
        size = size.max(here).max(far);
        let before = scaled.defect(&now);
        if far <= ROUNDING * size || before == 0.0 {
            return Ok(found(&z));
        }
        let mut factor = 1.0;
        let mut moved = None;
        for _ in 0..HALVINGS {
            let there: Vec<f64> = z.iter().zip(&step).map(|(x, d)| x + factor * d).collect();
            if let Ok(found) = values(&there)
                && scaled.defect(&found) < before
            {
                moved = Some((there, found));
                break;
            }
            factor /= 2.0;
        }
        match moved {
            Some((there, found)) => (z, now) = (there, found),
            // Rounding is reached, or nothing helps.
            None if far <= NEAR * size => return Ok(found(&z)),
            None => return Err(lost("no step makes the forces smaller".to_owned())),
        }
        polished += usize::from(far <= NEAR * size);
        if polished > 4 {
            return Ok(found(&z));
        }
    }
    Err(lost(format!("it has not converged after {ROUNDS} rounds")))
}

/// The equations in units in which masses are 1 and the rows of A are as large as the stiffness: multipliers are
/// lengths like displacements, and violations of constraints are forces.
struct Scaled {
    weights: Weights,
    rows: DenseMatrix,
    factors: Vec<f64>,
    stiffness: DenseMatrix,
}

impl Scaled {
    fn new(values: &Values) -> Self {
        let weights = Weights::at(values);
        let stiffness = weights.of(&values.stiffness);
        let size = if stiffness.size() > 0.0 { stiffness.size() } else { 1.0 };
        let (rows, factors) = weights.of_rows(&values.rows, size);
        Self { weights, rows, factors, stiffness }
    }

    /// The residual, then the constraints.
    fn residual(&self, values: &Values) -> Vec<f64> {
        let forces = values.residual.iter().enumerate().map(|(i, r)| r / self.weights.get(i));
        forces.chain(values.constraints.iter().zip(&self.factors).map(|(phi, f)| phi * f)).collect()
    }

    /// The size of what should vanish.
    fn defect(&self, values: &Values) -> f64 {
        norm(&self.residual(values))
    }

    /// λ with Aᵀλ = r in the sense of least squares.
    fn multipliers(&self, values: &Values) -> Option<Vec<f64>> {
        let gram = self.rows.times(&self.rows.transposed());
        let forces = self.residual(values);
        let right = self.rows.apply(&forces[..self.rows.columns()]);
        let lambda = gram.solve_vector(&right, SINGULAR)?;
        Some(lambda.iter().zip(&self.factors).map(|(x, factor)| x * factor).collect())
    }

    /// [r_q −Aᵀ; A 0] step = −residual.
    fn step(&self, values: &Values) -> Option<Vec<f64>> {
        let (n, m) = (self.rows.columns(), self.rows.rows());
        let mut matrix = DenseMatrix::zero(n + m, n + m);
        for i in 0..n {
            for j in 0..n {
                matrix.set(i, j, self.stiffness.get(i, j));
            }
            for k in 0..m {
                matrix.set(i, n + k, -self.rows.get(k, i));
                matrix.set(n + k, i, self.rows.get(k, i));
            }
        }
        let right: Vec<f64> = self.residual(values).iter().map(|x| -x).collect();
        let step = matrix.solve_vector(&right, SINGULAR)?;
        let positions = step[..n].iter().enumerate().map(|(i, x)| x / self.weights.get(i));
        Some(positions.chain(step[n..].iter().zip(&self.factors).map(|(x, f)| x * f)).collect())
    }

    /// The largest of positions and multipliers.
    fn length(&self, z: &[f64]) -> f64 {
        let (q, lambda) = z.split_at(self.rows.columns().min(z.len()));
        let pairs = lambda.iter().zip(&self.factors);
        pairs.fold(self.weights.length(q), |most, (x, f)| f64::max(most, (x / f).abs()))
    }
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
