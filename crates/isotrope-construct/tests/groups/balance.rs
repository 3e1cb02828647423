//! The power balance, measured: steps of methods in floating point.

use isotrope_algebra::Budget;
use isotrope_construct::symbolic::{SymbolicConditions, conditions};

use crate::support::shipped;

/// Tables of the positions and of the momenta.
struct Method {
    name: &'static str,
    a: [Vec<Vec<f64>>; 2],
    b: [Vec<f64>; 2],
}

fn one(name: &'static str, a: &[&[f64]], b: &[f64]) -> Method {
    let a: Vec<Vec<f64>> = a.iter().map(|row| row.to_vec()).collect();
    Method { name, a: [a.clone(), a], b: [b.to_vec(), b.to_vec()] }
}

fn pair(name: &'static str, q: &[&[f64]], p: &[&[f64]], b: &[f64]) -> Method {
    let p: Vec<Vec<f64>> = p.iter().map(|row| row.to_vec()).collect();
    let plain = one(name, q, b);
    Method { a: [plain.a[0].clone(), p], ..plain }
}

fn methods() -> Vec<Method> {
    let (third, sixth) = (1.0 / 3.0, 1.0 / 6.0);
    let quicker = Method { b: [vec![1.0], vec![0.9]], ..one("other weights", &[&[0.5]], &[1.0]) };
    vec![
        one("euler", &[&[0.0]], &[1.0]),
        one("midpoint", &[&[0.5]], &[1.0]),
        quicker,
        pair("symplectic euler", &[&[1.0]], &[&[0.0]], &[1.0]),
        pair("verlet", &[&[0.0, 0.0], &[0.5, 0.5]], &[&[0.5, 0.0], &[0.5, 0.0]], &[0.5, 0.5]),
        one("heun", &[&[0.0, 0.0], &[1.0, 0.0]], &[0.5, 0.5]),
        one(
            "kutta",
            &[&[0.0, 0.0, 0.0], &[0.5, 0.0, 0.0], &[-1.0, 2.0, 0.0]],
            &[sixth, 2.0 * third, sixth],
        ),
        one(
            "rk4",
            &[&[0.0; 4], &[0.5, 0.0, 0.0, 0.0], &[0.0, 0.5, 0.0, 0.0], &[0.0, 0.0, 1.0, 0.0]],
            &[sixth, third, third, sixth],
        ),
    ]
}

/// The first power of h whose conditions the weights of a method violate, or one more.
fn predicted(found: &SymbolicConditions, method: &Method) -> usize {
    let trees = found.trees();
    let stages = method.b[0].len();
    let mut branches: Vec<Vec<f64>> = Vec::new();
    let mut weights = Vec::new();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    for tree in trees.ids() {
        let mut vector = vec![1.0; stages];
        for child in trees.children(tree) {
            vector.iter_mut().zip(&branches[child.index()]).for_each(|(x, y)| *x *= y);
        }
        let colour = trees.colour(tree);
        weights.push(dot(&method.b[colour], &vector));
        branches.push(method.a[colour].iter().map(|row| dot(row, &vector)).collect());
    }
    let holds = |order: usize| {
        found.at(order).iter().all(|condition| {
            let term = |trees: &[isotrope_methods::trees::TreeId]| {
                trees.iter().map(|tree| weights[tree.index()]).product::<f64>()
            };
            let terms = condition.terms.iter().map(|(f, x)| x.to_f64() * term(f.trees()));
            terms.sum::<f64>().abs() < 1e-12
        })
    };
    (1..=found.max_order()).find(|order| !holds(*order)).unwrap_or(found.max_order() + 1)
}

const DAMPING: f64 = 0.3;
const HARDENING: f64 = 0.7;

/// H(x⁺) − H(x) − h Σ b_i (−d P_i²) after one step; stages by fixed-point iteration.
fn defect(method: &Method, h: f64) -> f64 {
    let (q, p) = (1.1, -0.4);
    let energy = |q: f64, p: f64| p * p / 2.0 + q * q / 2.0 + HARDENING * q.powi(4) / 4.0;
    let force = |q: f64, p: f64| -q - HARDENING * q.powi(3) - DAMPING * p;
    let stages = method.b[0].len();
    let (mut qs, mut ps) = (vec![q; stages], vec![p; stages]);
    for _ in 0..60 {
        let forces: Vec<f64> = qs.iter().zip(&ps).map(|(q, p)| force(*q, *p)).collect();
        let sum = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        qs = method.a[0].iter().map(|row| q + h * sum(row, &ps)).collect();
        ps = method.a[1].iter().map(|row| p + h * sum(row, &forces)).collect();
    }
    let (mut next_q, mut next_p, mut supplied) = (q, p, 0.0);
    for i in 0..stages {
        next_q += h * method.b[0][i] * ps[i];
        next_p += h * method.b[1][i] * force(qs[i], ps[i]);
        supplied -= h * method.b[1][i] * DAMPING * ps[i] * ps[i];
    }
    energy(next_q, next_p) - energy(q, p) - supplied
}

#[test]
fn the_defect_of_the_balance_begins_where_conditions_fail() {
    let found =
        conditions(&shipped("damped_oscillator"), 4, &mut Budget::new(100_000_000)).unwrap();
    let mut seen = Vec::new();
    for method in methods() {
        let order = predicted(&found, &method);
        // As small as rounding allows.
        let step = 1.0 / f64::from(1 << (11 - order));
        let slope = (defect(&method, step) / defect(&method, step / 2.0)).abs().log2();
        assert!((slope - order as f64).abs() < 0.3, "{}: {slope}, not {order}", method.name);
        seen.push(order);
    }
    assert_eq!(seen, [2, 3, 1, 2, 3, 3, 4, 5]);
}
