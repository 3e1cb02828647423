//! Linear stability, embedded weights and dense output against textbooks and against doubles.

use isotrope_algebra::Budget;
use isotrope_certify::{LinearTheory, Reach, linear_theory};
use isotrope_methods::table::{Table, catalogue, catalogue_names};

fn budget() -> Budget {
    Budget::new(2_000_000_000)
}

fn table(name: &str) -> Table {
    catalogue(name, &mut budget()).unwrap().unwrap_or_else(|| panic!("{name}"))
}

fn theory(table: &Table) -> LinearTheory {
    linear_theory(table, &mut budget()).unwrap().unwrap()
}

fn doubles(
    table: &Table,
    polynomial: &[isotrope_algebra::number::field::FieldElement],
) -> Vec<f64> {
    polynomial.iter().map(|c| table.field.to_f64(c).unwrap()).collect()
}

/// Hairer and Wanner, Solving ODEs II, tables IV.3 and IV.6 and section IV.12.
#[test]
fn stability_of_known_methods() {
    let of = |table: &Table| {
        let theory = theory(table);
        let scalar = theory.scalar.unwrap();
        (scalar.a_stable, scalar.l_stable, scalar.algebraically_stable, theory.stage_order)
    };
    for stages in 1..=5 {
        assert_eq!(of(&Table::gauss(stages).unwrap()), (true, false, true, Some(stages)));
        assert_eq!(of(&Table::radau_iia(stages).unwrap()), (true, true, true, Some(stages)));
        if stages > 1 {
            assert_eq!(of(&Table::radau_ia(stages).unwrap()), (true, true, true, Some(stages - 1)));
            let lobatto = of(&Table::lobatto_iiia(stages).unwrap());
            assert_eq!(lobatto, (true, false, false, Some(stages)));
            let lobatto = of(&Table::lobatto_iiic(stages).unwrap());
            assert_eq!(lobatto, (true, true, true, Some(stages - 1)));
        }
    }
    assert_eq!(of(&table("sdirk-alexander-2")), (true, true, false, Some(1)));
    assert_eq!(of(&table("sdirk-alexander-3")), (true, true, false, Some(1)));
    assert_eq!(of(&table("sdirk-crouzeix-2")), (true, false, true, Some(1)));
    assert_eq!(of(&table("sdirk-crouzeix-3")), (true, false, true, Some(1)));
    assert_eq!(of(&table("trapezoid")), (true, false, false, Some(2)));
    assert_eq!(of(&table("implicit-euler")), (true, true, true, Some(1)));
    assert_eq!(of(&table("rk4")), (false, false, false, Some(1)));
}

#[test]
fn stability_functions_are_pade_approximations() {
    let radau = Table::radau_iia(2).unwrap();
    let scalar = theory(&radau).scalar.unwrap();
    assert_eq!(doubles(&radau, &scalar.numerator), [1.0, 1.0 / 3.0]);
    assert_eq!(doubles(&radau, &scalar.denominator), [1.0, -2.0 / 3.0, 1.0 / 6.0]);
    let lobatto = Table::lobatto_iiia(3).unwrap();
    let scalar = theory(&lobatto).scalar.unwrap();
    // One of the three stages is explicit: the degree is two.
    assert_eq!(doubles(&lobatto, &scalar.numerator), [1.0, 0.5, 1.0 / 12.0]);
    assert_eq!(doubles(&lobatto, &scalar.denominator), [1.0, -0.5, 1.0 / 12.0]);
}

#[test]
fn intervals_of_explicit_methods() {
    let close = |reach: &Reach, value: f64| (reach.to_f64() - value).abs() < 1e-12;
    for (name, negative, imaginary) in [
        ("euler", 2.0, 0.0),
        ("heun", 2.0, 0.0),
        ("kutta3", 2.512_745_326_618_329, 3.0),
        ("rk4", 2.785_293_563_405_282, 8.0),
        ("gill", 2.785_293_563_405_282, 8.0),
        ("dormand-prince", 3.306_568_3, 0.0),
    ] {
        let scalar = theory(&table(name)).scalar.unwrap();
        let enough = if name == "dormand-prince" { 1e-6 } else { 1e-12 };
        assert!(
            (scalar.negative.to_f64() - negative).abs() < enough,
            "{name}: {:?}",
            scalar.negative
        );
        assert!(
            name == "dormand-prince" || close(&scalar.imaginary_squared, imaginary),
            "{name}: {:?}",
            scalar.imaginary_squared
        );
    }
}

/// |R| by exact polynomials and by the stages in doubles, on circles; and the intervals by walking along the axes.
#[test]
fn stability_functions_agree_with_steps() {
    for name in catalogue_names() {
        let exact = table(&name);
        let Some(theory) = linear_theory(&exact, &mut budget()).unwrap() else { continue };
        let Some(scalar) = theory.scalar else { continue };
        let float = exact.to_f64(&mut budget()).unwrap();
        let (above, below) =
            (doubles(&exact, &scalar.numerator), doubles(&exact, &scalar.denominator));
        for (re, im) in [(-0.3, 0.4), (0.2, -0.7), (-1.5, 0.0), (0.0, 1.1)] {
            let by_function = divide(horner(&above, (re, im)), horner(&below, (re, im)));
            let by_stages = step(&float.a, &float.b, (re, im));
            let off = (by_function.0 - by_stages.0).hypot(by_function.1 - by_stages.1);
            assert!(off < 1e-12, "{name} at {re} + {im} i: {by_function:?}, {by_stages:?}");
        }
        let size = |z| {
            let (x, y) = divide(horner(&above, z), horner(&below, z));
            x.hypot(y)
        };
        let reach = scalar.negative.to_f64().min(40.0);
        for k in 1..200 {
            let x = reach * f64::from(k) / 200.0;
            assert!(size((-x, 0.0)) <= 1.0 + 1e-9, "{name} at {}", -x);
        }
        if scalar.a_stable {
            for k in 0..400 {
                // A fan of directions to the left, from the imaginary axis to the real one.
                let (radius, slope) = (10_f64.powi(k % 8 - 3), f64::from(k / 8) / 5.0 - 5.0);
                let z = (-radius, radius * slope.powi(3));
                assert!(size(z) <= 1.0 + 1e-9, "{name} at {z:?}");
            }
        }
    }
}

#[test]
fn oscillators() {
    let of = |table: &Table| {
        let theory = theory(table);
        (theory.oscillator_squared.to_f64(), theory.keeps_area)
    };
    assert_eq!(of(&Table::gauss(3).unwrap()), (f64::INFINITY, true));
    assert_eq!(of(&Table::lobatto_iiia(3).unwrap()), (f64::INFINITY, true));
    let near = |(one, keeps): (f64, bool), other: f64| keeps && (one - other).abs() < 1e-12;
    assert!(near(of(&table("symplectic-euler")), 4.0));
    // Leimkuhler and Reich: of Lobatto IIIA-IIIB with three stages the threshold is √8.
    assert!(near(of(&Table::lobatto_iiia_iiib(2).unwrap()), 4.0));
    assert!(near(of(&Table::lobatto_iiia_iiib(3).unwrap()), 8.0));
    assert_eq!(of(&table("euler")), (0.0, false));
    assert!((of(&table("rk4")).0 - 8.0).abs() < 1e-12);
}

#[test]
fn embedded_weights_and_dense_output() {
    let solved = theory(&table("rk4"));
    let dense = solved.dense.unwrap();
    assert_eq!(dense.order, 3);
    let rk4 = table("rk4");
    // θ − 3θ²/2 + 2θ³/3, as in Hairer, Nørsett, Wanner, II.6.
    assert_eq!(doubles(&rk4, &dense.weights[0]), [1.0, -1.5, 2.0 / 3.0]);
    let pair = theory(&table("dormand-prince")).embedded.unwrap();
    assert_eq!((pair.order, pair.dimension), (4, 1));
    assert_eq!(pair.weights.len(), 7);
    // Every order condition of the embedded weights, in doubles.
    let pair = theory(&table("kutta3")).embedded.unwrap();
    assert_eq!(pair.order, 2);
    let c = [0.0, 0.5, 1.0, 1.0];
    let kutta = table("kutta3");
    let weights = doubles(&kutta, &pair.weights);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    assert!((weights.iter().zip(c).map(|(b, c)| b * c).sum::<f64>() - 0.5).abs() < 1e-15);
    assert!(theory(&table("euler")).embedded.is_none());
}

type Complex = (f64, f64);

fn times(x: Complex, y: Complex) -> Complex {
    (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0)
}

fn divide(x: Complex, y: Complex) -> Complex {
    let size = y.0 * y.0 + y.1 * y.1;
    let top = times(x, (y.0, -y.1));
    (top.0 / size, top.1 / size)
}

fn horner(polynomial: &[f64], z: Complex) -> Complex {
    polynomial.iter().rev().fold((0.0, 0.0), |value, c| {
        let (x, y) = times(value, z);
        (x + c, y)
    })
}

/// 1 + z b (I − zA)⁻¹ 1 by Gaussian elimination.
fn step(a: &[Vec<f64>], b: &[f64], z: Complex) -> Complex {
    let size = b.len();
    let mut rows: Vec<Vec<Complex>> = (0..size)
        .map(|i| {
            let mut row: Vec<Complex> = (0..size)
                .map(|j| {
                    let entry = times(z, (a[i][j], 0.0));
                    (f64::from(i == j) - entry.0, -entry.1)
                })
                .collect();
            row.push((1.0, 0.0));
            row
        })
        .collect();
    for k in 0..size {
        let pivot = (k..size)
            .max_by(|&i, &j| {
                let size = |x: Complex| x.0.hypot(x.1);
                size(rows[i][k]).total_cmp(&size(rows[j][k]))
            })
            .unwrap();
        rows.swap(k, pivot);
        for i in 0..size {
            if i == k {
                continue;
            }
            let factor = divide(rows[i][k], rows[k][k]);
            let pivot = rows[k].clone();
            for (entry, above) in rows[i].iter_mut().zip(pivot) {
                let less = times(factor, above);
                *entry = (entry.0 - less.0, entry.1 - less.1);
            }
        }
    }
    let sum = (0..size).fold((0.0, 0.0), |sum: Complex, i| {
        let stage = divide(rows[i][size], rows[i][i]);
        (sum.0 + b[i] * stage.0, sum.1 + b[i] * stage.1)
    });
    let (x, y) = times(z, sum);
    (1.0 + x, y)
}
