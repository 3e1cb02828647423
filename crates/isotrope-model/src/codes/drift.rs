//! Long runs: the codes of what is refused.

error_codes! {
    /// What is wrong with a question about long runs.
    DriftCode;
    /// Steps that do not fit the methods.
    Steps = "ISO-DRIFT-001", "Give one step for all methods, or one for each.";
    /// A section that cannot be read, or names something that the model does not have.
    Section = "ISO-DRIFT-002", "Write an expression in coordinates, velocities (`x'`), the time and parameters, or an equation of two.";
}
