//! `isotrope man`: the manual pages, made from the same text as `--help`.

use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man as Page;

use super::{FileError, answer, write};
use crate::cli::{Cli, Man};
use crate::exit::Exit;

/// Runs the command.
pub fn run(arguments: &Man) -> Exit {
    let mut command = Cli::command();
    command.build();
    let Some(directory) = &arguments.out else {
        return match render(command) {
            Ok(page) => answer(None, &page, Exit::Done),
            Err(error) => FileError::Standard(error).report(),
        };
    };
    match write_pages(command, directory) {
        Ok(()) => Exit::Done,
        Err(error) => error.report(),
    }
}

fn render(command: clap::Command) -> std::io::Result<String> {
    let mut page = Vec::new();
    Page::new(command).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn write_pages(command: clap::Command, directory: &Path) -> Result<(), FileError> {
    let refused = |error| FileError::Unwritable(directory.to_owned(), error);
    std::fs::create_dir_all(directory).map_err(refused)?;
    let mut pages = vec![("isotrope".to_owned(), command.clone())];
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        let name = format!("isotrope-{}", part.get_name());
        pages.push((name.clone(), part.clone().display_name(name)));
    }
    for (name, part) in pages {
        let page = render(part).map_err(refused)?;
        write(Some(&directory.join(format!("{name}.1"))), &page)?;
    }
    Ok(())
}
