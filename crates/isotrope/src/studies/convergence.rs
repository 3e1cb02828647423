//! Measured orders beside the computed ones.

use isotrope_algebra::Rational;
use isotrope_model::codes::RunCode;
use isotrope_report::value;
use isotrope_scheme::Method;
use isotrope_study::convergence::{self, Convergence, Plan, Verdict};
use isotrope_study::run;
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
    /// The largest step; otherwise half the unit of time.
    pub step: Option<String>,
    /// How many step sizes, each half of the one before.
    pub levels: u32,
    /// The time, a whole number of steps; otherwise eight times the unit of time, which is that of the motion with three digits.
    pub time: Option<String>,
}

impl ConvergenceRequest {
    /// How many step sizes by default.
    pub const LEVELS: u32 = 12;
}

impl Default for ConvergenceRequest {
    fn default() -> Self {
        Self { methods: None, step: None, levels: Self::LEVELS, time: None }
    }
}

/// Digits of the unit of time: enough that it is the same part of the motion in every unit.
const DIGITS: i64 = 3;

/// How many step sizes may be tried.
const LEVELS: std::ops::RangeInclusive<u32> = 2..=24;

impl ConvergenceRequest {
    fn plan(&self, host: &Host, model: &Model, unit: &Rational) -> Result<Plan, Failure> {
        model.begins()?;
        if !LEVELS.contains(&self.levels) {
            let (first, last) = (LEVELS.start(), LEVELS.end());
            let message = format!("{} steps cannot be tried", self.levels);
            let hint = format!("try from {first} to {last} steps, each half of the one before");
            return Err(Failure::plain(RunCode::StepOrTime, message, hint));
        }
        let (half, whole) = (unit * &Rational::half(), unit * &Rational::integer(8));
        let step =
            self.step.as_deref().map(|step| settings::step(model, Some(step))).transpose()?;
        let time =
            self.time.as_deref().map(|time| settings::time(model, Some(time))).transpose()?;
        // What is not given fits what is: a whole number of steps.
        let (step, time) = match (step, time) {
            (Some(step), Some(time)) => (step, time),
            (Some(step), None) => (step.clone(), &step * &times(&whole, &step)),
            (None, Some(time)) => {
                let count = times(&time, &half);
                (time.checked_div(&count).unwrap_or(half), time)
            }
            (None, None) => (half, whole),
        };
        let list = self.methods.as_deref().unwrap_or_else(|| model.suggested_methods());
        let methods = Methods::listed(host, list)?;
        settings::count(&time, &step)?;
        let (levels, operations) = (self.levels, host.limits.prepare);
        Ok(Plan { methods, step, levels, time, operations })
    }
}

impl Asked for ConvergenceRequest {
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure> {
        self.plan(host, model, &Rational::ONE).map(|_| ())
    }
}

/// How many times one fits into the other, at least once: a whole number.
fn times(whole: &Rational, part: &Rational) -> Rational {
    let count = whole.checked_div(part).map(|ratio| ratio.abs().floor());
    count.map(Rational::from).unwrap_or(Rational::ONE).max(Rational::ONE)
}

/// The time of a motion, rounded to few digits; 1 where nothing tells one.
fn unit_of_time(time: Option<f64>) -> Rational {
    let rounded = || {
        let time = time.filter(|time| time.is_normal() && *time > 0.0)?;
        // The last digit that is kept.
        let last = time.log10().floor() as i64 + 1 - DIGITS;
        let ten = |power: i64| Rational::integer(10).pow(power, 8192);
        let count = (&Rational::from_f64(time)? * &ten(-last)?).to_f64().round();
        Some(&Rational::from_f64(count)? * &ten(last)?)
    };
    rounded().unwrap_or(Rational::ONE)
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
        Methods::fit(&self.host, &self.derived, asked.methods.as_deref())?;
        let field = self.field()?;
        let unit = unit_of_time(run::time_scale(&self.derived, &field));
        let plan = asked.plan(&self.host, &self.model, &unit)?;
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
