//! Collection: an expression as a polynomial in chosen variables.

use std::collections::BTreeMap;

use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OutOfBudget};

/// Coefficients by monomial: the key holds (variable index, exponent) pairs, ascending.
pub type Collected = BTreeMap<Power, ExprId>;

/// A monomial: (variable index, exponent) pairs, ascending.
pub type Power = Vec<(u32, u32)>;

/// Why an expression is not a polynomial in the chosen variables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CollectError {
    /// A variable sits inside a function, a denominator, a root or an exponent.
    #[error("not a polynomial in the chosen variables")]
    NotPolynomial {
        /// The subexpression that is not polynomial.
        at: ExprId,
    },
    /// The polynomial is too large.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// Writes `expression` as a polynomial in `variables` with coefficients free of them.
///
/// Only products that contain the variables are multiplied out; everything else stays as it is.
///
/// ```
/// use isotrope_algebra::{Budget, Pool, calculus::collect};
/// let mut pool = Pool::new();
/// let (x, a) = (pool.symbol("x"), pool.symbol("a"));
/// let sum = pool.add(x, a);
/// let square = pool.powi(sum, 2);
/// let collected = collect(&mut pool, square, &[x], &mut Budget::new(1000)).unwrap();
/// let twice_a = pool.add(a, a);
/// assert_eq!(collected[&vec![(0, 1)]], twice_a);
/// ```
pub fn collect(
    pool: &mut Pool,
    expression: ExprId,
    variables: &[ExprId],
    budget: &mut Budget,
) -> Result<Collected, CollectError> {
    let order = pool.walk(&[expression]);
    let index: rustc_hash::FxHashMap<ExprId, u32> =
        variables.iter().enumerate().map(|(k, &variable)| (variable, k as u32)).collect();
    // `None` stands for an expression free of the variables: its own coefficient.
    let mut images: Vec<Option<Collected>> = Vec::with_capacity(order.len());
    for &id in &order {
        budget.spend(1, "collecting")?;
        let mut free = true;
        pool.for_each_child(id, |child| free &= images[pool.slot(child)].is_none());
        let image = if let Some(&variable) = index.get(&id) {
            Some(Collected::from([(vec![(variable, 1)], ExprId::ONE)]))
        } else if free {
            None
        } else {
            Some(match pool.node(id) {
                Node::Sum(pairs) => {
                    let pairs: Vec<_> = pairs.iter().collect();
                    collect_sum(pool, &pairs, &images, budget)?
                }
                Node::Product(pairs) => {
                    let pairs: Vec<_> = pairs.iter().collect();
                    collect_product(pool, id, &pairs, &images, budget)?
                }
                _ => return Err(CollectError::NotPolynomial { at: id }),
            })
        };
        images.push(image);
    }
    let slot = pool.slot(expression);
    Ok(match images.swap_remove(slot) {
        Some(collected) => collected,
        None if expression.is_zero() => Collected::new(),
        None => Collected::from([(Vec::new(), expression)]),
    })
}

fn collect_sum(
    pool: &mut Pool,
    pairs: &[(ExprId, ExprId)],
    images: &[Option<Collected>],
    budget: &mut Budget,
) -> Result<Collected, OutOfBudget> {
    let mut terms: BTreeMap<Power, Vec<(ExprId, ExprId)>> = BTreeMap::new();
    for &(term, number) in pairs {
        match &images[pool.slot(term)] {
            None => terms.entry(Vec::new()).or_default().push((term, number)),
            Some(inner) => {
                budget.spend(inner.len() as u64, "collecting")?;
                for (monomial, &coefficient) in inner {
                    terms.entry(monomial.clone()).or_default().push((coefficient, number));
                }
            }
        }
    }
    Ok(terms
        .into_iter()
        .map(|(monomial, parts)| (monomial, pool.sum_of_scaled(&parts)))
        .filter(|(_, coefficient)| !coefficient.is_zero())
        .collect())
}

fn collect_product(
    pool: &mut Pool,
    id: ExprId,
    pairs: &[(ExprId, ExprId)],
    images: &[Option<Collected>],
    budget: &mut Budget,
) -> Result<Collected, CollectError> {
    let mut free = Vec::new();
    let mut result = Collected::from([(Vec::new(), ExprId::ONE)]);
    for &(base, exponent) in pairs {
        if images[pool.slot(exponent)].is_some() {
            return Err(CollectError::NotPolynomial { at: id });
        }
        let Some(inner) = &images[pool.slot(base)] else {
            free.push(pool.power(base, exponent));
            continue;
        };
        let power = pool.as_number(exponent).and_then(crate::Rational::as_integer);
        let Some(power) = power.filter(|&n| n > 0) else {
            return Err(CollectError::NotPolynomial { at: id });
        };
        for _ in 0..power {
            result = multiply(pool, &result, inner, budget)?;
        }
    }
    let free = pool.product(&free);
    Ok(result.into_iter().map(|(monomial, c)| (monomial, pool.mul(free, c))).collect())
}

fn multiply(
    pool: &mut Pool,
    a: &Collected,
    b: &Collected,
    budget: &mut Budget,
) -> Result<Collected, OutOfBudget> {
    budget.spend(a.len() as u64 * b.len() as u64, "multiplying out")?;
    let mut terms: BTreeMap<Power, Vec<ExprId>> = BTreeMap::new();
    for (left, &x) in a {
        for (right, &y) in b {
            let value = pool.mul(x, y);
            terms.entry(merge(left, right)).or_default().push(value);
        }
    }
    Ok(terms
        .into_iter()
        .map(|(monomial, parts)| (monomial, pool.sum(&parts)))
        .filter(|(_, coefficient)| !coefficient.is_zero())
        .collect())
}

/// The product of two monomials.
fn merge(a: &[(u32, u32)], b: &[(u32, u32)]) -> Power {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                merged.push((x.0, x.1 + y.1));
                (i, j) = (i + 1, j + 1);
            }
            (Some(x), Some(y)) if x.0 < y.0 => {
                merged.push(*x);
                i += 1;
            }
            (Some(x), None) => {
                merged.push(*x);
                i += 1;
            }
            (_, Some(y)) => {
                merged.push(*y);
                j += 1;
            }
            (None, None) => break,
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::Function;

    #[test]
    fn a_kinetic_energy_is_collected_by_velocities() {
        let mut pool = Pool::new();
        let (u, v, c) = (pool.symbol("u"), pool.symbol("v"), pool.symbol("c"));
        let cosine = pool.call(Function::Cos, c);
        let scaled = pool.mul(cosine, v);
        let sum = pool.add(u, scaled);
        let energy = pool.powi(sum, 2);
        let collected = collect(&mut pool, energy, &[u, v], &mut Budget::new(1000)).unwrap();
        assert_eq!(collected[&vec![(0, 2)]], ExprId::ONE);
        let twice = pool.add(cosine, cosine);
        assert_eq!(collected[&vec![(0, 1), (1, 1)]], twice);
        assert_eq!(collected[&vec![(1, 2)]], pool.powi(cosine, 2));
    }

    #[test]
    fn a_function_of_the_variable_is_not_polynomial() {
        let mut pool = Pool::new();
        let x = pool.symbol("x");
        let sine = pool.call(Function::Sin, x);
        let error = collect(&mut pool, sine, &[x], &mut Budget::new(1000)).unwrap_err();
        assert_eq!(error, CollectError::NotPolynomial { at: sine });
    }

    #[test]
    fn expansion_of_forty_factors_stops_at_the_budget() {
        let mut pool = Pool::new();
        let variables: Vec<_> = (0..40).map(|k| pool.symbol(&format!("x{k}"))).collect();
        let factors: Vec<_> = variables.iter().map(|&x| pool.add(x, ExprId::ONE)).collect();
        let product = pool.product(&factors);
        let result = collect(&mut pool, product, &variables, &mut Budget::new(100_000));
        assert!(matches!(result, Err(CollectError::OutOfBudget(_))));
    }
}
