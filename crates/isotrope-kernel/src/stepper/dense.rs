//! Values between steps: the polynomial of a collocation method.

use super::coefficients::StepCoefficients;

/// Weights of the accelerations of the last step at a point inside of it: with F the polynomial
/// through them, v(θ) = v⁺ − Σ `velocity`_j F_j and q(θ) = q⁺ − (1 − θ) h v⁺ + Σ `position`_j F_j.
pub(super) struct DenseWeights {
    pub velocity: Vec<f64>,
    pub position: Vec<f64>,
}

/// How far a coefficient may be from that of a collocation method.
const SLACK: f64 = 1e-9;

/// The weights at θ, if the method is a collocation method with different nodes.
pub(super) fn weights(
    coefficients: &StepCoefficients,
    step: f64,
    theta: f64,
) -> Option<DenseWeights> {
    let nodes: Vec<f64> =
        coefficients.nodes.iter().map(|node| node.unwrap_or(0.0) / step).collect();
    coefficients.extrapolation.as_ref()?;
    let basis: Vec<Vec<f64>> = (0..nodes.len()).map(|j| lagrange(&nodes, j)).collect();
    let matrix: Vec<Vec<f64>> =
        nodes.iter().map(|&c| basis.iter().map(|p| integral(p, c)).collect()).collect();
    for (i, row) in matrix.iter().enumerate() {
        for j in 0..nodes.len() {
            let velocity = coefficients.velocity[i][j].unwrap_or(0.0) / step;
            let position = coefficients.position[i][j].unwrap_or(0.0) / (step * step);
            let twice: f64 = row.iter().zip(&matrix).map(|(a, other)| a * other[j]).sum();
            if (velocity - row[j]).abs() > SLACK || (position - twice).abs() > SLACK {
                return None;
            }
        }
    }
    let velocity = basis.iter().map(|p| step * (integral(p, 1.0) - integral(p, theta))).collect();
    // ∫ (s − θ) ℓ(s) ds from θ to 1.
    let position = basis
        .iter()
        .map(|p| {
            let first: f64 = p
                .iter()
                .enumerate()
                .map(|(k, a)| a * (1.0 - power(theta, k + 2)) / (k + 2) as f64)
                .sum();
            step * step * (first - theta * (integral(p, 1.0) - integral(p, theta)))
        })
        .collect();
    Some(DenseWeights { velocity, position })
}

/// The coefficients of the polynomial that is 1 at node j and 0 at the others.
fn lagrange(nodes: &[f64], j: usize) -> Vec<f64> {
    let mut polynomial = vec![1.0];
    for (_, &node) in nodes.iter().enumerate().filter(|(m, _)| *m != j) {
        let scale = 1.0 / (nodes[j] - node);
        let mut next = vec![0.0; polynomial.len() + 1];
        for (k, a) in polynomial.iter().enumerate() {
            next[k + 1] += a * scale;
            next[k] -= a * node * scale;
        }
        polynomial = next;
    }
    polynomial
}

fn power(x: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * x)
}

/// ∫ p from 0 to x.
fn integral(polynomial: &[f64], x: f64) -> f64 {
    polynomial.iter().enumerate().map(|(k, a)| a * power(x, k + 1) / (k + 1) as f64).sum()
}
