//! Constructions: the codes of what is refused.

error_codes! {
    /// Why no table can be constructed.
    ConstructCode;
    /// There is no class of this name.
    UnknownClass = "ISO-CONSTRUCT-001", "The message lists the classes; see docs/conditions.md.";
    /// There is no pattern of this name.
    UnknownPattern = "ISO-CONSTRUCT-002", "The message lists the patterns; see docs/construct.md.";
    /// Entries that cannot be prescribed, or a number of stages beyond what is solved for.
    NotPrescribable = "ISO-CONSTRUCT-003", "Name an entry that is free and give it an exact value: `--fix a21=1/2`.";
    /// An order, or a power of the step, that is out of range.
    OutOfRange = "ISO-CONSTRUCT-004", "The message says what can be asked for.";
    /// The 2-form of systems that do not keep it.
    NoForm = "ISO-CONSTRUCT-005", "Ask for `--structure`, or for the form of a holonomic class.";
    /// The conditions could not be computed within bounds.
    TooLarge = "ISO-CONSTRUCT-006", "Ask for a lower `--structure`, or a simpler problem.";
    /// The conditions could not be solved.
    NotSolved = "ISO-CONSTRUCT-007", "Ask for fewer stages, a narrower `--pattern`, or a longer `--time-limit`.";
    /// A model whose class cannot be read off.
    NoClass = "ISO-CONSTRUCT-008", "Name a class with `--class`.";
    /// There is no method to save, or its coefficients cannot be written.
    NothingToSave = "ISO-CONSTRUCT-009", "See what was found; ask for a simpler method.";
    /// A derivation should be written to a file of an unknown kind.
    ExplanationFile = "ISO-CONSTRUCT-010", "Let the name end in `.html` or `.tex`.";
    /// A part of the structure that the systems of the class, or the problem, do not have.
    NoPart = "ISO-CONSTRUCT-011", "The message lists the parts; without `--part` all of the structure counts.";
}
