//! Does a sum with many roots vanish?

use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, Node, Pool, Rational};
use rustc_hash::FxHashMap;

/// Is it zero? First with all roots and calls as if they were independent, which is enough for sums where each root
/// cancels on its own, and fast however many there are; then with what is known of them.
pub(super) fn vanishes(pool: &mut Pool, expression: ExprId, budget: &mut Budget) -> bool {
    let apart = as_independent(pool, expression);
    apart.is_some_and(|apart| is_zero(pool, apart, budget) == Zero::Yes)
        || is_zero(pool, expression, budget) == Zero::Yes
}

/// The part of an exponent that is no integer, from 0 to 1.
fn fraction(e: &Rational) -> Option<(Rational, i64)> {
    let (n, d) = e.as_small()?;
    Some((Rational::new(n.rem_euclid(d), d)?, n.div_euclid(d)))
}

/// The expression with symbols for calls, for u^e with a fraction e, and for 1/u where u is a sum: u^(e + k) is u^k
/// times the symbol, with the lowest k that occurs.
fn as_independent(pool: &mut Pool, expression: ExprId) -> Option<ExprId> {
    let nodes = pool.reachable(&[expression]);
    let mut lowest: FxHashMap<(ExprId, Rational), i64> = FxHashMap::default();
    for &id in &nodes {
        let Node::Product(pairs) = pool.node(id) else { continue };
        for (base, exponent) in pairs.iter() {
            let (part, whole) = fraction(pool.as_number(exponent)?)?;
            let least = lowest.entry((base, part)).or_insert(0);
            *least = (*least).min(whole);
        }
    }
    let mut written: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let mut symbols: FxHashMap<(ExprId, Rational), ExprId> = FxHashMap::default();
    for id in nodes {
        let value = match pool.node(id) {
            Node::Number(_) | Node::Symbol(_) | Node::Pi => id,
            Node::Undefined => return None,
            Node::Sum(pairs) => {
                let pairs: Vec<(ExprId, ExprId)> = pairs.iter().collect();
                let terms: Vec<ExprId> =
                    pairs.iter().map(|(a, b)| pool.mul(written[a], written[b])).collect();
                pool.sum(&terms)
            }
            Node::Product(pairs) => {
                let pairs: Vec<(ExprId, ExprId)> = pairs.iter().collect();
                let mut factors = Vec::new();
                for (base, exponent) in pairs {
                    let (part, whole) = fraction(pool.as_number(exponent)?)?;
                    let least = lowest[&(base, part.clone())];
                    if part.is_zero() && (least == 0 || pool.as_symbol(base).is_some()) {
                        factors.push(pool.powi(written[&base], whole));
                        continue;
                    }
                    let count = symbols.len();
                    let symbol = *symbols
                        .entry((base, part))
                        .or_insert_with(|| pool.symbol(&format!("#root{count}")));
                    factors.push(symbol);
                    factors.push(pool.powi(written[&base], whole - least));
                }
                pool.product(&factors)
            }
            // What stands inside is a name.
            Node::Call(..) | Node::Atan2(..) | Node::System(_) | Node::Solution { .. } => {
                pool.symbol(&format!("#call{}", id.index()))
            }
        };
        written.insert(id, value);
    }
    written.get(&expression).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotrope_algebra::syntax::parse_expression;

    #[test]
    fn roots_cancel_one_by_one() {
        let pool = &mut Pool::new();
        let mut vanishing = |text: &str| {
            let expression = parse_expression(pool, text).unwrap();
            vanishes(pool, expression, &mut Budget::new(1_000_000))
        };
        assert!(vanishing("(x + y)/(x + y)^(3/2) - 1/sqrt(x + y)"));
        assert!(vanishing("sin(x*y)^2*sqrt(x + 1)/(x + 1) - sin(x*y)^2/sqrt(x + 1)"));
        assert!(vanishing("sin(x)^2 + cos(x)^2 - 1"));
        assert!(vanishing("1/(x + y) - 2/(x + y) + (x + y)/(x + y)^2"));
        assert!(!vanishing("1/sqrt(x + y) - 1/(x + y)"));
        assert!(!vanishing("sqrt(x) + x"));
    }
}
