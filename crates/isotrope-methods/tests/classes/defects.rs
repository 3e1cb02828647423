//! Every method of the table of expected methods, and what it preserves.

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Precision, Rational};
use isotrope_methods::classes::{Class, Defect, Enclosures, Part, measure, vanishing_probability};
use isotrope_methods::table::Coefficients;

use crate::support::*;

/// (order + 1, structure) in a class, through h^`max`.
fn orders(table: &Exact, class: Class, max: usize) -> (Defect, Defect) {
    let defects = defects(table, class, max);
    (defects.solution, defects.structure().0)
}

const fn at(order: usize) -> Defect {
    Defect::Order(order)
}

#[test]
fn in_the_generic_class_the_structure_order_is_one_above_the_order() {
    for (table, order) in [
        (euler(), 1),
        (symplectic_euler(), 1),
        (symplectic_euler_adjoint(), 1),
        (midpoint(), 2),
        (heun(), 2),
        (ps3(), 2),
        (verlet(), 2),
        (sphere_explicit(), 1),
        (one_implicit_stage(), 3),
        (kutta3(), 3),
        (radau2(), 3),
        (rk4(), 4),
        (lobatto3(), 4),
    ] {
        for class in [Class::Generic, Class::Natural] {
            let expected = (at(order + 1), at(order + 1));
            assert_eq!(orders(&table, class, order + 2), expected, "{class} {table:?}");
        }
    }
}

#[test]
fn bilinear_structure_orders() {
    for table in [symplectic_euler(), symplectic_euler_adjoint()] {
        assert_eq!(orders(&table, Class::Bilinear, 8), (at(2), Defect::None));
    }
    assert_eq!(orders(&midpoint(), Class::Bilinear, 8), (at(3), Defect::None));
    assert_eq!(orders(&verlet(), Class::Bilinear, 8), (at(3), Defect::None));
    assert_eq!(orders(&lobatto3(), Class::Bilinear, 8), (at(5), Defect::None));
    assert_eq!(orders(&heun(), Class::Bilinear, 8), (at(3), at(4)));
    assert_eq!(orders(&ps3(), Class::Bilinear, 8), (at(3), at(6)));
}

#[test]
fn sphere_structure_orders() {
    assert_eq!(orders(&verlet(), Class::Sphere, 8), (at(3), Defect::None));
    assert_eq!(orders(&lobatto3(), Class::Sphere, 8), (at(5), Defect::None));
    assert_eq!(orders(&sphere_explicit(), Class::Sphere, 8), (at(2), at(4)));
}

#[test]
fn on_quadrics_only_verlet_keeps_the_form() {
    assert_eq!(defects(&verlet(), Class::Sphere, 8).form, Defect::None);
    assert_eq!(defects(&lobatto3(), Class::Sphere, 8).form, at(5));
    assert_eq!(defects(&midpoint(), Class::Sphere, 8).form, at(3));
    assert_eq!(defects(&rk4(), Class::Sphere, 8).form, at(5));
}

#[test]
fn midpoint_keeps_velocities_on_quadrics_but_not_positions() {
    let found = defects(&midpoint(), Class::Sphere, 8);
    assert_eq!((found.psi, found.phi_v, found.phi_q), (Defect::None, Defect::None, at(3)));
    assert_eq!(found.structure(), (at(3), Some(Part::PhiQ)));
}

#[test]
fn without_constraints_the_form_is_kept_by_symplectic_pairs() {
    for table in [symplectic_euler(), symplectic_euler_adjoint(), midpoint(), verlet(), lobatto3()]
    {
        assert_eq!(defects(&table, Class::Symplectic, 9).form, Defect::None, "{table:?}");
    }
    assert_eq!(defects(&euler(), Class::Symplectic, 6).form, at(2));
    assert_eq!(defects(&heun(), Class::Symplectic, 6).form, at(4));
    assert_eq!(defects(&rk4(), Class::Symplectic, 8).form, at(5));
    // Explicit Euler keeps p = M v exactly: the structure functions alone say nothing here.
    assert_eq!(defects(&euler(), Class::Symplectic, 6).psi, Defect::None);
}

#[test]
fn quantities_that_a_class_does_not_have_are_marked() {
    let found = defects(&midpoint(), Class::Bilinear, 4);
    assert_eq!((found.phi_q, found.form), (Defect::NotApplicable, Defect::NotApplicable));
    let found = defects(&midpoint(), Class::Symplectic, 4);
    assert_eq!((found.phi_v, found.phi_q), (Defect::NotApplicable, Defect::NotApplicable));
}

#[test]
fn gauss_methods_have_order_2s_and_keep_bilinear_constraints() {
    let field = gauss_field();
    for (stages, order) in [(2, 4), (3, 6)] {
        let table = gauss(&field, stages);
        let look =
            |class, max| measure(&field, &table, class, max, 2, &mut Random::new(3)).unwrap();
        let generic = look(Class::Generic, order + 2);
        assert_eq!((generic.solution, generic.structure().0), (at(order + 1), at(order + 1)));
        let bilinear = look(Class::Bilinear, 10);
        assert_eq!((bilinear.solution, bilinear.structure().0), (at(order + 1), Defect::None));
        assert_eq!(look(Class::Symplectic, 10).form, Defect::None);
        // φ_q is kept to the order of the method only, and so is the form on quadrics.
        let sphere = look(Class::Sphere, 10);
        assert_eq!((sphere.phi_v, sphere.phi_q), (Defect::None, at(order + 1)));
        assert_eq!(sphere.form, at(order + 1));
    }
}

#[test]
fn several_quadrics_like_one_for_the_methods_in_use() {
    for (table, structure, form) in [
        (verlet(), Defect::None, Defect::None),
        (lobatto3(), Defect::None, at(5)),
        (midpoint(), at(3), at(3)),
        (sphere_explicit(), at(4), at(2)),
    ] {
        let found = defects(&table, Class::Quadrics, 8);
        assert_eq!((found.structure().0, found.form), (structure, form), "{table:?}");
    }
}

#[test]
fn eight_conditions_make_order_two_and_each_is_needed() {
    // Different nodes for q and v, common weights: b.c = b.chat = 1/2.
    let good = pair("1/7 -1/7; 1/4 1/2", "1/5 1/10; -1 8/5", "1/3 2/3");
    for class in [Class::Generic, Class::Sphere] {
        assert_eq!(defects(&good, class, 4).solution, at(3));
    }
    let wrong = vector("1/2 1/2");
    let broken = [
        Coefficients { b: wrong.clone(), ..good.clone() },
        Coefficients { bbar: wrong.clone(), ..good.clone() },
        Coefficients { btil: wrong, ..good.clone() },
        Coefficients { a: matrix("1/7 0; 1/4 1/2"), ..good.clone() },
        Coefficients { abar: matrix("1/5 1/10; -1 2"), ..good.clone() },
    ];
    for table in broken {
        assert_eq!(orders(&table, Class::Generic, 4), (at(2), at(2)), "{table:?}");
    }
    // Consistency is not seen by the structure: a step of twice the length keeps it.
    let twice = Coefficients {
        a: matrix("1"),
        abar: matrix("1"),
        b: vector("2"),
        bbar: vector("2"),
        btil: vector("2"),
    };
    assert_eq!(orders(&twice, Class::Bilinear, 6), (at(1), Defect::None));
}

#[test]
fn published_conditions_are_neither_sufficient_nor_necessary() {
    // (5.5) of the paper, each equation with its own table, read with common stages: order 1.
    let paper = Coefficients { b: vector("0 1"), ..pair("0 0; 1/2 0", "0 0; 1 0", "1/2 1/2") };
    assert_eq!(orders(&paper, Class::Generic, 4), (at(2), at(2)));
    // b.a.1 = 0 instead of 1/2, and order 2 all the same.
    let other =
        Coefficients { b: vector("1 0"), ..pair("0 0; 1/2 1/2", "1/2 0; 1/2 0", "1/2 1/2") };
    assert_eq!(orders(&other, Class::Generic, 4), (at(3), at(3)));
}

#[test]
fn energy_defects() {
    // Linear momenta and energies of order k methods: local defect k + 1, or better.
    assert_eq!(defects(&euler(), Class::Generic, 4).energy, at(2));
    assert_eq!(defects(&midpoint(), Class::Generic, 4).energy, at(3));
    assert_eq!(defects(&rk4(), Class::Sphere, 6).energy, at(5));
}

#[test]
fn balls_and_primes_agree() {
    let reals = Enclosures::new(Precision::new(512));
    for table in [midpoint(), heun(), verlet(), sphere_explicit()] {
        for class in Class::ALL {
            let random = &mut Random::new(7);
            let balls = measure(&reals, &over(&reals, &table), class, 4, 2, random).unwrap();
            assert_eq!(balls, defects(&table, class, 4), "{class} {table:?}");
        }
    }
}

#[test]
fn the_failure_bound_is_a_small_probability() {
    let prime = isotrope_algebra::modular::PRIME;
    let bound = vanishing_probability(Class::Generic, 8, prime);
    assert!(bound > Rational::from(0) && bound < Rational::new(1, 1 << 45).unwrap());
    assert_eq!(vanishing_probability(Class::Generic, 8, 3), Rational::from(1));
}

#[test]
fn eight_stages_through_h_18() {
    // Collocation at eight nodes has order 8 at least; as costly as Gauss's method.
    let field = field();
    let nodes: Vec<_> = (1..=8).map(|i| field.element(i * i + 1)).collect();
    let table = collocation(&field, &nodes);
    let found = measure(&field, &table, Class::Sphere, 18, 2, &mut Random::new(1)).unwrap();
    assert_eq!((found.solution, found.form, found.phi_q), (at(9), at(9), at(9)));
    let found = measure(&field, &table, Class::Generic, 18, 2, &mut Random::new(1)).unwrap();
    assert_eq!((found.solution, found.structure().0), (at(9), at(9)));
}
