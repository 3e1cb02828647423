//! Dirac structures, brackets and homological fields, of files and of models.

use isotrope_algebra::syntax::Span;
use isotrope_algebra::{Internal, Pool};
use isotrope_model::codes::RunCode;
use isotrope_model::file_errors::FileError;
use isotrope_report::structure::{Heading, write};
use isotrope_report::{Format, structure};
use isotrope_structure::geometry::file::{GeometryCode, GeometryText, is_geometry, parse_geometry};
use isotrope_structure::geometry::{GeometryError, GeometryReport, examine, examine_model};
use isotrope_study::run::PrepareError;
use isotrope_study::structure::{StructureReport, along_trajectory, not_applicable};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::host::{Event, Host};
use crate::methods::Methods;
use crate::model::{Model, Overrides};
use crate::studies::{Asked, Course, refuse_steps, settings};
use crate::system::System;

/// What to measure besides the structure of a model: how far the steps of methods are from it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeometryRequest {
    /// Names and lists, separated by commas; none if nothing is to be run.
    pub methods: Option<String>,
    /// The step.
    pub step: Option<String>,
    /// The time, a whole number of steps.
    pub time: Option<String>,
    /// Keep the defects of every step?
    pub per_step: bool,
}

/// What is known of a geometric object.
#[derive(Debug)]
pub struct GeometryAnswer {
    pool: Pool,
    heading: Heading,
    /// What was computed.
    pub report: GeometryReport,
    /// How far steps are from the structure.
    pub trajectories: Option<StructureReport>,
}

impl GeometryAnswer {
    fn written(&mut self, format: Format) -> String {
        let trajectories = self.trajectories.as_ref();
        write(&mut self.pool, &self.heading, &self.report, trajectories, format)
    }
}

impl Answer for GeometryAnswer {
    fn text(&mut self, width: usize) -> String {
        self.written(Format::Text { width })
    }

    fn json(&mut self) -> Value {
        let trajectories = self.trajectories.as_ref();
        structure::to_json(&self.pool, &self.heading, &self.report, trajectories)
    }

    fn latex(&mut self) -> Option<String> {
        Some(self.written(Format::Latex))
    }

    fn html(&mut self) -> Option<String> {
        Some(self.written(Format::Html))
    }

    fn is_negative(&self) -> bool {
        let mut rows = self.trajectories.iter().flat_map(|found| &found.rows);
        rows.any(|row| row.outcome != "completed")
    }
}

/// Examines a geometry file, or the structure of a model: the contents of the file decide.
pub fn geometry(
    host: &Host,
    (name, bytes): (&str, &[u8]),
    overrides: &Overrides,
    asked: &GeometryRequest,
) -> Result<GeometryAnswer, Failure> {
    if !is_geometry(bytes) {
        let model = Model::parse(name, bytes, overrides)?;
        asked.examine(host, &model)?;
        return model.derive(host)?.geometry(asked);
    }
    let refused = |option: String, hint: &str| {
        let message = format!("`{option}` is for models; this is a geometry file");
        Err(Failure::hinted(GeometryCode::Argument, message, hint))
    };
    if let Some(set) = overrides.set.first() {
        return refused(format!("--set {set}"), "change the value under `parameters` in the file");
    }
    if let Some(methods) = &asked.methods {
        let hint = "methods make trajectories of models with a [lagrangian]";
        return refused(format!("--methods {methods}"), hint);
    }
    of_file(host, name, bytes)
}

/// Examines the object of a geometry file.
fn of_file(host: &Host, name: &str, bytes: &[u8]) -> Result<GeometryAnswer, Failure> {
    let mut file = parse_geometry(&GeometryText::new(name, bytes))
        .map_err(|errors| Failure::of_file(name, bytes, &errors))?;
    let report = host.during("examining the object", || {
        examine(&mut file, &mut host.budget(host.limits.geometry)).map_err(|error| {
            match Internal::behind(&error) {
                Some(internal) => internal.into(),
                None => Failure::of_file(name, bytes, &[in_file(&error, file.place)]),
            }
        })
    })?;
    let heading = Heading { name: file.name, description: file.description };
    Ok(GeometryAnswer { pool: file.pool, heading, report, trajectories: None })
}

/// The error where it belongs, or at the object.
fn in_file(error: &GeometryError, object: Span) -> FileError<GeometryCode> {
    FileError {
        span: error.span().filter(|span| *span != Span::default()).unwrap_or(object),
        code: error.code(),
        message: error.to_string(),
        hint: error.hint().to_owned(),
        labels: Vec::new(),
    }
}

impl GeometryRequest {
    fn courses(&self, host: &Host, model: &Model) -> Result<Vec<Course>, Failure> {
        let Some(list) = &self.methods else { return Ok(Vec::new()) };
        model.without_group("structure defects")?;
        model.begins()?;
        let methods = Methods::listed(host, list)?;
        let step = settings::step(model, self.step.as_deref())?;
        let time = settings::time(model, self.time.as_deref())?;
        let courses = methods.into_iter().map(|method| Course::new(method, step.clone(), &time));
        courses.collect()
    }
}

impl Asked for GeometryRequest {
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure> {
        self.courses(host, model).map(|_| ())
    }
}

impl System {
    /// Examines the Dirac structure of the system and, if methods are named, how far their steps are
    /// from it.
    pub fn geometry(&mut self, asked: &GeometryRequest) -> Result<GeometryAnswer, Failure> {
        let courses = asked.courses(&self.host, &self.model)?;
        let analysis = self.analysis()?;
        let (host, derived) = (&self.host, &mut self.derived);
        let report = host.during("examining the Dirac structure", || {
            examine_model(derived, &analysis, &mut host.budget(host.limits.geometry)).map_err(
                |error| {
                    let hint = error.hint().to_owned();
                    Failure::because(&error, (error.code(), &error, hint))
                },
            )
        })?;
        let trajectories = self.along(courses, asked.per_step)?;
        let model = &self.derived.model;
        let heading = Heading { name: model.name.clone(), description: model.description.clone() };
        Ok(GeometryAnswer { pool: model.pool.clone(), heading, report, trajectories })
    }

    /// How far the steps of all methods are from the structure.
    fn along(
        &mut self,
        courses: Vec<Course>,
        per_step: bool,
    ) -> Result<Option<StructureReport>, Failure> {
        if courses.is_empty() {
            return Ok(None);
        }
        let field = self.field()?;
        self.warn_inconsistent(&field);
        let (host, derived) = (&self.host, &self.derived);
        let mut rows = Vec::with_capacity(courses.len());
        for course in courses {
            let request = course.request(self);
            // Twice as many steps are made with half the step.
            let of = 3 * request.steps;
            let mut made = 0;
            let mut control = |_: u64| {
                made += 1;
                host.steps(made, of)
            };
            let along = host
                .stop()
                .during(|| along_trajectory(derived, &field, &request, per_step, &mut control));
            let row = along.map_err(|error| {
                let hint = "take a model with a [lagrangian] and masses".to_owned();
                Failure::because(&error, (RunCode::NoTrajectoryGeometry, &error, hint))
            })?;
            host.tell(Event::End);
            if host.is_stopped() {
                break;
            }
            rows.push(match row {
                Ok(row) => row,
                Err(PrepareError::NotApplicable { reason }) => not_applicable(&request, &reason),
                Err(error) => return Err(refuse_steps(&request.method, &error)),
            });
        }
        Ok(Some(StructureReport { rows }))
    }
}
