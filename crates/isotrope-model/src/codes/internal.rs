//! Mistakes of the program: the codes of what is refused.

error_codes! {
    /// A mistake of the program itself.
    InternalCode;
    /// An answer lacks a document that it should have.
    MissingDocument = "ISO-INTERNAL-001", "This is a mistake of the program: please report it, with the command and the model.";
}
