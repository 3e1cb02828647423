//! Methods by name.

use isotrope_algebra::syntax::nearest;
use isotrope_methods::table::{Table, TableText, parse_table};
use isotrope_model::codes::RunCode;
use isotrope_scheme::{Listed, Method};

use super::{grouped, synonyms};
use crate::failure::Failure;
use crate::host::Host;

/// More stages are not compiled in reasonable time.
const MOST_STAGES: usize = 32;
/// The coefficients of larger members of a family take too long.
const MOST_NAMED: usize = 12;

/// A method by name, or a table file: `rkd:FILE`, `project:FILE` and the like with a name that ends in
/// `.toml`, or such a name alone; `grouped:FILE` for tables of groups.
pub(super) fn named(host: &Host, name: &str) -> Result<Method, Failure> {
    let name = synonyms::known_as(name);
    if let Some(path) = grouped::path(host, name) {
        return grouped::method(host, path);
    }
    if let Some(path) = name.strip_prefix("rkd:") {
        return table(host, path, Method::of_table);
    }
    if name.ends_with(".toml") {
        let taken =
            Method::prefixes().find_map(|prefix| Some((prefix, name.strip_prefix(prefix)?)));
        return table(host, taken.map_or(name, |(_, path)| path), |table| {
            let scheme = taken.and_then(|(prefix, _)| Method::taking(prefix, table.clone()));
            scheme.unwrap_or_else(|| Method::of_table(table))
        });
    }
    match Method::named(name, &mut host.budget(host.limits.coefficients)) {
        Ok(Some(method)) => limited(method, MOST_NAMED),
        Ok(None) => Err(unknown(name)),
        Err(error) => {
            let message = format!("the method `{name}` cannot be run: {error}");
            let hint = "choose another number of stages".to_owned();
            Err(Failure::because(&error, (RunCode::NotPrepared, message, hint)))
        }
    }
}

fn limited(method: Method, most: usize) -> Result<Method, Failure> {
    let table = method.table().or_else(|| method.equations()?.table());
    let stages = table.map_or(0, |table| table.stages);
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
    let listed = Listed::all();
    let near = nearest(name, listed.iter().map(|one| one.name.as_str()));
    let hint = match (synonyms::instead_of(name), near) {
        (Some(hint), _) => hint.to_owned(),
        (None, Some(near)) => format!("did you mean `{near}`? `isotrope methods` lists all"),
        (None, None) => {
            "`isotrope methods` lists all; rkd:FILE takes a table of your own, grouped:FILE tables for groups of \
             variables"
                .to_owned()
        }
    };
    Failure::plain(RunCode::UnknownMethod, format!("there is no method `{name}`"), hint)
}
