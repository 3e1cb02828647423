//! Real algebraic numbers, exactly: a minimal polynomial and which of its real roots.

mod arithmetic;
mod text;

#[cfg(test)]
mod tests;

pub(super) use arithmetic::Field;
pub(super) use text::split_square;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use dashu_base::BitTest;

use super::{Ball, Precision, Rational};
use crate::univariate::{IntegerPolynomial, RealRoot};
use crate::{Budget, OutOfBudget};

/// Why an algebraic number could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlgebraicError {
    /// The divisor is zero.
    #[error("division by zero")]
    DivisionByZero,
    /// The polynomial has fewer real roots than asked for.
    #[error("root {wanted} of a polynomial with {count} real roots")]
    NoSuchRoot {
        /// The number of the root, counted from one.
        wanted: usize,
        /// How many distinct real roots there are.
        count: usize,
    },
    /// An even root of a negative number, or a root of degree zero.
    #[error("no real root of degree {degree}")]
    NotReal {
        /// The degree of the root.
        degree: u32,
    },
    /// The computation was stopped.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// A real algebraic number.
///
/// Stored as its minimal polynomial (irreducible over the rationals, primitive, positive
/// leading coefficient), its place among the real roots, and an isolating interval. The
/// first two are canonical: equality and hashing use nothing else.
///
/// ```
/// use isotrope_algebra::{Budget, Rational};
/// use isotrope_algebra::number::AlgebraicNumber;
/// let mut budget = Budget::new(1_000_000);
/// let sqrt = |n: i64, budget: &mut Budget| AlgebraicNumber::from(Rational::from(n)).sqrt(budget);
/// let sum = sqrt(2, &mut budget)?.add(&sqrt(3, &mut budget)?, &mut budget)?;
/// assert_eq!(sum.minimal_polynomial().to_string(), "x^4 - 10*x^2 + 1");
/// assert_eq!(sum.to_f64(), 3.1462643699419726);
/// # Ok::<(), isotrope_algebra::number::AlgebraicError>(())
/// ```
#[derive(Clone)]
pub struct AlgebraicNumber {
    minimal: IntegerPolynomial,
    /// Place among the real roots of `minimal`, from zero, ascending.
    index: usize,
    /// How many real roots `minimal` has.
    count: usize,
    root: RealRoot,
}

/// Polynomials of which exactly one has the wanted number as a root.
enum Candidates {
    /// Square-free and pairwise coprime, not necessarily irreducible.
    Coprime(Vec<IntegerPolynomial>),
    /// Known to be irreducible.
    Irreducible(IntegerPolynomial),
}

impl Candidates {
    fn of(polynomial: &IntegerPolynomial, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let factors = polynomial.square_free_factors(budget)?;
        Ok(Self::Coprime(factors.into_iter().map(|(factor, _)| factor).collect()))
    }
}

impl From<Rational> for AlgebraicNumber {
    fn from(value: Rational) -> Self {
        Self {
            minimal: IntegerPolynomial::with_root(&value),
            index: 0,
            count: 1,
            root: RealRoot::exact(value),
        }
    }
}

impl AlgebraicNumber {
    /// The real root number `number` (from one, ascending, repeated roots counted once).
    pub fn root(
        polynomial: &IntegerPolynomial,
        number: usize,
        budget: &mut Budget,
    ) -> Result<Self, AlgebraicError> {
        let mut roots = Self::roots(polynomial, budget)?;
        let count = roots.len();
        if number == 0 || number > count {
            return Err(AlgebraicError::NoSuchRoot { wanted: number, count });
        }
        Ok(roots.swap_remove(number - 1))
    }

    /// All distinct real roots, ascending.
    pub fn roots(
        polynomial: &IntegerPolynomial,
        budget: &mut Budget,
    ) -> Result<Vec<Self>, OutOfBudget> {
        let mut roots = Vec::new();
        for (factor, _) in polynomial.factor(budget)?.factors {
            roots.extend(Self::roots_of_irreducible(&factor, budget)?);
        }
        roots.sort();
        Ok(roots)
    }

    fn roots_of_irreducible(
        minimal: &IntegerPolynomial,
        budget: &mut Budget,
    ) -> Result<Vec<Self>, OutOfBudget> {
        if minimal.degree() == Some(1) {
            let (numerator, denominator) = (minimal.coefficient(0), minimal.coefficient(1));
            let value = Rational::from(-numerator).checked_div(&Rational::from(denominator));
            return Ok(value.into_iter().map(Self::from).collect());
        }
        let roots = minimal.real_roots(budget)?;
        let count = roots.len();
        let number = |(index, root)| Self { minimal: minimal.clone(), index, count, root };
        Ok(roots.into_iter().enumerate().map(number).collect())
    }

    /// The root of one of the polynomials that lies in every interval `enclose(bits)`; these
    /// shrink to a point as `bits` grows.
    fn select(
        candidates: Candidates,
        mut enclose: impl FnMut(i64) -> (Rational, Rational),
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let doing = "identifying an algebraic number";
        let mut bits = 16i64;
        let mut margin = Rational::new(1, 1 << 16).unwrap_or(Rational::ONE);
        let mut next = |budget: &mut Budget| {
            bits *= 2;
            margin = &margin * &margin;
            budget.spend(bits.unsigned_abs(), doing)?;
            // Widened so that the number lies strictly inside.
            let (low, high) = enclose(bits);
            Ok::<_, OutOfBudget>((&low - &margin, &high + &margin))
        };
        let (mut candidates, mut factored) = match candidates {
            Candidates::Coprime(polynomials) => (polynomials, false),
            Candidates::Irreducible(polynomial) => (vec![polynomial], true),
        };
        let minimal = loop {
            let (low, high) = next(budget)?;
            let mut largest = 0;
            let mut left = Vec::new();
            for candidate in candidates {
                budget.spend((candidate.coefficients().len() as u64).pow(2), doing)?;
                let variations = candidate.variations_between(&low, &high);
                if variations > 0 {
                    largest = largest.max(variations);
                    left.push(candidate);
                }
            }
            match left.as_slice() {
                // The enclosures do not belong to a root of the candidates.
                [] => return Err(OutOfBudget::spent(budget.spent(), doing)),
                [only] if largest == 1 && factored => break only.clone(),
                [only] if !factored => {
                    // Only the part that has the number as a root needs factoring.
                    left = only.factor_square_free(budget)?;
                    factored = true;
                }
                _ => {}
            }
            candidates = left;
        };
        let mut roots = Self::roots_of_irreducible(&minimal, budget)?;
        loop {
            let (low, high) = next(budget)?;
            roots.retain(|root| *root.root.high() > low && *root.root.low() < high);
            if roots.len() <= 1 {
                return roots.pop().ok_or(OutOfBudget::spent(budget.spent(), doing));
            }
            for root in &mut roots {
                root.root.bisect(&root.minimal);
            }
        }
    }

    /// The minimal polynomial over the rationals: primitive, positive leading coefficient.
    pub fn minimal_polynomial(&self) -> &IntegerPolynomial {
        &self.minimal
    }

    /// The degree over the rationals.
    pub fn degree(&self) -> usize {
        self.minimal.degree().unwrap_or(0)
    }

    /// Which real root of the minimal polynomial it is, from one, ascending.
    pub fn root_number(&self) -> usize {
        self.index + 1
    }

    /// An interval that isolates it from the other roots of its minimal polynomial.
    pub fn isolating_interval(&self) -> &RealRoot {
        &self.root
    }

    /// The value, when it is rational.
    pub fn as_rational(&self) -> Option<&Rational> {
        if self.degree() == 1 { self.root.as_exact() } else { None }
    }

    /// Is it rational?
    pub fn is_rational(&self) -> bool {
        self.degree() == 1
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.as_rational().is_some_and(Rational::is_zero)
    }

    /// Its sign, as an ordering against zero.
    pub fn sign(&self) -> Ordering {
        self.cmp_rational(&Rational::ZERO)
    }

    /// Is it less than zero?
    pub fn is_negative(&self) -> bool {
        self.sign() == Ordering::Less
    }

    /// Exact comparison with a rational number.
    pub fn cmp_rational(&self, other: &Rational) -> Ordering {
        if let Some(value) = self.as_rational() {
            return value.cmp(other);
        }
        // Irrational, so the interval leaves the point in the end.
        let mut root = self.root.clone();
        loop {
            if root.low() >= other {
                return Ordering::Greater;
            }
            if root.high() <= other {
                return Ordering::Less;
            }
            root.bisect(&self.minimal);
        }
    }

    /// Rational bounds at most `2^-bits` apart.
    pub fn bounds(&self, bits: i64) -> (Rational, Rational) {
        let mut root = self.root.clone();
        root.refine(&self.minimal, bits);
        (root.low().clone(), root.high().clone())
    }

    /// An enclosure of about the precision's relative accuracy.
    pub fn enclosure(&self, precision: Precision) -> Ball {
        if let Some(value) = self.as_rational() {
            return Ball::from_rational(value, precision);
        }
        let mut root = self.root.clone();
        while !root.is_off_zero() {
            root.bisect(&self.minimal);
        }
        let size = root.low().abs().min(root.high().abs());
        // size >= 2^(numerator bits - denominator bits - 1).
        let exponent = size.numerator().bit_len() as i64 - size.denominator().bit_len() as i64 - 1;
        root.refine(&self.minimal, i64::from(precision.bits()) + 2 - exponent);
        Ball::from_interval(root.low(), root.high(), precision)
    }

    /// The correctly rounded `f64` (ties to even).
    pub fn to_f64(&self) -> f64 {
        if let Some(value) = self.as_rational() {
            return value.to_f64();
        }
        // Midpoints between doubles are rational, so some precision decides.
        let mut precision = Precision::new(96);
        loop {
            let ball = self.enclosure(precision);
            if let Some(value) = ball.to_f64_certain() {
                return value;
            }
            match precision.doubled() {
                Some(more) => precision = more,
                None => return ball.to_f64(),
            }
        }
    }
}

impl PartialEq for AlgebraicNumber {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && self.minimal == other.minimal
    }
}

impl Eq for AlgebraicNumber {}

impl Hash for AlgebraicNumber {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.minimal.hash(state);
        self.index.hash(state);
    }
}

impl Ord for AlgebraicNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.minimal == other.minimal {
            return self.index.cmp(&other.index);
        }
        if let Some(value) = other.as_rational() {
            return self.cmp_rational(value);
        }
        if let Some(value) = self.as_rational() {
            return other.cmp_rational(value).reverse();
        }
        // Different irrational numbers: the intervals separate in the end.
        let (mut left, mut right) = (self.root.clone(), other.root.clone());
        loop {
            if left.high() <= right.low() {
                return Ordering::Less;
            }
            if left.low() >= right.high() {
                return Ordering::Greater;
            }
            if left.width() > right.width() {
                left.bisect(&self.minimal);
            } else {
                right.bisect(&other.minimal);
            }
        }
    }
}

impl PartialOrd for AlgebraicNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
