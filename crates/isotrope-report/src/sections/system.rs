//! What the model declares.

use isotrope_derive::System;

use super::{count, math, shown, words};
use crate::document::{Block, Fact, Formula, Inline, Section, Sign};

/// Name, coordinates, parameters.
pub(crate) fn section(system: &System) -> Section {
    let model = &system.model;
    let names: Vec<String> = model.coordinates.iter().map(|c| c.name.clone()).collect();
    let mut facts = vec![Fact { label: "coordinates".into(), content: listed(&names) }];
    if !model.parameters.is_empty() {
        let mut content = Vec::new();
        for (position, parameter) in model.parameters.iter().enumerate() {
            if position > 0 {
                content.push(words(", "));
            }
            content.push(math(Formula::Row(vec![
                Formula::Name(parameter.name.clone()),
                Formula::Sign(Sign { text: " = ", ..Sign::EQUALS }),
                parameter.value.into(),
            ])));
        }
        facts.push(Fact { label: "parameters".into(), content });
    }
    let kind = match system.mechanics.descriptor() {
        Some(_) => "port-Hamiltonian descriptor system",
        None => model.table.title,
    };
    let (n, m) = (names.len(), model.constraints.len());
    let mut size = match system.mechanics.chain() {
        Some(chain) => {
            let q = chain.coordinates.dimension();
            format!("{kind}, {} and their momenta", count(q, "coordinate"))
        }
        None => format!("{kind}, {}", count(n, "coordinate")),
    };
    if let Some(group) = &model.group {
        let mut factors: Vec<String> = group.factors.iter().map(|f| f.name().to_owned()).collect();
        let rest = n - group.components.min(n);
        if rest > 0 {
            factors.push(if rest == 1 { "R".to_owned() } else { format!("R^{rest}") });
        }
        size = format!("{kind}, {}", count(n, "velocity").replace("velocitys", "velocities"));
        facts[0].label = "velocities".into();
        facts.insert(0, Fact::words("group", factors.join(" × ")));
    }
    if m > 0 {
        let redundant = system.mechanics.dynamics().map_or(0, |(_, rows)| rows.redundant.len());
        let follow = if redundant > 0 { format!(", {redundant} redundant") } else { String::new() };
        size.push_str(&format!(
            ", {}{follow}: {} in the velocities",
            count(m, "constraint"),
            freedom(n - (m - redundant.min(m)).min(n))
        ));
    }
    facts.insert(0, Fact::words("system", size));
    Section { id: "system", title: "System", blocks: vec![Block::Facts(facts)] }
}

fn freedom(degrees: usize) -> String {
    if degrees == 1 {
        "1 degree of freedom".into()
    } else {
        format!("{degrees} degrees of freedom")
    }
}

fn listed(names: &[String]) -> Vec<Inline> {
    let mut content = Vec::new();
    let visible = shown(names.len());
    for (position, name) in names.iter().take(visible).enumerate() {
        if position > 0 {
            content.push(words(", "));
        }
        content.push(math(Formula::Name(name.clone())));
    }
    if visible < names.len() {
        content.push(words(format!(", … and {} more", names.len() - visible)));
    }
    content
}
