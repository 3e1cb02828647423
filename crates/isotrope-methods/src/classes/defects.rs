//! The orders to which one method preserves what a class has to preserve.

use isotrope_algebra::Rational;
use isotrope_algebra::modular::Random;
use serde::{Deserialize, Serialize};

use super::algebra::Algebra;
use super::class::{Class, Part};
use super::error::ClassError;
use super::jets::Jets;
use super::problem::{Dimensions, Problem};
use super::scalars::{Scalars, Vanishing};
use super::step::{State, flow, run};
use crate::table::Coefficients;

/// Problems drawn before a class is given up as singular.
const ATTEMPTS: usize = 8;

/// The first power of h at which a defect of one step does not vanish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Defect {
    /// The class has no such quantity.
    NotApplicable,
    /// The smallest j with a nonzero coefficient of h^j: a proof, if the scalars are exact.
    Order(usize),
    /// No nonzero coefficient in any sample, up to the order asked for.
    None,
}

impl Defect {
    /// The order, if a nonzero coefficient was found.
    pub fn order(self) -> Option<usize> {
        match self {
            Self::Order(order) => Some(order),
            Self::NotApplicable | Self::None => None,
        }
    }

    /// The earlier of two failures; a quantity that does not apply says nothing.
    #[must_use]
    pub fn or_earlier(self, other: Self) -> Self {
        match (self, other) {
            (Self::NotApplicable, x) | (x, Self::NotApplicable) => x,
            (x, y) => x.min(y),
        }
    }
}

/// What one step does to the structure, over all sampled problems. All orders are local: a
/// method of order k has a solution defect of order k + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defects {
    /// p⁺ − ∂L/∂v(q⁺, v⁺).
    pub psi: Defect,
    /// A(q⁺) v⁺.
    pub phi_v: Defect,
    /// φ(q⁺).
    pub phi_q: Defect,
    /// ω(DΦ X, DΦ Y) − ω(X, Y), ω = dq ∧ dp, for X and Y tangent to the constraint manifold.
    pub form: Defect,
    /// E(q⁺, v⁺) − E(q, v).
    pub energy: Defect,
    /// (q⁺, v⁺, p⁺) minus the exact solution.
    pub solution: Defect,
    /// The highest power of h that was examined.
    pub max_order: usize,
}

impl Defects {
    /// The earliest failure among ψ, φ_v and φ_q, and which of them it is (the first in this
    /// order if several fail together).
    pub fn structure(&self) -> (Defect, Option<Part>) {
        let parts = [(Part::Psi, self.psi), (Part::PhiV, self.phi_v), (Part::PhiQ, self.phi_q)];
        let earliest =
            parts.iter().fold(Defect::NotApplicable, |all, (_, defect)| all.or_earlier(*defect));
        let culprit = parts
            .iter()
            .find(|(_, defect)| *defect == earliest && earliest.order().is_some())
            .map(|(part, _)| *part);
        (earliest, culprit)
    }
}

/// The first nonzero coefficient through h^`max_order` of every defect of one step of the method,
/// on `samples` random problems of the class (at least one).
///
/// Over a prime field a reported order is a proof (a number that is not zero modulo p is not
/// zero), provided the table is the image of the exact one; [`Defect::None`] is wrong with at
/// most the probability of [`vanishing_probability`]. Over balls an order is a proof too, and
/// `None` says that all coefficients are below a quarter of the precision.
pub fn measure<S: Scalars>(
    scalars: &S,
    table: &Coefficients<S::Element>,
    class: Class,
    max_order: usize,
    samples: usize,
    random: &mut Random,
) -> Result<Defects, ClassError> {
    let applies = |part| if class.has(part) { Defect::None } else { Defect::NotApplicable };
    let mut defects = Defects {
        psi: applies(Part::Psi),
        phi_v: applies(Part::PhiV),
        phi_q: applies(Part::PhiQ),
        form: applies(Part::Form),
        energy: Defect::None,
        solution: Defect::None,
        max_order,
    };
    for dimensions in class.dimensions().iter().cycle().take(samples.max(1)) {
        let sample = measure_one(scalars, table, class, *dimensions, max_order, random)?;
        let merge = |one: &mut Defect, other: Defect| {
            if *one != Defect::NotApplicable {
                *one = one.or_earlier(other);
            }
        };
        merge(&mut defects.psi, sample.psi);
        merge(&mut defects.phi_v, sample.phi_v);
        merge(&mut defects.phi_q, sample.phi_q);
        merge(&mut defects.form, sample.form);
        merge(&mut defects.energy, sample.energy);
        merge(&mut defects.solution, sample.solution);
    }
    Ok(defects)
}

/// The same on one random problem of the given size. A failure seen there is one of the class.
pub fn measure_one<S: Scalars>(
    scalars: &S,
    table: &Coefficients<S::Element>,
    class: Class,
    dimensions: Dimensions,
    max_order: usize,
    random: &mut Random,
) -> Result<Defects, ClassError> {
    (0..ATTEMPTS)
        .find_map(|_| match step_defects(scalars, table, class, dimensions, max_order, random) {
            Err(ClassError::Singular { .. }) => None,
            other => Some(other),
        })
        .unwrap_or(Err(ClassError::Singular { attempts: ATTEMPTS }))
}

/// A bound for the probability that one random problem over a field with `prime` elements hides a
/// nonzero coefficient of h^`order` or below; independent samples multiply it.
///
/// Every coefficient is a fraction P/d^e in the random numbers of the problem, where d is the
/// determinant of [M −Aᵀ; A 0] at the starting point, of size N = n + m. Counting random numbers
/// by degree, the entries of that matrix have degree at most 3 there, and each power of h adds at
/// most one exponent to them; by Cramer's rule and the geometric series for 1/det, the
/// coefficients of h^j of positions and velocities have denominators d^(j(j+1)/2) and numerators
/// of degree at most 3N j(j+1)/2 + j(j+5)/2. Structure functions add less than 2(j + 10), the two
/// tangent vectors of the 2-form count as two more powers of h and 12 m for their own
/// denominators. So the degree of P d is at most (3N+1)(j+2)(j+7)/2 + 12(m+2) + 2j, and a
/// polynomial of degree D that is not zero modulo p vanishes at a random point with probability
/// at most D/p (Schwartz, Zippel); twice that allows for the singular points that are skipped.
///
/// The bound says nothing of a coefficient that vanishes for all problems of the sampled sizes
/// ([`Class::dimensions`]) but not for larger ones, or is divisible by p as a polynomial.
pub fn vanishing_probability(class: Class, order: usize, prime: u64) -> Rational {
    let degree = class.dimensions().iter().map(|dimensions| degree(*dimensions, order)).max();
    let bound = i64::try_from(prime)
        .ok()
        .zip(degree.and_then(|degree| degree.checked_mul(2)))
        .and_then(|(prime, degree)| Rational::new(degree, prime));
    bound.unwrap_or_else(|| Rational::from(1)).min(Rational::from(1))
}

/// The degree bound explained at [`vanishing_probability`].
pub(super) fn degree(dimensions: Dimensions, order: usize) -> i64 {
    let size = |x: usize| i64::try_from(x).unwrap_or(i64::from(u16::MAX)).min(i64::from(u16::MAX));
    let (j, m) = (size(order), size(dimensions.constraints));
    let all = size(dimensions.coordinates) + m;
    (3 * all + 1) * (j + 2) * (j + 7) / 2 + 12 * (m + 2) + 2 * j
}

/// Component `part` of some series: the first power whose coefficient does not vanish.
pub(super) fn first_nonzero<S: Scalars>(
    jets: &Jets<'_, S>,
    series: &[Vec<S::Element>],
) -> Result<Defect, ClassError> {
    for power in 0..=jets.order() {
        let mut undecided = false;
        for one in series {
            let Some(coefficient) = jets.coefficient(one, power, 0) else { continue };
            match jets.scalars().vanishing(coefficient) {
                Vanishing::NonZero => return Ok(Defect::Order(power)),
                Vanishing::Undecided => undecided = true,
                Vanishing::Zero => {}
            }
        }
        if undecided {
            return Err(ClassError::Precision { order: power });
        }
    }
    Ok(Defect::None)
}

/// ω(X, Y) = Σ dq_i(X) dp_i(Y) − dq_i(Y) dp_i(X), as a series in h.
pub(super) fn two_form<S: Scalars>(
    jets: &Jets<'_, S>,
    plain: &Jets<'_, S>,
    state: &State<S::Element>,
) -> Vec<S::Element> {
    let tangent = |series: &Vec<S::Element>, part: usize| -> Vec<S::Element> {
        (0..=jets.order())
            .filter_map(|power| jets.coefficient(series, power, part).cloned())
            .collect()
    };
    state.q.iter().zip(&state.p).fold(plain.zero(), |sum, (q, p)| {
        let one = plain.mul(&tangent(q, 1), &tangent(p, 2));
        let other = plain.mul(&tangent(q, 2), &tangent(p, 1));
        plain.add(&sum, &plain.sub(&one, &other))
    })
}

/// ψ, φ_v and φ_q at the end of a step.
pub(super) struct StructureAt<E> {
    pub psi: Vec<Vec<E>>,
    pub phi_v: Vec<Vec<E>>,
    pub phi_q: Vec<Vec<E>>,
}

/// The structure functions at a state.
pub(super) fn structure_at<A: Algebra<Scalars: Scalars<Element = E>>, E: Clone>(
    algebra: &A,
    problem: &Problem<E>,
    state: &State<E>,
) -> Option<StructureAt<E>> {
    let momentum = problem.momentum(algebra, &state.q, &state.v);
    let psi = state.p.iter().zip(&momentum).map(|(p, m)| algebra.sub(p, m)).collect();
    let rows = problem.constraint_rows(algebra, &state.q);
    let phi_v = rows.iter().map(|row| algebra.dot(row, &state.v)).collect();
    let phi_q = if problem.class().is_holonomic() {
        problem.positions(algebra, &state.q)?
    } else {
        Vec::new()
    };
    Some(StructureAt { psi, phi_v, phi_q })
}

/// The defects of one step on one random problem.
fn step_defects<S: Scalars>(
    scalars: &S,
    table: &Coefficients<S::Element>,
    class: Class,
    dimensions: Dimensions,
    max_order: usize,
    random: &mut Random,
) -> Result<Defects, ClassError> {
    let singular = ClassError::Singular { attempts: 1 };
    let problem = Problem::sample(scalars, class, dimensions, random).ok_or(singular.clone())?;
    let plain = Jets::new(scalars, max_order, 0).ok_or(singular.clone())?;
    let mut tangents = Vec::new();
    if class.has(Part::Form) {
        for _ in 0..2 {
            tangents.push(problem.tangent(scalars, random).ok_or(singular.clone())?);
        }
    }
    let jets = Jets::new(scalars, max_order, tangents.len()).ok_or(singular.clone())?;
    let moved = run(&jets, &problem, table, &problem.start(&jets, &tangents))?;
    let form = if tangents.is_empty() {
        Defect::NotApplicable
    } else {
        // The constant coefficient is ω(X, Y) itself.
        let mut form = two_form(&jets, &plain, &moved);
        if let Some(first) = form.first_mut() {
            *first = scalars.zero();
        }
        first_nonzero(&plain, &[form])?
    };
    let values = |series: &[Vec<S::Element>]| -> Vec<Vec<S::Element>> {
        series
            .iter()
            .map(|one| {
                (0..=max_order)
                    .filter_map(|power| jets.coefficient(one, power, 0).cloned())
                    .collect()
            })
            .collect()
    };
    let end = State { q: values(&moved.q), v: values(&moved.v), p: values(&moved.p) };
    let start = problem.start(&plain, &[]);
    let exact = flow(&plain, &problem, &start)?;
    let differences: Vec<Vec<S::Element>> =
        [(&end.q, &exact.q), (&end.v, &exact.v), (&end.p, &exact.p)]
            .into_iter()
            .flat_map(|(one, other)| one.iter().zip(other).map(|(x, y)| plain.sub(x, y)))
            .collect();
    let structure = structure_at(&plain, &problem, &end).ok_or(singular.clone())?;
    let energy = |state: &State<S::Element>| problem.energy(&plain, &state.q, &state.v);
    let change = energy(&end)
        .zip(energy(&start))
        .map(|(end, start)| plain.sub(&end, &start))
        .ok_or(singular)?;
    Ok(Defects {
        psi: first_nonzero(&plain, &structure.psi)?,
        phi_v: first_nonzero(&plain, &structure.phi_v)?,
        phi_q: first_nonzero(&plain, &structure.phi_q)?,
        form,
        energy: first_nonzero(&plain, &[change])?,
        solution: first_nonzero(&plain, &differences)?,
        max_order,
    })
}
