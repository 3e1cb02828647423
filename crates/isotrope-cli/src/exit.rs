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
    /// A signal ended it: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
    Interrupted = 130,
}

impl Exit {
    /// The number that the process ends with.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Interrupted => crate::signals::exit_code(),
            other => other as u8,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
