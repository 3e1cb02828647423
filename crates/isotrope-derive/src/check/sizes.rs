//! How large coordinates, velocities and the terms of constraints are at a point: what residuals are compared with.
//!
//! A coordinate has the size |q_i|; one that is zero, or dust beside the others, that at which it has as much inertia
//! as they have, max √(M_jj/M_ii) |q_j|. Velocities alike. The size of φ is Σ |∂φ/∂q_i| size(q_i), that of A v + b is
//! Σ |A_i| size(v_i) + |b|. All of this changes with units as the residuals do.

use crate::System;
use isotrope_algebra::Ball;

use super::elimination::Row;
use super::point::Point;

/// Sizes of coordinates and velocities.
#[derive(Debug, Clone)]
pub(super) struct Sizes {
    pub position: Vec<f64>,
    pub velocity: Vec<f64>,
    /// M_ii; 0 where there is none.
    mass: Vec<f64>,
}

/// A number this much smaller than what the others suggest has no size of its own.
const DUST: f64 = 1e-8;

impl Sizes {
    pub(super) fn at(system: &System, point: &Point) -> Self {
        let dynamics = system.mechanics.dynamics().or_else(|| system.mechanics.constrained());
        let rows = dynamics.and_then(|(dynamics, _)| {
            point.rows(&system.model.pool, &dynamics.mass, || "the mass matrix".into()).ok()
        });
        let mass: Vec<f64> = rows
            .unwrap_or_default()
            .iter()
            .enumerate()
            .map(|(i, row)| row.get(&(i as u32)).map_or(0.0, |entry| entry.to_f64().abs()))
            .collect();
        let (position, velocity) = (numbers(&point.position), numbers(&point.velocity));
        Self { position: shared(&position, &mass), velocity: shared(&velocity, &mass), mass }
    }

    /// The size of a momentum.
    pub(super) fn momentum(&self, i: usize) -> f64 {
        let velocity = self.velocity.get(i).copied().unwrap_or(0.0);
        self.mass.get(i).map_or(0.0, |mass| mass * velocity)
    }

    /// Σ |∂φ/∂q_i| size(q_i).
    pub(super) fn of_position(&self, row: &Row) -> f64 {
        weighted(row, &self.position)
    }

    /// Σ |A_i| size(v_i) + |b|, from the row and A v + b.
    pub(super) fn of_velocity(&self, row: &Row, level: &Ball, point: &Point) -> f64 {
        let moved = row.iter().fold(0.0, |sum, (&i, entry)| {
            let v = point.velocity.get(i as usize).map_or(0.0, Ball::to_f64);
            entry.to_f64().mul_add(v, sum)
        });
        weighted(row, &self.velocity) + (level.to_f64() - moved).abs()
    }
}

fn numbers(balls: &[Ball]) -> Vec<f64> {
    balls.iter().map(|ball| ball.to_f64().abs()).collect()
}

fn weighted(row: &Row, sizes: &[f64]) -> f64 {
    let size = |i: u32| sizes.get(i as usize).copied().unwrap_or(0.0);
    row.iter().map(|(&i, entry)| entry.to_f64().abs() * size(i)).sum()
}

/// Sizes of numbers, with that of the others where there is dust.
fn shared(own: &[f64], mass: &[f64]) -> Vec<f64> {
    if own.len() != mass.len() {
        return own.to_vec();
    }
    let largest = own.iter().zip(mass).map(|(x, m)| x * m.sqrt()).fold(0.0, f64::max);
    let size = |(&x, &m): (&f64, &f64)| {
        let others = largest / m.sqrt();
        if others.is_finite() && x < DUST * others { others } else { x }
    };
    own.iter().zip(mass).map(size).collect()
}
