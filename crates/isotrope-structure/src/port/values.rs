//! The values of the parameters: they steer choices and never enter a result.

use std::cmp::Ordering;

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::evaluate::evaluate_ball;
use isotrope_algebra::{Budget, ExprId, Pool, Precision, Rational};
use rustc_hash::FxHashMap;

/// Values of parameters.
#[derive(Debug, Clone, Default)]
pub struct Values {
    known: Vec<(ExprId, ExprId)>,
}

/// The denominators of the points at which signs are tried.
const GRID: [(i64, i64); 7] = [(0, 1), (1, 1), (-1, 1), (1, 2), (-1, 2), (3, 1), (-3, 1)];
/// The most points that are tried.
const POINTS: usize = 400;

impl Values {
    /// Values by symbol.
    pub fn new(known: Vec<(ExprId, ExprId)>) -> Self {
        Self { known }
    }

    /// Symbols and their values, which may contain other parameters.
    pub(super) fn known(&self) -> &[(ExprId, ExprId)] {
        &self.known
    }

    /// Does every parameter of the expression have a value?
    pub fn cover(&self, pool: &Pool, expression: ExprId, states: &[ExprId]) -> bool {
        let symbols = pool.symbols_in(&[expression]);
        symbols.iter().all(|s| states.contains(s) || self.known.iter().any(|(k, _)| k == s))
    }

    /// The sign of an expression at the values; parameters without one are taken as 1.
    pub fn sign(&self, pool: &mut Pool, expression: ExprId) -> Option<Ordering> {
        self.sign_at(pool, expression, &[])
    }

    /// The sign at a point, where it can be told.
    pub fn sign_at(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        point: &[(ExprId, ExprId)],
    ) -> Option<Ordering> {
        let budget = &mut Budget::new(1_000_000);
        let mut map: Substitution = self.known.iter().chain(point).copied().collect();
        for symbol in pool.symbols_in(&[expression]) {
            map.entry(symbol).or_insert(ExprId::ONE);
        }
        let mut value = substitute(pool, &[expression], &map, budget).ok()?[0];
        // Values may be expressions of other parameters.
        for _ in 0..4 {
            if pool.symbols_in(&[value]).is_empty() {
                break;
            }
            value = substitute(pool, &[value], &map, budget).ok()?[0];
        }
        if let Some(number) = pool.as_number(value) {
            return Some(number.cmp(&Rational::ZERO));
        }
        let precision = Precision::new(256);
        let ball = evaluate_ball(pool, value, &FxHashMap::default(), precision).ok()?;
        if !ball.excludes_zero() {
            return None;
        }
        Some(ball.to_f64().total_cmp(&0.0))
    }

    /// A point of a grid at which the expression is negative for the values of the parameters.
    pub fn negative_at(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        states: &[ExprId],
    ) -> Option<Vec<(ExprId, ExprId)>> {
        let used: Vec<ExprId> =
            states.iter().copied().filter(|&x| pool.depends_on(expression, &[x])).collect();
        let mut digits = vec![0usize; used.len()];
        for _ in 0..POINTS {
            let point: Vec<(ExprId, ExprId)> = used
                .iter()
                .zip(&digits)
                .map(|(&x, &digit)| {
                    let (n, d) = GRID[digit];
                    (x, pool.ratio(n, d))
                })
                .collect();
            if self.sign_at(pool, expression, &point) == Some(Ordering::Less) {
                return Some(point);
            }
            let place = digits.iter().position(|&digit| digit + 1 < GRID.len())?;
            digits[..place].fill(0);
            digits[place] += 1;
        }
        None
    }
}
