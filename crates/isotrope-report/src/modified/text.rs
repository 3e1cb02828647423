//! The modified equations for a terminal.

use isotrope_algebra::print::{Format, Printer, Sharing};
use isotrope_algebra::{Budget, ExprId};

use super::PRINTED;
use super::powers::{Power, in_text};
use super::terms::Written;
use isotrope_study::modified::{Modified, ModifiedModel};
use isotrope_study::report::{Align, Table, columns, underlined, wrap};

/// Equations share repeated parts beyond this many nodes each.
const LONG: u64 = 120;
/// More definitions are not written: a terminal is not the place for them.
const DEFINITIONS: usize = 40;

/// Writes everything, for a terminal of this width.
pub fn to_text(modified: &Modified, width: usize) -> String {
    let mut page = Page { out: String::new(), width: width.max(40) };
    match &modified.model {
        Some(model) => of_model(&mut page, modified, model),
        None => by_trees(&mut page, modified),
    }
    page.out
}

struct Page {
    out: String,
    width: usize,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn words(&mut self, text: &str) {
        for part in wrap(text, self.width - 2, 0) {
            self.line(&format!("  {part}"));
        }
    }

    fn heading(&mut self, title: &str, line: char) {
        if !self.out.is_empty() {
            self.line("");
        }
        self.out.push_str(&underlined(title, line));
    }

    /// `left = …`, a line for each power of h, all equations aligned.
    fn series(&mut self, list: &[(String, Vec<Power>)], remainder: usize) {
        let widest = list.iter().map(|(left, _)| columns(left)).max().unwrap_or(0);
        let highest = list.iter().flat_map(|(_, powers)| powers).map(|power| power.power).max();
        let room = columns(&in_text(highest.unwrap_or(0)));
        for (left, powers) in list {
            let mut head = format!("{left:widest$} =");
            for power in powers {
                let sign = match (head.trim().is_empty(), power.negative) {
                    (_, true) => "-",
                    (true, false) => "+",
                    (false, false) => " ",
                };
                let h = match power.power {
                    0 => String::new(),
                    _ => format!("{:room$} * ", in_text(power.power)),
                };
                let line = format!("{head} {sign} {h}{}", power.body);
                let hanging = widest + 5 + columns(&h);
                for part in wrap(&line, self.width - 4, hanging) {
                    self.line(&format!("    {part}"));
                }
                head = " ".repeat(widest + 2);
            }
            self.line(&format!("    {head} + O({})", in_text(remainder)));
        }
    }
}

fn by_trees(page: &mut Page, modified: &Modified) {
    let trees = &modified.trees;
    page.heading(&title(modified, ""), '═');
    page.words(&format!(
        "A step of {} for {} is, to every power of h, the flow for the time h of",
        modified.method,
        trees.family().equations().join(", "),
    ));
    page.line("");
    let rates: Vec<(String, Vec<Power>)> = trees
        .family()
        .colours()
        .iter()
        .enumerate()
        .map(|(colour, group)| {
            let rate = Written(modified, Format::Text).rate(colour);
            (format!("{}'", group.name()), powers(&rate))
        })
        .collect();
    page.series(&rates, modified.remainder);
    letter(page, modified);
    page.heading("Modified Hamiltonian", '─');
    match Written(modified, Format::Text).hamiltonian_by_trees() {
        Some(sums) => {
            page.words(systems(modified));
            page.line("");
            page.series(&[("H~".to_owned(), powers(&sums))], modified.remainder);
        }
        None => page.words(
            "None: the method is not symplectic. With a model, the drift of its energy is computed.",
        ),
    }
    page.heading("Coefficients", '─');
    coefficients(page, modified);
}

/// For which systems the Hamiltonian by trees is one.
pub(super) fn systems(modified: &Modified) -> &'static str {
    if modified.trees.family().colours().len() == 1 {
        "The method is symplectic. For f = J^-1 H' the modified equation is Hamiltonian, too, with"
    } else {
        "The method is symplectic for H = p.M^-1.p/2 + U(q) with constant M, that is f = -M^-1 U_q. \
         There the modified equations are Hamiltonian, too, with"
    }
}

pub(super) fn title(modified: &Modified, of: &str) -> String {
    let through = match modified.order {
        1 => "h^0".to_owned(),
        order => in_text(order - 1),
    };
    format!("Modified equations of {}{of} through {through}", modified.method)
}

fn powers(texts: &[Option<String>]) -> Vec<Power> {
    let texts = texts.iter().enumerate();
    texts.filter_map(|(power, text)| Some(Power::new(power, text.as_ref()?))).collect()
}

/// What the letter of the field stands for.
fn letter(page: &mut Page, modified: &Modified) {
    if let Some((letter, number)) = modified.numbers.generator() {
        page.line("");
        page.words(&format!("with {letter} = {number} = {:.15}…", number.to_f64()));
    }
}

fn coefficients(page: &mut Page, modified: &Modified) {
    let trees = &modified.trees;
    let aligns = [Align::Left, Align::Right, Align::Right, Align::Left];
    let mut table = Table::new(aligns).indented(2);
    table.heading(["tree", "σ", "β", "differential"]);
    for tree in (1..=modified.order).flat_map(|order| trees.of_order(order)) {
        table.line([
            trees.name(tree),
            trees.sigma(tree).to_string(),
            super::number(modified, &modified.beta[tree.index()], Format::Text),
            trees.differential(tree),
        ]);
    }
    page.out.push_str(&table.to_string());
}

fn of_model(page: &mut Page, modified: &Modified, model: &ModifiedModel) {
    let name = isotrope_algebra::print::visible(&model.system.model.name);
    page.heading(&title(modified, &format!(" for {name}")), '═');
    page.words("A step with h is, up to the powers left out, the flow for the time h of");
    page.line("");
    let variables: Vec<ExprId> = model.equations.iter().map(|equation| equation.variable).collect();
    let lefts = printed(model, &variables).0;
    let lefts: Vec<String> = lefts.iter().map(|name| format!("d/dt {name}")).collect();
    let rates: Vec<&[ExprId]> =
        model.equations.iter().map(|equation| equation.powers.as_slice()).collect();
    block(page, modified, model, &lefts, &rates);
    letter(page, modified);
    page.heading("Modified Hamiltonian", '─');
    match &model.hamiltonian {
        Ok(powers) => {
            page.words("The method is symplectic here, and these equations are those of");
            page.line("");
            block(page, modified, model, &["H~".to_owned()], &[powers]);
        }
        Err(reason) => {
            page.words(&format!(
                "None: {reason}. Along the modified equations the energy has the rate"
            ));
            page.line("");
            block(page, modified, model, &["dE/dt".to_owned()], &[&model.energy_rate]);
        }
    }
    if !model.constraint_rates.is_empty() {
        page.heading("Constraints along the modified equations", '─');
        page.words("From a state that satisfies them they are left with the rates");
        page.line("");
        let names = model.constraint_names();
        let lefts: Vec<String> = names.iter().map(|name| format!("d/dt {name}")).collect();
        let rates: Vec<&[ExprId]> =
            model.constraint_rates.iter().map(|rate| rate.powers.as_slice()).collect();
        block(page, modified, model, &lefts, &rates);
    }
    page.heading("One step against the flow of these equations", '─');
    defect(page, modified, model);
}

/// Equations by powers of h, with long repeated parts below.
fn block(
    page: &mut Page,
    modified: &Modified,
    model: &ModifiedModel,
    lefts: &[String],
    series: &[&[ExprId]],
) {
    let all: Vec<ExprId> = series.iter().flat_map(|powers| powers.iter().copied()).collect();
    let (texts, definitions) = printed(model, &all);
    let mut texts = texts.iter();
    let list: Vec<(String, Vec<Power>)> = lefts
        .iter()
        .zip(series)
        .map(|(left, expressions)| {
            let own: Vec<Option<String>> = expressions
                .iter()
                .zip(texts.by_ref())
                .map(|(id, text)| (!id.is_zero()).then(|| text.clone()))
                .collect();
            let mut own = powers(&own);
            if own.is_empty() {
                own.push(Power::new(0, "0"));
            }
            (left.clone(), own)
        })
        .collect();
    page.series(&list, modified.remainder);
    if definitions.is_empty() {
        return;
    }
    page.line("  where");
    let mut table = Table::new([Align::Left]).indented(4).gap(1).within(page.width);
    for (name, body) in definitions.iter().take(DEFINITIONS) {
        table.line([name, "=", body]);
    }
    page.out.push_str(&table.to_string());
    if let Some(more) = definitions.len().checked_sub(DEFINITIONS + 1) {
        page.words(&format!("and {} more; --json has all of them.", more + 1));
    }
}

/// Expressions as text, with definitions of what repeats in long ones.
fn printed(model: &ModifiedModel, list: &[ExprId]) -> (Vec<String>, Vec<(String, String)>) {
    let sharing = Sharing::Above(LONG * (1 + list.len() as u64));
    let printer = Printer::new(Format::Text).sharing(sharing);
    match printer.print(&model.system.model.pool, list, &mut Budget::new(PRINTED)) {
        Ok(printed) => (printed.expressions, printed.definitions),
        Err(_) => (vec!["(too long to be written)".to_owned(); list.len()], Vec::new()),
    }
}

/// Digits of a fraction that is written as one.
const LONGEST: usize = 9;

fn defect(page: &mut Page, modified: &Modified, model: &ModifiedModel) {
    let defect = match &model.defect {
        Ok(defect) => defect,
        Err(reason) => {
            page.words(&format!("Not measured: {reason}."));
            return;
        }
    };
    page.line("         h   difference");
    for (step, error) in defect.steps.iter().zip(&defect.errors) {
        // In the model's unit of time: a fraction, unless it is very small or large.
        let written = Some(step.to_string()).filter(|fraction| fraction.len() <= LONGEST);
        let written = written.unwrap_or_else(|| format!("{:.2e}", step.to_f64()));
        page.line(&format!("  {written:>8}   {error:.3e}"));
    }
    page.line("");
    let expected = modified.remainder + 1;
    match defect.slope {
        Some(slope) => {
            let verdict = match modified.is_contradicted() {
                false => "as it should be",
                true => "which contradicts the equations",
            };
            page.words(&format!(
                "slope {slope:.3}; O({}) or better is expected, {verdict}",
                in_text(expected)
            ));
        }
        None => page.words(&format!("No difference to {} digits.", defect.digits)),
    }
}
