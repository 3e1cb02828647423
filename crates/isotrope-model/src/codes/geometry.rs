//! Geometry files: the codes of what is refused.

error_codes! {
    /// What is wrong with a geometry file, or why its object cannot be examined.
    GeometryCode;
    /// The file is not UTF-8 text.
    NotUtf8 = "ISO-GEOMETRY-001", "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = "ISO-GEOMETRY-002", "Remove the character; is it a text file?";
    /// The file, or what it takes to compute with it, is too large.
    TooLarge = "ISO-GEOMETRY-003", "Choose a smaller problem: at most 64 coordinates, on graded manifolds 256, of which 128 odd.";
    /// The file is not well-formed TOML.
    Toml = "ISO-GEOMETRY-004", "Write expressions in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = "ISO-GEOMETRY-005", "Keep one of the two.";
    /// A key that geometry files do not have.
    UnknownKey = "ISO-GEOMETRY-006", "Correct the name; the error names the nearest one.";
    /// A value of the wrong type: a text where a list is wanted, a date for a number.
    WrongType = "ISO-GEOMETRY-007", r#"Write lists of names, `["x", "y"]`, tables, `{ x = "y" }`, and expressions in quotes."#;
    /// A part that is needed is missing.
    MissingPart = "ISO-GEOMETRY-008", "Add it.";
    /// A name that cannot be one: `2x`, `sin`.
    BadName = "ISO-GEOMETRY-009", "Use letters, digits and underscores, and no name of a function.";
    /// A name that means two things.
    RepeatedName = "ISO-GEOMETRY-010", "Give coordinates, parameters and definitions different names.";
    /// An expression that does not follow the grammar.
    Syntax = "ISO-GEOMETRY-011", "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// A name that means nothing.
    UnknownName = "ISO-GEOMETRY-012", "Declare it under `coordinates`, `parameters` or [define].";
    /// An expression without a value: a division by zero.
    Undefined = "ISO-GEOMETRY-013", "Correct the denominator or what stands under the root.";
    /// A key that is not a pair of two different names, or a pair that is given in both orders.
    Pair = "ISO-GEOMETRY-014", r#"Write each pair once, as `"x,y" = "…"`; the other order has the opposite sign."#;
    /// Structure constants that are not rational numbers.
    Constant = "ISO-GEOMETRY-015", "Write brackets as sums of elements of the basis with rational coefficients.";
    /// A component of a field, or a function, whose degree does not fit.
    Degree = "ISO-GEOMETRY-016", "Correct the degrees of the coordinates or the term; a field of degree k has components of degree k plus that of their coordinate.";
    /// No geometric object in the file, or two that do not belong together.
    Object = "ISO-GEOMETRY-017", "Write one of [bivector], [two_form], [distribution], [dirac], [lie_algebra] and [graded]; a [distribution] may have a [two_form].";
    /// The file asks for a version of the format that this program does not read.
    Version = "ISO-GEOMETRY-018", "Write `version = 1`, or leave it out.";
    /// Forms of a distribution that are dependent everywhere.
    Dependent = "ISO-GEOMETRY-019", "Leave out the forms that follow from the others.";
    /// A function or a quotient where only sums and products can be read.
    NotScalar = "ISO-GEOMETRY-020", "Take functions, quotients and roots of coordinates of degree 0 only.";
    /// A parameter whose value is not a rational number.
    Parameter = "ISO-GEOMETRY-021", r#"Write a fraction in quotes, `"3/2"`, or `"symbol"` for all values at once."#;
    /// A structure that is not the same after the period of a coordinate.
    NotPeriodic = "ISO-GEOMETRY-022", "Take coefficients that are periodic, or leave out the period.";
    /// A section of a map whose points do not lie over the points of the target.
    Section = "ISO-GEOMETRY-023", "Choose for every point of the target a point that the map sends there.";
    /// An argument of the command that is for models only.
    Argument = "ISO-GEOMETRY-024", "Leave it out; geometry files have their values inside.";
}

crate::files::formula_codes!(GeometryCode);
