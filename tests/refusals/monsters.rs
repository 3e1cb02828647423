//! Monsters: files that are too large or too strange to be kept are made here; they are refused in time and in
//! little memory.

use std::fmt::Write as _;
use std::path::Path;

use crate::command::{complaints, run};

/// A file that is made for the test.
pub struct Monster {
    name: &'static str,
    pub code: &'static str,
    bytes: Vec<u8>,
}

/// A model of two coordinates with this Lagrangian.
pub fn lagrangian(text: &str) -> String {
    format!(
        "coordinates = [\"x\", \"y\"]\n\n[lagrangian]\nL = \"{text}\"\n\n[initial]\n\
         position = {{ x = 1, y = 0 }}\nvelocity = {{ x = 0, y = 0 }}\n"
    )
}

/// A model of forty coordinates with this constraint.
fn constraint(text: &str) -> String {
    format!(
        "coordinates = [\"x[1..40]\"]\n\n[lagrangian]\nL = \"sum(i, 1, 40, x[i]'^2/2)\"\n\n\
         [constraints]\nmonster = \"{text}\"\n\n[initial]\n\
         position = {{ \"x[i]\" = 0 }}\nvelocity = {{ \"x[i]\" = 0 }}\n"
    )
}

/// Files that are too large or too strange to be kept.
pub fn monsters() -> Vec<Monster> {
    const MILLION: usize = 1_000_000;
    let mut monsters = Vec::new();
    let mut add = |name, code, bytes: Vec<u8>| monsters.push(Monster { name, code, bytes });
    let text = |text: String| text.into_bytes();

    let mut latin = text(lagrangian("x'^2/2 + y'^2/2"));
    latin.splice(0..0, *b"name = \"Schwingung \xfcber Eck\"\n");
    add("not_utf8", "ISO-MODEL-001", latin);
    add("not_utf8_cut", "ISO-MODEL-001", b"# \xe2\x82".to_vec());
    add("not_text", "ISO-MODEL-001", (0..=255).cycle().skip(128).take(MILLION).collect());
    add("nul", "ISO-MODEL-002", text(lagrangian("x'^2/2 +\0 y'^2/2")));
    add("only_nul", "ISO-MODEL-002", vec![0; MILLION]);
    add("escape_character", "ISO-MODEL-002", text(lagrangian("x'^2/2 +\x1b[31m y'^2/2")));

    let digits = "9".repeat(10 * MILLION);
    let parameter = |value: &str| lagrangian("x'^2/2 + y'^2/2") + "\n[parameters]\nm = " + value;
    add("number_10_megabytes", "ISO-MODEL-003", text(parameter(&digits)));
    add("number_10_megabytes_quoted", "ISO-MODEL-003", text(parameter(&format!("\"{digits}\""))));
    add("number_1_megabyte", "ISO-MODEL-004", text(parameter(&digits[..MILLION])));
    add(
        "number_1_megabyte_quoted",
        "ISO-MODEL-031",
        text(parameter(&format!("\"{}\"", &digits[..MILLION]))),
    );
    add(
        "decimal_half_a_megabyte",
        "ISO-MODEL-031",
        text(parameter(&format!("0.{}", &digits[..MILLION / 2]))),
    );

    let nested = |depth: usize| "(".repeat(depth) + "x" + &")".repeat(depth);
    add("nested_a_million_deep", "ISO-MODEL-003", text(lagrangian(&nested(MILLION))));
    add("nested_400000_deep", "ISO-MODEL-030", text(lagrangian(&nested(400_000))));
    add(
        "nested_functions",
        "ISO-MODEL-030",
        text(lagrangian(&("sin(".repeat(100_000) + "x" + &")".repeat(100_000)))),
    );
    add("nested_signs", "ISO-MODEL-030", text(lagrangian(&("-".repeat(900_000) + "x"))));
    add("nested_powers", "ISO-MODEL-030", text(lagrangian(&("x^".repeat(400_000) + "x"))));
    add("nested_arrays", "ISO-MODEL-003", text(format!("a = {}", "[".repeat(MILLION))));
    add("nested_arrays_in_the_limit", "ISO-MODEL-004", text(format!("a = {}", "[".repeat(40_000))));
    add("dotted_keys", "ISO-MODEL-003", text("a.".repeat(500_000) + "a = 1\n"));

    let factors: Vec<String> = (1..=40).map(|k| format!("(1 + x[{k}]')")).collect();
    add(
        "product_of_2_to_the_40_terms",
        "ISO-DERIVE-009",
        text(constraint(&(factors.join("*") + " = 2"))),
    );
    add("power_of_a_sum", "ISO-DERIVE-009", text(constraint("sum(i, 1, 40, x[i]')^1000 = 1")));
    add(
        "sum_of_2_to_the_40_terms",
        "ISO-MODEL-003",
        text(lagrangian("x'^2 + y'^2 + sum(i, 1, 2^40, cos(i*x))")),
    );
    let sums = (0..20).map(|k| format!("sum(i{k}, 0, 3, ")).collect::<String>();
    let sums = sums + "cos(i0*x + i19*y)" + &")".repeat(20);
    add(
        "nested_sums_of_2_to_the_40_terms",
        "ISO-MODEL-003",
        text(lagrangian(&format!("x'^2 + y'^2 + {sums}"))),
    );

    let mut circle = lagrangian("x'^2/2 + y'^2/2") + "\n[parameters]\na0 = \"a20000\"\n";
    for k in 1..=20_000 {
        let _ = writeln!(circle, "a{k} = \"a{}\"", k - 1);
    }
    add("circle_of_20000_parameters", "ISO-MODEL-029", text(circle));
    let mut strangers = lagrangian("x'^2/2 + y'^2/2") + "\n[parameters]\n";
    for k in 0..40_000 {
        let _ = writeln!(strangers, "a{k} = \"b{k}\"");
    }
    add("unknown_names_40000", "ISO-MODEL-024", text(strangers));
    add("keys_160000", "ISO-MODEL-003", text("a = 1\n".repeat(160_000)));
    add("broken_lines", "ISO-MODEL-004", text("x = = 1\n".repeat(10_000)));
    monsters
}

#[test]
fn monsters_are_refused_in_time_and_in_little_memory() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut wrong = Vec::new();
    for Monster { name, code, bytes } in monsters() {
        let file = format!("{name}.toml");
        std::fs::write(directory.join(&file), bytes).unwrap();
        let outcome = run(directory, &["derive", &file]);
        wrong.extend(complaints(&format!("monster_{name}"), &[code.to_owned()], &outcome));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
