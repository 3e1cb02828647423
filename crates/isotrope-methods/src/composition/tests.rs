use super::*;

fn start(decimals: &[&str]) -> Vec<Rational> {
    decimals.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn the_triple_jump_is_one_over_two_minus_the_cube_root_of_two() {
    let triple = SymmetricComposition::new(4, start(&["1.35"]));
    let precision = Precision::new(200);
    let gamma = triple.coefficients(precision).unwrap();
    let two = Ball::integer(2, precision);
    let exact = two.sub(&two.nth_root(3).unwrap()).recip().unwrap();
    assert!(gamma[0].overlaps(&exact) && gamma[2].overlaps(&exact));
    assert!(gamma[0].accuracy() > 190);
    assert_eq!(triple.failing_words(&gamma, 4).unwrap(), Vec::<String>::new());
    assert!(!triple.failing_words(&gamma, 5).unwrap().is_empty());
}

#[test]
fn the_number_of_equations_doubles_with_every_two_orders() {
    for (order, equations) in [(2, 1), (4, 2), (6, 4), (8, 8)] {
        let words = Words::up_to(order);
        let odd = words.lyndon().filter(|&word| words.weight(word) % 2 == 1).count();
        assert_eq!(odd, equations, "order {order}");
    }
}

#[test]
fn a_wrong_number_of_coefficients_is_refused() {
    let wrong = SymmetricComposition::new(6, start(&["1.35"]));
    let refusal = wrong.coefficients(Precision::new(64)).unwrap_err();
    assert_eq!(refusal, CompositionError::Count { equations: 3, unknowns: 1 });
}

#[test]
fn seven_and_fifteen_steps_give_order_six_and_eight_and_not_more() {
    for crate::ListedComposition { order, decimals, .. } in &crate::COMPOSITIONS[1..] {
        let order = *order;
        let composition = SymmetricComposition::new(order, start(decimals));
        let gamma = composition.coefficients(Precision::new(256)).unwrap();
        assert_eq!(gamma.len(), composition.length());
        assert!(gamma.iter().all(|ball| ball.accuracy() > 240));
        assert_eq!(composition.failing_words(&gamma, order).unwrap(), Vec::<String>::new());
        assert!(!composition.failing_words(&gamma, order + 1).unwrap().is_empty());
    }
}

#[test]
fn printed_decimals_of_order_eight_hold_to_twelve_places() {
    // Yoshida (1990), table 2, solution A, prints w₇ = 1.04242620869991.
    let &crate::ListedComposition { order, decimals, .. } = &crate::COMPOSITIONS[2];
    let gamma = SymmetricComposition::new(order, start(decimals)).coefficients(Precision::new(128));
    let first = gamma.unwrap().remove(0);
    let printed: Rational = "1.04242620869991".parse().unwrap();
    let error = first.sub(&Ball::from_rational(&printed, Precision::new(128))).abs();
    assert!(
        error.is_less_than(&Ball::from_rational(&"1e-12".parse().unwrap(), Precision::new(128)))
    );
    assert!(error.excludes_zero());
}
