//! Algorithms B, C and D: where energies come from when none is given.

use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use super::integrals::first_integrals;
use super::mechanical::{mechanical, second_order};
use super::planar::planar;
use super::sign::positive_energy;
use super::storage::{distance, lyapunov, storage};
use super::{Options, Origin, PortError, Problem};

/// An energy to try.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub hamiltonian: ExprId,
    pub origin: Origin,
}

/// One of the algorithms.
type Search<'a> =
    dyn FnMut(&mut Pool, &mut Vec<String>, &mut Budget) -> Result<Vec<Candidate>, PortError> + 'a;

/// First integrals beyond this many are not tried as energies.
const INTEGRALS: usize = 4;
/// Energies beyond this many are not tried.
const CANDIDATES: usize = 8;
/// Polynomial first integrals are searched up to this degree by default.
const DEGREE: u32 = 4;

/// Energies by all algorithms, each once.
pub(super) fn candidates(
    pool: &mut Pool,
    problem: &Problem,
    options: &Options,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let mut list: Vec<Candidate> = Vec::new();
    let part = |budget: &Budget| Budget::new(budget.left() / 4);
    let mut collect = |pool: &mut Pool,
                       notes: &mut Vec<String>,
                       budget: &mut Budget,
                       what: &str,
                       mut own: Budget,
                       found: &mut Search<'_>| {
        let result = found(pool, notes, &mut own);
        budget.spend(own.spent().min(budget.left()), "looking for energies")?;
        match result {
            Ok(more) => list.extend(more),
            Err(PortError::OutOfBudget(_) | PortError::TooLarge { .. }) => {
                notes.push(format!("{what}: too long to compute"));
            }
            Err(error) => return Err(error),
        }
        Ok::<(), PortError>(())
    };
    let own = part(budget);
    collect(pool, notes, budget, "the mechanical form", own, &mut |pool, _, budget| {
        match second_order(pool, problem, budget)? {
            Some(system) => mechanical(pool, problem, &system, budget),
            None => Ok(Vec::new()),
        }
    })?;
    let own = part(budget);
    collect(pool, notes, budget, "quadratic storage functions", own, &mut |pool, _, budget| {
        storage(pool, problem, budget)
    })?;
    let own = part(budget);
    collect(pool, notes, budget, "polynomial first integrals", own, &mut |pool, notes, budget| {
        integrals(pool, problem, options.integral_degree.unwrap_or(DEGREE), notes, budget)
    })?;
    let own = part(budget);
    collect(pool, notes, budget, "multipliers in the plane", own, &mut |pool, notes, budget| {
        planar(pool, problem, notes, budget)
    })?;
    let own = part(budget);
    collect(pool, notes, budget, "Lyapunov's equation", own, &mut |pool, _, budget| {
        lyapunov(pool, problem, budget)
    })?;
    if list.is_empty() {
        list.push(Candidate { hamiltonian: distance(pool, problem), origin: Origin::Distance });
    }
    let mut kept: Vec<Candidate> = Vec::new();
    for mut candidate in list {
        candidate.hamiltonian = simplify(pool, candidate.hamiltonian, budget);
        let mut known = false;
        for other in &kept {
            let difference = pool.sub(other.hamiltonian, candidate.hamiltonian);
            known |= is_zero(pool, difference, budget) == Zero::Yes;
        }
        if !known {
            kept.push(candidate);
        }
    }
    if kept.len() > CANDIDATES {
        notes.push(format!("{} further energies were not tried", kept.len() - CANDIDATES));
        kept.truncate(CANDIDATES);
    }
    Ok(kept)
}

/// First integrals, and a combination of them that is positive definite if one is found.
fn integrals(
    pool: &mut Pool,
    problem: &Problem,
    degree: u32,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let found = first_integrals(pool, problem, degree, budget)?;
    let count = found.functions.len();
    notes.push(match count {
        0 => format!("no polynomial first integral of degree at most {}", found.degree),
        1 => format!("one polynomial first integral of degree at most {}", found.degree),
        _ => format!(
            "the polynomial first integrals of degree at most {} have dimension {count}",
            found.degree
        ),
    });
    let mut functions: Vec<ExprId> = Vec::new();
    for &function in &found.functions {
        // Linear ones are Casimir functions at best.
        let mut linear = true;
        for slope in isotrope_algebra::calculus::gradient(pool, function, &problem.states, budget)?
        {
            linear &= !pool.depends_on(slope, &problem.states);
        }
        if !linear {
            functions.push(function);
        }
    }
    functions.truncate(INTEGRALS);
    let mut definite = None;
    if functions.len() > 1 {
        for signs in 0..1u32 << functions.len() {
            let terms: Vec<(Rational, ExprId)> = functions
                .iter()
                .enumerate()
                .map(|(k, &f)| (Rational::integer(if signs >> k & 1 == 0 { 1 } else { -1 }), f))
                .collect();
            let sum = pool.linear_combination(&terms);
            if positive_energy(pool, &problem.states, sum, &problem.values, budget)?.holds() {
                definite = Some(sum);
                break;
            }
        }
    }
    let list = definite.into_iter().chain(functions);
    Ok(list.map(|hamiltonian| Candidate { hamiltonian, origin: Origin::FirstIntegral }).collect())
}
