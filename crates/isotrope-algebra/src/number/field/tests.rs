use proptest::prelude::*;

use super::*;
use crate::univariate::IntegerPolynomial;

fn budget() -> Budget {
    Budget::new(500_000_000)
}

fn read(texts: &[&str]) -> (NumberField, Vec<FieldElement>) {
    let mut reader = FieldReader::new();
    for text in texts {
        if let Err(errors) = reader.read(text, &mut budget()) {
            panic!("{text}: {errors:?}");
        }
    }
    reader.finish()
}

fn problem(text: &str) -> (String, String, Option<String>) {
    let errors = FieldReader::new().read(text, &mut budget()).unwrap_err();
    let error = &errors[0];
    (text[error.span.range()].to_owned(), error.problem.to_string(), error.hint.clone())
}

/// Fields of several kinds: rational, quadratic, cubic, biquadratic, a general quartic.
fn any_field() -> impl Strategy<Value = NumberField> {
    (0usize..5).prop_map(|k| {
        let texts: [&[&str]; 5] = [
            &["1"],
            &["sqrt(3)"],
            &["2^(1/3)"],
            &["sqrt(2)", "sqrt(3)"],
            &["root(x^4-4*x^3-2*x^2+x+1,2)"],
        ];
        read(texts[k]).0
    })
}

fn any_element() -> impl Strategy<Value = Vec<Rational>> {
    let fraction = (-9i64..10, 1i64..7).prop_map(|(n, d)| Rational::new(n, d).unwrap());
    prop::collection::vec(fraction, 0..5)
}

proptest! {
    #[test]
    fn the_axioms_of_a_field_hold(
        field in any_field(), x in any_element(), y in any_element(), z in any_element()
    ) {
        let [x, y, z] = [x, y, z].map(|c| field.element(c));
        prop_assert_eq!(field.add(&x, &y), field.add(&y, &x));
        prop_assert_eq!(field.mul(&x, &y), field.mul(&y, &x));
        prop_assert_eq!(
            field.mul(&field.mul(&x, &y), &z),
            field.mul(&x, &field.mul(&y, &z))
        );
        prop_assert_eq!(
            field.mul(&x, &field.add(&y, &z)),
            field.add(&field.mul(&x, &y), &field.mul(&x, &z))
        );
        prop_assert!(field.sub(&x, &x).is_zero());
        match field.inverse(&x) {
            Ok(inverse) => prop_assert!(field.mul(&x, &inverse).is_one()),
            Err(error) => {
                prop_assert!(x.is_zero());
                prop_assert_eq!(error, AlgebraicError::DivisionByZero);
            }
        }
        prop_assert_eq!(field.power(&x, 3).unwrap(), field.mul(&x, &field.mul(&x, &x)));
    }

    #[test]
    fn elements_agree_with_their_enclosures_and_algebraic_numbers(
        field in any_field(), x in any_element(), y in any_element()
    ) {
        let [x, y] = [x, y].map(|c| field.element(c));
        let precision = Precision::new(80);
        let ball = |e: &FieldElement| field.enclosure(e, precision).unwrap();
        let product = field.mul(&x, &y);
        prop_assert!(ball(&x).mul(&ball(&y)).unwrap().overlaps(&ball(&product)));
        prop_assert!(ball(&x).add(&ball(&y)).overlaps(&ball(&field.add(&x, &y))));
        let number = field.to_algebraic(&x, &mut budget()).unwrap();
        prop_assert_eq!(number.to_f64().to_bits(), field.to_f64(&x).unwrap().to_bits());
        // A number that is in the field already does not change it.
        let again = field.adjoin(&number, &mut budget()).unwrap();
        prop_assert!(!again.is_proper());
        prop_assert_eq!(again.element, x);
    }

    #[test]
    fn embeddings_are_homomorphisms(
        field in any_field(), x in any_element(), y in any_element(), d in 2i64..12
    ) {
        let number = AlgebraicNumber::from(Rational::integer(d)).sqrt(&mut budget()).unwrap();
        let extension = field.adjoin(&number, &mut budget()).unwrap();
        let [x, y] = [x, y].map(|c| field.element(c));
        let larger = &extension.field;
        prop_assert_eq!(
            extension.embed(&field.mul(&x, &y)),
            larger.mul(&extension.embed(&x), &extension.embed(&y))
        );
        prop_assert_eq!(
            extension.embed(&field.add(&x, &y)),
            larger.add(&extension.embed(&x), &extension.embed(&y))
        );
        prop_assert_eq!(
            larger.to_f64(&extension.embed(&x)).unwrap().to_bits(),
            field.to_f64(&x).unwrap().to_bits()
        );
        let square = larger.mul(&extension.element, &extension.element);
        prop_assert_eq!(square, Rational::integer(d).into());
        prop_assert_eq!(larger.to_f64(&extension.element).unwrap(), number.to_f64());
    }
}

#[test]
fn the_roots_of_two_three_and_six_generate_degree_four() {
    let (field, elements) = read(&["sqrt(2)", "sqrt(3)", "sqrt(6)", "sqrt(2)+sqrt(3)"]);
    assert_eq!(field.degree(), 4);
    assert_eq!(field.mul(&elements[0], &elements[1]), elements[2]);
    assert_eq!(field.add(&elements[0], &elements[1]), elements[3]);
}

#[test]
fn a_conjugate_is_not_confused_with_the_number() {
    let quartic = IntegerPolynomial::from_integers(&[1, 0, -10, 0, 1]);
    let roots = AlgebraicNumber::roots(&quartic, &mut budget()).unwrap();
    let field = NumberField::rationals().adjoin(&roots[3], &mut budget()).unwrap().field;
    for root in &roots {
        let extension = field.adjoin(root, &mut budget()).unwrap();
        assert!(!extension.is_proper());
        assert_eq!(field.to_f64(&extension.element).unwrap(), root.to_f64());
    }
    // 2^(1/3) is in no quadratic field, and its complex conjugates do not disturb.
    let (field, elements) = read(&["2^(1/3)", "4^(1/3)", "-2^(1/3)", "2^(2/3)"]);
    assert_eq!(field.degree(), 3);
    assert_eq!(elements[1], elements[3]);
    assert_eq!(elements[2], field.neg(&elements[0]));
}

#[test]
fn nested_radicals() {
    let (field, elements) =
        read(&["sqrt(3/7+2/7*sqrt(6/5))", "sqrt(3/7-2/7*sqrt(6/5))", "sqrt(30)"]);
    assert_eq!(field.degree(), 8);
    for node in &elements[..2] {
        // 35 x^4 - 30 x^2 + 3 = 0, the nodes of Gauss with four stages.
        let polynomial = [3, 0, -30, 0, 35].map(Rational::integer);
        assert!(field.evaluate(&polynomial, node).is_zero());
    }
    let (field, elements) = read(&["sqrt(3+2*sqrt(2))", "1+sqrt(2)"]);
    assert_eq!((field.degree(), &elements[0]), (2, &elements[1]));
}

#[test]
fn expressions_of_tables() {
    let (field, elements) = read(&["1/4-sqrt(3)/6", "1/(2-2^(1/3))", "0.25", "-2e-1", "(1/2)^-2"]);
    assert_eq!(field.degree(), 6);
    assert_eq!(field.to_f64(&elements[0]).unwrap(), -0.03867513459481288);
    assert_eq!(field.to_f64(&elements[1]).unwrap(), 1.3512071919596575);
    assert_eq!(elements[2].as_rational(), Rational::new(1, 4).as_ref());
    assert_eq!(elements[3].as_rational(), Rational::new(-1, 5).as_ref());
    assert_eq!(elements[4].as_rational(), Some(&Rational::integer(4)));
    let (field, elements) = read(&["root(63*x^4-70*x^2+15,3)/2 + 1/2", "root(x^2 - 3, 1)"]);
    assert_eq!(field.to_f64(&elements[0]).unwrap(), 0.7692346550528415);
    assert_eq!(field.to_f64(&elements[1]).unwrap(), -1.7320508075688772);
    // The text of an algebraic number reads back as the number.
    let (field, elements) = read(&["sqrt(2)+3^(1/3)"]);
    let number = field.to_algebraic(&elements[0], &mut budget()).unwrap();
    let (again, elements) = read(&[&number.to_string()]);
    assert_eq!(again.to_algebraic(&elements[0], &mut budget()).unwrap(), number);
}

#[test]
fn what_is_not_algebraic_is_refused_with_its_place() {
    assert_eq!(problem("1 + pi/2").0, "pi");
    assert_eq!(problem("1 + sin(1)").0, "sin(1)");
    assert_eq!(problem("1/4 - x").0, "x");
    assert_eq!(problem("1/(sqrt(2)^2 - 2)").1, "division by zero");
    assert_eq!(problem("sqrt(1-sqrt(2))").1, "the root of degree 2 is not real");
    assert_eq!(problem("2^sqrt(2)").1, "the exponent is not a fraction of moderate size");
    assert_eq!(
        problem("1+root(x^2+1,1)").1,
        "the polynomial has 0 real roots, there is no number 1"
    );
    assert_eq!(problem("1+root(x^2-2)").0, "x^2-2");
    assert_eq!(problem("root(x^2-y,1)").0, "y");
    assert_eq!(problem("2x").1, "an operator is missing between `2` and `x`");
    assert!(problem("9^999 * 9^999 * 9^999").1.starts_with("a number of more than"));
    assert!(problem("9^9^9").1.starts_with("the exponent is not"));
}

#[test]
fn large_fields_are_refused() {
    let mut reader = FieldReader::new();
    let mut refused = None;
    for text in ["sqrt(2)", "3^(1/3)", "5^(1/5)", "7^(1/7)"] {
        if let Err(errors) = reader.read(text, &mut budget()) {
            refused = Some(errors);
            break;
        }
    }
    assert!(matches!(
        refused.unwrap()[0].problem,
        ExactTextProblem::Field(FieldError::OutOfReach { .. } | FieldError::DegreeLimit { .. })
    ));
}
