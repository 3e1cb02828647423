//! `isotrope man`: the manual pages, made from the same text as `--help`.

use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man as Page;

use isotrope::{Failure, FileError, Host};

use super::{told, write};
use crate::cli::{Cli, Man};
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &Man) -> Exit {
    told(answered(arguments).map(|()| Exit::Done))
}

fn answered(arguments: &Man) -> Result<(), Failure> {
    let host = host();
    let mut command = Cli::command();
    command.build();
    match &arguments.out {
        Some(directory) => write_pages(&host, command, directory),
        None => write(&host, None, &render(command).map_err(FileError::Standard)?),
    }
}

fn render(command: clap::Command) -> std::io::Result<String> {
    let mut page = Vec::new();
    Page::new(command).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn write_pages(host: &Host, command: clap::Command, directory: &Path) -> Result<(), Failure> {
    let refused = |error| FileError::Unwritable(directory.to_owned(), error);
    std::fs::create_dir_all(directory).map_err(refused)?;
    let mut pages = vec![("isotrope".to_owned(), command.clone())];
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        let name = format!("isotrope-{}", part.get_name());
        pages.push((name.clone(), part.clone().display_name(name)));
    }
    for (name, part) in pages {
        let page = render(part).map_err(refused)?;
        write(host, Some(&directory.join(format!("{name}.1"))), &page)?;
    }
    Ok(())
}
