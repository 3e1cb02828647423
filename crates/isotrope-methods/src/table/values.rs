//! The coefficients as real numbers: enclosures of any precision, correctly rounded doubles.

use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::univariate::IntegerPolynomial;
use isotrope_algebra::{Ball, Budget, EvaluationError, Precision};

use super::image::Image;
use super::{Coefficients, Entry, StageProduct, Table, TableProblem};

/// Every coefficient enclosed.
pub type BallTable = Coefficients<Ball>;

/// Every coefficient correctly rounded (ties to even).
pub type FloatTable = Coefficients<f64>;

/// Above this precision an entry is suspected to be zero, or a midpoint of doubles, and computed
/// exactly.
const SUSPICION: u32 = 1 << 10;

/// Real numbers of one precision.
struct Reals<'t> {
    field: &'t NumberField,
    precision: Precision,
}

impl Image for Reals<'_> {
    type Value = Ball;

    fn element(&self, element: &FieldElement) -> Result<Ball, TableProblem> {
        Ok(self.field.enclosure(element, self.precision)?)
    }

    fn add(&self, x: &Ball, y: &Ball) -> Ball {
        x.add(y)
    }

    fn mul(&self, x: &Ball, y: &Ball) -> Result<Ball, TableProblem> {
        Ok(x.mul(y)?)
    }

    fn div(&self, x: &Ball, y: &Ball) -> Result<Ball, TableProblem> {
        Ok(x.div(y)?)
    }
}

/// A real number to be rounded: as accurate as asked for.
enum Rounded<T> {
    Done(T),
    Open,
}

impl Table {
    /// The nodes of a collocation table, ascending; empty for a pointwise table, whose nodes are
    /// the row sums of `a`.
    pub fn nodes(&self, budget: &mut Budget) -> Result<Vec<AlgebraicNumber>, TableProblem> {
        match &self.product {
            StageProduct::Pointwise => Ok(Vec::new()),
            StageProduct::Modulo(nodes) => {
                let polynomial = IntegerPolynomial::from_rationals(nodes);
                let roots = AlgebraicNumber::roots(&polynomial, budget)?;
                if roots.len() != self.stages {
                    return Err(TableProblem::Shape { part: "nodes", stages: self.stages });
                }
                Ok(roots)
            }
        }
    }

    /// Every coefficient, each with at least the relative accuracy of the precision.
    pub fn enclosures(
        &self,
        precision: Precision,
        budget: &mut Budget,
    ) -> Result<BallTable, TableProblem> {
        let goal = i64::from(precision.bits());
        self.until_decided(precision, budget, |ball| {
            if ball.is_exact() || ball.accuracy() >= goal {
                return Rounded::Done(ball.with_precision(precision));
            }
            Rounded::Open
        })
    }

    /// One coefficient with at least the relative accuracy of the precision.
    pub fn coefficient(
        &self,
        entry: Entry,
        precision: Precision,
        budget: &mut Budget,
    ) -> Result<Ball, TableProblem> {
        if let Some(element) = self.element(entry) {
            return Ok(self.field.enclosure(element, precision)?);
        }
        let table = self.enclosures(precision, budget)?;
        table.get(entry).cloned().ok_or(TableProblem::NoEntry(entry))
    }

    /// Every coefficient correctly rounded to a double.
    pub fn to_f64(&self, budget: &mut Budget) -> Result<FloatTable, TableProblem> {
        self.until_decided(Precision::new(128), budget, |ball| {
            ball.to_f64_certain().map_or(Rounded::Open, Rounded::Done)
        })
    }

    /// Evaluates with growing precision until every entry is decided (Ziv's strategy). What
    /// stays open for too long is computed exactly: a zero never gets accurate.
    fn until_decided<T: Clone>(
        &self,
        precision: Precision,
        budget: &mut Budget,
        decide: impl Fn(&Ball) -> Rounded<T>,
    ) -> Result<Coefficients<T>, TableProblem> {
        let nodes = self.nodes(budget)?;
        let mut working = Precision::new(precision.bits().saturating_add(64));
        let mut decided: Coefficients<Option<T>> = self.coefficients().map(|_| None);
        loop {
            let work = (self.stages as u64).saturating_pow(3).max(1) * u64::from(working.bits());
            budget.spend(work, "evaluating the coefficients of a table")?;
            let reals = Reals { field: &self.field, precision: working };
            let at: Vec<Ball> = nodes.iter().map(|node| node.enclosure(working)).collect();
            let balls = self.coefficients_in(&reals, &at)?;
            let late = working.bits() > SUSPICION.max(4 * precision.bits());
            let mut open = false;
            decided = decided.try_map(|entry, known| {
                if known.is_some() {
                    return Ok(known.clone());
                }
                let ball = balls.get(entry).ok_or(TableProblem::NoEntry(entry))?;
                if let Rounded::Done(value) = decide(ball) {
                    return Ok(Some(value));
                }
                if !late && !ball.contains_zero() {
                    open = true;
                    return Ok(None);
                }
                match decide(&self.exact_number(entry, budget)?.enclosure(working)) {
                    Rounded::Done(value) => Ok(Some(value)),
                    Rounded::Open => Err(TableProblem::Undecided(entry)),
                }
            })?;
            if !open {
                return decided
                    .try_map(|entry, value| value.clone().ok_or(TableProblem::Undecided(entry)));
            }
            working = working
                .doubled()
                .ok_or(EvaluationError::Precision { function: "a coefficient" })?;
        }
    }
}
