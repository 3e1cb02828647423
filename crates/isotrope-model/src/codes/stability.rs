//! Stability: the codes of what is refused.

error_codes! {
    /// Why the stability of equilibria cannot be studied.
    StabilityCode;
    /// A range of a parameter that cannot be read.
    BadRange = "ISO-STABILITY-001", "Write `--vary NAME=LOW..HIGH`.";
    /// A range whose ends are not in ascending order.
    EmptyRange = "ISO-STABILITY-002", "Put the smaller number first.";
    /// The model has no parameter of this name.
    UnknownParameter = "ISO-STABILITY-003", "Name one that stands under `[parameters]`.";
    /// A parameter that decides how many coordinates or terms there are.
    StructuralParameter = "ISO-STABILITY-004", "Study the values one at a time: `--set N=3`.";
    /// A guess that is not a coordinate with a number.
    BadGuess = "ISO-STABILITY-005", "Write `--guess x=0.1`.";
    /// A system with neither a Lagrangian nor a Hamiltonian in coordinates.
    Hamiltonian = "ISO-STABILITY-006", "Write the model with a Lagrangian or a Hamiltonian.";
    /// Time occurs in the equations of motion.
    TimeDependent = "ISO-STABILITY-007", "Only autonomous systems have equilibria: hold the drive still.";
    /// A constraint on velocities: equilibria are not isolated.
    VelocityConstraint = "ISO-STABILITY-008", "Write constraints that integrate as constraints on positions.";
    /// Newton's method finds no equilibrium.
    NoEquilibrium = "ISO-STABILITY-009", "Give another place to start from with `--guess`.";
    /// The equations of equilibrium are singular.
    SingularEquilibrium = "ISO-STABILITY-010", "Give another place to start from with `--guess`; a displacement that meets no force has to be fixed by a constraint.";
    /// Equations of motion that have no derivative at rest.
    NotSmooth = "ISO-STABILITY-011", "Remove what is not smooth there, such as dry friction.";
    /// The mass matrix is singular at the equilibrium.
    SingularMass = "ISO-STABILITY-012", "Study another range of the parameter.";
    /// A number of points that is too small or too large.
    Points = "ISO-STABILITY-013", "Leave `--points` out, or take a few hundred.";
    /// The study did not end within bounds.
    OutOfBudget = "ISO-STABILITY-014", "Take a smaller system.";
}
