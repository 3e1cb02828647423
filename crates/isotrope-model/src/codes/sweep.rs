//! Sweeps: the codes of study files and of stores.

use crate::files::toml_codes;

error_codes! {
    /// What is wrong with a study, or with its store.
    SweepCode;
    /// The study is not UTF-8 text.
    NotUtf8 = "ISO-SWEEP-001", "Save the file as UTF-8.";
    /// The study contains a NUL or another control character.
    ControlCharacter = "ISO-SWEEP-002", "Remove the character; is it a text file?";
    /// The folder is the store of another study, or of an earlier version of this one.
    OtherStudy = "ISO-SWEEP-003", "Take another `--store`, or remove that folder.";
    /// The study is too large.
    TooLarge = "ISO-SWEEP-004", "A study has at most a megabyte; long lists go to a file: `{ file = \"f.csv\", column = \"f\" }`.";
    /// The study is not well-formed TOML.
    Toml = "ISO-SWEEP-005", "Write names with primes in quotes: `\"x'\" = { from = 0, to = 1, count = 3 }`.";
    /// A key or a table is given twice.
    DuplicateKey = "ISO-SWEEP-006", "Keep one of the two.";
    /// A key that studies do not have.
    UnknownKey = "ISO-SWEEP-007", "Correct the name; the error names the nearest one.";
    /// A value of the wrong type.
    WrongType = "ISO-SWEEP-008", "Write numbers as numbers, expressions and names in quotes, several of them as a list.";
    /// The study asks for a version of the format that this program does not read.
    Version = "ISO-SWEEP-009", "Write `version = 1`, or leave it out.";
    /// Something that every study needs is missing.
    Missing = "ISO-SWEEP-010", "A study names a `model` and has `[axes]`.";
    /// An axis without values, or with values that are not finite.
    Axis = "ISO-SWEEP-011", "Write `{ from = 0, to = 1, count = 11 }`, `{ log = [1e-3, 1], count = 7 }`, or a list of numbers.";
    /// An axis over something that the model does not have, or that members cannot change.
    UnknownAxis = "ISO-SWEEP-012", "Axes are parameters and initial values; methods and steps are lists under `[run]`.";
    /// A sample that cannot be drawn.
    Sample = "ISO-SWEEP-013", "Write `kind = \"sobol\"`, `count = 4096`; Sobol' points have at most 16 axes.";
    /// Something that cannot be measured.
    Measure = "ISO-SWEEP-014", "Measures are expressions in the columns of a run and in parameters; times are whole numbers of steps.";
    /// A file outside of the folder of the study.
    Path = "ISO-SWEEP-015", "Put models and tables beside the study, or below it, or in the folder above.";
    /// More members than can be run or kept.
    TooMany = "ISO-SWEEP-016", "Take fewer points, or several studies.";
    /// A store that cannot be read or written.
    Store = "ISO-SWEEP-017", "See to it that the folder is there, is a store, and that the disk has room.";
    /// A shard that the study does not have.
    Shard = "ISO-SWEEP-018", "Shards are numbered from 0; `--shard K/N` takes every N-th from the K-th on, K from 1.";
    /// A column that the results do not have.
    Column = "ISO-SWEEP-019", "The message lists the columns.";
    /// A method that does not apply to the model.
    NotApplicable = "ISO-SWEEP-020", "Take another method: `isotrope methods --for MODEL`.";
}

toml_codes!(SweepCode);
