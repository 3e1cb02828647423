//! Linear multistep methods Σ αⱼ y_{n+j} = h Σ βⱼ f_{n+j}: order and zero-stability, exactly.

use isotrope_algebra::univariate::IntegerPolynomial;
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use crate::stages::unit_fraction;

/// A linear k-step method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multistep {
    /// Its name.
    pub name: String,
    /// α₀ … α_k.
    pub alpha: Vec<Rational>,
    /// β₀ … β_k.
    pub beta: Vec<Rational>,
}

impl Multistep {
    /// The explicit Adams method with k steps: y_{n+k} − y_{n+k−1} is the integral of the
    /// polynomial through the last k values of f.
    pub fn adams_bashforth(steps: usize) -> Self {
        let mut alpha = vec![Rational::ZERO; steps + 1];
        let mut beta = vec![Rational::ZERO; steps + 1];
        alpha[steps] = Rational::ONE;
        if let Some(before) = steps.checked_sub(1) {
            alpha[before] = Rational::integer(-1);
        }
        for (j, weight) in beta.iter_mut().enumerate().take(steps) {
            *weight = lagrange_integral(steps, j);
        }
        Self { name: format!("ab{steps}"), alpha, beta }
    }

    /// Is the new value given by old ones alone?
    pub fn is_explicit(&self) -> bool {
        self.beta.last().is_none_or(Rational::is_zero)
    }

    /// αⱼ = −α_{k−j} and βⱼ = β_{k−j}.
    pub fn is_symmetric(&self) -> bool {
        let mirrored = |x: &[Rational], sign: i64| {
            x.iter().zip(x.iter().rev()).all(|(a, b)| *a == b.clone() * Rational::integer(sign))
        };
        mirrored(&self.alpha, -1) && mirrored(&self.beta, 1)
    }

    /// The coefficient of hᵠ y⁽ᵠ⁾ in the local error, divided by 1/q!:
    /// Σ αⱼ jᵠ − q Σ βⱼ jᵠ⁻¹.
    pub fn error_coefficient(&self, power: usize) -> Rational {
        let powers = |j: usize, exponent: usize| {
            let base = Rational::integer(i64::try_from(j).unwrap_or(i64::MAX));
            std::iter::repeat_n(base, exponent).fold(Rational::ONE, |product, x| product * x)
        };
        let sum = |x: &[Rational], exponent: usize| {
            x.iter()
                .enumerate()
                .fold(Rational::ZERO, |sum, (j, weight)| sum + weight.clone() * powers(j, exponent))
        };
        let values = sum(&self.alpha, power);
        match power.checked_sub(1) {
            Some(lower) => {
                let factor = Rational::integer(i64::try_from(power).unwrap_or(i64::MAX));
                values - factor * sum(&self.beta, lower)
            }
            None => values,
        }
    }

    /// The order: all error coefficients up to it vanish. A k-step method has at most 2k.
    pub fn order(&self) -> usize {
        let limit = 2 * self.alpha.len();
        (0..=limit)
            .find(|&power| !self.error_coefficient(power).is_zero())
            .map_or(limit, |power| power.saturating_sub(1))
    }

    /// Dahlquist's root condition on ρ(z) = Σ αⱼ zʲ: no root outside the unit circle, those
    /// on it simple. Without it no order means convergence.
    pub fn is_zero_stable(&self, budget: &mut Budget) -> Result<bool, OutOfBudget> {
        let rho = IntegerPolynomial::from_rationals(&self.alpha);
        if rho.degree() != Some(self.alpha.len() - 1) {
            return Ok(false);
        }
        // Roots at 0 are inside.
        let mut coefficients = rho.coefficients().to_vec();
        let zeros = coefficients.iter().take_while(|c| c.is_zero()).count();
        coefficients.drain(..zeros);
        let rho = IntegerPolynomial::new(coefficients);
        // Roots on the circle come in conjugate pairs z, 1/z and so belong to this factor.
        let circle = rho.gcd(&rho.reverse(), budget)?;
        let inside = match rho.exact_div(&circle) {
            Some(inside) => inside,
            None => rho.clone(),
        };
        Ok(all_inside(&inside) && all_on_circle_and_simple(&circle, budget)?)
    }
}

/// ∫ ℓⱼ over the last step, ℓⱼ the Lagrange polynomials on 0, …, k−1, integrated from k−1 to k.
fn lagrange_integral(steps: usize, j: usize) -> Rational {
    let number = |value: usize| Rational::integer(i64::try_from(value).unwrap_or(i64::MAX));
    let mut polynomial = vec![Rational::ONE];
    for i in (0..steps).filter(|&i| i != j) {
        // i ≠ j.
        let Some(scale) = (number(j) - number(i)).recip() else { continue };
        let mut next = vec![Rational::ZERO; polynomial.len() + 1];
        for (power, coefficient) in polynomial.iter().enumerate() {
            let scaled = coefficient.clone() * scale.clone();
            next[power + 1] = next[power + 1].clone() + scaled.clone();
            next[power] = next[power].clone() - scaled * number(i);
        }
        polynomial = next;
    }
    let primitive = |at: usize| {
        let mut value = Rational::ZERO;
        for (power, coefficient) in polynomial.iter().enumerate().rev() {
            value = value * number(at) + coefficient * unit_fraction(power + 1);
        }
        value * number(at)
    };
    primitive(steps) - primitive(steps.saturating_sub(1))
}

/// Schur–Cohn: all roots strictly inside the unit circle.
fn all_inside(polynomial: &IntegerPolynomial) -> bool {
    let mut coefficients: Vec<Rational> =
        polynomial.coefficients().iter().map(|c| Rational::from(c.clone())).collect();
    while coefficients.len() > 1 {
        let (Some(last), Some(first)) =
            (coefficients.last().cloned(), coefficients.first().cloned())
        else {
            return true;
        };
        if first.clone() * first.clone() >= last.clone() * last.clone() {
            return false;
        }
        // (ā_n p(z) − a_0 p*(z)) / z has one root less, inside if and only if p's are.
        let reversed: Vec<Rational> = coefficients.iter().rev().cloned().collect();
        coefficients = coefficients
            .iter()
            .zip(&reversed)
            .skip(1)
            .map(|(c, r)| last.clone() * c.clone() - first.clone() * r.clone())
            .collect();
    }
    true
}

/// Every root of modulus 1, none twice. The polynomial is its own reverse up to sign.
fn all_on_circle_and_simple(
    polynomial: &IntegerPolynomial,
    budget: &mut Budget,
) -> Result<bool, OutOfBudget> {
    let Some(degree) = polynomial.degree() else { return Ok(false) };
    if polynomial.square_free_part(budget)?.degree() != Some(degree) {
        return Ok(false);
    }
    // ±1 are taken out; what is left is z^m Q(z + 1/z).
    let mut rest = polynomial.clone();
    for root in [1, -1] {
        if let Some(quotient) = rest.exact_div(&IntegerPolynomial::from_integers(&[-root, 1])) {
            rest = quotient;
        }
    }
    let Some(degree) = rest.degree() else { return Ok(false) };
    if degree % 2 == 1 || rest.coefficients() != rest.reverse().coefficients() {
        return Ok(degree == 0);
    }
    let half = degree / 2;
    // z^k + z^-k = T_k(x): T_0 = 2, T_1 = x, T_{k+1} = x T_k − T_{k−1}.
    let mut chebyshev =
        vec![IntegerPolynomial::from_integers(&[2]), IntegerPolynomial::from_integers(&[0, 1])];
    for k in 1..half {
        chebyshev.push(chebyshev[k].mul(&IntegerPolynomial::x()).sub(&chebyshev[k - 1]));
    }
    let mut folded = IntegerPolynomial::new(vec![rest.coefficient(half)]);
    for (k, polynomial) in chebyshev.iter().enumerate().take(half + 1).skip(1) {
        folded = folded.add(&polynomial.scale(&rest.coefficient(half + k)));
    }
    let two = Rational::integer(2);
    let mut real = 0;
    for mut root in folded.real_roots(budget)? {
        root.refine(&folded, 20);
        // ±2 would be z = ±1, which is gone, so the interval can be moved off them.
        while root.low() < &two && &two < root.high()
            || root.low() < &-two.clone() && &-two.clone() < root.high()
        {
            root.bisect(&folded);
        }
        real += usize::from(*root.low() >= -two.clone() && *root.high() <= two);
    }
    Ok(real == half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(alpha: &[i64], beta: &[(i64, i64)]) -> Multistep {
        Multistep {
            name: "test".to_owned(),
            alpha: alpha.iter().map(|&a| Rational::integer(a)).collect(),
            beta: beta.iter().map(|&(n, d)| Rational::new(n, d).unwrap()).collect(),
        }
    }

    #[test]
    fn adams_bashforth_with_k_steps_has_order_k_and_is_zero_stable() {
        for steps in 1..=8 {
            let adams = Multistep::adams_bashforth(steps);
            assert_eq!(adams.order(), steps);
            assert!(adams.is_zero_stable(&mut Budget::new(1_000_000)).unwrap());
            assert!(adams.is_explicit() && !adams.is_symmetric());
        }
        let three: Vec<String> =
            Multistep::adams_bashforth(3).beta.iter().map(ToString::to_string).collect();
        assert_eq!(three, ["5/12", "-4/3", "23/12", "0"]);
    }

    #[test]
    fn a_wrong_weight_of_ab3_lowers_the_order() {
        for j in 0..4 {
            let mut adams = Multistep::adams_bashforth(3);
            adams.beta[j] = adams.beta[j].clone() + Rational::new(1, 7).unwrap();
            assert!(adams.order() < 3, "beta_{j}");
        }
    }

    #[test]
    fn the_most_accurate_explicit_two_step_method_is_unstable() {
        // y_{n+2} + 4 y_{n+1} − 5 y_n = h (4 f_{n+1} + 2 f_n): order 3, root −5 (Dahlquist).
        let unstable = method(&[-5, 4, 1], &[(2, 1), (4, 1), (0, 1)]);
        assert_eq!(unstable.order(), 3);
        assert!(!unstable.is_zero_stable(&mut Budget::new(1_000_000)).unwrap());
    }

    #[test]
    fn milne_and_leapfrog_are_weakly_stable_and_symmetric() {
        let milne = method(&[-1, 0, 1], &[(1, 3), (4, 3), (1, 3)]);
        let leapfrog = method(&[-1, 0, 1], &[(0, 1), (2, 1), (0, 1)]);
        for (method, order) in [(milne, 4), (leapfrog, 2)] {
            assert_eq!(method.order(), order);
            assert!(method.is_symmetric());
            assert!(method.is_zero_stable(&mut Budget::new(1_000_000)).unwrap());
        }
    }

    #[test]
    fn backward_differentiation_is_zero_stable_up_to_six_steps() {
        for steps in 1..=8_usize {
            // Σ_{j=1..k} ∇ʲ y / j = h f: coefficients of (1/j)(z − 1)ʲ z^{k−j}.
            let mut alpha = vec![Rational::ZERO; steps + 1];
            let mut power = vec![Rational::ONE];
            for j in 1..=steps {
                let mut next = vec![Rational::ZERO; j + 1];
                for (k, c) in power.iter().enumerate() {
                    next[k + 1] = next[k + 1].clone() + c.clone();
                    next[k] = next[k].clone() - c.clone();
                }
                power = next;
                for (k, c) in power.iter().enumerate() {
                    let at = steps - j + k;
                    alpha[at] = alpha[at].clone() + c * unit_fraction(j);
                }
            }
            let mut beta = vec![Rational::ZERO; steps + 1];
            beta[steps] = Rational::ONE;
            let bdf = Multistep { name: format!("bdf{steps}"), alpha, beta };
            assert_eq!(bdf.order(), steps);
            assert_eq!(bdf.is_zero_stable(&mut Budget::new(10_000_000)).unwrap(), steps <= 6);
        }
    }

    #[test]
    fn a_double_root_on_the_circle_is_refused() {
        let double = method(&[1, -2, 1], &[(0, 1), (0, 1), (0, 1)]);
        assert!(!double.is_zero_stable(&mut Budget::new(1_000_000)).unwrap());
    }
}
