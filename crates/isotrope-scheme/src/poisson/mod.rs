//! Steps that are Poisson maps, dΦ D dΦᵀ = D∘Φ: they keep the bracket, its Casimir functions and its leaves.
//!
//! Two roads: flows of parts of the Hamiltonian that are known by formulas (`splitting`), and steps on the
//! dual of a Lie algebra that come from its group (`lie_poisson`). Both are symmetric and of order 2;
//! compositions of them have the orders that their coefficients are proved to give.

mod exact_flow;
mod lie_poisson;
mod parts;
mod splitting;

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{ExprId, Precision, Rational};

use super::DiscretiseError;
use super::mechanics::Writer;
use super::registry::{Capabilities, Entry, Family, InStateSpace, Recipe, Theory, Written};
use super::stages::Digits;
use isotrope_derive::StateSpace;
use isotrope_methods::named_composition;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "poisson",
    citation: None,
    capabilities: Capabilities { state_space: InStateSpace::Only, ..Capabilities::MECHANICS },
    entries: &[
        Entry {
            name: "splitting-2",
            about: "flows of the parts of H that have formulas, there and back (Strang): a Poisson map",
            recipe: Recipe::Plain(|writer| splitting::write(writer, 2)),
            theory: composed(2),
            ..Entry::BLANK
        },
        Entry {
            name: "splitting-4",
            about: "three steps of splitting-2, one of them backwards",
            recipe: Recipe::Plain(|writer| splitting::write(writer, 4)),
            theory: composed(4),
            ..Entry::BLANK
        },
        Entry {
            name: "splitting-6",
            about: "seven steps of splitting-2, Yoshida's composition of order 6",
            recipe: Recipe::Plain(|writer| splitting::write(writer, 6)),
            theory: composed(6),
            ..Entry::BLANK
        },
        Entry {
            name: "splitting-8",
            about: "fifteen steps of splitting-2, Yoshida's composition of order 8",
            recipe: Recipe::Plain(|writer| splitting::write(writer, 8)),
            theory: composed(8),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-poisson-2",
            about: "Cayley's map of SO(3) or SE(3) on the dual of its algebra: a Poisson map",
            recipe: Recipe::Plain(|writer| lie_poisson::write(writer, 2)),
            theory: composed(2),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-poisson-4",
            about: "three steps of lie-poisson-2, one of them backwards",
            recipe: Recipe::Plain(|writer| lie_poisson::write(writer, 4)),
            theory: composed(4),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-poisson-6",
            about: "seven steps of lie-poisson-2, Yoshida's composition of order 6",
            recipe: Recipe::Plain(|writer| lie_poisson::write(writer, 6)),
            theory: composed(6),
            ..Entry::BLANK
        },
    ],
};

/// What makes a composition of symmetric steps of that order.
const fn composed(order: usize) -> Theory {
    Theory::Composition { order, coefficients: coefficients(order) }
}

/// The name of the coefficients of a composition of that order.
const fn coefficients(order: usize) -> Option<&'static str> {
    match order {
        4 => Some("yoshida-4"),
        6 => Some("yoshida-6"),
        8 => Some("yoshida-8"),
        _ => None,
    }
}

/// The parts of a step: 1, or the coefficients of a symmetric composition.
pub(super) fn fractions(
    writer: &mut Writer<'_>,
    order: usize,
) -> Result<Vec<Rational>, DiscretiseError> {
    let refused =
        DiscretiseError::NotApplicable { reason: "there is no composition of this order" };
    if order == 2 {
        return Ok(vec![Rational::ONE]);
    }
    let Some(name) = coefficients(order) else { return Err(refused) };
    let Some(composed) = named_composition(name, writer.budget)? else { return Err(refused) };
    let bits = match writer.digits {
        Digits::Double => 128,
        Digits::Bits(bits) => bits,
    };
    let Ok(balls) = composed.composition.coefficients(Precision::new(bits)) else {
        return Err(refused);
    };
    let numbers = balls.iter().map(|ball| match writer.digits {
        Digits::Double => Rational::from_f64(ball.to_f64()),
        Digits::Bits(_) => ball.midpoint().bounds().map(|bounds| bounds.0),
    });
    numbers.collect::<Option<_>>().ok_or(refused)
}

/// D and H of a system on which steps can be Poisson maps.
fn bracket<'s>(writer: &Writer<'s>) -> Result<(&'s [Vec<ExprId>], ExprId), DiscretiseError> {
    let refused = |reason| Err(DiscretiseError::NotApplicable { reason });
    let state: &'s StateSpace = match writer.state {
        Some(state) => state,
        None => return refused("the system is not given in state space"),
    };
    let (Some(structure), Some(energy)) = (&state.structure, state.energy) else {
        return refused("the equations have no bracket; write the system as [poisson]");
    };
    if state.descriptor.is_some() {
        return refused("the system has a matrix E: J is not a bracket of its states");
    }
    if structure.symmetric.is_some() || !structure.columns.is_empty() {
        return refused(
            "R or ports change the bracket by themselves; Poisson maps are for R = 0, g = 0",
        );
    }
    if structure.jacobi != Zero::Yes {
        return refused("the Jacobi identity is not proved: there is no bracket to be kept");
    }
    let moving = [writer.symbols.time];
    let entries = structure.skew.iter().flatten().chain([&energy]);
    if entries.into_iter().any(|&entry| writer.pool.depends_on(entry, &moving)) {
        return refused("the Hamiltonian depends on time");
    }
    Ok((&structure.skew, energy))
}

/// The end of a step.
fn finish(writer: &mut Writer<'_>, q: Vec<ExprId>) -> Written {
    let here = writer.here().q;
    let way = q.iter().zip(&here).map(|(&end, &start)| writer.pool.sub(end, start)).collect();
    super::degenerate::finish(writer, q, way, None)
}
