//! A second road to bases: Buchberger's algorithm modulo a prime, short and slow. Tests compare
//! what the engine finds with it.
#![cfg(test)]

use super::residues::{Residues, add, lead, monic, remainder, residues};
use crate::{Monomial, Polynomial};

/// The leading monomials of the reduced basis modulo the prime, ascending.
pub fn leading_monomials(polynomials: &[Polynomial], prime: u64) -> Vec<Monomial> {
    let mut basis: Vec<Residues> = Vec::new();
    let mut pairs: Vec<(Monomial, usize, usize)> = Vec::new();
    let insert = |basis: &mut Vec<Residues>, pairs: &mut Vec<_>, element: Residues| {
        let element = monic(element, prime);
        let lead = lead(&element);
        for (index, other) in basis.iter().enumerate() {
            let other = super::residues::lead(other);
            if !other.gcd(&lead).is_one() {
                pairs.push((other.lcm(&lead), index, basis.len()));
            }
        }
        basis.push(element);
    };
    for polynomial in polynomials {
        let rest = remainder(residues(polynomial, prime).unwrap(), &basis, prime);
        if !rest.is_empty() {
            insert(&mut basis, &mut pairs, rest);
        }
    }
    while !pairs.is_empty() {
        pairs.sort();
        let (lcm, i, j) = pairs.remove(0);
        let mut pair = Residues::new();
        add(&mut pair, &basis[i], &lcm.checked_div(&lead(&basis[i])).unwrap(), 1, prime);
        add(&mut pair, &basis[j], &lcm.checked_div(&lead(&basis[j])).unwrap(), prime - 1, prime);
        let rest = remainder(pair, &basis, prime);
        if !rest.is_empty() {
            insert(&mut basis, &mut pairs, rest);
        }
    }
    let leads: Vec<Monomial> = basis.iter().map(lead).collect();
    let mut minimal: Vec<Monomial> = leads
        .iter()
        .enumerate()
        .filter(|(i, lead)| {
            !leads
                .iter()
                .enumerate()
                .any(|(j, other)| j != *i && other.divides(lead) && (other != *lead || j < *i))
        })
        .map(|(_, lead)| lead.clone())
        .collect();
    minimal.sort();
    minimal
}
