//! Equilibria along a parameter, critical values, and what methods make of them.

use isotrope_kernel::stepper::Options;
use isotrope_model::codes::RunCode;
use isotrope_report::value;
use isotrope_study::stability::{
    Asked as AskedOfMethod, Request, StabilityError, StabilityReport, parse_guess, parse_range,
    specialise, study,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::constant::constant;
use crate::failure::Failure;
use crate::host::Host;
use crate::methods::Methods;
use crate::model::Model;
use crate::system::System;

/// The step where neither the request nor the model says.
const STEP: &str = "1/100";

/// Which equilibria to follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StabilityRequest {
    /// The parameter and its range, NAME=LOW..HIGH.
    pub vary: String,
    /// Where the search for the equilibrium starts, NAME=VALUE; otherwise at the initial position.
    pub guess: Vec<String>,
    /// How many values of the parameter to sample.
    pub points: usize,
    /// Methods whose steps are linearised.
    pub methods: Vec<String>,
    /// Their step.
    pub step: Option<String>,
}

impl StabilityRequest {
    /// How many values of the parameter by default.
    pub const POINTS: usize = 201;
    /// Methods by default, separated by commas.
    pub const METHODS: &str = "dirac-1,dirac-2,euler,implicit-euler,symplectic-euler,midpoint,rk4";
}

impl Default for StabilityRequest {
    fn default() -> Self {
        Self {
            vary: String::new(),
            guess: Vec::new(),
            points: Self::POINTS,
            methods: Self::METHODS.split(',').map(str::to_owned).collect(),
            step: None,
        }
    }
}

impl Answer for StabilityReport {
    fn text(&mut self, _: usize) -> String {
        self.to_text()
    }

    fn json(&mut self) -> Value {
        value(self)
    }
}

impl Model {
    /// Follows an equilibrium along a parameter. The parameter stays a symbol, so the equations are
    /// derived again.
    pub fn stability(
        &self,
        host: &Host,
        asked: &StabilityRequest,
    ) -> Result<StabilityReport, Failure> {
        self.without_group("charts of stability")?;
        let request = asked.read(host, self)?;
        // A guess for every coordinate replaces the initial position.
        let guessed = |i: usize| request.guess.iter().any(|(coordinate, _)| *coordinate == i);
        if !(0..self.parsed().coordinates.len()).all(guessed) {
            self.begins()?;
        }
        let mut parsed = self.parsed().clone();
        host.quietly("specialising the parameters", || {
            specialise(&mut parsed, &request.range, &mut host.budget(host.limits.stability))
                .map_err(|error| refuse(&error))
        })?;
        let system = System::derive(self.clone(), parsed, host)?;
        host.during("linearising the equations", || {
            study(&system.derived, &request, &mut host.budget(host.limits.stability))
                .map_err(|error| refuse(&error))
        })
    }
}

impl StabilityRequest {
    fn read(&self, host: &Host, model: &Model) -> Result<Request, Failure> {
        let range = parse_range(&self.vary).map_err(|error| refuse(&error))?;
        let guess = self.guess.iter().map(|text| parse_guess(text, model.parsed()));
        let guess = guess.collect::<Result<_, _>>().map_err(|error| refuse(&error))?;
        let usual = model.parsed().run.step;
        let given = self.step.as_deref().or(usual.is_none().then_some(STEP));
        let step = constant(given, usual, &model.parsed().pool).and_then(|step| match step {
            step if step.to_f64() > 0.0 => Ok(step),
            _ => Err("is not positive".to_owned()),
        });
        let step = step.map_err(|reason| {
            let hint = "give --step as a decimal or an exact constant, such as 1/100";
            Failure::hinted(RunCode::StepOrTime, format!("the step {reason}"), hint)
        })?;
        let names = self.methods.iter().map(|name| name.trim());
        let names = names.filter(|name| !name.is_empty() && *name != "none");
        let methods = names
            .map(|name| {
                let options = Options { monitors: false, ..Options::new(step.clone()) };
                Ok(AskedOfMethod { method: Methods::named(host, name)?, options })
            })
            .collect::<Result<_, Failure>>()?;
        Ok(Request { range, guess, points: self.points, methods })
    }
}

fn refuse(error: &StabilityError) -> Failure {
    Failure::because(error, (error.code(), error, error.hint()))
}
