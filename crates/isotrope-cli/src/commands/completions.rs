//! `isotrope completions`: a script that lets a shell complete commands and options.

use clap::CommandFactory as _;

use super::{told, write};
use crate::cli::{Cli, Completions};
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &Completions) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "isotrope", &mut script);
    told(write(&host(), None, &String::from_utf8_lossy(&script)).map(|()| Exit::Done))
}
