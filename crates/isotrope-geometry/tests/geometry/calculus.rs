//! Cartan's calculus, the Schouten and Frölicher–Nijenhuis brackets, pullback, Hodge's star.

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool, Rational, RationalFunction};
use isotrope_geometry::calculus::{Chart, Form, Metric, VectorForm};
use isotrope_geometry::graded::{Expressions, RationalFunctions};

use crate::support::{base_function, cases, chart, form, multivector, vector};

#[test]
fn d_squared_is_zero() {
    let c = &mut chart(4);
    cases(|random| {
        let degree = random.below(4) as i32;
        let omega = form(c, degree, random);
        let once = c.d(&omega).unwrap();
        assert!(c.d(&once).unwrap().is_zero());
        // d(f w) = df ^ w + f dw for functions of degree 0: d is the derivation it should be.
        let f = form(c, 0, random);
        let product = c.wedge(&f, &omega).unwrap();
        let df = c.d(&f).unwrap();
        let (left, right) = (c.wedge(&df, &omega).unwrap(), c.wedge(&f, &once).unwrap());
        assert_eq!(c.d(&product).unwrap(), c.add(&left, &right).unwrap());
    });
}

#[test]
fn cartans_formulas_hold() {
    let c = &mut chart(3);
    cases(|random| {
        let (v, w) = (vector(c, random), vector(c, random));
        let degree = random.below(4) as i32;
        let omega = form(c, degree, random);
        // L_v = i_v d + d i_v
        let lie = c.lie_derivative(&v, &omega).unwrap();
        let d_omega = c.d(&omega).unwrap();
        let i_omega = c.interior(&v, &omega).unwrap();
        let (first, second) = (c.interior(&v, &d_omega).unwrap(), c.d(&i_omega).unwrap());
        assert_eq!(lie, c.add(&first, &second).unwrap());
        // [L_v, i_w] = i_[v,w], and [i_v, i_w] = 0.
        let bracket = c.lie_bracket(&v, &w).unwrap();
        let i_w = c.interior(&w, &omega).unwrap();
        let (forth, back) = (c.lie_derivative(&v, &i_w).unwrap(), c.interior(&w, &lie).unwrap());
        assert_eq!(c.interior(&bracket, &omega).unwrap(), c.subtract(&forth, &back).unwrap());
        let (vw, wv) = (c.interior(&v, &i_w).unwrap(), c.interior(&w, &i_omega).unwrap());
        assert!(c.add(&vw, &wv).unwrap().is_zero());
        // [L_v, L_w] = L_[v,w]
        let lie_w = c.lie_derivative(&w, &omega).unwrap();
        let (forth, back) =
            (c.lie_derivative(&v, &lie_w).unwrap(), c.lie_derivative(&w, &lie).unwrap());
        assert_eq!(c.lie_derivative(&bracket, &omega).unwrap(), c.subtract(&forth, &back).unwrap());
    });
}

#[test]
fn the_schouten_bracket_extends_the_lie_bracket_and_the_derivative() {
    let c = &mut chart(3);
    cases(|random| {
        let (v, w) = (vector(c, random), vector(c, random));
        let (v_field, w_field) = (c.multivector(&v).unwrap(), c.multivector(&w).unwrap());
        let bracket = c.lie_bracket(&v, &w).unwrap();
        let expected = c.multivector(&bracket).unwrap();
        assert_eq!(c.schouten(&v_field, &w_field).unwrap(), expected);
        let f = form(c, 0, random);
        let as_multivector =
            isotrope_geometry::calculus::Multivector::from_element(f.element().clone());
        let derivative = c.lie_derivative(&v, &f).unwrap();
        let found = c.schouten(&v_field, &as_multivector).unwrap();
        assert_eq!(found.element(), derivative.element());
        // A vector field acts as a derivation of the exterior product: [v, w ^ P] = [v,w] ^ P + w ^ [v,P].
        let p = multivector(c, 2, random);
        let product = c.wedge_multivectors(&w_field, &p).unwrap();
        let left = c.schouten(&v_field, &product).unwrap();
        let v_p = c.schouten(&v_field, &p).unwrap();
        let first = c.wedge_multivectors(&expected, &p).unwrap();
        let second = c.wedge_multivectors(&w_field, &v_p).unwrap();
        let right = c.algebra().add(first.element(), second.element()).unwrap();
        assert_eq!(*left.element(), right);
        // omega(v, w) = i_(v ^ w) omega.
        let omega = form(c, 2, random);
        let both = c.wedge_multivectors(&v_field, &w_field).unwrap();
        let i_v = c.interior(&v, &omega).unwrap();
        assert_eq!(c.interior_multivector(&both, &omega).unwrap(), c.interior(&w, &i_v).unwrap());
    });
}

#[test]
fn the_frolicher_nijenhuis_bracket_is_the_commutator_of_lie_derivatives() {
    let c = &mut chart(3);
    cases(|random| {
        let mut vector_form = |degree: i32, random: &mut _| VectorForm {
            components: (0..3).map(|_| form(c, degree, random)).collect(),
            degree,
        };
        let (i, j) = (random.below(3) as i32, random.below(3) as i32);
        let (k, m) = (vector_form(i, random), vector_form(j, random));
        let bracket = c.frolicher_nijenhuis(&k, &m).unwrap();
        let of_bracket = c.nijenhuis_lie_derivative(&bracket).unwrap();
        let of_k = c.nijenhuis_lie_derivative(&k).unwrap();
        let of_m = c.nijenhuis_lie_derivative(&m).unwrap();
        assert_eq!(c.algebra().commutator(&of_k, &of_m).unwrap(), of_bracket);
        // Graded antisymmetry: [K,M] = -(-1)^{km} [M,K].
        let opposite = c.frolicher_nijenhuis(&m, &k).unwrap();
        let minus = (i * j) % 2 == 1;
        for (a, b) in bracket.components.iter().zip(&opposite.components) {
            let sum = c.algebra().combine(&[(a.element(), false), (b.element(), minus)]).unwrap();
            assert!(sum.is_empty());
        }
    });
}

#[test]
fn the_nijenhuis_tensor_of_a_complex_structure_vanishes_and_of_another_does_not() {
    let c = &mut chart(4);
    let one = |c: &mut Chart<_>, entries: [(usize, i64); 4], twist: bool| {
        let components = entries
            .iter()
            .enumerate()
            .map(|(row, &(column, sign))| {
                let basis = c.differential(column).unwrap();
                let scaled = c.algebra().scale(basis.element(), &Rational::integer(sign));
                let mut form = Form::from_element(scaled);
                if twist && row == 0 {
                    // An endomorphism that depends on y: no longer a product structure.
                    let (y, dz) = (c.coordinate(1).unwrap(), c.differential(2).unwrap());
                    let extra = c.wedge(&y, &dz).unwrap();
                    form = c.add(&form, &extra).unwrap();
                }
                form
            })
            .collect();
        VectorForm { components, degree: 1 }
    };
    let j = [(1, -1), (0, 1), (3, -1), (2, 1)];
    let complex = one(c, j, false);
    let tensor = c.frolicher_nijenhuis(&complex, &complex).unwrap();
    assert!(tensor.components.iter().all(Form::is_zero));
    let twisted = one(c, j, true);
    let tensor = c.frolicher_nijenhuis(&twisted, &twisted).unwrap();
    assert!(!tensor.components.iter().all(Form::is_zero));
}

#[test]
fn pullback_is_a_homomorphism_and_commutes_with_d() {
    let (source, target) = (&mut chart(2), &mut chart(3));
    let (coordinates, base) = target.as_target().unwrap();
    cases(|random| {
        let images: Vec<_> = (0..3).map(|_| base_function(source.algebra(), random)).collect();
        let (i, j) = (random.below(2) as i32, random.below(2) as i32);
        let (a, b) = (form(target, i, random), form(target, j, random));
        let product = target.wedge(&a, &b).unwrap();
        let slope = target.d(&a).unwrap();
        let mut pull =
            |form: &Form<Rational>| source.pull_back(form, &coordinates, &base, &images).unwrap();
        let (of_a, of_b) = (pull(&a), pull(&b));
        let (of_product, of_slope) = (pull(&product), pull(&slope));
        assert_eq!(of_product, source.wedge(&of_a, &of_b).unwrap());
        assert_eq!(of_slope, source.d(&of_a).unwrap());
    });
}

#[test]
fn polar_coordinates_pull_the_area_back_to_r_dr_dtheta() {
    let mut pool = Pool::new();
    let plane: Vec<ExprId> = ["x", "y"].map(|name| pool.symbol(name)).to_vec();
    let polar: Vec<ExprId> = ["r", "theta"].map(|name| pool.symbol(name)).to_vec();
    let images =
        ["r*cos(theta)", "r*sin(theta)"].map(|text| parse_expression(&mut pool, text).unwrap());
    let names = |list: [&str; 2]| list.map(str::to_owned).to_vec();
    let (coordinates, base, area) = {
        let coefficients = Expressions { pool: &mut pool, base: plane };
        let mut chart = Chart::new(&names(["x", "y"]), coefficients, Budget::new(10_000)).unwrap();
        let (dx, dy) = (chart.differential(0).unwrap(), chart.differential(1).unwrap());
        let area = chart.wedge(&dx, &dy).unwrap();
        let (coordinates, base) = chart.as_target().unwrap();
        (coordinates, base, area)
    };
    let radius = polar[0];
    let coefficients = Expressions { pool: &mut pool, base: polar };
    let mut chart = Chart::new(&names(["r", "theta"]), coefficients, Budget::new(100_000)).unwrap();
    let images: Vec<_> = images.iter().map(|&image| chart.algebra().scalar(image)).collect();
    let pulled = chart.pull_back(&area, &coordinates, &base, &images).unwrap();
    let (dr, dt) = (chart.differential(0).unwrap(), chart.differential(1).unwrap());
    let expected = chart.wedge(&dr, &dt).unwrap();
    let radius = Form::from_element(chart.algebra().scalar(radius));
    let expected = chart.wedge(&radius, &expected).unwrap();
    let difference = chart.subtract(&pulled, &expected).unwrap();
    assert_eq!(chart.algebra().zero_test(difference.element()), Zero::Yes);
    assert_ne!(chart.algebra().zero_test(pulled.element()), Zero::Yes);
}

#[test]
fn rational_coefficients_agree_with_polynomials_and_differentiate_quotients() {
    let names = ["x", "y"].map(str::to_owned);
    let mut chart = Chart::new(&names, RationalFunctions, Budget::new(100_000)).unwrap();
    // The angle form (x dy - y dx)/(x^2 + y^2) is closed; x dy alone is not.
    let (x, y) = (RationalFunction::variable(0), RationalFunction::variable(1));
    let budget = &mut Budget::new(10_000);
    let square = x.mul(&x, budget).unwrap().add(&y.mul(&y, budget).unwrap(), budget).unwrap();
    let over = |f: &RationalFunction, budget: &mut Budget| {
        f.checked_div(&square, budget).unwrap().unwrap()
    };
    let (along_y, along_x) = (over(&x, budget), over(&y, budget));
    let (dx, dy) = (chart.differential(0).unwrap(), chart.differential(1).unwrap());
    let scalar = |chart: &mut Chart<RationalFunctions>, f: RationalFunction| {
        Form::from_element(chart.algebra().scalar(f))
    };
    let (first, second) = (scalar(&mut chart, along_y), scalar(&mut chart, along_x));
    let (first, second) = (chart.wedge(&first, &dy).unwrap(), chart.wedge(&second, &dx).unwrap());
    let angle = chart.subtract(&first, &second).unwrap();
    assert!(chart.d(&angle).unwrap().is_zero());
    assert!(!chart.d(&first).unwrap().is_zero());
    // In the polar chart (radius 2: x = 2(1-t^2)/(1+t^2), y = 4t/(1+t^2)) it is 2 dt/(1+t^2).
    let (target, base) = chart.as_target().unwrap();
    let names = ["t", "s"].map(str::to_owned);
    let mut line = Chart::new(&names, RationalFunctions, Budget::new(100_000)).unwrap();
    let t = RationalFunction::variable(0);
    let one = RationalFunction::one();
    let t2 = t.mul(&t, budget).unwrap();
    let below = one.add(&t2, budget).unwrap();
    let number = |n: i64| RationalFunction::constant(Rational::integer(n));
    let above = one.sub(&t2, budget).unwrap().mul(&number(2), budget).unwrap();
    let images = [above, t.mul(&number(4), budget).unwrap()].map(|top| {
        let value = top.checked_div(&below, budget).unwrap().unwrap();
        line.algebra().scalar(value)
    });
    let pulled = line.pull_back(&angle, &target, &base, &images).unwrap();
    let expected = number(2).checked_div(&below, budget).unwrap().unwrap();
    let terms = pulled.element().terms();
    assert_eq!((terms.len(), &terms[0].1), (1, &expected));
}

#[test]
fn hodge_twice_is_a_sign_and_gives_the_laplacian() {
    // On the sphere with dtheta^2 + sin(theta)^2 dphi^2: ** = -1 on 1-forms, and
    // *d*d f / f = -l(l+1) for the spherical harmonic f = cos(theta), l = 1.
    let mut pool = Pool::new();
    let base: Vec<ExprId> = ["theta", "phi"].map(|name| pool.symbol(name)).to_vec();
    let entry = parse_expression(&mut pool, "sin(theta)^2").unwrap();
    let cosine = parse_expression(&mut pool, "cos(theta)").unwrap();
    let sine = parse_expression(&mut pool, "sin(theta)").unwrap();
    let zero = ExprId::ZERO;
    let matrix = Matrix::from_rows(2, &[vec![ExprId::ONE, zero], vec![zero, entry]]);
    let mut metric = Metric::new(&mut pool, &matrix, &mut Budget::new(100_000)).unwrap();
    // On the chart 0 < theta < pi the root of the square is the sine itself.
    metric.density = sine;
    let names = ["theta", "phi"].map(str::to_owned);
    let coefficients = Expressions { pool: &mut pool, base };
    let mut chart = Chart::new(&names, coefficients, Budget::new(1_000_000)).unwrap();
    for i in 0..2 {
        let form = chart.differential(i).unwrap();
        let once = chart.hodge(&metric, &form).unwrap();
        let twice = chart.hodge(&metric, &once).unwrap();
        let sum = chart.add(&twice, &form).unwrap();
        assert_eq!(chart.algebra().zero_test(sum.element()), Zero::Yes);
        assert_eq!(chart.algebra().zero_test(once.element()), Zero::No);
    }
    let f = Form::from_element(chart.algebra().scalar(cosine));
    let df = chart.d(&f).unwrap();
    let star = chart.hodge(&metric, &df).unwrap();
    let d_star = chart.d(&star).unwrap();
    let laplacian = chart.hodge(&metric, &d_star).unwrap();
    let twice = chart.add(&f, &f).unwrap();
    let sum = chart.add(&laplacian, &twice).unwrap();
    assert_eq!(chart.algebra().zero_test(sum.element()), Zero::Yes);
}
