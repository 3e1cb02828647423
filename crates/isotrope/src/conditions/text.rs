//! The conditions for a terminal.

use isotrope_scheme::methods::classes::Part;

use super::Listing;

/// Writes the counts and the conditions.
pub fn to_text(listing: &Listing) -> String {
    let found = &listing.conditions;
    let mut out = String::new();
    let title = format!("{} of the class {}", subject(listing.part), found.class());
    heading(&mut out, &title, '═');
    out.push_str(&format!("  {}\n\n", found.class().description()));
    counts(&mut out, listing);
    for (at, (known, conditions)) in listing.powers.iter().enumerate() {
        out.push('\n');
        let number = match conditions.len() {
            1 => "1 condition".to_owned(),
            count => format!("{count} conditions"),
        };
        heading(&mut out, &format!("h^{}, {}: {number}", at + 1, presupposed(*known)), '─');
        for condition in conditions {
            out.push_str(&format!("  {}\n", condition.text(found.trees())));
        }
    }
    out.push('\n');
    out.push_str(&sureness(listing));
    out
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

fn heading(out: &mut String, title: &str, line: char) {
    let underline: String = title.chars().map(|_| line).collect();
    out.push_str(&format!("{title}\n{underline}\n"));
}

fn counts(out: &mut String, listing: &Listing) {
    out.push_str("        ");
    for (part, _) in &listing.counts {
        out.push_str(&format!("{:>7}", part.name()));
    }
    out.push('\n');
    for (at, (known, _)) in listing.powers.iter().enumerate() {
        out.push_str(&format!("  h^{:<4}", at + 1));
        for (_, counts) in &listing.counts {
            out.push_str(&format!("{:>7}", counts.get(at).copied().unwrap_or(0)));
        }
        out.push_str(&format!("   {}\n", presupposed(*known)));
    }
}
