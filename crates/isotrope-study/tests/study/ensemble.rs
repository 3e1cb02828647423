//! Ensemble files: what is read, and what is said about those that cannot be.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use isotrope_study::ensemble::{Column, EnsembleCode, Names, Rates, read_ensemble};
use proptest::prelude::*;

const LAGRANGIAN: Names<'static> = Names {
    parameters: &[("g", false), ("length", false), ("N", true)],
    coordinates: &["x[1]", "x[2]", "theta"],
    rates: Rates::Velocities,
};

fn hamiltonian() -> Names<'static> {
    Names { rates: Rates::Momenta, ..LAGRANGIAN }
}

#[test]
fn columns_are_parameters_positions_and_velocities_in_any_order() {
    let text =
        "theta', g ,\"x[2]\",v_x[1],dot(x[2])\r\n1,2,3,4,5\r\n\r\n-.5,1e-3,\"+7\",0, 9. \r\n";
    let ensemble = read_ensemble(text.as_bytes(), &LAGRANGIAN).unwrap();
    use Column::{Parameter, Position, Velocity};
    let columns = [Velocity(2), Parameter(0), Position(1), Velocity(0), Velocity(1)];
    assert_eq!(ensemble.columns(), columns);
    assert_eq!(ensemble.members(), 2);
    let rows: Vec<&[f64]> = ensemble.rows().collect();
    assert_eq!(rows, [[1.0, 2.0, 3.0, 4.0, 5.0], [-0.5, 1e-3, 7.0, 0.0, 9.0]]);
}

#[test]
fn files_of_spreadsheets_and_without_a_last_line_end_are_read() {
    let ensemble = read_ensemble("\u{feff}g,theta\n1,2".as_bytes(), &LAGRANGIAN).unwrap();
    assert_eq!(ensemble.columns(), [Column::Parameter(0), Column::Position(2)]);
    assert_eq!(ensemble.members(), 1);
}

#[test]
fn a_hamiltonian_takes_momenta() {
    let ensemble = read_ensemble(b"p_theta\n1\n", &hamiltonian()).unwrap();
    assert_eq!(ensemble.columns(), [Column::Momentum(2)]);
}

#[test]
fn names_of_the_model_come_before_names_of_velocities() {
    let names =
        Names { parameters: &[("v_x", false)], coordinates: &["x"], rates: Rates::Velocities };
    let ensemble = read_ensemble(b"v_x,x'\n1,2\n", &names).unwrap();
    assert_eq!(ensemble.columns(), [Column::Parameter(0), Column::Velocity(0)]);
}

/// Bad files, each with a name.
fn bad_files() -> Vec<(&'static str, Vec<u8>, Names<'static>)> {
    let many = format!("g\n{}", "oops\n".repeat(1000));
    let texts: Vec<(&str, &[u8], Names<'_>)> = vec![
        ("empty", b"", LAGRANGIAN),
        ("blank", b"\n \n\n", LAGRANGIAN),
        ("no members", b"g,theta\n", LAGRANGIAN),
        ("no header", b"9.81,0.1\n9.81,0.2\n", LAGRANGIAN),
        ("not text", b"g\n1\xff\n", LAGRANGIAN),
        ("binary", b"g\n\x001\n", LAGRANGIAN),
        ("semicolons", b"g;theta\n9,81;0,1\n", LAGRANGIAN),
        ("pandas index", b",g\n0,9.81\n", LAGRANGIAN),
        (
            "misspelled",
            b"G,tehta,lenght,theta'',x[3]',v_theat,p_tehta\n1,2,3,4,5,6,7\n",
            LAGRANGIAN,
        ),
        ("unknown", b"mass\n1\n", LAGRANGIAN),
        ("twice", b"g,theta',g,v_theta\n1,2,3,4\n", LAGRANGIAN),
        ("structural", b"N,g\n3,1\n", LAGRANGIAN),
        ("momenta", b"p_theta\n3\n", LAGRANGIAN),
        ("velocities", b"v_theta,x[1]'\n3,4\n", hamiltonian()),
        ("widths", b"g,theta\n1,2,3\n4\n5,6\n", LAGRANGIAN),
        (
            "numbers",
            b"g,theta\n1,\n,2\npi/2,1/3\n9.81 m,0x10\nnan,inf\n-Infinity,1e999\n",
            LAGRANGIAN,
        ),
        ("quotes", b"\"g,theta\n1,2\n", LAGRANGIAN),
        ("quotes in lines", b"g,theta\n\"1\"2,\"3\n", LAGRANGIAN),
        ("many", many.as_bytes(), LAGRANGIAN),
    ];
    texts.into_iter().map(|(name, bytes, names)| (name, bytes.to_vec(), names)).collect()
}

#[test]
fn every_refusal_has_a_place_a_reason_and_a_way_out() {
    let mut page = String::new();
    for (name, bytes, names) in bad_files() {
        let Err(errors) = read_ensemble(&bytes, &names) else { panic!("{name} should be refused") };
        assert!(!errors.is_empty());
        let _ = writeln!(page, "# {name}");
        for error in errors.iter().take(12) {
            let _ = writeln!(page, "{error}\n    {}", error.hint);
            for label in &error.labels {
                let _ = writeln!(page, "    ({} at byte {})", label.message, label.span.start);
            }
        }
        if errors.len() > 12 {
            let _ = writeln!(page, "… {} in all", errors.len());
        }
    }
    insta::assert_snapshot!(page);
}

#[test]
fn every_code_has_a_bad_file() {
    let mut told: BTreeSet<EnsembleCode> = bad_files()
        .into_iter()
        .flat_map(|(_, bytes, names)| read_ensemble(&bytes, &names).unwrap_err())
        .map(|error| error.code)
        .collect();
    let wide = "g,".repeat(200_000);
    told.extend(read_ensemble(wide.as_bytes(), &LAGRANGIAN).unwrap_err().iter().map(|e| e.code));
    assert_eq!(told.into_iter().collect::<Vec<_>>(), EnsembleCode::ALL);
}

proptest! {
    #[test]
    fn any_bytes_get_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_ensemble(&bytes, &LAGRANGIAN);
    }

    #[test]
    fn any_text_gets_an_answer(text in "[gx'v_p\\[\\]12,\"\n\r .;eθ-]{0,80}") {
        if let Err(errors) = read_ensemble(text.as_bytes(), &LAGRANGIAN) {
            prop_assert!(!errors.is_empty());
            prop_assert!(errors.iter().all(|error| error.span.range().end <= text.len()));
        }
    }

    #[test]
    fn written_numbers_are_read_back(rows in proptest::collection::vec(any::<[u32; 2]>(), 1..20)) {
        let value = |bits: u32| f64::from(bits) / 1024.0 - 1e6;
        let lines: String =
            rows.iter().map(|[a, b]| format!("{},{}\n", value(*a), value(*b))).collect();
        let ensemble = read_ensemble(format!("g,theta\n{lines}").as_bytes(), &LAGRANGIAN).unwrap();
        prop_assert_eq!(ensemble.members(), rows.len());
        for (found, [a, b]) in ensemble.rows().zip(&rows) {
            prop_assert_eq!(found, &[value(*a), value(*b)]);
        }
    }
}
