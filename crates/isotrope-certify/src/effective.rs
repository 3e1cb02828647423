//! What a table does, freed of how it is written.
//!
//! In q' = v, v' = f(q,v) the stages of q are eliminated: with c = a·1, Â = a·abar and
//! β = b·abar,
//!
//! ```text
//!  V_i = v + h Σ abar_ij F_j,   Q_i = q + h c_i v + h² Σ Â_ij F_j,
//!  q₊ = q + h (Σb) v + h² Σ β_j F_j,   v₊ = v + h Σ bbar_j F_j,   p₊ = p + h Σ btil_j G_j.
//! ```
//!
//! Two tables with these data in common are the same method. Stages whose equations are the
//! same have the same solution and are merged; stages that nothing depends on are dropped.

use isotrope_methods::stages::{Operator, Stages, Weights};

/// The data of a method, stage by stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Effective<S> {
    /// c = a·1.
    pub nodes: Vec<S>,
    /// Â = a·abar.
    pub position: Vec<Vec<S>>,
    /// abar.
    pub velocity: Vec<Vec<S>>,
    /// Σ b.
    pub sum: S,
    /// β = b·abar.
    pub position_weights: Vec<S>,
    /// bbar.
    pub velocity_weights: Vec<S>,
    /// btil.
    pub momentum_weights: Vec<S>,
}

/// Which stages count as equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forces {
    /// f depends on q and v.
    General,
    /// f depends on q alone, so V_i does not matter.
    Potential,
}

/// The data of a table given stage by stage.
pub fn effective<S: Stages>(stages: &S) -> Effective<S::Scalar> {
    let unit = stages.unit();
    let basis = stages.basis();
    let rows = |columns: Vec<Vec<S::Scalar>>| -> Vec<Vec<S::Scalar>> {
        (0..stages.dimension())
            .map(|i| columns.iter().map(|column| column[i].clone()).collect())
            .collect()
    };
    let images: Vec<_> = basis.iter().map(|x| stages.apply(Operator::Velocity, x)).collect();
    let twice: Vec<_> = images.iter().map(|x| stages.apply(Operator::Position, x)).collect();
    let weights = |weights: Weights, vectors: &[Vec<S::Scalar>]| -> Vec<S::Scalar> {
        vectors.iter().map(|x| stages.pair(weights, x)).collect()
    };
    Effective {
        nodes: stages.apply(Operator::Position, &unit),
        sum: stages.pair(Weights::Position, &unit),
        position_weights: weights(Weights::Position, &images),
        velocity_weights: weights(Weights::Velocity, &basis),
        momentum_weights: weights(Weights::Momentum, &basis),
        position: rows(twice),
        velocity: rows(images),
    }
}

/// The coarsest division of the stages into sets with the same equations, as the number of
/// the set of each stage, counted from 0 in the order of the first stage of each.
pub fn equal_stages<S: Stages>(
    stages: &S,
    data: &Effective<S::Scalar>,
    forces: Forces,
) -> Vec<usize> {
    let size = data.nodes.len();
    let mut set_of = vec![0_usize; size];
    loop {
        let mut signatures: Vec<(usize, Vec<S::Scalar>)> = Vec::new();
        let count = set_of.iter().max().map_or(0, |largest| largest + 1);
        let mut refined = Vec::with_capacity(size);
        for i in 0..size {
            let mut signature = vec![data.nodes[i].clone()];
            let mut matrices = vec![&data.position];
            if forces == Forces::General {
                matrices.push(&data.velocity);
            }
            for matrix in matrices {
                signature.extend(merge(stages, &matrix[i], &set_of, count));
            }
            let found = signatures.iter().position(|(set, s)| *set == set_of[i] && *s == signature);
            refined.push(found.unwrap_or_else(|| {
                signatures.push((set_of[i], signature));
                signatures.len() - 1
            }));
        }
        if refined == set_of {
            return set_of;
        }
        set_of = refined;
    }
}

fn merge<S: Stages>(
    stages: &S,
    row: &[S::Scalar],
    set_of: &[usize],
    count: usize,
) -> Vec<S::Scalar> {
    let mut sums = vec![stages.zero(); count];
    for (entry, &set) in row.iter().zip(set_of) {
        sums[set] = stages.add(&sums[set], entry);
    }
    sums
}

/// The indicator functions of the sets of equal stages.
pub fn indicators<S: Stages>(stages: &S, set_of: &[usize]) -> Vec<Vec<S::Scalar>> {
    let unit = stages.unit();
    let count = set_of.iter().max().map_or(0, |largest| largest + 1);
    (0..count)
        .map(|set| {
            set_of
                .iter()
                .zip(&unit)
                .map(|(&s, one)| if s == set { one.clone() } else { stages.zero() })
                .collect()
        })
        .collect()
}

/// The data with equal stages merged and unused ones dropped.
pub fn reduced<S: Stages>(stages: &S) -> Effective<S::Scalar> {
    let data = effective(stages);
    let set_of = equal_stages(stages, &data, Forces::General);
    let count = set_of.iter().max().map_or(0, |largest| largest + 1);
    let first: Vec<usize> =
        (0..count).filter_map(|set| set_of.iter().position(|&s| s == set)).collect();
    let merged = Effective {
        nodes: first.iter().map(|&i| data.nodes[i].clone()).collect(),
        position: first.iter().map(|&i| merge(stages, &data.position[i], &set_of, count)).collect(),
        velocity: first.iter().map(|&i| merge(stages, &data.velocity[i], &set_of, count)).collect(),
        sum: data.sum.clone(),
        position_weights: merge(stages, &data.position_weights, &set_of, count),
        velocity_weights: merge(stages, &data.velocity_weights, &set_of, count),
        momentum_weights: merge(stages, &data.momentum_weights, &set_of, count),
    };
    keep_used(stages, merged)
}

fn keep_used<S: Stages>(stages: &S, data: Effective<S::Scalar>) -> Effective<S::Scalar> {
    let zero = stages.zero();
    let size = data.nodes.len();
    let mut used = vec![false; size];
    let mut open: Vec<usize> = (0..size)
        .filter(|&i| {
            [&data.position_weights, &data.velocity_weights, &data.momentum_weights]
                .iter()
                .any(|weights| weights[i] != zero)
        })
        .collect();
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut used[i], true) {
            open.extend(
                (0..size).filter(|&j| data.position[i][j] != zero || data.velocity[i][j] != zero),
            );
        }
    }
    let kept: Vec<usize> = (0..size).filter(|&i| used[i]).collect();
    let vector = |x: &[S::Scalar]| kept.iter().map(|&i| x[i].clone()).collect::<Vec<_>>();
    let matrix =
        |x: &[Vec<S::Scalar>]| kept.iter().map(|&i| vector(&x[i])).collect::<Vec<Vec<_>>>();
    Effective {
        nodes: vector(&data.nodes),
        position: matrix(&data.position),
        velocity: matrix(&data.velocity),
        sum: data.sum.clone(),
        position_weights: vector(&data.position_weights),
        velocity_weights: vector(&data.velocity_weights),
        momentum_weights: vector(&data.momentum_weights),
    }
}
