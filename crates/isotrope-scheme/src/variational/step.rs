//! The equations of a variational step.
//!
//! A piece of degree s has the unknown velocities W₁ … W_s of its polynomial Q: differences (q⁺ − q)/h
//! would lose digits. Varied are its values at the nodes d₀ … d_s of Lobatto,
//!
//! R_k = Σ_i b_i (γh l_k(c_i) (L_q + F)_i + l_k'(c_i) (L_v)_i) + δ_k0 p + A(Q(d_k))ᵀΛ_k = 0, k < s,
//!
//! and the momentum at its end is p + Σ_k A(Q(d_k))ᵀΛ_k + γh Σ_i b_i (L_q + F)_i, since the l_k sum up to
//! one. Constraints on positions hold at d₁ … d_s; constraints on velocities that are not of this
//! kind at the s nodes of Gauss. The impulse at the end of a step makes A(q⁺)v⁺ + b = 0. That of the end
//! of a piece between others belongs to the next piece.

use isotrope_algebra::{ExprId, OrInternal, Rational};

use super::coefficients::Numbers;
use super::lagrangian::{Action, ConstraintForm, DiscreteLagrangian, Principle};
use super::own;
use crate::DiscretiseError;
use crate::dirac::stage_impulses;
use crate::equations::Increments;
use crate::mechanics::{Point, Writer};
use crate::spark::stage_velocities;
use crate::stages::count;
use isotrope_derive::{ConstraintRows, Written as Kind};
use isotrope_derive::{Saddle, reactions};

/// What is known of a piece before constraints enter.
pub(crate) struct Varied {
    /// R_k without the impulses, k < s.
    pub residual: Vec<Vec<ExprId>>,
    /// Momentum that it adds.
    pub push: Vec<ExprId>,
    /// Work of forces.
    pub work: Vec<ExprId>,
}

/// Where a piece begins.
pub(crate) struct Start {
    pub q: Vec<ExprId>,
    pub p: Vec<ExprId>,
    pub t: ExprId,
}

/// A piece with its unknowns.
pub(crate) struct Part<'p> {
    pub numbers: &'p Numbers,
    /// γh.
    pub step: ExprId,
    /// W_j.
    pub velocities: Vec<Vec<ExprId>>,
    /// What tells its names from those of other pieces.
    pub mark: String,
}

/// Writes the step of a discrete Lagrangian.
pub(super) fn write(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
) -> Result<(), DiscretiseError> {
    if let Some(reason) = refusal(writer.rows, lagrangian) {
        return Err(DiscretiseError::NotApplicable { reason });
    }
    let mut numbers = Vec::with_capacity(lagrangian.pieces.len());
    for piece in &lagrangian.pieces {
        numbers.push(Numbers::new(piece, writer.digits, writer.budget)?);
    }
    let explicit = is_explicit(writer, lagrangian, &numbers);
    let mut parts = Vec::with_capacity(numbers.len());
    let mut before = Rational::ZERO;
    for (k, numbers) in numbers.iter().enumerate() {
        let mark = if lagrangian.pieces.len() > 1 { format!("_{}", k + 1) } else { String::new() };
        let step = writer.pool.scale(&numbers.fraction, writer.h);
        let velocities =
            if explicit { Vec::new() } else { unknown_velocities(writer, numbers, &before, &mark) };
        before = &before + &numbers.fraction;
        parts.push(Part { numbers, step, velocities, mark });
    }
    writer.evaluations = count(numbers.iter().map(|numbers| numbers.nodes.len()).sum());
    let end_velocities =
        if writer.quadratic { None } else { Some(writer.unknown_velocities("⁺")) };
    let here = writer.here();
    let momentum = writer.symbols.momentum.clone();
    let zeros = vec![ExprId::ZERO; momentum.len()];
    let mut total = Total { way: zeros.clone(), push: zeros, work: Vec::new() };
    let mut start = Start { q: here.q.clone(), p: momentum, t: here.t };
    for (piece, part) in lagrangian.pieces.iter().zip(&mut parts) {
        if explicit {
            part.velocities = vec![explicit_velocity(writer, part, &start)?];
        }
        let varied = match piece.action {
            Action::Galerkin { .. } => galerkin(writer, part, &start)?,
            Action::Own { reversed } => own::vary(writer, part, &start, reversed)?,
        };
        start = constrain(writer, part, start, varied, lagrangian.form, explicit, &mut total)?;
    }
    finish(writer, start, end_velocities, total)
}

/// Sums over the pieces.
pub(super) struct Total {
    /// q⁺ − q.
    pub way: Vec<ExprId>,
    /// p⁺ − p.
    pub push: Vec<ExprId>,
    pub work: Vec<ExprId>,
}

/// Why a discrete Lagrangian makes no step under these constraints, if it does not.
pub(super) fn refusal(
    rows: &ConstraintRows,
    lagrangian: &DiscreteLagrangian,
) -> Option<&'static str> {
    let deficient = lagrangian.pieces.iter().any(|piece| match piece.action {
        Action::Galerkin { degree, quadrature } => quadrature.points() < degree,
        Action::Own { .. } => false,
    });
    if deficient {
        Some(
            "fewer points of quadrature than the degree of the polynomials: velocities that vanish at \
             all of them have no kinetic energy, and the equations no unique solution; take r ≥ s",
        )
    } else if rows.written.contains(&Kind::Chetaev) {
        Some("a constraint is nonlinear in the velocities")
    } else if lagrangian.principle == Principle::HamiltonPontryagin && !rows.all_holonomic() {
        Some(
            "nothing is stationary under constraints on velocities that do not come from positions: \
             dirac-alembert-2 and dirac-alembert-4 take them by the principle of Lagrange and d'Alembert",
        )
    } else {
        None
    }
}

/// With all nodes at the ends, a constant mass matrix and forces of positions alone the velocity of a
/// step is linear in what is known.
fn is_explicit(writer: &Writer<'_>, lagrangian: &DiscreteLagrangian, numbers: &[Numbers]) -> bool {
    let at_an_end = |node: &Rational| node.is_zero() || node.is_one();
    let galerkin = |action: Action| matches!(action, Action::Galerkin { degree: 1, .. });
    let plain = !writer.coupled && !writer.varying_mass && writer.quadratic;
    plain
        && writer.rows.is_empty()
        && lagrangian.pieces.iter().all(|piece| galerkin(piece.action))
        && numbers.iter().all(|numbers| numbers.nodes.iter().all(at_an_end))
}

pub(crate) fn unknown_velocities(
    writer: &mut Writer<'_>,
    numbers: &Numbers,
    before: &Rational,
    mark: &str,
) -> Vec<Vec<ExprId>> {
    let nodes = numbers.middles.iter().enumerate();
    nodes
        .map(|(j, node)| {
            let ahead = before + &(&numbers.fraction * node);
            let index = if numbers.degree() > 1 { format!("_{}", j + 1) } else { String::new() };
            stage_velocities(writer, &ahead, &format!("{mark}{index}"))
        })
        .collect()
}

/// L_v(W) = p + γh Σ b_i (1 − c_i)(L_q + F)_i, whose terms at the end of the step vanish.
fn explicit_velocity(
    writer: &mut Writer<'_>,
    part: &Part<'_>,
    start: &Start,
) -> Result<Vec<ExprId>, DiscretiseError> {
    let v = writer.symbols.velocity.clone();
    let point = Point { q: start.q.clone(), v, t: start.t };
    let driving = writer.driving(&point)?;
    let at_the_start = part.numbers.nodes.iter().zip(&part.numbers.weights);
    let weight = at_the_start
        .filter(|(node, _)| node.is_zero())
        .fold(Rational::ZERO, |sum, (_, weight)| &sum + weight);
    let factor = writer.pool.scale(&weight, part.step);
    let momenta = writer.kicked(&start.p, factor, &driving, &Vec::new(), &[]);
    let (w, _) = writer.velocities(&point, &momenta, &Vec::new(), &[])?;
    Ok(writer.define(&format!("'{}", part.mark), w))
}

/// q + γh Σ_j a_j W_j.
pub(super) fn place(
    writer: &mut Writer<'_>,
    part: &Part<'_>,
    q: &[ExprId],
    row: &[Rational],
) -> Vec<ExprId> {
    writer.combined(q, row, part.step, &part.velocities)
}

/// The time at a node.
pub(super) fn time(writer: &mut Writer<'_>, part: &Part<'_>, t: ExprId, node: &Rational) -> ExprId {
    let ahead = writer.pool.scale(node, part.step);
    writer.pool.add(t, ahead)
}

pub(crate) fn galerkin(
    writer: &mut Writer<'_>,
    part: &Part<'_>,
    start: &Start,
) -> Result<Varied, DiscretiseError> {
    let numbers = part.numbers;
    let (mut drivings, mut momenta, mut work) = (Vec::new(), Vec::new(), Vec::new());
    let zeros = vec![ExprId::ZERO; start.q.len()];
    for (i, node) in numbers.nodes.iter().enumerate() {
        let q = if node.is_zero() {
            start.q.clone()
        } else {
            let moved = place(writer, part, &start.q, &numbers.places[i]);
            writer.define(&format!("_Q{}{}", part.mark, i + 1), moved)
        };
        let v = match numbers.speeds[i].as_slice() {
            [only] if only.is_one() => part.velocities[0].clone(),
            row => {
                let v = writer.combined(&zeros, row, ExprId::ONE, &part.velocities);
                writer.define(&format!("_V{}{}", part.mark, i + 1), v)
            }
        };
        let point = Point { q, v, t: time(writer, part, start.t, node) };
        let driving = writer.driving(&point)?;
        drivings.push(writer.define(&format!("_G{}{}", part.mark, i + 1), driving));
        momenta.push(writer.at(&point, &writer.dynamics.momenta)?);
        let factor = writer.pool.scale(&numbers.weights[i], part.step);
        work.push(writer.work(&point, factor, &[])?);
    }
    let weighted = |row: &[Rational]| -> Vec<Rational> {
        row.iter().zip(&numbers.weights).map(|(x, weight)| x * weight).collect()
    };
    let mut residual = Vec::with_capacity(numbers.degree());
    for k in 0..numbers.degree() {
        let base = if k == 0 { &start.p } else { &zeros };
        let pushed = writer.combined(base, &weighted(&numbers.values[k]), part.step, &drivings);
        let slopes = weighted(&numbers.slopes[k]);
        residual.push(writer.combined(&pushed, &slopes, ExprId::ONE, &momenta));
    }
    let push = writer.combined(&zeros, &numbers.weights, part.step, &drivings);
    Ok(Varied { residual, push, work })
}

/// Adds impulses and constraints to a piece, and goes to its end.
pub(super) fn constrain(
    writer: &mut Writer<'_>,
    part: &Part<'_>,
    start: Start,
    varied: Varied,
    form: ConstraintForm,
    explicit: bool,
    total: &mut Total,
) -> Result<Start, DiscretiseError> {
    let numbers = part.numbers;
    let mut controls = vec![start.q.clone()];
    for (k, row) in numbers.end_places.iter().enumerate().skip(1) {
        if k < numbers.degree() && writer.rows.is_empty() {
            continue;
        }
        let moved = place(writer, part, &start.q, row);
        controls.push(writer.define(&format!("_q{}{}", part.mark, k), moved));
    }
    let mut push = varied.push;
    total.work.extend(varied.work);
    if writer.rows.is_empty() {
        if !explicit {
            writer.residual.extend(varied.residual.into_iter().flatten());
        }
    } else {
        let conditions = conditions(writer, part, &start, &controls)?;
        for (k, residual) in varied.residual.into_iter().enumerate() {
            let t = time(writer, part, start.t, &numbers.ends[k]);
            let v = part.velocities[0].clone();
            let point = Point { q: controls[k].clone(), v, t };
            let impulse = Impulse { point, name: format!("{}_{k}", part.mark) };
            let (reaction, work) = impulse.act(writer, part, k, &residual, &conditions[k], form)?;
            push = push.iter().zip(&reaction).map(|(&x, &y)| writer.pool.add(x, y)).collect();
            total.work.push(work);
        }
    }
    let add = |writer: &mut Writer<'_>, x: &[ExprId], y: &[ExprId]| -> Vec<ExprId> {
        x.iter().zip(y).map(|(&x, &y)| writer.pool.add(x, y)).collect()
    };
    let zeros = vec![ExprId::ZERO; push.len()];
    let last = numbers.end_places.last().map_or(&[][..], |row| row);
    let way = writer.combined(&zeros, last, part.step, &part.velocities);
    total.way = add(writer, &total.way, &way);
    total.push = add(writer, &total.push, &push);
    let p = add(writer, &start.p, &push);
    let p = writer.define(&format!("_p{}", part.mark), p);
    let t = time(writer, part, start.t, &Rational::ONE);
    let q = controls.pop().or_internal("a step ends at a position")?;
    Ok(Start { q, p, t })
}

/// What the impulses at d₀ … d_{s−1} have to bring about.
fn conditions(
    writer: &mut Writer<'_>,
    part: &Part<'_>,
    start: &Start,
    controls: &[Vec<ExprId>],
) -> Result<Vec<Vec<ExprId>>, DiscretiseError> {
    let numbers = part.numbers;
    let rows = writer.rows;
    let all_positions = rows.all_holonomic();
    let mut conditions = Vec::with_capacity(numbers.degree());
    for k in 0..numbers.degree() {
        let t = time(writer, part, start.t, &numbers.ends[k + 1]);
        let v = part.velocities[k].clone();
        let point = Point { q: controls[k + 1].clone(), v: v.clone(), t };
        let phi = writer.at(&point, &rows.expressions)?;
        let rates = if all_positions {
            phi.clone()
        } else {
            let moved = place(writer, part, &start.q, &numbers.middle_places[k]);
            let q = writer.define(&format!("_m{}{}", part.mark, k + 1), moved);
            let t = time(writer, part, start.t, &numbers.middles[k]);
            writer.rates(&Point { q, v, t })?
        };
        let both = rows.written.iter().zip(phi.into_iter().zip(rates));
        let chosen = both.map(|(kind, (phi, rate))| match kind {
            Kind::Position => phi,
            _ => rate,
        });
        conditions.push(chosen.collect());
    }
    Ok(conditions)
}

/// An impulse at a node.
struct Impulse {
    point: Point,
    name: String,
}

impl Impulse {
    /// Writes R_k and its conditions; gives AᵀΛ and the work of moving constraints.
    fn act(
        &self,
        writer: &mut Writer<'_>,
        part: &Part<'_>,
        k: usize,
        residual: &[ExprId],
        conditions: &[ExprId],
        form: ConstraintForm,
    ) -> Result<(Vec<ExprId>, ExprId), DiscretiseError> {
        let a = writer.constraints(&self.point)?;
        let n = residual.len();
        let multipliers = match form {
            ConstraintForm::Multipliers => {
                let factor = writer.pool.scale(&part.numbers.end_weights[k], part.step);
                let multipliers = stage_impulses(writer, factor, &self.name);
                let reaction = reactions(&mut writer.pool, n, &a, &multipliers);
                let sums = residual.iter().zip(&reaction);
                let sums: Vec<ExprId> = sums.map(|(&x, &y)| writer.pool.add(x, y)).collect();
                writer.residual.extend(sums);
                writer.residual.extend(conditions);
                multipliers
            }
            ConstraintForm::NullSpace => {
                // M w = R + AᵀΛ with A w + c = 0: w vanishes if the conditions c do, and R with its impulses. In the
                // metric of M neither units of coordinates nor those of constraints matter.
                let mass = writer.rows_at(&self.point, &writer.dynamics.mass)?;
                let kinds = &writer.rows.written;
                let curvature: Vec<ExprId> = kinds
                    .iter()
                    .zip(conditions)
                    .map(|(kind, &condition)| match kind {
                        Kind::Position => writer.pool.div(condition, part.step),
                        _ => condition,
                    })
                    .collect();
                let saddle = Saddle {
                    mass: &mass,
                    constraints: &a,
                    reactions: &a,
                    impressed: residual,
                    curvature: &curvature,
                };
                let (velocities, multipliers) = saddle.solve(&mut writer.pool);
                writer.residual.extend(velocities);
                writer.define_impulses(&self.name, multipliers)
            }
        };
        let reaction = reactions(&mut writer.pool, n, &a, &multipliers);
        let work = writer.work(&self.point, ExprId::ZERO, &multipliers)?;
        Ok((reaction, work))
    }
}

/// The end of the step: its velocity, and the impulse that belongs to its end.
pub(super) fn finish(
    writer: &mut Writer<'_>,
    end: Start,
    unknown: Option<Vec<ExprId>>,
    mut total: Total,
) -> Result<(), DiscretiseError> {
    let v = unknown.clone().unwrap_or_else(|| writer.symbols.velocity.clone());
    let there = Point { q: end.q, v, t: end.t };
    let a = writer.constraints(&there)?;
    let n = there.q.len();
    let (v, last) = match unknown {
        None => {
            let b = writer.at(&there, &writer.rows.offset)?;
            let (v, last) = writer.velocities(&there, &end.p, &a, &b)?;
            (writer.define("'⁺", v), writer.define_impulses("⁺", last))
        }
        Some(v) => {
            let last = stage_impulses(writer, ExprId::ZERO, "⁺");
            let reaction = reactions(&mut writer.pool, n, &a, &last);
            let found = writer.at(&there, &writer.dynamics.momenta)?;
            for ((found, &p), r) in found.into_iter().zip(&end.p).zip(reaction) {
                let wanted = writer.pool.add(p, r);
                let difference = writer.pool.sub(found, wanted);
                writer.residual.push(difference);
            }
            let rates = writer.rates(&there)?;
            writer.residual.extend(rates);
            (v, last)
        }
    };
    let reaction = reactions(&mut writer.pool, n, &a, &last);
    let work = writer.work(&there, ExprId::ZERO, &last)?;
    total.work.push(work);
    let add = |writer: &mut Writer<'_>, x: &[ExprId]| -> Vec<ExprId> {
        x.iter().zip(&reaction).map(|(&x, &y)| writer.pool.add(x, y)).collect()
    };
    writer.after.momentum = add(writer, &end.p);
    let momentum = add(writer, &total.push);
    writer.after.increments = Some(Increments { position: total.way, momentum });
    writer.after.work = writer.pool.sum(&total.work);
    writer.after.position = there.q;
    writer.after.velocity = v;
    Ok(())
}
