//! Methods for a system.

use isotrope_algebra::Rational;
use isotrope_report::value;
use isotrope_scheme::Method;
use isotrope_study::recommend::{Recommendation, recommend};
use isotrope_study::run;
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::studies::settings;
use crate::system::System;

/// Operations to examine one candidate. A step that takes longer to write down is not a first choice.
const CANDIDATE: u64 = 50_000_000;

impl Answer for Recommendation {
    fn text(&mut self, width: usize) -> String {
        self.to_text(width)
    }

    fn json(&mut self) -> Value {
        value(self)
    }

    fn is_negative(&self) -> bool {
        self.methods.is_empty()
    }
}

impl System {
    /// Methods that suit the system, the best first, with reasons.
    pub fn recommend(&mut self) -> Result<Recommendation, Failure> {
        let step = self.usual_step()?;
        let field = self.field()?;
        let host = &self.host;
        host.during("judging the methods", || {
            Ok(recommend(self.name(), (&self.derived, &field), &step, CANDIDATE))
        })
    }

    /// The methods alone.
    pub(crate) fn recommended_methods(&mut self) -> Result<Vec<Method>, Failure> {
        Ok(self.recommend()?.methods.into_iter().map(|one| one.method).collect())
    }

    /// The step of the model, or a hundredth of the time of its motion.
    fn usual_step(&mut self) -> Result<Rational, Failure> {
        if self.model.parsed().run.step.is_some() {
            return settings::step(&self.model, None);
        }
        let field = self.field()?;
        let time = self.host.stop().during(|| run::time_scale(&self.derived, &field));
        let step = time.and_then(|time| Rational::from_f64(time / 100.0));
        Ok(step.unwrap_or(Rational::ONE))
    }
}
