//! `isotrope derive`: what a model says, exactly.

use isotrope_algebra::Budget;
use isotrope_algebra::syntax::nearest;
use isotrope_scheme::derive::{Analysis, System};
use isotrope_scheme::discretise::{DiscretiseError, EquationScheme};

use super::{ANALYSE_BUDGET, answer, derive_and_analyse, load, width};
use crate::cli::Derive;
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::{self, DiscreteReport, Format};

/// Operations for the numbers of a method.
const METHOD_BUDGET: u64 = 100_000_000;

/// Runs the command.
pub fn run(arguments: &Derive) -> Exit {
    let mut bytes = Vec::new();
    let (model, origin) = match load(&arguments.model, &mut bytes) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    // A name that means nothing is refused before the work begins.
    let scheme = match arguments.discrete.as_deref().map(scheme).transpose() {
        Ok(scheme) => scheme,
        Err(exit) => return exit,
    };
    let (mut system, mut analysis) = match derive_and_analyse(model, &origin) {
        Ok(derived) => derived,
        Err(exit) => return exit,
    };
    if scheme.is_some() && system.make_canonical() {
        analysis = isotrope_scheme::derive::analyse(&mut system, &mut Budget::new(ANALYSE_BUDGET));
        diagnostics::note(Some(
            "the magnetic 2-form is written into the Lagrangian, L - θ(q'): momenta here are canonical, p - θ",
        ));
    }
    let format = match (arguments.json, arguments.latex, arguments.html) {
        (true, ..) => Format::Json,
        (_, true, _) => Format::Latex,
        (_, _, true) => Format::Html,
        _ => Format::Text { width: width() },
    };
    let text = match scheme {
        None => report::derivation(&mut system, &analysis, format),
        Some(scheme) => match discrete(&mut system, &analysis, &scheme, format) {
            Ok(text) => text,
            Err(exit) => return exit,
        },
    };
    answer(arguments.out.as_deref(), &text, Exit::Done)
}

/// The scheme of a name, if it comes from a discrete Lagrangian.
fn scheme(name: &str) -> Result<EquationScheme, Exit> {
    let refuse = |message: String, hint: String| {
        diagnostics::plain("ISO-DISCRETE-001", &message, Some(&hint));
        Err(Exit::CouldNotRun)
    };
    let scheme = match EquationScheme::named(name, &mut Budget::new(METHOD_BUDGET)) {
        Ok(scheme) => scheme,
        Err(error) => {
            return refuse(
                format!("the numbers of `{name}` have no formulas: {error}"),
                HINT.into(),
            );
        }
    };
    match scheme {
        Some(scheme) if scheme.discrete_lagrangian().is_some() => Ok(scheme),
        Some(scheme) if scheme.is_on_groups() => refuse(
            format!("the discrete Lagrangian of `{name}` is one on a group, which is not printed"),
            "docs/lie-groups.md has its equations; discrete Lagrangians in coordinates are printed"
                .into(),
        ),
        Some(_) => {
            refuse(format!("`{name}` does not come from a discrete Lagrangian"), HINT.into())
        }
        None => {
            let names = EquationScheme::names();
            let hint = nearest(name, names.iter().map(String::as_str))
                .map_or_else(|| HINT.to_owned(), |near| format!("did you mean `{near}`?"));
            refuse(format!("there is no discrete Lagrangian `{name}`"), hint)
        }
    }
}

const HINT: &str = "names are variational-midpoint, galerkin-2-gauss2, variational-own, dirac-alembert-2, \
                    symmetric:NAME, …: see docs/discrete.md";

fn discrete(
    system: &mut System,
    analysis: &Analysis,
    scheme: &EquationScheme,
    format: Format,
) -> Result<String, Exit> {
    let progress = Progress::start("deriving the discrete equations");
    let made = match scheme.discrete_lagrangian() {
        Some(lagrangian) => DiscreteReport::new(system, analysis, scheme, lagrangian),
        None => Err(DiscretiseError::NotApplicable { reason: "it has no discrete Lagrangian" }),
    };
    drop(progress);
    match made {
        Ok(mut report) => Ok(report::discretisation(system, analysis, &mut report, format)),
        Err(error) => {
            let hint = match error {
                DiscretiseError::NotApplicable { .. } => {
                    "see docs/discrete.md for what applies where"
                }
                _ => "take fewer points, fewer pieces or a smaller system",
            };
            let message = format!("`{}` has no discrete Lagrangian here: {error}", scheme.name());
            diagnostics::plain("ISO-DISCRETE-002", &message, Some(hint));
            Err(Exit::CouldNotRun)
        }
    }
}
