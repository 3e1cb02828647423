//! In which order the stages of a table are computed.

use super::coefficients::StepCoefficients;

/// Which stages are computed one after the other, before and after those that need each other.
pub(super) struct Evaluation {
    pub before: Vec<usize>,
    pub together: Vec<usize>,
    pub after: Vec<usize>,
    /// Which pairs of stages need each other.
    mutual: Vec<Vec<bool>>,
}

impl Evaluation {
    /// Do two stages need each other?
    pub(super) fn are_mutual(&self, i: usize, j: usize) -> bool {
        self.mutual[i][j]
    }
}

/// Without velocities in the force, stages need only the positions of others.
pub(super) fn order_of_evaluation(
    coefficients: &StepCoefficients,
    velocities_matter: bool,
) -> Evaluation {
    let size = coefficients.stages();
    let needs = |i: usize, j: usize| {
        coefficients.position[i][j].is_some()
            || (velocities_matter && coefficients.velocity[i][j].is_some())
    };
    let mut reaches: Vec<Vec<bool>> =
        (0..size).map(|i| (0..size).map(|j| needs(i, j)).collect()).collect();
    for k in 0..size {
        let through = reaches[k].clone();
        for row in reaches.iter_mut().filter(|row| row[k]) {
            for (entry, &further) in row.iter_mut().zip(&through) {
                *entry |= further;
            }
        }
    }
    let cyclic: Vec<bool> = (0..size).map(|i| reaches[i][i]).collect();
    let depends = |i: usize| (0..size).any(|j| reaches[i][j] && cyclic[j]);
    let feeds = |i: usize| (0..size).any(|j| reaches[j][i] && cyclic[j]);
    // A stage between two cycles is computed with them.
    let together: Vec<usize> =
        (0..size).filter(|&i| cyclic[i] || (depends(i) && feeds(i))).collect();
    let rest = (0..size).filter(|i| !together.contains(i));
    let (mut after, mut before): (Vec<usize>, Vec<usize>) = rest.partition(|&i| depends(i));
    // A stage comes after all it needs: it reaches more.
    let depth = |i: &usize| reaches[*i].iter().filter(|&&entry| entry).count();
    before.sort_by_key(depth);
    after.sort_by_key(depth);
    let mutual =
        (0..size).map(|i| (0..size).map(|j| reaches[i][j] && reaches[j][i]).collect()).collect();
    Evaluation { before, together, after, mutual }
}

/// How many stages differ from all others: equal rows are one evaluation on the tape.
pub(super) fn different_stages(coefficients: &StepCoefficients, velocities_matter: bool) -> usize {
    let same = |i: usize, j: usize| {
        coefficients.nodes[i] == coefficients.nodes[j]
            && coefficients.position[i] == coefficients.position[j]
            && (!velocities_matter || coefficients.velocity[i] == coefficients.velocity[j])
    };
    (0..coefficients.stages()).filter(|&i| !(0..i).any(|j| same(i, j))).count()
}
