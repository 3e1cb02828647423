//! Steps on Lie groups.
//!
//! A step is g⁺ = g τ(hξ) with a map τ from the algebra to the group, so that rotations stay rotations;
//! what the schemes differ in is the equation for ξ. Variational (`variational`): the discrete action of
//! L_d = h/2 (L(g, ξ) + L(g⁺, ξ)) is stationary. Reduced (`variational`): the midpoint rule on the dual
//! of the algebra. Runge and Kutta's methods in the algebra, after Munthe-Kaas (`munthe_kaas`).
//!
//! A group is a product of factors with a law, an algebra and retractions, all as expressions. A
//! model keeps entries of matrices as symbols whose rates are known; only schemes and the field
//! write them by the numbers of a configuration (unit quaternions), so a state has more positions
//! than velocities. Schemes are equations with ξ in the algebra as unknown; a NaN carried along
//! ends a step that is too large (`StepBound`).

mod munthe_kaas;
mod variational;
mod writer;

use super::DiscretiseError;
use super::registry::{Capabilities, Entry, Family, Recipe};
use isotrope_methods::table::Table;
pub(super) use writer::Writer;

/// What writing the equations ends with.
type Written = Result<(), DiscretiseError>;

/// How the equations of a scheme on groups are written.
pub(super) enum GroupRecipe {
    /// The name says it all.
    Plain(fn(&mut Writer<'_>) -> Written),
    /// The name of a Runge–Kutta method follows.
    Table(fn(&mut Writer<'_>, &Table) -> Written),
}

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "lie-group",
    citation: None,
    capabilities: Capabilities { groups: true, ..Capabilities::MECHANICS },
    entries: &[
        Entry {
            name: "lie-cayley",
            about: "variational on a Lie group: g⁺ = g cay(hξ)",
            recipe: Recipe::Group(GroupRecipe::Plain(variational::cayley)),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-cayley-4",
            about: "three steps of lie-cayley, one of them backwards",
            recipe: Recipe::Group(GroupRecipe::Plain(variational::cayley_4)),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-cayley-6",
            about: "seven steps of lie-cayley with the coefficients of yoshida-6",
            recipe: Recipe::Group(GroupRecipe::Plain(variational::cayley_6)),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-exp",
            about: "variational on a Lie group: g⁺ = g exp(hξ)",
            recipe: Recipe::Group(GroupRecipe::Plain(variational::exponential)),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-exp-4",
            about: "three steps of lie-exp, one of them backwards",
            recipe: Recipe::Group(GroupRecipe::Plain(variational::exponential_4)),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-exp-6",
            about: "seven steps of lie-exp with the coefficients of yoshida-6",
            recipe: Recipe::Group(GroupRecipe::Plain(variational::exponential_6)),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-poisson",
            about: "midpoint rule on the dual of the algebra, g⁺ = g cay(hξ): keeps energy and momentum \
                    of a free body",
            recipe: Recipe::Group(GroupRecipe::Plain(variational::poisson)),
            ..Entry::BLANK
        },
        Entry {
            name: "lie-midpoint",
            about: "ξ from the field in the middle of the step, g⁺ = g exp(hξ)",
            recipe: Recipe::Group(GroupRecipe::Plain(munthe_kaas::midpoint)),
            ..Entry::BLANK
        },
        Entry {
            name: "rkmk-",
            about: "the Runge–Kutta method of that name in the algebra, after Munthe-Kaas",
            recipe: Recipe::Group(GroupRecipe::Table(munthe_kaas::table)),
            citation: Some("H. Munthe-Kaas, Appl. Numer. Math. 29 (1999), 115-127"),
            ..Entry::BLANK
        },
    ],
};

/// Why other schemes make no steps on groups.
pub(super) const NO_COORDINATES: &str = "the configurations of the model are a Lie group, not coordinates; \
     lie-cayley, lie-exp, lie-midpoint and rkmk-NAME move on it";

/// Why these schemes make no steps elsewhere.
pub(super) const NO_GROUP: &str =
    "the method moves on a Lie group, and the model has coordinates only";

/// Writes the equations of a step on a group.
pub(super) fn write(
    writer: &mut Writer<'_>,
    (recipe, table): (&GroupRecipe, Option<&Table>),
) -> Written {
    match (recipe, table) {
        (GroupRecipe::Plain(write), _) => write(writer),
        (GroupRecipe::Table(write), Some(table)) => write(writer, table),
        // A scheme with a table is made with it.
        (GroupRecipe::Table(_), None) => {
            Err(DiscretiseError::NotApplicable { reason: "there is no such scheme" })
        }
    }
}
