//! The Courant tensor `T(e_a, e_b, e_c) = <[e_a, e_b], e_c>` of an almost Dirac structure.

use isotrope_algebra::calculus::derivative;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::{DiracStructure, Generator};
use crate::work::{simplified, zero_test};

/// A component of the Courant tensor that is not proved to be zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourantComponent {
    /// The numbers `a < b < c` of the generators, from 0.
    pub indices: [usize; 3],
    /// The value.
    pub value: ExprId,
    /// `No`, or `Unknown`.
    pub zero: Zero,
}

/// The Courant tensor in the frame of the generators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourantTensor {
    /// The components that are not proved to be zero, in the order of their indices.
    pub components: Vec<CourantComponent>,
    /// How many more were not examined: enough were found that are not zero.
    pub left_out: usize,
}

/// After this many components that are not zero no more are looked for.
const ENOUGH: usize = 400;

impl CourantTensor {
    /// Does it vanish? The structure is then closed under the Dorfman bracket: Dirac.
    pub fn vanishes(&self) -> Zero {
        self.components.iter().fold(Zero::Yes, |answer, part| answer.and(part.zero))
    }
}

/// The components that are not zero, with their partial derivatives.
struct Slopes {
    /// `(i, v^i)`.
    vector: Vec<(usize, ExprId)>,
    /// `(i, a_i)`.
    covector: Vec<(usize, ExprId)>,
    /// `(i, j, d_j v^i)`.
    of_vector: Vec<(usize, usize, ExprId)>,
    /// `(i, j, d_j a_i)`.
    of_covector: Vec<(usize, usize, ExprId)>,
}

impl Slopes {
    fn new(
        pool: &mut Pool,
        base: &[ExprId],
        generator: &Generator,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let nonzero = |list: &[ExprId]| -> Vec<(usize, ExprId)> {
            list.iter().copied().enumerate().filter(|(_, entry)| !entry.is_zero()).collect()
        };
        let (vector, covector) = (nonzero(&generator.vector), nonzero(&generator.covector));
        let mut slopes = |list: &[(usize, ExprId)]| {
            let mut found = Vec::new();
            for &(i, entry) in list {
                for symbol in pool.symbols_in(&[entry]) {
                    if let Some(j) = base.iter().position(|&x| x == symbol) {
                        let slope = derivative(pool, entry, symbol, budget)?;
                        if !slope.is_zero() {
                            found.push((i, j, slope));
                        }
                    }
                }
            }
            Ok::<_, OutOfBudget>(found)
        };
        let (of_vector, of_covector) = (slopes(&vector)?, slopes(&covector)?);
        Ok(Self { vector, covector, of_vector, of_covector })
    }

    fn is_constant(&self) -> bool {
        self.of_vector.is_empty() && self.of_covector.is_empty()
    }
}

fn entry(list: &[(usize, ExprId)], index: usize) -> Option<ExprId> {
    list.binary_search_by_key(&index, |part| part.0).ok().map(|at| list[at].1)
}

/// Adds `sign first(i) slope second(j)` for all slopes `(i, j, slope)`.
fn contract(
    pool: &mut Pool,
    terms: &mut Vec<ExprId>,
    slopes: &[(usize, usize, ExprId)],
    first: &[(usize, ExprId)],
    second: &[(usize, ExprId)],
    negative: bool,
) {
    for &(i, j, slope) in slopes {
        if let (Some(a), Some(b)) = (entry(first, i), entry(second, j)) {
            let term = pool.product(&[a, slope, b]);
            terms.push(if negative { pool.neg(term) } else { term });
        }
    }
}

/// `<[e, f], g>` with `[v+a, w+b] = [v,w] + L_v b - i_w da` and `g = u + c`:
/// `c_i (v^j d_j w^i - w^j d_j v^i) + u^i (v^j d_j b_i + b_j d_i v^j) - w^j u^i (d_j a_i - d_i a_j)`.
fn component(pool: &mut Pool, e: &Slopes, f: &Slopes, g: &Slopes) -> ExprId {
    let mut terms = Vec::new();
    contract(pool, &mut terms, &f.of_vector, &g.covector, &e.vector, false);
    contract(pool, &mut terms, &e.of_vector, &g.covector, &f.vector, true);
    contract(pool, &mut terms, &f.of_covector, &g.vector, &e.vector, false);
    contract(pool, &mut terms, &e.of_vector, &f.covector, &g.vector, false);
    contract(pool, &mut terms, &e.of_covector, &g.vector, &f.vector, true);
    contract(pool, &mut terms, &e.of_covector, &f.vector, &g.vector, false);
    pool.sum(&terms)
}

impl DiracStructure {
    /// One component for any three generators, not simplified.
    pub fn courant_component(
        &self,
        pool: &mut Pool,
        [a, b, c]: [usize; 3],
        budget: &mut Budget,
    ) -> Result<ExprId, OutOfBudget> {
        let mut slopes = Vec::with_capacity(3);
        for index in [a, b, c] {
            let Some(generator) = self.generators.get(index) else { return Ok(ExprId::UNDEFINED) };
            slopes.push(Slopes::new(pool, &self.base, generator, budget)?);
        }
        Ok(component(pool, &slopes[0], &slopes[1], &slopes[2]))
    }

    /// The Courant tensor in the frame of the generators, `a < b < c`: on an isotropic subbundle
    /// it is totally antisymmetric, so these are all components.
    pub fn courant_tensor(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<CourantTensor, OutOfBudget> {
        let mut slopes = Vec::with_capacity(self.generators.len());
        for generator in &self.generators {
            slopes.push(Slopes::new(pool, &self.base, generator, budget)?);
        }
        let count = slopes.len();
        let mut components: Vec<CourantComponent> = Vec::new();
        let (mut found, mut left_out) = (0, 0);
        for a in 0..count {
            for b in a + 1..count {
                // On an isotropic bundle T(e_a, e_b, e_c) is also what e_b and e_c or e_c and e_a
                // give: pairs of constant generators need not be examined.
                for c in b + 1..count {
                    budget.spend(1, "computing the Courant tensor")?;
                    if slopes[a].is_constant() && slopes[b].is_constant() && slopes[c].is_constant()
                    {
                        continue;
                    }
                    if found >= ENOUGH {
                        left_out += 1;
                        continue;
                    }
                    let value = component(pool, &slopes[a], &slopes[b], &slopes[c]);
                    if value.is_zero() {
                        continue;
                    }
                    budget.spend(8, "computing the Courant tensor")?;
                    let zero = zero_test(pool, value, budget);
                    found += usize::from(zero == Zero::No);
                    if zero != Zero::Yes {
                        let value = simplified(pool, value, budget);
                        components.push(CourantComponent { indices: [a, b, c], value, zero });
                    }
                }
            }
        }
        Ok(CourantTensor { components, left_out })
    }
}
