//! What linear test equations say of a table, exactly: the stability function R(z), stability on the axes and in the left
//! half-plane, algebraic stability, oscillators; and what the stages give for nothing: embedded weights, dense output.

mod dense;
mod function;
mod polynomial;
mod quadratic;

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, Rational};
use isotrope_methods::stages::{Operator, Stages, Weights};
use isotrope_methods::table::{Coefficients, StageProduct, Table, TableProblem};

use super::simplifying::common_simplifying_assumptions;
use super::table::order;
pub use dense::{Dense, Embedded};
use function::{oscillator, scalar};
use polynomial::{Real, Rise};

/// How far from 0 something holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Nowhere.
    Nowhere,
    /// Up to a number between these bounds.
    UpTo(Rational, Rational),
    /// Everywhere.
    Everywhere,
}

impl Reach {
    fn of(rise: Rise) -> Self {
        match rise {
            Rise::Never => Self::Everywhere,
            Rise::AtZero => Self::Nowhere,
            Rise::Within(low, high) => Self::UpTo(low, high),
        }
    }

    /// The number; 0 or infinity.
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Nowhere => 0.0,
            Self::UpTo(low, high) => f64::midpoint(low.to_f64(), high.to_f64()),
            Self::Everywhere => f64::INFINITY,
        }
    }
}

/// One table on y' = λ y, z = h λ.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarStability {
    /// The numerator of R(z), ascending, without common factors.
    pub numerator: Vec<FieldElement>,
    /// The denominator; its constant coefficient is 1.
    pub denominator: Vec<FieldElement>,
    /// x ≥ 0 such that |R| ≤ 1 on the interval from −x to 0.
    pub negative: Reach,
    /// y ≥ 0, squared, such that |R| ≤ 1 from −iy to iy.
    pub imaginary_squared: Reach,
    /// |R| ≤ 1 in the whole left half-plane.
    pub a_stable: bool,
    /// That, and R(∞) = 0.
    pub l_stable: bool,
    /// b ≥ 0 and diag(b) A + Aᵀ diag(b) − b bᵀ ≥ 0: contractive on every contractive system.
    pub algebraically_stable: bool,
    /// The last stage is the end of the step; `None` where stages are not written out.
    pub stiffly_accurate: Option<bool>,
}

/// What linear test equations say of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearTheory {
    /// Stages of the table.
    pub stages: usize,
    /// C(η) and B(η) hold up to this η, for tables whose weights agree.
    pub stage_order: Option<usize>,
    /// On y' = λ y; `None` for several tables.
    pub scalar: Option<ScalarStability>,
    /// (h ω)² up to which oscillations q'' = −ω² q do not grow.
    pub oscillator_squared: Reach,
    /// Oscillations keep their area: the determinant of a step is 1.
    pub keeps_area: bool,
    /// Other weights for the same stages, one order lower or as near to that as there are.
    pub embedded: Option<Embedded>,
    /// Weights that depend on the place in the step.
    pub dense: Option<Dense>,
}

/// Tables with more stages take too long.
const STAGES: usize = 16;

/// Everything that linear equations say of a table; `None` for tables with more than 16 stages.
pub fn linear_theory(
    table: &Table,
    budget: &mut Budget,
) -> Result<Option<LinearTheory>, TableProblem> {
    if table.stages > STAGES {
        return Ok(None);
    }
    let assumptions = common_simplifying_assumptions(table, table.stages + 1);
    let stage_order = assumptions.map(|holds| holds.stages.min(holds.quadrature));
    let (embedded, dense) = if table.is_one_table() && table.is_pointwise() {
        let order = order(table, budget).ok();
        match order {
            None | Some(0) => (None, None),
            Some(order) => {
                let table = &with_next_stage(table)?;
                (dense::embedded(table, order, budget)?, dense::dense(table, order, budget)?)
            }
        }
    } else {
        (None, None)
    };
    let mut real = Real::new(&table.field, budget);
    let (scalar, oscillator_squared, keeps_area) = if table.is_one_table() {
        // Oscillations are y' = ±iω y.
        let (scalar, keeps_area) = scalar(table, &mut real)?;
        let imaginary = scalar.imaginary_squared.clone();
        (Some(scalar), imaginary, keeps_area)
    } else {
        let (reach, keeps_area) = oscillator(table, &mut real)?;
        (None, reach, keeps_area)
    };
    let stages = table.stages;
    Ok(Some(LinearTheory {
        stages,
        stage_order,
        scalar,
        oscillator_squared,
        keeps_area,
        embedded,
        dense,
    }))
}

/// The table together with the first stage of the next step, where that is had for nothing: where the first stage is
/// explicit, and none is at the end of the step.
fn with_next_stage(table: &Table) -> Result<Table, TableProblem> {
    let free = table.a[0].iter().all(FieldElement::is_zero) && !table.a.contains(&table.b);
    if !free || table.stages < 2 {
        return Ok(table.clone());
    }
    let longer = |row: &[FieldElement]| {
        row.iter().cloned().chain([FieldElement::zero()]).collect::<Vec<_>>()
    };
    let mut a: Vec<_> = table.a.iter().map(|row| longer(row)).collect();
    a.push(longer(&table.b));
    let coefficients = Coefficients::one_table(a, longer(&table.b));
    Table::pointwise(table.name.clone(), table.field.clone(), coefficients)
}

/// The last row of the matrix is the row of the weights.
fn stiffly_accurate(table: &Table) -> Option<bool> {
    match table.product {
        StageProduct::Pointwise => Some(table.a.contains(&table.b)),
        StageProduct::Modulo(_) => None,
    }
}

/// The matrix of a linear map of stage functions in their basis, by columns.
fn columns(table: &Table, operator: Operator) -> Vec<Vec<FieldElement>> {
    table.basis().iter().map(|x| Stages::apply(table, operator, x)).collect()
}

/// The weights as a functional.
fn paired(table: &Table, weights: Weights, x: &[FieldElement]) -> FieldElement {
    Stages::pair(table, weights, x)
}
