//! Many methods on one system, beside a reference solution.

use isotrope_algebra::Rational;
use isotrope_report::value;
use isotrope_report::{PageSource, comparison_page};
use isotrope_scheme::Method;
use isotrope_study::compare::{self, Comparison, Plan, SortKey, Stage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Asked, settings};
use crate::answer::{Answer, with_mark};
use crate::failure::Failure;
use crate::host::{Event, Host};
use crate::methods::{Methods, remembering};
use crate::model::Model;
use crate::system::System;

/// What to compare. Whatever is not given is as the model says, or as is usual.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompareRequest {
    /// Names and lists, separated by commas; those that suit the system, if none are given.
    pub methods: Option<String>,
    /// Steps.
    pub steps: Vec<String>,
    /// The time, a whole number of each step.
    pub time: Option<String>,
    /// When iterations end.
    pub tolerance: Option<f64>,
    /// The largest number of steps of a row.
    pub max_steps: Option<u64>,
    /// How rows are ordered.
    pub sort: SortKey,
}

impl CompareRequest {
    fn plan(&self, host: &Host, model: &Model) -> Result<Plan, Failure> {
        model.begins()?;
        settings::usable_tolerance(self.tolerance)?;
        let mut steps: Vec<Rational> = Vec::new();
        if self.steps.is_empty() {
            steps.push(settings::step(model, None)?);
        }
        for text in &self.steps {
            let step = settings::step(model, Some(text.trim()))?;
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        let time = settings::time(model, self.time.as_deref())?;
        // Those that suit the system are known when it is derived.
        let methods = match self.methods.as_deref() {
            Some(list) => Methods::listed(host, list)?,
            None => Vec::new(),
        };
        for step in &steps {
            settings::count(&time, step)?;
        }
        let (tolerance, limit) = (self.tolerance, self.max_steps);
        let operations = host.limits.prepare;
        Ok(Plan { methods, steps, time, tolerance, limit, operations })
    }
}

impl Asked for CompareRequest {
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure> {
        self.plan(host, model).map(|_| ())
    }
}

impl Answer for Comparison {
    fn text(&mut self, _: usize) -> String {
        with_mark(self.to_text(), self.interrupted)
    }

    fn json(&mut self) -> Value {
        value(self)
    }

    fn latex(&mut self) -> Option<String> {
        Some(self.to_latex())
    }

    fn is_negative(&self) -> bool {
        !self.rows.iter().any(|row| row.run.outcome.is_success())
    }
}

impl System {
    /// Runs all methods with all steps. When it is interrupted the rows so far are the answer.
    pub fn compare(&mut self, asked: &CompareRequest) -> Result<Comparison, Failure> {
        let mut plan = asked.plan(&self.host, &self.model)?;
        if asked.methods.is_none() {
            plan.methods = self.recommended_methods()?;
        }
        Methods::fit(&self.host, &self.derived, asked.methods.as_deref())?;
        self.watch_all()?;
        let field = self.field()?;
        self.warn_inconsistent(&field);
        let host = &self.host;
        let compared = host.partly("running the methods", || {
            let tell = &mut |stage: Stage<'_>| {
                if let Stage::Method(name) = stage {
                    host.tell(Event::Begin(name));
                }
                host.flow()
            };
            remembering(host, plan.methods.iter().map(Method::name), || {
                let pair = (&self.derived, &*field);
                let mut compared = compare::compare(self.name(), pair, &plan, tell)?;
                if asked.methods.is_none() {
                    compared.each_map_once();
                }
                if !compared.interrupted {
                    compared.advise(pair, &plan.methods);
                }
                Ok(compared)
            })
        });
        let mut comparison =
            host.sound(compared.map_err(|error| settings::refuse_length(&error)))?;
        comparison.sort(asked.sort);
        Ok(comparison)
    }

    /// A self-contained page of a comparison; `command` is what makes it again.
    pub fn comparison_page(
        &mut self,
        comparison: &Comparison,
        command: &str,
    ) -> Result<String, Failure> {
        let (analysis, field, scene) = (self.analysis()?, self.field()?, self.scene()?);
        let source = PageSource {
            model_text: &String::from_utf8_lossy(&self.model.text().bytes),
            rotations: &field.rotations,
            scene: &scene,
            command,
        };
        Ok(comparison_page(comparison, &mut self.derived, &analysis, source))
    }
}
