//! What the tests share.

use isotrope_algebra::{Budget, Rational};
use isotrope_construct::problem::file::{ProblemText, parse_problem};
use isotrope_construct::problem::{Parameters, Problem};
use isotrope_derive::derive;
use isotrope_methods::classes::{Condition, Forest};
use isotrope_methods::trees::Trees;
use isotrope_model::{ModelText, parse_model};

/// A problem that must be readable.
pub fn problem(file: &str) -> Problem {
    parse_problem(&ProblemText::new("test.toml", file.as_bytes())).unwrap()
}

fn read(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    std::fs::read_to_string(format!("{root}/{path}.toml")).unwrap()
}

/// A shipped problem.
pub fn shipped(name: &str) -> Problem {
    problem(&read(&format!("groups/{name}")))
}

/// The (q, v, p) problem of a model file.
pub fn mechanical(file: &str, parameters: Parameters) -> Problem {
    let budget = &mut Budget::new(1_000_000_000);
    let model = parse_model(&ModelText::new("test.toml", file.as_bytes())).unwrap();
    let system = derive(model, budget).unwrap();
    Problem::of_model(&system, parameters, budget).unwrap()
}

/// The (q, v, p) problem of a shipped model.
pub fn shipped_model(name: &str, parameters: Parameters) -> Problem {
    mechanical(&read(name), parameters)
}

/// Conditions as text.
pub fn texts(trees: &Trees, conditions: &[Condition]) -> Vec<String> {
    conditions.iter().map(|condition| condition.text(trees)).collect()
}

/// Row spaces over the rationals: is every condition a combination of the others?
pub fn contained(conditions: &[Condition], others: &[Condition]) -> bool {
    let mut basis: Vec<(Forest, Vec<(Forest, Rational)>)> = Vec::new();
    let reduce = |basis: &[(Forest, Vec<(Forest, Rational)>)], row: &[(Forest, Rational)]| {
        let mut row = row.to_vec();
        for (pivot, known) in basis {
            let Some(value) = row.iter().find(|(f, _)| f == pivot).map(|(_, x)| x.clone()) else {
                continue;
            };
            for (forest, x) in known {
                let change = &value * x;
                match row.iter_mut().find(|(f, _)| f == forest) {
                    Some((_, entry)) => *entry = &*entry - &change,
                    None => row.push((forest.clone(), -&change)),
                }
            }
            row.retain(|(_, x)| !x.is_zero());
        }
        row
    };
    for condition in others {
        let mut row = reduce(&basis, &condition.terms);
        let Some((pivot, value)) = row.first().cloned() else { continue };
        let inverse = value.recip().unwrap();
        row.iter_mut().for_each(|(_, x)| *x = &*x * &inverse);
        basis.push((pivot, row));
    }
    conditions.iter().all(|condition| reduce(&basis, &condition.terms).is_empty())
}

/// Small random integers.
pub struct Integers(isotrope_algebra::modular::Random);

impl Integers {
    pub fn new(seed: u64) -> Self {
        Self(isotrope_algebra::modular::Random::new(seed))
    }

    pub fn draw(&mut self) -> i64 {
        self.0.below(19) as i64 - 9
    }

    /// A random linear form as text.
    pub fn linear(&mut self, variables: &[String]) -> String {
        let terms: Vec<String> =
            variables.iter().map(|variable| format!("({})*{variable}", self.draw())).collect();
        terms.join(" + ")
    }

    /// A sum of random powers of random linear forms, of degrees 2 to `degree`.
    pub fn polynomial(&mut self, variables: &[String], degree: usize, terms: usize) -> String {
        let mut sum = Vec::new();
        for power in 2..=degree {
            for _ in 0..terms {
                let coefficient = self.draw();
                sum.push(format!("({coefficient})*({})^{power}", self.linear(variables)));
            }
        }
        sum.join(" + ")
    }
}
