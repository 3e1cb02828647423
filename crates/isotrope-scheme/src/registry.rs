//! Which schemes there are: each family lists its own.

use isotrope_algebra::{Budget, Rational};

use super::lie::{self, GroupRecipe};
use super::mechanics::Writer;
use super::variational::DiscreteLagrangian;
use super::{
    DiscretiseError, alembert, alpha, baumgarte, damped, degenerate, dirac, energy, gear,
    index_two, multistep, poisson, port, projection, rattle, spark, variational,
};
use isotrope_methods::named_table;
use isotrope_methods::table::{Table, TableProblem};

/// What writing the equations ends with.
pub(super) type Written = Result<(), DiscretiseError>;

/// Schemes of one kind; a file each.
pub(super) struct Family {
    pub name: &'static str,
    pub schemes: &'static [Entry],
}

/// A scheme of a family.
pub(super) struct Entry {
    /// Its name, or how it begins where something follows.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    pub recipe: Recipe,
}

/// How its equations are written.
pub(super) enum Recipe {
    /// The name says it all.
    Plain(fn(&mut Writer<'_>) -> Written),
    /// A number of stages follows the name, from the first to the last number here.
    Stages { first: usize, last: usize, write: fn(&mut Writer<'_>, usize) -> Written },
    /// A number follows the name.
    Number(fn(&mut Writer<'_>, &Rational) -> Written),
    /// The name of a Runge–Kutta method follows.
    Table(fn(&mut Writer<'_>, &Table) -> Written),
    /// On Lie groups; the name of a Runge–Kutta method may follow.
    Group(GroupRecipe),
    /// The whole name tells a discrete Lagrangian; some such names.
    Discrete(&'static [&'static str]),
    /// The name of a discrete Lagrangian follows; some whole names.
    Projected {
        write: fn(&mut Writer<'_>, &DiscreteLagrangian) -> Written,
        some: &'static [&'static str],
    },
}

const FAMILIES: &[&Family] = &[
    &dirac::FAMILY,
    &index_two::FAMILY,
    &rattle::FAMILY,
    &alembert::FAMILY,
    &multistep::FAMILY,
    &spark::FAMILY,
    &projection::FAMILY,
    &baumgarte::FAMILY,
    &gear::FAMILY,
    &alpha::FAMILY,
    &energy::FAMILY,
    &damped::FAMILY,
    &variational::FAMILY,
    &variational::DIRAC,
    &degenerate::FAMILY,
    &lie::FAMILY,
    &poisson::FAMILY,
    &port::FAMILY,
];

/// The names of families for systems in state space.
const STATE_SPACE: &[&str] = &[poisson::POISSON, port::PORT];

/// Schemes for Lagrangians that have steps in state space, too.
const IN_BOTH: &[&str] = &["avf", "discrete-gradient"];

/// A scheme that is written as equations.
#[derive(Debug, Clone, PartialEq)]
pub struct EquationScheme {
    name: String,
    family: &'static str,
    about: &'static str,
    choice: Choice,
}

/// What a name leaves to be chosen.
#[derive(Debug, Clone, PartialEq)]
enum Choice {
    Nothing,
    Stages(usize),
    Number(Rational),
    Table(Box<Table>),
    Discrete(Box<DiscreteLagrangian>),
    Projected(Box<DiscreteLagrangian>),
}

impl EquationScheme {
    /// The scheme of a name; `None` if there is none of that name.
    pub fn named(name: &str, budget: &mut Budget) -> Result<Option<Self>, TableProblem> {
        for (family, entry) in entries() {
            let Some(rest) = name.strip_prefix(entry.name) else { continue };
            let choice = match &entry.recipe {
                Recipe::Plain(_) | Recipe::Group(GroupRecipe::Plain(_)) if rest.is_empty() => {
                    Choice::Nothing
                }
                Recipe::Stages { first, last, .. } => match rest.parse() {
                    Ok(stages) if (*first..=*last).contains(&stages) => Choice::Stages(stages),
                    _ => continue,
                },
                Recipe::Number(_) => match rest.parse() {
                    Ok(number) => Choice::Number(number),
                    Err(_) => continue,
                },
                Recipe::Table(_) | Recipe::Group(GroupRecipe::Table(_)) => {
                    match named_table(rest, budget)? {
                        Some(table) => Choice::Table(Box::new(table)),
                        None => continue,
                    }
                }
                Recipe::Discrete(_) => match DiscreteLagrangian::named(name, budget)? {
                    Some(lagrangian) => Choice::Discrete(Box::new(lagrangian)),
                    None => continue,
                },
                Recipe::Projected { .. } => match DiscreteLagrangian::named(rest, budget)? {
                    Some(lagrangian) => Choice::Projected(Box::new(lagrangian)),
                    None => continue,
                },
                Recipe::Plain(_) | Recipe::Group(GroupRecipe::Plain(_)) => continue,
            };
            let (name, about) = (name.to_owned(), entry.about);
            return Ok(Some(Self { name, family: family.name, about, choice }));
        }
        Ok(None)
    }

    /// A scheme that takes a Runge–Kutta method, with a table of one's own.
    #[must_use]
    pub fn of_table(prefix: &str, table: Table) -> Option<Self> {
        let taken = |entry: &Entry| entry.name == prefix && takes_table(entry);
        let (family, entry) = entries().find(|(_, entry)| taken(entry))?;
        Some(Self {
            name: format!("{prefix}{}", table.name),
            family: family.name,
            about: entry.about,
            choice: Choice::Table(Box::new(table)),
        })
    }

    /// Its Runge–Kutta method, if it takes one.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        match &self.choice {
            Choice::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Its discrete Lagrangian, if it comes from one.
    #[must_use]
    pub fn discrete_lagrangian(&self) -> Option<&DiscreteLagrangian> {
        match &self.choice {
            Choice::Discrete(lagrangian) => Some(lagrangian),
            _ => None,
        }
    }

    /// How the names of schemes begin that take a Runge–Kutta method.
    pub fn prefixes() -> impl Iterator<Item = &'static str> {
        entries().map(|(_, entry)| entry).filter(|entry| takes_table(entry)).map(|entry| entry.name)
    }

    /// Names of all schemes; where the name of a Runge–Kutta method follows, with one of them.
    /// Where a number follows, there is a scheme without it.
    #[must_use]
    pub fn names() -> Vec<String> {
        let mut names = Vec::new();
        for (_, entry) in entries() {
            match entry.recipe {
                Recipe::Plain(_) | Recipe::Group(GroupRecipe::Plain(_)) => {
                    names.push(entry.name.to_owned());
                }
                Recipe::Stages { first, last, .. } => {
                    names.extend((first..=last).map(|s| format!("{}{s}", entry.name)));
                }
                Recipe::Table(_) | Recipe::Group(GroupRecipe::Table(_)) => {
                    names.push(format!("{}rk4", entry.name));
                }
                Recipe::Discrete(some) | Recipe::Projected { some, .. } => {
                    names.extend(some.iter().map(|name| (*name).to_owned()));
                }
                Recipe::Number(_) => {}
            }
        }
        names
    }

    /// Names of the schemes that move on Lie groups.
    #[must_use]
    pub fn names_on_groups() -> Vec<String> {
        let mut names = Vec::new();
        for (_, entry) in entries() {
            match entry.recipe {
                Recipe::Group(GroupRecipe::Plain(_)) => names.push(entry.name.to_owned()),
                Recipe::Group(GroupRecipe::Table(_)) => names.push(format!("{}rk4", entry.name)),
                _ => {}
            }
        }
        names
    }

    /// Names of the schemes for systems in state space and nothing else.
    #[must_use]
    pub fn names_only_in_state_space() -> Vec<String> {
        let own = entries().filter(|(family, _)| STATE_SPACE.contains(&family.name));
        own.map(|(_, entry)| entry.name.to_owned()).collect()
    }

    /// Names of the schemes for systems in state space.
    #[must_use]
    pub fn names_in_state_space() -> Vec<String> {
        let own = entries().filter(|(family, entry)| {
            STATE_SPACE.contains(&family.name) || IN_BOTH.contains(&entry.name)
        });
        own.map(|(_, entry)| entry.name.to_owned()).collect()
    }

    /// The name by which it is asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The family it belongs to.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.family
    }

    /// Is it for Lagrangians that are linear in the velocities?
    #[must_use]
    pub fn is_of_first_order(&self) -> bool {
        self.family == degenerate::FIRST_ORDER
    }

    /// Does it make steps in state space?
    #[must_use]
    pub fn takes_state_space(&self) -> bool {
        self.is_in_state_space() || IN_BOTH.contains(&self.name.as_str())
    }

    /// Does it balance power, where a system has a Hamiltonian?
    #[must_use]
    pub fn balances_power(&self) -> bool {
        self.family == port::PORT || IN_BOTH.contains(&self.name.as_str())
    }

    /// Does it discretise a variational principle, so that the Lagrangian L − θ of a magnetic 2-form dθ
    /// makes it keep the magnetic symplectic form where it keeps dq∧dp without?
    #[must_use]
    pub fn is_variational(&self) -> bool {
        let families = [
            &variational::FAMILY,
            &variational::DIRAC,
            &rattle::FAMILY,
            &alembert::FAMILY,
            &spark::FAMILY,
        ];
        families.iter().any(|family| family.name == self.family)
    }

    /// Is it for systems in state space, and only there?
    #[must_use]
    pub fn is_in_state_space(&self) -> bool {
        STATE_SPACE.contains(&self.family)
    }

    /// What it is, in a line.
    #[must_use]
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// How its equations are written on Lie groups, with its Runge–Kutta method.
    pub(super) fn group_recipe(&self) -> Option<(&'static GroupRecipe, Option<&Table>)> {
        let named = |entry: &Entry| match &entry.recipe {
            Recipe::Group(GroupRecipe::Plain(_)) => self.name == entry.name,
            Recipe::Group(GroupRecipe::Table(_)) => self.name.starts_with(entry.name),
            _ => false,
        };
        let (_, entry) = entries().find(|(_, entry)| named(entry))?;
        match &entry.recipe {
            Recipe::Group(recipe) => Some((recipe, self.table())),
            _ => None,
        }
    }

    /// Does it move on Lie groups, and only there?
    #[must_use]
    pub fn is_on_groups(&self) -> bool {
        self.group_recipe().is_some()
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) -> Written {
        if self.is_on_groups() {
            return Err(DiscretiseError::NotApplicable { reason: lie::NO_GROUP });
        }
        if writer.first_order.is_some() && !self.is_of_first_order() {
            return Err(DiscretiseError::NotApplicable { reason: self.reason_on_first_order() });
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
                false => "the scheme is for systems in state space: [poisson] and [port]",
            };
            return Err(DiscretiseError::NotApplicable { reason });
        }
        if let Choice::Discrete(lagrangian) = &self.choice {
            return variational::write(writer, lagrangian);
        }
        let entry = entries().find(|(_, entry)| match (&entry.recipe, &self.choice) {
            (Recipe::Plain(_), Choice::Nothing) => self.name == entry.name,
            (Recipe::Stages { .. }, Choice::Stages(_))
            | (Recipe::Number(_), Choice::Number(_))
            | (Recipe::Table(_), Choice::Table(_))
            | (Recipe::Projected { .. }, Choice::Projected(_)) => self.name.starts_with(entry.name),
            _ => false,
        });
        match (entry.map(|(_, entry)| &entry.recipe), &self.choice) {
            (Some(Recipe::Plain(write)), _) => write(writer),
            (Some(Recipe::Stages { write, .. }), Choice::Stages(stages)) => write(writer, *stages),
            (Some(Recipe::Number(write)), Choice::Number(number)) => write(writer, number),
            (Some(Recipe::Table(write)), Choice::Table(table)) => write(writer, table),
            (Some(Recipe::Projected { write, .. }), Choice::Projected(lagrangian)) => {
                write(writer, lagrangian)
            }
            // A scheme is made of an entry.
            _ => Err(DiscretiseError::NotApplicable { reason: "there is no such scheme" }),
        }
    }
}

fn takes_table(entry: &Entry) -> bool {
    matches!(entry.recipe, Recipe::Table(_) | Recipe::Group(GroupRecipe::Table(_)))
}

impl EquationScheme {
    /// Why it does not take a Lagrangian that is affine in the velocities.
    fn reason_on_first_order(&self) -> &'static str {
        match self.choice {
            Choice::Discrete(_) => {
                "the Lagrangian is linear in the velocities: the discrete equations have two steps where \
                 the continuous ones have one, and parasitic motions that grow; take projected:NAME, or \
                 dvi-2, or twostep:NAME to see them"
            }
            _ => {
                "the Lagrangian is linear in the velocities: there are no masses, and velocities follow \
                 from positions; take a Runge–Kutta method, projected:variational-midpoint or dvi-2"
            }
        }
    }
}

fn entries() -> impl Iterator<Item = (&'static Family, &'static Entry)> {
    FAMILIES.iter().flat_map(|family| family.schemes.iter().map(|entry| (*family, entry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_names_the_scheme_that_has_it() {
        let budget = &mut Budget::new(10_000_000);
        for name in EquationScheme::names() {
            let scheme = EquationScheme::named(&name, budget).unwrap().unwrap();
            assert_eq!(scheme.name(), name);
        }
        assert_eq!(EquationScheme::named("rattle-2", budget).unwrap(), None);
    }
}
