//! Tolerances and lengths of steps of a method that chooses its steps by the error.

use isotrope_algebra::ExprId;
use isotrope_kernel::stepper::Options;
use isotrope_model::codes::RunCode;
use isotrope_scheme::{Method, Steps};
use serde::{Deserialize, Serialize};

use crate::constant::constant;
use crate::failure::Failure;
use crate::model::Model;

/// What may be asked of `dop853`. Whatever is not given is as the model says, or follows from the sizes of the
/// problem.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdaptiveRequest {
    /// The error of a step relative to each component.
    pub rtol: Option<f64>,
    /// The absolute error allowed in addition: a number for all components, or `NAME=NUMBER,…` with coordinates `x` and
    /// velocities `v_x`. Otherwise `rtol` times the size of the component in the problem.
    pub atol: Option<String>,
    /// The longest step.
    pub max_step: Option<String>,
    /// The first step.
    pub first_step: Option<String>,
}

impl AdaptiveRequest {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses what cannot be used.
    pub(super) fn examine(&self, model: &Model, method: &Method) -> Result<(), Failure> {
        if *method.steps() != Steps::Adaptive {
            if self.is_empty() {
                return Ok(());
            }
            let name = method.name();
            return Err(refused(format!("`{name}` does not choose its steps by their error")));
        }
        self.set(model, &mut Options::new(isotrope_algebra::Rational::ONE))
    }

    /// Puts everything that is asked for, or that the model says, into the options of a run.
    pub(super) fn set(&self, model: &Model, options: &mut Options) -> Result<(), Failure> {
        let known = &model.parsed().run.adaptive;
        if let Some(relative) = self.rtol.filter(|rtol| !(*rtol > 0.0 && *rtol < 1.0)) {
            return Err(refused(format!(
                "the relative tolerance {relative} is not between 0 and 1"
            )));
        }
        if let Some(relative) = number(model, None, known.relative, "relative tolerance")? {
            options.tolerance = relative;
        }
        let names: Vec<&str> =
            model.parsed().coordinates.iter().map(|it| it.name.as_str()).collect();
        let place = |name: &str| {
            let position = |name: &str| names.iter().position(|it| *it == name);
            let velocity = || Some(names.len() + position(name.strip_prefix("v_")?)?);
            position(name).or_else(velocity)
        };
        let mut absolute: Vec<Option<f64>> = Vec::new();
        let all = number(model, None, known.absolute, "absolute tolerance")?;
        absolute.resize(2 * names.len(), all);
        for (name, value) in &known.each {
            if let Some(k) = place(name) {
                absolute[k] = number(model, None, Some(*value), "absolute tolerance")?;
            }
        }
        for entry in self.atol.iter().flat_map(|list| list.split(',')) {
            match entry.split_once('=') {
                None => {
                    let all = number(model, Some(entry.trim()), None, "absolute tolerance")?;
                    absolute.fill(all);
                }
                Some((name, value)) => {
                    let name = name.trim();
                    let Some(k) = place(name) else {
                        let message =
                            format!("`{name}` is neither a coordinate nor the velocity of one");
                        return Err(refused(message));
                    };
                    let value = number(model, Some(value.trim()), None, "absolute tolerance")?;
                    absolute[k] = value;
                }
            }
        }
        let adaptive = &mut options.adaptive;
        adaptive.absolute = absolute;
        let (longest, first) = (self.max_step.as_deref(), self.first_step.as_deref());
        adaptive.lengths.longest = number(model, longest, known.longest, "longest step")?;
        adaptive.lengths.first = number(model, first, known.first, "first step")?;
        Ok(())
    }
}

/// A positive number, if there is one.
fn number(
    model: &Model,
    given: Option<&str>,
    default: Option<ExprId>,
    what: &str,
) -> Result<Option<f64>, Failure> {
    if given.is_none() && default.is_none() {
        return Ok(None);
    }
    let value = constant(given, default, &model.parsed().pool)
        .map_err(|reason| refused(format!("the {what} {reason}")))?
        .to_f64();
    if value > 0.0 && value.is_finite() {
        return Ok(Some(value));
    }
    Err(refused(format!("the {what} {value} is not positive")))
}

fn refused(message: String) -> Failure {
    let hint = "take dop853 for --rtol, --atol, --max-step and --first-step; write --atol 1e-9 or \
                --atol x=1e-9,v_x=1e-6"
        .to_owned();
    Failure::plain(RunCode::Adaptive, message, hint)
}
