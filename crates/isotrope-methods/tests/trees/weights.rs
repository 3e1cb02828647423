//! The conditions as text mean what they say: they are evaluated and compared with the
//! recursion, and known methods satisfy exactly those up to their order.

use std::iter::Peekable;
use std::str::Chars;

use isotrope_algebra::Rational;
use isotrope_methods::trees::{Family, Trees};

use crate::support::trees;

/// Matrices and weights by name.
struct Tables(Vec<(&'static str, Vec<Vec<Rational>>)>);

impl Tables {
    fn get(&self, name: &str) -> &[Vec<Rational>] {
        &self.0.iter().find(|(known, _)| *known == name).unwrap().1
    }

    /// A row for weights, several rows for a matrix.
    fn apply(&self, name: &str, vector: &[Rational]) -> Vec<Rational> {
        self.get(name)
            .iter()
            .map(|row| row.iter().zip(vector).fold(Rational::ZERO, |sum, (a, x)| &sum + &(a * x)))
            .collect()
    }
}

/// Reads and evaluates `name.1`, `name.(…)` with products and powers inside.
fn evaluate(text: &mut Peekable<Chars<'_>>, tables: &Tables, stages: usize) -> Vec<Rational> {
    let mut name = String::new();
    while text.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') {
        name.extend(text.next());
    }
    assert_eq!(text.next(), Some('.'));
    let inside = if text.peek() == Some(&'1') {
        text.next();
        vec![Rational::ONE; stages]
    } else {
        product(text, tables, stages)
    };
    tables.apply(&name, &inside)
}

fn product(text: &mut Peekable<Chars<'_>>, tables: &Tables, stages: usize) -> Vec<Rational> {
    assert_eq!(text.next(), Some('('));
    let mut value = vec![Rational::ONE; stages];
    loop {
        let factor = if text.peek() == Some(&'(') {
            product(text, tables, stages)
        } else {
            evaluate(text, tables, stages)
        };
        let mut power = 1;
        if text.peek() == Some(&'^') {
            text.next();
            power = text.next().and_then(|digit| digit.to_digit(10)).unwrap();
        }
        for _ in 0..power {
            value.iter_mut().zip(&factor).for_each(|(v, f)| *v = &*v * f);
        }
        match text.next() {
            Some('*') => {}
            other => {
                assert_eq!(other, Some(')'));
                return value;
            }
        }
    }
}

fn number(text: &str) -> Rational {
    text.parse().unwrap()
}

fn matrix(rows: &[&[&str]]) -> Vec<Vec<Rational>> {
    rows.iter().map(|row| row.iter().map(|entry| number(entry)).collect()).collect()
}

/// w(t) by its definition.
fn weights(trees: &Trees, tables: &Tables, stages: usize) -> Vec<Rational> {
    let mut phi: Vec<Vec<Rational>> = Vec::new();
    let mut weights = Vec::new();
    for tree in trees.ids() {
        let mut value = vec![Rational::ONE; stages];
        for &child in trees.children(tree) {
            let matrix = trees.family().colours()[trees.colour(child)].matrix();
            let factor = tables.apply(matrix, &phi[child.index()]);
            value.iter_mut().zip(&factor).for_each(|(v, f)| *v = &*v * f);
        }
        let root = trees.family().colours()[trees.colour(tree)].weights();
        weights.push(tables.apply(root, &value).swap_remove(0));
        phi.push(value);
    }
    weights
}

/// The largest order whose conditions all hold.
fn order(trees: &Trees, tables: &Tables, stages: usize) -> usize {
    let weights = weights(trees, tables, stages);
    for tree in trees.ids() {
        let text = trees.weight(tree);
        let mut characters = text.chars().peekable();
        let value = evaluate(&mut characters, tables, stages).swap_remove(0);
        assert_eq!(characters.next(), None, "{text}");
        assert_eq!(value, weights[tree.index()], "{text}");
    }
    let holds = |order: usize| {
        trees.of_order(order).all(|t| Some(&weights[t.index()]) == trees.gamma(t).recip().as_ref())
    };
    (1..=trees.max_order()).take_while(|&n| holds(n)).count()
}

/// One table in all places.
fn same(a: Vec<Vec<Rational>>, b: Vec<Vec<Rational>>) -> Tables {
    Tables(vec![("a", a.clone()), ("abar", a), ("b", b.clone()), ("bbar", b.clone()), ("btil", b)])
}

#[test]
fn the_classical_method_has_order_four_in_every_family() {
    let a = matrix(&[
        &["0", "0", "0", "0"],
        &["1/2", "0", "0", "0"],
        &["0", "1/2", "0", "0"],
        &["0", "0", "1", "0"],
    ]);
    let tables = same(a, matrix(&[&["1/6", "1/3", "1/3", "1/6"]]));
    let families = [Family::runge_kutta(), Family::partitioned(), Family::nystrom(), Family::qvp()];
    for family in families {
        assert_eq!(order(&trees(&family, 6), &tables, 4), 4, "{}", family.name());
    }
}

#[test]
fn heun_has_order_two_and_a_wrong_weight_has_not() {
    let a = matrix(&[&["0", "0"], &["1", "0"]]);
    let trees = trees(&Family::qvp(), 4);
    let heun = same(a.clone(), matrix(&[&["1/2", "1/2"]]));
    assert_eq!(order(&trees, &heun, 2), 2);
    let wrong = same(a, matrix(&[&["1/3", "2/3"]]));
    assert_eq!(order(&trees, &wrong, 2), 1);
}

#[test]
fn a_pair_of_tables_is_more_than_each_of_them() {
    // Störmer–Verlet as a partitioned method: the trapezoidal rule for q with the second
    // Lobatto IIIB table for p.
    let tables = Tables(vec![
        ("a", matrix(&[&["0", "0"], &["1/2", "1/2"]])),
        ("abar", matrix(&[&["1/2", "0"], &["1/2", "0"]])),
        ("b", matrix(&[&["1/2", "1/2"]])),
        ("bbar", matrix(&[&["1/2", "1/2"]])),
    ]);
    assert_eq!(order(&trees(&Family::partitioned(), 4), &tables, 2), 2);
}

#[test]
fn conditions_differentials_and_forests_read_as_on_paper() {
    let mechanical = trees(&Family::qvp(), 7);
    let one = trees(&Family::runge_kutta(), 7);
    let partitioned = trees(&Family::partitioned(), 4);
    let declared = trees(&Family::parse("x=x,y^2; y=x").unwrap(), 4);
    let long = trees(&Family::parse("theta=omega^1; omega=theta,omega").unwrap(), 4);
    let mut text = String::new();
    for (trees, names) in [
        (&mechanical, ["q", "q[v]", "v[qv]", "v[q[v]v]", "p[qqv[v]v[v]]", "q[v[qq]]"].as_slice()),
        (&one, &["y", "y[y]", "y[yy]", "y[y[y]]", "y[yyy]", "y[yyyyy]", "y[y[yy]y[yy]]"]),
        (&partitioned, &["p", "q[qp]", "p[q[p]p]"]),
        (&declared, &["x", "x[xyy]", "y[x[y]]"]),
        (&long, &["theta[omega]", "omega[theta,theta[omega]]"]),
    ] {
        text.push_str(&format!("{}\n", trees.family().rules()));
        for name in names {
            let tree = trees.find(name).unwrap();
            text.push_str(&format!(
                "  {}\n    {}\n    {}\n    {}\n    {}\n    {}\n",
                trees.name(tree),
                trees.condition(tree),
                trees.condition_latex(tree),
                trees.differential(tree),
                trees.differential_latex(tree),
                trees.forest(tree),
            ));
        }
    }
    insta::assert_snapshot!("written", text);
}

#[test]
fn drawings_stand_on_their_root() {
    let mechanical = trees(&Family::qvp(), 6);
    let long = trees(&Family::parse("theta=omega^1; omega=theta,omega").unwrap(), 5);
    let mut text = String::new();
    for (trees, name) in [
        (&mechanical, "q"),
        (&mechanical, "v[q[v]v]"),
        (&mechanical, "p[qqv[qv]]"),
        (&mechanical, "q[v[qvvv]]"),
        (&long, "omega[omega,omega,theta]"),
        (&long, "theta[omega[theta,theta[omega]]]"),
    ] {
        let tree = trees.find(name).unwrap();
        let lines = trees.drawing(tree);
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width), "{lines:#?}");
        text.push_str(&format!("{name}\n{}\n\n", lines.join("\n")));
    }
    insta::assert_snapshot!("drawn", text);
}
