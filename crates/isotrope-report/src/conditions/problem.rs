//! The structure conditions of one problem.

use isotrope_construct::ProblemListing;
use isotrope_construct::symbolic::{Route, SymbolicConditions};
use isotrope_study::report::underlined;

use super::latex::document;
use super::text::{counts, powers};

/// Writes the counts and the conditions for a terminal.
pub fn problem_to_text(listing: &ProblemListing) -> String {
    let trees = listing.conditions.trees();
    let mut out = String::new();
    out.push_str(&underlined(&format!("Structure conditions of {}", listing.name), '═'));
    for equation in trees.family().equations() {
        out.push_str(&format!("  {equation}\n"));
    }
    out.push('\n');
    let names: Vec<&str> = listing.counts.iter().map(|(name, _)| name.as_str()).collect();
    let numbers: Vec<&[usize]> = listing.counts.iter().map(|(_, list)| list.as_slice()).collect();
    counts(&mut out, &names, &numbers, &listing.powers);
    powers(&mut out, trees, &listing.powers);
    out.push('\n');
    out.push_str(&sureness(&listing.conditions));
    out
}

/// A complete LaTeX document.
pub fn problem_to_latex(listing: &ProblemListing) -> String {
    let title = format!("Structure conditions of {}", listing.name);
    let sure = sureness(&listing.conditions).replace("2^61", "$2^{61}$");
    let sure = match listing.conditions.failure_bits() {
        Some(bits) => sure.replace(&format!("2^-{bits}"), &format!("$2^{{-{bits}}}$")),
        None => sure,
    };
    document(&title, listing.conditions.trees(), &listing.powers, &sure)
}

/// How the list was found, and how sure it is.
fn sureness(found: &SymbolicConditions) -> String {
    match (found.route(), found.failure_bits()) {
        (Route::Points { points }, Some(bits)) => format!(
            "Exact values at {points} points modulo two primes near 2^61. Every condition is necessary;\n\
             one was missed with a probability below 2^-{bits}.\n"
        ),
        _ => "Proved: normal forms of the Taylor coefficients show that the conditions are sufficient,\n\
              exact values at points that all are necessary.\n"
            .to_owned(),
    }
}
