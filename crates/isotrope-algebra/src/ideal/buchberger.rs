//! A second road to bases: Buchberger's algorithm modulo a prime, short and slow. Tests compare
//! what the engine finds with it.
#![cfg(test)]

use std::collections::BTreeMap;

use crate::{Monomial, Polynomial, modular};

type Residues = BTreeMap<Monomial, u64>;

/// The leading monomials of the reduced basis modulo the prime, ascending.
pub fn leading_monomials(polynomials: &[Polynomial], prime: u64) -> Vec<Monomial> {
    let mut basis: Vec<Residues> = Vec::new();
    let mut pairs: Vec<(Monomial, usize, usize)> = Vec::new();
    let insert = |basis: &mut Vec<Residues>, pairs: &mut Vec<_>, element: Residues| {
        let element = monic(element, prime);
        let lead = lead(&element).clone();
        for (index, other) in basis.iter().enumerate() {
            let other = self::lead(other);
            if !other.gcd(&lead).is_one() {
                pairs.push((other.lcm(&lead), index, basis.len()));
            }
        }
        basis.push(element);
    };
    for polynomial in polynomials {
        let residues: Residues = polynomial
            .terms()
            .iter()
            .map(|(m, c)| (m.clone(), c.modulo(prime).unwrap()))
            .filter(|(_, c)| *c != 0)
            .collect();
        let rest = reduce(residues, &basis, prime);
        if !rest.is_empty() {
            insert(&mut basis, &mut pairs, rest);
        }
    }
    while !pairs.is_empty() {
        pairs.sort();
        let (lcm, i, j) = pairs.remove(0);
        let mut pair = Residues::new();
        add(&mut pair, &basis[i], &lcm.checked_div(lead(&basis[i])).unwrap(), 1, prime);
        add(&mut pair, &basis[j], &lcm.checked_div(lead(&basis[j])).unwrap(), prime - 1, prime);
        let rest = reduce(pair, &basis, prime);
        if !rest.is_empty() {
            insert(&mut basis, &mut pairs, rest);
        }
    }
    let leads: Vec<Monomial> = basis.iter().map(|g| lead(g).clone()).collect();
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

fn lead(residues: &Residues) -> &Monomial {
    residues.keys().next_back().unwrap()
}

fn monic(residues: Residues, prime: u64) -> Residues {
    let inverse = modular::inverse(*residues.values().next_back().unwrap(), prime).unwrap();
    residues.into_iter().map(|(m, c)| (m, modular::mul(c, inverse, prime))).collect()
}

/// `sum += factor * shift * other`.
fn add(sum: &mut Residues, other: &Residues, shift: &Monomial, factor: u64, prime: u64) {
    for (monomial, value) in other {
        let key = monomial.checked_mul(shift).unwrap();
        let entry = sum.entry(key.clone()).or_insert(0);
        *entry = modular::add(*entry, modular::mul(*value, factor, prime), prime);
        if *entry == 0 {
            sum.remove(&key);
        }
    }
}

/// Only the leading terms are reduced: enough for leading monomials.
fn reduce(mut residues: Residues, basis: &[Residues], prime: u64) -> Residues {
    while let Some((monomial, value)) = residues.last_key_value() {
        let (monomial, value) = (monomial.clone(), *value);
        let Some(divisor) = basis.iter().find(|g| lead(g).divides(&monomial)) else { break };
        let shift = monomial.checked_div(lead(divisor)).unwrap();
        add(&mut residues, divisor, &shift, prime - value, prime);
    }
    residues
}
