//! The theorem that trees are for: the exact solution of x' = F(x) is
//! x + Σ h^|t| F(t)/(γ(t) σ(t)). Solutions of polynomial equations with two components in
//! each group, computed as power series without trees, agree with the sum over trees.

use isotrope_algebra::Rational;
use isotrope_algebra::modular::Random;
use isotrope_methods::trees::{Family, Trees};

use crate::support::{named_families, trees};

/// Components of each group.
const DIMENSION: usize = 2;

/// A polynomial: coefficient and exponents of each term.
#[derive(Debug, Clone)]
struct Polynomial(Vec<(Rational, Vec<u32>)>);

impl Polynomial {
    fn derivative(&self, variable: usize) -> Self {
        let terms = self.0.iter().filter(|(_, exponents)| exponents[variable] > 0);
        Self(
            terms
                .map(|(coefficient, exponents)| {
                    let mut lower = exponents.clone();
                    lower[variable] -= 1;
                    (coefficient * &Rational::integer(exponents[variable].into()), lower)
                })
                .collect(),
        )
    }

    /// Σ u_k ∂/∂x_k over the components of a group.
    fn along(&self, group: usize, direction: &[Rational]) -> Self {
        let mut sum = Vec::new();
        for (k, factor) in direction.iter().enumerate() {
            for (coefficient, exponents) in self.derivative(group * DIMENSION + k).0 {
                sum.push((&coefficient * factor, exponents));
            }
        }
        Self(sum)
    }

    /// The value on truncated power series.
    fn value(&self, point: &[Vec<Rational>], length: usize) -> Vec<Rational> {
        let mut sum = vec![Rational::ZERO; length];
        for (coefficient, exponents) in &self.0 {
            let mut term = vec![Rational::ZERO; length];
            term[0] = coefficient.clone();
            for (series, &exponent) in point.iter().zip(exponents) {
                for _ in 0..exponent {
                    term = times(&term, series, length);
                }
            }
            sum.iter_mut().zip(&term).for_each(|(s, t)| *s = &*s + t);
        }
        sum
    }
}

fn times(a: &[Rational], b: &[Rational], length: usize) -> Vec<Rational> {
    let mut result = vec![Rational::ZERO; length];
    for (i, x) in a.iter().enumerate().take(length) {
        for (j, y) in b.iter().enumerate().take(length - i) {
            result[i + j] = &result[i + j] + &(x * y);
        }
    }
    result
}

/// A small integer.
fn small(random: &mut Random) -> Rational {
    Rational::integer(random.below(7) as i64 - 3)
}

/// All exponents of total degree up to `degree` that the rules allow in the rate of a group.
fn exponents(family: &Family, colour: usize, degree: u32) -> Vec<Vec<u32>> {
    let variables = family.colours().len() * DIMENSION;
    let mut found = vec![vec![0; variables]];
    for variable in 0..variables {
        let mut longer = Vec::new();
        for known in &found {
            for exponent in 0..=degree {
                let mut next = known.clone();
                next[variable] = exponent;
                longer.push(next);
            }
        }
        longer.retain(|next| {
            let group = |g: usize| next[g * DIMENSION..(g + 1) * DIMENSION].iter().sum::<u32>();
            let allowed = (0..family.colours().len()).all(|child| {
                match family.dependencies(colour).iter().find(|d| d.colour == child) {
                    None => group(child) == 0,
                    Some(rule) => rule.at_most.is_none_or(|most| group(child) as usize <= most),
                }
            });
            allowed && next.iter().sum::<u32>() <= degree
        });
        found = longer;
    }
    found
}

/// Random right sides; where a group is the rate of another (`identity`), that.
fn right_sides(family: &Family, identity: bool, random: &mut Random) -> Vec<Polynomial> {
    let variables = family.colours().len() * DIMENSION;
    let mut sides = Vec::new();
    for colour in 0..family.colours().len() {
        for component in 0..DIMENSION {
            let terms = if identity && colour == 0 {
                let mut exponents = vec![0; variables];
                exponents[DIMENSION + component] = 1;
                vec![(Rational::ONE, exponents)]
            } else {
                exponents(family, colour, 3).into_iter().map(|e| (small(random), e)).collect()
            };
            sides.push(Polynomial(terms));
        }
    }
    sides
}

/// Coefficients of the solution, by integrating the equation order by order.
fn solution(sides: &[Polynomial], start: &[Rational], order: usize) -> Vec<Vec<Rational>> {
    let mut series: Vec<Vec<Rational>> = start.iter().map(|value| vec![value.clone()]).collect();
    for n in 1..=order {
        let rates: Vec<Vec<Rational>> = sides.iter().map(|side| side.value(&series, n)).collect();
        for (known, rate) in series.iter_mut().zip(rates) {
            known.push(&rate[n - 1] * &Rational::new(1, n as i64).unwrap());
        }
    }
    series
}

/// F(t) of all trees at a point.
fn differentials(trees: &Trees, sides: &[Polynomial], start: &[Rational]) -> Vec<Vec<Rational>> {
    let point: Vec<Vec<Rational>> = start.iter().map(|value| vec![value.clone()]).collect();
    let mut values: Vec<Vec<Rational>> = Vec::new();
    for tree in trees.ids() {
        let colour = trees.colour(tree);
        let value = (0..DIMENSION)
            .map(|component| {
                let mut side = sides[colour * DIMENSION + component].clone();
                for &child in trees.children(tree) {
                    side = side.along(trees.colour(child), &values[child.index()]);
                }
                side.value(&point, 1).swap_remove(0)
            })
            .collect();
        values.push(value);
    }
    values
}

fn the_solution_is_the_sum_over_trees(family: &Family, identity: bool, order: usize) {
    let trees = trees(family, order);
    let random = &mut Random::new(2024);
    let sides = right_sides(family, identity, random);
    let start: Vec<Rational> = (0..sides.len()).map(|_| small(random)).collect();
    let series = solution(&sides, &start, order);
    let differentials = differentials(&trees, &sides, &start);
    for (variable, exact) in series.iter().enumerate() {
        let (colour, component) = (variable / DIMENSION, variable % DIMENSION);
        for (n, exact) in exact.iter().enumerate().skip(1) {
            let sum = trees.of_order_and_colour(n, colour).fold(Rational::ZERO, |sum, tree| {
                let share = (trees.gamma(tree) * trees.sigma(tree)).recip().unwrap();
                &sum + &(&differentials[tree.index()][component] * &share)
            });
            assert_eq!(&sum, exact, "{}, order {n}", family.rules());
        }
    }
}

#[test]
fn the_exact_solution_is_the_sum_over_all_trees() {
    for family in named_families() {
        let identity = matches!(family.name(), "nystrom" | "qvp");
        the_solution_is_the_sum_over_trees(&family, identity, 5);
    }
    // Deeper where there are few trees.
    the_solution_is_the_sum_over_trees(&Family::runge_kutta(), false, 7);
}

#[test]
fn declared_groups_solve_their_equations_too() {
    for groups in ["x=y^1; y=x,y", "x=x,y^1; y=x^2,z; z=x", "a; b=a^1,b", "x=x^2"] {
        the_solution_is_the_sum_over_trees(&Family::parse(groups).unwrap(), false, 4);
    }
}
