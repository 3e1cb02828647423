//! A report before it is written: words and formulas, no format.

use isotrope_algebra::{Budget, ExprId, Pool, print};

/// A report.
#[derive(Debug, Clone)]
pub struct Document {
    /// Name of the system.
    pub title: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// The parts.
    pub sections: Vec<Section>,
}

/// A part of a report.
#[derive(Debug, Clone)]
pub struct Section {
    /// A short name for links.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A heading below the section's.
    Heading(String),
    /// Equations below each other, aligned at the equals sign.
    Equations(Vec<Equation>),
    /// A matrix with a name.
    Matrix {
        /// What stands before the equals sign.
        left: Formula,
        /// The entries.
        rows: Vec<Vec<ExprId>>,
    },
    /// Labels with what belongs to them.
    Facts(Vec<Fact>),
    /// Words in lines of the same length, the first of them headings.
    Table(Vec<Vec<String>>),
}

/// A label with what belongs to it.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The label.
    pub label: String,
    /// What belongs to it.
    pub content: Vec<Inline>,
}

/// Words or a formula within a line.
#[derive(Debug, Clone)]
pub enum Inline {
    /// Words.
    Words(String),
    /// A formula.
    Math(Formula),
}

/// `left = right`.
#[derive(Debug, Clone)]
pub struct Equation {
    /// Left of the sign.
    pub left: Formula,
    /// The sign.
    pub sign: Sign,
    /// Right of the sign.
    pub right: Formula,
}

/// A fixed sign in its three spellings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sign {
    /// In a terminal.
    pub text: &'static str,
    /// In LaTeX.
    pub latex: &'static str,
    /// In MathML.
    pub mathml: &'static str,
}

macro_rules! signs {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $latex:literal, $mathml:literal;)*) => {
        impl Sign {
            $($(#[doc = $doc])+ pub const $name: Self = Self { text: $text, latex: $latex, mathml: $mathml };)*
        }
    };
}

signs! {
    /// Equal.
    EQUALS = "=", "=", "<mo>=</mo>";
    /// Not equal.
    DIFFERS = "≠", r"\neq", "<mo>≠</mo>";
    /// Nothing.
    NOTHING = "", "", "";
    /// Not decided.
    QUESTION = "? ", r"?\; ", "<mo>?</mo>";
    /// Zero.
    ZERO = "0", "0", "<mn>0</mn>";
    /// Between terms.
    PLUS = " + ", " + ", "<mo>+</mo>";
    /// Between terms.
    MINUS = " - ", " - ", "<mo>−</mo>";
    /// Before the first term.
    NEGATIVE = "-", "-", "<mo form=\"prefix\">−</mo>";
    /// Between factors.
    SPACE = " ", r"\,", "<mspace width=\"0.17em\"></mspace>";
    /// Opens a sum that is a factor.
    OPEN_FACTOR = "(", r"\left(", "<mrow><mo>(</mo>";
    /// Closes a sum that is a factor.
    CLOSE_FACTOR = ")", r"\right)", "<mo>)</mo></mrow>";
    /// The d of a differential.
    DIFFERENTIAL = "d", r"\mathrm{d}", "<mi mathvariant=\"normal\">d</mi>";
    /// The product of forms.
    WEDGE = "∧", r"\wedge", "<mo>∧</mo>";
    /// Stands for an expression that does not fit into the budget.
    TOO_LONG = "(too long to print)", r"\text{(too long to print)}", "<mtext>(too long to print)</mtext>";
    /// Opens a tuple.
    OPEN = "(", r"\bigl(", "<mo>(</mo>";
    /// Closes a tuple.
    CLOSE = ")", r"\bigr)", "<mo>)</mo>";
    /// Opens a bracket.
    OPEN_BRACKET = "[", "[", "<mo>[</mo>";
    /// Closes a bracket.
    CLOSE_BRACKET = "]", "]", "<mo>]</mo>";
    /// Opens a bracket of degree −n.
    OPEN_BRACE = "{", r"\{", "<mo>{</mo>";
    /// Closes a bracket of degree −n.
    CLOSE_BRACE = "}", r"\}", "<mo>}</mo>";
    /// Separates.
    COMMA = ", ", r",\, ", "<mo>,</mo>";
    /// Separates groups.
    SEMICOLON = "; ", r";\; ", "<mo>;</mo>";
    /// The Dirac differential.
    DIRAC_DIFFERENTIAL = "𝔇L", r"\mathfrak{D}L", "<mrow><mi>𝔇</mi><mi>L</mi></mrow>";
    /// The mass matrix.
    MASS = "M", "M", "<mi>M</mi>";
    /// The Lagrangian.
    LAGRANGIAN = "L", "L", "<mi>L</mi>";
    /// The energy.
    ENERGY = "E", "E", "<mi>E</mi>";
    /// The rate of the energy.
    ENERGY_RATE = "dE/dt", r"\dot{E}", "<mover accent=\"true\"><mi>E</mi><mo>˙</mo></mover>";
    /// The Hamiltonian.
    HAMILTONIAN = "H", "H", "<mi>H</mi>";
    /// A discrete Lagrangian.
    DISCRETE_LAGRANGIAN = "L_d", "L_d", "<msub><mi>L</mi><mi>d</mi></msub>";
    /// The action of a step.
    DISCRETE_ACTION = "S", "S", "<mi>S</mi>";
    /// A discrete Lagrangian as a function of the beginning of a step and a velocity.
    PLUS_LAGRANGIAN = "l₊", "l_{+}", "<msub><mi>l</mi><mo>+</mo></msub>";
    /// A discrete Lagrangian as a function of the end of a step and a velocity.
    MINUS_LAGRANGIAN = "l₋", "l_{-}", "<msub><mi>l</mi><mo>−</mo></msub>";
    /// A change.
    CHANGE = "Δ", r"\Delta", "<mi>Δ</mi>";
    /// The change of the symplectic form in a step.
    FORM_CHANGE = "Δ(dq∧dp)", r"\Delta(\mathrm dq\wedge\mathrm dp)", "<mrow><mi>Δ</mi><mo>(</mo><mi>d</mi><mi>q</mi><mo>∧</mo><mi>d</mi><mi>p</mi><mo>)</mo></mrow>";
    /// The Euler-Lagrange equations.
    EULER_LAGRANGE = "d/dt ∂L/∂v - ∂L/∂q = F + Aᵀλ", r"\frac{\mathrm d}{\mathrm dt}\frac{\partial L}{\partial v} - \frac{\partial L}{\partial q} = F + A^{\mathsf T}\lambda", "<mrow><mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>v</mi></mrow></mfrac><mo>−</mo><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>q</mi></mrow></mfrac><mo>=</mo><mi>F</mi><mo>+</mo><msup><mi>A</mi><mi mathvariant=\"normal\">T</mi></msup><mi>λ</mi></mrow>";
    /// The 2-form dϑ.
    FORM = "Ω", r"\Omega", "<mi>Ω</mi>";
    /// Equations of first order.
    FIRST_ORDER = "d/dt ϑ - ∂L/∂q = F", r"\frac{\mathrm d\vartheta}{\mathrm dt} - \frac{\partial L}{\partial q} = F", "<mrow><mfrac><mrow><mi>d</mi><mi>ϑ</mi></mrow><mrow><mi>d</mi><mi>t</mi></mrow></mfrac><mo>−</mo><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>q</mi></mrow></mfrac><mo>=</mo><mi>F</mi></mrow>";
    /// The Legendre map.
    LEGENDRE = "p = ∂L/∂v", r"p = \frac{\partial L}{\partial v}", "<mrow><mi>p</mi><mo>=</mo><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>v</mi></mrow></mfrac></mrow>";
    /// The components of the Dirac differential.
    DIRAC_PARTS = "(q, ∂L/∂v, -∂L/∂q, v)", r"\left(q, \frac{\partial L}{\partial v}, -\frac{\partial L}{\partial q}, v\right)", "<mrow><mo>(</mo><mi>q</mi><mo>,</mo><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>v</mi></mrow></mfrac><mo>,</mo><mo>−</mo><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>q</mi></mrow></mfrac><mo>,</mo><mi>v</mi><mo>)</mo></mrow>";
}

/// A formula.
#[derive(Debug, Clone)]
pub enum Formula {
    /// An expression of the system's pool.
    Expression(ExprId),
    /// A name, written like a symbol.
    Name(String),
    /// A fixed sign.
    Sign(Sign),
    /// The square of a name.
    Square(String),
    /// A letter with an index: `X₁`.
    Indexed(&'static str, usize),
    /// `F` with the name of a coordinate as index.
    Component(&'static str, String),
    /// A vector field, a form, or another combination of basis elements.
    Combination(Combination),
    /// One after the other.
    Row(Vec<Formula>),
}

/// A linear combination of basis elements; the empty one is zero.
#[derive(Debug, Clone, Default)]
pub struct Combination {
    /// The terms.
    pub terms: Vec<Term>,
}

/// A basis element with its coefficient.
#[derive(Debug, Clone)]
pub struct Term {
    /// Is it subtracted?
    pub negative: bool,
    /// The coefficient without that sign.
    pub coefficient: ExprId,
    /// Does the coefficient need parentheses?
    pub enclosed: bool,
    /// The element.
    pub basis: Basis,
}

/// An element of a basis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// `∂x`.
    Partial(String),
    /// `dx`.
    Differential(String),
    /// `dx∧dy`.
    Area(String, String),
    /// Odd coordinates in their order; none of them stands for 1.
    Product(Vec<String>),
}

impl Basis {
    /// Is it 1, so that the coefficient stands alone?
    pub(crate) fn is_one(&self) -> bool {
        matches!(self, Self::Product(names) if names.is_empty())
    }
}

impl Combination {
    /// Combines coefficients with elements; zeros are left out.
    pub fn new(
        pool: &mut Pool,
        coefficients: &[ExprId],
        names: &[String],
        basis: fn(String) -> Basis,
    ) -> Self {
        let pairs = coefficients.iter().zip(names);
        Self::of_terms(pool, pairs.map(|(&value, name)| (value, basis(name.clone()))))
    }

    /// Combines coefficients with elements; zeros are left out.
    pub fn of_terms(pool: &mut Pool, list: impl IntoIterator<Item = (ExprId, Basis)>) -> Self {
        let mut terms = Vec::new();
        for (coefficient, basis) in list {
            if coefficient.is_zero() {
                continue;
            }
            let text = print::to_text(pool, coefficient, &mut Budget::new(100_000));
            // What is too long to be looked at may be a sum.
            let sum = text.as_deref().map_or(true, is_sum);
            let enclosed = sum && !basis.is_one();
            let negative = !sum && text.is_ok_and(|text| text.starts_with('-'));
            let size = if negative { pool.neg(coefficient) } else { coefficient };
            terms.push(Term { negative, coefficient: size, enclosed, basis });
        }
        Self { terms }
    }
}

/// Is it printed as a sum?
pub(crate) fn is_sum(text: &str) -> bool {
    let mut depth = 0i32;
    for character in text.chars() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

impl From<ExprId> for Formula {
    fn from(id: ExprId) -> Self {
        Self::Expression(id)
    }
}

impl From<Sign> for Formula {
    fn from(sign: Sign) -> Self {
        Self::Sign(sign)
    }
}

impl Equation {
    /// `left = right`.
    pub fn new(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self { left: left.into(), sign: Sign::EQUALS, right: right.into() }
    }
}

impl Block {
    /// A paragraph of plain words.
    pub fn words(words: impl Into<String>) -> Self {
        Self::Paragraph(vec![Inline::Words(words.into())])
    }
}

impl Fact {
    /// A label with words.
    pub fn words(label: impl Into<String>, words: impl Into<String>) -> Self {
        Self { label: label.into(), content: vec![Inline::Words(words.into())] }
    }

    /// A label with a formula.
    pub fn math(label: impl Into<String>, formula: impl Into<Formula>) -> Self {
        Self { label: label.into(), content: vec![Inline::Math(formula.into())] }
    }
}
