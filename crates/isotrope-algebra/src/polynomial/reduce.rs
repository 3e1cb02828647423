//! Rewriting powers of generators: `sin^2 -> 1 - cos^2`, `r^2 -> x^2 + y^2`.

use super::field::Field;
use super::monomial::Monomial;
use super::sparse::{Polynomial, PolynomialOver};
use crate::{Budget, OutOfBudget, Rational};

/// The rule `variable^power -> replacement`, whose replacement has a lower degree in the
/// variable (and may involve others).
#[derive(Clone, PartialEq, Eq)]
pub struct PowerRule<F = Rational> {
    variable: usize,
    power: u16,
    replacement: PolynomialOver<F>,
}

impl<F: Field> PowerRule<F> {
    /// The rule, or `None` if it would not lower the degree in the variable.
    pub fn new(variable: usize, power: u16, replacement: PolynomialOver<F>) -> Option<Self> {
        (replacement.degree_in(variable) < power).then_some(Self { variable, power, replacement })
    }

    /// The variable whose powers are rewritten.
    pub fn variable(&self) -> usize {
        self.variable
    }

    /// The power that is rewritten.
    pub fn power(&self) -> u16 {
        self.power
    }

    /// What it is rewritten to.
    pub fn replacement(&self) -> &PolynomialOver<F> {
        &self.replacement
    }
}

impl<F: Field> PolynomialOver<F> {
    /// Rewrites with the rules until none applies.
    ///
    /// With at most one rule per variable, and replacements that do not lead around in a
    /// circle, the result is the unique remainder modulo the ideal of all
    /// `variable^power - replacement`. Rules in a circle (`x^2 -> y^2`, `y^2 -> x^2`) spend
    /// the budget.
    pub fn reduce(&self, rules: &[PowerRule<F>], budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let mut result = self.clone();
        let mut degrees = result.degrees();
        let mut unchanged = 0;
        for rule in rules.iter().cycle() {
            if unchanged >= rules.len() {
                break;
            }
            unchanged += 1;
            while degrees.get(rule.variable).is_some_and(|&degree| degree >= rule.power) {
                unchanged = 1;
                result = result.rewrite_once(rule, budget)?;
                degrees = result.degrees();
            }
        }
        Ok(result)
    }

    /// Replaces one factor `variable^power` in every term that has it.
    fn rewrite_once(&self, rule: &PowerRule<F>, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        budget.spend(self.len() as u64, "rewriting powers")?;
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for (monomial, coefficient) in self.terms() {
            match monomial.exponent(rule.variable).checked_sub(rule.power) {
                Some(exponent) => {
                    let rest = monomial.with_exponent(rule.variable, exponent);
                    high.push((rest, coefficient.clone()));
                }
                None => low.push((monomial.clone(), coefficient.clone())),
            }
        }
        // Both keep their order: one is a selection, the other is divided by a monomial.
        let (low, high) = (Self::from_sorted(low), Self::from_sorted(high));
        high.mul(&rule.replacement, budget)?.add(&low, budget)
    }
}

impl<F: Field + std::fmt::Display> std::fmt::Debug for PowerRule<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "x{}^{} -> {}", self.variable, self.power, self.replacement)
    }
}

impl Polynomial {
    /// The rules `sine^2 -> 1 - cosine^2` for pairs `(sine, cosine)` of variables.
    pub fn circle_rules(pairs: &[(usize, usize)]) -> Vec<PowerRule> {
        let rule = |&(sine, cosine): &(usize, usize)| {
            let square = (Monomial::power(cosine, 2), Rational::integer(-1));
            let replacement = Self::from_terms([square, (Monomial::one(), Rational::ONE)]);
            PowerRule::new(sine, 2, replacement)
        };
        pairs.iter().filter_map(rule).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategies::{any_polynomial, unlimited};
    use super::*;
    use proptest::prelude::*;

    /// Variables: s, c with s^2 = 1 - c^2; x, y; r with r^2 = x^2 + y^2; a cube root
    /// w^3 = 3 w + x.
    fn rules() -> Vec<PowerRule> {
        let [s, c, x, y, r, w] = [0, 1, 2, 3, 4, 5];
        let term = |index, power, value| (Monomial::power(index, power), Rational::integer(value));
        let mut rules = Polynomial::circle_rules(&[(s, c)]);
        let square = Polynomial::from_terms([term(x, 2, 1), term(y, 2, 1)]);
        rules.extend(PowerRule::new(r, 2, square));
        let cubic = Polynomial::from_terms([term(w, 1, 3), term(x, 1, 1)]);
        rules.extend(PowerRule::new(w, 3, cubic));
        rules
    }

    proptest! {
        #[test]
        fn reduction_is_idempotent_linear_and_preserves_values(
            f in any_polynomial(6, 5, 6), g in any_polynomial(6, 3, 4), w in -5i64..5, k in -9i64..9
        ) {
            let budget = &mut unlimited();
            let rules = rules();
            let reduced = f.reduce(&rules, budget).unwrap();
            prop_assert_eq!(reduced.reduce(&rules, budget).unwrap(), reduced.clone());
            for rule in &rules {
                prop_assert!(reduced.degree_in(rule.variable()) < rule.power());
            }
            // A ring homomorphism onto the quotient: fg and red(f) g have one normal form.
            let product = f.mul(&g, budget).unwrap().reduce(&rules, budget).unwrap();
            let other = reduced.mul(&g, budget).unwrap().reduce(&rules, budget).unwrap();
            prop_assert_eq!(product, other);
            // A rational point of the variety: x = w^3 - 3 w, (x, y, r) = x (1, 3/4, 5/4).
            let x = Rational::integer(w * w * w - 3 * w);
            let (y, r) = (&x * Rational::new(3, 4).unwrap(), &x * Rational::new(5, 4).unwrap());
            let k = Rational::integer(k);
            let scale = (&k * &k + Rational::ONE).recip().unwrap();
            let s = Rational::integer(2) * &k * &scale;
            let c = (Rational::ONE - &k * &k) * &scale;
            let point = [s, c, x, y, r, Rational::integer(w)];
            let values = (f.evaluate(&point, budget), reduced.evaluate(&point, budget));
            prop_assert_eq!(values.0.unwrap(), values.1.unwrap());
        }
    }

    #[test]
    fn a_circle_of_rules_spends_the_budget() {
        let square = |index| Polynomial::term(Monomial::power(index, 2), Rational::ONE);
        let rules =
            [PowerRule::new(0, 2, square(1)).unwrap(), PowerRule::new(1, 2, square(0)).unwrap()];
        assert!(square(0).reduce(&rules, &mut Budget::new(1000)).is_err());
        assert!(PowerRule::new(0, 2, square(0)).is_none());
    }
}
