//! What is different in state space: velocities follow from the state, and what flows keep are brackets.

use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::{Ball, Budget, ExprId, OrInternal, Pool};

use super::exponents::{APART, Both, Seen};
use super::form::{INCREMENT, STEP, ZERO};
use super::mechanics::{Mechanics, Place, WRITING, inputs, write};
use super::stepper::Stepper;
use super::vectors::{Vector, difference, midpoints, zero};
use super::{SmallStepError, precision, small_step};
use crate::DefectOrder;
use isotrope_derive::{StateSpace, System};

/// Casimir functions are looked for up to this degree.
const CASIMIRS: u32 = 2;

/// The functions of a system in state space, in balls.
#[derive(Debug, Clone)]
pub(super) struct StateFunctions {
    /// f(x, t).
    pub rate: BallProgram,
    /// D row by row, if the flow keeps it.
    pub bracket: Option<BallProgram>,
    /// Casimir functions of D.
    pub casimirs: BallProgram,
    /// Their number.
    pub count: usize,
}

impl StateFunctions {
    pub(super) fn new(
        system: &System,
        state: &StateSpace,
        pool: &mut Pool,
        parameters: &[(ExprId, Ball)],
    ) -> Result<Self, SmallStepError> {
        let given = inputs(system, parameters, &system.symbols.position);
        let bracket = state.bracket();
        let graph = bracket.and_then(|_| state.dirac(&system.symbols));
        let found = graph.map(|graph| graph.casimirs(pool, CASIMIRS, &mut Budget::new(WRITING)));
        let casimirs = found.and_then(Result::ok).map(|found| found.functions).unwrap_or_default();
        let bracket = bracket.map(|rows| write(pool, &given, &rows.concat())).transpose()?;
        Ok(Self {
            rate: write(pool, &given, &state.rate)?,
            bracket,
            count: casimirs.len(),
            casimirs: write(pool, &given, &casimirs)?,
        })
    }
}

/// The exponent of dΦ D dΦᵀ − D∘Φ; none where the flow keeps no bracket.
pub(super) fn bracket_order(
    mechanics: &Mechanics,
    stepper: &Stepper,
    start: &Place,
) -> Result<Option<DefectOrder>, SmallStepError> {
    let Some(here) = mechanics.bracket(start)? else { return Ok(None) };
    let increment = Ball::one(precision()).shift(-INCREMENT)?;
    let defect = |bits: i64| -> Result<Vector, SmallStepError> {
        let h = small_step(bits)?;
        let run = |place: &Place| -> Result<Place, SmallStepError> {
            let state = stepper.start(mechanics, place, &h)?;
            Ok(stepper.step(mechanics, &state, &h)?.0.place)
        };
        let base = run(start)?;
        let mut columns: Vec<Vector> = Vec::with_capacity(start.q.len());
        for j in 0..start.q.len() {
            let mut q = start.q.clone();
            q[j] = q[j].add(&increment).midpoint();
            let end = run(&mechanics.projected(&Place { q, ..start.clone() })?)?;
            let change = difference(&end.q, &base.q);
            columns.push(change.iter().map(|x| x.shift(INCREMENT)).collect::<Result<_, _>>()?);
        }
        let there = mechanics.bracket(&base)?.or_noticed("a bracket is one at every place");
        let n = columns.len();
        let mut defects = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                let mut sum = there[a][b].neg();
                for (i, row) in here.iter().enumerate() {
                    let mut along = zero();
                    for (entry, column) in row.iter().zip(&columns) {
                        along = along.add(&entry.mul(&column[b])?);
                    }
                    sum = sum.add(&columns[i][a].mul(&along)?);
                }
                defects.push(sum);
            }
        }
        Ok(midpoints(&defects))
    };
    let both = Both { large: defect(STEP - APART)?, small: defect(STEP)? };
    Seen { zero: ZERO, tolerance: 1.0 / 4.0, what: "bracket" }.exponent(&both).map(Some)
}
