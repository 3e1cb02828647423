//! Simultaneous substitution.

use rustc_hash::FxHashMap;

use crate::pool::{ExprId, Node, Pool};
use crate::{Budget, OutOfBudget};

/// What replaces what; keys may be any expressions, usually symbols.
pub type Substitution = FxHashMap<ExprId, ExprId>;

/// Replaces all keys of `map` at once (the replacements are not looked into again)
/// and rebuilds what contains them, in canonical form.
///
/// ```
/// use isotrope_algebra::{Budget, Pool, calculus::substitute};
/// let mut pool = Pool::new();
/// let (x, y) = (pool.symbol("x"), pool.symbol("y"));
/// let difference = pool.sub(x, y);
/// let swap = [(x, y), (y, x)].into_iter().collect();
/// let swapped = substitute(&mut pool, &[difference], &swap, &mut Budget::new(100)).unwrap();
/// assert_eq!(swapped[0], pool.neg(difference));
/// ```
pub fn substitute(
    pool: &mut Pool,
    expressions: &[ExprId],
    map: &Substitution,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let order = pool.walk(expressions);
    let mut images: Vec<ExprId> = Vec::with_capacity(order.len());
    for &id in &order {
        budget.spend(1, "substituting")?;
        let image = match map.get(&id) {
            Some(&replacement) => replacement,
            None => rebuild(pool, id, &images, budget)?,
        };
        images.push(image);
    }
    Ok(expressions.iter().map(|&id| images[pool.slot(id)]).collect())
}

/// The node `id` with its children replaced by their images.
fn rebuild(
    pool: &mut Pool,
    id: ExprId,
    images: &[ExprId],
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let mut changed = false;
    let mut count = 0u64;
    pool.for_each_child(id, |child| {
        count += 1;
        changed |= images[pool.slot(child)] != child;
    });
    budget.spend(count, "substituting")?;
    if !changed {
        return Ok(id);
    }
    let image = |pool: &Pool, child: ExprId| images[pool.slot(child)];
    Ok(match pool.node(id) {
        Node::Number(_) | Node::Pi | Node::Undefined | Node::Symbol(_) => id,
        Node::Sum(pairs) => {
            let terms: Vec<_> = pairs.iter().map(|(term, c)| (image(pool, term), c)).collect();
            pool.sum_of_scaled(&terms)
        }
        Node::Product(pairs) => {
            let powers: Vec<_> =
                pairs.iter().map(|(base, e)| (image(pool, base), image(pool, e))).collect();
            let factors: Vec<_> = powers.into_iter().map(|(base, e)| pool.power(base, e)).collect();
            pool.product(&factors)
        }
        Node::Call(function, argument) => {
            let argument = image(pool, argument);
            pool.call(function, argument)
        }
        Node::Atan2(y, x) => {
            let (y, x) = (image(pool, y), image(pool, x));
            pool.atan2(y, x)
        }
        Node::System(system) => {
            let entries: Vec<_> =
                system.entries().map(|(r, c, value)| (r, c, image(pool, value))).collect();
            let right: Vec<_> = system.right().map(|value| image(pool, value)).collect();
            pool.system(&entries, &right)
        }
        Node::Solution { system, index } => {
            let system = image(pool, system);
            pool.solution(system, index)
        }
    })
}
