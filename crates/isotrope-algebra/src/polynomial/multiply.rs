//! Products and powers.

use hashbrown::hash_map::Entry;
use rustc_hash::FxBuildHasher;

use super::field::Field;
use super::key::{Accumulate, Integers, Key, Packing, Stop, scaled};
use super::sparse::{PolynomialOver, exponent_overflow};
use crate::{Budget, OutOfBudget, Rational};

const DOING: &str = "multiplying polynomials";

/// Below this many products of terms, sorting them beats every cleverer road.
const FEW_PRODUCTS: usize = 24;

type Terms<K, C> = Vec<(K, C)>;

/// All products of terms, gathered by key, largest first.
fn multiply<K: Key, C: Accumulate>(
    a: &[(K, C)],
    b: &[(K, C)],
    budget: &mut Budget,
) -> Result<Terms<K, C>, Stop> {
    let mut sums: hashbrown::HashMap<K, C, FxBuildHasher> =
        hashbrown::HashMap::with_capacity_and_hasher(2 * (a.len() + b.len()), FxBuildHasher);
    for (key, x) in a {
        budget.spend(b.len() as u64, DOING)?;
        for (other, y) in b {
            match sums.entry(key.times(other)) {
                Entry::Occupied(mut entry) => entry.get_mut().accumulate(x, y, budget)?,
                Entry::Vacant(entry) => {
                    entry.insert(C::product(x, y, budget)?);
                }
            }
        }
    }
    let mut terms: Vec<_> = sums.into_iter().filter(|(_, c)| !c.vanishes()).collect();
    terms.sort_unstable_by(|x, y| y.0.cmp(&x.0));
    Ok(terms)
}

/// Small key ranges: one slot per key.
fn multiply_dense(
    a: &[(u64, i128)],
    b: &[(u64, i128)],
    bits: u32,
    budget: &mut Budget,
) -> Result<Terms<u64, i128>, Stop> {
    let mut sums = vec![0i128; 1 << bits];
    for (key, x) in a {
        budget.spend(b.len() as u64, DOING)?;
        for (other, y) in b {
            sums[(key + other) as usize].accumulate(x, y, budget)?;
        }
    }
    let mut terms: Vec<_> = (0..).zip(sums).filter(|(_, c)| *c != 0).collect();
    terms.reverse();
    Ok(terms)
}

/// The keys of a polynomial beside the given coefficients.
pub(super) fn with_keys<K: Key, F: Field, C>(
    polynomial: &PolynomialOver<F>,
    coefficients: impl IntoIterator<Item = C>,
    packing: &Packing,
) -> Terms<K, C> {
    let keys = polynomial.terms().iter().map(|(m, _)| K::pack(packing, m));
    keys.zip(coefficients).collect()
}

fn multiply_with<K: Key, F: Field>(
    a: &PolynomialOver<F>,
    b: &PolynomialOver<F>,
    packing: &Packing,
    budget: &mut Budget,
) -> Result<PolynomialOver<F>, Stop> {
    let unpack = |key: K| key.unpack(packing);
    if let (Some(x), Some(y)) = (Integers::of(a), Integers::of(b)) {
        let content = &x.content * &y.content;
        if let (Some(p), Some(q)) = (x.wide(), y.wide()) {
            let dense = packing.bits <= 22 && (1 << packing.bits) <= 4 * a.len() * b.len();
            let product = if dense {
                let (p, q) = (with_keys(a, p, packing), with_keys(b, q, packing));
                multiply_dense(&p, &q, packing.bits, budget).map(|terms| {
                    let terms = terms.into_iter();
                    terms
                        .map(|(k, c)| (k.unpack(packing), F::from_rational(scaled(c, &content))))
                        .collect()
                })
            } else {
                let (p, q) = (with_keys(a, p, packing), with_keys(b, q, packing));
                multiply::<K, i128>(&p, &q, budget).map(|terms| {
                    let terms = terms.into_iter();
                    terms.map(|(k, c)| (unpack(k), F::from_rational(scaled(c, &content)))).collect()
                })
            };
            match product {
                Ok(terms) => return Ok(PolynomialOver::from_sorted(terms)),
                Err(Stop::Overflow) => {}
                Err(stop) => return Err(stop),
            }
        }
        let (p, q) = (with_keys(a, x.big(), packing), with_keys(b, y.big(), packing));
        let terms = multiply::<K, _>(&p, &q, budget)?.into_iter();
        let terms = terms.map(|(k, c)| (unpack(k), F::from_rational(Rational::from(c) * &content)));
        return Ok(PolynomialOver::from_sorted(terms.collect()));
    }
    let coefficients =
        |f: &PolynomialOver<F>| -> Vec<F> { f.terms().iter().map(|(_, c)| c.clone()).collect() };
    let p: Terms<K, F> = with_keys(a, coefficients(a), packing);
    let q: Terms<K, F> = with_keys(b, coefficients(b), packing);
    let terms = multiply(&p, &q, budget)?.into_iter().map(|(k, c)| (unpack(k), c)).collect();
    Ok(PolynomialOver::from_sorted(terms))
}

impl<F: Field> PolynomialOver<F> {
    /// The product.
    pub fn mul(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        match (self.terms(), other.terms()) {
            ([], _) | (_, []) => return Ok(Self::zero()),
            ([(m, c)], _) => return other.mul_term(m, c, budget),
            (_, [(m, c)]) => return self.mul_term(m, c, budget),
            _ => {}
        }
        if self.len() * other.len() <= FEW_PRODUCTS {
            return self.mul_few(other, budget);
        }
        let (mut bounds, more) = (self.degrees(), other.degrees());
        bounds.resize(bounds.len().max(more.len()), 0);
        for (bound, degree) in bounds.iter_mut().zip(more) {
            *bound = bound.checked_add(degree).ok_or_else(|| exponent_overflow(budget))?;
        }
        let degree = self.degree().unwrap_or(0) + other.degree().unwrap_or(0);
        let packing = Packing::new(&bounds, degree);
        let product = match packing.bits {
            0..=63 => multiply_with::<u64, F>(self, other, &packing, budget),
            64..=127 => multiply_with::<u128, F>(self, other, &packing, budget),
            _ => multiply_with::<super::Monomial, F>(self, other, &packing, budget),
        };
        product.map_err(|stop| match stop {
            Stop::Budget(error) => error,
            // Only the machine-integer road overflows, and it has a wider one behind it.
            Stop::Overflow => exponent_overflow(budget),
        })
    }

    fn mul_few(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let mut products = Vec::with_capacity(self.len() * other.len());
        for (m, c) in self.terms() {
            for (n, d) in other.terms() {
                let monomial = m.checked_mul(n).ok_or_else(|| exponent_overflow(budget))?;
                products.push((monomial, c.times(d, budget)?));
            }
        }
        Self::sum_of_terms(products, budget)
    }

    /// `self^exponent` (and `0^0 = 1`).
    pub fn powi(&self, exponent: u32, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        match (exponent, self.terms()) {
            (0, _) => return Ok(Self::one()),
            (1, _) | (_, []) => return Ok(self.clone()),
            (_, [(m, c)]) => {
                let monomial = m.checked_pow(exponent).ok_or_else(|| exponent_overflow(budget))?;
                let (mut value, mut square, mut rest) = (F::one(), c.clone(), exponent);
                while rest > 0 {
                    budget.spend(1, "raising a coefficient to a power")?;
                    if rest & 1 == 1 {
                        value = value.times(&square, budget)?;
                    }
                    rest >>= 1;
                    if rest > 0 {
                        square = square.times(&square, budget)?;
                    }
                }
                return Ok(Self::term(monomial, value));
            }
            _ => {}
        }
        // Sparse powers: multiplying by the base again costs less than squaring.
        let mut power = self.clone();
        for _ in 1..exponent {
            power = power.mul(self, budget)?;
        }
        Ok(power)
    }
}
