//! What `derive` answers.

use isotrope_derive::{Analysis, ConstraintKind, System};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::conservation::{
    ConservedRecord, LostRecord, MomentumEquationRecord, ReductionRecord, SearchedRecord,
    conserved, lost, momentum_equations, reduction, searched,
};
use super::geometry::{DiracRecord, DistributionRecord, dirac, distribution};
use super::mechanics::{MechanicsRecord, mechanics_record};
use super::singular::{self, ChainRecord};
use super::{Expression, Named, expression, nonzero, optional, value};
use crate::sections::magnetic::{self, MagneticRecord};

/// What `isotrope derive` answers. Every expression is text that parses back, or `null` if it is
/// too long to be written.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DerivationRecord {
    /// The name of the model.
    name: String,
    /// What its author says about it.
    description: Option<String>,
    /// The coordinates q.
    coordinates: Vec<String>,
    /// Values of the parameters.
    parameters: Named<Expression>,
    /// The magnetic 2-form.
    magnetic: Option<MagneticRecord>,
    #[serde(flatten)]
    mechanics: MechanicsRecord,
    /// The constraint chain of a singular Lagrangian.
    #[serde(flatten)]
    singular: Option<ChainRecord>,
    /// Admissible velocities.
    distribution: DistributionRecord,
    /// The Dirac structure on the phase space.
    dirac: DiracRecord,
    /// What is conserved.
    conserved: Vec<ConservedRecord>,
    /// Among which functions that was sought.
    searched: Vec<SearchedRecord>,
    /// What the Lagrangian alone would conserve.
    lost_momenta: Vec<LostRecord>,
    /// How momenta along admissible symmetries change.
    momentum_equations: Vec<MomentumEquationRecord>,
    /// dE/dt, where it is not zero.
    energy_rate: Expression,
    /// The equations without their symmetries.
    reduction: Option<ReductionRecord>,
    /// Why there are no reduced equations although there are symmetries to divide by.
    #[serde(skip_serializing_if = "Option::is_none")]
    reduction_too_long: Option<String>,
}

/// The report as JSON.
pub fn to_json(system: &mut System, analysis: &Analysis) -> Value {
    value(&DerivationRecord::new(system, analysis))
}

impl DerivationRecord {
    fn new(system: &mut System, analysis: &Analysis) -> Self {
        let model = &system.model;
        let names: Vec<String> = system.symbols.names.clone();
        let symbols = system.symbols.clone();
        let (name, description) = (model.name.clone(), model.description.clone());
        let parameters = model
            .parameters
            .iter()
            .map(|p| (p.name.clone(), expression(&model.pool, p.value)))
            .collect();
        let magnetic = system.magnetic.clone().map(|magnetic| {
            let pool = &mut system.model.pool;
            let force = magnetic.force(pool, &symbols);
            let found = magnetic::record(pool, &names, &magnetic);
            MagneticRecord { force: Some(nonzero(pool, &names, &force)), ..found }
        });
        let kind = system.mechanics.clone();
        let mechanics = mechanics_record(system, analysis);
        let rows = kind.constrained().map(|(_, rows)| rows);
        let pool = &mut system.model.pool;
        let distribution = distribution(pool, &names, rows, &analysis.distribution);
        // Independent constraints, linear in the velocities, give a structure of half dimension;
        // of large systems the generators are not written.
        let phase_space = kind.has_momenta();
        let linear = phase_space
            && analysis.distribution.kinds.iter().all(|kind| kind.0 != ConstraintKind::Chetaev);
        let rank = linear.then_some(2 * names.len());
        let dirac = dirac(pool, &names, analysis.dirac.as_ref(), rank);
        let found = &analysis.conservation;
        Self {
            name,
            description,
            parameters,
            magnetic,
            mechanics,
            singular: kind.chain().map(|chain| singular::record(pool, &names, chain)),
            distribution,
            dirac,
            conserved: conserved(pool, &names, found),
            searched: searched(found),
            lost_momenta: lost(pool, found),
            momentum_equations: momentum_equations(pool, &names, found),
            energy_rate: optional(pool, found.energy_rate),
            reduction: match &analysis.reduction {
                Ok(found) => found.as_ref().map(|r| reduction(pool, &names, r)),
                Err(_) => None,
            },
            reduction_too_long: analysis.reduction.as_ref().err().map(ToString::to_string),
            coordinates: names,
        }
    }
}
