//! Ensembles: the codes of what is refused.

error_codes! {
    /// What is wrong with a table of members.
    EnsembleCode;
    /// The file is not UTF-8 text.
    NotUtf8 = "ISO-ENSEMBLE-001", "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = "ISO-ENSEMBLE-002", "Remove the character; is it a text file?";
    /// The file has too many bytes, columns or members.
    TooLarge = "ISO-ENSEMBLE-003", "Split the file and run the parts.";
    /// The file has no header.
    Empty = "ISO-ENSEMBLE-004", "Begin with a line of names, such as `g,theta,theta'`.";
    /// The file has a header and no members.
    NoMembers = "ISO-ENSEMBLE-005", "Add a line of numbers for each member.";
    /// A column without a name.
    UnnamedColumn = "ISO-ENSEMBLE-006", "Name the column or remove it; pandas leaves out its index with `to_csv(path, index=False)`.";
    /// A column named after nothing in the model.
    UnknownName = "ISO-ENSEMBLE-007", "Use names of parameters and coordinates, with a prime or `v_` for velocities.";
    /// Two columns for the same quantity.
    DuplicateColumn = "ISO-ENSEMBLE-008", "Keep one of the two.";
    /// Momenta for a Lagrangian, or velocities for a Hamiltonian.
    WrongRate = "ISO-ENSEMBLE-009", "Give velocities to a Lagrangian and momenta to a Hamiltonian.";
    /// A parameter that decides how many coordinates or terms there are.
    StructuralParameter = "ISO-ENSEMBLE-010", "Run the values one at a time: `--set N=3`.";
    /// A line with more or fewer entries than the header.
    WrongWidth = "ISO-ENSEMBLE-011", "Give every line as many entries as the header has names, separated by commas.";
    /// An entry that is empty.
    MissingValue = "ISO-ENSEMBLE-012", "Write the number; what is the same for all members needs no column.";
    /// An entry that is not a decimal number.
    NotANumber = "ISO-ENSEMBLE-013", "Write a decimal such as `0.5` or `1e-3`, with a point and without units.";
    /// An entry that is infinite, not a number, or too large for a double.
    NotFinite = "ISO-ENSEMBLE-014", "Give a finite number.";
    /// Quotes that are not closed, or text behind them.
    Quotes = "ISO-ENSEMBLE-015", "Put the whole entry in double quotes, or none of it.";
}
