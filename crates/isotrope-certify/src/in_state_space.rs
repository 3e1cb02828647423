//! What is known of a method in state space.

use serde::{Deserialize, Serialize};

use super::certificate::DefectOrder;

/// Systems x' = (J − R) ∇H + g u.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateClass {
    /// The canonical bracket, H = T(p) + V(q).
    Separable,
    /// The canonical bracket, any H.
    Canonical,
    /// so(3)*, H a sum of functions of one momentum each.
    Rotations,
    /// so(3)*, any H.
    LiePoisson,
    /// {x_i, x_j} = c_ij x_i x_j, any H.
    Quadratic,
    /// J, R and g that depend on the state, an input of time, any H.
    Port,
}

impl StateClass {
    /// Every class.
    pub const ALL: [Self; 6] = [
        Self::Separable,
        Self::Canonical,
        Self::Rotations,
        Self::LiePoisson,
        Self::Quadratic,
        Self::Port,
    ];

    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Separable => "separable",
            Self::Canonical => "canonical",
            Self::Rotations => "so3-sums",
            Self::LiePoisson => "so3-dual",
            Self::Quadratic => "quadratic",
            Self::Port => "port",
        }
    }

    /// The definition in one line.
    pub fn description(self) -> &'static str {
        match self {
            Self::Separable => "canonical bracket, H = T(p) + V(q)",
            Self::Canonical => "canonical bracket, any H",
            Self::Rotations => "so(3)*, H a sum of functions of one momentum each",
            Self::LiePoisson => "so(3)*, any H",
            Self::Quadratic => "bracket c_ij x_i x_j, any H",
            Self::Port => "ports: J(x), R(x), g(x) u(t), any H",
        }
    }
}

impl std::fmt::Display for StateClass {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Exponents on a class of systems in state space. All but the order are those of local defects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateOrders {
    /// The class.
    pub class: StateClass,
    /// The error of the solution after a fixed time.
    pub order: DefectOrder,
    /// The balance of energy: H, less what ports supply and R dissipates.
    pub energy: DefectOrder,
    /// dΦ D dΦᵀ − D∘Φ; `None` where the exact flow keeps no bracket.
    pub bracket: Option<DefectOrder>,
    /// Casimir functions; `None` where there are none.
    pub casimirs: Option<DefectOrder>,
    /// Does the step by −h undo the step by h?
    pub symmetric: Option<bool>,
}
