//! Methods with a table for each group of variables, from files.

use isotrope_algebra::syntax::Span;
use isotrope_certify::{Claimed, DefectOrder, GroupedOrder, Verdict, grouped_order};
use isotrope_construct::grouped_structure;
use isotrope_construct::problem::Problem;
use isotrope_construct::problem::file::{ProblemText, parse_problem, parse_problem_within};
use isotrope_derive::System;
use isotrope_methods::table::{
    ClaimedOrder, GroupedFile, GroupedText, TableCode, TableError, is_grouped, parse_grouped,
};
use isotrope_methods::trees::Family;
use isotrope_model::codes::{CertifyCode, RunCode};
use isotrope_report::methods::GroupedSummary;
use isotrope_scheme::{Method, grouped_variables};

use crate::failure::Failure;
use crate::host::Host;

/// A file with tables for groups, and the problem that they were made for.
pub(super) struct Grouped {
    name: String,
    bytes: Vec<u8>,
    file: GroupedFile,
    problem: Option<Problem>,
}

/// The beginning of names of such methods.
const PREFIX: &str = "grouped:";

/// The file of a name, if it is one of tables for groups.
pub(super) fn path<'n>(host: &Host, name: &'n str) -> Option<&'n str> {
    if let Some(path) = name.strip_prefix(PREFIX) {
        return Some(path);
    }
    let bare = name.ends_with(".toml") && !name.contains(':');
    let bytes = bare.then(|| host.files().read(name).ok()).flatten()?;
    is_grouped(&bytes).then_some(name)
}

/// The method of a file.
pub(super) fn method(host: &Host, path: &str) -> Result<Method, Failure> {
    let Grouped { file, .. } = Grouped::read(host, path)?;
    Method::of_groups(file.table).ok_or_else(|| {
        Failure::plain(RunCode::UnknownMethod, "there is no family of grouped methods", None)
    })
}

/// Refuses grouped methods whose groups are no partition of the variables of a system, at their place.
pub(crate) fn fit(host: &Host, system: &System, names: &[String]) -> Result<(), Failure> {
    for path in names.iter().filter_map(|name| path(host, name.trim())) {
        let Grouped { name, bytes, file, .. } = Grouped::read(host, path)?;
        let Some(known) = grouped_variables(system, &file.table) else { continue };
        let Err(problem) = file.table.partition(&known) else { continue };
        let span = match problem.place() {
            Some((group, variable)) => {
                file.places.get(group).and_then(|(_, variables)| variables.get(variable))
            }
            None => file.places.last().map(|(group, _)| group),
        };
        let hint = format!(
            "put each of {} into one group: `variables = [\"…\"]`",
            known.iter().take(12).cloned().collect::<Vec<_>>().join(", ")
        );
        let error = wrong(TableCode::NotAPartition, span.copied(), problem.to_string(), hint);
        return Err(Failure::of_file(&name, &bytes, &[error]));
    }
    Ok(())
}

fn wrong(code: TableCode, span: Option<Span>, message: String, hint: String) -> TableError {
    TableError { span: span.unwrap_or_default(), code, message, hint, labels: Vec::new() }
}

/// What is computed of a file with tables for groups.
pub(super) fn certified(host: &Host, name: &str, bytes: &[u8]) -> Result<GroupedSummary, Failure> {
    Grouped::parse(host, name, bytes.to_vec())?.summary(host)
}

/// The systems that a method is about.
struct Class {
    name: String,
    family: Family,
}

impl Grouped {
    fn read(host: &Host, path: &str) -> Result<Self, Failure> {
        let bytes = host.files().read(path)?;
        Self::parse(host, path, bytes)
    }

    fn parse(host: &Host, name: &str, bytes: Vec<u8>) -> Result<Self, Failure> {
        let mut file = parse_grouped(&GroupedText::new(name, &bytes))
            .map_err(|errors| Failure::of_file(name, &bytes, &errors))?;
        let problem = match file.has_problem {
            true => parse_problem_within(&ProblemText::new(name, &bytes))
                .map_err(|errors| Failure::of_file(name, &bytes, &errors))?,
            false => match &file.declared.class {
                Some((class, _)) if class.ends_with(".toml") => {
                    let path = beside(name, class);
                    let bytes = host.files().read(&path)?;
                    let problem = parse_problem(&ProblemText::new(&path, &bytes))
                        .map_err(|errors| Failure::of_file(&path, &bytes, &errors))?;
                    Some(problem)
                }
                _ => None,
            },
        };
        if let Some(problem) = &problem {
            let groups: Vec<String> =
                file.table.groups.iter().map(|group| group.name.clone()).collect();
            file.table.preserved = problem.preserved(&groups);
        }
        Ok(Self { name: name.to_owned(), bytes, file, problem })
    }

    fn refuse(
        &self,
        code: TableCode,
        span: Option<Span>,
        message: String,
        hint: String,
    ) -> Failure {
        Failure::of_file(&self.name, &self.bytes, &[wrong(code, span, message, hint)])
    }

    /// The systems of the declared class; without one those of the problem, or all.
    fn class(&self) -> Result<Class, Failure> {
        let table = &self.file.table;
        let general = || Class { name: "general".to_owned(), family: table.general() };
        let of_problem = |problem: &Problem| Class {
            name: problem.name.clone(),
            family: problem.family.clone(),
        };
        let Some((written, span)) = &self.file.declared.class else {
            return Ok(self.problem.as_ref().map_or_else(general, of_problem));
        };
        if written == "general" || written == "generic" {
            return Ok(general());
        }
        if let Some(problem) = &self.problem
            && (*written == problem.name || written.ends_with(".toml"))
        {
            return Ok(of_problem(problem));
        }
        let names: Vec<&str> = table.groups.iter().map(|group| group.name.as_str()).collect();
        if let ("separable", [first, second]) = (written.as_str(), names.as_slice()) {
            let rules = format!("{first}={second}; {second}={first}");
            if let Ok(family) = Family::parse(&rules) {
                return Ok(Class { name: "separable".to_owned(), family });
            }
        }
        let unknown = |message: String| {
            let hint = "write \"general\", for two groups \"separable\", trees such as \"q=p; p=q^2,p\", \
                        the path of a problem file, or the name of the problem under [problem]";
            self.refuse(TableCode::UnknownGroups, Some(*span), message, hint.to_owned())
        };
        if written.contains('=') {
            return match Family::parse(written) {
                Ok(family) => Ok(Class { name: "trees".to_owned(), family }),
                Err(error) => Err(unknown(error.to_string())),
            };
        }
        Err(unknown(format!("there is no class `{written}` of systems in groups")))
    }

    /// The order on a family, which has to be one of these groups.
    fn order(
        &self,
        host: &Host,
        family: &Family,
        span: Option<Span>,
    ) -> Result<GroupedOrder, Failure> {
        let table = &self.file.table;
        let found = grouped_order(table, family, &mut host.budget(host.limits.certify));
        match found {
            Ok(Some(order)) => Ok(order),
            Ok(None) => {
                let colours = family.colours();
                let strange = colours
                    .iter()
                    .find(|one| table.groups.iter().all(|group| group.name != one.name()));
                Err(match strange {
                    Some(colour) => self.refuse(
                        TableCode::UnknownGroups,
                        span,
                        format!(
                            "the class has a group `{}`, and the file has no table for it",
                            colour.name()
                        ),
                        "name the groups of the tables as those of the class".to_owned(),
                    ),
                    None => {
                        let without = table.groups.iter().position(|group| group.a.is_none());
                        let place = without.and_then(|at| self.file.places.get(at));
                        let name = without.map_or("", |at| &table.groups[at].name);
                        self.refuse(
                            TableCode::NoMatrix,
                            place.map(|place| place.0),
                            format!(
                                "right sides depend on the group `{name}`, which has no matrix `a`"
                            ),
                            "add the matrix `a` of its stages".to_owned(),
                        )
                    }
                })
            }
            Err(error) => {
                let message = format!("the table could not be certified: {error}");
                let hint =
                    "write the coefficients with fewer different roots, or take fewer stages";
                Err(Failure::because(
                    &error,
                    (CertifyCode::TableTooLarge, message, hint.to_owned()),
                ))
            }
        }
    }

    fn summary(&self, host: &Host) -> Result<GroupedSummary, Failure> {
        let table = &self.file.table;
        let declared = &self.file.declared;
        let class = self.class()?;
        let span = declared.class.as_ref().map(|class| class.1);
        let order = self.order(host, &class.family, span)?;
        let general = table.general();
        let general = match general == class.family {
            true => Some(order.order),
            false => self.order(host, &general, span).ok().map(|found| found.order),
        };
        let structure = match &self.problem {
            None => None,
            Some(problem) => {
                let budget = &mut host.budget(host.limits.certify);
                grouped_structure(table, problem, budget).map_err(|error| {
                    let message = format!("the structure functions could not be expanded: {error}");
                    let hint = "write rates and functions in a simpler form".to_owned();
                    Failure::because(&error, (CertifyCode::TableTooLarge, message, hint))
                })?
            }
        };
        let functions = self.problem.iter().flat_map(|problem| problem.parts());
        let functions = functions.map(str::to_owned).collect();
        let mut verdicts = Vec::new();
        let number = |order: u32| usize::try_from(order).unwrap_or(usize::MAX);
        if let Some((claimed, _)) = declared.order {
            let claimed = number(claimed);
            verdicts.push(Verdict {
                what: "order",
                class: None,
                claimed: Claimed(Some(claimed)),
                computed: Some(order.order.to_string()),
                holds: Some(order.order >= claimed),
            });
        }
        if let Some((claimed, _)) = declared.structure {
            let claimed = match claimed {
                ClaimedOrder::Finite(order) => Some(number(order)),
                ClaimedOrder::Infinite => None,
            };
            verdicts.push(Verdict {
                what: "structure",
                class: None,
                claimed: Claimed(claimed),
                computed: structure.map(|found| found.to_string()),
                holds: structure.and_then(|found: DefectOrder| found.allows(claimed)),
            });
        }
        Ok(GroupedSummary {
            table: table.clone(),
            class: class.name,
            rules: class.family.rules(),
            order,
            general,
            structure,
            functions,
            declared: verdicts,
        })
    }
}

/// A path as seen from a file.
fn beside(file: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    match file.rfind('/') {
        Some(at) => format!("{}/{path}", &file[..at]),
        None => path.to_owned(),
    }
}
