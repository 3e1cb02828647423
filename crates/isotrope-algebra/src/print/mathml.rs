//! Presentation MathML within MathML Core, which browsers show without help.
//!
//! Every shape becomes exactly one element, because most elements count their children.

use super::formula::{
    Operator, as_ratio, begins_with_digit, binding, is_simple_argument, operator,
};
use super::greek;
use super::layout::{Layout, Shape, ShapeId};
use super::name::{Name, Subscript, plain_digits, split_primes};
use super::render::{DENSE_SIZE, Level, Piece, Renderer, dense_rows};
use crate::OrInternal;
use crate::functions::Notation;

pub(super) struct MathMl;

const OPEN: &str = "<mo>(</mo>";
const CLOSE: &str = "<mo>)</mo>";
const COMMA: &str = "<mo>,</mo>";
const PLUS: &str = "<mo>+</mo>";
const MINUS: &str = "<mo>\u{2212}</mo>";
const TIMES: &str = "<mo>&#x2062;</mo>";
const DOT: &str = "<mo>\u{22c5}</mo>";
const APPLY: &str = "<mo>&#x2061;</mo>";
/// Browsers set no space around words like `sin` by themselves.
const TIMES_WORD: &str = "<mo lspace=\"0.167em\">&#x2062;</mo>";
const APPLY_WORD: &str = "<mo rspace=\"0.167em\">&#x2061;</mo>";

impl Renderer for MathMl {
    const DOING: &'static str = "printing an expression as MathML";

    fn name(&self, name: &str) -> String {
        mathml_name(name)
    }

    fn pieces(&self, layout: &Layout, id: ShapeId, level: Level, out: &mut Vec<Piece>) {
        let operator = operator(layout, id);
        let enclose = binding(layout.shape(id)) < level;
        if enclose {
            out.extend(["<mrow>".into(), OPEN.into()]);
        }
        match operator {
            Some(operator) => push_operator(layout, operator, false, out),
            None => push_shape(layout, id, out),
        }
        if enclose {
            out.extend([CLOSE.into(), "</mrow>".into()]);
        }
    }
}

fn push_shape(layout: &Layout, id: ShapeId, out: &mut Vec<Piece>) {
    let inside = |id: ShapeId| Piece::Shape(id, Level::Sum);
    match layout.shape(id) {
        Shape::Number(digits) => out.push(format!("<mn>{digits}</mn>").into()),
        Shape::Pi => out.push("<mi>\u{3c0}</mi>".into()),
        Shape::Undefined => out.push("<mi>undefined</mi>".into()),
        Shape::Name(name) => out.push(mathml_name(name).into()),
        Shape::Definition(number) => {
            let name = layout.definitions.get(*number).map(|(name, _)| mathml_name(name));
            out.push(name.or_noticed("a definition that is used is listed").into());
        }
        Shape::Sum(terms) => {
            out.push("<mrow>".into());
            for (position, (negative, term)) in terms.iter().enumerate() {
                match (position, negative) {
                    (0, false) => {}
                    (_, false) => out.push(PLUS.into()),
                    (_, true) => out.push(MINUS.into()),
                }
                out.push(Piece::Shape(*term, Level::Product));
            }
            out.push("</mrow>".into());
        }
        Shape::Negative(inner) => out.extend([
            "<mrow>".into(),
            MINUS.into(),
            Piece::Shape(*inner, Level::Product),
            "</mrow>".into(),
        ]),
        Shape::Product(factors) => push_product(layout, factors, out),
        Shape::Fraction { numerator, denominator } => out.extend([
            "<mfrac>".into(),
            inside(*numerator),
            inside(*denominator),
            "</mfrac>".into(),
        ]),
        Shape::Power { base, exponent } => {
            out.extend(["<msup>".into(), Piece::Shape(*base, Level::Atom)]);
            out.push(match as_ratio(layout, *exponent) {
                Some((n, d)) => format!("<mrow><mn>{n}</mn><mo>/</mo><mn>{d}</mn></mrow>").into(),
                None => inside(*exponent),
            });
            out.push("</msup>".into());
        }
        Shape::Root { radicand, degree: 2 } => {
            out.extend(["<msqrt>".into(), inside(*radicand), "</msqrt>".into()]);
        }
        Shape::Root { radicand, degree } => out.extend([
            "<mroot>".into(),
            inside(*radicand),
            format!("<mn>{degree}</mn></mroot>").into(),
        ]),
        Shape::Call(function, argument) if function.descriptor().notation == Notation::Bars => {
            out.extend(["<mrow><mo>|</mo>".into(), inside(*argument), "<mo>|</mo></mrow>".into()])
        }
        // The other functions are operators.
        Shape::Call(_, argument) => {
            // An upright e is the number, an italic one a symbol.
            let e = "<msup><mi mathvariant=\"normal\">e</mi>";
            out.extend([e.into(), inside(*argument), "</msup>".into()]);
        }
        Shape::Atan2(y, x) => out.extend([
            "<mrow><mi>atan2</mi>".into(),
            APPLY.into(),
            "<mrow>".into(),
            OPEN.into(),
            inside(*y),
            COMMA.into(),
            inside(*x),
            CLOSE.into(),
            "</mrow></mrow>".into(),
        ]),
        Shape::System { size, entries, right } => push_system(*size, entries, right, out),
        Shape::Solution { system, component } => out.extend([
            "<msub><mrow><mo>[</mo>".into(),
            inside(*system),
            format!("<mo>]</mo></mrow><mn>{component}</mn></msub>").into(),
        ]),
    }
}

fn push_product(layout: &Layout, factors: &[ShapeId], out: &mut Vec<Piece>) {
    out.push("<mrow>".into());
    for (position, &factor) in factors.iter().enumerate() {
        if position > 0 {
            let sign = match operator(layout, factor) {
                Some(_) => TIMES_WORD,
                None if begins_with_digit(layout, factor) => DOT,
                None => TIMES,
            };
            out.push(sign.into());
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
    out.push("</mrow>".into());
}

fn push_operator(layout: &Layout, operator: Operator<'_>, parentheses: bool, out: &mut Vec<Piece>) {
    let name = operator.mathml;
    out.push("<mrow>".into());
    out.push(match operator.exponent {
        Some(digits) => format!("<msup><mi>{name}</mi><mn>{digits}</mn></msup>").into(),
        None => format!("<mi>{name}</mi>").into(),
    });
    let argument = Piece::Shape(operator.argument, Level::Sum);
    if is_simple_argument(layout, operator.argument) && !parentheses {
        out.extend([APPLY_WORD.into(), argument]);
    } else {
        out.extend([
            APPLY.into(),
            "<mrow>".into(),
            OPEN.into(),
            argument,
            CLOSE.into(),
            "</mrow>".into(),
        ]);
    }
    out.push("</mrow>".into());
}

fn push_system(
    size: usize,
    entries: &[(u32, u32, ShapeId)],
    right: &[ShapeId],
    out: &mut Vec<Piece>,
) {
    out.push("<mrow>".into());
    if size <= DENSE_SIZE {
        out.push("<msup><mrow><mo>(</mo><mtable>".into());
        for row in dense_rows(size, entries) {
            out.push("<mtr>".into());
            for entry in row {
                let zero = || "<mn>0</mn>".into();
                let entry = entry.map_or_else(zero, |entry| Piece::Shape(entry, Level::Sum));
                out.extend(["<mtd>".into(), entry, "</mtd>".into()]);
            }
            out.push("</mtr>".into());
        }
        out.push(
            "</mtable><mo>)</mo></mrow><mrow><mo>\u{2212}</mo><mn>1</mn></mrow></msup>".into(),
        );
        out.push(TIMES.into());
    } else {
        out.push(format!("<msub><mi>solve</mi><mn>{size}</mn></msub>").into());
        out.extend([APPLY.into(), "<mrow><mo>{</mo>".into()]);
        for (position, (row, column, entry)) in entries.iter().enumerate() {
            if position > 0 {
                out.push(COMMA.into());
            }
            let (row, column) = (u64::from(*row) + 1, u64::from(*column) + 1);
            let place = format!(
                "<mrow>{OPEN}<mn>{row}</mn>{COMMA}<mn>{column}</mn>{CLOSE}</mrow><mo>\u{21a6}</mo>"
            );
            out.extend([place.into(), Piece::Shape(*entry, Level::Sum)]);
        }
        out.push("<mo>}</mo></mrow>".into());
    }
    out.push("<mrow><mo>(</mo><mtable>".into());
    for value in right {
        out.push("<mtr><mtd>".into());
        out.push(Piece::Shape(*value, Level::Sum));
        out.push("</mtd></mtr>".into());
    }
    out.push("</mtable><mo>)</mo></mrow></mrow>".into());
}

/// A name alone in MathML, one element: primes are dots, numbers are subscripts.
///
/// ```
/// use isotrope_algebra::print::mathml_name;
/// assert_eq!(mathml_name("theta1"), "<msub><mi>θ</mi><mn>1</mn></msub>");
/// assert_eq!(mathml_name("a<b"), "<mi>a&lt;b</mi>");
/// ```
pub fn mathml_name(name: &str) -> String {
    let (base, subscripts, dots) = match Name::parse(name) {
        Some(parsed) => {
            let subscripts: Vec<String> = parsed.subscripts.iter().map(subscript).collect();
            (word(parsed.base), subscripts, parsed.dots)
        }
        None => match split_primes(name) {
            ("", _) => (format!("<mi>{}</mi>", escape_xml(name)), Vec::new(), 0),
            (stem, dots) => (format!("<mi>{}</mi>", escape_xml(stem)), Vec::new(), dots),
        },
    };
    let base = match dots {
        1 => format!("<mover accent=\"true\">{base}<mo>\u{2d9}</mo></mover>"),
        2 => format!("<mover accent=\"true\">{base}<mo>\u{a8}</mo></mover>"),
        _ => base,
    };
    let below = match subscripts.len() {
        0 => None,
        1 => Some(subscripts.concat()),
        _ => Some(format!("<mrow>{}</mrow>", subscripts.join(COMMA))),
    };
    let above = (dots > 2).then(|| format!("<mrow>{OPEN}<mn>{dots}</mn>{CLOSE}</mrow>"));
    match (below, above) {
        (None, None) => base,
        (Some(below), None) => format!("<msub>{base}{below}</msub>"),
        (None, Some(above)) => format!("<msup>{base}{above}</msup>"),
        (Some(below), Some(above)) => format!("<msubsup>{base}{below}{above}</msubsup>"),
    }
}

fn subscript(subscript: &Subscript<'_>) -> String {
    let number = plain_digits(subscript.number);
    match (subscript.word, number.as_str()) {
        ("", number) => format!("<mn>{number}</mn>"),
        (letters, "") => word(letters),
        (letters, number) => format!("<msub>{}<mn>{number}</mn></msub>", word(letters)),
    }
}

fn word(letters: &str) -> String {
    match greek::by_name(letters) {
        Some(letter) => format!("<mi>{}</mi>", letter.character),
        None => format!("<mi>{}</mi>", escape_xml(letters)),
    }
}

/// Any text as one MathML element, escaped.
pub fn mathml_text(text: &str) -> String {
    format!("<mtext>{}</mtext>", escape_xml(text))
}

/// Encloses MathML in `<math>`, as a formula of its own (`block`) or within a line.
pub fn math_element(content: &str, block: bool) -> String {
    let display = if block { "block" } else { "inline" };
    format!(
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"{display}\">{content}</math>"
    )
}

/// Text for XML and HTML. What XML cannot hold at all becomes the replacement character.
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
