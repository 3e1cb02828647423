//! Discrete Lagrangians as formulas against steps of the kernel, which are written in another way.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::{Ball, Budget, ExprId, Precision};
use isotrope_derive::{System, analyse};
use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_scheme::{DiscreteAction, DiscreteDirac, DiscreteLagrangian, Side};
use isotrope_tape::backend::Backend;
use rustc_hash::FxHashMap;

use super::{stepper, system};

const STEP: f64 = 0.02;

/// Positions and momenta before and after a step, some steps after the start.
struct Two {
    before: (Vec<f64>, Vec<f64>),
    after: (Vec<f64>, Vec<f64>),
    time: f64,
}

fn two(made: &(System, isotrope_kernel::stepper::Field), method: &str) -> Two {
    let stepper = stepper(made, method, "1/50");
    let layout = stepper.layout;
    let compiled = Compiled::new(stepper, Backend::Interpreter).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    integration.advance(7).unwrap();
    let pick = |state: &[f64]| -> (Vec<f64>, Vec<f64>) {
        let all = 0..layout.dimension;
        let at = |index: u32| state[index as usize];
        (
            all.clone().map(|i| at(layout.position(i))).collect(),
            all.map(|i| at(layout.momentum(i))).collect(),
        )
    };
    let before = pick(integration.state());
    integration.advance(1).unwrap();
    let after = pick(integration.state());
    Two { before, after, time: 7.0 * STEP }
}

/// Numbers for symbols.
struct Values {
    map: FxHashMap<ExprId, Ball>,
}

const PRECISION: u32 = 160;

impl Values {
    fn new(system: &System, action: &DiscreteAction, time: f64) -> Self {
        let precision = Precision::new(PRECISION);
        let model = &system.model;
        let exact: Vec<ExprId> = model.parameters.iter().map(|p| p.exact).collect();
        let balls = evaluate_balls(&model.pool, &exact, &FxHashMap::default(), precision).unwrap();
        let map = model.parameters.iter().map(|p| p.symbol).zip(balls).collect();
        let mut values = Self { map };
        values.set(&[action.step, action.time], &[STEP, time]);
        values
    }

    fn set(&mut self, symbols: &[ExprId], numbers: &[f64]) {
        let balls = numbers.iter().map(|&x| Ball::from_f64(x, Precision::new(PRECISION)).unwrap());
        self.map.extend(symbols.iter().copied().zip(balls));
    }

    fn of(&self, action: &DiscreteAction, expressions: &[ExprId]) -> Vec<f64> {
        let precision = Precision::new(PRECISION);
        let balls = evaluate_balls(&action.pool, expressions, &self.map, precision).unwrap();
        balls.iter().map(Ball::to_f64).collect()
    }
}

/// Solves for inner points by Newton's method with differences.
fn solve_inner(
    action: &DiscreteAction,
    values: &mut Values,
    unknowns: &[ExprId],
    zeros: &[ExprId],
) {
    let n = unknowns.len();
    let current = |values: &Values| -> Vec<f64> {
        unknowns.iter().map(|symbol| values.map[symbol].to_f64()).collect()
    };
    for _ in 0..6 {
        let place = current(values);
        let residual = values.of(action, zeros);
        let mut rows: Vec<Vec<f64>> = residual.iter().map(|&r| vec![r]).collect();
        for j in 0..n {
            let mut moved = place.clone();
            moved[j] += 1e-6;
            values.set(unknowns, &moved);
            for ((row, there), here) in rows.iter_mut().zip(values.of(action, zeros)).zip(&residual)
            {
                let at = row.len() - 1;
                row.insert(at, (there - here) / 1e-6);
            }
        }
        for i in 0..n {
            let pivot = (i..n).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()));
            rows.swap(i, pivot.unwrap());
            for k in (0..n).filter(|&k| k != i) {
                let factor = rows[k][i] / rows[i][i];
                let pivotal = rows[i].clone();
                for (entry, above) in rows[k].iter_mut().zip(&pivotal).skip(i) {
                    *entry -= factor * above;
                }
            }
        }
        let next: Vec<f64> = (0..n).map(|i| place[i] - rows[i][n] / rows[i][i]).collect();
        values.set(unknowns, &next);
    }
}

fn lagrangian(name: &str) -> DiscreteLagrangian {
    DiscreteLagrangian::named(name, &mut Budget::new(100_000_000)).unwrap().unwrap()
}

/// Both Legendre transforms, along admissible directions where there are constraints, and the
/// conditions of the constraints.
#[test]
fn compiled_steps_satisfy_the_printed_equations() {
    for (model, method) in [
        ("pendulum_angle", "variational-midpoint"),
        ("pendulum_angle", "variational-simpson"),
        ("double_pendulum", "variational-trapezoid"),
        ("double_pendulum", "galerkin-2-lobatto3"),
        ("kepler", "galerkin-2-gauss2"),
        ("kepler", "symmetric:variational-euler"),
        ("ziegler_damped", "variational-euler-adjoint"),
        ("ziegler_damped", "galerkin-2-gauss2"),
        ("pendulum", "variational-trapezoid"),
        ("pendulum", "variational-euler"),
        ("sleigh", "variational-midpoint"),
        ("rolling_disc", "dirac-alembert-2"),
    ] {
        let made = system(model, vec![]);
        let mut derived = made.0.clone();
        let analysis = analyse(&mut derived, &Budget::new(100_000_000));
        let budget = &mut Budget::new(100_000_000);
        let mut action = DiscreteAction::new(&derived, &lagrangian(method), budget).unwrap();
        let last = action.points.len() - 1;
        let Two { before, after, time } = two(&made, method);
        let mut values = Values::new(&derived, &action, time);
        values.set(&action.points[0], &before.0);
        values.set(&action.points[last], &after.0);
        let inner: Vec<ExprId> = action.points[1..last].concat();
        if !inner.is_empty() {
            let part = |k: usize| k as f64 / last as f64;
            for k in 1..last {
                let between = before.0.iter().zip(&after.0).map(|(a, b)| a + (b - a) * part(k));
                values.set(&action.points[k].clone(), &between.collect::<Vec<_>>());
            }
            let mut zeros = Vec::new();
            for k in 1..last {
                let pairs = action.derivatives[k].iter().zip(&action.forces[k]);
                zeros.extend(pairs.map(|(&d, &f)| action.pool.add(d, f)).collect::<Vec<_>>());
            }
            solve_inner(&action, &mut values, &inner, &zeros);
        }
        let left = action.momenta_before();
        let right = action.momenta_after();
        let structure = analysis.dirac.unwrap();
        let n = before.0.len();
        for (point, momenta, wanted) in [(0, left, &before.1), (last, right, &after.1)] {
            let found = values.of(&action, &momenta);
            let map: Substitution = derived
                .symbols
                .position
                .iter()
                .copied()
                .zip(action.points[point].clone())
                .collect();
            for generator in &structure.generators {
                let field = &generator.vector[..n];
                let field = substitute(&mut action.pool, field, &map, budget).unwrap();
                let field = values.of(&action, &field);
                let defect: f64 =
                    field.iter().zip(found.iter().zip(wanted)).map(|(x, (a, b))| x * (a - b)).sum();
                assert!(defect.abs() < 2e-11, "{model} {method} point {point}: {defect:e}");
            }
        }
        let conditions: Vec<ExprId> = action.conditions.iter().map(|c| c.value).collect();
        for defect in values.of(&action, &conditions) {
            assert!(defect.abs() < 1e-11, "{model} {method}: condition {defect:e}");
        }
    }
}

/// The scheme of the sources, in its own code, is the (+)-scheme of the rectangle; the (−)-scheme is
/// another one.
#[test]
fn steps_of_dirac_1_are_in_the_plus_structure_of_the_rectangle() {
    for model in ["pendulum", "sleigh", "sleigh_incline", "ziegler_damped", "double_pendulum"] {
        let made = system(model, vec![]);
        let mut derived = made.0.clone();
        let budget = &mut Budget::new(100_000_000);
        let structure = analyse(&mut derived, budget).dirac.unwrap();
        let mut action =
            DiscreteAction::new(&derived, &lagrangian("variational-euler"), budget).unwrap();
        let Two { before, after, time } = two(&made, "dirac-1");
        let worst = [Side::Plus, Side::Minus].map(|side| {
            let scheme =
                DiscreteDirac::new(&mut action, &derived, &structure, side, budget).unwrap();
            let n = before.0.len();
            let mut values = Values::new(&derived, &action, time);
            let next: Vec<ExprId> = (0..n)
                .map(|i| {
                    let difference = scheme.vector[n + i];
                    action.pool.add(difference, derived.symbols.momentum[i])
                })
                .collect();
            values.set(&action.points[0], &before.0);
            values.set(&action.points[1], &after.0);
            values.set(&derived.symbols.momentum, &before.1);
            values.set(&next, &after.1);
            let speeds = before.0.iter().zip(&after.0).map(|(a, b)| (b - a) / STEP);
            values.set(&derived.symbols.velocity, &speeds.collect::<Vec<_>>());
            let mut zeros = scheme.conditions.clone();
            for (&symbol, &value) in scheme.structure.base[n..].iter().zip(&scheme.momentum) {
                zeros.push(action.pool.sub(symbol, value));
            }
            values.of(&action, &zeros).iter().fold(0.0f64, |most, x| most.max(x.abs()))
        });
        assert!(worst[0] < 1e-11, "{model}: {worst:?}");
        // Without constraints both are the same scheme in other words.
        let constrained = !action.impulses[0].is_empty();
        assert_eq!(worst[1] > 1e-6, constrained, "{model}: {worst:?}");
    }
}
