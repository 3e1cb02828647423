//! Steps of the adaptive method end where the field has kinks and jumps in time.

use isotrope_kernel::integrate::{Compiled, Effort, Integration};
use isotrope_kernel::stepper::Options;
use isotrope_tape::backend::Backend;

use super::{stepper_with, written};

/// x' = rate, y' = x from the origin, up to a time in rows of a length.
fn run(rate: &str, inputs: &str, row: &str, rows: u64) -> ([f64; 2], Effort) {
    let model = format!(
        r#"
        coordinates = ["x", "y"]
        parameters = {{ a = 3, w = 50 }}
        {inputs}
        initial.position = {{ x = 0, y = 0 }}
        [equations]
        "x'" = "{rate}"
        "y'" = "x"
        "#
    );
    let (system, field) = written(&model);
    let options = Options { tolerance: 1e-10, ..Options::new(row.parse().unwrap()) };
    let compiled =
        Compiled::new(stepper_with((&system, &field), "dop853", &options), Backend::Native)
            .unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    integration.advance(rows).unwrap();
    ([integration.state()[0], integration.state()[1]], integration.effort)
}

fn assert_near(found: [f64; 2], wanted: [f64; 2], what: &str) {
    for (x, y) in found.iter().zip(wanted) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{what}: {found:?}, not {wanted:?}");
    }
}

#[test]
fn no_pulse_of_a_table_is_stepped_over() {
    let held =
        r#"inputs.u = { table = [[0, 0], [50, 5000], [50.01, 0], [200, 0]], between = "hold" }"#;
    let (end, effort) = run("u", held, "1", 100);
    assert_near(end, [50.0, 50.0 * (50.0 - 0.005)], "a pulse");
    assert_eq!(effort.rejected, 0);
    let joined = r#"inputs.u = { table = [[0, 0], [50, 0], [50.005, 1000], [50.01, 0], [200, 0]], between = "linear" }"#;
    let (end, effort) = run("u", joined, "100", 1);
    // Between its points the table is a sum of terms of size 10⁷, which cancel behind the last one but for rounding.
    let wanted = [5.0, 5.0 * (50.0 - 0.005)];
    for (x, y) in end.iter().zip(wanted) {
        assert!((x - y).abs() <= 1e-10 * y, "a triangle: {end:?}, not {wanted:?}");
    }
    assert_eq!(effort.rejected, 0);
}

#[test]
fn steps_end_where_functions_of_time_switch() {
    for (rate, wanted) in [
        ("heaviside(t - w)", [50.0, 1250.0]),
        ("heaviside(w - t)", [50.0, 3750.0]),
        // 33 periods of three seconds, and a second.
        ("sign(sin(2*pi*t/a))", [1.0, 74.75]),
        ("abs(t - 200/3)", [22_500.0 / 9.0 + 5.0 / 18.0, f64::NAN]),
        ("max(t - 99, 0)", [0.5, 1.0 / 6.0]),
        ("clip(t - w, -1, 1)", [0.0, f64::NAN]),
        ("min(t, 1)", [99.5, f64::NAN]),
        // Switches at ±√50 only.
        ("heaviside(t^2 - w)", [100.0 - 50.0_f64.sqrt(), f64::NAN]),
    ] {
        let ([x, y], effort) = run(rate, "", "1", 100);
        let wanted = [wanted[0], if wanted[1].is_nan() { y } else { wanted[1] }];
        if rate.starts_with("abs") {
            let exact = ((200.0_f64 / 3.0).powi(2) + (100.0_f64 / 3.0).powi(2)) / 2.0;
            assert_near([x, y], [exact, y], rate);
        } else {
            assert_near([x, y], wanted, rate);
        }
        assert_eq!(effort.rejected, 0, "{rate}");
    }
}

/// Where functions of time touch zero without a change of sign, or never do, nothing is lost but time.
#[test]
fn functions_that_touch_zero_are_no_obstacle() {
    let ([x, _], _) = run("abs(sin(t)^2)", "", "1", 100);
    assert!((x - (50.0 - libm::sin(200.0) / 4.0)).abs() < 1e-8, "{x}");
    let ([x, _], _) = run("abs(2 + sin(t))", "", "1", 100);
    assert!((x - (201.0 - libm::cos(100.0))).abs() < 1e-8, "{x}");
}

#[test]
fn backwards_the_other_side_counts() {
    let there = run("heaviside(t + 50)", "", "-1", 100).0;
    assert_near(there, [-50.0, 50.0 * 75.0], "back from 0 to -100");
}

/// x' is 500 while |y| < 1/1000, a window of two milliseconds between stages that are seconds apart.
#[test]
fn a_short_contact_between_two_stages_is_seen() {
    let model = r#"
        coordinates = ["x", "y"]
        initial.position = { x = 0, y = -50 }
        [equations]
        "x'" = "500*heaviside(1/1000000 - y^2)"
        "y'" = "1"
    "#;
    let (system, field) = written(model);
    let options = Options { tolerance: 1e-10, ..Options::new("1".parse().unwrap()) };
    let compiled =
        Compiled::new(stepper_with((&system, &field), "dop853", &options), Backend::Native)
            .unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    integration.advance(100).unwrap();
    let x = integration.state()[0];
    assert!((x - 1.0).abs() < 1e-6, "{x}");
}
