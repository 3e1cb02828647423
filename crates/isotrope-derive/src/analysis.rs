//! The geometry of a system and what it conserves, one question at a time.
//!
//! Equations do not need any of this. Each part is computed when somebody asks for it: [`classify`]
//! first, then [`conserve`] and, from what these found, [`reduce`]; [`dirac`] needs the first alone, and
//! [`hamiltonian`] none of them.

use isotrope_algebra::{Budget, Pool};
use isotrope_geometry::DiracStructure;
use isotrope_model::SystemKind;

use super::{
    Conservation, DistributionReport, Hamiltonian, Magnetic, Mechanics, Reduction, Symbols, System,
    conserved, distribution, group, legendre, reduction, state,
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
    /// Reduced equations.
    pub reduction: Option<Reduction>,
    /// The Hamiltonian of a Lagrangian, or why there is none.
    pub hamiltonian: Option<Hamiltonian>,
}

/// Answers all questions, each with as much as is left of the budget: what one costs takes nothing
/// from the others.
pub fn analyse(system: &mut System, budget: &Budget) -> Analysis {
    let own = || Budget::new(budget.left());
    let distribution = classify(system, &mut own());
    let conservation = conserve(system, &distribution, &mut own());
    let dirac = dirac(system, &distribution, &mut own());
    let reduction = reduce(system, &distribution, &conservation, &mut own());
    let hamiltonian = hamiltonian(system, &mut own());
    Analysis { distribution, dirac, conservation, reduction, hamiltonian }
}

/// The parts of a system. Noether's theorem wants L − θ, of which a magnetic force is no force.
fn parts(system: &mut System) -> (&mut Pool, &Symbols, &Mechanics, Option<&Magnetic>) {
    let System { model, symbols, mechanics, magnetic } = system;
    let canonical = magnetic.as_ref().and_then(|magnetic| magnetic.canonical.as_deref());
    (&mut model.pool, symbols, canonical.unwrap_or(mechanics), magnetic.as_ref())
}

/// Kinds of constraints, whether they integrate, growth vectors.
pub fn classify(system: &mut System, budget: &mut Budget) -> DistributionReport {
    if matches!(system.mechanics, Mechanics::Group(_)) {
        return group::classify(system, budget);
    }
    let (pool, symbols, mechanics, _) = parts(system);
    match mechanics {
        Mechanics::Lagrangian { rows, .. } => distribution::classify(pool, symbols, rows, budget),
        Mechanics::Degenerate(degenerate) => {
            distribution::classify(pool, symbols, &degenerate.rows, budget)
        }
        Mechanics::Hamiltonian(_) | Mechanics::State(_) | Mechanics::Group(_) => {
            DistributionReport::free(symbols.dimension())
        }
    }
}

/// What is conserved: energy, momenta of symmetries, Casimir functions.
pub fn conserve(
    system: &mut System,
    report: &DistributionReport,
    budget: &mut Budget,
) -> Conservation {
    if matches!(system.mechanics, Mechanics::Group(_)) {
        return group::conserve(system, budget);
    }
    let (pool, symbols, mechanics, _) = parts(system);
    match mechanics {
        Mechanics::Lagrangian { dynamics, rows, multiplier_symbols, eliminated, .. } => {
            let parts = conserved::Parts {
                symbols,
                dynamics,
                rows,
                report,
                eliminated,
                multiplier_symbols,
                first_order: None,
            };
            conserved::find(pool, parts, budget)
        }
        Mechanics::Degenerate(degenerate) => {
            let parts = conserved::Parts {
                symbols,
                dynamics: &degenerate.dynamics,
                rows: &degenerate.rows,
                report,
                eliminated: &degenerate.eliminated,
                multiplier_symbols: &[],
                first_order: Some(&degenerate.velocity),
            };
            conserved::find(pool, parts, budget)
        }
        Mechanics::Hamiltonian(field) => {
            let mut found = Conservation::default();
            conserved::hamiltonian(pool, symbols, field, budget, &mut found);
            found
        }
        Mechanics::State(state) => state::conservation(pool, symbols, state, budget),
        Mechanics::Group(_) => Conservation::default(),
    }
}

/// The almost Dirac structure of a Lagrangian system.
pub fn dirac(
    system: &mut System,
    report: &DistributionReport,
    budget: &mut Budget,
) -> Option<DiracStructure> {
    let (pool, symbols, mechanics, magnetic) = parts(system);
    let Mechanics::Lagrangian { rows, .. } = mechanics else { return None };
    let dirac = distribution::dirac(pool, symbols, rows, report, budget)?;
    Some(match magnetic {
        Some(magnetic) => dirac.gauge_transformed(pool, &magnetic.form.on_cotangent_bundle()),
        None => dirac,
    })
}

/// The Hamiltonian of a system with a Lagrangian: the one it was given by, or that of the inverse
/// Legendre map.
pub fn hamiltonian(system: &mut System, budget: &mut Budget) -> Option<Hamiltonian> {
    let System { model, symbols, mechanics, .. } = system;
    hamiltonian_in(&mut model.pool, &model.system, symbols, mechanics, budget)
}

/// The same in a pool that has the expressions of the system.
pub fn hamiltonian_in(
    pool: &mut Pool,
    given: &SystemKind,
    symbols: &Symbols,
    mechanics: &Mechanics,
    budget: &mut Budget,
) -> Option<Hamiltonian> {
    let Mechanics::Lagrangian { dynamics, .. } = mechanics else { return None };
    if let SystemKind::Hamiltonian { hamiltonian, .. } = given {
        return Some(Hamiltonian::Explicit(*hamiltonian));
    }
    let found = legendre::hamiltonian(pool, symbols, dynamics, budget);
    Some(found.unwrap_or(Hamiltonian::TooLarge))
}

/// Equations reduced by the symmetries that were found.
pub fn reduce(
    system: &mut System,
    report: &DistributionReport,
    conservation: &Conservation,
    budget: &mut Budget,
) -> Option<Reduction> {
    let (pool, symbols, mechanics, magnetic) = parts(system);
    match (mechanics, magnetic) {
        (Mechanics::Lagrangian { dynamics, rows, .. }, None) => {
            let symmetries = &conservation.symmetries;
            reduction::reduce(pool, symbols, dynamics, rows, report, symmetries, budget)
        }
        _ => None,
    }
}
