//! Ideals modulo a prime: fast answers, right unless the prime is unlucky.

use super::dimension::dimension;
use super::engine::BasisEngine;
use super::residues::{Residues, add, lead, monic, remainder, residues};
use super::{IdealError, modular_basis};
use crate::{Monomial, Polynomial};

/// The ideal of polynomials modulo a prime near 2³¹.
///
/// Inconsistent modulo p is inconsistent over the rationals, and what is in the ideal modulo p is
/// there for all but finitely many primes or none.
#[derive(Debug, Clone)]
pub struct ModularIdeal {
    prime: u64,
    variables: usize,
    basis: Vec<Polynomial>,
    residues: Vec<Residues>,
}

impl ModularIdeal {
    /// The ideal of these polynomials in `variables` variables.
    pub fn new(
        generators: &[Polynomial],
        variables: usize,
        engine: &dyn BasisEngine,
    ) -> Result<Self, IdealError> {
        let generators: Vec<Polynomial> =
            generators.iter().filter(|g| !g.is_zero()).cloned().collect();
        let (prime, basis) = modular_basis(&generators, variables, engine)?;
        let residues =
            basis.iter().filter_map(|g| residues(g, prime)).map(|g| monic(g, prime)).collect();
        Ok(Self { prime, variables, basis, residues })
    }

    /// The prime.
    pub fn prime(&self) -> u64 {
        self.prime
    }

    /// The reduced basis, with coefficients from 0 to p - 1.
    pub fn basis(&self) -> &[Polynomial] {
        &self.basis
    }

    /// Is there a common zero over the algebraic closure?
    pub fn is_consistent(&self) -> bool {
        !self.basis.iter().any(|g| g.is_constant() && !g.is_zero())
    }

    /// The dimension of the set of common zeros; `None` if it is empty.
    pub fn dimension(&self) -> Option<usize> {
        let leads: Vec<Monomial> = self.residues.iter().map(lead).collect();
        self.is_consistent().then(|| dimension(&leads, self.variables))
    }

    /// Does the ideal contain the polynomial? `false` also if the prime divides a denominator.
    pub fn contains(&self, polynomial: &Polynomial) -> bool {
        self.remainder(polynomial).is_some_and(|rest| rest.is_empty())
    }

    /// Which of the polynomials are in no linear combination of those before them and elements of
    /// the ideal: their number is the dimension of the space that they span modulo the ideal.
    pub fn independent(&self, polynomials: &[Polynomial]) -> Vec<usize> {
        let mut rows: Vec<Residues> = Vec::new();
        let mut found = Vec::new();
        for (number, polynomial) in polynomials.iter().enumerate() {
            let Some(mut rest) = self.remainder(polynomial) else { continue };
            for row in &rows {
                if let Some(&value) = rest.get(&lead(row)) {
                    add(&mut rest, row, &Monomial::one(), self.prime - value, self.prime);
                }
            }
            if !rest.is_empty() {
                rows.push(monic(rest, self.prime));
                found.push(number);
            }
        }
        found
    }

    fn remainder(&self, polynomial: &Polynomial) -> Option<Residues> {
        let list = residues(polynomial, self.prime)?;
        Some(remainder(list, &self.residues, self.prime))
    }
}
