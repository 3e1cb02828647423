//! Derivatives of the discrete flow.

use isotrope_algebra::Pool;
use isotrope_model::codes::FlowCode;
use isotrope_report::value;
use isotrope_study::flow::{self, FlowReport, Target, Wanted};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Asked;
use super::settings::{Backend, Course};
use crate::answer::Answer;
use crate::constant::constant;
use crate::failure::Failure;
use crate::host::Host;
use crate::methods::Methods;
use crate::model::Model;
use crate::system::System;

/// A property that the flow is asked to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlowCheck {
    /// Steps keep dq∧dp.
    Symplectic,
    /// Steps keep the bracket.
    Poisson,
}

/// What to compute of the flow of a method.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FlowRequest {
    /// The name of a method, or `rkd:FILE`; that of the model, if none is given.
    pub method: Option<String>,
    /// The step.
    pub step: Option<String>,
    /// The time, a whole number of steps.
    pub time: Option<String>,
    /// The spectrum of Lyapunov exponents?
    pub lyapunov: bool,
    /// Parameters, coordinates and velocities: derivatives of the final state with respect to them.
    pub sensitivity: Vec<String>,
    /// Second derivatives as well?
    pub second: bool,
    /// Look for a periodic orbit?
    pub periodic: bool,
    /// What stays fixed in the search for a periodic orbit.
    pub fix: Vec<String>,
    /// Positions to be reached, NAME=VALUE.
    pub shoot: Vec<String>,
    /// A property that the flow is asked to have.
    pub check: Option<FlowCheck>,
    /// How the steps are executed.
    pub backend: Backend,
}

/// What was learnt of a flow.
#[derive(Debug)]
pub struct FlowAnswer {
    /// The report.
    pub report: FlowReport,
    check: Option<FlowCheck>,
}

impl Answer for FlowAnswer {
    fn text(&mut self, _: usize) -> String {
        self.report.to_text()
    }

    fn json(&mut self) -> Value {
        value(&self.report)
    }

    fn is_negative(&self) -> bool {
        let holds = match self.check {
            Some(FlowCheck::Symplectic) => self.report.symplectic.verdict == "symplectic",
            Some(FlowCheck::Poisson) => {
                self.report.poisson.as_ref().is_some_and(|found| found.is_kept())
            }
            None => true,
        };
        !(holds && self.report.is_good())
    }
}

impl FlowRequest {
    fn course(&self, host: &Host, model: &Model) -> Result<Course, Failure> {
        model.begins()?;
        let name = self.method.as_deref().unwrap_or_else(|| model.usual_method());
        Course::read(host, model, name, self.step.as_deref(), self.time.as_deref())
    }

    fn wanted(&self) -> Result<Wanted, Failure> {
        let names = |list: &[String]| -> Vec<String> {
            let names = list.iter().map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        };
        if self.sensitivity.iter().any(|name| name.trim().is_empty()) {
            let hint = "name parameters, coordinates or velocities, separated by commas: \
                        --sensitivity g,x,x'";
            return Err(Failure::hinted(
                FlowCode::UnknownName,
                "--sensitivity has an empty name",
                hint,
            ));
        }
        let target = if self.periodic {
            Some(Target::Periodic { fixed: names(&self.fix) })
        } else if self.shoot.is_empty() {
            None
        } else {
            let list = self.shoot.iter().map(|text| assignment(text));
            Some(Target::Positions(list.collect::<Result<_, _>>()?))
        };
        let sensitivity = names(&self.sensitivity);
        let (lyapunov, second, checked) = (self.lyapunov, self.second, self.check.is_some());
        Ok(Wanted { lyapunov, sensitivity, second, target, checked })
    }
}

impl Asked for FlowRequest {
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure> {
        self.course(host, model)?;
        self.wanted().map(|_| ())
    }
}

/// NAME=VALUE.
fn assignment(text: &str) -> Result<(String, f64), Failure> {
    let hint = "write NAME=VALUE for each coordinate, separated by commas: --shoot \"x=1,y=0\"";
    let refused = |reason: String| Failure::hinted(FlowCode::Targets, reason, hint);
    let (name, value) =
        text.split_once('=').ok_or_else(|| refused(format!("`{text}` is not a target")))?;
    let value = constant(Some(value.trim()), None, &Pool::new())
        .map_err(|reason| refused(format!("the target of {}: {reason}", name.trim())))?;
    Ok((name.trim().to_owned(), value.to_f64()))
}

impl System {
    /// Differentiates the steps of a method and reports what follows.
    pub fn flow(&mut self, asked: &FlowRequest) -> Result<FlowAnswer, Failure> {
        let mut request = asked.course(&self.host, &self.model)?.request(self);
        request.options.monitors = false;
        request.backend = asked.backend.into();
        let wanted = asked.wanted()?;
        Methods::fit(&self.host, &self.derived, asked.method.as_deref())?;
        let field = self.field()?;
        self.warn_inconsistent(&field);
        let report = self.host.during("differentiating and making steps", || {
            flow::flow(&self.derived, &field, &request, &wanted).map_err(|error| {
                let hint = error.hint().to_owned();
                Failure::because(&error, (error.code(), &error, hint))
            })
        })?;
        self.tell_cost(&report);
        if asked.check == Some(FlowCheck::Poisson) && report.poisson.is_none() {
            self.host.note(
                "--check poisson: the system has no bracket that its motion keeps; [poisson] \
                 models have",
            );
        }
        Ok(FlowAnswer { report, check: asked.check })
    }

    /// Times differ from run to run: they are not part of the answer.
    fn tell_cost(&self, report: &FlowReport) {
        let Some(cost) = &report.cost else { return };
        let ratio = cost.seconds_per_step_with_derivatives / cost.seconds_per_step;
        if ratio.is_finite() {
            self.host.note(&format!(
                "a step takes {:.0} ns, with {} directions {:.0} ns: {ratio:.1} times as long",
                1e9 * cost.seconds_per_step,
                cost.directions,
                1e9 * cost.seconds_per_step_with_derivatives,
            ));
        }
    }
}
