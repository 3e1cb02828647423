//! Contacts: energies with kinks, under the methods that balance energy.

use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Measured, Options};
use isotrope_tape::backend::Backend;

use super::{stepper_with, written};

const BALANCED: [&str; 4] = ["discrete-gradient", "avf", "avf-4", "itoh-abe-2"];

/// A mass on a spring that meets an obstacle at x = 0, let go from x = −size.
fn mass(contact: &str, size: &str) -> String {
    format!(
        r#"
        coordinates = ["x", "p"]
        parameters = {{ K = 1000, s = "{size}", a = "23/10" }}
        initial.position = {{ x = "-{size}", p = 0 }}
        [port]
        hamiltonian = "p^2/2 + x^2 + {contact}"
        J = {{ "x,p" = 1 }}
        "#
    )
}

/// A hammer that strikes the fourth of ten masses on springs, again and again.
fn hammer(contact: &str) -> String {
    let pairs: String = (1..=10).map(|i| format!(r#", "x[{i}],p[{i}]" = 1"#)).collect();
    let rest: String = (1..=10).map(|i| format!(r#", "x[{i}]" = 0, "p[{i}]" = 0"#)).collect();
    format!(
        r#"
        coordinates = ["y", "z", "x[1..10]", "p[1..10]"]
        parameters = {{ K = 10000, k = 100, m = 3, a = "23/10" }}
        initial.position = {{ y = -1, z = 3{rest} }}
        [define]
        d = "y - x[4]"
        springs = "x[1]^2 + x[10]^2 + sum(i, 1, 9, (x[i+1] - x[i])^2)"
        [port]
        hamiltonian = "z^2/(2*m) + y^2 + sum(i, 1, 10, p[i]^2/2) + k/2*springs + {contact}"
        J = {{ "y,z" = 1{pairs} }}
        "#
    )
}

struct End {
    x: f64,
    /// The largest defect of all steps together, and of one step, relative to the energy.
    drift: f64,
    balance: f64,
}

fn end(model: &str, method: &str, step: &str, steps: u64, tolerance: f64) -> End {
    let (system, field) = written(model);
    let options = Options { tolerance, ..Options::new(step.parse().unwrap()) };
    let made = stepper_with((&system, &field), method, &options);
    let layout = made.layout;
    let compiled = Compiled::new(made, Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    let energy = integration.number(layout.energy());
    let advanced = integration.advance(steps);
    assert!(advanced.is_ok(), "{method}: {advanced:?}\n{model}");
    End {
        x: integration.state()[0],
        drift: integration.number(layout.largest_energy_error(Measured::Own)) / energy,
        balance: integration.number(layout.largest_power_balance()) / energy,
    }
}

/// The same contact, quadratic, cubic, after Hertz, of a felt, and with a force that jumps; in three units of length.
const CONTACTS: [&str; 7] = [
    "K/2*((x + abs(x))/2)^2",
    "K/(3*s)*max(x, 0)^3",
    "K*s^(1/2)*((x + abs(x))/2)^(3/2)",
    "K*2/5*s^(-1/2)*max(x, 0)^(5/2)",
    "K/(a + 1)*s^(1 - a)*max(x, 0)^(a + 1)",
    "K/2*x^2*heaviside(x)",
    "s*K/200*abs(x - s/3)",
];

#[test]
fn one_sided_energies_are_balanced_to_rounding_through_contact() {
    for size in [1.0, 1e6, 1e-6] {
        for contact in CONTACTS {
            for method in BALANCED {
                let tolerance = 1e-14;
                let model = mass(contact, &format!("{size:e}"));
                let End { drift, balance, .. } = end(&model, method, "1/100", 10_000, tolerance);
                assert!(
                    drift < 1e-12 && balance < 1e-12,
                    "{contact}, {method}, {size:e}: {drift:e}, {balance:e}"
                );
            }
        }
    }
}

#[test]
fn a_hammer_on_a_chain_is_balanced_to_rounding() {
    let contacts = [
        "K/2*max(d, 0)^2",
        "K/3*max(d, 0)^3",
        "K*2/5*max(d, 0)^(5/2)",
        "K/(a + 1)*max(d, 0)^(a + 1)",
    ];
    for contact in contacts {
        for method in BALANCED {
            let End { drift, balance, .. } = end(&hammer(contact), method, "1/200", 10_000, 1e-14);
            assert!(
                drift < 1e-12 && balance < 1e-12,
                "{contact}, {method}: {drift:e}, {balance:e}"
            );
        }
    }
}

/// With a quadratic contact the motion is known: half a turn at the frequency √2, half a turn at √(2 + K), and so on.
#[test]
fn contacts_converge_with_order_two() {
    let model = mass(CONTACTS[0], "1").replace("K = 1000", "K = 100");
    let (free, held) = (2.0_f64.sqrt(), 102.0_f64.sqrt());
    let half = std::f64::consts::PI / free;
    let period = half + std::f64::consts::PI / held;
    // From x = −1 at rest: free for half of its half turn, then in contact.
    let exact = |t: f64| {
        let phase = t % period;
        let (first, second) = (half / 2.0, period - half / 2.0);
        if phase < first {
            -libm::cos(free * phase)
        } else if phase < second {
            free / held * libm::sin(held * (phase - first))
        } else {
            -libm::cos(free * (period - phase))
        }
    };
    for method in ["discrete-gradient", "avf", "itoh-abe-2"] {
        let error =
            |step: &str, steps: u64| (end(&model, method, step, steps, 1e-14).x - exact(6.0)).abs();
        let errors = [error("1/100", 600), error("1/200", 1200), error("1/400", 2400)];
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((3.0..5.0).contains(&ratio), "{method}: {errors:?}");
        }
        assert!(errors[2] < 1e-2, "{method}: {errors:?}");
    }
}

/// The same of Lagrangians, by the steps in positions and momenta.
#[test]
fn lagrangians_with_contacts_keep_their_energy() {
    for contact in ["K/2*max(x - y, 0)^2", "K*2/5*max(x - y, 0)^(5/2)", "K/200*abs(x - y)"] {
        let model = format!(
            r#"
            coordinates = ["x", "y"]
            parameters.K = 1000
            lagrangian.L = "(x'^2 + y'^2)/2 - x^2 - 2*y^2 - {contact}"
            initial = {{ position = {{ x = -1, y = 0 }}, velocity = {{ x = 0, y = 0 }} }}
            "#
        );
        for method in ["discrete-gradient", "avf"] {
            let (system, field) = written(&model);
            let options = Options { tolerance: 1e-14, ..Options::new("1/100".parse().unwrap()) };
            let made = stepper_with((&system, &field), method, &options);
            let layout = made.layout;
            let compiled = Compiled::new(made, Backend::Native).unwrap();
            let mut integration = Integration::new(&compiled).unwrap();
            let energy = integration.number(layout.energy());
            integration.advance(10_000).unwrap();
            let drift = integration.number(layout.largest_energy_error(Measured::Own)) / energy;
            assert!(drift < 1e-12, "{contact}, {method}: {drift:e}");
        }
    }
}
