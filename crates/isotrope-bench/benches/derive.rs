//! Derivation speed: model text to residual and full Jacobian, and long chains.
//!
//! `cargo xtask bench` prints CPU times and, in the same run, those of a minimal hash-consed
//! differentiator without text parsing, as a yardstick.
#![expect(clippy::panic, reason = "a benchmark that cannot start ends")]

mod yardstick;

use std::hint::black_box;

use cpu_time::ProcessTime;
use isotrope_algebra::Budget;
use isotrope_derive::{analyse, derive, residual};
use isotrope_model::{Model, ModelText, parse_model};

const PENDULUM: &str = include_str!("../../../models/n_pendulum.toml");
const CHAIN: &str = include_str!("../../../models/chain.toml");

fn read(text: &str, links: &str) -> Model {
    let mut source = ModelText::new("model.toml", text.as_bytes());
    source.set = vec![links];
    parse_model(&source).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The best CPU time of several runs, in milliseconds.
fn best(runs: usize, mut work: impl FnMut()) -> f64 {
    (0..runs)
        .map(|_| {
            let start = ProcessTime::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .fold(f64::INFINITY, f64::min)
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn main() {
    // Cargo passes --bench; `cargo test` builds and runs benches with --test.
    let quick = std::env::args().any(|argument| argument == "--test");
    let runs = if quick { 1 } else { 50 };
    println!("planar N-link pendulum, model text to residual F(q,v,a) and its Jacobian (CPU ms)");
    println!("{:>4} {:>10} {:>12} {:>8}", "N", "isotrope", "yardstick", "ratio");
    for links in [3usize, 6, 10] {
        let set = format!("N={links}");
        let ours = best(runs, || {
            let mut model = read(PENDULUM, &set);
            black_box(residual(&mut model, &mut Budget::unlimited()).ok());
        });
        let plain = best(runs, || {
            black_box(yardstick::pendulum(links));
        });
        println!("{links:>4} {ours:>10.3} {plain:>12.3} {:>8.2}", ours / plain);
    }
    println!("\nchain of N masses in Cartesian coordinates, N distance constraints (CPU ms)");
    println!(
        "{:>5} {:>8} {:>8} {:>8} {:>10} {:>10}",
        "N", "read", "derive", "analyse", "nodes", "nodes/N"
    );
    for links in if quick { vec![10usize] } else { vec![10, 100, 1000, 4000] } {
        let set = format!("N={links}");
        let mut nodes = 0;
        let runs = if quick { 1 } else { (2000 / links).clamp(3, 20) };
        let reading = best(runs, || {
            black_box(read(CHAIN, &set));
        });
        let model = read(CHAIN, &set);
        let mut system = None;
        let deriving = best(runs, || {
            system = derive(model.clone(), &mut Budget::unlimited()).ok();
        });
        let analysing = best(1, || {
            if let Some(system) = &mut system {
                black_box(analyse(system, &Budget::new(100_000_000)));
                nodes = system.model.pool.len();
            }
        });
        println!(
            "{links:>5} {reading:>8.2} {deriving:>8.2} {analysing:>8.2} {nodes:>10} {:>10.1}",
            nodes as f64 / links as f64
        );
    }
}
