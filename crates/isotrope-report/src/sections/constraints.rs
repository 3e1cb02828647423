//! The constraints, their kinds, and what they hide.

use isotrope_algebra::ExprId;
use isotrope_derive::{ConstraintKind, ConstraintRows, DistributionReport, System, Written};

use super::mechanics::short;
use super::{FIRST, math, words};
use crate::document::{Block, Equation, Fact, Formula, Section, Sign};

/// All constraints; empty if there are none.
pub(crate) fn section(
    system: &mut System,
    rows: &ConstraintRows,
    report: &DistributionReport,
) -> Option<Section> {
    if rows.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    // A constraint takes four lines: of many, a few are enough.
    let visible = if rows.len() > 6 { FIRST } else { rows.len() };
    for a in 0..visible {
        blocks.push(Block::Heading(rows.names[a].clone()));
        blocks.push(Block::Equations(vec![Equation::new(rows.expressions[a], ExprId::ZERO)]));
        let (kind, integrable) =
            report.kinds.get(a).copied().unwrap_or((ConstraintKind::Nonholonomic, None));
        let mut facts = vec![Fact::words("kind", describe(kind, integrable, report))];
        if rows.written[a] == Written::Position {
            let hidden = short(system, rows.velocity_level[a]);
            let equation = Formula::Row(vec![
                hidden.into(),
                Formula::Sign(Sign { text: " = ", ..Sign::EQUALS }),
                ExprId::ZERO.into(),
            ]);
            let content = vec![math(equation), words(" on the velocities")];
            facts.push(Fact { label: "hidden".into(), content });
        }
        blocks.push(Block::Facts(facts));
    }
    if visible < rows.len() {
        let kinds = tally(report);
        blocks.push(Block::words(format!("… and {} more ({kinds} in all)", rows.len() - visible)));
    }
    for row in rows.redundant.iter().take(FIRST) {
        blocks.push(Block::Heading(row.name.clone()));
        blocks.push(Block::Equations(vec![Equation::new(row.expression, ExprId::ZERO)]));
        let from = row.follows_from.join(", ");
        let kind = format!("holonomic, redundant: it follows from {from} (proved) and is left out");
        blocks.push(Block::Facts(vec![Fact::words("kind", kind)]));
    }
    if rows.redundant.len() > FIRST {
        let more = rows.redundant.len() - FIRST;
        blocks.push(Block::words(format!("… and {more} more that are redundant")));
    }
    Some(Section { id: "constraints", title: "Constraints", blocks })
}

fn tally(report: &DistributionReport) -> String {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for (kind, _) in &report.kinds {
        match counts.iter_mut().find(|entry| entry.0 == kind.name()) {
            Some(entry) => entry.1 += 1,
            None => counts.push((kind.name(), 1)),
        }
    }
    counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

fn describe(kind: ConstraintKind, integrable: Option<bool>, report: &DistributionReport) -> String {
    let alone = report.integrable == Some(false) && report.kinds.len() > 1;
    match (kind, integrable) {
        (ConstraintKind::Holonomic, _) => "holonomic: it holds for positions".into(),
        (ConstraintKind::PfaffianIntegrable, _) if alone => {
            "Pfaffian, integrable: it follows from a constraint on positions, although the \
             whole set does not"
                .into()
        }
        (ConstraintKind::PfaffianIntegrable, _) => {
            "Pfaffian, integrable: it follows from a constraint on positions (Frobenius)".into()
        }
        (ConstraintKind::Nonholonomic, Some(false)) => {
            "nonholonomic: no constraint on positions implies it (Frobenius)".into()
        }
        (ConstraintKind::Nonholonomic, _) => {
            "linear in the velocities; whether it integrates is not decided".into()
        }
        (ConstraintKind::Affine, integrable) => format!(
            "affine in the velocities: the structure is affine, not Dirac{}",
            match integrable {
                Some(true) => "; it integrates",
                Some(false) => "; it does not integrate",
                None => "",
            }
        ),
        (ConstraintKind::Chetaev, _) => {
            "nonlinear in the velocities, with Chetaev reactions as asked for (a model \
             assumption, not a theorem)"
                .into()
        }
    }
}
