//! Models: a text that was read, with what was changed in it.

use isotrope_model::codes::RunCode;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, SourceText};
use crate::host::Host;
use crate::system::System;

/// What is changed in a model: `name=value`, as after `--set` and `--initial`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Overrides {
    /// Values of parameters.
    pub set: Vec<String>,
    /// Initial values.
    pub initial: Vec<String>,
}

/// The text of a model, and what is changed in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelText {
    /// Its name in messages.
    pub name: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// What is changed.
    pub overrides: Overrides,
}

impl ModelText {
    /// The texts that places point into: the file, then what is set, then initial values.
    pub(crate) fn sources(&self) -> Vec<SourceText> {
        let source =
            |name: &str, bytes: &[u8]| SourceText { name: name.to_owned(), bytes: bytes.to_vec() };
        let Overrides { set, initial } = &self.overrides;
        let mut sources = vec![source(&self.name, &self.bytes)];
        sources.extend(set.iter().map(|text| source("--set", text.as_bytes())));
        sources.extend(initial.iter().map(|text| source("--initial", text.as_bytes())));
        sources
    }
}

/// A model that was read: a value, equal to others with the same text.
///
/// ```
/// use isotrope::{Host, Model, Overrides};
/// let file = br#"
///     coordinates = ["x"]
///     parameters.k = 1
///     lagrangian.L = "x'^2/2 - k*x^2/2"
///     initial.position.x = 1
///     initial.velocity.x = 0
/// "#;
/// let model = Model::parse("spring.toml", file, &Overrides::default())?;
/// let mut system = model.derive(&Host::new())?;
/// assert_eq!(system.derivation()?["energy"], "(x'^2 + k*x^2)/2");
///
/// let overrides = Overrides { set: vec!["c=2".into()], ..Overrides::default() };
/// let refused = Model::parse("spring.toml", file, &overrides).unwrap_err();
/// assert!(refused.to_string().contains("ISO-MODEL"));
/// # Ok::<(), isotrope::Failure>(())
/// ```
#[derive(Debug, Clone)]
pub struct Model {
    text: Arc<ModelText>,
    pub(crate) parsed: isotrope_model::Model,
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Model {}

impl std::hash::Hash for Model {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl Model {
    /// Reads a model; reports everything that is wrong with it at once.
    pub fn parse(name: &str, bytes: &[u8], overrides: &Overrides) -> Result<Self, Failure> {
        let text = ModelText {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
            overrides: overrides.clone(),
        };
        let parsed = isotrope_model::parse_model(&isotrope_model::ModelText {
            name,
            bytes,
            set: overrides.set.iter().map(String::as_str).collect(),
            initial: overrides.initial.iter().map(String::as_str).collect(),
        });
        match parsed {
            Ok(parsed) => Ok(Self { text: Arc::new(text), parsed }),
            Err(errors) => Err(Failure::of_model(&text, &errors)),
        }
    }

    /// Reads the file of a model.
    pub fn read(host: &Host, name: &str, overrides: &Overrides) -> Result<Self, Failure> {
        Self::parse(name, &host.files().read(name)?, overrides)
    }

    /// The name that the model gives itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.parsed.name
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &ModelText {
        &self.text
    }

    /// What was read.
    #[must_use]
    pub fn parsed(&self) -> &isotrope_model::Model {
        &self.parsed
    }

    /// The list of methods that are compared when none is asked for.
    #[must_use]
    pub fn suggested_methods(&self) -> &'static str {
        self.parsed.table.compared
    }

    /// The method it is run with when none is asked for.
    #[must_use]
    pub fn usual_method(&self) -> &str {
        self.parsed.run.method.as_deref().unwrap_or(self.parsed.table.method)
    }

    /// Derives its equations of motion; geometry, conserved quantities and reduced equations are
    /// derived when something asks for them.
    pub fn derive(&self, host: &Host) -> Result<System, Failure> {
        System::derive(self.clone(), self.parsed.clone(), host)
    }

    /// Refuses models without initial data where a motion has to begin.
    pub(crate) fn begins(&self) -> Result<(), Failure> {
        match &self.parsed.initial.absent {
            None => Ok(()),
            Some(absent) => Err(Failure::of_model(&self.text, std::slice::from_ref(&**absent))),
        }
    }

    /// Refuses models on Lie groups where only coordinates are understood.
    pub(crate) fn without_group(&self, what: &str) -> Result<(), Failure> {
        if self.parsed.group.is_none() {
            return Ok(());
        }
        let message = format!("this version computes no {what} of systems on a Lie group");
        let hint =
            "derive, check, run, compare, convergence and drift take them; see docs/lie-groups.md";
        Err(Failure::hinted(RunCode::LieGroup, message, hint))
    }
}
