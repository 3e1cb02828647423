//! One walk over a document for all formats: what is nested in what is decided here, how it is
//! spelled by a [`Renderer`].

use isotrope_algebra::print::{Format, Printer};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::document::{Basis, Block, Combination, Equation, Fact, Formula, Inline, Sign, Term};
use super::shared::Shared;

/// A format: how each kind of formula and of block is spelled. Parts arrive as they are written.
pub(super) trait Renderer {
    /// How expressions are printed.
    const FORMAT: Format;
    /// Bytes and pieces that may be printed for one block.
    const BUDGET: u64;

    /// An expression, shortened where the format has no room for it.
    fn expression(&self, text: String) -> String {
        text
    }
    /// A fixed sign.
    fn sign(&self, sign: Sign) -> &'static str;
    /// A name, written like a symbol.
    fn name(&self, name: &str) -> String;
    /// The square of a name.
    fn square(&self, name: &str) -> String;
    /// A letter with a number as index; `dX/dt` is the rate of X.
    fn indexed(&self, letter: &str, index: usize) -> String;
    /// A letter with a name as index.
    fn component(&self, letter: &str, name: &str) -> String;
    /// The vector field of a coordinate.
    fn partial(&self, name: &str) -> String;
    /// Formulas one after the other, as one.
    fn row(&self, parts: &[String]) -> String {
        parts.concat()
    }

    /// Words within a line.
    fn words(&self, words: &str) -> String;
    /// A formula within a line.
    fn math(&self, formula: String) -> String;

    /// Running text.
    fn paragraph(&self, content: &str) -> String;
    /// A heading below the section's; is it the first thing of its section?
    fn heading(&self, title: &str, first: bool) -> String;
    /// Equations below each other, at least one, and the names that they use.
    fn equations(&self, list: &[WrittenEquation], definitions: &[(String, String)]) -> String;
    /// A matrix with what stands before the equals sign.
    fn matrix(&self, left: &str, rows: &[Vec<String>]) -> String;
    /// Labels with what belongs to them.
    fn facts(&self, facts: &[(String, String)]) -> String;
    /// Lines of cells, the first of them headings.
    fn table(&self, lines: &[Vec<String>]) -> String;
}

/// An equation whose sides are written.
pub(super) struct WrittenEquation {
    /// Left of the sign.
    pub(super) left: String,
    /// The sign.
    pub(super) sign: &'static str,
    /// Right of the sign.
    pub(super) right: String,
    /// Is the right side zero?
    pub(super) vanishes: bool,
}

/// Writes the blocks of a section.
pub(super) fn blocks<R: Renderer>(renderer: &R, pool: &Pool, list: &[Block]) -> String {
    let mut out = String::new();
    for block in list {
        let shared = Shared::new(pool, block, R::FORMAT, R::BUDGET);
        let text = Walk { renderer, pool, shared }.block(block, out.is_empty());
        out.push_str(&text);
    }
    out
}

/// The walk through one block.
struct Walk<'a, R> {
    renderer: &'a R,
    pool: &'a Pool,
    shared: Shared,
}

impl<R: Renderer> Walk<'_, R> {
    fn block(&self, block: &Block, first: bool) -> String {
        let renderer = self.renderer;
        match block {
            Block::Paragraph(content) => renderer.paragraph(&self.inlines(content)),
            Block::Heading(title) => renderer.heading(&renderer.words(title), first),
            Block::Equations(list) if list.is_empty() => String::new(),
            Block::Equations(list) => {
                let list: Vec<_> = list.iter().map(|equation| self.equation(equation)).collect();
                renderer.equations(&list, &self.shared.definitions)
            }
            Block::Matrix { left, rows } => {
                let row = |row: &Vec<ExprId>| row.iter().map(|&id| self.expression(id)).collect();
                let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
                renderer.matrix(&self.formula(left), &rows)
            }
            Block::Facts(facts) => {
                let fact =
                    |Fact { label, content }: &Fact| (renderer.words(label), self.inlines(content));
                renderer.facts(&facts.iter().map(fact).collect::<Vec<_>>())
            }
            Block::Table(lines) => {
                let line =
                    |line: &Vec<String>| line.iter().map(|cell| renderer.words(cell)).collect();
                renderer.table(&lines.iter().map(line).collect::<Vec<_>>())
            }
        }
    }

    fn equation(&self, Equation { left, sign, right }: &Equation) -> WrittenEquation {
        WrittenEquation {
            left: self.formula(left),
            sign: self.renderer.sign(*sign),
            right: self.formula(right),
            vanishes: matches!(right, Formula::Expression(ExprId::ZERO)),
        }
    }

    fn inlines(&self, content: &[Inline]) -> String {
        let inline = |inline: &Inline| match inline {
            Inline::Words(words) => self.renderer.words(words),
            Inline::Math(formula) => self.renderer.math(self.formula(formula)),
        };
        content.iter().map(inline).collect()
    }

    fn expression(&self, id: ExprId) -> String {
        let text = match self.shared.get(id) {
            Some(text) => Ok(text.clone()),
            None => Printer::new(R::FORMAT).print_one(self.pool, id, &mut Budget::new(R::BUDGET)),
        };
        match text {
            Ok(text) => self.renderer.expression(text),
            Err(_) => self.renderer.sign(Sign::TOO_LONG).to_owned(),
        }
    }

    fn formula(&self, formula: &Formula) -> String {
        let renderer = self.renderer;
        match formula {
            Formula::Expression(id) => self.expression(*id),
            Formula::Name(name) => renderer.name(name),
            Formula::Square(name) => renderer.square(name),
            Formula::Sign(sign) => renderer.sign(*sign).to_owned(),
            Formula::Indexed(letter, index) => renderer.indexed(letter, *index),
            Formula::Component(letter, name) => renderer.component(letter, name),
            Formula::Combination(combination) => self.combination(combination),
            Formula::Row(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.formula(part)).collect();
                renderer.row(&parts)
            }
        }
    }

    fn combination(&self, combination: &Combination) -> String {
        if combination.terms.is_empty() {
            return self.renderer.sign(Sign::ZERO).to_owned();
        }
        let terms = combination.terms.iter().enumerate();
        let terms: Vec<String> = terms.map(|(k, term)| self.term(k == 0, term)).collect();
        self.renderer.row(&terms)
    }

    fn term(&self, first: bool, term: &Term) -> String {
        let Term { negative, coefficient, enclosed, basis } = term;
        let mut text = String::new();
        let mut push = |sign: Sign| text.push_str(self.renderer.sign(sign));
        match (first, negative) {
            (true, false) => {}
            (true, true) => push(Sign::NEGATIVE),
            (false, false) => push(Sign::PLUS),
            (false, true) => push(Sign::MINUS),
        }
        if basis.is_one() {
            text.push_str(&self.expression(*coefficient));
        } else if *coefficient != ExprId::ONE {
            let (open, close) = match enclosed {
                true => (Sign::OPEN_FACTOR, Sign::CLOSE_FACTOR),
                false => (Sign::NOTHING, Sign::NOTHING),
            };
            text.push_str(self.renderer.sign(open));
            text.push_str(&self.expression(*coefficient));
            text.push_str(self.renderer.sign(close));
            text.push_str(self.renderer.sign(Sign::SPACE));
        }
        text.push_str(&self.basis(basis));
        text
    }

    fn basis(&self, basis: &Basis) -> String {
        let renderer = self.renderer;
        let d = || renderer.sign(Sign::DIFFERENTIAL).to_owned();
        match basis {
            Basis::Partial(name) => renderer.partial(name),
            Basis::Differential(name) => renderer.row(&[d(), renderer.name(name)]),
            Basis::Area(first, second) => {
                let wedge = renderer.sign(Sign::WEDGE).to_owned();
                renderer.row(&[d(), renderer.name(first), wedge, d(), renderer.name(second)])
            }
            Basis::Product(names) => {
                let names: Vec<String> = names.iter().map(|name| self.odd(name)).collect();
                names.join(renderer.sign(Sign::SPACE))
            }
        }
    }

    /// An odd coordinate: the momentum of a velocity has it as index, and is not the rate of a
    /// momentum.
    fn odd(&self, name: &str) -> String {
        match name.strip_prefix("p_") {
            Some(base) if base.ends_with('\'') => self.renderer.component("p", base),
            _ => self.renderer.name(name),
        }
    }
}
