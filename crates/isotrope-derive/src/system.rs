//! The derivation itself: [`derive`] for the equations; their geometry is [`analyse`](super::analyse)d.

use isotrope_algebra::calculus::{SparseRows, gradient, jacobian, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::{Model, SystemKind};

use super::redundant::Beginning;
use super::{
    ConstraintRows, DeriveError, Dynamics, HamiltonianField, LagrangianMechanics, Magnetic,
    Mechanics, Symbols, degenerate, group, legendre, magnetic, multipliers, redundant, regularity,
    singular, state,
};

/// A derived system: the model with its equations of motion.
#[derive(Debug, Clone)]
pub struct System {
    /// The model; its pool holds all expressions.
    pub model: Model,
    /// The symbols of the coordinates.
    pub symbols: Symbols,
    /// The equations.
    pub mechanics: Mechanics,
    /// The magnetic 2-form, whose force is among those of the equations.
    pub magnetic: Option<Magnetic>,
}

impl System {
    /// The equations of the Lagrangian L − θ, where a magnetic 2-form has a primitive θ: their momenta are
    /// p − θ and they have no magnetic force. Otherwise the equations themselves.
    #[must_use]
    pub fn canonical(&self) -> &Mechanics {
        let canonical = self.magnetic.as_ref().and_then(|magnetic| magnetic.canonical.as_deref());
        canonical.unwrap_or(&self.mechanics)
    }

    /// Hamilton's equations, q' = H_p and p' = −H_q + F, where the model is given by H(q, p, t) and has no
    /// constraints. The pool begins as that of the model.
    pub fn hamiltons_equations(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Option<HamiltonianField>, OutOfBudget> {
        let model = &self.model;
        match (model.system.hamiltonian(), self.mechanics.hamiltonian_field()) {
            (_, Some(alone)) => Ok(Some(alone.clone())),
            (Some(hamiltonian), None) if model.constraints.is_empty() => {
                let (symbols, forces) = (&self.symbols, &model.forces);
                HamiltonianField::new(pool, symbols, hamiltonian, forces, budget).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Turns a system with a magnetic 2-form into that of the Lagrangian L − θ, with canonical momenta
    /// and no 2-form; false if it has none with a primitive.
    pub fn make_canonical(&mut self) -> bool {
        let Some(canonical) = self.magnetic.as_mut().and_then(|magnetic| magnetic.canonical.take())
        else {
            return false;
        };
        if let Some((dynamics, _)) = canonical.dynamics() {
            self.model.system.set_lagrangian(dynamics.lagrangian);
        }
        self.mechanics = *canonical;
        self.magnetic = None;
        self.model.magnetic = None;
        true
    }
}

/// Systems up to this many coordinates get their formulas shortened.
pub(super) const READABLE: usize = 12;

pub(super) fn symbols_of(model: &Model) -> Symbols {
    Symbols {
        names: model.coordinates.iter().map(|c| c.name.clone()).collect(),
        position: model.positions(),
        velocity: model.velocities(),
        acceleration: model.accelerations(),
        momentum: model.momenta(),
        time: model.time,
    }
}

/// Derives the equations of motion of a model.
///
/// Everything is exact; multipliers of small systems come as formulas, those of large ones
/// as unevaluated linear solves.
pub fn derive(model: Model, budget: &mut Budget) -> Result<System, Vec<DeriveError>> {
    let place = model.system.place();
    derive_within(model, budget)
        .unwrap_or_else(|stop| Err(vec![DeriveError::OutOfBudget { stop, place }]))
}

pub(super) fn derive_within(
    mut model: Model,
    budget: &mut Budget,
) -> Result<Result<System, Vec<DeriveError>>, OutOfBudget> {
    let symbols = symbols_of(&model);
    let place = model.system.place();
    if let Some(lie) = model.group.clone() {
        return group::derive(model, &lie, symbols, true, budget);
    }
    let (lagrangian, given) = match model.system {
        SystemKind::State(ref given) => {
            let given = given.clone();
            let derived = state::derive(&mut model, &given, &symbols, budget)?;
            return Ok(derived.map(|state| {
                let mechanics = Mechanics::State(Box::new(state));
                System { model, symbols, mechanics, magnetic: None }
            }));
        }
        SystemKind::Lagrangian { lagrangian, .. } => (lagrangian, None),
        SystemKind::Hamiltonian { hamiltonian, .. } => {
            match legendre::lagrangian(&mut model.pool, &symbols, hamiltonian, budget)? {
                Some(lagrangian) => (lagrangian, Some(hamiltonian)),
                None if !model.constraints.is_empty() => {
                    return Ok(Err(vec![DeriveError::HamiltonianWithConstraints { place }]));
                }
                None => {
                    let Model { pool, forces, .. } = &mut model;
                    let field = HamiltonianField::new(pool, &symbols, hamiltonian, forces, budget)?;
                    let mechanics = Mechanics::Hamiltonian(Box::new(field));
                    return Ok(Ok(System { model, symbols, mechanics, magnetic: None }));
                }
            }
        }
    };
    let mut forces = model.forces.clone();
    let pool = &mut model.pool;
    if given.is_some() {
        // Forces of a Hamiltonian model may contain momenta: here they are functions of (q, v).
        let momenta = gradient(pool, lagrangian, &symbols.velocity, budget)?;
        let map = symbols.momentum.iter().copied().zip(momenta).collect();
        forces = substitute(pool, &forces, &map, budget)?;
    }
    let mut magnetic = match magnetic::read(pool, &symbols, model.magnetic.as_ref(), budget)? {
        Ok(magnetic) => magnetic,
        Err(error) => return Ok(Err(vec![error])),
    };
    let working = forces.clone();
    if let Some(magnetic) = &magnetic {
        forces = magnetic.forces(pool, &symbols, forces);
    }
    let mut dynamics = Dynamics::new(pool, &symbols, lagrangian, forces, budget)?;
    dynamics.working.clone_from(&working);
    let rows = match ConstraintRows::new(pool, &symbols, &model.constraints, budget)? {
        Ok(rows) => rows,
        Err(errors) => return Ok(Err(errors)),
    };
    if dynamics.mass.iter().all(Vec::is_empty) {
        if let Some(form) = &model.magnetic {
            return Ok(Err(vec![DeriveError::MagneticWithoutMass { place: form.place }]));
        }
        let copy = (dynamics.clone(), rows.clone());
        let derived = match degenerate::derive(pool, &symbols, dynamics, rows, place, budget)? {
            Err(errors) if is_singular(&errors) => {
                let (dynamics, rows) = copy;
                return singular::derive(model, symbols, &dynamics, &rows, errors, budget);
            }
            derived => derived,
        };
        if let (true, Some(error)) = (derived.is_ok(), no_gauge(&model)) {
            return Ok(Err(vec![error]));
        }
        return Ok(derived.map(|degenerate| {
            let mechanics = Mechanics::Degenerate(Box::new(degenerate));
            System { model, symbols, mechanics, magnetic: None }
        }));
    }
    let beginning = Beginning { parameters: &model.parameters, initial: &model.initial };
    let rows = redundant::set_aside(pool, &symbols, rows, beginning, budget)?;
    let errors = regularity::check(pool, &symbols, &dynamics, &rows, place, budget)?;
    if is_singular(&errors) && magnetic.is_none() {
        return singular::derive(model, symbols, &dynamics, &rows, errors, budget);
    }
    if !errors.is_empty() {
        return Ok(Err(errors));
    }
    if let Some(error) = no_gauge(&model) {
        return Ok(Err(vec![error]));
    }
    let pool = &mut model.pool;
    let multiplier_symbols = multiplier_symbols(pool, &rows.names);
    if let Some(magnetic) = &mut magnetic
        && let Some(minus) = magnetic.minus_primitive(pool, &symbols)
    {
        let lagrangian = pool.add(lagrangian, minus);
        let dynamics = Dynamics::new(pool, &symbols, lagrangian, working, budget)?;
        let named = (rows.clone(), multiplier_symbols.clone());
        let mechanics = solved(pool, &symbols, dynamics, named, budget)?;
        magnetic.canonical = Some(Box::new(mechanics));
    }
    let named = (rows, multiplier_symbols);
    let mechanics = solved(pool, &symbols, dynamics, named, budget)?;
    Ok(Ok(System { model, symbols, mechanics, magnetic }))
}

/// Is the Hessian singular, and nothing else wrong?
fn is_singular(errors: &[DeriveError]) -> bool {
    matches!(
        errors,
        [DeriveError::SingularMassMatrix { .. }
            | DeriveError::DegenerateLagrangian { .. }
            | DeriveError::Presymplectic { .. }]
    )
}

/// Gauge conditions of a system that leaves nothing free.
fn no_gauge(model: &Model) -> Option<DeriveError> {
    let place = model.gauge_fix.first()?.place;
    let reason = "the Lagrangian determines all accelerations".to_owned();
    Some(DeriveError::InadmissibleGauge { reason, place })
}

/// Regular equations, solved for accelerations and multipliers.
fn solved(
    pool: &mut Pool,
    symbols: &Symbols,
    mut dynamics: Dynamics,
    (rows, multiplier_symbols): (ConstraintRows, Vec<ExprId>),
    budget: &mut Budget,
) -> Result<Mechanics, OutOfBudget> {
    if symbols.dimension() <= READABLE {
        dynamics.tidy(pool, symbols, budget)?;
    }
    let reactions =
        multipliers::reactions(pool, symbols.dimension(), &rows.matrix, &multiplier_symbols);
    let residual = dynamics.residual(pool, symbols, &reactions);
    let eliminated = multipliers::eliminate(pool, &dynamics, &rows);
    let all = LagrangianMechanics { dynamics, rows, multiplier_symbols, residual, eliminated };
    Ok(Mechanics::Lagrangian(Box::new(all)))
}

/// The equations of motion of a Lagrangian model that is known to be regular, for evaluation only:
/// nothing is checked, shortened or solved.
pub fn derive_unsolved(
    mut model: Model,
    budget: &mut Budget,
) -> Result<Option<System>, OutOfBudget> {
    let symbols = symbols_of(&model);
    if let Some(lie) = model.group.clone() {
        return Ok(group::derive(model, &lie, symbols, false, budget)?.ok());
    }
    if let Some(given) = model.system.state().cloned() {
        let derived = state::derive(&mut model, &given, &symbols, budget)?.ok();
        return Ok(derived.map(|state| {
            let mechanics = Mechanics::State(Box::new(state));
            System { model, symbols, mechanics, magnetic: None }
        }));
    }
    let Some(lagrangian) = model.system.lagrangian() else { return Ok(None) };
    let forces = magnetic::all_forces(&mut model, &symbols);
    let pool = &mut model.pool;
    let dynamics = Dynamics::new(pool, &symbols, lagrangian, forces, budget)?;
    let Ok(rows) = ConstraintRows::new(pool, &symbols, &model.constraints, budget)? else {
        return Ok(None);
    };
    let multiplier_symbols = multiplier_symbols(pool, &rows.names);
    let reactions =
        multipliers::reactions(pool, symbols.dimension(), &rows.matrix, &multiplier_symbols);
    let residual = dynamics.residual(pool, &symbols, &reactions);
    let eliminated = multipliers::unsolved(pool, &dynamics, &rows);
    let all = LagrangianMechanics { dynamics, rows, multiplier_symbols, residual, eliminated };
    let mechanics = Mechanics::Lagrangian(Box::new(all));
    Ok(Some(System { model, symbols, mechanics, magnetic: None }))
}

/// `lambda_name` for each constraint; with more underscores where the model uses that name.
pub(super) fn multiplier_symbols(pool: &mut Pool, names: &[String]) -> Vec<ExprId> {
    let mut prefix = String::from("lambda_");
    while names.iter().any(|name| pool.find_symbol(&format!("{prefix}{name}")).is_some()) {
        prefix.push('_');
    }
    names.iter().map(|name| pool.symbol(&format!("{prefix}{name}"))).collect()
}

/// The unconstrained residual `F(q, q', q'') = d/dt L_v - L_q - F` of a model and its full
/// Jacobian in (q, q', q''), as derived: nothing is shortened or solved.
pub fn residual(
    model: &mut Model,
    budget: &mut Budget,
) -> Result<Option<(Vec<ExprId>, SparseRows)>, OutOfBudget> {
    if model.group.is_some() {
        return Ok(None);
    }
    let Some(lagrangian) = model.system.lagrangian() else { return Ok(None) };
    let symbols = symbols_of(model);
    let forces = magnetic::all_forces(model, &symbols);
    let pool = &mut model.pool;
    let dynamics = Dynamics::new(pool, &symbols, lagrangian, forces, budget)?;
    let free = vec![ExprId::ZERO; symbols.dimension()];
    let residual = dynamics.residual(pool, &symbols, &free);
    let mut variables = symbols.position.clone();
    variables.extend(&symbols.velocity);
    variables.extend(&symbols.acceleration);
    let rows = jacobian(pool, &residual, &variables, budget)?;
    Ok(Some((residual, rows)))
}
