//! Conditions: the codes of what is refused.

error_codes! {
    /// What is wrong with a question about the conditions of a class.
    ConditionsCode;
    /// There is no class of this name.
    UnknownClass = "ISO-CONDITIONS-001", "Choose one of those that `isotrope conditions --help` lists.";
    /// A quantity that the class does not have.
    NoSuchPart = "ISO-CONDITIONS-002", "φ_q needs holonomic constraints, the 2-form these or none; see docs/conditions.md.";
    /// A power of h that is zero or too large.
    Order = "ISO-CONDITIONS-003", "Choose an order from 1 to 6.";
    /// An order of the method that leaves no conditions.
    NothingLeft = "ISO-CONDITIONS-004", "Choose `--given` below `--order`.";
    /// The conditions could not be computed within bounds.
    TooLarge = "ISO-CONDITIONS-005", "Choose a smaller order.";
    /// A model that is not a problem in positions, velocities and momenta: its equations depend on time, or it has no Lagrangian.
    NotAProblem = "ISO-CONDITIONS-006", "Write it as a problem in groups, with time as a variable; see docs/groups.md.";
}
