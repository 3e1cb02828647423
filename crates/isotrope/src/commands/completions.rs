//! `isotrope completions`: a script that lets a shell complete commands and options.

use clap::CommandFactory as _;

use super::answer;
use crate::cli::{Cli, Completions};
use crate::exit::Exit;

/// Runs the command.
pub fn run(arguments: &Completions) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "isotrope", &mut script);
    answer(None, &String::from_utf8_lossy(&script), Exit::Done)
}
