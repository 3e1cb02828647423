//! Damping that keeps its structure, proved for a pendulum.

use isotrope_algebra::calculus::{Substitution, derivative, substitute};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, Function, Pool, Rational};
use isotrope_derive::derive;
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::{EquationScheme, discretise};

const PENDULUM: &str = r#"
    coordinates = ["q"]
    parameters = { c = "1/3", m = 2 }
    lagrangian.L = "m*q'^2/2 + cos(q)"
    forces.q = "-c*m*q'"
    initial.position = { q = 1 }
    initial.velocity = { q = 0 }
"#;

/// q⁺, p⁺ and, of contact steps, s⁺ as formulas of q, p, s, with these symbols.
fn formulas(scheme: &str) -> (Pool, Vec<ExprId>, [ExprId; 3]) {
    let model = parse_model(&ModelText::new("pendulum.toml", PENDULUM.as_bytes())).unwrap();
    let budget = &mut Budget::new(100_000_000);
    let system = derive(model, budget).unwrap();
    let scheme = EquationScheme::named(scheme, budget).unwrap().unwrap();
    let step = "1/10".parse::<Rational>().unwrap();
    let equations = discretise(&system, &scheme, &step, budget).unwrap();
    let mut pool = equations.pool;
    let mut known = Substitution::default();
    for definition in equations.definitions.iter().flatten() {
        let value = substitute(&mut pool, &[definition.value], &known, budget).unwrap()[0];
        known.insert(definition.symbol, value);
    }
    let after = equations.after;
    let mut ends = vec![after.position[0], after.momentum[0]];
    ends.extend(equations.memory.iter().map(|memory| memory.next));
    let ends = substitute(&mut pool, &ends, &known, budget).unwrap();
    let s = equations.memory.first().map_or(ExprId::ZERO, |memory| memory.symbol);
    (pool, ends, [system.symbols.position[0], system.symbols.momentum[0], s])
}

fn proved(pool: &mut Pool, terms: &[ExprId]) -> bool {
    let sum = pool.sum(terms);
    is_zero(pool, sum, &mut Budget::new(50_000_000)) == Zero::Yes
}

/// e^{−ch} for the model and the step above.
fn shrunk(pool: &mut Pool) -> ExprId {
    let c = pool.symbol("c");
    let exponent = pool.scale(&Rational::new(-1, 10).unwrap(), c);
    pool.call(Function::Exp, exponent)
}

#[test]
fn conformal_steps_shrink_the_form_exactly() {
    let (mut pool, ends, [q, p, _]) = formulas("conformal-verlet");
    let budget = &mut Budget::new(100_000_000);
    let mut slope = |of: ExprId, by: ExprId| derivative(&mut pool, of, by, budget).unwrap();
    let entries = [slope(ends[0], q), slope(ends[1], p), slope(ends[0], p), slope(ends[1], q)];
    let (one, two) = (pool.mul(entries[0], entries[1]), pool.mul(entries[2], entries[3]));
    let (two, shrunk) = (pool.neg(two), shrunk(&mut pool));
    let wanted = pool.neg(shrunk);
    assert!(proved(&mut pool, &[one, two, wanted]));
    assert!(!proved(&mut pool, &[one, two, ExprId::MINUS_ONE]));
}

/// ds⁺ − p⁺dq⁺ = e^{−ch} (ds − p dq), component by component.
#[test]
fn contact_steps_keep_the_contact_form_up_to_the_factor() {
    let (mut pool, ends, [q, p, s]) = formulas("contact-2");
    let budget = &mut Budget::new(100_000_000);
    let shrunk = shrunk(&mut pool);
    let drawn = pool.mul(shrunk, p);
    let wanted = [(q, drawn), (p, ExprId::ZERO), (s, pool.neg(shrunk))];
    for (by, wanted) in wanted {
        let rise = derivative(&mut pool, ends[2], by, budget).unwrap();
        let way = derivative(&mut pool, ends[0], by, budget).unwrap();
        let carried = pool.mul(ends[1], way);
        let carried = pool.neg(carried);
        assert!(proved(&mut pool, &[rise, carried, wanted]));
    }
}
