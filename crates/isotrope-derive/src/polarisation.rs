//! Coordinates (x, y) in which ϑ = ϑ_x(x, y)·dx: half of the coordinates carry the velocities.
//!
//! The leaves x = const are then Lagrangian, ω(∂_y, ∂_y') = 0, and (x, ϑ_x) are canonical coordinates. A
//! one-form whose y-block of ω vanishes is closed on the leaves and becomes of this kind by a total
//! derivative dg with ∂_y g = −ϑ_y.

use isotrope_algebra::calculus::{Substitution, derivative, gradient, substitute};
use isotrope_algebra::linear::{Matrix, rank};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};

use super::Symbols;

/// A splitting of the coordinates into x and y.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polarisation {
    /// Which coordinates are x.
    pub base: Vec<usize>,
    /// Which coordinates are y.
    pub fibre: Vec<usize>,
    /// ϑ_x, one for each x.
    pub potential: Vec<ExprId>,
    /// g: the total derivative dg/dt has been added to L.
    pub gauge: ExprId,
}

/// Why there is no such splitting among the given coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotPolarised {
    /// No half of the coordinates has a vanishing block of ω.
    NoLeaves {
        /// Pairs of coordinates with ω ≠ 0 that every splitting meets; some of them.
        pairs: Vec<(String, String)>,
    },
    /// There are leaves, but the total derivative is not found: ϑ_y is not a polynomial in y.
    NoGauge {
        /// The coordinates y.
        fibre: Vec<String>,
    },
}

/// Coordinates up to this many are split in all ways.
const MOST_COORDINATES: usize = 12;
/// The largest degree of a polynomial that is integrated.
const LARGEST_DEGREE: i64 = 12;
/// What one question may cost.
const QUESTION: u64 = 200_000;

/// Looks for a splitting: first one that is already there, then one by a total derivative.
pub(super) fn polarise(
    pool: &mut Pool,
    symbols: &Symbols,
    potential: &[ExprId],
    form: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<Result<Polarisation, NotPolarised>, OutOfBudget> {
    let n = symbols.dimension();
    let pairs = || -> Vec<(String, String)> {
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let met = all.filter(|&(i, j)| !form[i][j].is_zero());
        let names = |(i, j): (usize, usize)| (symbols.names[i].clone(), symbols.names[j].clone());
        met.map(names).take(4).collect()
    };
    if n > MOST_COORDINATES {
        return Ok(Err(NotPolarised::NoLeaves { pairs: pairs() }));
    }
    let mut leaves = Vec::new();
    for fibre in halves(n) {
        let isotropic = fibre.iter().all(|&i| fibre.iter().all(|&j| form[i][j].is_zero()));
        if isotropic {
            leaves.push(fibre);
        }
    }
    let zeros = |fibre: &[usize]| fibre.iter().filter(|&&i| potential[i].is_zero()).count();
    // What needs no total derivative first; among equals the last coordinates are y.
    leaves.sort_by_key(|fibre| std::cmp::Reverse((zeros(fibre), fibre.clone())));
    let mut without_gauge = None;
    for fibre in leaves {
        let base: Vec<usize> = (0..n).filter(|i| !fibre.contains(i)).collect();
        if !crosses(pool, form, &base, &fibre, budget) {
            continue;
        }
        let Some(gauge) = gauge(pool, symbols, potential, &fibre, budget)? else {
            without_gauge.get_or_insert(fibre);
            continue;
        };
        let x: Vec<ExprId> = base.iter().map(|&i| symbols.position[i]).collect();
        let added = gradient(pool, gauge, &x, budget)?;
        let shifted: Vec<ExprId> = base
            .iter()
            .zip(added)
            .map(|(&i, more)| {
                let sum = pool.add(potential[i], more);
                simplify(pool, sum, &mut Budget::new(QUESTION))
            })
            .collect();
        return Ok(Ok(Polarisation { base, fibre, potential: shifted, gauge }));
    }
    Ok(Err(match without_gauge {
        Some(fibre) => {
            let fibre = fibre.iter().map(|&i| symbols.names[i].clone()).collect();
            NotPolarised::NoGauge { fibre }
        }
        None => NotPolarised::NoLeaves { pairs: pairs() },
    }))
}

/// All choices of n/2 coordinates.
fn halves(n: usize) -> Vec<Vec<usize>> {
    let choices = (0u32..1 << n).filter(|bits| 2 * bits.count_ones() as usize == n);
    choices.map(|bits| (0..n).filter(|i| bits >> i & 1 == 1).collect()).collect()
}

/// Is the block of ω between x and y invertible?
fn crosses(
    pool: &mut Pool,
    form: &[Vec<ExprId>],
    base: &[usize],
    fibre: &[usize],
    budget: &mut Budget,
) -> bool {
    let mut block = Matrix::zero(base.len(), fibre.len());
    for (a, &i) in base.iter().enumerate() {
        for (b, &j) in fibre.iter().enumerate() {
            block.set(a, b, form[i][j]);
        }
    }
    rank(pool, &block, budget).is_ok_and(|found| found.rank == base.len())
}

/// g = −∫₀¹ y·ϑ_y(x, s y) ds for ϑ_y polynomial in y.
fn gauge(
    pool: &mut Pool,
    symbols: &Symbols,
    potential: &[ExprId],
    fibre: &[usize],
    budget: &mut Budget,
) -> Result<Option<ExprId>, OutOfBudget> {
    if fibre.iter().all(|&i| potential[i].is_zero()) {
        return Ok(Some(ExprId::ZERO));
    }
    let mut name = "s".to_owned();
    while pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    let s = pool.symbol(&name);
    let mut map = Substitution::default();
    for &i in fibre {
        let scaled = pool.mul(s, symbols.position[i]);
        map.insert(symbols.position[i], scaled);
    }
    let fibre_potential: Vec<ExprId> = fibre.iter().map(|&i| potential[i]).collect();
    let along = substitute(pool, &fibre_potential, &map, budget)?;
    let terms: Vec<ExprId> =
        along.iter().zip(fibre).map(|(&value, &i)| pool.mul(symbols.position[i], value)).collect();
    let mut rate = pool.sum(&terms);
    let start: Substitution = [(s, ExprId::ZERO)].into_iter().collect();
    let mut sum = Vec::new();
    let mut factorial = Rational::ONE;
    for degree in 0..=LARGEST_DEGREE {
        if is_zero(pool, rate, &mut Budget::new(QUESTION)) == Zero::Yes {
            let total = pool.sum(&sum);
            return Ok(Some(simplify(pool, total, &mut Budget::new(QUESTION))));
        }
        if degree > 0 {
            factorial = &factorial * &Rational::integer(degree);
        }
        let coefficient = substitute(pool, &[rate], &start, budget)?[0];
        if coefficient == ExprId::UNDEFINED {
            return Ok(None);
        }
        let factor = &factorial * &Rational::integer(degree + 1);
        let factor = -&factor.inverse()?;
        sum.push(pool.scale(&factor, coefficient));
        rate = derivative(pool, rate, s, budget)?;
        rate = simplify(pool, rate, &mut Budget::new(QUESTION));
    }
    Ok(None)
}
