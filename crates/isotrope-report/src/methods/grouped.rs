//! Methods with a table for each group of variables, as people and programs read them.

use isotrope_algebra::number::field::FieldElement;
use isotrope_certify::{DefectOrder, GroupedOrder, Verdict};
use isotrope_construct::exact;
use isotrope_methods::table::GroupedTable;
use isotrope_study::report::{Align, Table};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::json::VerdictRecord;
use crate::json::{Exponent, Named, value};

/// What was computed of a grouped method.
#[derive(Debug, Clone)]
pub struct GroupedSummary {
    /// The tables.
    pub table: GroupedTable,
    /// The systems it is about: the name of a problem, or trees.
    pub class: String,
    /// The trees of these systems.
    pub rules: String,
    /// The order on these systems.
    pub order: GroupedOrder,
    /// The order where every right side may depend on every group.
    pub general: Option<usize>,
    /// The exponent of the structure functions of the problem; `None` without a problem.
    pub structure: Option<DefectOrder>,
    /// The structure functions.
    pub functions: Vec<String>,
    /// What the file declares, judged.
    pub declared: Vec<Verdict>,
}

/// What `isotrope certify` answers for tables of groups.
#[derive(Debug, JsonSchema, Serialize)]
pub struct GroupedRecord {
    name: String,
    family: &'static str,
    parameters: Stages,
    /// The problem, or the trees, of the systems it is about.
    class: String,
    /// Which group depends on which, and how.
    rules: String,
    /// The order on these systems.
    order: usize,
    /// The order where every right side may depend on every group.
    general_order: Option<usize>,
    /// The structure functions of the problem.
    structure: Named<Option<Exponent>>,
    /// Their names.
    structure_functions: Vec<String>,
    explicit: bool,
    implicit_stages: usize,
    implicit_systems: Vec<usize>,
    first_failing_tree: Option<String>,
    /// By group: its variables and its exact table.
    groups: Named<GroupRecord>,
    /// Is the order certified in exact arithmetic?
    exact: bool,
    /// What the file declares, judged.
    declared: Vec<VerdictRecord>,
    /// Does all of it hold?
    declared_holds: bool,
}

#[derive(Debug, JsonSchema, Serialize)]
struct Stages {
    stages: usize,
}

#[derive(Debug, JsonSchema, Serialize)]
struct GroupRecord {
    variables: Vec<String>,
    a: Option<Vec<Vec<String>>>,
    b: Vec<String>,
}

/// The record of a grouped method.
#[must_use]
pub fn to_json(of: &GroupedSummary) -> Value {
    let field = &of.table.field;
    let list = |x: &Vec<FieldElement>| x.iter().map(|entry| exact(field, entry)).collect();
    let groups = of.table.groups.iter().map(|group| {
        let a = group.a.as_ref().map(|rows| rows.iter().map(list).collect());
        (
            group.name.clone(),
            GroupRecord { variables: group.variables.clone(), a, b: list(&group.b) },
        )
    });
    let structure = of.structure.map(|order| (of.class.clone(), Some(Exponent::from(order))));
    value(&GroupedRecord {
        name: of.table.name.clone(),
        family: "grouped",
        parameters: Stages { stages: of.table.stages },
        class: of.class.clone(),
        rules: of.rules.clone(),
        order: of.order.order,
        general_order: of.general,
        structure: Named(structure.into_iter().collect()),
        structure_functions: of.functions.clone(),
        explicit: of.order.systems.is_empty(),
        implicit_stages: of.order.systems.iter().sum(),
        implicit_systems: of.order.systems.clone(),
        first_failing_tree: of.order.first_failing.clone(),
        groups: Named(groups.collect()),
        exact: true,
        declared: of.declared.iter().map(VerdictRecord::new).collect(),
        declared_holds: of.declared.iter().all(|verdict| verdict.holds == Some(true)),
    })
}

/// The tables, what was computed, and what was declared.
#[must_use]
pub fn to_text(of: &GroupedSummary) -> String {
    let count = of.table.groups.len();
    let groups = if count == 1 { "group" } else { "groups" };
    let mut out = format!("{}  (grouped; {count} {groups})\n\n", of.table.name);
    let field = &of.table.field;
    for group in &of.table.groups {
        out.push_str(&format!("  {} = ({})\n", group.name, group.variables.join(", ")));
        let mut table = Table::new([Align::Left, Align::Right]);
        for (number, row) in group.a.iter().flatten().enumerate() {
            let label = if number == 0 { "    a" } else { "" };
            let mut cells = vec![label.to_owned()];
            cells.extend(row.iter().map(|entry| exact(field, entry)));
            table.line(cells);
        }
        let mut cells = vec!["    b".to_owned()];
        cells.extend(group.b.iter().map(|entry| exact(field, entry)));
        table.line(cells);
        out.push_str(&table.to_string());
    }
    out.push_str(&format!("\n  systems      {}: {}\n", of.class, of.rules));
    out.push_str(&format!(
        "  order        {}: {} tree conditions hold exactly\n",
        of.order.order, of.order.conditions
    ));
    if let Some(tree) = &of.order.first_failing {
        out.push_str(&format!("               next: the condition of the tree {tree} fails\n"));
    }
    if let Some(general) = of.general.filter(|&general| general != of.order.order) {
        out.push_str(&format!(
            "               {general} where every group depends on every group\n"
        ));
    }
    if let Some(structure) = of.structure {
        let how = match structure {
            DefectOrder::Infinite => {
                "quadratic functions are kept: b_i a_ij + b_j a_ji = b_i b_j for all pairs of groups"
            }
            DefectOrder::Exactly(_) => {
                "all conditions of lower powers hold exactly, one of this power fails"
            }
            DefectOrder::AtLeast(_) => "all conditions that were computed hold exactly",
        };
        let functions = of.functions.join(", ");
        out.push_str(&format!("  structure    {structure} ({functions}): {how}\n"));
    }
    let cost = match of.order.systems.as_slice() {
        [] => "explicit".to_owned(),
        systems => {
            let sizes: Vec<String> = systems.iter().map(usize::to_string).collect();
            format!("implicit: {} stages together", sizes.join(" and "))
        }
    };
    out.push_str(&format!("  cost         {cost}\n"));
    for verdict in &of.declared {
        let computed = verdict.computed.as_deref().unwrap_or("none: there is no problem");
        let judgement = match verdict.holds {
            Some(true) => "holds",
            Some(false) => "WRONG",
            None => "not decided",
        };
        out.push_str(&format!(
            "  declared {} on {}: {}; computed {computed}: {judgement}\n",
            verdict.what, of.class, verdict.claimed
        ));
    }
    out
}
