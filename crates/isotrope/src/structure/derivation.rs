//! What a model says, exactly: equations, geometry, conserved quantities, discrete Lagrangians.

use isotrope_algebra::OrInternal as _;
use isotrope_algebra::syntax::nearest;
use isotrope_derive::Integrals;
use isotrope_model::codes::{DiscreteCode, RunCode};
use isotrope_report::{self as report, DiscreteReport, Format};
use isotrope_scheme::{DiscretiseError, EquationScheme, Listed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;
use crate::host::Host;
use crate::model::Model;
use crate::studies::Asked;
use crate::system::System;

/// What to derive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DeriveRequest {
    /// A discrete Lagrangian whose equations are asked for, in place of those of the motion.
    pub discrete: Option<String>,
    /// Integrals that are polynomials of this degree in the velocities, momenta or states.
    pub integrals: Option<u32>,
    /// Their degree in the time.
    pub integrals_time: u32,
}

impl DeriveRequest {
    /// Which conserved quantities are sought beyond the usual ones.
    pub(crate) fn sought(&self) -> Integrals {
        Integrals { degree: self.integrals, time: self.integrals_time }
    }
}

impl Asked for DeriveRequest {
    fn examine(&self, host: &Host, _: &Model) -> Result<(), Failure> {
        match &self.discrete {
            Some(name) => discrete_scheme(host, name).map(|_| ()),
            None => Ok(()),
        }
    }
}

impl System {
    /// What was asked for, written for people or programs.
    pub fn derived(mut self, asked: &DeriveRequest, format: Format) -> Result<String, Failure> {
        self.seek(asked.sought())?;
        match &asked.discrete {
            Some(name) => self.discretisation(name)?.report(format),
            None => self.report(format),
        }
    }

    /// Everything that is derived, written for people or programs.
    pub fn report(&mut self, format: Format) -> Result<String, Failure> {
        let analysis = self.analysis()?;
        self.host.during("writing the report", || {
            Ok(report::derivation(&mut self.derived, &analysis, format))
        })
    }

    /// The final manifold of a singular Lagrangian as the text of a model file, in coordinates of its own.
    pub fn reduced_model(&mut self) -> Result<String, Failure> {
        let source = self.model.text().name.clone();
        let (host, derived) = (&self.host, &mut self.derived);
        host.during("solving for coordinates of the final manifold", || {
            let budget = &mut host.budget(host.limits.derive);
            let found = isotrope_structure::reduced_model(derived, &source, budget);
            let hint =
                "choose a gauge with [gauge_fix], or run the model itself with project:gauss-2";
            match found {
                Ok(Ok(text)) => Ok(text),
                Ok(Err(reason)) => {
                    let message = format!("there is no reduced model: {}", reason.0);
                    Err(Failure::hinted(RunCode::NotReduced, message, hint))
                }
                Err(stop) => {
                    let told = (RunCode::NotReduced, stop.to_string(), hint.to_owned());
                    Err(Failure::because(&stop, told))
                }
            }
        })
    }

    /// Everything that is derived, for programs: the JSON of `isotrope derive`.
    pub fn derivation(&mut self) -> Result<Value, Failure> {
        let analysis = self.analysis()?;
        self.host.during("writing the report", || Ok(report::to_json(&mut self.derived, &analysis)))
    }

    /// The equations of a discrete Lagrangian on the system. Where it has a magnetic 2-form with a
    /// primitive, that is written into the Lagrangian first.
    pub fn discretisation(mut self, method: &str) -> Result<Discretisation, Failure> {
        let scheme = discrete_scheme(&self.host, method)?;
        if self.make_canonical() {
            self.host.note(
                "the magnetic 2-form is written into the Lagrangian, L - θ(q'): momenta here are \
                 canonical, p - θ",
            );
        }
        let analysis = self.analysis()?;
        let report = self.host.during("deriving the discrete equations", || {
            let made = match scheme.discrete_lagrangian() {
                Some(lagrangian) => {
                    DiscreteReport::new(&mut self.derived, &analysis, &scheme, lagrangian)
                }
                None => {
                    Err(DiscretiseError::NotApplicable { reason: "it has no discrete Lagrangian" })
                }
            };
            made.map_err(|error| {
                let hint = match error {
                    DiscretiseError::NotApplicable { .. } => {
                        "see docs/discrete.md for what applies where"
                    }
                    _ => "take fewer points, fewer pieces or a smaller system",
                };
                let name = scheme.name();
                let message = format!("`{name}` has no discrete Lagrangian here: {error}");
                Failure::because(&error, (DiscreteCode::NotApplicable, message, hint.to_owned()))
            })
        })?;
        Ok(Discretisation { system: self, report: Box::new(report) })
    }
}

/// A discrete Lagrangian on a system: its equations, its momenta, the structures it lives in.
#[derive(Debug)]
pub struct Discretisation {
    system: System,
    report: Box<DiscreteReport>,
}

impl Discretisation {
    /// For programs: the JSON of `isotrope derive --discrete`.
    pub fn json(&mut self) -> Result<Value, Failure> {
        let written = self.report(Format::Json)?;
        let read = serde_json::from_str(&written).ok();
        Ok(read.or_internal("what was written as JSON reads back")?)
    }

    /// Written for people or programs.
    pub fn report(&mut self, format: Format) -> Result<String, Failure> {
        let analysis = self.system.analysis()?;
        Ok(report::discretisation(&self.system.derived, &analysis, &mut self.report, format))
    }
}

/// The scheme of a name, if it comes from a discrete Lagrangian.
fn discrete_scheme(host: &Host, name: &str) -> Result<EquationScheme, Failure> {
    let refuse = |message: String, hint: String| {
        Err(Failure::plain(DiscreteCode::NoDiscreteLagrangian, message, hint))
    };
    let named = host.quietly("reading a method", || {
        Ok(EquationScheme::named(name, &mut host.budget(host.limits.coefficients)))
    })?;
    let scheme = match named {
        Ok(scheme) => scheme,
        Err(error) => {
            let message = format!("the numbers of `{name}` have no formulas: {error}");
            return refuse(message, HINT.into());
        }
    };
    match scheme {
        Some(scheme) if scheme.discrete_lagrangian().is_some() => Ok(scheme),
        Some(scheme) if scheme.is_on_groups() => refuse(
            format!("the discrete Lagrangian of `{name}` is one on a group, which is not printed"),
            "docs/lie-groups.md has its equations; discrete Lagrangians in coordinates are printed"
                .into(),
        ),
        Some(_) => {
            let hint = match name.starts_with("dirac-1") {
                true => {
                    "the discrete Lagrangian h L(q, (q⁺ − q)/h) is that of variational-euler".into()
                }
                false => HINT.into(),
            };
            refuse(format!("`{name}` does not come from a discrete Lagrangian"), hint)
        }
        None => {
            let listed = Listed::all();
            let hint = nearest(name, listed.iter().map(|one| one.name.as_str()))
                .map_or_else(|| HINT.to_owned(), |near| format!("did you mean `{near}`?"));
            refuse(format!("there is no discrete Lagrangian `{name}`"), hint)
        }
    }
}

const HINT: &str = "names are variational-midpoint, galerkin-2-gauss2, variational-own, \
                    dirac-alembert-2, symmetric:NAME, …: see docs/discrete.md";
