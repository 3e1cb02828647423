//! Noether's theorem with time, gauge terms and constraints.
//!
//! A field τ(t) ∂t + ξ(q, t) ∂q with ξ̂ = D_t ξ - v D_t τ changes the action by boundary terms only if
//!
//! ```text
//!     τ L_t + ξ·L_q + ξ̂·L_v + L D_t τ + F·(ξ - τ v) = D_t G,        A ξ + b τ = 0,
//! ```
//!
//! on admissible velocities. Then I = p·ξ - τ E - G is conserved (E. Noether 1918; Bessel-Hagen 1921 for G). That is
//! the energy (τ = 1), momenta, moving energies (τ = 1 and ξ where constraints are affine; Fassò and Sansonetto 2015),
//! boosts (ξ = t c), scalings of time.
//!
//! Everything is linear in (τ, ξ, G). The ansatz is in [`ansatz`], values at random points of a prime field in
//! [`conditions`]. What solves them there is a guess; it is verified here with symbols.

mod ansatz;
mod conditions;
mod guess;

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::linear::Linear;
use super::vanishing::vanishes;
use super::{Found, Integrals, Searched, independent};
use crate::conserved::{Conserved, Law, Parts, on_admissible, rate_along_flow, simplify_small};
use crate::{Symbols, Written};
use ansatz::SEARCHED;
use conditions::Conditions;
use guess::Guess;

/// A symmetry of the action: τ ∂t + ξ ∂q, which changes L dt by dG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator {
    /// τ(t).
    pub time: ExprId,
    /// ξ(q, t).
    pub field: Vec<ExprId>,
    /// G(q, t).
    pub gauge: ExprId,
}

/// Operations for the verification of one guess.
const VERIFYING: u64 = 2_000_000;
/// So many symmetries are a free motion in disguise: the shortest are listed.
const MOST: usize = 64;

/// What symmetries of the action with time and gauge terms conserve beside what is known.
pub(super) fn integrals(
    pool: &mut Pool,
    parts: Parts<'_>,
    known: &[Conserved],
    _asked: Integrals,
    budget: &mut Budget,
) -> Found {
    let Parts { symbols, rows, .. } = parts;
    let linear = rows.written.iter().all(|written| *written != Written::Chetaev);
    if symbols.dimension() > SEARCHED || !linear {
        let why = match linear {
            true => format!("none: there are more than {SEARCHED} coordinates"),
            false => "none: a constraint is not linear in the velocities".to_owned(),
        };
        let searched = Searched { search: "symmetries", ansatz: why, unknowns: 0, complete: false };
        return Found { searched: vec![searched], ..Found::default() };
    }
    let conditions = Conditions::new(pool, parts, budget);
    let unknowns = conditions.as_ref().ok().and_then(Option::as_ref).map_or(0, Linear::columns);
    let found = conditions.and_then(|conditions| match conditions {
        Some(conditions) => symmetries(pool, parts, known, conditions, budget),
        None => Ok(Vec::new()),
    });
    let searched = Searched {
        search: "symmetries",
        ansatz: ansatz::words(symbols.dimension()),
        unknowns,
        complete: found.is_ok() && unknowns > 0,
    };
    // A search that ran out of its operations may have missed everything: it adds nothing.
    let conserved = found.unwrap_or_default();
    Found { conserved, searched: vec![searched], ..Found::default() }
}

fn symmetries(
    pool: &mut Pool,
    parts: Parts<'_>,
    known: &[Conserved],
    mut conditions: Conditions,
    budget: &mut Budget,
) -> Result<Vec<Conserved>, OutOfBudget> {
    let Parts { symbols, dynamics, .. } = parts;
    let parameters = conditions.some_parameters();
    let solutions = conditions.solutions(pool, &parameters, budget)?;
    let mut guesses: Vec<Guess> =
        solutions.into_iter().map(|solution| Guess::new(&conditions, solution)).collect();
    guesses.sort_by_key(Guess::simplicity);
    guesses.truncate(MOST);
    let mut candidates = Vec::new();
    for guess in guesses {
        let Some(coefficients) = conditions.coefficients(pool, &guess.solution, budget)? else {
            continue;
        };
        let columns = &guess.solution.columns;
        let generator = conditions.generator(pool, symbols, columns, &coefficients);
        let found = described(pool, symbols, &guess, generator);
        let momentum = momentum_of(pool, parts, &found.generator);
        candidates.push((found, simplify_small(pool, momentum)));
    }
    // Boosts before linear symmetries that are functions of them.
    candidates.sort_by_key(|(found, _)| {
        let known = ["p_", "P_", "L_"].iter().any(|start| found.name.starts_with(start));
        if known { 0 } else { 1 + u8::from(!found.name.starts_with("boost")) }
    });
    let expressions: Vec<ExprId> = candidates.iter().map(|candidate| candidate.1).collect();
    let new = independent(pool, parts, known, &expressions, budget)?;
    let forces = dynamics.forces.iter().any(|force| !force.is_zero());
    let mut found: Vec<Conserved> = Vec::new();
    for ((described, expression), new) in candidates.into_iter().zip(new) {
        let Described { name, why, law, generator, strict } = described;
        if new && is_symmetry(pool, parts, &generator)? {
            let proof = rate_along_flow(pool, parts, expression, ExprId::ZERO, budget);
            if proof != Zero::No {
                let (strict, generator) = (strict && !forces, Some(generator));
                found.push(Conserved { name, expression, why, proof, strict, law, generator });
            }
        }
    }
    Ok(found)
}

/// p·ξ - τ E - G.
fn momentum_of(pool: &mut Pool, parts: Parts<'_>, generator: &Generator) -> ExprId {
    let Parts { dynamics, .. } = parts;
    let mut terms: Vec<ExprId> =
        generator.field.iter().zip(&dynamics.momenta).map(|(&xi, &p)| pool.mul(xi, p)).collect();
    let work = pool.mul(generator.time, dynamics.energy);
    terms.push(pool.neg(work));
    terms.push(pool.neg(generator.gauge));
    pool.sum(&terms)
}

/// The conditions, with symbols.
fn is_symmetry(
    pool: &mut Pool,
    parts: Parts<'_>,
    generator: &Generator,
) -> Result<bool, OutOfBudget> {
    let Parts { symbols, dynamics, rows, report, .. } = parts;
    let budget = &mut Budget::new(VERIFYING);
    let mut moving = generator.field.clone();
    moving.extend([generator.time, generator.gauge]);
    let rates = directional_derivative(pool, &moving, &symbols.drift(), budget)?;
    let n = symbols.dimension();
    let (pace, gauge) = (rates[n], rates[n + 1]);
    let mut terms =
        vec![pool.mul(generator.time, dynamics.explicit_time), pool.mul(dynamics.lagrangian, pace)];
    for (i, &velocity) in symbols.velocity.iter().enumerate() {
        let (drag, stretch) = (pool.mul(generator.time, velocity), pool.mul(pace, velocity));
        let along = pool.sub(generator.field[i], drag);
        let prolonged = pool.sub(rates[i], stretch);
        terms.push(pool.mul(generator.field[i], dynamics.gradient[i]));
        terms.push(pool.mul(prolonged, dynamics.momenta[i]));
        terms.push(pool.mul(along, dynamics.forces[i]));
    }
    terms.push(pool.neg(gauge));
    let change = pool.sum(&terms);
    let mut conditions = vec![on_admissible(pool, symbols, report, change, budget)];
    for (row, &offset) in rows.matrix.iter().zip(&rows.offset) {
        let mut terms: Vec<_> =
            row.iter().map(|&(i, a)| pool.mul(a, generator.field[i as usize])).collect();
        terms.push(pool.mul(offset, generator.time));
        conditions.push(pool.sum(&terms));
    }
    Ok(conditions
        .into_iter()
        .all(|condition| vanishes(pool, condition, &mut Budget::new(VERIFYING))))
}

/// A symmetry with a name, why something is conserved, and by which law.
struct Described {
    name: String,
    why: String,
    law: Law,
    generator: Generator,
    /// Is L itself invariant?
    strict: bool,
}

fn described(pool: &mut Pool, symbols: &Symbols, guess: &Guess, generator: Generator) -> Described {
    if let Some(symmetry) = guess.as_point_symmetry(pool, symbols, 0) {
        let (name, symmetry, motion) = symmetry.described(pool, symbols);
        let why = format!("L is invariant under {motion}");
        let generator =
            Generator { time: ExprId::ZERO, field: symmetry.field, gauge: ExprId::ZERO };
        return Described { name, why, law: Law::Noether, generator, strict: true };
    }
    let boost = guess.as_point_symmetry(pool, symbols, 1);
    let boost = boost.filter(|symmetry| symmetry.linear.is_empty());
    let time = &[symbols.time];
    let moves = generator.field.iter().any(|component| !component.is_zero());
    let along_time = generator.field.iter().any(|&part| pool.depends_on(part, time));
    let varying = pool.depends_on(generator.time, time);
    let (name, motion) = match (generator.time.is_zero(), varying, boost) {
        (true, _, Some(boost)) => {
            let (name, _, motion) = boost.described(pool, symbols);
            let direction = name.strip_prefix("p_").or_else(|| name.strip_prefix("P_"));
            let name = direction.map_or("boost".to_owned(), |one| format!("boost_{one}"));
            (name, format!("{motion} that grows with time (a boost)"))
        }
        (true, _, None) if along_time => {
            ("momentum of a symmetry".to_owned(), "a motion that depends on time".to_owned())
        }
        (true, _, None) => ("momentum of a symmetry".to_owned(), "an affine motion".to_owned()),
        (false, false, _) if moves => {
            ("moving energy".to_owned(), "a motion along with the time".to_owned())
        }
        (false, false, _) => ("energy".to_owned(), "translations of time".to_owned()),
        (false, true, _) => {
            let motion = "a scaling of the time together with an affine motion";
            ("scaling".to_owned(), motion.to_owned())
        }
    };
    let mut why = format!("the action is invariant under {motion}");
    if !generator.gauge.is_zero() {
        why.push_str(", up to a total time derivative");
    }
    let law = match (generator.time.is_zero(), generator.gauge.is_zero()) {
        (false, _) if moves && !varying => Law::MovingEnergy,
        (_, false) => Law::Gauge,
        _ => Law::Noether,
    };
    Described { name, why, law, generator, strict: false }
}
