//! Tables for groups of variables: any partition of the variables of x' = F(x), a table (A, b) for each.
//!
//! ```text
//! X_i = x + h Σ a^g_ij K_j,   K_i = F_g(X_i),   x⁺ = x + h Σ b^g_i K_i     for the variables x of the group g
//! ```
//!
//! Every right side uses the stages of all groups. A group on which no right side depends needs no matrix.

use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::{Precision, Rational};

use crate::table::{Entry, TableProblem};
use crate::trees::{Dependency, Family, TreeId, Trees};

/// Tables for groups of variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupedTable {
    /// How the method is called.
    pub name: String,
    /// The number of stages.
    pub stages: usize,
    /// The field of all entries.
    pub field: NumberField,
    /// The groups.
    pub groups: Vec<GroupTable>,
    /// What is to be preserved, where the file says it: it is measured on the way.
    pub preserved: Vec<Preserved>,
}

/// The table of one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupTable {
    /// How the group is called.
    pub name: String,
    /// Its variables; none where its weights integrate a supply and nothing else.
    pub variables: Vec<String>,
    /// The matrix of the stages; `None` where no right side depends on the group.
    pub a: Option<Vec<Vec<FieldElement>>>,
    /// The weights.
    pub b: Vec<FieldElement>,
}

/// A function that is to be preserved, as text in the names of variables and parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preserved {
    /// How it is called.
    pub name: String,
    /// What is stored.
    pub stored: String,
    /// The rate at which it changes, and the group whose weights integrate it.
    pub supply: Option<(String, usize)>,
    /// Is it preserved where the equations of a manifold hold, and only there?
    pub weak: bool,
    /// Values of names that a model need not have.
    pub parameters: Vec<(String, Rational)>,
}

/// Why groups are no partition of the variables of a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAPartition {
    /// A variable that the system does not have.
    #[error("the system has no variable `{name}`; it has {}", listed(.known))]
    Unknown {
        /// The group.
        group: usize,
        /// Which of its variables.
        place: usize,
        /// Its name.
        name: String,
        /// The variables of the system.
        known: Vec<String>,
    },
    /// A variable of two groups, or twice in one.
    #[error("`{name}` is in the group `{first}` already: groups have no variable in common")]
    Twice {
        /// The second group.
        group: usize,
        /// Which of its variables.
        place: usize,
        /// Its name.
        name: String,
        /// The name of the first group.
        first: String,
    },
    /// A variable of the system without a group.
    #[error("`{name}` is in no group: every variable of the system belongs to one")]
    Missing {
        /// Its name.
        name: String,
    },
}

/// The first names of a list.
fn listed(names: &[String]) -> String {
    const MOST: usize = 12;
    let mut text = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(", …");
    }
    text
}

impl NotAPartition {
    /// The group and which of its variables, where there is such a place.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        match self {
            Self::Unknown { group, place, .. } | Self::Twice { group, place, .. } => {
                Some((*group, *place))
            }
            Self::Missing { .. } => None,
        }
    }
}

impl GroupedTable {
    /// The group of each variable of a system, or why the groups are no partition of them.
    ///
    /// ```
    /// use isotrope_methods::table::{GroupedText, parse_grouped};
    /// let file = r#"
    ///     groups.q = { variables = ["x"], a = [[0]], b = [1] }
    ///     groups.p = { variables = ["y"], a = [[1]], b = [1] }
    /// "#;
    /// let table = parse_grouped(&GroupedText::new("euler.toml", file.as_bytes())).unwrap().table;
    /// let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    /// assert_eq!(table.partition(&names(&["y", "x"])), Ok(vec![1, 0]));
    /// let error = table.partition(&names(&["x", "y", "z"])).unwrap_err();
    /// assert!(error.to_string().starts_with("`z` is in no group"));
    /// ```
    pub fn partition(&self, variables: &[String]) -> Result<Vec<usize>, NotAPartition> {
        let mut found: Vec<Option<usize>> = vec![None; variables.len()];
        for (group, table) in self.groups.iter().enumerate() {
            for (place, name) in table.variables.iter().enumerate() {
                let name = name.clone();
                let Some(at) = variables.iter().position(|known| *known == name) else {
                    let known = variables.to_vec();
                    return Err(NotAPartition::Unknown { group, place, name, known });
                };
                if let Some(first) = found[at] {
                    let first = self.groups[first].name.clone();
                    return Err(NotAPartition::Twice { group, place, name, first });
                }
                found[at] = Some(group);
            }
        }
        let missing = |(group, name): (Option<usize>, &String)| {
            group.ok_or_else(|| NotAPartition::Missing { name: name.clone() })
        };
        found.into_iter().zip(variables).map(missing).collect()
    }

    /// The trees of systems about which nothing is known but the groups: every right side may depend on every
    /// group that has a matrix.
    #[must_use]
    pub fn general(&self) -> Family {
        let all = self.groups.iter().enumerate();
        let all: Vec<Dependency> = all
            .filter(|(_, group)| group.a.is_some())
            .map(|(colour, _)| Dependency { colour, at_most: None })
            .collect();
        let names = self.groups.iter().map(|group| group.name.clone()).collect();
        Family::declared(names, vec![all; self.groups.len()])
    }

    /// The groups in the order of the colours of a family: which of them each colour is. `None` if a colour
    /// has no group of its name, or needs a matrix that is missing.
    #[must_use]
    pub fn colours(&self, family: &Family) -> Option<Vec<usize>> {
        let colours = family.colours().iter();
        let groups: Vec<usize> = colours
            .map(|colour| self.groups.iter().position(|group| group.name == colour.name()))
            .collect::<Option<_>>()?;
        let used = (0..groups.len()).flat_map(|colour| family.dependencies(colour));
        let whole = used.into_iter().all(|one| self.groups[groups[one.colour]].a.is_some());
        whole.then_some(groups)
    }

    /// w(t) of every tree of a family whose colours are these groups.
    #[must_use]
    pub fn weights(&self, trees: &Trees, groups: &[usize]) -> Vec<FieldElement> {
        let field = &self.field;
        let dot = |x: &[FieldElement], y: &[FieldElement]| {
            let products = x.iter().zip(y).map(|(x, y)| field.mul(x, y));
            products.fold(field.rational(Rational::ZERO), |sum, product| field.add(&sum, &product))
        };
        // A φ(t), with the matrix of its own group: what a tree brings to its parent.
        let mut branches: Vec<Vec<FieldElement>> = Vec::with_capacity(trees.len());
        let mut weights = Vec::with_capacity(trees.len());
        for tree in trees.ids() {
            let mut stages = vec![field.rational(Rational::ONE); self.stages];
            for child in trees.children(tree) {
                for (stage, factor) in stages.iter_mut().zip(&branches[child.index()]) {
                    *stage = field.mul(stage, factor);
                }
            }
            let group = &self.groups[groups[trees.colour(tree)]];
            weights.push(dot(&group.b, &stages));
            let rows = group.a.iter().flatten();
            branches.push(rows.map(|row| dot(row, &stages)).collect());
        }
        weights
    }

    /// The first tree up to an order whose condition w(t) = 1/γ(t) fails.
    #[must_use]
    pub fn first_failing(&self, trees: &Trees, weights: &[FieldElement]) -> Option<TreeId> {
        trees.ids().find(|tree| {
            let wanted = self.field.rational(trees.inverse_gamma(*tree));
            weights[tree.index()] != wanted
        })
    }

    /// The sizes of the sets of stages that are solved together, where right sides depend on each other as the
    /// family says; none if the method is explicit.
    #[must_use]
    pub fn systems(&self, family: &Family, groups: &[usize]) -> Vec<usize> {
        let colours = family.colours().len();
        let count = colours * self.stages;
        let mut needs = vec![Vec::new(); count];
        for colour in 0..colours {
            for dependency in family.dependencies(colour) {
                let Some(a) = &self.groups[groups[dependency.colour]].a else { continue };
                for (i, row) in a.iter().enumerate() {
                    let used = (0..self.stages).filter(|&j| !row[j].is_zero());
                    needs[colour * self.stages + i]
                        .extend(used.map(|j| dependency.colour * self.stages + j));
                }
            }
        }
        let mut sizes: Vec<usize> = cycles(&needs)
            .into_iter()
            .map(|cycle| {
                let mut of: Vec<usize> = cycle.iter().map(|slot| slot % self.stages).collect();
                of.sort_unstable();
                of.dedup();
                of.len()
            })
            .collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// The entries as numbers: exact where they are rational, else doubles, or to this many bits.
    pub fn numbers(&self, bits: Option<u32>) -> Result<Vec<GroupNumbers>, TableProblem> {
        let number = |element: &FieldElement, entry: Entry| {
            if let Some(exact) = element.as_rational() {
                return Ok(exact.clone());
            }
            let found = match bits {
                None => Rational::from_f64(self.field.to_f64(element)?),
                Some(bits) => {
                    let ball = self.field.enclosure(element, Precision::new(bits))?;
                    ball.midpoint().bounds().map(|bounds| bounds.0)
                }
            };
            found.ok_or(TableProblem::Undecided(entry))
        };
        let mut all = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let mut a = None;
            if let Some(matrix) = &group.a {
                let mut rows = Vec::with_capacity(matrix.len());
                for (i, row) in matrix.iter().enumerate() {
                    let mut list = Vec::with_capacity(row.len());
                    for (j, element) in row.iter().enumerate() {
                        list.push(number(element, Entry::A { row: i, column: j })?);
                    }
                    rows.push(list);
                }
                a = Some(rows);
            }
            let mut b = Vec::with_capacity(group.b.len());
            for (i, element) in group.b.iter().enumerate() {
                b.push(number(element, Entry::B(i))?);
            }
            all.push(GroupNumbers { a, b });
        }
        Ok(all)
    }
}

/// The table of a group as numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupNumbers {
    /// The matrix of the stages.
    pub a: Option<Vec<Vec<Rational>>>,
    /// The weights.
    pub b: Vec<Rational>,
}

/// The sets of slots that need each other, where each needs the slots of its list.
fn cycles(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let reaches: Vec<Vec<bool>> = (0..needs.len())
        .map(|from| {
            let mut seen = vec![false; needs.len()];
            let mut open = needs[from].clone();
            while let Some(slot) = open.pop() {
                if !std::mem::replace(&mut seen[slot], true) {
                    open.extend(&needs[slot]);
                }
            }
            seen
        })
        .collect();
    let mut taken = vec![false; needs.len()];
    let mut found = Vec::new();
    for slot in 0..needs.len() {
        if taken[slot] || !reaches[slot][slot] {
            continue;
        }
        let together = |other: &usize| reaches[slot][*other] && reaches[*other][slot];
        let cycle: Vec<usize> = (0..needs.len()).filter(together).collect();
        cycle.iter().for_each(|&other| taken[other] = true);
        found.push(cycle);
    }
    found
}
