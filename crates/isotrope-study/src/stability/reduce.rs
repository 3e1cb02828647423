//! The linearisation on the tangent space of the constraints, in numbers.

use isotrope_algebra::double::linear::{Complex, DenseMatrix, eigenvalues};

use super::equilibrium::Rest;
use super::error::StabilityError;
use super::linearise::{Linearisation, Values};
use super::weights::Weights;

/// M y'' + D y' + K y = 0; in phase space M = 0.
#[derive(Debug, Clone)]
pub(super) struct Reduced {
    pub mass: DenseMatrix,
    pub damping: DenseMatrix,
    pub stiffness: DenseMatrix,
}

/// Directions along which constraints allow to move.
#[derive(Debug, Clone)]
pub(super) struct Tangent {
    /// δq = basis · y.
    pub basis: DenseMatrix,
    /// y is the displacement of these coordinates.
    pub free: Vec<usize>,
}

/// Restricts the linearisation at a point of rest to what the constraints allow.
pub(super) fn reduce(
    equations: &Linearisation,
    rest: &Rest,
    parameter: f64,
) -> Result<(Reduced, Tangent), StabilityError> {
    let values = equations
        .values(&rest.q, &rest.lambda, parameter)
        .map_err(|reason| StabilityError::NotSmooth { reason })?;
    let (basis, free) = tangent(&values);
    let onto = basis.transposed();
    let restrict = |matrix: &DenseMatrix| onto.times(matrix).times(&basis);
    let reduced = Reduced {
        mass: restrict(&values.mass),
        damping: restrict(&values.damping),
        stiffness: restrict(&values.stiffness),
    };
    Ok((reduced, Tangent { basis, free }))
}

/// A basis of ker A as columns, each with a 1 at a free coordinate. Which coordinates are free, and which rows of A
/// are independent, does not depend on units.
fn tangent(values: &Values) -> (DenseMatrix, Vec<usize>) {
    let weights = Weights::at(values);
    let (rows, _) = weights.of_rows(&values.rows, 1.0);
    let (mut basis, free) = rows.nullspace(DEPENDENT);
    for (k, &column) in free.iter().enumerate() {
        for i in 0..basis.rows() {
            basis.set(i, k, basis.get(i, k) * weights.get(column) / weights.get(i));
        }
    }
    (basis, free)
}

/// A row of A of which this part is left beside the others depends on them.
const DEPENDENT: f64 = 1e-11;
/// The same for the mass matrix.
const MASSLESS: f64 = 1e-13;
/// Imaginary parts of s² below this part of the largest |s²| are rounding: two eigenvalues that
/// collide are as far apart as the root of a rounding error.
const REAL: f64 = 1e-7;
/// Values of s² below this part of the largest are zero.
const ZERO: f64 = 1e-12;
/// Real parts of s below this part of the largest |s| are rounding.
const AXIS: f64 = 1e-9;

/// The roots of det(s² M + s D + K).
#[derive(Debug, Clone)]
pub(super) struct Spectrum {
    pub eigenvalues: Vec<Complex>,
    /// How many have a positive real part.
    pub unstable: usize,
    /// Real parts up to here are rounding.
    pub tolerance: f64,
}

impl Reduced {
    /// K in units in which masses are 1 and its largest entry is, and these masses.
    pub fn weighted_stiffness(&self) -> (DenseMatrix, Weights) {
        let weights = Weights::new(&self.mass, &self.stiffness);
        let stiffness = weights.of(&self.stiffness);
        let size = stiffness.size();
        let unit = if size > 0.0 { 1.0 / size } else { 1.0 };
        (stiffness.scaled(unit), weights)
    }

    /// `None` where the mass matrix is singular but not zero.
    pub fn spectrum(&self) -> Option<Spectrum> {
        let n = self.mass.rows();
        let weights = Weights::new(&self.mass, &self.stiffness);
        let mass = weights.of(&self.mass);
        if n > 0 && mass.size() == 0.0 {
            let rates = weights.of(&self.damping).solve(&weights.of(&self.stiffness), MASSLESS)?;
            return Some(Spectrum::of_rates(&rates.scaled(-1.0))?.sorted());
        }
        let stiffness = mass.solve(&weights.of(&self.stiffness), MASSLESS)?.scaled(-1.0);
        let (list, tolerance) = if self.damping.size() == 0.0 {
            // s² are eigenvalues of −M⁻¹K: half the size, and what is on the axes stays there.
            (roots_of(&eigenvalues(&stiffness)?), 0.0)
        } else {
            let damping = mass.solve(&weights.of(&self.damping), MASSLESS)?.scaled(-1.0);
            // Times in units of the fastest motion.
            let rate = stiffness.size().sqrt().max(damping.size());
            let mut first_order = DenseMatrix::zero(2 * n, 2 * n);
            for i in 0..n {
                first_order.set(i, n + i, 1.0);
                for j in 0..n {
                    first_order.set(n + i, j, stiffness.get(i, j) / rate / rate);
                    first_order.set(n + i, n + j, damping.get(i, j) / rate);
                }
            }
            let mut list = eigenvalues(&first_order)?;
            list.iter_mut().for_each(|z| *z = Complex::new(rate * z.re, rate * z.im));
            let size = list.iter().fold(0.0, |size, z| f64::max(size, z.abs()));
            (list, AXIS * size)
        };
        let unstable = list.iter().filter(|z| z.re > tolerance).count();
        Some(Spectrum { eigenvalues: list, unstable, tolerance }.sorted())
    }
}

impl Spectrum {
    /// The eigenvalues of x' = A x.
    fn of_rates(rates: &DenseMatrix) -> Option<Self> {
        let size = rates.size();
        if size == 0.0 {
            let zeros = vec![Complex::new(0.0, 0.0); rates.rows()];
            return Some(Self { eigenvalues: zeros, unstable: 0, tolerance: 0.0 });
        }
        let mut list = eigenvalues(&rates.scaled(1.0 / size))?;
        list.iter_mut().for_each(|z| *z = Complex::new(size * z.re, size * z.im));
        let tolerance = AXIS * list.iter().fold(0.0, |size, z| f64::max(size, z.abs()));
        let unstable = list.iter().filter(|z| z.re > tolerance).count();
        Some(Self { eigenvalues: list, unstable, tolerance })
    }

    fn sorted(mut self) -> Self {
        self.eigenvalues.sort_by(|a, b| a.im.total_cmp(&b.im).then(a.re.total_cmp(&b.re)));
        self
    }

    /// The largest |s|.
    pub fn size(&self) -> f64 {
        self.eigenvalues.iter().fold(0.0, |size, z| f64::max(size, z.abs()))
    }
}

/// s from s².
fn roots_of(squares: &[Complex]) -> Vec<Complex> {
    let size = squares.iter().fold(0.0, |size, z| f64::max(size, z.abs()));
    let mut roots = Vec::with_capacity(2 * squares.len());
    for &square in squares {
        let root = match square {
            z if z.abs() <= ZERO * size => Complex::new(0.0, 0.0),
            z if z.im.abs() <= REAL * size && z.re > 0.0 => Complex::new(z.re.sqrt(), 0.0),
            z if z.im.abs() <= REAL * size => Complex::new(0.0, (-z.re).sqrt()),
            z => z.sqrt(),
        };
        // Not −0.
        roots.extend([root, Complex::new(0.0 - root.re, 0.0 - root.im)]);
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(damping: f64, stiffness: f64) -> Spectrum {
        let one = |x: f64| DenseMatrix::from_rows(1, 1, &[x]);
        let reduced = Reduced { mass: one(2.0), damping: one(damping), stiffness: one(stiffness) };
        reduced.spectrum().unwrap()
    }

    #[test]
    fn oscillators_have_the_eigenvalues_of_the_textbook() {
        let free = system(0.0, 8.0);
        assert_eq!(free.unstable, 0);
        assert!(free.eigenvalues.iter().all(|z| z.re == 0.0 && (z.im.abs() - 2.0).abs() < 1e-15));
        // 2 s² + 4 s + 10: s = −1 ± 2i.
        let damped = system(4.0, 10.0);
        assert_eq!(damped.unstable, 0);
        assert!(damped.eigenvalues.iter().all(|z| (z.re + 1.0).abs() < 1e-14));
        // 2 s² − 8: s = ±2.
        assert_eq!(system(0.0, -8.0).unstable, 1);
        assert_eq!(system(-1.0, 8.0).unstable, 2);
        // A free mass: s = 0 twice, and no noise.
        let idle = system(0.0, 0.0);
        assert!(idle.unstable == 0 && idle.eigenvalues.iter().all(|z| z.abs() == 0.0));
    }
}
