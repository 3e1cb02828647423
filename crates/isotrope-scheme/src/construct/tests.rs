//! The expected results of the theory, recovered.

use isotrope_algebra::Budget;
use isotrope_algebra::ideal::F4;
use isotrope_algebra::modular::Random;

use super::*;
use crate::methods::classes::{Class, Part, Structure, conditions};
use crate::methods::trees::{Family, Trees};

fn system(
    stages: usize,
    order: usize,
    structure: Option<(Class, usize)>,
    patterns: &[Pattern],
) -> (Unknowns, Vec<Level>) {
    let budget = &mut Budget::unlimited();
    let unknowns = Unknowns::new(&Family::qvp(), stages, patterns, &[], budget).unwrap();
    let (trees, rows) = match structure {
        Some((class, m)) if m > order + 1 => {
            let random = &mut Random::new(1);
            let found =
                conditions(class, Structure::Submanifold, m - 1, random, budget, &mut |_| {})
                    .unwrap();
            let rows = (order + 1..m)
                .map(|power| StructureLevel {
                    power,
                    conditions: found.given(Part::All, power, order, budget).unwrap(),
                })
                .collect();
            (found.trees().clone(), rows)
        }
        _ => (Trees::up_to(&Family::qvp(), order, budget).unwrap(), Vec::new()),
    };
    let levels = levels(&unknowns, &trees, order, &rows, budget).unwrap();
    (unknowns, levels)
}

/// (conditions, new, dimension) of the last level.
fn last(
    stages: usize,
    order: usize,
    patterns: &[Pattern],
) -> (usize, Option<usize>, Option<usize>) {
    let (unknowns, levels) = system(stages, order, None, patterns);
    let reports = reports(&levels, unknowns.len(), &F4).unwrap();
    let last = reports.last().unwrap();
    (last.conditions, last.new.as_ref().map(Vec::len), last.freedom.dimension())
}

#[test]
fn theorem_a_two_stages() {
    // Conditions of the last order, new ones, dimension.
    assert_eq!(last(2, 2, &[]), (5, Some(5), Some(7)));
    assert_eq!(last(2, 3, &[]), (14, Some(7), Some(3)));
    assert_eq!(last(2, 4, &[]), (42, Some(3), Some(0)));
    assert_eq!(last(2, 5, &[]).2, None);
    assert_eq!(last(1, 2, &[]).2, Some(0));
    assert_eq!(last(1, 3, &[]).2, None);
    assert_eq!(last(3, 3, &[Pattern::Strict]).2, Some(2));
    assert_eq!(last(3, 4, &[Pattern::Strict]).2, None);
}

#[test]
fn look() {
    let budget = &mut Budget::unlimited();
    for (s, k, m, class, patterns) in [
        (2, 4, 5, Class::Generic, vec![]),
        (2, 3, 4, Class::Generic, vec![]),
        (2, 2, 4, Class::Bilinear, vec![Pattern::Strict]),
        (3, 2, 5, Class::Bilinear, vec![Pattern::Strict]),
        (2, 2, 5, Class::Bilinear, vec![Pattern::Strict]),
        (2, 2, 5, Class::Sphere, vec![]),
        (3, 1, 5, Class::Sphere, vec![Pattern::Strict]),
        (3, 2, 4, Class::Sphere, vec![Pattern::Strict]),
        (3, 2, 4, Class::Sphere, vec![Pattern::Lower]),
    ] {
        let start = std::time::Instant::now();
        let (unknowns, levels) = system(s, k, Some((class, m)), &patterns);
        let names = unknowns.names();
        eprintln!("== s={s} ({k},{m}) {class} {patterns:?} unknowns {}", unknowns.len());
        for r in reports(&levels, unknowns.len(), &F4).unwrap() {
            eprintln!(
                "   {:?} {} new {:?} {:?}",
                r.aim,
                r.conditions,
                r.new.map(|n| n.len()),
                r.freedom
            );
        }
        let ideal = ideal(&levels, unknowns.len(), &F4, budget).unwrap().unwrap();
        eprintln!(
            "   basis {} exact {} dim {:?} {:?}",
            ideal.basis().len(),
            ideal.is_exact(),
            ideal.dimension(),
            start.elapsed()
        );
        if !ideal.is_consistent() {
            for (i, j) in contradiction(&levels, unknowns.len(), &F4).unwrap() {
                eprintln!("   ! {}", levels[i].equations[j].text);
            }
            continue;
        }
        let parts = ideal.components(&F4, budget).unwrap();
        eprintln!(
            "   components {:?} {:?}",
            parts
                .components
                .iter()
                .map(|c| (c.ideal.dimension(), c.unsplit, c.is_graph()))
                .collect::<Vec<_>>(),
            start.elapsed()
        );
        if ideal.basis().len() < 20 {
            for g in ideal.basis() {
                eprintln!("      {}", named(g, &names));
            }
        }
        for shape in Shape::all(&Family::qvp(), s) {
            let Some(zeros) = shape.zeros(&unknowns) else { continue };
            let small = ideal.extended(zeros, &F4, budget).unwrap();
            if !small.is_consistent() {
                continue;
            }
            let points = Search::new(&unknowns, &F4).points(&small, Taste::Sparse, budget).unwrap();
            eprintln!(
                "   shape {:?} cost {} dim {:?} points {} {:?}",
                shape.blocks.len(),
                shape.cost(),
                small.dimension(),
                points.len(),
                start.elapsed()
            );
            if let Some(p) = points.first() {
                let text: Vec<String> = names
                    .iter()
                    .zip(&p.coordinates)
                    .map(|(n, x)| format!("{n}={}", p.field.to_algebraic(x, budget).unwrap()))
                    .collect();
                eprintln!("      {}", text.join(" "));
                break;
            }
        }
    }
}
