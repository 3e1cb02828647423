//! The coefficients of a table for a given step, ready for a tape: products with powers of h are
//! rounded once, from the exact numbers.

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Ball, Budget, EvaluationError, OutOfBudget, Precision, Rational};
use isotrope_scheme::certify::PrimeTable;
use isotrope_scheme::methods::classes::Scalars as _;
use isotrope_scheme::methods::table::{Table, TableProblem};

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
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A number too large for a double, or whose rounding stayed open.
    #[error("a coefficient could not be rounded")]
    Rounding,
}

impl From<EvaluationError> for CoefficientsError {
    fn from(_: EvaluationError) -> Self {
        Self::Rounding
    }
}

/// Precisions to try.
const PRECISIONS: [u32; 4] = [192, 384, 1024, 4096];

impl StepCoefficients {
    /// For the step `h`.
    pub fn new(
        table: &Table,
        h: &Rational,
        budget: &mut Budget,
    ) -> Result<Self, CoefficientsError> {
        let image = table.modular(&mut Random::new(1), budget)?;
        let pattern = PrimeTable::new(&image).ok_or(CoefficientsError::Rounding)?;
        for bits in PRECISIONS {
            let exact = Enclosed::new(table, h, Precision::new(bits), budget)?;
            match exact.rounded(&pattern) {
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

    /// Zeros are seen in the image over a prime field, whose stages 0 and 1 (if these are nodes)
    /// stand where they stand here; inner stages of a collocation table have no zeros.
    fn rounded(&self, pattern: &PrimeTable) -> Result<StepCoefficients, CoefficientsError> {
        let size = self.b.len();
        let (field, image) = (&pattern.field, &pattern.coefficients);
        let nonzero = |x: isotrope_scheme::methods::classes::Residue| x != field.zero();
        let product = |row: &[_], column: usize| {
            field.sum_of_products(size, |k| (&row[k], &image.abar[k][column]))
        };
        let zero = Ball::zero(self.step.precision());
        let sum = |x: &[Ball]| x.iter().fold(zero.clone(), |sum, y| sum.add(y));
        let dot = |row: &[Ball], column: usize| -> Result<Ball, EvaluationError> {
            let mut total = zero.clone();
            for (x, y) in row.iter().zip(&self.abar) {
                total = total.add(&x.mul(&y[column])?);
            }
            Ok(total)
        };
        let twice = self.step.mul(&self.step)?;
        let scaled =
            |factor: &Ball, x: &Ball, present: bool| -> Result<Option<f64>, CoefficientsError> {
                if !present {
                    return Ok(None);
                }
                let value = factor.mul(x)?.to_f64_certain().filter(|value| value.is_finite());
                value.map(Some).ok_or(CoefficientsError::Rounding)
            };
        let ones = vec![field.one(); size];
        let row_sum = |row: &[_]| field.sum_of_products(size, |k| (&row[k], &ones[k]));
        let mut nodes = Vec::with_capacity(size);
        let mut position = Vec::with_capacity(size);
        let mut velocity = Vec::with_capacity(size);
        for i in 0..size {
            nodes.push(scaled(&self.step, &sum(&self.a[i]), nonzero(row_sum(&image.a[i])))?);
            let mut line = Vec::with_capacity(size);
            for j in 0..size {
                line.push(scaled(&twice, &dot(&self.a[i], j)?, nonzero(product(&image.a[i], j)))?);
            }
            position.push(line);
            let entries = self.abar[i].iter().zip(&image.abar[i]);
            velocity.push(
                entries
                    .map(|(x, &residue)| scaled(&self.step, x, nonzero(residue)))
                    .collect::<Result<_, _>>()?,
            );
        }
        let weights =
            |exact: &[Ball], image: &[_]| -> Result<Vec<Option<f64>>, CoefficientsError> {
                let pairs = exact.iter().zip(image);
                pairs.map(|(x, &residue)| scaled(&self.step, x, nonzero(residue))).collect()
            };
        let mut position_weights = Vec::with_capacity(size);
        for j in 0..size {
            position_weights.push(scaled(
                &twice,
                &dot(&self.b, j)?,
                nonzero(product(&image.b, j)),
            )?);
        }
        Ok(StepCoefficients {
            nodes,
            position,
            velocity,
            drift: scaled(&self.step, &sum(&self.b), nonzero(row_sum(&image.b)))?,
            position_weights,
            velocity_weights: weights(&self.bbar, &image.bbar)?,
            momentum_weights: weights(&self.btil, &image.btil)?,
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
