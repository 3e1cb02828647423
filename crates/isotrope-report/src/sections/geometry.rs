//! The distribution of admissible velocities and the almost Dirac structure.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OrInternal};
use isotrope_derive::{Analysis, ConstraintRows, DistributionReport, Dynamics, System, Written};

use super::{WHOLE, math, words};
use crate::document::{Basis, Block, Combination, Equation, Fact, Formula, Section, Sign};

/// Rank, Frobenius, flags; none without constraints.
pub(crate) fn distribution(
    system: &mut System,
    rows: &ConstraintRows,
    report: &DistributionReport,
) -> Option<Section> {
    if rows.is_empty() {
        return None;
    }
    let n = system.symbols.dimension();
    let mut names = system.symbols.names.clone();
    if report.extended {
        names.push("t".to_owned());
    }
    let pool = &mut system.model.pool;
    let mut blocks = Vec::new();
    let space = if report.extended { "positions and time" } else { "positions" };
    let mut facts = vec![Fact::words(
        "rank",
        format!("{} of {n}: admissible velocities at each point", report.rank),
    )];
    facts.push(Fact::words(
        "integrable",
        match report.integrable {
            Some(true) if rows.all_holonomic() => {
                "yes: the constraints are differentials of functions".to_owned()
            }
            Some(true) => format!("yes (Frobenius): the {space} are foliated"),
            Some(false) => {
                "no (Frobenius): a bracket of admissible fields is not admissible".into()
            }
            None if rows.written.contains(&Written::Chetaev) => {
                "not a question: some constraints are nonlinear in the velocities".into()
            }
            None => "not decided".into(),
        },
    ));
    let small = names.len() <= WHOLE;
    if let Some(distribution) = report.distribution.as_ref().filter(|_| small) {
        blocks.push(Block::words("Admissible directions:"));
        let fields = distribution
            .frame
            .iter()
            .enumerate()
            .map(|(k, field)| {
                let combination = Combination::new(pool, &field.components, &names, Basis::Partial);
                Equation::new(Formula::Indexed("X", k + 1), Formula::Combination(combination))
            })
            .collect();
        blocks.push(Block::Equations(fields));
    }
    if let Some(obstruction) = &report.obstruction {
        let bracket =
            Combination::new(pool, &obstruction.bracket.components, &names, Basis::Partial);
        let left = Formula::Row(vec![
            Sign::OPEN_BRACKET.into(),
            Formula::Indexed("X", obstruction.first + 1),
            Sign::COMMA.into(),
            Formula::Indexed("X", obstruction.second + 1),
            Sign::CLOSE_BRACKET.into(),
        ]);
        let name =
            rows.names.get(obstruction.form).cloned().or_noticed("an obstruction is a constraint");
        blocks.push(Block::words("The bracket that does not close:"));
        blocks.push(Block::Equations(vec![Equation::new(left, Formula::Combination(bracket))]));
        blocks.push(Block::Paragraph(vec![
            words(format!("the constraint “{name}” is not zero on it but ")),
            math(obstruction.value),
            words("."),
        ]));
    }
    if let Some(flag) = &report.flag {
        facts.push(Fact::words("growth vector", tuple(&flag.growth_vector)));
        facts.push(Fact::words("derived flag", tuple(&flag.derived_flag)));
        let reach = if flag.bracket_generating && report.extended {
            "accessible: brackets span positions and time (with a drift, that is less than control)"
                .to_owned()
        } else if flag.bracket_generating {
            format!(
                "yes, near a generic point: its own directions reach all {space} around it (Chow–Rashevskii)"
            )
        } else {
            let leaf = flag.derived_flag.last().copied().unwrap_or(report.rank);
            format!("no: motions stay on leaves of dimension {leaf}")
        };
        facts.push(Fact::words("controllable", reach));
        if !flag.conditions.is_empty() && small {
            blocks.push(Block::words("The ranks are those of points where"));
            let conditions = flag.conditions.iter().map(|&condition| Equation {
                left: condition.into(),
                sign: Sign::DIFFERS,
                right: ExprId::ZERO.into(),
            });
            blocks.push(Block::Equations(conditions.collect()));
        }
        if !flag.proved {
            facts.push(Fact::words("note", "the flag was computed at random points only"));
        }
        if !flag.integrable_part.is_empty() && small && report.integrable != Some(true) {
            blocks.push(Block::words("The part of the constraints that integrates:"));
            let forms = flag
                .integrable_part
                .iter()
                .map(|form| {
                    let form = Combination::new(pool, form, &names, Basis::Differential);
                    Equation::new(Formula::Combination(form), ExprId::ZERO)
                })
                .collect();
            blocks.push(Block::Equations(forms));
        }
    }
    blocks.insert(0, Block::Facts(facts));
    Some(Section { id: "distribution", title: "Distribution of admissible velocities", blocks })
}

pub(super) fn tuple(numbers: &[usize]) -> String {
    let inner = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    format!("({inner})")
}

/// The Dirac differential and the almost Dirac structure.
pub(crate) fn dirac(
    system: &mut System,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    analysis: &Analysis,
) -> Option<Section> {
    let n = system.symbols.dimension();
    if n > WHOLE {
        return None;
    }
    let symbols = system.symbols.clone();
    let pool = &mut system.model.pool;
    let mut blocks = vec![Block::Paragraph(vec![
        words("Dirac differential "),
        math(Sign::DIRAC_DIFFERENTIAL),
        words(" = "),
        math(Sign::DIRAC_PARTS),
        words(":"),
    ])];
    let falling: Vec<ExprId> = dynamics.gradient.iter().map(|&g| pool.neg(g)).collect();
    let mut parts: Vec<Formula> = vec![Sign::OPEN.into()];
    for (position, group) in
        [&symbols.position, &dynamics.momenta, &falling, &symbols.velocity].into_iter().enumerate()
    {
        if position > 0 {
            parts.push(Sign::SEMICOLON.into());
        }
        for (k, &component) in group.iter().enumerate() {
            if k > 0 {
                parts.push(Sign::COMMA.into());
            }
            parts.push(component.into());
        }
    }
    parts.push(Sign::CLOSE.into());
    blocks
        .push(Block::Equations(vec![Equation::new(Sign::DIRAC_DIFFERENTIAL, Formula::Row(parts))]));
    match &analysis.dirac {
        Some(structure) => {
            let mut names = symbols.names.clone();
            names.extend(symbols.names.iter().map(|name| format!("p_{name}")));
            let isotropic = match structure.is_isotropic(pool, &mut Budget::new(5_000_000)) {
                Zero::Yes => "proved",
                Zero::No => "no",
                Zero::Unknown { .. } => "not decided",
            };
            let rank = structure.generators.len();
            let kind = if rows.is_empty() && system.model.magnetic.is_some() {
                "the graph of dq∧dp + B, which is closed: Dirac"
            } else if rows.is_empty() {
                "the graph of the canonical form: Dirac"
            } else if rows.is_affine() {
                "for the linear part of the constraints; the system itself is affine, not Dirac"
            } else if analysis.distribution.integrable == Some(true) {
                "Dirac: the distribution is integrable"
            } else {
                match analysis.distribution.integrable {
                    Some(_) if analysis.distribution.extended => {
                        "almost Dirac at each time; the constraints do not integrate on (q, t)"
                    }
                    Some(_) => "almost Dirac: the distribution is not integrable",
                    None => "almost Dirac; whether the distribution is integrable is not decided",
                }
            };
            blocks.push(Block::Facts(vec![
                Fact::words("structure", kind),
                Fact::words("rank", format!("{rank} of {}", 4 * n)),
                Fact::words("isotropic", isotropic),
            ]));
            blocks.push(Block::words("Generators (vector, covector) on T*Q:"));
            let mut generators = Vec::new();
            for (k, generator) in structure.generators.iter().enumerate() {
                let vector = Combination::new(pool, &generator.vector, &names, Basis::Partial);
                let covector =
                    Combination::new(pool, &generator.covector, &names, Basis::Differential);
                let pair = Formula::Row(vec![
                    Sign::OPEN.into(),
                    Formula::Combination(vector),
                    Sign::COMMA.into(),
                    Formula::Combination(covector),
                    Sign::CLOSE.into(),
                ]);
                generators.push(Equation::new(Formula::Indexed("e", k + 1), pair));
            }
            blocks.push(Block::Equations(generators));
        }
        None => blocks.push(Block::words(
            "Constraints that are nonlinear in the velocities define no Dirac structure.",
        )),
    }
    Some(Section { id: "dirac", title: "Dirac structure", blocks })
}
