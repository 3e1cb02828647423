//! The watched engine against the crate's own functions, and its ends.

use super::*;
use crate::ideal::tests::polynomials;
use crate::{OutOfBudget, Stop};

/// The first prime of images.
const LARGE: u64 = (1 << 31) - 1;

fn monomial(variables: impl IntoIterator<Item = usize>) -> Monomial {
    let mut exponents = vec![0; 16];
    for variable in variables {
        exponents[variable] += 1;
    }
    Monomial::from_exponents(&exponents)
}

fn sum(terms: impl IntoIterator<Item = (Monomial, i64)>) -> Polynomial {
    Polynomial::from_terms(terms.into_iter().map(|(m, c)| (m, Rational::integer(c))))
}

/// The cyclic roots: sums of products of neighbours, and the product of all is 1.
fn cyclic(n: usize) -> Vec<Polynomial> {
    (1..n)
        .map(|length| sum((0..n).map(|i| (monomial((i..i + length).map(|j| j % n)), 1))))
        .chain([sum([(monomial(0..n), 1), (Monomial::one(), -1)])])
        .collect()
}

/// Katsura's equations of magnetism in n + 1 unknowns.
fn katsura(n: usize) -> Vec<Polynomial> {
    let convolution = |m: usize| {
        let n = i64::try_from(n).unwrap();
        let m = i64::try_from(m).unwrap();
        let pairs = (-n..=n).filter(|l| (m - l).abs() <= n);
        let index = |i: i64| usize::try_from(i.abs()).unwrap();
        let squares = pairs.map(|l| (monomial([index(l), index(m - l)]), 1));
        sum(squares.chain([(monomial([index(m)]), -1)]).collect::<Vec<_>>())
    };
    let total = (1..=n).map(|i| (monomial([i]), 2));
    let total = sum(total.chain([(monomial([0]), 1), (Monomial::one(), -1)]).collect::<Vec<_>>());
    (0..n).map(convolution).chain([total]).collect()
}

/// Systems that are easy, with their numbers of variables.
fn systems() -> Vec<(Vec<Polynomial>, usize)> {
    let texts: [&[&str]; 7] = [
        &["x*z - y^2", "y*w - z^2", "x*w - y*z"],
        &["x*z - y^2 - 1", "y*w - z^2 + x", "x*w - y*z + 3*w"],
        &["x^2 + y^2 + z^2 - 1", "x*y + z - 2", "x^3 - y*z"],
        &["x + y - 1", "x + y - 2"],
        &["x*y - 1", "x^2 + y^2 - 4"],
        &["x^2 - 2*x*y + y^2", "y^2 - y"],
        &["123456789*x^3 - 987654321*y^2 + 5", "77777*x*y^2 - 1234567*x - 3", "x*w - z^2 + 12345"],
    ];
    let mut list: Vec<_> = texts.iter().map(|texts| (polynomials(texts), 4)).collect();
    list.extend([3, 4, 5].map(|n| (cyclic(n), n)));
    list.extend([2, 3, 4].map(|n| (katsura(n), n + 1)));
    list
}

fn request(polynomials: &[Polynomial], variables: usize) -> BasisRequest<'_> {
    BasisRequest {
        polynomials,
        variables,
        order: VariableOrder::Graded,
        coefficients: Coefficients::Rational,
    }
}

/// What the crate answers: directly modulo a prime, by its own reconstruction over the rationals.
fn of_the_crate(request: &BasisRequest<'_>) -> Vec<Polynomial> {
    DirectF4.basis(request).unwrap()
}

#[test]
fn answers_are_those_of_the_crate() {
    // Pieces of few multiplications cut small systems into as many as large ones have.
    let engines = [F4::unlimited(), F4 { operations: u64::MAX, piece: 300 }];
    for (number, (system, variables)) in systems().into_iter().enumerate() {
        let orders = [VariableOrder::Graded, VariableOrder::Eliminating(1)];
        let fields = [LARGE, 32_003, 101].map(Coefficients::Modulo);
        for order in orders {
            for coefficients in fields.into_iter().chain([Coefficients::Rational]) {
                let request = BasisRequest { order, coefficients, ..request(&system, variables) };
                let expected = of_the_crate(&request);
                for engine in engines {
                    let found = engine.basis(&request).unwrap();
                    assert_eq!(found, expected, "system {number}, {order:?}, {coefficients:?}");
                }
            }
        }
    }
}

#[test]
fn denominators_and_unlucky_primes_do_no_harm() {
    // The first prime of images divides a denominator, the second is unlucky: modulo it, x divides both.
    let second = modular_primes().nth(1).unwrap();
    let term = |m: &[usize], c: Rational| (monomial(m.iter().copied()), c);
    let fraction = Rational::new(1, i64::try_from(LARGE).unwrap()).unwrap();
    let unlucky = Rational::integer(i64::try_from(second).unwrap());
    let system = [
        Polynomial::from_terms([term(&[0, 0], fraction), term(&[0, 1], Rational::integer(1))]),
        Polynomial::from_terms([term(&[0, 1], Rational::integer(1)), term(&[1], unlucky)]),
    ];
    let ours = F4::unlimited().basis(&request(&system, 2)).unwrap();
    // The same with the denominator multiplied away is within reach of the crate.
    let whole: Vec<Polynomial> = system.iter().map(Polynomial::primitive_part).collect();
    assert_eq!(ours, of_the_crate(&request(&whole, 2)));
}

fn modular_primes() -> impl Iterator<Item = u64> {
    crate::modular::primes_below(1 << 31)
}

#[test]
fn a_limit_of_operations_ends_a_basis_at_the_same_place() {
    let system = cyclic(7);
    let ended = || {
        let budget = &mut Budget::new(30_000_000);
        let end = request(&system, 7).image(LARGE, PIECE, budget).unwrap_err();
        (end, budget.spent())
    };
    let (end, spent) = ended();
    let EngineError::OutOfBudget(OutOfBudget { limit: 30_000_000, interrupted: false, .. }) = end
    else {
        panic!("{end}");
    };
    assert!(end.is_out_of_reach());
    assert_eq!(ended(), (end, spent));
    // It was noticed at the end of a piece, and the next basis begins anew.
    assert!(F4::new(30_000_000).basis(&request(&cyclic(4), 4)).is_ok());
}

/// Hard enough to take minutes, each way.
#[test]
fn a_flag_set_by_another_thread_ends_a_basis() {
    let system = cyclic(9);
    for coefficients in [Coefficients::Modulo(LARGE), Coefficients::Rational] {
        for delay in [0, 20, 400] {
            let stop = Stop::new();
            let timer = std::thread::spawn({
                let stop = stop.clone();
                move || {
                    std::thread::sleep(std::time::Duration::from_millis(delay));
                    stop.set();
                }
            });
            let request = BasisRequest { coefficients, ..request(&system, 9) };
            let done = stop.during(|| F4::unlimited().basis(&request));
            timer.join().unwrap();
            let Err(EngineError::OutOfBudget(end)) = done else { panic!("{done:?}") };
            assert!(end.interrupted);
        }
    }
}

/// A panic of the crate's is no end of a budget.
#[test]
fn other_panics_are_passed_on() {
    let budget = &mut Budget::unlimited();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        watch(budget, PIECE, || std::panic::resume_unwind(Box::new("another")))
    }));
    assert_eq!(panicked.map(|_| ()).unwrap_err().downcast_ref(), Some(&"another"));
}
