//! Common factors of trigonometric polynomials, by tangents of half angles.
//!
//! Polynomials in a sine and a cosine with s² + c² = 1 have no unique factors: s·s = (1 − c)(1 + c). In the tangent
//! t of the half angle s = 2t/(1 + t²) and c = (1 − t²)/(1 + t²), and factors are unique again; those of 1 + t²
//! vanish nowhere, and half a turn is t = ∞, where degrees are too small. What has an even number of zeros
//! around the circle is a polynomial in s and c.

use super::{AngleSplitting, Fraction, Generators};
use crate::polynomial::{Monomial, Polynomial, gcd, gcd_of_all};
use crate::pool::{ExprId, Pool};
use crate::{Budget, OutOfBudget, Rational};

/// A point of a circle: the variables of its cosine, which stands for the tangent of the half angle, too, and its sine.
#[derive(Debug, Clone, Copy)]
struct Circle {
    cosine: usize,
    sine: usize,
}

/// A power of a tangent.
fn tangent(circle: Circle, power: u16) -> Monomial {
    Monomial::power(circle.cosine, power)
}

/// 1 + t² or 1 − t².
fn one_and_square(circle: Circle, sign: i64) -> Polynomial {
    Polynomial::from_terms([
        (Monomial::one(), Rational::ONE),
        (tangent(circle, 2), Rational::integer(sign)),
    ])
}

/// The largest degree in sine and cosine together.
fn turns(polynomial: &Polynomial, circle: Circle) -> u16 {
    let both = |m: &Monomial| m.exponent(circle.cosine).saturating_add(m.exponent(circle.sine));
    polynomial.terms().iter().map(|(monomial, _)| both(monomial)).max().unwrap_or(0)
}

/// The polynomial times (1 + t²)^degree, in t.
fn in_tangents(
    polynomial: &Polynomial,
    circle: Circle,
    degree: u16,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    let (cosine, unit) = (one_and_square(circle, -1), one_and_square(circle, 1));
    let mut sum = Polynomial::zero();
    for (c, with_cosine) in polynomial.coefficients_in(circle.cosine) {
        for (s, coefficient) in with_cosine.coefficients_in(circle.sine) {
            let rest = degree.saturating_sub(c).saturating_sub(s);
            let sine = Polynomial::term(tangent(circle, 1), Rational::integer(2));
            let term = coefficient
                .mul(&cosine.powi(c.into(), budget)?, budget)?
                .mul(&sine.powi(s.into(), budget)?, budget)?
                .mul(&unit.powi(rest.into(), budget)?, budget)?;
            sum = sum.add(&term, budget)?;
        }
    }
    Ok(sum)
}

/// The polynomial in t over (1 + t²)^turns, in sine and cosine; 2·turns is at least its degree.
fn in_circle(
    polynomial: &Polynomial,
    circle: Circle,
    turns: u16,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    // With S and C of the half angle, t^j/(1 + t²)^m = S^j C^(2m−j), and S² = (1 − c)/2, C² = (1 + c)/2, S C = s/2.
    let side = |sign: i64| {
        let terms = [
            (Monomial::one(), Rational::half()),
            (Monomial::variable(circle.cosine), &Rational::half() * &Rational::integer(sign)),
        ];
        Polynomial::from_terms(terms)
    };
    let (small, large) = (side(-1), side(1));
    let mut sum = Polynomial::zero();
    for (j, coefficient) in polynomial.coefficients_in(circle.cosine) {
        let odd = j % 2;
        let (down, up) = (j / 2, turns.saturating_sub(j / 2 + odd));
        let mut term = coefficient
            .mul(&small.powi(down.into(), budget)?, budget)?
            .mul(&large.powi(up.into(), budget)?, budget)?;
        if odd == 1 {
            term = term.mul_term(&Monomial::variable(circle.sine), &Rational::half(), budget)?;
        }
        sum = sum.add(&term, budget)?;
    }
    Ok(sum)
}

/// A vector as polynomials.
struct Numerators {
    generators: Generators,
    circles: Vec<Circle>,
    entries: Vec<Polynomial>,
    /// Was there a denominator?
    broken: bool,
}

/// Numerators over the common denominator, with all angles taken apart.
fn numerators(
    pool: &mut Pool,
    expressions: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<Numerators>, OutOfBudget> {
    let mut generators = Generators::new(pool, expressions, AngleSplitting::Split, budget)?;
    let Some(fractions) = generators.fractions(pool, expressions, budget)? else {
        return Ok(None);
    };
    let mut reduced: Vec<Fraction> = Vec::with_capacity(fractions.len());
    for fraction in &fractions {
        reduced.push(generators.reduce(fraction, budget)?);
    }
    let (products, common) = Fraction::over_common_denominator(&reduced, budget)?;
    let mut numerators = Vec::with_capacity(products.len());
    for product in &products {
        numerators.push(product.reduce(generators.rules(), budget)?);
    }
    let circles = generators.circle_pairs().map(|(_, cosine, sine)| Circle { cosine, sine });
    let circles = circles.collect();
    let broken = !common.is_constant();
    Ok(Some(Numerators { generators, circles, entries: numerators, broken }))
}

/// The vector times a function, such that its entries have neither denominators nor common factors, also none that
/// sin² + cos² = 1 hides. `None` if an entry is undefined; entries that share nothing stay as they are.
///
/// ```
/// use isotrope_algebra::{Budget, Pool, normal::without_common_factors, syntax::parse_expression};
/// let mut pool = Pool::new();
/// let mut row = |texts: [&str; 2]| texts.map(|text| parse_expression(&mut pool, text).unwrap());
/// let (given, wanted) = (row(["sin(x)^2", "sin(x)*(1 + cos(x))"]), row(["sin(x)", "1 + cos(x)"]));
/// let found = without_common_factors(&mut pool, &given, &mut Budget::new(10_000)).unwrap();
/// assert_eq!(found, Some(wanted.to_vec()));
/// ```
pub fn without_common_factors(
    pool: &mut Pool,
    vector: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
    let Some(Numerators { generators, circles, entries, broken }) =
        numerators(pool, vector, budget)?
    else {
        return Ok(None);
    };
    if entries.iter().all(Polynomial::is_zero) {
        return Ok(Some(vector.to_vec()));
    }
    let degrees: Vec<u16> = circles
        .iter()
        .map(|&circle| entries.iter().map(|entry| turns(entry, circle)).max().unwrap_or(0))
        .collect();
    let mut lifted = entries.clone();
    for (&circle, &degree) in circles.iter().zip(&degrees) {
        for entry in &mut lifted {
            *entry = in_tangents(entry, circle, degree, budget)?;
        }
    }
    let nonzero: Vec<Polynomial> = lifted.iter().filter(|e| !e.is_zero()).cloned().collect();
    let scale = nonzero.iter().fold(Rational::ZERO, |g, entry| g.gcd(&entry.content()));
    let shared = gcd_of_all(nonzero, budget)?.primitive_part();
    for factor in candidates(&shared, &circles, budget)? {
        let mut rest = Vec::with_capacity(lifted.len());
        for entry in &lifted {
            rest.push(entry.div_exact(&factor, budget)?);
        }
        let Some(halves) = room(&lifted, &rest, &circles, &degrees) else { continue };
        let less = halves.iter().zip(&degrees).any(|(now, before)| now < before);
        if !broken && !less && factor.is_constant() {
            return Ok(Some(vector.to_vec()));
        }
        for entry in &mut rest {
            for (&circle, &half) in circles.iter().zip(&halves) {
                *entry = in_circle(entry, circle, half, budget)?;
            }
            *entry = entry.reduce(generators.rules(), budget)?;
        }
        let content = rest.iter().fold(Rational::ZERO, |g, entry| g.gcd(&entry.content()));
        // A number stays where it was; what halves of angles brought does not.
        let (Some(own), true) = (content.recip(), !scale.is_zero()) else { break };
        let mut cleared = Vec::with_capacity(rest.len());
        for entry in &rest {
            let entry = entry.scale(&own, budget)?;
            cleared.push(generators.to_expression(pool, &Fraction::from_polynomial(entry)));
        }
        return Ok(Some(cleared));
    }
    Ok(Some(vector.to_vec()))
}

/// Factors that may be taken out, the largest first: all that is shared; what of it is even in every half angle; nothing.
fn candidates(
    shared: &Polynomial,
    circles: &[Circle],
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, OutOfBudget> {
    let mut list = vec![shared.clone()];
    if !shared.is_constant() {
        let mut even = Polynomial::one();
        for (factor, power) in shared.square_free(budget)?.factors {
            let odd = circles.iter().any(|circle| factor.degree_in(circle.cosine) % 2 == 1);
            let power = if odd { power - power % 2 } else { power };
            even = even.mul(&factor.powi(power, budget)?, budget)?;
        }
        list.extend([even, Polynomial::one()]);
    }
    Ok(list)
}

/// Degrees in sine and cosine of what is left, or nothing if that would be a polynomial in half angles.
fn room(
    before: &[Polynomial],
    after: &[Polynomial],
    circles: &[Circle],
    degrees: &[u16],
) -> Option<Vec<u16>> {
    let most = |list: &[Polynomial], circle: &Circle| {
        list.iter().map(|entry| entry.degree_in(circle.cosine)).max().unwrap_or(0)
    };
    let halves = circles.iter().zip(degrees).map(|(circle, &degree)| {
        let (had, has) = (most(before, circle), most(after, circle));
        // An odd one takes a zero at half a turn along, if there was one.
        let even = has % 2 == 0;
        (even || had < 2 * degree).then_some(has / 2 + has % 2)
    });
    halves.collect()
}

/// A function that must not vanish: its zeros away from half turns, and whether it vanishes there.
#[derive(Debug, Clone)]
struct Zeros {
    polynomial: Polynomial,
    half_turns: Vec<bool>,
}

/// Conditions `f ≠ 0` in their shortest form: all of them hold exactly where all of those given do. Factors stand alone,
/// once, without powers; numbers and what is positive for all real values are left out.
///
/// ```
/// use isotrope_algebra::{Budget, Pool, normal::distinct_zeros, syntax::parse_expression};
/// let mut pool = Pool::new();
/// let mut list = |texts: &[&str]| -> Vec<_> {
///     texts.iter().map(|text| parse_expression(&mut pool, text).unwrap()).collect()
/// };
/// let given = list(&["l^2", "l*cos(x)", "sin(x)*(1 - sin(x)^2)", "1 + y^2", "(1 - cos(x)^2)/3"]);
/// let wanted = list(&["l", "cos(x)", "sin(x)"]);
/// let found = distinct_zeros(&mut pool, &given, &mut Budget::new(100_000)).unwrap();
/// assert_eq!(found, wanted);
/// ```
pub fn distinct_zeros(
    pool: &mut Pool,
    conditions: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let mut generators = Generators::new(pool, conditions, AngleSplitting::Split, budget)?;
    let Some(fractions) = generators.fractions(pool, conditions, budget)? else {
        return Ok(conditions.to_vec());
    };
    let mut polynomials = Vec::with_capacity(fractions.len());
    for fraction in &fractions {
        polynomials.push(generators.reduce(fraction, budget)?.numerator);
    }
    let circles: Vec<Circle> =
        generators.circle_pairs().map(|(_, cosine, sine)| Circle { cosine, sine }).collect();
    let mut known: Vec<Zeros> = Vec::new();
    for polynomial in polynomials {
        if polynomial.is_zero() {
            // What vanishes everywhere is for others to judge.
            return Ok(conditions.to_vec());
        }
        let mut zeros = Zeros { polynomial, half_turns: Vec::with_capacity(circles.len()) };
        for &circle in &circles {
            let degree = turns(&zeros.polynomial, circle);
            let lifted = in_tangents(&zeros.polynomial, circle, degree, budget)?;
            zeros.half_turns.push(lifted.degree_in(circle.cosine) < 2 * degree);
            zeros.polynomial = without(lifted, &one_and_square(circle, 1), budget)?;
        }
        for part in parts(zeros, &circles, budget)? {
            add(&mut known, part, budget)?;
        }
    }
    let mut list = Vec::new();
    for zeros in known {
        if let Some(expression) = written(pool, &generators, &circles, zeros, budget)? {
            list.push(expression);
        }
    }
    Ok(list)
}

/// Takes all powers of a factor out.
fn without(
    mut polynomial: Polynomial,
    factor: &Polynomial,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    loop {
        let common = gcd(&polynomial, factor, budget)?;
        if common.is_constant() {
            return Ok(polynomial);
        }
        polynomial = polynomial.div_exact(&common, budget)?;
    }
}

/// Square-free factors: variables that stand alone, contents, the rest. Zeros at half a turn stay with the part that
/// has the variable, or are one of their own.
fn parts(zeros: Zeros, circles: &[Circle], budget: &mut Budget) -> Result<Vec<Zeros>, OutOfBudget> {
    let mut open = vec![zeros.polynomial.square_free(budget)?.radical(budget)?];
    let mut factors = Vec::new();
    while let Some(polynomial) = open.pop() {
        let split = polynomial.variables().into_iter().find_map(|variable| {
            match polynomial.content_in(variable, budget) {
                Ok(content) if content.is_constant() => None,
                other => Some(other),
            }
        });
        match split {
            Some(content) => {
                let content = content?;
                open.push(polynomial.div_exact(&content, budget)?);
                open.push(content);
            }
            None if polynomial.is_constant() => {}
            None => {
                // A variable that divides everything has no content in itself.
                let alone = polynomial.monomial_content();
                let rest = polynomial.checked_div_monomial(&alone);
                let circle = |variable: usize| circles.iter().any(|c| c.cosine == variable);
                match (alone.variables().next(), rest) {
                    (Some(variable), Some(rest)) if !circle(variable) && !rest.is_constant() => {
                        open.push(Polynomial::variable(variable));
                        open.push(rest);
                    }
                    _ => factors.push(polynomial),
                }
            }
        }
    }
    let mut list: Vec<Zeros> = factors
        .into_iter()
        .map(|polynomial| Zeros { polynomial, half_turns: vec![false; circles.len()] })
        .collect();
    for (k, circle) in circles.iter().enumerate().filter(|(k, _)| zeros.half_turns[*k]) {
        let with = |part: &&mut Zeros| part.polynomial.degree_in(circle.cosine) % 2 == 1;
        match list.iter_mut().find(with) {
            Some(part) => part.half_turns[k] = true,
            None => {
                let mut half_turns = vec![false; circles.len()];
                half_turns[k] = true;
                list.push(Zeros { polynomial: Polynomial::one(), half_turns });
            }
        }
    }
    Ok(list)
}

/// Adds what is new of a condition.
fn add(known: &mut Vec<Zeros>, mut new: Zeros, budget: &mut Budget) -> Result<(), OutOfBudget> {
    for other in known.iter() {
        new.polynomial = without(new.polynomial, &other.polynomial, budget)?;
        // Half a turn alone is excluded by another only if nothing else is needed for that.
        if other.polynomial.is_constant() || other.half_turns.iter().filter(|t| **t).count() == 1 {
            for (mine, theirs) in new.half_turns.iter_mut().zip(&other.half_turns) {
                *mine &= !*theirs;
            }
        }
    }
    let positive = is_positive(&new.polynomial);
    if !positive || new.half_turns.contains(&true) {
        known.push(new);
    }
    Ok(())
}

/// Is it of one sign whatever real values its variables have?
fn is_positive(polynomial: &Polynomial) -> bool {
    let Some((_, first)) = polynomial.leading_term() else { return false };
    let even = |m: &Monomial| m.exponents().iter().all(|exponent| exponent % 2 == 0);
    let constant = polynomial.terms().iter().any(|(m, _)| m.is_one());
    let signs = polynomial.terms().iter().all(|(_, c)| c.is_negative() == first.is_negative());
    constant && signs && polynomial.terms().iter().all(|(m, _)| even(m))
}

/// The expression, squared where it would need half angles.
fn written(
    pool: &mut Pool,
    generators: &Generators,
    circles: &[Circle],
    zeros: Zeros,
    budget: &mut Budget,
) -> Result<Option<ExprId>, OutOfBudget> {
    let Zeros { mut polynomial, half_turns } = zeros;
    let total = |polynomial: &Polynomial, k: usize, times: u16| {
        polynomial.degree_in(circles[k].cosine) + if half_turns[k] { times } else { 0 }
    };
    let odd = (0..circles.len()).any(|k| total(&polynomial, k, 1) % 2 == 1);
    let times = if odd { 2 } else { 1 };
    if odd {
        polynomial = polynomial.powi(2, budget)?;
    }
    let halves: Vec<u16> = (0..circles.len()).map(|k| total(&polynomial, k, times) / 2).collect();
    for (&circle, &half) in circles.iter().zip(&halves) {
        polynomial = in_circle(&polynomial, circle, half, budget)?;
    }
    let polynomial = polynomial.reduce(generators.rules(), budget)?.primitive_part();
    if polynomial.is_constant() {
        return Ok(None);
    }
    let expression = generators.to_expression(pool, &Fraction::from_polynomial(polynomial));
    Ok(Some(super::simplify(pool, expression, budget)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::{Zero, is_zero};
    use crate::syntax::parse_expression;

    fn list(pool: &mut Pool, texts: &[&str]) -> Vec<ExprId> {
        texts.iter().map(|text| parse_expression(pool, text).unwrap()).collect()
    }

    /// Is one vector the other times a number?
    fn parallel(pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> bool {
        let budget = &mut Budget::new(1_000_000);
        (0..a.len()).all(|i| {
            (0..i).all(|j| {
                let (left, right) = (pool.mul(a[i], b[j]), pool.mul(a[j], b[i]));
                let difference = pool.sub(left, right);
                is_zero(pool, difference, budget) == Zero::Yes
            })
        })
    }

    #[test]
    fn factors_that_the_circle_hides_go() {
        for (given, wanted) in [
            // sin² is written as 1 − cos² on the way.
            (&["sin(a)^2", "sin(a)*cos(a)"][..], &["sin(a)", "cos(a)"][..]),
            (&["sin(a - b)*sin(a)", "sin(a - b)*sin(b)"], &["sin(a)", "sin(b)"]),
            (&["sin(2*a)", "cos(a)^2*l"], &["2*sin(a)", "l*cos(a)"]),
            (&["1 - cos(a)", "sin(a)^2"], &["1", "1 + cos(a)"]),
            (&["x*cos(a)/y", "x*(1 + sin(a))*cos(a)/z"], &["z", "y*(1 + sin(a))"]),
        ] {
            let mut pool = Pool::new();
            let (given, wanted) = (list(&mut pool, given), list(&mut pool, wanted));
            let budget = &mut Budget::new(1_000_000);
            let found = without_common_factors(&mut pool, &given, budget).unwrap().unwrap();
            assert!(parallel(&mut pool, &found, &wanted));
            for (mine, theirs) in found.iter().zip(&wanted) {
                let quotient = pool.div(*mine, *theirs);
                let quotient = crate::normal::simplify(&mut pool, quotient, budget);
                assert!(pool.as_number(quotient).is_some());
            }
        }
    }

    #[test]
    fn what_has_no_common_factor_stays_as_it_is() {
        let mut pool = Pool::new();
        // sin(a) and 1 + cos(a) share a half of a zero at half a turn, which no polynomial in both has.
        for given in [["sin(a)", "1 + cos(a)"], ["sin(a + b)", "(x + 1)^3"], ["0", "0"]] {
            let given = list(&mut pool, &given);
            let found = without_common_factors(&mut pool, &given, &mut Budget::new(1_000_000));
            assert_eq!(found.unwrap(), Some(given));
        }
    }

    #[test]
    fn conditions_are_split_and_told_once() {
        for (given, wanted) in [
            (
                &["4*cos(a)^2*(sin(a)^2 + l^2*cos(a)^2)"][..],
                &["cos(a)", "sin(a)^2 + l^2*cos(a)^2"][..],
            ),
            (&["a - b", "(b - a)/c^2", "c"], &["a - b", "c"]),
            (&["cos(a)^2 + sin(a)^2", "2 + cos(a)^2", "x^2 + 1"], &[]),
            (&["1 + cos(a)", "sin(a)"], &["1 + cos(a)", "1 - cos(a)"]),
            (&["x^2 + y^2"], &["x^2 + y^2"]),
        ] {
            let mut pool = Pool::new();
            let (given, wanted) = (list(&mut pool, given), list(&mut pool, wanted));
            let budget = &mut Budget::new(1_000_000);
            let found = distinct_zeros(&mut pool, &given, budget).unwrap();
            assert_eq!(found.len(), wanted.len());
            for (mine, theirs) in found.iter().zip(&wanted) {
                let quotient = pool.div(*mine, *theirs);
                let quotient = crate::normal::simplify(&mut pool, quotient, budget);
                assert!(pool.as_number(quotient).is_some());
            }
        }
    }
}
