//! What a report says, section by section.

use isotrope_derive::{Analysis, LagrangianMechanics, Mechanics, System};

use super::document::{Document, Section};
use super::sections;

/// The report of a derived system.
pub fn document(system: &mut System, analysis: &Analysis) -> Document {
    let mut parts: Vec<Option<Section>> = vec![Some(sections::system::section(system))];
    match system.mechanics.clone() {
        Mechanics::Lagrangian(all) => {
            let LagrangianMechanics { dynamics, rows, multiplier_symbols, residual, eliminated } =
                *all;
            parts.push(Some(sections::mechanics::lagrangian(system, &dynamics)));
            if let Some(magnetic) = system.magnetic.clone() {
                let names = system.symbols.names.clone();
                let force = magnetic.force(&mut system.model.pool, &system.symbols);
                let pool = &mut system.model.pool;
                parts.push(Some(sections::magnetic::section(pool, &names, &magnetic, &force)));
            }
            parts.push(Some(sections::mechanics::legendre(
                system,
                &dynamics,
                analysis.hamiltonian,
            )));
            parts.push(sections::constraints::section(system, &rows, &analysis.distribution));
            parts.push(Some(sections::motion::euler_lagrange(&rows, &residual)));
            let unsolved = super::elimination::unsolved(
                &mut system.model.pool,
                &system.symbols,
                &eliminated,
                &multiplier_symbols,
            );
            parts.push(sections::motion::multipliers(
                system,
                &rows,
                &multiplier_symbols,
                &eliminated,
                unsolved.as_ref(),
            ));
            parts.push(Some(sections::motion::field(
                system,
                &dynamics,
                &rows,
                &multiplier_symbols,
                &eliminated,
                unsolved.as_ref(),
            )));
            parts.push(sections::geometry::distribution(system, &rows, &analysis.distribution));
            parts.push(sections::geometry::dirac(system, &dynamics, &rows, analysis));
        }
        Mechanics::Group(mechanics) => {
            parts.push(Some(sections::mechanics::lagrangian(system, &mechanics.dynamics)));
            parts.push(Some(sections::group::momenta(system, &mechanics)));
            let report = &analysis.distribution;
            parts.push(sections::constraints::section(system, &mechanics.rows, report));
            parts.push(Some(sections::group::euler_poincare(system, &mechanics)));
            parts.push(Some(sections::group::kinematics(&mechanics)));
        }
        Mechanics::Hamiltonian(field) => {
            parts.push(Some(sections::motion::hamilton(system, &field)));
        }
        Mechanics::State(state) => {
            if let Some(chain) = &state.chain {
                parts.extend(sections::singular::sections(system, chain));
            }
            parts.extend(sections::state::structure(system, &state));
            parts.push(sections::state::constraints(&state));
            parts.push(Some(sections::state::motion(system, &state)));
            parts.push(sections::state::balance(&state));
        }
        Mechanics::Degenerate(degenerate) => {
            parts.push(Some(sections::mechanics::lagrangian(system, &degenerate.dynamics)));
            parts.push(Some(sections::degenerate::form(system, &degenerate)));
            parts.push(Some(sections::degenerate::motion(system, &degenerate)));
            parts.push(Some(sections::degenerate::polarisation(system, &degenerate)));
        }
    }
    parts.push(Some(sections::conservation::section(system, &analysis.conservation)));
    parts.push(match &analysis.reduction {
        Ok(Some(reduction)) => Some(sections::reduction::section(system, reduction)),
        Ok(None) => None,
        Err(stop) => Some(sections::reduction::too_long(stop)),
    });
    Document {
        title: system.model.name.clone(),
        description: system.model.description.clone(),
        sections: parts.into_iter().flatten().collect(),
    }
}
