//! One step of a method against the flow of its modified equation.

use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::{Ball, Budget, ExprId, OrInternal, Rational};

use super::flow::{Rule, combined};
use super::local::{ProblemSizes, disturbed, initial_place};
use super::mechanics::{Mechanics, Place};
use super::stepper::{LocalMethod, Stepper};
use super::units::{self, Units};
use super::vectors::{Vector, difference, is_below, midpoints, moved, size};
use super::{SmallStepError, precision, small_step};
use crate::modified::ModifiedEquation;
use isotrope_derive::System;

/// Steps are 2^-`FIRST`, and halved `HALVINGS` times.
const FIRST: i64 = 12;
const HALVINGS: i64 = 4;
/// Nodes, besides the first, of the polynomials that are the flow: its error is O(h¹⁸).
const NODES: usize = 16;
/// Rounds of Picard's iteration, and the change at which it ends.
const ROUNDS: usize = 120;
const CLOSE: i64 = -300;
/// Differences below 2^`ZERO` count as none.
const ZERO: i64 = -190;

/// How closely the flow is followed.
struct Following {
    rule: Rule,
    /// The change of the rates at which Picard's iteration ends, 2^`close`.
    close: i64,
}

impl Following {
    fn fine() -> Self {
        Self { rule: Rule::new(NODES), close: CLOSE }
    }

    /// As closely as a difference O(h^(powers + 2)) asks for: most methods have one, and long numbers take long.
    fn coarse(powers: usize) -> Self {
        let close = -(FIRST + HALVINGS) * (powers as i64 + 2) - 64;
        Self { rule: Rule::new((powers + 4).min(NODES)), close: close.max(CLOSE) }
    }
}

/// How far a step is from the flow of the truncated modified equation.
#[derive(Debug, Clone, PartialEq)]
pub struct ModifiedDefect {
    /// Steps, each half of the one before.
    pub steps: Vec<Rational>,
    /// The largest difference of a position or velocity after one step, in units of their sizes.
    pub errors: Vec<f64>,
    /// The exponent of h, from the last two; `None` if there is no difference.
    pub slope: Option<f64>,
    /// Differences that vanish to this many decimal digits count as zero.
    pub digits: i64,
}

/// Measures one step of a method against the flow, for the time of the step, of modified equations,
/// from a state near the initial values: at rest, or at a point of symmetry, terms vanish by
/// accident. `sizes` are those of the problem, `letter` is a number that the equations have a letter for.
pub fn modified_defect(
    system: &System,
    method: LocalMethod<'_>,
    equations: &[ModifiedEquation],
    letter: Option<(ExprId, &AlgebraicNumber)>,
    sizes: &ProblemSizes,
    budget: &mut Budget,
) -> Result<ModifiedDefect, SmallStepError> {
    let mechanics = Mechanics::new(system)?;
    let mechanics = mechanics.in_units_of(sizes, |mechanics| initial_place(system, mechanics))?;
    let stepper = Stepper::new(system, &mechanics, method, budget)?;
    let initial = initial_place(system, &mechanics)?;
    let start = mechanics.projected(&disturbed(&initial)?)?;
    let modified = Modified::new(system, &mechanics, equations, letter)?;
    let coarse = Following::coarse(modified.powers);
    let mut fine = None;
    let digits = -ZERO * 30_103 / 100_000;
    let mut defect = ModifiedDefect { steps: Vec::new(), errors: Vec::new(), slope: None, digits };
    let mut previous: Option<Ball> = None;
    for halving in 0..=HALVINGS {
        budget.spend(1, "measuring the defect of the modified equation")?;
        let h = small_step(FIRST + halving)?;
        let state = stepper.start(&mechanics, &start, &h)?;
        let (_, measured) = stepper.step(&mechanics, &state, &h)?;
        let mut step = measured.place.q;
        step.extend(measured.place.v);
        let apart = |flow: Vector| size(&difference(&step, &flow));
        let mut error = apart(modified.flow(&coarse, &start, &h)?);
        let clear = -(FIRST + halving) * (modified.powers as i64 + 3);
        if is_below(std::slice::from_ref(&error), clear) {
            let fine = fine.get_or_insert_with(Following::fine);
            error = apart(modified.flow(fine, &start, &h)?);
        }
        defect.steps.push(power_of_two(mechanics.units.time - FIRST - halving));
        defect.errors.push(error.to_f64());
        let seen = !is_below(std::slice::from_ref(&error), ZERO);
        defect.slope = match previous.filter(|_| seen) {
            Some(previous) => {
                let two = Ball::integer(2, precision()).log()?;
                Some(previous.div(&error)?.log()?.div(&two)?.to_f64())
            }
            None => None,
        };
        previous = seen.then_some(error);
    }
    Ok(defect)
}

fn power_of_two(exponent: i64) -> Rational {
    let power = i32::try_from(exponent).ok().and_then(|bits| Rational::from_f64(2f64.powi(bits)));
    power.or_noticed("steps are in the range of doubles")
}

/// The modified field in balls.
struct Modified {
    program: BallProgram,
    /// Values that have one value in a whole run.
    constants: Vector,
    /// Coefficients of h⁰, h¹, … of each rate.
    powers: usize,
    /// Of time, positions and velocities.
    time: i64,
    state: Vec<i64>,
}

impl Modified {
    fn new(
        system: &System,
        mechanics: &Mechanics,
        equations: &[ModifiedEquation],
        letter: Option<(ExprId, &AlgebraicNumber)>,
    ) -> Result<Self, SmallStepError> {
        let mut program = BallProgram::new(precision());
        let mut constants = Vec::new();
        for (symbol, value) in &mechanics.parameters {
            program.input(*symbol);
            constants.push(value.clone());
        }
        if let Some((symbol, number)) = letter {
            program.input(symbol);
            constants.push(number.enclosure(precision()).midpoint());
        }
        program.input(system.symbols.time);
        for equation in equations {
            program.input(equation.variable);
        }
        let powers = equations.iter().map(|equation| equation.powers.len()).max().unwrap_or(0);
        for equation in equations {
            let mut list = equation.powers.clone();
            list.resize(powers, ExprId::ZERO);
            program.outputs(&system.model.pool, &list)?;
        }
        let units = &mechanics.units;
        let state = [&units.position[..], &units.velocity].concat();
        Ok(Self { program, constants, powers, time: units.time, state })
    }

    /// The rates at a state (q, v), at a time after the start.
    fn rates(&self, t: &Ball, state: &[Ball], h: &Ball) -> Result<Vector, SmallStepError> {
        let mut inputs = self.constants.clone();
        inputs.push(t.shift(self.time)?);
        inputs.extend(Units::outwards(state, &self.state)?);
        let h = &h.shift(self.time)?;
        let values = self.program.run(&inputs)?;
        let mut rates = Vec::with_capacity(state.len());
        for (i, coefficients) in values.chunks(self.powers.max(1)).enumerate() {
            let mut rate = Ball::zero(precision());
            for coefficient in coefficients.iter().rev() {
                rate = rate.mul(h)?.add(coefficient).midpoint();
            }
            rates.push(rate.shift(self.time - units::at(&self.state, i))?);
        }
        Ok(rates)
    }

    /// The flow for the time h: Picard's iteration on polynomials through equidistant nodes.
    fn flow(
        &self,
        following: &Following,
        start: &Place,
        h: &Ball,
    ) -> Result<Vector, SmallStepError> {
        let Following { rule, close } = following;
        let mut state = start.q.clone();
        state.extend(start.v.iter().cloned());
        let times: Vector = rule
            .nodes
            .iter()
            .map(|node| Ok(start.t.add(&h.mul(node)?).midpoint()))
            .collect::<Result<_, SmallStepError>>()?;
        let mut rates = vec![self.rates(&start.t, &state, h)?; times.len()];
        for _ in 0..ROUNDS {
            let mut settled = true;
            for (node, time) in times.iter().enumerate().skip(1) {
                let way = combined(&rule.once[node], &rates)?;
                let place = midpoints(&moved(&state, h, &way)?);
                let next = self.rates(time, &place, h)?;
                settled &= is_below(&difference(&next, &rates[node]), *close);
                rates[node] = next;
            }
            if settled {
                let whole = rule.once.last().map_or(&[][..], Vec::as_slice);
                return Ok(midpoints(&moved(&state, h, &combined(whole, &rates)?)?));
            }
        }
        Err(SmallStepError::Flow)
    }
}
