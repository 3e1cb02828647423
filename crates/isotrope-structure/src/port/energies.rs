//! Algorithms B, C and D: where energies come from when none is given.

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use super::constant::constant_structure;
use super::integrals::first_integrals;
use super::mechanical::{mechanical, second_order};
use super::planar::planar;
use super::primitive::primitive;
use super::sign::positive_energy;
use super::storage::{distance, lyapunov, storage};
use super::{Options, Origin, PortError, Problem};

/// An energy to try.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub hamiltonian: ExprId,
    pub origin: Origin,
}

/// First integrals beyond this many are not tried as energies.
const INTEGRALS: usize = 4;
/// Linear ones beyond this many are not.
const LINEAR: usize = 2;
/// Energies beyond this many are not tried.
const CANDIDATES: usize = 8;
/// Polynomial first integrals are searched up to this degree by default.
const DEGREE: u32 = 4;

/// One of the algorithms.
#[derive(Debug, Clone, Copy)]
enum Algorithm {
    Mechanical,
    Gradient,
    Storage,
    Integrals,
    Planar,
    Darboux,
    Constant,
    Linear,
}

impl Algorithm {
    const ALL: [Self; 8] = [
        Self::Mechanical,
        Self::Gradient,
        Self::Storage,
        Self::Integrals,
        Self::Planar,
        Self::Darboux,
        Self::Constant,
        Self::Linear,
    ];

    fn words(self) -> &'static str {
        match self {
            Self::Mechanical => "the mechanical form",
            Self::Gradient => "gradient flows",
            Self::Storage => "quadratic storage functions",
            Self::Integrals => "polynomial first integrals",
            Self::Planar => "multipliers in the plane",
            Self::Darboux => "logarithms of Darboux polynomials",
            Self::Constant => "constant J - R",
            Self::Linear => "quadratic energies of linear systems",
        }
    }

    fn run(
        self,
        pool: &mut Pool,
        problem: &Problem,
        options: &Options,
        notes: &mut Vec<String>,
        budget: &mut Budget,
    ) -> Result<Vec<Candidate>, PortError> {
        match self {
            Self::Mechanical => match second_order(pool, problem, budget)? {
                Some(system) => mechanical(pool, problem, &system, budget),
                None => Ok(Vec::new()),
            },
            Self::Gradient => gradient_flow(pool, problem, budget),
            Self::Storage => storage(pool, problem, budget),
            Self::Integrals => {
                integrals(pool, problem, options.integral_degree.unwrap_or(DEGREE), notes, budget)
            }
            Self::Planar => planar(pool, problem, notes, budget),
            Self::Darboux => Ok(darboux(pool, problem, budget)),
            Self::Constant => constant_structure(pool, problem, budget),
            Self::Linear => lyapunov(pool, problem, notes, budget),
        }
    }
}

/// Energies by all algorithms, each once. Every algorithm has a share of the budget, so that one
/// which takes too long leaves the others theirs.
pub(super) fn candidates(
    pool: &mut Pool,
    problem: &Problem,
    options: &Options,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let share = budget.left() / 10;
    let mut list: Vec<Candidate> = Vec::new();
    for algorithm in Algorithm::ALL {
        let mut own = Budget::new(share);
        let found = algorithm.run(pool, problem, options, notes, &mut own);
        budget.spend(own.spent().min(share), "looking for energies")?;
        match found {
            Ok(more) => list.extend(more),
            Err(error) if error.is_too_long() => {
                notes.push(format!("{}: too long to compute", algorithm.words()));
            }
            Err(error) => return Err(error),
        }
    }
    // Linear energies and potentials say little of stability: the distance may say more.
    let mut nonlinear = false;
    for candidate in list.iter().filter(|candidate| candidate.origin != Origin::Gradient) {
        nonlinear |= !is_linear(pool, problem, candidate.hamiltonian, budget)?;
    }
    if !nonlinear {
        let distance = Candidate { hamiltonian: distance(pool, problem), origin: Origin::Distance };
        list.insert(0, distance);
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

/// Integrals with logarithms, beyond the plane: there the multipliers have found them.
fn darboux(pool: &mut Pool, problem: &Problem, budget: &mut Budget) -> Vec<Candidate> {
    if problem.states.len() < 3 {
        return Vec::new();
    }
    let found = isotrope_derive::with_logarithms(pool, &problem.states, &problem.drift, budget);
    let candidate = |hamiltonian| Candidate { hamiltonian, origin: Origin::Darboux };
    found.into_iter().take(LINEAR).map(candidate).collect()
}

fn is_linear(
    pool: &mut Pool,
    problem: &Problem,
    function: ExprId,
    budget: &mut Budget,
) -> Result<bool, PortError> {
    let slopes = gradient(pool, function, &problem.states, budget)?;
    Ok(slopes.into_iter().all(|slope| !pool.depends_on(slope, &problem.states)))
}

/// `f = -dV` exactly if the derivatives of f are symmetric: H = V and R = 1.
fn gradient_flow(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let mut slopes = Vec::new();
    for &f in &problem.drift {
        slopes.push(gradient(pool, f, &problem.states, budget)?);
    }
    for (i, row) in slopes.iter().enumerate() {
        for (j, &slope) in row.iter().enumerate().skip(i + 1) {
            let difference = pool.sub(slope, slopes[j][i]);
            if is_zero(pool, difference, budget) != Zero::Yes {
                return Ok(Vec::new());
            }
        }
    }
    let form: Vec<ExprId> = problem.drift.iter().map(|&f| pool.neg(f)).collect();
    let found = primitive(pool, &problem.states, &form, budget)?;
    let list = found.into_iter().filter(|potential| !potential.is_zero());
    Ok(list.map(|hamiltonian| Candidate { hamiltonian, origin: Origin::Gradient }).collect())
}

/// First integrals, and a combination of them that is positive definite if one is found. Linear
/// ones come last: they are energies of structures that are hardly meant, and Casimir functions
/// of others.
fn integrals(
    pool: &mut Pool,
    problem: &Problem,
    degree: u32,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let found = first_integrals(pool, problem, degree, budget)?;
    let degrees: Vec<String> = found.generators.iter().map(|i| i.degree.to_string()).collect();
    let through = found.degree;
    let rest = if found.complete { "; all others are functions of these" } else { "" };
    notes.push(match degrees.as_slice() {
        [] => format!("no polynomial first integral of degree at most {through}"),
        [degree] => format!(
            "the polynomial first integrals of degree at most {through} are functions of one of degree {degree}{rest}"
        ),
        list => format!(
            "the polynomial first integrals of degree at most {through} are polynomials in {}, of the degrees {}{rest}",
            list.len(),
            list.join(", ")
        ),
    });
    if found.stopped {
        notes.push(format!(
            "polynomial first integrals of degree {}: too long to compute",
            through + 1
        ));
    }
    let (mut functions, mut linear) = (Vec::new(), Vec::new());
    for integral in &found.generators {
        if is_linear(pool, problem, integral.function, budget)? {
            linear.push(integral.function);
        } else {
            functions.push(integral.function);
        }
    }
    functions.truncate(INTEGRALS);
    linear.truncate(LINEAR);
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
    let list = definite.into_iter().chain(functions).chain(linear);
    Ok(list.map(|hamiltonian| Candidate { hamiltonian, origin: Origin::FirstIntegral }).collect())
}
