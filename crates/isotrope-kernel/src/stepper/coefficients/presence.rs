//! Which coefficients of a table are exactly zero.

use isotrope_methods::PrimeTable;
use isotrope_methods::classes::{Residue, Scalars as _};

/// Which coefficients are there: all others are exact zeros.
pub(super) struct Presence {
    pub nodes: Vec<bool>,
    pub position: Vec<Vec<bool>>,
    pub velocity: Vec<Vec<bool>>,
    pub drift: bool,
    pub position_weights: Vec<bool>,
    pub velocity_weights: Vec<bool>,
    pub momentum_weights: Vec<bool>,
}

impl Presence {
    /// Zeros are seen in the image over a prime field, whose stages 0 and 1 (if these are nodes)
    /// stand where they stand in the real table; inner stages of a collocation table have no
    /// zeros.
    pub(super) fn of(table: &PrimeTable) -> Self {
        let (field, image) = (&table.field, &table.coefficients);
        let size = image.b.len();
        let nonzero = |x: Residue| x != field.zero();
        let ones = vec![field.one(); size];
        let sum = |row: &[Residue]| nonzero(field.sum_of_products(size, |k| (&row[k], &ones[k])));
        let product = |row: &[Residue]| -> Vec<bool> {
            let entry = |j: usize| field.sum_of_products(size, |k| (&row[k], &image.abar[k][j]));
            (0..size).map(|j| nonzero(entry(j))).collect()
        };
        let each = |row: &[Residue]| -> Vec<bool> { row.iter().map(|&x| nonzero(x)).collect() };
        Self {
            nodes: image.a.iter().map(|row| sum(row)).collect(),
            position: image.a.iter().map(|row| product(row)).collect(),
            velocity: image.abar.iter().map(|row| each(row)).collect(),
            drift: sum(&image.b),
            position_weights: product(&image.b),
            velocity_weights: each(&image.bbar),
            momentum_weights: each(&image.btil),
        }
    }

    /// Of this many consecutive steps of different lengths. Sums of lengths count as not
    /// zero: if one were, its rounding would stay open.
    pub(super) fn repeated(&self, steps: usize) -> Self {
        let size = self.nodes.len();
        let all = || (0..steps).flat_map(|k| (0..size).map(move |i| (k, i)));
        let later = |j: usize| self.velocity_weights[j] || self.position_weights[j];
        let position = |(k, i): (usize, usize), (l, j): (usize, usize)| {
            if l == k {
                self.position[i][j]
            } else if l + 1 == k && !self.nodes[i] {
                // Right after the step of j.
                self.position_weights[j]
            } else {
                l < k && later(j)
            }
        };
        let velocity = |(k, i): (usize, usize), (l, j): (usize, usize)| {
            if l == k { self.velocity[i][j] } else { l < k && self.velocity_weights[j] }
        };
        let square = |entry: &dyn Fn((usize, usize), (usize, usize)) -> bool| {
            all().map(|row| all().map(|column| entry(row, column)).collect()).collect()
        };
        Self {
            nodes: all().map(|(k, i)| k > 0 || self.nodes[i]).collect(),
            position: square(&position),
            velocity: square(&velocity),
            drift: self.drift,
            position_weights: all()
                .map(|(l, j)| if l + 1 == steps { self.position_weights[j] } else { later(j) })
                .collect(),
            velocity_weights: self.velocity_weights.repeat(steps),
            momentum_weights: self.momentum_weights.repeat(steps),
        }
    }
}
