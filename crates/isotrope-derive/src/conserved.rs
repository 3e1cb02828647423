//! Conserved quantities: found by Noether's theorem, checked along the flow.

use isotrope_algebra::calculus::{Substitution, directional_derivative, substitute};
use isotrope_algebra::linear::{Matrix, nullspace};
use isotrope_algebra::normal::{Zero, is_zero, simplify, size, without_common_factors};
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use super::first_integrals::{self, Generator, Integrals, Searched};
use super::symmetry::{Demand, PointSymmetry, point_symmetries};
use super::{ConstraintRows, DistributionReport, Dynamics, Eliminated, Symbols, Written};

/// A conserved quantity.
#[derive(Debug, Clone)]
pub struct Conserved {
    /// A short name: `energy`, `p_x`, `L_z`.
    pub name: String,
    /// The quantity as a function of (q, v, t).
    pub expression: ExprId,
    /// Why it is conserved.
    pub why: String,
    /// The answer of the second road: its derivative along the flow, on admissible velocities.
    pub proof: Zero,
    /// Is it the momentum of a symmetry that changes L not even by a total derivative, and that constraints and
    /// forces admit? Discrete principles of least action keep these.
    pub strict: bool,
    /// By which law it was found.
    pub law: Law,
    /// The symmetry of the action, where it is more than a field on positions.
    pub generator: Option<Generator>,
}

/// How a conserved quantity was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Law {
    /// Noether's theorem: a symmetry of L dt, or a translation of time.
    #[default]
    Noether,
    /// A symmetry along with the time: the energy less a momentum.
    MovingEnergy,
    /// A symmetry that changes L dt by a total derivative.
    Gauge,
    /// A function that a bracket leaves constant, whatever the energy is.
    Casimir,
    /// Its rate along the motion, whether a symmetry belongs to it or not.
    Direct,
}

impl Law {
    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Noether => "noether",
            Self::MovingEnergy => "moving-energy",
            Self::Gauge => "gauge",
            Self::Casimir => "casimir",
            Self::Direct => "direct",
        }
    }
}

/// A momentum that the Lagrangian would conserve but the constraints or forces do not.
#[derive(Debug, Clone)]
pub struct LostMomentum {
    /// A short name.
    pub name: String,
    /// The momentum as a function of (q, v, t).
    pub expression: ExprId,
    /// Its rate: forces and reactions, with the multipliers as symbols.
    pub rate: ExprId,
}

/// The nonholonomic momentum equation of a horizontal section of the symmetry algebra.
#[derive(Debug, Clone)]
pub struct MomentumEquation {
    /// The admissible field that combines the symmetries with coefficients that vary.
    pub field: Vec<ExprId>,
    /// The momentum along it.
    pub momentum: ExprId,
    /// Its rate.
    pub rate: ExprId,
}

/// Everything found about conservation.
#[derive(Debug, Clone, Default)]
pub struct Conservation {
    /// What is conserved.
    pub conserved: Vec<Conserved>,
    /// What the Lagrangian alone would conserve.
    pub lost: Vec<LostMomentum>,
    /// How momenta along admissible symmetries change.
    pub momentum_equations: Vec<MomentumEquation>,
    /// The power of the forces and moving constraints: `dE/dt`, where it is not zero.
    pub energy_rate: Option<ExprId>,
    /// The strict symmetries of the Lagrangian, whatever the constraints do.
    pub symmetries: Vec<PointSymmetry>,
    /// Among which functions conserved quantities were sought.
    pub searched: Vec<Searched>,
}

/// Operations for the common factors of a section.
const SECTIONS: u64 = 2_000_000;

/// Systems with more coordinates are not checked along the flow symbolically.
const CHECKED: usize = 12;

/// The parts of a system that conservation depends on.
#[derive(Clone, Copy)]
pub(super) struct Parts<'s> {
    pub symbols: &'s Symbols,
    pub dynamics: &'s Dynamics,
    pub rows: &'s ConstraintRows,
    pub report: &'s DistributionReport,
    pub eliminated: &'s Eliminated,
    pub multiplier_symbols: &'s [ExprId],
    /// The velocities as functions of (q, t), where the equations are of first order.
    pub first_order: Option<&'s [ExprId]>,
}

/// Finds energy, momenta, and what symmetries with time and gauge terms conserve besides.
pub(super) fn find(
    pool: &mut Pool,
    parts: Parts<'_>,
    asked: Integrals,
    budget: &mut Budget,
) -> Conservation {
    let mut found = energy_and_momenta(pool, parts, budget);
    // Momenta of other linear symmetries are often functions of momenta and boosts: these first.
    let (mut linear, rest): (Vec<Conserved>, Vec<Conserved>) =
        found.conserved.into_iter().partition(|quantity| quantity.name.starts_with(LINEAR));
    found.conserved = rest;
    let more = first_integrals::further(pool, parts, &found.conserved, asked, budget);
    found.conserved.extend(more.conserved);
    found.searched = more.searched;
    let expressions: Vec<ExprId> = linear.iter().map(|quantity| quantity.expression).collect();
    let known = &found.conserved;
    // What cannot be told stays.
    let new = first_integrals::independent(pool, parts, known, &expressions, budget);
    let mut new = new.unwrap_or_else(|_| vec![true; linear.len()]).into_iter();
    linear.retain(|_| new.next().unwrap_or(true));
    first_integrals::number_names(&found.conserved, &mut linear);
    found.conserved.extend(linear);
    found
}

/// How momenta of linear symmetries are called that are no rotations in a plane of coordinates.
const LINEAR: &str = "momentum of a linear symmetry";

fn energy_and_momenta(pool: &mut Pool, parts: Parts<'_>, budget: &mut Budget) -> Conservation {
    let Parts { symbols, dynamics, rows, .. } = parts;
    let mut found = Conservation::default();
    energy(pool, parts, budget, &mut found);
    let horizontal = point_symmetries(pool, symbols, dynamics, rows, Demand::Horizontal, budget);
    let prove =
        |pool: &mut Pool, momentum| rate_along_flow(pool, parts, momentum, ExprId::ZERO, budget);
    found.conserved.extend(momenta_of(pool, symbols, dynamics, rows, &horizontal, prove));
    if rows.is_empty() && dynamics.forces.iter().all(|force| force.is_zero()) {
        found.symmetries =
            horizontal.into_iter().filter(|symmetry| symmetry.gauge.is_zero()).collect();
        return found;
    }
    beside(pool, parts, &horizontal, Road::Both, budget, &mut found);
    found
}

/// Is what is found proved by a second road?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Road {
    /// Not where the first decides.
    First,
    /// Always.
    Both,
}

/// Symmetries of the Lagrangian that constraints or forces do not admit: their momenta may be conserved all the same,
/// or combine to some that are.
fn beside(
    pool: &mut Pool,
    parts: Parts<'_>,
    horizontal: &[PointSymmetry],
    road: Road,
    budget: &mut Budget,
    found: &mut Conservation,
) {
    let Parts { symbols, dynamics, rows, report, multiplier_symbols, .. } = parts;
    found.symmetries =
        point_symmetries(pool, symbols, dynamics, rows, Demand::LagrangianOnly, budget);
    let all = found.symmetries.clone();
    for symmetry in &all {
        let turns = !symmetry.linear.is_empty();
        if turns || horizontal.iter().any(|other| other.field == symmetry.field) {
            continue;
        }
        let (name, symmetry, motion) = symmetry.described(pool, symbols);
        let rate = loss_rate(pool, dynamics, rows, multiplier_symbols, &symmetry);
        let rate = match road {
            Road::First => rate,
            Road::Both => simplify(pool, rate, &mut Budget::new(200_000)),
        };
        let expression = momentum_of(pool, dynamics, &symmetry);
        if vanishes(pool, parts, rate, budget) {
            let why =
                format!("L is invariant under {motion}, and no reaction or force acts along it");
            let proof = match road {
                Road::First => Zero::Unknown { points: 0 },
                Road::Both => rate_along_flow(pool, parts, expression, ExprId::ZERO, budget),
            };
            found.conserved.push(Conserved {
                name,
                expression,
                why,
                proof,
                strict: false,
                law: Law::Noether,
                generator: None,
            });
            continue;
        }
        found.lost.push(LostMomentum { name, expression, rate });
    }
    if !rows.all_holonomic() && !rows.is_affine() {
        // Translations first: sections with rotations bring positions into the equations.
        let shifts: Vec<PointSymmetry> =
            all.iter().filter(|symmetry| symmetry.linear.is_empty()).cloned().collect();
        for symmetries in [&shifts, &all] {
            found.momentum_equations =
                momentum_equations(pool, symbols, dynamics, rows, report, symmetries, budget);
            // A rate that vanishes on admissible velocities: the momentum is conserved.
            let equations = std::mem::take(&mut found.momentum_equations);
            let any = !equations.is_empty();
            for equation in equations {
                let rate = on_admissible(pool, symbols, report, equation.rate, budget);
                if is_zero(pool, rate, budget) != Zero::Yes {
                    found.momentum_equations.push(equation);
                    continue;
                }
                let expression = equation.momentum;
                let zero = ExprId::ZERO;
                let proof = rate_along_flow(pool, parts, expression, zero, budget);
                let known = found.conserved.iter().any(|c| c.expression == expression);
                if proof == Zero::Yes && !known {
                    let name = format!("J_{}", 1 + horizontal_count(&found.conserved));
                    let why = "symmetries of L combine, with coefficients that vary, into an \
                               admissible direction along which nothing acts";
                    found.conserved.push(Conserved {
                        name,
                        expression,
                        why: why.into(),
                        proof,
                        strict: false,
                        law: Law::Noether,
                        generator: None,
                    });
                }
            }
            if any {
                break;
            }
        }
    }
}

/// The momenta of symmetries that constraints and forces admit, translations first. `prove` is the second road; what
/// it refutes is left out.
fn momenta_of(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    horizontal: &[PointSymmetry],
    mut prove: impl FnMut(&mut Pool, ExprId) -> Zero,
) -> Vec<Conserved> {
    let mut momenta = Vec::new();
    for symmetry in horizontal {
        let (name, symmetry, motion) = symmetry.described(pool, symbols);
        let expression = momentum_of(pool, dynamics, &symmetry);
        let mut why = format!("L is invariant under {motion}");
        let mut name = name;
        if !symmetry.gauge.is_zero() {
            why.push_str(" up to a total time derivative");
            name.push_str(" with gauge term");
        }
        if !rows.is_empty() {
            why.push_str(", which the constraints admit");
        }
        let proof = prove(pool, expression);
        if proof != Zero::No {
            let (rank, strict) = (rank_of(&symmetry, &name), symmetry.gauge.is_zero());
            momenta.push((
                rank,
                Conserved {
                    name,
                    expression,
                    why,
                    proof,
                    strict,
                    law: if strict { Law::Noether } else { Law::Gauge },
                    generator: None,
                },
            ));
        }
    }
    momenta.sort_by_key(|entry| entry.0);
    number_repeated_names(&mut momenta);
    momenta.into_iter().map(|entry| entry.1).collect()
}

/// Operations for the momenta that runs watch, beside those of symmetries that everything admits.
const WATCHING: u64 = 2_000_000;

/// The momenta that [`find`] finds beside the energy, without the second road where the first decides. Those that need
/// more than a few operations are not watched.
pub(super) fn watched(pool: &mut Pool, parts: Parts<'_>, budget: &mut Budget) -> Conservation {
    let Parts { symbols, dynamics, rows, .. } = parts;
    let horizontal = point_symmetries(pool, symbols, dynamics, rows, Demand::Horizontal, budget);
    let unproved = |_: &mut Pool, _| Zero::Unknown { points: 0 };
    let conserved = momenta_of(pool, symbols, dynamics, rows, &horizontal, unproved);
    let mut found = Conservation { conserved, ..Conservation::default() };
    if !rows.is_empty() || dynamics.forces.iter().any(|force| !force.is_zero()) {
        let own = &mut Budget::new(WATCHING.min(budget.left()));
        beside(pool, parts, &horizontal, Road::First, own, &mut found);
    }
    found
}

fn energy(pool: &mut Pool, parts: Parts<'_>, budget: &mut Budget, found: &mut Conservation) {
    let Parts { symbols, dynamics, rows, report, eliminated, multiplier_symbols, .. } = parts;
    // dE/dt = F.v - L_t + lambda.(A v), and A v = -b on admissible velocities;
    // for Chetaev reactions A v = phi_v.v, which vanishes with phi if phi is homogeneous.
    let mut vanishing = Vec::new();
    let mut terms: Vec<ExprId> = symbols
        .velocity
        .iter()
        .zip(&dynamics.forces)
        .map(|(&v, &force)| pool.mul(v, force))
        .collect();
    terms.push(pool.neg(dynamics.explicit_time));
    for (a, row) in rows.matrix.iter().enumerate() {
        let power = match rows.written[a] {
            Written::Chetaev => {
                let terms: Vec<_> = row
                    .iter()
                    .map(|&(i, value)| pool.mul(value, symbols.velocity[i as usize]))
                    .collect();
                let power = pool.sum(&terms);
                if is_homogeneous(pool, power, rows.velocity_level[a], budget) {
                    vanishing.push(pool.mul(eliminated.multipliers[a], power));
                    ExprId::ZERO
                } else {
                    power
                }
            }
            _ => pool.neg(rows.offset[a]),
        };
        terms.push(pool.mul(multiplier_symbols[a], power));
    }
    let rate = pool.sum(&terms);
    // "Not decided" is not zero: then the rate is printed and nothing is claimed.
    let restricted = on_admissible(pool, symbols, report, rate, budget);
    let idle = is_zero(pool, restricted, budget) == Zero::Yes;
    if idle || vanishes(pool, parts, rate, budget) {
        let why = match (rows.is_empty(), dynamics.forces.iter().all(|f| f.is_zero())) {
            _ if !idle => "the power of forces and reactions vanishes along the motion",
            (true, true) => "L does not depend on time",
            (false, true) => {
                "L does not depend on time and the reactions do no work on admissible velocities"
            }
            (_, false) => "L does not depend on time, and forces and reactions do no work",
        };
        let expression = simplify_small(pool, dynamics.energy);
        // Chetaev reactions do no work on the constraint, but they do off it, where the flow
        // also lives: that part of the rate is subtracted.
        let vanishing = pool.sum(&vanishing);
        let proof = rate_along_flow(pool, parts, expression, vanishing, budget);
        if proof != Zero::No {
            let name = "energy".to_owned();
            found.conserved.push(Conserved {
                name,
                expression,
                why: why.into(),
                proof,
                strict: false,
                law: Law::Noether,
                generator: None,
            });
            return;
        }
    }
    found.energy_rate = Some(simplify_small(pool, rate));
}

/// Is a rate with multipliers zero once the multipliers are put in?
fn vanishes(pool: &mut Pool, parts: Parts<'_>, rate: ExprId, budget: &mut Budget) -> bool {
    let Parts { symbols, report, eliminated, multiplier_symbols, .. } = parts;
    if symbols.dimension() > CHECKED {
        return false;
    }
    let map: Substitution =
        multiplier_symbols.iter().copied().zip(eliminated.multipliers.iter().copied()).collect();
    let Ok(value) = substitute(pool, &[rate], &map, budget) else { return false };
    let value = on_admissible(pool, symbols, report, value[0], budget);
    is_zero(pool, value, &mut Budget::new(2_000_000)) == Zero::Yes
}

/// Is `phi_v.v = k phi` for some k in {1, 2, 3, 4}? Then reactions along phi_v do no work
/// where phi vanishes.
fn is_homogeneous(pool: &mut Pool, power: ExprId, phi: ExprId, budget: &mut Budget) -> bool {
    (1..=4).any(|k| {
        let multiple = pool.scale(&Rational::integer(k), phi);
        let difference = pool.sub(power, multiple);
        is_zero(pool, difference, budget) == Zero::Yes
    })
}

pub(super) fn simplify_small(pool: &mut Pool, expression: ExprId) -> ExprId {
    if size(pool, expression) > 2_000 {
        return expression;
    }
    simplify(pool, expression, &mut Budget::new(300_000))
}

/// `p.xi - G`.
fn momentum_of(pool: &mut Pool, dynamics: &Dynamics, symmetry: &PointSymmetry) -> ExprId {
    let mut terms: Vec<ExprId> =
        symmetry.field.iter().zip(&dynamics.momenta).map(|(&xi, &p)| pool.mul(xi, p)).collect();
    terms.push(pool.neg(symmetry.gauge));
    let value = pool.sum(&terms);
    simplify_small(pool, value)
}

/// `xi.(F + A^T lambda)`.
fn loss_rate(
    pool: &mut Pool,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    multipliers: &[ExprId],
    symmetry: &PointSymmetry,
) -> ExprId {
    let reactions =
        super::multipliers::reactions(pool, symmetry.field.len(), &rows.matrix, multipliers);
    let terms: Vec<ExprId> = symmetry
        .field
        .iter()
        .zip(dynamics.forces.iter().zip(reactions))
        .map(|(&xi, (&force, reaction))| {
            let total = pool.add(force, reaction);
            pool.mul(xi, total)
        })
        .collect();
    pool.sum(&terms)
}

/// Replaces velocities by a combination of the frame of admissible directions.
pub(super) fn on_admissible(
    pool: &mut Pool,
    symbols: &Symbols,
    report: &DistributionReport,
    expression: ExprId,
    budget: &mut Budget,
) -> ExprId {
    let Some(distribution) = report.distribution.as_ref().filter(|_| !report.extended) else {
        return expression;
    };
    let weights: Vec<ExprId> =
        (0..distribution.frame.len()).map(|k| pool.symbol(&format!("#w{k}"))).collect();
    let mut map = Substitution::default();
    for (i, &velocity) in symbols.velocity.iter().enumerate() {
        let terms: Vec<_> = distribution
            .frame
            .iter()
            .zip(&weights)
            .map(|(field, &w)| pool.mul(w, field.components[i]))
            .collect();
        map.insert(velocity, pool.sum(&terms));
    }
    substitute(pool, &[expression], &map, budget).map_or(expression, |list| list[0])
}

/// Is the derivative along the flow zero? The second road for every conserved quantity.
/// `vanishing` is a part of it that is zero where the constraints hold.
pub(super) fn rate_along_flow(
    pool: &mut Pool,
    parts: Parts<'_>,
    quantity: ExprId,
    vanishing: ExprId,
    budget: &mut Budget,
) -> Zero {
    let Parts { symbols, report, eliminated, .. } = parts;
    if symbols.dimension() > CHECKED {
        return Zero::Unknown { points: 0 };
    }
    let mut rates = symbols.drift();
    rates.extend(symbols.velocity.iter().copied().zip(eliminated.acceleration.iter().copied()));
    let Ok(rate) = directional_derivative(pool, &[quantity], &rates, budget) else {
        return Zero::Unknown { points: 0 };
    };
    let rate = pool.sub(rate[0], vanishing);
    let rate = match parts.first_order {
        Some(velocity) => {
            let map = symbols.velocity.iter().copied().zip(velocity.iter().copied()).collect();
            match substitute(pool, &[rate], &map, budget) {
                Ok(rates) => rates[0],
                Err(_) => return Zero::Unknown { points: 0 },
            }
        }
        None => on_admissible(pool, symbols, report, rate, budget),
    };
    match is_zero(pool, rate, &mut Budget::new(2_000_000)) {
        // Where constraints move, the rate is not restricted to admissible velocities:
        // a rate that vanishes only there is not seen to vanish.
        Zero::No if report.extended => Zero::Unknown { points: 0 },
        answer => answer,
    }
}

/// Sections of the symmetry algebra that are admissible: `A(q) sum_k c_k(q) xi_k(q) = 0`.
fn momentum_equations(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    report: &DistributionReport,
    symmetries: &[PointSymmetry],
    budget: &mut Budget,
) -> Vec<MomentumEquation> {
    if symmetries.is_empty() || symbols.dimension() > CHECKED {
        return Vec::new();
    }
    let n = symbols.dimension();
    let mut crossing = Matrix::zero(rows.len(), symmetries.len());
    for (a, row) in rows.matrix.iter().enumerate() {
        for (k, symmetry) in symmetries.iter().enumerate() {
            let terms: Vec<_> =
                row.iter().map(|&(i, value)| pool.mul(value, symmetry.field[i as usize])).collect();
            let value = pool.sum(&terms);
            crossing.set(a, k, value);
        }
    }
    let Ok(sections) = nullspace(pool, &crossing, budget) else { return Vec::new() };
    let mut equations = Vec::new();
    for section in sections.basis {
        let own = &mut Budget::new(SECTIONS.min(budget.left()));
        let section = match without_common_factors(pool, &section, own) {
            Ok(Some(shorter)) => {
                shorter.into_iter().map(|entry| simplify_small(pool, entry)).collect()
            }
            _ => section,
        };
        let combine = |pool: &mut Pool, weights: &[ExprId]| -> Vec<ExprId> {
            (0..n)
                .map(|i| {
                    let terms: Vec<_> = symmetries
                        .iter()
                        .zip(weights)
                        .map(|(symmetry, &w)| pool.mul(w, symmetry.field[i]))
                        .collect();
                    pool.sum(&terms)
                })
                .collect()
        };
        let Ok(rates) = directional_derivative(pool, &section, &symbols.drift(), budget) else {
            continue;
        };
        if rates.iter().all(|rate| rate.is_zero()) {
            // Constant coefficients: an ordinary conserved momentum, reported as such.
            continue;
        }
        let field: Vec<ExprId> =
            combine(pool, &section).into_iter().map(|c| simplify_small(pool, c)).collect();
        if field.iter().all(|component| component.is_zero()) {
            continue;
        }
        let moving = combine(pool, &rates);
        let along = |pool: &mut Pool, field: &[ExprId], covector: &[ExprId]| {
            let terms: Vec<_> = field.iter().zip(covector).map(|(&x, &p)| pool.mul(x, p)).collect();
            pool.sum(&terms)
        };
        let momentum = along(pool, &field, &dynamics.momenta);
        let drift = along(pool, &moving, &dynamics.momenta);
        let work = along(pool, &field, &dynamics.forces);
        let rate = pool.add(drift, work);
        let momentum = simplify_small(pool, momentum);
        let rate = shortest_on_constraints(pool, symbols, rows, report, rate, budget);
        equations.push(MomentumEquation { field, momentum, rate });
    }
    equations
}

/// How many momenta of horizontal sections are in the list already.
fn horizontal_count(conserved: &[Conserved]) -> usize {
    conserved.iter().filter(|quantity| quantity.name.starts_with("J_")).count()
}

/// Names that occur twice get a number.
fn number_repeated_names(momenta: &mut [(u8, Conserved)]) {
    let names: Vec<String> = momenta.iter().map(|entry| entry.1.name.clone()).collect();
    for (k, (_, quantity)) in momenta.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == names[k]).count() > 1 {
            let number = 1 + names[..k].iter().filter(|name| **name == names[k]).count();
            quantity.name = format!("{} {number}", names[k]);
        }
    }
}

/// An expression with velocities along the frame, in the velocities that tell how fast each of its fields is followed:
/// those that only one field has, alone if there are such. `None` if a field has none.
fn along_frame(
    pool: &mut Pool,
    symbols: &Symbols,
    report: &DistributionReport,
    expression: ExprId,
    budget: &mut Budget,
) -> Option<ExprId> {
    let distribution = report.distribution.as_ref().filter(|_| !report.extended)?;
    let restricted = on_admissible(pool, symbols, report, expression, budget);
    let restricted = simplify_small(pool, restricted);
    let frame = &distribution.frame;
    let mut back = Substitution::default();
    for (k, field) in frame.iter().enumerate() {
        let weight = pool.symbol(&format!("#w{k}"));
        if !pool.depends_on(restricted, &[weight]) {
            continue;
        }
        let own = (0..symbols.dimension()).filter(|&i| {
            let others = frame.iter().enumerate().filter(|(j, _)| *j != k);
            !field.components[i].is_zero()
                && others.into_iter().all(|(_, other)| other.components[i].is_zero())
        });
        // A component that vanishes nowhere first.
        let best = own.min_by_key(|&i| {
            let component = field.components[i];
            (pool.depends_on(component, &symbols.position), size(pool, component), i)
        })?;
        back.insert(weight, pool.div(symbols.velocity[best], field.components[best]));
    }
    let form = substitute(pool, &[restricted], &back, budget).ok()?;
    Some(simplify_small(pool, form[0]))
}

/// The shortest form of an expression on admissible velocities: as it is, along the frame, or with one
/// velocity of one constraint eliminated.
fn shortest_on_constraints(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    report: &DistributionReport,
    expression: ExprId,
    budget: &mut Budget,
) -> ExprId {
    let mut best = simplify_small(pool, expression);
    if let Some(form) = along_frame(pool, symbols, report, expression, budget)
        && size(pool, form) < size(pool, best)
    {
        best = form;
    }
    for round in 0..rows.len() {
        let before = best;
        for row in &rows.matrix {
            for &(i, pivot) in row {
                let others: Vec<_> = row
                    .iter()
                    .filter(|entry| entry.0 != i)
                    .map(|&(j, a)| pool.mul(a, symbols.velocity[j as usize]))
                    .collect();
                let sum = pool.sum(&others);
                let value = pool.div(sum, pivot);
                let map = [(symbols.velocity[i as usize], pool.neg(value))].into_iter().collect();
                let Ok(form) = substitute(pool, &[before], &map, budget) else { continue };
                let form = simplify_small(pool, form[0]);
                if size(pool, form) < size(pool, best) {
                    best = form;
                }
            }
        }
        if best == before || round > 3 {
            break;
        }
    }
    best
}

/// Translations first, then rotations, then the rest.
fn rank_of(symmetry: &PointSymmetry, name: &str) -> u8 {
    match (symmetry.linear.is_empty(), name.starts_with("L_")) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    }
}

/// Energy and cyclic momenta of Hamilton's equations.
pub(super) fn hamiltonian(
    pool: &mut Pool,
    symbols: &Symbols,
    field: &super::HamiltonianField,
    budget: &mut Budget,
    found: &mut Conservation,
) {
    let mut rates: Vec<_> =
        symbols.position.iter().copied().zip(field.position_rate.iter().copied()).collect();
    rates.extend(symbols.momentum.iter().copied().zip(field.momentum_rate.iter().copied()));
    rates.push((symbols.time, ExprId::ONE));
    let Ok(rate) = directional_derivative(pool, &[field.hamiltonian], &rates, budget) else {
        return;
    };
    match is_zero(pool, rate[0], budget) {
        Zero::No => found.energy_rate = Some(simplify_small(pool, rate[0])),
        proof => found.conserved.push(Conserved {
            name: "energy".to_owned(),
            expression: field.hamiltonian,
            why: "H does not depend on time".to_owned(),
            strict: false,
            law: Law::Noether,
            generator: None,
            proof,
        }),
    }
    for (k, &rate) in field.momentum_rate.iter().enumerate() {
        if rate.is_zero() {
            let name = format!("p_{}", symbols.names[k]);
            let why = format!("H is invariant under translation of {}", symbols.names[k]);
            let expression = symbols.momentum[k];
            found.conserved.push(Conserved {
                name,
                expression,
                why,
                proof: Zero::Yes,
                strict: false,
                law: Law::Noether,
                generator: None,
            });
        }
    }
}
