//! One step of a method and of the exact flow, as power series in the step size.

use isotrope_algebra::Rational;

use super::algebra::{Algebra, Element};
use super::error::ClassError;
use super::evaluate::Motion;
use super::jets::Jets;
use super::problem::{Problem, Tangent};
use super::scalars::Scalars;
use crate::table::Coefficients;

/// Positions, velocities and momenta as series.
#[derive(Debug, Clone)]
pub struct State<E> {
    /// Positions.
    pub q: Vec<Vec<E>>,
    /// Velocities.
    pub v: Vec<Vec<E>>,
    /// Momenta.
    pub p: Vec<Vec<E>>,
}

impl<E: Clone> Coefficients<E> {
    /// One table for all three groups over a field, from exact rationals; `None` if one of them has no image.
    pub fn one_table_over<S: Scalars<Element = E>>(
        scalars: &S,
        a: &[Vec<Rational>],
        b: &[Rational],
    ) -> Option<Self> {
        let vector = |row: &[Rational]| row.iter().map(|x| scalars.rational(x)).collect();
        let a: Vec<Vec<E>> = a.iter().map(|row| vector(row)).collect::<Option<_>>()?;
        let b: Vec<E> = vector(b)?;
        Some(Self::one_table(a, b))
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    fn check(&self) -> Result<(), ClassError> {
        let stages = self.stages();
        let square =
            |table: &[Vec<E>]| table.len() == stages && table.iter().all(|r| r.len() == stages);
        if square(&self.a)
            && square(&self.abar)
            && self.bbar.len() == stages
            && self.btil.len() == stages
        {
            Ok(())
        } else {
            Err(ClassError::Shape { stages })
        }
    }
}

impl<E: Clone> Problem<E> {
    /// The starting point, moved along tangent vectors; p = ∂L/∂v.
    pub(super) fn start<S: Scalars<Element = E>>(
        &self,
        jets: &Jets<'_, S>,
        tangents: &[Tangent<E>],
    ) -> State<E> {
        let zero = jets.scalars().zero();
        let moved = |value: &E, parts: Vec<E>| {
            let mut all = vec![value.clone()];
            all.extend(parts);
            jets.start(&all)
        };
        let part = |i: usize, of_q: bool| {
            let component = |tangent: &Tangent<E>| {
                if of_q { tangent.q[i].clone() } else { tangent.v[i].clone() }
            };
            tangents.iter().map(component).collect()
        };
        let q: Vec<Vec<E>> = (0..self.coordinates).map(|i| moved(&zero, part(i, true))).collect();
        let v: Vec<Vec<E>> =
            self.velocity.iter().enumerate().map(|(i, v)| moved(v, part(i, false))).collect();
        let p = self.momentum(jets, &q, &v);
        State { q, v, p }
    }
}

/// `start + h Σ weights_i rates_i`, componentwise.
fn advance<S: Scalars>(
    jets: &Jets<'_, S>,
    start: &[Vec<S::Element>],
    weights: &[S::Element],
    rates: &[Vec<Vec<S::Element>>],
) -> Vec<Vec<S::Element>> {
    let lower = jets.truncated(jets.order().saturating_sub(1));
    (0..start.len())
        .map(|component| {
            let column: Vec<Vec<S::Element>> =
                rates.iter().map(|rate| lower.resize(&rate[component])).collect();
            let moved = jets.shift(&lower.combine(weights, &column));
            jets.add(&jets.resize(&start[component]), &moved)
        })
        .collect()
}

/// One step of the method from the starting point of the problem.
///
/// Stages by fixed point: rates known through h^k give stages through h^(k+1), so that the order
/// of the jets is reached in as many rounds, for explicit and implicit tables alike.
pub fn run<S: Scalars>(
    jets: &Jets<'_, S>,
    problem: &Problem<S::Element>,
    table: &Coefficients<S::Element>,
    start: &State<S::Element>,
) -> Result<State<S::Element>, ClassError> {
    table.check()?;
    let stages = table.stages();
    let singular = ClassError::Singular { attempts: 1 };
    let mut q_stages = vec![start.q.clone(); stages];
    let mut v_stages = vec![start.v.clone(); stages];
    let mut rates: Vec<Motion<S::Element>> = Vec::new();
    for known in 0..jets.order() {
        let now = jets.truncated(known);
        let cut = |stage: &[Element<Jets<'_, S>>]| -> Vec<Vec<S::Element>> {
            stage.iter().map(|x| now.resize(x)).collect()
        };
        rates = q_stages
            .iter()
            .zip(&v_stages)
            .map(|(q, v)| problem.motion(&now, &cut(q), &cut(v)))
            .collect::<Option<_>>()
            .ok_or_else(|| singular.clone())?;
        let next = jets.truncated(known + 1);
        let accelerations: Vec<_> = rates.iter().map(|rate| rate.acceleration.clone()).collect();
        for (stage, row) in v_stages.iter_mut().zip(&table.abar) {
            *stage = advance(&next, &start.v, row, &accelerations);
        }
        for (stage, row) in q_stages.iter_mut().zip(&table.a) {
            *stage = advance(&next, &start.q, row, &v_stages);
        }
    }
    if jets.order() == 0 {
        return Ok(start.clone());
    }
    let accelerations: Vec<_> = rates.iter().map(|rate| rate.acceleration.clone()).collect();
    let forces: Vec<_> = rates.into_iter().map(|rate| rate.force).collect();
    Ok(State {
        q: advance(jets, &start.q, &table.b, &v_stages),
        v: advance(jets, &start.v, &table.bbar, &accelerations),
        p: advance(jets, &start.p, &table.btil, &forces),
    })
}

/// The exact solution after time h from the same point.
pub fn flow<S: Scalars>(
    jets: &Jets<'_, S>,
    problem: &Problem<S::Element>,
    start: &State<S::Element>,
) -> Result<State<S::Element>, ClassError> {
    let mut state = start.clone();
    for known in 0..jets.order() {
        let now = jets.truncated(known);
        let next = jets.truncated(known + 1);
        let cut = |x: &[Vec<S::Element>]| -> Vec<Vec<S::Element>> {
            x.iter().map(|x| now.resize(x)).collect()
        };
        let (q, v) = (cut(&state.q), cut(&state.v));
        let motion = problem.motion(&now, &q, &v).ok_or(ClassError::Singular { attempts: 1 })?;
        let integrate = |start: &[Vec<S::Element>], rate: &[Vec<S::Element>]| {
            start
                .iter()
                .zip(rate)
                .map(|(start, rate)| next.add(&next.resize(start), &next.integral(rate)))
                .collect()
        };
        state = State {
            q: integrate(&start.q, &v),
            v: integrate(&start.v, &motion.acceleration),
            p: integrate(&start.p, &motion.force),
        };
    }
    Ok(state)
}
