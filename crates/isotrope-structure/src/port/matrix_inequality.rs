//! Linear matrix inequalities: a point inside `M_b(s) = M_b0 + sum s_k M_bk > 0` for all blocks b.
//!
//! Newton's method with the barrier `-log det M_b` (Nesterov and Nemirovskii 1994): first along the
//! path on which the smallest `t` with `M_b + t > 0` is pushed down, then to the analytic centre.
//! Damped steps `1/(1 + l)` need no logarithm. The numbers are only a guess: the caller rounds them
//! and proves what it needs of the result.

use isotrope_algebra::{Budget, OutOfBudget};

/// An affine family of symmetric matrices: the constant, then one for every unknown.
pub(super) type Family = Vec<Vec<Vec<f64>>>;

/// Unknowns stay within these distances, small ones first: sets that are not bounded have points
/// with small numbers, too.
const RADII: [f64; 3] = [8.0, 128.0, 1e4];
/// The steepest path.
const STEEPEST: f64 = 1e9;
/// Steps of Newton's method for one point of the path.
const STEPS: usize = 40;
const DOING: &str = "solving a linear matrix inequality";

/// The lower triangular factor, if the matrix is positive definite.
fn cholesky(a: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let rest = a[i][j] - sum;
            if i == j {
                if !(rest > 0.0 && rest.is_finite()) {
                    return None;
                }
                l[i][i] = rest.sqrt();
            } else {
                l[i][j] = rest / l[j][j];
            }
        }
    }
    Some(l)
}

/// Solves `L L^T x = b`.
fn back(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = l.len();
    let mut x = b.to_vec();
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
    x
}

/// `M(s) + t`.
fn at(family: &Family, s: &[f64], t: f64) -> Vec<Vec<f64>> {
    let mut sum = family[0].clone();
    for (matrix, &factor) in family[1..].iter().zip(s) {
        for (row, change) in sum.iter_mut().zip(matrix) {
            for (entry, value) in row.iter_mut().zip(change) {
                *entry += factor * value;
            }
        }
    }
    for (i, row) in sum.iter_mut().enumerate() {
        row[i] += t;
    }
    sum
}

struct Barrier<'a> {
    radius: f64,
    blocks: &'a [Family],
    unknowns: usize,
}

impl Barrier<'_> {
    /// Is the point inside?
    fn inside(&self, s: &[f64], t: f64) -> bool {
        let square: f64 = s.iter().map(|x| x * x).sum();
        square < self.radius * self.radius
            && self.blocks.iter().all(|family| cholesky(&at(family, s, t)).is_some())
    }

    /// Gradient and Hessian of the barrier in `s` and, last, `t`.
    fn slopes(&self, s: &[f64], t: f64) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let size = self.unknowns + 1;
        let mut gradient = vec![0.0; size];
        let mut hessian = vec![vec![0.0; size]; size];
        for family in self.blocks {
            let l = cholesky(&at(family, s, t))?;
            let n = l.len();
            // M^-1 M_k, by columns; the identity stands for t.
            let mut parts = Vec::with_capacity(size);
            for k in 0..size {
                let columns: Vec<Vec<f64>> = (0..n)
                    .map(|j| {
                        let column: Vec<f64> = (0..n)
                            .map(|i| {
                                if k < self.unknowns {
                                    family[k + 1][i][j]
                                } else if i == j {
                                    1.0
                                } else {
                                    0.0
                                }
                            })
                            .collect();
                        back(&l, &column)
                    })
                    .collect();
                parts.push(columns);
            }
            for k in 0..size {
                gradient[k] -= (0..n).map(|i| parts[k][i][i]).sum::<f64>();
                for m in 0..size {
                    let trace: f64 = (0..n)
                        .map(|i| (0..n).map(|j| parts[k][j][i] * parts[m][i][j]).sum::<f64>())
                        .sum();
                    hessian[k][m] += trace;
                }
            }
        }
        let square: f64 = s.iter().map(|x| x * x).sum();
        let room = self.radius * self.radius - square;
        for k in 0..self.unknowns {
            gradient[k] += 2.0 * s[k] / room;
            hessian[k][k] += 2.0 / room;
            for m in 0..self.unknowns {
                hessian[k][m] += 4.0 * s[k] * s[m] / (room * room);
            }
        }
        Some((gradient, hessian))
    }

    /// Newton's method for `weight t + barrier`, with t fixed if the weight is `None`.
    fn centre(
        &self,
        s: &mut [f64],
        t: &mut f64,
        weight: Option<f64>,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        for _ in 0..STEPS {
            let work = self.blocks.iter().map(|f| f.len() * f[0].len().pow(3)).sum::<usize>();
            budget.spend((work * (self.unknowns + 1)) as u64, DOING)?;
            let Some((mut gradient, mut hessian)) = self.slopes(s, *t) else { return Ok(()) };
            let size = self.unknowns + usize::from(weight.is_some());
            gradient.truncate(size);
            hessian.truncate(size);
            hessian.iter_mut().for_each(|row| row.truncate(size));
            if let Some(weight) = weight {
                gradient[size - 1] += weight;
            }
            let Some(l) = cholesky(&hessian) else { return Ok(()) };
            let step = back(&l, &gradient);
            let decrement: f64 = step.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            if decrement.is_nan() || decrement <= 1e-12 {
                return Ok(());
            }
            let length = decrement.sqrt();
            let mut factor = if length < 0.25 { 1.0 } else { 1.0 / (1.0 + length) };
            let mut moved = false;
            for _ in 0..20 {
                let next: Vec<f64> =
                    s.iter().zip(&step).map(|(x, change)| x - factor * change).collect();
                let lower = if weight.is_some() { *t - factor * step[size - 1] } else { *t };
                if self.inside(&next, lower) {
                    s.copy_from_slice(&next);
                    *t = lower;
                    moved = true;
                    break;
                }
                factor /= 2.0;
            }
            if !moved {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// A point at which all blocks are positive definite, by the numbers; well inside.
pub(super) fn interior_point(
    blocks: &[Family],
    budget: &mut Budget,
) -> Result<Option<Vec<f64>>, OutOfBudget> {
    for radius in RADII {
        if let Some(point) = within(blocks, radius, budget)? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

fn within(
    blocks: &[Family],
    radius: f64,
    budget: &mut Budget,
) -> Result<Option<Vec<f64>>, OutOfBudget> {
    let Some(unknowns) = blocks.first().map(|family| family.len() - 1) else { return Ok(None) };
    let barrier = Barrier { radius, blocks, unknowns };
    let mut s = vec![0.0; unknowns];
    let mut t = 1.0;
    while !barrier.inside(&s, t) {
        t *= 2.0;
        if t >= 1e12 {
            return Ok(None);
        }
    }
    let mut weight = 1.0;
    while t >= 0.0 {
        barrier.centre(&mut s, &mut t, Some(weight), budget)?;
        weight *= 4.0;
        if weight > STEEPEST {
            return Ok(None);
        }
    }
    t = 0.0;
    barrier.centre(&mut s, &mut t, None, budget)?;
    Ok(Some(s))
}
