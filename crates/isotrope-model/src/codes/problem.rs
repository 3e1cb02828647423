//! Problem files: the codes of what is refused.

error_codes! {
    /// What is wrong with a problem file.
    ProblemCode;
    /// The file is not UTF-8 text.
    NotUtf8 = "ISO-GROUPS-001", "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = "ISO-GROUPS-002", "Remove the character; is it a text file?";
    /// The file, or what it takes to compute with it, is too large.
    TooLarge = "ISO-GROUPS-003", "Choose a smaller problem: at most 32 groups and 200 variables.";
    /// The file is not well-formed TOML.
    Toml = "ISO-GROUPS-004", "Write expressions in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = "ISO-GROUPS-005", "Keep one of the two.";
    /// A key that problem files do not have.
    UnknownKey = "ISO-GROUPS-006", "Correct the name; the error names the nearest one.";
    /// A value of the wrong type: a text where a list is wanted, a date for a number.
    WrongType = "ISO-GROUPS-007", r#"Write groups as lists of names, `q = ["x", "y"]`, and expressions in quotes."#;
    /// A part that every problem needs is missing.
    MissingPart = "ISO-GROUPS-008", "Add it: a problem has [groups], [rates], and something to preserve.";
    /// A name that cannot be one: `2x`, `sin`.
    BadName = "ISO-GROUPS-009", "Use letters, digits and underscores, and no name of a function.";
    /// A name that means two things.
    RepeatedName = "ISO-GROUPS-010", "Give parameters, variables and definitions different names, and every variable one group.";
    /// An expression that does not follow the grammar.
    Syntax = "ISO-GROUPS-011", "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// A name that means nothing.
    UnknownName = "ISO-GROUPS-012", "Declare it under [groups], `parameters` or [define].";
    /// An expression without a value: a division by zero.
    Undefined = "ISO-GROUPS-013", "Correct the denominator or what stands under the root.";
    /// A parameter whose value is not a rational number.
    Parameter = "ISO-GROUPS-014", r#"Write a fraction in quotes, `"3/2"`, or `"symbol"` for all values at once."#;
    /// A rate of something that is not a variable, or a variable without a rate.
    Rate = "ISO-GROUPS-015", "Give each variable of [groups] one line under [rates].";
    /// A function that should be preserved but changes along solutions.
    NotInvariant = "ISO-GROUPS-016", "Correct the function or the rates; what has a supply goes under [balance].";
    /// A balance whose supply is not the rate of what is stored.
    NotBalanced = "ISO-GROUPS-017", "Let the supply be the rate at which the stored quantity changes along solutions.";
    /// An equation of the manifold that does not stay satisfied.
    NotTangent = "ISO-GROUPS-018", "Add the equations that its derivative demands to [manifold], or correct the rates.";
    /// Equations of the manifold that cannot be solved one after the other.
    Manifold = "ISO-GROUPS-019", "Write each so that it is linear in a variable of its own, or has a constant coefficient at the highest power of one.";
    /// A function of which it could not be decided whether it is preserved.
    Undecided = "ISO-GROUPS-020", "Write rates and functions in a simpler form.";
    /// A group that does not exist.
    UnknownGroup = "ISO-GROUPS-021", "Name one of [groups], or leave `group` out for a table of its own.";
    /// The file asks for a version of the format that this program does not read.
    Version = "ISO-GROUPS-022", "Write `version = 1`, or leave it out.";
}

crate::files::formula_codes!(ProblemCode);
