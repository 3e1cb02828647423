//! The functions among which symmetries are sought.
//!
//! | coordinates | ξ | τ | G |
//! |---|---|---|---|
//! | to 6 | affine in q, times 1, t, t² | 1, t, t² | of degree two in q, times 1, t, t²; t³ |
//! | to 18 | linear in q, times 1, t; 1, t | 1, t, t² | of degree two in q; q, t times q; t, t² |
//! | to 30 | linear in q; 1, t | 1, t, t² | q, t times q; t, t² |
//!
//! Up to 18 coordinates G may also contain the roots, quotients and functions of positions that occur in L and in forces,
//! alone and times one coordinate; of a root u^e there is u^(e+1), too.

use isotrope_algebra::{ExprId, Pool};

use crate::first_integrals::occurring::occurring;
use crate::first_integrals::space::Space;

/// The largest ansatz up to this many coordinates.
const FULL: usize = 6;
/// Functions of degree two up to this many.
const QUADRATIC: usize = 18;
/// Symmetries are sought up to this many.
pub(super) const SEARCHED: usize = 30;
/// A function of positions in G.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// 1.
    One,
    /// `q_i`.
    Linear(usize),
    /// `q_i q_j`.
    Quadratic(usize, usize),
    /// A function that occurs in L: its place in [`Ansatz::occurring`].
    Occurring(usize),
    /// The same, times a position.
    Product(usize, usize),
}

/// One unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// G gains a function times a power of t.
    Gauge(Function, u32),
    /// A component of ξ gains 1 or a position, times a power of t.
    Field { component: usize, factor: Option<usize>, power: u32 },
    /// τ gains a power of t.
    Time(u32),
}

/// All unknowns. Those that the others follow from come last: they become the free columns of the elimination.
#[derive(Debug, Clone)]
pub(super) struct Ansatz {
    pub unknowns: Vec<Unknown>,
    pub occurring: Vec<ExprId>,
}

impl Ansatz {
    pub fn new(pool: &mut Pool, space: &Space, roots: &[ExprId]) -> Self {
        let n = space.base.len();
        let (full, quadratic) = (n <= FULL, n <= QUADRATIC);
        let occurring = if quadratic { occurring(pool, space, roots) } else { Vec::new() };
        let highest = |small, large| if full { large } else { small };
        let mut unknowns = Vec::new();
        for k in 0..occurring.len() {
            let products = (0..n).map(|i| Function::Product(k, i));
            let functions = products.chain([Function::Occurring(k)]);
            unknowns.extend(functions.map(|function| Unknown::Gauge(function, 0)));
        }
        for power in (0..=highest(0, 2)).rev().filter(|_| quadratic) {
            for i in 0..n {
                unknowns.extend((i..n).map(|j| Unknown::Gauge(Function::Quadratic(i, j), power)));
            }
        }
        for power in (0..=highest(1, 2)).rev() {
            unknowns.extend((0..n).map(|i| Unknown::Gauge(Function::Linear(i), power)));
        }
        // A constant says nothing.
        unknowns.extend((1..=highest(2, 3)).rev().map(|k| Unknown::Gauge(Function::One, k)));
        for power in (0..=if quadratic { highest(1, 2) } else { 0 }).rev() {
            for component in 0..n {
                for factor in (0..n).map(Some) {
                    unknowns.push(Unknown::Field { component, factor, power });
                }
            }
        }
        for power in (0..=highest(1, 2)).rev() {
            let constant = |component| Unknown::Field { component, factor: None, power };
            unknowns.extend((0..n).map(constant));
        }
        unknowns.extend((0..=2).rev().map(Unknown::Time));
        Self { unknowns, occurring }
    }
}

/// The ansatz in words.
pub(super) fn words(coordinates: usize) -> String {
    let (field, gauge) = if coordinates <= FULL {
        ("affine in q, times 1, t, t²", "of degree two in q, times 1, t, t²; t³")
    } else if coordinates <= QUADRATIC {
        ("linear in q, times 1, t; 1, t", "of degree two in q; t times q; t, t²")
    } else {
        ("linear in q; 1, t", "q, t times q; t, t²")
    };
    format!("τ among 1, t, t²; ξ {field}; G {gauge}, and functions that occur in L and in forces")
}
