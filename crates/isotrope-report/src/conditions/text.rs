//! The conditions for a terminal.

use isotrope_construct::Listing;
use isotrope_methods::classes::{Condition, Part};
use isotrope_methods::trees::Trees;
use isotrope_study::report::{Align, Table, underlined};

/// Writes the counts and the conditions.
pub fn to_text(listing: &Listing) -> String {
    let found = &listing.conditions;
    let mut out = String::new();
    let title = format!("{} of the class {}", subject(listing.part), found.class());
    out.push_str(&underlined(&title, '═'));
    out.push_str(&format!("  {}\n\n", found.class().description()));
    let names: Vec<&str> = listing.counts.iter().map(|(part, _)| part.name()).collect();
    let numbers: Vec<&[usize]> = listing.counts.iter().map(|(_, list)| list.as_slice()).collect();
    counts(&mut out, &names, &numbers, &listing.powers);
    powers(&mut out, found.trees(), &listing.powers);
    out.push('\n');
    out.push_str(&sureness(listing));
    out
}

/// The conditions, one section for each power of h.
pub(super) fn powers(out: &mut String, trees: &Trees, powers: &[(usize, Vec<Condition>)]) {
    for (at, (known, conditions)) in powers.iter().enumerate() {
        out.push('\n');
        let number = match conditions.len() {
            1 => "1 condition".to_owned(),
            count => format!("{count} conditions"),
        };
        out.push_str(&underlined(&format!("h^{}, {}: {number}", at + 1, presupposed(*known)), '─'));
        for condition in conditions {
            out.push_str(&format!("  {}\n", condition.text(trees)));
        }
    }
}

/// What the conditions are for.
pub(super) fn subject(part: Part) -> &'static str {
    match part {
        Part::Psi => "Conditions for psi = p - dL/dv",
        Part::PhiV => "Conditions for phi_v = A(q) v",
        Part::PhiQ => "Conditions for phi_q = phi(q)",
        Part::All => "Structure conditions",
        Part::Form => "Conditions for the 2-form",
    }
}

/// The order of the methods that are spoken of.
pub(super) fn presupposed(known: usize) -> String {
    if known == 0 { "any method".to_owned() } else { format!("given order {known}") }
}

/// How the list was found, and how sure it is.
pub(super) fn sureness(listing: &Listing) -> String {
    let found = &listing.conditions;
    format!(
        "{} random problems modulo two primes near 2^61. {} coefficients of steps of random\n\
         methods agree with the expansion in trees. Every condition is necessary; one was missed\n\
         with a probability below 2^-{}, for systems of the sampled sizes.\n",
        found.problems,
        found.checks,
        found.failure_bits()
    )
}

/// How many conditions there are for each part of the structure, by power of h.
pub(super) fn counts(
    out: &mut String,
    names: &[&str],
    numbers: &[&[usize]],
    powers: &[(usize, Vec<Condition>)],
) {
    let mut widths = vec![7; names.len() + 1];
    widths[0] = 6;
    let mut aligns = vec![Align::Right; names.len() + 2];
    (aligns[0], aligns[names.len() + 1]) = (Align::Left, Align::Left);
    let mut table = Table::new(aligns).indented(2).gap(0).at_least(widths);
    // Two blanks at least before every name, three before the words.
    table.heading([String::new()].into_iter().chain(names.iter().map(|name| format!("  {name}"))));
    for (at, (known, _)) in powers.iter().enumerate() {
        let numbers = numbers.iter().map(|list| list.get(at).copied().unwrap_or(0).to_string());
        let power = format!("h^{}", at + 1);
        let words = format!("   {}", presupposed(*known));
        table.line([power].into_iter().chain(numbers).chain([words]));
    }
    out.push_str(&table.to_string());
}
