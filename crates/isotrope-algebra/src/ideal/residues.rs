//! Polynomials modulo a prime, for reductions.

use std::collections::BTreeMap;

use crate::{Monomial, Polynomial, Stop, modular};

/// Residues by monomial, none of them zero.
pub type Residues = BTreeMap<Monomial, u64>;

/// The residues of a polynomial; `None` if the prime divides a denominator.
pub fn residues(polynomial: &Polynomial, prime: u64) -> Option<Residues> {
    let mut list = Residues::new();
    for (monomial, coefficient) in polynomial.terms() {
        let value = coefficient.modulo(prime)?;
        if value != 0 {
            list.insert(monomial.clone(), value);
        }
    }
    Some(list)
}

/// The leading monomial; that of zero is 1.
pub fn lead(residues: &Residues) -> Monomial {
    residues.keys().next_back().cloned().unwrap_or_default()
}

/// Divided by the leading coefficient.
pub fn monic(residues: Residues, prime: u64) -> Residues {
    let inverse =
        residues.values().next_back().and_then(|&c| modular::inverse(c, prime)).unwrap_or(1);
    residues.into_iter().map(|(m, c)| (m, modular::mul(c, inverse, prime))).collect()
}

/// `sum += factor * shift * other`.
pub fn add(sum: &mut Residues, other: &Residues, shift: &Monomial, factor: u64, prime: u64) {
    for (monomial, value) in other {
        // Degrees are those of bases that exist: far below the limit of exponents.
        let Some(key) = monomial.checked_mul(shift) else { continue };
        let entry = sum.entry(key.clone()).or_insert(0);
        *entry = modular::add(*entry, modular::mul(*value, factor, prime), prime);
        if *entry == 0 {
            sum.remove(&key);
        }
    }
}

/// The remainder modulo monic elements: no monomial of it is divisible by a leading one. Once this thread was asked
/// to stop, nobody looks at it, and it is zero.
pub fn remainder(mut residues: Residues, basis: &[Residues], prime: u64) -> Residues {
    let leads: Vec<Monomial> = basis.iter().map(lead).collect();
    let mut rest = Residues::new();
    while let Some((monomial, value)) = residues.pop_last() {
        if Stop::requested() {
            return Residues::new();
        }
        let step = leads.iter().zip(basis).find_map(|(l, g)| Some((g, monomial.checked_div(l)?)));
        let Some((divisor, shift)) = step else {
            rest.insert(monomial, value);
            continue;
        };
        // The leading term cancels what was taken out.
        residues.insert(monomial, value);
        add(&mut residues, divisor, &shift, prime - value, prime);
    }
    rest
}
