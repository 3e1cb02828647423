//! Exit codes, the same for every command.

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked and the answer is positive.
    Done = 0,
    /// It did what was asked and the answer is negative: a property fails.
    Negative = 1,
    /// It could not do what was asked: bad model, bad arguments, unreadable file.
    CouldNotRun = 2,
    /// Ctrl-C ended it.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
