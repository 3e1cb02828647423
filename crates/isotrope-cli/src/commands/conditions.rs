//! `isotrope conditions`: what a class of systems, or one system, asks of a method that preserves
//! its structure.

use isotrope::{
    ConditionsRequest, Failure, Overrides, conditions_of_class, conditions_of_groups,
    conditions_of_model,
};

use super::{model, read, show, told};
use crate::cli::{Conditions, Format as _};
use crate::exit::Exit;
use crate::surroundings::host_writing;

/// Runs the command.
pub fn run(arguments: &Conditions) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Conditions) -> Result<Exit, Failure> {
    let host = host_writing(arguments.format.target().out)?;
    let asked = ConditionsRequest { order: arguments.order, given: arguments.given };
    let mut conditions = match (&arguments.groups, &arguments.model) {
        (Some(path), _) => {
            let (name, bytes) = read(&host, path)?;
            conditions_of_groups(&host, (&name, &bytes), &asked)?
        }
        (None, Some(path)) => {
            let model = model(&host, path, &Overrides::default())?;
            conditions_of_model(&host, &model, &asked)?
        }
        (None, None) => {
            let class = arguments.class.as_deref().unwrap_or_default();
            conditions_of_class(&host, class, arguments.part.map(Into::into), &asked)?
        }
    };
    show(&host, &mut conditions, &arguments.format)
}
