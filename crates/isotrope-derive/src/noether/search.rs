//! The conditions at random points of a prime field, and what solves them.

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, Gaussian};
use isotrope_algebra::linear::{Echelon, Residues};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};
use rustc_hash::FxHashMap;

use super::Generator;
use super::ansatz::{Ansatz, Function, Unknown};
use super::parameters::{Fractions, cleared};
use crate::conserved::Parts;
use crate::{PointSymmetry, Symbols};

const PRIME: u64 = FieldPlan::PRIME;
/// Points that have to say nothing new before the conditions are taken as complete.
const REPEATED: usize = 6;
/// Coefficients of a symmetry that is reconstructed, at most.
const SUPPORT: usize = 64;
/// Random points, at most, until one is regular.
const TRIES: usize = 64;

/// A solution modulo the prime: the unknowns that occur, and their coefficients.
#[derive(Debug, Clone)]
pub(super) struct Guess {
    columns: Vec<usize>,
    unknowns: Vec<Unknown>,
    values: Vec<u64>,
}

impl Guess {
    /// What is listed first: no scaling of time, fields with small numbers, no time, few terms.
    pub fn simplicity(&self) -> (bool, bool, u32, usize) {
        let powers = self.unknowns.iter().map(|unknown| match unknown {
            Unknown::Gauge(..) => 0,
            Unknown::Field { power, .. } => *power,
            Unknown::Time(power) => *power,
        });
        let time = self.unknowns.iter().any(|unknown| matches!(unknown, Unknown::Time(_)));
        let in_gauge = |unknown: &Unknown| matches!(unknown, Unknown::Gauge(..));
        let mut moving = self.unknowns.iter().zip(&self.values).filter(|pair| !in_gauge(pair.0));
        let symbols = moving.any(|(_, &value)| Fractions::number(value).is_none());
        (time, symbols, powers.max().unwrap_or(0), self.columns.len())
    }
}

impl Guess {
    /// A field on positions with rational coefficients times this power of t, if it is no more than that. Without time
    /// L itself has to be invariant, while a boost may have its G.
    pub fn as_point_symmetry(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        time: u32,
    ) -> Option<PointSymmetry> {
        let mut translation = vec![Rational::ZERO; symbols.dimension()];
        let mut linear = Vec::new();
        for (unknown, &value) in self.unknowns.iter().zip(&self.values) {
            match *unknown {
                Unknown::Gauge(..) if time > 0 => {}
                Unknown::Field { component, factor, power } if power == time => {
                    let value = Fractions::number(value)?;
                    match factor {
                        None => translation[component] = value,
                        Some(j) => linear.push((component, j, value)),
                    }
                }
                _ => return None,
            }
        }
        Some(PointSymmetry::new(pool, symbols, translation, linear))
    }
}

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
pub(super) struct Search {
    ansatz: Ansatz,
    plan: FieldPlan,
    places: Places,
    /// Columns of the entries of A, row by row.
    rows: Vec<Vec<usize>>,
    position: Vec<ExprId>,
    velocity: Vec<ExprId>,
    time: ExprId,
    parameters: Vec<ExprId>,
    random: Random,
}

impl Search {
    /// None where nothing can be evaluated.
    pub fn new(
        pool: &mut Pool,
        parts: Parts<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let Parts { symbols, dynamics, rows, .. } = parts;
        let mut given = vec![dynamics.lagrangian];
        given.extend(&dynamics.forces);
        let ansatz = Ansatz::new(pool, symbols, &given);
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
        let own = |id: &ExprId| {
            symbols.position.contains(id) || symbols.velocity.contains(id) || *id == symbols.time
        };
        let mut parameters = pool.symbols_in(&outputs);
        parameters.retain(|id| !own(id));
        let Ok(plan) = FieldPlan::new(pool, &outputs, Fidelity::Generic, budget) else {
            return Ok(None);
        };
        let columns = |row: &Vec<(u32, ExprId)>| row.iter().map(|entry| entry.0 as usize).collect();
        Ok(Some(Self {
            ansatz,
            plan,
            places,
            rows: rows.matrix.iter().map(columns).collect(),
            position: symbols.position.clone(),
            velocity: symbols.velocity.clone(),
            time: symbols.time,
            parameters,
            random: Random::new(0x0e77),
        }))
    }

    /// All symmetries in the ansatz, for random values of the parameters.
    pub fn guesses(&mut self, pool: &Pool, budget: &mut Budget) -> Result<Vec<Guess>, OutOfBudget> {
        let columns: Vec<usize> = (0..self.ansatz.unknowns.len()).collect();
        let parameters = self.random_parameters();
        let kernel = self.kernel(pool, &columns, &parameters, budget)?;
        let guess = |vector: Vec<u64>| {
            let columns: Vec<usize> = (0..vector.len()).filter(|&k| vector[k] != 0).collect();
            Guess {
                unknowns: columns.iter().map(|&k| self.ansatz.unknowns[k]).collect(),
                values: columns.iter().map(|&k| vector[k]).collect(),
                columns,
            }
        };
        Ok(kernel.into_iter().map(guess).filter(|guess| guess.columns.len() <= SUPPORT).collect())
    }

    fn random_parameters(&mut self) -> Vec<u64> {
        self.parameters.iter().map(|_| 1 + self.random.below(PRIME - 1)).collect()
    }

    /// Vectors of the unknowns in some columns that solve the conditions.
    fn kernel(
        &mut self,
        pool: &Pool,
        columns: &[usize],
        parameters: &[u64],
        budget: &mut Budget,
    ) -> Result<Vec<Vec<u64>>, OutOfBudget> {
        let field = &mut Residues(PRIME);
        let mut space = Echelon::new(columns.len());
        let (mut repeated, mut rank) = (0, 0);
        while repeated < REPEATED && rank < columns.len() {
            // An operation of a budget takes as long as a few of these.
            budget.spend((columns.len() * (rank + 8) / 16) as u64, "searching symmetries")?;
            let Some(conditions) = self.conditions(pool, columns, parameters) else {
                return Ok(Vec::new());
            };
            for row in conditions {
                let Ok(_) = space.insert(field, row);
            }
            repeated = if space.rank() > rank { 0 } else { repeated + 1 };
            rank = space.rank();
        }
        let Ok(kernel) = space.nullspace(field);
        Ok(kernel)
    }

    /// The conditions at one random point with admissible velocities.
    fn conditions(
        &mut self,
        pool: &Pool,
        columns: &[usize],
        parameters: &[u64],
    ) -> Option<Vec<Vec<u64>>> {
        (0..TRIES).find_map(|_| {
            let mut fixed: FxHashMap<ExprId, u64> =
                self.parameters.iter().copied().zip(parameters.iter().copied()).collect();
            for &symbol in self.position.iter().chain(&self.velocity).chain([&self.time]) {
                fixed.insert(symbol, self.random.below(PRIME));
            }
            // The same angles in both evaluations.
            let seed = self.random.next_u64();
            if !self.rows.is_empty() {
                let values = self.plan.evaluate(pool, &mut Random::new(seed), &fixed)?;
                self.make_admissible(&values, &mut fixed)?;
            }
            let random = &mut Random::new(seed);
            let values = self.plan.evaluate_with_roots(pool, random, &fixed)?;
            let point = Point { search: self, values: &values, fixed: &fixed };
            let mut rows = vec![point.row(columns, |unknown| point.change(unknown))];
            let mut entry = 0;
            for (k, row) in self.rows.iter().enumerate() {
                let crossing = point.row(columns, |unknown| point.crossing(unknown, k, entry));
                rows.push(crossing);
                entry += row.len();
            }
            // The unknowns are residues: real and imaginary parts vanish on their own.
            let halves = rows.iter().flat_map(|row| {
                [0, 1].map(|half| row.iter().map(|value| value[half]).collect::<Vec<u64>>())
            });
            Some(halves.filter(|row| row.iter().any(|&value| value != 0)).collect())
        })
    }

    /// Solves A v + b = 0 for some of the velocities.
    fn make_admissible(&self, values: &[u64], fixed: &mut FxHashMap<ExprId, u64>) -> Option<()> {
        let field = &mut Residues(PRIME);
        let n = self.velocity.len();
        let mut space = Echelon::new(n + 1);
        let mut entry = self.places.rows;
        for (k, columns) in self.rows.iter().enumerate() {
            let mut row = vec![0; n + 1];
            for &column in columns {
                row[column] = values[entry];
                entry += 1;
            }
            row[n] = values[self.places.offsets + k];
            let Ok(_) = space.insert(field, row);
        }
        let Ok(reduced) = space.reduced(field);
        for row in reduced {
            let pivot = row.iter().position(|&value| value != 0).filter(|&pivot| pivot < n)?;
            let mut sum = row[n];
            for column in pivot + 1..n {
                let velocity = fixed.get(&self.velocity[column]).copied()?;
                sum = modular::add(sum, modular::mul(row[column], velocity, PRIME), PRIME);
            }
            fixed.insert(self.velocity[pivot], modular::sub(0, sum, PRIME));
        }
        Some(())
    }

    /// The symmetry with its coefficients as functions of the parameters; none if they are not simple fractions.
    pub fn generator(
        &mut self,
        pool: &mut Pool,
        symbols: &Symbols,
        guess: &Guess,
        budget: &mut Budget,
    ) -> Result<Option<Generator>, OutOfBudget> {
        // One coefficient is one: that of the column without a pivot, the last one.
        let solve = |parameters: &[u64], pool: &Pool, search: &mut Self, budget: &mut Budget| {
            let kernel = search.kernel(pool, &guess.columns, parameters, budget)?;
            Ok(match kernel.as_slice() {
                [only] if only.last() == Some(&1) => Some(only.clone()),
                _ => None,
            })
        };
        let fractions = Fractions::new(self.parameters.clone());
        let table = fractions.table(
            guess.columns.len(),
            &mut self.random.clone(),
            |parameters, budget| solve(parameters, pool, self, budget),
            budget,
        )?;
        let Some(table) = table else { return Ok(None) };
        let Some(coefficients) = fractions.reconstructed(pool, &table) else { return Ok(None) };
        let coefficients = cleared(pool, &coefficients, budget);
        Ok(Some(self.written(pool, symbols, guess, &coefficients)))
    }

    fn written(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        guess: &Guess,
        coefficients: &[ExprId],
    ) -> Generator {
        let mut time = Vec::new();
        let mut gauge = Vec::new();
        let mut field = vec![Vec::new(); symbols.dimension()];
        let q = &symbols.position;
        for (unknown, &coefficient) in guess.unknowns.iter().zip(coefficients) {
            let term = |pool: &mut Pool, power: u32, factors: &[ExprId]| {
                let mut all = vec![coefficient, pool.powi(symbols.time, power.into())];
                all.extend(factors);
                pool.product(&all)
            };
            match *unknown {
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

/// Values at one point.
struct Point<'s> {
    search: &'s Search,
    values: &'s [Gaussian],
    fixed: &'s FxHashMap<ExprId, u64>,
}

impl Point<'_> {
    fn row(&self, columns: &[usize], value: impl Fn(Unknown) -> Gaussian) -> Vec<Gaussian> {
        columns.iter().map(|&column| value(self.search.ansatz.unknowns[column])).collect()
    }

    fn symbol(&self, symbol: ExprId) -> u64 {
        self.fixed.get(&symbol).copied().unwrap_or(0)
    }

    fn position(&self, i: usize) -> u64 {
        self.symbol(self.search.position[i])
    }

    fn velocity(&self, i: usize) -> u64 {
        self.symbol(self.search.velocity[i])
    }

    /// t^k and its rate.
    fn power(&self, k: u32) -> (u64, u64) {
        let t = self.symbol(self.search.time);
        let power = modular::pow(t, k.into(), PRIME);
        let below = if k == 0 { 0 } else { modular::pow(t, u64::from(k) - 1, PRIME) };
        (power, modular::mul(below, k.into(), PRIME))
    }

    /// What the unknown adds to τ L_t + ξ·L_q + ξ̂·L_v + L D_t τ + F·(ξ - τ v) - D_t G.
    fn change(&self, unknown: Unknown) -> Gaussian {
        let Places { lagrangian, explicit_time, gradient, momenta, forces, .. } =
            self.search.places;
        let n = self.search.position.len();
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
            let places = &self.search.places;
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
        let places = &self.search.places;
        match unknown {
            Unknown::Gauge(..) => [0, 0],
            Unknown::Time(k) => times(self.values[places.offsets + row], self.power(k).0),
            Unknown::Field { component, factor, power } => {
                let at = self.search.rows[row].iter().position(|&column| column == component);
                let Some(at) = at else { return [0, 0] };
                let q = factor.map_or(1, |j| self.position(j));
                let xi = modular::mul(q, self.power(power).0, PRIME);
                times(self.values[places.rows + first + at], xi)
            }
        }
    }
}

fn plus(a: Gaussian, b: Gaussian) -> Gaussian {
    [0, 1].map(|k| modular::add(a[k], b[k], PRIME))
}

fn less(a: Gaussian, b: Gaussian) -> Gaussian {
    [0, 1].map(|k| modular::sub(a[k], b[k], PRIME))
}

fn times(a: Gaussian, factor: u64) -> Gaussian {
    a.map(|part| modular::mul(part, factor, PRIME))
}
