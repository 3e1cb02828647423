//! Butcher's simplifying assumptions B(p), C(η), D(ζ).

use serde::{Deserialize, Serialize};

use isotrope_methods::stages::{Operator, Stages, Weights, unit_fraction};

/// How far each assumption holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    let mut powers = Powers::new(stages);
    let quadrature = first_failure(limit, |k| {
        let (power, _) = powers.pair(k);
        stages.pair(Weights::Position, &power) == stages.scalar(&unit_fraction(k))
    });
    let stage_order = first_failure(limit, |k| {
        let (power, next) = powers.pair(k);
        stages.apply(operator, &power) == stages.scale(&unit_fraction(k), &next)
    });
    let basis = stages.basis();
    let adjoint = first_failure(limit, |k| {
        let (power, next) = powers.pair(k);
        basis.iter().all(|x| {
            let image = stages.apply(operator, x);
            let left = stages.pair(Weights::Position, &stages.multiply(&power, &image));
            let right = stages.sub(
                &stages.pair(Weights::Position, x),
                &stages.pair(Weights::Position, &stages.multiply(&next, x)),
            );
            left == stages.mul(&stages.scalar(&unit_fraction(k)), &right)
        })
    });
    Simplifying { quadrature, stages: stage_order, adjoint }
}

/// The largest k up to `limit` such that everything holds up to it.
fn first_failure(limit: usize, mut holds: impl FnMut(usize) -> bool) -> usize {
    (1..=limit).find(|&k| !holds(k)).map_or(limit, |k| k - 1)
}

/// Powers of the nodes, computed as they are needed: those of a table that is not a collocation
/// grow fast, and few are.
struct Powers<'s, S: Stages> {
    stages: &'s S,
    nodes: Vec<S::Scalar>,
    known: Vec<Vec<S::Scalar>>,
}

impl<'s, S: Stages> Powers<'s, S> {
    fn new(stages: &'s S) -> Self {
        let unit = stages.unit();
        Self { stages, nodes: stages.apply(Operator::Position, &unit), known: vec![unit] }
    }

    /// cᵏ⁻¹ and cᵏ.
    fn pair(&mut self, k: usize) -> (Vec<S::Scalar>, Vec<S::Scalar>) {
        while self.known.len() <= k {
            let last = &self.known[self.known.len() - 1];
            let next = self.stages.multiply(last, &self.nodes);
            self.known.push(next);
        }
        (self.known[k - 1].clone(), self.known[k].clone())
    }
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
