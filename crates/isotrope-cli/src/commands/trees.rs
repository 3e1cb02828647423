//! `isotrope trees`: the coloured trees of a family of methods, one order condition each.

use isotrope::{Failure, TreesRequest, trees};

use super::{show, told};
use crate::cli::{Format as _, Trees};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Trees) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Trees) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let asked = TreesRequest {
        family: arguments.family.into(),
        groups: arguments.groups.clone(),
        natural: arguments.natural,
        order: arguments.order,
        counts: arguments.counts,
        draw: arguments.draw,
    };
    let mut answer = trees(&host, &asked)?;
    show(&host, &mut answer, &arguments.format)
}
