//! Exact quotients and normal forms.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use hashbrown::hash_map::Entry;
use rustc_hash::FxBuildHasher;

use super::field::Field;
use super::key::{Accumulate, Integers, Key, Packing, Stop, scaled};
use super::monomial::{Monomial, MonomialOrder};
use super::multiply::with_keys;
use super::sparse::{PolynomialOver, exponent_overflow};
use crate::{Budget, OrInternal, OutOfBudget, Rational};

type Terms<K, C> = Vec<(K, C)>;

/// The quotient of `a` by `b`, both largest first; `None` when a remainder shows up.
///
/// `limits` bounds the exponents of a quotient: a term beyond it proves there is none, and
/// no product leaves the range of the packing.
fn quotient<K: Key, C: Accumulate>(
    a: Terms<K, C>,
    b: &[(K, C)],
    leading: &Monomial,
    limits: &[u16],
    packing: &Packing,
    budget: &mut Budget,
) -> Result<Option<Terms<K, C>>, Stop> {
    let Some((_, leading_coefficient)) = b.first() else { return Ok(None) };
    let mut heap: BinaryHeap<K> = a.iter().map(|(key, _)| key.clone()).collect();
    let mut rest: hashbrown::HashMap<K, C, FxBuildHasher> = a.into_iter().collect();
    let mut terms = Vec::new();
    while let Some(key) = heap.pop() {
        let Some(value) = rest.remove(&key).filter(|value| !value.vanishes()) else { continue };
        let Some(monomial) = key.unpack(packing).checked_div(leading) else { return Ok(None) };
        let within = monomial.exponents().iter().zip(limits).all(|(e, limit)| e <= limit);
        if !within || monomial.exponents().len() > limits.len() {
            return Ok(None);
        }
        let Some(factor) = value.quotient(leading_coefficient, budget)? else { return Ok(None) };
        let (key, opposite) = (K::pack(packing, &monomial), factor.opposite());
        budget.spend(b.len() as u64, "dividing polynomials")?;
        for (other, y) in &b[1..] {
            match rest.entry(key.times(other)) {
                Entry::Occupied(mut entry) => entry.get_mut().accumulate(&opposite, y, budget)?,
                Entry::Vacant(entry) => {
                    heap.push(entry.key().clone());
                    entry.insert(C::product(&opposite, y, budget)?);
                }
            }
        }
        terms.push((key, factor));
    }
    Ok(Some(terms))
}

fn quotient_with<K: Key, F: Field>(
    a: &PolynomialOver<F>,
    b: &PolynomialOver<F>,
    limits: &[u16],
    packing: &Packing,
    budget: &mut Budget,
) -> Result<Option<PolynomialOver<F>>, Stop> {
    let Some((leading, _)) = b.leading_term() else { return Ok(None) };
    // Over the rationals: by Gauss's lemma the quotient of an integer polynomial by a
    // primitive one is an integer polynomial, so integers suffice and refuse early.
    if let (Some(x), Some(y)) = (Integers::of(a), Integers::of(b)) {
        let Some(content) = x.content.checked_div(&y.content) else { return Ok(None) };
        if let (Some(p), Some(q)) = (x.wide(), y.wide()) {
            let (p, q) = (with_keys::<K, F, _>(a, p, packing), with_keys(b, q, packing));
            match quotient(p, &q, leading, limits, packing, budget) {
                Ok(terms) => {
                    return Ok(terms.map(|terms| {
                        let terms = terms.into_iter().map(|(k, c)| {
                            (k.unpack(packing), F::from_rational(scaled(c, &content)))
                        });
                        PolynomialOver::from_sorted(terms.collect())
                    }));
                }
                Err(Stop::Overflow) => {}
                Err(stop) => return Err(stop),
            }
        }
        let (p, q) = (with_keys::<K, F, _>(a, x.big(), packing), with_keys(b, y.big(), packing));
        let terms = quotient(p, &q, leading, limits, packing, budget)?;
        return Ok(terms.map(|terms| {
            let terms = terms
                .into_iter()
                .map(|(k, c)| (k.unpack(packing), F::from_rational(Rational::from(c) * &content)));
            PolynomialOver::from_sorted(terms.collect())
        }));
    }
    let coefficients =
        |f: &PolynomialOver<F>| -> Vec<F> { f.terms().iter().map(|(_, c)| c.clone()).collect() };
    let p: Terms<K, F> = with_keys(a, coefficients(a), packing);
    let q: Terms<K, F> = with_keys(b, coefficients(b), packing);
    let terms = quotient(p, &q, leading, limits, packing, budget)?;
    Ok(terms.map(|terms| {
        let terms = terms.into_iter().map(|(k, c)| (k.unpack(packing), c));
        PolynomialOver::from_sorted(terms.collect())
    }))
}

/// A monomial with the order it is compared in.
#[derive(Clone, PartialEq, Eq)]
struct Ordered {
    monomial: Monomial,
    order: MonomialOrder,
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.monomial.compare(&other.monomial, self.order)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<F: Field> PolynomialOver<F> {
    /// The quotient by a polynomial that is known to divide `self`.
    #[track_caller]
    pub fn div_exact(&self, divisor: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let quotient = self.checked_div_exact(divisor, budget)?;
        Ok(quotient.or_internal("the divisor divides the polynomial")?)
    }

    /// The quotient if `divisor` divides `self`; `None` if it does not or is zero.
    pub fn checked_div_exact(
        &self,
        divisor: &Self,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        if self.is_zero() && !divisor.is_zero() {
            return Ok(Some(Self::zero()));
        }
        if let [(monomial, coefficient)] = divisor.terms() {
            let quotient = self.checked_div_monomial(monomial);
            return match (quotient, coefficient.reciprocal()) {
                (Some(q), Some(inverse)) => q.scale(&inverse, budget).map(Some),
                _ => Ok(None),
            };
        }
        // The largest and the smallest term of a product are the products of the largest
        // and the smallest terms.
        let (Some(a), Some(b)) = (self.terms().last(), divisor.terms().last()) else {
            return Ok(None);
        };
        if !b.0.divides(&a.0) {
            return Ok(None);
        }
        let (bounds, mut limits) = (self.degrees(), divisor.degrees());
        limits.resize(limits.len().max(bounds.len()), 0);
        for (index, limit) in limits.iter_mut().enumerate() {
            match bounds.get(index).copied().unwrap_or(0).checked_sub(*limit) {
                Some(difference) => *limit = difference,
                None => return Ok(None),
            }
        }
        // Graded order: no product on the way has a higher degree than `self`.
        let packing = Packing::new(&bounds, self.degree().unwrap_or(0));
        let result = match packing.bits {
            0..=63 => quotient_with::<u64, F>(self, divisor, &limits, &packing, budget),
            64..=127 => quotient_with::<u128, F>(self, divisor, &limits, &packing, budget),
            _ => quotient_with::<Monomial, F>(self, divisor, &limits, &packing, budget),
        };
        result.map_err(|stop| match stop {
            Stop::Budget(error) => error,
            // Only the machine-integer road overflows, and it has a wider one behind it.
            Stop::Overflow => exponent_overflow(budget),
        })
    }

    /// Division by a list: quotients `q_i` and a remainder `r` with
    /// `self = sum q_i divisors_i + r` such that no term of `r` is divisible by a leading
    /// monomial (in `order`) of a divisor. Zero divisors get the quotient zero.
    pub fn div_rem_by_all(
        &self,
        divisors: &[Self],
        order: MonomialOrder,
        budget: &mut Budget,
    ) -> Result<(Vec<Self>, Self), OutOfBudget> {
        let mut quotients = vec![Vec::new(); divisors.len()];
        let remainder = self.divide_by_all(
            divisors,
            order,
            |index, monomial, factor| quotients[index].push((monomial, factor)),
            budget,
        )?;
        let mut sums = Vec::with_capacity(quotients.len());
        for terms in quotients {
            sums.push(Self::sum_of_terms(terms, budget)?);
        }
        Ok((sums, remainder))
    }

    /// The remainder of [`PolynomialOver::div_rem_by_all`].
    pub fn normal_form(
        &self,
        divisors: &[Self],
        order: MonomialOrder,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        self.divide_by_all(divisors, order, |_, _, _| {}, budget)
    }

    fn divide_by_all(
        &self,
        divisors: &[Self],
        order: MonomialOrder,
        mut record: impl FnMut(usize, Monomial, F),
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut leads = Vec::with_capacity(divisors.len());
        for (index, divisor) in divisors.iter().enumerate() {
            if let Some((monomial, coefficient)) = divisor.leading_term_in(order)
                && let Some(inverse) = coefficient.reciprocal()
            {
                leads.push((index, monomial, inverse));
            }
        }
        let ordered = |monomial: &Monomial| Ordered { monomial: monomial.clone(), order };
        let mut heap: BinaryHeap<Ordered> = self.terms().iter().map(|(m, _)| ordered(m)).collect();
        let mut rest: hashbrown::HashMap<Monomial, F, FxBuildHasher> =
            self.terms().iter().cloned().collect();
        let mut remainder = Vec::new();
        while let Some(Ordered { monomial, .. }) = heap.pop() {
            let Some(value) = rest.remove(&monomial).filter(|value| !value.is_zero()) else {
                continue;
            };
            budget.spend(leads.len() as u64 + 1, "reducing to a normal form")?;
            let step = leads.iter().find_map(|(index, lead, inverse)| {
                Some((*index, *lead, inverse, monomial.checked_div(lead)?))
            });
            let Some((index, lead, inverse, shift)) = step else {
                remainder.push((monomial, value));
                continue;
            };
            let factor = value.times(inverse, budget)?;
            let opposite = factor.negate();
            budget.spend(divisors[index].len() as u64, "reducing to a normal form")?;
            for (m, c) in divisors[index].terms().iter().filter(|(m, _)| m != lead) {
                let key = shift.checked_mul(m).ok_or_else(|| exponent_overflow(budget))?;
                let product = opposite.times(c, budget)?;
                match rest.entry(key) {
                    Entry::Occupied(mut entry) => {
                        let sum = entry.get().plus(&product, budget)?;
                        entry.insert(sum);
                    }
                    Entry::Vacant(entry) => {
                        heap.push(ordered(entry.key()));
                        entry.insert(product);
                    }
                }
            }
            record(index, shift, factor);
        }
        Self::sum_of_terms(remainder, budget)
    }
}
