//! A method by its name.

use isotrope_algebra::Budget;
use isotrope_methods::Composed;
use isotrope_methods::table::{CollocationFamily, GroupedTable, Table, TableProblem};

use super::entry::{Capabilities, Claim, Entry, Family, InStateSpace, Recipe, Theory};
use super::named_table;
use super::scheme::EquationScheme;
use crate::FAMILIES;
use crate::lie::GroupRecipe;
use crate::tables;
use crate::variational::Pace;

/// A method of the registry, or a table of one's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    name: String,
    /// `None`: a table of one's own.
    place: Option<Place>,
    steps: Steps,
}

/// How its steps are made.
#[derive(Debug, Clone, PartialEq)]
pub enum Steps {
    /// A Runge–Kutta method on the field with eliminated multipliers.
    Table(Box<Table>),
    /// A composition on the same field.
    Composition(Box<Composed>),
    /// The method of Dormand and Prince of order 8 with steps of its own.
    Adaptive,
    /// A scheme that is written as equations.
    Equations(Box<EquationScheme>),
}

/// An order that was published for a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedClaim {
    /// The order that is claimed.
    pub order: usize,
    /// Where.
    pub source: &'static str,
}

/// Where a method stands in the registry.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub family: &'static Family,
    pub entry: &'static Entry,
}

impl PartialEq for Place {
    /// Names of entries are unique.
    fn eq(&self, other: &Self) -> bool {
        self.entry.name == other.entry.name
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.family.name, self.entry.name)
    }
}

impl Place {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        FAMILIES
            .iter()
            .flat_map(|&family| family.entries.iter().map(move |entry| Self { family, entry }))
    }

    pub(super) fn capabilities(self) -> Capabilities {
        self.entry.capabilities.unwrap_or(self.family.capabilities)
    }

    /// The names that the list has of it. Where the name of a Runge–Kutta method follows, one of
    /// them; where a number follows, there is a method without it.
    pub(super) fn names(self) -> Vec<String> {
        let name = self.entry.name;
        match self.entry.recipe {
            Recipe::Listed(_)
            | Recipe::Alias(_)
            | Recipe::Composition(_)
            | Recipe::Adaptive
            | Recipe::Plain(_)
            | Recipe::Group(GroupRecipe::Plain(_)) => vec![name.to_owned()],
            Recipe::Collocation(&CollocationFamily { first, last, .. })
            | Recipe::Stages { first, last, .. } => {
                (first..=last).map(|stages| format!("{name}{stages}")).collect()
            }
            Recipe::Table(_) | Recipe::Group(GroupRecipe::Table(_)) => vec![format!("{name}rk4")],
            Recipe::Discrete(some) | Recipe::Projected { some, .. } => {
                some.iter().map(|&name| name.to_owned()).collect()
            }
            Recipe::Number(_) | Recipe::Canonical | Recipe::Grouped => Vec::new(),
        }
    }

    /// The table of a name, if that is what the entry has.
    pub(super) fn table(
        self,
        name: &str,
        budget: &mut Budget,
    ) -> Result<Option<Table>, TableProblem> {
        let Some(rest) = name.strip_prefix(self.entry.name) else { return Ok(None) };
        match &self.entry.recipe {
            Recipe::Listed(listed) if rest.is_empty() => listed.table(budget).map(Some),
            Recipe::Alias(original) if rest.is_empty() => {
                Ok(named_table(original, budget)?.map(|table| table.named(name)))
            }
            Recipe::Collocation(family) => match family.stages(name) {
                Some(stages) => (family.table)(stages).map(Some),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn method(self, name: &str, budget: &mut Budget) -> Result<Option<Method>, TableProblem> {
        let steps = match &self.entry.recipe {
            Recipe::Listed(_) | Recipe::Alias(_) | Recipe::Collocation(_) => {
                self.table(name, budget)?.map(|table| Steps::Table(Box::new(table)))
            }
            Recipe::Composition(_) | Recipe::Adaptive if name != self.entry.name => None,
            Recipe::Composition(listed) => {
                Some(Steps::Composition(Box::new(listed.composed(budget)?)))
            }
            Recipe::Adaptive => Some(Steps::Adaptive),
            _ => EquationScheme::at(self, name, budget)?
                .map(|scheme| Steps::Equations(Box::new(scheme))),
        };
        Ok(steps.map(|steps| Method { name: name.to_owned(), place: Some(self), steps }))
    }
}

impl Method {
    /// The method of a name; `None` if there is none of that name.
    pub fn named(name: &str, budget: &mut Budget) -> Result<Option<Self>, TableProblem> {
        for place in Place::all() {
            if let Some(method) = place.method(name, budget)? {
                return Ok(Some(method));
            }
        }
        Ok(None)
    }

    /// A Runge–Kutta method with a table of one's own.
    #[must_use]
    pub fn of_table(table: Table) -> Self {
        Self { name: table.name.clone(), place: None, steps: Steps::Table(Box::new(table)) }
    }

    /// A scheme that takes a Runge–Kutta method, with a table of one's own; `None` if there is no
    /// such prefix.
    #[must_use]
    pub fn taking(prefix: &str, table: Table) -> Option<Self> {
        let scheme = EquationScheme::of_table(prefix, table)?;
        let place = Some(scheme.place());
        let name = scheme.name().to_owned();
        Some(Self { name, place, steps: Steps::Equations(Box::new(scheme)) })
    }

    /// A method with tables for groups of variables.
    pub fn of_groups(table: GroupedTable) -> Option<Self> {
        let scheme = EquationScheme::of_groups(table)?;
        let place = Some(scheme.place());
        let name = scheme.name().to_owned();
        Some(Self { name, place, steps: Steps::Equations(Box::new(scheme)) })
    }

    /// How the names of schemes begin that take a Runge–Kutta method.
    pub fn prefixes() -> impl Iterator<Item = &'static str> {
        Place::all()
            .map(|place| place.entry)
            .filter(|entry| entry.recipe.takes_table())
            .map(|entry| entry.name)
    }

    /// The name by which it is asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The family it belongs to.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match (&self.steps, self.place) {
            (Steps::Table(table), _) if !table.is_one_table() => tables::PARTITIONED,
            (_, Some(place)) => place.family.name,
            (_, None) => tables::RUNGE_KUTTA,
        }
    }

    /// What it is, in a line, where the name does not say it.
    #[must_use]
    pub fn about(&self) -> Option<&'static str> {
        self.place.map(|place| place.entry.about).filter(|about| !about.is_empty())
    }

    /// Where it comes from, as far as it is known here.
    #[must_use]
    pub fn citation(&self) -> Option<&'static str> {
        self.place.and_then(|place| place.entry.citation.or(place.family.citation))
    }

    /// How its steps are made.
    #[must_use]
    pub fn steps(&self) -> &Steps {
        &self.steps
    }

    /// The table of a Runge–Kutta method.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        match &self.steps {
            Steps::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The scheme, where it is written as equations.
    #[must_use]
    pub fn equations(&self) -> Option<&EquationScheme> {
        match &self.steps {
            Steps::Equations(scheme) => Some(scheme),
            _ => None,
        }
    }

    /// What else than its steps decides what it does.
    #[must_use]
    pub fn theory(&self) -> Theory {
        self.place.map_or(Theory::Steps, |place| place.entry.theory)
    }

    /// Where it applies, and what it does there.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.place.map_or(tables::CAPABILITIES, Place::capabilities)
    }

    /// The order that was published for it, if it is known here. A computed order below it is a known
    /// deficiency.
    ///
    /// ```
    /// use isotrope_algebra::Budget;
    /// use isotrope_scheme::Method;
    /// let claimed = |name: &str| {
    ///     let method = Method::named(name, &mut Budget::new(1_000_000)).ok()??;
    ///     method.published_claim().map(|claim| claim.order)
    /// };
    /// assert_eq!(claimed("dirac-2"), Some(2));
    /// assert_eq!(claimed("spark-lobatto-3"), Some(4));
    /// assert_eq!(claimed("euler"), None);
    /// ```
    #[must_use]
    pub fn published_claim(&self) -> Option<PublishedClaim> {
        let order = match self.place?.entry.claim {
            Claim::Nothing => return None,
            Claim::Order(order) => order,
            Claim::OfStages(order) => order(self.equations()?.stages()?),
        };
        Some(PublishedClaim { order, source: self.citation()? })
    }

    /// Does it reach other times than multiples of the step?
    #[must_use]
    pub fn has_times_of_its_own(&self) -> bool {
        let lagrangian = self.equations().and_then(EquationScheme::discrete_lagrangian);
        lagrangian.is_some_and(|lagrangian| lagrangian.pace != Pace::Even)
    }

    /// The name of the same method with equal steps, where it has times of its own.
    #[must_use]
    pub fn with_equal_steps(&self) -> Option<&str> {
        let place = self.place.filter(|_| self.has_times_of_its_own())?;
        self.name.strip_prefix(place.entry.name)
    }
}

/// A name of the list, with what has to be known to choose among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// Where the method applies.
    pub capabilities: Capabilities,
    /// Is there a certificate?
    pub certified: bool,
}

impl Listed {
    /// Every method that is listed, family by family; of patterns of names some members.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let of = |place: Place| {
            let capabilities = place.capabilities();
            let certified = !matches!(place.entry.theory, Theory::Unknown);
            let names = place.names().into_iter();
            names.map(move |name| Self { name, capabilities, certified })
        };
        Place::all().flat_map(of).collect()
    }

    /// Is it for systems in state space, and only there?
    #[must_use]
    pub fn is_only_in_state_space(&self) -> bool {
        self.capabilities.state_space == InStateSpace::Only
    }
}
