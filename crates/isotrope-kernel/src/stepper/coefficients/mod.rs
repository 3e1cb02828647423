//! The coefficients of a table for a given step, ready for a tape: products with powers of h are
//! rounded once, from the exact numbers.

mod presence;

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Ball, Budget, EvaluationError, OutOfBudget, Precision, Rational};
use isotrope_methods::composition::CompositionError;
use isotrope_methods::table::{Table, TableProblem};
use isotrope_methods::{Composed, PrimeTable};

use presence::Presence;

/// What one step needs of a table. In q' = v, v' = f(q,v) the stages of q are eliminated:
/// V_i = v + Σ hĀ_ij F_j, Q_i = q + h c_i v + Σ h²Â_ij F_j with Â = a·abar. `None` is an exact
/// zero.
#[derive(Debug, Clone, PartialEq)]
pub struct StepCoefficients {
    /// h c_i.
    pub nodes: Vec<Option<f64>>,
    /// h² Â_ij.
    pub position: Vec<Vec<Option<f64>>>,
    /// h Ā_ij.
    pub velocity: Vec<Vec<Option<f64>>>,
    /// h Σ b.
    pub drift: Option<f64>,
    /// h² β_j, β = b·abar.
    pub position_weights: Vec<Option<f64>>,
    /// h b̄_j.
    pub velocity_weights: Vec<Option<f64>>,
    /// h b̃_j.
    pub momentum_weights: Vec<Option<f64>>,
    /// ℓ_j(1 + c_i): the polynomial through the accelerations of a step, at the stages of the next
    /// one; `None` if two stages have the same node.
    pub extrapolation: Option<Vec<Vec<f64>>>,
}

/// Why there are none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoefficientsError {
    /// The exact table.
    #[error(transparent)]
    Table(#[from] TableProblem),
    /// The coefficients of a composition.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A number too large for a double.
    #[error("a coefficient could not be rounded")]
    Rounding,
}

impl From<EvaluationError> for CoefficientsError {
    fn from(_: EvaluationError) -> Self {
        Self::Rounding
    }
}

/// Precisions to try.
const PRECISIONS: [u32; 4] = [192, 384, 1024, MOST];
/// The last of them.
const MOST: u32 = 4096;

impl StepCoefficients {
    /// For the step `h`.
    pub fn new(
        table: &Table,
        h: &Rational,
        budget: &mut Budget,
    ) -> Result<Self, CoefficientsError> {
        let present = presence(table, budget)?;
        for bits in PRECISIONS {
            let exact = Enclosed::new(table, h, Precision::new(bits), budget)?;
            match exact.rounded(&present) {
                Err(CoefficientsError::Rounding) => {}
                other => return other,
            }
        }
        Err(CoefficientsError::Rounding)
    }

    /// Of a composition, for the step `h`: the steps of its base as one table.
    pub fn composed(
        composed: &Composed,
        h: &Rational,
        budget: &mut Budget,
    ) -> Result<Self, CoefficientsError> {
        let Composed { base, composition, .. } = composed;
        let present = presence(base, budget)?.repeated(composition.length());
        for bits in PRECISIONS {
            let precision = Precision::new(bits);
            let lengths = composition.coefficients(precision)?;
            let exact = Enclosed::new(base, h, precision, budget)?.composed(&lengths)?;
            match exact.rounded(&present) {
                Err(CoefficientsError::Rounding) => {}
                other => return other,
            }
        }
        Err(CoefficientsError::Rounding)
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.nodes.len()
    }
}

fn presence(table: &Table, budget: &mut Budget) -> Result<Presence, CoefficientsError> {
    let image = table.modular(&mut Random::new(1), budget)?;
    Ok(Presence::of(&PrimeTable::new(&image).ok_or(CoefficientsError::Rounding)?))
}

struct Enclosed {
    a: Vec<Vec<Ball>>,
    abar: Vec<Vec<Ball>>,
    b: Vec<Ball>,
    bbar: Vec<Ball>,
    btil: Vec<Ball>,
    step: Ball,
}

impl Enclosed {
    fn new(
        table: &Table,
        h: &Rational,
        precision: Precision,
        budget: &mut Budget,
    ) -> Result<Self, CoefficientsError> {
        let enclosed = table.enclosures(precision, budget)?;
        Ok(Self {
            a: enclosed.a,
            abar: enclosed.abar,
            b: enclosed.b,
            bbar: enclosed.bbar,
            btil: enclosed.btil,
            step: Ball::from_rational(h, precision),
        })
    }

    /// Several steps of different lengths, one after the other, as one table: block k is γₖ times
    /// the base, and the blocks before it have contributed their weights.
    fn composed(&self, lengths: &[Ball]) -> Result<Self, EvaluationError> {
        let zero = Ball::zero(self.step.precision());
        let scaled = |factor: &Ball, row: &[Ball]| -> Result<Vec<Ball>, EvaluationError> {
            row.iter().map(|x| factor.mul(x)).collect()
        };
        let vector = |weights: &[Ball]| -> Result<Vec<Ball>, EvaluationError> {
            let blocks: Result<Vec<Vec<Ball>>, _> =
                lengths.iter().map(|length| scaled(length, weights)).collect();
            Ok(blocks?.concat())
        };
        let matrix = |block: &[Vec<Ball>], weights: &[Ball]| {
            let mut rows = Vec::with_capacity(lengths.len() * block.len());
            let all = vector(weights)?;
            for (k, length) in lengths.iter().enumerate() {
                for entries in block {
                    let mut row = all[..k * weights.len()].to_vec();
                    row.extend(scaled(length, entries)?);
                    row.resize(all.len(), zero.clone());
                    rows.push(row);
                }
            }
            Ok::<_, EvaluationError>(rows)
        };
        Ok(Self {
            a: matrix(&self.a, &self.b)?,
            abar: matrix(&self.abar, &self.bbar)?,
            b: vector(&self.b)?,
            bbar: vector(&self.bbar)?,
            btil: vector(&self.btil)?,
            step: self.step.clone(),
        })
    }

    /// Products with powers of h, each rounded once.
    fn rounded(&self, present: &Presence) -> Result<StepCoefficients, CoefficientsError> {
        let last = self.step.precision().bits() >= MOST;
        let size = self.b.len();
        let zero = Ball::zero(self.step.precision());
        let sum = |x: &[Ball]| x.iter().fold(zero.clone(), |sum, y| sum.add(y));
        let twice = self.step.mul(&self.step)?;
        let scaled =
            |factor: &Ball, x: &Ball, present: bool| -> Result<Option<f64>, CoefficientsError> {
                if !present {
                    return Ok(None);
                }
                let exact = factor.mul(x)?;
                // What stays open with thousands of bits lies half-way between two doubles, both of which are nearest.
                let tie = || last.then(|| exact.to_f64());
                let value = exact.to_f64_certain().or_else(tie).filter(|value| value.is_finite());
                value.map(Some).ok_or(CoefficientsError::Rounding)
            };
        let row = |factor: &Ball, row: &[Ball], present: &[bool]| {
            let entries = row.iter().zip(present);
            entries.map(|(x, &present)| scaled(factor, x, present)).collect::<Result<Vec<_>, _>>()
        };
        // Only what is there: tables of compositions are large and half empty.
        let product = |x: &[Ball], present: &[bool]| -> Result<Vec<Ball>, EvaluationError> {
            let mut all = vec![zero.clone(); size];
            for (j, total) in all.iter_mut().enumerate().filter(|(j, _)| present[*j]) {
                for (x, y) in x.iter().zip(&self.abar) {
                    *total = total.add(&x.mul(&y[j])?);
                }
            }
            Ok(all)
        };
        let mut nodes = Vec::with_capacity(size);
        let mut position = Vec::with_capacity(size);
        let mut velocity = Vec::with_capacity(size);
        for i in 0..size {
            nodes.push(scaled(&self.step, &sum(&self.a[i]), present.nodes[i])?);
            let entries = product(&self.a[i], &present.position[i])?;
            position.push(row(&twice, &entries, &present.position[i])?);
            velocity.push(row(&self.step, &self.abar[i], &present.velocity[i])?);
        }
        let weights = product(&self.b, &present.position_weights)?;
        Ok(StepCoefficients {
            nodes,
            position,
            velocity,
            drift: scaled(&self.step, &sum(&self.b), present.drift)?,
            position_weights: row(&twice, &weights, &present.position_weights)?,
            velocity_weights: row(&self.step, &self.bbar, &present.velocity_weights)?,
            momentum_weights: row(&self.step, &self.btil, &present.momentum_weights)?,
            extrapolation: self.extrapolation()?,
        })
    }

    /// Guesses need not be rounded correctly, only near.
    fn extrapolation(&self) -> Result<Option<Vec<Vec<f64>>>, CoefficientsError> {
        let zero = Ball::zero(self.step.precision());
        let one = Ball::one(self.step.precision());
        let nodes: Vec<Ball> =
            self.a.iter().map(|row| row.iter().fold(zero.clone(), |sum, x| sum.add(x))).collect();
        let mut table = Vec::with_capacity(nodes.len());
        for at in &nodes {
            let at = at.add(&one);
            let mut row = Vec::with_capacity(nodes.len());
            for (j, node) in nodes.iter().enumerate() {
                let mut value = one.clone();
                for (_, other) in nodes.iter().enumerate().filter(|(k, _)| *k != j) {
                    let distance = node.sub(other);
                    if distance.contains_zero() {
                        return Ok(None);
                    }
                    value = value.mul(&at.sub(other))?.div(&distance)?;
                }
                row.push(value.to_f64());
            }
            table.push(row);
        }
        Ok(Some(table))
    }
}
