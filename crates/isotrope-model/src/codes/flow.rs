//! Derivatives of flows: the codes of what is refused.

error_codes! {
    /// Why the flow of a method cannot be differentiated, or its orbit not found.
    FlowCode;
    /// The steps of the method have no derivatives: it chooses them itself, or they cannot be differentiated.
    NoDerivatives = "ISO-FLOW-001", "Take a method with fixed steps, such as gauss-2.";
    /// Energy, multipliers, accelerations or their derivatives have no finite value at the initial point.
    NoStart = "ISO-FLOW-002", "Choose other initial values; `isotrope check MODEL` says what is wrong with these.";
    /// `--sensitivity` or `--fix` names something that is neither a parameter, nor a coordinate, nor a velocity.
    UnknownName = "ISO-FLOW-003", "Use the names of the model, separated by commas; velocities are written `x'`.";
    /// A change of this quantity alone would leave the constraints, so there is no derivative in its direction.
    LeavesConstraints = "ISO-FLOW-004", "Take parameters that no constraint contains, or write the model in coordinates without constraints.";
    /// Shooting and periodic orbits need coordinates without constraints.
    Constrained = "ISO-FLOW-005", "Write the model in coordinates that need no constraints, such as angles.";
    /// A target of `--shoot` that cannot be read, or not exactly one target for each coordinate.
    Targets = "ISO-FLOW-006", r#"Write NAME=VALUE once for each coordinate: `--shoot "x=1,y=0"`."#;
    /// Everything is fixed, so nothing is left to be found.
    NothingFree = "ISO-FLOW-007", "Fix fewer names with `--fix`.";
    /// A run from the initial values, or from some near them, does not reach its end.
    NotReached = "ISO-FLOW-008", "Take a smaller step or a shorter time, or begin nearer to a solution.";
    /// The equations of motion contain the time, so the period of an orbit is not free.
    Driven = "ISO-FLOW-009", "Take a multiple of the period of the drive as `--time`, and fix it: `--periodic --fix t`.";
    /// The equations are of first order: velocities follow from the positions and cannot be chosen.
    FirstOrder = "ISO-FLOW-010", "Name coordinates, or ask for `--periodic`.";
    /// The parameter is an index or a bound: another value means another system, so there is no derivative in it.
    StructuralParameter = "ISO-FLOW-011", "Compare runs with other values: `--set N=3`.";
}
