//! Formulas in LaTeX and in MathML at once, so that both documents say the same.

use isotrope_algebra::print::{
    escape_latex, latex_matrix, latex_name, mathml_matrix, mathml_name, mathml_text, to_latex,
    to_mathml,
};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

/// Pieces that may be printed of one expression.
const BUDGET: u64 = 200_000;
/// Terms above or below a fraction line.
const LONGEST_FRACTION: usize = 6;

/// A formula: one piece of LaTeX for math mode, one element of MathML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    pub latex: String,
    pub mathml: String,
}

/// What stands above a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accent {
    Bar,
    Tilde,
}

impl Formula {
    pub(super) fn new(latex: impl Into<String>, mathml: impl Into<String>) -> Self {
        Self { latex: latex.into(), mathml: mathml.into() }
    }

    /// A number; fractions are small.
    pub(super) fn number(value: &Rational) -> Self {
        let size = value.abs();
        let positive = if size.is_integer() {
            Self::digits(&size)
        } else {
            let (top, bottom) = (size.numerator().to_string(), size.denominator().to_string());
            Self::new(
                format!("\\tfrac{{{top}}}{{{bottom}}}"),
                format!("<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac>"),
            )
        };
        if value.is_negative() { Self::row([Self::minus(), positive]) } else { positive }
    }

    /// Digits as they are.
    pub(super) fn digits(value: impl ToString) -> Self {
        let text = value.to_string();
        Self::new(text.clone(), format!("<mn>{text}</mn>"))
    }

    /// A name of a variable, `theta1` with its index below.
    pub(super) fn name(name: &str) -> Self {
        Self::new(latex_name(name), mathml_name(name))
    }

    /// A letter as it is.
    pub(super) fn letter(letter: &str) -> Self {
        Self::new(letter, format!("<mi>{letter}</mi>"))
    }

    /// A sign with its two spellings.
    pub(super) fn sign(latex: &str, mathml: &str) -> Self {
        Self::new(latex, format!("<mo>{mathml}</mo>"))
    }

    fn minus() -> Self {
        Self::new("-", "<mo form=\"prefix\">−</mo>")
    }

    /// A small number with one digit, 2·10⁻⁹.
    pub(super) fn scientific(value: f64) -> Self {
        let text = format!("{value:.0e}");
        let (digit, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let minus = exponent.strip_prefix('-');
        let power = match minus {
            Some(size) => Self::row([Self::minus(), Self::digits(size)]),
            None => Self::digits(exponent),
        };
        Self::row([Self::digits(digit), Self::sign("\\cdot", "⋅"), Self::digits(10).power(power)])
    }

    /// Words within a formula.
    pub(super) fn words(text: &str) -> Self {
        Self::new(format!("\\text{{{}}}", escape_latex(text)), mathml_text(text))
    }

    /// One after the other.
    pub(super) fn row(parts: impl IntoIterator<Item = Self>) -> Self {
        let (mut latex, mut mathml) = (Vec::new(), String::from("<mrow>"));
        for part in parts {
            latex.push(part.latex);
            mathml.push_str(&part.mathml);
        }
        mathml.push_str("</mrow>");
        Self::new(latex.join(" "), mathml)
    }

    /// Parts with a comma between them.
    pub(super) fn list(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut row = Vec::new();
        for part in parts {
            if !row.is_empty() {
                row.push(Self::sign(",", ","));
            }
            row.push(part);
        }
        Self::row(row)
    }

    /// In parentheses, which grow with what is tall only.
    pub(super) fn enclosed(self) -> Self {
        let Self { latex, mathml } = self;
        let tall = ["<mfrac", "<mtable", "<munder"].iter().any(|tag| mathml.contains(tag));
        if tall {
            return Self::new(
                format!("\\left({latex}\\right)"),
                format!("<mrow><mo>(</mo>{mathml}<mo>)</mo></mrow>"),
            );
        }
        let (open, close) = (parenthesis("("), parenthesis(")"));
        Self::new(
            format!("({latex})"),
            format!("<mrow>{}{mathml}{}</mrow>", open.mathml, close.mathml),
        )
    }

    pub(super) fn power(self, exponent: Self) -> Self {
        Self::new(
            format!("{{{}}}^{{{}}}", self.latex, exponent.latex),
            format!("<msup>{}{}</msup>", self.mathml, exponent.mathml),
        )
    }

    pub(super) fn below(self, index: Self) -> Self {
        Self::new(
            format!("{}_{{{}}}", self.latex, index.latex),
            format!("<msub>{}{}</msub>", self.mathml, index.mathml),
        )
    }

    /// With an index below and the name of a group above.
    pub(super) fn below_and_above(self, index: Self, above: Self) -> Self {
        Self::new(
            format!("{}^{{{}}}_{{{}}}", self.latex, above.latex, index.latex),
            format!("<msubsup>{}{}{}</msubsup>", self.mathml, index.mathml, above.mathml),
        )
    }

    pub(super) fn accented(self, accent: Accent) -> Self {
        let (latex, sign) = match accent {
            Accent::Bar => ("\\bar", "¯"),
            Accent::Tilde => ("\\tilde", "~"),
        };
        Self::new(
            format!("{latex}{{{}}}", self.latex),
            format!(
                "<mover accent=\"true\">{}<mo stretchy=\"false\">{sign}</mo></mover>",
                self.mathml
            ),
        )
    }

    /// The time derivative.
    pub(super) fn dotted(self) -> Self {
        Self::new(
            format!("\\dot{{{}}}", self.latex),
            format!("<mover accent=\"true\">{}<mo>˙</mo></mover>", self.mathml),
        )
    }

    pub(super) fn fraction(top: Self, bottom: Self) -> Self {
        Self::new(
            format!("\\frac{{{}}}{{{}}}", top.latex, bottom.latex),
            format!("<mfrac>{}{}</mfrac>", top.mathml, bottom.mathml),
        )
    }

    /// Σ from 1 to s.
    pub(super) fn sum(index: &str, last: usize) -> Self {
        Self::new(
            format!("\\sum_{{{index}=1}}^{{{last}}}"),
            format!(
                "<munderover><mo>∑</mo><mrow><mi>{index}</mi><mo>=</mo><mn>1</mn></mrow><mn>{last}</mn></munderover>"
            ),
        )
    }

    pub(super) fn matrix(rows: &[Vec<Self>]) -> Self {
        let part = |of: fn(&Self) -> &String| -> Vec<Vec<String>> {
            rows.iter().map(|row| row.iter().map(|x| of(x).clone()).collect()).collect()
        };
        Self::new(latex_matrix(&part(|x| &x.latex)), mathml_matrix(&part(|x| &x.mathml)))
    }

    /// `self = right`.
    pub(super) fn equals(self, right: Self) -> Self {
        Self::row([self, Self::sign("=", "="), right])
    }

    /// An expression of a pool; `None` if it is too long.
    pub(super) fn expression(pool: &Pool, id: ExprId) -> Option<Self> {
        let latex = to_latex(pool, id, &mut Budget::new(BUDGET)).ok()?;
        let mathml = to_mathml(pool, id, &mut Budget::new(BUDGET)).ok()?;
        Some(Self::new(latex, format!("<mrow>{mathml}</mrow>")))
    }

    /// An exact number from its text, `1/2+sqrt(3)/6`; what is not an expression stays as it is.
    pub(super) fn constant(text: &str) -> Self {
        if let Ok(value) = text.parse::<Rational>() {
            return Self::number(&value);
        }
        let mut pool = Pool::new();
        let parsed = parse_expression(&mut pool, text).ok();
        let formula = parsed.and_then(|id| Self::expression(&pool, id));
        formula.unwrap_or_else(|| Self::words(text))
    }
}

/// One that does not grow.
fn parenthesis(sign: &str) -> Formula {
    let mathml = format!("<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">{sign}</mo>");
    Formula::new(sign, mathml)
}

/// A formula in pieces: lines may break between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Line {
    pub pieces: Vec<Formula>,
    /// What is said of the whole, before it.
    pub mark: Option<&'static str>,
}

impl Line {
    pub(super) fn marked(mut self, mark: Option<&'static str>) -> Self {
        self.mark = mark;
        self
    }

    /// Everything in one piece.
    pub(super) fn whole(&self) -> Formula {
        Formula::row(self.pieces.iter().cloned())
    }

    /// Everything in parentheses, still in pieces.
    fn enclosed(mut self) -> Self {
        if self.pieces.len() < 2 {
            return self;
        }
        if let Some(first) = self.pieces.first_mut() {
            *first = Formula::row([parenthesis("("), first.clone()]);
        }
        if let Some(last) = self.pieces.last_mut() {
            *last = Formula::row([last.clone(), parenthesis(")")]);
        }
        self
    }

    /// A quotient: a fraction if it is short, otherwise with a slash, so that lines can break.
    pub(super) fn over(self, bottom: Self) -> Self {
        if self.pieces.len() <= LONGEST_FRACTION && bottom.pieces.len() <= LONGEST_FRACTION {
            let fraction = Formula::fraction(self.whole(), bottom.whole());
            return Self { pieces: vec![fraction], mark: self.mark };
        }
        let mut whole = self.enclosed();
        let slash = Formula::new("/", "<mrow></mrow><mo>/</mo>");
        let mut bottom = bottom.enclosed().pieces;
        if let Some(first) = bottom.first_mut() {
            *first = Formula::row([slash, first.clone()]);
        }
        whole.pieces.extend(bottom);
        whole
    }

    /// Adds `= right` to the last piece.
    pub(super) fn equal_to(mut self, right: Formula) -> Self {
        let last = self.pieces.pop().unwrap_or_else(|| Formula::digits(0));
        self.pieces.push(last.equals(right));
        self
    }

    /// Puts `left =` before the first piece.
    pub(super) fn after(mut self, left: Formula) -> Self {
        if self.pieces.is_empty() {
            self.pieces.push(Formula::digits(0));
        }
        let first = self.pieces.remove(0);
        self.pieces.insert(0, left.equals(first));
        self
    }
}

/// A sum of products, a piece for each term.
pub(super) fn sum(terms: impl IntoIterator<Item = (Rational, Vec<Formula>)>) -> Line {
    let mut pieces = Vec::new();
    for (coefficient, factors) in terms {
        let mut parts = Vec::new();
        match (pieces.is_empty(), coefficient.is_negative()) {
            (true, true) => parts.push(Formula::minus()),
            (true, false) => {}
            // An empty row before the sign makes it one of two operands in MathML.
            (false, true) => parts.push(Formula::new("-", "<mrow></mrow><mo>−</mo>")),
            (false, false) => parts.push(Formula::new("+", "<mrow></mrow><mo>+</mo>")),
        }
        let size = coefficient.abs();
        if !size.is_one() || factors.is_empty() {
            parts.push(Formula::number(&size));
        }
        for (position, factor) in factors.into_iter().enumerate() {
            if position > 0 {
                parts.push(Formula::new("\\,", "<mspace width=\"0.12em\"></mspace>"));
            }
            parts.push(factor);
        }
        pieces.push(Formula::row(parts));
    }
    if pieces.is_empty() {
        pieces.push(Formula::digits(0));
    }
    Line { pieces, mark: None }
}
