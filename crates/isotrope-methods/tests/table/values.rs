//! Coefficients as real numbers.

use isotrope_algebra::{Precision, Rational};
use isotrope_methods::table::{Entry, Table, catalogue, catalogue_names};

use crate::support::*;

/// Abramowitz and Stegun, table 25.4: nodes and weights for [-1, 1].
#[test]
fn gauss_8_has_the_published_nodes_and_weights() {
    let nodes = [
        "0.183434642495649804939476142360",
        "0.525532409916328985817739049189",
        "0.796666477413626739591553936476",
        "0.960289856497536231683560868569",
    ];
    let weights = [
        "0.362683783378361982965150449277",
        "0.313706645877887287337962201987",
        "0.222381034453374470544355994426",
        "0.101228536290376259152531354310",
    ];
    let half = Rational::half();
    let value = |text: &str| -> Rational { text.parse().unwrap() };
    let gauss = Table::gauss(8).unwrap();
    let rounded = gauss.to_f64(&mut budget()).unwrap();
    let found = gauss.nodes(&mut budget()).unwrap();
    for k in 0..4 {
        let weight = (value(weights[k]) * half.clone()).to_f64();
        assert_eq!([rounded.b[4 + k], rounded.b[3 - k]], [weight, weight]);
        let node = value(nodes[k]) * half.clone();
        assert_eq!(found[4 + k].to_f64(), (&half + &node).to_f64());
        assert_eq!(found[3 - k].to_f64(), (&half - &node).to_f64());
    }
}

/// Values from an independent computation with sixty digits.
#[test]
fn entries_are_correctly_rounded() {
    let gauss = Table::gauss(4).unwrap().to_f64(&mut budget()).unwrap();
    assert_eq!(gauss.a[0], GAUSS_4_FIRST_ROW);
    let gauss = Table::gauss(8).unwrap().to_f64(&mut budget()).unwrap();
    assert_eq!(gauss.a[0], GAUSS_8_FIRST_ROW);
    assert_eq!(gauss.a[7], GAUSS_8_LAST_ROW);
    let sdirk = catalogue("sdirk-alexander-3", &mut budget()).unwrap().unwrap();
    let sdirk = sdirk.to_f64(&mut budget()).unwrap();
    assert_eq!(sdirk.b, ALEXANDER_WEIGHTS);
}

#[test]
fn zeros_are_exact_and_doubles_agree_with_exact_numbers() {
    for name in catalogue_names() {
        let table = catalogue(&name, &mut budget()).unwrap().unwrap();
        if table.stages > 5 {
            continue;
        }
        let rounded = table.to_f64(&mut budget()).unwrap();
        for (entry, value) in rounded.iter() {
            let exact = table.exact(entry, &mut budget()).unwrap();
            if let Some(exact) = exact {
                assert_eq!(*value, exact.to_f64(), "{name} {entry}");
                assert!(!value.is_sign_negative() || *value != 0.0, "{name} {entry}");
            }
        }
    }
    let pair = Table::lobatto_iiia_iiib(8).unwrap().to_f64(&mut budget()).unwrap();
    assert!(pair.a[0].iter().all(|value| *value == 0.0));
    assert!(pair.abar.iter().all(|row| row[7] == 0.0 && row[0] == pair.b[0]));
}

#[test]
fn enclosures_have_the_precision_that_was_asked_for() {
    let precision = Precision::new(400);
    for table in [Table::gauss(6).unwrap(), Table::lobatto_iiia_iiib(5).unwrap()] {
        let balls = table.enclosures(precision, &mut budget()).unwrap();
        let rounded = table.to_f64(&mut budget()).unwrap();
        for (entry, ball) in balls.iter() {
            assert!(ball.is_exact() || ball.accuracy() >= 400, "{} {entry}", table.name);
            assert_eq!(ball.to_f64_certain(), rounded.get(entry).copied());
            let single = table.coefficient(entry, Precision::new(70), &mut budget());
            assert!(entry != Entry::B(0) || single.unwrap().overlaps(ball));
        }
    }
}

#[test]
fn exact_entries_in_radicals() {
    let text = |table: &Table, entry| {
        table.exact(entry, &mut budget()).unwrap().map(|number| number.to_string())
    };
    let gauss = Table::gauss(4).unwrap();
    assert_eq!(text(&gauss, Entry::B(0)).unwrap(), "1/4-sqrt(30)/72");
    assert_eq!(text(&gauss, Entry::A { row: 1, column: 1 }).unwrap(), "1/8+sqrt(30)/144");
    let gauss = Table::gauss(5).unwrap();
    assert_eq!(text(&gauss, Entry::B(1)).unwrap(), "161/900+13*sqrt(70)/1800");
    // The field of two nodes of Gauss-6 has degree 24: not written down.
    let gauss = Table::gauss(6).unwrap();
    assert_eq!(text(&gauss, Entry::A { row: 0, column: 1 }), None);
    assert!(text(&gauss, Entry::A { row: 0, column: 0 }).is_some());
    assert!(text(&gauss, Entry::A { row: 0, column: 5 }).is_some());
    assert_eq!(Entry::Abar { row: 0, column: 10 }.to_string(), "abar[1,11]");
    let outside = gauss.exact(Entry::B(6), &mut budget());
    assert_eq!(outside.unwrap_err().to_string(), "the table has no entry b7");
}

const GAUSS_4_FIRST_ROW: [f64; 4] =
    [0.08696371128436346, -0.026604180084998794, 0.012627462689404725, -0.0035551496857956833];

const GAUSS_8_FIRST_ROW: [f64; 8] = [
    0.025307134072594065,
    -0.009105943305970076,
    0.006280831147030474,
    -0.004483015613054752,
    0.0030784913683267797,
    -0.0019176752546369523,
    0.0009727576640592635,
    -0.0002775083271169192,
];

const GAUSS_8_LAST_ROW: [f64; 8] = [
    0.05089177647230505,
    0.11021775956262797,
    0.1587709981935806,
    0.17826340032085422,
    0.18582490730223575,
    0.15057249179191318,
    0.12029646053265731,
    0.025307134072594065,
];

const ALEXANDER_WEIGHTS: [f64; 3] = [1.20849664917601, -0.644363170684469, 0.435866521508459];
