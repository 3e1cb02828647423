//! Why a model has no equations of motion.

use isotrope_algebra::OutOfBudget;
use isotrope_model::Place;
use isotrope_model::codes::DeriveCode;

/// A refusal of the derivation, with its place in the model file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeriveError {
    /// A constraint is not linear in the velocities and Chetaev reactions were not asked for.
    #[error("the constraint `{name}` is not linear in the velocities")]
    NonlinearConstraint {
        /// The constraint's name.
        name: String,
        /// Its place.
        place: Place,
    },
    /// The mass matrix is singular on the directions the constraints allow.
    #[error(
        "the mass matrix d2L/dv2 is singular on the admissible velocities: no equation determines {}",
        directions.join(", ")
    )]
    SingularMassMatrix {
        /// Accelerations that take part in a direction without inertia.
        directions: Vec<String>,
        /// Those whose velocity does not occur in L at all.
        without_velocity: Vec<String>,
        /// The Lagrangian's place.
        place: Place,
    },
    /// L is at most linear in the velocities, and has none, or there are constraints.
    #[error("the Lagrangian is degenerate: it is at most linear in the velocities, so d2L/dv2 = 0")]
    DegenerateLagrangian {
        /// The number of constraints.
        constraints: usize,
        /// The Lagrangian's place.
        place: Place,
    },
    /// L = ϑ(q)·v − H(q) with a form dϑ that is not invertible.
    #[error(
        "the Lagrangian is linear in the velocities, L = θ(q)·v - H(q), and the form dθ is degenerate: \
         no equation determines the motion along {}",
        kernel.join(", ")
    )]
    Presymplectic {
        /// Vector fields that span the kernel of dϑ.
        kernel: Vec<String>,
        /// The Lagrangian's place.
        place: Place,
    },
    /// L = ϑ(q)·v − H(q) with forces that do not leave a unique velocity.
    #[error(
        "the Lagrangian is linear in the velocities, and the forces depend on the velocities such \
         that the equations of first order have no unique solution by a linear solve"
    )]
    ForceOnFirstOrder {
        /// The Lagrangian's place.
        place: Place,
    },
    /// The bracket of a `[poisson]` model does not satisfy the Jacobi identity.
    #[error(
        "this is not a Poisson bracket: the Jacobi identity fails for ({}), \
         half of [D, D] has the component {value} there",
        component.join(", ")
    )]
    NotPoisson {
        /// Three coordinates.
        component: [String; 3],
        /// The component of the Jacobiator.
        value: String,
        /// The place of the bracket.
        place: Place,
    },
    /// A constraint follows from others.
    #[error("the constraint `{name}` is redundant: it follows from {}", list(follows_from))]
    RedundantConstraint {
        /// The constraint's name.
        name: String,
        /// The constraints it depends on.
        follows_from: Vec<String>,
        /// Its place.
        place: Place,
    },
    /// Constraints contradict each other.
    #[error("the constraint `{name}` contradicts {}", list(contradicts))]
    InconsistentConstraints {
        /// The constraint's name.
        name: String,
        /// The constraints it contradicts.
        contradicts: Vec<String>,
        /// Its place.
        place: Place,
    },
    /// More independent constraints than coordinates.
    #[error("{constraints} independent constraints on {coordinates} coordinates leave no motion")]
    NoMotion {
        /// Number of constraints.
        constraints: usize,
        /// Number of coordinates.
        coordinates: usize,
        /// The place of the last constraint.
        place: Place,
    },
    /// A constraint row has no coordinate in it.
    #[error("the constraint `{name}` does not restrict the motion")]
    EmptyConstraint {
        /// The constraint's name.
        name: String,
        /// Its place.
        place: Place,
    },
    /// Constraints or Lagrangian data for a Hamiltonian whose Legendre map has no inverse.
    #[error(
        "constraints need velocities, and p -> dH/dp cannot be inverted by formulas for this H"
    )]
    HamiltonianWithConstraints {
        /// The Hamiltonian's place.
        place: Place,
    },
    /// A magnetic 2-form that is not closed, or not proved to be.
    #[error(
        "the magnetic 2-form is not closed: its derivative has the component {component} = {value}{}",
        if *decided { "" } else { ", which is not proved to vanish" }
    )]
    MagneticNotClosed {
        /// The component of dB.
        component: String,
        /// Its value.
        value: String,
        /// Is it proved not to vanish?
        decided: bool,
        /// The place of a component of B in it.
        place: Place,
    },
    /// A one-form that is not a primitive of the magnetic 2-form.
    #[error(
        "this is not a primitive of the 2-form: its derivative {} it in the component {component}",
        if *decided { "differs from" } else { "is not proved to be" }
    )]
    MagneticPrimitive {
        /// The component.
        component: String,
        /// Is it proved to differ?
        decided: bool,
        /// The place of the primitive.
        place: Place,
    },
    /// A magnetic 2-form beside a Lagrangian without masses.
    #[error(
        "a magnetic 2-form bends the motion of masses, and the Lagrangian is at most linear in the velocities"
    )]
    MagneticWithoutMass {
        /// The place of the table.
        place: Place,
    },
    /// E neither has the row and the column of the identity nor zeros: no rule gives the effort.
    #[error("E does not determine the effort of `{coordinate}`")]
    MissingEffort {
        /// The coordinate.
        coordinate: String,
        /// The place of E.
        place: Place,
    },
    /// Eᵀ z differs from ∇H.
    #[error(
        "the efforts do not belong to H: of E^T z - dH/dx the component of `{coordinate}` is {defect}{}",
        if *decided { "" } else { ", which is not proved to vanish" }
    )]
    WrongEffort {
        /// The component.
        coordinate: String,
        /// Its value.
        defect: String,
        /// Is it proved not to vanish?
        decided: bool,
        /// The place of an effort in it, or of E.
        place: Place,
    },
    /// Equations without rates that never hold.
    #[error("the equations contradict each other: they demand 0 = {value}")]
    Contradictory {
        /// What is not zero.
        value: String,
        /// The place of E.
        place: Place,
    },
    /// Rates that nothing determines.
    #[error(
        "the equations do not determine the motion: nothing determines the rate of {}",
        list(coordinates)
    )]
    Undetermined {
        /// Coordinates that are free.
        coordinates: Vec<String>,
        /// The place of E.
        place: Place,
    },
    /// The rate of an input with jumps or kinks.
    #[error("the motion depends on the rate of the input `{input}`, which has jumps or kinks")]
    RateOfInput {
        /// The input.
        input: String,
        /// Its place.
        place: Place,
    },
    /// What the rates are divided by is zero.
    #[error("the rates are divided by {value}: {reason}")]
    SingularDescriptor {
        /// The divisor.
        value: String,
        /// Where it is zero.
        reason: &'static str,
        /// The place of E.
        place: Place,
    },
    /// An initial value that is left out and does not follow.
    #[error("the initial position of `{coordinate}` is missing, and no linear equation gives it")]
    InitialNotDetermined {
        /// The coordinate.
        coordinate: String,
        /// The place of E.
        place: Place,
    },
    /// A singular Lagrangian whose constraints contradict each other.
    #[error(
        "the Lagrangian is singular and has no motion: {}, and they last only if {value} = 0, which \
         never holds (round {round} of the constraint algorithm)",
        chain_text(chain)
    )]
    NoSolution {
        /// What would have to vanish.
        value: String,
        /// The constraints found before.
        chain: Vec<String>,
        /// The round.
        round: usize,
        /// Is it linear in the velocities?
        first_order: bool,
        /// The Lagrangian's place.
        place: Place,
    },
    /// A singular Lagrangian whose constraint algorithm did not end.
    #[error(
        "the constraints of the singular Lagrangian are not decided after {round} rounds: {reason}; \
         so far {}",
        chain_text(chain)
    )]
    ChainNotDecided {
        /// Why.
        reason: String,
        /// Rounds that found something.
        round: usize,
        /// The constraints found so far.
        chain: Vec<String>,
        /// The Lagrangian's place.
        place: Place,
    },
    /// A rank of the constraint algorithm that is another one where the motion begins.
    #[error(
        "ranks change where the motion begins: that of {what} is {here} there and {general} elsewhere, \
         where {}",
        chain_text(chain)
    )]
    RanksChange {
        /// Of what it is the rank.
        what: &'static str,
        /// The rank there.
        here: usize,
        /// The rank at general points.
        general: usize,
        /// The constraints at general points.
        chain: Vec<String>,
        /// The place of the initial positions.
        place: Place,
    },
    /// A gauge that cannot be chosen.
    #[error("this gauge is not admissible: {reason}")]
    InadmissibleGauge {
        /// Why.
        reason: String,
        /// The place of the condition.
        place: Place,
    },
    /// The derivation grew too large.
    #[error("{stop}")]
    OutOfBudget {
        /// What was being done.
        #[source]
        stop: OutOfBudget,
        /// The place of the Lagrangian or Hamiltonian.
        place: Place,
    },
}

/// What constraints were found.
fn chain_text(chain: &[String]) -> String {
    match chain {
        [] => "there are no constraints".to_owned(),
        [one] => format!("{one} = 0"),
        several => format!("these vanish: {}", several.join(", ")),
    }
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl DeriveError {
    /// The stable code.
    pub fn code(&self) -> DeriveCode {
        match self {
            Self::NonlinearConstraint { .. } => DeriveCode::NonlinearConstraint,
            Self::SingularMassMatrix { .. } => DeriveCode::SingularMassMatrix,
            Self::DegenerateLagrangian { .. } => DeriveCode::DegenerateLagrangian,
            Self::RedundantConstraint { .. } => DeriveCode::RedundantConstraint,
            Self::InconsistentConstraints { .. } => DeriveCode::InconsistentConstraints,
            Self::NoMotion { .. } => DeriveCode::NoMotion,
            Self::EmptyConstraint { .. } => DeriveCode::EmptyConstraint,
            Self::HamiltonianWithConstraints { .. } => DeriveCode::HamiltonianWithConstraints,
            Self::OutOfBudget { .. } => DeriveCode::OutOfBudget,
            Self::NoSolution { first_order: true, .. } => DeriveCode::Presymplectic,
            Self::NoSolution { first_order: false, .. } => DeriveCode::SingularMassMatrix,
            Self::ChainNotDecided { .. } => DeriveCode::ChainNotDecided,
            Self::RanksChange { .. } => DeriveCode::RanksChange,
            Self::InadmissibleGauge { .. } => DeriveCode::InadmissibleGauge,
            Self::Presymplectic { .. } => DeriveCode::Presymplectic,
            Self::ForceOnFirstOrder { .. } => DeriveCode::ForceOnFirstOrder,
            Self::NotPoisson { .. } => DeriveCode::NotPoisson,
            Self::MagneticNotClosed { .. } => DeriveCode::MagneticNotClosed,
            Self::MagneticPrimitive { .. } => DeriveCode::MagneticPrimitive,
            Self::MagneticWithoutMass { .. } => DeriveCode::MagneticWithoutMass,
            Self::MissingEffort { .. } => DeriveCode::MissingEffort,
            Self::WrongEffort { .. } => DeriveCode::WrongEffort,
            Self::Contradictory { .. } => DeriveCode::Contradictory,
            Self::Undetermined { .. } => DeriveCode::Undetermined,
            Self::RateOfInput { .. } => DeriveCode::RateOfInput,
            Self::SingularDescriptor { .. } => DeriveCode::SingularDescriptor,
            Self::InitialNotDetermined { .. } => DeriveCode::InitialNotDetermined,
        }
    }

    /// The place in the model file.
    pub fn place(&self) -> Place {
        match self {
            Self::NonlinearConstraint { place, .. }
            | Self::SingularMassMatrix { place, .. }
            | Self::DegenerateLagrangian { place, .. }
            | Self::Presymplectic { place, .. }
            | Self::NoSolution { place, .. }
            | Self::ChainNotDecided { place, .. }
            | Self::RanksChange { place, .. }
            | Self::InadmissibleGauge { place, .. }
            | Self::ForceOnFirstOrder { place }
            | Self::NotPoisson { place, .. }
            | Self::RedundantConstraint { place, .. }
            | Self::InconsistentConstraints { place, .. }
            | Self::NoMotion { place, .. }
            | Self::EmptyConstraint { place, .. }
            | Self::HamiltonianWithConstraints { place }
            | Self::MagneticNotClosed { place, .. }
            | Self::MagneticPrimitive { place, .. }
            | Self::MagneticWithoutMass { place }
            | Self::MissingEffort { place, .. }
            | Self::WrongEffort { place, .. }
            | Self::Contradictory { place, .. }
            | Self::Undetermined { place, .. }
            | Self::RateOfInput { place, .. }
            | Self::SingularDescriptor { place, .. }
            | Self::InitialNotDetermined { place, .. }
            | Self::OutOfBudget { place, .. } => *place,
        }
    }

    /// A way out.
    pub fn hint(&self) -> String {
        match self {
            Self::NonlinearConstraint { name, .. } => format!(
                "write it linear in the velocities, or ask for Chetaev reactions: \
                 {name} = {{ equation = \"...\", chetaev = true }}"
            ),
            Self::SingularMassMatrix { without_velocity, .. } => match without_velocity.first() {
                Some(name) => {
                    format!("{name}' does not occur in L: did you write {name} for {name}'?")
                }
                None => {
                    "add the missing kinetic energy, or a constraint that removes the direction"
                        .into()
                }
            },
            Self::DegenerateLagrangian { constraints: 0, .. } => {
                "no velocity occurs in L: check that velocities carry a prime (x')".into()
            }
            Self::DegenerateLagrangian { .. } => {
                "a first-order Lagrangian is taken without constraints: choose coordinates that \
                 satisfy them, or check that velocities carry a prime (x')"
                    .into()
            }
            Self::Presymplectic { .. } => {
                "add what is missing in θ, or leave out coordinates that nothing determines; an odd \
                 number of coordinates always has such a direction"
                    .into()
            }
            Self::ForceOnFirstOrder { .. } => {
                "write forces that are linear in the velocities, or that depend on positions only".into()
            }
            Self::NotPoisson { .. } => {
                "correct the entries, or write the system as a [port] with this matrix as J".into()
            }
            Self::RedundantConstraint { name, .. } => {
                format!("remove `{name}`: its multiplier would not be determined")
            }
            Self::InconsistentConstraints { name, .. } => {
                format!("no motion satisfies all of them: correct or remove `{name}`")
            }
            Self::NoMotion { .. } => "remove constraints, or add coordinates".into(),
            Self::EmptyConstraint { .. } => {
                "a constraint has to contain a coordinate or a velocity that does not cancel".into()
            }
            Self::HamiltonianWithConstraints { .. } => {
                "write the system with [lagrangian], or with an H quadratic in the momenta".into()
            }
            Self::MagneticNotClosed { .. } => {
                "add the missing components: dB = 0 says that a magnetic field has no sources".into()
            }
            Self::MagneticPrimitive { .. } => {
                "correct θ so that dθ = B, (dθ)_xy = ∂θ_y/∂x - ∂θ_x/∂y; or leave it out: then one is \
                 searched"
                    .into()
            }
            Self::MagneticWithoutMass { .. } => {
                "write the magnetic term into L, or add the kinetic energy".into()
            }
            Self::MissingEffort { coordinate, .. } => format!(
                "give it: effort = {{ {coordinate} = \"…\" }}, such that E^T z = dH/dx; where E has the row \
                 and the column of the identity it is dH/dx, where both are zero the coordinate itself"
            ),
            Self::WrongEffort { .. } => {
                "correct the effort, E or H: without E^T z = dH/dx there is no balance of power".into()
            }
            Self::Contradictory { .. } => {
                "no motion satisfies all equations: correct the rows without rates, and what follows from them"
                    .into()
            }
            Self::Undetermined { .. } => {
                "add an equation that contains it, in J, R or g, or leave the coordinate out".into()
            }
            Self::RateOfInput { .. } => {
                "give the input as a smooth function of time, or let it act through a resistance or an inertia"
                    .into()
            }
            Self::SingularDescriptor { .. } => {
                "start elsewhere, or write constraints whose derivatives are independent".into()
            }
            Self::InitialNotDetermined { coordinate, .. } => {
                format!("add {coordinate} = … to the position of [initial]")
            }
            Self::NoSolution { .. } => {
                "correct the Lagrangian: check that velocities carry a prime (x'), and that terms \
                 that hold a coordinate back are there"
                    .into()
            }
            Self::ChainNotDecided { .. } => {
                "write it with fewer coordinates, or with polynomials in those that the constraints \
                 contain"
                    .into()
            }
            Self::RanksChange { .. } => {
                "begin elsewhere, or write the system that is meant there as a model of its own".into()
            }
            Self::InadmissibleGauge { .. } => {
                "`isotrope derive` without [gauge_fix] prints the gauge directions: a condition has \
                 to change along them"
                    .into()
            }
            Self::OutOfBudget { .. } => {
                "the expression is too large to expand: simplify it, or introduce coordinates \
                 in which it is shorter"
                    .into()
            }
        }
    }
}
