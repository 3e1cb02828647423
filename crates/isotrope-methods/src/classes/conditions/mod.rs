//! The structure conditions of a class, as polynomials in tree weights.

mod differentials;
pub mod forests;
mod methods;
pub mod rational_rows;
pub mod reconstruction;
mod sampling;
mod text;

use std::collections::BTreeMap;

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use crate::trees::{Family, Trees};

use super::class::{Class, Part};
use super::error::ClassError;
use super::problem::Dimensions;
pub use forests::Forest;

/// Colours of the three groups in [`Family::qvp`].
pub(super) const POSITION: usize = 0;
pub(super) const VELOCITY: usize = 1;
const MOMENTUM: usize = 2;
const STATE_COLOURS: [usize; 2] = [POSITION, VELOCITY];

/// What is to be preserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Structure {
    /// The manifold {p = ∂L/∂v, A v = 0, φ = 0}: parts ψ, φ_v, φ_q and all together.
    Submanifold,
    /// The 2-form dq ∧ dp on it.
    Form,
}

/// A polynomial in tree weights that must vanish: its terms, the first with coefficient one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Monomials and their coefficients; the empty monomial is the constant.
    pub terms: Vec<(Forest, Rational)>,
}

/// How far the sampling is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// 1 or 2: the prime at work.
    pub prime: usize,
    /// Problems expanded so far with this prime.
    pub problems: usize,
    /// Sum of the ranks so far, over parts and orders.
    pub rank: usize,
}

/// The conditions of a class through some order, and how sure they are.
///
/// Each row is proved up to the reduction modulo two primes; that there are no more is not: it
/// fails with at most [`Conditions::failure_probability`].
#[derive(Debug, Clone)]
pub struct Conditions {
    class: Class,
    structure: Structure,
    trees: Trees,
    /// By part, then by power of h from 1.
    rows: BTreeMap<Part, Vec<Vec<Condition>>>,
    /// Random problems expanded, over both primes.
    pub problems: usize,
    /// Coefficients of steps of random methods that agreed with the expansion.
    pub checks: usize,
    /// A bound for the probability that a condition was missed, for problems of the sampled sizes.
    pub failure_probability: Rational,
}

impl Conditions {
    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// What is preserved.
    pub fn structure(&self) -> Structure {
        self.structure
    }

    /// The trees whose weights occur.
    pub fn trees(&self) -> &Trees {
        &self.trees
    }

    /// The highest power of h.
    pub fn max_order(&self) -> usize {
        self.trees.max_order()
    }

    /// The parts there are conditions for.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        self.rows.keys().copied()
    }

    /// The largest e such that the failure probability is at most 2^-e (no more than 4096).
    pub fn failure_bits(&self) -> u32 {
        bits(&self.failure_probability)
    }

    /// The conditions for the coefficient of h^`order` of a part to vanish, reduced; empty for a
    /// part or an order that was not computed.
    pub fn at(&self, part: Part, order: usize) -> &[Condition] {
        let rows = self.rows.get(&part);
        rows.zip(order.checked_sub(1))
            .and_then(|(rows, at)| rows.get(at))
            .map_or(&[], Vec::as_slice)
    }

    /// The same for methods of order `known`: with w(t) = 1/γ(t) for |t| <= `known`, reduced.
    pub fn given(
        &self,
        part: Part,
        order: usize,
        known: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Condition>, OutOfBudget> {
        rational_rows::substitute(&self.trees, self.at(part, order), known, budget)
    }
}

/// The largest e such that a probability is at most 2^-e (no more than 4096).
pub fn bits(probability: &Rational) -> u32 {
    let (one, two) = (Rational::from(1), Rational::from(2));
    let mut scaled = probability * &two;
    let mut bits = 0;
    while scaled <= one && bits < 4096 {
        scaled = &scaled * &two;
        bits += 1;
    }
    bits
}

/// The conditions under which a structure of a class is preserved through h^`max_order`, by the
/// route described at [`Conditions`] and in the manual: random problems over a prime field, each
/// expanded in trees, until no part of any order gains a row; rows reconstructed over the
/// rationals and recomputed with a second prime and fresh problems.
///
/// ```
/// use isotrope_algebra::{Budget, modular::Random};
/// use isotrope_methods::classes::{Class, Part, Structure, conditions};
/// let budget = &mut Budget::new(100_000_000);
/// let random = &mut Random::new(1);
/// let found =
///     conditions(Class::Bilinear, Structure::Submanifold, 2, random, budget, &mut |_| {}).unwrap();
/// assert_eq!(found.at(Part::PhiV, 1)[0].text(found.trees()), "w(q) = w(v)");
/// let given = found.given(Part::All, 2, 1, budget).unwrap();
/// assert_eq!(given.len(), 4);
/// ```
pub fn conditions(
    class: Class,
    structure: Structure,
    max_order: usize,
    random: &mut Random,
    budget: &mut Budget,
    progress: &mut dyn FnMut(&Sampling),
) -> Result<Conditions, ClassError> {
    conditions_of_sizes(class, class.dimensions(), structure, max_order, random, budget, progress)
}

/// [`conditions`] from problems of given sizes: how the defaults of [`Class::dimensions`] are
/// seen to be large enough.
pub fn conditions_of_sizes(
    class: Class,
    sizes: &[Dimensions],
    structure: Structure,
    max_order: usize,
    random: &mut Random,
    budget: &mut Budget,
    progress: &mut dyn FnMut(&Sampling),
) -> Result<Conditions, ClassError> {
    if structure == Structure::Form && !class.has(Part::Form) {
        return Err(ClassError::NoSuchPart { class, part: Part::Form });
    }
    let trees = Trees::up_to(&Family::qvp(), max_order, budget)?;
    let sampler = sampling::Sampler::new(class, sizes, structure, &trees);
    let found = sampler.run(random, budget, progress)?;
    Ok(Conditions {
        class,
        structure,
        rows: found.rows,
        problems: found.problems,
        checks: found.checks,
        failure_probability: found.failure_probability,
        trees,
    })
}
