//! What `methods` and `certify` say.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn method(name: &str) -> Value {
    let output = run(&["methods", name, "--json"], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn certify(file: &str) -> (Value, Option<i32>) {
    let output = run(&["certify", "-", "--json"], file);
    let value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (value, output.status.code())
}

#[test]
fn keys_of_the_contract_are_there() {
    let keys = [
        "name",
        "family",
        "parameters",
        "applies_to",
        "order",
        "structure",
        "form",
        "energy",
        "symmetric",
        "explicit",
        "implicit_stages",
        "first_failing_tree",
    ];
    for name in ["midpoint", "ab3", "yoshida-4", "dirac-1"] {
        let one = method(name);
        for key in keys {
            assert!(one.get(key).is_some(), "{name}: {key}");
        }
    }
    for class in
        ["generic", "natural", "constant-mass", "bilinear", "sphere", "holonomic", "symplectic"]
    {
        assert!(method("midpoint")["structure"].get(class).is_some(), "{class}");
    }
}

#[test]
fn the_four_things_are_told_apart() {
    let midpoint = method("midpoint");
    assert_eq!(midpoint["order"], 2);
    assert_eq!(midpoint["structure"]["bilinear"], "inf");
    assert_eq!(midpoint["form"]["sphere"], 3);
    assert_eq!(midpoint["form"]["symplectic"], "inf");
    assert_eq!(midpoint["symmetric"], true);
    assert_eq!(midpoint["implicit_stages"], 1);
    let verlet = method("sv");
    assert_eq!(verlet["form"]["sphere"], "inf");
    let lobatto = method("lobatto-iiia-iiib-3");
    assert_eq!(lobatto["structure"]["sphere"], "inf");
    assert_eq!(lobatto["form"]["sphere"], 5);
    let euler = method("euler");
    assert!(!euler["form"].to_string().contains("inf"));
    assert_eq!(euler["free_directions"], json!(["a11", "abar11"]));
}

#[test]
fn tables_are_printed_exactly_and_correctly_rounded() {
    let gauss = text(&run(&["methods", "gauss-2", "--json"], "").stdout);
    assert!(gauss.contains("\"1/4-sqrt(3)/6\""));
    // 1/4 − √3/6 in doubles is -0.038675134594812866: the rounding of the exact number is another.
    assert!(gauss.contains("-0.03867513459481288\n"), "{gauss}");
}

const NEGATIVE: &str = r#"
name = "one table per equation"
stages = 2
a = [[0, 0], ["1/2", 0]]
b = [0, 1]
abar = [[0, 0], [1, 0]]
bbar = ["1/2", "1/2"]
btil = ["1/2", "1/2"]
[declared]
order = 2
"#;

const VERLET: &str = r#"
name = "Verlet, written otherwise"
stages = 2
a = [[0, 0], ["1/2", "1/2"]]
b = [1, 0]
abar = [["1/2", 0], ["1/2", 0]]
bbar = ["1/2", "1/2"]
btil = ["1/2", "1/2"]
[declared]
order = 2
structure = { sphere = "inf", bilinear = "inf" }
form = { sphere = "inf" }
"#;

#[test]
fn a_declared_order_that_is_wrong_exits_with_one() {
    let (value, code) = certify(NEGATIVE);
    assert_eq!((value["order"].clone(), code), (json!(1), Some(1)));
    assert_eq!(value["declared_holds"], false);
    let (value, code) = certify(VERLET);
    assert_eq!((value["order"].clone(), code), (json!(2), Some(0)));
    assert_eq!(value["exact"], true);
    assert_eq!(value["declared_holds"], true);
    let (_, code) = certify(&VERLET.replace("order = 2", "order = 3"));
    assert_eq!(code, Some(1));
    let (_, code) = certify(&NEGATIVE.replace("order = 2", "order = 1\nstructure = \"inf\""));
    assert_eq!(code, Some(1));
}

#[test]
fn text_of_one_method() {
    for name in ["heun", "sv", "gauss-4", "ab3", "yoshida-4", "dirac-2"] {
        insta::assert_snapshot!(
            format!("method_{name}"),
            text(&run(&["methods", name], "").stdout)
        );
    }
    insta::assert_snapshot!("certify_negative", text(&run(&["certify", "-"], NEGATIVE).stdout));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let refusal = |arguments: &[&str], input: &str| {
        let output = run(arguments, input);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    };
    let mut all = refusal(&["methods", "gaus-3"], "");
    all.push_str(&refusal(&["methods", "gauss-0"], ""));
    all.push_str(&refusal(&["certify", "-"], "stages = 1\na = [[\"pi\"]]\nb = [1]\n"));
    all.push_str(&refusal(&["certify", "no-such-file.toml"], ""));
    insta::assert_snapshot!("refusals", all);
}

#[test]
fn the_list_has_every_method_once() {
    let output = run(&["methods", "--json"], "");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<&str> = value["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|method| method["name"].as_str().unwrap())
        .collect();
    for wanted in ["euler", "rk4", "gauss-8", "verlet", "yoshida-8", "dirac-2-repaired"] {
        assert_eq!(names.iter().filter(|name| **name == wanted).count(), 1, "{wanted}");
    }
}

fn methods_for(model: &str) -> Value {
    let output = run(&["methods", "--for", model, "--json"], "");
    assert_eq!(output.status.code(), Some(0), "{model}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Every kind of system gets a short list with reasons, each of which can be run.
#[test]
fn methods_for_a_model_are_few_and_have_reasons() {
    let models = [
        "sleigh",
        "pendulum",
        "henon_heiles",
        "damped_pendulum",
        "rigid_body",
        "lotka_volterra",
        "poisson/rigid_body",
        "port/loudspeaker",
        "port/capacitor_loop",
        "equations/lorenz",
    ];
    for model in models {
        let path = format!("{}/../../models/{model}.toml", env!("CARGO_MANIFEST_DIR"));
        let answer = methods_for(&path);
        let list = answer["methods"].as_array().unwrap();
        assert!((2..=8).contains(&list.len()), "{model}: {}", list.len());
        let mut names: Vec<&str> = list.iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert!(list.iter().all(|one| !one["reason"].as_str().unwrap().is_empty()), "{model}");
        let ranks: Vec<u64> = list.iter().map(|one| one["rank"].as_u64().unwrap()).collect();
        assert_eq!(ranks, (1..=list.len() as u64).collect::<Vec<_>>());
        let first = names[0].to_owned();
        let made = ["run", &path, "--method", &first, "--step", "1/1000", "--time", "1/100"];
        let ran = run(&made, "");
        assert_eq!(ran.status.code(), Some(0), "{model} {first}: {}", text(&ran.stderr));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), list.len(), "{model}");
    }
}

/// What is said of a method is what its certificate says on the class of the system.
#[test]
fn reasons_for_a_model_are_those_of_certificates() {
    let models = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let answer = methods_for(&format!("{models}/pendulum.toml"));
    assert_eq!(answer["system"]["class"], "sphere");
    let mut seen = 0;
    for one in answer["methods"].as_array().unwrap() {
        let name = one["name"].as_str().unwrap();
        if one["role"] == "adaptive" {
            continue;
        }
        let certificate = method(name);
        let keeps = |what: &str| one["keeps"].as_array().unwrap().contains(&json!(what));
        assert_eq!(keeps("constraints"), certificate["structure"]["sphere"] == "inf", "{name}");
        assert_eq!(keeps("form"), certificate["form"]["sphere"] == "inf", "{name}");
        assert_eq!(one["order"], certificate["order"], "{name}");
        seen += 1;
    }
    assert!(seen >= 4);
    // What keeps the structure comes first, and Gauss collocation is there.
    let keeps = answer["methods"][0]["keeps"].as_array().unwrap();
    assert_eq!(keeps, &vec![json!("constraints"), json!("form")]);
    let roles: Vec<&Value> =
        answer["methods"].as_array().unwrap().iter().map(|one| &one["role"]).collect();
    assert!(roles.contains(&&json!("collocation")));
    // Another system, another list: without constraints a step of separable forces is explicit.
    let free = methods_for(&format!("{models}/henon_heiles.toml"));
    assert_eq!(free["system"]["separable"], true);
    assert_eq!(
        (&free["methods"][0]["explicit"], &free["methods"][0]["keeps"]),
        (&json!(true), &json!(["form"]))
    );
}
