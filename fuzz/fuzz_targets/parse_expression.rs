//! Text → expression → text → expression: printing loses nothing.
#![no_main]

use isotrope_algebra::print::to_text;
use isotrope_algebra::syntax::{
    Grammar, LowerError, LowerLimits, ParseLimits, Reference, Resolution, Resolver, lower, parse,
    parse_expression,
};
use isotrope_algebra::{Budget, ExprId, Pool};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut pool = Pool::new();
    let Some(read) = read(&mut pool, text) else { return };
    let Ok(printed) = to_text(&pool, read, &mut Budget::new(200_000)) else { return };
    match parse_expression(&mut pool, &printed) {
        Ok(again) => assert_eq!(read, again, "`{text}` is printed as `{printed}`"),
        Err(error) => panic!("`{text}` is printed as `{printed}`: {error}"),
    }
});

/// Reads as model files are read: with limits that a person does not notice.
fn read(pool: &mut Pool, text: &str) -> Option<ExprId> {
    let mut limits = ParseLimits { depth: 1_000, nodes: 20_000, digits: 2_000 };
    let tree = parse(text, Grammar::Equation, &[], &mut limits).ok()?;
    let limits = LowerLimits { number_bits: 1 << 10, exponent: 10_000, allow_undefined: true };
    lower(&tree, &[], pool, &mut Symbols, &limits, &mut Budget::new(20_000))
}

/// Every name is a symbol.
struct Symbols;

impl Resolver for Symbols {
    type Wait = std::convert::Infallible;

    fn resolve(&mut self, pool: &mut Pool, reference: &Reference<'_>) -> Resolution<Self::Wait> {
        let indices: Vec<String> = reference.indices.iter().map(i64::to_string).collect();
        let indices =
            if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(",")) };
        let primes = "'".repeat(reference.primes.into());
        Resolution::Value(pool.symbol(&format!("{}{indices}{primes}", reference.text)))
    }

    fn integer(&mut self, _: &mut Pool, _: &Reference<'_>) -> Option<i64> {
        None
    }

    fn report(&mut self, _: LowerError) {}
}
