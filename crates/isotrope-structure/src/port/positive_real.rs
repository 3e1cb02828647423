//! The equations of Kalman, Yakubovich and Popov for `x' = A x + B u, y = C x`: a positive
//! definite Q with `Q B = C^T` and `L = -(Q A + A^T Q)` positive semidefinite. Then `x Q x / 2` is
//! an energy whose rate is at most `y u`.
//!
//! `Q B = C^T` leaves an affine family. For numbers, faces are taken first: if `v L v` is the same
//! on the whole family, for v = B, A^-1 B, …, a negative value excludes everything and zero asks
//! `L v = 0`, which is linear. On what is left there is nothing to choose, one number, decided by
//! the roots of minors, or more, for which a point inside is guessed, rounded and proved.

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::simplify;
use isotrope_algebra::univariate::IntegerPolynomial;
use isotrope_algebra::{Budget, ExprId, OrInternal, Polynomial, Pool, Rational, RationalFunction};

use super::echelon::{Echelon, Row};
use super::invariant::{Square, determinant, symmetric_functions};
use super::matrix_inequality::{Family, interior_point};
use super::sign::{definite, semidefinite};
use super::storage::{LinearSystem, field, lyapunov_row, places, quadratic, symmetric};
use super::{PortError, Problem};

/// Small multiples that are tried of free directions.
const TRIALS: [(i64, i64); 7] = [(0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2)];
/// Vectors that are tried for faces.
const VECTORS: usize = 40;

/// What the search says.
pub(super) enum PositiveReal {
    /// An energy.
    Energy(ExprId),
    /// There is none, with the reason.
    None(&'static str),
    /// None was found.
    Open(&'static str),
}

const SINGULAR: &str = "no symmetric Q has Q B = C^T";
const NEGATIVE: &str = "no Q with Q B = C^T loses energy everywhere";
const INDEFINITE: &str = "no positive definite Q with Q B = C^T loses energy everywhere";
const SYMBOLS: &str =
    "for parameters that are symbols only small multiples were tried; --set gives them values";
const NOT_FOUND: &str = "no Q was found";

type Vector = Vec<RationalFunction>;

/// The numbers of a linear system.
struct Numbers {
    n: usize,
    a: Vector,
    b: Vec<Vector>,
}

impl Numbers {
    fn times(&self, v: &Vector, budget: &mut Budget) -> Result<Vector, PortError> {
        let mut list = Vec::with_capacity(self.n);
        for i in 0..self.n {
            let mut sum = RationalFunction::zero();
            for (k, x) in v.iter().enumerate() {
                sum = sum.add(&self.a[i * self.n + k].mul(x, budget)?, budget)?;
            }
            list.push(sum);
        }
        Ok(list)
    }

    /// `A^-1 v`, if A is regular.
    fn back(&self, v: &Vector, budget: &mut Budget) -> Result<Option<Vector>, PortError> {
        let mut echelon = Echelon::new(vec![0; self.n]);
        for (i, value) in v.iter().enumerate() {
            let mut row: Row = (0..self.n).map(|k| (k, self.a[i * self.n + k].clone())).collect();
            row.insert(self.n, value.clone());
            row.retain(|_, value| !value.is_zero());
            if !echelon.insert_all([row], budget)? {
                return Ok(None);
            }
        }
        Ok((echelon.rank() == self.n).then(|| echelon.solution()))
    }

    /// The equations `(L v)_i = 0`, one for every i.
    fn kernel(&self, v: &Vector, budget: &mut Budget) -> Result<Vec<Row>, PortError> {
        let mut list = Vec::with_capacity(self.n);
        for i in 0..self.n {
            let mut sum = Row::new();
            for (j, x) in v.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
                for (column, value) in lyapunov_row(&self.a, self.n, (i, j), budget)? {
                    let entry = sum.entry(column).or_default();
                    *entry = entry.sub(&value.mul(x, budget)?, budget)?;
                }
            }
            sum.retain(|_, value| !value.is_zero());
            list.push(sum);
        }
        Ok(list)
    }
}

/// Takes the faces on which all solutions lie: false if there is none. Also the vectors with
/// `L v = 0`.
fn faces(
    numbers: &Numbers,
    echelon: &mut Echelon,
    budget: &mut Budget,
) -> Result<Option<Vec<Vector>>, PortError> {
    let n = numbers.n;
    let right = places(n).len();
    let mut vectors: Vec<Vector> = numbers.b.clone();
    for b in &numbers.b {
        vectors.extend(numbers.back(b, budget)?);
    }
    // A v = 0 gives v L v = 0.
    let mut singular = Echelon::new(vec![0; n]);
    for row in numbers.a.chunks(n) {
        let row = row.iter().cloned().enumerate().filter(|(_, x)| !x.is_zero()).collect();
        singular.insert(row, budget)?;
    }
    vectors.extend(singular.directions());
    for i in 0..n {
        let mut unit = vec![RationalFunction::zero(); n];
        unit[i] = RationalFunction::one();
        vectors.push(unit);
    }
    let mut killed: Vec<Vector> = Vec::new();
    let mut next = 0;
    let mut again = false;
    while next < vectors.len() {
        let v = vectors[next].clone();
        next += 1;
        if !killed.contains(&v) {
            // v L v as a function on the family.
            let mut sum = Row::new();
            for (row, x) in numbers.kernel(&v, budget)?.into_iter().zip(&v) {
                for (column, value) in row {
                    let entry = sum.entry(column).or_default();
                    *entry = entry.add(&value.mul(x, budget)?, budget)?;
                }
            }
            sum.retain(|_, value| !value.is_zero());
            // Modulo sum q = b: a combination minus its value.
            let rest = echelon.reduced(sum, budget)?;
            if rest.keys().all(|&column| column == right) {
                let value = rest.get(&right).and_then(RationalFunction::as_constant);
                let value = value.map_or(Rational::ZERO, |value| -&value);
                if value.is_negative() {
                    return Ok(None);
                }
                if value.is_zero() {
                    let rows = numbers.kernel(&v, budget)?;
                    let before = echelon.rank();
                    if !echelon.insert_all(rows, budget)? {
                        return Ok(None);
                    }
                    again |= echelon.rank() > before;
                    killed.push(v.clone());
                    if vectors.len() < VECTORS {
                        vectors.push(numbers.times(&v, budget)?);
                        vectors.extend(numbers.back(&v, budget)?);
                    }
                }
            }
        }
        if next == vectors.len() && again {
            (next, again) = (0, false);
        }
    }
    Ok(Some(killed))
}

/// Looks for the energy.
pub(super) fn positive_real(
    pool: &mut Pool,
    problem: &Problem,
    system: &LinearSystem,
    budget: &mut Budget,
) -> Result<PositiveReal, PortError> {
    let n = problem.states.len();
    let mut entries = system.a.entries().to_vec();
    entries.extend(system.b.iter().flatten().chain(system.c.iter().flatten()));
    let (ring, all) = field(pool, &entries, budget)?;
    let (a, rest) = all.split_at(n * n);
    let (b, c) = rest.split_at(system.b.len() * n);
    let unknowns = places(n).len();
    let mut echelon = Echelon::new(vec![0; unknowns]);
    for port in 0..system.b.len() {
        for i in 0..n {
            let mut row = Row::new();
            for k in 0..n {
                let value = b[port * n + k].clone();
                if let Some(place) = places(n).iter().position(|&p| p == (i.min(k), i.max(k)))
                    && !value.is_zero()
                {
                    row.insert(place, value);
                }
            }
            let right = c[port * n + i].clone();
            if !right.is_zero() {
                row.insert(unknowns, right);
            }
            if !echelon.insert_all([row], budget)? {
                return Ok(PositiveReal::None(SINGULAR));
            }
        }
    }
    let numeric = all.iter().all(|value| value.as_constant().is_some());
    let mut kernel = Vec::new();
    let numbers = Numbers { n, a: a.to_vec(), b: b.chunks(n).map(<[_]>::to_vec).collect() };
    if numeric {
        match faces(&numbers, &mut echelon, budget)? {
            Some(list) => kernel = list,
            None => return Ok(PositiveReal::None(NEGATIVE)),
        }
    }
    let mut diagonal = echelon.clone();
    let mut rows = Vec::new();
    for (i, j) in places(n).into_iter().filter(|(i, j)| i != j) {
        rows.push(lyapunov_row(a, n, (i, j), budget)?);
    }
    let mut trials: Vec<Vector> = Vec::new();
    if diagonal.insert_all(rows, budget)? {
        trials.extend(combinations(&diagonal, budget)?);
    }
    trials.extend(combinations(&echelon, budget)?);
    let found = |pool: &mut Pool, values: &Vector, budget: &mut Budget| {
        let q = symmetric(pool, &ring, n, values);
        let energy = is_passive(pool, problem, system, &q, budget)?;
        let energy = energy.then(|| quadratic(pool, &problem.states, &q, budget));
        Ok::<Option<ExprId>, PortError>(energy)
    };
    for values in &trials {
        if let Some(energy) = found(pool, values, budget)? {
            return Ok(PositiveReal::Energy(energy));
        }
    }
    if !numeric {
        return Ok(PositiveReal::Open(SYMBOLS));
    }
    let (start, directions) = (echelon.solution(), echelon.directions());
    match directions.as_slice() {
        [] => Ok(PositiveReal::None(INDEFINITE)),
        [direction] => {
            let (points, decided) = on_a_line(&numbers, &start, direction, budget)?;
            for point in points {
                let values = moved(&start, &directions, &[point], budget)?;
                if let Some(energy) = found(pool, &values, budget)? {
                    return Ok(PositiveReal::Energy(energy));
                }
            }
            Ok(if decided { PositiveReal::None(INDEFINITE) } else { PositiveReal::Open(NOT_FOUND) })
        }
        _ => {
            let blocks = [
                family_of_energies(n, &start, &directions),
                family_of_losses(&numbers, &start, &directions, &kernel, budget)?,
            ];
            let Some(point) = interior_point(&blocks, budget)? else {
                return Ok(PositiveReal::Open(NOT_FOUND));
            };
            for grid in [1, 2, 3, 4, 8, 16, 64, 256, 4096, 1 << 16, 1 << 24] {
                let rounded: Vec<Rational> = point.iter().map(|&x| round(x, grid)).collect();
                let values = moved(&start, &directions, &rounded, budget)?;
                if let Some(energy) = found(pool, &values, budget)? {
                    return Ok(PositiveReal::Energy(energy));
                }
            }
            Ok(PositiveReal::Open(NOT_FOUND))
        }
    }
}

/// Is Q positive definite and `Q A + A^T Q` nowhere positive? Exactly.
fn is_passive(
    pool: &mut Pool,
    problem: &Problem,
    system: &LinearSystem,
    q: &Matrix,
    budget: &mut Budget,
) -> Result<bool, PortError> {
    let n = problem.states.len();
    if !definite(pool, q, &problem.values, budget)?.holds() {
        return Ok(false);
    }
    let product = q.times(pool, &system.a);
    let mut lost = Matrix::zero(n, n);
    for i in 0..n {
        for j in 0..n {
            let sum = pool.add(product.get(i, j), product.get(j, i));
            let value = pool.neg(sum);
            let value = simplify(pool, value, budget);
            lost.set(i, j, value);
        }
    }
    Ok(semidefinite(pool, &[], &lost, &problem.values, budget)?.holds())
}

/// The nearest number with this denominator.
fn round(x: f64, grid: i64) -> Rational {
    let half = Rational::half();
    let scaled = Rational::from_f64(x).unwrap_or_default();
    let scaled = &(&scaled * &Rational::integer(grid)) + &half;
    let whole = i64::try_from(scaled.floor()).unwrap_or(0);
    Rational::new(whole, grid).or_noticed("the grid is positive")
}

fn moved(
    start: &Vector,
    directions: &[Vector],
    point: &[Rational],
    budget: &mut Budget,
) -> Result<Vector, PortError> {
    let mut values = start.clone();
    for (direction, factor) in directions.iter().zip(point) {
        let factor = RationalFunction::constant(factor.clone());
        for (value, change) in values.iter_mut().zip(direction) {
            *value = value.add(&change.mul(&factor, budget)?, budget)?;
        }
    }
    Ok(values)
}

/// The solution with small multiples of up to two free directions.
fn combinations(echelon: &Echelon, budget: &mut Budget) -> Result<Vec<Vector>, PortError> {
    let mut list = vec![echelon.solution()];
    for direction in echelon.directions().iter().take(2) {
        let mut longer = Vec::new();
        for vector in &list {
            for (p, q) in TRIALS {
                let factor = Rational::new(p, q).or_noticed("trials have denominators");
                longer.push(moved(vector, std::slice::from_ref(direction), &[factor], budget)?);
            }
        }
        list = longer;
    }
    Ok(list)
}

/// The symmetric matrix with these entries.
fn square(n: usize, values: &Vector) -> Square {
    let mut q = vec![vec![RationalFunction::zero(); n]; n];
    for (&(i, j), value) in places(n).iter().zip(values) {
        q[i][j] = value.clone();
        q[j][i] = value.clone();
    }
    q
}

/// `-(Q A + A^T Q)`.
fn losses(numbers: &Numbers, values: &Vector, budget: &mut Budget) -> Result<Square, PortError> {
    let n = numbers.n;
    let mut lost = vec![vec![RationalFunction::zero(); n]; n];
    for (i, j) in places(n) {
        let mut sum = RationalFunction::zero();
        for (column, factor) in lyapunov_row(&numbers.a, n, (i, j), budget)? {
            sum = sum.sub(&factor.mul(&values[column], budget)?, budget)?;
        }
        lost[i][j] = sum.clone();
        lost[j][i] = sum;
    }
    Ok(lost)
}

fn number(value: &RationalFunction) -> f64 {
    value.as_constant().or_noticed("the coefficients of linear equations are numbers").to_f64()
}

fn family_of_energies(n: usize, start: &Vector, directions: &[Vector]) -> Family {
    let list = std::iter::once(start).chain(directions);
    let matrix = |values: &Vector| -> Vec<Vec<f64>> {
        square(n, values).iter().map(|row| row.iter().map(number).collect()).collect()
    };
    list.map(matrix).collect()
}

/// L on a complement of the vectors that it kills.
fn family_of_losses(
    numbers: &Numbers,
    start: &Vector,
    directions: &[Vector],
    kernel: &[Vector],
    budget: &mut Budget,
) -> Result<Family, PortError> {
    let n = numbers.n;
    let mut span = Echelon::new(vec![0; n]);
    for v in kernel {
        let row = v.iter().cloned().enumerate().filter(|(_, x)| !x.is_zero()).collect();
        span.insert(row, budget)?;
    }
    // Unit vectors off the pivots complete the kernel to a basis.
    let kept: Vec<usize> = (0..n).filter(|&i| !span.determines(i)).collect();
    let mut family = Vec::with_capacity(directions.len() + 1);
    for values in std::iter::once(start).chain(directions) {
        let lost = losses(numbers, values, budget)?;
        let part: Vec<Vec<f64>> =
            kept.iter().map(|&i| kept.iter().map(|&j| number(&lost[i][j])).collect()).collect();
        family.push(part);
    }
    Ok(family)
}

/// Numbers s of which one makes `Q0 + s Q1` a solution, if there is a rational one; and whether
/// that is certain.
fn on_a_line(
    numbers: &Numbers,
    start: &Vector,
    direction: &Vector,
    budget: &mut Budget,
) -> Result<(Vec<Rational>, bool), PortError> {
    let n = numbers.n;
    let s = RationalFunction::variable(0);
    let mut values = Vec::with_capacity(start.len());
    for (value, change) in start.iter().zip(direction) {
        values.push(value.add(&change.mul(&s, budget)?, budget)?);
    }
    let q = square(n, &values);
    // Minors of Q have to be positive. L is positive semidefinite exactly if no elementary
    // symmetric function of its eigenvalues is negative.
    let mut signs: Vec<(RationalFunction, bool)> = Vec::new();
    for corner in 1..=n {
        let part: Square = q[..corner].iter().map(|row| row[..corner].to_vec()).collect();
        signs.push((determinant(part, budget)?, true));
    }
    let lost = symmetric_functions(&losses(numbers, &values, budget)?, budget)?;
    signs.extend(lost.into_iter().map(|value| (value, false)));
    let mut conditions = Vec::new();
    let mut factors: Vec<IntegerPolynomial> = Vec::new();
    for (sign, strict) in &signs {
        let mut own = Vec::new();
        for factor in isotrope_algebra::ideal::factors(sign.numerator(), budget)? {
            let factor = univariate(&factor.polynomial);
            if !factor.is_constant() {
                own.push(factor);
            }
        }
        for factor in &own {
            if !factors.contains(factor) && !factors.contains(&factor.neg()) {
                factors.push(factor.clone());
            }
        }
        conditions.push((univariate(sign.numerator()), *strict, own));
    }
    let product = factors.iter().fold(IntegerPolynomial::one(), |all, one| all.mul(one));
    let mut roots = product.real_roots(budget)?;
    for place in 1..roots.len() {
        for _ in 0..400 {
            if roots[place - 1].high() < roots[place].low() {
                break;
            }
            roots[place - 1].bisect(&product);
            roots[place].bisect(&product);
        }
    }
    let one = Rational::ONE;
    let mut points = match (roots.first(), roots.last()) {
        (Some(first), Some(last)) => {
            let (low, high) = (first.low().clone(), last.high().clone());
            let far = Rational::integer(3);
            vec![between(&(&low - &far), &(&low - &one)), between(&(&high + &one), &(&high + &far))]
        }
        _ => vec![Rational::ZERO],
    };
    for pair in roots.windows(2) {
        points.push(between(pair[0].high(), pair[1].low()));
    }
    for factor in &factors {
        if let [constant, slope] = factor.coefficients() {
            let up = Rational::from(-constant.clone());
            points.extend(up.checked_div(&Rational::from(slope.clone())));
        }
    }
    // At an irrational root a condition has to fail, or nothing is decided.
    let mut decided = true;
    for root in roots.iter().filter(|root| root.as_exact().is_none()) {
        let (low, high) = (root.low(), root.high());
        let changes =
            |p: &IntegerPolynomial| p.evaluate(low).is_negative() != p.evaluate(high).is_negative();
        let owners = |list: &[IntegerPolynomial]| {
            list.iter().any(|p| p.degree().is_some_and(|d| d > 1) && changes(p))
        };
        if !owners(&factors) {
            continue;
        }
        let half = Rational::half();
        let middle = &(low + high) * &half;
        let fails = |(p, strict, own): &(IntegerPolynomial, bool, Vec<IntegerPolynomial>)| {
            if owners(own) { *strict } else { p.evaluate(&middle).is_negative() }
        };
        decided &= conditions.iter().any(fails);
    }
    Ok((points, decided))
}

/// The polynomial in its only variable.
fn univariate(p: &Polynomial) -> IntegerPolynomial {
    let degree = usize::from(p.degree_in(0));
    let mut coefficients = vec![Rational::ZERO; degree + 1];
    for (monomial, value) in p.terms() {
        coefficients[usize::from(monomial.exponent(0))] = value.clone();
    }
    IntegerPolynomial::from_rationals(&coefficients)
}

/// A number strictly between, with a small denominator.
fn between(low: &Rational, high: &Rational) -> Rational {
    for grid in (1..=64).chain([256, 4096, 1 << 20]) {
        let scaled = low * &Rational::integer(grid);
        let whole = &Rational::from(scaled.floor()) + &Rational::ONE;
        if let Some(value) = whole.checked_div(&Rational::integer(grid))
            && value < *high
        {
            return value;
        }
    }
    let half = Rational::half();
    &(low + high) * &half
}
