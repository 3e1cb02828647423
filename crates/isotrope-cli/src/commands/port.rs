//! `isotrope port`: port-Hamiltonian forms of plain equations.

use isotrope::{Failure, Overrides, PortRequest};

use super::{model, show, told, unless_it_exists, write};
use crate::cli::{Format as _, Port};
use crate::diagnostics;
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Port) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Port) -> Result<Exit, Failure> {
    let host =
        host_writing(arguments.format.target().out.into_iter().chain(arguments.save.as_deref()))?;
    // Before the search, which takes its time.
    let target = arguments.save.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = target {
        unless_it_exists(path, arguments.force)?;
    }
    let overrides = Overrides { set: arguments.set.clone(), initial: Vec::new() };
    let mut system = model(&host, &arguments.file, &overrides)?.derive(&host)?;
    let asked = PortRequest {
        hamiltonian: arguments.hamiltonian.clone(),
        search: arguments.search,
        degree: arguments.degree,
        integrals: arguments.integrals,
    };
    if let Some(number) = arguments.form {
        let text = system.port_form(&asked, number)?;
        write(&host, arguments.save.as_deref(), &text)?;
        if let Some(path) = target {
            diagnostics::say(&format!("wrote {0}; next: isotrope derive {0}", path.display()));
        }
        return Ok(Exit::Done);
    }
    let mut answer = system.port(&asked)?;
    show(&host, &mut answer, &arguments.format)
}
