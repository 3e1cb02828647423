//! Polynomial integrals of Lagrangian systems.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};

use super::direct::{self, Constant, Factor, Search, Shape};
use super::leaves::Leaves;
use super::linear::SUPPORT;
use super::occurring::occurring;
use super::space::Space;
use super::{Found, Integrals, Searched};
use crate::Written;
use crate::conserved::{Conserved, Law, Parts};

/// Up to this many coordinates all polynomials of degree two are sought.
const QUADRATIC: usize = 4;
/// Up to this many, those of degree one where there are constraints or forces.
const LINEAR: usize = 20;

/// The degree of functions of constraints.
const DEGREE: u32 = 4;

/// The degrees for a number of coordinates.
pub(super) fn degrees(coordinates: usize, free: bool, asked: Integrals) -> Option<Shape> {
    let Integrals { degree, time } = asked;
    let zero = Shape { time, ..Shape::FACTORS };
    match degree {
        Some(degree) => Some(Shape {
            fibre: degree,
            highest: degree,
            lower: degree + 2,
            alone: degree + 2,
            occurring_fibre: degree.min(1),
            occurring_base: degree.min(2),
            ..zero
        }),
        None if free && coordinates <= QUADRATIC => {
            Some(Shape { fibre: 2, highest: 2, lower: 2, alone: 4, occurring_base: 2, ..zero })
        }
        None if coordinates <= LINEAR => Some(Shape {
            fibre: 1,
            highest: 1,
            lower: 1,
            alone: 2,
            occurring_fibre: 1,
            occurring_base: 1,
            ..zero
        }),
        None => None,
    }
}

/// Polynomials in the velocities that are conserved, beside what is known.
pub(super) fn integrals(
    pool: &mut Pool,
    parts: Parts<'_>,
    known: &[Conserved],
    asked: Integrals,
    budget: &mut Budget,
) -> Found {
    let Parts { symbols, rows, eliminated, first_order, dynamics, .. } = parts;
    let n = symbols.dimension();
    let forced = dynamics.forces.iter().any(|force| !force.is_zero());
    let linear = rows.written.iter().all(|written| *written != Written::Chetaev);
    let any = asked != Integrals::default();
    // Without forces and constraints, what is linear in the velocities belongs to a symmetry.
    if !linear || !(any || forced || !rows.is_empty() || n <= QUADRATIC) {
        return Found::default();
    }
    let (space, shape) = match first_order {
        Some(_) => {
            let shape = Shape::of_states(asked.degree.unwrap_or(2));
            let space = Space::of_states(&symbols.position, symbols.time);
            (space, Some(Shape { time: asked.time, ..shape }))
        }
        None => (Space::of_positions(symbols, rows), degrees(n, rows.is_empty(), asked)),
    };
    let Some(shape) = shape else { return Found::default() };
    let leaves =
        if first_order.is_none() { leaves(pool, parts, asked, budget) } else { Found::default() };
    let mut field = first_order.unwrap_or(&symbols.velocity).to_vec();
    if first_order.is_none() {
        field.extend(&eliminated.acceleration);
    }
    let mut occurred = field.clone();
    occurred.extend(rows.matrix.iter().flatten().map(|entry| entry.1));
    let factors = occurring(pool, &space, &occurred);
    field.push(ExprId::ONE);
    let factors = factors.into_iter().map(|value| Factor { value, alone: false }).collect();
    let support = if any { 4 * SUPPORT } else { SUPPORT };
    let search = Search { space: &space, fields: &[field], shape, factors, support };
    let known: Vec<ExprId> =
        known.iter().chain(&leaves.conserved).map(|quantity| quantity.expression).collect();
    let why = |_: &Constant| "a polynomial whose rate vanishes along the motion".to_owned();
    let mut found = polynomials(pool, &search, &known, asked, why, budget);
    found.conserved.splice(0..0, leaves.conserved);
    found.searched.splice(0..0, leaves.searched);
    found
}

/// Functions of positions that are constant where constraints on velocities integrate.
fn leaves(pool: &mut Pool, parts: Parts<'_>, asked: Integrals, budget: &mut Budget) -> Found {
    let Parts { symbols, rows, report, .. } = parts;
    let written = rows.written.iter().filter(|written| **written == Written::Position).count();
    let (Some(distribution), false) = (&report.distribution, report.extended) else {
        return Found::default();
    };
    // The closure under brackets has the leaves as its integral manifolds.
    let dimension = match &report.flag {
        Some(flag) => flag.closure.len(),
        None if report.integrable == Some(true) => distribution.frame.len(),
        None => return Found::default(),
    };
    let mut space = Space::of_states(&symbols.position, symbols.time);
    let positions = rows.expressions.iter().zip(&rows.written);
    let positions = positions.filter(|(_, written)| **written == Written::Position);
    space.relations = positions.map(|(&phi, _)| phi).collect();
    let leaves = Leaves {
        space: &space,
        fields: distribution.frame.iter().map(|field| field.components.clone()).collect(),
        count: symbols.dimension().saturating_sub(dimension + written),
        search: "functions of constraints",
        name: "constraint",
        why: "constraints integrate: admissible velocities do not change it",
        law: Law::Direct,
    };
    leaves.functions(pool, &[], asked.degree.unwrap_or(DEGREE), asked, budget)
}

/// The words for what a search is made of.
pub(super) fn words(search: &Search<'_>) -> String {
    let Shape { fibre, highest, lower, alone, time, .. } = search.shape;
    if search.shape == Shape::FACTORS {
        return "combinations of momenta and energies".to_owned();
    }
    let mut words = match search.space.fibre.is_empty() {
        true => format!("polynomials of degree {alone} in the states"),
        false => {
            let mut words = format!(
                "polynomials of degree {fibre} in the velocities, with coefficients of degree {highest}"
            );
            if fibre > 1 && lower != highest {
                words.push_str(&format!(", of degree {lower} with lower powers of velocities"));
            }
            words.push_str(&format!(" and of degree {alone} without velocities"));
            words
        }
    };
    if search.factors.iter().any(|factor| !factor.alone) {
        words.push_str(", times functions that occur");
    }
    if time > 0 {
        words.push_str(&format!("; of degree {time} in t"));
    }
    words
}

/// The quantities that a search along one field finds and proves.
pub(super) fn polynomials(
    pool: &mut Pool,
    search: &Search<'_>,
    known: &[ExprId],
    asked: Integrals,
    why: impl Fn(&Constant) -> String,
    budget: &mut Budget,
) -> Found {
    let unknowns = search.unknowns();
    let most = if asked == Integrals::default() { direct::UNASKED } else { direct::ASKED };
    let found = match unknowns <= most {
        true => search.constants(pool, known, budget).ok(),
        false => None,
    };
    let searched = vec![Searched {
        search: if search.shape == Shape::FACTORS { "symmetries" } else { "polynomials" },
        ansatz: words(search),
        unknowns,
        complete: found.is_some(),
    }];
    let (mut conserved, mut constants) = (Vec::new(), Vec::new());
    for constant in found.unwrap_or_default() {
        let proof = search.proved(pool, constant.expression, budget);
        // Here the rate is the only proof.
        if matches!(proof, Zero::Yes | Zero::Unknown { points: 1.. }) {
            conserved.push(Conserved {
                name: "integral".to_owned(),
                expression: constant.expression,
                why: why(&constant),
                proof,
                strict: false,
                law: Law::Direct,
                generator: None,
            });
            constants.push(constant);
        }
    }
    Found { conserved, searched, constants }
}
