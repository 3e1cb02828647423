//! Methods with their certificates. The list is that of [`isotrope_scheme`]; a method has its
//! certificate or is not certified at all, and only the computation makes a certificate.

use isotrope_algebra::modular::{PRIME, Random};
use isotrope_algebra::{Budget, Rational};

use super::certificate::{Certificate, Certified, Evidence, LocalDefects};
use super::composed::{ComposedError, certify_composition};
use super::cost::Cost;
use super::fingerprint::{fingerprint, of_table};
use super::small_steps::{SmallStepError, certify_scheme};
use super::stored;
use super::table::{CertifyError, certify};
use isotrope_methods::classes::{
    Class, ClassError, DiracScheme, PrimeField, vanishing_probability,
};
use isotrope_methods::multistep::Multistep;
use isotrope_methods::table::{Table, TableProblem};
use isotrope_scheme::{Listed, Method, Steps, Theory};

impl From<Certified<Table>> for Certified<Method> {
    fn from(certified: Certified<Table>) -> Self {
        certified.map(Method::of_table)
    }
}

/// Why a method has no certificate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RegistryError {
    /// A table.
    #[error(transparent)]
    Certify(#[from] CertifyError),
    /// A composition.
    #[error(transparent)]
    Composed(#[from] ComposedError),
    /// An expansion.
    #[error(transparent)]
    Class(#[from] ClassError),
    /// The coefficients of a table.
    #[error(transparent)]
    Table(#[from] TableProblem),
    /// Very small steps.
    #[error(transparent)]
    SmallSteps(#[from] SmallStepError),
    /// A method that chooses its steps.
    #[error("it chooses its steps, and certificates are for equal steps")]
    OwnSteps,
    /// A member of a family beyond what is certified in seconds.
    #[error("it has {stages} stages, and only methods of up to {MOST_STAGES} are certified")]
    Stages {
        /// Its stages.
        stages: usize,
    },
}

/// Beyond this many stages a certificate takes more than seconds.
pub const MOST_STAGES: usize = 12;

/// The names of all methods with a certificate, in the order of the list; without those for systems in
/// state space alone, which no class of mechanical systems has.
pub fn method_names() -> Vec<String> {
    let listed = Listed::all().into_iter();
    let shown = listed.filter(|one| one.certified && !one.is_only_in_state_space());
    shown.map(|one| one.name).collect()
}

/// The names of all methods whose certificates are stored: those of [`method_names`], and those for systems
/// in state space.
pub fn stored_names() -> Vec<String> {
    Listed::all().into_iter().filter(|one| one.certified).map(|one| one.name).collect()
}

/// The method of that name with its certificate; `None` if no method that can be certified has it.
///
/// Certificates of the list come with the program; others are computed once in a run.
pub fn method(name: &str, budget: &mut Budget) -> Option<Result<Certified<Method>, RegistryError>> {
    let method = Method::named(name, budget).transpose()?.map_err(RegistryError::from);
    match method {
        Ok(method) if matches!(method.theory(), Theory::Unknown) => None,
        Ok(method) => Some(recalled(method, budget)),
        Err(error) => Some(Err(error)),
    }
}

/// A method with its certificate: of methods of the registry as [`method`] has it, of tables of one's own
/// computed.
pub fn certified(method: Method, budget: &mut Budget) -> Result<Certified<Method>, RegistryError> {
    // A table of one's own may have a name of the list.
    let registered = Method::named(method.name(), budget)?.is_some_and(|known| known == method);
    if registered { recalled(method, budget) } else { computed(method, budget) }
}

/// A method of the registry. Certificates of the list come with the program; others are computed once in a
/// run.
fn recalled(method: Method, budget: &mut Budget) -> Result<Certified<Method>, RegistryError> {
    let known = match stored::of(method.name()) {
        Some(stored) => {
            let cheap = method.equations().is_none();
            let same = !cheap || fingerprint(&method, budget)? == stored.fingerprint;
            same.then_some(stored.certificate)
        }
        None => stored::computed(method.name()),
    };
    if let Some(certificate) = known {
        return Ok(Certified::recalled(method, certificate));
    }
    let certified = computed(method, budget)?;
    stored::keep(certified.method().name(), certified.certificate());
    Ok(certified)
}

/// The order of a table: read where its certificate is stored, or else computed.
pub fn order_of_table(table: &Table, budget: &mut Budget) -> Result<usize, CertifyError> {
    let stored = stored::of(&table.name);
    let known = stored.filter(|stored| stored.fingerprint == of_table(table));
    match known.and_then(|stored| stored.certificate.order) {
        Some(order) => Ok(order),
        None => super::table::order(table, budget),
    }
}

/// A method with its certificate, computed whatever is stored.
pub fn computed(method: Method, budget: &mut Budget) -> Result<Certified<Method>, RegistryError> {
    let certificate = match (method.theory(), method.steps()) {
        (Theory::Unknown, _) | (_, Steps::Adaptive) => return Err(RegistryError::OwnSteps),
        (Theory::Multistep(multistep), _) => certify_multistep(&multistep(), budget)?,
        (Theory::Expansion(scheme), _) => certify_dirac(scheme)?,
        (_, Steps::Table(table)) if table.stages > MOST_STAGES => {
            return Err(RegistryError::Stages { stages: table.stages });
        }
        (_, Steps::Table(table)) => certify(table.as_ref().clone(), budget)?.certificate().clone(),
        (_, Steps::Composition(composed)) => {
            certify_composition(composed.as_ref().clone(), budget)?.certificate().clone()
        }
        (theory, Steps::Equations(scheme)) => certify_scheme(scheme, theory, budget)?,
    };
    Ok(Certified::new(method, certificate))
}

/// The conditions of multistep methods; structure orders are not certified.
fn certify_multistep(
    multistep: &Multistep,
    budget: &mut Budget,
) -> Result<Certificate, RegistryError> {
    let zero_stable = multistep.is_zero_stable(budget).map_err(CertifyError::from)?;
    let explicit = multistep.is_explicit();
    Ok(Certificate {
        // Without zero-stability the method does not converge, whatever its local error.
        order: Some(if zero_stable { multistep.order() } else { 0 }),
        evidence: Some(Evidence::Multistep { zero_stable }),
        symmetric: Some(multistep.is_symmetric()),
        cost: Some(Cost {
            explicit,
            explicit_for_potential_forces: explicit,
            stages: 1,
            systems: if explicit { Vec::new() } else { vec![1] },
        }),
        ..Certificate::default()
    })
}

/// Powers of h that are examined, and random problems of each class.
const DIRAC_ORDER: usize = 5;
const DIRAC_PROBLEMS: usize = 4;

/// Exact Taylor expansion of one step on random problems of every class.
fn certify_dirac(scheme: DiracScheme) -> Result<Certificate, RegistryError> {
    let mut random = Random::new(u64::from(scheme as u8) + 1);
    let Some(field) = PrimeField::new(PRIME) else {
        return Err(ClassError::Singular { attempts: 0 }.into());
    };
    let mut order: Option<usize> = None;
    let mut local = Vec::new();
    let mut probability = Rational::ZERO;
    for class in Class::ALL.into_iter().filter(|&class| scheme.applies_to(class)) {
        let defects = scheme.measure(&field, class, DIRAC_ORDER, DIRAC_PROBLEMS, &mut random)?;
        let found = scheme.order(&defects);
        order = match (order, found) {
            (Some(known), Some(found)) => Some(known.min(found)),
            (known, found) => known.or(found),
        };
        probability = probability.max(vanishing_probability(class, DIRAC_ORDER, PRIME));
        local.push((class, defects));
    }
    let problems = DIRAC_PROBLEMS * local.len();
    let bits = super::structure::bits(&probability);
    Ok(Certificate {
        order,
        evidence: Some(Evidence::Expansion { problems, bits }),
        local: Some(LocalDefects { classes: local, looked_at: DIRAC_ORDER }),
        ..Certificate::default()
    })
}
