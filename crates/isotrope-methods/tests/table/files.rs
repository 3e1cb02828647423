//! Table files: what is read, and what is wrong with bad ones.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use isotrope_algebra::Rational;
use isotrope_methods::classes::Class;
use isotrope_methods::table::Table;
use isotrope_methods::table::file::{
    ClaimedOrder, TableCode, TableError, TableText, parse_table, write_table,
};

use proptest::prelude::*;

use crate::support::*;

fn parse(text: &[u8]) -> Result<isotrope_methods::table::file::TableFile, Vec<TableError>> {
    parse_table(&TableText::new("some/folder/given.toml", text))
}

fn shown(file: &[u8], errors: &[TableError]) -> String {
    let mut text = String::new();
    for error in errors {
        let part = |span: isotrope_algebra::syntax::Span| {
            let bytes = file.get(span.range()).unwrap_or(b"?");
            String::from_utf8_lossy(bytes).chars().take(60).collect::<String>()
        };
        text.push_str(&format!("{} at {}..{}", error.code, error.span.start, error.span.end));
        text.push_str(&format!(
            " `{}`\n  {}\n  hint: {}\n",
            part(error.span),
            error.message,
            error.hint
        ));
        for label in &error.labels {
            text.push_str(&format!("  see `{}`: {}\n", part(label.span), label.message));
        }
    }
    text
}

#[test]
fn bad_files_are_refused_with_place_reason_and_way_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/table/bad");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut seen = BTreeSet::new();
    for path in paths {
        let file = std::fs::read(&path).unwrap();
        let errors = parse(&file).unwrap_err();
        assert!(!errors.is_empty());
        seen.extend(errors.iter().map(|error| error.code));
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        insta::assert_snapshot!(format!("bad_{name}"), shown(&file, &errors));
    }
    for (bytes, code) in [
        (b"name = \"\xff\"".to_vec(), TableCode::NotUtf8),
        (b"name = \"\0\"".to_vec(), TableCode::ControlCharacter),
        (vec![b'#'; 2_000_000], TableCode::TooLarge),
    ] {
        let errors = parse(&bytes).unwrap_err();
        assert_eq!(errors[0].code, code);
        seen.insert(code);
    }
    // Files with a table for each group: those of their reader are in grouped.rs, those that need a model in the tests of
    // the facade.
    seen.extend([
        TableCode::NoGroups,
        TableCode::NotAPartition,
        TableCode::NoMatrix,
        TableCode::UnknownGroups,
    ]);
    let missing: Vec<_> = TableCode::ALL.iter().filter(|code| !seen.contains(code)).collect();
    assert!(missing.is_empty(), "codes without an example: {missing:?}");
}

#[test]
fn a_file_with_everything() {
    let file = br#"
        name = "pair"
        description = "positions and velocities"
        stages = 2
        a = [[0, 0], [0.5, "1/2"]]
        abar = [["1/2", 0], ["1/2", 0]]
        b = ["1/2", 0.50]
        bbar = ["1-1/2", "sqrt(1/4)"]
        btil = ["1/2", "1/2"]
        [declared]
        order = 2
        structure = { bilinear = "inf", sphere = 3 }
        form = "inf"
        class = "sphere"
    "#;
    let read = parse(file).unwrap();
    assert_eq!(read.table.name, "pair");
    assert!(read.table.is_rational() && is_symplectic(&read.table));
    assert_eq!(read.declared.order.map(|(order, _)| order), Some(2));
    let claims = |claims: &[isotrope_methods::table::file::Claim]| {
        claims.iter().map(|claim| (claim.class, claim.order)).collect::<Vec<_>>()
    };
    assert_eq!(
        claims(&read.declared.structure),
        [(Class::Bilinear, ClaimedOrder::Infinite), (Class::Sphere, ClaimedOrder::Finite(3))]
    );
    assert_eq!(claims(&read.declared.form), [(Class::Sphere, ClaimedOrder::Infinite)]);
    let span = read.declared.form[0].span;
    assert_eq!(&file[span.range()], b"\"inf\"");
    let again = write_table(&read.table, &read.declared, &mut budget()).unwrap();
    let again = parse(again.as_bytes()).unwrap();
    assert_eq!(again.table, read.table);
    assert_eq!(claims(&again.declared.structure), claims(&read.declared.structure));
    assert_eq!(claims(&again.declared.form), claims(&read.declared.form));
}

/// c = a·1, Â = a·abar, β = b·abar on the stages whose forces are used, and Σ b = 1.
#[test]
fn a_nystrom_file_makes_the_same_steps() {
    let file = b"c = [\"1/2\", \"sqrt(2)/3\"]
        ahat = [[\"1/8\", \"-1/7\"], [\"sqrt(2)\", 3]]
        beta = [\"2/3\", \"1/5\"]
        bbar = [\"1/4\", \"3/4\"]
        btil = [\"1/3\", \"2/3\"]";
    let table = parse(file).unwrap().table;
    assert_eq!(table.stages, 3);
    let number = |text: &str| {
        let file = format!("a = [[\"{text}\"]]\nb = [\"sqrt(2)\"]");
        parse(file.as_bytes()).unwrap().table.a[0][0].clone()
    };
    let unit = |j: usize| {
        (0..3)
            .map(|i| table.field.rational(Rational::integer(i64::from(i == j))))
            .collect::<Vec<_>>()
    };
    let ones = vec![table.field.rational(Rational::ONE); 3];
    let nodes = table.apply(&table.a, &ones);
    assert_eq!(nodes[1..], [number("1/2"), number("sqrt(2)/3")]);
    assert!(table.pair(&table.b, &ones).is_one());
    let ahat = [["1/8", "-1/7"], ["sqrt(2)", "3"]];
    for j in 0..2 {
        let velocities = table.apply(&table.abar, &unit(j + 1));
        let positions = table.apply(&table.a, &velocities);
        assert_eq!(positions[1..], [number(ahat[0][j]), number(ahat[1][j])]);
        assert_eq!(table.pair(&table.b, &velocities), number(["2/3", "1/5"][j]));
        assert_eq!(table.bbar[j + 1], number(["1/4", "3/4"][j]));
        assert_eq!(table.btil[j + 1], number(["1/3", "2/3"][j]));
    }
    // The first stage has a velocity and no force that anything uses.
    assert!(table.abar.iter().all(|row| row[0].is_zero()) && table.bbar[0].is_zero());
}

#[test]
fn a_file_with_the_least() {
    let read = parse(b"a = [[\"1/2\"]]\nb = [1]\n[declared]\nstructure = 3").unwrap();
    assert_eq!(read.table.name, "given");
    assert!(read.table.is_one_table());
    assert_eq!(read.declared.structure[0].class, Class::Generic);
    let names = parse(b"name = \"a \\\"b\\\" \\u03b1\"\na = [[0]]\nb = [1]").unwrap();
    let text = write_table(&names.table, &names.declared, &mut budget()).unwrap();
    assert_eq!(parse(text.as_bytes()).unwrap().table, names.table);
}

#[test]
fn hostile_files_are_answered_in_time() {
    let radicals: String =
        [2, 3, 5, 7, 11, 13].iter().map(|n| format!("\"sqrt({n})\", ")).collect();
    let many: String = (0..64).map(|n| format!("\"sqrt({n})+root(x^5-x-{n},1)\", ")).collect();
    let long = |digits: &str| digits.repeat(50);
    let (p, q) = (long("1234567890"), long("9876543217"));
    let rows: String = (0..64)
        .map(|row| {
            let row: String = (0..64).map(|k| format!("\"{}+sqrt(2)\",", 64 * row + k)).collect();
            format!("[{row}],")
        })
        .collect();
    let files: Vec<String> = vec![
        format!("a = [[\"root(x^5-{p}*x-{q},1)\"]]\nb = [\"root(x^5-{q}*x-{p},1)\"]"),
        format!("a = [{rows}]\nb = [\"sqrt(3)\", \"sqrt(5)\", \"sqrt(7)\", \"sqrt(11)\"]"),
        "a = [[\"sqrt(1+sqrt(2+sqrt(3+sqrt(5+sqrt(7)))))\"]]\nb = [1]".to_owned(),
        format!("a = [[{radicals}]]\nb = [{radicals}]"),
        format!("a = [[{many}]]\nb = [{many}]"),
        format!("a = [[\"{}\"]]\nb = [1]", "sqrt(2+".repeat(500)),
        format!("a = [[\"{}2{}\"]]\nb = [1]", "sqrt(1+".repeat(150), ")".repeat(150)),
        format!("a = [[\"{}\"]]\nb = [1]", "(".repeat(9_000)),
        "a = [[\"9^999*(9^999)^999\"]]\nb = [1]".to_owned(),
        "a = [[\"(1+sqrt(2))^1000\"]]\nb = [1]".to_owned(),
        "a = [[\"2^(1/31)+3^(1/29)\"]]\nb = [1]".to_owned(),
        "a = [[\"root(x^64-x-1,1)\"]]\nb = [\"root((x+1)^64-2,1)\"]".to_owned(),
        format!("a = {}\nb = [1]", "[".repeat(5_000)),
        format!("a = [{}]\nb = [1]", "[1],".repeat(10_000)),
        "a = [[1e9999]]\nb = [inf]".to_owned(),
    ];
    for file in files {
        let start = Instant::now();
        if let Err(errors) = parse(file.as_bytes()) {
            assert!((1..=100).contains(&errors.len()), "{file:.60}");
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{file:.60} {:?}", start.elapsed());
    }
}

const GOOD: &str = "name = \"g\"\nstages = 2\na = [[\"1/4\", \"1/4-sqrt(3)/6\"], \
    [\"1/4+root(x^2-3,2)/6\", 0.25]]\nb = [\"1/2\", \"2^(-1)\"]\n[declared]\norder = 4\n";

proptest! {
    #[test]
    fn whatever_the_bytes_there_is_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    /// Good files with a few characters changed reach every part of the reader.
    #[test]
    fn damaged_files_are_answered_with_places_inside_them(
        changes in prop::collection::vec((0usize..150, "[-+*/^()\\[\\]{}=,.\"'0-9a-z \n√π]{0,3}"), 1..6)
    ) {
        let mut text = GOOD.to_owned();
        for (at, new) in changes {
            let at = at.min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                text.replace_range(at..(at + 1).min(text.len()), &new);
            }
        }
        if let Err(errors) = parse(text.as_bytes()) {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(error.span.start <= error.span.end);
                prop_assert!(error.span.end as usize <= text.len());
                prop_assert!(!error.hint.is_empty() && !error.message.is_empty());
            }
        }
    }
}

#[test]
fn the_good_file_is_good() {
    assert!(parse(GOOD.as_bytes()).is_ok());
}

#[test]
fn a_decimal_is_exact() {
    let read = parse(b"a = [[0.1]]\nb = [1_0e-1]").unwrap();
    let expected = Table::from_text("given", &[&["1/10"]], &["1"], &mut budget()).unwrap();
    assert_eq!(read.table, expected);
}
