//! When does `q'' = -K q` with constant K keep a positive definite quadratic function?
//!
//! Exactly if K is diagonalisable with positive eigenvalues. If its minimal polynomial is the
//! square-free part `r` of the characteristic one, that is a question on the roots of r, which
//! are simple for general parameters: by Hermite they are real and positive exactly if the Hankel
//! matrices of their power sums `s_(i+j)` and `s_(i+j+1)` are positive definite. Where parameters
//! let roots of r coincide these matrices are singular, and K may be diagonalisable or not.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, OrInternal, OutOfBudget, Pool, Rational, RationalFunction};

use super::mechanical::second_order;
use super::sign::{Verdict, definite};
use super::storage::field;
use super::{PortError, Problem};

/// Square matrices over the field of the parameters.
pub(super) type Square = Vec<Vec<RationalFunction>>;

/// When is there a positive definite quadratic invariant? `None` for systems of another kind.
/// Conditions are necessary where the frequencies are distinct; the answer at the values of the
/// parameters is decided with equal ones, too, if these are rational.
pub fn definite_invariant(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Option<Verdict>, PortError> {
    let Some(system) = second_order(pool, problem, budget)? else { return Ok(None) };
    let m = system.positions.len();
    let mut entries = Vec::with_capacity(m * m);
    for &acceleration in &system.accelerations {
        if system.speeds.iter().any(|&y| pool.depends_on(acceleration, &[y])) {
            return Ok(None);
        }
        for slope in gradient(pool, acceleration, &system.positions, budget)? {
            let value = pool.neg(slope);
            let value = simplify(pool, value, budget);
            if pool.depends_on(value, &problem.states) {
                return Ok(None);
            }
            entries.push(value);
        }
    }
    let here = at_values(pool, problem, &entries, m, budget)?;
    let (ring, values) = field(pool, &entries, budget)?;
    let stiffness: Square = values.chunks(m).map(<[RationalFunction]>::to_vec).collect();
    let Some(roots) = square_free_part(&stiffness, budget)? else {
        // Not diagonalisable for general parameters.
        let numbers = values.iter().all(|value| value.as_constant().is_some());
        return Ok(Some(match here {
            _ if numbers => Verdict::Never { witness: Vec::new(), at_values: false },
            Some(false) => Verdict::Never { witness: Vec::new(), at_values: true },
            _ => Verdict::Unknown,
        }));
    };
    let simple = roots.len() <= 2;
    let (mut conditions, mut holds, mut never) = (Vec::new(), Some(true), false);
    for hankel in hankel(&roots, budget)? {
        let size = hankel.len();
        let mut matrix = Matrix::zero(size, size);
        for (a, row) in hankel.iter().enumerate() {
            for (b, value) in row.iter().enumerate() {
                let value = ring.quotient(pool, value);
                matrix.set(a, b, value);
            }
        }
        match definite(pool, &matrix, &problem.values, budget)? {
            Verdict::Always => {}
            Verdict::Under { conditions: list, at_values, .. } => {
                holds = holds.zip(at_values).map(|(a, b)| a && b);
                for condition in list {
                    if !conditions.contains(&condition) {
                        conditions.push(condition);
                    }
                }
            }
            _ => never = true,
        }
    }
    // A single root for all parameters, or numbers: nothing can coincide elsewhere.
    let numbers = values.iter().all(|value| value.as_constant().is_some());
    let sharp = simple || numbers;
    if never {
        return Ok(Some(match here {
            _ if sharp => Verdict::Never { witness: Vec::new(), at_values: false },
            Some(false) => Verdict::Never { witness: Vec::new(), at_values: true },
            _ => Verdict::Unknown,
        }));
    }
    if conditions.is_empty() {
        return Ok(Some(Verdict::Always));
    }
    // Where the conditions fail without being necessary, nothing follows from that.
    let at_values = here.or(holds.filter(|&yes| yes || sharp));
    Ok(Some(Verdict::Under { conditions, sharp, at_values }))
}

/// The answer for the values of the parameters, if they are rational numbers.
fn at_values(
    pool: &mut Pool,
    problem: &Problem,
    entries: &[ExprId],
    m: usize,
    budget: &mut Budget,
) -> Result<Option<bool>, PortError> {
    let map: Substitution = problem.values.known().iter().copied().collect();
    let mut list = entries.to_vec();
    for _ in 0..4 {
        list = substitute(pool, &list, &map, budget)?;
    }
    let mut numbers = Vec::with_capacity(list.len());
    for value in list {
        let value = simplify(pool, value, budget);
        let Some(number) = pool.as_number(value) else { return Ok(None) };
        numbers.push(RationalFunction::constant(number.clone()));
    }
    let stiffness: Square = numbers.chunks(m).map(<[RationalFunction]>::to_vec).collect();
    let Some(roots) = square_free_part(&stiffness, budget)? else { return Ok(Some(false)) };
    for hankel in hankel(&roots, budget)? {
        let size = hankel.len();
        for corner in 1..=size {
            let part: Square = hankel[..corner].iter().map(|row| row[..corner].to_vec()).collect();
            let value = determinant(part, budget)?
                .as_constant()
                .or_internal("the determinant of numbers is a number")
                .map_err(OutOfBudget::from)?;
            if value.is_negative() || value.is_zero() {
                return Ok(Some(false));
            }
        }
    }
    Ok(Some(true))
}

/// By elimination.
pub(super) fn determinant(
    mut a: Square,
    budget: &mut Budget,
) -> Result<RationalFunction, PortError> {
    let n = a.len();
    let mut product = RationalFunction::one();
    for column in 0..n {
        let Some(pivot) = (column..n).find(|&row| !a[row][column].is_zero()) else {
            return Ok(RationalFunction::zero());
        };
        if pivot != column {
            a.swap(pivot, column);
            product = product.negate();
        }
        product = product.mul(&a[column][column], budget)?;
        let inverse = a[column][column]
            .recip()
            .or_internal("a pivot is not zero")
            .map_err(OutOfBudget::from)?;
        let row = a[column].clone();
        for other in a.iter_mut().skip(column + 1) {
            let factor = other[column].mul(&inverse, budget)?;
            for (entry, value) in other.iter_mut().zip(&row).skip(column) {
                *entry = entry.sub(&factor.mul(value, budget)?, budget)?;
            }
        }
    }
    Ok(product)
}

fn times(a: &Square, b: &Square, budget: &mut Budget) -> Result<Square, PortError> {
    let n = a.len();
    let mut product = vec![vec![RationalFunction::zero(); n]; n];
    for (i, row) in product.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            for k in 0..n {
                *entry = entry.add(&a[i][k].mul(&b[k][j], budget)?, budget)?;
            }
        }
    }
    Ok(product)
}

/// The coefficients of `det(x - K)`, constant first, by Faddeev and LeVerrier.
fn characteristic(k: &Square, budget: &mut Budget) -> Result<Vec<RationalFunction>, PortError> {
    let n = k.len();
    let mut power = vec![vec![RationalFunction::zero(); n]; n];
    for (i, row) in power.iter_mut().enumerate() {
        row[i] = RationalFunction::one();
    }
    let mut coefficients = vec![RationalFunction::one()];
    for step in 1..=n {
        let product = times(k, &power, budget)?;
        let mut trace = RationalFunction::zero();
        for (i, row) in product.iter().enumerate() {
            trace = trace.add(&row[i], budget)?;
        }
        let last = i64::try_from(step).unwrap_or(i64::MAX);
        let weight = Rational::new(-1, last).or_noticed("steps are counted from one");
        let c = trace.mul(&RationalFunction::constant(weight), budget)?;
        power = product;
        for (i, row) in power.iter_mut().enumerate() {
            row[i] = row[i].add(&c, budget)?;
        }
        coefficients.push(c);
    }
    coefficients.reverse();
    Ok(coefficients)
}

/// The elementary symmetric functions of the eigenvalues, trace first.
pub(super) fn symmetric_functions(
    matrix: &Square,
    budget: &mut Budget,
) -> Result<Vec<RationalFunction>, PortError> {
    let coefficients = characteristic(matrix, budget)?;
    let list = coefficients.into_iter().rev().enumerate().skip(1);
    Ok(list.map(|(k, c)| if k % 2 == 1 { c.negate() } else { c }).collect())
}

/// The coefficients, constant first and monic, of the square-free part of the characteristic
/// polynomial; `None` if it does not annihilate the matrix.
fn square_free_part(
    k: &Square,
    budget: &mut Budget,
) -> Result<Option<Vec<RationalFunction>>, PortError> {
    let n = k.len();
    let coefficients = characteristic(k, budget)?;
    let slope: Vec<RationalFunction> = coefficients
        .iter()
        .enumerate()
        .skip(1)
        .map(|(d, c)| {
            let d = i64::try_from(d).unwrap_or(i64::MAX);
            c.mul(&RationalFunction::constant(Rational::integer(d)), budget)
        })
        .collect::<Result<_, _>>()?;
    let common = gcd(coefficients.clone(), slope, budget)?;
    let (part, _) = divided(&coefficients, &common, budget)?;
    let mut value = vec![vec![RationalFunction::zero(); n]; n];
    for c in part.iter().rev() {
        value = times(k, &value, budget)?;
        for (i, row) in value.iter_mut().enumerate() {
            row[i] = row[i].add(c, budget)?;
        }
    }
    let zero = value.iter().flatten().all(RationalFunction::is_zero);
    Ok(zero.then_some(part))
}

/// Quotient and remainder; the divisor is monic.
fn divided(
    f: &[RationalFunction],
    g: &[RationalFunction],
    budget: &mut Budget,
) -> Result<(Vec<RationalFunction>, Vec<RationalFunction>), PortError> {
    let mut rest = f.to_vec();
    let mut quotient = Vec::new();
    while rest.len() >= g.len() {
        let Some(lead) = rest.pop() else { break };
        let shift = rest.len() + 1 - g.len();
        for (i, c) in g[..g.len() - 1].iter().enumerate() {
            rest[shift + i] = rest[shift + i].sub(&lead.mul(c, budget)?, budget)?;
        }
        quotient.push(lead);
    }
    quotient.reverse();
    while rest.last().is_some_and(RationalFunction::is_zero) {
        rest.pop();
    }
    Ok((quotient, rest))
}

/// The monic greatest common divisor.
fn gcd(
    mut f: Vec<RationalFunction>,
    mut g: Vec<RationalFunction>,
    budget: &mut Budget,
) -> Result<Vec<RationalFunction>, PortError> {
    loop {
        let inverse = g.last().and_then(RationalFunction::recip);
        let Some(inverse) = inverse else { return Ok(f) };
        for c in &mut g {
            *c = c.mul(&inverse, budget)?;
        }
        let (_, rest) = divided(&f, &g, budget)?;
        (f, g) = (g, rest);
    }
}

/// The Hankel matrices of the power sums of the roots, from Newton's identities.
fn hankel(r: &[RationalFunction], budget: &mut Budget) -> Result<[Square; 2], PortError> {
    let m = r.len() - 1;
    let mut sums = Vec::with_capacity(2 * m + 1);
    for k in 0..=2 * m {
        let count = |value: usize| {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            RationalFunction::constant(Rational::integer(value))
        };
        if k == 0 {
            sums.push(count(m));
            continue;
        }
        // s_k = -(r_(m-1) s_(k-1) + … ) with k r_(m-k) in place of the last for k <= m.
        let mut sum = RationalFunction::zero();
        for i in 1..=m.min(k) {
            let factor = if i == k { count(k) } else { RationalFunction::clone(&sums[k - i]) };
            sum = sum.sub(&r[m - i].mul(&factor, budget)?, budget)?;
        }
        sums.push(sum);
    }
    let matrix = |shift: usize| -> Square {
        (0..m).map(|a| (0..m).map(|b| sums[a + b + shift].clone()).collect()).collect()
    };
    Ok([matrix(0), matrix(1)])
}
