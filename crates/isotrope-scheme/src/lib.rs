//! One step of a scheme, derived from a system as exact equations.
//!
//! [`discretise`] writes the equations of a scheme for a system and a step: what is unknown, what
//! must vanish, and what the step leaves behind. Linear unknowns are eliminated here, so that the
//! iteration has to find as few numbers as possible. One file per family.

mod adaptive;
mod alembert;
mod alpha;
mod baumgarte;
mod before;
mod canonical;
mod chord;
mod compositions;
mod damped;
mod degenerate;
mod dirac;
mod dirac_repaired;
mod energy;
mod equations;
mod error;
mod gear;
mod grouped;
mod index_two;
mod lie;
mod lobatto;
mod magnetic;
mod mechanics;
mod multistep;
mod onto_states;
mod phase;
mod pieces;
mod poisson;
mod port;
mod positive_power;
mod projection;
mod rattle;
mod registry;
mod rk4;
mod shake;
mod spark;
mod stages;
mod tables;
mod variational;

use isotrope_algebra::{Budget, ExprId, Pool, Rational};

pub use equations::{
    After, Defect, Definition, Duration, Equations, Exchange, Hold, Increments, Memory, Pair, Size,
    StepBound, Unknown, UnknownKind,
};
pub use error::DiscretiseError;
pub use grouped::{grouped_family, grouped_variables};
pub use registry::{
    Capabilities, EquationScheme, InStateSpace, Listed, Method, PublishedClaim, Steps, Theory,
    named_table,
};
pub use variational::{
    Action, Condition, ConstraintForm, DiscreteAction, DiscreteDirac, DiscreteLagrangian,
    FirstDirac, FormDefect, Node, Pace, Piece, Principle, Quadrature, Relation, Side,
};

use isotrope_derive::System;
use isotrope_methods::table::Table;
use mechanics::Writer;
use stages::Digits;

/// All families of methods, in the order in which they are listed: the one list. It stands beside `mod`, so that
/// a new family is a file and two lines here.
static FAMILIES: &[&registry::Family] = &[
    &tables::FAMILY,
    &multistep::FAMILY,
    &compositions::FAMILY,
    &canonical::FAMILY,
    &grouped::FAMILY,
    &dirac::FAMILY,
    &index_two::FAMILY,
    &rattle::FAMILY,
    &alembert::FAMILY,
    &spark::FAMILY,
    &projection::FAMILY,
    &baumgarte::FAMILY,
    &gear::FAMILY,
    &alpha::FAMILY,
    &energy::FAMILY,
    &damped::FAMILY,
    &variational::FAMILY,
    &variational::DIRAC,
    &degenerate::FAMILY,
    &lie::FAMILY,
    &poisson::FAMILY,
    &port::FAMILY,
    &adaptive::FAMILY,
];

/// Writes the equations of a scheme for a system and a step.
///
/// ```
/// use isotrope_algebra::{Budget, Rational};
/// use isotrope_model::{ModelText, parse_model};
/// use isotrope_derive::derive;
/// use isotrope_scheme::{EquationScheme, discretise};
/// let file = r#"
///     coordinates = ["x", "y"]
///     lagrangian.L = "(x'^2 + y'^2)/2 - 981/100*y"
///     constraints.rod = "x^2 + y^2 = 1"
///     initial.position = { x = 1, y = 0 }
///     initial.velocity = { x = 0, y = 0 }
/// "#;
/// let model = parse_model(&ModelText::new("pendulum.toml", file.as_bytes())).unwrap();
/// let system = derive(model, &mut Budget::new(1_000_000)).unwrap();
/// let step = "1/100".parse::<Rational>().unwrap();
/// let budget = &mut Budget::new(1_000_000);
/// let scheme = EquationScheme::named("dirac-1-position", budget).unwrap().unwrap();
/// let equations = discretise(&system, &scheme, &step, budget)?;
/// // Positions and velocities are eliminated: the multiplier is the only unknown.
/// assert_eq!(equations.unknowns.len(), 1);
/// # Ok::<(), isotrope_scheme::DiscretiseError>(())
/// ```
pub fn discretise(
    system: &System,
    scheme: &EquationScheme,
    step: &Rational,
    budget: &mut Budget,
) -> Result<Equations, DiscretiseError> {
    if let (Some(group), Some(recipe)) = (system.mechanics.group(), scheme.group_recipe()) {
        let mut writer = lie::Writer::new(system, group, step, budget)?;
        lie::write(&mut writer, recipe)?;
        return Ok(writer.finish());
    }
    Ok(written(system, scheme, step, budget, |_| ())?.0)
}

/// The equations of a scheme in coordinates, and what was prepared for them.
fn written<T>(
    system: &System,
    scheme: &EquationScheme,
    step: &Rational,
    budget: &mut Budget,
    prepare: impl FnOnce(&mut Writer<'_>) -> T,
) -> Result<(Equations, T), DiscretiseError> {
    if let Some(phase) = phase::space(system, scheme, budget)? {
        let mut writer = Writer::new(&phase, step, budget)?;
        let prepared = prepare(&mut writer);
        scheme.write(&mut writer)?;
        let mut equations = writer.finish()?;
        phase::in_positions_and_momenta(&mut equations, &phase, budget)?;
        return Ok((equations, prepared));
    }
    let gauge = magnetic::gauge(system, scheme)?;
    let mechanics = gauge.map_or(&system.mechanics, |_| system.canonical());
    let mut writer = Writer::of(system, mechanics, step, budget)?;
    let prepared = prepare(&mut writer);
    scheme.write(&mut writer)?;
    let mut equations = writer.finish()?;
    if let Some(theta) = gauge {
        magnetic::in_kinetic_momenta(&mut equations, &system.symbols, theta, budget)?;
    }
    Ok((equations, prepared))
}

/// Writes the equations of a Runge–Kutta method on v = f(q, t), for a Lagrangian that is affine in the
/// velocities.
pub fn discretise_first_order(
    system: &System,
    table: &Table,
    step: &Rational,
    budget: &mut Budget,
) -> Result<Equations, DiscretiseError> {
    let mut writer = Writer::new(system, step, budget)?;
    degenerate::table(&mut writer, table)?;
    Ok(writer.finish()?)
}

/// Writes the equations of a Runge–Kutta method or a composition in (q, p), on Hamilton's equations.
pub fn discretise_canonical(
    system: &System,
    steps: &Steps,
    step: &Rational,
    budget: &mut Budget,
) -> Result<Equations, DiscretiseError> {
    let mut writer = Writer::new(system, step, budget)?;
    match steps {
        Steps::Table(table) => canonical::table(&mut writer, table)?,
        Steps::Composition(composed) => canonical::composition(&mut writer, composed)?,
        Steps::Adaptive | Steps::Equations(_) => {
            return Err(DiscretiseError::NotApplicable {
                reason: "only Runge–Kutta methods and compositions of them run in (q, p)",
            });
        }
    }
    Ok(writer.finish()?)
}

/// Why schemes for coordinates make no steps on Lie groups.
pub const NO_COORDINATES: &str = lie::NO_COORDINATES;

/// The same for all steps at once, h being a symbol, and for numbers of this many bits.
pub fn discretise_for_all_steps(
    system: &System,
    scheme: &EquationScheme,
    bits: u32,
    budget: &mut Budget,
) -> Result<(Equations, ExprId), DiscretiseError> {
    if let (Some(group), Some(recipe)) = (system.mechanics.group(), scheme.group_recipe()) {
        let mut writer = lie::Writer::new(system, group, &Rational::ONE, budget)?;
        let h = step_symbol(&mut writer.pool);
        (writer.h, writer.digits) = (h, Digits::Bits(bits));
        lie::write(&mut writer, recipe)?;
        return Ok((writer.finish(), h));
    }
    written(system, scheme, &Rational::ONE, budget, |writer| {
        let h = step_symbol(&mut writer.pool);
        (writer.h, writer.digits) = (h, Digits::Bits(bits));
        h
    })
}

/// h, or a name like it.
fn step_symbol(pool: &mut Pool) -> ExprId {
    let mut name = "h".to_owned();
    while pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    pool.symbol(&name)
}
