//! What a family declares of its methods.

use isotrope_algebra::Rational;
use isotrope_methods::ListedComposition;
use isotrope_methods::classes::DiracScheme;
use isotrope_methods::multistep::Multistep;
use isotrope_methods::table::{CollocationFamily, ListedTable, Table};

use crate::DiscretiseError;
use crate::lie::GroupRecipe;
use crate::mechanics::Writer;
use crate::variational::DiscreteLagrangian;

/// What writing the equations ends with.
pub(crate) type Written = Result<(), DiscretiseError>;

/// Methods of one kind; a file each.
pub(crate) struct Family {
    /// Its name in output.
    pub name: &'static str,
    /// Where it comes from, unless an entry says otherwise.
    pub citation: Option<&'static str>,
    /// Where its methods apply and what they do, unless an entry says otherwise.
    pub capabilities: Capabilities,
    /// Its methods, in the order of the list.
    pub entries: &'static [Entry],
}

/// A method of a family, or several with one pattern of names.
pub(crate) struct Entry {
    /// Its name, or how it begins where something follows.
    pub name: &'static str,
    /// What it is, in a line; empty where the name says it.
    pub about: &'static str,
    /// Where it comes from.
    pub citation: Option<&'static str>,
    /// How its steps are made.
    pub recipe: Recipe,
    /// Where these differ from those of the family.
    pub capabilities: Option<Capabilities>,
    /// What else is known of its steps.
    pub theory: Theory,
    /// The order that its citation claims.
    pub claim: Claim,
}

impl Entry {
    /// To be filled in.
    pub const BLANK: Self = Self {
        name: "",
        about: "",
        citation: None,
        recipe: Recipe::Adaptive,
        capabilities: None,
        theory: Theory::Steps,
        claim: Claim::Nothing,
    };
}

/// An order that was published, beside which the computed one stands: the only orders that are typed.
#[derive(Clone, Copy)]
pub(crate) enum Claim {
    /// None that is known here.
    Nothing,
    /// Of the method.
    Order(usize),
    /// Of the member with this many stages.
    OfStages(fn(usize) -> usize),
}

/// Where methods apply, and what they do there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// Systems in state space.
    pub state_space: InStateSpace,
    /// Lie groups, and nothing else.
    pub groups: bool,
    /// Lagrangians that are linear in the velocities, and nothing else.
    pub first_order: bool,
    /// Do they balance power, where a system has a Hamiltonian?
    pub balance_power: bool,
    /// Do they discretise a variational principle, so that the Lagrangian L − θ of a magnetic 2-form
    /// dθ makes them keep the magnetic symplectic form where they keep dq∧dp without?
    pub variational: bool,
    /// Can they sum up with what rounding loses?
    pub compensate: bool,
}

impl Capabilities {
    /// Systems with a Lagrangian, or with forces, in coordinates.
    pub const MECHANICS: Self = Self {
        state_space: InStateSpace::No,
        groups: false,
        first_order: false,
        balance_power: false,
        variational: false,
        compensate: false,
    };
}

/// Does a method make steps in state space?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InStateSpace {
    /// It does not.
    No,
    /// Of systems with a Lagrangian, too.
    Also,
    /// There alone.
    Only,
}

/// What else than its steps decides what a method does.
#[derive(Clone, Copy)]
pub enum Theory {
    /// Nothing else: coefficients, or equations.
    Steps,
    /// The conditions of linear multistep methods.
    Multistep(fn() -> Multistep),
    /// The order that the coefficients of a symmetric composition are proved to give: none for one
    /// symmetric step, else the name of those of a composition.
    Composition {
        /// The order.
        order: usize,
        /// The name of a composition.
        coefficients: Option<&'static str>,
    },
    /// The exact expansion of a step from the discrete Dirac structure.
    Expansion(DiracScheme),
    /// Nothing does: it is run without a certificate.
    Unknown,
}

/// How steps are made.
pub(crate) enum Recipe {
    /// A table of the catalogue.
    Listed(&'static ListedTable),
    /// Tables of a family; a number of stages follows the name.
    Collocation(&'static CollocationFamily),
    /// The table of another name.
    Alias(&'static str),
    /// A symmetric composition of Störmer–Verlet steps.
    Composition(&'static ListedComposition),
    /// The method of Dormand and Prince of order 8 with steps of its own.
    Adaptive,
    /// Equations; the name says it all.
    Plain(fn(&mut Writer<'_>) -> Written),
    /// Equations; a number of stages follows the name, from the first to the last number here.
    Stages { first: usize, last: usize, write: fn(&mut Writer<'_>, usize) -> Written },
    /// Equations; a number follows the name.
    Number(fn(&mut Writer<'_>, &Rational) -> Written),
    /// Equations; the name of a Runge–Kutta method follows.
    Table(fn(&mut Writer<'_>, &Table) -> Written),
    /// Equations in (q, p); the name of a Runge–Kutta method or of a composition follows.
    Canonical,
    /// Equations; tables for groups of variables are given.
    Grouped,
    /// Equations on Lie groups; the name of a Runge–Kutta method may follow.
    Group(GroupRecipe),
    /// The whole name tells a discrete Lagrangian; some such names.
    Discrete(&'static [&'static str]),
    /// The name of a discrete Lagrangian follows; some whole names.
    Projected {
        write: fn(&mut Writer<'_>, &DiscreteLagrangian) -> Written,
        some: &'static [&'static str],
    },
}

impl Recipe {
    /// Does the name of a Runge–Kutta method follow?
    pub(super) fn takes_table(&self) -> bool {
        matches!(self, Self::Table(_) | Self::Canonical | Self::Group(GroupRecipe::Table(_)))
    }
}
