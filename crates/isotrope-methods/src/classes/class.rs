//! The classes by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::conditions::{POSITION, VELOCITY};
use super::problem::Dimensions;
use crate::trees::{TreeId, Trees};

/// What is known of a system: the wider the class, the more conditions a method must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Any regular L(q, v), any constraints A(q) v = 0.
    Generic,
    /// L = vᵀM(q)v/2 − U(q), any constraints A(q) v = 0.
    Natural,
    /// L = vᵀMv/2 − U(q) with constant M, any constraints A(q) v = 0.
    ConstantMass,
    /// Constant M, constraints A(q) v = 0 with A affine in q.
    Bilinear,
    /// Constant M, one holonomic constraint of degree two, and affine ones.
    Sphere,
    /// Constant M, several holonomic constraints of degree two.
    ///
    /// Not the same as one: reactions along several gradients break relations among elementary
    /// differentials, and from h⁴ on there are more conditions than for [`Class::Sphere`].
    Quadrics,
    /// L = vᵀM(q)v/2 − U(q), any holonomic constraints.
    Holonomic,
    /// L = vᵀMv/2 − U(q) with constant M, no constraints.
    Symplectic,
}

/// What constraints the systems of a class have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Constraints {
    None,
    /// A(q) v = 0.
    Velocities,
    /// φ(q) = 0.
    Holonomic,
}

/// What Lagrangians they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mass {
    /// Any regular L(q, v).
    Any,
    /// vᵀM(q)v/2 − U(q).
    Varying,
    /// vᵀMv/2 − U(q).
    Constant,
}

/// A class in data.
#[derive(Debug)]
struct Facts {
    name: &'static str,
    description: &'static str,
    constraints: Constraints,
    /// Are A and φ polynomials, of degree one and two?
    polynomial: bool,
    mass: Mass,
    /// Sizes of the sampled problems, used in turn.
    dimensions: &'static [Dimensions],
}

const ONE: Dimensions = Dimensions { coordinates: 4, constraints: 1, affine: 0, terms: 8 };
const TWO: Dimensions = Dimensions { coordinates: 5, constraints: 2, affine: 0, terms: 10 };
const PLANE: Dimensions = Dimensions { affine: 1, ..TWO };
const FREE: Dimensions = Dimensions { coordinates: 3, constraints: 0, ..ONE };

static GENERIC: Facts = Facts {
    name: "generic",
    description: "any regular L(q,v), any constraints A(q) v = 0",
    constraints: Constraints::Velocities,
    polynomial: false,
    mass: Mass::Any,
    dimensions: &[ONE, TWO],
};
static NATURAL: Facts = Facts {
    name: "natural",
    description: "L = v'M(q)v/2 - U(q), any constraints A(q) v = 0",
    constraints: Constraints::Velocities,
    polynomial: false,
    mass: Mass::Varying,
    dimensions: &[ONE, TWO],
};
static CONSTANT_MASS: Facts = Facts {
    name: "constant-mass",
    description: "constant mass matrix, any constraints A(q) v = 0",
    constraints: Constraints::Velocities,
    polynomial: false,
    mass: Mass::Constant,
    dimensions: &[ONE, TWO],
};
static BILINEAR: Facts = Facts {
    name: "bilinear",
    description: "constant mass matrix, A(q) v = 0 with A affine in q",
    constraints: Constraints::Velocities,
    polynomial: true,
    mass: Mass::Constant,
    dimensions: &[ONE, TWO],
};
static SPHERE: Facts = Facts {
    name: "sphere",
    description: "constant mass matrix, one constraint of degree two and affine ones",
    constraints: Constraints::Holonomic,
    polynomial: true,
    mass: Mass::Constant,
    dimensions: &[ONE, PLANE],
};
static QUADRICS: Facts = Facts {
    name: "quadrics",
    description: "constant mass matrix, several constraints of degree two",
    constraints: Constraints::Holonomic,
    polynomial: true,
    mass: Mass::Constant,
    dimensions: &[TWO],
};
static HOLONOMIC: Facts = Facts {
    name: "holonomic",
    description: "L = v'M(q)v/2 - U(q), any holonomic constraints",
    constraints: Constraints::Holonomic,
    polynomial: false,
    mass: Mass::Varying,
    dimensions: &[ONE, TWO],
};
static SYMPLECTIC: Facts = Facts {
    name: "symplectic",
    description: "constant mass matrix, no constraints",
    constraints: Constraints::None,
    polynomial: false,
    mass: Mass::Constant,
    dimensions: &[FREE],
};

/// A structure function, all of them together, or the 2-form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// ψ = p − ∂L/∂v.
    Psi,
    /// φ_v = A(q) v.
    PhiV,
    /// φ_q = φ(q), of holonomic constraints.
    PhiQ,
    /// ψ, φ_v and, where it exists, φ_q.
    All,
    /// dq ∧ dp on the constraint manifold.
    Form,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 8] = [
        Self::Generic,
        Self::Natural,
        Self::ConstantMass,
        Self::Bilinear,
        Self::Sphere,
        Self::Quadrics,
        Self::Holonomic,
        Self::Symplectic,
    ];

    /// Everything that tells the classes apart.
    fn facts(self) -> &'static Facts {
        match self {
            Self::Generic => &GENERIC,
            Self::Natural => &NATURAL,
            Self::ConstantMass => &CONSTANT_MASS,
            Self::Bilinear => &BILINEAR,
            Self::Sphere => &SPHERE,
            Self::Quadrics => &QUADRICS,
            Self::Holonomic => &HOLONOMIC,
            Self::Symplectic => &SYMPLECTIC,
        }
    }

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The definition in one line.
    pub fn description(self) -> &'static str {
        self.facts().description
    }

    /// Are the constraints given on positions?
    pub fn is_holonomic(self) -> bool {
        self.facts().constraints == Constraints::Holonomic
    }

    /// What Lagrangians are drawn.
    pub(super) fn mass(self) -> Mass {
        self.facts().mass
    }

    /// Are A and φ polynomials, of degree one and two?
    pub(super) fn is_polynomial(self) -> bool {
        self.facts().polynomial
    }

    /// Are there no constraints?
    pub fn is_free(self) -> bool {
        self.facts().constraints == Constraints::None
    }

    /// Is there this quantity? φ_v needs constraints, φ_q holonomic ones; the 2-form is kept by
    /// the exact flow only if the constraints are holonomic, or there are none.
    pub fn has(self, part: Part) -> bool {
        match part {
            Part::Psi | Part::All => true,
            Part::PhiV => !self.is_free(),
            Part::PhiQ => self.is_holonomic(),
            Part::Form => self.is_holonomic() || self.is_free(),
        }
    }

    /// Is the elementary differential of a tree of the (q,v,p) family zero for all systems of the
    /// class? Accelerations are of degree two in v where L is, and do not depend on v at all where
    /// M is constant and there are no constraints.
    pub fn lacks_tree(self, trees: &Trees, tree: TreeId) -> bool {
        let most = match self.mass() {
            Mass::Any => return false,
            Mass::Constant if self.is_free() => 0,
            Mass::Constant | Mass::Varying => 2,
        };
        let children = trees.children(tree);
        let of_velocity = children.iter().filter(|&&c| trees.colour(c) == VELOCITY).count();
        (trees.colour(tree) != POSITION && of_velocity > most)
            || children.iter().any(|&child| self.lacks_tree(trees, child))
    }

    /// Sizes of the sampled problems, used in turn.
    ///
    /// The rank of the conditions is that of generic tensors, which small dimensions can lower,
    /// and one constraint is less than two: with constant M its reactions have one direction.
    /// These are the smallest sizes beyond which no rank through h⁵ was seen to grow.
    pub fn dimensions(self) -> &'static [Dimensions] {
        self.facts().dimensions
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// There is no class of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no class `{name}`")]
pub struct UnknownClass {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Class {
    type Err = UnknownClass;

    fn from_str(name: &str) -> Result<Self, UnknownClass> {
        Self::ALL
            .into_iter()
            .find(|class| class.name() == name)
            .ok_or_else(|| UnknownClass { name: name.to_owned() })
    }
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 5] = [Self::Psi, Self::PhiV, Self::PhiQ, Self::All, Self::Form];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Psi => "psi",
            Self::PhiV => "phi-v",
            Self::PhiQ => "phi-q",
            Self::All => "all",
            Self::Form => "form",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
