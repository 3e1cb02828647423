//! `isotrope derive`: what a model says, exactly.

use isotrope::{DeriveRequest, Failure};

use super::{format, ready, told, unless_it_exists, write};
use crate::cli::{Derive, Format as _};
use crate::diagnostics;
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Derive) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Derive) -> Result<Exit, Failure> {
    let host =
        host_writing(arguments.format.target().out.into_iter().chain(arguments.save.as_deref()))?;
    // Before the derivation, which takes its time.
    let saved = arguments.save.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = saved {
        unless_it_exists(path, arguments.force)?;
    }
    let asked = DeriveRequest {
        discrete: arguments.discrete.clone(),
        integrals: arguments.integrals,
        integrals_time: arguments.integrals_time,
    };
    let mut system = ready(&host, &arguments.model, &asked)?;
    let target = arguments.format.target();
    if arguments.reduce {
        let text = system.reduced_model()?;
        write(&host, arguments.save.as_deref().or(target.out), &text)?;
        if let Some(path) = saved {
            diagnostics::say(&format!("wrote {0}; next: isotrope run {0}", path.display()));
        }
        return Ok(Exit::Done);
    }
    write(&host, target.out, &system.derived(&asked, format(target.shape))?)?;
    Ok(Exit::Done)
}
