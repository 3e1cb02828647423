//! The command line: arguments, help, dispatch.

mod construction;
mod format;
mod model;
mod structure;
mod studies;
mod sweep;
mod tools;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use isotrope::Stop;

use crate::commands;
use crate::exit::Exit;

pub use construction::{Certify, Conditions, Construct, Methods, Modified, Trees};
pub use format::{Format, Shape, Target, page_name};
pub use model::ModelArguments;
pub use structure::{Check, Connect, Derive, Geometry, Port};
pub use studies::{Compare, Convergence, Drift, Flow, Run, Stability};
pub use sweep::{
    Sweep, SweepCommand, SweepMerge, SweepPicture, SweepPlan, SweepRun, SweepStatus, SweepTable,
    SweepWork,
};
pub use tools::{Bench, Completions, Explain, Man, New, NewKind, Plot, Schema};

/// From a Lagrangian to its exact equations, their geometry and what they conserve.
#[derive(Debug, Parser)]
#[command(
    name = "isotrope",
    version,
    about,
    after_help = "Start here:\n  isotrope new pendulum\n  isotrope derive pendulum.toml\n\n\
                  stdout is data, stderr is talk. Exit codes: 0 done, 1 the answer is negative, \
                  2 could not run, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Derive the equations of motion of a model and everything that follows from them.
    Derive(Derive),
    /// Check initial data, regularity and the kinds of the constraints.
    Check(Check),
    /// Integrate a model with a method, and measure what is kept.
    Run(Run),
    /// Run many methods on a model and compare what they keep, beside a reference solution.
    Compare(Compare),
    /// Measure the orders of methods on a model, beside the computed ones.
    Convergence(Convergence),
    /// Linearise a model at its equilibria along a parameter: where it becomes unstable, and where methods do.
    Stability(Stability),
    /// Long runs: does the energy drift, how do constraints grow, is the 2-form kept?
    Drift(Drift),
    /// Derivatives of the discrete flow: monodromy, symplecticity, Lyapunov exponents,
    /// sensitivities, shooting.
    Flow(Flow),
    /// Studies over many runs, kept in a store: basins, bifurcations, maps.
    Sweep(Sweep),
    /// List the coloured trees of a family of methods, one order condition each.
    Trees(Trees),
    /// List the methods with their orders, all computed; or show one of them.
    Methods(Methods),
    /// Compute the orders of a table file and judge the declared ones.
    Certify(Certify),
    /// What a class of systems asks of the methods that preserve its structure.
    Conditions(Conditions),
    /// Construct methods from order and structure conditions.
    Construct(Construct),
    /// The differential equations that a method solves exactly: backward error analysis.
    Modified(Modified),
    /// Dirac structures, brackets and homological fields: of a geometry file, or of the
    /// constraints of a model.
    Geometry(Geometry),
    /// Find port-Hamiltonian forms of plain equations: energy, structure, dissipation, ports.
    Port(Port),
    /// Connect port systems into one model file.
    Connect(Connect),
    /// Measure compiled steps beside hand-written C.
    Bench(Bench),
    /// Write a commented model file to start from.
    New(New),
    /// Explain an error code and what to do about it.
    Explain(Explain),
    /// Print the JSON schema of model files, for completion in editors; or of an answer.
    Schema(Schema),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Print or write the manual pages.
    Man(Man),
    /// Pictures are drawn by other commands.
    #[command(hide = true)]
    Plot(Plot),
    /// Computes bases for `construct`, one request per line.
    #[command(name = crate::engine::WORKER, hide = true)]
    BasisWorker,
}

/// Parses the arguments of this process, runs the command, and returns its exit code.
pub fn main() -> ExitCode {
    answered(std::env::args_os()).into()
}

/// Runs the command in a process that something else has started, such as an interpreter: `program` are the words that
/// start the command again, `arguments` what comes after the name of the command.
pub fn hosted(program: Vec<OsString>, arguments: impl IntoIterator<Item = OsString>) -> Exit {
    crate::engine::started_by(program);
    answered(std::iter::once(OsString::from("isotrope")).chain(arguments))
}

fn answered(words: impl IntoIterator<Item = OsString>) -> Exit {
    let command = match Cli::try_parse_from(words::spelled_out(words)) {
        Ok(arguments) => arguments.command,
        Err(answer) => return commands::say_usage(&answer),
    };
    // A violated invariant that was swallowed on the way to an answer is reported at the end.
    let around = Stop::new();
    let exit = around.during(|| run(command));
    commands::answer_for(exit, around.violated())
}

fn run(command: Command) -> Exit {
    match command {
        Command::Derive(mut arguments) => {
            let page = arguments.format.spare_the_terminal(&arguments.model.model, "derive");
            with_page(page, commands::derive::run(&arguments))
        }
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Convergence(arguments) => commands::convergence::run(&arguments),
        Command::Stability(arguments) => commands::stability::run(&arguments),
        Command::Drift(arguments) => commands::drift::run(&arguments),
        Command::Flow(arguments) => commands::flow::run(&arguments),
        Command::Sweep(arguments) => commands::sweep::run(&arguments),
        Command::Trees(arguments) => commands::trees::run(&arguments),
        Command::Methods(arguments) => commands::methods::run(&arguments),
        Command::Certify(arguments) => commands::certify::run(&arguments),
        Command::Conditions(arguments) => commands::conditions::run(&arguments),
        Command::Construct(arguments) => commands::construct::run(&arguments),
        Command::BasisWorker => commands::basis_worker::run(),
        Command::Modified(arguments) => commands::modified::run(&arguments),
        Command::Geometry(mut arguments) => {
            let page = arguments.format.spare_the_terminal(&arguments.file, "geometry");
            with_page(page, commands::geometry::run(&arguments))
        }
        Command::Port(mut arguments) => {
            let page = arguments.format.spare_the_terminal(&arguments.file, "port");
            with_page(page, commands::port::run(&arguments))
        }
        Command::Connect(arguments) => commands::connect::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Schema(arguments) => commands::schema::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Plot(arguments) => commands::plot::run(&arguments),
        Command::Man(arguments) => commands::man::run(&arguments),
    }
}

/// Says where a page went that nobody named a file for.
fn with_page(page: Option<PathBuf>, exit: Exit) -> Exit {
    if let Some(page) = page.filter(|_| matches!(exit, Exit::Done | Exit::Negative)) {
        crate::diagnostics::say(&format!("report: {}", page.display()));
    }
    exit
}
