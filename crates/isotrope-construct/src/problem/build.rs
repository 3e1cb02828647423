//! Equations and functions → a checked problem.

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::modular::Random;
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, print};

use super::chart::NormalForms;
use super::points::Points;
use super::{Chart, Group, Parameter, Problem, ProblemError, StructureFunction, StructureKind};
use isotrope_methods::trees::{Family, dependencies};

/// Operations for the proof that one function is preserved, before it is tried at points.
const PROOF: u64 = 20_000_000;
/// Points at which a function too large for a proof must be preserved.
const POINTS: usize = 4;
/// Operations for writing a rate in a message.
const MESSAGE: u64 = 1_000_000;

/// A quantity that changes at a known rate: dS/dt = supply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// How it is called.
    pub name: String,
    /// What is stored.
    pub energy: ExprId,
    /// Its rate along solutions.
    pub supply: ExprId,
    /// The group whose weights integrate the supply; `None` for a group of its own.
    pub group: Option<usize>,
}

/// A problem that is not checked yet.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// How it is called.
    pub name: String,
    /// What the author says about it.
    pub description: Option<String>,
    /// All expressions.
    pub pool: Pool,
    /// The groups.
    pub groups: Vec<Group>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// By group: the symbols of the variables.
    pub symbols: Vec<Vec<ExprId>>,
    /// By group: the right sides.
    pub rates: Vec<Vec<ExprId>>,
    /// Invariants and functions on the manifold; the latter vanish where solutions live.
    pub structure: Vec<StructureFunction>,
    /// Balances.
    pub balances: Vec<Balance>,
    /// The trees, where they are not to be read off the right sides.
    pub family: Option<Family>,
}

impl Draft {
    /// The problem, if everything is preserved that should be.
    pub fn finish(mut self, budget: &mut Budget) -> Result<Problem, ProblemError> {
        let mut balances = std::mem::take(&mut self.balances);
        let mut supplies = Vec::with_capacity(balances.len());
        for balance in &mut balances {
            supplies.push(self.extend(balance));
        }
        let manifold: Vec<ExprId> = self
            .structure
            .iter()
            .filter(|function| function.kind == StructureKind::Manifold)
            .map(|function| function.expression)
            .collect();
        let family = match self.family.take() {
            Some(family) => family,
            None => {
                let dependencies =
                    dependencies(&mut self.pool, &self.symbols, &self.rates, budget)?;
                let names = self.groups.iter().map(|group| group.name.clone()).collect();
                Family::declared(names, dependencies)
            }
        };
        let mut problem = Problem {
            name: self.name,
            description: self.description,
            family,
            groups: self.groups,
            parameters: self.parameters,
            structure: self.structure,
            pool: self.pool,
            symbols: self.symbols,
            rates: self.rates,
            manifold,
            balances,
            supplies,
            text: None,
        };
        problem.check(budget)?;
        Ok(problem)
    }

    /// Adds z' = supply, and S − z as an invariant; the name of z. The balance is told its group.
    fn extend(&mut self, balance: &mut Balance) -> String {
        let taken = |name: &str| self.pool.find_symbol(name).is_some();
        let mut variable = format!("{}_supplied", balance.name);
        while taken(&variable) {
            variable.push('_');
        }
        let symbol = self.pool.symbol(&variable);
        let group = balance.group.filter(|group| *group < self.groups.len()).unwrap_or_else(|| {
            let mut name = balance.name.clone();
            while self.groups.iter().any(|group| group.name == name) {
                name.push('_');
            }
            self.groups.push(Group { name, variables: Vec::new() });
            self.symbols.push(Vec::new());
            self.rates.push(Vec::new());
            self.groups.len() - 1
        });
        balance.group = Some(group);
        self.groups[group].variables.push(variable.clone());
        self.symbols[group].push(symbol);
        self.rates[group].push(balance.supply);
        self.structure.push(StructureFunction {
            part: balance.name.clone(),
            name: balance.name.clone(),
            kind: StructureKind::Balance,
            expression: self.pool.sub(balance.energy, symbol),
        });
        variable
    }
}

impl Problem {
    /// The manifold solved for variables, the last ones first.
    pub(crate) fn chart(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Chart, ProblemError> {
        let mut variables: Vec<ExprId> = self.symbols.iter().flatten().copied().collect();
        let mut elsewhere: Vec<ExprId> = self.rates.iter().flatten().copied().collect();
        elsewhere.extend(self.structure.iter().map(|function| function.expression));
        variables.reverse();
        match Chart::new(pool, &self.manifold, &variables, &elsewhere, budget) {
            Err(ProblemError::Manifold) => {
                variables.reverse();
                Chart::new(pool, &self.manifold, &variables, &elsewhere, budget)
            }
            other => other,
        }
    }

    fn check(&mut self, budget: &mut Budget) -> Result<(), ProblemError> {
        let mut pool = std::mem::take(&mut self.pool);
        let result = self.check_within(&mut pool, budget);
        self.pool = pool;
        result
    }

    fn check_within(&self, pool: &mut Pool, budget: &mut Budget) -> Result<(), ProblemError> {
        let chart = self.chart(pool, budget)?;
        let motion: Vec<(ExprId, ExprId)> = self
            .symbols
            .iter()
            .flatten()
            .copied()
            .zip(self.rates.iter().flatten().copied())
            .collect();
        let functions: Vec<ExprId> = self.structure.iter().map(|f| f.expression).collect();
        let rates = directional_derivative(pool, &functions, &motion, budget)?;
        let rates = chart.restrict(pool, &rates, budget)?;
        for (function, rate) in self.structure.iter().zip(rates) {
            if rate.is_zero() {
                continue;
            }
            match vanishes(pool, &chart, rate, budget)? {
                Vanishes::Yes => {}
                Vanishes::No(shown) => return Err(refusal(function, pool, shown)),
                Vanishes::Unknown => {
                    return Err(ProblemError::Undecided { name: function.name.clone() });
                }
            }
        }
        Ok(())
    }
}

enum Vanishes {
    Yes,
    /// No; the function in normal form.
    No(ExprId),
    Unknown,
}

/// Is a function zero on the manifold? By its normal form, or at points if that is too large.
fn vanishes(
    pool: &mut Pool,
    chart: &Chart,
    function: ExprId,
    budget: &mut Budget,
) -> Result<Vanishes, OutOfBudget> {
    let trial = &mut Budget::new(PROOF.min(budget.left()));
    if let Ok(Some(mut forms)) = NormalForms::new(pool, chart, &[function], trial)
        && let Ok(Some(fractions)) = forms.of(pool, &[function], trial)
        && let Some(fraction) = fractions.first()
    {
        budget.spend(trial.spent(), "checking what is preserved")?;
        return Ok(match fraction.numerator.is_zero() {
            true => Vanishes::Yes,
            false => Vanishes::No(forms.expression(pool, fraction)),
        });
    }
    budget.spend(trial.spent(), "checking what is preserved")?;
    let points = Points::new(pool, chart, &[function], budget)?;
    let mut random = Random::new(0x0051_2206);
    for _ in 0..POINTS {
        match points.draw(pool, &mut random, budget)? {
            None => return Ok(Vanishes::Unknown),
            Some(values) if values.first() != Some(&0) => return Ok(Vanishes::No(function)),
            Some(_) => {}
        }
    }
    Ok(Vanishes::Yes)
}

fn refusal(function: &StructureFunction, pool: &mut Pool, rate: ExprId) -> ProblemError {
    let budget = &mut Budget::new(MESSAGE);
    let rate = simplify(pool, rate, budget);
    let rate = print::to_text(pool, rate, &mut Budget::new(MESSAGE))
        .unwrap_or_else(|_| "too long to be written".to_owned());
    let name = function.name.clone();
    match function.kind {
        StructureKind::Invariant => ProblemError::NotInvariant { name, rate },
        StructureKind::Balance => ProblemError::NotBalanced { name, difference: rate },
        StructureKind::Manifold => ProblemError::NotTangent { name, rate },
    }
}
