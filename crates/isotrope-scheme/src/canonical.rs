//! Runge–Kutta methods on Hamilton's equations q' = H_p, p' = −H_q + F, in the variables (q, p).
//!
//! With v = H_p(q, p, t) and g = −H_q + F a step is
//!
//! ```text
//! Q_i = q + h Σ a_ij V_j,   P_i = p + h Σ ā_ij G_j,   V_i = v(Q_i, P_i, t + c_i h),   G_i = g(Q_i, P_i, t + c_i h)
//! q⁺  = q + h Σ b_i V_i,    p⁺  = p + h Σ b̄_i G_i
//! ```
//!
//! It keeps dq∧dp for every H(q, p, t) where b = b̄ and b_i ā_ij + b̄_j a_ji = b_i b̄_j (E. Hairer, C. Lubich,
//! G. Wanner, Geometric Numerical Integration, VI.4.1 and VI.4.6): both functions of a stage are derivatives
//! of one H at one time. The same table on (q, v) keeps it only where the mass matrix is constant.
//!
//! Where the model is given by H these are the equations of every table. Of a Lagrangian p = L_v is solved
//! for v: by a linear system where L is quadratic in the velocities, else v is unknown, and L_v(Q, V) = P is
//! one of the equations. Only what waits for itself is unknown: with H = T(p) + U(q) the Störmer–Verlet
//! step is explicit.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::{ExprId, OutOfBudget, Precision, Rational};
use isotrope_derive::HamiltonianField;
use isotrope_methods::Composed;
use isotrope_methods::table::{Coefficients, Table};

use super::DiscretiseError;
use super::equations::{Increments, UnknownKind};
use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Entry, Family, Recipe};
use super::stages::{Numbers, count, sum};

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "canonical",
    citation: Some("E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), VI.4"),
    capabilities: Capabilities { variational: true, compensate: true, ..Capabilities::MECHANICS },
    entries: &[Entry {
        name: "canonical:",
        about: "a Runge–Kutta method or a composition in (q, p), on Hamilton's equations, instead of (q, v)",
        recipe: Recipe::Canonical,
        ..Entry::BLANK
    }],
};

/// A Runge–Kutta method in (q, p).
pub(super) fn table(writer: &mut Writer<'_>, table: &Table) -> Result<(), DiscretiseError> {
    let numbers = Numbers::new(table, writer.digits, writer.budget)?;
    write(writer, &numbers.coefficients().in_momenta())
}

/// A composition in (q, p): its steps, one after the other, as one table.
pub(super) fn composition(
    writer: &mut Writer<'_>,
    composed: &Composed,
) -> Result<(), DiscretiseError> {
    const BITS: u32 = 192;
    let base = Numbers::new(&composed.base, writer.digits, writer.budget)?;
    let lengths = composed.composition.coefficients(Precision::new(BITS))?;
    let middle = |ball: &isotrope_algebra::Ball| Some(ball.midpoint().bounds()?.0);
    let lengths: Option<Vec<Rational>> = lengths.iter().map(middle).collect();
    let lengths = lengths.ok_or(DiscretiseError::NotApplicable {
        reason: "the coefficients of the composition could not be computed",
    })?;
    write(writer, &base.coefficients().in_momenta().repeated(&lengths))
}

/// How velocities and the rates of momenta follow from positions and momenta.
enum Law {
    /// By formulas.
    Hamilton(Box<HamiltonianField>),
    /// By a linear system for the velocities, L_v = M(q, t) v + c(q, t).
    Quadratic,
    /// L_v(q, v, t) = p has to be solved.
    Lagrange,
}

/// A place in phase space.
struct Place {
    q: Vec<ExprId>,
    p: Vec<ExprId>,
    t: ExprId,
}

impl Law {
    fn of(writer: &Writer<'_>) -> Self {
        match (&writer.hamiltons_equations, writer.quadratic) {
            (Some(field), _) => Self::Hamilton(Box::new(field.clone())),
            (None, true) => Self::Quadratic,
            (None, false) => Self::Lagrange,
        }
    }

    /// v at a place.
    fn velocity(
        &self,
        writer: &mut Writer<'_>,
        place: &Place,
    ) -> Result<Vec<ExprId>, DiscretiseError> {
        match self {
            Self::Hamilton(field) => Ok(at(writer, place, &field.position_rate)?),
            Self::Quadratic | Self::Lagrange => {
                let v = writer.symbols.velocity.clone();
                let point = Point { q: place.q.clone(), v, t: place.t };
                Ok(writer.velocities(&point, &place.p, &Vec::new(), &[])?.0)
            }
        }
    }

    /// p' at a place with its velocities.
    fn force(
        &self,
        writer: &mut Writer<'_>,
        place: &Place,
        v: &[ExprId],
    ) -> Result<Vec<ExprId>, DiscretiseError> {
        match self {
            Self::Hamilton(field) => Ok(at(writer, place, &field.momentum_rate)?),
            Self::Quadratic | Self::Lagrange => {
                let point = Point { q: place.q.clone(), v: v.to_vec(), t: place.t };
                Ok(writer.driving(&point)?)
            }
        }
    }

    /// The work of forces, and of an H that depends on time, with a factor.
    fn work(
        &self,
        writer: &mut Writer<'_>,
        factor: ExprId,
        place: &Place,
        v: &[ExprId],
    ) -> Result<ExprId, DiscretiseError> {
        match self {
            Self::Hamilton(field) => {
                let power = at(writer, place, &[field.power])?;
                Ok(writer.pool.mul(factor, power[0]))
            }
            Self::Quadratic | Self::Lagrange => {
                let point = Point { q: place.q.clone(), v: v.to_vec(), t: place.t };
                Ok(writer.work(&point, factor, &[])?)
            }
        }
    }

    /// Does the energy change?
    fn has_power(&self, writer: &Writer<'_>) -> bool {
        match self {
            Self::Hamilton(field) => !field.power.is_zero(),
            Self::Quadratic | Self::Lagrange => {
                let dynamics = writer.dynamics;
                !dynamics.explicit_time.is_zero() || dynamics.working.iter().any(|f| !f.is_zero())
            }
        }
    }

    /// What vanishes where `v` is the velocity at a place, and its next value in a fixed-point iteration.
    fn defect(
        &self,
        writer: &mut Writer<'_>,
        place: &Place,
        v: &[ExprId],
        mark: &str,
    ) -> Result<(Vec<ExprId>, Option<Vec<ExprId>>), DiscretiseError> {
        match self {
            Self::Hamilton(_) => {
                let found = self.velocity(writer, place)?;
                let found = writer.define(&format!("'_found{mark}"), found);
                Ok((differences(writer, v, &found), Some(found)))
            }
            Self::Quadratic | Self::Lagrange => {
                let point = Point { q: place.q.clone(), v: v.to_vec(), t: place.t };
                let momenta = writer.at(&point, &writer.dynamics.momenta)?;
                Ok((differences(writer, &momenta, &place.p), None))
            }
        }
    }
}

/// Functions of (q, p, t) at a place.
fn at(
    writer: &mut Writer<'_>,
    place: &Place,
    expressions: &[ExprId],
) -> Result<Vec<ExprId>, OutOfBudget> {
    let symbols = writer.symbols;
    let mut map = Substitution::default();
    map.extend(symbols.position.iter().copied().zip(place.q.iter().copied()));
    map.extend(symbols.momentum.iter().copied().zip(place.p.iter().copied()));
    map.insert(symbols.time, place.t);
    map.retain(|from, to| from != to);
    substitute(&mut writer.pool, expressions, &map, writer.budget)
}

fn differences(writer: &mut Writer<'_>, list: &[ExprId], other: &[ExprId]) -> Vec<ExprId> {
    list.iter().zip(other).map(|(&x, &y)| writer.pool.sub(x, y)).collect()
}

/// What the parts of a stage depend on.
#[derive(Debug, Clone, Copy)]
struct Dependence {
    velocity_on_position: bool,
    force_on_position: bool,
    force_on_momentum: bool,
    force_on_velocity: bool,
}

impl Dependence {
    fn of(writer: &Writer<'_>, law: &Law) -> Self {
        let symbols = writer.symbols;
        let on = |expressions: &[ExprId], variables: &[ExprId]| {
            let below = writer.pool.reachable(expressions);
            variables.iter().any(|x| below.binary_search(x).is_ok())
        };
        match law {
            Law::Hamilton(field) => Self {
                velocity_on_position: on(&field.position_rate, &symbols.position),
                force_on_position: on(&field.momentum_rate, &symbols.position),
                force_on_momentum: on(&field.momentum_rate, &symbols.momentum),
                force_on_velocity: false,
            },
            Law::Quadratic | Law::Lagrange => {
                let dynamics = writer.dynamics;
                let driving = [dynamics.gradient.clone(), dynamics.forces.clone()].concat();
                Self {
                    velocity_on_position: on(&dynamics.momenta, &symbols.position),
                    force_on_position: on(&driving, &symbols.position),
                    force_on_momentum: false,
                    force_on_velocity: on(&driving, &symbols.velocity),
                }
            }
        }
    }
}

/// The parts of a stage, in the order of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Position,
    Momentum,
    Velocity,
    Force,
}

/// Which parts of which stages are needed, and which of them are unknown: those that wait for themselves.
struct Plan {
    stages: usize,
    needed: Vec<bool>,
    unknown: Vec<bool>,
}

impl Plan {
    /// Velocities that wait for themselves are unknown; where momenta still do, they are unknown, too.
    fn new(
        numbers: &Coefficients<Rational>,
        on: Dependence,
        (works, unsolved): (bool, bool),
    ) -> Self {
        let stages = numbers.b.len();
        let number = |part: Part, stage: usize| part as usize * stages + stage;
        let there = |row: &[Rational]| -> Vec<usize> {
            (0..stages).filter(|&j| !row[j].is_zero()).collect()
        };
        let mut waits: Vec<Vec<usize>> = vec![Vec::new(); 4 * stages];
        let mut ends = Vec::new();
        for i in 0..stages {
            let (q, p) = (number(Part::Position, i), number(Part::Momentum, i));
            let (v, g) = (number(Part::Velocity, i), number(Part::Force, i));
            waits[q].extend(there(&numbers.a[i]).into_iter().map(|j| number(Part::Velocity, j)));
            waits[p].extend(there(&numbers.abar[i]).into_iter().map(|j| number(Part::Force, j)));
            waits[v].push(p);
            waits[v].extend(on.velocity_on_position.then_some(q));
            waits[g].extend(on.force_on_position.then_some(q));
            waits[g].extend(on.force_on_momentum.then_some(p));
            waits[g].extend(on.force_on_velocity.then_some(v));
            ends.extend((!numbers.b[i].is_zero()).then_some(v));
            if !numbers.bbar[i].is_zero() {
                ends.push(g);
                ends.extend([q, p, v].into_iter().filter(|_| works));
            }
        }
        let needed = reached(&waits, &ends);
        let mut unknown = vec![false; waits.len()];
        let velocities = number(Part::Velocity, 0)..number(Part::Force, 0);
        let momenta = number(Part::Momentum, 0)..number(Part::Velocity, 0);
        for (part, all) in [(velocities, unsolved), (momenta, false)] {
            let cyclic: Vec<bool> = (0..waits.len())
                .map(|x| part.contains(&x) && needed[x] && (all || reached(&waits, &waits[x])[x]))
                .collect();
            for (x, cyclic) in cyclic.into_iter().enumerate() {
                if cyclic {
                    unknown[x] = true;
                    // Nothing waits for what is unknown.
                    waits.iter_mut().for_each(|list| list.retain(|&y| y != x));
                }
            }
        }
        Self { stages, needed, unknown }
    }

    fn is_needed(&self, part: Part, stage: usize) -> bool {
        self.needed[part as usize * self.stages + stage]
    }

    fn is_unknown(&self, part: Part, stage: usize) -> bool {
        self.unknown[part as usize * self.stages + stage]
    }
}

/// What is waited for, from `ends` on.
fn reached(waits: &[Vec<usize>], ends: &[usize]) -> Vec<bool> {
    let mut seen = vec![false; waits.len()];
    let mut open = ends.to_vec();
    while let Some(x) = open.pop() {
        if !std::mem::replace(&mut seen[x], true) {
            open.extend(&waits[x]);
        }
    }
    seen
}

/// What is known of the stages.
struct Stages {
    t: Vec<ExprId>,
    q: Vec<Option<Vec<ExprId>>>,
    p: Vec<Option<Vec<ExprId>>>,
    v: Vec<Option<Vec<ExprId>>>,
    g: Vec<Option<Vec<ExprId>>>,
}

/// Are all vectors with a coefficient there?
fn all_known(row: &[Rational], vectors: &[Option<Vec<ExprId>>]) -> bool {
    row.iter().zip(vectors).all(|(number, vector)| number.is_zero() || vector.is_some())
}

/// base + h Σ c_j x_j.
fn moved(
    writer: &mut Writer<'_>,
    base: &[ExprId],
    row: &[Rational],
    vectors: &[Option<Vec<ExprId>>],
) -> Vec<ExprId> {
    let vectors: Vec<Vec<ExprId>> =
        vectors.iter().map(|vector| vector.clone().unwrap_or_default()).collect();
    writer.combined(base, row, writer.h, &vectors)
}

impl Stages {
    /// Declares what is unknown, with an Euler step as a guess.
    fn declare(
        writer: &mut Writer<'_>,
        numbers: &Coefficients<Rational>,
        (law, plan): (&Law, &Plan),
    ) -> Result<Self, DiscretiseError> {
        let size = numbers.b.len();
        let nothing = || vec![None; size];
        let (mut t, mut v, mut p) = (Vec::new(), nothing(), nothing());
        let symbols = writer.symbols;
        for i in 0..size {
            let ahead = writer.pool.scale(&sum(&numbers.a[i]), writer.h);
            t.push(writer.pool.add(symbols.time, ahead));
            let pushed = writer.pool.scale(&sum(&numbers.abar[i]), writer.h);
            let euler = match law {
                Law::Hamilton(field) => Some(Place {
                    q: writer.drifted(&symbols.position, ahead, &symbols.velocity),
                    p: writer.drifted(&symbols.momentum, pushed, &field.momentum_rate),
                    t: t[i],
                }),
                Law::Quadratic | Law::Lagrange => None,
            };
            let mark = format!("_{}", i + 1);
            if plan.is_unknown(Part::Velocity, i) {
                v[i] = Some(match &euler {
                    Some(place) => {
                        let guess = law.velocity(writer, place)?;
                        unknowns(writer, &format!("'{mark}"), UnknownKind::Velocity, &guess)
                    }
                    None => writer.unknown_stage(&sum(&numbers.abar[i]), i),
                });
            }
            if plan.is_unknown(Part::Momentum, i) {
                // Of a Lagrangian forces contain velocities, not momenta.
                let guess = euler.map_or_else(|| symbols.momentum.clone(), |place| place.p);
                p[i] = Some(unknowns(writer, &format!("_p{mark}"), UnknownKind::Momentum, &guess));
            }
        }
        Ok(Self { t, q: nothing(), p, v, g: nothing() })
    }

    /// Writes all that does not wait for something, until nothing is left.
    fn write(
        &mut self,
        writer: &mut Writer<'_>,
        numbers: &Coefficients<Rational>,
        (law, plan): (&Law, &Plan),
        on: Dependence,
    ) -> Result<(), DiscretiseError> {
        let (start, momenta) = (writer.here(), writer.symbols.momentum.clone());
        loop {
            let before = self.known();
            for i in 0..numbers.b.len() {
                let mark = format!("_{}", i + 1);
                if self.q[i].is_none()
                    && plan.is_needed(Part::Position, i)
                    && all_known(&numbers.a[i], &self.v)
                {
                    let q = moved(writer, &start.q, &numbers.a[i], &self.v);
                    self.q[i] = Some(named(writer, &mark, q, &start.q));
                }
                if self.p[i].is_none()
                    && plan.is_needed(Part::Momentum, i)
                    && all_known(&numbers.abar[i], &self.g)
                {
                    let p = moved(writer, &momenta, &numbers.abar[i], &self.g);
                    self.p[i] = Some(named(writer, &format!("_p{mark}"), p, &momenta));
                }
                let ready =
                    |part: &[Option<Vec<ExprId>>], matters: bool| !matters || part[i].is_some();
                if self.v[i].is_none()
                    && plan.is_needed(Part::Velocity, i)
                    && self.p[i].is_some()
                    && ready(&self.q, on.velocity_on_position)
                {
                    let place = self.place(writer, i);
                    let v = law.velocity(writer, &place)?;
                    self.v[i] = Some(writer.define(&format!("'{mark}"), v));
                }
                if self.g[i].is_none()
                    && plan.is_needed(Part::Force, i)
                    && ready(&self.q, on.force_on_position)
                    && ready(&self.p, on.force_on_momentum)
                    && ready(&self.v, on.force_on_velocity)
                {
                    let (place, v) = (self.place(writer, i), self.velocity(writer, i));
                    let g = law.force(writer, &place, &v)?;
                    self.g[i] = Some(writer.define(&format!("_p'{mark}"), g));
                }
            }
            if before == self.known() {
                return Ok(());
            }
        }
    }

    fn known(&self) -> usize {
        let parts = [&self.q, &self.p, &self.v, &self.g];
        parts.into_iter().map(|part| part.iter().flatten().count()).sum()
    }

    /// The place of a stage. What is not needed there is that of the start.
    fn place(&self, writer: &Writer<'_>, stage: usize) -> Place {
        let symbols = writer.symbols;
        let or = |part: &Option<Vec<ExprId>>, start: &[ExprId]| {
            part.clone().unwrap_or_else(|| start.to_vec())
        };
        Place {
            q: or(&self.q[stage], &symbols.position),
            p: or(&self.p[stage], &symbols.momentum),
            t: self.t[stage],
        }
    }

    fn velocity(&self, writer: &Writer<'_>, stage: usize) -> Vec<ExprId> {
        self.v[stage].clone().unwrap_or_else(|| writer.symbols.velocity.clone())
    }

    /// What vanishes in the stages, in the order of the unknowns, and their next values.
    fn residual(
        &self,
        writer: &mut Writer<'_>,
        numbers: &Coefficients<Rational>,
        (law, plan): (&Law, &Plan),
    ) -> Result<Option<Vec<ExprId>>, DiscretiseError> {
        let momenta = writer.symbols.momentum.clone();
        let mut next = Some(Vec::new());
        let mut push =
            |writer: &mut Writer<'_>, residual: Vec<ExprId>, found: Option<Vec<ExprId>>| {
                writer.residual.extend(residual);
                next = next.take().zip(found).map(|(mut all, found)| {
                    all.extend(found);
                    all
                });
            };
        for i in 0..numbers.b.len() {
            let mark = format!("_{}", i + 1);
            if let (true, Some(v)) = (plan.is_unknown(Part::Velocity, i), &self.v[i]) {
                let place = self.place(writer, i);
                let (residual, found) = law.defect(writer, &place, v, &mark)?;
                push(writer, residual, found);
            }
            if let (true, Some(p)) = (plan.is_unknown(Part::Momentum, i), &self.p[i]) {
                let found = moved(writer, &momenta, &numbers.abar[i], &self.g);
                let found = writer.define(&format!("_p_found{mark}"), found);
                let residual = differences(writer, p, &found);
                push(writer, residual, Some(found));
            }
        }
        Ok(next)
    }
}

/// Unknowns, one for each coordinate.
fn unknowns(
    writer: &mut Writer<'_>,
    mark: &str,
    kind: fn(usize) -> UnknownKind,
    guesses: &[ExprId],
) -> Vec<ExprId> {
    let names = writer.symbols.names.clone();
    let named = names.iter().zip(guesses).enumerate();
    named
        .map(|(i, (name, &guess))| writer.unknown(&format!("{name}{mark}"), kind(i), guess))
        .collect()
}

/// Symbols for what has moved; what has not keeps its own.
fn named(
    writer: &mut Writer<'_>,
    mark: &str,
    values: Vec<ExprId>,
    start: &[ExprId],
) -> Vec<ExprId> {
    if values == start { values } else { writer.define(mark, values) }
}

fn write(writer: &mut Writer<'_>, numbers: &Coefficients<Rational>) -> Result<(), DiscretiseError> {
    if !writer.rows.is_empty() || !writer.rows.redundant.is_empty() {
        return Err(DiscretiseError::NotApplicable {
            reason: "there are constraints, whose reactions the stages of Hamilton's equations do not \
                     have; take rattle, spark-lobatto-2 or the method without `canonical:`",
        });
    }
    let law = Law::of(writer);
    let on = Dependence::of(writer, &law);
    let (works, unsolved) = (law.has_power(writer), matches!(law, Law::Lagrange));
    let plan = Plan::new(numbers, on, (works, unsolved));
    let mut stages = Stages::declare(writer, numbers, (&law, &plan))?;
    let end = unsolved.then(|| writer.unknown_velocities("_end"));
    stages.write(writer, numbers, (&law, &plan), on)?;
    writer.fixed_point =
        stages.residual(writer, numbers, (&law, &plan))?.filter(|next| !next.is_empty());
    let zeros = vec![ExprId::ZERO; writer.symbols.dimension()];
    let way = moved(writer, &zeros, &numbers.b, &stages.v);
    let impulse = moved(writer, &zeros, &numbers.bbar, &stages.g);
    let (start, momenta) = (writer.here(), writer.symbols.momentum.clone());
    let q = writer.drifted(&start.q, ExprId::ONE, &way);
    let p = writer.drifted(&momenta, ExprId::ONE, &impulse);
    let place =
        Place { q: writer.define("⁺", q), p: writer.define("_p⁺", p), t: writer.later() };
    writer.after.velocity = match end {
        Some(v) => {
            let (residual, _) = law.defect(writer, &place, &v, "_end")?;
            writer.residual.extend(residual);
            v
        }
        None => law.velocity(writer, &place)?,
    };
    let mut work = Vec::new();
    for (i, weight) in numbers.bbar.iter().enumerate().filter(|(_, b)| works && !b.is_zero()) {
        let factor = writer.pool.scale(weight, writer.h);
        let (place, v) = (stages.place(writer, i), stages.velocity(writer, i));
        work.push(law.work(writer, factor, &place, &v)?);
    }
    writer.after.work = writer.pool.sum(&work);
    writer.after.increments = Some(Increments { position: way, momentum: impulse });
    writer.after.position = place.q;
    writer.after.momentum = place.p;
    let implicit = (0..numbers.b.len())
        .filter(|&i| plan.is_unknown(Part::Velocity, i) || plan.is_unknown(Part::Momentum, i));
    writer.evaluations = count(match implicit.count() {
        0 => numbers.b.len(),
        implicit => implicit,
    });
    Ok(())
}
