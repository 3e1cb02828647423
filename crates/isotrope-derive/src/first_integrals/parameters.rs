//! Coefficients of symmetries that are fractions of parameters, from their values at random parameters.

use isotrope_algebra::evaluate::FieldPlan;
use isotrope_algebra::linear::{Echelon, Residues};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};

use crate::symmetry::short_number;

const PRIME: u64 = FieldPlan::PRIME;
/// Monomials of numerator and denominator, at most.
const TERMS: usize = 120;
/// Points beyond the number of unknowns, which refute a wrong guess.
const SPARE: usize = 4;
/// The same for one parameter.
const CHECKS: usize = 2;
/// The degree of numerator and denominator in one parameter, together at most.
const DEGREE: u32 = 10;

/// Values of coefficients at several values of the parameters.
pub(super) struct Table {
    /// Degrees of numerators and denominators of coefficients (rows) in parameters (columns).
    degrees: Vec<Vec<(u32, u32)>>,
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
        let mut degrees = vec![vec![(0, 0); self.parameters.len()]; coefficients];
        let mut points = vec![(start.clone(), first.clone())];
        if first.iter().all(|&value| short_number(value).is_some()) {
            return Ok(Some(Table { degrees, points }));
        }
        for k in 0..self.parameters.len() {
            // One parameter moves, until the degrees in it are seen.
            let mut line: Vec<(u64, Vec<u64>)> = vec![(start[k], first.clone())];
            let found = loop {
                let mut moved = start.clone();
                moved[k] = 1 + random.below(PRIME - 1);
                let Some(values) = solve(&moved, budget)? else { return Ok(None) };
                let constant = values == first && line.len() == 1;
                line.push((moved[k], values));
                if constant {
                    break vec![(0, 0); coefficients];
                }
                let of = |j: usize| {
                    let values: Vec<(u64, u64)> = line.iter().map(|(x, y)| (*x, y[j])).collect();
                    degree(&values)
                };
                let all: Option<Vec<(u32, u32)>> = (0..coefficients).map(of).collect();
                match all {
                    Some(all) => break all,
                    None if line.len() < DEGREE as usize + 2 + CHECKS => {}
                    None => return Ok(None),
                }
            };
            for (row, found) in degrees.iter_mut().zip(found) {
                row[k] = found;
            }
        }
        let counts = degrees.iter().map(|row| {
            let (above, below) = boxes(row);
            (above + below).min(TERMS + 1)
        });
        let needed = counts.filter(|&count| count <= TERMS).max();
        for _ in 0..needed.unwrap_or(0) + SPARE {
            let parameters = some(random);
            let Some(values) = solve(&parameters, budget)? else { return Ok(None) };
            points.push((parameters, values));
        }
        Ok(Some(Table { degrees, points }))
    }

    /// All coefficients; none if one of them is no simple fraction.
    pub fn reconstructed(&self, pool: &mut Pool, table: &Table) -> Option<Vec<(ExprId, ExprId)>> {
        (0..table.degrees.len()).map(|k| self.coefficient(pool, table, k)).collect()
    }

    /// Numerator and denominator.
    fn coefficient(&self, pool: &mut Pool, table: &Table, k: usize) -> Option<(ExprId, ExprId)> {
        let degrees = &table.degrees[k];
        if degrees.iter().all(|degree| *degree == (0, 0)) {
            let value = short_number(table.points[0].1[k])?;
            return Some((pool.number(value), ExprId::ONE));
        }
        let (above, below) = boxes(degrees);
        let unknowns = above + below;
        if unknowns > TERMS || table.points.len() < unknowns + SPARE {
            return None;
        }
        let above = within(&degrees.iter().map(|degree| degree.0).collect::<Vec<_>>());
        let below = within(&degrees.iter().map(|degree| degree.1).collect::<Vec<_>>());
        let field = &mut Residues(PRIME);
        let mut space = Echelon::new(unknowns);
        for (x, values) in &table.points {
            let mut row: Vec<u64> = above.iter().map(|powers| monomial(x, powers)).collect();
            row.extend(below.iter().map(|powers| {
                let product = modular::mul(values[k], monomial(x, powers), PRIME);
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
                let factors: Vec<ExprId> = self
                    .parameters
                    .iter()
                    .zip(powers)
                    .map(|(&parameter, &power)| pool.powi(parameter, power.into()))
                    .collect();
                terms.push((number.clone(), pool.product(&factors)));
            }
            pool.linear_combination(&terms)
        };
        let numerator = polynomial(&above, &numbers[..above.len()]);
        let denominator = polynomial(&below, &numbers[above.len()..]);
        (!denominator.is_zero()).then_some((numerator, denominator))
    }
}

/// The degrees of numerator and denominator of a fraction with these values; none if they are too high.
fn degree(values: &[(u64, u64)]) -> Option<(u32, u32)> {
    let constant = values.iter().all(|value| value.1 == values[0].1);
    if constant && values.len() > CHECKS {
        return Some((0, 0));
    }
    (1..=DEGREE).find_map(|total| {
        (0..=total).find_map(|below| {
            let above = total - below;
            if values.len() < total as usize + 2 + CHECKS {
                return None;
            }
            let field = &mut Residues(PRIME);
            let mut space = Echelon::new(total as usize + 2);
            for &(x, y) in values {
                let mut row: Vec<u64> =
                    (0..=above).map(|power| modular::pow(x, power.into(), PRIME)).collect();
                row.extend((0..=below).map(|power| {
                    let power = modular::pow(x, power.into(), PRIME);
                    modular::sub(0, modular::mul(y, power, PRIME), PRIME)
                }));
                let Ok(_) = space.insert(field, row);
            }
            (space.rank() < total as usize + 2).then_some((above, below))
        })
    })
}

/// How many monomials there are above and below the bar.
fn boxes(degrees: &[(u32, u32)]) -> (usize, usize) {
    let count = |list: &mut dyn Iterator<Item = u32>| {
        list.fold(1_usize, |product, degree| product.saturating_mul(degree as usize + 1))
    };
    (
        count(&mut degrees.iter().map(|degree| degree.0)),
        count(&mut degrees.iter().map(|degree| degree.1)),
    )
}

/// Exponents of all monomials with at most these.
fn within(degrees: &[u32]) -> Vec<Vec<u32>> {
    degrees.iter().fold(vec![Vec::new()], |all: Vec<Vec<u32>>, &degree| {
        let longer = |powers: Vec<u32>| {
            (0..=degree).map(move |power| {
                let mut powers = powers.clone();
                powers.push(power);
                powers
            })
        };
        all.into_iter().flat_map(longer).collect()
    })
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
