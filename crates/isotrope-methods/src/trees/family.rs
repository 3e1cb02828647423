//! Families of trees: the colours, which group depends on which, and how often.

use isotrope_algebra::print::latex_name;

/// One group of variables: x' = f_x(…), treated with the table (A_x, b_x).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colour {
    pub(super) name: String,
    pub(super) weights: Symbol,
    pub(super) matrix: Symbol,
    pub(super) rate: Rate,
}

impl Colour {
    /// How the group is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The weights of its table, as they are written in conditions: `bbar`.
    pub fn weights(&self) -> &str {
        &self.weights.text
    }

    /// The matrix of its table, as it is written in conditions: `abar`.
    pub fn matrix(&self) -> &str {
        &self.matrix.text
    }
}

/// A letter as text and in LaTeX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symbol {
    pub text: String,
    pub latex: String,
}

impl Symbol {
    fn new(text: &str, latex: &str) -> Self {
        Self { text: text.to_owned(), latex: latex.to_owned() }
    }
}

/// The right side of the equation of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rate {
    /// x' = y: the rate is another group itself.
    Identity,
    /// A function of one group; derivatives are written with primes.
    Primes(Symbol),
    /// A function of several groups; derivatives are written as subscripts, f_qv.
    Subscripts(Symbol),
    /// A function whose name has a subscript already: derivatives follow a comma, f_x,yz.
    Comma(Symbol),
}

/// A group that the rate of another depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    /// Index of the group, [`Family::colours`].
    pub colour: usize,
    /// The degree of the rate in this group where it is a polynomial in it: derivatives beyond
    /// it vanish, so a vertex has at most this many children of this colour.
    pub at_most: Option<usize>,
}

/// Colours, the dependency graph between them, and rules: one family of trees.
///
/// ```
/// use isotrope_methods::trees::Family;
/// let family = Family::parse("q=v^1; v=q,v; p=q,v").unwrap();
/// assert_eq!(family.rules(), Family::qvp().rules());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    pub(super) name: String,
    pub(super) colours: Vec<Colour>,
    /// For each colour what its vertices may carry, by ascending colour.
    pub(super) dependencies: Vec<Vec<Dependency>>,
}

fn dependencies(list: &[(usize, Option<usize>)]) -> Vec<Dependency> {
    list.iter().map(|&(colour, at_most)| Dependency { colour, at_most }).collect()
}

fn colour(name: &str, weights: Symbol, matrix: Symbol, rate: Rate) -> Colour {
    Colour { name: name.to_owned(), weights, matrix, rate }
}

/// A group with the first table, (a, b).
fn plain(name: &str, rate: Rate) -> Colour {
    colour(name, Symbol::new("b", "b"), Symbol::new("a", "A"), rate)
}

/// A group with the second table, (abar, bbar).
fn barred(name: &str, rate: Rate) -> Colour {
    colour(name, Symbol::new("bbar", r"\bar b"), Symbol::new("abar", r"\bar A"), rate)
}

fn function(letter: &str) -> Rate {
    Rate::Subscripts(Symbol::new(letter, letter))
}

impl Family {
    /// Runge–Kutta methods for y' = f(y): one colour, `y`.
    pub fn runge_kutta() -> Self {
        let rate = Rate::Primes(Symbol::new("f", "f"));
        Self {
            name: "rk".to_owned(),
            colours: vec![plain("y", rate)],
            dependencies: vec![dependencies(&[(0, None)])],
        }
    }

    /// Partitioned methods for q' = f(q, p), p' = g(q, p): colours `q`, `p`.
    pub fn partitioned() -> Self {
        Self {
            name: "prk".to_owned(),
            colours: vec![plain("q", function("f")), barred("p", function("g"))],
            dependencies: vec![
                dependencies(&[(0, None), (1, None)]),
                dependencies(&[(0, None), (1, None)]),
            ],
        }
    }

    /// Nyström methods for q'' = f(q, q'), that is q' = v, v' = f(q, v): colours `q`, `v`.
    pub fn nystrom() -> Self {
        Self::second_order(None)
    }

    /// [`Family::nystrom`] for f at most quadratic in the velocities.
    pub fn nystrom_natural() -> Self {
        Self::second_order(Some(2))
    }

    fn second_order(at_most: Option<usize>) -> Self {
        Self {
            name: "nystrom".to_owned(),
            colours: vec![plain("q", Rate::Identity), barred("v", function("f"))],
            dependencies: vec![
                dependencies(&[(1, Some(1))]),
                dependencies(&[(0, None), (1, at_most)]),
            ],
        }
    }

    /// Three tables for q' = v, v' = f(q, v), p' = g(q, v), a mechanical system with its
    /// multipliers eliminated: colours `q`, `v`, `p`.
    ///
    /// All right sides are evaluated at the same stages (Q_i, V_i), so the matrix of p never
    /// enters.
    pub fn qvp() -> Self {
        Self::mechanical(None)
    }

    /// [`Family::qvp`] for f and g at most quadratic in the velocities, as they are for natural
    /// Lagrangians, kinetic minus potential energy.
    pub fn qvp_natural() -> Self {
        Self::mechanical(Some(2))
    }

    fn mechanical(at_most: Option<usize>) -> Self {
        let mut family = Self::second_order(at_most);
        family.name = "qvp".to_owned();
        let weights = Symbol::new("btil", r"\tilde b");
        let matrix = Symbol::new("atil", r"\tilde A");
        family.colours.push(colour("p", weights, matrix, function("g")));
        family.dependencies.push(dependencies(&[(0, None), (1, at_most)]));
        family
    }

    /// Groups of one's own: their names, and for each what its rate depends on, by ascending
    /// colour.
    pub fn declared(names: Vec<String>, dependencies: Vec<Vec<Dependency>>) -> Self {
        let colours = names
            .into_iter()
            .map(|name| {
                let symbol = |letter: &str| {
                    Symbol::new(
                        &format!("{letter}_{name}"),
                        &format!("{letter}_{{{}}}", latex_name(&name)),
                    )
                };
                let (weights, matrix) = (symbol("b"), symbol("A"));
                let rate = Rate::Comma(symbol("f"));
                Colour { name, weights, matrix, rate }
            })
            .collect();
        Self { name: "groups".to_owned(), colours, dependencies }
    }

    /// The family for rates at most quadratic in the velocities, where there are velocities.
    ///
    /// ```
    /// use isotrope_methods::trees::Family;
    /// assert_eq!(Family::qvp().natural().unwrap().rules(), "q=v^1; v=q,v^2; p=q,v^2");
    /// assert!(Family::runge_kutta().natural().is_none());
    /// ```
    pub fn natural(&self) -> Option<Self> {
        match self.name.as_str() {
            "qvp" => Some(Self::qvp_natural()),
            "nystrom" => Some(Self::nystrom_natural()),
            _ => None,
        }
    }

    /// `rk`, `prk`, `nystrom`, `qvp`, or `groups` for declared ones.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The groups, in the order in which trees are listed by their root.
    pub fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// What a vertex of this colour may carry; indices outside the family carry nothing.
    pub fn dependencies(&self, colour: usize) -> &[Dependency] {
        self.dependencies.get(colour).map_or(&[], Vec::as_slice)
    }

    /// Are the names of all colours single letters? Then names of trees need no commas.
    pub(super) fn has_short_names(&self) -> bool {
        self.colours.iter().all(|colour| colour.name.chars().nth(1).is_none())
    }

    /// The differential equations of the groups, one each: `v' = f(q, v), of degree 2 in v`.
    pub fn equations(&self) -> Vec<String> {
        let name = |child: &Dependency| self.colours[child.colour].name.as_str();
        let equation = |(colour, dependencies): (&Colour, &Vec<Dependency>)| {
            let symbol = match &colour.rate {
                Rate::Identity => {
                    let value = dependencies.first().map_or("0", name);
                    return format!("{}' = {value}", colour.name);
                }
                Rate::Primes(symbol) | Rate::Subscripts(symbol) | Rate::Comma(symbol) => symbol,
            };
            let names: Vec<&str> = dependencies.iter().map(name).collect();
            let mut text = format!("{}' = {}({})", colour.name, symbol.text, names.join(", "));
            for child in dependencies {
                if let Some(degree) = child.at_most {
                    text.push_str(&format!(", of degree {degree} in {}", name(child)));
                }
            }
            text
        };
        self.colours.iter().zip(&self.dependencies).map(equation).collect()
    }

    /// The rules as text that [`Family::parse`] reads: `q=v^1; v=q,v; p=q,v`.
    pub fn rules(&self) -> String {
        let mut groups = Vec::with_capacity(self.colours.len());
        for (colour, dependencies) in self.colours.iter().zip(&self.dependencies) {
            let children: Vec<String> = dependencies
                .iter()
                .map(|child| {
                    let name = &self.colours[child.colour].name;
                    child.at_most.map_or_else(|| name.clone(), |most| format!("{name}^{most}"))
                })
                .collect();
            groups.push(format!("{}={}", colour.name, children.join(",")));
        }
        groups.join("; ")
    }
}
