//! Which methods suit a system: which structure it has, what methods are certified to keep, and what
//! their steps cost here.
//!
//! Nothing is known by name. A method is judged by its certificate on the class of the system; whether it
//! applies, and how many operations its step takes, is seen by writing its step for the system. Of all that
//! play the same part (keep the structure with order 2, balance the energy, are explicit, …) the one with the
//! least work is listed.

mod facts;
mod judged;
mod text;

use isotrope_algebra::Rational;
use isotrope_derive::System;
use isotrope_kernel::stepper::Field;
use isotrope_scheme::{Listed, Method};
use schemars::JsonSchema;
use serde::Serialize;

pub use facts::Facts;
pub use judged::{Judged, Keeps, judge};

use judged::Role;
pub(crate) use judged::{in_words, kept};

/// The most methods that are listed.
pub const MOST: usize = 8;

/// Methods for a system, the best first.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Recommendation {
    /// The name of the model.
    pub model: String,
    /// What was found of the system.
    pub system: Facts,
    /// The methods, the best first: at most eight.
    pub methods: Vec<Recommended>,
}

/// A method that suits a system.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Recommended {
    /// Its place in the list.
    pub rank: usize,
    /// Its name.
    pub name: String,
    /// Its computed order; none if it chooses its steps.
    pub order: Option<usize>,
    /// Is it its own adjoint?
    pub symmetric: Option<bool>,
    /// Is a step computed without solving equations, on this system?
    pub explicit: bool,
    /// Operations of an explicit step, or of one round of the iteration, on this system.
    pub operations: usize,
    /// What it is certified to keep of this system, exactly.
    pub keeps: Vec<Keeps>,
    /// What it is in the list for.
    pub role: &'static str,
    /// Why it is there.
    pub reason: String,
    #[serde(skip)]
    #[expect(missing_docs, reason = "the method itself, for those who run it")]
    pub method: Method,
}

/// The methods for a system. The cost of examining a candidate is limited: one whose step is too long to
/// be written within these operations is left out.
#[must_use]
pub fn recommend(
    model: &str,
    (system, field): (&System, &Field),
    step: &Rational,
    operations: u64,
) -> Recommendation {
    let facts = Facts::of(system, field);
    let candidates: Vec<Listed> =
        Listed::all().into_iter().filter(|one| facts.may_take(one)).collect();
    let judged = crate::parallel::map(&candidates, |one| {
        judge((system, field), &facts, one, step, operations)
    });
    let mut judged: Vec<Judged> = once(judged.into_iter().flatten().collect());
    judged.sort_by(|one, other| one.work().total_cmp(&other.work()));
    let mut chosen: Vec<(Role, usize)> = Vec::new();
    for role in Role::ALL {
        if chosen.len() == MOST {
            break;
        }
        let fits = |k: &usize| role.fits(&judged[*k], &facts);
        let first = (0..judged.len()).find(fits);
        if let Some(first) = first.filter(|first| chosen.iter().all(|(_, known)| known != first)) {
            chosen.push((role, first));
        }
    }
    let tier = |k: usize| judged[k].tier(&facts);
    chosen.sort_by(|(_, one), (_, other)| {
        tier(*one).cmp(&tier(*other)).then(judged[*one].work().total_cmp(&judged[*other].work()))
    });
    let methods = chosen.into_iter().enumerate().map(|(k, (role, index))| {
        let judged = &judged[index];
        Recommended {
            rank: k + 1,
            name: judged.method.name().to_owned(),
            order: judged.order,
            symmetric: judged.symmetric,
            explicit: judged.explicit,
            operations: judged.operations,
            keeps: judged.keeps.clone(),
            role: role.name(),
            reason: judged.reason(role, &facts),
            method: judged.method.clone(),
        }
    });
    Recommendation { model: model.to_owned(), methods: methods.collect(), system: facts }
}

/// Of methods whose steps are the same programs here, the first.
fn once(all: Vec<Judged>) -> Vec<Judged> {
    let mut kept: Vec<Judged> = Vec::with_capacity(all.len());
    for one in all {
        if !kept.iter().any(|known| known.program == one.program && one.program.is_some()) {
            kept.push(one);
        }
    }
    kept
}
