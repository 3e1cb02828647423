//! The stable codes of errors in ensemble files.

isotrope_model::error_codes! {
    /// What is wrong with an ensemble file, as a number that does not change between versions.
    EnsembleCode, "ISO-ENSEMBLE";
    /// The file is not UTF-8 text.
    NotUtf8 = 1, "Save the file as UTF-8.";
    /// The file contains a NUL or another control character.
    ControlCharacter = 2, "Remove the character; is it a text file?";
    /// The file has too many bytes, columns or members.
    TooLarge = 3, "Split the file and run the parts.";
    /// The file has no header.
    Empty = 4, "Begin with a line of names, such as `g,theta,theta'`.";
    /// The file has a header and no members.
    NoMembers = 5, "Add a line of numbers for each member.";
    /// A column without a name.
    UnnamedColumn = 6, "Name the column or remove it; pandas leaves out its index with `to_csv(path, index=False)`.";
    /// A column named after nothing in the model.
    UnknownName = 7, "Use names of parameters and coordinates, with a prime or `v_` for velocities.";
    /// Two columns for the same quantity.
    DuplicateColumn = 8, "Keep one of the two.";
    /// Momenta for a Lagrangian, or velocities for a Hamiltonian.
    WrongRate = 9, "Give velocities to a Lagrangian and momenta to a Hamiltonian.";
    /// A parameter that decides how many coordinates or terms there are.
    StructuralParameter = 10, "Run each value by itself: `--set N=3`.";
    /// A line with more or fewer entries than the header.
    WrongWidth = 11, "Give every line as many entries as the header has names, separated by commas.";
    /// An entry that is empty.
    MissingValue = 12, "Write the number; what is the same for all members needs no column.";
    /// An entry that is not a decimal number.
    NotANumber = 13, "Write a decimal such as `0.5` or `1e-3`, with a point and without units.";
    /// An entry that is infinite, not a number, or too large for a double.
    NotFinite = 14, "Give a finite number.";
    /// Quotes that are not closed, or text behind them.
    Quotes = 15, "Put the whole entry in double quotes, or none of it.";
}

/// Every code with its explanation, for the documentation.
pub fn ensemble_codes() -> impl Iterator<Item = (EnsembleCode, &'static str)> {
    EnsembleCode::ALL.iter().map(|code| (*code, code.explanation()))
}
