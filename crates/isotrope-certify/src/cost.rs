//! Explicitness and implicit cost, from the graph of which stage needs which.

use serde::{Deserialize, Serialize};

use super::effective::{Effective, Forces};

/// What one step costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Can the stages be computed one after the other?
    pub explicit: bool,
    /// The same where f does not depend on v.
    pub explicit_for_potential_forces: bool,
    /// Stages after equal ones are merged and unused ones dropped.
    pub stages: usize,
    /// Sizes of the systems of stages that must be solved together, largest first.
    pub systems: Vec<usize>,
}

impl Cost {
    /// Stages that need an equation solved.
    pub fn implicit_stages(&self) -> usize {
        self.systems.iter().sum()
    }

    /// Σ (size)³: the cost of the linear algebra, up to a factor.
    pub fn cubic(&self) -> usize {
        self.systems.iter().map(|size| size.pow(3)).sum()
    }
}

/// The cost of a method given by its reduced data.
pub fn cost<T: PartialEq>(data: &Effective<T>, zero: &T) -> Cost {
    let systems = systems(data, zero, Forces::General);
    Cost {
        explicit: systems.is_empty(),
        explicit_for_potential_forces: self::systems(data, zero, Forces::Potential).is_empty(),
        stages: data.nodes.len(),
        systems,
    }
}

/// Strongly connected sets of stages with a cycle. F_i needs F_j when abar_ij ≠ 0 or
/// (a·abar)_ij ≠ 0; a_ii ≠ 0 alone costs nothing, because q' = v.
fn systems<T: PartialEq>(data: &Effective<T>, zero: &T, forces: Forces) -> Vec<usize> {
    let size = data.nodes.len();
    let mut reaches: Vec<Vec<bool>> = (0..size)
        .map(|i| {
            (0..size)
                .map(|j| {
                    data.position[i][j] != *zero
                        || (forces == Forces::General && data.velocity[i][j] != *zero)
                })
                .collect()
        })
        .collect();
    for k in 0..size {
        let through = reaches[k].clone();
        for row in &mut reaches {
            if row[k] {
                for (entry, &further) in row.iter_mut().zip(&through) {
                    *entry |= further;
                }
            }
        }
    }
    let mut seen = vec![false; size];
    let mut sizes = Vec::new();
    for i in 0..size {
        if reaches[i][i] && !seen[i] {
            let members = (0..size).filter(|&j| reaches[i][j] && reaches[j][i]);
            let mut count = 0;
            for j in members {
                seen[j] = true;
                count += 1;
            }
            sizes.push(count);
        }
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}
