//! The second process of [`LimitedEngine`](crate::construct::LimitedEngine); not for people.

use crate::construct::serve;
use crate::exit::Exit;

/// Answers requests until the input ends.
pub fn run() -> Exit {
    match serve(std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => Exit::Done,
        Err(_) => Exit::CouldNotRun,
    }
}
