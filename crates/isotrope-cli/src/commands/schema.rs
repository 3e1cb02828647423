//! `isotrope schema`: what a model file may contain, for editors.

use super::{told, write};
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run() -> Exit {
    told(write(&host(), None, &format!("{:#}\n", isotrope::schema())).map(|()| Exit::Done))
}
