//! Symmetry: is a method its own adjoint?

use super::effective::{Effective, reduced};
use isotrope_methods::stages::{Operator, Stages, Weights};

/// Does the step by −h undo the step by h, for every problem?
///
/// The adjoint of a table has a* = 1bᵀ − a and abar* = 1bbarᵀ − abar with the same weights;
/// the method is symmetric when these are the data of the method again, with its stages in
/// another order. Equal stages are merged and unused ones dropped before. `None`: there are too
/// many orders to try.
pub fn is_symmetric<S: Stages>(stages: &S) -> Option<bool> {
    if stages.is_pointwise() {
        let data = reduced(stages);
        let adjoint = adjoint(stages, &data);
        matching(&data, &adjoint)
    } else {
        Some(collocation_is_symmetric(stages))
    }
}

/// Assignments of stages that are tried.
const ATTEMPTS: usize = 100_000;

fn adjoint<S: Stages>(stages: &S, data: &Effective<S::Scalar>) -> Effective<S::Scalar> {
    let size = data.nodes.len();
    let sum = &data.sum;
    let velocity = (0..size)
        .map(|i| {
            (0..size).map(|j| stages.sub(&data.velocity_weights[j], &data.velocity[i][j])).collect()
        })
        .collect();
    // a*·abar* = Σb 1 bbarᵀ − 1 βᵀ − c bbarᵀ + Â
    let position = (0..size)
        .map(|i| {
            (0..size)
                .map(|j| {
                    let rest = stages.sub(sum, &data.nodes[i]);
                    let outer = stages.mul(&rest, &data.velocity_weights[j]);
                    let inner = stages.sub(&data.position[i][j], &data.position_weights[j]);
                    stages.add(&outer, &inner)
                })
                .collect()
        })
        .collect();
    Effective {
        nodes: data.nodes.iter().map(|c| stages.sub(sum, c)).collect(),
        position,
        velocity,
        sum: sum.clone(),
        position_weights: data
            .velocity_weights
            .iter()
            .zip(&data.position_weights)
            .map(|(bbar, beta)| stages.sub(&stages.mul(sum, bbar), beta))
            .collect(),
        velocity_weights: data.velocity_weights.clone(),
        momentum_weights: data.momentum_weights.clone(),
    }
}

/// Is there an order of the stages in which the two are equal? Stages are assigned one
/// after the other; each assignment must agree with all earlier ones.
fn matching<T: PartialEq>(one: &Effective<T>, other: &Effective<T>) -> Option<bool> {
    let size = one.nodes.len();
    let alike = |i: usize, j: usize| {
        one.nodes[i] == other.nodes[j]
            && one.position_weights[i] == other.position_weights[j]
            && one.velocity_weights[i] == other.velocity_weights[j]
            && one.momentum_weights[i] == other.momentum_weights[j]
            && one.position[i][i] == other.position[j][j]
            && one.velocity[i][i] == other.velocity[j][j]
    };
    let agrees = |assigned: &[usize], j: usize| {
        let i = assigned.len();
        alike(i, j)
            && assigned.iter().enumerate().all(|(k, &l)| {
                l != j
                    && one.position[i][k] == other.position[j][l]
                    && one.position[k][i] == other.position[l][j]
                    && one.velocity[i][k] == other.velocity[j][l]
                    && one.velocity[k][i] == other.velocity[l][j]
            })
    };
    // Depth-first over partial assignments; `next` is the candidate to try.
    let mut assigned: Vec<usize> = Vec::with_capacity(size);
    let mut next = 0;
    for _ in 0..ATTEMPTS {
        if assigned.len() == size {
            return Some(true);
        }
        match (next..size).find(|&j| agrees(&assigned, j)) {
            Some(j) => {
                assigned.push(j);
                next = 0;
            }
            None => match assigned.pop() {
                Some(last) => next = last + 1,
                None => return Some(false),
            },
        }
    }
    None
}

/// In Q\[x\]/M the nodes are the roots of M, and x → 1 − x is the order of the stages in which
/// the adjoint must agree, if M has that symmetry.
fn collocation_is_symmetric<S: Stages>(stages: &S) -> bool {
    let unit = stages.unit();
    let basis = stages.basis();
    // With one stage x is a number, and stages have one order only.
    let Some(reflection) = Reflection::new(stages, &basis) else { return false };
    let adjoint = |operator: Operator, weights: Weights, x: &[S::Scalar]| -> Vec<S::Scalar> {
        let weight = stages.pair(weights, x);
        let image = stages.apply(operator, x);
        unit.iter().zip(&image).map(|(one, y)| stages.sub(&stages.mul(&weight, one), y)).collect()
    };
    [(Operator::Position, Weights::Position), (Operator::Velocity, Weights::Velocity)].iter().all(
        |&(operator, weights)| {
            basis.iter().all(|x| {
                let mirrored = stages.apply(operator, &reflection.apply(stages, x));
                reflection.apply(stages, &mirrored) == adjoint(operator, weights, x)
            })
        },
    ) && [Weights::Position, Weights::Velocity, Weights::Momentum].iter().all(|&weights| {
        basis
            .iter()
            .all(|x| stages.pair(weights, x) == stages.pair(weights, &reflection.apply(stages, x)))
    })
}

/// The map of algebras x → 1 − x, by the images of 1, x, x², ….
struct Reflection<T> {
    images: Vec<Vec<T>>,
}

impl<T: Clone + PartialEq> Reflection<T> {
    /// `None` if it is not well defined modulo M.
    fn new<S: Stages<Scalar = T>>(stages: &S, basis: &[Vec<T>]) -> Option<Self> {
        let unit = stages.unit();
        let Some(x) = basis.get(1) else { return Some(Self { images: vec![unit] }) };
        let mirrored: Vec<T> = unit.iter().zip(x).map(|(one, x)| stages.sub(one, x)).collect();
        let mut images = vec![unit];
        for k in 1..basis.len() {
            images.push(stages.multiply(&images[k - 1], &mirrored));
        }
        let top = basis.last().map(|last| stages.multiply(last, x))?;
        let image_of_top = images.last().map(|last| stages.multiply(last, &mirrored))?;
        let reflection = Self { images };
        (reflection.apply(stages, &top) == image_of_top).then_some(reflection)
    }

    fn apply<S: Stages<Scalar = T>>(&self, stages: &S, x: &[T]) -> Vec<T> {
        let mut sum = vec![stages.zero(); x.len()];
        for (factor, image) in x.iter().zip(&self.images) {
            for (entry, value) in sum.iter_mut().zip(image) {
                *entry = stages.add(entry, &stages.mul(factor, value));
            }
        }
        sum
    }
}
