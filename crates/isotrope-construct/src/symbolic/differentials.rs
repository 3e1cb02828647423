//! Elementary differentials and the Taylor coefficients of structure functions, as expressions.
//!
//! F(t) = D^k f_root(F(t₁), …, F(t_k)). The derivatives D^k f along symbolic directions are
//! computed once for every tuple of colours; then the directions are replaced. Everything is
//! restricted to the manifold as early as possible: directions are constants of the derivative.

use isotrope_algebra::calculus::{Substitution, directional_derivative, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use crate::problem::{Chart, NormalForms, Problem};
use isotrope_methods::classes::Forest;
use isotrope_methods::trees::{TreeId, Trees};

/// Whose derivative is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Function {
    /// The rates of a group.
    Rates(usize),
    /// A structure function.
    Structure(usize),
}

/// Derivatives along the groups of these colours, ascending.
type Key = (Function, Vec<usize>);

pub(super) struct Differentials<'a> {
    problem: &'a Problem,
    chart: &'a Chart,
    trees: &'a Trees,
    /// Derivatives along symbolic directions, everywhere.
    derivatives: FxHashMap<Key, Vec<ExprId>>,
    /// The same on the manifold.
    restricted: FxHashMap<Key, Vec<ExprId>>,
    /// F(t) on the manifold.
    values: Vec<Vec<ExprId>>,
}

/// The coefficient of one monomial in the weights.
pub(super) struct Coefficient {
    pub forest: Forest,
    pub value: ExprId,
}

impl<'a> Differentials<'a> {
    /// All elementary differentials of the listed trees; shortened by normal forms if given.
    /// `None` if one of them has no normal form.
    pub(super) fn compute(
        pool: &mut Pool,
        problem: &'a Problem,
        chart: &'a Chart,
        trees: &'a Trees,
        mut forms: Option<&mut NormalForms>,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let mut all = Self {
            problem,
            chart,
            trees,
            derivatives: FxHashMap::default(),
            restricted: FxHashMap::default(),
            values: Vec::with_capacity(trees.len()),
        };
        for tree in trees.ids() {
            let function = Function::Rates(trees.colour(tree));
            let mut value = all.along(pool, function, trees.children(tree), budget)?;
            if let Some(forms) = forms.as_deref_mut() {
                let Some(fractions) = forms.of(pool, &value, budget)? else { return Ok(None) };
                value = fractions.iter().map(|x| forms.expression(pool, x)).collect();
            }
            all.values.push(value);
        }
        Ok(Some(all))
    }

    /// The coefficients of a structure function at h^1, …, structural zeros left out.
    pub(super) fn expand(
        &mut self,
        pool: &mut Pool,
        structure: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<Coefficient>>, OutOfBudget> {
        let function = Function::Structure(structure);
        let order = self.trees.max_order();
        let mut found: Vec<Vec<Coefficient>> = (0..order).map(|_| Vec::new()).collect();
        // Forests whose derivative does not vanish; a larger one contains smaller such ones.
        let mut growing: Vec<(Vec<TreeId>, usize)> = vec![(Vec::new(), 0)];
        while let Some((chosen, total)) = growing.pop() {
            let last = chosen.last().copied();
            for tree in self.trees.ids() {
                let total = total + self.trees.order(tree);
                if total > order {
                    break;
                }
                // Ascending by colour, then by id: the order of the symbolic directions.
                let after = |last: TreeId| self.key(last) <= self.key(tree);
                if !last.is_none_or(after) {
                    continue;
                }
                let mut larger = chosen.clone();
                larger.push(tree);
                if self.derivative(pool, function, &larger, budget)?.iter().all(|x| x.is_zero()) {
                    continue;
                }
                let value = self.along(pool, function, &larger, budget)?;
                let forest = Forest::new(larger.clone());
                let scale = forest.symmetry(self.trees).inverse()?;
                for value in value {
                    if !value.is_zero() {
                        let value = pool.scale(&scale, value);
                        found[total - 1].push(Coefficient { forest: forest.clone(), value });
                    }
                }
                growing.push((larger, total));
            }
        }
        Ok(found)
    }

    fn key(&self, tree: TreeId) -> (usize, TreeId) {
        (self.trees.colour(tree), tree)
    }

    /// The derivative along symbolic directions of the colours of some trees, everywhere.
    fn derivative(
        &mut self,
        pool: &mut Pool,
        function: Function,
        trees: &[TreeId],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mut colours: Vec<usize> = trees.iter().map(|tree| self.trees.colour(*tree)).collect();
        colours.sort_unstable();
        // From the longest known derivative on.
        let mut known = colours.len();
        let mut value = loop {
            if let Some(value) = self.derivatives.get(&(function, colours[..known].to_vec())) {
                break value.clone();
            }
            let Some(fewer) = known.checked_sub(1) else {
                break match function {
                    Function::Rates(group) => self.problem.rates[group].clone(),
                    Function::Structure(at) => vec![self.problem.structure[at].expression],
                };
            };
            known = fewer;
        };
        while known < colours.len() {
            let motion = self.directions(pool, known, colours[known]);
            value = directional_derivative(pool, &value, &motion, budget)?;
            known += 1;
            self.derivatives.insert((function, colours[..known].to_vec()), value.clone());
        }
        Ok(value)
    }

    /// The variables of a group with the symbols of the direction at a place.
    fn directions(&self, pool: &mut Pool, place: usize, colour: usize) -> Vec<(ExprId, ExprId)> {
        let variables = &self.problem.groups[colour].variables;
        let symbols = &self.problem.symbols[colour];
        // No name in a file contains a blank.
        let name = |variable: &String| format!("direction {place} {variable}");
        symbols.iter().zip(variables).map(|(x, v)| (*x, pool.symbol(&name(v)))).collect()
    }

    /// The derivative along elementary differentials, on the manifold.
    fn along(
        &mut self,
        pool: &mut Pool,
        function: Function,
        trees: &[TreeId],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mut sorted = trees.to_vec();
        sorted.sort_by_key(|tree| self.key(*tree));
        let colours: Vec<usize> = sorted.iter().map(|tree| self.trees.colour(*tree)).collect();
        let key = (function, colours);
        let restricted = match self.restricted.get(&key) {
            Some(known) => known.clone(),
            None => {
                let value = self.derivative(pool, function, &sorted, budget)?;
                let value = self.chart.restrict(pool, &value, budget)?;
                self.restricted.insert(key, value.clone());
                value
            }
        };
        let mut map = Substitution::default();
        for (place, tree) in sorted.iter().enumerate() {
            let motion = self.directions(pool, place, self.trees.colour(*tree));
            let values = &self.values[tree.index()];
            map.extend(motion.into_iter().map(|(_, symbol)| symbol).zip(values.iter().copied()));
        }
        substitute(pool, &restricted, &map, budget)
    }
}
