//! The magnetic 2-form, its force and its primitive.

use isotrope_algebra::{ExprId, Pool};
use isotrope_derive::{Magnetic, MagneticPrimitive};
use isotrope_geometry::{PrimitiveRoad, TwoForm};
use schemars::JsonSchema;
use serde::Serialize;

use super::{math, words};
use crate::document::{Basis, Block, Combination, Equation, Formula, Inline, Section};
use crate::json::{Expression, Named, expression, list, nonzero};

/// Components that are not zero, i < j.
fn components(form: &TwoForm) -> Vec<(usize, usize, ExprId)> {
    let n = form.base.len();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let all = pairs.map(|(i, j)| (i, j, form.matrix.get(i, j)));
    all.filter(|entry| !entry.2.is_zero()).collect()
}

/// How a primitive was found, in words.
fn road(primitive: &MagneticPrimitive) -> String {
    match &primitive.road {
        None => "given by the model, and proved".to_owned(),
        Some(PrimitiveRoad::Rays) => "by the homotopy along rays from the origin".to_owned(),
        Some(PrimitiveRoad::Homogeneous { weight }) => {
            format!("since the form is homogeneous: L_x B = {weight} B for Euler's field x")
        }
    }
}

/// Its name in JSON.
fn road_name(primitive: &MagneticPrimitive) -> &'static str {
    match &primitive.road {
        None => "given",
        Some(PrimitiveRoad::Rays) => "rays",
        Some(PrimitiveRoad::Homogeneous { .. }) => "homogeneous",
    }
}

/// The section of a report.
pub(crate) fn section(
    pool: &mut Pool,
    names: &[String],
    magnetic: &Magnetic,
    force: &[ExprId],
) -> Section {
    let mut blocks = blocks(pool, names, magnetic);
    blocks.push(Block::words(
        "The equations are those on the graph of dq∧dp + B: p' - L_q = i_q' B, with the force",
    ));
    let forces = names.iter().zip(force).filter(|(_, force)| !force.is_zero());
    let left = |name: &String| Formula::Component("(i_q' B)", name.clone());
    blocks.push(Block::Equations(
        forces.map(|(name, &force)| Equation::new(left(name), force)).collect(),
    ));
    Section { id: "magnetic", title: "Magnetic 2-form", blocks }
}

/// The form and its primitive.
pub(crate) fn blocks(pool: &mut Pool, names: &[String], magnetic: &Magnetic) -> Vec<Block> {
    let name = |text: &str| Formula::Name(text.to_owned());
    let terms: Vec<(ExprId, Basis)> = components(&magnetic.form)
        .into_iter()
        .map(|(i, j, value)| (value, Basis::Area(names[i].clone(), names[j].clone())))
        .collect();
    let form = Combination::of_terms(pool, terms);
    let mut blocks = vec![
        Block::Equations(vec![Equation::new(name("B"), Formula::Combination(form))]),
        Block::words("It is closed, dB = 0, which is proved."),
    ];
    let Some(primitive) = &magnetic.primitive else {
        blocks.push(Block::words(
            "No primitive was found: the form is not a polynomial in the coordinates, and Euler's field x \
             does not give one by L_x B = c B with c ≠ 0. Methods take the force as it is, and none is claimed to keep dq∧dp + B. If \
             there is a one-form θ with dθ = B, give it as `primitive` under [magnetic].",
        ));
        return blocks;
    };
    blocks.push(Block::words(format!("A primitive, dθ = B, {}:", road(primitive))));
    let theta = Combination::new(pool, &primitive.components, names, Basis::Differential);
    blocks.push(Block::Equations(vec![Equation::new(name("θ"), Formula::Combination(theta))]));
    if !primitive.singular.is_empty() {
        let mut content: Vec<Inline> = vec![words("It has no value where one of these vanishes: ")];
        for (k, &divisor) in primitive.singular.iter().enumerate() {
            if k > 0 {
                content.push(words(", "));
            }
            content.push(math(divisor));
        }
        blocks.push(Block::Paragraph(content));
    }
    blocks.push(Block::words(
        "So the equations are those of the Lagrangian L - θ(q'). Momenta p are the kinetic ones, \
         p = L_v; p - θ are canonical, and variational methods, which step in them, keep \
         dq∧d(p - θ) = dq∧dp + B.",
    ));
    blocks
}

/// The same for programs.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct MagneticRecord {
    /// Components that are not zero, by pairs of coordinates: `"x,y"`.
    pub(crate) form: Named<Expression>,
    /// That it is closed is `proved`.
    pub(crate) closed: &'static str,
    /// The components of a primitive that are not zero.
    pub(crate) primitive: Option<Named<Expression>>,
    /// Where it comes from: `given`, `rays` or `homogeneous`.
    pub(crate) primitive_from: Option<&'static str>,
    /// Where one of these vanishes the primitive has no value.
    pub(crate) excluded: Option<Vec<Expression>>,
    /// Momenta are `kinetic`, p = L_v.
    pub(crate) momenta: &'static str,
    /// Components of the force that are not zero, where there is a motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) force: Option<Named<Expression>>,
}

/// The form for programs, without the force.
pub(crate) fn record(pool: &Pool, names: &[String], magnetic: &Magnetic) -> MagneticRecord {
    let pair = |(i, j, value): (usize, usize, ExprId)| {
        (format!("{},{}", names[i], names[j]), expression(pool, value))
    };
    let primitive = magnetic.primitive.as_ref();
    MagneticRecord {
        form: components(&magnetic.form).into_iter().map(pair).collect(),
        closed: "proved",
        primitive: primitive.map(|found| nonzero(pool, names, &found.components)),
        primitive_from: primitive.map(road_name),
        excluded: primitive.map(|found| list(pool, &found.singular)),
        momenta: "kinetic",
        force: None,
    }
}
