//! Polynomials whose roots are sums and products of the roots of two others.
//!
//! For monic integer polynomials the power sums of the roots are integers; those of the
//! composed polynomials are `p_k = sum_i C(k, i) p_i(f) p_{k-i}(g)` for sums and
//! `p_k = p_k(f) p_k(g)` for products, and Newton's identities lead back to coefficients
//! (Bostan, Flajolet, Salvy, Schost 2006).

use dashu_base::UnsignedAbs;
use dashu_int::IBig;

use super::IntegerPolynomial;
use super::transform::least_common_multiple;
use crate::{Budget, OutOfBudget, Rational};

impl IntegerPolynomial {
    /// The primitive polynomial with the roots `a + b`, `a` a root of `self`, `b` of `other`
    /// (with multiplicities); zero when either is constant.
    pub fn composed_sum(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        // Scaled by a common multiple of the leading coefficients, all roots are integral.
        let scale =
            least_common_multiple(&self.leading().unsigned_abs(), &other.leading().unsigned_abs());
        let Some(scale) = Rational::from_big(scale.into(), 1u8.into()) else {
            return Ok(Self::zero());
        };
        self.composed(other, [scale.clone(), scale.clone()], scale, budget, |k, f, g| {
            let mut binomial = IBig::ONE;
            let mut sum = IBig::ZERO;
            for i in 0..=k {
                sum += &binomial * &f[i] * &g[k - i];
                binomial = binomial * IBig::from(k - i) / IBig::from(i + 1);
            }
            sum
        })
    }

    /// The primitive polynomial with the roots `a b`, `a` a root of `self`, `b` of `other`
    /// (with multiplicities); zero when either is constant.
    pub fn composed_product(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let (a, b) = (Rational::from(self.leading()), Rational::from(other.leading()));
        let scale = &a * &b;
        self.composed(other, [a, b], scale, budget, |k, f, g| &f[k] * &g[k])
    }

    fn composed(
        &self,
        other: &Self,
        scales: [Rational; 2],
        result_scale: Rational,
        budget: &mut Budget,
        power_sum: impl Fn(usize, &[IBig], &[IBig]) -> IBig,
    ) -> Result<Self, OutOfBudget> {
        if self.is_constant() || other.is_constant() {
            return Ok(Self::zero());
        }
        let Some(inverse) = result_scale.recip() else { return Ok(Self::zero()) };
        let degree = (self.len() - 1) * (other.len() - 1);
        budget.spend((degree as u64).saturating_pow(2), "composing polynomials")?;
        let [f_scale, g_scale] = scales;
        let f = power_sums(&self.scale_roots(&f_scale), degree);
        let g = power_sums(&other.scale_roots(&g_scale), degree);
        let sums: Vec<IBig> = (0..=degree).map(|k| power_sum(k, &f, &g)).collect();
        Ok(from_power_sums(&sums).scale_roots(&inverse))
    }
}

/// Power sums `p_0 ..= p_count` of the roots of a monic polynomial.
fn power_sums(monic: &IntegerPolynomial, count: usize) -> Vec<IBig> {
    let n = monic.len() - 1;
    // e(j) is the coefficient of x^(n-j): p_k = -k e(k) - sum_{0<j<k} e(j) p_{k-j}.
    let e = |j: usize| if j <= n { monic.coefficient(n - j) } else { IBig::ZERO };
    let mut sums = vec![IBig::from(n)];
    for k in 1..=count {
        let mut sum = -e(k) * IBig::from(k);
        for j in 1..k.min(n + 1) {
            sum -= e(j) * &sums[k - j];
        }
        sums.push(sum);
    }
    sums
}

/// The monic polynomial of degree `sums.len() - 1` with these power sums.
fn from_power_sums(sums: &[IBig]) -> IntegerPolynomial {
    let n = sums.len() - 1;
    let mut e = vec![IBig::ONE];
    for k in 1..=n {
        let mut sum = sums[k].clone();
        for j in 1..k {
            sum += &e[j] * &sums[k - j];
        }
        e.push(-sum / IBig::from(k));
    }
    e.reverse();
    IntegerPolynomial::new(e)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    #[test]
    fn sums_and_products_of_square_roots() {
        let mut budget = Budget::new(10_000);
        let (two, three) = (
            IntegerPolynomial::from_integers(&[-2, 0, 1]),
            IntegerPolynomial::from_integers(&[-3, 0, 1]),
        );
        let sum = two.composed_sum(&three, &mut budget).unwrap();
        assert_eq!(sum.to_string(), "x^4 - 10*x^2 + 1");
        let product = two.composed_product(&three, &mut budget).unwrap();
        assert_eq!(product.to_string(), "x^4 - 12*x^2 + 36");
    }

    proptest! {
        #[test]
        fn rational_roots_compose(
            a in (-9i64..9, 1i64..6), b in (-9i64..9, 1i64..6), c in (-9i64..9, 1i64..6)
        ) {
            let root = |(n, d)| Rational::new(n, d).unwrap();
            let (a, b, c) = (root(a), root(b), root(c));
            let mut budget = Budget::new(10_000);
            let f = IntegerPolynomial::with_root(&a).mul(&IntegerPolynomial::with_root(&b));
            let g = IntegerPolynomial::with_root(&c);
            let sum = f.composed_sum(&g, &mut budget).unwrap();
            let product = f.composed_product(&g, &mut budget).unwrap();
            for x in [a, b] {
                prop_assert_eq!(sum.sign_at(&(&x + &c)), Ordering::Equal);
                prop_assert_eq!(product.sign_at(&(&x * &c)), Ordering::Equal);
            }
            prop_assert_eq!(sum.degree(), Some(2));
            prop_assert_eq!(product.degree(), Some(2));
        }
    }
}
