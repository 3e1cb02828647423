//! Discrete Dirac structures, and Dirac-1 among them.

use isotrope_algebra::ExprId;
use isotrope_algebra::normal::Zero;
use isotrope_derive::{LagrangianMechanics, System};
use isotrope_scheme::{DiscreteAction, Relation, Side};

use super::answer;
use super::gather::{DiscreteReport, StructurePart};
use super::sections::formulas;
use crate::document::{Block, Equation, Fact, Formula, Section, Sign};
use crate::sections::{math, words};

/// Both structures; none where they were not computed.
pub(super) fn structures(system: &System, report: &DiscreteReport) -> Option<Section> {
    let [plus, minus] = report.structures.as_slice() else { return None };
    let mut blocks = vec![Block::words(
        "A discrete Dirac structure is D_Δ on differences w = (q_next - q, p_next - p): the (+)-structure \
         at (q, p_next), the (-)-structure at (q_next, p). With l the discrete Lagrangian of a step of \
         velocity v, divided by h, the scheme is (w, h(-∂l/∂q, v)) ∈ D_Δ over p = ∂l/∂v: the principle \
         of Hamilton and Pontryagin in (q, v, p).",
    )];
    if !report.action.is_direct() {
        blocks.push(Block::words(
            "With inner points l is S/h, stationary in them; its formulas are in the output of --json.",
        ));
    }
    for part in [plus, minus] {
        side(system, &report.action, part, &mut blocks);
    }
    Some(Section { id: "discrete-dirac", title: "Discrete Dirac structures", blocks })
}

fn side(system: &System, action: &DiscreteAction, part: &StructurePart, blocks: &mut Vec<Block>) {
    let (pool, direct) = (&action.pool, action.is_direct());
    let scheme = &part.scheme;
    let n = system.symbols.dimension();
    let (title, letter, from) = match scheme.side {
        Side::Plus => {
            ("(+): over (q, p_next), q_next = q + h v", Sign::PLUS_LAGRANGIAN, "q, p_next")
        }
        Side::Minus => {
            ("(-): over (q_next, p), q = q_next - h v", Sign::MINUS_LAGRANGIAN, "q_next, p")
        }
    };
    blocks.push(Block::Heading(title.to_owned()));
    if direct {
        formulas(blocks, pool, &[scheme.lagrangian], |_| Equation::new(letter, scheme.lagrangian));
    }
    let rank = part.rank.map_or("not computed".to_owned(), |rank| rank.to_string());
    blocks.push(Block::Facts(vec![
        Fact::words("isotropic", format!("{} (pairing of all generators)", answer(part.isotropic))),
        Fact::words("rank", format!("{rank} of {}", 2 * n)),
    ]));
    if !direct {
        return;
    }
    blocks.push(Block::words(format!("The momentum at ({from}):")));
    formulas(blocks, pool, &scheme.momentum, |i| {
        Equation::new(scheme.structure.base[n + i], scheme.momentum[i])
    });
    blocks.push(Block::words(
        "(w, h(-∂l/∂q, v)) is in D_Δ if its pairings with the generators of D_Δ vanish, \
         the fields X, the ∂p and the constraints:",
    ));
    let list = &scheme.conditions;
    formulas(blocks, pool, list, |i| Equation::new(list[i], ExprId::ZERO));
    match &part.defects {
        Some(defects) if defects.is_empty() => blocks.push(Block::words(
            "dq∧dp is kept on admissible variations: the relation of (q, p) and (q_next, p_next) is \
             isotropic (proved by second derivatives).",
        )),
        Some(defects) => {
            blocks.push(Block::words(
                "On admissible variations dq∧dp changes; on two fields X, the other end being held, by",
            ));
            let list = defects.iter().map(|defect| {
                let left = Formula::Row(vec![
                    Sign::FORM_CHANGE.into(),
                    Sign::OPEN.into(),
                    Formula::Indexed("X", defect.fields.0 + 1),
                    Sign::COMMA.into(),
                    Formula::Indexed("X", defect.fields.1 + 1),
                    Sign::CLOSE.into(),
                ]);
                Equation::new(left, defect.value)
            });
            blocks.push(Block::Equations(list.collect()));
        }
        None => {}
    }
}

/// What Dirac-1 is, and what the discrete Lagrangian at hand has to do with it.
pub(super) fn first(system: &System, report: &DiscreteReport) -> Option<Section> {
    let first = report.first.as_ref()?;
    let LagrangianMechanics { rows, .. } = system.mechanics.lagrangian()?;
    let mut facts = vec![Fact::words(
        "what it is",
        match first.is_rectangle {
            Zero::Yes => {
                "the (+)-scheme of the rectangle h L(q, (q_next - q)/h): its equations are those of \
                 dirac-1, proved for this system"
                    .to_owned()
            }
            other => format!("the (+)-scheme of the rectangle? {}", answer(other)),
        },
    )];
    if let Some(zero) = first.is_symplectic_euler {
        facts.push(Fact::words(
            "in (q, p)",
            match zero {
                Zero::Yes => {
                    "p_next = p - h ∂H/∂q(q, p_next) + reactions, q_next = q + h ∂H/∂p(q, p_next): \
                     ∂L/∂q at fixed v is -∂H/∂q at fixed p (proved)"
                }
                Zero::No => "∂L/∂q at fixed v is not -∂H/∂q at fixed p",
                Zero::Unknown { .. } => "not decided",
            },
        ));
    }
    let mut blocks = Vec::new();
    let method = &report.method;
    let mut more = Vec::new();
    let relation = match &first.relation {
        Relation::Same => format!("{method} has the discrete Lagrangian of dirac-1"),
        Relation::Shifted(shift) => {
            more.push(Block::words(
                "Its momenta less those of dirac-1 are functions of the position:",
            ));
            let list = shift
                .iter()
                .zip(&system.symbols.names)
                .map(|(&by, name)| Equation::new(Formula::Name(format!("Delta_p_{name}")), by));
            more.push(Block::Equations(list.collect()));
            format!("without constraints {method} takes the positions of dirac-1")
        }
        Relation::Different { coordinate, by } => {
            let name = &system.symbols.names[*coordinate];
            more.push(Block::words(format!(
                "The discrete Euler–Lagrange equation of {name} less that of dirac-1:"
            )));
            formulas(&mut more, &report.action.pool, &[*by], |_| Equation::new(Sign::CHANGE, *by));
            format!("{method} has other equations: no shift of p makes them those of dirac-1")
        }
        Relation::InnerPoints => {
            format!("{method} has inner points: its equations are not those of dirac-1")
        }
        Relation::Undecided => "not decided".to_owned(),
    };
    facts.push(Fact::words("here", relation));
    blocks.push(Block::Facts(facts));
    blocks.extend(more);
    if !rows.is_empty() {
        let differ =
            if first.conditions.is_empty() { "." } else { ". At q_next = q + h v they differ:" };
        blocks.push(Block::words(format!(
            "Its constraint is A(q)v = 0 at the beginning of the step, where the discrete Lagrangian \
             has the conditions above{differ}",
        )));
        let conditions = report.action.conditions.iter().zip(&first.conditions);
        for (condition, &excess) in conditions {
            let name = &rows.names[condition.row];
            let left = if condition.on_position {
                format!("φ(q_next) - φ(q) - h A(q)v of “{name}” is ")
            } else {
                format!("the condition less A(q)v of “{name}” is ")
            };
            let end = if !condition.on_position {
                "."
            } else if excess.is_zero() {
                ": dirac-1 stays where φ = 0."
            } else {
                ": by this dirac-1 leaves φ = 0 in one step."
            };
            blocks.push(Block::Paragraph(vec![words(left), math(excess), words(end)]));
        }
    }
    Some(Section { id: "dirac-1", title: "Dirac-1 in this language", blocks })
}
