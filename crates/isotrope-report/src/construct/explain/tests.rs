//! What documents must have, whatever they say.

use isotrope_algebra::Budget;
use isotrope_algebra::ideal::F4;
use isotrope_algebra::polynomial::{Polynomial, RationalFunction};
use isotrope_construct::problem::file::{ProblemText, parse_problem};
use isotrope_construct::{Engines, Place, Unknowns};
use isotrope_methods::classes::Class;
use isotrope_methods::trees::{Family, Trees};

use super::notation::{Entries, Notation};
use super::*;
use isotrope_construct::{Wanted, answer, ask};

fn found(source: Source, order: usize, structure: Option<usize>, stages: usize) -> Answer {
    let wanted = Wanted { stages, order, structure, form: None, most: 2 };
    let asked = ask(source, wanted, &["strict".to_owned()], &[]).unwrap();
    answer(
        asked,
        Engines { patient: &F4::unlimited(), quick: &F4::unlimited(), hasty: &F4::unlimited() },
        &mut |_| {},
    )
    .unwrap()
}

fn heun() -> Answer {
    found(Source::Class(Class::Bilinear), 2, Some(4), 2)
}

/// Two groups, with a name that no format may obey.
fn hostile() -> Answer {
    let file = r#"
        name = "<b>100% & x_1 $"
        groups = { q = ["x"], long = ["y"] }
        rates = { x = "y", y = "-x" }
        structure = { energy = "(x^2 + y^2)/2" }
    "#;
    let problem = parse_problem(&ProblemText::new("a.toml", file.as_bytes())).unwrap();
    found(Source::Problem(Box::new(problem)), 1, Some(3), 2)
}

/// Elements are closed in the order in which they were opened.
fn is_balanced(html: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let (inside, _) = tag.split_once('>').ok_or_else(|| format!("never closed: {tag}"))?;
        let name = inside.split([' ', '/', '\n']).next().unwrap_or_default();
        if let Some(name) = inside.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else if !inside.ends_with('/') && !["meta", "!DOCTYPE"].contains(&name) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?}")) }
}

/// Braces, environments and dollar signs pair; what LaTeX obeys outside of formulas is escaped.
fn is_sound_latex(text: &str) -> Result<(), String> {
    let body = text.split_once("\\begin{document}").ok_or("no document")?.1;
    let (mut depth, mut math) = (0i32, false);
    let mut environments: Vec<&str> = Vec::new();
    for (number, line) in body.lines().enumerate() {
        let wrong = |what: &str| Err(format!("{what} in line {number}: {line}"));
        for part in line.split("\\begin{").skip(1) {
            environments.push(part.split('}').next().unwrap_or_default());
        }
        for part in line.split("\\end{").skip(1) {
            let name = part.split('}').next().unwrap_or_default();
            if name != "document" && environments.pop() != Some(name) {
                return wrong("an end without its beginning");
            }
        }
        if environments.contains(&"verbatim") || line.starts_with("\\end{verbatim}") {
            continue;
        }
        let display = environments.iter().any(|e| ["align*", "array", "loglogaxis"].contains(e));
        let cells = display || environments.contains(&"longtable");
        let mut before = ' ';
        for character in line.chars() {
            let escaped = before == '\\';
            match character {
                '{' if !escaped => depth += 1,
                '}' if !escaped => depth -= 1,
                '$' if !escaped => math = !math,
                '_' | '^' if !escaped && !math && !display => return wrong("no formula"),
                '&' if !escaped && !math && !cells => return wrong("no table"),
                '%' | '#' if !escaped => return wrong("unescaped"),
                c if !c.is_ascii() => return wrong("not in the fonts"),
                _ => {}
            }
            before = if escaped { ' ' } else { character };
        }
        if math {
            return wrong("an open formula");
        }
    }
    if depth == 0 && environments.is_empty() {
        Ok(())
    } else {
        Err(format!("{depth} {environments:?}"))
    }
}

fn ids(html: &str) -> Vec<&str> {
    html.split("<section id=\"").skip(1).filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn a_page_tells_everything_from_the_problem_to_the_certificates() {
    let answer = heun();
    let about = About { measured: None, command: "isotrope construct", model: None };
    let html = explain(&answer, &about, Format::Html);
    assert_eq!(is_balanced(&html), Ok(()));
    let parts =
        "problem methods order structure levels basis solutions tables certificates reproduce";
    assert_eq!(ids(&html).join(" "), parts);
    // A drawing for each tree of order one and two.
    assert_eq!(html.matches("<svg class=\"tree\"").count(), 8);
    // Eight order conditions and one structure condition, which is stated twice: in weights of
    // trees and in entries.
    assert_eq!(html.matches("<span class=\"badge\">new</span>").count(), 8 + 2);
    for word in ["src=", "<link", "@import", "url(", "<script"] {
        assert!(!html.contains(word), "{word}");
    }
    let latex = explain(&answer, &about, Format::Latex);
    assert_eq!(is_sound_latex(&latex), Ok(()));
    assert_eq!(latex.matches("\\section{").count(), parts.split(' ').count());
    assert_eq!(latex.matches("\\begin{forest}").count(), 8);
    assert!(latex.contains("\\bar{a}_{21}") && latex.contains("\\tilde{b}_{2}"));
    assert!(latex.contains("\\begin{array}{c|cc}"));
}

#[test]
fn a_contradiction_is_told_with_its_conditions() {
    let answer = found(Source::Class(Class::Generic), 2, None, 1);
    assert_eq!(answer.construction.freedom(), Freedom::Contradiction);
    let html = explain(&answer, &About::default(), Format::Html);
    assert_eq!(is_balanced(&html), Ok(()));
    assert_eq!(ids(&html).join(" "), "problem methods order levels basis reproduce");
    assert!(html.contains("no solution") && html.contains("contradict each other"));
    let latex = explain(&answer, &About::default(), Format::Latex);
    assert_eq!(is_sound_latex(&latex), Ok(()));
}

#[test]
fn names_of_a_file_are_shown_and_not_obeyed() {
    let answer = hostile();
    let html = explain(&answer, &About::default(), Format::Html);
    assert_eq!(is_balanced(&html), Ok(()));
    assert!(html.contains("&lt;b&gt;100% &amp; x_1 $") && !html.contains("<b>"));
    let latex = explain(&answer, &About::default(), Format::Latex);
    assert_eq!(is_sound_latex(&latex), Ok(()));
    assert!(latex.contains(r"100\% \& x\_1 \$"));
}

#[test]
fn soundness_is_noticed_to_be_missing() {
    let document = |text: &str| format!("\\begin{{document}}\n{text}\n\\end{{document}}\n");
    for bad in ["a_1", "100%", "$x", "{", "\\begin{align*}", "a & b", "ψ"] {
        assert!(is_sound_latex(&document(bad)).is_err(), "{bad}");
    }
    assert_eq!(is_sound_latex(&document("$a_1$ \\& 100\\%")), Ok(()));
}

#[test]
fn entries_have_the_letters_of_their_groups() {
    let family = Family::qvp();
    let notation = Notation::new(&family);
    let entry = |colour| notation.place(Place::Matrix { colour, row: 1, column: 0 });
    assert_eq!(entry(0).latex, "a_{21}");
    assert_eq!(entry(1).latex, "\\bar{a}_{21}");
    assert_eq!(notation.place(Place::Weight { colour: 2, stage: 2 }).latex, "\\tilde{b}_{3}");
    let wide = notation.place(Place::Matrix { colour: 0, row: 9, column: 0 });
    assert_eq!(wide.latex, "a_{10,1}");
    let groups = Family::parse("x=y; y=x").unwrap();
    let of_group = Notation::new(&groups).place(Place::Weight { colour: 1, stage: 0 });
    assert_eq!(of_group.latex, "b^{(y)}_{1}");
}

/// Two roads to a weight: this module's formula and that of the list of trees have the same
/// letters in the same order.
#[test]
fn weights_are_those_of_the_list_of_trees() {
    let trees = Trees::up_to(&Family::qvp(), 5, &mut Budget::new(1_000_000)).unwrap();
    let notation = Notation::new(trees.family());
    let letters = |text: &str| {
        let mut found: Vec<char> = text
            .replace("\\bar", "-")
            .replace("\\tilde", "~")
            .replace("\\mathsf T", "")
            .replace("\\mathbf", "")
            .replace("\\bigl", "")
            .replace("\\bigr", "")
            .replace("\\odot", "*")
            .chars()
            .filter(|c| "Ab-~*123456789".contains(*c))
            .collect();
        found.sort_unstable();
        found
    };
    for tree in trees.ids() {
        let one = letters(&notation.elementary_weight(&trees, tree).latex);
        assert_eq!(one, letters(&trees.weight_latex(tree)), "{}", trees.name(tree));
    }
}

#[test]
fn quotients_have_integer_coefficients() {
    let budget = &mut Budget::new(1_000_000);
    let unknowns = Unknowns::new(&Family::runge_kutta(), 1, &[], &[], budget).unwrap();
    let (a, b) = (Polynomial::variable(0), Polynomial::variable(1));
    let half = Polynomial::constant("1/2".parse().unwrap());
    let third = Polynomial::constant("1/3".parse().unwrap());
    let top = a.mul(&half, budget).unwrap().sub(&third, budget).unwrap();
    let function = RationalFunction::new(top, b, budget).unwrap().unwrap();
    let line = Entries::new(&unknowns).quotient(&function);
    assert_eq!(line.whole().latex, "\\frac{3 a_{11} - 2}{6 b_{1}}");
}

#[test]
fn a_long_command_is_the_same_in_lines() {
    let command = format!("isotrope construct --stages 2{}", " --fix a21=1/2".repeat(20));
    let lines = wrapped(&command);
    assert!(lines.lines().count() > 2 && lines.lines().all(|line| line.len() < 84));
    assert_eq!(lines.replace(" \\\n    ", " "), command);
}

#[test]
fn every_order_condition_has_its_tree() {
    let answer = found(Source::Class(Class::Natural), 4, None, 2);
    let conditions: usize = answer.construction.levels.iter().map(|l| l.equations.len()).sum();
    let html = explain(&answer, &About::default(), Format::Html);
    assert_eq!(html.matches("<svg class=\"tree\"").count(), conditions);
}
