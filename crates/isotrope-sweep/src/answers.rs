//! Plans and stores as people and programs read them.

use isotrope::{Answer, value};
use serde::Serialize;
use serde_json::{Value, json};

use crate::plan::Plan;
use crate::run::Status;
use crate::study::Study;

/// What a plan comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanAnswer {
    /// The name of the study.
    pub study: String,
    /// The file of the model.
    pub model: String,
    /// Names of the axes, with how many values each has in a grid.
    pub axes: Vec<(String, u64)>,
    /// Methods and steps, `null` where the model decides.
    pub groups: Vec<crate::plan::Group>,
    /// How many members.
    pub members: u64,
    /// How many files.
    pub shards: u64,
    /// Members of a file.
    pub shard_size: u64,
    /// What names the plan.
    pub hash: String,
}

impl PlanAnswer {
    /// Of a plan and its study.
    #[must_use]
    pub fn new(plan: &Plan, study: &Study) -> Self {
        Self {
            study: study.name.clone(),
            model: study.model.clone(),
            axes: study.axes.iter().map(|axis| (axis.name.clone(), axis.values.count())).collect(),
            groups: plan.groups.clone(),
            members: plan.members(),
            shards: plan.shards().count() as u64,
            shard_size: plan.shard_size,
            hash: plan.hash.clone(),
        }
    }
}

impl Answer for PlanAnswer {
    fn text(&mut self, _: usize) -> String {
        let visible = isotrope::rooms::algebra::print::visible;
        let mut out = format!("{}: {}\n\n", visible(&self.study), visible(&self.model));
        for (name, count) in &self.axes {
            out.push_str(&format!("axis     {:12} {count} values\n", visible(name)));
        }
        for group in &self.groups {
            let or_model = |text: &Option<String>| {
                text.clone().unwrap_or_else(|| "as the model says".to_owned())
            };
            out.push_str(&format!(
                "group    method {}, step {}: {} members\n",
                or_model(&group.method),
                or_model(&group.step),
                group.members
            ));
        }
        out.push_str(&format!(
            "members  {}\nshards   {} of {} members\nhash     {}\n",
            self.members, self.shards, self.shard_size, self.hash
        ));
        out
    }

    fn json(&mut self) -> Value {
        value(self)
    }
}

impl Answer for Status {
    fn text(&mut self, _: usize) -> String {
        let part =
            if self.shards == 0 { 100.0 } else { 100.0 * self.done as f64 / self.shards as f64 };
        let complete = if self.complete { ", complete" } else { "" };
        format!(
            "shards   {} of {} ({part:.1} %{complete})\nmembers  {} of {}\nfailed   {}\n",
            self.done, self.shards, self.members_done, self.members, self.failed
        )
    }

    fn json(&mut self) -> Value {
        value(self)
    }

    fn is_negative(&self) -> bool {
        self.failed > 0
    }
}

/// Reductions by their names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reductions(pub Vec<(String, Value)>);

impl Answer for Reductions {
    fn text(&mut self, _: usize) -> String {
        let mut out = String::new();
        for (name, rows) in &self.0 {
            out.push_str(&format!("{name}\n"));
            for row in rows.as_array().into_iter().flatten() {
                let cells = row.as_object().into_iter().flatten();
                let cells: Vec<String> = cells.map(|(key, cell)| format!("{key} {cell}")).collect();
                out.push_str(&format!("  {}\n", cells.join("  ")));
            }
        }
        out
    }

    fn json(&mut self) -> Value {
        Value::Object(self.0.iter().map(|(name, rows)| (name.clone(), json!(rows))).collect())
    }
}
