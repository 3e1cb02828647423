//! Plain text in the grammar of [`crate::syntax`]: it parses back to the same expression.

use super::layout::{Layout, Shape, ShapeId};
use super::render::{DENSE_SIZE, Level, Piece, Renderer, dense_rows, list};
use crate::OrInternal;

pub(super) struct Text;

impl Renderer for Text {
    const DOING: &'static str = "printing an expression as text";

    fn name(&self, name: &str) -> String {
        name.to_owned()
    }

    fn pieces(&self, layout: &Layout, id: ShapeId, level: Level, out: &mut Vec<Piece>) {
        let shape = layout.shape(id);
        let enclose = binding(shape) < level;
        if enclose {
            out.push("(".into());
        }
        match shape {
            Shape::Number(digits) => out.push(digits.to_string().into()),
            Shape::Pi => out.push("pi".into()),
            Shape::Undefined => out.push("undefined".into()),
            Shape::Name(name) => out.push(name.to_string().into()),
            Shape::Definition(number) => {
                let name = layout.definitions.get(*number).map(|(name, _)| name.clone());
                out.push(name.or_noticed("a definition that is used is listed").into());
            }
            Shape::Sum(terms) => {
                for (position, (negative, term)) in terms.iter().enumerate() {
                    match (position, negative) {
                        (0, false) => {}
                        (0, true) => out.push("-".into()),
                        (_, false) => out.push(" + ".into()),
                        (_, true) => out.push(" - ".into()),
                    }
                    out.push(Piece::Shape(*term, Level::Product));
                }
            }
            Shape::Negative(inner) => {
                out.push("-".into());
                out.push(Piece::Shape(*inner, Level::Product));
            }
            Shape::Product(factors) => list(out, factors.iter().copied(), Level::Power, "*"),
            Shape::Fraction { numerator, denominator } => {
                out.push(Piece::Shape(*numerator, Level::Product));
                out.push("/".into());
                out.push(Piece::Shape(*denominator, Level::Power));
            }
            Shape::Power { base, exponent } => {
                out.push(Piece::Shape(*base, Level::Atom));
                out.push("^".into());
                out.push(Piece::Shape(*exponent, Level::Atom));
            }
            Shape::Root { radicand, degree: 2 } => {
                out.push("sqrt(".into());
                out.push(Piece::Shape(*radicand, Level::Sum));
                out.push(")".into());
            }
            Shape::Root { radicand, degree } => {
                out.push(Piece::Shape(*radicand, Level::Atom));
                out.push(format!("^(1/{degree})").into());
            }
            Shape::Call(function, argument) => {
                out.push(function.name().into());
                out.push("(".into());
                out.push(Piece::Shape(*argument, Level::Sum));
                out.push(")".into());
            }
            Shape::Atan2(y, x) => {
                out.push("atan2(".into());
                list(out, [*y, *x], Level::Sum, ", ");
                out.push(")".into());
            }
            Shape::System { size, entries, right } => {
                out.push("solve(".into());
                system(*size, entries, right, out);
                out.push(")".into());
            }
            Shape::Solution { system: id, component } => {
                out.push("solve(".into());
                if let Shape::System { size, entries, right } = layout.shape(*id) {
                    system(*size, entries, right, out);
                }
                out.push(format!(", {component})").into());
            }
        }
        if enclose {
            out.push(")".into());
        }
    }
}

fn binding(shape: &Shape) -> Level {
    match shape {
        Shape::Sum(_) | Shape::Negative(_) => Level::Sum,
        Shape::Product(_) | Shape::Fraction { .. } => Level::Product,
        Shape::Power { .. } => Level::Power,
        Shape::Root { degree, .. } if *degree != 2 => Level::Power,
        _ => Level::Atom,
    }
}

fn system(size: usize, entries: &[(u32, u32, ShapeId)], right: &[ShapeId], out: &mut Vec<Piece>) {
    if size <= DENSE_SIZE {
        out.push("[".into());
        for (position, row) in dense_rows(size, entries).into_iter().enumerate() {
            out.push(if position == 0 { "[" } else { ", [" }.into());
            for (position, entry) in row.into_iter().enumerate() {
                if position > 0 {
                    out.push(", ".into());
                }
                out.push(entry.map_or("0".into(), |entry| Piece::Shape(entry, Level::Sum)));
            }
            out.push("]".into());
        }
        out.push("]".into());
    } else {
        out.push(format!("{size}, {{").into());
        for (position, (row, column, entry)) in entries.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            let (row, column) = (u64::from(*row) + 1, u64::from(*column) + 1);
            out.push(format!("{separator}{{{row}, {column}, ").into());
            out.push(Piece::Shape(*entry, Level::Sum));
            out.push("}".into());
        }
        out.push("}".into());
    }
    out.push(", [".into());
    list(out, right.iter().copied(), Level::Sum, ", ");
    out.push("]".into());
}
