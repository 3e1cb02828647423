//! `isotrope sweep`: studies over many runs, kept in a store.

use std::path::Path;
use std::time::Instant;

use isotrope::codes::SweepCode;
use isotrope::{Failure, Host};
use isotrope_sweep::answers::{PlanAnswer, Reductions};
use isotrope_sweep::run::{Request, run as run_missing, status};
use isotrope_sweep::table::{Filter, Table, to_csv};
use isotrope_sweep::{Plan, Store, picture};

use super::{show, told};
use crate::cli::{
    Sweep, SweepCommand, SweepMerge, SweepPicture, SweepPlan, SweepRun, SweepStatus, SweepTable,
    SweepWork,
};
use crate::exit::Exit;
use crate::pictures::Drawing;
use crate::surroundings::{host, host_writing, name};

/// Runs the command.
pub fn run(arguments: &Sweep) -> Exit {
    told(match &arguments.what {
        SweepCommand::Plan(arguments) => plan(arguments),
        SweepCommand::Run(arguments) => run_study(arguments),
        SweepCommand::Status(arguments) => status_of(arguments),
        SweepCommand::Work(arguments) => work(arguments),
        SweepCommand::Merge(arguments) => merge(arguments),
        SweepCommand::Table(arguments) => table(arguments),
        SweepCommand::Picture(arguments) => draw(arguments),
    })
}

fn plan(arguments: &SweepPlan) -> Result<Exit, Failure> {
    use crate::cli::Format as _;
    let host = host_writing(arguments.format.target().out)?;
    let plan = Plan::read(&host, &name(&arguments.study), arguments.shard_size)?;
    let study = plan.study()?;
    show(&host, &mut PlanAnswer::new(&plan, &study), &arguments.format)
}

fn run_study(arguments: &SweepRun) -> Result<Exit, Failure> {
    let host = host();
    let plan = Plan::read(&host, &name(&arguments.study), arguments.shard_size)?;
    let folder = arguments.store.clone().unwrap_or_else(|| arguments.study.with_extension("store"));
    let share = arguments.shard.as_deref().map(share).transpose()?;
    let store = Store::of(plan, &folder)?;
    let request = Request {
        threads: arguments.threads,
        share,
        shards: None,
        retry_failed: arguments.retry_failed,
    };
    go_on(&host, &store, &request, (arguments.max_seconds, &arguments.format))
}

fn go_on(
    host: &Host,
    store: &Store,
    request: &Request,
    (seconds, format): (Option<f64>, &dyn crate::cli::Format),
) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let mut pause = || seconds.is_some_and(|limit| begun.elapsed().as_secs_f64() >= limit);
    let mut status = run_missing(host, store, request, &mut pause)?;
    show(host, &mut status, format)
}

fn status_of(arguments: &SweepStatus) -> Result<Exit, Failure> {
    let host = host();
    let mut status = status(&Store::open(&arguments.store)?)?;
    show(&host, &mut status, &arguments.format)
}

fn work(arguments: &SweepWork) -> Result<Exit, Failure> {
    let host = host();
    let store = Store::open(&arguments.store)?;
    let count = store.plan().shards().count() as u64;
    let shards = numbers(&arguments.shards, count)?;
    let request =
        Request { threads: arguments.threads, shards: Some(shards), ..Request::default() };
    go_on(&host, &store, &request, (None, &arguments.format))
}

fn merge(arguments: &SweepMerge) -> Result<Exit, Failure> {
    let host = host();
    let store = Store::open(&arguments.store)?;
    for from in &arguments.from {
        store.merge(from)?;
    }
    show(&host, &mut status(&store)?, &arguments.format)
}

fn table(arguments: &SweepTable) -> Result<Exit, Failure> {
    let host = host_writing(arguments.out.as_deref())?;
    let store = Store::open(&arguments.store)?;
    let all = Table::read(&store)?;
    if arguments.reduce {
        let study = store.plan().study()?;
        let mut reductions = Reductions::default();
        for reduction in &study.reduce {
            reductions.0.push((reduction.name.clone(), all.reduced(reduction)?));
        }
        return show(&host, &mut reductions, &arguments.format);
    }
    let rows = all.chosen(&Filter::read(&arguments.filter)?)?;
    let part = all.of_rows(&rows);
    let bytes = match extension(arguments.out.as_deref()) {
        Some("parquet") => part.to_bytes(),
        Some("csv") | None => to_csv(&part).into_bytes(),
        Some(other) => {
            let message = format!("tables are written as .csv and .parquet, not .{other}");
            return Err(refuse(SweepCode::Column, message, "name the file otherwise"));
        }
    };
    let out = arguments.out.as_ref().map_or_else(|| "-".to_owned(), |out| name(out));
    host.files().write(&out, &bytes)?;
    Ok(Exit::Done)
}

fn extension(out: Option<&Path>) -> Option<&str> {
    out.and_then(Path::extension).and_then(|ending| ending.to_str())
}

fn draw(arguments: &SweepPicture) -> Result<Exit, Failure> {
    let host = host_writing(Some(arguments.out.as_path()))?;
    let drawing = Drawing::new(&arguments.out)?;
    let store = Store::open(&arguments.store)?;
    let request = picture::Request {
        x: arguments.x.clone(),
        y: arguments.y.clone(),
        colour: arguments.color.clone(),
        at: Filter::read(&arguments.at)?,
        bifurcation: arguments.bifurcation.clone(),
    };
    let study = store.plan().study()?;
    let chart = picture::picture(&study, &Table::read(&store)?, &request)?;
    drawing.write(&host, &chart)?;
    Ok(Exit::Done)
}

/// `K/N`.
fn share(text: &str) -> Result<(u64, u64), Failure> {
    let parts = text.split_once('/').map(|(k, n)| (k.trim().parse(), n.trim().parse()));
    match parts {
        Some((Ok(k), Ok(n))) if 1 <= k && k <= n => Ok((k, n)),
        _ => Err(no_shards(format!("`{text}` is not a share K/N with K from 1 to N"))),
    }
}

/// `3,7-9`.
fn numbers(text: &str, count: u64) -> Result<Vec<u64>, Failure> {
    let mut list = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
            (Ok(first), Ok(last)) if first <= last && last < count => list.extend(first..=last),
            _ => {
                let message =
                    format!("`{part}` are no shards: there are 0 to {}", count.max(1) - 1);
                return Err(no_shards(message));
            }
        }
    }
    Ok(list)
}

fn no_shards(message: String) -> Failure {
    refuse(SweepCode::Shard, message, &SweepCode::Shard.hint())
}

fn refuse(code: SweepCode, message: String, hint: &str) -> Failure {
    Failure::plain(code, message, hint.to_owned())
}
