//! The report for people.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{ExprId, Pool};
use isotrope_geometry::HorizontalPrimitive;
use isotrope_structure::geometry::{
    DiracReport, GeometryReport, GradedExpression, HomologicalReport, ObjectKind, Scope,
    TwoClassReport,
};

use isotrope_study::structure::StructureReport;

use super::Heading;
use crate::sections;
use crate::{Basis, Block, Combination, Document, Equation, Fact, Formula, Inline, Section, Sign};

/// Generators beyond this many are not listed.
const LISTED: usize = 40;

/// Components of tensors and fields beyond this many are counted.
const LISTED_COMPONENTS: usize = 200;

/// How many components are not listed, of those that were computed, and how many were not computed.
fn more(count: usize, left_out: usize) -> Option<Block> {
    let rest = count.saturating_sub(LISTED_COMPONENTS);
    let words = match (rest, left_out) {
        (0, 0) => return None,
        (rest, 0) => format!("… and {rest} more, which `--json` has."),
        (rest, left_out) => format!(
            "… and {rest} more, which `--json` has; {left_out} others were not examined, because there are too many \
             that are not zero."
        ),
    };
    Some(Block::words(words))
}

/// The report before it is written.
pub fn document(
    pool: &mut Pool,
    heading: &Heading,
    report: &GeometryReport,
    trajectories: Option<&StructureReport>,
) -> Document {
    let mut sections = Vec::new();
    if let Some(magnetic) = &report.magnetic {
        let names = names(pool, &magnetic.form.base);
        let blocks = sections::magnetic::blocks(pool, &names, magnetic);
        sections.push(Section { id: "magnetic", title: "Magnetic 2-form", blocks });
    }
    if let Some(found) = &report.dirac {
        sections.push(dirac(pool, report, found));
        sections.extend(foliation(pool, found));
    }
    if let Some(found) = &report.homological {
        sections.push(homological(pool, report, found));
        sections.extend(algebroid(pool, report, found));
    }
    sections.extend(trajectories.map(trajectory_section));
    if !report.notes.is_empty() {
        let blocks = report.notes.iter().map(Block::words).collect();
        sections.push(Section { id: "notes", title: "Notes", blocks });
    }
    let (title, description) = (heading.name.clone(), heading.description.clone());
    Document { title, description, sections }
}

fn trajectory_section(report: &StructureReport) -> Section {
    let lines = report.lines().into_iter().map(Vec::from).collect();
    let about = "The discrete velocity (q⁺ - q, p⁺ - p)/h and the Dirac differential of L, by their \
                 distance from the structure at base points of a step: largest values over all steps, \
                 in the metric of the mass matrix, and the power of h in the whole defect.";
    let blocks = vec![Block::words(about), Block::Table(lines)];
    Section { id: "trajectories", title: "Structure defect along trajectories", blocks }
}

fn names(pool: &Pool, symbols: &[ExprId]) -> Vec<String> {
    symbols.iter().map(|&x| pool.label(x)).collect()
}

fn proved(zero: Zero) -> String {
    match zero {
        Zero::Yes => "yes, proved".to_owned(),
        Zero::No => "no, proved".to_owned(),
        Zero::Unknown { points } => format!("not decided; zero at {points} random points"),
    }
}

fn verdict(found: &DiracReport) -> &'static str {
    match found.scope {
        Scope::LinearPart => {
            return "affine, not Dirac; below for the linear part of the constraints at a fixed time";
        }
        Scope::FixedTime(Some(false)) => {
            return "almost Dirac at each time; the constraints do not integrate on (q, t)";
        }
        Scope::Whole | Scope::FixedTime(_) => {}
    }
    match (found.is_dirac(), found.isotropic, found.rank == found.structure.base.len()) {
        (Some(true), ..) => "Dirac",
        (Some(false), Zero::No, _) => "not isotropic: no almost Dirac structure",
        (Some(false), _, false) => "its rank is not the dimension: no almost Dirac structure",
        (Some(false), ..) => "almost Dirac, not Dirac: the Courant tensor is not zero",
        (None, Zero::Unknown { .. }, _) => "whether it is isotropic is not decided",
        (None, ..) if found.branches => {
            "not decided: coefficients have branches, and what is said holds on one of them"
        }
        (None, ..) if !found.rank_proved => "not decided: the rank is not proved",
        (None, ..) => "almost Dirac; whether the Courant tensor vanishes is not decided",
    }
}

fn listed(label: &str, words: &str, functions: &[ExprId]) -> Fact {
    let mut content = vec![Inline::Words(words.to_owned())];
    for (position, &function) in functions.iter().enumerate() {
        if position > 0 {
            content.push(Inline::Words(", ".to_owned()));
        }
        content.push(Inline::Math(function.into()));
    }
    Fact { label: label.to_owned(), content }
}

fn dirac(pool: &mut Pool, report: &GeometryReport, found: &DiracReport) -> Section {
    let base = names(pool, &found.structure.base);
    let n = base.len();
    let title = match report.kind {
        ObjectKind::Bivector => "Graph of the bivector",
        ObjectKind::TwoForm => "Graph of the 2-form",
        ObjectKind::LieAlgebra => "Lie–Poisson structure on the dual",
        ObjectKind::Model if report.magnetic.is_some() => "Dirac structure of dq∧dp + B",
        ObjectKind::Model => "Dirac structure of the constraints",
        _ => "Dirac structure",
    };
    let mut facts = vec![
        Fact::words("structure", verdict(found)),
        Fact::words("rank", format!("{} of {}", found.rank, 2 * n)),
        Fact::words("isotropic", proved(found.isotropic)),
    ];
    if !found.drops.is_empty() {
        let words = "only where one of these vanishes: ";
        facts.push(listed("rank drops", words, &found.drops));
    }
    if !found.excluded.is_empty() {
        let words = "where none of these vanishes: ";
        facts.push(listed("defined", words, &found.excluded));
    }
    if let Some(integrable) = report.frobenius {
        let words = if integrable { "integrable" } else { "not integrable" };
        facts.push(Fact::words("distribution", words));
    }
    let mut blocks = vec![Block::Facts(facts)];
    if found.structure.generators.len() <= LISTED {
        blocks.push(Block::words("Generators (vector, covector):"));
        let mut equations = Vec::new();
        for (k, generator) in found.structure.generators.iter().enumerate() {
            let vector = Combination::new(pool, &generator.vector, &base, Basis::Partial);
            let covector = Combination::new(pool, &generator.covector, &base, Basis::Differential);
            let pair = Formula::Row(vec![
                Sign::OPEN.into(),
                Formula::Combination(vector),
                Sign::COMMA.into(),
                Formula::Combination(covector),
                Sign::CLOSE.into(),
            ]);
            equations.push(Equation::new(Formula::Indexed("e", k + 1), pair));
        }
        blocks.push(Block::Equations(equations));
    }
    match found.courant.as_ref().map(|tensor| tensor.components.as_slice()) {
        Some([]) => blocks.push(Block::words("Courant tensor: zero in all components.")),
        Some(components) => {
            let left_out = found.courant.as_ref().map_or(0, |tensor| tensor.left_out);
            let decided = components.iter().all(|part| part.zero == Zero::No);
            blocks.push(Block::words(if decided {
                "Courant tensor, the components that are not zero:"
            } else {
                "Courant tensor, the components that are not proved to be zero (for those with a question \
                 mark the contrary is not proved either):"
            }));
            let equations = components.iter().take(LISTED_COMPONENTS).map(|part| {
                let [a, b, c] = part.indices.map(|index| Formula::Indexed("e", index + 1));
                let comma = || Formula::Sign(Sign::COMMA);
                let mark = match part.zero {
                    Zero::No => Sign::NOTHING,
                    _ => Sign::QUESTION,
                };
                let left = Formula::Row(vec![
                    mark.into(),
                    Formula::Name("T".to_owned()),
                    Sign::OPEN.into(),
                    a,
                    comma(),
                    b,
                    comma(),
                    c,
                    Sign::CLOSE.into(),
                ]);
                Equation::new(left, part.value)
            });
            blocks.push(Block::Equations(equations.collect()));
            blocks.extend(more(components.len(), left_out));
        }
        None => {}
    }
    Section { id: "dirac", title, blocks }
}

fn foliation(pool: &mut Pool, found: &DiracReport) -> Option<Section> {
    let base = names(pool, &found.structure.base);
    let mut blocks = Vec::new();
    let mut facts = Vec::new();
    let dirac = found.is_dirac() == Some(true);
    let sure = if found.leaf_dimension_proved { "" } else { ", not proved" };
    match found.leaf_dimension {
        Some(dimension) if dirac => {
            let words = format!("dimension {dimension} at generic points{sure}");
            facts.push(Fact::words("leaves", words));
        }
        Some(rank) => {
            facts.push(Fact::words("rank", format!("{rank} at generic points{sure}")));
        }
        None => {}
    }
    if let Some(casimirs) = &found.casimirs {
        for &function in &casimirs.functions {
            facts.push(Fact::math("Casimir function", function));
        }
        if casimirs.functions.len() < casimirs.codimension {
            let words = format!(
                "{} of at most {} found; polynomials through degree {} were searched",
                casimirs.functions.len(),
                casimirs.codimension,
                casimirs.degree
            );
            facts.push(Fact::words("Casimir functions", words));
        }
    }
    for row in found.kernel.iter().flatten() {
        let vector = Combination::new(pool, row, &base, Basis::Partial);
        let label = if found.kernel_proved { "kernel" } else { "kernel, not proved" };
        facts.push(Fact::math(label, Formula::Combination(vector)));
    }
    if let Some(class) = &found.two_class {
        facts.push(two_class(pool, class, &base));
        if let HorizontalPrimitive::Found(beta) = &class.primitive {
            let along = "along paths in a leaf: stationary exactly where (x', dH) lies in D";
            let content = if beta.iter().all(|part| part.is_zero()) {
                vec![Inline::Words(format!("∫ H dt {along}"))]
            } else {
                let form = Combination::new(pool, beta, &base, Basis::Differential);
                vec![
                    Inline::Words("∫ (".to_owned()),
                    Inline::Math(Formula::Combination(form)),
                    Inline::Words(format!(" + H dt) {along}")),
                ]
            };
            facts.push(Fact { label: "functional".to_owned(), content });
        }
        if !class.singular.is_empty() {
            let words = "has a value where none of these vanishes: ";
            facts.push(listed("primitive", words, &class.singular));
        }
        for &([i, j], value) in &class.periods {
            facts.push(Fact::math(format!("period over {}, {}", base[i], base[j]), value));
        }
    }
    if !facts.is_empty() {
        blocks.push(Block::Facts(facts));
    }
    let title = if dirac { "Characteristic foliation" } else { "Characteristic distribution" };
    (!blocks.is_empty()).then_some(Section { id: "foliation", title, blocks })
}

fn two_class(pool: &mut Pool, class: &TwoClassReport, base: &[String]) -> Fact {
    let label = "2-class";
    if class.form_zero == Zero::Yes {
        return Fact::words(label, "zero: the form of the leaves vanishes");
    }
    // A primitive that is not horizontal makes the class vanish, too, but is not a functional of the base.
    let zero = if class.zero == Zero::Yes { "zero, with " } else { "" };
    match &class.primitive {
        HorizontalPrimitive::Found(beta) => {
            let form = Combination::new(pool, beta, base, Basis::Differential);
            Fact {
                label: label.to_owned(),
                content: vec![
                    Inline::Words("exact, with the horizontal primitive ".to_owned()),
                    Inline::Math(Formula::Combination(form)),
                ],
            }
        }
        HorizontalPrimitive::None { .. } if class.obstructed => {
            Fact::words(label, format!("{zero}no horizontal primitive: a period is not zero"))
        }
        HorizontalPrimitive::None { conclusive: true, .. } => Fact::words(
            label,
            format!("{zero}no horizontal primitive that is smooth at the origin"),
        ),
        HorizontalPrimitive::None { degree: 0, .. } => Fact::words(
            label,
            "not decided: too many one-forms to search for a horizontal primitive",
        ),
        HorizontalPrimitive::None { degree, .. } => {
            let words = format!("{zero}no polynomial horizontal primitive through degree {degree}");
            Fact::words(label, words)
        }
    }
}

fn combination(pool: &mut Pool, value: &GradedExpression) -> Formula {
    let terms = value.iter().map(|term| (term.coefficient, Basis::Product(term.odd.clone())));
    Formula::Combination(Combination::of_terms(pool, terms.collect::<Vec<_>>()))
}

fn equations(pool: &mut Pool, letter: &Formula, list: &[(String, GradedExpression)]) -> Block {
    let parts = list.iter().take(LISTED_COMPONENTS).map(|(name, value)| {
        let left = Formula::Row(vec![
            letter.clone(),
            Sign::OPEN.into(),
            Formula::Name(name.clone()),
            Sign::CLOSE.into(),
        ]);
        Equation::new(left, combination(pool, value))
    });
    Block::Equations(parts.collect())
}

fn homological(pool: &mut Pool, report: &GeometryReport, found: &HomologicalReport) -> Section {
    let mut blocks = Vec::new();
    let mut facts = vec![Fact::words(
        "coordinates",
        found
            .coordinates
            .iter()
            .map(|(name, degree)| format!("{name} ({degree})"))
            .collect::<Vec<_>>()
            .join(", "),
    )];
    if let Some(function) = &found.function {
        let n = function.bracket;
        facts.push(Fact::words("bracket", format!("of degree {}", -n)));
        let degree = function.degree.map_or("zero".to_owned(), |degree| degree.to_string());
        facts.push(Fact::words("function", format!("of degree {degree}")));
        facts.push(Fact::words("{S, S} = 0", proved(function.square_zero)));
    }
    let own = if found.function.is_some() { ", Q = {S, ·}" } else { "" };
    facts.push(Fact::words("degree of Q", format!("{}{own}", found.degree)));
    facts.push(Fact::words("Q² = 0", proved(found.square_zero)));
    if let Some(betti) = &report.betti {
        let list: Vec<String> = betti.iter().map(usize::to_string).collect();
        facts.push(Fact::words("Betti numbers", list.join(", ")));
    }
    blocks.push(Block::Facts(facts));
    if let Some(function) = &found.function {
        let name = |text: &str| Formula::Name(text.to_owned());
        let left = Formula::Row(vec![
            Sign::OPEN_BRACE.into(),
            name("S"),
            Sign::COMMA.into(),
            name("S"),
            Sign::CLOSE_BRACE.into(),
        ]);
        let (own, square) =
            (combination(pool, &function.function), combination(pool, &function.square));
        blocks.push(Block::Equations(vec![
            Equation::new(name("S"), own),
            Equation::new(left, square),
        ]));
    }
    blocks.push(equations(pool, &Formula::Name("Q".to_owned()), &found.field));
    let (undecided, decided): (Vec<_>, Vec<_>) =
        found.square.iter().cloned().partition(|(name, _)| found.undecided.contains(name));
    for (words, list) in [
        ("The square, where it is not zero:", decided),
        ("The square, where it is not decided whether it is zero:", undecided),
    ] {
        if !list.is_empty() {
            blocks.push(Block::words(words));
            blocks.push(equations(pool, &Formula::Square("Q".to_owned()), &list));
        }
    }
    if found.square_left_out > 0 {
        let words = format!("… and {} components that were not computed.", found.square_left_out);
        blocks.push(Block::words(words));
    }
    Section { id: "homological", title: "Homological vector field", blocks }
}

fn algebroid(
    pool: &mut Pool,
    report: &GeometryReport,
    found: &HomologicalReport,
) -> Option<Section> {
    let (anchor, bracket) = found.algebroid.as_ref()?;
    if report.kind != ObjectKind::Graded || anchor.is_empty() {
        return None;
    }
    // Components are functions of degree 0: one coefficient each.
    let combined =
        |pool: &mut Pool, row: &[(String, GradedExpression)], basis: fn(String) -> Basis| {
            let terms = row.iter().flat_map(|(name, value)| {
                value.iter().map(|term| (term.coefficient, basis(name.clone())))
            });
            Formula::Combination(Combination::of_terms(pool, terms.collect::<Vec<_>>()))
        };
    let mut equations = Vec::new();
    for (a, row) in anchor.iter().filter(|(_, row)| !row.is_empty()) {
        let left = Formula::Row(vec![
            Formula::Name("rho".to_owned()),
            Sign::OPEN.into(),
            Formula::Name(a.clone()),
            Sign::CLOSE.into(),
        ]);
        equations.push(Equation::new(left, combined(pool, row, Basis::Partial)));
    }
    for (a, b, row) in bracket.iter().filter(|(.., row)| !row.is_empty()) {
        let left = Formula::Row(vec![
            Sign::OPEN_BRACKET.into(),
            Formula::Name(a.clone()),
            Sign::COMMA.into(),
            Formula::Name(b.clone()),
            Sign::CLOSE_BRACKET.into(),
        ]);
        let right = combined(pool, row, |name| Basis::Product(vec![name]));
        equations.push(Equation::new(left, right));
    }
    if equations.is_empty() {
        return None;
    }
    let words = "The anchor [Q, i_a] on functions and the bracket [[Q, i_a], i_b] of the frame dual to the coordinates of degree 1; entries that are not listed are zero.";
    let blocks = vec![Block::words(words), Block::Equations(equations)];
    Some(Section { id: "algebroid", title: "Anchor and bracket", blocks })
}
