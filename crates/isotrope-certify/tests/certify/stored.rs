//! Stored certificates are those of the methods, and a changed coefficient is noticed.

use std::time::{Duration, Instant, SystemTime};

use isotrope_algebra::Rational;
use isotrope_certify::stored::{all, read, write};
use isotrope_certify::{computed, fingerprint, stored_names};
use isotrope_methods::table::Table;
use isotrope_scheme::{Method, Steps, Theory};

use crate::support::budget;

const AGAIN: &str = "run `cargo xtask certificates` and check what has changed";

const FILE: &str = include_str!("../../data/certificates.json");

fn method(name: &str) -> Method {
    Method::named(name, &mut budget())
        .unwrap()
        .unwrap_or_else(|| panic!("there is no method `{name}`"))
}

/// The methods that are not what the stored certificate of their name is about.
fn changed(methods: impl IntoIterator<Item = Method>) -> Vec<String> {
    let differs = |method: &Method| {
        let now = fingerprint(method, &mut budget()).unwrap();
        all().get(method.name()).is_none_or(|stored| stored.fingerprint != now)
    };
    methods.into_iter().filter(differs).map(|method| method.name().to_owned()).collect()
}

#[test]
fn the_file_has_every_listed_method_once_and_is_as_it_is_written() {
    let list = read(FILE).unwrap_or_else(|error| panic!("{error}: {AGAIN}"));
    let mut names = stored_names();
    names.sort();
    let stored: Vec<&String> = list.iter().map(|stored| &stored.name).collect();
    assert_eq!(stored, names.iter().collect::<Vec<_>>(), "{AGAIN}");
    assert_eq!(write(&list).unwrap(), FILE);
}

#[test]
fn every_stored_certificate_is_about_the_method_of_its_name() {
    let changed = changed(stored_names().iter().map(|name| method(name)));
    assert!(changed.is_empty(), "{}: the methods have changed; {AGAIN}", changed.join(", "));
}

fn rk4_with_a_wrong_weight() -> Table {
    let mut table = method("rk4").table().unwrap().clone();
    let more = table.field.rational(Rational::new(1, 7).unwrap());
    table.b[0] = table.field.add(&table.b[0], &more);
    table
}

/// The test above can fail: tables, schemes with a table, with a number, with a discrete Lagrangian,
/// on groups, in state space, of first order.
#[test]
fn a_changed_coefficient_is_noticed() {
    let wrong = rk4_with_a_wrong_weight();
    let methods = [
        Method::of_table(wrong.clone()),
        Method::taking("project:", wrong.clone()).unwrap(),
        Method::taking("rkmk-", wrong).unwrap(),
    ];
    let names: Vec<String> = methods.iter().map(|method| method.name().to_owned()).collect();
    assert_eq!(changed(methods), names);
    assert_eq!(changed(names.iter().map(|name| method(name))), [""; 0]);
    let of = |name: &str| fingerprint(&method(name), &mut budget()).unwrap();
    for (one, other) in [
        ("generalized-alpha", "generalized-alpha-0.9"),
        ("baumgarte", "baumgarte-6"),
        ("galerkin-2-gauss2", "galerkin-2-gauss3"),
        ("lie-cayley", "lie-exp"),
        ("avf-4", "avf-6"),
        ("dvi-1", "dvi-2"),
    ] {
        assert_ne!(of(one), of(other), "{one}, {other}");
    }
    // The same numbers under two names, and written by a number.
    assert_eq!(of("sv"), of("verlet"));
    assert_eq!(of("baumgarte"), of("baumgarte-5"));
}

/// A part of the list, another one every day; all of it with `cargo xtask test --long`.
#[test]
fn stored_certificates_are_what_is_computed() {
    const PARTS: u64 = 20;
    const ENOUGH: Duration = Duration::from_secs(12);
    let long = std::env::var_os("ISOTROPE_LONG").is_some();
    let day = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() / 86_400;
    let chosen = |number: &(u64, String)| long || number.0 % PARTS == day % PARTS;
    let numbered = (0..).zip(stored_names()).filter(chosen);
    let mut methods: Vec<Method> = numbered.map(|(_, name)| method(&name)).collect();
    // Exact algebra on small tables is quick.
    methods.sort_by_key(|method| match (method.theory(), method.steps()) {
        (Theory::Multistep(_) | Theory::Expansion(_), _) => 0,
        (_, Steps::Table(table)) => table.stages,
        (_, Steps::Composition(_) | Steps::Adaptive) => 8,
        (_, Steps::Equations(_)) => 9,
    });
    let begin = Instant::now();
    for method in methods {
        let name = method.name().to_owned();
        let now = computed(method, &mut budget()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(&all()[&name].certificate, now.certificate(), "{name}: {AGAIN}");
        if !long && begin.elapsed() > ENOUGH {
            break;
        }
    }
}

#[test]
fn the_form_of_a_half_explicit_method_is_seen_on_a_generic_potential() {
    // Without constraints rk4-c is RK4, whose form is known from its table: both are O(h^5).
    let form = |name: &str| {
        let certificate = &all().get(name).unwrap().certificate;
        certificate.on(isotrope_methods::classes::Class::Symplectic).unwrap().form
    };
    assert_eq!(form("rk4-c"), Some(isotrope_certify::DefectOrder::Exactly(5)));
    assert_eq!(form("rk4-c"), form("rk4"));
}
