//! `isotrope connect`: port systems joined to one.

use std::path::PathBuf;

use isotrope_scheme::connect::{Component, ConnectError, Join, connect};

use super::{answer, load};
use crate::cli::{Connect, ModelArguments};
use crate::diagnostics;
use crate::exit::Exit;

/// Runs the command.
pub fn run(arguments: &Connect) -> Exit {
    let refuse = |error: &ConnectError| {
        diagnostics::plain(error.code(), &error.to_string(), Some(&error.hint()));
        Exit::CouldNotRun
    };
    let mut models = Vec::with_capacity(arguments.components.len());
    for text in &arguments.components {
        let Some((name, file)) = text.split_once('=') else {
            return refuse(&ConnectError::Name { name: text.clone() });
        };
        let (set, initial) = (Vec::new(), Vec::new());
        let model = ModelArguments { model: PathBuf::from(file), set, initial };
        let mut bytes = Vec::new();
        match load(&model, &mut bytes) {
            Ok((model, _)) => models.push((name, model)),
            Err(exit) => return exit,
        }
    }
    let components: Vec<Component<'_>> =
        models.iter().map(|(name, model)| Component { name, model }).collect();
    let joins: Result<Vec<Join>, ConnectError> =
        arguments.join.iter().map(|text| Join::read(text)).collect();
    let names: Vec<&str> = models.iter().map(|(name, _)| *name).collect();
    let name = arguments.name.clone().unwrap_or_else(|| names.join(", "));
    match joins.and_then(|joins| connect(&name, &components, &joins)) {
        Ok(text) => answer(arguments.out.as_deref(), &text, Exit::Done),
        Err(error) => refuse(&error),
    }
}
