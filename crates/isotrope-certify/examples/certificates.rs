//! The certificates of all listed methods, as `cargo xtask certificates` stores them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the result of the program")]

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use isotrope_algebra::Budget;
use isotrope_certify::stored::{Stored, write};
use isotrope_certify::{RegistryError, computed, fingerprint, stored_names};
use isotrope_scheme::Method;

const BUDGET: u64 = 1_000_000_000_000;

fn main() -> ExitCode {
    let names = stored_names();
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
    let mut list = Vec::new();
    for (name, found) in found {
        match found {
            Ok(Some(stored)) => list.push(stored),
            Ok(None) => eprintln!("there is no method `{name}`"),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    match write(&list) {
        Ok(text) if list.len() == names.len() => {
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
