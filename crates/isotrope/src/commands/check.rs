//! `isotrope check`: are the initial data consistent, is the initial point regular?

use super::{answer, derive_and_analyse, load};
use crate::check::{self, Summary};
use crate::cli::Check;
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::Progress;

/// Runs the command.
pub fn run(arguments: &Check) -> Exit {
    if !(arguments.tolerance >= 0.0 && arguments.tolerance.is_finite()) {
        diagnostics::plain(
            "ISO-CHECK-001",
            &format!("the tolerance {} is not a size", arguments.tolerance),
            Some("give a number that is not negative, such as 1e-12"),
        );
        return Exit::CouldNotRun;
    }
    let mut bytes = Vec::new();
    let (model, origin) = match load(&arguments.model, &mut bytes) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let (mut system, analysis) = match derive_and_analyse(model, &origin) {
        Ok(derived) => derived,
        Err(exit) => return exit,
    };
    let progress = Progress::start("checking the initial data");
    let report = check::check(&mut system, arguments.tolerance);
    // Without a matrix E a state has no constraints that it could violate.
    let free = system.model.system.state().is_some_and(|state| state.descriptor.is_none());
    let projection =
        (arguments.project && !free).then(|| check::project(&mut system, arguments.tolerance));
    drop(progress);
    let summary = Summary {
        system: &system,
        analysis: &analysis,
        report: &report,
        projection: projection.as_ref(),
    };
    let text = if arguments.json {
        format!("{:#}\n", check::to_json(&summary))
    } else {
        check::to_text(&summary)
    };
    answer(None, &text, if summary.is_good() { Exit::Done } else { Exit::Negative })
}
