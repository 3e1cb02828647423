//! The report for people.

use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{ExprId, Pool};
use isotrope_structure::geometry::GradedExpression;
use isotrope_structure::port::{Form, Obstruction, Realisation, Relation, Verdict};

use super::{PortReport, condition, names, point, text};
use crate::{Basis, Block, Combination, Document, Equation, Fact, Formula, Inline, Section, Sign};

/// Forms beyond this many are summed up in the table only.
const SHOWN: usize = 12;

/// The report before it is written.
pub fn document(pool: &mut Pool, report: &PortReport<'_>) -> Document {
    let mut sections = vec![equations(pool, report)];
    if let Some(found) = &report.recovery.obstruction {
        sections.push(obstruction(pool, report, found));
    }
    sections.push(overview(pool, report));
    for (number, form) in report.recovery.forms.iter().enumerate().take(SHOWN) {
        sections.push(form_section(pool, report, number, form));
    }
    if !report.recovery.notes.is_empty() || report.definite_invariant.is_some() {
        let mut blocks: Vec<Block> = report.recovery.notes.iter().map(Block::words).collect();
        if let Some(found) = &report.definite_invariant {
            let words = invariant(pool, found);
            blocks.push(Block::words(format!("positive definite quadratic invariant: {words}")));
        }
        sections.push(Section { id: "searched", title: "What was searched", blocks });
    }
    let (title, description) = (report.heading.name.clone(), report.heading.description.clone());
    Document { title, description, sections }
}

fn equations(pool: &mut Pool, report: &PortReport<'_>) -> Section {
    let names = names(pool, &report.problem.states);
    let list = names.iter().zip(&report.problem.rates);
    let list = list.map(|(name, &rate)| Equation::new(Formula::Name(format!("{name}'")), rate));
    let blocks = vec![Block::Equations(list.collect())];
    Section { id: "equations", title: "Equations", blocks }
}

fn verdict(pool: &Pool, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Always => "yes".to_owned(),
        Verdict::Under { conditions, sharp, at_values } => {
            let list: Vec<String> = conditions.iter().map(|c| condition(pool, c)).collect();
            let word = if *sharp { "exactly if" } else { "if" };
            let here = match at_values {
                Some(true) => "; so at the values of the file",
                Some(false) if *sharp => "; not so at the values of the file",
                Some(false) => ", which is not so at the values of the file",
                None => "",
            };
            format!("{word} {}{here}", list.join(", "))
        }
        Verdict::Never { witness, at_values } => {
            let here = if *at_values { "not at the values of the file" } else { "no" };
            if witness.is_empty() {
                here.to_owned()
            } else {
                format!("{here}: see {}", point(pool, witness))
            }
        }
        Verdict::Unknown => "not decided".to_owned(),
    }
}

/// The conditions of Hermite are necessary where frequencies are distinct; the answer at the
/// values of the file does not need that.
fn invariant(pool: &Pool, found: &Verdict) -> String {
    let Verdict::Under { conditions, sharp: false, at_values } = found else {
        return verdict(pool, found);
    };
    let list: Vec<String> = conditions.iter().map(|c| condition(pool, c)).collect();
    let here = match at_values {
        Some(true) => "; there is one at the values of the file",
        Some(false) => "; there is none at the values of the file",
        None => "",
    };
    format!("if {}, and for distinct frequencies only if{here}", list.join(", "))
}

fn obstruction(pool: &mut Pool, report: &PortReport<'_>, found: &Obstruction) -> Section {
    let mut blocks = Vec::new();
    if found.outside.is_empty() {
        let words = if found.closed {
            "The rates are combinations of the derivatives of H, but no R that does this is known to be positive semidefinite."
        } else {
            "The rates are combinations of the derivatives of H, but not with entries of the degree searched."
        };
        blocks.push(Block::words(words));
    } else {
        blocks.push(Block::words(if found.polynomial {
            "No polynomial J and R for this H: these rates are not in the ideal of the derivatives of H, and leave the remainders"
        } else {
            "No J and R were found for this H, and whether there are some is not decided: rates or derivatives of H are not polynomials. Polynomials in the functions that occur leave the remainders"
        }));
        let list = found.outside.iter().map(|part| {
            let name = text(pool, report.problem.states[part.state]);
            Equation::new(Formula::Name(format!("{name}'")), part.remainder)
        });
        blocks.push(Block::Equations(list.collect()));
        if let Some(critical) = &found.critical {
            let words = format!(
                "At {} all derivatives of H vanish, and not all of these rates, for general parameters: no other J and R either.",
                point(pool, critical)
            );
            blocks.push(Block::words(words));
        }
    }
    let free = report.problem.inputs.is_empty();
    let rate = Fact::math(if free { "dH/dt" } else { "dH/dt at u = 0" }, found.power);
    let lost = Fact::words("never positive", verdict(pool, &found.loses));
    blocks.push(Block::Facts(vec![rate, lost]));
    if let Verdict::Never { at_values, .. } = found.loses {
        blocks.push(Block::words(if at_values {
            "The energy grows somewhere at the values of the file: there a port is mandatory for this H."
        } else {
            "The energy grows somewhere: a port is mandatory for this H."
        }));
    }
    Section { id: "obstruction", title: "Obstruction", blocks }
}

fn overview(pool: &Pool, report: &PortReport<'_>) -> Section {
    let mut blocks = Vec::new();
    let forms = &report.recovery.forms;
    if forms.is_empty() {
        blocks.push(Block::words("None was found; the reasons follow."));
    } else {
        blocks.push(Block::words(
            "In the order of: R positive semidefinite, few states with a residual, Courant tensor zero, H positive definite, little R, low degree, short.",
        ));
        let facts = forms.iter().enumerate().map(|(number, form)| {
            Fact::words(format!("form {}", number + 1), summary(pool, report, form))
        });
        blocks.push(Block::Facts(facts.collect()));
        if forms.len() > SHOWN {
            let words = format!("The first {SHOWN} of them follow; --json has all of them.");
            blocks.push(Block::words(words));
        }
    }
    Section { id: "forms", title: "Port-Hamiltonian forms", blocks }
}

fn summary(pool: &Pool, report: &PortReport<'_>, form: &Form) -> String {
    let states = names(pool, &report.problem.states);
    let list: Vec<&str> = form.residual_support.iter().map(|&i| states[i].as_str()).collect();
    let residual = match (form.realisation, list.len()) {
        (Realisation::Closed, _) => "no residual".to_owned(),
        (Realisation::Modulated, _) => format!("one port for {}", list.join(", ")),
        (Realisation::Constant, 1) => format!("a constant port at {}", list[0]),
        (Realisation::Constant, _) => format!("constant ports at {}", list.join(", ")),
    };
    let dirac = match form.criteria.integrable {
        Zero::Yes => "Dirac",
        Zero::No => "almost Dirac",
        Zero::Unknown { .. } => "Dirac or almost Dirac",
    };
    let passive = match &form.criteria.passive {
        Verdict::Always if form.criteria.dissipated == 0 => "R = 0",
        verdict if verdict.holds() => "R positive semidefinite",
        Verdict::Unknown => "sign of R not decided",
        _ => "R not positive semidefinite",
    };
    if form.criteria.trivial {
        return format!("trivial, J = R = 0; {residual}; {}", form.origin.words());
    }
    format!("{}; {passive}; {residual}; {dirac}", form.origin.words())
}

fn rows(matrix: &Matrix) -> Vec<Vec<ExprId>> {
    (0..matrix.rows()).map(|i| matrix.row(i).to_vec()).collect()
}

fn name(text: &str) -> Formula {
    Formula::Name(text.to_owned())
}

fn graded(pool: &mut Pool, value: &GradedExpression) -> Formula {
    let terms = value.iter().map(|term| (term.coefficient, Basis::Product(term.odd.clone())));
    Formula::Combination(Combination::of_terms(pool, terms.collect::<Vec<_>>()))
}

const TITLES: [&str; SHOWN] = [
    "Form 1", "Form 2", "Form 3", "Form 4", "Form 5", "Form 6", "Form 7", "Form 8", "Form 9",
    "Form 10", "Form 11", "Form 12",
];
const IDS: [&str; SHOWN] = [
    "form-1", "form-2", "form-3", "form-4", "form-5", "form-6", "form-7", "form-8", "form-9",
    "form-10", "form-11", "form-12",
];

fn form_section(pool: &mut Pool, report: &PortReport<'_>, number: usize, form: &Form) -> Section {
    let mut blocks = vec![
        Block::words(summary(pool, report, form)),
        Block::Equations(vec![Equation::new(Sign::HAMILTONIAN, form.hamiltonian)]),
    ];
    if !report.problem.inputs.is_empty() {
        blocks.push(Block::words("Without what the inputs supply:"));
    }
    blocks.extend([
        Block::Equations(vec![Equation::new(name("dH/dt"), form.power)]),
        Block::Matrix { left: name("J"), rows: rows(&form.j) },
    ]);
    if form.criteria.dissipated > 0 {
        blocks.push(Block::Matrix { left: name("R"), rows: rows(&form.r) });
    }
    let mut facts = Vec::new();
    let states = names(pool, &report.problem.states);
    for port in &form.ports {
        let column = Combination::new(pool, &port.column, &states, Basis::Partial);
        let content = vec![
            Inline::Words(format!("{}: g = ", port.kind.name())),
            Inline::Math(Formula::Combination(column)),
            Inline::Words(", u = ".to_owned()),
            Inline::Math(port.input.into()),
            Inline::Words(", y = ".to_owned()),
            Inline::Math(port.output.into()),
        ];
        facts.push(Fact { label: format!("port {}", text(pool, port.coordinate)), content });
    }
    let balance = match form.balance {
        Zero::Yes => "H' = -dH R dH + y u, proved",
        _ => "not decided",
    };
    facts.push(Fact::words("power balance", balance));
    facts.push(Fact::words("R ⪰ 0", verdict(pool, &form.criteria.passive)));
    facts.push(Fact::words("H definite", verdict(pool, &form.criteria.positive)));
    for given in &form.conditions {
        // Signs that R asks for are said there.
        if given.relation != Relation::NotNegative {
            facts.push(Fact::words("where", condition(pool, given)));
        }
    }
    facts.push(Fact::words(
        "family",
        match form.freedom {
            0 => format!("the only structure with entries of degree {}", form.criteria.degree),
            1 => format!("one free direction in degree {}", form.criteria.degree),
            n => format!("{n} free directions in degree {}", form.criteria.degree),
        },
    ));
    blocks.push(Block::Facts(facts));
    if let [(j, r), ..] = form.directions.as_slice() {
        blocks.push(Block::Matrix { left: name("δJ"), rows: rows(j) });
        if r.entries().iter().any(|entry| !entry.is_zero()) {
            blocks.push(Block::Matrix { left: name("δR"), rows: rows(r) });
        }
    }
    if form.courant.components.is_empty() {
        blocks.push(Block::words("Courant tensor of D = -(J + g ∧ ∂u): zero. Dirac, Q² = 0."));
    } else {
        blocks.push(Block::words("Courant tensor of D = -(J + g ∧ ∂u), half of {D, D}:"));
        let base = names(pool, &form.base);
        let list = form.courant.components.iter().map(|part| {
            let [a, b, c] = part.indices.map(|index| base[index].as_str());
            Equation::new(name(&format!("T({a}, {b}, {c})")), part.value)
        });
        blocks.push(Block::Equations(list.collect()));
    }
    let mut list = Vec::new();
    for (coordinate, value) in &form.homological.field {
        list.push(Equation::new(name(&format!("Q({coordinate})")), graded(pool, value)));
    }
    blocks.push(Block::words("The field Q of D:"));
    blocks.push(Block::Equations(list));
    Section { id: IDS[number], title: TITLES[number], blocks }
}
