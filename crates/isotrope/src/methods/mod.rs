//! The methods there are: by name, in lists, with certificates.

mod grouped;
mod lists;
mod named;
mod recommended;
mod remembered;
mod synonyms;

use isotrope_algebra::syntax::nearest;
use isotrope_certify::{
    Certified, LinearTheory, RegistryError, Verdict, certify, linear_theory, method, method_names,
    order_on_class, verdicts,
};
use isotrope_derive::System;
use isotrope_methods::table::{TableText, is_grouped, parse_table};
use isotrope_model::codes::{CertifyCode, MethodsCode};
use isotrope_report::methods::{
    GroupedSummary, detail_to_text, grouped_to_json, grouped_to_text, list_to_json, list_to_text,
    to_json,
};
use isotrope_scheme::{Method, Steps};
use isotrope_study::parallel;
use serde_json::Value;

pub(crate) use remembered::remembering;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::Host;

/// The methods of the program.
#[derive(Debug, Clone, Copy)]
pub struct Methods;

impl Methods {
    /// The names of all methods with a certificate, in the order of the list.
    #[must_use]
    pub fn all() -> Vec<String> {
        method_names()
    }

    /// The names of a list with commas, with `published`, `lie`, `state` and `all` written out.
    #[must_use]
    pub fn names(list: &str) -> Vec<String> {
        lists::once(list)
    }

    /// The method of a name, or of a table file.
    pub fn named(host: &Host, name: &str) -> Result<Method, Failure> {
        host.quietly("reading a method", || named::named(host, name))
    }

    /// The methods of a list, each once.
    pub fn listed(host: &Host, list: &str) -> Result<Vec<Method>, Failure> {
        host.quietly("reading the methods", || lists::listed(host, &lists::once(list)))
    }

    /// The methods of a list as they stand there, each with a step of its own.
    pub(crate) fn each(host: &Host, list: &str) -> Result<Vec<Method>, Failure> {
        host.quietly("reading the methods", || lists::listed(host, &lists::names(list)))
    }

    /// Refuses grouped methods of a list whose groups do not share out the variables of a system.
    pub(crate) fn fit(host: &Host, system: &System, list: Option<&str>) -> Result<(), Failure> {
        let names = list.map(lists::names).unwrap_or_default();
        host.quietly("reading the methods", || grouped::fit(host, system, &names))
    }

    /// What is computed of all methods.
    pub fn certificates(host: &Host) -> Result<Certificates, Failure> {
        let names = Self::all();
        host.during("certifying methods", || {
            let all = parallel::map(&names, |name| of_name(host, name));
            Ok(Certificates { methods: all.into_iter().collect::<Result<_, _>>()? })
        })
    }

    /// What is computed of one method.
    pub fn certificate(host: &Host, name: &str) -> Result<Certificate, Failure> {
        host.during("certifying methods", || {
            let certified = of_name(host, name)?;
            let linear = theory_of(host, certified.method());
            Ok(Certificate { certified, linear, declared: None })
        })
    }

    /// What is computed of a table, or of tables for groups, beside what their file declares.
    pub fn certify(host: &Host, name: &str, bytes: &[u8]) -> Result<Certification, Failure> {
        if is_grouped(bytes) {
            return host.during("certifying the tables", || {
                grouped::certified(host, name, bytes)
                    .map(|summary| Certification::Grouped(Box::new(summary)))
            });
        }
        let file = parse_table(&TableText::new(name, bytes))
            .map_err(|errors| Failure::of_file(name, bytes, &errors))?;
        host.during("certifying the table", || {
            let on_class = match file.declared.class.filter(|_| file.declared.order.is_some()) {
                None => None,
                Some(class) => {
                    let budget = &mut host.budget(host.limits.certify);
                    order_on_class(&file.table, class, budget).ok()
                }
            };
            let certified =
                certify(file.table, &mut host.budget(host.limits.certify)).map_err(|error| {
                    let message = format!("the table could not be certified: {error}");
                    let hint =
                        "write the coefficients with fewer different roots, or take fewer stages";
                    Failure::because(&error, (CertifyCode::TableTooLarge, message, hint.to_owned()))
                })?;
            let declared = Some(verdicts(&file.declared, certified.certificate(), on_class));
            let certified = Certified::<Method>::from(certified);
            let linear = theory_of(host, certified.method());
            Ok(Certification::Table(Box::new(Certificate { certified, linear, declared })))
        })
    }
}

/// The certificates of many methods.
#[derive(Debug, Clone)]
pub struct Certificates {
    /// Methods with what was computed of them.
    pub methods: Vec<Certified<Method>>,
}

impl Answer for Certificates {
    fn text(&mut self, _: usize) -> String {
        list_to_text(&self.methods)
    }

    fn json(&mut self) -> Value {
        list_to_json(&self.methods)
    }
}

/// What is computed of a file.
#[derive(Debug, Clone)]
pub enum Certification {
    /// Of a table.
    Table(Box<Certificate>),
    /// Of tables for groups of variables.
    Grouped(Box<GroupedSummary>),
}

impl Answer for Certification {
    fn text(&mut self, width: usize) -> String {
        match self {
            Self::Table(certificate) => certificate.text(width),
            Self::Grouped(summary) => grouped_to_text(summary),
        }
    }

    fn json(&mut self) -> Value {
        match self {
            Self::Table(certificate) => certificate.json(),
            Self::Grouped(summary) => grouped_to_json(summary),
        }
    }

    fn is_negative(&self) -> bool {
        match self {
            Self::Table(certificate) => certificate.is_negative(),
            Self::Grouped(summary) => {
                summary.declared.iter().any(|verdict| verdict.holds != Some(true))
            }
        }
    }
}

/// The certificate of one method.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The method with what was computed of it.
    pub certified: Certified<Method>,
    /// What linear test equations say of a table; `None` of what is none, or a large one.
    pub linear: Option<LinearTheory>,
    /// What a file declares of it, judged; `None` for a method of the list.
    pub declared: Option<Vec<Verdict>>,
}

impl Answer for Certificate {
    fn text(&mut self, _: usize) -> String {
        let declared = self.declared.as_deref().unwrap_or_default();
        let (method, certificate) = (self.certified.method(), self.certified.certificate());
        detail_to_text(method, certificate, self.linear.as_ref(), declared)
    }

    fn json(&mut self) -> Value {
        let declared = self.declared.as_deref();
        let (method, certificate) = (self.certified.method(), self.certified.certificate());
        to_json(method, certificate, self.linear.as_ref(), declared)
    }

    fn is_negative(&self) -> bool {
        self.declared.iter().flatten().any(|verdict| verdict.holds != Some(true))
    }
}

/// What linear test equations say of the table of a method; nothing where that takes too long.
fn theory_of(host: &Host, method: &Method) -> Option<LinearTheory> {
    let Steps::Table(table) = method.steps() else { return None };
    // `during` sees to it that a stopped computation is no answer.
    linear_theory(table, &mut host.budget(host.limits.certify)).ok().flatten()
}

fn of_name(host: &Host, name: &str) -> Result<Certified<Method>, Failure> {
    let name = synonyms::known_as(name);
    let found = remembering(host, [name], || method(name, &mut host.budget(host.limits.certify)));
    match found {
        Some(Ok(certified)) => Ok(certified),
        Some(Err(error)) => Err(not_certified(host, name, &error)),
        None => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Failure {
    let names = method_names();
    let family: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|known| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('-')))
        .collect();
    let near = nearest(name, names.iter().map(String::as_str));
    let hint = match (family.as_slice(), synonyms::instead_of(name).or(near)) {
        (_, Some(hint)) if synonyms::instead_of(name).is_some() => hint.to_owned(),
        ([first, .., last], _) => format!("a family: {first} to {last}"),
        ([only], _) => format!("did you mean `{only}`?"),
        ([], Some(near)) => format!("did you mean `{near}`? `isotrope methods` lists all"),
        ([], None) => {
            "`isotrope methods` lists all; `isotrope certify FILE` takes a table of your own"
                .to_owned()
        }
    };
    Failure::plain(MethodsCode::UnknownMethod, format!("there is no method `{name}`"), hint)
}

fn not_certified(host: &Host, name: &str, error: &RegistryError) -> Failure {
    let found = Method::named(name, &mut host.budget(host.limits.coefficients)).ok().flatten();
    let (message, hint) = match found.as_ref().and_then(Method::with_equal_steps) {
        Some(even) => (
            format!("`{name}` has steps of a length of its own, which no certificate covers"),
            format!("`isotrope methods {even}` has that of the method with equal steps"),
        ),
        None => (
            format!("the method `{name}` cannot be certified: {error}"),
            match error {
                RegistryError::Stages { .. } => "choose another number of stages".to_owned(),
                _ => "`isotrope methods` lists all".to_owned(),
            },
        ),
    };
    Failure::because(error, (MethodsCode::NoSuchMember, message, hint))
}
