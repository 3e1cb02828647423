//! The axioms of graded algebras, fields and brackets.

use isotrope_algebra::modular::Random;
use isotrope_geometry::graded::{DarbouxBracket, poisson_field};

use crate::support::{Function, Poly, algebra, antisymmetric, cases, field, function};

/// Coordinates of all parities and signs of degree.
fn mixed() -> Poly {
    algebra(&[("x", 0), ("y", 0), ("c", 1), ("d", 1), ("p", 2), ("s", -1), ("t", -2), ("e", 3)])
}

/// The three brackets of section 0, each in two pairs.
fn brackets() -> Vec<(Poly, DarbouxBracket)> {
    let schouten = algebra(&[("x", 0), ("y", 0), ("p", 1), ("q", 1)]);
    let courant = algebra(&[("x", 0), ("psi", 1), ("f", 1), ("chi", 1), ("g", 1), ("p", 2)]);
    let bv = algebra(&[("x", 0), ("c", 1), ("x*", -1), ("c*", -2)]);
    let mut list = Vec::new();
    for (algebra, n, pairs) in [
        (schouten, 1, vec![(0, 2), (1, 3)]),
        (courant, 2, vec![(0, 5), (1, 3), (2, 4)]),
        (bv, -1, vec![(0, 2), (1, 3)]),
    ] {
        let bracket = algebra.darboux(n, pairs).unwrap();
        list.push((algebra, bracket));
    }
    list
}

fn odd(a: i32, b: i32) -> bool {
    a.rem_euclid(2) == 1 && b.rem_euclid(2) == 1
}

fn degree(random: &mut Random) -> i32 {
    random.below(5) as i32 - 1
}

#[test]
fn functions_commute_up_to_koszuls_sign_and_associate() {
    let a = &mut mixed();
    cases(|random| {
        let (i, j, k) = (degree(random), degree(random), degree(random));
        let (f, g, h) = (function(a, i, random), function(a, j, random), function(a, k, random));
        let (fg, gf) = (a.multiply(&f, &g).unwrap(), a.multiply(&g, &f).unwrap());
        assert!(a.combine(&[(&fg, false), (&gf, !odd(i, j))]).unwrap().is_empty());
        let gh = a.multiply(&g, &h).unwrap();
        assert_eq!(a.multiply(&fg, &h).unwrap(), a.multiply(&f, &gh).unwrap());
    });
}

#[test]
fn fields_are_derivations_and_their_commutators_too() {
    let a = &mut mixed();
    cases(|random| {
        let (m, n) = (random.below(4) as i32 - 2, random.below(4) as i32 - 2);
        let (i, j) = (degree(random), degree(random));
        let (x, y) = (field(a, m, random), field(a, n, random));
        let (f, g) = (function(a, i, random), function(a, j, random));
        // X(fg) = X(f) g + (-1)^{|X||f|} f X(g)
        let fg = a.multiply(&f, &g).unwrap();
        let (xf, xg) = (a.apply(&x, &f).unwrap(), a.apply(&x, &g).unwrap());
        let both = a.products(&[(&xf, &g, false), (&f, &xg, odd(m, i))]).unwrap();
        assert_eq!(a.apply(&x, &fg).unwrap(), both);
        // [X,Y] f = X(Y f) - (-1)^{|X||Y|} Y(X f)
        let commutator = a.commutator(&x, &y).unwrap();
        let yf = a.apply(&y, &f).unwrap();
        let (xyf, yxf) = (a.apply(&x, &yf).unwrap(), a.apply(&y, &xf).unwrap());
        let right = a.combine(&[(&xyf, false), (&yxf, !odd(m, n))]).unwrap();
        assert_eq!(a.apply(&commutator, &f).unwrap(), right);
    });
}

#[test]
fn commutators_satisfy_the_graded_jacobi_identity() {
    let a = &mut algebra(&[("x", 0), ("c", 1), ("p", 2), ("s", -1)]);
    cases(|random| {
        let degrees: [i32; 3] = std::array::from_fn(|_| random.below(4) as i32 - 2);
        let [x, y, z] = degrees.map(|degree| field(a, degree, random));
        // [X,[Y,Z]] = [[X,Y],Z] + (-1)^{|X||Y|} [Y,[X,Z]]
        let (yz, xz) = (a.commutator(&y, &z).unwrap(), a.commutator(&x, &z).unwrap());
        let xy = a.commutator(&x, &y).unwrap();
        let left = a.commutator(&x, &yz).unwrap();
        let first = a.commutator(&xy, &z).unwrap();
        let second = a.commutator(&y, &xz).unwrap();
        let minus = odd(degrees[0], degrees[1]);
        for ((l, f), s) in left.components().iter().zip(first.components()).zip(second.components())
        {
            assert_eq!(*l, a.combine(&[(f, false), (s, minus)]).unwrap());
        }
    });
}

#[test]
fn brackets_of_every_degree_are_graded_antisymmetric() {
    let mut list = brackets();
    cases(|random| {
        let (a, bracket) = &mut list[random.below(3) as usize];
        let n = bracket.degree();
        let (i, j) = (degree(random), degree(random));
        let (f, g) = (function(a, i, random), function(a, j, random));
        let (fg, gf) = (a.bracket(bracket, &f, &g).unwrap(), a.bracket(bracket, &g, &f).unwrap());
        // {f,g} = -(-1)^{(|f|+n)(|g|+n)} {g,f}
        assert!(a.combine(&[(&fg, false), (&gf, odd(i + n, j + n))]).unwrap().is_empty());
        // The bracket of a function with itself takes a shorter road.
        let (own, other) =
            (a.bracket(bracket, &f, &f).unwrap(), a.bracket(bracket, &f, &f.clone()).unwrap());
        assert_eq!(own, other);
        for value in [fg, gf] {
            assert!(a.degree(&value).unwrap().is_none_or(|found| found == i + j - n));
        }
    });
}

#[test]
fn brackets_of_every_degree_are_derivations() {
    let mut list = brackets();
    cases(|random| {
        let (a, bracket) = &mut list[random.below(3) as usize];
        let n = bracket.degree();
        let (i, j, k) = (degree(random), degree(random), degree(random));
        let (f, g, h) = (function(a, i, random), function(a, j, random), function(a, k, random));
        // {f,gh} = {f,g}h + (-1)^{(|f|+n)|g|} g{f,h}
        let gh = a.multiply(&g, &h).unwrap();
        let (fg, fh) = (a.bracket(bracket, &f, &g).unwrap(), a.bracket(bracket, &f, &h).unwrap());
        let right = a.products(&[(&fg, &h, false), (&g, &fh, odd(i + n, j))]).unwrap();
        assert_eq!(a.bracket(bracket, &f, &gh).unwrap(), right);
    });
}

#[test]
fn brackets_of_every_degree_satisfy_the_graded_jacobi_identity() {
    let mut list = brackets();
    cases(|random| {
        let (a, bracket) = &mut list[random.below(3) as usize];
        let n = bracket.degree();
        let (i, j, k) = (degree(random), degree(random), degree(random));
        let (f, g, h) = (function(a, i, random), function(a, j, random), function(a, k, random));
        // {f,{g,h}} = {{f,g},h} + (-1)^{(|f|+n)(|g|+n)} {g,{f,h}}
        let bracketed =
            |a: &mut Poly, f: &Function, g: &Function| a.bracket(bracket, f, g).unwrap();
        let gh = bracketed(a, &g, &h);
        let left = bracketed(a, &f, &gh);
        let (fg, fh) = (bracketed(a, &f, &g), bracketed(a, &f, &h));
        let (first, second) = (bracketed(a, &fg, &h), bracketed(a, &g, &fh));
        let right = a.combine(&[(&first, false), (&second, odd(i + n, j + n))]).unwrap();
        assert_eq!(left, right);
    });
}

#[test]
fn the_square_of_q_is_the_hamiltonian_field_of_the_jacobiator() {
    let a = &mut algebra(&[("x", 0), ("y", 0), ("z", 0), ("p", 1), ("q", 1), ("r", 1)]);
    let bracket = isotrope_geometry::graded::schouten_bracket(a).unwrap();
    let (mut poisson, mut not) = (0, 0);
    cases(|random| {
        let matrix = antisymmetric(a, 3, random);
        let bivector = isotrope_geometry::graded::bivector_function(a, &matrix).unwrap();
        let q = poisson_field(a, &bivector).unwrap();
        let square = a.square(&q).unwrap();
        let jacobiator = a.bracket(&bracket, &bivector, &bivector).unwrap();
        let half = a.scale(&jacobiator, &isotrope_algebra::Rational::half());
        let field = a.hamiltonian_field(&bracket, &half).unwrap();
        assert_eq!(square.components(), field.components());
        // Q^2 = 0 exactly if the Jacobiator vanishes.
        let zero = square.components().iter().all(|component| component.is_empty());
        assert_eq!(zero, jacobiator.is_empty());
        *if zero { &mut poisson } else { &mut not } += 1;
    });
    assert!(poisson > 100 && not > 100);
}

#[test]
fn a_bivector_twice_is_half_its_jacobiator_also_if_it_is_not_poisson() {
    let a = &mut algebra(&[("x", 0), ("y", 0), ("z", 0), ("p", 1), ("q", 1), ("r", 1)]);
    let bracket = isotrope_geometry::graded::schouten_bracket(a).unwrap();
    cases(|random| {
        let matrix = antisymmetric(a, 3, random);
        let d = isotrope_geometry::graded::bivector_function(a, &matrix).unwrap();
        let f = function(a, 0, random);
        let once = a.bracket(&bracket, &d, &f).unwrap();
        let twice = a.bracket(&bracket, &d, &once).unwrap();
        let dd = a.bracket(&bracket, &d, &d).unwrap();
        let right = a.bracket(&bracket, &dd, &f).unwrap();
        assert_eq!(twice, a.scale(&right, &isotrope_algebra::Rational::half()));
    });
}
