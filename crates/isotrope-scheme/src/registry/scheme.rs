//! Schemes that are written as equations.

use isotrope_algebra::{Budget, Rational};
use isotrope_methods::table::{GroupedTable, Table, TableProblem};
use isotrope_methods::{Composed, named_composition};

use super::entry::{Capabilities, InStateSpace, Recipe, Written};
use super::method::Place;
use super::named_table;
use crate::DiscretiseError;
use crate::canonical;
use crate::grouped;
use crate::lie::{self, GroupRecipe};
use crate::mechanics::Writer;
use crate::variational::{self, DiscreteLagrangian};

/// A scheme that is written as equations.
#[derive(Debug, Clone, PartialEq)]
pub struct EquationScheme {
    name: String,
    place: Place,
    choice: Choice,
}

/// What a name leaves to be chosen.
#[derive(Debug, Clone, PartialEq)]
enum Choice {
    Nothing,
    Stages(usize),
    Number(Rational),
    Table(Box<Table>),
    Composition(Box<Composed>),
    Lagrangian(Box<DiscreteLagrangian>),
    Groups(Box<GroupedTable>),
}

/// Why a scheme does not take Hamilton's equations alone.
const NO_LAGRANGIAN: &str = "the scheme needs a Lagrangian, and the velocities H_p(q, p) of this Hamiltonian have no \
     inverse by formulas: its Legendre transform is not known; take a Runge–Kutta method, a composition, \
     dop853, avf or discrete-gradient, which run in (q, p)";

impl EquationScheme {
    /// The scheme of a name; `None` if there is none of that name.
    pub fn named(name: &str, budget: &mut Budget) -> Result<Option<Self>, TableProblem> {
        for place in Place::all() {
            if let Some(scheme) = Self::at(place, name, budget)? {
                return Ok(Some(scheme));
            }
        }
        Ok(None)
    }

    /// The scheme that an entry has under a name.
    pub(super) fn at(
        place: Place,
        name: &str,
        budget: &mut Budget,
    ) -> Result<Option<Self>, TableProblem> {
        let Some(rest) = name.strip_prefix(place.entry.name) else { return Ok(None) };
        let lagrangian = |lagrangian| Choice::Lagrangian(Box::new(lagrangian));
        let choice = match &place.entry.recipe {
            Recipe::Plain(_) | Recipe::Group(GroupRecipe::Plain(_)) => {
                rest.is_empty().then_some(Choice::Nothing)
            }
            Recipe::Stages { first, last, .. } => {
                let stages = rest.parse().ok().filter(|stages| (*first..=*last).contains(stages));
                stages.map(Choice::Stages)
            }
            Recipe::Number(_) => rest.parse().ok().map(Choice::Number),
            Recipe::Table(_) | Recipe::Group(GroupRecipe::Table(_)) => {
                named_table(rest, budget)?.map(|table| Choice::Table(Box::new(table)))
            }
            Recipe::Canonical => match named_table(rest, budget)? {
                Some(table) => Some(Choice::Table(Box::new(table))),
                None => named_composition(rest, budget)?
                    .map(|composed| Choice::Composition(Box::new(composed))),
            },
            Recipe::Discrete(_) => DiscreteLagrangian::named(name, budget)?.map(lagrangian),
            Recipe::Projected { .. } => DiscreteLagrangian::named(rest, budget)?.map(lagrangian),
            Recipe::Listed(_)
            | Recipe::Collocation(_)
            | Recipe::Alias(_)
            | Recipe::Composition(_)
            | Recipe::Grouped
            | Recipe::Adaptive => None,
        };
        Ok(choice.map(|choice| Self { name: name.to_owned(), place, choice }))
    }

    /// A scheme that takes a Runge–Kutta method, with a table of one's own.
    #[must_use]
    pub fn of_table(prefix: &str, table: Table) -> Option<Self> {
        let place = Place::all()
            .find(|place| place.entry.name == prefix && place.entry.recipe.takes_table())?;
        let name = format!("{prefix}{}", table.name);
        Some(Self { name, place, choice: Choice::Table(Box::new(table)) })
    }

    /// A scheme with tables for groups of variables.
    pub(super) fn of_groups(table: GroupedTable) -> Option<Self> {
        let place = Place::all().find(|place| matches!(place.entry.recipe, Recipe::Grouped))?;
        let name = table.name.clone();
        Some(Self { name, place, choice: Choice::Groups(Box::new(table)) })
    }

    /// Its tables for groups of variables, if it has some.
    #[must_use]
    pub fn grouped(&self) -> Option<&GroupedTable> {
        match &self.choice {
            Choice::Groups(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Its Runge–Kutta method, if it takes one.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        match &self.choice {
            Choice::Table(table) => Some(table),
            _ => None,
        }
    }

    /// How many stages its name asks for, if it does.
    pub(super) fn stages(&self) -> Option<usize> {
        match self.choice {
            Choice::Stages(stages) => Some(stages),
            _ => None,
        }
    }

    /// Its discrete Lagrangian, if it comes from one.
    #[must_use]
    pub fn discrete_lagrangian(&self) -> Option<&DiscreteLagrangian> {
        match (&self.choice, &self.place.entry.recipe) {
            (Choice::Lagrangian(lagrangian), Recipe::Discrete(_)) => Some(lagrangian),
            _ => None,
        }
    }

    /// The name by which it is asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The family it belongs to.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.place.family.name
    }

    /// What it is, in a line.
    #[must_use]
    pub fn about(&self) -> &'static str {
        self.place.entry.about
    }

    /// Where it applies, and what it does there.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.place.capabilities()
    }

    /// Is it for Lagrangians that are linear in the velocities?
    #[must_use]
    pub fn is_of_first_order(&self) -> bool {
        self.capabilities().first_order
    }

    /// Does it make steps in state space?
    #[must_use]
    pub fn takes_state_space(&self) -> bool {
        self.capabilities().state_space != InStateSpace::No
    }

    /// Is it for systems in state space, and only there?
    #[must_use]
    pub fn is_in_state_space(&self) -> bool {
        self.capabilities().state_space == InStateSpace::Only
    }

    /// Does it run in (q, p), on Hamilton's equations?
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        matches!(self.place.entry.recipe, Recipe::Canonical)
    }

    /// The table that it runs in (q, p), or that of the steps that it composes.
    #[must_use]
    pub fn canonical_table(&self) -> Option<&Table> {
        match (&self.place.entry.recipe, &self.choice) {
            (Recipe::Canonical, Choice::Table(table)) => Some(table),
            (Recipe::Canonical, Choice::Composition(composed)) => Some(&composed.base),
            _ => None,
        }
    }

    /// Does it move on Lie groups, and only there?
    #[must_use]
    pub fn is_on_groups(&self) -> bool {
        self.capabilities().groups
    }

    /// How its equations are written on Lie groups, with its Runge–Kutta method.
    pub(crate) fn group_recipe(&self) -> Option<(&'static GroupRecipe, Option<&Table>)> {
        match &self.place.entry.recipe {
            Recipe::Group(recipe) => Some((recipe, self.table())),
            _ => None,
        }
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) -> Written {
        if self.is_on_groups() {
            return Err(DiscretiseError::NotApplicable { reason: lie::NO_GROUP });
        }
        if let Choice::Groups(table) = &self.choice {
            return grouped::write(writer, table);
        }
        if writer.first_order.is_some() && !self.is_of_first_order() {
            return Err(DiscretiseError::NotApplicable { reason: self.reason_on_first_order() });
        }
        if writer.no_lagrangian && !self.is_canonical() {
            return Err(DiscretiseError::NotApplicable { reason: NO_LAGRANGIAN });
        }
        let fits = match writer.state.is_some() {
            true => self.takes_state_space(),
            false => !self.is_in_state_space(),
        };
        if !fits {
            let reason = match writer.state.is_some() {
                true => {
                    "the system is given in state space, x' = f(x), without a Lagrangian; take a \
                     Runge–Kutta method, avf or discrete-gradient if there is a Hamiltonian, or splitting-2 \
                     if there is a bracket"
                }
                false => {
                    "the scheme is for systems in state space: [poisson], [port] and, where it balances \
                     energy, [hamiltonian] without constraints"
                }
            };
            return Err(DiscretiseError::NotApplicable { reason });
        }
        match (&self.place.entry.recipe, &self.choice) {
            (Recipe::Plain(write), Choice::Nothing) => write(writer),
            (Recipe::Stages { write, .. }, Choice::Stages(stages)) => write(writer, *stages),
            (Recipe::Number(write), Choice::Number(number)) => write(writer, number),
            (Recipe::Table(write), Choice::Table(table)) => write(writer, table),
            (Recipe::Canonical, Choice::Table(table)) => canonical::table(writer, table),
            (Recipe::Canonical, Choice::Composition(composed)) => {
                canonical::composition(writer, composed)
            }
            (Recipe::Discrete(_), Choice::Lagrangian(lagrangian)) => {
                variational::write(writer, lagrangian)
            }
            (Recipe::Projected { write, .. }, Choice::Lagrangian(lagrangian)) => {
                write(writer, lagrangian)
            }
            // The choice was made for the recipe.
            _ => Err(DiscretiseError::NotApplicable { reason: "there is no such scheme" }),
        }
    }

    /// Why it does not take a Lagrangian that is affine in the velocities.
    fn reason_on_first_order(&self) -> &'static str {
        match self.discrete_lagrangian() {
            Some(_) => {
                "the Lagrangian is linear in the velocities: the discrete equations have two steps where \
                 the continuous ones have one, and parasitic motions that grow; take projected:NAME, or \
                 dvi-2, or twostep:NAME to see them"
            }
            None => {
                "the Lagrangian is linear in the velocities: there are no masses, and velocities follow \
                 from positions; take a Runge–Kutta method, projected:variational-midpoint or dvi-2"
            }
        }
    }
}
