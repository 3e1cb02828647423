//! Stage algebras of exact tables and of their images in a prime field.

use isotrope_algebra::Rational;
use isotrope_algebra::number::field::FieldElement;

use crate::classes::{PrimeField, Residue, Scalars};
use crate::stages::{Operator, Stages, Weights};
use crate::table::{Coefficients, ModularTable, StageProduct, Table};

impl Stages for Table {
    type Scalar = FieldElement;

    fn dimension(&self) -> usize {
        self.stages
    }

    fn is_pointwise(&self) -> bool {
        self.product == StageProduct::Pointwise
    }

    fn scalar(&self, value: &Rational) -> FieldElement {
        self.field.rational(value.clone())
    }

    fn add(&self, x: &FieldElement, y: &FieldElement) -> FieldElement {
        self.field.add(x, y)
    }

    fn sub(&self, x: &FieldElement, y: &FieldElement) -> FieldElement {
        self.field.sub(x, y)
    }

    fn mul(&self, x: &FieldElement, y: &FieldElement) -> FieldElement {
        self.field.mul(x, y)
    }

    fn unit(&self) -> Vec<FieldElement> {
        Table::unit(self)
    }

    fn multiply(&self, x: &[FieldElement], y: &[FieldElement]) -> Vec<FieldElement> {
        Table::multiply(self, x, y)
    }

    fn apply(&self, operator: Operator, x: &[FieldElement]) -> Vec<FieldElement> {
        let matrix = match operator {
            Operator::Position => &self.a,
            Operator::Velocity => &self.abar,
        };
        Table::apply(self, matrix, x)
    }

    fn pair(&self, weights: Weights, x: &[FieldElement]) -> FieldElement {
        let functional = match weights {
            Weights::Position => &self.b,
            Weights::Velocity => &self.bbar,
            Weights::Momentum => &self.btil,
        };
        Table::pair(self, functional, x)
    }
}

/// A table over a prime field, stage by stage.
#[derive(Debug, Clone)]
pub struct PrimeTable {
    /// The field.
    pub field: PrimeField,
    /// The coefficients.
    pub coefficients: Coefficients<Residue>,
}

impl PrimeTable {
    /// From residues; `None` if [`PrimeField`] does not take the modulus.
    pub fn new(table: &ModularTable) -> Option<Self> {
        let field = PrimeField::new(table.prime)?;
        let vector = |x: &[u64]| x.iter().map(|&r| field.element(r)).collect::<Vec<_>>();
        let matrix = |x: &[Vec<u64>]| x.iter().map(|row| vector(row)).collect::<Vec<_>>();
        let coefficients = Coefficients {
            a: matrix(&table.a),
            abar: matrix(&table.abar),
            b: vector(&table.b),
            bbar: vector(&table.bbar),
            btil: vector(&table.btil),
        };
        Some(Self { field, coefficients })
    }
}

impl Stages for PrimeTable {
    type Scalar = Residue;

    fn dimension(&self) -> usize {
        self.coefficients.b.len()
    }

    fn is_pointwise(&self) -> bool {
        true
    }

    fn scalar(&self, value: &Rational) -> Residue {
        // Denominators here are products of small numbers, never of a prime of 61 bits.
        self.field.rational(value).unwrap_or(self.field.zero())
    }

    fn add(&self, x: &Residue, y: &Residue) -> Residue {
        Scalars::add(&self.field, x, y)
    }

    fn sub(&self, x: &Residue, y: &Residue) -> Residue {
        Scalars::sub(&self.field, x, y)
    }

    fn mul(&self, x: &Residue, y: &Residue) -> Residue {
        Scalars::mul(&self.field, x, y)
    }

    fn unit(&self) -> Vec<Residue> {
        vec![self.field.one(); self.dimension()]
    }

    fn multiply(&self, x: &[Residue], y: &[Residue]) -> Vec<Residue> {
        x.iter().zip(y).map(|(x, y)| Scalars::mul(&self.field, x, y)).collect()
    }

    fn apply(&self, operator: Operator, x: &[Residue]) -> Vec<Residue> {
        let matrix = match operator {
            Operator::Position => &self.coefficients.a,
            Operator::Velocity => &self.coefficients.abar,
        };
        matrix.iter().map(|row| self.dot(row, x)).collect()
    }

    fn pair(&self, weights: Weights, x: &[Residue]) -> Residue {
        match weights {
            Weights::Position => self.dot(&self.coefficients.b, x),
            Weights::Velocity => self.dot(&self.coefficients.bbar, x),
            Weights::Momentum => self.dot(&self.coefficients.btil, x),
        }
    }
}

impl PrimeTable {
    fn dot(&self, x: &[Residue], y: &[Residue]) -> Residue {
        self.field.sum_of_products(x.len().min(y.len()), |i| (&x[i], &y[i]))
    }
}
