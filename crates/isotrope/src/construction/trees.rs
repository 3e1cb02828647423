//! The coloured trees of a family of methods, one order condition each.

use isotrope_methods::trees::{Family, Listing, TreesError, list};
use isotrope_report::trees::{to_json, to_latex, to_text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::Host;

/// Families of methods that have names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreeFamily {
    /// Runge–Kutta methods for y' = f(y).
    Rk,
    /// Partitioned methods for q' = f(q, p), p' = g(q, p).
    Prk,
    /// Nyström methods for q'' = f(q, q').
    Nystrom,
    /// q' = v, v' = f(q, v), p' = g(q, v).
    #[default]
    Qvp,
}

/// Which trees to list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TreesRequest {
    /// The family.
    pub family: TreeFamily,
    /// Your own groups in place of the family: `"q=v; v=q,v"`.
    pub groups: Option<String>,
    /// Only trees of rates that are quadratic in velocities?
    pub natural: bool,
    /// Up to this order.
    pub order: usize,
    /// Only count them?
    pub counts: bool,
    /// Draw them in the text?
    pub draw: bool,
}

impl TreesRequest {
    /// The order by default.
    pub const ORDER: usize = 4;
}

impl Default for TreesRequest {
    fn default() -> Self {
        let (family, order) = (TreeFamily::default(), Self::ORDER);
        Self { family, groups: None, natural: false, order, counts: false, draw: false }
    }
}

/// Trees, counted or listed.
#[derive(Debug)]
pub struct TreesAnswer {
    /// The list.
    pub listing: Listing,
    draw: bool,
}

/// Lists the trees of a family.
pub fn trees(host: &Host, asked: &TreesRequest) -> Result<TreesAnswer, Failure> {
    let family = match &asked.groups {
        Some(text) => Family::parse(text).map_err(|error| {
            let (span, error) = (error.span.clone(), TreesError::Groups(error));
            let told = (error.code().into(), error.message(), error.hint());
            Failure::in_text("--groups", text, span, told)
        })?,
        None => match asked.family {
            TreeFamily::Rk => Family::runge_kutta(),
            TreeFamily::Prk => Family::partitioned(),
            TreeFamily::Nystrom => Family::nystrom(),
            TreeFamily::Qvp => Family::qvp(),
        },
    };
    host.during("listing the trees", || {
        let listing = list(family, asked.natural, asked.order, asked.counts)
            .map_err(|error| Failure::plain(error.code(), error.message(), error.hint()))?;
        Ok(TreesAnswer { listing, draw: asked.draw })
    })
}

impl Answer for TreesAnswer {
    fn text(&mut self, width: usize) -> String {
        to_text(&self.listing, width, self.draw)
    }

    fn json(&mut self) -> Value {
        to_json(&self.listing)
    }

    fn latex(&mut self) -> Option<String> {
        Some(to_latex(&self.listing))
    }
}
