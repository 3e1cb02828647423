//! Requests by the names of commands: the way in for front ends that speak JSON.

use isotrope_model::codes::RequestCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::Host;
use crate::model::Model;
use crate::structure::DeriveRequest;
use crate::studies::Asked;
use crate::system::System;

/// An answer for programs, and whether it is "no".
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What the command prints with `--json`.
    pub json: Value,
    /// A property fails, or a run did not complete.
    pub negative: bool,
    /// What it prints otherwise; empty for a derivation, whose documents are written when they are asked for.
    pub text: String,
}

/// Columns of a text that nobody has chosen.
const WIDTH: usize = 100;

impl Reply {
    /// The reply that an answer is.
    pub fn of(answer: &mut dyn Answer) -> Self {
        Self { json: answer.json(), negative: answer.is_negative(), text: answer.text(WIDTH) }
    }
}

/// Reads a request; names that it does not have are refused.
///
/// ```
/// use isotrope::{RunRequest, request};
/// let asked: RunRequest = request(r#"{ "method": "rk4", "step": "1/100" }"#)?;
/// assert_eq!(asked.method.as_deref(), Some("rk4"));
/// let refused = request::<RunRequest>(r#"{ "methode": "rk4" }"#).unwrap_err();
/// assert!(refused.to_string().contains("ISO-REQUEST-001"));
/// # Ok::<(), isotrope::Failure>(())
/// ```
pub fn request<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("the request cannot be read: {error}");
        Failure::plain(RequestCode::Unreadable, message, RequestCode::Unreadable.hint())
    })
}

/// Studies of a system that can be asked for by name.
pub const STUDIES: &[&str] = &[
    "derive",
    "check",
    "run",
    "compare",
    "convergence",
    "drift",
    "flow",
    "geometry",
    "port",
    "recommend",
    "scene",
];

/// A request that was examined before its model is derived.
fn examined<T: DeserializeOwned + Asked>(
    (host, model): (&Host, &Model),
    text: &str,
) -> Result<T, Failure> {
    let asked: T = request(text)?;
    asked.examine(host, model)?;
    Ok(asked)
}

impl Model {
    /// Refuses at once what would be refused after a long derivation.
    pub fn examine(&self, host: &Host, study: &str, text: &str) -> Result<(), Failure> {
        use crate::{
            CheckRequest, CompareRequest, ConvergenceRequest, DriftRequest, FlowRequest,
            GeometryRequest, RunRequest,
        };
        let pair = (host, self);
        match study {
            "derive" => examined::<DeriveRequest>(pair, text).map(drop),
            "check" => examined::<CheckRequest>(pair, text).map(drop),
            "run" => examined::<RunRequest>(pair, text).map(drop),
            "compare" => examined::<CompareRequest>(pair, text).map(drop),
            "convergence" => examined::<ConvergenceRequest>(pair, text).map(drop),
            "drift" => examined::<DriftRequest>(pair, text).map(drop),
            "flow" => examined::<FlowRequest>(pair, text).map(drop),
            "geometry" => examined::<GeometryRequest>(pair, text).map(drop),
            _ => Ok(()),
        }
    }
}

impl System {
    /// Answers a request by the name of its command; see [`STUDIES`].
    ///
    /// ```
    /// use isotrope::{Host, Model, Overrides};
    /// let file = br#"
    ///     coordinates = ["theta"]
    ///     lagrangian.L = "theta'^2/2 + cos(theta)"
    ///     initial = { position.theta = 2, velocity.theta = 0 }
    /// "#;
    /// let model = Model::parse("pendulum.toml", file, &Overrides::default())?;
    /// let mut system = model.derive(&Host::new())?;
    /// let reply = system.ask("run", r#"{ "method": "gauss-2", "step": "1/100", "time": "1" }"#)?;
    /// assert_eq!(reply.json["outcome"], "completed");
    /// assert!(!reply.negative);
    /// # Ok::<(), isotrope::Failure>(())
    /// ```
    pub fn ask(&mut self, study: &str, text: &str) -> Result<Reply, Failure> {
        match study {
            "derive" => {
                let asked: DeriveRequest = request(text)?;
                // What one question finds must not name or order what the next one gets.
                let (mut own, usual) = (None, DeriveRequest::default());
                let system = match asked == usual {
                    true => self,
                    false => own.insert(self.clone()),
                };
                system.seek(asked.sought())?;
                let json = match &asked.discrete {
                    Some(name) => system.clone().discretisation(name)?.json()?,
                    None => system.derivation()?,
                };
                Ok(Reply { json, negative: false, text: String::new() })
            }
            "check" => Ok(Reply::of(&mut self.check(&request(text)?)?)),
            "run" => Ok(Reply::of(&mut self.run(&request(text)?)?)),
            "compare" => Ok(Reply::of(&mut self.compare(&request(text)?)?)),
            "convergence" => Ok(Reply::of(&mut self.convergence(&request(text)?)?)),
            "drift" => Ok(Reply::of(&mut self.drift(&request(text)?)?)),
            "flow" => Ok(Reply::of(&mut self.flow(&request(text)?)?)),
            "geometry" => Ok(Reply::of(&mut self.geometry(&request(text)?)?)),
            "port" => Ok(Reply::of(&mut self.clone().port(&request(text)?)?)),
            "recommend" => Ok(Reply::of(&mut self.recommend()?)),
            "scene" => {
                let json = isotrope_report::value(&*self.scene()?);
                Ok(Reply { json, negative: false, text: String::new() })
            }
            other => {
                let message = format!("there is no study `{other}`");
                let hint = format!("ask for one of {}", STUDIES.join(", "));
                Err(Failure::plain(RequestCode::UnknownStudy, message, hint))
            }
        }
    }
}
