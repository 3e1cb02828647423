//! Singular Lagrangians: the constraint algorithm, and the motion on the final manifold.
//!
//! | file | step |
//! |---|---|
//! | `primary.rs` | H and the primary constraints of the Legendre map |
//! | `algebraic.rs` | the same where the Hessian depends on the velocities |
//! | `surface.rs`, `elimination.rs` | where constraints hold: values, and linear algebra |
//! | `rounds.rs` | constraints that follow, until they last; branches |
//! | `classes.rs` | first and second class, the Dirac bracket, multipliers, gauge directions |
//! | `gauge_fix.rs` | a gauge that is chosen, and whether it may be |
//! | `chain.rs` | what is reported |
//! | `reduced.rs` | the final manifold in coordinates of its own |
//! | `space.rs` | the equations on the phase space (q, p) |

mod algebraic;
mod chain;
mod classes;
mod elimination;
mod gauge_fix;
mod primary;
mod reduced;
mod rounds;
mod space;
mod surface;

pub use chain::{BranchEnd, ConstraintChain, GaugeFixed, OtherBranch};
pub use classes::{ChainMultiplier, Classes};
pub use reduced::{NotReduced, ReducedChain, ReducedMotion};
pub use rounds::ChainConstraint;
pub(crate) use space::energy_rate;

use isotrope_algebra::calculus::{Substitution, jacobian, substitute};
use isotrope_algebra::linear::{Matrix, rank};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::print::to_text;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::{Model, Place};

use primary::{NoHamiltonian, Setting};
use rounds::{Branch, End};
use surface::Lost;

use crate::{ConstraintRows, DeriveError, Dynamics, StateConstraint, Symbols, System, system};

/// What one proof may cost.
const PROOF: u64 = 3_000_000;

/// Derives a system whose Hessian is singular. `refused` is what is said where the algorithm does not apply.
///
/// Parameters stay symbols. Where something vanishes for their values that is divided by, or that would have to vanish,
/// the system is derived for these values.
pub(super) fn derive(
    model: Model,
    symbols: Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    refused: Vec<DeriveError>,
    budget: &mut Budget,
) -> Derived {
    let special = (!model.parameters.is_empty()).then(|| model.clone());
    match (attempt(model, symbols, dynamics, rows, refused, budget)?, special) {
        (Attempt::Done(found), _) => Ok(*found),
        (Attempt::Special(_), Some(mut model)) => {
            model.specialise(budget)?;
            system::derive_within(model, budget)
        }
        (Attempt::Special(error), None) => Ok(Err(vec![error])),
    }
}

type Derived = Result<Result<System, Vec<DeriveError>>, OutOfBudget>;

enum Attempt {
    Done(Box<Result<System, Vec<DeriveError>>>),
    /// The values of the parameters are not general.
    Special(DeriveError),
}

impl Attempt {
    fn refused(error: DeriveError) -> Self {
        Self::Done(Box::new(Err(vec![error])))
    }
}

fn attempt(
    model: Model,
    symbols: Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    refused: Vec<DeriveError>,
    budget: &mut Budget,
) -> Result<Attempt, OutOfBudget> {
    let mut model = model;
    let place = model.system.place();
    let setting = match Setting::new(&mut model.pool, &symbols, dynamics, rows, budget) {
        Ok(setting) => setting,
        Err(NoHamiltonian::Lost(Lost::OutOfBudget(stop))) => return Err(stop),
        Err(NoHamiltonian::Lost(_) | NoHamiltonian::Refused) => {
            return Ok(Attempt::Done(Box::new(Err(refused))));
        }
    };
    let begin = Beginning::new(&mut model, &symbols, dynamics, budget)?;
    let branch = Branch::new(&setting);
    let (ends, complete) = rounds::follow(&mut model.pool, &setting, branch, budget)?;
    let (branch, others) = match choose(&mut model.pool, &begin, ends, budget)? {
        Ok(found) => found,
        Err(end) => {
            let special = match &end {
                End::Contradiction(_, value) => {
                    begin.is_special(&mut model.pool, *value, budget)?
                }
                _ => false,
            };
            let error = refusal(&mut model.pool, &setting, end, place);
            return Ok(match special {
                true => Attempt::Special(error),
                false => Attempt::refused(error),
            });
        }
    };
    let pool = &mut model.pool;
    let answered = examine(pool, &setting, &branch, budget);
    let (classes, gauge, multipliers) = match answered {
        Ok(found) => found,
        Err(lost) => {
            let end = End::Open(Box::new(branch), lost);
            return Ok(Attempt::refused(refusal(pool, &setting, end, place)));
        }
    };
    let fixed = match gauge_fix::fix(&mut model, &symbols, &setting, &branch, &gauge, budget)? {
        Ok(fixed) => fixed,
        Err(error) => return Ok(Attempt::refused(error)),
    };
    let pool = &mut model.pool;
    let mut last = branch.clone();
    if let Some(ends) = fixed {
        match choose(pool, &begin, ends, budget)? {
            Ok((chosen, _)) => last = chosen,
            Err(end) => {
                return Ok(Attempt::refused(gauge_fix::refusal(pool, &model.gauge_fix, end)));
            }
        }
        if let Some(error) =
            gauge_fix::inadmissible(pool, &branch, &last, &gauge, &model.gauge_fix, budget)?
        {
            return Ok(Attempt::refused(error));
        }
    }
    let (rate, _) = match classes::motion(pool, &setting, &last, budget) {
        Ok(found) => found,
        Err(Lost::OutOfBudget(stop)) => return Err(stop),
        Err(lost) => {
            let end = End::Open(Box::new(last), lost);
            return Ok(Attempt::refused(refusal(pool, &setting, end, place)));
        }
    };
    let lasting = match classes::is_lasting(pool, &setting, &last, &rate, budget) {
        Ok(lasting) => lasting,
        Err(Lost::OutOfBudget(stop)) => return Err(stop),
        Err(_) => Zero::Unknown { points: 0 },
    };
    let kept: Vec<StateConstraint> = last
        .constraints
        .iter()
        .map(|constraint| StateConstraint {
            level: constraint.round,
            expression: constraint.expression,
            driven: constraint.expression,
        })
        .collect();
    let expressions = last.expressions();
    let free = space::free_multipliers(&setting, &last);
    let mut conditions = last.conditions.clone();
    for condition in &classes.conditions {
        if pool.as_number(*condition).is_none() && !conditions.contains(condition) {
            conditions.push(*condition);
        }
    }
    for &condition in &conditions {
        if begin.is_special(pool, condition, budget)? {
            let value = text(pool, condition);
            let chain = texts(pool, &expressions);
            let round = last.round;
            let first_order = false;
            let error = DeriveError::NoSolution { value, chain, round, first_order, place };
            return Ok(Attempt::Special(error));
        }
    }
    let second = classes.second.len();
    if let Some(error) = begin.ranks_change(pool, &setting, &last, second, budget)? {
        return Ok(Attempt::refused(error));
    }
    let in_gauge = match classes::multipliers(pool, &setting, &last, budget) {
        Ok(found) => found,
        Err(Lost::OutOfBudget(stop)) => return Err(stop),
        Err(_) => Vec::new(),
    };
    let fixed = match model.gauge_fix.is_empty() {
        true => None,
        false => Some(GaugeFixed {
            conditions: last.constraints.iter().filter(|c| c.of_gauge).copied().collect(),
            rank: branch.dimension() - last.dimension(),
            multipliers: in_gauge,
            dimension: last.dimension(),
        }),
    };
    let jacobian = jacobian(pool, &expressions, &setting.state, budget)?;
    let chain = ConstraintChain {
        lagrangian: dynamics.lagrangian,
        hamiltonian: setting.hamiltonian,
        rounds: branch.round,
        phase: setting.state.len(),
        last: branch.dimension(),
        constraints: branch.constraints,
        classes,
        multipliers,
        gauge,
        conditions,
        decided: last.surface.is_decided(),
        lasting,
        chosen: branch.chosen,
        branches: others,
        complete,
        fixed,
        kept,
        jacobian,
        free,
        forced: setting.forced,
        surface: last.surface.clone(),
        coordinates: symbols,
    };
    let system = space::system(model, &setting, &last, chain, rate, begin.momenta, budget)?;
    Ok(Attempt::Done(Box::new(Ok(system))))
}

type Examined = (Classes, Vec<Vec<ExprId>>, Vec<ChainMultiplier>);

fn examine(
    pool: &mut Pool,
    setting: &Setting,
    branch: &Branch,
    budget: &mut Budget,
) -> Result<Examined, Lost> {
    let classes = classes::classes(pool, setting, branch, budget)?;
    let gauge = classes::gauge(pool, setting, branch, budget)?;
    let multipliers = classes::multipliers(pool, setting, branch, budget)?;
    Ok((classes, gauge, multipliers))
}

/// Where the motion begins.
struct Beginning {
    /// Positions and momenta, and the time; parameters are symbols.
    values: Substitution,
    parameters: Substitution,
    /// The momenta.
    momenta: Vec<ExprId>,
    place: Option<Place>,
}

impl Beginning {
    fn new(
        model: &mut Model,
        symbols: &Symbols,
        dynamics: &Dynamics,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let initial = &model.initial;
        let positions = symbols.position.iter().copied().zip(initial.position.iter().copied());
        let mut values: Substitution = positions.collect();
        values.insert(symbols.time, ExprId::ZERO);
        let mut moving = values.clone();
        moving.extend(symbols.velocity.iter().copied().zip(initial.rate.iter().copied()));
        let momenta = substitute(&mut model.pool, &dynamics.momenta, &moving, budget)?;
        values.extend(symbols.momentum.iter().copied().zip(momenta.iter().copied()));
        let place = initial.position_places.first().copied();
        let place = place.filter(|_| initial.absent.is_none());
        let parameters = model.parameter_values().into_iter().collect();
        Ok(Self { values, parameters, momenta, place })
    }

    /// Does it vanish there?
    fn vanishes(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<bool, OutOfBudget> {
        let there = substitute(pool, &[expression], &self.values, budget)?;
        let there = substitute(pool, &there, &self.parameters, budget)?[0];
        Ok(is_zero(pool, there, &mut Budget::new(PROOF)) == Zero::Yes)
    }

    /// Does it vanish for the values of the parameters, wherever the motion is?
    fn is_special(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<bool, OutOfBudget> {
        let there = substitute(pool, &[expression], &self.parameters, budget)?[0];
        Ok(is_zero(pool, there, &mut Budget::new(PROOF)) == Zero::Yes)
    }

    /// A rank that is lower where the motion begins.
    fn ranks_change(
        &self,
        pool: &mut Pool,
        setting: &Setting,
        branch: &Branch,
        second: usize,
        budget: &mut Budget,
    ) -> Result<Option<DeriveError>, OutOfBudget> {
        let Some(place) = self.place else { return Ok(None) };
        let constraints = branch.expressions();
        let mut rates = setting.rates(pool, &constraints, budget)?;
        rates.iter_mut().for_each(|row| row.truncate(setting.primaries.len()));
        let slopes = dense(pool, &constraints, &setting.state, budget)?;
        let of_constraints: Vec<ExprId> = branch.before_gauge();
        let brackets = setting.brackets(pool, &of_constraints, budget)?;
        let asked = [
            ("the Hessian of L", setting.hessian.clone(), setting.rank),
            ("the differentials of the constraints", slopes, constraints.len()),
            ("the rates of the constraints by the multipliers", rates, branch.rates.rank()),
            ("the brackets of the constraints", brackets, second),
        ];
        for (what, rows, general) in asked {
            if rows.is_empty() {
                continue;
            }
            let Some(here) = self.rank(pool, &rows, budget)? else { continue };
            if here < general {
                let chain = texts(pool, &constraints);
                return Ok(Some(DeriveError::RanksChange { what, here, general, chain, place }));
            }
        }
        Ok(None)
    }

    /// The rank of a matrix there; none where it has no value or is not decided.
    fn rank(
        &self,
        pool: &mut Pool,
        rows: &[Vec<ExprId>],
        budget: &mut Budget,
    ) -> Result<Option<usize>, OutOfBudget> {
        let Some(width) = rows.first().map(Vec::len) else { return Ok(Some(0)) };
        let entries: Vec<ExprId> = rows.iter().flatten().copied().collect();
        let there = substitute(pool, &entries, &self.values, budget)?;
        let mut there = substitute(pool, &there, &self.parameters, budget)?;
        if there.contains(&ExprId::UNDEFINED) {
            return Ok(None);
        }
        for entry in &mut there {
            if is_zero(pool, *entry, &mut Budget::new(PROOF)) == Zero::Yes {
                *entry = ExprId::ZERO;
            }
        }
        let rows: Vec<Vec<ExprId>> = there.chunks(width.max(1)).map(<[ExprId]>::to_vec).collect();
        let found = rank(pool, &Matrix::from_rows(width, &rows), &mut Budget::new(PROOF));
        Ok(found.ok().map(|rank| rank.rank))
    }
}

fn dense(
    pool: &mut Pool,
    functions: &[ExprId],
    variables: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<Vec<ExprId>>, OutOfBudget> {
    let mut rows = vec![vec![ExprId::ZERO; variables.len()]; functions.len()];
    for (row, sparse) in rows.iter_mut().zip(jacobian(pool, functions, variables, budget)?) {
        sparse.into_iter().for_each(|(column, value)| row[column as usize] = value);
    }
    Ok(rows)
}

/// The branch that fits the beginning best, and the others; without one, why the first has no motion.
fn choose(
    pool: &mut Pool,
    begin: &Beginning,
    ends: Vec<End>,
    budget: &mut Budget,
) -> Result<Result<(Branch, Vec<OtherBranch>), End>, OutOfBudget> {
    let mut best: Option<(usize, usize)> = None;
    for (k, end) in ends.iter().enumerate() {
        let End::Lasting(branch) = end else { continue };
        let mut violated = 0;
        for constraint in branch.expressions() {
            violated += usize::from(!begin.vanishes(pool, constraint, budget)?);
        }
        if best.is_none_or(|(least, _)| violated < least) {
            best = Some((violated, k));
        }
    }
    let chosen = best.map(|(_, k)| k);
    let mut ends: Vec<Option<End>> = ends.into_iter().map(Some).collect();
    let Some(k) = chosen else {
        // What was not decided says more than a contradiction of another branch.
        let open = ends.iter().position(|end| matches!(end, Some(End::Open(..))));
        let end = ends.swap_remove(open.unwrap_or(0));
        return end.map(Err).ok_or_else(|| {
            isotrope_algebra::Internal::new("the algorithm follows at least one branch").into()
        });
    };
    let mut taken = None;
    let mut others = Vec::new();
    for (at, end) in ends.iter_mut().enumerate() {
        match end.take() {
            Some(End::Lasting(branch)) if at == k => taken = Some(*branch),
            Some(End::Lasting(branch)) => {
                others.push(other(&branch, BranchEnd::Lasting(branch.dimension())));
            }
            Some(End::Contradiction(branch, value)) => {
                others.push(other(&branch, BranchEnd::Contradiction(value)));
            }
            Some(End::Open(branch, _)) => others.push(other(&branch, BranchEnd::Open)),
            None => {}
        }
    }
    let taken = taken.ok_or_else(|| {
        OutOfBudget::from(isotrope_algebra::Internal::new("a branch that lasts was chosen"))
    })?;
    Ok(Ok((taken, others)))
}

fn other(branch: &Branch, end: BranchEnd) -> OtherBranch {
    OtherBranch { chosen: branch.chosen.clone(), constraints: branch.expressions(), end }
}

/// Why no branch lasts.
fn refusal(pool: &mut Pool, setting: &Setting, end: End, place: Place) -> DeriveError {
    match end {
        End::Contradiction(branch, value) => DeriveError::NoSolution {
            value: text(pool, value),
            chain: texts(pool, &branch.expressions()),
            round: branch.round,
            first_order: setting.primaries.len() * 2 >= setting.state.len(),
            place,
        },
        End::Open(branch, lost) => DeriveError::ChainNotDecided {
            reason: match lost {
                Lost::Undefined => "something is divided by an expression that vanishes".to_owned(),
                Lost::NoRule(constraint) => {
                    format!("{} = 0 is solved for no variable", text(pool, constraint))
                }
                Lost::OutOfBudget(stop) => stop.to_string(),
            },
            round: branch.round,
            chain: texts(pool, &branch.expressions()),
            place,
        },
        End::Lasting(branch) => DeriveError::ChainNotDecided {
            reason: "it lasts".to_owned(),
            round: branch.round,
            chain: texts(pool, &branch.expressions()),
            place,
        },
    }
}

pub(super) fn text(pool: &mut Pool, expression: ExprId) -> String {
    let short = primary::short(pool, expression);
    to_text(pool, short, &mut Budget::new(100_000)).unwrap_or_else(|_| "…".to_owned())
}

pub(super) fn texts(pool: &mut Pool, expressions: &[ExprId]) -> Vec<String> {
    expressions.iter().map(|&expression| text(pool, expression)).collect()
}
