//! Common factors of sums, without multiplying anything out: `a/m + b/m` is `(a + b)/m`.

use rustc_hash::FxHashMap;

use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OutOfBudget, Rational};

/// Takes the powers that all terms of a sum share out of it, in every sum below.
///
/// ```
/// use isotrope_algebra::{Budget, Pool, normal::factor_common, syntax::parse_expression};
/// let mut pool = Pool::new();
/// let sum = parse_expression(&mut pool, "sin((x - y)^2/m + (x - z)^2/m)").unwrap();
/// let factored = parse_expression(&mut pool, "sin(((x - y)^2 + (x - z)^2)/m)").unwrap();
/// assert_eq!(factor_common(&mut pool, sum, &mut Budget::new(1000)).unwrap(), factored);
/// ```
pub fn factor_common(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let mut images: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for id in pool.reachable(&[expression]) {
        budget.spend(1, "taking out common factors")?;
        let image = match pool.node(id) {
            Node::Sum(pairs) => {
                let terms: Vec<(ExprId, Rational)> =
                    pairs.iter().map(|(term, c)| (images[&term], pool.coefficient(c))).collect();
                budget.spend(terms.len() as u64, "taking out common factors")?;
                sum(pool, &terms)
            }
            Node::Product(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(b, e)| (images[&b], images[&e])).collect();
                let powers: Vec<_> = pairs.into_iter().map(|(b, e)| pool.power(b, e)).collect();
                pool.product(&powers)
            }
            Node::Call(function, argument) => {
                let argument = images[&argument];
                pool.call(function, argument)
            }
            Node::Atan2(y, x) => {
                let (y, x) = (images[&y], images[&x]);
                pool.atan2(y, x)
            }
            // Unevaluated solves are left alone: their entries are equations, not formulas.
            _ => id,
        };
        images.insert(id, image);
    }
    Ok(images[&expression])
}

/// The powers with numeric exponents of one term.
fn powers(pool: &Pool, term: ExprId) -> Vec<(ExprId, Rational)> {
    match pool.node(term) {
        Node::Product(pairs) => pairs
            .iter()
            .filter_map(|(base, exponent)| Some((base, pool.as_number(exponent)?.clone())))
            .collect(),
        Node::Number(_) => Vec::new(),
        _ => vec![(term, Rational::ONE)],
    }
}

fn sum(pool: &mut Pool, terms: &[(ExprId, Rational)]) -> ExprId {
    let plain: Vec<_> = terms.iter().map(|(term, c)| (c.clone(), *term)).collect();
    if terms.len() < 2 {
        return pool.linear_combination(&plain);
    }
    // Images of terms may have become sums themselves: use their canonical products.
    let mut common: Option<Vec<(ExprId, Rational)>> = None;
    for (term, _) in terms {
        let own = match pool.node(*term) {
            Node::Sum(pairs) if pairs.len() == 1 => powers(pool, pairs.get(0).0),
            Node::Sum(_) => return pool.linear_combination(&plain),
            _ => powers(pool, *term),
        };
        common = Some(match common {
            None => own,
            Some(known) => known
                .into_iter()
                .filter_map(|(base, e)| {
                    let (_, other) = own.iter().find(|entry| entry.0 == base)?;
                    // Of two powers of one sign the one nearer to zero is shared.
                    match (e.is_negative(), other.is_negative()) {
                        (false, false) => Some((base, e.min(other.clone()))),
                        (true, true) => Some((base, e.max(other.clone()))),
                        _ => None,
                    }
                })
                .collect(),
        });
    }
    let common = common.unwrap_or_default();
    if common.is_empty() {
        return pool.linear_combination(&plain);
    }
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for (base, exponent) in common {
        let (up, down) = (pool.number(exponent.clone()), pool.number(-exponent));
        front.push(pool.power(base, up));
        back.push(pool.power(base, down));
    }
    let (front, back) = (pool.product(&front), pool.product(&back));
    let rest: Vec<_> = terms.iter().map(|(term, c)| (c.clone(), pool.mul(*term, back))).collect();
    let rest = pool.linear_combination(&rest);
    pool.mul(front, rest)
}
