//! Coefficients of symmetries that are fractions of parameters, from their values at random parameters.

use isotrope_algebra::evaluate::FieldPlan;
use isotrope_algebra::linear::{Echelon, Residues};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};

use crate::symmetry::short_number;

const PRIME: u64 = FieldPlan::PRIME;
/// Monomials of numerator and denominator, at most.
const TERMS: usize = 60;
/// Points beyond the number of unknowns, which refute a wrong guess.
const SPARE: usize = 4;
/// Degrees of numerators and denominators, in the order in which they are tried.
const DEGREES: [(u32, u32); 11] =
    [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2), (2, 2), (3, 1), (3, 3), (4, 4)];

/// Values of coefficients at several values of the parameters.
pub(super) struct Table {
    /// Do coefficients (rows) depend on parameters (columns)?
    depends: Vec<Vec<bool>>,
    points: Vec<(Vec<u64>, Vec<u64>)>,
}

/// Coefficients as functions of parameters.
pub(super) struct Fractions {
    parameters: Vec<ExprId>,
}

impl Fractions {
    pub fn new(parameters: Vec<ExprId>) -> Self {
        Self { parameters }
    }

    /// Asks for the coefficients at as many values of the parameters as are needed; none if some have no answer.
    pub fn table(
        &self,
        coefficients: usize,
        random: &mut Random,
        mut solve: impl FnMut(&[u64], &mut Budget) -> Result<Option<Vec<u64>>, OutOfBudget>,
        budget: &mut Budget,
    ) -> Result<Option<Table>, OutOfBudget> {
        let some = |random: &mut Random| -> Vec<u64> {
            self.parameters.iter().map(|_| 1 + random.below(PRIME - 1)).collect()
        };
        let start = some(random);
        let Some(first) = solve(&start, budget)? else { return Ok(None) };
        let mut depends = vec![vec![false; self.parameters.len()]; coefficients];
        let mut points = vec![(start.clone(), first.clone())];
        if first.iter().all(|&value| short_number(value).is_some()) {
            return Ok(Some(Table { depends, points }));
        }
        for k in 0..self.parameters.len() {
            let mut moved = start.clone();
            moved[k] = 1 + random.below(PRIME - 1);
            let Some(values) = solve(&moved, budget)? else { return Ok(None) };
            for (row, (a, b)) in depends.iter_mut().zip(values.iter().zip(&first)) {
                row[k] = a != b;
            }
        }
        let widest = depends.iter().map(|row| row.iter().filter(|d| **d).count()).max();
        let terms = |(n, d)| {
            monomials(widest.unwrap_or(0), n).len() + monomials(widest.unwrap_or(0), d).len()
        };
        let needed = DEGREES.map(terms).into_iter().filter(|&count| count <= TERMS).max();
        for _ in 0..needed.unwrap_or(0) + SPARE {
            let parameters = some(random);
            let Some(values) = solve(&parameters, budget)? else { return Ok(None) };
            points.push((parameters, values));
        }
        Ok(Some(Table { depends, points }))
    }

    /// All coefficients; none if one of them is no simple fraction.
    pub fn reconstructed(&self, pool: &mut Pool, table: &Table) -> Option<Vec<(ExprId, ExprId)>> {
        (0..table.depends.len()).map(|k| self.coefficient(pool, table, k)).collect()
    }

    /// Numerator and denominator.
    fn coefficient(&self, pool: &mut Pool, table: &Table, k: usize) -> Option<(ExprId, ExprId)> {
        let inside: Vec<usize> =
            (0..self.parameters.len()).filter(|&j| table.depends[k][j]).collect();
        if inside.is_empty() {
            let value = short_number(table.points[0].1[k])?;
            return Some((pool.number(value), ExprId::ONE));
        }
        DEGREES.into_iter().find_map(|(above, below)| {
            let above = monomials(inside.len(), above);
            let below = monomials(inside.len(), below);
            let unknowns = above.len() + below.len();
            if unknowns > TERMS || table.points.len() < unknowns + SPARE {
                return None;
            }
            let field = &mut Residues(PRIME);
            let mut space = Echelon::new(unknowns);
            for (parameters, values) in &table.points {
                let x: Vec<u64> = inside.iter().map(|&j| parameters[j]).collect();
                let mut row: Vec<u64> = above.iter().map(|powers| monomial(&x, powers)).collect();
                row.extend(below.iter().map(|powers| {
                    let product = modular::mul(values[k], monomial(&x, powers), PRIME);
                    modular::sub(0, product, PRIME)
                }));
                let Ok(_) = space.insert(field, row);
            }
            let Ok(kernel) = space.nullspace(field);
            let [vector] = kernel.as_slice() else { return None };
            let numbers: Option<Vec<Rational>> =
                vector.iter().map(|&value| short_number(value)).collect();
            let numbers = numbers?;
            let mut polynomial = |list: &[Vec<u32>], numbers: &[Rational]| {
                let mut terms = Vec::new();
                for (powers, number) in list.iter().zip(numbers) {
                    let factors: Vec<ExprId> = inside
                        .iter()
                        .zip(powers)
                        .map(|(&j, &power)| pool.powi(self.parameters[j], power.into()))
                        .collect();
                    terms.push((number.clone(), pool.product(&factors)));
                }
                pool.linear_combination(&terms)
            };
            let numerator = polynomial(&above, &numbers[..above.len()]);
            let denominator = polynomial(&below, &numbers[above.len()..]);
            (!denominator.is_zero()).then_some((numerator, denominator))
        })
    }
}

/// Multiplies fractions with their denominators, as far as these differ.
pub(super) fn cleared(
    pool: &mut Pool,
    fractions: &[(ExprId, ExprId)],
    budget: &mut Budget,
) -> Vec<ExprId> {
    let mut denominators: Vec<ExprId> = fractions.iter().map(|fraction| fraction.1).collect();
    denominators.sort_unstable();
    denominators.dedup();
    let common = pool.product(&denominators);
    let product = |&(numerator, denominator): &(ExprId, ExprId)| {
        let scaled = pool.mul(numerator, common);
        let value = pool.div(scaled, denominator);
        simplify(pool, value, &mut Budget::new(budget.left().min(100_000)))
    };
    fractions.iter().map(product).collect()
}

/// Exponents of all monomials up to a degree.
pub(super) fn monomials(variables: usize, degree: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..variables {
        all = all
            .into_iter()
            .flat_map(|powers: Vec<u32>| {
                let left = degree - powers.iter().sum::<u32>();
                (0..=left).map(move |power| {
                    let mut powers = powers.clone();
                    powers.push(power);
                    powers
                })
            })
            .collect();
    }
    all
}

pub(super) fn monomial(x: &[u64], powers: &[u32]) -> u64 {
    x.iter().zip(powers).fold(1, |product, (&x, &power)| {
        modular::mul(product, modular::pow(x, power.into(), PRIME), PRIME)
    })
}
