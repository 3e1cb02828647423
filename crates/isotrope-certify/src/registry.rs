//! The methods that come with the program. A method is in the list with its certificate or not
//! at all: the list holds [`Certified`] values, and only the computation makes those.

use std::collections::BTreeSet;

use isotrope_algebra::modular::{PRIME, Random};
use isotrope_algebra::{Budget, Rational};

use super::certificate::{Certificate, Certified, Evidence, LocalDefects};
use super::composed::{ComposedError, certify_composition};
use super::cost::Cost;
use super::multistep::Multistep;
use super::small_steps::{EquationMethod, SmallStepError, certify_scheme};
use super::table::{CertifyError, certify};
use isotrope_methods::classes::{
    Class, ClassError, DiracScheme, PrimeField, vanishing_probability,
};
use isotrope_methods::table::{Table, TableProblem, catalogue_names};
use isotrope_methods::{ALIASES, COMPOSITIONS, Composed, named_composition, named_table};
use isotrope_scheme::EquationScheme;

/// A method of the registry.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// One table, or one for each group.
    Table(Table),
    /// A linear multistep method.
    Multistep(Multistep),
    /// A symmetric composition.
    Composition(Composed),
    /// A scheme from the discrete Dirac structure.
    Dirac(DiracScheme),
    /// Another scheme that is written as equations.
    Equations(Box<EquationMethod>),
}

impl Method {
    /// The name by which it is asked for.
    pub fn name(&self) -> &str {
        match self {
            Self::Table(table) => &table.name,
            Self::Multistep(multistep) => &multistep.name,
            Self::Composition(composed) => &composed.name,
            Self::Dirac(scheme) => scheme.name(),
            Self::Equations(method) => method.scheme.name(),
        }
    }

    /// The family it belongs to.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Table(table) if table.is_one_table() => "runge-kutta",
            Self::Table(_) => "partitioned-runge-kutta",
            Self::Multistep(_) => "multistep",
            Self::Composition(_) => "composition",
            Self::Dirac(_) => "dirac",
            Self::Equations(method) => method.scheme.family(),
        }
    }

    /// What it is, in a line, where the name does not say it.
    pub fn about(&self) -> Option<&'static str> {
        if let Self::Equations(method) = self {
            return Some(method.scheme.about());
        }
        ABOUT.iter().find(|(name, _)| *name == self.name()).map(|(_, about)| *about)
    }

    /// The systems it makes sense for.
    pub fn applies_to(&self) -> &'static str {
        match self {
            Self::Table(table) if table.is_one_table() => "any first-order system",
            Self::Multistep(_) => "any first-order system",
            Self::Table(_) | Self::Composition(_) => "systems q' = v, v' = f(q,v), p' = g(q,v)",
            Self::Dirac(DiracScheme::FirstPosition) => "Lagrangian systems, holonomic constraints",
            Self::Dirac(_) => "Lagrangian systems",
            Self::Equations(method) => method.applies_to(),
        }
    }
}

impl From<Certified<Table>> for Certified<Method> {
    fn from(certified: Certified<Table>) -> Self {
        certified.map(Method::Table)
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
    /// A member of a family beyond what is certified in seconds.
    #[error("it has {stages} stages, and methods are certified up to {MOST_STAGES}")]
    Stages {
        /// Its stages.
        stages: usize,
    },
}

/// Beyond this many stages a certificate takes more than seconds.
pub const MOST_STAGES: usize = 12;

/// What names stand for.
const ABOUT: [(&str, &str); 24] = [
    ("symplectic-euler", "q first: q + h v, then v + h f at the new q"),
    ("symplectic-euler-adjoint", "v first (semi-implicit Euler), then q + h v with the new v"),
    ("explicit-midpoint", "Runge's method of 1895"),
    ("ps3", "pseudo-symplectic with three stages, after Aubry and Chartier (1998)"),
    ("rk38", "Kutta's 3/8 rule"),
    ("gill", "Gill's method of 1951"),
    ("dormand-prince", "the fifth-order solution of the pair of Dormand and Prince (1980)"),
    ("edirk2", "an explicit and an implicit stage"),
    ("sdirk-alexander-2", "singly diagonally implicit, L-stable (Alexander 1977)"),
    ("sdirk-alexander-3", "singly diagonally implicit, L-stable (Alexander 1977)"),
    ("sdirk-crouzeix-2", "singly diagonally implicit, A-stable (Crouzeix, Nørsett)"),
    ("sdirk-crouzeix-3", "singly diagonally implicit, A-stable (Crouzeix, Nørsett)"),
    (
        "sv",
        "Störmer–Verlet on the field with eliminated multipliers; RATTLE on quadratic constraints",
    ),
    ("semi2-m4", "two explicit stages with different tables for q and v"),
    ("sphere-explicit-1-4", "explicit, order 1, but the sphere is kept to fourth order"),
    ("verlet", "the same as sv"),
    ("rkd-midpoint", "Runge–Kutta–Dirac: midpoint with p carried along"),
    ("rkd-trapezoid", "Runge–Kutta–Dirac: trapezoid with p carried along"),
    ("rkd-lobatto", "Runge–Kutta–Dirac: lobatto-iiia-iiib-2 with p carried along"),
    ("ab3", "the explicit Adams method with three steps"),
    ("yoshida-4", "triple jump"),
    ("yoshida-6", "solution A of order 6 of Yoshida (1990)"),
    ("yoshida-8", "solution A of order 8 of Yoshida (1990)"),
    ("suzuki-umeno-8", "smaller steps than yoshida-8 (Suzuki and Umeno 1993, McLachlan 1995)"),
];

/// The names of all methods, in the order of the list.
pub fn method_names() -> Vec<String> {
    let mut names = catalogue_names();
    names.extend(ALIASES.iter().map(|(alias, _)| (*alias).to_owned()));
    names.push("ab3".to_owned());
    names.extend(COMPOSITIONS.iter().map(|(name, ..)| (*name).to_owned()));
    names.extend(DiracScheme::ALL.iter().map(|scheme| scheme.name().to_owned()));
    let known: BTreeSet<String> = names.iter().cloned().collect();
    let elsewhere = EquationScheme::names_only_in_state_space();
    names.extend(
        EquationScheme::names()
            .into_iter()
            .filter(|name| !known.contains(name) && !elsewhere.contains(name)),
    );
    names
}

/// The method of that name with its certificate; `None` if there is none of that name.
pub fn method(name: &str, budget: &mut Budget) -> Option<Result<Certified<Method>, RegistryError>> {
    if let Some(table) = named_table(name, budget).transpose() {
        return Some(certify_entry(table, budget));
    }
    if name == "ab3" {
        return Some(certify_multistep(Multistep::adams_bashforth(3), budget));
    }
    if let Some(composed) = named_composition(name, budget).transpose() {
        return Some(composition(composed, budget));
    }
    if let Some(scheme) = DiracScheme::ALL.into_iter().find(|scheme| scheme.name() == name) {
        return Some(certify_dirac(scheme));
    }
    let scheme = EquationScheme::named(name, budget).transpose()?;
    Some(scheme.map_err(RegistryError::from).and_then(|scheme| {
        let certified = certify_scheme(scheme, budget)?;
        Ok(certified.map(|method| Method::Equations(Box::new(method))))
    }))
}

fn certify_entry(
    table: Result<Table, TableProblem>,
    budget: &mut Budget,
) -> Result<Certified<Method>, RegistryError> {
    let table = table?;
    if table.stages > MOST_STAGES {
        return Err(RegistryError::Stages { stages: table.stages });
    }
    Ok(certify(table, budget)?.map(Method::Table))
}

fn composition(
    composed: Result<Composed, TableProblem>,
    budget: &mut Budget,
) -> Result<Certified<Method>, RegistryError> {
    Ok(certify_composition(composed?, budget)?.map(Method::Composition))
}

/// The conditions of multistep methods; structure orders are not certified.
fn certify_multistep(
    multistep: Multistep,
    budget: &mut Budget,
) -> Result<Certified<Method>, RegistryError> {
    let zero_stable = multistep.is_zero_stable(budget).map_err(CertifyError::from)?;
    let explicit = multistep.is_explicit();
    let certificate = Certificate {
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
    };
    Ok(Certified::new(Method::Multistep(multistep), certificate))
}

/// Powers of h that are looked at, and random problems of each class.
const DIRAC_ORDER: usize = 5;
const DIRAC_PROBLEMS: usize = 4;

/// Exact Taylor expansion of one step on random problems of every class.
fn certify_dirac(scheme: DiracScheme) -> Result<Certified<Method>, RegistryError> {
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
    let certificate = Certificate {
        order,
        evidence: Some(Evidence::Expansion { problems, bits }),
        local: Some(LocalDefects { classes: local, looked_at: DIRAC_ORDER }),
        ..Certificate::default()
    };
    Ok(Certified::new(Method::Dirac(scheme), certificate))
}
