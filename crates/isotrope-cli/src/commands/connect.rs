//! `isotrope connect`: port systems joined to one.

use std::path::Path;

use isotrope::{Failure, Overrides, component, connected};

use super::{model, told, write};
use crate::cli::Connect;
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Connect) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Connect) -> Result<Exit, Failure> {
    let host = host_writing(arguments.out.as_deref())?;
    let mut parts = Vec::with_capacity(arguments.components.len());
    for text in &arguments.components {
        let (name, file) = component(text)?;
        parts.push((name.to_owned(), model(&host, Path::new(file), &Overrides::default())?));
    }
    let text = connected(arguments.name.as_deref(), &parts, &arguments.join)?;
    write(&host, arguments.out.as_deref(), &text)?;
    Ok(Exit::Done)
}
