//! Hostile files are refused quickly, whatever they contain.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use isotrope_model::{ModelCode, ModelText, parse_model};

const HEAD: &str = "coordinates = [\"x\", \"y\"]\n[lagrangian]\nL = \"";
const TAIL: &str = "\"\n[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = 0, y = 0 }\n";

fn lagrangian(text: &str) -> String {
    format!("{HEAD}{text}{TAIL}")
}

/// Slow machines and unoptimised builds get some room; the promise is one second.
const ROOM: Duration = Duration::from_secs(if cfg!(debug_assertions) { 8 } else { 1 });

fn outcome(name: &str, file: &str) -> Option<ModelCode> {
    let start = Instant::now();
    let result = parse_model(&ModelText::new("hostile.toml", file.as_bytes()));
    let elapsed = start.elapsed();
    let codes: Vec<ModelCode> = match &result {
        Ok(model) => {
            println!("{name}: read, {elapsed:?}, {} nodes", model.pool.len());
            vec![]
        }
        Err(errors) => errors.iter().map(|error| error.code).collect(),
    };
    println!("{name}: {:?} {elapsed:?}", &codes[..codes.len().min(3)]);
    assert!(elapsed < ROOM, "{name} took {elapsed:?}");
    codes.first().copied()
}

fn refused(name: &str, file: &str) {
    assert!(outcome(name, file).is_some(), "{name} was read");
}

#[test]
fn hostile_files_are_refused_in_time() {
    const MILLION: usize = 1_000_000;
    let digits = "9".repeat(10 * MILLION);
    refused("10 MB number", &format!("m = {digits}"));
    refused("a long number", &format!("[parameters]\nm = {}", &digits[..MILLION]));
    refused("a long number in quotes", &format!("[parameters]\nm = \"{}\"", &digits[..MILLION]));
    refused("a long decimal", &format!("[parameters]\nm = 0.{}", &digits[..MILLION / 2]));
    refused("nested arrays", &format!("a = {}", "[".repeat(MILLION)));
    refused("nested arrays in the limit", &format!("a = {}", "[".repeat(40_000)));
    refused("nested tables in the limit", &format!("a = {}", "{a=".repeat(20_000)));
    refused("dotted keys", &format!("{}a = 1", "a.".repeat(500_000)));
    refused("dotted header", &format!("[{}a]\nb = 1", "a.".repeat(500_000)));
    refused("many keys", &"a = 1\n".repeat(MILLION / 6));
    let mut keys = String::from("[parameters]\n");
    for k in 0..40_000 {
        let _ = writeln!(keys, "a{k} = \"b{k}\"");
    }
    refused("many unknown names", &keys);
    let mut keys = String::from("[parameters]\na0 = \"a24000\"\n");
    for k in 1..=24_000 {
        let _ = writeln!(keys, "a{k} = \"a{}\"", k - 1);
    }
    refused("a long circle of parameters", &keys);
    let mut keys = lagrangian("a24000*x'^2 + y'^2") + "[define]\na0 = \"x\"\n";
    for k in 1..=24_000 {
        let _ = writeln!(keys, "a{k} = \"a{}*x + sin(a{})\"", k - 1, k - 1);
    }
    outcome("a long chain of definitions", &keys);
    let mut keys = lagrangian("a20000*x'^2 + y'^2") + "[define]\na0 = \"x\"\n";
    for k in 1..=20_000 {
        let _ = writeln!(keys, "a{k} = \"a{} + x^{k}\"", k - 1);
    }
    refused("sums that grow quadratically", &keys);
    let mut keys = String::from("[parameters]\na0 = 3\n");
    for k in 1..=20_000 {
        let _ = writeln!(keys, "a{k} = \"a{}*a{}\"", k - 1, k - 1);
    }
    refused("repeated squaring", &keys);
    for (open, close) in
        [("(", ")"), ("-", ""), ("2^", ""), ("sin(", ")"), ("x[", "]"), ("sum(i,1,2,", ")")]
    {
        let count = MILLION / 2 / (open.len() + close.len());
        let text = open.repeat(count) + "x" + &close.repeat(count);
        refused(&format!("nested {open}"), &lagrangian(&text));
        let text = open.repeat(1900) + "x" + &close.repeat(1900);
        outcome(&format!("nested {open} in the limit"), &lagrangian(&text));
    }
    refused("tower", &lagrangian("x'^2 + x^(9^9^9)"));
    refused("numeric tower", &lagrangian("x'^2 + 9^9^9"));
    refused("tower of roots", &lagrangian("x'^2 + 9^(9^(9/2))"));
    refused("powers of roots", &lagrangian("x'^2 + (sqrt(1009)*x)^9999"));
    refused("powers of scaled roots", &lagrangian("x'^2 + (3*sqrt(1009)*x)^9999"));
    refused("powers of powers", &lagrangian(&("(".repeat(50) + "2*x" + &")^9999".repeat(50))));
    refused("huge sum", &lagrangian("x'^2 + sum(i, 1, 10^12, i*x)"));
    refused("huge nested sums", &lagrangian("sum(i, 1, 10^4, sum(j, 1, 10^4, sin(i*j*x')))"));
    refused("sum of harmonic numbers", &lagrangian("x'^2 + sum(i, 1, 10^6, x/i)"));
    refused("sum of roots", &lagrangian("x'^2 + x*sum(i, 1, 10^6, sqrt(10^9+i))"));
    refused("sum of powers", &lagrangian("x'^2 + x*sum(i, 1, 10^6, 9^i)"));
    refused("sum of inverse powers", &lagrangian("x'^2 + x*sum(i, 1, 10^6, 9^(-i))"));
    refused("deep sums", &lagrangian(&("sum(i, 1, 2, ".repeat(40) + "x'" + &")".repeat(40))));
    refused(
        "empty sums inside",
        &lagrangian("x' + sum(i, 1, 10^6, sum(j, 1, 10^3, sum(k, 1, 0, x)))"),
    );
    refused("many numbers", &lagrangian(&("x'^2".to_owned() + &"+1e9999*x".repeat(90_000))));
    refused("many large powers", &lagrangian(&("x'^2".to_owned() + &"*9^2500".repeat(90_000))));
    refused("many fractions", &lagrangian(&("x'^2".to_owned() + &"+1/7^2500".repeat(40_000))));
    outcome(
        "many roots",
        &lagrangian(
            &((1..40_000).fold("x'^2".to_owned(), |mut text, k| {
                let _ = write!(text, "+sqrt({})*x", 1_000_000_007u64 + 2 * k);
                text
            })),
        ),
    );
    outcome(
        "many terms",
        &lagrangian(
            &((1..9_000).fold("x'^2".to_owned(), |mut text, k| {
                let _ = write!(text, "+x^{k}*y");
                text
            })),
        ),
    );
    outcome(
        "2^40 terms stay a product",
        &lagrangian(&("(x'+x+1)".to_owned() + &"*(x+y+2)".repeat(40))),
    );
    outcome("one long product", &lagrangian(&("x'^2".to_owned() + &"*(x+y)".repeat(100_000))));
    let mut family = "coordinates = [\"x[1..N]\"]\n[parameters]\nN = 100000\n".to_owned();
    family += "[lagrangian]\nL = \"sum(i, 1, N, x[i]'^2)\"\n[define]\n\"X[i=1..N]\" = \"sum(j, 1, i, x[j])\"\n";
    family += "[initial]\nposition = {\"x[i]\" = 0}\nvelocity = {\"x[i]\" = 0}\n";
    refused("quadratic definitions", &family);
    let mut ranges = "coordinates = [\"x\"]\n[define]\n".to_owned();
    for k in 0..20_000 {
        let _ = writeln!(ranges, "\"a[i={k}..{k}+1]\" = \"a[i+2]\"");
    }
    refused("many ranges", &ranges);
    let mut constraints = lagrangian("x'^2 + y'^2") + "[constraints]\n";
    for k in 0..20_000 {
        let _ = writeln!(constraints, "\"a[{k}]\" = \"x = {k}\"");
    }
    outcome("many constraints", &constraints);
    let mut collisions = "coordinates = [".to_owned();
    for k in 0..40_000 {
        let _ = write!(collisions, "\"a{}\",", k % 1000);
    }
    refused("many collisions", &(collisions + "]\n"));
    refused("quotes", &"\"\"\"".repeat(100_000));
    refused("broken lines", &"x = = 1\n".repeat(10_000));
}
