//! The method that the command line names.

use isotrope_algebra::Budget;
use isotrope_algebra::syntax::nearest;
use isotrope_kernel::stepper::Method;
use isotrope_scheme::certify::method_names;
use isotrope_scheme::discretise::EquationScheme;
use isotrope_scheme::methods::table::{TableText, parse_table};

use crate::commands::read;
use crate::diagnostics;
use crate::exit::Exit;

/// Operations for the coefficients of a table.
const TABLE_BUDGET: u64 = 1_000_000_000;
/// More stages are not compiled in reasonable time.
const MOST_STAGES: usize = 32;
/// The coefficients of larger members of a family take too long.
const MOST_NAMED: usize = 12;

/// A method by name, or a table file: `rkd:FILE`, or a name that ends in `.toml`.
pub(crate) fn method(name: &str) -> Result<Method, Exit> {
    if let Some(path) =
        name.strip_prefix("rkd:").or_else(|| name.ends_with(".toml").then_some(name))
    {
        return table(path);
    }
    match Method::named(name, &mut Budget::new(TABLE_BUDGET)) {
        Ok(Some(method)) => limited(method, MOST_NAMED),
        Ok(None) => Err(unknown(name)),
        Err(error) => {
            let message = format!("the method `{name}` cannot be run: {error}");
            diagnostics::plain("ISO-RUN-006", &message, Some("choose another number of stages"));
            Err(Exit::CouldNotRun)
        }
    }
}

fn limited(method: Method, most: usize) -> Result<Method, Exit> {
    match &method {
        Method::Table(table) if table.stages > most => {
            let message = format!(
                "the method `{}` has {} stages, and up to {most} are run",
                method.name(),
                table.stages
            );
            diagnostics::plain("ISO-RUN-006", &message, Some("choose fewer stages"));
            Err(Exit::CouldNotRun)
        }
        _ => Ok(method),
    }
}

fn table(path: &str) -> Result<Method, Exit> {
    let bytes = read(path.as_ref()).map_err(|error| error.report())?;
    match parse_table(&TableText::new(path, &bytes)) {
        Ok(file) => limited(Method::Table(Box::new(file.table)), MOST_STAGES),
        Err(errors) => {
            diagnostics::show(&diagnostics::render_table_errors(path, &bytes, &errors));
            Err(Exit::CouldNotRun)
        }
    }
}

fn unknown(name: &str) -> Exit {
    let mut names = method_names();
    let known = names.iter().any(|known| known == name);
    names.extend(EquationScheme::names());
    names.extend(Method::NAMES.map(str::to_owned));
    let message = if known {
        format!("the method `{name}` is certified but cannot be run yet")
    } else {
        format!("there is no method `{name}`")
    };
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) if !known => format!("did you mean `{near}`? `isotrope methods` lists all"),
        _ => "`isotrope methods` lists all; rkd:FILE takes a table of your own".to_owned(),
    };
    diagnostics::plain("ISO-RUN-007", &message, Some(&hint));
    Exit::CouldNotRun
}
