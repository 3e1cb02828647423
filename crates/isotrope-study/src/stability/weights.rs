//! Units in which every coordinate has the mass 1.
//!
//! w_i = √M_ii: displacements w_i δq_i, forces r_i/w_i and matrices S_ij/(w_i w_j) do not depend on the units of
//! single coordinates, and those of mass, length and time are common factors.

use isotrope_algebra::double::linear::DenseMatrix;

use super::linearise::Values;
use super::report::Entry;

/// w_i = √M_ii, for each coordinate.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights(Vec<f64>);

impl Weights {
    /// A coordinate without mass has the weight at which its stiffness is like that of the others.
    pub fn new(mass: &DenseMatrix, stiffness: &DenseMatrix) -> Self {
        let n = mass.rows();
        let (m, k) = (|i: usize| mass.get(i, i).abs(), |i: usize| stiffness.get(i, i).abs());
        let ratios = (0..n).filter(|&i| m(i) > 0.0).map(|i| k(i) / m(i));
        let square = ratios.fold(0.0, f64::max);
        let square = if square > 0.0 { square } else { 1.0 };
        let weight = |i: usize| match [m(i), k(i) / square] {
            [mass, _] if mass.is_normal() => mass.sqrt(),
            [_, stiff] if stiff.is_normal() => stiff.sqrt(),
            _ => 1.0,
        };
        Self((0..n).map(weight).collect())
    }

    /// At a point.
    pub fn at(values: &Values) -> Self {
        Self::new(&values.mass, &values.stiffness)
    }

    /// w_i.
    pub fn get(&self, i: usize) -> f64 {
        self.0.get(i).copied().unwrap_or(1.0)
    }

    /// S_ij/(w_i w_j).
    pub fn of(&self, matrix: &DenseMatrix) -> DenseMatrix {
        let mut scaled = DenseMatrix::zero(matrix.rows(), matrix.columns());
        for i in 0..matrix.rows() {
            for j in 0..matrix.columns() {
                scaled.set(i, j, matrix.get(i, j) / self.get(i) / self.get(j));
            }
        }
        scaled
    }

    /// A_ki/w_i times a factor for each row that makes its largest entry `size`, and these factors.
    pub fn of_rows(&self, rows: &DenseMatrix, size: f64) -> (DenseMatrix, Vec<f64>) {
        let mut scaled = DenseMatrix::zero(rows.rows(), rows.columns());
        let mut factors = Vec::with_capacity(rows.rows());
        for k in 0..rows.rows() {
            let entry = |i: usize| rows.get(k, i) / self.get(i);
            let largest = (0..rows.columns()).fold(0.0, |most, i| f64::max(most, entry(i).abs()));
            let factor = if largest > 0.0 { size / largest } else { 1.0 };
            (0..rows.columns()).for_each(|i| scaled.set(k, i, factor * entry(i)));
            factors.push(factor);
        }
        (scaled, factors)
    }

    /// The largest w_i |x_i|.
    pub fn length(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.0).fold(0.0, |most, (x, w)| f64::max(most, (x * w).abs()))
    }

    /// The coefficients of a constraint on displacements, from those on w_i y_i: the largest of the latter becomes 1,
    /// and what is below a part of it is left out.
    pub fn constraint(&self, row: &[f64], rounding: f64) -> Vec<Entry> {
        let larger = |a: usize, b: usize| if row[b].abs() > row[a].abs() { b } else { a };
        let Some(most) = (0..row.len()).reduce(larger) else { return Vec::new() };
        let coefficient = |(i, x): (usize, &f64)| match x / row[most] {
            x if x.abs() < rounding => 0.0,
            x => x * (self.get(i) / self.get(most)),
        };
        row.iter().enumerate().map(coefficient).map(Entry::Number).collect()
    }
}
