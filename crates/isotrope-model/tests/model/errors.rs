//! Bad models: what is wrong, where, and what to do about it. Every code occurs.

use std::collections::BTreeSet;

use isotrope_model::{Initial, Model, ModelCode, ModelError, ModelText, Source, Span, parse_model};

const TAIL: &str = "\n[lagrangian]\nL = \"x'^2/2 - k*x^2/2\"\n[parameters]\nk = 1\n[initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";

/// A good model of one coordinate with a line replaced by others.
fn with(old: &str, new: &str) -> String {
    let good = format!("name = \"spring\"\ncoordinates = [\"x\"]{TAIL}");
    assert!(good.contains(old), "{old}");
    good.replace(old, new)
}

fn lagrangian(text: &str) -> String {
    with("x'^2/2 - k*x^2/2", text)
}

fn chain(old: &str, new: &str) -> String {
    let good = r#"coordinates = ["x[1..N]"]
[parameters]
N = 3
[define]
"x[0]" = 0
[lagrangian]
L = "sum(i, 1, N, x[i]'^2 - (x[i]-x[i-1])^2)"
[constraints]
"rod[i=1..N]" = "x[i] - x[i-1] = 1"
[forces]
"x[i]" = "-x[i]'"
[initial]
position = { "x[i]" = "i" }
velocity = { "x[i]" = 0 }
"#;
    assert!(good.contains(old), "{old}");
    good.replacen(old, new, 1)
}

fn hamiltonian(h: &str, initial: &str) -> String {
    format!("coordinates = [\"x\"]\n[hamiltonian]\nH = \"{h}\"\n[initial]\n{initial}\n")
}

struct Case {
    file: Vec<u8>,
    set: Vec<&'static str>,
    initial: Vec<&'static str>,
}

fn case(text: impl Into<Vec<u8>>) -> Case {
    Case { file: text.into(), set: vec![], initial: vec![] }
}

fn shown(case: &Case, source: Source, span: Span) -> String {
    let text = match source {
        Source::File => &case.file,
        Source::Set(k) => case.set[k].as_bytes(),
        Source::Initial(k) => case.initial[k].as_bytes(),
    };
    let before = std::str::from_utf8(&text[..span.start as usize]).unwrap();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let part: String = String::from_utf8_lossy(&text[span.range()]).chars().take(40).collect();
    let name = match source {
        Source::File => String::new(),
        other => format!("{other:?} "),
    };
    format!("{name}{line}:{column} `{}`", part.replace('\n', "⏎"))
}

fn report(name: &str, case: &Case, codes: &mut BTreeSet<ModelCode>) -> String {
    let text = ModelText {
        set: case.set.clone(),
        initial: case.initial.clone(),
        ..ModelText::new("bad.toml", &case.file)
    };
    let errors: Vec<ModelError> = match parse_model(&text) {
        // What is missing is told by whoever needs it.
        Ok(Model { initial: Initial { absent: Some(absent), .. }, .. }) => vec![*absent],
        Ok(_) => return format!("## {name}\n  no error\n"),
        Err(errors) => errors,
    };
    let mut report = format!("## {name}\n");
    for error in errors {
        codes.insert(error.code);
        report += &format!("  {} {}\n", error.code, shown(case, error.source, error.span));
        report += &format!("      {}\n", error.message);
        if let Some(hint) = error.hint {
            report += &format!("      hint: {hint}\n");
        }
        for label in error.labels {
            report +=
                &format!("      {}: {}\n", shown(case, label.source, label.span), label.message);
        }
    }
    report
}

fn cases() -> Vec<(&'static str, Case)> {
    let mut cases = vec![
        ("not UTF-8", case(b"name = \"\xff\"".to_vec())),
        ("NUL", case("name = \"a\0b\"")),
        ("TOML syntax", case("name = \"a\ncoordinates = [\"x\"]\nm = = 1\n")),
        ("expression without quotes", case(with("L = \"x'^2/2 - k*x^2/2\"", "L = x'^2"))),
        ("indexed key without quotes", case("[define]\nx[0] = 1\n")),
        ("duplicate key", case(with("k = 1", "k = 1\nm = 2\nk = 3"))),
        ("duplicate table", case(with("[initial]", "[parameters]\nz = 1\n[initial]"))),
        (
            "duplicate key and another error",
            case(lagrangian("x'^2 - q*x").replace("k = 1", "k = 1\nk = 2")),
        ),
        ("unknown table", case(with("[parameters]", "[paramters]"))),
        ("unknown key in a table", case(with("velocity", "speed"))),
        ("unknown key in run", case(with("[initial]", "[run]\nsteps = 1\n[initial]"))),
        ("wrong types", case(with("k = 1", "k = true\nb = [1]\nc = 1979-05-27\nd = inf"))),
        ("wrong type of tables", case("coordinates = \"x\"\nparameters = 1\nlagrangian = \"L\"\n")),
        ("version", case(with("name", "version = 2\nname"))),
        (
            "descriptor system",
            case(
                "coordinates = [\"x\"]\n[port]\nhamiltonian = \"x^2\"\nE = { \"x,x\" = \"x\" }\n[initial]\nposition = { x = 1 }\n",
            ),
        ),
        (
            "entries of a bracket",
            case(
                "coordinates = [\"x\", \"y\"]\n[poisson]\nhamiltonian = \"x^2\"\n\"x,z\" = \"1\"\n[inputs]\nu = 1\n[initial]\nposition = { x = 1, y = 0 }\n",
            ),
        ),
        (
            "equations and inputs",
            case(
                "coordinates = [\"x\"]\n[equations]\n\"x\" = \"u\"\n[inputs]\nu = { table = [[1, 0], [0, 1]] }\n[initial]\nposition = { x = 1 }\n",
            ),
        ),
        ("magnetic components", case(with("[initial]", "[magnetic]\n\"x,x\" = \"1\"\n[initial]"))),
        ("missing system", case("coordinates = [\"x\"]\n")),
        ("empty Lagrangian table", case("coordinates = [\"x\"]\n[lagrangian]\nV = 1\n")),
        ("two systems", case(with("[parameters]", "[hamiltonian]\nH = \"p_x^2\"\n[parameters]"))),
        ("empty file", case("")),
        ("no coordinates", case(with("[\"x\"]", "[]"))),
        ("bad names", case(with("[\"x\"]", "[\"x\", \"2y\", \"a b\", \"\"]"))),
        ("reserved names", case(with("[\"x\"]", "[\"x\", \"t\", \"sin\", \"pi\"]"))),
        ("name collisions", case(with("[\"x\"]", "[\"x\", \"k\", \"x\"]"))),
        (
            "definition collides with a coordinate",
            case(with("[initial]", "[define]\nx = 1\n[initial]")),
        ),
        ("momentum collision", case(with("k = 1", "k = 1\np_x = 2"))),
        ("syntax", case(lagrangian("x'^2/2 - (k*x^2/2"))),
        ("several errors in one expression", case(lagrangian("2x' + sine(x) + sin(x, x) + 3 k"))),
        ("superscript", case(lagrangian("x'²"))),
        ("empty expression", case(lagrangian(""))),
        ("unknown names", case(lagrangian("xdot^2/2 - K*x^2 - K*foo"))),
        (
            "unknown name across tables",
            case(
                with("[initial]", "[forces]\nx = \"-c*x' + gg\"\n[initial]")
                    .replace("k*x^2/2", "gg*x"),
            ),
        ),
        ("velocity with v", case(lagrangian("vx^2/2"))),
        ("Euler's number", case(lagrangian("x'^2 + e^x"))),
        ("index on a plain coordinate", case(lagrangian("x[1]'^2"))),
        ("coordinate without its index", case(chain("x[i]'^2", "x'^2"))),
        ("wrong number of indices", case(chain("x[i]'^2", "x[i,1]'^2"))),
        ("index out of range", case(chain("\"x[0]\" = 0", ""))),
        ("index is a fraction", case(chain("x[i]'^2", "x[i/2]'^2"))),
        ("index is a coordinate", case(chain("x[i]'^2", "x[x[1]]'^2"))),
        ("bound is not an integer", case(chain("N = 3", "N = 2.5"))),
        ("bound is unknown", case(chain("sum(i, 1, N", "sum(i, 1, M"))),
        ("range is empty", case(chain("N = 3", "N = 0"))),
        (
            "range of a definition is missing",
            case(chain("\"x[0]\" = 0", "\"x[0]\" = 0\n\"y[i]\" = \"i\"")),
        ),
        ("range is malformed", case(chain("x[1..N]", "x[1.."))),
        (
            "cyclic definitions",
            case(
                with("[initial]", "[define]\na = \"b\"\nb = \"c + x\"\nc = \"a\"\n[initial]")
                    .replace("k*x^2", "a"),
            ),
        ),
        (
            "cyclic indexed definitions",
            case(chain("\"x[0]\" = 0", "\"x[0]\" = 0\n\"y[i=1..3]\" = \"y[4-i]\"")),
        ),
        ("cyclic parameters", case(with("k = 1", "k = \"c\"\nc = \"k + 1\""))),
        ("too deep", case(lagrangian(&("(".repeat(5000) + "x" + &")".repeat(5000))))),
        ("long number", case(with("k = 1", &format!("k = \"{}\"", "9".repeat(20_000))))),
        ("tower of powers", case(lagrangian("x'^2 + x^(9^9^9)"))),
        ("large exponent", case(lagrangian("x'^2 + x^20000"))),
        ("division by zero", case(lagrangian("x'^2/2 + k/(x - x)"))),
        ("logarithm of zero", case(with("k = 1", "k = \"log(0)\""))),
        ("acceleration in L", case(lagrangian("x*x''"))),
        ("velocity in H", case(hamiltonian("x'^2", "position = {x = 1}\nmomentum = {x = 0}"))),
        ("momentum in L", case(lagrangian("p_x^2"))),
        (
            "momentum in a constraint",
            case(
                hamiltonian("p_x^2", "position = {x = 1}\nmomentum = {x = 0}")
                    + "[constraints]\nc = \"p_x = 0\"\n",
            ),
        ),
        (
            "initial data not constant",
            case(with("position = { x = 1 }", "position = { x = \"x + t\" }")),
        ),
        ("parameter not constant", case(with("k = 1", "k = \"t\""))),
        ("prime on a parameter", case(lagrangian("x'^2 + k'"))),
        ("prime on the time", case(lagrangian("x'^2 + t'"))),
        (
            "acceleration through a definition",
            case(with("[initial]", "[define]\nv = \"2*x'\"\n[initial]").replace("k*x^2", "v'")),
        ),
        ("constant Lagrangian", case(lagrangian("k + x - x"))),
        (
            "constant constraints",
            case(with(
                "[initial]",
                "[constraints]\na = \"x = x\"\nb = \"1 = 0\"\nc = \"k = 2\"\n[initial]",
            )),
        ),
        (
            "constraint table",
            case(with(
                "[initial]",
                "[constraints]\na = { chetaev = 1, equatoin = \"x\" }\n[initial]",
            )),
        ),
        ("equation in L", case(lagrangian("x' = 0"))),
        (
            "two equals signs",
            case(with("[initial]", "[constraints]\na = \"x = 1 = 2\"\nb = \"x == 1\"\n[initial]")),
        ),
        ("force on a stranger", case(with("[initial]", "[forces]\ny = 1\nk = 2\n[initial]"))),
        (
            "force given twice",
            case(chain("\"x[i]\" = \"-x[i]'\"", "\"x[i]\" = 1\n\"x[j]\" = 2\n\"x[2]\" = 3")),
        ),
        (
            "constraint given twice",
            case(chain("\"rod[i=1..N]\"", "\"rod[2]\" = \"x[1] = 1\"\n\"rod[i=1..N]\"")),
        ),
        (
            "missing initial data",
            case(with("[initial]\nposition = { x = 1 }\nvelocity = { x = 0 }", "")),
        ),
        ("missing velocity", case(with("velocity = { x = 0 }", ""))),
        (
            "missing coordinates in initial data",
            case(chain("position = { \"x[i]\" = \"i\" }", "position = { \"x[2]\" = 1 }")),
        ),
        (
            "velocity for a Hamiltonian",
            case(hamiltonian("p_x^2", "position = {x = 1}\nvelocity = {x = 0}")),
        ),
        ("momentum for a Lagrangian", case(with("velocity", "momentum"))),
        ("initial data of a stranger", case(with("{ x = 1 }", "{ x = 1, y = 2 }"))),
        (
            "step is not positive",
            case(with("[initial]", "[run]\nstep = 0\ntime = \"-pi + 3 - 3\"\n[initial]")),
        ),
        ("huge sum", case(lagrangian("x'^2 + sum(i, 1, 10^12, sin(i*x))"))),
        ("huge family", case(chain("N = 3", "N = 1000000000000"))),
        (
            "huge definition",
            case(chain("\"x[0]\" = 0", "\"x[0]\" = 0\n\"y[i=1..9999,j=1..9999]\" = \"i*j\"")),
        ),
        (
            "step outside of a discrete Lagrangian",
            case(with(
                "\"x'^2/2 - k*x^2/2\"",
                "\"x'^2/2 - h*x^2/2\"\n[discrete]\nL = \"(x_next - x)^2/h\"",
            )),
        ),
        (
            "unknown group",
            case(
                "[lie_group]\ngroup = \"SU(2)\"\ninertia = [1, 2, 3]\n\
                 [initial]\nvelocity = { \"omega[i]\" = 0 }"
                    .to_owned(),
            ),
        ),
        (
            "axis without direction",
            case(
                "[lie_group]\ngroup = \"SO(3)\"\ninertia = [1, 2, 3]\n[initial]\n\
                 rotation = { axis = [0, 0, 0], angle = 1 }\nvelocity = { \"omega[i]\" = 0 }"
                    .to_owned(),
            ),
        ),
        (
            "inertia that is not positive definite",
            case(
                "[parameters]\na = -1\n[lie_group]\ngroup = \"SO(3)\"\n\
                 inertia = [[1, 2, 0], [2, \"2 + a\", 0], [0, 0, 1]]\n\
                 [initial]\nvelocity = { \"omega[i]\" = 0 }"
                    .to_owned(),
            ),
        ),
        (
            "negative mass, position of a velocity and of a translation",
            case(
                "[lie_group]\ngroup = \"SE(2)\"\ninertia = 1\nmass = -1\n[initial]\n\
                 position = { omega = 1, \"x[1]\" = 2 }\nvelocity = { omega = 0, \"v[i]\" = 0 }"
                    .to_owned(),
            ),
        ),
        (
            "potential with a velocity",
            case(
                "[lie_group]\ngroup = \"SO(3)\"\ninertia = [1, 2, 3]\npotential = \"omega[1]*R[1,1]\"\n\
                 [initial]\nvelocity = { \"omega[i]\" = 0 }"
                    .to_owned(),
            ),
        ),
        (
            "scene",
            case(with(
                "[initial]",
                "[scene]\nbodies = [{ at = [\"x\"] }, { name = \"a\", at = [\"x\", \"K\"] }]\nlinks = [[0, 5]]\n[initial]",
            )),
        ),
        ("escapes in strings", case(with("\"x'^2/2 - k*x^2/2\"", "\"\\u0078'^2/2 - K*x\""))),
        ("long strings", case(with("\"x'^2/2 - k*x^2/2\"", "\"\"\"\n  x'^2/2\n  - K*x\n\"\"\""))),
    ];
    let mut bad = case(with("name", "name"));
    bad.set = vec!["k", "K=2", "k=2x", "=3", "k=1/0"];
    bad.initial = vec!["y=1", "x=t", "p_x=1", "x'=1+"];
    cases.push(("overrides", bad));
    let coupled = "coordinates = [\"y\", \"q\"]\n[equations]\n\"y''\" = \"q'' - y\"\n\"q''\" = \"y'' - q\"\n[initial]\nposition = { y = 1, q = 0 }\nvelocity = { y = 0, q = 0 }\n";
    cases.push(("coupled equations", case(coupled.to_owned())));
    cases
}

#[test]
fn errors_say_where_what_and_how() {
    let mut codes = BTreeSet::new();
    let mut all = String::new();
    for (name, case) in cases() {
        all += &report(name, &case, &mut codes);
    }
    insta::assert_snapshot!(all);
    let missing: Vec<String> = ModelCode::ALL
        .iter()
        .filter(|code| !codes.contains(code))
        .map(ModelCode::to_string)
        .collect();
    assert!(missing.is_empty(), "no bad model shows {missing:?}");
}
