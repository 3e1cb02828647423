//! Mistakes of the program: the codes of what is refused.

error_codes! {
    /// A mistake of the program itself.
    InternalCode;
    /// Something that should always hold did not: the message says where and what.
    ViolatedInvariant = "ISO-INTERNAL-001", "This is a bug in isotrope, not a mistake in your input: please report it, with the model and the command.";
}
