//! Which stages depend on which: shapes of tables by their implicit cost.

use isotrope_algebra::polynomial::Polynomial;

use super::unknowns::{Place, Unknowns};
use isotrope_methods::trees::Family;

/// Stages that are computed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// One stage, computed from those before it. The groups whose own rate at this stage enters
    /// its value: none that would close a cycle.
    Explicit {
        /// By colour: may a_ii differ from zero?
        diagonal: Vec<bool>,
    },
    /// Stages that need equations solved.
    Implicit {
        /// How many.
        size: usize,
    },
}

/// A sequence of blocks of stages, each depending on itself and on those before it only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The blocks, first to last.
    pub blocks: Vec<Block>,
}

impl Shape {
    /// Σ (size)³ over the systems that must be solved.
    pub fn cost(&self) -> usize {
        self.sizes().map(|size| size.pow(3)).sum()
    }

    /// Stages that need an equation solved.
    pub fn implicit_stages(&self) -> usize {
        self.sizes().sum()
    }

    fn sizes(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Explicit { .. } => None,
            Block::Implicit { size } => Some(*size),
        })
    }

    /// All shapes of `stages` stages, the cheapest first.
    pub fn all(family: &Family, stages: usize) -> Vec<Self> {
        let explicit: Vec<Block> =
            diagonals(family).into_iter().map(|diagonal| Block::Explicit { diagonal }).collect();
        let mut shapes = vec![(0, Vec::new())];
        let mut whole = Vec::new();
        while let Some((used, blocks)) = shapes.pop() {
            if used == stages {
                whole.push(Self { blocks });
                continue;
            }
            let implicit = (1..=stages - used).map(|size| Block::Implicit { size });
            for block in explicit.iter().cloned().chain(implicit) {
                let size = match block {
                    Block::Explicit { .. } => 1,
                    Block::Implicit { size } => size,
                };
                let mut longer = blocks.clone();
                longer.push(block);
                shapes.push((used + size, longer));
            }
        }
        whole.sort_by_key(|shape| (shape.cost(), shape.implicit_stages(), shape.blocks.len()));
        whole
    }

    /// The variables of the unknowns that are zero in this shape; `None` if the shape makes an
    /// entry zero that is prescribed otherwise.
    pub fn zeros(&self, unknowns: &Unknowns) -> Option<Vec<Polynomial>> {
        let block_of: Vec<(usize, &Block)> = self
            .blocks
            .iter()
            .enumerate()
            .flat_map(|(number, block)| {
                let size = match block {
                    Block::Explicit { .. } => 1,
                    Block::Implicit { size } => *size,
                };
                std::iter::repeat_n((number, block), size)
            })
            .collect();
        let mut zeros = Vec::new();
        for (colour, matrix) in unknowns.tables().matrices.iter().enumerate() {
            for (row, entries) in matrix.iter().enumerate() {
                for (column, entry) in entries.iter().enumerate() {
                    let (here, there) = (block_of.get(row)?, block_of.get(column)?);
                    let allowed = there.0 < here.0
                        || (there.0 == here.0
                            && match here.1 {
                                Block::Implicit { .. } => true,
                                Block::Explicit { diagonal } => {
                                    diagonal.get(colour).copied().unwrap_or(false)
                                }
                            });
                    if allowed || entry.is_zero() {
                        continue;
                    }
                    if entry.is_constant() {
                        return None;
                    }
                    zeros.push(entry.clone());
                }
            }
        }
        zeros.sort_by_key(Polynomial::as_variable);
        zeros.dedup();
        Some(zeros)
    }
}

/// Largest sets of groups whose diagonal entries may differ from zero in an explicit stage: the
/// rate of x needs the value of y at the stage, and that needs the rate of y if its diagonal entry
/// is not zero.
pub(super) fn diagonals(family: &Family) -> Vec<Vec<bool>> {
    let colours = family.colours().len();
    // More groups than this would be too many subsets; no diagonal then.
    if colours > 6 {
        return vec![vec![false; colours]];
    }
    let sets: Vec<Vec<bool>> = (0..1usize << colours)
        .map(|bits| (0..colours).map(|c| bits >> c & 1 == 1).collect::<Vec<bool>>())
        .filter(|set| is_acyclic(family, set))
        .collect();
    let contains = |larger: &[bool], smaller: &[bool]| {
        larger != smaller && larger.iter().zip(smaller).all(|(l, s)| *l || !*s)
    };
    sets.iter().filter(|set| !sets.iter().any(|other| contains(other, set))).cloned().collect()
}

fn is_acyclic(family: &Family, set: &[bool]) -> bool {
    let colours = set.len();
    let mut remaining: Vec<usize> = (0..colours).filter(|&c| set[c]).collect();
    // Groups of the set that need no other group of it are taken away until none is left.
    while !remaining.is_empty() {
        let free = remaining.iter().position(|&colour| {
            family.dependencies(colour).iter().all(|d| !remaining.contains(&d.colour))
        });
        match free {
            Some(index) => {
                remaining.remove(index);
            }
            None => return false,
        }
    }
    true
}

/// Is the variable an entry of a matrix?
pub(super) fn is_matrix_entry(unknowns: &Unknowns, variable: usize) -> bool {
    matches!(unknowns.place(variable), Some(Place::Matrix { .. }))
}
