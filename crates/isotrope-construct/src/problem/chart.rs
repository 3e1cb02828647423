//! Functions on the manifold: its equations solved, one after the other.

use isotrope_algebra::calculus::{CollectError, Substitution, collect, derivative, substitute};
use isotrope_algebra::normal::{AngleSplitting, Fraction, Generators};
use isotrope_algebra::polynomial::PowerRule;
use isotrope_algebra::{Budget, ExprId, Node, OutOfBudget, Polynomial, Pool};

use super::ProblemError;

/// Degrees beyond this are not looked for.
const MOST_ROOTS: usize = 8;

/// An equation that fixes a variable up to the choice of a root, once the others are known.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    pub variable: ExprId,
    /// Coefficients of the powers of the variable from 0; free of it and of the variables of the
    /// roots that follow.
    pub coefficients: Vec<ExprId>,
    equation: ExprId,
}

/// The manifold as the graph of some variables over the others: some are rational functions of
/// the rest, some are roots of polynomials.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chart {
    /// What solved variables are replaced by.
    solved: Substitution,
    /// Fixed by a polynomial, in this order.
    pub roots: Vec<Root>,
}

impl Chart {
    /// Solves the equations; `variables` in the order of preference for being solved for.
    pub(crate) fn new(
        pool: &mut Pool,
        equations: &[ExprId],
        variables: &[ExprId],
        elsewhere: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, ProblemError> {
        let mut chart = Self::default();
        let mut left = equations.to_vec();
        // A variable inside a sine stays: the arguments of functions are never rewritten.
        let mut all = equations.to_vec();
        all.extend(elsewhere);
        let free: Vec<ExprId> =
            variables.iter().copied().filter(|x| !inside_function(pool, &all, *x)).collect();
        loop {
            left.retain(|equation| !equation.is_zero());
            let Some((at, variable, value)) = best_linear(pool, &left, &free, variables, budget)?
            else {
                break;
            };
            left.remove(at);
            let map: Substitution = std::iter::once((variable, value)).collect();
            for equation in &mut left {
                if pool.depends_on(*equation, &[variable]) {
                    let replaced = substitute(pool, &[*equation], &map, budget)?;
                    let replaced = replaced.first().copied().unwrap_or(*equation);
                    *equation = numerator(pool, replaced, budget);
                }
            }
            let keys: Vec<ExprId> =
                variables.iter().copied().filter(|x| chart.solved.contains_key(x)).collect();
            let values: Vec<ExprId> = keys.iter().map(|key| chart.solved[key]).collect();
            let values = substitute(pool, &values, &map, budget)?;
            chart.solved = keys.into_iter().zip(values).collect();
            chart.solved.insert(variable, value);
        }
        while !left.is_empty() {
            let found = next_root(pool, &left, variables, budget)?;
            let (at, root) = found.ok_or(ProblemError::Manifold)?;
            left.remove(at);
            chart.roots.push(root);
        }
        // The first root must not know the variables of the later ones.
        chart.roots.reverse();
        Ok(chart)
    }

    /// Functions restricted to the manifold.
    pub(crate) fn restrict(
        &self,
        pool: &mut Pool,
        functions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        if self.solved.is_empty() {
            return Ok(functions.to_vec());
        }
        substitute(pool, functions, &self.solved, budget)
    }
}

/// Normal forms of functions on a chart.
#[derive(Debug, Clone)]
pub(crate) struct NormalForms {
    generators: Generators,
    rules: Vec<PowerRule>,
}

impl NormalForms {
    /// For everything that is built from the functions (already restricted) and their derivatives.
    /// `None` if some root is not an integral element, or a function has no normal form.
    pub(crate) fn new(
        pool: &mut Pool,
        chart: &Chart,
        functions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let mut all = functions.to_vec();
        all.extend(chart.roots.iter().map(|root| root.equation));
        if pool.reachable(&all).iter().any(|id| is_opaque(pool, *id)) {
            return Ok(None);
        }
        let mut generators = Generators::new(pool, &all, AngleSplitting::Split, budget)?;
        let equations: Vec<ExprId> = chart.roots.iter().map(|root| root.equation).collect();
        let Some(fractions) = generators.fractions(pool, &equations, budget)? else {
            return Ok(None);
        };
        let mut rules = Vec::new();
        for (root, fraction) in chart.roots.iter().zip(fractions) {
            let Some(variable) = generators.expressions().iter().position(|x| *x == root.variable)
            else {
                return Ok(None);
            };
            let polynomial = fraction.numerator;
            let degree = polynomial.degree_in(variable);
            let leading = polynomial.leading_coefficient_in(variable).as_constant();
            let Some(scale) = leading.and_then(|x| x.recip()) else { return Ok(None) };
            let power = Polynomial::variable(variable).powi(degree.into(), budget)?;
            let replacement = power.sub(&polynomial.scale(&scale, budget)?, budget)?;
            let Some(rule) = PowerRule::new(variable, degree, replacement) else {
                return Ok(None);
            };
            rules.push(rule);
        }
        Ok(Some(Self { generators, rules }))
    }

    /// Normal forms; `None` where a denominator vanishes on the whole manifold.
    pub(crate) fn of(
        &mut self,
        pool: &mut Pool,
        restricted: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Option<Vec<Fraction>>, OutOfBudget> {
        let Some(fractions) = self.generators.fractions(pool, restricted, budget)? else {
            return Ok(None);
        };
        let mut reduced = Vec::with_capacity(fractions.len());
        for fraction in fractions {
            let numerator = self.reduce(&fraction.numerator, budget)?;
            let denominator = self.reduce(&fraction.denominator, budget)?;
            if denominator.is_zero() {
                return Ok(None);
            }
            reduced.push(Fraction { numerator, denominator }.cancelled(budget)?);
        }
        Ok(Some(reduced))
    }

    /// The remainder modulo all relations.
    pub(crate) fn reduce(
        &self,
        polynomial: &Polynomial,
        budget: &mut Budget,
    ) -> Result<Polynomial, OutOfBudget> {
        let mut rules = self.generators.rules().to_vec();
        rules.extend(self.rules.iter().cloned());
        polynomial.reduce(&rules, budget)
    }

    /// The function behind a normal form.
    pub(crate) fn expression(&self, pool: &mut Pool, fraction: &Fraction) -> ExprId {
        self.generators.to_expression(pool, fraction)
    }
}

/// Does a normal form know all relations of the node? Solves and unknown functions have more than
/// it sees.
fn is_opaque(pool: &Pool, id: ExprId) -> bool {
    match pool.node(id) {
        Node::Solution { .. } | Node::System(_) | Node::Atan2(..) | Node::Undefined => true,
        Node::Product(pairs) => {
            pairs.iter().any(|(_, exponent)| pool.as_number(exponent).is_none())
        }
        _ => false,
    }
}

/// Does a variable stand inside a function other than sums and products?
fn inside_function(pool: &Pool, expressions: &[ExprId], variable: ExprId) -> bool {
    pool.reachable(expressions).iter().any(|id| match pool.node(*id) {
        Node::Call(_, argument) => pool.depends_on(argument, &[variable]),
        Node::Atan2(y, x) => pool.depends_on(y, &[variable]) || pool.depends_on(x, &[variable]),
        Node::Product(pairs) => pairs.iter().any(|(base, exponent)| {
            let whole = pool.as_number(exponent).is_some_and(|e| e.is_integer());
            !whole && (pool.depends_on(base, &[variable]) || pool.depends_on(exponent, &[variable]))
        }),
        _ => false,
    })
}

/// Operations for the numerator of one equation.
const NUMERATOR: u64 = 2_000_000;

/// The numerator of an equation, which is zero where the equation holds; the equation itself if
/// its normal form is too large.
fn numerator(pool: &mut Pool, equation: ExprId, budget: &Budget) -> ExprId {
    let trial = &mut Budget::new(NUMERATOR.min(budget.left()));
    let reduced = Generators::new(pool, &[equation], AngleSplitting::Split, trial).and_then(
        |mut generators| {
            let Some(fractions) = generators.fractions(pool, &[equation], trial)? else {
                return Ok(equation);
            };
            let Some(fraction) = fractions.first() else { return Ok(equation) };
            let numerator = generators.reduce(fraction, trial)?.numerator;
            Ok(generators.to_expression(pool, &Fraction::from_polynomial(numerator)))
        },
    );
    reduced.unwrap_or(equation)
}

/// How welcome a coefficient is that will be divided by.
fn rank(pool: &Pool, coefficient: ExprId, variables: &[ExprId]) -> u32 {
    if pool.as_number(coefficient).is_some() {
        0
    } else if !pool.depends_on(coefficient, variables) {
        1
    } else {
        2
    }
}

/// The equation and the variable in which it is linear with the simplest coefficient, solved.
fn best_linear(
    pool: &mut Pool,
    equations: &[ExprId],
    candidates: &[ExprId],
    variables: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<(usize, ExprId, ExprId)>, OutOfBudget> {
    let mut best: Option<(u32, usize, ExprId, ExprId)> = None;
    for (at, &equation) in equations.iter().enumerate() {
        for &variable in candidates {
            if !pool.depends_on(equation, &[variable]) {
                continue;
            }
            let coefficient = derivative(pool, equation, variable, budget)?;
            if coefficient.is_zero() || pool.depends_on(coefficient, &[variable]) {
                continue;
            }
            let rank = rank(pool, coefficient, variables);
            if best.is_none_or(|(least, ..)| rank < least) {
                best = Some((rank, at, variable, coefficient));
            }
        }
    }
    let Some((_, at, variable, coefficient)) = best else { return Ok(None) };
    let nothing: Substitution = std::iter::once((variable, ExprId::ZERO)).collect();
    let Some(&rest) = substitute(pool, &[equations[at]], &nothing, budget)?.first() else {
        return Ok(None);
    };
    let quotient = pool.div(rest, coefficient);
    Ok(Some((at, variable, pool.neg(quotient))))
}

/// An equation with a variable that no other equation contains, as a polynomial in it.
fn next_root(
    pool: &mut Pool,
    equations: &[ExprId],
    variables: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<(usize, Root)>, OutOfBudget> {
    for (at, &equation) in equations.iter().enumerate() {
        for &variable in variables {
            let elsewhere = equations
                .iter()
                .enumerate()
                .any(|(other, e)| other != at && pool.depends_on(*e, &[variable]));
            if elsewhere || !pool.depends_on(equation, &[variable]) {
                continue;
            }
            let collected = match collect(pool, equation, &[variable], budget) {
                Ok(collected) => collected,
                Err(CollectError::OutOfBudget(stop)) => return Err(stop),
                Err(CollectError::NotPolynomial { .. }) => continue,
            };
            let mut coefficients = Vec::new();
            for (power, value) in collected {
                let exponent = power.first().map_or(0, |(_, exponent)| *exponent as usize);
                if exponent >= coefficients.len() {
                    coefficients.resize(exponent + 1, ExprId::ZERO);
                }
                coefficients[exponent] = value;
            }
            let simple = coefficients.last().is_some_and(|last| rank(pool, *last, variables) < 2);
            if simple && coefficients.len() <= MOST_ROOTS + 1 {
                return Ok(Some((at, Root { variable, coefficients, equation })));
            }
        }
    }
    Ok(None)
}
