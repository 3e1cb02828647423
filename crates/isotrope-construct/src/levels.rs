//! The conditions, level by level, as polynomials in the unknowns.

use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

use super::unknowns::Unknowns;
use super::weights::tree_weights;
use isotrope_methods::classes::{Class, Condition};
use isotrope_methods::trees::{TreeId, Trees};

/// What a level of conditions is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aim {
    /// Relations among the entries that a pattern asks for.
    Pattern,
    /// The order of the solution.
    Order(usize),
    /// The coefficient of this power of h of the structure functions, for methods of the order
    /// that stands before it.
    Structure(usize),
}

/// A condition on the tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// As a person writes it: `b.abar.1 = 1/2`, or in weights of trees.
    pub text: String,
    /// The tree, of order conditions.
    pub tree: Option<String>,
    /// The polynomial in the unknowns that vanishes.
    pub polynomial: Polynomial,
}

/// Conditions that are asked for together.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// What they are about.
    pub aim: Aim,
    /// The conditions.
    pub equations: Vec<Equation>,
}

/// The structure conditions of one power of h, in weights of trees.
#[derive(Debug, Clone)]
pub struct StructureLevel {
    /// The power of h.
    pub power: usize,
    /// The conditions, for methods of the order asked for.
    pub conditions: Vec<Condition>,
}

/// All levels: the relations of the pattern, the order conditions up to `order`, the structure
/// conditions. Trees must reach as far as the conditions do; those that the systems of a class do
/// not have ask for nothing.
pub fn levels(
    unknowns: &Unknowns,
    trees: &Trees,
    order: usize,
    class: Option<Class>,
    structure: &[StructureLevel],
    budget: &mut Budget,
) -> Result<Vec<Level>, OutOfBudget> {
    let weights = tree_weights(trees, unknowns.tables(), budget)?;
    let mut levels = Vec::new();
    if !unknowns.relations().is_empty() {
        let equations = unknowns
            .relations()
            .iter()
            .map(|relation| Equation {
                text: format!("{} = 0", named(relation, &unknowns.names())),
                tree: None,
                polynomial: relation.clone(),
            })
            .collect();
        levels.push(Level { aim: Aim::Pattern, equations });
    }
    for level in 1..=order {
        let mut equations = Vec::new();
        for tree in occurring(trees, level, class) {
            let wanted = trees.inverse_gamma(tree);
            let polynomial = weights[tree.index()].sub(&Polynomial::constant(wanted), budget)?;
            equations.push(Equation {
                text: trees.condition(tree),
                tree: Some(trees.name(tree)),
                polynomial,
            });
        }
        levels.push(Level { aim: Aim::Order(level), equations });
    }
    for level in structure {
        let mut equations = Vec::new();
        for condition in &level.conditions {
            let mut sum = Polynomial::zero();
            for (forest, coefficient) in &condition.terms {
                let mut product = Polynomial::constant(coefficient.clone());
                for tree in forest.trees() {
                    product = product.mul(&weights[tree.index()], budget)?;
                }
                sum = sum.add(&product, budget)?;
            }
            equations.push(Equation { text: condition.text(trees), tree: None, polynomial: sum });
        }
        levels.push(Level { aim: Aim::Structure(level.power), equations });
    }
    Ok(levels)
}

/// The trees with this many vertices that the systems of a class have.
pub fn occurring(
    trees: &Trees,
    order: usize,
    class: Option<Class>,
) -> impl Iterator<Item = TreeId> + '_ {
    trees
        .of_order(order)
        .filter(move |&tree| class.is_none_or(|class| !class.lacks_tree(trees, tree)))
}

/// A polynomial with the names of its variables: `a21*b2 - 1/2`.
pub fn named(polynomial: &Polynomial, names: &[String]) -> String {
    use std::fmt::Write as _;
    if polynomial.is_zero() {
        return "0".to_owned();
    }
    let mut text = String::new();
    for (position, (monomial, coefficient)) in polynomial.terms().iter().enumerate() {
        let negative = coefficient.is_negative();
        text.push_str(match (position, negative) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        });
        let size = coefficient.abs();
        let mut factors = Vec::new();
        if !size.is_one() || monomial.is_one() {
            factors.push(size.to_string());
        }
        for variable in monomial.variables() {
            let name = names.get(variable).map_or("?", String::as_str);
            match monomial.exponent(variable) {
                1 => factors.push(name.to_owned()),
                power => factors.push(format!("{name}^{power}")),
            }
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", factors.join("*"));
    }
    text
}
