//! The functions of a system, evaluated in balls.

use isotrope_algebra::calculus::SparseRows;
use isotrope_algebra::evaluate::{BallProgram, EvaluateError, evaluate_balls};
use isotrope_algebra::{Ball, Budget, EvaluationError, ExprId, Pool};
use rustc_hash::FxHashMap;

use super::state_space::StateFunctions;
use super::trivialised::Trivialised;
use super::vectors::{Vector, difference, is_below, midpoints, moved, solve, zero};
use super::{SmallStepError, precision};
use isotrope_derive::{Solved, System, Written};

/// A place: time, positions, velocities; on a group the numbers of the configuration and ξ = g⁻¹g'.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub t: Ball,
    pub q: Vector,
    pub v: Vector,
}

/// The functions of a system, with the numbers its parameters are.
#[derive(Debug, Clone)]
pub(super) struct Mechanics {
    /// How many velocities there are.
    pub dimension: usize,
    /// The time of the motion is about two to this power: very small steps are small beside it.
    pub time: i64,
    /// Symbols of the positions.
    pub position: Vec<ExprId>,
    /// Symbols that have one value in a whole run, and their values.
    pub parameters: Vec<(ExprId, Ball)>,
    /// Are there constraints, and which are on positions?
    pub constraints: usize,
    /// Does the exact flow keep dq ∧ dp on the constraint manifold?
    pub keeps_form: bool,
    /// What differs on a group.
    pub group: Option<Trivialised>,
    /// What differs in state space.
    pub state: Option<StateFunctions>,
    acceleration: BallProgram,
    /// g, then the power of forces and moving constraints.
    rates: BallProgram,
    momenta: BallProgram,
    energy: BallProgram,
    velocity_level: BallProgram,
    position_level: BallProgram,
    /// A row by row, dense.
    matrix: BallProgram,
    /// M row by row, dense.
    mass: BallProgram,
    on_positions: Vec<usize>,
}

/// Rounds of a projection onto the constraints.
const PROJECTION: usize = 40;
/// Operations for writing entries of matrices by quaternions.
pub(super) const WRITING: u64 = 50_000_000;

impl Mechanics {
    /// The step 2^-`bits` in units of the time of the motion.
    pub(super) fn step(&self, bits: i64) -> Result<Ball, EvaluationError> {
        Ball::one(precision()).shift(self.time - bits)
    }

    pub(super) fn new(system: &System) -> Result<Self, SmallStepError> {
        let mut pool = system.model.pool.clone();
        let parameters = parameters(system)?;
        let Solved { dynamics, rows, eliminated } = match system.mechanics.solved() {
            Some(solved) if system.mechanics.degenerate().is_none() => solved,
            _ => {
                let reason = "the system has no Lagrangian";
                return Err(SmallStepError::NotApplicable { reason });
            }
        };
        let n = system.symbols.dimension();
        let mut power: Vec<ExprId> = dynamics
            .working
            .iter()
            .zip(&system.symbols.velocity)
            .map(|(&force, &v)| pool.mul(force, v))
            .collect();
        power.push(pool.neg(dynamics.explicit_time));
        for (&lambda, &b) in eliminated.multipliers.iter().zip(&rows.offset) {
            let product = pool.mul(lambda, b);
            power.push(pool.neg(product));
        }
        let mut rates = eliminated.momentum_rate.clone();
        rates.push(pool.sum(&power));
        let dense = |rows: &SparseRows| {
            let mut dense = vec![ExprId::ZERO; n * rows.len()];
            for (i, row) in rows.iter().enumerate() {
                for &(j, value) in row {
                    dense[i * n + j as usize] = value;
                }
            }
            dense
        };
        let on_positions: Vec<usize> =
            (0..rows.len()).filter(|&i| rows.written[i] == Written::Position).collect();
        let phi: Vec<ExprId> = on_positions.iter().map(|&i| rows.expressions[i]).collect();
        let conservative = dynamics.forces.iter().all(|force| force.is_zero());
        let on_group = system.mechanics.group();
        let group = on_group
            .map(|group| Trivialised::new(system, group, &mut pool, &parameters))
            .transpose()?;
        let state = system
            .mechanics
            .state()
            .map(|state| StateFunctions::new(system, state, &mut pool, &parameters))
            .transpose()?;
        let position = on_group.map_or(&system.symbols.position, |group| &group.numbers).clone();
        let mut written = |expressions: &[ExprId]| -> Result<BallProgram, SmallStepError> {
            let inputs = inputs(system, &parameters, &position);
            match on_group {
                Some(group) => {
                    let budget = &mut Budget::new(WRITING);
                    let list = group.in_numbers(&mut pool, expressions, budget)?;
                    Ok(write(&pool, &inputs, &list)?)
                }
                None => Ok(write(&pool, &inputs, expressions)?),
            }
        };
        Ok(Self {
            dimension: n,
            time: 0,
            constraints: rows.len(),
            keeps_form: conservative
                && state.is_none()
                && if group.is_some() { rows.is_empty() } else { rows.all_holonomic() },
            acceleration: written(&eliminated.acceleration)?,
            rates: written(&rates)?,
            momenta: written(&dynamics.momenta)?,
            energy: written(&[dynamics.energy])?,
            velocity_level: written(&rows.velocity_level)?,
            position_level: written(&phi)?,
            matrix: written(&dense(&rows.matrix))?,
            mass: written(&dense(&dynamics.mass))?,
            group,
            state,
            position,
            on_positions,
            parameters,
        })
    }

    fn run(&self, program: &BallProgram, place: &Place) -> Result<Vector, EvaluateError> {
        let mut inputs: Vector = self.parameters.iter().map(|(_, value)| value.clone()).collect();
        inputs.push(place.t.clone());
        inputs.extend(place.q.iter().cloned());
        inputs.extend(place.v.iter().cloned());
        program.run(&inputs)
    }

    /// q': the velocities, on a group g ξ, in state space f(q).
    pub(super) fn position_rates(&self, place: &Place) -> Result<Vector, EvaluateError> {
        match (&self.group, &self.state) {
            (Some(group), _) => self.run(&group.kinematics, place),
            (_, Some(state)) => self.run(&state.rate, place),
            (None, None) => Ok(place.v.clone()),
        }
    }

    /// What the exact flow keeps: on a group momenta of space, in state space Casimir functions; elsewhere nothing is
    /// looked for.
    pub(super) fn conserved(&self, place: &Place) -> Result<Vector, EvaluateError> {
        match (&self.group, &self.state) {
            (Some(group), _) => self.run(&group.conserved, place),
            (_, Some(state)) => self.run(&state.casimirs, place),
            (None, None) => Ok(Vec::new()),
        }
    }

    /// How many functions that are.
    pub(super) fn conserved_count(&self) -> usize {
        let momenta = self.group.as_ref().map_or(0, |group| group.momenta);
        momenta + self.state.as_ref().map_or(0, |state| state.count)
    }

    /// The bracket that the flow keeps, by rows.
    pub(super) fn bracket(&self, place: &Place) -> Result<Option<Vec<Vector>>, EvaluateError> {
        let Some(bracket) = self.state.as_ref().and_then(|state| state.bracket.as_ref()) else {
            return Ok(None);
        };
        let entries = self.run(bracket, place)?;
        Ok(Some(entries.chunks(self.dimension.max(1)).map(<[Ball]>::to_vec).collect()))
    }

    /// f(q, v, t).
    pub(super) fn acceleration(&self, place: &Place) -> Result<Vector, EvaluateError> {
        self.run(&self.acceleration, place)
    }

    /// g(q, v, t), and the power of forces and moving constraints.
    pub(super) fn rates(&self, place: &Place) -> Result<(Vector, Ball), EvaluateError> {
        let mut rates = self.run(&self.rates, place)?;
        let power = rates.pop().unwrap_or_else(zero);
        Ok((rates, power))
    }

    /// L_v.
    pub(super) fn momenta(&self, place: &Place) -> Result<Vector, EvaluateError> {
        self.run(&self.momenta, place)
    }

    /// E.
    pub(super) fn energy(&self, place: &Place) -> Result<Ball, EvaluateError> {
        let mut energy = self.run(&self.energy, place)?;
        Ok(energy.pop().unwrap_or_else(zero))
    }

    /// A v + b, of all constraints.
    pub(super) fn velocity_level(&self, place: &Place) -> Result<Vector, EvaluateError> {
        self.run(&self.velocity_level, place)
    }

    /// φ, of the constraints on positions.
    pub(super) fn position_level(&self, place: &Place) -> Result<Vector, EvaluateError> {
        self.run(&self.position_level, place)
    }

    /// A, by rows.
    pub(super) fn matrix(&self, place: &Place) -> Result<Vec<Vector>, EvaluateError> {
        let entries = self.run(&self.matrix, place)?;
        Ok(entries.chunks(self.dimension.max(1)).map(<[Ball]>::to_vec).collect())
    }

    /// Are there constraints on positions?
    pub(super) fn has_positions(&self) -> bool {
        !self.on_positions.is_empty()
    }

    /// The place whose momenta are the numbers given as velocities.
    pub(super) fn with_momenta(&self, place: Place) -> Result<Place, SmallStepError> {
        let close = -i64::from(precision().bits()) + 64;
        let mut found = Place { v: vec![zero(); self.dimension], ..place.clone() };
        for _ in 0..PROJECTION {
            let defect = midpoints(&difference(&self.momenta(&found)?, &place.v));
            let entries = self.run(&self.mass, &found)?;
            let mass = entries.chunks(self.dimension.max(1)).map(midpoints).collect();
            let way = solve(mass, defect)?;
            found.v = midpoints(&difference(&found.v, &way));
            if is_below(&way, close) {
                return Ok(found);
            }
        }
        Err(SmallStepError::Start)
    }

    /// The place on the constraint manifold that is reached along the rows of A.
    pub(super) fn projected(&self, place: &Place) -> Result<Place, SmallStepError> {
        let close = -i64::from(precision().bits()) + 16;
        let mut place = place.clone();
        if let Some(group) = &self.group {
            place.q = group.normalised(&place.q)?;
        }
        if self.state.is_some() {
            place.v = midpoints(&self.position_rates(&place)?);
            return Ok(place);
        }
        for _ in 0..if self.has_positions() { PROJECTION } else { 0 } {
            let phi = midpoints(&self.position_level(&place)?);
            let matrix = self.matrix(&place)?;
            let rows = self.on_positions.iter().map(|&i| matrix[i].clone()).collect();
            let way = self.along(rows, phi)?;
            place.q = midpoints(&difference(&place.q, &way));
            if is_below(&way, close) {
                break;
            }
        }
        for _ in 0..PROJECTION {
            let defect = midpoints(&self.velocity_level(&place)?);
            let way = self.along(self.matrix(&place)?, defect)?;
            place.v = midpoints(&difference(&place.v, &way));
            if is_below(&way, close) {
                return Ok(place);
            }
        }
        Err(SmallStepError::Start)
    }

    /// The x in the span of the rows with rows·x = defect.
    pub(super) fn along(
        &self,
        rows: Vec<Vector>,
        defect: Vector,
    ) -> Result<Vector, SmallStepError> {
        let product = |x: &Vector, y: &Vector| -> Result<Ball, SmallStepError> {
            let mut sum = zero();
            for (x, y) in x.iter().zip(y) {
                sum = sum.add(&x.mul(y)?);
            }
            Ok(sum.midpoint())
        };
        let gram = rows
            .iter()
            .map(|x| rows.iter().map(|y| product(x, y)).collect())
            .collect::<Result<Vec<Vector>, SmallStepError>>()?;
        let factors = solve(gram, defect)?;
        let mut way = vec![zero(); self.dimension];
        for (factor, row) in factors.iter().zip(&rows) {
            way = moved(&way, factor, row)?;
        }
        Ok(midpoints(&way))
    }
}

fn parameters(system: &System) -> Result<Vec<(ExprId, Ball)>, EvaluateError> {
    let model = &system.model;
    let nothing = FxHashMap::default();
    let exact: Vec<ExprId> = model.parameters.iter().map(|parameter| parameter.exact).collect();
    let values = evaluate_balls(&model.pool, &exact, &nothing, precision())?;
    let symbols = model.parameters.iter().map(|parameter| parameter.symbol);
    Ok(symbols.zip(values).map(|(symbol, value)| (symbol, value.midpoint())).collect())
}

/// What functions of a system are given: parameters, time, positions, velocities.
pub(super) fn inputs(
    system: &System,
    parameters: &[(ExprId, Ball)],
    position: &[ExprId],
) -> Vec<ExprId> {
    let mut inputs: Vec<ExprId> = parameters.iter().map(|(symbol, _)| *symbol).collect();
    inputs.push(system.symbols.time);
    inputs.extend(position.iter().chain(&system.symbols.velocity));
    inputs
}

/// A program with these inputs.
pub(super) fn write(
    pool: &Pool,
    inputs: &[ExprId],
    expressions: &[ExprId],
) -> Result<BallProgram, EvaluateError> {
    let mut program = BallProgram::new(precision());
    inputs.iter().for_each(|&symbol| program.input(symbol));
    program.outputs(pool, expressions)?;
    Ok(program)
}
