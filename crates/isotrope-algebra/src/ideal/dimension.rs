//! Dimension and independent variables, from leading monomials.

use super::{Ideal, leading};
use crate::{Monomial, Stop};

impl Ideal {
    /// The dimension of the set of common zeros over the complex numbers; `None` if it is empty.
    pub fn dimension(&self) -> Option<usize> {
        self.is_consistent().then(|| self.independent_variables().len())
    }

    /// A largest set of variables that no leading monomial is made of: they can be chosen freely
    /// at a general point of some component.
    pub fn independent_variables(&self) -> Vec<usize> {
        self.independent_sets(1).pop().unwrap_or_default()
    }

    /// Largest sets of variables that no leading monomial is made of, at most `most` of them;
    /// none for an ideal without zeros.
    pub fn independent_sets(&self, most: usize) -> Vec<Vec<usize>> {
        if !self.is_consistent() {
            return Vec::new();
        }
        let leads: Vec<Monomial> = self.basis().iter().map(leading).collect();
        independent_sets(&leads, self.variables(), most)
    }
}

/// The size of a largest set of variables that none of the monomials is made of.
pub(super) fn dimension(leads: &[Monomial], variables: usize) -> usize {
    independent_sets(leads, variables, 1).pop().map_or(0, |set| set.len())
}

fn independent_sets(leads: &[Monomial], variables: usize, most: usize) -> Vec<Vec<usize>> {
    let supports: Vec<Vec<usize>> = leads.iter().map(|lead| lead.variables().collect()).collect();
    let mut search = Covers { supports, best: variables + 1, sets: Vec::new(), most };
    search.choose(&mut vec![false; variables], 0);
    search.sets
}

/// Smallest sets of dependent variables: one variable from every support.
struct Covers {
    supports: Vec<Vec<usize>>,
    best: usize,
    sets: Vec<Vec<usize>>,
    most: usize,
}

impl Covers {
    fn choose(&mut self, dependent: &mut [bool], chosen: usize) {
        // The number of covers grows fast; once this thread was asked to stop, nobody looks at them.
        let enough = self.sets.len() >= self.most || Stop::requested();
        if chosen > self.best || (chosen == self.best && enough) {
            return;
        }
        // The shortest support without a dependent variable.
        let open = self
            .supports
            .iter()
            .filter(|support| support.iter().all(|&v| !dependent[v]))
            .min_by_key(|support| support.len())
            .cloned();
        let Some(open) = open else {
            if chosen < self.best {
                self.best = chosen;
                self.sets.clear();
            }
            let free: Vec<usize> = (0..dependent.len()).filter(|&v| !dependent[v]).collect();
            if !self.sets.contains(&free) {
                self.sets.push(free);
            }
            return;
        };
        for variable in open {
            dependent[variable] = true;
            self.choose(dependent, chosen + 1);
            dependent[variable] = false;
        }
    }
}
