//! A step by hand: geodesics of the unit circle, in exact rational arithmetic.

use crate::table::Coefficients;
use isotrope_algebra::modular::PRIME;
use isotrope_algebra::{Precision, Rational};

use super::problem::{Constraint, Lagrangian, Ridges};
use super::*;

/// Series in h with rational coefficients, written out as plainly as possible.
type Series = Vec<Rational>;

const ORDER: usize = 7;

fn number(n: i64, d: i64) -> Rational {
    Rational::new(n, d).unwrap()
}

fn constant(x: Rational) -> Series {
    let mut series = vec![Rational::from(0); ORDER + 1];
    series[0] = x;
    series
}

fn add(x: &Series, y: &Series) -> Series {
    x.iter().zip(y).map(|(x, y)| x + y).collect()
}

fn mul(x: &Series, y: &Series) -> Series {
    let mut product = vec![Rational::from(0); ORDER + 1];
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate().take(ORDER + 1 - i) {
            product[i + j] = &product[i + j] + &(x * y);
        }
    }
    product
}

/// By long division.
fn div(x: &Series, y: &Series) -> Series {
    let mut rest = x.clone();
    let mut quotient = Vec::new();
    for power in 0..=ORDER {
        let digit = rest[power].checked_div(&y[0]).unwrap();
        for (i, y) in y.iter().enumerate().take(ORDER + 1 - power) {
            rest[power + i] = &rest[power + i] - &(&digit * y);
        }
        quotient.push(digit);
    }
    quotient
}

fn step(x: &Series, rate: &Series, factor: &Rational) -> Series {
    let mut result = x.clone();
    for power in 0..ORDER {
        result[power + 1] = &result[power + 1] + &(factor * &rate[power]);
    }
    result
}

/// q'' = −(v·v)/(q·q) q on the circle, with M = 1 and no potential.
fn acceleration(q: &[Series; 2], v: &[Series; 2]) -> [Series; 2] {
    let square = |x: &[Series; 2]| add(&mul(&x[0], &x[0]), &mul(&x[1], &x[1]));
    let factor = div(&square(v), &square(q));
    let minus = constant(number(-1, 1));
    [0, 1].map(|i| mul(&minus, &mul(&factor, &q[i])))
}

/// Heun's method in both groups, by hand; positions relative to the start.
fn heun() -> (Vec<Series>, Vec<Series>) {
    let (one, half) = (number(1, 1), number(1, 2));
    let q = [constant(number(3, 5)), constant(number(4, 5))];
    let v = [constant(number(-8, 5)), constant(number(6, 5))];
    let f = acceleration(&q, &v);
    let later_q = [0, 1].map(|i| step(&q[i], &v[i], &one));
    let later_v = [0, 1].map(|i| step(&v[i], &f[i], &one));
    let later_f = acceleration(&later_q, &later_v);
    let minus = |i: usize| constant(-&q[i][0]);
    let q_end =
        [0, 1].map(|i| add(&minus(i), &step(&step(&q[i], &v[i], &half), &later_v[i], &half)));
    let v_end = [0, 1].map(|i| step(&step(&v[i], &f[i], &half), &later_f[i], &half));
    (q_end.to_vec(), v_end.to_vec())
}

/// The same problem in the form of the samples: φ = q₀·x + |x|²/2, x the displacement.
fn circle<S: Scalars>(scalars: &S) -> Problem<S::Element> {
    let x = |n, d| scalars.rational(&number(n, d)).unwrap();
    let identity = || vec![vec![x(1, 1), x(0, 1)], vec![x(0, 1), x(1, 1)]];
    let none = || Ridges { weights: Vec::new(), positions: Vec::new(), velocities: Vec::new() };
    Problem {
        class: Class::Sphere,
        coordinates: 2,
        velocity: vec![x(-8, 5), x(6, 5)],
        lagrangian: Lagrangian {
            mass: Some((identity(), Some(identity()))),
            kinetic: none(),
            potential: none(),
            general: none(),
        },
        constraints: vec![Constraint {
            linear: vec![x(3, 5), x(4, 5)],
            quadratic: identity(),
            ridges: none(),
        }],
    }
}

fn end<S: Scalars>(scalars: &S) -> State<S::Element> {
    let rows = [vec![number(0, 1), number(0, 1)], vec![number(1, 1), number(0, 1)]];
    let table =
        Coefficients::one_table_over(scalars, &rows, &[number(1, 2), number(1, 2)]).unwrap();
    let jets = Jets::new(scalars, ORDER, 0).unwrap();
    let problem = circle(scalars);
    run(&jets, &problem, &table, &problem.start(&jets, &[])).unwrap()
}

#[test]
fn a_step_on_the_circle_is_the_one_done_by_hand() {
    let (q, v) = heun();
    let field = PrimeField::new(PRIME).unwrap();
    let residues = end(&field);
    let reals = Enclosures::new(Precision::new(192));
    let balls = end(&reals);
    for (expected, residues, balls) in [(&q, &residues.q, &balls.q), (&v, &residues.v, &balls.v)] {
        for i in 0..2 {
            for power in 0..=ORDER {
                let value = &expected[i][power];
                assert_eq!(field.rational(value).unwrap(), residues[i][power], "h^{power}");
                let ball = balls[i][power].0.as_ref().unwrap();
                assert!(ball.contains(value) && ball.radius_is_below(-150), "h^{power}");
            }
        }
    }
    // p = v, as M = 1 and the weights agree.
    assert_eq!(residues.p, residues.v);
}

#[test]
fn the_exact_flow_on_the_circle_is_a_rotation() {
    // With speed 2: q(h) = q₀ cos 2h + (v₀/2) sin 2h.
    let reals = Enclosures::new(Precision::new(192));
    let jets = Jets::new(&reals, ORDER, 0).unwrap();
    let problem = circle(&reals);
    let exact = flow(&jets, &problem, &problem.start(&jets, &[])).unwrap();
    let (mut factor, start) = (number(1, 1), [number(3, 5), number(4, 5)]);
    for power in 1..=ORDER {
        factor = &factor * &number(2, power as i64);
        let sign = number(if power % 4 < 2 { 1 } else { -1 }, 1);
        for i in 0..2 {
            let direction = match (power % 2, i) {
                (0, _) => start[i].clone(),
                (_, 0) => -&start[1],
                _ => start[0].clone(),
            };
            let expected = &(&sign * &factor) * &direction;
            assert!(exact.q[i][power].0.as_ref().unwrap().contains(&expected), "h^{power}");
        }
    }
}
