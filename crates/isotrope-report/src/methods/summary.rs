//! What is known of a method, as a record.

use isotrope_certify::{
    Certificate, ClassOrders, DefectOrder, GroupOrders, LocalDefects, StateOrders, applies_to,
    keeps_canonical_form,
};
use isotrope_methods::classes::{Class, Defect, DiracDefects};
use isotrope_methods::table::Entry;
use isotrope_scheme::{Method, Steps, Theory};
use schemars::JsonSchema;
use serde::Serialize;

use super::evidence;
use crate::json::{Exponent, Named};

/// A method with what was computed of it. Exponents are those of local defects O(h^m), by classes of
/// systems; what does not apply is `null`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MethodRecord {
    /// Its name.
    name: String,
    /// A line about it.
    about: Option<&'static str>,
    /// Where it was published.
    citation: Option<&'static str>,
    /// Its family.
    family: &'static str,
    /// What fixes it within its family.
    parameters: ParametersRecord,
    /// Systems that it makes steps for.
    applies_to: &'static str,
    /// The order of the solution.
    order: Option<usize>,
    /// Constraints and p = dL/dv.
    structure: Named<Option<Exponent>>,
    /// The 2-form on the constraint manifold, of steps in (q, v): `symplectic` is the class of systems with a
    /// constant mass matrix and no constraints.
    form: Named<Option<Exponent>>,
    /// dq∧dp of every H(q, p, t), of steps in (q, p): `inf` where that is proved.
    canonical_form: Option<Exponent>,
    /// The momentum of space, on Lie groups.
    momentum: Named<Option<Exponent>>,
    /// The energy, on Lie groups.
    energy_on_groups: Named<Option<Exponent>>,
    /// Orders in state space.
    state_space: Named<StateRecord>,
    /// The energy, on the widest class.
    energy: Option<Exponent>,
    /// Is the method its own adjoint?
    symmetric: Option<bool>,
    /// Can the stages be computed one after the other?
    explicit: Option<bool>,
    /// Stages that need an equation solved.
    implicit_stages: Option<usize>,
    /// The first condition of the next order that fails.
    first_failing_tree: Option<String>,
    /// How the order is known.
    evidence: String,
    /// The order that was published.
    published: Option<PublishedRecord>,
    /// The structure function with the largest defect.
    weakest: Named<&'static str>,
    /// Is it explicit where f does not depend on v?
    explicit_for_potential_forces: Option<bool>,
    /// Stages after equal ones are merged and unused ones dropped.
    effective_stages: Option<usize>,
    /// Sizes of the systems of stages that are solved together, largest first.
    implicit_systems: Option<Vec<usize>>,
    /// Coefficients that can be given all but finitely many values without changing the orders.
    free_directions: Vec<String>,
    /// Were all coefficients tried?
    free_directions_complete: bool,
    /// Random problems behind finite exponents.
    sampled_problems: Option<usize>,
    /// A bound for the probability that a nonzero value was taken for zero.
    failure_probability: Option<f64>,
    /// Local defects of schemes that are not tables.
    local: Option<Named<LocalRecord>>,
}

/// What fixes a method within its family.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum ParametersRecord {
    /// Of a multistep method.
    Multistep {
        /// Steps of the formula.
        steps: usize,
    },
    /// Of a scheme that is expanded.
    Expansion {
        /// Does it need two positions to start?
        two_step: bool,
    },
    /// Of a table.
    Table {
        /// Stages.
        stages: usize,
    },
    /// Of a composition.
    Composition {
        /// The method that is composed.
        base: String,
        /// Its steps.
        steps: usize,
    },
    /// Of a scheme that is written as equations.
    Equations {
        /// Does a step depend on more of the past than positions, velocities and momenta?
        history: bool,
        /// Are errors measured elsewhere than where a step ends?
        staggered: bool,
    },
}

/// Orders on a class of systems in state space.
#[derive(Debug, JsonSchema, Serialize)]
struct StateRecord {
    /// The solution.
    order: Exponent,
    /// The energy.
    energy: Exponent,
    /// The Poisson bracket.
    bracket: Option<Exponent>,
    /// The Casimir functions.
    casimirs: Option<Exponent>,
    /// Is the method its own adjoint?
    symmetric: Option<bool>,
}

/// The order that was published.
#[derive(Debug, JsonSchema, Serialize)]
struct PublishedRecord {
    /// The order.
    order: usize,
    /// Where.
    source: &'static str,
    /// Is the computed order as high?
    holds: Option<bool>,
}

/// Exponents of local defects on a class; `>m` where none was seen up to h^m.
#[derive(Debug, JsonSchema, Serialize)]
struct LocalRecord {
    /// Positions.
    q: Option<Exponent>,
    /// Velocities.
    v: Option<Exponent>,
    /// Constraints of velocities.
    phi_v: Option<Exponent>,
    /// Constraints of positions.
    phi_q: Option<Exponent>,
    /// The energy.
    energy: Option<Exponent>,
}

impl MethodRecord {
    /// What is known of a method.
    pub(super) fn new(method: &Method, certificate: &Certificate) -> Self {
        let cost = certificate.cost.as_ref();
        let sampling = certificate.sampling;
        Self {
            name: method.name().to_owned(),
            about: method.about(),
            citation: method.citation(),
            family: method.family(),
            parameters: ParametersRecord::new(method, certificate),
            applies_to: applies_to(method, certificate),
            order: certificate.order,
            structure: by_class(certificate, |on| on.structure, |on| Some(on.structure)),
            form: by_class(certificate, |on| on.form, |on| on.form),
            canonical_form: (keeps_canonical_form(method) == Some(true))
                .then(|| Exponent::from(DefectOrder::Infinite)),
            momentum: on_groups(certificate, |on| on.momentum).collect(),
            energy_on_groups: on_groups(certificate, |on| Some(on.energy)).collect(),
            state_space: certificate.state.iter().map(StateRecord::named).collect(),
            energy: certificate.energy.map(Exponent::from),
            symmetric: certificate.symmetric,
            explicit: cost.map(|cost| cost.explicit),
            implicit_stages: cost.map(|cost| cost.implicit_stages()),
            first_failing_tree: certificate.first_failing_tree.clone(),
            evidence: evidence(certificate),
            published: PublishedRecord::of(method, certificate),
            weakest: weakest(certificate),
            explicit_for_potential_forces: cost.map(|cost| cost.explicit_for_potential_forces),
            effective_stages: cost.map(|cost| cost.stages),
            implicit_systems: cost.map(|cost| cost.systems.clone()),
            free_directions: certificate.free_directions.iter().map(Entry::to_string).collect(),
            free_directions_complete: certificate.free_directions_complete,
            sampled_problems: sampling.map(|sampling| sampling.problems),
            // Below the smallest double it is zero.
            failure_probability: sampling
                .map(|sampling| 0.5_f64.powi(i32::try_from(sampling.bits).unwrap_or(i32::MAX))),
            local: certificate.local.as_ref().map(local),
        }
    }
}

impl ParametersRecord {
    fn new(method: &Method, certificate: &Certificate) -> Self {
        match (method.theory(), method.steps()) {
            (Theory::Multistep(multistep), _) => {
                Self::Multistep { steps: multistep().alpha.len() - 1 }
            }
            (Theory::Expansion(scheme), _) => Self::Expansion { two_step: scheme.is_two_step() },
            (_, Steps::Table(table)) => Self::Table { stages: table.stages },
            (_, Steps::Composition(composed)) => Self::Composition {
                base: composed.base.name.clone(),
                steps: composed.composition.length(),
            },
            (_, Steps::Equations(_) | Steps::Adaptive) => {
                Self::Equations { history: certificate.history, staggered: certificate.staggered }
            }
        }
    }
}

/// Exponents on Lie groups, by class.
fn on_groups(
    certificate: &Certificate,
    of: fn(&GroupOrders) -> Option<DefectOrder>,
) -> impl Iterator<Item = (String, Option<Exponent>)> {
    let named = move |on: &GroupOrders| (on.class.name().to_owned(), of(on).map(Exponent::from));
    certificate.groups.iter().map(named)
}

/// Exponents of all classes, and of those on Lie groups that were examined.
fn by_class(
    certificate: &Certificate,
    of: fn(&ClassOrders) -> Option<DefectOrder>,
    of_group: fn(&GroupOrders) -> Option<DefectOrder>,
) -> Named<Option<Exponent>> {
    let exponent = |class: Class| certificate.on(class).and_then(of).map(Exponent::from);
    let classes = Class::ALL.into_iter().map(|class| (class.name().to_owned(), exponent(class)));
    classes.chain(on_groups(certificate, of_group)).collect()
}

fn weakest(certificate: &Certificate) -> Named<&'static str> {
    let classes = certificate.classes.iter().map(|on| (on.class.name(), on.weakest));
    let groups = certificate.groups.iter().map(|on| (on.class.name(), on.weakest));
    classes.chain(groups).filter_map(|(class, weakest)| Some((class, weakest?.name()))).collect()
}

impl StateRecord {
    fn named(on: &StateOrders) -> (&'static str, Self) {
        let record = Self {
            order: on.order.into(),
            energy: on.energy.into(),
            bracket: on.bracket.map(Exponent::from),
            casimirs: on.casimirs.map(Exponent::from),
            symmetric: on.symmetric,
        };
        (on.class.name(), record)
    }
}

impl PublishedRecord {
    fn of(method: &Method, certificate: &Certificate) -> Option<Self> {
        let claim = method.published_claim()?;
        Some(Self {
            order: claim.order,
            source: claim.source,
            holds: certificate.order.map(|order| order >= claim.order),
        })
    }
}

fn local(local: &LocalDefects) -> Named<LocalRecord> {
    let power = |of: Defect| match of {
        Defect::Order(power) => Some(Exponent::Power(power as u64)),
        Defect::None => Some(Exponent::Bound(format!(">{}", local.looked_at))),
        Defect::NotApplicable => None,
    };
    let record = |(class, defects): &(Class, DiracDefects)| {
        let record = LocalRecord {
            q: power(defects.position),
            v: power(defects.velocity),
            phi_v: power(defects.phi_v),
            phi_q: power(defects.phi_q),
            energy: power(defects.energy),
        };
        (class.name(), record)
    };
    local.classes.iter().map(record).collect()
}
