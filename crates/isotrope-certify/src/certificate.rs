//! What is known of a method, and how.

use serde::{Deserialize, Serialize};

use super::cost::Cost;
use super::in_state_space::StateOrders;
use super::on_groups::GroupOrders;
use super::simplifying::Simplifying;
use isotrope_methods::classes::{Class, DiracDefects, Part};
use isotrope_methods::table::Entry;

/// A method together with what [`certify`](super::certify) computed of it.
///
/// Nothing outside this crate builds one: a method in a list of `Certified` methods has been
/// through the computation, now or when the [stored certificates](crate::stored) were written.
///
/// ```compile_fail
/// use isotrope_certify::{Certificate, Certified};
/// fn forge(certificate: Certificate) -> Certified<&'static str> {
///     Certified { method: "my method", certificate }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Certified<M> {
    method: M,
    certificate: Certificate,
}

impl<M> Certified<M> {
    /// What was computed just now.
    pub(crate) fn new(method: M, certificate: Certificate) -> Self {
        Self { method, certificate }
    }

    /// What was computed before, of a method with the same fingerprint or, for a scheme that comes
    /// with the program, of the same name: tests compare every stored fingerprint with the scheme.
    pub(crate) fn recalled(method: M, certificate: Certificate) -> Self {
        Self { method, certificate }
    }

    /// The method.
    pub fn method(&self) -> &M {
        &self.method
    }

    /// What was computed.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    pub(crate) fn map<N>(self, change: impl FnOnce(M) -> N) -> Certified<N> {
        Certified { method: change(self.method), certificate: self.certificate }
    }
}

/// The exponent m of a local defect O(hᵐ).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum DefectOrder {
    /// O(hᵐ) for the whole class and, for some problem of it, not better.
    Exactly(usize),
    /// Exactly zero for the whole class, by an algebraic condition on the table; of schemes that
    /// are written as equations: zero to more digits than any power of h that could be seen.
    Infinite,
    /// Zero below hᵐ on every problem that was tried; no condition decides beyond.
    AtLeast(usize),
}

impl DefectOrder {
    /// Is a claimed exponent within what was found? `None` claims infinity, and is the answer where
    /// it is not decided.
    pub fn allows(self, claimed: Option<usize>) -> Option<bool> {
        match (self, claimed) {
            (Self::Infinite, _) => Some(true),
            (Self::Exactly(m) | Self::AtLeast(m), Some(claimed)) if claimed <= m => Some(true),
            (Self::Exactly(_), _) => Some(false),
            (Self::AtLeast(_), _) => None,
        }
    }
}

impl std::fmt::Display for DefectOrder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly(m) => write!(formatter, "{m}"),
            Self::Infinite => formatter.write_str("inf"),
            Self::AtLeast(m) => write!(formatter, ">={m}"),
        }
    }
}

/// Text that is not an exponent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an exponent: 5, inf or >=5")]
pub struct NotAnExponent(pub String);

impl std::str::FromStr for DefectOrder {
    type Err = NotAnExponent;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, NotAnExponent> {
        let number = |digits: &str| digits.parse().map_err(|_| NotAnExponent(text.to_owned()));
        match text.strip_prefix(">=") {
            Some(digits) => number(digits).map(Self::AtLeast),
            None if text == "inf" => Ok(Self::Infinite),
            None => number(text).map(Self::Exactly),
        }
    }
}

impl From<DefectOrder> for String {
    fn from(order: DefectOrder) -> Self {
        order.to_string()
    }
}

impl TryFrom<String> for DefectOrder {
    type Error = NotAnExponent;

    fn try_from(text: String) -> Result<Self, NotAnExponent> {
        text.parse()
    }
}

/// Orders of a method on one class of systems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassOrders {
    /// The class.
    pub class: Class,
    /// The submanifold {ψ = 0, A v = 0, φ = 0}; `None` where the class has no such structure
    /// but the 2-form.
    pub structure: Option<DefectOrder>,
    /// The structure function with the largest defect, if it is finite.
    pub weakest: Option<Part>,
    /// The 2-form; `None` where the exact flow does not keep it.
    pub form: Option<DefectOrder>,
}

/// How the order of the solution is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Evidence {
    /// All conditions of coloured trees through the order hold, exactly; one of the next order
    /// fails.
    Trees {
        /// How many conditions were checked.
        conditions: usize,
    },
    /// Butcher's simplifying assumptions; the quadrature fails at the next order.
    Simplifying {
        /// How far they hold.
        assumptions: Simplifying,
        /// The method is symmetric, so its order is even.
        symmetric: bool,
    },
    /// The conditions of linear multistep methods, with the root condition.
    Multistep {
        /// Dahlquist's root condition.
        zero_stable: bool,
    },
    /// The words of a symmetric composition.
    Composition {
        /// Steps of the base method.
        steps: usize,
    },
    /// Exact Taylor expansion on random problems over a prime field.
    Expansion {
        /// Problems.
        problems: usize,
        /// The probability that a nonzero value was taken for zero is at most 2^-bits.
        bits: u32,
    },
    /// Very small steps in long numbers, on a problem of each class.
    SmallSteps {
        /// Problems.
        problems: usize,
        /// Digits of the numbers.
        digits: u32,
        /// Digits to which a defect that is called zero is zero.
        zero: u32,
    },
}

/// What is known of a method; by default nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Certificate {
    /// The order of the solution; `None`: not certified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<usize>,
    /// How it is known; `None`: not certified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The first condition of the next order that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_failing_tree: Option<String>,
    /// Orders of the structures, class by class; empty: not certified.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassOrders>,
    /// The same on Lie groups; empty: it makes no steps there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupOrders>,
    /// The same in state space; empty: it makes no steps there, or they were not examined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<StateOrders>,
    /// The defect of the energy on the widest class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<DefectOrder>,
    /// Is the method its own adjoint? `None`: not certified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetric: Option<bool>,
    /// What a step costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Coefficients that can be given all but finitely many values without changing what stands
    /// above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub free_directions: Vec<Entry>,
    /// Were all coefficients tried? Large tables have too many.
    #[serde(skip_serializing_if = "is_false")]
    pub free_directions_complete: bool,
    /// Local defects of schemes that are not tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<LocalDefects>,
    /// Random problems that stand behind the finite and "at least" orders, and a bound 2^-bits
    /// for the probability that a nonzero value was taken for zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
    /// Does a step depend on more of the past than positions, velocities and momenta? Of schemes
    /// that are written as equations.
    #[serde(skip_serializing_if = "is_false")]
    pub history: bool,
    /// Are errors measured elsewhere than where a step ends? Of schemes that are written as
    /// equations.
    #[serde(skip_serializing_if = "is_false")]
    pub staggered: bool,
}

/// What is not said is not written either.
fn is_false(value: &bool) -> bool {
    !value
}

/// Local defects of a scheme from the discrete Dirac structure, class by class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalDefects {
    /// What was found.
    pub classes: Vec<(Class, DiracDefects)>,
    /// The highest power of h that was examined.
    pub looked_at: usize,
}

/// How much was sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// The number of random problems.
    pub problems: usize,
    /// The failure probability is at most 2^-bits.
    pub bits: u32,
}

impl Certificate {
    /// The orders on one class.
    pub fn on(&self, class: Class) -> Option<&ClassOrders> {
        self.classes.iter().find(|orders| orders.class == class)
    }
}
