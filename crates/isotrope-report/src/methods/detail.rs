//! One method in full.

use isotrope_algebra::{Budget, Precision};
use isotrope_certify::{
    Certificate, DefectOrder, Evidence, GroupOrders, LinearTheory, StateOrders, Verdict,
    applies_to, keeps_canonical_form,
};
use isotrope_methods::classes::Defect;
use isotrope_methods::table::{Entry, Table as Tableau};
use isotrope_scheme::{Method, Steps, Theory};
use isotrope_study::report::{Align, Table};

use super::{evidence, or_dash, yes_or_no};

/// Exact coefficients are written where they are had within this.
const EXACT_BUDGET: u64 = 20_000_000;
const DIGITS_BUDGET: u64 = 200_000_000;
/// Tables with more stages are too wide to print.
const WIDEST: usize = 6;
/// Longer exact texts give way to decimals.
const LONGEST: usize = 24;
const DIGITS: usize = 17;

/// The table, what was computed, and how it is known.
pub fn to_text(
    method: &Method,
    certificate: &Certificate,
    theory: Option<&LinearTheory>,
    verdicts: &[Verdict],
) -> String {
    let applies_to = applies_to(method, certificate);
    let mut out = format!("{}  ({}; for {applies_to})\n\n", method.name(), method.family());
    match (method.theory(), method.steps()) {
        (Theory::Multistep(multistep), _) => {
            let multistep = multistep();
            let list = |x: &[isotrope_algebra::Rational]| {
                x.iter().map(ToString::to_string).collect::<Vec<_>>().join("  ")
            };
            out.push_str(&format!(
                "  alpha  {}\n  beta   {}\n",
                list(&multistep.alpha),
                list(&multistep.beta)
            ));
        }
        (Theory::Expansion(scheme), _) => {
            for line in scheme.equations() {
                out.push_str(&format!("  {line}\n"));
            }
        }
        (_, Steps::Table(table)) => out.push_str(&butcher(table)),
        (_, Steps::Composition(composed)) => {
            out.push_str(&format!("  steps of {} with\n", composed.base.name));
            let precision = Precision::new(128);
            for ball in composed.composition.coefficients(precision).iter().flatten() {
                out.push_str(&format!("    {}\n", ball.to_decimal(DIGITS)));
            }
        }
        (_, Steps::Equations(_) | Steps::Adaptive) => {
            out.push_str(&format!("  {}\n", method.about().unwrap_or_default()));
            if certificate.staggered {
                out.push_str("  errors are measured where the scheme has its velocities\n");
            }
        }
    }
    out.push('\n');
    orders(&mut out, method, certificate, theory);
    if let Some(claim) = method.published_claim() {
        let judgement = match certificate.order {
            Some(order) if order < claim.order => "a known deficiency",
            Some(_) => "holds",
            None => "not decided",
        };
        let text = format!("order {}: {judgement} ({})", claim.order, claim.source);
        out.push_str(&format!("  published    {}\n", wrapped(&text)));
    }
    for verdict in verdicts {
        let on = verdict.class.map_or_else(String::new, |class| format!(" on the class {class}"));
        let computed = verdict.computed.as_deref().unwrap_or("none: it does not apply");
        let judgement = match verdict.holds {
            Some(true) => "holds",
            Some(false) => "WRONG",
            None => "not decided",
        };
        out.push_str(&format!(
            "  declared {}{on}: {}; computed {computed}: {judgement}\n",
            verdict.what, verdict.claimed
        ));
    }
    out
}

fn orders(
    out: &mut String,
    method: &Method,
    certificate: &Certificate,
    theory: Option<&LinearTheory>,
) {
    let order = certificate.order.map_or("not certified".to_owned(), |order| order.to_string());
    out.push_str(&format!("  order        {order}: {}\n", wrapped(&evidence(certificate))));
    if let Some(tree) = &certificate.first_failing_tree {
        out.push_str(&format!("               next: the condition of the tree {tree} fails\n"));
    }
    let small = matches!(certificate.evidence, Some(Evidence::SmallSteps { .. }));
    let first = certificate.classes.first().map(|orders| orders.class);
    for orders in &certificate.classes {
        let Some(structure) = orders.structure else { continue };
        let why = match (structure, orders.weakest) {
            (DefectOrder::Infinite, _) if small => String::new(),
            (DefectOrder::Infinite, _) => " by algebraic conditions on the table".to_owned(),
            (_, Some(part)) => format!(" ({part} fails first)"),
            _ => String::new(),
        };
        let label = if Some(orders.class) == first { "structure" } else { "" };
        out.push_str(&format!("  {label:11}  {:14} {structure}{why}\n", orders.class.name()));
    }
    let mut label = "form";
    for orders in &certificate.classes {
        if let Some(form) = orders.form {
            let about = if orders.class.is_free() { " (constant mass matrix)" } else { "" };
            out.push_str(&format!("  {label:11}  {:14} {form}{about}\n", orders.class.name()));
            label = "";
        }
    }
    if keeps_canonical_form(method) == Some(true) {
        let proof = "inf by algebraic conditions on the table";
        out.push_str(&format!("  {label:11}  any H, (q, p)  {proof}\n"));
    }
    if let Some(energy) = certificate.energy {
        out.push_str(&format!("  energy       {energy}\n"));
    }
    on_groups(out, &certificate.groups);
    in_state_space(out, &certificate.state);
    local(out, certificate);
    if let Some(symmetric) = certificate.symmetric {
        out.push_str(&format!("  symmetric    {}\n", if symmetric { "yes" } else { "no" }));
    }
    if let Some(cost) = &certificate.cost {
        let what = if cost.explicit {
            "explicit".to_owned()
        } else {
            let also =
                if cost.explicit_for_potential_forces { "; explicit if f = f(q)" } else { "" };
            format!("implicit: {}{also}", systems(&cost.systems))
        };
        let stages = if cost.stages == 1 { "stage" } else { "stages" };
        out.push_str(&format!("  cost         {what}; {} effective {stages}\n", cost.stages));
    }
    if !certificate.free_directions.is_empty() {
        let free: Vec<String> = certificate.free_directions.iter().map(Entry::to_string).collect();
        out.push_str(&format!(
            "  free         {}:\n               all but finitely many values give the same orders\n",
            wrapped(&free.join(", "))
        ));
    }
    if let (Some(theory), Steps::Table(table)) = (theory, method.steps()) {
        out.push_str(&super::linear::to_text(theory, &table.field));
    }
    if let Some(Evidence::SmallSteps { zero, .. }) = certificate.evidence {
        out.push_str(&format!(
            "  how          an exponent is seen in the ratio of the defects of two small steps; inf: zero to\n\
             \x20              {zero} digits or more on a problem of the class\n"
        ));
    }
    if matches!(certificate.evidence, Some(Evidence::Composition { .. }))
        && !certificate.state.is_empty()
    {
        out.push_str(
            "  how          exponents in state space are seen in the ratio of the defects of two very small steps\n",
        );
    } else if matches!(certificate.evidence, Some(Evidence::Composition { .. })) {
        out.push_str(
            "  how          what the base keeps exactly is kept exactly; a finite exponent is proved from below\n\
             \x20              by the order, from above by a problem with that defect, in ball arithmetic\n",
        );
    }
    if let Some(sampling) = certificate.sampling {
        out.push_str(
            "  how          a finite exponent is proved from below by the order, from above by a random problem\n\
             \x20              with that defect\n",
        );
        let gained = |of: Option<DefectOrder>| match (of, certificate.order) {
            (Some(DefectOrder::Exactly(m) | DefectOrder::AtLeast(m)), Some(order)) => m > order + 1,
            _ => false,
        };
        let any = certificate.classes.iter().any(|c| gained(c.structure) || gained(c.form));
        if any {
            out.push_str(&format!(
                "               one above order + 1 rests on {} random problems: for systems of their sizes it\n\
                 \x20              is wrong with probability below 2^-{}\n",
                sampling.problems, sampling.bits
            ));
        }
    }
}

/// What is said under a label of a certificate begins in this column.
const INDENT: usize = 15;

/// The cell of a class in a table whose first heading is a label.
fn under_label(class: &str) -> String {
    format!("{}{class}", " ".repeat(INDENT - 2))
}

/// What the classes are.
fn descriptions(list: impl Iterator<Item = (&'static str, &'static str)>, width: usize) -> String {
    let mut table = Table::new([Align::Left]).indented(INDENT).at_least([width]);
    list.for_each(|(class, description)| table.line([class, description]));
    table.to_string()
}

/// A line for each class of systems on Lie groups.
fn on_groups(out: &mut String, groups: &[GroupOrders]) {
    const WIDTH: usize = 15;
    if groups.is_empty() {
        return;
    }
    out.push_str("  on groups                     structure   form  momentum  energy\n");
    let mut table =
        Table::new([Align::Left, Align::Right]).indented(INDENT).at_least([WIDTH, 8, 5, 8, 6]);
    for orders in groups {
        table.line([
            orders.class.name().to_owned(),
            orders.structure.to_string(),
            or_dash(orders.form),
            or_dash(orders.momentum),
            orders.energy.to_string(),
        ]);
    }
    out.push_str(&table.to_string());
    let classes = groups.iter().map(|orders| orders.class);
    out.push_str(&descriptions(classes.map(|class| (class.name(), class.description())), WIDTH));
}

/// A line for each class of systems in state space.
fn in_state_space(out: &mut String, state: &[StateOrders]) {
    const WIDTH: usize = 10;
    if state.is_empty() {
        return;
    }
    let mut table =
        Table::new([Align::Left, Align::Right]).indented(2).at_least([INDENT - 2 + WIDTH]);
    table.heading(["in state space", "order", "energy", "bracket", "Casimir", "symmetric"]);
    for orders in state {
        table.line([
            under_label(orders.class.name()),
            orders.order.to_string(),
            orders.energy.to_string(),
            or_dash(orders.bracket),
            or_dash(orders.casimirs),
            yes_or_no(orders.symmetric).to_owned(),
        ]);
    }
    out.push_str(&table.to_string());
    let classes = state.iter().map(|orders| orders.class);
    out.push_str(&descriptions(classes.map(|class| (class.name(), class.description())), WIDTH));
}

/// Breaks a clause into lines under its beginning.
pub(super) fn wrapped(text: &str) -> String {
    const WIDTH: usize = 82;
    let mut out = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        if used > 0 && used + 1 + word.len() > WIDTH {
            out.push_str("\n               ");
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += word.chars().count();
    }
    out
}

/// Sizes of the systems to solve, largest first, equal ones together.
fn systems(sizes: &[usize]) -> String {
    let parts: Vec<String> = sizes
        .chunk_by(|one, other| one == other)
        .map(|equal| {
            let size = equal.first().copied().unwrap_or(0);
            match (equal.len(), size) {
                (1, 1) => "one stage alone".to_owned(),
                (count, 1) => format!("{count} stages, one after the other"),
                (1, size) => format!("{size} stages together"),
                (count, size) => format!("{count} times {size} stages together"),
            }
        })
        .collect();
    parts.join(", ")
}

fn local(out: &mut String, certificate: &Certificate) {
    let Some(local) = &certificate.local else { return };
    let power = |of: Defect| match of {
        Defect::Order(power) => power.to_string(),
        Defect::None => format!(">{}", local.looked_at),
        Defect::NotApplicable => "-".to_owned(),
    };
    let mut table = Table::new([Align::Left, Align::Right]).indented(2).gap(1).at_least([
        INDENT - 2 + 14,
        4,
        3,
        3,
        3,
        7,
    ]);
    table.heading(["local        class", "q", "v", "Av", "phi", "energy"]);
    for (class, defects) in &local.classes {
        table.line([
            under_label(class.name()),
            power(defects.position),
            power(defects.velocity),
            power(defects.phi_v),
            power(defects.phi_q),
            power(defects.energy),
        ]);
    }
    out.push_str(&table.to_string());
}

/// Where a weight stands, by its stage.
type WeightPlace = fn(usize) -> Entry;

/// The table as it is printed in books, one block for each group that differs.
fn butcher(table: &Tableau) -> String {
    let s = table.stages;
    let mut writer = Coefficients::new(table);
    if s > WIDEST {
        let weights: Vec<String> = (0..s).map(|i| writer.text(Entry::B(i))).collect();
        return format!(
            "  {s} stages; all coefficients are in the output of --json\n  b    │ {}\n",
            weights.join("\n       │ ")
        );
    }
    let mut block =
        |matrix: fn(usize, usize) -> Entry, weights: &[(&str, WeightPlace)], title: &str| {
            let mut table = Table::new([Align::Right]);
            for i in 0..s {
                table.line((0..s).map(|j| writer.text(matrix(i, j))));
            }
            for (_, entry) in weights {
                table.line((0..s).map(|i| writer.text(entry(i))));
            }
            let rule = "─".repeat(table.width() + 2);
            let mut out = String::new();
            for (i, cells) in table.cells().iter().enumerate() {
                if i == s {
                    out.push_str(&format!("  ─────┼{rule}\n"));
                }
                let name = match i.checked_sub(s) {
                    None if i == 0 => title,
                    None => "",
                    Some(k) => weights.get(k).map_or("", |(name, _)| name),
                };
                out.push_str(&format!("  {name:4} │ {}\n", cells.join("  ")));
            }
            out
        };
    let a: fn(usize, usize) -> Entry = |row, column| Entry::A { row, column };
    let abar: fn(usize, usize) -> Entry = |row, column| Entry::Abar { row, column };
    let position = block(a, &[("b", Entry::B)], "a");
    if table.is_one_table() {
        return position;
    }
    let velocity = if table.btil == table.bbar {
        block(abar, &[("bbar", Entry::Bbar)], "abar")
    } else {
        block(abar, &[("bbar", Entry::Bbar), ("btil", Entry::Btil)], "abar")
    };
    format!("{position}\n{velocity}")
}

/// Exact texts where they are short, decimals elsewhere.
struct Coefficients<'t> {
    table: &'t Tableau,
    budget: Budget,
    decimals: Option<isotrope_methods::table::BallTable>,
}

impl<'t> Coefficients<'t> {
    fn new(table: &'t Tableau) -> Self {
        Self { table, budget: Budget::new(EXACT_BUDGET), decimals: None }
    }

    fn text(&mut self, entry: Entry) -> String {
        if let Ok(Some(exact)) = self.table.exact(entry, &mut self.budget) {
            let text = exact.to_string();
            if text.len() <= LONGEST {
                return text;
            }
        }
        if self.decimals.is_none() {
            let budget = &mut Budget::new(DIGITS_BUDGET);
            self.decimals = self.table.enclosures(Precision::new(96), budget).ok();
        }
        self.decimals
            .as_ref()
            .and_then(|table| table.get(entry))
            .map_or_else(|| "?".to_owned(), |ball| format!("≈{}", ball.to_decimal(DIGITS)))
    }
}
