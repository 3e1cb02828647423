//! Bases with a time limit: a second process computes them and is killed when it takes too long.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use isotrope::rooms::algebra::ideal::{
    BasisEngine, BasisRequest, Coefficients, DirectF4, EngineError, VariableOrder,
};
use isotrope::rooms::algebra::{Monomial, OutOfBudget, Polynomial, Rational};
use isotrope::{Alarm, Bases, Stop};
use serde::{Deserialize, Serialize};

/// Between two checks of the stop flag.
const LOOK: Duration = Duration::from_millis(50);

const DOING: &str = "computing a basis of an ideal";

/// The hidden subcommand of the second process.
pub(crate) const WORKER: &str = "basis-worker";

/// A polynomial as text: coefficients and exponents.
type Terms = Vec<(String, Vec<u16>)>;

#[derive(Debug, Serialize, Deserialize)]
struct Request {
    variables: usize,
    eliminating: Option<usize>,
    prime: Option<u64>,
    polynomials: Vec<Terms>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Response {
    Basis(Vec<Terms>),
    BadPrime,
    Failed(String),
}

/// [`DirectF4`] in a process of its own, which is started when it is needed and ended after `seconds`.
#[derive(Debug)]
struct LimitedEngine {
    seconds: u64,
    end: Instant,
    stop: Stop,
    program: Vec<OsString>,
    worker: RefCell<Option<Worker>>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Engines in a second process, each with its share of the time.
#[derive(Debug, Clone)]
pub struct InAnotherProcess {
    /// Ends them all.
    pub stop: Stop,
    /// What starts the command: a program, and what comes before a subcommand.
    pub program: Vec<OsString>,
}

/// What started the command that this process is, if it is not its own program.
static PROGRAM: OnceLock<Vec<OsString>> = OnceLock::new();

/// The command that this process is was started by these words: an interpreter and what it runs, for example.
pub(crate) fn started_by(words: Vec<OsString>) {
    // A process is one command: the first words stay.
    let _ = PROGRAM.set(words);
}

/// What starts the command that this process is.
pub(crate) fn own_program() -> Vec<OsString> {
    let own = || std::env::current_exe().map(|path| vec![path.into_os_string()]);
    PROGRAM.get().cloned().unwrap_or_else(|| own().unwrap_or_default())
}

impl Bases for InAnotherProcess {
    fn engines(&self, seconds: u64) -> [Box<dyn BasisEngine>; 3] {
        // What Newton's method and certificates need is left to them.
        let end = Instant::now() + Duration::from_millis(seconds.saturating_mul(450));
        isotrope::shares(seconds).map(|share| {
            let engine = LimitedEngine::new(share, end, self.clone());
            Box::new(engine) as Box<dyn BasisEngine>
        })
    }

    fn alarm(&self, milliseconds: u64, stop: &Stop) -> Alarm {
        let (called_off, flag) = (Stop::new(), stop.clone());
        let off = called_off.clone();
        let end = Instant::now() + Duration::from_millis(milliseconds);
        std::thread::spawn(move || {
            while !off.is_set() {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    flag.set();
                    return;
                }
                std::thread::sleep(left.min(LOOK));
            }
        });
        Alarm::called_off_by(called_off)
    }
}

impl LimitedEngine {
    /// An engine that gives up a basis after this many seconds, and all bases at the end of the
    /// time that there is.
    fn new(
        seconds: u64,
        end: Instant,
        InAnotherProcess { stop, program }: InAnotherProcess,
    ) -> Self {
        Self { seconds, end, stop, program, worker: RefCell::new(None) }
    }
}

fn failed(reason: impl ToString) -> EngineError {
    EngineError::Failed { reason: reason.to_string() }
}

impl Worker {
    fn start(program: &[OsString]) -> Result<Self, EngineError> {
        let Some((first, rest)) = program.split_first() else {
            return Err(failed("it is not known what starts the command"));
        };
        let mut child = Command::new(first)
            .args(rest)
            .arg(WORKER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("the second process has no input or output"));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, answers })
    }

    fn ask(&mut self, request: &str, limit: Duration, stop: &Stop) -> Result<String, EngineError> {
        writeln!(self.input, "{request}").and_then(|()| self.input.flush()).map_err(failed)?;
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() && !stop.is_set() => {}
                Err(RecvTimeoutError::Timeout) if stop.is_set() => {
                    return Err(OutOfBudget::interrupted(0, DOING).into());
                }
                // A worker that is gone most often ran out of memory, which is out of reach, too.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(EngineError::TimeLimit { seconds: limit.as_secs() });
                }
            }
        }
    }
}

impl BasisEngine for LimitedEngine {
    fn has_time(&self) -> bool {
        Instant::now() < self.end && !self.stop.is_set()
    }

    fn basis(&self, request: &BasisRequest<'_>) -> Result<Vec<Polynomial>, EngineError> {
        let prime = match request.coefficients {
            Coefficients::Rational => None,
            Coefficients::Modulo(prime) => Some(prime),
        };
        let message = Request {
            variables: request.variables,
            eliminating: match request.order {
                VariableOrder::Graded => None,
                VariableOrder::Eliminating(first) => Some(first),
            },
            prime,
            polynomials: request.polynomials.iter().map(terms).collect(),
        };
        if self.stop.is_set() {
            return Err(OutOfBudget::interrupted(0, DOING).into());
        }
        if !self.has_time() {
            return Err(EngineError::TimeLimit { seconds: self.seconds });
        }
        let message = serde_json::to_string(&message).map_err(failed)?;
        let mut slot = self.worker.borrow_mut();
        let mut worker = match slot.take() {
            Some(worker) => worker,
            None => Worker::start(&self.program)?,
        };
        // On an error the worker is dropped, and so ended.
        let left = self.end.saturating_duration_since(Instant::now());
        let line = worker.ask(&message, left.min(Duration::from_secs(self.seconds)), &self.stop)?;
        *slot = Some(worker);
        match serde_json::from_str(&line).map_err(failed)? {
            Response::Basis(basis) => basis.into_iter().map(polynomial).collect(),
            Response::BadPrime => Err(EngineError::BadPrime { prime: prime.unwrap_or_default() }),
            Response::Failed(reason) => Err(EngineError::Failed { reason }),
        }
    }
}

fn terms(polynomial: &Polynomial) -> Terms {
    let terms = polynomial.terms().iter();
    terms.map(|(monomial, value)| (value.to_string(), monomial.exponents().to_vec())).collect()
}

fn polynomial(terms: Terms) -> Result<Polynomial, EngineError> {
    let terms = terms
        .into_iter()
        .map(|(value, exponents)| {
            Ok((Monomial::from_exponents(&exponents), value.parse::<Rational>().map_err(failed)?))
        })
        .collect::<Result<Vec<_>, EngineError>>()?;
    Ok(Polynomial::from_terms(terms))
}

/// The second process: one request a line, one answer a line, until the input ends.
///
/// The input ends with the first process. A computation must not go on alone then, so another
/// thread waits for the end of the input and calls `orphaned`.
pub(crate) fn serve(
    input: impl std::io::Read + Send + 'static,
    mut output: impl std::io::Write,
    orphaned: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(input).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
        orphaned();
    });
    for line in requests {
        let response = match compute(&line) {
            Ok(basis) => Response::Basis(basis),
            Err(EngineError::BadPrime { .. }) => Response::BadPrime,
            Err(error) => Response::Failed(error.to_string()),
        };
        let text = serde_json::to_string(&response)?;
        writeln!(output, "{text}")?;
        output.flush()?;
    }
    Ok(())
}

fn compute(line: &str) -> Result<Vec<Terms>, EngineError> {
    let request: Request = serde_json::from_str(line).map_err(failed)?;
    let polynomials =
        request.polynomials.into_iter().map(polynomial).collect::<Result<Vec<_>, _>>()?;
    let basis = DirectF4.basis(&BasisRequest {
        polynomials: &polynomials,
        variables: request.variables,
        order: request.eliminating.map_or(VariableOrder::Graded, VariableOrder::Eliminating),
        coefficients: request.prime.map_or(Coefficients::Rational, Coefficients::Modulo),
    })?;
    Ok(basis.iter().map(terms).collect())
}
