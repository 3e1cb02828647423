//! Hamiltonian splitting: H = Σ H_i, and the flows of D ∇H_i one after the other.
//!
//! Flows of Hamiltonian fields are Poisson maps, and so are their compositions
//! (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, VII.4).

use isotrope_algebra::Rational;
use isotrope_algebra::calculus::{Substitution, substitute};

use super::parts::{Split, split};
use super::{bracket, finish, fractions};
use crate::DiscretiseError;
use crate::mechanics::Writer;
use crate::registry::Written;

/// Why a Hamiltonian is not split.
const NONE: &str = "the Hamiltonian is not a sum of terms whose flows have formulas (coordinates that rest, \
                    move uniformly, grow exponentially or turn in pairs)";

/// Strang's step, or a composition of such steps.
pub(super) fn write(writer: &mut Writer<'_>, order: usize) -> Written {
    let (bracket, hamiltonian) = bracket(writer)?;
    let mut name = "tau".to_owned();
    while writer.pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    let tau = writer.pool.symbol(&name);
    let positions = &writer.symbols.position;
    let found = split(&mut writer.pool, positions, bracket, hamiltonian, tau, writer.budget)?;
    let Split::Parts(parts) = found else {
        return Err(DiscretiseError::NotApplicable { reason: NONE });
    };
    let fractions = fractions(writer, order)?;
    let mut q = positions.clone();
    let sequence = sequence(parts.len(), &fractions);
    writer.evaluations = u32::try_from(sequence.len()).unwrap_or(u32::MAX);
    for (k, (part, fraction)) in sequence.into_iter().enumerate() {
        let mut map: Substitution = positions.iter().copied().zip(q.iter().copied()).collect();
        map.insert(tau, writer.pool.scale(&fraction, writer.h));
        map.retain(|from, to| from != to);
        let images = substitute(&mut writer.pool, &parts[part].images, &map, writer.budget)?;
        q = writer.define(&format!("_{}", k + 1), images);
    }
    finish(writer, q)
}

/// Which flow for which part of the step: each step goes through the parts and back, and what meets
/// itself is one flow.
fn sequence(parts: usize, fractions: &[Rational]) -> Vec<(usize, Rational)> {
    let half = Rational::half();
    let mut sequence: Vec<(usize, Rational)> = Vec::new();
    for fraction in fractions {
        let there = (0..parts).chain((0..parts).rev());
        for part in there {
            let share = &half * fraction;
            match sequence.last_mut() {
                Some((last, sum)) if *last == part => *sum = &*sum + &share,
                _ => sequence.push((part, share)),
            }
        }
    }
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strang_steps_meet_in_the_middle_and_at_their_ends() {
        let number = |text: &str| text.parse::<Rational>().unwrap();
        let one = sequence(3, &[Rational::ONE]);
        let parts: Vec<usize> = one.iter().map(|entry| entry.0).collect();
        assert_eq!(parts, [0, 1, 2, 1, 0]);
        assert_eq!(one[2].1, Rational::ONE);
        let three = sequence(2, &[number("2"), number("-3"), number("2")]);
        let wanted = [(0, "1"), (1, "2"), (0, "-1/2"), (1, "-3"), (0, "-1/2"), (1, "2"), (0, "1")];
        let wanted: Vec<(usize, Rational)> =
            wanted.into_iter().map(|(part, text)| (part, number(text))).collect();
        assert_eq!(three, wanted);
    }
}
