//! The answer for people.

use std::fmt::Write as _;

use isotrope_algebra::number::field::FieldElement;
use isotrope_construct::{
    Aim, Answer, Certified, CertifiedMethod, Freedom, GroupTables, LevelReport, Route, Shape,
    Solution, SolutionFamily, Source, Step, exact, named,
};
use isotrope_study::report::{Align, Table, columns, wrap};

use super::json::quotient;

/// Longer expressions of a family are left to --json,
const LONGEST: usize = 120;
/// and so are more of them.
const MOST_LINES: usize = 30;

/// Everything that was found out, step by step.
pub fn to_text(answer: &Answer) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, answer);
    out
}

fn write(out: &mut String, answer: &Answer) -> std::fmt::Result {
    let construction = &answer.construction;
    let unknowns = &construction.question.unknowns;
    let names = unknowns.names();
    writeln!(out, "{}\n", title(answer))?;
    writeln!(out, "unknowns     {}: {}", unknowns.len(), shortened(&names.join(" "), 100))?;
    let widest = construction.reports.iter().map(|r| aim(r).len()).max().unwrap_or(0);
    for (number, report) in construction.reports.iter().enumerate() {
        let label = if number == 0 { "conditions" } else { "" };
        writeln!(out, "{label:12} {:widest$}  {}", aim(report), effect(report))?;
    }
    ideal(out, answer)?;
    contradiction(out, answer)?;
    for (number, family) in construction.families.iter().enumerate() {
        describe(out, family, number, construction.families.len(), &names)?;
    }
    methods(out, answer)
}

fn title(answer: &Answer) -> String {
    let wanted = answer.asked.wanted;
    let stages = if wanted.stages == 1 { "stage" } else { "stages" };
    let mut text = format!("{} {stages}, order {}", wanted.stages, wanted.order);
    if let Some(m) = wanted.structure {
        text.push_str(&format!(", {} O(h^{m})", kept(answer)));
    }
    if let Some(m) = wanted.form {
        text.push_str(&format!(", 2-form O(h^{m})"));
    }
    match &answer.asked.source {
        Source::Class(class) => text.push_str(&format!(" on the class {class}")),
        Source::Problem(problem) => {
            text.push_str(&format!(" for {}", isotrope_algebra::print::visible(&problem.name)))
        }
    }
    let patterns: Vec<&str> = answer.asked.patterns.iter().map(|p| p.description()).collect();
    if !patterns.is_empty() {
        text.push_str(&format!("; {}", patterns.join(", ")));
    }
    let fixed: Vec<String> =
        answer.asked.fixed.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !fixed.is_empty() {
        text.push_str(&format!("; {}", fixed.join(", ")));
    }
    text
}

/// What is to be kept: the structure, or a part of it.
fn kept(answer: &Answer) -> String {
    match answer.asked.part.as_deref() {
        None => "structure".to_owned(),
        Some("legendre") => "p = dL/dv alone to".to_owned(),
        Some("constraints") => "constraints alone to".to_owned(),
        Some(part) => format!("{} alone to", isotrope_algebra::print::visible(part)),
    }
}

fn aim(report: &LevelReport) -> String {
    match report.aim {
        Aim::Pattern => "of the pattern".to_owned(),
        Aim::Order(order) => format!("order {order}"),
        Aim::Structure(power) => format!("structure h^{power}"),
    }
}

fn effect(report: &LevelReport) -> String {
    let new = match &report.new {
        Some(new) if new.is_empty() => "none new".to_owned(),
        Some(new) if new.len() == 1 && report.conditions == 1 => "new".to_owned(),
        Some(new) if new.len() == report.conditions => "all new".to_owned(),
        Some(new) => format!("{} new", new.len()),
        None => "how many are new is out of reach".to_owned(),
    };
    let freedom = match report.freedom {
        Freedom::Contradiction => "a contradiction".to_owned(),
        Freedom::Dimension(0) => "isolated solutions are left".to_owned(),
        Freedom::Dimension(dimension) => format!("dimension {dimension} is left"),
        Freedom::OutOfReach => "the basis is out of reach".to_owned(),
    };
    let conditions = if report.conditions == 1 { "condition,  " } else { "conditions, " };
    format!("{:>3} {conditions}{new}; {freedom}", report.conditions)
}

fn ideal(out: &mut String, answer: &Answer) -> std::fmt::Result {
    let construction = &answer.construction;
    match &construction.ideal {
        Some(ideal) => {
            let proof = if ideal.is_exact() {
                "proved over the rationals"
            } else {
                "from many primes, not proved"
            };
            let count = ideal.basis().len();
            let elements = if count == 1 { "element" } else { "elements" };
            writeln!(out, "basis        {count} {elements}, {proof}")?;
        }
        None if construction.theorem.is_some() => {
            writeln!(out, "basis        not needed: a theorem decides")?;
        }
        None => writeln!(out, "basis        out of reach within the time limit")?,
    }
    if answer.asked.failure_probability.is_zero() {
        return Ok(());
    }
    let probability = answer.asked.failure_probability.to_f64();
    writeln!(
        out,
        "sampling     a structure condition was missed with probability below {probability:.0e}"
    )
}

fn contradiction(out: &mut String, answer: &Answer) -> std::fmt::Result {
    let construction = &answer.construction;
    if construction.freedom() != Freedom::Contradiction {
        return Ok(());
    }
    let found = &construction.contradiction;
    let which = match (found.conditions.len(), found.minimal) {
        (1, _) => "This condition cannot be satisfied",
        (_, true) => "These conditions contradict each other, and none of them can be left out",
        (_, false) => "These conditions contradict each other (some may be superfluous)",
    };
    writeln!(out, "\nThere is no such method. {which}:")?;
    for &(level, number) in &construction.contradiction.conditions {
        let equation = construction.levels.get(level).and_then(|l| l.equations.get(number));
        if let Some(equation) = equation {
            writeln!(out, "  {}", equation.text)?;
        }
    }
    Ok(())
}

fn describe(
    out: &mut String,
    family: &SolutionFamily,
    number: usize,
    count: usize,
    names: &[String],
) -> std::fmt::Result {
    if family.dimension == 0 {
        return Ok(());
    }
    let name = |variable: usize| names.get(variable).map_or("?", String::as_str);
    let free: Vec<&str> = family.free.iter().map(|&v| name(v)).collect();
    let which = if count > 1 {
        format!("component {} of {count}", number + 1)
    } else {
        "family".to_owned()
    };
    writeln!(out, "\n{which}, dimension {}, free: {}", family.dimension, free.join(", "))?;
    let lines: Vec<String> = match &family.parametrisation {
        Some(functions) => functions
            .iter()
            .enumerate()
            .filter(|(variable, _)| !family.free.contains(variable))
            .map(|(variable, function)| {
                format!("{} = {}", name(variable), quotient(function, names))
            })
            .collect(),
        None => family.ideal.basis().iter().map(|g| format!("0 = {}", named(g, names))).collect(),
    };
    let mut cut = lines.len() > MOST_LINES;
    for line in lines.iter().take(MOST_LINES) {
        let short = shortened(line, LONGEST);
        cut |= short != *line;
        writeln!(out, "  {short}")?;
    }
    if cut {
        writeln!(out, "  ({} equations; --json prints them in full)", lines.len())?;
    }
    if lines.iter().any(|line| line.contains(")/")) || lines.iter().any(|line| line.contains("/("))
    {
        writeln!(out, "  where no denominator is zero; limits belong to the component, too")?;
    }
    Ok(())
}

fn shortened(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most).collect();
    format!("{cut} ...")
}

fn methods(out: &mut String, answer: &Answer) -> std::fmt::Result {
    let construction = &answer.construction;
    if construction.freedom() == Freedom::Contradiction {
        return Ok(());
    }
    for (number, method) in answer.methods.iter().enumerate() {
        let heading = match (number, construction.is_unique()) {
            (0, true) => "the method, the only one up to the order of its stages".to_owned(),
            (0, false) => "the method".to_owned(),
            _ => format!("another, number {}", number + 1),
        };
        writeln!(out, "\n{heading}")?;
        tables(out, answer, method)?;
        writeln!(out, "  certified    {}", claims(answer, method))?;
        writeln!(out, "  cost         {}", cost(method))?;
        writeln!(out, "  error        {}", error(method))?;
        if number == 0 {
            writeln!(out, "  why this     {}", why(answer, method))?;
        }
    }
    if let Some(theorem) = construction.theorem {
        let text = format!("Proved, it is the only one: {theorem}.");
        writeln!(out, "\n{}", wrap(&text, 100, 0).join("\n"))?;
    }
    if answer.methods.is_empty() {
        let words = match construction.real_solutions {
            Some(0) => {
                "Proved: all solutions are complex; there is no such method with real coefficients."
            }
            _ => {
                "Not found: neither the bases within reach nor Newton's method gave a real solution. \
                 Whether there is one is not decided."
            }
        };
        writeln!(out, "\n{words}")?;
    }
    if let Some(step) = construction.stopped {
        writeln!(out, "The time was up {}.", doing(step))?;
    }
    if answer.asked.uncollected {
        writeln!(
            out,
            "The time was up before the conditions of the structure were collected: methods have the order, and what \
             they keep is computed from their tables."
        )?;
    }
    if let Some(reason) = &construction.given_up {
        writeln!(out, "Given up on the way: {reason}.")?;
    }
    reached(out, answer)?;
    choices(out, answer)?;
    combinations(out, answer)
}

fn doing(step: Step) -> &'static str {
    match step {
        Step::Conditions => "while the conditions were written",
        Step::Levels => "while bases were computed, level by level",
        Step::Basis => "while the basis of all conditions was computed",
        Step::Contradiction => "while a short contradiction was looked for",
        Step::Components => "while components were computed",
        Step::Shapes(..) => "while the cheapest shapes of the tables were tried",
        Step::Numerical => "during Newton's method",
    }
}

/// What meets the conditions of fewer powers of h, and what it misses.
fn reached(out: &mut String, answer: &Answer) -> std::fmt::Result {
    const MOST: usize = 12;
    let Some(reached) = &answer.construction.reached else { return Ok(()) };
    let solution = &reached.solution;
    writeln!(out, "\nreached, with fewer conditions of the structure")?;
    tables_of(out, answer, &solution.tables)?;
    writeln!(out, "  order        {}", solution.order)?;
    writeln!(out, "  conditions   {} met exactly, {} left", reached.met, reached.left.len())?;
    for (condition, missed) in reached.left.iter().take(MOST) {
        writeln!(out, "               {}, missed by {missed:.3e}", shortened(condition, LONGEST))?;
    }
    writeln!(out, "  cost         {}", cost_of(solution))?;
    writeln!(
        out,
        "  error        {:.3e}, the norm of what the conditions of order {} are missed by",
        solution.error_constant,
        solution.order + 1
    )
}

fn combinations(out: &mut String, answer: &Answer) -> std::fmt::Result {
    let (Some(found), Source::Class(class)) = (&answer.combinations, &answer.asked.source) else {
        return Ok(());
    };
    writeln!(
        out,
        "\nOf {} combinations of known tables, one for each of q, v and p, {} answer the question{}",
        found.counts.tried,
        found.counts.of_structure,
        if found.found.is_empty() { "." } else { "; the best:" }
    )?;
    for combination in &found.found {
        let [q, v, p] = &combination.sources;
        let structure =
            combination.structure(*class).map_or_else(|| "-".to_owned(), |m| m.to_string());
        let implicit = combination.certificate.cost.as_ref().map_or(0, |c| c.implicit_stages());
        let cost =
            if implicit == 0 { "explicit".to_owned() } else { format!("{implicit} implicit") };
        writeln!(
            out,
            "  {q} (q), {v} (v), {p} (p): order {}, structure {structure} on the class {class}, {cost}",
            combination.order()
        )?;
    }
    Ok(())
}

fn choices(out: &mut String, answer: &Answer) -> std::fmt::Result {
    let Some(choices) = &answer.choices else { return Ok(()) };
    writeln!(out, "\nWhat the structure costs; each is the cheapest for what it keeps:")?;
    for choice in choices {
        writeln!(out, "\nstructure O(h^{}): {}", choice.structure, cost(&choice.method))?;
        tables(out, answer, &choice.method)?;
        writeln!(out, "  certified    {}", claims(answer, &choice.method))?;
    }
    Ok(())
}

fn tables(out: &mut String, answer: &Answer, method: &CertifiedMethod) -> std::fmt::Result {
    tables_of(out, answer, &method.solution.tables)
}

fn tables_of(out: &mut String, answer: &Answer, tables: &GroupTables) -> std::fmt::Result {
    let text = |x: &FieldElement| exact(&tables.field, x);
    let list = |x: &Vec<FieldElement>| -> Vec<String> { x.iter().map(text).collect() };
    let colours = answer.construction.question.unknowns.family().colours();
    let matrices = colours
        .iter()
        .zip(&tables.matrices)
        .filter(|(_, matrix)| !matrix.is_empty())
        .map(|(colour, matrix)| (colour.matrix(), matrix.iter().map(list).collect()));
    once(out, matrices)?;
    let weights = colours.iter().zip(&tables.weights);
    once(out, weights.map(|(colour, weights)| (colour.weights(), vec![list(weights)])))
}

/// Writes parts of a table; of equal ones only the first in full.
fn once<'n>(
    out: &mut String,
    parts: impl Iterator<Item = (&'n str, Vec<Vec<String>>)>,
) -> std::fmt::Result {
    let mut seen: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
    for (name, rows) in parts {
        if let Some((first, _)) = seen.iter().find(|(_, known)| *known == rows) {
            writeln!(out, "  {name:<5} = {first}")?;
            continue;
        }
        let width = rows.iter().flatten().map(|x| columns(x)).max().unwrap_or(1);
        let stages = rows.first().map_or(0, Vec::len);
        let mut table = Table::new([Align::Right]).at_least(vec![width; stages]);
        for row in &rows {
            table.line(row);
        }
        for (number, cells) in table.cells().iter().enumerate() {
            let label = if number == 0 { format!("{name:<5} =") } else { " ".repeat(7) };
            writeln!(out, "  {label} {}", cells.join("  "))?;
        }
        seen.push((name, rows));
    }
    Ok(())
}

pub(super) fn claims(answer: &Answer, method: &CertifiedMethod) -> String {
    let claims = &method.claims;
    let mut text =
        format!("order {}", claims.order.map_or_else(|| "?".to_owned(), |o| o.to_string()));
    let on = match &answer.asked.source {
        Source::Class(class) => format!(" on the class {class}"),
        Source::Problem(_) => String::new(),
    };
    if let Some(structure) = claims.structure {
        let kept = answer.asked.part.as_deref().unwrap_or("structure");
        let kept = isotrope_algebra::print::visible(kept);
        text.push_str(&format!(", {kept} {structure}{on}"));
    }
    if let Some(form) = claims.form {
        text.push_str(&format!(", 2-form {form}{on}"));
    }
    match (&method.certified, method.solution.route) {
        (Certified::Table { .. }, Route::Basis) => {
            text.push_str(" (computed again from the table)")
        }
        (_, Route::Numerical) => text.push_str(" (found numerically, recognised, proved)"),
        (_, Route::Known) => text.push_str(" (known tables, one for each group, proved)"),
        (_, Route::Theorem) => text.push_str(" (all conditions evaluated exactly)"),
        (Certified::Groups, Route::Basis) => text.push_str(" (all conditions evaluated exactly)"),
    }
    text
}

fn error(method: &CertifiedMethod) -> String {
    let next = method
        .claims
        .order
        .map_or_else(|| "the next order".to_owned(), |o| format!("order {}", o + 1));
    format!(
        "{:.3e}, the norm of what the conditions of {next} are missed by",
        method.solution.error_constant
    )
}

pub(super) fn cost(method: &CertifiedMethod) -> String {
    if let Certified::Table { certificate, .. } = &method.certified
        && let Some(cost) = &certificate.cost
    {
        return match cost.implicit_stages() {
            0 => format!("explicit, {}", stages(cost.stages)),
            count => format!("{count} of {} implicit", stages(cost.stages)),
        };
    }
    cost_of(&method.solution)
}

/// Equal stages count once, unused ones not at all.
fn cost_of(solution: &Solution) -> String {
    match solution.systems.iter().sum::<usize>() {
        0 => format!("explicit, {}", stages(solution.stages)),
        count => format!("{count} of {} implicit", stages(solution.stages)),
    }
}

fn stages(count: usize) -> String {
    if count == 1 { "1 stage".to_owned() } else { format!("{count} stages") }
}

pub(super) fn why(answer: &Answer, method: &CertifiedMethod) -> String {
    let construction = &answer.construction;
    let cheaper = |shapes: &[Shape]| {
        let cost = method.solution.shape.as_ref().map_or(0, Shape::cost);
        shapes.iter().filter(|shape| shape.cost() < cost).count()
    };
    let (excluded, open) = (cheaper(&construction.excluded), cheaper(&construction.open));
    let mut text = match &method.solution.shape {
        Some(shape) if shape.cost() == 0 => "nothing is cheaper than explicit".to_owned(),
        Some(_) if open == 0 => match excluded {
            1 => "the cheaper shape of the tables contradicts the conditions".to_owned(),
            _ => format!("all {excluded} cheaper shapes of the tables contradict the conditions"),
        },
        Some(_) => format!(
            "{excluded} cheaper shapes contradict the conditions; of {open} no simple real point was found"
        ),
        None => match method.solution.route {
            Route::Theorem => "there is no other".to_owned(),
            Route::Known => "known tables; no shape of the tables gave a method".to_owned(),
            _ => "found by Newton's method; shapes were out of reach".to_owned(),
        },
    };
    if answer.methods.len() > 1 {
        text.push_str("; of equal cost the highest order is first, then the smallest error");
    }
    text
}
