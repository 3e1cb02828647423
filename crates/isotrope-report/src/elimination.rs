//! The multipliers when they are solves and not formulas: the linear system, once, and
//! equations that refer to it.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::{Budget, ExprId, Node, Pool};
use isotrope_derive::{Eliminated, Symbols};

/// A sparse linear system in named unknowns.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    /// The unknowns: multipliers, or accelerations and multipliers.
    pub(super) unknowns: Vec<ExprId>,
    /// (row, column, entry).
    pub(super) matrix: Vec<(usize, usize, ExprId)>,
    /// The right-hand side.
    pub(super) right: Vec<ExprId>,
}

/// Equations of motion with solves replaced by the symbols of their unknowns.
#[derive(Debug, Clone)]
pub(super) struct Unsolved {
    pub(super) linear: Linear,
    /// Are the accelerations among the unknowns (no formula for the inverse mass matrix)?
    pub(super) whole: bool,
    pub(super) acceleration: Vec<ExprId>,
    pub(super) momentum_rate: Vec<ExprId>,
}

/// Takes an elimination apart that is not explicit; none if it is, or has another form.
pub(super) fn unsolved(
    pool: &mut Pool,
    symbols: &Symbols,
    eliminated: &Eliminated,
    multiplier_symbols: &[ExprId],
) -> Option<Unsolved> {
    if eliminated.explicit {
        return None;
    }
    let first = eliminated.multipliers.first().or_else(|| eliminated.acceleration.first())?;
    let Node::Solution { system, .. } = pool.node(*first) else { return None };
    let Node::System(parts) = pool.node(system) else { return None };
    let whole = parts.size() == symbols.dimension() + multiplier_symbols.len();
    let mut unknowns = if whole { symbols.acceleration.clone() } else { Vec::new() };
    unknowns.extend(multiplier_symbols);
    if unknowns.len() != parts.size() {
        return None;
    }
    let linear = Linear {
        unknowns: unknowns.clone(),
        matrix: parts.entries().map(|(r, c, v)| (r as usize, c as usize, v)).collect(),
        right: parts.right().collect(),
    };
    let solved = if whole { &eliminated.acceleration[..] } else { &[] };
    let map: Substitution =
        solved.iter().chain(&eliminated.multipliers).copied().zip(unknowns).collect();
    let mut budget = Budget::new(200_000_000);
    let acceleration = substitute(pool, &eliminated.acceleration, &map, &mut budget).ok()?;
    let momentum_rate = substitute(pool, &eliminated.momentum_rate, &map, &mut budget).ok()?;
    Some(Unsolved { linear, whole, acceleration, momentum_rate })
}

impl Linear {
    /// Row `k` as an equation: what stands left and right.
    pub(super) fn row(&self, pool: &mut Pool, k: usize) -> (ExprId, ExprId) {
        let terms: Vec<ExprId> = self
            .matrix
            .iter()
            .filter(|entry| entry.0 == k)
            .map(|&(_, column, value)| pool.mul(value, self.unknowns[column]))
            .collect();
        (pool.sum(&terms), self.right[k])
    }
}
