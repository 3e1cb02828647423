//! The image of a table in a prime field.

use isotrope_algebra::Budget;
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::univariate::{IntegerPolynomial, ModularRoots};

use super::image::Image;
use super::{StageProduct, Table, TableProblem};

/// The coefficients of a table modulo a prime, as explicit tables.
///
/// The generator of the field is sent to one of its conjugates in the prime field, the nodes to
/// the roots of their polynomial (the node 0 first, the node 1 last, the others ascending): every
/// polynomial identity between the exact coefficients holds here, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModularTable {
    /// The prime.
    pub prime: u64,
    /// The matrix of the positions.
    pub a: Vec<Vec<u64>>,
    /// The matrix of the velocities.
    pub abar: Vec<Vec<u64>>,
    /// The weights of the positions.
    pub b: Vec<u64>,
    /// The weights of the velocities.
    pub bbar: Vec<u64>,
    /// The weights of the momenta.
    pub btil: Vec<u64>,
}

/// A homomorphism to a prime field.
struct Residues {
    prime: u64,
    generator: u64,
}

impl Image for Residues {
    type Value = u64;

    fn element(&self, element: &FieldElement) -> Result<u64, TableProblem> {
        let p = self.prime;
        element.coefficients().iter().rev().try_fold(0, |value, c| {
            // A prime in a denominator has no image; the caller takes the next prime.
            let c = c.modulo(p).ok_or(TableProblem::NoPrime { tried: 1 })?;
            Ok(modular::add(modular::mul(value, self.generator, p), c, p))
        })
    }

    fn add(&self, x: &u64, y: &u64) -> u64 {
        modular::add(*x, *y, self.prime)
    }

    fn mul(&self, x: &u64, y: &u64) -> Result<u64, TableProblem> {
        Ok(modular::mul(*x, *y, self.prime))
    }

    fn div(&self, x: &u64, y: &u64) -> Result<u64, TableProblem> {
        let inverse = modular::inverse(*y, self.prime).ok_or(TableProblem::NoPrime { tried: 1 })?;
        self.mul(x, &inverse)
    }
}

impl Table {
    /// The image in a random field of a prime with 61 bits.
    pub fn modular(
        &self,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<ModularTable, TableProblem> {
        self.modular_with_bits(61, random, budget)
    }

    /// The image in a random field of a prime below 2^31.
    pub fn modular_small(
        &self,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<ModularTable, TableProblem> {
        self.modular_with_bits(31, random, budget)
    }

    /// The image in a random field of a prime with this many bits (10 to 61, others are taken to
    /// the nearest).
    ///
    /// Primes are tried downwards from a random number until the node polynomial splits and the
    /// generator of the coefficients has a conjugate; by Chebotarev's theorem one prime in as
    /// many as the Galois group has elements does. The budget stops what takes too long.
    pub fn modular_with_bits(
        &self,
        bits: u32,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<ModularTable, TableProblem> {
        let half = 1u64 << (bits.clamp(10, 61) - 1);
        let start = half + half / 8 + random.below(half - half / 8);
        let nodes = match &self.product {
            StageProduct::Pointwise => None,
            StageProduct::Modulo(nodes) => Some(IntegerPolynomial::from_rationals(nodes)),
        };
        let minimal = self.field.generator().minimal_polynomial();
        let mut tried = 0;
        for prime in modular::primes_below(start).take_while(|prime| *prime > half) {
            tried += 1;
            budget.spend(1_000, "searching a prime")?;
            let Some(minimal) = ModularRoots::new(minimal, prime) else { continue };
            let generators = minimal.roots(random, budget)?;
            if generators.is_empty() {
                continue;
            }
            let choice = random.below(generators.len() as u64) as usize;
            let Some(generator) = generators.get(choice).copied() else { continue };
            let roots = match &nodes {
                None => Vec::new(),
                Some(polynomial) => {
                    let Some(polynomial) = ModularRoots::new(polynomial, prime) else { continue };
                    if !polynomial.splits(budget)? {
                        continue;
                    }
                    let mut roots = polynomial.roots(random, budget)?;
                    roots.sort_by_key(|root| if *root == 1 { u64::MAX } else { *root });
                    roots
                }
            };
            match self.coefficients_in(&Residues { prime, generator }, &roots) {
                Ok(c) => {
                    let super::Coefficients { a, abar, b, bbar, btil } = c;
                    return Ok(ModularTable { prime, a, abar, b, bbar, btil });
                }
                Err(TableProblem::NoPrime { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(TableProblem::NoPrime { tried })
    }
}
