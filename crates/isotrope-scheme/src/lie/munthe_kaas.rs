//! Runge–Kutta methods in the algebra.
//!
//! With g = g₀ exp(Θ) the motion g' = g ξ, ξ' = f(g, ξ, t) is Θ' = dexp⁻¹(ξ), left-trivialised, in a linear space,
//! where any Runge–Kutta method makes its step; the order is that of the method. H. Munthe-Kaas, BIT 38
//! (1998) and Appl. Numer. Math. 29 (1999).

use isotrope_algebra::{ExprId, Rational};
use isotrope_geometry::group::{Retraction, Series, Side};

use super::Written;
use super::writer::{Place, Writer};
use crate::DiscretiseError;
use crate::stages::Numbers;
use isotrope_methods::table::Table;

const MAP: Retraction = Retraction::Exponential(Series::Polynomial);

/// g₀ exp(Θ).
fn moved(
    writer: &mut Writer<'_>,
    start: &Place,
    mark: &str,
    theta: &[ExprId],
    node: &Rational,
) -> Place {
    let group = &writer.mechanics.group;
    let step = group.retract_unnormalised(&mut writer.pool, MAP, theta);
    let numbers = group.multiply(&mut writer.pool, &start.numbers, &step);
    let numbers = writer.define(&format!("g{mark}_"), &numbers);
    let numbers = group.normalised(&mut writer.pool, &numbers);
    let time = writer.later(node);
    writer.place(mark, &numbers, time)
}

/// Base + h Σ c_j x_j.
fn combined(
    writer: &mut Writer<'_>,
    base: &[ExprId],
    row: &[Rational],
    vectors: &[Vec<ExprId>],
) -> Vec<ExprId> {
    let mut sums = base.to_vec();
    for (number, vector) in row.iter().zip(vectors).filter(|(number, _)| !number.is_zero()) {
        let factor = writer.pool.scale(number, writer.h);
        sums = writer.drifted(&sums, factor, vector);
    }
    sums
}

/// p = L_ξ where the step ends.
fn momenta_at(
    writer: &mut Writer<'_>,
    end: &Place,
    velocity: &[ExprId],
) -> Result<Vec<ExprId>, DiscretiseError> {
    let momenta = writer.mechanics.dynamics.momenta.clone();
    Ok(writer.at(end, velocity, &momenta)?)
}

/// What the step leaves, with velocities that satisfy the constraints.
fn leave(
    writer: &mut Writer<'_>,
    end: &Place,
    (velocity, momenta): (Vec<ExprId>, Vec<ExprId>),
    theta: Vec<ExprId>,
    work: Vec<ExprId>,
) -> Written {
    let turned = writer.scaled(writer.h, &velocity);
    writer.bound(&[theta, turned]);
    let work = writer.pool.sum(&work);
    writer.leave(end, velocity, momenta, Vec::new(), work);
    Ok(())
}

/// ξ = v + h/2 f(g exp(hξ/2), ξ), g⁺ = g exp(hξ), v⁺ = 2ξ − v. Where there are constraints, impulses AᵀΛ with the
/// same Λ at both ends bring the velocity onto them: the projection is as symmetric as the step.
pub(super) fn midpoint(writer: &mut Writer<'_>) -> Written {
    let mechanics = writer.mechanics;
    let acceleration = writer.before(&mechanics.eliminated.acceleration)?;
    let velocity = writer.symbols.velocity.clone();
    let half = writer.pool.mul(ExprId::HALF, writer.h);
    let guesses = writer.drifted(&velocity, half, &acceleration);
    let xi = writer.unknown_velocities("_mid", &guesses);
    let start = writer.here();
    let nothing = vec![ExprId::ZERO; mechanics.rows.len()];
    let impulses = writer.unknown_impulses("_ends", &nothing);
    let velocity = match impulses.is_empty() {
        true => velocity,
        false => {
            let momenta = writer.symbols.momentum.clone();
            let kicked = writer.kicked(&start, &momenta, &impulses)?;
            let velocity = writer.free_velocities(&start, &kicked)?;
            writer.define("v_kicked", &velocity)
        }
    };
    // As symbols: powers of h and of ξ apart have no finite values in all units.
    let theta = writer.scaled(half, &xi);
    let theta = writer.define("x_mid", &theta);
    let middle = Rational::half();
    let place = moved(writer, &start, "_mid", &theta, &middle);
    let rate = writer.at(&place, &xi, &mechanics.eliminated.acceleration)?;
    let rate = writer.define("a_mid", &rate);
    let wanted = writer.drifted(&velocity, half, &rate);
    for (&x, w) in xi.iter().zip(wanted) {
        let difference = writer.pool.sub(x, w);
        writer.residual.push(difference);
    }
    let theta = writer.scaled(writer.h, &xi);
    let theta = writer.define("x", &theta);
    let end = moved(writer, &start, "_end", &theta, &Rational::ONE);
    let ended = writer.drifted(&velocity, writer.h, &rate);
    let mut work = vec![writer.field_work(&place, &xi, writer.h)?];
    let mut ended = writer.define("v_end", &ended);
    let mut momenta = momenta_at(writer, &end, &ended)?;
    if !impulses.is_empty() {
        for place in [&start, &end] {
            work.push(writer.reaction_work(place, &impulses)?);
        }
        momenta = writer.kicked(&end, &momenta, &impulses)?;
        ended = writer.free_velocities(&end, &momenta)?;
        let rates = writer.rates(&end, &ended)?;
        writer.residual.extend(rates);
    }
    leave(writer, &end, (ended, momenta), theta, work)
}

/// Any table.
pub(super) fn table(writer: &mut Writer<'_>, table: &Table) -> Written {
    if !table.is_one_table() {
        return Err(DiscretiseError::NotApplicable {
            reason: "the method has different tables for positions and velocities, which are one thing \
                     in the algebra: take a Runge–Kutta method with one table",
        });
    }
    let numbers = Numbers::new(table, writer.digits, writer.budget)?;
    let size = numbers.count();
    let n = writer.dimension();
    let explicit = (0..size).all(|i| numbers.row(i).iter().skip(i).all(Rational::is_zero));
    let mechanics = writer.mechanics;
    let velocity = writer.symbols.velocity.clone();
    let zeros = vec![ExprId::ZERO; n];
    // Slopes of Θ and stages of ξ, unknown together where a stage needs itself.
    let mut slopes: Vec<Vec<ExprId>> = Vec::new();
    let mut stages: Vec<Vec<ExprId>> = Vec::new();
    if !explicit {
        let acceleration = writer.before(&mechanics.eliminated.acceleration)?;
        for i in 0..size {
            let node = numbers.node(i);
            let ahead = writer.pool.scale(&node, writer.h);
            let guesses = writer.drifted(&velocity, ahead, &acceleration);
            stages.push(writer.unknown_velocities(&format!("_{}", i + 1), &guesses));
            slopes.push(writer.unknown_velocities(&format!("_slope{}", i + 1), &guesses));
        }
    }
    let start = writer.here();
    let (mut rates, mut places): (Vec<Vec<ExprId>>, Vec<Place>) = (Vec::new(), Vec::new());
    let mut thetas = Vec::new();
    for i in 0..size {
        let mark = format!("_s{}", i + 1);
        let theta = combined(writer, &zeros, numbers.row(i), &slopes);
        let theta = writer.define(&format!("x{mark}_"), &theta);
        let place = if theta_is_zero(&numbers, i) {
            start.clone()
        } else {
            let node = numbers.node(i);
            moved(writer, &start, &mark, &theta, &node)
        };
        if explicit {
            let xi = combined(writer, &velocity, numbers.row(i), &rates);
            stages.push(writer.define(&format!("xi{mark}_"), &xi));
        }
        let rate = writer.at(&place, &stages[i], &mechanics.eliminated.acceleration)?;
        rates.push(writer.define(&format!("a{mark}_"), &rate));
        let group = &mechanics.group;
        let pool = &mut writer.pool;
        let slope = group.inverse_derivative(pool, MAP, Side::Left, &theta, &stages[i]);
        if explicit {
            slopes.push(writer.define(&format!("k{mark}_"), &slope));
        } else {
            thetas.push(slope);
        }
        places.push(place);
    }
    if !explicit {
        for i in 0..size {
            let wanted = combined(writer, &velocity, numbers.row(i), &rates);
            for (&x, w) in stages[i].iter().zip(wanted) {
                let difference = writer.pool.sub(x, w);
                writer.residual.push(difference);
            }
            for (&x, &w) in slopes[i].iter().zip(&thetas[i]) {
                let difference = writer.pool.sub(x, w);
                writer.residual.push(difference);
            }
        }
    }
    writer.evaluations = u32::try_from(size).unwrap_or(u32::MAX);
    let theta = combined(writer, &zeros, numbers.weights(), &slopes);
    let theta = writer.define("x_end", &theta);
    let end = moved(writer, &start, "_end", &theta, &Rational::ONE);
    let ended = combined(writer, &velocity, numbers.weights(), &rates);
    let mut work = Vec::new();
    for (i, place) in places.iter().enumerate() {
        let factor = writer.pool.scale(&numbers.weights()[i], writer.h);
        work.push(writer.field_work(place, &stages[i], factor)?);
    }
    let mut ended = writer.define("v_end", &ended);
    let mut momenta = momenta_at(writer, &end, &ended)?;
    if !mechanics.rows.is_empty() {
        // The nearest velocity, in the metric of the masses, that satisfies the constraints.
        let (velocity, impulses) = writer.velocities(&end, &momenta)?;
        ended = writer.define("v_projected", &velocity);
        let impulses = writer.define("Λ_projected", &impulses);
        work.push(writer.reaction_work(&end, &impulses)?);
        momenta = writer.kicked(&end, &momenta, &impulses)?;
    }
    leave(writer, &end, (ended, momenta), theta, work)
}

fn theta_is_zero(numbers: &Numbers, stage: usize) -> bool {
    numbers.row(stage).iter().all(Rational::is_zero)
}
