//! The geometry of a system and what it conserves, one question at a time.
//!
//! Equations do not need any of this. Each part is computed on request: [`classify`]
//! first, then [`conserve`] and, from what these found, [`reduce`]; [`dirac`] needs the first alone, and
//! [`hamiltonian`] none of them.

use isotrope_algebra::{Budget, OutOfBudget};
use isotrope_geometry::DiracStructure;
use isotrope_model::Model;

use super::{
    Conservation, DistributionReport, Hamiltonian, Integrals, Magnetic, Mechanics, Reduction,
    Symbols, System,
};

/// The geometry of a system and what it conserves.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Kinds, Frobenius, flags.
    pub distribution: DistributionReport,
    /// The almost Dirac structure.
    pub dirac: Option<DiracStructure>,
    /// Energy and momenta.
    pub conservation: Conservation,
    /// Reduced equations, if there are symmetries to divide by; an error if they are too long to compute.
    pub reduction: Result<Option<Reduction>, OutOfBudget>,
    /// The Hamiltonian of a Lagrangian, or why there is none.
    pub hamiltonian: Option<Hamiltonian>,
}

/// Answers all questions, each with as much as is left of the budget: what one costs takes nothing
/// from the others.
pub fn analyse(system: &mut System, budget: &Budget) -> Analysis {
    let own = || Budget::new(budget.left());
    let distribution = classify(system, &mut own());
    let conservation = conserve(system, &distribution, Integrals::default(), &mut own());
    let dirac = dirac(system, &distribution, &mut own());
    let reduction = reduce(system, &distribution, &conservation, &mut own());
    let hamiltonian = hamiltonian(system, &mut own());
    Analysis { distribution, dirac, conservation, reduction, hamiltonian }
}

/// The equations whose symmetries are looked for, apart from the model. Noether's theorem needs L − θ, for
/// which a magnetic force is not an external force.
fn parts(system: &mut System) -> (&mut Model, &Symbols, &Mechanics, Option<&Magnetic>) {
    let System { model, symbols, mechanics, magnetic } = system;
    let canonical = magnetic.as_ref().and_then(|magnetic| magnetic.canonical.as_deref());
    (model, symbols, canonical.unwrap_or(mechanics), magnetic.as_ref())
}

/// Kinds of constraints, whether they integrate, growth vectors.
pub fn classify(system: &mut System, budget: &mut Budget) -> DistributionReport {
    let (model, symbols, mechanics, _) = parts(system);
    mechanics.classify(model, symbols, budget)
}

/// What is conserved: energy, momenta of symmetries, Casimir functions.
pub fn conserve(
    system: &mut System,
    report: &DistributionReport,
    asked: Integrals,
    budget: &mut Budget,
) -> Conservation {
    let (model, symbols, mechanics, _) = parts(system);
    mechanics.conserve(model, symbols, report, asked, budget)
}

/// The momenta that runs watch, without energy and proofs, where they are found faster than by [`conserve`].
pub fn watched(system: &mut System, budget: &mut Budget) -> Option<Conservation> {
    let (model, symbols, mechanics, _) = parts(system);
    mechanics.watched(model, symbols, budget)
}

/// The almost Dirac structure of a Lagrangian system.
pub fn dirac(
    system: &mut System,
    report: &DistributionReport,
    budget: &mut Budget,
) -> Option<DiracStructure> {
    let (model, symbols, mechanics, magnetic) = parts(system);
    let dirac = mechanics.dirac(&mut model.pool, symbols, report, budget)?;
    Some(match magnetic {
        Some(magnetic) => {
            dirac.gauge_transformed(&mut model.pool, &magnetic.form.on_cotangent_bundle())
        }
        None => dirac,
    })
}

/// The Hamiltonian of a system with a Lagrangian: the one it was given by, or that of the inverse
/// Legendre map.
pub fn hamiltonian(system: &mut System, budget: &mut Budget) -> Option<Hamiltonian> {
    let System { model, symbols, mechanics, .. } = system;
    mechanics.hamiltonian(&mut model.pool, &model.system, symbols, budget)
}

/// Equations reduced by the symmetries that were found; not with a magnetic 2-form.
pub fn reduce(
    system: &mut System,
    report: &DistributionReport,
    conservation: &Conservation,
    budget: &mut Budget,
) -> Result<Option<Reduction>, OutOfBudget> {
    let (model, symbols, mechanics, magnetic) = parts(system);
    match magnetic {
        Some(_) => Ok(None),
        None => mechanics.reduce(&mut model.pool, symbols, report, conservation, budget),
    }
}
