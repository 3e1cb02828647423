//! The conditions on a symmetry at random points of a prime field.

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::evaluate::Gaussian;
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use super::Generator;
use super::ansatz::{Ansatz, Function, Unknown};
use crate::Symbols;
use crate::conserved::Parts;
use crate::first_integrals::linear::{Linear, PRIME, halves, less, plus, times};
use crate::first_integrals::space::{Plan, Space};

/// Where the values of a point stand.
struct Places {
    lagrangian: usize,
    explicit_time: usize,
    gradient: usize,
    momenta: usize,
    forces: usize,
    rows: usize,
    offsets: usize,
    occurring: usize,
    rates: usize,
}

/// The conditions for one system.
pub(super) struct Conditions {
    ansatz: Ansatz,
    plan: Plan,
    places: Places,
    /// Columns of the entries of A, row by row.
    rows: Vec<Vec<usize>>,
    space: Space,
    random: Random,
}

impl Conditions {
    /// None where nothing can be evaluated.
    pub fn new(
        pool: &mut Pool,
        parts: Parts<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let Parts { symbols, dynamics, rows, .. } = parts;
        let mut given = vec![dynamics.lagrangian];
        given.extend(&dynamics.forces);
        let space = Space::of_positions(symbols, rows);
        let ansatz = Ansatz::new(pool, &space, &given);
        let rates = directional_derivative(pool, &ansatz.occurring, &symbols.drift(), budget)?;
        let mut outputs = Vec::new();
        let mut place = |list: &[ExprId]| {
            let start = outputs.len();
            outputs.extend(list);
            start
        };
        let entries: Vec<ExprId> = rows.matrix.iter().flatten().map(|entry| entry.1).collect();
        let places = Places {
            lagrangian: place(&[dynamics.lagrangian]),
            explicit_time: place(&[dynamics.explicit_time]),
            gradient: place(&dynamics.gradient),
            momenta: place(&dynamics.momenta),
            forces: place(&dynamics.forces),
            rows: place(&entries),
            offsets: place(&rows.offset),
            occurring: place(&ansatz.occurring),
            rates: place(&rates),
        };
        let Some(plan) = space.plan(pool, &outputs, budget) else { return Ok(None) };
        let columns = |row: &Vec<(u32, ExprId)>| row.iter().map(|entry| entry.0 as usize).collect();
        Ok(Some(Self {
            ansatz,
            plan,
            places,
            rows: rows.matrix.iter().map(columns).collect(),
            space,
            random: Random::new(0x0e77),
        }))
    }

    /// The unknowns in some columns.
    pub fn unknowns(&self, columns: &[usize]) -> Vec<Unknown> {
        columns.iter().map(|&column| self.ansatz.unknowns[column]).collect()
    }

    /// The symmetry with these coefficients.
    pub fn generator(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        columns: &[usize],
        coefficients: &[ExprId],
    ) -> Generator {
        let mut time = Vec::new();
        let mut gauge = Vec::new();
        let mut field = vec![Vec::new(); symbols.dimension()];
        let q = &symbols.position;
        for (&column, &coefficient) in columns.iter().zip(coefficients) {
            let term = |pool: &mut Pool, power: u32, factors: &[ExprId]| {
                let mut all = vec![coefficient, pool.powi(symbols.time, power.into())];
                all.extend(factors);
                pool.product(&all)
            };
            match self.ansatz.unknowns[column] {
                Unknown::Time(power) => time.push(term(pool, power, &[])),
                Unknown::Field { component, factor, power } => {
                    let factor: Vec<ExprId> = factor.map(|j| q[j]).into_iter().collect();
                    field[component].push(term(pool, power, &factor));
                }
                Unknown::Gauge(function, power) => {
                    let occurring = &self.ansatz.occurring;
                    let factors = match function {
                        Function::One => vec![],
                        Function::Linear(i) => vec![q[i]],
                        Function::Quadratic(i, j) => vec![q[i], q[j]],
                        Function::Occurring(k) => vec![occurring[k]],
                        Function::Product(k, i) => vec![occurring[k], q[i]],
                    };
                    gauge.push(term(pool, power, &factors));
                }
            }
        }
        Generator {
            time: pool.sum(&time),
            field: field.into_iter().map(|terms| pool.sum(&terms)).collect(),
            gauge: pool.sum(&gauge),
        }
    }
}

impl Linear for Conditions {
    fn columns(&self) -> usize {
        self.ansatz.unknowns.len()
    }

    fn parameters(&self) -> &[ExprId] {
        &self.plan.parameters
    }

    fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// The conditions at one random point with admissible velocities.
    fn conditions(
        &mut self,
        pool: &Pool,
        columns: &[usize],
        parameters: &[u64],
    ) -> Option<Vec<Vec<u64>>> {
        let point = self.plan.point(&self.space, pool, &mut self.random, Some(parameters))?;
        let point = At { conditions: self, values: &point.outputs, fixed: &point.symbols };
        let mut rows = vec![point.row(columns, |unknown| point.change(unknown))];
        let mut entry = 0;
        for (k, row) in self.rows.iter().enumerate() {
            let crossing = point.row(columns, |unknown| point.crossing(unknown, k, entry));
            rows.push(crossing);
            entry += row.len();
        }
        Some(halves(&rows))
    }
}

/// Values at one point.
struct At<'s> {
    conditions: &'s Conditions,
    values: &'s [Gaussian],
    fixed: &'s FxHashMap<ExprId, u64>,
}

impl At<'_> {
    fn row(&self, columns: &[usize], value: impl Fn(Unknown) -> Gaussian) -> Vec<Gaussian> {
        columns.iter().map(|&column| value(self.conditions.ansatz.unknowns[column])).collect()
    }

    fn symbol(&self, symbol: ExprId) -> u64 {
        self.fixed.get(&symbol).copied().unwrap_or(0)
    }

    fn position(&self, i: usize) -> u64 {
        self.symbol(self.conditions.space.base[i])
    }

    fn velocity(&self, i: usize) -> u64 {
        self.symbol(self.conditions.space.fibre[i])
    }

    /// t^k and its rate.
    fn power(&self, k: u32) -> (u64, u64) {
        let t = self.symbol(self.conditions.space.time);
        let power = modular::pow(t, k.into(), PRIME);
        let below = if k == 0 { 0 } else { modular::pow(t, u64::from(k) - 1, PRIME) };
        (power, modular::mul(below, k.into(), PRIME))
    }

    /// What the unknown adds to τ L_t + ξ·L_q + ξ̂·L_v + L D_t τ + F·(ξ - τ v) - D_t G.
    fn change(&self, unknown: Unknown) -> Gaussian {
        let Places { lagrangian, explicit_time, gradient, momenta, forces, .. } =
            self.conditions.places;
        let n = self.conditions.space.base.len();
        match unknown {
            Unknown::Time(k) => {
                let (tau, pace) = self.power(k);
                let mut resting = self.values[explicit_time];
                let mut moving = self.values[lagrangian];
                for i in 0..n {
                    let v = self.velocity(i);
                    resting = less(resting, times(self.values[forces + i], v));
                    moving = less(moving, times(self.values[momenta + i], v));
                }
                plus(times(resting, tau), times(moving, pace))
            }
            Unknown::Field { component, factor, power } => {
                let (value, rate) = self.power(power);
                let (q, v) = match factor {
                    Some(j) => (self.position(j), self.velocity(j)),
                    None => (1, 0),
                };
                let xi = modular::mul(q, value, PRIME);
                let moved = modular::mul(q, rate, PRIME);
                let prolonged = modular::add(moved, modular::mul(v, value, PRIME), PRIME);
                let pull = plus(self.values[gradient + component], self.values[forces + component]);
                plus(times(pull, xi), times(self.values[momenta + component], prolonged))
            }
            Unknown::Gauge(function, power) => {
                let (value, rate) = self.power(power);
                let (g, slope) = self.function(function);
                less([0, 0], plus(times(slope, value), times(g, rate)))
            }
        }
    }

    /// A function of G, and its rate.
    fn function(&self, function: Function) -> (Gaussian, Gaussian) {
        let real = |value| [value, 0];
        let occurring = |k: usize| {
            let places = &self.conditions.places;
            (self.values[places.occurring + k], self.values[places.rates + k])
        };
        match function {
            Function::One => (real(1), real(0)),
            Function::Linear(i) => (real(self.position(i)), real(self.velocity(i))),
            Function::Quadratic(i, j) => {
                let product = |a, b| modular::mul(a, b, PRIME);
                let value = product(self.position(i), self.position(j));
                let (left, right) = (
                    product(self.velocity(i), self.position(j)),
                    product(self.position(i), self.velocity(j)),
                );
                (real(value), real(modular::add(left, right, PRIME)))
            }
            Function::Occurring(k) => occurring(k),
            Function::Product(k, i) => {
                let (g, slope) = occurring(k);
                let (q, v) = (self.position(i), self.velocity(i));
                (times(g, q), plus(times(slope, q), times(g, v)))
            }
        }
    }

    /// What the unknown adds to a row of A ξ + b τ; the entries of the row begin at `first`.
    fn crossing(&self, unknown: Unknown, row: usize, first: usize) -> Gaussian {
        let places = &self.conditions.places;
        match unknown {
            Unknown::Gauge(..) => [0, 0],
            Unknown::Time(k) => times(self.values[places.offsets + row], self.power(k).0),
            Unknown::Field { component, factor, power } => {
                let at = self.conditions.rows[row].iter().position(|&column| column == component);
                let Some(at) = at else { return [0, 0] };
                let q = factor.map_or(1, |j| self.position(j));
                let xi = modular::mul(q, self.power(power).0, PRIME);
                times(self.values[places.rows + first + at], xi)
            }
        }
    }
}
