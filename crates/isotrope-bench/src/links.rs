//! W7: from the text of the N-link pendulum to compiled residual and Jacobian.

use std::hint::black_box;

use isotrope_algebra::{Budget, ExprId, Rational};
use isotrope_derive::residual;
use isotrope_model::{Model, ModelText, parse_model};
use isotrope_tape::{Builder, Formulas, Passes, Program, ValueId};
use rustc_hash::FxHashMap;

use super::c::{Compiler, Reference};
use super::in_c::evaluate_in_c;
use super::measure::{Clock, by_turns};
use super::native::Code;
use super::{BenchError, Row};

const MODEL: &str = include_str!("../../../models/n_pendulum.toml");
const SOURCE: &str = include_str!("../c/evaluate.c");
const EVALUATIONS: u64 = 20_000;
const COMPILATIONS: usize = 15;

/// Residual F(q, q', q'') and its Jacobian as a program: numbers that go in, then those that come
/// out.
struct Evaluation {
    program: Program,
    inputs: usize,
    parameters: Vec<f64>,
}

fn evaluation(links: u32, passes: Passes) -> Result<Evaluation, BenchError> {
    let set = format!("N={links}");
    let text = ModelText { set: vec![&set], ..ModelText::new("model", MODEL.as_bytes()) };
    let mut model = parse_model(&text).map_err(|_| BenchError::Model)?;
    let (mut outputs, rows) =
        residual(&mut model, &mut Budget::unlimited())?.ok_or(BenchError::Model)?;
    outputs.extend(rows.iter().flatten().map(|&(_, entry)| entry));
    record(&model, &outputs, passes)
}

fn record(model: &Model, outputs: &[ExprId], passes: Passes) -> Result<Evaluation, BenchError> {
    let formulas = Formulas::new(&model.pool, outputs)?;
    let values: Vec<f64> = model
        .parameters
        .iter()
        .map(|parameter| model.pool.as_number(parameter.exact).map_or(f64::NAN, Rational::to_f64))
        .collect();
    let slot: FxHashMap<ExprId, u32> =
        model.parameters.iter().map(|parameter| parameter.symbol).zip(0..).collect();
    let inputs: Vec<ExprId> =
        formulas.symbols().filter(|symbol| !slot.contains_key(symbol)).collect();
    let size = (inputs.len() + outputs.len()) as u32;
    let mut builder = Builder::with_passes(size, values.len() as u32, passes);
    let mut symbols: FxHashMap<ExprId, ValueId> = FxHashMap::default();
    for (&symbol, place) in inputs.iter().zip(0..) {
        symbols.insert(symbol, builder.state(place));
    }
    for symbol in formulas.symbols() {
        if let Some(&slot) = slot.get(&symbol) {
            symbols.insert(symbol, builder.parameter(slot));
        }
    }
    let results = formulas.record(&mut builder, &symbols)?;
    for (&value, place) in results.iter().zip(inputs.len() as u32..) {
        builder.store(place, value);
    }
    Ok(Evaluation { program: builder.finish()?, inputs: inputs.len(), parameters: values })
}

impl Evaluation {
    /// Some numbers to begin with.
    fn state(&self) -> Vec<f64> {
        let size = self.program.state as usize;
        let number = |i: usize| 0.1 + 0.37 * (i % 7) as f64 - 0.11 * (i % 3) as f64;
        (0..size).map(|i| if i < self.inputs { number(i) } else { 0.0 }).collect()
    }
}

/// The same formulas with calls of the system's sine and cosine, compiled by the C compiler.
fn in_c(compiler: &Compiler, links: u32) -> Option<Reference> {
    let plain = evaluation(links, Passes { expand: false, ..Passes::ALL }).ok()?;
    let formulas = evaluate_in_c(&plain.program, plain.inputs)?;
    let flags = [
        format!("-DINPUTS={}", plain.inputs),
        format!("-DOUTPUTS={}", plain.program.state as usize - plain.inputs),
        format!("-DPARAMETERS={}", plain.parameters.len()),
    ];
    let state = plain.state();
    let numbers = state[..plain.inputs].iter().chain(&plain.parameters);
    let input = numbers.map(|x| format!("{x}\n")).collect();
    compiler.build(&[("evaluate.c", SOURCE), ("formulas.c", &formulas)], &flags, input)
}

/// W7.
pub(super) fn rows(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    for links in [3, 6, 10] {
        let mut totals = Vec::new();
        for _ in 0..COMPILATIONS {
            let (seconds, code) = Clock::Cpu.time(|| -> Result<_, BenchError> {
                let made = evaluation(links, Passes::ALL)?;
                Code::scalar(&made.program)
            });
            black_box(code?);
            totals.push(seconds * 1e3);
        }
        let made = evaluation(links, Passes::ALL)?;
        let code = Code::scalar(&made.program)?;
        let reference = compiler.and_then(|it| in_c(it, links));
        let measured = by_turns(
            Clock::Cpu,
            EVALUATIONS as f64,
            reference.as_ref(),
            || made.state(),
            |state| code.run(state, &made.parameters, EVALUATIONS),
        )?;
        let mut state = made.state();
        code.run(&mut state, &made.parameters, 1)?;
        let sum: f64 = state[made.inputs..].iter().sum();
        tell(Row {
            name: format!("W7-{links}"),
            ns: measured.ns,
            clock: Clock::Cpu,
            accuracy: measured.c_accuracy.map(|theirs| ((sum - theirs) / theirs).abs()),
            c_ns: measured.c_ns,
            total_ms: Clock::Cpu.typical(&mut totals),
            about: format!(
                "{links}-link pendulum, text to compiled residual and Jacobian: an evaluation; \
                 difference to C"
            ),
        });
    }
    Ok(())
}
