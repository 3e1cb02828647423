//! The functions among which quantities are sought: monomials, alone and times functions that occur.

use isotrope_algebra::{ExprId, Pool};

use crate::first_integrals::parameters::monomials;
use crate::first_integrals::space::Space;

/// The degrees of an ansatz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// In velocities or momenta.
    pub fibre: u32,
    /// In positions, of what stands with the highest power of velocities.
    pub highest: u32,
    /// In positions, of what stands with lower powers of them.
    pub lower: u32,
    /// In positions or states, of what stands without velocities.
    pub alone: u32,
    /// In velocities, of what stands with a function that occurs.
    pub occurring_fibre: u32,
    /// In positions, of what stands with such a function.
    pub occurring_base: u32,
    /// In the time.
    pub time: u32,
}

impl Shape {
    /// No polynomials: factors that stand alone.
    pub const FACTORS: Self = Self {
        fibre: 0,
        highest: 0,
        lower: 0,
        alone: 0,
        occurring_fibre: 0,
        occurring_base: 0,
        time: 0,
    };

    /// With functions of positions alone.
    pub const fn of_states(degree: u32) -> Self {
        Self {
            fibre: 0,
            highest: degree,
            lower: degree,
            alone: degree,
            occurring_fibre: 0,
            occurring_base: if degree < 2 { degree } else { 2 },
            time: 0,
        }
    }

    /// The degree of the factors of a power of velocities.
    fn base(&self, fibre: u32) -> u32 {
        match fibre {
            0 => self.alone,
            _ if fibre == self.fibre => self.highest,
            _ => self.lower,
        }
    }
}

/// A function of the ansatz: powers of variables (base, fibre, time), times a factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub powers: Vec<(usize, u32)>,
    pub factor: Option<usize>,
}

impl Term {
    /// How much there is to read: what is kept first where functions depend on each other.
    pub fn size(&self) -> (u32, usize) {
        (self.powers.iter().map(|power| power.1).sum(), self.powers.len())
    }

    /// The term as an expression.
    pub fn written(&self, pool: &mut Pool, variables: &[ExprId], factors: &[Factor]) -> ExprId {
        let mut product: Vec<ExprId> = self.factor.map(|k| factors[k].value).into_iter().collect();
        for &(variable, power) in &self.powers {
            product.push(pool.powi(variables[variable], power.into()));
        }
        pool.product(&product)
    }
}

/// What monomials are multiplied with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Factor {
    /// The function.
    pub value: ExprId,
    /// With monomials? Momenta and energies stand alone.
    pub alone: bool,
}

/// How many terms there would be, without making them.
pub(crate) fn count(space: &Space, shape: Shape, factors: &[Factor]) -> usize {
    let (n, m) = (space.base.len() as u64, space.fibre.len() as u64);
    let exactly = |variables: u64, degree: u64| match variables {
        0 => f64::from(u8::from(degree == 0)),
        _ => choose(variables + degree - 1, degree),
    };
    let upto = |variables: u64, degree: u64| choose(variables + degree, degree);
    let mut all = 0.0;
    let degree = if space.fibre.is_empty() { 0 } else { shape.fibre };
    for fibre in 0..=degree {
        all += exactly(m, fibre.into()) * upto(n, shape.base(fibre).into());
    }
    let occurring = upto(m, if m == 0 { 0 } else { shape.occurring_fibre.into() })
        * upto(n, shape.occurring_base.into());
    all += factors.iter().map(|factor| if factor.alone { 1.0 } else { occurring }).sum::<f64>();
    let all = all * f64::from(shape.time + 1);
    if all > 1e9 { 1_000_000_000 } else { all as usize }
}

fn choose(n: u64, k: u64) -> f64 {
    (0..k).fold(1.0, |value, j| value * (n - j) as f64 / (j + 1) as f64)
}

/// All terms but the constant. The highest degrees in velocities, and there the lowest in positions, come last: they
/// become the free columns of the elimination.
pub(super) fn terms(space: &Space, shape: Shape, factors: &[Factor]) -> Vec<Term> {
    let (n, m) = (space.base.len(), space.fibre.len());
    let degree = |powers: &[u32]| powers.iter().sum::<u32>();
    let mut all = Vec::new();
    let mut push = |base: &[u32], fibre: &[u32], factor: Option<usize>| {
        for time in (0..=shape.time).rev() {
            let powers = base.iter().chain(fibre).chain([&time]).copied().enumerate();
            let powers: Vec<(usize, u32)> = powers.filter(|power| power.1 > 0).collect();
            if factor.is_some() || !powers.is_empty() {
                all.push((
                    (degree(fibre), std::cmp::Reverse(degree(base))),
                    Term { powers, factor },
                ));
            }
        }
    };
    for (k, factor) in factors.iter().enumerate() {
        let (fibre, base) = match factor.alone {
            true => (0, 0),
            false => (shape.occurring_fibre, shape.occurring_base),
        };
        let base = monomials(n, base);
        for fibre in monomials(m, fibre) {
            base.iter().for_each(|base| push(base, &fibre, Some(k)));
        }
    }
    for fibre in monomials(m, shape.fibre) {
        for base in monomials(n, shape.base(degree(&fibre))) {
            push(&base, &fibre, None);
        }
    }
    all.sort_by_key(|(order, _)| *order);
    // Momenta and energies are read best: solutions are written with them where they can.
    let alone = |term: &Term| term.factor.is_some_and(|k| factors[k].alone);
    let (last, mut first): (Vec<Term>, Vec<Term>) =
        all.into_iter().map(|(_, term)| term).partition(alone);
    first.extend(last);
    first
}
