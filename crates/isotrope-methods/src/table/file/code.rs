//! The stable codes of errors in table files.

isotrope_model::error_codes! {
    /// What is wrong with a table file, as a number that does not change between versions.
    TableCode, "ISO-TABLE";
    /// The file is not UTF-8 text.
    NotUtf8 = 1, "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = 2, "Remove the character; is it a text file?";
    /// The file, an entry, or what it takes to compute with it, is too large.
    TooLarge = 3, "Write the entries in a simpler form; tables have at most 64 stages.";
    /// The file is not well-formed TOML.
    Toml = 4, "Write expressions in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = 5, "Keep one of the two.";
    /// A key that table files do not have.
    UnknownKey = 6, "Correct the name; the error tells the nearest one. Keys after `[declared]` belong to it.";
    /// A value of the wrong type: a text where a list is wanted, a date for a number.
    WrongType = 7, r#"Write matrices as lists of rows, and entries as integers or in quotes: `a = [["1/2"]]`."#;
    /// A part that every table needs is missing.
    MissingPart = 8, r#"Add it: `a = [["1/2"]]`, `b = ["1"]`."#;
    /// The number of stages is not an integer from 1 to 64.
    Stages = 9, "Write `stages = 2`, or leave it out: the length of `b` tells it.";
    /// A matrix or a list whose size is not the number of stages.
    Shape = 10, "Give `a` and `abar` as many rows and columns, and `b`, `bbar`, `btil` as many entries, as there are stages.";
    /// An entry that does not follow the grammar.
    Syntax = 11, "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// An entry that is not an algebraic number: `pi`, `sin(1)`, a name.
    NotAlgebraic = 12, "Build entries from fractions, `sqrt`, powers with fractions and `root(polynomial,number)`.";
    /// An entry without a real value: a division by zero, an even root of a negative number.
    Undefined = 13, "Correct the denominator or what stands under the root.";
    /// The entries together generate a field that is too large to compute in.
    FieldTooLarge = 14, "Use fewer independent radicals: all entries live in one field, of degree 32 at most.";
    /// A declared order that is none.
    DeclaredOrder = 15, r#"Write a positive integer, or "inf" for `structure` and `form`."#;
    /// A class of systems that does not exist.
    UnknownClass = 16, "Use generic, natural, constant-mass, bilinear, sphere, quadrics, holonomic or symplectic.";
    /// The file asks for a version of the format that this program does not read.
    Version = 17, "Write `version = 1`, or leave it out.";
    /// Nodes `c` that are not the row sums of `a`.
    Nodes = 18, "Correct the row or the node, or leave `c` out: it follows from `a`.";
}

/// Every code with its explanation, for the documentation.
pub fn table_codes() -> impl Iterator<Item = (TableCode, &'static str)> {
    TableCode::ALL.iter().map(|code| (*code, code.explanation()))
}

isotrope_model::toml_codes!(TableCode);
