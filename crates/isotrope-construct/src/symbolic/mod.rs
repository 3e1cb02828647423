//! Structure conditions of one problem, from the exact Taylor expansion of its structure functions.
//!
//! One step of any method of the family is x + Σ h^|t| w(t)/σ(t) F(t)(x), so the coefficient of a
//! power of h in S(x⁺) − S(x) is a polynomial in the tree weights w(t) whose coefficients are
//! functions of x on the manifold. It vanishes for all x if and only if the weights satisfy one
//! linear condition for each of a basis of these functions. Where the normal forms of the
//! functions can be computed, the conditions are proved; otherwise they come from exact values at
//! random points, and that there are no more has a failure probability.

mod differentials;
mod normal_forms;
mod points;

use std::collections::BTreeMap;

use isotrope_algebra::{Budget, OrInternal, OutOfBudget, Pool, Rational};

use super::problem::{Chart, NormalForms, Points, Problem, ProblemError};
use differentials::{Coefficient, Differentials};
use isotrope_methods::classes::conditions::{bits, rational_rows};
use isotrope_methods::classes::{Condition, Forest};
use isotrope_methods::trees::Trees;

/// Why there are no conditions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SymbolicError {
    /// The problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No regular point of the manifold was found.
    #[error("no regular point of the manifold was found")]
    Singular,
    /// A condition is not the image of a small rational one, or two primes disagree.
    #[error("the conditions at h^{order} could not be reconstructed over the rationals")]
    Reconstruction {
        /// The power of h.
        order: usize,
    },
    /// The exact solution does not satisfy a condition: the expansion is wrong.
    #[error("the exact solution does not satisfy a condition at h^{order}")]
    Expansion {
        /// The power of h.
        order: usize,
    },
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// How conditions were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// From normal forms of the Taylor coefficients: proved.
    NormalForms,
    /// From their exact values at this many points of the manifold, over two primes.
    Points {
        /// Number of points, over both primes.
        points: usize,
    },
}

const DOING: &str = "expanding structure functions";

/// Part of the budget that normal forms may use, before points are tried,
const SHARE: u64 = 2;
/// and at most this many operations: some seconds.
const MOST: u64 = 50_000_000;

/// The conditions under which one problem keeps its structure, by powers of h.
#[derive(Debug, Clone)]
pub struct SymbolicConditions {
    trees: Trees,
    route: Route,
    /// By part, then by power of h from 1.
    parts: BTreeMap<String, Vec<Vec<Condition>>>,
    /// All parts together, by power of h from 1.
    all: Vec<Vec<Condition>>,
    /// A bound for the probability that a condition is missing; `None` if they are proved.
    pub failure_probability: Option<Rational>,
}

impl SymbolicConditions {
    /// The trees whose weights occur.
    pub fn trees(&self) -> &Trees {
        &self.trees
    }

    /// The highest power of h.
    pub fn max_order(&self) -> usize {
        self.trees.max_order()
    }

    /// How the conditions were found.
    pub fn route(&self) -> Route {
        self.route
    }

    /// The largest e such that the failure probability is at most 2^-e (no more than 4096);
    /// `None` if the conditions are proved.
    pub fn failure_bits(&self) -> Option<u32> {
        self.failure_probability.as_ref().map(bits)
    }

    /// The parts of the structure.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts.keys().map(String::as_str)
    }

    /// The conditions for the coefficient of h^`order` of all structure functions to vanish,
    /// reduced; empty for an order that was not computed.
    pub fn at(&self, order: usize) -> &[Condition] {
        let at = order.checked_sub(1).and_then(|at| self.all.get(at));
        at.map_or(&[], Vec::as_slice)
    }

    /// The same for one part of the structure.
    pub fn at_part(&self, part: &str, order: usize) -> &[Condition] {
        let rows = self.parts.get(part).zip(order.checked_sub(1));
        rows.and_then(|(rows, at)| rows.get(at)).map_or(&[], Vec::as_slice)
    }

    /// [`SymbolicConditions::at`] for methods of order `known`: with w(t) = 1/γ(t) for
    /// |t| <= `known`, reduced.
    pub fn given(
        &self,
        order: usize,
        known: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Condition>, OutOfBudget> {
        rational_rows::substitute(&self.trees, self.at(order), known, budget)
    }

    /// The same for one part of the structure.
    pub fn given_part(
        &self,
        part: &str,
        order: usize,
        known: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Condition>, OutOfBudget> {
        rational_rows::substitute(&self.trees, self.at_part(part, order), known, budget)
    }
}

/// The conditions under which the methods of a problem's family keep its structure functions
/// through h^`max_order`.
///
/// ```
/// use isotrope_algebra::Budget;
/// use isotrope_construct::problem::file::{ProblemText, parse_problem};
/// use isotrope_construct::symbolic::{Route, conditions};
/// let file = r#"
///     groups = { q = ["x"], p = ["y"] }
///     rates = { x = "y", y = "-x" }
///     structure = { energy = "(x^2 + y^2)/2" }
/// "#;
/// let problem = parse_problem(&ProblemText::new("oscillator.toml", file.as_bytes())).unwrap();
/// let found = conditions(&problem, 2, &mut Budget::new(1_000_000)).unwrap();
/// let text: Vec<String> = found.at(1).iter().map(|c| c.text(found.trees())).collect();
/// assert_eq!(text, ["w(p) = w(q)"]);
/// let text: Vec<String> = found.at(2).iter().map(|c| c.text(found.trees())).collect();
/// assert_eq!(text, ["w(p)^2 = 2*w(q[p])", "w(q)^2 = 2*w(p[q])"]);
/// assert_eq!(found.route(), Route::NormalForms);
/// ```
pub fn conditions(
    problem: &Problem,
    max_order: usize,
    budget: &mut Budget,
) -> Result<SymbolicConditions, SymbolicError> {
    by_roads(problem, max_order, true, budget)
}

/// [`conditions`] from values at points alone, whatever could be proved: a second road.
pub fn conditions_at_points(
    problem: &Problem,
    max_order: usize,
    budget: &mut Budget,
) -> Result<SymbolicConditions, SymbolicError> {
    by_roads(problem, max_order, false, budget)
}

/// Conditions by normal forms, if they are wanted and within reach, or else by points.
fn by_roads(
    problem: &Problem,
    max_order: usize,
    normal_forms: bool,
    budget: &mut Budget,
) -> Result<SymbolicConditions, SymbolicError> {
    let trees = Trees::up_to(&problem.family, max_order, budget)?;
    let pool = &mut problem.pool.clone();
    let chart = problem.chart(pool, budget)?;
    if normal_forms {
        let trial = &mut Budget::new((budget.left() / SHARE).min(MOST));
        let proved = by_normal_forms(pool, problem, &chart, &trees, trial);
        budget.spend(trial.spent().min(budget.left() / SHARE), DOING)?;
        match proved {
            Ok(Some(rows)) => {
                return collect(problem, trees, rows, Route::NormalForms, None, budget);
            }
            Ok(None) | Err(SymbolicError::OutOfBudget(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let found = by_points(pool, problem, &chart, &trees, budget)?;
    let route = Route::Points { points: found.points };
    collect(problem, trees, found.rows, route, Some(found.failure_probability), budget)
}

/// By structure function and power of h from 1.
type Rows = Vec<Vec<Vec<Condition>>>;

/// Conditions from normal forms, if they exist and values at points show that none is superfluous:
/// a relation between the generators that a normal form does not know would add conditions.
fn by_normal_forms(
    pool: &mut Pool,
    problem: &Problem,
    chart: &Chart,
    trees: &Trees,
    budget: &mut Budget,
) -> Result<Option<Rows>, SymbolicError> {
    let mut functions: Vec<_> = problem.rates.iter().flatten().copied().collect();
    functions.extend(problem.structure.iter().map(|function| function.expression));
    let functions = chart.restrict(pool, &functions, budget)?;
    if Points::new(pool, chart, &functions, budget)?.generic {
        return Ok(None);
    }
    let Some(mut forms) = NormalForms::new(pool, chart, &functions, budget)? else {
        return Ok(None);
    };
    let computed = Differentials::compute(pool, problem, chart, trees, Some(&mut forms), budget)?;
    let Some(mut differentials) = computed else { return Ok(None) };
    let coefficients = expand(pool, problem, &mut differentials, budget)?;
    let mut rows: Rows = Vec::with_capacity(coefficients.len());
    for by_order in &coefficients {
        let mut list = Vec::with_capacity(by_order.len());
        for coefficients in by_order {
            let found = normal_forms::rows(pool, &mut forms, coefficients, budget)?;
            let Some(found) = found else { return Ok(None) };
            list.push(rational_rows::substitute(trees, &found, 0, budget)?);
        }
        rows.push(list);
    }
    let seen = points::rows(pool, chart, trees, &coefficients, budget)?;
    let count = |rows: &Rows| rows.iter().flatten().map(Vec::len).sum::<usize>();
    Ok((count(&seen.rows) == count(&rows)).then_some(rows))
}

fn by_points(
    pool: &mut Pool,
    problem: &Problem,
    chart: &Chart,
    trees: &Trees,
    budget: &mut Budget,
) -> Result<points::Found, SymbolicError> {
    let computed = Differentials::compute(pool, problem, chart, trees, None, budget)?;
    let Some(mut differentials) = computed else { return Err(SymbolicError::Singular) };
    let coefficients = expand(pool, problem, &mut differentials, budget)?;
    points::rows(pool, chart, trees, &coefficients, budget)
}

fn expand(
    pool: &mut Pool,
    problem: &Problem,
    differentials: &mut Differentials<'_>,
    budget: &mut Budget,
) -> Result<Vec<Vec<Vec<Coefficient>>>, OutOfBudget> {
    (0..problem.structure.len()).map(|at| differentials.expand(pool, at, budget)).collect()
}

/// Sorts the rows into parts and checks them with the exact solution.
fn collect(
    problem: &Problem,
    trees: Trees,
    rows: Rows,
    route: Route,
    failure_probability: Option<Rational>,
    budget: &mut Budget,
) -> Result<SymbolicConditions, SymbolicError> {
    let orders = trees.max_order();
    let mut all = Vec::with_capacity(orders);
    let mut parts: BTreeMap<String, Vec<Vec<Condition>>> = BTreeMap::new();
    for order in 0..orders {
        let mut whole = Vec::new();
        let mut by_part: BTreeMap<&str, Vec<Condition>> = BTreeMap::new();
        for (function, rows) in problem.structure.iter().zip(&rows) {
            let rows = rows.get(order).map_or(&[][..], Vec::as_slice);
            if rows.iter().any(|row| !holds_exactly(&trees, row)) {
                return Err(SymbolicError::Expansion { order: order + 1 });
            }
            whole.extend_from_slice(rows);
            by_part.entry(&function.part).or_default().extend_from_slice(rows);
        }
        all.push(rational_rows::substitute(&trees, &whole, 0, budget)?);
        for (part, rows) in by_part {
            let rows = rational_rows::substitute(&trees, &rows, 0, budget)?;
            parts.entry(part.to_owned()).or_default().push(rows);
        }
    }
    Ok(SymbolicConditions { trees, route, parts, all, failure_probability })
}

/// Does w(t) = 1/γ(t) satisfy the condition?
fn holds_exactly(trees: &Trees, condition: &Condition) -> bool {
    let value = |forest: &Forest| {
        forest.trees().iter().fold(Rational::from(1), |product, tree| {
            product.checked_div(trees.gamma(*tree)).or_noticed("densities are positive")
        })
    };
    let terms = condition.terms.iter().map(|(forest, x)| x * &value(forest));
    terms.fold(Rational::ZERO, |sum, term| &sum + &term).is_zero()
}
