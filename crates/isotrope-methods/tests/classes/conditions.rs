//! How many conditions a class imposes, and which.

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;
use isotrope_methods::classes::{
    Class, ClassError, Dimensions, Part, Structure, conditions, conditions_of_sizes,
};

use crate::support::{computed, given_ranks, ranks};

fn is_long() -> bool {
    std::env::var_os("ISOTROPE_LONG").is_some()
}

#[test]
fn given_order_j_minus_one_the_generic_structure_imposes_every_condition_of_order_j() {
    let order = if is_long() { 6 } else { 4 };
    let found = computed(Class::Generic, Structure::Submanifold, order);
    // 5, 14, 42, 138, 468 trees of orders 2 to 6: ψ alone asks for all of them.
    assert_eq!(given_ranks(&found, Part::All)[1..], [5, 14, 42, 138, 468][..order - 1]);
    assert_eq!(given_ranks(&found, Part::Psi)[1..], [5, 14, 42, 138, 468][..order - 1]);
    assert_eq!(given_ranks(&found, Part::PhiV)[1..], [3, 8, 23, 74, 248][..order - 1]);
}

#[test]
fn so_does_every_class_with_arbitrary_constraints_for_trees_of_natural_systems() {
    // 5, 14, 40, 127 trees whose vertices have at most two v-children.
    let order = if is_long() { 5 } else { 4 };
    for class in [Class::Natural, Class::ConstantMass, Class::Holonomic] {
        let found = computed(class, Structure::Submanifold, order);
        assert_eq!(given_ranks(&found, Part::All)[1..], [5, 14, 40, 127][..order - 1], "{class}");
    }
}

#[test]
fn bilinear_and_spherical_structures_impose_fewer() {
    let order = if is_long() { 5 } else { 4 };
    let found = computed(Class::Bilinear, Structure::Submanifold, order);
    assert_eq!(given_ranks(&found, Part::All)[1..], [4, 11, 33, 105][..order - 1]);
    let found = computed(Class::Sphere, Structure::Submanifold, order);
    assert_eq!(given_ranks(&found, Part::All)[1..], [4, 10, 27, 76][..order - 1]);
    assert_eq!(given_ranks(&found, Part::PhiV)[1..], [1, 3, 8, 22][..order - 1]);
    assert_eq!(given_ranks(&found, Part::PhiQ)[1..], [1, 1, 3, 8][..order - 1]);
}

#[test]
fn several_quadrics_ask_for_more_than_one() {
    let order = if is_long() { 5 } else { 4 };
    let one = computed(Class::Sphere, Structure::Submanifold, order);
    let several = computed(Class::Quadrics, Structure::Submanifold, order);
    assert_eq!(given_ranks(&several, Part::All)[1..], [4, 10, 28, 89][..order - 1]);
    assert_eq!(ranks(&one, Part::Psi)[3], 16);
    assert_eq!(ranks(&several, Part::Psi)[3], 17);
}

#[test]
fn larger_problems_add_no_conditions() {
    for class in [Class::Generic, Class::Bilinear, Class::Sphere, Class::Quadrics] {
        let affine = usize::from(class == Class::Sphere) * 2;
        let sizes = [Dimensions { coordinates: 6, constraints: 3, affine, terms: 12 }];
        let budget = &mut Budget::new(10_000_000_000);
        let random = &mut Random::new(5);
        let structure = Structure::Submanifold;
        let large =
            conditions_of_sizes(class, &sizes, structure, 4, random, budget, &mut |_| {}).unwrap();
        let default = computed(class, structure, 4);
        for part in [Part::Psi, Part::PhiV, Part::All] {
            for order in 1..=4 {
                assert_eq!(
                    large.at(part, order),
                    default.at(part, order),
                    "{class} {part} {order}"
                );
            }
        }
    }
}

#[test]
fn order_two_is_eight_conditions() {
    // Of these five are seen by the structure; the sums b, b̄ and b̃ = 1 are consistency, which
    // rescaling of time hides.
    let found = computed(Class::Generic, Structure::Submanifold, 2);
    let text = |order: usize, known: usize| -> Vec<String> {
        let given = found.given(Part::All, order, known, &mut Budget::new(100_000)).unwrap();
        given.iter().map(|condition| condition.text(found.trees())).collect()
    };
    assert_eq!(text(1, 0), ["w(p) = w(v)", "w(q) = w(v)"]);
    assert_eq!(
        text(2, 1),
        ["w(p[q]) = 1/2", "w(p[v]) = 1/2", "w(q[v]) = 1/2", "w(v[q]) = 1/2", "w(v[v]) = 1/2"]
    );
    let latex = found.given(Part::All, 2, 1, &mut Budget::new(100_000)).unwrap();
    assert_eq!(latex[0].latex(found.trees()), "w(p[q]) = \\tfrac{1}{2}");
}

#[test]
fn seeds_do_not_matter_and_steps_of_random_methods_agree() {
    let budget = &mut Budget::new(1_000_000_000);
    let structure = Structure::Submanifold;
    let one = computed(Class::Sphere, structure, 3);
    let other =
        conditions(Class::Sphere, structure, 3, &mut Random::new(99), budget, &mut |_| {}).unwrap();
    for part in one.parts() {
        assert_eq!(one.at(part, 3), other.at(part, 3));
    }
    assert!(one.checks > 100);
    // The stated failure probability is negligible.
    assert!(one.failure_probability.to_f64() < 1e-30);
}

#[test]
fn progress_is_reported_and_budgets_stop() {
    let mut reports = Vec::new();
    let budget = &mut Budget::new(1_000_000_000);
    conditions(
        Class::Symplectic,
        Structure::Form,
        3,
        &mut Random::new(1),
        budget,
        &mut |sampling| reports.push(*sampling),
    )
    .unwrap();
    assert!(reports.windows(2).all(|pair| pair[0].prime <= pair[1].prime));
    assert_eq!(reports.last().map(|last| last.prime), Some(2));
    let short = &mut Budget::new(10_000);
    let stopped = conditions(
        Class::Generic,
        Structure::Submanifold,
        4,
        &mut Random::new(1),
        short,
        &mut |_| {},
    );
    assert!(matches!(stopped, Err(ClassError::OutOfBudget(_))));
}

#[test]
fn nonholonomic_classes_have_no_form() {
    let budget = &mut Budget::new(1_000_000);
    let answer =
        conditions(Class::Bilinear, Structure::Form, 2, &mut Random::new(1), budget, &mut |_| {});
    assert!(matches!(answer, Err(ClassError::NoSuchPart { .. })));
}
