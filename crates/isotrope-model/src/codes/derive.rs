//! Derivation: the codes of what is refused.

error_codes! {
    /// Why a model has no equations of motion.
    DeriveCode;
    /// A constraint that is not linear in the velocities.
    NonlinearConstraint = "ISO-DERIVE-001", "Write it linear in the velocities, or ask for Chetaev reactions: `chetaev = true`.";
    /// A singular mass matrix with constraints on the velocities, or a singular Lagrangian that has no motion.
    SingularMassMatrix = "ISO-DERIVE-002", "Check that velocities carry a prime; add the missing kinetic energy or a constraint.";
    /// A Lagrangian without velocities, or linear in them and with constraints.
    DegenerateLagrangian = "ISO-DERIVE-003", "Check that velocities carry a prime; eliminate constraints from a first-order Lagrangian.";
    /// A constraint that follows from others.
    RedundantConstraint = "ISO-DERIVE-004", "Remove it: its multiplier would not be determined.";
    /// Constraints that contradict each other.
    InconsistentConstraints = "ISO-DERIVE-005", "Correct or remove one of them.";
    /// As many independent constraints as coordinates.
    NoMotion = "ISO-DERIVE-006", "Remove constraints, or add coordinates.";
    /// A constraint in which everything cancels.
    EmptyConstraint = "ISO-DERIVE-007", "Correct it, or remove it.";
    /// A Hamiltonian with constraints whose velocities are not formulas of the momenta.
    HamiltonianWithConstraints = "ISO-DERIVE-008", "Write the system with `[lagrangian]`, or with an H quadratic in the momenta.";
    /// An expression that grows too large when multiplied out.
    OutOfBudget = "ISO-DERIVE-009", "Simplify it, or introduce coordinates in which it is shorter.";
    /// A Lagrangian θ(q)·v - H(q) whose form dθ is degenerate and that has no motion.
    Presymplectic = "ISO-DERIVE-010", "Add the missing terms of θ, or leave out the coordinates that nothing determines.";
    /// Forces on a first-order Lagrangian that leave no unique velocity.
    ForceOnFirstOrder = "ISO-DERIVE-011", "Write forces that are linear in the velocities, or that depend on positions only.";
    /// A bracket that does not satisfy the Jacobi identity.
    NotPoisson = "ISO-DERIVE-012", "Correct its entries, or write the system as a `[port]` with this matrix as J.";
    /// Integrals of a degree for which there are too many coefficients.
    SearchTooLarge = "ISO-DERIVE-013", "Ask for a lower degree of `--integrals`, or of `--integrals-time`.";
    /// A magnetic 2-form that is not closed.
    MagneticNotClosed = "ISO-DERIVE-020", "Add the missing components: a magnetic field has no sources.";
    /// A primitive whose derivative is not the magnetic 2-form.
    MagneticPrimitive = "ISO-DERIVE-021", "Correct θ so that dθ = B, or leave it out: then one is searched for.";
    /// A magnetic 2-form beside a Lagrangian that is at most linear in the velocities.
    MagneticWithoutMass = "ISO-DERIVE-022", "Write the magnetic term into L, or add the kinetic energy.";
    /// A descriptor system with an effort that its matrix E does not determine.
    MissingEffort = "ISO-DERIVE-030", r#"Give it: `effort = { x = "…" }`, such that Eᵀ z = ∇H."#;
    /// A descriptor system whose efforts do not satisfy Eᵀ z = ∇H.
    WrongEffort = "ISO-DERIVE-031", "Correct the efforts, E or H: otherwise there is no balance of power.";
    /// A descriptor system whose equations contradict each other.
    Contradictory = "ISO-DERIVE-032", "Correct the equations that have no rates, and what follows from them.";
    /// A descriptor system whose equations leave coordinates free.
    Undetermined = "ISO-DERIVE-033", "Add the missing equation, or leave out the coordinate.";
    /// A descriptor system that needs the rate of an input with jumps or kinks.
    RateOfInput = "ISO-DERIVE-034", "Give the input as a smooth function of time, or let it act through a resistance or an inertia.";
    /// A descriptor system whose rates are divided by zero where it starts, or wherever its constraints hold.
    SingularDescriptor = "ISO-DERIVE-035", "Start elsewhere, or write the constraints so that their derivatives are independent.";
    /// An initial value that is left out and does not follow from linear equations.
    InitialNotDetermined = "ISO-DERIVE-036", "Give the initial value; `isotrope check` says whether it satisfies the constraints.";
    /// A singular Lagrangian whose constraint algorithm does not end, or needs more than it may.
    ChainNotDecided = "ISO-DERIVE-040", "Write the Lagrangian with fewer coordinates, or with polynomials in those that constraints contain.";
    /// A singular Lagrangian that begins where a rank of its constraints is another one.
    RanksChange = "ISO-DERIVE-041", "Begin elsewhere; or write the system that is meant there as a model of its own.";
    /// A gauge condition that restricts the motion, contradicts it, or has nothing to fix.
    InadmissibleGauge = "ISO-DERIVE-042", "Leave it out: `isotrope derive` prints the gauge directions. A condition has to change along them.";
}
