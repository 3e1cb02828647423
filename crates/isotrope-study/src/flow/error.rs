//! What cannot be computed.

use isotrope_kernel::integrate::VariationError;
use isotrope_model::codes::{Code, FlowCode, RunCode};

use crate::run::PrepareError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum FlowError {
    /// The method, or its steps.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// Steps without derivatives.
    #[error(transparent)]
    Variation(#[from] VariationError),
    /// Nothing has a finite value at the initial point.
    #[error(
        "energy, multipliers, accelerations or their derivatives have no finite value at the initial point"
    )]
    NoStart,
    /// A run does not arrive.
    #[error("a run from the initial values, or from some near them, does not reach its end")]
    NotReached,
    /// An unknown name.
    #[error("there is no parameter, coordinate or velocity `{name}`")]
    Name {
        /// The name.
        name: String,
    },
    /// A direction that leaves the constraints.
    #[error("a change of {name} alone leaves the constraints of the model")]
    Leaves {
        /// The name.
        name: String,
    },
    /// Shooting with constraints.
    #[error("shooting needs coordinates without constraints")]
    Constrained,
    /// Not all coordinates have a target, or one has two.
    #[error("{given} targets for {wanted} coordinates")]
    Targets {
        /// How many are given.
        given: usize,
        /// How many coordinates there are.
        wanted: usize,
    },
    /// A period that the drive has.
    #[error("the equations of motion contain the time: the period of an orbit is not free")]
    Driven,
    /// Velocities that cannot be chosen.
    #[error(
        "the equations are of first order: velocities follow from the positions and cannot be chosen"
    )]
    FirstOrder,
    /// A parameter of which nothing is a smooth function.
    #[error(
        "the parameter {name} is an index or a bound: another value means another system, and there is no derivative in it"
    )]
    Structural {
        /// The name.
        name: String,
    },
    /// Configurations that are not coordinates.
    #[error(
        "the configurations of the model are a Lie group: sensitivities and shooting are for coordinates"
    )]
    Group,
    /// Nothing is left to be found.
    #[error("everything is fixed: there is no unknown to solve for")]
    Fixed,
}

impl FlowError {
    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Prepare(_) => RunCode::NotPrepared.into(),
            Self::Variation(_) => FlowCode::NoDerivatives.into(),
            Self::NoStart => FlowCode::NoStart.into(),
            Self::Name { .. } => FlowCode::UnknownName.into(),
            Self::Leaves { .. } => FlowCode::LeavesConstraints.into(),
            Self::Constrained => FlowCode::Constrained.into(),
            Self::Targets { .. } => FlowCode::Targets.into(),
            Self::Fixed => FlowCode::NothingFree.into(),
            Self::NotReached => FlowCode::NotReached.into(),
            Self::Driven => FlowCode::Driven.into(),
            Self::FirstOrder => FlowCode::FirstOrder.into(),
            Self::Structural { .. } => FlowCode::StructuralParameter.into(),
            // The code of all studies that do not take groups.
            Self::Group => RunCode::LieGroup.into(),
        }
    }

    /// A way out.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Prepare(_) => "take another method or a smaller system",
            Self::Variation(_) => "take a method with fixed steps",
            Self::NoStart => "choose other initial values; `isotrope check MODEL` says more",
            Self::Name { .. } => "names are those of the model; velocities are written x'",
            Self::Leaves { .. } => {
                "take parameters that no constraint contains, or coordinates without constraints"
            }
            Self::Constrained => {
                "write the model in coordinates that need no constraints, such as angles"
            }
            Self::Targets { .. } => "give one target for each coordinate: --shoot \"x=1,y=0\"",
            Self::Fixed => "fix fewer names",
            Self::Driven => {
                "take a multiple of the period of the drive as --time, and fix it: --periodic --fix t"
            }
            Self::FirstOrder => "name coordinates, or ask for --periodic",
            Self::Structural { .. } => "compare runs with other values: --set",
            Self::Group => {
                "without --sensitivity and a target `isotrope flow` takes groups; or write the model in coordinates, \
                 with [lagrangian]"
            }
            Self::NotReached => {
                "take a smaller step or a shorter time, or begin nearer to a solution"
            }
        }
    }
}
