//! Exact constants, as requests write them.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool, Precision, Rational};
use rustc_hash::FxHashMap;

use crate::model::Model;

/// A step or a time: an argument, or what the model says. Exact where it is rational, otherwise
/// the double nearest to it.
pub(crate) fn constant(
    given: Option<&str>,
    default: Option<ExprId>,
    model: &Pool,
) -> Result<Rational, String> {
    match (given, default) {
        (Some(text), _) => {
            let mut pool = Pool::new();
            let parsed = parse_expression(&mut pool, text);
            let expression = parsed.map_err(|_| format!("`{text}` is not a number"))?;
            value(&pool, expression).ok_or_else(|| format!("`{text}` has no finite value"))
        }
        (None, Some(expression)) => {
            value(model, expression).ok_or_else(|| "of the model has no finite value".to_owned())
        }
        (None, None) => Err("is not given, and the model has none under [run]".to_owned()),
    }
}

/// The value of an expression in the parameters of a model, at their values.
pub fn constant_of(model: &Model, text: &str) -> Result<f64, String> {
    let parsed = model.parsed();
    let mut pool = parsed.pool.clone();
    let read = parse_expression(&mut pool, text);
    let expression = read.map_err(|_| "is not a number".to_owned())?;
    let known: Substitution =
        parsed.parameters.iter().map(|parameter| (parameter.symbol, parameter.exact)).collect();
    let found = substitute(&mut pool, &[expression], &known, &mut Budget::new(1_000_000));
    let found = found.ok().and_then(|found| value(&pool, *found.first()?));
    found.map(|value| value.to_f64()).ok_or_else(|| "has no finite value".to_owned())
}

fn value(pool: &Pool, expression: ExprId) -> Option<Rational> {
    if let Some(number) = pool.as_number(expression) {
        return number.to_f64().is_finite().then(|| number.clone());
    }
    let nothing = FxHashMap::default();
    let balls = evaluate_balls(pool, &[expression], &nothing, Precision::new(128)).ok()?;
    Rational::from_f64(balls.first()?.to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<f64, String> {
        constant(Some(text), None, &Pool::new()).map(|value| value.to_f64())
    }

    #[test]
    fn constants_are_exact_where_they_can_be() {
        let tenth = constant(Some("0.1"), None, &Pool::new()).unwrap();
        assert_eq!(tenth, "1/10".parse().unwrap());
        assert_eq!(read("1e-3"), Ok(0.001));
        assert_eq!(read("pi/2"), Ok(std::f64::consts::FRAC_PI_2));
    }

    #[test]
    fn what_has_no_value_is_refused() {
        for text in ["", "x", "1/0", "inf", "nan", "1e999", "log(-1)"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
