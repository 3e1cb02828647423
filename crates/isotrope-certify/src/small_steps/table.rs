//! Steps of Runge–Kutta methods on the field with eliminated multipliers: a fixed-point iteration
//! in balls, which gains a factor of h in every round.

use isotrope_algebra::{Ball, Budget, Stop};

use super::mechanics::{Mechanics, Place};
use super::stepper::{Measured, State};
use super::vectors::{Vector, difference, is_below, midpoints, moved, zero};
use super::{DOING, SmallStepError, precision};
use isotrope_methods::Composed;
use isotrope_methods::table::{BallTable, Table};

/// Rounds of the iteration.
const ROUNDS: usize = 100;
/// Bits that may be lost.
const LOST: i64 = 110;

/// A table, and the factors of its steps.
pub(super) struct TableSteps {
    table: BallTable,
    nodes: Vector,
    factors: Vector,
}

impl TableSteps {
    pub(super) fn new(table: &Table, budget: &mut Budget) -> Result<Self, SmallStepError> {
        let mut table = table.enclosures(precision(), budget)?;
        for row in table.a.iter_mut().chain(&mut table.abar) {
            *row = midpoints(row);
        }
        for weights in [&mut table.b, &mut table.bbar, &mut table.btil] {
            *weights = midpoints(weights);
        }
        let nodes = table
            .a
            .iter()
            .map(|row| row.iter().fold(zero(), |sum, entry| sum.add(entry)).midpoint())
            .collect();
        Ok(Self { table, nodes, factors: vec![Ball::one(precision())] })
    }

    pub(super) fn composed(
        composed: &Composed,
        budget: &mut Budget,
    ) -> Result<Self, SmallStepError> {
        let factors = composed.composition.coefficients(precision())?;
        Ok(Self { factors: midpoints(&factors), ..Self::new(&composed.base, budget)? })
    }

    pub(super) fn step(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<(State, Measured), SmallStepError> {
        let mut state = state.clone();
        for factor in &self.factors {
            state = self.single(mechanics, &state, &h.mul(factor)?.midpoint())?;
        }
        let measured =
            Measured { place: state.place.clone(), p: state.p.clone(), work: state.work.clone() };
        Ok((state, measured))
    }

    fn single(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<State, SmallStepError> {
        if mechanics.state.is_some() {
            return self.in_state_space(mechanics, state, h);
        }
        let State { place, p, .. } = state;
        let close = LOST - i64::from(precision().bits());
        let first = midpoints(&mechanics.acceleration(place)?);
        let mut forces = vec![first; self.nodes.len()];
        let mut stages = Vec::new();
        let mut settled = false;
        for _ in 0..ROUNDS {
            Stop::check(DOING)?;
            let velocities = self
                .table
                .abar
                .iter()
                .map(|row| summed(&place.v, h, row, &forces))
                .collect::<Result<Vec<Vector>, SmallStepError>>()?;
            stages = self
                .table
                .a
                .iter()
                .zip(&self.nodes)
                .zip(&velocities)
                .map(|((row, node), v)| {
                    let t = place.t.add(&h.mul(node)?).midpoint();
                    Ok(Place { t, q: summed(&place.q, h, row, &velocities)?, v: v.clone() })
                })
                .collect::<Result<Vec<Place>, SmallStepError>>()?;
            settled = true;
            for (stage, force) in stages.iter().zip(&mut forces) {
                let next = midpoints(&mechanics.acceleration(stage)?);
                settled &= is_below(&difference(&next, force), close);
                *force = next;
            }
            if settled {
                break;
            }
        }
        if !settled {
            return Err(SmallStepError::Newton);
        }
        let velocities: Vec<Vector> = stages.iter().map(|stage| stage.v.clone()).collect();
        let mut p = p.clone();
        let mut work = state.work.clone();
        for (stage, weight) in stages.iter().zip(&self.table.btil) {
            if weight.is_zero() {
                continue;
            }
            let (rates, power) = mechanics.rates(stage)?;
            let factor = h.mul(weight)?.midpoint();
            p = midpoints(&moved(&p, &factor, &rates)?);
            work = work.add(&factor.mul(&power)?).midpoint();
        }
        let place = Place {
            t: place.t.add(h).midpoint(),
            q: summed(&place.q, h, &self.table.b, &velocities)?,
            v: summed(&place.v, h, &self.table.bbar, &forces)?,
        };
        Ok(State { place, p, memory: Vec::new(), work })
    }
}

impl TableSteps {
    /// K_i = f(x + h Σ a_ij K_j), as the compiled steps have it: velocities are not variables of their own.
    fn in_state_space(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<State, SmallStepError> {
        let place = &state.place;
        let close = LOST - i64::from(precision().bits());
        let first = midpoints(&mechanics.position_rates(place)?);
        let mut slopes = vec![first; self.nodes.len()];
        let mut stages = Vec::new();
        let mut settled = false;
        for _ in 0..ROUNDS {
            Stop::check(DOING)?;
            stages = (self.table.a.iter().zip(&self.nodes))
                .map(|(row, node)| {
                    let t = place.t.add(&h.mul(node)?).midpoint();
                    Ok(Place { t, q: summed(&place.q, h, row, &slopes)?, v: place.v.clone() })
                })
                .collect::<Result<Vec<Place>, SmallStepError>>()?;
            settled = true;
            for (stage, slope) in stages.iter().zip(&mut slopes) {
                let next = midpoints(&mechanics.position_rates(stage)?);
                settled &= is_below(&difference(&next, slope), close);
                *slope = next;
            }
            if settled {
                break;
            }
        }
        if !settled {
            return Err(SmallStepError::Newton);
        }
        let mut work = state.work.clone();
        for (stage, weight) in stages.iter().zip(&self.table.b) {
            let (_, power) = mechanics.rates(stage)?;
            work = work.add(&h.mul(weight)?.mul(&power)?).midpoint();
        }
        let q = summed(&place.q, h, &self.table.b, &slopes)?;
        let end = Place { t: place.t.add(h).midpoint(), q, v: place.v.clone() };
        let place = mechanics.projected(&end)?;
        Ok(State { place, p: state.p.clone(), memory: Vec::new(), work })
    }
}

/// start + h Σ weight · value.
fn summed(
    start: &[Ball],
    h: &Ball,
    weights: &[Ball],
    values: &[Vector],
) -> Result<Vector, SmallStepError> {
    let mut sum = start.to_vec();
    for (weight, value) in weights.iter().zip(values) {
        if !weight.is_zero() {
            sum = moved(&sum, &h.mul(weight)?, value)?;
        }
    }
    Ok(midpoints(&sum))
}
