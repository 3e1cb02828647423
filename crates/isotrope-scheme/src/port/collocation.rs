//! Collocation with means of ∇H: a polynomial u of degree s with u(0) = x and, at the nodes c_i of Gauss,
//!
//! u'(c_i) = (J − R)(u(c_i)) e_i + g(u(c_i)) u_i,   e_i = (1/b_i) ∫ ℓ_i(τ) ∇H(u(τ)) dτ,
//!
//! where ℓ_i are the polynomials of Lagrange. As u' = Σ ℓ_i u'(c_i), ΔH = h Σ b_i u'(c_i)·e_i: the matrices are those
//! of points, and the balance is exact. Order 2s. One stage is the average vector field.
//!
//! D. Cohen and E. Hairer, Linear energy-preserving integrators for Poisson systems (2011);
//! E. Hairer, Energy-preserving variant of collocation methods (2010).

use isotrope_algebra::{ExprId, Internal, Rational};

use super::{Flow, Form, Quadrature, finish};
use crate::DiscretiseError;
use crate::mechanics::{Point, Writer};
use crate::pieces::{Way, polynomial};
use crate::registry::Written;
use crate::stages::{Digits, Numbers};
use isotrope_methods::table::Table;

/// The mean of ∇H along the chord, with the matrices in the middle.
pub(crate) fn average(writer: &mut Writer<'_>) -> Written {
    write(writer, 1)
}

/// With this many stages.
pub(super) fn write(writer: &mut Writer<'_>, stages: usize) -> Written {
    if let Some(descriptor) = writer.state.and_then(|state| state.descriptor.as_ref()) {
        return super::descriptor::write(writer, descriptor, stages);
    }
    let form = Form::new(writer)?;
    let gauss = Numbers::new(&Table::gauss(stages)?, writer.digits, writer.budget)?;
    let nodes: Vec<Rational> = (0..stages).map(|i| gauss.node(i)).collect();
    let slopes: Vec<Vec<ExprId>> =
        nodes.iter().enumerate().map(|(i, node)| writer.unknown_stage(node, i)).collect();
    let basis =
        (0..stages).map(|i| lagrange(&nodes, i)).collect::<Result<Vec<Vec<Rational>>, _>>()?;
    let Quadrature { numbers: quadrature, mut exact } = form.quadrature(writer, stages)?;
    let (smooth, smooth_explicit) = form.smooth();
    let digits = writer.digits;
    let here = writer.here();
    let (mut gradients, mut explicit) = (Vec::new(), Vec::new());
    for (k, weight) in quadrature.weights().iter().enumerate() {
        let tau = quadrature.node(k);
        let row: Vec<Rational> =
            basis.iter().map(|p| rounded(value(&integral(p), &tau), digits)).collect();
        let moved = writer.combined(&here.q, &row, writer.h, &slopes);
        let q = writer.define(&format!("_{}", k + 1), moved);
        let later = writer.pool.scale(&tau, writer.h);
        let t = writer.pool.add(here.t, later);
        let place = Point { q, v: here.v.clone(), t };
        let gradient = writer.at(&place, smooth)?;
        gradients.push(writer.define(&format!("_g{}", k + 1), gradient));
        let rate = writer.at(&place, smooth_explicit)?[0];
        explicit.push(writer.pool.scale(weight, rate));
    }
    let kinks = kinks(writer, &form, (&basis, gauss.weights()), &slopes, &mut exact)?;
    explicit.extend(kinks.last().and_then(|with_one| with_one.last()));
    let mut efforts = Vec::with_capacity(stages);
    for (i, basis) in basis.iter().enumerate() {
        let share = |k: usize| -> Result<Rational, Internal> {
            let weight = &quadrature.weights()[k] * &value(basis, &quadrature.node(k));
            Ok(rounded(weight.divided_by(&gauss.weights()[i])?, digits))
        };
        let shares = (0..quadrature.count()).map(share).collect::<Result<Vec<Rational>, _>>()?;
        let effort = writer.combined(&kinks[i][..here.q.len()], &shares, ExprId::ONE, &gradients);
        efforts.push(writer.define(&format!("_e{}", i + 1), effort));
    }
    let explicit = writer.pool.sum(&explicit);
    if !exact {
        let moved = writer.combined(&here.q, gauss.weights(), writer.h, &slopes);
        let q = writer.define("_end", moved);
        let end = Point { q, v: here.v.clone(), t: writer.later() };
        efforts = form.balanced(writer, gauss.weights(), &slopes, efforts, (&end, explicit))?;
    }
    let mut flows: Vec<Flow> = Vec::with_capacity(stages);
    for (i, effort) in efforts.iter().enumerate() {
        let moved = writer.combined(&here.q, gauss.row(i), writer.h, &slopes);
        let q = writer.define(&format!("_c{}", i + 1), moved);
        let later = writer.pool.scale(&nodes[i], writer.h);
        let t = writer.pool.add(here.t, later);
        flows.push(form.flow(writer, &Point { q, v: here.v.clone(), t }, effort)?);
    }
    finish(writer, gauss.weights(), &slopes, &flows, explicit)
}

/// What kinks contribute to the means with weights ℓ_i/b_i and, last, 1.
fn kinks(
    writer: &mut Writer<'_>,
    form: &Form,
    (basis, weights): (&[Vec<Rational>], &[Rational]),
    slopes: &[Vec<ExprId>],
    exact: &mut bool,
) -> Result<Vec<Vec<ExprId>>, DiscretiseError> {
    let mut moments = Vec::with_capacity(basis.len() + 1);
    for (polynomial, weight) in basis.iter().zip(weights) {
        let scaled = |c: &Rational| Ok(rounded(c.divided_by(weight)?, writer.digits));
        moments.push(polynomial.iter().map(scaled).collect::<Result<Vec<_>, Internal>>()?);
    }
    if basis.len() > 1 {
        moments.push(vec![Rational::ONE]);
    }
    let digits = writer.digits;
    let ways: Vec<Vec<Rational>> = basis
        .iter()
        .map(|p| integral(p).into_iter().map(|c| rounded(c, digits)).collect())
        .collect();
    let place = |writer: &mut Writer<'_>, tau: ExprId| {
        let here = writer.here();
        let mut q = here.q;
        for (way, slope) in ways.iter().zip(slopes) {
            let share = polynomial(&mut writer.pool, way, tau);
            let far = writer.pool.mul(share, writer.h);
            q = writer.drifted(&q, far, slope);
        }
        let later = writer.pool.mul(tau, writer.h);
        let t = writer.pool.add(here.t, later);
        Point { q, v: here.v, t }
    };
    let way = Way { place: &place, degree: basis.len() };
    let (means, kinks_exact) = form.kinks(writer, &way, &moments)?;
    *exact &= kinks_exact;
    Ok(means)
}

/// The coefficients of ℓ_i, from the constant on.
pub(super) fn lagrange(nodes: &[Rational], i: usize) -> Result<Vec<Rational>, Internal> {
    let mut polynomial = vec![Rational::ONE];
    for (j, node) in nodes.iter().enumerate().filter(|(j, _)| *j != i) {
        debug_assert_ne!(i, j);
        let scale = (&nodes[i] - node).inverse()?;
        let mut product = vec![Rational::ZERO; polynomial.len() + 1];
        for (k, coefficient) in polynomial.iter().enumerate() {
            let scaled = coefficient * &scale;
            product[k] = &product[k] - &(&scaled * node);
            product[k + 1] = &product[k + 1] + &scaled;
        }
        polynomial = product;
    }
    Ok(polynomial)
}

/// ∫₀.
pub(super) fn integral(polynomial: &[Rational]) -> Vec<Rational> {
    let terms = polynomial.iter().zip(0..).map(|(c, k)| c * &Rational::integral_of_power(k));
    std::iter::once(Rational::ZERO).chain(terms).collect()
}

pub(super) fn value(polynomial: &[Rational], at: &Rational) -> Rational {
    polynomial.iter().rev().fold(Rational::ZERO, |sum, coefficient| &(&sum * at) + coefficient)
}

/// A coefficient as the nearest double, unless more digits are wanted.
pub(super) fn rounded(number: Rational, digits: Digits) -> Rational {
    match digits {
        Digits::Double => Rational::from_f64(number.to_f64()).unwrap_or(number),
        Digits::Bits(_) => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lagrange_polynomials_are_one_at_their_node_and_sum_up_to_one() {
        let number = |text: &str| text.parse::<Rational>().unwrap();
        let nodes = ["1/5", "1/2", "7/8"].map(number);
        let basis: Vec<Vec<Rational>> = (0..3).map(|i| lagrange(&nodes, i).unwrap()).collect();
        for (i, polynomial) in basis.iter().enumerate() {
            for (j, node) in nodes.iter().enumerate() {
                let wanted = if i == j { Rational::ONE } else { Rational::ZERO };
                assert_eq!(value(polynomial, node), wanted);
            }
        }
        let at = number("3/7");
        let sum = basis.iter().fold(Rational::ZERO, |sum, p| &sum + &value(&integral(p), &at));
        assert_eq!(sum, at);
    }
}
