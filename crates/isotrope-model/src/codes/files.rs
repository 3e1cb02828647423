//! Files: the codes of what is refused.

error_codes! {
    /// What is wrong with a file, whatever is in it.
    FilesCode;
    /// There is no such file.
    Missing = "ISO-FILE-001", "Correct the name; `isotrope new NAME` writes a model to start from.";
    /// A directory where a model is wanted.
    Directory = "ISO-FILE-002", "Name a file in it.";
    /// A file that cannot be read.
    Unreadable = "ISO-FILE-003", "Check its permissions.";
    /// The file exists already.
    Exists = "ISO-FILE-004", "Choose another name, or replace it with `--force`.";
    /// A file that cannot be written.
    Unwritable = "ISO-FILE-005", "Check that the directory exists and may be written.";
    /// Standard input or output cannot be used.
    StandardStreams = "ISO-FILE-006", "Check where they lead; is the disk full?";
    /// A name from which `new` cannot make a file in the current folder.
    NotAName = "ISO-FILE-007", "Use letters and digits, without a folder.";
    /// A file is named where none can be read: on a page, or in a program without files.
    NoFiles = "ISO-FILE-008", "Name a method of the list instead of a file.";
    /// A file that is too long to read.
    TooLong = "ISO-FILE-009", "Split it.";
    /// A file that is read would be overwritten by what is written; links and other spellings lead to the same file.
    SameFile = "ISO-FILE-010", "Write to another file.";
}
