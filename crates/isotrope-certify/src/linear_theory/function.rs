//! Stability functions as quotients of polynomials.

use isotrope_algebra::number::field::FieldElement;
use isotrope_methods::stages::{Operator, Stages, Weights, unit_fraction};
use isotrope_methods::table::{Table, TableProblem};

use super::polynomial::{Polynomial, Real};
use super::quadratic::is_algebraically_stable;
use super::{Reach, ScalarStability, columns, paired, stiffly_accurate};

/// One table on y' = λ y: R(z) = 1 + z b (I − zA)⁻¹ 1, and whether |R| = 1 on the imaginary axis.
pub(super) fn scalar(
    table: &Table,
    real: &mut Real<'_, '_>,
) -> Result<(ScalarStability, bool), TableProblem> {
    let matrix = columns(table, Operator::Velocity);
    // det(I − zA), and the series of R up to the degree of the numerator.
    let denominator = reversed_characteristic(&matrix, real)?;
    let mut series = vec![FieldElement::one()];
    let mut power = table.unit();
    for _ in 0..table.stages {
        series.push(paired(table, Weights::Velocity, &power));
        power = Stages::apply(table, Operator::Velocity, &power);
    }
    let mut numerator = real.times(&series, &denominator)?;
    numerator.truncate(table.stages + 1);
    let (numerator, denominator) = lowest_terms(Real::trimmed(numerator), denominator, real)?;

    let above = real.square_on_imaginary_axis(&numerator)?;
    let below = real.square_on_imaginary_axis(&denominator)?;
    let imaginary_squared = reach(&above, &below, real)?;
    // Poles to the right, and |R| ≤ 1 on the axis: the maximum principle does the rest.
    let mirrored = real.reflected(&denominator);
    let poles = denominator.len() <= 1 || real.is_hurwitz(&mirrored)?;
    let bounded = numerator.len() <= denominator.len();
    let a_stable = poles && bounded && imaginary_squared == Reach::Everywhere;
    let negative = if a_stable {
        Reach::Everywhere
    } else {
        let (above, below) = (real.reflected(&numerator), mirrored);
        let (above, below) = (real.times(&above, &above)?, real.times(&below, &below)?);
        reach(&above, &below, real)?
    };
    let keeps_area = above == below;
    let stability = ScalarStability {
        l_stable: a_stable && numerator.len() < denominator.len(),
        negative,
        imaginary_squared,
        a_stable,
        algebraically_stable: is_algebraically_stable(table, real)?,
        stiffly_accurate: stiffly_accurate(table),
        numerator,
        denominator,
    };
    Ok((stability, keeps_area))
}

/// How far x² of the one does not exceed the other.
fn reach(
    above: &[FieldElement],
    below: &[FieldElement],
    real: &mut Real<'_, '_>,
) -> Result<Reach, TableProblem> {
    let difference = real.combine(above, -1, below);
    Ok(Reach::of(real.rise(&difference)?))
}

/// q'' = −ω² q with w = (hω)²: the map of (q, hv) has entries over det(I + wÂ). Eigenvalues stay in the unit disc while
/// |det| ≤ 1 and |tr| ≤ 1 + det.
pub(super) fn oscillator(
    table: &Table,
    real: &mut Real<'_, '_>,
) -> Result<(Reach, bool), TableProblem> {
    let twice = |x: &[FieldElement]| {
        let inner = Stages::apply(table, Operator::Velocity, x);
        Stages::apply(table, Operator::Position, &inner)
    };
    let matrix: Vec<Vec<FieldElement>> = table.basis().iter().map(|x| twice(x)).collect();
    // det(I − zÂ) at z = −w.
    let common = reversed_characteristic(&matrix, real)?;
    let common = real.reflected(&common);
    let nodes = Stages::apply(table, Operator::Position, &table.unit());
    let mut entries = Vec::with_capacity(4);
    for (weights, start) in [
        (Weights::Position, table.unit()),
        (Weights::Position, nodes.clone()),
        (Weights::Velocity, table.unit()),
        (Weights::Velocity, nodes),
    ] {
        // −w weights·Σ(−wÂ)ᵏ start.
        let mut series = vec![FieldElement::zero()];
        let mut power = start;
        for _ in 0..table.stages {
            let seen = match weights {
                Weights::Position => Stages::apply(table, Operator::Velocity, &power),
                _ => power.clone(),
            };
            series.push(paired(table, weights, &seen));
            power = twice(&power);
        }
        let series = real.reflected(&series);
        let mut entry = real.times(&series, &common)?;
        entry.truncate(table.stages + 1);
        entries.push(Real::trimmed(entry));
    }
    let sum = paired(table, Weights::Position, &table.unit());
    let [qq, qv, vq, vv] = &entries[..] else { return Ok((Reach::Nowhere, false)) };
    let qq = real.combine(&common, 1, qq);
    let vv = real.combine(&common, 1, vv);
    let moved = real.times(&[sum], &common)?;
    let qv = real.combine(&moved, 1, qv);
    let product = real.times(&qq, &vv)?;
    let other = real.times(&qv, vq)?;
    let determinant = real.combine(&product, -1, &other);
    let square = real.times(&common, &common)?;
    let trace = real.combine(&qq, 1, &vv);
    let trace = real.times(&trace, &common)?;
    let keeps_area = determinant == square;
    let with_one = real.combine(&square, 1, &determinant);
    let (trace, bound) = (real.times(&trace, &trace)?, real.times(&with_one, &with_one)?);
    let by_trace = reach(&trace, &bound, real)?;
    let (above, below) = (real.times(&determinant, &determinant)?, real.times(&square, &square)?);
    let by_determinant = reach(&above, &below, real)?;
    let nearer =
        if by_trace.to_f64() <= by_determinant.to_f64() { by_trace } else { by_determinant };
    Ok((nearer, keeps_area))
}

/// det(I − zA) for a matrix given by columns, by Faddeev and LeVerrier.
fn reversed_characteristic(
    matrix: &[Vec<FieldElement>],
    real: &mut Real<'_, '_>,
) -> Result<Polynomial, TableProblem> {
    let size = matrix.len();
    let mut characteristic = vec![FieldElement::one()];
    // M₁ = I, c_k = −tr(A M_k)/k, M_{k+1} = A M_k + c_k I.
    let mut current: Vec<Vec<FieldElement>> =
        (0..size).map(|j| (0..size).map(|i| real.rational(i64::from(i == j))).collect()).collect();
    for k in 1..=size {
        let mut next = Vec::with_capacity(size);
        for column in &current {
            real.pay(size * size, column)?;
            let mut image = vec![FieldElement::zero(); size];
            for (factor, source) in column.iter().zip(matrix) {
                if factor.is_zero() {
                    continue;
                }
                for (value, entry) in image.iter_mut().zip(source) {
                    *value = real.field.add(value, &real.field.mul(factor, entry));
                }
            }
            next.push(image);
        }
        let trace =
            (0..size).fold(FieldElement::zero(), |sum, i| real.field.add(&sum, &next[i][i]));
        let share = -unit_fraction(k);
        let coefficient = real.field.scale(&trace, &share);
        for (i, column) in next.iter_mut().enumerate() {
            column[i] = real.field.add(&column[i], &coefficient);
        }
        characteristic.push(coefficient);
        current = next;
    }
    Ok(Real::trimmed(characteristic))
}

/// Without common factors, with the denominator 1 at 0.
fn lowest_terms(
    numerator: Polynomial,
    denominator: Polynomial,
    real: &mut Real<'_, '_>,
) -> Result<(Polynomial, Polynomial), TableProblem> {
    let common = real.common(&numerator, &denominator)?;
    if common.len() <= 1 {
        return Ok((numerator, denominator));
    }
    let (numerator, _) = real.divided(&numerator, &common)?;
    let (denominator, _) = real.divided(&denominator, &common)?;
    // The denominator is 1 at 0, so no common factor vanishes there.
    let inverse = real.field.inverse(&denominator[0])?;
    let scaled = |p: &[FieldElement]| p.iter().map(|c| real.field.mul(c, &inverse)).collect();
    Ok((scaled(&numerator), scaled(&denominator)))
}
