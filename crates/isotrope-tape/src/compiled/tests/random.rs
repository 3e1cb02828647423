//! Random programs have the same bits on every road.

use super::case::Case;
use super::generate::Shape;

/// Ten thousand programs; with `ISOTROPE_LONG` a million, or as many as it says.
fn programs() -> u64 {
    let Some(long) = std::env::var_os("ISOTROPE_LONG") else { return 10_000 };
    long.to_str().and_then(|text| text.parse().ok()).filter(|&count| count > 1).unwrap_or(1_000_000)
}

/// Every back end does what the interpreter does.
fn check(case: &Case) {
    #[cfg(all(target_arch = "x86_64", unix))]
    crate::x86::tests::check(case);
    crate::cranelift::tests::check(case);
}

/// Checks many programs; gives how many were executed, and how many runs of them completed.
fn check_many(count: u64, first: u64, shape: Shape) -> (u64, usize) {
    let threads = 2;
    std::thread::scope(|scope| {
        let work = move |thread: u64| {
            let seeds = (0..count).filter(move |seed| seed % threads == thread);
            let cases = seeds.filter_map(|seed| Case::new(first + seed, shape));
            cases.fold((0, 0), |(programs, completed), case| {
                check(&case);
                (programs + 1, completed + case.completed())
            })
        };
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        workers.into_iter().fold((0, 0), |(programs, completed), worker| {
            let made = worker.join().expect("a program failed");
            (programs + made.0, completed + made.1)
        })
    })
}

#[test]
fn small_programs_have_the_same_bits_on_every_road() {
    let shape = Shape { operations: 14, strange: 10, far: 3, defined: false };
    let count = programs() * 6 / 10;
    let (executed, completed) = check_many(count, 0, shape);
    assert!(executed > count * 9 / 10, "{executed} of {count}");
    assert!(completed as u64 > count, "{completed} runs of {count} programs");
}

#[test]
fn ordinary_programs_have_the_same_bits_on_every_road() {
    let shape = Shape { operations: 60, strange: 40, far: 3, defined: true };
    check_many(programs() * 3 / 10, 1_000_000_000, shape);
}

#[test]
fn programs_that_spill_have_the_same_bits_on_every_road() {
    let shape = Shape { operations: 700, strange: 300, far: 2, defined: true };
    check_many(programs() / 10, 2_000_000_000, shape);
}
