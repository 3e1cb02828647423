//! The discrete Lagrangian, its equations, and what it keeps.

use isotrope_algebra::normal::{Zero, size};
use isotrope_algebra::{ExprId, OrInternal, Pool};
use isotrope_certify::DefectOrder;
use isotrope_derive::{Analysis, LagrangianMechanics, System};
use isotrope_scheme::{Action, ConstraintForm, Principle, Quadrature};

use super::gather::{DiscreteReport, NotMeasured};
use crate::document::{Basis, Block, Combination, Equation, Fact, Formula, Section, Sign};
use crate::sections::{count, equations, math, shown, words};

/// Blocks of equations with more nodes than this are not for readers.
const LONGEST: u64 = 3_000;

/// The equations `left(i) = list[i]`, or how long they would be.
pub(super) fn formulas(
    blocks: &mut Vec<Block>,
    pool: &Pool,
    list: &[ExprId],
    equation: impl FnMut(usize) -> Equation,
) {
    let sizes = list.iter().take(shown(list.len())).map(|&id| size(pool, id));
    let total = sizes.fold(0, u64::saturating_add);
    if total <= LONGEST {
        equations(blocks, list.len(), equation);
        return;
    }
    let formulas = count(list.len(), "formula");
    blocks.push(Block::words(format!("{formulas}, too long to read; --json writes them.")));
}

/// Curves, quadrature, and the formula.
pub(super) fn lagrangian(report: &DiscreteReport) -> Section {
    let (lagrangian, action) = (&report.lagrangian, &report.action);
    let mut facts = vec![Fact::words("method", report.method.clone())];
    facts.push(Fact::words(
        "principle",
        match lagrangian.principle {
            Principle::Hamilton if report.is_variational() => {
                "Hamilton: the sum of L_d is stationary among sequences of points"
            }
            Principle::Hamilton => {
                "Lagrange and d'Alembert: virtual work, of which reactions do none on admissible variations"
            }
            Principle::HamiltonPontryagin => "Hamilton and Pontryagin, in (q, v, p)",
            Principle::LagrangeAlembertPontryagin => {
                "Lagrange, d'Alembert and Pontryagin, in (q, v, p)"
            }
        },
    ));
    let mut blocks = Vec::new();
    let pieces = &lagrangian.pieces;
    let same = pieces.iter().all(|piece| piece.action == pieces[0].action);
    let kinds = if same { 1 } else { pieces.len() };
    for (k, piece) in pieces.iter().enumerate().take(kinds) {
        let label = |what: &str| {
            if kinds == 1 { what.to_owned() } else { format!("{what} of piece {}", k + 1) }
        };
        match piece.action {
            Action::Own { reversed } => {
                let how = if reversed { ", read backwards" } else { "" };
                facts.push(Fact::words(
                    label("curves"),
                    format!("none: L_d is that of the model{how}"),
                ));
            }
            Action::Galerkin { degree, quadrature } => {
                facts.push(Fact::words(label("curves"), curves(degree)));
                let order = report.quadrature_orders[k].or_noticed("a quadrature has an order");
                let rule = rule(quadrature);
                facts.push(Fact::words(
                    label("quadrature"),
                    format!("{rule}; order {order}: exact for polynomials of degree below {order}"),
                ));
            }
        }
    }
    if pieces.len() > 1 {
        facts.push(Fact::words("pieces", format!("{}, one after the other", pieces.len())));
    }
    if !action.exact {
        facts.push(Fact::words("numbers", "written to twenty digits; the method has them exactly"));
    }
    blocks.push(Block::Facts(facts));
    let mut list = Vec::new();
    for (k, nodes) in action.quadratures.iter().enumerate().take(kinds) {
        let mark = |letter: &str, i: usize| {
            let name = if kinds == 1 {
                format!("{letter}_{i}")
            } else {
                format!("{letter}_{}_{i}", k + 1)
            };
            Formula::Name(name)
        };
        for (i, &(node, weight)) in nodes.iter().enumerate() {
            list.push(Equation::new(mark("c", i + 1), node));
            list.push(Equation::new(mark("b", i + 1), weight));
        }
    }
    if !list.is_empty() {
        blocks.push(Block::words("Nodes and weights on [0, 1]:"));
        blocks.push(Block::Equations(list));
    }
    if action.is_direct() {
        blocks.push(Block::words("The discrete Lagrangian:"));
        blocks
            .push(Block::Equations(vec![Equation::new(Sign::DISCRETE_LAGRANGIAN, action.action)]));
    } else {
        let inner = action.points.len() - 2;
        blocks.push(Block::words(format!(
            "L_d is the stationary value of S in {} of the step, at these parts of it:",
            count(inner, "inner point")
        )));
        let places =
            (1..=inner).map(|k| Equation::new(Formula::Name(format!("d_{k}")), action.places[k]));
        blocks.push(Block::Equations(places.collect()));
        formulas(&mut blocks, &action.pool, &[action.action], |_| {
            Equation::new(Sign::DISCRETE_ACTION, action.action)
        });
    }
    Section { id: "discrete-lagrangian", title: "Discrete Lagrangian", blocks }
}

fn curves(degree: usize) -> String {
    match degree {
        1 => "straight lines from q to q_next".to_owned(),
        _ => format!("polynomials of degree {degree}, by their values at the nodes of Lobatto"),
    }
}

fn rule(quadrature: Quadrature) -> String {
    match quadrature {
        Quadrature::Left => "rectangle at the beginning".to_owned(),
        Quadrature::Right => "rectangle at the end".to_owned(),
        Quadrature::Gauss(1) => "midpoint".to_owned(),
        Quadrature::Gauss(points) => format!("Gauss with {points} points"),
        Quadrature::Lobatto(2) => "trapezoid".to_owned(),
        Quadrature::Lobatto(3) => "Simpson (Lobatto with 3 points)".to_owned(),
        Quadrature::Lobatto(points) => format!("Lobatto with {points} points"),
    }
}

/// Both Legendre transforms.
pub(super) fn legendre(system: &System, report: &DiscreteReport) -> Section {
    let forced = report.is_forced();
    let which = if forced { ", with the discrete forces" } else { "" };
    let constrained = !report.action.impulses[0].is_empty();
    let mut blocks = vec![Block::words(format!("At the beginning of a step, p = -D₁L_d{which}:"))];
    let pool = &report.action.pool;
    formulas(&mut blocks, pool, &report.momenta_before, |i| {
        Equation::new(system.symbols.momentum[i], report.momenta_before[i])
    });
    blocks.push(Block::words(format!("At its end, p_next = D₂L_d{which}:")));
    formulas(&mut blocks, pool, &report.momenta_after, |i| {
        Equation::new(report.momentum_next[i], report.momenta_after[i])
    });
    if constrained {
        blocks.push(Block::words(
            "Impulses of constraints are added to both: p = -D₁L_d - AᵀΛ at the beginning, \
             p_next = D₂L_d + AᵀΛ_next at the end, where Λ_next makes A v + b = 0 there.",
        ));
    }
    Section { id: "discrete-legendre", title: "Discrete Legendre transforms", blocks }
}

/// The discrete Euler–Lagrange equations.
pub(super) fn equations_of_motion(
    system: &System,
    analysis: &Analysis,
    report: &mut DiscreteReport,
) -> Section {
    let (variational, forced) = (report.is_variational(), report.is_forced());
    let n = system.symbols.dimension();
    let action = &mut report.action;
    let constrained = !action.impulses[0].is_empty();
    let mut blocks = Vec::new();
    let reaction = if constrained { " + AᵀΛ" } else { "" };
    let force = if forced { " + F" } else { "" };
    if let Some(list) = &report.euler_lagrange {
        blocks.push(Block::words(format!(
            "D₂L_d(q_prev, q) + D₁L_d(q, q_next){force}{reaction} = 0:"
        )));
        let sums: Vec<ExprId> = list
            .iter()
            .zip(&action.reactions[0])
            .map(|(&equation, &reaction)| action.pool.add(equation, reaction))
            .collect();
        formulas(&mut blocks, &action.pool, &sums, |i| Equation::new(sums[i], ExprId::ZERO));
    } else {
        blocks.push(Block::words(format!(
            "The momentum at the end of a step is that at the beginning of the next, \
             p = -D₁S{}{}, and S is stationary in the inner points:",
            if forced { " - F" } else { "" },
            if constrained { " - AᵀΛ" } else { "" },
        )));
        let last = action.points.len() - 1;
        let mut list = Vec::new();
        for k in 1..last {
            for i in 0..n {
                let (d, f) = (action.derivatives[k][i], action.forces[k][i]);
                list.push(action.pool.sum(&[d, f, action.reactions[k][i]]));
            }
        }
        formulas(&mut blocks, &action.pool, &list, |i| Equation::new(list[i], ExprId::ZERO));
    }
    let conditions = action.conditions.clone();
    if !conditions.is_empty() {
        blocks.push(Block::words(if conditions.iter().all(|condition| condition.on_position) {
            "with the constraints at the points of a step after its first:"
        } else {
            "with the constraints of each piece, on velocities at its nodes of Gauss:"
        }));
        let values: Vec<ExprId> = conditions.iter().map(|condition| condition.value).collect();
        formulas(&mut blocks, &action.pool, &values, |i| Equation::new(values[i], ExprId::ZERO));
    }
    if constrained {
        blocks.push(Block::words("Λ is about h λ, with the sign of λ in the equations of motion."));
    }
    if !variational {
        not_variational(system, analysis, report, &mut blocks);
    }
    let title = if variational {
        "Discrete Euler–Lagrange equations"
    } else {
        "Discrete Lagrange–d'Alembert equations (not variational)"
    };
    Section { id: "discrete-equations", title, blocks }
}

fn not_variational(
    system: &System,
    analysis: &Analysis,
    report: &mut DiscreteReport,
    blocks: &mut Vec<Block>,
) {
    let Some(LagrangianMechanics { rows, .. }) = system.mechanics.lagrangian() else { return };
    if report.is_forced() {
        blocks.push(Block::words("Forces without a potential act: no sum is stationary."));
    }
    if report.action.conditions.iter().all(|condition| condition.on_position) {
        return;
    }
    let Some(obstruction) = &analysis.distribution.obstruction else {
        blocks.push(Block::words(if analysis.distribution.integrable == Some(true) {
            "The constraints integrate, but they are imposed on velocities: no sum is stationary. \
             Constraints that are written with positions are imposed on positions."
        } else {
            "The constraints are not known to integrate: nothing is claimed to be stationary."
        }));
        return;
    };
    let mut names = system.symbols.names.clone();
    if analysis.distribution.extended {
        names.push("t".to_owned());
    }
    let pool = &mut report.action.pool;
    let bracket = Combination::new(pool, &obstruction.bracket.components, &names, Basis::Partial);
    let left = Formula::Row(vec![
        Sign::OPEN_BRACKET.into(),
        Formula::Indexed("X", obstruction.first + 1),
        Sign::COMMA.into(),
        Formula::Indexed("X", obstruction.second + 1),
        Sign::CLOSE_BRACKET.into(),
    ]);
    blocks.push(Block::words(
        "No sum is stationary under these constraints: only admissible variations are compared, and \
         they do not stay admissible. The bracket of two admissible fields that is not admissible:",
    ));
    blocks.push(Block::Equations(vec![Equation::new(left, Formula::Combination(bracket))]));
    let name =
        rows.names.get(obstruction.form).cloned().or_noticed("an obstruction is a constraint");
    blocks.push(Block::Paragraph(vec![
        words(format!("the constraint “{name}” is not zero on it but ")),
        math(obstruction.value),
        words("; this is the Courant tensor of D_Δ, and the reason why dq∧dp is not kept."),
    ]));
}

/// Adjoint, order, momenta.
pub(super) fn properties(analysis: &Analysis, report: &DiscreteReport) -> Section {
    let mut facts = vec![Fact::words(
        "self-adjoint",
        match report.self_adjoint {
            Zero::Yes => "yes: L_d(q, q_next, h) = -L_d(q_next, q, -h)".to_owned(),
            Zero::No => "no: L_d(q, q_next, h) is not -L_d(q_next, q, -h)".to_owned(),
            Zero::Unknown { .. } => "not decided".to_owned(),
        },
    )];
    let promised = report.promised.map_or_else(String::new, |order| {
        format!("; curves and quadrature promise {order} without constraints")
    });
    match &report.orders {
        Ok(orders) => {
            let order = match orders.order {
                DefectOrder::Infinite => {
                    "not visible: no error of a step is left in 330 bits".to_owned()
                }
                DefectOrder::AtLeast(least) => {
                    format!("at least {least}, measured on this system in one step of 576 bits")
                }
                DefectOrder::Exactly(order) => {
                    format!("{order}, measured on this system in steps of 576 bits")
                }
            };
            facts.push(Fact::words("order", format!("{order}{promised}")));
            if let Some(form) = orders.form {
                facts.push(Fact::words("dq∧dp", kept(form)));
            }
            if let Some(position) = orders.position {
                facts.push(Fact::words("φ(q)", kept(position)));
            }
            if let Some(velocity) = orders.velocity {
                facts.push(Fact::words("A v + b", kept(velocity)));
            }
            facts.push(Fact::words("energy", kept(orders.energy)));
        }
        Err(NotMeasured::Large(most)) => {
            let why = format!("not measured on more than {most} coordinates{promised}");
            facts.push(Fact::words("order", why));
        }
        Err(NotMeasured::SmallSteps(error)) => {
            facts.push(Fact::words("order", format!("not measured: {error}{promised}")));
        }
    }
    let mut blocks = vec![Block::Facts(facts)];
    for momentum in &report.momenta {
        blocks.push(Block::Heading(momentum.name.clone()));
        let left = if momentum.name.contains(' ') {
            Formula::Name("J".into())
        } else {
            Formula::Name(momentum.name.clone())
        };
        // `p_x = p_x` says nothing.
        if report.action.pool.name_of(momentum.expression) != Some(momentum.name.as_str()) {
            blocks.push(Block::Equations(vec![Equation::new(left, momentum.expression)]));
        }
        let motion = &momentum.motion;
        let verdict = match (momentum.invariant, momentum.free) {
            (Zero::Yes, Zero::Yes) => {
                format!("conserved exactly: L_d is invariant under {motion}, proved symbolically")
            }
            (Zero::Yes, Zero::No) => format!(
                "not conserved by this symmetry alone: L_d is invariant under {motion}, but forces or reactions \
                 act along it"
            ),
            (Zero::No, _) => {
                format!("not conserved: L is invariant under {motion}, but L_d is not")
            }
            _ => format!("not decided: whether L_d is invariant under {motion}"),
        };
        blocks.push(Block::Facts(vec![Fact::words("verdict", verdict)]));
        if momentum.invariant == Zero::Yes && momentum.free == Zero::No {
            blocks.push(Block::words("In a step it changes by what follows, and is kept where that vanishes on the motion:"));
            blocks.push(Block::Equations(vec![Equation::new(Sign::CHANGE, momentum.push)]));
        }
    }
    if report.momenta.is_empty() {
        let symmetric = !analysis.conservation.symmetries.is_empty();
        let text = if symmetric {
            "Symmetries were not examined."
        } else {
            "L has no affine point symmetry without a total derivative: no momentum of L_d is examined."
        };
        blocks.push(Block::words(text));
    }
    if report.more_symmetries > 0 {
        blocks.push(Block::words(format!("… and {} more symmetries", report.more_symmetries)));
    }
    Section { id: "discrete-properties", title: "What a step keeps", blocks }
}

fn kept(order: DefectOrder) -> String {
    match order {
        DefectOrder::Infinite => "kept exactly".to_owned(),
        DefectOrder::Exactly(power) => format!("changes by O(h^{power}) in a step"),
        DefectOrder::AtLeast(power) => format!("changes by O(h^{power}) in a step, or less"),
    }
}

/// The form that is solved.
pub(super) fn step(report: &DiscreteReport) -> Section {
    let velocities = report.unknowns.len() - report.impulses.min(report.unknowns.len());
    let shown = report.unknowns.len().min(16);
    let mut list = report.unknowns[..shown].join(", ");
    if shown < report.unknowns.len() {
        list.push_str(&format!(", … and {} more", report.unknowns.len() - shown));
    }
    let facts = if report.unknowns.is_empty() {
        vec![Fact::words(
            "unknowns",
            "none: the step is explicit, a velocity w from p and q_next = q + h w",
        )]
    } else {
        vec![
            Fact::words(
                "unknowns",
                format!("{}, {}", count(velocities, "speed"), count(report.impulses, "impulse")),
            ),
            Fact::words("names", list),
            Fact::words("solved by", "Newton's method"),
        ]
    };
    let mut blocks = vec![Block::words(
        "Points are q plus h times combinations of velocities, and velocities are what is unknown: \
         differences (q_next - q)/h, which lose digits, are not formed.",
    )];
    blocks.push(Block::Facts(facts));
    if report.lagrangian.form == ConstraintForm::NullSpace {
        blocks.push(Block::words(
            "The equations are projected on the kernel of A: multipliers follow from them.",
        ));
    }
    Section { id: "discrete-step", title: "How a step is solved", blocks }
}
