//! Short vectors of lattices, and with them integer relations between numbers.

use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use isotrope_algebra::{Budget, OutOfBudget};

const DOING: &str = "looking for integer relations";

/// A basis that is being reduced (Lenstra, Lenstra and Lovász 1982), in integers only: with b*_i
/// the orthogonalised vectors, d_i = ∏_{j<i} |b*_j|² and λ_ij = d_{j+1} μ_ij are integers
/// (Cohen, A Course in Computational Algebraic Number Theory, 2.6.3).
struct Reduction {
    basis: Vec<Vec<IBig>>,
    /// d_0 = 1, …, d_n.
    determinants: Vec<IBig>,
    /// λ_ij, j < i.
    lambda: Vec<Vec<IBig>>,
}

/// A reduced basis of the lattice of these (independent) vectors.
pub(super) fn reduce(
    basis: Vec<Vec<IBig>>,
    budget: &mut Budget,
) -> Result<Vec<Vec<IBig>>, OutOfBudget> {
    let count = basis.len();
    let mut reduction = Reduction::new(basis);
    let words = 1 + reduction.determinants.iter().map(BitTest::bit_len).max().unwrap_or(0) / 64;
    let mut k = 1;
    while k < count {
        budget.spend((count * words) as u64, DOING)?;
        reduction.subtract(k, k - 1);
        if reduction.must_swap(k) {
            reduction.swap(k);
            k = k.saturating_sub(1).max(1);
        } else {
            for l in (0..k.saturating_sub(1)).rev() {
                reduction.subtract(k, l);
            }
            k += 1;
        }
    }
    Ok(reduction.basis)
}

fn dot(x: &[IBig], y: &[IBig]) -> IBig {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

impl Reduction {
    fn new(basis: Vec<Vec<IBig>>) -> Self {
        let count = basis.len();
        let mut determinants = vec![IBig::ONE];
        let mut lambda = vec![vec![IBig::ZERO; count]; count];
        for i in 0..count {
            for j in 0..=i {
                let mut u = dot(&basis[i], &basis[j]);
                for k in 0..j {
                    u = (&determinants[k + 1] * u - &lambda[i][k] * &lambda[j][k])
                        / &determinants[k];
                }
                if j < i {
                    lambda[i][j] = u;
                } else {
                    determinants.push(u);
                }
            }
        }
        Self { basis, determinants, lambda }
    }

    /// b_k − round(μ_kl) b_l.
    fn subtract(&mut self, k: usize, l: usize) {
        let d = &self.determinants[l + 1];
        let doubled = &self.lambda[k][l] << 1;
        if (&doubled).abs() <= *d {
            return;
        }
        let factor = round_quotient(&(doubled + d), &(d << 1));
        for column in 0..self.basis[k].len() {
            let change = &factor * &self.basis[l][column];
            self.basis[k][column] -= change;
        }
        let change = &factor * d;
        self.lambda[k][l] -= change;
        for i in 0..l {
            let change = &factor * &self.lambda[l][i];
            self.lambda[k][i] -= change;
        }
    }

    /// Does Lovász' condition, with 3/4, fail between k − 1 and k?
    fn must_swap(&self, k: usize) -> bool {
        let d = &self.determinants;
        let mu = &self.lambda[k][k - 1];
        (&d[k + 1] * &d[k - 1] + mu * mu) * IBig::from(4) < &d[k] * &d[k] * IBig::from(3)
    }

    fn swap(&mut self, k: usize) {
        self.basis.swap(k, k - 1);
        for j in 0..k - 1 {
            let other = std::mem::take(&mut self.lambda[k][j]);
            self.lambda[k][j] = std::mem::replace(&mut self.lambda[k - 1][j], other);
        }
        let mu = self.lambda[k][k - 1].clone();
        let d = &self.determinants;
        let next = (&d[k - 1] * &d[k + 1] + &mu * &mu) / &d[k];
        for i in k + 1..self.basis.len() {
            let old = self.lambda[i][k].clone();
            let d = &self.determinants;
            let upper = (&d[k + 1] * &self.lambda[i][k - 1] - &mu * &old) / &d[k];
            self.lambda[i][k - 1] = (&next * old + &mu * &upper) / &d[k + 1];
            self.lambda[i][k] = upper;
        }
        self.determinants[k] = next;
    }
}

/// The largest integer not above x/y, y > 0.
fn round_quotient(x: &IBig, y: &IBig) -> IBig {
    let quotient = x / y;
    if &quotient * y > *x { quotient - IBig::ONE } else { quotient }
}

/// Integers c, not all zero, with Σ c_i x_i nearly zero, where the x_i are given times
/// 2^places: the shortest vector that turns up, if it is too short to be there by chance. It is a
/// guess, to be proved by other means.
pub(super) fn relation(
    values: &[IBig],
    places: usize,
    budget: &mut Budget,
) -> Result<Option<Vec<IBig>>, OutOfBudget> {
    let count = values.len();
    let basis = (0..count)
        .map(|i| {
            let mut row = vec![IBig::ZERO; count + 1];
            row[i] = IBig::ONE;
            row[count] = values[i].clone();
            row
        })
        .collect();
    let reduced = reduce(basis, budget)?;
    let Some(shortest) = reduced.first() else { return Ok(None) };
    let bits = shortest.iter().map(BitTest::bit_len).max().unwrap_or(0);
    // By chance, `count` coefficients of this many bits meet about count·bits places.
    let by_chance = (count * bits).max(1);
    let significant = 6 * by_chance <= 5 * places;
    Ok(significant.then(|| shortest[..count].to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(entries: &[i64]) -> Vec<IBig> {
        entries.iter().map(|&x| IBig::from(x)).collect()
    }

    #[test]
    fn reduction_keeps_the_lattice_and_finds_its_short_vectors() {
        let budget = &mut Budget::new(1_000_000);
        let skew = vec![vector(&[1, 0, 1000]), vector(&[0, 1, 1001]), vector(&[3, 7, 29])];
        let reduced = reduce(skew.clone(), budget).unwrap();
        let determinant = |m: &[Vec<IBig>]| {
            let minor = |j: usize, k: usize| &m[1][j] * &m[2][k] - &m[1][k] * &m[2][j];
            &m[0][0] * minor(1, 2) - &m[0][1] * minor(0, 2) + &m[0][2] * minor(0, 1)
        };
        assert_eq!(determinant(&reduced).abs(), determinant(&skew).abs());
        // |b_1| <= 2^((n-1)/4) det^(1/n), n = 3: its square's cube is at most 2^3 det^2.
        let length = dot(&reduced[0], &reduced[0]);
        let bound = determinant(&skew).pow(2) * IBig::from(8);
        assert!(length.pow(3) <= bound);
    }

    #[test]
    fn the_golden_ratio_satisfies_its_equation_and_pi_satisfies_none() {
        let budget = &mut Budget::new(100_000_000);
        // Fibonacci numbers: F_{n+1}/F_n to 2 log2 F_n places.
        let (mut x, mut y) = (IBig::ONE, IBig::ONE);
        for _ in 0..200 {
            (x, y) = (y.clone(), x + y);
        }
        let places = 200;
        let one = IBig::ONE << places;
        let phi = (&y << places) / &x;
        let square = (&phi * &phi) >> places;
        let found = relation(&[one.clone(), phi, square], places, budget).unwrap().unwrap();
        let sign = found[2].clone();
        let expected = vector(&[-1, -1, 1]).into_iter().map(|c| c * &sign).collect::<Vec<_>>();
        assert_eq!(found, expected);
        let pi =
            IBig::from_str_radix("31415926535897932384626433832795028841971693993751", 10).unwrap();
        let pi = (pi << places) / IBig::from(10).pow(49);
        let square = (&pi * &pi) >> places;
        let places = 160;
        let shifted = |x: IBig| x >> 40usize;
        let none = relation(&[shifted(one), shifted(pi), shifted(square)], places, budget).unwrap();
        assert_eq!(none, None);
    }
}
