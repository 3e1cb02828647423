//! What a scheme writes on the problems on which it is certified.

use isotrope_algebra::{Budget, ExprId, Node, Pool};
use isotrope_derive::{System, derive};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::{
    Definition, DiscretiseError, EquationScheme, Equations, discretise_for_all_steps,
};

use super::group_problems::{GROUP_PROBLEMS, group_problem};
use super::problems::{PROBLEMS, problem};
use super::state_problems::{STATE_PROBLEMS, state_problem};
use super::{BITS, SmallStepError};
use crate::fingerprint::{Digest, Hasher};

/// A Lagrangian that is linear in the velocities, which no class of the certificates has.
const FIRST_ORDER: &str = r#"
coordinates = ["x", "y"]
lagrangian.L = "(y + x*y^2/3)*x' - x^2/2 - y^4/4 - x*y/5"
initial.position = { x = 1, y = "1/2" }
"#;

/// Absorbs the exact equations of a step on every problem that stands behind the certificate.
pub(crate) fn absorb_scheme(
    hasher: &mut Hasher,
    scheme: &EquationScheme,
    budget: &mut Budget,
) -> Result<(), SmallStepError> {
    if scheme.is_of_first_order() {
        return absorb_on(hasher, &first_order()?, scheme, budget);
    }
    if scheme.is_on_groups() {
        for number in 0..GROUP_PROBLEMS {
            absorb_on(hasher, &group_problem(number)?.system, scheme, budget)?;
        }
        return Ok(());
    }
    if !scheme.is_in_state_space() {
        for number in 0..PROBLEMS {
            absorb_on(hasher, &problem(number)?.system, scheme, budget)?;
        }
    }
    if scheme.takes_state_space() {
        for number in 0..STATE_PROBLEMS {
            absorb_on(hasher, &state_problem(number)?.system, scheme, budget)?;
        }
    }
    Ok(())
}

fn first_order() -> Result<System, SmallStepError> {
    let text = ModelText::new("problem.toml", FIRST_ORDER.as_bytes());
    let model = parse_model(&text).map_err(|_| SmallStepError::Start)?;
    derive(model, &mut Budget::new(1_000_000)).map_err(|_| SmallStepError::Start)
}

fn absorb_on(
    hasher: &mut Hasher,
    system: &System,
    scheme: &EquationScheme,
    budget: &mut Budget,
) -> Result<(), SmallStepError> {
    match discretise_for_all_steps(system, scheme, BITS, budget) {
        Ok((equations, _)) => absorb_equations(hasher, &equations),
        // Where it does not apply is a part of what it is; the words of the refusal are not.
        Err(DiscretiseError::NotApplicable { .. }) => hasher.word("does not apply"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// What decides about a step: not how its iteration goes.
fn absorb_equations(hasher: &mut Hasher, equations: &Equations) {
    let after = &equations.after;
    let defined = |groups: &[Vec<Definition>]| -> Vec<ExprId> {
        groups.iter().flatten().flat_map(|of| [of.symbol, of.value]).collect()
    };
    let mut lists: Vec<(&str, Vec<ExprId>)> = vec![
        ("definitions", defined(&equations.definitions)),
        ("unknowns", equations.unknowns.iter().map(|unknown| unknown.symbol).collect()),
        ("residual", equations.residual.clone()),
        ("position", after.position.clone()),
        ("velocity", after.velocity.clone()),
        ("momentum", after.momentum.clone()),
        ("multipliers", after.multipliers.clone()),
        ("work", vec![after.work]),
        ("exchange", after.exchange.iter().flat_map(|of| [of.supplied, of.dissipated]).collect()),
        ("duration", equations.duration.iter().map(|duration| duration.value).collect()),
        ("start", defined(&equations.before_the_start)),
    ];
    for memory in &equations.memory {
        lists.push(("memory", vec![memory.symbol, memory.start, memory.next]));
    }
    if let Some(pair) = &equations.pair {
        let mut measured = pair.position.clone();
        measured.extend(pair.velocity.iter().chain(&pair.momentum));
        measured.extend([pair.time, pair.work]);
        lists.push(("measured", measured));
    }
    let roots: Vec<ExprId> = lists.iter().flat_map(|(_, list)| list.iter().copied()).collect();
    let digests = digests(&equations.pool, &roots);
    for (word, list) in lists {
        hasher.word(word);
        for id in list {
            hasher.digest(digests[id.index()]);
        }
    }
}

/// Digests of all expressions below some. They do not depend on the order in which a pool was
/// filled, which is not part of the mathematics.
fn digests(pool: &Pool, roots: &[ExprId]) -> Vec<Digest> {
    let mut digests = vec![Digest::default(); pool.len()];
    // Children come before their parents.
    for id in pool.reachable(roots) {
        digests[id.index()] = digest(pool, id, &digests);
    }
    digests
}

fn digest(pool: &Pool, id: ExprId, known: &[Digest]) -> Digest {
    let of = |id: ExprId| known[id.index()];
    let mut hasher = Hasher::default();
    let unordered = |hasher: &mut Hasher, pairs: Vec<(ExprId, ExprId)>| {
        let mut pairs: Vec<[Digest; 2]> = pairs.iter().map(|&(x, y)| [of(x), of(y)]).collect();
        pairs.sort_unstable();
        pairs.into_iter().flatten().for_each(|digest| hasher.digest(digest));
    };
    match pool.node(id) {
        Node::Number(number) => {
            hasher.word("number");
            hasher.word(&number.to_string());
        }
        Node::Pi => hasher.word("pi"),
        Node::Undefined => hasher.word("undefined"),
        Node::Symbol(symbol) => {
            hasher.word("symbol");
            hasher.word(pool.symbol_name(symbol));
        }
        Node::Sum(pairs) => {
            hasher.word("sum");
            unordered(&mut hasher, pairs.iter().collect());
        }
        Node::Product(pairs) => {
            hasher.word("product");
            unordered(&mut hasher, pairs.iter().collect());
        }
        Node::Call(function, argument) => {
            hasher.word(function.name());
            hasher.digest(of(argument));
        }
        Node::Atan2(y, x) => {
            hasher.word("atan2");
            [y, x].into_iter().for_each(|id| hasher.digest(of(id)));
        }
        Node::System(system) => {
            hasher.word("system");
            for (row, column, value) in system.entries() {
                hasher.word(&format!("{row},{column}"));
                hasher.digest(of(value));
            }
            hasher.word("right");
            system.right().for_each(|value| hasher.digest(of(value)));
        }
        Node::Solution { system, index } => {
            hasher.word(&format!("solution {index}"));
            hasher.digest(of(system));
        }
    }
    hasher.finish()
}
