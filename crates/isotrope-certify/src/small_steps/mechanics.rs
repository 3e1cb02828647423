//! The functions of a system, evaluated in balls.

use isotrope_algebra::calculus::SparseRows;
use isotrope_algebra::evaluate::{BallProgram, EvaluateError, evaluate_balls};
use isotrope_algebra::{Ball, Budget, EvaluationError, ExprId, Pool};
use rustc_hash::FxHashMap;

use super::local::ProblemSizes;
use super::state_space::StateFunctions;
use super::trivialised::Trivialised;
use super::units::{self, Units};
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
    /// The units in which places are.
    pub units: Units,
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
            units: Units::default(),
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

    /// The same in the units of a problem, which starts near a place of the model.
    pub(super) fn in_units_of(
        mut self,
        sizes: &ProblemSizes,
        near: impl FnOnce(&Self) -> Result<Place, SmallStepError>,
    ) -> Result<Self, SmallStepError> {
        if *sizes == ProblemSizes::default() {
            return Ok(self);
        }
        let counts = [self.position.len(), self.dimension];
        self.units = Units::new(sizes, self.group.is_some(), counts);
        let near = near(&self)?;
        let largest =
            |row: &Vector| row.iter().map(|x| x.midpoint().abs().to_f64()).fold(0.0, f64::max);
        self.units.constraint =
            self.matrix(&near)?.iter().map(|row| units::exponent(largest(row))).collect();
        let kept = self.conserved(&near)?;
        self.units.conserved = kept.iter().map(|x| units::exponent(x.to_f64())).collect();
        Ok(self)
    }

    /// Values in the units of the model at a place in those of the problem.
    fn run(&self, program: &BallProgram, place: &Place) -> Result<Vector, EvaluateError> {
        let units = &self.units;
        let mut inputs: Vector = self.parameters.iter().map(|(_, value)| value.clone()).collect();
        inputs.push(place.t.shift(units.time)?);
        inputs.extend(Units::outwards(&place.q, &units.position)?);
        inputs.extend(Units::outwards(&place.v, &units.velocity)?);
        program.run(&inputs)
    }

    /// Rates of quantities with these units.
    fn rates_of(&self, values: &[Ball], of: &[i64]) -> Result<Vector, EvaluateError> {
        let units: Vec<i64> =
            (0..values.len()).map(|i| units::at(of, i) - self.units.time).collect();
        Ok(Units::inwards(values, &units)?)
    }

    /// q': the velocities, on a group g ξ, in state space f(q).
    pub(super) fn position_rates(&self, place: &Place) -> Result<Vector, EvaluateError> {
        match (&self.group, &self.state) {
            (Some(group), _) => {
                self.rates_of(&self.run(&group.kinematics, place)?, &self.units.position)
            }
            (_, Some(state)) => self.rates_of(&self.run(&state.rate, place)?, &self.units.position),
            (None, None) => Ok(place.v.clone()),
        }
    }

    /// What the exact flow keeps: on a group momenta of space, in state space Casimir functions; elsewhere nothing is
    /// looked for.
    pub(super) fn conserved(&self, place: &Place) -> Result<Vector, EvaluateError> {
        let kept = match (&self.group, &self.state) {
            (Some(group), _) => self.run(&group.conserved, place)?,
            (_, Some(state)) => self.run(&state.casimirs, place)?,
            (None, None) => return Ok(Vec::new()),
        };
        Ok(Units::inwards(&kept, &self.units.conserved)?)
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
        let (entries, units) = (self.run(bracket, place)?, &self.units);
        // x' = D ∇H.
        let row = |(i, row): (usize, &[Ball])| {
            let scaled = row.iter().enumerate().map(|(j, x)| {
                let [x_i, x_j] = [i, j].map(|k| units::at(&units.position, k));
                x.shift(units.energy + units.time - x_i - x_j)
            });
            scaled.collect::<Result<Vector, EvaluationError>>()
        };
        let rows = entries.chunks(self.dimension.max(1)).enumerate().map(row);
        Ok(Some(rows.collect::<Result<_, _>>()?))
    }

    /// f(q, v, t).
    pub(super) fn acceleration(&self, place: &Place) -> Result<Vector, EvaluateError> {
        self.rates_of(&self.run(&self.acceleration, place)?, &self.units.velocity)
    }

    /// g(q, v, t), and the power of forces and moving constraints.
    pub(super) fn rates(&self, place: &Place) -> Result<(Vector, Ball), EvaluateError> {
        let mut rates = self.run(&self.rates, place)?;
        let power = rates.pop().unwrap_or_else(zero);
        let power = power.shift(self.units.time - self.units.energy)?;
        Ok((self.rates_of(&rates, &self.units.momenta())?, power))
    }

    /// L_v.
    pub(super) fn momenta(&self, place: &Place) -> Result<Vector, EvaluateError> {
        Ok(Units::inwards(&self.run(&self.momenta, place)?, &self.units.momenta())?)
    }

    /// E.
    pub(super) fn energy(&self, place: &Place) -> Result<Ball, EvaluateError> {
        let energy = self.run(&self.energy, place)?.pop().unwrap_or_else(zero);
        Ok(energy.shift(-self.units.energy)?)
    }

    /// A v + b, of all constraints.
    pub(super) fn velocity_level(&self, place: &Place) -> Result<Vector, EvaluateError> {
        self.rates_of(&self.run(&self.velocity_level, place)?, &self.units.constraint)
    }

    /// φ, of the constraints on positions.
    pub(super) fn position_level(&self, place: &Place) -> Result<Vector, EvaluateError> {
        let units: Vec<i64> =
            self.on_positions.iter().map(|&k| units::at(&self.units.constraint, k)).collect();
        Ok(Units::inwards(&self.run(&self.position_level, place)?, &units)?)
    }

    /// A, by rows.
    pub(super) fn matrix(&self, place: &Place) -> Result<Vec<Vector>, EvaluateError> {
        let (entries, units) = (self.run(&self.matrix, place)?, &self.units);
        let row = |(k, row): (usize, &[Ball])| {
            let scaled = row.iter().enumerate().map(|(j, x)| {
                x.shift(
                    units::at(&units.velocity, j) + units.time - units::at(&units.constraint, k),
                )
            });
            scaled.collect::<Result<Vector, EvaluationError>>()
        };
        let rows = entries.chunks(self.dimension.max(1)).enumerate().map(row);
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// On a group g⁻¹δg of a change of its numbers.
    pub(super) fn turned(
        &self,
        group: &Trivialised,
        q: &[Ball],
        change: &[Ball],
    ) -> Result<Vector, SmallStepError> {
        let units = &self.units;
        let [q, change] = [q, change].map(|x| Units::outwards(x, &units.position));
        let found = group.of_change(&q?, &change?)?;
        let of: Vec<i64> = units.velocity.iter().map(|unit| unit + units.time).collect();
        Ok(Units::inwards(&found, &of)?)
    }

    /// ⟨μ, [x, y]⟩ of two such changes.
    pub(super) fn curvature(
        &self,
        group: &Trivialised,
        mu: &[Ball],
        [x, y]: [&[Ball]; 2],
    ) -> Result<Ball, SmallStepError> {
        let units = &self.units;
        let of: Vec<i64> = units.velocity.iter().map(|unit| unit + units.time).collect();
        let mu = Units::outwards(mu, &units.momenta())?;
        let value = group.curvature(&mu, &Units::outwards(x, &of)?, &Units::outwards(y, &of)?)?;
        Ok(value.shift(-units.energy - units.time)?)
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
            let units = &self.units;
            let row = |(i, row): (usize, &[Ball])| {
                let scaled = row.iter().enumerate().map(|(j, x)| {
                    Ok(x.midpoint().shift(units::at(&units.velocity, j) - units.momentum(i))?)
                });
                scaled.collect::<Result<Vector, SmallStepError>>()
            };
            let rows = entries.chunks(self.dimension.max(1)).enumerate().map(row);
            let mass = rows.collect::<Result<_, _>>()?;
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
