//! Methods by name.

use isotrope_algebra::syntax::nearest;
use isotrope_certify::method_names;
use isotrope_kernel::stepper::Method;
use isotrope_methods::table::{Table, TableText, parse_table};
use isotrope_model::codes::RunCode;
use isotrope_scheme::EquationScheme;

use crate::failure::Failure;
use crate::host::Host;

/// More stages are not compiled in reasonable time.
const MOST_STAGES: usize = 32;
/// The coefficients of larger members of a family take too long.
const MOST_NAMED: usize = 12;

/// A method by name, or a table file: `rkd:FILE`, `project:FILE` and the like with a name that ends in
/// `.toml`, or such a name alone.
pub(super) fn named(host: &Host, name: &str) -> Result<Method, Failure> {
    if let Some(path) = name.strip_prefix("rkd:") {
        return table(host, path, |table| Method::Table(Box::new(table)));
    }
    if name.ends_with(".toml") {
        let taken = EquationScheme::prefixes()
            .find_map(|prefix| Some((prefix, name.strip_prefix(prefix)?)));
        return table(host, taken.map_or(name, |(_, path)| path), |table| {
            let scheme =
                taken.and_then(|(prefix, _)| EquationScheme::of_table(prefix, table.clone()));
            match scheme {
                Some(scheme) => Method::Equations(Box::new(scheme)),
                None => Method::Table(Box::new(table)),
            }
        });
    }
    match Method::named(name, &mut host.budget(host.limits.coefficients)) {
        Ok(Some(method)) => limited(method, MOST_NAMED),
        Ok(None) => Err(unknown(name)),
        Err(error) => {
            let message = format!("the method `{name}` cannot be run: {error}");
            Err(Failure::hinted(RunCode::NotPrepared, message, "choose another number of stages"))
        }
    }
}

fn limited(method: Method, most: usize) -> Result<Method, Failure> {
    let stages = match &method {
        Method::Table(table) => table.stages,
        Method::Equations(scheme) => scheme.table().map_or(0, |table| table.stages),
        Method::Composition(_) | Method::Dop853 => 0,
    };
    if stages <= most {
        return Ok(method);
    }
    let name = method.name();
    let message = format!("the method `{name}` has {stages} stages, and up to {most} are run");
    Err(Failure::hinted(RunCode::NotPrepared, message, "choose fewer stages"))
}

fn table(host: &Host, path: &str, make: impl Fn(Table) -> Method) -> Result<Method, Failure> {
    let bytes = host.files().read(path)?;
    match parse_table(&TableText::new(path, &bytes)) {
        Ok(file) => limited(make(file.table), MOST_STAGES),
        Err(errors) => Err(Failure::of_file(path, &bytes, &errors)),
    }
}

fn unknown(name: &str) -> Failure {
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
    Failure::plain(RunCode::UnknownMethod, message, hint)
}
