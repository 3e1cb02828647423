//! Printing: text that parses back, LaTeX, and presentation MathML.
//!
//! One step, [`layout`], decides how an expression is written; three renderers write it.
//! Expressions share subexpressions, so what is written can be exponentially larger than
//! what is stored: every function takes a [`Budget`] (bytes and pieces written) and stops
//! with an error; [`Sharing`] prints large repeated parts once, as definitions `w1 = ...`.
//!
//! # Order and signs
//!
//! The order depends on the mathematics only, never on the order in which expressions were
//! made:
//! - **Sums**: accelerations, then velocities and momenta (`p_x`), then the rest; within that
//!   by degree in what moves, by the first moving symbol, by total degree, and then factor by
//!   factor; the constant is last. A sum that would begin with minus begins with its positive
//!   terms instead: `x^2 + y^2 - l^2`, `g*y - v^2`.
//! - **Products**: numbers and roots of numbers, `pi`, symbols, functions, sums; negative
//!   powers below the line. Symbols go by order of motion (positions, then velocities), then
//!   by name: `x2` before `x10`, Latin before Greek.
//! - **Signs**: a sum inside a product shows more plus than minus signs, and a product with
//!   a minus sign gives it to a sum of mixed signs if it has one: `m*(g*y - v^2)`. Signs come
//!   out of odd functions and vanish in even ones: `cos(theta1 - theta2)`.
//! - Coefficients of one size come out of a sum: `(x + y)/2`.
//!
//! ```
//! use isotrope_algebra::{Budget, Pool, print, syntax::parse_expression};
//! let mut pool = Pool::new();
//! let energy = parse_expression(&mut pool, "-y*m*g + m/2*(theta1'^2 + x'^2)").unwrap();
//! let budget = &mut Budget::new(10_000);
//! let text = print::to_text(&pool, energy, budget).unwrap();
//! assert_eq!(text, "m*(x'^2 + theta1'^2)/2 - g*m*y");
//! assert_eq!(parse_expression(&mut pool, &text).unwrap(), energy);
//! assert_eq!(
//!     print::to_latex(&pool, energy, budget).unwrap(),
//!     r"\frac{m \left(\dot{x}^{2} + \dot{\theta}_{1}^{2}\right)}{2} - g m y"
//! );
//! ```

mod formula;
mod greek;
mod latex;
mod layout;
mod mathml;
mod matrix;
mod name;
mod order;
mod render;
mod share;
mod text;
mod words;

pub use latex::{greek_command, latex_name};
pub use layout::{Layout, Shape, ShapeId, layout};
pub use mathml::{escape_xml, math_element, mathml_name, mathml_text};
pub use matrix::{latex_column, latex_matrix, mathml_column, mathml_matrix};
pub use share::Sharing;
pub use words::{escape_latex, visible};

use crate::{Budget, ExprId, OrInternal, OutOfBudget, Pool};
use render::{Renderer, render};

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text that parses back to the same expression.
    Text,
    /// LaTeX for math mode.
    Latex,
    /// Presentation MathML, without the enclosing `<math>`; see [`math_element`].
    MathMl,
}

/// How to print.
///
/// ```
/// use isotrope_algebra::{Budget, Pool, print::{Format, Printer, Sharing}};
/// use isotrope_algebra::syntax::parse_expression;
/// let mut pool = Pool::new();
/// let mut expression = parse_expression(&mut pool, "x + y").unwrap();
/// for _ in 0..40 {
///     let sine = parse_expression(&mut pool, "sin(x)").unwrap();
///     let square = pool.powi(expression, 2);
///     expression = pool.add(square, expression);
///     expression = pool.mul(expression, sine);
/// }
/// let printer = Printer::new(Format::Text);
/// assert!(printer.print(&pool, &[expression], &mut Budget::new(10_000)).is_err());
/// let printed = printer
///     .sharing(Sharing::Above(200))
///     .print(&pool, &[expression], &mut Budget::new(100_000))
///     .unwrap();
/// assert!(printed.definitions.len() > 30);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printer {
    format: Format,
    sharing: Sharing,
}

/// Printed expressions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Printed {
    /// Names of shared subexpressions with what they stand for; each uses only earlier ones.
    pub definitions: Vec<(String, String)>,
    /// The expressions, in the order they were given.
    pub expressions: Vec<String>,
}

impl Printer {
    /// A printer that writes everything out.
    pub fn new(format: Format) -> Self {
        Self { format, sharing: Sharing::Never }
    }

    /// The same printer with this rule for repeated subexpressions.
    #[must_use]
    pub fn sharing(self, sharing: Sharing) -> Self {
        Self { sharing, ..self }
    }

    /// Prints expressions together, so that they use the same definitions.
    pub fn print(
        &self,
        pool: &Pool,
        expressions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Printed, OutOfBudget> {
        let layout = layout(pool, expressions, self.sharing, budget)?;
        match self.format {
            Format::Text => print_layout(&text::Text, &layout, budget),
            Format::Latex => print_layout(&latex::Latex, &layout, budget),
            Format::MathMl => print_layout(&mathml::MathMl, &layout, budget),
        }
    }

    /// Prints one expression; with sharing, use [`Printer::print`] to see the definitions.
    pub fn print_one(
        &self,
        pool: &Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<String, OutOfBudget> {
        let mut printed = self.sharing(Sharing::Never).print(pool, &[expression], budget)?;
        Ok(printed.expressions.pop().or_internal("one expression was printed")?)
    }
}

fn print_layout<R: Renderer>(
    renderer: &R,
    layout: &Layout,
    budget: &mut Budget,
) -> Result<Printed, OutOfBudget> {
    let mut printed = Printed::default();
    for (name, shape) in &layout.definitions {
        let body = render(renderer, layout, *shape, budget)?;
        printed.definitions.push((renderer.name(name), body));
    }
    for &root in &layout.roots {
        printed.expressions.push(render(renderer, layout, root, budget)?);
    }
    Ok(printed)
}

/// The expression as text that parses back to it.
///
/// Symbols are printed as they are named: a name that the grammar does not allow is legible
/// but does not parse.
pub fn to_text(pool: &Pool, id: ExprId, budget: &mut Budget) -> Result<String, OutOfBudget> {
    Printer::new(Format::Text).print_one(pool, id, budget)
}

/// The expression in LaTeX, for math mode.
pub fn to_latex(pool: &Pool, id: ExprId, budget: &mut Budget) -> Result<String, OutOfBudget> {
    Printer::new(Format::Latex).print_one(pool, id, budget)
}

/// The expression in MathML, without the enclosing `<math>`; see [`math_element`].
pub fn to_mathml(pool: &Pool, id: ExprId, budget: &mut Budget) -> Result<String, OutOfBudget> {
    Printer::new(Format::MathMl).print_one(pool, id, budget)
}

#[cfg(test)]
mod check;
#[cfg(test)]
mod tests;
