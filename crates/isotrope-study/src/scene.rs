//! What a picture of a system shows: points, links between them, bodies that turn, axes.
//!
//! A model may say so under `[scene]`. Otherwise it is guessed: bodies of a Lie group; points from
//! coordinates x, y, z with equal endings; points from definitions of that form, as in
//! `X1 = "l*sin(theta)"`; and where there is no place in space at all, the phase plane. Rods are found by a
//! proof: a constraint on positions that only depends on the distance of two points, or of a point from
//! the origin, links them.

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Ball, Budget, ExprId, Pool, Precision, print};
use isotrope_derive::System;
use isotrope_kernel::stepper::Rotation;
use isotrope_tape::interpret::Scratch;
use serde::Serialize;

use crate::evaluated::Evaluated;

/// Where a scene comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SceneSource {
    /// The model says so.
    Declared,
    /// Coordinates x, y, z.
    Coordinates,
    /// Definitions X, Y, Z.
    Definitions,
    /// Bodies of a Lie group.
    Group,
    /// Nothing has a place in space: position and velocity, or two states.
    Phase,
}

/// A point of a scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScenePoint {
    /// Its name.
    pub name: String,
    /// Where it is: expressions in coordinates, velocities, time and parameters.
    pub at: Vec<String>,
    /// How large it is, if the model says so.
    pub radius: Option<f64>,
}

/// A body that turns, drawn as a box.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneBox {
    /// Half its sides: those of a homogeneous box with its moments of inertia, where these are known.
    pub half_sides: [f64; 3],
    #[serde(skip)]
    rotation: Rotation,
}

/// What a picture shows.
#[derive(Debug, Clone, Serialize)]
pub struct Scene {
    /// Where it comes from.
    pub source: SceneSource,
    /// The names of its axes: two, or three in space.
    pub axes: Vec<String>,
    /// Points that move.
    pub points: Vec<ScenePoint>,
    /// Links between points, counted from 1; 0 is the origin.
    pub links: Vec<[usize; 2]>,
    /// Bodies that turn.
    pub bodies: Vec<SceneBox>,
    /// The number of coordinates of the system.
    #[serde(skip)]
    pub coordinates: usize,
    #[serde(skip)]
    places: Option<Evaluated>,
    #[serde(skip)]
    parameters: Vec<f64>,
}

/// A matrix by rows and a place.
pub type Posture = ([f64; 9], [f64; 3]);

/// Operations for proving links.
const BUDGET: u64 = 20_000_000;
/// Points that are guessed; more make no picture.
const MOST: usize = 1000;
/// Links are proved for this many constraints.
const MOST_LINKS: usize = 200;
/// Half the sides of a box whose moments are not known.
const BOX: [f64; 3] = [0.6, 0.42, 0.28];
/// Half the diagonal of boxes, and the thinnest side.
const DIAGONAL: f64 = 0.72;
const THIN: f64 = 0.06;

/// A point before it is written down.
#[derive(Debug, Clone)]
struct Place {
    name: String,
    at: Vec<ExprId>,
    radius: Option<ExprId>,
}

impl Scene {
    /// The scene of a system; `rotations` are those of its configuration on a Lie group.
    pub fn of(system: &mut System, rotations: &[Rotation]) -> Self {
        let parameters = parameters(system);
        let table = system.model.scene.clone();
        let named = table.as_ref().and_then(|scene| scene.axes.clone());
        // A table without bodies names axes, and leaves the rest to be guessed.
        let declared = table.filter(|scene| !scene.bodies.is_empty());
        let (source, places, axes) = match &declared {
            Some(scene) => {
                let places = scene.bodies.iter().map(|body| Place {
                    name: body.name.clone(),
                    at: body.at.clone(),
                    radius: body.radius,
                });
                (SceneSource::Declared, places.collect(), None)
            }
            None if !rotations.is_empty() => (SceneSource::Group, Vec::new(), None),
            None => guessed(system),
        };
        let dimension = match (places.first(), rotations) {
            (Some(place), _) => place.at.len(),
            (None, [_, ..]) => 3,
            (None, []) => 2,
        };
        let named = named.filter(|names| names.len() == dimension);
        let axes = named.or(axes).unwrap_or_else(|| {
            ["x", "y", "z"].iter().take(dimension).map(|&name| name.to_owned()).collect()
        });
        let links = match (declared, source) {
            (Some(scene), _) => scene.links,
            (None, SceneSource::Phase | SceneSource::Group) => Vec::new(),
            (None, _) => links(system, &places),
        };
        let pool = &system.model.pool;
        let at: Vec<ExprId> = places.iter().flat_map(|place| place.at.iter().copied()).collect();
        let radii = radii(system, &places, &parameters);
        let text = |id: ExprId| {
            print::to_text(pool, id, &mut Budget::new(BUDGET)).unwrap_or_else(|_| "…".to_owned())
        };
        let points = places.iter().zip(radii).map(|(place, radius)| ScenePoint {
            name: place.name.clone(),
            at: place.at.iter().map(|&id| text(id)).collect(),
            radius,
        });
        Self {
            source,
            axes,
            points: points.collect(),
            links,
            bodies: rotations
                .iter()
                .map(|&rotation| SceneBox {
                    half_sides: sides(system, rotation, &parameters),
                    rotation,
                })
                .collect(),
            coordinates: system.symbols.position.len(),
            places: Evaluated::new(system, pool, &at).ok().filter(|_| !at.is_empty()),
            parameters,
        }
    }

    /// Are its points in the plane or in space, and not only in a phase plane?
    #[must_use]
    pub fn is_in_space(&self) -> bool {
        self.source != SceneSource::Phase && self.places.is_some()
    }

    /// Where the points are at a time, with positions and velocities; none where one of them has no
    /// place. In the plane the third number is zero.
    #[must_use]
    pub fn points_at(&self, time: f64, q: &[f64], v: &[f64]) -> Option<Vec<[f64; 3]>> {
        let places = self.places.as_ref()?;
        let numbers = places.at((time, q, v), &self.parameters, &mut Scratch::default())?;
        let dimension = self.points.first()?.at.len();
        let place = |numbers: &[f64]| {
            let mut place = [0.0; 3];
            place[..dimension].copy_from_slice(numbers);
            place
        };
        Some(numbers.chunks_exact(dimension).map(place).collect())
    }

    /// How bodies are turned, and where they are.
    #[must_use]
    pub fn bodies_at(&self, q: &[f64]) -> Vec<Posture> {
        self.bodies.iter().map(|body| posture(body.rotation, q)).collect()
    }
}

/// As a rotation of space; one of the plane is about the third axis.
fn posture(rotation: Rotation, q: &[f64]) -> Posture {
    let matrix = match rotation.matrix(q)[..] {
        [a, b, c, d] => [a, b, 0.0, c, d, 0.0, 0.0, 0.0, 1.0],
        [a, b, c, d, e, f, g, h, i] => [a, b, c, d, e, f, g, h, i],
        _ => [f64::NAN; 9],
    };
    let mut place = [0.0; 3];
    let first = rotation.first + rotation.count;
    for (to, from) in place.iter_mut().zip(q.iter().skip(first).take(rotation.shifts)) {
        *to = *from;
    }
    (matrix, place)
}

/// The values of the parameters.
pub(crate) fn parameters(system: &System) -> Vec<f64> {
    let exact: Vec<ExprId> = system.model.parameters.iter().map(|p| p.exact).collect();
    let balls = evaluate_balls(&system.model.pool, &exact, &Default::default(), Precision::new(64));
    balls.map_or_else(
        |_| vec![f64::NAN; exact.len()],
        |list| list.iter().map(Ball::to_f64).collect(),
    )
}

/// How large points are, where that is known and positive.
fn radii(system: &System, places: &[Place], parameters: &[f64]) -> Vec<Option<f64>> {
    let given: Vec<ExprId> = places.iter().filter_map(|place| place.radius).collect();
    let mut sizes = numbers(system, &given, parameters).unwrap_or_default().into_iter();
    let mut next = || sizes.next().filter(|size| *size > 0.0);
    places.iter().map(|place| place.radius.and_then(|_| next())).collect()
}

/// Constants with the parameters put in.
fn numbers(system: &System, constants: &[ExprId], parameters: &[f64]) -> Option<Vec<f64>> {
    let evaluated = Evaluated::new(system, &system.model.pool, constants).ok()?;
    let zeros = vec![0.0; system.symbols.position.len()];
    let rates = vec![0.0; system.symbols.velocity.len()];
    evaluated.at((0.0, &zeros, &rates), parameters, &mut Scratch::default())
}

/// Points by their names, or the phase plane.
fn guessed(system: &System) -> (SceneSource, Vec<Place>, Option<Vec<String>>) {
    let model = &system.model;
    let in_state_space = system.mechanics.state().is_some();
    let coordinates: Vec<(&str, ExprId)> =
        model.coordinates.iter().map(|c| (c.name.as_str(), c.position)).collect();
    let found = if in_state_space { Vec::new() } else { points(&coordinates, ["x", "y", "z"]) };
    if !found.is_empty() {
        return (SceneSource::Coordinates, found, None);
    }
    let moving = model.positions();
    let rates = model.velocities();
    let placed: Vec<(&str, ExprId)> = model
        .definitions
        .iter()
        .filter(|(_, value)| {
            model.pool.depends_on(*value, &moving) && !model.pool.depends_on(*value, &rates)
        })
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    for letters in [["X", "Y", "Z"], ["x", "y", "z"]] {
        let found = points(&placed, letters);
        if !found.is_empty() && !in_state_space {
            return (SceneSource::Definitions, found, None);
        }
    }
    let Some(first) = model.coordinates.first() else {
        return (SceneSource::Phase, Vec::new(), None);
    };
    let (up, label) = match model.coordinates.get(1).filter(|_| in_state_space) {
        Some(second) => (second.position, second.name.clone()),
        None if in_state_space => (first.position, first.name.clone()),
        None => (first.velocity, format!("{}'", first.name)),
    };
    let place = Place { name: first.name.clone(), at: vec![first.position, up], radius: None };
    (SceneSource::Phase, vec![place], Some(vec![first.name.clone(), label]))
}

/// Points from names that begin with the letters and end alike: x1, y1, z1.
fn points(names: &[(&str, ExprId)], letters: [&str; 3]) -> Vec<Place> {
    let ending = |name: &str, letter: &str| -> Option<String> {
        let rest = name.strip_prefix(letter)?;
        let end = |c: char| c.is_ascii_digit() || "[],_".contains(c);
        rest.chars().all(end).then(|| rest.to_owned())
    };
    let find = |letter: &str, end: &str| {
        names.iter().find(|(name, _)| ending(name, letter).as_deref() == Some(end)).map(|n| n.1)
    };
    let mut found: Vec<Place> = Vec::new();
    for (name, x) in names {
        let Some(end) = ending(name, letters[0]) else { continue };
        let Some(y) = find(letters[1], &end) else { continue };
        let mut at = vec![*x, y];
        at.extend(find(letters[2], &end));
        let name = match end.trim_start_matches('_') {
            "" => "point".to_owned(),
            end => format!("point_{}", end.trim_matches(['[', ']'])),
        };
        found.push(Place { name, at, radius: None });
    }
    // Where some points have a third coordinate, those without one have no place.
    let most = found.iter().map(|place| place.at.len()).max().unwrap_or(0);
    found.retain(|place| place.at.len() == most);
    found.truncate(MOST);
    found
}

/// Rods: constraints on positions that depend on one distance alone, proved.
fn links(system: &mut System, places: &[Place]) -> Vec<[usize; 2]> {
    let (positions, velocities) = (system.model.positions(), system.model.velocities());
    let constraints = system.model.constraints.iter().map(|constraint| constraint.expression);
    let holonomic: Vec<ExprId> = constraints
        .filter(|&constraint| !system.model.pool.depends_on(constraint, &velocities))
        .take(MOST_LINKS)
        .collect();
    let budget = &mut Budget::new(BUDGET);
    let pool = &mut system.model.pool;
    let mut links: Vec<[usize; 2]> = Vec::new();
    let coordinates = |place: &Place| place.at.iter().all(|x| positions.contains(x));
    for constraint in holonomic {
        // Definitions move with angles, which have no constraints of their own here.
        let of: Vec<usize> = (0..places.len())
            .filter(|&k| coordinates(&places[k]) && pool.depends_on(constraint, &places[k].at))
            .collect();
        let beside: Vec<ExprId> = positions
            .iter()
            .copied()
            .filter(|x| !of.iter().any(|&k| places[k].at.contains(x)))
            .collect();
        if pool.depends_on(constraint, &beside) {
            continue;
        }
        let link = match of[..] {
            [only] => {
                is_rod(pool, constraint, (&places[only].at, None), budget).then_some([0, only + 1])
            }
            [one, other] => {
                let ends = (&places[one].at[..], Some(&places[other].at[..]));
                is_rod(pool, constraint, ends, budget).then_some([one + 1, other + 1])
            }
            _ => None,
        };
        links.extend(link.filter(|link| !links.contains(link)));
    }
    if links.is_empty() {
        links = rods_of_angles(system, places);
    }
    links
}

/// Points that are defined by angles: each keeps its distance from the origin or from another point.
fn rods_of_angles(system: &mut System, places: &[Place]) -> Vec<[usize; 2]> {
    let positions = system.model.positions();
    let pool = &mut system.model.pool;
    let budget = &mut Budget::new(BUDGET);
    let mut links = Vec::new();
    if places.iter().any(|place| place.at.iter().any(|x| positions.contains(x))) {
        return links;
    }
    for (k, place) in places.iter().enumerate().take(MOST_LINKS) {
        // The nearest before it in the list first: a chain is written down in its order.
        let mut other = k;
        let from = loop {
            let origin = vec![ExprId::ZERO; place.at.len()];
            let end = if other == 0 { &origin } else { &places[other - 1].at };
            if keeps_distance(pool, &place.at, end, &positions, budget) {
                break Some(other);
            }
            if other == 0 {
                break None;
            }
            other -= 1;
        };
        links.extend(from.map(|from| [from, k + 1]));
    }
    links
}

/// Does |a − b|² depend on no coordinate? It may change in time.
fn keeps_distance(
    pool: &mut Pool,
    a: &[ExprId],
    b: &[ExprId],
    positions: &[ExprId],
    budget: &mut Budget,
) -> bool {
    let squares: Vec<ExprId> = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| {
            let difference = pool.sub(a, b);
            pool.mul(difference, difference)
        })
        .collect();
    let sum = squares.into_iter().fold(ExprId::ZERO, |sum, square| pool.add(sum, square));
    let Ok(slopes) = gradient(pool, sum, positions, budget) else { return false };
    slopes.into_iter().all(|slope| is_zero(pool, slope, budget) == Zero::Yes)
}

/// Does a function depend on the distance of two points alone, or of one from the origin? It does exactly
/// if it does not change when both are moved alike and when their difference turns.
fn is_rod(
    pool: &mut Pool,
    function: ExprId,
    (one, other): (&[ExprId], Option<&[ExprId]>),
    budget: &mut Budget,
) -> bool {
    let Ok(slopes) = gradient(pool, function, one, budget) else { return false };
    let mut difference = one.to_vec();
    if let Some(other) = other {
        let Ok(back) = gradient(pool, function, other, budget) else { return false };
        for (&a, &b) in slopes.iter().zip(&back) {
            let sum = pool.add(a, b);
            if is_zero(pool, sum, budget) != Zero::Yes {
                return false;
            }
        }
        for (from, &to) in difference.iter_mut().zip(other) {
            *from = pool.sub(*from, to);
        }
    }
    for i in 0..slopes.len() {
        for j in 0..i {
            let (a, b) = (pool.mul(difference[i], slopes[j]), pool.mul(difference[j], slopes[i]));
            let turn = pool.sub(a, b);
            if is_zero(pool, turn, budget) != Zero::Yes {
                return false;
            }
        }
    }
    true
}

/// Half the sides of a homogeneous box with the moments of the body, where these are numbers: aᵢ² is
/// proportional to the two other moments less its own.
fn sides(system: &System, rotation: Rotation, parameters: &[f64]) -> [f64; 3] {
    let Some(moments) = moments(system, rotation, parameters) else { return BOX };
    let sum: f64 = moments.iter().sum();
    let squares = moments.map(|moment| (0.5 * sum - moment).max(0.0));
    let size = squares.iter().sum::<f64>().sqrt();
    if !(size.is_finite() && size > 0.0) {
        return BOX;
    }
    squares.map(|square| (DIAGONAL * square.sqrt() / size).max(THIN))
}

fn moments(system: &System, rotation: Rotation, parameters: &[f64]) -> Option<[f64; 3]> {
    let group = system.mechanics.group()?;
    if rotation.count != 4 {
        return None;
    }
    let entry = |k: usize| -> Option<ExprId> {
        let diagonal = rotation.rate + k;
        let row = group.dynamics.mass.get(diagonal)?;
        row.iter().find(|(column, _)| *column as usize == diagonal).map(|entry| entry.1)
    };
    let entries = [entry(0)?, entry(1)?, entry(2)?];
    numbers(system, &entries, parameters)?.try_into().ok()
}
