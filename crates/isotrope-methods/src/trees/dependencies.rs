//! Which groups a rate depends on, and how.

use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::Dependency;

/// Operations for the normal forms of the rates; without them degrees stay unknown.
const NORMAL_FORMS: u64 = 20_000_000;

/// For each group what its rates depend on, with the joint degree where they are polynomials.
pub fn dependencies(
    pool: &mut Pool,
    symbols: &[Vec<ExprId>],
    rates: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<Vec<Vec<Dependency>>, OutOfBudget> {
    let mut all = Vec::with_capacity(rates.len());
    for rates in rates {
        all.push(of_group(pool, symbols, rates, budget)?);
    }
    Ok(all)
}

fn of_group(
    pool: &mut Pool,
    symbols: &[Vec<ExprId>],
    rates: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<Dependency>, OutOfBudget> {
    budget.spend(rates.len() as u64, "reading off dependencies")?;
    let trial = &mut Budget::new(NORMAL_FORMS.min(budget.left()));
    let degrees = degrees(pool, symbols, rates, trial).unwrap_or(None);
    Ok((0..symbols.len())
        .filter_map(|colour| {
            let depends = rates.iter().any(|rate| pool.depends_on(*rate, &symbols[colour]));
            let at_most = degrees.as_ref().and_then(|degrees| degrees[colour]);
            (depends && at_most != Some(0)).then_some(Dependency { colour, at_most })
        })
        .collect())
}

/// By group: the degree of the rates as polynomials in all its variables; `None` where they are
/// not polynomials.
fn degrees(
    pool: &mut Pool,
    symbols: &[Vec<ExprId>],
    rates: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<Vec<Option<usize>>>, OutOfBudget> {
    let mut generators = Generators::new(pool, rates, AngleSplitting::Split, budget)?;
    let Some(fractions) = generators.fractions(pool, rates, budget)? else { return Ok(None) };
    let mut reduced = Vec::with_capacity(fractions.len());
    for fraction in &fractions {
        reduced.push(generators.reduce(fraction, budget)?);
    }
    let expressions = generators.expressions();
    let mut degrees = Vec::with_capacity(symbols.len());
    for group in symbols {
        let is_variable: Vec<bool> = expressions.iter().map(|x| group.contains(x)).collect();
        let hidden: Vec<bool> = expressions
            .iter()
            .zip(&is_variable)
            .map(|(x, own)| !own && pool.depends_on(*x, group))
            .collect();
        let mut degree = Some(0);
        for fraction in &reduced {
            for (monomial, _) in fraction.denominator.terms() {
                if monomial.variables().any(|v| is_variable[v] || hidden[v]) {
                    degree = None;
                }
            }
            for (monomial, _) in fraction.numerator.terms() {
                if monomial.variables().any(|v| hidden[v]) {
                    degree = None;
                }
                let own = monomial.variables().filter(|v| is_variable[*v]);
                let sum: usize = own.map(|v| usize::from(monomial.exponent(v))).sum();
                degree = degree.map(|most: usize| most.max(sum));
            }
        }
        degrees.push(degree);
    }
    Ok(Some(degrees))
}
