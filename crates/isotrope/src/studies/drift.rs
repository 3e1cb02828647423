//! What methods do in the long run.

use isotrope_algebra::Rational;
use isotrope_model::codes::DriftCode;
use isotrope_report::value;
use isotrope_scheme::Method;
use isotrope_study::drift::{self, DriftReport, Section};
use isotrope_study::run::{PrepareError, prepare};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::settings::{self, Course};
use super::{Asked, refuse_steps};
use crate::answer::{Answer, with_mark};
use crate::failure::Failure;
use crate::host::{Event, Host};
use crate::methods::Methods;
use crate::model::Model;
use crate::system::System;

/// Which methods to run for long.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DriftRequest {
    /// Names and lists, separated by commas; those that suit the model, if none are given.
    pub methods: Option<String>,
    /// One step for all methods, or one for each; that of the model, if none is given.
    pub steps: Vec<String>,
    /// The time, a whole number of each step.
    pub time: Option<String>,
    /// A surface whose crossings are located: an expression, or an equation.
    pub section: Option<String>,
}

impl Answer for DriftReport {
    fn text(&mut self, _: usize) -> String {
        with_mark(self.to_text(), self.interrupted)
    }

    fn json(&mut self) -> Value {
        value(self)
    }

    fn is_negative(&self) -> bool {
        self.rows.iter().any(|row| row.outcome != "completed")
    }
}

impl DriftRequest {
    /// Without a list, the methods passed by the caller, or else that of the model.
    fn courses(
        &self,
        host: &Host,
        model: &Model,
        suited: Option<Vec<Method>>,
    ) -> Result<Vec<Course>, Failure> {
        model.begins()?;
        let mut steps: Vec<Rational> = Vec::new();
        if self.steps.is_empty() {
            steps.push(settings::step(model, None)?);
        }
        for text in &self.steps {
            steps.push(settings::step(model, Some(text))?);
        }
        let methods = match (self.methods.as_deref(), suited) {
            (Some(list), _) => Methods::each(host, list)?,
            (None, Some(suited)) => suited,
            (None, None) => Methods::each(host, model.usual_method())?,
        };
        if steps.len() != 1 && steps.len() != methods.len() {
            let message = format!("{} steps for {} methods", steps.len(), methods.len());
            let hint = "give one step for all methods, or one for each";
            return Err(Failure::hinted(DriftCode::Steps, message, hint));
        }
        let time = settings::time(model, self.time.as_deref())?;
        let steps = steps.iter().cycle();
        methods
            .into_iter()
            .zip(steps)
            .map(|(method, step)| Course::new(method, step.clone(), &time))
            .collect()
    }
}

impl Asked for DriftRequest {
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure> {
        self.courses(host, model, None).map(|_| ())
    }
}

impl System {
    /// Runs methods for a long time and distinguishes trends from oscillations. When it is interrupted the
    /// rows so far are the answer.
    pub fn drift(&mut self, asked: &DriftRequest) -> Result<DriftReport, Failure> {
        // The method that the model names, or those that suit it.
        let named = asked.methods.is_some() || self.model.parsed().run.method.is_some();
        let suited = if named { None } else { Some(self.recommended_methods()?) };
        let courses = asked.courses(&self.host, &self.model, suited)?;
        let section = match &asked.section {
            Some(text) => Some(Section::new(&self.derived, text).map_err(|error| {
                let message = format!("the section `{text}` cannot be used: {error}");
                let hint = "write an expression in coordinates, velocities (x'), momenta (p_x) and \
                            parameters, or an equation: \"x = 0\"";
                Failure::hinted(DriftCode::Section, message, hint)
            })?),
            None => None,
        };
        Methods::fit(&self.host, &self.derived, asked.methods.as_deref())?;
        self.watch_all()?;
        let field = self.field()?;
        self.warn_inconsistent(&field);
        let (host, derived) = (&self.host, &self.derived);
        let mut rows = Vec::with_capacity(courses.len());
        for course in courses {
            let request = course.request(self);
            let prepared = host
                .partly("deriving and compiling the steps", || prepare(derived, &field, &request));
            if host.is_stopped() {
                break;
            }
            rows.push(match prepared {
                Ok(prepared) => {
                    let mut control = |done: u64| host.steps(done, request.steps);
                    let row = host.stop().during(|| {
                        drift::drift(derived, &prepared, &request, section.as_ref(), &mut control)
                    });
                    host.tell(Event::End);
                    row
                }
                Err(PrepareError::NotApplicable { reason }) => {
                    drift::not_applicable(&request, &reason)
                }
                Err(error) => return Err(refuse_steps(&request.method, &error)),
            });
        }
        host.sound(Ok(DriftReport {
            model: self.name().to_owned(),
            section: asked.section.clone(),
            coordinates: derived.symbols.names.clone(),
            momenta: section.map_or_else(Vec::new, |section| section.momenta),
            rows,
            interrupted: host.is_stopped(),
        }))
    }
}
