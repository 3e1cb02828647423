//! The stages of a Runge–Kutta method as equations.

use isotrope_algebra::{Budget, ExprId, OrInternal, Precision, Rational};

use super::DiscretiseError;
use super::mechanics::{Point, Writer};
use isotrope_methods::table::{Coefficients, Table, TableProblem};

/// The coefficients of a table as numbers: exact where the table has them as rationals, otherwise
/// the nearest doubles, or longer numbers.
pub(super) struct Numbers(Coefficients<Rational>);

/// How irrational coefficients are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Digits {
    /// As doubles.
    Double,
    /// To this many bits.
    Bits(u32),
}

impl Numbers {
    pub(super) fn new(
        table: &Table,
        digits: Digits,
        budget: &mut Budget,
    ) -> Result<Self, TableProblem> {
        if let Digits::Bits(bits) = digits {
            let numbers =
                table.enclosures(Precision::new(bits), budget)?.try_map(|entry, ball| {
                    let exact = table.element(entry).and_then(|element| element.as_rational());
                    let number = exact.cloned().or_else(|| Some(ball.midpoint().bounds()?.0));
                    number.ok_or(TableProblem::Undecided(entry))
                })?;
            return Ok(Self(numbers));
        }
        let rounded = table.to_f64(budget)?;
        let numbers = rounded.try_map(|entry, &value| {
            let exact = table.element(entry).and_then(|element| element.as_rational());
            let number = exact.cloned().or_else(|| Rational::from_f64(value));
            number.ok_or(TableProblem::Undecided(entry))
        })?;
        Ok(Self(numbers))
    }

    /// The number of stages.
    pub(super) fn count(&self) -> usize {
        self.0.b.len()
    }

    /// c_i = Σ a_ij.
    pub(super) fn node(&self, stage: usize) -> Rational {
        self.0.a.get(stage).map_or(Rational::ZERO, |row| sum(row))
    }

    /// a_ij for a stage.
    pub(super) fn row(&self, stage: usize) -> &[Rational] {
        self.0.a.get(stage).map_or(&[], |row| row)
    }

    /// All coefficients.
    pub(super) fn coefficients(&self) -> &Coefficients<Rational> {
        &self.0
    }

    /// Do positions and velocities have different tables?
    pub(super) fn is_partitioned(&self) -> bool {
        self.0.a != self.0.abar || self.0.b != self.0.bbar
    }

    /// b_j.
    pub(super) fn weights(&self) -> &[Rational] {
        &self.0.b
    }

    /// Which stage velocities need themselves.
    fn cyclic(&self) -> Vec<bool> {
        let size = self.count();
        let mut reaches = vec![vec![false; size]; size];
        for (row, needed) in self.0.abar.iter().zip(&mut reaches) {
            for j in (0..size).filter(|&j| !row[j].is_zero()) {
                needed[j] = true;
                for k in (0..size).filter(|&k| !self.0.a[j][k].is_zero()) {
                    needed[k] = true;
                }
            }
        }
        for k in 0..size {
            let through = reaches[k].clone();
            for row in reaches.iter_mut().filter(|row| row[k]) {
                for (entry, &further) in row.iter_mut().zip(&through) {
                    *entry |= further;
                }
            }
        }
        (0..size).map(|i| reaches[i][i]).collect()
    }
}

/// What is integrated: v' = f and p' = g, and the power, as functions of q, v, t.
pub(super) struct Field {
    pub acceleration: Vec<ExprId>,
    pub momentum_rate: Vec<ExprId>,
    /// The multipliers, whose power counts where constraints move.
    pub multipliers: Vec<ExprId>,
}

impl Field {
    /// The field of the system with eliminated multipliers.
    pub(super) fn eliminated(writer: &Writer<'_>) -> Self {
        let eliminated = writer.eliminated;
        Self {
            acceleration: eliminated.acceleration.clone(),
            momentum_rate: eliminated.momentum_rate.clone(),
            multipliers: eliminated.multipliers.clone(),
        }
    }
}

/// The stages of a step: unknown velocities where a stage is implicit.
pub(super) struct Stages {
    numbers: Numbers,
    /// V_i, where it is unknown.
    unknown: Vec<Option<Vec<ExprId>>>,
}

/// What the stages lead to.
pub(super) struct Ended {
    /// q + h Σ b_i V_i, v + h Σ b̄_i F_i, t + h.
    pub point: Point,
    /// The places of the stages.
    pub places: Vec<Point>,
    /// h b̃_i.
    pub weights: Vec<ExprId>,
}

impl Stages {
    /// Declares the unknown velocities; impulses come after them.
    pub(super) fn declare(writer: &mut Writer<'_>, table: &Table) -> Result<Self, DiscretiseError> {
        let numbers = Numbers::new(table, writer.digits, writer.budget)?;
        let mut unknown = Vec::with_capacity(numbers.count());
        for (i, cyclic) in numbers.cyclic().into_iter().enumerate() {
            let node = sum(&numbers.0.abar[i]);
            unknown.push(cyclic.then(|| writer.unknown_stage(&node, i)));
        }
        Ok(Self { numbers, unknown })
    }

    /// Writes the stages from a place on.
    pub(super) fn write(
        &self,
        writer: &mut Writer<'_>,
        field: &Field,
        start: &Point,
    ) -> Result<Ended, DiscretiseError> {
        let size = self.numbers.count();
        let numbers = &self.numbers.0;
        let mut velocity: Vec<Option<Vec<ExprId>>> = self.unknown.clone();
        let mut places: Vec<Option<Point>> = vec![None; size];
        let mut rates: Vec<Vec<ExprId>> = vec![Vec::new(); size];
        // All that does not wait for something, until nothing is left: cycles have unknowns.
        let known = |row: &[Rational], there: &dyn Fn(usize) -> bool| {
            row.iter().enumerate().all(|(j, number)| number.is_zero() || there(j))
        };
        loop {
            let before = (places.iter().flatten().count(), velocity.iter().flatten().count());
            for i in 0..size {
                if velocity[i].is_none() && known(&numbers.abar[i], &|j| places[j].is_some()) {
                    let moved = writer.combined(&start.v, &numbers.abar[i], writer.h, &rates);
                    velocity[i] = Some(writer.define(&format!("'{}", mark(i)), moved));
                }
                let there = known(&numbers.a[i], &|j| velocity[j].is_some());
                if let (None, Some(v), true) = (&places[i], &velocity[i], there) {
                    let v = v.clone();
                    let slopes: Vec<Vec<ExprId>> =
                        velocity.iter().map(|v| v.clone().unwrap_or_default()).collect();
                    let moved = writer.combined(&start.q, &numbers.a[i], writer.h, &slopes);
                    let q = writer.define(&mark(i), moved);
                    let node = writer.pool.scale(&sum(&numbers.a[i]), writer.h);
                    let t = writer.pool.add(start.t, node);
                    let place = Point { q, v, t };
                    let rate = writer.at(&place, &field.acceleration)?;
                    rates[i] = writer.define(&format!("''{}", mark(i)), rate);
                    places[i] = Some(place);
                }
            }
            if before == (places.iter().flatten().count(), velocity.iter().flatten().count()) {
                break;
            }
        }
        for i in 0..size {
            let Some(unknown) = &self.unknown[i] else { continue };
            let wanted = writer.combined(&start.v, &numbers.abar[i], writer.h, &rates);
            for (&symbol, wanted) in unknown.iter().zip(wanted) {
                let difference = writer.pool.sub(symbol, wanted);
                writer.residual.push(difference);
            }
        }
        let known = |v: Option<Vec<ExprId>>| v.or_internal("every stage has its velocity");
        let slopes = velocity.into_iter().map(known).collect::<Result<Vec<_>, _>>()?;
        let q = writer.combined(&start.q, &numbers.b, writer.h, &slopes);
        let v = writer.combined(&start.v, &numbers.bbar, writer.h, &rates);
        let q = writer.define("_end", q);
        let v = writer.define("'_end", v);
        let t = writer.later();
        // Explicit stages are evaluated once, implicit ones in every round.
        let implicit = self.unknown.iter().flatten().count();
        writer.evaluations = count(if implicit > 0 { implicit } else { size });
        let weights = numbers.btil.iter().map(|b| writer.pool.scale(b, writer.h)).collect();
        let places = places.into_iter().flatten().collect();
        Ok(Ended { point: Point { q, v, t }, places, weights })
    }
}

impl Ended {
    /// p + h Σ b̃_i G_i.
    pub(super) fn momenta(
        &self,
        writer: &mut Writer<'_>,
        field: &Field,
        momenta: &[ExprId],
    ) -> Result<Vec<ExprId>, DiscretiseError> {
        let mut sums = momenta.to_vec();
        for (place, &weight) in self.places.iter().zip(&self.weights) {
            if !weight.is_zero() {
                let rate = writer.at(place, &field.momentum_rate)?;
                sums = writer.drifted(&sums, weight, &rate);
            }
        }
        Ok(sums)
    }

    /// The work of forces and moving constraints, h Σ b̃_i P_i.
    pub(super) fn work(
        &self,
        writer: &mut Writer<'_>,
        field: &Field,
    ) -> Result<ExprId, DiscretiseError> {
        let moving = writer.rows.offset.iter().any(|b| !b.is_zero());
        let mut terms = Vec::new();
        for (place, &weight) in self.places.iter().zip(&self.weights) {
            if weight.is_zero() {
                continue;
            }
            let mut impulses = Vec::new();
            if moving {
                let multipliers = writer.at(place, &field.multipliers)?;
                impulses.extend(multipliers.iter().map(|&x| writer.pool.mul(weight, x)));
            }
            terms.push(writer.work(place, weight, &impulses)?);
        }
        Ok(writer.pool.sum(&terms))
    }
}

impl Writer<'_> {
    /// Unknown velocities of a stage, with v + h c v' as a guess.
    pub(super) fn unknown_stage(&mut self, node: &Rational, stage: usize) -> Vec<ExprId> {
        let far = self.pool.scale(node, self.h);
        let (v, f) = (&self.symbols.velocity, &self.eliminated.acceleration);
        let guesses = self.drifted(v, far, f);
        let symbols = self.unknown_velocities(&mark(stage));
        let first = self.unknowns.len() - symbols.len();
        for (unknown, guess) in self.unknowns[first..].iter_mut().zip(guesses) {
            unknown.guess = guess;
        }
        symbols
    }

    /// base + step Σ c_j x_j, component by component.
    pub(super) fn combined(
        &mut self,
        base: &[ExprId],
        row: &[Rational],
        step: ExprId,
        vectors: &[Vec<ExprId>],
    ) -> Vec<ExprId> {
        let mut sums = base.to_vec();
        for (number, vector) in row.iter().zip(vectors).filter(|(number, _)| !number.is_zero()) {
            let factor = self.pool.scale(number, step);
            sums = self.drifted(&sums, factor, vector);
        }
        sums
    }
}

/// Σ x_j.
pub(super) fn sum(row: &[Rational]) -> Rational {
    row.iter().fold(Rational::ZERO, |sum, x| &sum + x)
}

/// A number of evaluations.
pub(super) fn count(stages: usize) -> u32 {
    u32::try_from(stages).unwrap_or(u32::MAX)
}

/// How the symbols of a stage are marked.
fn mark(stage: usize) -> String {
    format!("_{}", stage + 1)
}
