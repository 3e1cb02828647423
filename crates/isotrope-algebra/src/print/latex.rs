//! LaTeX for math mode: Greek names, primes as dots, fractions and roots.

use super::formula::{
    Operator, as_ratio, begins_with_digit, binding, is_simple_argument, operator,
};
use super::greek;
use super::layout::{Layout, Shape, ShapeId};
use super::name::{Name, Subscript, plain_digits, split_primes};
use super::render::{DENSE_SIZE, Level, Piece, Renderer, dense_rows, list};
use super::words::escape_latex;
use crate::OrInternal;
use crate::functions::Notation;

pub(super) struct Latex;

impl Renderer for Latex {
    const DOING: &'static str = "printing an expression as LaTeX";

    fn name(&self, name: &str) -> String {
        latex_name(name)
    }

    fn pieces(&self, layout: &Layout, id: ShapeId, level: Level, out: &mut Vec<Piece>) {
        let operator = operator(layout, id);
        let enclose = binding(layout.shape(id)) < level;
        if enclose {
            out.push(r"\left(".into());
        }
        match operator {
            Some(operator) => push_operator(layout, operator, false, out),
            None => push_shape(layout, id, out),
        }
        if enclose {
            out.push(r"\right)".into());
        }
    }
}

fn push_shape(layout: &Layout, id: ShapeId, out: &mut Vec<Piece>) {
    let inside = |id: ShapeId| Piece::Shape(id, Level::Sum);
    match layout.shape(id) {
        Shape::Number(digits) => out.push(digits.to_string().into()),
        Shape::Pi => out.push(r"\pi".into()),
        Shape::Undefined => out.push(r"\mathrm{undefined}".into()),
        Shape::Name(name) => out.push(latex_name(name).into()),
        Shape::Definition(number) => {
            let name = layout.definitions.get(*number).map(|(name, _)| latex_name(name));
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
        Shape::Product(factors) => push_product(layout, factors, out),
        Shape::Fraction { numerator, denominator } => out.extend([
            r"\frac{".into(),
            inside(*numerator),
            "}{".into(),
            inside(*denominator),
            "}".into(),
        ]),
        Shape::Power { base, exponent } => {
            out.extend([Piece::Shape(*base, Level::Atom), "^{".into()]);
            match as_ratio(layout, *exponent) {
                Some((numerator, denominator)) => {
                    out.push(format!("{numerator}/{denominator}").into());
                }
                None => out.push(inside(*exponent)),
            }
            out.push("}".into());
        }
        Shape::Root { radicand, degree } => {
            out.push(match degree {
                2 => r"\sqrt{".into(),
                degree => format!(r"\sqrt[{degree}]{{").into(),
            });
            out.extend([inside(*radicand), "}".into()]);
        }
        Shape::Call(function, argument) if function.descriptor().notation == Notation::Bars => {
            out.extend([r"\left|".into(), inside(*argument), r"\right|".into()]);
        }
        // The other functions are operators.
        Shape::Call(_, argument) => {
            out.extend([r"\mathrm{e}^{".into(), inside(*argument), "}".into()]);
        }
        Shape::Atan2(y, x) => out.extend([
            r"\operatorname{atan2}\left(".into(),
            inside(*y),
            ", ".into(),
            inside(*x),
            r"\right)".into(),
        ]),
        Shape::System { size, entries, right } => push_system(*size, entries, right, out),
        Shape::Solution { system, component } => out.extend([
            r"\left[".into(),
            inside(*system),
            format!(r"\right]_{{{component}}}").into(),
        ]),
    }
}

fn push_product(layout: &Layout, factors: &[ShapeId], out: &mut Vec<Piece>) {
    for (position, &factor) in factors.iter().enumerate() {
        if position > 0 {
            let dot = begins_with_digit(layout, factor);
            out.push(if dot { r" \cdot " } else { " " }.into());
        }
        let next = factors.get(position + 1);
        match (operator(layout, factor), next) {
            // sin x (y + z) could be read as the sine of a product.
            (Some(found), Some(&next)) if operator(layout, next).is_none() => {
                push_operator(layout, found, true, out);
            }
            _ => out.push(Piece::Shape(factor, Level::Power)),
        }
    }
}

fn push_operator(layout: &Layout, operator: Operator<'_>, parentheses: bool, out: &mut Vec<Piece>) {
    out.push(operator.latex.into());
    if let Some(exponent) = operator.exponent {
        out.push(format!("^{{{exponent}}}").into());
    }
    let argument = Piece::Shape(operator.argument, Level::Sum);
    if is_simple_argument(layout, operator.argument) && !parentheses {
        out.extend([" ".into(), argument]);
    } else {
        out.extend([r"\left(".into(), argument, r"\right)".into()]);
    }
}

fn push_system(
    size: usize,
    entries: &[(u32, u32, ShapeId)],
    right: &[ShapeId],
    out: &mut Vec<Piece>,
) {
    if size <= DENSE_SIZE {
        out.push(r"\begin{pmatrix}".into());
        for (position, row) in dense_rows(size, entries).into_iter().enumerate() {
            if position > 0 {
                out.push(r" \\ ".into());
            }
            for (position, entry) in row.into_iter().enumerate() {
                if position > 0 {
                    out.push(" & ".into());
                }
                out.push(entry.map_or("0".into(), |entry| Piece::Shape(entry, Level::Sum)));
            }
        }
        out.push(r"\end{pmatrix}^{-1} \begin{pmatrix}".into());
        list(out, right.iter().copied(), Level::Sum, r" \\ ");
        out.push(r"\end{pmatrix}".into());
        return;
    }
    out.push(format!(r"\operatorname{{solve}}_{{{size}}}\left(\left\{{").into());
    for (position, (row, column, entry)) in entries.iter().enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        let (row, column) = (u64::from(*row) + 1, u64::from(*column) + 1);
        out.push(format!(r"{separator}({row}, {column}) \mapsto ").into());
        out.push(Piece::Shape(*entry, Level::Sum));
    }
    out.push(r"\right\}, \left[".into());
    list(out, right.iter().copied(), Level::Sum, ", ");
    out.push(r"\right]\right)".into());
}

/// A name alone in LaTeX: `theta1'` is `\dot{\theta}_{1}`, `lambda_rod` is
/// `\lambda_{\mathrm{rod}}`. A text that is not a name is shown as it is, escaped.
///
/// ```
/// use isotrope_algebra::print::latex_name;
/// assert_eq!(latex_name("p_theta1"), r"p_{\theta_{1}}");
/// assert_eq!(latex_name("x[3]''"), r"\ddot{x}_{3}");
/// assert_eq!(latex_name("a{b"), r"\text{a\{b}");
/// ```
pub fn latex_name(name: &str) -> String {
    let (base, subscripts, dots) = match Name::parse(name) {
        Some(parsed) => {
            let subscripts: Vec<String> = parsed.subscripts.iter().map(subscript).collect();
            (word(parsed.base), subscripts.join(", "), parsed.dots)
        }
        None => match split_primes(name) {
            ("", _) => (literal(name), String::new(), 0),
            (stem, dots) => (literal(stem), String::new(), dots),
        },
    };
    let mut text = match dots {
        1 => format!(r"\dot{{{base}}}"),
        2 => format!(r"\ddot{{{base}}}"),
        _ => base,
    };
    if !subscripts.is_empty() {
        text.push_str(&format!("_{{{subscripts}}}"));
    }
    if dots > 2 {
        text.push_str(&format!("^{{({dots})}}"));
    }
    text
}

fn subscript(subscript: &Subscript<'_>) -> String {
    let number = plain_digits(subscript.number);
    match (subscript.word, number.as_str()) {
        ("", number) => number.to_owned(),
        (letters, "") => word(letters),
        (letters, number) => format!("{}_{{{number}}}", word(letters)),
    }
}

fn word(letters: &str) -> String {
    if let Some(letter) = greek::by_name(letters) {
        return letter.latex.to_owned();
    }
    let mut characters = letters.chars();
    match (characters.next(), characters.next()) {
        (Some(letter), None) => greek_command(letter).map_or(letters.to_owned(), str::to_owned),
        _ => upright(letters),
    }
}

/// What LaTeX calls a Greek letter.
///
/// ```
/// assert_eq!(isotrope_algebra::print::greek_command('ω'), Some(r"\omega"));
/// assert_eq!(isotrope_algebra::print::greek_command('w'), None);
/// ```
pub fn greek_command(character: char) -> Option<&'static str> {
    greek::by_character(character).map(|letter| letter.latex)
}

/// A word in upright letters; Greek ones are commands, which stand outside.
fn upright(word: &str) -> String {
    let mut out = String::new();
    let mut open = false;
    for character in word.chars() {
        match greek_command(character) {
            Some(command) => {
                if std::mem::take(&mut open) {
                    out.push('}');
                }
                out.push_str(&format!("{{{command}}}"));
            }
            None => {
                if !std::mem::replace(&mut open, true) {
                    out.push_str(r"\mathrm{");
                }
                out.push(character);
            }
        }
    }
    if open {
        out.push('}');
    }
    out
}

/// Any text, so that LaTeX shows it and does not obey it.
fn literal(text: &str) -> String {
    if !text.is_empty() && text.chars().all(char::is_alphanumeric) {
        return upright(text);
    }
    format!(r"\text{{{}}}", escape_latex(text))
}
