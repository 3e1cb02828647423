//! The tables that give a system, one file each.
//!
//! Everything a table is known by stands in its [`SystemTable`]: its name, how it is read, what may stand
//! beside it, its part of the schema, what such a system is called and which methods it is usually run with.

mod equations;
mod hamiltonian;
mod lagrangian;
mod lie_group;
mod poisson;
mod port;
mod singular;

use serde_json::Value;
use toml_edit::Item;

use crate::diagnostics::Place;
use crate::read::{Formalism, RawModel, Reader};
use crate::state::build::Complete;

/// A table that gives a system.
#[derive(Debug)]
pub struct SystemTable {
    /// Its name in a file.
    pub name: &'static str,
    /// What such a system is called.
    pub title: &'static str,
    /// The methods that are compared when none is asked for.
    pub compared: &'static str,
    /// The method it is run with when none is asked for.
    pub method: &'static str,
    /// What names mean in it, and what initial data are.
    pub(crate) formalism: Formalism,
    /// Does it need `coordinates`?
    pub(crate) coordinates: bool,
    /// Of the tables that not all systems have, those that may stand beside it.
    pub(crate) beside: &'static [&'static str],
    /// Why another of these may not: message and hint.
    pub(crate) refuse: fn(&str) -> (String, &'static str),
    /// Reads it.
    pub(crate) read: for<'d> fn(&mut Reader<'_>, &'d Item, Place, &mut RawModel<'d>),
    /// Of a system in state space: the equations that follow from what is written, once names have meanings.
    /// Without it they are those of the matrices and the Hamiltonian.
    pub(crate) complete: Option<Complete>,
    /// Its part of the schema.
    pub(crate) schema: fn() -> Value,
}

impl PartialEq for SystemTable {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for SystemTable {}

/// All of them, in the order in which they are listed.
pub(crate) const TABLES: [&SystemTable; 6] = [
    &lagrangian::TABLE,
    &hamiltonian::TABLE,
    &lie_group::TABLE,
    &poisson::TABLE,
    &equations::TABLE,
    &port::TABLE,
];

pub use singular::SINGULAR;

/// Tables of mechanical systems, and of systems in state space.
const MECHANICAL: [&str; 5] = ["constraints", "forces", "magnetic", "discrete", "time"];
/// A Lagrangian may be singular, too.
const OF_LAGRANGIAN: [&str; 6] =
    ["constraints", "forces", "gauge_fix", "magnetic", "discrete", "time"];
const IN_STATE_SPACE: [&str; 2] = ["inputs", "outputs"];

/// What methods are compared on a system in state space, without and with an energy.
const PLAIN: &str = "rk4,midpoint,gauss-2,dop853";
const WITH_ENERGY: &str = "rk4,midpoint,gauss-2,dop853,state";

/// The table of this name.
pub(crate) fn named(name: &str) -> Option<&'static SystemTable> {
    TABLES.into_iter().find(|table| table.name == name)
}

/// The name of a table that not all systems have, if it is one.
pub(crate) fn special(name: &str) -> Option<&'static str> {
    OF_LAGRANGIAN.into_iter().chain(IN_STATE_SPACE).find(|special| *special == name)
}

fn mechanical_refuses(name: &str) -> (String, &'static str) {
    if name == "gauge_fix" {
        let hint = "only a singular [lagrangian] leaves velocities free";
        return ("this system has no [gauge_fix]".to_owned(), hint);
    }
    let hint = "inputs and outputs belong to [equations] and [port]; forces may depend on time";
    (format!("a mechanical system has no [{name}]"), hint)
}

fn state_refuses(name: &str) -> (String, &'static str) {
    let hint = "write everything into its equations, or the system as a [lagrangian]";
    (format!("a system in state space has no [{name}]"), hint)
}
