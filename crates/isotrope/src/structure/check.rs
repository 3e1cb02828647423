//! Are the initial data consistent, is the initial point regular?

use std::sync::Arc;

use isotrope_derive::Analysis;
use isotrope_derive::check::{self, ProjectError, Projection, Report};
use isotrope_model::codes::CheckCode;
use isotrope_report::check::{Summary, to_json, to_text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::Host;
use crate::model::Model;
use crate::studies::Asked;
use crate::system::System;

/// How to check initial data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckRequest {
    /// Residuals up to this part of the terms of their constraints count as zero.
    pub tolerance: f64,
    /// Look for consistent data nearby?
    pub project: bool,
}

impl CheckRequest {
    /// Residuals up to this part of the terms of their constraints count as zero by default.
    pub const TOLERANCE: f64 = 1e-12;
}

impl Default for CheckRequest {
    fn default() -> Self {
        Self { tolerance: Self::TOLERANCE, project: false }
    }
}

/// What is known of the initial data.
#[derive(Debug)]
pub struct CheckAnswer<'a> {
    system: &'a System,
    analysis: Arc<Analysis>,
    /// The check of the data as given.
    pub report: Report,
    /// The repaired data, if they were asked for.
    pub projection: Option<Result<Projection, ProjectError>>,
}

impl CheckAnswer<'_> {
    fn summary(&self) -> Summary<'_> {
        Summary {
            system: self.system.equations(),
            analysis: &self.analysis,
            report: &self.report,
            projection: self.projection.as_ref(),
        }
    }
}

impl Answer for CheckAnswer<'_> {
    fn text(&mut self, _: usize) -> String {
        to_text(&self.summary())
    }

    fn json(&mut self) -> Value {
        to_json(&self.summary())
    }

    fn is_negative(&self) -> bool {
        !self.summary().is_good()
    }
}

impl Asked for CheckRequest {
    fn examine(&self, _: &Host, model: &Model) -> Result<(), Failure> {
        model.begins()?;
        let tolerance = self.tolerance;
        if tolerance >= 0.0 && tolerance.is_finite() {
            return Ok(());
        }
        let message = format!("the tolerance {tolerance} is not a size");
        let hint = "give a number that is not negative, such as 1e-12";
        Err(Failure::hinted(CheckCode::Tolerance, message, hint))
    }
}

impl System {
    /// Checks the initial data, by rigorous evaluation.
    pub fn check(&mut self, asked: &CheckRequest) -> Result<CheckAnswer<'_>, Failure> {
        asked.examine(&self.host, &self.model)?;
        let tolerance = asked.tolerance;
        let analysis = self.analysis()?;
        let (host, derived) = (&self.host, &mut self.derived);
        let (report, projection) = host.during("checking the initial data", || {
            let report = check::check(derived, tolerance);
            // Most systems in state space have no constraints that a state could violate.
            let free =
                derived.mechanics.state().is_some() && derived.mechanics.on_states().is_none();
            let project = asked.project && !free;
            Ok((report, project.then(|| check::project(derived, tolerance))))
        })?;
        Ok(CheckAnswer { system: self, analysis, report, projection })
    }
}
