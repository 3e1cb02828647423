//! The motion on the phase space: x' = X_T with the state x = (q, p), where multipliers are solved for.

use isotrope_algebra::calculus::{directional_derivative, gradient};
use isotrope_algebra::normal::{Zero, size};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::{Coordinate, Model, Place, SINGULAR, StateKind, StateModel, SystemKind};

use super::chain::ConstraintChain;
use super::classes::is_whole;
use super::primary::{Setting, fresh, short};
use super::rounds::Branch;
use super::surface::Lost;
use crate::{
    ConstraintRows, Dynamics, Eliminated, InputSignal, Mechanics, StateSpace, Symbols, System,
};

/// Multipliers that nothing determines.
pub(super) fn free_multipliers(setting: &Setting, branch: &Branch) -> Vec<ExprId> {
    let columns = &branch.rates.columns;
    let primaries = setting.primaries.iter().enumerate();
    primaries.filter(|(k, _)| !columns.contains(k)).map(|(_, p)| p.multiplier).collect()
}

/// The system with the state (q, p).
pub(super) fn system(
    mut model: Model,
    setting: &Setting,
    branch: &Branch,
    chain: ConstraintChain,
    mut rate: Vec<ExprId>,
    momenta: Vec<ExprId>,
    budget: &mut Budget,
) -> Result<System, OutOfBudget> {
    let pool = &mut model.pool;
    // Free multipliers stay in the equations.
    let width = setting.primaries.len();
    let kernel = branch.rates.kernel(pool, width);
    for (vector, &symbol) in kernel.iter().zip(&chain.free) {
        for (&weight, primary) in vector.iter().zip(&setting.primaries) {
            let factor = pool.mul(weight, symbol);
            for (entry, &part) in rate.iter_mut().zip(&primary.field) {
                let product = pool.mul(factor, part);
                *entry = pool.add(*entry, product);
            }
        }
    }
    for entry in &mut rate {
        let plain = short(pool, *entry);
        let on = match branch.surface.reduced(pool, *entry, budget) {
            Ok(on) => short(pool, on),
            Err(Lost::OutOfBudget(stop)) => return Err(stop),
            Err(_) => plain,
        };
        // What is equal on the constraints serves where it is a constant; else the equations have no new divisors.
        let constant = pool.as_number(on).is_some();
        *entry = if constant || size(pool, on) * 2 < size(pool, plain) && is_whole(pool, on) {
            on
        } else {
            plain
        };
    }
    let places: Vec<Place> =
        model.initial.position_places.iter().chain(&model.initial.rate_places).copied().collect();
    let symbols = declare(&mut model, &chain.coordinates);
    let pool = &mut model.pool;
    let count = symbols.dimension();
    let mut along: Vec<(ExprId, ExprId)> =
        symbols.position.iter().copied().zip(rate.iter().copied()).collect();
    along.push((symbols.time, ExprId::ONE));
    let acceleration = directional_derivative(pool, &rate, &along, budget)?;
    let mut power = directional_derivative(pool, &[setting.hamiltonian], &along, budget)?[0];
    if matches!(branch.surface.vanishes(pool, power, budget), Ok(Zero::Yes)) {
        power = ExprId::ZERO;
    }
    let power = short(pool, power);
    model.initial.position.extend(momenta);
    model.initial.position.truncate(count);
    model.initial.position_places = places;
    model.initial.position_places.resize(count, Place::default());
    model.initial.rate = vec![ExprId::ZERO; count];
    model.initial.rate_places = vec![Place::default(); count];
    model.initial.has_rates = false;
    model.forces = vec![ExprId::ZERO; count];
    model.force_places = vec![None; count];
    model.constraints.clear();
    model.table = &SINGULAR;
    model.system = SystemKind::State(Box::new(StateModel {
        kind: StateKind::Equations,
        place: model.system.place(),
        hamiltonian: Some(setting.hamiltonian),
        rates: rate.clone(),
        skew: Vec::new(),
        symmetric: Vec::new(),
        columns: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        descriptor: None,
    }));
    let zeros = vec![ExprId::ZERO; count];
    let dynamics = Dynamics {
        lagrangian: ExprId::ZERO,
        gradient: zeros.clone(),
        momenta: zeros.clone(),
        mass: vec![Vec::new(); count],
        energy: setting.hamiltonian,
        forces: zeros.clone(),
        working: zeros.clone(),
        impressed: zeros.clone(),
        explicit_time: pool.neg(power),
    };
    let eliminated = Eliminated {
        acceleration,
        multipliers: Vec::new(),
        all_multipliers: Vec::new(),
        momentum_rate: zeros,
        explicit: true,
        conditions: Vec::new(),
    };
    let state = StateSpace {
        table: model.table,
        kind: StateKind::Equations,
        rate_of_inputs: rate.clone(),
        rate,
        energy: Some(setting.hamiltonian),
        power,
        structure: None,
        descriptor: None,
        chain: Some(Box::new(chain)),
        inputs: Vec::<InputSignal>::new(),
        outputs: Vec::new(),
        dynamics,
        rows: ConstraintRows::default(),
        eliminated,
    };
    let mechanics = Mechanics::State(Box::new(state));
    Ok(System { model, symbols, mechanics, magnetic: None })
}

/// Makes positions and momenta the coordinates of the model.
fn declare(model: &mut Model, given: &Symbols) -> Symbols {
    let pool = &mut model.pool;
    let mut added = Vec::with_capacity(model.coordinates.len());
    for coordinate in &mut model.coordinates {
        let name = format!("p_{}", coordinate.name);
        added.push(Coordinate {
            position: coordinate.momentum,
            velocity: fresh(pool, &format!("{name}'")),
            acceleration: fresh(pool, &format!("{name}''")),
            momentum: fresh(pool, &format!("{name}_dual")),
            place: coordinate.place,
            name,
        });
        coordinate.momentum = fresh(pool, &format!("{}_dual", coordinate.name));
    }
    model.coordinates.extend(added);
    Symbols {
        names: model.coordinates.iter().map(|c| c.name.clone()).collect(),
        position: model.positions(),
        velocity: model.velocities(),
        acceleration: model.accelerations(),
        momentum: model.momenta(),
        time: given.time,
    }
}

/// H along the equations, for what is conserved.
pub(crate) fn energy_rate(
    pool: &mut Pool,
    chain: &ConstraintChain,
    rate: &[ExprId],
    budget: &mut Budget,
) -> Result<Zero, OutOfBudget> {
    let mut variables = chain.surface.variables.clone();
    variables.push(chain.coordinates.time);
    let slopes = gradient(pool, chain.hamiltonian, &variables, budget)?;
    let mut terms: Vec<ExprId> =
        slopes.iter().zip(rate).map(|(&slope, &rate)| pool.mul(slope, rate)).collect();
    terms.extend(slopes.last());
    let sum = pool.sum(&terms);
    match chain.surface.vanishes(pool, sum, budget) {
        Ok(answer) => Ok(answer),
        Err(Lost::OutOfBudget(stop)) => Err(stop),
        Err(_) => Ok(Zero::Unknown { points: 0 }),
    }
}
