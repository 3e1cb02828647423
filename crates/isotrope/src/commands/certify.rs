//! `isotrope certify`: what a table of one's own does, and whether its declared orders are right.

use isotrope_algebra::Budget;
use isotrope_scheme::certify::{Method, certify};
use isotrope_scheme::methods::table::{TableText, parse_table};

use super::methods::CERTIFY_BUDGET;
use super::{answer, display_name, read};
use crate::cli::Certify;
use crate::diagnostics;
use crate::exit::Exit;
use crate::methods::{detail_to_text, to_json, verdicts};
use crate::progress::Progress;

/// Runs the command.
pub fn run(arguments: &Certify) -> Exit {
    let bytes = match read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) => return error.report(),
    };
    let name = display_name(&arguments.file);
    let file = match parse_table(&TableText::new(&name, &bytes)) {
        Ok(file) => file,
        Err(errors) => {
            diagnostics::show(&diagnostics::render_file_errors(&name, &bytes, &errors));
            return Exit::CouldNotRun;
        }
    };
    let progress = Progress::start("certifying the table");
    let certified = certify(file.table, &mut Budget::new(CERTIFY_BUDGET));
    drop(progress);
    let certified = match certified {
        Ok(certified) => certified,
        Err(error) => {
            diagnostics::plain(
                "ISO-CERTIFY-001",
                &format!("the table could not be certified: {error}"),
                Some("write the coefficients with fewer different roots, or take fewer stages"),
            );
            return Exit::CouldNotRun;
        }
    };
    let verdicts = verdicts(&file.declared, certified.certificate());
    let method = Method::Table(certified.method().clone());
    let text = if arguments.json {
        format!("{:#}\n", to_json(&method, certified.certificate(), Some(&verdicts)))
    } else {
        detail_to_text(&method, certified.certificate(), &verdicts)
    };
    let right = verdicts.iter().all(|verdict| verdict.holds == Some(true));
    answer(None, &text, if right { Exit::Done } else { Exit::Negative })
}
