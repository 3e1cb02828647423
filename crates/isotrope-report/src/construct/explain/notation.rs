//! The letters of tables, stages and trees.

use isotrope_algebra::Rational;
use isotrope_algebra::polynomial::{Polynomial, RationalFunction};
use isotrope_algebra::print::escape_xml;
use isotrope_construct::{Place, Unknowns};
use isotrope_methods::classes::Condition;
use isotrope_methods::trees::{Family, TreeId, Trees};

use super::formula::{Accent, Formula, Line, sum};

/// A letter of the table of a group.
#[derive(Debug, Clone)]
struct Letter {
    letter: &'static str,
    accent: Option<Accent>,
    /// The name of the group, where letters do not tell groups apart.
    group: Option<Formula>,
}

impl Letter {
    fn base(&self, letter: &str) -> Formula {
        let base = Formula::letter(letter);
        self.accent.map_or(base.clone(), |accent| base.accented(accent))
    }

    /// The letter alone, for the table as a whole.
    fn whole(&self, letter: &str) -> Formula {
        match &self.group {
            Some(group) => self.base(letter).power(group.clone()),
            None => self.base(letter),
        }
    }

    fn indexed(&self, index: Formula) -> Formula {
        match &self.group {
            Some(group) => self.base(self.letter).below_and_above(index, group.clone()),
            None => self.base(self.letter).below(index),
        }
    }
}

/// How a family of methods is written.
pub(super) struct Notation<'a> {
    family: &'a Family,
}

impl<'a> Notation<'a> {
    pub(super) fn new(family: &'a Family) -> Self {
        Self { family }
    }

    fn letter(&self, colour: usize, letter: &'static str) -> Letter {
        let text = self.family.colours().get(colour).map_or("a", |c| c.matrix());
        if text.contains('_') {
            return Letter { letter, accent: None, group: self.group(colour) };
        }
        let accent = if text.ends_with("bar") {
            Some(Accent::Bar)
        } else if text.ends_with("til") {
            Some(Accent::Tilde)
        } else {
            None
        };
        Letter { letter, accent, group: None }
    }

    /// (name), if there are several groups.
    fn group(&self, colour: usize) -> Option<Formula> {
        (self.family.colours().len() > 1).then(|| self.variable(colour).enclosed())
    }

    /// The group itself.
    pub(super) fn variable(&self, colour: usize) -> Formula {
        Formula::name(self.family.colours().get(colour).map_or("x", |c| c.name()))
    }

    /// The matrix as a whole.
    pub(super) fn matrix(&self, colour: usize) -> Formula {
        self.letter(colour, "a").whole("A")
    }

    /// The weights as a whole.
    pub(super) fn weights(&self, colour: usize) -> Formula {
        self.letter(colour, "b").whole("b")
    }

    /// An entry of a matrix with any index.
    pub(super) fn entry(&self, colour: usize, index: &str) -> Formula {
        self.letter(colour, "a").indexed(index_of(index))
    }

    /// A weight with any index.
    pub(super) fn weight(&self, colour: usize, index: &str) -> Formula {
        self.letter(colour, "b").indexed(index_of(index))
    }

    /// The value of a group at a stage.
    pub(super) fn stage(&self, colour: usize, index: &str) -> Formula {
        let name = self.family.colours().get(colour).map_or("x", |c| c.name());
        let mut characters = name.chars();
        match (characters.next(), characters.next()) {
            (Some(letter), None) if letter.is_lowercase() => {
                Formula::letter(&letter.to_uppercase().to_string()).below(index_of(index))
            }
            _ => Formula::letter("X")
                .below_and_above(index_of(index), self.variable(colour).enclosed()),
        }
    }

    /// The rate of a group at a stage.
    pub(super) fn rate(&self, colour: usize, index: &str) -> Formula {
        match (self.family.name(), colour) {
            ("qvp", 0) => Formula::letter("V").below(index_of(index)),
            ("qvp", 1) => Formula::letter("F").below(index_of(index)),
            ("qvp", _) => Formula::letter("G").below(index_of(index)),
            _ => match self.group(colour) {
                Some(group) => Formula::letter("K").below_and_above(index_of(index), group),
                None => Formula::letter("K").below(index_of(index)),
            },
        }
    }

    /// The function on the right side of the equation of a group; `None` where the rate is a group
    /// itself.
    pub(super) fn function(&self, colour: usize) -> Option<Formula> {
        match (self.family.name(), colour) {
            ("qvp", 0) => None,
            ("qvp", 1) => Some(Formula::letter("f")),
            ("qvp", _) => Some(Formula::letter("g")),
            _ if self.family.colours().len() == 1 => Some(Formula::letter("f")),
            _ => Some(Formula::letter("f").power(self.variable(colour).enclosed())),
        }
    }

    pub(super) fn place(&self, place: Place) -> Formula {
        match place {
            Place::Matrix { colour, row, column } => {
                let (row, column) = (row + 1, column + 1);
                let between = if row > 9 || column > 9 { "," } else { "" };
                self.entry(colour, &format!("{row}{between}{column}"))
            }
            Place::Weight { colour, stage } => self.weight(colour, &(stage + 1).to_string()),
        }
    }

    /// The name of a tree.
    pub(super) fn tree(&self, trees: &Trees, tree: TreeId) -> Formula {
        Formula::new(trees.name_latex(tree), format!("<mi>{}</mi>", escape_xml(&trees.name(tree))))
    }

    /// w(t) in the tables: bᵀ(A 𝟏 ⊙ …).
    pub(super) fn elementary_weight(&self, trees: &Trees, tree: TreeId) -> Formula {
        let transposed = self
            .weights(trees.colour(tree))
            .power(Formula::new("\\mathsf T", "<mi mathvariant=\"normal\">T</mi>"));
        Formula::row([transposed, self.stages(trees, tree)])
    }

    /// ∏ A φ(child) over the children. As deep as the tree is tall: at most its order.
    fn stages(&self, trees: &Trees, tree: TreeId) -> Formula {
        let children = trees.children(tree);
        let branch = |child: TreeId| {
            Formula::row([self.matrix(trees.colour(child)), self.stages(trees, child)])
        };
        match children {
            [] => Formula::new("\\mathbf 1", "<mn mathvariant=\"bold\">𝟏</mn>"),
            [child] => branch(*child),
            _ => {
                let mut parts: Vec<Formula> = Vec::new();
                for run in children.chunk_by(|a, b| a == b) {
                    let Some(&child) = run.first() else { continue };
                    if !parts.is_empty() {
                        parts.push(Formula::sign("\\odot", "⊙"));
                    }
                    let one = branch(child);
                    parts.push(match run.len() {
                        1 => one,
                        n => one.enclosed().power(Formula::row([
                            Formula::sign("\\odot", "⊙"),
                            Formula::digits(n),
                        ])),
                    });
                }
                Formula::row(parts).enclosed()
            }
        }
    }

    /// w(t) = 1/γ(t).
    pub(super) fn order_condition(&self, trees: &Trees, tree: TreeId) -> Formula {
        let right = trees.inverse_gamma(tree);
        self.elementary_weight(trees, tree).equals(Formula::number(&right))
    }

    /// A structure condition, solved for its first monomial.
    pub(super) fn structure_condition(&self, trees: &Trees, condition: &Condition) -> Line {
        let factors = |forest: &[TreeId]| -> Vec<Formula> {
            let mut sorted = forest.to_vec();
            sorted.sort_unstable();
            let run = |run: &[TreeId]| {
                let tree = run.first().map(|&tree| self.tree(trees, tree))?;
                let weight = Formula::row([Formula::letter("w"), tree.enclosed()]);
                Some(match run.len() {
                    1 => weight,
                    n => weight.power(Formula::digits(n)),
                })
            };
            sorted.chunk_by(|a, b| a == b).filter_map(run).collect()
        };
        let Some(((first, _), rest)) = condition.terms.split_first() else {
            return Line::default().equal_to(Formula::digits(0));
        };
        let left = sum([(Rational::ONE, factors(first.trees()))]).whole();
        sum(rest.iter().map(|(forest, c)| (-c, factors(forest.trees())))).after(left)
    }
}

fn index_of(index: &str) -> Formula {
    let mathml = if index.chars().all(|c| c.is_ascii_digit()) {
        format!("<mn>{index}</mn>")
    } else {
        let letters = index.chars().map(|c| match c {
            ',' => "<mo>,</mo>".to_owned(),
            c if c.is_ascii_digit() => format!("<mn>{c}</mn>"),
            c => format!("<mi>{c}</mi>"),
        });
        format!("<mrow>{}</mrow>", letters.collect::<String>())
    };
    Formula::new(index, mathml)
}

/// Polynomials in the unknowns.
pub(super) struct Entries {
    names: Vec<Formula>,
}

impl Entries {
    pub(super) fn new(unknowns: &Unknowns) -> Self {
        let notation = Notation::new(unknowns.family());
        let places = (0..unknowns.len()).filter_map(|variable| unknowns.place(variable));
        Self { names: places.map(|place| notation.place(place)).collect() }
    }

    pub(super) fn name(&self, variable: usize) -> Formula {
        self.names.get(variable).cloned().unwrap_or_else(|| Formula::letter("?"))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = Formula> {
        self.names.iter().cloned()
    }

    /// A polynomial, a piece for each term.
    pub(super) fn polynomial(&self, polynomial: &Polynomial) -> Line {
        self.multiple(polynomial, &Rational::ONE)
    }

    fn multiple(&self, polynomial: &Polynomial, factor: &Rational) -> Line {
        sum(polynomial.terms().iter().map(|(monomial, coefficient)| {
            let factors = monomial.variables().map(|variable| match monomial.exponent(variable) {
                1 => self.name(variable),
                power => self.name(variable).power(Formula::digits(power)),
            });
            (coefficient * factor, factors.collect())
        }))
    }

    /// A rational function.
    pub(super) fn quotient(&self, function: &RationalFunction) -> Line {
        let (top, bottom) = (function.numerator(), function.denominator());
        if bottom.is_one() {
            return self.polynomial(top);
        }
        let factor = common_denominator(&[top, bottom]);
        self.multiple(top, &factor).over(self.multiple(bottom, &factor))
    }
}

/// The least number that makes all coefficients integers.
fn common_denominator(polynomials: &[&Polynomial]) -> Rational {
    let mut common = Rational::ONE;
    let one = Rational::ONE.denominator();
    for (_, coefficient) in polynomials.iter().flat_map(|polynomial| polynomial.terms()) {
        let rest = (coefficient * &common).denominator();
        common = &common * &Rational::from_big(rest.into(), one.clone()).unwrap_or(Rational::ONE);
    }
    common
}
