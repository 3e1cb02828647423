//! Generic problems of a class ask for what the class asks for.

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;
use isotrope_construct::problem::{Parameters, Problem};
use isotrope_construct::symbolic::conditions_at_points;
use isotrope_methods::classes::{Class, Part, Structure, conditions};

use crate::support::{Integers, mechanical};

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("q{i}")).collect()
}

/// L = Σ i q_i'²/2 − U(q) with a random potential, and some constraints.
fn natural(coordinates: usize, constraints: &[String], integers: &mut Integers) -> Problem {
    let names = names(coordinates);
    let kinetic: Vec<String> =
        names.iter().enumerate().map(|(i, q)| format!("{}*{q}'^2/2", i + 1)).collect();
    let potential = integers.polynomial(&names, 5, 4);
    model(coordinates, constraints, &format!("{} - ({potential})", kinetic.join(" + ")))
}

fn model(coordinates: usize, constraints: &[String], lagrangian: &str) -> Problem {
    let names = names(coordinates);
    let quoted: Vec<String> = names.iter().map(|q| format!("\"{q}\"")).collect();
    let zeros: Vec<String> = names.iter().map(|q| format!("{q} = 0")).collect();
    let constraints: Vec<String> =
        constraints.iter().enumerate().map(|(i, c)| format!("c{i} = \"{c}\"")).collect();
    let file = format!(
        "coordinates = [{}]\nlagrangian.L = \"{lagrangian}\"\n[constraints]\n{}\n[initial]\n\
         position = {{ {zeros} }}\nvelocity = {{ {zeros} }}\n",
        quoted.join(", "),
        constraints.join("\n"),
        zeros = zeros.join(", "),
    );
    mechanical(&file, Parameters::Values)
}

fn agree(class: Class, problem: &Problem, order: usize) {
    let budget = &mut Budget::new(20_000_000_000);
    let seen = conditions_at_points(problem, order, budget).unwrap();
    let random = &mut Random::new(1);
    let all = conditions(class, Structure::Submanifold, order, random, budget, &mut |_| {});
    let all = all.unwrap();
    for order in 1..=order {
        let parts = [(Part::Psi, "psi"), (Part::PhiV, "phi_v"), (Part::PhiQ, "phi_q")];
        for (part, name) in parts {
            assert_eq!(seen.at_part(name, order), all.at(part, order), "{class} {part} h^{order}");
        }
        assert_eq!(seen.at(order), all.at(Part::All, order), "{class} h^{order}");
    }
}

#[test]
fn a_bilinear_problem_asks_for_what_its_class_asks_for() {
    let integers = &mut Integers::new(3);
    let names = names(5);
    let row = |integers: &mut Integers| {
        let entry = |q: &String, integers: &mut Integers| {
            format!("({} + {})*{q}'", integers.linear(&names), integers.draw())
        };
        let terms: Vec<String> = names.iter().map(|q| entry(q, integers)).collect();
        format!("{} = 0", terms.join(" + "))
    };
    let constraints = [row(integers), row(integers)];
    agree(Class::Bilinear, &natural(5, &constraints, integers), 4);
}

#[test]
fn a_sphere_problem_asks_for_what_its_class_asks_for() {
    let integers = &mut Integers::new(5);
    let names = names(5);
    let quadric = format!(
        "q5^2 + {} + {} = 1",
        integers.polynomial(&names[..4], 2, 6),
        integers.linear(&names[..4])
    );
    let plane = format!("{} = 2", integers.linear(&names));
    agree(Class::Sphere, &natural(5, &[quadric, plane], integers), 4);
}

#[test]
fn a_generic_problem_asks_for_what_its_class_asks_for() {
    let integers = &mut Integers::new(7);
    let names = names(4);
    let mut both = names.clone();
    both.extend(names.iter().map(|q| format!("{q}'")));
    let terms: Vec<String> = names
        .iter()
        .map(|q| format!("({} + {})*{q}'", integers.draw(), integers.polynomial(&names, 4, 2)))
        .collect();
    let constraint = format!("{} = 0", terms.join(" + "));
    let lagrangian = integers.polynomial(&both, 6, 4);
    agree(Class::Generic, &model(4, &[constraint], &lagrangian), 4);
}
