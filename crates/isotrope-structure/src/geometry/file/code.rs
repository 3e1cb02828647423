//! The stable codes of errors in geometry files.

isotrope_model::error_codes! {
    /// What is wrong with a geometry file, as a number that does not change between versions.
    GeometryCode, "ISO-GEOMETRY";
    /// The file is not UTF-8 text.
    NotUtf8 = 1, "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = 2, "Remove the character; is it a text file?";
    /// The file, or what it takes to compute with it, is too large.
    TooLarge = 3, "Choose a smaller problem: at most 64 coordinates, 128 of them odd.";
    /// The file is not well-formed TOML.
    Toml = 4, "Write expressions in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = 5, "Keep one of the two.";
    /// A key that geometry files do not have.
    UnknownKey = 6, "Correct the name; the error tells the nearest one.";
    /// A value of the wrong type: a text where a list is wanted, a date for a number.
    WrongType = 7, r#"Write lists of names, `["x", "y"]`, tables, `{ x = "y" }`, and expressions in quotes."#;
    /// A part that is needed is missing.
    MissingPart = 8, "Add it.";
    /// A name that cannot be one: `2x`, `sin`.
    BadName = 9, "Use letters, digits and underscores, and no name of a function.";
    /// A name that means two things.
    RepeatedName = 10, "Give coordinates, parameters and definitions different names.";
    /// An expression that does not follow the grammar.
    Syntax = 11, "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// A name that means nothing.
    UnknownName = 12, "Declare it under `coordinates`, `parameters` or [define].";
    /// An expression without a value: a division by zero.
    Undefined = 13, "Correct the denominator or what stands under the root.";
    /// A key that is no pair of two different names, or a pair that is given in both orders.
    Pair = 14, r#"Write each pair once, as `"x,y" = "…"`; the other order has the opposite sign."#;
    /// Structure constants that are not rational numbers.
    Constant = 15, "Write brackets as sums of elements of the basis with rational coefficients.";
    /// A component of a field, or a function, whose degree does not fit.
    Degree = 16, "Correct the degrees of the coordinates or the term; a field of degree k has components of degree k plus that of their coordinate.";
    /// No geometric object in the file, or two that do not belong together.
    Object = 17, "Write one of [bivector], [two_form], [distribution], [dirac], [lie_algebra] and [graded]; a [distribution] may have a [two_form].";
    /// The file asks for a version of the format that this program does not read.
    Version = 18, "Write `version = 1`, or leave it out.";
    /// Forms of a distribution that are dependent everywhere.
    Dependent = 19, "Leave out the forms that follow from the others.";
    /// A function or a quotient where only sums and products can be read.
    NotScalar = 20, "Take functions, quotients and roots of coordinates of degree 0 only.";
    /// A parameter whose value is not a rational number.
    Parameter = 21, r#"Write a fraction in quotes, `"3/2"`, or `"symbol"` for all values at once."#;
    /// A structure that is not the same after the period of a coordinate.
    NotPeriodic = 22, "Take coefficients that are periodic, or leave out the period.";
    /// A section of a map whose points do not lie over the points of the target.
    Section = 23, "Choose for every point of the target a point that the map sends there.";
    /// An argument of the command that is for models only.
    Argument = 24, "Leave it out; geometry files have their values inside.";
}

/// Every code with its explanation, for the documentation.
pub fn geometry_codes() -> impl Iterator<Item = (GeometryCode, &'static str)> {
    GeometryCode::ALL.iter().map(|code| (*code, code.explanation()))
}

isotrope_model::formula_codes!(GeometryCode);
