//! Components of the set of common zeros, by factors of basis elements.

use super::engine::BasisEngine;
use super::factors::{Factor, factors};
use super::{Ideal, IdealError, leading};
use crate::{Budget, Polynomial};

/// A part of the set of common zeros.
#[derive(Debug, Clone)]
pub struct Component {
    /// Its ideal (not always radical).
    pub ideal: Ideal,
    /// No basis element has factors that are known: most often the part is irreducible, but that
    /// is proved only where [`Component::is_graph`] holds.
    pub unsplit: bool,
}

/// The parts a set of common zeros was split into.
#[derive(Debug, Clone)]
pub struct Decomposition {
    /// The parts; none lies in another.
    pub components: Vec<Component>,
    /// Was every part split as far as factors go? Otherwise the limit on their number stopped it.
    pub complete: bool,
}

impl Component {
    /// Is every leading monomial a single variable or linear in one that occurs in no other? Then
    /// the part is the graph of polynomials in the remaining variables, and irreducible.
    pub fn is_graph(&self) -> bool {
        self.ideal.basis().iter().all(|g| leading(g).degree() == 1)
    }
}

/// Ideals examined before splitting stops.
const LIMIT: usize = 200;

impl Ideal {
    /// Splits the set of common zeros along factors of basis elements: V(I, fg) = V(I, f) ∪
    /// V(I, g). Parts inside others are dropped.
    pub fn components(
        &self,
        engine: &dyn BasisEngine,
        budget: &mut Budget,
    ) -> Result<Decomposition, IdealError> {
        let mut open = vec![self.clone()];
        let mut parts: Vec<Ideal> = Vec::new();
        let mut looked_at = 0;
        let mut complete = true;
        while let Some(ideal) = open.pop() {
            if !ideal.is_consistent() {
                continue;
            }
            looked_at += 1;
            if looked_at > LIMIT {
                complete = false;
                parts.push(ideal);
                continue;
            }
            match ideal.splitting(budget)? {
                Some(split) => {
                    for factor in split {
                        let part = ideal.extended([factor], engine, budget)?;
                        let known =
                            parts.iter().chain(&open).any(|other| other.basis() == part.basis());
                        if !known {
                            open.push(part);
                        }
                    }
                }
                None => parts.push(ideal),
            }
        }
        let components = maximal(parts, engine, budget)?
            .into_iter()
            .map(|ideal| Ok(Component { unsplit: ideal.splitting(budget)?.is_none(), ideal }))
            .collect::<Result<Vec<_>, IdealError>>()?;
        Ok(Decomposition { components, complete })
    }

    /// The factors of the first basis element that has several, or a square.
    fn splitting(&self, budget: &mut Budget) -> Result<Option<Vec<Polynomial>>, IdealError> {
        for element in self.basis() {
            let found: Vec<Factor> = factors(element, budget)?;
            let degrees: u64 = found.iter().filter_map(|f| f.polynomial.degree()).sum();
            if found.len() > 1 || Some(degrees) != element.degree() {
                return Ok(Some(found.into_iter().map(|factor| factor.polynomial).collect()));
            }
        }
        Ok(None)
    }
}

/// Drops parts that lie in others: V(I) ⊂ V(J) if all of J vanishes on V(I).
fn maximal(
    mut parts: Vec<Ideal>,
    engine: &dyn BasisEngine,
    budget: &mut Budget,
) -> Result<Vec<Ideal>, IdealError> {
    parts.sort_by_key(|part| std::cmp::Reverse(part.dimension()));
    let mut kept: Vec<Ideal> = Vec::new();
    for part in parts {
        let mut inside = false;
        for larger in &kept {
            inside = inside || lies_in(&part, larger, engine, budget)?;
        }
        if inside {
            continue;
        }
        // A part of the same dimension may lie in this one, if this one is reducible.
        let mut rest = Vec::with_capacity(kept.len() + 1);
        for other in kept {
            let same = other.dimension() == part.dimension();
            if !(same && lies_in(&other, &part, engine, budget)?) {
                rest.push(other);
            }
        }
        rest.push(part);
        kept = rest;
    }
    Ok(kept)
}

/// V(I) ⊂ V(J)?
fn lies_in(
    inner: &Ideal,
    outer: &Ideal,
    engine: &dyn BasisEngine,
    budget: &mut Budget,
) -> Result<bool, IdealError> {
    for element in outer.basis() {
        if !inner.vanishes_on_zeros(element, engine, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}
