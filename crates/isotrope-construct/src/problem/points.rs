//! Random points of the manifold over a prime field.

use isotrope_algebra::evaluate::{Fidelity, FieldPlan, NotExact};
use isotrope_algebra::modular::Random;
use isotrope_algebra::univariate::{IntegerPolynomial, ModularRoots};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use super::Chart;

const DOING: &str = "evaluating at points of the manifold";

/// Points drawn before the manifold is given up: half of all quadratic equations have a root.
const TRIES: usize = 400;

/// Values of functions at random points of the manifold.
#[derive(Debug, Clone)]
pub(crate) struct Points {
    plan: FieldPlan,
    size: u64,
    symbols: Vec<ExprId>,
    /// By root of the chart: its variable, and where its coefficients stand among the outputs.
    roots: Vec<(ExprId, std::ops::Range<usize>)>,
    /// Behind the coefficients of the roots.
    first: usize,
    /// Whether roots and unknown functions were taken for generic ones.
    pub generic: bool,
}

impl Points {
    /// Prepares the evaluation of functions that were restricted to the chart.
    pub(crate) fn new(
        pool: &mut Pool,
        chart: &Chart,
        restricted: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut outputs = Vec::new();
        let mut roots = Vec::new();
        for root in &chart.roots {
            let start = outputs.len();
            outputs.extend(&root.coefficients);
            roots.push((root.variable, start..outputs.len()));
        }
        let first = outputs.len();
        outputs.extend(restricted);
        let mut generic = false;
        let plan = match FieldPlan::new(pool, &outputs, Fidelity::Exact, budget) {
            Err(NotExact::Function { .. }) => {
                generic = true;
                FieldPlan::new(pool, &outputs, Fidelity::Generic, budget)
            }
            other => other,
        };
        let plan = match plan {
            Ok(plan) => plan,
            Err(NotExact::OutOfBudget(stop)) => return Err(stop),
            // Everything has a generic evaluation.
            Err(NotExact::Function { .. }) => {
                return Err(OutOfBudget::spent(budget.spent(), DOING));
            }
        };
        let size = pool.reachable(&outputs).len() as u64;
        let mut symbols = pool.symbols_in(&outputs);
        symbols.extend(chart.roots.iter().map(|root| root.variable));
        symbols.sort_unstable();
        symbols.dedup();
        Ok(Self { plan, size, symbols, roots, first, generic })
    }

    /// The same modulo another prime.
    #[must_use]
    pub(crate) fn modulo_second_prime(self) -> Self {
        Self { plan: self.plan.modulo_second_prime(), ..self }
    }

    pub(crate) fn prime(&self) -> u64 {
        self.plan.prime()
    }

    /// The values at a random point; `None` if none was found.
    pub(crate) fn draw(
        &self,
        pool: &Pool,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<Option<Vec<u64>>, OutOfBudget> {
        for _ in 0..TRIES {
            if let Some(values) = self.try_once(pool, random, budget)? {
                return Ok(Some(values));
            }
        }
        Ok(None)
    }

    fn try_once(
        &self,
        pool: &Pool,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<Option<Vec<u64>>, OutOfBudget> {
        let prime = self.prime();
        let mut point: FxHashMap<ExprId, u64> =
            self.symbols.iter().map(|symbol| (*symbol, random.below(prime))).collect();
        // Sines and cosines are drawn by the evaluation itself: with the same seed, the same.
        let seed = random.next_u64();
        let evaluate = |point: &FxHashMap<ExprId, u64>, budget: &mut Budget| {
            budget.spend(self.size, DOING)?;
            Ok::<_, OutOfBudget>(self.plan.evaluate(pool, &mut Random::new(seed), point))
        };
        for (variable, range) in &self.roots {
            let Some(values) = evaluate(&point, budget)? else { return Ok(None) };
            let coefficients: Vec<i64> = values[range.clone()]
                .iter()
                .filter_map(|value| i64::try_from(*value).ok())
                .collect();
            let polynomial = IntegerPolynomial::from_integers(&coefficients);
            let Some(roots) = ModularRoots::new(&polynomial, prime) else { return Ok(None) };
            let roots = roots.roots(random, budget)?;
            if roots.is_empty() {
                return Ok(None);
            }
            let choice = random.below(roots.len() as u64) as usize;
            point.insert(*variable, roots[choice]);
        }
        let Some(values) = evaluate(&point, budget)? else { return Ok(None) };
        Ok(Some(values[self.first..].to_vec()))
    }
}
