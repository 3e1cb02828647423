//! The Jacobiator [P,P] of random bivectors and of Lie–Poisson structures.
//!
//! `cargo xtask bench` prints CPU times. Beside them stand reported times of SymPy's polynomial ring,
//! the fastest road in Python, for bivectors of the same degree and dimension on another machine. How
//! many terms those had is not recorded: the ratio is that of four terms a component, and the last
//! column has all terms of the degree.
#![expect(clippy::panic, reason = "a benchmark that cannot start ends")]

use std::hint::black_box;

use cpu_time::ProcessTime;
use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, Rational};
use isotrope_geometry::calculus::{Chart, Multivector};
use isotrope_geometry::graded::{Element, Polynomials};

type Matrix = Vec<Vec<Element<Rational>>>;

fn chart(dimension: usize) -> Chart<Polynomials> {
    let names: Vec<String> = (1..=dimension).map(|k| format!("x{k}")).collect();
    Chart::new(&names, Polynomials, Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"))
}

/// All exponents of degree `degree` in `count` variables.
fn exponents(count: usize, degree: u8) -> Vec<Vec<u8>> {
    if count == 1 {
        return vec![vec![degree]];
    }
    (0..=degree)
        .flat_map(|first| {
            exponents(count - 1, degree - first).into_iter().map(move |mut rest| {
                rest.insert(0, first);
                rest
            })
        })
        .collect()
}

/// A homogeneous polynomial with the given number of terms, all of them if there are fewer.
fn polynomial(
    chart: &mut Chart<Polynomials>,
    degree: u8,
    terms: usize,
    random: &mut Random,
) -> Element<Rational> {
    let mut list = exponents(chart.dimension(), degree);
    while list.len() > terms {
        list.swap_remove(random.below(list.len() as u64) as usize);
    }
    let mut parts = Vec::new();
    for powers in list {
        let mut monomial = chart.algebra().coordinates().one();
        for (field, power) in powers.into_iter().enumerate() {
            monomial.even = monomial.even.with(field, power).unwrap_or(monomial.even);
        }
        parts.push((monomial, Rational::integer(random.below(19) as i64 - 9)));
    }
    chart.algebra().from_terms(parts).unwrap_or_else(|error| panic!("{error}"))
}

fn antisymmetric(
    chart: &mut Chart<Polynomials>,
    mut entry: impl FnMut(&mut Chart<Polynomials>, usize, usize) -> Element<Rational>,
) -> Multivector<Rational> {
    let n = chart.dimension();
    let mut matrix: Matrix = vec![vec![Element::zero(); n]; n];
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    for (i, j) in pairs {
        let value = entry(chart, i, j);
        matrix[j][i] = chart.algebra().negate(&value);
        matrix[i][j] = value;
    }
    chart.bivector(&matrix).unwrap_or_else(|error| panic!("{error}"))
}

/// The Lie–Poisson bivector of so(m), coordinates x_ab for a < b:
/// [E_ab, E_bc] = E_ac, with E_ba = -E_ab.
fn rotations(m: usize) -> (Chart<Polynomials>, Multivector<Rational>) {
    let pairs: Vec<(usize, usize)> = (0..m).flat_map(|a| (a + 1..m).map(move |b| (a, b))).collect();
    let mut chart = chart(pairs.len());
    let bivector = antisymmetric(&mut chart, |chart, i, j| {
        let ((a, b), (c, d)) = (pairs[i], pairs[j]);
        // [E_ab, E_cd] = d_bc E_ad - d_ac E_bd - d_bd E_ac + d_ad E_bc
        let mut sum = Element::zero();
        for (same, first, second, sign) in
            [(b == c, a, d, 1), (a == c, b, d, -1), (b == d, a, c, -1), (a == d, b, c, 1)]
        {
            if !same || first == second {
                continue;
            }
            let (low, high, sign) =
                if first < second { (first, second, sign) } else { (second, first, -sign) };
            let place = pairs.iter().position(|pair| *pair == (low, high)).unwrap_or(0);
            let x = chart.coordinate(place).unwrap_or_else(|error| panic!("{error}"));
            let term = chart.algebra().scale(x.element(), &Rational::integer(sign));
            sum = chart.algebra().add(&sum, &term).unwrap_or_else(|error| panic!("{error}"));
        }
        sum
    });
    (chart, bivector)
}

/// The best CPU time of a Jacobiator, in seconds.
fn time(chart: &mut Chart<Polynomials>, bivector: &Multivector<Rational>, quick: bool) -> f64 {
    let mut best = f64::INFINITY;
    let begin = ProcessTime::now();
    loop {
        let start = ProcessTime::now();
        black_box(chart.schouten(bivector, bivector).ok());
        best = best.min(start.elapsed().as_secs_f64());
        if quick || begin.elapsed().as_secs_f64() > 0.3 {
            return best;
        }
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn main() {
    // Cargo passes --bench; `cargo test` builds and runs benches with --test.
    let quick = std::env::args().any(|argument| argument == "--test");
    let random = &mut Random::new(1);
    println!("Jacobiator [P,P] (CPU microseconds)");
    println!(
        "{:<34} {:>10} {:>12} {:>8} {:>12}",
        "bivector", "4 terms", "SymPy ring", "ratio", "all terms"
    );
    let cases = [(2, 4, 400.0), (2, 6, 2400.0), (2, 8, 13000.0), (3, 4, 800.0), (3, 6, 12000.0)];
    for (degree, dimension, ring) in cases {
        let mut chart = chart(dimension);
        let mut measured = |terms: usize| {
            let bivector =
                antisymmetric(&mut chart, |chart, _, _| polynomial(chart, degree, terms, random));
            1e6 * time(&mut chart, &bivector, quick)
        };
        let few = measured(4);
        let all = if quick { f64::NAN } else { measured(usize::MAX) };
        println!(
            "{:<34} {few:>10.1} {ring:>12.0} {:>8.0} {all:>12.1}",
            format!("degree {degree}, dimension {dimension}"),
            ring / few
        );
    }
    for (m, ring) in [(4, 1100.0), (5, 17000.0)] {
        let (mut chart, bivector) = rotations(m);
        let zero = chart.schouten(&bivector, &bivector).is_ok_and(|value| value.is_zero());
        assert!(zero, "so({m}) satisfies the Jacobi identity");
        let found = 1e6 * time(&mut chart, &bivector, quick);
        println!("{:<34} {found:>10.1} {ring:>12.0} {:>8.0}", format!("so({m})"), ring / found);
    }
}
