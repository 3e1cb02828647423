//! `isotrope schema`: what a model file may contain, for editors.

use super::answer;
use crate::exit::Exit;

/// Runs the command.
pub fn run() -> Exit {
    answer(None, &format!("{:#}\n", isotrope_model::schema()), Exit::Done)
}
