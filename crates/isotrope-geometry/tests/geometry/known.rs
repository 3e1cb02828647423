//! Known outcomes: Lie algebras, Courant's bracket, the BV action, recovery.

use isotrope_algebra::Rational;
use isotrope_geometry::graded::{
    Courant, Element, GaugeTheory, GradedError, anchor_and_bracket, betti_numbers,
    bivector_function, bv_action, bv_coordinates, chevalley_eilenberg, contraction,
    courant_coordinates, lie_algebroid, poisson_field, schouten_bracket,
};

use crate::support::{Function, Poly, algebra, antisymmetric, base_function, cases, function};

type Constants = Vec<Vec<Vec<Rational>>>;

/// `[e_i, e_j] = value e_k` for the triples, antisymmetric.
pub fn constants(size: usize, list: &[(usize, usize, usize, i64)]) -> Constants {
    let mut constants = vec![vec![vec![Rational::ZERO; size]; size]; size];
    for &(i, j, k, value) in list {
        constants[i][j][k] = &constants[i][j][k] + &Rational::integer(value);
        constants[j][i][k] = &constants[j][i][k] - &Rational::integer(value);
    }
    constants
}

pub fn so3() -> Constants {
    constants(3, &[(0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1)])
}

fn odd_algebra(size: usize) -> Poly {
    let names: Vec<String> = (0..size).map(|k| format!("c{k}")).collect();
    let list: Vec<(&str, i32)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    algebra(&list)
}

fn betti(constants: &Constants) -> Option<Vec<usize>> {
    let mut algebra = odd_algebra(constants.len());
    let q = chevalley_eilenberg(&mut algebra, constants).unwrap();
    betti_numbers(&mut algebra, &q).unwrap()
}

#[test]
fn betti_numbers_of_lie_algebras() {
    assert_eq!(betti(&so3()).unwrap(), [1, 0, 0, 1]);
    // Heisenberg: [x,y] = z.
    assert_eq!(betti(&constants(3, &[(0, 1, 2, 1)])).unwrap(), [1, 2, 2, 1]);
    // sl(2): [h,e] = 2e, [h,f] = -2f, [e,f] = h.
    let sl2 = constants(3, &[(0, 1, 1, 2), (0, 2, 2, -2), (1, 2, 0, 1)]);
    assert_eq!(betti(&sl2).unwrap(), [1, 0, 0, 1]);
    // Abelian: the exterior algebra; the affine line: [a,b] = b.
    assert_eq!(betti(&constants(4, &[])).unwrap(), [1, 4, 6, 4, 1]);
    assert_eq!(betti(&constants(2, &[(0, 1, 1, 1)])).unwrap(), [1, 1, 0]);
    // so(4) = so(3) + so(3): Kuenneth.
    let so4 = constants(
        6,
        &[(0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1), (3, 4, 5, 1), (4, 5, 3, 1), (5, 3, 4, 1)],
    );
    assert_eq!(betti(&so4).unwrap(), [1, 0, 0, 2, 0, 0, 1]);
}

#[test]
fn broken_structure_constants_have_a_square() {
    let mut broken = so3();
    broken[0][1][1] = Rational::ONE;
    broken[1][0][1] = Rational::integer(-1);
    let mut algebra = odd_algebra(3);
    let q = chevalley_eilenberg(&mut algebra, &broken).unwrap();
    let square = algebra.square(&q).unwrap();
    assert!(square.components().iter().any(|component| !component.is_empty()));
    assert_eq!(betti(&broken), None);
    // Constants that are not antisymmetric are refused with their place.
    broken[1][0][1] = Rational::ONE;
    let refused = chevalley_eilenberg(&mut algebra, &broken).unwrap_err();
    assert!(matches!(refused, GradedError::NotAntisymmetric { first: 1, second: 2, .. }));
}

#[test]
fn inhomogeneous_fields_are_refused_with_the_component() {
    let mut a = algebra(&[("x", 0), ("c", 1)]);
    let (x, c) = (a.coordinate(0).unwrap(), a.coordinate(1).unwrap());
    let refused = a.field(1, vec![c.clone(), x.clone()]).unwrap_err();
    assert_eq!(
        refused,
        GradedError::Inhomogeneous { coordinate: "c".into(), field: 1, needed: 2, found: 0 }
    );
    let sum = a.add(&x, &c).unwrap();
    assert_eq!(a.degree(&sum), Err(GradedError::MixedDegrees { first: 0, second: 1 }));
    let refused = a.darboux(1, vec![(0, 0)]).unwrap_err();
    assert!(matches!(refused, GradedError::NotConjugate { degree: 1, .. }));
}

#[test]
fn the_field_of_a_bivector_is_that_of_its_graph() {
    let a = &mut algebra(&[("x", 0), ("y", 0), ("z", 0), ("p", 1), ("q", 1), ("r", 1)]);
    let bracket = schouten_bracket(a).unwrap();
    cases(|random| {
        let d = antisymmetric(a, 3, random);
        let bivector = bivector_function(a, &d).unwrap();
        let q = poisson_field(a, &bivector).unwrap();
        // Q = D^ij p_j d/dx^i + 1/2 d_k D^ij p_i p_j d/dp_k, written out.
        for i in 0..3 {
            let mut expected = Element::zero();
            for (j, entry) in d[i].iter().enumerate() {
                let p = a.coordinate(3 + j).unwrap();
                let term = a.multiply(entry, &p).unwrap();
                expected = a.add(&expected, &term).unwrap();
            }
            assert_eq!(q.components()[i], expected);
        }
        for k in 0..3 {
            assert_eq!(q.components()[3 + k], a.left_derivative(&bivector, k).unwrap());
        }
        // Anchor and bracket recovered from Q: D^sharp dx^a, and the Koszul bracket d(D^ba).
        let found = anchor_and_bracket(a, &q).unwrap();
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(found.anchor[i][j], d[j][i]);
                for k in 0..3 {
                    let slope = a.left_derivative(&d[j][i], k).unwrap();
                    assert_eq!(found.bracket[i][j][k], slope);
                }
            }
        }
        assert_eq!(lie_algebroid(a, &found).unwrap(), q);
        // {D,D}_ijk = -2 sum_l cyc(D^li d_l D^jk): the coefficient of p q r is {D,D}_123.
        let dd = a.bracket(&bracket, &bivector, &bivector).unwrap();
        let mut sum = Element::zero();
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            for l in 0..3 {
                let slope = a.left_derivative(&d[j][k], l).unwrap();
                let term = a.multiply(&d[l][i], &slope).unwrap();
                sum = a.add(&sum, &term).unwrap();
            }
        }
        let mut expected = a.scale(&sum, &Rational::integer(-2));
        for i in 3..6 {
            let p = a.coordinate(i).unwrap();
            expected = a.multiply(&expected, &p).unwrap();
        }
        assert_eq!(dd, expected);
    });
}

/// The Dorfman bracket `[v+a, w+b] = [v,w] + L_v b - i_w da - i_w i_v H`, component by component.
fn dorfman(
    a: &mut Poly,
    n: usize,
    (v, alpha): (&[Function], &[Function]),
    (w, beta): (&[Function], &[Function]),
    twist: &[[[Function; 3]; 3]; 3],
) -> (Vec<Function>, Vec<Function>) {
    let along = |a: &mut Poly, v: &[Function], f: &Function| {
        let mut sum = Element::zero();
        for (i, component) in v.iter().enumerate() {
            let slope = a.left_derivative(f, i).unwrap();
            let term = a.multiply(component, &slope).unwrap();
            sum = a.add(&sum, &term).unwrap();
        }
        sum
    };
    let (mut vector, mut covector) = (Vec::new(), Vec::new());
    for k in 0..n {
        let (forth, back) = (along(a, v, &w[k]), along(a, w, &v[k]));
        vector.push(a.sub(&forth, &back).unwrap());
        // (L_v b)_k = v(b_k) + b_i d_k v^i; (i_w da)_k = w^i (d_i a_k - d_k a_i)
        let mut sum = along(a, v, &beta[k]);
        for i in 0..n {
            let slope = a.left_derivative(&v[i], k).unwrap();
            let term = a.multiply(&beta[i], &slope).unwrap();
            sum = a.add(&sum, &term).unwrap();
            let (first, second) = (
                a.left_derivative(&alpha[k], i).unwrap(),
                a.left_derivative(&alpha[i], k).unwrap(),
            );
            let curl = a.sub(&first, &second).unwrap();
            let term = a.multiply(&w[i], &curl).unwrap();
            sum = a.sub(&sum, &term).unwrap();
            for j in 0..n {
                // (i_w i_v H)_k = v^i w^j H_ijk
                let product = a.multiply(&v[i], &w[j]).unwrap();
                let term = a.multiply(&product, &twist[i][j][k]).unwrap();
                sum = a.sub(&sum, &term).unwrap();
            }
        }
        covector.push(sum);
    }
    (vector, covector)
}

#[test]
fn the_derived_bracket_of_theta_is_dorfmans_with_sign_plus_one() {
    let names = ["x", "y", "z"].map(str::to_owned);
    let list = courant_coordinates(&names);
    let list: Vec<(&str, i32)> =
        list.iter().map(|(name, degree)| (name.as_str(), *degree)).collect();
    let a = &mut algebra(&list);
    cases(|random| {
        let h = if random.below(2) == 0 { base_function(a, random) } else { Element::zero() };
        let mut three_form = h.clone();
        for i in 3..6 {
            let psi = a.coordinate(i).unwrap();
            three_form = a.multiply(&three_form, &psi).unwrap();
        }
        let opposite = a.negate(&h);
        let twist: [[[Function; 3]; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                std::array::from_fn(|k| match (i, j, k) {
                    (0, 1, 2) | (1, 2, 0) | (2, 0, 1) => h.clone(),
                    (0, 2, 1) | (2, 1, 0) | (1, 0, 2) => opposite.clone(),
                    _ => Element::zero(),
                })
            })
        });
        let courant = Courant::new(a, &three_form).unwrap();
        let mut list = || -> Vec<Function> { (0..3).map(|_| base_function(a, random)).collect() };
        let (v, alpha, w, beta) = (list(), list(), list(), list());
        let e = courant.section(a, &v, &alpha).unwrap();
        let f = courant.section(a, &w, &beta).unwrap();
        let (vector, covector) = dorfman(a, 3, (&v, &alpha), (&w, &beta), &twist);
        let expected = courant.section(a, &vector, &covector).unwrap();
        assert_eq!(courant.dorfman(a, &e, &f).unwrap(), expected);
        // The bracket of sections is their pairing a(w) + b(v).
        let pairing = a.bracket(&courant.bracket, &e, &f).unwrap();
        let mut sum = Element::zero();
        for i in 0..3 {
            let terms = a.products(&[(&alpha[i], &w[i], false), (&beta[i], &v[i], false)]).unwrap();
            sum = a.add(&sum, &terms).unwrap();
        }
        assert_eq!(pairing, sum);
        // A 3-form on a 3-dimensional manifold is closed.
        assert!(a.bracket(&courant.bracket, &courant.theta, &courant.theta).unwrap().is_empty());
    });
}

#[test]
fn theta_squares_to_twice_the_exterior_derivative_of_the_twist() {
    let names = ["x", "y", "z", "w"].map(str::to_owned);
    let list = courant_coordinates(&names);
    let list: Vec<(&str, i32)> =
        list.iter().map(|(name, degree)| (name.as_str(), *degree)).collect();
    let a = &mut algebra(&list);
    let pairs: Vec<(usize, usize)> = (0..4).map(|i| (i, 4 + i)).collect();
    let d = isotrope_geometry::graded::de_rham(a, &pairs).unwrap();
    let mut open = 0;
    cases(|random| {
        // A random 3-form: functions of x times three of the psi.
        let mut h = Element::zero();
        for left_out in 0..4 {
            let mut term = base_function(a, random);
            for i in (0..4).filter(|&i| i != left_out) {
                let psi = a.coordinate(4 + i).unwrap();
                term = a.multiply(&term, &psi).unwrap();
            }
            h = a.add(&h, &term).unwrap();
        }
        let courant = Courant::new(a, &h).unwrap();
        let square = a.bracket(&courant.bracket, &courant.theta, &courant.theta).unwrap();
        let dh = a.apply(&d, &h).unwrap();
        assert_eq!(square, a.scale(&dh, &Rational::integer(2)));
        open += usize::from(!square.is_empty());
    });
    assert!(open > 1000);
}

#[test]
fn the_bv_action_of_rotations_solves_the_master_equation_and_a_wrong_one_does_not() {
    let fields = ["x", "y", "z"].map(str::to_owned);
    let ghosts = ["a", "b", "c"].map(str::to_owned);
    let list = bv_coordinates(&fields, &ghosts);
    let list: Vec<(&str, i32)> =
        list.iter().map(|(name, degree)| (name.as_str(), *degree)).collect();
    let algebra = &mut algebra(&list);
    let x: Vec<Function> = (0..3).map(|i| algebra.coordinate(i).unwrap()).collect();
    // R_i = e_ijk x^j d_k up to the sign that makes [R_i,R_j] = e_ijk R_k.
    let mut symmetries = vec![vec![Element::zero(); 3]; 3];
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        symmetries[i][j] = x[k].clone();
        symmetries[i][k] = algebra.negate(&x[j]);
    }
    let squares: Vec<_> = x.iter().map(|x| (x, x, false)).collect();
    let action = algebra.products(&squares).unwrap();
    let theory = GaugeTheory { action, symmetries, constants: so3() };
    let (bracket, s) = bv_action(algebra, &theory).unwrap();
    assert_eq!(algebra.degree(&s), Ok(Some(0)));
    assert!(algebra.bracket(&bracket, &s, &s).unwrap().is_empty());
    // An action that is not invariant, and symmetries that do not close.
    let wrong = GaugeTheory { action: x[0].clone(), ..theory.clone() };
    let (bracket, s) = bv_action(algebra, &wrong).unwrap();
    assert!(!algebra.bracket(&bracket, &s, &s).unwrap().is_empty());
    let mut wrong = theory;
    wrong.constants = constants(3, &[(0, 1, 2, -1), (1, 2, 0, -1), (2, 0, 1, -1)]);
    let (bracket, s) = bv_action(algebra, &wrong).unwrap();
    assert!(!algebra.bracket(&bracket, &s, &s).unwrap().is_empty());
}

#[test]
fn brackets_of_sections_are_recovered_from_q() {
    // The action algebroid of so(3) on R^3 with sections that are not constant:
    // [[Q,i_a],i_b] = i_[a,b] with Leibniz's rule.
    let a = &mut algebra(&[("x", 0), ("y", 0), ("z", 0), ("p", 1), ("q", 1), ("r", 1)]);
    let x: Vec<Function> = (0..3).map(|i| a.coordinate(i).unwrap()).collect();
    let mut d = vec![vec![Element::zero(); 3]; 3];
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        d[i][j] = x[k].clone();
        d[j][i] = a.negate(&x[k]);
    }
    let bivector = bivector_function(a, &d).unwrap();
    let q = poisson_field(a, &bivector).unwrap();
    let data = anchor_and_bracket(a, &q).unwrap();
    let fibre = [3, 4, 5];
    cases(|random| {
        let mut list = || -> Vec<Function> { (0..3).map(|_| base_function(a, random)).collect() };
        let (s, t) = (list(), list());
        let (i_s, i_t) = (contraction(a, &fibre, &s).unwrap(), contraction(a, &fibre, &t).unwrap());
        let derivation = a.commutator(&q, &i_s).unwrap();
        let bracket = a.commutator(&derivation, &i_t).unwrap();
        let of_t = a.commutator(&q, &i_t).unwrap();
        for c in 0..3 {
            let (forth, back) =
                (a.apply(&derivation, &t[c]).unwrap(), a.apply(&of_t, &s[c]).unwrap());
            let mut expected = a.sub(&forth, &back).unwrap();
            for i in 0..3 {
                for j in 0..3 {
                    let product = a.multiply(&s[i], &t[j]).unwrap();
                    let term = a.multiply(&product, &data.bracket[i][j][c]).unwrap();
                    expected = a.add(&expected, &term).unwrap();
                }
            }
            assert_eq!(bracket.components()[3 + c], expected);
        }
        // Q is a differential on functions of all degrees.
        let f = function(a, random.below(3) as i32, random);
        let once = a.apply(&q, &f).unwrap();
        assert!(a.apply(&q, &once).unwrap().is_empty());
    });
}
