//! Singular Lagrangians: the constraint chain, the classes, gauge directions, the Dirac bracket.

use isotrope_algebra::ExprId;
use isotrope_algebra::normal::Zero;
use isotrope_derive::{BranchEnd, ConstraintChain, System};

use super::{count, equations, math, words};
use crate::document::{Basis, Block, Combination, Equation, Fact, Formula, Inline, Section, Sign};

/// All sections.
pub(crate) fn sections(system: &mut System, chain: &ConstraintChain) -> Vec<Option<Section>> {
    vec![
        Some(lagrangian(chain)),
        Some(constraints(chain)),
        Some(classes(system, chain)),
        gauge(system, chain),
        gauge_fix(system, chain),
        branches(chain),
    ]
}

fn lagrangian(chain: &ConstraintChain) -> Section {
    let blocks = vec![
        Block::Equations(vec![Equation::new(Sign::LAGRANGIAN, chain.lagrangian)]),
        Block::words(
            "The Hessian ∂²L/∂v² is singular: the momenta are not independent. Where the primary \
             constraints hold,",
        ),
        Block::Equations(vec![Equation::new(Sign::HAMILTONIAN, chain.hamiltonian)]),
    ];
    Section { id: "lagrangian", title: "Lagrangian", blocks }
}

fn name(k: usize) -> Formula {
    Formula::Name(format!("C_{}", k + 1))
}

/// What vanishes, round by round.
fn constraints(chain: &ConstraintChain) -> Section {
    let mut blocks = Vec::new();
    for round in 0..=chain.rounds {
        let own: Vec<usize> =
            (0..chain.constraints.len()).filter(|&k| chain.constraints[k].round == round).collect();
        if own.is_empty() {
            continue;
        }
        blocks.push(Block::words(match round {
            0 => "Primary constraints, C = 0:".to_owned(),
            1 => "Secondary constraints: what the primary ones demand to last:".to_owned(),
            2 => "Tertiary constraints: what these demand:".to_owned(),
            _ => format!("Round {round}:"),
        }));
        equations(&mut blocks, own.len(), |k| {
            Equation::new(name(own[k]), chain.constraints[own[k]].expression)
        });
        for &k in &own {
            let constraint = &chain.constraints[k];
            if constraint.power > 1 {
                blocks.push(Block::Paragraph(vec![
                    words("C_"),
                    words(format!("{} was found to the power {}: ", k + 1, constraint.power)),
                    words("the power is dropped."),
                ]));
            }
        }
    }
    let mut facts = vec![Fact::words("check", lasting(chain))];
    if !chain.conditions.is_empty() {
        facts.push(Fact {
            label: "where".into(),
            content: listed(&chain.conditions, "none of these vanishes: "),
        });
    }
    if !chain.decided {
        let text = "ranks are those at general points: with several constraints that are not \
                    solved for a variable this is not proved";
        facts.push(Fact::words("ranks", text.to_owned()));
    }
    blocks.push(Block::Facts(facts));
    Section { id: "chain", title: "Constraint chain", blocks }
}

fn lasting(chain: &ConstraintChain) -> String {
    match chain.lasting {
        Zero::Yes => "the equations below keep all constraints, proved symbolically",
        Zero::No => "the equations below do not keep the constraints",
        Zero::Unknown { .. } => "not decided whether the equations below keep the constraints",
    }
    .to_owned()
}

fn listed(list: &[ExprId], before: &str) -> Vec<Inline> {
    let mut content = Vec::new();
    for (k, &expression) in list.iter().enumerate() {
        content.push(words(if k == 0 { before.to_owned() } else { ", ".to_owned() }));
        content.push(math(expression));
    }
    content
}

/// First and second class, dimensions, the bracket.
fn classes(system: &System, chain: &ConstraintChain) -> Section {
    let (second, first) = (chain.classes.second.len(), chain.classes.first.len());
    let mut facts = vec![
        Fact::words("second class", count(second, "constraint")),
        Fact::words("first class", count(first, "constraint")),
        Fact::words(
            "dimensions",
            format!(
                "{} of the phase space, {} of the final manifold, {}, {} reduced",
                chain.phase,
                chain.last,
                count(chain.gauge.len(), "gauge direction"),
                chain.reduced()
            ),
        ),
    ];
    if first > 0 && !chain.forced {
        let text = match chain.first_class_generate_gauge() {
            true => "holds: each first-class constraint generates a gauge motion".to_owned(),
            false => format!(
                "fails: {} of first class, and {}",
                count(first, "constraint"),
                count(chain.gauge.len(), "gauge direction")
            ),
        };
        facts.push(Fact::words("Dirac's conjecture", text));
    }
    let mut blocks = vec![Block::Facts(facts)];
    if first > 0 {
        blocks.push(Block::words(
            "Of first class, their brackets with all constraints vanish where these hold:",
        ));
        equations(&mut blocks, first, |k| Equation::new(chain.classes.first[k], ExprId::ZERO));
    }
    if second > 0 {
        let names: Vec<String> =
            chain.classes.second.iter().map(|k| format!("C_{}", k + 1)).collect();
        blocks.push(Block::words(format!(
            "Of second class: {}, whose matrix of brackets is invertible.",
            names.join(", ")
        )));
    }
    let names = &system.symbols.names;
    let bracket = &chain.classes.bracket;
    let mut entries = Vec::new();
    for (a, row) in bracket.iter().enumerate() {
        for (b, &value) in row.iter().enumerate().skip(a + 1) {
            if !value.is_zero() {
                let left = Formula::Row(vec![
                    Sign::OPEN_BRACE.into(),
                    Formula::Name(names[a].clone()),
                    Sign::COMMA.into(),
                    Formula::Name(names[b].clone()),
                    Sign::CLOSE_BRACE.into(),
                ]);
                entries.push(Equation::new(left, value));
            }
        }
    }
    blocks.push(Block::words(match second {
        0 => "The Dirac bracket is the canonical one; all others vanish:",
        _ => "The Dirac bracket, where the constraints hold; all others vanish:",
    }));
    blocks.push(Block::Equations(entries));
    Section { id: "classes", title: "Classes and Dirac bracket", blocks }
}

/// Multipliers and gauge directions.
fn gauge(system: &mut System, chain: &ConstraintChain) -> Option<Section> {
    let mut blocks = Vec::new();
    let known: Vec<(ExprId, ExprId)> = chain
        .multipliers
        .iter()
        .filter_map(|multiplier| multiplier.value.map(|value| (multiplier.symbol, value)))
        .collect();
    if !known.is_empty() {
        blocks.push(Block::words("The constraints determine the multipliers"));
        equations(&mut blocks, known.len(), |k| Equation::new(known[k].0, known[k].1));
    }
    let free: Vec<ExprId> = chain
        .multipliers
        .iter()
        .filter(|multiplier| multiplier.value.is_none())
        .map(|multiplier| multiplier.symbol)
        .collect();
    if !free.is_empty() {
        blocks.push(Block::Paragraph(
            [listed(&free, "Arbitrary functions of time: "), vec![words(".")]].concat(),
        ));
        let names = system.symbols.names.clone();
        let pool = &mut system.model.pool;
        let fields = chain
            .gauge
            .iter()
            .enumerate()
            .map(|(k, field)| {
                let field = Combination::new(pool, field, &names, Basis::Partial);
                Equation::new(Formula::Indexed("Y", k + 1), Formula::Combination(field))
            })
            .collect();
        blocks.push(Block::words("Gauge directions, where the constraints hold:"));
        blocks.push(Block::Equations(fields));
    }
    (!blocks.is_empty()).then_some(Section { id: "gauge", title: "Multipliers and gauge", blocks })
}

/// The gauge that was chosen.
fn gauge_fix(system: &System, chain: &ConstraintChain) -> Option<Section> {
    let fixed = chain.fixed.as_ref()?;
    let mut blocks = vec![Block::words("The conditions, and what follows from them:")];
    equations(&mut blocks, fixed.conditions.len(), |k| {
        Equation::new(fixed.conditions[k].expression, ExprId::ZERO)
    });
    let known: Vec<(ExprId, ExprId)> = fixed
        .multipliers
        .iter()
        .filter_map(|multiplier| multiplier.value.map(|value| (multiplier.symbol, value)))
        .collect();
    blocks.push(Block::words("In this gauge"));
    equations(&mut blocks, known.len(), |k| Equation::new(known[k].0, known[k].1));
    let left = match &chain.free[..] {
        [] => "no multiplier is left free".to_owned(),
        free => {
            let names: Vec<String> = free.iter().map(|&u| system.model.pool.label(u)).collect();
            format!("{} still free", names.join(", "))
        }
    };
    blocks.push(Block::Facts(vec![
        Fact::words(
            "admissible",
            format!(
                "{} for {} of {}, proved where the constraints hold",
                count(fixed.conditions.len(), "condition"),
                fixed.rank,
                count(chain.gauge.len(), "gauge direction")
            ),
        ),
        Fact::words("dimension", fixed.dimension.to_string()),
        Fact::words("multipliers", left),
    ]));
    Some(Section { id: "gauge-fix", title: "Chosen gauge", blocks })
}

/// Branches that were not taken.
fn branches(chain: &ConstraintChain) -> Option<Section> {
    if chain.branches.is_empty() && chain.complete {
        return None;
    }
    let mut blocks = Vec::new();
    if !chain.chosen.is_empty() {
        blocks.push(Block::Paragraph(
            [listed(&chain.chosen, "A product has to vanish. Here vanishes "), vec![words(".")]]
                .concat(),
        ));
    }
    for branch in &chain.branches {
        let mut content = listed(&branch.chosen, "Another branch, where these vanish: ");
        content.push(words(match branch.end {
            BranchEnd::Lasting(dimension) => {
                format!("; its final manifold has dimension {dimension}.")
            }
            BranchEnd::Contradiction(_) => "; it has no motion.".to_owned(),
            BranchEnd::Open => "; it was not followed to its end.".to_owned(),
        }));
        blocks.push(Block::Paragraph(content));
    }
    if !chain.complete {
        blocks.push(Block::words("There are more branches, which were not followed."));
    }
    Some(Section { id: "branches", title: "Branches", blocks })
}
