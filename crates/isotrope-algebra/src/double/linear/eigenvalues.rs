//! Eigenvalues of real matrices: balancing, Householder reflections to Hessenberg form, and the QR
//! iteration with Wilkinson's shifts (Golub and Van Loan, Matrix Computations, chapter 7).

use super::matrix::DenseMatrix;

/// A complex number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    const ZERO: Self = Self { re: 0.0, im: 0.0 };

    /// re + im·i.
    #[must_use]
    pub fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// |z|.
    #[must_use]
    pub fn abs(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    fn conj(self) -> Self {
        Self::new(self.re, -self.im)
    }

    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }

    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }

    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }

    fn scale(self, factor: f64) -> Self {
        Self::new(factor * self.re, factor * self.im)
    }

    /// The root with a real part that is not negative.
    #[must_use]
    pub fn sqrt(self) -> Self {
        let size = self.abs();
        if size == 0.0 {
            return Self::ZERO;
        }
        let larger = ((size + self.re.abs()) / 2.0).sqrt();
        let smaller = self.im.abs() / (2.0 * larger);
        let (re, im) = if self.re >= 0.0 { (larger, smaller) } else { (smaller, larger) };
        Self::new(re, im.copysign(self.im))
    }
}

/// Rounds after which the iteration gives up on one eigenvalue.
const ROUNDS: usize = 300;

/// The eigenvalues of a square matrix; `None` if an entry is not finite or the iteration fails.
#[must_use]
pub fn eigenvalues(matrix: &DenseMatrix) -> Option<Vec<Complex>> {
    if !matrix.is_finite() {
        return None;
    }
    let mut real = matrix.clone();
    balance(&mut real);
    to_hessenberg(&mut real);
    let n = real.rows();
    let entry = |k: usize| Complex::new(real.get(k / n, k % n), 0.0);
    let mut found = iterate(n, (0..n * n).map(entry).collect())?;
    // Real input: what is real up to rounding is real, the others come in conjugate pairs.
    let size = found.iter().fold(0.0, |size, z| f64::max(size, z.abs()));
    for z in &mut found {
        if z.im.abs() <= 4.0 * f64::EPSILON * size {
            z.im = 0.0;
        }
    }
    found.sort_by(|a, b| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im)));
    Some(found)
}

/// Scales rows and columns by powers of two until their norms are alike: no rounding.
fn balance(a: &mut DenseMatrix) {
    let n = a.rows();
    for _ in 0..20 {
        let mut changed = false;
        for i in 0..n {
            let norm = |row: bool| -> f64 {
                let other = (0..n).filter(|&j| j != i);
                other.map(|j| if row { a.get(i, j) } else { a.get(j, i) }.abs()).sum()
            };
            let (mut column, row) = (norm(false), norm(true));
            if column == 0.0 || row == 0.0 || !(column + row).is_finite() {
                continue;
            }
            let (sum, mut factor) = (column + row, 1.0);
            while column < row / 2.0 && factor < 1e100 {
                factor *= 2.0;
                column *= 4.0;
            }
            while column > row * 2.0 && factor > 1e-100 {
                factor /= 2.0;
                column /= 4.0;
            }
            if factor != 1.0 && (row + column) / factor < 0.95 * sum {
                changed = true;
                for j in 0..n {
                    a.set(i, j, a.get(i, j) / factor);
                }
                for j in 0..n {
                    a.set(j, i, a.get(j, i) * factor);
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Reflections that leave nothing below the first subdiagonal.
fn to_hessenberg(a: &mut DenseMatrix) {
    let n = a.rows();
    for k in 0..n.saturating_sub(2) {
        let norm = (k + 1..n).fold(0.0, |norm: f64, i| libm::hypot(norm, a.get(i, k)));
        if norm == 0.0 {
            continue;
        }
        let mut v: Vec<f64> = (0..n).map(|i| if i > k { a.get(i, k) } else { 0.0 }).collect();
        v[k + 1] += norm.copysign(v[k + 1]);
        let square: f64 = v.iter().map(|x| x * x).sum();
        if square == 0.0 {
            continue;
        }
        for j in 0..n {
            let product: f64 = (0..n).map(|i| v[i] * a.get(i, j)).sum();
            let factor = 2.0 * product / square;
            (k + 1..n).for_each(|i| a.set(i, j, a.get(i, j) - factor * v[i]));
        }
        for i in 0..n {
            let product: f64 = (0..n).map(|j| a.get(i, j) * v[j]).sum();
            let factor = 2.0 * product / square;
            (k + 1..n).for_each(|j| a.set(i, j, a.get(i, j) - factor * v[j]));
        }
        (k + 2..n).for_each(|i| a.set(i, k, 0.0));
    }
}

/// The QR iteration on a Hessenberg matrix.
fn iterate(n: usize, mut h: Vec<Complex>) -> Option<Vec<Complex>> {
    let at = |i: usize, j: usize| i * n + j;
    let mut found = Vec::with_capacity(n);
    let mut end = n;
    let mut rounds = 0;
    while end > 0 {
        let last = end - 1;
        let mut start = last;
        while start > 0 {
            let neighbours = h[at(start, start)].abs() + h[at(start - 1, start - 1)].abs();
            let below = h[at(start, start - 1)].abs();
            if below <= f64::EPSILON * neighbours || below < f64::MIN_POSITIVE {
                h[at(start, start - 1)] = Complex::ZERO;
                break;
            }
            start -= 1;
        }
        if start == last {
            found.push(h[at(last, last)]);
            end = last;
            rounds = 0;
            continue;
        }
        rounds += 1;
        if rounds > ROUNDS {
            return None;
        }
        let shift = match rounds % 11 {
            // Where the usual shift goes round in circles.
            0 => h[at(last, last)].add(Complex::new(h[at(last, last - 1)].abs(), 0.0)),
            _ => wilkinson(
                h[at(last - 1, last - 1)],
                h[at(last - 1, last)],
                h[at(last, last - 1)],
                h[at(last, last)],
            ),
        };
        (start..end).for_each(|i| h[at(i, i)] = h[at(i, i)].sub(shift));
        let mut rotations = Vec::with_capacity(end - start);
        for k in start..last {
            let (x, y) = (h[at(k, k)], h[at(k + 1, k)]);
            let size = libm::hypot(x.abs(), y.abs());
            let (c, s) = match size {
                0.0 => (Complex::new(1.0, 0.0), Complex::ZERO),
                _ => (x.scale(1.0 / size), y.scale(1.0 / size)),
            };
            for j in k..end {
                let (a, b) = (h[at(k, j)], h[at(k + 1, j)]);
                h[at(k, j)] = c.conj().mul(a).add(s.conj().mul(b));
                h[at(k + 1, j)] = c.mul(b).sub(s.mul(a));
            }
            rotations.push((c, s));
        }
        for (k, (c, s)) in (start..last).zip(rotations) {
            for i in start..(k + 2).min(end) {
                let (a, b) = (h[at(i, k)], h[at(i, k + 1)]);
                h[at(i, k)] = a.mul(c).add(b.mul(s));
                h[at(i, k + 1)] = b.mul(c.conj()).sub(a.mul(s.conj()));
            }
        }
        (start..end).for_each(|i| h[at(i, i)] = h[at(i, i)].add(shift));
    }
    Some(found)
}

/// The eigenvalue of [a b; c d] that is nearer to d.
fn wilkinson(a: Complex, b: Complex, c: Complex, d: Complex) -> Complex {
    let half = a.sub(d).scale(0.5);
    let root = half.mul(half).add(b.mul(c)).sqrt();
    let near =
        if half.re * root.re + half.im * root.im >= 0.0 { half.sub(root) } else { half.add(root) };
    d.add(near)
}

#[cfg(test)]
mod tests {
    use crate::modular::Random;

    use super::*;

    fn of(n: usize, entries: &[f64]) -> Vec<Complex> {
        eigenvalues(&DenseMatrix::from_rows(n, n, entries)).unwrap()
    }

    #[test]
    fn the_companion_matrix_has_the_roots_of_its_polynomial() {
        // (x - 1)(x - 2)(x^2 + 4) = x^4 - 3 x^3 + 6 x^2 - 12 x + 8
        let companion =
            [3.0, -6.0, 12.0, -8.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let wanted = [(0.0, -2.0), (0.0, 2.0), (1.0, 0.0), (2.0, 0.0)];
        let mut found = of(4, &companion);
        found.sort_by(|a, b| {
            let key = |z: &Complex| ((z.re * 1e6).round(), (z.im * 1e6).round());
            key(a).partial_cmp(&key(b)).unwrap()
        });
        for (z, (re, im)) in found.iter().zip(wanted) {
            assert!((z.re - re).abs() < 1e-12 && (z.im - im).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn traces_and_determinants_are_sums_and_products_of_eigenvalues() {
        for n in 1..=9 {
            let mut random = Random::new(17 + n as u64);
            let entries: Vec<f64> = (0..n * n).map(|_| random.fraction() - 0.5).collect();
            let matrix = DenseMatrix::from_rows(n, n, &entries);
            let found = eigenvalues(&matrix).unwrap();
            let trace: f64 = (0..n).map(|i| matrix.get(i, i)).sum();
            let sum = found.iter().fold(Complex::ZERO, |s, z| s.add(*z));
            let product = found.iter().fold(Complex::new(1.0, 0.0), |p, z| p.mul(*z));
            assert!((sum.re - trace).abs() < 1e-13 && sum.im.abs() < 1e-13, "{n}");
            assert!((product.re - matrix.determinant()).abs() < 1e-13, "{n}");
        }
    }

    #[test]
    fn badly_scaled_and_defective_matrices_do_no_harm() {
        let found = of(2, &[1.0, 1e12, 1e-12, 1.0]);
        assert!((found[0].re).abs() < 1e-12 && (found[1].re - 2.0).abs() < 1e-12, "{found:?}");
        let jordan = of(3, &[2.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 2.0]);
        assert!(jordan.iter().all(|z| (z.re - 2.0).abs() < 1e-4), "{jordan:?}");
        assert!(of(3, &[0.0; 9]).iter().all(|z| z.abs() == 0.0));
        assert!(eigenvalues(&DenseMatrix::from_rows(1, 1, &[f64::NAN])).is_none());
        assert_eq!(eigenvalues(&DenseMatrix::zero(0, 0)).unwrap().len(), 0);
        // A cyclic permutation: the usual shift alone stands still.
        let cyclic = of(3, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert!(cyclic.iter().all(|z| (z.abs() - 1.0).abs() < 1e-14), "{cyclic:?}");
    }
}
