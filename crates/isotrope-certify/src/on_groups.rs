//! What is known of a method where configurations are a Lie group.

use serde::{Deserialize, Serialize};

use super::certificate::DefectOrder;
use isotrope_methods::classes::Part;

/// Systems on Lie groups: the group, and what acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupClass {
    /// A free rigid body on SO(3).
    Free,
    /// SO(3), with a Lagrangian that rotations about one axis of space do not change.
    Axial,
    /// SO(3), any Lagrangian that is quadratic in ξ.
    Rotations,
    /// SE(2).
    PlaneMotions,
    /// SE(3).
    Motions,
    /// SO(3) × Rⁿ.
    Product,
    /// SO(3) × Rⁿ with constraints on velocities.
    Constrained,
}

impl GroupClass {
    /// Every class.
    pub const ALL: [Self; 7] = [
        Self::Free,
        Self::Axial,
        Self::Rotations,
        Self::PlaneMotions,
        Self::Motions,
        Self::Product,
        Self::Constrained,
    ];

    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "so3-free",
            Self::Axial => "so3-axial",
            Self::Rotations => "so3",
            Self::PlaneMotions => "se2",
            Self::Motions => "se3",
            Self::Product => "so3-rn",
            Self::Constrained => "so3-constrained",
        }
    }

    /// The definition in one line.
    pub fn description(self) -> &'static str {
        match self {
            Self::Free => "a free rigid body on SO(3)",
            Self::Axial => "SO(3), L invariant under rotations about an axis of space",
            Self::Rotations => "SO(3), any L quadratic in the velocities",
            Self::PlaneMotions => "SE(2), any L quadratic in the velocities",
            Self::Motions => "SE(3), any L quadratic in the velocities",
            Self::Product => "SO(3) x R^n, any L quadratic in the velocities",
            Self::Constrained => "SO(3) x R^n with constraints on velocities",
        }
    }
}

impl std::fmt::Display for GroupClass {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Exponents of local defects on a class of systems on groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupOrders {
    /// The class.
    pub class: GroupClass,
    /// Constraints and μ = ∂L/∂ξ.
    pub structure: DefectOrder,
    /// What fails first, if it is finite.
    pub weakest: Option<Part>,
    /// The canonical form of G × g*; `None` with constraints.
    pub form: Option<DefectOrder>,
    /// Spatial momenta of symmetries; `None` without symmetry.
    pub momentum: Option<DefectOrder>,
    /// The energy.
    pub energy: DefectOrder,
}
