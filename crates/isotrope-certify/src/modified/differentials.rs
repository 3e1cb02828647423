//! Elementary differentials of a given system, as expressions.

use isotrope_algebra::calculus::{Substitution, directional_derivative, substitute};
use isotrope_algebra::normal::{simplify, size};
use isotrope_algebra::{Budget, ExprId, OrInternal, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use isotrope_methods::trees::{TreeId, Trees};

/// Variables of one colour and their rates.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub variables: Vec<ExprId>,
    pub rates: Vec<ExprId>,
}

/// Longer expressions are kept as they are.
const SHORT: u64 = 4_000;
/// Operations for the shortening of one expression.
const SHORTENING: u64 = 1_000_000;

/// The differentials F(t) of a system with its variables in groups, one a colour.
pub(super) struct Differentials<'t> {
    trees: &'t Trees,
    groups: Vec<Group>,
    /// The derivatives of functions in the directions of symbols, by function and colours of the
    /// directions; a function is a colour, its rate.
    derivatives: FxHashMap<(usize, Vec<usize>), Vec<ExprId>>,
    /// The values, by tree; a tree that was not asked for has none.
    values: Vec<Option<Vec<ExprId>>>,
}

impl<'t> Differentials<'t> {
    pub(super) fn new(trees: &'t Trees, groups: Vec<Group>) -> Self {
        let values = vec![None; trees.len()];
        Self { trees, groups, derivatives: FxHashMap::default(), values }
    }

    /// How many variables a colour has.
    pub(super) fn count(&self, colour: usize) -> usize {
        self.groups.get(colour).map_or(0, |group| group.variables.len())
    }

    /// F(t), one expression for each variable of its colour.
    pub(super) fn value(
        &mut self,
        pool: &mut Pool,
        tree: TreeId,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        // Depth is bounded by the order of the tree, a small number.
        if let Some(known) = &self.values[tree.index()] {
            return Ok(known.clone());
        }
        let colour = self.trees.colour(tree);
        let group = self.groups.get(colour).or_internal("a tree has the colour of a group")?;
        let rates = group.rates.clone();
        let children = self.trees.children(tree).to_vec();
        let value = self.derivative(pool, (colour, &rates), &children, budget)?;
        let value = all_shortened(pool, &value, budget)?;
        self.values[tree.index()] = Some(value.clone());
        Ok(value)
    }

    /// The derivative D^k of functions in the directions F(child). `number` tells functions apart:
    /// colours are taken by their rates.
    pub(super) fn derivative(
        &mut self,
        pool: &mut Pool,
        (number, functions): (usize, &[ExprId]),
        children: &[TreeId],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mut children = children.to_vec();
        children.sort_by_key(|&child| self.trees.colour(child));
        let colours: Vec<usize> = children.iter().map(|&child| self.trees.colour(child)).collect();
        let general = self.general(pool, number, functions, &colours, budget)?;
        if general.iter().all(|part| part.is_zero()) {
            return Ok(general);
        }
        let mut map = Substitution::default();
        for (place, &child) in children.iter().enumerate() {
            let direction = self.value(pool, child, budget)?;
            let symbols = self.directions(pool, self.trees.colour(child), place);
            map.extend(symbols.into_iter().zip(direction));
        }
        substitute(pool, &general, &map, budget)
    }

    /// The derivative in the directions of symbols, one vector of them for each colour.
    fn general(
        &mut self,
        pool: &mut Pool,
        number: usize,
        functions: &[ExprId],
        colours: &[usize],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mut value = functions.to_vec();
        for place in 0..colours.len() {
            let key = (number, colours[..=place].to_vec());
            if let Some(known) = self.derivatives.get(&key) {
                value.clone_from(known);
                continue;
            }
            let colour = colours[place];
            let symbols = self.directions(pool, colour, place);
            let variables = self.groups.get(colour).map_or(&[][..], |group| &group.variables);
            let rates: Vec<(ExprId, ExprId)> = variables.iter().copied().zip(symbols).collect();
            value = directional_derivative(pool, &value, &rates, budget)?;
            self.derivatives.insert(key, value.clone());
        }
        Ok(value)
    }

    /// The symbols of the direction at a place among the children; names of a model have no blanks.
    fn directions(&self, pool: &mut Pool, colour: usize, place: usize) -> Vec<ExprId> {
        (0..self.count(colour))
            .map(|k| pool.symbol(&format!("direction {colour} {k} {place}")))
            .collect()
    }
}

/// The expression as short as it gets within bounds.
pub(super) fn shortened(
    pool: &mut Pool,
    expression: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    if size(pool, expression) > SHORT {
        return Ok(expression);
    }
    let mut own = Budget::new(SHORTENING.min(budget.left()));
    let short = simplify(pool, expression, &mut own);
    // What is too long for its own budget stays as it is, and costs what was spent in vain.
    budget.spend(own.spent().min(SHORTENING), "shortening a modified equation")?;
    Ok(short)
}

/// All of them.
pub(super) fn all_shortened(
    pool: &mut Pool,
    expressions: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    expressions.iter().map(|&part| shortened(pool, part, budget)).collect()
}
