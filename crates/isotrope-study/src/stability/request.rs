//! What is asked: a parameter, its range, and where to begin.

use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::syntax::{nearest, parse_expression};
use isotrope_algebra::{Budget, Pool, Precision, Rational};
use isotrope_model::Model;
use rustc_hash::FxHashMap;

use super::error::StabilityError;
use super::methods::Asked;

/// The most points that are sampled.
pub const MOST_POINTS: usize = 100_000;

/// A parameter and from where to where it goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// Its name.
    pub name: String,
    /// The lower end.
    pub low: Rational,
    /// The upper end.
    pub high: Rational,
}

/// What to study.
#[derive(Debug, Clone)]
pub struct Request {
    /// The parameter and its range.
    pub range: Range,
    /// Positions from which the equilibrium is looked for, instead of the initial ones; momenta are counted after
    /// the positions.
    pub guess: Vec<(usize, f64)>,
    /// How many values of the parameter are sampled.
    pub points: usize,
    /// Methods that are judged.
    pub methods: Vec<Asked>,
}

/// `P=LOW..HIGH`; ends are decimals or exact constants.
pub fn parse_range(text: &str) -> Result<Range, StabilityError> {
    let bad = || StabilityError::BadRange { text: text.to_owned() };
    let (name, ends) = text.split_once('=').ok_or_else(bad)?;
    let (low, high) = ends.split_once("..").ok_or_else(bad)?;
    let (low, high) = (low.trim(), high.trim());
    let ends = (constant(low).ok_or_else(bad)?, constant(high).ok_or_else(bad)?);
    if name.trim().is_empty() {
        return Err(bad());
    }
    let name = name.trim().to_owned();
    if ends.0 >= ends.1 {
        let (low, high) = (low.to_owned(), high.to_owned());
        return Err(StabilityError::EmptyRange { name, low, high });
    }
    Ok(Range { name, low: ends.0, high: ends.1 })
}

/// `x=0.1` for a coordinate of the model, or `p_x=0.1` for a momentum.
pub fn parse_guess(text: &str, model: &Model) -> Result<(usize, f64), StabilityError> {
    let bad = || StabilityError::BadGuess {
        text: text.to_owned(),
        known: model.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect(),
    };
    let (name, value) = text.split_once('=').ok_or_else(bad)?;
    let momentum = || {
        let coordinate = model.coordinate(name.trim().strip_prefix("p_")?)?;
        Some(model.coordinates.len() + coordinate)
    };
    let given = model.system.hamiltonian().is_some();
    let coordinate =
        model.coordinate(name.trim()).or_else(|| momentum().filter(|_| given)).ok_or_else(bad)?;
    Ok((coordinate, constant(value.trim()).ok_or_else(bad)?.to_f64()))
}

/// A number: exact where it is rational, otherwise the double nearest to it.
fn constant(text: &str) -> Option<Rational> {
    let mut pool = Pool::new();
    let expression = parse_expression(&mut pool, text).ok()?;
    if let Some(number) = pool.as_number(expression) {
        return number.to_f64().is_finite().then(|| number.clone());
    }
    let nothing = FxHashMap::default();
    let balls = evaluate_balls(&pool, &[expression], &nothing, Precision::new(128)).ok()?;
    Rational::from_f64(balls.first()?.to_f64())
}

/// Replaces all parameters but the one that is varied by their numbers: what is derived afterwards
/// is a family in this parameter alone.
pub fn specialise(
    model: &mut Model,
    range: &Range,
    budget: &mut Budget,
) -> Result<(), StabilityError> {
    let name = &range.name;
    let names: Vec<String> = model.parameters.iter().map(|p| p.name.clone()).collect();
    let Some(position) = names.iter().position(|known| known == name) else {
        let near = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
        return Err(StabilityError::UnknownParameter { name: name.clone(), known: names, near });
    };
    if model.is_structural(position, budget)? {
        return Err(StabilityError::StructuralParameter { name: name.clone() });
    }
    Ok(model.specialise_but(position, budget)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_exact_and_go_up() {
        let range = parse_range("P = 1/3..sqrt(4)").unwrap();
        assert_eq!((range.name.as_str(), range.low), ("P", "1/3".parse().unwrap()));
        assert_eq!(range.high, Rational::integer(2));
        let range = parse_range("k=-1..0.5").unwrap();
        assert_eq!((range.low, range.high), (Rational::integer(-1), "1/2".parse().unwrap()));
        let bad = ["P", "P=1", "P=1..", "=1..2", "P=a..2", "P=1..1e999", ""];
        for text in bad {
            assert_eq!(parse_range(text).unwrap_err().code().text(), "ISO-STABILITY-001", "{text}");
        }
        for text in ["P=2..1", "P=1..1"] {
            assert_eq!(parse_range(text).unwrap_err().code().text(), "ISO-STABILITY-002", "{text}");
        }
    }
}
