//! The linearisation for any value of the parameter.

use super::equilibrium::{Rest, equilibrium};
use super::error::StabilityError;
use super::exact::Exact;
use super::linearise::{Linearisation, numbers_of};
use super::reduce::{Reduced, Spectrum, Tangent, reduce};

/// Equilibria along the parameter: known exactly, or followed by Newton's method.
#[derive(Debug)]
pub(super) struct Probe<'a> {
    pub equations: &'a Linearisation,
    pub exact: Option<Exact>,
    /// Equilibria found so far, with their values of the parameter.
    pub known: Vec<(f64, Rest)>,
}

/// One value of the parameter.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub parameter: f64,
    pub spectrum: Spectrum,
    /// The determinant of the stiffness in units in which masses are 1 and its largest entry is.
    pub stiffness: f64,
    /// That of its symmetric part.
    pub symmetric: f64,
}

impl Probe<'_> {
    /// The equilibrium.
    pub fn rest(&mut self, parameter: f64) -> Result<Rest, StabilityError> {
        let distance = |entry: &&(f64, Rest)| (entry.0 - parameter).abs();
        let nearest = self.known.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some((place, rest)) = nearest else {
            return Err(StabilityError::NoEquilibrium { reason: "there is no guess".to_owned() });
        };
        if *place == parameter {
            return Ok(rest.clone());
        }
        if let Some(exact) = &self.exact {
            let known = [(exact.parameter, parameter)];
            let lambda = numbers_of(&exact.pool, &exact.multiplier, &known)
                .map_err(|reason| StabilityError::NoEquilibrium { reason })?;
            return Ok(Rest { lambda, ..rest.clone() });
        }
        let found = equilibrium(self.equations, &rest.q.clone(), parameter)?;
        self.known.push((parameter, found.clone()));
        Ok(found)
    }

    /// The linearisation there.
    pub fn reduced(&mut self, parameter: f64) -> Result<Reduced, StabilityError> {
        if let Some(exact) = &self.exact {
            let reason = "an entry has no finite value".to_owned();
            return exact.reduced(parameter).ok_or(StabilityError::NotSmooth { reason });
        }
        Ok(self.tangent(parameter)?.0)
    }

    /// The linearisation and the directions it is restricted to.
    pub fn tangent(&mut self, parameter: f64) -> Result<(Reduced, Tangent), StabilityError> {
        let rest = self.rest(parameter)?;
        reduce(self.equations, &rest, parameter)
    }

    /// The linearisation; `None` where there is no equilibrium or no finite eigenvalue.
    pub fn sample(&mut self, parameter: f64) -> Option<Sample> {
        let reduced = self.reduced(parameter).ok()?;
        let (stiffness, _) = reduced.weighted_stiffness();
        let (symmetric, _) = stiffness.parts();
        Some(Sample {
            parameter,
            spectrum: reduced.spectrum()?,
            stiffness: stiffness.determinant(),
            symmetric: symmetric.determinant(),
        })
    }
}
