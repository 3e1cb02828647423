//! Butcher's simplifying assumptions B(p), C(η), D(ζ).

use super::stages::{Operator, Stages, Weights, unit_fraction};

/// How far each assumption holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simplifying {
    /// B(p): Σ bᵢ cᵢᵏ⁻¹ = 1/k for k ≤ p.
    pub quadrature: usize,
    /// C(η): Σ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k for k ≤ η.
    pub stages: usize,
    /// D(ζ): Σ bᵢ cᵢᵏ⁻¹ aᵢⱼ = bⱼ(1 − cⱼᵏ)/k for k ≤ ζ.
    pub adjoint: usize,
}

impl Simplifying {
    /// The order these assumptions guarantee (Butcher 1964): p ≤ η + ζ + 1 and p ≤ 2η + 2. The
    /// order of a symmetric method is even.
    pub fn guaranteed_order(&self, symmetric: bool) -> usize {
        let order = self.quadrature.min(self.stages + self.adjoint + 1).min(2 * self.stages + 2);
        if symmetric { order.next_multiple_of(2) } else { order }
    }
}

/// Determines how far the assumptions hold for one matrix of a table, with the weights of q and
/// the nodes c = a·1, each up to `limit`.
pub fn simplifying_assumptions<S: Stages>(
    stages: &S,
    operator: Operator,
    limit: usize,
) -> Simplifying {
    let unit = stages.unit();
    let c = stages.apply(Operator::Position, &unit);
    // powers[k] = cᵏ
    let mut powers = vec![unit];
    for k in 0..limit {
        powers.push(stages.multiply(&powers[k], &c));
    }
    let first_failure =
        |holds: &dyn Fn(usize) -> bool| (1..=limit).find(|&k| !holds(k)).map_or(limit, |k| k - 1);
    let quadrature = first_failure(&|k| {
        stages.pair(Weights::Position, &powers[k - 1]) == stages.scalar(&unit_fraction(k))
    });
    let stage_order = first_failure(&|k| {
        stages.apply(operator, &powers[k - 1]) == stages.scale(&unit_fraction(k), &powers[k])
    });
    let basis = stages.basis();
    let adjoint = first_failure(&|k| {
        basis.iter().all(|x| {
            let image = stages.apply(operator, x);
            let left = stages.pair(Weights::Position, &stages.multiply(&powers[k - 1], &image));
            let right = stages.sub(
                &stages.pair(Weights::Position, x),
                &stages.pair(Weights::Position, &stages.multiply(&powers[k], x)),
            );
            left == stages.mul(&stages.scalar(&unit_fraction(k)), &right)
        })
    });
    Simplifying { quadrature, stages: stage_order, adjoint }
}

/// The assumptions that both matrices of a table satisfy, if its weights agree.
///
/// Butcher's reduction of a tree uses C at a vertex with leaves only and D at the root, each time
/// for the matrix of one edge; so it applies to coloured trees when both matrices satisfy the
/// assumptions. (C(1) of `abar` says that its row sums are the nodes, too.)
pub fn common_simplifying_assumptions<S: Stages>(stages: &S, limit: usize) -> Option<Simplifying> {
    let agree = stages.basis().iter().all(|x| {
        let weight = stages.pair(Weights::Position, x);
        weight == stages.pair(Weights::Velocity, x) && weight == stages.pair(Weights::Momentum, x)
    });
    let position = simplifying_assumptions(stages, Operator::Position, limit);
    let velocity = simplifying_assumptions(stages, Operator::Velocity, limit);
    (agree && velocity.stages >= 1).then(|| Simplifying {
        quadrature: position.quadrature,
        stages: position.stages.min(velocity.stages),
        adjoint: position.adjoint.min(velocity.adjoint),
    })
}
