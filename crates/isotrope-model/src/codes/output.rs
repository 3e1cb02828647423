//! Trajectory files: the codes of what is refused.

error_codes! {
    /// Why a trajectory cannot be written.
    OutputCode;
    /// A trajectory in a format that is not written.
    UnknownFormat = "ISO-OUTPUT-001", "End the name in `.csv` or another format that `isotrope run --help` lists; only `run` writes `.wav`, one column as sound.";
    /// A trajectory without columns.
    NoColumns = "ISO-OUTPUT-002", "Ask for at least one column.";
    /// Two columns of a trajectory have the same name.
    DuplicateColumn = "ISO-OUTPUT-003", "Rename the coordinate or the constraint in the model: a coordinate `v_x` beside `x` is the velocity of `x`, too.";
    /// A row that does not fit the columns.
    Width = "ISO-OUTPUT-004", "This is a bug in isotrope; please report it.";
    /// The file of a trajectory cannot be created.
    Create = "ISO-OUTPUT-005", "Check that the folder exists and may be written to.";
    /// The file of a trajectory cannot be extended or completed.
    Write = "ISO-OUTPUT-006", "Make room on the disk, or write less with `--stride`.";
    /// A trajectory has more rows than its format has room for.
    Full = "ISO-OUTPUT-007", "Write fewer rows with `--stride`, or write `.csv` or `.npz`.";
    /// A column that should be written as sound does not exist.
    NoSignal = "ISO-OUTPUT-008", "Name a column with `--signal`; `--out F.csv` shows which there are.";
    /// Sound from rows that do not come at a whole number per second.
    Rate = "ISO-OUTPUT-009", "Take a step like `1/44100`, or a part of it and `--stride`.";
    /// A sample of sound has no finite value.
    NotFinite = "ISO-OUTPUT-010", "Look at the column with `--out F.csv`.";
}
