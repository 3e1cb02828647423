use isotrope_algebra::evaluate::evaluate_ball;
use isotrope_algebra::{ExprId, Pool, Precision, Rational};

use super::{Factor, Group, Retraction, Series, Side};

const FACTORS: [Factor; 5] =
    [Factor::ALL[0], Factor::ALL[1], Factor::ALL[2], Factor::ALL[3], Factor::translations(2)];
const CLOSED: Retraction = Retraction::Exponential(Series::Closed);
const POLYNOMIAL: Retraction = Retraction::Exponential(Series::Polynomial);
const MAPS: [Retraction; 3] = [Retraction::Cayley, CLOSED, POLYNOMIAL];

fn number(pool: &Pool, id: ExprId) -> f64 {
    evaluate_ball(pool, id, &Default::default(), Precision::new(320)).unwrap().to_f64()
}

/// Rational numbers without a pattern, of size about `size`/10.
fn vector(pool: &mut Pool, factor: Factor, seed: i64, size: i64) -> Vec<ExprId> {
    let component =
        |k: i64| Rational::new(size * (2 * ((seed * 37 + k * 61) % 23) - 23), 230).unwrap();
    (0..factor.dimension() as i64).map(|k| pool.number(component(k + 1))).collect()
}

fn close(pool: &Pool, x: &[ExprId], y: &[ExprId], tolerance: f64) {
    assert_eq!(x.len(), y.len());
    for (&x, &y) in x.iter().zip(y) {
        let (x, y) = (number(pool, x), number(pool, y));
        assert!((x - y).abs() <= tolerance * (1.0 + y.abs()), "{x} {y}");
    }
}

/// Compares as group elements: the quaternions q and −q are one rotation.
fn same(pool: &mut Pool, factor: Factor, g: &[ExprId], h: &[ExprId], tolerance: f64) {
    let group = Group::new(vec![factor]);
    let (g, h) = (group.entries(pool, g), group.entries(pool, h));
    close(pool, &g, &h, tolerance);
}

#[test]
fn the_product_is_associative_and_inverses_are_inverse() {
    let pool = &mut Pool::new();
    for factor in FACTORS {
        let [a, b, c] = [1, 2, 3].map(|seed| {
            let x = vector(pool, factor, seed, 9);
            Retraction::Cayley.apply(pool, factor, &x)
        });
        let ab = factor.multiply(pool, &a, &b);
        let bc = factor.multiply(pool, &b, &c);
        let (left, right) = (factor.multiply(pool, &ab, &c), factor.multiply(pool, &a, &bc));
        same(pool, factor, &left, &right, 1e-30);
        let back = factor.inverse(pool, &a);
        let one = factor.multiply(pool, &a, &back);
        same(pool, factor, &one, &factor.identity(), 1e-30);
    }
}

#[test]
fn the_bracket_is_the_derivative_of_the_adjoint_and_satisfies_jacobi() {
    let pool = &mut Pool::new();
    for factor in FACTORS {
        let [x, y, z] = [1, 5, 9].map(|seed| vector(pool, factor, seed, 10));
        let bracket = |pool: &mut Pool, a: &[ExprId], b: &[ExprId]| factor.bracket(pool, a, b);
        let mut jacobi = vec![ExprId::ZERO; factor.dimension()];
        for (a, b, c) in [(&x, &y, &z), (&y, &z, &x), (&z, &x, &y)] {
            let inner = bracket(pool, b, c);
            let outer = bracket(pool, a, &inner);
            jacobi = jacobi.iter().zip(outer).map(|(&s, o)| pool.add(s, o)).collect();
        }
        assert!(jacobi.iter().all(|value| value.is_zero()));
        let small = Rational::new(1, 1 << 40).unwrap();
        let step: Vec<ExprId> = x.iter().map(|&x| pool.scale(&small, x)).collect();
        let near = Retraction::Cayley.apply(pool, factor, &step);
        let image = factor.adjoint(pool, &near, &y);
        let quotient: Vec<ExprId> = image
            .iter()
            .zip(&y)
            .map(|(&a, &b)| {
                let change = pool.sub(a, b);
                pool.scale(&small.recip().unwrap(), change)
            })
            .collect();
        let expected = bracket(pool, &x, &y);
        close(pool, &quotient, &expected, 1e-9);
    }
}

#[test]
fn the_adjoint_is_a_homomorphism_and_so_is_its_dual_the_other_way() {
    let pool = &mut Pool::new();
    for factor in FACTORS {
        let group = Group::new(vec![factor, Factor::translations(1)]);
        let element = |pool: &mut Pool, seed: i64| {
            let mut x = vector(pool, factor, seed, 9);
            x.push(ExprId::ONE);
            group.retract(pool, Retraction::Cayley, &x)
        };
        let (g, h) = (element(pool, 4), element(pool, 7));
        let mut x = vector(pool, factor, 11, 10);
        x.push(ExprId::ONE);
        let gh = group.multiply(pool, &g, &h);
        let (inner, whole) = (group.adjoint(pool, &h, &x), group.adjoint(pool, &gh, &x));
        let twice = group.adjoint(pool, &g, &inner);
        close(pool, &whole, &twice, 1e-30);
        let (inner, whole) = (group.adjoint_dual(pool, &g, &x), group.adjoint_dual(pool, &gh, &x));
        let twice = group.adjoint_dual(pool, &h, &inner);
        close(pool, &whole, &twice, 1e-30);
    }
}

#[test]
fn retractions_are_odd_and_agree_with_their_series() {
    let pool = &mut Pool::new();
    for factor in FACTORS {
        for map in MAPS {
            for size in [1, 12, 17] {
                let x = vector(pool, factor, 3, size);
                let back: Vec<ExprId> = x.iter().map(|&x| pool.neg(x)).collect();
                let (there, again) = (map.apply(pool, factor, &x), map.apply(pool, factor, &back));
                let one = factor.multiply(pool, &there, &again);
                same(pool, factor, &one, &factor.identity(), 1e-15);
                if map != Retraction::Cayley {
                    // exp(x) = exp(x/64)^64, and exp of a small element by cay's square root of it.
                    let part: Vec<ExprId> = x
                        .iter()
                        .map(|&x| pool.scale(&Rational::new(1, 1 << 6).unwrap(), x))
                        .collect();
                    let mut power = map.apply(pool, factor, &part);
                    let wanted = there.iter().map(|&id| number(pool, id)).collect::<Vec<_>>();
                    for _ in 0..6 {
                        let values: Vec<ExprId> = factor.multiply(pool, &power, &power);
                        power = rounded(pool, &values);
                    }
                    for (&id, wanted) in power.iter().zip(wanted) {
                        assert!((number(pool, id) - wanted).abs() < 1e-13);
                    }
                }
            }
        }
    }
}

/// Numbers in place of long expressions.
fn rounded(pool: &mut Pool, values: &[ExprId]) -> Vec<ExprId> {
    values
        .iter()
        .map(|&id| {
            let value = Rational::from_f64(number(pool, id)).unwrap();
            pool.number(value)
        })
        .collect()
}

#[test]
fn polynomials_have_the_accuracy_of_the_closed_form_from_zero_to_half_a_turn() {
    let pool = &mut Pool::new();
    for factor in [Factor::ALL[1], Factor::ALL[2], Factor::ALL[3]] {
        for angle in ["1e-30", "1e-9", "0.01", "1", "2", "3", "3.1415"] {
            let angle: Rational = angle.parse().unwrap();
            let axis: &[(i64, i64)] =
                if factor.spins() == 1 { &[(1, 1)] } else { &[(2, 7), (3, 7), (6, 7)] };
            let mut x: Vec<ExprId> = axis
                .iter()
                .map(|&(a, b)| pool.number(&Rational::new(a, b).unwrap() * &angle))
                .collect();
            x.extend((0..factor.shifts()).map(|k| pool.integer(k as i64 + 1)));
            let y = vector(pool, factor, 5, 10);
            let (a, b) = (POLYNOMIAL.apply(pool, factor, &x), CLOSED.apply(pool, factor, &x));
            close(pool, &a, &b, 1e-17);
            for side in [Side::Left, Side::Right] {
                let a = POLYNOMIAL.inverse_derivative(pool, factor, side, &x, &y);
                let b = CLOSED.inverse_derivative(pool, factor, side, &x, &y);
                close(pool, &a, &b, 1e-17);
                let a = POLYNOMIAL.derivative(pool, factor, side, &x, &y);
                let b = CLOSED.derivative(pool, factor, side, &x, &y);
                close(pool, &a, &b, 1e-17);
            }
        }
        // At zero itself both maps and their derivatives are defined.
        let zero = vec![ExprId::ZERO; factor.dimension()];
        let y = vector(pool, factor, 5, 10);
        for map in [Retraction::Cayley, POLYNOMIAL] {
            assert_eq!(map.apply(pool, factor, &zero), factor.identity());
            assert_eq!(map.inverse_derivative(pool, factor, Side::Right, &zero, &y), y);
        }
    }
}

#[test]
fn derivatives_are_limits_of_differences_and_their_inverses_invert() {
    let pool = &mut Pool::new();
    for factor in FACTORS {
        for map in [Retraction::Cayley, CLOSED] {
            let (x, y) = (vector(pool, factor, 3, 12), vector(pool, factor, 8, 10));
            let small = Rational::new(1, 1 << 40).unwrap();
            let moved: Vec<ExprId> = x
                .iter()
                .zip(&y)
                .map(|(&x, &y)| {
                    let change = pool.scale(&small, y);
                    pool.add(x, change)
                })
                .collect();
            let (here, there) = (map.apply(pool, factor, &x), map.apply(pool, factor, &moved));
            let back = factor.inverse(pool, &here);
            for side in [Side::Left, Side::Right] {
                let step = match side {
                    Side::Left => factor.multiply(pool, &back, &there),
                    Side::Right => factor.multiply(pool, &there, &back),
                };
                let slope = map.derivative(pool, factor, side, &x, &y);
                // τ of the step's size: dτ at zero is the identity.
                let step_of_slope: Vec<ExprId> =
                    slope.iter().map(|&s| pool.scale(&small, s)).collect();
                let expected = Retraction::Cayley.apply(pool, factor, &step_of_slope);
                for (&a, &b) in step.iter().zip(&expected) {
                    let error = (number(pool, a) - number(pool, b)).abs();
                    assert!(error < 1e-22, "{factor:?} {map:?} {side:?} {error}");
                }
                let again = map.inverse_derivative(pool, factor, side, &x, &slope);
                close(pool, &again, &y, 1e-30);
            }
        }
    }
}

#[test]
fn duals_are_adjoint() {
    let pool = &mut Pool::new();
    for factor in FACTORS {
        let group = Group::new(vec![factor]);
        let [x, y, mu] = [3, 6, 13].map(|seed| vector(pool, factor, seed, 10));
        let pair = |pool: &mut Pool, a: &[ExprId], b: &[ExprId]| -> f64 {
            a.iter().zip(b).map(|(&a, &b)| number(pool, a) * number(pool, b)).sum()
        };
        for map in [Retraction::Cayley, POLYNOMIAL] {
            for side in [Side::Left, Side::Right] {
                let image = group.inverse_derivative(pool, map, side, &x, &y);
                let dual = group.inverse_derivative_dual(pool, map, side, &x, &mu);
                let (a, b) = (pair(pool, &image, &mu), pair(pool, &dual, &y));
                assert!((a - b).abs() < 1e-13, "{factor:?} {map:?} {a} {b}");
            }
        }
        let (image, dual) = (group.bracket(pool, &x, &y), group.bracket_dual(pool, &x, &mu));
        let (a, b) = (pair(pool, &image, &mu), pair(pool, &dual, &y));
        assert!((a - b).abs() < 1e-13);
    }
}

#[test]
fn entries_change_as_the_numbers_they_are_made_of() {
    let pool = &mut Pool::new();
    let budget = &mut isotrope_algebra::Budget::new(1_000_000);
    for factor in FACTORS {
        let group = Group::new(vec![factor]);
        let names = (0..factor.numbers()).map(|k| pool.symbol(&format!("g{k}")));
        let symbols: Vec<ExprId> = names.collect();
        let xi: Vec<ExprId> =
            (0..factor.dimension()).map(|k| pool.symbol(&format!("xi{k}"))).collect();
        let entries = group.entries(pool, &symbols);
        let rates = group.rates(pool, &symbols, &xi);
        let along: Vec<(ExprId, ExprId)> = symbols.iter().copied().zip(rates).collect();
        let by_chain_rule =
            isotrope_algebra::calculus::directional_derivative(pool, &entries, &along, budget)
                .unwrap();
        let direct = group.entry_rates(pool, &entries, &xi);
        for (a, b) in by_chain_rule.into_iter().zip(direct) {
            let difference = pool.sub(a, b);
            let zero = isotrope_algebra::normal::is_zero(pool, difference, budget);
            assert_eq!(zero, isotrope_algebra::normal::Zero::Yes, "{factor:?}");
        }
    }
}

#[test]
fn trivialised_rates_are_the_element_of_the_algebra_they_come_from() {
    let pool = &mut Pool::new();
    for factor in FACTORS {
        let (x, xi) = (vector(pool, factor, 3, 9), vector(pool, factor, 8, 10));
        let g = Retraction::Cayley.apply(pool, factor, &x);
        let rates = factor.rates(pool, &g, &xi);
        assert_eq!(rates.len(), factor.numbers());
        let found = Group::new(vec![factor]).trivialised(pool, &g, &rates);
        close(pool, &found, &xi, 1e-30);
    }
}
