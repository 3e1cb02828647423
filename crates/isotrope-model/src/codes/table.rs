//! Table files: the codes of what is refused.

error_codes! {
    /// What is wrong with a table file.
    TableCode;
    /// The file is not UTF-8 text.
    NotUtf8 = "ISO-TABLE-001", "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = "ISO-TABLE-002", "Remove the character; is it a text file?";
    /// The file, an entry, or what it takes to compute with it, is too large.
    TooLarge = "ISO-TABLE-003", "Write the entries in a simpler form; tables have at most 64 stages.";
    /// The file is not well-formed TOML.
    Toml = "ISO-TABLE-004", "Write expressions in quotes.";
    /// A key or a table is given twice.
    DuplicateKey = "ISO-TABLE-005", "Keep one of the two.";
    /// A key that table files do not have.
    UnknownKey = "ISO-TABLE-006", "Correct the name; the error names the nearest one. Keys after `[declared]` belong to it.";
    /// A value of the wrong type: a text where a list is wanted, a date for a number.
    WrongType = "ISO-TABLE-007", r#"Write matrices as lists of rows, and entries as integers or in quotes: `a = [["1/2"]]`."#;
    /// A part that every table needs is missing.
    MissingPart = "ISO-TABLE-008", r#"Add it: `a = [["1/2"]]`, `b = ["1"]`."#;
    /// The number of stages is not an integer from 1 to 64.
    Stages = "ISO-TABLE-009", "Write `stages = 2`, or leave it out: the length of `b` gives it.";
    /// A matrix or a list whose size is not the number of stages.
    Shape = "ISO-TABLE-010", "Give `a` and `abar` as many rows and columns, and `b`, `bbar`, `btil` as many entries, as there are stages.";
    /// An entry that does not follow the grammar.
    Syntax = "ISO-TABLE-011", "Correct it where the mark stands; the grammar is that of ordinary formulas.";
    /// An entry that is not an algebraic number: `pi`, `sin(1)`, a name.
    NotAlgebraic = "ISO-TABLE-012", "Build entries from fractions, `sqrt`, powers with fractions and `root(polynomial,number)`.";
    /// An entry without a real value: a division by zero, an even root of a negative number.
    Undefined = "ISO-TABLE-013", "Correct the denominator or what stands under the root.";
    /// The entries together generate a field that is too large to compute in.
    FieldTooLarge = "ISO-TABLE-014", "Use fewer independent radicals: all entries live in one field, of degree 32 at most.";
    /// A declared order that is not an order.
    DeclaredOrder = "ISO-TABLE-015", r#"Write a positive integer, or "inf" for `structure` and `form`."#;
    /// A class of systems that does not exist.
    UnknownClass = "ISO-TABLE-016", "Use generic, natural, constant-mass, bilinear, sphere, quadrics, holonomic or symplectic.";
    /// The file asks for a version of the format that this program does not read.
    Version = "ISO-TABLE-017", "Write `version = 1`, or leave it out.";
    /// Nodes `c` that are not the row sums of `a`.
    Nodes = "ISO-TABLE-018", "Correct the row or the node, or leave `c` out: it follows from `a`.";
    /// A file without tables for groups, or a group without variables and weights, where such a file is wanted.
    NoGroups = "ISO-TABLE-019", r#"Write a table for each group: `[groups.q]` with `variables = ["x"]`, `a` and `b`."#;
    /// Groups that are no partition of the variables: a name that the system does not have, one in two groups, or one in none.
    NotAPartition = "ISO-TABLE-020", "Put every variable of the system into one group.";
    /// Trees of a grouped method need the matrix of a group that has none.
    NoMatrix = "ISO-TABLE-021", "Give the group its matrix `a`: right sides depend on its stages.";
    /// What a grouped file says of its class is not known: neither a problem, nor trees, nor a file.
    UnknownGroups = "ISO-TABLE-022", r#"Leave `class` out, or write "general", trees such as "q=p; p=q^2,p", or a problem file; or put the problem under [problem]."#;
}

crate::files::toml_codes!(TableCode);
