//! What methods make of the stability: the linearised step at the equilibrium.
//!
//! A step is a map of states. Its derivative is taken by differences of compiled steps, along
//! directions that steps can reach: beginning with displacements that the constraints allow, as the
//! start of the method fills them in, and going on with their images. What multistep methods carry
//! along is part of the state, so that parasitic roots are seen; drift off the constraints is not.

use isotrope_algebra::Budget;
use isotrope_algebra::double::linear::{DenseMatrix, OrthonormalBasis, dot, eigenvalues};
use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Failure, Integration};
use isotrope_kernel::stepper::{Field, Layout, Options, Scales, stepper};
use isotrope_scheme::Method;
use isotrope_tape::backend::Backend;

use super::amplitude::Neighbourhood;
use super::equilibrium::Rest;
use super::probe::Probe;
use super::reduce::Tangent;
use super::report::{MethodRow, Principal, finite};
use crate::run::{OPERATIONS, PrepareError};

/// Steps after which multistep methods have forgotten how they began.
const BEGINNING: u64 = 6;
/// Sizes of the displacements of which differences are taken, beside those at which the equilibrium looks different.
const SIZES: [f64; 3] = [1e-3, 1.5e-3, 2e-3];
/// A direction this much shorter than the vector it is the rest of is rounding.
const NEW: f64 = 1e-8;
/// What a number is at rest counts as this part of a change.
const AT_REST: f64 = 1e-3;
/// Changes that differ by this part of themselves for displacements of other sizes are rounding.
const UNSTEADY: f64 = 1e-3;
/// Growth in one step below this is rounding.
const FLOOR: f64 = 1e-10;
/// Values of the parameter at which the growth is computed before bisection, fewest and most: large
/// systems are sampled less often.
const POINTS: (usize, usize) = (9, 41);

/// A method that is asked for, and its step.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The method.
    pub method: Method,
    /// Its options, with the step.
    pub options: Options,
}

/// One row for a method; `threshold` is where the system itself loses stability.
pub(super) fn row(
    system: &System,
    field: &Field,
    asked: &Asked,
    (probe, near): (&mut Probe<'_>, &Neighbourhood),
    (low, high): (f64, f64),
    threshold: Option<f64>,
) -> MethodRow {
    let step = asked.options.step.to_f64();
    let empty = MethodRow {
        method: asked.method.name().to_owned(),
        step,
        outcome: "failed",
        value: None,
        shift: None,
        growth: [None; 2],
        curve: Vec::new(),
        principal: None,
        reason: None,
    };
    let budget = &mut Budget::new(OPERATIONS);
    let compiled = stepper(&asked.method, system, field, &asked.options, budget)
        .map_err(PrepareError::from)
        .and_then(|stepper| Ok(Compiled::new(stepper, Backend::Native)?));
    let compiled = match compiled {
        Ok(compiled) => compiled,
        Err(PrepareError::NotApplicable { reason }) => {
            return MethodRow { outcome: "not-applicable", reason: Some(reason), ..empty };
        }
        Err(error) => return MethodRow { reason: Some(error.to_string()), ..empty },
    };
    if compiled.stepper.adaptive.is_some() {
        let reason = "it chooses its steps by the error: there is no step to linearise".to_owned();
        return MethodRow { outcome: "not-applicable", reason: Some(reason), ..empty };
    }
    let mut reason = None;
    let mut at = |parameter: f64| match growth(&compiled, probe, near, parameter) {
        Ok(growth) => Some(growth),
        Err(error) => {
            reason = Some(error);
            None
        }
    };
    let points = (400 / system.symbols.dimension().max(1)).clamp(POINTS.0, POINTS.1);
    let places = (0..points).map(|k| low + (high - low) * k as f64 / (points - 1) as f64);
    let samples: Vec<(f64, Growth)> = places.filter_map(|x| Some((x, at(x)?))).collect();
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return MethodRow { reason, ..empty };
    };
    let rate = |growth: &Growth| finite((growth.all.radius - 1.0).ln_1p() / step);
    let found = limit(&samples, &mut at, |growth| growth.all);
    let shift = |limit: &Limit| limit.value.zip(threshold).map(|(value, lost)| value - lost);
    // Roots that have nothing to do with the flow: without them the method tells more.
    let parasitic = samples.iter().any(|(_, growth)| {
        growth.all.amplifies() && growth.all.radius > growth.principal.radius + FLOOR
    });
    let principal = parasitic.then(|| limit(&samples, &mut at, |growth| growth.principal));
    MethodRow {
        outcome: found.outcome,
        value: found.value,
        shift: shift(&found),
        growth: [rate(&first.1), rate(&last.1)],
        curve: samples.iter().map(|(x, growth)| [Some(*x), rate(growth)]).collect(),
        principal: principal.map(|limit| Principal {
            outcome: limit.outcome,
            value: limit.value,
            shift: shift(&limit),
        }),
        ..empty
    }
}

/// From where on roots amplify.
struct Limit {
    outcome: &'static str,
    value: Option<f64>,
}

/// Examines samples, and between the first two that differ: growth may begin or end there.
fn limit(
    samples: &[(f64, Growth)],
    at: &mut dyn FnMut(f64) -> Option<Growth>,
    part: fn(&Growth) -> Radius,
) -> Limit {
    let unstable = |growth: &Growth| part(growth).amplifies();
    let grows_first = samples.first().is_some_and(|(_, growth)| unstable(growth));
    let crossing = samples.windows(2).find_map(|pair| match pair {
        [(a, before), (b, after)] if unstable(after) != grows_first => {
            let still = if grows_first { after } else { before };
            Some((*a, *b, part(still).damps()))
        }
        _ => None,
    });
    let Some((mut a, mut b, damps)) = crossing else {
        return Limit { outcome: if grows_first { "unstable" } else { "stable" }, value: None };
    };
    // Where steps shrink clearly before, the crossing is at 1 itself; otherwise roots that stay on
    // the circle have to be told from rounding.
    let beyond = |growth: &Growth| match damps {
        true => part(growth).radius > 1.0,
        false => unstable(growth),
    };
    for _ in 0..40 {
        let middle = a + (b - a) / 2.0;
        match at(middle) {
            Some(growth) if beyond(&growth) == grows_first => a = middle,
            Some(_) => b = middle,
            None => break,
        }
    }
    Limit { outcome: "threshold", value: Some(a + (b - a) / 2.0) }
}

/// The largest of some eigenvalues of a step, and how much of it is rounding.
#[derive(Debug, Clone, Copy)]
struct Radius {
    radius: f64,
    noise: f64,
}

impl Radius {
    fn new(radii: &[f64]) -> Self {
        let radius = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
        let noise = radii.iter().fold(0.0, |noise, r| f64::max(noise, (r - radius).abs()));
        Self { radius, noise }
    }

    fn damps(&self) -> bool {
        1.0 - self.radius > FLOOR + 5.0 * self.noise
    }

    fn amplifies(&self) -> bool {
        self.radius - 1.0 > FLOOR + 5.0 * self.noise
    }
}

/// Eigenvalues of a step.
#[derive(Debug, Clone, Copy)]
struct Growth {
    /// All of them.
    all: Radius,
    /// Those to the right of the imaginary axis; as h goes to 0 those that follow the flow go to 1.
    principal: Radius,
}

fn growth(
    compiled: &Compiled,
    probe: &mut Probe<'_>,
    near: &Neighbourhood,
    parameter: f64,
) -> Result<Growth, String> {
    let rest = probe.rest(parameter).map_err(|error| error.to_string())?;
    let (_, tangent) = probe.tangent(parameter).map_err(|error| error.to_string())?;
    let scales = near.scales(&rest, compiled.stepper.layout.dimension);
    let steps = Steps { compiled, parameter, layout: compiled.stepper.layout, near, scales };
    let begun = SIZES.map(|size| steps.begun(&rest, &tangent, size));
    let [first, second, third] = begun;
    let reason = |failure: Failure| failure.reason;
    let begun = [first.map_err(reason)?, second.map_err(reason)?, third.map_err(reason)?];
    let fixed = steps.begin(&rest.q, &steps.at_rest()).map_err(reason)?;
    let units = steps.units(&fixed, &begun);
    let (mut all, mut principal) = (Vec::new(), Vec::new());
    for (size, begun) in SIZES.into_iter().zip(&begun) {
        let matrix = steps.linearised((&fixed, begun), &units, size).map_err(reason)?;
        let found = eigenvalues(&matrix).ok_or("the eigenvalues of a step were not found")?;
        let largest = |least: f64| {
            let list = found.iter().filter(|z| z.re > least);
            list.fold(0.0, |radius, z| f64::max(radius, z.abs()))
        };
        all.push(largest(f64::NEG_INFINITY));
        principal.push(largest(0.0));
    }
    Ok(Growth { all: Radius::new(&all), principal: Radius::new(&principal) })
}

/// Steps near an equilibrium.
struct Steps<'a> {
    compiled: &'a Compiled,
    parameter: f64,
    layout: Layout,
    near: &'a Neighbourhood,
    scales: Scales,
}

impl Steps<'_> {
    fn integration(&self, state: Vec<f64>) -> Result<Integration<'_>, Failure> {
        Integration::within(self.compiled, state, vec![self.parameter], &self.scales)
    }

    /// Velocities at rest; none in phase space, where positions and momenta are all there is.
    fn at_rest(&self) -> Vec<f64> {
        if self.layout.in_momenta { Vec::new() } else { vec![0.0; self.layout.dimension] }
    }

    /// The state after the beginning, from positions and velocities, or from positions and momenta.
    fn begin(&self, q: &[f64], v: &[f64]) -> Result<Vec<f64>, Failure> {
        let mut state = self.compiled.stepper.initial.clone();
        let all = q.iter().chain(v);
        state.iter_mut().zip(all).for_each(|(place, x)| *place = *x);
        let mut integration = self.integration(state)?;
        integration.advance(BEGINNING)?;
        Ok(integration.state().to_vec())
    }

    /// One more step.
    fn step(&self, state: Vec<f64>, origin: &[f64]) -> Result<Vec<f64>, Failure> {
        let mut integration = self.integration(origin.to_vec())?;
        integration.resume(state, BEGINNING);
        integration.advance(1)?;
        Ok(integration.state().to_vec())
    }

    /// The numbers of a state that matter for the next one: not time, energy and what is measured.
    fn moving(&self, state: &[f64]) -> Vec<f64> {
        let layout = self.layout;
        let first = layout.multiplier(0) as usize;
        let mut list = state[..3 * layout.dimension].to_vec();
        list.extend_from_slice(&state[first..first + layout.constraints]);
        list.extend_from_slice(&state[layout.memory(0) as usize..]);
        list
    }

    /// A state moved along a direction.
    fn moved(&self, state: &[f64], direction: &[f64], units: &[f64], size: f64) -> Vec<f64> {
        let layout = self.layout;
        let first = layout.multiplier(0) as usize;
        let slots = (0..3 * layout.dimension)
            .chain(first..first + layout.constraints)
            .chain(layout.memory(0) as usize..state.len());
        let mut moved = state.to_vec();
        for ((slot, component), unit) in slots.zip(direction).zip(units) {
            moved[slot] += size * component * unit;
        }
        moved
    }

    /// Units of the numbers that matter: those of positions, velocities and momenta are known; multipliers and what
    /// methods carry along are measured by how much displacements change them, and by what they are at rest. What
    /// changes otherwise for other displacements is rounding and has none: 0.
    fn units(&self, fixed: &[f64], begun: &[Vec<Vec<f64>>; 3]) -> Vec<f64> {
        let n = self.layout.dimension;
        let Neighbourhood { weights, rate, amplitude, .. } = self.near;
        let [first, _, last] = begun;
        let phase = self.layout.in_momenta;
        let of = |slot: usize, &at_rest: &f64| match (slot / n.max(1), slot % n.max(1)) {
            (0, i) => amplitude / weights.get(i),
            (1, i) if phase => amplitude / weights.get(n + i),
            (2, i) if phase => rate * amplitude / weights.get(i),
            (1, i) => rate * amplitude / weights.get(i),
            (2, i) => rate * amplitude * weights.get(i),
            _ => {
                let at_rest = AT_REST * at_rest.abs();
                let pairs = first.iter().zip(last).map(|(a, b)| (a[slot], b[slot]));
                let (mut change, mut noise): (f64, f64) = (0.0, 0.0);
                for (a, b) in pairs {
                    (change, noise) = (change.max(a.abs()).max(b.abs()), noise.max((a - b).abs()));
                }
                match change.max(at_rest) {
                    unit if unit.is_normal() && noise <= UNSTEADY * change => unit,
                    // What is large at rest and does not change.
                    _ if at_rest.is_normal() && change <= NEW * at_rest => at_rest,
                    _ => 0.0,
                }
            }
        };
        self.moving(fixed).iter().enumerate().map(|(slot, at_rest)| of(slot, at_rest)).collect()
    }

    /// How displacements and velocities change the state after the beginning.
    fn begun(&self, rest: &Rest, tangent: &Tangent, size: f64) -> Result<Vec<Vec<f64>>, Failure> {
        let kinds = if self.layout.in_momenta { 1 } else { 2 };
        let mut begun = Vec::new();
        for k in 0..kinds * tangent.free.len() {
            let direction = self.near.direction(tangent, k % tangent.free.len());
            let positions = k < tangent.free.len();
            begun.push(difference(size, |amount| {
                let mut q = rest.q.clone();
                let mut v = self.at_rest();
                let (moved, amount) =
                    if positions { (&mut q, amount) } else { (&mut v, amount * self.near.rate) };
                moved.iter_mut().zip(&direction).for_each(|(x, d)| *x += amount * d);
                Ok(self.moving(&self.begin(&q, &v)?))
            })?);
        }
        Ok(begun)
    }

    /// The derivative of a step on the directions that steps reach.
    fn linearised(
        &self,
        (fixed, begun): (&[f64], &[Vec<f64>]),
        units: &[f64],
        size: f64,
    ) -> Result<DenseMatrix, Failure> {
        let origin = self.compiled.stepper.initial.clone();
        let in_units = |image: &[f64]| -> Vec<f64> {
            let part = |(x, unit): (&f64, &f64)| if *unit > 0.0 { x / unit } else { 0.0 };
            image.iter().zip(units).map(part).collect()
        };
        let mut basis = OrthonormalBasis::new();
        for image in begun {
            basis.extend(in_units(image), NEW);
        }
        let mut images: Vec<Vec<f64>> = Vec::new();
        while let Some(direction) = basis.vectors().get(images.len()).cloned() {
            let image = in_units(&difference(size, |amount| {
                let state = self.step(self.moved(fixed, &direction, units, amount), &origin)?;
                Ok(self.moving(&state))
            })?);
            basis.extend(image.clone(), NEW);
            images.push(image);
        }
        let basis = basis.into_vectors();
        let mut matrix = DenseMatrix::zero(basis.len(), basis.len());
        for (j, image) in images.iter().enumerate() {
            for (i, direction) in basis.iter().enumerate() {
                matrix.set(i, j, dot(direction, image));
            }
        }
        Ok(matrix)
    }
}

/// The derivative at zero, from four values: the error is of order `size`⁴.
fn difference(
    size: f64,
    mut value: impl FnMut(f64) -> Result<Vec<f64>, Failure>,
) -> Result<Vec<f64>, Failure> {
    let (a, b) = (value(-2.0 * size)?, value(-size)?);
    let (c, d) = (value(size)?, value(2.0 * size)?);
    let slope = |k: usize| (8.0 * (c[k] - b[k]) - (d[k] - a[k])) / (12.0 * size);
    Ok((0..a.len()).map(slope).collect())
}
