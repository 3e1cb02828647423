//! The differential equations that a method solves exactly.

use isotrope_report::modified::{to_json, to_latex, to_text};
use isotrope_study::modified::Modified;
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::Host;
use crate::methods::Methods;
use crate::model::Model;

/// The power of h up to which modified equations are written by default.
pub const MODIFIED_ORDER: usize = 4;

/// The modified equations of a method, for a model if one is given.
pub fn modified(
    host: &Host,
    method: &str,
    order: usize,
    model: Option<&Model>,
) -> Result<Modified, Failure> {
    let method = Methods::named(host, method)?;
    let system = match model {
        Some(model) => {
            model.without_group("modified equations")?;
            Some(model.derive(host)?.derived)
        }
        None => None,
    };
    host.during("writing out the modified equations", || {
        Modified::new(&method, order, system)
            .map_err(|error| Failure::because(&error, (error.code(), &error, error.hint())))
    })
}

impl Answer for Modified {
    fn text(&mut self, width: usize) -> String {
        to_text(self, width)
    }

    fn json(&mut self) -> Value {
        to_json(self)
    }

    fn latex(&mut self) -> Option<String> {
        Some(to_latex(self))
    }

    fn is_negative(&self) -> bool {
        self.is_contradicted()
    }
}
