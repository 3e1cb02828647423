//! The stable codes of errors in problem files.

isotrope_model::error_codes! {
    /// What is wrong with a problem file, as a number that does not change between versions.
    ProblemCode, "ISO-GROUPS";
    /// The file is not UTF-8 text.
    NotUtf8 = 1, "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = 2, "Remove the character; is it a text file?";
    /// The file, or what it takes to compute with it, is too large.
    TooLarge = 3, "Choose a smaller problem: at most 32 groups and 200 variables.";
    /// The file is not well-formed TOML.
    Toml = 4, "Write expressions in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = 5, "Keep one of the two.";
    /// A key that problem files do not have.
    UnknownKey = 6, "Correct the name; the error tells the nearest one.";
    /// A value of the wrong type: a text where a list is wanted, a date for a number.
    WrongType = 7, r#"Write groups as lists of names, `q = ["x", "y"]`, and expressions in quotes."#;
    /// A part that every problem needs is missing.
    MissingPart = 8, "Add it: a problem has [groups], [rates], and something to preserve.";
    /// A name that cannot be one: `2x`, `sin`.
    BadName = 9, "Use letters, digits and underscores, and no name of a function.";
    /// A name that means two things.
    RepeatedName = 10, "Give parameters, variables and definitions different names, and every variable one group.";
    /// An expression that does not follow the grammar.
    Syntax = 11, "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// A name that means nothing.
    UnknownName = 12, "Declare it under [groups], `parameters` or [define].";
    /// An expression without a value: a division by zero.
    Undefined = 13, "Correct the denominator or what stands under the root.";
    /// A parameter whose value is not a rational number.
    Parameter = 14, r#"Write a fraction in quotes, `"3/2"`, or `"symbol"` for all values at once."#;
    /// A rate of something that is no variable, or a variable without a rate.
    Rate = 15, "Give each variable of [groups] one line under [rates].";
    /// A function that is to be preserved but changes along solutions.
    NotInvariant = 16, "Correct the function or the rates; what has a supply goes under [balance].";
    /// A balance whose supply is not the rate of what is stored.
    NotBalanced = 17, "Let the supply be the rate at which the stored quantity changes along solutions.";
    /// An equation of the manifold that does not stay satisfied.
    NotTangent = 18, "Add the equations that its derivative demands to [manifold], or correct the rates.";
    /// Equations of the manifold that cannot be solved one after the other.
    Manifold = 19, "Write each so that it is linear in a variable of its own, or has a constant coefficient at the highest power of one.";
    /// A function of which it could not be decided whether it is preserved.
    Undecided = 20, "Write rates and functions in a simpler form.";
    /// A group that does not exist.
    UnknownGroup = 21, "Name one of [groups], or leave `group` out for a table of its own.";
    /// The file asks for a version of the format that this program does not read.
    Version = 22, "Write `version = 1`, or leave it out.";
}

/// Every code with its explanation, for the documentation.
pub fn problem_codes() -> impl Iterator<Item = (ProblemCode, &'static str)> {
    ProblemCode::ALL.iter().map(|code| (*code, code.explanation()))
}

isotrope_model::formula_codes!(ProblemCode);
