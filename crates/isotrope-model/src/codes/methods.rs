//! Methods: the codes of what is refused.

error_codes! {
    /// What is wrong with a question about a method.
    MethodsCode;
    /// There is no method of this name.
    UnknownMethod = "ISO-METHODS-001", "`isotrope methods` lists all; `isotrope certify FILE` takes a table of your own.";
    /// A method of a family that does not exist or is too large to certify.
    NoSuchMember = "ISO-METHODS-002", "Choose another number of stages.";
}
