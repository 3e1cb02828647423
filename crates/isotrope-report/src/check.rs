//! The answer of a check, as text and as JSON.

use isotrope_algebra::Ball;
use isotrope_algebra::print::visible;
use isotrope_derive::check::{
    ProjectError, Projection, Regularity, Report, Residual, VelocityDefect, trimmed,
};
use isotrope_derive::{Analysis, ConstraintKind, StateConstraint, System};
use isotrope_study::report::{Align, Table};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::json::{Named, value};

/// All parts of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Summary<'a> {
    /// The system.
    pub system: &'a System,
    /// Its constraints' kinds.
    pub analysis: &'a Analysis,
    /// The check of the data as given.
    pub report: &'a Report,
    /// The repaired data, if asked for.
    pub projection: Option<&'a Result<Projection, ProjectError>>,
}

impl Summary<'_> {
    /// Is the answer positive: the data as given, or the repaired ones if asked for?
    pub fn is_good(&self) -> bool {
        match self.projection {
            Some(Ok(projection)) => projection.report.is_good(),
            Some(Err(_)) => false,
            None => self.report.is_good(),
        }
    }
}

/// Constraints up to this many are listed in the terminal.
const LISTED: usize = 12;

fn size(ball: &Ball) -> String {
    if ball.is_zero() {
        return "0".to_owned();
    }
    if ball.contains_zero() {
        // The enclosure is all that is known: its outer end.
        let bound = ball
            .bounds()
            .map_or(f64::NAN, |(low, high)| low.abs().to_f64().max(high.abs().to_f64()));
        return format!("< {}", exponent(bound));
    }
    exponent(ball.to_f64())
}

fn exponent(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value < 1e-30 { format!("{value:.0e}") } else { format!("{value:.2e}") }
}

fn yes(value: Option<bool>) -> &'static str {
    match value {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    }
}

fn redundant(system: &System) -> usize {
    system.mechanics.dynamics().map_or(0, |(_, rows)| rows.redundant.len())
}

fn regularity(system: &System, report: &Report) -> String {
    match &report.regularity {
        Regularity::Regular if system.mechanics.hamiltonian_field().is_some() => {
            "yes: Hamilton's equations have values at the initial point".into()
        }
        Regularity::Regular if system.mechanics.state().is_some() => {
            "yes: the rates have values at the initial point".into()
        }
        Regularity::Regular if system.mechanics.degenerate().is_some() => {
            "yes: the form dϑ is invertible at the initial point, and velocities follow from positions"
                .into()
        }
        Regularity::SingularInertia if system.mechanics.degenerate().is_some() => {
            "no: the form dϑ is degenerate at the initial point: velocities are not determined there".into()
        }
        Regularity::Regular if report.residuals.is_empty() => {
            "yes: the mass matrix is invertible at the initial point".into()
        }
        Regularity::Regular => format!(
            "yes: rank A = {} of {}, and [M -Aᵀ; A 0] is invertible",
            report.rank,
            report.residuals.len() - redundant(system).min(report.residuals.len())
        ),
        Regularity::DependentConstraints { rank, of } => format!(
            "no: at the initial point the rows of A are dependent (rank {rank} of {of}), \
             so the multipliers are not determined there"
        ),
        Regularity::SingularInertia => {
            "no: [M -Aᵀ; A 0] is singular at the initial point: the accelerations are not \
             determined there"
                .into()
        }
        Regularity::Undecided => "not decided: some pivot is too close to zero".into(),
        Regularity::NoValue => "not decided: an expression is undefined at the initial point".into(),
    }
}

/// The answer for a terminal.
pub fn to_text(summary: &Summary<'_>) -> String {
    let report = summary.report;
    let mut out = format!("{}: initial data at t = 0\n\n", visible(&summary.system.model.name));
    table(summary, report, &mut out);
    for undefined in &report.undefined {
        out.push_str(&format!("  undefined   {undefined}\n"));
    }
    let consistent = match (report.is_consistent(), report.residuals.is_empty()) {
        _ if summary.system.mechanics.degenerate().is_some() => velocities(summary),
        (true, true) => "yes: there are no constraints".to_owned(),
        (true, false) => format!(
            "yes: all residuals are at most {:e} of the terms of their constraints",
            report.tolerance
        ),
        (false, _) if !report.undefined.is_empty() => "not decided".to_owned(),
        (false, _) => format!(
            "no: a residual is larger than {:e} of the terms of its constraint",
            report.tolerance
        ),
    };
    out.push_str(&format!("  consistent  {consistent}\n"));
    out.push_str(&format!("  regular     {}\n", regularity(summary.system, report)));
    if let Some(energy) = &report.energy {
        let value =
            if energy.contains_zero() { "0".into() } else { trimmed(&energy.to_decimal(12)) };
        out.push_str(&format!("  energy      {value}\n"));
    }
    let constrained = !report.residuals.is_empty();
    if summary.projection.is_none()
        && constrained
        && !report.is_consistent()
        && report.undefined.is_empty()
    {
        out.push_str("\n  `--project` computes consistent data near these.\n");
    }
    match summary.projection {
        Some(Ok(projection)) => projected(summary, projection, &mut out),
        Some(Err(error)) => out.push_str(&format!("\nNo consistent data found: {error}.\n")),
        None => {}
    }
    out
}

/// Given velocities beside those that follow from the positions.
fn velocities(summary: &Summary<'_>) -> String {
    let report = summary.report;
    if !report.undefined.is_empty() {
        return "not decided".to_owned();
    }
    if !summary.system.model.initial.has_rates {
        return "yes: velocities are not given, they follow from positions".to_owned();
    }
    if report.is_consistent() {
        return format!(
            "yes: the given velocities are those that follow from positions, to {:e} of their size",
            report.tolerance
        );
    }
    let relative = |found: &&VelocityDefect| found.defect.to_f64() / found.size;
    let wrong = report.velocities.iter().filter(|found| !found.defect.is_zero());
    let worst = wrong.max_by(|a, b| relative(a).total_cmp(&relative(b)));
    worst.map_or_else(
        || "not decided".to_owned(),
        |VelocityDefect { name, defect, .. }| {
            format!(
                "no: velocities follow from positions, and the given {name}' differs by {}; leave \
                 `velocity` out",
                size(defect)
            )
        },
    )
}

fn table(summary: &Summary<'_>, report: &Report, out: &mut String) {
    if report.residuals.is_empty() {
        return;
    }
    if let Some((constraints, _)) = summary.system.mechanics.on_states() {
        return on_states(constraints, report, out);
    }
    let kinds = &summary.analysis.distribution.kinds;
    let mut table = Table::new([Align::Left]).indented(2);
    table.heading(["constraint", "kind", "integrable", "|φ(q)|", "|A v + b|"]);
    for (a, residual) in report.residuals.iter().enumerate().take(listed(report)) {
        // What has no kind of its own comes last and follows from the others.
        let aside = ("holonomic, redundant", Some(true));
        let (kind, integrable) = kinds.get(a).copied().map_or(aside, |(k, i)| (k.name(), i));
        table.line([
            residual.name.clone(),
            kind.to_owned(),
            yes(integrable).to_owned(),
            residual.position.as_ref().map_or("-".to_owned(), size),
            size(&residual.velocity),
        ]);
    }
    out.push_str(&table.to_string());
    if listed(report) < report.residuals.len() {
        let rest = report.residuals.len() - listed(report);
        let worst = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let position = worst(
            &mut report.residuals.iter().filter_map(|r| r.position.as_ref()).map(Ball::to_f64),
        );
        let velocity = worst(&mut report.residuals.iter().map(|r| r.velocity.to_f64()));
        out.push_str(&format!(
            "  … and {rest} more; the largest of all: {} and {}\n",
            exponent(position),
            exponent(velocity)
        ));
    }
    out.push('\n');
}

/// What states satisfy: how often equations were differentiated for each, and what is left.
fn on_states(constraints: &[StateConstraint], report: &Report, out: &mut String) {
    let mut table = Table::new([Align::Left, Align::Right, Align::Left]).indented(2);
    table.heading(["constraint", "level", "|c(x)|"]);
    for (constraint, residual) in constraints.iter().zip(&report.residuals) {
        let value = residual.position.as_ref().map_or("-".to_owned(), size);
        table.line([residual.name.clone(), constraint.level.to_string(), value]);
    }
    out.push_str(&format!("{table}\n"));
}

fn listed(report: &Report) -> usize {
    if report.residuals.len() > LISTED { 4 } else { report.residuals.len() }
}

fn key(name: &str) -> String {
    let bare = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_owned() } else { format!("\"{name}\"") }
}

fn assignments(names: &[String], values: &[String]) -> String {
    let pairs: Vec<String> =
        names.iter().zip(values).map(|(name, value)| format!("{} = {value}", key(name))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

fn projected(summary: &Summary<'_>, projection: &Projection, out: &mut String) {
    let names = &summary.system.symbols.names;
    let (first, second) = projection.iterations;
    let steps =
        |count: usize| if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
    let worst = |level: &dyn Fn(&Residual) -> f64| {
        projection.report.residuals.iter().map(level).fold(0.0, f64::max)
    };
    let position = worst(&|r| r.position.as_ref().map_or(0.0, Ball::to_f64));
    let velocity = worst(&|r| r.velocity.to_f64());
    if summary.system.mechanics.state().is_some() {
        let position = projection.position.as_deref().unwrap_or_default();
        out.push_str(&format!(
            "\n# Consistent data: {}.\n[initial]\nposition = {}\n",
            steps(first),
            assignments(names, position)
        ));
        return;
    }
    let rate = if projection.momenta { "momentum" } else { "velocity" };
    let placement = match &projection.position {
        Some(position) => format!("position = {}\n", assignments(names, position)),
        None => "# rotation and translation as before\n".to_owned(),
    };
    out.push_str(&format!(
        "\n# Consistent data: {} on the positions, {} on the velocities.\n\
         # Largest residuals as written: |φ| = {}, |A v + b| = {}.\n\
         [initial]\n{}{rate} = {}\n",
        steps(first),
        steps(second),
        exponent(position),
        exponent(velocity),
        placement,
        assignments(names, &projection.rate),
    ));
}

/// What `isotrope check` answers.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CheckRecord {
    /// The name of the model.
    model: String,
    /// Can it be run: consistent and regular, as given or as repaired?
    good: bool,
    /// Do the initial data satisfy all constraints?
    consistent: bool,
    /// Are the equations regular at the initial point? `null`: not decided.
    regular: Option<bool>,
    /// The same in words.
    regularity: String,
    /// Residuals up to this part of the terms of their constraints count as zero.
    tolerance: f64,
    /// The rank of the constraints.
    rank: usize,
    /// Coordinates less rank.
    degrees_of_freedom: usize,
    /// The energy of the initial data.
    energy: Option<f64>,
    /// Of equations of first order: how far given velocities are from those that follow.
    velocities: Option<Named<f64>>,
    /// What has no value at the initial point.
    undefined: Vec<String>,
    /// The constraints.
    constraints: Vec<ResidualRecord>,
    /// Repaired data, if they were asked for.
    projected: Option<ProjectedRecord>,
    /// Why there are none.
    projection_failure: Option<String>,
}

/// A constraint at the initial data.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum ResidualRecord {
    /// Of a mechanical system.
    Mechanical {
        /// Its name.
        name: String,
        /// `holonomic`, `pfaffian-integrable`, `nonholonomic` or `affine`.
        kind: &'static str,
        /// Does it integrate? `null`: not decided.
        integrable: Option<bool>,
        /// |φ(q)|.
        position: Option<f64>,
        /// |A v + b|.
        velocity: f64,
        /// How large the terms of φ and of A v + b are: what residuals are compared with.
        sizes: [f64; 2],
        /// Are they small enough?
        consistent: bool,
    },
    /// Of a system in state space.
    Algebraic {
        /// Its name.
        name: String,
        /// `algebraic`.
        kind: &'static str,
        /// How often equations were differentiated for it.
        level: usize,
        /// |c(x)|.
        position: Option<f64>,
        /// How large the terms of c are: what it is compared with.
        size: f64,
        /// Is it small enough?
        consistent: bool,
    },
}

/// Repaired data.
#[derive(Debug, JsonSchema, Serialize)]
struct ProjectedRecord {
    /// Positions.
    position: Option<Named<String>>,
    /// Velocities.
    velocity: Option<Named<String>>,
    /// Momenta.
    momentum: Option<Named<String>>,
    /// Iterations on positions and on velocities.
    iterations: [usize; 2],
    /// The constraints at the repaired data.
    constraints: Vec<ResidualRecord>,
    /// Do they satisfy all constraints?
    consistent: bool,
    /// Are the equations regular there? `null`: not decided.
    regular: Option<bool>,
}

fn residuals(report: &Report, summary: &Summary<'_>) -> Vec<ResidualRecord> {
    if let Some((constraints, _)) = summary.system.mechanics.on_states() {
        let record =
            |(residual, constraint): (&Residual, &StateConstraint)| ResidualRecord::Algebraic {
                name: residual.name.clone(),
                kind: "algebraic",
                level: constraint.level,
                position: residual.position.as_ref().map(Ball::to_f64),
                size: residual.sizes[0],
                consistent: residual.is_small(report.tolerance),
            };
        return report.residuals.iter().zip(constraints).map(record).collect();
    }
    let kinds = &summary.analysis.distribution.kinds;
    let record = |(a, residual): (usize, &Residual)| {
        let aside = (ConstraintKind::Holonomic, Some(true));
        let (kind, integrable) = kinds.get(a).copied().unwrap_or(aside);
        // The contract knows four kinds.
        let kind = match kind {
            ConstraintKind::Chetaev => ConstraintKind::Nonholonomic.name(),
            _ => kind.name(),
        };
        ResidualRecord::Mechanical {
            name: residual.name.clone(),
            kind,
            integrable,
            position: residual.position.as_ref().map(Ball::to_f64),
            velocity: residual.velocity.to_f64(),
            sizes: residual.sizes,
            consistent: residual.is_small(report.tolerance),
        }
    };
    report.residuals.iter().enumerate().map(record).collect()
}

fn regular(report: &Report) -> Option<bool> {
    match report.regularity {
        Regularity::Regular => Some(true),
        Regularity::DependentConstraints { .. } | Regularity::SingularInertia => Some(false),
        Regularity::Undecided | Regularity::NoValue => None,
    }
}

/// The answer for programs.
pub fn to_json(summary: &Summary<'_>) -> Value {
    let report = summary.report;
    let names = &summary.system.symbols.names;
    let values = |values: &[String]| -> Named<String> {
        let pairs = names.iter().zip(values);
        pairs.map(|(name, value)| (name.clone(), value.trim_matches('"').to_owned())).collect()
    };
    let (projected, failure) = match summary.projection {
        Some(Ok(projection)) => {
            let velocity = !projection.momenta && summary.system.mechanics.state().is_none();
            let projected = ProjectedRecord {
                position: projection.position.as_deref().map(values),
                velocity: velocity.then(|| values(&projection.rate)),
                momentum: projection.momenta.then(|| values(&projection.rate)),
                iterations: [projection.iterations.0, projection.iterations.1],
                constraints: residuals(&projection.report, summary),
                consistent: projection.report.is_consistent(),
                regular: regular(&projection.report),
            };
            (Some(projected), None)
        }
        Some(Err(error)) => (None, Some(error.to_string())),
        None => (None, None),
    };
    let first_order = summary.system.mechanics.degenerate().is_some();
    let defect = |found: &VelocityDefect| (found.name.clone(), found.defect.to_f64());
    value(&CheckRecord {
        model: summary.system.model.name.clone(),
        good: summary.is_good(),
        consistent: report.is_consistent(),
        regular: regular(report),
        regularity: regularity(summary.system, report),
        tolerance: report.tolerance,
        rank: report.rank,
        degrees_of_freedom: names.len() - report.rank,
        energy: report.energy.as_ref().map(Ball::to_f64),
        velocities: first_order.then(|| report.velocities.iter().map(defect).collect()),
        undefined: report.undefined.iter().map(ToString::to_string).collect(),
        constraints: residuals(report, summary),
        projected,
        projection_failure: failure,
    })
}
