//! Functions of positions that occur in the equations: what polynomials are not enough for.

use isotrope_algebra::{ExprId, Node, Pool, Rational};

use super::space::Space;

/// So many at most.
const OCCURRING: usize = 12;

/// Calls and powers that are no polynomials, in positions and parameters alone.
pub(super) fn occurring(pool: &mut Pool, space: &Space, roots: &[ExprId]) -> Vec<ExprId> {
    let mut others = space.fibre.clone();
    others.push(space.time);
    let of_positions =
        |pool: &Pool, id: ExprId| pool.depends_on(id, &space.base) && !pool.depends_on(id, &others);
    let mut found = Vec::new();
    for id in pool.reachable(roots) {
        let powers: Vec<(ExprId, ExprId)> = match pool.node(id) {
            Node::Call(..) | Node::Atan2(..) => vec![(id, ExprId::ONE)],
            Node::Product(pairs) => pairs.iter().collect(),
            _ => Vec::new(),
        };
        for (base, exponent) in powers {
            if !of_positions(pool, base) {
                continue;
            }
            let Some(e) = pool.as_number(exponent).cloned() else { continue };
            let is_call = matches!(pool.node(base), Node::Call(..) | Node::Atan2(..));
            if is_call {
                found.push(base);
            } else if !e.is_integer() || e.is_negative() {
                found.push(pool.power(base, exponent));
            }
            if !e.is_integer() {
                let next = pool.number(&e + &Rational::ONE);
                found.push(pool.power(base, next));
            }
        }
    }
    let mut seen = Vec::new();
    found.retain(|id| {
        !seen.contains(id) && {
            seen.push(*id);
            true
        }
    });
    found.truncate(OCCURRING);
    found
}
