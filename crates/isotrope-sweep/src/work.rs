//! From a shard to the bytes of its part.

use isotrope::codes::SweepCode;
use isotrope::rooms::kernel::integrate::{Member, MemberEnd};
use isotrope::rooms::output::writers::{Part, PartColumn};
use isotrope::rooms::study::in_columns::InColumns;
use isotrope::rooms::study::report::Errors;
use isotrope::rooms::tape::interpret::Scratch;
use isotrope::{Failure, Host, Observed, Ready, RunRequest, Steps, Stop, System, constant_of};

use crate::look::{Looks, Seen, Watcher};
use crate::plan::{Group, Held, Plan, Shard};
use crate::points::Points;
use crate::study::Study;

/// How members end, in the order of their numbers in parts.
const OUTCOMES: [&str; 9] = [
    "completed",
    "escaped",
    "non-finite",
    "newton-stalled",
    "singular",
    "step-limit",
    "promise-broken",
    "not-applicable",
    "failed",
];

/// The work of a plan, group by group.
#[derive(Debug)]
pub struct Work<'p> {
    plan: &'p Plan,
    study: Study,
    points: Points,
}

/// A group that was derived and compiled.
#[derive(Debug)]
pub struct Compiled {
    group: Group,
    system: System,
    steps: Steps,
}

/// A group whose members can run.
#[derive(Debug)]
pub struct Running<'c> {
    compiled: &'c Compiled,
    observed: Observed<'c>,
    looks: Looks,
    /// Where members end up: expressions, points, radius.
    near: Option<(InColumns, Vec<Vec<f64>>, f64)>,
    /// Names of what strobes and sections keep.
    kept: [Vec<String>; 2],
}

impl<'p> Work<'p> {
    /// Of a plan.
    pub fn new(plan: &'p Plan) -> Result<Self, Failure> {
        let study = plan.study()?;
        let points = Points::new(&study.axes, study.sample);
        Ok(Self { plan, study, points })
    }

    /// What the study says.
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// Derives and compiles a group. Files are those of the plan.
    pub fn compile(&self, host: &Host, group: usize) -> Result<Compiled, Failure> {
        let host = host.clone().with_files(Held(self.plan.files.clone()));
        let group = self.plan.groups.get(group).cloned().ok_or_else(|| no_shard(self.plan))?;
        let mut system = self.plan.model(&self.study)?.derive(&host)?;
        let run = &self.study.run;
        let request = RunRequest {
            method: group.method.clone(),
            step: group.step.clone(),
            time: run.time.clone(),
            tolerance: run.tolerance,
            project: run.project,
            ..RunRequest::default()
        };
        match system.prepare(&request)? {
            Ready::Steps(steps) => Ok(Compiled { group, system, steps }),
            Ready::NotApplicable(report) => {
                let message = format!("{} does not apply to {}", report.method, report.model);
                Err(refuse(SweepCode::NotApplicable, message))
            }
        }
    }

    /// Prepares what is measured.
    pub fn begin<'c>(&self, compiled: &'c Compiled) -> Result<Running<'c>, Failure> {
        let observed = Observed::new(&compiled.steps);
        let measure = &self.study.measure;
        let names = &compiled.steps.stepper().names;
        let read = |texts: &[&str]| {
            observed
                .expressions(&compiled.system, texts)
                .map_err(|error| refuse(SweepCode::Measure, format!("cannot be measured: {error}")))
        };
        let texts = |list: &[String]| list.to_vec();
        let or_all = |list: &[String], rates: bool| {
            if !list.is_empty() {
                return texts(list);
            }
            let rates = names.iter().filter(|_| rates).map(|name| format!("v_{name}"));
            names.iter().cloned().chain(rates).collect()
        };
        let read_all = |list: &[String]| read(&list.iter().map(String::as_str).collect::<Vec<_>>());
        let values: Vec<&String> =
            measure.mean.values().chain(measure.min.values()).chain(measure.max.values()).collect();
        let values = match values.is_empty() {
            true => None,
            false => Some(read(&values.iter().map(|text| text.as_str()).collect::<Vec<_>>())?),
        };
        let mut looks = Looks {
            values,
            means: measure.mean.len(),
            least: measure.min.len(),
            every: measure.every,
            ..Looks::default()
        };
        if let Some(transient) = &measure.transient {
            looks.transient = self.steps_in(compiled, transient, false)?;
        }
        let mut kept = [Vec::new(), Vec::new()];
        if let Some(strobe) = &measure.strobe {
            kept[0] = or_all(&strobe.of, false);
            let every = self.steps_in(compiled, &strobe.every, true)?;
            looks.strobe = Some((every, strobe.last, read_all(&kept[0])?));
        }
        if let Some(section) = &measure.section {
            kept[1] = or_all(&section.of, true);
            looks.section = Some((read(&[&section.at])?, section.last, read_all(&kept[1])?));
        }
        if let Some(escape) = &measure.escape {
            looks.escape = Some((read(&[&escape.expression])?, escape.above, escape.bound));
        }
        let near = match &measure.attractor {
            None => None,
            Some(near) => {
                let of = or_all(&near.of, false);
                if near.points.iter().any(|point| point.len() != of.len()) {
                    let message = format!(
                        "points of attractors have {} numbers: {}",
                        of.len(),
                        of.join(", ")
                    );
                    return Err(refuse(SweepCode::Measure, message));
                }
                Some((read_all(&of)?, near.points.clone(), near.radius))
            }
        };
        Ok(Running { compiled, observed, looks, near, kept })
    }

    /// A time in steps; a whole number of them, where that is asked for.
    fn steps_in(&self, compiled: &Compiled, text: &str, whole: bool) -> Result<u64, Failure> {
        let parsed = self.plan.model(&self.study)?;
        let time = constant_of(&parsed, text)
            .map_err(|why| refuse(SweepCode::Measure, format!("the time `{text}` {why}")))?;
        let step = compiled.steps.stepper().step;
        let steps = time / step;
        let near = steps.round();
        if !(steps.is_finite() && near >= 1.0 - f64::from(!whole) && near < 1e15) {
            return Err(refuse(
                SweepCode::Measure,
                format!("`{text}` is no time of steps of {step}"),
            ));
        }
        if whole && (steps - near).abs() > 1e-9 * near {
            let message = format!("`{text}` is {steps} steps of {step}, not a whole number");
            return Err(refuse(SweepCode::Measure, message));
        }
        Ok(near as u64)
    }

    /// Computes a shard; nothing where it was stopped.
    pub fn shard(
        &self,
        running: &Running<'_>,
        shard: Shard,
        threads: usize,
        (stop, made): (&Stop, &(dyn Fn(u64) + Sync)),
    ) -> Result<Option<Part>, Failure> {
        let mut values = Vec::new();
        for member in shard.first..shard.first + shard.count {
            self.points.point(member, &mut values);
        }
        let names: Vec<&str> = self.study.axes.iter().map(|axis| axis.name.as_str()).collect();
        let Running { compiled, observed, looks, .. } = running;
        let members = compiled.system.members_of(&compiled.steps, &names, values.clone())?;
        let members = observed.begun(&members);
        let watcher = Watcher::new(looks, observed, &members);
        let watch = (!looks.is_empty()).then_some(&watcher as _);
        let ends = observed.run(&members, threads, (stop, made), watch);
        if stop.is_set() || ends.iter().any(|end| end.outcome.name() == "interrupted") {
            return Ok(None);
        }
        let seen = watcher.seen.into_iter().map(|seen| seen.into_inner().unwrap_or_default());
        let seen: Vec<Seen> = seen.collect();
        Ok(Some(self.part(running, shard, &values, (&members, &ends, &seen))))
    }

    fn part(
        &self,
        running: &Running<'_>,
        shard: Shard,
        values: &[f64],
        (members, ends, seen): (&[Member], &[MemberEnd], &[Seen]),
    ) -> Part {
        let Running { compiled, observed, looks, near, kept } = running;
        let rows = ends.len();
        let mut part = Part::default();
        let mut add = |name: String, column: PartColumn| {
            part.names.push(name);
            part.columns.push(column);
        };
        let first = shard.first as i64;
        add("member".to_owned(), PartColumn::Integers((first..first + rows as i64).collect()));
        let axes = self.study.axes.len();
        for (k, axis) in self.study.axes.iter().enumerate() {
            let column = values.iter().skip(k).step_by(axes).copied().collect();
            add(axis.name.clone(), PartColumn::Numbers(column));
        }
        let split = [
            ("method", self.study.run.methods.len() > 1, &compiled.group.method),
            ("step", self.study.run.steps.len() > 1, &compiled.group.step),
        ];
        for (name, many, value) in split {
            if let (true, Some(value)) = (many, value) {
                let (list, places) = (vec![value.clone()], vec![0; rows]);
                add(name.to_owned(), PartColumn::Words { list, places });
            }
        }
        let outcome = |(end, seen): (&MemberEnd, &Seen)| match end.outcome.name() {
            _ if seen.escaped => 1,
            name => {
                OUTCOMES.iter().position(|own| *own == name).unwrap_or(OUTCOMES.len() - 1) as u32
            }
        };
        let places: Vec<u32> = ends.iter().zip(seen).map(outcome).collect();
        let whole: Vec<bool> = places.iter().map(|place| *place < 2).collect();
        let list = OUTCOMES.map(str::to_owned).to_vec();
        add("outcome".to_owned(), PartColumn::Words { list, places });
        let steps = ends.iter().map(|end| end.steps as i64).collect();
        add("steps".to_owned(), PartColumn::Integers(steps));
        let measure = &self.study.measure;
        if measure.last {
            for (name, column) in last_rows(compiled, observed, ends) {
                add(name, PartColumn::Numbers(column));
            }
        }
        if measure.errors {
            for (name, column) in errors(observed, ends) {
                add(name, PartColumn::Numbers(column));
            }
        }
        // What was measured of members that did not complete is no mean of the whole.
        let of_whole = |k: usize, value: f64| if whole[k] { value } else { f64::NAN };
        let names = measure
            .mean
            .keys()
            .map(|name| format!("mean_{name}"))
            .chain(measure.min.keys().map(|name| format!("min_{name}")))
            .chain(measure.max.keys().map(|name| format!("max_{name}")));
        for (k, name) in names.enumerate() {
            let value = |(member, seen): (usize, &Seen)| {
                let value = seen.values.get(k).copied().unwrap_or(f64::NAN);
                let value = if k < looks.means { value / seen.count as f64 } else { value };
                of_whole(member, value)
            };
            add(name, PartColumn::Numbers(seen.iter().enumerate().map(value).collect()));
        }
        let rings = [
            ("strobe", looks.strobe.as_ref().map_or(0, |(_, most, _)| *most)),
            ("section", looks.section.as_ref().map_or(0, |(_, most, _)| *most)),
        ];
        for (which, ((kind, most), kept)) in rings.into_iter().zip(kept).enumerate() {
            for (place, name) in kept.iter().enumerate() {
                for nth in 0..most {
                    let column = seen.iter().map(|seen| {
                        let ring = if which == 0 { &seen.flashes } else { &seen.crossings };
                        ring.at(nth, place)
                    });
                    let name = format!("{kind}_{name}_{}", nth + 1);
                    add(name, PartColumn::Numbers(column.collect()));
                }
            }
        }
        if let Some((of, points, radius)) = near {
            let mut scratch = Scratch::default();
            let mut row = Vec::new();
            let labels = ends.iter().zip(members).map(|(end, member)| {
                observed.row(&end.state, &mut row);
                let here = of.at(&row, &member.parameters, &mut scratch);
                here.map_or(-1, |here| nearest(&here, points, *radius))
            });
            add("attractor".to_owned(), PartColumn::Integers(labels.collect()));
        }
        part.metadata = vec![
            ("isotrope.hash".to_owned(), self.plan.hash.clone()),
            ("isotrope.group".to_owned(), shard.group.to_string()),
            ("isotrope.shard".to_owned(), shard.in_group.to_string()),
        ];
        part
    }
}

/// The number of the nearest point within a radius, from 0; -1 if there is none.
fn nearest(here: &[f64], points: &[Vec<f64>], radius: f64) -> i64 {
    let distance = |point: &[f64]| {
        let squares = here.iter().zip(point).map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>().sqrt()
    };
    let distances = (0..).zip(points).map(|(k, point)| (k, distance(point)));
    let best = distances.filter(|(_, d)| *d <= radius).min_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(-1, |(k, _)| k)
}

/// The last rows, column by column; the time is known.
fn last_rows(
    compiled: &Compiled,
    observed: &Observed<'_>,
    ends: &[MemberEnd],
) -> Vec<(String, Vec<f64>)> {
    let names = compiled.steps.columns();
    let mut columns: Vec<(String, Vec<f64>)> = names
        .iter()
        .map(|name| (format!("final_{name}"), Vec::with_capacity(ends.len())))
        .collect();
    let mut row = Vec::new();
    for end in ends {
        observed.row(&end.state, &mut row);
        for (k, (_, column)) in columns.iter_mut().enumerate() {
            column.push(row.get(k).copied().unwrap_or(f64::NAN));
        }
    }
    columns
}

/// The errors that members have, column by column.
fn errors(observed: &Observed<'_>, ends: &[MemberEnd]) -> Vec<(String, Vec<f64>)> {
    type Get = fn(&Errors) -> Option<f64>;
    let known: [(&str, Get); 7] = [
        ("energy_max", |errors| errors.energy_max),
        ("energy_final", |errors| errors.energy_final),
        ("constraint_position_max", |errors| errors.constraint_position_max),
        ("constraint_velocity_max", |errors| errors.constraint_velocity_max),
        ("orthogonality_max", |errors| errors.orthogonality_max),
        ("power_balance_max", |errors| errors.power_balance_max),
        ("legendre_max", |errors| errors.legendre_max),
    ];
    let all: Vec<Errors> = ends.iter().map(|end| observed.report(1, end).errors).collect();
    // Whether there is such an error depends on the system, not on the member.
    let known =
        known.into_iter().filter(|(_, get)| all.first().is_some_and(|first| get(first).is_some()));
    let column = |get: Get| all.iter().map(|errors| get(errors).unwrap_or(f64::NAN)).collect();
    known.map(|(name, get)| (name.to_owned(), column(get))).collect()
}

fn refuse(code: SweepCode, message: impl std::fmt::Display) -> Failure {
    Failure::plain(code, message, code.hint())
}

fn no_shard(plan: &Plan) -> Failure {
    let message = format!("the study has {} shards", plan.shards().count());
    refuse(SweepCode::Shard, message)
}
