//! The study itself.

use isotrope_algebra::double::linear::DenseMatrix;
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::{Budget, ExprId, Pool, print};
use isotrope_derive::System;
use isotrope_kernel::stepper::Field;

use super::amplitude::Neighbourhood;
use super::critical::{from_candidates, from_samples};
use super::equilibrium::equilibrium;
use super::error::StabilityError;
use super::exact::{Exact, exact};
use super::linearise::{Linearisation, numbers_of};
use super::methods;
use super::nonconservativity::{exactly, numerically};
use super::polynomials::candidates;
use super::probe::{Probe, Sample};
use super::reduce::{Reduced, Spectrum};
use super::report::{
    Critical, CurvePoint, Entries, Entry, Kind, Matrices, StabilityReport, constraint,
};
use super::request::{MOST_POINTS, Request};

/// Operations for characteristic polynomials and their roots.
const POLYNOMIALS: u64 = 200_000_000;

/// Studies a system that was derived after [`specialise`](super::specialise).
pub fn study(
    system: &System,
    request: &Request,
    budget: &mut Budget,
) -> Result<StabilityReport, StabilityError> {
    let points = request.points;
    if !(2..=MOST_POINTS).contains(&points) {
        return Err(StabilityError::Points { points, most: MOST_POINTS });
    }
    let model = &system.model;
    let [parameter] = model.parameters.as_slice() else {
        let name = request.range.name.clone();
        return Err(StabilityError::UnknownParameter { name, known: Vec::new(), near: None });
    };
    let equations = Linearisation::new(system, parameter.symbol, budget)?;
    let (low, high) = (request.range.low.to_f64(), request.range.high.to_f64());
    let own = numbers_of(&model.pool, &[parameter.exact], &[])
        .ok()
        .and_then(|list| list.first().copied());
    let at = own.filter(|x| (low..=high).contains(x)).unwrap_or(low + (high - low) / 2.0);
    let mut probe = first_probe(system, &equations, request, [at, low, high, (low + high) / 2.0])?;
    let begun = probe.known.first().cloned();
    probe.exact = begun.and_then(|(at, rest)| exact(&equations, (&rest, at), budget));
    let at = probe.known.first().map_or(at, |entry| entry.0);

    let rest = probe.rest(at)?;
    let (reduced, tangent) = probe.tangent(at)?;
    let free = probe.exact.as_ref().map_or(&tangent.free, |exact| &exact.free).clone();
    let reduced = if probe.exact.is_some() { probe.reduced(at)? } else { reduced };
    let names = &equations.names;
    let displacements: Vec<String> = free.iter().map(|&k| names[k].clone()).collect();
    let spectrum = reduced.spectrum().ok_or(StabilityError::SingularMass)?;

    let mut notes = Vec::new();
    let samples = scan(&mut probe, (low, high), points, at);
    if samples.len() < points {
        let lost = points - samples.len();
        notes.push(format!("no equilibrium or no finite eigenvalues at {lost} of {points} values"));
    }
    let mut exact_data = probe.exact.clone();
    let found =
        exact_data.as_mut().and_then(|exact| candidates(exact, &mut Budget::new(POLYNOMIALS)));
    let mut critical = match &found {
        Some(found) => from_candidates(&mut probe, found, (low, high)),
        None => from_samples(&mut probe, &samples),
    };
    if found.as_ref().is_some_and(|found| found.always_zero) {
        notes.push(
            "the stiffness is singular for every value: some displacement meets no force"
                .to_owned(),
        );
    }
    notes.push(how(&probe, found.is_some()).to_owned());
    let nonconservativity = exact_data
        .as_mut()
        .and_then(|exact| exactly(exact, &displacements))
        .unwrap_or_else(|| numerically(&reduced, &displacements));
    if nonconservativity.degree == 0 {
        // K_sym = K: divergence, and reported as such.
        critical.retain(|c| c.kind != Kind::SymmetricPartSingular);
    }
    for entry in critical.iter_mut().filter(|c| c.kind == Kind::SymmetricPartSingular) {
        entry.constraint = destabilising(&mut probe, entry.value, &displacements);
    }
    let threshold = threshold(&critical, &samples, low);
    let rows = match Field::new(system, &[]) {
        Ok(field) => {
            let mut rows = Vec::new();
            if let Some(first) = request.methods.first() {
                let near = Neighbourhood::new(&mut probe, first.options.step.to_f64())?;
                let mut row = |asked| {
                    let range = (low, high);
                    methods::row(system, &field, asked, (&mut probe, &near), range, threshold)
                };
                rows.extend(request.methods.iter().map(&mut row));
            }
            rows
        }
        Err(error) => {
            notes.push(format!("no steps are compiled: {error}"));
            Vec::new()
        }
    };
    let values = numbers(&reduced);
    let constrained = system.mechanics.lagrangian().map_or(&[][..], |all| &all.rows.names);
    Ok(StabilityReport {
        model: model.name.clone(),
        parameter: parameter.name.clone(),
        range: [low, high],
        at,
        equilibrium: names.iter().cloned().zip(rest.q.iter().copied()).collect(),
        equilibrium_exact: exact_data.as_ref().and_then(|exact| {
            let texts = texts(&exact.pool, &exact.position)?;
            Some(names.iter().cloned().zip(texts).collect())
        }),
        multipliers: constrained.iter().cloned().zip(rest.lambda.iter().copied()).collect(),
        displacements,
        matrices: exact_data.as_mut().and_then(formulas).unwrap_or_else(|| values.clone()),
        values,
        state: state(&spectrum),
        eigenvalues: spectrum.eigenvalues,
        critical,
        nonconservativity,
        methods: rows,
        curve: samples
            .into_iter()
            .map(|s| CurvePoint { value: s.parameter, eigenvalues: s.spectrum.eigenvalues })
            .collect(),
        notes,
    })
}

/// Finds a first equilibrium: at the model's own value of the parameter, or at another one where
/// that is singular.
fn first_probe<'a>(
    system: &System,
    equations: &'a Linearisation,
    request: &Request,
    places: [f64; 4],
) -> Result<Probe<'a>, StabilityError> {
    let mut first_error = None;
    for place in places {
        let known = [(equations.parameter, place)];
        let initial = &system.model.initial;
        let mut begin = initial.position.clone();
        if equations.position.len() > begin.len() {
            // Positions and momenta.
            begin.extend(&initial.rate);
        }
        let begin = match initial.absent {
            None => numbers_of(&system.model.pool, &begin, &known),
            // Every coordinate has a guess.
            Some(_) => Ok(vec![0.0; begin.len()]),
        };
        let found = begin.map_err(|reason| StabilityError::NoEquilibrium { reason }).and_then(
            |mut guess| {
                for &(coordinate, value) in &request.guess {
                    if let Some(entry) = guess.get_mut(coordinate) {
                        *entry = value;
                    }
                }
                equilibrium(equations, &guess, place)
            },
        );
        match found {
            Ok(rest) => return Ok(Probe { equations, exact: None, known: vec![(place, rest)] }),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    let reason = "no place of the range was tried".to_owned();
    Err(first_error.unwrap_or(StabilityError::NoEquilibrium { reason }))
}

/// Samples over the range, from the first equilibrium to both sides, so that a neighbour is known.
fn scan(probe: &mut Probe<'_>, (low, high): (f64, f64), points: usize, at: f64) -> Vec<Sample> {
    let mut places: Vec<f64> =
        (0..points).map(|k| low + (high - low) * k as f64 / (points - 1) as f64).collect();
    places.sort_by(|a, b| (a - at).abs().total_cmp(&(b - at).abs()));
    let mut samples: Vec<Sample> = places.into_iter().filter_map(|x| probe.sample(x)).collect();
    samples.sort_by(|a, b| a.parameter.total_cmp(&b.parameter));
    samples
}

/// How the critical values were found.
fn how(probe: &Probe<'_>, polynomials: bool) -> &'static str {
    match (&probe.exact, polynomials) {
        (_, true) => {
            "critical values are roots of polynomials with rational coefficients; all of them in the \
             range are listed, but for those where eigenvalues pass through infinity"
        }
        (Some(_), false) => {
            "critical values were searched for by a scan and bisection: the matrices are not rational \
             functions of the parameter with rational coefficients, or too large"
        }
        (None, false) => {
            "critical values were searched for by a scan and bisection: the equilibrium moves with the \
             parameter, or is not known exactly"
        }
    }
}

/// Parts of the stiffness that vanish at critical values, which are known to about half of all digits.
const CRITICAL: f64 = 1e-7;

/// Where K_sym e = 0, the system diverges under the additional constraint (K e)·y = 0: e is allowed
/// by it, since e·K e = 0, and K e is what the constraint can hold.
fn destabilising(probe: &mut Probe<'_>, value: f64, names: &[String]) -> Option<String> {
    let (stiffness, weights) = probe.reduced(value).ok()?.weighted_stiffness();
    let (symmetric, _) = stiffness.parts();
    let (basis, free) = symmetric.nullspace(CRITICAL);
    if free.is_empty() {
        return None;
    }
    let direction: Vec<f64> = (0..basis.rows()).map(|i| basis.get(i, 0)).collect();
    let row = stiffness.apply(&direction);
    // K itself is singular: it diverges without help.
    if row.iter().fold(0.0, |most, x| f64::max(most, x.abs())) <= CRITICAL * stiffness.size() {
        return None;
    }
    Some(constraint(&weights.constraint(&row, CRITICAL), names))
}

/// Where stability is lost first: the first critical value with nothing unstable before and
/// something after.
fn threshold(critical: &[Critical], samples: &[Sample], low: f64) -> Option<f64> {
    let stable = samples.first().is_some_and(|s| s.parameter == low && s.spectrum.unstable == 0);
    let lost = |c: &&Critical| matches!(c.unstable, [Some(0), Some(after)] if after > 0);
    critical.iter().find(lost).map(|c| c.value).filter(|_| stable)
}

fn state(spectrum: &Spectrum) -> &'static str {
    let unstable = spectrum.eigenvalues.iter().filter(|z| z.re > spectrum.tolerance);
    let mut state = "stable";
    for z in unstable {
        if z.im != 0.0 {
            return "flutter";
        }
        state = "divergence";
    }
    state
}

fn texts(pool: &Pool, list: &[ExprId]) -> Option<Vec<String>> {
    list.iter().map(|&id| print::to_text(pool, id, &mut Budget::new(1_000_000)).ok()).collect()
}

/// The matrices as formulas in the parameter.
fn formulas(exact: &mut Exact) -> Option<Matrices> {
    let (mass, damping, stiffness) =
        (exact.mass.clone(), exact.damping.clone(), exact.stiffness.clone());
    let parts = [
        exact.part(&damping, 1),
        exact.part(&damping, -1),
        exact.part(&stiffness, 1),
        exact.part(&stiffness, -1),
    ];
    let entries = |matrix: &Matrix| -> Option<Entries> {
        (0..matrix.rows())
            .map(|i| {
                Some(texts(&exact.pool, matrix.row(i))?.into_iter().map(Entry::Exact).collect())
            })
            .collect()
    };
    let [damping, gyroscopic, symmetric, skew] = &parts;
    Some(Matrices {
        mass: entries(&mass)?,
        damping: entries(damping)?,
        gyroscopic: entries(gyroscopic)?,
        stiffness: entries(&stiffness)?,
        symmetric: entries(symmetric)?,
        skew: entries(skew)?,
    })
}

/// The matrices in numbers.
fn numbers(reduced: &Reduced) -> Matrices {
    let entries = |matrix: &DenseMatrix| -> Entries {
        (0..matrix.rows())
            .map(|i| (0..matrix.columns()).map(|j| Entry::Number(matrix.get(i, j))).collect())
            .collect()
    };
    let (damping, gyroscopic) = reduced.damping.parts();
    let (symmetric, skew) = reduced.stiffness.parts();
    Matrices {
        mass: entries(&reduced.mass),
        damping: entries(&damping),
        gyroscopic: entries(&gyroscopic),
        stiffness: entries(&reduced.stiffness),
        symmetric: entries(&symmetric),
        skew: entries(&skew),
    }
}
