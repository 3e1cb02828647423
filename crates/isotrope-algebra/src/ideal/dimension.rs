//! Dimension and independent variables, from leading monomials.

use super::{Ideal, leading};
use crate::Monomial;

impl Ideal {
    /// The dimension of the set of common zeros over the complex numbers; `None` if it is empty.
    pub fn dimension(&self) -> Option<usize> {
        self.is_consistent().then(|| self.independent_variables().len())
    }

    /// A largest set of variables that no leading monomial is made of: they can be chosen freely
    /// at a general point of some component. The later variables are preferred.
    pub fn independent_variables(&self) -> Vec<usize> {
        if !self.is_consistent() {
            return Vec::new();
        }
        let leads: Vec<Monomial> = self.basis().iter().map(leading).collect();
        independent(&leads, self.variables())
    }
}

/// A largest set of variables that none of the monomials is made of.
pub(super) fn independent(leads: &[Monomial], variables: usize) -> Vec<usize> {
    let supports: Vec<Vec<usize>> = leads.iter().map(|lead| lead.variables().collect()).collect();
    let mut best = Vec::new();
    cover(&supports, &mut vec![false; variables], 0, &mut (variables + 1, &mut best));
    best
}

/// Chooses dependent variables, one from every support, as few as possible.
fn cover(
    supports: &[Vec<usize>],
    dependent: &mut [bool],
    chosen: usize,
    best: &mut (usize, &mut Vec<usize>),
) {
    if chosen >= best.0 {
        return;
    }
    // The shortest support without a dependent variable.
    let open = supports
        .iter()
        .filter(|support| support.iter().all(|&v| !dependent[v]))
        .min_by_key(|support| support.len());
    let Some(open) = open else {
        best.0 = chosen;
        *best.1 = (0..dependent.len()).filter(|&v| !dependent[v]).collect();
        return;
    };
    for &variable in open {
        dependent[variable] = true;
        cover(supports, dependent, chosen + 1, best);
        dependent[variable] = false;
    }
}
