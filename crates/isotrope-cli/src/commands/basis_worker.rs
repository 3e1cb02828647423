//! The second process that computes bases for `construct`; not for people.

use crate::engine::serve;
use crate::exit::Exit;

/// Answers requests until the input ends, and ends with it.
pub fn run() -> Exit {
    match serve(std::io::stdin(), std::io::stdout().lock(), || std::process::exit(0)) {
        Ok(()) => Exit::Done,
        Err(_) => Exit::CouldNotRun,
    }
}
