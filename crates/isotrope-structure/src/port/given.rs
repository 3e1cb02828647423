//! Algorithm A: the forms of a given energy.
//!
//! Any matrix `M` with `M dH = f` gives `J = skew(M)` and `R = -sym(M)`; a polynomial one exists exactly if
//! every rate lies in the ideal of the derivatives of `H`. Searched are, in this order: no `R`, a
//! diagonal one, a full one; then, where `R` is not positive semidefinite, the part of a diagonal
//! `R` that is, with the rest as a port; and the residual on as few states as possible.

use std::cmp::Ordering;

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::linear::{LinearError, Matrix, solve};
use isotrope_algebra::normal::{Fraction, Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Monomial, Polynomial, Pool};
use isotrope_geometry::DiracStructure;

use super::ansatz::{Dissipation, GivenEnergy, Structure};
use super::form::{Draft, Form, Realisation};
use super::ring::Ring;
use super::sign::{nowhere_negative, semidefinite};
use super::{Obstruction, Origin, PortError, Problem, Remainder};

/// What was found for one energy.
#[derive(Debug)]
pub(super) struct OfEnergy {
    pub forms: Vec<Form>,
    /// Why there is no form without a residual port, if there is none.
    pub obstruction: Option<Obstruction>,
    /// What was left out.
    pub notes: Vec<String>,
}

/// Runs one stage with a part of the budget. What takes too long is left out, with a note.
fn stage<T>(
    what: &str,
    part: u64,
    left_out: &mut LeftOut,
    budget: &mut Budget,
    run: impl FnOnce(&mut Budget) -> Result<T, PortError>,
) -> Result<Option<T>, PortError> {
    let mut own = Budget::new(budget.left() / part.max(1));
    let found = run(&mut own);
    budget.spend(own.spent().min(budget.left()), "looking for structures")?;
    match found {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_too_long() => {
            let energy = left_out.origin.words();
            left_out.notes.push(format!("an energy from {energy}: {what}: too long to compute"));
            left_out.error.get_or_insert(error);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// What the stages of a search left out.
struct LeftOut {
    origin: Origin,
    notes: Vec<String>,
    error: Option<PortError>,
}

/// All forms of the equations with this energy.
pub(super) fn forms_of(
    pool: &mut Pool,
    problem: &Problem,
    hamiltonian: ExprId,
    origin: Origin,
    degree: Option<u32>,
    budget: &mut Budget,
) -> Result<OfEnergy, PortError> {
    let energy = GivenEnergy::new(pool, &problem.states, &problem.drift, hamiltonian, budget)?;
    let degree = degree.unwrap_or_else(|| energy.natural_degree());
    let mut left_out = LeftOut { origin, notes: Vec::new(), error: None };
    let remainders =
        stage("membership in the ideal of the derivatives", 4, &mut left_out, budget, |own| {
            energy.remainders(pool, own)
        })?;
    // Undecided membership excludes nothing.
    let exists = remainders.as_ref().is_none_or(|list| list.iter().all(|rest| rest.is_zero()));
    let mut drafts: Vec<Draft> = Vec::new();
    let draft = |structure: &Structure, dissipation, realisation| Draft {
        origin,
        dissipation,
        realisation,
        hamiltonian,
        gradient: energy.gradient.clone(),
        j: structure.j.clone(),
        r: structure.r.clone(),
        residual: structure.residual.clone(),
        degree: structure.degree,
        directions: structure.directions.clone(),
        freedom: structure.freedom,
    };
    let mut passive = false;
    let mut closed = false;
    let mut complete = true;
    if exists {
        for dissipation in [Dissipation::Zero, Dissipation::Diagonal, Dissipation::Full] {
            let what = "structures without a residual";
            let found = stage(what, 4, &mut left_out, budget, |own| {
                let Some(found) = energy.structure(pool, dissipation, &[], degree, own)? else {
                    return Ok(None);
                };
                let sign = semidefinite(pool, &problem.states, &found.r, &problem.values, own)?;
                Ok(Some((found, sign.holds())))
            })?;
            complete &= found.is_some();
            let Some((found, holds)) = found.flatten() else { continue };
            passive = holds;
            closed = true;
            drafts.push(draft(&found, dissipation, Realisation::Closed));
            break;
        }
    }
    let decided = remainders.as_ref().is_some_and(|list| list.iter().all(|rest| rest.is_zero()));
    if decided && !closed && complete {
        left_out.notes.push(format!(
            "for an energy from {}, J and R exist, but not with entries of degree at most {degree}: a larger --degree finds them",
            origin.words()
        ));
    }
    // An integral without a structure is a Casimir function of another one.
    if !passive && !closed && origin == Origin::FirstIntegral {
        left_out.notes.push(format!(
            "a first integral has no J with entries of degree at most {degree}: it may be a Casimir function of another structure"
        ));
    }
    if !passive && (closed || origin != Origin::FirstIntegral) {
        let what = "residuals on few states";
        let plain = stage(what, 4, &mut left_out, budget, |own| {
            energy.sparsest(pool, Dissipation::Zero, degree, own)
        })?;
        let plain = plain.unwrap_or_default();
        let fewest = plain.first().map_or(problem.states.len(), |(support, _)| support.len());
        // A diagonal R with the residual on few states, of which the passive part stays; no gain
        // if the rest acts on more states than without R.
        let splits = stage(what, 4, &mut left_out, budget, |own| {
            let mut list = Vec::new();
            for (support, found) in energy.sparsest(pool, Dissipation::Diagonal, degree, own)? {
                list.extend(passive_part(pool, problem, &energy, &found, &support, own)?);
            }
            Ok(list)
        })?;
        let acts = |s: &Structure| s.residual.iter().filter(|g| !g.is_zero()).count();
        for split in splits.unwrap_or_default().iter().filter(|s| acts(s) <= fewest) {
            for realisation in [Realisation::Modulated, Realisation::Constant] {
                drafts.push(draft(split, Dissipation::Diagonal, realisation));
            }
        }
        for (_, found) in plain {
            for realisation in [Realisation::Modulated, Realisation::Constant] {
                drafts.push(draft(&found, Dissipation::Zero, realisation));
            }
        }
    }
    drafts.retain(|draft| {
        draft.realisation == Realisation::Closed || draft.residual.iter().any(|g| !g.is_zero())
    });
    let mut forms = Vec::with_capacity(drafts.len());
    // The last ones may have what the first left, and something is for the obstruction.
    let mut waiting = drafts.len() as u64 + 1;
    for draft in drafts {
        let form = stage("the geometry of a form", waiting, &mut left_out, budget, |own| {
            draft.examine(pool, problem, own)
        })?;
        waiting -= 1;
        forms.extend(form.filter(|form| form.balance != Zero::No));
    }
    // Another member of the family may be a Poisson structure.
    let open = forms.iter().find(|form| {
        form.realisation == Realisation::Closed && form.criteria.integrable == Zero::No
    });
    if let Some(form) = open {
        let found = stage("integrable structures", 2, &mut left_out, budget, |own| {
            let Some(j) = integrable_member(pool, &problem.states, form, own)? else {
                return Ok(None);
            };
            let member = Draft {
                origin,
                dissipation: form.dissipation,
                realisation: form.realisation,
                hamiltonian,
                gradient: energy.gradient.clone(),
                j,
                r: form.r.clone(),
                residual: vec![ExprId::ZERO; problem.states.len()],
                degree: form.criteria.degree,
                directions: form.directions.clone(),
                freedom: form.freedom,
            };
            Ok(Some(member.examine(pool, problem, own)?))
        })?;
        let found = found.flatten();
        let found = found.filter(|f| f.balance == Zero::Yes && f.criteria.integrable == Zero::Yes);
        forms.extend(found);
    }
    let obstruction = match remainders {
        Some(remainders) if !(closed && passive) => {
            stage("the sign of the power", 1, &mut left_out, budget, |own| {
                obstruction(pool, problem, &energy, hamiltonian, remainders, closed, own)
            })?
        }
        _ => None,
    };
    if forms.is_empty()
        && obstruction.is_none()
        && let Some(error) = left_out.error
    {
        return Err(error);
    }
    let mut notes = left_out.notes;
    notes.dedup();
    Ok(OfEnergy { forms, obstruction, notes })
}

/// A Poisson structure at distance one in one of the free directions that leave R as it is.
fn integrable_member(
    pool: &mut Pool,
    states: &[ExprId],
    form: &Form,
    budget: &mut Budget,
) -> Result<Option<Matrix>, PortError> {
    let n = states.len();
    for (direction, change) in &form.directions {
        if change.entries().iter().any(|entry| !entry.is_zero()) {
            continue;
        }
        for backward in [false, true] {
            let mut j = Matrix::zero(n, n);
            for i in 0..n {
                for k in 0..n {
                    let (old, step) = (form.j.get(i, k), direction.get(i, k));
                    let value = if backward { pool.sub(old, step) } else { pool.add(old, step) };
                    let value = simplify(pool, value, budget);
                    j.set(i, k, value);
                }
            }
            let graph = DiracStructure::graph_of_bivector(states, &j);
            if graph.courant_tensor(pool, budget)?.vanishes() == Zero::Yes {
                return Ok(Some(j));
            }
        }
    }
    Ok(None)
}

/// The terms of a diagonal `R` that are positive: even monomials whose coefficients are
/// positive at the values of the parameters. The rest joins the residual. `None` if nothing stays.
fn passive_part(
    pool: &mut Pool,
    problem: &Problem,
    energy: &GivenEnergy<'_>,
    found: &Structure,
    support: &[usize],
    budget: &mut Budget,
) -> Result<Option<Structure>, PortError> {
    let n = problem.states.len();
    let mut r = Matrix::zero(n, n);
    let mut widened = support.to_vec();
    for i in 0..n {
        let entry = found.r.get(i, i);
        if entry.is_zero() {
            continue;
        }
        let (ring, fractions) = Ring::new(pool, &problem.states, &[entry], budget)?;
        let Fraction { numerator, denominator } = &fractions[0];
        let even = |m: &Monomial| {
            m.variables().all(|v| {
                m.exponent(v).is_multiple_of(2) && problem.states.contains(&ring.expression_of(v))
            })
        };
        let mut kept = Vec::new();
        let mut dropped = false;
        let down = ring.expression(pool, denominator);
        let constant = ring.split(denominator).keys().all(Monomial::is_one);
        for (monomial, coefficient) in ring.split(numerator) {
            let up = ring.expression(pool, &coefficient);
            let value = pool.div(up, down);
            let positive = constant
                && even(&monomial)
                && problem.values.sign(pool, value) == Some(Ordering::Greater);
            if positive {
                let factor = ring
                    .combination(pool, &[(isotrope_algebra::RationalFunction::one(), monomial)]);
                kept.push(pool.mul(value, factor));
            } else {
                dropped = true;
            }
        }
        let value = pool.sum(&kept);
        let value = simplify(pool, value, budget);
        r.set(i, i, value);
        if dropped && !widened.contains(&i) {
            widened.push(i);
        }
    }
    if r.entries().iter().all(|entry| entry.is_zero()) {
        return Ok(None);
    }
    widened.sort_unstable();
    let residual = energy.residual(pool, &found.j, &r, &widened, budget);
    Ok(Some(Structure { r, residual, ..found.clone() }))
}

fn obstruction(
    pool: &mut Pool,
    problem: &Problem,
    energy: &GivenEnergy<'_>,
    hamiltonian: ExprId,
    remainders: Vec<ExprId>,
    closed: bool,
    budget: &mut Budget,
) -> Result<Obstruction, PortError> {
    let outside: Vec<Remainder> = remainders
        .into_iter()
        .enumerate()
        .filter(|(_, rest)| !rest.is_zero())
        .map(|(state, remainder)| Remainder { state, remainder })
        .collect();
    let critical = if outside.is_empty() {
        None
    } else {
        critical_point(pool, problem, &energy.gradient, &outside, budget)?
    };
    let terms: Vec<ExprId> =
        problem.drift.iter().zip(&energy.gradient).map(|(&f, &e)| pool.mul(f, e)).collect();
    let power = pool.sum(&terms);
    let power = simplify(pool, power, budget);
    let lost = pool.neg(power);
    let loses = nowhere_negative(pool, &problem.states, lost, &problem.values, budget)?;
    let functions: Vec<ExprId> = problem.drift.iter().chain(&energy.gradient).copied().collect();
    let (ring, fractions) = Ring::new(pool, &problem.states, &functions, budget)?;
    let plain = |v: usize| problem.states.contains(&ring.expression_of(v));
    let polynomial = ring.variables().into_iter().all(plain)
        && fractions.iter().all(|f| !varies(&ring, &f.denominator));
    Ok(Obstruction { hamiltonian, outside, critical, power, loses, closed, polynomial })
}

/// Does a polynomial contain a generator that depends on states?
fn varies(ring: &Ring, polynomial: &Polynomial) -> bool {
    let variables = ring.variables();
    polynomial.variables().iter().any(|v| variables.contains(v))
}

/// A point at which all derivatives of the energy vanish and a rate does not: the origin, or the
/// solution of linear equations.
fn critical_point(
    pool: &mut Pool,
    problem: &Problem,
    gradient: &[ExprId],
    outside: &[Remainder],
    budget: &mut Budget,
) -> Result<Option<Vec<(ExprId, ExprId)>>, PortError> {
    let n = problem.states.len();
    let mut candidates: Vec<Vec<ExprId>> = vec![vec![ExprId::ZERO; n]];
    let origin: Substitution = problem.states.iter().map(|&x| (x, ExprId::ZERO)).collect();
    let mut matrix = Matrix::zero(n, n);
    let mut affine = true;
    for (i, &slope) in gradient.iter().enumerate() {
        let row = isotrope_algebra::calculus::gradient(pool, slope, &problem.states, budget)?;
        for (j, value) in row.into_iter().enumerate() {
            let value = simplify(pool, value, budget);
            affine &= !pool.depends_on(value, &problem.states);
            matrix.set(i, j, value);
        }
    }
    if affine {
        let at = substitute(pool, gradient, &origin, budget)?;
        let right: Vec<ExprId> = at.into_iter().map(|value| pool.neg(value)).collect();
        match solve(pool, &matrix, &right, budget) {
            Ok(solved) => candidates.push(solved.solution),
            Err(LinearError::OutOfBudget(stop)) => return Err(stop.into()),
            Err(_) => {}
        }
    }
    for candidate in candidates {
        let map: Substitution =
            problem.states.iter().copied().zip(candidate.iter().copied()).collect();
        let slopes = substitute(pool, gradient, &map, budget)?;
        if !slopes.into_iter().all(|slope| is_zero(pool, slope, budget) == Zero::Yes) {
            continue;
        }
        let rates: Vec<ExprId> = outside.iter().map(|part| problem.drift[part.state]).collect();
        let rates = substitute(pool, &rates, &map, budget)?;
        if rates.into_iter().any(|rate| is_zero(pool, rate, budget) == Zero::No) {
            return Ok(Some(problem.states.iter().copied().zip(candidate).collect()));
        }
    }
    Ok(None)
}
