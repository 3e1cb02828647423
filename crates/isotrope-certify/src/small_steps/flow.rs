//! The exact solution near its start, as polynomials in the time.
//!
//! Picard's iteration on the polynomials through equidistant nodes: each round gains a factor of
//! the length of the interval, which is tiny.

use std::sync::OnceLock;

use isotrope_algebra::{Ball, EvaluationError, OrInternal, Rational, Stop};

use super::mechanics::{Mechanics, Place};
use super::vectors::{Vector, difference, is_below, midpoints, moved, zero};
use super::{COARSE, DOING, FINE, Resolution, SmallStepError, precision, small_step};

/// Errors of the solution below 2^-`ACCURACY` are not seen.
pub(super) const ACCURACY: i64 = 330;

/// The solution from a place.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    start: Place,
    window: i64,
    /// Coefficients of the rates of positions and velocities as polynomials in t / 2^-`window`.
    rates: Vec<Vector>,
}

/// Integrals of the Lagrange polynomials on equidistant nodes.
pub(super) struct Rule {
    pub nodes: Vec<Ball>,
    /// ∫₀^x_i ℓ_j.
    pub once: Vec<Vector>,
    /// The coefficient of x^k of ℓ_j at \[j\]\[k\].
    basis: Vec<Vector>,
}

fn rule(resolution: Resolution) -> &'static Rule {
    static FINE_RULE: OnceLock<Rule> = OnceLock::new();
    static COARSE_RULE: OnceLock<Rule> = OnceLock::new();
    let fine = resolution.nodes == FINE.nodes;
    let rule = if fine { &FINE_RULE } else { &COARSE_RULE };
    rule.get_or_init(|| Rule::new(if fine { FINE.nodes } else { COARSE.nodes }))
}

fn fraction(numerator: usize, denominator: usize) -> Rational {
    let parts = i64::try_from(numerator).ok().zip(i64::try_from(denominator).ok());
    parts.and_then(|(n, d)| Rational::new(n, d)).or_noticed("a rule has some nodes, not too many")
}

impl Rule {
    pub(super) fn new(count: usize) -> Self {
        let nodes: Vec<Rational> = (0..=count).map(|k| fraction(k, count)).collect();
        let ball = |x: &Rational| Ball::from_rational(x, precision());
        let mut once = vec![Vec::new(); nodes.len()];
        let mut basis = Vec::new();
        for (j, node) in nodes.iter().enumerate() {
            let mut lagrange = vec![Rational::ONE];
            for other in nodes.iter().enumerate().filter(|(k, _)| *k != j).map(|(_, x)| x) {
                let distance = node.clone() - other.clone();
                let scale = distance.recip().or_noticed("nodes are different");
                let mut product = vec![Rational::ZERO; lagrange.len() + 1];
                for (k, coefficient) in lagrange.iter().enumerate() {
                    let part = coefficient.clone() * scale.clone();
                    product[k + 1] = product[k + 1].clone() + part.clone();
                    product[k] = product[k].clone() - part * other.clone();
                }
                lagrange = product;
            }
            for (i, x) in nodes.iter().enumerate() {
                let mut integral = Rational::ZERO;
                let mut power = x.clone();
                for (k, coefficient) in lagrange.iter().enumerate() {
                    let part = coefficient.clone() * power.clone() * fraction(1, k + 1);
                    power = power * x.clone();
                    integral = integral + part;
                }
                once[i].push(ball(&integral));
            }
            basis.push(lagrange.iter().map(ball).collect());
        }
        Self { nodes: nodes.iter().map(ball).collect(), once, basis }
    }
}

impl Flow {
    pub(super) fn new(
        mechanics: &Mechanics,
        start: &Place,
        resolution: Resolution,
    ) -> Result<Self, SmallStepError> {
        let rule = rule(resolution);
        let window = small_step(resolution.window)?;
        let mut values = vec![rates(mechanics, start)?; rule.nodes.len()];
        let rounds = usize::try_from(ACCURACY / resolution.window).unwrap_or(0) + 8;
        for _ in 0..rounds {
            let mut next = values.clone();
            let mut change = zero();
            for (i, node) in rule.nodes.iter().enumerate().skip(1) {
                Stop::check(DOING)?;
                let way = combined(&rule.once[i], &values)?;
                let place = along(start, &window.mul(node)?, &window, &way)?;
                next[i] = rates(mechanics, &place)?;
                let moved = super::vectors::size(&difference(&next[i], &values[i]));
                if change.is_less_than(&moved) {
                    change = moved;
                }
            }
            values = next;
            if is_below(&[change], -ACCURACY - 20) {
                let rates = coefficients(&rule.basis, &values)?;
                return Ok(Self { start: start.clone(), window: resolution.window, rates });
            }
        }
        Err(SmallStepError::Flow)
    }

    /// The place at a time, which must be near.
    pub(super) fn at(&self, t: &Ball) -> Result<Place, SmallStepError> {
        let time = t.sub(&self.start.t);
        let x = time.shift(self.window)?;
        let mut way = vec![zero(); self.start.q.len() + self.start.v.len()];
        for (k, coefficient) in self.rates.iter().enumerate().rev() {
            let share = Ball::from_rational(&fraction(1, k + 1), precision());
            for (entry, rate) in way.iter_mut().zip(coefficient) {
                *entry = entry.mul(&x)?.add(&share.mul(rate)?);
            }
        }
        along(&self.start, &time, &time, &way)
    }
}

/// q' and v'.
fn rates(mechanics: &Mechanics, place: &Place) -> Result<Vector, SmallStepError> {
    let mut rates = mechanics.position_rates(place)?;
    rates.extend(mechanics.acceleration(place)?);
    Ok(midpoints(&rates))
}

/// The place after a time, factor · way from the start.
fn along(start: &Place, time: &Ball, factor: &Ball, way: &[Ball]) -> Result<Place, SmallStepError> {
    let (of_q, of_v) = way.split_at(start.q.len().min(way.len()));
    Ok(Place {
        t: start.t.add(time),
        q: midpoints(&moved(&start.q, factor, of_q)?),
        v: midpoints(&moved(&start.v, factor, of_v)?),
    })
}

/// Σ weight · value.
pub(super) fn combined(weights: &[Ball], values: &[Vector]) -> Result<Vector, EvaluationError> {
    let mut sum = vec![zero(); values.first().map_or(0, Vec::len)];
    for (weight, value) in weights.iter().zip(values) {
        sum = moved(&sum, weight, value)?;
    }
    Ok(midpoints(&sum))
}

/// From values at the nodes to coefficients of the powers.
fn coefficients(basis: &[Vector], values: &[Vector]) -> Result<Vec<Vector>, EvaluationError> {
    (0..values.len())
        .map(|power| {
            let weights: Vector = basis.iter().map(|lagrange| lagrange[power].clone()).collect();
            combined(&weights, values)
        })
        .collect()
}
