//! Measured orders beside the computed ones.

use isotrope_model::codes::RunCode;
use isotrope_report::value;
use isotrope_scheme::Method;
use isotrope_study::convergence::{self, Convergence, Plan, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Asked, settings};
use crate::answer::{Answer, with_mark};
use crate::failure::Failure;
use crate::host::Host;
use crate::methods::{Methods, remembering};
use crate::model::Model;
use crate::system::System;

/// Which orders to measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConvergenceRequest {
    /// Names and lists, separated by commas; those that suit the model, if none are given.
    pub methods: Option<String>,
    /// The largest step.
    pub step: String,
    /// How many steps, each half of the one before.
    pub levels: u32,
    /// The time, a whole number of steps.
    pub time: String,
}

impl ConvergenceRequest {
    /// The largest step, if nothing else is asked for.
    pub const STEP: &str = "1/2";
    /// How many steps, if nothing else is asked for.
    pub const LEVELS: u32 = 12;
    /// The time, if nothing else is asked for.
    pub const TIME: &str = "2";
}

impl Default for ConvergenceRequest {
    fn default() -> Self {
        let (step, time) = (Self::STEP.to_owned(), Self::TIME.to_owned());
        Self { methods: None, step, levels: Self::LEVELS, time }
    }
}

/// Numbers of steps that are tried.
const LEVELS: std::ops::RangeInclusive<u32> = 2..=24;

impl ConvergenceRequest {
    fn plan(&self, host: &Host, model: &Model) -> Result<Plan, Failure> {
        if !LEVELS.contains(&self.levels) {
            let (first, last) = (LEVELS.start(), LEVELS.end());
            let message = format!("{} steps cannot be tried", self.levels);
            let hint = format!("try from {first} to {last} steps, each half of the one before");
            return Err(Failure::plain(RunCode::StepOrTime, message, hint));
        }
        let step = settings::step(model, Some(&self.step))?;
        let time = settings::time(model, Some(&self.time))?;
        let list = self.methods.as_deref().unwrap_or_else(|| model.suggested_methods());
        let methods = Methods::listed(host, list)?;
        settings::count(&time, &step)?;
        let (levels, operations) = (self.levels, host.limits.prepare);
        Ok(Plan { methods, step, levels, time, operations })
    }
}

impl Asked for ConvergenceRequest {
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure> {
        self.plan(host, model).map(|_| ())
    }
}

impl Answer for Convergence {
    fn text(&mut self, _: usize) -> String {
        with_mark(self.to_text(), self.interrupted)
    }

    fn json(&mut self) -> Value {
        value(self)
    }

    fn is_negative(&self) -> bool {
        self.rows.iter().any(|row| row.verdict == Some(Verdict::Disagrees))
    }
}

impl System {
    /// Measures the orders of methods over a ladder of steps. When it is interrupted the rows so
    /// far are the answer.
    pub fn convergence(&mut self, asked: &ConvergenceRequest) -> Result<Convergence, Failure> {
        let plan = asked.plan(&self.host, &self.model)?;
        let field = self.field()?;
        self.warn_inconsistent(&field);
        let host = &self.host;
        let measured = host.partly("measuring orders", || {
            let pair = (&self.derived, &*field);
            remembering(host, plan.methods.iter().map(Method::name), || {
                convergence::convergence(self.name(), pair, &plan, &mut |_| host.flow())
            })
        });
        host.sound(measured.map_err(|error| settings::refuse_length(&error)))
    }
}
