//! The certificates of all listed methods, as `cargo xtask certificates` stores them; with names as
//! arguments only theirs are computed, and the others are as they were stored.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the result of the program")]

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use isotrope_algebra::Budget;
use isotrope_certify::stored::{Stored, all, write};
use isotrope_certify::{RegistryError, computed, fingerprint, stored_names};
use isotrope_scheme::Method;

const BUDGET: u64 = 1_000_000_000_000;

fn main() -> ExitCode {
    let mut names = stored_names();
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = asked.iter().find(|name| !names.contains(name)) {
        eprintln!("no certificate is stored for `{unknown}`: is its family in FAMILIES?");
        return ExitCode::FAILURE;
    }
    let mut list = Vec::new();
    if !asked.is_empty() {
        let known = all();
        // What is new and was not asked for is computed as well: the list has to be complete.
        let (kept, anew): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|name| !asked.contains(name) && known.contains_key(name));
        list.extend(kept.iter().filter_map(|name| known.get(name)).cloned());
        names = anew;
    }
    let complete = list.len() + names.len();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut mine = Vec::new();
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            mine.push((name, one(name)));
        }
        mine
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().into_iter().flatten()).collect()
    });
    for (name, found) in found {
        match found {
            Ok(Some(stored)) => list.push(stored),
            Ok(None) => eprintln!("there is no method `{name}`"),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    match write(&list) {
        Ok(text) if list.len() == complete => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

fn one(name: &str) -> Result<Option<Stored>, RegistryError> {
    let budget = &mut Budget::new(BUDGET);
    let Some(method) = Method::named(name, budget)? else { return Ok(None) };
    let fingerprint = fingerprint(&method, budget)?;
    let certificate = computed(method, budget)?.certificate().clone();
    Ok(Some(Stored { name: name.to_owned(), fingerprint, certificate }))
}
