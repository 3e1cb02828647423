//! The outer solar system in astronomical units, days and solar masses: its energy, about −3e-8 there, is an energy
//! like any other.

use isotrope::{DriftRequest, Host, Model, Overrides, RunRequest, System};

/// Hairer, Lubich and Wanner, Geometric Numerical Integration, I.2.4: masses, positions and velocities of the Sun with
/// the inner planets, Jupiter, Saturn, Uranus, Neptune and Pluto.
const BODIES: [(f64, [f64; 3], [f64; 3]); 6] = [
    (1.000_005_976_82, [0.0; 3], [0.0; 3]),
    (
        9.547_861_040_43e-4,
        [-3.502_365_3, -3.816_984_7, -1.550_796_3],
        [0.005_654_29, -0.004_124_90, -0.001_905_89],
    ),
    (
        2.855_837_331_51e-4,
        [9.075_531_4, -3.045_835_3, -1.648_370_8],
        [0.001_682_18, 0.004_835_25, 0.001_925_62],
    ),
    (
        4.372_731_645_46e-5,
        [8.310_142_0, -16.290_108_6, -7.252_127_8],
        [0.003_541_78, 0.001_371_02, 0.000_550_29],
    ),
    (
        5.177_591_384_49e-5,
        [11.470_766_6, -25.729_482_9, -10.816_945_6],
        [0.002_889_30, 0.001_145_27, 0.000_396_77],
    ),
    (
        1.0 / 1.3e8,
        [-15.538_735_7, -25.222_559_4, -3.190_238_2],
        [0.002_767_25, -0.001_707_02, -0.001_365_04],
    ),
];
/// AU³ per day² and solar mass.
const G: f64 = 2.959_122_082_868e-4;

/// With lengths, times and masses in units that are so much smaller.
fn outer_solar_system([length, time, mass]: [f64; 3]) -> System {
    let axes = ["x", "y", "z"];
    let name = |body: usize, axis: usize| format!("{}{body}", axes[axis]);
    let mut names = Vec::new();
    let (mut position, mut velocity) = (Vec::new(), Vec::new());
    let (mut kinetic, mut potential) = (Vec::new(), Vec::new());
    let mut parameters = format!("G = {:e}\n", G * length.powi(3) / (time.powi(2) * mass));
    for (i, (m, q, v)) in BODIES.iter().enumerate() {
        parameters += &format!("m{i} = {:e}\n", m * mass);
        let squares: Vec<String> = (0..3).map(|axis| format!("{}'^2", name(i, axis))).collect();
        kinetic.push(format!("m{i}/2*({})", squares.join(" + ")));
        for axis in 0..3 {
            names.push(name(i, axis));
            position.push(format!("{} = {:e}", name(i, axis), q[axis] * length));
            velocity.push(format!("{} = {:e}", name(i, axis), v[axis] * length / time));
        }
        for j in 0..i {
            let squares: Vec<String> =
                (0..3).map(|axis| format!("({} - {})^2", name(i, axis), name(j, axis))).collect();
            potential.push(format!("G*m{i}*m{j}/sqrt({})", squares.join(" + ")));
        }
    }
    let text = format!(
        "coordinates = {names:?}\n[parameters]\n{parameters}[lagrangian]\nL = \"{} + {}\"\n[initial]\n\
         position = {{ {} }}\nvelocity = {{ {} }}\n",
        kinetic.join(" + "),
        potential.join(" + "),
        position.join(", "),
        velocity.join(", ")
    );
    let model = Model::parse("solar.toml", text.as_bytes(), &Overrides::default()).unwrap();
    model.derive(&Host::new()).unwrap()
}

/// The largest relative error of the energy, and iterations.
fn energy(system: &mut System, method: &str, step: f64) -> (f64, Option<u64>) {
    let step = format!("{step:e}");
    let request = RunRequest {
        method: Some(method.to_owned()),
        time: Some(format!("400*({step})")),
        step: Some(step),
        ..RunRequest::default()
    };
    let report = system.run(&request).unwrap();
    assert!(report.outcome.is_success(), "{method}: {:?}", report.failure);
    let scale = report.scales.as_ref().and_then(|scales| scales.energy).unwrap();
    (report.errors.energy_max.unwrap() / scale, report.cost.newton_iterations)
}

#[test]
fn energies_of_the_outer_solar_system_are_judged_in_their_unit() {
    // AU, days and solar masses; metres, seconds and kilograms; and far the other way.
    let units = [[1.0; 3], [1.495_978_707e11, 86_400.0, 1.988e30], [1e-9, 1e-6, 1e-12]];
    let found: Vec<[(f64, Option<u64>); 3]> = units
        .iter()
        .map(|&units| {
            let mut system = outer_solar_system(units);
            ["rk4", "verlet", "gauss-2"].map(|method| energy(&mut system, method, 100.0 * units[1]))
        })
        .collect();
    let [rk4, verlet, gauss] = found[0].map(|one| one.0);
    assert!(verlet > 1e-4 && rk4 > 1e-5 && gauss > 1e-8, "{found:?}");
    assert!(verlet < 1e-2 && rk4 < 1e-3 && gauss < 1e-5, "{found:?}");
    for other in &found[1..] {
        for (a, b) in found[0].iter().zip(other) {
            assert!((a.0 - b.0).abs() <= 1e-6 * a.0 + 1e-14, "{found:?}");
            let rounds = a.1.unwrap_or(0).abs_diff(b.1.unwrap_or(0));
            assert!(rounds <= 1 + a.1.unwrap_or(0) / 50, "{found:?}");
        }
    }
}

#[test]
fn the_drift_of_the_outer_solar_system_is_not_called_rounding() {
    for units in [[1.0; 3], [1.495_978_707e11, 86_400.0, 1.988e30]] {
        let request = DriftRequest {
            methods: Some("rk4,verlet".to_owned()),
            steps: vec![format!("{:e}", 200.0 * units[1])],
            time: Some(format!("2000*({:e})", 200.0 * units[1])),
            section: None,
        };
        let found = outer_solar_system(units).drift(&request).unwrap();
        for row in &found.rows {
            assert_eq!(row.is_rounding, Some(false), "{row:?}");
            assert_eq!(row.drifts, Some(row.method == "rk4"), "{row:?}");
        }
    }
}
