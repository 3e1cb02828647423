//! What pictures receive of a run is what happens in it.

use isotrope_algebra::{Budget, Rational};
use isotrope_derive::{analyse, derive};
use isotrope_kernel::integrate::{Flow, Measures};
use isotrope_kernel::stepper::Options;
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::Method;
use isotrope_study::report::RunReport;
use isotrope_study::run::{Request, field, prepare, run};
use isotrope_study::{Sink, SinkError};
use isotrope_tape::backend::Backend;

const PENDULUM: &str = r#"
coordinates = ["x", "y"]
lagrangian.L = "(x'^2 + y'^2)/2 - y"
constraints.rod = "x^2 + y^2 = 1"
initial.position = { x = 1, y = 0 }
initial.velocity = { x = 0, y = 0 }
"#;

/// Keeps everything.
#[derive(Default)]
struct All {
    measures: Vec<Measures>,
    rows: Vec<Vec<f64>>,
}

impl Sink for All {
    fn measured(&mut self, measures: Measures) {
        self.measures.push(measures);
    }
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.rows.push(row.to_vec());
        Ok(())
    }
}

fn kept(stride: u64) -> (All, RunReport) {
    let model = parse_model(&ModelText::new("pendulum.toml", PENDULUM.as_bytes())).unwrap();
    let mut system = derive(model, &mut Budget::new(10_000_000)).unwrap();
    let analysis = analyse(&mut system, &Budget::new(10_000_000));
    let field = field(&system, &analysis.conservation).unwrap();
    let method = Method::named("rk4", &mut Budget::new(1_000_000)).unwrap().unwrap();
    let step = Rational::new(1, 20).unwrap();
    let request = Request {
        method,
        options: Options::new(step),
        time: Rational::from(10i64),
        steps: 200,
        limit: None,
        backend: Backend::Interpreter,
        operations: 100_000_000,
    };
    let prepared = prepare(&system, &field, &request).unwrap();
    let mut all = All::default();
    let end = run("", &prepared, &request, Some(stride), &mut all, &mut |_| Flow::Continue);
    (all, end.report)
}

#[test]
fn what_is_measured_between_rows_is_what_the_rows_show() {
    let (all, _) = kept(1);
    assert_eq!((all.rows.len(), all.measures.len()), (201, 201));
    for (row, measures) in all.rows.iter().zip(&all.measures) {
        let [_, x, y, u, v, ..] = row[..] else { panic!("{row:?}") };
        let (position, velocity) = ((x * x + y * y - 1.0).abs(), 2.0 * (x * u + y * v).abs());
        assert!((measures.position - position).abs() < 1e-14);
        assert!((measures.velocity - velocity).abs() < 1e-14);
        // The energy is zero at the start.
        let energy = ((u * u + v * v) / 2.0 + y).abs();
        assert!((measures.energy - energy).abs() < 1e-14);
    }
}

#[test]
fn the_largest_between_rows_is_the_largest_of_the_run() {
    let largest =
        |all: &All, pick: fn(&Measures) -> f64| all.measures.iter().map(pick).fold(0.0, f64::max);
    for stride in [1, 7, 50] {
        let (all, report) = kept(stride);
        let errors = report.errors;
        assert_eq!(errors.constraint_position_max, Some(largest(&all, |m| m.position)));
        assert_eq!(errors.constraint_velocity_max, Some(largest(&all, |m| m.velocity)));
        assert!(errors.constraint_position_max > Some(1e-8));
    }
}
